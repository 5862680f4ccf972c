//! Rounds from given pieces, and from several starts.

use super::settings::LocalPca;
use crate::error::{Error, Result};
use crate::learn::descent::Descent;
use crate::learn::pieces::{Piece, Shares};
use crate::learn::result::End;
use crate::observe::Observer;
use crate::points::Cloud;
use crate::prepare::landmarks;

/// Where rounds stopped.
pub(super) struct Rounds {
    pub pieces: Vec<Piece>,
    pub shares: Shares,
    pub descent: Descent,
    pub end: End,
}

/// The best of several starts from k-means++ seeds, which are drawn from `small`, a sample of the cloud.
pub(super) fn best_start(
    settings: &LocalPca,
    cloud: &Cloud<'_>,
    small: &Cloud<'_>,
    count: usize,
    watch: &mut dyn Observer,
) -> Result<Rounds> {
    let mut best: Option<Rounds> = None;
    for start in 0..settings.n_init as u64 {
        let seeds = landmarks(small, count, settings.seed.wrapping_add(start))?;
        let pieces =
            seeds.rows().map(|seed| Piece::at(seed, settings.n_components, None)).collect();
        let rounds = rounds(settings, cloud, pieces, watch)?;
        let interrupted = rounds.end == End::Interrupted;
        // Starts that reach the same pieces differ by rounding, and by what they may still fall.
        let margin = settings.tol.max(1e-9) * cloud.spread();
        if best.as_ref().is_none_or(|best| rounds.shares.cost < best.shares.cost - margin) {
            best = Some(rounds);
        }
        if let (true, Some(best)) = (interrupted, &mut best) {
            best.end = End::Interrupted;
            break;
        }
    }
    best.ok_or_else(|| Error::setting("n_init", 0, "must be at least 1"))
}

/// Points to the nearest piece, and each piece to its points, in turn.
pub(super) fn rounds(
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
