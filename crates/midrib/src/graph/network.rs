//! The milestone network, as trajectory inference packages define it.

use super::{BranchPosition, Milestones, PrincipalGraph, Projection};
use crate::error::Result;

/// Milestones and the links between them, a simple graph whose links point away from the roots, and
/// the positions of points on the links.
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
    /// The position of each point on its branch.
    positions: Vec<BranchPosition>,
}

/// A branch as a link between milestones. An isolated milestone has a link to itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkLink {
    /// The milestone where it starts.
    pub from: usize,
    /// The milestone where it ends.
    pub to: usize,
    /// Its length.
    pub length: f64,
    /// Whether its direction is known, from a root of its component.
    pub directed: bool,
    /// Whether it runs opposite to the branch.
    reversed: bool,
}

impl PrincipalGraph {
    /// The milestone network. Roots are milestones too, and loops and parallel branches get
    /// additional milestones in between.
    pub fn milestone_network(
        &self,
        roots: &[usize],
        projection: &Projection,
    ) -> Result<MilestoneNetwork> {
        let milestones = self.milestones().with_nodes(self, roots)?.simple(self);
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
        let positions = milestones.branch_positions(self, projection)?;
        Ok(MilestoneNetwork { milestones, links, positions })
    }
}

impl MilestoneNetwork {
    /// The links.
    pub fn links(&self) -> &[NetworkLink] {
        &self.links
    }

    /// The link of a point and its position along the link, from 0 to 1; 1 on the link of an isolated
    /// milestone.
    pub fn progression(&self, point: usize) -> (usize, f64) {
        let BranchPosition { branch, share } = self.positions[point];
        let link = self.links[branch];
        if link.from == link.to {
            return (branch, 1.0);
        }
        (branch, if link.reversed { 1.0 - share } else { share })
    }

    /// The milestones of a point's link and its percentage for each; they add up to 1.
    pub fn percentages(&self, point: usize) -> Vec<(usize, f64)> {
        let (link, share) = self.progression(point);
        let NetworkLink { from, to, .. } = self.links[link];
        if from == to { vec![(from, 1.0)] } else { vec![(from, 1.0 - share), (to, share)] }
    }

    /// The milestone nearer to a point along its link; the one with the smaller index at the
    /// midpoint.
    pub fn nearest(&self, point: usize) -> usize {
        self.milestones.nearest(self.positions[point])
    }
}
