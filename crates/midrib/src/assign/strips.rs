//! Tiles of neighboring points against the nodes that can matter to them.
//!
//! Both assignments run on this: points in spatial order are split into tiles, and each tile is
//! multiplied with its candidate nodes in one matrix product. Coordinates are relative to the
//! tile's own center, so the error of the product is of the order of the rounding of the distances
//! to the nodes nearby.

use super::groups::Groups;
use super::products::{Columns, by_coordinate};
use super::screen::Screen;
use super::tile::{Reach, Tile};
use crate::points::WorkingChunk;

/// Points per tile, ...
const TILE: usize = 256;
/// ... and where far nodes are skipped, so that a tile meets only those nearby.
const SMALL_TILE: usize = 64;
/// In many dimensions, nodes are no longer skipped after a tile that meets more than this share of
/// them: the products with all in larger tiles take less time.
const WORTH_SKIPPING: f64 = 0.75;
/// Logits per thread: larger tiles are processed in strips of rows.
const STRIP_VALUES: usize = 1 << 16;

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
    /// One row per point, one column per candidate; columns beyond the candidates are hugely
    /// negative.
    pub logits: &'t mut [f64],
    /// Columns of `logits`.
    pub columns: usize,
    /// Whether the next strip has other candidates.
    pub ends_tile: bool,
    /// For each point the squared distance within which all nodes are candidates.
    pub reach: &'t [f64],
}

/// Scratch memory of one thread, reused for every tile.
#[derive(Default)]
pub(super) struct TileScratch {
    tile: Tile,
    screen: Screen,
    columns: Columns,
    logits: Vec<f64>,
}

/// Points of a chunk and the nodes that they meet.
pub(super) struct Encounter<'a> {
    pub chunk: &'a WorkingChunk<'a>,
    pub groups: &'a Groups,
    pub sharpness: f64,
    pub reach: Reach,
}

impl Encounter<'_> {
    /// Calls `consume` for all strips of the points `rows`, which should be in spatial order.
    pub fn for_each_strip(
        &self,
        rows: &[u32],
        scratch: &mut TileScratch,
        mut consume: impl FnMut(Strip<'_>),
    ) {
        let Self { chunk, groups, sharpness, reach } = *self;
        let width = chunk.dims() + 1;
        let n_nodes = groups.nodes.n_rows();
        let mut screens = reach.extra < f64::INFINITY && groups.capsules.len() > 1;
        let mut rest = rows;
        while !rest.is_empty() {
            let size = if screens { SMALL_TILE } else { TILE };
            let (members, later) = rest.split_at(size.min(rest.len()));
            rest = later;
            let TileScratch { tile, screen, columns, logits } = scratch;
            tile.gather(chunk, members);
            if screens {
                screen.choose(tile, groups, reach);
                let most = WORTH_SKIPPING * n_nodes as f64;
                screens = by_coordinate(width) || tile.candidates.len() as f64 <= most;
            } else {
                tile.reach.clear();
                tile.reach.resize(members.len(), f64::INFINITY);
                tile.candidates.clear();
                tile.candidates.extend(0..n_nodes as u32);
            }
            let nodes = tile.candidates.iter().map(|&position| groups.nodes.row(position as usize));
            columns.fill(nodes, &tile.center, sharpness);
            let strip_rows = (STRIP_VALUES / columns.count).clamp(8, TILE);
            for start in (0..members.len()).step_by(strip_rows) {
                let strip = start..(start + strip_rows).min(members.len());
                let points = &tile.points[strip.start * width..strip.end * width];
                columns.multiply(points, logits);
                consume(Strip {
                    rows: &members[strip.clone()],
                    points,
                    center: &tile.center,
                    candidates: &tile.candidates,
                    logits,
                    columns: columns.count,
                    ends_tile: strip.end == members.len(),
                    reach: &tile.reach[strip],
                });
            }
        }
    }
}
