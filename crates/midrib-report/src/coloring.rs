//! How the points are colored.

use std::collections::HashMap;

use midrib::is_missing;

use crate::name_order::by_name;
use crate::palette::{self, MAX_CLASSES};

/// How the points are colored.
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
    /// All in the same color.
    Plain,
    /// By class; classes beyond the palette share the last one.
    Classes {
        /// The title of the legend.
        title: String,
        /// The names of the classes.
        names: Vec<String>,
        /// The class of each point; `None` if it is missing.
        of_point: Vec<Option<usize>>,
    },
    /// By number.
    Values {
        /// The title of the legend.
        title: String,
        /// The number of each point; NaN if it is missing.
        values: Vec<f64>,
    },
}

impl Coloring {
    /// Colors by class, in the natural order of the names; an empty name or a missing-value marker
    /// such as `NA` counts as missing. If there are more classes than the palette has colors, the
    /// rarest share one.
    pub fn by_class<S: AsRef<str>>(title: &str, names: &[S]) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in names.iter().map(AsRef::as_ref).filter(|name| !is_missing(name)) {
            *counts.entry(name).or_default() += 1;
        }
        let mut kept: Vec<&str> = counts.keys().copied().collect();
        if kept.len() > MAX_CLASSES {
            kept.sort_by(|a, b| counts[b].cmp(&counts[a]).then(a.cmp(b)));
            kept.truncate(MAX_CLASSES);
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

    /// A function that returns the color of a point.
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

/// The smallest and the largest finite number; 0 and 1 if there is none.
pub(crate) fn range(values: &[f64]) -> (f64, f64) {
    let finite = || values.iter().copied().filter(|x| x.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The position of a value between two numbers, from 0 to 1; 0.5 if they are equal.
pub(crate) fn share(value: f64, low: f64, high: f64) -> f64 {
    if !value.is_finite() {
        f64::NAN
    } else if high > low {
        // Halved, so that the difference does not overflow.
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
        assert_eq!(names.len(), MAX_CLASSES + 1);
        assert_eq!(names.last().unwrap(), "20 others");
        assert!(of_point.iter().all(|class| class.is_some_and(|c| c <= MAX_CLASSES)));
        assert_eq!(palette::of_class(MAX_CLASSES), palette::GRAY);
    }

    #[test]
    fn as_many_classes_as_colors_get_one_each() {
        let names: Vec<String> = (0..MAX_CLASSES).map(|i| format!("class {i}")).collect();
        let paint = Coloring::by_class("c", &names);
        let mut colors: Vec<String> = (0..MAX_CLASSES).map(paint.painter()).collect();
        colors.sort_unstable();
        colors.dedup();
        assert_eq!(colors.len(), MAX_CLASSES);
        assert!(!colors.iter().any(|color| color == palette::GRAY));
    }

    #[test]
    fn numeric_classes_are_sorted_by_value() {
        let coloring = Coloring::by_class("digit", &["10", "9", "b", "NA", "1"]);
        let Coloring::Classes { names, of_point, .. } = coloring else { panic!() };
        assert_eq!(names, ["1", "9", "10", "b"]);
        assert_eq!(of_point[3], None);
    }

    #[test]
    fn shares_of_extreme_and_missing_values() {
        assert_eq!(share(0.0, f64::MIN, f64::MAX), 0.5);
        assert_eq!(share(3.0, 3.0, 3.0), 0.5);
        assert!(share(f64::NAN, 0.0, 1.0).is_nan());
        assert_eq!(range(&[f64::NAN, 2.0, f64::INFINITY, -1.0]), (-1.0, 2.0));
        assert_eq!(range(&[]), (0.0, 1.0));
    }
}
