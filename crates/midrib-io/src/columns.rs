//! The names of the columns of prepared points.

use midrib::prepare::Transform;

/// The names of the columns of prepared points.
///
/// ```
/// let features = ["depth".to_owned(), "age".to_owned()];
/// assert_eq!(midrib_io::prepared_names(None, &features), features);
/// ```
pub fn prepared_names(transform: Option<&Transform>, features: &[String]) -> Vec<String> {
    let Some(transform) = transform else { return features.to_vec() };
    let numbered = |name: &str| (1..=transform.dims_out()).map(|i| format!("{name}{i}")).collect();
    if let Some(embed) = &transform.embed {
        return numbered(&format!("{}_", embed.name.replace('-', "_")));
    }
    match (&transform.pca, &transform.kernel) {
        (Some(_), _) => numbered("pc"),
        (None, Some(_)) => numbered("k"),
        (None, None) => features.to_vec(),
    }
}
