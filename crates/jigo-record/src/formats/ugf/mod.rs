//! UGF and UGI: records of PANDA-EGG, the client of Pandanet (IGS), and of Japanese newspapers.
//!
//! ```text
//! [Header]
//! Hdcp=0,6.50                      fields
//! [Data]
//! QP,B1,1,0                        point, colour and player, number (0 is setup), seconds
//! [Figure]
//! .Text,41                         a comment on turn 41, up to .EndText; .#,6,16,A is a label
//! .Fig,45,1,1,19,19,...            a diagram, up to .EndFig
//! [ReviewNode]
//! NODE,2,1,17,16                   number of the node, colour (1 is Black), column and row from 1
//!   VARIATION,                     an alternative to the node before it, up to VARIATIONEND,
//! [ReviewComment]
//! .Comment,19                      a comment on the node with that number, up to the next one
//! ```
//!
//! Columns are letters from A on, including I. Rows are letters as well; they count from the lower
//! edge if CoordinateType is IGS, and from the upper edge otherwise. A point off the board, such as
//! `YA` or 20,20, is a pass.
//!
//! | field | SGF | meaning |
//! |---|---|---|
//! | Lang | – | the charset; SJIS if missing |
//! | Crypt | – | encryption; a second part other than PLAIN_UGF_FILE means encrypted |
//! | Title | EV | parts, joined |
//! | Place, Copyright, Writer, Commentator, Comment | PC, CP, AP, AN, GC | |
//! | Date | DT | begin, its time, end, its time; only the first is used |
//! | Rule | RU | JPN is Japanese, CH and CHN are Chinese |
//! | Size | SZ | |
//! | Hdcp | HA, KM | stones and komi |
//! | Ptime | TM | kind, minutes and two more numbers for each player |
//! | Winner | RE | winner and reason |
//! | PlayerB, PlayerB2, PlayerW, PlayerW2 | PB BR, PW WR | name and rank; other parts are omitted |
//! | seconds of a turn | – | probably the time used; SGF has the time left |
//!
//! - Date: the begin and the end are in different time zones.
//! - Hdcp: the handicap stones are in `[Data]` with the number 0. If they are missing, `rewrite.rs`
//!   places them.
//! - Ptime: TM is written if both players have the same minutes.
//! - Winner: B or W with points, C (resignation), T or F. D is a draw, N no result, O a loss of
//!   both players, A and P unfinished, E unknown.
//!
//! Sources: A. E. Brouwer, *The UGF format*, and his converter ugi2sgf; Sensei's Library, *UGF*;
//! xyz2sgf; Sabaki's converter with its records, for ReviewNode, which no converter reads. No
//! specification is known.

use super::Row;
use crate::formats::rewrite::{ConvertedRecord, SgfWriter};
use crate::sgf::charset::find_encoding;
use crate::sgf::encoding::byte_order_mark::without_mark;
use crate::splitter::{LineFormat, LineKind};
use jigo_rules::board::BoardSize;

mod game;
mod header_section;
mod review;
mod sections;
mod turn;

use sections::{SECTIONS, UgfBoard, UgfRecord};
use turn::is_turn_line;

/// The division of a file into games. `[Header]` begins a game, including the comments before it.
/// Other sections without a header also begin one.
const LINES: LineFormat = LineFormat { line: line_kind, is_last, label: charset, ..LineFormat::NONE };

/// The format.
pub(super) const ROW: Row = Row {
    name: "ugf",
    suffixes: &["ugf", "ugi"],
    is_start,
    begins_record,
    lines: LINES,
    reader: Some(|text, _| rewrite(text)),
};

/// States of a game: in the comments before it, and in it.
const IN_COMMENTS: u8 = 2;
const IN_GAME: u8 = LineFormat::IN_GAME;

fn line_kind(line: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    let is_section = |name: &str| {
        line.strip_prefix(b"[")
            .and_then(|line| line.strip_suffix(b"]"))
            .is_some_and(|line| line.eq_ignore_ascii_case(name.as_bytes()))
    };
    let (next_state, kind) = match *state {
        IN_COMMENTS if is_section("Header") => (IN_GAME, LineKind::Inside),
        IN_COMMENTS if line[0] == b'#' => (IN_COMMENTS, LineKind::Inside),
        IN_GAME if !is_section("Header") => (IN_GAME, LineKind::Inside),
        _ if is_section("Header") || SECTIONS.iter().any(|name| is_section(name)) => (IN_GAME, LineKind::Begins),
        0 if line[0] == b'#' => (IN_COMMENTS, LineKind::Begins),
        _ => (0, LineKind::Outside),
    };
    *state = next_state;
    kind
}

/// Returns true if a record may end with this line.
fn is_last(line: &[u8]) -> bool {
    is_turn_line(line) || matches!(line, b".EndText" | b".EndFig") || line.ends_with(b"VARIATIONEND,")
}

/// Returns true if no other format has such a line: a section, or a turn.
pub(super) fn is_sign(line: &[u8]) -> bool {
    (line[0] != b'#' && line_kind(line, b"", &mut 0) == LineKind::Begins) || is_turn_line(line)
}

/// Returns the charset that Lang declares.
fn charset(game: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let header = &game[..game.len().min(4096)];
    let mut lines = header.split(|byte| matches!(byte, b'\n' | b'\r'));
    let name = lines.find_map(|line| line.trim_ascii().strip_prefix(b"Lang="))?;
    find_encoding(name)
}

/// Returns true if a text begins like a UGF file.
fn is_start(start: &[u8]) -> bool {
    let start = without_mark(start);
    let mut lines = start
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && line[0] != b'#');
    lines.next().is_some_and(|line| line.eq_ignore_ascii_case(b"[Header]"))
        && lines.next().is_some_and(|line| line.contains(&b'='))
}

/// The maximum number of lines that show whether a record begins.
const START_LINES: usize = 16;

/// Returns true if a text begins with a header that has known fields, or with a turn after its
/// section. Other programs also write `[Header]`.
fn begins_record(text: &[u8]) -> bool {
    if !matches!(text.first(), Some(b'[' | b'#')) {
        return false;
    }
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).take(2 * START_LINES);
    let mut lines = lines.filter(|line| !matches!(line, [] | [b'#', ..])).take(START_LINES);
    let is_data = |line: &[u8]| line.eq_ignore_ascii_case(b"[Data]");
    let is_field = |line: &[u8]| {
        let name = line.split(|byte| *byte == b'=').next().filter(|name| name.len() < line.len());
        name.is_some_and(|name| FIELDS.iter().any(|field| field.as_bytes().eq_ignore_ascii_case(name.trim_ascii())))
    };
    match lines.next() {
        Some(line) if is_data(line) => lines.next().is_some_and(is_turn_line),
        Some(line) if line.eq_ignore_ascii_case(b"[Header]") => {
            let signs = lines.map(|line| u32::from(is_field(line)) + u32::from(is_data(line)));
            signs.sum::<u32>() > 1
        }
        _ => false,
    }
}

/// Fields of the header that show the format.
const FIELDS: [&str; 17] = [
    "Ver",
    "Lang",
    "Crypt",
    "Title",
    "Place",
    "Date",
    "Rule",
    "Size",
    "Hdcp",
    "Ptime",
    "Winner",
    "Moves",
    "Writer",
    "Copyright",
    "CoordinateType",
    "PlayerB",
    "PlayerW",
];

/// Converts a UGF record to SGF.
fn rewrite(text: &str) -> ConvertedRecord {
    let record = UgfRecord::from_text(text);
    let size = record.field("Size").and_then(|(size, _)| BoardSize::square(size.parse().ok()?));
    let mut writer = SgfWriter::for_board(size, record.field("Size"));
    let board = UgfBoard { size: size.unwrap_or(BoardSize::standard()), from_below: record.is_from_below() };
    if let Some((crypt, offset)) = record.encryption() {
        writer.encrypted(offset, format!("Crypt={crypt}"));
        return writer.end();
    }
    record.header(&mut writer);
    record.game(text, board, &mut writer);
    record.skip_lines(&mut writer);
    writer.end()
}
