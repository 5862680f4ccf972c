//! `--config run.toml`: the same words as the flags, put in front of them.

use std::ffi::OsString;
use std::path::Path;

use crate::exit::{Failure, Outcome};

/// Replaces `--config FILE` after `fit` by the flags that the file holds.
pub fn expand(argv: Vec<OsString>) -> Outcome<Vec<OsString>> {
    let is_fit = argv.get(1).is_some_and(|word| word == "fit");
    let Some(path) = is_fit.then(|| value_of(&argv, "--config")).flatten() else {
        return Ok(argv);
    };
    let path = Path::new(&path);
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(error.to_string()).within(path.display()))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        Failure::usage(error.to_string().trim_end()).within(path.display())
    })?;
    let mut expanded: Vec<OsString> = argv[..2].to_vec();
    for (key, value) in table {
        expanded.extend(as_flags(&key, value).map_err(|failure| failure.within(path.display()))?);
    }
    expanded.extend_from_slice(&argv[2..]);
    Ok(expanded)
}

/// The value of a flag, as `--flag value` or `--flag=value`.
pub fn value_of(argv: &[OsString], flag: &str) -> Option<OsString> {
    let mut found = None;
    let mut words = argv.iter();
    while let Some(word) = words.next() {
        if word == flag {
            found = words.next().cloned();
        } else if let Some(value) =
            word.to_str().and_then(|word| word.strip_prefix(flag)?.strip_prefix('='))
        {
            found = Some(value.into());
        }
    }
    found
}

fn as_flags(key: &str, value: toml::Value) -> Outcome<Vec<OsString>> {
    let flag = format!("--{}", key.replace('_', "-"));
    Ok(match value {
        toml::Value::Boolean(true) => vec![flag.into()],
        toml::Value::Boolean(false) => vec![],
        toml::Value::String(text) => vec![format!("{flag}={text}").into()],
        toml::Value::Integer(number) => vec![format!("{flag}={number}").into()],
        toml::Value::Float(number) => vec![format!("{flag}={number}").into()],
        toml::Value::Array(items) => {
            let mut flags = Vec::new();
            for item in items {
                flags.extend(as_flags(key, item)?);
            }
            flags
        }
        toml::Value::Datetime(_) | toml::Value::Table(_) => {
            return Err(Failure::usage(format!(
                "{key}: give a number, a word, true or a list of words"
            )));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_flags() {
        let table: toml::Table =
            "max_iter = 5\ncenter = true\nforce = false\nlabel = [\"a\", \"b\"]".parse().unwrap();
        let flags: Vec<OsString> =
            table.into_iter().flat_map(|(key, value)| as_flags(&key, value).unwrap()).collect();
        let mut flags: Vec<&str> = flags.iter().map(|flag| flag.to_str().unwrap()).collect();
        flags.sort_unstable();
        assert_eq!(flags, ["--center", "--label=a", "--label=b", "--max-iter=5"]);
    }

    #[test]
    fn the_last_value_of_a_flag_counts() {
        let argv: Vec<OsString> =
            ["midrib", "fit", "--config", "a", "--config=b"].map(Into::into).to_vec();
        assert_eq!(value_of(&argv, "--config"), Some("b".into()));
        assert_eq!(value_of(&argv, "--method"), None);
    }
}
