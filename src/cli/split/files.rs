//! The parts of sources as files below a folder.

use std::path::Path;

use anyhow::Result;

use crate::cli::names::{Names, below};
use crate::cli::output::PendingFile;
use crate::cli::places::TakenPlaces;
use jigo_archive::pipeline::SourcePart;
use jigo_archive::source::Source;
use jigo_archive::source::name::Separators;
use jigo_archive::visit::extract::cut;

/// Longest name of a folder, in bytes: more no usual file system takes.
const LONGEST_FOLDER: usize = 255;
/// Longest beginning of a file's name, in bytes: behind it a number of [`Names`] takes up to 11, and that of a game with the ending up to 16.
const LONGEST_STEM: usize = 228;

/// Writes parts into files, which are named after their sources and their first games.
pub struct PartFiles<'a> {
    folder: &'a Path,
    force: bool,
    /// What stands there and is not to be replaced.
    taken: TakenPlaces,
    separators: Separators,
    /// Beginnings of names: sources of different names may come to the same.
    names: Names,
    open: Option<OpenSource>,
    joined: u64,
}

/// A source that may go on.
struct OpenSource {
    name: String,
    /// What the names of its files begin with; it has none before the first.
    stem: Option<String>,
    /// The last file, and the number of its first game.
    file: Option<(PendingFile, u64)>,
}

impl<'a> PartFiles<'a> {
    /// No part of these sources yet.
    pub fn new(folder: &'a Path, sources: &[Source], force: bool, separators: Separators) -> PartFiles<'a> {
        let taken = TakenPlaces::of(sources, "--out", folder);
        PartFiles { folder, force, taken, separators, names: Names::default(), open: None, joined: 0 }
    }

    /// Writes the next part. One without text has no file, and one without the end of a game before it goes on in the file of that game.
    ///
    /// # Errors
    /// When a file is there already and may not be replaced, or can't be written.
    pub fn add(&mut self, part: &SourcePart) -> Result<()> {
        let begun = match self.open.take() {
            Some(open) if open.name == part.file => Some(open),
            other => other.map_or(Ok(()), OpenSource::end).map(|()| None)?,
        };
        let mut open = begun.unwrap_or_else(|| OpenSource { name: part.file.clone(), stem: None, file: None });
        if !part.text.is_empty() {
            self.append(&mut open, part)?;
        }
        // The next source may have the same name.
        if part.part.is_last {
            return open.end();
        }
        self.open = Some(open);
        Ok(())
    }

    /// Ends the last file; gives how many parts went on in the file of the one before.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn finish(self) -> Result<u64> {
        self.open.map_or(Ok(()), OpenSource::end)?;
        Ok(self.joined)
    }

    fn append(&mut self, open: &mut OpenSource, part: &SourcePart) -> Result<()> {
        let game = part.part.game;
        // Text between games may be cut anywhere to bound the memory; files that were, would have the same name.
        if let Some((file, _)) = open.file.as_mut().filter(|(_, first)| *first == game) {
            self.joined += 1;
            return file.append(&part.text);
        }
        if let Some((file, _)) = open.file.take() {
            put_in_place(file)?;
        }
        let stem = open.stem.get_or_insert_with(|| stem(&mut self.names, &self.separators.path(&part.file)));
        let path = self.folder.join(file_name(stem, game));
        self.taken.leave(&path, "name another folder")?;
        let (file, _) = open.file.insert((PendingFile::create_below(&path, None, self.force)?, game));
        file.append(&part.text)
    }
}

impl OpenSource {
    fn end(self) -> Result<()> {
        self.file.map_or(Ok(()), |(file, _)| put_in_place(file))
    }
}

fn put_in_place(file: PendingFile) -> Result<()> {
    file.close()?.put_in_place()
}

/// What the names of a source's files begin with, below a folder whatever its path is, and for no other source: `a/b.sgf` gives `a/b`, and `a/b.SGF` behind it
/// `a/b-2`.
fn stem(names: &mut Names, source: &str) -> String {
    let path = below(source);
    let (folders, last) = path.rsplit_once('/').map_or(("", &*path), |(folders, last)| (folders, last));
    let stem = Path::new(last).file_stem().map_or("games".into(), |stem| stem.to_string_lossy());
    let stem = if stem == "-" { "games" } else { cut(&stem, LONGEST_STEM) };
    let folders = folders.split('/').filter(|folder| !folder.is_empty()).map(|folder| cut(folder, LONGEST_FOLDER));
    // The dot keeps it apart from folders, of which it is none, and is where a number goes.
    let name = folders.chain([stem]).collect::<Vec<_>>().join("/") + ".";
    let mut given = names.give(&name);
    given.pop();
    given
}

/// What stands before the number of a game for each digit beyond the sixth: letters sort behind digits.
const MORE_DIGITS: [&str; 15] = ["", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];

/// The name of a file: `a/b` gives `a/b-000001.sgf`, and `a/b-a1000000.sgf` from the millionth game on, so that names of a source sort as its games do.
fn file_name(stem: &str, game: u64) -> String {
    let digits = format!("{game:06}");
    format!("{stem}-{}{digits}.sgf", MORE_DIGITS[digits.len() - 6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_lies_below_the_folder_whatever_its_source_is_called() {
        for (source, name) in [
            ("a/b.sgf", "a/b-000007.sgf"),
            ("/data/b.SGF", "data/b-000007.sgf"),
            ("../../b", "b-000007.sgf"),
            ("a.zip/../x/b.sgf", "a.zip/x/b-000007.sgf"),
            ("a!b!.sgf", "a!b!-000007.sgf"),
            ("-", "games-000007.sgf"),
            ("-/b.sgf", "-/b-000007.sgf"),
        ] {
            assert_eq!(file_name(&stem(&mut Names::default(), source), 7), name, "{source}");
        }
    }

    #[test]
    fn no_two_sources_have_a_name_and_all_names_fit() {
        let (long, wide) = ("l".repeat(255), "囲".repeat(400));
        let mut names = Names::default();
        let sources = [
            "a.sgf",
            "a.SGF",
            "a",
            "a/b.sgf",
            "a-2.sgf",
            "k/a/b.sgf",
            "k/a/b.sgf",
            "k/a/b.sgf",
            "v1.2.sgf",
            "v1.2.mgt",
        ];
        let given = sources.map(|source| stem(&mut names, source));
        assert_eq!(given, ["a", "a-2", "a-3", "a/b", "a-2-2", "k/a/b", "k/a/b-2", "k/a/b-3", "v1.2", "v1.2-2"]);
        for source in [&long, &long, &wide, &format!("{wide}/{wide}.sgf")] {
            let name = file_name(&stem(&mut names, source), 9_999_999_999);
            assert!(name.split('/').all(|part| part.len() <= 255), "{name}");
        }
    }

    #[test]
    fn names_sort_as_the_games_do() {
        let games = [1, 2, 11, 999_999, 1_000_000, 1_000_001, 9_999_999, 10_000_000, u64::MAX];
        assert!(games.map(|game| file_name("a", game)).is_sorted());
    }
}
