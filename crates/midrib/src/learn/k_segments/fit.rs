//! The loop. Verbeek2002, section 3.

use super::insertion::{Candidates, REACH};
use super::path::{Ends, Links};
use super::settings::KSegments;
use crate::assign::hard_sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::NodeCount;
use crate::learn::method::{Method, to_value};
use crate::learn::pieces::{Piece, Shares};
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::result::{Choice, End, Fit};
use crate::learn::rounds::Rounds;
use crate::math::{Matrix, dot, squared_distance};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};
use crate::prepare::sample;

/// How far the two ends of the curve are from the middle of their segments, in standard deviations: as
/// far as points that are spread evenly along a segment.
const FREE_REACH: f64 = 1.732_050_807_568_877_2;
/// Points among which new segments are sought.
const SAMPLE: usize = 2000;
/// Where their number is left open: the most segments, and how many that do not help end the growth.
const MOST: usize = 100;
const IDLE: usize = 5;
/// The mean squared distance, as a share of the variance, below which there is nothing to describe.
const EXACT: f64 = 1e-20;

/// Learns the curve.
pub(super) fn fit(
    settings: &KSegments,
    points: &dyn Blocks,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    cloud.require_spread()?;
    let small = sample(&cloud, SAMPLE)?;
    let small = Cloud::within(&small, cloud.frame().clone())?;
    let candidates = Candidates::new(&small)?;
    let rule = Rule::new(settings, &cloud)?;
    let mut segments = vec![first(&cloud)?];
    let mut trace: Vec<f64> = Vec::new();
    let mut best: Option<Curve> = None;
    let mut end = loop {
        let stopped = alternate(settings, &cloud, &mut segments, watch)?;
        let curve = rule.curve(&segments, stopped)?;
        trace.push(curve.description);
        if best.as_ref().is_none_or(|best| rule.prefers(&curve, best)) {
            best = Some(curve);
        }
        if stopped == End::Interrupted || rule.stops(&trace) {
            break stopped;
        }
        let Some(segment) = candidates.best(&segments)? else { break End::Ceiling };
        segments.push(segment);
    };
    let curve = best.ok_or_else(|| Error::setting("n_segments", 0, "must be at least 1"))?;
    if rule.wanted.is_none() && end != End::Interrupted {
        end = curve.end;
    }
    let n_nodes = curve.line.nodes().n_rows();
    let edges: Vec<_> = (1..n_nodes).map(|b| (b - 1, b, 1.0)).collect();
    let mass = hard_sums(&cloud, curve.line.nodes(), f64::INFINITY)?.mass;
    let nodes = cloud.to_data(curve.line.nodes().clone());
    let (found, wanted) = (curve.segments, rule.wanted.unwrap_or(0));
    let note = format!("{found} segments instead of {wanted}: too few points differ");
    let reason = "the shortest description of the points";
    Ok(Fit {
        method: KSegments::NAME,
        object: PrincipalGraph::new(nodes, &edges, mass)?.into(),
        iterations: trace.len(),
        trace,
        end,
        settings: to_value(settings),
        choices: match rule.wanted {
            None => vec![Choice::new("n_segments", found, reason)],
            Some(_) => Vec::new(),
        },
        tuning: None,
        notes: (found < wanted && end != End::Interrupted).then_some(note).into_iter().collect(),
    })
}

/// The first principal axis of all points.
fn first(cloud: &Cloud<'_>) -> Result<Piece> {
    let center = Piece::at(&vec![0.0; cloud.dims()], 1, Some(REACH));
    Shares::of(cloud, std::slice::from_ref(&center))?.of_piece[0].principal(&center)
}

/// Points to the nearest segment, and each segment to its points, in turn.
fn alternate(
    settings: &KSegments,
    cloud: &Cloud<'_>,
    segments: &mut Vec<Piece>,
    watch: &mut dyn Observer,
) -> Result<End> {
    let mut rounds = Rounds::new("fitting the segments", settings.limits());
    loop {
        let shares = Shares::of(cloud, segments)?;
        if let Some(end) = rounds.push(shares.cost * cloud.square_unit(), watch) {
            return Ok(end);
        }
        let with_points =
            segments.iter().zip(&shares.of_piece).filter(|(_, share)| share.mass > 0.0);
        *segments = with_points
            .map(|(segment, share)| share.principal(segment))
            .collect::<Result<Vec<Piece>>>()?;
    }
}

/// Segments joined into a curve.
struct Curve {
    /// In working coordinates.
    line: PrincipalGraph,
    segments: usize,
    /// The description length, in nats.
    description: f64,
    /// Why the rounds stopped.
    end: End,
}

/// When to stop, and what is best.
struct Rule<'a> {
    settings: &'a KSegments,
    cloud: &'a Cloud<'a>,
    /// The number of segments, if given.
    wanted: Option<usize>,
    /// The first principal axis: curves lead forward along it.
    forward: Vec<f64>,
    /// N.
    count: f64,
}

impl<'a> Rule<'a> {
    fn new(settings: &'a KSegments, cloud: &'a Cloud<'a>) -> Result<Self> {
        let wanted = match settings.n_segments {
            NodeCount::Exactly(count) if count > cloud.len() => {
                let reason =
                    format!("there are only {} points: give at most that many", cloud.len());
                return Err(Error::setting("n_segments", count, reason));
            }
            NodeCount::Exactly(count) => Some(count),
            _ => None,
        };
        let weighted = (0..cloud.len()).filter(|&i| cloud.weight(i) > 0.0).count();
        let total = cloud.total_weight();
        let count = total / (total / weighted as f64).min(1.0);
        let forward = PrincipalAxes::new(cloud, 1)?.at(&[1.0]);
        Ok(Self { settings, cloud, wanted, forward, count })
    }

    /// Whether there are enough segments, or the last ones did not shorten the description.
    fn stops(&self, trace: &[f64]) -> bool {
        let count = trace.len();
        let best = (0..count).min_by(|&a, &b| trace[a].total_cmp(&trace[b])).unwrap_or(0);
        match self.wanted {
            Some(wanted) => count >= wanted,
            None => count >= MOST || count > best + IDLE,
        }
    }

    fn prefers(&self, curve: &Curve, best: &Curve) -> bool {
        self.wanted.is_some() || curve.description < best.description
    }

    /// The segments joined in the best order.
    fn curve(&self, segments: &[Piece], end: End) -> Result<Curve> {
        let ends: Vec<Ends> = segments.iter().map(ends).collect();
        let path = Links::new(&ends, self.settings.angle_penalty).path();
        let mut nodes: Vec<Vec<f64>> = Vec::with_capacity(2 * ends.len());
        for (at, &(segment, entered)) in path.iter().enumerate() {
            let outer = |is_outer: bool| if is_outer { FREE_REACH / REACH } else { 1.0 };
            let [enter, leave] = [entered, 1 - entered].map(|end| &ends[segment][end]);
            let first = beyond(leave, enter, outer(at == 0));
            let last = beyond(enter, leave, outer(at + 1 == path.len()));
            for node in [first, last] {
                if nodes.last().is_none_or(|last| squared_distance(last, &node) > 0.0) {
                    nodes.push(node);
                }
            }
        }
        let across: Vec<f64> =
            nodes[nodes.len() - 1].iter().zip(&nodes[0]).map(|(b, a)| b - a).collect();
        if dot(&across, &self.forward) < 0.0 {
            nodes.reverse();
        }
        let edges: Vec<_> = (1..nodes.len()).map(|b| (b - 1, b, 1.0)).collect();
        let mass = vec![0.0; nodes.len()];
        let line = PrincipalGraph::new(Matrix::from_rows(&nodes)?, &edges, mass)?;
        let description = self.description(&line, segments.len())?;
        Ok(Curve { line, segments: segments.len(), description, end })
    }

    /// N log l + N(D − 1)/2 · log Δ + k D log N.
    fn description(&self, line: &PrincipalGraph, segments: usize) -> Result<f64> {
        let dims = self.cloud.dims() as f64;
        let least = EXACT * self.cloud.spread() / self.cloud.total_weight();
        let mean_squared = line.project(self.cloud)?.mean_squared_distance(self.cloud)?;
        let unit = self.cloud.square_unit().ln();
        let length = line.length().ln() + 0.5 * unit;
        let distance = 0.5 * (dims - 1.0) * (mean_squared.max(least).ln() + unit);
        Ok(self.count * (length + distance) + segments as f64 * dims * self.count.ln())
    }
}

/// The end of a segment from `start` to `end`, at this many times its distance from the middle.
fn beyond(start: &[f64], end: &[f64], times: f64) -> Vec<f64> {
    start.iter().zip(end).map(|(a, b)| b + 0.5 * (times - 1.0) * (b - a)).collect()
}

/// The two ends of a segment.
fn ends(segment: &Piece) -> Ends {
    let half = REACH * segment.variances[0].sqrt();
    [-half, half].map(|score| {
        let along = segment.center.iter().zip(segment.axes.row(0));
        along.map(|(c, a)| c + score * a).collect()
    })
}
