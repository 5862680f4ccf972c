//! Tiles of neighbouring points against the nodes that can matter to them.
//!
//! Both assignments run on this: points that follow each other by place are cut into tiles, and
//! each tile meets its candidate nodes in one matrix product. Coordinates are taken relative
//! to the tile's own center, so that the product cancels nothing that counts: its error is of
//! the order of the rounding of the distances to the nodes nearby.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::groups::Groups;
use crate::cloud::Cloud;
use crate::math::{skinny, squared_distance};

/// Points per tile: few where nodes are passed over, so that a tile meets only those nearby.
const TILE: usize = 256;
const SMALL_TILE: usize = 64;
/// Logits in flight per thread: larger tiles are worked off in strips of rows.
const STRIP_VALUES: usize = 1 << 16;
/// Up to this many dimensions products are done by [`skinny`].
const FEW_DIMS: usize = 12;
/// The logit of a column that stands for no node.
const NOWHERE: f64 = -1e300;
/// Room for rounding when distances to groups are compared.
const SLACK: f64 = 1e-12;

/// How far from a point nodes can matter: up to `factor · d² + extra`, d the distance to a
/// node that is near it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub factor: f64,
    pub extra: f64,
}

impl Reach {
    /// Every node matters.
    pub const ALL: Self = Self { factor: 1.0, extra: f64::INFINITY };
}

/// Some points, their candidate nodes, and for each pair `sharpness · (2 x·y − ‖y‖²)`, which
/// is `sharpness · (‖x‖² − ‖x − y‖²)`.
pub(super) struct Strip<'t> {
    /// The points' row numbers.
    pub rows: &'t [u32],
    /// The points relative to `center`, each followed by a 1.
    pub points: &'t [f64],
    pub center: &'t [f64],
    /// The candidates' positions in the groups.
    pub candidates: &'t [u32],
    /// One row a point, one column a candidate; columns beyond the candidates are hugely
    /// negative.
    pub logits: &'t mut [f64],
    /// Columns of `logits`.
    pub columns: usize,
    /// For each point the squared distance within which all nodes are candidates.
    pub reach: &'t [f64],
}

/// Working memory of one thread, used again for every tile.
#[derive(Default)]
pub(super) struct TileScratch {
    tile: Tile,
    groups: Vec<u32>,
    columns: Vec<f64>,
    logits: Vec<f64>,
}

#[derive(Default)]
struct Tile {
    center: Vec<f64>,
    /// The points relative to the center, each followed by a 1.
    points: Vec<f64>,
    squared_norms: Vec<f64>,
    reach: Vec<f64>,
    candidates: Vec<u32>,
}

/// Calls `consume` for all strips of the points `rows`, which should follow each other by place.
pub(super) fn for_each_strip(
    cloud: &Cloud<'_>,
    rows: &[u32],
    groups: &Groups,
    sharpness: f64,
    reach: Reach,
    scratch: &mut TileScratch,
    mut consume: impl FnMut(Strip<'_>),
) {
    let width = cloud.dims() + 1;
    let screens = reach.extra < f64::INFINITY && !groups.is_single();
    for members in rows.chunks(if screens { SMALL_TILE } else { TILE }) {
        let TileScratch { tile, groups: near, columns, logits } = scratch;
        tile.gather(cloud, members);
        if screens {
            tile.measure_reach(groups, reach);
            tile.screen(groups, near, columns, logits);
        } else {
            tile.reach.clear();
            tile.reach.resize(members.len(), f64::INFINITY);
            tile.candidates.clear();
            tile.candidates.extend(0..groups.nodes.n_rows() as u32);
        }
        let nodes = tile.candidates.iter().map(|&position| groups.nodes.row(position as usize));
        let n_columns = fill_columns(nodes, &tile.center, sharpness, columns);
        let strip_rows = (STRIP_VALUES / n_columns).clamp(8, TILE);
        for start in (0..members.len()).step_by(strip_rows) {
            let strip = start..(start + strip_rows).min(members.len());
            let points = &tile.points[strip.start * width..strip.end * width];
            logits.resize(strip.len() * n_columns, 0.0);
            multiply(points, columns, width, logits);
            consume(Strip {
                rows: &members[strip.clone()],
                points,
                center: &tile.center,
                candidates: &tile.candidates,
                logits,
                columns: n_columns,
                reach: &tile.reach[strip],
            });
        }
    }
}

/// Writes `sharpness · (2 y, −‖y‖²)` for each y relative to `center`, one column each, so that
/// points followed by a 1 can be multiplied with it; the number of columns, a multiple of
/// [`skinny::LANES`].
fn fill_columns<'y>(
    rows: impl ExactSizeIterator<Item = &'y [f64]>,
    center: &[f64],
    sharpness: f64,
    columns: &mut Vec<f64>,
) -> usize {
    let dims = center.len();
    let n_columns = rows.len().next_multiple_of(skinny::LANES);
    columns.clear();
    columns.resize((dims + 1) * n_columns, 0.0);
    columns[dims * n_columns..].fill(NOWHERE);
    for (column, row) in rows.enumerate() {
        let mut squared_norm = 0.0;
        for (d, (y, c)) in row.iter().zip(center).enumerate() {
            let relative = y - c;
            squared_norm += relative * relative;
            columns[d * n_columns + column] = 2.0 * sharpness * relative;
        }
        columns[dims * n_columns + column] = -sharpness * squared_norm;
    }
    n_columns
}

/// `out = left · right` for n×w and w×c, row-major.
fn multiply(left: &[f64], right: &[f64], width: usize, out: &mut [f64]) {
    if width <= FEW_DIMS + 1 {
        return skinny::multiply(left, right, width, out);
    }
    let (n, columns) = (left.len() / width, right.len() / width);
    matmul(
        MatMut::from_row_major_slice_mut(out, n, columns),
        Accum::Replace,
        MatRef::from_row_major_slice(left, n, width),
        MatRef::from_row_major_slice(right, width, columns),
        1.0,
        Par::Seq,
    );
}

/// `out += leftᵀ · right` for n×w and n×c, row-major.
pub(super) fn accumulate(left: &[f64], right: &[f64], width: usize, out: &mut [f64]) {
    if width <= FEW_DIMS + 1 {
        return skinny::accumulate(left, right, width, out);
    }
    let (n, columns) = (left.len() / width, out.len() / width);
    matmul(
        MatMut::from_row_major_slice_mut(out, width, columns),
        Accum::Add,
        MatRef::from_row_major_slice(left, n, width).transpose(),
        MatRef::from_row_major_slice(right, n, columns),
        1.0,
        Par::Seq,
    );
}

impl Tile {
    /// Copies the points, relative to their center.
    fn gather(&mut self, cloud: &Cloud<'_>, members: &[u32]) {
        let dims = cloud.dims();
        self.points.clear();
        self.points.resize(members.len() * (dims + 1), 1.0);
        self.center.clear();
        self.center.resize(dims, 0.0);
        for (&i, row) in members.iter().zip(self.points.chunks_exact_mut(dims + 1)) {
            cloud.copy_row(i as usize, &mut row[..dims]);
            for (c, x) in self.center.iter_mut().zip(&*row) {
                *c += x / members.len() as f64;
            }
        }
        self.squared_norms.clear();
        for row in self.points.chunks_exact_mut(dims + 1) {
            let mut squared_norm = 0.0;
            for (x, c) in row.iter_mut().zip(&self.center) {
                *x -= c;
                squared_norm += *x * *x;
            }
            self.squared_norms.push(squared_norm);
        }
    }

    /// Finds how far each point must look, from the nodes of one group nearby.
    fn measure_reach(&mut self, groups: &Groups, reach: Reach) {
        let dims = self.center.len();
        let near = groups.near(&self.center);
        let mut node = vec![0.0; dims];
        self.reach.clear();
        self.reach.resize(self.squared_norms.len(), f64::INFINITY);
        for position in groups.positions(near) {
            for ((to, y), c) in node.iter_mut().zip(groups.nodes.row(position)).zip(&self.center) {
                *to = y - c;
            }
            for (x, nearest) in self.points.chunks_exact(dims + 1).zip(&mut self.reach) {
                *nearest = nearest.min(squared_distance(&x[..dims], &node));
            }
        }
        for squared in &mut self.reach {
            *squared = reach.factor * *squared + reach.extra;
        }
    }

    /// Chooses the nodes of all groups that one of the points can reach.
    fn screen(
        &mut self,
        groups: &Groups,
        near: &mut Vec<u32>,
        columns: &mut Vec<f64>,
        logits: &mut Vec<f64>,
    ) {
        let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max).sqrt();
        let radius = (most(&self.reach) + most(&self.squared_norms)) * (1.0 + SLACK);
        near.clear();
        groups.within(&self.center, radius, near);

        let centers = near.iter().map(|&group| groups.tree.center(group as usize));
        let n_columns = fill_columns(centers, &self.center, 1.0, columns);
        logits.resize(self.squared_norms.len() * n_columns, 0.0);
        multiply(&self.points, columns, self.center.len() + 1, logits);
        let mut keep = vec![false; near.len()];
        for ((&squared_norm, &reach), logits) in
            self.squared_norms.iter().zip(&self.reach).zip(logits.chunks_exact(n_columns))
        {
            let far = reach.sqrt() * (1.0 + SLACK);
            for ((keep, &group), &logit) in keep.iter_mut().zip(&*near).zip(logits) {
                let farthest = far + groups.tree.radius(group as usize);
                let squared = (squared_norm - logit) * (1.0 - SLACK) - SLACK * squared_norm;
                *keep |= squared <= farthest * farthest;
            }
        }
        self.candidates.clear();
        for (&group, _) in near.iter().zip(&keep).filter(|(_, keep)| **keep) {
            self.candidates.extend(groups.positions(group).map(|position| position as u32));
        }
    }
}
