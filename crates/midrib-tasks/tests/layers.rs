//! Imports of the crates above the engine go one way: a module may use those before it
//! in the order, never those after it, and no files of different folders import each other in a
//! circle. A file `x.rs` and the files of its folder `x/` count as one.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const IO: [&str; 6] = ["columns", "error", "json", "model", "read", "write"];

const TASKS: [&str; 51] = [
    "columns",
    "memory",
    "peak_memory",
    "settings",
    "contender",
    "text",
    "error",
    "listener",
    "location",
    "locate",
    "phrases",
    "drawn_object",
    "summary",
    "describe_criteria",
    "describe",
    "row_numbers",
    "table",
    "scale_advice",
    "prepare",
    "given",
    "open",
    "plane",
    "look",
    "draw",
    "report",
    "save",
    "root",
    "path",
    "fates",
    "trend_table",
    "trend_curves",
    "trends",
    "project",
    "rewrite",
    "prune",
    "simplify",
    "shortcuts",
    "fit",
    "fit_table",
    "fit_distances",
    "bootstrap",
    "measure",
    "measure_criteria",
    "cluster_summary",
    "cluster_files",
    "cluster",
    "compare",
    "compare_view",
    "compare_table",
    "export",
    "synth",
];

const CLI: [&str; 15] = [
    "spelling",
    "argv",
    "wrap",
    "typed_command",
    "default_output",
    "exit",
    "threads",
    "flags",
    "hint",
    "args",
    "wording",
    "console",
    "config",
    "parse",
    "command",
];

const REPORT: [&str; 11] = [
    "palette",
    "name_order",
    "svg",
    "labels",
    "plot_area",
    "coloring",
    "legend",
    "view",
    "html",
    "comparison",
    "png",
];

const PY: [&str; 14] = [
    "error",
    "arrays",
    "json",
    "run",
    "model",
    "projections",
    "points",
    "fit",
    "graph",
    "pictures",
    "ppt_steps",
    "groups",
    "compare",
    "trends",
];

/// The sources of the crates, and the order of their modules.
fn crates() -> [(Sources, &'static [&'static str]); 5] {
    let beside = |name: &str| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        Sources::of_folder(&here.with_file_name(name).join("src"))
    };
    [
        (beside("midrib-io"), &IO),
        (beside("midrib-report"), &REPORT),
        (Sources::of_crate(), &TASKS),
        (beside("midrib-cli"), &CLI),
        (beside("midrib-py"), &PY),
    ]
}

#[test]
fn imports_go_one_way() {
    let mut wrong = Vec::new();
    for (sources, order) in crates() {
        let rank = |path: &str| order.iter().position(|layer| *layer == top(path));
        for (file, used) in sources.imports().into_iter().filter(|(file, _)| file != "main") {
            let own = rank(&file).unwrap_or_else(|| panic!("{} is not in the order", top(&file)));
            let upward = used.iter().filter(|other| rank(other).is_some_and(|other| other > own));
            wrong.extend(upward.map(|other| format!("{file} uses {other}")));
        }
    }
    assert!(wrong.is_empty(), "imports against the order:\n{}", wrong.join("\n"));
}

/// In midrib-io and midrib-report a folder's `mod.rs` holds what its files share: it may use them, and
/// they it.
#[test]
fn no_files_import_each_other_in_a_circle() {
    let is_folder = |circle: &[String]| {
        let of_folder = |file: &String| {
            circle.iter().all(|other| {
                other == file || other.rsplit_once("::").is_some_and(|(folder, _)| folder == file)
            })
        };
        circle.iter().any(of_folder)
    };
    let [io, report, others @ ..] = crates().map(|(sources, _)| circles(&sources.imports()));
    let mut found = [io, report].concat();
    found.retain(|circle| !is_folder(circle));
    found.extend(others.into_iter().flatten());
    let lines: Vec<String> = found.iter().map(|circle| circle.join(", ")).collect();
    assert!(found.is_empty(), "files that import each other:\n{}", lines.join("\n"));
}

include!("../../midrib/tests/sources/sources.rs");
