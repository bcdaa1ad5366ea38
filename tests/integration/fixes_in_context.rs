//! Fixes next to other games. A fix before or after a game boundary moves no boundary, with any
//! damage in the neighbours, and a second run finds nothing to fix.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::support::cli::{Folder, run_command};
use crate::support::generated::Random;

/// The turns of a file: game number, turn number, colour and point.
type Turns = Vec<[String; 4]>;

/// Returns the turns of all files below a folder, by file name.
fn turns(folder: &Folder, below: &str) -> HashMap<String, Turns> {
    let ran = folder.run(&format!("check --quiet --exit-zero --table turns {below}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut turns: HashMap<String, Turns> = HashMap::new();
    for row in ran.cells() {
        let name = row["file"].rsplit_once('/').unwrap().1.to_owned();
        turns.entry(name).or_default().push(["game", "turn", "color", "point"].map(|column| row[column].clone()));
    }
    turns
}

/// Fixes all files below `from` with these flags and returns the output folder.
fn fix_folder(folder: &Folder, from: &str, to: &str, flags: &str) -> String {
    let ran = folder.run(&format!("fix --quiet --exit-zero {flags} --out {to} {from}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    format!("{to}/{from}")
}

/// Fixes texts twice and checks that the second run changes nothing. If `is_unchanged` is true, all
/// turns must be unchanged.
fn assert_fixed_once(texts: &[Vec<u8>], flags: &str, is_unchanged: bool) {
    let folder = Folder::new();
    for (number, text) in texts.iter().enumerate() {
        folder.file(&format!("in/{number:05}.sgf"), text);
    }
    let first = fix_folder(&folder, "in", "once", flags);
    let second = fix_folder(&folder, &first, "twice", flags);
    let (before, after) = (turns(&folder, "in"), turns(&folder, &first));
    for (number, text) in texts.iter().enumerate() {
        let name = format!("{number:05}.sgf");
        let [once, twice] =
            [&first, &second].map(|below| std::fs::read(folder.path().join(below).join(&name)).unwrap());
        let excerpt = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        assert_eq!(excerpt(&once), excerpt(&twice), "fix {flags} twice of {:?}", excerpt(text));
        assert!(
            !is_unchanged || before.get(&name) == after.get(&name),
            "fix {flags} of {:?}: {}",
            excerpt(text),
            excerpt(&once)
        );
    }
}

/// A property name with possible values, valid and odd.
const HEADER: [(&str, &[&str]); 15] = [
    ("GM", &["1", "1", "", "2"]),
    ("FF", &["4", "3", ""]),
    ("SZ", &["9", "19", "9x9", "", "i"]),
    ("PB", &["x", "a b", "", "[5]", "\\]", "中"]),
    ("BR", &["1d", ""]),
    ("KM", &["6.5", "3.75", "6,5", "650"]),
    ("HA", &["0", "2", "3", ""]),
    ("RE", &["B+1", "W+R", "0", "black wins by 3"]),
    ("CA", &["UTF-8", "GBK", "Big5", ""]),
    ("AB", &["aa][ba", "cc", "aa:cc", "aa][aa"]),
    ("AW", &["bb", "aa"]),
    ("PL", &["W", "B"]),
    ("C", &["hi", "a (b) c", "see [1] x", "x;y", "(;z", "a\nb", "c:\\"]),
    ("W", &["cc"]),
    ("B", &["cc"]),
];

/// Returns a game with header properties in any order, a few turns and variations.
fn game(random: &mut Random) -> String {
    let mut text = String::from("(;");
    for (name, values) in HEADER {
        let is_present = random.below(4) < if matches!(name, "GM" | "SZ") { 3 } else { 1 };
        let property = format!("{name}[{}]", random.one_of(values));
        let place = if random.below(4) == 0 { 2 } else { text.len() };
        text.insert_str(place, if is_present { &property } else { "" });
    }
    let mut open = 1;
    for turn in 0..random.below(7) {
        let begins_tree = random.below(6) == 0;
        open += usize::from(begins_tree);
        let color = if random.below(12) == 0 { "B" } else { ["B", "W"][turn as usize % 2] };
        let points = ["ab", "cd", "ef", "gh", "ii", "ba", "dc", "fe", "", "tt", "AA", "a"];
        let suffix = ["", "", "", "", "", "C[x [1] y]", "C[see (2)]", "C[e:\\]", "BL[30]", "\n"];
        let (point, suffix) = (random.one_of(&points), random.one_of(&suffix));
        text += &format!("{};{color}[{point}]{suffix}", if begins_tree { "(" } else { "" });
        if open > 1 && random.below(3) == 0 {
            text.push(')');
            open -= 1;
        }
    }
    text + &")".repeat(open)
}

/// Text after a game.
const TEXT_AFTER_GAME: [&str; 12] =
    ["\n", "\n", "", "\n\n", " ", "\nmail (x)\n", " text [1] ", "\n;B[bb])", "; ", ")", "\n)\n", "\0\n"];
/// Tokens that damage inserts.
const TOKENS: [&str; 22] = [
    "[", "]", "(", ")", ";", "(;", "\\", "\0", "\n", "\x1A", ";B[", "W[", "GM[", "SZ[", "C[", "])", "()", "(;GM[1]",
    "KM[", "BR[", "]]", ")(",
];
/// Characters of charsets other than UTF-8, complete and truncated.
const LEGACY: [&[u8]; 5] = [b"\xD6\xD0", b"\xB3\\", b"\xA4\xA4\xA5\\", b"\x83\\", b"\xE4"];

/// Returns a few damaged games: brackets, parentheses, semicolons and names are removed, inserted
/// and cut off.
fn damaged_collection(random: &mut Random) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..=random.below(4) {
        text += &game(random);
        text += random.one_of(&TEXT_AFTER_GAME);
    }
    let chinese = text.find('中').filter(|_| random.below(8) == 0);
    let mut text = text.into_bytes();
    if let Some(offset) = chinese {
        text.splice(offset..offset + '中'.len_utf8(), random.one_of(&LEGACY).iter().copied());
    }
    for _ in 0..random.one_of(&[0, 1, 1, 2, 2, 3, 4, 6, 9]) {
        let tokens: Vec<usize> = (0..text.len()).filter(|offset| b"[]();\\".contains(&text[*offset])).collect();
        if tokens.is_empty() {
            break;
        }
        let anywhere = random.below(text.len() as u64) as usize;
        let offset = if random.below(10) < 7 { random.one_of(&tokens) } else { anywhere };
        let end = (offset + 1 + random.below(12) as usize).min(text.len());
        let token = random.one_of(&TOKENS).bytes();
        match random.below(20) {
            0..9 => drop(text.remove(offset)),
            9..15 => drop(text.splice(offset..offset, token)),
            15..17 => drop(text.drain(offset..end)),
            17..19 => drop(text.splice(offset..=offset, token)),
            _ => text.truncate(offset),
        }
    }
    text
}

/// Returns pieces of games in any order.
fn shuffled_pieces(random: &mut Random) -> Vec<u8> {
    let more = ["GM[1]", "SZ[9]", "B[aa]", ";B[bb]", ";W[cc]", "US[", "PB[x]", "e", "(;GM[1]SZ[9]"];
    let parts = (0..3 + random.below(12)).map(|_| match random.below(2) {
        0 => random.one_of(&TOKENS),
        _ => random.one_of(&more),
    });
    let text: String = parts.collect();
    format!("(;{text}").into_bytes()
}

/// Safe fixes and unsafe fixes of headers and text keep all turns. With all unsafe fixes, a second
/// run finds nothing to fix.
#[test]
fn fixes_of_damaged_collections_move_no_game() {
    let mut random = Random(20_060_217);
    let texts: Vec<Vec<u8>> = (0..1500)
        .map(|number| if number % 4 == 0 { shuffled_pieces(&mut random) } else { damaged_collection(&mut random) })
        .collect();
    assert_fixed_once(&texts, "", true);
    assert_fixed_once(&texts, "--unsafe --select H,I", true);
    assert_fixed_once(&texts, "--unsafe", false);
}

/// Files in which fixes once moved a game's end, or were made again in each run.
#[test]
fn earlier_failing_files_are_fixed_once() {
    let texts: [&[u8]; 20] = [
        b"(KM[;GM[]W[]",
        b";BR[)(;BR[]SZ[1e;B[]",
        b";GM[]C[]())(US[SZ[]W[]",
        b"(;B[aa])\n;B[bb])",
        b"(;GM[1]SZ[9];W[aa](;B[bb])[;W[",
        b"(;GM[1](;B[bg])(;W[fc];W[eh)(]))\n(;KM[6.5]PB])[\x83(;]SZ[9x9W[]BR[1dGMC[c:\\]FF[]US[a]) ",
        b"(;GM[1]SZ[9]FF[4];B[ha](;B[ee](;W[bf]);B[ai]))\n;B[bb](;BR[1d]GM[1]FF[4];B[ff])GM[\n;B[bb])",
        b"[(;GM[1]SZ[9]GM[1][)W[[PB[x]SZ[;W[cc]W[W[(;GM[1]SZ[9];",
        b"(;US[a]SZ[19SZ[(]GM[1]B[cc]HA[3\0;B[dg]BL[75];W[ci];B\x1A[ch;W[hdW[]BL30];B[dg",
        b"(;;;US[\\US[(SZ[SZ[SZ[;B[bb](B[aa];",
        b"(;US[US[B[aa]\\C[(\\KM[US[(;GM[1]SZ[9]SZ[9]US[B[aa]W[",
        b"(;GM[1]SZ[9];B[aa] \0\n(;GM[1]SZ[9];B[bb])",
        b"(;GM[1]SZ[9];B[aa]\n",
        b"(;GM[1]SZ[19]KM[3.75]HA[0]RE[black wins by 3]B[c",
        b"(;SZ[9]PB[x]RE[0]CASZ[",
        b"(;SZ[9]C[x;B[e[e:\\])\n\n(\x1A;SZ[i]BR[(;GM[1]",
        b"(;C[GM[1](;(;)]B[aa];B[bb]\nC[;B[bb]PB[x]",
        b"(;GM[1]SZ[9]PB[\xB3\\]CA[UTF-8;B[he];W[cg])",
        b"(;GM[1]SZ[9]PB[\xB3\\]B[aa])\n(;GM[1]SZ[9]CA[Big5]C[\xA4\xFD\xBB\xCA];B[aa])",
        b"(;GM[1]SZ[9];B[aa])\n;PB[x];B[bb])\n(;PB[x];B[cc]",
    ];
    let texts = texts.map(<[u8]>::to_vec);
    assert_fixed_once(&texts, "", true);
    assert_fixed_once(&texts, "--unsafe --select H,I", true);
    assert_fixed_once(&texts, "--unsafe", false);
}

/// A fix that would move a game boundary is reported and not made. Not even an unsafe fix removes
/// the turns after the game.
#[test]
fn fix_that_moves_a_boundary_is_reported_not_made() {
    let folder = Folder::new();
    // With a new GM in front, the game would start differently from the next line, and that line
    // would become part of the game.
    folder.file("a.sgf", "(;B[aa])\n;B[bb])");
    let ran = folder.run("fix --quiet --exit-zero a.sgf");
    assert_eq!(ran.column("made"), ["false"], "{}", ran.out);
    assert!(ran.column("reason").iter().all(|reason| reason.starts_with("it could not be shown")), "{}", ran.out);
    let ran = folder.run("fix --quiet --exit-zero --unsafe --out b.sgf a.sgf");
    assert_eq!((ran.code, folder.read("b.sgf").as_str()), (0, "(;B[aa])\n;B[bb])"), "{}", ran.err);
}

/// An unclosed game is closed before the end of its last line.
#[test]
fn unclosed_game_is_closed_before_line_end() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[1]SZ[9];B[aa]\r\n\n");
    let ran = folder.run("fix --quiet --exit-zero --out b.sgf a.sgf");
    assert_eq!((ran.code, folder.read("b.sgf").as_str()), (0, "(;GM[1]SZ[9];B[aa])\r\n\n"), "{}", ran.err);
}

/// A large file arrives in chunks from a disk, from standard input and from an archive. The output
/// bytes are equal, the turns are unchanged, and a second run finds nothing.
#[test]
fn large_file_in_chunks_gets_same_fixes() {
    let mut random = Random(7);
    let mut text = Vec::new();
    while text.len() < 900 << 10 {
        text.extend(damaged_collection(&mut random));
        text.push(b'\n');
        // Damage in every line would turn most of the file into one game.
        (0..20).for_each(|_| text.extend(game(&mut random).into_bytes()));
        text.extend(b"\n(;GM[1]FF[4]SZ[9]PB[x];B[aa];W[bb])\n");
    }
    let folder = Folder::new();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&text).unwrap();
    folder.file("in/a.sgf", &text).file("b.sgf.gz", packed.finish().unwrap());
    let whole_file = fix_folder(&folder, "in", "once", "");
    let in_chunks = fix_folder(&folder, &whole_file, "twice", "");
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let fixed = read(&format!("{whole_file}/a.sgf"));
    let again = read(&format!("{in_chunks}/a.sgf"));
    let first = fixed.iter().zip(&again).position(|(one, other)| one != other).unwrap_or(fixed.len());
    let around = |text: &[u8]| text[first.saturating_sub(200)..text.len().min(first + 200)].escape_ascii().to_string();
    assert!(fixed != text && fixed == again, "a second run changes\n{}\nto\n{}", around(&fixed), around(&again));
    assert!(turns(&folder, "in") == turns(&folder, &whole_file), "all turns are the same");
    let output =
        run_command(folder.command(["fix", "--quiet", "--exit-zero", "--out", "c.sgf", "-"]).write_stdin(text));
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(read("c.sgf") == fixed, "standard input");
    fix_folder(&folder, "b.sgf.gz", "unpacked", "");
    let unpacked =
        folder.list().into_iter().find(|name| name.starts_with("unpacked/") && name.ends_with(".sgf")).unwrap();
    assert!(read(&unpacked) == fixed, "packed");
}
