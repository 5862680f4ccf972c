//! The arguments as typed: one file for each kind of command.

mod change;
mod cluster;
mod compare;
mod explain;
mod fit;
mod generate;
mod locate;
mod shared;
mod show;
mod trends;

use clap::{CommandFactory, Parser, Subcommand};
use midrib::learn::Entry;

use crate::flags;

pub use change::{BootstrapArgs, PruneArgs, SimplifyArgs};
pub use cluster::ClusterArgs;
pub use compare::CompareArgs;
pub use explain::{CompletionsArgs, InfoArgs, MethodsArgs};
pub use fit::{DEFAULT_METHOD, FitArgs};
pub use generate::{DemoArgs, SynthArgs};
pub use locate::{MeasureArgs, PathArgs, ProjectArgs, RootArgs};
pub use shared::{OutputArgs, TableArgs};
pub use show::{DrawArgs, ExportArgs, ReportArgs};
pub use trends::{Ends, FatesArgs, NoiseArg, TrendsArgs};

/// Principal graphs: curves, trees and graphs through the middle of a point cloud.
#[derive(Debug, Parser)]
#[command(name = "midrib", version)]
#[command(after_help = "\
Begin with:
  midrib demo                   learn a tree from generated points and look at it
  midrib fit cells.csv          learn a tree from your own table
  midrib methods ppt            what a method does and what its settings mean

Exit codes:
  0 done, 1 the machine or the arithmetic failed, 2 wrong arguments, 3 data that cannot be used,
  4 not converged (with --strict), 130 interrupted")]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Learn a principal graph from a table of points
    Fit(FitArgs),
    /// Generate a noisy branching data set, learn its tree and summarize it
    Demo(DemoArgs),
    /// List the methods, or explain one and its settings
    Methods(MethodsArgs),
    /// Project new points onto a learned graph
    Project(ProjectArgs),
    /// Summarize a learned graph
    Info(InfoArgs),
    /// Write the skeleton of a learned graph: without short cycles and short branches
    Simplify(SimplifyArgs),
    /// Remove weak branches from a learned graph, and those without points
    Prune(PruneArgs),
    /// Learn a graph again from resampled points: support of its branches, spread of pseudotime
    Bootstrap(BootstrapArgs),
    /// Choose the root of a learned graph, and add pseudotime to its points
    Root(RootArgs),
    /// List the points along the path between two locations on a learned graph
    Path(PathArgs),
    /// Test features for change along a learned graph, beyond a fork, between conditions
    Trends(TrendsArgs),
    /// List the probability of every tip for every point
    Fates(FatesArgs),
    /// Draw a learned graph as SVG or PNG
    Draw(DrawArgs),
    /// Rebuild the HTML report of a learned graph
    Report(ReportArgs),
    /// Measure results by four criteria, compare a graph with a known truth, or see how labels separate
    Measure(MeasureArgs),
    /// Fit several methods to the same points and compare them
    Compare(CompareArgs),
    /// Cluster points by the spectrum of a sparse graph
    Cluster(ClusterArgs),
    /// Write a learned graph for other programs: Gephi, networkx, dynverse, tradeSeq, scanpy
    Export(ExportArgs),
    /// Generate a data set whose true graph is known
    Synth(SynthArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
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
