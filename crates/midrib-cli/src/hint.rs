//! What was probably meant by a flag or a command that does not exist.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use midrib::learn::Entry;
use midrib::nearest_word;
use midrib_tasks::first_names;

use crate::flags::{methods_with, of_all_methods};

/// At most this many methods are named.
const NAMED: usize = 4;

/// An error of the arguments with a useful suggestion in place of clap's, which also suggests flags
/// that have nothing in common with what was typed. `command` is the one that they are for.
pub fn with_hint(mut error: clap::Error, entry: &Entry, command: &clap::Command) -> clap::Error {
    let (kind, of_error) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, for_argument as Hint),
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, for_command as Hint),
        _ => return error,
    };
    let Some(ContextValue::String(word)) = error.get(kind) else { return error };
    let hint = of_error(word, entry, command);
    for clap_says in [
        ContextKind::Suggested,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::Usage,
    ] {
        error.remove(clap_says);
    }
    let hints = ContextValue::StyledStrs(vec![StyledStr::from(hint)]);
    error.insert(ContextKind::Suggested, hints);
    error
}

type Hint = fn(&str, &Entry, &clap::Command) -> String;

fn for_argument(word: &str, entry: &Entry, command: &clap::Command) -> String {
    let name = command.get_name();
    let Some(flag) = word.strip_prefix("--") else {
        let required = |arg: &&clap::Arg| arg.is_required_set() && arg.get_long().is_some();
        return match command.get_arguments().find(required).and_then(clap::Arg::get_long) {
            Some(flag) if !word.starts_with('-') => format!("pass --{flag} {word}"),
            _ => format!("`midrib {name} --help` shows the arguments"),
        };
    };
    let flag = flag.split('=').next().unwrap_or(flag);
    let all = if name == "fit" { of_all_methods() } else { Vec::new() };
    let of_methods = || all.iter().filter_map(clap::Arg::get_long);
    let own = || command.get_arguments().filter_map(clap::Arg::get_long);
    if !of_methods().any(|other| other == flag)
        && let Some(near) = nearest_word(flag, own())
    {
        return format!("did you mean --{near}?");
    }
    let Some(meant) = nearest_word(flag, of_methods()) else {
        return format!("`midrib {name} --help` lists the flags");
    };
    let with_it: Vec<String> = methods_with(meant).iter().map(|it| it.name.to_owned()).collect();
    format!(
        "--{meant} is a setting of {}, not of {}; pass --method {} with it, or see `midrib methods {}`",
        first_names(&with_it, NAMED, ""),
        entry.name,
        with_it[0],
        entry.name
    )
}

fn for_command(word: &str, _: &Entry, command: &clap::Command) -> String {
    match nearest_word(word, command.get_subcommands().map(clap::Command::get_name)) {
        Some(near) => format!("did you mean `midrib {near}`?"),
        None => "`midrib --help` lists the commands".into(),
    }
}
