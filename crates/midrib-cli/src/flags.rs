//! The flags of a method, made from the schema of its settings.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches};
use midrib::learn::{Entry, METHODS};
use midrib::synth::Shape;
use midrib_tasks::settings_of;
use serde_json::{Map, Value};

use crate::exit::{Failure, Outcome};
use crate::spelling::{as_flag, with_flags};

/// One flag per setting: its gist in the short help, all of it in the long one.
pub fn of_method(entry: &'static Entry) -> Vec<Arg> {
    settings_of(entry)
        .into_iter()
        .map(|setting| {
            let mut long = with_flags(&setting.help, "");
            let mut short = gist(&long).to_owned();
            if let Some(default) = &setting.default {
                // No line is broken at this space.
                short += &format!(" [default:\u{a0}{default}]");
                long += &format!("\n\n[default: {default}]");
            }
            Arg::new(setting.name.clone())
                .long(as_flag(&setting.name))
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
        if flags.iter().all(|other| other.get_id() != flag.get_id()) {
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
                    as_flag(&setting.name),
                    setting.wanted(),
                    entry.name
                ))
            })?;
            given.insert(setting.name, value);
        }
    }
    Ok(given)
}

/// The methods that have a setting with this flag.
pub fn methods_with(flag: &str) -> Vec<&'static Entry> {
    let has = |entry: &&Entry| settings_of(entry).iter().any(|it| as_flag(&it.name) == flag);
    METHODS.iter().filter(has).collect()
}

/// The shapes that can be generated.
pub fn shape_names() -> PossibleValuesParser {
    PossibleValuesParser::new(
        Shape::ALL.iter().map(|shape| PossibleValue::new(shape.name).help(shape.description)),
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
    fn the_gist_ends_with_the_first_clause() {
        assert_eq!(gist("Over 2.2 times, e.g. so. `auto` takes it."), "Over 2.2 times, e.g. so");
        assert_eq!(gist("Number of nodes: a number, or all. More."), "Number of nodes");
        assert_eq!(gist("Only one."), "Only one");
    }
}
