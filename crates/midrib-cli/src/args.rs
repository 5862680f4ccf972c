//! The arguments as typed.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use midrib::cluster::{ClusterCount, RowScale};
use midrib::learn::{Entry, method};
use midrib::prepare::{Components, Kernel, KernelColumns, Preparation, Scale};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::exit::Outcome;
use crate::flags;
use crate::memory::Memory;
use crate::spot::Spot;

/// The method where none is asked for.
pub const DEFAULT_METHOD: &str = "ppt";

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
    /// Find the place of new points on a learnt graph
    Project(ProjectArgs),
    /// Say what a learnt graph looks like
    Info(InfoArgs),
    /// Write the skeleton of a learnt graph: without short cycles and twigs
    Simplify(SimplifyArgs),
    /// Remove weak branches from a learnt graph
    Prune(PruneArgs),
    /// Choose where a learnt graph begins, and add pseudotime to its points
    Root(RootArgs),
    /// List the points along the way between two places of a learnt graph
    Path(PathArgs),
    /// Draw a learnt graph as SVG or PNG
    Draw(DrawArgs),
    /// Make the page to explore a learnt graph again
    Report(ReportArgs),
    /// Say how near a learnt graph comes to a known truth, or how well labels fit to places
    Measure(MeasureArgs),
    /// Group points by the spectrum of a sparse graph of them
    Cluster(ClusterArgs),
    /// Write a learnt graph for other programs: Gephi, networkx, dynverse, tradeSeq, scanpy
    Export(ExportArgs),
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
    /// What to read of a .h5ad file: X, X_pca, layers/counts … [default: X_pca if there is one]
    ///
    /// Otherwise X. --label, --id and --weights name columns of obs; its categories are labels
    /// in any case.
    #[arg(long, value_name = "NAME")]
    pub use_rep: Option<String>,
    /// The first row is data, not names (otherwise it is found out)
    #[arg(long)]
    pub no_header: bool,
    /// Read empty cells, NA and NaN as gaps and count them by column
    ///
    /// Elastic maps learn from points with gaps, by what is known of them; for other methods this
    /// shows where all gaps are, not only the first.
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
    /// Table of points: CSV, TSV (also .gz), NPY, NPZ, Parquet or h5ad; - reads CSV from stdin
    pub input: PathBuf,
    /// Directory for the results [default: the input's name with .midrib, here]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Method to learn with; `midrib methods` lists them
    #[arg(short, long, value_name = "NAME", default_value = DEFAULT_METHOD)]
    pub method: String,
    /// Start from these nodes: a table with the columns and units of the points
    ///
    /// Every row is a node, so their number is that of the rows. The nodes are scaled and
    /// projected like the points; columns pc1, pc2, … are taken as they are with --pca, and k1,
    /// k2, … with --kernel.
    #[arg(long, value_name = "FILE")]
    pub init: Option<PathBuf>,
    /// Edges that are known: a table of two points and `must` or `cannot` in each row
    ///
    /// Points go by their id (--id), else by their row counted from 0. With fewer nodes than
    /// points a point stands for its nearest starting node. Links are honoured, or refused with the
    /// reason.
    #[arg(long, value_name = "FILE")]
    pub links: Option<PathBuf>,
    /// Only pairs of points that an edge may join: a table with the columns a and b
    ///
    /// Such as edges.csv of `midrib cluster`: two points in each row, by their rows counted from
    /// 0. They take the place of nearest neighbours in spl, and in rpg with --structure l1 and
    /// --n-nodes all.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub pairs: Option<PathBuf>,
    /// Take flags from a TOML file: `bandwidth = 0.1`; flags given here win
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    /// Check data, settings and output directory; learn and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Exit with 4 if the fit did not converge; the results are written all the same
    #[arg(long)]
    pub strict: bool,
    /// Where the graph begins, for pseudotime: a node, a point, COLUMN==VALUE, COLUMN:min or
    /// COLUMN:max; may be repeated
    #[arg(long, value_name = "PLACE", long_help = SPOT_HELP)]
    pub root: Vec<Spot>,
    /// Number of threads [default: all cores]; the result does not depend on it
    ///
    /// At most 256, or the number of cores if there are more.
    #[arg(
        short = 'j', long, value_name = "N",
        value_parser = threads, allow_negative_numbers = true
    )]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub prepare: PrepareArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// What happens to the columns first, in the order center, scale, kernel, pca; recorded in the
/// model and done to new points alike.
#[derive(Args, Debug)]
#[command(next_help_heading = "Preparing")]
pub struct PrepareArgs {
    #[command(flatten)]
    pub columns: ColumnArgs,
    /// Learn from similarities to all points: gaussian, gaussian:BETA or linear
    ///
    /// Each point becomes its row of the kernel matrix, k(x, y) = exp(-|x - y|^2 / BETA) or the
    /// product x.y, after --center and --scale and before --pca. Without a BETA it is half the
    /// mean squared distance of two points; with --scale unit that is the number of columns, so
    /// that `--center --scale unit --kernel gaussian --pca 0.95` is what Mao2017 (section 6.3) does
    /// to images. The matrix is kept in single precision. Similarities do not tell where a node
    /// is: nodes.csv and graph.graphml give it in the columns of the kernel, k1, k2, …, or with
    /// --pca in the components only. The model holds the points, as `midrib project` needs them.
    #[arg(long, value_name = "KERNEL")]
    pub kernel: Option<String>,
    /// Compare with so many landmarks in place of all points
    ///
    /// They are the means of clusters (k-means), each weighted by its points, so that distances
    /// are about those of the whole kernel matrix: its Nystrom columns. For tables whose whole
    /// matrix is too large.
    #[arg(
        long, value_name = "M", requires = "kernel", hide_short_help = true,
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub kernel_columns: Option<usize>,
    /// Refuse a kernel matrix that takes more memory than this, such as 500MB or 2GB
    ///
    /// With --pca the matrix is most of what is used; learning from its columns themselves takes a
    /// few times as much.
    #[arg(
        long, value_name = "SIZE", default_value = DEFAULT_MEMORY, hide_short_help = true,
        allow_negative_numbers = true
    )]
    pub max_memory: Memory,
}

/// What happens to the columns themselves, in the order center, scale, pca.
#[derive(Args, Debug)]
#[command(next_help_heading = "Preparing")]
pub struct ColumnArgs {
    /// Subtract the mean of each column
    #[arg(long)]
    pub center: bool,
    /// Bring the columns to a common scale
    #[arg(long, value_enum, default_value_t = ScaleArg::None)]
    pub scale: ScaleArg,
    /// Keep principal components: a number of them, or a share of the variance such as 0.95
    #[arg(long, value_name = "N|SHARE", value_parser = components, allow_negative_numbers = true)]
    pub pca: Option<Components>,
}

impl ColumnArgs {
    /// What is meant.
    pub fn preparation(&self) -> Preparation {
        Preparation { center: self.center, scale: self.scale.into(), kernel: None, pca: self.pca }
    }
}

/// Enough for the kernel matrix of 22,000 points.
const DEFAULT_MEMORY: &str = "2GB";

impl PrepareArgs {
    /// What is meant.
    pub fn preparation(&self) -> Outcome<Preparation> {
        let columns = self.kernel_columns.map_or(KernelColumns::All, KernelColumns::Landmarks);
        let function = self.kernel.as_deref().map(str::parse).transpose()?;
        let kernel = function.map(|function| Kernel { function, columns });
        Ok(Preparation { kernel, ..self.columns.preparation() })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ScaleArg {
    /// As they are
    None,
    /// Divided by the standard deviation
    Unit,
    /// From 0 to 1
    Minmax,
    /// Relative to the median, in interquartile ranges (standard deviations where those are 0)
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
    match (text.parse(), text.parse()) {
        (Ok(count @ 1..), _) => Ok(Components::Count(count)),
        (_, Ok(share)) if share > 0.0 && share < 1.0 => Ok(Components::Share(share)),
        _ => Err("give a whole number of components of at least 1, or a share of the variance \
                  between 0 and 1"
            .into()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("give a whole number of at least 1".into()),
    }
}

/// More threads than this help on no machine that does not have as many cores.
const MOST_THREADS: usize = 256;

fn threads(text: &str) -> Result<usize, String> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match at_least_one(text)? {
        number if number > MOST_THREADS.max(cores) => Err(format!(
            "give at most {}; this machine has {cores} cores, and more threads only slow it down",
            MOST_THREADS.max(cores)
        )),
        number => Ok(number),
    }
}

fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "give a whole number of at least 0".into())
}

fn deviation(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number >= 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("give a number of at least 0".into()),
    }
}

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
    /// Replace other results than those of a demo
    #[arg(long)]
    pub force: bool,
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

/// What a model of a kernel may use to place points.
#[derive(Args, Debug)]
pub struct MemoryArgs {
    /// Refuse a kernel matrix that takes more memory than this, such as 500MB or 2GB
    ///
    /// Only models of `midrib fit --kernel` without --pca need one.
    #[arg(
        long, value_name = "SIZE", default_value = DEFAULT_MEMORY, hide_short_help = true,
        allow_negative_numbers = true
    )]
    pub max_memory: Memory,
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
    pub memory: MemoryArgs,
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

/// A learnt graph that is changed and written elsewhere.
#[derive(Args, Debug)]
pub struct RewriteArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Directory for the results
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Table that the graph was learnt from [default: where the model says it is]
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
    pub talk: TalkArgs,
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
    /// Also longer ones that are narrower than a twelfth of it. The thickness is what 90 % of
    /// the edges that close a short cycle do not exceed; 0 for a tree.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub min_loop: Option<f64>,
    /// Remove tips that reach less far from the rest [default: twice the thickness]
    ///
    /// Inner branches shorter than one and a half times this become one branch point.
    #[arg(long, value_name = "LENGTH", allow_negative_numbers = true)]
    pub min_tip: Option<f64>,
    /// Make one edge of each branch
    #[arg(long)]
    pub merge_chains: bool,
}

#[derive(Args, Debug)]
pub struct PruneArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    /// Remove terminal branches that are shorter
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0, allow_negative_numbers = true)]
    pub min_length: f64,
    /// Remove terminal branches that carry a smaller share of the points
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_negative_numbers = true)]
    pub min_share: f64,
}

/// How a place on a graph is named.
const SPOT_HELP: &str = "\
A node is given by its number, a point by its id (point:ID if that is a number), for which its \
nearest node stands. COLUMN==VALUE is the tip whose points have the value most often, COLUMN:min \
and COLUMN:max the tip whose points have the least or largest mean; columns are labels or features. \
A tip's points are those nearest to it along the graph: ten of them, or 1 % of all.";

#[derive(Args, Debug)]
pub struct RootArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Where it begins: a node, a point, COLUMN==VALUE, COLUMN:min or COLUMN:max; may be repeated
    #[arg(long, value_name = "PLACE", required = true, long_help = SPOT_HELP)]
    pub root: Vec<Spot>,
    #[command(flatten)]
    pub talk: TalkArgs,
}

#[derive(Args, Debug)]
pub struct PathArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// Where the path begins: a node, a point, COLUMN==VALUE, COLUMN:min or COLUMN:max
    #[arg(long, value_name = "PLACE", requires = "to", long_help = SPOT_HELP)]
    pub from: Option<Spot>,
    /// Where it ends [default for both: the longest path]
    #[arg(long, value_name = "PLACE", requires = "from")]
    pub to: Option<Spot>,
    /// CSV file for the points along it, in order; - is stdout
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub talk: TalkArgs,
}

#[derive(Args, Debug)]
pub struct DrawArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// What to draw
    #[arg(long, value_enum, default_value_t = View::Graph)]
    pub view: View,
    /// File to draw to, .svg or .png; - writes SVG to stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Color the points by branch, component, distance, pseudotime, a label or a feature
    ///
    /// Without it by the first label, or by branch if there is none.
    #[arg(long, value_name = "NAME")]
    pub color: Option<String>,
    /// Draw over these two columns [default: the plane of the latent or principal components]
    #[arg(long, value_name = "X,Y")]
    pub axes: Option<Axes>,
    /// Where the graph begins, for dendrogram and pseudotime [default: as `midrib root` chose]
    #[arg(long, value_name = "PLACE", long_help = SPOT_HELP)]
    pub root: Vec<Spot>,
    /// Table that the graph was learnt from [default: where the model says it is]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
}

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// File to write [default: report.html among the results]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Table that the graph was learnt from [default: where the model says it is]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace a file that is already there; not needed for report.html among the results
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub talk: TalkArgs,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum View {
    /// The graph over its points
    Graph,
    /// The metro map: flat, with true lengths and pies of the labels
    Metro,
    /// The rooted graph, pseudotime upwards
    Dendrogram,
    /// The adjacency matrix in the order of the labels
    Adjacency,
    /// The objective after each sweep
    Convergence,
}

/// Two columns.
#[derive(Clone, Debug)]
pub struct Axes(pub [String; 2]);

impl FromStr for Axes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(',') {
            Some((x, y)) if !x.is_empty() && !y.is_empty() => {
                Ok(Self([x.trim().into(), y.trim().into()]))
            }
            _ => Err("give the names of two columns, parted by a comma".into()),
        }
    }
}

#[derive(Args, Debug)]
pub struct MeasureArgs {
    /// Results of `midrib fit`; with --label a table of points, or results with an embedding.csv
    pub table: PathBuf,
    /// What is true: the directory that `midrib synth` wrote, or one with dynverse's tables
    ///
    /// Those are milestone_network.csv and progressions.csv, and labels.csv if the points have no
    /// names. Without it --label is compared with the nearest points: 1-NN accuracy.
    pub truth: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub reading: TableArgs,
}

#[derive(Args, Debug)]
pub struct ClusterArgs {
    /// Table of points: CSV, TSV (also .gz), NPY, NPZ or Parquet; - reads CSV from stdin
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
    /// Neighbours that a point may be joined to [default: 20, all others if those are fewer]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub k1: Option<usize>,
    /// Nearest neighbours whose weights fused-lasso draws together [default: 5, or k1]
    #[arg(long, value_name = "N", value_parser = whole::<usize>, allow_negative_numbers = true)]
    pub k2: Option<usize>,
    /// How strongly fused-lasso draws weights together [default: 1, as in the paper]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub fusion_weight: Option<f64>,
    /// How alike points are: gaussian, gaussian:BETA or linear [default: gaussian]
    ///
    /// exp(-|x - y|^2 / BETA) or the product x.y. Without a BETA it is the median squared distance
    /// of two points. The neighbours of a point are those most alike it.
    #[arg(long, value_name = "KERNEL", conflicts_with = "kernel_matrix")]
    pub kernel: Option<String>,
    /// How alike points are, as a square table: one row and one column for each point of INPUT
    #[arg(long, value_name = "FILE")]
    pub kernel_matrix: Option<PathBuf>,
    /// What k-means groups: rows of the eigenvectors as they are, of unit length, or by degree
    ///
    /// plain is the paper's; degree divides them by the root of a point's summed weights, as
    /// scikit-learn does.
    #[arg(long, value_enum, default_value_t = RowsArg::Plain)]
    pub rows: RowsArg,
    /// Starts of k-means, of which the tightest groups win
    #[arg(
        long, value_name = "N", default_value_t = 10,
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub restarts: usize,
    /// Seed of these starts
    #[arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = whole::<u64>, allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Replace results that are already there
    #[arg(long)]
    pub force: bool,
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(
        short = 'j', long, value_name = "N",
        value_parser = threads, allow_negative_numbers = true
    )]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub columns: ColumnArgs,
    #[command(flatten)]
    pub talk: TalkArgs,
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

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// What to write
    #[arg(short, long, value_enum)]
    pub format: ExportFormat,
    /// File to write, - for stdout; a directory for dynverse and tradeseq
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    /// Where the graph begins [default: as `midrib root` chose]; may be given several times
    #[arg(long, value_name = "PLACE", long_help = SPOT_HELP)]
    pub root: Vec<Spot>,
    /// Table that the graph was learnt from, for h5ad [default: where the model says it is]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace what is already there
    #[arg(long)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ExportFormat {
    /// GraphML: networkx, igraph, Cytoscape, Gephi
    Graphml,
    /// GEXF: Gephi
    Gexf,
    /// Node-link JSON: networkx, d3
    Json,
    /// Newick, one rooted tree of milestones a line
    Newick,
    /// dynverse's tables: milestone network, progressions, milestone percentages
    Dynverse,
    /// tradeSeq's tables: pseudotime and weights for each lineage
    Tradeseq,
    /// AnnData: a copy of the .h5ad file that was learnt from, or of the table, with the results
    H5ad,
}

impl ExportFormat {
    /// Whether it holds the graph without points and root.
    pub fn is_graph(self) -> bool {
        matches!(self, Self::Graphml | Self::Gexf | Self::Json)
    }

    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

#[derive(Args, Debug)]
pub struct SynthArgs {
    /// Shape to generate
    #[arg(value_parser = flags::shape_names())]
    pub shape: String,
    /// CSV file to write [default: the shape's name with .csv, here]; - is stdout
    ///
    /// The true graph goes into a directory beside it, with .truth instead of .csv; not if the
    /// points go to stdout.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Number of points
    #[arg(
        short, long, value_name = "N", default_value_t = 1000,
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub n: usize,
    /// Number of dimensions [default: 3 for the helix, otherwise 2]
    #[arg(
        short, long, value_name = "N",
        value_parser = at_least_one, allow_negative_numbers = true
    )]
    pub dims: Option<usize>,
    /// Standard deviation of the noise per coordinate
    ///
    /// Beyond three dimensions it is made smaller, so that there is as much noise in total as in
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
    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
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
