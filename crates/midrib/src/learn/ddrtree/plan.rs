//! The start on the principal components, and the open settings.

use super::settings::DdrTree;
use super::smoother::Terms;
use crate::error::Result;
use crate::learn::choices::{AutoOr, NodeCount, Start};
use crate::learn::latent::{Centered, LatentPlan, LatentRule, latent_plan, principal};
use crate::learn::plan::Wanted;
use crate::learn::proportion::working_bandwidth;
use crate::learn::result::Choice;
use crate::math::Matrix;
use crate::observe::Observer;

/// Everything that the loop needs, in working units.
pub(super) struct Plan {
    /// Z.
    pub scores: Matrix,
    /// C.
    pub nodes: Matrix,
    pub terms: Terms,
    pub choices: Vec<Choice>,
    pub notes: Vec<String>,
}

/// Starts Z at the principal components and C at given nodes, at Z or at k-means centers of it.
pub(super) fn plan(
    settings: &DdrTree,
    centered: &Centered<'_>,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Plan> {
    let (axes, scores) = principal(centered, settings.n_components)?;
    let start = centered.start(start, &axes, &scores)?;
    let n_nodes = match settings.n_nodes {
        NodeCount::Auto if start.is_none() => NodeCount::Exactly(monocle_nodes(centered.len())),
        given => given,
    };
    let rule = rule(settings, n_nodes, centered)?;
    let LatentPlan { nodes, bandwidth, tree_weight, mut choices } =
        latent_plan(centered, &scores, &rule, start.as_ref(), watch)?;
    let mut notes = Vec::new();
    let found = nodes.n_rows();
    if let NodeCount::Exactly(wanted) = n_nodes {
        if found < wanted {
            notes.push(format!(
                "only {found} distinct points to start from: {found} nodes instead of {wanted}"
            ));
        }
        if settings.n_nodes == NodeCount::Auto {
            let reason = "as many as Monocle 2 takes for this number of points";
            choices.insert(0, Choice::new("n_nodes", found, reason));
        }
    }
    choices.extend(Choice::of_components(settings.n_components, scores.n_cols()));
    let terms = Terms {
        assignment: settings.assignment,
        bandwidth,
        tree_weight,
        cluster_weight: settings.cluster_weight,
    };
    Ok(Plan { scores, nodes, terms, choices, notes })
}

/// The same problem on the scale of SimplePPT: latent coordinates pull nodes with γ/(1+γ) of the
/// force that points have there.
fn rule(settings: &DdrTree, n_nodes: NodeCount, centered: &Centered<'_>) -> Result<LatentRule> {
    let eased = settings.cluster_weight / (1.0 + settings.cluster_weight);
    let wanted = Wanted {
        n_nodes,
        bandwidth: match settings.bandwidth {
            AutoOr::Fixed(bandwidth) => {
                AutoOr::Fixed(working_bandwidth(bandwidth, centered.square_unit())?)
            }
            AutoOr::Auto => AutoOr::Auto,
        },
        length_penalty: match settings.tree_weight {
            AutoOr::Fixed(weight) => AutoOr::Fixed(weight / eased),
            AutoOr::Auto => AutoOr::Auto,
        },
        smoothing: None,
        start: Start::Auto,
        seed: settings.seed,
    };
    Ok(LatentRule { wanted, eased, assigns: true })
}

/// Qiu2017's rule for the number of nodes.
fn monocle_nodes(n: usize) -> usize {
    if n <= 100 {
        return n;
    }
    let log = (n as f64).ln();
    (200.0 * log / (log + 100_f64.ln())).round() as usize
}
