//! The splitter: divides a stream of bytes into games.
//!
//! A game begins at a `(` before a `;` and ends at the `)` that closes it. Brackets hide everything
//! up to the `]` that ends their value. Damage affects only its own game: a root inside a damaged
//! game begins the next one. The splitter decodes nothing, but it recognises brackets that are half
//! a character.

mod csv_rows;
pub mod index;
mod lines;
mod piece;
pub mod stray_text;

pub use crate::sgf::boundaries::game_span::Close;
pub use index::Index;
pub use piece::{GameText, Piece, RecordKind, Split, SplitState, Unit};
pub(crate) use piece::{LineFormat, LineKind, RECORD_START_WINDOW};

use std::ops::Range;

use memchr::{memchr, memchr2};

use crate::sgf::boundaries::game_span::{GameSpan, GameStart, MAX_UNDECIDED, find_end, find_start, signature};
use crate::sgf::boundaries::recovery::LOOKAHEAD;
use crate::sgf::charset::{Charset, decide};
use crate::sgf::encoding::lead::Lead;
use crate::sgf::limits::Limits;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget, is_blank};
use crate::splitter::csv_rows::CsvRows;
use crate::splitter::lines::LineSplitter;
use crate::splitter::piece::{MAX_SCANNED, SCANS_PER_BYTE, skip_blanks};

/// The maximum number of places within a damaged game at which a record of another format may
/// begin.
const MAX_CANDIDATES: usize = 4;

/// The splitter of one source. Facts learned from earlier games apply to the rest of the source.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    unit: Unit,
    limits: Limits,
    /// The facts learned so far.
    pub split_state: SplitState,
    /// The number of bytes scanned beyond [`SCANS_PER_BYTE`] times the returned ones.
    scanned: u64,
    /// True if a record of another format ends a split.
    reports_changes: bool,
    /// True if the next bytes continue a line of stray text.
    is_within_line: bool,
}

/// Finds the games of a whole source and passes every piece to `sink`, in order and without
/// overlap.
pub fn split_all(bytes: &[u8], sink: impl FnMut(Piece)) {
    Splitter::default().split_all(bytes, sink);
}

/// Finds the games at the start of a source; see [`Splitter::split`].
pub fn split(bytes: &[u8], end: bool, sink: impl FnMut(Piece)) -> usize {
    Splitter::default().split(bytes, end, sink)
}

impl Splitter {
    /// Returns a splitter at the start of a source.
    pub fn new(unit: Unit, limits: Limits) -> Splitter {
        Splitter { unit, limits, ..Splitter::default() }
    }

    /// Returns the length in bytes above which a piece is oversized.
    pub fn max_length(&self) -> usize {
        let limit = match self.unit {
            Unit::Game | Unit::File | Unit::Lines(_) => self.limits.game(),
            Unit::Line => self.limits.line,
            // A row holds a file, or a part of one with two of the largest games. JSON uses two
            // bytes for some characters.
            Unit::Row | Unit::CsvRow { .. } => self.limits.game() * 4,
        };
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    /// Returns the number of bytes from which [`Splitter::split`] always makes progress.
    pub fn progress_length(&self) -> usize {
        self.max_length().max(MAX_UNDECIDED).saturating_add(1)
    }

    /// Finds the games in `bytes` and passes every piece to `sink`, in order and without overlap.
    ///
    /// Returns the number of consumed bytes. Without `end`, the input continues after `bytes`. A
    /// piece that could continue is then left for the next call, which must begin with the
    /// remaining bytes. With `end`, everything is consumed. Each call makes progress or needs more
    /// bytes, at most [`Splitter::progress_length`].
    pub fn split(&mut self, bytes: &[u8], end: bool, sink: impl FnMut(Piece)) -> usize {
        self.reports_changes = false;
        self.split_once(bytes, end, sink).consumed
    }

    /// Finds the games of the rest of a source, which `bytes` contains.
    pub fn split_all(&mut self, bytes: &[u8], sink: impl FnMut(Piece)) {
        self.split(bytes, true, sink);
    }

    /// Finds games like [`Splitter::split`], up to a record of another format.
    ///
    /// Files that were appended to each other contain records of several formats. After a change,
    /// even with `end`, the rest of `bytes` is to be split after [`Splitter::change_to`].
    pub fn split_until_change(&mut self, bytes: &[u8], end: bool, sink: impl FnMut(Piece)) -> Split {
        self.reports_changes = true;
        self.split_once(bytes, end, sink)
    }

    /// Continues with records of another format, which are read like a separate file.
    pub fn change_to(&mut self, format: RecordKind) {
        // The budget for repeated scans belongs to the whole source, and so do its missing headers.
        let Splitter { limits, scanned, split_state: SplitState { has_headerless_game, .. }, .. } = *self;
        let split_state = SplitState { has_headerless_game, ..SplitState::default() };
        *self = Splitter { scanned, split_state, ..Splitter::new(format.unit(), limits) };
    }

    fn split_once(&mut self, bytes: &[u8], end: bool, mut sink: impl FnMut(Piece)) -> Split {
        let split = match self.unit {
            Unit::Game => self.split_games(bytes, end, &mut sink),
            Unit::File => Split::to(self.split_file(bytes, end, &mut sink)),
            Unit::Lines(kind) => {
                let (format, limit, reports_changes) = (kind.lines(), self.max_length(), self.reports_changes);
                let (split_state, sink) = (&mut self.split_state, &mut sink);
                let (start, state) = (0, u8::from(split_state.in_oversized) * LineFormat::IN_GAME);
                LineSplitter { kind, format, limit, reports_changes, split_state, bytes, end, sink, start, state }
                    .split()
            }
            Unit::Line | Unit::Row => Split::to(self.split_lines(bytes, end, &mut sink)),
            Unit::CsvRow { delimiter, columns } => {
                let (limit, Splitter { split_state, scanned, .. }) = (self.max_length(), &mut *self);
                Split::to(CsvRows { delimiter, columns, limit, split_state, scanned }.split(bytes, end, &mut sink))
            }
        };
        let has_progress = end || bytes.len() >= self.progress_length();
        let has_result = split.consumed > 0 || split.change.is_some();
        debug_assert!(has_result || bytes.is_empty() || !has_progress, "{} bytes and no progress", bytes.len());
        if has_result || !has_progress {
            return split;
        }
        self.split_state.report_stray_text(bytes, 0..bytes.len(), &mut sink);
        Split::to(bytes.len())
    }

    fn split_games(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> Split {
        let mut offset = 0;
        while offset < bytes.len() {
            // Open questions at this distance are decided without more bytes. Otherwise a text of
            // blanks would be held back forever.
            let decided = if end { bytes.len() } else { bytes.len().saturating_sub(self.max_length()) };
            let start = find_start(bytes, offset, decided, self.split_state.in_oversized);
            let (GameStart::Found(stop) | GameStart::NotBefore(stop)) = start;
            if let Some(split) = self.record_start(bytes, offset..stop, end) {
                self.split_state.report_stray_text(bytes, offset..split.consumed, sink);
                self.is_within_line = false;
                return split;
            }
            self.split_state.report_stray_text(bytes, offset..stop, sink);
            let GameStart::Found(start) = start else {
                self.is_within_line = continues_line(&bytes[offset..stop], offset == 0 && self.is_within_line);
                return Split::to(stop);
            };
            self.is_within_line = false;
            let Some((length, close, charset)) = self.game(&bytes[start..], end) else { return Split::to(start) };
            self.scanned = self.scanned.saturating_sub(SCANS_PER_BYTE * length as u64);
            self.split_state.in_oversized = close == Close::Oversized && length == self.max_length();
            offset = start + length;
            sink(Piece::Game(start..offset, close, charset));
        }
        Split::to(offset)
    }

    /// Returns the split that ends in stray text: before a record of another format, or before a
    /// line that needs more bytes to show whether it begins one.
    fn record_start(&self, bytes: &[u8], stray: Range<usize>, end: bool) -> Option<Split> {
        if !self.reports_changes || bytes[stray.clone()].iter().all(|byte| is_blank(*byte)) {
            return None;
        }
        let is_within_line = stray.start == 0 && self.is_within_line;
        let first = if is_within_line { next_line(bytes, 0) } else { stray.start };
        for offset in line_starts(bytes, first).take_while(|offset| *offset < stray.end) {
            if !end && bytes.len() - offset < RECORD_START_WINDOW {
                return Some(Split::to(offset));
            }
            let change = RecordKind::at_start(&bytes[offset..], RecordKind::default());
            if change.is_some() {
                return Some(Split { consumed: offset, change });
            }
        }
        None
    }

    /// Passes every line that is not blank to `sink`. The rest of an oversized line is skipped.
    fn split_lines(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let (limit, mut offset) = (self.max_length(), 0);
        while offset < bytes.len() {
            let ending = memchr(b'\n', &bytes[offset..]);
            let length = match ending {
                Some(length) => length,
                None if end || bytes.len() - offset > limit => bytes.len() - offset,
                None => return offset,
            };
            let close = if length > limit { Close::Oversized } else { Close::Parenthesis };
            if !self.split_state.in_oversized && !bytes[offset..offset + length].trim_ascii().is_empty() {
                sink(Piece::Game(offset..offset + length, close, Charset::UTF8));
            }
            self.split_state.in_oversized =
                ending.is_none() && (self.split_state.in_oversized || close == Close::Oversized);
            offset = (offset + length + 1).min(bytes.len());
        }
        offset
    }

    /// Passes a whole file that is not blank to `sink`. The rest of an oversized file is skipped.
    fn split_file(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let is_oversized = bytes.len() > self.max_length();
        if self.split_state.in_oversized || bytes.trim_ascii().is_empty() {
            return bytes.len();
        }
        if !end && !is_oversized {
            return 0;
        }
        let length = bytes.len().min(self.max_length());
        let charset = decide(&bytes[..length], (0, 0), bytes, &mut self.split_state.detected_charset);
        let close = if is_oversized { Close::Oversized } else { Close::Parenthesis };
        self.split_state.in_oversized = is_oversized;
        sink(Piece::Game(0..length, close, charset));
        bytes.len()
    }

    /// Returns the length, end and charset of the game at the start of `bytes`; `None` if this
    /// requires more bytes.
    fn game(&mut self, bytes: &[u8], end: bool) -> Option<(usize, Close, Charset)> {
        let mut found = self.find_game(bytes, end, Lead::None);
        let game = &bytes[..found.end?.0];
        // A game that the limit truncates may end within its turns.
        let turns = if found.turns.1 <= game.len() { found.turns } else { (0, 0) };
        let charset = decide(game, turns, bytes, &mut self.split_state.detected_charset);
        if charset.lead().hides_brackets() && self.has_scan_budget() {
            found = self.find_game(bytes, end, charset.lead());
        }
        let (length, close) = found.end?;
        if close == Close::Parenthesis && !found.is_damaged {
            self.split_state.has_variations |= found.has_variations;
            self.split_state.neighbour.clear();
            self.split_state.neighbour.extend_from_slice(signature(bytes));
        }
        Some((length, close, charset))
    }

    /// Returns the span of the game at the start of `bytes`. An unclosed or damaged game ends
    /// before a record of another format.
    fn find_game(&mut self, bytes: &[u8], end: bool, lead: Lead) -> GameSpan {
        let mut found = self.find_span(bytes, end, lead);
        if let Some(length) = self.length_before_record(bytes, &found) {
            found.end = Some((length, Close::Missing));
        }
        found
    }

    /// Returns the length of an unclosed or damaged game before a record of another format.
    ///
    /// The record must begin outside the values of a sound game: a comment may contain anything.
    fn length_before_record(&mut self, bytes: &[u8], found: &GameSpan) -> Option<usize> {
        let (length, close) = found.end?;
        let is_certain = close == Close::Parenthesis && !found.is_damaged;
        if !self.reports_changes || is_certain || !self.has_scan_budget() {
            return None;
        }
        let is_record = |offset: &usize| RecordKind::at_start(&bytes[*offset..], RecordKind::default()).is_some();
        let starts = line_starts(bytes, 0).skip(1).take_while(|offset| *offset < length);
        for start in starts.filter(is_record).take(MAX_CANDIDATES) {
            self.scanned = self.scanned.saturating_add(start as u64);
            let scan_budget = ScanBudget::for_text(start);
            let before = find_end(&Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(&bytes[..start]) }, false);
            if before.end == Some((start, Close::Missing)) && !before.is_damaged {
                return Some(bytes[..start].trim_ascii_end().len());
            }
        }
        None
    }

    /// Returns true if a game may be scanned again when its end is implausible.
    ///
    /// In a text full of damage, each byte would be scanned for many games. After the budget is
    /// spent, games end where the first scan ends them.
    fn has_scan_budget(&self) -> bool {
        self.scanned <= MAX_SCANNED
    }

    fn find_span(&mut self, bytes: &[u8], end: bool, lead: Lead) -> GameSpan {
        let neighbour = std::mem::take(&mut self.split_state.neighbour);
        let scan_budget =
            if self.has_scan_budget() { ScanBudget::for_text(bytes.len()) } else { ScanBudget::exhausted() };
        let scan_budget = scan_budget.with_max_game(self.max_length());
        let before = scan_budget.remaining();
        let signature = signature(bytes);
        let lexer = Lexer {
            bytes,
            end,
            lead,
            signature,
            neighbour: &neighbour,
            games_begin_alike: false,
            scan_budget: Some(&scan_budget),
        };
        let mut found = self.scan_until_plausible(&lexer);
        self.scanned = self.scanned.saturating_add((before - scan_budget.remaining()) as u64);
        let limit = self.max_length();
        // The splitter never waits for more bytes than the largest game has.
        let can_continue = !end && bytes.len() <= limit;
        found.end = match found.end {
            Some((length, _)) if can_continue && lexer.skip_space(length) + LOOKAHEAD > bytes.len() => None,
            None if bytes.len() > limit => Some((limit, Close::Oversized)),
            // An unclosed game that the limit truncates may be part of a closed game.
            Some((length, close)) if length > limit || (length == limit && close == Close::Missing) => {
                Some((length, Close::Oversized))
            }
            end => end,
        };
        self.split_state.neighbour = neighbour;
        found
    }

    /// Finds the end of a game. Scans again with stricter rules if the end is missing or values are
    /// damaged.
    fn scan_until_plausible(&mut self, lexer: &Lexer) -> GameSpan {
        let games_begin_alike = !self.split_state.has_variations && !lexer.neighbour.is_empty();
        if !self.has_scan_budget() {
            return self.scan(&Lexer { games_begin_alike, ..*lexer }, true);
        }
        let found = self.scan(lexer, self.split_state.lines_begin_games);
        let is_oversized = found.end.is_none() && lexer.bytes.len() > self.max_length();
        let is_missing = found.end == Some((lexer.bytes.len(), Close::Missing)) || is_oversized;
        if games_begin_alike && (is_missing || found.is_damaged) {
            let cut = self.scan(&Lexer { games_begin_alike, ..*lexer }, self.split_state.lines_begin_games);
            if cut.end != found.end {
                return cut;
            }
        }
        if is_missing && !self.split_state.lines_begin_games {
            // This scan happens once for a source. From here on, lines begin games in the first
            // scan.
            let cut = self.scan(lexer, true);
            self.split_state.lines_begin_games = cut.end != found.end;
            return cut;
        }
        found
    }

    fn scan(&mut self, lexer: &Lexer, lines_begin_games: bool) -> GameSpan {
        let mut found = find_end(lexer, lines_begin_games);
        if found.end.is_none() && lexer.bytes.len() > self.max_length() {
            found.end = found.provisional_end;
        }
        let seen = found.end.map_or(lexer.bytes.len(), |(length, _)| length);
        self.scanned = self.scanned.saturating_add(seen as u64);
        found
    }
}

/// Returns the offset after the line at `offset`.
fn next_line(bytes: &[u8], offset: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[offset..]).map_or(bytes.len(), |length| offset + length + 1)
}

/// Returns the starts of the lines with text from `offset` on, without blanks, and then the length of
/// the text forever. Many blank lines have the same next text, which is returned once.
fn line_starts(bytes: &[u8], offset: usize) -> impl Iterator<Item = usize> {
    let next_start = move |offset: &usize| Some(skip_blanks(bytes, next_line(bytes, *offset)));
    std::iter::successors(Some(skip_blanks(bytes, offset)), next_start)
}

/// Returns true if the bytes after `stray` continue its last line. `is_within_line` is true if
/// `stray` itself continues a line.
fn continues_line(stray: &[u8], is_within_line: bool) -> bool {
    match stray.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')) {
        Some(end) => !stray[end..].iter().all(|byte| is_blank(*byte)),
        None => is_within_line || !stray.iter().all(|byte| is_blank(*byte)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(&str, Option<Close>)> {
        let mut parts = Vec::new();
        let consumed = split(text.as_bytes(), true, |piece| match piece {
            Piece::Game(range, close, _) => parts.push((&text[range], Some(close))),
            Piece::StrayText(range) => parts.push((&text[range], None)),
        });
        assert_eq!(consumed, text.len());
        parts
    }

    const CLOSED: Option<Close> = Some(Close::Parenthesis);
    const CUT: Option<Close> = Some(Close::Missing);

    #[test]
    fn games_are_split_and_text_between_them_is_kept() {
        assert_eq!(
            pieces("mail (yes)\n(;B[aa](;W[bb])(;W[cc]))\n ( ;B[])tail "),
            [("mail (yes)", None), ("(;B[aa](;W[bb])(;W[cc]))", CLOSED), ("( ;B[])", CLOSED), ("tail", None)]
        );
    }

    #[test]
    fn brackets_hide_parentheses_and_backslashes_hide_brackets() {
        assert_eq!(pieces(r"(;C[a\]) (;B[aa] ]))"), [(r"(;C[a\]) (;B[aa] ])", CLOSED), (")", None)]);
        assert_eq!(pieces("(;C[(;x])"), [("(;C[(;x])", CLOSED)]);
    }

    #[test]
    fn single_game_file_is_buffered_up_to_the_limit() {
        let split_bytes = |bytes: &[u8], end| {
            let mut splitter = Splitter::new(Unit::File, Limits { game: 1 << 10, ..Limits::default() });
            let mut parts = Vec::new();
            let consumed = splitter.split(bytes, end, |piece| parts.push(piece));
            let closes = parts.iter().map(|piece| match piece {
                Piece::Game(range, close, _) => (range.clone(), *close),
                Piece::StrayText(_) => panic!("a whole file has no stray text"),
            });
            (consumed, closes.collect::<Vec<_>>())
        };
        let text = b"(;B[aa])\nSTO 0 2 1 3 3\n".repeat(30);
        assert_eq!(split_bytes(&text, false), (0, vec![]));
        assert_eq!(split_bytes(&text, true), (text.len(), vec![(0..text.len(), Close::Parenthesis)]));
        let long = text.repeat(2);
        for end in [false, true] {
            assert_eq!(split_bytes(&long, end), (long.len(), vec![(0..1024, Close::Oversized)]));
        }
        assert_eq!(split_bytes(b" \n", true), (2, vec![]));
    }

    #[test]
    fn unclosed_game_does_not_swallow_the_next() {
        let next = "(;FF[4];B[aa])";
        for cut in ["(;FF[4];B[aa]", "(;FF[4];B[aa", "(;FF[4]C[long comment", "(;FF[4](;B[aa]"] {
            assert_eq!(pieces(&format!("{cut}\n{next}")).last(), Some(&(next, CLOSED)), "{cut}");
            assert_eq!(pieces(&format!("{cut}\n{next}"))[0].1, CUT, "{cut}");
        }
        assert_eq!(pieces("(;FF[4];B[aa)\n(;FF[4];B[aa])").len(), 2);
    }

    #[test]
    fn next_game_needs_no_parenthesis_or_line_of_its_own() {
        let (first, second) = ("(;GM[1];B[aa]", ";GM[1];B[bb])");
        // By the grammar of FF[4], an unclosed game and a game without its `(` are one game.
        for blank in ["", " ", "\n"] {
            let text = format!("{first}{blank}{second}");
            assert_eq!(pieces(&text), [(&*text, CLOSED)]);
        }
        for (text, close) in
            [(format!("{first}x{second}"), Close::Fused), (format!("{first}x\n{second}"), Close::Missing)]
        {
            assert_eq!(pieces(&text), [(&*format!("{first}x"), Some(close)), (second, CLOSED)], "{text}");
        }
        let closed = format!("{first})");
        for between in ["", "\n", "\x1A", "\n\x1A", "\0\n "] {
            assert_eq!(
                pieces(&format!("{closed}{between}{second}")),
                [(&*closed, CLOSED), (second, CLOSED)],
                "{between:?}"
            );
        }
        // One strange character may replace the parenthesis; two are a word.
        assert_eq!(pieces(&format!("{closed} x{second}")), [(&*closed, CLOSED), ("x", None), (second, CLOSED)]);
        assert_eq!(pieces(&format!("{closed} xy{second}")), [(&*closed, CLOSED), (&*format!("xy{second}"), None)]);
    }

    #[test]
    fn stray_bytes_before_a_root_lose_or_add_no_game() {
        let root = ";GM[1]FF[4];B[aa];W[bb])";
        let games = |bytes: &[u8]| {
            let mut parts = Vec::new();
            split(bytes, true, |piece| parts.push(piece));
            parts.into_iter().filter(|piece| matches!(piece, Piece::Game(_, Close::Parenthesis, _))).count()
        };
        for strays in [
            &b"\x1A"[..],
            b"\xFF",
            b"\xEF\xBB\xBF",
            b"\x01\x02\x03\x04\x05",
            b" \x7F\n",
            b"\xFF\xFE\0",
            "、".as_bytes(),
        ] {
            let game = [b"(", strays, root.as_bytes()].concat();
            let next = [&game[..], b"\n(;GM[1];B[cc])"].concat();
            let following = [b"(;GM[1];B[cc]\n", &game[..]].concat();
            assert_eq!([games(&game), games(&next)], [1, 2], "{strays:?}");
            let mut parts = Vec::new();
            split(&following, true, |piece| parts.push(piece));
            let [Piece::Game(_, Close::Missing, _), Piece::Game(last, ..)] = &parts[..] else { panic!("{parts:?}") };
            assert_eq!(following[last.clone()], game);
        }
        // Words, many strange bytes, and nodes without header properties.
        for text in [
            "(see ;GM[1] below)",
            "(see ; below)",
            "(é ; oui)",
            "(—;SZ[19] says how large it is)",
            "(“;RE[B+3]” was wrong)",
            "(²;PB[a]PW[b])",
            "(— ;B[dd] would be better)",
            "(\u{1};B[dd])",
            "(\u{1};x[1])",
            "(\u{1})",
            "(例えばこう;GM[1])",
            "(\u{1}\u{2}",
            "(\u{1}x;GM[1])",
        ] {
            assert!(pieces(text).iter().all(|(_, close)| close.is_none()), "{text}: {:?}", pieces(text));
        }
        let far = |strays: usize| format!("({}{root}", "\u{1}".repeat(strays));
        assert_eq!([games(far(40).as_bytes()), games(far(90).as_bytes())], [1, 0]);
    }

    #[test]
    fn blank_input_has_no_pieces_and_words_no_game() {
        assert_eq!(pieces(" \r\n\u{feff}\n\0"), []);
        assert_eq!(pieces("hello (world"), [("hello (world", None)]);
        assert_eq!(pieces("(;"), [("(;", CUT)]);
    }

    /// The pieces of a stream must not depend on its division into reads.
    #[test]
    fn cutting_the_stream_anywhere_changes_nothing() {
        let text = "x\n(;FF[4]C[a\\]b];B[aa])  ( ;B[bb](;W[cc])) y (\u{1}\u{2} ;GM[1];W[])(\u{1};C[no) (;GM[1]";
        let expected = pieces(text);
        for cut in 0..text.len() {
            let bytes = text.as_bytes();
            let mut parts = Vec::new();
            let mut name = |base: usize, piece: Piece| match piece {
                Piece::Game(range, close, _) => parts.push((&text[base + range.start..base + range.end], Some(close))),
                Piece::StrayText(range) => parts.push((&text[base + range.start..base + range.end], None)),
            };
            let consumed = split(&bytes[..cut], false, |piece| name(0, piece));
            split(&bytes[consumed..], true, |piece| name(consumed, piece));
            let joined = |list: &[(&str, Option<Close>)]| -> Vec<(String, Option<Close>)> {
                list.iter()
                    .filter(|(_, close)| close.is_some())
                    .map(|(text, close)| (text.to_string(), *close))
                    .collect()
            };
            assert_eq!(joined(&parts), joined(&expected), "cut at {cut}");
        }
    }
}
