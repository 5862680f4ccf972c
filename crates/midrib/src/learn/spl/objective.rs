//! The objective of similarities, its gradient, and the embedding that belongs to them.
#![allow(non_snake_case)]

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Par, Side};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::{
    Bounded, Cholesky, Matrix, SelectedInverse, Slope, squared_distance, times, top_eigen,
};

/// With more coordinates than this only the axes that are wanted are looked for.
const WIDE: usize = 1000;
/// Columns that are solved for at once.
const COLUMNS: usize = 16;

/// What the objective is made of; lengths are in units of the prior.
pub(super) struct Model {
    /// The centred points.
    pub X: Matrix,
    /// Pairs of neighbours, `a < b`, in ascending order.
    pub pairs: Vec<(usize, usize)>,
    /// Their squared distances.
    pub phi: Vec<f64>,
    /// Latent dimensions.
    pub d: usize,
    pub gamma: f64,
    /// 1/C.
    pub strain: f64,
}

/// The negative objective, as a function of one similarity for each pair.
pub(super) struct Objective {
    pub model: Model,
    /// Q of the similarities last looked at.
    matrix: Cholesky,
    inverse: SelectedInverse,
    /// Where the diagonal of Q and each pair stand among its entries.
    diagonal: Vec<usize>,
    entries: Vec<usize>,
    s: Vec<f64>,
    /// Bᵀ, for γ > 0.
    axes: Matrix,
}

impl Objective {
    pub fn new(model: Model) -> Result<Self> {
        let n = model.X.n_rows();
        let (mut starts, mut rows) = (vec![0], Vec::with_capacity(n + model.pairs.len()));
        let mut entries = Vec::with_capacity(model.pairs.len());
        let mut pairs = model.pairs.iter().peekable();
        for column in 0..n {
            rows.push(column);
            while let Some((_, row)) = pairs.next_if(|pair| pair.0 == column) {
                entries.push(rows.len());
                rows.push(*row);
            }
            starts.push(rows.len());
        }
        let diagonal = starts[..n].to_vec();
        let matrix = Cholesky::new(starts, rows)?.by_loops_if_small();
        let inverse = SelectedInverse::new(&matrix)?;
        let axes = Matrix::zeros(0, model.X.n_cols());
        Ok(Self { model, matrix, inverse, diagonal, entries, s: Vec::new(), axes })
    }

    /// Makes Q of the similarities; false if it is not definite.
    fn factor(&mut self, s: &[f64]) -> bool {
        let (values, diagonal) = (self.matrix.values_mut(), &self.diagonal);
        for &at in diagonal {
            values[at] = (self.model.gamma + 1.0) / 4.0;
        }
        for ((&(a, b), &entry), &s) in self.model.pairs.iter().zip(&self.entries).zip(s) {
            values[entry] = -s;
            values[diagonal[a]] += s;
            values[diagonal[b]] += s;
        }
        self.s.clear();
        self.s.extend_from_slice(s);
        self.matrix.factor_exactly()
    }

    /// Q⁻¹ times the rows, taken as columns, in place.
    pub fn solve(&self, rows: &mut Matrix) {
        let n = rows.n_cols();
        let blocks = rows.as_mut_slice().par_chunks_mut(COLUMNS * n);
        blocks.for_each(|block| self.matrix.solve_columns(block));
    }

    /// The top d eigenvalues of XᵀQ⁻¹X, and their vectors as rows.
    fn top_axes(&self) -> Result<(Vec<f64>, Matrix)> {
        let Model { X, d, .. } = &self.model;
        let D = X.n_cols();
        if D > WIDE {
            let product = |rows: &Matrix| {
                let mut images = times(rows, X.as_faer().transpose());
                self.solve(&mut images);
                times(&images, X.as_faer())
            };
            let top = top_eigen(D, product, |_| Some(*d))?;
            return Ok((top.values, top.vectors));
        }
        let mut columns = transposed(X);
        self.solve(&mut columns);
        let form = times(&columns, X.as_faer());
        // In parallel the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let eigen = SelfAdjointEigen::new(form.as_faer(), Side::Lower)
            .map_err(|_| Error::Numerical("the axes of the embedding did not converge".into()))?;
        let mut axes = Matrix::zeros(*d, D);
        for i in 0..*d {
            let axis = eigen.U().col(D - 1 - i);
            axes.row_mut(i).iter_mut().zip(axis.iter()).for_each(|(to, x)| *to = *x);
        }
        Ok(((0..*d).map(|i| eigen.S()[D - 1 - i]).collect(), axes))
    }

    /// (22): the embedding at the similarities last looked at, one row a dimension; γ > 0.
    pub fn embedding(&self) -> Matrix {
        let mut rows = times(&self.axes, self.model.X.as_faer().transpose());
        self.solve(&mut rows);
        rows.as_mut_slice().iter_mut().for_each(|e| *e *= self.model.gamma / 4.0);
        rows
    }

    /// Bᵀ at the similarities last looked at; γ > 0.
    pub fn axes(&self) -> &Matrix {
        &self.axes
    }
}

impl Bounded for Objective {
    fn value(&mut self, s: &[f64]) -> Result<f64> {
        if !self.factor(s) {
            return Ok(f64::NAN);
        }
        let mut top = 0.0;
        if self.model.gamma > 0.0 {
            let (values, axes) = self.top_axes()?;
            top = values.iter().sum();
            self.axes = axes;
        }
        let Model { phi, d, gamma, strain, .. } = &self.model;
        let kept: f64 = s.iter().zip(phi).map(|(s, phi)| s * (2.0 * phi + strain / 2.0 * s)).sum();
        let half = *d as f64 / 2.0;
        Ok(kept + gamma.powi(2) / 8.0 * top - half * self.matrix.log_determinant())
    }

    /// (20), per pair.
    fn slope(&mut self) -> Result<Slope> {
        let Z = self.inverse.of(&self.matrix)?;
        let diagonal = &self.diagonal;
        let Model { pairs, phi, d, gamma, strain, X } = &self.model;
        let e =
            if *gamma > 0.0 { transposed(&self.embedding()) } else { Matrix::zeros(X.n_rows(), 0) };
        let half = *d as f64 / 2.0;
        let mut gradient = Vec::with_capacity(pairs.len());
        let mut curvature = Vec::with_capacity(pairs.len());
        for (at, &(a, b)) in pairs.iter().enumerate() {
            let resistance = Z[diagonal[a]] + Z[diagonal[b]] - 2.0 * Z[self.entries[at]];
            let apart = squared_distance(e.row(a), e.row(b));
            let kept = strain * self.s[at] + 2.0 * phi[at];
            gradient.push(kept - half * resistance - 2.0 * apart);
            curvature.push(half * resistance.powi(2) + strain);
        }
        Ok(Slope { gradient, curvature })
    }
}

/// Rows become columns.
pub(super) fn transposed(matrix: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(matrix.n_cols(), matrix.n_rows());
    for (i, row) in matrix.rows().enumerate() {
        row.iter().enumerate().for_each(|(j, x)| out.row_mut(j)[i] = *x);
    }
    out
}
