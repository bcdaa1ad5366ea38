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
            "B(qd);W(dp);B(qp)",
            "b=qd w=dp",
            "B: qd\nW:dp, W:pp",
            "play black Q16\nplay white D4",
            "play B Q16",
            "<Black at=\"Q16\"/><White at=\"D4\"/>",
            "<move color='b' x='16' y='4'/>\n<move color='w' x='4' y='4'/>",
            "{\"moves\":[[\"B\",\"Q16\"],[\"W\",\"D4\"]]}",
            "[[\"b\", \"qd\"], [\"w\", \"dp\"]]",
            "[{\"color\":\"B\",\"x\":3,\"y\":4},{\"color\":\"W\",\"x\":16,\"y\":4}]",
            "16-4 4-16 16-16",
            "(16,4) (4,16) (16,16)",
            "[[16,4],[4,16],[16,16]]",
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
            "Black is ahead, as usual. White is not.",
            "Team B 3 - 1 Team W\nTeam B 2 - 2 Team W",
            "Black (as usual) is to go; white to be, as is",
            "2001-01-02 2001-01-03 2001-01-04",
            "Round 1: 1-0 0-1 1-1",
            "plan B: 3 rooms, plan W: 4 rooms",
            "B+R, W+3.5, B+2.5, W+T",
            "Black (as usual) won; White (as is known) lost",
        ] {
            assert_eq!(code(text.as_bytes()), Code::TextOutsideGames, "{text}");
        }
    }
}
