//! The first attempts of a new user: mistyped words, wrong file names, a terminal.

use crate::support::cli::{CLEAN, Folder, ILLEGAL, run_command};
use crate::support::python;

#[test]
fn output_name_sets_format_and_conflict_is_an_error() {
    let folder = Folder::with_games();
    let begins = |name: &str| std::fs::read(folder.path().join(name)).unwrap()[..4].to_vec();
    let written: [(&str, &str, &[u8]); 6] = [
        ("check", "f.parquet", b"PAR1"),
        ("check", "f.csv", b"file"),
        ("check", "f.jsonl", b"{\"fi"),
        ("check", "f.sarif", b"{\"$s"),
        ("check", "f.rows", b"file"),
        ("score", "f.txt", b"./cl"),
    ];
    for (command, name, expected) in written {
        let run = folder.run(&format!("{command} -q --exit-zero --force --output {name} ."));
        assert_eq!((run.code, begins(name)), (0, expected.to_vec()), "{name}: {}", run.err);
    }
    for (line, expected) in [
        (
            "check --format csv --output g.parquet",
            "--output g.parquet is the name of a parquet file, and --format says csv",
        ),
        ("check --format parquet --output g.csv", "is the name of a csv file, and --format says parquet"),
        (
            "score --output g.sarif",
            "sarif is a format for findings, and the rows are scores; choose another with --format or the name of --output",
        ),
        (
            "duplicates --output g.sarif",
            "sarif is a format for findings, and the rows are duplicates; choose another with --format or the name of --output",
        ),
        (
            "duplicates --table diversity --output g.sarif",
            "sarif is a format for findings, and the rows are diversity; choose another with --format or the name of --output",
        ),
        (
            "check --table turns --format github",
            "github is a format for findings, and the rows are turns; choose another with --format",
        ),
        ("check --output g.csv.gz", "jigo does not compress rows; leave out .gz"),
        ("check --output g.tsv", "--output g.tsv: jigo does not write .tsv"),
        ("fix --out fixed --log g.parquet", "--log g.parquet: a log is CSV or JSON lines"),
        ("extract --dedupe --merge-headers --out g.sgf --log g.gz", "--log g.gz: jigo does not compress rows"),
        ("score --table results --komi 0.5", "--komi is for --table scores"),
    ] {
        let run = folder.run(&format!("{line} ."));
        assert_eq!(run.code, 2, "{line}");
        assert!(run.err.contains(expected), "{line}: {}", run.err);
    }
    assert!(!folder.list().iter().any(|name| name.starts_with("g.")));
}

#[test]
fn mistyped_word_gets_a_suggestion() {
    let folder = Folder::with_games();
    for (line, expected) in [
        ("explain K02", "there is no finding 'K02' (did you mean K002"),
        ("check --select superkoo .", "(did you mean superko?)"),
        ("chek .", "'check'"),
        ("check --dialect foxx .", "(did you mean fox"),
        ("schema game", "(did you mean games"),
        ("rules japanes", "(did you mean japanese?)"),
        ("check --where size==19 .", "write size ="),
    ] {
        let run = folder.run(line);
        assert_eq!(run.code, 2, "{line}");
        assert!(run.err.contains(expected), "{line}: {}", run.err);
    }
    let unknown = folder.run("check --rules foo .").err;
    assert!(unknown.contains("the nearest are ") && unknown.len() < 250, "{unknown}");
    for line in ["help -h", "help check --help", "help check"] {
        let run = folder.run(line);
        assert_eq!(run.code, 0, "{line}: {}", run.err);
        assert!(run.out.contains("Usage: jigo"), "{line}");
    }
}

#[test]
fn severity_filters_and_short_help_omits_limits() {
    let folder = Folder::with_games();
    let severities = |level: &str| folder.run(&format!("check -q --severity {level} .")).column("severity");
    assert_eq!(severities("error"), ["error"]);
    assert_eq!(severities("warning"), ["error", "warning"]);
    assert_eq!(folder.run("check -q --severity error clean.sgf warned.sgf").code, 0);
    assert!(severities("info").len() >= 2);
    let short = folder.run("check -h").out;
    // An option takes one line, or two with its values. The columns of a filter are listed only in
    // the long help.
    let options = short.lines().filter(|line| line.trim_start().starts_with('-')).count();
    let (own, others) = short.split_once("Options of most commands").unwrap();
    let lines = own.lines().filter(|line| line.starts_with("  ")).count();
    assert!(lines < 2 * options && others.contains(" --where"), "{short}");
    assert!(!short.contains("black_rank") && folder.run("check --help").out.contains("black_rank"));
    assert!(folder.run("check --help").out.contains("--max <NAME=VALUE>"));
}

#[test]
fn messages_use_singular_and_plural() {
    let folder = Folder::with_games();
    let one = folder.run("check illegal.sgf").err;
    assert!(
        one.starts_with("1 source, 0.0 MB\n1 game found = 1 replayed + 0 stopped + 0 unreadable, 3 turns\n"),
        "{one}"
    );
    assert!(one.contains("\n1 finding: 1 error, 0 warnings, 0 infos; 1 game with errors\n"), "{one}");
    assert!(folder.run("check .").err.starts_with("3 sources"));
    let counted = folder.run("score illegal.sgf").err;
    assert!(
        counted.ends_with("exit code 1 for 1 error: jigo check --results --severity error illegal.sgf lists them\n"),
        "{counted}"
    );
    assert!(!folder.run("score --exit-zero illegal.sgf").err.contains("exit code"));
    let report = folder.run("report --out audit illegal.sgf").err;
    assert_eq!(report.lines().last(), Some("audit/index.html"));
}

/// Black wins by area and White by territory. Rulesets of the same kind agree.
#[test]
fn list_has_one_row_a_game_unless_all_pairs() {
    let folder = Folder::new();
    let game = "(;SZ[5]KM[4.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[aa];W[];B[])";
    folder.file("one.sgf", game).file("two.sgf", game).file("settled.sgf", CLEAN);
    let pairs = |line: &str| {
        let run = folder.run(&format!("compare -q --rules japanese,chinese,aga,korean {line} ."));
        let columns = ["file", "ruleset", "other", "change", "pairs"].map(|name| run.column(name));
        (0..columns[0].len()).map(|row| columns.each_ref().map(|column| column[row].clone())).collect::<Vec<_>>()
    };
    let (listed, all) = (pairs("--list"), pairs("--list --all-pairs"));
    assert_eq!(listed.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["./one.sgf", "./two.sgf"]);
    assert_eq!(all.len(), 8, "two games, two rulesets of each kind: {all:?}");
    for row in &listed {
        assert_eq!([row[3].as_str(), row[4].as_str()], ["winner", "4"]);
        assert_eq!(all.iter().find(|pair| pair[0] == row[0]), Some(row), "the first of equal pairs");
    }
    let every = pairs("--list=all --all-pairs");
    assert_eq!(every.len(), 12, "{every:?}");
    assert_eq!(
        pairs("--list=all"),
        listed
            .iter()
            .map(|row| [&row[0], &row[1], &row[2], &row[3], &"6".into()].map(String::clone))
            .collect::<Vec<_>>()
    );
    let text = folder.run("compare -q --rules japanese,chinese,aga,korean --list --format text one.sgf").out;
    assert!(text.trim_end().ends_with("; 3 other pairs differ, too"), "{text}");
    assert_eq!(folder.run("compare --all-pairs .").code, 2);
}

/// Black retakes a ko at once several times; one turn is out of order.
#[test]
fn text_groups_repetitions_and_missing_turns() {
    let folder = Folder::new();
    let ko = include_str!("../../fixtures/findings/K001-ko.sgf").trim();
    let stem = ko.strip_suffix(')').unwrap();
    // The record ends with a play that retakes the ko. The two players retake it five more times.
    let turns: Vec<&str> = stem.split(';').collect();
    let cycle = turns[turns.len() - 2..].join(";");
    folder.file("ko.sgf", format!("{stem};{});B[ff];B[gg])", vec![cycle; 5].join(";")).replace(");B[ff]", ";B[ff]"));
    let rows = folder.run("check -q ko.sgf");
    let codes = rows.column("code");
    let repeated = codes.iter().filter(|code| code.starts_with('K')).count();
    assert!(repeated > 5, "{}", rows.out);
    let text = folder.run("check -q --format text ko.sgf").out;
    let of_repetition: Vec<&str> = text.lines().filter(|line| line.contains(" K0")).collect();
    let count: usize = of_repetition
        .iter()
        .map(|line| {
            line.split(", and ").nth(1).map_or(1, |rest| 1 + rest.split(' ').next().unwrap().parse::<usize>().unwrap())
        })
        .sum();
    assert_eq!(count, repeated, "{text}");
    assert!(of_repetition.len() < repeated / 2, "{text}");
    let missing: Vec<&str> = text.lines().filter(|line| line.contains("P005") || line.contains("P006")).collect();
    let pairs = codes.iter().filter(|code| *code == "P005").count();
    assert!(pairs > 0 && missing.len() == pairs, "{text}");
    assert!(missing[0].ends_with(" is taken to have passed before)"), "{}", missing[0]);
}

#[test]
fn engine_start_failure_ends_run_before_reading() {
    let folder = Folder::new();
    folder.file("g.sgf", CLEAN);
    let run = folder.run("score --dead engine --engine nosuchprog g.sgf");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("--engine nosuchprog: the engine can't be started"), "{}", run.err);
    let report = folder.run("report --out audit --dead engine --engine ./nosuchprog g.sgf");
    assert_eq!((report.code, folder.list()), (2, vec!["g.sgf".to_owned()]));
}

/// Runs a line on a terminal of 60 columns, made with Python's pty, and returns its output.
pub fn on_a_terminal(folder: &Folder, line: &str) -> Option<String> {
    const SCRIPT: &str = "import fcntl, os, pty, struct, sys, termios\n\
        pid, fd = pty.fork()\n\
        if pid == 0:\n    \
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 60, 0, 0))\n    \
            os.execv(sys.argv[1], sys.argv[1:])\n\
        out = b''\n\
        while True:\n    \
            try:\n        \
                read = os.read(fd, 65536)\n    \
            except OSError:\n        \
                break\n    \
            if not read:\n        \
                break\n    \
            out += read\n\
        os.waitpid(pid, 0)\n\
        sys.stdout.buffer.write(out)";
    let python = python::path()?;
    let mut words = vec!["-c", SCRIPT, env!("CARGO_BIN_EXE_jigo")];
    words.extend(line.split(' '));
    Some(python::run(&python, &words, folder.path()))
}

#[test]
fn terminal_shows_text_and_pipe_gets_csv() {
    let folder = Folder::with_games();
    let Some(terminal_text) = on_a_terminal(&folder, "check -q --color never illegal.sgf") else { return };
    assert!(terminal_text.starts_with("illegal.sgf:1:1 turn 2 W[ee] error P001 occupied"), "{terminal_text}");
    let csv = on_a_terminal(&folder, "check -q --format csv illegal.sgf").unwrap();
    assert!(csv.starts_with("file,game,"), "{csv}");
    let safe = on_a_terminal(&folder, "check -q --safe-text illegal.sgf").unwrap();
    assert!(safe.starts_with("file,game,"), "{safe}");
    assert!(folder.run("check -q illegal.sgf").out.starts_with("file,game,"));
}

#[test]
fn bar_fits_60_columns_and_is_cleared_before_text() {
    let folder = Folder::new();
    folder.file("many.sgf", ILLEGAL.repeat(30_000));
    let Some(shown) = on_a_terminal(&folder, "check --progress always --color never many.sgf") else { return };
    let bars: Vec<&str> = shown.split(['\r', '\n']).filter(|line| line.contains(" ETA ")).collect();
    assert!(!bars.is_empty(), "no bar is seen");
    for bar in bars {
        let visible: String = console_text(bar);
        assert!(visible.chars().count() <= 60, "{visible:?} has {} columns", visible.chars().count());
        assert!(visible.contains(" games, ") || visible.contains("0%"), "{visible}");
        assert!(!visible.contains("P001"), "{visible}");
    }
    let lines = shown.lines().filter(|line| console_text(line).contains("error P001")).count();
    assert_eq!(lines, 30_000);
}

/// Returns a line without the escape sequences that move the cursor or clear.
fn console_text(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, tail)) = rest.split_once('\u{1b}') {
        text += before;
        rest = tail.trim_start_matches(['[', ';', '?']).trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.get(1..).unwrap_or("");
    }
    text + rest
}

/// Ranks from the weakest to the strongest, each in all spellings. The last entries are not ranks.
const RANKS: [&[&str]; 11] = [
    &["30k", "30 kyu"],
    &["18k", "18k?", "18 Kyu", "十八級", "18급"],
    &["1k", "一级", "1급"],
    &["1d", "初段", "1단", "초단"],
    &["4d", "4 dan", "4 Dan", "四段"],
    &["5d", "5d?", "5段"],
    &["9d", "9d*", "9段", "九段"],
    &["1p", "1 dan pro", "プロ初段"],
    &["5p", "P5段"],
    &["9p", "9dp", "职业九段"],
    &["", "NR", "?", "Meijin", "0k", "31k", "10d", "10p", "5", "2100"],
];

/// Writes a game for each spelling and returns the index in [`RANKS`] of each game's rank.
fn ranks_of_games(folder: &Folder) -> Vec<usize> {
    let spelled =
        RANKS.iter().enumerate().flat_map(|(rank, spellings)| spellings.iter().map(move |text| (rank, *text)));
    let games: String = spelled.clone().map(|(_, text)| format!("(;SZ[9]BR[{text}];B[ee])\n")).collect();
    folder.file("games.sgf", games);
    spelled.map(|(rank, _)| rank).collect()
}

#[test]
fn ranks_compare_in_order_in_every_spelling() {
    let folder = Folder::new();
    let ranks = ranks_of_games(&folder);
    let (known, unknown) = (RANKS.len() - 1, RANKS[RANKS.len() - 1]);
    let taken = |filter: &str| {
        let words = ["check", "-q", "--table", "turns", "--where", filter, "games.sgf"];
        let ran = run_command(&mut folder.command(words));
        assert_eq!(ran.code, 0, "{filter}: {}", ran.err);
        ran.column("game").iter().map(|game| game.parse::<usize>().unwrap()).collect::<Vec<_>>()
    };
    type Fits = fn(usize, usize) -> bool;
    let comparisons: [(&str, Fits); 6] = [
        (">=", |rank, than| rank >= than),
        (">", |rank, than| rank > than),
        ("<", |rank, than| rank < than),
        ("<=", |rank, than| rank <= than),
        ("=", |rank, than| rank == than),
        ("!=", |rank, than| rank != than),
    ];
    for (than, spellings) in RANKS[..known].iter().enumerate() {
        for (number, text) in spellings.iter().enumerate() {
            // Tests each comparison once a rank, and each spelling once.
            let tested = if number == 0 { &comparisons[..] } else { &comparisons[..1] };
            for (sign, fits) in tested {
                let expected = (0..ranks.len()).filter(|game| ranks[*game] < known && fits(ranks[*game], than));
                let expected: Vec<usize> = expected.map(|game| game + 1).collect();
                assert_eq!(taken(&format!("black_rank {sign} '{text}'")), expected, "{sign} {text}");
            }
        }
    }
    // The filter is written as in the help, without quotes. A value that satisfies neither
    // comparison is not a rank.
    assert_eq!(taken("black_rank >= 5d"), taken("not black_rank < 5d"));
    assert_eq!(taken("black_rank >= 5d or black_rank < 5d").len(), ranks.len() - unknown.len());
    for text in unknown {
        let run =
            folder.command(["check", "--where", &format!("black_rank >= '{text}'"), "games.sgf"]).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{text}");
        assert!(String::from_utf8_lossy(&run.stderr).contains("is no rank"), "{text}");
    }
}

/// Returns the words that bash offers after these words.
#[cfg(unix)]
fn bash_completions(folder: &Folder, words: &[&str]) -> Vec<String> {
    let script = "source jigo.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                  _jigo jigo \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut command = std::process::Command::new("bash");
    let output = command.args(["--norc", "-c", script, "bash", "jigo"]).args(words).current_dir(folder.path());
    let output = output.output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn shell_completes_rulesets_codes_columns_and_tables() {
    let folder = Folder::new();
    folder.file("jigo.bash", folder.run("completions bash").out);
    for (words, expected) in [
        (&["check", "--rules", "jap"][..], &["japanese"][..]),
        (&["score", "--rules", "rec"], &["recorded"]),
        (&["report", "--assume-rules", "tromp"], &["tromp-taylor"]),
        (&["check", "--select", "K00"], &["K001", "K002"]),
        (&["fix", "--ignore", "K001"], &["K001"]),
        (&["extract", "--where", "black_r"], &["black_rank"]),
        (&["compare", "--dialect", "fo"], &["fox"]),
        (&["score", "--dead", "play"], &["playouts"]),
        (&["explain", "P00"], &["P001"]),
        (&["rules", "chin"], &["chinese"]),
        (&["schema", "gam"], &["games"]),
        (&["check", "--format", "sar"], &["sarif"]),
    ] {
        let completions = bash_completions(&folder, words);
        let missing = expected.iter().find(|word| !completions.iter().any(|completion| completion == *word));
        assert_eq!(missing, None, "{words:?}: {completions:?}");
        assert!(completions.iter().all(|word| word.starts_with(words[words.len() - 1])), "{words:?}: {completions:?}");
    }
    // jigo accepts more words than the completion offers.
    folder.file("game.sgf", CLEAN);
    assert_eq!(folder.run("check --rules japanese,aga --select K,superko --where size=9 game.sgf").code, 0);
    for (shell, line) in [("zsh", "japanese"), ("fish", "K002"), ("powershell", "--rules"), ("elvish", "--rules")] {
        assert!(folder.run(&format!("completions {shell}")).out.contains(line), "{shell}");
    }
}
