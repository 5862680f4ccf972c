//! How a learned graph changes with a setting, for judging an automatic choice.

use serde::{Deserialize, Serialize};

/// A curve of graphs over one setting, with the value that the fit took.
///
/// `ppt` and `rpg` trees with automatic smoothness show how a tree on a sample changes with it; elastic
/// graphs show how they grew, node by node.
///
/// ```
/// use midrib::Silent;
/// use midrib::learn::{Given, Method, SimplePpt};
/// use midrib::synth::{Shape, Synth};
///
/// let shape = Shape::Tree { branch_points: 1 };
/// let data = Synth { shape, n: 400, dims: 2, noise: 0.05, seed: 1 }.generate()?;
/// let fitted = SimplePpt::default().fit(&data.points, Given::default(), &mut Silent)?;
/// let tuning = fitted.tuning.expect("the length penalty was left open");
/// assert_eq!(tuning.setting, "length_penalty");
/// // The stiffer a tree, the shorter it is.
/// let [first, .., last] = &tuning.curve[..] else { panic!() };
/// assert!(first.value < tuning.chosen && tuning.chosen < last.value);
/// assert!(first.length > last.length);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    /// The setting.
    pub setting: String,
    /// Its value in the fit itself.
    pub chosen: f64,
    /// How its values are spaced.
    pub scale: Scale,
    /// The largest number of points from which a graph of the curve was learned.
    pub points: usize,
    /// What the automatic choice was made from, round by round; empty if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pilot: Vec<PilotRound>,
    /// The graphs, by increasing value.
    pub curve: Vec<TuningPoint>,
}

/// How values are spaced along a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal factors.
    Logarithmic,
}

/// A round of the pilot: measures of a quick tree over a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PilotRound {
    /// The bandwidth of its soft assignment.
    pub bandwidth: f64,
    /// Its length penalty, converted to the number of nodes of the fit.
    pub length_penalty: f64,
    /// Root mean square distance of the points from the tree, per transverse dimension.
    pub noise: f64,
    /// The length of the tree without its light tips, at least that of points spread evenly along
    /// their first principal axis.
    pub length: f64,
    /// The mean squared distance of the points from the tree.
    pub mean_squared_distance: f64,
}

/// A graph along the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningPoint {
    /// The value of the setting.
    pub value: f64,
    /// The elastic energy, if the graph has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<f64>,
    /// The mean squared distance of the points from the graph; for an elastic graph from its nearest
    /// node, as in its energy.
    pub mean_squared_distance: f64,
    /// The length of the graph; for a tree without noise-only tips.
    pub length: f64,
    /// The number of tips, without those.
    pub tips: usize,
}

impl Tuning {
    /// The measures along the curve: their names, and one value per graph.
    ///
    /// ```
    /// use midrib::learn::{Scale, Tuning, TuningPoint};
    /// let graph = TuningPoint {
    ///     value: 5.0, energy: None, mean_squared_distance: 0.25, length: 3.0, tips: 2,
    /// };
    /// let tuning = Tuning {
    ///     setting: "n_nodes".into(), chosen: 5.0, scale: Scale::Linear, points: 100,
    ///     pilot: vec![], curve: vec![graph],
    /// };
    /// let names: Vec<&str> = tuning.measures().iter().map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["mean squared distance", "length", "tips"]);
    /// ```
    pub fn measures(&self) -> Vec<(&'static str, Vec<f64>)> {
        let all = |of: fn(&TuningPoint) -> f64| self.curve.iter().map(of).collect();
        let energies: Option<Vec<f64>> = self.curve.iter().map(|graph| graph.energy).collect();
        let is_elastic = energies.is_some();
        let energies = energies.map(|energies| ("energy", energies));
        let distance =
            if is_elastic { "mean squared distance from nodes" } else { "mean squared distance" };
        let others: [(&'static str, Vec<f64>); 3] = [
            (distance, all(|graph| graph.mean_squared_distance)),
            ("length", all(|graph| graph.length)),
            ("tips", all(|graph| graph.tips as f64)),
        ];
        energies.into_iter().chain(others).collect()
    }

    /// Whether all numbers of the curve are finite.
    pub fn is_finite(&self) -> bool {
        let rounds = self.pilot.iter().flat_map(|round| {
            let PilotRound { bandwidth, length_penalty, noise, .. } = *round;
            [bandwidth, length_penalty, noise, round.length, round.mean_squared_distance]
        });
        let graphs = self.curve.iter().map(|graph| graph.value);
        let measures = self.measures().into_iter().flat_map(|(_, values)| values);
        rounds.chain(graphs).chain(measures).chain([self.chosen]).all(f64::is_finite)
    }

    /// The same curve over another setting; `value` converts to it and is decreasing.
    pub(super) fn over(mut self, setting: &str, value: impl Fn(f64) -> f64) -> Self {
        self.setting = setting.into();
        self.chosen = value(self.chosen);
        self.curve.iter_mut().for_each(|graph| graph.value = value(graph.value));
        self.curve.reverse();
        self
    }
}
