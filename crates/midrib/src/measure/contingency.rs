//! The contingency table of two groupings of the same points.

use std::collections::HashMap;

use crate::error::{Error, Result};

/// The number of points that each pair of groups has in common.
pub(super) struct Contingency {
    /// `(first group, second group, number of points)`, without empty cells.
    pub cells: Vec<(usize, usize, f64)>,
    /// The sizes of the groups of the first grouping.
    pub first: Vec<f64>,
    /// The sizes of the groups of the second grouping.
    pub second: Vec<f64>,
    pub n: f64,
}

impl Contingency {
    pub fn new<A: AsRef<str>, B: AsRef<str>>(first: &[A], second: &[B]) -> Result<Self> {
        if first.len() != second.len() {
            return Err(Error::shape("labels", first.len(), second.len()));
        }
        if first.is_empty() {
            return Err(Error::data("there are no labels to compare"));
        }
        let (first, first_sizes) = numbered(first);
        let (second, second_sizes) = numbered(second);
        let mut counts: HashMap<(usize, usize), usize> = HashMap::new();
        for pair in first.iter().copied().zip(second) {
            *counts.entry(pair).or_default() += 1;
        }
        let mut cells: Vec<(usize, usize, f64)> =
            counts.into_iter().map(|((a, b), count)| (a, b, count as f64)).collect();
        // Sort, because the order of a hash map is arbitrary.
        cells.sort_unstable_by_key(|&(a, b, _)| (a, b));
        Ok(Self { cells, first: first_sizes, second: second_sizes, n: first.len() as f64 })
    }
}

/// The index of each label, in order of appearance, and how often it occurs.
fn numbered<L: AsRef<str>>(labels: &[L]) -> (Vec<usize>, Vec<f64>) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut sizes: Vec<f64> = Vec::new();
    let of_points = labels
        .iter()
        .map(|label| {
            let next = numbers.len();
            let number = *numbers.entry(label.as_ref()).or_insert(next);
            if number == next {
                sizes.push(0.0);
            }
            sizes[number] += 1.0;
            number
        })
        .collect();
    (of_points, sizes)
}

#[cfg(test)]
mod tests {
    use super::super::{Normalization, ari, nmi, purity};

    type Grouping = fn(usize) -> usize;

    /// Two groupings of 200 points; nmi (max, arithmetic) and ari by scikit-learn 1.9.1, purity
    /// from its contingency matrix.
    const BY_SCIKIT_LEARN: [(Grouping, Grouping, [f64; 4]); 5] = [
        (
            |i| (i * i + 3 * i) % 7,
            |i| (i * 5 + i / 3) % 4,
            [0.0004347555287352065, 0.0004798980478987141, -0.011364045456181825, 0.345],
        ),
        (
            |i| i / 20,
            |i| (i + if i % 9 == 0 { 37 } else { 0 }) / 20,
            [0.8352626607008798, 0.8467977421742278, 0.7769595528666776, 0.885],
        ),
        (|_| 0, |i| i % 3, [0.0, 0.0, 0.0, 0.335]),
        (|_| 0, |_| 0, [1.0; 4]),
        (|i| i, |i| i % 5, [0.30376396902828084, 0.46598000289067926, 0.0, 1.0]),
    ];

    #[test]
    fn all_measures_match_scikit_learn() {
        for (first, second, expected) in BY_SCIKIT_LEARN {
            let named = |grouping: Grouping| (0..200).map(move |i| grouping(i).to_string());
            let (a, b): (Vec<_>, Vec<_>) = (named(first).collect(), named(second).collect());
            let found = [
                nmi(&a, &b, Normalization::Max).unwrap(),
                nmi(&a, &b, Normalization::Arithmetic).unwrap(),
                ari(&a, &b).unwrap(),
                purity(&a, &b).unwrap(),
            ];
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} {expected}");
            }
        }
    }

    #[test]
    fn labels_of_different_lengths_are_an_error() {
        let message = ari(&["a"], &["a", "b"]).unwrap_err().to_string();
        assert_eq!(message, "labels: expected 1, found 2");
        assert!(purity(&[""; 0], &[""; 0]).is_err());
    }
}
