//! Compares games before and after safe fixes with a second reader. Mutated games in mixed
//! encodings may differ only in the values that the log lists.
//!
//! `JIGO_DIFFERENTIAL=200000` sets the number of files. With `JIGO_CORPUS`, games of the corpus are
//! also mutated.

use std::collections::HashMap;
use std::ops::Range;

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, WINDOWS_1252};

use crate::support::cli::Folder;
use crate::support::generated::Random;
use crate::support::second_reader::{SecondGame, read_games};
use crate::support::{corpus, files_ending};

/// The number of files in a run of `jigo fix`.
const BATCH: usize = 500;

fn one_of<T: Copy>(random: &mut Random, choices: &[T]) -> T {
    choices[random.below(choices.len() as u64) as usize]
}

/// The encoding of a game.
#[derive(Clone, Copy)]
enum Writing {
    Utf8,
    Utf16 { is_little: bool },
    Legacy { encoding: &'static Encoding, is_labelled: bool },
}

/// The charsets of games, with names that they can encode.
const LEGACY: [(&Encoding, [&str; 3]); 6] = [
    (GB18030, ["이창호 李昌镐", "Böhm 常昊", "柯洁 😀"]),
    (GBK, ["李昌镐", "常昊九段", "柯洁"]),
    (SHIFT_JIS, ["井山裕太", "趙治勲", "本因坊表"]),
    (BIG5, ["周俊勳", "功許蓋", "王元均"]),
    (EUC_KR, ["이세돌", "박정환", "조훈현"]),
    (WINDOWS_1252, ["Müller", "3¾ Zöe", "Ægir Þór"]),
];

/// Parts of a game: the root without its `(;`, and the rest.
struct Seed {
    root: String,
    rest: String,
}

fn generated_seed(random: &mut Random) -> Seed {
    let mut rest = String::new();
    let mut is_open = false;
    for turn in 0..random.below(9) {
        let color = ["B", "W"][turn as usize % 2];
        let points = ["ab", "cd", "ef", "gh", "ii", "ba", "dc", "fe", ""];
        let texts = ["", "", "", "C[a \\] b]", "C[N]", "LB[aa:1][bb:2]", "N[x]TE[1]", "TR[aa][bb]"];
        if turn == 4 && random.below(3) == 0 {
            rest += "(";
            is_open = true;
        }
        rest += &format!(";{color}[{}]{}", one_of(random, &points), one_of(random, &texts));
    }
    rest += if is_open { ")(;W[hh]C[side])" } else { "" };
    Seed { root: "GM[1]FF[4]SZ[9]".into(), rest }
}

/// Returns a game of the corpus, or `None` if it is not ASCII.
fn seed_of_game(text: &[u8]) -> Option<Seed> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.is_ascii() && text.len() < 20_000)?;
    let body = text.trim().strip_prefix("(;")?.strip_suffix(')')?;
    let (root, rest) = body.split_at(body.find("\n;").or_else(|| body.find(";B["))?);
    let is_plain =
        !rest.contains("(;") && root.matches('[').count() == root.matches(']').count() && !root.contains("CA[");
    is_plain.then(|| Seed { root: root.into(), rest: rest.into() })
}

/// Properties to insert into the root. Each may need a fix.
const HEADER: [&str; 22] = [
    "DT[2019/1/2]",
    "GM[ 1]",
    "PL[b]",
    "HA[ 2 ]",
    "SZ[13:13]",
    "GC[a]GC[b]",
    "KM[650]",
    "KM[3.75]",
    "KM[6,5]",
    "KM[6.5]",
    "RE[B+R]",
    "RE[Black wins by 3]",
    "RE[W+1.0]",
    "PC[x]PC[x]",
    "KM[3¾]",
    "HA[0]",
    "ID[a\u{7}b]",
    "EV[a [b\\] c]",
    "WhiteRank[3d]",
    "AB[aa:bb]",
    "AB[cc][cc]",
    "RU[Chinese]",
];

/// Damages the nodes after the root, as a fix may repair it.
fn mutate(random: &mut Random, rest: &str) -> String {
    let (old, new) = one_of(random, &DAMAGE);
    let text = rest.replacen(old, new, 1);
    match random.below(3) {
        0 => mutate(random, &text),
        1 => text,
        _ => rest.to_owned(),
    }
}

/// Damage to nodes.
const DAMAGE: [(&str, &str); 36] = [
    ("];W", "]W"),
    (";B[ab]", ";Black[ab]"),
    (";B[cd]", ";B[CD]"),
    (";W", ";;W"),
    (";B[ef]", ";B[ef]BL[3]OB[1]W[gg]WL[4]OW[2]"),
    (";B[ef]", ";W[ef]WL[3]OW[1]W[gg]WL[4]OW[2]"),
    (";W", "\0\0;W"),
    ("C[N]", "C[a]C[b]"),
    ("C[N]", "C[see [1\\] (x)]"),
    ("C[N]", "C[see [1] for [more] of it]"),
    ("C[N]", "C[see 1] of 2]"),
    (";W[", ";W ["),
    (";B[]", ";B[tt]"),
    ("C[side])", "C[side]"),
    ("C[side]", "C[side]AB[aa][aa]AW[bb]"),
    ("(;W[hh]", "()(;W[hh]"),
    ("TE[1]", "TE[1]TE[1]"),
    ("TR[aa][bb]", "TR[aa]TR[bb]"),
    ("LB[aa:1][bb:2]", "LB[aa:1]LB[bb:2]TR[AA]"),
    (";B[ba]", ";B[ba];"),
    (";B[dc]", "; B [dc]\r\n"),
    (";B[ii]", ";AB[ii]PL[W]"),
    (";B[ii]", ";B[ii]B[ba]C[twice]"),
    ("C[N]", "C[\u{1A}N\u{7}]"),
    ("C[N]", "C[N][of N\\]][x]"),
    ("C[side]", "C[side][more]"),
    ("C[side]", "C[side]BL[1,5]KO[1]TR[aa][bb][aa]"),
    (";W[hh]", ";W[hh]GB[]HO[ 2]CR[]MN[]"),
    (";W[hh]", ";W[hh]L[aa][bb]"),
    (";W[hh]", ";W[hh]N[a][a]M[cc]"),
    (";W[hh]", ";W[hh]LB[aa:1:2]"),
    ("TE[1]", "TE[]"),
    ("TE[1]", "TE[1]BL[]WL[2,5]"),
    ("TR[aa][bb]", "TR[aa][bb][aa]"),
    (";B[ef]", ";B[ef]KO[ ]OB[3.0]"),
    ("(;W[hh]", "( )(;W[hh]"),
];

/// Returns a game in a random encoding.
fn game(random: &mut Random, seed: &Seed) -> Vec<u8> {
    let (encoding, names) = one_of(random, &LEGACY);
    let writer = match random.below(10) {
        0..3 => Writing::Utf8,
        3 => Writing::Utf16 { is_little: random.below(2) == 0 },
        _ => Writing::Legacy { encoding, is_labelled: random.below(2) == 0 },
    };
    let label = match writer {
        Writing::Legacy { encoding, is_labelled: true } => format!("CA[{}]", encoding.name()),
        Writing::Utf8 if random.below(2) == 0 => "CA[UTF-8]".into(),
        _ => String::new(),
    };
    let has_names = random.below(5) > 0;
    let name = if has_names { one_of(random, &names) } else { "Lee" };
    let mut root = if random.below(6) == 0 { seed.root.replacen("SZ[19]", "", 1) } else { seed.root.clone() };
    for _ in 0..random.below(4) {
        root += one_of(random, &HEADER);
    }
    let comment = if random.below(4) == 0 { format!("C[{name} ({name})]") } else { String::new() };
    let close = if random.below(12) == 0 { "" } else { ")" };
    let text = format!("(;{root}{label}PB[{name}]PW[Cho]{comment}{}{close}", mutate(random, &seed.rest));
    match writer {
        Writing::Utf8 => text.into_bytes(),
        Writing::Utf16 { is_little } => {
            let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
            let mark = if random.below(2) == 0 { "\u{FEFF}" } else { "" };
            format!("{mark}{text}\n").encode_utf16().flat_map(bytes).collect()
        }
        // Characters outside the charset are omitted.
        Writing::Legacy { encoding, .. } => {
            let clean: String =
                text.chars().filter(|letter| !encoding.encode(letter.encode_utf8(&mut [0; 4])).2).collect();
            encoding.encode(&clean).0.into_owned()
        }
    }
}

/// Text outside games, which no safe fix removes or changes.
const STRAY: [&str; 9] = [
    "\\HS\r\n\\[GAMEBLACKNAME=Kim\\]\r\n\\HE\r\n\\GS\r\nSTO 0 2 1 3 3\r\nSTO 0 3 2 15 15\r\n\\GE",
    "Board 3\n19\nKim 3d\nLee 2d\nhall\n0\n0\n7\n20100404\n20\nresult\n2\nPMABBEQQE\nPMACWQEEQ",
    "[Header]\nLang=JPN\nSize=19\n[Data]\nQP,B1,1,0\nDP,W1,2,12",
    "Coordinate=JPN\nPlayer=Cho\nQP,B1,1,0\nDP,W1,2,12",
    "1. Q16 D4 2. Q3 D17",
    "pd dd pp dp fq cn jp",
    ";Black[qp];White[dp]",
    "Comment[hello]",
    "Round 3, board 2",
];

/// Returns the start of a game without a header, and its name in a random charset. An unclosed game
/// before it swallows it, and no fix knows the charset of its name.
fn fragment(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    let (encoding, names) = one_of(random, &LEGACY);
    let name = encoding.encode(one_of(random, &names)).0.into_owned();
    let (start, end) = one_of(random, &[("(;B[bb]C[", "])"), ("(;W[cc]N[", "];B[dd])"), ("(;B[ee];W[ff]C[", "]")]);
    ([start.as_bytes(), &name, end.as_bytes()].concat(), name)
}

/// A file, the stray texts in it, and the names in it that no fix may convert.
type Generated = (Vec<u8>, Vec<&'static str>, Vec<Vec<u8>>);

/// Returns a random file.
fn file(random: &mut Random, seeds: &[Seed]) -> Generated {
    let (mut text, mut strays, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..=random.below(4) {
        if number > 0 {
            text.extend(one_of(random, &["\n", "\n", "\r\n", "\n\n"]).bytes());
        }
        let stray = one_of(random, &STRAY);
        // The second reader reads `[Header]` after an unclosed game as a value of that game.
        let is_value = stray.starts_with('[') && !text.trim_ascii_end().ends_with(b")");
        if random.below(16) == 0 && !is_value {
            text.extend_from_slice(stray.as_bytes());
            text.push(b'\n');
            strays.push(stray);
        }
        // After turns outside a game, and after an unclosed game, only GM certainly begins another
        // game.
        let end = text.trim_ascii_end();
        let is_open = !names.is_empty()
            || strays.last().is_some_and(|stray: &&str| stray.ends_with(']'))
            || !end.ends_with(b")")
            || end.ends_with(b"side])");
        let is_generated = seeds.is_empty() || (number > 0 && is_open) || random.below(3) > 0;
        let generated = generated_seed(random);
        let seed = if is_generated { &generated } else { &seeds[random.below(seeds.len() as u64) as usize] };
        text.extend(game(random, seed));
        // A game in UTF-16 ends where its characters end, so it swallows nothing.
        if !text.ends_with(b")") && !text.contains(&0) && random.below(2) == 0 {
            let (fragment, name) = fragment(random);
            text.push(b'\n');
            text.extend(fragment);
            names.push(name);
        }
    }
    (text, strays, names)
}

/// A row of the log whose fix was made.
#[derive(Debug)]
struct MadeFix {
    game: Option<usize>,
    byte: usize,
    before: String,
    after: String,
}

impl MadeFix {
    /// Returns true if this can be a fix of a game with these bytes. In a UTF-16 file, a fix counts
    /// the bytes of the text in UTF-8, and may belong to any game.
    fn is_of(&self, game: &Range<usize>, is_utf16: bool) -> bool {
        if is_utf16 { self.game.is_some() } else { game.contains(&self.byte) }
    }
}

/// The made fixes of each file.
type Log = HashMap<String, Vec<MadeFix>>;

fn log_of(folder: &Folder) -> Log {
    let mut log = Log::new();
    let text = folder.read("log.csv");
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let columns = rows.headers().unwrap().clone();
    for row in rows.records().map(Result::unwrap) {
        let cell = |name: &str| row[columns.iter().position(|column| column == name).unwrap()].to_owned();
        if cell("made") == "true" {
            let [before, after] = ["before", "after"].map(cell);
            let [game, byte] = ["game", "byte"].map(|name| cell(name).parse().ok());
            let fix = MadeFix { game, byte: byte.unwrap(), before, after };
            log.entry(cell("file")).or_default().push(fix);
        }
    }
    log
}

/// Returns the clocks of a game without those that fixes deleted because the same node has them
/// several times. A fix may delete several equal ones.
fn clocks_left<'a>(game: &SecondGame, fixes: impl Iterator<Item = &'a MadeFix>) -> Vec<String> {
    let mut clocks = game.clocks.clone();
    for deleted in fixes.filter(|fix| fix.after.is_empty()).flat_map(|fix| fix.before.split_inclusive(']')) {
        let is_repeated = clocks.iter().filter(|clock| *clock == deleted).count() > 1;
        if let Some(offset) = clocks.iter().position(|clock| is_repeated && clock == deleted) {
            clocks.remove(offset);
        }
    }
    clocks
}

/// Returns the first difference between two readings of a file that no row of its log explains.
fn unexplained_difference(before: &[SecondGame], fixed: &[SecondGame], log: &[MadeFix]) -> Option<String> {
    if before.len() != fixed.len() {
        return Some(format!("{} games become {}", before.len(), fixed.len()));
    }
    let is_utf16 = log.iter().any(|fix| fix.before.starts_with("UTF-16"));
    for (number, (first, second)) in before.iter().zip(fixed).enumerate() {
        let of_game = || log.iter().filter(|fix| fix.is_of(&first.range, is_utf16));
        let is_same = (&first.board, &first.texts) == (&second.board, &second.texts)
            && (clocks_left(first, of_game()) == second.clocks || is_utf16 && first.clocks == second.clocks);
        let is_reported = |name: &str, original: &str, new: &str| {
            first.header.get(name).map_or("", String::as_str) == original
                && of_game().any(|fix| fix.before.contains(original) && fix.after.contains(new))
        };
        let mut names: Vec<&String> = first.header.keys().chain(second.header.keys()).collect();
        names.dedup();
        let changed = names.into_iter().find(|name| {
            let value = |game: &SecondGame| game.header.get(*name).cloned().unwrap_or_default();
            let (original, new) = (value(first), value(second));
            let clean = |text: &str| text.trim_end_matches('\0').to_owned();
            clean(&original) != clean(&new) && !is_reported(name, &original, &new)
        });
        if !is_same || changed.is_some() {
            return Some(format!("game {}: {changed:?}\n{first:?}\n{second:?}", number + 1));
        }
    }
    None
}

#[test]
fn safe_fixes_change_exactly_the_logged_places() {
    let files: usize = std::env::var("JIGO_DIFFERENTIAL").ok().and_then(|count| count.parse().ok()).unwrap_or(BATCH);
    let seeds: Vec<Seed> = corpus().map_or_else(Vec::new, |corpus| {
        let texts = files_ending(&corpus, "sgf").into_iter().filter_map(|path| std::fs::read(path).ok());
        texts.filter_map(|text| seed_of_game(&text)).collect()
    });
    let mut random = Random(std::env::var("JIGO_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(37));
    let (mut faults, mut changed) = (Vec::new(), 0);
    for start in (0..files).step_by(BATCH) {
        let folder = Folder::new();
        let texts: Vec<_> = (start..files.min(start + BATCH))
            .map(|number| (format!("in/{number:06}.sgf"), file(&mut random, &seeds)))
            .collect();
        for (name, (text, ..)) in &texts {
            folder.file(name, text);
        }
        let ran = folder.run("fix --quiet --exit-zero --in-place --log log.csv in");
        assert_eq!(ran.code, 0, "{}", ran.err);
        let log = log_of(&folder);
        for (name, (text, strays, names)) in &texts {
            let fixed = std::fs::read(folder.path().join(name)).unwrap();
            changed += usize::from(fixed != *text);
            let rows = log.get(name).map_or(&[][..], Vec::as_slice);
            // Properties become a part of the game before them, and the second reader reads them
            // there.
            let literal = strays.iter().filter(|stray| !stray.ends_with(']')).map(|stray| stray.as_bytes());
            let mut literal = literal.chain(names.iter().map(Vec::as_slice));
            let missing = literal.find(|part| !fixed.windows(part.len()).any(|bytes| bytes == *part));
            let fault = missing.map(|part| format!("lost: {}", part.escape_ascii()));
            // The second reader does not know where jigo divides a game from a fragment.
            let is_readable = names.is_empty();
            let differences =
                || unexplained_difference(&read_games(text), &read_games(&fixed), rows).filter(|_| is_readable);
            let fault = fault.or_else(differences);
            if let Some(fault) = fault {
                faults.push(format!(
                    "{name}: {fault}\n{:?}\n{:?}\n{rows:?}",
                    text.escape_ascii().to_string(),
                    fixed.escape_ascii().to_string()
                ));
            }
        }
    }
    assert!(changed * 4 > files, "{changed} of {files} files have a safe fix");
    assert!(faults.is_empty(), "{} of {files} files\n{}", faults.len(), faults[..faults.len().min(5)].join("\n\n"));
}
