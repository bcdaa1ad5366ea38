//! Tests of games that follow the grammar of FF\[4\], and of damage outside the main line.

use crate::finding::{Code, Finding, Severity};
use crate::splitter::{GameText, Piece, split};
use crate::{Reading, StepKind};

fn read(text: &str) -> Reading {
    Reading::from_text(&GameText::from_sgf(text))
}

/// Returns the numbers of turns and of setup stones.
fn counts(reading: &Reading) -> (usize, usize) {
    let steps = reading.record.steps.iter();
    let stones = steps.clone().map(|step| match step.kind {
        StepKind::Turn(..) => 0,
        StepKind::Setup(setup) => reading.record.setup(setup).stones.len(),
    });
    (steps.filter(|step| matches!(step.kind, StepKind::Turn(..))).count(), stones.sum())
}

/// Returns the codes and severities of the findings about the structure.
fn structure(reading: &Reading) -> Vec<(Code, Severity)> {
    use Code::{BackslashAtEnd, MisplacedNode, UnclosedValue, UnescapedBracket, UnreadableNode};
    let codes = [BackslashAtEnd, MisplacedNode, UnclosedValue, UnescapedBracket, UnreadableNode];
    let is_wanted = |finding: &&Finding| codes.contains(&finding.code);
    reading.findings.iter().filter(is_wanted).map(|finding| (finding.code, finding.severity)).collect()
}

/// Returns the number of games, and checks that they do not depend on the division of a stream.
fn games(text: &str) -> usize {
    let bytes = text.as_bytes();
    let count = |cut: usize| {
        let mut games = 0;
        let mut add = |piece| games += usize::from(matches!(piece, Piece::Game(..)));
        let consumed = split(&bytes[..cut], false, &mut add);
        split(&bytes[consumed..], true, add);
        games
    };
    let whole = count(bytes.len());
    for cut in 0..bytes.len() {
        assert_eq!(count(cut), whole, "{text} at {cut}");
    }
    whole
}

const SOUND_TEXTS: [&str; 8] = [
    r"I typed \];B[dd\];W[ee\] here",
    r":\];W[ee\]",
    r"move list:\];B[dd\];W[ee\];B[ff\]",
    r"c:\\games\\",
    r"\];B[aa",
    r"see (;GM[1\]FF[4\];B[aa\])",
    r"\](;GM[1\]SZ[9\]",
    r"[a\] [b\] (c) :\)\]",
];

#[test]
fn text_in_a_sound_game_has_one_reading() {
    for value in SOUND_TEXTS {
        for text in [
            format!("(;GM[1]FF[4]SZ[9]C[{value}];B[cc];W[gg])"),
            format!("(;GM[1]FF[4]SZ[9]PB[{value}]PW[b];B[cc];W[gg])"),
            format!("(;GM[1]FF[4]SZ[9];B[cc]C[{value}];W[gg])"),
            format!("(;GM[1]FF[4]SZ[9];B[cc]LB[dd:{value}][ee:{value}];W[gg])"),
            format!("(;GM[1]FF[4]SZ[9];B[cc];W[gg](;B[dd]XY[{value}])(;B[ee]N[{value}]C[x]))"),
        ] {
            let reading = read(&text);
            let is_doubtful = |(code, severity)| code == Code::UnclosedValue && severity == Severity::Info;
            assert!(structure(&reading).into_iter().all(is_doubtful), "{text}: {:?}", reading.findings);
            assert_eq!(counts(&reading).0, 2 + usize::from(text.contains("(;B[dd]XY")), "{text}");
            assert_eq!(games(&text), 1, "{text}");
        }
    }
}

#[test]
fn property_within_a_sound_text_is_an_info() {
    for value in ["komi is KM[6.5 (not 5.5)", "AnnBR[5d", "text;W[dd", "see (;FF[4 for details", "x ; AB[aa"] {
        for text in [
            format!("(;GM[1]SZ[9]PB[a];B[aa]C[{value}];W[bb])"),
            format!("(;GM[1]SZ[9]PB[a]C[{value}];B[aa];W[bb])"),
            format!("(;GM[1]SZ[9]PB[a](;B[aa];W[bb])(;B[cc]C[{value}]))"),
        ] {
            let reading = read(&text);
            assert_eq!(structure(&reading), [(Code::UnclosedValue, Severity::Info)], "{text}");
            assert_eq!((counts(&reading), games(&text)), ((2, 0), 1), "{text}");
        }
        let damaged = format!("(;GM[1]SZ[9]PB[a];B[aa]C[{value}];W[bb]x)");
        assert!(structure(&read(&damaged)).iter().any(|(_, severity)| *severity == Severity::Error), "{damaged}");
    }
}

#[test]
fn value_that_is_no_text_has_no_bracket() {
    for node in ["B[cc;W[dd]", "AB[cc;W[dd]", "KM[6.5PB[x]", "B[cc\\];W[dd]", "MA[cc;W[dd]"] {
        let found = structure(&read(&format!("(;GM[1]SZ[9]PB[a];B[aa];{node};B[ee])")));
        let is_damage = |(code, _): &(Code, _)| matches!(code, Code::UnclosedValue | Code::BackslashAtEnd);
        assert!(found.iter().any(is_damage) && found.iter().all(|(_, severity)| *severity != Severity::Info), "{node}");
    }
}

#[test]
fn root_property_in_a_sound_game_begins_no_game() {
    for text in [
        "(;GM[1]FF[4]SZ[9]PB[a];B[aa];GM[1]FF[4];W[bb])",
        "(;GM[1]SZ[9];B[aa]\n;FF[4]GM[1]SZ[9];W[bb])",
        "(;GM[1]SZ[9];B[aa]\n(;GM[1]FF[4]SZ[9];W[bb])\n(;GM[1]FF[4]PB[x];W[cc]))",
    ] {
        assert_eq!(games(text), 1, "{text}");
    }
    let games_without_end = "(;GM[1]SZ[9];B[aa]\n".repeat(12);
    assert_eq!(games(&games_without_end), 12);
    assert_eq!(games(&format!("{games_without_end}{}", ")".repeat(12))), 12);
    // A comment rarely ends with a complete root, or with a root at the start of a line.
    for end in ["C[a comment\n(;SZ[9]", "C[c:\\])\n(;PB[a]FF[4]", "C[a comment (;GM[1]SZ[9]", "C[c:\\](;FF[4]GM[1]"] {
        assert_eq!(games(&format!("(;GM[1]SZ[9];B[aa]{end};B[aa])")), 2, "{end}");
    }
}

#[test]
fn damage_in_a_variation_is_a_finding() {
    let error = |code| vec![(code, Severity::Error)];
    for (variation, expected) in [
        ("B[pd];W[qf];B[nc\n;W[rd];B[qc]", error(Code::UnclosedValue)),
        ("B[pd];W[qf]AB[nc;W[rd]", error(Code::UnclosedValue)),
        ("B[pd];W[qf]C[a comment;B[nc];W[rd]", vec![(Code::UnclosedValue, Severity::Info)]),
        ("B[pd]LB[aa:b;W[rd]", vec![(Code::UnclosedValue, Severity::Info)]),
        ("B[pd];W[rd]xx;B[qc]", error(Code::UnreadableNode)),
        ("B[pd] 'W[rd];B[qc]", error(Code::UnreadableNode)),
        ("B[pd]xx", error(Code::UnreadableNode)),
        ("B[pd];[nc];W[rd]", error(Code::MisplacedNode)),
        ("B[pd];W[rd]C[a] b];B[qc]", vec![(Code::UnescapedBracket, Severity::Warning)]),
        ("B[pd];W[rd]C[a", error(Code::UnclosedValue)),
        ("B[pd](;W[rd])(;W[re]C[a b];W[rf;B[qc])", error(Code::UnclosedValue)),
        ("B[pd]C[[a\\] \\\\];W[rd]LB[aa:\\:][bb:[]", vec![]),
    ] {
        let text = format!("(;GM[1]FF[4]SZ[19]KM[6.5]RU[Japanese]PB[A]PW[B]\n(;B[qd];W[od])\n(;{variation}))");
        assert_eq!(structure(&read(&text)), expected, "{text}");
    }
}

#[test]
fn private_list_with_a_known_ending_sets_up_nothing() {
    for (node, stones) in [
        ("LISTAB[aa][bb]", 0),
        ("LISTAB[aa:bb]", 0),
        ("XAW[aa:cc]TR[aa:cc]", 0),
        ("AB[aa:bb]", 4),
        ("AB[bb:aa]", 4),
        ("AW[ee]AB[aa:bb][cc]", 6),
        ("AB[aa:bb][c\\c]AW[ee]", 6),
        ("TR[aa:bb]AB[cc]", 1),
        ("AB[aa:bb]AW[aa]AE[ff]", 5),
    ] {
        let reading = read(&format!("(;GM[1]FF[4]SZ[9];{node};B[gg])"));
        assert_eq!(counts(&reading), (1, stones), "{node}: {:?}", reading.findings);
    }
}
