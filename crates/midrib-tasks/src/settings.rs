//! The settings of a method, from the schema of its struct.

use midrib::learn::Entry;
use serde_json::{Value, json};

/// A setting of a method, for help, parsing and reports.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// What it does; other settings go by their names.
    pub help: String,
    /// As it would be given; none where the setting is left out.
    pub default: Option<String>,
    /// The keywords that it takes.
    keywords: Vec<String>,
    number: Option<Number>,
    /// What several numbers in one text look like, for example `NxN`.
    text: Option<String>,
}

/// The numbers that a setting takes.
#[derive(Clone, Copy, Debug)]
enum Number {
    Any,
    Whole { least: u64 },
}

impl Setting {
    /// What may be given, for example `N|auto`.
    pub fn values(&self) -> String {
        let number = self.number.map(|number| match number {
            Number::Any => "NUMBER",
            Number::Whole { .. } => "N",
        });
        let keywords = self.keywords.iter().map(String::as_str);
        number.into_iter().chain(self.text.as_deref()).chain(keywords).collect::<Vec<_>>().join("|")
    }

    /// The same in a sentence.
    pub fn wanted(&self) -> String {
        let number = self.number.map(|number| match number {
            Number::Any => "a number".to_owned(),
            Number::Whole { least } => format!("a whole number of at least {least}"),
        });
        let mut wanted: Vec<String> = number.into_iter().chain(self.keywords.clone()).collect();
        let last = wanted.pop().unwrap_or_default();
        if wanted.is_empty() { last } else { format!("{} or {last}", wanted.join(", ")) }
    }

    /// The value that a text gives; none if it is not valid.
    pub fn parse(&self, text: &str) -> Option<Value> {
        if self.keywords.iter().any(|keyword| keyword == text) {
            return Some(json!(text));
        }
        if self.text.is_some() {
            return Some(json!(text));
        }
        match self.number? {
            Number::Any => text.parse().ok().filter(|x: &f64| x.is_finite()).map(|x| json!(x)),
            Number::Whole { least } => whole(text).filter(|n| *n >= least).map(|n| json!(n)),
        }
    }
}

/// A whole number, also as `1e3`.
fn whole(text: &str) -> Option<u64> {
    /// The first whole number whose successor is not a double.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let exact = |x: &f64| x.fract() == 0.0 && (0.0..EXACT).contains(x);
    text.parse().ok().or_else(|| text.parse().ok().filter(exact).map(|x| x as u64))
}

/// The settings of a method in the order of its struct.
pub fn settings_of(entry: &Entry) -> Vec<Setting> {
    let schema = entry.schema();
    let defaults = entry.defaults();
    let Some(properties) = schema["properties"].as_object() else {
        return Vec::new();
    };
    properties
        .iter()
        .map(|(name, property)| {
            let help = property["description"].as_str().unwrap_or_default().replace('\n', " ");
            let mut setting = Setting {
                name: name.clone(),
                help,
                default: match &defaults[name] {
                    Value::Null => None,
                    Value::String(text) => Some(text.clone()),
                    other => Some(other.to_string()),
                },
                keywords: Vec::new(),
                number: None,
                text: None,
            };
            describe(property, &schema, &mut setting);
            setting
        })
        .collect()
}

/// Collects the keywords and numbers that a schema admits.
fn describe(part: &Value, schema: &Value, setting: &mut Setting) {
    if let Some(name) = part["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        describe(&schema["$defs"][name], schema, setting);
    }
    for key in ["anyOf", "oneOf"] {
        for option in part[key].as_array().into_iter().flatten() {
            describe(option, schema, setting);
        }
    }
    setting.keywords.extend(part["const"].as_str().map(Into::into));
    for keyword in part["enum"].as_array().into_iter().flatten() {
        setting.keywords.extend(keyword.as_str().map(Into::into));
    }
    let is = |kind: &str| {
        part["type"] == kind
            || part["type"].as_array().is_some_and(|kinds| kinds.iter().any(|k| k == kind))
    };
    if is("string") {
        setting.text = setting.text.take().or(part["title"].as_str().map(Into::into));
    }
    if is("number") {
        setting.number = Some(Number::Any);
    } else if is("integer") {
        let least = part["minimum"].as_u64().unwrap_or_default();
        setting.number = Some(Number::Whole { least });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_an_exponent_but_no_fraction() {
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        assert_eq!(whole("1e3"), Some(1000));
        for text in ["-1", "3.5", "x", "", "nan", "inf", "1e300"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
