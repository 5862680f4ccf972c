//! Learning an object from prepared points.

use midrib::graph::Projection;
use midrib::learn::{Choice, Configured, End, with_remedy};
use midrib::measure::{Criteria, criteria_at};
use midrib::object::{Located, Object};
use midrib::{Blocks, Observer, Points};
use midrib_io::{Input, Model, OwnedGiven};

use crate::error::Result;
use crate::shortcuts::note_shortcuts;

/// What a fit needs.
#[derive(Clone)]
pub struct FitRequest<'a> {
    /// The method with its settings.
    pub method: &'a dyn Configured,
    /// The prepared points: in memory, or a source that is read chunk by chunk.
    pub points: &'a dyn Blocks,
    /// What they were made from.
    pub input: Input,
    /// What the fit is given beside points and settings.
    pub given: OwnedGiven,
    /// What was chosen while the points were prepared.
    pub choices: Vec<Choice>,
}

impl<'a> FitRequest<'a> {
    /// A fit of points whose columns have the names `features`.
    pub fn new(method: &'a dyn Configured, points: &'a dyn Blocks, features: Vec<String>) -> Self {
        let file = match points.in_memory() {
            Some(_) => "an array".into(),
            None => points.name().into_owned(),
        };
        let input =
            Input { file, rows: points.len(), columns: points.dims(), features, prepare: None };
        Self { method, points, input, given: OwnedGiven::default(), choices: Vec::new() }
    }
}

/// What was learned, and where the points are on it.
#[derive(Clone, Debug)]
pub struct FitResult {
    /// The model, with what was measured of it.
    pub model: Model,
    /// Where the points are on it.
    pub located: Located,
    /// What was left open, and how it was chosen.
    pub choices: Vec<Choice>,
    /// Why the fit ended.
    pub end: End,
}

impl FitResult {
    /// The projections of the points; refused where there is nothing to project onto.
    pub fn projection(&self) -> Result<&Projection> {
        let found = self.located.projection.as_ref();
        found.ok_or_else(|| self.model.object.no_projection().into())
    }

    /// How well the object represents its points; labels are classes.
    pub fn criteria(&self, points: &Points<'_>, labels: Option<&[String]>) -> Result<Criteria> {
        let squared = self.located.mean_squared_distance(points)?;
        Ok(criteria_at(&self.model.object, points, labels, squared)?)
    }
}

/// Learns an object and projects the points onto it, if it has anything to project onto.
///
/// ```
/// use midrib::{Points, Silent, learn};
/// use midrib_tasks::{FitRequest, fit};
/// let points = Points::from_f64(vec![0.0, 0.1, 0.9, 1.0], 1)?;
/// let settings = serde_json::json!({"n_nodes": 3, "bandwidth": 0.01});
/// let method = learn::method("ppt")?.parse(&settings)?;
/// let request = FitRequest::new(&*method, &points, vec!["depth".into()]);
/// let learned = fit(request, &mut Silent)?;
/// assert_eq!(learned.model.feature_names(), ["depth"]);
/// assert_eq!(learned.located.projection.map(|on| on.node.len()), Some(4));
/// assert!(learned.model.explained > Some(0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(request: FitRequest<'_>, watch: &mut dyn Observer) -> Result<FitResult> {
    let FitRequest { method, points, input, given, choices } = request;
    let mut fit = method.fit(points, given.borrow(), watch).map_err(with_remedy)?;
    let located = fit.object.locate(points)?;
    let choices = [choices, std::mem::take(&mut fit.choices)].concat();
    let end = fit.end;
    let mut model = Model::new(fit, &choices, input).measured(points, &located)?;
    model.given = given;
    if let (Some(points), Object::Graph(graph), Some(on)) =
        (points.in_memory(), &model.object, &located.projection)
    {
        model.notes.extend(note_shortcuts(&graph.graph, points, on));
    }
    Ok(FitResult { model, located, choices, end })
}
