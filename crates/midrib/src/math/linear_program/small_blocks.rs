//! Factors whose blocks are so small that plain loops beat matrix products.

use super::Cholesky;
use super::layout::Layout;
use crate::math::simd::{Work, dispatch, fused};

/// A factor is taken by loops if its columns have at most this many rows on the average.
const FEW: f64 = 40.0;

/// What is known beforehand of a factorisation, block by block, that looks to the left.
pub(super) struct SmallBlocks {
    layout: Layout,
    /// What earlier blocks take from each block.
    updates: Vec<Vec<Update>>,
    /// A column of an update.
    column: Vec<f64>,
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
    pub fn new(matrix: &Cholesky) -> Option<Self> {
        if matrix.work() > FEW * matrix.stored() as f64 {
            return None;
        }
        let layout = Layout::new(matrix)?;
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
        Some(Self { layout, updates, column: vec![0.0; height] })
    }

    /// Factors the matrix of these values; false if it is not definite.
    pub fn factor(&mut self, values: &[f64], factor: &mut [f64]) -> bool {
        factor.fill(0.0);
        for (&at, value) in self.layout.entries.iter().zip(values) {
            factor[at] = *value;
        }
        dispatch(Factor { of: self, factor })
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
        let SmallBlocks { layout, updates, column: sum } = self.of;
        for (block, updates) in layout.blocks.iter().zip(updates) {
            let (before, own) = self.factor.split_at_mut(block.values.start);
            let (width, height) = (block.width(), block.height());
            let own = &mut own[..width * height];
            for update in updates {
                let from = &layout.blocks[update.from];
                let (values, rows) = (&before[from.values.clone()], from.height());
                for j in 0..update.columns {
                    let sum = &mut sum[..update.places.len() - j];
                    sum.fill(0.0);
                    add_columns::<FMA>(sum, values, rows, update.first + j, |column| {
                        column[update.first + j]
                    });
                    let places = &update.places[j..];
                    let to = &mut own[places[0] as usize * height..][..height];
                    for (&place, sum) in places.iter().zip(sum) {
                        to[place as usize] -= *sum;
                    }
                }
            }
            for k in 0..width {
                let (done, rest) = own.split_at_mut(k * height);
                let column = &mut rest[k..height];
                add_columns::<FMA>(column, done, height, k, |column| -column[k]);
                let pivot = column[0].sqrt();
                if !(pivot > 0.0 && pivot.is_finite()) {
                    return false;
                }
                column.iter_mut().for_each(|x| *x /= pivot);
                column[0] = pivot;
            }
        }
        true
    }
}

/// Adds to `to` the lower ends of columns of `height`, from the row `first` on, by their factors.
#[inline(always)]
fn add_columns<const FMA: bool>(
    to: &mut [f64],
    columns: &[f64],
    height: usize,
    first: usize,
    factor: impl Fn(&[f64]) -> f64,
) {
    let n = to.len();
    let mut pairs = columns.chunks_exact(2 * height);
    for pair in &mut pairs {
        let (a, b) = pair.split_at(height);
        let (by_a, by_b) = (factor(a), factor(b));
        let (a, b) = (&a[first..first + n], &b[first..first + n]);
        for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
            *to = fused::<FMA>(*b, by_b, fused::<FMA>(*a, by_a, *to));
        }
    }
    for column in pairs.remainder().chunks_exact(height) {
        let by = factor(column);
        for (to, x) in to.iter_mut().zip(&column[first..first + n]) {
            *to = fused::<FMA>(*x, by, *to);
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
