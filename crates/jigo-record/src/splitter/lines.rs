//! Splitter for formats other than SGF, whose games consist of lines.

use crate::sgf::encoding::byte_order_mark::without_mark;
use memchr::{memchr_iter, memchr2};

use crate::sgf::charset::decide_for_lines;
use crate::sgf::tokens::lexer::{Lexer, ROOT, is_blank, is_header};
use crate::splitter::piece::{LineFormat, LineKind, Piece, RECORD_START_WINDOW, Split, SplitState, skip_blanks};
use crate::splitter::{Close, RecordKind};

/// Divides the lines of a text into games.
pub(super) struct LineSplitter<'a, S> {
    pub kind: RecordKind,
    /// The rules of `kind`.
    pub format: &'static LineFormat,
    /// The maximum length of a game.
    pub limit: usize,
    /// True if a record of another format ends the split.
    pub reports_changes: bool,
    pub split_state: &'a mut SplitState,
    pub bytes: &'a [u8],
    /// True if nothing follows `bytes`.
    pub end: bool,
    /// Receives every piece.
    pub sink: S,
    /// The start of the open game or of the open stray text.
    pub start: usize,
    /// The state of the format; 0 outside games.
    pub state: u8,
}

/// A line with the next one.
struct Line<'a> {
    start: usize,
    /// The offset after the line.
    end: usize,
    /// The line without its line end and blanks around it.
    text: &'a [u8],
    /// The next line in the same form.
    next: &'a [u8],
}

/// The change of the format at a line.
enum Change {
    None,
    To(RecordKind),
    /// Only more bytes can show whether the format changes.
    Unknown,
}

impl<'a, S: FnMut(Piece)> LineSplitter<'a, S> {
    /// Finds games like [`Splitter::split_until_change`](super::Splitter::split_until_change).
    pub(super) fn split(mut self) -> Split {
        let mut offset = 0;
        while offset < self.bytes.len() {
            self.end_oversized(offset);
            let Some(line) = self.line_at(offset) else { break };
            if !line.text.is_empty() {
                match self.add_line(&line) {
                    Change::None => {}
                    Change::To(format) => return Split { consumed: offset, change: Some(format) },
                    Change::Unknown => break,
                }
            }
            offset = line.end;
        }
        if self.end {
            self.report_open(self.bytes.len());
            return Split::to(self.bytes.len());
        }
        Split::to(self.report_certain(offset))
    }

    fn is_in_game(&self) -> bool {
        self.state != 0
    }

    /// Returns true in a game that is not the rest of an oversized one.
    fn is_in_whole_game(&self) -> bool {
        self.is_in_game() && !self.split_state.in_oversized
    }

    /// Ends the open game or stray text before the line at `offset` if it is longer than the limit.
    fn end_oversized(&mut self, offset: usize) {
        if offset - self.start <= self.limit {
            return;
        }
        if self.is_in_whole_game() {
            self.report_oversized(self.start);
            self.state = LineFormat::IN_GAME;
        } else {
            self.report_stray_text(offset);
        }
        self.start = offset;
    }

    /// Returns the line at `offset`; `None` if more bytes may change it or the next line.
    fn line_at(&self, offset: usize) -> Option<Line<'a>> {
        let (bytes, is_end) = (self.bytes, self.end);
        let certain_stop = line_end(bytes, offset).filter(|stop| is_end || line_end(bytes, *stop).is_some());
        let stop = certain_stop.or(is_end.then_some(bytes.len()))?;
        let stop = self.joined_game(&bytes[offset..stop]).map_or(stop, |length| offset + length);
        let next = line_end(bytes, stop).unwrap_or(bytes.len());
        Some(Line {
            start: offset,
            end: stop,
            text: trim_line(&bytes[offset..stop]),
            next: trim_line(&bytes[stop..next]),
        })
    }

    /// Adds a line that is not blank, unless the format changes there.
    fn add_line(&mut self, line: &Line) -> Change {
        let mut state = self.state;
        let kind = (self.format.line)(line.text, line.next, &mut state);
        let change = self.detect_change(line, kind);
        match change {
            Change::None => self.place_line(line, kind, state),
            Change::To(_) => self.report_open(line.start),
            Change::Unknown => {}
        }
        change
    }

    /// Adds a line to the open game or stray text, or begins another one. `state` is the state of
    /// the format after the line.
    fn place_line(&mut self, line: &Line, kind: LineKind, state: u8) {
        match kind {
            LineKind::Inside if self.is_in_game() => self.state = state,
            LineKind::Ends if self.is_in_game() => {
                self.report_open(line.end);
                (self.start, self.state) = (line.end, 0);
            }
            LineKind::Begins => {
                self.report_open(line.start);
                // A format without states still needs a state other than 0 within a game.
                (self.start, self.state) = (skip_blanks(self.bytes, line.start), state.max(LineFormat::IN_GAME));
            }
            LineKind::Game => {
                self.report_open(line.start);
                // A byte order mark would become a part of the first word.
                self.report_game(skip_blanks(self.bytes, line.start), line.end);
                (self.start, self.state) = (line.end, 0);
            }
            LineKind::Outside | LineKind::Inside | LineKind::Ends => {
                if self.is_in_game() {
                    self.report_open(line.start);
                    self.start = line.start;
                }
                self.state = 0;
            }
        }
        self.split_state.in_oversized &= kind == LineKind::Inside;
    }

    /// Returns the change of the format at a line of this kind.
    fn detect_change(&self, line: &Line, kind: LineKind) -> Change {
        let can_change = || match kind {
            LineKind::Outside => true,
            LineKind::Inside | LineKind::Game => RecordKind::may_interrupt(line.text, line.next),
            LineKind::Begins | LineKind::Ends => false,
        };
        if !self.reports_changes || !can_change() {
            return Change::None;
        }
        let rest = &self.bytes[skip_blanks(self.bytes, line.start)..];
        if !self.end && rest.len() < RECORD_START_WINDOW {
            return Change::Unknown;
        }
        let format = match kind {
            LineKind::Outside => RecordKind::at_start(rest, self.kind),
            _ => RecordKind::interrupting(rest, self.kind, self.is_in_game()),
        };
        format.map_or(Change::None, Change::To)
    }

    /// Returns the length of a line before an SGF game that follows the last line of a record
    /// without a line end. A root with GM or FF may follow any text, but a tab belongs to a list.
    fn joined_game(&self, line: &[u8]) -> Option<usize> {
        if !self.reports_changes {
            return None;
        }
        let lexer = Lexer::utf8(line);
        let is_start = |offset: &usize| *offset > 0 && lexer.begins_node(offset + 1).is_some_and(is_header);
        let is_complete =
            |offset: usize| line[offset - 1] != b'\t' && lexer.has_any_name(lexer.skip_space(offset + 1), &ROOT[..2]);
        memchr_iter(b'(', line)
            .find(is_start)
            .filter(|offset| (self.format.is_last)(trim_line(&line[..*offset])) || is_complete(*offset))
    }

    /// Reports everything that is certain before more bytes arrive, and returns the number of bytes
    /// that are no longer needed. The line at `offset` is incomplete.
    fn report_certain(&mut self, offset: usize) -> usize {
        let (length, limit) = (self.bytes.len(), self.limit);
        if !self.is_in_whole_game() {
            // A long line of text between games can be reported before its end.
            let certain_end = if length - offset > limit { length } else { offset };
            self.report_stray_text(certain_end);
            return certain_end;
        }
        if length - self.start <= limit {
            return self.start;
        }
        self.report_oversized(self.start);
        self.start + limit
    }

    /// Reports the open game or stray text, which ends at `end`.
    fn report_open(&mut self, end: usize) {
        if self.is_in_whole_game() { self.report_game(self.start, end) } else { self.report_stray_text(end) }
    }

    fn report_game(&mut self, start: usize, end: usize) {
        if end - start > self.limit {
            return self.report_oversized(start);
        }
        let game = self.bytes[start..end].trim_ascii_end();
        let charset = decide_for_lines(game, (self.format.label)(game), &mut self.split_state.detected_charset);
        if !self.split_state.has_headerless_game {
            self.split_state.has_headerless_game = (self.format.is_headerless)(game);
        }
        (self.sink)(Piece::Game(start..start + game.len(), Close::Parenthesis, charset));
    }

    /// Reports the open stray text. The rest of an oversized game is skipped.
    fn report_stray_text(&mut self, end: usize) {
        self.split_state.report_stray_text(self.bytes, self.start..end, &mut self.sink);
    }

    /// Reports an oversized game. The rest of it is skipped.
    fn report_oversized(&mut self, start: usize) {
        let limit = self.limit;
        let sample = &self.bytes[start..start + limit.min(1 << 16)];
        let charset = decide_for_lines(sample, None, &mut self.split_state.detected_charset);
        (self.sink)(Piece::Game(start..start + limit, Close::Oversized, charset));
        self.split_state.in_oversized = true;
    }
}

/// Returns the offset after the line that begins at `offset`; `None` if `bytes` do not contain its
/// end.
fn line_end(bytes: &[u8], offset: usize) -> Option<usize> {
    let end = offset + memchr2(b'\n', b'\r', bytes.get(offset..)?)?;
    // A \n may follow.
    match bytes.get(end + 1) {
        Some(b'\n') if bytes[end] == b'\r' => Some(end + 2),
        None if bytes[end] == b'\r' => None,
        _ => Some(end + 1),
    }
}

/// Returns a line without a byte order mark, and without blanks around it.
fn trim_line(line: &[u8]) -> &[u8] {
    let line = without_mark(line);
    let start = line.iter().position(|byte| !is_blank(*byte)).unwrap_or(line.len());
    let end = line.iter().rposition(|byte| !is_blank(*byte)).map_or(start, |last| last + 1);
    &line[start..end]
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// `<` begins a game, as does `+` outside games; `>` ends it, and `=` is a whole game.
    const ARROWS: LineFormat = LineFormat {
        line: |line, _, state| match line[0] {
            b'<' => LineKind::Begins,
            b'+' if *state == 0 => LineKind::Begins,
            b'>' => LineKind::Ends,
            b'=' => LineKind::Game,
            _ => LineKind::Inside,
        },
        ..LineFormat::NONE
    };

    /// Returns the pieces of a text that arrives in reads of `read_length` bytes, with true for
    /// games.
    fn pieces(text: &str, read_length: usize, limit: u64) -> Vec<(bool, String)> {
        let limit = limit as usize;
        let (mut split_state, mut found, mut from) = (SplitState::default(), Vec::new(), 0);
        let mut to = read_length.min(text.len());
        loop {
            let bytes = &text.as_bytes()[from..to];
            let end = to == text.len();
            let sink = |piece| {
                let (Piece::Game(range, ..) | Piece::StrayText(range)) = &piece;
                let is_game = matches!(piece, Piece::Game(..));
                found.push((is_game, String::from_utf8_lossy(&bytes[range.clone()]).into_owned()));
            };
            let state = u8::from(split_state.in_oversized);
            let (format, split_state) = (&ARROWS, &mut split_state);
            let splitter = LineSplitter {
                kind: RecordKind::default(),
                format,
                limit,
                reports_changes: false,
                split_state,
                bytes,
                end,
                sink,
                start: 0,
                state,
            };
            let Split { consumed, .. } = splitter.split();
            from += consumed;
            if end {
                return found;
            }
            assert!(consumed > 0 || to - from <= limit, "no progress at {from}");
            to = (to + read_length).min(text.len());
        }
    }

    #[test]
    fn games_are_the_same_however_a_source_arrives() {
        let text = "\u{FEFF}one\ntwo\r\n<a\r\n b\r>\n\nbetween\n=\n= 2\n<c\n<d\n>\nrest";
        let expected = [
            (false, "one\ntwo"),
            (true, "<a\r\n b\r>"),
            (false, "between"),
            (true, "="),
            (true, "= 2"),
            (true, "<c"),
            (true, "<d\n>"),
            (false, "rest"),
        ];
        let join = |pieces: Vec<(bool, String)>| -> String {
            // Text between games may be split anywhere.
            pieces
                .into_iter()
                .map(|(is_game, text)| if is_game { format!("[{text}]") } else { text.replace(['\n', '\r'], "") })
                .collect()
        };
        let expected = join(expected.iter().map(|(is_game, text)| (*is_game, (*text).to_owned())).collect());
        for read_length in 1..=text.len() {
            let found = join(pieces(text, read_length, 1 << 20));
            assert_eq!(found.trim_start_matches('\u{FEFF}'), expected, "{read_length}");
        }
    }

    #[test]
    fn oversized_game_loses_only_itself() {
        let text = format!("<a\n{}>\n<b\n>\n", "+long\n".repeat(20));
        for read_length in [1, 7, 64, 1000] {
            let found = pieces(&text, read_length, 40);
            let games: Vec<&str> =
                found.iter().filter(|(is_game, _)| *is_game).map(|(_, game)| game.as_str()).collect();
            assert_eq!((games.len(), games[1]), (2, "<b\n>"), "{read_length}: {found:?}");
            assert_eq!(found.len(), 2, "{read_length}: {found:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

        /// The rest of an oversized game must not become a game, with any content and in any
        /// division into reads.
        #[test]
        fn each_game_has_its_own_beginning(
            lines in vec(select(vec!["<", "< a", ">", "=", "+", "x", "", " ", "long line"]), 0..40),
            limit in 1..40_u64,
            read_length in 1..200_usize,
        ) {
            let text = lines.join("\n");
            for (is_game, piece) in pieces(&text, read_length, limit) {
                prop_assert!(!is_game || piece.starts_with(['<', '=', '+']), "{:?} of {:?}", piece, text);
                prop_assert!(!is_game || piece.len() as u64 <= limit, "{:?}", piece);
            }
        }
    }
}
