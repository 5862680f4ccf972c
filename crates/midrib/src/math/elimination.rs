//! The order in which the unknowns of a sparse definite matrix are taken out, and the blocks of
//! columns that its factor then has.

use std::ops::Range;

use super::lanes::LANES;
use super::linear_program::FactorPattern;
use super::simd::{Work, dispatch};

/// Bits of a word.
const BITS: usize = u64::BITS as usize;
/// Words that are worked on at once.
const WORDS: usize = 8;
/// Sets of at most this many unknowns are held as bits: 2 MB, as much as is soon read.
const FEW: usize = 4096;
/// Low bits of a key: the unknown.
const UNKNOWN: u32 = u16::BITS;
/// The key of what is taken out.
const GONE: u32 = u32::MAX;

type Words = [u64; WORDS];

/// The blocks of a factor's columns, each after those that it takes from.
pub(crate) struct Elimination {
    pub blocks: Vec<Columns>,
    /// The rows below each block, in ascending order, block after block.
    pub below: Vec<usize>,
    /// The place of each unknown in the order of the factor.
    pub places: Vec<usize>,
}

/// Columns that have the same rows.
pub(crate) struct Columns {
    pub columns: Range<usize>,
    /// Where the rows below stand among those of all.
    pub below: Range<usize>,
}

impl Columns {
    pub fn height(&self) -> usize {
        self.columns.len() + self.below.len()
    }
}

impl Elimination {
    /// The blocks of a factor whose pattern is known; nothing if it has none or is not ordered.
    pub fn of(pattern: &FactorPattern) -> Option<Self> {
        let symbolic = pattern.blocks()?;
        let mut below = Vec::new();
        let blocks = (0..symbolic.n_supernodes()).map(|b| {
            let start = below.len();
            below.extend_from_slice(symbolic.supernode(b).pattern());
            let columns = symbolic.supernode_begin()[b]..symbolic.supernode_end()[b];
            Columns { columns, below: start..below.len() }
        });
        Some(Self { blocks: blocks.collect(), places: pattern.places()?.to_vec(), below })
    }

    /// Takes out the unknown with the fewest neighbours first, and makes these neighbours of one
    /// another (George1989). Nothing if there are so many unknowns that lists of neighbours are
    /// better than sets of bits, or if a block has more than `most` rows.
    ///
    /// The matrix is given by its lower triangle, diagonal included, in compressed columns.
    pub fn by_bits(column_starts: &[usize], row_indices: &[usize], most: usize) -> Option<Self> {
        let n = column_starts.len() - 1;
        if n > FEW {
            return None;
        }
        let mut sets = Sets::new(n);
        for (column, ends) in column_starts.windows(2).enumerate() {
            for &row in &row_indices[ends[0]..ends[1]] {
                sets.insert(column, row);
                sets.insert(row, column);
            }
        }
        let taken = dispatch(TakeOut { sets: &mut sets, most })?;
        Some(joined(&taken, &sets, most))
    }
}

/// A set of unknowns for each unknown.
struct Sets {
    words: Vec<Words>,
    /// Words of a set.
    width: usize,
}

impl Sets {
    fn new(n: usize) -> Self {
        let width = n.div_ceil(WORDS * BITS).max(1);
        Self { words: vec![[0; WORDS]; n * width], width }
    }

    #[inline(always)]
    fn of(&self, unknown: usize) -> &[Words] {
        &self.words[unknown * self.width..][..self.width]
    }

    fn insert(&mut self, unknown: usize, other: usize) {
        let words = &mut self.words[unknown * self.width..][..self.width];
        words.as_flattened_mut()[other / BITS] |= 1 << (other % BITS);
    }
}

/// Calls `visit` with each member of a set, in ascending order.
#[inline(always)]
fn for_each_member(set: &[Words], mut visit: impl FnMut(usize)) {
    for (at, &word) in set.as_flattened().iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit(at * BITS + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[inline(always)]
fn count(set: &[Words]) -> u32 {
    let mut counts = [0; WORDS];
    for words in set {
        for at in 0..WORDS {
            counts[at] += u64::from(words[at].count_ones());
        }
    }
    counts.iter().sum::<u64>() as u32
}

/// The unknowns in the order in which they are taken out, and where those that go together start.
struct Taken {
    order: Vec<usize>,
    starts: Vec<usize>,
}

/// Takes out all unknowns, unless a set has more than `most` members then. The sets, at first of
/// the neighbours of each unknown and itself, become those of the neighbours left when the unknowns
/// that go together are out; of several that do, the set of the first.
struct TakeOut<'a> {
    sets: &'a mut Sets,
    most: usize,
}

impl Work for TakeOut<'_> {
    type Output = Option<Taken>;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Option<Taken> {
        let Sets { words, width } = self.sets;
        let width = *width;
        let n = words.len() / width;
        // The number of neighbours, then the unknown.
        let key = |set: &[Words], unknown: usize| (count(set) << UNKNOWN) | unknown as u32;
        let mut keys: Vec<u32> =
            words.chunks_exact(width).zip(0..).map(|(set, i)| key(set, i)).collect();
        let mut taken = Taken { order: Vec::with_capacity(n), starts: vec![0] };
        let mut left = vec![[0; WORDS]; width];
        let mut members = Vec::with_capacity(n);
        while taken.order.len() < n {
            let least = keys.iter().fold(GONE, |least, key| least.min(*key));
            let first = (least & ((1 << UNKNOWN) - 1)) as usize;
            if (least >> UNKNOWN) as usize > self.most {
                return None;
            }
            left.copy_from_slice(&words[first * width..][..width]);
            members.clear();
            for_each_member(&left, |member| {
                // No other has fewer neighbours: who has no others has the same.
                let has_same = keys[member] >> UNKNOWN == least >> UNKNOWN
                    && words[member * width..][..width] == words[first * width..][..width];
                if has_same {
                    taken.order.push(member);
                } else {
                    members.push(member);
                }
            });
            let start = taken.starts[taken.starts.len() - 1];
            for &gone in &taken.order[start..] {
                keys[gone] = GONE;
                left.as_flattened_mut()[gone / BITS] &= !(1 << (gone % BITS));
            }
            taken.starts.push(taken.order.len());
            let (before, own) = words.split_at_mut(first * width);
            let (own, after) = own.split_at_mut(width);
            for &member in &members {
                let set = match member.checked_sub(first + 1) {
                    Some(at) => &mut after[at * width..][..width],
                    None => &mut before[member * width..][..width],
                };
                for ((set, own), left) in set.iter_mut().zip(&*own).zip(&left) {
                    for at in 0..WORDS {
                        set[at] = (set[at] & !own[at]) | left[at];
                    }
                }
                keys[member] = key(set, member);
            }
            own.copy_from_slice(&left);
        }
        Some(taken)
    }
}

/// About what the work on a block costs: products in lanes, sums handed on one by one, and what any
/// block takes. Of the bench's fits the least time is wide around these numbers.
fn cost(width: usize, below: usize) -> usize {
    let height = width + below;
    2 * width * height * height.div_ceil(LANES) + 2 * below * below + 200
}

/// The blocks of what is taken out together, joined where that saves work and makes no more than
/// `most` rows.
fn joined(taken: &Taken, sets: &Sets, most: usize) -> Elimination {
    let Taken { order, starts } = taken;
    let n_parts = starts.len() - 1;
    let mut part_of = vec![0; order.len()];
    for (part, ends) in starts.windows(2).enumerate() {
        order[ends[0]..ends[1]].iter().for_each(|&unknown| part_of[unknown] = part);
    }
    // Each part goes with itself or with the part that takes from it first.
    let mut block_of: Vec<usize> = (0..n_parts).collect();
    let mut widths: Vec<usize> = starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let set_of = |part: usize| sets.of(order[starts[part]]);
    let belows: Vec<usize> = (0..n_parts).map(|part| count(set_of(part)) as usize).collect();
    for part in 0..n_parts {
        let mut parent = n_parts;
        for_each_member(set_of(part), |row| parent = parent.min(part_of[row]));
        if parent == n_parts {
            continue;
        }
        let apart = cost(widths[part], belows[part]) + cost(widths[parent], belows[parent]);
        let width = widths[part] + widths[parent];
        if width + belows[parent] <= most && cost(width, belows[parent]) <= apart {
            widths[parent] = width;
            block_of[part] = parent;
        }
    }
    for part in (0..n_parts).rev() {
        block_of[part] = block_of[block_of[part]];
    }
    let mut next = vec![0; n_parts];
    let mut start = 0;
    for part in (0..n_parts).filter(|&part| block_of[part] == part) {
        next[part] = start;
        start += widths[part];
    }
    let mut places = vec![0; order.len()];
    for (part, ends) in starts.windows(2).enumerate() {
        for &unknown in &order[ends[0]..ends[1]] {
            places[unknown] = next[block_of[part]];
            next[block_of[part]] += 1;
        }
    }
    let mut below = Vec::new();
    let blocks = (0..n_parts).filter(|&part| block_of[part] == part).map(|part| {
        let start = below.len();
        for_each_member(set_of(part), |row| below.push(places[row]));
        below[start..].sort_unstable();
        Columns { columns: next[part] - widths[part]..next[part], below: start..below.len() }
    });
    Elimination { blocks: blocks.collect(), below, places }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The lower triangle of a matrix with these entries off its diagonal, in compressed columns.
    fn lower_triangle(n: usize, pairs: &BTreeSet<(usize, usize)>) -> (Vec<usize>, Vec<usize>) {
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for column in 0..n {
            rows.push(column);
            rows.extend(pairs.range((column, 0)..(column + 1, 0)).map(|pair| pair.1));
            starts.push(rows.len());
        }
        (starts, rows)
    }

    /// The neighbours of each unknown in the order of `places` when it is taken out.
    fn factor(
        n: usize,
        pairs: &BTreeSet<(usize, usize)>,
        places: &[usize],
    ) -> Vec<BTreeSet<usize>> {
        let mut rows = vec![BTreeSet::new(); n];
        for &(a, b) in pairs {
            let (a, b) = (places[a], places[b]);
            rows[a.min(b)].insert(a.max(b));
        }
        for column in 0..n {
            let below = rows[column].clone();
            for &row in &below {
                rows[row].extend(below.range(row + 1..));
            }
        }
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn blocks_hold_the_whole_factor(
            n in 1_usize..700,
            ends in proptest::collection::vec((0_usize..700, 1_usize..40), 0..900),
            most in prop::sample::select(vec![4, 12, 40, 700]),
        ) {
            let pairs: BTreeSet<(usize, usize)> =
                ends.into_iter().map(|(a, by)| (a % n, a % n + by)).filter(|pair| pair.1 < n).collect();
            let (starts, rows) = lower_triangle(n, &pairs);
            let Some(found) = Elimination::by_bits(&starts, &rows, most) else {
                prop_assert!(most < n);
                return Ok(());
            };
            prop_assert!(found.blocks.iter().all(|block| block.height() <= most));
            let places: BTreeSet<usize> = found.places.iter().copied().collect();
            prop_assert!(places.into_iter().eq(0..n));
            let factor = factor(n, &pairs, &found.places);
            let mut next = 0;
            for block in &found.blocks {
                let below = &found.below[block.below.clone()];
                prop_assert_eq!(block.columns.start, next);
                next = block.columns.end;
                prop_assert!(below.is_sorted() && below.iter().all(|&row| row >= next));
                for column in block.columns.clone() {
                    let is_held = |row: &usize| *row < next || below.binary_search(row).is_ok();
                    prop_assert!(factor[column].iter().all(is_held));
                }
            }
            prop_assert_eq!(next, n);
        }
    }

    #[test]
    fn a_chain_fills_nothing() {
        let n = 1000;
        let pairs: BTreeSet<(usize, usize)> = (1..n).map(|i| (i - 1, i)).collect();
        let (starts, rows) = lower_triangle(n, &pairs);
        let found = Elimination::by_bits(&starts, &rows, n).unwrap();
        let filled: usize = factor(n, &pairs, &found.places).iter().map(BTreeSet::len).sum();
        assert_eq!(filled, n - 1);
    }

    #[test]
    fn high_blocks_are_not_made() {
        let all = (0..20).flat_map(|a| (a + 1..20).map(move |b| (a, b))).collect();
        let (starts, rows) = lower_triangle(20, &all);
        assert!(Elimination::by_bits(&starts, &rows, 19).is_none());
        assert_eq!(Elimination::by_bits(&starts, &rows, 20).unwrap().blocks.len(), 1);
    }

    #[test]
    fn many_unknowns_are_left_to_lists() {
        let (starts, rows) = lower_triangle(FEW + 1, &BTreeSet::new());
        assert!(Elimination::by_bits(&starts, &rows, FEW).is_none());
    }
}
