//! Arrays as text: byte planes, zlib, base64.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Map, Value, json};

/// The largest code of a number; the one above it means missing.
pub const TOP_16: u16 = u16::MAX - 1;
const TOP_8: u8 = u8::MAX - 1;

/// The largest code of a position if there are many points: a quarter of a pixel.
pub const TOP_12: u16 = 4094;
/// Longer texts are not packed letter by letter.
const MAX_LETTERS: usize = 64;

/// The precision of stored numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Seven digits, or 16-bit codes if those are finer.
    Single,
    /// 16-bit codes over their range.
    Word,
    /// 8-bit codes over their range.
    Byte,
}

impl Depth {
    /// The maximum bytes of a value on the page.
    pub fn bytes(self) -> usize {
        match self {
            Self::Single => 6,
            Self::Word => 3,
            Self::Byte => 2,
        }
    }
}

/// An array that may become part of the report.
pub struct Packed {
    kind: &'static str,
    n: usize,
    data: String,
}

impl Packed {
    pub fn u16(values: &[u16]) -> Self {
        Self::planes("u16", values.iter().map(|value| value.to_le_bytes()))
    }

    pub fn u32(values: impl ExactSizeIterator<Item = u32> + Clone) -> Self {
        Self::planes("u32", values.map(u32::to_le_bytes))
    }

    pub fn f32(values: &[f64]) -> Self {
        Self::planes("f32", values.iter().map(|value| (*value as f32).to_le_bytes()))
    }

    pub fn f64(values: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        Self::planes("f64", values.map(f64::to_le_bytes))
    }

    /// Texts, as a JSON list or letter by letter, whichever is shorter.
    pub fn texts(texts: &[&str]) -> Self {
        let list = Self::of("text", texts.len(), json!(texts).to_string().as_bytes());
        match Self::letters(texts) {
            Some(letters) if letters.data.len() < list.data.len() => letters,
            _ => list,
        }
    }

    /// All last letters, then all second-to-last letters, and so on: consecutive numbers, and letters
    /// of a small alphabet, compress well this way. Short texts end in zeros; `None` if that would
    /// be ambiguous.
    fn letters(texts: &[&str]) -> Option<Self> {
        let plain = |text: &&str| text.bytes().all(|c| c.is_ascii() && c != 0);
        let longest = texts.iter().map(|text| text.len()).max()?;
        if longest > MAX_LETTERS || !texts.iter().all(plain) {
            return None;
        }
        let mut bytes = Vec::with_capacity(longest * texts.len());
        for back in 1..=longest {
            let letter =
                |text: &&str| text.len().checked_sub(back).map_or(0, |at| text.as_bytes()[at]);
            bytes.extend(texts.iter().map(letter));
        }
        Some(Self::of("letters", texts.len(), &bytes))
    }

    /// Numbers over their range, with the given precision; NaN has its own code.
    pub fn numbers(
        values: impl ExactSizeIterator<Item = f64> + Clone,
        range: Range,
        depth: Depth,
    ) -> Self {
        match depth {
            Depth::Single if range.suits_single() => Self::f32(&values.collect::<Vec<_>>()),
            Depth::Single | Depth::Word => Self::codes(values, range, true),
            Depth::Byte => Self::codes(values, range, false),
        }
    }

    /// Numbers as 8-bit or 16-bit codes over their range; NaN has its own code.
    pub fn codes(
        values: impl ExactSizeIterator<Item = f64> + Clone,
        range: Range,
        wide: bool,
    ) -> Self {
        if wide {
            let codes: Vec<u16> = values.map(|value| range.code(value)).collect();
            return Self::u16(&codes);
        }
        let code = |value: f64| match range.share(value) {
            Some(share) => [(share * f64::from(TOP_8)).round() as u8],
            None => [u8::MAX],
        };
        Self::planes("u8", values.map(code))
    }

    /// All first bytes, then all second bytes, and so on: bytes that change little compress well.
    fn planes<const W: usize>(
        kind: &'static str,
        values: impl ExactSizeIterator<Item = [u8; W]> + Clone,
    ) -> Self {
        let n = values.len();
        let mut bytes = Vec::with_capacity(W * n);
        for plane in 0..W {
            bytes.extend(values.clone().map(|value| value[plane]));
        }
        Self::of(kind, n, &bytes)
    }

    fn of(kind: &'static str, n: usize, bytes: &[u8]) -> Self {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        // Writing to memory does not fail.
        let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
        Self { kind, n, data: STANDARD.encode(written.unwrap_or_default()) }
    }

    /// The approximate number of bytes in the report.
    pub fn size(&self) -> usize {
        self.data.len() + 64
    }
}

/// The arrays of a report.
#[derive(Default)]
pub struct Arrays {
    packed: Map<String, Value>,
    bytes: usize,
}

impl Arrays {
    pub fn add(&mut self, name: &str, array: Packed) {
        self.bytes += array.size();
        let Packed { kind, n, data } = array;
        self.packed.insert(name.into(), json!({"kind": kind, "n": n, "data": data}));
    }

    /// Their total number of bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn into_json(self) -> Value {
        Value::Object(self.packed)
    }
}

/// The smallest and the largest of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// The range of the finite values; from 0 to 1 if there are none.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if low <= high { Self { low, high } } else { Self { low: 0.0, high: 1.0 } }
    }

    /// Whether single precision is at least as fine as 16-bit codes, and does not overflow.
    fn suits_single(&self) -> bool {
        let largest = self.low.abs().max(self.high.abs());
        let step = (self.high - self.low) / f64::from(TOP_16);
        (1e-30..1e30).contains(&largest) && largest * f64::from(f32::EPSILON) <= step
    }

    /// The position of a number in the range, from 0 to 1; `None` if it is missing.
    fn share(&self, value: f64) -> Option<f64> {
        if !value.is_finite() {
            None
        } else if self.high > self.low {
            // Halved, so that the difference does not overflow.
            let share = (0.5 * value - 0.5 * self.low) / (0.5 * self.high - 0.5 * self.low);
            Some(share.clamp(0.0, 1.0))
        } else {
            Some(0.5)
        }
    }

    pub fn code(&self, value: f64) -> u16 {
        self.code_up_to(value, TOP_16)
    }

    /// From 0 to `top` over the range.
    pub fn code_up_to(&self, value: f64, top: u16) -> u16 {
        match self.share(value) {
            Some(share) => (share * f64::from(top)).round() as u16,
            None => u16::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn arrays_are_stored_plane_by_plane() {
        let packed = Packed::u16(&[0x0102, 0xfffe, 7]);
        let bytes = STANDARD.decode(&packed.data).unwrap();
        let mut planes = Vec::new();
        flate2::read::ZlibDecoder::new(&bytes[..]).read_to_end(&mut planes).unwrap();
        assert_eq!(planes, [0x02, 0xfe, 7, 0x01, 0xff, 0]);
        assert_eq!((packed.kind, packed.n), ("u16", 3));
    }

    #[test]
    fn texts_are_packed_letter_by_letter_if_that_is_shorter() {
        let counted: Vec<String> = (0..20_000).map(|i| format!("AAACCTG{i}-1")).collect();
        let counted: Vec<&str> = counted.iter().map(String::as_str).collect();
        let packed = Packed::texts(&counted);
        assert_eq!((packed.kind, packed.n), ("letters", 20_000));
        assert!(packed.size() < 20_000, "{}", packed.size());
        let bytes = STANDARD.decode(&packed.data).unwrap();
        let mut planes = Vec::new();
        flate2::read::ZlibDecoder::new(&bytes[..]).read_to_end(&mut planes).unwrap();
        let text: Vec<u8> =
            (0..).step_by(20_000).map_while(|at| planes.get(at + 41)).copied().collect();
        assert_eq!(text, b"1-14GTCCAAA\0\0\0");
        for other in [&["ä", "b"][..], &["a\0", "b"], &[&"x".repeat(65)], &[]] {
            assert_eq!(Packed::texts(other).kind, "text", "{other:?}");
        }
    }

    #[test]
    fn single_precision_is_used_if_it_is_finer_than_codes() {
        let kind = |low: f64, high: f64| {
            Packed::numbers([low, high].into_iter(), Range { low, high }, Depth::Single).kind
        };
        assert_eq!([kind(0.0, 1.0), kind(-7.5, 1e6), kind(1e3, 1.1e3)], ["f32"; 3]);
        // A constant, timestamps in seconds, and values that overflow single precision.
        let ranges = [(3.0, 3.0), (1.6e9, 1.6e9 + 50.0), (0.0, 1e200), (0.0, 1e-200)];
        assert!(ranges.iter().all(|&(low, high)| kind(low, high) == "u16"));
    }

    #[test]
    fn codes_keep_extremes_and_missing_values_and_are_off_by_at_most_half_a_step() {
        let range = Range::of([2.0, f64::NAN, -1.0].into_iter());
        assert_eq!(range, Range { low: -1.0, high: 2.0 });
        assert_eq!([range.code(-1.0), range.code(2.0)], [0, TOP_16]);
        assert_eq!(range.code(f64::NAN), u16::MAX);
        for i in 0..=1000 {
            let value = -1.0 + 3.0 * f64::from(i) / 1000.0;
            let back = -1.0 + 3.0 * f64::from(range.code(value)) / f64::from(TOP_16);
            assert!((value - back).abs() <= 1.5 / f64::from(TOP_16) * (1.0 + 1e-9));
        }
        let huge = Range { low: f64::MIN, high: f64::MAX };
        assert_eq!(huge.code(0.0), 32767);
        assert_eq!(Range { low: 3.0, high: 3.0 }.code(3.0), 32767);
    }
}
