//! The objective as a function of the similarities, its gradient, and the embedding.
#![allow(non_snake_case)]

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Par, Side};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::simd::dot_in_lanes;
use crate::math::{
    Bounded, Matrix, SelectedInverse, Slope, SparseCholesky, times, top_eigen, transposed,
};

/// With more coordinates than this only the wanted axes are computed.
const WIDE: usize = 1000;
/// Right-hand sides that are solved for at once.
const PANEL: usize = 16;

/// What the objective is made of; lengths are in units of the prior.
pub(super) struct Model {
    /// The centered points.
    pub X: Matrix,
    /// Pairs of neighbors, `a < b`, in ascending order.
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
    /// Q at the last similarities.
    Q: SparseCholesky,
    inverse: SelectedInverse,
    /// The entries of Q⁻¹ where Q has entries.
    Z: Vec<f64>,
    /// (Q⁻¹X)ᵀ, for γ > 0 unless X is wide.
    smoothed: Option<Matrix>,
    /// The diagonal of Q, as far as it is summed up.
    degrees: Vec<f64>,
    /// Where the pairs of each point with later ones start. With its diagonal before them these
    /// are the columns of Q.
    starts: Vec<usize>,
    s: Vec<f64>,
    /// Bᵀ, for γ > 0.
    axes: Matrix,
}

impl Objective {
    pub fn new(model: Model) -> Result<Self> {
        let n = model.X.n_rows();
        let (mut starts, mut rows) = (vec![0], Vec::with_capacity(n + model.pairs.len()));
        let mut pairs = model.pairs.iter().peekable();
        for column in 0..n {
            rows.push(column);
            while let Some((_, row)) = pairs.next_if(|pair| pair.0 == column) {
                rows.push(*row);
            }
            starts.push(rows.len() - column - 1);
        }
        let column_starts = starts.iter().enumerate().map(|(i, start)| start + i).collect();
        let Z = vec![0.0; rows.len()];
        let Q = SparseCholesky::new(column_starts, rows)?;
        let inverse = SelectedInverse::new(&Q);
        let axes = Matrix::zeros(0, model.X.n_cols());
        let degrees = vec![0.0; n];
        let (s, smoothed) = (Vec::new(), None);
        Ok(Self { model, Q, inverse, Z, smoothed, degrees, starts, s, axes })
    }

    /// Makes Q of the similarities; false if it is not definite.
    fn factor(&mut self, s: &[f64]) -> bool {
        let Self { model, Q, starts, degrees, .. } = self;
        let entries = Q.values_mut();
        degrees.fill((model.gamma + 1.0) / 4.0);
        for (column, ends) in starts.windows(2).enumerate() {
            let pairs = ends[0]..ends[1];
            let entries = &mut entries[pairs.start + column..][..pairs.len() + 1];
            let mut degree = 0.0;
            let of_pairs = model.pairs[pairs.clone()].iter().zip(&s[pairs]);
            for (value, (&(_, row), &s)) in entries[1..].iter_mut().zip(of_pairs) {
                *value = -s;
                degree += s;
                degrees[row] += s;
            }
            entries[0] = degrees[column] + degree;
        }
        self.s.clear();
        self.s.extend_from_slice(s);
        Q.factor()
    }

    /// Factors Q at these similarities, unless they were the last ones.
    pub fn look_at(&mut self, s: &[f64]) -> Result<()> {
        if self.s != s {
            self.value(s)?;
        }
        Ok(())
    }

    /// Q⁻¹ times the rows, taken as columns, in place.
    pub fn solve(&self, rows: &mut Matrix) {
        let panel = PANEL * rows.n_cols().max(1);
        rows.as_mut_slice().par_chunks_mut(panel).for_each(|panel| self.Q.solve(panel));
    }

    /// The top d eigenvalues of XᵀQ⁻¹X, and their vectors as rows.
    fn top_axes(&mut self) -> Result<(Vec<f64>, Matrix)> {
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
        let mut smoothed = transposed(X);
        self.solve(&mut smoothed);
        let form = times(&smoothed, X.as_faer());
        // In parallel the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let eigen = SelfAdjointEigen::new(form.as_faer(), Side::Lower)
            .map_err(|_| Error::Numerical("the axes of the embedding did not converge".into()))?;
        let mut axes = Matrix::zeros(*d, D);
        for i in 0..*d {
            let axis = eigen.U().col(D - 1 - i);
            axes.row_mut(i).iter_mut().zip(axis.iter()).for_each(|(to, x)| *to = *x);
        }
        let values = (0..*d).map(|i| eigen.S()[D - 1 - i]).collect();
        self.smoothed = Some(smoothed);
        Ok((values, axes))
    }

    /// (22): the embedding at the last similarities, one row per dimension; γ > 0.
    pub fn embedding(&self) -> Matrix {
        let mut rows = match &self.smoothed {
            Some(smoothed) => times(&self.axes, smoothed.as_faer()),
            None => {
                let mut rows = times(&self.axes, self.model.X.as_faer().transpose());
                self.solve(&mut rows);
                rows
            }
        };
        rows.as_mut_slice().iter_mut().for_each(|e| *e *= self.model.gamma / 4.0);
        rows
    }

    /// Bᵀ at the last similarities; γ > 0.
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
        let kept = 2.0 * dot_in_lanes(s, phi) + strain / 2.0 * dot_in_lanes(s, s);
        let half = *d as f64 / 2.0;
        Ok(kept + gamma.powi(2) / 8.0 * top - half * self.Q.log_determinant())
    }

    /// (20), per pair.
    fn slope(&mut self, slope: &mut Slope) -> Result<()> {
        let embedding = (self.model.gamma > 0.0).then(|| self.embedding());
        self.inverse.of(&self.Q, &mut self.Z);
        let Self { Z, starts, s, .. } = &*self;
        let Model { pairs, phi, d, strain, .. } = &self.model;
        let n = starts.len() - 1;
        let mut axes = embedding.as_ref().map_or(&[][..], Matrix::as_slice).chunks(n);
        // The diagonal of Q⁻¹ and two axes, on one way through the pairs.
        let first = [axes.next(), axes.next()].map(|axis| axis.unwrap_or(&[]));
        let of_point = |i: usize| [Z[starts[i] + i], at(first[0], i), at(first[1], i)];
        let of_points: Vec<[f64; 3]> = (0..n).map(of_point).collect();
        let half = *d as f64 / 2.0;
        let Slope { gradient, curvature } = slope;
        gradient.resize(pairs.len(), 0.0);
        curvature.resize(pairs.len(), 0.0);
        for (a, ends) in starts.windows(2).enumerate() {
            let of_pairs = ends[0]..ends[1];
            let slopes =
                gradient[of_pairs.clone()].iter_mut().zip(&mut curvature[of_pairs.clone()]);
            let entries = &Z[of_pairs.start + a + 1..];
            let terms = pairs[of_pairs.clone()].iter().zip(&phi[of_pairs.clone()]);
            let terms = terms.zip(&s[of_pairs]).zip(entries);
            let of_a = of_points[a];
            for ((gradient, curvature), (((&(_, b), phi), s), entry)) in slopes.zip(terms) {
                let of_b = &of_points[b];
                let resistance = of_a[0] + of_b[0] - 2.0 * entry;
                let gaps = [of_a[1] - of_b[1], of_a[2] - of_b[2]];
                let apart = gaps[0] * gaps[0] + gaps[1] * gaps[1];
                *gradient = strain * s + 2.0 * (phi - apart) - half * resistance;
                *curvature = half * resistance * resistance + strain;
            }
        }
        for axis in axes {
            for (gradient, &(a, b)) in gradient.iter_mut().zip(pairs) {
                *gradient -= 2.0 * (axis[a] - axis[b]).powi(2);
            }
        }
        Ok(())
    }
}

/// The coordinate of a point along an axis; without the axis 0.
fn at(axis: &[f64], point: usize) -> f64 {
    axis.get(point).copied().unwrap_or_default()
}
