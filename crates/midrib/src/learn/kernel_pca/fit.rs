//! From what is known about the points to their coordinates.

use super::settings::{KernelName, KernelPca};
use crate::embed::{self, Kernel, Source};
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::embedded::Learned;
use crate::observe::Observer;

/// Embeds what `source` describes.
pub(super) fn fit(
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
