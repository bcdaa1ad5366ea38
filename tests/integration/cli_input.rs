//! Inputs and selection: files, folders, lists, standard input, shards, filters and codes.

use crate::support::cli::{CLEAN, Folder, ILLEGAL, WARNED, run_command};

#[test]
fn standard_input_is_read_by_name_or_by_default() {
    let folder = Folder::new();
    let games = [CLEAN, ILLEGAL, WARNED].join("\n");
    let named = folder.run_with_input("check -", &games);
    assert_eq!(named.code, 1);
    assert_eq!((named.column("file"), named.column("game")), (vec!["-".into(); 2], vec!["2".into(), "3".into()]));
    let unnamed = folder.run_with_input("check", &games);
    assert_eq!((unnamed.code, unnamed.out), (1, named.out.clone()));
    folder.file("games.sgf", &games);
    let from_file = folder.run("check games.sgf").out.replace("games.sgf", "-");
    assert_eq!(from_file, named.out);
}

#[test]
fn folder_selects_by_suffix_and_named_file_is_read() {
    let folder = Folder::new();
    for name in ["b/2.sgf", "b/10.SGF", "a/z.sgfs", "c.mgt", "letter.txt"] {
        folder.file(name, ILLEGAL);
    }
    let found = folder.run("check .");
    assert_eq!(found.column("file"), ["./a/z.sgfs", "./b/10.SGF", "./b/2.sgf", "./c.mgt"]);
    assert_eq!(folder.run("check letter.txt b c.mgt").column("file"), ["letter.txt", "b/10.SGF", "b/2.sgf", "c.mgt"]);
}

#[test]
fn files_from_list_equals_arguments() {
    let folder = Folder::with_games();
    folder.file("list.txt", "illegal.sgf\r\n\nclean.sgf\nwarned.sgf");
    let listed = folder.run("check --files-from list.txt");
    assert_eq!(listed.out, folder.run("check illegal.sgf clean.sgf warned.sgf").out);
    let after_arguments = folder.run("check warned.sgf --files-from list.txt");
    assert_eq!(after_arguments.column("file"), ["warned.sgf", "illegal.sgf", "warned.sgf"]);
    let from_input = folder.run_with_input("check --files-from -", "illegal.sgf\n");
    assert_eq!(from_input.column("file"), ["illegal.sgf"]);
    folder.file("empty.txt", "");
    let nothing = folder.run("check --files-from empty.txt");
    assert_eq!((nothing.code, nothing.rows().len()), (0, 0));
    assert!(nothing.err.contains("--files-from empty.txt names no file: nothing is read"), "{}", nothing.err);
    let marked = folder.file("marked.txt", "\u{FEFF}illegal.sgf\r\n").run("check --files-from marked.txt");
    assert_eq!(marked.column("file"), ["illegal.sgf"]);
}

/// A path is a byte string. Names in old charsets, with trailing blanks or with line breaks are
/// valid.
#[test]
#[cfg(unix)]
fn list_and_show_accept_any_file_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let names: [&[u8]; 4] = [b"caf\xe9.sgf", b"plain.sgf", b"two\nlines.sgf", b"blank.sgf "];
    for name in names {
        std::fs::write(folder.path().join(OsStr::from_bytes(name)), ILLEGAL).unwrap();
    }
    std::fs::write(folder.path().join("lines"), b"caf\xe9.sgf\nplain.sgf\r\n").unwrap();
    std::fs::write(folder.path().join("nul"), names.join(&0)).unwrap();
    let lines = folder.run("check --files-from lines");
    assert_eq!((lines.code, lines.column("code")), (1, vec!["P001".into(); 2]), "{}", lines.err);
    assert_eq!(lines.column("file"), ["caf%E9.sgf", "plain.sgf"]);
    let nul = folder.run("check --format jsonl --files-from nul --null");
    assert_eq!((nul.code, nul.out.matches("\"P001\"").count()), (1, 4), "{}", nul.err);
    let single = folder.run("check --null plain.sgf");
    assert!(single.code == 2 && single.err.contains("--files-from"), "{}", single.err);
    for name in [&b"caf\xe9.sgf"[..], b"caf\xe9.sgf#1"] {
        let mut show = std::process::Command::new(env!("CARGO_BIN_EXE_jigo"));
        let board = show.arg("show").arg(OsStr::from_bytes(name)).current_dir(folder.path()).output().unwrap();
        assert!(board.status.success(), "{}", String::from_utf8_lossy(&board.stderr));
    }
}

/// The file name in a row identifies exactly that file.
#[test]
#[cfg(target_os = "linux")]
fn non_utf8_names_are_escaped_and_accepted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    std::fs::create_dir(path(b"d\xE8")).unwrap();
    for name in [&b"d\xE8/x\xE9.sgf"[..], b"d\xE8/x\xE8.sgf"] {
        std::fs::write(path(name), ILLEGAL).unwrap();
    }
    let zip = crate::archives::zip(&[("in.sgf".to_owned(), ILLEGAL.as_bytes().to_vec())]);
    std::fs::write(path(b"d\xE8/z\xEA.zip"), zip).unwrap();
    let names = ["d%E8/x%E8.sgf", "d%E8/x%E9.sgf", "d%E8/z%EA.zip!in.sgf"];
    let all = folder.run("check --select P001 d%E8");
    assert_eq!(all.column("file"), names, "{}", all.err);
    assert_eq!(folder.run("check --select P001 d%E8/x%E9.sgf d%E8/z%EA.zip").column("file"), names[1..]);
    for name in names {
        let board = folder.run(&format!("show {name}#1"));
        assert!(board.code == 0 && board.out.contains(&format!("\n{name}#1\n")), "{name}: {}", board.err);
    }
    folder.file("taken.csv", format!("file,game\n{},1\n", names[1]));
    let run = folder.run("extract --games taken.csv --rejects rest/ --out taken/ d%E8");
    assert_eq!(run.code, 0, "{}", run.err);
    let written = |folder_name: &str| {
        folder.list().into_iter().filter(|file| file.starts_with(folder_name) && file.ends_with(".sgf")).count()
    };
    assert_eq!((written("taken/"), written("rest/")), (1, 2), "{:?}", folder.list());
    assert!(folder.run("check d%E7").err.contains("d%E7: unreadable-source"));
    // A file with exactly that name takes precedence. A name in UTF-8 has no escaped form.
    folder.file("x%E9.sgf", CLEAN).file("碁.sgf", CLEAN);
    std::fs::write(path(b"x\xE9.sgf"), ILLEGAL).unwrap();
    assert_eq!(folder.run("check x%E9.sgf").code, 0);
    assert!(folder.run("check %E7%A2%81.sgf").err.contains("unreadable-source"));
}

/// A column of the header selects the same games by itself, where the header alone decides, and in
/// an expression that needs the analysis.
#[test]
fn times_rating_and_programs_select_games() {
    let folder = Folder::new();
    let games = [
        "(;GM[1]SZ[9]PC[OGS: https://online-go.com/game/1]GC[live,ranked]TM[600]OT[5x30 byo-yomi];B[aa];W[bb])",
        "(;GM[1]SZ[9]PC[The KGS Go Server at http://www.gokgs.com/]RO[2]TM[300]OT[25/600 Canadian];B[aa];W[];B[cc])",
        "(;GM[1]SZ[9]PC[Fox]AP[foxwq]TM[60]TC[3]TT[30];B[aa])",
        "(;GM[1]SZ[9]PC[CGOS]TM[900]OT[quickly];B[aa])",
        "(;GM[1]SZ[9]PC[Tokyo]TM[1 h]OT[10 fischer];B[aa])",
    ];
    folder.file("all.sgf", games.join("\n"));
    for (filter, expected) in [
        ("rated", "1"),
        ("not rated", ""),
        ("place ~ kgs and round = 2", "2"),
        ("time_main <= 300", "2,3"),
        ("time_main = 3600", "5"),
        ("overtime = byo-yomi", "1,3"),
        ("overtime = byo-yomi and overtime_periods = 3 and overtime_period_time = 30", "3"),
        ("overtime = canadian and overtime_stones = 25", "2"),
        ("overtime = fischer and overtime_period_time > 5", "5"),
        ("overtime != other", "1,2,3,5"),
        ("black_is_bot and white_is_bot", "4"),
        ("dialect = fox or dialect = cgos", "3,4"),
        ("first_pass = 2", "2"),
        ("has(F021)", "4"),
    ] {
        for condition in [filter.to_owned(), format!("turns > 0 and ({filter})"), format!("({filter}) or turns > 90")] {
            let words = ["score", "--where", &condition, "--exit-zero", "--rules", "nz", "all.sgf"];
            let run = run_command(&mut folder.command(words));
            assert_eq!(run.column("game").join(","), expected, "{condition}: {}", run.err);
        }
    }
    folder.run("report --out audit --exit-zero all.sgf");
    let rows = folder.table("audit/games.csv");
    let columns = ["place", "time_main", "overtime", "overtime_periods", "overtime_stones", "rated", "first_pass"];
    let cells = |row: usize| columns.map(|name| rows[row][name].as_str());
    assert_eq!(cells(1)[1..], ["300", "canadian", "", "25", "", "2"]);
    assert_eq!(cells(2), ["Fox", "60", "byo-yomi", "3", "", "", ""]);
}

/// Games are selected by header, findings and counts. A command that does not compute a filter's
/// column refuses it before it starts.
#[test]
fn games_are_selected_by_header_findings_and_counts() {
    let folder = Folder::new();
    let counted = "(;GM[1]SZ[3:1]RU[NZ]KM[0]RE[W+3]PB[Stated wrong]BR[4 dan];B[ba];W[];B[])";
    folder.file("all.sgf", [CLEAN, ILLEGAL, WARNED, counted].join("\n"));
    let selected = |command: &str, filter: &str| {
        let output = folder.command(command.split_whitespace().chain(["--where", filter, "all.sgf"])).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let line = err.lines().find(|line| line.contains(" found = ")).unwrap_or_else(|| panic!("{filter}: {err}"));
        line.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    for (command, filter, games) in [
        ("check", "size = 9", 3),
        ("check", "size = 9 or size = 3", 3),
        ("check", "not size = 9", 0),
        ("check", "not width = 9", 1),
        ("check", "black_rank > 3d and black ~ 'stated wrong'", 1),
        ("check", "has(P001)", 1),
        ("check", "has(superko) or has(H004)", 1),
        ("check", "severity >= warning and width = 9", 2),
        ("check", "severity = error and illegal > 0", 1),
        ("check", "turns = 3 and (ending = no_pass or width = 3)", 4),
        ("check --limit 1", "turns = 3", 1),
        ("score", "status = counted", 1),
        ("score", "agrees = false", 1),
        ("score", "agrees", 0),
        ("score", "status = not_counted and not komi > 0", 0),
        ("score", "has(P001) and illegal = 1", 1),
        ("compare", "has(superko) or has(H004)", 1),
    ] {
        assert_eq!(selected(command, filter), games, "{command} --where {filter:?}");
    }
    for (command, filter, reason) in [
        ("check", "confidence > 0.5", "--where: 'confidence' is available if endings are counted"),
        ("check", "black ~ 'x", "'--where <FILTER>': the ' that opens a text is not closed"),
        ("check", "year = NaN", "'--where <FILTER>': year is a number"),
        ("check", "size == 19", "'--where <FILTER>': '==' is no operator: write size ="),
    ] {
        let output = folder.command([command, "--where", filter, "all.sgf"]).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty() && err.contains(reason), "{filter}: {err}");
    }
    let help = folder.run("check --help").out.split_whitespace().collect::<Vec<_>>().join(" ");
    for column in jigo_archive::pipeline::filter::FilterColumn::ALL {
        let is_named = [",", " ", ";", "."].iter().any(|end| help.contains(&format!(" {}{end}", column.name())));
        assert!(is_named, "--help does not name {}", column.name());
    }
}

#[test]
fn offset_and_line_locate_a_game_in_its_file() {
    let folder = Folder::new();
    folder.file("games.sgf", format!("\n{CLEAN}\n\n{ILLEGAL}"));
    let run = folder.run("check games.sgf");
    let offset = (1 + CLEAN.len() + 2).to_string();
    let (offsets, lines) = (run.column("offset"), run.column("line"));
    assert_eq!((offsets, lines, run.column("turn")), (vec![offset], vec!["4".into()], vec!["2".into()]));
}

#[test]
fn shards_add_up_to_the_whole_run() {
    let folder = Folder::new();
    folder.file("many.sgf", [CLEAN, ILLEGAL, WARNED].repeat(7).join("\n"));
    for number in 0..9 {
        folder.file(&format!("single/{number}.sgf"), [CLEAN, ILLEGAL, WARNED][number % 3]);
    }
    folder.file("single/none.sgf", "no game");
    let arguments = "many.sgf single missing.sgf";
    for command in ["check", "score"] {
        let full_run = folder.run(&format!("{command} {arguments}"));
        for parts in [1, 2, 3, 8, 50] {
            let runs = (1..=parts).map(|part| folder.run(&format!("{command} --shard {part}/{parts} {arguments}")));
            let mut rows: Vec<String> = Vec::new();
            for run in runs {
                assert_eq!(run.code, 2, "the missing file counts in every part");
                rows.extend(run.rows().into_iter().map(String::from));
            }
            let mut expected: Vec<String> = full_run.rows().into_iter().map(String::from).collect();
            rows.sort();
            expected.sort();
            assert_eq!(rows, expected, "{command} in {parts} parts");
        }
    }
}

#[test]
fn select_and_ignore_take_codes_names_and_prefixes() {
    let folder = Folder::with_games();
    let codes = |flags: &str| folder.run(&format!("check {flags} .")).column("code");
    assert_eq!(codes(""), ["P001", "H004"]);
    assert_eq!(codes("--select P001"), ["P001"]);
    assert_eq!(codes("--select occupied"), ["P001"]);
    assert_eq!(codes("--select h"), ["H004"]);
    assert_eq!(codes("--select P,H"), ["P001", "H004"]);
    assert_eq!(codes("--select P --select H"), ["P001", "H004"]);
    assert_eq!(codes("--ignore P"), ["H004"]);
    assert_eq!(codes("--select P,H --ignore unreadable-komi"), ["P001"]);
    assert_eq!(codes("--select K"), [""; 0]);
    assert_eq!(folder.run("check --select H .").code, 0, "an error that is not reported does not count");
}

#[test]
fn illegal_turn_is_played_or_stops_the_replay() {
    let folder = Folder::new();
    folder.file("g.sgf", "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[ee];B[ee];W[gg];B[ff])");
    let played = folder.run("check --on-illegal play g.sgf");
    assert_eq!(played.column("turn"), ["2", "3"]);
    assert!(played.err.contains("1 replayed + 0 stopped"), "{}", played.err);
    let stopped = folder.run("check --on-illegal stop g.sgf");
    assert_eq!(stopped.column("turn"), ["2"]);
    assert_eq!(stopped.code, 1);
    assert!(stopped.err.contains("0 replayed + 1 stopped"), "{}", stopped.err);
    folder.file("color.sgf", "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[gg];W[gf];B[ff])");
    let stopped = folder.run("check --on-illegal stop color.sgf");
    assert_eq!((stopped.column("code"), stopped.column("turn")), (vec!["P005".into()], vec!["3".into()]));
    assert!(stopped.err.contains("0 replayed + 1 stopped"), "{}", stopped.err);
    let scores = folder.run("score --on-illegal stop --all-endings --rules nz g.sgf");
    assert_eq!((scores.column("status"), scores.column("black")), (vec!["not_counted".into()], vec![String::new()]));
}

#[test]
fn turn_that_can_not_be_made_is_no_pass() {
    let folder = Folder::new();
    folder.file("g.sgf", "(;GM[1]SZ[9];B[ee];W[cc];B[];W[zz];B[];W[gg])(;GM[1]SZ[9];B[ee];W[cc];B[];W[];B[zz])");
    assert_eq!(folder.run("check --select P007 g.sgf").column("code"), [""; 0]);
    assert_eq!(folder.run("check --table games g.sgf").column("ending"), ["no_pass"; 2]);
}

#[test]
fn truncated_record_has_no_loser_moved_last() {
    let folder = Folder::new();
    folder.file("whole.sgf", "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[gg])");
    folder.file("cut.sgf", "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[gg];B[ff");
    assert_eq!(folder.run("check whole.sgf").column("name"), ["loser-moved-last"]);
    assert_eq!(folder.run("check cut.sgf").column("name"), ["unclosed-game", "unclosed-value"]);
}

#[test]
fn setup_off_board_keeps_turn_order_and_history() {
    let folder = Folder::new();
    folder.file("turn.sgf", "(;SZ[9];B[ee];W[dd];AB[zz];W[ff])");
    folder.file("ko.sgf", "(;SZ[4:1];B[ba];W[ca];B[];W[aa];AB[zz];B[ba])");
    let names = |name: &str| folder.run(&format!("check --select P,K,S --rules nz {name}")).column("name");
    assert_eq!(names("turn.sgf"), ["setup-off-board", "wrong-color", "implied-pass"]);
    assert_eq!(names("ko.sgf"), ["setup-off-board", "ko"]);
}

/// Creates a named pipe and writes `bytes` into it for the reader.
#[cfg(unix)]
fn fifo(folder: &Folder, name: &str, bytes: Vec<u8>) -> std::thread::JoinHandle<()> {
    let path = folder.path().join(name);
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    // A program that reads it twice, or only in part, gets less data.
    std::thread::spawn(move || drop(std::fs::write(path, bytes)))
}

#[cfg(unix)]
#[test]
fn pipes_are_opened_once_for_any_name_and_format() {
    use std::io::Write;
    let folder = Folder::new();
    // More data than jigo reads to detect the format.
    let games = [CLEAN, ILLEGAL, WARNED].repeat(20).join("\n");
    folder.file("games.sgf", &games);
    let expected = folder.run("check games.sgf");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(games.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    for (name, bytes, shown) in [
        ("plain", games.clone().into_bytes(), "plain"),
        ("named.sgf", games.clone().into_bytes(), "named.sgf"),
        ("packed", packed.clone(), "packed!packed"),
        ("packed.sgf.gz", packed, "packed.sgf.gz!packed.sgf"),
    ] {
        let writer = fifo(&folder, name, bytes);
        let run = folder.run(&format!("check {name}"));
        assert_eq!(run.out, expected.out.replace("games.sgf", shown), "{name}: {}", run.err);
        writer.join().unwrap();
    }
    let piped = folder.run_with_input("check /dev/stdin", &games);
    assert_eq!(piped.out, expected.out.replace("games.sgf", "/dev/stdin"));
}
