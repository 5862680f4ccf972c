//! From the points of one group to a graph: a tree, without the stretches that cross voids, with its
//! loops closed, without twigs that are only noise.

use super::crossings::with_crossings;
use super::cuts::emptiest;
use super::joins::{Judged, joined};
use super::mixture::Mixture;
use super::refit::refit;
use super::sample::Sample;
use super::scatter::Scatter;
use super::skeleton::{graph_of, pairs, respaced, without};
use super::twigs::weakest;
use crate::connect::Links;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::pilot::{Fixed, pilot};
use crate::learn::start::kmeans_centers;
use crate::learn::tree::{Tree, TreeSweeps};
use crate::math::{Matrix, dot};
use crate::observe::Observer;
use crate::points::Cloud;
use crate::prepare::{Components, Pca};

/// Length penalties in units of the automatic one; stiffer ones are tried where the lines are
/// indistinct.
const STIFFNESS: [f64; 3] = [1.0, 4.0, 16.0];
/// Lines with at least this elongation are distinct.
const DISTINCT: f64 = 3.2;
/// A stiffer tree must show lines that are this much more distinct.
const MORE_DISTINCT: f64 = 1.15;
/// Points without at least this elongation follow no lines.
const LEAST: f64 = 1.9;
/// A tree that is shorter than this share of the first principal axis has collapsed.
const COLLAPSED: f64 = 0.05;
/// Nodes of the tree: one per this much noise, and at most.
const NODE_SPACING: f64 = 1.2;
const NODES: (usize, usize) = (30, 150);
/// Sweeps of the tree.
const SWEEPS: usize = 40;
/// Rounds of cutting, joining and pruning.
const ROUNDS: usize = 3;
/// Log odds below which a stretch crosses a void.
const VOID: f64 = -3.8;
/// The least gain of a twig, in nats.
const TWIG: f64 = 20.0;
/// Twigs must gain that much even if the noise is this much larger.
const CAUTION: f64 = 1.2;
/// Components with a smaller share of the points are removed.
const SMALL: f64 = 0.02;

/// A graph and how clearly the points follow it.
pub(super) struct Grown {
    pub graph: PrincipalGraph,
    /// See [`Scatter::elongation`].
    pub elongation: f64,
}

impl Grown {
    /// Whether the points follow lines at all.
    pub fn has_lines(&self) -> bool {
        self.elongation >= LEAST
    }
}

/// The first principal axis of a group of points, as long as they reach.
pub(super) fn axis(sample: &Sample) -> Result<PrincipalGraph> {
    let points = sample.points()?;
    let pca = Pca::fit(Components::Count(1), &points)?;
    let total = sample.total();
    let mean: Vec<f64> = (0..sample.x.n_cols())
        .map(|d| sample.x.rows().zip(&sample.weights).map(|(x, w)| w * x[d]).sum::<f64>() / total)
        .collect();
    let scores = sample.x.rows().map(|x| dot(x, pca.axes.row(0)) - dot(&mean, pca.axes.row(0)));
    let (low, high) = scores.fold((0.0_f64, 0.0_f64), |(low, high), t| (low.min(t), high.max(t)));
    let end =
        |t: f64| mean.iter().zip(pca.axes.row(0)).map(|(m, a)| m + t * a).collect::<Vec<f64>>();
    graph_of(&Matrix::from_rows(&[end(low), end(high)])?, &[(0, 1)])
}

/// Learns the graph of one group of points.
pub(super) fn grow(sample: &Sample, seed: u64, watch: &mut dyn Observer) -> Result<Grown> {
    let mut best = attempt(sample, STIFFNESS[0], seed, watch)?;
    for stiffness in &STIFFNESS[1..] {
        if best.elongation >= DISTINCT {
            break;
        }
        let other = attempt(sample, *stiffness, seed, watch)?;
        if other.elongation > MORE_DISTINCT * best.elongation {
            best = other;
        }
    }
    Ok(best)
}

/// Where the nodes of the tree collapse there are no lines.
fn attempt(sample: &Sample, stiffness: f64, seed: u64, watch: &mut dyn Observer) -> Result<Grown> {
    let axis = axis(sample)?;
    let tree = first_tree(sample, stiffness, seed, watch)?;
    if tree.length() < COLLAPSED * axis.length() {
        return Ok(Grown { graph: axis, elongation: 0.0 });
    }
    match grow_from(tree, sample) {
        Err(Error::Numerical(_)) => Ok(Grown { graph: axis, elongation: 0.0 }),
        grown => grown,
    }
}

/// Cuts, joins and prunes.
fn grow_from(tree: PrincipalGraph, sample: &Sample) -> Result<Grown> {
    let mut growth = Growth::new(tree, sample)?;
    for round in 0..ROUNDS {
        growth.cut()?;
        if round > 0 {
            growth.join()?;
        }
        let pruned = growth.prune()?;
        if pruned || round == 0 {
            growth.settle(5)?;
        }
        growth.scatter = Scatter::new(&growth.graph, sample)?;
    }
    let graph = with_crossings(growth.graph, sample, growth.scatter)?;
    let elongation = growth.scatter.elongation(&graph, sample)?;
    Ok(Grown { graph, elongation })
}

/// A principal tree by soft assignment; Mao2015.
fn first_tree(
    sample: &Sample,
    stiffness: f64,
    seed: u64,
    watch: &mut dyn Observer,
) -> Result<PrincipalGraph> {
    let points = sample.points()?;
    let cloud = Cloud::new(&points)?;
    let most = 100.min(sample.len() / 3).max(2);
    let pilot = pilot(&cloud, most, Fixed { bandwidth: None, length_penalty: None }, seed, watch)?;
    let wanted = (pilot.length / (NODE_SPACING * pilot.noise).max(f64::MIN_POSITIVE)) as usize;
    let count = wanted.clamp(NODES.0, NODES.1).min(sample.len() / 4).max(5);
    let tree =
        Tree { length_penalty: stiffness * pilot.penalty_for(count), links: Links::default() };
    let sweeps = TreeSweeps { cloud: &cloud, bandwidth: pilot.bandwidth, tree };
    let (state, _) = sweeps.plain(kmeans_centers(&cloud, count, seed)?, SWEEPS, watch)?;
    state.graph(&cloud)
}

/// A graph that is being changed.
struct Growth<'s> {
    graph: PrincipalGraph,
    sample: &'s Sample,
    scatter: Scatter,
    judged: Judged,
}

impl<'s> Growth<'s> {
    fn new(tree: PrincipalGraph, sample: &'s Sample) -> Result<Self> {
        let scatter = Scatter::new(&tree, sample)?;
        let mut growth = Self { graph: tree, sample, scatter, judged: Judged::default() };
        growth.refit(5)?;
        growth.settle(4)?;
        growth.scatter = Scatter::new(&growth.graph, sample)?;
        Ok(growth)
    }

    fn refit(&mut self, rounds: usize) -> Result<()> {
        let bend = self.scatter.bend(&self.graph, self.sample);
        self.graph = refit(self.graph.clone(), self.sample, bend, rounds)?;
        self.scatter = Scatter::new(&self.graph, self.sample)?;
        Ok(())
    }

    /// Spaces the nodes evenly and moves them to their best positions.
    fn settle(&mut self, rounds: usize) -> Result<()> {
        let scatter = self.scatter;
        self.graph = respaced(&self.graph, scatter.spacing(&self.graph, self.sample))?;
        self.refit(rounds)?;
        self.scatter = scatter;
        Ok(())
    }

    /// Removes stretches that cross voids.
    fn cut(&mut self) -> Result<()> {
        while self.graph.edges().len() > 1 {
            let noise = self.scatter.noise;
            let mixture = Mixture::new(&self.graph, self.sample, noise);
            match emptiest(&self.graph, &mixture, self.sample, noise, None) {
                Some(stretch)
                    if stretch.odds < VOID && stretch.edges.len() < self.graph.edges().len() =>
                {
                    self.graph = without(&self.graph, &stretch.edges)?;
                    self.settle(3)?;
                }
                _ => break,
            }
        }
        Ok(())
    }

    /// Closes gaps between tips and other nodes.
    fn join(&mut self) -> Result<()> {
        while let Some(graph) = joined(&self.graph, self.sample, self.scatter, &mut self.judged)? {
            self.graph = graph;
        }
        Ok(())
    }

    /// Removes twigs and small components that the points do not need; whether there were any.
    fn prune(&mut self) -> Result<bool> {
        let mut any = false;
        loop {
            let mixture = Mixture::new(&self.graph, self.sample, CAUTION * self.scatter.noise);
            let small = small_component(&self.graph, &mixture);
            let weak = weakest(&self.graph, &mixture, self.sample, self.scatter);
            let edges = match (small, weak) {
                (Some(edges), _) => edges,
                (None, Some(twig)) if twig.gain <= TWIG => twig.edges,
                _ => return Ok(any),
            };
            self.graph = without(&self.graph, &edges)?;
            any = true;
        }
    }
}

/// The edges of a component with hardly any points.
fn small_component(graph: &PrincipalGraph, mixture: &Mixture) -> Option<Vec<usize>> {
    let components = graph.components();
    if components.count == 1 {
        return None;
    }
    let edges_of = |component: usize| -> Vec<usize> {
        let edges = graph.edges().iter().enumerate();
        edges.filter(|(_, edge)| components.of_node[edge.a] == component).map(|(e, _)| e).collect()
    };
    let share = |edges: &Vec<usize>| edges.iter().map(|&edge| mixture.weights[edge]).sum::<f64>();
    (0..components.count).map(edges_of).find(|edges| share(edges) < SMALL)
}

/// Graphs side by side, as one.
pub(super) fn side_by_side(graphs: &[PrincipalGraph]) -> Result<PrincipalGraph> {
    let dims = graphs.first().map_or(0, |graph| graph.nodes().n_cols());
    let (mut rows, mut edges) = (Vec::new(), Vec::new());
    for graph in graphs {
        let before = rows.len() / dims;
        rows.extend_from_slice(graph.nodes().as_slice());
        edges.extend(pairs(graph).into_iter().map(|(a, b)| (before + a, before + b)));
    }
    graph_of(&Matrix::new(rows.len() / dims, dims, rows)?, &edges)
}
