//! From what is known about the points to their coordinates.

use super::settings::Eigenmap;
use crate::embed::{self, Source};
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::embedded::{Learned, n_neighbors};
use crate::observe::Observer;

/// Embeds what `source` describes.
pub(super) fn fit(
    settings: &Eigenmap,
    source: &Source<'_>,
    watch: &mut dyn Observer,
) -> Result<Learned> {
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
