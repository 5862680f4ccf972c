//! The start on the principal components, and the open settings.

use super::settings::DrTree;
use crate::error::{Error, Result};
use crate::learn::choices::{Bandwidth, NodeCount, Start};
use crate::learn::latent::{Centered, LatentPlan, LatentRule, latent_plan, principal};
use crate::learn::plan::Wanted;
use crate::learn::result::Choice;
use crate::math::Matrix;
use crate::observe::Observer;

/// Everything that the loop needs, in working units.
pub(super) struct Plan {
    /// Z.
    pub start: Matrix,
    /// d.
    pub n_components: usize,
    /// λ.
    pub tree_weight: f64,
    pub choices: Vec<Choice>,
}

/// Starts at the principal components, or at given nodes.
pub(super) fn plan(
    settings: &DrTree,
    centered: &Centered<'_>,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Plan> {
    let (axes, scores) = principal(centered, settings.n_components)?;
    let start = centered.start(start, &axes, &scores)?;
    let wanted = Wanted {
        n_nodes: if start.is_some() { NodeCount::Auto } else { NodeCount::All },
        bandwidth: Bandwidth::Auto,
        length_penalty: settings.tree_weight,
        smoothing: None,
        start: Start::Auto,
        seed: settings.seed,
    };
    let rule = LatentRule { wanted, eased: 1.0, assigns: false };
    let LatentPlan { nodes, tree_weight, mut choices, .. } =
        latent_plan(centered, &scores, &rule, start.as_ref(), watch)?;
    if nodes.n_rows() != centered.len() {
        let expected = format!("{}, one per point", centered.len());
        return Err(Error::shape("starting nodes", expected, nodes.n_rows()));
    }
    let n_components = axes.n_rows();
    choices.extend(Choice::of_components(settings.n_components, n_components));
    Ok(Plan { start: nodes, n_components, tree_weight, choices })
}
