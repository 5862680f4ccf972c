//! From points or distances to the embedding.

use super::settings::Lle;
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
    settings: &Lle,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_points(named(settings), false, points, |source, _| learn(settings, source, watch))
}

/// Embeds distances.
pub(super) fn of_distances(
    settings: &Lle,
    distances: &Distances,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_distances(named(settings), distances, |source, _| learn(settings, source, watch))
}

fn named(settings: &Lle) -> Named {
    Named { method: Lle::NAME, settings: to_value(settings) }
}

fn learn(settings: &Lle, source: &Source<'_>, watch: &mut dyn Observer) -> Result<Learned> {
    let Lle { n_components, reg, pieces, .. } = *settings;
    let (k, choices) = n_neighbors(settings.n_neighbors, source.len());
    Learned::at_once(watch, choices, || embed::lle(source, n_components, k, reg, pieces))
}
