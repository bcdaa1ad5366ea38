//! Extraction: selected games as recorded or in normal form, and all other games as recorded.

mod file_name_pattern;
mod extracted_games;
mod game_counts;
mod reject_reason;
mod training;

pub use extracted_games::{Destination, ExtractedFile, ExtractedGames};
pub use file_name_pattern::{Pattern, PatternError, truncate};
pub use game_counts::{ExtractCount, RejectCounts};
pub use reject_reason::{DropReason, DropReasons};
pub use training::{TrainingFiles, TrainingGames};

use super::header_merge::{MergeableProperty, MergesByGame};
use crate::formats::{Format, Rows};
use crate::pipeline::{RejectedGame, SourceFinding, VisitedGame, Visitor};
use crate::row::Table;
use crate::source::files::separators::Separators;
use crate::tables::{FixRow, RejectKind, RejectReason, RejectRow};
use jigo_core::analysis::Settings;
use jigo_core::fix::{FixOptions, MergedGame, merge};
use jigo_record::DialectChoice;
use jigo_record::finding::Code;
use jigo_record::sgf::Limits;
use jigo_record::splitter::{Close, GameText, RecordKind};
use jigo_record::write::{WriteOptions, normal_form};
use reject_reason::{form_reason, reject_reason};
use serde::{Deserialize, Serialize};

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
    /// The format and table of the reasons for rejected games, if they are written.
    pub reject_table: Option<(Format, &'static Table)>,
    /// The reasons for dropped duplicates, if they are written.
    pub drop_reasons: DropReasons,
}

/// The extracted games of a batch.
#[derive(Serialize, Deserialize)]
pub struct ExtractBatch {
    /// The selected games.
    pub games: ExtractedGames,
    /// The other games.
    pub rejects: Option<ExtractedGames>,
    /// The counts.
    pub count: ExtractCount,
    /// The number of rejected games by reason.
    pub reject_counts: RejectCounts,
    /// The reasons for rejected games and the properties that conversions omit.
    pub reject_rows: Option<Rows>,
    /// The approximate size of the games and of these rows in bytes.
    buffered_bytes: usize,
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

/// The approximate size of a row without its texts, in bytes.
const ROW_BYTES: usize = 200;

impl ExtractBatch {
    /// Adds a message and a row if the conversion of a game leaves out a part of it.
    fn note_shortened(&mut self, text: &GameText, omissions: &str) {
        if omissions.is_empty() {
            return;
        }
        if self.shortened_games.len() < MAX_SHORTENED_GAMES {
            self.shortened_games.push(format!("{}#{}: left out: {omissions}", text.file, text.game));
        }
        self.add_reject_row(text, &RejectReason::new(RejectKind::Omission, omissions));
    }

    /// Adds a row to the rejects table if it is written.
    fn add_reject_row(&mut self, text: &GameText, reason: &RejectReason<'_>) {
        if let Some(rows) = &mut self.reject_rows {
            rows.push(&RejectRow { file: text.file, game: text.game, offset: text.offset, reason });
            self.buffered_bytes +=
                ROW_BYTES + text.file.len() + reason.reason.len() + reason.codes.len() + reason.detail.len();
        }
    }
}

/// Returns true if a game's format is SGF. A game of another format can't be part of an SGF file
/// and is therefore written in normal form.
fn is_sgf(text: &GameText) -> bool {
    text.kind == RecordKind::default()
}

impl ExtractVisitor {
    fn names(&self, destination: &Destination, game: Option<&VisitedGame<'_>>, text: &GameText) -> Vec<String> {
        match destination {
            Destination::Files(pattern) => pattern.names(text, &self.separators, game.map(|game| game.report)),
            Destination::Rows(_) | Destination::Training => Vec::new(),
        }
    }

    /// Returns a game with the values that it takes over from its duplicates, or `None` if there
    /// are none. A value is taken over only if neither the game nor the duplicates have another one.
    fn merged(&self, game: &VisitedGame<'_>, text: &GameText, batch: &mut ExtractBatch) -> Option<MergedGame> {
        let (merges, ..) = self.merges.as_ref()?;
        let (byte, properties) = merges.get(text.file)?.get(&text.game)?;
        let omits_comments = self.form.is_some_and(|form| form.omits_comments);
        let is_kept = |property: &&MergeableProperty| !omits_comments || property.recorded.identifier() != "C";
        let properties = || properties.iter().filter(is_kept);
        let is_unanimous = |property: &&MergeableProperty| property.rank.1 == 1 && property.own.is_none();
        let added: Vec<_> = properties().filter(is_unanimous).map(|property| &property.recorded).collect();
        let ExtractVisitor { dialect, limits, .. } = *self;
        let merged = merge(text, &added, &FixOptions { dialect, limits, ..FixOptions::safe() });
        let is_added = merged.as_ref().map_or_else(|| vec![false; added.len()], |merged| merged.is_added.clone());
        let mut added_flags = is_added.iter();
        for property in properties() {
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

    /// Adds the rows of a game for a network.
    fn add_rows(&self, game: &VisitedGame<'_>, batch: &mut ExtractBatch) {
        let ExtractedGames::Training(games) = &mut batch.games else { return };
        match games.add(game.text, game.report) {
            Ok((illegal, bytes)) => {
                batch.buffered_bytes += bytes;
                batch.count.extracted += 1;
                if let Some(turn) = illegal {
                    batch.count.cut += 1;
                    batch.note_shortened(game.text, &format!("turns from {turn}, which is illegal"));
                }
            }
            Err(reason) => {
                batch.count.without_form += 1;
                let detail = reason.to_string().into();
                let reason = RejectReason { detail, ..RejectReason::new(RejectKind::Form, "") };
                self.reject(game.text, &reason, batch);
            }
        }
    }

    fn reject(&self, text: &GameText, reason: &RejectReason<'_>, batch: &mut ExtractBatch) {
        batch.count.rejected += 1;
        batch.reject_counts.add_game(reason);
        batch.add_reject_row(text, reason);
        if text.close == Close::Oversized {
            batch.count.oversized += 1;
            return;
        }
        let Some(destination) = &self.rejects else { return };
        let form = if is_sgf(text) {
            None
        } else {
            normal_form(text, self.dialect, self.limits, WriteOptions::default(), None).ok()
        };
        batch.count.converted += u64::from(form.is_some());
        if let Some(normal_form) = &form {
            batch.note_shortened(text, &normal_form.omissions.to_string());
        }
        let form = form.as_ref().map(|normal_form| &*normal_form.text);
        if let Some(rejects) = &mut batch.rejects {
            batch.buffered_bytes += rejects.add(text, form, || self.names(destination, None, text));
        }
    }
}

impl Visitor for ExtractVisitor {
    type Accumulator = ExtractBatch;

    fn configure(&self, settings: &mut Settings) {
        let is_training = matches!(self.games, Destination::Training);
        settings.position |= self.marks_endings;
        settings.turns |= is_training;
        settings.game_hash |= is_training;
        if let Destination::Files(pattern) = &self.games {
            pattern.configure(settings);
        }
    }

    fn start_batch(&self) -> ExtractBatch {
        let log = self.merges.as_ref().map(|(_, format, table)| Rows::new(*format, table));
        ExtractBatch {
            games: ExtractedGames::new(&self.games),
            rejects: self.rejects.as_ref().map(ExtractedGames::new),
            count: ExtractCount::default(),
            reject_counts: RejectCounts::default(),
            reject_rows: self.reject_table.map(|(format, table)| Rows::new(format, table)),
            buffered_bytes: 0,
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
            return self.reject(text, &RejectReason::new(RejectKind::Size, ""), batch);
        }
        if matches!(batch.games, ExtractedGames::Training(_)) {
            return self.add_rows(game, batch);
        }
        let names = || self.names(&self.games, Some(game), text);
        match self.form.or_else(|| (!is_sgf(text)).then(WriteOptions::default)) {
            None => match self.merged(game, text, batch) {
                Some(MergedGame { bytes, charset, .. }) => {
                    batch.buffered_bytes += batch.games.add(&GameText { bytes: &bytes, charset, ..*text }, None, names);
                }
                None => batch.buffered_bytes += batch.games.add(text, None, names),
            },
            Some(form) => {
                let marks = if self.marks_endings { game.report.marks() } else { None };
                let normal_form = match normal_form(text, self.dialect, self.limits, form, marks.as_ref()) {
                    Ok(normal_form) => normal_form,
                    Err(unreadable) => {
                        batch.count.without_form += 1;
                        return self.reject(text, &form_reason(unreadable), batch);
                    }
                };
                if !normal_form.omissions.is_empty() {
                    batch.count.cut += 1;
                    batch.note_shortened(text, &normal_form.omissions.to_string());
                }
                batch.count.marked += u64::from(marks.is_some());
                batch.count.converted += u64::from(!is_sgf(text));
                let bytes = normal_form.text.as_bytes();
                let (kind, charset) = Default::default();
                let normal = GameText { bytes, kind, charset, close: Close::Parenthesis, index: None, ..*text };
                let merged = self.merged(game, &normal, batch);
                let merged = merged.and_then(|merged| String::from_utf8(merged.bytes).ok());
                let form = merged.as_deref().unwrap_or(&normal_form.text);
                batch.buffered_bytes += batch.games.add(text, Some(form), names);
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

    fn visit_rejected(&self, &RejectedGame { text, rejection }: &RejectedGame<'_>, batch: &mut ExtractBatch) {
        if let Some(reason) = reject_reason(rejection, text, &self.drop_reasons) {
            self.reject(text, &reason, batch);
        }
    }

    fn buffered_bytes(&self, batch: &ExtractBatch) -> usize {
        batch.buffered_bytes
    }
}
