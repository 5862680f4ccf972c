//! Pruning: weak terminal branches and empty branches are removed, but never the whole graph.

use super::{Branch, PrincipalGraph, PrunedTips, TipRule};
use crate::error::{Error, Result};
use crate::points::Points;

/// A graph without its weak and empty branches.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The remaining graph.
    pub graph: PrincipalGraph,
    /// For each remaining node, its index in the original graph.
    pub kept: Vec<usize>,
    /// The number of branches removed by the rule.
    pub removed: usize,
    /// The number of branches removed or contracted because they have no points.
    pub empty: usize,
}

impl PrincipalGraph {
    /// Removes terminal branches below the limits of `rule` (see
    /// [`prune_tips`](Self::prune_tips)), then empty branches (see
    /// [`without_empty_branches`](Self::without_empty_branches)), so that every branch has at least
    /// one point.
    ///
    /// It is an error if branches are removed and only paths remain that are all below the limits
    /// too: the limits are too high for this graph.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::{PrincipalGraph, TipRule};
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.1]])?;
    /// let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4])?;
    /// let points = Points::from_f64(vec![0.2, 0.0, 0.7, 0.0, 1.5, 0.0, 1.0, 0.1], 2)?;
    /// let rule = |min_length| TipRule { min_share: 0.0, min_length, ..TipRule::default() };
    /// assert_eq!(graph.prune(&rule(1.5), &points)?.kept, [0, 1, 2]);
    /// let error = graph.prune(&rule(9.0), &points).unwrap_err().to_string();
    /// assert!(error.contains("the last path is 2 long"), "{error}");
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn prune(&self, rule: &TipRule<'_>, points: &Points) -> Result<Pruned> {
        rule.check()?;
        let projection = self.project(points)?;
        let tips = self.prune_tips(rule, points, &projection)?;
        if tips.removed > 0 {
            self.check_remainder(rule, points, &tips)?;
        }
        let full = tips.graph.without_empty_branches(points)?;
        Ok(Pruned {
            kept: full.kept.iter().map(|&node| tips.kept[node]).collect(),
            graph: full.graph,
            removed: tips.removed,
            empty: full.removed + full.contracted,
        })
    }

    /// An error if only paths remain that are all below the limits.
    fn check_remainder(
        &self,
        rule: &TipRule<'_>,
        points: &Points,
        tips: &PrunedTips,
    ) -> Result<()> {
        let left = &tips.graph;
        if left.loops() > 0 || !left.branch_points().is_empty() {
            return Ok(());
        }
        let support = rule.support.map(|support| self.support_of(support, tips));
        let paths: Vec<Worth> = (left.branches().iter().zip(shares(left, points)?))
            .map(|(branch, share)| Worth::of(left, branch, share, support.as_deref()))
            .collect();
        if paths.iter().any(|path| path.meets(rule)) {
            return Ok(());
        }
        let nothing = |what: String| {
            format!("nothing would be left: the last path {what}; use a lower limit")
        };
        // Of several components, the one with the most points.
        let Some(Worth { share, length, support }) =
            paths.into_iter().max_by(|a, b| a.share.total_cmp(&b.share))
        else {
            return Ok(());
        };
        Err(if length < rule.min_length {
            let longest = self.terminal_lengths().fold(0.0, f64::max);
            let what = format!(
                "is {} long, and the longest terminal branch was {}",
                digits(length),
                digits(longest)
            );
            Error::setting("min_length", rule.min_length, nothing(what))
        } else if support < rule.min_support {
            let what = format!("has a support of {}", digits(support));
            Error::setting("min_support", rule.min_support, nothing(what))
        } else {
            let what = format!("has a share of {}", digits(share));
            Error::setting("min_share", rule.min_share, nothing(what))
        })
    }

    /// The support of the remaining edges.
    fn support_of(&self, support: &[f64], tips: &PrunedTips) -> Vec<f64> {
        let old = |edge: &super::Edge| {
            let (a, b) = (tips.kept[edge.a], tips.kept[edge.b]);
            self.neighbors(a).iter().find(|(_, node)| *node == b).map(|(edge, _)| support[*edge])
        };
        tips.graph.edges().iter().filter_map(old).collect()
    }

    fn terminal_lengths(&self) -> impl Iterator<Item = f64> {
        let is_terminal = |branch: &Branch| branch.nodes.iter().any(|&node| self.degree(node) == 1);
        self.branches().into_iter().filter(is_terminal).map(|branch| branch.length(self))
    }
}

/// What the limits of a rule are compared with.
struct Worth {
    share: f64,
    length: f64,
    support: f64,
}

impl Worth {
    fn of(graph: &PrincipalGraph, branch: &Branch, share: f64, support: Option<&[f64]>) -> Self {
        let support = support.and_then(|support| branch.support(graph, support)).unwrap_or(1.0);
        Self { share, length: branch.length(graph), support }
    }

    fn meets(&self, rule: &TipRule<'_>) -> bool {
        self.share >= rule.min_share
            && self.length >= rule.min_length
            && self.support >= rule.min_support
    }
}

/// Each branch's share of the points' weight.
fn shares(graph: &PrincipalGraph, points: &Points) -> Result<Vec<f64>> {
    let mut shares = vec![0.0; graph.branches().len()];
    for (i, branch) in graph.project(points)?.branch(graph).into_iter().enumerate() {
        shares[branch] += points.weight(i) / points.total_weight();
    }
    Ok(shares)
}

/// Three significant digits, rounded down, so that a limit of this value is met.
fn digits(value: f64) -> String {
    let decimals = if value > 0.0 { 2 - value.log10().floor() as i32 } else { 0 };
    let scale = 10_f64.powi(decimals.abs().min(300));
    let rounded = match decimals >= 0 {
        true => (value * scale).floor() / scale,
        false => (value / scale).floor() * scale,
    };
    rounded.to_string()
}

#[cfg(test)]
mod tests;
