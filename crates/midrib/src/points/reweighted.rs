//! A source with other weights.

use std::borrow::Cow;
use std::ops::Range;

use super::blocks::Blocks;
use super::faults::check_weights;
use super::points::Points;
use crate::error::Result;

/// The points of a source with other weights.
pub(crate) enum Reweighted<'a> {
    InMemory(Points<'a>),
    Read { source: &'a dyn Blocks, weights: Vec<f64> },
}

impl<'a> Reweighted<'a> {
    pub fn new(source: &'a dyn Blocks, weights: Vec<f64>) -> Result<Self> {
        if let Some(points) = source.in_memory() {
            return Ok(Self::InMemory(points.reweighted(weights)?));
        }
        check_weights(&weights, source.len())?;
        Ok(Self::Read { source, weights })
    }

    fn source(&self) -> &dyn Blocks {
        match self {
            Self::InMemory(points) => points,
            Self::Read { source, .. } => *source,
        }
    }
}

impl Blocks for Reweighted<'_> {
    fn len(&self) -> usize {
        self.source().len()
    }

    fn dims(&self) -> usize {
        self.source().dims()
    }

    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()> {
        self.source().read(rows, into)
    }

    fn name(&self) -> Cow<'_, str> {
        self.source().name()
    }

    fn weights(&self) -> Option<&[f64]> {
        match self {
            Self::InMemory(points) => points.weights(),
            Self::Read { weights, .. } => Some(weights),
        }
    }

    fn id(&self, i: usize) -> Cow<'_, str> {
        self.source().id(i)
    }

    fn missing_values(&self) -> Option<usize> {
        self.source().missing_values()
    }

    fn in_memory(&self) -> Option<&Points<'_>> {
        self.source().in_memory()
    }

    fn max_memory(&self) -> Option<u64> {
        self.source().max_memory()
    }
}
