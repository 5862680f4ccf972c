//! Linear independence over the field with two elements.

/// No row.
const NONE: u32 = u32::MAX;

/// A basis of bit vectors, kept fully reduced: the leading bit of a row is set in no other row.
#[derive(Clone, Debug)]
pub(crate) struct BitBasis {
    rows: Vec<Vec<u64>>,
    /// The row that each bit leads.
    led_by: Vec<u32>,
    leading: Vec<u64>,
}

impl BitBasis {
    /// The empty basis of vectors of `bits` bits.
    pub fn new(bits: usize) -> Self {
        let words = Self::words(bits);
        Self { rows: Vec::new(), led_by: vec![NONE; 64 * words], leading: vec![0; words] }
    }

    /// The number of words that hold `bits` bits.
    pub fn words(bits: usize) -> usize {
        bits.div_ceil(64)
    }

    /// Changes one bit of a vector.
    pub fn flip(vector: &mut [u64], bit: usize) {
        vector[bit / 64] ^= 1 << (bit % 64);
    }

    /// The number of independent vectors so far.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Subtracts what the basis spans; false if nothing remains.
    pub fn reduce(&self, vector: &mut [u64]) -> bool {
        for word in 0..vector.len() {
            let mut led = vector[word] & self.leading[word];
            while led != 0 {
                let bit = 64 * word + led.trailing_zeros() as usize;
                add(vector, &self.rows[self.led_by[bit] as usize]);
                led &= led - 1;
            }
        }
        vector.iter().any(|&word| word != 0)
    }

    /// Takes in a vector; false if it is spanned already.
    pub fn insert(&mut self, mut vector: Vec<u64>) -> bool {
        self.reduce(&mut vector);
        let Some(word) = vector.iter().position(|&word| word != 0) else {
            return false;
        };
        let mask = vector[word] & vector[word].wrapping_neg();
        for row in self.rows.iter_mut().filter(|row| row[word] & mask != 0) {
            add(row, &vector);
        }
        self.led_by[64 * word + mask.trailing_zeros() as usize] = self.rows.len() as u32;
        self.leading[word] |= mask;
        self.rows.push(vector);
        true
    }
}

/// Sum and difference are one.
fn add(vector: &mut [u64], other: &[u64]) {
    vector.iter_mut().zip(other).for_each(|(a, b)| *a ^= b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_basis_spans_what_went_in(vectors in proptest::collection::vec(0_u64..256, 0..7)) {
            // Spread over two words.
            let wide = |v: u64| vec![(v & 15) << 60, v >> 4];
            let mut basis = BitBasis::new(68);
            let mut span = std::collections::BTreeSet::from([0]);
            for &v in &vectors {
                prop_assert_eq!(basis.insert(wide(v)), !span.contains(&v));
                span.extend(span.clone().into_iter().map(|s| s ^ v));
            }
            prop_assert_eq!(1 << basis.rank(), span.len());
            for v in 0..256 {
                prop_assert_eq!(basis.reduce(&mut wide(v)), !span.contains(&v));
            }
        }
    }
}
