//! Fixes are final: a second run has nothing to do, and the first one causes no new findings.

use crate::support::cli::Folder;

/// Checks texts, each with the result of safe fixes and the result of all fixes.
fn assert_fixes(cases: &[(&str, &str, &str)]) {
    let folder = Folder::new();
    for (text, safe, all_fixed) in cases {
        for (flags, expected) in [("", safe), ("--unsafe", all_fixed)] {
            let made = String::from_utf8(folder.fixed(flags, text)).unwrap();
            assert_eq!(made, *expected, "fix {flags} of {text}");
        }
    }
}

/// A property that loses all its values is also removed. Otherwise its name would precede the next
/// property's name.
#[test]
fn merged_setup_leaves_no_name_without_values() {
    assert_fixes(&[
        ("(;GM[1]SZ[9]AB[aa]AB[aa][aa];W[cc])", "(;GM[1]SZ[9]AB[aa];W[cc])", "(;GM[1]SZ[9]AB[aa];W[cc])"),
        (
            "(;GM[1]SZ[9]AB[aa][ab]AW[ab][aa];W[cc])",
            "(;GM[1]SZ[9]AB[aa][ab]AW[ab][aa];W[cc])",
            "(;GM[1]SZ[9]AW[ab][aa];W[cc])",
        ),
        ("(;GM[1]SZ[9]AB[aa][aa]AW[aa];W[cc])", "(;GM[1]SZ[9]AB[aa]AW[aa];W[cc])", "(;GM[1]SZ[9]AW[aa];W[cc])"),
        (
            "(;GM[1]SZ[9]AB[cc][cc] [dd]AE[cc];W[aa])",
            "(;GM[1]SZ[9]AB[cc] [dd]AE[cc];W[aa])",
            "(;GM[1]SZ[9]AB [dd]AE[cc];W[aa])",
        ),
        (
            "(;GM[1]SZ[9]KM[6.5];B[aa];AW[bb][bb]AB[bb]B[cc];W[dd])",
            "(;GM[1]SZ[9]KM[6.5];B[aa];AW[bb]AB[bb];B[cc];W[dd])",
            "(;GM[1]SZ[9]KM[6.5];B[aa];AB[bb];B[cc];W[dd])",
        ),
    ]);
}

/// A property that the root has in any form is not added, and nothing is inserted before a value
/// without a name.
#[test]
fn root_gets_only_missing_properties() {
    let nameless = ["(;[x]SZ[9];W[bb])", "(;[x]GM[1];W[bb])", "(;[];B[aa])"].map(|text| (text, text, text));
    assert_fixes(&nameless);
    assert_fixes(&[
        ("(;GaMe[1]GM[2]PB[x]SZ[9];B[aa])", "(;GM[1]GM[2]PB[x]SZ[9];B[aa])", "(;GM[1]PB[x]SZ[9];B[aa])"),
        ("(;GM[1]GM[2]SZ[9];B[aa])", "(;GM[1]GM[2]SZ[9];B[aa])", "(;GM[1]SZ[9];B[aa])"),
        ("(;[", "(;[", "(;[])"),
        ("(;PB[x];B[aa])", "(;GM[1]SZ[19]PB[x];B[aa])", "(;GM[1]SZ[19]PB[x];B[aa])"),
    ]);
}

/// Of several GM properties the first one counts, even if sgf-parse uses another.
#[test]
fn size_is_read_with_two_gm_properties() {
    let folder = Folder::new();
    for root in ["GaMe[1]GM[2]SZ[9]", "GM[1]GM[2]SZ[9]", "GM[1]GaMe[2]SZ[9]"] {
        folder.file("a.sgf", format!("(;{root};B[aa])"));
        let ran = folder.run("check --quiet --select H002,H001,D005 a.sgf");
        assert_eq!(ran.column("code"), ["D005"], "{root}: {}", ran.out);
    }
}

/// A charset label inside an unclosed value takes effect after the bracket is added.
#[test]
fn charset_label_revealed_by_fix_is_used_at_once() {
    let folder = Folder::new();
    let text = b"(;GM[1]SZ[9]KM[6CA[GBK];W[ee]GN[\xD6\xD0\xB9\xFA\xB9\xE6\xD4\xF2])";
    let made = String::from_utf8(folder.fixed("", text)).unwrap();
    assert_eq!(made, "(;GM[1]SZ[9]KM[6]CA[UTF-8];W[ee]GN[中国规则])");
}

/// The start of a game is known by its GM after an unclosed value, so nothing may be inserted
/// before that GM.
#[test]
fn game_after_broken_game_keeps_its_start() {
    let text = "(;GM[1]SZ[9];B[aa](;W[bb])B[))\n\n<html>(;GM[1]FF[4]PB[x];B[cc])";
    let made = String::from_utf8(Folder::new().fixed("", text)).unwrap();
    assert!(made.ends_with("(;GM[1]SZ[19]FF[4]PB[x];B[cc])"), "{made}");
}

/// The first handicap stone of Black gets no pass of White before it. Otherwise the second stone
/// would get one in the next run.
#[test]
fn no_pass_is_inserted_before_handicap_turns() {
    let [two, three] = ["HA[2]", "HA[3]"].map(|handicap| format!("(;GM[1]SZ[9]PL[W]{handicap};B[aa];B[bb];W[cc])"));
    assert_fixes(&[(&two, &two, &two), (&three, &three, &two)]);
    let text = "(;GM[1]SZ[9]PL[W]HA[1];B[aa];W[cc])";
    assert_fixes(&[(text, text, "(;GM[1]SZ[9]PL[W]HA[1];W[];B[aa];W[cc])")]);
}

/// A setup at the end of the game may be complete, as may a turn.
#[test]
fn closing_a_final_setup_is_unsafe() {
    assert_fixes(&[
        ("(;GM[1]SZ[9];B[aa];AW[bb)", "(;GM[1]SZ[9];B[aa];AW[bb)", "(;GM[1]SZ[9];B[aa];AW[bb])"),
        ("(;GM[1]SZ[9];B[aa];AW[bb", "(;GM[1]SZ[9];B[aa];AW[bb", "(;GM[1]SZ[9];B[aa];AW[bb])"),
        ("(;GM[1]SZ[9];B[aa];N[bb)", "(;GM[1]SZ[9];B[aa];N[bb)", "(;GM[1]SZ[9];B[aa];N[bb)])"),
    ]);
}

/// HA is the number that the finding counts: points with stones, each counted once.
#[test]
fn handicap_counts_each_point_once() {
    let folder = Folder::new();
    for (text, expected) in [
        ("(;GM[1]SZ[9]HA[4]AB[aa][ba];AB[ba];B[cc])", "(;GM[1]SZ[9]HA[3]AB[aa][ba];AB[ba];B[cc])"),
        ("(;GM[1]SZ[9]HA[3]AB[aa][ba];B[ba]AB[ba])", "(;GM[1]SZ[9]HA[2]AB[aa][ba];AB[ba];B[ba])"),
        ("(;GM[1]SZ[9]HA[3]AB[aa][ba][zz];W[cc])", "(;GM[1]SZ[9]HA[2]AB[aa][ba][zz];W[cc])"),
        ("(;GM[1]SZ[9]HA[2][2]AB[aa][ba][ca];W[cc])", "(;GM[1]SZ[9]HA[2][2]AB[aa][ba][ca];W[cc])"),
    ] {
        assert_eq!(String::from_utf8(folder.fixed("--unsafe", text)).unwrap(), expected);
        folder.file("a.sgf", expected);
        // Of several values any may be the right one, so they are compared with nothing.
        assert_eq!(folder.run("check --quiet --select H006 a.sgf").rows().len(), 0, "{expected}");
    }
}

/// 許功蓋 in Big5. Each character ends in a backslash, and alone the text looks like ISO-8859-2.
const BACKSLASHES: &[u8] = b"(;GM[1]SZ[9]C[\xB3\\\xA5\\\xBB\\];B[aa])";
/// A result and a ruleset name in GBK, with a CA that names another charset.
const NOT_JAPANESE: &[u8] =
    b"(;GM[1]SZ[19]CA[Shift_JIS]RE[\xB0\xD7 3\xC4\xBF\xB0\xEB\x84\xD9]GN[\xD6\xD0\xB9\xFA\xB9\xE6\xD4\xF2];B[aa])";

#[test]
fn guessed_charset_prevents_text_fixes() {
    let folder = Folder::new();
    let texts: [&[u8]; 5] = [
        BACKSLASHES,
        NOT_JAPANESE,
        b"(;GM[1]SZ[9]C[\xB3 a] b];B[aa];W[bb])",
        b"(;GM[1]SZ[9]PB[\xB3\x8A];B[aa])",
        b"(;GM[1]SZ[9];B[aa]C[\xB3\xA5;W[bb])",
    ];
    for text in texts {
        assert!(folder.fixed("", text) == text, "{}", String::from_utf8_lossy(text));
        folder.fixed("--unsafe", text);
    }
    // A text with a known charset and an ASCII text are fixed.
    let known = folder.fixed("", [b"(;CA[Big5]", &BACKSLASHES[2..]].concat());
    assert_eq!(String::from_utf8(known).unwrap(), "(;CA[UTF-8]GM[1]SZ[9]C[許功蓋];B[aa])");
    let ascii = folder.fixed("", b"(;GM[1]SZ[9]PB[x]C[a] b];B[aa];W[bb])");
    assert_eq!(ascii, b"(;GM[1]SZ[9]PB[x]C[a\\] b];B[aa];W[bb])");
    // The first run removes the other game's label, which revealed this game's charset.
    let two = [BACKSLASHES, b"\n(;GM[1]SZ[9]CA[big5]C[\xA4\xFD\xBB\xCA];B[aa])"].concat();
    assert!(folder.fixed("", &two).starts_with(BACKSLASHES));
    let all_fixed = String::from_utf8(folder.fixed("--unsafe", &two)).unwrap();
    assert!(all_fixed.contains("許功蓋") && all_fixed.contains("王銘"), "{all_fixed}");
}

/// The result alone is not rewritten in ASCII: the rest would then be read with CA's charset, and
/// the name would be lost.
#[test]
fn no_fix_removes_the_charset_evidence() {
    let folder = Folder::new();
    assert!(folder.fixed("--unsafe --ignore I006", NOT_JAPANESE) == NOT_JAPANESE);
    let all_fixed = String::from_utf8(folder.fixed("--unsafe", NOT_JAPANESE)).unwrap();
    assert_eq!(all_fixed, "(;GM[1]SZ[19]CA[UTF-8]RE[W+3.5]GN[中国规则];B[aa])");
}

/// The clock time of a turn is part of the record.
#[test]
fn safe_fix_keeps_clock_with_its_turn() {
    assert_fixes(&[
        (
            "(;GM[1]SZ[9]PB[x]B[aa]BL[10]B[bb];W[cc]WL[3])",
            "(;GM[1]SZ[9]PB[x];B[aa]BL[10];B[bb];W[cc]WL[3])",
            "(;GM[1]HA[2]SZ[9]PB[x];B[aa]BL[10];B[bb];W[cc]WL[3])",
        ),
        ("(;GM[1]SZ[9];B[aa]BL[12", "(;GM[1]SZ[9];B[aa]BL[12", "(;GM[1]SZ[9];B[aa]BL[12])"),
        (
            "(;GM[1]SZ[9];B[aa]BL[12]W[bb]WL[9])",
            "(;GM[1]SZ[9];B[aa]BL[12];W[bb]WL[9])",
            "(;GM[1]SZ[9];B[aa]BL[12];W[bb]WL[9])",
        ),
    ]);
}

/// A turn inserted at the end can change which stones count as dead. A fix is not made if the count
/// then contradicts the result that the fix relied on.
#[test]
fn fixes_of_real_games_create_no_contradiction() {
    let folder = Folder::new();
    let parts = crate::support::corpus_parts(&["collections/tom-score-2005.sgf"]);
    let files = parts.iter().flat_map(|part| crate::support::files_ending(part, "sgf"));
    let games = files.flat_map(|file| std::fs::read(file).unwrap()).collect::<Vec<u8>>();
    let after = folder.fixed("--unsafe", &games);
    folder.file("before.sgf", &games).file("after.sgf", after);
    let contradicted = |file: &str| {
        let run = folder.run(&format!("check --quiet --exit-zero --results --select R001,R002 {file}"));
        run.column("game")
    };
    let (before, after) = (contradicted("before.sgf"), contradicted("after.sgf"));
    assert!(after.iter().all(|game| before.contains(game)), "{before:?} {after:?}");
}
