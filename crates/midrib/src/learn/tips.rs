//! What becomes of the tips of a learned graph.

use super::choices::Tips;
use super::result::Choice;
use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, TipRule};
use crate::points::Blocks;

/// Tips with less than this share of the points are removed.
const LIGHT: f64 = 0.01;
/// Tips shorter than this many times the noise are removed.
const SHORT: f64 = 2.5;

/// Why tips are tidied, in a sentence for the user.
pub(super) const TIDIED: &str =
    "noise-only tips removed, the others extended to the end of the data";

/// Tips that carry almost no points.
pub(super) fn light_tips() -> TipRule<'static> {
    TipRule { min_share: LIGHT, ..TipRule::default() }
}

/// Tips that are only noise: they carry almost no points, or are short.
pub(super) fn noise_tips(noise: f64) -> TipRule<'static> {
    TipRule { min_share: LIGHT, min_length: SHORT * noise, ..TipRule::default() }
}

/// Removes the tips that are only noise and extends the others to the end of the data.
pub(super) fn tidy(
    graph: PrincipalGraph,
    points: &dyn Blocks,
    noise: f64,
) -> Result<PrincipalGraph> {
    let whole = graph.project(points)?;
    let pruned = graph.prune_tips(&noise_tips(noise), points, &whole)?.graph;
    let is_whole = pruned.nodes().n_rows() == graph.nodes().n_rows();
    let projection = if is_whole { whole } else { pruned.project(points)? };
    pruned.extend_tips(points, &projection)
}

/// What happens to the tips of a tree by soft assignment.
pub(super) struct TipPlan {
    pub tidies: bool,
    /// The choice to report, where it was left open.
    pub choice: Option<Choice>,
}

impl TipPlan {
    /// `auto` tidies where the smoothness is automatic too, unless links are given, which tidying
    /// could remove.
    pub fn new(wanted: Tips, smoothness_is_auto: bool, has_links: bool) -> Result<Self> {
        if wanted == Tips::Tidy && has_links {
            return Err(Error::setting("tips", "tidy", "could remove given links: use keep"));
        }
        let tidies = match wanted {
            Tips::Auto => smoothness_is_auto && !has_links,
            Tips::Tidy => true,
            Tips::Keep => false,
        };
        let (value, reason) = if tidies {
            ("tidy", TIDIED)
        } else if has_links {
            ("keep", "kept as learned, so that no given link is removed")
        } else {
            ("keep", "kept as learned, since the smoothness is given; tidy removes noise-only tips")
        };
        let choice = (wanted == Tips::Auto).then(|| Choice::new("tips", value, reason));
        Ok(Self { tidies, choice })
    }
}
