//! Settings of Isomap.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::embed::{COMPONENTS, Pieces};
use crate::error::Result;
use crate::learn::choices::NodeCount;
use crate::learn::embedded::check_components;

/// Isomap: unrolls a curved sheet, keeping distances along it.
///
/// Use it for points on one curved surface without holes. Noise that bridges two folds shortens paths:
/// then use fewer neighbors.
///
/// ```
/// use midrib::learn::{Given, Isomap, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let arc = (0..60).map(|i| f64::from(i) / 12.0).flat_map(|t| [t.cos(), t.sin()]);
/// let points = Points::from_f64(arc.collect::<Vec<_>>(), 2)?;
/// let settings =
///     Isomap { n_components: 1, n_neighbors: NodeCount::Exactly(2), ..Isomap::default() };
/// let fit = settings.fit(&points, Given::default(), &mut Silent)?;
/// let z = &fit.object.embedding().unwrap().coordinates;
/// // Along the arc, whose ends are close, the points keep their order.
/// let (first, last) = (z.row(0)[0], z.row(59)[0]);
/// assert!(((last - first).abs() - 59.0 / 12.0).abs() < 0.01);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Isomap {
    /// Number of coordinates that each point gets.
    pub n_components: usize,
    /// Number of nearest neighbors of each point, itself not counted: a number, `all`, or `auto` for 10.
    /// Few follow fine detail but may leave the points in pieces; many cut corners.
    pub n_neighbors: NodeCount,
    /// What to do if the neighbors leave the points in several pieces, which have no positions
    /// relative to each other.
    pub pieces: Pieces,
}

impl Default for Isomap {
    fn default() -> Self {
        Self { n_components: COMPONENTS, n_neighbors: NodeCount::Auto, pieces: Pieces::Largest }
    }
}

impl Isomap {
    pub(super) fn check_values(&self) -> Result<()> {
        check_components(self.n_components)
    }
}
