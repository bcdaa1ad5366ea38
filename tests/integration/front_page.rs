//! The crate root of the library is complete: it exports the type of every public field and every
//! signature.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::files_ending;

/// The crates whose items jigo-core exports.
const CRATES: [&str; 4] = ["jigo-rules", "jigo-score", "jigo-record", "jigo-core"];

fn source_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).join("src")
}

/// Returns the code of each file without comments and tests.
fn code() -> Vec<String> {
    let files: Vec<PathBuf> = CRATES.iter().flat_map(|name| files_ending(&source_folder(name), "rs")).collect();
    assert!(files.len() > 100, "the sources have moved");
    let code = |path| {
        let text = fs::read_to_string(path).unwrap();
        let outside_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
        outside_tests.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
    };
    files.iter().map(code).collect()
}

/// Returns the words of a text. A name is one word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Returns the names that `lib.rs` exports.
fn exported_names() -> BTreeSet<String> {
    let library = fs::read_to_string(source_folder("jigo-core").join("lib.rs")).unwrap();
    let uses = library.split("\npub use ").skip(1).map(|rest| rest.split(';').next().unwrap_or(rest));
    // A path exports its last name.
    let names = uses.flat_map(|used| used.split(['{', '}', ','])).filter_map(|path| path.rsplit("::").next());
    names.map(|name| name.trim().to_owned()).collect()
}

/// Returns the keyword and the name of the item that an unindented line declares, if any.
fn declared_item(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    // In `impl<T>`, a type parameter is not a type name.
    let (kind, rest) = match line.strip_prefix("impl<").and_then(|rest| rest.split_once("> ")) {
        Some((_, rest)) => ("impl", rest),
        None => line.split_once(' ')?,
    };
    let is_trait = kind == "impl" && line.contains(" for ");
    let is_item = matches!(kind, "struct" | "enum" | "trait" | "impl" | "fn") && !is_trait;
    is_item.then(|| (kind, words(rest).next().unwrap_or_default()))
}

/// Returns the type names in the public part of each item, with the item.
fn used_types(code: &str) -> Vec<(String, String)> {
    let mut named = Vec::new();
    let mut item = ("", "");
    let (mut signature, mut is_hidden) = (String::new(), false);
    for line in code.lines() {
        let inside = line.strip_prefix("    ");
        if !line.is_empty() && inside.is_none() {
            item = declared_item(line).unwrap_or(item);
        }
        let visible = match (item.0, inside) {
            ("struct", Some(field)) => field.strip_prefix("pub "),
            // The variant's own name is not a type name.
            ("enum", Some(variant)) => variant.strip_prefix("    ").or(variant.split_once('(').map(|(_, held)| held)),
            ("impl" | "trait", Some(member)) => {
                let begins = member.starts_with("pub ") && !is_hidden;
                is_hidden = member.starts_with("#[doc(hidden)]") || (is_hidden && member.starts_with("#["));
                (begins || !signature.is_empty()).then_some(member)
            }
            ("fn", _) => line.starts_with("pub fn").then_some(line).or((!signature.is_empty()).then_some(line)),
            _ => None,
        };
        let Some(visible) = visible else { continue };
        signature += visible;
        let is_const = signature.starts_with("pub const ") && !signature.starts_with("pub const fn");
        let end = if matches!(item.0, "struct" | "enum") {
            Some(signature.len())
        } else {
            signature.find(if is_const { " = " } else { "{" })
        };
        let Some(end) = end else { continue };
        let types = words(&signature[..end]).filter(|word| word.starts_with(char::is_uppercase));
        named.extend(types.map(|word| (item.1.to_owned(), word.to_owned())));
        signature.clear();
    }
    named
}

#[test]
fn types_named_by_exported_items_are_exported() {
    let (code, exported) = (code(), exported_names());
    let is_type = |line: &&str| ["pub struct ", "pub enum ", "pub trait "].iter().any(|start| line.starts_with(start));
    let lines = code.iter().flat_map(|code| code.lines());
    let types: BTreeSet<&str> = lines.filter(is_type).filter_map(declared_item).map(|(_, name)| name).collect();
    assert!(types.len() > 100, "{types:?}");
    let named: BTreeSet<_> = code.iter().flat_map(|code| used_types(code)).collect();
    let known = named.iter().filter(|(item, name)| exported.contains(item) && types.contains(&**name));
    let (present, missing): (Vec<_>, Vec<_>) = known.partition(|(_, name)| exported.contains(name));
    assert!(present.len() > 100, "{present:?}");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn used_types_finds_fields_variants_and_signatures() {
    let code = "pub struct A {\n    pub field: Field,\n    own: Own,\n}\nimpl<S> A<S> {\n    #[doc(hidden)]\n    pub fn no(&self) -> Hidden {\n    }\n    pub fn yes(\n        \
                &self,\n        given: Given,\n    ) -> Option<Found> {\n        Body::of()\n    }\n}\npub enum B {\n    Variant(Held),\n    Other {\n        place: Place,\n    },\n}\n\
                pub fn free(one: One) -> Two {\n    Body\n}";
    let found = used_types(code);
    let names: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["Field", "Given", "Option", "Found", "Held", "Place", "One", "Two"]);
    assert_eq!([&found[0].0, &found[1].0, &found[4].0, &found[6].0], ["A", "A", "B", "free"]);
}
