//! Games in every charset: turns are right under any CA, and names are right if CA is right or the
//! bytes show the charset.

use std::process::Command;

use crate::support::cli::Folder;
use crate::support::read_bytes;
use encoding_rs::Encoding;
use jigo_record::{GameRecord, Reading};

/// Charset, label, and texts of games in it. Some characters have a bracket or a backslash as their
/// second byte.
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
    let steps: String = record.steps.iter().map(|step| format!("{:?}", step.kind)).collect();
    format!("{steps}{:?}{:?}", record.setups, record.unreadable)
}

fn only_game(bytes: &[u8]) -> Reading {
    let mut games = read_bytes(bytes);
    assert_eq!(games.len(), 1, "{}", String::from_utf8_lossy(bytes));
    games.remove(0)
}

#[test]
fn turns_are_right_in_every_charset() {
    let mut wrong_names = 0;
    let mut read = 0;
    for number in 0..400 {
        for (charset, label, name, event) in TEXTS {
            let expected = steps(&only_game(game(None, "a", "b", number).as_bytes()).record);
            let labels = [Some(label), None, Some("UTF-8"), Some("ISO-8859-1"), Some("x-unknown")];
            for (index, label) in labels.into_iter().enumerate() {
                let reading = only_game(&encode(charset, &game(label, name, event, number)));
                assert_eq!(steps(&reading.record), expected, "{charset} with CA {label:?}");
                let correct = reading.record.header.black == name && reading.record.header.event == event;
                assert!(correct || index > 0, "{charset}: {}", reading.record.header.black);
                wrong_names += usize::from(!correct);
                if number == 0 && !correct {
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
fn wrong_charset_labels_keep_the_turns() {
    for (charset, _, name, event) in TEXTS {
        let expected = steps(&only_game(game(None, "a", "b", 3).as_bytes()).record);
        for (_, label, _, _) in TEXTS {
            let reading = only_game(&encode(charset, &game(Some(label), name, event, 3)));
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
fn game_with_little_text_uses_charset_of_its_file() {
    let mut bytes = encode("GBK", &game(None, "古力", "x", 1));
    bytes.extend(encode("GBK", &game(None, "柯洁九段", TEXTS[0].3, 2)));
    let games = read_bytes(&bytes);
    assert_eq!(games[0].record.header.black, "古力");
}

#[test]
fn utf16_is_read_and_offsets_match_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "(;GM[1]FF[4]CA[UTF-16]SZ[19]KM[6.5]RU[Japanese]PB[黒𠀋]RE[W+R];B[aa];W[aa])\n";
    // The second text is long enough to be read in pieces.
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

/// Returns the text in UTF-8, little-endian UTF-16 or big-endian UTF-16, after a byte order mark.
fn marked(mark: &[u8], form: &str, text: &str) -> Vec<u8> {
    let bytes = match form {
        "UTF-8" => text.into(),
        _ => encode_with_utf16(form, text),
    };
    [mark, &bytes].concat()
}

/// A wrong mark before any text, at the start of a file or between games, loses no game and keeps
/// the place of each.
#[test]
fn wrong_byte_order_mark_loses_no_game() {
    let folder = Folder::new();
    let forms = [("UTF-8", 1), ("UTF-16LE", 2), ("UTF-16BE", 2)];
    let marks = [&b"\xFF\xFE"[..], b"\xFE\xFF"];
    for (name, copies) in [("李昌镐", 2), ("Cho", 2), ("李昌镐", 20_000)] {
        let text = format!("(;GM[1]FF[4]SZ[19]KM[6.5]RU[Japanese]PB[{name}]RE[W+R];B[aa];W[aa])\n");
        for ((form, width), mark) in forms.into_iter().flat_map(|form| marks.map(|mark| (form, mark))) {
            let bytes = marked(mark, form, &text.repeat(copies));
            folder.file("start.sgf", &bytes);
            folder.file("between.sgf", [&marked(b"", form, &text), &*bytes].concat());
            let length = if width == 1 { text.len() } else { 2 * text.encode_utf16().count() };
            for (file, before) in [("start.sgf", 0), ("between.sgf", 1)] {
                let checked = folder.run(&format!("check -q --exit-zero --select P001 {file}"));
                let offsets = checked.column("offset");
                let last = mark.len() + length * (copies - 1 + before);
                assert_eq!(offsets.len(), copies + before, "{file}: {form} after {mark:?}, {name}");
                assert_eq!(offsets[copies - 1 + before], last.to_string(), "{file}: {form} after {mark:?}");
            }
            let games = jigo_core::games(&std::fs::read(folder.path().join("between.sgf")).unwrap())
                .map(|game| game.unwrap().header().black.to_string())
                .filter(|black| black == name)
                .count();
            assert_eq!(games, copies + 1, "{form} after {mark:?}, {name}");
        }
    }
}

/// The same holds for the other formats, and for rows of tables.
#[test]
fn wrong_byte_order_mark_is_ignored_in_every_format() {
    let folder = Folder::new();
    let texts = [
        ("moves", "1\t;B[aa];W[bb]\n2\t;B[cc];W[dd]\n", 4),
        ("gib", "\\HS\n\\[GAMEBLACKNAME=a\\]\n\\HE\n\\GS\n2 1 0\nINI 0 1 0 &4\nSTO 0 2 1 3 3\n\\GE\n", 1),
        ("ugf", "[Header]\nSize=19\nHdcp=0,6.50\n[Data]\nQP,B1,1,0\n", 1),
        ("csv", "id,sgf\n1,(;SZ[9];B[aa];W[bb])\n", 2),
        ("jsonl", "{\"id\":1,\"sgf\":\"(;SZ[9];B[aa];W[bb])\"}\n", 2),
    ];
    for (name, text, turns) in texts {
        for form in ["UTF-8", "UTF-16LE", "UTF-16BE"] {
            for mark in [&b"\xFF\xFE"[..], b"\xFE\xFF"] {
                folder.file("text", marked(mark, form, text));
                let checked = folder.run("check -q --exit-zero --table turns text");
                assert_eq!(checked.column("turn").len(), turns, "{name} in {form} after {mark:?}: {}", checked.err);
            }
        }
    }
}

/// Characters of surnames and of given names, by charset. The second bytes of some are brackets or
/// backslashes.
const NAMES: [(&str, &str, &str, &str); 7] = [
    (
        "GBK",
        "GB2312",
        "王李张刘陈杨黄赵周吴徐孙马朱胡郭何高林罗古柯常聂谢唐时范连檀",
        "洁力昊军伟平毅鸣飞辉星宇豪源笑清晓天羽宁廷睿博文嘉诚誟乗俓",
    ),
    (
        "Big5",
        "Big5",
        "王李張劉陳楊黃趙周吳徐孫馬朱胡郭何高林羅許蕭夏蔡簡",
        "皓鋐源平毅鳴飛輝星宇豪清曉天羽寧廷睿博文嘉誠功蓋餐淑慧",
    ),
    (
        "Shift_JIS",
        "Shift_JIS",
        "井山張栩高尾依田羽根小林武宮趙治石田本因坊加藤橋表十予",
        "裕太英寿紳路直樹光一正樹勲芳夫遼名人能表示碁聖秀哉",
    ),
    ("EUC-KR", "EUC-KR", "이김박최정강조윤장임한오서신권황안송류홍", "세돌창호정환진서지석동훈영명철한승재민수준"),
    (
        "ISO-2022-JP",
        "ISO-2022-JP",
        "井山張栩高尾依田羽根小林武宮趙治石田本因坊加藤橋",
        "裕太英寿紳路直樹光一正樹勲芳夫遼",
    ),
    ("UTF-16LE", "UTF-16", "井山王이김𠀋", "裕太洁세돌"),
    ("UTF-16BE", "UTF-16", "井山王이김𠀋", "裕太洁세돌"),
];

/// The number of games in the collection of each charset and label.
const COLLECTION: usize = 480;

/// Returns a name of two to four characters.
fn name(surnames: &str, given: &str, state: &mut u64) -> String {
    let mut pick = |characters: &str| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        characters.chars().nth((*state >> 33) as usize % characters.chars().count()).unwrap()
    };
    let mut name = String::from(pick(surnames));
    for _ in 0..1 + name.len() % 3 {
        name.push(pick(given));
    }
    name
}

fn encode_with_utf16(charset: &str, text: &str) -> Vec<u8> {
    match charset {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => encode(charset, text),
    }
}

/// Returns true if each name is nearly UTF-8, with at most one wrong byte, as some short names in GBK,
/// EUC-KR and Shift_JIS are by chance. Then nothing shows that they are not.
fn are_nearly_utf8(charset: &str, names: &[String]) -> bool {
    let is_nearly_utf8 = |name: &String| {
        let bytes = encode(charset, name);
        let text = String::from_utf8_lossy(&bytes);
        let (wrong, others): (Vec<char>, Vec<char>) =
            text.chars().filter(|symbol| !symbol.is_ascii()).partition(|symbol| *symbol == char::REPLACEMENT_CHARACTER);
        wrong.len() <= 1 && !others.is_empty()
    };
    !charset.starts_with("UTF-16") && names.iter().all(is_nearly_utf8)
}

#[test]
fn short_names_are_read_in_every_charset_and_label() {
    let folder = Folder::new();
    let turns: Vec<String> = (0..COLLECTION).map(turns).collect();
    let mut expected = Vec::new();
    let mut state = 1;
    for (charset, label, surnames, given) in NAMES {
        // The bytes may well be valid under the last label. Then the turns are right, and the names
        // follow the label.
        let fitting = if charset == "Big5" { "GBK" } else { "ISO-8859-1" };
        for (index, ca) in [label, "", "UTF-8", fitting].into_iter().enumerate() {
            let names: Vec<String> = (0..2 * COLLECTION).map(|_| name(surnames, given, &mut state)).collect();
            let games = names.chunks(2).zip(&turns).map(|(names, turns)| {
                let ca = if ca.is_empty() { String::new() } else { format!("CA[{ca}]") };
                format!("(;GM[1]FF[4]{ca}SZ[19]PB[{}]PW[{}]KM[6.5]{turns})\n", names[0], names[1])
            });
            let file = format!("{charset}-{index}.sgf");
            folder.file(&file, encode_with_utf16(charset, &games.collect::<String>()));
            expected.push((file, names, charset));
        }
    }
    let ascii: String = turns.iter().map(|turns| format!("(;GM[1]SZ[19]{turns})")).collect();
    folder.file("plain.sgf", ascii);
    let run = folder.run("report -q --exit-zero --dead none --out tables .");
    assert_eq!(run.code, 0, "{}", run.err);
    let rows = folder.table("tables/games.csv");
    assert_eq!(rows.len(), COLLECTION * (1 + 4 * NAMES.len()));
    let rows_of = |ending: &str| rows.iter().filter(move |row| row["file"].ends_with(ending)).collect::<Vec<_>>();
    let hashes: Vec<&str> = rows_of("plain.sgf").iter().map(|row| row["game_hash"].as_str()).collect();
    for (file, names, charset) in &expected {
        let games = rows_of(file);
        assert_eq!(games.iter().map(|row| row["game_hash"].as_str()).collect::<Vec<_>>(), hashes, "turns of {file}");
        let is_checked = |names: &[String]| !file.ends_with("-3.sgf") && !are_nearly_utf8(charset, names);
        for (game, names) in games.iter().zip(names.chunks(2)).filter(|(_, names)| is_checked(names)) {
            assert_eq!([&game["black"], &game["white"]], [&names[0], &names[1]], "{file}");
        }
    }
}

/// GB18030 encodes Hangul, most marks and emoji in four bytes. Programs also label it GBK and
/// GB2312.
#[test]
fn right_label_sets_the_charset() {
    let hangul = ["이세돌", "박정환 九段", "ö", "Jörg 😀", "김"];
    let chinese = [("GB18030", "gb18030"), ("GBK", "gb18030"), ("GB2312", "gb18030")];
    let european = [
        ("ISO-8859-15", "iso-8859-15", ["Žižek", "Œuvre", "Jérôme", "Björk René", "« École »"]),
        ("ISO-8859-1", "iso-8859-1", ["Jérôme", "Müller", "Åsa Öström", "Niño", "Straße"]),
        ("ISO-8859-2", "iso-8859-2", ["Dvořák", "Šťastný", "Łódź", "Kovács", "Žižek"]),
        ("windows-1251", "windows-1251", ["ПЕТРОВ", "Иванов", "Сидоров", "ИВАН", "КОВАЛЁВ"]),
    ];
    let cases = chinese.map(|(label, charset)| (label, charset, hangul)).into_iter().chain(european);
    for (label, charset, names) in cases {
        for (name, event) in names.iter().flat_map(|name| names.iter().map(move |event| (name, event))) {
            let reading = only_game(&encode(charset, &game(Some(label), name, event, 1)));
            let header = &reading.record.header;
            assert_eq!((header.black.as_str(), header.event.as_str()), (*name, *event), "{label}");
        }
    }
}
