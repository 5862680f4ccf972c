//! Numbers as text that reads back as the same number.

use std::fmt;

/// Shows a number in its shortest exact form, with an exponent where it is very large or small.
pub(super) struct Exact(pub(super) f64);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) || !size.is_finite() {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_reads_back_as_itself() {
        for number in [0.0, -0.0, 0.1, 1.0 / 3.0, 1e300, -5e-324, f64::MAX, 123456.789] {
            let text = Exact(number).to_string();
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits());
            assert!(text.len() < 25, "{text}");
        }
    }
}
