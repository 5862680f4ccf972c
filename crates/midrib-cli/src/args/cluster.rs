//! The arguments of `cluster`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use midrib::cluster::{ClusterCount, RowScale, Spectral};
use midrib_tasks::PointGraphRequest;

use super::shared::{ColumnArgs, OutputArgs, TableArgs, ThreadArgs, at_least_one, whole};
use crate::exit::Outcome;

#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// Table of points: CSV, TSV (also .gz), NPY, NPZ, Parquet or .h5ad; - reads CSV from stdin
    pub input: PathBuf,
    /// Directory for the results [default: the input's name with .clusters, here]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Graph of the points: fused-lasso, knn-l1, l1 or knn; `midrib methods` explains them
    #[arg(short, long, value_name = "NAME", default_value = "fused-lasso")]
    pub graph: String,
    /// Number of clusters, or auto for the widest gap between eigenvalues
    #[arg(
        short, long, value_name = "N|auto", default_value = "auto",
        value_parser = clusters, allow_negative_numbers = true
    )]
    pub clusters: ClusterCount,
    /// Neighbors that a point may be joined to [default: 20, all others if those are fewer]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub k1: Option<usize>,
    /// Nearest neighbors whose weights fused-lasso fuses [default: 5, or k1]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub k2: Option<usize>,
    /// How strongly fused-lasso fuses weights [default: 1, as in the paper]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub fusion_weight: Option<f64>,
    /// Similarity of points: gaussian, gaussian:BETA or linear [default: gaussian]
    ///
    /// exp(-|x - y|^2 / BETA) or the product x.y. Without a BETA it is the median squared distance
    /// of two points. The neighbors of a point are the points most similar to it.
    #[arg(long, value_name = "KERNEL", conflicts_with = "kernel_matrix")]
    pub kernel: Option<String>,
    /// Similarities of points as a square table: one row and one column per point of INPUT
    #[arg(long, value_name = "FILE")]
    pub kernel_matrix: Option<PathBuf>,
    /// How k-means scales rows of the eigenvectors: not at all, to unit length, or by degree
    ///
    /// plain is the paper's; degree divides them by the root of a point's summed weights, as
    /// scikit-learn does.
    #[arg(long, value_enum, default_value_t = RowsArg::Plain)]
    pub rows: RowsArg,
    /// Number of k-means starts; the tightest clusters are kept
    #[arg(
        long, value_name = "N", default_value_t = 10,
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub restarts: usize,
    /// Seed of the starts
    #[arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = whole::<u64>, allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub console: OutputArgs,
}

impl ClusterArgs {
    /// The graph of the points.
    pub fn graph(&self) -> Outcome<PointGraphRequest> {
        Ok(PointGraphRequest {
            k1: self.k1,
            k2: self.k2,
            fusion_weight: self.fusion_weight,
            kernel: self.kernel.as_deref().map(str::parse).transpose()?,
            ..PointGraphRequest::named(&self.graph)?
        })
    }

    /// How the graph is cut.
    pub fn spectral(&self) -> Spectral {
        Spectral {
            n_clusters: self.clusters,
            rows: self.rows.into(),
            restarts: self.restarts,
            seed: self.seed,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RowsArg {
    /// As they are
    Plain,
    /// Each of length 1
    Unit,
    /// Divided by the root of the point's summed weights
    Degree,
}

impl From<RowsArg> for RowScale {
    fn from(arg: RowsArg) -> Self {
        match arg {
            RowsArg::Plain => Self::Plain,
            RowsArg::Unit => Self::Unit,
            RowsArg::Degree => Self::Degree,
        }
    }
}

fn clusters(text: &str) -> Result<ClusterCount, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(ClusterCount::Auto),
        (_, Ok(count)) => Ok(ClusterCount::Exactly(count)),
        _ => Err("give a whole number of at least 2, or auto".into()),
    }
}
