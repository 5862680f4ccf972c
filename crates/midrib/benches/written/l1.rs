//! The linear program of l1 graphs as Mao2017, eq. (23), writes it, in Clarabel: one variable for each
//! pair and one for each deviation, which is above both signs of what is missed.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT::NonnegativeConeT,
};
use midrib::math::Matrix;

/// Its value at deviation weight 1, up to `accuracy`. Rows are scaled to at most 1, as they are for
/// the other solvers.
pub fn value(rows: &Matrix, pairs: &[(usize, usize)], costs: &[f64], accuracy: f64) -> f64 {
    let unit = rows.as_slice().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let target: Vec<f64> = rows.as_slice().iter().map(|x| x / unit).collect();
    let (n_values, n_pairs) = (target.len(), pairs.len());

    let mut objective: Vec<f64> = costs.iter().map(|cost| cost / unit).collect();
    objective.resize(n_pairs + n_values, 1.0);
    let mut bounds: Vec<f64> = target.iter().map(|x| -x).collect();
    bounds.extend_from_slice(&target);
    bounds.resize(2 * n_values + n_pairs, 0.0);

    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .max_iter(200)
        .tol_gap_abs(accuracy)
        .tol_gap_rel(accuracy)
        .tol_feas(accuracy)
        .build()
        .expect("settings that go together");
    let n_variables = n_pairs + n_values;
    let mut solver = DefaultSolver::new(
        &CscMatrix::zeros((n_variables, n_variables)),
        &objective,
        &constraints(&target, rows.n_cols(), pairs),
        &bounds,
        &[NonnegativeConeT(2 * n_values + n_pairs)],
        settings,
    )
    .expect("a program");
    solver.solve();
    assert_eq!(solver.solution.status, SolverStatus::Solved);
    solver.solution.obj_val * unit
}

/// What is missed is at most the deviation, what is too much as well, and no weight is below 0.
fn constraints(target: &[f64], dims: usize, pairs: &[(usize, usize)]) -> CscMatrix {
    let n_values = target.len();
    let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for (pair, &(a, b)) in pairs.iter().enumerate() {
        let rebuilt = [(a, b), (b, a)].into_iter().flat_map(|(to, from)| {
            (0..dims).map(move |d| (to * dims + d, target[from * dims + d]))
        });
        for (first, sign) in [(0, -1.0), (n_values, 1.0)] {
            for (at, x) in rebuilt.clone() {
                rows.push(first + at);
                values.push(sign * x);
            }
        }
        rows.push(2 * n_values + pair);
        values.push(-1.0);
        starts.push(rows.len());
    }
    for at in 0..n_values {
        rows.extend([at, n_values + at]);
        values.extend([-1.0, -1.0]);
        starts.push(rows.len());
    }
    CscMatrix::new(2 * n_values + pairs.len(), pairs.len() + n_values, starts, rows, values)
}
