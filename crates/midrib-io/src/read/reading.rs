//! How the table of a model was read, and reading it again in the same way.

use std::path::{Path, PathBuf};

use midrib::Points;

use super::{Header, ReadOptions, Table, match_columns, read};
use crate::error::{Error, Result};
use crate::model::{Model, Reading};

impl Reading {
    /// How these points were read.
    ///
    /// ```
    /// use midrib_io::{ReadOptions, Reading, read};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("cells.csv");
    /// std::fs::write(&path, "cell,depth\n7,1\n8,2\n")?;
    /// let options = ReadOptions { id: Some("cell".into()), ..ReadOptions::default() };
    /// let table = read(&path, &options)?;
    /// assert_eq!(Reading::of(&options, &table).id.as_deref(), Some("cell"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(options: &ReadOptions, table: &Table) -> Self {
        Self {
            id: options.id.clone(),
            labels: options.labels.clone(),
            columns: options.columns.clone(),
            exclude: options.exclude.clone(),
            label_file: options.label_file.clone(),
            weights: options.weights.clone(),
            no_header: options.header == Header::Absent,
            use_rep: table.representation.as_ref().map(|read| read.name.clone()),
            ignore_empty: !table.left_out.is_empty(),
            checksum: Some(checksum(&table.points)),
            notes: Vec::new(),
        }
    }
}

/// Reads the points that a model was learned from, with its columns in their order.
///
/// They are in the file that `table` names, else where the model says, from here or beside its
/// `results`; there it has to hold the same values as before. What `options` leaves open is as it was
/// for the fit. Missing values are read as such.
pub fn read_again(
    results: &Path,
    model: &Model,
    table: Option<&Path>,
    options: &ReadOptions,
) -> Result<(PathBuf, Table)> {
    let reading = &model.reading;
    let path = match table {
        Some(path) => path.to_owned(),
        None => table_file(results, model)?,
    };
    let as_before = ReadOptions {
        id: options.id.clone().or_else(|| reading.id.clone()),
        labels: or_before(&options.labels, &reading.labels),
        columns: or_before(&options.columns, &reading.columns),
        exclude: or_before(&options.exclude, &reading.exclude),
        label_file: options
            .label_file
            .clone()
            .or_else(|| beside(&path, reading.label_file.as_deref()?)),
        weights: options.weights.clone().or_else(|| reading.weights.clone()),
        header: if reading.no_header { Header::Absent } else { options.header },
        gaps: true,
        ignore_empty: options.ignore_empty || reading.ignore_empty,
        use_rep: options.use_rep.clone(),
        default_rep: reading.use_rep.clone(),
        format: options.format,
    };
    let found = match_columns(&path, read(&path, &as_before)?, &model.input.features)?;
    if table.is_none() {
        let (rows, expected) = (found.points.len(), model.input.rows);
        if rows != expected {
            let reason = format!("has {rows} rows, the model was learned from {expected}");
            return Err(Error::data(&path, reason));
        }
        if reading.checksum.is_some_and(|before| before != checksum(&found.points)) {
            let reason = "holds other values, or the same in another order, than the model was \
                          learned from; give the table as it was (points = TABLE)";
            return Err(Error::data(&path, reason));
        }
    }
    Ok((path, found))
}

/// What is given or, if that is nothing, what was given before.
fn or_before(given: &[String], before: &[String]) -> Vec<String> {
    if given.is_empty() { before.to_vec() } else { given.to_vec() }
}

/// The file that a model was learned from, as it names it, from here or else beside the `results`.
pub fn table_file(results: &Path, model: &Model) -> Result<PathBuf> {
    let path = PathBuf::from(&model.input.file);
    if path == Path::new("-") {
        return Err(Error::data(
            &path,
            "was read only once; give the table again (points = TABLE)",
        ));
    }
    if path.exists() {
        return Ok(path);
    }
    let parent = results.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = if results.is_dir() { results } else { parent.unwrap_or(Path::new(".")) };
    let directory = directory.canonicalize().map_err(|error| Error::reading(results, &error))?;
    let beside = directory.parent().zip(path.file_name()).map(|(folder, name)| folder.join(name));
    Ok(beside.filter(|beside| beside.exists()).unwrap_or(path))
}

/// A file as it was named, or in the folder of the table; none if it is gone.
fn beside(table: &Path, file: &Path) -> Option<PathBuf> {
    let moved = table.parent().zip(file.file_name()).map(|(folder, name)| folder.join(name));
    [Some(file.to_owned()), moved].into_iter().flatten().find(|path| path.exists())
}

/// Over the values row by row, as numbers of 64 bits.
fn checksum(points: &Points<'_>) -> u32 {
    let mut crc = flate2::Crc::new();
    let mut row = vec![0.0; points.dims()];
    let mut bytes = Vec::with_capacity(8 * points.dims());
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        bytes.clear();
        bytes.extend(
            row.iter().map(|x| if x.is_nan() { f64::NAN } else { *x }).flat_map(f64::to_le_bytes),
        );
        crc.update(&bytes);
    }
    crc.sum()
}
