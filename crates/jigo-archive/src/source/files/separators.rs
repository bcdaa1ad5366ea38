//! Separators between an archive and its content in the names of files.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use super::discover::{Source, SourceKind};
use crate::source::compression::format::ArchiveFormat;
use crate::source::content::InputFormat;
use jigo_rules::board::fnv1a;

/// Finds the `!` that separates an archive from its content in a name. Names of files and
/// identifiers of rows may also contain a `!`.
#[derive(Clone, Debug, Default)]
pub struct Separators {
    /// The names of sources that may contain files or rows, as hashes. A million of them take a few
    /// megabytes.
    containers: Arc<HashSet<u64>>,
    /// The names of sources that contain a `!` themselves.
    names_with_separator: Arc<HashSet<u64>>,
}

impl Separators {
    /// Collects the names of these sources, read in this format.
    pub fn new(sources: &[Source], format: InputFormat) -> Separators {
        let is_container = |source: &&Source| match source.kind {
            SourceKind::File(..) => format.is_rows(),
            SourceKind::EmptyFolder | SourceKind::Failed(_) => false,
            _ => true,
        };
        let hash = |source: &Source| fnv1a(source.name.as_bytes());
        let names_with_separator = sources.iter().filter(|source| source.name.contains('!')).map(hash);
        let containers = sources.iter().filter(is_container).map(hash);
        Separators {
            containers: Arc::new(containers.collect()),
            names_with_separator: Arc::new(names_with_separator.collect()),
        }
    }

    /// Converts the name of a file to a path: each `!` after a container becomes a `/`.
    pub fn path<'f>(&self, file: &'f str) -> Cow<'f, str> {
        if !file.contains('!') || self.names_with_separator.contains(&fnv1a(file.as_bytes())) {
            return file.into();
        }
        // Nested archives and identifiers of rows are known only by their names.
        let is_container =
            |name: &str| self.containers.contains(&fnv1a(name.as_bytes())) || ArchiveFormat::from_name(name).is_some();
        let mut path = file.to_owned();
        for (offset, _) in file.match_indices('!').filter(|(offset, _)| is_container(&file[..*offset])) {
            path.replace_range(offset..=offset, "/");
        }
        path.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn separator_follows_a_container() {
        let path = || PathBuf::from("any");
        let source = |name: &str, kind| Source { name: name.into(), kind, is_named: true };
        let sources = [
            source("d/Go!.sgf", SourceKind::File(path(), 1)),
            source("a.zip!b.sgf", SourceKind::File(path(), 1)),
            source("d/a", SourceKind::File(path(), 1)),
            source("d/a!b.zip", SourceKind::Archive(path(), 1, ArchiveFormat::Zip)),
            source("packed", SourceKind::Archive(path(), 1, ArchiveFormat::Zip)),
            source("-", SourceKind::Stream(None)),
        ];
        let separators = Separators::new(&sources, InputFormat::Auto);
        for (file, expected) in [
            ("d/Go!.sgf", "d/Go!.sgf"),
            ("d/a!17", "d/a!17"),
            ("d/a!b.zip!c!d.sgf", "d/a!b.zip/c!d.sgf"),
            ("packed!x!.tar.gz!y!z.sgf", "packed/x!.tar.gz/y!z.sgf"),
            ("-!b.sgf", "-/b.sgf"),
            ("wow! a row's", "wow! a row's"),
            ("a row of.zip!b!.sgf", "a row of.zip/b!.sgf"),
            ("a.zip!b.sgf", "a.zip!b.sgf"),
        ] {
            assert_eq!(separators.path(file), expected);
        }
        assert_eq!(Separators::new(&sources, InputFormat::Csv).path("d/a!17"), "d/a/17");
    }
}
