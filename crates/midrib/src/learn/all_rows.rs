//! All rows in memory, for methods that need them.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::points::{Blocks, Points, in_memory};

/// The methods that read a source chunk by chunk with their default settings.
pub(super) const SWEEPING: &str = "ppt, rpg, elastic-curve, elastic-ring, elastic-tree, \
                                   elastic-graph, elastic-map, cubic, kmeans, pca, som, gtm";

/// All points of a source in memory, for `method`, which needs about `own` more values per row. A
/// source that is too large is refused with the size that it would need.
pub(super) fn all_rows<'a>(
    source: &'a dyn Blocks,
    method: &str,
    own: usize,
) -> Result<Cow<'a, Points<'a>>> {
    in_memory(source, method, own).map_err(|error| match error {
        Error::Memory(reason) => {
            Error::Memory(format!("{reason}; methods that read it chunk by chunk: {SWEEPING}"))
        }
        error => error,
    })
}

#[cfg(test)]
mod tests {
    use super::SWEEPING;
    use crate::learn::METHODS;

    #[test]
    fn the_methods_that_read_chunks_are_listed() {
        let sweeps =
            |entry: &&crate::learn::Entry| !entry.needs_all_rows(&entry.defaults()).unwrap();
        let names: Vec<&str> = METHODS.iter().filter(sweeps).map(|entry| entry.name).collect();
        assert_eq!(names.join(", "), SWEEPING);
    }
}
