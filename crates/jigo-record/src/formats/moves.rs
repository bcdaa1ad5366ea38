//! Move lists: one game per line, with an identifier and its turns. Large collections use this
//! form, such as the Tygem and TOM games of computer-go-dataset.
//!
//! | line | example |
//! |---|---|
//! | SGF nodes after a tab | `751137541<TAB>;B[pd];W[dd];B[pp]` |
//! | an SGF record after a tab, with its own header | `751137541<TAB>(;SZ[9];B[cc])` |
//! | pairs of letters, separated by blanks, commas or semicolons | `17 pd dd pp`, `17,pd,dd,pp` |
//! | pairs of letters without separators | `17 pdddppdp` (16 letters and more) |
//! | coordinates as players use them | `17 Q16 D4 Q4` |
//! | one game as people write it, in one or more lines | `1. Q16 D4 2. R4` |
//!
//! Turns without colours alternate and begin with Black. `tt` and `pass` are passes. The identifier
//! may be missing; it becomes GN. The header comes from an [`Index`] for the list, if there is one;
//! without it the board is 19x19.
//!
//! Sources: the description of computer-go-dataset and its converter for lines and indexes; actual
//! lists for the other forms.

use super::Row;
use crate::finding::Code;
use crate::formats::rewrite::{ConvertedRecord, SgfWriter};
use crate::record::nodes::first_value;
use crate::record::parse_size;
use crate::splitter::{Index, LineFormat, LineKind};
use jigo_rules::board::{BoardSize, Color, Point};

/// The division of a list into games. A line is a game if it has an identifier and a tab, or only
/// turns besides the identifier.
const LINES: LineFormat = LineFormat { line: line_kind, is_last, is_headerless, ..LineFormat::NONE };

/// The format.
pub(super) const ROW: Row = Row {
    name: "moves",
    suffixes: &[],
    is_start,
    begins_record,
    lines: LINES,
    reader: Some(|text, game| rewrite(text, game.index)),
};

fn line_kind(line: &[u8], _: &[u8], state: &mut u8) -> LineKind {
    // The fast path for nearly all lines.
    if let Some(tab) = memchr::memchr(b'\t', line)
        && matches!(line[tab + 1..], [] | [b';', ..] | [b'B' | b'W', b'[', ..])
    {
        return LineKind::Game;
    }
    let is_begun = std::mem::take(state) != 0;
    let begins = line.starts_with(b"1.") && numbered_turns(&String::from_utf8_lossy(line)).is_some();
    // A wrong turn does not end the game.
    if begins || is_begun && begins_with_turn_number(line) {
        *state = 1;
        return if begins { LineKind::Begins } else { LineKind::Inside };
    }
    let is_game = match ListLine::parse(&String::from_utf8_lossy(line)).turns {
        _ if is_numbered(line) => true,
        ListTurns::Nodes(..) | ListTurns::Record(..) => true,
        // A number alone is a game without turns.
        ListTurns::Words(words) if words.is_empty() => line.iter().all(u8::is_ascii_digit),
        // The last turn may be incomplete.
        ListTurns::Words(words) => {
            let turns = words.iter().filter(|(_, word)| turn(word).is_some()).count();
            turns == words.len()
                || (turns >= 2 && turns + 1 == words.len() && words.last().is_some_and(|(_, word)| word.len() < 3))
        }
    };
    if is_game { LineKind::Game } else { LineKind::Outside }
}

/// Returns true if a line has turns and may be complete.
fn is_last(line: &[u8]) -> bool {
    is_numbered_node(line) || turns_of(line) > 0
}

/// Returns true if a line begins with a number and a tab: it is a game, however its turns look.
/// Lines of names have no digits, and other texts have no tabs.
fn is_numbered(line: &[u8]) -> bool {
    let tab = memchr::memchr(b'\t', line);
    !line.starts_with(b"#") && tab.is_some_and(|tab| line[..tab].iter().any(u8::is_ascii_digit))
}

/// Returns true if a text begins like a move list.
///
/// An identifier, a tab and a turn as a node occur only in lists, so any of the first lines may
/// show them. Bare words are weaker evidence: one of the first two lines must have four turns, or
/// both a number and three turns. Lines with `#` are skipped. If any line begins like an SGF game,
/// the lines before it are the rest of another SGF game.
fn is_start(start: &[u8]) -> bool {
    let lines = start.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let lines = lines.filter(|line| !matches!(line, [] | [b'#', ..]));
    let mut first = lines.clone().take(2);
    if lines.clone().any(|line| line.starts_with(b"(;")) {
        return false;
    }
    let first_lines: Vec<&[u8]> = lines.clone().take(MIN_NUMBERED_TURNS).collect();
    let is_numbered_game = |text: &str| numbered_turns(text).is_some_and(|turns| turns >= MIN_NUMBERED_TURNS);
    lines.clone().any(is_numbered_node)
        // Such text before an SGF game, also one in UTF-16, is not a separate game.
        || memchr::memchr2(b'(', 0, start).is_none() && (1..=first_lines.len()).any(|count| {
            starts(&first_lines[..count].join(&b' ')).any(|text| text.starts_with("1.") && is_numbered_game(text))
        })
        || first.any(|line| starts(line).any(is_line))
        || (lines.clone().count() > 1 && lines.take(2).all(|line| starts(line).any(is_short_list)))
}

/// Returns true if the line is one of a list, and hardly anything else.
pub(super) fn is_list_line(line: &[u8]) -> bool {
    is_numbered_node(line) || starts(line).any(is_line) || starts(line).any(is_short_list)
}

/// Returns true if a text begins with a line of a list that is hardly anything else: with many
/// turns, or before another such line.
///
/// The rest of a damaged SGF game also consists of nodes, so these need an identifier with a digit.
fn begins_record(text: &[u8]) -> bool {
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty());
    let Some(first) = lines.next() else { return false };
    if is_numbered_node(first) {
        return is_numbered(first);
    }
    let turns = turns_of(first);
    turns >= MANY_TURNS || (turns >= FEW_TURNS && lines.next().is_some_and(|line| turns_of(line) >= FEW_TURNS))
}

/// The minimum number of turns in a single line that shows a list, and in each of two lines.
const MANY_TURNS: usize = 6;
const FEW_TURNS: usize = 4;
/// The minimum number of columns in such a line.
const FEW_COLUMNS: usize = 3;

/// Returns the number of turns in a line that consists only of turns besides its identifier; 0 for
/// any other line.
fn turns_of(line: &[u8]) -> usize {
    let min_end = line.len().min(EXAMINED_BYTES - LONGEST_TURN);
    // The lines of damaged SGF games are examined as well. Only an identifier may have a bracket.
    let id_end =
        line.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';')).unwrap_or(min_end);
    if id_end < min_end && line[id_end..min_end].contains(&b'[') {
        return 0;
    }
    starts(line).map(turns_of_text).find(|turns| *turns > 0).unwrap_or(0)
}

/// Returns the number of turns in a text that consists only of turns besides its identifier, or 0.
///
/// Words of two letters have a vowel, and most points have none. Labels such as A1 and A2 have few
/// columns.
fn turns_of_text(text: &str) -> usize {
    let words = match ListLine::parse(text).turns {
        ListTurns::Words(words) if words.iter().all(is_turn) => words,
        _ => return 0,
    };
    let is_vowel = |letter: u8| matches!(letter, b'a' | b'e' | b'i' | b'o');
    let vowel_count = words.iter().filter(|(_, word)| word.bytes().any(is_vowel)).count();
    let mut columns: Vec<u8> = words.iter().map(|(_, word)| word.as_bytes()[0]).collect();
    columns.sort_unstable();
    columns.dedup();
    let is_prose = vowel_count * 3 > words.len() * 2;
    if is_prose || columns.len() < FEW_COLUMNS { 0 } else { words.len() }
}

/// The length in bytes of the start of a line that shows whether it belongs to a list.
const EXAMINED_BYTES: usize = 400;

/// The maximum length of a turn and its separator.
const LONGEST_TURN: usize = 6;

/// Returns the start of a line. A long line is cut, perhaps within a turn, so all nearby ends are
/// tried.
fn starts(line: &[u8]) -> impl Iterator<Item = &str> {
    let min_end = if line.len() > EXAMINED_BYTES { EXAMINED_BYTES - LONGEST_TURN } else { line.len() };
    (min_end..=line.len().min(EXAMINED_BYTES)).filter_map(|end| std::str::from_utf8(&line[..end]).ok())
}

/// Returns true if a line has an identifier, a tab, and nodes with a turn in one of the first.
fn is_numbered_node(line: &[u8]) -> bool {
    let Some(tab) = memchr::memchr(b'\t', &line[..line.len().min(EXAMINED_BYTES)]) else { return false };
    // The rest of a damaged SGF game may also contain tabs.
    if line[..tab].iter().any(|byte| b"()[]{};\"\\".contains(byte)) {
        return false;
    }
    match ListLine::parse(&String::from_utf8_lossy(&line[..line.len().min(EXAMINED_BYTES)])).turns {
        ListTurns::Nodes(_, nodes) => nodes.trim_start_matches(';').split(';').take(4).any(begins_with_turn),
        ListTurns::Record(..) | ListTurns::Words(_) => false,
    }
}

/// Returns true if a node begins with a turn.
fn begins_with_turn(node: &str) -> bool {
    node.find(']').is_some_and(|end| turn(&node[..=end]).is_some())
}

/// Returns true if a line has a number and at least three turns.
fn is_short_list(line: &str) -> bool {
    let line = ListLine::parse(line);
    let is_number = !line.id.is_empty() && line.id.bytes().all(|byte| byte.is_ascii_digit());
    is_number && matches!(line.turns, ListTurns::Words(words) if words.len() >= 3 && words.iter().all(is_turn))
}

/// Returns true if a word is a turn. A word with brackets is an SGF node of a game without
/// beginning.
fn is_turn((_, word): &(usize, &str)) -> bool {
    !word.contains('[') && turn(word).is_some()
}

/// The minimum number of turns that shows a game with numbers before its turns.
const MIN_NUMBERED_TURNS: usize = 3;

/// Returns the number of turns of a text in which a number with a dot stands before one or two of
/// them. Returns `None` for any other text.
fn numbered_turns(text: &str) -> Option<usize> {
    let (mut turns, mut turns_of_number) = (0, 2);
    for word in text.split(is_separator).filter(|word| !word.is_empty()) {
        let (number, word) = word.split_once('.').map_or((None, word), |(number, word)| (Some(number), word));
        match number.map(str::parse::<u32>) {
            Some(Ok(_)) => turns_of_number = 0,
            Some(Err(_)) => return None,
            None => {}
        }
        if !word.is_empty() {
            (turns, turns_of_number) = (turns + 1, turns_of_number + 1);
            if turns_of_number > 2 || turn_in_any_case(BoardSize::standard(), word).is_none() {
                return None;
            }
        }
    }
    Some(turns)
}

/// Returns true if a line begins with a number and a dot.
fn begins_with_turn_number(line: &[u8]) -> bool {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && line.get(digits) == Some(&b'.')
}

/// A number with its offset, and the words after it with theirs.
type NumberedTurns<'a> = (u32, usize, Vec<(usize, &'a str)>);

/// Returns the words of a game with numbers before its turns, without the numbers.
///
/// If most numbers have two turns, numbers with more or fewer are reported. An empty word replaces a
/// missing turn, so that the others keep their colours.
fn words_without_numbers<'a>(text: &'a str, writer: &mut SgfWriter) -> Vec<(usize, &'a str)> {
    let mut numbers: Vec<NumberedTurns> = Vec::new();
    for word in text.split(is_separator).filter(|word| !word.is_empty()) {
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let (number, turn) = word.split_once('.').unwrap_or(("", word));
        if let Ok(number) = number.parse() {
            numbers.push((number, offset, Vec::new()));
        }
        if let (Some((.., turns)), false) = (numbers.last_mut(), turn.is_empty()) {
            turns.push((offset + word.len() - turn.len(), turn));
        }
    }
    let last = numbers.len().saturating_sub(1);
    let is_in_sequence = numbers.windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0));
    if is_in_sequence && numbers.iter().filter(|(.., turns)| turns.len() > 1).count() * 2 > last {
        for (index, (number, offset, turns)) in numbers.iter_mut().enumerate() {
            match turns.len() {
                2 => continue,
                0 | 1 if index == last => continue,
                0 => writer.note(Code::TurnNumbers, *offset, format!("number {number} has no turn, the others two")),
                1 => writer.note(Code::TurnNumbers, *offset, format!("number {number} has no turn of White")),
                count => {
                    let detail = format!("number {number} has {count} turns; only the first two are read");
                    writer.note(Code::TurnNumbers, *offset, detail);
                }
            }
            turns.resize(2, (*offset, ""));
        }
    }
    numbers.into_iter().flat_map(|(.., turns)| turns).collect()
}

/// Converts a line of a list, or a game in several lines, to SGF.
fn rewrite(line: &str, index: Option<&Index>) -> ConvertedRecord {
    let first_line = line.lines().next().unwrap_or_default();
    let mut writer = SgfWriter::with_room(line.len() + 256);
    let game = match first_line.starts_with("1.") && numbered_turns(first_line).is_some() {
        true => ListLine { id: "", turns: ListTurns::Words(words_without_numbers(line, &mut writer)) },
        false => ListLine::parse(line),
    };
    // The record's own header has more content than the index.
    if let ListTurns::Record(offset, record) = game.turns {
        if !record.contains("GN[") {
            writer.property("GN", game.id);
        }
        writer.copy_sgf(offset, record.as_bytes());
        return writer.end();
    }
    writer.property("GM", "1");
    let header = index.and_then(|index| index.header(game.id));
    match header {
        Some(header) => writer.push_sgf(header),
        None => writer.property("SZ", "19"),
    }
    let size = header.and_then(|header| {
        let value = first_value(header, 0..header.len(), b"SZ")?;
        Some(parse_size(std::str::from_utf8(&header[value]).ok()?)?.0)
    });
    let size = size.unwrap_or(BoardSize::standard());
    writer.property("GN", game.id);
    if index.is_some() && header.is_none() {
        writer.note(Code::NotInIndex, 0, format!("{:?}", game.id));
    }
    match game.turns {
        ListTurns::Nodes(offset, nodes) => {
            if !nodes.starts_with(';') {
                writer.push_sgf(b";");
            }
            writer.copy_sgf(offset, nodes.as_bytes());
        }
        // Already written above.
        ListTurns::Record(..) => {}
        ListTurns::Words(words) => write_turns(&words, size, &mut writer),
    }
    writer.end()
}

/// Returns true if a line contains only an identifier and turns.
fn is_headerless(line: &[u8]) -> bool {
    !matches!(ListLine::parse(&String::from_utf8_lossy(line)).turns, ListTurns::Record(..))
}

/// Returns true if the index has a header for the game of a line.
pub(super) fn is_in_index(line: &[u8], index: &Index) -> bool {
    index.header(ListLine::parse(&String::from_utf8_lossy(line)).id).is_some()
}

/// Returns true if a line belongs to a list. Besides turns it may only have an identifier, since
/// English has many words of two letters.
fn is_line(line: &str) -> bool {
    match ListLine::parse(line).turns {
        // Without an identifier it may be an SGF game without beginning.
        ListTurns::Nodes(_, nodes) if ListLine::parse(line).id.is_empty() && nodes.starts_with(';') => false,
        ListTurns::Nodes(_, nodes) => {
            let nodes = nodes.trim_start_matches(';').split(';').take(4);
            nodes.filter(|node| turn(node.trim()).is_some()).count() == 4
        }
        ListTurns::Record(..) => false,
        ListTurns::Words(words) => words.len() >= 4 && words.iter().all(is_turn),
    }
}

/// A line of a list: its identifier, which may be empty, and its turns.
struct ListLine<'a> {
    id: &'a str,
    turns: ListTurns<'a>,
}

/// The turns of a line by their form.
enum ListTurns<'a> {
    /// SGF nodes and their offset.
    Nodes(usize, &'a str),
    /// A whole SGF record after an identifier, without `(;` and `)`, and the offset after the `(;`.
    Record(usize, &'a str),
    /// Turns with their offsets.
    Words(Vec<(usize, &'a str)>),
}

/// The minimum length of letter pairs without separators. Shorter runs may be words.
const MIN_PAIRS_LENGTH: usize = 16;

/// Returns true if a character separates the words of a line.
fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | ';')
}

impl<'a> ListLine<'a> {
    fn parse(line: &'a str) -> ListLine<'a> {
        let line = line.trim_end();
        let (id, rest) = line.split_once('\t').map_or(("", line), |(id, nodes)| (id.trim(), nodes));
        let nodes = rest.trim();
        if ["B[", "W[", ";B[", ";W[", ";AB[", ";AW["].iter().any(|begins| nodes.starts_with(begins)) {
            return ListLine { id, turns: ListTurns::Nodes(line.len() - rest.trim_start().len(), nodes) };
        }
        if let (false, Some(record)) = (id.is_empty(), nodes.strip_prefix("(;")) {
            let offset = line.len() - record.len();
            return ListLine { id, turns: ListTurns::Record(offset, record.strip_suffix(')').unwrap_or(record)) };
        }
        let word_offset = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
        let mut words =
            line.split(is_separator).filter(|word| !word.is_empty()).map(|word| (word_offset(word), word)).peekable();
        let has_id = words.peek().is_some_and(|(_, word)| turn(word).is_none() && letter_pairs(word).is_none());
        let id = if has_id { words.next().map_or("", |(_, word)| word) } else { "" };
        let turns = words.flat_map(|(offset, word)| {
            letter_pairs(word).map_or(vec![(offset, word)], |pairs| {
                pairs.into_iter().enumerate().map(|(pair, word)| (offset + 2 * pair, word)).collect()
            })
        });
        ListLine { id, turns: ListTurns::Words(turns.collect()) }
    }
}

/// Splits a word into pairs of letters if it consists only of them.
fn letter_pairs(word: &str) -> Option<Vec<&str>> {
    let is_point = |letter: u8| (b'a'..=b't').contains(&letter);
    let is_joined = word.len() >= MIN_PAIRS_LENGTH && word.len().is_multiple_of(2) && word.bytes().all(is_point);
    is_joined.then(|| (0..word.len()).step_by(2).map(|offset| &word[offset..offset + 2]).collect())
}

/// Parses a turn on the usual board.
fn turn(word: &str) -> Option<(Option<Color>, String)> {
    turn_on(BoardSize::standard(), word)
}

/// Parses a turn: its colour, if given, and its value in SGF form.
fn turn_on(size: BoardSize, word: &str) -> Option<(Option<Color>, String)> {
    match word.as_bytes() {
        [color @ (b'B' | b'W'), b'[', .., b']'] => {
            let color = if *color == b'B' { Color::Black } else { Color::White };
            let value = &word[2..word.len() - 1];
            (value.is_empty() || is_point(value)).then(|| (Some(color), value.to_owned()))
        }
        [_, _] if is_point(word) => Some((None, word.to_owned())),
        [b'A'..=b'Z', b'1'..=b'9'] | [b'A'..=b'Z', b'1'..=b'9', b'0'..=b'9'] => {
            Some((None, Point::from_a1(word, size)?.to_string()))
        }
        _ => word.eq_ignore_ascii_case("pass").then_some((None, String::new())),
    }
}

/// Parses a turn whose coordinates may have small letters, as in `q16`.
fn turn_in_any_case(size: BoardSize, word: &str) -> Option<(Option<Color>, String)> {
    turn_on(size, word).or_else(|| turn_on(size, &word.to_ascii_uppercase()))
}

/// Returns true for two letters that name a point of the 19x19 board, or a pass.
fn is_point(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b't', b'a'..=b't'])
}

/// Writes turns with their offsets as nodes.
fn write_turns(words: &[(usize, &str)], size: BoardSize, writer: &mut SgfWriter) {
    let mut next = Color::Black;
    let last = Point::new(size.width() - 1, 0).to_a1(size);
    for (offset, word) in words {
        match turn_in_any_case(size, word) {
            Some((color, value)) => {
                let color = color.unwrap_or(next);
                writer.node(*offset);
                writer.push_sgf(color.letter().as_bytes());
                writer.value(&value);
                next = color.opponent();
            }
            // The other turns keep their colours.
            None if word.is_empty() => next = next.opponent(),
            None => {
                let detail = format!("no turn of {}; points are A1 to {last} without I, or like aa", next.name());
                writer.unreadable_line(*offset, word, &detail);
                next = next.opponent();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR_TURNS: &str = ";B[pd];W[dd];B[pp];W[dp]";

    #[test]
    fn list_of_moves_is_detected_by_its_first_lines() {
        for start in [
            format!("1\t;B[pd];W[dd]\n2\t;B[pd]\n3\t{FOUR_TURNS}\n"),
            format!("1\t\n2\t\n3\t{FOUR_TURNS}\n"),
            format!("1\t;B[pd];W[dd];B[p\n2\t;;;;\n3\t{FOUR_TURNS}\n"),
            format!("# c\n# c\n# c\n1\t{FOUR_TURNS}\n"),
            "1\t(;GM[1]SZ[9];B[aa])\n2\t;B[aa]\n".into(),
            "a\t;B[pd]BL[30]\n".into(),
            "a\t;AB[pd][dd];W[pp]\n".into(),
            "17,Q16,D4,Q4\n18,Q16,D4,C3\n".into(),
            "1. Q16 D4 2. R4\n".into(),
            "1. q16 d4\n2. r4 c3\n".into(),
            "1.Q16 2.D4 3.pass".into(),
            "1. Q16\n2. D4\n3. R4\n".into(),
            "1. Q16 D4\n2. Q4 D16\n3. Z9 C3\n".into(),
            "# c\n# c\n# c\n17 pd dd pp dp\n".into(),
        ] {
            assert!(is_start(start.as_bytes()), "{start}");
        }
    }

    #[test]
    fn game_with_numbers_is_one_game() {
        let record = rewrite("1. Q16 D4\n2. r4 C3\n3. pass\n", None);
        let turns = "(;GM[1]SZ[19];B[pd];W[dp];B[qp];W[cq];B[])";
        assert_eq!(String::from_utf8(record.text).unwrap(), turns);
        assert_eq!(record.findings, []);
        let record = rewrite("1. Q16 D4\n2. Z9 C3\n", None);
        assert_eq!(String::from_utf8(record.text).unwrap(), "(;GM[1]SZ[19];B[pd];W[dp];W[cq])");
        assert_eq!((record.findings.len(), record.findings[0].code), (1, Code::UnreadableLine));
        // Other turns keep their colours if a number has too few or too many.
        for (text, turns, detail) in [
            ("1. Q16 D4 2. R4 3. C3 D5", ";B[pd];W[dp];B[qp];B[cq];W[do]", "number 2 has no turn of White"),
            ("1. Q16 D4 2. 3. C3 D5", ";B[pd];W[dp];B[cq];W[do]", "number 2 has no turn, the others two"),
            ("1. Q16 D4\n2. R4 C3\n3. K3 K4 K5\n4. C5", ";B[pd];W[dp];B[qp];W[cq];B[jq];W[jp];B[co]", "number 3 has 3"),
        ] {
            let record = rewrite(text, None);
            assert_eq!(String::from_utf8(record.text).unwrap(), format!("(;GM[1]SZ[19]{turns})"));
            let found = &record.findings[..];
            assert!(
                matches!(found, [one] if one.code == Code::TurnNumbers && one.detail.starts_with(detail)),
                "{found:?}"
            );
        }
        // A number before each turn, and numbers of turns.
        for text in ["1.Q16 2.D4 3.R4 C3 4.C5 5.K3", "1. Q16 D4 3. R4 4. C3 5. D5 K3"] {
            assert_eq!(rewrite(text, None).findings, [], "{text}");
        }
        let mut state = 0;
        let lines = ["1. Q16 D4", "2. R4 C3", "3. Z3", "1. D4 Q16"];
        let kinds = lines.map(|line| line_kind(line.as_bytes(), b"", &mut state));
        assert_eq!(kinds, [LineKind::Begins, LineKind::Inside, LineKind::Inside, LineKind::Begins]);
    }

    #[test]
    fn coordinates_count_on_the_board_of_the_index() {
        let mut index = Index::default();
        for (id, size) in [("17", "13"), ("18", "21"), ("20", "9:5")] {
            index.add(id, [("PB", "[SZ[9]"), ("SZ", size)]).unwrap();
        }
        for (line, expected) in [
            ("17,K10,d4,N1,aa", ";B[jd];W[dj];B[mm];W[aa])"),
            ("18,V21,A1", ";B[ua];W[au])"),
            ("19,K10,D4,Q4", ";B[jj];W[dp];B[pp])"),
            ("20,J1,A5", ";B[ie];W[aa])"),
        ] {
            let record = rewrite(line, Some(&index));
            let sgf = String::from_utf8(record.text).unwrap();
            assert!(sgf.ends_with(expected), "{sgf}");
        }
        let findings = rewrite("17,K10,Q4,A1,A2", Some(&index)).findings;
        assert!(findings[0].detail.contains("A1 to N13 without I"), "{findings:?}");
    }

    #[test]
    fn truncated_long_line_is_detected() {
        for id in ["1", "12", "123", "1234"] {
            for turns in [" pd".repeat(300), " Q16".repeat(300), format!(" {}", "pddd".repeat(300))] {
                assert!(is_start(format!("{id}{turns}\n").as_bytes()), "{id} {turns}");
            }
        }
    }

    #[test]
    fn other_texts_are_no_lists() {
        for start in [
            "",
            "1\t\n2\t\n",
            "17,Q16,D4,Q4\n",
            "1. Q16 D4 2. R4\n(\0;\0G\0M\0[\0",
            "17 is as he\nso at it\n",
            "he is as\nit is he\n",
            "GM[1]\t;B[pd];W[dd]\n\t;B[pp]\n",
            "\t;B[pd];W[dd];B[pp]\n",
            "file,game,turn\na,1,2\n",
            "id\tgame\n1\tpd\n",
            "1\t(;GM[1];B[pd]C[two\nlines])\n2\t(;GM[1];B[pd])\n",
        ] {
            assert!(!is_start(start.as_bytes()), "{start}");
        }
        // The rest of a game without beginning, alone and before other games.
        let rest = ["[rb];W[kr]", "x];W[kr]", "];W[kr]"].map(|first| first.to_owned() + &";B[gf];W[jn]".repeat(60));
        for start in rest.iter().map(String::as_str).chain(["B[dd];W[pp];B[dp];W[pd]"]) {
            let start = format!("{start})\n(;GM[1]FF[4]SZ[9];B[cd];W[dd])\n");
            assert!(!is_start(start.as_bytes()), "{start}");
        }
        for start in rest {
            assert!(!is_start(start.as_bytes()), "{start}");
        }
    }
}
