//! The parts of sources as files below a folder.

use std::path::Path;

use anyhow::Result;

use jigo_archive::pipeline::SourcePart;
use jigo_archive::source::Source;
use jigo_archive::source::files::separators::Separators;
use jigo_archive::visit::extract::truncate;
use jigo_run::output::PendingFile;
use jigo_run::output::path_conflicts::ReservedPaths;
use jigo_run::output::unique_names::{UniqueNames, relative_path};

/// The maximum length of a folder name in bytes on common file systems.
const MAX_FOLDER_BYTES: usize = 255;
/// The maximum length of a stem in bytes. A number from [`UniqueNames`] adds up to 11
/// bytes, and the number of the game with the extension up to 16.
const MAX_STEM_BYTES: usize = 228;

/// Writes parts into files, which are named after their sources and their first games.
pub struct PartFiles<'a> {
    folder: &'a Path,
    force: bool,
    /// Existing paths that must not be replaced.
    reserved: ReservedPaths,
    separators: Separators,
    /// The beginnings of names. Different source names may lead to the same beginning.
    names: UniqueNames,
    open: Option<OpenSource>,
    appended_parts: u64,
}

/// A source that may have more parts.
struct OpenSource {
    name: String,
    /// The beginning of its file names, which is set by the first part.
    stem: Option<String>,
    /// The current file, and the number of its first game.
    file: Option<(PendingFile, u64)>,
}

impl<'a> PartFiles<'a> {
    /// Creates a writer for the parts of these sources.
    pub fn new(folder: &'a Path, sources: &[Source], force: bool, separators: Separators) -> PartFiles<'a> {
        let reserved = ReservedPaths::from_sources(sources, "--out", folder);
        PartFiles { folder, force, reserved, separators, names: UniqueNames::default(), open: None, appended_parts: 0 }
    }

    /// Writes the next part. A part without text has no file. A part without a game boundary before
    /// it is appended to the current file.
    ///
    /// # Errors
    /// Fails if a file exists and may not be replaced, or can't be written.
    pub fn add(&mut self, part: &SourcePart) -> Result<()> {
        let open_source = match self.open.take() {
            Some(open) if open.name == part.file => Some(open),
            previous => previous.map_or(Ok(()), OpenSource::end).map(|()| None)?,
        };
        let mut open = open_source.unwrap_or_else(|| OpenSource { name: part.file.clone(), stem: None, file: None });
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

    /// Closes the last file. Returns the number of parts that were appended to a file.
    ///
    /// # Errors
    /// Fails if the file can't be written.
    pub fn finish(self) -> Result<u64> {
        self.open.map_or(Ok(()), OpenSource::end)?;
        Ok(self.appended_parts)
    }

    fn append(&mut self, open: &mut OpenSource, part: &SourcePart) -> Result<()> {
        let game = part.part.game;
        // Stray text between games may be divided anywhere to limit memory. Files for such parts
        // would have the same name, so they are joined.
        if let Some((file, _)) = open.file.as_mut().filter(|(_, first)| *first == game) {
            self.appended_parts += 1;
            return file.append(&part.text);
        }
        if let Some((file, _)) = open.file.take() {
            put_in_place(file)?;
        }
        let stem = open.stem.get_or_insert_with(|| stem(&mut self.names, &self.separators.path(&part.file)));
        let path = self.folder.join(file_name(stem, game));
        self.reserved.check_free(&path, "name another folder")?;
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

/// Returns a unique beginning for the file names of a source. It stays below the folder for any
/// path of the source. For example `a/b.sgf` gives `a/b`, and a later `a/b.SGF` gives `a/b-2`.
fn stem(names: &mut UniqueNames, source: &str) -> String {
    // A row may have any identifier, a file no NUL in its name.
    let path = relative_path(&source.replace('\0', "_"));
    let (folders, last) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = Path::new(last).file_stem().map_or("games".into(), |stem| stem.to_string_lossy());
    let stem = if stem == "-" { "games" } else { truncate(&stem, MAX_STEM_BYTES) };
    let folders =
        folders.split('/').filter(|folder| !folder.is_empty()).map(|folder| truncate(folder, MAX_FOLDER_BYTES));
    // The dot distinguishes the name from a folder, and marks the place for a number.
    let name = folders.chain([stem]).collect::<Vec<_>>().join("/") + ".";
    let mut unique_name = names.make_unique(&name);
    unique_name.pop();
    unique_name
}

/// The prefix of a game's number for each digit after the sixth. Letters sort after digits.
const MORE_DIGITS: [&str; 15] = ["", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];

/// Returns a file name: `a/b-000001.sgf` for the first game of `a/b`, and `a/b-a1000000.sgf` from
/// the millionth game on, so that names sort in the order of the games.
fn file_name(stem: &str, game: u64) -> String {
    let digits = format!("{game:06}");
    format!("{stem}-{}{digits}.sgf", MORE_DIGITS[digits.len() - 6])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_stays_below_the_folder() {
        for (source, name) in [
            ("a/b.sgf", "a/b-000007.sgf"),
            ("/data/b.SGF", "data/b-000007.sgf"),
            ("../../b", "b-000007.sgf"),
            ("a.zip/../x/b.sgf", "a.zip/x/b-000007.sgf"),
            ("a!b!.sgf", "a!b!-000007.sgf"),
            ("-", "games-000007.sgf"),
            ("-/b.sgf", "-/b-000007.sgf"),
            ("a\0/b\0c.sgf", "a_/b_c-000007.sgf"),
            ("\0", "_-000007.sgf"),
        ] {
            assert_eq!(file_name(&stem(&mut UniqueNames::default(), source), 7), name, "{source}");
        }
    }

    #[test]
    fn source_names_are_unique_and_short_enough() {
        let (long, wide) = ("l".repeat(255), "囲".repeat(400));
        let mut names = UniqueNames::default();
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
        let stems = sources.map(|source| stem(&mut names, source));
        assert_eq!(stems, ["a", "a-2", "a-3", "a/b", "a-2-2", "k/a/b", "k/a/b-2", "k/a/b-3", "v1.2", "v1.2-2"]);
        for source in [&long, &long, &wide, &format!("{wide}/{wide}.sgf")] {
            let name = file_name(&stem(&mut names, source), 9_999_999_999);
            assert!(name.split('/').all(|part| part.len() <= 255), "{name}");
        }
    }

    #[test]
    fn names_sort_in_the_order_of_the_games() {
        let games = [1, 2, 11, 999_999, 1_000_000, 1_000_001, 9_999_999, 10_000_000, u64::MAX];
        assert!(games.map(|game| file_name("a", game)).is_sorted());
    }
}
