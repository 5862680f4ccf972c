//! Points held as one block of working coordinates, for many quick assignments.

use crate::math::Matrix;

/// The block.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub values: Matrix,
    pub weights: Vec<f64>,
    /// Beyond this distance a point belongs to no node.
    pub radius: f64,
    /// Whether values are missing.
    pub has_missing: bool,
}

impl Rows {
    pub fn new(values: Matrix, weights: Vec<f64>, radius: f64) -> Self {
        let has_missing = values.as_slice().iter().any(|x| x.is_nan());
        Self { values, weights, radius, has_missing }
    }

    /// Some of the rows: in the middle of each of `size` equal weights along their order the one
    /// that lies there, with that weight.
    pub fn thinned(&self, size: usize) -> Self {
        let step = self.weights.iter().sum::<f64>() / size as f64;
        let (mut picked, mut weights) = (Vec::with_capacity(size), Vec::with_capacity(size));
        let (mut passed, mut steps) = (0.0, 0);
        for (i, weight) in self.weights.iter().enumerate() {
            passed += weight;
            let reached = ((passed / step + 0.5).floor() as usize).min(size);
            if reached > steps {
                picked.push(i);
                weights.push(step * (reached - steps) as f64);
                steps = reached;
            }
        }
        Self::new(self.values.select_rows(picked), weights, self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_rows_weigh_as_much() {
        let values = Matrix::new(7, 1, (0..7).map(f64::from).collect()).unwrap();
        let rows = Rows::new(values, vec![1.0, 1.0, 4.0, 1.0, 1.0, 2.0, 2.0], 1.0);
        let few = rows.thinned(3);
        assert_eq!(few.values.as_slice(), [1.0, 2.0, 5.0]);
        assert_eq!(few.weights, [4.0, 4.0, 4.0]);
    }
}
