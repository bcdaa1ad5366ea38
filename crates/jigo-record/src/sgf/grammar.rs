//! The grammar of FF\[4\], without recovery.
//!
//! A text that follows the grammar has one reading. [`Elements`] returns its elements and stops at
//! the first byte that violates the grammar. Such a byte is the condition for any other reading.
//!
//! Values belong to the grammar as well: only properties with text, and properties that FF\[4\] does
//! not define, may have a `[` in a value.
//!
//! Source: the EBNF of FF\[4\], <https://www.red-bean.com/sgf/sgf4.html>.

use std::ops::Range;

use super::tokens::ff4::ValueForm;
use super::tokens::lexer::Lexer;

/// An element of a text. All numbers are offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// The `(` of a tree.
    Open(usize),
    /// The `)` of a tree.
    Close(usize),
    /// The `;` of a node.
    Node(usize),
    /// A property of the last node.
    Property {
        /// Its name.
        name: Range<usize>,
        /// The text between the brackets of each value, including escapes.
        values: Vec<Range<usize>>,
    },
}

/// The elements of one game, from its `(` to its `)`.
///
/// The offset of a violation is an error, and ends the iteration. It is the length of the text if
/// the game does not end in it.
///
/// ```
/// use jigo_record::sgf::grammar::{Element, Elements};
///
/// let text = b"(;C[not ;B[dd\\] here];W[pp])";
/// let elements: Vec<Element> = Elements::new(text).map(Result::unwrap).collect();
/// assert_eq!(elements[2], Element::Property { name: 2..3, values: vec![4..20] });
/// assert_eq!(Elements::new(b"(;B[dd] W;C[x])").find_map(Result::err), Some(9));
/// ```
pub struct Elements<'a> {
    lexer: Lexer<'a>,
    offset: usize,
    /// The number of open trees.
    depth: usize,
    /// The last sign: a parenthesis, a semicolon or the `]` of a property. It is a blank before the
    /// game, and 0 after the game or a violation.
    last_sign: u8,
}

impl<'a> Elements<'a> {
    /// Returns the elements of the game at the start of a UTF-8 text, perhaps after white space.
    pub fn new(bytes: &'a [u8]) -> Elements<'a> {
        Elements::at(Lexer::utf8(bytes), 0)
    }

    /// Returns the elements of the game at an offset.
    pub fn at(lexer: Lexer<'a>, offset: usize) -> Elements<'a> {
        Elements { lexer, offset, depth: 0, last_sign: b' ' }
    }

    /// Returns the offset after the last element.
    pub fn position(&self) -> usize {
        self.offset
    }

    /// Returns the element at the sign at `offset`, or the property there.
    fn element(&mut self, offset: usize) -> Result<Element, usize> {
        let Some(&sign) = self.lexer.bytes.get(offset) else { return Err(offset) };
        let element = match (self.last_sign, sign) {
            (b' ' | b';' | b']' | b')', b'(') => Element::Open(offset),
            (b'(' | b';' | b']', b';') => Element::Node(offset),
            (b';' | b']' | b')', b')') => Element::Close(offset),
            (b';' | b']', b'A'..=b'Z') => return self.property(offset),
            _ => return Err(offset),
        };
        match sign {
            b'(' => self.depth += 1,
            b')' => self.depth -= 1,
            _ => {}
        }
        (self.offset, self.last_sign) = (offset + 1, if self.depth == 0 { 0 } else { sign });
        Ok(element)
    }

    fn property(&mut self, start: usize) -> Result<Element, usize> {
        let bytes = self.lexer.bytes;
        let name = start..start + bytes[start..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        let form = ValueForm::for_property(&bytes[name.clone()]);
        let is_text = form.is_text() || form == ValueForm::Labels;
        let mut offset = self.skip_blanks(name.end);
        let mut values = Vec::new();
        while bytes.get(offset) == Some(&b'[') {
            let close = self.lexer.plain_value_end(offset + 1).ok_or(bytes.len())?;
            let bracket = memchr::memchr(b'[', &bytes[offset + 1..close]).filter(|_| !is_text);
            if let Some(length) = bracket {
                return Err(offset + 1 + length);
            }
            values.push(offset + 1..close);
            self.offset = close + 1;
            offset = self.skip_blanks(self.offset);
        }
        self.last_sign = b']';
        if values.is_empty() { Err(offset) } else { Ok(Element::Property { name, values }) }
    }

    fn skip_blanks(&self, offset: usize) -> usize {
        let rest = self.lexer.bytes.get(offset..).unwrap_or_default();
        offset + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }
}

/// Returns true if a UTF-8 text is one game that follows the grammar, perhaps between white space.
pub fn is_well_formed(bytes: &[u8]) -> bool {
    let mut elements = Elements::new(bytes);
    elements.all(|element| element.is_ok()) && elements.skip_blanks(elements.position()) == bytes.len()
}

impl Iterator for Elements<'_> {
    type Item = Result<Element, usize>;

    fn next(&mut self) -> Option<Result<Element, usize>> {
        if self.last_sign == 0 {
            return None;
        }
        let element = self.element(self.skip_blanks(self.offset));
        if element.is_err() {
            self.last_sign = 0;
        }
        Some(element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_follows_the_grammar_is_well_formed() {
        for text in [
            "(;)",
            " ( ;\nB [dd]\t[pp] ; (;W[]) (;C[a]N[b]))\n",
            "(;C[I typed \\];B[dd\\];W[ee\\] here])",
            "(;C[komi is KM[6.5 (not 5.5)];W[bb])",
            "(;LB[dd:[1][pp:a;B[x]XY[any [thing](;;)(;))",
        ] {
            assert!(is_well_formed(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn violation_is_found_at_its_offset() {
        for (text, offset) in [
            ("", 0),
            ("(", 1),
            ("()", 1),
            ("(;B[aa]", 7),
            ("(;B[aa", 6),
            ("(;B)", 3),
            ("(;b[aa])", 2),
            ("(;[aa])", 2),
            ("(;C[a] b];W[bb])", 7),
            ("(;B[aa];W[bb;B[cc])", 14),
            ("(;(;B[aa]);W[bb])", 10),
            ("(;(;B[aa])W[bb])", 10),
            ("((;B[aa]))", 1),
            ("x(;)", 0),
        ] {
            assert_eq!(Elements::new(text.as_bytes()).find_map(Result::err), Some(offset), "{text}");
            assert!(!is_well_formed(text.as_bytes()), "{text}");
        }
        assert!(!is_well_formed(b"(;B[aa]))"));
    }

    #[test]
    fn next_game_begins_at_the_position_after_one() {
        let text = b"(;B[aa](;W[bb]))\n(;C[x])";
        let mut games = Elements::new(text);
        assert_eq!(games.by_ref().filter(Result::is_ok).count(), 8);
        assert_eq!(games.position(), 16);
        assert_eq!(Elements::at(Lexer::utf8(text), 16).count(), 4);
    }
}
