//! The arguments of commands that show a learned graph, here or in other programs.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use midrib_tasks::{Background, ExportFormat, Location, View};

use super::shared::{MemoryArgs, location_help};

#[derive(Args, Debug)]
pub struct DrawArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// What to draw
    #[arg(long, value_enum, default_value_t = ViewArg::Graph)]
    pub view: ViewArg,
    /// File to draw to, .svg or .png; - writes SVG to stdout
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Color the points by branch, component, distance, pseudotime, a label or a feature
    ///
    /// By default the first label; without labels the branch, except for raw graphs full of cycles
    /// (l1, spl), whose points stay plain.
    #[arg(long, value_name = "NAME")]
    pub color: Option<String>,
    /// Draw over these two columns [default: the plane of the latent or principal components]
    #[arg(long, value_name = "X,Y")]
    pub axes: Option<Axes>,
    /// What shades the cells of a map [default: density]
    #[arg(long, value_enum)]
    pub background: Option<BackgroundArg>,
    /// Draw thin lines from the points to their projections onto the graph
    #[arg(long)]
    pub projections: bool,
    /// Where the graph begins, for dendrogram and pseudotime [default: as `midrib root` chose]
    #[arg(long, value_name = "LOCATION", long_help = location_help!("Where the graph begins, for dendrogram and pseudotime [default: as `midrib root` chose]; may be given several times."))]
    pub root: Vec<Location>,
    /// Table that the graph was learned from [default: the file named in the model]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Args, Debug)]
pub struct ReportArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// File to write [default: report.html among the results]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Table that the graph was learned from [default: the file named in the model]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace a file that is already there; not needed for report.html among the results
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ViewArg {
    /// The graph over its points
    Graph,
    /// An elastic, self-organizing or generative map: the points at their positions on the net
    Map,
    /// The metro map: flat, with true lengths and pies of the labels
    Metro,
    /// The rooted graph, pseudotime upward
    Dendrogram,
    /// The adjacency matrix in the order of the labels
    Adjacency,
    /// The objective after each sweep
    Convergence,
    /// How the graph changes with its length penalty, or as it grows
    Tuning,
}

impl From<ViewArg> for View {
    fn from(arg: ViewArg) -> Self {
        match arg {
            ViewArg::Graph => Self::Graph,
            ViewArg::Map => Self::Map,
            ViewArg::Metro => Self::Metro,
            ViewArg::Dendrogram => Self::Dendrogram,
            ViewArg::Adjacency => Self::Adjacency,
            ViewArg::Convergence => Self::Convergence,
            ViewArg::Tuning => Self::Tuning,
        }
    }
}

/// What shades the cells of a map.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum BackgroundArg {
    /// How densely the points lie on the map
    Density,
    /// How far neighboring nodes are from each other: ridges between groups of points
    Umatrix,
    /// Nothing
    None,
}

impl From<BackgroundArg> for Background {
    fn from(arg: BackgroundArg) -> Self {
        match arg {
            BackgroundArg::Density => Self::Density,
            BackgroundArg::Umatrix => Self::UMatrix,
            BackgroundArg::None => Self::None,
        }
    }
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
            _ => Err("give the names of two columns, separated by a comma".into()),
        }
    }
}

#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Results of `midrib fit`: the directory or its model.json
    pub model: PathBuf,
    /// What to write
    #[arg(short, long, value_enum)]
    pub format: FormatArg,
    /// File to write, - for stdout; a directory for dynverse, tradeseq and layout
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    /// Where the graph begins [default: as `midrib root` chose]; may be given several times
    #[arg(long, value_name = "LOCATION", long_help = location_help!("Where the graph begins [default: as `midrib root` chose]; may be given several times."))]
    pub root: Vec<Location>,
    /// Table that the graph was learned from, for h5ad [default: the file named in the model]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace what is already there
    #[arg(long)]
    pub force: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FormatArg {
    /// GraphML: networkx, igraph, Cytoscape, Gephi
    Graphml,
    /// GEXF: Gephi
    Gexf,
    /// Node-link JSON: networkx, d3
    Json,
    /// Newick, one rooted tree of milestones per line
    Newick,
    /// dynverse's tables: milestone network, progressions, milestone percentages
    Dynverse,
    /// tradeSeq's tables: pseudotime and weights for each lineage
    Tradeseq,
    /// Tables of drawings: positions of nodes and points on the metro map and the dendrogram
    Layout,
    /// AnnData: a copy of the .h5ad file that was learned from, or of the table, with the results
    H5ad,
}

impl From<FormatArg> for ExportFormat {
    fn from(arg: FormatArg) -> Self {
        match arg {
            FormatArg::Graphml => Self::Graphml,
            FormatArg::Gexf => Self::Gexf,
            FormatArg::Json => Self::Json,
            FormatArg::Newick => Self::Newick,
            FormatArg::Dynverse => Self::Dynverse,
            FormatArg::Tradeseq => Self::Tradeseq,
            FormatArg::Layout => Self::Layout,
            FormatArg::H5ad => Self::H5ad,
        }
    }
}
