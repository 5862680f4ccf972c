//! Numbers, counts and paths in sentences.

use std::path::Path;

/// `1 point`, `2 points`.
///
/// ```
/// assert_eq!(midrib_tasks::count(1, "point", "points"), "1 point");
/// ```
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Four digits, in the usual range without an exponent.
///
/// ```
/// assert_eq!(midrib_tasks::short(0.123456), "0.1235");
/// assert_eq!(midrib_tasks::short(1e9), "1.000e9");
/// ```
pub fn short(value: f64) -> String {
    // No minus before a zero.
    let value = value + 0.0;
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e6 {
        format!("{value}")
    } else if (1e-3..1e6).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    }
}

/// The number in `gaussian:0.123456789` in four digits.
pub fn shortened(word: &str) -> String {
    let parts = word.split_once(':').and_then(|(name, x)| Some((name, x.parse().ok()?)));
    parts.map_or_else(|| word.to_owned(), |(name, x)| format!("{name}:{}", short(x)))
}

/// A time as `1.23 s` or `123 s`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        0.0..0.01 => "< 0.01 s".into(),
        0.0..10.0 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// A share as `12.3 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", (1000.0 * share).round() / 10.0 + 0.0)
}

/// Thousands apart: `1,234`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The first `most` of some names, and how many more there are.
pub fn first_names(names: &[String], most: usize, more: &str) -> String {
    let mut shown = names[..names.len().min(most)].to_vec();
    if names.len() > most {
        shown.push(format!("{} more{more}", names.len() - most));
    }
    shown.join(", ")
}

/// A table's path in a sentence.
pub fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
