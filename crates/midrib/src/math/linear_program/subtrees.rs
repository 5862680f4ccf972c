//! Parts of a sparse factor that need not wait for one another.
//!
//! A block of columns waits for the blocks below it in the elimination tree alone. Cut off the top
//! of the tree, and what falls apart can be worked on side by side. The cut depends on the factor,
//! not on the number of threads.

/// No part has more than this share of the work: enough parts for the threads of a laptop.
const SHARE: f64 = 1.0 / 16.0;
/// Multiplications, about a tenth of a millisecond, below which waking threads takes longer.
const LITTLE: f64 = 1e6;

/// The blocks of each part, and of the top, all in ascending order.
pub(super) struct Subtrees {
    pub parts: Vec<Vec<usize>>,
    pub top: Vec<usize>,
}

impl Subtrees {
    /// Takes the parent of each block, which comes after it, and the work on each.
    pub fn new(parents: &[Option<usize>], work: &[f64]) -> Self {
        let mut below = work.to_vec();
        for (block, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                below[*parent] += below[block];
            }
        }
        let total: f64 = work.iter().sum();
        let most = if total < LITTLE { 0.0 } else { SHARE * total };
        // The root of each block's subtree; none at the top.
        let mut roots = vec![None; work.len()];
        for block in (0..work.len()).rev().filter(|&block| below[block] <= most) {
            roots[block] = parents[block].and_then(|parent| roots[parent]).or(Some(block));
        }
        let (mut parts, mut room) = (Vec::new(), 0.0);
        let mut part_of = vec![0; work.len()];
        for root in (0..work.len()).filter(|&block| roots[block] == Some(block)) {
            if below[root] > room {
                parts.push(Vec::new());
                room = most;
            }
            room -= below[root];
            part_of[root] = parts.len() - 1;
        }
        let mut top = Vec::new();
        for (block, root) in roots.iter().enumerate() {
            match root {
                Some(root) => parts[part_of[*root]].push(block),
                None => top.push(block),
            }
        }
        Self { parts, top }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_are_closed_and_even(
            draws in proptest::collection::vec((0.0_f64..1.0, 1.0_f64..1e5), 1..400),
        ) {
            let n = draws.len();
            let parent = |i: usize| {
                let step = 1 + (draws[i].0 * 12.0) as usize;
                (i + step < n && draws[i].0 < 0.98).then_some(i + step)
            };
            let parents: Vec<Option<usize>> = (0..n).map(parent).collect();
            let work: Vec<f64> = draws.iter().map(|draw| draw.1).collect();
            let total: f64 = work.iter().sum();
            let Subtrees { parts, top } = Subtrees::new(&parents, &work);
            prop_assert!(total >= LITTLE || parts.is_empty());
            let mut part_of = vec![usize::MAX; n];
            for (number, part) in parts.iter().enumerate() {
                prop_assert!(part.is_sorted() && !part.is_empty());
                let own: f64 = part.iter().map(|&block| work[block]).sum();
                prop_assert!(own <= SHARE * total * (1.0 + 1e-9));
                part.iter().for_each(|&block| part_of[block] = number);
            }
            prop_assert!(top.is_sorted());
            prop_assert_eq!(top.len() + parts.iter().map(Vec::len).sum::<usize>(), n);
            for (block, parent) in parents.iter().enumerate() {
                if let Some(parent) = parent {
                    // What a block of a part waits for is in the part.
                    let stays = part_of[*parent] == part_of[block];
                    prop_assert!(stays || part_of[*parent] == usize::MAX);
                }
            }
        }
    }
}
