//! Recognition of SGF among the other formats.

use super::Row;
use crate::sgf::boundaries::game_span::opens_game;
use crate::sgf::boundaries::root_start::root_name;
use crate::sgf::encoding::byte_order_mark::without_mark;
use crate::sgf::tokens::lexer::{Lexer, is_header};
use crate::splitter::LineFormat;

/// The format.
pub(super) const ROW: Row = Row {
    name: "sgf",
    suffixes: &["sgf", "sgfs", "mgt"],
    is_start,
    begins_record,
    lines: LineFormat::NONE,
    reader: None,
};

/// Returns true if a text begins with the `(` of a game.
fn is_start(start: &[u8]) -> bool {
    let lexer = Lexer::utf8(without_mark(start));
    let offset = lexer.skip_space(0);
    lexer.bytes.get(offset) == Some(&b'(') && opens_game(&lexer, offset)
}

/// Returns true if a text begins with the root of a game, whose first property is known.
fn begins_record(text: &[u8]) -> bool {
    let lexer = Lexer::utf8(text);
    match text.first() {
        Some(b'(') => {
            let has_header = || lexer.identifier(lexer.skip_space(1)).is_some_and(is_header);
            root_name(&lexer, 0).is_some() || has_header()
        }
        Some(b';') => lexer.begins_node(0).is_some_and(is_header),
        _ => false,
    }
}
