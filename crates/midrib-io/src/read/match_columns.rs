//! New data for a model: the same columns in the same order.

use std::path::Path;

use midrib::Points;

use super::Table;
use super::selection::listed;
use crate::error::{Error, Result};

/// Brings the columns of `table`, read from `path`, into the order of a model's `features`.
///
/// Columns are matched by name; those that the model does not know are dropped. Only where
/// neither side has names of its own (`x0`, `x1`, …, or other names that merely count) are as
/// many columns matched by their order.
///
/// ```
/// use midrib_io::{ReadOptions, match_columns, read};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("new.csv");
/// std::fs::write(&path, "depth,y,x\n9,1,2\n")?;
/// let table = read(&path, &ReadOptions::default())?;
/// let table = match_columns(&path, table, &["x".into(), "y".into()])?;
/// let mut row = [0.0; 2];
/// table.points.copy_row(0, &mut row);
/// assert_eq!(row, [2.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn match_columns(path: &Path, table: Table, features: &[String]) -> Result<Table> {
    if !table.named {
        return by_count(path, table, features);
    }
    if table.features == features {
        return Ok(table);
    }
    let found: Vec<Option<usize>> = features
        .iter()
        .map(|wanted| table.features.iter().position(|name| name == wanted))
        .collect();
    if let Some(order) = found.iter().copied().collect::<Option<Vec<usize>>>() {
        return reordered(table, features, &order);
    }
    if merely_count(features) && found.iter().all(Option::is_none) {
        return by_count(path, table, features);
    }
    let missing: Vec<String> = features
        .iter()
        .zip(&found)
        .filter(|(_, found)| found.is_none())
        .map(|(name, _)| name.clone())
        .collect();
    Err(Error::data(
        path,
        format!(
            "{} of the {} columns that are needed are missing: {}; the file has {}{}",
            missing.len(),
            features.len(),
            listed(&missing),
            listed(&table.features),
            text_instead(&table, &missing)
        ),
    ))
}

/// Takes the columns in their order, if no name on either side speaks against it.
fn by_count(path: &Path, table: Table, features: &[String]) -> Result<Table> {
    let (wanted, found) = (listed(features), listed(&table.features));
    let reason = if !merely_count(features) {
        format!(
            "has no column names, and the columns that are needed are {wanted}; name them in a \
             header"
        )
    } else if table.named && !merely_count(&table.features) {
        format!(
            "its columns are {found}, but those that the graph was learned from have no names of \
             their own ({wanted}), so the columns cannot be matched; rename them to {wanted}, or \
             remove the header if they are in the same order"
        )
    } else if table.features.len() != features.len() {
        format!(
            "{} columns are needed, found {} ({found}); give the same columns that the graph was \
             learned from",
            features.len(),
            table.features.len()
        )
    } else {
        return Ok(Table { features: features.to_vec(), ..table });
    };
    Err(Error::data(path, reason))
}

/// Whether names only number the columns, as programs make them up where there are none.
fn merely_count(names: &[String]) -> bool {
    const PREFIXES: [&str; 7] = ["", "x", "X", "V", "column", "column_", "column "];
    PREFIXES.iter().any(|prefix| {
        (0..=1).any(|first| {
            names.iter().enumerate().all(|(i, name)| {
                name.strip_prefix(prefix).is_some_and(|rest| rest == (i + first).to_string())
            })
        })
    })
}

/// A hint at those missing columns that the file has, but not as numbers.
fn text_instead(table: &Table, missing: &[String]) -> String {
    let text: Vec<String> = table
        .labels
        .iter()
        .map(|label| label.name.clone())
        .filter(|name| missing.contains(name))
        .collect();
    if text.is_empty() {
        String::new()
    } else {
        format!(" (as labels, not as numbers: {})", listed(&text))
    }
}

fn reordered(table: Table, features: &[String], order: &[usize]) -> Result<Table> {
    let points = &table.points;
    let mut values = Vec::with_capacity(points.len() * order.len());
    let mut row = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        values.extend(order.iter().map(|&column| row[column]));
    }
    let mut chosen = Points::from_f64(values, order.len())?;
    if let Some(weights) = points.weights() {
        chosen = chosen.with_weights(weights.to_vec())?;
    }
    if let Some(ids) = points.ids() {
        chosen = chosen.with_ids(ids.to_vec())?;
    }
    Ok(Table { points: chosen, features: features.to_vec(), ..table })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(features: &[&str], values: &[f64]) -> Table {
        Table {
            points: Points::from_f64(values.to_vec(), features.len()).unwrap(),
            features: features.iter().map(|name| name.to_string()).collect(),
            named: true,
            labels: Vec::new(),
            set_aside: Vec::new(),
            left_out: Vec::new(),
            representation: None,
        }
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    fn matched(table: Table, features: &[&str]) -> Result<Table> {
        match_columns(Path::new("new.csv"), table, &names(features))
    }

    #[test]
    fn columns_are_reordered_and_extra_ones_dropped() {
        let table = table(&["c", "b", "a"], &[3.0, 2.0, 1.0, 6.0, 5.0, 4.0]);
        let table = matched(table, &["a", "c"]).unwrap();
        let mut row = [0.0; 2];
        table.points.copy_row(1, &mut row);
        assert_eq!(row, [4.0, 6.0]);
        assert_eq!(table.features, ["a", "c"]);
    }

    #[test]
    fn missing_columns_are_listed() {
        let mut table = table(&["a", "z"], &[1.0, 2.0]);
        table.labels.push(super::super::Labels { name: "c".into(), values: names(&["text"]) });
        let message = matched(table, &["a", "b", "c"]).unwrap_err().to_string();
        assert_eq!(
            message,
            "new.csv: 2 of the 3 columns that are needed are missing: b, c; the file has a, z \
             (as labels, not as numbers: c)"
        );
    }

    #[test]
    fn names_that_merely_count_match_by_name_first_and_then_by_count() {
        let by_name = matched(table(&["x1", "x0"], &[1.0, 2.0]), &["x0", "x1"]).unwrap();
        let mut row = [0.0; 2];
        by_name.points.copy_row(0, &mut row);
        assert_eq!(row, [2.0, 1.0]);
        for names in [["0", "1"], ["V1", "V2"], ["column1", "column2"]] {
            let by_count = matched(table(&names, &[1.0, 2.0]), &["x0", "x1"]).unwrap();
            assert_eq!(by_count.features, ["x0", "x1"]);
        }
        let message = matched(table(&["0"], &[1.0]), &["x0", "x1"]).unwrap_err().to_string();
        assert!(message.contains("2 columns are needed, found 1 (0)"), "{message}");
        let message = matched(table(&["x1", "z"], &[1.0, 2.0]), &["x0", "x1"]).unwrap_err();
        assert!(message.to_string().contains("missing: x0; the file has x1, z"), "{message}");
    }

    #[test]
    fn names_of_their_own_never_match_by_count() {
        let message = matched(table(&["a", "b"], &[1.0, 2.0]), &["x0", "x1"]).unwrap_err();
        assert_eq!(
            message.to_string(),
            "new.csv: its columns are a, b, but those that the graph was learned from have no \
             names of their own (x0, x1), so the columns cannot be matched; rename them to x0, \
             x1, or remove the header if they are in the same order"
        );
    }

    #[test]
    fn tables_without_names_match_by_count_alone() {
        let unnamed = |values: &[f64]| {
            let names: Vec<String> = (0..values.len()).map(|i| format!("x{i}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Table { named: false, ..table(&names, values) }
        };
        assert!(matched(unnamed(&[1.0, 2.0]), &["x0", "x1"]).is_ok());
        let message = matched(unnamed(&[1.0, 2.0, 3.0]), &["x0", "x1"]).unwrap_err();
        assert!(message.to_string().contains("2 columns are needed, found 3"), "{message}");
        let message = matched(unnamed(&[1.0, 2.0]), &["depth", "x1"]).unwrap_err().to_string();
        assert!(message.contains("has no column names") && message.contains("depth, x1"));
    }
}
