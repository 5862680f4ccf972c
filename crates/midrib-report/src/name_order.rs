//! The natural order of class names.

use std::cmp::Ordering;

/// Numbers by value, then other names letter by letter, with numbers inside them compared by value,
/// so that `day 2` comes before `day 10`.
pub(crate) fn by_name(a: &str, b: &str) -> Ordering {
    number(a).total_cmp(&number(b)).then_with(|| natural_order(a, b)).then_with(|| a.cmp(b))
}

/// The value of a numeric name; other names come after all numbers.
fn number(name: &str) -> f64 {
    name.parse().ok().filter(|x: &f64| x.is_finite()).unwrap_or(f64::INFINITY)
}

fn natural_order(mut a: &str, mut b: &str) -> Ordering {
    while let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) {
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let (of_a, of_b) = (leading_digits(&mut a), leading_digits(&mut b));
            of_a.len().cmp(&of_b.len()).then(of_a.cmp(of_b))
        } else {
            (a, b) = (&a[x.len_utf8()..], &b[y.len_utf8()..]);
            x.cmp(&y)
        };
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// Removes the digits at the start of a text and returns them without leading zeros.
fn leading_digits<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_inside_names_are_compared_by_value() {
        let sorted =
            ["-1", "2", "10", "day 2", "day 2b", "day 02c", "day 10", "day é1", "day é12", "week"];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(names, sorted);
    }

    #[test]
    fn different_names_are_never_equal() {
        assert_eq!(by_name("day 2", "day 02").reverse(), by_name("day 02", "day 2"));
        assert!(by_name("day 2", "day 02").is_ne());
        assert!(by_name("day 2", "day 2").is_eq());
    }
}
