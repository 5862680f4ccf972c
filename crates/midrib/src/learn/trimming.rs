//! The distance beyond which points are ignored.

use serde_json::json;

use super::choices::TrimmingRadius;
use super::result::{Choice, four_digits};
use crate::assign::Sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::points::{Blocks, Points, Reweighted};
use crate::prepare::Balls;

impl TrimmingRadius {
    /// Refuses a radius that is not positive.
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::Finite(radius) if !(radius > 0.0 && radius.is_finite()) => {
                let must = "must be positive, auto or inf";
                Err(Error::setting("trimming_radius", radius, must))
            }
            _ => Ok(()),
        }
    }
}

/// A larger share of the points beyond the radius is rarely outliers alone.
const MANY: f64 = 0.05;
/// Smaller shares are 0.
const ROUNDING: f64 = 1e-12;

/// The radius of a fit. An estimated one starts with the radius for few nodes: otherwise a graph far
/// away from most points would never reach them.
pub(super) struct Trimming {
    radius: f64,
    /// What the radius is estimated from, and the number of nodes.
    balls: Option<(Balls, usize)>,
    /// The factor from lengths to working units.
    scale: f64,
}

impl Trimming {
    /// The radius for this many nodes; `points` are complete, and `scale` is the factor from their
    /// lengths to working units.
    pub fn new(
        wanted: TrimmingRadius,
        points: &dyn Blocks,
        scale: f64,
        n_nodes: usize,
        choices: &mut Vec<Choice>,
    ) -> Result<Self> {
        let balls = match wanted {
            TrimmingRadius::Infinite => {
                return Ok(Self { radius: f64::INFINITY, balls: None, scale });
            }
            TrimmingRadius::Finite(radius) => return Ok(Self { radius, balls: None, scale }),
            TrimmingRadius::Auto => Balls::new(points)?,
        };
        let radius = balls.radius(n_nodes)?;
        let reason = format!(
            "twice the typical radius of a ball with as many points as one of {n_nodes} nodes"
        );
        choices.push(Choice::new("trimming_radius", json!(radius), reason));
        Ok(Self { radius, balls: Some((balls, n_nodes)), scale })
    }

    /// Whether no point is ignored.
    pub fn is_infinite(&self) -> bool {
        self.radius == f64::INFINITY
    }

    /// The radius in working units.
    pub fn radius(&self) -> f64 {
        self.radius * self.scale
    }

    /// In working units, while there are this many nodes.
    pub fn radius_of(&self, nodes: usize) -> f64 {
        let of_fewer = match &self.balls {
            Some((balls, last)) if nodes < *last => balls.radius(nodes.max(1)).ok(),
            _ => None,
        };
        of_fewer.map_or(self.radius, |radius| radius.max(self.radius)) * self.scale
    }

    /// Some points that are not outliers, for a first graph; none unless the radius is estimated.
    pub fn in_company(&self) -> Result<Option<Points<'static>>> {
        self.balls.as_ref().map(|(balls, nodes)| balls.in_company(*nodes)).transpose()
    }

    /// The points with weight 0 for those farther than the radius from the graph; none if the radius
    /// is infinite, or no point is left.
    pub fn within_radius<'p>(
        &self,
        graph: &PrincipalGraph,
        points: &'p dyn Blocks,
    ) -> Result<Option<Reweighted<'p>>> {
        if self.is_infinite() {
            return Ok(None);
        }
        let distances = graph.project(points)?.distance;
        let weight = |(i, distance): (usize, &f64)| match *distance <= self.radius {
            true => points.weight(i),
            false => 0.0,
        };
        let weights: Vec<f64> = distances.iter().enumerate().map(weight).collect();
        let some = weights.iter().any(|&weight| weight > 0.0);
        some.then(|| Reweighted::new(points, weights)).transpose()
    }

    /// A sentence on the number of ignored points; none if the radius is infinite.
    pub fn note(&self, sums: &Sums) -> Option<String> {
        let share = (1.0 - sums.mass.iter().sum::<f64>() / sums.weight).max(0.0);
        (!self.is_infinite()).then(|| {
            let doubt = match share > MANY {
                true => {
                    "; so many may belong to the graph: try a larger trimming radius, or inf"
                }
                false => "",
            };
            let radius = four_digits(self.radius);
            match share < ROUNDING {
                true => format!("no point is beyond the trimming radius {radius} of every node"),
                false => format!(
                    "{:.2} % of the points are beyond the trimming radius {radius} of every node and \
                     are ignored{doubt}",
                    100.0 * share
                ),
            }
        })
    }
}
