//! The dual program in Clarabel: the reference of the tests, and the fallback.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, SupportedConeT::NonnegativeConeT,
};

use super::certificate::Scaled;
use super::interior_point::Found;
use super::mapping::Entries;
use crate::error::{Error, Result};

/// Maximizes over the multipliers; the weights are the prices of the pairs' constraints.
/// `accuracy` bounds Clarabel's own measures of gap and feasibility.
pub(super) fn solve<M: Entries>(program: &Scaled<'_, M>, accuracy: f64) -> Result<Found> {
    let failed = |error: String| Error::Numerical(format!("linear program: {error}"));
    let (n_values, n_pairs) = (program.target.len(), program.costs.len());
    let constraints = constraints(program);
    let objective: Vec<f64> = program.target.iter().map(|x| -x).collect();
    let mut bounds = vec![1.0; 2 * n_values];
    bounds.extend_from_slice(&program.costs);
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .max_iter(200)
        .tol_gap_abs(accuracy)
        .tol_gap_rel(accuracy)
        .tol_feas(accuracy)
        .build()
        .map_err(|error| failed(error.to_string()))?;
    let mut solver = DefaultSolver::new(
        &CscMatrix::zeros((n_values, n_values)),
        &objective,
        &constraints,
        &bounds,
        &[NonnegativeConeT(2 * n_values + n_pairs)],
        settings,
    )
    .map_err(|error| failed(error.to_string()))?;
    solver.solve();
    let weights: Vec<f64> = solver.solution.z[2 * n_values..].iter().map(|w| w.max(0.0)).collect();
    Ok(Found::of(program, weights, &solver.solution.x, solver.solution.iterations as usize))
}

/// Both bounds of each multiplier, then what each pair earns.
fn constraints<M: Entries>(program: &Scaled<'_, M>) -> CscMatrix {
    let n_values = program.target.len();
    let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for at in 0..n_values {
        rows.extend([at, n_values + at]);
        values.extend([1.0, -1.0]);
        for (weight, value) in program.matrix.entries(at) {
            rows.push(2 * n_values + weight);
            values.push(value);
        }
        starts.push(rows.len());
    }
    CscMatrix::new(2 * n_values + program.costs.len(), n_values, starts, rows, values)
}
