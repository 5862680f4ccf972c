//! Crossings between line segments.

/// Segments closer than this share of their extent touch.
const TOUCH: f64 = 1e-12;

/// A line segment between two stars.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub from: [f64; 2],
    pub to: [f64; 2],
    /// The stars that it connects; segments that share a star do not cross.
    pub ends: (usize, usize),
}

/// The pairs of segments that cross or touch, found by a left-to-right sweep.
pub(super) fn crossings(segments: &[Segment]) -> Vec<(usize, usize)> {
    let left = |s: usize| segments[s].from[0].min(segments[s].to[0]);
    let right = |s: usize| segments[s].from[0].max(segments[s].to[0]);
    let mut order: Vec<usize> = (0..segments.len()).collect();
    order.sort_by(|&a, &b| left(a).total_cmp(&left(b)).then(a.cmp(&b)));
    let mut open: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for segment in order {
        open.retain(|&other| right(other) >= left(segment));
        let crossed = open.iter().filter(|&&other| cross(&segments[segment], &segments[other]));
        found.extend(crossed.map(|&other| (segment.min(other), segment.max(other))));
        open.push(segment);
    }
    found.sort_unstable();
    found
}

/// Whether two segments cross or touch.
pub(super) fn cross(one: &Segment, two: &Segment) -> bool {
    let (a, b) = one.ends;
    if a == two.ends.0 || a == two.ends.1 || b == two.ends.0 || b == two.ends.1 {
        return false;
    }
    let apart = |axis: usize| {
        let least = |s: &Segment| s.from[axis].min(s.to[axis]);
        let most = |s: &Segment| s.from[axis].max(s.to[axis]);
        most(one) < least(two) || most(two) < least(one)
    };
    !apart(1) && !apart(0) && !one_side(one, two) && !one_side(two, one)
}

/// Whether both ends of `other` are clearly on the same side of the line through `line`.
fn one_side(line: &Segment, other: &Segment) -> bool {
    let along = [line.to[0] - line.from[0], line.to[1] - line.from[1]];
    let side = |p: [f64; 2]| {
        let gap = [p[0] - line.from[0], p[1] - line.from[1]];
        let area = along[0] * gap[1] - along[1] * gap[0];
        let size = along[0].hypot(along[1]) * gap[0].hypot(gap[1]);
        if area.abs() <= TOUCH * size { 0.0 } else { area }
    };
    side(other.from) * side(other.to) > 0.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn segment(from: [f64; 2], to: [f64; 2], number: usize) -> Segment {
        Segment { from, to, ends: (2 * number, 2 * number + 1) }
    }

    #[test]
    fn segments_cross_touch_or_miss() {
        let line = segment([0.0, 0.0], [4.0, 0.0], 0);
        for (from, to, expected) in [
            ([1.0, -1.0], [1.0, 1.0], true),
            ([1.0, 0.0], [1.0, 1.0], true),
            ([5.0, -1.0], [5.0, 1.0], false),
            ([1.0, 0.5], [3.0, 0.1], false),
            ([3.0, 0.0], [6.0, 0.0], true),
            ([5.0, 0.0], [6.0, 0.0], false),
        ] {
            assert_eq!(cross(&line, &segment(from, to, 1)), expected, "{from:?} {to:?}");
        }
        let joined = Segment { ends: (1, 9), ..segment([1.0, -1.0], [1.0, 1.0], 1) };
        assert!(!cross(&line, &joined));
    }

    proptest! {
        #[test]
        fn the_sweep_misses_nothing(
            ends in proptest::collection::vec(proptest::array::uniform4(-3.0..3.0_f64), 0..30),
        ) {
            let segments: Vec<Segment> = ends
                .iter()
                .enumerate()
                .map(|(i, e)| segment([e[0], e[1]], [e[2], e[3]], i))
                .collect();
            let n = segments.len();
            let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
            // Independent of the code above: intersect the lines by Cramer's rule.
            let meet = |&(a, b): &(usize, usize)| {
                let (s, t) = (ends[a], ends[b]);
                let (u, v) = ([s[2] - s[0], s[3] - s[1]], [t[2] - t[0], t[3] - t[1]]);
                let gap = [t[0] - s[0], t[1] - s[1]];
                let area = u[0] * v[1] - u[1] * v[0];
                let along = (gap[0] * v[1] - gap[1] * v[0]) / area;
                let across = (gap[0] * u[1] - gap[1] * u[0]) / area;
                (0.0..=1.0).contains(&along) && (0.0..=1.0).contains(&across)
            };
            prop_assert_eq!(crossings(&segments), pairs.filter(meet).collect::<Vec<_>>());
        }
    }
}
