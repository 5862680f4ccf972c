//! The arguments of commands that find locations on a learned graph.

use std::path::PathBuf;

use clap::Args;
use midrib_tasks::Location;

use super::shared::{MemoryArgs, OutputArgs, TableArgs, location_help};

#[derive(Args, Debug)]
pub struct ProjectArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Table of new points; columns are matched by name
    pub new: PathBuf,
    /// CSV file to write; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Also write the table with its missing values filled in from principal axes (pca, local-pca)
    #[arg(long, value_name = "FILE")]
    pub impute: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub table: TableArgs,
}

#[derive(Args, Debug)]
pub struct RootArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Where it begins: a node, a point, COLUMN==VALUE, COLUMN:min or COLUMN:max; may be repeated
    #[arg(long, value_name = "LOCATION", required = true, long_help = location_help!("Where the graph begins; may be given several times."))]
    pub root: Vec<Location>,
    #[command(flatten)]
    pub console: OutputArgs,
}

#[derive(Args, Debug)]
pub struct PathArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Where the path begins: a node, a point, COLUMN==VALUE, COLUMN:min or COLUMN:max
    #[arg(long, value_name = "LOCATION", requires = "to", long_help = location_help!("Where the path begins."))]
    pub from: Option<Location>,
    /// Where it ends [without --from and --to: the longest path]
    #[arg(long, value_name = "LOCATION", requires = "from")]
    pub to: Option<Location>,
    /// CSV file for the points along it, in order; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub console: OutputArgs,
}

#[derive(Args, Debug)]
pub struct MeasureArgs {
    /// Results of `midrib fit`; with --label a table of points, or results with an embedding.csv
    ///
    /// Results alone are measured by four criteria, on the table that they were learned from: the
    /// mean squared distance of the points, and how well the projection keeps their distances, their
    /// nearest neighbors and their classes.
    pub table: PathBuf,
    /// The truth: the directory that `midrib synth` wrote, or one with dynverse's tables
    ///
    /// Those are milestone_network.csv and progressions.csv, and labels.csv if the points have no
    /// names. Without a truth, each point's label is compared with its nearest neighbor's: 1-NN
    /// accuracy.
    pub truth: Option<PathBuf>,
    /// Table to measure results on, with the same columns [default: that of the fit]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub reading: TableArgs,
}
