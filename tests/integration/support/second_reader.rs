//! A second reader of game records that shares no code with jigo. It knows UTF-16, the charset in
//! CA, and the SGF tree.
//!
//! It reads games with an unclosed end, turns without a semicolon, brackets without a backslash and
//! names with small letters. Text after the end of a game belongs to that game. It does not know
//! any other damage.

use std::collections::BTreeMap;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A game in a form that does not depend on its encoding or spelling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecondGame {
    /// The bytes from its start to the start of the next game.
    pub range: Range<usize>,
    /// The values of the root's header properties, by name.
    pub header: BTreeMap<String, String>,
    /// Turns, setup and parentheses, in order.
    pub board: Vec<String>,
    /// Comments, marks and all other properties, in order.
    pub texts: Vec<String>,
    /// Clocks, each with its value, sorted.
    pub clocks: Vec<String>,
}

/// Reads all games of a file.
pub fn read_games(bytes: &[u8]) -> Vec<SecondGame> {
    let starts = game_starts(bytes);
    let ends = starts.iter().skip(1).map(|(offset, _)| *offset).chain([bytes.len()]);
    let games = starts.iter().zip(ends).map(|((offset, encoding), end)| {
        let text = text_of(without_mark(&bytes[*offset..end]), *encoding);
        SecondGame { range: *offset..end, ..read_game(&text) }
    });
    games.collect()
}

/// Returns a game without the byte order mark of the next one.
fn without_mark(game: &[u8]) -> &[u8] {
    const MARKS: [&[u8]; 3] = [b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB\xBF"];
    MARKS.iter().find_map(|mark| game.strip_suffix(*mark)).unwrap_or(game)
}

/// Returns the starts of games, each with its form of UTF-16. A start is `(;` outside values, at
/// the start of a line or after another game.
fn game_starts(bytes: &[u8]) -> Vec<(usize, Option<&'static Encoding>)> {
    let signs: [(&[u8], Option<&'static Encoding>); 3] =
        [(b"(\0;\0", Some(UTF_16LE)), (b"\0(\0;", Some(UTF_16BE)), (b"(;", None)];
    // Line ends in single bytes after a game in UTF-16 look like these letters.
    let line_ends = ["\u{A0A}", "\u{A0D}", "\u{D0A}"].map(str::as_bytes);
    let is_after_line_end = |offset: usize| line_ends.iter().any(|end| bytes[..offset].ends_with(end));
    let is_after = |offset: usize| {
        bytes[..offset].iter().rev().find(|byte| **byte != 0).is_none_or(|byte| b")\n\xFF\xFE\xBF".contains(byte))
    };
    let is_edge = |offset: usize| is_after(offset) || is_after_line_end(offset);
    let (mut starts, mut search_start) = (Vec::new(), 0);
    for offset in 0..bytes.len() {
        let sign = signs.iter().find(|(sign, _)| bytes[offset..].starts_with(sign));
        if let Some((sign, encoding)) = sign.filter(|_| offset >= search_start && is_edge(offset)) {
            let letters = bytes[offset + sign.len()..].iter().copied();
            let node: Vec<u8> = letters.filter(|byte| *byte != 0).take_while(|byte| *byte != b';').collect();
            if !begins_variation(node.trim_ascii_start()) {
                starts.push((offset, *encoding));
                search_start = offset + sign.len();
            }
        }
    }
    starts
}

/// Returns the text of a game. Each byte of an unknown charset becomes one character, so that every
/// change is visible.
fn text_of(bytes: &[u8], encoding: Option<&'static Encoding>) -> String {
    if let Some(encoding) = encoding {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| !matches!(byte, 0 | 0x1A)).collect();
    if let Ok(text) = String::from_utf8(bytes.clone()) {
        return text;
    }
    let label = bytes.windows(3).position(|name| name == b"CA[").and_then(|offset| {
        let value = &bytes[offset + 3..];
        Encoding::for_label(&value[..value.iter().position(|byte| *byte == b']')?])
    });
    match label.filter(|label| *label != UTF_8) {
        Some(label) => label.decode_without_bom_handling(&bytes).0.into_owned(),
        None => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

fn read_game(text: &str) -> SecondGame {
    let letters: Vec<char> = text.chars().collect();
    let mut game = SecondGame::default();
    let (mut offset, mut depth, mut nodes, mut name) = (0, 0, 0, String::new());
    let mut node: Vec<(String, Vec<String>)> = Vec::new();
    while offset < letters.len() {
        match letters[offset] {
            '(' | ')' | ';' => {
                let sign = letters[offset];
                end_node(&mut game, std::mem::take(&mut node), nodes == 1);
                nodes += usize::from(sign == ';');
                depth = if sign == '(' { depth + 1 } else { depth - i32::from(sign == ')') };
                if sign == ')'
                    && game.board.last().is_some_and(|last| last == "(")
                    && last_sign(&letters[..offset]) == Some('(')
                {
                    // A variation without nodes says nothing.
                    game.board.pop();
                } else if sign != ';' && depth > 0 && nodes > 0 {
                    game.board.push(sign.to_string());
                }
                depth = depth.max(0);
                name.clear();
                offset += 1;
            }
            '[' => {
                let (value, end) = value(&letters, offset + 1);
                match node.last_mut().filter(|_| name.is_empty()) {
                    Some((_, values)) => values.push(value),
                    None => node.push((std::mem::take(&mut name), vec![value])),
                }
                offset = end;
            }
            letter => {
                if letter.is_ascii_uppercase() {
                    name.push(letter);
                }
                offset += 1;
            }
        }
    }
    end_node(&mut game, node, nodes == 1);
    while game.board.last().is_some_and(|last| last == ")") {
        game.board.pop();
    }
    game.clocks.sort();
    game
}

/// Returns true if the first node of a tree is of a variation: it starts with a turn, or with a
/// text or setup and has no size or player.
fn begins_variation(node: &[u8]) -> bool {
    let has = |name: &[u8]| node.windows(name.len()).any(|part| part == name);
    let begins = |names: &[&[u8]]| names.iter().any(|name| node.starts_with(name));
    begins(&[b"B[", b"W["])
        || begins(&[b"C[", b"AB[", b"AW["]) && ![b"SZ[", b"PB[", b"PW["].iter().any(|name| has(*name))
}

/// Returns the last letter that is not blank.
fn last_sign(letters: &[char]) -> Option<char> {
    letters.iter().rev().copied().find(|letter| !letter.is_whitespace())
}

/// Returns the value at an index and the index after its bracket. Escapes, blank lines and control
/// characters are removed.
fn value(letters: &[char], mut offset: usize) -> (String, usize) {
    let mut text = String::new();
    while offset < letters.len() && !(letters[offset] == ']' && ends_value(&letters[offset + 1..])) {
        offset += usize::from(letters[offset] == '\\');
        text.extend(letters.get(offset));
        offset += 1;
    }
    text.retain(|letter| !letter.is_control() || letter.is_whitespace());
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    (lines.join("\n"), offset + 1)
}

/// Returns true if the text after a bracket continues like a game after a value.
fn ends_value(rest: &[char]) -> bool {
    if matches!(rest.first(), Some('\r' | '\n')) {
        return true;
    }
    let rest = &rest[rest.iter().take_while(|letter| letter.is_whitespace() || letter.is_control()).count()..];
    let name = rest.iter().take_while(|letter| letter.is_ascii_alphabetic()).count();
    match rest.first() {
        // After a game in UTF-16, line ends in single bytes look like these.
        None | Some('[' | ';' | '(' | ')' | '\u{A0A}' | '\u{A0D}' | '\u{D0A}' | '\u{FFFD}') => true,
        Some(first) if first.is_ascii_uppercase() => rest[name..].first().is_none_or(|next| " [".contains(*next)),
        _ => false,
    }
}

const HEADER: [&str; 14] = ["PB", "PW", "BR", "WR", "EV", "RO", "DT", "PC", "RE", "KM", "HA", "RU", "SZ", "GN"];
const MARKS: [&str; 6] = ["CR", "LB", "MA", "SL", "SQ", "TR"];
const FORM: [&str; 4] = ["FF", "GM", "CA", "ST"];

/// Adds a node. A property that occurs twice in a node is merged into one.
fn end_node(game: &mut SecondGame, node: Vec<(String, Vec<String>)>, is_root: bool) {
    let mut merged: Vec<(String, Vec<String>)> = Vec::new();
    for (name, values) in node {
        let is_turn = matches!(name.as_str(), "B" | "W" | "BL" | "WL" | "OB" | "OW");
        match merged.iter_mut().find(|(other, _)| *other == name && !is_turn) {
            Some((_, existing)) if *existing == values => {}
            Some((_, existing)) if name == "C" => {
                existing.extend(values);
                *existing = vec![existing.join("\n")];
            }
            Some((_, existing)) => {
                existing.extend(values.into_iter().filter(|value| !existing.contains(value)).collect::<Vec<_>>())
            }
            None => merged.push((name, values)),
        }
    }
    // In a node with both, setup comes before the turn.
    merged.sort_by_key(|(name, _)| matches!(name.as_str(), "B" | "W"));
    for (name, values) in merged {
        let Some((name, mut values)) = standard(name, values) else { continue };
        match name.as_str() {
            "B" | "W" => {
                let place = point(&values[0], game.header.get("SZ"));
                game.board.push(format!("{name} {place}"));
            }
            "AB" | "AW" | "AE" | "PL" | "TB" | "TW" => {
                values = values.iter().flat_map(|value| rectangle(value)).collect();
                values.sort();
                values.dedup();
                game.board.push(format!("{name} {}", values.join(" ")));
            }
            "BL" | "WL" | "OB" | "OW" => game.clocks.extend(values.iter().map(|value| format!("{name}[{value}]"))),
            name if is_root && FORM.contains(&name) => {}
            name if is_root && HEADER.contains(&name) => {
                game.header.entry(name.to_owned()).or_insert_with(|| values.swap_remove(0));
            }
            _ => {
                if MARKS.contains(&name.as_str()) {
                    values.iter_mut().for_each(|value| make_small(value));
                    values.sort();
                }
                values.dedup();
                game.texts.push(format!("{name} {values:?}"));
            }
        }
    }
}

/// Returns a property in the form of FF[4], as fixes of form write it. Returns `None` for a number
/// without a digit.
fn standard(name: String, mut values: Vec<String>) -> Option<(String, Vec<String>)> {
    const TEXTS: [&str; 2] = ["C", "GC"];
    const DOUBLES: [&str; 7] = ["BM", "TE", "DM", "GB", "GW", "HO", "UC"];
    let is_blank = values.len() == 1 && values[0].is_empty();
    match name.as_str() {
        _ if values.len() > 1 && TEXTS.contains(&name.as_str()) => values = vec![values.join("\n")],
        "KO" | "IT" | "DO" if values == ["1"] => values = vec![String::new()],
        "BL" | "WL" | "OB" | "OW" | "MN" | "V" | "TM" if is_blank => return None,
        "CR" | "LB" | "MA" | "SL" | "SQ" | "TR" if is_blank => return None,
        "L" => {
            let labels = values.iter().zip('a'..='z').map(|(point, letter)| format!("{point}:{letter}"));
            return Some(("LB".into(), labels.collect()));
        }
        "M" => return Some(("MA".into(), values)),
        name if is_blank && DOUBLES.contains(&name) => values = vec!["1".into()],
        "OB" | "OW" => values.iter_mut().for_each(|value| *value = value.trim_end_matches(".0").to_owned()),
        "BL" | "WL" => values.iter_mut().for_each(|value| *value = value.replace(',', ".")),
        _ => {}
    }
    Some((name, values))
}

/// Makes the point of a mark small, but not the text of a label after it.
fn make_small(value: &mut str) {
    let length = value.find(':').filter(|length| *length == 2).unwrap_or(value.len());
    value[..length].make_ascii_lowercase();
}

/// Returns a pass, or a point in two letters. Reads `Q16` too, on a board of this size.
fn point(value: &str, size: Option<&String>) -> String {
    let small = value.trim().to_ascii_lowercase();
    let size: usize = size.and_then(|size| size.split(':').next()?.parse().ok()).unwrap_or(19);
    let coordinates = || {
        let (column, row) = small.split_at_checked(1)?;
        let column = ('a'..='z').filter(|letter| *letter != 'i').position(|letter| column.starts_with(letter))?;
        let row = size.checked_sub(row.parse().ok()?)?;
        let letters = [column, row].map(|number| char::from(b'a' + number as u8));
        Some(letters.iter().collect())
    };
    match small.as_str() {
        "" | "tt" | "pass" => "pass".into(),
        _ => coordinates().unwrap_or(small),
    }
}

/// Returns the points of a rectangle, or a single point.
fn rectangle(value: &str) -> Vec<String> {
    let small = value.trim().to_ascii_lowercase();
    let [left, top, b':', right, bottom] = small.as_bytes() else { return vec![small] };
    let rows = || *top..=*bottom;
    (*left..=*right)
        .flat_map(|column| rows().map(move |row| format!("{}{}", char::from(column), char::from(row))))
        .collect()
}
