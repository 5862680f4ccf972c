//! The order in which the unknowns of a sparse matrix are taken out, and what each leaves behind.
//!
//! Taking out an unknown joins all that it is joined with. The one with the fewest neighbours goes
//! first, or nearly so: what is counted is a bound that is found without looking at each
//! neighbour (Amestoy1996). The matrix is a sum of cliques, and stays one: the cliques of an
//! unknown that is taken out become one without it.

use std::ops::Range;

const NONE: u32 = u32::MAX;

/// Sets of unknowns. Those of a set, and no others, meet one another in the matrix.
pub(super) struct Cliques {
    pub n_unknowns: usize,
    starts: Vec<u32>,
    members: Vec<u32>,
}

/// The unknowns in the order in which they are taken out, in blocks that leave the same behind.
pub(super) struct Elimination {
    pub blocks: Vec<Taken>,
    /// The unknowns of the blocks, one block after the other.
    pub columns: Vec<u32>,
    /// The unknowns that are joined by taking out a block, in no order.
    pub below: Vec<u32>,
}

/// A block of unknowns.
pub(super) struct Taken {
    pub columns: Range<usize>,
    pub below: Range<usize>,
    /// A later block that has, or leaves behind, all of those below; nothing if there are none.
    pub parent: Option<usize>,
}

impl Cliques {
    pub fn new<C>(n_unknowns: usize, cliques: impl Iterator<Item = C>) -> Self
    where
        C: Iterator<Item = usize>,
    {
        let (mut starts, mut members) = (vec![0], Vec::new());
        for clique in cliques {
            members.extend(clique.map(|unknown| unknown as u32));
            starts.push(members.len() as u32);
        }
        Self { n_unknowns, starts, members }
    }

    pub fn take_out(&self) -> Elimination {
        Quotient::new(self).take_out_all()
    }
}

/// What is left of the matrix: cliques, and unknowns that stand for all that cannot be told from
/// them.
struct Quotient {
    cliques: Vec<Clique>,
    /// The members of the cliques; some may have been taken out or joined with others.
    members: Vec<u32>,
    unknowns: Vec<Unknown>,
    /// The living cliques of each unknown, and some dead ones.
    cliques_of: Vec<u32>,
    /// The first unknown of each degree.
    heads: Vec<u32>,
    /// For each key the stamp of a clique and the first of its members under the key: out of date
    /// unless that is the present stamp.
    alike: Vec<(u32, u32)>,
    least_degree: usize,
    /// Counts the unknowns that were taken out.
    stamp: u32,
}

#[derive(Clone)]
struct Clique {
    members: Range<usize>,
    /// The number of its members, with all that they stand for.
    size: u32,
    is_alive: bool,
    /// The clique that it went into.
    parent: u32,
    /// How many of its members are outside the latest clique, if `stamp` is its number.
    outside: u32,
    stamp: u32,
}

#[derive(Clone)]
struct Unknown {
    first_clique: u32,
    n_cliques: u32,
    /// How many it stands for; 0 if another stands for it or it is taken out.
    weight: u32,
    /// The others that it stands for.
    next_member: u32,
    last_member: u32,
    /// A bound of the number of its neighbours.
    degree: u32,
    /// Neighbours in the list of unknowns of the same degree, or of members under the same key.
    next: u32,
    previous: u32,
    stamp: u32,
}

impl Quotient {
    fn new(cliques: &Cliques) -> Self {
        let n = cliques.n_unknowns;
        let blank = Unknown {
            first_clique: 0,
            n_cliques: 0,
            weight: 1,
            next_member: NONE,
            last_member: NONE,
            degree: 0,
            next: NONE,
            previous: NONE,
            stamp: 0,
        };
        let mut unknowns = vec![blank; n];
        for &member in &cliques.members {
            unknowns[member as usize].n_cliques += 1;
        }
        let mut first = 0;
        for (number, unknown) in unknowns.iter_mut().enumerate() {
            unknown.first_clique = first;
            unknown.last_member = number as u32;
            first += unknown.n_cliques;
            unknown.n_cliques = 0;
        }
        let mut own = Vec::with_capacity(cliques.starts.len() + n);
        let mut cliques_of = vec![0; cliques.members.len()];
        for (number, ends) in cliques.starts.windows(2).enumerate() {
            own.push(Clique::new(ends[0] as usize..ends[1] as usize, ends[1] - ends[0]));
            for &member in &cliques.members[ends[0] as usize..ends[1] as usize] {
                let unknown = &mut unknowns[member as usize];
                cliques_of[(unknown.first_clique + unknown.n_cliques) as usize] = number as u32;
                unknown.n_cliques += 1;
                unknown.degree += ends[1] - ends[0] - 1;
            }
        }
        let mut members = Vec::with_capacity(4 * cliques.members.len());
        members.extend_from_slice(&cliques.members);
        let heads = vec![NONE; n + 1];
        let mut quotient = Self {
            cliques: own,
            members,
            unknowns,
            cliques_of,
            heads,
            alike: vec![(0, NONE); n.max(1)],
            least_degree: n,
            stamp: 0,
        };
        for unknown in (0..n).rev() {
            quotient.insert(unknown, n);
        }
        quotient
    }

    fn take_out_all(mut self) -> Elimination {
        let n_given = self.cliques.len();
        let mut left = self.unknowns.len();
        let mut columns = Vec::with_capacity(left);
        let (mut blocks, mut below) = (Vec::new(), Vec::new());
        while left > 0 {
            let pivot = self.pop();
            self.take_out(pivot, left);
            let (first_column, first_below) = (columns.len(), below.len());
            self.append_members(pivot, &mut columns);
            let last = &self.cliques[self.cliques.len() - 1];
            for at in last.members.clone() {
                self.append_members(self.members[at] as usize, &mut below);
            }
            left -= columns.len() - first_column;
            blocks.push(Taken {
                columns: first_column..columns.len(),
                below: first_below..below.len(),
                parent: None,
            });
        }
        for (block, clique) in blocks.iter_mut().zip(&self.cliques[n_given..]) {
            block.parent = (clique.parent != NONE).then(|| clique.parent as usize - n_given);
        }
        Elimination { blocks, columns, below }
    }

    /// Takes an unknown out, of so many that are left. It comes to stand for those that have no
    /// neighbours beyond its own, and its cliques become one.
    fn take_out(&mut self, pivot: usize, left: usize) {
        self.stamp += 1;
        let new = self.cliques.len() as u32;
        let start = self.members.len();
        let mut size = self.join_cliques(pivot, new);
        self.count_outside(start);
        let pivot_alone = self.unknowns[pivot].weight;
        self.renew_cliques(pivot, new, start);
        size -= self.unknowns[pivot].weight - pivot_alone;
        self.renew_degrees(start, size, left - self.unknowns[pivot].weight as usize);
        self.unknowns[pivot].weight = 0;
        self.cliques.push(Clique::new(start..self.members.len(), size));
    }

    /// Appends the members of all cliques of the pivot; gives what they stand for.
    fn join_cliques(&mut self, pivot: usize, new: u32) -> u32 {
        self.unknowns[pivot].stamp = self.stamp;
        let mut size = 0;
        for at in self.cliques_at(pivot) {
            let clique = &mut self.cliques[self.cliques_of[at] as usize];
            if !clique.is_alive {
                continue;
            }
            clique.go_into(new);
            for at in clique.members.clone() {
                let member = self.members[at];
                let unknown = &mut self.unknowns[member as usize];
                if unknown.weight > 0 && unknown.stamp != self.stamp {
                    unknown.stamp = self.stamp;
                    size += unknown.weight;
                    self.members.push(member);
                }
            }
        }
        size
    }

    /// Takes the new clique's members from the lists of degrees, and counts for each of their
    /// cliques how many others it has.
    fn count_outside(&mut self, start: usize) {
        for at in start..self.members.len() {
            let member = self.members[at] as usize;
            self.remove(member);
            let weight = self.unknowns[member].weight;
            for at in self.cliques_at(member) {
                let clique = &mut self.cliques[self.cliques_of[at] as usize];
                if clique.stamp != self.stamp {
                    clique.stamp = self.stamp;
                    clique.outside = clique.size;
                }
                clique.outside -= weight * u32::from(clique.is_alive);
            }
        }
    }

    /// The new clique takes the place of those within it. Members of no other are taken out with
    /// the pivot.
    fn renew_cliques(&mut self, pivot: usize, new: u32, start: usize) {
        let mut end = start;
        for at in start..self.members.len() {
            let member = self.members[at] as usize;
            let cliques = self.cliques_at(member);
            let first = cliques.start;
            let mut kept = 0;
            for at in cliques {
                let number = self.cliques_of[at];
                let clique = &mut self.cliques[number as usize];
                if clique.is_alive && clique.outside == 0 {
                    clique.go_into(new);
                } else if clique.is_alive {
                    self.cliques_of[first + kept] = number;
                    kept += 1;
                }
            }
            // The clique that it shared with the pivot is gone, so there is room for another.
            self.cliques_of[first + kept] = self.cliques_of[first];
            self.cliques_of[first] = new;
            self.unknowns[member].n_cliques = kept as u32 + 1;
            if kept == 0 {
                self.stand_for(pivot, member);
            } else {
                self.members[end] = member as u32;
                end += 1;
            }
        }
        self.members.truncate(end);
    }

    /// Counts the neighbours of the new clique's members, and joins those of the same cliques.
    fn renew_degrees(&mut self, start: usize, size: u32, left: usize) {
        for at in start..self.members.len() {
            let member = self.members[at] as usize;
            let (mut outside, mut key) = (0, 0_u32);
            for at in self.cliques_at(member).skip(1) {
                let number = self.cliques_of[at];
                outside += self.cliques[number as usize].outside;
                key = key.wrapping_add(number);
            }
            let unknown = &mut self.unknowns[member];
            let others = size - unknown.weight;
            unknown.degree = (unknown.degree + others).min(outside + others);
            self.join_with_same(member, key as usize % self.alike.len());
        }
        let mut end = start;
        for at in start..self.members.len() {
            let member = self.members[at] as usize;
            if self.unknowns[member].weight > 0 {
                self.members[end] = member as u32;
                end += 1;
                self.insert(member, left);
            }
        }
        self.members.truncate(end);
    }

    /// Lists a member of the new clique under its key, unless one of the same cliques is there.
    fn join_with_same(&mut self, member: usize, key: usize) {
        let (stamp, head) = self.alike[key];
        let head = if stamp == self.stamp { head } else { NONE };
        let mut other = head;
        while other != NONE {
            if self.are_same(other as usize, member) {
                self.unknowns[other as usize].degree -= self.unknowns[member].weight;
                self.stand_for(other as usize, member);
                return;
            }
            other = self.unknowns[other as usize].next;
        }
        self.unknowns[member].next = head;
        self.alike[key] = (self.stamp, member as u32);
    }

    fn are_same(&self, one: usize, other: usize) -> bool {
        let (of_one, of_other) = (self.cliques_at(one), self.cliques_at(other));
        of_one.len() == of_other.len() && {
            let cliques = &self.cliques_of[of_one];
            self.cliques_of[of_other].iter().all(|clique| cliques.contains(clique))
        }
    }

    /// One unknown comes to stand for another and all that this stands for.
    fn stand_for(&mut self, one: usize, other: usize) {
        self.unknowns[one].weight += self.unknowns[other].weight;
        self.unknowns[other].weight = 0;
        let last = self.unknowns[one].last_member;
        self.unknowns[last as usize].next_member = other as u32;
        self.unknowns[one].last_member = self.unknowns[other].last_member;
    }

    fn append_members(&self, unknown: usize, to: &mut Vec<u32>) {
        let mut member = unknown as u32;
        while member != NONE {
            to.push(member);
            member = self.unknowns[member as usize].next_member;
        }
    }

    /// Where the cliques of an unknown are listed.
    fn cliques_at(&self, unknown: usize) -> Range<usize> {
        let Unknown { first_clique, n_cliques, .. } = self.unknowns[unknown];
        first_clique as usize..(first_clique + n_cliques) as usize
    }

    /// Puts an unknown into the list of its degree, which is below the number of all that are left.
    fn insert(&mut self, number: usize, left: usize) {
        let unknown = &mut self.unknowns[number];
        unknown.degree = unknown.degree.min((left as u32).saturating_sub(unknown.weight));
        let degree = unknown.degree as usize;
        unknown.next = self.heads[degree];
        unknown.previous = NONE;
        if self.heads[degree] != NONE {
            self.unknowns[self.heads[degree] as usize].previous = number as u32;
        }
        self.heads[degree] = number as u32;
        self.least_degree = self.least_degree.min(degree);
    }

    fn remove(&mut self, number: usize) {
        let Unknown { next, previous, degree, .. } = self.unknowns[number];
        if previous == NONE {
            self.heads[degree as usize] = next;
        } else {
            self.unknowns[previous as usize].next = next;
        }
        if next != NONE {
            self.unknowns[next as usize].previous = previous;
        }
    }

    /// Takes an unknown of least degree from its list.
    fn pop(&mut self) -> usize {
        while self.heads[self.least_degree] == NONE {
            self.least_degree += 1;
        }
        let number = self.heads[self.least_degree] as usize;
        self.remove(number);
        number
    }
}

impl Clique {
    fn new(members: Range<usize>, size: u32) -> Self {
        Self { members, size, is_alive: true, parent: NONE, outside: 0, stamp: 0 }
    }

    fn go_into(&mut self, parent: u32) {
        self.is_alive = false;
        self.parent = parent;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_left_behind_is_what_plain_elimination_leaves(
            n_unknowns in 1_usize..60,
            draws in proptest::collection::vec(proptest::collection::btree_set(0_usize..60, 1..9), 0..40),
        ) {
            let cliques: Vec<BTreeSet<usize>> = draws
                .into_iter()
                .map(|clique| clique.into_iter().filter(|v| *v < n_unknowns).collect())
                .collect();
            let given = Cliques::new(n_unknowns, cliques.iter().map(|c| c.iter().copied()));
            let found = given.take_out();

            let mut neighbors = vec![BTreeSet::new(); n_unknowns];
            for clique in &cliques {
                for &v in clique {
                    neighbors[v].extend(clique.iter().filter(|&&other| other != v));
                }
            }
            let mut place = vec![usize::MAX; n_unknowns];
            for (number, block) in found.blocks.iter().enumerate() {
                for &column in &found.columns[block.columns.clone()] {
                    prop_assert_eq!(place[column as usize], usize::MAX);
                    place[column as usize] = number;
                }
            }
            prop_assert!(place.iter().all(|&place| place < found.blocks.len()));
            for (number, block) in found.blocks.iter().enumerate() {
                let columns = &found.columns[block.columns.clone()];
                let below: BTreeSet<usize> =
                    found.below[block.below.clone()].iter().map(|&v| v as usize).collect();
                prop_assert_eq!(below.len(), block.below.len());
                for &column in columns {
                    // All that are left of its neighbours.
                    let left = std::mem::take(&mut neighbors[column as usize]);
                    let expected: BTreeSet<usize> =
                        left.iter().copied().filter(|&v| place[v] > number).collect();
                    prop_assert_eq!(&expected, &below);
                    for &v in &left {
                        neighbors[v].remove(&(column as usize));
                        neighbors[v].extend(left.iter().filter(|&&other| other != v));
                    }
                }
                prop_assert_eq!(block.parent.is_none(), below.is_empty());
                if let Some(parent) = block.parent {
                    prop_assert!(parent > number);
                    let rows = &found.below[found.blocks[parent].below.clone()];
                    let has = |v: &usize| place[*v] == parent || rows.contains(&(*v as u32));
                    prop_assert!(below.iter().all(has));
                }
            }
        }
    }

    #[test]
    fn the_end_of_a_chain_goes_first() {
        // Any other order of a chain of pairs joins unknowns that are not joined.
        let chain = Cliques::new(50, (0..49).map(|v| [v, v + 1].into_iter()));
        assert!(chain.take_out().blocks.iter().all(|block| block.below.len() <= 1));
    }
}
