//! How far everything moves along each edge from a vertex, roughly: steps down short edges are
//! worth more than their slopes alone suggest. After the Devex rule of Harris1973.

use super::dense_matrix::DenseMatrix;
use super::support::{Opened, Reached, Support};

/// Squared lengths, up to a common factor.
#[derive(Debug, Default)]
pub(super) struct EdgeLengths {
    /// For each column that may be released; those of the support mean nothing.
    pub of_columns: Vec<f64>,
    /// For each met value that may be released.
    pub of_met: Vec<f64>,
    /// How much the zero that an edge leads to changes along the edge of each column.
    changes: Vec<f64>,
}

impl EdgeLengths {
    /// At weights of 0 all edges count as equally long.
    pub fn clear(&mut self, n_columns: usize) {
        self.of_columns.clear();
        self.of_columns.resize(n_columns, 1.0);
        self.of_met.clear();
    }

    /// Before `from` is released, for `to` to be the new zero: an edge along which `to` changes
    /// is as long, at least, as its part along the edge of `from`.
    #[inline(always)]
    pub fn exchange<const FMA: bool>(
        &mut self,
        matrix: &DenseMatrix,
        support: &mut Support,
        from: Opened,
        to: Reached,
    ) {
        self.changes.clear();
        self.changes.resize(self.of_columns.len(), 0.0);
        match to {
            Reached::Value(value) => {
                support.across::<FMA>(value);
                matrix.add_rows::<FMA>([(value, -1.0)].into_iter(), &mut self.changes);
            }
            Reached::Weight(place) => support.along(place),
        }
        let shares = support.met.iter().copied().zip(support.scratch.iter().copied());
        matrix.add_rows::<FMA>(shares, &mut self.changes);
        let (change, length) = match from {
            Opened::Column(column) => (self.changes[column], self.of_columns[column]),
            Opened::Met(place) => (support.scratch[place], self.of_met[place]),
        };
        let scale = length / (change * change);
        let lengthen = |lengths: &mut [f64], changes: &[f64]| {
            let both = lengths.iter_mut().zip(changes);
            both.for_each(|(length, change)| *length = length.max(change * change * scale));
        };
        lengthen(&mut self.of_columns, &self.changes);
        lengthen(&mut self.of_met, &support.scratch);
        let back = scale.max(1.0);
        match (from, to) {
            (Opened::Column(_), Reached::Value(_)) => self.of_met.push(back),
            (Opened::Met(met), Reached::Value(_)) => self.of_met[met] = back,
            (Opened::Column(_), Reached::Weight(place)) => {
                self.of_columns[support.columns[place]] = back;
            }
            (Opened::Met(met), Reached::Weight(place)) => {
                self.of_met.swap_remove(met);
                self.of_columns[support.columns[place]] = back;
            }
        }
    }
}
