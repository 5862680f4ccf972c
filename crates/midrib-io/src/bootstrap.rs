//! A graph learned again from resampled points, with the settings of its fit.

use midrib::learn::method;
use midrib::tune::{Bootstrap, Replicas};
use midrib::{Observer, Points};

use crate::error::Result;
use crate::model::{Model, Support};

/// What resampling shows about a graph.
#[derive(Clone, Debug)]
pub struct Bootstrapped {
    /// The support of its edges.
    pub support: Support,
    /// The standard deviation of the points' pseudotime, where the graph has a root.
    pub pseudotime_sd: Option<Vec<f64>>,
    /// The replicas that were learned: fewer than asked for if that was stopped.
    pub replicas: Replicas,
}

impl Model {
    /// Learns the graph again from resamples of the prepared points that it was learned from, by the
    /// same method with what was chosen and given then. Edits of the graph are not made to the
    /// replicas.
    ///
    /// ```
    /// use midrib::{Points, Silent, learn, tune::Bootstrap};
    /// use midrib_io::Model;
    /// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 60.0).collect();
    /// let points = Points::from_f64(x, 1)?;
    /// let settings = serde_json::json!({"n_nodes": 6});
    /// let (entry, names, given) = (learn::method("ppt")?, vec!["x".into()], Default::default());
    /// let learned = Model::learn(entry, &settings, &points, names, given, &mut Silent)?.model;
    /// let how = Bootstrap { replicas: 5, seed: 0 };
    /// let found = learned.bootstrap(&points, &how, &mut Silent)?;
    /// assert_eq!(found.support.edges.len(), learned.graph()?.edges().len());
    /// assert!(found.pseudotime_sd.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bootstrap(
        &self,
        points: &Points<'_>,
        how: &Bootstrap,
        watch: &mut dyn Observer,
    ) -> Result<Bootstrapped> {
        let graph = self.graph()?;
        let entry = method(&self.method).map_err(|_| {
            midrib::Error::data(format!(
                "the graph was not learned (its method is \"{}\"), so it cannot be learned again \
                 from resampled points",
                self.method
            ))
        })?;
        self.require_lines("bootstrap")?;
        let settings = entry.settled(&self.settings, &self.chosen)?;
        let given = self.given.borrow();
        let replicas = how.learn(entry, &settings, points, given, watch)?;
        let projection = graph.project(points)?;
        let pseudotime_sd = match &self.root[..] {
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
