//! New data for a model: the same columns in the same order.

use std::path::Path;

use midrib::Points;

use super::{Table, columns, generated_names};
use crate::error::{Error, Result};

/// Brings the columns of `table`, read from `path`, into the order of a model's `features`.
///
/// Columns are matched by name; those that the model does not know are dropped. A model whose
/// features have no names of their own (`x0`, `x1`, …) also takes any table with as many columns,
/// none of which has one of these names.
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
    if features == generated_names(features.len()) && found.iter().all(Option::is_none) {
        if table.features.len() != features.len() {
            return Err(Error::data(
                path,
                format!(
                    "{} columns are needed, found {} ({}); give the same columns that the graph \
                     was learnt from",
                    features.len(),
                    table.features.len(),
                    columns::listed(&table.features)
                ),
            ));
        }
        return Ok(Table { features: features.to_vec(), ..table });
    }
    let missing: Vec<String> = features
        .iter()
        .zip(&found)
        .filter(|(_, place)| place.is_none())
        .map(|(name, _)| name.clone())
        .collect();
    Err(Error::data(
        path,
        format!(
            "{} of the {} columns that are needed are missing: {}; the file has {}{}",
            missing.len(),
            features.len(),
            columns::listed(&missing),
            columns::listed(&table.features),
            text_instead(&table, &missing)
        ),
    ))
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
        format!(" (as labels, not as numbers: {})", columns::listed(&text))
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
            labels: Vec::new(),
            set_aside: Vec::new(),
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
    fn generated_names_match_by_name_first_and_then_by_count() {
        let by_name = matched(table(&["x1", "x0"], &[1.0, 2.0]), &["x0", "x1"]).unwrap();
        let mut row = [0.0; 2];
        by_name.points.copy_row(0, &mut row);
        assert_eq!(row, [2.0, 1.0]);
        let by_count = matched(table(&["a", "b"], &[1.0, 2.0]), &["x0", "x1"]).unwrap();
        assert_eq!(by_count.features, ["x0", "x1"]);
        let message = matched(table(&["a"], &[1.0]), &["x0", "x1"]).unwrap_err().to_string();
        assert!(message.contains("2 columns are needed, found 1 (a)"), "{message}");
        let message = matched(table(&["x1", "z"], &[1.0, 2.0]), &["x0", "x1"]).unwrap_err();
        assert!(message.to_string().contains("missing: x0; the file has x1, z"), "{message}");
    }
}
