//! All methods by name: command line, Python, tests and docs follow from this table.

use super::entry::Entry;
use super::{
    Cubic, DdrTree, DrTree, ElasticCurve, ElasticGraph, ElasticMap, ElasticRing, ElasticTree,
    KMeans, LocalPca, Pca, Rpg, SimplePpt, Spl,
};
use crate::error::{Error, Result};
use crate::object::Kind;
use crate::suggest::nearest_word;

/// Every method, by its name.
pub const METHODS: &[Entry] = &[
    Entry::of::<SimplePpt>(),
    Entry::of::<Rpg>(),
    Entry::of::<DrTree>(),
    Entry::of::<DdrTree>(),
    Entry::of::<Spl>(),
    Entry::of::<ElasticCurve>(),
    Entry::of::<ElasticRing>(),
    Entry::of::<ElasticTree>(),
    Entry::of::<ElasticGraph>(),
    Entry::of::<ElasticMap>(),
    Entry::of::<Cubic>(),
    Entry::of::<KMeans>(),
    Entry::of::<Pca>(),
    Entry::of::<LocalPca>(),
];

/// The method of this name.
///
/// ```
/// use midrib::learn::method;
/// assert_eq!(method("ppt")?.name, "ppt");
/// assert!(method("pppt").unwrap_err().to_string().contains("did you mean \"ppt\"?"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn method(name: &str) -> Result<&'static Entry> {
    METHODS.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let names: Vec<&str> = METHODS.iter().map(|entry| entry.name).collect();
        Error::UnknownMethod {
            name: name.into(),
            nearest: nearest_word(name, names.iter().copied()).map(Into::into),
            known: names.join(", "),
        }
    })
}

/// Refuses a task that orders points along lines if `method` learned an object without them.
///
/// ```
/// use midrib::{learn::require_lines, object::Kind};
/// assert!(require_lines(Kind::Graph, "ppt", "a root").is_ok());
/// let error = require_lines(Kind::Centers, "kmeans", "a root").unwrap_err().to_string();
/// assert!(error.starts_with("a root needs a curve, tree or graph, but kmeans learned a set of"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn require_lines(kind: Kind, method: &str, task: &str) -> Result<()> {
    if kind.has_lines() {
        return Ok(());
    }
    let learns_graphs =
        |entry: &&Entry| entry.kind(&entry.defaults()).is_ok_and(|kind| kind == Kind::Graph);
    let graphs: Vec<&str> = METHODS.iter().filter(learns_graphs).map(|entry| entry.name).collect();
    Err(Error::data(format!(
        "{task} needs a curve, tree or graph, but {method} learned {}; learn a graph from the same \
         points with one of {}",
        kind.description(),
        graphs.join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`Method::check_given`](crate::learn::Method::check_given) recommends these.
    #[test]
    fn remedies_name_the_methods_that_take_what_was_refused() {
        let that_take = |takes: fn(&Entry) -> bool| -> Vec<&str> {
            METHODS.iter().filter(|entry| takes(entry)).map(|entry| entry.name).collect()
        };
        assert_eq!(that_take(|entry| entry.links), ["ppt", "rpg"]);
        assert_eq!(that_take(|entry| entry.pairs), ["rpg", "spl"]);
        let elastic = ["elastic-curve", "elastic-ring", "elastic-tree", "elastic-graph"];
        assert_eq!(that_take(|entry| entry.start_graph), elastic);
        assert!(METHODS.iter().all(|entry| entry.start || !entry.start_graph));
    }

    #[test]
    fn names_and_classes_are_unique() {
        for facts in [|entry: &Entry| entry.name, |entry: &Entry| entry.class] {
            let mut names: Vec<&str> = METHODS.iter().map(facts).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), METHODS.len());
        }
    }
}
