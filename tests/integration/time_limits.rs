//! Time limits for all texts: a run of any text ends, in time proportional to its length, and
//! reports every game.

use std::time::Duration;

use crate::support::cli::Folder;

const SOUND: &str = "(;GM[1]FF[4]SZ[9]PB[a]PW[b]KM[5.5];B[aa];W[bb];B[cc])\n";
/// The time limit on a busy machine, for runs that once took minutes or hours.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Returns the number of games that a run finds, and its rows. Checks that the outcomes of the
/// games add up.
fn games(folder: &Folder, line: &str) -> (u64, String) {
    let mut command = folder.command(line.split_whitespace());
    let output = command.timeout(TIME_LIMIT).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    let line = err.lines().find(|line| line.contains(" found = ")).unwrap_or_else(|| panic!("{line}: {err}"));
    let numbers: Vec<u64> = line.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers[0], numbers[1] + numbers[2] + numbers[3], "{line}");
    (numbers[0], String::from_utf8(output.stdout).unwrap())
}

#[test]
fn stray_text_may_be_longer_than_any_game() {
    let folder = Folder::new();
    for unit in ["\0", " ", "\r", "x", "(", "ab\n", "]", "(;", "; "] {
        let gap = unit.repeat(600_000 / unit.len());
        folder.file("gap.sgf", [SOUND, &gap, "\n", SOUND].concat());
        let (found, rows) = games(&folder, "check --exit-zero --max game=100k gap.sgf");
        assert!(found >= 2, "{found} games around {unit:?}");
        assert!(rows.contains(&format!("gap.sgf,{found},{},", SOUND.len() + gap.len() + 1)), "{unit:?}: {rows}");
    }
    folder.file("gap.sgf", [SOUND, &"\0".repeat(18 << 20), "\n", SOUND].concat());
    assert_eq!(games(&folder, "check --exit-zero gap.sgf").0, 2);
}

/// Each text once took at least quadratic time. The fields are the prefix, the unit and the
/// command.
#[test]
fn periodic_texts_take_proportional_time() {
    let folder = Folder::new();
    for (prefix, unit, command) in [
        ("(;C[", "[;W[bb]B[", "check"),
        ("(;GM[1]C[", "[;W[bb]B[", "check"),
        ("(;C[[\\", "]B[aa]W[aa]CA[GBK]TB[aa:cc]", "check --table turns"),
        ("(;", "B[]", "check --table turns"),
        ("(;SZ[52]", "(;SZ[52]AE[aa:ZZ]", "check --variations all"),
        ("", "(;GM[1]AW[aa:ZZ]", "check --rules all"),
        ("(;GM[1]", ";AB[aa]", "check"),
        (SOUND, "(;PB[x]CA[Shift_JIS]KM[PL", "check"),
        (SOUND, "AB[aa]N[(;PB[x]", "score --all-endings --dead settled"),
        ("", "(;B[aa]W[aa])\n", "score --all-endings --rules japanese"),
    ] {
        folder.file("periodic.sgf", [prefix, &unit.repeat(300_000 / unit.len())].concat());
        let (rows, _) = games(&folder, &format!("{command} --exit-zero periodic.sgf"));
        assert!(rows > 0, "{prefix:?} {unit:?}");
    }
}

/// Each line of an unclosed game may begin a record of another format, and all these lines are
/// blank.
#[test]
fn blank_lines_of_an_unclosed_game_take_proportional_time() {
    let folder = Folder::new();
    for blank in ["\n", "\0\n", "\u{FEFF}\n"] {
        folder.file("open.sgf", format!("(;GM[1]\x1B$B{};KM[", blank.repeat(400_000 / blank.len())));
        assert_eq!(games(&folder, "check --exit-zero open.sgf").0, 1, "{blank:?}");
    }
}

#[test]
fn missing_parenthesis_costs_no_later_game() {
    let folder = Folder::new();
    let open = "(;GM[1]PB[a];B[aa]\n";
    for next in ["(;PB[b]PW[y]SZ[9];B[cc];W[dd])\n", "(;PB[b]PW[y];B[cc];W[dd])\n", "(;EV[x]RO[1]SZ[9];B[cc];W[dd])\n"]
    {
        folder.file("open.sgf", [open, &next.repeat(1000)].concat());
        assert_eq!(games(&folder, "check --exit-zero open.sgf").0, 1001, "{next}");
    }
    // A variation is not a game, even at the start of a line.
    let tree = "(;GM[1]SZ[9];B[aa]\n(;W[bb]PB[x];B[cc])\n(;N[second]C[text]W[cc])\n(;C[third];W[dd]))\n";
    folder.file("tree.sgf", tree.repeat(100));
    assert_eq!(games(&folder, "check --exit-zero tree.sgf").0, 100);
}

#[test]
fn missing_utf16_byte_costs_one_game() {
    let game = |number: usize| format!("(;GM[1]SZ[9]PB[\u{9ed2} {number}];B[aa];W[bb])\r\n");
    let text: String = (0..2000).map(game).collect();
    let folder = Folder::new();
    for (name, units) in [
        ("little.sgf", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ("big.sgf", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        let start = text.find("(;GM[1]SZ[9]PB[\u{9ed2} 1000]").unwrap();
        let start = text[..start].encode_utf16().count() * 2;
        for missing in [start + 3, start + 40, start + 41] {
            let mut bytes = units.clone();
            bytes.remove(missing);
            folder.file(name, &bytes);
            let (found, rows) = games(&folder, &format!("check --exit-zero {name}"));
            assert!(found >= 1999, "{found} games without byte {missing} of {name}");
            let last = text.rfind("(;").unwrap();
            let last = text[..last].encode_utf16().count() * 2 - 1;
            assert!(rows.contains(&format!("{name},{found},{last},")), "{name} without byte {missing}");
        }
    }
}

/// A name too short to show its charset is decoded like the rest of its file. Damage elsewhere in
/// the file may change the decoding only with a finding.
#[test]
fn name_decoded_like_its_file_has_a_finding() {
    let (name, _, _) = encoding_rs::SHIFT_JIS.encode("\u{4e95}\u{5c71}");
    let (more, _, _) = encoding_rs::SHIFT_JIS
        .encode("\u{53e4}\u{5eb5}\u{3068}\u{5ddd}\u{306b}\u{3064}\u{3044}\u{3066}\u{306e}\u{3053}\u{3068}");
    let game = |comment: &[u8]| [b"(;GM[1]SZ[9]PB[", &name[..], b"]C[", comment, b"];B[aa])\n"].concat();
    let folder = Folder::new();
    folder.file("alone.sgf", game(b"")).file("beside.sgf", [game(b""), game(&more.repeat(20))].concat());
    let charset = |file: &str| {
        let run = folder.run(&format!("check --exit-zero {file}"));
        let details = run.column("detail").into_iter().zip(run.column("game")).zip(run.column("code"));
        details.filter(|((_, game), code)| code == "I007" && game == "1").map(|((detail, _), _)| detail).next().unwrap()
    };
    let (single, joined) = (charset("alone.sgf"), charset("beside.sgf"));
    assert!(single.contains(", detected; CA[]"), "{single}");
    assert!(joined.contains(", detected in all text of its file; CA[]"), "{joined}");
}
