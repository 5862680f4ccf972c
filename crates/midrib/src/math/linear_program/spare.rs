//! Room that is used again.

use crate::error::{Error, Result};

/// Vectors that are no longer needed: some megabytes of fresh memory take longer to get than to fill.
#[derive(Default)]
pub(super) struct Spare(Vec<Vec<f64>>);

impl Spare {
    /// A vector of this length, with any numbers.
    pub fn take(&mut self, length: usize) -> Result<Vec<f64>> {
        if length == 0 {
            return Ok(Vec::new());
        }
        let fits = |at: &usize| self.0[*at].capacity() >= length;
        let place = (0..self.0.len()).filter(fits).min_by_key(|&at| self.0[at].capacity());
        let mut numbers = place.map_or_else(Vec::new, |at| self.0.swap_remove(at));
        numbers.truncate(length);
        let missing = length - numbers.len();
        numbers.try_reserve_exact(missing).map_err(|_| too_many(length))?;
        numbers.resize(length, 0.0);
        Ok(numbers)
    }

    /// Keeps a vector for later.
    pub fn give(&mut self, numbers: Vec<f64>) {
        if numbers.capacity() > 0 {
            self.0.push(numbers);
        }
    }
}

/// More numbers than there is room for.
pub(super) fn too_many(count: usize) -> Error {
    Error::Numerical(format!(
        "sparse factorisation: no memory for {count} numbers; use fewer pairs"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_fits_is_used_again() {
        let mut spare = Spare::default();
        let large = spare.take(1000).unwrap();
        let (place, small) = (large.as_ptr(), vec![1.0; 10]);
        spare.give(large);
        spare.give(small);
        assert_eq!(spare.take(5).unwrap(), [1.0; 5]);
        let again = spare.take(900).unwrap();
        assert!(again.as_ptr() == place && again.len() == 900);
        assert_eq!(spare.take(3).unwrap().len(), 3);
        spare.give(vec![2.0]);
        assert_eq!((spare.take(0).unwrap().len(), spare.take(1).unwrap()), (0, vec![2.0]));
        assert!(spare.take(usize::MAX / 16).is_err());
    }
}
