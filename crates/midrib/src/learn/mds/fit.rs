//! From points or distances to the embedding.

use super::settings::{Algorithm, Mds};
use crate::distances::Distances;
use crate::embed::{Kernel, KernelPca, Source, kernel_pca, metric_mds};
use crate::error::Result;
use crate::learn::descent::Descent;
use crate::learn::embedded::{self, Learned, Named};
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::observe::Observer;
use crate::points::Points;

/// Embeds points.
pub(super) fn of_points(
    settings: &Mds,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_points(named(settings), false, points, |source, _| learn(settings, source, watch))
}

/// Embeds distances.
pub(super) fn of_distances(
    settings: &Mds,
    distances: &Distances,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_distances(named(settings), distances, |source, _| learn(settings, source, watch))
}

fn named(settings: &Mds) -> Named {
    Named { method: Mds::NAME, settings: to_value(settings) }
}

fn learn(settings: &Mds, source: &Source<'_>, watch: &mut dyn Observer) -> Result<Learned> {
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
