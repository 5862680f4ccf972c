//! All methods by name: command line, Python, tests and docs follow from this table.

use super::entry::Entry;
use crate::error::{Error, Extra, Result};
use crate::object::Kind;
use crate::suggest::nearest_word;

/// Every method, by its name.
pub const METHODS: &[Entry] = &[
    Entry::of::<super::AutoGraph>(),
    Entry::of::<super::SimplePpt>(),
    Entry::of::<super::Rpg>(),
    Entry::of::<super::DrTree>(),
    Entry::of::<super::DdrTree>(),
    Entry::of::<super::Spl>(),
    Entry::of::<super::ElasticCurve>(),
    Entry::of::<super::ElasticRing>(),
    Entry::of::<super::ElasticTree>(),
    Entry::of::<super::ElasticGraph>(),
    Entry::of::<super::ElasticMap>(),
    Entry::of::<super::Cubic>(),
    Entry::of::<super::KMeans>(),
    Entry::of::<super::Pca>(),
    Entry::of::<super::LocalPca>(),
    Entry::of::<super::Som>(),
    Entry::of::<super::Gtm>(),
    Entry::of::<super::KernelPca>(),
    Entry::of::<super::Mds>(),
    Entry::of::<super::Isomap>(),
    Entry::of::<super::Lle>(),
    Entry::of::<super::Eigenmap>(),
    Entry::of::<super::PrincipalCurve>(),
    Entry::of::<super::Polyline>(),
    Entry::of::<super::KSegments>(),
    Entry::of::<super::Lpc>(),
    Entry::of::<super::Scms>(),
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
    let learn_graphs = METHODS.iter().filter(|entry| entry.kind() == Kind::Graph);
    let graphs: Vec<&str> = learn_graphs.map(|entry| entry.name).collect();
    Err(Error::data(format!(
        "{task} needs a curve, tree or graph, but {method} learned {}; learn a graph from the same \
         points with one of {}",
        kind.description(),
        graphs.join(", ")
    )))
}

/// The error of a fit with the methods that could have done it, where the method is at fault: those
/// that read larger sources, or that take what it was given, or missing values. A fit itself cannot name other methods.
///
/// ```
/// use midrib::learn::{Given, LinkKind, PointLink, method, with_remedy};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 1.0, 2.0], 1)?;
/// let links = [PointLink { a: 0, b: 2, kind: LinkKind::Cannot }];
/// let given = Given { links: &links, ..Given::default() };
/// let kmeans = method("kmeans")?.parse(&serde_json::json!({}))?;
/// let error = with_remedy(kmeans.fit(&points, given, &mut Silent).unwrap_err());
/// assert!(error.to_string().starts_with("kmeans takes no links: leave them out, or use ppt"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn with_remedy(error: Error) -> Error {
    let names = |can: &dyn Fn(&Entry) -> bool| -> Vec<&str> {
        METHODS.iter().filter(|entry| can(entry)).map(|entry| entry.name).collect()
    };
    match error {
        Error::Memory(reason) => {
            let able = names(&|entry| !entry.needs_all_rows()).join(", ");
            Error::Memory(format!("{reason}; methods that read it chunk by chunk: {able}"))
        }
        Error::NotTaken { method, what, reason } => {
            let able = names(&|entry| match what {
                Extra::Start => entry.start,
                Extra::StartGraph => entry.start_graph,
                Extra::Links => entry.links,
                Extra::Pairs => entry.pairs,
                Extra::Weights => entry.weights,
            });
            let reason = or_use(reason, &able);
            Error::NotTaken { method, what, reason }
        }
        Error::Incomplete(reason) => Error::Incomplete(or_use(reason, &names(&|entry| entry.gaps))),
        error => error,
    }
}

/// A reason with other methods as the remedy.
fn or_use(reason: String, able: &[&str]) -> String {
    match able.split_last() {
        Some((last, [])) => format!("{reason}, or use {last}"),
        Some((last, others)) => format!("{reason}, or use {} or {last}", others.join(", ")),
        None => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_name_the_methods_that_take_what_was_refused() {
        let that_take = |takes: fn(&Entry) -> bool| -> Vec<&str> {
            METHODS.iter().filter(|entry| takes(entry)).map(|entry| entry.name).collect()
        };
        for (what, able) in [
            (Extra::Links, that_take(|entry| entry.links)),
            (Extra::Pairs, that_take(|entry| entry.pairs)),
            (Extra::StartGraph, that_take(|entry| entry.start_graph)),
            (Extra::Weights, that_take(|entry| entry.weights)),
        ] {
            let error = Error::NotTaken { method: "pca".into(), what, reason: "nothing".into() };
            let message = with_remedy(error).to_string();
            let remedy = message.strip_prefix("pca takes nothing, or use ").unwrap();
            let named: Vec<&str> = remedy.split(", ").flat_map(|part| part.split(" or ")).collect();
            assert_eq!(named, able);
        }
        assert!(METHODS.iter().all(|entry| entry.start || !entry.start_graph));
        let error = with_remedy(Error::Incomplete("fill it in".into())).to_string();
        assert!(error.starts_with("fill it in, or use elastic-curve, "), "{error}");
    }

    #[test]
    fn a_source_that_is_too_large_is_left_to_methods_that_read_chunks() {
        let error = with_remedy(Error::Memory("too large".into())).to_string();
        assert!(error.starts_with("too large; methods that read it chunk by chunk: ppt, rpg, "));
        assert!(!error.contains("drtree"), "{error}");
    }

    #[test]
    fn settings_decide_what_is_learned_from_what() {
        let parse = |name, settings| method(name).unwrap().parse(&settings).unwrap();
        let map = |net: &str| parse("elastic-map", serde_json::json!({"net": net}));
        assert!(map("ring").kind().has_lines() && !map("sphere").kind().has_lines());
        assert_eq!(map("sphere").min_columns(), 3);
        let rpg = |structure: &str| parse("rpg", serde_json::json!({"structure": structure}));
        assert!(!rpg("tree").needs_all_rows() && rpg("l1").needs_all_rows());
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
