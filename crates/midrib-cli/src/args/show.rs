//! The arguments of commands that show a learned graph, here or in other programs.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use midrib_tasks::Location;

use super::shared::{MemoryArgs, place_help};

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
    /// Without it, by the first label; without labels, by branch, except for raw graphs full of cycles
    /// (l1, spl), whose points stay plain.
    #[arg(long, value_name = "NAME")]
    pub color: Option<String>,
    /// Draw over these two columns [default: the plane of the latent or principal components]
    #[arg(long, value_name = "X,Y")]
    pub axes: Option<Axes>,
    /// Where the graph begins, for dendrogram and pseudotime [default: as `midrib root` chose]
    #[arg(long, value_name = "PLACE", long_help = place_help!("Where the graph begins, for dendrogram and pseudotime [default: as `midrib root` chose]; may be given several times."))]
    pub root: Vec<Location>,
    /// Table that the graph was learned from [default: where the model says it is]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace a file that is already there
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Say nothing but errors
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
    /// Table that the graph was learned from [default: where the model says it is]
    #[arg(long, value_name = "TABLE")]
    pub points: Option<PathBuf>,
    /// Replace a file that is already there; not needed for report.html among the results
    #[arg(long)]
    pub force: bool,
    /// Say nothing but errors
    #[arg(short, long)]
    pub quiet: bool,
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
    /// How the graph changes with its length penalty, or as it grows
    Tuning,
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
    pub format: ExportFormat,
    /// File to write, - for stdout; a directory for dynverse, tradeseq and layout
    #[arg(short, long, value_name = "PATH")]
    pub output: PathBuf,
    /// Where the graph begins [default: as `midrib root` chose]; may be given several times
    #[arg(long, value_name = "PLACE", long_help = place_help!("Where the graph begins [default: as `midrib root` chose]; may be given several times."))]
    pub root: Vec<Location>,
    /// Table that the graph was learned from, for h5ad [default: where the model says it is]
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
    /// Tables of drawings: places of nodes and points on the metro map and the dendrogram
    Layout,
    /// AnnData: a copy of the .h5ad file that was learned from, or of the table, with the results
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
