//! Lists of moves: a game a line, an identifier and its turns, as large collections come (the Tygem and TOM games of computer-go-dataset).
//!
//! | line | example |
//! |---|---|
//! | nodes of SGF behind a tab | `751137541<TAB>;B[pd];W[dd];B[pp]` |
//! | pairs of letters, by blanks, commas or semicolons | `17 pd dd pp`, `17,pd,dd,pp` |
//! | the same without anything between them | `17 pdddppdp` (16 letters and more) |
//! | points as players call them | `17 Q16 D4 Q4` |
//!
//! Where nothing says whose turn it is, Black begins and they alternate; `tt` and `pass` are passes. The identifier may be missing. Nothing else is said of the game: the board is 19x19,
//! and the header comes from an [`Index`] beside the list, if there is one. The identifier becomes GN.
//!
//! Sources: the description of computer-go-dataset and its converter, for lines and for indexes; the other forms as the lists that were met.

use crate::board::{BoardSize, Color, Point};
use crate::finding::Code;
use crate::record::rewrite::{Rewriting, Rewritten};
use crate::sgf::{Index, LineFormat, LineKind};

/// How a list is cut into games: a line with an identifier and a tab, or with nothing but turns beside the identifier, is one.
pub(super) const FORMAT: LineFormat = LineFormat { name: "moves", line: line_kind, label: |_| None };

fn line_kind(line: &[u8], _: &[u8], _: &mut u8) -> LineKind {
    // Almost all lines are like this.
    if let Some(tab) = memchr::memchr(b'\t', line)
        && matches!(line[tab + 1..], [] | [b';', ..] | [b'B' | b'W', b'[', ..])
    {
        return LineKind::Game;
    }
    let is_game = match Line::of(&String::from_utf8_lossy(line)).turns {
        Turns::Nodes(..) => true,
        // A number alone is a game without turns.
        Turns::Words(words) if words.is_empty() => line.iter().all(u8::is_ascii_digit),
        // The last turn may be cut.
        Turns::Words(words) => {
            let turns = words.iter().filter(|(_, word)| turn(word).is_some()).count();
            turns == words.len()
                || (turns >= 2 && turns + 1 == words.len() && words.last().is_some_and(|(_, word)| word.len() < 3))
        }
    };
    if is_game { LineKind::Game } else { LineKind::Outside }
}

/// Whether a text begins as a list does: the first line, or the second behind a line of names.
pub(super) fn is_start(start: &[u8]) -> bool {
    let mut lines = start.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()).take(2);
    lines.any(|line| std::str::from_utf8(&line[..line.len().min(LOOKED_AT)]).is_ok_and(is_line))
}

/// How much of a line is looked at to know a list.
const LOOKED_AT: usize = 400;

/// A line of a list as SGF.
pub(super) fn rewrite(line: &str, index: Option<&Index>) -> Rewritten {
    let game = Line::of(line);
    let mut writing = Rewriting::with_room(line.len() + 256);
    writing.property("GM", "1");
    let header = index.and_then(|index| index.header(game.id));
    match header {
        Some(header) => writing.raw(header),
        None => writing.property("SZ", "19"),
    }
    writing.property("GN", game.id);
    if index.is_some() && header.is_none() {
        writing.note(Code::NotInIndex, 0, format!("{:?}", game.id));
    }
    match game.turns {
        Turns::Nodes(at, nodes) => {
            if !nodes.starts_with(';') {
                writing.raw(b";");
            }
            writing.verbatim(at, nodes.as_bytes());
        }
        Turns::Words(words) => write(&words, &mut writing),
    }
    writing.end()
}

/// Whether a line is one of a list. Beside turns there is an identifier at most; English has too many words of two letters for more.
pub(super) fn is_line(line: &str) -> bool {
    match Line::of(line).turns {
        // Without an identifier it may be a game of SGF that has lost its beginning.
        Turns::Nodes(_, nodes) if Line::of(line).id.is_empty() && nodes.starts_with(';') => false,
        Turns::Nodes(_, nodes) => {
            let nodes = nodes.trim_start_matches(';').split(';').take(4);
            nodes.filter(|node| turn(node.trim()).is_some()).count() == 4
        }
        Turns::Words(words) => words.len() >= 4 && words.iter().all(|(_, word)| turn(word).is_some()),
    }
}

struct Line<'a> {
    id: &'a str,
    turns: Turns<'a>,
}

enum Turns<'a> {
    /// SGF, and the byte where it begins.
    Nodes(usize, &'a str),
    /// Turns with their bytes.
    Words(Vec<(usize, &'a str)>),
}

/// Letters of points without anything between them that are no word.
const JOINED: usize = 16;

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Line<'a> {
        let line = line.trim_end();
        let (id, behind) = line.split_once('\t').map_or(("", line), |(id, nodes)| (id.trim(), nodes));
        let nodes = behind.trim();
        if ["B[", "W[", ";B[", ";W[", ";AB[", ";AW["].iter().any(|begins| nodes.starts_with(begins)) {
            return Line { id, turns: Turns::Nodes(line.len() - behind.trim_start().len(), nodes) };
        }
        let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
        let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
        let mut words =
            line.split(is_between).filter(|word| !word.is_empty()).map(|word| (place(word), word)).peekable();
        let has_id = words.peek().is_some_and(|(_, word)| turn(word).is_none() && joined(word).is_none());
        let id = if has_id { words.next().map_or("", |(_, word)| word) } else { "" };
        let turns = words.flat_map(|(at, word)| {
            joined(word).map_or(vec![(at, word)], |pairs| {
                pairs.into_iter().enumerate().map(|(pair, word)| (at + 2 * pair, word)).collect()
            })
        });
        Line { id, turns: Turns::Words(turns.collect()) }
    }
}

/// The pairs of letters of a word that is nothing else.
fn joined(word: &str) -> Option<Vec<&str>> {
    let is_point = |letter: u8| (b'a'..=b't').contains(&letter);
    let is_joined = word.len() >= JOINED && word.len().is_multiple_of(2) && word.bytes().all(is_point);
    is_joined.then(|| (0..word.len()).step_by(2).map(|at| &word[at..at + 2]).collect())
}

/// A turn: its colour, if it says so, and its value as SGF has it.
fn turn(word: &str) -> Option<(Option<Color>, String)> {
    match word.as_bytes() {
        [color @ (b'B' | b'W'), b'[', .., b']'] => {
            let color = if *color == b'B' { Color::Black } else { Color::White };
            let value = &word[2..word.len() - 1];
            (value.is_empty() || point(value)).then(|| (Some(color), value.to_owned()))
        }
        [_, _] if point(word) => Some((None, word.to_owned())),
        [b'A'..=b'T', b'1'..=b'9'] | [b'A'..=b'T', b'1', b'0'..=b'9'] => {
            Some((None, Point::from_a1(word, BoardSize::standard())?.to_string()))
        }
        _ => word.eq_ignore_ascii_case("pass").then_some((None, String::new())),
    }
}

fn point(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b't', b'a'..=b't'])
}

fn write(words: &[(usize, &str)], writing: &mut Rewriting) {
    let mut next = Color::Black;
    for (at, word) in words {
        match turn(word) {
            Some((color, value)) => {
                let color = color.unwrap_or(next);
                writing.node(*at);
                writing.raw(color.letter().as_bytes());
                writing.value(&value);
                next = color.opponent();
            }
            None => writing.unreadable_line(*at, word, "no turn"),
        }
    }
}
