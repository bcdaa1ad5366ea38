//! Cuts a stream of bytes into games.
//!
//! A game begins at a `(` that a `;` follows and ends at the `)` that closes it; brackets hide everything up to the `]` that ends
//! their value. A damaged game costs itself: a root inside it begins the next one. Nothing is decoded here, but brackets that are
//! half a character are known for what they are.

use std::ops::Range;

use encoding_rs::Encoding;
use memchr::memchr;

use super::charset::{Charset, Lead, decide};
use super::csv_rows::CsvRows;
use super::extent::{Found, HELD_BACK, Start, find_end, find_start, is_blank, signature};
use super::lexis::Lexis;
use super::limits::Limits;
use super::lines::{Cutting, LineFormat};
use super::resync::Patience;

/// What has to follow a piece before it is sure that the piece ends there: the furthest that any rule looks ahead.
const LOOK_AHEAD: usize = 512;

/// Bytes that a source may have scanned before its splitter loses patience; see [`Splitter::is_patient`].
pub(super) const SCANNED: u64 = 4 << 20;
/// How often on average each byte may be scanned beyond that.
pub(super) const SCANS: u64 = 8;

/// A piece of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A game's bytes.
    Game(Range<usize>, Close, Charset),
    /// Text that is neither game nor white space.
    Outside(Range<usize>),
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// With its closing parenthesis.
    Parenthesis,
    /// The input ends, or the next game begins on a line of its own, before it is closed.
    Missing,
    /// The next game begins within it, in the middle of a line.
    Fused,
    /// It is larger than [`Limits::game`].
    Oversized,
}

/// Cuts one source; what it learns of the source holds for the rest of it.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    unit: Unit,
    limits: Limits,
    /// What is known of the source by now.
    pub learned: Learned,
    /// Bytes scanned beyond [`SCANS`] times those that were cut.
    scanned: u64,
}

/// What the games of a source say about those behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// What was detected of the source's text.
    pub detected: Option<&'static Encoding>,
    /// A game was not closed, so any line that begins as that game did begins a game.
    pub lines_begin_games: bool,
    /// The first identifier of the root of the last sound game; empty before the first.
    pub neighbour: Vec<u8>,
    /// A game had variations.
    pub has_variations: bool,
    /// A game was cut off at the limit: whatever follows is the rest of it, up to a root with GM or FF. Of a line, up to its end.
    pub in_oversized: bool,
}

/// What a source is cut into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Games of SGF collections.
    #[default]
    Game,
    /// Lines, each a position.
    Line,
    /// Lines, each a row that holds a file or a part of one.
    Row,
    /// Rows of comma separated values, the first of which names the columns.
    CsvRow {
        /// What stands between cells.
        delimiter: u8,
        /// How many cells a row has.
        columns: u16,
    },
    /// Nothing: a file is one game.
    File,
    /// Games of another kind than SGF, known by their lines.
    Lines(&'static LineFormat),
}

/// Finds the games of a whole source; see [`Splitter::split`].
pub fn split(bytes: &[u8], end: bool, sink: impl FnMut(Piece)) -> usize {
    Splitter::default().split(bytes, end, sink)
}

impl Splitter {
    /// A splitter at the start of a source.
    pub fn new(unit: Unit, limits: Limits) -> Splitter {
        Splitter { unit, limits, ..Splitter::default() }
    }

    /// Bytes that a piece can have before it is known to be oversized.
    pub fn longest(&self) -> usize {
        let limit = match self.unit {
            Unit::Game | Unit::File | Unit::Lines(_) => self.limits.game(),
            Unit::Line => self.limits.line,
            // A row holds a file, or a part of one with two of the largest games, and JSON has two bytes for some.
            Unit::Row | Unit::CsvRow { .. } => self.limits.game() * 4,
        };
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    /// How many bytes are always enough: given as many, [`Splitter::split`] consumes some, whatever they are.
    pub fn enough(&self) -> usize {
        self.longest().max(HELD_BACK).saturating_add(1)
    }

    /// Finds the games in `bytes` and hands every piece to `sink`, in order and without overlap.
    ///
    /// Returns how many bytes were consumed. Without `end` the input goes on behind `bytes`, and a piece that could go on is left
    /// for the next call, which has to begin with the bytes left over; with `end` everything is consumed. So a call makes progress
    /// or asks for more bytes, and it never asks for more than [`Splitter::enough`].
    pub fn split(&mut self, bytes: &[u8], end: bool, mut sink: impl FnMut(Piece)) -> usize {
        let consumed = match self.unit {
            Unit::Game => self.games(bytes, end, &mut sink),
            Unit::File => self.file(bytes, end, &mut sink),
            Unit::Lines(format) => {
                Cutting { format, limits: self.limits, learned: &mut self.learned }.split(bytes, end, &mut sink)
            }
            Unit::Line | Unit::Row => self.lines(bytes, end, &mut sink),
            Unit::CsvRow { delimiter, columns } => {
                let (limit, Splitter { learned, scanned, .. }) = (self.longest(), &mut *self);
                CsvRows { delimiter, columns, limit, learned, scanned }.split(bytes, end, &mut sink)
            }
        };
        let is_enough = end || bytes.len() >= self.enough();
        debug_assert!(consumed > 0 || bytes.is_empty() || !is_enough, "{} bytes and no progress", bytes.len());
        if consumed > 0 || !is_enough {
            return consumed;
        }
        self.between(bytes, 0..bytes.len(), &mut sink);
        bytes.len()
    }

    /// What stands between games; behind one that was too large it is the rest of it.
    fn between(&self, bytes: &[u8], range: Range<usize>, sink: &mut impl FnMut(Piece)) {
        if !self.learned.in_oversized {
            outside(bytes, range, sink);
        }
    }

    fn games(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            // What is still open that far from its beginning is decided without more bytes, or a text of blanks would be held for ever.
            let decided = if end { bytes.len() } else { bytes.len().saturating_sub(self.longest()) };
            let start = match find_start(bytes, at, decided, self.learned.in_oversized) {
                Start::At(start) => start,
                Start::NotBefore(rest) => {
                    self.between(bytes, at..rest, sink);
                    return rest;
                }
            };
            self.between(bytes, at..start, sink);
            let Some((length, close, charset)) = self.game(&bytes[start..], end) else { return start };
            self.scanned = self.scanned.saturating_sub(SCANS * length as u64);
            self.learned.in_oversized = close == Close::Oversized && length == self.longest();
            at = start + length;
            sink(Piece::Game(start..at, close, charset));
        }
        at
    }

    /// Hands every line that is not blank to `sink`. Of one that is longer than the limit, the rest is passed over.
    fn lines(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let (limit, mut at) = (self.longest(), 0);
        while at < bytes.len() {
            let ending = memchr(b'\n', &bytes[at..]);
            let length = match ending {
                Some(length) => length,
                None if end || bytes.len() - at > limit => bytes.len() - at,
                None => return at,
            };
            let close = if length > limit { Close::Oversized } else { Close::Parenthesis };
            if !self.learned.in_oversized && !bytes[at..at + length].trim_ascii().is_empty() {
                sink(Piece::Game(at..at + length, close, Charset::UTF8));
            }
            self.learned.in_oversized = ending.is_none() && (self.learned.in_oversized || close == Close::Oversized);
            at = (at + length + 1).min(bytes.len());
        }
        at
    }

    /// Hands a whole file that is not blank to `sink`. Of one that is longer than the limit, the rest is passed over.
    fn file(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> usize {
        let is_oversized = bytes.len() > self.longest();
        if self.learned.in_oversized || bytes.trim_ascii().is_empty() {
            return bytes.len();
        }
        if !end && !is_oversized {
            return 0;
        }
        let length = bytes.len().min(self.longest());
        let charset = decide(&bytes[..length], (0, 0), bytes, &mut self.learned.detected);
        let close = if is_oversized { Close::Oversized } else { Close::Parenthesis };
        self.learned.in_oversized = is_oversized;
        sink(Piece::Game(0..length, close, charset));
        bytes.len()
    }

    /// The game at the start of `bytes`: its length, how it ends and its charset. `None` when that can't be known before there are
    /// more bytes.
    fn game(&mut self, bytes: &[u8], end: bool) -> Option<(usize, Close, Charset)> {
        let mut found = self.extent(bytes, end, Lead::None);
        let game = &bytes[..found.end?.0];
        // A game that is cut off at the limit can end within them.
        let turns = if found.turns.1 <= game.len() { found.turns } else { (0, 0) };
        let charset = decide(game, turns, bytes, &mut self.learned.detected);
        if charset.lead().hides_brackets() && self.is_patient() {
            found = self.extent(bytes, end, charset.lead());
        }
        let (length, close) = found.end?;
        if close == Close::Parenthesis && !found.is_damaged {
            self.learned.has_variations |= found.has_variations;
            self.learned.neighbour.clear();
            self.learned.neighbour.extend_from_slice(signature(bytes));
        }
        Some((length, close, charset))
    }

    /// Whether a game may be scanned again when its end is not where it should be. A text made of damage has each byte scanned for
    /// many games, each time to the end of what is there; from some point on games are cut where the first look cuts them.
    fn is_patient(&self) -> bool {
        self.scanned <= SCANNED
    }

    fn extent(&mut self, bytes: &[u8], end: bool, lead: Lead) -> Found {
        let neighbour = std::mem::take(&mut self.learned.neighbour);
        let patience = if self.is_patient() { Patience::with(bytes.len()) } else { Patience::none() };
        let before = patience.left();
        let signature = signature(bytes);
        let lexis =
            Lexis { bytes, end, lead, signature, neighbour: &neighbour, seams: false, patience: Some(&patience) };
        let mut found = self.rescanned(&lexis);
        self.scanned = self.scanned.saturating_add((before - patience.left()) as u64);
        let limit = self.longest();
        // No more bytes are waited for than the largest game has.
        let may_go_on = !end && bytes.len() <= limit;
        found.end = match found.end {
            Some((length, _)) if may_go_on && lexis.skip_space(length) + LOOK_AHEAD > bytes.len() => None,
            None if bytes.len() > limit => Some((limit, Close::Oversized)),
            // Cut off at the limit, a game that is not closed may be a part of one that is.
            Some((length, close)) if length > limit || (length == limit && close == Close::Missing) => {
                Some((length, Close::Oversized))
            }
            end => end,
        };
        self.learned.neighbour = neighbour;
        found
    }

    /// The end of a game, looked for again with less patience where it is missing or values are damaged.
    fn rescanned(&mut self, lexis: &Lexis) -> Found {
        let seams = !self.learned.has_variations && !lexis.neighbour.is_empty();
        if !self.is_patient() {
            return self.scan(&Lexis { seams, ..*lexis }, true);
        }
        let found = self.scan(lexis, self.learned.lines_begin_games);
        let is_oversized = found.end.is_none() && lexis.bytes.len() > self.longest();
        let is_missing = found.end == Some((lexis.bytes.len(), Close::Missing)) || is_oversized;
        if seams && (is_missing || found.is_damaged) {
            let cut = self.scan(&Lexis { seams, ..*lexis }, self.learned.lines_begin_games);
            if cut.end != found.end {
                return cut;
            }
        }
        if is_missing && !self.learned.lines_begin_games {
            // Rescanned once for a source: from here on lines cut at first sight.
            let cut = self.scan(lexis, true);
            self.learned.lines_begin_games = cut.end != found.end;
            return cut;
        }
        found
    }

    fn scan(&mut self, lexis: &Lexis, lines_begin_games: bool) -> Found {
        let found = find_end(lexis, lines_begin_games);
        let seen = found.end.map_or(lexis.bytes.len(), |(length, _)| length);
        self.scanned = self.scanned.saturating_add(seen as u64);
        found
    }
}

pub(super) fn outside(bytes: &[u8], range: Range<usize>, sink: &mut impl FnMut(Piece)) {
    let text = &bytes[range.clone()];
    let Some(first) = text.iter().position(|byte| !is_blank(*byte)) else { return };
    let last = text.iter().rposition(|byte| !is_blank(*byte)).unwrap_or(first);
    if &text[first..=last] != b"\xEF\xBB\xBF" {
        sink(Piece::Outside(range.start + first..range.start + last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<(&str, Option<Close>)> {
        let mut found = Vec::new();
        let consumed = split(text.as_bytes(), true, |piece| match piece {
            Piece::Game(range, close, _) => found.push((&text[range], Some(close))),
            Piece::Outside(range) => found.push((&text[range], None)),
        });
        assert_eq!(consumed, text.len());
        found
    }

    const CLOSED: Option<Close> = Some(Close::Parenthesis);
    const CUT: Option<Close> = Some(Close::Missing);

    #[test]
    fn games_are_cut_apart_and_text_between_them_is_kept() {
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
    fn a_file_that_is_one_game_is_waited_for_and_cut_at_the_limit() {
        let cut = |bytes: &[u8], end| {
            let mut splitter = Splitter::new(Unit::File, Limits { game: 1 << 10, ..Limits::default() });
            let mut found = Vec::new();
            let consumed = splitter.split(bytes, end, |piece| found.push(piece));
            let closes = found.iter().map(|piece| match piece {
                Piece::Game(range, close, _) => (range.clone(), *close),
                Piece::Outside(_) => panic!("nothing stands outside of it"),
            });
            (consumed, closes.collect::<Vec<_>>())
        };
        let text = b"(;B[aa])\nSTO 0 2 1 3 3\n".repeat(30);
        assert_eq!(cut(&text, false), (0, vec![]));
        assert_eq!(cut(&text, true), (text.len(), vec![(0..text.len(), Close::Parenthesis)]));
        let long = text.repeat(2);
        for end in [false, true] {
            assert_eq!(cut(&long, end), (long.len(), vec![(0..1024, Close::Oversized)]));
        }
        assert_eq!(cut(b" \n", true), (2, vec![]));
    }

    #[test]
    fn a_game_that_is_not_closed_does_not_swallow_the_next() {
        let next = "(;FF[4];B[aa])";
        for cut in ["(;FF[4];B[aa]", "(;FF[4];B[aa", "(;FF[4]C[long comment", "(;FF[4](;B[aa]"] {
            assert_eq!(pieces(&format!("{cut}\n{next}")).last(), Some(&(next, CLOSED)), "{cut}");
            assert_eq!(pieces(&format!("{cut}\n{next}"))[0].1, CUT, "{cut}");
        }
        assert_eq!(pieces("(;FF[4];B[aa)\n(;FF[4];B[aa])").len(), 2);
    }

    #[test]
    fn a_game_behind_another_needs_no_parenthesis_and_no_line_of_its_own() {
        let (one, two) = ("(;GM[1];B[aa]", ";GM[1];B[bb])");
        for (text, close) in [
            (format!("{one}{two}"), Close::Fused),
            (format!("{one} {two}"), Close::Fused),
            (format!("{one}\n{two}"), Close::Missing),
        ] {
            assert_eq!(pieces(&text), [(one, Some(close)), (two, CLOSED)], "{text}");
        }
        let closed = format!("{one})");
        for between in ["", "\n", "\x1A", "\n\x1A", "\0\n "] {
            assert_eq!(pieces(&format!("{closed}{between}{two}")), [(&*closed, CLOSED), (two, CLOSED)], "{between:?}");
        }
        // One strange character may be what became of the parenthesis; two are words.
        assert_eq!(pieces(&format!("{closed} x{two}")), [(&*closed, CLOSED), ("x", None), (two, CLOSED)]);
        assert_eq!(pieces(&format!("{closed} xy{two}")), [(&*closed, CLOSED), (&*format!("xy{two}"), None)]);
    }

    #[test]
    fn strange_bytes_between_a_parenthesis_and_its_root_cost_no_game_and_make_none_of_prose() {
        let root = ";GM[1]FF[4];B[aa];W[bb])";
        let games = |bytes: &[u8]| {
            let mut found = Vec::new();
            split(bytes, true, |piece| found.push(piece));
            found.into_iter().filter(|piece| matches!(piece, Piece::Game(_, Close::Parenthesis, _))).count()
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
            let behind = [b"(;GM[1];B[cc]\n", &game[..]].concat();
            assert_eq!([games(&game), games(&next)], [1, 2], "{strays:?}");
            let mut found = Vec::new();
            split(&behind, true, |piece| found.push(piece));
            let [Piece::Game(_, Close::Missing, _), Piece::Game(last, ..)] = &found[..] else { panic!("{found:?}") };
            assert_eq!(behind[last.clone()], game);
        }
        // Words, much that is strange, and nodes that no header begins with.
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
    fn an_input_of_blanks_has_no_pieces_and_one_of_words_has_no_game() {
        assert_eq!(pieces(" \r\n\u{feff}\n\0"), []);
        assert_eq!(pieces("hello (world"), [("hello (world", None)]);
        assert_eq!(pieces("(;"), [("(;", CUT)]);
    }

    /// Wherever a stream is cut, the pieces come out the same as from the whole.
    #[test]
    fn cutting_the_stream_anywhere_changes_nothing() {
        let text = "x\n(;FF[4]C[a\\]b];B[aa])  ( ;B[bb](;W[cc])) y (\u{1}\u{2} ;GM[1];W[])(\u{1};C[no) (;GM[1]";
        let whole = pieces(text);
        for cut in 0..text.len() {
            let bytes = text.as_bytes();
            let mut found = Vec::new();
            let mut name = |base: usize, piece: Piece| match piece {
                Piece::Game(range, close, _) => found.push((&text[base + range.start..base + range.end], Some(close))),
                Piece::Outside(range) => found.push((&text[base + range.start..base + range.end], None)),
            };
            let consumed = split(&bytes[..cut], false, |piece| name(0, piece));
            split(&bytes[consumed..], true, |piece| name(consumed, piece));
            let joined = |list: &[(&str, Option<Close>)]| -> Vec<(String, Option<Close>)> {
                list.iter()
                    .filter(|(_, close)| close.is_some())
                    .map(|(text, close)| (text.to_string(), *close))
                    .collect()
            };
            assert_eq!(joined(&found), joined(&whole), "cut at {cut}");
        }
    }
}
