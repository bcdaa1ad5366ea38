//! Evidence for the byte order of games from UTF-16 sources.
//!
//! An odd number of single bytes between two games shifts the second one by half a unit. In the
//! other byte order it then seems to continue the text before it: little-endian `)`, a single line
//! feed and big-endian `(` are the bytes of little-endian `)`, line feed and `(`.

use encoding_rs::{Encoding, UTF_16LE};

/// The evidence in a game, which is in UTF-8 after the conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderEvidence {
    /// True if the game reads the same in the other byte order, or only its own order closes the
    /// values. In the other order, each run of letters above U+00FF takes in the bracket next to
    /// it.
    pub is_proven: bool,
    /// True if the game has a letter outside values that SGF does not use there, or if it may
    /// contain another game. Shifted text begins or ends with such a letter.
    pub has_oddity: bool,
}

impl OrderEvidence {
    /// Returns the evidence in a game that was read in `encoding`.
    pub fn from_text(game: &str, encoding: &'static Encoding) -> OrderEvidence {
        let has_wide = game.chars().any(is_wide);
        let (mut has_oddity, mut is_open_in_other_order, mut is_damaged) = (false, false, false);
        let mut rest = game.trim_end().chars();
        // The last letter of the open value, or NUL at its start.
        let mut value: Option<char> = None;
        while let Some(letter) = rest.next() {
            value = match (value, letter) {
                (None, '[') => Some('\0'),
                (None, letter) => {
                    has_oddity |= !letter.is_ascii();
                    is_damaged |= letter == ']';
                    None
                }
                (Some(last), ']') => {
                    is_open_in_other_order |= encoding == UTF_16LE && is_wide(last);
                    None
                }
                (Some(_), '\\') => rest.next(),
                (Some(last), letter) => {
                    is_open_in_other_order |= encoding != UTF_16LE && last == '\0' && is_wide(letter);
                    has_oddity |= last == '(' && letter == ';';
                    Some(letter)
                }
            };
        }
        let is_closed = value.is_none() && game.trim_end().ends_with(')');
        OrderEvidence {
            is_proven: !has_wide || is_open_in_other_order && is_closed && !is_damaged && !has_oddity,
            has_oddity: has_oddity || !is_closed,
        }
    }
}

/// Returns true if a letter differs between the byte orders of shifted text.
fn is_wide(letter: char) -> bool {
    letter > '\u{FF}'
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_16BE;

    use super::*;

    #[test]
    fn order_is_proven_by_values_that_the_other_order_leaves_open() {
        for (game, little, big) in [
            ("(;GM[1]PB[Lee];B[aa])", true, true),
            ("(;GM[1]PB[Böhm])", true, true),
            ("(;GM[1]PB[李昌镐])", true, true),
            ("(;GM[1]PB[常昊 9p])", false, true),
            ("(;GM[1]PB[Žižek])", false, true),
            ("(;GM[1]PB[Cho 常昊])", true, false),
            ("(;GM[1]PB[x (常昊)])", false, false),
            ("(;GM[1]C[a \\] 常昊 b])", false, false),
            ("(;GM[1]PB[李昌镐", false, false),
            ("(;GM[1]PB[李昌镐]PW[x]])", false, false),
            ("(;GM[1]PB[李昌镐]੝;B[aa])", false, false),
            ("(;GM[1]PB[李昌镐]C[ab(;GM[1]PB[x])", false, false),
        ] {
            assert_eq!(OrderEvidence::from_text(game, UTF_16LE).is_proven, little, "{game}");
            assert_eq!(OrderEvidence::from_text(game, UTF_16BE).is_proven, big, "{game}");
        }
    }

    #[test]
    fn letters_outside_values_and_hidden_games_are_odd() {
        for game in ["(;GM[1];B[aa]ਅ)", "(;GM[1]C[a(;GM[1]PB[x])", "(;GM[1]C[a", "(;GM[1];B[aa]"] {
            assert!(OrderEvidence::from_text(game, UTF_16LE).has_oddity, "{game}");
        }
        assert!(!OrderEvidence::from_text("(;GM[1]PB[李昌镐];B[aa](;W[bb])\n)\n", UTF_16LE).has_oddity);
    }
}
