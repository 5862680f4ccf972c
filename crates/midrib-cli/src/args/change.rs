//! The arguments of commands that change a learned graph.

use std::path::PathBuf;

use clap::Args;
use midrib::graph::{Length, Simplify, TipRule};
use midrib_tasks::{Location, RewriteRequest, TrainingRequest};

use crate::typed_command::typed_command;

use super::shared::{
    MemoryArgs, OutputArgs, TableArgs, ThreadArgs, at_least_one, location_help, whole,
};

/// A learned graph that is changed and written to another directory.
#[derive(Args, Debug)]
pub struct RewriteArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Directory for the results
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Table that the graph was learned from [default: the file named in the model]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub console: OutputArgs,
}

impl RewriteArgs {
    /// The results to change, and where to write them.
    pub fn request(&self) -> RewriteRequest<'_> {
        RewriteRequest {
            training: TrainingRequest {
                results: &self.model,
                table: self.points.as_deref(),
                options: self.table.options(),
                max_memory: self.memory.max_memory,
            },
            output: self.output.clone(),
            force: self.force,
            command: typed_command(),
        }
    }
}

#[derive(Args, Debug)]
pub struct SimplifyArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    /// Drop edges below this share of the largest weight
    #[arg(long, value_name = "SHARE", default_value_t = 1e-5, allow_negative_numbers = true)]
    pub drop_below: f64,
    /// Break cycles up to this length [default: 8 times the graph's thickness]
    ///
    /// Longer cycles are broken too if they are narrower than a twelfth of this. The thickness is
    /// the length that 90 % of the edges that close a short cycle do not exceed; 0 for a tree.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub min_loop: Option<f64>,
    /// Remove tips that stick out by less than this [default: 1.2 times the thickness]
    ///
    /// Inner branches shorter than twice this become one branch point.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub min_tip: Option<f64>,
    /// Replace each branch by one edge
    #[arg(long)]
    pub merge_chains: bool,
}

impl SimplifyArgs {
    /// The settings.
    pub fn settings(&self) -> Simplify {
        let length = |given: Option<f64>| given.map_or(Length::Auto, Length::Fixed);
        Simplify {
            drop_below: self.drop_below,
            min_loop: length(self.min_loop),
            min_tip: length(self.min_tip),
            merge_chains: self.merge_chains,
        }
    }
}

#[derive(Args, Debug)]
pub struct PruneArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    /// Remove terminal branches shorter than this
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0, allow_negative_numbers = true)]
    pub min_length: f64,
    /// Remove terminal branches that carry less than this share of the points
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_negative_numbers = true)]
    pub min_share: f64,
    /// Remove terminal branches with less support than this; see `midrib bootstrap`
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, allow_negative_numbers = true)]
    pub min_support: f64,
}

impl PruneArgs {
    /// Which branches are removed.
    pub fn rule(&self) -> TipRule<'static> {
        let Self { min_length, min_share, min_support, .. } = *self;
        TipRule { min_share, min_length, min_support, support: None }
    }
}

#[derive(Args, Debug)]
pub struct BootstrapArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// How many times to learn the graph again
    #[arg(
        long, value_name = "N", default_value_t = 100, value_parser = at_least_one,
        allow_negative_numbers = true
    )]
    pub replicas: usize,
    /// Seed of the resampling
    #[arg(
        long, value_name = "S", default_value_t = 0, value_parser = whole::<u64>,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Where pseudotime begins [default: the root of the results, if they have one]
    #[arg(long, value_name = "LOCATION", long_help = location_help!("Root from which pseudotime is measured, to report its spread; may be given several times."))]
    pub root: Vec<Location>,
    /// Directory for the results [default: add to the existing results]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Table that the graph was learned from [default: the file named in the model]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace results that are already in --output
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub console: OutputArgs,
}
