//! No file uses another file that depends on it: a file can be read after the files that it uses.
//!
//! A file uses the files of its imports and paths, and those that define the methods that it calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::layers::SOURCES;
use crate::support::files_ending;

/// The path of a module in its crate, such as `["tables", "scores"]`.
type Module = Vec<String>;

/// The files of a crate with the paths that they use.
#[derive(Default)]
struct Sources {
    /// The code of each module, without comments and unit tests.
    code: BTreeMap<Module, String>,
    /// The file of each module.
    files: BTreeMap<Module, String>,
    /// The names that each module imports, with their paths.
    imported: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
    /// All paths in the code of each module.
    used: BTreeMap<Module, Vec<Vec<String>>>,
}

impl Sources {
    fn read(folder: &Path) -> Sources {
        let mut code = BTreeMap::new();
        let mut sources = Sources::default();
        for path in files_ending(folder, "rs") {
            let file = path.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
            if file.ends_with("tests.rs") || file == "main.rs" {
                continue;
            }
            let module = module_of(&file);
            code.insert(module.clone(), code_of(&fs::read_to_string(&path).unwrap()));
            sources.files.insert(module, file);
        }
        for (module, text) in &code {
            sources.add(module, text);
        }
        sources
    }

    fn add(&mut self, module: &Module, text: &str) {
        let mut used = Vec::new();
        let mut body = String::new();
        let mut rest = text;
        while let Some((before, tree, after)) = next_use(rest) {
            body.push_str(before);
            for path in expand(tree) {
                let (path, name) =
                    path.split_once(" as ").map_or((path.as_str(), None), |(path, name)| (path, Some(name)));
                let mut parts: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
                parts.pop_if(|last| last == "self");
                let name =
                    name.map_or_else(|| parts.last().cloned().unwrap_or_default(), |name| name.trim().to_owned());
                self.imported.entry(module.clone()).or_default().insert(name, parts.clone());
                used.push(parts);
            }
            rest = after;
        }
        body.push_str(rest);
        for path in paths_in(&without_visibilities(&body)) {
            let child = [module.as_slice(), &path[..1]].concat();
            if self.files.contains_key(&child) || ["crate", "super", "self"].contains(&path[0].as_str()) {
                used.push(path);
            }
        }
        self.used.insert(module.clone(), used);
        self.code.insert(module.clone(), text.to_owned());
    }

    /// Returns the methods that a file defines for a type of another file, with the file's module.
    ///
    /// A path does not name the file of such a method. Names with several definitions are left
    /// out, because the type of a call's receiver is unknown here.
    fn distant_methods(&self) -> BTreeMap<&str, &Module> {
        let mut definitions: BTreeMap<&str, usize> = BTreeMap::new();
        for name in self.code.values().flat_map(|code| names_after(code, "fn ")) {
            *definitions.entry(name).or_default() += 1;
        }
        let mut methods = BTreeMap::new();
        for (module, code) in &self.code {
            let own: BTreeSet<&str> = ["struct ", "enum "].iter().flat_map(|kind| names_after(code, kind)).collect();
            let distant = code.split("\n}").filter_map(inherent_impl).filter(|(name, _)| !own.contains(name));
            let names = distant.flat_map(|(_, body)| names_after(body, "fn "));
            methods.extend(names.filter(|name| definitions[name] == 1).map(|name| (name, module)));
        }
        methods
    }

    /// Returns the module that defines the item at a path, as seen from a module.
    fn resolve(&self, module: &Module, path: &[String], visited: &mut BTreeSet<(Module, String)>) -> Option<Module> {
        let mut path = path;
        let mut current = module.clone();
        match path.first()?.as_str() {
            "crate" => {
                current.clear();
                path = &path[1..];
            }
            "super" | "self" => {
                while let Some(first @ ("super" | "self")) = path.first().map(String::as_str) {
                    if first == "super" {
                        current.pop()?;
                    }
                    path = &path[1..];
                }
            }
            first if self.files.contains_key(&[current.as_slice(), &[first.to_owned()]].concat()) => {}
            first => {
                let imported = self.imported.get(&current)?.get(first)?;
                if !visited.insert((current.clone(), first.to_owned())) {
                    return None;
                }
                return self.resolve(&current, &[imported.as_slice(), &path[1..]].concat(), visited);
            }
        }
        while let Some(next) = path.first() {
            let child = [current.as_slice(), std::slice::from_ref(next)].concat();
            if !self.files.contains_key(&child) {
                break;
            }
            current = child;
            path = &path[1..];
        }
        if let Some(name) = path.first()
            && let Some(imported) = self.imported.get(&current).and_then(|names| names.get(name))
            && visited.insert((current.clone(), name.clone()))
        {
            let first = &imported[0];
            let is_inside = ["crate", "super", "self"].contains(&first.as_str())
                || self.files.contains_key(&[current.as_slice(), std::slice::from_ref(first)].concat());
            let target = self.resolve(&current, &[imported.as_slice(), &path[1..]].concat(), visited);
            // An item of another crate has no file here.
            return if is_inside { target.or(Some(current)) } else { target };
        }
        Some(current)
    }

    /// Returns the files that each file uses.
    fn edges(&self) -> Edges<'_> {
        let mut edges = BTreeMap::new();
        let methods = self.distant_methods();
        for (module, file) in &self.files {
            let paths = self.used.get(module).into_iter().flatten();
            let found = paths.filter_map(|path| self.resolve(module, path, &mut BTreeSet::new()));
            let calls = self.code.get(module).into_iter().flat_map(|code| called_names(code));
            let homes = calls.filter_map(|name| methods.get(name).map(|home| (*home).clone()));
            let used = found.chain(homes).filter_map(|module| self.files.get(&module)).map(String::as_str);
            edges.insert(file.as_str(), used.filter(|used| used != file).collect());
        }
        edges
    }
}

/// Returns the module of a file.
fn module_of(file: &str) -> Module {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" { Module::new() } else { path.split('/').map(str::to_owned).collect() }
}

/// Returns the code of a file without comments and unit tests.
///
/// Tests inside the file are its end. `mod tests;` names another file, and code may follow it.
fn code_of(text: &str) -> String {
    let is_of_tests = |line: &&str| line.trim_start_matches("pub ").starts_with("mod tests {");
    text.lines()
        .take_while(|line| !is_of_tests(line))
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n")
}

/// Returns the type and the body of the last `impl` without a trait, if any.
fn inherent_impl(code: &str) -> Option<(&str, &str)> {
    let (head, body) = code.rsplit_once("\nimpl")?.1.split_once('{')?;
    let name = head.strip_prefix('<').map_or(Some(head), |generic| Some(generic.split_once("> ")?.1))?;
    (!head.contains(" for ")).then(|| (word(name.trim_start()), body))
}

/// Returns the names that follow a keyword.
fn names_after<'a>(code: &'a str, keyword: &str) -> impl Iterator<Item = &'a str> {
    code.split(keyword).skip(1).map(word)
}

/// Returns the name at the start of a text.
fn word(text: &str) -> &str {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

fn begins_with_capital(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Returns the names that the code calls as methods or as associated functions.
fn called_names(code: &str) -> impl Iterator<Item = &str> {
    let calls = code.match_indices('(').map(|(at, _)| &code[..at]);
    calls.filter_map(|before| {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let start = before.rfind(|c: char| !is_of_name(c))?;
        let receiver = &before[..=start];
        // A path in small letters leads to a function of a module.
        let of_type = |path: &str| path.rsplit(|c: char| !is_of_name(c)).next().is_some_and(begins_with_capital);
        let is_called = receiver.ends_with('.') || receiver.strip_suffix("::").is_some_and(of_type);
        is_called.then(|| &before[start + 1..])
    })
}

/// Returns the text before the next `use`, its tree, and the text after it.
fn next_use(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let keyword = from + text[from..].find("use ")?;
        let line = text[..keyword].rfind('\n').map_or(0, |end| end + 1);
        let start = text[line..keyword].trim();
        if start.is_empty() || (start.starts_with("pub") && !start.contains(char::is_whitespace)) {
            let end = keyword + text[keyword..].find(';')?;
            return Some((&text[..line], &text[keyword + 4..end], &text[end + 1..]));
        }
        from = keyword + 4;
    }
}

/// Returns the paths of a tree such as `a::{b, c::d}`.
fn expand(tree: &str) -> Vec<String> {
    let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((before, inside)) = tree.split_once('{') else { return vec![tree] };
    let inside = inside.trim_end().strip_suffix('}').unwrap_or(inside);
    let (mut depth, mut start, mut branches) = (0, 0, Vec::new());
    for (index, sign) in inside.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inside[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    branches.push(&inside[start..]);
    let branches = branches.into_iter().map(str::trim).filter(|branch| !branch.is_empty());
    branches.flat_map(|branch| expand(&format!("{before}{branch}"))).collect()
}

/// Returns the code without visibilities such as `pub(in crate::fix)`, which use nothing.
fn without_visibilities(code: &str) -> String {
    let mut parts = code.split("pub(in ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once(')').map_or("", |(_, after)| after))
}

/// Returns all paths of at least two names in the code.
fn paths_in(code: &str) -> Vec<Vec<String>> {
    let is_of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '.';
    let words = code.split(|c: char| !is_of_path(c)).filter(|word| word.contains("::"));
    let parts = words.map(|word| word.split("::").map(str::to_owned).collect::<Vec<_>>());
    parts.filter(|parts| parts[0].chars().all(|c| c.is_alphanumeric() || c == '_') && !parts[0].is_empty()).collect()
}

type Edges<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns the files that a file uses, directly or through others.
fn reached<'a>(edges: &Edges<'a>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = edges[from].iter().copied().collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(&edges[file]);
        }
    }
    reached
}

/// Returns the groups of files that use each other.
fn cycles(edges: &Edges<'_>) -> BTreeSet<Vec<String>> {
    let reached: Edges<'_> = edges.keys().map(|file| (*file, reached(edges, file))).collect();
    let in_cycle = reached.iter().filter(|(file, files)| files.contains(*file));
    let group = |file: &str, files: &BTreeSet<&str>| {
        files.iter().filter(|other| reached[**other].contains(file)).map(|file| (*file).to_owned()).collect()
    };
    in_cycle.map(|(file, files)| group(file, files)).collect()
}

#[test]
fn files_form_no_cycles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    for folder in SOURCES {
        let sources = Sources::read(&root.join(folder));
        assert!(sources.files.len() > 4, "the sources have moved");
        found.extend(cycles(&sources.edges()).iter().map(|files| format!("{folder}: {}", files.join(" "))));
    }
    assert!(found.is_empty(), "files that import each other: {found:#?}");
}

#[test]
fn reexports_and_nested_paths_lead_to_the_defining_file() {
    let files = [("", "lib.rs"), ("a", "a/mod.rs"), ("a::b", "a/b.rs"), ("c", "c.rs")];
    let module = |path: &str| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect::<Module>();
    let files = files.iter().map(|(path, file)| (module(path), (*file).to_owned())).collect();
    let mut sources = Sources { files, ..Sources::default() };
    sources.add(&module("a"), "mod b;\npub use b::{Thing, other as Other};\n");
    sources.add(&module("a::b"), "pub(super) use crate::c::Next;\n");
    sources.add(&module("c"), "fn f() { crate::a::Thing::new(); }\n");
    let edges = sources.edges();
    assert_eq!(edges["c.rs"], BTreeSet::from(["a/b.rs"]));
    assert_eq!(cycles(&edges), BTreeSet::from([vec!["a/b.rs".to_owned(), "c.rs".to_owned()]]));
}

#[test]
fn calling_a_method_of_a_later_file_is_a_use() {
    let module = |name: &str| vec![name.to_owned()];
    let files = ["a", "b"].iter().map(|name| (module(name), format!("{name}.rs"))).collect();
    let mut sources = Sources { files, ..Sources::default() };
    sources.add(&module("a"), "pub struct A;\nimpl A {\n    fn low(&self) { self.high() }\n}\n");
    sources.add(&module("b"), "use crate::a::A;\nimpl<'a> A {\n    pub fn high(&self) {}\n}\n");
    assert_eq!(cycles(&sources.edges()), BTreeSet::from([vec!["a.rs".to_owned(), "b.rs".to_owned()]]));
    sources.add(&module("a"), "pub struct A;\nimpl A {\n    fn high(&self) { self.high() }\n}\n");
    assert!(cycles(&sources.edges()).is_empty());
    assert_eq!(called_names("x.a(b::c(D::e()))").collect::<Vec<_>>(), ["a", "e"]);
}

#[test]
fn visibility_is_no_import() {
    let mut sources = Sources::default();
    sources.add(&Vec::new(), "pub(in crate::fix) fn f() { crate::edit::g() }\n");
    assert_eq!(sources.used[&Vec::new()], [["crate", "edit", "g"]]);
}

#[test]
fn imports_after_a_test_module_in_another_file_are_read() {
    let code = code_of("#[cfg(test)]\nmod tests;\nuse super::a::Thing;\nmod tests {\nuse super::b::Other;\n}\n");
    assert!(code.contains("a::Thing"));
    assert!(!code.contains("b::Other"));
}
