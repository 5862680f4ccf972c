//! From what is known about the points to their coordinates.

use super::settings::Lle;
use crate::embed::{self, Source};
use crate::error::Result;
use crate::learn::embedded::{Learned, n_neighbors};
use crate::observe::Observer;

/// Embeds what `source` describes.
pub(super) fn fit(
    settings: &Lle,
    source: &Source<'_>,
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let Lle { n_components, reg, pieces, .. } = *settings;
    let (k, choices) = n_neighbors(settings.n_neighbors, source.len());
    Learned::at_once(watch, choices, || embed::lle(source, n_components, k, reg, pieces))
}
