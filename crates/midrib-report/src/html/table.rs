//! The columns that points can be colored by.

use std::collections::HashMap;

use midrib::graph::Projection;
use midrib::math::Matrix;
use midrib::{Points, is_missing, measures};

use super::sample::drawn_rows;
use crate::labels::shortened;
use crate::name_order::by_name;

/// The maximum number of values of the columns; wider tables keep their first columns.
const MAX_VALUES: usize = 25_000_000;
/// Labels with more classes are not offered for coloring.
const MAX_CLASSES: usize = 4096;
/// The maximum length of a class name.
const MAX_LETTERS: usize = 200;

/// The columns of a table at the rows that a report draws.
///
/// ```
/// use midrib::Points;
/// use midrib_report::DrawnTable;
/// let points = Points::from_f64(vec![0.0, 1.0, 2.0, 3.0], 2)?;
/// let table = DrawnTable::of(&points, &["a".into(), "b".into()]);
/// assert_eq!(table.values.row(1), [2.0, 3.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnTable {
    /// The names of the columns.
    pub names: Vec<String>,
    /// One row for each of [`drawn_rows`].
    pub values: Matrix,
    /// The total number of columns of the table.
    pub n_columns: usize,
}

impl DrawnTable {
    /// The columns of points, as many as fit.
    pub fn of(points: &Points<'_>, names: &[String]) -> Self {
        let rows = drawn_rows(points.len());
        let kept = points.dims().min(MAX_VALUES / rows.len().max(1)).min(names.len());
        let mut values = Matrix::zeros(rows.len(), kept);
        let mut whole = vec![0.0; points.dims()];
        for (i, &row) in rows.iter().enumerate() {
            points.copy_row(row, &mut whole);
            values.row_mut(i).copy_from_slice(&whole[..kept]);
        }
        Self { names: names[..kept].to_vec(), values, n_columns: points.dims() }
    }

    /// The share of each column's variance between nodes; 0 for constant columns.
    pub fn shares(&self, projection: &Projection, rows: &[usize], n_nodes: usize) -> Vec<f64> {
        let dims = self.values.n_cols();
        let mut sums = Matrix::zeros(n_nodes, dims);
        let mut counts = Matrix::zeros(n_nodes, dims);
        let mut all = vec![(0.0, 0.0, 0.0); dims];
        // Relative to the first row, so that the sums of squares do not cancel.
        let first: Vec<f64> = match self.values.n_rows() {
            0 => vec![0.0; dims],
            _ => self.values.row(0).iter().map(|x| if x.is_nan() { 0.0 } else { *x }).collect(),
        };
        for (i, &row) in rows.iter().enumerate() {
            let node = projection.node[row];
            for (d, x) in self.values.row(i).iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                let x = x - first[d];
                sums.row_mut(node)[d] += x;
                counts.row_mut(node)[d] += 1.0;
                all[d].0 += 1.0;
                all[d].1 += x;
                all[d].2 += x * x;
            }
        }
        let share = |d: usize| {
            let (n, sum, squares) = all[d];
            let total = squares - sum * sum / n;
            let nodes = sums.rows().zip(counts.rows()).filter(|(_, counts)| counts[d] > 0.0);
            let between: f64 = nodes.map(|(sums, counts)| sums[d] * sums[d] / counts[d]).sum();
            let share = (between - sum * sum / n) / total;
            if total > 0.0 && share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
        };
        (0..dims).map(share).collect()
    }
}

/// A label as the report shows it.
pub enum Label {
    /// The names of the classes and the class of each drawn point; `u16::MAX` if it is missing.
    Classes(Vec<String>, Vec<u16>),
    /// The number of each drawn point; NaN if it is missing.
    Numbers(Vec<f64>),
    /// Almost every point has a different text.
    Texts,
}

impl Label {
    pub fn of(values: &[String], rows: &[usize]) -> Self {
        let text = |row: usize| {
            values.get(row).map(String::as_str).filter(|text| !is_missing(text)).unwrap_or_default()
        };
        if let Some(numbers) = measures(rows.iter().map(|&row| text(row))) {
            return Self::Numbers(numbers);
        }
        let mut classes: Vec<&str> =
            rows.iter().map(|&row| text(row)).filter(|text| !text.is_empty()).collect();
        classes.sort_unstable();
        classes.dedup();
        if classes.len() > MAX_CLASSES {
            return Self::Texts;
        }
        classes.sort_by(|a, b| by_name(a, b));
        let class: HashMap<&str, u16> =
            (0..).zip(&classes).map(|(class, &name)| (name, class)).collect();
        let of = |&row: &usize| class.get(text(row)).copied().unwrap_or(u16::MAX);
        let names = classes.iter().map(|name| shortened(name, MAX_LETTERS)).collect();
        Self::Classes(names, rows.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(values: &[&str]) -> Label {
        let values: Vec<String> = values.iter().map(|&value| value.into()).collect();
        let rows: Vec<usize> = (0..values.len()).collect();
        Label::of(&values, &rows)
    }

    #[test]
    fn few_numbers_are_sorted_classes_and_many_are_numbers() {
        let Label::Classes(names, classes) = label(&["10", "9", "", "10"]) else { panic!() };
        assert_eq!(names, ["9", "10"]);
        assert_eq!(classes, [1, 0, u16::MAX, 1]);
        let many: Vec<String> = (0..20).map(|i| format!("{i}.5")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).chain([""]).collect();
        let Label::Numbers(numbers) = label(&many) else { panic!() };
        assert_eq!(numbers[3], 3.5);
        assert!(numbers[20].is_nan());
    }

    #[test]
    fn missing_value_markers_are_neither_classes_nor_numbers() {
        let Label::Classes(names, classes) = label(&["a", "NA", "b", "null", " nan"]) else {
            panic!()
        };
        assert_eq!(names, ["a", "b"]);
        assert_eq!(classes, [0, u16::MAX, 1, u16::MAX, u16::MAX]);
        let many: Vec<String> = (0..20).map(|i| format!("{i}.5")).collect();
        let missing = ["NA", "NaN", "nan", "N/A", "null", ""];
        let many: Vec<&str> = many.iter().map(String::as_str).chain(missing).collect();
        let Label::Numbers(numbers) = label(&many) else { panic!() };
        assert_eq!(numbers[3], 3.5);
        assert!(numbers[20..].iter().all(|x| x.is_nan()) && numbers.len() == 26);
    }

    #[test]
    fn texts_with_too_many_values_are_left_out() {
        let many: Vec<String> = (0..5000).map(|i| format!("cell {i}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(matches!(label(&many), Label::Texts));
    }

    #[test]
    fn a_column_determined_by_the_nodes_has_all_its_variance_between_them() {
        let values = Matrix::from_rows(&[
            [1e9, 0.0, 5.0],
            [1e9, 1.0, 5.0],
            [1e9 + 1.0, 0.0, 5.0],
            [1e9 + 1.0, 1.0, 5.0],
        ])
        .unwrap();
        let names = vec!["signal".into(), "noise".into(), "constant".into()];
        let table = DrawnTable { names, values, n_columns: 3 };
        let projection = Projection {
            node: vec![0, 0, 1, 1],
            edge: vec![None; 4],
            edge_pos: vec![0.0; 4],
            distance: vec![0.0; 4],
        };
        assert_eq!(table.shares(&projection, &[0, 1, 2, 3], 2), [1.0, 0.0, 0.0]);
    }
}
