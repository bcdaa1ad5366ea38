//! The verification of fixes: a second reading of the fixed source compares each game with the
//! expected one.
//!
//! `jigo_core::fix` has already verified each fix within its game. But the end of a game and
//! its charset also depend on the games around it. So the whole source is read again with its
//! fixes, by the usual reader and by one without any recovery. Fixes that change the reading of any
//! game are withheld.

use std::ops::Range;

use super::fix_settings::FixSettings;
use super::fresh_reader::{FreshReader, PlainText};
use super::segment::{FixFault, PendingSource, Segment, SourceEnd};
use super::text_part::{Conversion, FixCount, LOSSY, NOT_CONVERTED, PartKind, TextPart};
use super::utf16_source::{EncodedPart, Utf16Source};
use crate::formats::{Format, Rows};
use crate::row::Row;
use crate::source::RowColumns;
use crate::summary::CodeCounts;
use crate::tables::FixRow;
use jigo_core::fix::{Edit, NOT_VERIFIED};
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Charset;
use jigo_record::sgf::encoding::lead::Lead;
use jigo_record::sgf::encoding::utf16::{encoding_change, utf16};
use jigo_record::splitter::Unit;

/// The number of attempts after which the number of withheld fixes doubles.
const ATTEMPTS: u32 = 32;
/// The number of attempts at one place after which each further one doubles it.
const ATTEMPTS_AT_PLACE: u32 = 8;
/// The minimum number of bytes of an incomplete source that are verified together.
const MIN_SEGMENT_BYTES: usize = 4 << 20;

/// A source with unverified fixes.
pub(super) struct SourceVerifier<'a> {
    fixes: &'a FixSettings,
    file: String,
    recorded: Vec<u8>,
    parts: Vec<TextPart>,
    /// The unit into which the recorded source is divided at its start.
    unit: Unit,
    reader: FreshReader,
    /// The number of bytes of the fixed text that are already read. They belong to the first of
    /// `parts`.
    read_to: usize,
    /// True if no part before `recorded` is verified.
    is_start: bool,
    /// True if a part before `recorded` has a fix.
    is_changed: bool,
    /// True if a game of the source stays damaged.
    has_damage: bool,
    utf16_source: Utf16Source,
    fault: Option<FixFault>,
}

/// A game of a fixed text, and its part of the source.
struct ExpectedGame {
    part: usize,
    range: Range<usize>,
    charset: Charset,
}

/// The text of a source after the fixes that are not withheld.
struct FixedText {
    bytes: Vec<u8>,
    games: Vec<ExpectedGame>,
    /// The end of each part.
    ends: Vec<usize>,
}

impl<'a> SourceVerifier<'a> {
    /// Returns a verification of a source without its bytes.
    pub(super) fn new(fixes: &'a FixSettings, start: &PendingSource) -> SourceVerifier<'a> {
        let unit = start.unit.unwrap_or_default();
        SourceVerifier {
            fixes,
            file: start.file.clone(),
            recorded: Vec::new(),
            parts: Vec::new(),
            unit,
            reader: FreshReader::new(unit, fixes.options.limits),
            read_to: 0,
            is_start: true,
            is_changed: false,
            has_damage: false,
            utf16_source: Utf16Source::default(),
            fault: None,
        }
    }

    /// Returns true if a part continues this source.
    pub(super) fn is_continued_by(&self, part: &PendingSource) -> bool {
        self.file == part.file && part.unit.is_none()
    }

    /// Adds the next part. Returns the verified segment, if there is one.
    pub(super) fn add(
        &mut self,
        part: PendingSource,
        count: &mut FixCount,
        unsafe_fixes: &mut CodeCounts,
    ) -> Option<Segment> {
        let PendingSource { recorded, mut parts, end, .. } = part;
        for part in &mut parts {
            self.has_damage |= part.is_damaged;
            if self.has_damage && part.doubt_parenthesis(self.fixes.options.is_unsafe) {
                unsafe_fixes[Code::ExtraParenthesis] += 1;
            }
        }
        self.recorded.extend_from_slice(&recorded);
        self.parts.extend(parts);
        if end.is_none() && self.recorded.len() < self.reader.window_length().saturating_mul(2).max(MIN_SEGMENT_BYTES) {
            return None;
        }
        self.withhold_conversion();
        let parts = self.verify(end.is_some());
        Some(self.take_segment(parts, end, count))
    }

    /// Withholds fixes until the fixed text contains the expected games. Returns the number of
    /// verified parts.
    fn verify(&mut self, is_end: bool) -> usize {
        // A complete source without fixes is unchanged, so it needs no verification.
        let has_fix = self.is_converted() || self.parts.iter().any(TextPart::is_changed);
        if self.fault.is_some() || self.is_start && is_end && !has_fix {
            return self.parts.len();
        }
        let (mut place, mut attempts_at_place) = (0, 0_u32);
        for attempt in 0_u32.. {
            let text = self.fixed_text();
            let read = self.read_fixed_text(&text, is_end);
            match read.and_then(|read| self.lost_part(&text).map_or(Ok(read), Err)) {
                Ok((reader, read_to)) => {
                    let parts = if is_end { text.ends.len() } else { text.ends.partition_point(|end| *end <= read_to) };
                    self.reader = reader;
                    self.read_to = read_to - parts.checked_sub(1).map_or(0, |last| text.ends[last]);
                    return parts;
                }
                Err(part) if self.parts.iter().any(TextPart::is_changed) => {
                    attempts_at_place = if part > place { 0 } else { attempts_at_place + 1 };
                    place = place.max(part);
                    let doublings = attempt / ATTEMPTS + attempts_at_place.saturating_sub(ATTEMPTS_AT_PLACE);
                    self.withhold(part, 1 << doublings.min(usize::BITS - 1));
                }
                // Earlier fixes affect this part and can't be withdrawn.
                Err(_) if self.is_changed => {
                    self.fault = Some(FixFault::Unverified);
                    break;
                }
                Err(_) => {
                    self.fault = self.is_converted().then_some(FixFault::Lossy);
                    break;
                }
            }
        }
        self.parts.len()
    }

    /// Returns true if the source is UTF-16 and becomes UTF-8.
    fn is_converted(&self) -> bool {
        self.utf16_source.has_game && self.fault.is_none() && self.fixes.options.includes_safe(Code::NotUtf8)
    }

    /// Reads a fixed text. Returns the reader after it and the byte that it has reached, or the
    /// index of the first part whose reading differs from the expected one.
    fn read_fixed_text(&self, text: &FixedText, is_end: bool) -> Result<(FreshReader, usize), usize> {
        let FixedText { bytes, games, .. } = text;
        if !self.is_same_input(bytes) {
            return Err(0);
        }
        let mut reader = self.reader.clone();
        let (mut matched, mut mismatch) = (0, None);
        let last = self.parts.len().saturating_sub(1);
        let read_to = reader.read(bytes, self.read_to, is_end, |range, charset| match games.get(matched) {
            _ if mismatch.is_some() => {}
            Some(game) if is_same_game(bytes, game, range, charset) => matched += 1,
            game => mismatch = Some(game.map_or(last, |game| game.part)),
        });
        let missing = games.get(matched).filter(|game| game.range.start < read_to).map(|game| game.part);
        mismatch.or(missing).map_or(Ok((reader, read_to)), Err)
    }

    /// Returns the index of the first part of which a reader without any recovery finds less in the
    /// fixed text.
    fn lost_part(&self, text: &FixedText) -> Option<usize> {
        let lead = |kind: PartKind| if let PartKind::Game(charset) = kind { charset.lead() } else { Lead::None };
        let (mut recorded_to, mut edits, mut starts) = (0, Vec::new(), Vec::new());
        let (mut recorded_parts, mut fixed_parts) = (Vec::new(), Vec::new());
        for (part, end) in self.parts.iter().zip(&text.ends) {
            starts.extend(matches!(part.kind, PartKind::Game(_)).then_some(recorded_to));
            edits.extend(part.shifted_changes(recorded_to));
            recorded_to += part.length;
            recorded_parts.push((recorded_to, lead(part.kind)));
            fixed_parts.push((*end, lead(part.expected_kind())));
        }
        let recorded = PlainText { bytes: &self.recorded, parts: recorded_parts };
        let lost = recorded.lost_part(&PlainText { bytes: &text.bytes, parts: fixed_parts }, &edits, &starts)?;
        Some(recorded.parts.partition_point(|(end, _)| *end <= lost))
    }

    /// Returns true if the fixed text is recognised as the same kind of input as the recorded one,
    /// and not as UTF-16.
    ///
    /// The format of a UTF-16 source was detected before its conversion, in the part before any
    /// text in another encoding.
    fn is_same_input(&self, bytes: &[u8]) -> bool {
        let columns = RowColumns { record: &self.fixes.column, id: &self.fixes.id_column };
        let content_kind = |text| self.fixes.input.content_kind(&self.file, text, columns);
        let is_same_start = || {
            let fixed = content_kind(bytes);
            utf16(bytes).is_none()
                && fixed == content_kind(&self.recorded)
                && (!self.is_converted() || fixed.unit() == self.unit)
        };
        (!self.is_start || is_same_start()) && encoding_change(bytes, None).is_none()
    }

    /// Withholds the `count` fixes nearest to a part.
    fn withhold(&mut self, part: usize, count: usize) {
        let mut changed_parts: Vec<usize> =
            (0..self.parts.len()).filter(|index| self.parts[*index].is_changed()).collect();
        changed_parts.sort_by_key(|index| (index.abs_diff(part), *index < part));
        changed_parts.into_iter().take(count).for_each(|index| self.parts[index].withhold(NOT_VERIFIED));
    }

    /// Withholds all fixes of a source that stays UTF-16 because its conversion is not selected or
    /// would lose a part of it. Does the same for a source with a fault.
    fn withhold_conversion(&mut self) {
        let mut offset = 0;
        for part in &self.parts {
            let (before, bytes) = (&self.recorded[..offset], &self.recorded[offset..offset + part.length]);
            let kind = part.encoded_kind();
            self.utf16_source.add(EncodedPart { bytes, before, is_utf16: part.is_utf16, kind });
            offset += part.length;
        }
        let options = &self.fixes.options;
        let is_lossy = self.utf16_source.is_lossy() && !options.is_unsafe;
        let stays_utf16 = is_lossy || self.utf16_source.is_utf16 && !options.includes_safe(Code::NotUtf8);
        if !stays_utf16 && self.fault.is_none() {
            return;
        }
        let reason = match self.fault {
            _ if is_lossy => LOSSY,
            Some(_) => NOT_VERIFIED,
            None => NOT_CONVERTED,
        };
        self.parts.iter_mut().for_each(|part| part.withhold(reason));
        if self.is_changed {
            self.fault = Some(FixFault::Unverified);
        } else if is_lossy {
            self.fault = Some(FixFault::Lossy);
        }
    }

    /// Returns the text with its fixes.
    fn fixed_text(&self) -> FixedText {
        let mut text =
            FixedText { bytes: Vec::with_capacity(self.recorded.len()), games: Vec::new(), ends: Vec::new() };
        let mut recorded_to = 0;
        for (index, part) in self.parts.iter().enumerate() {
            let recorded = &self.recorded[recorded_to..recorded_to + part.length];
            recorded_to += part.length;
            let start = text.bytes.len();
            Edit::append_edited(recorded, part.changes(), &mut text.bytes);
            let range = start..text.bytes.len();
            text.ends.push(range.end);
            if let PartKind::Game(charset) = part.expected_kind() {
                text.games.push(ExpectedGame { part: index, range, charset });
            }
        }
        text
    }

    /// Removes the first parts and returns them with the rows of their fixes.
    fn take_segment(&mut self, parts: usize, end: Option<SourceEnd>, count: &mut FixCount) -> Segment {
        let is_converted = self.is_converted();
        let conversion = match self.fault {
            _ if is_converted && self.utf16_source.is_lossy() => Conversion::Unsafe,
            _ if is_converted => Conversion::Made,
            Some(FixFault::Lossy) => Conversion::Withheld,
            _ => Conversion::None,
        };
        let rest = self.parts.split_off(parts);
        let (mut recorded_to, mut changes, mut has_game) = (0, Vec::new(), false);
        let mut rows = Rows::new(self.fixes.format, FixRow::TABLE);
        let (mut has_rows, mut made) = (false, Box::<CodeCounts>::default());
        for mut part in std::mem::replace(&mut self.parts, rest) {
            let (game, offset) = (part.game, part.offset);
            part.resolve_conversion(conversion);
            has_game |= matches!(part.kind, PartKind::Game(_));
            changes.extend(part.shifted_changes(recorded_to));
            recorded_to += part.length;
            let mut boards = Vec::new();
            part.report(count, |fix| {
                has_rows = true;
                made[fix.code] += u64::from(fix.is_made);
                rows.push(&FixRow { file: &self.file, game, offset, fix });
                boards.extend(fix.picture.as_deref().cloned());
            });
            if let (Some(draw), Format::Text { color }, false) = (self.fixes.draw, self.fixes.format, boards.is_empty())
            {
                rows.push_line(draw(&boards, color));
            }
        }
        let rest = self.recorded.split_off(recorded_to);
        let recorded = std::mem::replace(&mut self.recorded, rest);
        self.is_changed |= !changes.is_empty() || is_converted;
        self.is_start = false;
        let is_utf16 = self.utf16_source.is_utf16;
        let end = end.map(|end| SourceEnd { is_utf16, is_converted, fault: self.fault, ..end });
        Segment { file: self.file.clone(), recorded, changes, rows: has_rows.then_some(rows), made, has_game, end }
    }
}

/// Returns true if a game is at the expected place and reads as the same text. White space after a
/// game does not belong to it.
fn is_same_game(bytes: &[u8], expected: &ExpectedGame, found: Range<usize>, charset: Charset) -> bool {
    let trimmed = |range: &Range<usize>| range.start..range.start + bytes[range.clone()].trim_ascii_end().len();
    let range = trimmed(&expected.range);
    let decode = |charset| Decoded::new(&bytes[range.clone()], charset).text;
    range == trimmed(&found) && (expected.charset == charset || decode(expected.charset) == decode(charset))
}
