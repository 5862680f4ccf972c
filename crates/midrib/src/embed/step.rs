//! An embedding as a step before a fit, with the default settings of its method.

use std::fmt;
use std::str::FromStr;

use super::eigenmap::{Affinity, Eigenmap, eigenmap};
use super::isomap::isomap;
use super::kernel_pca::{Kernel, KernelPca, kernel_pca};
use super::lle::lle;
use super::metric_mds::metric_mds;
use super::neighbor_graph::Pieces;
use super::rule::Rule;
use super::source::Source;
use super::{COMPONENTS, MAX_ITER, NEIGHBORS, REG, TOL};
use crate::error::{Error, Result};
use crate::points::{Cloud, Points};
use crate::suggest::nearest_word;

/// An embedding before a fit. As text `NAME` or `NAME:N`, N the number of components, 2 where it is left
/// out.
///
/// ```
/// use midrib::embed::{EmbedStep, StepName};
/// let step: EmbedStep = "eigenmap:10".parse()?;
/// assert_eq!(step, EmbedStep { name: StepName::Eigenmap, n_components: 10 });
/// assert_eq!(step.to_string(), "eigenmap:10");
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbedStep {
    /// Which embedding.
    pub name: StepName,
    /// The number of coordinates.
    pub n_components: usize,
}

/// The embeddings that can precede a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepName {
    /// Kernel principal components of a Gaussian kernel.
    KernelPca,
    /// Metric scaling.
    Mds,
    /// Isomap.
    Isomap,
    /// Locally linear embedding.
    Lle,
    /// Laplacian eigenmaps.
    Eigenmap,
}

impl StepName {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::KernelPca, Self::Mds, Self::Isomap, Self::Lle, Self::Eigenmap];

    /// The name of the method.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::KernelPca => "kernel-pca",
            Self::Mds => "mds",
            Self::Isomap => "isomap",
            Self::Lle => "lle",
            Self::Eigenmap => "eigenmap",
        }
    }
}

impl EmbedStep {
    /// Embeds points, of which those of weight 0 do not count; the rule places all of them. Other
    /// weights count in kernel PCA only.
    pub(crate) fn fit(self, points: &Points<'_>) -> Result<(Rule, Vec<String>)> {
        let n_components = self.n_components;
        let cloud = Cloud::new(points)?;
        let rows: Vec<usize> = (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect();
        let weights: Vec<f64> = rows.iter().map(|&i| points.weight(i)).collect();
        let source = Source::of_rows(&cloud, &rows)?;
        let n_neighbors = NEIGHBORS.min(rows.len().saturating_sub(1)).max(1);
        let pieces = Pieces::Largest;
        let embedded = match self.name {
            StepName::KernelPca => {
                let kernel = Kernel::Gaussian(None);
                kernel_pca(&source, KernelPca { n_components, kernel, weights: &weights })
            }
            StepName::Mds => {
                let (mut before, mut steps) = (f64::INFINITY, 0);
                metric_mds(&source, n_components, &mut |stress| {
                    let enough = steps == MAX_ITER || before - stress <= TOL;
                    (before, steps) = (stress, steps + 1);
                    enough
                })
            }
            StepName::Isomap => isomap(&source, n_components, n_neighbors, pieces),
            StepName::Lle => lle(&source, n_components, n_neighbors, REG, pieces),
            StepName::Eigenmap => eigenmap(
                &source,
                Eigenmap {
                    n_components,
                    n_neighbors,
                    affinity: Affinity::Neighbors,
                    gamma: None,
                    alpha: 0.0,
                    time: 0.0,
                    pieces,
                },
            ),
        };
        let embedded = embedded.map_err(|error| match error {
            Error::Setting { name, remedy, .. } if name == "n_components" => {
                Error::setting("embed", self, format!("{name} {n_components}: {remedy}"))
            }
            Error::Setting { name, value, remedy } => {
                Error::setting("embed", self, format!("{name} = {value}: {remedy}"))
            }
            Error::Data(reason) => Error::data(format!("embed = {self}: {reason}")),
            error => error,
        })?;
        match embedded.rule {
            Some(rule) => Ok((rule, embedded.notes)),
            None => Err(Error::data(format!("embed = {self}: there is no rule for new points"))),
        }
    }
}

impl FromStr for EmbedStep {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = |remedy: String| Err(Error::setting("embed", text, remedy));
        let (name, count) = text.split_once(':').map_or((text, None), |(n, c)| (n, Some(c)));
        let Some(found) = StepName::ALL.into_iter().find(|known| known.as_str() == name) else {
            let names = StepName::ALL.map(StepName::as_str);
            let choices = format!("give one of {}, as in eigenmap:10", names.join(", "));
            return refused(match nearest_word(name, names) {
                Some(near) => format!("unknown, did you mean \"{near}\"? Otherwise {choices}"),
                None => format!("unknown; {choices}"),
            });
        };
        match count.map(str::parse) {
            None => Ok(Self { name: found, n_components: COMPONENTS }),
            Some(Ok(n_components @ 1..)) => Ok(Self { name: found, n_components }),
            Some(_) => refused(format!("give a number of components, as in {name}:10")),
        }
    }
}

impl fmt::Display for EmbedStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name.as_str(), self.n_components)
    }
}
