//! The skeleton of a learned graph.

use midrib::graph::Simplify;
use midrib_io::{Edit, Model, check_directory};

use crate::error::Result;
use crate::listener::Listener;
use crate::open::open_training_table;
use crate::rewrite::{RewriteRequest, Rewritten, rewrite};
use crate::text::short;

/// A model whose graph was replaced by its skeleton.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The model with the skeleton.
    pub model: Model,
    /// The old numbers of its nodes.
    pub kept: Vec<usize>,
    /// The length up to which cycles were broken.
    pub min_loop: f64,
    /// The length below which tips were removed.
    pub min_tip: f64,
}

/// Replaces the graph by its skeleton. See
/// [`PrincipalGraph::simplify`](midrib::graph::PrincipalGraph::simplify).
///
/// ```
/// use midrib::{graph::{Length, PrincipalGraph, Simplify}, math::Matrix};
/// use midrib_io::Model;
/// use midrib_tasks::simplify;
/// let nodes = Matrix::from_rows(&[[0.0], [5.0], [9.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
/// let model = Model::of_graph("given", graph, vec!["depth".into()]);
/// let settings = Simplify { min_loop: Length::Fixed(1.0), ..Simplify::default() };
/// let skeleton = simplify(&model, &settings)?.model;
/// assert_eq!(skeleton.graph()?.tips(), [0, 2]);
/// assert!(skeleton.is_skeleton());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simplify(model: &Model, settings: &Simplify) -> Result<Simplified> {
    settings.check()?;
    model.require_lines("simplify")?;
    let skeleton = model.graph()?.simplify(settings)?;
    let (min_loop, min_tip) = (skeleton.min_loop, skeleton.min_tip);
    let Simplify { drop_below, merge_chains, .. } = *settings;
    let edit = Edit::Simplify { drop_below, min_loop, min_tip, merge_chains };
    let model = model.clone().edited(skeleton.graph, &skeleton.kept, edit)?;
    Ok(Simplified { model, kept: skeleton.kept, min_loop, min_tip })
}

/// Simplifies results and writes them to another directory.
pub fn simplify_results(
    request: &RewriteRequest<'_>,
    settings: &Simplify,
    listener: &mut dyn Listener,
) -> Result<Rewritten> {
    settings.check()?;
    let before = Model::read(request.training.results)?;
    before.require_lines("midrib simplify")?;
    check_directory(&request.output, request.force)?;
    let simplified = simplify(&before, settings)?;
    let table = match (open_training_table(&request.training, &before), request.training.table) {
        (Ok(table), _) => Some(table),
        (Err(error), Some(_)) => return Err(error),
        (Err(error), None) => {
            let points = (listener.wording().setting)("points");
            listener.note(&format!("points.csv is left out ({error}); {points} names the table"));
            None
        }
    };
    let lengths = [("min_loop", simplified.min_loop), ("min_tip", simplified.min_tip)];
    for (name, value) in lengths {
        let name = (listener.wording().setting)(name);
        listener.detail(&format!("  {name:<17} {}", short(value)));
    }
    rewrite(request, &before, simplified.model, table.as_ref(), listener)
}
