//! Settings of locally linear embedding.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::embed::{COMPONENTS, Pieces, REG};
use crate::error::Result;
use crate::learn::checks::positive;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::embedded::check_components;

/// Locally linear embedding: keeps how each point is made up of its neighbors.
///
/// Use it for densely and evenly sampled sheets. Coordinates have length 1 whatever the size of the
/// points.
///
/// ```
/// use midrib::learn::{Given, Lle, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let arc = (0..60).map(|i| f64::from(i) / 12.0).flat_map(|t| [t.cos(), t.sin()]);
/// let points = Points::from_f64(arc.collect::<Vec<_>>(), 2)?;
/// let settings = Lle { n_components: 1, n_neighbors: NodeCount::Exactly(4), ..Lle::default() };
/// let fit = settings.fit(&points, Given::default(), &mut Silent)?;
/// let z = &fit.object.embedding().unwrap().coordinates;
/// let rises = (1..60).filter(|&i| z.row(i)[0] > z.row(i - 1)[0]).count();
/// assert!(rises == 0 || rises == 59);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lle {
    /// Number of coordinates that each point gets.
    pub n_components: usize,
    /// Number of nearest neighbors of each point, itself not counted: a number, `all`, or `auto` for 10.
    /// Few follow fine detail but may leave the points in pieces; many cut corners.
    pub n_neighbors: NodeCount,
    /// Regularization of the weights, as a share of the local variance: larger values make the weights
    /// more even. Needed where there are more neighbors than columns.
    pub reg: f64,
    /// What to do if the neighbors leave the points in several pieces, which have no positions
    /// relative to each other.
    pub pieces: Pieces,
}

impl Default for Lle {
    fn default() -> Self {
        Self {
            n_components: COMPONENTS,
            n_neighbors: NodeCount::Auto,
            reg: REG,
            pieces: Pieces::Largest,
        }
    }
}

impl Lle {
    pub(super) fn check_values(&self) -> Result<()> {
        check_components(self.n_components)?;
        positive("reg", AutoOr::Fixed(self.reg))
    }
}
