//! From points in memory to a learnt graph.

use midrib::graph::Projection;
use midrib::learn::{Choice, Entry, Given};
use midrib::{Observer, Points};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::Result;
use crate::learnt::LearntGraph;
use crate::read::Reading;
use crate::write::{Input, Model};

/// What a fit of points in memory leaves behind.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The graph, and what was measured of it.
    pub graph: LearntGraph,
    /// The places of the points on it.
    pub projection: Projection,
    /// What was left open, and how it was chosen.
    pub choices: Vec<Choice>,
}

impl LearntGraph {
    /// Learns a graph from points in memory, whose columns have the names `features`.
    ///
    /// ```
    /// use midrib::{Points, Silent, learn};
    /// use midrib_io::LearntGraph;
    /// let points = Points::from_f64(vec![0.0, 0.1, 0.9, 1.0], 1)?;
    /// let settings = serde_json::json!({"n_nodes": 3, "bandwidth": 0.01});
    /// let (entry, given) = (learn::method("ppt")?, Default::default());
    /// let names = vec!["depth".into()];
    /// let learnt = LearntGraph::learn(entry, &settings, &points, names, given, &mut Silent)?;
    /// assert_eq!(learnt.graph.feature_names(), ["depth"]);
    /// assert_eq!(learnt.projection.node.len(), 4);
    /// assert!(learnt.graph.model.explained > Some(0.9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(
        entry: &Entry,
        settings: &Value,
        points: &Points<'_>,
        features: Vec<String>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Learnt> {
        let fitted = entry.fit(settings, points, given, watch)?;
        let projection = fitted.graph.project(points)?;
        let away = match fitted.surface()? {
            Some(surface) => surface.project(points)?.mean_squared_distance(points)?,
            None => projection.mean_squared_distance(points)?,
        };
        let input = Input {
            file: "an array".into(),
            rows: points.len(),
            columns: points.dims(),
            features,
            prepare: json!({}),
            reading: Reading::default(),
        };
        let model = Model::new(&fitted, &fitted.choices, input).measured(&fitted, away, points)?;
        let graph = Self::of(model, "the model".as_ref())?;
        Ok(Learnt { graph, projection, choices: fitted.choices })
    }
}

impl From<Learnt> for Answer {
    /// The graph, the places of the points, and as JSON what was chosen.
    fn from(learnt: Learnt) -> Self {
        let Learnt { graph, projection, choices } = learnt;
        Self::record([
            ("projection", Self::places(&graph.graph, projection)),
            ("graph", graph.into()),
            ("choices", json!(choices).to_string().into()),
        ])
    }
}
