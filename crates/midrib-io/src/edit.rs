//! Other graphs made of a learned one: without weak branches, simplified.

use midrib::Points;
use midrib::graph::{Simplify, TipRule};

use crate::error::Result;
use crate::model::{Edit, Model};

impl Model {
    /// The graph without branches that fall to `rule`, and the old numbers of its nodes. The
    /// support of the edges is that of the model. See
    /// [`PrincipalGraph::prune`](midrib::graph::PrincipalGraph::prune).
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::{PrincipalGraph, TipRule};
    /// use midrib::math::Matrix;
    /// use midrib_io::Model;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.1]])?;
    /// let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4])?;
    /// let model = Model::of_graph("given", graph, vec!["x".into(), "y".into()]);
    /// let points = Points::from_f64(vec![0.2, 0.0, 0.7, 0.0, 1.5, 0.0, 1.0, 0.1], 2)?;
    /// let rule = TipRule { min_share: 0.0, min_length: 0.5, ..TipRule::default() };
    /// let (pruned, kept) = model.prune(&rule, &points)?;
    /// assert_eq!(kept, [0, 1, 2]);
    /// assert_eq!(pruned.edits.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prune(&self, rule: &TipRule<'_>, points: &Points<'_>) -> Result<(Self, Vec<usize>)> {
        self.require_lines("prune")?;
        let rule = TipRule { support: self.edge_support(), ..*rule };
        let pruned = self.graph()?.prune(&rule, points)?;
        let TipRule { min_share, min_length, min_support, .. } = rule;
        let edit = Edit::Prune { min_length, min_share, min_support };
        Ok((self.clone().edited(pruned.graph, &pruned.kept, edit)?, pruned.kept))
    }

    /// The skeleton of the graph. See
    /// [`PrincipalGraph::simplify`](midrib::graph::PrincipalGraph::simplify).
    ///
    /// ```
    /// use midrib::graph::{Length, PrincipalGraph, Simplify};
    /// use midrib::math::Matrix;
    /// use midrib_io::Model;
    /// let nodes = Matrix::from_rows(&[[0.0], [5.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let model = Model::of_graph("given", graph, vec!["depth".into()]);
    /// let settings = Simplify { min_loop: Length::Fixed(1.0), ..Simplify::default() };
    /// let skeleton = model.simplify(&settings)?;
    /// assert_eq!(skeleton.graph()?.tips(), [0, 2]);
    /// assert!(skeleton.is_skeleton());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn simplify(&self, settings: &Simplify) -> Result<Self> {
        settings.check()?;
        self.require_lines("simplify")?;
        let skeleton = self.graph()?.simplify(settings)?;
        let edit = Edit::Simplify {
            drop_below: settings.drop_below,
            min_loop: skeleton.min_loop,
            min_tip: skeleton.min_tip,
            merge_chains: settings.merge_chains,
        };
        self.clone().edited(skeleton.graph, &skeleton.kept, edit)
    }
}
