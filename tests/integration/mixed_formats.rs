//! Files that contain records of several formats, as after `cat a.sgf b.gib`: the same games and
//! turns as in the single files.

use std::fs;
use std::io::Write;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::support::cli::Folder;

const SGF: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]RU[Japanese]PB[a]PW[b]DT[2001-01-01]RE[B+R];B[pd];W[dd];B[qp])\n";
const SGF_WITHOUT_HEADER: &str = "(;B[pd];W[dp]\n;B[qq])\n";
const GIB: &str = "\\HS\n\\[GAMEBLACKNAME=ito (3D)\\]\n\\[GAMEWHITENAME=c\\]\n\\HE\n\\GS\n2 1 0\n4 0 &4\nINI 0 1 0 &4\n\
                   STO 0 2 1 3 3\nSTO 0 3 2 15 3\nSKI 0 4\n\\GE\n";
const GIB_WITHOUT_END: &str = "\\HS\n\\[GAMEBLACKNAME=d\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 3 4\nSTO 0 3 2 15 15\n";
const NGF: &str = "spring cup\n19\nb 3d\nc 2d\nplace\n0\n0\n7\n20100404\n20\nWhite wins\n2\nPMABBEQQE\nPMACWQEEQ\n";
const NGF_WITH_GI: &str =
    "GI cup\nGIb 3d\nGIc 2d\nGI\nGI\nGI20100404\nGI19\nGI0\nGI0\nGI7\nGI2\nPMABBFQQF\nPMACWQFFQ\n";
const UGF: &str = "[Header]\nVer=UGF3,200\nSize=19\nHdcp=0,6.50\nCoordinateType=IGS\nPlayerB=e,1d,,\n\
                   [Data]\nQP,B1,1,0\nDP,W1,2,12\nPC,B1,3,0\n[Figure]\n.Text,2\nhello\n.EndText\n";
const LIST: &str = "17 pdddppdpqfnccncd\n18 pdddppdpqfnccncdch\n";
const NODES: &str = "17\t;B[pd];W[dd];B[pp]\n18\t;B[qd]\n";
const COORDINATES: &str = "Q16 D4 Q3 D17 R5 C6 F3\n";

const PARTS: [(&str, &str); 10] = [
    ("sgf", SGF),
    ("sgf without header", SGF_WITHOUT_HEADER),
    ("gib", GIB),
    ("gib without end", GIB_WITHOUT_END),
    ("ngf", NGF),
    ("ngf with GI", NGF_WITH_GI),
    ("ugf", UGF),
    ("list", LIST),
    ("nodes", NODES),
    ("coordinates", COORDINATES),
];

/// Turns, each with its game, colour and point.
type Turns = Vec<(usize, String, String)>;

fn turns(folder: &Folder, arguments: &str) -> Turns {
    let ran = folder.run(&format!("check -q --exit-zero --table turns {arguments}"));
    let games = ran.column("game").into_iter().map(|game| game.parse().unwrap());
    games.zip(ran.column("color")).zip(ran.column("point")).map(|((game, color), point)| (game, color, point)).collect()
}

/// Returns the turns of a text that is read alone.
fn turns_alone(folder: &Folder, text: &[u8]) -> Turns {
    folder.file("alone", text);
    turns(folder, "alone")
}

/// Appends turns of a file to those of the files before it.
fn append(all: &mut Turns, games: &mut usize, turns: &Turns) {
    all.extend(turns.iter().map(|(game, color, point)| (game + *games, color.clone(), point.clone())));
    *games += turns.iter().map(|(game, ..)| *game).max().unwrap_or(0);
}

/// Returns the exit code, and the line of the summary with the number of games.
fn summary(folder: &Folder, arguments: &str) -> (i32, String) {
    let ran = folder.run(&format!("check --exit-zero {arguments}"));
    let line = ran.err.lines().find(|line| line.contains("games found")).unwrap_or_default().to_owned();
    (ran.code, line)
}

#[test]
fn each_pair_of_formats_has_the_games_of_its_parts() {
    let folder = Folder::new();
    let single: Vec<Turns> = PARTS.iter().map(|(_, text)| turns_alone(&folder, text.as_bytes())).collect();
    let mut failures = Vec::new();
    for (first, (name, text)) in PARTS.iter().enumerate() {
        for (second, (second_name, other)) in PARTS.iter().enumerate() {
            // Turns without a header continue the list or the record before them.
            let is_headerless = matches!(*second_name, "sgf without header" | "nodes" | "list" | "coordinates");
            if is_headerless && matches!(*name, "gib without end" | "ngf" | "ngf with GI" | "ugf") {
                continue;
            }
            for (kind, joined) in [
                ("plain", format!("{text}{other}")),
                ("blank", format!("{text}\n \n{other}\n")),
                ("joined", text.trim_end().to_owned() + other),
                ("crlf", format!("{text}{other}").replace('\n', "\r\n")),
                ("bom", format!("\u{FEFF}{text}\u{FEFF}{other}")),
            ] {
                let (mut expected, mut games) = (Turns::new(), 0);
                append(&mut expected, &mut games, &single[first]);
                append(&mut expected, &mut games, &single[second]);
                // Only SGF shows its beginning and end within a line.
                if kind == "joined" && (*second_name != "sgf" && !name.starts_with("sgf") || *name == "coordinates") {
                    continue;
                }
                if turns_alone(&folder, joined.as_bytes()) != expected {
                    failures.push(format!("{name} + {second_name}, {kind}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn offsets_and_lines_are_those_of_the_file() {
    let folder = Folder::new();
    let text = [SGF, GIB, SGF, NGF, UGF, SGF].concat();
    folder.file("mixed.sgf", &text);
    let ran = folder.run("check -q --exit-zero --select I,H,D --format jsonl mixed.sgf");
    let mut starts: Vec<(u64, u64, u64)> = Vec::new();
    for row in ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        let number = |name: &str| row[name].as_u64().unwrap();
        starts.push((number("game"), number("offset"), number("line")));
    }
    let mut offset = 0;
    for (game, part) in (1..).zip([SGF, GIB, SGF, NGF, UGF, SGF]) {
        let line = 1 + text[..offset].matches('\n').count() as u64;
        for (_, found_offset, _) in starts.iter().filter(|(number, ..)| *number == game) {
            assert_eq!(*found_offset, offset as u64, "game {game}");
        }
        let lines = starts.iter().filter(|(number, ..)| *number == game).map(|(.., line)| *line);
        assert!(lines.clone().all(|found_line| found_line >= line), "game {game}");
        offset += part.len();
    }
    assert!(starts.iter().any(|(game, ..)| *game > 1));
}

#[test]
fn many_changes_keep_every_game_and_take_linear_time() {
    let folder = Folder::new();
    let text = [SGF, GIB, SGF, LIST, NGF, SGF, UGF].concat().repeat(2_000);
    folder.file("many.sgf", &text);
    let (code, line) = summary(&folder, "many.sgf");
    assert_eq!(code, 0);
    assert!(line.starts_with("16000 games found = 16000 replayed"), "{line}");
    let from_stdin = folder.run_with_input("check --exit-zero -", &text).err;
    assert!(from_stdin.contains(&line), "{from_stdin}");
    // With several threads the numbers stay.
    assert_eq!(summary(&folder, "--jobs 3 many.sgf").1, line);
    let in_shard = |shard: u32| folder.run(&format!("check -q --exit-zero --table turns --shard {shard}/3 many.sgf"));
    let rows: usize = (1..=3).map(|shard| in_shard(shard).rows().len()).sum();
    assert_eq!(rows, folder.run("check -q --exit-zero --table turns many.sgf").rows().len());
}

#[test]
fn texts_that_look_like_records_are_no_games() {
    let folder = Folder::new();
    let (_, single) = {
        folder.file("alone.sgf", [SGF, SGF].concat());
        summary(&folder, "alone.sgf")
    };
    for text in [
        "From: someone <a@b.example>\nSubject: [Header]\n\nHello,\n\n19\nplayers came.\n",
        "Results\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n",
        "he is as it is\nso do as he is on it\nif it is to be on me go do so\n",
        "The vitamins are\nB1 B2 B3 B5 B6 B12\n",
        "electroencephalogram\n",
        "[Header]\nfrom=me\nto=you\n[Footer]\n",
        "\\HS\n",
        "\\HE\n\\GE\n",
        "[Data]\n1,2,3\n",
        "STO\nSTO 1\n",
        "# comment\n# comment\n[section]\nkey=value\n",
        "<html><body>\n<p>PM 12:00</p>\n<pre>\nPMA\n</pre>\n",
        "12\n13\n14\n",
        "A1 paper\nA4 A5 A3\n",
        "B[pd];W[dd];B[pp];W[dp];B[cd])\n",
    ] {
        folder.file("one.sgf", [SGF, text, SGF].concat());
        assert_eq!(summary(&folder, "one.sgf").1, single, "{text}");
        folder.file("one.sgf", [text, SGF, SGF].concat());
        let (_, line) = summary(&folder, "--input-format sgf one.sgf");
        assert_eq!(line, single, "{text}");
    }
}

#[test]
fn ambiguous_records_stay_errors() {
    let folder = Folder::new();
    for text in [
        "q16 d4 q3 d17\n1. Q16 D4 2. Q3 D17\n",
        "STO 0 2 1 3 3\n",
        "PMABBEQQE\n",
        "QP,B1,1,0\nDP,W1,2,12\n",
        "pd dd pp dp\n",
        "\\HS\n\\[GAMEBLACKNAME",
    ] {
        folder.file("one.sgf", [SGF, text].concat());
        let checked = folder.run("check -q one.sgf");
        assert_eq!(checked.code, 1, "{text}: {}", checked.out);
        assert!(checked.column("code").contains(&"I018".to_owned()), "{text}: {}", checked.out);
    }
}

#[test]
fn damage_in_the_middle_costs_its_own_record() {
    let folder = Folder::new();
    for (name, damaged) in [
        ("unknown line", GIB.replace("STO 0 3", "XXX 0 3")),
        ("cut turn", GIB.replace("STO 0 3 2 15 3\n", "STO 0 3 2\n")),
        ("no end", GIB.replace("\\GE\n", "")),
        ("cut ngf", NGF.replace("PMACWQEEQ", "PMAC")),
        ("cut ugf", UGF.replace("DP,W1,2,12", "DP,W1")),
        ("text in ugf", UGF.replace(".EndText\n", "")),
    ] {
        folder.file("one.sgf", [SGF, &damaged, SGF].concat());
        let ran = folder.run("check -q --table turns --exit-zero one.sgf");
        let of_game = |game: &str| ran.column("game").iter().filter(|cell| *cell == game).count();
        assert_eq!((of_game("1"), of_game("3"), of_game("4")), (3, 3, 0), "{name}: {}", ran.out);
        assert_eq!(turns_alone(&folder, damaged.as_bytes()).len(), of_game("2"), "{name}");
    }
}

#[test]
fn unclosed_game_ends_before_a_record() {
    let folder = Folder::new();
    let unclosed = SGF.replace("B[qp])", "B[qp]");
    for (name, record) in PARTS.iter().skip(2) {
        let expected = {
            let (mut expected, mut games) = (Turns::new(), 0);
            for part in [SGF, record, SGF] {
                append(&mut expected, &mut games, &turns_alone(&folder, part.as_bytes()));
            }
            expected
        };
        assert_eq!(turns_alone(&folder, [&unclosed, *record, SGF].concat().as_bytes()), expected, "{name}");
    }
    // A comment does not count as a record.
    let escaped = GIB.replace('\\', "\\\\").replace(']', "\\]");
    let comment = SGF.replace("B[qp])", &format!("B[qp]C[{escaped}]"));
    for text in [comment.clone(), format!("{comment})")] {
        assert_eq!(turns_alone(&folder, text.as_bytes()), turns_alone(&folder, SGF.as_bytes()), "{text}");
    }
}

#[test]
fn utf16_and_archives_have_the_same_games() {
    let folder = Folder::new();
    let text = [SGF, GIB, NGF, SGF, UGF, SGF].concat();
    let expected = turns_alone(&folder, text.as_bytes());
    for big in [false, true] {
        let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
        let bytes: Vec<u8> = units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
        assert_eq!(turns_alone(&folder, &bytes), expected, "{big}");
    }
    let mut zip = zip::ZipWriter::new(fs::File::create(folder.path().join("a.zip")).unwrap());
    zip.start_file("inner/mixed.sgf", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(text.as_bytes()).unwrap();
    zip.finish().unwrap();
    assert_eq!(turns(&folder, "a.zip"), expected);
    let row = serde_json::json!({ "id": "x", "sgf": text }).to_string();
    folder.file("rows.jsonl", row);
    assert_eq!(turns(&folder, "rows.jsonl"), expected);
}

#[test]
fn commands_agree_on_the_games_of_a_mixed_file() {
    let folder = Folder::new();
    let text = [SGF, GIB, SGF_WITHOUT_HEADER, NGF, UGF, SGF, LIST, SGF].concat();
    folder.file("mixed.sgf", &text);
    let expected = turns(&folder, "mixed.sgf");
    assert_eq!(folder.run("show mixed.sgf#2").code, 0);
    assert!(folder.run("show mixed.sgf#2").out.contains("ito"));
    assert!(folder.run("show mixed.sgf#10").err.contains("there is no game 10"));
    folder.run("extract -q --out all.sgf mixed.sgf");
    let extracted = turns(&folder, "all.sgf");
    assert_eq!(extracted, expected);
    let turns_of = |turns: Turns| -> Vec<_> { turns.into_iter().map(|(_, color, point)| (color, point)).collect() };
    let expected = turns_of(expected);
    for size in ["--max-games 1", "--max-games 2", "--max-bytes 150"] {
        let ran = folder.run(&format!("split -q --force {size} --out parts mixed.sgf"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(turns_of(turns(&folder, "parts")), expected, "{size}");
        fs::remove_dir_all(folder.path().join("parts")).unwrap();
    }
}

#[test]
fn fixes_keep_the_records_of_every_format() {
    let folder = Folder::new();
    let damaged = SGF.replace("KM[6.5]", "KM[6,5]").replace("B[qp])", "B[qp]");
    for parts in [
        [&damaged, GIB, &damaged, NGF, &damaged],
        [GIB, &damaged, UGF, &damaged, LIST],
        [NGF, "\u{FEFF}", &damaged, UGF, &damaged],
    ] {
        let text = parts.concat();
        for options in ["", "--unsafe"] {
            folder.file("one.sgf", &text);
            let before = turns(&folder, "one.sgf");
            let ran = folder.run(&format!("fix -q --force --in-place --exit-zero {options} one.sgf"));
            assert_eq!(ran.code, 0, "{}", ran.err);
            let fixed = folder.read("one.sgf");
            for part in parts.iter().filter(|part| !part.starts_with("(;") && part.len() > 3) {
                assert!(part.lines().all(|line| fixed.contains(line)), "{options}: {fixed}");
            }
            assert_eq!(turns(&folder, "one.sgf"), before, "{options}: {fixed}");
        }
    }
}

#[test]
fn parts_in_any_order_keep_their_games() {
    let folder = Folder::new();
    let complete = [SGF, GIB, NGF, UGF, LIST];
    let single: Vec<Turns> = complete.iter().map(|part| turns_alone(&folder, part.as_bytes())).collect();
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(40) });
    let order = proptest::collection::vec((0..complete.len(), 0..3_usize), 1..12);
    let result = runner.run(&order, |order| {
        let (mut text, mut expected, mut games) = (String::new(), Turns::new(), 0);
        let mut last = usize::MAX;
        for (part, blanks) in order {
            // A list has no header, so it needs a format with an end before it.
            if part == 4 && !matches!(last, 0 | 1 | 4 | usize::MAX) {
                continue;
            }
            text += complete[part];
            text += &"\n".repeat(blanks);
            append(&mut expected, &mut games, &single[part]);
            last = part;
        }
        prop_assert_eq!(turns_alone(&folder, text.as_bytes()), expected, "{}", text);
        Ok(())
    });
    result.unwrap();
}

/// A record may lack the line end after its last line, even after a comment.
#[test]
fn record_after_text_without_line_end_is_read_or_reported() {
    let folder = Folder::new();
    let comment = format!("{NGF}IDB[2] hello[EndTxt]");
    let review = format!("{UGF}[ReviewComment]\n.Comment,2\nnice");
    let open_text = UGF.replace(".EndText\n", "").trim_end().to_owned();
    for (name, text) in [("comment", &*comment), ("review", &review), ("open text", &open_text)] {
        let (mut expected, mut games) = (Turns::new(), 0);
        for part in [SGF, text, SGF] {
            append(&mut expected, &mut games, &turns_alone(&folder, part.as_bytes()));
        }
        assert_eq!(turns_alone(&folder, [SGF, text, SGF].concat().as_bytes()), expected, "{name}");
    }
    for (text, next) in [(NGF, COORDINATES), (NGF, SGF_WITHOUT_HEADER), (&comment, LIST), (&comment, COORDINATES)] {
        folder.file("one.sgf", [SGF, text.trim_end(), next].concat());
        let ran = folder.run("check -q --select D019,I018 one.sgf");
        assert_eq!(ran.code, 1, "{text}{next}");
    }
}

const UGF_WITH_REVIEW: &str = "[ReviewNode]\nNODE,2,1,17,16\nVARIATIONEND,\n[ReviewComment]\n.Comment,2\nnice\n";
const UGF_WITH_REMOTE: &str = "[Remote]\nhost\n";

/// Turns without a header continue a record that has no end. They are games or errors.
#[test]
fn record_without_header_after_another_format_is_no_silent_loss() {
    let folder = Folder::new();
    let review = format!("{UGF}{UGF_WITH_REVIEW}");
    let firsts = [
        GIB_WITHOUT_END.to_owned(),
        NGF.to_owned(),
        UGF.to_owned(),
        review.clone(),
        format!("{review}{UGF_WITH_REMOTE}"),
        format!("{UGF}[Other]\n"),
        format!("{UGF}.Text,2\nhello\n"),
        format!("{UGF}.Fig,45,1,1,19,19\n"),
        "[Header]\nVer=UGF3,200\nSize=19\nHdcp=0,6.50\n".to_owned(),
    ];
    let nodes = ";B[pd];W[dp]\n;B[qq]\n";
    let mut failures = Vec::new();
    for first in &firsts {
        let alone = turns_alone(&folder, first.as_bytes()).len();
        for second in [SGF_WITHOUT_HEADER, "(;C[hi];B[pd];W[dp])\n", LIST, NODES, nodes] {
            let second_alone = turns_alone(&folder, second.as_bytes()).len();
            let text = format!("{first}{second}");
            let read = turns_alone(&folder, text.as_bytes()).len();
            let errors = folder.run("check -q --select D,I --format text alone");
            let is_reported = errors.out.lines().any(|line| {
                line.contains(" error ") && (line.contains("D019") || line.contains("turns-outside-games"))
            });
            if read != alone + second_alone && !is_reported {
                failures.push(format!("{text}\n{read} turns of {alone} + {second_alone}: {}", errors.out));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    // Comments with points are no records.
    folder.file(
        "sound.ugf",
        format!("{UGF}.Text,2\nB Q16, W D4\nR5 C6 F3\n(see Q16)\n.EndText\n{UGF_WITH_REVIEW}D4 Q3 R5 C6\n"),
    );
    let checked = folder.run("check -q --select D,I --severity warning sound.ugf");
    assert_eq!((checked.code, checked.rows().len()), (0, 0), "{}", checked.out);
}
