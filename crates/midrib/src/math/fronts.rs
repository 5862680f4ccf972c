//! Sparse definite matrices whose factors fall into small dense blocks, front by front.
//!
//! A front is a block of columns of the factor with all its rows as a dense square: what its
//! columns leave to the rows below is added to the front that holds the first of these, its parent
//! (Duff1983). In the other direction a front finds the inverse at its rows in its parent
//! (Takahashi1973). All numbers stand in lanes, so that the loops have no ends.

use std::ops::Range;

use super::elimination::{Columns, Elimination};
use super::lanes::{AlignedLanes, LANES, Lanes, add};
use super::simd::{Work, dispatch, fused, sum};

/// Columns that are taken out of a front together.
const PANEL: usize = 4;
/// Lanes of a column whose sums are held at once.
const STRIP: usize = 4;
/// Beyond this many rows matrix products are faster.
pub(super) const HIGH: usize = 128;
/// Fronts may hold this many times the numbers of the factor.
const ROOM: usize = 16;

/// All bits of the lanes after a lane. Comparisons instead would break up the lanes.
const AFTER: [[u64; LANES]; LANES] = {
    let mut bits = [[0; LANES]; LANES];
    let mut lane = 0;
    while lane < LANES * LANES {
        if lane % LANES > lane / LANES {
            bits[lane / LANES][lane % LANES] = u64::MAX;
        }
        lane += 1;
    }
    bits
};

/// The factor `L Lᵀ` of a matrix of one pattern, or the inverse on the pattern of the factor.
pub(crate) struct Fronts {
    fronts: Vec<Front>,
    /// The rows below each front, and where they stand in its parent.
    below: Vec<usize>,
    in_parent: Vec<u32>,
    /// Where each entry of the matrix stands among the numbers.
    entries: Vec<u32>,
    /// The place of each unknown in the order of the factor.
    places: Vec<usize>,
    /// The fronts, column after column: L, then what was added to the parent; or the inverse at
    /// the rows of each front.
    numbers: AlignedLanes,
    holds_factor: bool,
    /// The diagonal of L, squared, and its inverse.
    squared_pivots: Vec<f64>,
    pivots: Vec<f64>,
}

/// Where a dense block stands.
struct Front {
    first_column: usize,
    width: usize,
    /// Where its rows below stand among those of all.
    below: Range<usize>,
    /// The front that holds the rows below; without rows none.
    parent: usize,
    /// The first of its lanes.
    start: usize,
    /// Lanes of a column.
    depth: usize,
}

impl Front {
    fn height(&self) -> usize {
        self.width + self.below.len()
    }

    fn lanes(&self) -> Range<usize> {
        self.start..self.start + self.depth * self.height()
    }

    /// Where a row stands in the front, given the rows below all fronts.
    fn place(&self, below: &[usize], row: usize) -> Option<usize> {
        if row < self.first_column + self.width {
            return row.checked_sub(self.first_column);
        }
        below[self.below.clone()].binary_search(&row).ok().map(|at| at + self.width)
    }
}

impl Fronts {
    /// Prepares for matrices whose lower triangles, in compressed columns, have these entries;
    /// nothing if blocks are better done otherwise.
    pub fn new(
        elimination: Elimination,
        column_starts: &[usize],
        row_indices: &[usize],
    ) -> Option<Self> {
        let Elimination { blocks, below, places } = elimination;
        let depth = |block: &Columns| block.height().div_ceil(LANES);
        let room: usize = blocks.iter().map(|block| block.height() * depth(block)).sum();
        let stored: usize = blocks.iter().map(|block| block.columns.len() * block.height()).sum();
        let is_high = blocks.iter().any(|block| block.height() > HIGH);
        if is_high || room * LANES > ROOM * stored.max(LANES * LANES) {
            return None;
        }
        let mut front_of = vec![0; places.len()];
        for (b, block) in blocks.iter().enumerate() {
            front_of[block.columns.clone()].fill(b);
        }
        let mut fronts: Vec<Front> = Vec::with_capacity(blocks.len());
        let mut start = 0;
        for block in &blocks {
            fronts.push(Front {
                first_column: block.columns.start,
                width: block.columns.len(),
                below: block.below.clone(),
                parent: below[block.below.clone()].first().map_or(0, |&row| front_of[row]),
                start,
                depth: depth(block),
            });
            start += block.height() * depth(block);
        }
        let mut in_parent = Vec::with_capacity(below.len());
        for front in &fronts {
            for &row in &below[front.below.clone()] {
                in_parent.push(fronts[front.parent].place(&below, row)? as u32);
            }
        }
        let mut entries = Vec::with_capacity(row_indices.len());
        for (column, ends) in column_starts.windows(2).enumerate() {
            for &row in &row_indices[ends[0]..ends[1]] {
                let (a, b) = (places[row], places[column]);
                let front = &fronts[front_of[a.min(b)]];
                let lanes = front.start + (a.min(b) - front.first_column) * front.depth;
                let at = lanes * LANES + front.place(&below, a.max(b))?;
                entries.push(u32::try_from(at).ok()?);
            }
        }
        Some(Self {
            entries,
            numbers: AlignedLanes::new(room),
            holds_factor: false,
            squared_pivots: vec![0.0; places.len()],
            pivots: vec![0.0; places.len()],
            places,
            fronts,
            below,
            in_parent,
        })
    }

    /// Factors the matrix of these values; false if it is not definite.
    pub fn factor(&mut self, values: &[f64]) -> bool {
        self.numbers.fill([0.0; LANES]);
        let numbers = self.numbers.as_flattened_mut();
        for (&at, value) in self.entries.iter().zip(values) {
            numbers[at as usize] = *value;
        }
        self.holds_factor = dispatch(Factor(self));
        self.holds_factor
    }

    /// Whether the factor of the last matrix is there: its inverse takes its place.
    pub fn holds_factor(&self) -> bool {
        self.holds_factor
    }

    /// The logarithm of the determinant of the matrix last factored.
    pub fn log_determinant(&self) -> f64 {
        self.squared_pivots.chunks(512).map(log_of_product).sum()
    }

    /// The inverse of the matrix last factored, entry by entry in the order of its values. It
    /// takes the place of the factor.
    pub fn invert(&mut self, found: &mut [f64]) {
        if self.holds_factor {
            dispatch(Invert(self));
            self.holds_factor = false;
        }
        let inverse = self.numbers.as_flattened();
        found.iter_mut().zip(&self.entries).for_each(|(x, &at)| *x = inverse[at as usize]);
    }

    /// Multiplies rows, one an unknown in the order of the factor, with `L⁻¹`. There may be
    /// several such panels, one after the other.
    pub fn forward(&self, panels: &mut [Lanes]) {
        debug_assert!(self.holds_factor);
        for two in panels.chunks_mut(2 * self.places.len()) {
            match two.split_at_mut(self.places.len()) {
                (panel, []) => dispatch(Forward(self, [panel])),
                (a, b) => dispatch(Forward(self, [a, b])),
            }
        }
    }

    /// Multiplies such rows with `L⁻ᵀ`.
    pub fn backward(&self, rows: &mut [Lanes]) {
        debug_assert!(self.holds_factor);
        dispatch(Backward(self, rows));
    }

    /// The place of each unknown in the order of the factor.
    pub fn places(&self) -> &[usize] {
        &self.places
    }
}

/// The logarithm of the product of at most 512 positive numbers: that of their mantissas, which
/// does not overflow, and the sum of their exponents.
fn log_of_product(numbers: &[f64]) -> f64 {
    const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;
    let one = 1.0_f64.to_bits();
    let (mut product, mut exponents) = (1.0, 0_i64);
    for x in numbers {
        let exponent = x.to_bits() >> MANTISSA;
        exponents += exponent as i64;
        product *= f64::from_bits((x.to_bits() - (exponent << MANTISSA)) | one);
    }
    let bias = (one >> MANTISSA) as i64 * numbers.len() as i64;
    product.ln() + (exponents - bias) as f64 * std::f64::consts::LN_2
}

struct Factor<'a>(&'a mut Fronts);

impl Work for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> bool {
        let Fronts { fronts, in_parent, numbers, squared_pivots, pivots, .. } = self.0;
        for front in &*fronts {
            let Front { width, depth, first_column, .. } = *front;
            let (before, after) = numbers.split_at_mut(front.lanes().end);
            let own = &mut before[front.start..];
            for first in (0..width).step_by(PANEL) {
                let (panel, rest) =
                    own[first * depth..].split_at_mut(PANEL.min(width - first) * depth);
                let columns = first_column + first..first_column + width;
                let found = (&mut squared_pivots[columns.clone()], &mut pivots[columns]);
                let is_definite = match panel.len() / depth {
                    1 => take_out::<FMA, 1>(panel, rest, first, found),
                    2 => take_out::<FMA, 2>(panel, rest, first, found),
                    3 => take_out::<FMA, 3>(panel, rest, first, found),
                    _ => take_out::<FMA, PANEL>(panel, rest, first, found),
                };
                if !is_definite {
                    return false;
                }
            }
            if !front.below.is_empty() {
                let parent = &fronts[front.parent];
                let to = &mut after[parent.start - front.lanes().end..][..parent.lanes().len()];
                add_to_parent(front, &in_parent[front.below.clone()], own, parent, to);
            }
        }
        true
    }
}

/// Factors `P` columns, of which `first` is the first, and takes them out of the columns after
/// them; false if they are not those of a definite matrix.
#[inline(always)]
fn take_out<const FMA: bool, const P: usize>(
    panel: &mut [Lanes],
    rest: &mut [Lanes],
    first: usize,
    (squared_pivots, pivots): (&mut [f64], &mut [f64]),
) -> bool {
    let depth = panel.len() / P;
    let (top, lane) = (first / LANES, first % LANES);
    // The square of their own rows, all of which stand in one lane: its columns wait for one
    // another, so the less they have to do the better.
    let mut square: [[f64; P]; P] =
        std::array::from_fn(|k| std::array::from_fn(|i| panel[k * depth + top][lane + i]));
    let mut inverses = [0.0; P];
    for k in 0..P {
        for i in 0..k {
            for row in k..P {
                square[k][row] = fused::<FMA>(-square[i][k], square[i][row], square[k][row]);
            }
        }
        let squared = square[k][k];
        if !(squared > 0.0 && squared.is_normal()) {
            return false;
        }
        // A root and a quotient side by side.
        inverses[k] = squared.sqrt() * (1.0 / squared);
        square[k][k..].iter_mut().for_each(|x| *x *= inverses[k]);
        squared_pivots[k] = squared;
        pivots[k] = inverses[k];
    }
    for at in top..depth {
        let mut columns: [Lanes; P] = std::array::from_fn(|k| panel[k * depth + at]);
        for k in 0..P {
            for i in 0..k {
                let done = columns[i];
                add::<FMA>(&mut columns[k], -square[i][k], &done);
            }
            columns[k] = times(columns[k], inverses[k]);
            panel[k * depth + at] = columns[k];
        }
    }
    take_panel::<FMA, P>(panel, rest, first);
    true
}

/// Takes the products of `P` columns, of which `first` is the first, from the columns after them.
#[inline(always)]
fn take_panel<const FMA: bool, const P: usize>(panel: &[Lanes], rest: &mut [Lanes], first: usize) {
    let depth = panel.len() / P;
    let panel: [&[Lanes]; P] = std::array::from_fn(|p| &panel[p * depth..][..depth]);
    let after = first + P;
    let columns = rest.len() / depth;
    for at in after / LANES..depth {
        let taken: [Lanes; P] = std::array::from_fn(|p| times(panel[p][at], -1.0));
        // The columns that have these rows.
        let columns = columns.min((at + 1) * LANES - after);
        let by: [&[f64]; P] =
            std::array::from_fn(|p| &panel[p].as_flattened()[after..after + columns]);
        for column in 0..columns {
            let to = &mut rest[column * depth + at];
            let mut left = *to;
            for p in 0..P {
                add::<FMA>(&mut left, by[p][column], &taken[p]);
            }
            *to = left;
        }
    }
}

#[inline(always)]
fn add_to_parent(front: &Front, places: &[u32], own: &[Lanes], parent: &Front, to: &mut [Lanes]) {
    let columns = own[front.width * front.depth..].chunks_exact(front.depth);
    for (j, (column, &place)) in columns.zip(places).enumerate() {
        let column = &column.as_flattened()[front.width + j..];
        let to = to[place as usize * parent.depth..][..parent.depth].as_flattened_mut();
        for (&place, x) in places[j..].iter().zip(column) {
            to[place as usize] += x;
        }
    }
}

/// Column by column from the last: with `l = L[k+1.., k] / L[k, k]`,
///
/// ```text
/// Z[k+1.., k] = −Z[k+1.., k+1..] l,   Z[k, k] = 1 / L[k, k]² − lᵀ Z[k+1.., k]
/// ```
///
/// where Z takes the place of L.
struct Invert<'a>(&'a mut Fronts);

impl Work for Invert<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Fronts { fronts, in_parent, numbers, pivots, .. } = self.0;
        let mut room = [[0.0; LANES]; HIGH / LANES];
        for front in fronts.iter().rev() {
            let (before, known) = numbers.split_at_mut(front.lanes().end);
            let own = &mut before[front.start..];
            if !front.below.is_empty() {
                let parent = &fronts[front.parent];
                let from = &known[parent.start - front.lanes().end..][..parent.lanes().len()];
                copy_from_parent(front, &in_parent[front.below.clone()], own, parent, from);
            }
            for k in (0..front.width).rev() {
                let pivot = pivots[front.first_column + k];
                invert_column::<FMA>(own, front.depth, k, front.height(), pivot, &mut room);
            }
        }
    }
}

/// The inverse at the rows below a front stands in its parent's.
#[inline(always)]
fn copy_from_parent(
    front: &Front,
    places: &[u32],
    own: &mut [Lanes],
    parent: &Front,
    from: &[Lanes],
) {
    let columns = own[front.width * front.depth..].chunks_exact_mut(front.depth);
    for (column, &place) in columns.zip(places) {
        let from = from[place as usize * parent.depth..][..parent.depth].as_flattened();
        let to = &mut column.as_flattened_mut()[front.width..];
        for (to, &place) in to.iter_mut().zip(places) {
            *to = from[place as usize];
        }
    }
}

#[inline(always)]
fn invert_column<const FMA: bool>(
    numbers: &mut [Lanes],
    depth: usize,
    k: usize,
    height: usize,
    pivot: f64,
    room: &mut [Lanes; HIGH / LANES],
) {
    let (left, known) = numbers.split_at_mut((k + 1) * depth);
    let column = &mut left[k * depth..];
    let products = &mut room[..depth];
    let by = &column.as_flattened()[k + 1..height];
    let mut top = (k + 1) / LANES;
    while top < depth {
        match depth - top {
            1 => products[top..].copy_from_slice(&multiply::<FMA, 1>(known, depth, top, by)),
            2 => products[top..].copy_from_slice(&multiply::<FMA, 2>(known, depth, top, by)),
            3 => products[top..].copy_from_slice(&multiply::<FMA, 3>(known, depth, top, by)),
            _ => {
                let strip = multiply::<FMA, STRIP>(known, depth, top, by);
                products[top..top + STRIP].copy_from_slice(&strip);
            }
        }
        top += STRIP;
    }
    let (top, lane) = (k / LANES, k % LANES);
    let mut along = [0.0; LANES];
    let (column, products) = (&mut column[top..], &mut products[top..]);
    // What stands above the diagonal is not wanted.
    let (mut head, bits) = (products[0], AFTER[lane]);
    for at in 0..LANES {
        head[at] = f64::from_bits(head[at].to_bits() & bits[at]);
    }
    products[0] = head;
    for (lanes, product) in column.iter_mut().zip(products) {
        let found = times(*product, -pivot);
        for lane in 0..LANES {
            along[lane] = fused::<FMA>(found[lane], lanes[lane], along[lane]);
        }
        *lanes = found;
    }
    column[0][lane] = (pivot - sum(&along)) * pivot;
    let below = &column.as_flattened()[lane + 1..];
    for (other, x) in known.chunks_exact_mut(depth).zip(below) {
        other[top][lane] = *x;
    }
}

/// `S` lanes from `top` on of the sum of columns times numbers.
#[inline(always)]
fn multiply<const FMA: bool, const S: usize>(
    columns: &[Lanes],
    depth: usize,
    top: usize,
    by: &[f64],
) -> [Lanes; S] {
    let mut even = [[0.0; LANES]; S];
    let mut odd = [[0.0; LANES]; S];
    let mut twos = by.chunks_exact(2);
    let mut columns = columns.chunks_exact(depth);
    for by in &mut twos {
        if let (Some(a), Some(b)) = (columns.next(), columns.next()) {
            let (a, b) = (&a[top..][..S], &b[top..][..S]);
            for s in 0..S {
                add::<FMA>(&mut even[s], by[0], &a[s]);
                add::<FMA>(&mut odd[s], by[1], &b[s]);
            }
        }
    }
    if let (Some(a), [by]) = (columns.next(), twos.remainder()) {
        let a = &a[top..][..S];
        for s in 0..S {
            add::<FMA>(&mut even[s], *by, &a[s]);
        }
    }
    for s in 0..S {
        for lane in 0..LANES {
            even[s][lane] += odd[s][lane];
        }
    }
    even
}

struct Forward<'a, const P: usize>(&'a Fronts, [&'a mut [Lanes]; P]);

impl<const P: usize> Work for Forward<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self(Fronts { fronts, below, numbers, pivots, .. }, panels) = self;
        for front in fronts {
            let (width, depth) = (front.width, front.depth);
            let columns = &numbers[front.lanes()];
            for k in 0..width {
                let row = front.first_column + k;
                let sums = left_of::<FMA, P>(front, &columns[..k * depth], k, &panels, row);
                for p in 0..P {
                    panels[p][row] = times(sums[p], pivots[row]);
                }
            }
            for (i, &row) in (width..).zip(&below[front.below.clone()]) {
                let sums = left_of::<FMA, P>(front, &columns[..width * depth], i, &panels, row);
                for p in 0..P {
                    panels[p][row] = sums[p];
                }
            }
        }
    }
}

/// What is left of a row of each panel, the row `i` of the front, once `columns` of the front are
/// taken out.
#[inline(always)]
fn left_of<const FMA: bool, const P: usize>(
    front: &Front,
    columns: &[Lanes],
    i: usize,
    panels: &[&mut [Lanes]; P],
    row: usize,
) -> [Lanes; P] {
    let mut sums: [Lanes; P] = std::array::from_fn(|p| panels[p][row]);
    for (k, column) in columns.chunks_exact(front.depth).enumerate() {
        let by = -column[i / LANES][i % LANES];
        for p in 0..P {
            add::<FMA>(&mut sums[p], by, &panels[p][front.first_column + k]);
        }
    }
    sums
}

struct Backward<'a>(&'a Fronts, &'a mut [Lanes]);

impl Work for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self(Fronts { fronts, below: all_below, numbers, pivots, .. }, rows) = self;
        for front in fronts.iter().rev() {
            let (width, depth) = (front.width, front.depth);
            let columns = numbers[front.lanes()].chunks_exact(depth).take(width);
            let (own, below) = rows[front.first_column..].split_at_mut(width);
            for (k, column) in columns.enumerate().rev() {
                let column = column.as_flattened();
                let mut sum = own[k];
                for (&row, by) in all_below[front.below.clone()].iter().zip(&column[width..]) {
                    add::<FMA>(&mut sum, -by, &below[row - front.first_column - width]);
                }
                for (own, by) in own[k + 1..].iter().zip(&column[k + 1..]).rev() {
                    add::<FMA>(&mut sum, -by, own);
                }
                own[k] = times(sum, pivots[front.first_column + k]);
            }
        }
    }
}

#[inline(always)]
fn times(mut lanes: Lanes, factor: f64) -> Lanes {
    for x in &mut lanes {
        *x *= factor;
    }
    lanes
}
