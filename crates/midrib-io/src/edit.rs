//! Other graphs made of a learnt one: rooted elsewhere, without weak branches, simplified.

use midrib::Points;
use midrib::graph::{Rooted, Simplify, TipRule};
use serde_json::json;

use crate::error::Result;
use crate::learnt::LearntGraph;
use crate::write::Model;

impl LearntGraph {
    /// The graph with the roots of its model; refused where that has none.
    pub fn rooted(&self) -> Result<Rooted<'_>> {
        Ok(self.graph.root(&self.model.root)?)
    }

    /// The same graph with these roots; with none, pseudotime is not counted any more.
    ///
    /// ```
    /// use midrib::{graph::PrincipalGraph, math::Matrix};
    /// use midrib_io::{LearntGraph, Model};
    /// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
    /// let model = Model::of_graph("given", &graph, vec!["depth".into()]);
    /// let learnt = LearntGraph::of(model, "model.json".as_ref())?;
    /// assert_eq!(learnt.with_root(vec![1])?.rooted()?.node_pseudotime(), [2.0, 0.0]);
    /// assert!(learnt.with_root(vec![2]).is_err());
    /// assert!(learnt.rooted().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_root(&self, root: Vec<usize>) -> Result<Self> {
        if !root.is_empty() {
            self.model.require_lines("a root")?;
            self.graph.root(&root)?;
        }
        let mut rooted = self.clone();
        rooted.model.root = root;
        Ok(rooted)
    }

    /// The graph without branches that fall to `rule`, and the old numbers of its nodes. The
    /// support of the edges is that of the model. See [`PrincipalGraph::prune`].
    ///
    /// [`PrincipalGraph::prune`]: midrib::graph::PrincipalGraph::prune
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::{PrincipalGraph, TipRule};
    /// use midrib::math::Matrix;
    /// use midrib_io::{LearntGraph, Model};
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.1]])?;
    /// let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4])?;
    /// let model = Model::of_graph("given", &graph, vec!["x".into(), "y".into()]);
    /// let learnt = LearntGraph::of(model, "model.json".as_ref())?;
    /// let points = Points::from_f64(vec![0.2, 0.0, 0.7, 0.0, 1.5, 0.0, 1.0, 0.1], 2)?;
    /// let rule = TipRule { min_share: 0.0, min_length: 0.5, ..TipRule::default() };
    /// let (pruned, kept) = learnt.prune(&rule, &points)?;
    /// assert_eq!(kept, [0, 1, 2]);
    /// assert_eq!(pruned.model.settings["prune"]["min_length"], 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prune(&self, rule: &TipRule<'_>, points: &Points<'_>) -> Result<(Self, Vec<usize>)> {
        self.model.require_lines("prune")?;
        let rule = TipRule { support: self.model.edge_support(), ..*rule };
        let pruned = self.graph.prune(&rule, points)?;
        let how = json!({
            "min_share": rule.min_share,
            "min_length": rule.min_length,
            "min_support": rule.min_support,
        });
        Ok((self.edited(&pruned.graph, &pruned.kept, Model::PRUNED, how)?, pruned.kept))
    }

    /// The skeleton of the graph. See [`PrincipalGraph::simplify`].
    ///
    /// [`PrincipalGraph::simplify`]: midrib::graph::PrincipalGraph::simplify
    ///
    /// ```
    /// use midrib::graph::{Length, PrincipalGraph, Simplify};
    /// use midrib::math::Matrix;
    /// use midrib_io::{LearntGraph, Model};
    /// let nodes = Matrix::from_rows(&[[0.0], [5.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let model = Model::of_graph("given", &graph, vec!["depth".into()]);
    /// let learnt = LearntGraph::of(model, "model.json".as_ref())?;
    /// let settings = Simplify { min_loop: Length::Fixed(1.0), ..Simplify::default() };
    /// let skeleton = learnt.simplify(&settings)?;
    /// assert_eq!(skeleton.graph.tips(), [0, 2]);
    /// assert_eq!(skeleton.model.settings["simplify"]["min_loop"], 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn simplify(&self, settings: &Simplify) -> Result<Self> {
        settings.check()?;
        self.model.require_lines("simplify")?;
        let skeleton = self.graph.simplify(settings)?;
        let how = json!({
            "drop_below": settings.drop_below,
            "min_loop": skeleton.min_loop,
            "min_tip": skeleton.min_tip,
            "merge_chains": settings.merge_chains,
        });
        self.edited(&skeleton.graph, &skeleton.kept, Model::SIMPLIFIED, how)
    }
}
