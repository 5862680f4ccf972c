//! The arguments as typed: one file for each kind of command.

mod change;
mod cluster;
mod explain;
mod fit;
mod generate;
mod locate;
mod shared;
mod show;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use midrib::learn::{Entry, method};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::exit::Outcome;
use crate::flags;

pub use change::{BootstrapArgs, PruneArgs, RewriteArgs, SimplifyArgs};
pub use cluster::ClusterArgs;
pub use explain::{CompletionsArgs, InfoArgs, MethodsArgs};
pub use fit::{DEFAULT_METHOD, FitArgs};
pub use generate::{DemoArgs, SynthArgs};
pub use locate::{MeasureArgs, PathArgs, ProjectArgs, RootArgs};
pub use shared::{EmptyPoints, TableArgs, TalkArgs};
pub use show::{DrawArgs, ExportArgs, ExportFormat, ReportArgs, View};

/// Principal graphs: curves, trees and graphs through the middle of a point cloud.
#[derive(Debug, Parser)]
#[command(name = "midrib", version)]
#[command(after_help = "\
Begin with:
  midrib demo                   learn a tree from generated points and look at it
  midrib fit cells.csv          learn a tree from your own table
  midrib methods ppt            what a method does and what its settings mean")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Learn a principal graph from a table of points
    Fit(FitArgs),
    /// Generate a noisy branching data set, learn its tree and say what was found
    Demo(DemoArgs),
    /// List the methods, or explain one and its settings
    Methods(MethodsArgs),
    /// Find the place of new points on a learned graph
    Project(ProjectArgs),
    /// Say what a learned graph looks like
    Info(InfoArgs),
    /// Write the skeleton of a learned graph: without short cycles and twigs
    Simplify(SimplifyArgs),
    /// Remove weak branches from a learned graph, and those without points
    Prune(PruneArgs),
    /// Learn a graph again from resampled points: support of its branches, spread of pseudotime
    Bootstrap(BootstrapArgs),
    /// Choose where a learned graph begins, and add pseudotime to its points
    Root(RootArgs),
    /// List the points along the way between two places of a learned graph
    Path(PathArgs),
    /// Draw a learned graph as SVG or PNG
    Draw(DrawArgs),
    /// Make the page to explore a learned graph again
    Report(ReportArgs),
    /// Say how near a learned graph comes to a known truth, or how well labels fit to places
    Measure(MeasureArgs),
    /// Group points by the spectrum of a sparse graph of them
    Cluster(ClusterArgs),
    /// Write a learned graph for other programs: Gephi, networkx, dynverse, tradeSeq, scanpy
    Export(ExportArgs),
    /// Generate a data set whose true graph is known
    Synth(SynthArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// A parsed command; `fit` with its method and the settings that were given.
#[derive(Debug)]
pub enum Parsed {
    Fit { args: FitArgs, entry: &'static Entry, settings: Map<String, Value> },
    Other(Command),
}

/// Parses the command line. The method decides which flags `fit` has, so it is looked for first.
pub fn parse(argv: Vec<OsString>) -> Outcome<Parsed> {
    let config = Config::named_in(&argv)?;
    let argv = match &config {
        Some(config) => config.before(&argv)?,
        None => argv,
    };
    let entry = method(&flags::method_name(&argv))?;
    let mut command = command_for(entry);
    if let (Some(config), Some(fit)) = (&config, command.find_subcommand("fit")) {
        config.check_keys(fit)?;
    }
    let matches =
        command.try_get_matches_from_mut(argv).map_err(|error| flags::with_hint(error, entry))?;
    let cli = Cli::from_arg_matches(&matches)?;
    match (cli.command, matches.subcommand_matches("fit")) {
        (Command::Fit(args), Some(matches)) => {
            Ok(Parsed::Fit { args, entry, settings: flags::settings(entry, matches)? })
        }
        (other, _) => Ok(Parsed::Other(other)),
    }
}

/// The whole command line, `fit` with the flags of this method.
pub fn command_for(entry: &'static Entry) -> clap::Command {
    Cli::command()
        .mut_subcommand("fit", |fit| fit.args_override_self(true).args(flags::of_method(entry)))
}

/// The whole command line, `fit` with the flags of all methods.
pub fn command_for_any() -> clap::Command {
    Cli::command().mut_subcommand("fit", |fit| {
        fit.args_override_self(true)
            .args(flags::of_all_methods())
            .mut_arg("method", |arg| arg.value_parser(flags::method_names()))
    })
}
