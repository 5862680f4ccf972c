//! From points or distances to the embedding.

use super::settings::Eigenmap;
use crate::distances::Distances;
use crate::embed::{self, Source};
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::embedded::{self, Learned, Named, n_neighbors};
use crate::learn::method::{Method, to_value};
use crate::learn::result::Fit;
use crate::observe::Observer;
use crate::points::Points;

/// Embeds points.
pub(super) fn of_points(
    settings: &Eigenmap,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_points(named(settings), false, points, |source, _| learn(settings, source, watch))
}

/// Embeds distances.
pub(super) fn of_distances(
    settings: &Eigenmap,
    distances: &Distances,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    embedded::of_distances(named(settings), distances, |source, _| learn(settings, source, watch))
}

fn named(settings: &Eigenmap) -> Named {
    Named { method: Eigenmap::NAME, settings: to_value(settings) }
}

fn learn(settings: &Eigenmap, source: &Source<'_>, watch: &mut dyn Observer) -> Result<Learned> {
    let (k, choices) = n_neighbors(settings.n_neighbors, source.len());
    let settings = embed::Eigenmap {
        n_components: settings.n_components,
        n_neighbors: k,
        affinity: settings.affinity,
        gamma: match settings.gamma {
            AutoOr::Auto => None,
            AutoOr::Fixed(gamma) => Some(gamma),
        },
        alpha: settings.alpha,
        time: settings.time,
        pieces: settings.pieces,
    };
    Learned::at_once(watch, choices, || embed::eigenmap(source, settings))
}
