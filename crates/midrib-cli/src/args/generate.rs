//! The arguments of commands that generate data.

use std::path::PathBuf;

use clap::Args;

use super::shared::{OutputArgs, at_least_one, deviation, whole};
use crate::flags;

#[derive(Args, Debug)]
pub struct DemoArgs {
    /// Directory for the results
    #[arg(short, long, value_name = "DIR", default_value = "midrib-demo")]
    pub output: PathBuf,
    /// Seed of the generated data
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = whole::<u64>, allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Replace results that are not a demo's, or a demo's with other files among them
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub console: OutputArgs,
}

#[derive(Args, Debug)]
pub struct SynthArgs {
    /// Shape to generate
    #[arg(value_parser = flags::shape_names())]
    pub shape: String,
    /// CSV file to write [default: the shape's name with .csv, here]; - is stdout
    ///
    /// The true graph is written to a directory beside it, with .truth instead of .csv, unless the
    /// points go to stdout.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of points
    #[arg(
        short, long, value_name = "N", default_value_t = 1000,
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub n: usize,
    /// Number of dimensions [default: 3 for the helix and the roll, otherwise 2]
    #[arg(
        short, long, value_name = "N",
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub dims: Option<usize>,
    /// Standard deviation of the noise per coordinate
    ///
    /// In more than three dimensions it is reduced, so that the total noise stays the same as in
    /// three.
    #[arg(
        long, value_name = "NUMBER", default_value_t = 0.05,
        value_parser = deviation, allow_negative_numbers = true
    )]
    pub noise: f64,
    /// Branch points of a tree [default: 2]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub branch_points: Option<usize>,
    /// Seed of the random numbers
    #[arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = whole::<u64>, allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Replace files that are already there
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}
