//! What the first page of the library shows is complete: whoever reads a field or calls a method can name the type that is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::support::files_ending;

const CORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/jigo-core/src");

/// The code of each file without comments and tests.
fn code() -> Vec<String> {
    let files = files_ending(Path::new(CORE), "rs");
    assert!(files.len() > 100, "the sources have moved");
    let code = |path| {
        let text = fs::read_to_string(path).unwrap();
        let outside_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
        outside_tests.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
    };
    files.iter().map(code).collect()
}

/// The words of a text, in which names have no gaps.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// The names that `lib.rs` shows.
fn shown() -> BTreeSet<String> {
    let library = fs::read_to_string(format!("{CORE}/lib.rs")).unwrap();
    let uses = library.split("\npub use ").skip(1).map(|rest| rest.split(';').next().unwrap_or(rest));
    // Of a path the last name is shown.
    let names = uses.flat_map(|used| used.split(['{', '}', ','])).filter_map(|path| path.rsplit("::").next());
    names.map(|name| name.trim().to_owned()).collect()
}

/// The name of the type or function that a line without indentation begins, if it does.
fn begun(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    // Of `impl<T>`, what stands for any type is no name.
    let (kind, rest) = match line.strip_prefix("impl<").and_then(|rest| rest.split_once("> ")) {
        Some((_, rest)) => ("impl", rest),
        None => line.split_once(' ')?,
    };
    let is_trait = kind == "impl" && line.contains(" for ");
    let is_item = matches!(kind, "struct" | "enum" | "trait" | "impl" | "fn") && !is_trait;
    is_item.then(|| (kind, words(rest).next().unwrap_or_default()))
}

/// The names of types that the public side of each item shows, with the item.
fn named(code: &str) -> Vec<(String, String)> {
    let mut named = Vec::new();
    let mut item = ("", "");
    let (mut signature, mut is_hidden) = (String::new(), false);
    for line in code.lines() {
        let inside = line.strip_prefix("    ");
        if !line.is_empty() && inside.is_none() {
            item = begun(line).unwrap_or(item);
        }
        let said = match (item.0, inside) {
            ("struct", Some(field)) => field.strip_prefix("pub "),
            // A variant's own name is none of a type.
            ("enum", Some(variant)) => variant.strip_prefix("    ").or(variant.split_once('(').map(|(_, held)| held)),
            ("impl" | "trait", Some(member)) => {
                let begins = member.starts_with("pub ") && !is_hidden;
                is_hidden = member.starts_with("#[doc(hidden)]") || (is_hidden && member.starts_with("#["));
                (begins || !signature.is_empty()).then_some(member)
            }
            ("fn", _) => line.starts_with("pub fn").then_some(line).or((!signature.is_empty()).then_some(line)),
            _ => None,
        };
        let Some(said) = said else { continue };
        signature += said;
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
fn whatever_an_item_of_the_front_page_names_is_on_it_too() {
    let (code, shown) = (code(), shown());
    let is_type = |line: &&str| ["pub struct ", "pub enum ", "pub trait "].iter().any(|start| line.starts_with(start));
    let lines = code.iter().flat_map(|code| code.lines());
    let types: BTreeSet<&str> = lines.filter(is_type).filter_map(begun).map(|(_, name)| name).collect();
    assert!(types.len() > 100, "{types:?}");
    let named: BTreeSet<_> = code.iter().flat_map(|code| named(code)).collect();
    let known = named.iter().filter(|(item, name)| shown.contains(item) && types.contains(&**name));
    let (there, missing): (Vec<_>, Vec<_>) = known.partition(|(_, name)| shown.contains(name));
    assert!(there.len() > 100, "{there:?}");
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn fields_variants_and_signatures_are_looked_at() {
    let code = "pub struct A {\n    pub field: Field,\n    own: Own,\n}\nimpl<S> A<S> {\n    #[doc(hidden)]\n    pub fn no(&self) -> Hidden {\n    }\n    pub fn yes(\n        \
                &self,\n        given: Given,\n    ) -> Option<Found> {\n        Body::of()\n    }\n}\npub enum B {\n    Variant(Held),\n    Other {\n        place: Place,\n    },\n}\n\
                pub fn free(one: One) -> Two {\n    Body\n}";
    let found = named(code);
    let names: Vec<&str> = found.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["Field", "Given", "Option", "Found", "Held", "Place", "One", "Two"]);
    assert_eq!([&found[0].0, &found[1].0, &found[4].0, &found[6].0], ["A", "A", "B", "free"]);
}
