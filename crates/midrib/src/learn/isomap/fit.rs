//! From points or distances to the embedding.

use super::settings::Isomap;
use crate::distances::Distances;
use crate::embed::{self, Source};
use crate::error::Result;

use crate::learn::embedded::{self, Learned, Named, n_neighbors};
use crate::learn::method::{Method, to_value};
use crate::learn::result::Fit;
use crate::observe::Observer;
use crate::points::Points;

/// Embeds points.
pub(super) fn of_points(
    settings: &Isomap,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_points(named(settings), false, points, |source, _| learn(settings, source, watch))
}

/// Embeds distances.
pub(super) fn of_distances(
    settings: &Isomap,
    distances: &Distances,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_distances(named(settings), distances, |source, _| learn(settings, source, watch))
}

fn named(settings: &Isomap) -> Named {
    Named { method: Isomap::NAME, settings: to_value(settings) }
}

fn learn(settings: &Isomap, source: &Source<'_>, watch: &mut dyn Observer) -> Result<Learned> {
    let Isomap { n_components, pieces, .. } = *settings;
    let (k, choices) = n_neighbors(settings.n_neighbors, source.len());
    Learned::at_once(watch, choices, || embed::isomap(source, n_components, k, pieces))
}
