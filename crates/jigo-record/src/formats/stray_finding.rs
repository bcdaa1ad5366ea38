//! The findings for stray text, which is the text between games.

use crate::finding::Code;
use crate::formats;
use crate::splitter::stray_text;

/// Returns the finding for a text outside games: an extra parenthesis, a part of a game, a record
/// in another format, or words.
pub fn code(text: &[u8]) -> Code {
    match stray_text::code(text) {
        Code::TextOutsideGames if formats::has_record(text) => Code::TurnsOutsideGames,
        code => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_record_formats_are_distinguished_from_words() {
        for text in [
            "\\HS\r\n\\[GAMEBLACKNAME=a\\]\r\n\\HE\r\n\\GS\r\nSTO 0 2 1 3 3\r\n\\GE",
            "\\[GAMEBLACKNAME=a",
            "STO 0 2 1 3 3",
            "a\n19\nb 3d\nc 2d\nplace\n0\n0\n7\n20100404\n20\nresult\n2\nPMABBEQQE\nPMACWQEEQ",
            "PMABBEQQE",
            "[Header]\nSize=19\n[Data]\nQP,B1,1,0",
            "[Data]\nQP,B1,1,0",
            "QP,B1,1,0\nDP,W1,2,12",
            "pd dd pp dp fq cn jp",
            "q16 d4 q3 d17",
            "mail\n1. Q16 D4 2. Q3 D17",
            "1. Q16 D4",
            "1.Q16 2.D4",
            "Black Q16\nWhite D4",
            "B: Q16, W: D4",
            "17 pdddppdpqfnccncd",
            "17\t;B[pd];W[dd]",
        ] {
            assert_eq!(code(text.as_bytes()), Code::TurnsOutsideGames, "{text}");
        }
        for text in [
            "page\n19\nof 20",
            "It is up to me or to us.",
            "17",
            "The first turn at E5 is the one to look at",
            "[Round 3] A7 is the table",
            "Starting stones on D4",
        ] {
            assert_eq!(code(text.as_bytes()), Code::TextOutsideGames, "{text}");
        }
    }
}
