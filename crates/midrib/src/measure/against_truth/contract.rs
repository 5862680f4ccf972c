//! A network without milestones of degree 2.

use crate::measure::{Link, Share, Trajectory};

/// The position of an old link within a new one.
#[derive(Clone, Copy)]
struct Moved {
    link: usize,
    offset: f64,
    forward: bool,
    /// Whether the new link consists of this link alone.
    whole: bool,
}

/// Joins the links at each milestone that only passes through, except those to `keep`: with
/// `directed` links, milestones with one link in and one out, otherwise those with two links. A ring
/// keeps one milestone, with a loop.
pub(super) fn contracted(trajectory: &Trajectory, directed: bool, keep: &[bool]) -> Trajectory {
    let Trajectory { n_milestones, links, .. } = trajectory;
    let mut contraction = Contraction::new(*n_milestones, links, directed, keep);
    for milestone in 0..*n_milestones {
        if contraction.stays[milestone] {
            contraction.walk_all(milestone);
        }
    }
    // Only rings are left.
    for milestone in 0..*n_milestones {
        let rest = &contraction.at[milestone];
        if rest.iter().any(|&link| contraction.moved[link].is_none()) {
            contraction.stays[milestone] = true;
            contraction.walk_all(milestone);
        }
    }
    contraction.finish(trajectory)
}

struct Contraction<'l> {
    links: &'l [Link],
    /// The links at each milestone.
    at: Vec<Vec<usize>>,
    stays: Vec<bool>,
    moved: Vec<Option<Moved>>,
    new: Vec<Link>,
}

impl<'l> Contraction<'l> {
    fn new(n: usize, links: &'l [Link], directed: bool, keep: &[bool]) -> Self {
        let mut at = vec![Vec::new(); n];
        let (mut inward, mut outward) = (vec![0; n], vec![0; n]);
        for (number, link) in links.iter().enumerate() {
            at[link.from].push(number);
            if link.to != link.from {
                at[link.to].push(number);
            }
            outward[link.from] += 1;
            inward[link.to] += 1;
        }
        let passes_through = |m: usize| {
            let is_loop = at[m].iter().any(|&link| links[link].from == links[link].to);
            let through = if directed { inward[m] == 1 } else { true };
            !is_loop && through && inward[m] + outward[m] == 2
        };
        let stays = (0..n).map(|m| keep.get(m) == Some(&true) || !passes_through(m)).collect();
        Self { links, at, stays, moved: vec![None; links.len()], new: Vec::new() }
    }

    fn walk_all(&mut self, milestone: usize) {
        for link in self.at[milestone].clone() {
            if self.moved[link].is_none() {
                self.walk(milestone, link);
            }
        }
    }

    /// Follows a link to the next milestone that stays.
    fn walk(&mut self, start: usize, link: usize) {
        let mut path: Vec<(usize, bool)> = Vec::new();
        let (mut node, mut next) = (start, Some(link));
        while let Some(link) = next {
            let forward = self.links[link].from == node;
            node = if forward { self.links[link].to } else { self.links[link].from };
            path.push((link, forward));
            next = self.at[node].iter().copied().find(|&other| other != link);
            if self.stays[node] {
                break;
            }
        }
        let (mut from, mut to) = (start, node);
        if !path[0].1 {
            path.reverse();
            path.iter_mut().for_each(|(_, forward)| *forward = !*forward);
            (from, to) = (to, from);
        }
        let mut length = 0.0;
        for &(link, forward) in &path {
            let whole = path.len() == 1;
            let offset = length;
            self.moved[link] = Some(Moved { link: self.new.len(), offset, forward, whole });
            length += self.links[link].length;
        }
        self.new.push(Link { from, to, length, directed: self.links[path[0].0].directed });
    }

    fn finish(self, old: &Trajectory) -> Trajectory {
        let mut number = vec![0; self.stays.len()];
        let mut count = 0;
        for (number, _) in number.iter_mut().zip(&self.stays).filter(|(_, stays)| **stays) {
            *number = count;
            count += 1;
        }
        let renumbered =
            |link: &Link| Link { from: number[link.from], to: number[link.to], ..*link };
        let share = |share: &Share| match self.moved[share.link] {
            Some(moved) if !moved.whole => {
                let along = if moved.forward { share.share } else { 1.0 - share.share };
                let total = self.new[moved.link].length;
                let length = moved.offset + along * self.links[share.link].length;
                let share = if total > 0.0 { (length / total).min(1.0) } else { 0.5 };
                Share { link: moved.link, share }
            }
            Some(moved) => Share { link: moved.link, ..*share },
            None => *share,
        };
        Trajectory {
            n_milestones: count,
            links: self.new.iter().map(renumbered).collect(),
            starts: old.starts.clone(),
            shares: old.shares.iter().map(share).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(n: usize, pairs: &[(usize, usize)], directed: bool) -> Trajectory {
        let link = |(i, &(from, to)): (usize, &(usize, usize))| Link {
            from,
            to,
            length: (i + 1) as f64,
            directed,
        };
        let links: Vec<Link> = pairs.iter().enumerate().map(link).collect();
        let points: Vec<Vec<Share>> =
            (0..links.len()).map(|link| vec![Share { link, share: 0.25 }]).collect();
        Trajectory::new(n, links, &points).unwrap()
    }

    #[test]
    fn distances_do_not_change() {
        let pairs =
            [(0, 1), (2, 1), (2, 3), (3, 4), (3, 5), (5, 6), (7, 8), (8, 9), (9, 7), (6, 6)];
        let whole = network(10, &pairs, false);
        let short = contracted(&whole, false, &[]);
        assert_eq!((short.n_milestones(), short.links().len()), (5, 5));
        for i in 0..whole.len() {
            let pairs = whole.distances().from_point(i).into_iter();
            for (a, b) in pairs.zip(short.distances().from_point(i)) {
                assert!(a == b || (a - b).abs() < 1e-12, "{a} {b}");
            }
        }
    }

    #[test]
    fn opposite_directions_and_keep_preserve_milestones() {
        let apart = network(3, &[(1, 0), (1, 2)], true);
        assert_eq!(contracted(&apart, true, &[]).links().len(), 2);
        assert_eq!(contracted(&apart, false, &[]).links().len(), 1);
        let chain = network(3, &[(0, 1), (1, 2)], true);
        assert_eq!(contracted(&chain, true, &[]).links().len(), 1);
        assert_eq!(contracted(&chain, true, &[false, true, false]).links().len(), 2);
    }

    #[test]
    fn a_ring_keeps_one_milestone() {
        let ring = contracted(&network(4, &[(0, 1), (1, 2), (3, 2), (3, 0)], false), false, &[]);
        assert_eq!(ring.n_milestones(), 1);
        assert_eq!(ring.links(), [Link { from: 0, to: 0, length: 10.0, directed: false }]);
        assert_eq!(ring.point(1), [Share { link: 0, share: 0.15 }]);
        assert_eq!(ring.point(2), [Share { link: 0, share: (3.0 + 0.75 * 3.0) / 10.0 }]);
    }
}
