//! The content of a game: its properties, independent of the form of its text and of the division
//! into nodes.

mod plain_node;

use std::collections::HashSet;

use super::fix_options::FixOptions;
use jigo_record::conformance::standard_value::{current_property, has_lines, is_blank_number, standard_value};
use jigo_record::sgf::grammar::{Element, Elements};
use jigo_record::sgf::tokens::ff4::{PropertyRole, ValueForm, role};
use jigo_record::splitter::GameText;
use jigo_record::write::{WriteOptions, normal_form};
use plain_node::{PlainNode, is_on_board};

/// The properties of a game in all variations. Two texts with the same meaning have equal content.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Content {
    /// Parentheses and properties.
    ///
    /// Between two parentheses, turns and setup come first, in order. Annotations of turns follow,
    /// in order, then texts, marks and territory, and then clocks. A node may therefore be divided
    /// into several without a change.
    tokens: Vec<Token>,
    /// For each clock among the tokens, in order, how often it occurs between its parentheses.
    clocks: Vec<usize>,
    /// The texts that the normal form leaves out.
    omitted_texts: Vec<Vec<u8>>,
    /// The offset in the text in UTF-8 from which on nothing was read because of a limit.
    pub limit_offset: Option<usize>,
}

/// A parenthesis or a property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Token {
    text: Vec<u8>,
    /// The first and the last number of turns and setups, since the last parenthesis, after which
    /// the property may come.
    place: (usize, usize),
}

/// The form that leaves out nothing without its text.
const OPTIONS: WriteOptions =
    WriteOptions { is_pretty: false, is_main_line_only: false, omits_comments: false, keeps_omitted_texts: true };

/// Root properties that [`Header`](jigo_record::Header) covers. A safe fix may change their form.
const HEADER_TOKENS: [&[u8]; 7] = [b"FF", b"GM", b"CA", b"SZ", b"KM", b"HA", b"RE"];

impl Content {
    /// Reads the content of a game. An unreadable game has none.
    pub(super) fn from_text(text: &GameText, options: &FixOptions) -> Content {
        let Ok(normal_form) = normal_form(text, options.dialect, options.limits, OPTIONS, None) else {
            return Content::default();
        };
        let mut chain = Chain::default();
        let (mut tokens, mut clocks) = (Vec::new(), Vec::new());
        let (text, mut offset, mut is_root) = (&*normal_form.text, 0, true);
        while let Some(&byte) = text.as_bytes().get(offset) {
            let mut end = offset + 1;
            match byte {
                b'(' | b')' => chain.end(byte, &mut tokens, &mut clocks),
                b';' => is_root &= offset <= 1,
                byte if byte.is_ascii_uppercase() => {
                    end = name_and_values(&text[offset..]).map_or(text.len(), |(.., rest)| text.len() - rest.len());
                    chain.add(&text.as_bytes()[offset..end], is_root, (0, usize::MAX));
                }
                _ => {}
            }
            offset = end;
        }
        let omitted_texts = normal_form.omissions.texts().iter().filter_map(|text| plain(text.as_bytes()));
        // A property of a later node adds nothing if the root already says the same.
        let omitted_texts = omitted_texts.filter(|text| !chain.of_root.contains(text)).collect();
        Content { tokens, clocks, omitted_texts, limit_offset: normal_form.limit_offset }
    }

    /// Reads the content of a text in UTF-8 under the grammar of FF\[4\], without any recovery.
    /// Returns `None` if the text does not follow it.
    pub(super) fn from_grammar(bytes: &[u8]) -> Option<Content> {
        let mut elements = Elements::new(bytes);
        let (mut tokens, mut clocks) = (Vec::new(), Vec::new());
        let (mut chain, mut node, mut is_root) = (Chain::default(), PlainNode::default(), true);
        for element in elements.by_ref() {
            let sign = match element.ok()? {
                Element::Property { name, values } => {
                    node.push(&bytes[name], values.into_iter().map(|value| &bytes[value]));
                    continue;
                }
                Element::Node(offset) | Element::Open(offset) | Element::Close(offset) => bytes[offset],
            };
            let has_content = !node.is_empty();
            chain.add_node(std::mem::take(&mut node), is_root);
            is_root &= !has_content;
            if sign != b';' {
                chain.end(sign, &mut tokens, &mut clocks);
            }
        }
        let is_whole = bytes[elements.position()..].trim_ascii().is_empty();
        is_whole.then_some(Content { tokens, clocks, ..Content::default() })
    }

    /// Returns true if another content is the same, or repeats more of the clocks. Properties may
    /// have a more precise place there.
    pub(super) fn is_contained_in(&self, other: &Content) -> bool {
        // The normal form merges equal clocks of one node. They return when its turns get nodes
        // of their own.
        let is_contained = |(clocks, others): (&usize, &usize)| clocks <= others;
        let is_same = |(token, other): (&Token, &Token)| {
            token.text == other.text && token.place.0 <= other.place.0 && other.place.1 <= token.place.1
        };
        self.tokens.len() == other.tokens.len()
            && self.tokens.iter().zip(&other.tokens).all(is_same)
            && self.clocks.iter().zip(&other.clocks).all(is_contained)
            && self.omitted_texts == other.omitted_texts
    }
}

/// The properties between two parentheses.
#[derive(Default)]
struct Chain {
    /// The properties of the root that are about the record or the game.
    of_root: HashSet<Vec<u8>>,
    board: Vec<Token>,
    /// Annotations of turns. The normal form gives them to the last turn of their node.
    annotations: Vec<Token>,
    others: Vec<Token>,
    clocks: Vec<Token>,
}

impl Chain {
    fn add(&mut self, property: &[u8], is_root: bool, place: (usize, usize)) {
        let any_place = (0, usize::MAX);
        if let Some(turn) = plain_turn(property) {
            self.board.push(Token { text: turn.to_vec(), place: any_place });
            return;
        }
        let name = &property[..property.iter().position(|byte| *byte == b'[').unwrap_or(property.len())];
        let Some(text) = plain(property) else { return };
        let role = role(name);
        if matches!(role, Some(PropertyRole::Root | PropertyRole::GameInfo)) {
            // The normal form writes these three in any root.
            if is_root && !matches!(name, b"FF" | b"GM" | b"CA") {
                self.of_root.insert(text.clone());
            } else if self.of_root.contains(&text) {
                return;
            }
        }
        if is_root && HEADER_TOKENS.contains(&name) {
            return;
        }
        let (list, place) = match role {
            Some(PropertyRole::Clock) => (&mut self.clocks, place),
            Some(PropertyRole::TurnAnnotation) => (&mut self.annotations, place),
            Some(role) if is_on_board(role) => (&mut self.board, any_place),
            _ => (&mut self.others, place),
        };
        list.push(Token { text, place });
    }

    /// Adds the properties of a node. Setup comes before turns.
    fn add_node(&mut self, node: PlainNode, is_root: bool) {
        let start = self.board.len();
        let (board, others): (Vec<Vec<u8>>, Vec<Vec<u8>>) = node.into_properties();
        board.iter().for_each(|property| self.add(property, is_root, (0, 0)));
        let place = (start, self.board.len());
        others.iter().for_each(|property| self.add(property, is_root, place));
    }

    /// Ends the chain with this parenthesis.
    fn end(&mut self, parenthesis: u8, tokens: &mut Vec<Token>, clocks: &mut Vec<usize>) {
        self.clocks.sort_unstable();
        // The normal form, which has no places, merges equal clocks of one node.
        let is_merged = |first: &Token, second: &Token| first == second && first.place.1 == usize::MAX;
        clocks.extend(self.clocks.chunk_by(is_merged).map(<[_]>::len));
        self.clocks.dedup_by(|first, second| is_merged(first, second));
        let lists = [&mut self.board, &mut self.annotations, &mut self.others, &mut self.clocks];
        lists.into_iter().for_each(|list| tokens.append(list));
        tokens.push(Token { text: vec![parenthesis], place: (0, usize::MAX) });
    }
}

/// Returns a turn as [`plain`] does, if the property is a play. Most properties are plays.
fn plain_turn(property: &[u8]) -> Option<&[u8]> {
    match property {
        [b'B' | b'W', b'[', b'a'..=b's', b'a'..=b's', b']'] => Some(&property[..4]),
        _ => None,
    }
}

/// Returns a property with its values in the form of FF\[4\], as safe fixes write them. Returns
/// `None` if it says nothing.
fn plain(property: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(property);
    let Some((name, values, "")) = name_and_values(&text) else {
        // Stray text. A fix may change the blanks in it.
        let parts: Vec<&str> = text.split('[').map(|part| part.strip_suffix(']').unwrap_or(part).trim()).collect();
        return Some(parts.join("[").into_bytes());
    };
    let bytes: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
    if is_blank_number(name.as_bytes(), &bytes) {
        return None;
    }
    if let Some((name, values)) = current_property(name.as_bytes(), &bytes) {
        return Some(format!("{name}[{}", values.join("[")).into_bytes());
    }
    let standard = |value: &&str| standard_value(name.as_bytes(), value.as_bytes()).unwrap_or((*value).to_owned());
    let mut values: Vec<String> = values.iter().map(standard).collect();
    let is_single = role(name.as_bytes()).is_some() && !ValueForm::for_property(name.as_bytes()).is_list();
    if is_single && values.windows(2).all(|pair| pair[0] == pair[1]) {
        values.truncate(1);
    }
    if has_lines(name.as_bytes()) {
        // Several values are lines of one text.
        let lines: Vec<&str> = values.iter().flat_map(|value| value.lines()).map(str::trim).collect();
        values = vec![lines.join("\n")];
    }
    Some(format!("{name}[{}", values.join("[")).into_bytes())
}

/// Splits a property into its name and the trimmed values, before the rest of the text. Returns
/// `None` for other text.
fn name_and_values(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let (name, mut rest) = text.split_at(text.find('[')?);
    let mut values = Vec::new();
    while let Some(value) = rest.strip_prefix('[') {
        let mut is_escaped = false;
        let end = value.bytes().position(|byte| {
            let is_end = byte == b']' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        })?;
        values.push(value[..end].trim());
        rest = &value[end + 1..];
    }
    Some((name, values, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(text: &str) -> Content {
        Content::from_text(&GameText::from_sgf(text), &FixOptions::safe())
    }

    #[test]
    fn form_is_no_content_and_all_else_is() {
        let text = "(;GM[1]SZ[9]KM[650]PB[a];B[aa]BL[3]C[x]W[bb]WL[4](;B[cc]C[y\\]])(;B[dd]LB[aa:1]))";
        let reformatted =
            "(;GM[1]FF[4]SZ[9]KM[6.5]PB[a ];B[aa]BL[3]C[x];W[bb]WL[4](;Black[cc];C[y\\]])\n(;B[dd]LB[aa:1]))";
        assert!(content(text).is_contained_in(&content(reformatted)));
        for changed in ["PB[b]", "B[ab]", "C[z]", "WL[5]", "C[y]", "LB[aa:2]", "", "(;B[cc])"] {
            let with_change = |old: &str| text.replacen(old, changed, 1);
            let reformatted = match changed {
                "PB[b]" => with_change("PB[a]"),
                "B[ab]" => with_change("B[aa]"),
                "C[z]" => with_change("C[x]"),
                "WL[5]" => with_change("WL[4]"),
                "C[y]" => with_change("C[y\\]]"),
                "LB[aa:2]" => with_change("LB[aa:1]"),
                "" => with_change("C[x]"),
                _ => with_change("(;B[cc]C[y\\]])"),
            };
            assert!(!content(text).is_contained_in(&content(&reformatted)), "{reformatted}");
        }
    }

    #[test]
    fn values_in_the_form_of_ff4_have_the_same_content() {
        for (text, fixed) in [
            ("BL[]", ""),
            ("BL[ 1,5]", "BL[1.5]"),
            ("KO[1]", "KO[]"),
            ("C[x][y]", "C[x\ny]"),
            ("N[x][x]", "N[x]"),
            ("L[aa][bb]", "LB[aa:a][bb:b]"),
            ("ST[2]", ""),
            ("PC[x ]", ""),
        ] {
            let record = |node: &str| content(&format!("(;GM[1]SZ[9]ST[2]PC[x];B[aa]{node})"));
            assert!(record(text).is_contained_in(&record(fixed)), "{text}");
        }
        assert!(!content("(;GM[1]SZ[9];C[x[y])").is_contained_in(&content("(;GM[1]SZ[9];C[x\ny])")));
    }

    #[test]
    fn plays_have_the_same_form_in_both_ways() {
        for turn in ["B[aa]", "W[sa]", "B[as]", "W[tt]", "B[]", "B[a]", "B[Aa]", "B[aa][bb]", "AB[aa]"] {
            let plain = plain(turn.as_bytes());
            assert!(plain_turn(turn.as_bytes()).is_none_or(|turn| Some(turn.to_vec()) == plain), "{turn}");
        }
        assert!(plain_turn(b"B[aa]").is_some());
    }

    /// Values that the normal form does not write are content as well.
    #[test]
    fn value_that_the_normal_form_leaves_out_is_content() {
        for (text, lost) in [
            ("(;GM[1]SZ[9]PB[a]PB[a][b];B[aa])", "[b]"),
            ("(;GM[1]SZ[9]SZ[13];B[aa])", "SZ[13]"),
            ("(;GM[1]SZ[9]FF[1]FF[4];B[aa])", "FF[1]"),
            ("(;GM[1]SZ[9]KM[6.5]KM[six];B[aa])", "KM[six]"),
            ("(;GM[1]SZ[9];B[aa]MN[1]MN[2])", "MN[2]"),
            ("(;GM[1]SZ[9];B[aa]MN[1]MN[2]MN[3])", "MN[2]"),
            ("(;GM[1]SZ[9];B[aa][bb][cc])", "[bb]"),
            ("(;GM[1]SZ[9];AB[aa]AW[aa][bb])", "AB[aa]"),
            ("(;GM[1]SZ[9];AB[aa]PL[B]PL[W])", "PL[W]"),
            ("(;GM[1]SZ[9];B[aa]TR[a1][bb])", "[a1]"),
            ("(;GM[1]SZ[9];AB[a1][bb])", "[a1]"),
            ("(;GM[1]SZ[9];B[aa]x1[y])", "x1[y]"),
            ("(;GM[1]SZ[9]ST[2];B[aa]ST[1])", "ST[1]"),
            ("(;GM[1]SZ[9]PC[x];B[aa]PC[y])", "PC[y]"),
            ("(;GM[1]SZ[9];B[aa]C[x][y])", "[y]"),
            ("(;GM[1]SZ[9];B[aa]BL[x])", "BL[x]"),
            ("(;GM[1]SZ[9];B[aa]\n;[cc])", "[cc]"),
            ("(;GM[1]SZ[9];B[aa]KM[5.5])", "KM[5.5]"),
            ("(;GM[1]SZ[9];B[aa](;W[bb])(;W[cc])12)", "12"),
            ("(;GM[1]SZ[9];B[aa]C[x]C[", "C["),
        ] {
            let other = text.replacen(lost, "", 1);
            assert!(content(text).is_contained_in(&content(text)), "{text}");
            assert!(!content(text).is_contained_in(&content(&other)), "{text} without {lost}");
        }
    }
}
