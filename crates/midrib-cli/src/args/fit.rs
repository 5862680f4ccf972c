//! The arguments of `fit`.

use std::path::PathBuf;

use clap::Args;
use midrib::prepare::{Kernel, KernelColumns, Preparation};
use midrib_tasks::{GivenFiles, Location, Memory};

use super::shared::{
    ColumnArgs, DEFAULT_MEMORY, OutputArgs, TableArgs, ThreadArgs, at_least_one, location_help,
};
use crate::exit::Outcome;

/// The default method.
pub const DEFAULT_METHOD: &str = "ppt";

#[derive(Args, Debug)]
pub struct FitArgs {
    /// Table of points: CSV, TSV (also .gz), NPY, NPZ, Parquet or h5ad; - reads CSV from stdin
    #[arg(required_unless_present = "distances")]
    pub input: Option<PathBuf>,
    /// Learn from distances of points instead of a table of points: CSV or NPY, square or condensed
    ///
    /// A square matrix, whose columns may be named by the points, or its upper triangle without the
    /// diagonal, row after row, as SciPy's pdist returns it. For kernel-pca, mds, isomap, lle and
    /// eigenmap. The results have no rule for new points.
    #[arg(
        long, value_name = "FILE", hide_short_help = true,
        conflicts_with_all = ["input", "init", "links", "pairs", "root"]
    )]
    pub distances: Option<PathBuf>,
    /// Directory for the results [default: the input's name with .midrib, here]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Method to learn with; `midrib methods` lists them, `midrib fit -m NAME --help` lists its settings
    #[arg(short, long, value_name = "NAME", default_value = DEFAULT_METHOD)]
    pub method: String,
    /// Start from these nodes: a table like that of the points, or earlier results
    ///
    /// A table has the columns and units of the points, and one row per node. Nodes are scaled and
    /// projected like the points, except that columns pc1, pc2, … (with --pca) or k1, k2, … (with
    /// --kernel) are taken as they are. Of earlier results nodes.csv is read, and for
    /// elastic-curve, -ring, -tree and -graph edges.csv too. With these methods nodes with a 1 in a
    /// column `pinned` never move, and a column `bending` holds the bending modulus of each node.
    #[arg(long, value_name = "FILE|DIR")]
    pub init: Option<PathBuf>,
    /// Edges that join the nodes of --init: a table with the columns a and b
    ///
    /// Two nodes in each row, by their rows counted from 0, as in edges.csv. A column `stretching`
    /// holds the stretching modulus of each edge. When an edge is split, both halves inherit it;
    /// new edges have that of the settings. For elastic-curve, -ring, -tree and -graph.
    #[arg(long, value_name = "FILE", requires = "init", hide_short_help = true)]
    pub init_edges: Option<PathBuf>,
    /// Required and forbidden edges: two points and `must` or `cannot` in each row
    ///
    /// Points are named by their id (--id) or else by their row, counted from 0. With fewer nodes
    /// than points, a point stands for its nearest starting node. Links are honored, or refused
    /// with the reason.
    #[arg(long, value_name = "FILE")]
    pub links: Option<PathBuf>,
    /// The only pairs of points that an edge may join: a table with the columns a and b
    ///
    /// Two points in each row, by their rows counted from 0, for example edges.csv of `midrib
    /// cluster`. They replace the nearest neighbors in spl, and in rpg with --structure l1 and
    /// --n-nodes all.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub pairs: Option<PathBuf>,
    /// Read flags from a TOML file, such as `bandwidth = 0.1`; those typed here take precedence
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    /// Check the data, the settings and the output directory without learning or writing anything
    #[arg(long)]
    pub dry_run: bool,
    /// Exit with code 4 if the fit did not converge; the results are still written
    #[arg(long)]
    pub strict: bool,
    /// Where pseudotime begins: a node, a point, COLUMN==VALUE, COLUMN:min or :max
    #[arg(long, value_name = "LOCATION", long_help = location_help!("Where pseudotime begins; may be given several times."))]
    pub root: Vec<Location>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub prepare: PrepareArgs,
    #[command(flatten)]
    pub console: OutputArgs,
}

/// How the columns are prepared, in the order center, scale, kernel, pca, embed; recorded in the model and
/// applied to new points alike.
#[derive(Args, Debug)]
#[command(next_help_heading = "Preprocessing")]
pub struct PrepareArgs {
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Learn from similarities to all points: gaussian, gaussian:BETA or linear
    ///
    /// Each point becomes its row of the kernel matrix, k(x, y) = exp(-|x - y|^2 / BETA) or the
    /// product x.y, after --center and --scale and before --pca. Without a BETA it is half the mean
    /// squared distance of two points; with --scale unit that is the number of columns, so that
    /// `--center --scale unit --kernel gaussian --pca 0.95` is what Mao2017 (section 6.3) does to
    /// images. The matrix is kept in single precision. Similarities do not determine where a node
    /// is in the table's columns: nodes.csv and graph.graphml give its position in the columns of
    /// the kernel, k1, k2, …, or with --pca in the components. The model keeps the points, since
    /// `midrib project` needs them.
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,
    /// Compare with this many landmarks instead of all points
    ///
    /// Landmarks are k-means centers, each weighted by its number of points, so that distances
    /// approximate those of the full kernel matrix (Nystrom). For tables whose full matrix is too
    /// large.
    #[arg(
        long, value_name = "M", requires = "kernel", hide_short_help = true,
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub kernel_columns: Option<usize>,
    /// Learn from coordinates in few dimensions: kernel-pca, mds, isomap, lle or eigenmap, as in eigenmap:10
    ///
    /// The points are embedded after --center, --scale, --kernel and --pca, with the default
    /// settings of the method (`midrib methods NAME`) and this many components, 2 where the number
    /// is left out. `midrib project` embeds new points by the rule of the method. Coordinates do
    /// not determine a position in the table: nodes.csv and graph.graphml give the nodes in the
    /// columns of the embedding. The model holds the points, as `midrib project` needs them.
    #[arg(long, value_name = "NAME[:N]")]
    pub embed: Option<String>,
    /// Refuse a kernel matrix that takes more memory than this, such as 500MB or 2GB
    ///
    /// With --pca the matrix takes most of the memory used; learning from its columns directly
    /// takes several times as much.
    #[arg(
        long, value_name = "SIZE", default_value = DEFAULT_MEMORY, hide_short_help = true,
        allow_negative_numbers = true
    )]
    pub max_memory: Memory,
}

impl FitArgs {
    /// The files that hold what the fit is given.
    pub fn given(&self) -> GivenFiles {
        GivenFiles {
            init: self.init.clone(),
            init_edges: self.init_edges.clone(),
            links: self.links.clone(),
            pairs: self.pairs.clone(),
        }
    }
}

impl PrepareArgs {
    /// The preparation.
    pub fn preparation(&self) -> Outcome<Preparation> {
        let columns = self.kernel_columns.map_or(KernelColumns::All, KernelColumns::Landmarks);
        let function = self.kernel.as_deref().map(str::parse).transpose()?;
        let kernel = function.map(|function| Kernel { function, columns });
        let embed = self.embed.as_deref().map(str::parse).transpose()?;
        Ok(Preparation { kernel, embed, ..self.columns.preparation() })
    }
}
