//! Random trees of straight edges that keep clear of each other.

use super::curves::Skeleton;
use super::random::Random;
use crate::error::{Error, Result};
use crate::math::{dot, squared_distance};

const EDGE_LENGTH: (f64, f64) = (0.6, 1.4);
/// The minimum distance between edges that share no node.
const CLEARANCE: f64 = 0.6;
/// Edges whose ends are farther apart than this keep clear of each other.
const OUT_OF_REACH: f64 = 2.0 * EDGE_LENGTH.1 + CLEARANCE;
/// The cosine of the smallest angle between two edges of a branch point, 78 degrees.
const MAX_COSINE: f64 = 0.2;
/// The number of consecutive failed forks after which the tree starts over.
const PATIENCE: usize = 400;
/// The total number of attempts at a fork.
const ATTEMPTS: usize = 30_000;

/// A tree with branch points of degree 3: starting from one edge, a random tip forks into two.
pub(super) fn random_tree(
    branch_points: usize,
    dims: usize,
    random: &mut Random,
) -> Result<Skeleton> {
    let mut tree = Growing::new(dims, random);
    let mut failures = 0;
    for _ in 0..ATTEMPTS {
        if tree.branch_points() == branch_points {
            return Ok(tree.skeleton);
        }
        failures = if tree.fork(random) { 0 } else { failures + 1 };
        if failures == PATIENCE {
            tree = Growing::new(dims, random);
            failures = 0;
        }
    }
    Err(Error::setting(
        "branch_points",
        branch_points,
        format!(
            "found no tree with that many branch points whose edges keep clear of each other in \
             {dims} dimensions; use fewer branch points or more dimensions"
        ),
    ))
}

/// A tree with the tips that may fork, each with the node at the other end of its edge.
struct Growing {
    skeleton: Skeleton,
    tips: Vec<(usize, usize)>,
}

impl Growing {
    fn new(dims: usize, random: &mut Random) -> Self {
        let start = vec![0.0; dims];
        let end = step(&start, &random.direction(dims), random);
        Self {
            skeleton: Skeleton { nodes: vec![start, end], edges: vec![(0, 1)], breadth: None },
            tips: vec![(0, 1), (1, 0)],
        }
    }

    fn branch_points(&self) -> usize {
        self.tips.len() - 2
    }

    /// Forks a random tip; returns false, without a change, if the new edges are too close to others.
    fn fork(&mut self, random: &mut Random) -> bool {
        let nodes = &self.skeleton.nodes;
        let chosen = random.below(self.tips.len());
        let (tip, inner) = self.tips[chosen];
        let back = unit(&nodes[tip], &nodes[inner]);
        let directions = [(); 2].map(|()| random.direction(back.len()));
        let ends = [0, 1].map(|i| step(&nodes[tip], &directions[i], random));
        let wide = |u: &[f64], v: &[f64]| dot(u, v) <= MAX_COSINE;
        let clear = |end: &Vec<f64>| {
            self.skeleton.edges.iter().all(|&(a, b)| {
                (a, b) == (tip.min(inner), tip.max(inner))
                    || squared_distance(&nodes[tip], &nodes[a]) > OUT_OF_REACH * OUT_OF_REACH
                    || segment_distance(&nodes[tip], end, &nodes[a], &nodes[b]) >= CLEARANCE
            })
        };
        let fits = wide(&directions[0], &directions[1])
            && directions.iter().all(|direction| wide(&back, direction))
            && ends.iter().all(clear);
        if fits {
            self.tips.swap_remove(chosen);
            for end in ends {
                let node = self.skeleton.nodes.len();
                self.skeleton.nodes.push(end);
                self.skeleton.edges.push((tip, node));
                self.tips.push((node, tip));
            }
        }
        fits
    }
}

fn step(from: &[f64], direction: &[f64], random: &mut Random) -> Vec<f64> {
    let length = random.between(EDGE_LENGTH.0, EDGE_LENGTH.1);
    let along = from.iter().zip(direction);
    along.map(|(x, u)| x + length * u).collect()
}

fn unit(from: &[f64], to: &[f64]) -> Vec<f64> {
    let difference: Vec<f64> = to.iter().zip(from).map(|(b, a)| b - a).collect();
    let length = dot(&difference, &difference).sqrt();
    difference.into_iter().map(|x| x / length).collect()
}

/// The distance between two segments in any dimension: inside both, or at one of the four ends.
fn segment_distance(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> f64 {
    let minus =
        |p: &[f64], q: &[f64]| -> Vec<f64> { p.iter().zip(q).map(|(p, q)| p - q).collect() };
    let point_to = |p: &[f64], q: &[f64], r: &[f64]| {
        let along = minus(r, q);
        let off = minus(p, q);
        let t = (dot(&off, &along) / dot(&along, &along)).clamp(0.0, 1.0);
        let gap: Vec<f64> = off.iter().zip(&along).map(|(off, along)| off - t * along).collect();
        dot(&gap, &gap).sqrt()
    };
    let at_ends = [point_to(a, c, d), point_to(b, c, d), point_to(c, a, b), point_to(d, a, b)]
        .into_iter()
        .fold(f64::INFINITY, f64::min);

    let (u, v, w) = (minus(b, a), minus(d, c), minus(a, c));
    let (uu, uv, vv) = (dot(&u, &u), dot(&u, &v), dot(&v, &v));
    let (uw, vw) = (dot(&u, &w), dot(&v, &w));
    let determinant = uu * vv - uv * uv;
    let s = (uv * vw - vv * uw) / determinant;
    let t = (uu * vw - uv * uw) / determinant;
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        let gap: Vec<f64> = (0..w.len()).map(|i| w[i] + s * u[i] - t * v[i]).collect();
        at_ends.min(dot(&gap, &gap).sqrt())
    } else {
        at_ends
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Purpose;
    use super::*;

    /// The smallest distance on a grid of positions on both segments.
    fn sampled_distance(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> f64 {
        let at = |p: &[f64], q: &[f64], t: f64| -> Vec<f64> {
            p.iter().zip(q).map(|(p, q)| p + t * (q - p)).collect()
        };
        let steps = || (0..=60).map(|i| f64::from(i) / 60.0);
        steps()
            .flat_map(|s| steps().map(move |t| (s, t)))
            .map(|(s, t)| squared_distance(&at(a, b, s), &at(c, d, t)).sqrt())
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn segment_distance_matches_sampling() {
        let mut random = Random::new(3, Purpose::Skeleton);
        for trial in 0..300 {
            let dims = 2 + trial % 3;
            let ends: Vec<Vec<f64>> = (0..4).map(|_| random.direction(dims)).collect();
            let exact = segment_distance(&ends[0], &ends[1], &ends[2], &ends[3]);
            let sampled = sampled_distance(&ends[0], &ends[1], &ends[2], &ends[3]);
            assert!(exact <= sampled + 1e-12 && sampled - exact < 0.05);
        }
    }

    #[test]
    fn edges_keep_clear_of_each_other() {
        for seed in 0..60 {
            for dims in [2, 3, 10] {
                let mut random = Random::new(seed, Purpose::Skeleton);
                let tree = random_tree(6, dims, &mut random).unwrap();
                assert_eq!((tree.nodes.len(), tree.edges.len()), (14, 13));
                for (i, &(a, b)) in tree.edges.iter().enumerate() {
                    for &(c, d) in &tree.edges[..i] {
                        let node = |k: usize| tree.nodes[k].as_slice();
                        let shared = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)]
                            .into_iter()
                            .find(|ends| ends.0 == ends.2);
                        if let Some((hub, end, _, other)) = shared {
                            let cosine =
                                dot(&unit(node(hub), node(end)), &unit(node(hub), node(other)));
                            assert!(cosine <= MAX_COSINE + 1e-12);
                        } else {
                            let gap = segment_distance(node(a), node(b), node(c), node(d));
                            assert!(gap >= CLEARANCE - 1e-12);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn too_many_branch_points_are_an_error() {
        let mut random = Random::new(0, Purpose::Skeleton);
        let error = random_tree(5000, 2, &mut random).err().unwrap();
        assert!(error.to_string().starts_with("branch_points = 5000: "));
    }
}
