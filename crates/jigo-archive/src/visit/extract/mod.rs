//! Extraction: selected games as recorded or in normal form, and all other games as recorded.

mod file_name_pattern;

use crate::tables::FixRow;
use jigo_core::analysis::Settings;
use jigo_core::fix::{FixOptions, MergedGame, merge};
use jigo_record::DialectChoice;
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Limits;
use jigo_record::sgf::charset::CharsetBasis;
use jigo_record::splitter::{Close, GameText, RecordKind, SplitState};
use jigo_record::write::{NormalForm, WriteOptions, normal_form};

pub use file_name_pattern::{Pattern, PatternError, truncate};
use serde::{Deserialize, Serialize};

use super::header_merge::{MergeableProperty, MergesByGame};
use crate::formats::{Format, Rows};
use crate::pipeline::{Shard, SourceFinding, VisitedGame, Visitor};
use crate::row::{Row as _, Table};
use crate::source::files::separators::Separators;
use crate::source::rows::file_part::{FilePart, PartState};
use crate::tables::PartRow;

/// The destination of games.
#[derive(Clone, Debug)]
pub enum Destination {
    /// One text. Each game starts on a new line.
    Text,
    /// Rows of the parts table, one game each.
    Rows(Format),
    /// Files, one game each.
    Files(Pattern),
}

/// Separates the games of a run into selected games and others.
#[derive(Clone, Debug)]
pub struct ExtractVisitor {
    /// The form of selected games; `None` for the recorded text.
    pub form: Option<WriteOptions>,
    /// The destination of selected games.
    pub games: Destination,
    /// The destination of the other games, if any.
    pub rejects: Option<Destination>,
    /// True if the counted ending is added to the record.
    pub marks_endings: bool,
    /// The dialect of the records.
    pub dialect: DialectChoice,
    /// The limits for reading them.
    pub limits: Limits,
    /// Finds the separators between archives and members in file names. Patterns build new names
    /// from these.
    pub separators: Separators,
    /// The values that games take over from their duplicates, and the format and table of their
    /// log.
    pub merges: Option<(MergesByGame, Format, &'static Table)>,
}

/// The extracted games of a batch.
pub struct ExtractBatch {
    /// The selected games.
    pub games: ExtractedGames,
    /// The other games.
    pub rejects: ExtractedGames,
    /// The counts.
    pub count: ExtractCount,
    /// The values that games took over from their duplicates, or could have.
    pub log: Option<Rows>,
    /// Inputs that could not be read to their end, each with its fault. Inputs that the user named
    /// are reported elsewhere.
    pub unread_inputs: Vec<String>,
    /// The first games that a conversion shortened, each with the names of the properties that are
    /// left out.
    pub shortened_games: Vec<String>,
}

/// The maximum number of games in messages about properties that are left out.
pub const MAX_SHORTENED_GAMES: usize = 10;

impl ExtractBatch {
    /// Adds a message if the conversion of a game leaves out properties.
    fn note_shortened(&mut self, text: &GameText, NormalForm { omissions, .. }: &NormalForm) {
        if !omissions.is_empty() && self.shortened_games.len() < MAX_SHORTENED_GAMES {
            self.shortened_games.push(format!("{}#{}: left out: {omissions}", text.file, text.game));
        }
    }
}

/// The number of games by destination. Each game is either extracted or rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtractCount {
    /// Selected games that were written.
    pub extracted: u64,
    /// All other games.
    pub rejected: u64,
    /// Rejected games that were selected but have no normal form, because they contain no game of
    /// Go.
    pub without_form: u64,
    /// Extracted games of which some data could not be written.
    pub cut: u64,
    /// Extracted games with a marked ending.
    pub marked: u64,
    /// Games of another format that were written as SGF.
    pub converted: u64,
    /// Extracted games that took over values from their duplicates.
    pub merged: u64,
    /// Rejected games that exceed [`Limits::game`]. Their text is incomplete, so they are not
    /// written.
    pub oversized: u64,
    /// Inputs that could not be read to their end.
    pub unread: u64,
}

impl ExtractCount {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: ExtractCount) {
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

/// Games of a batch with the same destination.
pub enum ExtractedGames {
    /// No destination; games are dropped.
    Discarded,
    /// The text of the games.
    Text(Vec<u8>),
    /// The rows of the games, their format, and the number of bytes in their texts.
    Rows(Box<Rows>, Format, usize),
    /// The names and texts of the files, and the number of bytes in the texts.
    Files(Vec<(String, Vec<u8>)>, usize),
}

impl ExtractedGames {
    fn new(destination: Option<&Destination>) -> ExtractedGames {
        match destination {
            None => ExtractedGames::Discarded,
            Some(Destination::Text) => ExtractedGames::Text(Vec::new()),
            Some(Destination::Rows(format)) => {
                ExtractedGames::Rows(Box::new(Rows::new(*format, PartRow::TABLE)), *format, 0)
            }
            Some(Destination::Files(_)) => ExtractedGames::Files(Vec::new(), 0),
        }
    }

    fn buffered_bytes(&self) -> usize {
        match self {
            ExtractedGames::Discarded => 0,
            ExtractedGames::Text(text) => text.len(),
            ExtractedGames::Rows(_, _, buffered) | ExtractedGames::Files(_, buffered) => *buffered,
        }
    }

    /// Adds a game in its recorded form, or in the form `form`.
    fn add(&mut self, text: &GameText, form: Option<&str>, name: impl FnOnce() -> String) {
        let bytes = form.map_or(text.bytes, str::as_bytes);
        match self {
            ExtractedGames::Discarded => {}
            ExtractedGames::Text(out) => {
                out.extend_from_slice(bytes);
                out.push(b'\n');
            }
            ExtractedGames::Files(files, buffered) => {
                *buffered += bytes.len();
                files.push((name(), [bytes, b"\n"].concat()));
            }
            ExtractedGames::Rows(rows, format, buffered) => {
                *buffered += bytes.len();
                add_row(rows, *format, text, form);
            }
        }
    }
}

/// Adds a row with one game. If the text is the recorded one, the row also contains the state of
/// the file at this game.
fn add_row(rows: &mut Rows, format: Format, text: &GameText, form: Option<&str>) {
    let GameText { kind, file, game, offset, line, charset, .. } = *text;
    let decoded;
    let is_utf8 = matches!(charset.basis, CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls);
    let (bytes, is_recorded) = match form {
        Some(form) => (form.as_bytes(), false),
        // JSON must be UTF-8.
        None if format == Format::Jsonl && !is_utf8 => {
            decoded = Decoded::new(text.bytes, charset);
            (&*decoded.text, false)
        }
        None => (text.bytes, true),
    };
    let is_detected = matches!(charset.basis, CharsetBasis::Detected | CharsetBasis::DetectedInFile);
    let state = is_recorded.then(|| PartState {
        utf16: (charset.basis == CharsetBasis::Transcoded).then_some(charset.encoding),
        split_state: SplitState { detected_charset: is_detected.then_some(charset.encoding), ..SplitState::default() },
        kind,
    });
    let part = FilePart { game, offset, line, state, is_last: true, fault: None };
    rows.push(&PartRow { file, text: bytes, games: 1, part: &part });
}

/// Returns true if a game's format is SGF. A game of another format can't be part of an SGF file
/// and is therefore written in normal form.
fn is_sgf(text: &GameText) -> bool {
    text.kind == RecordKind::default()
}

impl ExtractVisitor {
    fn name(&self, destination: Option<&Destination>, game: Option<&VisitedGame<'_>>, text: &GameText) -> String {
        match destination {
            Some(Destination::Files(pattern)) => pattern.name(text, &self.separators, game.map(|game| game.report)),
            _ => String::new(),
        }
    }

    /// Returns a game with the values that it takes over from its duplicates, or `None` if there
    /// are none. A value is taken over only if the duplicates have no other value for its property.
    fn merged(&self, game: &VisitedGame<'_>, text: &GameText, batch: &mut ExtractBatch) -> Option<MergedGame> {
        let (merges, ..) = self.merges.as_ref()?;
        let (byte, properties) = merges.get(text.file)?.get(&text.game)?;
        let is_unanimous = |property: &&MergeableProperty| property.rank.1 == 1;
        let unanimous = properties.iter().filter(is_unanimous);
        let added: Vec<(&str, &str)> = unanimous.map(|property| (property.property, property.value.as_str())).collect();
        let ExtractVisitor { dialect, limits, .. } = *self;
        let merged = merge(text, &added, &FixOptions { dialect, limits, ..FixOptions::safe() });
        let is_added = merged.as_ref().map_or_else(|| vec![false; added.len()], |merged| merged.is_added.clone());
        let mut added_flags = is_added.iter();
        for property in properties {
            let was_added = is_unanimous(&property).then(|| added_flags.next() == Some(&true));
            let reason =
                if was_added == Some(false) { "; the record would say something else, or can't say it" } else { "" };
            if let Some(rows) = &mut batch.log {
                let fix = &property.fix(*byte, was_added == Some(true), property.source_text() + reason);
                rows.push(&FixRow { file: text.file, game: Some(text.game), offset: game.text.offset, fix });
            }
        }
        let is_merged = is_added.contains(&true);
        batch.count.merged += u64::from(is_merged);
        merged.filter(|_| is_merged)
    }

    fn reject(&self, text: &GameText, batch: &mut ExtractBatch) {
        batch.count.rejected += 1;
        if text.close == Close::Oversized {
            batch.count.oversized += 1;
            return;
        }
        if matches!(batch.rejects, ExtractedGames::Discarded) {
            return;
        }
        let form = if is_sgf(text) {
            None
        } else {
            normal_form(text, self.dialect, self.limits, WriteOptions::default(), None).ok()
        };
        batch.count.converted += u64::from(form.is_some());
        if let Some(normal_form) = &form {
            batch.note_shortened(text, normal_form);
        }
        let form = form.as_ref().map(|normal_form| &*normal_form.text);
        batch.rejects.add(text, form, || self.name(self.rejects.as_ref(), None, text));
    }
}

impl Visitor for ExtractVisitor {
    type Accumulator = ExtractBatch;

    fn configure(&self, settings: &mut Settings) {
        settings.position |= self.marks_endings;
        settings.game_hash |= matches!(&self.games, Destination::Files(pattern) if pattern.contains_hash());
    }

    fn start_batch(&self) -> ExtractBatch {
        let (games, rejects) = (ExtractedGames::new(Some(&self.games)), ExtractedGames::new(self.rejects.as_ref()));
        let log = self.merges.as_ref().map(|(_, format, table)| Rows::new(*format, table));
        ExtractBatch {
            games,
            rejects,
            count: ExtractCount::default(),
            log,
            unread_inputs: Vec::new(),
            shortened_games: Vec::new(),
        }
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut ExtractBatch) {
        let text = game.text;
        if text.close == Close::Oversized {
            // A reader of the extracted file would take the next game for a part of this
            // incomplete one.
            return self.reject(text, batch);
        }
        let name = || self.name(Some(&self.games), Some(game), text);
        match self.form.or_else(|| (!is_sgf(text)).then(WriteOptions::default)) {
            None => match self.merged(game, text, batch) {
                Some(MergedGame { bytes, charset, .. }) => {
                    batch.games.add(&GameText { bytes: &bytes, charset, ..*text }, None, name);
                }
                None => batch.games.add(text, None, name),
            },
            Some(form) => {
                let marks = if self.marks_endings { game.report.marks() } else { None };
                let Ok(normal_form) = normal_form(text, self.dialect, self.limits, form, marks.as_ref()) else {
                    batch.count.without_form += 1;
                    return self.reject(text, batch);
                };
                if !normal_form.omissions.is_empty() {
                    batch.count.cut += 1;
                    batch.note_shortened(text, &normal_form);
                }
                batch.count.marked += u64::from(marks.is_some());
                batch.count.converted += u64::from(!is_sgf(text));
                let bytes = normal_form.text.as_bytes();
                let (kind, charset) = Default::default();
                let normal = GameText { bytes, kind, charset, close: Close::Parenthesis, index: None, ..*text };
                let merged = self.merged(game, &normal, batch);
                let merged = merged.and_then(|merged| String::from_utf8(merged.bytes).ok());
                batch.games.add(text, Some(merged.as_deref().unwrap_or(&normal_form.text)), name);
            }
        }
        batch.count.extracted += 1;
    }

    fn visit_finding(
        &self,
        &SourceFinding { file, finding, is_on_stderr, .. }: &SourceFinding<'_>,
        batch: &mut ExtractBatch,
    ) {
        use Code::{ArchiveLimit, CorruptMember, EncryptedMember, UnreadableRow, UnreadableSource};
        let is_unread =
            matches!(finding.code, UnreadableSource | EncryptedMember | CorruptMember | ArchiveLimit | UnreadableRow);
        if is_unread {
            batch.count.unread += 1;
            batch
                .unread_inputs
                .extend((!is_on_stderr).then(|| format!("{file}: {}: {}", finding.code.name(), finding.detail)));
        }
    }

    fn visit_rejected(&self, text: &GameText<'_>, shard: Shard, batch: &mut ExtractBatch) {
        if shard == Shard::Own {
            self.reject(text, batch);
        }
    }

    fn buffered_bytes(&self, batch: &ExtractBatch) -> usize {
        batch.games.buffered_bytes() + batch.rejects.buffered_bytes()
    }
}
