//! The network of milestones, as packages for trajectories have it.

use super::{Milestones, OnBranch, PrincipalGraph, Projection};
use crate::error::Result;

/// Milestones joined by links: a simple graph whose links lead away from the roots, and the places
/// of points on them.
///
/// ```
/// use midrib::Points;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0], [9.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 4])?;
/// let projection = graph.project(&Points::from_f64(vec![0.5, 9.0], 1)?)?;
/// let network = graph.milestone_network(&[2], &projection)?;
/// let links: Vec<_> = network.links().iter().map(|l| (l.from, l.to, l.directed)).collect();
/// assert_eq!(links, [(2, 0, true), (3, 3, false)]);
/// assert_eq!(network.progression(0), (0, 0.75));
/// assert_eq!(network.percentages(0), [(2, 0.25), (0, 0.75)]);
/// assert_eq!((network.nearest(0), network.nearest(1)), (0, 3));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MilestoneNetwork {
    milestones: Milestones,
    links: Vec<NetworkLink>,
    /// For each point its branch and how far along it is.
    places: Vec<OnBranch>,
}

/// A branch as a link between milestones. A milestone that stands alone has one to itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkLink {
    /// The milestone where it begins.
    pub from: usize,
    /// The milestone where it ends.
    pub to: usize,
    /// Its length.
    pub length: f64,
    /// Whether a root says where it begins.
    pub directed: bool,
    /// Whether it runs against the branch.
    reversed: bool,
}

impl PrincipalGraph {
    /// The network of milestones, of which the roots are some; a loop or parallel branches get
    /// more of them in between.
    pub fn milestone_network(
        &self,
        roots: &[usize],
        projection: &Projection,
    ) -> Result<MilestoneNetwork> {
        let milestones = self.milestones().and(self, roots)?.simple(self);
        let time = match roots {
            [] => vec![f64::NAN; self.nodes().n_rows()],
            _ => self.root(roots)?.node_pseudotime(),
        };
        let link = |(branch, &length): (&super::Branch, &f64)| {
            let (first, last) = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
            let reversed = time[last] < time[first];
            let (from, to) = if reversed { (last, first) } else { (first, last) };
            NetworkLink { from, to, length, directed: !time[first].is_nan(), reversed }
        };
        let links = milestones.branches().iter().zip(milestones.lengths()).map(link).collect();
        let places = milestones.places(self, projection)?;
        Ok(MilestoneNetwork { milestones, links, places })
    }
}

impl MilestoneNetwork {
    /// The links.
    pub fn links(&self) -> &[NetworkLink] {
        &self.links
    }

    /// The link of a point and how far along it is; at the end of that of a lone milestone.
    pub fn progression(&self, point: usize) -> (usize, f64) {
        let OnBranch { branch, share } = self.places[point];
        let link = self.links[branch];
        if link.from == link.to {
            return (branch, 1.0);
        }
        (branch, if link.reversed { 1.0 - share } else { share })
    }

    /// The milestones of a point's link, and how near the point is to each; they add up to 1.
    pub fn percentages(&self, point: usize) -> Vec<(usize, f64)> {
        let (link, share) = self.progression(point);
        let NetworkLink { from, to, .. } = self.links[link];
        if from == to { vec![(from, 1.0)] } else { vec![(from, 1.0 - share), (to, share)] }
    }

    /// The milestone that is nearer to a point along its link; in the middle that of the smaller
    /// number.
    pub fn nearest(&self, point: usize) -> usize {
        self.milestones.nearest(self.places[point])
    }
}
