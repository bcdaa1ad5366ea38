//! Game boundaries: exact in sound text, at the roots in damaged text.

use jigo_record::splitter::{Piece, Splitter};
use proptest::prelude::*;

/// Returns the games of a source that arrives in parts. `ends` lists the end of each part in
/// ascending order.
fn games(text: &[u8], ends: &[usize]) -> Vec<(usize, String)> {
    let (mut splitter, mut found, mut start) = (Splitter::default(), Vec::new(), 0);
    for &end in ends.iter().chain([&text.len()]) {
        start += splitter.split(&text[start..end], end == text.len(), |piece| {
            if let Piece::Game(range, ..) = piece {
                let range = start + range.start..start + range.end;
                found.push((range.start, String::from_utf8_lossy(&text[range]).into_owned()));
            }
        });
    }
    found
}

/// Returns the games of a text, and checks that they don't depend on a split of the text into two
/// parts.
fn split_games(text: &str) -> Vec<String> {
    let whole = games(text.as_bytes(), &[]);
    for end in 0..text.len() {
        assert_eq!(games(text.as_bytes(), &[end]), whole, "{text:?} in two parts, the first of {end} bytes");
    }
    whole.into_iter().map(|(_, game)| game).collect()
}

#[test]
fn line_ends_are_lf_cr_lf_or_cr() {
    let lines = ["(;GM[1]PB[a];B[aa]", "(;PB[b]PW[y]SZ[9];B[cc];W[dd])", ";PB[c]PW[y]SZ[9];B[cc];W[dd])"];
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(split_games(&(lines.join(end) + end)), lines, "{end:?}");
        let text = format!("mail{end}{}", lines[2]);
        assert_eq!(split_games(&text), [lines[2]], "{end:?}");
    }
}

/// A root at the start of a line starts a game after an unclosed one, with any first property.
#[test]
fn root_starts_a_game_with_any_first_property() {
    let open = "(;GM[1]PB[a];B[aa]";
    for root in [
        "C[a (bad) game ]GM[1]",
        "ZZ[x]GM[1]",
        "KGSDE[x]GM[1]",
        "MULTIGOGM[1]PB[a]SZ[9]",
        "VW[]GM[1]",
        "PlayerBlack[b]PlayerWhite[c]SiZe[9]",
        "Pb[b]Pw[c]SZ[9]",
        "WhiteRank[3d]SZ[9]",
        "PL[W]FF[4]",
        "AB[aa][bb] [cc]\nHA[3]SZ[9]",
        "AddBlack[aa]GaMe[1]",
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let next = format!("(;{root};W[dd])");
            assert_eq!(split_games(&format!("{open}{end}{next}{end}{next}")), [open, &next, &next], "{root}");
            let in_text = format!("{open}C[a text that nothing ends");
            assert_eq!(split_games(&format!("{in_text}{end}{next}")).last(), Some(&next), "{root}");
        }
    }
    let next = "(;C[a bracket\\] and]GM[1];W[dd])";
    assert_eq!(split_games(&format!("{open}\n{next}")), [open, next]);
}

/// One wrong byte at a game's start loses no game, because the root still marks it.
#[test]
fn wrong_character_at_game_start_loses_no_game() {
    let (before, after) = ("(;GM[1]SZ[9];B[aa])", "(;GM[1]SZ[9];B[dd])");
    let rest = "GM[1]SZ[9]PB[me];B[bb](;W[cc])(;W[dd]))";
    for strange in ["x", "X", ":", "\u{fffd}", "\u{ea}", "1", "-", ";"] {
        for (start, end) in [("", "\n"), ("mail\n", "\r\n"), (before, ""), (before, "\n"), (before, "\r")] {
            let lost = format!(";{rest}");
            let games = split_games(&format!("{start}{end}{strange}{lost}{end}{after}"));
            assert_eq!(games[games.len() - 2..], [&lost, after], "{strange:?} for ( after {start:?}, {end:?}");
            if strange != ";" {
                let lost = format!("({strange}{rest}");
                let games = split_games(&format!("{start}{end}{lost}{end}{after}"));
                assert_eq!(games[games.len() - 2..], [&lost, after], "{strange:?} for ; after {start:?}, {end:?}");
            }
        }
    }
    for words in ["xy", "a word", "yes (x", "ab"] {
        assert_eq!(split_games(&format!("{words};{rest}")), ["(;W[cc])", "(;W[dd])"], "{words}");
    }
    for words in ["--", "x y ", "12 "] {
        assert_eq!(split_games(&format!("mail\n({words}{rest}")), ["(;W[cc])", "(;W[dd])"], "{words}");
    }
}

#[test]
fn variation_at_line_start_is_not_a_game() {
    for node in
        ["B[aa]C[x]", "C[SZ[9\\]", "C[(;GM[1\\]SZ[9\\]]B[aa]", "AB[aa][bb]PL[W]", "ZZ[x]AP[x]", "C[x]ST[2]B[aa]"]
    {
        let text = format!("(;GM[1];B[aa]\n(;{node};W[bb])\n(;W[cc]))");
        assert_eq!(split_games(&text), [text.as_str()]);
    }
}

/// Returns the text of a comment with escaped closing brackets. It is never a game, even if it
/// looks like one.
fn comment_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "(;GM[1\\]SZ[9\\];B[aa\\])",
        "(;C[x\\]GM[1\\]PB[a\\]",
        "(;PlayerBlack[a\\]SiZe[9\\]",
        ";PB[a\\]SZ[9\\]",
        "x;GM[1\\]",
        "(:GM[1\\]",
        "(:",
        ";)",
        "word",
        "\u{56f2}",
        " ",
        "\n",
        "\r",
        "\r\n",
    ]);
    prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Returns the white space between nodes, properties and trees of a sound text.
fn gap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "\n", "\r", "\r\n", " "])
}

/// Returns the nodes of a line of play, with a comment and setup.
fn line() -> impl Strategy<Value = String> {
    (comment_text(), gap(), gap())
        .prop_map(|(text, one, two)| format!(";B[aa]C[{text}]{one};AB[bb][cc]{two}CR[bb];W[dd]N[{text}]{one}"))
}

/// Returns a sound game that starts with any property and has variations.
fn game() -> impl Strategy<Value = String> {
    let first =
        prop::sample::select(vec!["GM[1]", "C[a]GM[1]", "AB[aa][bb]HA[2]", "PlayerBlack[a]", "VW[]", "KM[6.5]"]);
    (first, comment_text(), prop::collection::vec(line(), 1..4), gap()).prop_map(|(first, text, lines, gap)| {
        let variations: String = lines[1..].iter().map(|line| format!("({line}){gap}")).collect();
        format!("(;{first}GC[{text}]SZ[9]{gap}{}{variations})", lines[0])
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn sound_text_splits_at_game_ends_in_any_parts(
        sound in prop::collection::vec(game(), 1..4),
        between in prop::sample::select(vec!["", "\n", "\r", "\r\n", "\n\n"]),
        mut ends in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let text = sound.join(between);
        let mut ends: Vec<usize> = ends.drain(..).map(|end| end.index(text.len())).collect();
        ends.sort_unstable();
        let found: Vec<String> = games(text.as_bytes(), &ends).into_iter().map(|(_, game)| game).collect();
        prop_assert_eq!(found, sound);
    }
}
