//! Parsing the command line.

use std::ffi::OsString;

use clap::FromArgMatches;
use midrib::learn::{Entry, method};
use serde_json::{Map, Value};

use crate::args::{Cli, Command, DEFAULT_METHOD, FitArgs, command_for, command_for_any};
use crate::argv::value_of;
use crate::config::Config;
use crate::exit::Outcome;
use crate::flags::settings;
use crate::hint::with_hint;

/// A parsed command; `fit` with its method and the settings that were given.
#[derive(Debug)]
pub enum Parsed {
    Fit { args: FitArgs, entry: &'static Entry, settings: Map<String, Value> },
    Other(Command),
}

/// Parses the command line. The method decides which flags `fit` has and what they mean, so the
/// arguments of `fit` are parsed twice: first for the method alone, with the flags of all methods,
/// since only a parser knows which words are values (`-qm rpg`, `--label -m`).
pub fn parse(argv: Vec<OsString>) -> Outcome<Parsed> {
    let config = Config::named_in(&argv)?;
    let argv = match &config {
        Some(config) => config.before(&argv)?,
        None => argv,
    };
    let entry = method(&method_name(&argv))?;
    let mut command = command_for(entry);
    if let (Some(config), Some(fit)) = (&config, command.find_subcommand("fit")) {
        config.check_keys(fit)?;
    }
    let typed = argv.get(1).map(|word| word.to_string_lossy().into_owned());
    let matches = command.try_get_matches_from_mut(argv).map_err(|error| {
        let of = typed.and_then(|typed| command.find_subcommand(typed)).unwrap_or(&command);
        with_hint(error, entry, of)
    })?;
    let cli = Cli::from_arg_matches(&matches)?;
    match (cli.command, matches.subcommand_matches("fit")) {
        (Command::Fit(args), Some(matches)) => {
            Ok(Parsed::Fit { args, entry, settings: settings(entry, matches)? })
        }
        (other, _) => Ok(Parsed::Other(other)),
    }
}

/// The method that the arguments ask for, the default where they do not.
fn method_name(argv: &[OsString]) -> String {
    if argv.get(1).is_none_or(|command| command != "fit") {
        return DEFAULT_METHOD.into();
    }
    let parsed = command_for_any().try_get_matches_from(argv).ok();
    let given = parsed.as_ref().and_then(|matches| {
        matches.subcommand_matches("fit")?.get_one::<String>("method").cloned()
    });
    // Where the arguments do not parse: whatever looks like it, for the right help and hints.
    let looks_like =
        || value_of(argv, "--method").or_else(|| value_of(argv, "-m"))?.into_string().ok();
    given.or_else(looks_like).unwrap_or_else(|| DEFAULT_METHOD.into())
}
