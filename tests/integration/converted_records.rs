//! Converted records of formats other than SGF, read by another parser: sgfmill, if `JIGO_PYTHON`
//! has it.

use std::path::Path;

use crate::support::cli::{Folder, run_command};
use crate::support::python;

/// Prints each game's main line as `file game: B[xy] ...`, with setup stones as `b[xy]` and
/// `w[xy]`.
const SCRIPT: &str = r#"
import sys
from sgfmill import sgf, sgf_grammar
def pair(move, size):
    return "" if move is None else chr(97 + move[1]) + chr(97 + size - 1 - move[0])
for path in sys.argv[1:]:
    for number, tree in enumerate(sgf_grammar.parse_sgf_collection(open(path, "rb").read()), 1):
        game = sgf.Sgf_game.from_coarse_game_tree(tree)
        size, entries = game.get_size(), []
        for node in game.get_main_sequence():
            black, white, empty = node.get_setup_stones()
            entries += sorted(f"b[{pair(p, size)}]" for p in black) + sorted(f"w[{pair(p, size)}]" for p in white)
            color, move = node.get_move()
            if color:
                entries.append(f"{color.upper()}[{pair(move, size)}]")
        print(path, number, "".join(entries))
"#;

/// Returns the main lines that jigo reads from the original records, each with its number in the
/// file.
fn main_lines(folder: &Folder, inputs: &[&str]) -> Vec<String> {
    let turns = ["check", "--table", "turns", "--quiet", "--exit-zero", "--format", "csv"];
    let run = run_command(&mut folder.command(turns.iter().chain(inputs)));
    let columns = ["file", "game", "turn", "kind", "color", "point"].map(|column| run.column(column));
    let mut lines: Vec<(String, [String; 2], Vec<String>)> = Vec::new();
    for row in 0..columns[0].len() {
        let [file, game, turn, kind, color, point] = columns.each_ref().map(|column| &column[row]);
        let place = [file.clone(), game.clone()];
        if lines.last().is_none_or(|(_, known, _)| *known != place) {
            lines.push((game.clone(), place, Vec::new()));
        }
        let entries = &mut lines.last_mut().unwrap().2;
        match kind.as_str() {
            // Setup stones are sorted within their turn; removed stones are omitted.
            "setup" if color.is_empty() => {}
            "setup" => entries.push(format!("{turn:0>5} {}[{point}]", color.to_lowercase())),
            _ => entries.push(format!("{turn:0>5} {color}[{point}]")),
        }
    }
    let line = |(game, _, mut entries): (String, [String; 2], Vec<String>)| {
        // A play precedes the setup after it, because upper case sorts before lower case.
        entries.sort();
        let entries: String = entries.iter().map(|one| &one[6..]).collect();
        format!("{game} {entries}")
    };
    lines.into_iter().map(line).collect()
}

/// Records whose games sgfmill can't read, and records without a game.
const EXCLUDED_RECORDS: [&str; 2] = ["encrypted.ugf", "off-board.ngf"];

#[test]
fn sgfmill_reads_same_main_line_from_converted_records() {
    let Some(python) = python::path() else { return };
    let folder = Folder::new();
    let mut sources = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records")];
    sources.extend(crate::support::corpus().parent().map(|shared| shared.join("foreign")));
    let (mut converted, mut expected) = (Vec::new(), Vec::new());
    for entry in sources.iter().flat_map(std::fs::read_dir).flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let is_record = [".gib", ".ngf", ".ugf", ".ugi", ".txt"].iter().any(|ending| name.ends_with(ending));
        if !is_record || EXCLUDED_RECORDS.contains(&&*name) {
            continue;
        }
        // Two folders may have files with the same name.
        let name = format!("{}-{name}", converted.len());
        folder.file(&name, std::fs::read(entry.path()).unwrap());
        let games = main_lines(&folder, &[&name]);
        // A record with only a header has no main line.
        if games.is_empty() {
            continue;
        }
        let out = format!("{name}.sgf");
        let run = folder.run(&format!("extract --as sgf --where turns>0 --quiet --out {out} {name}"));
        assert!(run.code < 2, "{name}: {}", run.err);
        expected.extend(
            games.iter().enumerate().map(|(index, game)| {
                format!("{out} {} {}", index + 1, game.split_once(' ').map_or("", |(_, line)| line))
            }),
        );
        converted.push(out);
    }
    assert!(converted.len() > 25, "{}", converted.len());
    let mut words = vec!["-c", SCRIPT];
    words.extend(converted.iter().map(String::as_str));
    let read = python::run(&python, &words, folder.path());
    let read: Vec<&str> = read.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = expected.iter().map(|line| line.trim_end()).collect();
    assert_eq!(read, expected);
}

/// Reads one of sixteen games of the corpus; `JIGO_EVERY_GAME=1` reads all. A turn off the board
/// keeps its recorded form, which sgfmill refuses.
#[test]
fn sgfmill_reads_same_main_line_from_normal_form() {
    let Some(python) = python::path() else { return };
    let (folder, corpus) = (Folder::new(), crate::support::corpus());
    let one_in = if std::env::var_os("JIGO_EVERY_GAME").is_some() { "1" } else { "16" };
    let inputs = ["--sample", one_in, "--where", "turns > 0 and not has(P002)", corpus.to_str().unwrap()];
    let expected: Vec<String> = main_lines(&folder, &inputs);
    let extract = ["extract", "--as", "sgf", "--quiet", "--out", "all.sgf"];
    let run = run_command(&mut folder.command(extract.iter().chain(&inputs)));
    assert!(run.code < 2, "{}", run.err);
    let read = python::run(&python, &["-c", SCRIPT, "all.sgf"], folder.path());
    let read: Vec<&str> = read.lines().collect();
    assert_eq!(read.len(), expected.len());
    for (read, expected) in read.iter().zip(&expected) {
        let line = |text: &str| text.split_once(' ').map_or(String::new(), |(_, line)| line.trim_end().to_owned());
        assert_eq!(line(&line(read)), line(expected));
    }
}

/// Data with an SGF property is converted: the clock, the copyright, the commentator, comments and
/// variations.
#[test]
fn converted_record_keeps_data_with_sgf_properties() {
    let folder = Folder::new();
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/records");
    let mut converted = Vec::new();
    for name in ["even.gib", "chinese.gib", "gi.ngf", "igs.ugf", "review.ugi", "japanese.ugi"] {
        folder.file(name, std::fs::read(records.join(name)).unwrap());
        let run = folder.run(&format!("extract --as sgf --quiet --out - {name}"));
        assert_eq!(run.code, 0, "{}", run.err);
        converted.push(run.out);
    }
    let all = converted.concat();
    for property in ["TM[1200]OT[3x30 byo-yomi]", "CP[", "GC[", "C["] {
        assert!(all.contains(property), "{property} is lost in {all}");
    }
    assert!(converted[4].matches("(;").count() > 1, "variations are lost in {}", converted[4]);
}

#[test]
fn conversion_names_games_and_properties_left_out() {
    let folder = Folder::new();
    let game = "(;GM[1]SZ[9]K1[x];B[aa][bb];W[cc])";
    folder.file("a.sgf", format!("(;GM[1]SZ[9];B[aa]){game}"));
    let run = folder.run("extract --as sgf --out out.sgf a.sgf");
    let named: Vec<&str> = run.err.lines().filter(|line| line.contains("left out: ")).collect();
    assert_eq!(named, ["jigo: a.sgf#2: left out: K1, B"], "{}", run.err);
    folder.file("many.sgf", game.repeat(15));
    for flags in ["", "--rejects r.sgf"] {
        let run = folder.run(&format!("extract --as sgf {flags} --force --out out.sgf many.sgf"));
        assert_eq!(run.err.matches("left out: ").count(), 10, "{}", run.err);
        assert!(run.err.contains("15 of the extracted games"), "{}", run.err);
        assert!(run.err.contains("the first 10 are named above"), "{}", run.err);
    }
    let quiet = folder.run("extract --quiet --as sgf --out quiet.sgf many.sgf");
    assert!(!quiet.err.contains("left out: "), "{}", quiet.err);
}

#[test]
fn game_of_a_list_is_shown_with_its_header() {
    let folder = Folder::new();
    folder.file("g.txt", "17\tpd dd pp dp\n").file("g.index", "id,black,white\n17,Ito,Sato\n");
    let run = folder.run("show --headers g.index g.txt");
    assert!(run.out.contains("Ito (Black) - Sato (White)"), "{}{}", run.out, run.err);
}
