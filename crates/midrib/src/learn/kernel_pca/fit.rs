//! From points or distances to the embedding.

use super::settings::{KernelName, KernelPca};
use crate::distances::Distances;
use crate::embed::{self, Kernel, Source};
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::embedded::{self, Learned, Named};
use crate::learn::method::{Method, to_value};
use crate::learn::result::Fit;
use crate::observe::Observer;
use crate::points::Points;

/// Embeds points.
pub(super) fn of_points(
    settings: &KernelPca,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_points(named(settings), true, points, |source, weights| {
        learn(settings, source, weights, watch)
    })
}

/// Embeds distances.
pub(super) fn of_distances(
    settings: &KernelPca,
    distances: &Distances,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_distances(named(settings), distances, |source, weights| {
        learn(settings, source, weights, watch)
    })
}

fn named(settings: &KernelPca) -> Named {
    Named { method: KernelPca::NAME, settings: to_value(settings) }
}

fn learn(
    settings: &KernelPca,
    source: &Source<'_>,
    weights: &[f64],
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let kernel = match (settings.kernel_function, settings.gamma) {
        (KernelName::Linear, _) => Kernel::Linear,
        (KernelName::Gaussian, AutoOr::Auto) => Kernel::Gaussian(None),
        (KernelName::Gaussian, AutoOr::Fixed(gamma)) => Kernel::Gaussian(Some(gamma)),
    };
    let settings = embed::KernelPca { n_components: settings.n_components, kernel, weights };
    Learned::at_once(watch, Vec::new(), || embed::kernel_pca(source, settings))
}
