//! Opening a table of points.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib_io::{ReadOptions, Reading, Table, read};

use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::row_numbers::without_row_numbers;
use crate::text::{count, first_names, shown};

/// At most this many columns or points are named in a note.
const NAMED: usize = 5;

/// A table that was opened.
#[derive(Clone, Debug)]
pub struct OpenTable {
    /// Its file.
    pub path: PathBuf,
    /// Its content.
    pub table: Table,
    /// How it was read, and what was noticed in its values.
    pub reading: Reading,
}

/// Opens a table and notes what it holds.
///
/// ```
/// use midrib::Silent;
/// use midrib_io::ReadOptions;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("cells.csv");
/// std::fs::write(&path, "x,y\n0,1\n2,\n")?;
/// let options = ReadOptions { gaps: true, ..ReadOptions::default() };
/// let open = midrib_tasks::open_table(&path, &options, &mut Silent)?;
/// assert_eq!(open.table.features, ["x", "y"]);
/// assert_eq!(open.reading.notes, ["1 missing value in 1 row: y 1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_table(
    path: &Path,
    options: &ReadOptions,
    listener: &mut dyn Listener,
) -> Result<OpenTable> {
    refuse_results(path)?;
    open_checked_table(path, options, listener)
}

/// The same for a path that [`refuse_results`] has checked.
pub fn open_checked_table(
    path: &Path,
    options: &ReadOptions,
    listener: &mut dyn Listener,
) -> Result<OpenTable> {
    let (table, row_numbers) = without_row_numbers(path, read(path, options)?, options)?;
    let mut reading = Reading::of(options, &table);
    reading.id = reading.id.or(row_numbers.id);
    reading.notes = note_content(path, &table, listener);
    if !row_numbers.columns.is_empty() {
        let note = format!(
            "left out, since the numbers only count or name the rows: {} ({} keeps them)",
            first_names(&row_numbers.columns, NAMED, " columns"),
            (listener.wording().setting)("columns")
        );
        listener.note(&note);
    }
    Ok(OpenTable { path: path.into(), table, reading })
}

/// Refuses a directory of results where a table is needed.
pub fn refuse_results(input: &Path) -> Result<()> {
    if !input.join("model.json").is_file() {
        return Ok(());
    }
    let name = input.display();
    Err(Error::data(format!(
        "{name}: is a directory of results; `midrib info {name}` shows them, and a fit needs the \
         table of points"
    )))
}

/// Notes what a table holds; returns what the results must say of its values.
fn note_content(path: &Path, table: &Table, listener: &mut dyn Listener) -> Vec<String> {
    let points = &table.points;
    listener.note(&format!(
        "{}: {} in {}",
        shown(path),
        count(points.len(), "point", "points"),
        count(points.dims(), "column", "columns")
    ));
    if let Some(representation) = &table.representation {
        let others = match &representation.others[..] {
            [] => String::new(),
            others => {
                let use_rep = (listener.wording().setting)("use_rep");
                format!(" ({use_rep} names another: {})", others.join(", "))
            }
        };
        listener.note(&format!("read {}{others}", representation.name));
    }
    if !table.set_aside.is_empty() {
        listener.note(&format!(
            "text columns set aside as labels: {} ({} names them)",
            table.set_aside.join(", "),
            (listener.wording().setting)("label")
        ));
    }
    let mut notes = Vec::new();
    if !table.left_out.is_empty() {
        notes.push(format!(
            "{} without any value left out: {}",
            count(table.left_out.len(), "point", "points"),
            first_names(&table.left_out, NAMED, "")
        ));
    }
    if points.missing_values() > 0 {
        notes.push(missing_values(points, &table.features));
    }
    notes.iter().for_each(|note| listener.note(note));
    notes
}

/// How many values are missing, and where most of them are.
fn missing_values(points: &Points<'_>, features: &[String]) -> String {
    let mut by_column: Vec<(usize, &str)> = features.iter().map(|f| (0, f.as_str())).collect();
    let mut rows = 0;
    let mut row = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        rows += usize::from(row.iter().any(|x| x.is_nan()));
        for (column, x) in by_column.iter_mut().zip(&row) {
            column.0 += usize::from(x.is_nan());
        }
    }
    by_column.retain(|(missing, _)| *missing > 0);
    by_column.sort_by_key(|(missing, _)| std::cmp::Reverse(*missing));
    let columns: Vec<String> =
        by_column.iter().map(|(missing, name)| format!("{name} {missing}")).collect();
    format!(
        "{} in {}: {}",
        count(points.missing_values(), "missing value", "missing values"),
        count(rows, "row", "rows"),
        first_names(&columns, NAMED, " columns")
    )
}
