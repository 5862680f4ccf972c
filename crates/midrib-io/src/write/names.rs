//! Names of columns beside those that are always there.

/// `names`, with `prefix` before those that are already `taken`.
pub(super) fn beside(taken: &[&str], names: &[String], prefix: &str) -> Vec<String> {
    names
        .iter()
        .map(|name| {
            let mut name = name.clone();
            while taken.contains(&name.as_str()) {
                name.insert_str(0, prefix);
            }
            name
        })
        .collect()
}

/// The names of latent coordinates: z1, z2, …
pub(super) fn latent_names(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("z{i}")).collect()
}
