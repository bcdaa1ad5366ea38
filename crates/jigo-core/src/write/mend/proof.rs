//! Whether a mended text says what the recorded one says.

use encoding_rs::Encoding;

use super::content::Content;
use super::{Page, Wanted};
use crate::finding::{Code, Finding, Severity};
use crate::record::{Coordinates, GameRecord, Header, Reading, ResultKind, Setup, StatedResult, StepKind};
use crate::sgf::charset::{Basis, decide};
use crate::sgf::decode::Decoded;
use crate::sgf::split::{Close, Unit};
use crate::sgf::{Charset, GameText, Piece, Splitter};

/// A mended text that was read again.
pub(super) struct Proved {
    pub close: Close,
    pub charset: Charset,
    /// What the text looks like by itself.
    pub alone: &'static Encoding,
    pub reading: Reading,
}

/// What a text says, and the text in UTF-8; bytes of findings and steps are those of the latter.
pub(super) fn read<'t>(text: &GameText<'t>, wanted: &Wanted) -> (Reading, Decoded<'t>) {
    let decoded = Decoded::new(text.bytes, text.charset);
    let mut reading = Reading::default();
    reading.read(text, &decoded.text, wanted.dialect, wanted.limits);
    (reading, decoded)
}

/// Reads `bytes` as the text of the page: they have to be one game, and where `is_same` to say what the page says.
pub(super) fn proved(page: &Page, bytes: &[u8], is_same: bool) -> Option<Proved> {
    let mut pieces = Vec::new();
    Splitter::new(Unit::Game, page.wanted.limits).split(bytes, true, |piece| pieces.push(piece));
    let [Piece::Game(range, close, charset)] = pieces.as_slice() else { return None };
    // Alone, nobody sees the game that begins where this one ends.
    let close = if (page.close, *close) == (Close::Fused, Close::Missing) { Close::Fused } else { *close };
    // At the end of a source, blanks behind a game that is not closed are a part of it.
    let is_whole = range.start == 0 && bytes[range.end..].trim_ascii().is_empty();
    if !is_whole || (close != Close::Parenthesis && page.close == Close::Parenthesis) {
        return None;
    }
    // Alone, a text can look like one of another charset than it is known to be. One that was ASCII has none until it gets other letters.
    let alone = charset.encoding;
    let is_known =
        page.charset.basis != Basis::Utf8 && ![encoding_rs::UTF_8, page.charset.encoding].contains(&charset.encoding);
    let charset = if is_known { page.charset } else { *charset };
    let text = GameText { bytes, close, charset, ..*page.recorded };
    let (reading, _) = read(&text, page.wanted);
    let is_readable = reading.unreadable == page.reading.unreadable && (!reading.cut_short || page.reading.cut_short);
    let is_same_game = || {
        let before = page.content.get_or_init(|| Content::of(&page.text(&page.bytes), page.wanted));
        is_same_record(&page.reading.record, &reading.record) && before.is_kept_in(&Content::of(&text, page.wanted))
    };
    let holds = is_readable && (!is_same || is_same_game());
    holds.then_some(Proved { close, charset, alone, reading })
}

/// What a text looks like by itself.
pub(super) fn alone(bytes: &[u8]) -> &'static Encoding {
    decide(bytes, (0, 0), bytes, &mut None).encoding
}

/// Whether nothing is wrong with a mended text that was not wrong before: it has no more findings than warnings and errors, and no more errors of any
/// code. One that takes an error away may show a warning that was behind it.
pub(super) fn is_nothing_new(before: &[Finding], after: &[Finding]) -> bool {
    let wrong = |findings: &[Finding]| findings.iter().filter(|finding| finding.severity > Severity::Info).count();
    let count = |findings: &[Finding], code: Code| findings.iter().filter(|finding| finding.code == code).count();
    let mut errors: Vec<Code> =
        after.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
    errors.sort_unstable();
    errors.dedup();
    wrong(after) <= wrong(before) && errors.into_iter().all(|code| count(after, code) <= count(before, code))
}

/// Whether two records have the same turns, setup, marked territory and meaning of the header.
pub(super) fn is_same_record(one: &GameRecord, other: &GameRecord) -> bool {
    is_same_header(&one.header, &other.header)
        && one.territory == other.territory
        && one.steps.len() == other.steps.len()
        && {
            let mut pairs = one.steps.iter().zip(&other.steps);
            pairs.all(|(step, twin)| match (step.what, twin.what) {
                (StepKind::Setup(setup), StepKind::Setup(twin)) => is_same_setup(one.setup(setup), other.setup(twin)),
                (StepKind::Turn(color, place), StepKind::Turn(twin_color, twin)) => {
                    color == twin_color && is_same_place((one, place), (other, twin))
                }
                _ => false,
            })
        }
}

fn is_same_setup(one: &Setup, other: &Setup) -> bool {
    one.stones == other.stones && one.to_play == other.to_play
}

fn is_same_place((one, place): (&GameRecord, Coordinates), (other, twin): (&GameRecord, Coordinates)) -> bool {
    match (place, twin) {
        (Coordinates::Unreadable(text), Coordinates::Unreadable(twin)) => {
            one.unreadable[text as usize] == other.unreadable[twin as usize]
        }
        _ => place == twin,
    }
}

/// Whether two headers mean the same; in which form KM and RE say it is their own affair, and so are blanks around texts.
fn is_same_header(one: &Header, other: &Header) -> bool {
    let said = |header: &Header| (header.dialect, header.size, header.komi, header.handicap, meaning(header.result));
    let texts = |header| Header::texts(header).map(|(_, text)| text.trim());
    said(one) == said(other) && texts(one).eq(texts(other))
}

/// What a result says, however it is written.
fn meaning(result: StatedResult) -> (ResultKind, Option<crate::board::Color>, Option<crate::rules::HalfPoints>) {
    (result.kind, result.winner, result.black_minus_white)
}

#[cfg(test)]
mod tests {
    use super::super::Fix;
    use super::*;
    use crate::write::Edit;

    /// Turns and header are the same without the value, too, but its name is left.
    #[test]
    fn a_safe_mend_after_which_something_else_is_wrong_is_not_made() {
        let bytes = b"(;GM[1]SZ[9]XX[a];B[aa])";
        let (text, wanted) = (GameText::alone(bytes, Close::Parenthesis, Charset::UTF8), Wanted::safe());
        let mut page = Page::new(&text, &wanted);
        let mut is_made = |from: usize| {
            let fix = Fix::one(Code::RepeatedProperty, Edit::delete(from..17));
            let judged = fix.clone().judged();
            [fix, judged].map(|fix| page.after(std::slice::from_ref(&fix)).is_some())
        };
        assert_eq!((is_made(14), is_made(12)), ([false, true], [true, true]));
    }
}
