//! Factors whose blocks are so small that plain loops beat matrix products.

use super::FactorPattern;
use super::layout::Layout;
use super::tiles::{COLUMNS, Tiles};
use crate::math::simd::{Work, add, add_multiples, dispatch, dot_lanes, fused};

/// A factor is taken by loops if its columns have at most this many rows on the average.
/// Those of the bench near thin curves have about 50, near thicker ones 240.
const FEW: f64 = 300.0;

/// What is known beforehand of a factorisation, block by block, that looks to the left.
pub(super) struct SmallBlocks {
    layout: Layout,
    /// What earlier blocks take from each block.
    updates: Vec<Vec<Update>>,
    /// Room for the rows below a block.
    below: Vec<f64>,
    /// Room for a right side in the factor's order.
    sides: Vec<f64>,
}

/// The rows of an earlier block that stand in a block's columns, and all below these.
struct Update {
    from: usize,
    /// The first of these rows in the earlier block.
    first: usize,
    /// How many stand in the block's columns.
    columns: usize,
    /// Where each row stands in the block.
    places: Vec<u32>,
}

impl SmallBlocks {
    /// Nothing if matrix products will do better.
    pub fn new(pattern: &FactorPattern) -> Option<Self> {
        if pattern.work() > FEW * pattern.stored() as f64 {
            return None;
        }
        let layout = Layout::new(pattern)?;
        let mut updates: Vec<Vec<Update>> = layout.blocks.iter().map(|_| Vec::new()).collect();
        for (from, block) in layout.blocks.iter().enumerate() {
            let mut first = 0;
            while let Some(&row) = block.below.get(first) {
                let to = layout.block_of[row] as usize;
                let target = &layout.blocks[to];
                let rest = &block.below[first..];
                let columns = rest.partition_point(|&row| row < target.columns.end);
                let places = rest.iter().map(|&row| target.place(row).map(|at| at as u32));
                let places = places.collect::<Option<Vec<u32>>>()?;
                updates[to].push(Update { from, first: block.width() + first, columns, places });
                first += columns;
            }
        }
        let height = layout.blocks.iter().map(|block| block.height()).max()?;
        let sides = vec![0.0; layout.block_of.len()];
        Some(Self { layout, updates, below: vec![0.0; height], sides })
    }

    /// Factors the matrix of these values; false if it is not definite.
    pub fn factor(&mut self, values: &[f64], factor: &mut [f64]) -> bool {
        factor.fill(0.0);
        for (&at, value) in self.layout.entries.iter().zip(values) {
            factor[at] = *value;
        }
        dispatch(Factor { of: self, factor })
    }

    /// Solves in place with a factor whose order gives each unknown its place.
    pub fn solve(&mut self, factor: &[f64], places: &[usize], right: &mut [f64]) {
        for (&place, x) in places.iter().zip(&*right) {
            self.sides[place] = *x;
        }
        dispatch(Solve { of: self, factor });
        for (&place, x) in places.iter().zip(right) {
            *x = self.sides[place];
        }
    }
}

struct Factor<'a> {
    of: &'a mut SmallBlocks,
    factor: &'a mut [f64],
}

impl Work for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> bool {
        let SmallBlocks { layout, updates, .. } = self.of;
        for (block, updates) in layout.blocks.iter().zip(updates) {
            let (before, own) = self.factor.split_at_mut(block.values.start);
            let (width, height) = (block.width(), block.height());
            let own = &mut own[..width * height];
            for update in updates {
                let from = &layout.blocks[update.from];
                let tiles = Tiles {
                    columns: &before[from.values.clone()],
                    height: from.height(),
                    first: update.first,
                };
                tiles.products::<FMA>(update.columns, |column, row, sums| {
                    let to = &mut own[update.places[column] as usize * height..][..height];
                    for (&place, sum) in update.places[row..].iter().zip(sums) {
                        to[place as usize] -= sum;
                    }
                });
            }
            if !factor_block::<FMA>(own, width, height) {
                return false;
            }
        }
        true
    }
}

/// Factors the columns of one block, a few at a time; false if it is not definite.
#[inline(always)]
fn factor_block<const FMA: bool>(own: &mut [f64], width: usize, height: usize) -> bool {
    for start in (0..width).step_by(COLUMNS) {
        let (columns, rest) = own.split_at_mut(start * height);
        let panel = &mut rest[..COLUMNS.min(width - start) * height];
        let tiles = Tiles { columns, height, first: start };
        tiles.products::<FMA>(panel.len() / height, |column, row, sums| {
            let to = &mut panel[column * height + start + row..][..sums.len()];
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to -= sum);
        });
        for k in 0..panel.len() / height {
            let (done, rest) = panel.split_at_mut(k * height);
            let own = &mut rest[start + k..height];
            for column in done.chunks_exact(height) {
                let column = &column[start + k..];
                add::<FMA>(-column[0], column, own);
            }
            let pivot = own[0].sqrt();
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            let inverse = 1.0 / pivot;
            own.iter_mut().for_each(|x| *x *= inverse);
            own[0] = pivot;
        }
    }
    true
}

/// Solves with a factor, in its own order.
struct Solve<'a> {
    of: &'a mut SmallBlocks,
    factor: &'a [f64],
}

impl Work for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let SmallBlocks { layout, below, sides, .. } = self.of;
        for block in &layout.blocks {
            let (width, height) = (block.width(), block.height());
            let columns = self.factor[block.values.clone()].chunks_exact(height);
            let own = &mut sides[block.columns.clone()];
            for (k, column) in columns.clone().enumerate() {
                own[k] /= column[k];
                let (done, rest) = own.split_at_mut(k + 1);
                add::<FMA>(-done[k], &column[k + 1..width], rest);
            }
            let below = &mut below[..height - width];
            below.fill(0.0);
            let terms = own.iter().copied().zip(columns.map(|column| &column[width..]));
            add_multiples::<FMA>(terms, below);
            for (&row, below) in block.below.iter().zip(below) {
                sides[row] -= *below;
            }
        }
        for block in layout.blocks.iter().rev() {
            let (width, height) = (block.width(), block.height());
            let below = &mut below[..height - width];
            for (&row, below) in block.below.iter().zip(below.iter_mut()) {
                *below = sides[row];
            }
            let own = &mut sides[block.columns.clone()];
            let columns = self.factor[block.values.clone()].chunks_exact(height);
            for (k, column) in columns.enumerate().rev() {
                let (first, rest) = own.split_at_mut(k + 1);
                let known = dot_lanes::<FMA>(&column[k + 1..width], rest)
                    + dot_lanes::<FMA>(&column[width..], below);
                first[k] = (first[k] - known) / column[k];
            }
        }
    }
}

/// The recursion of the selected inverse for the columns of one block, one by one from the last:
/// with `l = L[k+1.., k] / L[k, k]`,
///
/// ```text
/// Z[k+1.., k] = −Z[k+1.., k+1..] l,   Z[k, k] = 1 / L[k, k]² − lᵀ Z[k+1.., k]
/// ```
///
/// `whole` is the inverse at all rows of the block, of which those below are known.
pub(crate) struct InvertColumns<'a> {
    pub factor: &'a [f64],
    pub width: usize,
    pub whole: &'a mut [f64],
    /// The entries of the block's columns.
    pub out: &'a mut [f64],
}

impl Work for InvertColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { factor, width, whole, out } = self;
        let height = out.len() / width;
        for k in (0..width).rev() {
            let column = &factor[k * height..][..height];
            let pivot = 1.0 / column[k];
            let column = &column[k + 1..];
            let (left, right) = whole.split_at_mut((k + 1) * height);
            let found = &mut left[k * height..];
            let below = &mut found[k + 1..];
            below.fill(0.0);
            let known = &right[..column.len() * height];
            let mut fours = known.chunks_exact(4 * height);
            let mut factors = column.chunks_exact(4);
            for (four, by) in (&mut fours).zip(&mut factors) {
                let (a, b) = four.split_at(2 * height);
                let ((a, b), (c, d)) = (a.split_at(height), b.split_at(height));
                let (a, b, c, d) = (&a[k + 1..], &b[k + 1..], &c[k + 1..], &d[k + 1..]);
                for ((((to, a), b), c), d) in below.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    let first = fused::<FMA>(*b, by[1], fused::<FMA>(*a, by[0], *to));
                    *to = fused::<FMA>(*d, by[3], fused::<FMA>(*c, by[2], first));
                }
            }
            for (one, by) in fours.remainder().chunks_exact(height).zip(factors.remainder()) {
                for (to, x) in below.iter_mut().zip(&one[k + 1..]) {
                    *to = fused::<FMA>(*x, *by, *to);
                }
            }
            let mut own = pivot;
            for (below, l) in below.iter_mut().zip(column) {
                *below *= -pivot;
                own = fused::<FMA>(-*l, *below, own);
            }
            found[k] = own * pivot;
            let found = &found[k..];
            for (x, row) in found[1..].iter().zip(right.chunks_exact_mut(height)) {
                row[k] = *x;
            }
            out[k * height + k..][..found.len()].copy_from_slice(found);
        }
    }
}

/// See [`InvertColumns`].
pub(crate) fn invert_columns(work: InvertColumns<'_>) {
    dispatch(work);
}
