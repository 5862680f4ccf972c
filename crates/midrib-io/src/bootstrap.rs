//! A learnt graph learnt again from resampled points, with the settings of its fit.

use midrib::learn::method;
use midrib::tune::{Bootstrap, Replicas};
use midrib::{Observer, Points};

use crate::error::Result;
use crate::learnt::LearntGraph;
use crate::write::Support;

/// What resampling tells of a learnt graph.
#[derive(Clone, Debug)]
pub struct Bootstrapped {
    /// The support of its edges.
    pub support: Support,
    /// The standard deviation of the points' pseudotime, where the graph has a root.
    pub pseudotime_sd: Option<Vec<f64>>,
    /// The replicas that were learnt: fewer than asked for if that was stopped.
    pub replicas: Replicas,
}

impl LearntGraph {
    /// Learns the graph again from resamples of the prepared points that it was learnt from, by the
    /// same method with what was chosen then. Starting nodes, links and pairs that were given to the
    /// fit are not known any more; edits of the graph are not made to the replicas.
    ///
    /// ```
    /// use midrib::{Points, Silent, learn, tune::Bootstrap};
    /// use midrib_io::LearntGraph;
    /// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 60.0).collect();
    /// let points = Points::from_f64(x, 1)?;
    /// let settings = serde_json::json!({"n_nodes": 6});
    /// let (entry, names, given) = (learn::method("ppt")?, vec!["x".into()], Default::default());
    /// let fit = LearntGraph::learn(entry, &settings, &points, names, given, &mut Silent)?;
    /// let learnt = fit.graph;
    /// let how = Bootstrap { replicas: 5, seed: 0 };
    /// let found = learnt.bootstrap(&points, &how, &mut Silent)?;
    /// assert_eq!(found.support.edges.len(), learnt.graph.edges().len());
    /// assert!(found.pseudotime_sd.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bootstrap(
        &self,
        points: &Points<'_>,
        how: &Bootstrap,
        watch: &mut dyn Observer,
    ) -> Result<Bootstrapped> {
        let Self { model, graph, .. } = self;
        let entry = method(&model.method).map_err(|_| {
            midrib::Error::data(format!(
                "the graph was not learnt (its method is \"{}\"), so that it cannot be learnt again \
                 from resampled points",
                model.method
            ))
        })?;
        model.require_lines("bootstrap")?;
        let settings = entry.settled(&model.fit_settings(), &model.chosen)?;
        let replicas = how.learn(entry, &settings, points, watch)?;
        let projection = graph.project(points)?;
        let pseudotime_sd = match &model.root[..] {
            [] => None,
            roots => Some(replicas.pseudotime_sd(graph, roots, points, &projection)?),
        };
        let support = Support {
            replicas: replicas.graphs.len(),
            seed: how.seed,
            edges: replicas.support(graph, points, &projection)?,
        };
        Ok(Bootstrapped { support, pseudotime_sd, replicas })
    }
}
