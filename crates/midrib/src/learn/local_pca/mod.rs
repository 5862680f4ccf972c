//! Local principal components: several affine pieces, each the principal flat of the points nearest to
//! it. Gorban2009, local principal components.
//!
//! Minimizes over centers aₖ and orthonormal axes Aₖ
//!
//! ```text
//! Σᵢ wᵢ minₖ ‖xᵢ − aₖ − AₖᵀAₖ(xᵢ − aₖ)‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | – | `pieces` | K flats of dimension d |
//! | Kᵢ | – | the points nearest to a piece, never stored |
//!
//! Each half step lowers the objective: points go to the nearest piece, then each piece becomes the
//! principal flat of its points. The first pieces are single positions, k-means++ seeds, so that the
//! first entry of the trace is an objective of k-means.
//!
//! Where the number of pieces is left open, a single piece is split and pieces are merged (Einbeck2008)
//! as long as that shortens the description of the points: the piece of each, its scores as Gaussian
//! along each axis, its distance as Gaussian with one variance σ² for all, and the numbers of the K
//! pieces, up to a constant
//!
//! ```text
//! Σₖ Nₖ (½ Σⱼ log vₖⱼ − log(Nₖ/N)) + N(D − d)/2 · log σ² + K/2 · (D + dD − d(d − 1)/2) · log N
//! ```
//!
//! # Departures from the paper
//! - It starts several times and keeps the best result. A split is that of two to four pieces for the
//!   points of one.
//! - The number of pieces is found on up to 10,000 points that represent all.
//! - A piece without points moves to the point farthest from its own piece. A piece with fewer points
//!   than axes has axes along which they do not vary.

mod fit;
mod rounds;
mod settings;
mod split_and_merge;
#[cfg(test)]
mod tests;

pub use settings::LocalPca;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for LocalPca {
    const NAME: &'static str = "local-pca";
    const CLASS: &'static str = "LocalPCA";
    const SUMMARY: &'static str =
        "local principal components: several lines or flats, each fitted to its nearest points";
    const CITATION: &'static str = "Gorban2009, Local principal components";
    const START: bool = false;
    const EMBEDS: bool = true;

    fn kind(&self) -> Kind {
        Kind::Flats
    }

    fn promises(&self) -> Promises {
        Promises { tree: false, ..Promises::ALL }
    }

    fn min_columns(&self) -> usize {
        self.n_components + 1
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        fit::fit(self, points, watch)
    }
}
