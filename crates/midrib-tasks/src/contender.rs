//! A method to compare, as users name it: `kmeans`, or `kmeans:n_clusters=20:seed=1`.

use std::fmt;

use midrib::learn::method;
use serde_json::{Map, Value};

use crate::settings::settings_of;

/// A method with the settings that are not left at their defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// The name of the method.
    pub method: String,
    /// Its settings.
    pub settings: Map<String, Value>,
}

impl Contender {
    /// A method with its defaults.
    pub fn named(method: &str) -> Self {
        Self { method: method.into(), settings: Map::new() }
    }

    /// Reads `NAME` or `NAME:SETTING=VALUE:…`. What is wrong with it is found when it is fitted.
    ///
    /// ```
    /// use midrib_tasks::Contender;
    /// let found = Contender::parse("kmeans:n-clusters=20:seed=1");
    /// assert_eq!(found.settings["n_clusters"], 20);
    /// assert_eq!(found.to_string(), "kmeans:n_clusters=20:seed=1");
    /// ```
    pub fn parse(text: &str) -> Self {
        let mut parts = text.trim().split(':');
        let name = parts.next().unwrap_or_default().to_owned();
        let known = method(&name).map(settings_of).unwrap_or_default();
        let settings = parts.map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let key = key.trim().replace('-', "_");
            let setting = known.iter().find(|setting| setting.name == key);
            let value = value.trim();
            let parsed = setting.and_then(|setting| setting.parse(value));
            let whole =
                value.parse::<u64>().ok().filter(|_| parsed.as_ref().is_some_and(Value::is_number));
            let parsed = whole.map(Value::from).or(parsed);
            (key, parsed.unwrap_or_else(|| Value::String(value.into())))
        });
        Self { method: name, settings: settings.collect() }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.method)?;
        for (key, value) in &self.settings {
            match value {
                Value::String(text) => write!(f, ":{key}={text}")?,
                other => write!(f, ":{key}={other}")?,
            }
        }
        Ok(())
    }
}
