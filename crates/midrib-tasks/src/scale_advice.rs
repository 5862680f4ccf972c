//! Advice about columns in different units.

use midrib::Points;
use midrib::prepare::{Preparation, deviations};

use crate::columns::column_of;
use crate::listener::Wording;

/// Columns whose spreads differ by more than this factor are reported.
const UNEVEN: f64 = 10.0;
/// A narrow column counts as noise if its correlations with all other columns are smaller than this,
const RELATED: f64 = 0.2;
/// or than this over the root of the number of rows.
const BY_CHANCE: f64 = 4.0;
/// Correlations are computed from at most this many rows,
const ROWS: usize = 1000;
/// and columns.
const COLUMNS: usize = 200;

/// Wide columns dominate the distances: reports where that is likely an accident. Columns of one
/// kind, such as components, are meant to differ, and narrow columns of noise are better left narrow.
pub fn advise_scaling(
    preparation: &Preparation,
    points: &Points<'_>,
    features: &[String],
    wording: Wording,
) -> Option<String> {
    let without_kernel = Preparation { kernel: None, embed: None, ..*preparation };
    if !without_kernel.is_nothing() || points.dims() < 2 || are_numbered(features) {
        return None;
    }
    let spread = deviations(points).ok()?;
    let by_spread = |a: &usize, b: &usize| spread[*a].total_cmp(&spread[*b]);
    let high = (0..spread.len()).max_by(by_spread)?;
    let is_narrow = |d: &usize| spread[*d] > 0.0 && UNEVEN * spread[*d] < spread[high];
    let mut narrow: Vec<usize> = (0..spread.len()).filter(is_narrow).collect();
    if points.missing_values() == 0 && points.dims() <= COLUMNS {
        let columns = standardized(points);
        narrow.retain(|&d| is_related(&columns, d));
    }
    let low = narrow.into_iter().min_by(by_spread)?;
    let note = format!(
        "the columns differ in spread by a factor of {:.0} ({}: {:.3}, {}: {:.3}); columns with a \
         large spread dominate the distances; {} puts them on an equal footing",
        spread[high] / spread[low],
        features[high],
        spread[high],
        features[low],
        spread[low],
        (wording.value)("scale", "unit"),
    );
    Some(note)
}

/// Whether the names are one word with different numbers: columns of one kind.
fn are_numbered(names: &[String]) -> bool {
    let stem = |name: &String| {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        (stem.len() < name.len()).then(|| stem.to_owned())
    };
    let first = names.first().and_then(stem);
    first.is_some() && names.iter().all(|name| stem(name) == first)
}

/// Some rows of every column, with mean 0 and a squared length of 1.
fn standardized(points: &Points<'_>) -> Vec<Vec<f64>> {
    let step = points.len().div_ceil(ROWS);
    let of_column = |d: usize| {
        let mut values: Vec<f64> = column_of(points, d).into_iter().step_by(step).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter_mut().for_each(|x| *x -= mean);
        let length = values.iter().map(|x| x * x).sum::<f64>().sqrt();
        values.iter_mut().for_each(|x| *x /= length);
        values
    };
    (0..points.dims()).map(of_column).collect()
}

/// Whether a column is correlated with another one.
fn is_related(columns: &[Vec<f64>], column: usize) -> bool {
    let n = columns[column].len() as f64;
    let least = RELATED.max(BY_CHANCE / n.sqrt());
    columns.iter().enumerate().any(|(other, values)| {
        let product: f64 = values.iter().zip(&columns[column]).map(|(a, b)| a * b).sum();
        other != column && product.abs() >= least
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(names: [&str; 3], narrow: impl Fn(f64) -> f64) -> Option<String> {
        let row = |i: u32| {
            let t = f64::from(i) / 10.0;
            [30.0 * t, 20.0 * t.sin(), narrow(t)]
        };
        let points = Points::from_f64((0..400).flat_map(row).collect::<Vec<_>>(), 3).unwrap();
        let names = names.map(String::from);
        advise_scaling(&Preparation::default(), &points, &names, Wording::NAMES)
    }

    /// Values without order between 0 and 1.
    fn noise(t: f64) -> f64 {
        (t * 12_989.8).sin().abs() * 43_758.5 % 1.0
    }

    #[test]
    fn columns_in_other_units_are_named() {
        let advice = advice(["weight", "height", "share"], |t| t.cos() + 0.05 * t).unwrap();
        assert!(advice.contains("weight: 346.409") && advice.contains("share: "), "{advice}");
    }

    #[test]
    fn components_and_noise_are_as_they_should_be() {
        assert_eq!(advice(["PC1", "PC2", "PC3"], |t| t.cos() + 0.05 * t), None);
        assert_eq!(advice(["weight", "height", "noise"], noise), None);
        assert!(advice(["x0", "x1", "y"], |t| t / 40.0).is_some());
    }
}
