//! Segments in the order of a curve: joined greedily, then improved by 2-opt. Verbeek2002, combining
//! line segments.

use std::f64::consts::PI;

use crate::math::{Sets, dot};

/// An order is better only if it costs less by more than rounding.
const ROUNDING: f64 = 1e-12;

/// A segment by its two ends.
pub(super) type Ends = [Vec<f64>; 2];

/// A segment of a path, and the end at which the path enters it.
pub(super) type Visit = (usize, usize);

/// What a link between the ends of two segments costs.
pub(super) struct Links<'s> {
    segments: &'s [Ends],
    /// The direction of each segment, from its first end to its second; zero if it has no length.
    directions: Vec<Vec<f64>>,
    /// What a turn by one radian costs.
    turn: f64,
}

impl<'s> Links<'s> {
    /// A turn by 180 degrees costs `angle_penalty` times the mean length of the segments.
    pub fn new(segments: &'s [Ends], angle_penalty: f64) -> Self {
        let along = |ends: &Ends| toward(&ends[0], &ends[1]);
        let (directions, lengths): (Vec<_>, Vec<f64>) = segments.iter().map(along).unzip();
        let mean = lengths.iter().sum::<f64>() / segments.len() as f64;
        Self { segments, directions, turn: angle_penalty * mean / PI }
    }

    /// The cost of leaving segment `from.0` by its end `from.1` and entering `to.0` by `to.1`.
    fn cost(&self, from: Visit, to: Visit) -> f64 {
        let (link, length) = toward(&self.segments[from.0][from.1], &self.segments[to.0][to.1]);
        let out = |(segment, end): Visit, sign: f64| -> Vec<f64> {
            let sign = if end == 1 { sign } else { -sign };
            self.directions[segment].iter().map(|x| sign * x).collect()
        };
        let (leaving, entering) = (out(from, 1.0), out(to, -1.0));
        let turned = match length > 0.0 {
            true => angle(&leaving, &link) + angle(&link, &entering),
            false => angle(&leaving, &entering),
        };
        length + self.turn * turned
    }

    /// The segments in the order of the best path found.
    pub fn path(&self) -> Vec<Visit> {
        let mut path = self.greedy();
        self.two_opt(&mut path);
        path
    }

    /// Joins the two ends whose link costs least, until all segments are one path.
    fn greedy(&self) -> Vec<Visit> {
        let count = self.segments.len();
        let mut links: Vec<(f64, usize, usize)> = (0..2 * count)
            .flat_map(|a| (2 * (a / 2 + 1)..2 * count).map(move |b| (a, b)))
            .map(|(a, b)| (self.cost((a / 2, a % 2), (b / 2, b % 2)), a, b))
            .collect();
        links.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        let mut joined: Vec<Option<usize>> = vec![None; 2 * count];
        let mut sets = Sets::new(count);
        for (_, a, b) in links {
            if joined[a].is_none() && joined[b].is_none() && sets.join(a / 2, b / 2) {
                joined[a] = Some(b);
                joined[b] = Some(a);
            }
        }
        let mut at = joined.iter().position(Option::is_none);
        let mut path = Vec::with_capacity(count);
        while let Some(end) = at {
            path.push((end / 2, end % 2));
            at = joined[end ^ 1];
        }
        path
    }

    /// Reverses the stretch of the path that lowers its cost most, until none does.
    fn two_opt(&self, path: &mut [Visit]) {
        let last = path.len() - 1;
        let link = |a: Visit, b: Visit| self.cost((a.0, 1 - a.1), b);
        let scale: f64 = path.windows(2).map(|pair| link(pair[0], pair[1])).sum();
        let flipped = |visit: Visit| (visit.0, 1 - visit.1);
        loop {
            let mut best = (-ROUNDING * scale, 0, 0);
            for i in 0..=last {
                for j in i..=last {
                    let mut change = 0.0;
                    if i > 0 {
                        change += link(path[i - 1], flipped(path[j])) - link(path[i - 1], path[i]);
                    }
                    if j < last {
                        change += link(flipped(path[i]), path[j + 1]) - link(path[j], path[j + 1]);
                    }
                    if change < best.0 {
                        best = (change, i, j);
                    }
                }
            }
            let (change, i, j) = best;
            if change >= -ROUNDING * scale {
                return;
            }
            path[i..=j].reverse();
            path[i..=j].iter_mut().for_each(|visit| *visit = flipped(*visit));
        }
    }
}

/// The direction and the length from one position to another; no direction if they are one.
fn toward(from: &[f64], to: &[f64]) -> (Vec<f64>, f64) {
    let mut away: Vec<f64> = to.iter().zip(from).map(|(b, a)| b - a).collect();
    let length = dot(&away, &away).sqrt();
    if length > 0.0 {
        away.iter_mut().for_each(|x| *x /= length);
    }
    (away, length)
}

/// The angle between two directions, 0 if one of them is none.
fn angle(a: &[f64], b: &[f64]) -> f64 {
    let (apart, sum): (f64, f64) = a.iter().zip(b).fold((0.0, 0.0), |(apart, sum), (a, b)| {
        (apart + (a - b) * (a - b), sum + (a + b) * (a + b))
    });
    let is_direction = |x: &[f64]| x.iter().any(|x| *x != 0.0);
    if is_direction(a) && is_direction(b) { 2.0 * apart.sqrt().atan2(sum.sqrt()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(i: usize) -> f64 {
        (1.7 * i as f64 + (i * i % 31) as f64).sin()
    }

    fn cost(links: &Links<'_>, path: &[Visit]) -> f64 {
        path.windows(2).map(|pair| links.cost((pair[0].0, 1 - pair[0].1), pair[1])).sum()
    }

    /// All orders of the segments, with all ways to pass through each.
    fn all_paths(count: usize) -> Vec<Vec<Visit>> {
        let Some(last) = count.checked_sub(1) else { return vec![Vec::new()] };
        let mut paths = Vec::new();
        for shorter in all_paths(last) {
            for at in 0..=last {
                for end in 0..2 {
                    let mut path = shorter.clone();
                    path.insert(at, (last, end));
                    paths.push(path);
                }
            }
        }
        paths
    }

    #[test]
    fn a_path_visits_every_segment_and_no_reversal_improves_it() {
        for seed in 0..20 {
            let end = |i: usize| (0..3).map(|d| wave(100 * seed + 3 * i + d)).collect();
            let segments: Vec<Ends> = (0..5).map(|s| [end(2 * s), end(2 * s + 1)]).collect();
            let links = Links::new(&segments, 1.0);
            let path = links.path();
            let mut visited: Vec<usize> = path.iter().map(|visit| visit.0).collect();
            visited.sort_unstable();
            assert_eq!(visited, [0, 1, 2, 3, 4]);
            let least =
                all_paths(5).iter().map(|path| cost(&links, path)).fold(f64::INFINITY, f64::min);
            let found = cost(&links, &path);
            assert!(found >= least - 1e-12 && found <= 1.3 * least, "{found} {least}");
        }
    }

    #[test]
    fn turns_cost_their_angle() {
        let segments = [
            [vec![0.0, 0.0], vec![1.0, 0.0]],
            [vec![2.0, 0.0], vec![2.0, 1.0]],
            [vec![1.0, 0.0], vec![0.0, 0.0]],
        ];
        let links = Links::new(&segments, 0.5);
        assert!((links.cost((0, 1), (1, 0)) - 1.25).abs() < 1e-12);
        assert!((links.cost((0, 1), (2, 0)) - 0.5).abs() < 1e-12);
        assert!((links.cost((2, 1), (0, 0)) - 0.5).abs() < 1e-12);
        assert_eq!(Links::new(&segments[..1], 1.0).path(), [(0, 0)]);
    }
}
