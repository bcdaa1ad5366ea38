//! The variation of `jigo show --variation`.

use anyhow::{Context, Result};

use jigo_record::formats::decoded;
use jigo_record::record::variation_text::variation_text;
use jigo_record::sgf::Charset;
use jigo_record::splitter::{Close, GameText, RecordKind};

/// A variation: the number of the child, from 1, at every node with several children.
#[derive(Clone, Debug)]
pub struct VariationPath {
    name: String,
    children: Vec<u32>,
}

/// Reads a path such as `1.2`.
///
/// # Errors
/// Fails for anything but numbers from 1 with dots between them.
pub fn variation_path(text: &str) -> Result<VariationPath, String> {
    let child = |number: &str| number.parse::<u32>().ok().filter(|child| *child > 0 && !number.starts_with('+'));
    let children: Option<Vec<u32>> = text.split('.').map(child).collect();
    let children = children.ok_or("a variation is a list of numbers from 1 with dots between them, such as 1.2")?;
    Ok(VariationPath { name: text.to_owned(), children })
}

impl VariationPath {
    /// Returns the path as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns a game with the nodes of this variation only, in UTF-8.
    ///
    /// # Errors
    /// Fails if the game has no such variation.
    pub fn cut(&self, text: &GameText) -> Result<Vec<u8>> {
        variation_text(&decoded(text).text, &self.children).with_context(|| {
            let name = &self.name;
            format!(
                "{} game {} has no variation {name}; jigo check --variations all lists findings with theirs",
                text.file, text.game
            )
        })
    }
}

/// Returns the text of a game that was cut to a variation.
pub fn game_text<'a>(text: &GameText<'a>, line: &'a [u8]) -> GameText<'a> {
    GameText { kind: RecordKind::default(), bytes: line, close: Close::Parenthesis, charset: Charset::UTF8, ..*text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_numbers_from_1() {
        assert_eq!(variation_path("1.12").unwrap().children, [1, 12]);
        for text in ["", "0", "1.", ".1", "1..2", "a", "+1", "1,2", "-1", "99999999999"] {
            assert!(variation_path(text).is_err(), "{text}");
        }
    }
}
