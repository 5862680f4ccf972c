//! The arguments as typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use midrib::learn::{Entry, method};
use midrib::prepare::{Components, Scale};
use serde_json::{Map, Value};

use crate::config;
use crate::exit::Outcome;
use crate::flags;

/// Principal graphs: curves, trees and graphs through the middle of a point cloud.
#[derive(Debug, Parser)]
#[command(name = "midrib", version, propagate_version = true)]
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
    /// Find the place of new points on a learnt graph
    Project(ProjectArgs),
    /// Say what a learnt graph looks like
    Info(InfoArgs),
    /// Generate a data set whose true graph is known
    Synth(SynthArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// How a table is read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading")]
pub struct TableArgs {
    /// Column that names the points
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
    /// Column with labels, never used as a feature; may be given several times
    #[arg(long, value_name = "COL")]
    pub label: Vec<String>,
    /// Column with a weight per point
    #[arg(long, value_name = "COL")]
    pub weights: Option<String>,
    /// The first row is data, not names (otherwise it is found out)
    #[arg(long)]
    pub no_header: bool,
    /// Read empty cells, NA and NaN as gaps instead of refusing them
    #[arg(long)]
    pub gaps: bool,
}

/// How much is said, and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Talking")]
pub struct TalkArgs {
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more
    #[arg(short, long)]
    pub verbose: bool,
    /// Show no progress bar
    #[arg(long)]
    pub no_progress: bool,
}

#[derive(Args, Debug)]
pub struct FitArgs {
    /// Table of points: CSV, TSV (also .gz), NPY, NPZ or Parquet; - reads CSV from stdin
    pub input: PathBuf,
    /// Directory for the results [default: the input's name with .midrib]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Method to learn with; `midrib methods` lists them, and its settings follow below
    #[arg(short, long, value_name = "NAME", default_value = "ppt")]
    pub method: String,
    /// Start from these nodes: a table with the columns of the points
    #[arg(long, value_name = "FILE")]
    pub init: Option<PathBuf>,
    /// Take flags from a TOML file: `bandwidth = 0.1`; flags given here win
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    /// Read and check everything, learn and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Exit with 4 if the fit did not converge
    #[arg(long)]
    pub strict: bool,
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub prepare: PrepareArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// What happens to the columns first; recorded in the model and done to new points alike.
#[derive(Args, Debug)]
#[command(next_help_heading = "Preparing")]
pub struct PrepareArgs {
    /// Subtract the mean of each column
    #[arg(long)]
    pub center: bool,
    /// Bring the columns to a common scale
    #[arg(long, value_enum, default_value_t = ScaleArg::None)]
    pub scale: ScaleArg,
    /// Keep principal components: a number of them, or a share of the variance such as 0.95
    #[arg(long, value_name = "N|SHARE", value_parser = components)]
    pub pca: Option<Components>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ScaleArg {
    /// As they are
    None,
    /// Divided by the standard deviation
    Unit,
    /// From 0 to 1
    Minmax,
    /// Relative to the median, in interquartile ranges
    Robust,
}

impl From<ScaleArg> for Scale {
    fn from(arg: ScaleArg) -> Self {
        match arg {
            ScaleArg::None => Self::None,
            ScaleArg::Unit => Self::Unit,
            ScaleArg::Minmax => Self::Minmax,
            ScaleArg::Robust => Self::Robust,
        }
    }
}

fn components(text: &str) -> Result<Components, String> {
    if let Ok(count) = text.parse() {
        return Ok(Components::Count(count));
    }
    match text.parse() {
        Ok(share) => Ok(Components::Share(share)),
        Err(_) => Err("give a number of components or a share of the variance".into()),
    }
}

#[derive(Args, Debug)]
pub struct DemoArgs {
    /// Directory for the results
    #[arg(short, long, value_name = "DIR", default_value = "midrib-demo")]
    pub output: PathBuf,
    /// Seed of the generated data
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub talk: TalkArgs,
}

#[derive(Args, Debug)]
pub struct MethodsArgs {
    /// Method to explain
    pub name: Option<String>,
    /// Print the settings as a JSON schema
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct ProjectArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Table of new points; columns are matched by name
    pub new: PathBuf,
    /// CSV file to write; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub table: TableArgs,
}

#[derive(Args, Debug)]
pub struct InfoArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SynthArgs {
    /// Shape to generate
    #[arg(value_parser = flags::shape_names())]
    pub shape: String,
    /// CSV file to write; the truth goes into a directory beside it
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of points
    #[arg(short, long, default_value_t = 1000)]
    pub n: usize,
    /// Number of dimensions [default: those of the shape]
    #[arg(short, long)]
    pub dims: Option<usize>,
    /// Standard deviation of the noise per coordinate; beyond three dimensions as much in total
    /// as in three
    #[arg(long, default_value_t = 0.05)]
    pub noise: f64,
    /// Branch points of a tree
    #[arg(long, value_name = "N")]
    pub branch_points: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Replace files that are already there
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to complete for
    pub shell: clap_complete::Shell,
}

/// A parsed command; `fit` with its method and the settings that were given.
#[derive(Debug)]
pub enum Parsed {
    Fit { args: FitArgs, entry: &'static Entry, settings: Map<String, Value> },
    Other(Command),
}

/// Parses the command line. The method decides which flags `fit` has, so it is looked for first.
pub fn parse(argv: Vec<OsString>) -> Outcome<Parsed> {
    let argv = config::expand(argv)?;
    let entry = method(&flags::method_name(&argv))?;
    let mut command = command_for(entry);
    let matches = command.try_get_matches_from_mut(argv)?;
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
