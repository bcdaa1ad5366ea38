//! Compares games before and after safe fixes with a second reader. Mutated games in mixed
//! encodings, in folders of many files with large logs, keep turns, setup, the meaning of the
//! header, markup and texts. Values that no row of the log names keep their bytes and their order,
//! and what sgf-parse reads stays readable.
//!
//! `JIGO_DIFFERENTIAL=200000` sets the number of files, and `JIGO_SEED` the seed of the first
//! batch. With `JIGO_CORPUS`, games of the corpus are also mutated.

use std::ops::Range;

use std::collections::BTreeMap;

use crate::support::cli::Folder;
use crate::support::damaged_games::{DamagedFile, Seed, damaged_file};
use crate::support::generated::{Random, seed};
use crate::support::manifest::Row;
use crate::support::second_reader::{SecondGame, read_games};
use crate::support::{corpus, files_ending};

/// The number of files in a run of `jigo fix`.
const BATCH: usize = 500;

/// Returns the first difference between two readings of a file.
fn difference(before: &[SecondGame], fixed: &[SecondGame]) -> Option<String> {
    if before.len() != fixed.len() {
        return Some(format!("{} games become {}", before.len(), fixed.len()));
    }
    let (number, (first, second)) =
        before.iter().zip(fixed).enumerate().find(|(_, (first, second))| first.content != second.content)?;
    let line = |game: &SecondGame, index: usize| game.content.get(index).cloned().unwrap_or_default();
    let index = (0..).find(|index| line(first, *index) != line(second, *index))?;
    Some(format!("game {}, line {index}:\n  {}\n  {}", number + 1, line(first, index), line(second, index)))
}

/// A row of the log.
struct Change {
    /// The byte in the recorded file.
    byte: usize,
    /// The text before the change. A fix of several places names them one after the other.
    before: String,
    row: Row,
}

/// The made fixes of each file, and their number by code.
#[derive(Default)]
struct Log {
    rows: BTreeMap<String, Vec<Change>>,
    codes: BTreeMap<String, usize>,
}

impl Log {
    fn add(&mut self, folder: &Folder) {
        self.rows.clear();
        for row in folder.table("log.csv").into_iter().filter(|row| row["made"] == "true") {
            *self.codes.entry(row["code"].clone()).or_default() += 1;
            let (byte, before) = (row["byte"].parse().unwrap(), row["before"].clone());
            self.rows.entry(row["file"].clone()).or_default().push(Change { byte, before, row });
        }
    }
}

/// Returns a text without the names of fragments, whose charset is unknown.
fn without_names(text: &[u8], names: &[Vec<u8>]) -> Vec<u8> {
    let names = names.iter().filter(|name| !name.is_ascii());
    let values = names.flat_map(|name| [b"C[", b"N["].map(|start| [start, name.as_slice(), b"]"].concat()));
    values.fold(text.to_vec(), |text, value| {
        let offset = text.windows(value.len()).position(|bytes| bytes == value);
        offset.map_or(text.clone(), |offset| [&text[..offset + 2], &text[offset + value.len() - 1..]].concat())
    })
}

/// Returns what a fixed file lost, if it did.
fn fault(file: &DamagedFile, fixed: &[u8], rows: &[Change], rest: fn(&str) -> String) -> Option<String> {
    let (text, strays, names) = file;
    // Properties become a part of the game before them, and the second reader reads them there.
    let literal = strays.iter().filter(|stray| !stray.ends_with(']')).map(|stray| stray.as_bytes());
    let mut literal = literal.chain(names.iter().map(Vec::as_slice));
    let missing = literal.find(|part| !fixed.windows(part.len()).any(|bytes| bytes == *part));
    if let Some(part) = missing {
        return Some(format!("lost: {}", part.escape_ascii()));
    }
    if (text == fixed) != rows.is_empty() {
        return Some("the log and the change disagree".into());
    }
    let games = read_games(&without_names(text, names));
    if let (Ok(before), Ok(after)) = (std::str::from_utf8(text), std::str::from_utf8(fixed))
        && let Some(lost) = plain_fault(before, after, rows, strays.is_empty().then_some(games.len()))
    {
        return Some(lost);
    }
    let mut readings = [games, read_games(&without_names(fixed, names))];
    let lines = readings.iter_mut().flatten().flat_map(|game| &mut game.content);
    lines.for_each(|line| *line = rest(line));
    difference(&readings[0], &readings[1])
}

/// Returns the values that a reader without any recovery finds, with their offsets: the text from
/// each `[` to the next `]` without a backslash.
fn values(text: &str) -> Vec<(usize, &str)> {
    let (mut values, mut rest) = (Vec::new(), text);
    while let Some(open) = rest.find('[') {
        let mut is_escaped = false;
        let end = rest[open + 1..].bytes().position(|byte| {
            let is_end = byte == b']' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let Some(end) = end else { break };
        values.push((text.len() - rest.len() + open + 1, &rest[open + 1..open + 1 + end]));
        rest = &rest[open + end + 2..];
    }
    values
}

/// Returns the number of trees and nodes that sgf-parse finds in a file of sound games.
fn sound_trees(text: &str) -> Option<usize> {
    sgf_parse::parse(text).ok().map(|trees| trees.len())
}

/// Returns what a fixed file lost for readers without any recovery: a value, or one of the `games`.
///
/// sgf-parse counts the games, and finds more of them in a damaged one. It stops at text between
/// them, so `games` is `None` for such a file.
fn plain_fault(before: &str, fixed: &str, rows: &[Change], games: Option<usize>) -> Option<String> {
    // A converted text has other brackets, and sgf-parse does not read it.
    let is_converted = before.contains('\0');
    if !is_converted {
        let edits: Vec<Range<usize>> = rows.iter().flat_map(|row| edits(row, before)).collect();
        let is_named = |start: usize, value: &str| {
            edits.iter().any(|edit| edit.start <= start + value.len() + 1 && start <= edit.end + 1)
        };
        let mut found = values(fixed).into_iter();
        let kept = values(before).into_iter().filter(|(start, value)| !is_named(*start, value));
        let lost = kept.into_iter().find(|(_, value)| !found.any(|(_, other)| other == *value));
        if let Some((_, lost)) = lost {
            return Some(format!("lost or moved: [{lost}]"));
        }
    }
    let games = games.filter(|_| !is_converted)?;
    let [before, after] = [before, fixed].map(sound_trees);
    let expected = before.map(|trees| trees.min(games));
    (after < expected).then(|| format!("sgf-parse: {before:?} trees become {after:?}"))
}

/// Returns the ranges of a text that a row of the log names: its byte and the text from there on,
/// and the values of its text, which may be at several places.
fn edits(change: &Change, before: &str) -> Vec<Range<usize>> {
    let Change { byte, before: text, .. } = change;
    let values = values(before);
    let mut later = values.iter().filter(|(value, _)| value > byte);
    // Joined values are named by the brackets between them.
    let joined = later.nth(text.matches("][").count()).map_or(before.len(), |(value, _)| value - 2);
    let mut place = byte.saturating_sub(text.len());
    let named = self::values(text).into_iter().filter_map(|(offset, named)| {
        // The bytes before a value tell it from an equal one of another property.
        let start = text.as_bytes()[..offset].last_chunk::<3>();
        let is_named = |value: usize| start.is_none_or(|start| before.as_bytes()[..value].ends_with(start));
        let mut equal = values.iter().filter(|(value, text)| *value > place && *text == named);
        let (value, _) = equal.clone().find(|(value, _)| is_named(*value)).or_else(|| equal.next())?;
        place = *value;
        Some(place..place + named.len())
    });
    std::iter::once(*byte..joined.max(byte + text.len() + 1)).chain(named).collect()
}

/// A folder whose name makes each row long.
const LONG_NAME: &str =
    "a long name of a folder/a long name of a folder/a long name of a folder/a long name of a folder";

/// A sound game with a fix and many findings. The rows of a batch of such files fill several
/// outputs.
fn noisy(number: usize) -> String {
    format!("(;GM[1]FF[4]SZ[9]KM[6,5]PB[player {number}]{})\n", ";B[aa]".repeat(60))
}

/// Odd values of the header, which normalisation changes.
const ODD_HEADER: &str = "DT[2017.08.28 12:50]BR[9 dan]WR[P7d]RU[jp]PC[ a  b ]RE[b + R]";

/// Returns a line of the second reader without the properties that normalisation changes.
fn without_header(line: &str) -> String {
    const NAMES: [&str; 11] = ["DT", "DTTIME", "PB", "PW", "BR", "WR", "EV", "PC", "RE", "RU", "KM"];
    let is_changed = |part: &&str| part.split_once('[').is_some_and(|(name, _)| NAMES.contains(&name));
    let parts = line.trim_end_matches("\"]").split("\"] ").filter(|part| !is_changed(part));
    parts.collect::<Vec<_>>().join("\"] ")
}

#[test]
fn safe_fixes_keep_all_content() {
    check_fixes("", "", str::to_owned);
}

#[test]
fn normalisation_keeps_all_other_content() {
    check_fixes("--normalize all", ODD_HEADER, without_header);
}

/// Compares files before and after `jigo fix` with these flags, apart from what `rest` leaves out.
/// Some games have `header`.
fn check_fixes(flags: &str, header: &str, rest: fn(&str) -> String) {
    let files = std::env::var("JIGO_DIFFERENTIAL").map_or(BATCH, |files| files.parse().unwrap());
    let texts = files_ending(&corpus(), "sgf").into_iter().filter_map(|path| std::fs::read(path).ok());
    let seeds: Vec<Seed> = texts.flat_map(|text| Seed::all_of(&text)).collect();
    let first_seed = seed(37);
    let (mut faults, mut changed, mut log) = (Vec::new(), 0, Log::default());
    for (batch, start) in (0..files).step_by(BATCH).enumerate() {
        let seed = first_seed + batch as u64;
        let mut random = Random(seed);
        let folder = Folder::new();
        let texts: Vec<_> = (start..files.min(start + BATCH))
            .map(|number| {
                let (text, strays, names) = damaged_file(&mut random, &seeds);
                let noise = if random.below(2) == 0 {
                    noisy(number).replace("KM", &format!("{header}KM"))
                } else {
                    String::new()
                };
                let folder = ["a", "folder/with/others", LONG_NAME][number % 3];
                (format!("in/{folder}/{number:06}.sgf"), ([noise.as_bytes(), &text].concat(), strays, names))
            })
            .collect();
        for (name, (text, ..)) in &texts {
            folder.file(name, text);
        }
        let ran = folder.run(&format!("fix --quiet --exit-zero --in-place --log log.csv {flags} in"));
        assert_eq!(ran.code, 0, "seed {seed}: {}", ran.err);
        log.add(&folder);
        for (name, file) in &texts {
            let fixed = std::fs::read(folder.path().join(name)).unwrap();
            changed += usize::from(fixed != file.0);
            let rows = log.rows.get(name).map_or(&[][..], Vec::as_slice);
            faults.extend(fault(file, &fixed, rows, rest).map(|fault| {
                eprintln!("{name}, seed {seed}: {fault}");
                let texts = [file.0.escape_ascii(), fixed.escape_ascii()];
                let rows: String = rows.iter().map(|change| format!("\n{:?}", change.row)).collect();
                format!("seed {seed}, {name}: {fault}\n{}\n{}{rows}", texts[0], texts[1])
            }));
        }
    }
    eprintln!("{files} files, seed {first_seed}: {changed} changed, fixes: {:?}", log.codes);
    assert!(changed * 4 > files, "{changed} of {files} files have a safe fix");
    assert!(faults.is_empty(), "{} of {files} files\n{}", faults.len(), faults[..faults.len().min(10)].join("\n\n"));
}
