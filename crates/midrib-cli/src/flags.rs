//! The flags of a method, made from the schema of its settings.

use std::ffi::OsString;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches};
use midrib::learn::Entry;
use midrib::synth::Shape;
use serde_json::{Map, Value, json};

use crate::config::value_of;
use crate::exit::{Failure, Outcome};

/// A setting as the command line and `midrib methods` show it.
pub struct Setting {
    pub name: String,
    pub help: String,
    pub default: Value,
    /// The words that it takes.
    pub words: Vec<String>,
    pub number: bool,
}

impl Setting {
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }

    /// What may be given, for example `NUMBER|auto`.
    pub fn values(&self) -> String {
        let number = self.number.then(|| "NUMBER".to_owned());
        number.into_iter().chain(self.words.iter().cloned()).collect::<Vec<_>>().join("|")
    }

    fn parse(&self, text: &str) -> Outcome<Value> {
        if self.words.iter().any(|word| word == text) {
            return Ok(json!(text));
        }
        let number = text
            .parse::<u64>()
            .map(|n| json!(n))
            .or_else(|_| text.parse::<f64>().map(|x| json!(x)));
        match number {
            Ok(value) if self.number && !value.is_null() => Ok(value),
            _ => Err(Failure::usage(format!(
                "--{} {text}: give {}; `midrib methods` explains it",
                self.flag(),
                self.values().replace('|', " or ")
            ))),
        }
    }
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
            let mut words = Vec::new();
            let number = describe(property, &schema, &mut words);
            Setting {
                name: name.clone(),
                help: property["description"].as_str().unwrap_or_default().replace('\n', " "),
                default: defaults[name].clone(),
                words,
                number,
            }
        })
        .collect()
}

/// Collects the words that a schema admits; whether it admits numbers.
fn describe(part: &Value, schema: &Value, words: &mut Vec<String>) -> bool {
    let mut number = false;
    if let Some(name) = part["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        number |= describe(&schema["$defs"][name], schema, words);
    }
    for key in ["anyOf", "oneOf"] {
        for option in part[key].as_array().into_iter().flatten() {
            number |= describe(option, schema, words);
        }
    }
    words.extend(part["const"].as_str().map(Into::into));
    for word in part["enum"].as_array().into_iter().flatten() {
        words.extend(word.as_str().map(Into::into));
    }
    let is_number = |kind: &Value| kind == "number" || kind == "integer";
    number
        || is_number(&part["type"])
        || part["type"].as_array().is_some_and(|kinds| kinds.iter().any(is_number))
}

/// One flag per setting.
pub fn of_method(entry: &'static Entry) -> Vec<Arg> {
    settings_of(entry)
        .into_iter()
        .map(|setting| {
            let default = match &setting.default {
                Value::Null => String::new(),
                Value::String(word) => format!(" [default: {word}]"),
                other => format!(" [default: {other}]"),
            };
            Arg::new(setting.name.clone())
                .long(setting.flag())
                .help(format!("{}{default}", setting.help))
                .value_name(setting.values())
                .help_heading(format!("Settings of {}", entry.name))
                .allow_negative_numbers(true)
                .action(ArgAction::Set)
        })
        .collect()
}

/// The settings that were given as flags.
pub fn settings(entry: &Entry, matches: &ArgMatches) -> Outcome<Map<String, Value>> {
    let mut given = Map::new();
    for setting in settings_of(entry) {
        if let Some(text) = matches.get_one::<String>(&setting.name) {
            given.insert(setting.name.clone(), setting.parse(text)?);
        }
    }
    Ok(given)
}

/// The method that the arguments ask for, the default where they do not.
pub fn method_name(argv: &[OsString]) -> String {
    let is_fit = argv.get(1).is_some_and(|word| word == "fit");
    let asked = is_fit.then(|| value_of(argv, "--method").or_else(|| value_of(argv, "-m")));
    asked.flatten().and_then(|name| name.into_string().ok()).unwrap_or_else(|| "ppt".into())
}

/// The shapes that can be generated.
pub fn shape_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        Shape::ALL
            .iter()
            .map(|known| clap::builder::PossibleValue::new(known.name).help(known.description)),
    )
}
