//! What a fit returns, whatever the method.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::choices::ComponentCount;
use super::elastic_map::Surface;
use super::tuning::Tuning;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::Matrix;
use crate::place::Springs;
use crate::points::Points;

/// Why a fit stopped. Not converged is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The objective fell by less than the tolerance.
    Converged,
    /// `max_iter` sweeps were done.
    MaxIter,
    /// The objective rose, which only rounding can do: the nodes before that are kept.
    Stalled,
    /// A ceiling on the graph left no change to make before it had all its nodes.
    Ceiling,
    /// The observer asked for a stop: this is the best so far.
    Interrupted,
}

impl End {
    /// The word that stands for it in model.json.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::MaxIter => "max_iter",
            Self::Stalled => "stalled",
            Self::Ceiling => "ceiling",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A value that midrib chose, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The setting to give for another value.
    pub setting: &'static str,
    /// What was chosen.
    pub value: Value,
    /// How it was found, in words.
    pub reason: String,
}

/// A number to be told, to four digits.
pub(super) fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

impl Choice {
    /// The number of latent dimensions, where it was left open or told by a share.
    pub(super) fn of_components(wanted: ComponentCount, found: usize) -> Option<Self> {
        let reason = match wanted {
            ComponentCount::Auto => "latent dimensions of the embedding".into(),
            ComponentCount::Share(share) => {
                format!("principal components that hold {share} of the variance")
            }
            ComponentCount::Exactly(_) => return None,
        };
        Some(Self { setting: "n_components", value: json!(found), reason })
    }
}

/// Points and nodes in fewer dimensions, which a method learnt together with the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Latent {
    /// Subtracted from a point before it is projected (D).
    pub center: Vec<f64>,
    /// The directions projected on: orthonormal columns (D×d).
    pub basis: Matrix,
    /// The learnt places of the points, in the order of their rows (N×d).
    pub embedding: Matrix,
    /// The places of the nodes (K×d).
    pub nodes: Matrix,
}

impl Latent {
    /// The plain projection of points, (x − center) · basis. The points that it was learnt from
    /// have their own places in `embedding`, which the graph has drawn to itself.
    pub fn project(&self, points: &Points<'_>) -> Result<Matrix> {
        points.require_complete("a projection")?;
        let dims = self.center.len();
        if points.dims() != dims {
            return Err(Error::shape("points", format!("{dims} columns"), points.dims()));
        }
        let mut projected = Matrix::zeros(points.len(), self.basis.n_cols());
        let mut x = vec![0.0; dims];
        for i in 0..points.len() {
            points.copy_row(i, &mut x);
            let z = projected.row_mut(i);
            for ((x, center), axes) in x.iter().zip(&self.center).zip(self.basis.rows()) {
                for (z, axis) in z.iter_mut().zip(axes) {
                    *z += (x - center) * axis;
                }
            }
        }
        Ok(projected)
    }
}

/// A learnt principal graph and how it was learnt.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The method's name.
    pub method: &'static str,
    /// The graph, in the coordinates of the points.
    pub graph: PrincipalGraph,
    /// The objective at the initial nodes and after each sweep, before any tips are tidied; from
    /// the first sweep on where there is none at the start.
    pub trace: Vec<f64>,
    /// Why the fit stopped.
    pub end: End,
    /// The settings as they were given, defaults filled in.
    pub settings: Value,
    /// Points and nodes in fewer dimensions, where the method learns such places.
    pub latent: Option<Latent>,
    /// The springs that hold the graph, where some were given moduli of their own; elsewhere they
    /// follow from the settings.
    pub own_springs: Option<Springs>,
    /// What was chosen automatically.
    pub choices: Vec<Choice>,
    /// How the graph changes with the setting that shapes it most, where that was looked at.
    pub tuning: Option<Tuning>,
    /// What else the reader of the result should know, in sentences.
    pub notes: Vec<String>,
}

impl Fitted {
    /// The objective after the last sweep.
    pub fn objective(&self) -> f64 {
        self.trace.last().copied().unwrap_or(f64::NAN)
    }

    /// The surface that the graph is the net of; none where it is no net.
    pub fn surface(&self) -> Result<Option<Surface>> {
        let entry = super::registry::method(self.method)?;
        entry.surface(&self.settings, &self.chosen(), &self.graph)
    }

    /// The springs that hold the graph; none where it is not elastic.
    pub fn springs(&self) -> Result<Option<Springs>> {
        if self.own_springs.is_some() {
            return Ok(self.own_springs.clone());
        }
        let entry = super::registry::method(self.method)?;
        entry.springs(&self.settings, &self.chosen(), &self.graph)
    }

    /// What was chosen automatically, by the name of the setting.
    pub fn chosen(&self) -> Map<String, Value> {
        let choices = self.choices.iter();
        choices.map(|choice| (choice.setting.to_owned(), choice.value.clone())).collect()
    }

    /// The number of sweeps.
    pub fn n_iter(&self) -> usize {
        let untraced = super::registry::method(self.method).map_or(0, |entry| entry.untraced);
        (self.trace.len() + untraced).saturating_sub(1)
    }
}
