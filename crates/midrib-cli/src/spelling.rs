//! How the command line spells settings: `max_iter` is `--max-iter`.

/// The flag of a setting, without its dashes.
pub fn as_flag(name: &str) -> String {
    name.replace('_', "-")
}

/// A setting as a flag.
pub fn flag(name: &str) -> String {
    format!("--{}", as_flag(name))
}

/// A text about settings as a text about flags: `max_iter` becomes `--max-iter`, `voids = cross`
/// becomes `--voids cross`, and the word `name` becomes a flag too.
pub fn with_flags(text: &str, name: &str) -> String {
    spelled(text, |word, has_value| {
        has_value || word == name || word.trim_matches('_').contains('_')
    })
}

/// A text with flags for words that are settings; `is_setting` also gets whether a value follows.
/// Parts of file names such as `n_nodes.csv` are none.
pub fn spelled(text: &str, is_setting: impl Fn(&str, bool) -> bool) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_joint = |c: char| matches!(c, '.' | '/' | '-');
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let (word, mut after) = rest.split_at(end);
        let value = after.strip_prefix(" = ");
        let is_joined = result.ends_with(is_joint)
            || after.strip_prefix(is_joint).is_some_and(|next| next.starts_with(is_letter));
        if !word.is_empty() && !is_joined && is_setting(word, value.is_some()) {
            result += &flag(word);
            let switch = value.and_then(|value| value.strip_prefix("true"));
            if let Some(switch) = switch.filter(|after| !after.starts_with(is_letter)) {
                after = switch;
            } else if let Some(value) = value {
                let end = value.find(|c| !is_letter(c)).unwrap_or(value.len());
                result.push(' ');
                result += &value[..end];
                after = &value[end..];
            }
        } else {
            result += word;
        }
        let next = after.find(is_letter).unwrap_or(after.len());
        result += &after[..next];
        rest = &after[next..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_spelled_as_flags() {
        assert_eq!(
            with_flags("give either smoothing or length_penalty, not both", "smoothing"),
            "give either --smoothing or --length-penalty, not both"
        );
        assert_eq!(
            with_flags("smoothing² · nodes, n_nodes.", ""),
            "smoothing² · nodes, --n-nodes."
        );
        assert_eq!(
            with_flags("add structure = l1, or leave it out", "n_neighbors"),
            "add --structure l1, or leave it out"
        );
        assert_eq!(
            with_flags("n_nodes.csv: pass force = true, or id = true_name", ""),
            "n_nodes.csv: pass --force, or --id true_name"
        );
    }
}
