//! Settings of eigenmaps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::embed::{Affinity, COMPONENTS, Pieces};
use crate::error::{Error, Result};
use crate::learn::checks::positive;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::embedded::check_components;

/// Laplacian eigenmaps and diffusion maps: the slowest modes of a random walk between neighbors.
///
/// Use it before a graph method where clusters and branches matter more than distances, as for single
/// cells. Sparse: memory grows with N.
///
/// ```
/// use midrib::learn::{Eigenmap, Given, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let arc = (0..60).map(|i| f64::from(i) / 12.0).flat_map(|t| [t.cos(), t.sin()]);
/// let points = Points::from_f64(arc.collect::<Vec<_>>(), 2)?;
/// let settings =
///     Eigenmap { n_components: 1, n_neighbors: NodeCount::Exactly(4), ..Eigenmap::default() };
/// let fit = settings.fit(&points, Given::default(), &mut Silent)?;
/// let z = &fit.object.embedding().unwrap().coordinates;
/// let rises = (1..60).filter(|&i| z.row(i)[0] > z.row(i - 1)[0]).count();
/// assert!(rises == 0 || rises == 59);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Eigenmap {
    /// Number of coordinates that each point gets.
    pub n_components: usize,
    /// Number of nearest neighbors of each point, itself not counted: a number, `all`, or `auto` for 10.
    /// Few follow fine detail but may leave the points in pieces; many cut corners.
    pub n_neighbors: NodeCount,
    /// How similar neighbors are.
    pub affinity: Affinity,
    /// The gamma of Gaussian similarities, one over a squared length: a number, or `auto` for one over
    /// the mean squared distance of a point's farthest neighbor.
    pub gamma: AutoOr,
    /// How far the density of the points is taken out of the walk, from 0 to 1: 0 for Laplacian
    /// eigenmaps, 1 for diffusion maps that follow the shape of the data only.
    pub alpha: f64,
    /// Steps of the walk: 0 for Laplacian eigenmaps; with more, fast modes count less.
    pub time: f64,
    /// What to do if the neighbors leave the points in several pieces, which have no positions
    /// relative to each other.
    pub pieces: Pieces,
}

impl Default for Eigenmap {
    fn default() -> Self {
        Self {
            n_components: COMPONENTS,
            n_neighbors: NodeCount::Auto,
            affinity: Affinity::Neighbors,
            gamma: AutoOr::Auto,
            alpha: 0.0,
            time: 0.0,
            pieces: Pieces::Largest,
        }
    }
}

impl Eigenmap {
    pub(super) fn check_values(&self) -> Result<()> {
        check_components(self.n_components)?;
        positive("gamma", self.gamma)?;
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(Error::setting("alpha", self.alpha, "must be between 0 and 1"));
        }
        if !(self.time >= 0.0 && self.time.is_finite()) {
            return Err(Error::setting("time", self.time, "must be 0 or positive"));
        }
        Ok(())
    }
}
