//! The loop of local principal components.

use super::pieces::{Piece, Shares};
use super::settings::LocalPca;
use crate::error::{Error, Result};
use crate::learn::descent::Descent;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::Matrix;
use crate::object::{Flat, Flats, Object};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};
use crate::prepare::{landmarks, sample};

/// The fewest points from which starting positions are drawn, and how many per piece.
const FEWEST_POINTS: usize = 10_000;
const POINTS_PER_PIECE: usize = 50;
/// The most columns: each piece holds a matrix of columns by columns.
const MOST_COLUMNS: usize = 1000;

/// Learns the pieces from several starts and keeps the best.
pub(super) fn fit(
    settings: &LocalPca,
    points: &dyn Blocks,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    check_points(settings, &cloud)?;
    let small = sample(&cloud, FEWEST_POINTS.max(POINTS_PER_PIECE * settings.n_clusters))?;
    let small = Cloud::new(&small)?;
    let mut best: Option<Rounds> = None;
    let mut interrupted = false;
    for start in 0..settings.n_init as u64 {
        let seeds = landmarks(&small, settings.n_clusters, settings.seed.wrapping_add(start))?;
        let seeds = cloud.to_working(small.to_data(seeds));
        let pieces = seeds.rows().map(|seed| Piece::at(seed, settings.n_components)).collect();
        let rounds = rounds(settings, &cloud, pieces, watch)?;
        interrupted = rounds.end == End::Interrupted;
        // Starts that reach the same pieces differ by rounding, and by what they may still fall.
        let margin = settings.tol.max(1e-9) * cloud.spread();
        if best.as_ref().is_none_or(|best| rounds.shares.cost < best.shares.cost - margin) {
            best = Some(rounds);
        }
        if interrupted {
            break;
        }
    }
    let best = best.ok_or_else(|| Error::setting("n_init", 0, "must be at least 1"))?;
    let unit = cloud.square_unit();
    let (found, wanted) = (best.pieces.len(), settings.n_clusters);
    let note = format!("{found} pieces instead of {wanted}: too few points differ");
    let flat = |(piece, share): (Piece, &super::pieces::Share)| {
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
        end: if interrupted { End::Interrupted } else { best.end },
        settings: to_value(settings),
        choices: Vec::new(),
        tuning: None,
        notes: (found < wanted).then_some(note).into_iter().collect(),
    })
}

/// Refuses points that cannot have so many pieces, or pieces of this dimension.
fn check_points(settings: &LocalPca, cloud: &Cloud<'_>) -> Result<()> {
    cloud.require_spread()?;
    let (n, dims) = (cloud.len(), cloud.dims());
    if settings.n_clusters > n {
        let reason = format!("there are only {n} points: give at most that many");
        return Err(Error::setting("n_clusters", settings.n_clusters, reason));
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

/// Where the rounds of one start stopped.
struct Rounds {
    pieces: Vec<Piece>,
    shares: Shares,
    descent: Descent,
    end: End,
}

/// Points to the nearest piece, and each piece to its points, in turn.
fn rounds(
    settings: &LocalPca,
    cloud: &Cloud<'_>,
    mut pieces: Vec<Piece>,
    watch: &mut dyn Observer,
) -> Result<Rounds> {
    let mut shares = Shares::of(cloud, &pieces)?;
    let limits = settings.limits();
    let mut descent = Descent::new("moving the pieces", shares.cost, cloud.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let moved = principal(cloud, &pieces, &shares)?;
        let next = Shares::of(cloud, &moved)?;
        let falls = next.cost < shares.cost;
        end = descent.push(next.cost, watch);
        if end != Some(End::Stalled) {
            (pieces, shares) = (moved, next);
        }
        if !falls && end.is_none() {
            end = Some(End::Converged);
        }
    }
    Ok(Rounds { pieces, shares, descent, end: end.unwrap_or(End::MaxIter) })
}

/// The principal flat of the points of each piece; the first piece without points moves to the point
/// that is farthest from its own.
fn principal(cloud: &Cloud<'_>, pieces: &[Piece], shares: &Shares) -> Result<Vec<Piece>> {
    let mut far = (shares.farthest.0 > 0.0).then_some(shares.farthest.1);
    let mut moved = Vec::with_capacity(pieces.len());
    for (piece, share) in pieces.iter().zip(&shares.of_piece) {
        if share.mass > 0.0 {
            moved.push(share.principal(piece)?);
            continue;
        }
        let mut piece = piece.clone();
        if let Some(i) = far.take() {
            cloud.copy_row(i, &mut piece.center)?;
        }
        moved.push(piece);
    }
    Ok(moved)
}
