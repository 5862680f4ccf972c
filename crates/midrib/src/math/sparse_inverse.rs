//! What is wanted of the inverse of a sparse definite matrix that is factored often.

use rayon::prelude::*;

use super::elimination::Elimination;
use super::fronts::{Fronts, HIGH};
use super::lanes::{AlignedLanes, LANES, Lanes, add};
use super::linear_program::{Cholesky, FactorPattern};
use super::matrix::Matrix;
use super::products::times;
use super::selected_inverse::SelectedInverse;
use super::simd::{Work, dispatch};
use crate::error::Result;

/// Columns that blocks of a factor are solved for at once.
const COLUMNS: usize = 16;
/// Up to this many columns a form is made of half a solution.
const NARROW: usize = 32;
/// Columns of a form that are summed at once; of eight the compiler would gather the sums.
const GRAM: usize = 4;

/// The inverse of a matrix of one pattern, front by front where these are small.
pub(crate) enum SparseInverse {
    ByFronts(Box<Fronts>),
    ByBlocks(Box<(Cholesky, SelectedInverse)>),
}

impl SparseInverse {
    /// Orders the unknowns of a matrix, of which it takes the lower triangle in compressed columns,
    /// the diagonal first in each. At least one entry is off the diagonal.
    pub fn new(column_starts: Vec<usize>, row_indices: Vec<usize>) -> Result<Self> {
        let (starts, rows) = (&column_starts, &row_indices);
        let by_bits = Elimination::by_bits(starts, rows, HIGH);
        if let Some(fronts) = by_bits.and_then(|order| Fronts::new(order, starts, rows)) {
            return Ok(Self::ByFronts(Box::new(fronts)));
        }
        let pattern = FactorPattern::new(column_starts, row_indices)?;
        let (starts, rows) = (pattern.column_starts(), pattern.row_indices());
        let by_lists = Elimination::of(&pattern);
        if let Some(fronts) = by_lists.and_then(|order| Fronts::new(order, starts, rows)) {
            return Ok(Self::ByFronts(Box::new(fronts)));
        }
        let matrix = Cholesky::of(pattern)?.by_loops_if_small();
        let inverse = SelectedInverse::new(&matrix)?;
        Ok(Self::ByBlocks(Box::new((matrix, inverse))))
    }

    /// Factors the matrix of these values; false if it is not definite.
    pub fn factor(&mut self, values: &[f64]) -> bool {
        match self {
            Self::ByFronts(fronts) => fronts.factor(values),
            Self::ByBlocks(blocks) => {
                blocks.0.values_mut().copy_from_slice(values);
                blocks.0.factor_exactly()
            }
        }
    }

    /// The logarithm of the determinant of the matrix last factored.
    pub fn log_determinant(&self) -> f64 {
        match self {
            Self::ByFronts(fronts) => fronts.log_determinant(),
            Self::ByBlocks(blocks) => blocks.0.log_determinant(),
        }
    }

    /// Whether the last matrix is still factored.
    pub fn holds_factor(&self) -> bool {
        match self {
            Self::ByFronts(fronts) => fronts.holds_factor(),
            Self::ByBlocks(_) => true,
        }
    }

    /// The entries of the inverse that stand where the matrix has entries, in the order of these.
    /// They may take the place of the factor, which all else but the determinant asks for.
    pub fn entries(&mut self, found: &mut [f64]) -> Result<()> {
        match self {
            Self::ByFronts(fronts) => fronts.invert(found),
            Self::ByBlocks(blocks) => found.copy_from_slice(&blocks.1.of(&blocks.0)?),
        }
        Ok(())
    }

    /// The inverse times the rows, taken as columns, in place.
    pub fn solve(&self, rows: &mut Matrix) {
        let n = rows.n_cols();
        match self {
            Self::ByFronts(fronts) => {
                let panels = rows.as_mut_slice().par_chunks_mut(LANES * n);
                panels.for_each(|panel| solve_panel(fronts, panel));
            }
            Self::ByBlocks(blocks) => {
                let panels = rows.as_mut_slice().par_chunks_mut(COLUMNS * n);
                panels.for_each(|panel| blocks.0.solve_columns(panel));
            }
        }
    }

    /// Arranges the rows of a matrix for [`SparseInverse::form`].
    pub fn arranged(&self, rows: &Matrix) -> Arranged {
        let Self::ByFronts(fronts) = self else { return Arranged::default() };
        if rows.n_cols() > NARROW {
            return Arranged::default();
        }
        let n = rows.n_rows();
        let length = n * rows.n_cols().div_ceil(LANES);
        let mut panels = AlignedLanes::new(length);
        for (panel, first) in panels.chunks_exact_mut(n).zip((0..).step_by(LANES)) {
            let columns = first..rows.n_cols().min(first + LANES);
            for (row, &place) in rows.rows().zip(fronts.places()) {
                panel[place][..columns.len()].copy_from_slice(&row[columns.clone()]);
            }
        }
        Arranged { panels, halves: AlignedLanes::new(length) }
    }

    /// `Xᵀ A⁻¹ X` for the rows of X, which are arranged as well.
    pub fn form(&self, rows: &Matrix, arranged: &mut Arranged) -> Matrix {
        match self {
            Self::ByFronts(fronts) if !arranged.panels.is_empty() => {
                narrow_form(fronts, arranged, rows.n_cols())
            }
            _ => {
                let mut columns = transposed(rows);
                self.solve(&mut columns);
                times(&columns, rows.as_faer())
            }
        }
    }

    /// `B Xᵀ A⁻¹` for the rows of X, whose form was asked for last, and of B.
    pub fn smoothed(&self, rows: &Matrix, arranged: &Arranged, axes: &Matrix) -> Matrix {
        if let Self::ByFronts(fronts) = self
            && !arranged.panels.is_empty()
        {
            let mut images = Matrix::zeros(axes.n_rows(), rows.n_rows());
            let parts = images.as_mut_slice().chunks_mut(LANES * rows.n_rows());
            for (part, axes) in parts.zip(axes.as_slice().chunks(LANES * axes.n_cols())) {
                let mut panel = mixed(arranged, axes, rows.n_cols(), rows.n_rows());
                fronts.backward(&mut panel);
                from_panel(fronts, &panel, part);
            }
            return images;
        }
        let mut images = times(axes, rows.as_faer().transpose());
        self.solve(&mut images);
        images
    }
}

/// The rows of a narrow matrix in the order of a factor, a few columns after the other.
#[derive(Default)]
pub(crate) struct Arranged {
    panels: AlignedLanes,
    /// `W = L⁻¹ X`.
    halves: AlignedLanes,
}

/// `W Bᵀ` for a few rows of B, which have `width` numbers.
fn mixed(arranged: &Arranged, axes: &[f64], width: usize, n: usize) -> AlignedLanes {
    let mut panel = AlignedLanes::new(n);
    for (half, first) in arranged.halves.chunks_exact(n).zip((0..width).step_by(LANES)) {
        let mut turned = [[0.0; LANES]; LANES];
        for (lane, axis) in axes.chunks_exact(width).enumerate() {
            let part = &axis[first..width.min(first + LANES)];
            turned.iter_mut().zip(part).for_each(|(to, x)| to[lane] = *x);
        }
        dispatch(Mix { rows: half, by: &turned, to: &mut panel });
    }
    panel
}

/// Adds the products of rows with a small matrix.
struct Mix<'a> {
    rows: &'a [Lanes],
    by: &'a [Lanes; LANES],
    to: &'a mut [Lanes],
}

impl Work for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (row, to) in self.rows.iter().zip(self.to) {
            let mut sum = *to;
            for (x, by) in row.iter().zip(self.by) {
                add::<FMA>(&mut sum, *x, by);
            }
            *to = sum;
        }
    }
}

/// `leftᵀ · right`, of `left` a few columns from `first` on.
struct Gram<'a> {
    left: &'a [Lanes],
    first: usize,
    right: &'a [Lanes],
}

impl Work for Gram<'_> {
    type Output = [Lanes; GRAM];

    #[inline(always)]
    fn run<const FMA: bool>(self) -> [Lanes; GRAM] {
        let mut sums = [[0.0; LANES]; GRAM];
        for (left, right) in self.left.iter().zip(self.right) {
            for at in 0..GRAM {
                add::<FMA>(&mut sums[at], left[(self.first + at) % LANES], right);
            }
        }
        sums
    }
}

fn solve_panel(fronts: &Fronts, rows: &mut [f64]) {
    let places = fronts.places();
    let mut panel = AlignedLanes::new(places.len());
    for (lane, row) in rows.chunks_exact(places.len()).enumerate() {
        row.iter().zip(places).for_each(|(x, &place)| panel[place][lane] = *x);
    }
    fronts.forward(&mut panel);
    fronts.backward(&mut panel);
    from_panel(fronts, &panel, rows);
}

fn from_panel(fronts: &Fronts, panel: &[Lanes], rows: &mut [f64]) {
    let places = fronts.places();
    for (lane, row) in rows.chunks_exact_mut(places.len()).enumerate() {
        row.iter_mut().zip(places).for_each(|(x, &place)| *x = panel[place][lane]);
    }
}

/// `WᵀW` with `W = L⁻¹ X`.
fn narrow_form(fronts: &Fronts, arranged: &mut Arranged, width: usize) -> Matrix {
    let n = fronts.places().len();
    let Arranged { panels, halves } = arranged;
    halves.copy_from_slice(panels);
    fronts.forward(halves);
    let mut form = Matrix::zeros(width, width);
    for (p, left) in halves.chunks_exact(n).enumerate() {
        for (q, right) in halves.chunks_exact(n).enumerate().take(p + 1) {
            for first in (p * LANES..width.min((p + 1) * LANES)).step_by(GRAM) {
                let part = dispatch(Gram { left, first: first % LANES, right });
                for (i, row) in (first..width).zip(&part) {
                    for (j, x) in (q * LANES..width).zip(row) {
                        form.row_mut(i)[j] = *x;
                        form.row_mut(j)[i] = *x;
                    }
                }
            }
        }
    }
    form
}

/// Rows become columns.
pub(crate) fn transposed(matrix: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(matrix.n_cols(), matrix.n_rows());
    for (i, row) in matrix.rows().enumerate() {
        row.iter().enumerate().for_each(|(j, x)| out.row_mut(j)[i] = *x);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::selected_inverse::tests::{draw_together, lower_triangle};
    use faer::linalg::solvers::{DenseSolveCore, Llt};
    use faer::{Mat, Side};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Pieces of a graph's Laplacian, at least one edge, and a small diagonal: values of the lower
    /// triangle, diagonal first.
    fn random(seed: u64, size: usize, reach: usize) -> (SparseInverse, Vec<f64>, Mat<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut dense = Mat::<f64>::identity(size, size) * 0.25;
        for column in 0..size {
            for row in column + 1..size.min(column + reach) {
                if rng.random::<f64>() < 0.5 || row == 1 {
                    let pull = 10_f64.powf(4.0 * rng.random::<f64>() - 2.0);
                    draw_together(&mut dense, row, column, pull);
                }
            }
        }
        let (starts, rows, values) = lower_triangle(&dense);
        (SparseInverse::new(starts, rows).unwrap(), values, dense)
    }

    fn check(seed: u64, size: usize, reach: usize) {
        let (mut sparse, values, dense) = random(seed, size, reach);
        // Twice, since the second time starts from what the first left.
        assert!(sparse.factor(&values) && sparse.factor(&values));
        let llt = Llt::new(dense.as_ref(), Side::Lower).unwrap();
        let inverse = llt.inverse();
        let determinant: f64 = (0..size).map(|i| 2.0 * llt.L()[(i, i)].ln()).sum();
        assert!((sparse.log_determinant() - determinant).abs() < 1e-11 * (1.0 + determinant.abs()));
        let mut points = Matrix::zeros(size, 11);
        for (i, x) in points.as_mut_slice().iter_mut().enumerate() {
            *x = (i as f64 * 0.7).sin();
        }
        let solved = &inverse * points.as_faer();
        let mut columns = transposed(&points);
        sparse.solve(&mut columns);
        let mut arranged = sparse.arranged(&points);
        let form = sparse.form(&points, &mut arranged);
        let mut axes = Matrix::zeros(9, 11);
        (0..9).for_each(|i| axes.row_mut(i)[i + 1] = 2.0);
        let smoothed = sparse.smoothed(&points, &arranged, &axes);
        let expected = points.as_faer().transpose() * &solved;
        let largest = solved.norm_max();
        for i in 0..11 {
            for (row, x) in columns.row(i).iter().enumerate() {
                assert!((x - solved[(row, i)]).abs() < 1e-10 * largest);
            }
            if (1..10).contains(&i) {
                for (row, x) in smoothed.row(i - 1).iter().enumerate() {
                    assert!((x - 2.0 * solved[(row, i)]).abs() < 1e-10 * largest);
                }
            }
            for j in 0..11 {
                let scale = expected[(i, i)] + expected[(j, j)];
                assert!((form.row(i)[j] - expected[(i, j)]).abs() < 1e-10 * scale);
            }
        }
        let mut found = vec![0.0; values.len()];
        sparse.entries(&mut found).unwrap();
        let mut again = found.clone();
        sparse.entries(&mut again).unwrap();
        assert_eq!(found, again);
        assert!((sparse.log_determinant() - determinant).abs() < 1e-11 * (1.0 + determinant.abs()));
        assert_eq!(sparse.holds_factor(), matches!(sparse, SparseInverse::ByBlocks(_)));
        assert!(sparse.factor(&values) && sparse.holds_factor());
        let mut solved_again = transposed(&points);
        sparse.solve(&mut solved_again);
        assert_eq!(solved_again, columns);
        let mut found = found.into_iter();
        for column in 0..size {
            for row in column..size {
                if dense[(row, column)] != 0.0 {
                    let (found, expected) = (found.next().unwrap(), inverse[(row, column)]);
                    let scale = (inverse[(row, row)] * inverse[(column, column)]).sqrt();
                    assert!((found - expected).abs() < 1e-11 * scale, "{found} {expected}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn everything_is_that_of_the_dense_matrix(
            seed in 0_u64..1 << 32,
            size in 2_usize..220,
            reach in 2_usize..60,
        ) {
            check(seed, size, reach);
        }
    }

    #[test]
    fn small_fronts_and_large_blocks_take_their_own_ways() {
        let by_fronts = |reach| matches!(random(1, 400, reach).0, SparseInverse::ByFronts(_));
        assert!(by_fronts(5));
        assert!(!by_fronts(400));
        check(1, 400, 5);
        check(1, 400, 400);
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let (mut sparse, mut values, _) = random(3, 40, 4);
        values[0] = -1.0;
        assert!(!sparse.factor(&values));
        values[0] = f64::NAN;
        assert!(!sparse.factor(&values));
    }
}
