//! Imports go one way: a folder may use those before it in the order, never those after it, and no
//! files of the crate import each other in a circle, within a folder or across folders. A file `x.rs`
//! and the files of its folder `x/` count as one.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const ORDER: [&str; 21] = [
    "fields",
    "suggest",
    "error",
    "observe",
    "math",
    "points",
    "distances",
    "neighbors",
    "graph",
    "synth",
    "embed",
    "prepare",
    "assign",
    "connect",
    "place",
    "object",
    "learn",
    "tune",
    "trend",
    "cluster",
    "measure",
];

#[test]
fn imports_go_one_way() {
    let sources = Sources::of_crate();
    let rank = |path: &str| ORDER.iter().position(|layer| *layer == top(path));
    let mut wrong = Vec::new();
    for (file, used) in sources.imports() {
        let own = rank(&file).unwrap_or_else(|| panic!("{} is not in the order", top(&file)));
        for other in used {
            if rank(&other).is_some_and(|other| other > own) {
                wrong.push(format!("{file} uses {other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "imports against the order:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let circles = circles(&Sources::of_crate().imports());
    let lines: Vec<String> = circles.iter().map(|circle| circle.join(", ")).collect();
    assert!(circles.is_empty(), "files that import each other:\n{}", lines.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let sources = Sources::new(&[
        ("lib", "mod a; mod b; pub use a::first::First;"),
        (
            "a",
            "mod first;\nmod second;\npub use second::{Second, helper as help};\nfn f() { first::go() }",
        ),
        ("a::first", "use super::help;\nuse crate::b::{self, inner::{X, Y}};"),
        ("a::second", "use crate::b;\n#[cfg(test)]\nmod tests { use super::first::First; }"),
        ("b", "pub mod inner;\nuse crate::First; // crate::a::second"),
        ("b::inner", "struct X;"),
    ]);
    let imports = sources.imports();
    let used = |file: &str| imports[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(used("a"), ["a::first"], "re-exports are not imports, calls of children are");
    assert_eq!(used("a::first"), ["a::second", "b", "b::inner"], "re-exports are followed");
    assert_eq!(used("a::second"), ["b"], "tests are skipped");
    assert_eq!(used("b"), ["a::first"], "comments are skipped, the root's re-exports followed");
    assert_eq!(circles(&imports), [["a::first", "a::second", "b"]]);
}

include!("sources/sources.rs");
