//! Local principal components, with a given number of pieces or one that is found.

use super::rounds::{best_start, rounds};
use super::settings::LocalPca;
use super::split_and_merge::split_and_merge;
use crate::error::{Error, Result};
use crate::learn::choices::NodeCount;
use crate::learn::method::{Method, to_value};
use crate::learn::pieces::{Piece, Share};
use crate::learn::result::{Choice, Fit};
use crate::math::Matrix;
use crate::object::{Flat, Flats, Object};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};
use crate::prepare::sample;

/// The fewest points from which starting positions are drawn and the number of pieces is found, and how
/// many per piece.
const FEWEST_POINTS: usize = 10_000;
const POINTS_PER_PIECE: usize = 50;
/// The most columns: each piece holds a matrix of columns by columns.
const MOST_COLUMNS: usize = 1000;

/// Learns the pieces.
pub(super) fn fit(
    settings: &LocalPca,
    points: &dyn Blocks,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let wanted = match settings.n_clusters {
        NodeCount::Exactly(count) => Some(count),
        _ => None,
    };
    check_points(settings, wanted.unwrap_or(1), &cloud)?;
    let small = sample(&cloud, FEWEST_POINTS.max(POINTS_PER_PIECE * wanted.unwrap_or(1)))?;
    let small = Cloud::within(&small, cloud.frame().clone())?;
    let best = match wanted {
        Some(count) => best_start(settings, &cloud, &small, count, watch)?,
        None => rounds(settings, &cloud, split_and_merge(settings, &small, watch)?, watch)?,
    };
    let unit = cloud.square_unit();
    let found = best.pieces.len();
    let note = |wanted| format!("{found} pieces instead of {wanted}: too few points differ");
    let reason = "split and merged to the shortest description of the points";
    let flat = |(piece, share): (Piece, &Share)| {
        Ok(Flat {
            center: cloud.to_data(Matrix::from_rows(&[piece.center])?).into_vec(),
            axes: piece.axes,
            variances: piece.variances.iter().map(|variance| variance * unit).collect(),
            mass: share.mass,
        })
    };
    let flats: Result<Vec<Flat>> =
        best.pieces.into_iter().zip(&best.shares.of_piece).map(flat).collect();
    Ok(Fit {
        method: LocalPca::NAME,
        object: Object::Flats(Flats::new(flats?)?),
        iterations: best.descent.iterations,
        trace: best.descent.trace.iter().map(|cost| cost * unit).collect(),
        end: best.end,
        settings: to_value(settings),
        choices: match wanted {
            None => vec![Choice::new("n_clusters", found, reason)],
            Some(_) => Vec::new(),
        },
        tuning: None,
        notes: wanted.filter(|wanted| found < *wanted).map(note).into_iter().collect(),
    })
}

/// Refuses points that cannot have so many pieces, or pieces of this dimension.
fn check_points(settings: &LocalPca, pieces: usize, cloud: &Cloud<'_>) -> Result<()> {
    cloud.require_spread()?;
    let (n, dims) = (cloud.len(), cloud.dims());
    if pieces > n {
        let reason = format!("there are only {n} points: give at most that many");
        return Err(Error::setting("n_clusters", pieces, reason));
    }
    if settings.n_components >= dims {
        let reason = format!("must be less than the number of columns, {dims}");
        return Err(Error::setting("n_components", settings.n_components, reason));
    }
    if dims > MOST_COLUMNS {
        return Err(Error::data(format!(
            "local-pca takes up to {MOST_COLUMNS} columns, not {dims}: reduce them first, for \
             example to 50 principal components (--pca 50)"
        )));
    }
    Ok(())
}
