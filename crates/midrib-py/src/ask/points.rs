//! Questions about points and a graph.

use midrib::graph::TipRule;
use midrib::math::Matrix;
use midrib::tune::{Bootstrap, Counts};
use midrib::{Observer, Points};
use serde::Deserialize;

use super::AnyNumber;
use crate::answer::Answer;
use midrib_io::Model;
use midrib_tasks::Result;
use midrib_tasks::{Pruned, prepare_like, prune};

/// What may be asked of points and a graph.
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
        learned: &Model,
        points: Points<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Answer> {
        let points = &prepare_like(learned, points)?;
        Ok(match *self {
            Self::Prepared => learned.input.prepare.as_ref().map(|_| table(points)).into(),
            Self::Project => {
                Answer::places(learned.object.graph(), learned.object.project(points)?)
            }
            Self::Embed => learned.object.embed(points)?.into(),
            Self::OnMap => on_map(learned, points)?,
            Self::MeanSquaredDistance => learned.object.mean_squared_distance(points)?.into(),
            Self::Responsibilities => responsibilities(learned, points)?,
            Self::Prune { min_share, min_length, min_support } => {
                let (AnyNumber(min_share), AnyNumber(min_length)) = (min_share, min_length);
                let (min_support, support) = (min_support.0, None);
                let rule = TipRule { min_share, min_length, min_support, support };
                let Pruned { model: pruned, kept, .. } = prune(learned, &rule, points)?;
                Answer::record([("graph", pruned.into()), ("kept", kept.into())])
            }
            Self::Bootstrap { replicas, seed } => {
                bootstrap(learned, points, &Bootstrap { replicas, seed }, watch)?
            }
        })
    }
}

fn table(points: &Points<'_>) -> Matrix {
    let mut values = Matrix::zeros(points.len(), points.dims());
    (0..points.len()).for_each(|i| points.copy_row(i, values.row_mut(i)));
    values
}

fn on_map(learned: &Model, points: &Points<'_>) -> Result<Answer> {
    let found = learned.object.inner(points)?.map(|found| {
        Answer::record([("places", found.coordinates.into()), ("distance", found.distance.into())])
    });
    Ok(found.into())
}

fn responsibilities(learned: &Model, points: &Points<'_>) -> Result<Answer> {
    let found = midrib_tasks::responsibilities(learned, points)?;
    let nodes = found.nodes.into_iter().map(i64::from).collect();
    Ok(Answer::record([
        ("starts", found.starts.into()),
        ("nodes", Answer::Indices(nodes)),
        ("shares", found.shares.into()),
    ]))
}

fn bootstrap(
    learned: &Model,
    points: &Points<'_>,
    how: &Bootstrap,
    watch: &mut dyn Observer,
) -> Result<Answer> {
    let found = midrib_tasks::bootstrap(learned, points, how, watch)?;
    let mut supported = learned.clone();
    supported.support = Some(found.support);
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
