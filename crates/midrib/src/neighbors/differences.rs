//! Bounds on distances from coordinate differences in single precision.

use std::ops::Range;

use super::near::GROUP;
use super::tiles::Tiles;
use crate::math::Matrix;
use crate::math::simd::{Work, dispatch};

/// The number of rows whose distances are computed at once.
const TOGETHER: usize = 4;
/// An upper bound on the rounding of one operation in single precision, 2⁻²⁴ of the result.
const ROUNDING: f64 = 1e-7;
/// The extents for which squared distances neither overflow nor underflow.
const EXTENTS: Range<f64> = 1e-140..1e150;

/// The rows relative to the first, in units of the largest coordinate.
pub(super) struct Differences {
    /// Column after column.
    columns: Vec<f32>,
    n: usize,
    /// The unit; `None` if squared distances could overflow or underflow.
    unit: Option<f64>,
    /// The possible rounding error of a distance: from the coordinates, in units, and from the
    /// computation, as a share of the distance.
    rounding: (f64, f64),
}

impl Differences {
    pub fn new(rows: &Matrix) -> Self {
        let (n, dims) = (rows.n_rows(), rows.n_cols());
        let origin = rows.row(0);
        let from_origin =
            || rows.rows().map(|row| row.iter().zip(origin).map(|(x, from)| x - from));
        let extent = from_origin().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
        let unit = EXTENTS.contains(&extent).then_some(extent);
        let mut columns = vec![0.0; n * dims];
        if let Some(unit) = unit {
            let scale = 1.0 / unit;
            for (i, row) in from_origin().enumerate() {
                row.enumerate().for_each(|(d, x)| columns[d * n + i] = (x * scale) as f32);
            }
        }
        let dims = dims as f64;
        // Each difference has two rounded coordinates, with a factor of two to spare. Then come the
        // difference itself, its square, one sum per coordinate, and the bound it is compared with.
        let rounding = (4.0 * ROUNDING * dims.sqrt(), ROUNDING * (dims + 4.0));
        Self { columns, n, unit, rounding }
    }
}

impl Tiles for Differences {
    type Bound = f32;
    const QUERIES: usize = TOGETHER;

    fn bound(&self, queries: Range<usize>, others: Range<usize>, bounds: &mut [f32]) {
        dispatch(Measure { of: self, queries, others, bounds });
    }

    fn within(&self, _: usize, bound: f32) -> f64 {
        let (more, share) = self.rounding;
        self.unit.map_or(f64::INFINITY, |unit| {
            ((f64::from(bound).sqrt() + more) * (1.0 + share) * unit).powi(2)
        })
    }

    fn reach(&self, squared: f64) -> f32 {
        let (more, share) = self.rounding;
        self.unit.map_or(f32::INFINITY, |unit| {
            ((squared.sqrt() / unit + more) * (1.0 + share)).powi(2) as f32
        })
    }
}

struct Measure<'a> {
    of: &'a Differences,
    queries: Range<usize>,
    others: Range<usize>,
    bounds: &'a mut [f32],
}

impl Work for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { of, queries, others, bounds } = self;
        if queries.len() == TOGETHER {
            measure::<FMA, TOGETHER>(of, queries.start, others, bounds);
        } else {
            for (query, bounds) in queries.zip(bounds.chunks_exact_mut(others.len())) {
                measure::<FMA, 1>(of, query, others.clone(), bounds);
            }
        }
    }
}

/// The squared distances from `Q` rows, starting at `first`, to others.
#[inline(always)]
fn measure<const FMA: bool, const Q: usize>(
    of: &Differences,
    first: usize,
    others: Range<usize>,
    bounds: &mut [f32],
) {
    let count = others.len();
    let whole = count - count % GROUP;
    let add = |sum: f32, gap: f32| if FMA { gap.mul_add(gap, sum) } else { sum + gap * gap };
    for at in (0..whole).step_by(GROUP) {
        let mut sums = [[0.0; GROUP]; Q];
        for column in of.columns.chunks_exact(of.n) {
            let x: [f32; Q] = std::array::from_fn(|q| column[first + q]);
            let others = &column[others.start + at..][..GROUP];
            for q in 0..Q {
                for lane in 0..GROUP {
                    sums[q][lane] = add(sums[q][lane], x[q] - others[lane]);
                }
            }
        }
        for q in 0..Q {
            bounds[q * count + at..][..GROUP].copy_from_slice(&sums[q]);
        }
    }
    for at in whole..count {
        for q in 0..Q {
            let gap = |column: &[f32]| column[first + q] - column[others.start + at];
            let gaps = of.columns.chunks_exact(of.n).map(gap);
            bounds[q * count + at] = gaps.fold(0.0, add);
        }
    }
}
