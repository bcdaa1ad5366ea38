//! Games as they go out: the text of those that are selected, as it stands or in its normal form, and of all others as it stands.

mod name;

use jigo_core::analyze::Settings;
use jigo_core::finding::Code;
use jigo_core::record::DialectChoice;
use jigo_core::sgf::charset::Basis;
use jigo_core::sgf::decode::Decoded;
use jigo_core::sgf::split::{Close, Learned};
use jigo_core::sgf::{GameText, Limits, RecordKind};
use jigo_core::write::{Form, Merged, Wanted, merge, normal};

pub use name::{Pattern, PatternError, cut};
use serde::{Deserialize, Serialize};

use super::offers::{ByPlace, Offer};
use crate::pipeline::{Outside, Visited, Visitor};
use crate::source::name::Separators;
use crate::source::row::{FilePart, PartState};
use crate::tables::formats::{Format, Rows};
use crate::tables::{PartRow, Row as _, Table};

/// What games are put into.
#[derive(Clone, Debug)]
pub enum Into {
    /// One text, each game on lines of its own.
    Text,
    /// Rows of parts, each with one game.
    Rows(Format),
    /// Files, each with one game.
    Files(Pattern),
}

/// Takes the games of a run apart: those that are selected, and the others.
#[derive(Clone, Debug)]
pub struct Extract {
    /// How selected games are written; as they stand where nothing is said.
    pub form: Option<Form>,
    /// What they are put into.
    pub games: Into,
    /// What the others are put into, if anything.
    pub rejects: Option<Into>,
    /// The counted ending is written into the record.
    pub marks_endings: bool,
    /// How records are read that are written in another form.
    pub reading: (DialectChoice, Limits),
    /// What parts archives from members in the names of files, by which a pattern names others.
    pub separators: Separators,
    /// What games take from their copies, how the rows on that are written, and their table.
    pub merges: Option<(ByPlace, Format, &'static Table)>,
}

/// What is made of the games of a batch.
pub struct Extracted {
    /// Those that are selected.
    pub games: Taken,
    /// The others.
    pub rejects: Taken,
    /// How many they are.
    pub count: Count,
    /// What games took from their copies, or could have.
    pub log: Option<Rows>,
    /// Inputs that could not be read, or not to their end, with what is wrong with them; those that were named outright are told of elsewhere.
    pub unread: Vec<String>,
}

/// How many games went where. All games are extracted or rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// Games that were selected and written.
    pub extracted: u64,
    /// Games that were not.
    pub rejected: u64,
    /// Games among the rejected that were selected and have no normal form: there is no game of Go in them.
    pub without_form: u64,
    /// Games among the extracted of which something could not be written.
    pub cut: u64,
    /// Games among the extracted whose ending is marked.
    pub marked: u64,
    /// Games that are no SGF as they stand, and are written as SGF.
    pub converted: u64,
    /// Games among the extracted that have taken something from their copies.
    pub merged: u64,
    /// Games among the rejected that are larger than [`Limits::game`]: they were cut off there, and are written nowhere.
    pub oversized: u64,
    /// Inputs that could not be read, or not to their end.
    pub unread: u64,
}

impl Count {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: Count) {
        self.extracted += other.extracted;
        self.rejected += other.rejected;
        self.without_form += other.without_form;
        self.cut += other.cut;
        self.marked += other.marked;
        self.converted += other.converted;
        self.merged += other.merged;
        self.oversized += other.oversized;
        self.unread += other.unread;
    }
}

/// Games of a batch that go to the same place.
pub enum Taken {
    /// Nobody takes them.
    Nothing,
    /// Their text.
    Text(Vec<u8>),
    /// Their rows, the format of these, and the bytes of their texts.
    Rows(Box<Rows>, Format, usize),
    /// Their names and texts.
    Files(Vec<(String, Vec<u8>)>, usize),
}

impl Taken {
    fn of(into: Option<&Into>) -> Taken {
        match into {
            None => Taken::Nothing,
            Some(Into::Text) => Taken::Text(Vec::new()),
            Some(Into::Rows(format)) => Taken::Rows(Box::new(Rows::new(*format, PartRow::TABLE)), *format, 0),
            Some(Into::Files(_)) => Taken::Files(Vec::new(), 0),
        }
    }

    fn held(&self) -> usize {
        match self {
            Taken::Nothing => 0,
            Taken::Text(text) => text.len(),
            Taken::Rows(_, _, held) | Taken::Files(_, held) => *held,
        }
    }

    /// Adds a game: as it stands, or in the form that it was given.
    fn add(&mut self, text: &GameText, form: Option<&str>, name: impl FnOnce() -> String) {
        let bytes = form.map_or(text.bytes, str::as_bytes);
        match self {
            Taken::Nothing => {}
            Taken::Text(out) => {
                out.extend_from_slice(bytes);
                out.push(b'\n');
            }
            Taken::Files(files, held) => {
                *held += bytes.len();
                files.push((name(), [bytes, b"\n"].concat()));
            }
            Taken::Rows(rows, format, held) => {
                *held += bytes.len();
                add_row((rows, *format), text, form);
            }
        }
    }
}

/// A row with one game. What the file said of its text goes with it where it stands as it was.
fn add_row((rows, format): (&mut Rows, Format), text: &GameText, form: Option<&str>) {
    let GameText { kind, file, game, offset, line, charset, .. } = *text;
    let decoded;
    let is_utf8 = matches!(charset.basis, Basis::Utf8 | Basis::Utf8WithNuls);
    let (bytes, is_recorded) = match form {
        Some(form) => (form.as_bytes(), false),
        // JSON is UTF-8.
        None if format == Format::Jsonl && !is_utf8 => {
            decoded = Decoded::new(text.bytes, charset);
            (&*decoded.text, false)
        }
        None => (text.bytes, true),
    };
    let is_detected = matches!(charset.basis, Basis::Detected | Basis::DetectedInFile);
    let state = is_recorded.then(|| PartState {
        utf16: (charset.basis == Basis::Transcoded).then_some(charset.encoding),
        learned: Learned { detected: is_detected.then_some(charset.encoding), ..Learned::default() },
        kind,
    });
    let part = FilePart { game, offset, line, state, is_last: true, fault: None };
    rows.push(&PartRow { file, text: bytes, games: 1, part: &part });
}

/// Whether a game is SGF as it stands. What is not has no place in a file of SGF, so it is written in the normal form.
fn is_sgf(text: &GameText) -> bool {
    text.kind == RecordKind::default()
}

impl Extract {
    fn name(&self, into: Option<&Into>, game: Option<&Visited<'_>>, text: &GameText) -> String {
        match into {
            Some(Into::Files(pattern)) => pattern.name(text, &self.separators, game.map(|game| game.report)),
            _ => String::new(),
        }
    }

    /// A game as it goes out, with what it takes from its copies: properties that stand alone. `None` where it takes nothing.
    fn merged(&self, game: &Visited<'_>, text: &GameText, part: &mut Extracted) -> Option<Merged> {
        let (by_place, ..) = self.merges.as_ref()?;
        let (byte, offers) = by_place.get(text.file)?.get(&text.game)?;
        let stands_alone = |offer: &&Offer| offer.reading.1 == 1;
        let taken = offers.iter().filter(stands_alone);
        let added: Vec<(&str, &str)> = taken.map(|offer| (offer.property, offer.value.as_str())).collect();
        let (dialect, limits) = self.reading;
        let merged = merge(text, &added, &Wanted { dialect, limits, ..Wanted::safe() });
        let made = merged.as_ref().map_or_else(|| vec![false; added.len()], |merged| merged.made.clone());
        let mut made_of_taken = made.iter();
        for offer in offers {
            let is_made = stands_alone(&offer).then(|| made_of_taken.next() == Some(&true));
            let why =
                if is_made == Some(false) { "; the record would say something else, or can't say it" } else { "" };
            let (after, reason) = (offer.text(), offer.source() + why);
            let place = (text.file, text.game, game.text.offset, *byte);
            if let Some(rows) = &mut part.log {
                rows.push(&offer.row(place, &after, is_made == Some(true), &reason));
            }
        }
        let is_merged = made.contains(&true);
        part.count.merged += u64::from(is_merged);
        merged.filter(|_| is_merged)
    }

    fn reject(&self, text: &GameText, part: &mut Extracted) {
        part.count.rejected += 1;
        if text.close == Close::Oversized {
            part.count.oversized += 1;
            return;
        }
        if matches!(part.rejects, Taken::Nothing) {
            return;
        }
        let form = if is_sgf(text) { None } else { normal(text, self.reading, Form::default(), None).ok() };
        part.count.converted += u64::from(form.is_some());
        let form = form.as_ref().map(|written| &*written.text);
        part.rejects.add(text, form, || self.name(self.rejects.as_ref(), None, text));
    }
}

impl Visitor for Extract {
    type Part = Extracted;

    fn ask(&self, settings: &mut Settings) {
        settings.position |= self.marks_endings;
        settings.game_hash |= matches!(&self.games, Into::Files(pattern) if pattern.asks_hash());
    }

    fn part(&self) -> Extracted {
        let (games, rejects) = (Taken::of(Some(&self.games)), Taken::of(self.rejects.as_ref()));
        let log = self.merges.as_ref().map(|(_, format, table)| Rows::new(*format, table));
        Extracted { games, rejects, count: Count::default(), log, unread: Vec::new() }
    }

    fn game(&self, game: &Visited<'_>, part: &mut Extracted) {
        let text = game.text;
        if text.close == Close::Oversized {
            // What is there of it would take the next game with it for whoever reads it again.
            return self.reject(text, part);
        }
        let name = || self.name(Some(&self.games), Some(game), text);
        match self.form.or_else(|| (!is_sgf(text)).then(Form::default)) {
            None => match self.merged(game, text, part) {
                Some(Merged { bytes, charset, .. }) => {
                    part.games.add(&GameText { bytes: &bytes, charset, ..*text }, None, name);
                }
                None => part.games.add(text, None, name),
            },
            Some(form) => {
                let marks = if self.marks_endings { game.report.marks() } else { None };
                let Ok(written) = normal(text, self.reading, form, marks.as_ref()) else {
                    part.count.without_form += 1;
                    return self.reject(text, part);
                };
                part.count.cut += u64::from(written.is_cut);
                part.count.marked += u64::from(marks.is_some());
                part.count.converted += u64::from(!is_sgf(text));
                let bytes = written.text.as_bytes();
                let (kind, charset) = Default::default();
                let normal = GameText { bytes, kind, charset, close: Close::Parenthesis, index: None, ..*text };
                let merged = self.merged(game, &normal, part);
                let merged = merged.and_then(|merged| String::from_utf8(merged.bytes).ok());
                part.games.add(text, Some(merged.as_deref().unwrap_or(&written.text)), name);
            }
        }
        part.count.extracted += 1;
    }

    fn outside(&self, &Outside { file, finding, is_told, .. }: &Outside<'_>, part: &mut Extracted) {
        use Code::{ArchiveLimit, CorruptMember, EncryptedMember, UnreadableRow, UnreadableSource};
        let is_unread =
            matches!(finding.code, UnreadableSource | EncryptedMember | CorruptMember | ArchiveLimit | UnreadableRow);
        if is_unread {
            part.count.unread += 1;
            part.unread.extend((!is_told).then(|| format!("{file}: {}: {}", finding.code.name(), finding.detail)));
        }
    }

    fn passed(&self, text: &GameText<'_>, is_in_shard: bool, part: &mut Extracted) {
        if is_in_shard {
            self.reject(text, part);
        }
    }

    fn held(&self, part: &Extracted) -> usize {
        part.games.held() + part.rejects.held()
    }
}
