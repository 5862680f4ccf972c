//! Columns that only number the rows, which no point cloud should be learned from.

use std::collections::HashSet;
use std::path::Path;

use midrib_io::{ReadOptions, Table, match_columns};

use crate::columns::column_of;
use crate::error::Result;

/// Fewer rows may be numbered by accident.
const FEWEST_ROWS: usize = 20;
/// Whole numbers in a column of such a name are ids, even if some occur more than once,
const IDS: [&str; 8] = ["id", "idx", "index", "rowid", "rowname", "rownames", "uid", "uuid"];
/// and in one of these if every number occurs once.
const ROWS: [&str; 12] = [
    "barcode", "case", "cell", "cells", "no", "nr", "number", "obs", "patient", "row", "sample",
    "subject",
];
/// Whatever has such a name may well go from row to row in equal steps.
const COORDINATES: [&str; 16] = [
    "age", "day", "depth", "dist", "distance", "frame", "hour", "minute", "pos", "position",
    "second", "step", "t", "time", "week", "year",
];

/// The columns that were left out of a table.
#[derive(Debug, Default)]
pub struct RowNumbers {
    /// All of them.
    pub columns: Vec<String>,
    /// The one that names the points now.
    pub id: Option<String>,
}

/// A table without the columns of whole numbers that only number or name its rows. The first one
/// that names each row once gives the points their ids, unless they have some. Nothing is left out
/// if that is all there is, or if the columns were selected.
pub fn without_row_numbers(
    path: &Path,
    table: Table,
    options: &ReadOptions,
) -> Result<(Table, RowNumbers)> {
    let mut left = RowNumbers::default();
    if !table.named || table.representation.is_some() || !options.columns.is_empty() {
        return Ok((table, left));
    }
    let mut ids = None;
    for (column, name) in table.features.iter().enumerate() {
        let values = column_of(&table.points, column);
        let Some(found) = numbering(name, &values) else { continue };
        left.columns.push(name.clone());
        if found == Numbering::Unique && table.points.ids().is_none() && left.id.is_none() {
            left.id = Some(name.clone());
            ids = Some(values.iter().map(f64::to_string).collect());
        }
    }
    let kept: Vec<String> =
        table.features.iter().filter(|name| !left.columns.contains(name)).cloned().collect();
    if left.columns.is_empty() || kept.is_empty() {
        return Ok((table, RowNumbers::default()));
    }
    let mut table = match_columns(path, table, &kept)?;
    if let Some(ids) = ids {
        table.points = table.points.with_ids(ids)?;
    }
    Ok((table, left))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbering {
    /// Each number occurs once.
    Unique,
    /// Some occur more than once.
    Repeated,
}

/// How a column numbers the rows, if it does nothing else.
fn numbering(name: &str, values: &[f64]) -> Option<Numbering> {
    let whole = |value: &f64| value.fract() == 0.0 && value.abs() < 2f64.powi(53);
    if !values.iter().all(whole) {
        return None;
    }
    let distinct: HashSet<i64> = values.iter().map(|&value| value as i64).collect();
    let is_unique = distinct.len() == values.len();
    let found = if is_unique { Numbering::Unique } else { Numbering::Repeated };
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    if IDS.contains(&last) || (is_unique && ROWS.contains(&last)) {
        return Some(found);
    }
    let (low, high) = (distinct.iter().min()?, distinct.iter().max()?);
    let is_run = is_unique && (high - low) as usize + 1 == values.len();
    let is_letter = last.len() == 1 && last.chars().all(char::is_alphabetic);
    let is_coordinate = is_letter || COORDINATES.contains(&last);
    (is_run && values.len() >= FEWEST_ROWS && !is_coordinate).then_some(found)
}

/// The words of a name in small letters: `PassengerId` and `passenger_id` have two.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && after_small) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        after_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_runs_of_whole_numbers_are_recognized() {
        let run: Vec<f64> = (5..40).map(f64::from).collect();
        let shuffled: Vec<f64> = (0..35).map(|i| f64::from(i * 12 % 35)).collect();
        let spread = [7.0, 3.0, 90.0];
        let repeated = [1.0, 1.0, 2.0];
        use Numbering::{Repeated, Unique};
        for (name, values, found) in [
            ("PassengerId", &spread[..], Some(Unique)),
            ("sample_id", &repeated, Some(Repeated)),
            ("cell", &spread, Some(Unique)),
            ("cell", &repeated, None),
            ("index", &spread, Some(Unique)),
            ("width", &spread, None),
            ("width", &run, Some(Unique)),
            ("gene.3", &shuffled, Some(Unique)),
            ("time", &run, None),
            ("x", &run, None),
            ("day_of_year", &run, None),
            ("id", &[0.5, 1.0], None),
            ("acid", &spread, None),
        ] {
            assert_eq!(numbering(name, values), found, "{name}");
        }
    }
}
