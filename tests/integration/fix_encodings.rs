//! Safe fixes of files in several encodings: no game is lost, and no fix changes the reading of
//! another game.

use encoding_rs::{Encoding, GBK, SHIFT_JIS};

use crate::damage::{read, turns};
use crate::support::cli::Folder;

const WIDE: &str = "(;GM[1]FF[4]SZ[9]PB[李昌镐]PW[Cho];B[aa];W[bb]C[好])";
const NARROW: &str = "(;GM[1]FF[4]SZ[9]PB[Lee]KM[650];B[cc];W[dd];B[ee])";

fn utf16(text: &str, is_little: bool) -> Vec<u8> {
    let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    text.encode_utf16().flat_map(bytes).collect()
}

/// Returns the file after its safe fixes, and the rows of the log.
fn fix_file(bytes: &[u8]) -> (Vec<u8>, String) {
    let folder = Folder::new();
    folder.file("a.sgf", bytes);
    let ran = folder.run("fix --quiet --exit-zero --in-place --log log.csv a.sgf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    (std::fs::read(folder.path().join("a.sgf")).unwrap(), folder.read("log.csv"))
}

/// Returns the names and turns of all games.
fn games(bytes: &[u8]) -> Vec<(String, Vec<String>)> {
    read(bytes).0.iter().map(|game| (game.record.header.black.clone(), turns(&game.record))).collect()
}

#[test]
fn utf16_and_single_byte_games_are_read_and_converted() {
    let expected: Vec<_> = [WIDE, NARROW].iter().flat_map(|text| games(text.as_bytes())).collect();
    for is_little in [true, false] {
        for mark in ["", "\u{FEFF}"] {
            let wide = utf16(&format!("{mark}{WIDE}\r\n"), is_little);
            let narrow = format!("{NARROW}\n").into_bytes();
            for number in 0..5 {
                // A single-byte blank may follow a game in UTF-16.
                let wide = if number < 4 {
                    wide.clone()
                } else {
                    [&utf16(&format!("{mark}{WIDE}"), is_little)[..], b"\n"].concat()
                };
                let mut parts = [wide.clone(), narrow.clone()].to_vec();
                let mut expected = expected.clone();
                if number % 2 == 1 {
                    parts.swap(0, 1);
                    expected.swap(0, 1);
                }
                if (2..4).contains(&number) {
                    parts.push(parts[0].clone());
                    expected.push(expected[0].clone());
                }
                let (fixed, log) = fix_file(&parts.concat());
                assert_eq!(games(&fixed), expected, "{number} {is_little} {mark:?}\n{log}");
                assert!(std::str::from_utf8(&fixed).is_ok_and(|text| !text.contains('\0')), "{log}");
                assert!(log.contains("H010") && log.contains("I003"), "{log}");
            }
        }
    }
}

#[test]
fn games_in_both_forms_of_utf16_are_read_and_converted() {
    let expected: Vec<_> = [WIDE, NARROW, WIDE].iter().flat_map(|text| games(text.as_bytes())).collect();
    for is_little in [true, false] {
        for first in ["", "\u{FEFF}"] {
            for (wide_blank, blank) in [("\n", ""), ("", ""), ("\n", "\r\n"), ("", "\r\n")] {
                let parts = [
                    utf16(&format!("{first}{WIDE}{wide_blank}"), is_little),
                    blank.into(),
                    utf16(&format!("\u{FEFF}{NARROW}{wide_blank}"), !is_little),
                    blank.into(),
                    utf16(&format!("\u{FEFF}{WIDE}\n"), is_little),
                ];
                let (fixed, log) = fix_file(&parts.concat());
                assert_eq!(games(&fixed), expected, "{is_little} {first:?} {wide_blank:?} {blank:?}\n{log}");
            }
        }
    }
}

#[test]
fn text_in_single_bytes_next_to_utf16_is_not_converted() {
    for prose in ["Round 3, board 2\n", "Round 3, board 12\r\n", "1. Q16 D4 2. Q3 D17\n"] {
        for (is_little, mark) in [(true, ""), (true, "\u{FEFF}"), (false, ""), (false, "\u{FEFF}")] {
            let wide = utf16(&format!("{mark}{WIDE}\n"), is_little);
            let before = [prose.as_bytes(), &wide, NARROW.as_bytes()].concat();
            let (fixed, log) = fix_file(&before);
            assert!(fixed.starts_with(prose.as_bytes()), "{log}");
            assert_eq!(
                games(&fixed),
                games(format!("{WIDE}{NARROW}").as_bytes()),
                "{prose} {is_little} {mark:?}\n{log}"
            );
            let unclosed = &wide[..wide.len() - 4];
            let open = utf16(&format!("{mark}{}", WIDE.replace("C[好])", "C[good")), is_little);
            for wide in [&wide, unclosed, &open] {
                let before = [wide, prose.as_bytes(), NARROW.as_bytes()].concat();
                assert_eq!(fix_file(&before).0, before, "{prose} {is_little} {mark:?}");
            }
        }
    }
}

#[test]
fn single_byte_line_ends_between_utf16_games_are_removed() {
    let expected: Vec<_> = [WIDE, NARROW].iter().flat_map(|text| games(text.as_bytes())).collect();
    for is_little in [true, false] {
        for blank in ["\r\n", "\n\n", "\r\n\r\n"] {
            let parts = [utf16(WIDE, is_little), blank.into(), utf16(NARROW, is_little)];
            let (fixed, log) = fix_file(&parts.concat());
            assert_eq!(games(&fixed), expected, "{log}");
            assert!(log.contains("I003,UTF-16") && log.contains("I004"), "{log}");
        }
    }
}

#[test]
fn utf16_with_invalid_units_is_unchanged() {
    let half = |text: &str| {
        let mut units: Vec<u16> = text.encode_utf16().collect();
        let offset = units.iter().position(|unit| *unit == u16::from(b'~')).unwrap();
        units[offset] = 0xD800;
        units.into_iter().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    let mut truncated = utf16(WIDE, true);
    truncated.push(b'A');
    let mut dropped = utf16(&format!("{NARROW}\n{WIDE}\n"), true);
    dropped.remove(40);
    for bytes in [
        half(&WIDE.replace("Cho", "C~o")),
        half(&WIDE.replace("Cho", "Ch~")),
        half(&WIDE.replace("好", "~")),
        truncated,
        dropped,
    ] {
        let (fixed, log) = fix_file(&bytes);
        assert!(fixed == bytes, "{}\n{log}", fixed.escape_ascii());
        let folder = Folder::new();
        folder.file("a.sgf", &bytes);
        let listed = folder.run("fix --exit-zero a.sgf");
        assert!(listed.column("made").iter().all(|is_made| is_made == "false"), "{}", listed.out);
        assert!(listed.out.contains("its file stays UTF-16"), "{}", listed.out);
    }
}

#[test]
fn fix_keeps_the_guessed_charset_of_other_games() {
    let legacy = |encoding: &'static Encoding, text: &str| encoding.encode(text).0.into_owned();
    let guessed = ["(;GM[1]FF[4]SZ[9]PB[李昌镐]PW[White];B[aa];W[bb])", "(;GM[1]FF[4]SZ[9]KM[3¾]PB[x];B[aa])"];
    let labelled = [
        (GBK, "(;GM[1]FF[4]CA[GBK]SZ[9]PB[常昊]KM[650];B[cc])"),
        (SHIFT_JIS, "(;GM[1]FF[4]CA[Shift_JIS]SZ[9]PB[趙治勲]PW[小林光一];B[cc])"),
        (encoding_rs::WINDOWS_1252, "(;GM[1]FF[4]CA[ISO-8859-1]SZ[9]PB[Müller]PW[Zöe];B[cc])"),
    ];
    for first in guessed {
        for second in labelled {
            for own in [GBK, encoding_rs::WINDOWS_1252] {
                let (narrow, _, is_lost) = own.encode(first);
                if is_lost {
                    continue;
                }
                let bytes = [&narrow[..], b"\n", &legacy(second.0, second.1), b"\n"].concat();
                let (fixed, log) = fix_file(&bytes);
                let contents = |bytes: &[u8]| {
                    let games = read(bytes).0;
                    games
                        .iter()
                        .map(|game| (game.record.header.black.clone(), game.record.header.komi, turns(&game.record)))
                        .collect::<Vec<_>>()
                };
                let (before, after) = (contents(&bytes), contents(&fixed));
                assert_eq!(before[0], after[0], "{} {}\n{log}", own.name(), second.1);
                assert_eq!(before.len(), after.len(), "{log}");
            }
        }
    }
}

/// Clocks after a turn belong to that turn. A text after a turn may belong to either.
#[test]
fn turns_get_separate_nodes_with_their_clocks() {
    for (nodes, expected) in [
        (";W[aa]WL[9]OW[5]W[bb]WL[8]OW[4]", ";W[aa]WL[9]OW[5];W[bb]WL[8]OW[4]"),
        (";W[aa]WL[9]OW[5]W[bb]WL[9]OW[5]", ";W[aa]WL[9]OW[5];W[bb]WL[9]OW[5]"),
        (";B[aa]OB[2]W[bb]OW[3]B[cc]OB[1]", ";B[aa]OB[2];W[bb]OW[3];B[cc]OB[1]"),
        (";B[aa]BL[9]W[bb]WL[8]OW[3]C[x]", ";B[aa]BL[9]W[bb]WL[8]OW[3]C[x]"),
        (";B[aa]C[x]B[bb]W[cc]BL[9]", ";B[aa]C[x];B[bb]BL[9];W[cc]"),
        (";BL[9]B[aa]W[cc]BL[8]WL[7]B[bb]B[dd]", ";BL[9]B[aa];W[cc]WL[7];BL[8]B[bb];B[dd]"),
    ] {
        let (fixed, log) = fix_file(format!("(;GM[1]FF[4]SZ[9]{nodes})").as_bytes());
        assert_eq!(String::from_utf8(fixed).unwrap(), format!("(;GM[1]FF[4]SZ[9]{expected})"), "{log}");
    }
}

/// A safe fix must not complete a truncated record, because its board would then be counted.
#[test]
fn truncated_record_stays_truncated() {
    for end in [";W[", ";W[a", ";W[ab", ";W[ab]C[and", ";W[ab]\n(;B[cc"] {
        let text = format!("(;GM[1]FF[4]SZ[9]KM[7]RU[Chinese]RE[B+5];B[ee]{end}");
        let (fixed, log) = fix_file(text.as_bytes());
        let folder = Folder::new();
        folder.file("a.sgf", &fixed);
        let ran = folder.run("check --exit-zero a.sgf");
        assert!(ran.err.contains("1 stopped"), "{end}: {}\n{log}\n{}", ran.err, fixed.escape_ascii());
    }
}

/// Returns a game in GBK and the start of a damaged one in Shift_JIS.
fn labelled_games(end: &str, next: &str) -> Vec<u8> {
    let first = format!("(;GM[1]FF[4]SZ[9]CA[GBK]PB[李昌镐];B[aa]{end}\n");
    [GBK.encode(&first).0.into_owned(), SHIFT_JIS.encode(next).0.into_owned()].concat()
}

#[test]
fn label_is_not_applied_to_a_swallowed_game() {
    for (end, next) in [
        ("", "(;B[bb]C[井山裕太])\n"),
        ("", ";W[bb]PB[井山裕太];B[cc])\n"),
        ("(;W[ba])", "(;W[bb]C[井山裕太];B[cc])\n"),
        ("C[see", "(;B[bb]C[井山裕太])\n"),
        ("", "(GM[1]FF[4]SZ[9]CA[Shift_JIS]PB[井山裕太];B[bb])\n"),
        ("", "(PB[井山裕太];B[bb])\n"),
    ] {
        let bytes = labelled_games(end, next);
        let (fixed, log) = fix_file(&bytes);
        let name = SHIFT_JIS.encode("井山裕太").0;
        assert!(fixed.windows(name.len()).any(|part| *part == *name), "{next}\n{log}");
        let (second, log) = fix_file(&fixed);
        assert!(second.windows(name.len()).any(|part| *part == *name), "second run: {next}\n{log}");
    }
    // The label of the second game says nothing about the first, whose last byte is not a backslash.
    let text = "(;GM[1]FF[4]SZ[9]PB[本因坊表]PW[Cho];B[ef]\n(GM[1]SZ[9]CA[windows-1252]PB[Lee];B[gh];W[ii])\n";
    let text = SHIFT_JIS.encode(text).0;
    let (fixed, log) = fix_file(&text);
    assert!(fixed == *text, "{log}");
    let (fixed, log) = fix_file(&labelled_games(")", ""));
    assert!(String::from_utf8(fixed).unwrap().contains("李昌镐"), "{log}");
    let first = GBK.encode("(GM[1]FF[4]SZ[9]CA[GBK]PB[李昌镐]\n").0;
    let name = SHIFT_JIS.encode("井山裕太").0;
    let (fixed, log) = fix_file(&[first.as_ref(), b"(;B[bb]C[", name.as_ref(), b"])\n"].concat());
    assert!(fixed.windows(name.len()).any(|part| *part == *name), "{log}");
}

#[test]
fn half_a_character_is_removed_as_unsafe_only() {
    let utf8 = "(;GM[1]FF[4]SZ[9]CA[UTF-8]PB[李昌镐];B[aa]C[abc";
    let gbk = utf8.replace("UTF-8", "GBK");
    let (gbk, _, _) = GBK.encode(&gbk);
    for (start, half) in [(utf8.as_bytes(), &b"\xE6\x9D"[..]), (&gbk, b"\xC0")] {
        let text = [start, half, b"];W[bb])"].concat();
        let (fixed, log) = fix_file(&text);
        assert!(fixed == text, "{log}");
    }
}

#[test]
fn controls_in_values_are_removed_as_unsafe_only() {
    let text = |name: &str| format!("(;GM[1]FF[4]SZ[9]CA[UTF-8]PB[{name}];B[aa])");
    for name in ["Ã\u{96}stlund", "\u{1B}$B0f;3M5B@", "\u{E}@L\u{F}", "\u{18}\u{4}2\u{4}", "a\u{7}b"] {
        let (fixed, log) = fix_file(text(name).as_bytes());
        assert!(fixed == text(name).as_bytes(), "{log}");
    }
}

/// Writes a game with this label and name, whose bytes are in any charset.
fn labelled(label: &str, name: &[u8]) -> Vec<u8> {
    [format!("(;GM[1]SZ[9]CA[{label}]PB[").as_bytes(), name, b"]PW[x];B[aa];W[bb])"].concat()
}

#[test]
fn labels_of_ascii_name_no_charset_for_other_bytes() {
    let names: [&[u8]; 4] =
        [b"Wa\xB3\xEAsa", b"\xE9\xD7\xC1\xCE\xCF\xD7", b"\xC0\xEE\xB2\xFD\xB8\xE4", b"\xB3\\\xA5\\\xBB\\"];
    for label in ["US-ASCII", "ascii", "ANSI", "ANSI_X3.4-1968", "ansi_x3.110", "x-user-defined", "ISO_646.irv"] {
        for name in names {
            let before = labelled(label, name);
            let (after, log) = fix_file(&before);
            assert!(after == before, "{label} {}\n{log}", after.escape_ascii());
            let folder = Folder::new();
            folder.file("a.sgf", &before);
            let listed = folder.run("check --quiet --exit-zero a.sgf");
            assert!(listed.out.contains("I007"), "{label}\n{}", listed.out);
        }
        // ASCII text is sound under these labels, and UTF-8 shows that a label of ASCII is wrong.
        let sound = labelled(label, b"Lee");
        assert!(fix_file(&sound).0 == sound, "{label}");
    }
    let after = fix_file(&labelled("US-ASCII", "李昌镐".as_bytes())).0;
    assert_eq!(after, labelled("UTF-8", "李昌镐".as_bytes()));
}

#[test]
fn private_use_characters_make_a_conversion_unsafe() {
    let apple: &[u8] = b"\xF0 Lee";
    for (label, name) in [("GB2312", &b"\xB3\\\xA5\\"[..]), ("Shift_JIS", b"\xF0\x40\x88\xE4"), ("macintosh", apple)] {
        let before = labelled(label, name);
        let (after, log) = fix_file(&before);
        assert!(after == before, "{label} {}\n{log}", after.escape_ascii());
    }
    let converted = |label: &str, name: &[u8]| String::from_utf8(fix_file(&labelled(label, name)).0).unwrap();
    assert!(converted("GB2312", b"\xC0\xEE\xB2\xFD\xB8\xE4").contains("PB[李昌镐]"));
    assert!(converted("macintosh", b"M\x9Fller").contains("PB[Müller]"));
}

/// Returns a text in a charset, with every byte 5C and 5D escaped.
fn escaped_by_bytes(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let escape = |byte: &u8| if matches!(byte, b'\\' | b']') { vec![b'\\', *byte] } else { vec![*byte] };
    encoding.encode(text).0.iter().flat_map(escape).collect()
}

#[test]
fn text_with_escaped_halves_of_characters_is_not_converted() {
    let game = |label: &str, name: &[u8], comment: &[u8]| {
        let parts = [labelled(label, name), b"C[".to_vec(), comment.to_vec(), b"])".to_vec()];
        let text = parts.concat();
        let end = text.windows(3).position(|bytes| bytes == b")C[").unwrap();
        [&text[..end], &text[end + 1..]].concat()
    };
    for (encoding, name) in [
        (SHIFT_JIS, "能十"),
        (SHIFT_JIS, "可能 (x)"),
        (encoding_rs::BIG5, "許功蓋"),
        (GBK, "乗俓"),
        (encoding_rs::BIG5, "包]x"),
    ] {
        let escaped = escaped_by_bytes(encoding, name);
        let with_line = [&escaped[..], b"\nabc"].concat();
        for (name, comment) in [(&escaped[..], &b"x"[..]), (b"x", &escaped), (b"x", &with_line)] {
            let before = game(encoding.name(), name, comment);
            let (after, log) = fix_file(&before);
            assert!(after == before, "{} becomes {}\n{log}", before.escape_ascii(), after.escape_ascii());
        }
        // The same characters with correct escapes are converted.
        let text = name.replace(']', "\\]");
        let (after, log) = fix_file(&game(encoding.name(), &encoding.encode(&text).0, b"x"));
        let after = String::from_utf8_lossy(&after).into_owned();
        assert!(after.contains(&format!("PB[{text}]")), "{after}\n{log}");
    }
    let japanese = encoding_rs::ISO_2022_JP.encode("本因坊").0;
    let escaped: Vec<u8> = escaped_by_bytes(encoding_rs::ISO_2022_JP, "本因坊");
    assert!(!fix_file(&game("ISO-2022-JP", &japanese, b"x")).0.is_ascii());
    let before = game("ISO-2022-JP", &escaped, b"x");
    assert!(fix_file(&before).0 == before);
}

#[test]
fn nuls_inside_values_are_kept() {
    let utf32 = |text: &str, is_little: bool| -> Vec<u8> {
        let bytes = |c: char| if is_little { (c as u32).to_le_bytes() } else { (c as u32).to_be_bytes() };
        text.chars().flat_map(bytes).collect()
    };
    let mut texts = vec![
        labelled("UTF-8", b"M\0i\0c\0h\0a\0B\x01"),
        labelled("UTF-8", b"\0M\0i\0c\0h\0a\x01B"),
        labelled("UTF-8", b"Lee\0\0\0Cho\0"),
        labelled("GBK", b"L\0e\0e\0"),
        labelled("UTF-8", b"\x1A\x04\x32\x04"),
        [&labelled("UTF-8", b"Lee\0Cho")[..], b"\0\0"].concat(),
    ];
    for is_little in [true, false] {
        texts.push(utf32("(;GM[1]SZ[9]PB[孝孛李];B[aa])", is_little));
        texts.push(utf32("(;GM[1]SZ[9]PB[Lee];B[aa])\n", is_little));
        // Without the first name, nothing shows that this game is in UTF-16.
        let nameless = utf16("(;[1]GM[1]SZ[9:9]KM[6,5]RE[B+0.0];B[aa]W[bb])\n", is_little);
        texts.push([b"(;GM[1]SZ[9];B[aa])\n", nameless.as_slice()].concat());
    }
    for before in texts {
        let (after, log) = fix_file(&before);
        assert!(after == before, "{} becomes {}\n{log}", before.escape_ascii(), after.escape_ascii());
    }
    for padded in [&b"Lee\0"[..], b"Lee\0\0\0"] {
        assert_eq!(fix_file(&labelled("UTF-8", padded)).0, labelled("UTF-8", b"Lee"));
    }
    assert_eq!(fix_file(b"(;GM[1]SZ[9];B[aa]\0\0;W[bb]\x1A)\n").0, b"(;GM[1]SZ[9];B[aa];W[bb])\n");
}

#[test]
fn label_of_mojibake_is_kept() {
    for (label, reader, name) in [
        (GBK, encoding_rs::WINDOWS_1252, "李昌镐"),
        (encoding_rs::BIG5, encoding_rs::WINDOWS_1252, "周俊勳"),
        (encoding_rs::WINDOWS_1251, encoding_rs::WINDOWS_1252, "Петров"),
        (encoding_rs::EUC_KR, encoding_rs::WINDOWS_1251, "이세돌"),
    ] {
        let bytes = label.encode(name).0;
        let before = labelled(label.name(), reader.decode(&bytes).0.as_bytes());
        let (after, log) = fix_file(&before);
        assert!(after == before, "{name}\n{log}");
        // The characters themselves show that the label is wrong.
        assert_eq!(fix_file(&labelled(label.name(), name.as_bytes())).0, labelled("UTF-8", name.as_bytes()));
    }
    let western = labelled("ISO-8859-1", "Müller".as_bytes());
    assert_eq!(fix_file(&western).0, labelled("UTF-8", "Müller".as_bytes()));
}

/// A list in UTF-16 before an SGF game in single bytes is recognised by its own part of the file.
/// After the conversion, the whole file would be SGF with a list as stray text.
#[test]
fn list_in_utf16_before_a_game_is_not_lost() {
    let folder = Folder::new();
    for list in ["17 pd dd pp dp\n18 pd dd pp qq\n", "17\t;B[pd];W[dd];B[pp]\n18\t;B[qd]\n"] {
        for is_little in [true, false] {
            folder.file("a.sgf", [&utf16(&format!("\u{FEFF}{list}"), is_little)[..], NARROW.as_bytes()].concat());
            let turns = || folder.run("check -q --exit-zero --table turns a.sgf").column("point");
            let before = turns();
            folder.run("fix --quiet --exit-zero --in-place a.sgf");
            assert_eq!((before.len() > 6, turns()), (true, before), "{list}");
        }
    }
}
