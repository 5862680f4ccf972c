//! The flags of a method, made from the schema of its settings.

use std::ffi::OsString;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches};
use midrib::learn::{Entry, METHODS};
use midrib::synth::Shape;
use serde_json::{Map, Value, json};

use crate::args;
use crate::config::value_of;
use crate::exit::{Failure, Outcome};

/// A setting as the command line and `midrib methods` show it.
pub struct Setting {
    pub name: String,
    pub help: String,
    /// As it would be given; none where the setting is left out.
    pub default: Option<String>,
    /// The words that it takes.
    words: Vec<String>,
    number: Option<Number>,
    /// What several numbers in one text look like, for example `NxN`.
    text: Option<String>,
}

/// The numbers that a setting takes.
#[derive(Clone, Copy)]
enum Number {
    Any,
    Whole { least: u64 },
}

impl Setting {
    pub fn flag(&self) -> String {
        as_flag(&self.name)
    }

    /// What may be given, for example `N|auto`.
    pub fn values(&self) -> String {
        let number = self.number.map(|number| match number {
            Number::Any => "NUMBER",
            Number::Whole { .. } => "N",
        });
        let words = self.words.iter().map(String::as_str);
        number.into_iter().chain(self.text.as_deref()).chain(words).collect::<Vec<_>>().join("|")
    }

    /// The same in a sentence.
    fn wanted(&self) -> String {
        let number = self.number.map(|number| match number {
            Number::Any => "a number".to_owned(),
            Number::Whole { least } => format!("a whole number of at least {least}"),
        });
        let mut wanted: Vec<String> = number.into_iter().chain(self.words.clone()).collect();
        let last = wanted.pop().unwrap_or_default();
        if wanted.is_empty() { last } else { format!("{} or {last}", wanted.join(", ")) }
    }

    fn parse(&self, text: &str) -> Option<Value> {
        if self.words.iter().any(|word| word == text) {
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
    /// The first whole number whose successor a double does not know.
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
                help: with_flags(&help, ""),
                default: match &defaults[name] {
                    Value::Null => None,
                    Value::String(word) => Some(word.clone()),
                    other => Some(other.to_string()),
                },
                words: Vec::new(),
                number: None,
                text: None,
            };
            describe(property, &schema, &mut setting);
            setting
        })
        .collect()
}

/// Collects the words and numbers that a schema admits.
fn describe(part: &Value, schema: &Value, setting: &mut Setting) {
    if let Some(name) = part["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        describe(&schema["$defs"][name], schema, setting);
    }
    for key in ["anyOf", "oneOf"] {
        for option in part[key].as_array().into_iter().flatten() {
            describe(option, schema, setting);
        }
    }
    setting.words.extend(part["const"].as_str().map(Into::into));
    for word in part["enum"].as_array().into_iter().flatten() {
        setting.words.extend(word.as_str().map(Into::into));
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

/// One flag per setting: its gist in the short help, all of it in the long one.
pub fn of_method(entry: &'static Entry) -> Vec<Arg> {
    settings_of(entry)
        .into_iter()
        .map(|setting| {
            let mut short = gist(&setting.help).to_owned();
            let mut long = setting.help.clone();
            if let Some(default) = &setting.default {
                // No line is broken at this space.
                short += &format!(" [default:\u{a0}{default}]");
                long += &format!("\n\n[default: {default}]");
            }
            Arg::new(setting.name.clone())
                .long(setting.flag())
                .help(short)
                .long_help(long)
                .value_name(setting.values())
                .help_heading(format!("Settings of {}", entry.name))
                .allow_negative_numbers(true)
                .action(ArgAction::Set)
        })
        .collect()
}

/// The flags of all methods together.
pub fn of_all_methods() -> Vec<Arg> {
    let mut flags: Vec<Arg> = Vec::new();
    for flag in METHODS.iter().flat_map(of_method) {
        if flags.iter().all(|known| known.get_id() != flag.get_id()) {
            flags.push(flag.help_heading("Settings of the method"));
        }
    }
    flags
}

/// The first sentence about a setting, without its choices and their effects.
fn gist(text: &str) -> &str {
    let end = text.match_indices(['.', ':']).map(|(end, _)| end).find(|end| {
        let mut rest = text[end + 1..].chars();
        let next = (rest.next(), rest.next());
        let ends_sentence =
            matches!(next, (Some(' '), Some(start)) if start.is_uppercase() || start == '`');
        let ends_clause = text[*end..].starts_with(": ");
        ends_sentence || ends_clause
    });
    end.map_or(text.trim_end_matches('.'), |end| &text[..end])
}

/// The settings that were given as flags.
pub fn settings(entry: &Entry, matches: &ArgMatches) -> Outcome<Map<String, Value>> {
    let mut given = Map::new();
    for setting in settings_of(entry) {
        if let Some(text) = matches.get_one::<String>(&setting.name) {
            let value = setting.parse(text).ok_or_else(|| {
                Failure::usage(format!(
                    "--{} {text}: give {}; `midrib methods {}` explains it",
                    setting.flag(),
                    setting.wanted(),
                    entry.name
                ))
            })?;
            given.insert(setting.name, value);
        }
    }
    Ok(given)
}

/// The method that the arguments ask for, the default where they do not.
pub fn method_name(argv: &[OsString]) -> String {
    if argv.get(1).is_none_or(|word| word != "fit") {
        return args::DEFAULT_METHOD.into();
    }
    let parsed = args::command_for_any().try_get_matches_from(argv).ok();
    let asked = parsed.as_ref().and_then(|matches| {
        matches.subcommand_matches("fit")?.get_one::<String>("method").cloned()
    });
    // Where the arguments do not parse: whatever looks like it, for the right help and hints.
    let looks_like =
        || value_of(argv, "--method").or_else(|| value_of(argv, "-m"))?.into_string().ok();
    asked.or_else(looks_like).unwrap_or_else(|| args::DEFAULT_METHOD.into())
}

/// Adds to an unknown flag that it belongs to another method.
pub fn with_hint(mut error: clap::Error, entry: &Entry) -> clap::Error {
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg)
        && let Some(other) = method_with(flag.trim_start_matches('-'))
        && other.name != entry.name
    {
        let hint = format!(
            "{flag} is a setting of {}, not of {}; pass --method {} before it, or see `midrib \
             methods {}`",
            other.name, entry.name, other.name, entry.name
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(hint)]));
    }
    error
}

/// The first method that has a setting with this flag.
pub fn method_with(flag: &str) -> Option<&'static Entry> {
    METHODS.iter().find(|entry| settings_of(entry).iter().any(|setting| setting.flag() == flag))
}

/// The flag of a setting, without its dashes.
pub fn as_flag(name: &str) -> String {
    name.replace('_', "-")
}

/// A text about settings as a text about flags: `max_iter` becomes `--max-iter`, `voids = cross`
/// becomes `--voids cross`, and the word `name` becomes a flag too.
pub fn with_flags(text: &str, name: &str) -> String {
    spelled(text, |word, has_value| {
        has_value || word == name || word.trim_matches('_').contains('_')
    })
}

/// The same for a note of a fit, in which only words that some command takes as a flag are settings:
/// ids of points may look like some.
pub fn note_with_flags(note: &str) -> String {
    spelled(note, |word, has_value| (has_value || word.contains('_')) && has_flag(word))
}

/// A text with flags for words that are settings; `is_setting` is also told whether a value follows.
fn spelled(text: &str, is_setting: impl Fn(&str, bool) -> bool) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let (word, mut after) = rest.split_at(end);
        let value = after.strip_prefix(" = ");
        if !word.is_empty() && is_setting(word, value.is_some()) {
            result += "--";
            result += &as_flag(word);
            if let Some(value) = value {
                result.push(' ');
                after = value;
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

/// Whether any command takes this setting.
fn has_flag(setting: &str) -> bool {
    let flag = as_flag(setting);
    let command = args::command_for_any();
    let mut flags = command.get_subcommands().flat_map(clap::Command::get_arguments);
    flags.any(|known| known.get_long() == Some(&flag))
}

/// The shapes that can be generated.
pub fn shape_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        Shape::ALL.iter().map(|known| PossibleValue::new(known.name).help(known.description)),
    )
}

/// The methods, for completion.
pub fn method_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        METHODS.iter().map(|entry| PossibleValue::new(entry.name).help(entry.summary)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_spoken_of_as_flags() {
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
    }

    #[test]
    fn notes_keep_ids_that_look_like_settings() {
        assert_eq!(
            note_with_flags("point cell_7; voids = cross, a small min_loop, x = 3"),
            "point cell_7; --voids cross, a small --min-loop, x = 3"
        );
    }

    #[test]
    fn the_gist_ends_with_the_first_clause() {
        assert_eq!(gist("Over 2.2 times, e.g. so. `auto` takes it."), "Over 2.2 times, e.g. so");
        assert_eq!(gist("Number of nodes: a number, or all. More."), "Number of nodes");
        assert_eq!(gist("Only one."), "Only one");
    }

    #[test]
    fn whole_numbers_may_have_an_exponent_but_no_fraction() {
        assert_eq!(whole("18446744073709551615"), Some(u64::MAX));
        assert_eq!(whole("1e3"), Some(1000));
        for text in ["-1", "3.5", "x", "", "nan", "inf", "1e300"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }
}
