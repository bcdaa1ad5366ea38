//! Invariants from bytes to games to records.

use std::ops::{ControlFlow, Range};

use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8};
use jigo_record::formats::decode::Decoded;
use jigo_record::record::nodes::{MainLine, Node, properties};
use jigo_record::record::variations::side_variations;
use jigo_record::sgf::Limits;
use jigo_record::sgf::charset::{CharsetBasis, decide};
use jigo_record::sgf::tokens::lexer::Lexer;
use jigo_record::splitter::{Close, Piece, Splitter};
use jigo_record::{GameRecord, Reading, StepKind};
use jigo_rules::budget::Budget;

use super::games;

fn pieces(bytes: &[u8]) -> Vec<Piece> {
    let mut found = Vec::new();
    let consumed = Splitter::default().split(bytes, true, |piece| found.push(piece));
    assert_eq!(consumed, bytes.len(), "everything is consumed");
    found
}

fn range(piece: &Piece) -> Range<usize> {
    match piece {
        Piece::Game(range, ..) | Piece::StrayText(range) => range.clone(),
    }
}

/// Checks that pieces are in the input, in order and without overlap, with only blanks between
/// them, and that a sound game is found next to any text.
pub fn split(bytes: &[u8]) {
    let found = pieces(bytes);
    let mut end = 0;
    for piece in &found {
        let range = range(piece);
        assert!(end <= range.start && range.start < range.end && range.end <= bytes.len(), "{found:?}");
        assert!(is_blank(&bytes[end..range.start]), "text is lost before {piece:?}");
        if let Piece::Game(_, close, _) = piece {
            let text = &bytes[range.clone()];
            assert!(matches!(text[0], b'(' | b';'), "{piece:?} begins with neither ( nor ;");
            assert!(*close != Close::Parenthesis || text.ends_with(b")"), "{piece:?} is not closed");
        }
        end = range.end;
    }
    assert!(is_blank(&bytes[end..]), "text is lost at the end");
    neighbours(bytes);
}

/// Returns true for white space, NUL, ^Z and byte order marks, which belong to no piece.
fn is_blank(bytes: &[u8]) -> bool {
    let rest: Vec<u8> =
        bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, 0 | 0x1A)).collect();
    rest.is_empty() || rest == b"\xEF\xBB\xBF"
}

const GAME_BEFORE: &[u8] = b"(;GM[1]FF[4]SZ[9]PB[before]C[a \\] b];B[aa];W[bb](;B[cc])(;B[dd]))\n";
const GAME_AFTER: &[u8] = "\n(;GM[1]FF[4]SZ[9]PB[黒 after];B[ee];W[ff])\n".as_bytes();

/// Checks that a sound game keeps its offset and its record next to any text. The exception is a
/// text that starts with a node, which can't be told from an extra parenthesis.
fn neighbours(bytes: &[u8]) {
    let continues = bytes.iter().find(|byte| !byte.is_ascii_whitespace() && **byte != 0) == Some(&b';');
    if continues {
        return;
    }
    let joined = [GAME_BEFORE, bytes, GAME_AFTER].concat();
    let records = records(&joined);
    let record_at = |offset: usize| records.iter().find(|(start, _)| *start == offset).map(|(_, record)| record);
    let single = |text: &[u8]| self::records(text).remove(0).1;
    assert_eq!(record_at(0), Some(&single(GAME_BEFORE)), "the game before the text is read differently");
    let following = GAME_BEFORE.len() + bytes.len() + 1;
    assert_eq!(record_at(following), Some(&single(GAME_AFTER)), "the game after the text is read differently");
}

fn records(bytes: &[u8]) -> Vec<(usize, GameRecord)> {
    let mut found = Vec::new();
    games(bytes, |text| found.push((text.offset as usize, Reading::from_text(text).record)));
    found
}

/// Checks that decoded text is UTF-8 and that every byte maps back to a source byte, in order. Text
/// in a charset that CA names is decoded as it was encoded.
pub fn charset(bytes: &[u8]) {
    games(bytes, |text| {
        let decoded = Decoded::new(text.bytes, text.charset);
        assert!(std::str::from_utf8(&decoded.text).is_ok(), "{:?}", text.charset);
        let sources: Vec<usize> = (0..=decoded.text.len()).map(|offset| decoded.source(offset)).collect();
        assert!(sources.is_sorted(), "{:?}", text.charset);
        assert!(sources.last().is_none_or(|last| *last <= text.bytes.len()));
        let faults = [decoded.damaged_offset, decoded.cut_offset, decoded.nul_offset];
        assert!(faults.into_iter().flatten().all(|offset| offset < text.bytes.len()));
        if text.charset.basis == CharsetBasis::Utf8 {
            assert_eq!(decoded.text, text.bytes, "sound UTF-8 stays as it is");
        }
        let nul = text.bytes.iter().position(|byte| matches!(byte, 0 | 0x1A));
        if matches!(text.charset.basis, CharsetBasis::Utf8 | CharsetBasis::Utf8WithNuls) {
            assert_eq!(decoded.nul_offset, nul, "{:?}", text.charset);
        }
    });
    let text = String::from_utf8_lossy(bytes);
    for (encoding, label) in
        [(GBK, "GBK"), (BIG5, "Big5"), (SHIFT_JIS, "Shift_JIS"), (EUC_KR, "EUC-KR"), (UTF_8, "UTF-8")]
    {
        check_labelled(&text, encoding, label);
    }
}

/// Checks a game with a name and a turn in a charset that CA names: any name leaves the turn
/// intact.
fn check_labelled(text: &str, encoding: &'static Encoding, label: &str) {
    let is_letter = |letter: &char| letter.is_alphanumeric() && !encoding.encode(&letter.to_string()).2;
    let name: String = text.chars().filter(is_letter).take(40).collect();
    let game = format!("(;GM[1]FF[4]CA[{label}]SZ[9]PB[{name}];B[cd];W[ef])");
    let (encoded, _, _) = encoding.encode(&game);
    let charset = decide(&encoded, (0, 0), &encoded, &mut None);
    let found = records(&encoded);
    assert_eq!(found.len(), 1, "{name:?} in {label} is {charset:?}");
    let (_, record) = &found[0];
    let turns = records(b"(;GM[1]FF[4]SZ[9];B[cd];W[ef])").remove(0).1;
    let steps_of = |record: &GameRecord| record.steps.iter().map(|step| step.kind).collect::<Vec<StepKind>>();
    assert_eq!(steps_of(record), steps_of(&turns), "{name:?} in {label} is {charset:?}");
}

/// Checks that nodes and properties are in the text, in order and without overlap. Steps and
/// findings have offsets in it, and a second reading is equal.
pub fn read(bytes: &[u8]) {
    games(bytes, |text| {
        let reading = Reading::from_text(text);
        let reread = Reading::from_text(text);
        assert_eq!((&reading.record, &reading.findings), (&reread.record, &reread.findings));
        for finding in &reading.findings {
            assert!(finding.place.offset <= text.bytes.len(), "{finding:?}");
        }
        let decoded = Decoded::new(text.bytes, text.charset).text;
        nodes(&decoded);
        steps(&reading.record, decoded.len());
        let mut variations = 0;
        let found = side_variations(&decoded, Limits::default(), &Budget::default(), |record, branches, _| {
            steps(record, decoded.len());
            assert!(branches.offset <= decoded.len());
            let choices = branches.branch_choices();
            assert!(choices.is_sorted_by(|before, next| before.0 < next.0), "{choices:?}");
            variations += 1;
            ControlFlow::Continue(0)
        });
        assert!(variations <= decoded.len(), "{variations} variations in {} bytes", decoded.len());
        assert!(found.iter().all(|finding| finding.place.offset <= decoded.len()));
    });
}

fn nodes(text: &[u8]) {
    let mut end = 0;
    for node in MainLine::new(text) {
        let (offset, inside) = match node {
            Node::Turn { offset, value, .. } => (offset, value),
            Node::Other { offset, body, .. } => {
                let mut start = body.start;
                for property in properties(&Lexer::utf8(text), body.clone()).0 {
                    assert!(
                        start <= property.range.start && property.range.end <= body.end,
                        "{property:?} in {body:?}"
                    );
                    assert!(
                        property.identifier.start >= property.range.start
                            && property.identifier.end <= property.range.end
                    );
                    let mut before = property.identifier.end;
                    for value in &property.values {
                        assert!(
                            before < value.start && value.start <= value.end && value.end <= body.end,
                            "{property:?}"
                        );
                        before = value.end;
                    }
                    start = property.range.end;
                }
                (offset, body)
            }
        };
        assert!(
            end <= offset && offset < inside.start && inside.start <= inside.end && inside.end <= text.len(),
            "{offset} {inside:?}"
        );
        end = inside.end;
    }
}

fn steps(record: &GameRecord, length: usize) {
    assert!(record.steps.is_sorted_by_key(|step| step.offset));
    for step in &record.steps {
        assert!((step.offset as usize) < length.max(1), "{step:?}");
        if let StepKind::Setup(setup) = step.kind {
            let setup = record.setup(setup);
            assert!(setup.stones.is_sorted_by(|one, next| one.0 < next.0), "{setup:?}");
        }
    }
    let marked = record.territory.iter().flat_map(|marked| [&marked.black, &marked.white]);
    marked.for_each(|points| assert!(points.is_sorted()));
}
