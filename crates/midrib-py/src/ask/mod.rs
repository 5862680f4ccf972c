//! What one may ask of a learned graph, as data: for programs in other languages.

mod graph;
mod number;
mod places;
mod points;

use midrib::graph::Projection;
use midrib::{Observer, Points};
use serde::de::DeserializeOwned;

use graph::GraphQuestion;
use number::AnyNumber;
use places::PlacesQuestion;
use points::PointsQuestion;

use crate::answer::Answer;
use midrib_io::Model;
use midrib_tasks::Result;

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

/// The answer to a question in JSON: `"branches"`, `{"path": {"from": 0, "to": 7}}`.
pub fn ask(
    learned: &Model,
    question: &str,
    subject: Subject<'_>,
    watch: &mut dyn Observer,
) -> Result<Answer> {
    match subject {
        Subject::Graph => read::<GraphQuestion>(question)?.answer(learned),
        Subject::Places(places, numbers) => {
            read::<PlacesQuestion>(question)?.answer(learned, &places, numbers)
        }
        Subject::Points(points) => read::<PointsQuestion>(question)?.answer(learned, points, watch),
    }
}
fn read<Q: DeserializeOwned>(question: &str) -> Result<Q> {
    let shown: String = question.chars().take(60).collect();
    let refused = |error| midrib::Error::data(format!("question {shown}: {error}"));
    Ok(serde_json::from_str(question).map_err(refused)?)
}
