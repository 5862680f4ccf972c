//! Reading tables: one file per format, all giving the same [`Table`].

mod again;
mod cell;
mod columns;
mod csv;
mod csv_builder;
mod dynverse;
mod format;
mod h5ad;
mod header;
mod label_file;
mod links;
mod mapped_npy;
mod match_columns;
mod npy;
mod npz;
mod numeric;
mod pairs;
mod parquet;
mod projected_points;
mod source;
mod start;

use std::path::{Path, PathBuf};

use midrib::Points;

use crate::error::{Error, Result};

pub use again::{read_again, table_file};
pub use dynverse::{Truth, read_dynverse};
pub use format::Format;
pub use h5ad::h5ad_ids;
pub use links::read_links;
pub use mapped_npy::MappedNpy;
pub use match_columns::match_columns;
pub use pairs::read_pairs;
pub use projected_points::{ProjectedPoints, read_projected_points};
pub use start::{read_start_edges, start_of_nodes};

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
    /// A text table with more labels: by id, or row by row.
    pub label_file: Option<PathBuf>,
    /// The column that holds the points' weights.
    pub weights: Option<String>,
    /// Whether the first row of a text file names the columns.
    pub header: Header,
    /// Whether missing values become gaps; otherwise they are an error.
    pub gaps: bool,
    /// Whether points of which nothing is known are left out; [`Table::left_out`] then names them.
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

/// A table that was read: points with names for their columns, and what else was known of them.
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
    /// The names of those labels that nobody asked for: columns of text, set aside by themselves.
    pub set_aside: Vec<String>,
    /// The ids of points that were left out, since nothing is known of them.
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

/// Reads a table; the path `-` is standard input.
///
/// ```
/// use midrib_io::{ReadOptions, read};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("cells.csv");
/// std::fs::write(&path, "x,y,stage\n0,1,young\n2,3,old\n")?;
/// let table = read(&path, &ReadOptions::default())?;
/// assert_eq!(table.features, ["x", "y"]);
/// assert_eq!(table.points.len(), 2);
/// assert_eq!(table.set_aside, ["stage"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(path: &Path, options: &ReadOptions) -> Result<Table> {
    let source = source::Source::open(path)?;
    let format = match options.format {
        Some(format) => format,
        None => format::detect(path, source.start())?,
    };
    let mut table = match format {
        Format::H5ad => h5ad::read(source, options),
        _ if options.use_rep.is_some() => Err(Error::data(
            path,
            "holds a single table: leave out --use-rep, which is for .h5ad files",
        )),
        Format::Csv => csv::read(source, options),
        Format::Npy => npy::read(source, options),
        Format::Npz => npz::read(source, options),
        Format::Parquet => parquet::read(source, options),
    }?;
    if let Some(file) = &options.label_file {
        let more = label_file::read_labels(file, &table.points, options.id.as_deref())?;
        if let Some(twice) = more.iter().find(|new| table.labels.iter().any(|l| l.name == new.name))
        {
            let reason = format!("has the label {}, as has the table of points", twice.name);
            return Err(Error::data(file, reason));
        }
        table.labels.extend(more);
    }
    if options.ignore_empty { without_empty(path, table) } else { Ok(table) }
}

/// Leaves out points of which nothing is known. The others keep their ids: where they had none,
/// their rows counted from 0.
fn without_empty(path: &Path, table: Table) -> Result<Table> {
    let points = &table.points;
    let mut row = vec![0.0; points.dims()];
    let mut is_known = |i: &usize| {
        points.copy_row(*i, &mut row);
        row.iter().any(|x| !x.is_nan())
    };
    let (kept, left): (Vec<usize>, Vec<usize>) = (0..points.len()).partition(&mut is_known);
    if left.is_empty() {
        return Ok(table);
    }
    if kept.is_empty() {
        return Err(Error::data(path, "nothing is known of any point"));
    }
    let mut values = vec![0.0; kept.len() * points.dims()];
    for (row, &i) in values.chunks_exact_mut(points.dims()).zip(&kept) {
        points.copy_row(i, row);
    }
    let ids = |rows: &[usize]| rows.iter().map(|&i| points.id(i).into_owned()).collect();
    let mut chosen = Points::from_f64(values, points.dims())?.with_ids(ids(&kept))?;
    if points.weights().is_some() {
        chosen = chosen.with_weights(kept.iter().map(|&i| points.weight(i)).collect::<Vec<_>>())?;
    }
    let labels = table.labels.iter().map(|labels| Labels {
        name: labels.name.clone(),
        values: kept.iter().map(|&i| labels.values[i].clone()).collect(),
    });
    let labels = labels.collect();
    let left_out = ids(&left);
    Ok(Table { points: chosen, labels, left_out, ..table })
}

/// Names for `count` features of a file that names none.
fn generated_names(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("x{i}")).collect()
}
