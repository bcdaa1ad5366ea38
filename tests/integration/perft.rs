//! Turn sequences and complete games against known counts.
//!
//! Sources: J. Tromp and G. Farnebäck, "Combinatorics of Go" (complete games under positional
//! superko with suicide on 1x1 to 1x3). Two independent programs counted the other numbers.

use jigo::turn_sequences::{complete_games, sequences};
use jigo_rules::board::BoardSize;
use jigo_rules::{Axes, Preset, RepetitionRule, Suicide};

fn rules(suicide: &str, repetition: &str) -> Axes {
    let find_suicide = Suicide::NAMES.iter().find(|(name, _)| *name == suicide);
    let find_repetition = RepetitionRule::NAMES.iter().find(|(name, _)| *name == repetition);
    let base = Preset::find("tromp-taylor").unwrap().axes;
    Axes { suicide: find_suicide.unwrap().1, repetition: find_repetition.unwrap().1, ..base }
}

fn size(text: &str) -> BoardSize {
    let (width, height) = text.split_once('x').unwrap();
    BoardSize::new(width.parse().unwrap(), height.parse().unwrap()).unwrap()
}

#[test]
fn turn_sequences_have_known_counts() {
    let rows: [(&str, &str, &str, &[u128]); 15] = [
        ("1x3", "forbid", "ko", &[4, 11, 22, 41, 66, 106, 176, 288, 460, 752]),
        ("1x3", "forbid", "psk", &[4, 11, 22, 41, 58, 78, 98, 110, 116, 128]),
        ("1x3", "forbid", "ssk", &[4, 11, 22, 41, 60, 84, 106, 118, 124, 136]),
        ("1x3", "any", "own", &[4, 13, 34, 73, 126, 246, 460, 928, 1726, 3058]),
        ("1x3", "any", "nssk", &[4, 13, 34, 73, 126, 246, 474, 970, 1886, 3478]),
        ("1x3", "multi", "ssk", &[4, 11, 22, 41, 68, 116, 182, 270, 362, 470]),
        ("1x4", "forbid", "ko", &[5, 19, 54, 120, 226, 428, 800, 1616, 3366]),
        ("1x4", "forbid", "psk", &[5, 19, 54, 120, 224, 418, 714, 1300, 2370]),
        ("1x4", "forbid", "ssk", &[5, 19, 54, 120, 224, 418, 724, 1342, 2488]),
        ("1x4", "forbid", "nssk", &[5, 19, 54, 120, 226, 424, 742, 1380, 2558]),
        ("1x4", "forbid", "nssk+ko", &[5, 19, 54, 120, 224, 418, 726, 1348, 2512]),
        ("2x2", "forbid", "ko", &[5, 21, 68, 156, 316, 604, 1168, 2592, 5768]),
        ("2x2", "forbid", "psk", &[5, 21, 68, 156, 316, 604, 1088, 2184, 4184]),
        ("2x2", "any", "ssk", &[5, 21, 68, 180, 428, 860, 1704, 3936, 9808]),
        ("2x2", "any", "own", &[5, 21, 68, 180, 428, 860, 1704, 4184, 10920]),
    ];
    for (board, suicide, repetition, expected) in rows {
        let counts = sequences(size(board), &rules(suicide, repetition), expected.len());
        assert_eq!(counts, expected, "{board} {suicide} {repetition}");
    }
    for (repetition, last) in [("ssk", 4544), ("nssk", 4576)] {
        let counts = sequences(size("2x2"), &rules("forbid", repetition), 9);
        assert_eq!(counts, [5, 21, 68, 156, 316, 604, 1112, 2312, last], "2x2 forbid {repetition}");
    }
}

#[test]
fn rotated_boards_have_equal_counts() {
    for repetition in ["ko", "psk", "ssk", "own", "nssk", "nssk+ko"] {
        let rules = rules("any", repetition);
        assert_eq!(sequences(size("1x4"), &rules, 6), sequences(size("4x1"), &rules, 6));
        assert_eq!(sequences(size("2x3"), &rules, 5), sequences(size("3x2"), &rules, 5));
    }
}

#[test]
fn complete_games_up_to_1x3_have_known_counts() {
    const SUPERKOS: [&str; 5] = ["psk", "ssk", "own", "nssk", "nssk+ko"];
    let rows: [(&str, &str, [u128; 5]); 9] = [
        ("1x1", "forbid", [1, 1, 1, 1, 1]),
        ("1x1", "multi", [1, 1, 1, 1, 1]),
        ("1x1", "any", [1, 2, 4, 5, 1]),
        ("1x2", "forbid", [9, 9, 9, 9, 9]),
        ("1x2", "multi", [9, 21, 63, 105, 105]),
        ("1x2", "any", [9, 21, 63, 105, 105]),
        ("1x3", "forbid", [907, 959, 959, 959, 959]),
        ("1x3", "multi", [907, 3267, 18229, 46879, 46879]),
        ("1x3", "any", [907, 19207, 105033, 275115, 46879]),
    ];
    for (board, suicide, expected) in rows {
        for (repetition, expected) in SUPERKOS.iter().zip(expected) {
            let games = complete_games(size(board), &rules(suicide, repetition));
            assert_eq!(games, Some(expected), "{board} {suicide} {repetition}");
        }
    }
}

#[test]
fn without_superko_games_need_not_end() {
    assert_eq!(complete_games(size("1x3"), &rules("forbid", "ko")), None);
    assert_eq!(complete_games(size("2x2"), &rules("any", "none")), None);
    assert_eq!(complete_games(size("1x1"), &rules("forbid", "ko")), Some(1));
}

/// Takes about half an hour on two cores: `cargo test --release --test integration perft:: --
/// --ignored`.
#[test]
#[ignore = "a long check; the command is in docs/verification.md"]
fn complete_games_on_1x4_have_known_counts() {
    for (repetition, expected) in [("psk", 719_178_893), ("ssk", 1_359_471_437)] {
        assert_eq!(complete_games(size("1x4"), &rules("forbid", repetition)), Some(expected), "{repetition}");
    }
}
