//! The annotations that call an answer of a problem right or wrong.
//!
//! Programs for problems follow different conventions. All of them are read:
//!
//! - goproblems.com: the words RIGHT, CHOICE, FORCE and NOTTHIS in capitals in a comment
//!   (<https://www.goproblems.com/article/constructionbasics>);
//! - comments that begin with Correct, Right, Wrong, Incorrect or Fail, as in EasyGo and in the
//!   problems of Go Game Guru, and their Chinese, Japanese and Korean counterparts; `+` or `-` alone
//!   in the first line;
//! - annotations of FF\[4\]: TE and IT mark a right turn of the solver, BM and DO a wrong one, as in
//!   Many Faces of Go. GB and GW name the player for whom a position is good;
//! - uliGo: WV marks a wrong variation.
//!
//! TR, which uliGo may write instead of WV, is not read: most records use it for other purposes.

use std::ops::Range;

use super::nodes::sound_properties;
use crate::sgf::tokens::lexer::capitals;
use jigo_rules::board::Color;

/// The meaning of a node's annotations for an answer that reaches the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerMarks {
    /// The answer is right.
    pub is_right: bool,
    /// The answer is wrong.
    pub is_wrong: bool,
    /// NOTTHIS: the answer is neither, and the solver tries again.
    pub is_excluded: bool,
    /// CHOICE: the program may choose this turn.
    pub is_choice: bool,
    /// A comment has a word of goproblems.com other than RIGHT.
    pub is_of_goproblems: bool,
}

/// The beginnings of comments about a right answer, in small letters.
const RIGHT: [&str; 5] = ["correct", "also correct", "also right", "정답", "정해"];
/// The beginnings of comments about a wrong answer.
const WRONG: [&str; 12] =
    ["incorrect", "wrong", "fail", "failure", "failed", "失敗", "失败", "错误", "錯誤", "오답", "실패", "不正解"];
/// The words for a right answer that may occur anywhere, except after 不.
const RIGHT_ANYWHERE: [&str; 3] = ["正解", "正确", "正確"];

impl AnswerMarks {
    /// Reads the annotations of a node. `player` has the turn of the node, and `solver` the first
    /// turn of the problem.
    pub(super) fn of_node(
        bytes: &[u8],
        body: Range<usize>,
        player: Option<Color>,
        solver: Option<Color>,
    ) -> AnswerMarks {
        let mut marks = AnswerMarks::default();
        let is_of_solver = player.is_some() && player == solver;
        for (name, values) in sound_properties(bytes, body) {
            let good_for = match &*capitals(&bytes[name]) {
                b"C" | b"N" => {
                    values.into_iter().for_each(|value| marks.read_text(&String::from_utf8_lossy(&bytes[value])));
                    None
                }
                b"TE" | b"IT" if is_of_solver => solver,
                b"BM" | b"DO" if is_of_solver => solver.map(Color::opponent),
                b"WV" => solver.map(Color::opponent),
                b"GB" => Some(Color::Black),
                b"GW" => Some(Color::White),
                _ => None,
            };
            if let (Some(good_for), Some(solver)) = (good_for, solver) {
                marks.is_right |= good_for == solver;
                marks.is_wrong |= good_for != solver;
            }
        }
        marks
    }

    /// Adds the meaning of a comment.
    fn read_text(&mut self, text: &str) {
        for word in text.split(|char: char| !char.is_ascii_alphanumeric()) {
            self.is_right |= matches!(word, "RIGHT" | "CORRECT");
            self.is_wrong |= matches!(word, "WRONG" | "INCORRECT");
            self.is_excluded |= word == "NOTTHIS";
            self.is_choice |= word == "CHOICE";
            self.is_of_goproblems |= matches!(word, "NOTTHIS" | "CHOICE" | "FORCE");
        }
        let text = text.trim_start().to_lowercase();
        let begins_with = |beginning: &&str| {
            text.strip_prefix(beginning)
                .is_some_and(|rest| !rest.starts_with(|char: char| char.is_ascii_alphanumeric()))
        };
        // "Right side" and "right here" are not answers.
        let is_right_alone = text.strip_prefix("right").is_some_and(|rest| {
            rest.trim_start_matches(' ').is_empty() || rest.starts_with(['.', '!', ',', ':', ';', '\n', '\r'])
        });
        let is_named_right =
            RIGHT_ANYWHERE.iter().any(|word| text.split_once(word).is_some_and(|(before, _)| !before.ends_with('不')));
        let first_line = text.lines().next().unwrap_or_default().trim_end();
        self.is_right |= is_right_alone || is_named_right || first_line == "+" || RIGHT.iter().any(begins_with);
        self.is_wrong |= first_line == "-" || WRONG.iter().any(begins_with);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(body: &str, player: Color) -> (bool, bool) {
        let marks = AnswerMarks::of_node(body.as_bytes(), 0..body.len(), Some(player), Some(Color::Black));
        (marks.is_right, marks.is_wrong)
    }

    #[test]
    fn every_convention_is_read() {
        for right in [
            "C[RIGHT]",
            "C[White dies.RIGHT]",
            "C[ Correct]",
            "C[Also correct, but slow.]",
            "C[right!]",
            "C[Right]",
            "C[+]",
            "C[+\nA and B]",
            "C[正解]",
            "C[1图 正解]",
            "N[Correct]",
            "TE[1]",
            "IT[]",
            "GB[1]",
            "B[aa]C[정답]",
        ] {
            assert_eq!(marks(right, Color::Black), (true, false), "{right}");
        }
        for wrong in [
            "C[Wrong]",
            "C[Incorrect.]",
            "C[Fail]",
            "C[Failed: ko]",
            "C[失敗]",
            "C[不正解]",
            "C[-]",
            "BM[1]",
            "DO[]",
            "WV[aa]",
            "GW[2]",
            "C[WRONG]",
        ] {
            assert_eq!(marks(wrong, Color::Black), (false, true), "{wrong}");
        }
        for neither in [
            "C[Right side lives]",
            "C[It is not correct]",
            "C[correctly]",
            "C[rightly]",
            "C[BRIGHT]",
            "C[+1]",
            "C[a failure]",
            "C[+ 1]",
            "TR[aa]",
            "UC[1]",
            "C[]",
            "C[wrongly]",
        ] {
            assert_eq!(marks(neither, Color::Black), (false, false), "{neither}");
        }
    }

    #[test]
    fn annotations_of_turns_are_about_the_solver() {
        for annotation in ["TE[1]", "IT[]", "BM[1]", "DO[]"] {
            assert_eq!(marks(annotation, Color::White), (false, false), "{annotation}");
        }
        assert_eq!(marks("GB[1]", Color::White), (true, false));
    }

    #[test]
    fn words_of_goproblems_are_read() {
        let body = "C[CHOICE FORCE NOTTHIS]";
        let marks = AnswerMarks::of_node(body.as_bytes(), 0..body.len(), None, None);
        let expected =
            AnswerMarks { is_excluded: true, is_choice: true, is_of_goproblems: true, ..AnswerMarks::default() };
        assert_eq!(marks, expected);
    }
}
