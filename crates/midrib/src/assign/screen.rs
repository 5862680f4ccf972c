//! Which nodes a tile of points must meet.

use super::groups::Groups;
use super::products::{Columns, relative};
use super::tile::{Reach, Tile};
use crate::math::simd::{Work, dispatch, position_of_least, short_squared_distance};
use crate::math::squared_distance;

/// Allowance for rounding when distances to groups are compared.
const SLACK: f64 = 1e-12;

/// Decides which nodes a tile must meet.
#[derive(Default)]
pub(super) struct Screen {
    groups: Vec<u32>,
    low: Vec<f64>,
    high: Vec<f64>,
    girth: Vec<f64>,
    /// How far beyond all points' reach a group lies, as a difference of squares.
    beyond_reach: Vec<f64>,
    columns: Columns,
    /// `2 x·c − ‖c‖²` for the points x and the capsules' centers c.
    to_centers: Vec<f64>,
    /// Where the points lie along the capsules' axes.
    along: Vec<f64>,
    squared: Vec<f64>,
}

impl Screen {
    /// Finds the tile's candidates, the nodes of all groups that one of its points can reach, and
    /// how far each point reaches.
    pub fn choose(&mut self, tile: &mut Tile, groups: &Groups, reach: Reach) {
        self.choose_groups(tile, groups, reach);
        let n_columns = self.measure_groups(tile, groups);
        self.beyond_reach.clear();
        self.beyond_reach.resize(self.groups.len(), f64::INFINITY);
        tile.reach.clear();
        let dims = tile.center.len();
        for (row, (x, &squared_norm)) in
            tile.positions.chunks_exact(dims).zip(&tile.squared_norms).enumerate()
        {
            let first = row * n_columns;
            tile.reach.push(dispatch(Meet { screen: self, groups, reach, x, squared_norm, first }));
        }
        tile.candidates.clear();
        for (&group, _) in self.groups.iter().zip(&self.beyond_reach).filter(|(_, b)| **b <= 0.0) {
            let positions = groups.capsules[group as usize].positions.clone();
            tile.candidates.extend(positions.map(|position| position as u32));
        }
    }

    /// The groups that the tile as a whole can reach.
    fn choose_groups(&mut self, tile: &Tile, groups: &Groups, reach: Reach) {
        let near = groups.near(&tile.center);
        let squared = |x: &[f64]| squared_distance(x, near);
        let farthest =
            tile.positions.chunks_exact(tile.center.len()).map(squared).fold(0.0, f64::max);
        let far = (reach.factor * farthest + reach.extra).sqrt();
        let radius = tile.squared_norms.iter().copied().fold(0.0, f64::max).sqrt();
        self.groups.clear();
        groups.within(&tile.center, (far + radius) * (1.0 + SLACK), &mut self.groups);
    }

    /// The products of all points with all chosen groups; the number of columns.
    fn measure_groups(&mut self, tile: &Tile, groups: &Groups) -> usize {
        let Self { columns, to_centers, along, low, high, girth, .. } = self;
        let width = tile.center.len() + 1;
        let chosen = self.groups.iter().map(|&group| &groups.capsules[group as usize]);
        let centers = chosen.clone().map(|capsule| &capsule.center[..]);
        columns.fill(centers, &tile.center, 1.0);
        columns.multiply(&tile.points, to_centers);
        low.clear();
        high.clear();
        girth.clear();
        let mut chosen = chosen;
        columns.rewrite(|column| {
            let Some(capsule) = chosen.next() else { return };
            column[..width - 1].copy_from_slice(&capsule.axis);
            let to_center = relative(&capsule.center, &tile.center);
            column[width - 1] = -to_center.zip(&capsule.axis).map(|(c, a)| c * a).sum::<f64>();
            low.push(capsule.low);
            high.push(capsule.high);
            girth.push(capsule.girth);
        });
        columns.multiply(&tile.points, along);
        columns.count
    }
}

/// One point among the groups.
struct Meet<'s> {
    screen: &'s mut Screen,
    groups: &'s Groups,
    reach: Reach,
    x: &'s [f64],
    squared_norm: f64,
    /// Where its products with the groups begin.
    first: usize,
}

impl Work for Meet<'_> {
    /// How far the point reaches.
    type Output = f64;

    #[inline(always)]
    fn run<const FMA: bool>(mut self) -> f64 {
        self.measure();
        let Self { screen, groups, reach, x, .. } = self;
        let nearest = position_of_least(&screen.squared).unwrap_or(0);
        let nodes = groups.capsules[screen.groups[nearest] as usize].positions.clone();
        // No closure: it would not be compiled for the same processor.
        let mut upper = f64::INFINITY;
        for position in nodes {
            let squared = short_squared_distance::<FMA>(x, groups.nodes.row(position));
            upper = if squared < upper { squared } else { upper };
        }
        let reach = reach.factor * upper + reach.extra;
        let far = reach.sqrt() * (1.0 + SLACK);
        let groups = screen.squared.iter().zip(&screen.girth);
        for (beyond, (&squared, &girth)) in screen.beyond_reach.iter_mut().zip(groups) {
            let excess = squared - (far + girth) * (far + girth);
            *beyond = if excess < *beyond { excess } else { *beyond };
        }
        reach
    }
}

impl Meet<'_> {
    /// The squared distances from the point to the segments inside the capsules, rounded down.
    #[inline(always)]
    fn measure(&mut self) {
        let Screen { groups, low, high, along, to_centers, squared, .. } = &mut *self.screen;
        let n = groups.len();
        squared.resize(n, 0.0);
        let along = &along[self.first..][..n];
        let to_centers = &to_centers[self.first..][..n];
        let (low, high) = (&low[..n], &high[..n]);
        for (g, squared) in squared.iter_mut().enumerate() {
            let below = if low[g] > along[g] { low[g] - along[g] } else { 0.0 };
            let above = if along[g] > high[g] { along[g] - high[g] } else { 0.0 };
            let to_center = self.squared_norm - to_centers[g];
            let rounding = SLACK * (self.squared_norm + to_center);
            *squared =
                (below + above) * (below + above) + to_center - along[g] * along[g] - rounding;
        }
    }
}
