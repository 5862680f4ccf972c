//! A learned graph without its weak branches.

use midrib::Points;
use midrib::graph::TipRule;
use midrib_io::{Edit, Model, check_directory};

use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::open::open_training_table;
use crate::rewrite::{RewriteRequest, Rewritten, rewrite};
use crate::text::count;

/// A model whose graph was pruned.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The model with the pruned graph.
    pub model: Model,
    /// The old numbers of its nodes.
    pub kept: Vec<usize>,
    /// How many weak branches were removed.
    pub removed: usize,
    /// How many branches without points were removed or contracted.
    pub empty: usize,
}

/// Removes the terminal branches that fall to `rule`, and branches without points. The support of
/// the edges is that of the model. See
/// [`PrincipalGraph::prune`](midrib::graph::PrincipalGraph::prune).
///
/// ```
/// use midrib::{Points, graph::{PrincipalGraph, TipRule}, math::Matrix};
/// use midrib_io::Model;
/// use midrib_tasks::prune;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.1]])?;
/// let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
/// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4])?;
/// let model = Model::of_graph("given", graph, vec!["x".into(), "y".into()]);
/// let points = Points::from_f64(vec![0.2, 0.0, 0.7, 0.0, 1.5, 0.0, 1.0, 0.1], 2)?;
/// let rule = TipRule { min_share: 0.0, min_length: 0.5, ..TipRule::default() };
/// let pruned = prune(&model, &rule, &points)?;
/// assert_eq!(pruned.kept, [0, 1, 2]);
/// assert_eq!(pruned.model.edits.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prune(model: &Model, rule: &TipRule<'_>, points: &Points<'_>) -> Result<Pruned> {
    model.require_lines("prune")?;
    let rule = TipRule { support: model.edge_support(), ..*rule };
    let pruned = model.graph()?.prune(&rule, points)?;
    let TipRule { min_share, min_length, min_support, .. } = rule;
    let edit = Edit::Prune { min_length, min_share, min_support };
    let model = model.clone().edited(pruned.graph, &pruned.kept, edit)?;
    Ok(Pruned { model, kept: pruned.kept, removed: pruned.removed, empty: pruned.empty })
}

/// Prunes results and writes them to another directory.
pub fn prune_results(
    request: &RewriteRequest<'_>,
    rule: &TipRule<'_>,
    listener: &mut dyn Listener,
) -> Result<Rewritten> {
    rule.check()?;
    let results = request.training.results;
    let before = Model::read(results)?;
    before.require_lines("midrib prune")?;
    if rule.min_support > 0.0 && before.support.is_none() {
        return Err(Error::usage(format!(
            "{}: the support of the branches is not known; find it with `midrib bootstrap {}`",
            (listener.wording().value)("min_support", &rule.min_support.to_string()),
            results.display()
        )));
    }
    check_directory(&request.output, request.force)?;
    let table = open_training_table(&request.training, &before)?;
    let pruned = prune(&before, rule, &table.points)?;
    listener.note(&format!("{} removed", count(pruned.removed, "branch", "branches")));
    if pruned.empty > 0 {
        let empty = count(pruned.empty, "branch", "branches");
        listener.note(&format!("{empty} without points removed or contracted"));
    }
    rewrite(request, &before, pruned.model, Some(&table), listener)
}
