//! Two principles of fixes: values that no row names stay as they are, and what a reader without
//! any recovery can read stays readable and the same.

use crate::support::cli::Folder;

/// Returns the text after the safe fixes of a file with these bytes.
fn fixed(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    Folder::new().fixed("", bytes)
}

/// Checks that safe fixes leave these texts alone.
fn assert_kept(texts: &[&str]) {
    for text in texts {
        assert_eq!(String::from_utf8_lossy(&fixed(text)), *text);
    }
}

#[test]
fn text_that_follows_the_grammar_keeps_its_structure() {
    assert_kept(&[
        // A later node with properties of a root.
        "(;GM[1]FF[4]SZ[9]PB[a];B[aa];GM[1]FF[4];W[bb])",
        "(;GM[1]FF[4]SZ[9]PB[a];B[aa](;GM[1]FF[4]W[bb])(;FF[4]GM[1];W[cc]))",
        // Names, brackets and backslashes within texts.
        "(;GM[1]SZ[9]PB[a];B[aa]C[komi is KM[6.5 (not 5.5)];W[bb]C[ok])",
        "(;GM[1]SZ[9]PB[a];B[aa]C[x\\];W[aa\\]];W[bb]C[ok])",
        "(;GM[1]SZ[9]PB[a];B[aa]C[I typed \\];B[dd\\];W[ee\\] here];W[bb])",
        "(;GM[1]SZ[9]PB[a];B[aa]N[a;W[bb];W[cc])",
    ]);
}

#[test]
fn turn_takes_its_texts_along_or_stays() {
    assert_kept(&[
        "(;GM[1]SZ[9];B[aa]AB[cc]C[y];b[ bb];W[dd])",
        "(;GM[1]SZ[9];B[aa]AB[cc]C[y];W[dd])",
        "(;GM[1]SZ[9];B[aa]AB[cc]TR[aa];W[dd])",
        "(;GM[1]SZ[9];B[aa]W[bb]C[y];B[dd])",
        "(;GM[1]SZ[9];B[aa];W[bb](;B[cc]AW[dd]LB[cc:1])(;B[ee]))",
        // Without its turn, the variation would look like another game.
        "(;GM[1]SZ[9]PB[a];B[aa];W[bb](;B[cc]KM[6.5]AW[dd];W[ee])(;B[ff])",
    ]);
    let split = "(;GM[1]SZ[9];AB[cc]C[y]B[aa]BL[3];W[dd])";
    assert_eq!(fixed(split), b"(;GM[1]SZ[9];AB[cc]C[y];B[aa]BL[3];W[dd])");
}

/// TE is the name of an event in the headers of Oro, and a good turn elsewhere.
#[test]
fn variation_without_its_game_gets_no_header() {
    for (root, fixed_root) in
        [("B[cd]TE[1]", ";B[cd]TE[1]"), ("B[cd]KO[]", ";B[cd]KO[]"), ("B[cd]RE[B+R]", "RE[B+R];B[cd]")]
    {
        let [text, expected] = [root, fixed_root].map(|root| format!("(;{root};W[ab])(;W[hh]C[side]))"));
        assert_eq!(fixed(text).escape_ascii().to_string(), expected);
    }
    // Its turn keeps the texts after it.
    assert_kept(&["(;GM[1]FF[4]SZ[9]PB[a];B[aa])(;B[cd]C[x]RE[B+R];W[ab])(;W[hh])"]);
}

/// A value swallows the start of the next game. The rest of that game's root then seems to belong
/// to this one.
#[test]
fn root_that_may_contain_two_games_keeps_both_headers() {
    let start = "(;GM[1]FF[4]SZ[9]PB[Kim]PW[Cho]KM[375]C[c]";
    let next = "(GM[1]FF[4]SZ[9]PB[Lee]PW[Cho]AP[foxwq];B[cd];W[ii])";
    assert_kept(&[
        &format!("{start}\n\\HS\n\\[GAMEBLACKNAME=Kim\\]\n\\HE\n{next}"),
        &format!("{start}\\HS[a\\]\n{next}"),
        &format!("{start}XX[a\\]\n{next}"),
    ]);
}

#[test]
fn setup_keeps_its_order() {
    assert_kept(&[
        "(;GM[1]SZ[9];W[ea];AB[hh];AE[gh:hh][ ec]AW[hh]AE[gh:hh][ ec])",
        "(;GM[1]SZ[9];W[ea];AB[aa]AE[a a][aa]AB[aa])",
        "(;GM[1]SZ[9];W[ea];AB[aa]AW[aa:bb]AB[aa];B[cc])",
        "(;GM[1]SZ[9];AB[aa][?]AW[bb]AB[aa][?])",
    ]);
    assert_eq!(fixed("(;GM[1]SZ[9];AB[aa]AB[bb][aa]AW[cc])"), b"(;GM[1]SZ[9];AB[aa][bb]AW[cc])");
}

#[test]
fn points_are_converted_only_on_a_certain_board() {
    assert_kept(&["(;GM[1]SZ[13];B[aa];SZ[19]PB[y];W[D4])", "(;GM[1]SZ[13];B[aa];W[D4](;SZ[9]B[bb])(;B[cc]))"]);
    assert_eq!(fixed("(;GM[1]SZ[13];B[aa];W[D4])"), b"(;GM[1]SZ[13];B[aa];W[dj])");
}

/// All undecodable bytes look alike after decoding, and the halves of characters of a guessed
/// charset may be brackets.
#[test]
fn characters_that_are_unknown_are_neither_compared_nor_moved() {
    let (name, other) = (b"\xB0\xA1\xB0\xA2", b"\xC0\xEE\xB2\xFD\xF8\xE4");
    for (before, between, after) in [
        (&b"C[a\xFF"[..], &b"]C[a\xFE"[..], &b"];W[bb])"[..]),
        (b"N[\xFF", b"]N[\xFE", b"];W[bb])"),
        (b"C[\xE6\x9F\xAF\xFF", b"][\xE6\x9F\xAF\xFE", b"];W[bb])"),
        (b"PC[\xE6\x9F\xAF\xFF", b"]PC[\xE6\x9F\xAF\xFE", b"];W[bb])"),
    ] {
        let text = [b"(;GM[1]FF[4]SZ[9]PB[\xE6\x9F\xAF\xE6\xB4\x81];B[aa]", before, between, after].concat();
        assert_eq!(fixed(&text).escape_ascii().to_string(), text.escape_ascii().to_string());
    }
    for join in [&b"]["[..], b"]C["] {
        let text = [b"(;GM[1]FF[4]SZ[9];B[aa]C[", &name[..], join, other, b"];W[bb])"].concat();
        assert_eq!(fixed(&text).escape_ascii().to_string(), text.escape_ascii().to_string());
    }
}

/// A game that goes on in another encoding is not closed before its variations.
#[test]
fn game_in_two_encodings_is_kept() {
    let line = "(;GM[1]FF[4]SZ[9]PB[\u{67EF}\u{6D01}];B[aa];W[bb]";
    for mark in ["", "\u{FEFF}"] {
        for (is_little, rest) in [(true, "(;B[cc]C[x])(;B[dd]))"), (false, "(;B[cc]C[x])(;B[dd]))"), (true, ";B[cc])")]
        {
            let units = format!("{mark}{line}").encode_utf16().collect::<Vec<_>>();
            let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            let mut text: Vec<u8> = units.into_iter().flat_map(bytes).collect();
            text.extend(rest.bytes());
            assert_eq!(fixed(&text).escape_ascii().to_string(), text.escape_ascii().to_string());
        }
    }
}

/// A game with a fix and so many findings that the rows of a batch fill several outputs.
fn noisy(name: &str) -> String {
    format!("(;GM[1]FF[4]SZ[9]KM[6,5]PB[{name}]{})\n", ";B[aa]".repeat(60))
}

/// A run never reads what it has written.
#[test]
fn files_of_a_large_batch_keep_their_games() {
    let folder = Folder::new();
    let text = |number: usize, stray: &str| {
        let games = (1..4).map(|game| noisy(&format!("p{number}-{game}")));
        games.collect::<Vec<_>>().join(stray)
    };
    for number in 0..200 {
        folder.file(&format!("in/{number:03}.sgf"), text(number, ")\n"));
    }
    let ran = folder.run("fix --exit-zero --in-place --log log.csv in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for number in 0..200 {
        let expected = text(number, "\n").replace("6,5", "6.5");
        let without_blanks = |text: String| text.split_whitespace().collect::<Vec<_>>().join("\n");
        assert_eq!(without_blanks(folder.read(&format!("in/{number:03}.sgf"))), without_blanks(expected), "{number}");
    }
    assert_eq!(folder.read("log.csv").lines().count(), 1 + 200 * 5);
}

/// A replaced file keeps its owner and its group, or it is not replaced.
#[cfg(unix)]
#[test]
fn file_of_another_owner_is_not_replaced() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let Some(user) = crate::support::cli::Unprivileged::new() else { return };
    let folder = Folder::new();
    let text = "(;GM[1]FF[4]SZ[9]KM[6,5];B[aa])";
    folder.file("in/a.sgf", text);
    let set_mode = |name: &str, mode| {
        std::fs::set_permissions(folder.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let path = folder.path().join("in/a.sgf");
    let owner = || std::fs::metadata(&path).map(|metadata| (metadata.uid(), metadata.gid(), metadata.mode())).unwrap();
    for name in ["", "in"] {
        set_mode(name, 0o777);
    }
    set_mode("in/a.sgf", 0o666);
    let before = owner();
    let ran = crate::support::cli::run_command(&mut user.command(&folder, "fix --no-config --in-place in"));
    assert_eq!(owner(), before);
    match ran.code {
        0 => assert!(folder.read("in/a.sgf").contains("KM[6.5]")),
        _ => assert!(
            ran.err.contains("its owner and group would change") && folder.read("in/a.sgf") == text,
            "{}",
            ran.err
        ),
    }
}

#[test]
fn temporary_names_are_neither_written_nor_removed() {
    let folder = Folder::new();
    let text = "(;GM[1]FF[4]SZ[9]KM[6.5];B[aa])";
    folder.file(
        "t.jsonl",
        format!("{{\"id\":\".jigo-a.part\",\"sgf\":\"{text}\"}}\n{{\"id\":\"d/.jigo-b.part\",\"sgf\":\"{text}\"}}\n"),
    );
    folder.file("out/.jigo-mine.part", "mine").file("one/.jigo-mine.part", "mine").file("a.sgf", text);
    assert_eq!(folder.run("fix --quiet --out out t.jsonl").code, 0);
    assert_eq!(folder.run("fix --quiet --out one/fixed.sgf a.sgf").code, 0);
    let names: Vec<String> = walkdir::WalkDir::new(folder.path().join("out"))
        .into_iter()
        .filter_map(|entry| {
            let entry = entry.unwrap();
            entry.file_type().is_file().then(|| entry.file_name().to_string_lossy().into_owned())
        })
        .collect();
    assert_eq!(names.iter().filter(|name| name.starts_with(".jigo-")).collect::<Vec<_>>(), [".jigo-mine.part"]);
    assert_eq!(names.len(), 3, "{names:?}");
    assert_eq!(folder.read("one/.jigo-mine.part"), "mine");
}
