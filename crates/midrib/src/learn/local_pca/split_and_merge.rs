//! The number of pieces: split, merged and dissolved as long as the description of the points gets shorter.
//! Einbeck2008.

use super::rounds::{best_start, rounds};
use super::settings::LocalPca;
use crate::error::Result;
use crate::learn::pieces::{Piece, Share, Shares, nearest};
use crate::learn::result::End;
use crate::observe::Observer;
use crate::points::{Cloud, Points};

/// The most pieces.
const MOST: usize = 100;
/// A piece is split into up to this many: two of three crossing lines are no better than one.
const PARTS: usize = 4;
/// A variance below this share of the whole is rounding.
const EXACT: f64 = 1e-20;

/// Pieces after their rounds, each the principal flat of its points.
struct State {
    pieces: Vec<Piece>,
    shares: Shares,
    description: f64,
    interrupted: bool,
}

/// The pieces of the shortest description that splits and merges lead to, from a single piece on.
/// `cloud` is a sample that represents all points.
pub(super) fn split_and_merge(
    settings: &LocalPca,
    cloud: &Cloud<'_>,
    watch: &mut dyn Observer,
) -> Result<Vec<Piece>> {
    let search = Search { settings, cloud, count: count(cloud) };
    let center = vec![0.0; cloud.dims()];
    let mut here = search.state(vec![Piece::at(&center, settings.n_components, None)], watch)?;
    while !here.interrupted {
        let mut changed = false;
        for change in [Search::split, Search::merge, Search::dissolve] {
            if let Some(pieces) = change(&search, &here, watch)? {
                let next = search.state(pieces, watch)?;
                if next.interrupted || next.description < here.description {
                    here = next;
                    changed = true;
                    break;
                }
            }
        }
        if !changed {
            break;
        }
    }
    Ok(here.pieces)
}

/// N: the total weight in points.
fn count(cloud: &Cloud<'_>) -> f64 {
    let weighted = (0..cloud.len()).filter(|&i| cloud.weight(i) > 0.0).count();
    let total = cloud.total_weight();
    total / (total / weighted as f64).min(1.0)
}

struct Search<'a> {
    settings: &'a LocalPca,
    cloud: &'a Cloud<'a>,
    count: f64,
}

impl Search<'_> {
    /// Rounds from these pieces; pieces that lose all points are dropped.
    fn state(&self, pieces: Vec<Piece>, watch: &mut dyn Observer) -> Result<State> {
        let found = rounds(self.settings, self.cloud, pieces, watch)?;
        let with_points = |(_, share): &(&Piece, &Share)| share.mass > 0.0;
        let pairs = found.pieces.iter().zip(&found.shares.of_piece).filter(with_points);
        let principal: Result<Vec<Piece>> =
            pairs.map(|(piece, share)| share.principal(piece)).collect();
        let pieces = principal?;
        let shares = Shares::of(self.cloud, &pieces)?;
        let described = pieces.iter().zip(shares.of_piece.iter().map(|share| share.mass));
        let description = self.description(&described.collect::<Vec<_>>());
        Ok(State { pieces, shares, description, interrupted: found.end == End::Interrupted })
    }

    /// The description length of the points by pieces with these masses, in nats: the piece of each
    /// point, its scores as Gaussian along each axis, its distance as Gaussian with one variance for all
    /// pieces, and half the log N per number that a piece has.
    fn description(&self, pieces: &[(&Piece, f64)]) -> f64 {
        let total = self.cloud.total_weight();
        let (dims, inner) = (self.cloud.dims() as f64, self.settings.n_components as f64);
        let least = EXACT * self.cloud.spread() / total;
        let error: f64 = pieces.iter().map(|(piece, mass)| mass * piece.rest).sum();
        let noise = (error / total / (dims - inner)).max(least);
        let numbers = dims + dims * inner - 0.5 * inner * (inner - 1.0);
        let of_piece = |&(piece, mass): &(&Piece, f64)| {
            let along: f64 = piece.variances.iter().map(|variance| variance.max(noise).ln()).sum();
            mass / total * (0.5 * along - (mass / total).ln())
        };
        let points: f64 = pieces.iter().filter(|(_, mass)| *mass > 0.0).map(of_piece).sum();
        self.count * (points + 0.5 * (dims - inner) * noise.ln())
            + 0.5 * pieces.len() as f64 * numbers * self.count.ln()
    }

    /// The pieces with one of them replaced by the best two, three or four for its points, if that
    /// shortens the description.
    fn split(&self, here: &State, watch: &mut dyn Observer) -> Result<Option<Vec<Piece>>> {
        if here.pieces.len() >= MOST {
            return Ok(None);
        }
        let owners = self.owners(&here.pieces)?;
        let mut best = (here.description, None);
        for number in 0..here.pieces.len() {
            let rows: Vec<usize> =
                (0..owners.len()).filter(|&i| owners[i] == number as u32).collect();
            for count in 2..=PARTS {
                let parts = self.parts(&rows, count, watch)?;
                let mut described = described(here);
                described.swap_remove(number);
                described.extend(parts.iter().map(|(piece, mass)| (piece, *mass)));
                let description = self.description(&described);
                if description < best.0 {
                    best = (description, Some((number, parts)));
                }
            }
        }
        Ok(best.1.map(|(number, parts)| {
            let mut pieces = here.pieces.clone();
            pieces.remove(number);
            pieces.extend(parts.into_iter().map(|(piece, _)| piece));
            pieces
        }))
    }

    /// The nearest piece of each point.
    fn owners(&self, pieces: &[Piece]) -> Result<Vec<u32>> {
        let of_blocks = self.cloud.per_block(|chunk, rows| {
            let (mut x, mut rest) = (vec![0.0; chunk.dims()], vec![0.0; chunk.dims()]);
            let mut owners = Vec::with_capacity(rows.len());
            for i in rows {
                chunk.copy_row(i, &mut x);
                owners.push(nearest(pieces, &x, &mut rest).1 as u32);
            }
            owners
        })?;
        Ok(of_blocks.concat())
    }

    /// The best pieces for some of the points, with their masses; fewer if too few points differ.
    fn parts(
        &self,
        rows: &[usize],
        count: usize,
        watch: &mut dyn Observer,
    ) -> Result<Vec<(Piece, f64)>> {
        let source = self.cloud.source();
        let weights: Vec<f64> = rows.iter().map(|&i| self.cloud.weight(i)).collect();
        let own = Points::from_f64(source.read_rows(rows)?.into_vec(), self.cloud.dims())?
            .with_weights(weights)?;
        let own = Cloud::within(&own, self.cloud.frame().clone())?;
        let found = best_start(self.settings, &own, &own, count, watch)?;
        let mut parts = Vec::with_capacity(count);
        for (piece, share) in found.pieces.iter().zip(&found.shares.of_piece) {
            if share.mass > 0.0 {
                parts.push((share.principal(piece)?, share.mass));
            }
        }
        Ok(parts)
    }

    /// The pieces without the one whose points are nearly as well described by the others, if that
    /// shortens the description.
    fn dissolve(&self, here: &State, _: &mut dyn Observer) -> Result<Option<Vec<Piece>>> {
        let mut best = (here.description, None);
        for number in 0..here.pieces.len() {
            let mut pieces = here.pieces.clone();
            pieces.remove(number);
            if pieces.is_empty() {
                break;
            }
            let shares = Shares::of(self.cloud, &pieces)?;
            let moved = pieces.iter().zip(&shares.of_piece).map(|(piece, share)| {
                if share.mass > 0.0 { share.principal(piece) } else { Ok(piece.clone()) }
            });
            let moved: Vec<Piece> = moved.collect::<Result<_>>()?;
            let masses = shares.of_piece.iter().map(|share| share.mass);
            let description = self.description(&moved.iter().zip(masses).collect::<Vec<_>>());
            if description < best.0 {
                best = (description, Some(moved));
            }
        }
        Ok(best.1)
    }

    /// The pieces with the best two of them joined, if that shortens the description.
    fn merge(&self, here: &State, _: &mut dyn Observer) -> Result<Option<Vec<Piece>>> {
        let count = here.pieces.len();
        let mut best = (here.description, None);
        for one in 0..count {
            for other in one + 1..count {
                let [a, b] = [one, other].map(|at| &here.pieces[at]);
                let apart: Vec<f64> = b.center.iter().zip(&a.center).map(|(b, a)| b - a).collect();
                let mut share = here.shares.of_piece[one].clone();
                share.join(&here.shares.of_piece[other], &apart);
                let joined = share.principal(a)?;
                let mut described = described(here);
                described.swap_remove(other);
                described[one] = (&joined, share.mass);
                let description = self.description(&described);
                if description < best.0 {
                    best = (description, Some((one, other, joined)));
                }
            }
        }
        Ok(best.1.map(|(one, other, joined)| {
            let mut pieces = here.pieces.clone();
            pieces[one] = joined;
            pieces.remove(other);
            pieces
        }))
    }
}

/// Each piece with its mass.
fn described(here: &State) -> Vec<(&Piece, f64)> {
    here.pieces.iter().zip(here.shares.of_piece.iter().map(|share| share.mass)).collect()
}
