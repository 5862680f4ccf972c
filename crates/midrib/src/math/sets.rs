//! Disjoint sets that grow together.

/// A partition of 0..n; each set goes by its smallest member.
#[derive(Clone)]
pub(crate) struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    /// Every member by itself.
    pub fn new(n: usize) -> Self {
        Self { parent: (0..n as u32).collect() }
    }

    /// The smallest member of the set that holds `member`.
    pub fn find(&mut self, member: usize) -> usize {
        let mut at = member as u32;
        while self.parent[at as usize] != at {
            self.parent[at as usize] = self.parent[self.parent[at as usize] as usize];
            at = self.parent[at as usize];
        }
        at as usize
    }

    /// Joins two sets; false if they are one already.
    pub fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b) as u32;
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_go_by_their_smallest_member() {
        let mut sets = Sets::new(5);
        assert!(sets.join(4, 2));
        assert!(sets.join(3, 4));
        assert!(!sets.join(2, 3));
        let found: Vec<usize> = (0..5).map(|member| sets.find(member)).collect();
        assert_eq!(found, [0, 1, 2, 2, 2]);
    }
}
