//! Amounts of memory, parsed and printed.

use std::fmt;
use std::str::FromStr;

/// A number of bytes. Units count in thousands; `GiB` and its like in 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(pub u64);

const UNITS: [(&str, f64); 9] = [
    ("", 1.0),
    ("B", 1.0),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("MIB", 1_048_576.0),
    ("GIB", 1_073_741_824.0),
    ("TIB", 1_099_511_627_776.0),
];

impl FromStr for Memory {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let unit = unit.trim().to_uppercase();
        let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
        match (number.trim().parse::<f64>(), factor) {
            (Ok(number), Some(factor)) if number > 0.0 && number * factor < u64::MAX as f64 => {
                Ok(Self((number * factor) as u64))
            }
            _ => Err("give an amount such as 500MB or 2GB".into()),
        }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0 as f64;
        let (name, factor) =
            UNITS[1..6].iter().rfind(|(_, factor)| bytes >= *factor).unwrap_or(&UNITS[1]);
        let tenths = (10.0 * bytes / factor).round() / 10.0;
        write!(f, "{tenths}{name}")
    }
}

impl Memory {
    /// At least this much, in a round number.
    pub fn rounded_up(self) -> Self {
        let bytes = self.0 as f64;
        let unit = UNITS[1..6].iter().rfind(|(_, factor)| bytes >= *factor).map_or(1.0, |u| u.1);
        Self(((bytes / unit).ceil() * unit) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_parsed_and_printed() {
        for (text, bytes, printed) in [
            ("500MB", 500_000_000, "500MB"),
            ("2GB", 2_000_000_000, "2GB"),
            ("1.5 gb", 1_500_000_000, "1.5GB"),
            ("1GiB", 1_073_741_824, "1.1GB"),
            ("12", 12, "12B"),
            ("3kB", 3000, "3KB"),
        ] {
            let memory: Memory = text.parse().unwrap();
            assert_eq!((memory.0, memory.to_string().as_str()), (bytes, printed));
        }
        for text in ["", "GB", "-1GB", "0", "2XB", "1e99GB", "nan"] {
            assert!(text.parse::<Memory>().is_err(), "{text}");
        }
        assert_eq!(Memory(3_600_000_001).rounded_up(), Memory(4_000_000_000));
    }
}
