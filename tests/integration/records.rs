//! Records in formats other than SGF: a fixture for each rule of each format, then damage.

use std::fs;
use std::path::PathBuf;

use jigo_core::analysis::{Analyzer, Outcome, Settings};
use jigo_record::finding::Code;
use jigo_record::formats::decoded;
use jigo_record::sgf::Limits;
use jigo_record::splitter::{Close, GameText, Piece, RecordKind, Splitter};
use jigo_record::{Reading, StepKind};
use jigo_rules::select::Choice;

use crate::support::cli::Folder;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/records").join(name)
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap()
}

/// Splits a complete source in a format. Visits each game and each stray text.
fn split(bytes: &[u8], kind: RecordKind, mut game: impl FnMut(&GameText), mut outside: impl FnMut(&[u8])) {
    let mut splitter = Splitter::new(kind.unit(), Limits::default());
    let mut games = 0;
    splitter.split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            games += 1;
            let (offset, bytes) = (range.start as u64, &bytes[range]);
            game(&GameText { kind, game: games, offset, ..GameText::single(bytes, close, charset) });
        }
        Piece::StrayText(range) => outside(&bytes[range]),
    });
}

fn kind(bytes: &[u8]) -> RecordKind {
    RecordKind::from_start(bytes).unwrap()
}

/// Returns the games of a fixture as SGF.
fn sgf(name: &str) -> Vec<String> {
    let bytes = fixture(name);
    let mut actual = Vec::new();
    split(
        &bytes,
        kind(&bytes),
        |text| actual.push(String::from_utf8(decoded(text).text.into_owned()).unwrap()),
        |_| {},
    );
    actual
}

/// Returns the findings in a fixture: the code, and the line at the finding's byte.
fn findings(name: &str) -> Vec<(Code, String)> {
    let bytes = fixture(name);
    let mut actual = Vec::new();
    let visit = |text: &GameText| {
        for finding in Reading::from_text(text).findings {
            let line = text.bytes[finding.place.offset..].split(|byte| *byte == b'\n').next().unwrap();
            actual.push((finding.code, String::from_utf8_lossy(line).trim_end().to_owned()));
        }
    };
    split(&bytes, kind(&bytes), visit, |_| {});
    actual
}

#[test]
fn rest_of_an_oversized_record_is_no_game() {
    for name in ["even.gib", "even.ngf", "gi.ngf", "igs.ugf", "review.ugi"] {
        let mut bytes = fixture(name);
        if name.ends_with("ngf") {
            bytes.extend(b"PMABBEQQE\n".repeat(20));
        }
        for (game, read_length) in (200..bytes.len() as u64).flat_map(|game| [(game, 1), (game, 90), (game, 9_000)]) {
            let mut splitter = Splitter::new(kind(&bytes).unit(), Limits { game, ..Limits::default() });
            let (mut pieces, mut from, mut to) = (Vec::new(), 0, 0);
            while to < bytes.len() {
                to = (to + read_length).min(bytes.len());
                from += splitter.split(&bytes[from..to], to == bytes.len(), |piece| pieces.push(piece));
            }
            let is_oversized = matches!(pieces[..], [Piece::Game(_, Close::Oversized, _)]);
            // Blanks at the end do not count.
            let is_whole = pieces.len() == 1 && bytes.trim_ascii_end().len() as u64 <= game;
            assert!(is_oversized || is_whole, "{name} {game} {read_length}: {pieces:?}");
        }
    }
}

#[test]
fn gib_records_give_expected_sgf() {
    let header = "PB[bamboo]BR[12K]PW[orchid]WR[3D]KM[6.5]RE[W+3.5]DT[2016-03-06]RU[Korean]EV[A game for tests]GC[no comment]PC[Tygem Baduk]TM[1200]OT[3x30 byo-yomi]";
    let even = format!("(;GM[1]SZ[19]{header};B[pd];W[dp];B[dd];W[];B[qq])");
    assert_eq!(sgf("even.gib"), [even.as_str()]);
    assert_eq!(sgf("two-and-text.gib"), [even.clone(), even.replace("bamboo", "bamboo2")]);
    assert_eq!(sgf("unknown-command.gib"), [even.as_str()]);
    for (name, expected) in [
        (
            "korean.gib",
            "(;GM[1]SZ[19]PB[대나무]BR[2단]PW[난초]WR[1급]KM[6.5]RE[B+R]DT[2016-03-12]RU[Korean]EV[승급 대국]PC[타이젬 바둑]TM[600]OT[3x30 byo-yomi];B[pd];W[dp])",
        ),
        // Black's rank is a level, the result is only in words, and there are 5 handicap stones.
        (
            "chinese.gib",
            "(;GM[1]SZ[19]PB[竹子]BR[2d]PW[兰花]WR[3段]KM[0]RE[W+11]DT[2012-11-22]RU[Korean]EV[让子]PC[弈城TYGEM对弈]HA[5]AB[pd][dp][dd][pp][jj]C[在房间];W[qn];B[nq])",
        ),
        // The third stone goes to the side where White does not play; the game has no result.
        (
            "handicap.gib",
            "(;GM[1]SZ[19]PB[b]BR[1p]PW[a]WR[9d]KM[0]DT[2016-03-26]RU[Korean]PC[Tygem Baduk]HA[3]AB[pd][dp][dd];W[pp];B[nq])",
        ),
        ("split-line.gib", "(;GM[1]SZ[19]PB[b]KM[6.4]RE[W+R]RU[Korean];B[dd])"),
    ] {
        assert_eq!(sgf(name), [expected], "{name}");
    }
}

#[test]
fn ngf_records_give_expected_sgf() {
    let header = "PB[bamboo tea]BR[9DP]PW[orchid]WR[3D*]KM[6.5]EV[Rated game]DT[2018-07-04]PC[www.cyberoro.com]RU[Korean]RE[B+2.5]";
    let even = format!("(;GM[1]SZ[19]{header};B[dp];W[pd];B[dd];W[pp];B[bb])");
    assert_eq!(sgf("even.ngf"), [even.as_str()]);
    assert_eq!(sgf("pass.ngf"), [even.replace("B[bb]", "B[]")]);
    assert_eq!(sgf("two.ngf"), [even.clone(), even.replace("bamboo tea", "bamboo two")]);
    for (name, expected) in [
        // Handicap games have no half point; the turns show the place of the third stone.
        (
            "handicap.ngf",
            "(;GM[1]SZ[19]PB[b]BR[4K]PW[a]WR[1D]HA[3]AB[pd][dp][dd]KM[0]EV[Friendly match]DT[2018-07-04]PC[www.cyberoro.com]RU[Korean]RE[W+R];W[pp];B[bb])",
        ),
        (
            "lower-right.ngf",
            "(;GM[1]SZ[19]PB[b]BR[4K]PW[a]WR[1D]HA[3]AB[pd][dp][pp]KM[0]EV[Friendly match]DT[2018-07-04]PC[www.cyberoro.com]RU[Korean]RE[?];W[dd];B[bb])",
        ),
        (
            "korean.ngf",
            "(;GM[1]SZ[19]PB[대나무]BR[2단]PW[난초]WR[3단]KM[6.5]EV[승급 대국]DT[2010-04-04]PC[www.cyberoro.com]RU[Korean]RE[B+1.5];B[dp];W[pd])",
        ),
        // 子 are points in this format.
        (
            "chinese.ngf",
            "(;GM[1]SZ[19]PB[竹子]BR[2段]PW[兰花]WR[3段]KM[7.5]EV[友谊对局]DT[2010-04-04]PC[www.cyberoro.com]RU[Korean]RE[W+12];B[dp];W[pd])",
        ),
        (
            "japanese.ngf",
            "(;GM[1]SZ[13]PB[竹]BR[5段]PW[蘭]WR[7段*]KM[6.5]EV[ﾚｰﾃｨﾝｸﾞ対局]DT[2011-08-12]PC[www.wbaduk.com]RU[Korean]RE[B+R];B[dd];W[jj])",
        ),
        (
            "gi.ngf",
            "(;GM[1]SZ[19]PB[대나무]BR[五단]PW[난초]WR[초단]KM[6.5]EV[테스트전]DT[2006-09-05]RU[Korean];B[dp];W[pd]C[first\nsecond];B[dd]C[흑 불계승])",
        ),
    ] {
        assert_eq!(sgf(name), [expected], "{name}");
    }
}

#[test]
fn ugf_records_give_expected_sgf() {
    let about =
        "RU[Japanese]DT[2021-05-06]EV[12th, Test Cup, Final]PC[PANDA-NET]CP[nobody]AP[PANDA-EGG ver 9.40]TM[3600]";
    let players = "PB[bamboo]BR[7d]PW[orchid]WR[8d]";
    let igs = format!("(;GM[1]SZ[19]{players}KM[-5.5]RE[B+7.5]{about};B[qd];W[dd];B[pq];W[])");
    assert_eq!(sgf("igs.ugf"), [igs.as_str()]);
    assert_eq!(sgf("two.ugf"), [igs.as_str(), &igs]);
    assert_eq!(sgf("pair.ugf"), [igs.replace("PB[bamboo]BR[7d]", "PB[bamboo 7d & reed 2d]")]);
    for (name, expected) in [
        // Rows count from the top. The record has comments and labels for turns and for the game.
        (
            "japanese.ugi",
            "(;GM[1]SZ[19]PB[竹]BR[九段]PW[蘭]WR[七段]KM[6.5]RE[W+R]RU[Japanese]DT[2021-05-06]EV[第12期, 試験杯, 決勝]PC[東京]CP[nobody]AP[PANDA-EGG ver 9.40]TM[3600]C[はじめに];B[qp];W[dp]C[白の手]LB[dp:A];B[pc];W[])".to_owned(),
        ),
        ("handicap.ugf", format!("(;GM[1]SZ[19]{players}HA[2]KM[0.5]RE[Void]{about}AB[dd][pp];W[qc];B[cq])")),
        ("handicap-missing.ugf", format!("(;GM[1]SZ[19]{players}HA[3]KM[0.5]RE[0]{about}AB[pd][dp][pp];W[cq];B[rb])")),
        // A tree, with comments attached by node number.
        (
            "review.ugi",
            format!("(;GM[1]SZ[19]{players}KM[-5.5]RE[B+7.5]{about}C[hello];B[qd];W[dd](;B[pq]C[[here\\] and\nthere];W[])(;B[cq];W[eo]C[aside]))"),
        ),
    ] {
        assert_eq!(sgf(name), [expected], "{name}");
    }
}

#[test]
fn move_lists_are_read_in_all_forms() {
    let game = |id: &str, turns: &str| format!("(;GM[1]SZ[19]GN[{id}]{turns})");
    let four = ";B[pd];W[dd];B[pp];W[dp]";
    assert_eq!(
        sgf("nodes.txt"),
        [game("751137541", four), game("751137542", ";B[dd];W[pp];B[]"), game("751137543", "")]
    );
    assert_eq!(sgf("pairs.txt"), [game("17", four), game("18", ";B[pd];W[dd];B[pp];W[dp];B[qf];W[tt]")]);
    let joined = ";B[pd];W[dd];B[pp];W[dp];B[qf];W[nc];B[cn];W[cd]";
    assert_eq!(sgf("joined.txt"), [game("17", joined), game("18", &format!("{joined};B[ch]"))]);
    assert_eq!(sgf("named.txt"), [game("17", ";B[pd];W[dp];B[pp];W[dd]"), game("18", ";B[pd];W[dp];B[];W[dd]")]);
}

/// The header is missing in the file, not in each of its games.
#[test]
fn list_without_headers_has_one_row_for_each_missing_property() {
    let folder = Folder::new();
    let lines: String = (1..=50).map(|id| format!("{id}\t;B[pd];W[dd];B[pp];W[dp];B[qf];W[nc]\n")).collect();
    folder.file("list.txt", format!("{lines}51\t(;GM[1]SZ[9];B[aa])\n"));
    folder.file("index.csv", "id,black\n7,Ito\n");
    let games = |index: &str, code: &str| {
        let run = folder.run(&format!("check {index} --select {code} list.txt"));
        run.column("game")
    };
    for code in ["H008", "H009"] {
        // Game 51 has a header, which lacks them.
        assert_eq!(games("", code), ["1", "51"]);
        assert_eq!(games("--headers index.csv", code), ["1", "7", "51"]);
    }
}

/// The first row names a game of a list, even if games with headers precede it or follow it.
#[test]
fn lists_among_other_records_have_one_row_for_each_missing_property() {
    let folder = Folder::new();
    let list: String = (1..=50).map(|id| format!("{id}\t;B[pd];W[dd];B[pp];W[dp];B[qf];W[nc]\n")).collect();
    let sgf = "(;GM[1]SZ[9]KM[6.5]RU[Japanese];B[aa];W[bb])\n";
    let with_header = format!("0\t{sgf}");
    for (text, games) in [
        (format!("{sgf}{list}"), vec![2]),
        (format!("{list}{sgf}{list}"), vec![1]),
        (format!("{sgf}{sgf}{list}{sgf}{list}"), vec![3]),
        (format!("{with_header}{list}{sgf}"), vec![2]),
        (format!("{sgf}{with_header}{sgf}"), vec![]),
        (format!("{sgf}{list}(;GM[1]SZ[9];B[aa];W[bb])\n{list}"), vec![2, 52]),
    ] {
        // A text with many games before it is read in pieces.
        for before in [0, 5_000] {
            folder.file("mixed.txt", sgf.repeat(before) + &text);
            for code in ["H008", "H009"] {
                let rows = folder.run(&format!("check -q --select {code} mixed.txt")).column("game");
                let expected = games.iter().map(|game| (game + before).to_string());
                assert_eq!(rows, expected.collect::<Vec<_>>(), "{code}, {before} games before");
            }
        }
    }
}

#[test]
fn no_game_of_a_list_is_lost_silently() {
    let folder = Folder::new();
    let list = "1\t;B[pd];W[dd]\n2\tgarbage\n3\tgarbage ;B[aa];W[bb\n4\t(;GM[1]SZ[9];B[aa])\n# note\n";
    folder.file("list.txt", list);
    let actual = folder.run("check list.txt");
    let unreadable = actual.rows().iter().filter(|row| row.contains("D019")).count();
    assert_eq!((unreadable, actual.code), (3, 1), "{}", actual.out);
    assert!(actual.err.contains("4 games"), "{}", actual.err);
    folder.run("extract -q --as sgf --out all.sgf list.txt");
    let written = folder.read("all.sgf");
    assert!(written.contains("SZ[9]") && written.contains("GN[4]"), "{written}");
}

#[test]
fn damage_is_found_at_its_line_and_stays_local() {
    for (name, expected) in [
        ("cut.gib", vec![(Code::UnclosedGame, ""), (Code::TurnNumbers, "6 0 &4")]),
        (
            "damaged-line.gib",
            vec![
                (Code::UnreadableLine, "STO 0 3 2 99 15"),
                (Code::UnreadableLine, "STO 0 4 7 x 3"),
                (Code::TurnNumbers, "SKI 0 5"),
            ],
        ),
        ("gap.gib", vec![(Code::TurnNumbers, "STO 0 4 1 3 3")]),
        ("unknown-command.gib", vec![(Code::LeftOut, "REM 0 6")]),
        ("cut.ngf", vec![(Code::UnreadableLine, "PMA"), (Code::TurnNumbers, ""), (Code::LeftOut, "5")]),
        ("gap.ngf", vec![(Code::TurnNumbers, "PMAEWQQQQ"), (Code::LeftOut, "5")]),
        ("cut.ugf", vec![(Code::UnreadableLine, "PC,B1,"), (Code::LeftOut, "PlayerW=orchid,8d,,x@y")]),
        (
            "damaged-line.ugf",
            vec![
                (Code::UnreadableLine, "P?,B1,3,0"),
                (Code::TurnNumbers, "YA,W1,4,0"),
                (Code::LeftOut, "PlayerW=orchid,8d,,x@y"),
            ],
        ),
        ("encrypted.ugf", vec![(Code::EncryptedRecord, "Crypt=9666,CRYPTED")]),
    ] {
        let actual = findings(name);
        let actual: Vec<_> = actual.iter().map(|(code, line)| (*code, line.as_str())).collect();
        assert_eq!(actual, expected, "{name}");
    }
    // The truncated game ends at the start of the next one.
    assert_eq!(sgf("lost-end-then-whole.gib")[1], sgf("even.gib")[0]);
    assert!(sgf("lost-end-then-whole.gib")[0].ends_with(";B[pd];W[dp])"));
}

/// Fixtures with one game and no finding.
const SOUND: [&str; 9] = [
    "even.gib",
    "korean.gib",
    "even.ngf",
    "gi.ngf",
    "japanese.ngf",
    "igs.ugf",
    "japanese.ugi",
    "review.ugi",
    "pairs.txt",
];

fn turns(text: &GameText) -> Vec<String> {
    let record = Reading::from_text(text).record;
    let turns = record.steps.iter().filter(|step| matches!(step.kind, StepKind::Turn(..)));
    turns.map(|step| format!("{:?}", step.kind)).collect()
}

#[test]
fn truncated_record_keeps_its_remaining_turns() {
    for name in SOUND {
        let complete = fixture(name);
        let kind = kind(&complete);
        let games = |bytes: &[u8]| -> Vec<Vec<String>> {
            let mut actual = Vec::new();
            split(bytes, kind, |text| actual.push(turns(text)), |_| {});
            actual
        };
        let expected = games(&complete);
        let mut max_turns = 0;
        for truncated in 0..complete.len() {
            let actual = games(&complete[..truncated]);
            assert!(actual.len() <= expected.len(), "{name} at {truncated}");
            let count: usize = actual.iter().map(Vec::len).sum();
            // The last line may be incomplete, which may look like a different turn.
            assert!(count + 1 >= max_turns, "{name} at {truncated}: {actual:?}");
            max_turns = max_turns.max(count);
            for (actual, expected) in actual.iter().zip(&expected) {
                let sound = actual.len().saturating_sub(1);
                assert_eq!(actual[..sound], expected[..sound.min(expected.len())], "{name} at {truncated}");
            }
        }
        assert!(max_turns + 1 >= expected.iter().map(Vec::len).sum(), "{name}");
    }
}

/// Changes bytes, lines and numbers of a text according to a seed.
fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let mut text = bytes.to_vec();
    for _ in 0..=random(4) {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let (one, other) = (random(lines.len()), random(lines.len()));
        let mut next: Vec<&[u8]> = lines.clone();
        let changed: Vec<u8> = match random(8) {
            0 if !next.is_empty() => {
                next.remove(one);
                next.concat()
            }
            1 if !next.is_empty() => {
                next.insert(other, lines[one]);
                next.concat()
            }
            2 if !next.is_empty() => {
                next.swap(one, other);
                next.concat()
            }
            3 => text[..random(text.len())].to_vec(),
            4 => {
                let number = ["-1", "0", "99999999999", "53", "1e9", "", "\u{FF11}"][random(7)];
                let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
                let offset = text.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).nth(random(digits));
                let offset = offset.map_or(0, |(offset, _)| offset);
                [&text[..offset], number.as_bytes(), &text[(offset + 1).min(text.len())..]].concat()
            }
            5 => [&text[..], bytes].concat(),
            _ => {
                let mut text = text.clone();
                if !text.is_empty() {
                    let offset = random(text.len());
                    text[offset] = random(256) as u8;
                }
                text
            }
        };
        text = changed;
    }
    text
}

/// Returns the number of mutations of each fixture. `JIGO_RECORD_MUTATIONS` sets a larger number.
fn mutations() -> u64 {
    std::env::var("JIGO_RECORD_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

#[test]
fn mutated_records_account_for_every_game() {
    let settings = Settings {
        judges: vec![Choice::Recorded],
        all_variations: true,
        turns: true,
        game_hash: true,
        ..Settings::default()
    };
    let mut analyzer = Analyzer::default();
    let mut read = 0;
    let names: Vec<_> = fs::read_dir(path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    for name in names.iter().filter(|name| !["csv", "index"].iter().any(|end| name.to_string_lossy().ends_with(end))) {
        let whole = fixture(&name.to_string_lossy());
        let kind = kind(&whole);
        for seed in 0..mutations() {
            let bytes = mutate(&whole, seed);
            let mut end = 0;
            let mut check = |text: &GameText| {
                let report = analyzer.analyze(text, &settings);
                let failed = report.findings.iter().find(|finding| finding.code == Code::InternalError);
                assert!(failed.is_none(), "{name:?} {seed}: {failed:?} {}", String::from_utf8_lossy(text.bytes));
                let places = report.findings.iter().map(|finding| finding.place.offset);
                assert!(places.max().unwrap_or(0) <= text.bytes.len(), "{name:?} {seed}");
                assert!(text.offset >= end, "{name:?} {seed}: games overlap");
                end = text.offset + text.bytes.len() as u64;
                read += u64::from(report.outcome != Outcome::Unreadable);
            };
            split(&bytes, kind, &mut check, |_| {});
        }
    }
    assert!(read > 20 * mutations(), "hardly anything was read: {read}");
}

#[test]
fn content_decides_the_format_before_the_suffix() {
    let folder = Folder::new();
    folder.file("a.sgf", fixture("even.gib")).file("b.ngf", fixture("igs.ugf")).file("c.gib", "(;GM[1]SZ[9];B[ee])");
    folder.file("d.ugi", fixture("nodes.txt")).file("e.gib", "words and nothing else");
    let utf16: Vec<u8> =
        String::from_utf8(fixture("even.ngf")).unwrap().encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.file("f.sgf", [b"\xFF\xFE".as_slice(), &utf16].concat());
    let run = folder.run("report -q --dead none --out tables .");
    assert!(run.code < 2, "{}", run.err);
    let games = crate::support::cli::Ran { out: folder.read("tables/games.csv"), ..run };
    let cells = |name: &str| games.column(name);
    assert_eq!(cells("file"), ["./a.sgf", "./b.ngf", "./c.gib", "./d.ugi", "./d.ugi", "./d.ugi", "./f.sgf"]);
    assert_eq!(cells("black"), ["bamboo", "bamboo", "", "", "", "", "bamboo tea"]);
    assert_eq!(cells("result"), ["W+3.5", "B+7.5", "", "", "", "", "B+2.5"]);
    assert_eq!(cells("komi"), ["6.5", "-5.5", "", "", "", "", "6.5"]);
    assert_eq!(cells("turns"), ["5", "4", "1", "4", "3", "0", "5"]);
    let actual = folder.read("tables/findings.csv");
    assert!(actual.contains("./e.gib,,0") && actual.contains("I002"), "{actual}");
}

#[test]
fn other_formats_are_read_from_pipes_and_parts() {
    let folder = Folder::new();
    let two = fixture("two-and-text.gib");
    folder.file("two.gib", &two);
    let direct = folder.run("check two.gib");
    let piped = folder.run_with_input("check --stdin-name two.gib -", std::str::from_utf8(&two).unwrap());
    assert_eq!((direct.out.clone(), direct.code), (piped.out, piped.code));
    folder.run("split -q --max-games 1 --format arrow --output parts.arrow two.gib");
    let parts = folder.run("check --input-format arrow parts.arrow");
    assert_eq!((parts.rows(), parts.code), (direct.rows(), direct.code));
    assert!(folder.run("show two.gib#2").out.contains("bamboo2"), "the second game");
    // A single line may not show that it is one of a list.
    for name in ["nodes.txt", "pairs.txt", "named.txt", "joined.txt"] {
        folder.file(name, fixture(name));
        let direct = folder.run(&format!("check --table turns {name}"));
        for size in ["--max-games 1", "--max-games 2", "--max-bytes 30"] {
            folder.run(&format!("split -q --force {size} --format arrow --output parts.arrow {name}"));
            let parts = folder.run("check --table turns --input-format arrow parts.arrow");
            assert!(direct.rows().len() > 3, "{name}");
            assert_eq!((parts.rows(), parts.code), (direct.rows(), direct.code), "{name} {size}");
        }
    }
}

#[test]
fn list_with_index_gives_rows_of_same_games_in_sgf() {
    let folder = Folder::new();
    folder.file("games.txt", fixture("nodes.txt")).file("games.index", fixture("nodes.index"));
    let header = |black: &str, white: &str, result: &str, day: &str| {
        format!("(;GM[1]SZ[19]KM[6.5]PB[{black}]PW[{white}]BR[9d]WR[9d]RU[Korean]PC[Tygem]DT[{day}]RE[{result}]")
    };
    let games = [
        header("竹子", "兰花", "B+Resign", "2005-11-02") + ";B[pd];W[dd];B[pp];W[dp])",
        header("竹", "兰", "W+0.5", "2005-11-02") + ";B[dd];W[pp];B[])",
        header("b", "a", "B+Time", "2005-11-02") + ")",
    ];
    folder.file("games.sgf", games.join("\n"));
    let rows = |flags: &str, file: &str| {
        let run = folder.run(&format!("report -q --dead none --force --out tables {flags} {file}"));
        assert!(run.code < 2, "{}", run.err);
        let mut rows = folder.table("tables/games.csv");
        rows.iter_mut().for_each(|row| row.retain(|name, _| !["file", "offset", "length"].contains(&name.as_str())));
        rows
    };
    assert_eq!(rows("--headers games.index", "games.txt"), rows("", "games.sgf"));

    folder.file("named.csv", fixture("nodes.csv"));
    let run = folder.run("check --select I017 --headers named.csv games.txt");
    assert_eq!(run.column("game"), ["3"], "{}", run.out);
    let bad = folder.run("check --headers games.txt games.txt");
    assert!(bad.code == 2 && bad.err.contains("names no columns that are known"), "{}", bad.err);
}
