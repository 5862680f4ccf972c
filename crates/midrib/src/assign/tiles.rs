//! Tiles of neighbouring points against the nodes that can matter to them.
//!
//! Both assignments run on this: a block of points is sorted by place, cut into tiles, and
//! each tile meets its candidate nodes in one matrix product. Coordinates are taken relative
//! to the tile's own center, so that the product cancels nothing that counts: its error is of
//! the order of the rounding of the distances to the nodes nearby.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::groups::Groups;
use crate::cloud::Cloud;
use crate::math::{skinny, squared_distance};

/// Points per tile: few where there are many nodes, so that a tile meets only those nearby.
const TILE: usize = 256;
const SMALL_TILE: usize = 64;
const MANY_NODES: usize = 4096;
/// Logits in flight per thread: larger tiles are worked off in strips of rows.
const STRIP_VALUES: usize = 1 << 16;
/// Up to this many dimensions products are done by [`skinny`].
const FEW_DIMS: usize = 12;
/// The logit of a column that stands for no node.
const NOWHERE: f64 = -1e300;
/// Room for rounding when distances to group centers come from a matrix product.
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

/// Working memory of one thread, used again for every block.
#[derive(Default)]
pub(super) struct TileScratch {
    block: Vec<f64>,
    squared: Vec<f64>,
    nearest: Vec<u32>,
    reach: Vec<f64>,
    order: Vec<u32>,
    keep: Vec<bool>,
    tile: Tile,
    logits: Vec<f64>,
}

#[derive(Default)]
struct Tile {
    rows: Vec<u32>,
    points: Vec<f64>,
    reach: Vec<f64>,
    center: Vec<f64>,
    candidates: Vec<u32>,
    nodes: Vec<f64>,
}

/// Calls `consume` for all strips of the points `rows`.
pub(super) fn for_each_strip(
    cloud: &Cloud<'_>,
    rows: &[u32],
    groups: &Groups,
    sharpness: f64,
    reach: Reach,
    scratch: &mut TileScratch,
    mut consume: impl FnMut(Strip<'_>),
) {
    let dims = cloud.dims();
    scratch.block.resize(rows.len() * dims, 0.0);
    for (&i, row) in rows.iter().zip(scratch.block.chunks_exact_mut(dims)) {
        cloud.copy_row(i as usize, row);
    }
    screen(groups, dims, reach, scratch);

    let TileScratch { block, squared, reach, order, keep, tile, logits, .. } = scratch;
    let tile_rows = if groups.nodes.n_rows() > MANY_NODES { SMALL_TILE } else { TILE };
    for members in order.chunks(tile_rows) {
        tile.choose_candidates(groups, members, squared, reach, keep);
        tile.gather(groups, rows, members, block, reach, dims, sharpness);
        let columns = tile.candidates.len().next_multiple_of(skinny::LANES);
        let strip_rows = (STRIP_VALUES / columns).clamp(8, TILE);
        for start in (0..members.len()).step_by(strip_rows) {
            let strip = start..(start + strip_rows).min(members.len());
            let points = &tile.points[strip.start * (dims + 1)..strip.end * (dims + 1)];
            logits.resize(strip.len() * columns, 0.0);
            multiply(points, &tile.nodes, dims + 1, logits);
            consume(Strip {
                rows: &tile.rows[strip.clone()],
                points,
                center: &tile.center,
                candidates: &tile.candidates,
                logits,
                columns,
                reach: &tile.reach[strip],
            });
        }
    }
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

/// Finds for each point of the block its nearest group and how far it must look, and sorts
/// the points by nearest group.
fn screen(groups: &Groups, dims: usize, reach: Reach, scratch: &mut TileScratch) {
    let TileScratch { block, squared, nearest, reach: reaches, order, .. } = scratch;
    let n = block.len() / dims;
    order.clear();
    order.extend(0..n as u32);
    reaches.clear();
    squared.clear();
    if reach.extra == f64::INFINITY || groups.len() == 1 {
        reaches.resize(n, f64::INFINITY);
        return;
    }
    squared.resize(n * groups.len(), 0.0);
    matmul(
        MatMut::from_row_major_slice_mut(squared, n, groups.len()),
        Accum::Replace,
        MatRef::from_row_major_slice(block, n, dims),
        groups.centers.as_faer().transpose(),
        -2.0,
        Par::Seq,
    );
    let norm = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>();
    let center_norms: Vec<f64> = groups.centers.rows().map(norm).collect();
    nearest.clear();
    for (x, row) in block.chunks_exact(dims).zip(squared.chunks_exact_mut(groups.len())) {
        let point_norm = norm(x);
        let mut best = 0;
        let mut best_squared = f64::INFINITY;
        for (g, (entry, center_norm)) in row.iter_mut().zip(&center_norms).enumerate() {
            // Rounded down, so that no group is passed over by mistake.
            *entry += (point_norm + center_norm) * (1.0 - SLACK);
            if *entry < best_squared {
                (best, best_squared) = (g, *entry);
            }
        }
        let upper = groups
            .positions(best)
            .map(|position| squared_distance(x, groups.nodes.row(position)))
            .fold(f64::INFINITY, f64::min);
        nearest.push(best as u32);
        reaches.push(reach.factor * upper + reach.extra);
    }
    order.sort_unstable_by_key(|&i| (nearest[i as usize], i));
}

impl Tile {
    /// The nodes of all groups that one of the members can reach.
    fn choose_candidates(
        &mut self,
        groups: &Groups,
        members: &[u32],
        squared: &[f64],
        reach: &[f64],
        keep: &mut Vec<bool>,
    ) {
        keep.clear();
        keep.resize(groups.len(), squared.is_empty());
        if !squared.is_empty() {
            for &i in members {
                let i = i as usize;
                let far = reach[i].sqrt() * (1.0 + SLACK);
                let row = &squared[i * groups.len()..(i + 1) * groups.len()];
                for ((keep, &squared), &radius) in keep.iter_mut().zip(row).zip(&groups.radii) {
                    *keep |= squared <= (far + radius) * (far + radius);
                }
            }
        }
        self.candidates.clear();
        for (group, _) in keep.iter().enumerate().filter(|(_, keep)| **keep) {
            self.candidates.extend(groups.positions(group).map(|p| p as u32));
        }
    }

    /// Copies points and candidates, relative to the points' center, ready to multiply.
    #[allow(clippy::too_many_arguments)]
    fn gather(
        &mut self,
        groups: &Groups,
        rows: &[u32],
        members: &[u32],
        block: &[f64],
        reach: &[f64],
        dims: usize,
        sharpness: f64,
    ) {
        let member_row = |i: u32| &block[i as usize * dims..(i as usize + 1) * dims];
        self.rows.clear();
        self.rows.extend(members.iter().map(|&i| rows[i as usize]));
        self.reach.clear();
        self.reach.extend(members.iter().map(|&i| reach[i as usize]));

        self.center.clear();
        self.center.resize(dims, 0.0);
        for &i in members {
            for (c, x) in self.center.iter_mut().zip(member_row(i)) {
                *c += x / members.len() as f64;
            }
        }
        self.points.clear();
        for &i in members {
            let relative = member_row(i).iter().zip(&self.center).map(|(x, c)| x - c);
            self.points.extend(relative);
            self.points.push(1.0);
        }
        let columns = self.candidates.len().next_multiple_of(skinny::LANES);
        self.nodes.clear();
        self.nodes.resize((dims + 1) * columns, 0.0);
        self.nodes[dims * columns..].fill(NOWHERE);
        for (column, &position) in self.candidates.iter().enumerate() {
            let node = groups.nodes.row(position as usize);
            let mut squared_norm = 0.0;
            for (d, (y, c)) in node.iter().zip(&self.center).enumerate() {
                let relative = y - c;
                squared_norm += relative * relative;
                self.nodes[d * columns + column] = 2.0 * sharpness * relative;
            }
            self.nodes[dims * columns + column] = -sharpness * squared_norm;
        }
    }
}
