//! From points in memory to a learned graph.

use midrib::graph::Projection;
use midrib::learn::{Choice, Entry, Given};
use midrib::{Observer, Points};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::Result;
use crate::model::{Input, Model, OwnedGiven};

/// The result of a fit of points in memory.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// The model, with what was measured of it.
    pub model: Model,
    /// The projection of the points onto it.
    pub projection: Projection,
    /// What was left open, and how it was chosen.
    pub choices: Vec<Choice>,
}

impl Model {
    /// Learns an object from points in memory, whose columns have the names `features`.
    ///
    /// ```
    /// use midrib::{Points, Silent, learn};
    /// use midrib_io::Model;
    /// let points = Points::from_f64(vec![0.0, 0.1, 0.9, 1.0], 1)?;
    /// let settings = serde_json::json!({"n_nodes": 3, "bandwidth": 0.01});
    /// let (entry, given) = (learn::method("ppt")?, Default::default());
    /// let names = vec!["depth".into()];
    /// let learned = Model::learn(entry, &settings, &points, names, given, &mut Silent)?;
    /// assert_eq!(learned.model.feature_names(), ["depth"]);
    /// assert_eq!(learned.projection.node.len(), 4);
    /// assert!(learned.model.explained > Some(0.9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn learn(
        entry: &Entry,
        settings: &Value,
        points: &Points<'_>,
        features: Vec<String>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<FitResult> {
        let fit = entry.fit(settings, points, given, watch)?;
        let projection = fit.object.project(points)?;
        let distance = fit.object.mean_squared_distance(points)?;
        let input = Input {
            file: "an array".into(),
            rows: points.len(),
            columns: points.dims(),
            features,
            prepare: None,
        };
        let mut model = Self::new(&fit, &fit.choices, input).measured(distance, points)?;
        model.given = OwnedGiven::from(given);
        Ok(FitResult { model, projection, choices: fit.choices })
    }
}

impl From<FitResult> for Answer {
    /// The graph, the places of the points, and as JSON what was chosen.
    fn from(fit: FitResult) -> Self {
        let FitResult { model, projection, choices } = fit;
        Self::record([
            ("projection", Self::places(model.object.graph(), projection)),
            ("graph", model.into()),
            ("choices", json!(choices).to_string().into()),
        ])
    }
}
