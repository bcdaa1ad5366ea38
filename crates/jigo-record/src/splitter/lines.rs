//! Splitter for formats other than SGF, whose games consist of lines.

use memchr::{memchr_iter, memchr2};

use crate::sgf::charset::decide_for_lines;
use crate::sgf::lexer::{Lexer, is_blank, is_header};
use crate::sgf::limits::Limits;
use crate::splitter::piece::{Piece, RECORD_START_WINDOW, Split, SplitState, report_stray_text, skip_blanks};
use crate::splitter::unit::{LineFormat, LineKind, Unit};
use crate::splitter::{Close, RecordKind};

/// The state of the splitter.
pub(super) struct LineSplitter<'a> {
    pub format: &'static LineFormat,
    pub limits: Limits,
    /// True if a record of another format ends the split.
    pub reports_changes: bool,
    pub split_state: &'a mut SplitState,
}

impl LineSplitter<'_> {
    /// Finds games like [`Splitter::split_until_change`](super::Splitter::split_until_change).
    pub(super) fn split(&mut self, bytes: &[u8], end: bool, sink: &mut impl FnMut(Piece)) -> Split {
        let limit = self.limit();
        // The start of the open game or text, the next line, and the state.
        let (mut start, mut at, mut state) = (0, 0, 0);
        while at < bytes.len() {
            if at - start > limit {
                if state != 0 {
                    self.oversized(bytes, start, sink);
                    (start, state) = (start + limit, 0);
                } else {
                    self.report_stray_text(bytes, start, at, sink);
                    start = at;
                }
            }
            let is_game = state != 0;
            let known = line_end(bytes, at).filter(|stop| end || line_end(bytes, *stop).is_some());
            let Some(stop) = known.or(end.then_some(bytes.len())) else { break };
            let stop = self.joined_game(&bytes[at..stop]).map_or(stop, |length| at + length);
            let next = line_end(bytes, stop).unwrap_or(bytes.len());
            let (line, next) = (trim_line(&bytes[at..stop]), trim_line(&bytes[stop..next]));
            if !line.is_empty() {
                let before = state;
                let kind = (self.format.line)(line, next, &mut state);
                match self.detect_change(bytes, at, end, (line, next), (before, kind)) {
                    Change::None => {}
                    Change::To(format) => {
                        self.close(bytes, start, at, is_game, sink);
                        return Split { consumed: at, change: Some(format) };
                    }
                    Change::Unknown => {
                        state = before;
                        break;
                    }
                }
                match kind {
                    LineKind::Inside if is_game => {}
                    LineKind::Ends if is_game => {
                        self.game(bytes, start, stop, sink);
                        (start, state) = (stop, 0);
                    }
                    LineKind::Begins => {
                        self.close(bytes, start, at, is_game, sink);
                        // A format without states still needs a state other than 0 within a game.
                        (start, state) = (at, state.max(1));
                    }
                    LineKind::Game => {
                        self.close(bytes, start, at, is_game, sink);
                        // A byte order mark would become a part of the first word.
                        self.game(bytes, skip_blanks(bytes, at), stop, sink);
                        (start, state) = (stop, 0);
                    }
                    LineKind::Outside | LineKind::Inside | LineKind::Ends => {
                        if is_game {
                            self.game(bytes, start, at, sink);
                            start = at;
                        }
                        state = 0;
                    }
                }
            }
            at = stop;
        }
        if end {
            self.close(bytes, start, bytes.len(), state != 0, sink);
            return Split::to(bytes.len());
        }
        Split::to(self.report_certain(bytes, (start, at), state != 0, sink))
    }

    /// Returns the change of the format at a line, given with the next line. The line begins at
    /// `at` or after blanks. `before` is the state before the line.
    fn detect_change(
        &self,
        bytes: &[u8],
        at: usize,
        end: bool,
        (line, next): (&[u8], &[u8]),
        (before, kind): (u8, LineKind),
    ) -> Change {
        let may_change = || match kind {
            LineKind::Outside => true,
            LineKind::Inside | LineKind::Game => RecordKind::may_interrupt(line, next),
            LineKind::Begins | LineKind::Ends => false,
        };
        if !self.reports_changes || !may_change() {
            return Change::None;
        }
        let begins = skip_blanks(bytes, at);
        if !end && bytes.len() - begins < RECORD_START_WINDOW {
            return Change::Unknown;
        }
        let current = RecordKind::from_unit(Unit::Lines(self.format));
        let found = match kind {
            LineKind::Outside => RecordKind::at_start(&bytes[begins..], current),
            _ => RecordKind::interrupting(&bytes[begins..], current, before != 0),
        };
        found.map_or(Change::None, Change::To)
    }

    /// Returns the length of a line before an SGF game that follows the last line of a record
    /// without a line end.
    fn joined_game(&self, line: &[u8]) -> Option<usize> {
        if !self.reports_changes {
            return None;
        }
        let lexer = Lexer::utf8(line);
        let is_start = |at: &usize| *at > 0 && lexer.begins_node(at + 1).is_some_and(is_header);
        memchr_iter(b'(', line).find(is_start).filter(|at| (self.format.is_last)(trim_line(&line[..*at])))
    }

    /// Reports everything that is certain before more bytes arrive, and returns the number of bytes
    /// that are no longer needed.
    ///
    /// The open game or text begins at `start`; the line at `at` is incomplete.
    fn report_certain(
        &mut self,
        bytes: &[u8],
        (start, at): (usize, usize),
        is_game: bool,
        sink: &mut impl FnMut(Piece),
    ) -> usize {
        let limit = self.limit();
        if is_game && bytes.len() - start > limit {
            self.oversized(bytes, start, sink);
            return start + limit;
        }
        if is_game {
            return start;
        }
        // A long line of text between games can be reported before its end.
        let read = if bytes.len() - at > limit { bytes.len() } else { at };
        self.report_stray_text(bytes, start, read, sink);
        read
    }

    fn close(&mut self, bytes: &[u8], start: usize, end: usize, is_game: bool, sink: &mut impl FnMut(Piece)) {
        if is_game { self.game(bytes, start, end, sink) } else { self.report_stray_text(bytes, start, end, sink) }
    }

    fn game(&mut self, bytes: &[u8], start: usize, end: usize, sink: &mut impl FnMut(Piece)) {
        self.split_state.in_oversized = false;
        if end - start > self.limit() {
            return self.oversized(bytes, start, sink);
        }
        let end = end - bytes[start..end].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let game = &bytes[start..end];
        let charset = decide_for_lines(game, (self.format.label)(game), &mut self.split_state.detected_charset);
        sink(Piece::Game(start..end, Close::Parenthesis, charset));
    }

    /// Reports text between games. After an oversized game, this text is the rest of that game and
    /// is ignored.
    fn report_stray_text(&mut self, bytes: &[u8], start: usize, end: usize, sink: &mut impl FnMut(Piece)) {
        if !self.split_state.in_oversized {
            report_stray_text(bytes, start..end, sink);
        }
    }

    /// Returns the maximum length of a game.
    fn limit(&self) -> usize {
        usize::try_from(self.limits.game()).unwrap_or(usize::MAX)
    }

    /// Reports an oversized game. The rest of it is skipped.
    fn oversized(&mut self, bytes: &[u8], start: usize, sink: &mut impl FnMut(Piece)) {
        let limit = self.limit();
        let charset =
            decide_for_lines(&bytes[start..start + limit.min(1 << 16)], None, &mut self.split_state.detected_charset);
        sink(Piece::Game(start..start + limit, Close::Oversized, charset));
        self.split_state.in_oversized = true;
    }
}

/// The change of the format at a line.
enum Change {
    None,
    To(RecordKind),
    /// Only more bytes can show whether the format changes.
    Unknown,
}

/// Returns the offset after the line that begins at `at`; `None` if `bytes` do not contain its end.
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    let end = at + memchr2(b'\n', b'\r', bytes.get(at..)?)?;
    // A \n may follow.
    match bytes.get(end + 1) {
        Some(b'\n') if bytes[end] == b'\r' => Some(end + 2),
        None if bytes[end] == b'\r' => None,
        _ => Some(end + 1),
    }
}

fn trim_line(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
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

    /// `<` begins a game, `>` ends it, and `=` is a whole game.
    const ARROWS: LineFormat = LineFormat {
        name: "arrows",
        line: |line, _, state| match line[0] {
            b'<' => {
                *state = 1;
                LineKind::Begins
            }
            b'>' => LineKind::Ends,
            b'=' => LineKind::Game,
            _ => LineKind::Inside,
        },
        is_last: |_| false,
        label: |_| None,
    };

    fn cut(text: &str, most: usize, limit: u64) -> Vec<(bool, String)> {
        let limits = Limits { game: limit, ..Limits::default() };
        let (mut split_state, mut found, mut from) = (SplitState::default(), Vec::new(), 0);
        let mut to = most.min(text.len());
        loop {
            let bytes = &text.as_bytes()[from..to];
            let end = to == text.len();
            let mut cutting =
                LineSplitter { format: &ARROWS, limits, reports_changes: false, split_state: &mut split_state };
            let Split { consumed, .. } = cutting.split(bytes, end, &mut |piece| {
                let (Piece::Game(range, ..) | Piece::StrayText(range)) = &piece;
                let is_game = matches!(piece, Piece::Game(..));
                found.push((is_game, String::from_utf8_lossy(&bytes[range.clone()]).into_owned()));
            });
            from += consumed;
            if end {
                return found;
            }
            assert!(consumed > 0 || ((to - from) as u64) <= limit, "no progress at {from}");
            to = (to + most).min(text.len());
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
        for most in 1..=text.len() {
            assert_eq!(join(cut(text, most, 1 << 20)).trim_start_matches('\u{FEFF}'), expected, "{most}");
        }
    }

    #[test]
    fn oversized_game_loses_only_itself() {
        let text = format!("<a\n{}>\n<b\n>\n", "long\n".repeat(20));
        for most in [1, 7, 64, 1000] {
            let found = cut(&text, most, 40);
            let games: Vec<&str> =
                found.iter().filter(|(is_game, _)| *is_game).map(|(_, game)| game.as_str()).collect();
            assert_eq!((games.len(), games[1]), (2, "<b\n>"), "{most}: {found:?}");
            assert_eq!(found.len(), 2, "{most}: {found:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

        /// The rest of an oversized game must not become a game, with any content and in any
        /// division into reads.
        #[test]
        fn each_game_has_its_own_beginning(
            lines in vec(select(vec!["<", "< a", ">", "=", "x", "", " ", "long line"]), 0..40),
            limit in 1..40_u64,
            most in 1..200_usize,
        ) {
            let text = lines.join("\n");
            for (is_game, piece) in cut(&text, most, limit) {
                prop_assert!(!is_game || piece.starts_with(['<', '=']), "{:?} of {:?}", piece, text);
                prop_assert!(!is_game || piece.len() as u64 <= limit, "{:?}", piece);
            }
        }
    }
}
