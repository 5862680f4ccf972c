//! Reading tables: one file per format, all giving the same [`Table`].

mod cell;
mod columns;
mod csv;
mod csv_builder;
mod distances;
mod dynverse;
mod features;
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
mod reading;
mod selection;
mod source;
mod start;
mod table;

use std::path::Path;

use midrib::Points;

use crate::error::{Error, Result};

pub use distances::{DistanceTable, read_distances};
pub use dynverse::{Truth, read_dynverse};
pub use features::Features;
pub use format::Format;
pub use h5ad::h5ad_ids;
pub use links::read_links;
pub use mapped_npy::MappedNpy;
pub use match_columns::match_columns;
pub use pairs::read_pairs;
pub use projected_points::{ProjectedPoints, read_projected_points};
pub use reading::{read_again, table_file};
pub use start::{read_start_edges, start_of_nodes};
pub use table::{Header, Labels, ReadOptions, Representation, Table};

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
            "holds a single table: leave out use_rep, which is for .h5ad files",
        )),
        Format::Csv => csv::read(source, options),
        Format::Npy => mapped_npy::read_table(source, options),
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

/// Reads the features of points. Of a `.h5ad` file X is read, or what `use_rep` names; sparse matrices
/// are never made dense. Missing values are read as such.
///
/// ```
/// use midrib_io::{ReadOptions, read_features};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("genes.csv");
/// std::fs::write(&path, "cell,Gata1,Mpo\na,0,1\nb,2,3\n")?;
/// let options = ReadOptions { id: Some("cell".into()), ..ReadOptions::default() };
/// let features = read_features(&path, &options)?;
/// assert_eq!(features.names, ["Gata1", "Mpo"]);
/// assert_eq!(features.table()?.row_sums(), [1.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_features(path: &Path, options: &ReadOptions) -> Result<Features> {
    let source = source::Source::open(path)?;
    let format = match options.format {
        Some(format) => format,
        None => format::detect(path, source.start())?,
    };
    if format == Format::H5ad {
        return h5ad::read_features(path, options);
    }
    drop(source);
    let table = read(path, &ReadOptions { gaps: true, ..options.clone() })?;
    let points = &table.points;
    let mut values = vec![0.0; points.len() * points.dims()];
    for (i, row) in values.chunks_exact_mut(points.dims().max(1)).enumerate() {
        points.copy_row(i, row);
    }
    Ok(Features {
        path: path.into(),
        ids: points.ids().map(<[String]>::to_vec),
        names: table.features,
        representation: None,
        rows: points.len(),
        stored: features::Stored::Dense(values),
    })
}

/// Leaves out points without any value. The others keep their ids: where they had none,
/// their rows counted from 0.
fn without_empty(path: &Path, table: Table) -> Result<Table> {
    let points = &table.points;
    let mut row = vec![0.0; points.dims()];
    let mut has_value = |i: &usize| {
        points.copy_row(*i, &mut row);
        row.iter().any(|x| !x.is_nan())
    };
    let (kept, left): (Vec<usize>, Vec<usize>) = (0..points.len()).partition(&mut has_value);
    if left.is_empty() {
        return Ok(table);
    }
    if kept.is_empty() {
        return Err(Error::data(path, "has no value in any row"));
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
