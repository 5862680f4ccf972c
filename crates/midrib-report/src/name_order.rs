//! The order in which names of classes are listed.

use std::cmp::Ordering;

/// Numbers by their value, then other names letter by letter with the numbers inside of them by
/// their value, so that `day 2` comes before `day 10`.
pub(crate) fn by_name(a: &str, b: &str) -> Ordering {
    number(a).total_cmp(&number(b)).then_with(|| naturally(a, b)).then_with(|| a.cmp(b))
}

/// A name that is no number comes after all of them.
fn number(name: &str) -> f64 {
    name.parse().ok().filter(|x: &f64| x.is_finite()).unwrap_or(f64::INFINITY)
}

fn naturally(mut a: &str, mut b: &str) -> Ordering {
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

/// Takes the digits off the beginning of a text; returns them without zeros before them.
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
    fn numbers_inside_of_names_count_by_their_value() {
        let sorted =
            ["-1", "2", "10", "day 2", "day 2b", "day 02c", "day 10", "day é1", "day é12", "week"];
        let mut names = sorted;
        names.reverse();
        names.sort_by(|a, b| by_name(a, b));
        assert_eq!(names, sorted);
    }

    #[test]
    fn names_differ_unless_they_are_the_same() {
        assert_eq!(by_name("day 2", "day 02").reverse(), by_name("day 02", "day 2"));
        assert!(by_name("day 2", "day 02").is_ne());
        assert!(by_name("day 2", "day 2").is_eq());
    }
}
