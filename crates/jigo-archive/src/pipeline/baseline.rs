//! Known findings: what an archive is allowed to have, so that only what is new is reported.
//!
//! A finding is known again by what does not move when other games come and go: the file, the game's hash, the code, the
//! variation, the turn and the point. Where in the file the game stands and how the detail is worded does not matter.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use jigo_core::analyze::{GameReport, Outcome};
use jigo_core::board::hash::fnv1a;
use jigo_core::finding::{Code, Finding};
use jigo_core::sgf::GameText;

/// The first line of a baseline file: what it is, and its version.
const FIRST_LINE: &str = "{\"jigo_baseline\":1}";

/// What a finding is known again by. The order is that of the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known {
    /// The input, without `./` before it.
    file: Box<str>,
    /// `game_hash` of the games table; of the bytes for a game without turns or one that is not replayed, of the text outside
    /// games; 0 for a finding on the whole input.
    game: u64,
    code: Code,
    /// Empty on the main line.
    variation: Box<str>,
    turn: Option<u32>,
    /// SGF pair; empty where there is none.
    point: Box<str>,
}

impl Known {
    /// What was found.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Whether it is beside the main line.
    pub fn is_in_variation(&self) -> bool {
        !self.variation.is_empty()
    }

    /// The number by which all findings of a game are known again.
    pub fn game_number(text: &GameText, report: &GameReport) -> u64 {
        let has_turns = report.hash != 0 && report.tally.turns > 0;
        if has_turns { report.hash } else { fnv1a(text.bytes.trim_ascii()) }
    }

    /// A finding in the game with this [`Known::game_number`].
    pub fn in_game(file: &str, game: u64, finding: &Finding) -> Known {
        Known { game, ..Known::outside(file, finding, None) }
    }

    /// A finding outside games: on `text`, or on the whole input.
    pub fn outside(file: &str, finding: &Finding, text: Option<&str>) -> Known {
        Known {
            file: file.trim_start_matches("./").into(),
            game: text.map_or(0, |text| fnv1a(text.as_bytes())),
            code: finding.code,
            variation: finding.variation.as_str().into(),
            turn: finding.place.turn,
            point: finding.place.point.map_or(String::new(), |point| point.to_string()).into(),
        }
    }

    /// A number that stands for all of it, the same in every run and version.
    pub fn fingerprint(&self) -> u64 {
        let mut line = String::new();
        self.write(&mut line);
        fnv1a(line.as_bytes())
    }

    fn parse(line: &str) -> Result<Known, String> {
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
        Ok(Known {
            file: text("file")?.into(),
            game: u64::from_str_radix(text("game")?, 16).map_err(|_| "game is no hash of 16 digits")?,
            code: code.ok_or_else(|| format!("there is no finding code {id:?}; see jigo explain"))?,
            variation: text("variation")?.into(),
            turn,
            point: text("point")?.into(),
        })
    }

    fn write(&self, out: &mut String) {
        let code = Code::TABLE[self.code as usize].id;
        // A String does not refuse to be written to.
        let _ = write!(out, "{{\"file\":{},\"game\":\"{:016x}\",\"code\":\"{code}\"", quoted(&self.file), self.game);
        if !self.variation.is_empty() {
            let _ = write!(out, ",\"variation\":{}", quoted(&self.variation));
        }
        if let Some(turn) = self.turn {
            let _ = write!(out, ",\"turn\":{turn}");
        }
        if !self.point.is_empty() {
            let _ = write!(out, ",\"point\":{}", quoted(&self.point));
        }
        out.push_str("}\n");
    }
}

fn quoted(text: &str) -> Value {
    Value::from(text)
}

/// The findings that are known, shared by all threads.
#[derive(Debug, Default)]
pub struct Baseline {
    /// What was read, and whether it occurred.
    entries: BTreeMap<Known, AtomicBool>,
    /// All findings that occur, where they become the next baseline: all of them are known then.
    occurring: Option<Mutex<BTreeSet<Known>>>,
    /// Findings that were known.
    hits: AtomicU64,
    /// The files that were looked at, and whether that is all of each, where the entries that did not occur are to go.
    met: Option<Mutex<HashMap<Box<str>, bool>>>,
}

impl Baseline {
    /// A baseline that knows whatever occurs, to be written.
    pub fn recording(self) -> Baseline {
        Baseline { occurring: Some(Mutex::default()), ..self }
    }

    /// A baseline that loses what does not occur any more.
    pub fn pruning(self) -> Baseline {
        Baseline { met: Some(Mutex::default()), ..self }
    }

    /// Hears of a file that is looked at, or of a part of it.
    pub(super) fn meet(&self, file: &str, is_whole: bool) {
        let Some(met) = &self.met else { return };
        let file = file.trim_start_matches("./");
        // Inserting into a map does not panic halfway.
        let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
        match met.get_mut(file) {
            Some(all) => *all &= is_whole,
            None => drop(met.insert(file.into(), is_whole)),
        }
    }

    /// Hears of a game that is looked at: not of all of it where a limit, or its first illegal turn, ends the replay.
    pub(super) fn meet_game(&self, file: &str, report: &GameReport) {
        let is_cut = |finding: &Finding| {
            finding.code.class() == b'L' || matches!(finding.code, Code::OversizedGame | Code::TooManyVariations)
        };
        self.meet(file, report.outcome != Outcome::Stopped && !report.findings.iter().any(is_cut));
    }

    /// Reads a baseline file.
    ///
    /// # Errors
    /// A sentence naming the line and what is wrong with it.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line.trim_end()) != Some(FIRST_LINE) {
            return Err(format!("line 1 is not {FIRST_LINE}: no baseline, or one of another version of jigo"));
        }
        let mut entries = BTreeMap::new();
        for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let known = Known::parse(line).map_err(|reason| format!("line {}: {reason}", index + 1))?;
            entries.insert(known, AtomicBool::new(false));
        }
        Ok(Baseline { entries, ..Baseline::default() })
    }

    /// Whether a finding that occurs is known.
    pub fn knows(&self, finding: Known) -> bool {
        let entry = self.entries.get(&finding);
        if let Some(entry) = entry {
            entry.store(true, Ordering::Relaxed);
        }
        let is_known = entry.is_some() || self.occurring.is_some();
        if let Some(occurring) = &self.occurring {
            // Inserting into a set does not panic halfway.
            occurring.lock().unwrap_or_else(PoisonError::into_inner).insert(finding);
        }
        self.hits.fetch_add(u64::from(is_known), Ordering::Relaxed);
        is_known
    }

    /// Findings that occurred and were known.
    pub fn known(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// Entries that were read of codes that are `reported`, and how many of them did not occur.
    pub fn gone(&self, reported: &[bool]) -> (usize, usize) {
        let entries = self.entries.iter().filter(|(known, _)| reported[known.code as usize]);
        let gone = entries.clone().filter(|(_, occurred)| !occurred.load(Ordering::Relaxed));
        (entries.count(), gone.count())
    }

    /// The file of all findings that occurred, a line each, sorted; and how many they are.
    pub fn file(&self) -> (String, usize) {
        let mut text = format!("{FIRST_LINE}\n");
        let Some(occurring) = &self.occurring else { return (text, 0) };
        let occurring = occurring.lock().unwrap_or_else(PoisonError::into_inner);
        occurring.iter().for_each(|known| known.write(&mut text));
        (text, occurring.len())
    }
}

impl Baseline {
    /// The file of the entries that were read, without those that the run `looks_for` and that did not occur; and how many are left. What is in files that were not
    /// looked at, or not to their end, is left, unless they are gone. `None` where no file of the entries was looked at: the inputs were called something else then.
    pub fn pruned(&self, looks_for: impl Fn(&Known) -> bool) -> Option<(String, usize)> {
        let met = self.met.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.entries.is_empty() && !self.entries.keys().any(|known| met.contains_key(&known.file)) {
            return None;
        }
        let mut text = format!("{FIRST_LINE}\n");
        let is_left = |(known, occurred): &(&Known, &AtomicBool)| {
            let is_seen = || met.get(&known.file).copied().unwrap_or_else(|| is_gone(&known.file));
            occurred.load(Ordering::Relaxed) || !looks_for(known) || !is_seen()
        };
        let left: Vec<&Known> = self.entries.iter().filter(is_left).map(|(known, _)| known).collect();
        left.iter().for_each(|known| known.write(&mut text));
        Some((text, left.len()))
    }
}

/// Whether a file is no more, and no archive or table that it may be in.
fn is_gone(file: &str) -> bool {
    let ends = file.match_indices('!').map(|(at, _)| at).chain([file.len()]);
    ends.map(|end| Path::new(&file[..end])).all(|path| matches!(path.try_exists(), Ok(false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_core::board::{Color, Point};
    use jigo_core::finding::Place;

    #[test]
    fn what_is_written_is_read_again_and_sorted() {
        let place = Place { at: 7, turn: Some(3), color: Some(Color::Black), point: Some(Point::new(3, 15)) };
        let mut ko = Finding::new(Code::Ko, place, "wording");
        ko.variation = "2.1".into();
        let recording = Baseline::default().recording();
        let known = [
            Known::outside("./b \"quoted\"\n.sgf", &ko, None),
            Known::outside("a.sgf", &Finding::new(Code::NoGame, Place::byte(0), ""), Some("words")),
        ];
        assert!(known.iter().all(|known| recording.knows(known.clone())));
        let (text, count) = recording.file();
        assert_eq!(count, 2);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("{\"file\":\"a.sgf\"")), "{text}");
        let read = Baseline::parse(&text).unwrap();
        assert!(read.knows(known[0].clone()));
        let elsewhere = Finding { place: Place { turn: Some(4), ..place }, ..ko };
        assert!(!read.knows(Known::outside("./b \"quoted\"\n.sgf", &elsewhere, None)));
        let all = vec![true; Code::TABLE.len()];
        assert_eq!((read.known(), read.gone(&all)), (1, (2, 1)));
        assert_eq!(read.recording().file().0, format!("{FIRST_LINE}\n"));
    }

    #[test]
    fn what_is_no_baseline_is_named_with_its_line() {
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
