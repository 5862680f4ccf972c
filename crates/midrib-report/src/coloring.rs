//! What the colours of the points tell.

use std::collections::HashMap;

use midrib::is_missing;

use crate::name_order::by_name;
use crate::palette::{self, MOST_CLASSES};

/// What the colours of the points tell.
///
/// ```
/// use midrib_report::Coloring;
/// let stages = Coloring::by_class("stage", &["old", "young", "old", ""]);
/// let Coloring::Classes { names, of_point, .. } = stages else { panic!() };
/// assert_eq!(names, ["old", "young"]);
/// assert_eq!(of_point, [Some(0), Some(1), Some(0), None]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Coloring {
    /// Nothing.
    Plain,
    /// Classes, those beyond the palette together at the end.
    Classes {
        /// What the classes are.
        title: String,
        /// Their names.
        names: Vec<String>,
        /// The class of each point; none where it is unknown.
        of_point: Vec<Option<usize>>,
    },
    /// Numbers.
    Values {
        /// What the numbers are.
        title: String,
        /// The number of each point; NaN where it is unknown.
        values: Vec<f64>,
    },
}

impl Coloring {
    /// Classes by their names in alphabetical order, numbers in theirs; an empty name or a
    /// word for nothing, such as `NA`, is unknown. Where there are more than the palette has
    /// colours, the rarest share one.
    pub fn by_class<S: AsRef<str>>(title: &str, names: &[S]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in names.iter().map(AsRef::as_ref).filter(|name| !is_missing(name)) {
            *counts.entry(name).or_default() += 1;
        }
        let mut kept: Vec<&str> = counts.keys().copied().collect();
        if kept.len() > MOST_CLASSES {
            kept.sort_by(|a, b| counts[b].cmp(&counts[a]).then(a.cmp(b)));
            kept.truncate(MOST_CLASSES);
        }
        kept.sort_by(|a, b| by_name(a, b));
        let others = counts.len() - kept.len();
        let class: HashMap<&str, usize> = kept.iter().enumerate().map(|(i, &n)| (n, i)).collect();
        let of = |name: &str| match class.get(name) {
            Some(&class) => Some(class),
            None if is_missing(name) => None,
            None => Some(kept.len()),
        };
        let of_point = names.iter().map(|name| of(name.as_ref())).collect();
        let mut names: Vec<String> = kept.iter().map(|&name| name.to_owned()).collect();
        if others > 0 {
            names.push(format!("{others} others"));
        }
        Self::Classes { title: title.into(), names, of_point }
    }

    /// Tells the colour of each point.
    pub(crate) fn painter(&self) -> impl Fn(usize) -> String {
        let (low, high) = match self {
            Self::Values { values, .. } => range(values),
            _ => (0.0, 1.0),
        };
        move |i| match self {
            Self::Plain => palette::of_class(4).into(),
            Self::Classes { of_point, .. } => match of_point.get(i).copied().flatten() {
                Some(class) => palette::of_class(class).into(),
                None => palette::NONE.into(),
            },
            Self::Values { values, .. } => {
                palette::of_share(share(values.get(i).copied().unwrap_or(f64::NAN), low, high))
            }
        }
    }
}

/// The least and the largest number that is known; 0 and 1 if none is.
pub(crate) fn range(values: &[f64]) -> (f64, f64) {
    let known = || values.iter().copied().filter(|x| x.is_finite());
    let (low, high) =
        (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// Where between two numbers one lies; the middle if they are equal.
pub(crate) fn share(value: f64, low: f64, high: f64) -> f64 {
    if !value.is_finite() {
        f64::NAN
    } else if high > low {
        // Halved, so that the difference of the extremes does not overflow.
        (0.5 * value - 0.5 * low) / (0.5 * high - 0.5 * low)
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_classes_share_a_gray() {
        let names: Vec<String> = (0..500).map(|i| format!("class {}", i % 40)).collect();
        let Coloring::Classes { names, of_point, .. } = Coloring::by_class("c", &names) else {
            panic!()
        };
        assert_eq!(names.len(), MOST_CLASSES + 1);
        assert_eq!(names.last().unwrap(), "20 others");
        assert!(of_point.iter().all(|class| class.is_some_and(|c| c <= MOST_CLASSES)));
        assert_eq!(palette::of_class(MOST_CLASSES), palette::GRAY);
    }

    #[test]
    fn as_many_classes_as_colors_have_one_each() {
        let names: Vec<String> = (0..MOST_CLASSES).map(|i| format!("class {i}")).collect();
        let paint = Coloring::by_class("c", &names);
        let mut colors: Vec<String> = (0..MOST_CLASSES).map(paint.painter()).collect();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), MOST_CLASSES);
        assert!(!colors.iter().any(|color| color == palette::GRAY));
    }

    #[test]
    fn numbered_classes_are_in_the_order_of_their_numbers() {
        let coloring = Coloring::by_class("digit", &["10", "9", "b", "NA", "1"]);
        let Coloring::Classes { names, of_point, .. } = coloring else { panic!() };
        assert_eq!(names, ["1", "9", "10", "b"]);
        assert_eq!(of_point[3], None);
    }

    #[test]
    fn extremes_and_gaps_have_a_place() {
        assert_eq!(share(0.0, f64::MIN, f64::MAX), 0.5);
        assert_eq!(share(3.0, 3.0, 3.0), 0.5);
        assert!(share(f64::NAN, 0.0, 1.0).is_nan());
        assert_eq!(range(&[f64::NAN, 2.0, f64::INFINITY, -1.0]), (-1.0, 2.0));
        assert_eq!(range(&[]), (0.0, 1.0));
    }
}
