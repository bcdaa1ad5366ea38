//! Files of damaged games in mixed encodings, as fixes may repair them.

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, WINDOWS_1252};

use super::game_damage::{ANY_NODE, DAMAGE, HEADER, STRAY};
use super::generated::Random;

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
pub struct Seed {
    root: String,
    rest: String,
}

impl Seed {
    /// Returns a short game with texts and marks.
    fn generated(random: &mut Random) -> Seed {
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
            rest += &format!(";{color}[{}]{}", random.one_of(&points), random.one_of(&texts));
        }
        rest += if is_open { ")(;W[hh]C[side])" } else { "" };
        Seed { root: "GM[1]FF[4]SZ[9]".into(), rest }
    }

    /// Returns the games of a file that begin with a property of the root.
    pub fn all_of(text: &[u8]) -> Vec<Seed> {
        let text = String::from_utf8_lossy(text);
        let games = text.split("(;").map(str::trim_start).collect::<Vec<_>>();
        let games = games.chunk_by(|_, next| !begins_root(next)).map(|parts| parts.join("(;"));
        games.filter(|game| game.len() < 20_000).filter_map(|game| Seed::of_game(&game)).collect()
    }

    /// Divides a game, without its `(;`, after its root, and removes the charset. Returns `None` if
    /// it is damaged.
    fn of_game(game: &str) -> Option<Seed> {
        let body = game.trim().strip_suffix(')')?;
        let ends = node_ends(body)?;
        let (root, rest) = body.split_at(*ends.first()?);
        let start = root.find("CA[").unwrap_or(root.len());
        let length = root[start..].find(']').map_or(0, |end| end + 1);
        let root = format!("{}{}", &root[..start], &root[start + length..]);
        begins_root(&root).then(|| Seed { root, rest: rest.into() })
    }
}

/// Returns true if a node begins with a property of roots.
fn begins_root(node: &str) -> bool {
    ["GM[", "FF[", "SZ[", "CA[", "AP[", "RU["].iter().any(|name| node.starts_with(name))
}

/// Returns the ends of all nodes. Returns `None` if brackets or parentheses are not balanced.
fn node_ends(text: &str) -> Option<Vec<usize>> {
    let (mut ends, mut is_in_value, mut is_escaped, mut depth) = (Vec::new(), false, false, 0);
    for (offset, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => {}
            b']' if is_in_value => is_in_value = false,
            b'[' if !is_in_value => is_in_value = true,
            _ if is_in_value => {}
            b';' | b'(' | b')' => {
                ends.push(offset);
                depth += i32::from(byte == b'(') - i32::from(byte == b')');
            }
            _ => {}
        }
        is_escaped = is_in_value && byte == b'\\' && !is_escaped;
        if depth < 0 {
            return None;
        }
    }
    (!is_in_value && depth == 0).then_some(ends)
}

/// Inserts properties into some nodes.
fn insert(random: &mut Random, rest: &mut String) {
    for _ in 0..random.below(5) {
        let Some(ends) = node_ends(rest) else { return };
        let is_after_node = |end: &usize| rest[..*end].trim_end().ends_with(']');
        let ends: Vec<usize> = ends.into_iter().chain([rest.len()]).filter(is_after_node).collect();
        if !ends.is_empty() {
            rest.insert_str(random.one_of(&ends), random.one_of(&ANY_NODE));
        }
    }
}

/// Damages the nodes after the root, as a fix may repair it.
fn mutate(random: &mut Random, mut rest: String) -> String {
    if random.below(2) == 0 {
        insert(random, &mut rest);
    }
    for _ in 0..random.one_of(&[0, 0, 1, 1, 2, 3]) {
        let (old, new) = random.one_of(&DAMAGE);
        let places: Vec<usize> = rest.match_indices(old).map(|(offset, _)| offset).take(20).collect();
        if !places.is_empty() {
            let offset = random.one_of(&places);
            rest.replace_range(offset..offset + old.len(), new);
        }
    }
    rest
}

/// Returns a game in a random encoding.
fn game(random: &mut Random, seed: &Seed) -> Vec<u8> {
    let (encoding, names) = random.one_of(&LEGACY);
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
    let name = if has_names { random.one_of(&names) } else { "Lee" };
    let mut root = if random.below(6) == 0 && !seed.root.starts_with("SZ") {
        seed.root.replacen("SZ[19]", "", 1)
    } else {
        seed.root.clone()
    };
    for _ in 0..random.below(4) {
        root += random.one_of(&HEADER);
    }
    let comment = if random.below(4) == 0 { format!("C[{name} ({name})]") } else { String::new() };
    let close = if random.below(12) == 0 { "" } else { ")" };
    let semicolon = if random.below(40) == 0 { "" } else { ";" };
    let text =
        format!("({semicolon}{root}{label}PB[{name}]PW[Cho]{comment}{}{close}", mutate(random, seed.rest.clone()));
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

/// Returns the start of a game without a header, and its name in a random charset. An unclosed game
/// before it swallows it, and no fix knows the charset of its name.
fn fragment(random: &mut Random) -> (Vec<u8>, Vec<u8>) {
    let (encoding, names) = random.one_of(&LEGACY);
    let name = encoding.encode(random.one_of(&names)).0.into_owned();
    // The next game would seem to belong to a value whose bracket has a backslash.
    let name = if name.ends_with(b"\\") { b"Lee".to_vec() } else { name };
    let (start, end) = random.one_of(&[("(;B[bb]C[", "])"), ("(;W[cc]N[", "];B[dd])"), ("(;B[ee];W[ff]C[", "]")]);
    ([start.as_bytes(), &name, end.as_bytes()].concat(), name)
}

/// A file, the stray texts in it, and the names in it that no fix may convert.
pub type DamagedFile = (Vec<u8>, Vec<&'static str>, Vec<Vec<u8>>);

/// Returns a random file.
pub fn damaged_file(random: &mut Random, seeds: &[Seed]) -> DamagedFile {
    let (mut text, mut strays, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..=random.below(4) {
        if number > 0 {
            text.extend(random.one_of(&["\n", "\n", "\r\n", "\n\n"]).bytes());
        }
        let stray = random.one_of(&STRAY);
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
        let generated = Seed::generated(random);
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
