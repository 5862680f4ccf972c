//! A graph learned again from resampled points, with the settings of its fit.

use midrib::learn::method;
use midrib::tune::{Bootstrap, Replicas};
use midrib::{Observer, Points};
use midrib_io::{Model, Support};

use crate::error::{Error, Result};

/// What resampling shows about a graph.
#[derive(Clone, Debug)]
pub struct BootstrapResult {
    /// The support of its edges.
    pub support: Support,
    /// The standard deviation of the points' pseudotime, where the graph has a root.
    pub pseudotime_sd: Option<Vec<f64>>,
    /// The replicas that were learned: fewer than requested if the work was stopped.
    pub replicas: Replicas,
}

/// Learns the graph again from resamples of the prepared points that it was learned from, by the
/// same method with what was chosen and given then. Edits of the graph are not made to the replicas.
///
/// ```
/// use midrib::{Points, Silent, learn, tune::Bootstrap};
/// use midrib_tasks::{FitRequest, bootstrap, fit};
/// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 60.0).collect();
/// let points = Points::from_f64(x, 1)?;
/// let settings = serde_json::json!({"n_nodes": 6});
/// let request = FitRequest::new(learn::method("ppt")?, &settings, &points, vec!["x".into()]);
/// let model = fit(request, &mut Silent)?.model;
/// let settings = Bootstrap { replicas: 5, seed: 0 };
/// let found = bootstrap(&model, &points, &settings, &mut Silent)?;
/// assert_eq!(found.support.edges.len(), model.graph()?.edges().len());
/// assert!(found.pseudotime_sd.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bootstrap(
    model: &Model,
    points: &Points<'_>,
    settings: &Bootstrap,
    watch: &mut dyn Observer,
) -> Result<BootstrapResult> {
    let graph = model.graph()?;
    let entry = method(&model.method).map_err(|_| {
        Error::data(format!(
            "the graph was not learned (its method is \"{}\"), so it cannot be learned again from \
             resampled points",
            model.method
        ))
    })?;
    model.require_lines("bootstrap")?;
    let of_fit = entry.settled(&model.settings, &model.chosen)?;
    let replicas = settings.learn(entry, &of_fit, points, model.given.borrow(), watch)?;
    let projection = graph.project(points)?;
    let pseudotime_sd = match &model.root[..] {
        [] => None,
        roots => Some(replicas.pseudotime_sd(graph, roots, points, &projection)?),
    };
    let support = Support {
        replicas: replicas.graphs.len(),
        seed: settings.seed,
        edges: replicas.support(graph, points, &projection)?,
    };
    Ok(BootstrapResult { support, pseudotime_sd, replicas })
}
