//! Fields of a table: whether one is a missing value, and the numbers in a column.

use std::collections::HashSet;

/// Text for "no value", in lower case.
const MISSING: [&str; 6] = ["", "na", "n/a", "null", "none", "?"];

/// Whether a field of a table stands for a missing value, whatever its case.
///
/// ```
/// use midrib::is_missing;
/// assert!(["", " NA", "n/a", "NaN", "-nan", "None", "?"].into_iter().all(is_missing));
/// assert!(!["0", "naive", "unknown"].into_iter().any(is_missing));
/// ```
pub fn is_missing(field: &str) -> bool {
    let field = field.trim();
    MISSING.iter().any(|text| field.eq_ignore_ascii_case(text))
        || field.parse().is_ok_and(f64::is_nan)
}

/// Columns with at most this many different numbers are labels.
const FEW_NUMBERS: usize = 12;

/// The numbers in a column of text, NaN where a value is missing. None if some field is not a number
/// or looks like a name: it has leading zeros, or more digits than a number holds. None also if at
/// most twelve numbers differ, since these are usually labels.
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
pub fn measures<'w>(fields: impl Iterator<Item = &'w str>) -> Option<Vec<f64>> {
    let number = |field: &str| match field.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && !is_name(field.trim()) => Some(number),
        _ => is_missing(field).then_some(f64::NAN),
    };
    let numbers: Vec<f64> = fields.map(number).collect::<Option<_>>()?;
    let present = numbers.iter().filter(|number| !number.is_nan());
    let different: HashSet<u64> = present.map(|number| number.to_bits()).collect();
    (different.len() > FEW_NUMBERS).then_some(numbers)
}

fn is_name(number: &str) -> bool {
    let digits = number.trim_start_matches(['-', '+']);
    let is_padded =
        digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    is_padded || (digits.len() > 15 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
