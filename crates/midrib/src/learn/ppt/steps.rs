//! SimplePPT step by step, for points that lie in several places.

use serde::{Deserialize, Serialize};

use super::default_rule::{check_start, working_bandwidth};
use super::settings::SimplePpt;
use super::tree::Tree;
use crate::assign::{Cutoff, Sums, soft_sums};
use crate::cloud::{Cloud, Frame};
use crate::connect::Links;
use crate::error::{Error, Result};
use crate::learn::choices::AutoOr;
use crate::learn::registry::Method;
use crate::learn::sweep::Structure;
use crate::math::Matrix;
use crate::points::Points;

/// The two moves of a plain sweep, for whoever drives the fit over blocks of points.
///
/// Blocks of [`CHUNK_ROWS`](crate::CHUNK_ROWS) rows, the last one shorter, whose sums are merged in
/// order, give the same bytes as a fit of all points with `acceleration` none, `tips` keep and
/// `tol` 0; other blocks the same up to rounding. Nodes are in working coordinates, see
/// [`PptSteps::enter`].
///
/// ```
/// use midrib::learn::{AutoOr, PptSteps, SimplePpt};
/// use midrib::{Points, Survey, math::Matrix};
/// let blocks = [Points::from_f64(vec![0.0, 1.0], 1)?, Points::from_f64(vec![4.0, 5.0], 1)?];
/// let mut survey = Survey::new(1);
/// while !survey.is_done() {
///     let mut sum = survey.look(&blocks[0])?;
///     sum.add(&survey.look(&blocks[1])?);
///     survey = survey.take(&sum)?;
/// }
/// let settings = SimplePpt {
///     bandwidth: AutoOr::Fixed(0.1),
///     length_penalty: AutoOr::Fixed(0.5),
///     ..SimplePpt::default()
/// };
/// let steps = PptSteps::new(&settings, survey.frame().clone())?;
/// let nodes = steps.enter(&Matrix::from_rows(&[[0.0], [5.0]])?)?;
/// let mut sums = steps.estep(&blocks[0], &nodes)?;
/// sums.merge(&steps.estep(&blocks[1], &nodes)?);
/// let step = steps.mstep(&sums, &nodes)?;
/// // Two nodes with two points each: (M + λL) y = Σx.
/// let nodes = steps.leave(step.nodes);
/// assert!((nodes.row(0)[0] - 7.0 / 6.0).abs() < 1e-12);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PptSteps {
    frame: Frame,
    /// In working units.
    bandwidth: f64,
    length_penalty: f64,
}

/// What an m-step finds.
#[derive(Clone, Debug, PartialEq)]
pub struct PptStep {
    /// The next nodes, in working coordinates.
    pub nodes: Matrix,
    /// The objective at the nodes before, in the caller's units.
    pub objective: f64,
    /// The tree of the nodes before.
    pub edges: Vec<(usize, usize)>,
}

impl PptSteps {
    /// The moves with these settings over points in this frame. Bandwidth and length penalty must
    /// be given: what is automatic is found from the points themselves.
    pub fn new(settings: &SimplePpt, frame: Frame) -> Result<Self> {
        settings.check()?;
        let (AutoOr::Fixed(bandwidth), AutoOr::Fixed(length_penalty)) =
            (settings.bandwidth, settings.length_penalty)
        else {
            let bandwidth_is_open = settings.bandwidth == AutoOr::Auto;
            let open = if bandwidth_is_open { "bandwidth" } else { "length_penalty" };
            let remedy = "steps need a number, for example the one that a fit of a sample chose";
            return Err(Error::setting(open, "auto", remedy));
        };
        let bandwidth = working_bandwidth(bandwidth, frame.square_unit())?;
        Ok(Self { frame, bandwidth, length_penalty })
    }

    /// Nodes in working coordinates.
    pub fn enter(&self, nodes: &Matrix) -> Result<Matrix> {
        check_start(nodes, self.frame.origin.len())?;
        Ok(self.frame.to_working(nodes.clone()))
    }

    /// Nodes back in the caller's coordinates.
    pub fn leave(&self, nodes: Matrix) -> Matrix {
        self.frame.to_data(nodes)
    }

    /// What a block of points says about the nodes.
    pub fn estep(&self, block: &Points<'_>, nodes: &Matrix) -> Result<Sums> {
        let cloud = Cloud::within(block, self.frame.clone())?;
        check_start(nodes, cloud.dims())?;
        Ok(soft_sums(&cloud, nodes, self.bandwidth, Cutoff::EXACT))
    }

    /// The next nodes, from the sums over all points at these nodes.
    pub fn mstep(&self, sums: &Sums, nodes: &Matrix) -> Result<PptStep> {
        let shape = |rows: usize, table: &Matrix| format!("{rows} x {}", table.n_cols());
        let expected = shape(nodes.n_rows(), nodes);
        for rows in [sums.mass.len(), sums.weighted.n_rows()] {
            let found = shape(rows, &sums.weighted);
            if found != expected {
                return Err(Error::shape("sums over the nodes", expected, found));
            }
        }
        let mut tree = Tree { length_penalty: self.length_penalty, links: Links::default() };
        let (edges, cost) = tree.connect(nodes)?;
        let objective = (sums.cost + cost) * self.frame.square_unit();
        let nodes = tree.place(&edges, sums, nodes)?;
        Ok(PptStep { nodes, objective, edges: edges.edges })
    }
}
