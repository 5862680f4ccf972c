//! Looking into the arguments before they are parsed.

use std::ffi::OsString;

/// The value of a flag, as `--flag value`, `--flag=value` or `-fvalue`.
pub fn value_of(argv: &[OsString], flag: &str) -> Option<OsString> {
    let is_short = flag.len() == 2;
    let mut found = None;
    let mut words = argv.iter();
    while let Some(word) = words.next() {
        if word == flag {
            found = words.next().cloned();
        } else if let Some(rest) = word.to_str().and_then(|word| word.strip_prefix(flag)) {
            let value = rest.strip_prefix('=').or(is_short.then_some(rest));
            found = value.map(Into::into).or(found);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_flag_counts() {
        let argv: Vec<OsString> =
            ["midrib", "fit", "--config", "a", "--config=b"].map(Into::into).to_vec();
        assert_eq!(value_of(&argv, "--config"), Some("b".into()));
        assert_eq!(value_of(&argv, "--method"), None);
        for words in [["-m", "rpg"], ["-mrpg", ""], ["-m=rpg", ""]] {
            assert_eq!(value_of(&words.map(Into::into), "-m"), Some("rpg".into()), "{words:?}");
        }
    }
}
