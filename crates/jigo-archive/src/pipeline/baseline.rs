//! The baseline: the findings that an archive is known to have, so that a run reports only new
//! ones.
//!
//! A finding is identified by values that do not change when other games are added or removed: the
//! file, the game's hash, the code, the variation, the turn and the point. The game's position in
//! the file and the wording of the detail do not matter.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Serialize, Serializer};
use serde_json::Value;

use jigo_core::analysis::{GameReport, Outcome};
use jigo_record::finding::{Code, CodeSet, Finding};
use jigo_record::splitter::GameText;
use jigo_rules::board::fnv1a;

/// The first line of a baseline file, with the format's version.
const FIRST_LINE: &str = "{\"jigo_baseline\":1}";

/// The extent to which a run reads a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileRead {
    Whole,
    Partial,
}

/// The key of a finding in a baseline. Keys sort in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct FindingKey {
    /// The input, without a leading `./`.
    file: Box<str>,
    /// The hash that identifies the game or text.
    ///
    /// - A replayed game with turns: `game_hash` of the games table; for a finding on the result,
    ///   combined with a hash of RE.
    /// - Any other game: a hash of its bytes.
    /// - Stray text: a hash of the text.
    /// - A finding on the whole input: 0.
    #[serde(serialize_with = "serialize_hash")]
    game: u64,
    #[serde(serialize_with = "serialize_code")]
    code: Code,
    /// The variation; empty on the main line.
    #[serde(skip_serializing_if = "str::is_empty")]
    variation: Box<str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
    /// The point as an SGF pair, or empty.
    #[serde(skip_serializing_if = "str::is_empty")]
    point: Box<str>,
    /// The name of the unmet expectation; empty for all other findings.
    #[serde(skip_serializing_if = "str::is_empty")]
    expectation: Box<str>,
}

fn serialize_hash<S: Serializer>(hash: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{hash:016x}"))
}

fn serialize_code<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.id())
}

impl FindingKey {
    /// Returns the code of the finding.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns true if the finding is not on the main line.
    pub fn is_in_variation(&self) -> bool {
        !self.variation.is_empty()
    }

    /// Returns the number that identifies a game in the baseline.
    pub fn game_number(text: &GameText, report: &GameReport) -> u64 {
        let has_turns = report.hash != 0 && report.tally.turns > 0;
        if has_turns { report.hash } else { fnv1a(text.bytes.trim_ascii()) }
    }

    /// Returns the key of a finding in the game with this [`FindingKey::game_number`].
    ///
    /// A finding on the result is also identified by RE, so that a changed result is a new finding.
    pub fn in_game(file: &str, game: u64, report: &GameReport, finding: &Finding) -> FindingKey {
        let is_on_result = Code::RESULT_CODES.contains(&finding.code);
        let result = if is_on_result { fnv1a(report.header.result_text.as_bytes()) } else { 0 };
        FindingKey { game: game ^ result, ..FindingKey::outside_games(file, finding, None) }
    }

    /// Returns the key of a finding outside games: on the stray text `text`, or on the whole input.
    pub fn outside_games(file: &str, finding: &Finding, text: Option<&str>) -> FindingKey {
        FindingKey {
            file: file.trim_start_matches("./").into(),
            game: text.map_or(0, |text| fnv1a(text.as_bytes())),
            code: finding.code,
            variation: finding.variation.as_str().into(),
            turn: finding.place.turn,
            point: finding.place.point.map_or(String::new(), |point| point.to_string()).into(),
            expectation: finding.expectation.as_deref().unwrap_or_default().into(),
        }
    }

    /// Returns a hash of the whole key, equal in every run and version.
    pub fn fingerprint(&self) -> u64 {
        fnv1a(self.line().as_bytes())
    }

    fn parse(line: &str) -> Result<FindingKey, String> {
        let fields: Value = serde_json::from_str(line).map_err(|error| format!("not a JSON object: {error}"))?;
        let text = |name: &str| match &fields[name] {
            Value::Null => Ok(""),
            Value::String(text) => Ok(text.as_str()),
            _ => Err(format!("{name} is no text")),
        };
        let id = text("code")?;
        let code = Code::TABLE.iter().find(|row| row.id == id).map(|row| row.code);
        let turn = match &fields["turn"] {
            Value::Null => None,
            turn => Some(turn.as_u64().and_then(|turn| u32::try_from(turn).ok()).ok_or("turn is no number of a turn")?),
        };
        Ok(FindingKey {
            file: text("file")?.into(),
            game: u64::from_str_radix(text("game")?, 16).map_err(|_| "game is no hash of 16 digits")?,
            code: code.ok_or_else(|| format!("there is no finding code {id:?}; see jigo explain"))?,
            variation: text("variation")?.into(),
            turn,
            point: text("point")?.into(),
            expectation: text("expectation")?.into(),
        })
    }

    /// Returns the line of the key in the file.
    fn line(&self) -> String {
        // Texts and numbers always have a form in JSON.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The known findings and their occurrences in a run, shared by all threads.
#[derive(Debug, Default)]
pub struct Baseline {
    /// The entries of the file, each with a flag for its occurrence in this run.
    entries: BTreeMap<FindingKey, AtomicBool>,
    /// All findings that occur in this run, if they become the next baseline. All of them count as
    /// known.
    occurrences: Option<Mutex<BTreeSet<FindingKey>>>,
    /// The number of known findings that occurred.
    known_occurrences: AtomicU64,
    /// The files that this run reads, each with a flag that is true if all of the file is read.
    /// Present only if entries without an occurrence are to be removed.
    read_files: Option<Mutex<HashMap<Box<str>, bool>>>,
}

impl Baseline {
    /// Returns a baseline that records every finding and counts it as known.
    pub fn with_recording(self) -> Baseline {
        Baseline { occurrences: Some(Mutex::default()), ..self }
    }

    /// Returns a baseline that removes entries without an occurrence.
    pub fn with_pruning(self) -> Baseline {
        Baseline { read_files: Some(Mutex::default()), ..self }
    }

    /// Records that the run reads a file, or a part of it.
    pub(super) fn record_file(&self, file: &str, read: FileRead) {
        let Some(read_files) = &self.read_files else { return };
        let file = file.trim_start_matches("./");
        // An insertion into a map does not panic halfway.
        let mut read_files = read_files.lock().unwrap_or_else(PoisonError::into_inner);
        let is_whole = read == FileRead::Whole;
        match read_files.get_mut(file) {
            Some(is_complete) => *is_complete &= is_whole,
            None => drop(read_files.insert(file.into(), is_whole)),
        }
    }

    /// Records that the run reads a game.
    ///
    /// A limit or an illegal turn that ends the replay makes this a partial read.
    pub(super) fn record_game(&self, file: &str, report: &GameReport) {
        let is_partial = |finding: &Finding| {
            finding.code.class() == b'L' || matches!(finding.code, Code::OversizedGame | Code::TooManyVariations)
        };
        let is_whole = report.outcome != Outcome::Stopped && !report.findings.iter().any(is_partial);
        self.record_file(file, if is_whole { FileRead::Whole } else { FileRead::Partial });
    }

    /// Parses a baseline file.
    ///
    /// # Errors
    /// Returns a message with the line and the error in it.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line.trim_end()) != Some(FIRST_LINE) {
            return Err(format!("line 1 is not {FIRST_LINE}: no baseline, or one of another version of jigo"));
        }
        let mut entries = BTreeMap::new();
        for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let key = FindingKey::parse(line).map_err(|reason| format!("line {}: {reason}", index + 1))?;
            entries.insert(key, AtomicBool::new(false));
        }
        Ok(Baseline { entries, ..Baseline::default() })
    }

    /// Records a finding and returns true if it is known.
    pub fn record_and_check(&self, finding: FindingKey) -> bool {
        let entry = self.entries.get(&finding);
        if let Some(entry) = entry {
            entry.store(true, Ordering::Relaxed);
        }
        let is_in_baseline = entry.is_some() || self.occurrences.is_some();
        if let Some(occurring) = &self.occurrences {
            // An insertion into a set does not panic halfway.
            occurring.lock().unwrap_or_else(PoisonError::into_inner).insert(finding);
        }
        self.known_occurrences.fetch_add(u64::from(is_in_baseline), Ordering::Relaxed);
        is_in_baseline
    }

    /// Returns the number of known findings that occurred.
    pub fn known_count(&self) -> u64 {
        self.known_occurrences.load(Ordering::Relaxed)
    }

    /// Returns the number of entries whose codes are `reported`, and the number of these that did
    /// not occur.
    pub fn missing_entries(&self, reported: &CodeSet) -> (usize, usize) {
        let entries = self.entries.iter().filter(|(key, _)| reported.contains(key.code));
        let missing = entries.clone().filter(|(_, occurred)| !occurred.load(Ordering::Relaxed));
        (entries.count(), missing.count())
    }

    /// Returns the file of all findings that occurred, one per line and sorted, and their number.
    pub fn file_text(&self) -> (String, usize) {
        let mut text = format!("{FIRST_LINE}\n");
        let Some(occurring) = &self.occurrences else { return (text, 0) };
        let occurring = occurring.lock().unwrap_or_else(PoisonError::into_inner);
        text.extend(occurring.iter().map(FindingKey::line));
        (text, occurring.len())
    }

    /// Returns the baseline file without the entries that no longer occur, and the number of those
    /// left.
    ///
    /// An entry is removed if the run `can_find` it and did not find it. An entry of a file that
    /// was not read, or not to its end, stays unless the file no longer exists.
    ///
    /// Returns `None` if the run read no file of the entries, because the inputs then had different
    /// names.
    pub fn pruned_file_text(&self, can_find: impl Fn(&FindingKey) -> bool) -> Option<(String, usize)> {
        let read_files = self.read_files.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.entries.is_empty() && !self.entries.keys().any(|key| read_files.contains_key(&key.file)) {
            return None;
        }
        let mut text = format!("{FIRST_LINE}\n");
        let stays = |(key, occurred): &(&FindingKey, &AtomicBool)| {
            let was_searched = || read_files.get(&key.file).copied().unwrap_or_else(|| no_longer_exists(&key.file));
            occurred.load(Ordering::Relaxed) || !can_find(key) || !was_searched()
        };
        let remaining: Vec<&FindingKey> = self.entries.iter().filter(stays).map(|(key, _)| key).collect();
        text.extend(remaining.iter().map(|key| key.line()));
        Some((text, remaining.len()))
    }
}

/// Returns true if neither the file nor any archive or table in its path exists.
fn no_longer_exists(file: &str) -> bool {
    let path_ends = file.match_indices('!').map(|(offset, _)| offset).chain([file.len()]);
    path_ends.map(|end| Path::new(&file[..end])).all(|path| matches!(path.try_exists(), Ok(false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::finding::Place;
    use jigo_rules::board::{Color, Point};

    #[test]
    fn written_baseline_parses_and_is_sorted() {
        let place = Place { offset: 7, turn: Some(3), color: Some(Color::Black), point: Some(Point::new(3, 15)) };
        let mut ko = Finding::new(Code::Ko, place, "wording");
        ko.variation = "2.1".into();
        let recording = Baseline::default().with_recording();
        let known = [
            FindingKey::outside_games("./b \"quoted\"\n.sgf", &ko, None),
            FindingKey::outside_games("a.sgf", &Finding::new(Code::NoGame, Place::byte(0), ""), Some("words")),
        ];
        assert!(known.iter().all(|known| recording.record_and_check(known.clone())));
        let (text, count) = recording.file_text();
        assert_eq!(count, 2);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("{\"file\":\"a.sgf\"")), "{text}");
        let read = Baseline::parse(&text).unwrap();
        assert!(read.record_and_check(known[0].clone()));
        let elsewhere = Finding { place: Place { turn: Some(4), ..place }, ..ko };
        assert!(!read.record_and_check(FindingKey::outside_games("./b \"quoted\"\n.sgf", &elsewhere, None)));
        let all = CodeSet::all();
        assert_eq!((read.known_count(), read.missing_entries(&all)), (1, (2, 1)));
        assert_eq!(read.with_recording().file_text().0, format!("{FIRST_LINE}\n"));
    }

    #[test]
    fn malformed_baseline_reports_its_line() {
        for (text, word) in [
            ("", "line 1"),
            ("file,game\n", "line 1"),
            ("{\"jigo_baseline\":1}\n\n[1\n", "line 3: not a JSON"),
            ("{\"jigo_baseline\":1}\n{\"code\":\"Z9\",\"game\":\"0\"}", "line 2: there is no finding code"),
            ("{\"jigo_baseline\":1}\n{\"code\":\"K001\",\"game\":\"x\"}", "line 2: game"),
            ("{\"jigo_baseline\":1}\n{\"code\":\"K001\",\"game\":\"0\",\"turn\":-1}", "line 2: turn"),
        ] {
            let error = Baseline::parse(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
