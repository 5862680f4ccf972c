//! From what is known about the points to their coordinates.

use super::settings::{Algorithm, Mds};
use crate::embed::{Kernel, KernelPca, Source, kernel_pca, metric_mds};
use crate::error::Result;
use crate::learn::descent::Descent;
use crate::learn::embedded::Learned;
use crate::learn::result::End;
use crate::observe::Observer;

/// Embeds what `source` describes.
pub(super) fn fit(
    settings: &Mds,
    source: &Source<'_>,
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let n_components = settings.n_components;
    if settings.algorithm == Algorithm::Classical {
        let weights = vec![1.0; source.len()];
        let classical = KernelPca { n_components, kernel: Kernel::Linear, weights: &weights };
        return Learned::at_once(watch, Vec::new(), || kernel_pca(source, classical));
    }
    let mut descent: Option<Descent> = None;
    let mut end = End::MaxIter;
    let embedded = metric_mds(source, n_components, &mut |stress| {
        let stop = match &mut descent {
            Some(descent) => descent.push(stress, watch),
            none => none.insert(Descent::new("scaling", stress, 1.0, settings.limits())).ask(watch),
        };
        end = stop.unwrap_or(end);
        stop.is_some()
    })?;
    let (trace, iterations) = descent.map_or_else(Default::default, |d| (d.trace, d.iterations));
    Ok(Learned { embedded, choices: Vec::new(), trace, iterations, end })
}
