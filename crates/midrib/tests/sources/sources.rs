// How the files of a crate import each other. Included in the layer tests of several crates, which
// bring BTreeMap, BTreeSet, fs, Path and PathBuf.

/// The first segment of a module path.
fn top(path: &str) -> &str {
    path.split("::").next().unwrap_or(path)
}

/// The modules of a crate by their paths; the root is `lib`.
struct Sources {
    modules: BTreeMap<String, Module>,
    /// Modules that are not `mod.rs`: their children are parts of the same file.
    split: BTreeSet<String>,
}

/// What one file says about others.
#[derive(Default)]
struct Module {
    /// Paths that its code uses, from the crate's root.
    used: Vec<Vec<String>>,
    /// The paths behind the names that it re-exports.
    exports: BTreeMap<String, Vec<String>>,
}

impl Sources {
    /// The sources of the crate whose test this is.
    fn of_crate() -> Self {
        Self::of_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
    }

    fn of_folder(src: &Path) -> Self {
        let mut files = Vec::new();
        find_files(src, &mut files);
        let modules: BTreeMap<String, String> = files
            .iter()
            .map(|file| (module_path(file.strip_prefix(src).unwrap()), read(file)))
            .collect();
        let is_test = |path: &str| {
            let (parent, name) = path.rsplit_once("::").unwrap_or(("lib", path));
            let declared = format!("#[cfg(test)] mod {name};");
            let text = modules.get(parent).map_or("", String::as_str);
            text.split_whitespace().collect::<Vec<_>>().join(" ").contains(&declared)
                || path.split("::").any(|part| part == "tests")
        };
        let code = modules.iter().filter(|(path, _)| !is_test(path));
        let code: Vec<(&str, &str)> =
            code.map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut sources = Self::new(&code);
        let own_folder = |path: &&String| src.join(path.replace("::", "/") + ".rs").exists();
        sources.split = modules.keys().filter(own_folder).cloned().collect();
        sources
    }

    fn new(files: &[(&str, &str)]) -> Self {
        let parsed = files.iter().map(|(path, text)| ((*path).to_owned(), parse(path, text)));
        Self { modules: parsed.collect(), split: BTreeSet::new() }
    }

    /// The file that a module is part of.
    fn whole(&self, path: &str) -> String {
        let ancestors = path.match_indices("::").map(|(at, _)| &path[..at]);
        let first = ancestors.into_iter().find(|ancestor| self.split.contains(*ancestor));
        first.unwrap_or(path).to_owned()
    }

    /// For each file but the root, the other files that it uses.
    fn imports(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, module) in self.modules.iter().filter(|(path, _)| *path != "lib") {
            let own = self.whole(path);
            let files = module.used.iter().map(|used| self.whole(&self.file_of(used, 0)));
            let others: Vec<String> = files.filter(|file| *file != own && file != "lib").collect();
            imports.entry(own).or_default().extend(others);
        }
        imports
    }

    /// The file that defines what a path names: re-exports are followed.
    fn file_of(&self, path: &[String], depth: usize) -> String {
        assert!(depth < 20, "re-exports in a circle: {path:?}");
        let mut module = "lib".to_owned();
        for (at, segment) in path.iter().enumerate() {
            let child =
                if module == "lib" { segment.clone() } else { format!("{module}::{segment}") };
            if self.modules.contains_key(&child) {
                module = child;
            } else if let Some(target) = self.modules[&module].exports.get(segment) {
                let rest = path[at + 1..].iter().cloned();
                let whole: Vec<String> = target.iter().cloned().chain(rest).collect();
                return self.file_of(&whole, depth + 1);
            } else {
                break;
            }
        }
        module
    }
}

fn find_files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

/// `learn/ppt/fit.rs` is `learn::ppt::fit`, `learn/mod.rs` is `learn`.
fn module_path(file: &Path) -> String {
    let file = file.with_extension("");
    let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
    parts.strip_suffix(&["mod"]).unwrap_or(&parts).join("::")
}

/// Finds the paths that a file uses and those that it re-exports.
fn parse(path: &str, text: &str) -> Module {
    let own: Vec<String> = match path {
        "lib" => Vec::new(),
        path => path.split("::").map(str::to_owned).collect(),
    };
    let tokens = tokens(&without_tests(text));
    let children: BTreeSet<&str> = tokens
        .windows(3)
        .filter(|window| window[0] == "mod" && window[2] == ";")
        .map(|window| window[1].as_str())
        .collect();
    let mut module = Module::default();
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at].as_str();
        let is_inside_path = at > 0 && tokens[at - 1] == "::";
        let is_start = matches!(token, "crate" | "super" | "self") || children.contains(token);
        if is_inside_path || !is_start || tokens.get(at + 1).is_none_or(|next| next != "::") {
            at += 1;
            continue;
        }
        let mut found = Vec::new();
        let end = expand(&tokens, at, &[], &mut found);
        let is_export = is_public_use(&tokens, at);
        for (segments, name) in found {
            let target = absolute(&own, &segments);
            match is_export {
                true => drop(module.exports.insert(name, target)),
                false => module.used.push(target),
            }
        }
        at = end;
    }
    module
}

/// The code without comments and without what stands under `#[cfg(test)]`: tests may look further up
/// than the code that they test.
fn without_tests(text: &str) -> String {
    let line = |line: &str| line.split("//").next().unwrap_or("").to_owned();
    let code = text.lines().map(line).collect::<Vec<_>>().join("\n");
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

/// Words, `::` and single characters.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if first.is_alphanumeric() || first == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Expands the path or group of paths at a token; each comes with the name that it introduces.
/// Returns the index after it.
fn expand(
    tokens: &[String],
    mut at: usize,
    prefix: &[String],
    found: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let mut path = prefix.to_vec();
    while let Some(token) = tokens.get(at) {
        if token == "{" {
            at += 1;
            while tokens.get(at).is_some_and(|token| token != "}") {
                at = expand(tokens, at, &path, found);
                at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
            }
            return at + 1;
        }
        if token != "self" || path.is_empty() {
            path.push(token.clone());
        }
        at += 1;
        match tokens.get(at) {
            Some(next) if next == "::" => at += 1,
            _ => break,
        }
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if tokens.get(at).is_some_and(|token| token == "as") {
        name = tokens[at + 1].clone();
        at += 2;
    }
    found.push((path, name));
    at
}

/// Whether the path at a token is that of a `pub use`.
fn is_public_use(tokens: &[String], at: usize) -> bool {
    let before: Vec<&str> = tokens[..at].iter().rev().take(8).map(String::as_str).collect();
    match before.as_slice() {
        ["use", "pub", ..] => true,
        ["use", ")", ..] => before.iter().skip(2).any(|token| *token == "pub"),
        _ => false,
    }
}

/// A path from the crate's root.
fn absolute(own: &[String], path: &[String]) -> Vec<String> {
    let (mut base, mut rest) = match path[0].as_str() {
        "crate" => (Vec::new(), &path[1..]),
        "self" => (own.to_vec(), &path[1..]),
        _ => (own.to_vec(), path),
    };
    while rest.first().is_some_and(|segment| segment == "super") {
        base.pop();
        rest = &rest[1..];
    }
    base.extend_from_slice(rest);
    base
}

/// Groups of files that reach each other, each in alphabetical order.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        imports.keys().map(|file| (file, reached(imports, file))).collect();
    let mut circles = BTreeSet::new();
    for file in imports.keys() {
        let back = reach[file]
            .iter()
            .filter(|other| reach.get(**other).is_some_and(|reached| reached.contains(file)));
        let circle: BTreeSet<String> = back.map(|other| (*other).clone()).collect();
        if circle.len() > 1 {
            circles.insert(circle.into_iter().collect::<Vec<_>>());
        }
    }
    circles.into_iter().collect()
}

/// All files that a file uses, directly or not.
fn reached<'i>(
    imports: &'i BTreeMap<String, BTreeSet<String>>,
    from: &String,
) -> BTreeSet<&'i String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&String> = imports[from].iter().collect();
    while let Some(file) = open.pop() {
        if seen.insert(file) {
            open.extend(imports.get(file).into_iter().flatten());
        }
    }
    seen
}
