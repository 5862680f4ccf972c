//! How far points pull nodes.

use serde_json::json;

use super::choices::TrimmingRadius;
use super::fitted::{Choice, four_digits};
use crate::assign::Sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::points::Points;
use crate::prepare::Balls;

impl TrimmingRadius {
    /// Refuses what is no radius.
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

/// A larger share of the points beyond the radius is seldom made of outliers alone.
const MANY: f64 = 0.05;
/// Shares below this are 0.
const ROUNDING: f64 = 1e-12;

/// The radius of a fit. One that is estimated is at first that of the few nodes which there are,
/// or else a graph that lies far from most points would never get to them.
pub(super) struct Trimming {
    radius: f64,
    /// What the radius is estimated from, and for how many nodes.
    balls: Option<(Balls, usize)>,
    /// A length times this is one in working units.
    scale: f64,
}

impl Trimming {
    /// For so many nodes; `points` are complete, and a length of theirs times `scale` is one in
    /// working units.
    pub fn new(
        wanted: TrimmingRadius,
        points: &Points<'_>,
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
            "twice the usual radius of a ball with as many points as each of {n_nodes} nodes has"
        );
        choices.push(Choice { setting: "trimming_radius", value: json!(radius), reason });
        Ok(Self { radius, balls: Some((balls, n_nodes)), scale })
    }

    /// Whether all points pull.
    pub fn is_infinite(&self) -> bool {
        self.radius == f64::INFINITY
    }

    /// The radius in working units.
    pub fn radius(&self) -> f64 {
        self.radius * self.scale
    }

    /// In working units, while there are so many nodes.
    pub fn radius_of(&self, nodes: usize) -> f64 {
        let of_fewer = match &self.balls {
            Some((balls, last)) if nodes < *last => balls.radius(nodes.max(1)).ok(),
            _ => None,
        };
        of_fewer.map_or(self.radius, |radius| radius.max(self.radius)) * self.scale
    }

    /// Where the radius is estimated, some points among which a graph may begin: outliers have no
    /// weight.
    pub fn in_company(&self) -> Result<Option<Points<'static>>> {
        self.balls.as_ref().map(|(balls, nodes)| balls.in_company(*nodes)).transpose()
    }

    /// The points whose place on the graph is within the radius: others have no weight. None where
    /// that are all of them, or none.
    pub fn pulling<'p>(
        &self,
        graph: &PrincipalGraph,
        points: &'p Points<'_>,
    ) -> Result<Option<Points<'p>>> {
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
        some.then(|| points.reweighted(weights)).transpose()
    }

    /// How many points do not pull, in words; nothing where the radius is infinite.
    pub fn note(&self, sums: &Sums) -> Option<String> {
        let share = (1.0 - sums.mass.iter().sum::<f64>() / sums.weight).max(0.0);
        (!self.is_infinite()).then(|| {
            let doubt = match share > MANY {
                true => {
                    "; so many may be a part of the graph: try a larger trimming radius, or inf"
                }
                false => "",
            };
            let radius = four_digits(self.radius);
            match share < ROUNDING {
                true => format!("no point lies beyond the trimming radius {radius} of every node"),
                false => format!(
                    "{:.2} % of the points lie beyond the trimming radius {radius} of every node \
                     and pull none{doubt}",
                    100.0 * share
                ),
            }
        })
    }
}
