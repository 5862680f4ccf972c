//! What is known about edges beforehand: pairs that must, and pairs that cannot, be joined.

use super::candidates::ordered_pairs;
use crate::error::{Error, Result};

/// Side information about single pairs of nodes.
///
/// ```
/// use midrib::connect::Links;
/// let links = Links::new(&[(2, 0)], &[(1, 2)], 4)?;
/// assert_eq!(links.apply(vec![(0, 1), (1, 2)]), [(0, 1), (0, 2)]);
/// assert!(Links::new(&[(0, 1)], &[(1, 0)], 4).is_err());
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    must: Vec<(usize, usize)>,
    cannot: Vec<(usize, usize)>,
}

impl Links {
    /// Pairs of the nodes 0 to `n_nodes` − 1. Unknown nodes, nodes joined to themselves and
    /// pairs that both must and cannot be joined are refused.
    pub fn new(must: &[(usize, usize)], cannot: &[(usize, usize)], n_nodes: usize) -> Result<Self> {
        let must = ordered_pairs(must, n_nodes, "must-link")?;
        let cannot = ordered_pairs(cannot, n_nodes, "cannot-link")?;
        if let Some((a, b)) = must.iter().find(|pair| cannot.binary_search(pair).is_ok()) {
            return Err(Error::data(format!(
                "link {a}-{b} is given both as must and as cannot: remove one"
            )));
        }
        Ok(Self { must, cannot })
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.must.is_empty() && self.cannot.is_empty()
    }

    /// Whether `a` and `b` cannot be joined.
    pub(super) fn forbids(&self, a: u32, b: u32) -> bool {
        let pair = (a.min(b) as usize, a.max(b) as usize);
        !self.cannot.is_empty() && self.cannot.binary_search(&pair).is_ok()
    }

    /// The pairs that must be joined: `a < b`, ascending, each once.
    pub fn must(&self) -> &[(usize, usize)] {
        &self.must
    }

    /// The pairs that cannot be joined: `a < b`, ascending, each once.
    pub fn cannot(&self) -> &[(usize, usize)] {
        &self.cannot
    }

    /// Ascending `pairs` without those that cannot, with those that must be joined.
    pub fn apply(&self, mut pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        pairs.retain(|pair| self.cannot.binary_search(pair).is_err());
        pairs.extend_from_slice(&self.must);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
