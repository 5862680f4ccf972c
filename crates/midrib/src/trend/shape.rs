//! A curve in a few words: how much it changes, where it is highest, which way it goes.

use super::domain::{Domain, Segment};

/// A curve goes one way if this share of its changes does.
const ONE_WAY: f64 = 0.9;

/// Which way a feature goes with pseudotime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It rises.
    Up,
    /// It falls.
    Down,
    /// It is highest in between.
    Peak,
    /// It is lowest in between.
    Valley,
    /// None of these, or pseudotime is not known.
    Mixed,
}

impl Direction {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Peak => "peak",
            Self::Valley => "valley",
            Self::Mixed => "mixed",
        }
    }
}

/// The shape of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The largest less the smallest value where there are points.
    pub amplitude: f64,
    /// The pseudotime of the largest value; NaN where there is none.
    pub peak_pseudotime: f64,
    /// The branch of the largest value.
    pub peak_branch: usize,
    /// Which way it goes.
    pub direction: Direction,
}

impl Shape {
    /// The shape of a curve with these values at the knots.
    pub(super) fn of(domain: &Domain, supported: &[bool], values: &[f64]) -> Self {
        let knots = (0..values.len()).filter(|&knot| supported[knot]);
        let (mut high, mut low) = (None, None);
        for knot in knots {
            if high.is_none_or(|at: usize| values[knot] > values[at]) {
                high = Some(knot);
            }
            if low.is_none_or(|at: usize| values[knot] < values[at]) {
                low = Some(knot);
            }
        }
        let (high, low) = (high.unwrap_or_default(), low.unwrap_or_default());
        let direction = match changes(domain, supported, values) {
            Some(changes) => direction(&changes, [domain.times[high], domain.times[low]]),
            None => Direction::Mixed,
        };
        Self {
            amplitude: values[high] - values[low],
            peak_pseudotime: domain.times[high],
            peak_branch: domain.branches[high],
            direction,
        }
    }
}

/// How much a curve changes with pseudotime on each segment, and the pseudotime of its middle; none
/// where pseudotime is not known.
fn changes(domain: &Domain, supported: &[bool], values: &[f64]) -> Option<Vec<(f64, f64)>> {
    let inside = domain.segments.iter().filter(|s| supported[s.from] && supported[s.to]);
    let change = |segment: &Segment| {
        let (start, end) = (domain.times[segment.from], domain.times[segment.to]);
        let change = values[segment.to] - values[segment.from];
        let middle = 0.5 * (start + end);
        (!middle.is_nan()).then_some((middle, if start <= end { change } else { -change }))
    };
    inside.map(change).collect()
}

/// The direction of these changes, for a curve whose largest and smallest values are at these times.
fn direction(changes: &[(f64, f64)], [high, low]: [f64; 2]) -> Direction {
    let total: f64 = changes.iter().map(|(_, change)| change.abs()).sum();
    if total == 0.0 {
        return Direction::Mixed;
    }
    let agrees = |way: &Direction, time: f64, change: f64| match way {
        Direction::Up => change > 0.0,
        Direction::Down => change < 0.0,
        Direction::Peak => (change > 0.0) == (time < high),
        Direction::Valley => (change < 0.0) == (time < low),
        Direction::Mixed => true,
    };
    let most = |way: &Direction| {
        let of_way = changes.iter().filter(|&&(time, change)| agrees(way, time, change));
        of_way.map(|(_, change)| change.abs()).sum::<f64>() >= ONE_WAY * total
    };
    let ways = [Direction::Up, Direction::Down, Direction::Peak, Direction::Valley];
    ways.into_iter().find(most).unwrap_or(Direction::Mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_have_the_shape_that_one_sees() {
        let points: Vec<Option<f64>> = (0..41).map(|i| Some(f64::from(i) / 20.0)).collect();
        let domain = Domain::straight(2.0, 40, &points);
        let shape = |f: fn(f64) -> f64| {
            let values: Vec<f64> = domain.times.iter().map(|&t| f(t)).collect();
            Shape::of(&domain, &domain.supported(), &values)
        };
        for (f, direction) in [
            ((|t| t * t) as fn(f64) -> f64, Direction::Up),
            (|t| -t, Direction::Down),
            (|t| (1.5 * t).sin(), Direction::Peak),
            (|t| (t - 1.0) * (t - 1.0), Direction::Valley),
            (|t| (9.0 * t).sin(), Direction::Mixed),
            (|_| 3.0, Direction::Mixed),
        ] {
            assert_eq!(shape(f).direction, direction);
        }
        let peak = shape(|t| 1.0 - (t - 0.5) * (t - 0.5));
        assert_eq!((peak.peak_pseudotime, peak.peak_branch), (0.5, 0));
        assert!((peak.amplitude - 2.25).abs() < 1e-12);
    }
}
