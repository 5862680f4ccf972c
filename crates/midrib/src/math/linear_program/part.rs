//! A part of the program: some pairs, some values, all else fixed.

use super::by_pairs::ByPairs;
use super::certificate::Scaled;
use super::interior_point::{self, Answer, NEARER, Search, step};
use super::iterate::Iterate;
use super::mapping::{pick, put};
use super::pair_matrix::PairMatrix;
use super::undecided::{Shrinking, Undecided, n_undecided};
use crate::error::Result;

/// At most this many steps in a search, with those before: half of all are left to the whole.
const MAX_STEPS: usize = interior_point::MAX_STEPS / 2;
/// The search ends after this many steps in a row that are not good.
const PATIENCE: usize = 4;

pub(super) struct Part<'p> {
    whole: &'p Scaled<'p, PairMatrix>,
    /// The undecided pairs and values.
    pairs: Vec<usize>,
    values: Vec<usize>,
    /// The other pairs, at weight 0.
    vanishing: Vec<usize>,
    /// The other values, and their multipliers; those of the undecided ones are 0 here.
    missed: Vec<usize>,
    multipliers: Vec<f64>,
}

impl<'p> Part<'p> {
    /// What is undecided; all else is fixed where it is near to at the given point.
    pub fn new(whole: &'p Scaled<'p, PairMatrix>, undecided: &Undecided, at: &Iterate) -> Self {
        let numbers = |which: &[bool], wanted: bool| -> Vec<usize> {
            (0..which.len()).filter(|&i| which[i] == wanted).collect()
        };
        let mut multipliers = vec![0.0; undecided.values.len()];
        let missed = numbers(&undecided.values, false);
        for &value in &missed {
            multipliers[value] = 1_f64.copysign(at.multipliers[value]);
        }
        Self {
            whole,
            pairs: numbers(&undecided.pairs, true),
            values: numbers(&undecided.values, true),
            vanishing: numbers(&undecided.pairs, false),
            missed,
            multipliers,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() || self.values.is_empty()
    }

    /// Steps on the part, from where the search stands; what they prove of the whole is kept.
    /// Gives what is undecided once another part is better: a smaller one, or one with what was
    /// fixed wrongly. Nothing if the gap is closed or no part will close it.
    pub fn search(
        &self,
        search: &mut Search<'_, PairMatrix>,
        shrinking: Shrinking,
    ) -> Result<Option<Undecided>> {
        let matrix = self.whole.matrix.restricted(&self.pairs, &self.values);
        let mut newton = ByPairs::new(&matrix)?;
        Ok(self.search_with(&matrix, &mut newton, search, shrinking))
    }

    fn search_with(
        &self,
        matrix: &PairMatrix,
        newton: &mut ByPairs,
        search: &mut Search<'_, PairMatrix>,
        shrinking: Shrinking,
    ) -> Option<Undecided> {
        let program = Scaled {
            matrix,
            target: &pick(self.whole.target, &self.values),
            column_sizes: &pick(self.whole.column_sizes, &self.pairs),
            costs: pick(&self.whole.costs, &self.pairs),
        };
        let mut at = search.at.part(&self.pairs, &self.values);
        let mut answer = self.fixed();
        self.complete(&mut answer, &at);
        let (mut least, mut idle) = (at.mean_product(), 0);
        while search.found.steps < MAX_STEPS && idle < PATIENCE {
            let rebuilt = pick(&answer.rebuilt, &self.values);
            let earnings = pick(&answer.earnings, &self.pairs);
            let (products, scale) = ((&*rebuilt, &*earnings), search.found.scale());
            let workspace = &mut search.workspace;
            if step(&program, newton, &mut at, products, scale, workspace).is_none()
                || !at.is_interior()
            {
                break;
            }
            search.found.steps += 1;
            self.complete(&mut answer, &at);
            let size = at.mean_product();
            if search.is_near(size, at.n_products()) && search.proves(&answer) {
                break;
            }
            let is_nearer = size < NEARER * least;
            let corrected = self.corrected(&answer, size);
            if !is_nearer && corrected.is_some() {
                return corrected;
            }
            let n_undecided = n_undecided(&at, program.column_sizes);
            let is_smaller = shrinking.is_worth(
                n_undecided,
                self.pairs.len(),
                newton.cholesky.factor_per_solve(),
            );
            if is_nearer && (corrected.is_some() || is_smaller) {
                self.spread(&mut search.at, &at, &answer);
                let smaller = || Undecided::at(&search.at, self.whole.column_sizes);
                return if is_smaller { Some(smaller()) } else { corrected };
            }
            idle = if is_nearer { 0 } else { idle + 1 };
            least = least.min(size);
        }
        None
    }

    /// Weights and multipliers of the whole program, as they were fixed.
    fn fixed(&self) -> Answer {
        let weights = vec![0.0; self.whole.costs.len()];
        Answer { weights, multipliers: self.multipliers.clone(), ..Answer::default() }
    }

    /// Takes over the part's point, with the products of the whole.
    fn complete(&self, answer: &mut Answer, at: &Iterate) {
        put(&mut answer.weights, &self.pairs, &at.weights.variable);
        put(&mut answer.multipliers, &self.values, &at.multipliers);
        answer.complete(self.whole.matrix);
    }

    /// What a vanishing pair lacks of earning its cost.
    fn slack(&self, answer: &Answer, pair: usize) -> f64 {
        self.whole.costs[pair] - answer.earnings[pair]
    }

    /// The slack of a pair at which it is undecided, where products have this size.
    fn undecided(&self, size: f64, pair: usize) -> f64 {
        (size * self.whole.column_sizes[pair]).sqrt()
    }

    /// By how much a value is missed on the side that was taken for granted.
    fn deviation(&self, answer: &Answer, value: usize) -> f64 {
        self.multipliers[value] * (self.whole.target[value] - answer.rebuilt[value])
    }

    /// What was undecided from the start, with what was fixed and is undecided where products have
    /// this size; none if nothing was fixed wrongly.
    fn corrected(&self, answer: &Answer, size: f64) -> Option<Undecided> {
        let is_wrong_pair = |&&j: &&usize| self.slack(answer, j) < self.undecided(size, j);
        let is_wrong_value = |&&i: &&usize| self.deviation(answer, i) < size.sqrt();
        let pairs: Vec<&usize> = self.vanishing.iter().filter(is_wrong_pair).collect();
        let values: Vec<&usize> = self.missed.iter().filter(is_wrong_value).collect();
        let either = |own: &[usize], wrong: &[&usize], count: usize| {
            let mut undecided = vec![false; count];
            own.iter().chain(wrong.iter().copied()).for_each(|&i| undecided[i] = true);
            undecided
        };
        (pairs.len() + values.len() > 0).then(|| Undecided {
            pairs: either(&self.pairs, &pairs, self.whole.costs.len()),
            values: either(&self.values, &values, self.multipliers.len()),
        })
    }

    /// Takes the part's point over into the whole, with products of one size for all that was
    /// fixed. What was fixed wrongly is undecided there.
    fn spread(&self, whole: &mut Iterate, at: &Iterate, answer: &Answer) {
        let size = at.mean_product();
        for &j in &self.vanishing {
            let slack = self.slack(answer, j).max(self.undecided(size, j)).max(size);
            whole.weights.slack[j] = slack;
            whole.weights.variable[j] = size / slack;
        }
        for &i in &self.missed {
            let sign = self.multipliers[i];
            let slack = (size / self.deviation(answer, i).max(size.sqrt())).min(1.0);
            let (near, far) = if sign > 0.0 {
                (&mut whole.over, &mut whole.under)
            } else {
                (&mut whole.under, &mut whole.over)
            };
            near.slack[i] = slack;
            near.variable[i] = size / slack;
            far.slack[i] = 2.0 - slack;
            far.variable[i] = size / (2.0 - slack);
            whole.multipliers[i] = sign * (1.0 - slack);
        }
        whole.put(&self.pairs, &self.values, at);
    }
}
