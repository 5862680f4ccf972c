//! `--config run.toml`: flags from a file, in front of those that are typed.

use std::ffi::OsString;
use std::path::PathBuf;

use midrib::nearest_word;

use crate::argv::value_of;
use crate::exit::{Failure, Outcome};
use crate::flags::methods_with;
use crate::spelling::as_flag;

/// The content of a file that `--config` names.
#[derive(Debug)]
pub struct Config {
    path: PathBuf,
    table: toml::Table,
}

impl Config {
    /// Reads the file that `--config` names, if any.
    pub fn named_in(argv: &[OsString]) -> Outcome<Option<Self>> {
        let is_fit = argv.get(1).is_some_and(|word| word == "fit");
        let Some(path) = is_fit.then(|| value_of(argv, "--config")).flatten() else {
            return Ok(None);
        };
        let path = PathBuf::from(path);
        let failed = |reason: String| Failure::usage(reason).within(path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| {
            failed(match error.kind() {
                std::io::ErrorKind::NotFound => "there is no such file; check the path".into(),
                _ => format!("cannot be read: {error}"),
            })
        })?;
        let table = text
            .parse()
            .map_err(|error: toml::de::Error| failed(error.to_string().trim_end().into()))?;
        Ok(Some(Self { path, table }))
    }

    /// The arguments with those of the file in front, as far as they are not given.
    pub fn before(&self, argv: &[OsString]) -> Outcome<Vec<OsString>> {
        let mut expanded: Vec<OsString> = argv[..2].to_vec();
        for (key, value) in &self.table {
            if value_of(argv, &format!("--{}", as_flag(key))).is_none() {
                expanded.extend(as_flags(key, value).map_err(|failure| self.at_fault(failure))?);
            }
        }
        expanded.extend_from_slice(&argv[2..]);
        Ok(expanded)
    }

    /// Refuses keys that are not flags of the command.
    pub fn check_keys(&self, fit: &clap::Command) -> Outcome<()> {
        let flags: Vec<&str> = fit
            .get_arguments()
            .filter_map(clap::Arg::get_long)
            .filter(|flag| *flag != "config")
            .collect();
        let unknown = self.table.keys().find(|key| !flags.contains(&as_flag(key).as_str()));
        let Some(key) = unknown else {
            return Ok(());
        };
        let flag = as_flag(key);
        let reason = match (methods_with(&flag).first(), nearest_word(&flag, flags.iter().copied()))
        {
            (Some(other), _) => {
                format!("{key} is a setting of {0}; give method = \"{0}\" with it", other.name)
            }
            (None, Some(near)) => {
                format!("unknown key {key}, did you mean {}?", near.replace('-', "_"))
            }
            (None, None) => {
                format!("unknown key {key}; the keys are the flags of `midrib fit --help`")
            }
        };
        Err(self.at_fault(Failure::usage(reason)))
    }

    fn at_fault(&self, failure: Failure) -> Failure {
        failure.within(self.path.display())
    }
}

fn as_flags(key: &str, value: &toml::Value) -> Outcome<Vec<OsString>> {
    let flag = format!("--{}", as_flag(key));
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
            table.into_iter().flat_map(|(key, value)| as_flags(&key, &value).unwrap()).collect();
        let mut flags: Vec<&str> = flags.iter().map(|flag| flag.to_str().unwrap()).collect();
        flags.sort_unstable();
        assert_eq!(flags, ["--center", "--label=a", "--label=b", "--max-iter=5"]);
    }
}
