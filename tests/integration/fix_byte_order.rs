//! Safe fixes of files with UTF-16 games in both byte orders and without marks: a converted name is
//! always the recorded one.

use crate::damage::{read, turns};
use crate::support::cli::Folder;
use crate::support::generated::Random;

/// Names, from letters that shifted text keeps readable to those that it damages.
const NAMES: [&str; 8] = ["Cho", "李昌镐", "Böhm 常昊", "常昊 (常昊)", "Žižek", "孝 9p", "x 嬀昊 y", "柯洁 😀"];
/// Properties of the root after the names.
const TEXTS: [&str; 5] = ["", "C[x (常昊) y]", "C[see 李\\] x]", "GC[常\n昊]", "EV[(;李]"];
/// Blanks between games, in single bytes.
const BLANKS: [&str; 9] = ["", "\n", "\r\n", " ", "\n\n", "\n \n", "\r\n\n", "\t", "\r\n \r\n "];

/// Returns a game without a mark in one of the byte orders, or in single bytes, and its text.
fn game(random: &mut Random, text: &str) -> Vec<u8> {
    let wide_blank = random.one_of(&["", "", "\n", "\r\n", " "]);
    let is_little = random.below(2) == 0;
    let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    match random.below(8) {
        0 => text.into(),
        _ => format!("{text}{wide_blank}").encode_utf16().flat_map(bytes).collect(),
    }
}

/// Returns the names and turns of all games.
fn names_and_turns(bytes: &[u8]) -> Vec<(String, String, Vec<String>)> {
    let games = read(bytes).0;
    games
        .iter()
        .map(|game| (game.record.header.black.clone(), game.record.header.white.clone(), turns(&game.record)))
        .collect()
}

#[test]
fn names_in_both_byte_orders_are_converted_or_kept() {
    let folder = Folder::new();
    let mut random = Random(16);
    let files: Vec<(String, Vec<u8>, String)> = (0..3_000)
        .map(|number| {
            let (mut bytes, mut texts) = (Vec::new(), String::new());
            for turn in 0..2 + random.below(3) {
                let (black, white) = (random.one_of(&NAMES), random.one_of(&NAMES));
                let point = (b'a' + turn as u8) as char;
                let end = if turn > 0 && random.below(16) == 0 { "" } else { ")" };
                let text =
                    format!("(;GM[1]SZ[9]PB[{black}]{}PW[{white}];B[a{point}];W[bb]{end}", random.one_of(&TEXTS));
                bytes.extend(game(&mut random, &text));
                bytes.extend(random.one_of(&BLANKS).bytes());
                texts += &(text + "\n");
            }
            (format!("in/{number:04}.sgf"), bytes, texts)
        })
        .collect();
    for (name, bytes, _) in &files {
        folder.file(name, bytes);
    }
    let ran = folder.run("fix --quiet --exit-zero --in-place --log log.csv in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut converted = 0;
    for (name, bytes, text) in &files {
        let after = std::fs::read(folder.path().join(name)).unwrap();
        if after != *bytes {
            converted += 1;
            assert_eq!(
                names_and_turns(&after),
                names_and_turns(text.as_bytes()),
                "{name}: {}\n{}",
                bytes.escape_ascii(),
                text
            );
        }
    }
    assert!(converted * 10 > files.len(), "{converted}");
}
