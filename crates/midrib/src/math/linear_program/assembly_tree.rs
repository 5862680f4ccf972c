//! The dense blocks of a sparse factor, and which of them waits for which (Duff1983).
//!
//! A front is a block of columns of the factor with all rows that these have. What its columns leave
//! to the rows below, a square, is added to a later front that has all of these, its parent. Cut off
//! the top of the tree of fronts, and what falls apart can be worked on side by side. The cut depends
//! on the tree, not on the number of threads.

use std::ops::Range;

use super::minimum_degree::{Cliques, Elimination};

/// Up to this many columns a front is joined with its parent if the share of zeros that are then
/// stored stays below the second number.
const JOIN: [(usize, f64); 4] = [(4, 1.0), (24, 0.5), (48, 0.2), (usize::MAX, 0.05)];
/// No part has more than this share of the work. The smaller the parts, the larger the top: a quarter of
/// the work with a sixteenth, a tenth with a quarter, where points lie near a curve.
const SHARE: f64 = 0.25;
/// Multiplications, about a twentieth of a millisecond, below which waking threads takes longer.
const LITTLE: f64 = 1e6;

/// The fronts of a factor, each after its children; those of a part stand together, the top last.
pub(super) struct AssemblyTree {
    pub fronts: Vec<Front>,
    /// The rows below the fronts, one front after the other, each in ascending order.
    pub rows: Vec<u32>,
    /// Where these rows stand in the front's parent.
    pub in_parent: Vec<u32>,
    /// The children of the fronts, one front after the other.
    pub children: Vec<u32>,
    /// The column of each unknown, and the unknown of each column.
    pub columns: Vec<u32>,
    pub unknowns: Vec<u32>,
    /// The last one is the top.
    pub parts: Vec<Part>,
}

pub(super) struct Front {
    pub columns: Range<usize>,
    /// Where its rows below, and its children, stand among those of all.
    pub rows: Range<usize>,
    pub children: Range<usize>,
    pub part: usize,
    /// Where its columns start among the numbers of its part.
    pub start: usize,
    /// Which of the part's two rooms has its square, and where: a front's is never in the same as
    /// those of its children in the part.
    pub room: usize,
    pub place: usize,
}

/// Fronts that wait for none of another part; the top waits for all.
pub(super) struct Part {
    pub fronts: Range<usize>,
    pub columns: Range<usize>,
    /// The numbers of its columns, and of the squares in its rooms.
    pub n_numbers: usize,
    pub rooms: [usize; 2],
}

impl Front {
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    pub fn height(&self) -> usize {
        self.columns.len() + self.rows.len()
    }

    /// Where its columns stand among the numbers of its part.
    pub fn values(&self) -> Range<usize> {
        self.start..self.start + self.width() * self.height()
    }

    pub fn square(&self) -> Range<usize> {
        self.place..self.place + self.rows.len() * self.rows.len()
    }

    /// About the multiplications that its factor takes.
    pub fn work(&self) -> f64 {
        work(self.width(), self.height())
    }
}

fn work(width: usize, height: usize) -> f64 {
    width as f64 * (height as f64).powi(2)
}

/// Blocks of the elimination that become one front.
struct Draft {
    /// Its blocks, by their places in the order.
    blocks: Range<usize>,
    width: usize,
    below: Range<usize>,
    /// The zeros that joining has made.
    zeros: usize,
}

impl Draft {
    /// The share of zeros if this takes the place of it and a child.
    fn with(&self, child: &Draft) -> (usize, f64) {
        let width = self.width + child.width;
        let beyond = self.width + self.below.len() - child.below.len();
        let zeros = self.zeros + child.zeros + child.width * beyond;
        let stored = width * (width + 1) / 2 + width * self.below.len();
        (zeros, zeros as f64 / stored as f64)
    }
}

impl AssemblyTree {
    pub fn new(cliques: &Cliques) -> Self {
        let elimination = cliques.take_out();
        let order = postorder(&elimination);
        let (drafts, parents) = join(&elimination, &order);
        let (part_of, n_parts) = cut(&drafts, &parents);

        // The fronts part by part, the top, which has the greatest number, last.
        let mut in_order: Vec<usize> = (0..drafts.len()).collect();
        in_order.sort_by_key(|&draft| part_of[draft]);
        let mut number = vec![0; drafts.len()];
        in_order.iter().enumerate().for_each(|(front, &draft)| number[draft] = front);
        let mut tree = Self {
            fronts: Vec::with_capacity(drafts.len()),
            rows: Vec::with_capacity(elimination.below.len()),
            in_parent: Vec::new(),
            children: Vec::new(),
            columns: vec![0; cliques.n_unknowns],
            unknowns: Vec::with_capacity(cliques.n_unknowns),
            parts: Vec::with_capacity(n_parts),
        };
        for &draft in &in_order {
            let first = tree.unknowns.len();
            for &block in &order[drafts[draft].blocks.clone()] {
                let columns = elimination.blocks[block].columns.clone();
                tree.unknowns.extend_from_slice(&elimination.columns[columns]);
            }
            tree.fronts.push(Front {
                columns: first..tree.unknowns.len(),
                rows: 0..0,
                children: 0..0,
                part: part_of[draft],
                start: 0,
                room: 0,
                place: 0,
            });
        }
        for (column, &unknown) in tree.unknowns.iter().enumerate() {
            tree.columns[unknown as usize] = column as u32;
        }
        for (front, &draft) in tree.fronts.iter_mut().zip(&in_order) {
            let start = tree.rows.len();
            let below = &elimination.below[drafts[draft].below.clone()];
            tree.rows.extend(below.iter().map(|&unknown| tree.columns[unknown as usize]));
            tree.rows[start..].sort_unstable();
            front.rows = start..tree.rows.len();
        }
        let parents: Vec<Option<usize>> =
            in_order.iter().map(|&draft| parents[draft].map(|parent| number[parent])).collect();
        tree.find_children(&parents);
        tree.place_in_parents();
        tree.lay_out(&parents, n_parts);
        tree
    }

    fn find_children(&mut self, parents: &[Option<usize>]) {
        let mut counts = vec![0; self.fronts.len() + 1];
        parents.iter().flatten().for_each(|&parent| counts[parent + 1] += 1);
        for front in 0..self.fronts.len() {
            counts[front + 1] += counts[front];
            self.fronts[front].children = counts[front]..counts[front];
        }
        self.children = vec![0; counts[self.fronts.len()]];
        for (child, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                let children = &mut self.fronts[*parent].children;
                self.children[children.end] = child as u32;
                children.end += 1;
            }
        }
    }

    fn place_in_parents(&mut self) {
        self.in_parent = vec![0; self.rows.len()];
        let mut places = vec![0; self.unknowns.len()];
        for front in &self.fronts {
            self.place_rows(front, &mut places);
            for &child in &self.children[front.children.clone()] {
                for row in self.fronts[child as usize].rows.clone() {
                    self.in_parent[row] = places[self.rows[row] as usize];
                }
            }
        }
    }

    /// Sets where each row of a front stands in it.
    pub fn place_rows(&self, front: &Front, places: &mut [u32]) {
        let rows = front
            .columns
            .clone()
            .chain(self.rows[front.rows.clone()].iter().map(|&row| row as usize));
        rows.zip(0..).for_each(|(row, place)| places[row] = place);
    }

    /// Gives each front its place among the numbers and in the rooms of its part.
    fn lay_out(&mut self, parents: &[Option<usize>], n_parts: usize) {
        for front in (0..self.fronts.len()).rev() {
            if let Some(parent) = parents[front] {
                self.fronts[front].room = 1 - self.fronts[parent].room;
            }
        }
        let mut first = 0;
        for part in 0..n_parts {
            let end = first + self.fronts[first..].partition_point(|front| front.part == part);
            let (mut n_numbers, mut most) = (0, [0; 2]);
            // Where the next square goes; those of a front's children in the part are the last
            // in the other room, and free once they are added to it.
            let mut ends = [0; 2];
            for number in first..end {
                let front = &self.fronts[number];
                for &child in &self.children[front.children.clone()] {
                    let child = &self.fronts[child as usize];
                    if child.part == part {
                        ends[child.room] -= child.square().len();
                    }
                }
                let front = &mut self.fronts[number];
                front.start = n_numbers;
                n_numbers += front.width() * front.height();
                front.place = ends[front.room];
                ends[front.room] = front.square().end;
                most[front.room] = most[front.room].max(ends[front.room]);
            }
            let columns = self.fronts[first..end]
                .first()
                .map_or(self.unknowns.len(), |front| front.columns.start)
                ..self.fronts[first..end]
                    .last()
                    .map_or(self.unknowns.len(), |front| front.columns.end);
            self.parts.push(Part { fronts: first..end, columns, n_numbers, rooms: most });
            first = end;
        }
    }

    /// The part that waits for all others.
    pub fn top(&self) -> &Part {
        &self.parts[self.parts.len() - 1]
    }

    pub fn work(&self) -> f64 {
        self.fronts.iter().map(Front::work).sum()
    }

    /// The numbers of all columns.
    pub fn stored(&self) -> usize {
        self.parts.iter().map(|part| part.n_numbers).sum()
    }
}

/// The blocks with children before parents, the highest child next to its parent.
fn postorder(elimination: &Elimination) -> Vec<usize> {
    let blocks = &elimination.blocks;
    let mut by_height: Vec<usize> = (0..blocks.len()).collect();
    by_height.sort_by_key(|&block| blocks[block].below.len());
    // The lists of the blocks' children, the highest first; the last list is of those without parent.
    let none = usize::MAX;
    let (mut first, mut next) = (vec![none; blocks.len() + 1], vec![none; blocks.len()]);
    for &block in &by_height {
        let parent = blocks[block].parent.unwrap_or(blocks.len());
        next[block] = std::mem::replace(&mut first[parent], block);
    }
    let mut order = Vec::with_capacity(blocks.len());
    let mut open = Vec::new();
    let mut block = first[blocks.len()];
    // From the last to the first: a block, then its children, the highest first.
    loop {
        if block == none {
            match open.pop() {
                Some(parent) => block = next[parent],
                None => break,
            }
        } else {
            order.push(block);
            open.push(block);
            block = first[block];
        }
    }
    order.reverse();
    order
}

/// Joins blocks with their parents; gives the parents of what comes out.
fn join(elimination: &Elimination, order: &[usize]) -> (Vec<Draft>, Vec<Option<usize>>) {
    let blocks = &elimination.blocks;
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &block)| places[block] = place);
    let parent = |place: usize| blocks[order[place]].parent.map(|parent| places[parent]);
    let mut drafts: Vec<Draft> = Vec::with_capacity(order.len());
    for (place, &block) in order.iter().enumerate() {
        let mut own = Draft {
            blocks: place..place + 1,
            width: blocks[block].columns.len(),
            below: blocks[block].below.clone(),
            zeros: 0,
        };
        while let Some(last) = drafts.last()
            && parent(last.blocks.end - 1).is_some_and(|parent| parent <= place)
        {
            let (zeros, share) = own.with(last);
            let allowed = JOIN.iter().find(|join| own.width + last.width <= join.0);
            if zeros > 0 && allowed.is_none_or(|allowed| share >= allowed.1) {
                break;
            }
            own = Draft {
                blocks: last.blocks.start..own.blocks.end,
                width: own.width + last.width,
                below: own.below,
                zeros,
            };
            drafts.pop();
        }
        drafts.push(own);
    }
    let mut draft_of = vec![0; order.len()];
    for (number, draft) in drafts.iter().enumerate() {
        draft_of[draft.blocks.clone()].fill(number);
    }
    let parents = drafts.iter().map(|draft| parent(draft.blocks.end - 1).map(|at| draft_of[at]));
    let parents = parents.collect();
    (drafts, parents)
}

/// The part of each front, and the number of parts; the last is the top.
fn cut(drafts: &[Draft], parents: &[Option<usize>]) -> (Vec<usize>, usize) {
    let mut below: Vec<f64> =
        drafts.iter().map(|draft| work(draft.width, draft.width + draft.below.len())).collect();
    let total: f64 = below.iter().sum();
    for (front, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            below[*parent] += below[front];
        }
    }
    let most = if total < LITTLE { 0.0 } else { SHARE * total };
    let is_top = |front: usize| below[front] > most;
    let (mut n_parts, mut room) = (0, 0.0);
    let mut part_of = vec![usize::MAX; drafts.len()];
    for front in (0..drafts.len()).rev().filter(|&front| !is_top(front)) {
        part_of[front] = match parents[front].filter(|&parent| !is_top(parent)) {
            Some(parent) => part_of[parent],
            None => {
                if below[front] > room {
                    n_parts += 1;
                    room = most;
                }
                room -= below[front];
                n_parts - 1
            }
        };
    }
    part_of.iter_mut().filter(|part| **part == usize::MAX).for_each(|part| *part = n_parts);
    (part_of, n_parts + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn parts_are_closed_and_even_and_squares_do_not_meet(
            n_unknowns in 1_usize..3000,
            reach in 2_usize..12,
            seed in 0_usize..1000,
        ) {
            let cliques = (0..n_unknowns).map(|first| {
                let length = 1 + (first * 7 + seed) % reach;
                first..(first + length).min(n_unknowns)
            });
            let tree = AssemblyTree::new(&Cliques::new(n_unknowns, cliques));
            let top = tree.parts.len() - 1;
            prop_assert_eq!(tree.parts[top].columns.end, n_unknowns);
            let total = tree.work();
            for part in &tree.parts[..top] {
                let own: f64 = tree.fronts[part.fronts.clone()].iter().map(Front::work).sum();
                prop_assert!(own <= SHARE * total * (1.0 + 1e-9));
            }
            let mut next = 0;
            for (number, front) in tree.fronts.iter().enumerate() {
                prop_assert_eq!(front.columns.start, next);
                next = front.columns.end;
                let rows = &tree.rows[front.rows.clone()];
                prop_assert!(rows.is_sorted() && rows.iter().all(|&row| row as usize >= next));
                for &child in &tree.children[front.children.clone()] {
                    let child = &tree.fronts[child as usize];
                    prop_assert!(child.columns.end <= front.columns.start);
                    prop_assert!(child.part == front.part || front.part == top);
                    // The square of a child is there until its parent takes it.
                    let between = tree.fronts[..number].iter().filter(|between| {
                        between.part == child.part
                            && between.room == child.room
                            && between.columns.start >= child.columns.end
                    });
                    for other in between {
                        let (own, other) = (child.square(), other.square());
                        prop_assert!(own.end <= other.start || other.end <= own.start || own.is_empty());
                    }
                    let places = &tree.in_parent[child.rows.clone()];
                    for (&row, &place) in tree.rows[child.rows.clone()].iter().zip(places) {
                        let width = front.width();
                        let found = match (place as usize).checked_sub(width) {
                            None => front.columns.start as u32 + place,
                            Some(place) => rows[place],
                        };
                        prop_assert_eq!(found, row);
                    }
                }
            }
            prop_assert_eq!(next, n_unknowns);
        }
    }
}
