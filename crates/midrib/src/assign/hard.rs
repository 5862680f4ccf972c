//! Hard assignment: each point belongs to its nearest node.

use super::groups::Groups;
use super::strips::{Encounter, TileScratch};
use super::sums::Sums;
use super::tile::Reach;
use crate::error::Result;
use crate::math::simd::{Work, dispatch, largest};
use crate::math::{Matrix, squared_distance};
use crate::points::{Cloud, WorkingChunk};

/// The distance to the second nearest node is found if its square is at most this multiple of the
/// nearest one's.
const SECOND_REACH: f64 = 2.25;
/// Bounds the rounding of a product relative to the squared norms that it was made of.
const PRODUCT_ERROR: f64 = 1e-13;

/// The nearest node of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The node; of equally near ones the first.
    pub node: u32,
    /// Its squared distance, computed from differences.
    pub squared: f64,
    /// No other node has a smaller squared distance than this.
    pub others: f64,
}

impl Nearest {
    const NONE: Self = Self { node: u32::MAX, squared: f64::INFINITY, others: f64::INFINITY };
}

/// The nearest nodes of many points; made once per set of nodes.
pub(crate) struct NearestNodes<'a> {
    nodes: &'a Matrix,
    groups: Groups,
}

impl<'a> NearestNodes<'a> {
    pub fn new(nodes: &'a Matrix) -> Self {
        Self { nodes, groups: Groups::new(nodes) }
    }

    /// The nearest nodes of the points `rows` of a chunk, in their order.
    pub fn find(&self, chunk: &WorkingChunk<'_>, rows: &[u32]) -> Vec<Nearest> {
        let reach = Reach { factor: SECOND_REACH, extra: 0.0 };
        let encounter = Encounter { chunk, groups: &self.groups, sharpness: 1.0, reach };
        let width = chunk.dims() + 1;
        let mut x = vec![0.0; chunk.dims()];
        let mut scratch = TileScratch::default();
        let mut found = Vec::with_capacity(rows.len());
        encounter.for_each_strip(rows, &mut scratch, |strip| {
            for (r, (&i, point)) in
                strip.rows.iter().zip(strip.points.chunks_exact(width)).enumerate()
            {
                let logits = &strip.logits[r * strip.columns..][..strip.candidates.len()];
                chunk.copy_row(i as usize, &mut x);
                let squared_norm: f64 = point[..width - 1].iter().map(|x| x * x).sum();
                found.push(self.settle(&x, squared_norm, logits, strip.candidates, strip.reach[r]));
            }
        });
        found
    }

    /// Picks the winner; candidates that rounding could have confused are measured again.
    fn settle(
        &self,
        x: &[f64],
        squared_norm: f64,
        logits: &[f64],
        candidates: &[u32],
        reach: f64,
    ) -> Nearest {
        let top = largest(logits);
        let error = PRODUCT_ERROR * (squared_norm + top.abs());
        let least = top - 2.0 * error;
        let Close { first, count, next } = dispatch(FindClose { logits, least });
        let mut winner = Nearest::NONE;
        let mut others = reach.min(squared_norm - next - error);
        let close = (first..logits.len()).filter(|&at| logits[at] >= least).take(count);
        for at in close {
            let node = self.groups.node_at[candidates[at] as usize];
            let squared = squared_distance(x, self.nodes.row(node as usize));
            let wins =
                squared < winner.squared || (squared == winner.squared && node < winner.node);
            others = others.min(if wins { winner.squared } else { squared });
            if wins {
                winner = Nearest { node, squared, others };
            }
        }
        Nearest { others: others.max(winner.squared), ..winner }
    }
}

/// The logits that are at least a given one: where the first is and how many there are; and the
/// largest of the others.
struct Close {
    first: usize,
    count: usize,
    next: f64,
}

struct FindClose<'l> {
    logits: &'l [f64],
    least: f64,
}

impl Work for FindClose<'_> {
    type Output = Close;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Close {
        let mut close = Close { first: self.logits.len(), count: 0, next: f64::NEG_INFINITY };
        let mut lanes = [f64::NEG_INFINITY; 8];
        for (number, chunk) in self.logits.chunks(8).enumerate() {
            let is_close = |x: &f64| *x >= self.least;
            if chunk.iter().fold(false, |any, x| any | is_close(x)) {
                let within = chunk.iter().position(is_close).unwrap_or(0);
                close.first = close.first.min(8 * number + within);
                close.count += chunk.iter().filter(|x| is_close(x)).count();
            }
            for (lane, x) in lanes.iter_mut().zip(chunk) {
                *lane = if *x < self.least && *x > *lane { *x } else { *lane };
            }
        }
        close.next = lanes.into_iter().fold(f64::NEG_INFINITY, f64::max);
        close
    }
}

/// The nearest node of every point, in the order of the points.
///
/// ```
/// use midrib::{Cloud, Points, assign::nearest_nodes, math::Matrix};
/// let points = Points::from_f64(vec![-1.0, 0.9, 1.0], 1)?;
/// let cloud = Cloud::new(&points)?;
/// let nodes = cloud.to_working(Matrix::from_rows(&[[1.0], [-1.0]])?);
/// let nearest: Vec<u32> = nearest_nodes(&cloud, &nodes)?.iter().map(|n| n.node).collect();
/// assert_eq!(nearest, [1, 0, 0]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn nearest_nodes(cloud: &Cloud<'_>, nodes: &Matrix) -> Result<Vec<Nearest>> {
    let search = NearestNodes::new(nodes);
    let mut nearest = Vec::with_capacity(cloud.len());
    let of_chunk = |chunk: &WorkingChunk<'_>| {
        let order = chunk.order();
        let found = chunk.per_block(|rows| search.find(chunk, &chunk.in_order(&rows)));
        let mut by_row = vec![Nearest::NONE; order.len()];
        for (&at, found) in order.iter().zip(found.into_iter().flatten()) {
            by_row[usize::from(at)] = found;
        }
        by_row
    };
    cloud.per_chunk(of_chunk, |of_chunk| nearest.extend(of_chunk))?;
    Ok(nearest)
}

/// The sums of the points at their nearest nodes; points beyond `radius` of every node count with
/// its square and pull none.
///
/// ```
/// use midrib::{Cloud, Points, assign::hard_sums, math::Matrix};
/// let points = Points::from_f64(vec![-1.0, 0.0, 1.0], 1)?;
/// let cloud = Cloud::new(&points)?;
/// let nodes = cloud.to_working(Matrix::from_rows(&[[-1.0], [0.25]])?);
/// let sums = hard_sums(&cloud, &nodes, 0.5)?;
/// assert_eq!(sums.mass, [1.0, 1.0]);
/// assert_eq!(sums.cost, 0.25 * 0.25 + 0.5 * 0.5);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn hard_sums(cloud: &Cloud<'_>, nodes: &Matrix, radius: f64) -> Result<Sums> {
    let search = NearestNodes::new(nodes);
    let farthest = radius * radius;
    let zeros = || Sums::zeros(nodes.n_rows(), nodes.n_cols());
    let mut total = zeros();
    let of_chunk = |chunk: &WorkingChunk<'_>| {
        chunk.order();
        let parts = chunk.per_block(|rows| {
            let rows = chunk.in_order(&rows);
            let mut sums = zeros();
            let mut row = vec![0.0; chunk.dims()];
            for (&i, nearest) in rows.iter().zip(search.find(chunk, &rows)) {
                let weight = chunk.weight(i as usize);
                sums.weight += weight;
                sums.cost += weight * nearest.squared.min(farthest);
                if nearest.squared > farthest {
                    continue;
                }
                chunk.copy_row(i as usize, &mut row);
                let node = nearest.node as usize;
                sums.mass[node] += weight;
                let to = sums.weighted.row_mut(node).iter_mut();
                to.zip(&row).for_each(|(sum, x)| *sum += weight * x);
            }
            sums
        });
        Sums::merged(zeros(), &parts)
    };
    cloud.per_chunk(of_chunk, |part| total.merge(&part))?;
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn the_winner_is_exact_and_the_bound_holds(
            n in 1_usize..500,
            k in 1_usize..120,
            dims in 1_usize..12,
            seed in 0_i32..1000,
            grid in 1_i32..30,
        ) {
            let value = |i: i32| f64::from((i * 7919 + seed * 31 + i * i % 13) % grid);
            let points = Points::from_f64((0..(n * dims) as i32).map(value).collect::<Vec<_>>(), dims).unwrap();
            let nodes = Matrix::new(k, dims, (0..(k * dims) as i32).map(|i| value(i + 3)).collect()).unwrap();
            let cloud = Cloud::new(&points).unwrap();
            let nodes = cloud.to_working(nodes);
            let mut x = vec![0.0; dims];
            for (i, found) in nearest_nodes(&cloud, &nodes).unwrap().iter().enumerate() {
                cloud.copy_row(i, &mut x).unwrap();
                let squared: Vec<f64> = nodes.rows().map(|y| squared_distance(&x, y)).collect();
                let best = (0..k).min_by(|&a, &b| squared[a].total_cmp(&squared[b])).unwrap();
                prop_assert_eq!(found.node as usize, best);
                prop_assert_eq!(found.squared, squared[best]);
                for (j, &d) in squared.iter().enumerate() {
                    prop_assert!(j == best || found.others <= d * (1.0 + 1e-12), "{} {}", found.others, d);
                }
            }
        }
    }
}
