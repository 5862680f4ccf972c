//! A tree of boxes and balls over points or segments, for exact nearest-item searches.
//!
//! Building costs O(n log n); a search in few dimensions, or near a curve in any number of
//! dimensions, costs O(log n). Every answer is exact: cells are passed over only on proof.

use super::matrix::{Matrix, squared_distance};
use super::simd::squared_distance_in_lanes;

/// Above this dimension a ball around a cell bounds it better than its box.
const BOX_DIMS: usize = 8;
/// Room for rounding in the bounds of balls.
const SLACK: f64 = 1e-12;

/// Points or segments arranged by position.
///
/// Items are stored leaf after leaf: a *position* counts in that order, an *item* in the
/// caller's.
///
/// ```
/// use midrib::math::{Matrix, SpaceTree, squared_distance};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]])?;
/// let tree = SpaceTree::of_points(&nodes, 8);
/// let x = [0.8, 0.1];
/// let (nearest, _) = tree.nearest(&x, |i| squared_distance(&x, nodes.row(i))).unwrap();
/// assert_eq!(nearest, 1);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpaceTree {
    dims: usize,
    items: Vec<u32>,
    cells: Vec<Cell>,
    /// Two rows a cell: the box's lower and upper corner.
    boxes: Vec<f64>,
    centers: Vec<f64>,
    radii: Vec<f64>,
}

/// A cell holds the positions `start..end`; its left child follows it directly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub start: u32,
    pub end: u32,
    /// The right child, 0 for a leaf.
    pub right: u32,
    /// The smallest item below: decides ties.
    pub first_item: u32,
}

impl Cell {
    pub fn is_leaf(&self) -> bool {
        self.right == 0
    }

    pub fn positions(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The best item seen so far in a search; ties go to the smaller item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best {
    pub squared: f64,
    pub item: u32,
}

impl Best {
    pub const NONE: Self = Self { squared: f64::INFINITY, item: u32::MAX };

    /// Takes over the candidate if it is better.
    pub fn offer(&mut self, squared: f64, item: u32) {
        if squared < self.squared || (squared == self.squared && item < self.item) {
            *self = Self { squared, item };
        }
    }
}

/// The `k` best items seen so far, best first.
#[derive(Clone, Debug)]
pub(crate) struct Nearest {
    k: usize,
    pub kept: Vec<Best>,
}

impl Nearest {
    pub fn new(k: usize) -> Self {
        Self { k, kept: Vec::with_capacity(k + 1) }
    }

    /// What a candidate has to beat.
    pub fn worst(&self) -> Best {
        match self.kept.last() {
            Some(last) if self.kept.len() == self.k => *last,
            _ => Best::NONE,
        }
    }

    /// Takes up the candidate if it is among the best.
    pub fn offer(&mut self, squared: f64, item: u32) {
        let beats =
            |best: &Best| squared.total_cmp(&best.squared).then(item.cmp(&best.item)).is_lt();
        if self.kept.len() == self.k {
            if !self.kept.last().is_some_and(beats) {
                return;
            }
            self.kept.pop();
        }
        let mut place = self.kept.len();
        self.kept.push(Best { squared, item });
        while place > 0 && beats(&self.kept[place - 1]) {
            self.kept.swap(place, place - 1);
            place -= 1;
        }
    }
}

impl SpaceTree {
    /// Arranges the rows of `points` in leaves of at most `leaf_size` items.
    pub fn of_points(points: &Matrix, leaf_size: usize) -> Self {
        Self::build(points.n_rows(), points.n_cols(), leaf_size, |i| (points.row(i), points.row(i)))
    }

    /// Arranges the segments between pairs of rows of `ends`.
    pub fn of_segments(ends: &Matrix, pairs: &[(usize, usize)], leaf_size: usize) -> Self {
        Self::build(pairs.len(), ends.n_cols(), leaf_size, |i| {
            (ends.row(pairs[i].0), ends.row(pairs[i].1))
        })
    }

    fn build<'m>(
        n: usize,
        dims: usize,
        leaf_size: usize,
        ends: impl Fn(usize) -> (&'m [f64], &'m [f64]),
    ) -> Self {
        let mut tree = Self {
            dims,
            items: (0..n as u32).collect(),
            cells: Vec::new(),
            boxes: Vec::new(),
            centers: Vec::new(),
            radii: Vec::new(),
        };
        if n > 0 {
            tree.split(0, n, leaf_size.max(1), &ends);
        }
        tree
    }

    /// Makes the cell of the positions `start..end` and all cells below it.
    fn split<'m>(
        &mut self,
        start: usize,
        end: usize,
        leaf_size: usize,
        ends: &impl Fn(usize) -> (&'m [f64], &'m [f64]),
    ) {
        let index = self.cells.len();
        self.push_cell(start, end, ends);
        if end - start <= leaf_size {
            return;
        }
        let middle = start + (end - start) / 2;
        let axis = self.widest_axis(index);
        let key = |item: &u32| {
            let (a, b) = ends(*item as usize);
            a[axis] + b[axis]
        };
        self.items[start..end].select_nth_unstable_by(middle - start, |p, q| {
            key(p).total_cmp(&key(q)).then(p.cmp(q))
        });
        self.split(start, middle, leaf_size, ends);
        self.cells[index].right = self.cells.len() as u32;
        self.split(middle, end, leaf_size, ends);
    }

    fn push_cell<'m>(
        &mut self,
        start: usize,
        end: usize,
        ends: &impl Fn(usize) -> (&'m [f64], &'m [f64]),
    ) {
        let dims = self.dims;
        let mut lower = vec![f64::INFINITY; dims];
        let mut upper = vec![f64::NEG_INFINITY; dims];
        let mut first_item = u32::MAX;
        for &item in &self.items[start..end] {
            first_item = first_item.min(item);
            let (a, b) = ends(item as usize);
            for d in 0..dims {
                lower[d] = lower[d].min(a[d]).min(b[d]);
                upper[d] = upper[d].max(a[d]).max(b[d]);
            }
        }
        let center: Vec<f64> = lower.iter().zip(&upper).map(|(l, u)| 0.5 * (l + u)).collect();
        let squared_radius = self.items[start..end]
            .iter()
            .map(|&item| {
                let (a, b) = ends(item as usize);
                squared_distance(a, &center).max(squared_distance(b, &center))
            })
            .fold(0.0, f64::max);
        self.boxes.extend(lower);
        self.boxes.extend(upper);
        self.centers.extend(center);
        self.radii.push(squared_radius.sqrt());
        self.cells.push(Cell { start: start as u32, end: end as u32, right: 0, first_item });
    }

    fn widest_axis(&self, cell: usize) -> usize {
        let (lower, upper) = self.cell_box(cell);
        let width = |d: usize| upper[d] - lower[d];
        (0..self.dims).fold(0, |best, d| if width(d) > width(best) { d } else { best })
    }

    fn cell_box(&self, cell: usize) -> (&[f64], &[f64]) {
        self.boxes[2 * cell * self.dims..2 * (cell + 1) * self.dims].split_at(self.dims)
    }

    /// The items, leaf after leaf.
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(crate) fn center(&self, cell: usize) -> &[f64] {
        &self.centers[cell * self.dims..(cell + 1) * self.dims]
    }

    /// No item in `cell` is nearer to `x` than the root of this.
    pub(crate) fn bound(&self, cell: usize, x: &[f64]) -> f64 {
        if self.dims <= BOX_DIMS {
            let (lower, upper) = self.cell_box(cell);
            x.iter()
                .zip(lower.iter().zip(upper))
                .map(|(&x, (&l, &u))| {
                    let outside = (l - x).max(x - u).max(0.0);
                    outside * outside
                })
                .sum()
        } else {
            let radius = self.radii[cell] * (1.0 + SLACK);
            let squared = squared_distance_in_lanes(x, self.center(cell));
            let distance = squared.sqrt() * (1.0 - SLACK);
            let outside = (distance - radius).max(0.0);
            outside * outside
        }
    }

    /// The nearest item and its squared distance, as `squared_distance(item)` measures it;
    /// ties go to the smaller item. None if the tree is empty.
    pub fn nearest(
        &self,
        x: &[f64],
        mut squared_distance: impl FnMut(usize) -> f64,
    ) -> Option<(usize, f64)> {
        let mut best = Best::NONE;
        self.search(x, &mut best, &|_| false, &mut |position, best: &mut Best| {
            let item = self.items[position];
            best.offer(squared_distance(item as usize), item);
        });
        (best.item != u32::MAX).then_some((best.item as usize, best.squared))
    }

    /// The `k` nearest items, nearest first, with their squared distances as
    /// `squared_distance(item)` measures them; ties go to the smaller item. All items if there
    /// are fewer.
    ///
    /// ```
    /// use midrib::math::{Matrix, SpaceTree, squared_distance};
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [5.0], [2.0]])?;
    /// let tree = SpaceTree::of_points(&nodes, 2);
    /// let near = tree.nearest_several(&[1.6], 2, |i| squared_distance(&[1.6], nodes.row(i)));
    /// assert_eq!(near.iter().map(|near| near.0).collect::<Vec<_>>(), [3, 1]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn nearest_several(
        &self,
        x: &[f64],
        k: usize,
        mut squared_distance: impl FnMut(usize) -> f64,
    ) -> Vec<(usize, f64)> {
        let mut nearest = Nearest::new(k);
        let mut worst = nearest.worst();
        if k > 0 {
            self.search(x, &mut worst, &|_| false, &mut |position, worst: &mut Best| {
                let item = self.items[position];
                nearest.offer(squared_distance(item as usize), item);
                *worst = nearest.worst();
            });
        }
        nearest.kept.iter().map(|best| (best.item as usize, best.squared)).collect()
    }

    /// Branch and bound: `visit` sees every position that could still beat `best`, except
    /// below cells that `skip` names.
    pub(crate) fn search(
        &self,
        x: &[f64],
        best: &mut Best,
        skip: &impl Fn(usize) -> bool,
        visit: &mut impl FnMut(usize, &mut Best),
    ) {
        if !self.cells.is_empty() && !skip(0) {
            self.descend(0, x, best, skip, visit);
        }
    }

    fn descend(
        &self,
        cell: usize,
        x: &[f64],
        best: &mut Best,
        skip: &impl Fn(usize) -> bool,
        visit: &mut impl FnMut(usize, &mut Best),
    ) {
        let Cell { right, .. } = self.cells[cell];
        if right == 0 {
            for position in self.cells[cell].positions() {
                visit(position, best);
            }
            return;
        }
        let mut children = [cell + 1, right as usize].map(|child| (self.bound(child, x), child));
        if children[1].0 < children[0].0 {
            children.swap(0, 1);
        }
        for (bound, child) in children {
            let may_win = bound < best.squared
                || (bound == best.squared && self.cells[child].first_item < best.item);
            if may_win && !skip(child) {
                self.descend(child, x, best, skip, visit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nearest_point_is_the_brute_force_one(
            dims in 1_usize..12,
            values in proptest::collection::vec(-3_i32..4, 24..360),
            leaf in 1_usize..9,
        ) {
            let n = values.len() / dims;
            let data: Vec<f64> = values[..n * dims].iter().map(|&v| f64::from(v) / 2.0).collect();
            let points = Matrix::new(n, dims, data).unwrap();
            let tree = SpaceTree::of_points(&points, leaf);
            for query in points.rows().take(5) {
                let x: Vec<f64> = query.iter().map(|v| v * 0.7 + 0.1).collect();
                let brute = (0..n)
                    .map(|i| (squared_distance(&x, points.row(i)), i))
                    .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
                    .unwrap();
                let found = tree.nearest(&x, |i| squared_distance(&x, points.row(i))).unwrap();
                prop_assert_eq!(found, (brute.1, brute.0));
                let mut sorted: Vec<(usize, f64)> =
                    (0..n).map(|i| (i, squared_distance(&x, points.row(i)))).collect();
                sorted.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
                sorted.truncate(leaf);
                let several =
                    tree.nearest_several(&x, leaf, |i| squared_distance(&x, points.row(i)));
                prop_assert_eq!(several, sorted);
            }
        }
    }

    #[test]
    fn leaves_cover_every_item_once() {
        let points = Matrix::new(100, 1, vec![1.0; 100]).unwrap();
        let tree = SpaceTree::of_points(&points, 7);
        let mut seen: Vec<u32> = tree
            .cells()
            .iter()
            .filter(|cell| cell.is_leaf())
            .flat_map(|cell| tree.items()[cell.positions()].to_vec())
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..100).collect::<Vec<u32>>());
    }
}
