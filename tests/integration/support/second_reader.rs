//! A second reader of game records that shares no code with jigo. It knows UTF-16, the charset in
//! CA, and the SGF tree.
//!
//! It reads games with an unclosed end, nodes without a semicolon, brackets without a backslash and
//! names in other forms. Text after the end of a game belongs to that game. It does not know any
//! other damage. It drops nothing but the outer parentheses, nodes and variations without content,
//! blanks between properties, and what `plain_property` leaves out.

use std::collections::HashMap;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::divided_node::DividedNode;
use super::plain_property::{Property, merge, named};

/// A game in a form that does not depend on its encoding or spelling.
#[derive(Debug, Default, PartialEq)]
pub struct SecondGame {
    /// The bytes from its start to the start of the next game.
    pub range: Range<usize>,
    /// The parentheses of variations, and the content of each node between them.
    pub content: Vec<String>,
}

/// Reads all games of a file. Text before the first game is a game of its own.
pub fn read_games(bytes: &[u8]) -> Vec<SecondGame> {
    let mut starts = game_starts(bytes);
    if starts.first().is_none_or(|(offset, _)| *offset > 0) {
        starts.insert(0, (0, None));
    }
    let ends = starts.iter().skip(1).map(|(offset, _)| *offset).chain([bytes.len()]);
    let games = starts.iter().zip(ends).map(|((offset, encoding), end)| {
        let text = text_of(without_mark(&bytes[*offset..end]), *encoding);
        SecondGame { range: *offset..end, content: Reader::read(&text) }
    });
    games.filter(|game| !game.content.is_empty()).collect()
}

/// Returns a game without the byte order mark of the next one.
fn without_mark(game: &[u8]) -> &[u8] {
    const MARKS: [&[u8]; 3] = [b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB\xBF"];
    MARKS.iter().find_map(|mark| game.strip_suffix(*mark)).unwrap_or(game)
}

/// The number of letters after a parenthesis within which the name of a property of roots ends.
const MAX_ROOT_NAME: usize = 16;

/// Properties that only roots contain.
const ROOT: [&str; 10] = ["GM", "FF", "SZ", "CA", "AP", "ST", "PB", "PW", "KM", "RU"];

/// Returns the starts of games, each with its form of UTF-16. A start is `(;` or `(` before a
/// property of roots.
fn game_starts(bytes: &[u8]) -> Vec<(usize, Option<&'static Encoding>)> {
    let parentheses = (0..bytes.len()).filter(|offset| bytes[*offset] == b'(');
    let starts = parentheses.filter(|offset| {
        let letters = bytes[offset + 1..].iter().copied();
        let letters: Vec<u8> =
            letters.filter(|byte| *byte != 0 && !byte.is_ascii_whitespace()).take(MAX_ROOT_NAME).collect();
        let node = letters.strip_prefix(b";").unwrap_or(&letters);
        let name: String = node.iter().take_while(|byte| byte.is_ascii_alphabetic()).copied().map(char::from).collect();
        node.get(name.len()) == Some(&b'[') && ROOT.contains(&named(&name).as_str())
    });
    let starts = starts.map(|offset| match (bytes[..offset].last(), bytes.get(offset + 1)) {
        (Some(0), Some(0)) => (offset - 1, Some(UTF_16BE)),
        (_, Some(0)) => (offset, Some(UTF_16LE)),
        _ => (offset, None),
    });
    starts.collect()
}

/// Returns the text of a game. Each byte of an unknown charset becomes one character, so that every
/// change is visible.
fn text_of(bytes: &[u8], encoding: Option<&'static Encoding>) -> String {
    if let Some(encoding) = encoding {
        // Single bytes may follow the last character of ASCII.
        let high = usize::from(encoding == UTF_16LE);
        let end = 2 * bytes.chunks_exact(2).rposition(|unit| unit[high] == 0).map_or(0, |last| last + 1);
        let text = encoding.decode_without_bom_handling(&bytes[..end]).0;
        return text.into_owned() + &text_of(&bytes[end..], None);
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let label = bytes.windows(3).position(|name| name == b"CA[").and_then(|offset| {
        let value = &bytes[offset + 3..];
        Encoding::for_label(&value[..value.iter().position(|byte| *byte == b']')?])
    });
    match label.filter(|label| *label != UTF_8) {
        Some(label) => label.decode_without_bom_handling(bytes).0.into_owned(),
        None => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Returns true for a character that means nothing between properties. Two line ends in single
/// bytes next to UTF-16 look like a letter.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{FEFF}' | '\u{A0A}' | '\u{A0D}' | '\u{D0A}')
}

/// The name of text that is not a property.
const STRAY: &str = "text ";

/// The state of the pass over a game.
#[derive(Default)]
struct Reader {
    content: Vec<String>,
    /// The number of open trees.
    depth: usize,
    /// The properties of the current node.
    node: Vec<Property>,
    /// The properties of the first node that has any.
    root: HashMap<String, Vec<String>>,
    /// The number of turns of Black and White since the last parenthesis.
    turns: [usize; 2],
    /// Clocks of a player who has no turn in their node, each with the number of turns before it.
    clocks: Vec<String>,
}

impl Reader {
    fn read(text: &str) -> Vec<String> {
        let letters: Vec<char> = text.chars().collect();
        let mut reader = Reader::default();
        let (mut offset, mut words) = (0, String::new());
        while offset < letters.len() {
            match letters[offset] {
                sign @ ('(' | ')' | ';') => {
                    reader.stray(&std::mem::take(&mut words));
                    reader.end_node();
                    reader.parenthesis(sign);
                    offset += 1;
                }
                '[' => {
                    let (value, end) = value(&letters, offset + 1);
                    reader.value(&std::mem::take(&mut words), value);
                    offset = end;
                }
                letter => {
                    words.push(if is_blank(letter) { ' ' } else { letter });
                    offset += 1;
                }
            }
        }
        reader.stray(&words);
        reader.end_node();
        reader.end_chain();
        // Unclosed games may end before or after stray text.
        let is_end = |line: &String| line == ")" || line.starts_with(STRAY);
        let end = reader.content.iter().rposition(|line| !is_end(line)).map_or(0, |last| last + 1);
        let strays = reader.content.split_off(end).into_iter().filter(|line| line != ")");
        reader.content.extend(strays);
        reader.content
    }

    /// Adds text without a value.
    fn stray(&mut self, words: &str) {
        let words: Vec<&str> = words.split_whitespace().collect();
        if !words.is_empty() {
            self.node.push(Property { name: format!("{STRAY}{}", words.concat()), values: Vec::new() });
        }
    }

    /// Adds a value after `words`, which end with the name of a new property.
    fn value(&mut self, words: &str, value: String) {
        let words = words.trim_end();
        let name = words.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let name = name.rsplit(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        self.stray(&words[..words.len() - name.len()]);
        match self.node.last_mut().filter(|_| name.is_empty()) {
            Some(property) => property.values.push(value),
            None => self.node.push(Property { name: named(name), values: vec![value] }),
        }
    }

    fn parenthesis(&mut self, sign: char) {
        match sign {
            '(' => {
                if self.depth > 0 {
                    self.end_chain();
                    self.content.push("(".into());
                }
                self.depth += 1;
            }
            ')' => {
                if self.depth > 1 {
                    self.end_chain();
                    // A variation without content says nothing.
                    match self.content.last() {
                        Some(last) if last == "(" => drop(self.content.pop()),
                        _ => self.content.push(")".into()),
                    }
                }
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// Ends the nodes between two parentheses.
    fn end_chain(&mut self) {
        self.clocks.sort();
        self.content.append(&mut self.clocks);
        self.turns = [0, 0];
    }

    /// Adds the current node, as several nodes if it has several turns, or setup and a turn.
    fn end_node(&mut self) {
        let node = std::mem::take(&mut self.node);
        let (strays, node): (Vec<Property>, Vec<Property>) =
            node.into_iter().partition(|property| property.name.starts_with(STRAY));
        if !node.is_empty() {
            self.add_node(node);
        }
        self.content.extend(strays.iter().map(|stray| format!("{}{:?}", stray.name, stray.values)));
    }

    fn add_node(&mut self, mut node: Vec<Property>) {
        let is_root = self.root.is_empty();
        let merged = merge(node.clone(), &self.root, false);
        if is_root {
            self.root = merged.into_iter().map(|property| (property.name, property.values)).collect();
        } else {
            // A property of the root says nothing new in another node.
            let is_repeated = |name: &String| {
                let value = merged.iter().find(|property| property.name == *name);
                value.is_some_and(|property| self.root.get(name) == Some(&property.values))
            };
            node.retain(|property| !property.is_about_game() || !is_repeated(&property.name));
        }
        let divided = DividedNode::new(node, is_root);
        for (turns, clocks) in divided.clocks {
            let turns = turns + self.turns[clocks[0].color().unwrap_or(0)];
            let clocks = merge(clocks, &self.root, false);
            self.clocks.extend(clocks.iter().map(|clock| format!("{}{:?} after {turns}", clock.name, clock.values)));
        }
        for (index, part) in divided.parts.into_iter().enumerate() {
            let may_repeat = index == 0 && divided.turn_count > 1;
            for turn in part.iter().filter(|property| property.is_turn()) {
                self.turns[turn.color().unwrap_or(0)] += 1;
            }
            let part = merge(part, &self.root, may_repeat);
            let lines = part.iter().filter(|property| !is_root || !property.is_default());
            let mut lines: Vec<String> =
                lines.map(|property| format!("{}{:?}", property.name, property.values)).collect();
            lines.sort();
            if !lines.is_empty() {
                self.content.push(lines.join(" "));
            }
        }
    }
}

/// Returns the value at an index and the index after its bracket, without the backslashes of
/// escapes and without padding. A value without its bracket ends before the next turn.
fn value(letters: &[char], mut offset: usize) -> (String, usize) {
    let mut text = String::new();
    while offset < letters.len()
        && !(letters[offset] == ']' && ends_value(&letters[offset + 1..]))
        && !begins_turn(&letters[offset..])
    {
        offset += usize::from(letters[offset] == '\\');
        text.extend(letters.get(offset));
        offset += 1;
    }
    let has_bracket = letters.get(offset) == Some(&']');
    let text = if has_bracket { text.trim_end_matches('\0') } else { text.trim_end_matches(is_blank) };
    (text.to_owned(), offset + usize::from(has_bracket))
}

/// Returns true if a node with a turn or a setup begins here, so that a value before it lacks its
/// bracket.
fn begins_turn(rest: &[char]) -> bool {
    let (points, names) = (|letter: &char| letter.is_ascii_alphabetic(), ['B', 'W']);
    match rest {
        [';', name, '[', ']', ..] => names.contains(name),
        [';', name, '[', column, row, ']', ..] => names.contains(name) && points(column) && points(row),
        [';', 'A', name, '[', ..] => names.contains(name),
        _ => false,
    }
}

/// Returns true if the text after a bracket continues like a game after a value.
fn ends_value(rest: &[char]) -> bool {
    if matches!(rest.first(), Some('\r' | '\n')) {
        return true;
    }
    let rest = &rest[rest.iter().take_while(|letter| is_blank(**letter)).count()..];
    let name = rest.iter().take_while(|letter| letter.is_ascii_alphabetic()).count();
    match rest.first() {
        None | Some('[' | ';' | '(' | ')') => true,
        Some(first) if first.is_ascii_uppercase() => rest[name..].first().is_none_or(|next| " [".contains(*next)),
        _ => false,
    }
}
