//! Labels that are in a table of their own.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use midrib::Points;

use super::source::Source;
use super::{Labels, header};
use crate::error::{Error, Result};

/// The column of ids where no other is named.
const ID: &str = "id";
/// As many ids as are shown.
const SHOWN: usize = 5;

/// Reads every column of a text table as labels of the points: by their ids, where the points have
/// ids and the table has them in its column `id` (under that name, or as the options say), else row by row.
pub(super) fn read_labels(
    path: &Path,
    points: &Points<'_>,
    id: Option<&str>,
) -> Result<Vec<Labels>> {
    let source = Source::open(path)?;
    let delimiter = header::delimiter(&super::csv::extension(path), source.start());
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .from_reader(source.into_reader());
    let wrong =
        |error: csv::Error| Error::data(path, format!("is not a table of labels ({error})"));
    let names: Vec<String> = reader.headers().map_err(wrong)?.iter().map(Into::into).collect();
    let rows: Vec<csv::StringRecord> =
        reader.records().collect::<std::result::Result<_, _>>().map_err(wrong)?;
    let at = names.iter().position(|name| name == id.unwrap_or(ID));
    let ids = points.ids();
    if at.is_none()
        && let Some(column) = ids.and_then(|ids| shuffled_ids(&rows, names.len(), ids))
    {
        let reason = format!(
            "its column {} holds the ids of the points in another order; call it {} to take the \
             labels by id",
            names[column],
            id.unwrap_or(ID)
        );
        return Err(Error::data(path, reason));
    }
    let order = match (at, ids) {
        (Some(at), Some(ids)) => by_id(path, &rows, at, ids)?,
        _ if rows.len() == points.len() => (0..rows.len()).collect(),
        _ => {
            let reason = format!(
                "has {} rows of labels for {} points; give one for each, or ids in both (id = COLUMN)",
                rows.len(),
                points.len()
            );
            return Err(Error::data(path, reason));
        }
    };
    let columns = names.iter().enumerate().filter(|(column, _)| Some(*column) != at);
    let labels = columns.map(|(column, name)| Labels {
        name: name.clone(),
        values: order.iter().map(|&row| rows[row][column].to_owned()).collect(),
    });
    Ok(labels.collect())
}

/// A column that holds the ids, but not row by row.
fn shuffled_ids(rows: &[csv::StringRecord], columns: usize, ids: &[String]) -> Option<usize> {
    (0..columns).find(|&column| {
        let here = || rows.iter().map(|row| &row[column]);
        let names: HashSet<&str> = here().collect();
        ids.iter().all(|id| names.contains(id.as_str()))
            && !here().eq(ids.iter().map(String::as_str))
    })
}

/// The row of each id.
fn by_id(path: &Path, rows: &[csv::StringRecord], at: usize, ids: &[String]) -> Result<Vec<usize>> {
    let mut row_of: HashMap<&str, usize> = HashMap::new();
    for (row, record) in rows.iter().enumerate() {
        if let Some(before) = row_of.insert(&record[at], row) {
            let reason = format!(
                "rows {} and {} have the same id {}; remove one of them",
                before + 1,
                row + 1,
                &record[at]
            );
            return Err(Error::data(path, reason));
        }
    }
    let unknown: Vec<&str> =
        ids.iter().map(String::as_str).filter(|id| !row_of.contains_key(id)).collect();
    if !unknown.is_empty() {
        let reason = format!(
            "{} of the {} points have no labels: {}{}; its ids are {}{}",
            unknown.len(),
            ids.len(),
            unknown[..unknown.len().min(SHOWN)].join(", "),
            if unknown.len() > SHOWN { ", …" } else { "" },
            rows.iter().take(SHOWN).map(|record| &record[at]).collect::<Vec<_>>().join(", "),
            if rows.len() > SHOWN { ", …" } else { "" }
        );
        return Err(Error::data(path, reason));
    }
    Ok(ids.iter().map(|id| row_of[id.as_str()]).collect())
}
