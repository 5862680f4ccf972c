//! Answers that any language can take over: single values, columns and tables of them, by name.

use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use midrib_io::Model;
use midrib_tasks::FitResult;
use serde_json::json;

/// What a question is answered with.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is none.
    Nothing,
    /// Yes or no.
    Flag(bool),
    /// How many, or the number of a node.
    Count(usize),
    /// A length, a share, a mean.
    Number(f64),
    /// Words, or JSON.
    Text(String),
    /// A column of yes and no.
    Flags(Vec<bool>),
    /// A column of whole numbers: counts, or nodes, edges and points by number, −1 for none.
    Indices(Vec<i64>),
    /// Two columns of such numbers.
    Pairs(Vec<[i64; 2]>),
    /// A column of numbers.
    Floats(Vec<f64>),
    /// Columns of numbers.
    Table(Matrix),
    /// Another graph.
    Graph(Box<Model>),
    /// Answers in a row.
    List(Vec<Self>),
    /// Answers by name.
    Record(Vec<(&'static str, Self)>),
}

impl Answer {
    /// Answers by name.
    pub fn record(fields: impl IntoIterator<Item = (&'static str, Self)>) -> Self {
        Self::Record(fields.into_iter().collect())
    }

    /// Places on a graph, with the branch and the component of each.
    pub fn places(graph: Option<&PrincipalGraph>, projection: Projection) -> Self {
        let branch =
            graph.map_or_else(|| projection.node.clone(), |graph| projection.branch(graph));
        let component =
            graph.map_or_else(|| projection.node.clone(), |graph| projection.component(graph));
        let Projection { node, edge, edge_pos, distance } = projection;
        Self::record([
            ("node", node.into()),
            ("edge", edge.into()),
            ("edge_pos", edge_pos.into()),
            ("distance", distance.into()),
            ("branch", branch.into()),
            ("component", component.into()),
        ])
    }
}

impl From<bool> for Answer {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<usize> for Answer {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Answer {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<bool>> for Answer {
    fn from(flags: Vec<bool>) -> Self {
        Self::Flags(flags)
    }
}

impl From<Vec<usize>> for Answer {
    fn from(numbers: Vec<usize>) -> Self {
        Self::Indices(numbers.into_iter().map(|i| i as i64).collect())
    }
}

impl From<Vec<Option<usize>>> for Answer {
    fn from(numbers: Vec<Option<usize>>) -> Self {
        Self::Indices(numbers.into_iter().map(|i| i.map_or(-1, |i| i as i64)).collect())
    }
}

impl From<Vec<(usize, usize)>> for Answer {
    fn from(pairs: Vec<(usize, usize)>) -> Self {
        Self::Pairs(pairs.into_iter().map(|(a, b)| [a as i64, b as i64]).collect())
    }
}

impl From<Vec<f64>> for Answer {
    fn from(numbers: Vec<f64>) -> Self {
        Self::Floats(numbers)
    }
}

impl From<Matrix> for Answer {
    fn from(table: Matrix) -> Self {
        Self::Table(table)
    }
}

impl From<Model> for Answer {
    fn from(graph: Model) -> Self {
        Self::Graph(Box::new(graph))
    }
}

impl<T: Into<Self>> From<Option<T>> for Answer {
    fn from(answer: Option<T>) -> Self {
        answer.map_or(Self::Nothing, Into::into)
    }
}

impl From<FitResult> for Answer {
    /// The graph, the places of the points, and as JSON what was chosen.
    fn from(fit: FitResult) -> Self {
        let FitResult { model, projection, choices, .. } = fit;
        Self::record([
            ("projection", Self::places(model.object.graph(), projection)),
            ("graph", model.into()),
            ("choices", json!(choices).to_string().into()),
        ])
    }
}
