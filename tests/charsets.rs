//! Games in every charset: turns are right whatever CA says, names where CA is right or the bytes show it.

mod support;

use std::process::Command;

use encoding_rs::Encoding;
use jigo::record::{GameRecord, Reading};
use support::read_bytes;

/// Charset, label, and what games in it say; among the characters are those whose second byte is a bracket or a backslash.
const TEXTS: [(&str, &str, &str, &str); 5] = [
    ("GBK", "GBK", "柯洁九段 誟乗俓", "第二十届三星杯世界围棋大师赛决赛第一局，黑方中盘胜。双方在右上角展开激烈的战斗"),
    ("Big5", "Big5", "許皓鋐 功蓋餐", "第三屆圍棋名人賽挑戰者決定戰，黑中盤勝。功夫不負苦心人，許家元九段"),
    (
        "Shift_JIS",
        "Shift_JIS",
        "表十予 井山裕太",
        "第四十期名人戦挑戦手合七番勝負第一局、ソフトの能力を表示する予定です",
    ),
    ("EUC-KR", "EUC-KR", "이세돌 구단", "제이십기 명인전 도전기 제일국, 흑 불계승. 우상귀에서 격렬한 전투가 벌어졌다"),
    ("ISO-2022-JP", "ISO-2022-JP", "井山裕太 九段", "第四十期名人戦挑戦手合七番勝負第一局、黒中押し勝ち"),
];

fn turns(number: usize) -> String {
    let mut text = String::new();
    for turn in 0..20 {
        let place = (number * 7 + turn * 31) % 361;
        let (x, y) = (b'a' + (place % 19) as u8, b'a' + (place / 19) as u8);
        text.push_str(&format!(";{}[{}{}]", if turn % 2 == 0 { 'B' } else { 'W' }, x as char, y as char));
    }
    text
}

fn game(label: Option<&str>, name: &str, event: &str, number: usize) -> String {
    let ca = label.map_or(String::new(), |label| format!("CA[{label}]"));
    format!("(;GM[1]FF[4]{ca}SZ[19]PB[{name}]EV[{event}]PW[White]KM[6.5]C[{name}]{})", turns(number))
}

fn encode(charset: &str, text: &str) -> Vec<u8> {
    let (bytes, _, faulty) = Encoding::for_label(charset.as_bytes()).unwrap().encode(text);
    assert!(!faulty, "{charset} has no {text}");
    bytes.into_owned()
}

fn steps(record: &GameRecord) -> String {
    let steps: String = record.steps.iter().map(|step| format!("{:?}", step.what)).collect();
    format!("{steps}{:?}{:?}", record.setups, record.unreadable)
}

fn only(bytes: &[u8]) -> Reading {
    let mut games = read_bytes(bytes);
    assert_eq!(games.len(), 1, "{}", String::from_utf8_lossy(bytes));
    games.remove(0)
}

#[test]
fn turns_are_right_in_every_charset_and_names_where_they_can_be() {
    let mut wrong_names = 0;
    let mut read = 0;
    for number in 0..400 {
        for (charset, label, name, event) in TEXTS {
            let expected = steps(&only(game(None, "a", "b", number).as_bytes()).record);
            let labels = [Some(label), None, Some("UTF-8"), Some("ISO-8859-1"), Some("x-unknown")];
            for (index, label) in labels.into_iter().enumerate() {
                let reading = only(&encode(charset, &game(label, name, event, number)));
                assert_eq!(steps(&reading.record), expected, "{charset} with CA {label:?}");
                let right = reading.record.header.black == name && reading.record.header.event == event;
                assert!(right || index > 0, "{charset}: {}", reading.record.header.black);
                wrong_names += usize::from(!right);
                if number == 0 && !right {
                    eprintln!("{charset} with CA {label:?}: {}", reading.record.header.black);
                }
                read += 1;
            }
        }
    }
    assert_eq!(read, 10_000);
    assert_eq!(wrong_names, 0, "of {read}");
}

#[test]
fn labels_of_other_charsets_leave_turns_alone() {
    for (charset, _, name, event) in TEXTS {
        let expected = steps(&only(game(None, "a", "b", 3).as_bytes()).record);
        for (_, label, _, _) in TEXTS {
            let reading = only(&encode(charset, &game(Some(label), name, event, 3)));
            assert_eq!(steps(&reading.record), expected, "{charset} with CA {label}");
        }
    }
}

#[test]
fn games_of_one_file_may_differ_in_charset() {
    let mut bytes = Vec::new();
    for (charset, label, name, event) in TEXTS {
        bytes.extend(encode(charset, &game(Some(label), name, event, 1)));
        bytes.extend(game(None, "柯洁", "ß", 2).as_bytes());
    }
    let games = read_bytes(&bytes);
    assert_eq!(games.len(), 10);
    for (pair, (_, _, name, _)) in games.chunks(2).zip(TEXTS) {
        assert_eq!((pair[0].record.header.black.as_str(), pair[1].record.header.black.as_str()), (name, "柯洁"));
    }
}

#[test]
fn a_game_without_enough_text_is_read_as_its_file_is() {
    let mut bytes = encode("GBK", &game(None, "古力", "x", 1));
    bytes.extend(encode("GBK", &game(None, "柯洁九段", TEXTS[0].3, 2)));
    let games = read_bytes(&bytes);
    assert_eq!(games[0].record.header.black, "古力");
}

#[test]
fn utf16_is_read_with_and_without_mark_and_offsets_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "(;GM[1]FF[4]CA[UTF-16]SZ[19]KM[6.5]RU[Japanese]PB[黒𠀋]RE[W+R];B[aa];W[aa])\n";
    // The second size is one that is read in pieces.
    for copies in [2, 20_000] {
        let whole = text.repeat(copies);
        for (mark, big) in [("", false), ("\u{feff}", false), ("", true), ("\u{feff}", true)] {
            let units = mark.encode_utf16().chain(whole.encode_utf16());
            let bytes: Vec<u8> =
                units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
            std::fs::write(folder.path().join("g.sgf"), &bytes).unwrap();
            let run = Command::new(env!("CARGO_BIN_EXE_jigo"))
                .args(["check", "g.sgf"])
                .current_dir(&folder)
                .output()
                .unwrap();
            let rows = String::from_utf8(run.stdout).unwrap();
            let occupied: Vec<&str> = rows.lines().filter(|row| row.contains("P001")).collect();
            assert_eq!(occupied.len(), copies);
            let length = 2 * text.encode_utf16().count();
            let begins = 2 * mark.encode_utf16().count() + (copies - 1) * length;
            assert!(
                occupied[copies - 1].starts_with(&format!("g.sgf,{copies},{begins},{copies},")),
                "{}",
                occupied[copies - 1]
            );
            assert!(rows.contains(if big { "UTF-16BE" } else { "UTF-16LE" }));
        }
    }
}
