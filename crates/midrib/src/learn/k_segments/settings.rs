//! Settings of k-segments.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::checks::{count_or_auto, not_negative};
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::descent::Limits;

/// An open curve through line segments that are fitted one by one and then joined.
///
/// Use it for curves that wind or cross themselves, where a method that bends the first principal
/// line step by step gets stuck: segments first find the points, and their order comes last. A
/// round costs O(N·K·D) for K segments.
///
/// ```
/// use midrib::learn::{Given, KSegments, Method};
/// use midrib::{Points, Silent};
/// // A spiral of two turns.
/// let at = |i: i32| (f64::from(i) / 40.0, 0.02 * f64::from(i % 5));
/// let row = |(t, noise): (f64, f64)| [(t + noise) * t.cos(), (t + noise) * t.sin()];
/// let points = Points::from_f64((0..500).flat_map(|i| row(at(i))).collect::<Vec<_>>(), 2)?;
/// let fit = KSegments::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fit.graph()?.tips().len(), 2);
/// assert!((fit.graph()?.length() - 80.0).abs() < 8.0);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KSegments {
    /// Number of segments, before they are joined: a number, or `auto` for the shortest description
    /// of the points.
    #[schemars(schema_with = "one_or_more")]
    pub n_segments: NodeCount,
    /// What a turn by 180 degrees costs when segments are joined, in mean lengths of a segment. Larger
    /// values give smoother curves, smaller ones shorter links.
    pub angle_penalty: f64,
    /// Largest number of rounds after each new segment.
    #[schemars(range(min = 1))]
    pub max_iter: usize,
    /// Rounds stop when the mean squared distance changes by less than this share of it.
    pub tol: f64,
}

fn one_or_more(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    count_or_auto(1)
}

impl Default for KSegments {
    fn default() -> Self {
        Self { n_segments: NodeCount::Auto, angle_penalty: 1.0, max_iter: 100, tol: 1e-4 }
    }
}

impl KSegments {
    pub(super) fn check_values(&self) -> Result<()> {
        not_negative("angle_penalty", AutoOr::Fixed(self.angle_penalty))?;
        match self.n_segments {
            NodeCount::All => {
                let reason = "there are fewer segments than points: give a number, or auto";
                return Err(Error::setting("n_segments", "all", reason));
            }
            NodeCount::Exactly(0) => {
                return Err(Error::setting("n_segments", 0, "must be at least 1"));
            }
            _ => {}
        }
        if self.max_iter == 0 {
            return Err(Error::setting("max_iter", 0, "must be at least 1"));
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
