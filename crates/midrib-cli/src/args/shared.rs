//! Arguments that several commands share, and how numbers are read.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use midrib::prepare::{Components, Preparation, Scale};
use midrib_io::{Header, ReadOptions};
use midrib_tasks::Memory;

/// How a table is read.
#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub struct TableArgs {
    /// Columns to use: names, #3, ranges a..b or patterns gene_* [default: all]
    ///
    /// Several are separated by commas, or the flag is given several times. Columns are numbered
    /// from 1. Other columns of numbers are not read; text becomes labels.
    #[arg(long, value_name = "COLUMNS")]
    pub columns: Vec<String>,
    /// Columns to leave out, named in the same way
    #[arg(long, value_name = "COLUMNS", hide_short_help = true)]
    pub exclude: Vec<String>,
    /// Column with the names of the points
    #[arg(long, value_name = "COL")]
    pub id: Option<String>,
    /// Column with labels, never used as a feature; may be given several times
    #[arg(long, value_name = "COL")]
    pub label: Vec<String>,
    /// CSV or TSV file with more labels, matched by --id or else row by row
    #[arg(long, value_name = "FILE")]
    pub labels: Option<PathBuf>,
    /// Column with a weight per point
    #[arg(long, value_name = "COL")]
    pub weights: Option<String>,
    /// What to read from a .h5ad file: X, layers/counts … [default: X_pca or X]
    ///
    /// X_pca if there is one, otherwise X. --label, --id and --weights name columns of obs; its
    /// categorical columns are always labels.
    #[arg(long, value_name = "NAME")]
    pub use_rep: Option<String>,
    /// The first row is data, not names [default: detected]
    #[arg(long, hide_short_help = true)]
    pub no_header: bool,
    /// Read empty cells, NA and NaN as missing values, and count them by column
    ///
    /// Elastic graphs and maps learn from points with missing values, using the values that are
    /// there; with other methods this lists all missing values, not only the first.
    #[arg(long)]
    pub gaps: bool,
    /// How to treat points without any value, with --gaps
    ///
    /// Such a point could lie anywhere. It is refused, or left out and listed.
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "refuse",
        requires = "gaps",
        hide_short_help = true
    )]
    pub empty_points: EmptyPoints,
}

impl TableArgs {
    /// How a table is read.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            id: self.id.clone(),
            labels: self.label.clone(),
            columns: self.columns.clone(),
            exclude: self.exclude.clone(),
            label_file: self.labels.clone(),
            weights: self.weights.clone(),
            header: if self.no_header { Header::Absent } else { Header::Auto },
            gaps: self.gaps,
            ignore_empty: self.empty_points == EmptyPoints::Ignore,
            use_rep: self.use_rep.clone(),
            default_rep: None,
            format: None,
        }
    }
}

/// How points without any value are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum EmptyPoints {
    /// They are an error
    Refuse,
    /// They are left out
    Ignore,
}

/// How much is printed, and how.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more details
    #[arg(short, long)]
    pub verbose: bool,
    /// Show no progress bar
    #[arg(long, hide_short_help = true)]
    pub no_progress: bool,
}

/// How the columns themselves are prepared, in the order center, scale, pca.
#[derive(Args, Debug)]
#[command(next_help_heading = "Preprocessing")]
pub struct ColumnArgs {
    /// Subtract the mean of each column
    #[arg(long)]
    pub center: bool,
    /// Bring the columns to a common scale
    #[arg(long, value_enum, default_value_t = ScaleArg::None)]
    pub scale: ScaleArg,
    /// Keep principal components: a number, or a share of the variance (0.95)
    #[arg(long, value_name = "N|SHARE", value_parser = components, allow_negative_numbers = true)]
    pub pca: Option<Components>,
}

impl ColumnArgs {
    /// The preparation.
    pub fn preparation(&self) -> Preparation {
        Preparation {
            center: self.center,
            scale: self.scale.into(),
            pca: self.pca,
            ..Preparation::default()
        }
    }
}

/// Enough for the kernel matrix of 22,000 points.
pub(super) const DEFAULT_MEMORY: &str = "2GB";

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

pub(super) fn components(text: &str) -> Result<Components, String> {
    match (text.parse(), text.parse()) {
        (Ok(count @ 1..), _) => Ok(Components::Count(count)),
        (_, Ok(share)) if share > 0.0 && share < 1.0 => Ok(Components::Share(share)),
        _ => Err("give a whole number of components of at least 1, or a share of the variance \
                  between 0 and 1"
            .into()),
    }
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("give a whole number of at least 1".into()),
    }
}

/// The number of threads.
#[derive(Args, Debug)]
pub struct ThreadArgs {
    /// Number of threads [default: all cores]; the result does not depend on it
    ///
    /// At most 256, or the number of cores if there are more.
    #[arg(
        short = 'j', long, value_name = "N",
        value_parser = threads, allow_negative_numbers = true
    )]
    pub threads: Option<usize>,
}

/// More threads help only on machines with more cores.
pub(super) const MOST_THREADS: usize = 256;

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

pub(super) fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "give a whole number of at least 0".into())
}

pub(super) fn deviation(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number >= 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("give a number of at least 0".into()),
    }
}

/// The memory that a kernel model may use to project points.
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

/// The help of a flag that names a location on a graph: its purpose, and how locations are named.
macro_rules! location_help {
    ($purpose:literal) => {
        concat!(
            $purpose,
            "\n\n",
            "A node is given by its number, a point by its id (point:ID if that is a number), which \
             stands for its nearest node. COLUMN==VALUE is the tip whose points have the value \
             most often or, if it is rare at the tips, a node where it is common. COLUMN:min and \
             COLUMN:max are the tips whose points have the smallest and the largest mean. Columns \
             are labels or features. A tip's points are those nearest to it along the graph: ten \
             of them or 1 % of all, more where there are ties."
        )
    };
}

pub(super) use location_help;
