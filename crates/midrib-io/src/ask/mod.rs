//! What one may ask of a learned graph, as data: for programs in other languages.

mod graph;
mod number;
mod places;
mod points;

use midrib::graph::Projection;
use midrib::{Observer, Points};
use serde::de::DeserializeOwned;

pub use graph::GraphQuestion;
pub use number::AnyNumber;
pub use places::PlacesQuestion;
pub use points::PointsQuestion;

use crate::answer::Answer;
use crate::error::Result;
use crate::model::Model;

/// What a question is about.
#[derive(Clone, Debug)]
pub enum Subject<'a> {
    /// The graph alone; it is asked a [`GraphQuestion`].
    Graph,
    /// Places on it, and one number for each where such are looked at: a [`PlacesQuestion`].
    Places(Projection, Option<&'a [f64]>),
    /// Points as they were measured: a [`PointsQuestion`].
    Points(Points<'a>),
}

impl Model {
    /// The answer to a question in JSON: `"branches"`, `{"path": {"from": 0, "to": 7}}`.
    ///
    /// ```
    /// use midrib::{Points, Silent, graph::PrincipalGraph, math::Matrix};
    /// use midrib_io::{Answer, Model, Subject};
    /// let nodes = Matrix::from_rows(&[[0.0], [5.0], [1.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 2, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let learned = Model::of_graph("given", graph, vec!["depth".into()]);
    ///
    /// let path = r#"{"path": {"from": 0, "to": 1}}"#;
    /// let path = learned.ask(path, Subject::Graph, &mut Silent)?;
    /// assert!(matches!(path.get("length"), Some(Answer::Number(5.0))));
    /// let points = Subject::Points(Points::from_f64(vec![7.0], 1)?);
    /// let distance = learned.ask(r#""mean_squared_distance""#, points, &mut Silent)?;
    /// assert!(matches!(distance, Answer::Number(4.0)));
    /// let error = learned.ask(r#""way""#, Subject::Graph, &mut Silent).unwrap_err().to_string();
    /// assert!(error.starts_with(r#"question "way": unknown variant `way`, expected one of"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask(
        &self,
        question: &str,
        subject: Subject<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Answer> {
        match subject {
            Subject::Graph => read::<GraphQuestion>(question)?.answer(self),
            Subject::Places(places, numbers) => {
                read::<PlacesQuestion>(question)?.answer(self, &places, numbers)
            }
            Subject::Points(points) => {
                read::<PointsQuestion>(question)?.answer(self, points, watch)
            }
        }
    }
}

fn read<Q: DeserializeOwned>(question: &str) -> Result<Q> {
    let shown: String = question.chars().take(60).collect();
    let refused = |error| midrib::Error::data(format!("question {shown}: {error}"));
    Ok(serde_json::from_str(question).map_err(refused)?)
}

#[cfg(test)]
mod tests;
