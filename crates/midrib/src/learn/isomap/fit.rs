//! From what is known about the points to their coordinates.

use super::settings::Isomap;
use crate::embed::{self, Source};
use crate::error::Result;
use crate::learn::embedded::{Learned, n_neighbors};
use crate::observe::Observer;

/// Embeds what `source` describes.
pub(super) fn fit(
    settings: &Isomap,
    source: &Source<'_>,
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let Isomap { n_components, pieces, .. } = *settings;
    let (k, choices) = n_neighbors(settings.n_neighbors, source.len());
    Learned::at_once(watch, choices, || embed::isomap(source, n_components, k, pieces))
}
