//! The optimization step: limited-memory quasi-Newton steps of all vertices.

use std::collections::VecDeque;

use super::energy::{Energy, Projected, project};
use crate::error::{Error, Result};
use crate::learn::descent::Limits;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, SparseCholesky, dot, squared_distance};

/// Steps between two full projections.
const STEPS: usize = 40;
/// Steps that the memory holds.
const MEMORY: usize = 10;
/// Halvings of a step.
const HALVINGS: usize = 30;
/// A step must lower the value by at least this share of what its slope promises.
const ENOUGH: f64 = 1e-4;
/// Shorter segments, as a share of the longest, count as this long in the model.
const SHORTEST: f64 = 1e-6;
/// The model's least eigenvalue, as a share of the mean.
const SHIFT: f64 = 1e-10;

/// Where a descent ended.
pub(super) struct Descended {
    pub nodes: Matrix,
    /// U.
    pub value: f64,
    pub projected: Projected,
}

/// Lowers U from these vertices until a round of steps hardly helps.
pub(super) fn descend(
    rows: &WeightedRows,
    nodes: Matrix,
    weight: f64,
    squared_radius: f64,
    limits: Limits,
) -> Result<Descended> {
    let projected = project(rows, &nodes)?;
    let mut here = Descended { value: f64::INFINITY, nodes, projected };
    let mut left = limits.max_iter;
    loop {
        let before = here.value;
        let energy = Energy { rows, segment: &here.projected.segment, weight, squared_radius };
        let model = Model::new(&here, rows, weight, squared_radius)?;
        let (start, slope) = energy.at(&here.nodes);
        if left == 0 {
            return Ok(Descended { value: start, ..here });
        }
        let round = steps(&energy, &model, here.nodes.clone(), (start, slope), left.min(STEPS))?;
        left -= round.steps.min(left);
        here = Descended {
            projected: project(rows, &round.nodes)?,
            nodes: round.nodes,
            value: round.value,
        };
        let fall = before.min(start) - here.value;
        if round.steps == 0 || fall <= limits.tol * here.value.abs() {
            here.nodes = drawn_back(here.nodes, &here.projected)?;
            here.projected = project(rows, &here.nodes)?;
            let energy = Energy { rows, segment: &here.projected.segment, weight, squared_radius };
            return Ok(Descended { value: energy.at(&here.nodes).0, ..here });
        }
    }
}

/// The line without what is beyond the first and the last projection: U pulls at the outermost segment
/// alone, so that vertices before it may leave the points.
fn drawn_back(nodes: Matrix, projected: &Projected) -> Result<Matrix> {
    let segments = nodes.n_rows() - 1;
    let at = |i: usize| (projected.segment[i] as usize, projected.at[i]);
    let order = |a: &(usize, f64), b: &(usize, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
    let all = || (0..projected.at.len()).map(at);
    let last = all().filter(|(_, t)| *t > 0.0).max_by(order);
    let first = all().filter(|(_, t)| *t < 1.0).min_by(order);
    let (Some(last), Some(first)) = (last, first) else { return Ok(nodes) };
    let mut rows: Vec<Vec<f64>> = nodes.rows().map(<[f64]>::to_vec).collect();
    if first.0 < last.0 {
        end_at(&mut rows, last);
        rows.reverse();
        end_at(&mut rows, (segments - 1 - first.0, 1.0 - first.1));
        rows.reverse();
    }
    Matrix::from_rows(&rows)
}

/// Ends a line on one of its segments, with the same number of vertices. Those beyond it go onto the
/// segment; the outermost one stays as short as it was.
fn end_at(line: &mut [Vec<f64>], (segment, t): (usize, f64)) {
    let beyond = line.len() - 1 - segment;
    if beyond == 1 && t >= 1.0 {
        return;
    }
    let (start, stop) = (line[segment].clone(), line[segment + 1].clone());
    let outermost = squared_distance(&line[line.len() - 2], &line[line.len() - 1]);
    let length = t * squared_distance(&start, &stop).sqrt();
    let short = outermost.sqrt().min(length / beyond as f64);
    for j in 1..=beyond {
        // The last at the projection, the one before by `short` inside, the others evenly.
        let along = match beyond - j {
            0 => length,
            left => (length - short) * (beyond - left) as f64 / (beyond - 1) as f64,
        };
        let share = if length > 0.0 { t * along / length } else { 0.0 };
        line[segment + j] = start.iter().zip(&stop).map(|(a, b)| a + share * (b - a)).collect();
    }
}

/// What a round of steps gave.
struct Round {
    nodes: Matrix,
    value: f64,
    steps: usize,
}

/// A step and the change of the slope along it.
struct Step {
    moved: Vec<f64>,
    bent: Vec<f64>,
    product: f64,
}

fn steps(
    energy: &Energy<'_>,
    model: &Model,
    mut nodes: Matrix,
    (mut value, mut slope): (f64, Matrix),
    most: usize,
) -> Result<Round> {
    let mut memory: VecDeque<Step> = VecDeque::new();
    let mut steps = 0;
    while steps < most {
        let direction = direction(model, &memory, &slope);
        let promise = dot(slope.as_slice(), &direction);
        if promise >= 0.0 {
            break;
        }
        let mut found = None;
        let mut size = 1.0;
        for _ in 0..HALVINGS {
            let mut next = nodes.clone();
            next.as_mut_slice().iter_mut().zip(&direction).for_each(|(x, d)| *x += size * d);
            let (at, slope) = energy.at(&next);
            if at <= value + ENOUGH * size * promise {
                found = Some((next, at, slope));
                break;
            }
            size *= 0.5;
        }
        let Some((next, at, next_slope)) = found else { break };
        let difference = |a: &Matrix, b: &Matrix| -> Vec<f64> {
            a.as_slice().iter().zip(b.as_slice()).map(|(a, b)| a - b).collect()
        };
        let (moved, bent) = (difference(&next, &nodes), difference(&next_slope, &slope));
        let product = dot(&moved, &bent);
        if product > 1e-12 * (dot(&moved, &moved) * dot(&bent, &bent)).sqrt() {
            memory.push_back(Step { moved, bent, product });
            if memory.len() > MEMORY {
                memory.pop_front();
            }
        }
        let fall = value - at;
        (nodes, value, slope) = (next, at, next_slope);
        steps += 1;
        if fall <= 1e-12 * value.abs() {
            break;
        }
    }
    Ok(Round { nodes, value, steps })
}

/// The quasi-Newton direction: two loops over the memory around the model.
fn direction(model: &Model, memory: &VecDeque<Step>, slope: &Matrix) -> Vec<f64> {
    let mut q = slope.as_slice().to_vec();
    let add = |to: &mut [f64], factor: f64, from: &[f64]| {
        to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
    };
    let mut shares = Vec::with_capacity(memory.len());
    for step in memory.iter().rev() {
        let share = dot(&step.moved, &q) / step.product;
        add(&mut q, -share, &step.bent);
        shares.push(share);
    }
    let mut z = model.solve(&q, slope.n_cols());
    for (step, share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = dot(&step.bent, &z) / step.product;
        add(&mut z, share - back, &step.moved);
    }
    z.iter_mut().for_each(|z| *z = -*z);
    z
}

/// The second derivatives of U, the same in every column, for projections and segment lengths that
/// do not change: with them 1 + cos γ is half the squared difference of two unit vectors.
struct Model(SparseCholesky);

impl Model {
    fn new(
        here: &Descended,
        rows: &WeightedRows,
        weight: f64,
        squared_radius: f64,
    ) -> Result<Self> {
        let count = here.nodes.n_rows();
        let pairs: Vec<(usize, usize)> = (0..count)
            .flat_map(|a| [(a, a + 1), (a, a + 2)])
            .filter(|pair| pair.1 < count)
            .collect();
        let mut matrix = SparseCholesky::of_pairs(count, &pairs)?;
        let mut add = |factor: f64, terms: &[(usize, f64)]| {
            for (i, &(a, x)) in terms.iter().enumerate() {
                for &(b, y) in &terms[i..] {
                    let at = matrix.index(a, b);
                    matrix.values_mut()[at] += 2.0 * factor * x * y;
                }
            }
        };
        let segments = count - 1;
        // Sums of (1 − t)², t(1 − t) and t² per segment.
        let mut sums = vec![[0.0; 3]; segments];
        let projected = here.projected.segment.iter().zip(&here.projected.at);
        for ((&segment, &t), w) in projected.zip(&rows.weights) {
            let share = w / rows.total;
            let sums = &mut sums[segment as usize];
            sums[0] += share * (1.0 - t) * (1.0 - t);
            sums[1] += share * t * (1.0 - t);
            sums[2] += share * t * t;
        }
        for end in [0, segments - 1] {
            add(weight, &[(end, 1.0), (end + 1, -1.0)]);
        }
        let length = |s: usize| {
            let ends = here.nodes.row(s).iter().zip(here.nodes.row(s + 1));
            ends.map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        let lengths: Vec<f64> = (0..segments).map(length).collect();
        let longest = lengths.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for v in 1..segments {
            let [a, b] = [v - 1, v].map(|s| 1.0 / lengths[s].max(SHORTEST * longest));
            let terms = [(v - 1, a), (v, -a - b), (v + 1, b)];
            add(0.5 * weight * squared_radius, &terms);
        }
        for (s, sums) in sums.iter().enumerate() {
            for (a, b, sum) in [(s, s, sums[0]), (s, s + 1, sums[1]), (s + 1, s + 1, sums[2])] {
                let at = matrix.index(a, b);
                matrix.values_mut()[at] += 2.0 * sum;
            }
        }
        let diagonal: Vec<usize> = (0..count).map(|a| matrix.index(a, a)).collect();
        let trace: f64 = diagonal.iter().map(|&at| matrix.values_mut()[at]).sum();
        let shift = SHIFT * trace / count as f64;
        diagonal.iter().for_each(|&at| matrix.values_mut()[at] += shift);
        if !matrix.factor_regularized() {
            return Err(Error::Numerical("the model of the polygonal line is not definite".into()));
        }
        Ok(Self(matrix))
    }

    /// The model's inverse times a slope with `dims` columns.
    fn solve(&self, slope: &[f64], dims: usize) -> Vec<f64> {
        let count = slope.len() / dims;
        let mut columns: Vec<f64> =
            (0..dims).flat_map(|d| slope[d..].iter().step_by(dims).copied()).collect();
        self.0.solve(&mut columns);
        (0..slope.len()).map(|at| columns[(at % dims) * count + at / dims]).collect()
    }
}
