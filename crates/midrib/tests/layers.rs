//! Imports go one way: a folder may use those before it, never those after.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

const ORDER: [&str; 16] = [
    "words", "error", "observe", "math", "points", "cloud", "graph", "synth", "prepare", "assign",
    "connect", "place", "learn", "tune", "cluster", "measure",
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

/// The code without comments, and without what stands under `#[cfg(test)]`: tests may look
/// further up than the code that they test.
fn without_tests(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut parts = code.split("#[cfg(test)]");
    let mut kept = parts.next().unwrap().to_owned();
    for part in parts {
        kept += after_item(part);
    }
    kept
}

/// What follows the first item: behind its semicolon, or behind the brace that closes it.
fn after_item(code: &str) -> &str {
    let mut depth = 0;
    for (i, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(c, ';' | '}') {
            return &code[i + 1..];
        }
    }
    ""
}

/// The modules that the code takes from the crate's root, as `crate::a` or `crate::{a, b}`.
fn used(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for path in code.split("crate::").skip(1) {
        let Some(group) = path.strip_prefix('{') else {
            names.push(first_word(path));
            continue;
        };
        let mut depth = 0;
        for part in group.split_inclusive(['{', '}', ',']) {
            if depth == 0 {
                names.push(first_word(part.trim_start()));
            }
            match part.chars().last() {
                Some('{') => depth += 1,
                Some('}') if depth == 0 => break,
                Some('}') => depth -= 1,
                _ => {}
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
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
        if layer == "lib" || relative.ends_with("tests.rs") {
            continue;
        }
        let own = rank(layer).unwrap_or_else(|| panic!("{layer} has no place in the order"));
        for name in used(&without_tests(&fs::read_to_string(&file).unwrap())) {
            if rank(&name).is_some_and(|used| used > own) {
                wrong.push(format!("{} uses {name}", relative.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "imports against the order:\n{}", wrong.join("\n"));
}

#[test]
fn imports_are_found_in_every_form() {
    let code = "use crate::{\n    error::{Error, Result},\n    learn,\n    graph::Edge,\n};\n\
                // crate::synth\n\
                #[cfg(test)]\nmod tests;\n\
                #[cfg(test)]\nmod inside {\n    use crate::assign::{a, b};\n    fn f() {}\n}\n\
                fn later() -> crate::connect::Tree { crate::math::f() }";
    assert_eq!(used(&without_tests(code)), ["error", "learn", "graph", "connect", "math"]);
}
