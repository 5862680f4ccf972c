//! The settings of generative topographic maps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect::NetShape;
use crate::error::{Error, Result};
use crate::learn::choices::NodeCount;
use crate::learn::descent::Limits;
use crate::learn::laid_net::WantedNet;
use crate::learn::lists::Sides;
use crate::learn::method::Method;
use crate::object::LatentPosition;

/// The sides of a map where they are left open.
const SIDES: [usize; 2] = [16, 16];

/// A smooth map of the points with a probability: the nodes of a sheet or line are the centers of a
/// mixture of equal Gaussians.
///
/// Use it to view points on a plane when you also want to know how likely a point is, or where else
/// on the map it could lie: each point has a share of responsibility in every node. The mixture
/// smooths over noise that an elastic map or a self-organizing map would follow. It needs complete
/// points. An EM step is one pass over the points and costs about K·D operations per point.
///
/// ```
/// use midrib::learn::{Given, Gtm, Method, Sides};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..100)
///     .flat_map(|i| {
///         let t = f64::from(i) / 50.0 - 1.0;
///         [t, t * t]
///     })
///     .collect();
/// let points = Points::from_f64(values, 2)?;
/// let settings = Gtm { sides: Sides::Exactly(vec![15]), ..Gtm::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9)); // −log-likelihood
/// let map = fitted.object.embed(&points)?.unwrap();
/// assert!(map.row(0)[0] * map.row(99)[0] < 14.0); // the ends are at 0 and 14
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gtm {
    /// Number of nodes of the latent grid along each axis: `16x16` for a map, `20` for a line; `auto`
    /// for 16x16.
    pub sides: Sides,
    /// Number of Gaussian functions along each axis, for example `4x4`: more let the map bend more.
    /// `auto` for a quarter of the sides.
    pub functions: Sides,
    /// Width of the Gaussian functions, in steps between their centers: larger values give a smoother
    /// map.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub width: f64,
    /// Ridge α on the weights of the functions: larger values keep the map flat. It has the units of
    /// the columns and pulls toward their zero, so scaled and centered columns are best.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub ridge: f64,
    /// Where on the map a point is: at the `mean` of the nodes, weighted by its responsibilities, or
    /// at their `mode`, the node of the largest.
    pub position: LatentPosition,
    /// Largest number of EM steps.
    pub max_iter: usize,
    /// Stop when the log-likelihood per point rises by less than this; 0 runs all steps.
    pub tol: f64,
}

impl Default for Gtm {
    fn default() -> Self {
        Self {
            sides: Sides::Auto,
            functions: Sides::Auto,
            width: 2.0,
            ridge: 1e-3,
            position: LatentPosition::Mean,
            max_iter: 200,
            tol: 1e-5,
        }
    }
}

impl Gtm {
    pub(super) fn check_values(&self) -> Result<()> {
        if let Sides::Exactly(sides) = &self.sides
            && !(1..=2).contains(&sides.len())
        {
            let reason = "give one number for a line or two for a map";
            return Err(Error::setting("sides", &self.sides, reason));
        }
        self.shape().check(&self.chosen_sides())?;
        if let Sides::Exactly(functions) = &self.functions {
            let axes = self.inner_dims();
            let shown = &self.functions;
            if functions.len() != axes {
                let reason = format!("the grid has {axes} axes: give as many numbers");
                return Err(Error::setting("functions", shown, reason));
            }
            if functions.iter().any(|&n| !(2..=MOST_FUNCTIONS).contains(&n)) {
                let reason =
                    format!("give at least 2 and at most {MOST_FUNCTIONS} along each axis");
                return Err(Error::setting("functions", shown, reason));
            }
        }
        for (name, value) in [("width", self.width), ("ridge", self.ridge)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::setting(name, value, "must be positive"));
            }
        }
        self.limits().check()
    }

    pub(super) fn inner_dims(&self) -> usize {
        match &self.sides {
            Sides::Exactly(sides) => sides.len(),
            Sides::Auto => SIDES.len(),
        }
    }

    pub(super) fn shape(&self) -> NetShape {
        if self.inner_dims() == 1 { NetShape::Chain } else { NetShape::Rectangle }
    }

    pub(super) fn chosen_sides(&self) -> Vec<usize> {
        match &self.sides {
            Sides::Exactly(sides) => sides.clone(),
            Sides::Auto => SIDES.to_vec(),
        }
    }

    pub(super) fn chosen_functions(&self) -> Vec<usize> {
        match &self.functions {
            Sides::Exactly(functions) => functions.clone(),
            Sides::Auto => {
                let quarter = |side: usize| (side / 4).clamp(2, MOST_FUNCTIONS);
                self.chosen_sides().into_iter().map(quarter).collect()
            }
        }
    }

    /// The net of the latent grid; `sides` are those chosen.
    pub(super) fn wanted_net<'s>(&self, sides: &'s Sides) -> WantedNet<'s> {
        let (method, n_nodes) = (Self::NAME, NodeCount::Auto);
        WantedNet { method, shape: self.shape(), sides, n_nodes }
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}

/// A dense system of all functions is solved in every step.
const MOST_FUNCTIONS: usize = 30;
