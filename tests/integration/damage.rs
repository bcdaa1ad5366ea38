//! Damage to a game affects only that game.

use crate::support::generated::Random;
use jigo_core::analysis::{Analyzer, Outcome, Settings};
use jigo_record::finding::Code;
use jigo_record::sgf::grammar::is_well_formed;
use jigo_record::splitter::{GameText, Piece, split};
use jigo_record::{GameRecord, Reading, Step, StepKind};
use jigo_rules::select::Choice;
use proptest::prelude::*;
#[cfg(target_os = "linux")]
use std::time::Duration;

/// Returns a game of `turns` turns with a server's header. Different numbers give different games.
pub fn game(number: usize, turns: usize) -> String {
    let mut text = format!(
        "(;GM[1]FF[4]CA[UTF-8]SZ[19]GN[Game {number}]PC[Server]DT[2006-02-{:02}]PB[Black 黒 {number}]BR[9d]PW[White {number}]\
         WR[8d]KM[6.5]RU[Japanese]RE[W+R]",
        number % 28 + 1
    );
    let mut place = number * 7;
    for turn in 0..turns {
        place = (place * 5 + 131) % 361;
        let (x, y) = (b'a' + (place % 19) as u8, b'a' + (place / 19) as u8);
        text.push_str(&format!(";{}[{}{}]", if turn % 2 == 0 { 'B' } else { 'W' }, x as char, y as char));
    }
    text + ")"
}

/// A game of a text, with the codes of its findings.
pub struct SplitGame {
    /// Byte of the game in the text.
    pub offset: usize,
    pub record: GameRecord,
    pub codes: Vec<Code>,
    pub outcome: Outcome,
}

/// Returns the games of a text, and the offset of each stray text.
pub fn read(bytes: &[u8]) -> (Vec<SplitGame>, Vec<usize>) {
    let (mut games, mut outside) = (Vec::new(), Vec::new());
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    let mut analyzer = Analyzer::default();
    let consumed = split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            let game = games.len() as u64 + 1;
            let offset = range.start;
            let text = GameText { game, offset: offset as u64, ..GameText::single(&bytes[range], close, charset) };
            let report = analyzer.analyze(&text, &settings);
            let codes = report.findings.iter().map(|finding| finding.code).collect();
            games.push(SplitGame { offset, record: Reading::from_text(&text).record, codes, outcome: report.outcome });
        }
        Piece::StrayText(range) => outside.push(range.start),
    });
    assert_eq!(consumed, bytes.len());
    assert!(games.iter().all(|game| !game.codes.contains(&Code::InternalError)));
    (games, outside)
}

/// A name, a change to a game, and the code that reports the damage, if any.
pub type Kind = (&'static str, Box<dyn Fn(&str) -> Vec<u8>>, Option<Code>);

/// Returns the kinds of damage.
pub fn kinds() -> Vec<Kind> {
    fn kind(name: &'static str, code: impl Into<Option<Code>>, damage: impl Fn(&str) -> String + 'static) -> Kind {
        (name, Box::new(move |game| damage(game).into_bytes()), code.into())
    }
    let half = |game: &str| game.len() / 2 / 6 * 6;
    let cut = move |game: &str| (half(game)..).find(|at| game[*at..].starts_with(";B")).unwrap();
    vec![
        kind("junk before", Code::TextOutsideGames, |g| {
            format!("From: someone (at) example [1]\nSubject: (; games\n\n{g}")
        }),
        kind("a web page around", Code::TextOutsideGames, |g| {
            format!("<html><body>a (b) [c]; d<pre>\n{g}\n</pre>;</body>")
        }),
        kind("junk after", Code::TextOutsideGames, |g| format!("{g}\n-- \nregards :) [x]")),
        kind("missing )", Code::UnclosedGame, |g| g[..g.len() - 1].into()),
        kind("extra )", Code::ExtraParenthesis, |g| format!("{g}))")),
        kind("extra ) inside", Code::ExtraParenthesis, move |g| format!("{}){}", &g[..cut(g)], &g[cut(g)..])),
        kind("missing ] in a name", Code::UnclosedValue, |g| g.replacen("]PW[", "PW[", 1)),
        kind("missing ] in a turn", Code::UnclosedValue, |g| g.replacen("];W", ";W", 1)),
        kind("missing ] at the end", Code::UnclosedValue, |g| format!("{})", &g[..g.len() - 2])),
        kind("missing ] and )", Code::UnclosedGame, |g| g[..g.len() - 2].into()),
        kind("unescaped ]", Code::UnescapedBracket, |g| g.replacen(";B[", "C[see [1] :) ok];B[", 1)),
        kind("unescaped ] and (", Code::UnescapedBracket, |g| g.replacen(";B[", "C[see [1] (or [2]) (; ok];B[", 1)),
        kind("unescaped ] and ) next to it", Code::UnescapedBracket, |g| g.replacen(";B[", "C[a smile :]) ok];B[", 1)),
        kind("backslash at the end of a text", Code::BackslashAtEnd, |g| format!("{}C[c:\\])", &g[..g.len() - 1])),
        kind("backslash at the end of the game", Code::UnclosedGame, |g| format!("{}\\", &g[..g.len() - 1])),
        kind("missing ; of the root", Code::MissingSemicolon, |g| g.replacen("(;", "(", 1)),
        kind("a strange byte for ; of the root", Code::MissingSemicolon, |g| g.replacen("(;", "(:", 1)),
        kind("missing ; of a turn", Code::SeveralTurns, |g| g.replacen("];W", "]W", 1)),
        kind("missing (", Code::MissingOpening, |g| g[1..].into()),
        kind("a strange byte for (", Code::MissingOpening, |g| format!("x{}", &g[1..])),
        kind("empty nodes", Code::EmptyNodes, |g| g.replacen(";B", ";;;B", 1)),
        kind("NUL bytes", Code::NulBytes, |g| g.replacen(";B", "\0\0;B", 1)),
        kind("^Z", Code::NulBytes, |g| g.replacen(";B", "\x1A;B", 1)),
        kind("cut in the middle", Code::UnclosedGame, move |g| g[..cut(g)].into()),
        kind("cut in a turn", Code::UnclosedGame, move |g| g[..cut(g) + 3].into()),
        kind("cut in the header", Code::UnclosedGame, |g| g[..g.find("PW").unwrap() + 5].into()),
        kind("every move a subtree", None, |g| {
            let turns = g.matches(";B[").count() + g.matches(";W[").count();
            g.replace(";B", "(;B").replace(";W", "(;W") + &")".repeat(turns)
        }),
        kind("moves in the root", Code::TurnInRoot, |g| g.replacen(";B", "B", 1)),
        kind("move and setup", Code::SeveralTurns, |g| g.replacen(";B", ";AB[ss]B", 1)),
        kind("setup repeated", Code::RepeatedSetup, |g| g.replacen(";B", ";AB[ss]AW[ss];B", 1)),
        kind("no moves", Code::NoTurns, |g| format!("{})", &g[..g.find(";B").unwrap()])),
        kind("capitals", Code::OddCoordinates, |g| g.replacen(";W[", ";W[QQ];W[", 1)),
        kind("no SZ", Code::MissingBoardSize, |g| g.replacen("SZ[19]", "", 1)),
        kind("SZ with x", Code::BoardSizeForm, |g| g.replacen("SZ[19]", "SZ[19x19]", 1)),
        kind("SZ a letter", Code::BoardSizeForm, |g| g.replacen("SZ[19]", "SZ[s]", 1)),
        kind("no GM", Code::MissingGame, |g| g.replacen("GM[1]", "", 1)),
        kind("GM of another game", Code::NotGo, |g| g.replacen("GM[1]", "GM[2]", 1)),
        kind("long names", None, |g| {
            g.replace("SZ[", "SiZe[").replace("GM[", "GaMe[").replace(";B[", ";Black[").replace(";W[", ";White[")
        }),
    ]
}

/// Damage after which the rest of the game is read as before.
const HARMLESS: [&str; 18] = [
    "junk before",
    "a web page around",
    "junk after",
    "missing )",
    "extra )",
    "extra ) inside",
    "missing ] in a name",
    "missing ] in a turn",
    "unescaped ]",
    "unescaped ] and (",
    "unescaped ] and ) next to it",
    "missing (",
    "a strange byte for (",
    "a strange byte for ; of the root",
    "empty nodes",
    "NUL bytes",
    "every move a subtree",
    "long names",
];

pub fn turns(record: &GameRecord) -> Vec<String> {
    let step_text = |step: &Step| match step.kind {
        StepKind::Setup(setup) => format!("{:?}", record.setup(setup)),
        kind => format!("{kind:?}"),
    };
    record.steps.iter().map(step_text).collect()
}

#[test]
fn damage_in_one_of_fifty_games_is_one_row_with_offset() {
    let sound: Vec<String> = (0..50).map(|number| game(number, 40 + number % 7)).collect();
    let (expected, _) = read(sound.join("\n").as_bytes());
    assert_eq!(expected.len(), 50);
    for separator in ["\n", "\r\n\r\n", ""] {
        for (name, damage, code) in kinds() {
            // Without a line break between the games, some damage looks like a game of another
            // shape.
            let which = 25;
            let mut bytes = Vec::new();
            let mut starts = Vec::new();
            for (number, text) in sound.iter().enumerate() {
                starts.push(bytes.len());
                bytes.extend(if number == which { damage(text) } else { text.clone().into_bytes() });
                bytes.extend(separator.as_bytes());
            }
            let (games, outside) = read(&bytes);
            for (number, start) in starts.iter().enumerate().filter(|(number, _)| *number != which) {
                let Some(found) = games.iter().find(|game| game.offset == *start) else {
                    panic!("{name:?}, separator {separator:?}: game {number} is lost");
                };
                assert!(found.record == expected[number].record, "{name:?}: game {number} differs");
                assert_eq!(found.outcome, Outcome::Replayed, "{name:?}");
            }
            let of_damaged = starts[which]..starts[which + 1];
            let damaged: Vec<&SplitGame> = games.iter().filter(|game| of_damaged.contains(&game.offset)).collect();
            assert_eq!(damaged.len(), 1, "{name:?}, separator {separator:?}");
            assert_eq!(games.len(), 50, "{name:?}");
            if HARMLESS.contains(&name) {
                assert_eq!(turns(&damaged[0].record), turns(&expected[which].record), "{name:?}");
            }
            let is_reported = match code {
                Some(Code::TextOutsideGames) => !outside.is_empty(),
                Some(Code::ExtraParenthesis) if name == "extra )" => !outside.is_empty(),
                Some(Code::UnclosedGame) if separator.is_empty() => {
                    damaged[0].codes.iter().any(|code| matches!(code, Code::UnclosedGame | Code::FusedGames))
                }
                Some(code) => damaged[0].codes.contains(&code),
                None => true,
            };
            assert!(is_reported, "{name:?}, separator {separator:?}: {:?} and not {code:?}", damaged[0].codes);
        }
    }
}

/// Damages a game.
pub type Damage = fn(&str) -> Vec<u8>;

/// Returns kinds of damage that the splitter was not designed for.
pub fn other_kinds() -> Vec<(&'static str, Damage)> {
    fn text(text: impl Into<String>) -> Vec<u8> {
        text.into().into_bytes()
    }
    vec![
        ("missing ])", |g| text(&g[..g.len() - 2])),
        ("cut in half", |g| text(&g[..g.len() / 2])),
        ("cut in half and closed", |g| text(format!("{}]", &g[..g.len() / 2]))),
        ("a comment left open at the end", |g| text(format!("{}C[the end", &g[..g.len() - 1]))),
        ("the same with )", |g| text(format!("{}C[the end)", &g[..g.len() - 1]))),
        ("the same with prose", |g| text(format!("{}C[the (best) end;)", &g[..g.len() - 1]))),
        ("two ((", |g| text(format!("({g}"))),
        ("a root without ( and with a broken name", |g| text(g.replacen("(;GM[", ";dM[", 1))),
        ("a stray ]", |g| text(g.replacen("];W", "]];W", 1))),
        ("a stray [", |g| text(g.replacen("];W", "][;W", 1))),
        ("a stray ] at the end", |g| text(format!("{g}]"))),
        ("a stray ] before the end", |g| text(format!("{}])", &g[..g.len() - 1]))),
        ("brackets for parentheses", |g| text(g.replace('(', "[").replace(')', "]"))),
        ("parentheses for brackets", |g| text(g.replace('[', "(").replace(']', ")"))),
        ("entities for brackets", |g| text(g.replace('[', "&#91;").replace(']', "&#93;"))),
        ("lines broken by tags", |g| text(g.replace(';', "<br>;"))),
        ("quoted-printable", |g| text(g.replace('=', "=3D").replace("];W[", "];=\nW[").replace('[', "=5B"))),
        ("soft line ends", |g| text(g.replace("];W", "];=\r\nW"))),
        ("quoted by >", |g| text(format!("> {}", g.replace(";W", "\n> ;W")))),
        ("every byte twice", |g| text(g.chars().flat_map(|c| [c, c]).collect::<String>())),
        ("blanks between all bytes", |g| text(g.chars().flat_map(|c| [c, ' ']).collect::<String>())),
        ("backwards", |g| text(g.chars().rev().collect::<String>())),
        ("the second half with its bytes swapped", |g| {
            let (first, second) = g.as_bytes().split_at(g.len() / 2);
            [first, &second.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect::<Vec<u8>>()].concat()
        }),
        ("UTF-16 among UTF-8", |g| g.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("UTF-16 cut in a unit", |g| g.encode_utf16().flat_map(u16::to_be_bytes).skip(1).collect()),
        ("a mark in the middle", |g| text(g.replacen(";W", "\u{feff};W", 1))),
        ("a block of NULs", |g| text(g.replacen(";W", &format!("{};W", "\0".repeat(600)), 1))),
        ("overwritten with NULs", |g| [&g.as_bytes()[..g.len() / 2], &vec![0; g.len() / 2]].concat()),
        ("lone CRs", |g| text(g.replace(';', "\r;"))),
        ("line ends in values", |g| text(g.replace('[', "[\r\n"))),
        ("all small", |g| text(g.to_lowercase())),
        ("all bytes between 128 and 255", |g| {
            [&g.as_bytes()[..g.len() / 2], &(128..=255).collect::<Vec<u8>>(), &g.as_bytes()[g.len() / 2..]].concat()
        }),
        ("control characters", |g| {
            [&g.as_bytes()[..g.len() / 2], &(1..32).collect::<Vec<u8>>(), &g.as_bytes()[g.len() / 2..]].concat()
        }),
        ("no brackets at all", |g| text(g.replace(['[', ']'], ""))),
        ("every ] escaped", |g| text(g.replace(']', "\\]"))),
        ("wide brackets", |g| text(g.replace('[', "［").replace(']', "］"))),
        ("a line of CSV", |g| text(format!("1,\"{g}\",x"))),
        ("in XML", |g| text(format!("<game><![CDATA[{g}]]></game>"))),
        ("only (;", |_| text("(;")),
        ("only (;C[", |_| text("(;C[")),
        ("only (;B[", |_| text("(;B[")),
        ("only (;GM[1]C[ and a backslash", |_| text("(;GM[1]C[\\")),
        ("only ]", |_| text("]")),
        ("only [", |_| text("[")),
        ("nothing but )", |_| text(")")),
        ("a record of another format", |_| text("\\HS\n\\[GAMEBLACKLEVEL=3\\]\n\\HE\n\\GS\nSTO 0 2 2 15 15\n\\GE")),
    ]
}

/// Returns collections with more or less complete roots. Games that start with a turn look like
/// variations.
fn collections() -> Vec<(&'static str, Vec<String>)> {
    let collection: Vec<String> = (0..5).map(|number| game(number, 20 + number)).collect();
    let with_root = |root: &str| {
        let begins = |text: &String| text.find(";B").unwrap();
        collection.iter().map(|text| format!("(;{root}{}", text[begins(text)..].trim_start_matches(';'))).collect()
    };
    let collections = vec![
        ("whole headers", collection.clone()),
        ("only SZ", with_root("SZ[19];")),
        ("only setup", with_root("AB[ss]AW[sr];")),
        ("only a comment", with_root("C[a problem];")),
        ("nothing but turns", with_root("")),
    ];
    collections
}

#[test]
fn unforeseen_damage_keeps_the_neighbours() {
    for (roots, sound) in collections() {
        let expected: Vec<_> = sound.iter().map(|text| read(text.as_bytes()).0.remove(0).record).collect();
        for (name, damage) in other_kinds() {
            for separator in ["\n", "\r\n", "\r", ""] {
                let mut bytes = Vec::new();
                let mut starts = Vec::new();
                for (number, text) in sound.iter().enumerate() {
                    starts.push(bytes.len());
                    bytes.extend(if number == 2 { damage(text) } else { text.clone().into_bytes() });
                    bytes.extend(separator.as_bytes());
                }
                let (games, _) = read(&bytes);
                // By the grammar, an open comment may contain the next game up to a bracket.
                let is_one_game = is_well_formed(&bytes[starts[2]..starts[4]]);
                for number in [0, 1, 3, 4].into_iter().filter(|number| *number != 3 || !is_one_game) {
                    let found = games.iter().find(|game| game.offset == starts[number]);
                    let is_equal = found.map(|game| game.record == expected[number]);
                    let shown = format!("{name:?} among games with {roots}, separated by {separator:?}");
                    assert_eq!(
                        is_equal,
                        Some(true),
                        "game {number} after {shown}: {}",
                        String::from_utf8_lossy(&bytes)
                    );
                }
            }
        }
    }
}

#[test]
fn tree_of_a_million_nodes_takes_no_stack() {
    let deep = format!("(;SZ[19]{}{})", "(;B[dd]".repeat(1_000_000), ")".repeat(1_000_000));
    let wide = format!("(;SZ[19]{})", "(;B[dd])".repeat(1_000_000));
    let long = format!("(;SZ[19]{})", ";C[x]".repeat(1_000_000));
    for text in [deep, wide, long] {
        let (games, outside) = read(text.as_bytes());
        assert_eq!((games.len(), outside.len()), (1, 0));
    }
}

/// Returns the CPU time of this thread. Unlike wall time it excludes the time of other processes.
/// The kernel updates it every few milliseconds.
#[cfg(target_os = "linux")]
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

/// Returns the CPU time of splitting a text `times` times.
#[cfg(target_os = "linux")]
fn work_to_split(text: &str, times: usize) -> Duration {
    let before = cpu_time();
    for _ in 0..times {
        split(text.as_bytes(), true, |_| {});
    }
    cpu_time() - before
}

/// A long text takes about as much work as its pieces. If each piece scanned the pieces before or
/// after it, the text would take seconds.
#[cfg(target_os = "linux")]
#[test]
fn splitting_takes_linear_time() {
    const PIECE: usize = 1 << 12;
    const PIECES: usize = 16;
    for unit in [
        "(",
        ")",
        " ",
        "\n",
        "(;",
        "(;B[",
        "[",
        "]",
        "\\",
        "C[",
        "C[a]",
        ";B[",
        "C[x] ",
        "(;B[aa]\n",
        "(;C[] (",
        "\n(;C[x]C[\\]",
        "\n(;AB[aa][bb]",
        "C[)] ",
        "]) ",
        "\x1B$B]",
        "\u{e000}",
    ] {
        for prefix in ["", "(;C[", "(;FF[4]C[", "(;B[aa]", "(;PB[\u{e9}", "(;C[\x1B$B"] {
            let text = |times: usize| format!("{prefix}{}", unit.repeat(times));
            let (pieces, collection) = (work_to_split(&text(PIECE), PIECES), work_to_split(&text(PIECES * PIECE), 1));
            let noise = Duration::from_millis(50);
            assert!(
                collection < 4 * pieces + noise,
                "{unit:?} after {prefix:?}: {pieces:?} in pieces, then {collection:?}"
            );
        }
    }
}

#[derive(Clone, Debug)]
enum Mutation {
    Delete(usize, usize),
    Insert(usize, Vec<u8>),
    Swap(usize, usize),
    Cut(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let byte = prop_oneof![prop::sample::select(b"()[];\\BW\n \0\x1AFfAab1".to_vec()), any::<u8>()];
    prop_oneof![
        (any::<usize>(), 1..6_usize).prop_map(|(offset, length)| Mutation::Delete(offset, length)),
        (any::<usize>(), prop::collection::vec(byte, 1..4)).prop_map(|(offset, bytes)| Mutation::Insert(offset, bytes)),
        (any::<usize>(), any::<usize>()).prop_map(|(first, second)| Mutation::Swap(first, second)),
        any::<usize>().prop_map(Mutation::Cut),
    ]
}

fn apply(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let length = bytes.len().max(1);
    match mutation {
        Mutation::Delete(offset, count) => {
            let offset = offset % length;
            bytes.drain(offset.min(bytes.len())..(offset + count).min(bytes.len()));
        }
        Mutation::Insert(offset, new) => {
            let offset = offset % length;
            bytes.splice(offset..offset, new.iter().copied());
        }
        Mutation::Swap(first, second) if !bytes.is_empty() => bytes.swap(first % length, second % length),
        Mutation::Swap(..) => {}
        Mutation::Cut(offset) => bytes.truncate(offset % length),
    }
}

/// Returns a collection with one damaged game, and the offsets of its games.
fn apply_mutations(sound: &[Vec<u8>], which: usize, mutations: &[Mutation]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for (number, text) in sound.iter().enumerate() {
        starts.push(bytes.len());
        let mut text = text.clone();
        if number == which {
            mutations.iter().for_each(|mutation| apply(&mut text, mutation));
        }
        bytes.extend(text);
        bytes.push(b'\n');
    }
    (bytes, starts)
}

/// Damages one game of several and checks that the others keep their exact records. The error lists
/// the games that did not.
fn check_neighbours(sound: &[Vec<u8>], which: usize, mutations: &[Mutation]) -> Result<(), String> {
    let (bytes, starts) = apply_mutations(sound, which, mutations);
    let (games, _) = read(&bytes);
    for (number, start) in starts.iter().enumerate().filter(|(number, _)| *number != which) {
        let single = &read(&sound[number]).0[0].record;
        match games.iter().find(|game| game.offset == *start) {
            Some(game) if game.record == *single => {}
            found => {
                let damaged = &bytes[starts[which]..starts[(which + 1).min(starts.len() - 1)]];
                let problem = if found.is_some() { "differs" } else { "is lost" };
                return Err(format!("game {number} {problem} beside {:?}", String::from_utf8_lossy(damaged)));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn neighbours_of_mutated_game_keep_records(
        turns in 1..30_usize,
        mutations in prop::collection::vec(mutation(), 1..4),
    ) {
        let sound: Vec<Vec<u8>> = (0..3).map(|number| game(number, turns).into_bytes()).collect();
        prop_assert_eq!(check_neighbours(&sound, 1, &mutations), Ok(()));
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(prop_oneof![
        prop::sample::select(b"()[];\\BWC\n \x1B$".to_vec()), any::<u8>()], 0..200)) {
        read(&bytes);
    }
}

#[test]
fn damaged_real_games_keep_the_neighbours() {
    let mut games: Vec<Vec<u8>> = Vec::new();
    let names = ["tygem-score-2006", "tygem-other-2016", "tom-score-2003", "tom-other-2011", "odd-games"];
    let files = names.map(|name| format!("collections/{name}.sgf"));
    for file in crate::support::corpus_parts(&files.each_ref().map(String::as_str)) {
        let bytes = std::fs::read(file).unwrap();
        split(&bytes, true, |piece| {
            if let Piece::Game(range, ..) = piece {
                games.push(bytes[range].to_vec());
            }
        });
    }
    let mut random = Random(1);
    let folder = tempfile::tempdir().unwrap();
    // `JIGO_MUTATIONS=40000` takes minutes and finds rare failures.
    let rounds = std::env::var("JIGO_MUTATIONS").map_or(2000, |rounds| rounds.parse().unwrap());
    for round in 0..rounds {
        let first = random.index((games.len() - 3).max(1));
        let mutation = match round % 4 {
            0 => Mutation::Delete(random.index(1500), 1 + random.index(3)),
            1 => Mutation::Insert(random.index(1500), vec![random.one_of(b"()[];\\\0x")]),
            2 => Mutation::Swap(random.index(1500), random.index(1500)),
            _ => Mutation::Cut(random.index(1500)),
        };
        let mutations = [mutation];
        let sound = &games[first..first + 3];
        check_neighbours(sound, 1, &mutations).unwrap_or_else(|lost| panic!("{mutations:?}: {lost}"));
        std::fs::write(folder.path().join(format!("{round}.sgf")), apply_mutations(sound, 1, &mutations).0).unwrap();
    }
    let mut jigo = assert_cmd::Command::cargo_bin("jigo").unwrap();
    let output = jigo.args(["check", "--exit-zero"]).arg(folder.path()).unwrap();
    let summary = String::from_utf8(output.stderr).unwrap();
    let line = summary.lines().find(|line| line.contains(" found = ")).unwrap();
    let numbers: Vec<u64> = line.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [found, replayed, stopped, unreadable] = numbers[..4] else { panic!("{line}") };
    assert_eq!(found, replayed + stopped + unreadable);
    assert!(found >= 2 * rounds && !String::from_utf8(output.stdout).unwrap().contains("X001"), "{line}");
}

#[test]
fn point_set_up_in_two_ways_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let game = "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]RE[W+6.5]AB[aa][bb]AW[bb];B[ee];W[dd];B[];W[])";
    std::fs::write(folder.path().join("twice.sgf"), game).unwrap();
    let mut jigo = assert_cmd::Command::cargo_bin("jigo").unwrap();
    let report = jigo.args(["report", "--exit-zero", "--out"]).arg(folder.path().join("tables")).arg(folder.path());
    report.assert().success();
    let findings = std::fs::read_to_string(folder.path().join("tables/findings.csv")).unwrap();
    assert!(findings.contains("D016") && !findings.contains("X002"), "{findings}");
}

/// After the root GM says nothing about the game, so its node keeps its other properties.
#[test]
fn gm_after_root_costs_no_turn() {
    let sound = "(;GM[1]SZ[9];B[cc];AW[dd]W[ee]C[text])";
    let expected = &read(sound.as_bytes()).0[0].record;
    for text in ["(;GM[1]SZ[9];B[cc]GM[2];AW[dd]W[ee]C[text])", "(;GM[1]SZ[9];B[cc];AW[dd]W[ee]GM[40]C[text])"] {
        let steps = |record: &GameRecord| record.steps.iter().map(|step| step.kind).collect::<Vec<_>>();
        assert_eq!(steps(&read(text.as_bytes()).0[0].record), steps(expected), "{text}");
    }
}
