//! Text outside games: words, a parenthesis too many, or turns of a game that nobody could read as one.

use super::lexis::Lexis;
use crate::finding::Code;

/// Turns of a text that belong to a game, and not to words about one.
const TURNS: usize = 2;

/// What is found where this text stands outside games.
pub fn code(text: &[u8]) -> Code {
    if String::from_utf8_lossy(text).chars().all(|c| c == ')' || c.is_whitespace()) {
        Code::ExtraParenthesis
    } else if turns(text).nth(TURNS - 1).is_some() {
        Code::TurnsOutsideGames
    } else {
        Code::TextOutsideGames
    }
}

/// Where nodes seem to begin with a turn: a point of two letters or a pass.
fn turns(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let lexis = Lexis::utf8(text);
    let is_turn = move |at: &usize| {
        let name = lexis.skip_space(at + 1);
        let open = lexis.skip_space(name + 1);
        let is_point = |value: &[u8]| match value {
            [b']', ..] => true,
            [column, row, b']', ..] => column.is_ascii_alphabetic() && row.is_ascii_alphabetic(),
            _ => false,
        };
        matches!(text.get(name), Some(b'B' | b'W'))
            && text.get(open) == Some(&b'[')
            && text.get(open + 1..).is_some_and(is_point)
    };
    memchr::memchr_iter(b';', text).filter(is_turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_told_from_words_about_them() {
        for (text, expected) in [
            (")", Code::ExtraParenthesis),
            (" ) )\n", Code::ExtraParenthesis),
            (";B[dd];W[pp])", Code::TurnsOutsideGames),
            ("mail\n; B[dd]\n;W []C[x]", Code::TurnsOutsideGames),
            ("{;GM[1];B[dd];W[pp]}", Code::TurnsOutsideGames),
            ("I like ;B[dd] here", Code::TextOutsideGames),
            ("a[1]; b[2]; B[3]; W[4]; B[ddd];W[d]", Code::TextOutsideGames),
            (";AB[dd];AW[pp];", Code::TextOutsideGames),
            (";B[dd];W[p", Code::TextOutsideGames),
            (";B[dd];W", Code::TextOutsideGames),
        ] {
            assert_eq!(code(text.as_bytes()), expected, "{text}");
        }
    }
}
