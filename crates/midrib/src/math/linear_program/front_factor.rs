//! The numbers of a factor, front by front, and solves with it.

use rayon::prelude::*;

use super::assembly_tree::{AssemblyTree, Front, Part};
use super::dense_columns::{factor_columns, factor_large, take_out};
use super::dense_solve::{backward, forward};
use super::spare::Spare;
use crate::error::Result;
use crate::math::simd::{Work, dispatch};

/// Unknowns whose solutions are handed out by one task.
const TASK: usize = 4096;
/// Multiplications of a front from which its columns are shared among threads.
const LARGE: f64 = 4e6;

/// The entries of the matrix.
pub(super) trait Assemble: Sync {
    /// Adds them to the columns of a front, which are 0. Must be inlined always.
    fn add_to(&self, front: &Front, columns: &mut [f64]);
}

/// `L Lᵀ`, and room for right sides.
pub(super) struct FrontFactor {
    pub tree: AssemblyTree,
    parts: Vec<Numbers>,
    sides: Vec<f64>,
}

/// Those of one part.
struct Numbers {
    columns: Vec<f64>,
    squares: [Vec<f64>; 2],
    is_definite: bool,
    /// Of one front's rows.
    rows: Vec<f64>,
    /// What the part adds to right sides of the top.
    to_top: Vec<f64>,
}

impl FrontFactor {
    /// Makes room for the factor.
    pub fn new(tree: AssemblyTree, spare: &mut Spare) -> Result<Self> {
        let n_top = tree.top().columns.len();
        let mut numbers = |part: &Part| {
            let rows = tree.fronts[part.fronts.clone()].iter().map(Front::height);
            Ok(Numbers {
                columns: spare.take(part.n_numbers)?,
                squares: [spare.take(part.rooms[0])?, spare.take(part.rooms[1])?],
                is_definite: false,
                rows: vec![0.0; rows.max().unwrap_or(0)],
                to_top: vec![0.0; n_top],
            })
        };
        let parts = tree.parts.iter().map(&mut numbers).collect::<Result<_>>()?;
        Ok(Self { sides: vec![0.0; tree.unknowns.len()], parts, tree })
    }

    /// Gives the room back.
    pub fn leave(self, spare: &mut Spare) {
        for part in self.parts {
            spare.give(part.columns);
            part.squares.into_iter().for_each(|squares| spare.give(squares));
        }
    }

    /// Factors the matrix of these entries; false if it is not definite.
    pub fn factor(&mut self, entries: &impl Assemble) -> bool {
        let Self { tree, parts, .. } = self;
        let Some((top, parts)) = parts.split_last_mut() else { return true };
        parts.par_iter_mut().zip(&tree.parts).with_max_len(1).for_each(|(numbers, part)| {
            dispatch(FactorPart { tree, part, numbers, done: &[], entries });
        });
        if parts.iter().all(|part| part.is_definite) {
            dispatch(FactorPart { tree, part: tree.top(), numbers: top, done: parts, entries });
            return top.is_definite;
        }
        false
    }

    /// Solves in place.
    pub fn solve(&mut self, right: &mut [f64]) {
        let Self { tree, parts, sides } = self;
        let Some((top, parts)) = parts.split_last_mut() else { return };
        let (of_parts, of_top) = sides.split_at_mut(tree.top().columns.start);
        let take = |part: &Part, own: &mut [f64]| {
            let unknowns = &tree.unknowns[part.columns.clone()];
            own.iter_mut().zip(unknowns).for_each(|(x, &unknown)| *x = right[unknown as usize]);
        };
        each_part(tree, parts, of_parts, |part, numbers, own| {
            take(part, own);
            numbers.to_top.fill(0.0);
            dispatch(Forward { tree, part, numbers, own });
        });
        take(tree.top(), of_top);
        for part in &*parts {
            of_top.iter_mut().zip(&part.to_top).for_each(|(x, add)| *x += add);
        }
        dispatch(Forward { tree, part: tree.top(), numbers: top, own: of_top });
        dispatch(Backward { tree, part: tree.top(), numbers: top, own: of_top, top: &[] });
        each_part(tree, parts, of_parts, |part, numbers, own| {
            dispatch(Backward { tree, part, numbers, own, top: of_top });
        });
        let tasks = right.par_chunks_mut(TASK).zip(tree.columns.par_chunks(TASK));
        tasks.for_each(|(right, columns)| {
            right.iter_mut().zip(columns).for_each(|(x, &column)| *x = sides[column as usize]);
        });
    }
}

/// Works on all parts but the top, each with its right sides.
fn each_part(
    tree: &AssemblyTree,
    parts: &mut [Numbers],
    mut sides: &mut [f64],
    work: impl Fn(&Part, &mut Numbers, &mut [f64]) + Sync,
) {
    let mut with_sides = Vec::with_capacity(parts.len());
    for (part, numbers) in tree.parts.iter().zip(parts) {
        let (own, rest) = sides.split_at_mut(part.columns.len());
        sides = rest;
        with_sides.push((part, numbers, own));
    }
    with_sides
        .into_par_iter()
        .with_max_len(1)
        .for_each(|(part, numbers, own)| work(part, numbers, own));
}

/// Factors the fronts of a part. Those of the parts that it waits for are done.
struct FactorPart<'a, E> {
    tree: &'a AssemblyTree,
    part: &'a Part,
    numbers: &'a mut Numbers,
    done: &'a [Numbers],
    entries: &'a E,
}

impl<E: Assemble> Work for FactorPart<'_, E> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { tree, part, numbers, done, entries } = self;
        let Numbers { columns, squares, is_definite, .. } = numbers;
        *is_definite = false;
        let [first, second] = squares;
        for front in &tree.fronts[part.fronts.clone()] {
            let (width, height) = (front.width(), front.height());
            let own = &mut columns[front.values()];
            own.fill(0.0);
            entries.add_to(front, own);
            let (room, other) =
                if front.room == 0 { (&mut *first, &*second) } else { (&mut *second, &*first) };
            let square = &mut room[front.square()];
            square.fill(0.0);
            for &child in &tree.children[front.children.clone()] {
                let child = &tree.fronts[child as usize];
                let from = match done.get(child.part) {
                    Some(done) => &done.squares[child.room],
                    None => other,
                };
                let places = &tree.in_parent[child.rows.clone()];
                add_square(&from[child.square()], places, own, square, width);
            }
            let factored = if front.work() < LARGE {
                factor_columns::<FMA>(own, height, 0) && {
                    take_out::<FMA>(own, height, square);
                    true
                }
            } else {
                factor_large(own, height, square)
            };
            if !factored {
                return;
            }
        }
        *is_definite = true;
    }
}

/// Adds the square of a child, whose rows have these places, to the columns of its parent, of which
/// there are `width`, and to its square.
#[inline(always)]
fn add_square(from: &[f64], places: &[u32], own: &mut [f64], square: &mut [f64], width: usize) {
    let (size, height) = (places.len(), own.len() / width);
    let n_own = places.partition_point(|&place| (place as usize) < width);
    for column in 0..n_own {
        let to = &mut own[places[column] as usize * height..][..height];
        for (&place, x) in places[column..].iter().zip(&from[column * size + column..]) {
            to[place as usize] += x;
        }
    }
    for column in n_own..size {
        let to = &mut square[(places[column] as usize - width) * (height - width)..];
        let to = &mut to[..height - width];
        for (&place, x) in places[column..].iter().zip(&from[column * size + column..]) {
            to[place as usize - width] += x;
        }
    }
}

/// Multiplies right sides of a part with `L⁻¹`.
struct Forward<'a> {
    tree: &'a AssemblyTree,
    part: &'a Part,
    numbers: &'a mut Numbers,
    own: &'a mut [f64],
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { tree, part, numbers, own: sides } = self;
        let Numbers { columns, rows: whole, to_top, .. } = numbers;
        for front in &tree.fronts[part.fronts.clone()] {
            let (width, height) = (front.width(), front.height());
            let own = &mut sides[front.columns.start - part.columns.start..][..width];
            let whole = &mut whole[..height];
            let (of_own, below) = whole.split_at_mut(width);
            of_own.copy_from_slice(own);
            below.fill(0.0);
            forward::<FMA>(&columns[front.values()], whole, own);
            let rows = &tree.rows[front.rows.clone()];
            let n_within = rows.partition_point(|&row| (row as usize) < part.columns.end);
            let (within, beyond) = whole[width..].split_at(n_within);
            for (&row, x) in rows.iter().zip(within) {
                sides[row as usize - part.columns.start] += x;
            }
            for (&row, x) in rows[n_within..].iter().zip(beyond) {
                to_top[row as usize - tree.top().columns.start] += x;
            }
        }
    }
}

/// Multiplies them with `L⁻ᵀ`, once those of the top are known.
struct Backward<'a> {
    tree: &'a AssemblyTree,
    part: &'a Part,
    numbers: &'a mut Numbers,
    own: &'a mut [f64],
    top: &'a [f64],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { tree, part, numbers, own: sides, top } = self;
        let Numbers { columns, rows: whole, .. } = numbers;
        for front in tree.fronts[part.fronts.clone()].iter().rev() {
            let (width, height) = (front.width(), front.height());
            let whole = &mut whole[..height];
            let (of_own, below) = whole.split_at_mut(width);
            of_own.fill(0.0);
            let rows = &tree.rows[front.rows.clone()];
            let n_within = rows.partition_point(|&row| (row as usize) < part.columns.end);
            let (within, beyond) = below.split_at_mut(n_within);
            for (x, &row) in within.iter_mut().zip(rows) {
                *x = sides[row as usize - part.columns.start];
            }
            for (x, &row) in beyond.iter_mut().zip(&rows[n_within..]) {
                *x = top[row as usize - tree.top().columns.start];
            }
            let own = &mut sides[front.columns.start - part.columns.start..][..width];
            backward::<FMA>(&columns[front.values()], whole, own);
        }
    }
}
