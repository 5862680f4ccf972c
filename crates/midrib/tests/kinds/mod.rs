//! Methods of other kinds than those in the crate, written outside of it: one that learns from
//! pairwise distances and returns an embedding without a graph, and one without an objective.

use midrib::graph::PrincipalGraph;
use midrib::learn::{Choice, End, Entry, Fit, Given, Method, Promises};
use midrib::math::Matrix;
use midrib::object::{Embedding, EmbeddingObject, EmbeddingRule, Kind, Object};
use midrib::{Blocks, Distances, Error, Observer, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Classical multidimensional scaling with one component, by power iteration.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mds {
    /// Largest number of iterations.
    max_iter: usize,
}

impl Default for Mds {
    fn default() -> Self {
        Self { max_iter: 200 }
    }
}

impl Method for Mds {
    const NAME: &'static str = "mds1";
    const CLASS: &'static str = "MDS1";
    const SUMMARY: &'static str = "one coordinate from pairwise distances";
    const CITATION: &'static str = "Gorban2009, PCA";
    const START: bool = false;
    const WEIGHTS: bool = false;
    const DISTANCES: bool = true;

    fn kind(&self) -> Kind {
        Kind::Embedding { with_graph: false }
    }

    fn promises(&self) -> Promises {
        Promises { any_row_order: false, tree: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        match self.max_iter {
            0 => Err(Error::setting("max_iter", 0, "must be at least 1")),
            _ => Ok(()),
        }
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        let rows = rows(points, 0..points.len())?;
        let mut distances = Matrix::zeros(points.len(), points.len());
        for (i, a) in rows.rows().enumerate() {
            for (to, b) in distances.row_mut(i).iter_mut().zip(rows.rows()) {
                let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
                *to = squares.sum::<f64>().sqrt();
            }
        }
        self.learn_distances(&Distances::new(distances)?, given, watch)
    }

    fn learn_distances(
        &self,
        distances: &Distances,
        _: Given<'_>,
        _: &mut dyn Observer,
    ) -> Result<Fit> {
        let gram = centered(distances);
        let mut z: Vec<f64> = (0..distances.len()).map(|i| 1.0 + i as f64).collect();
        let mut value = 0.0;
        for _ in 0..self.max_iter {
            let next: Vec<f64> =
                gram.rows().map(|row| row.iter().zip(&z).map(|(g, z)| g * z).sum()).collect();
            value = next.iter().map(|x| x * x).sum::<f64>().sqrt();
            z = next.iter().map(|x| x / value).collect();
        }
        let coordinates = z.iter().map(|x| x * value.sqrt()).collect();
        let embedding = Embedding {
            coordinates: Matrix::new(distances.len(), 1, coordinates)?,
            nodes: None,
            rule: EmbeddingRule::TrainingOnly,
        };
        Ok(Fit {
            method: Self::NAME,
            object: Object::Embedding(EmbeddingObject { embedding, graph: None }),
            trace: Vec::new(),
            iterations: self.max_iter,
            end: End::MaxIter,
            settings: json!(self),
            choices: Vec::new(),
            tuning: None,
            notes: Vec::new(),
        })
    }
}

/// Some rows of a source.
fn rows(points: &dyn Blocks, chosen: impl Iterator<Item = usize>) -> Result<Matrix> {
    let mut row = vec![0.0; points.dims()];
    let read = |i: usize| points.read(i..i + 1, &mut row).map(|()| row.clone());
    Matrix::from_rows(&chosen.map(read).collect::<Result<Vec<_>>>()?)
}

/// `−½ J D² J` with the centering matrix J.
fn centered(distances: &Distances) -> Matrix {
    let n = distances.len();
    let square = |i: usize, j: usize| distances.get(i, j) * distances.get(i, j);
    let means: Vec<f64> =
        (0..n).map(|i| (0..n).map(|j| square(i, j)).sum::<f64>() / n as f64).collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    let mut gram = Matrix::zeros(n, n);
    for i in 0..n {
        for (j, to) in gram.row_mut(i).iter_mut().enumerate() {
            *to = -0.5 * (square(i, j) - means[i] - means[j] + mean);
        }
    }
    gram
}

/// The first row of every `every` rows, as centers: nothing is minimized.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EveryRow {
    /// Distance between the chosen rows; 0 takes 10.
    every: usize,
}

impl Method for EveryRow {
    const NAME: &'static str = "every-row";
    const CLASS: &'static str = "EveryRow";
    const SUMMARY: &'static str = "some of the points";
    const CITATION: &'static str = "Gorban2009, K-means";
    const START: bool = false;

    fn kind(&self) -> Kind {
        Kind::Centers
    }

    fn promises(&self) -> Promises {
        Promises { any_row_order: false, weights_as_repeats: false, tree: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, _: &mut dyn Observer) -> Result<Fit> {
        let every = if self.every == 0 { 10 } else { self.every };
        let nodes = rows(points, (0..points.len()).step_by(every))?;
        let mass = vec![1.0; nodes.n_rows()];
        Ok(Fit {
            method: Self::NAME,
            object: Object::Centers(PrincipalGraph::new(nodes, &[], mass)?),
            trace: Vec::new(),
            iterations: 1,
            end: End::Converged,
            settings: json!(self),
            choices: vec![Choice::new("every", every, "the default")],
            tuning: None,
            notes: Vec::new(),
        })
    }
}

pub const MDS: Entry = Entry::of::<Mds>();
pub const EVERY_ROW: Entry = Entry::of::<EveryRow>();
