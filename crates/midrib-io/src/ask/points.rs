//! Questions about points and a graph.

use midrib::graph::TipRule;
use midrib::math::Matrix;
use midrib::tune::{Bootstrap, Counts};
use midrib::{Observer, Points};
use serde::Deserialize;

use super::AnyNumber;
use crate::answer::Answer;
use crate::error::Result;
use crate::learnt::LearntGraph;

/// What may be asked of points and a graph.
///
/// ```
/// use midrib::{Points, Silent, graph::PrincipalGraph, math::Matrix};
/// use midrib_io::{Answer, LearntGraph, Model, PointsQuestion};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let model = Model::of_graph("given", &graph, vec!["x".into(), "y".into()]);
/// let learnt = LearntGraph::of(model, "model.json".as_ref())?;
///
/// let points = || Points::from_f64(vec![0.5, 2.0], 2);
/// let question: PointsQuestion = serde_json::from_str(r#""mean_squared_distance""#)?;
/// let answer = question.answer(&learnt, points()?, &mut Silent)?;
/// assert!(matches!(answer, Answer::Number(4.0)));
/// let places = PointsQuestion::Project.answer(&learnt, points()?, &mut Silent)?;
/// assert!(matches!(places.get("edge_pos"), Some(Answer::Floats(at)) if *at == [0.5]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PointsQuestion {
    /// The points as the graph knows them; nothing where they are so already.
    Prepared,
    /// Their nearest places, see [`Answer::places`].
    Project,
    /// Their places in the embedding or on the map; nothing where there is neither.
    Embed,
    /// Their `places` on the map and their `distance` from it; nothing where there is none.
    OnMap,
    /// Their mean squared distance from the graph or map.
    MeanSquaredDistance,
    /// Their shares in the nodes, as a sparse table: `starts`, `nodes`, `shares`.
    Responsibilities,
    /// The `graph` without weak and empty branches, and the nodes that are `kept`, see [`TipRule`].
    Prune {
        /// The least share of the points on a branch.
        min_share: AnyNumber,
        /// Its least length.
        min_length: AnyNumber,
        /// Its least support.
        min_support: AnyNumber,
    },
    /// The `graph` with its support by resampling, `pseudotime_sd` if it has a root, and of each
    /// replica the number of `tips`, `branch_points`, `loops` and `components`.
    Bootstrap {
        /// How many replicas.
        replicas: usize,
        /// The seed of the random numbers.
        seed: u64,
    },
}

impl PointsQuestion {
    /// The answer for points as they were measured.
    pub fn answer(
        &self,
        learnt: &LearntGraph,
        points: Points<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Answer> {
        let points = &learnt.prepared(points)?;
        Ok(match *self {
            Self::Prepared => learnt.transform.as_ref().map(|_| table(points)).into(),
            Self::Project => Answer::places(&learnt.graph, learnt.graph.project(points)?),
            Self::Embed => learnt.embed(points)?.into(),
            Self::OnMap => on_map(learnt, points)?,
            Self::MeanSquaredDistance => learnt.mean_squared_distance(points)?.into(),
            Self::Responsibilities => responsibilities(learnt, points)?,
            Self::Prune { min_share, min_length, min_support } => {
                let (AnyNumber(min_share), AnyNumber(min_length)) = (min_share, min_length);
                let (min_support, support) = (min_support.0, None);
                let rule = TipRule { min_share, min_length, min_support, support };
                let (pruned, kept) = learnt.prune(&rule, points)?;
                Answer::record([("graph", pruned.into()), ("kept", kept.into())])
            }
            Self::Bootstrap { replicas, seed } => {
                bootstrap(learnt, points, &Bootstrap { replicas, seed }, watch)?
            }
        })
    }
}

fn table(points: &Points<'_>) -> Matrix {
    let mut values = Matrix::zeros(points.len(), points.dims());
    (0..points.len()).for_each(|i| points.copy_row(i, values.row_mut(i)));
    values
}

fn on_map(learnt: &LearntGraph, points: &Points<'_>) -> Result<Answer> {
    let found = learnt.on_map(points)?.map(|found| {
        Answer::record([("places", found.inner.into()), ("distance", found.distance.into())])
    });
    Ok(found.into())
}

fn responsibilities(learnt: &LearntGraph, points: &Points<'_>) -> Result<Answer> {
    let found = learnt.responsibilities(points)?;
    let nodes = found.nodes.into_iter().map(i64::from).collect();
    Ok(Answer::record([
        ("starts", found.starts.into()),
        ("nodes", Answer::Indices(nodes)),
        ("shares", found.shares.into()),
    ]))
}

fn bootstrap(
    learnt: &LearntGraph,
    points: &Points<'_>,
    how: &Bootstrap,
    watch: &mut dyn Observer,
) -> Result<Answer> {
    let found = learnt.bootstrap(points, how, watch)?;
    let mut supported = learnt.clone();
    supported.model.support = Some(found.support);
    let count = |of: fn(&Counts) -> usize| -> Answer {
        found.replicas.counts.iter().map(of).collect::<Vec<_>>().into()
    };
    Ok(Answer::record([
        ("graph", supported.into()),
        ("pseudotime_sd", found.pseudotime_sd.into()),
        ("tips", count(|replica| replica.tips)),
        ("branch_points", count(|replica| replica.branch_points)),
        ("loops", count(|replica| replica.loops)),
        ("components", count(|replica| replica.components)),
    ]))
}
