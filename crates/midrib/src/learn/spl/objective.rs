//! The objective of similarities, its gradient, and the embedding that belongs to them.
#![allow(non_snake_case)]

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Par, Side};

use crate::error::{Error, Result};
use crate::math::simd::dot_in_lanes;
use crate::math::{Arranged, Bounded, Matrix, Slope, SparseInverse, times, top_eigen};

/// With more coordinates than this only the axes that are wanted are looked for.
const WIDE: usize = 1000;

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
    /// The entries of Q at the similarities last looked at, or of Q⁻¹ once the slope has been
    /// asked for.
    entries: Vec<f64>,
    inverse: SparseInverse,
    /// X in the order of the factor.
    arranged: Arranged,
    /// The diagonal of Q, as far as it is summed up.
    degrees: Vec<f64>,
    /// Where the pairs of each point with later ones start. With its diagonal before them these
    /// are the columns of Q.
    starts: Vec<usize>,
    s: Vec<f64>,
    /// Bᵀ, for γ > 0.
    axes: Matrix,
    /// The embedding, once the slope has been asked for; γ > 0.
    embedding: Option<Matrix>,
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
        let entries = vec![0.0; rows.len()];
        let inverse = SparseInverse::new(column_starts, rows)?;
        let axes = Matrix::zeros(0, model.X.n_cols());
        let degrees = vec![0.0; n];
        let arranged = inverse.arranged(&model.X);
        Ok(Self {
            model,
            entries,
            inverse,
            arranged,
            degrees,
            starts,
            s: Vec::new(),
            axes,
            embedding: None,
        })
    }

    /// Makes Q of the similarities; false if it is not definite.
    fn factor(&mut self, s: &[f64]) -> bool {
        let Self { model, entries, starts, degrees, .. } = self;
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
        self.embedding = None;
        self.s.clear();
        self.s.extend_from_slice(s);
        self.inverse.factor(entries)
    }

    /// Looks at the similarities, unless all that the embedding takes is known of them.
    pub fn look_at(&mut self, s: &[f64]) -> Result<()> {
        let is_known = self.inverse.holds_factor() || self.embedding.is_some();
        if self.s != s || !is_known {
            self.value(s)?;
        }
        Ok(())
    }

    /// Q⁻¹ times the rows, taken as columns, in place.
    pub fn solve(&self, rows: &mut Matrix) {
        self.inverse.solve(rows);
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
        let form = self.inverse.form(X, &mut self.arranged);
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
        if let Some(known) = &self.embedding {
            return known.clone();
        }
        let mut rows = self.inverse.smoothed(&self.model.X, &self.arranged, &self.axes);
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
        let kept = 2.0 * dot_in_lanes(s, phi) + strain / 2.0 * dot_in_lanes(s, s);
        let half = *d as f64 / 2.0;
        Ok(kept + gamma.powi(2) / 8.0 * top - half * self.inverse.log_determinant())
    }

    /// (20), per pair.
    fn slope(&mut self, slope: &mut Slope) -> Result<()> {
        if self.model.gamma > 0.0 {
            // Before the inverse, which may take the place of the factor.
            self.embedding = Some(self.embedding());
        }
        self.inverse.entries(&mut self.entries)?;
        let Self { entries: Z, starts, s, embedding, .. } = &*self;
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
