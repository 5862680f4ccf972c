//! Solves with a factor of small blocks, part by part.

use rayon::prelude::*;

use super::layout::Layout;
use super::subtrees::Subtrees;
use crate::math::simd::{Work, add, add_multiples, dispatch, dot_lanes};

/// Room for right sides, in which those of each part stand together, the top last.
pub(super) struct RightSides {
    parts: Vec<Part>,
    top: Part,
    sides: Vec<f64>,
    /// Where each unknown stands.
    places: Vec<usize>,
}

/// Blocks in ascending order, and where their right sides stand.
struct Part {
    blocks: Vec<Placed>,
    n_columns: usize,
    /// Room for the rows below a block.
    below: Vec<f64>,
    /// What the part adds to right sides of the top.
    to_top: Vec<f64>,
}

/// A block among the right sides of its part.
struct Placed {
    block: usize,
    first: usize,
    /// Where the rows below the block stand: so many in the part, the others at the top.
    below: Vec<u32>,
    n_within: usize,
}

impl RightSides {
    /// Takes the place of each unknown in the order of the factor.
    pub fn new(layout: &Layout, subtrees: &Subtrees, places: &[usize]) -> Self {
        let mut columns = vec![0; places.len()];
        let blocks = subtrees.parts.iter().flatten().chain(&subtrees.top);
        let in_order = blocks.flat_map(|&block| layout.blocks[block].columns.clone());
        in_order.enumerate().for_each(|(place, column)| columns[column] = place);
        let n_top = subtrees.top.iter().map(|&block| layout.blocks[block].width()).sum();
        let starts = Starts { columns: &columns, top: places.len() - n_top, n_top };
        Self {
            parts: subtrees.parts.iter().map(|part| starts.part(layout, part)).collect(),
            top: starts.part(layout, &subtrees.top),
            sides: vec![0.0; places.len()],
            places: places.iter().map(|&place| columns[place]).collect(),
        }
    }

    /// Solves in place with a factor.
    pub fn solve(&mut self, layout: &Layout, factor: &[f64], right: &mut [f64]) {
        let Self { parts, top, sides, places } = self;
        for (&place, x) in places.iter().zip(&*right) {
            sides[place] = *x;
        }
        let (of_parts, of_top) = sides.split_at_mut(places.len() - top.n_columns);
        each_part(parts, of_parts, |part, own| {
            part.to_top.fill(0.0);
            dispatch(Forward { layout, factor, part, own });
        });
        for part in &*parts {
            of_top.iter_mut().zip(&part.to_top).for_each(|(x, add)| *x += add);
        }
        dispatch(Forward { layout, factor, part: top, own: of_top });
        dispatch(Backward { layout, factor, part: top, own: of_top, top: &[] });
        each_part(parts, of_parts, |part, own| {
            dispatch(Backward { layout, factor, part, own, top: of_top });
        });
        for (&place, x) in places.iter().zip(right) {
            *x = sides[place];
        }
    }
}

/// Works on all parts, each with its right sides.
fn each_part(
    parts: &mut [Part],
    mut sides: &mut [f64],
    work: impl Fn(&mut Part, &mut [f64]) + Sync,
) {
    let mut with_sides = Vec::with_capacity(parts.len());
    for part in parts {
        let (own, rest) = sides.split_at_mut(part.n_columns);
        sides = rest;
        with_sides.push((part, own));
    }
    with_sides.into_par_iter().for_each(|(part, own)| work(part, own));
}

/// Where the right side of each column of the factor stands, and where those of the top begin.
struct Starts<'a> {
    columns: &'a [usize],
    top: usize,
    n_top: usize,
}

impl Starts<'_> {
    fn part(&self, layout: &Layout, blocks: &[usize]) -> Part {
        let columns = |block: &usize| layout.blocks[*block].columns.clone();
        let first = blocks.first().map_or(self.top, |block| self.columns[columns(block).start]);
        let is_top = first == self.top;
        let place = |block: &usize| {
            let below = &layout.blocks[*block].below;
            let n_within = if is_top {
                below.len()
            } else {
                below.partition_point(|&row| self.columns[row] < self.top)
            };
            let (within, beyond) = below.split_at(n_within);
            let within = within.iter().map(|&row| (self.columns[row] - first) as u32);
            let beyond = beyond.iter().map(|&row| (self.columns[row] - self.top) as u32);
            Placed {
                block: *block,
                first: self.columns[columns(block).start] - first,
                below: within.chain(beyond).collect(),
                n_within,
            }
        };
        let height = blocks.iter().map(|&block| layout.blocks[block].below.len()).max();
        Part {
            blocks: blocks.iter().map(place).collect(),
            n_columns: blocks.iter().map(|block| columns(block).len()).sum(),
            below: vec![0.0; height.unwrap_or(0)],
            to_top: vec![0.0; if is_top { 0 } else { self.n_top }],
        }
    }
}

/// Multiplies right sides of a part with the inverse of the factor.
struct Forward<'a> {
    layout: &'a Layout,
    factor: &'a [f64],
    part: &'a mut Part,
    own: &'a mut [f64],
}

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Part { blocks, below, to_top, .. } = self.part;
        for placed in &*blocks {
            let block = &self.layout.blocks[placed.block];
            let (width, height) = (block.width(), block.height());
            let columns = self.factor[block.values.clone()].chunks_exact(height);
            let own = &mut self.own[placed.first..][..width];
            for (k, column) in columns.clone().enumerate() {
                own[k] /= column[k];
                let (done, rest) = own.split_at_mut(k + 1);
                add::<FMA>(-done[k], &column[k + 1..width], rest);
            }
            let below = &mut below[..height - width];
            below.fill(0.0);
            let terms = own.iter().copied().zip(columns.map(|column| &column[width..]));
            add_multiples::<FMA>(terms, below);
            let (within, beyond) = placed.below.split_at(placed.n_within);
            let (here, there) = below.split_at(placed.n_within);
            within.iter().zip(here).for_each(|(&row, x)| self.own[row as usize] -= x);
            beyond.iter().zip(there).for_each(|(&row, x)| to_top[row as usize] -= x);
        }
    }
}

/// Multiplies them with that of the transposed factor, once those of the top are known.
struct Backward<'a> {
    layout: &'a Layout,
    factor: &'a [f64],
    part: &'a mut Part,
    own: &'a mut [f64],
    top: &'a [f64],
}

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Part { blocks, below, .. } = self.part;
        for placed in blocks.iter().rev() {
            let block = &self.layout.blocks[placed.block];
            let (width, height) = (block.width(), block.height());
            let below = &mut below[..height - width];
            let (within, beyond) = placed.below.split_at(placed.n_within);
            let (here, there) = below.split_at_mut(placed.n_within);
            within.iter().zip(here).for_each(|(&row, x)| *x = self.own[row as usize]);
            beyond.iter().zip(there).for_each(|(&row, x)| *x = self.top[row as usize]);
            let own = &mut self.own[placed.first..][..width];
            let columns = self.factor[block.values.clone()].chunks_exact(height);
            for (k, column) in columns.enumerate().rev() {
                let (first, rest) = own.split_at_mut(k + 1);
                let known = dot_lanes::<FMA>(&column[k + 1..width], rest)
                    + dot_lanes::<FMA>(&column[width..], below);
                first[k] = (first[k] - known) / column[k];
            }
        }
    }
}
