//! The steps of SimplePPT's loop, for programs that drive it over points stored in several places.

use serde::{Deserialize, Serialize};

use super::settings::SimplePpt;
use crate::assign::Sums;
use crate::connect::Links;
use crate::error::{Error, Result};
use crate::learn::choices::AutoOr;
use crate::learn::proportion::working_bandwidth;
use crate::learn::start::check_start;
use crate::learn::tree::{Tree, estep};
use crate::math::Matrix;
use crate::points::{Blocks, Cloud, WorkingFrame};

/// The steps that a fit repeats, for programs that hold the points in several places.
///
/// Chunks of [`CHUNK_ROWS`](crate::CHUNK_ROWS) rows, the last one shorter, whose sums are merged in
/// order, give the same bytes as a fit of all points with `acceleration` none, `tips` keep and
/// `tol` 0; other blocks differ by rounding alone. Nodes are in working coordinates, see
/// [`PptSteps::enter`]. A source that can be read from one place needs no steps: implement
/// [`Blocks`](crate::Blocks) and fit it.
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
    frame: WorkingFrame,
    /// In working units.
    bandwidth: f64,
    length_penalty: f64,
}

/// The result of an m-step.
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
    /// The steps with these settings for points in this frame. Bandwidth and length penalty must be
    /// numbers: automatic ones are estimated from all points.
    pub fn new(settings: &SimplePpt, frame: WorkingFrame) -> Result<Self> {
        settings.check_values()?;
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

    /// Converts nodes to working coordinates.
    pub fn enter(&self, nodes: &Matrix) -> Result<Matrix> {
        check_start(nodes, self.frame.origin.len())?;
        Ok(self.frame.to_working(nodes.clone()))
    }

    /// Converts nodes back to the caller's coordinates.
    pub fn leave(&self, nodes: Matrix) -> Matrix {
        self.frame.to_data(nodes)
    }

    /// Assigns a block of points to the nodes; the sums of all blocks are added.
    pub fn estep(&self, block: &dyn Blocks, nodes: &Matrix) -> Result<Sums> {
        let cloud = Cloud::within(block, self.frame.clone())?;
        check_start(nodes, cloud.dims())?;
        estep(&cloud, nodes, self.bandwidth)
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
        let tree = Tree { length_penalty: self.length_penalty, links: Links::default() };
        let (edges, cost) = tree.connect(nodes)?;
        let objective = (sums.cost + cost) * self.frame.square_unit();
        let nodes = tree.place(&edges, sums, nodes)?;
        Ok(PptStep { nodes, objective, edges: edges.edges })
    }
}
