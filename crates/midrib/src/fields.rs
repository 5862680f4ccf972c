//! Fields of a table: whether one is a missing value, and the numbers in a column.

use std::collections::HashSet;

/// Words for "no value", in lower case.
const MISSING: [&str; 6] = ["", "na", "n/a", "null", "none", "?"];

/// Whether a field of a table says that nothing is known, whatever its case.
///
/// ```
/// use midrib::is_missing;
/// assert!(["", " NA", "n/a", "NaN", "-nan", "None", "?"].into_iter().all(is_missing));
/// assert!(!["0", "naive", "unknown"].into_iter().any(is_missing));
/// ```
pub fn is_missing(field: &str) -> bool {
    let field = field.trim();
    MISSING.iter().any(|word| field.eq_ignore_ascii_case(word))
        || field.parse().is_ok_and(f64::is_nan)
}

/// Up to this many different numbers rather tell classes apart.
const FEW_NUMBERS: usize = 12;

/// What a column of words measures: its numbers, NaN where nothing is known. None if a word is no
/// number, or rather a name: with zeros in front, or with more digits than a number holds. None
/// also if there are at most twelve different ones, which rather number classes.
///
/// ```
/// use midrib::measures;
/// let ages: Vec<String> = (20..40).map(|age| format!("{age}.5")).collect();
/// let ages = measures(ages.iter().map(String::as_str).chain(["NA"])).unwrap();
/// assert!(ages[0] == 20.5 && ages[20].is_nan());
/// assert!(measures(["0", "1", "1", "0"].into_iter()).is_none());
/// let names: Vec<String> = (0..40).map(|i| format!("{i:04}")).collect();
/// assert!(measures(names.iter().map(String::as_str)).is_none());
/// ```
pub fn measures<'w>(words: impl Iterator<Item = &'w str>) -> Option<Vec<f64>> {
    let number = |word: &str| match word.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && !is_name(word.trim()) => Some(number),
        _ => is_missing(word).then_some(f64::NAN),
    };
    let numbers: Vec<f64> = words.map(number).collect::<Option<_>>()?;
    let known = numbers.iter().filter(|number| !number.is_nan());
    let different: HashSet<u64> = known.map(|number| number.to_bits()).collect();
    (different.len() > FEW_NUMBERS).then_some(numbers)
}

fn is_name(number: &str) -> bool {
    let digits = number.trim_start_matches(['-', '+']);
    let is_padded =
        digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    is_padded || (digits.len() > 15 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
