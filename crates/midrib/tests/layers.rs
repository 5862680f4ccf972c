//! Imports go one way: a folder may use those before it, never those after.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

const ORDER: [&str; 13] = [
    "words", "error", "observe", "math", "points", "cloud", "graph", "synth", "prepare", "assign",
    "connect", "place", "learn",
];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let rank = |name: &str| ORDER.iter().position(|layer| *layer == name);
    let mut wrong = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&src).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let layer = first.trim_end_matches(".rs");
        if layer == "lib" {
            continue;
        }
        let own = rank(layer).unwrap_or_else(|| panic!("{layer} has no place in the order"));
        let text = fs::read_to_string(&file).unwrap();
        // Tests may look further up than the code that they test.
        let code = text.split("#[cfg(test)]").next().unwrap();
        let is_test = relative.ends_with("tests.rs");
        for line in code.lines().filter(|line| !is_test && !line.trim_start().starts_with("//")) {
            for used in line.split("crate::").skip(1) {
                let name: String =
                    used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if rank(&name).is_some_and(|used| used > own) {
                    wrong.push(format!("{}: {}", relative.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "imports against the order:\n{}", wrong.join("\n"));
}
