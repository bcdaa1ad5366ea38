//! What is mended once is mended: another run has nothing to do, and nothing came of the first one that was not there before.

use crate::support::cli::Folder;

/// The text after `fix` with these flags, which another run leaves as it is.
fn mended(folder: &Folder, flags: &str, text: &[u8]) -> Vec<u8> {
    let fixed = |text: &[u8]| {
        folder.file("in.sgf", text);
        let ran = folder.run(&format!("fix --quiet --exit-zero --force {flags} --out out.sgf in.sgf"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        std::fs::read(folder.path().join("out.sgf")).unwrap()
    };
    let once = fixed(text);
    let twice = fixed(&once);
    let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    assert_eq!(shown(&once), shown(&twice), "fix {flags} twice of {}", shown(text));
    once
}

/// Texts, what safe mends make of each, and what all mends do.
fn are_mended(cases: &[(&str, &str, &str)]) {
    let folder = Folder::new();
    for (text, safe, judged) in cases {
        for (flags, expected) in [("", safe), ("--unsafe", judged)] {
            let made = String::from_utf8(mended(&folder, flags, text.as_bytes())).unwrap();
            assert_eq!(made, *expected, "fix {flags} of {text}");
        }
    }
}

/// A property that loses all of its values goes with them, or its name would stand before the next one.
#[test]
fn points_that_are_set_up_twice_leave_no_name_without_values() {
    are_mended(&[
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

/// What a root has, in whatever form, is not put in once more, and nothing is put in before a value that has no name.
#[test]
fn a_root_gets_what_it_does_not_have() {
    let nameless = ["(;[x]SZ[9];W[bb])", "(;[x]GM[1];W[bb])", "(;[];B[aa])"].map(|text| (text, text, text));
    are_mended(&nameless);
    are_mended(&[
        ("(;GaMe[1]GM[2]PB[x]SZ[9];B[aa])", "(;GM[1]GM[2]PB[x]SZ[9];B[aa])", "(;GM[1]PB[x]SZ[9];B[aa])"),
        ("(;GM[1]GM[2]SZ[9];B[aa])", "(;GM[1]GM[2]SZ[9];B[aa])", "(;GM[1]SZ[9];B[aa])"),
        ("(;[", "(;[", "(;[])"),
        ("(;PB[x];B[aa])", "(;GM[1]SZ[19]PB[x];B[aa])", "(;GM[1]SZ[19]PB[x];B[aa])"),
    ]);
}

/// Of several GM the first holds, also where sgf-parse goes by another one.
#[test]
fn the_size_is_read_beside_two_games() {
    let folder = Folder::new();
    for root in ["GaMe[1]GM[2]SZ[9]", "GM[1]GM[2]SZ[9]", "GM[1]GaMe[2]SZ[9]"] {
        folder.file("a.sgf", format!("(;{root};B[aa])"));
        let ran = folder.run("check --quiet --select H002,H001,D005 a.sgf");
        assert_eq!(ran.column("code"), ["D005"], "{root}: {}", ran.out);
    }
}

/// A label that a value without its bracket hid is one when the bracket is there.
#[test]
fn a_charset_that_a_mend_uncovers_is_believed_at_once() {
    let folder = Folder::new();
    let text = b"(;GM[1]SZ[9]C[xCA[GBK];W[ee]GN[\xD6\xD0\xB9\xFA\xB9\xE6\xD4\xF2])";
    let made = String::from_utf8(mended(&folder, "", text)).unwrap();
    assert_eq!(made, "(;GM[1]SZ[9]C[x]CA[UTF-8];W[ee]GN[中国规则])");
}

/// The beginning of a game is known by its GM behind a value without an end, so nothing is put in before that.
#[test]
fn a_game_behind_a_broken_one_begins_as_it_did() {
    let text = "(;GM[1]SZ[9];B[aa](;W[bb])B[))\n\n<html>(;GM[1]FF[4]PB[x];B[cc])";
    let made = String::from_utf8(mended(&Folder::new(), "", text.as_bytes())).unwrap();
    assert!(made.ends_with("(;GM[1]SZ[19]FF[4]PB[x];B[cc])"), "{made}");
}

/// The first of Black's handicap stones gets no pass of White before it: the second would be none of them then, and get one with the next run.
#[test]
fn no_pass_is_put_in_before_a_handicap_of_turns() {
    are_mended(
        &["(;GM[1]SZ[9]PL[W]HA[2];B[aa];B[bb];W[cc])", "(;GM[1]SZ[9]PL[W]HA[3];B[aa];B[bb];W[cc])"]
            .map(|text| (text, text, text)),
    );
    let text = "(;GM[1]SZ[9]PL[W]HA[1];B[aa];W[cc])";
    are_mended(&[(text, text, "(;GM[1]SZ[9]PL[W]HA[1];W[];B[aa];W[cc])")]);
}

/// A setup that the game ends in may be whole, as a turn may.
#[test]
fn a_setup_that_the_game_ends_in_is_closed_as_a_judgement() {
    are_mended(&[
        ("(;GM[1]SZ[9];B[aa];AW[bb)", "(;GM[1]SZ[9];B[aa];AW[bb)", "(;GM[1]SZ[9];B[aa];AW[bb])"),
        ("(;GM[1]SZ[9];B[aa];AW[bb", "(;GM[1]SZ[9];B[aa];AW[bb", "(;GM[1]SZ[9];B[aa];AW[bb])"),
        ("(;GM[1]SZ[9];B[aa];N[bb)", "(;GM[1]SZ[9];B[aa];N[bb)", "(;GM[1]SZ[9];B[aa];N[bb)])"),
    ]);
}

/// HA is the number that the finding counts: points with stones, however often they are set up.
#[test]
fn a_handicap_that_was_counted_is_counted_once() {
    let folder = Folder::new();
    for (text, expected) in [
        ("(;GM[1]SZ[9]HA[3]AB[aa][ba];AB[ba];B[cc])", "(;GM[1]SZ[9]HA[2]AB[aa][ba];AB[ba];B[cc])"),
        ("(;GM[1]SZ[9]AB[aa][ba];B[ba]AB[ba])", "(;GM[1]HA[2]SZ[9]AB[aa][ba];AB[ba];B[ba])"),
        ("(;GM[1]SZ[9]HA[3]AB[aa][ba][zz];W[cc])", "(;GM[1]SZ[9]HA[2]AB[aa][ba][zz];W[cc])"),
        ("(;GM[1]SZ[9]HA[2][2]AB[aa][ba][ca];W[cc])", "(;GM[1]SZ[9]HA[2][2]AB[aa][ba][ca];W[cc])"),
    ] {
        assert_eq!(String::from_utf8(mended(&folder, "--unsafe", text.as_bytes())).unwrap(), expected);
        folder.file("a.sgf", expected);
        // Of several values nobody knows which one counts.
        let left = folder.run("check --quiet --select H006 a.sgf").rows().len();
        assert_eq!(left, usize::from(expected.contains("[2][2]")), "{expected}");
    }
}

/// 許功蓋 in Big5, of which each character ends in a backslash: alone it looks like ISO-8859-2.
const BACKSLASHES: &[u8] = b"(;GM[1]SZ[9]C[\xB3\\\xA5\\\xBB\\];B[aa])";
/// A result and the name of the rules in GBK, where CA says something else.
const NOT_JAPANESE: &[u8] =
    b"(;GM[1]SZ[19]CA[Shift_JIS]RE[\xB0\xD7 3\xC4\xBF\xB0\xEB\x84\xD9]GN[\xD6\xD0\xB9\xFA\xB9\xE6\xD4\xF2];B[aa])";

#[test]
fn where_the_charset_is_a_guess_no_text_is_mended_as_if_it_were_known() {
    let folder = Folder::new();
    let texts: [&[u8]; 5] = [
        BACKSLASHES,
        NOT_JAPANESE,
        b"(;GM[1]SZ[9]C[\xB3 a] b];B[aa];W[bb])",
        b"(;GM[1]SZ[9]PB[\xB3\x8A];B[aa])",
        b"(;GM[1]SZ[9];B[aa]C[\xB3\xA5;W[bb])",
    ];
    for text in texts {
        assert!(mended(&folder, "", text) == text, "{}", String::from_utf8_lossy(text));
        mended(&folder, "--unsafe", text);
    }
    // Where it is known, or the text is ASCII, they are.
    let known = mended(&folder, "", &[b"(;CA[Big5]", &BACKSLASHES[2..]].concat());
    assert_eq!(String::from_utf8(known).unwrap(), "(;CA[UTF-8]GM[1]SZ[9]C[許功蓋];B[aa])");
    let ascii = mended(&folder, "", b"(;GM[1]SZ[9]PB[\xB3]C[a] b];B[aa];W[bb])");
    assert_eq!(ascii, b"(;GM[1]SZ[9]PB[\xB3]C[a\\] b];B[aa];W[bb])");
    // Another game's charset, which this one was known by, is gone with the first run.
    let two = [BACKSLASHES, b"\n(;GM[1]SZ[9]CA[big5]C[\xA4\xFD\xBB\xCA];B[aa])"].concat();
    assert!(mended(&folder, "", &two).starts_with(BACKSLASHES));
    let judged = String::from_utf8(mended(&folder, "--unsafe", &two)).unwrap();
    assert!(judged.contains("許功蓋") && judged.contains("王銘"), "{judged}");
}

/// The result alone is not written in ASCII: what is left would be read as CA says, and the name be lost.
#[test]
fn no_mend_takes_away_what_the_charset_is_known_by() {
    let folder = Folder::new();
    assert!(mended(&folder, "--unsafe --ignore I006", NOT_JAPANESE) == NOT_JAPANESE);
    let judged = String::from_utf8(mended(&folder, "--unsafe", NOT_JAPANESE)).unwrap();
    assert_eq!(judged, "(;GM[1]SZ[19]CA[UTF-8]RE[W+3.5]GN[中国规则];B[aa])");
}

/// What a turn says of the clock is a part of the record.
#[test]
fn a_safe_mend_leaves_the_clock_with_its_turn() {
    are_mended(&[
        (
            "(;GM[1]SZ[9]PB[x]B[aa]BL[10]B[bb];W[cc]WL[3])",
            "(;GM[1]SZ[9]PB[x];B[aa]BL[10];B[bb];W[cc]WL[3])",
            "(;GM[1]SZ[9]PB[x];B[aa]BL[10];B[bb];W[cc]WL[3])",
        ),
        ("(;GM[1]SZ[9];B[aa]BL[12", "(;GM[1]SZ[9];B[aa]BL[12", "(;GM[1]SZ[9];B[aa]BL[12])"),
        (
            "(;GM[1]SZ[9];B[aa]BL[12]W[bb]WL[9])",
            "(;GM[1]SZ[9];B[aa]BL[12];W[bb]WL[9])",
            "(;GM[1]SZ[9];B[aa]BL[12];W[bb]WL[9])",
        ),
    ]);
}

/// A turn put in at the end can change which stones are taken for dead: what explained the result is not made where the count then contradicts it.
#[test]
fn no_mend_of_real_games_makes_a_result_that_the_count_contradicts() {
    let Some(corpus) = crate::support::corpus() else { return };
    let folder = Folder::new();
    let games = std::fs::read(corpus.join("collections/tom-score-2005.sgf")).unwrap();
    let after = mended(&folder, "--unsafe", &games);
    folder.file("before.sgf", &games).file("after.sgf", after);
    let contradicted = |file: &str| {
        let run = folder.run(&format!("check --quiet --exit-zero --results --select R001,R002 {file}"));
        run.column("game")
    };
    let (before, after) = (contradicted("before.sgf"), contradicted("after.sgf"));
    assert!(after.iter().all(|game| before.contains(game)), "{before:?} {after:?}");
}
