//! A point in the interior of the program and its dual, and steps from it.

use super::certificate::Scaled;
use super::condensed::{Changes, Diagonals, Sides};
use super::long_vectors::{advance, each, most_of, sum_of, update};
use super::mapping::{Mapping, pick, put};

/// The least slack of a pair at the start, as a share of its column's size.
const SLACK: f64 = 0.1;
/// The same as a share of the mean size, for pairs of vanishing rows.
const SMALL: f64 = 1e-4;
/// A corrected step should be this much longer than the one it corrects.
const LONGER: f64 = 0.08;
/// Products outside these bounds, in units of the product aimed at, are corrected.
const CENTRAL: (f64, f64) = (0.1, 10.0);

/// One group of variables that must stay positive, with their slacks in the dual.
#[derive(Clone, Debug, Default)]
pub(super) struct Couple {
    pub variable: Vec<f64>,
    pub slack: Vec<f64>,
}

impl Couple {
    fn part(&self, numbers: &[usize]) -> Self {
        Self { variable: pick(&self.variable, numbers), slack: pick(&self.slack, numbers) }
    }

    fn put(&mut self, numbers: &[usize], part: &Self) {
        put(&mut self.variable, numbers, &part.variable);
        put(&mut self.slack, numbers, &part.slack);
    }

    /// The sum of the products after a step.
    fn products(&self, [change, of_slack]: [&[f64]; 2], (primal, dual): (f64, f64)) -> f64 {
        let both = [&*self.variable, change, &*self.slack, of_slack];
        sum_of(both, |[x, dx, s, ds]| (x + primal * dx) * (s + dual * ds))
    }

    /// The sum of the products.
    fn products_here(&self) -> f64 {
        sum_of([&self.variable, &self.slack], |[x, s]| x * s)
    }

    fn advance(&mut self, [change, of_slack]: [&[f64]; 2], (primal, dual): (f64, f64)) {
        advance(&mut self.variable, change, primal);
        advance(&mut self.slack, of_slack, dual);
    }

    /// Moves the aims so that products after a longer step come back between the bounds.
    fn correct(
        &self,
        aims: &mut [f64],
        [change, of_slack]: [&[f64]; 2],
        (primal, dual): (f64, f64),
        size: f64,
    ) {
        let (least, most) = (CENTRAL.0 * size, CENTRAL.1 * size);
        update(aims, [&self.variable, change, &self.slack, of_slack], |aim, [x, dx, s, ds]| {
            let product = (x + primal * dx) * (s + dual * ds);
            aim + if product < least { least - product } else { (most - product).clamp(-most, 0.0) }
        });
    }

    fn longest(&self, [change, of_slack]: [&[f64]; 2]) -> (f64, f64) {
        (to_boundary(&self.variable, change), to_boundary(&self.slack, of_slack))
    }

    fn is_positive(&self) -> bool {
        // A product that is infinite, or not a number, is not below infinity.
        let is_wrong = |[x, s]: [f64; 2]| {
            if (x > 0.0) & (s > 0.0) & (x * s < f64::INFINITY) { 0.0 } else { 1.0 }
        };
        most_of([&self.variable, &self.slack], is_wrong) == 0.0
    }
}

/// The weights, what the target has over and under the rebuilt rows, and the multipliers.
#[derive(Clone, Debug, Default)]
pub(super) struct Iterate {
    pub weights: Couple,
    pub over: Couple,
    pub under: Couple,
    pub multipliers: Vec<f64>,
}

/// By how much the equations of rows and pairs are not yet met.
#[derive(Default)]
pub(super) struct Residuals {
    rows: Vec<f64>,
    pairs: Vec<f64>,
}

/// What the products of variable and slack should change by.
#[derive(Default)]
pub(super) struct Aims {
    size: f64,
    weights: Vec<f64>,
    over: Vec<f64>,
    under: Vec<f64>,
}

/// A direction: changes of weights and multipliers, and those that follow from them.
#[derive(Default)]
pub(super) struct Step {
    pub changes: Changes,
    slack: Vec<f64>,
    over: Couple,
    under: Couple,
}

impl Step {
    /// As [`Iterate::couples`].
    fn couples(&self) -> [[&[f64]; 2]; 3] {
        let Self { changes, slack, over, under } = self;
        [[&changes.weights, slack], [&over.variable, &over.slack], [&under.variable, &under.slack]]
    }
}

impl Iterate {
    /// Products of one size everywhere, all primal equations met.
    pub fn start<M: Mapping>(program: &Scaled<'_, M>) -> Self {
        let n_values = program.target.len();
        let typical = program.target.iter().map(|x| x.abs()).sum::<f64>() / n_values as f64;
        let sizes = program.column_sizes;
        let small = SMALL * sizes.iter().sum::<f64>() / sizes.len() as f64;
        let mut slack = Vec::new();
        each(&mut slack, [&program.costs, sizes], |[cost, size]| cost.max(SLACK * size).max(small));
        let variable: Vec<f64> = slack.iter().map(|slack| typical / slack).collect();
        let rebuilt = program.matrix.rebuild(&variable);
        let parts = |sign: f64| {
            let mut variable = Vec::new();
            each(&mut variable, [program.target, &rebuilt], |[target, rebuilt]| {
                (sign * (target - rebuilt)).max(0.0) + typical
            });
            Couple { variable, slack: vec![1.0; n_values] }
        };
        Self {
            weights: Couple { variable, slack },
            over: parts(1.0),
            under: parts(-1.0),
            multipliers: vec![0.0; n_values],
        }
    }

    /// The same for some pairs and some values alone.
    pub fn part(&self, pairs: &[usize], values: &[usize]) -> Self {
        Self {
            weights: self.weights.part(pairs),
            over: self.over.part(values),
            under: self.under.part(values),
            multipliers: pick(&self.multipliers, values),
        }
    }

    /// Takes over what a part has come to.
    pub fn put(&mut self, pairs: &[usize], values: &[usize], part: &Self) {
        self.weights.put(pairs, &part.weights);
        self.over.put(values, &part.over);
        self.under.put(values, &part.under);
        put(&mut self.multipliers, values, &part.multipliers);
    }

    /// The three groups of variables: weights, over, under.
    fn couples(&self) -> [&Couple; 3] {
        [&self.weights, &self.over, &self.under]
    }

    /// The number of products of variable and slack.
    pub fn n_products(&self) -> f64 {
        (self.weights.variable.len() + 2 * self.multipliers.len()) as f64
    }

    /// The mean product of variable and slack: 0 at the optimum.
    pub fn mean_product(&self) -> f64 {
        self.couples().iter().map(|couple| couple.products_here()).sum::<f64>() / self.n_products()
    }

    /// The mean product after a step.
    pub fn mean_product_after(&self, step: &Step, lengths: (f64, f64)) -> f64 {
        let pairs = self.couples().into_iter().zip(step.couples());
        pairs.map(|(at, step)| at.products(step, lengths)).sum::<f64>() / self.n_products()
    }

    /// By how much the equations are not met, given what the weights rebuild and the pairs earn.
    pub fn residuals<M: Mapping>(
        &self,
        program: &Scaled<'_, M>,
        (rebuilt, earnings): (&[f64], &[f64]),
        residuals: &mut Residuals,
    ) {
        let values = [program.target, rebuilt, &self.over.variable, &self.under.variable];
        each(&mut residuals.rows, values, |[target, rebuilt, over, under]| {
            target - rebuilt - over + under
        });
        let pairs = [&*program.costs, earnings, &self.weights.slack];
        each(&mut residuals.pairs, pairs, |[cost, earned, slack]| cost - earned - slack);
    }

    /// The diagonals of the Newton system.
    pub fn diagonals(&self, diagonals: &mut Diagonals) {
        let Couple { variable, slack } = &self.weights;
        each(&mut diagonals.stiffness, [slack, variable], |[s, w]| s / w);
        let (over, under) = (&self.over, &self.under);
        let values = [&*over.variable, &*over.slack, &*under.variable, &*under.slack];
        each(&mut diagonals.slackness, values, |[p, ps, q, qs]| p / ps + q / qs);
    }

    /// Aims at products of 0.
    pub fn aim_at_nothing(&self, aims: &mut Aims) {
        aims.size = 0.0;
        let of = [&mut aims.weights, &mut aims.over, &mut aims.under];
        for (aims, at) in of.into_iter().zip(self.couples()) {
            each(aims, [&at.variable, &at.slack], |[x, s]| -x * s);
        }
    }

    /// Aims at products of the given size, less the products of a predicted step.
    pub fn aim_at(&self, size: f64, predicted: &Step, aims: &mut Aims) {
        aims.size = size;
        let of = [&mut aims.weights, &mut aims.over, &mut aims.under];
        for ((aims, at), [change, of_slack]) in
            of.into_iter().zip(self.couples()).zip(predicted.couples())
        {
            let from = [&*at.variable, &at.slack, change, of_slack];
            each(aims, from, |[x, s, dx, ds]| size - x * s - dx * ds);
        }
    }

    /// The correction of Gondzio1996: aims for a step somewhat longer than this one.
    pub fn correct(&self, aims: &mut Aims, step: &Step, (primal, dual): (f64, f64)) {
        let longer = |length: f64| (length * (1.0 + LONGER) + LONGER).min(1.0);
        let lengths = (longer(primal), longer(dual));
        let of = [&mut aims.weights, &mut aims.over, &mut aims.under];
        for ((of, at), step) in of.into_iter().zip(self.couples()).zip(step.couples()) {
            at.correct(of, step, lengths, aims.size);
        }
    }

    /// The right-hand side of the Newton system.
    pub fn right_side(&self, residuals: &Residuals, aims: &Aims, right: &mut Sides) {
        let of_pairs = [&*aims.weights, &*self.weights.variable, &*residuals.pairs];
        let (over, under) = (&self.over, &self.under);
        let of_values = [
            &*over.variable,
            &*over.slack,
            &*aims.over,
            &*under.variable,
            &*under.slack,
            &*aims.under,
            &*self.multipliers,
            &*residuals.rows,
        ];
        each(&mut right.pairs, of_pairs, |[aim, weight, off]| aim / weight - off);
        each(&mut right.rows, of_values, |[p, ps, over, q, qs, under, u, off]| {
            let over = over - p * (1.0 - u - ps);
            let under = under - q * (1.0 + u - qs);
            off - over / ps + under / qs
        });
    }

    /// Completes the step whose changes solve the Newton system. The slacks of the pairs
    /// follow from the products aimed at: small ones keep their accuracy, and what rounding
    /// takes from the dual equations the next step makes up for.
    pub fn complete(&self, aims: &Aims, step: &mut Step) {
        let Step { changes, slack, over, under } = step;
        let (u, du) = (&*self.multipliers, &*changes.multipliers);
        let follow = |at: &Couple, aims: &[f64], sign: f64, step: &mut Couple| {
            each(&mut step.slack, [&at.slack, u, du], |[s, u, du]| 1.0 - s - sign * (u + du));
            let both = [aims, &at.variable, &step.slack, &at.slack];
            each(&mut step.variable, both, |[aim, x, ds, s]| (aim - x * ds) / s);
        };
        follow(&self.over, &aims.over, 1.0, over);
        follow(&self.under, &aims.under, -1.0, under);
        let of_pairs =
            [&*aims.weights, &self.weights.slack, &changes.weights, &self.weights.variable];
        each(slack, of_pairs, |[aim, s, dw, w]| (aim - s * dw) / w);
    }

    /// The longest steps, up to 1, that keep every variable, and every slack, from 0.
    pub fn longest(&self, step: &Step) -> (f64, f64) {
        let pairs = self.couples().into_iter().zip(step.couples());
        pairs.map(|(at, step)| at.longest(step)).fold((1.0, 1.0), |longest, (primal, dual)| {
            (longest.0.min(primal), longest.1.min(dual))
        })
    }

    pub fn advance(&mut self, step: &Step, lengths: (f64, f64)) {
        let Self { weights, over, under, multipliers } = self;
        for (at, step) in [weights, over, under].into_iter().zip(step.couples()) {
            at.advance(step, lengths);
        }
        advance(multipliers, &step.changes.multipliers, lengths.1);
    }

    pub fn is_interior(&self) -> bool {
        most_of([&self.multipliers], |[u]| if u.is_finite() { 0.0 } else { 1.0 }) == 0.0
            && self.couples().iter().all(|couple| couple.is_positive())
    }
}

fn to_boundary(at: &[f64], step: &[f64]) -> f64 {
    1.0 / most_of([at, step], |[at, step]| -step / at)
}
