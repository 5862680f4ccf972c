//! Prior knowledge about edges: must-link and cannot-link pairs.

use super::candidates::ordered_pairs;
use crate::error::{Error, Result};

/// Must-link and cannot-link pairs of nodes.
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
    /// Pairs of the nodes 0 to `n_nodes` − 1. Unknown nodes, pairs of a node with itself, and pairs
    /// that are both must-link and cannot-link are errors.
    pub fn new(must: &[(usize, usize)], cannot: &[(usize, usize)], n_nodes: usize) -> Result<Self> {
        let must = ordered_pairs(must, n_nodes, "must-link")?;
        let cannot = ordered_pairs(cannot, n_nodes, "cannot-link")?;
        if let Some((a, b)) = must.iter().find(|pair| cannot.binary_search(pair).is_ok()) {
            return Err(Error::data(format!(
                "link {a}-{b} is both a must-link and a cannot-link: remove one"
            )));
        }
        Ok(Self { must, cannot })
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.must.is_empty() && self.cannot.is_empty()
    }

    /// Whether `a` and `b` are a cannot-link pair.
    pub(super) fn forbids(&self, a: u32, b: u32) -> bool {
        let pair = (a.min(b) as usize, a.max(b) as usize);
        !self.cannot.is_empty() && self.cannot.binary_search(&pair).is_ok()
    }

    /// The must-link pairs: `a < b`, ascending, each once.
    pub fn must(&self) -> &[(usize, usize)] {
        &self.must
    }

    /// The cannot-link pairs: `a < b`, ascending, each once.
    pub fn cannot(&self) -> &[(usize, usize)] {
        &self.cannot
    }

    /// Removes cannot-link pairs from `pairs` and adds must-link pairs; ascending.
    pub fn apply(&self, mut pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        pairs.retain(|pair| self.cannot.binary_search(pair).is_err());
        pairs.extend_from_slice(&self.must);
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
