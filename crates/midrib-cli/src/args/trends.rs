//! The arguments of commands that follow features and fates along a learned graph.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use midrib_tasks::Location;

use super::shared::{OutputArgs, ThreadArgs, at_least_one, location_help, whole};

#[derive(Args, Debug)]
pub struct TrendsArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Table of features, matched by id: .h5ad (X or --use-rep) or any table [default: that of the fit]
    #[arg(long, value_name = "FILE")]
    pub features: Option<PathBuf>,
    /// Test for change along the path between two locations [default: along the whole graph]
    #[arg(long, value_name = "A,B", conflicts_with_all = ["branch", "fork"], long_help = location_help!("Test for change along the path between two locations, separated by a comma."))]
    pub path: Option<Ends>,
    /// Test for change along one branch, as numbered in points.csv
    #[arg(long, value_name = "N", conflicts_with = "fork")]
    pub branch: Option<usize>,
    /// Test for differences between the branches beyond this branch point, all together
    #[arg(long, value_name = "LOCATION")]
    pub fork: Option<Location>,
    /// How values vary around their curve
    #[arg(long, value_enum, default_value_t = NoiseArg::Gaussian)]
    pub noise: NoiseArg,
    /// Compare conditions, named by this label of the points; needs --sample
    ///
    /// Samples are permuted, not points, since the points of a sample are not independent. With fewer
    /// than 3 samples in a condition there are effects, and no p-values.
    #[arg(long, value_name = "COL", requires = "sample")]
    pub condition: Option<String>,
    /// The label that names the sample of each point
    #[arg(long, value_name = "COL", requires = "condition")]
    pub sample: Option<String>,
    /// Label or column to adjust for, such as a batch; may be given several times
    #[arg(long, value_name = "COL")]
    pub covariate: Vec<String>,
    /// Also write the curves of the features with the smallest p-values, grouped into modules
    #[arg(long, value_name = "FILE", conflicts_with = "condition")]
    pub curves: Option<PathBuf>,
    /// How many curves --curves writes
    #[arg(long, value_name = "N", default_value = "100", value_parser = at_least_one)]
    pub n_curves: usize,
    /// How many modules there are at most
    #[arg(long, value_name = "K", default_value = "6", value_parser = at_least_one)]
    pub n_modules: usize,
    /// Seed of the permutations and of the modules
    #[arg(long, value_name = "S", default_value = "0", value_parser = whole::<u64>)]
    pub seed: u64,
    /// CSV file to write, the smallest p-values first; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    /// Column of the features that names the points [default: that of the fit]
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
    /// Column of the features with labels, which are not tested; may be given several times
    #[arg(long, value_name = "COL")]
    pub label: Vec<String>,
    /// What to read from a .h5ad file: X, layers/counts … [default: X]
    #[arg(long, value_name = "NAME")]
    pub use_rep: Option<String>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub console: OutputArgs,
}

/// How values vary around their curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NoiseArg {
    /// Equally everywhere: logarithms, components, measurements
    Gaussian,
    /// As raw counts do, relative to the total count of the point
    Counts,
}

/// Two locations.
#[derive(Clone, Debug)]
pub struct Ends(pub Location, pub Location);

impl FromStr for Ends {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((from, to)) = text.split_once(',') else {
            return Err("give two locations, separated by a comma: A,B".into());
        };
        Ok(Self(from.trim().parse()?, to.trim().parse()?))
    }
}

#[derive(Args, Debug)]
pub struct FatesArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Where the graph begins [default: as `midrib root` chose]; roots are not fates
    #[arg(long, value_name = "LOCATION", long_help = location_help!("Where the graph begins [default: as `midrib root` chose]; may be given several times. Roots are not fates."))]
    pub root: Vec<Location>,
    /// CSV file to write: a column per tip, and the entropy in bits; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
