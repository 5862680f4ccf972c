//! The loop. Gorban2009, Hastie and Stuetzle algorithm for a finite data set.

use super::line::{Along, Line};
use super::local_linear::local_linear;
use super::settings::{CurveStructure, PrincipalCurve, Smoother};
use super::sheet::Sheet;
use super::spline::smoothing_spline;
use crate::assign::hard_sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::method::{Method, to_value};
use crate::learn::result::{Choice, End, Fit};
use crate::learn::rounds::Rounds;
use crate::learn::settled::Settled;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::Matrix;
use crate::object::{InnerProjection, NetForm, NetObject, Object, Surface};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// Nodes where their number is left open.
const NODES: usize = 1000;
const SHEET_NODES: usize = 100;

/// Learns the curve or the surface.
pub(super) fn fit(
    settings: &PrincipalCurve,
    points: &dyn Blocks,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let given = Cloud::new(points)?;
    let settled = Settled::new(&given)?;
    let cloud = Cloud::new(&settled.points)?;
    let frames = Frames { given: &given, settled: &settled, cloud: &cloud };
    let rows = WeightedRows::new(&cloud)?;
    let count = node_count(settings, given.len())?;
    let unit = cloud.square_unit() * settled.square_unit(&given);
    let mut rounds = Rounds::new("smoothing the curve", settings.limits());
    let closed = settings.structure == CurveStructure::Closed;
    let (object, end) = if settings.structure == CurveStructure::Surface {
        let project = |sheet: &Sheet| {
            let at = sheet.project(&rows)?;
            let mean_squared = at.mean_squared_distance(&rows.points()?)?;
            Ok((at, mean_squared * unit))
        };
        let smooth = |sheet: &Sheet, at: InnerProjection| {
            sheet.smoothed(&rows, &at.coordinates, settings.span).map(Some)
        };
        let start = Sheet::start(&cloud, count)?; // step 1
        let (sheet, end) = alternate(start, project, smooth, &mut rounds, watch)?;
        (frames.net_object(sheet)?, end)
    } else {
        let project = |line: &Line| {
            let along = line.project(&rows)?;
            let mean_squared = along.mean_squared * unit;
            Ok((along, mean_squared))
        };
        let smooth = |_: &Line, along: Along| {
            let nodes = smoothed(settings, &rows, &along, count)?;
            let is_line = !closed || nodes.n_rows() >= 3;
            is_line.then(|| Line::new(nodes, closed)).transpose()
        };
        let start = Line::start(&cloud, closed)?; // step 1
        let (line, end) = alternate(start, project, smooth, &mut rounds, watch)?;
        (frames.in_data(&line.graph)?.into(), end)
    };
    let found = object.graph().map_or(0, |graph| graph.nodes().n_rows());
    let reason = match settings.structure {
        CurveStructure::Surface => "a net in the proportions of the points, of at most 100",
        _ => "one per distinct projection, at most 1000",
    };
    Ok(Fit {
        method: PrincipalCurve::NAME,
        object,
        iterations: rounds.trace.len(),
        trace: rounds.trace,
        end,
        settings: to_value(settings),
        choices: (settings.n_nodes == NodeCount::Auto)
            .then(|| Choice::new("n_nodes", found, reason))
            .into_iter()
            .collect(),
        tuning: None,
        notes: Vec::new(),
    })
}

/// Projects and smooths in turn, until the distance stands still or nothing is left to smooth.
fn alternate<M, A>(
    mut object: M,
    project: impl Fn(&M) -> Result<(A, f64)>,
    smooth: impl Fn(&M, A) -> Result<Option<M>>,
    rounds: &mut Rounds,
    watch: &mut dyn Observer,
) -> Result<(M, End)> {
    loop {
        let (at, mean_squared) = project(&object)?; // step 2
        if let Some(end) = rounds.push(mean_squared, watch) {
            return Ok((object, end));
        }
        match smooth(&object, at)? {
            Some(next) => object = next, // steps 3 and 4
            None => return Ok((object, End::Stalled)),
        }
    }
}

/// The smoothed positions.
fn smoothed(
    settings: &PrincipalCurve,
    rows: &WeightedRows,
    along: &Along,
    count: usize,
) -> Result<Matrix> {
    match (settings.smoother, settings.degrees_of_freedom) {
        (Smoother::LocalLinear, _) => local_linear(rows, along, settings.span, count),
        (Smoother::Spline, AutoOr::Auto) => smoothing_spline(rows, along, None, count),
        (Smoother::Spline, AutoOr::Fixed(freedom)) => {
            smoothing_spline(rows, along, Some(freedom), count)
        }
    }
}

/// The largest number of nodes.
fn node_count(settings: &PrincipalCurve, points: usize) -> Result<usize> {
    match settings.n_nodes {
        NodeCount::Auto if settings.structure == CurveStructure::Surface => Ok(SHEET_NODES),
        NodeCount::Auto => Ok(NODES),
        NodeCount::All => Ok(points),
        NodeCount::Exactly(count) if count > points => {
            let reason = format!("there are only {points} points: give at most that many");
            Err(Error::setting("n_nodes", count, reason))
        }
        NodeCount::Exactly(count) => Ok(count),
    }
}

/// The points as they were given, and as the curve is learned from them.
struct Frames<'a> {
    given: &'a Cloud<'a>,
    settled: &'a Settled,
    cloud: &'a Cloud<'a>,
}

impl Frames<'_> {
    /// The graph in the coordinates of the points, with the mass of its nodes.
    fn in_data(&self, graph: &PrincipalGraph) -> Result<PrincipalGraph> {
        let nodes = self.settled.to_data(self.given, self.cloud.to_data(graph.nodes().clone()));
        let working = self.given.to_working(nodes.clone());
        let mass = hard_sums(self.given, &working, f64::INFINITY)?.mass;
        let edges: Vec<_> =
            graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect();
        PrincipalGraph::new(nodes, &edges, mass)
    }

    /// The surface in the coordinates of the points.
    fn net_object(&self, sheet: Sheet) -> Result<Object> {
        let edges: Vec<_> = sheet.net.edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
        let mass = vec![0.0; sheet.nodes.n_rows()];
        let graph = self.in_data(&PrincipalGraph::new(sheet.nodes, &edges, mass)?)?;
        let form = NetForm::Surface(Box::new(Surface::new(sheet.net, graph.nodes(), 0)?));
        Ok(Object::Net(NetObject { graph, form, springs: None, mixture: None }))
    }
}
