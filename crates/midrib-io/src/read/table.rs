//! A table that was read, and how it is to be read.

use std::path::PathBuf;

use midrib::Points;

use super::format::Format;

/// How a table is to be read. The default reads every column as a feature, except columns of text.
///
/// Columns are named by their name in the header, or by their number counted from 1: `#3`.
/// Without a header the third column is also called `column3`.
///
/// ```
/// use midrib_io::ReadOptions;
/// let options = ReadOptions {
///     id: Some("cell".into()),
///     labels: vec!["stage".into()],
///     gaps: true,
///     ..ReadOptions::default()
/// };
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The column that names the points.
    pub id: Option<String>,
    /// Columns that describe the points and never become features.
    pub labels: Vec<String>,
    /// The columns that may become features: names, `#3`, ranges `a..b` or `#3..#9`, names with `*`
    /// and `?`. All of them if empty; otherwise other columns of numbers are not read.
    pub columns: Vec<String>,
    /// Columns that are not read, in the same way.
    pub exclude: Vec<String>,
    /// A text table with more labels: by id, or row by row.
    pub label_file: Option<PathBuf>,
    /// The column that holds the points' weights.
    pub weights: Option<String>,
    /// Whether the first row of a text file names the columns.
    pub header: Header,
    /// Whether missing values are read as such; otherwise they are an error.
    pub gaps: bool,
    /// Whether points without any value are left out; [`Table::left_out`] then lists them.
    /// Otherwise they are read as they are.
    pub ignore_empty: bool,
    /// Which representation of a `.h5ad` file to read: `X`, `X_pca` or another of `obsm`,
    /// `layers/counts` or another layer. Without it `X_pca` if there is one, else `X`.
    pub use_rep: Option<String>,
    /// Which one to read of a `.h5ad` file where `use_rep` names none: the one that a model was
    /// learned from.
    pub default_rep: Option<String>,
    /// The format; found out from the file's first bytes where it is not given.
    pub format: Option<Format>,
}

/// Whether the first row of a text file names the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// Look at the first two rows: text above numbers is a header.
    #[default]
    Auto,
    /// The first row names the columns.
    Present,
    /// The first row is a point.
    Absent,
}

/// A table that was read: points with names for their columns, and what else the file holds.
#[derive(Clone, Debug)]
pub struct Table {
    /// The points; ids and weights are part of them.
    pub points: Points<'static>,
    /// The names of the points' columns; `x0`, `x1`, … where the file has none.
    pub features: Vec<String>,
    /// Whether those names come from the file.
    pub named: bool,
    /// The columns that describe the points.
    pub labels: Vec<Labels>,
    /// The names of labels that no option named: columns of text.
    pub set_aside: Vec<String>,
    /// The ids of points that were left out, since they have no values.
    pub left_out: Vec<String>,
    /// Which representation the points are, where the file holds several.
    pub representation: Option<Representation>,
}

/// A choice among the representations of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Representation {
    /// The one that was read.
    pub name: String,
    /// What else there is.
    pub others: Vec<String>,
}

/// A column that describes the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// The column's name.
    pub name: String,
    /// One value per point; empty where it is missing.
    pub values: Vec<String>,
}

/// Names for `count` features of a file that names none.
pub(super) fn generated_names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("x{i}")).collect()
}
