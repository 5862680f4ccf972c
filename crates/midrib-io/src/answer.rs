//! Answers that any language can take over: single values, columns and tables of them, by name.

use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;

use crate::model::Model;

/// What a question is answered with.
///
/// ```
/// use midrib_io::Answer;
/// let answer = Answer::record([("nodes", vec![4_usize, 7].into()), ("length", 1.5.into())]);
/// assert!(matches!(answer.get("nodes"), Some(Answer::Indices(nodes)) if *nodes == [4, 7]));
/// assert!(matches!(answer.get("length"), Some(Answer::Number(1.5))));
/// assert!(answer.get("edges").is_none());
/// assert!(matches!(Answer::from(None::<f64>), Answer::Nothing));
/// ```
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

    /// The answer of that name, where there are some by name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Record(fields) = self else { return None };
        fields.iter().find(|(known, _)| *known == name).map(|(_, answer)| answer)
    }

    /// Places on a graph, with the branch and the component of each.
    ///
    /// ```
    /// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
    /// use midrib_io::Answer;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 3])?;
    /// let projection = graph.project(&Points::from_f64(vec![0.25, 8.0], 1)?)?;
    /// let places = Answer::places(Some(&graph), projection);
    /// assert!(matches!(places.get("edge"), Some(Answer::Indices(edge)) if *edge == [0, -1]));
    /// assert!(matches!(places.get("edge_pos"), Some(Answer::Floats(at)) if at[0] == 0.25));
    /// # Ok::<(), midrib::Error>(())
    /// ```
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
