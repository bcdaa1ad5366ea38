//! The page of `jigo report`. Its numbers equal those of the tables, text from records stays text,
//! and its links have targets.
//!
//! With `JIGO_CHROMIUM` set to Debian's chromium, the test opens the page in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::cli::Folder;
use crate::support::manifest::{Row, rows};

/// Writes the report of some paths under every ruleset into a folder next to them.
fn report(folder: &Folder, paths: &[PathBuf]) -> PathBuf {
    let out = folder.path().join("out");
    let mut command = folder.command(["report", "-q", "--exit-zero", "--duplicates", "--rules", "all", "--out"]);
    command.arg(&out).args(paths).assert().success();
    out
}

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// Returns the page's numbers by figure. A figure that occurs several times must have the same
/// value.
pub fn figures(page: &str) -> BTreeMap<String, u64> {
    let mut figures = BTreeMap::new();
    for part in page.split(" data-figure=\"").skip(1) {
        let (figure, rest) = part.split_once("\" data-value=\"").unwrap();
        let (value, rest) = rest.split_once('"').unwrap();
        let value: u64 = value.parse().unwrap();
        let figure = unescape(figure);
        // The number for readers, if there is one next to the number for machines.
        if let Some(shown) = rest.strip_prefix('>').filter(|rest| !rest.starts_with('<')) {
            let shown = shown.split('<').next().unwrap().replace('\u{202F}', "");
            assert_eq!(shown, value.to_string(), "{figure}");
        }
        let before = figures.insert(figure.clone(), value);
        assert!(before.is_none_or(|before| before == value), "{figure} is {before:?} and {value}");
    }
    figures
}

fn unescape(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The same numbers, computed from the tables alone.
#[derive(Default)]
struct FiguresOfTables(BTreeMap<String, u64>);

impl FiguresOfTables {
    fn add(&mut self, figure: impl Into<String>, value: u64) {
        *self.0.entry(figure.into()).or_default() += value;
    }

    fn increment(&mut self, figure: impl Into<String>) {
        self.add(figure, 1);
    }

    fn from_tables(folder: &Path) -> FiguresOfTables {
        let (games, findings, scores) =
            (rows(&folder.join("games.csv")), rows(&folder.join("findings.csv")), rows(&folder.join("scores.csv")));
        let mut all = FiguresOfTables::default();
        let summary: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap();
        all.add("sources", summary["sources"].as_u64().unwrap());
        all.add("failed_sources", summary["failed_sources"].as_u64().unwrap());
        all.findings(&games, &findings);
        games.iter().for_each(|game| all.game(game));
        let results = rows(&folder.join("results.csv"));
        all.servers(&games, &findings, &results);
        let mut of_game: HashMap<(String, String), Vec<&Row>> = HashMap::new();
        for score in &scores {
            of_game.entry((score["file"].clone(), score["game"].clone())).or_default().push(score);
        }
        for game in &games {
            all.scores(&of_game[&(game["file"].clone(), game["game"].clone())]);
        }
        for result in results {
            all.increment("stated");
            all.increment(format!("verdict.{}", result["verdict"]));
        }
        let mut clusters = BTreeSet::new();
        for copy in rows(&folder.join("duplicates.csv")).iter().filter(|copy| !copy["class"].is_empty()) {
            all.increment(format!("copies.{}", copy["class"]));
            if copy["class"] != "collision" {
                all.increment("copies.again");
                clusters.insert(copy["cluster"].clone());
            }
        }
        all.add("copies.clusters", clusters.len() as u64);
        all.assert_copies_equal(&summary["copies"]);
        all
    }

    /// Checks that the summary has the same numbers of duplicates.
    fn assert_copies_equal(&self, copies: &serde_json::Value) {
        let here = |figure: &str| self.0.get(&format!("copies.{figure}")).copied().unwrap_or(0);
        for figure in ["again", "clusters"] {
            assert_eq!(copies[figure], here(figure), "{figure}");
        }
        for (class, games) in copies["by_class"].as_object().unwrap() {
            assert_eq!(*games, here(class), "{class}");
        }
    }

    fn findings(&mut self, games: &[Row], findings: &[Row]) {
        let mut worst: HashMap<(&str, &str), usize> = HashMap::new();
        let severities = ["info", "warning", "error"];
        let mut with_code: BTreeSet<(&str, &str, &str, usize)> = BTreeSet::new();
        for (index, finding) in findings.iter().enumerate() {
            let (file, game, code) = (finding["file"].as_str(), finding["game"].as_str(), finding["code"].as_str());
            let severity = finding["severity"].as_str();
            self.increment("findings");
            self.increment(format!("findings.{severity}"));
            self.increment(format!("code.{code}.findings"));
            self.increment(format!("file.{severity}:{file}"));
            // Each finding outside games counts separately.
            with_code.insert((file, game, code, if game.is_empty() { index } else { 0 }));
            if !game.is_empty() {
                let rank = severities.iter().position(|name| *name == severity).unwrap();
                let entry = worst.entry((file, game)).or_default();
                *entry = rank.max(*entry);
            }
        }
        with_code.iter().for_each(|(_, _, code, _)| self.increment(format!("code.{code}.games")));
        worst.values().for_each(|rank| self.increment(format!("worst.{}", severities[*rank])));
        for ((file, _), _) in worst.iter().filter(|(_, rank)| severities[**rank] == "error") {
            self.increment(format!("file.games_with_errors:{file}"));
        }
        self.add("clean", games.len() as u64 - worst.len() as u64);
        let files: BTreeSet<&str> = games.iter().chain(findings).map(|row| row["file"].as_str()).collect();
        self.add("files", files.len() as u64);
    }

    fn game(&mut self, game: &Row) {
        let file = &game["file"];
        let (ending, is_unreadable) = (game["ending"].as_str(), game["ending"] == "unreadable");
        self.increment("games.found");
        self.increment(match ending {
            "stopped" | "unreadable" => format!("games.{ending}"),
            _ => "games.replayed".into(),
        });
        self.increment(format!("file.games:{file}"));
        self.add(format!("file.unreadable:{file}"), u64::from(is_unreadable));
        self.increment(format!("result.{}", game["result_kind"]));
        self.increment(format!("end.{ending}"));
        self.increment(format!("status.{}", game["status"]));
        if !game["dead_source"].is_empty() {
            self.increment(format!("dead.{}", game["dead_source"]));
        }
        if let Ok(confidence) = game["confidence"].parse::<f64>() {
            let lowest = [970, 900, 700, 500, 0].into_iter().find(|from| confidence >= f64::from(*from) / 1000.0);
            self.increment(format!("confidence.{}", lowest.unwrap()));
        }
        let or_unknown = |text: &str| if text.is_empty() { "unknown".to_owned() } else { text.to_owned() };
        self.increment(format!("komi.{}", or_unknown(&game["komi"])));
        self.increment(format!("ruleset.{}", or_unknown(&game["ruleset"])));
        let runs = game["date"].split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 4);
        let year = runs.map(|run| run.parse().unwrap()).find(|year: &u32| (1000..3000).contains(year));
        match year {
            Some(year) => {
                self.increment(format!("year.{year}"));
                self.increment(format!("years.10.{}", year / 10 * 10));
                self.increment(format!("years.100.{}", year / 100 * 100));
            }
            None => self.increment("year.unknown"),
        }
        if let Ok(margin) = game["stated_black_minus_white"].parse::<f64>() {
            let class = (margin.abs() / 5.0).ceil().min(10.0) * if margin < 0.0 { -1.0 } else { 1.0 };
            self.increment(format!("margin.{}", class as i32));
        }
        for rank in [&game["black_rank"], &game["white_rank"]] {
            let rank = jigo_record::Rank::parse(rank).map_or("unknown".into(), |rank| rank.to_string());
            self.increment(format!("rank.{rank}"));
        }
        if !is_unreadable {
            let turns: u64 = game["turns"].parse().unwrap();
            self.add("turns", turns);
            self.increment(format!("turns.{}", (turns / 25 * 25).min(450)));
            self.increment(format!("size.{}x{}", game["width"], game["height"]));
            self.increment(format!("handicap.{}", game["handicap"]));
        }
        if let Ok(difference) = game["difference"].parse::<f64>() {
            self.increment("counted");
            self.add("difference.zero", u64::from(difference == 0.0));
            self.increment(format!("difference.{}", difference.floor().clamp(-7.0, 7.0)));
            for cause in ["parity", "passes", "handicap_stones", "setup", "seki", "dame"] {
                self.add(format!("cause.{cause}"), u64::from(game[cause] != "0"));
            }
        }
    }

    /// Adds general statistics by server, and by server and year, decade and century.
    fn servers(&mut self, games: &[Row], findings: &[Row], results: &[Row]) {
        let key = |row: &Row| (row["file"].clone(), row["game"].clone());
        let games_with = |severity: &str| -> BTreeSet<(String, String)> {
            findings.iter().filter(|finding| finding["severity"] == severity).map(key).collect()
        };
        let (errors, warnings) = (games_with("error"), games_with("warning"));
        let verdicts: HashMap<_, &str> = results.iter().map(|row| (key(row), row["verdict"].as_str())).collect();
        for game in games {
            let key = key(game);
            let server = if game["dialect"].is_empty() { "unknown" } else { &game["dialect"] };
            let mut groups = vec![format!("server.{server}")];
            let year = game["year"].parse::<u32>();
            groups.extend([1, 10, 100, 10_000].map(|step| {
                let from = year.as_ref().map_or("unknown".to_owned(), |year| (year / step * step).to_string());
                format!("group.{step}.{from}.{server}")
            }));
            let is_replayed = !["stopped", "unreadable"].contains(&game["ending"].as_str());
            let verdict = verdicts.get(&key).copied();
            for group in groups {
                for (measure, is_counted) in [
                    ("games", true),
                    ("errors", errors.contains(&key)),
                    ("warnings", warnings.contains(&key) && !errors.contains(&key)),
                    ("not_replayed", !is_replayed),
                    ("counted", ["counted", "estimated"].contains(&game["status"].as_str())),
                    ("stated", verdict.is_some()),
                    ("contradicted", verdict == Some("contradicted")),
                ] {
                    self.add(format!("{group}.{measure}"), u64::from(is_counted));
                }
            }
        }
    }

    fn scores(&mut self, scores: &[&Row]) {
        for score in scores.iter().filter(|score| !score["agrees"].is_empty()) {
            let agrees = if score["agrees"] == "true" { "yes" } else { "no" };
            self.increment(format!("agrees.{}.{agrees}", score["ruleset"]));
        }
        let decided: Vec<_> = scores.iter().filter(|score| !score["dead_source"].is_empty()).collect();
        for first in &decided {
            for second in decided.iter().filter(|second| first["ruleset"] < second["ruleset"]) {
                let margin = |score: &Row| score["black_minus_white"].parse::<f64>();
                let change = match (margin(first), margin(second)) {
                    (Ok(_), Ok(_)) if first["winner"] != second["winner"] => "winner".into(),
                    (Ok(margin), Ok(second)) if margin == second => "same".into(),
                    (Ok(margin), Ok(second)) => format!("margin_{}", (margin - second).abs().ceil().min(3.0)),
                    _ => "unsettled".to_owned(),
                };
                self.increment(format!("pair.{}/{}.{change}", first["ruleset"], second["ruleset"]));
            }
        }
    }

    /// Returns the sum of all other figures of a list.
    fn others(&self, figure: &str, shown: &BTreeMap<String, u64>) -> u64 {
        let kind = figure.strip_suffix("others").unwrap();
        let hidden = self.0.iter().filter(|(other, _)| other.starts_with(kind) && !shown.contains_key(*other));
        hidden.map(|(_, value)| value).sum()
    }
}

fn assert_page_equals_tables(out: &Path) {
    let (shown, recomputed) = assert_shown_equal_tables(out);
    assert!(shown.len() > 60, "only {} figures", shown.len());
    let is_total = |figure: &str| !figure.contains(['/', ':']) && !figure.starts_with("years.");
    let always = ["games", "findings", "worst", "stated", "difference", "cause", "confidence"];
    for (figure, value) in recomputed.0.iter().filter(|(figure, value)| is_total(figure) && **value > 0) {
        if always.contains(&figure.split('.').next().unwrap()) || figure.starts_with("code.") {
            assert!(shown.contains_key(figure), "{figure} is {value} and not on the page");
        }
    }
}

/// Compares the numbers on the page with the tables. Returns both.
fn assert_shown_equal_tables(out: &Path) -> (BTreeMap<String, u64>, FiguresOfTables) {
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    let shown = figures(&page);
    let recomputed = FiguresOfTables::from_tables(out);
    // The number of fixes is in no table; another test compares it with `jigo fix`.
    for (figure, value) in shown.iter().filter(|(figure, _)| !figure.starts_with("fixes.")) {
        let expected = match figure.ends_with(".others") {
            true => recomputed.others(figure, &shown),
            false => recomputed.0.get(figure).copied().unwrap_or(0),
        };
        assert_eq!(*value, expected, "{figure}");
    }
    (shown, recomputed)
}

#[test]
fn page_numbers_equal_the_tables() {
    let folder = Folder::new();
    assert_page_equals_tables(&report(&folder, &[fixtures()]));
}

#[test]
fn page_numbers_of_real_games_equal_the_tables() {
    let folder = Folder::new();
    let collections = ["collections/odd-games.sgf", "collections/playouts.sgf", "collections/walls.sgf"];
    let paths = crate::support::corpus_parts(&[&["edge", "ai/master", "ai/BensonDarr"], &collections[..]].concat());
    assert_page_equals_tables(&report(&folder, &paths));
}

/// Returns a folder with file names and record texts that would be markup without escaping.
pub fn hostile() -> Folder {
    let folder = Folder::new();
    let game = fs::read_to_string(fixtures().join("games/hostile.sgf")).unwrap();
    folder.file("a'b \"onload=\"x <img src=x onerror=alert(1)> #1 %41.sgf", &game).file("plain.sgf", &game);
    folder
}

/// The same for a page without cards, which has more games.
fn hostile_archive() -> Folder {
    let folder = hostile();
    folder.file("many.sgf", MANY_GAMES.repeat(21));
    folder
}

/// A sound game, to be repeated.
const MANY_GAMES: &str = "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese];B[cc];W[gg])\n";

#[test]
fn record_text_and_file_names_never_become_markup() {
    let (few, many) = (hostile(), hostile_archive());
    let out = report(&many, &[many.path().to_owned()]);
    assert_page_equals_tables(&out);
    assert_only_known_markup(&fs::read_to_string(out.join("index.html")).unwrap());
    let out = report(&few, &[few.path().to_owned()]);
    assert_shown_equal_tables(&out);
    assert_only_known_markup(&fs::read_to_string(out.join("index.html")).unwrap());
}

/// The only script that a page contains.
const SCRIPT: &str = concat!("<script>", include_str!("../../src/html/script.js"), "</script>");

fn assert_only_known_markup(page: &str) {
    assert_eq!(page.matches(SCRIPT).count(), 1);
    let page = page.replace(SCRIPT, "");
    assert!(page.contains("&lt;script&gt;document.title"));
    let known = [
        "!DOCTYPE",
        "html",
        "head",
        "meta",
        "link",
        "title",
        "style",
        "body",
        "header",
        "h1",
        "h2",
        "h3",
        "p",
        "span",
        "div",
        "i",
        "b",
        "small",
        "dl",
        "dt",
        "dd",
        "nav",
        "a",
        "main",
        "section",
        "details",
        "summary",
        "ul",
        "li",
        "code",
        "table",
        "thead",
        "tr",
        "th",
        "td",
        "figure",
        "figcaption",
        "tbody",
        "input",
        "svg",
        "g",
        "path",
        "rect",
        "circle",
        "text",
        "defs",
        "use",
        "br",
        "footer",
    ];
    for tag in page.split('<').skip(1).filter(|tag| !tag.starts_with('/')) {
        let name = tag.split(|c: char| c.is_whitespace() || c == '>' || c == ';').next().unwrap();
        assert!(known.contains(&name), "<{}", &tag[..tag.len().min(60)]);
        // Outside quotes no part of a tag is an event handler.
        let head = tag.split('>').next().unwrap();
        let outside: String = head.split('"').step_by(2).collect();
        assert!(!outside.contains(" on"), "<{head}");
    }
}

/// Returns the commands that readers paste into a shell.
pub fn commands(page: &str) -> Vec<String> {
    let elements = page.split("<code class=\"command\">").skip(1);
    elements.map(|rest| unescape(rest.split("</code>").next().unwrap())).collect()
}

#[cfg(unix)]
#[test]
fn every_command_on_the_page_works() {
    assert_every_command_works(&hostile(), 0);
    assert_every_command_works(&hostile_archive(), 1);
}

/// Runs each command of the page. `comparing` of them count under all rulesets.
#[cfg(unix)]
fn assert_every_command_works(folder: &Folder, comparing: usize) {
    // Area and territory have different winners, and RE matches neither.
    let game =
        "(;SZ[5]KM[4.5]RU[Japanese]RE[W+3];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[aa];W[];B[])";
    folder.file("-first.sgf", game).file("in folder/again.sgf", game);
    for name in ["K001-ko", "P001-occupied", "K003-repetition"] {
        let finding = fixtures().join("findings").join(name).with_extension("sgf");
        folder.file(&format!("in folder/{name} '1'.sgf"), fs::read_to_string(finding).unwrap());
    }
    let choices = ["--rules", "japanese, tromp-taylor", "--where", "size < 20"];
    let args = ["report", "-q", "--exit-zero", "--duplicates"].into_iter().chain(choices).chain(["--out", "out", "."]);
    folder.command(args).assert().success();
    let page = folder.read("out/index.html");
    let commands = commands(&page);
    let shows = |command_text: &str| commands.iter().any(|command| command.contains(command_text));
    assert!(shows("jigo show './-first.sgf#1'") || shows("jigo show ./-first.sgf#1"), "{commands:?}");
    assert!(shows("jigo show './in folder/again.sgf#1' --ending"), "{commands:?}");
    assert!(shows("jigo extract --dedupe --out once.sgf --rules"), "{commands:?}");
    let compare = "jigo compare --list --rules 'japanese, tromp-taylor' --where 'size < 20' .";
    assert_eq!(commands.iter().filter(|command| command.contains(compare)).count(), comparing, "{commands:?}");
    let program = folder.path().join("bin");
    fs::create_dir(&program).unwrap();
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("jigo"), program.join("jigo")).unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    for command in commands {
        assert!(!command.contains('\n'), "{command}");
        let run =
            Command::new("sh").args(["-c", &command]).env("PATH", &path).current_dir(folder.path()).output().unwrap();
        let err = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(
            run.status.success() || command.contains(" compare ") && run.status.code() == Some(1),
            "{command}: {err}"
        );
        assert!(!run.stdout.is_empty() || command.contains(" --out once.sgf"), "{command}: {err}");
    }
    assert!(folder.path().join("once.sgf").is_file());
}

/// The file names and record texts contain characters that control a terminal or hide parts of a
/// name.
#[cfg(unix)]
#[test]
fn pasted_commands_contain_no_control_characters() {
    let folder = Folder::new();
    let game = "(;GM[1]FF[4]SZ[9]RU[\u{202E}x\u{2066}]KM[7]PB[\u{200F}y];B[aa];W[aa])";
    let names =
        ["x\u{1b}[201~\u{15}touch PWNED\n#.sgf", "it's \u{202E}!sgf.\\a.sgf", "\u{7f}\u{9b}2J\u{2028}\u{2066}.sgf"];
    for name in names {
        folder.file(&format!("g/{name}"), game);
    }
    folder.run("report -q --exit-zero --out out g");
    let page = folder.read("out/index.html");
    let acts = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || ('\u{200E}'..='\u{202E}').contains(&c) && c > '\u{2027}'
            || ('\u{2066}'..='\u{2069}').contains(&c)
    };
    assert_eq!(page.chars().find(|c| acts(*c) || matches!(c, '\u{200E}' | '\u{200F}')), None);
    let commands: Vec<String> =
        commands(&page).into_iter().filter(|command| command.starts_with("jigo show")).collect();
    let named = |octal: &str| commands.iter().any(|command| command.contains(octal));
    assert!(
        named("\\033[201~\\025touch PWNED\\012#") && named("it\\047s \\342\\200\\256") && named("\\177"),
        "{commands:?}"
    );
    assert!(
        !commands.iter().any(|command| command.contains(|c: char| c.is_control() || !c.is_ascii())),
        "{commands:?}"
    );
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let jigo = assert_cmd::cargo::cargo_bin("jigo");
    for command in commands {
        let line = command.replacen("jigo", &jigo.display().to_string(), 1);
        let run = Command::new("bash").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        assert!(run.status.success() && !run.stdout.is_empty(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
    }
    let github = folder.run("check --quiet --exit-zero --format github g");
    assert!(!github.out.is_empty() && !github.out.chars().any(|c| c != '\n' && acts(c)), "{:?}", github.out);
    assert!(github.out.lines().all(|line| line.starts_with("::")), "{:?}", github.out);
}

#[test]
fn page_of_piped_input_has_no_command_to_reread_it() {
    let folder = Folder::new();
    let mut command = folder.command(["report", "-q", "--exit-zero", "--out", "out", "--stdin-name", "in.sgf", "-"]);
    command.write_stdin(fs::read(fixtures().join("findings/K001-ko.sgf")).unwrap()).assert().success();
    assert_eq!(commands(&folder.read("out/index.html")), Vec::<String>::new());
}

/// The page does not count the removal of text between games, whose rows have no game.
#[test]
fn number_of_fixes_is_that_of_jigo_fix() {
    let folder = Folder::new();
    let findings = fixtures().join("findings");
    folder.command(["report", "-q", "--exit-zero", "--out", "out"]).arg(&findings).assert().success();
    let page = figures(&folder.read("out/index.html"));
    let made = |options: &[&str], is_safe: &str| {
        let args = ["fix", "-q", "--exit-zero", "--force", "--out", "fixed", "--log", "log.csv"].iter().chain(options);
        folder.command(args.copied()).arg(&findings).assert().success();
        let rows = folder.table("log.csv");
        let is_counted = |row: &&Row| row["made"] == "true" && row["safe"] == is_safe && !row["game"].is_empty();
        rows.iter().filter(is_counted).count() as u64
    };
    assert_eq!(page["fixes.safe"], made(&[], "true"));
    assert_eq!(page["fixes.unsafe"], made(&["--unsafe"], "false"));
    assert!(page["fixes.safe"] > 20 && page["fixes.unsafe"] > 10, "{page:?}");
}

#[test]
fn up_to_20_games_have_cards() {
    let folder = Folder::new();
    let counted =
        "(;SZ[5]KM[4.5]RU[Japanese]RE[B+0.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])";
    folder.file("in/first.sgf", counted).file("in/second.sgf", "(;SZ[5]KM[0]RU[Japanese];B[aa];W[aa])");
    folder.file("in/stray.txt", "").file("in/more.sgf", MANY_GAMES.repeat(18));
    folder.run("report -q --exit-zero --out few in");
    let page = folder.read("few/index.html");
    assert_eq!(page.matches("<div class=\"card\">").count(), 20);
    assert_eq!(page.matches("viewBox=\"-30 -30 ").count(), 20);
    for words in
        ["1 error: occupied at turn 2.", "the record (RE)", "Japanese rules 1989", "as recorded", ">in/first.sgf<"]
    {
        assert!(page.contains(words) != words.starts_with('>'), "{words}: {page}");
    }
    for words in ["class=\"plot\"", "class=\"bars\"", "id=\"servers\"", "server."] {
        assert!(!page.contains(words), "{words}");
    }
    folder.run("report -q --exit-zero --out one in/first.sgf");
    let page = folder.read("one/index.html");
    assert!(page.contains("<h1>This record is sound.") && !page.contains("<nav>"), "{page}");
    folder.file("in/more.sgf", MANY_GAMES.repeat(19)).run("report -q --exit-zero --out many in");
    let page = folder.read("many/index.html");
    assert!(!page.contains("<div class=\"card\">") && page.contains("id=\"servers\""), "{page}");
    let games = page.split("id=\"games\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap();
    assert!(games.contains("1 error: occupied at turn 2.") && games.matches("<li>").count() == 1, "{games}");
}

#[test]
fn findings_come_first_and_bars_count_games() {
    let folder = Folder::new();
    let (occupied, off_board) = ("B[aa];W[aa];".repeat(9), "B[zz]");
    folder.file("a.sgf", format!("(;SZ[5]KM[0];{})", occupied.trim_end_matches(';')));
    folder.file("b.sgf", format!("(;SZ[5]KM[0];{off_board})\n").repeat(2)).file("c.sgf", MANY_GAMES.repeat(21));
    folder.run("report -q --exit-zero --out out .");
    let page = folder.read("out/index.html");
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
    assert!(place("section id=\"findings\"") < place("section id=\"results\""));
    assert!(place("section id=\"results\"") < place("section id=\"servers\""));
    // More games come before more findings.
    assert!(place("id=\"P002\"") < place("id=\"P001\""));
    assert!(!page.contains("./a.sgf<") && page.contains(">a.sgf<"));
    assert!(!page.contains("jigo fix --exit-zero") || figures(&page)["fixes.safe"] > 0);
}

#[test]
fn each_finding_code_has_one_board() {
    let folder = Folder::new();
    let page = fs::read_to_string(report(&folder, &[fixtures()]).join("index.html")).unwrap();
    let boards = page.split("<figure class=\"board\">").skip(1);
    let codes: Vec<&str> =
        boards.map(|rest| rest.split("</span>").next().unwrap().rsplit('>').next().unwrap()).collect();
    let kinds: BTreeSet<&&str> = codes.iter().collect();
    assert!(codes.len() > 5 && kinds.len() == codes.len(), "{codes:?}");
}

#[test]
fn links_lead_to_records_tables_and_parts_of_the_page() {
    assert_links_lead_somewhere(&hostile());
    assert_links_lead_somewhere(&hostile_archive());
}

fn assert_links_lead_somewhere(folder: &Folder) {
    let mut archive = tar::Builder::new(fs::File::create(folder.path().join("packed games.tar")).unwrap());
    archive.append_path_with_name(folder.path().join("plain.sgf"), "in/plain.sgf").unwrap();
    archive.finish().unwrap();
    let out = report(folder, &[folder.path().to_owned()]);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    let links: BTreeSet<&str> =
        page.split(" href=\"").skip(1).map(|target| target.split('"').next().unwrap()).collect();
    let mut records = 0;
    for link in links.into_iter().filter(|link| *link != "data:,") {
        if let Some(id) = link.strip_prefix('#') {
            assert!(page.contains(&format!("id=\"{id}\"")), "{link}");
            continue;
        }
        let path = percent_encoding::percent_decode_str(link).decode_utf8().unwrap();
        assert!(out.join(&*path).is_file(), "{link}");
        records += usize::from((link.ends_with(".sgf") || link.ends_with(".tar")) && !link.ends_with("many.sgf"));
    }
    assert_eq!(records, 3);
}

/// Opens the page in the browser and returns its console messages and standard output.
pub fn browse(chromium: &str, profile: &Path, page: &Path, flags: &[&str]) -> (Vec<String>, String) {
    const QUIET: [&str; 11] = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        "--v=0",
    ];
    let output = Command::new(chromium)
        .args(QUIET)
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(flags)
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    (console, String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn browser_shows_page_without_console_messages() {
    let Some(chromium) = crate::support::path_in("JIGO_CHROMIUM") else { return };
    let chromium = chromium.to_string_lossy();
    let folder = hostile();
    let page = report(&folder, &[folder.path().to_owned(), fixtures()]).join("index.html");
    let profile = folder.path().join("profile");
    let (console, document) = browse(&chromium, &profile, &page, &["--dump-dom"]);
    assert!(console.is_empty(), "{console:?}");
    assert!(document.contains("<title>jigo report</title>"), "the title is another, or the browser did not run");
    // The script has run if there are buttons.
    assert!(document.contains("class=\"copy\"") && document.matches("<script").count() == 1);
    assert!(!document.contains("<iframe") && !document.contains("<img"));
    for (name, size) in [("wide", "1280,2000"), ("narrow", "390,2000")] {
        let picture = folder.path().join(format!("{name}.png"));
        let flags = [format!("--screenshot={}", picture.display()), format!("--window-size={size}")];
        let (console, _) = browse(&chromium, &profile, &page, &[&flags[0], &flags[1]]);
        assert!(console.is_empty(), "{name}: {console:?}");
        let bytes = fs::read(&picture).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "{name}: {} bytes", bytes.len());
    }
}

#[test]
fn many_cards_have_a_filter() {
    let Some(chromium) = crate::support::path_in("JIGO_CHROMIUM") else { return };
    let folder = Folder::new();
    for (games, filters) in [(8, 0), (9, 1)] {
        folder.file("a.sgf", MANY_GAMES.repeat(games)).run("report -q --exit-zero --force --out out a.sgf");
        let (profile, page) = (folder.path().join("profile"), folder.path().join("out/index.html"));
        let (console, document) = browse(&chromium.to_string_lossy(), &profile, &page, &["--dump-dom"]);
        assert_eq!((console, document.matches("class=\"filter\"").count()), (Vec::new(), filters));
    }
}

/// Opens a copy of a page in a frame as wide as a phone. Returns the width of the frame, the width
/// and height of the page, and the texts that end beyond the frame if all parts are open. Only the
/// copy has the script for this.
fn on_a_phone(folder: &Folder, page: &str) -> ([u32; 3], String) {
    let chromium = crate::support::path_in("JIGO_CHROMIUM").unwrap();
    const SCRIPT: &str = "addEventListener('load', () => {
            const page = document.documentElement;
            const told = [page.clientWidth, page.scrollWidth, page.scrollHeight];
            for (const details of document.querySelectorAll('details')) {
                details.removeAttribute('name');
                details.open = true;
            }
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                if (texts.currentNode.parentElement.closest('.pairs, .more.wide, .wide:has(.sortable, .matrix)')) continue;
                const range = document.createRange();
                range.selectNode(texts.currentNode);
                if ([...range.getClientRects()].some(place => place.right > page.clientWidth + 0.5)) {
                    told.push(texts.currentNode.textContent);
                }
            }
            parent.postMessage(told, '*');
        })";
    const FRAME: &str = "<script>
            addEventListener('message', event => document.body.textContent = 'TOLD' + event.data + 'END');
        </script><body><iframe src='copy.html' style='width:390px;height:844px;border:0'></iframe>";
    let (before, rest) = page.split_once("<meta http-equiv").unwrap();
    let copy = format!("{before}{}<script>{SCRIPT}</script>", rest.split_once('>').unwrap().1);
    folder.file("copy.html", copy).file("frame.html", FRAME);
    let flags = ["--dump-dom", "--virtual-time-budget=10000"];
    let (profile, frame) = (folder.path().join("profile"), folder.path().join("frame.html"));
    let (_, document) = browse(&chromium.to_string_lossy(), &profile, &frame, &flags);
    let told = document.split("TOLD").last().unwrap().split("END").next().unwrap();
    let mut parts = told.splitn(4, ',');
    let sizes = [(); 3].map(|()| parts.next().unwrap().parse().unwrap());
    (sizes, parts.next().unwrap_or_default().to_owned())
}

#[test]
fn page_of_the_corpus_fits_a_phone() {
    if crate::support::path_in("JIGO_CHROMIUM").is_none() {
        return;
    }
    let folder = Folder::new();
    folder.command(["report", "-q", "--exit-zero", "--out", "out"]).arg(crate::support::corpus()).assert().success();
    let page = folder.read("out/index.html");
    let results = folder.table("out/results.csv");
    let contradicted = results.iter().filter(|row| row["verdict"] == "contradicted").count();
    assert!(contradicted > 20 || !crate::support::has_real_games(), "{contradicted} results");
    assert_eq!(page.matches("<details class=\"dispute\"").count(), contradicted);
    assert_eq!(page.matches("<use href=\"#frame").count(), contradicted);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    let ([frame, width, height], texts) = on_a_phone(&folder, &page);
    assert_eq!([frame, width], [390, 390], "the page is wider than the phone: {texts}");
    assert!(height <= 8_000, "the page is {height} px long");
}

#[test]
fn long_names_fit_a_phone() {
    if crate::support::path_in("JIGO_CHROMIUM").is_none() {
        return;
    }
    let folder = Folder::new();
    let long = format!("in/{}.sgf", "x".repeat(150));
    let player = "Y".repeat(60);
    let counted = format!(
        "(;SZ[5]KM[4.5]RU[Japanese]PB[{player}]RE[W+9.5];\
         B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])"
    );
    for (name, many) in [("few", 0), ("many", 30)] {
        folder.file(&long, format!("{counted}(;SZ[5]KM[0];B[aa];W[aa])\n{}", MANY_GAMES.repeat(many)));
        folder.run(&format!("report -q --exit-zero --duplicates --rules all --out {name} in"));
        let page = folder.read(&format!("{name}/index.html"));
        assert_eq!(page.contains("<div class=\"card\">"), name == "few");
        let ([frame, width, _], texts) = on_a_phone(&folder, &page);
        assert_eq!(([frame, width], texts.as_str()), ([390, 390], ""), "{name}");
    }
}

#[test]
fn files_are_named_relative_to_the_folder_of_all_inputs() {
    let folder = Folder::new();
    for name in ["one/deep/a.sgf", "two/b.sgf", "two/c.sgf"] {
        folder.file(&format!("games/{name}"), MANY_GAMES.repeat(8) + "(;SZ[5]KM[0];B[aa];W[aa])");
    }
    folder.run("report -q --exit-zero --out out games/one games/two/b.sgf games/two/c.sgf");
    let page = folder.read("out/index.html");
    for words in [">one/deep/a.sgf<", ">two/b.sgf<", "Files are in games/."] {
        assert!(page.contains(words), "{words}: {page}");
    }
    folder.run("report -q --exit-zero --out other games/two/b.sgf games/two/c.sgf");
    assert!(folder.read("other/index.html").contains("href=\"../games/two/b.sgf\">b.sgf<"));
}

#[test]
fn rulesets_of_servers_have_titles() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;SZ[5]KM[4.5]PC[TYGEM]RU[Korean]RE[B+0.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])");
    folder.run("report -q --exit-zero --out out a.sgf");
    let page = folder.read("out/index.html");
    assert!(page.contains(">Korean, as TYGEM counts</span>"), "{page}");
    assert!(page.contains("; changed: territory=every-region\""), "{page}");
}

/// The name of a table, a column index, whether the smallest come first, and the column's ranks and
/// texts in screen order.
type SortedColumn = (String, usize, bool, Vec<i64>, Vec<String>);

/// Clicks each button of each table in the browser and checks the order of rows on the screen. Only
/// the test's copy of the page has the script for this.
#[test]
fn tables_are_sorted_by_a_click_without_a_script() {
    let Some(chromium) = crate::support::path_in("JIGO_CHROMIUM") else { return };
    const SCRIPT: &str = "const told = [];
        for (const button of document.querySelectorAll('.sortable input')) {
            const details = button.closest('details');
            if (details) details.open = true;
            button.checked = true;
            const table = button.closest('table');
            const column = [...table.querySelectorAll('th')].indexOf(button.closest('th'));
            const top = row => row.getBoundingClientRect().top;
            const rows = [...table.querySelectorAll('tbody tr')].sort((one, other) => top(one) - top(other));
            const ranks = rows.map(row => Number(row.style.getPropertyValue('--c' + column)));
            const texts = rows.map(row => row.cells[column].textContent);
            told.push([button.name, column, button.classList.contains('up'), ranks, texts]);
        }
        document.body.textContent = 'TOLD' + JSON.stringify(told) + 'END';";
    let folder = Folder::new();
    let out = report(&folder, &[fixtures()]);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    let (before, rest) = page.split_once("<meta http-equiv").unwrap();
    let copy = format!("{before}{}<script>{SCRIPT}</script>", rest.split_once('>').unwrap().1);
    folder.file("copy.html", copy);
    let profile = folder.path().join("profile");
    let (_, document) =
        browse(&chromium.to_string_lossy(), &profile, &folder.path().join("copy.html"), &["--dump-dom"]);
    let told = unescape(document.split("TOLD").last().unwrap().split("END").next().unwrap());
    let told: Vec<SortedColumn> = serde_json::from_str(&told).expect(&told);
    let tables: BTreeSet<&str> = told.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(tables, BTreeSet::from(["contradicted", "copies", "servers", "years"]));
    for (name, column, is_up, ranks, texts) in told {
        assert!(ranks.len() > 1, "{name} has {} rows", ranks.len());
        let sorted = |one: &i64, other: &i64| if is_up { one <= other } else { one >= other };
        assert!(ranks.is_sorted_by(sorted), "{name} by column {column}: {ranks:?} {texts:?}");
        // Plain numbers are in the order of their ranks.
        let numbers: Result<Vec<i64>, _> =
            texts.iter().map(|text| text.replace('\u{202F}', "").parse::<i64>()).collect();
        if let Ok(numbers) = numbers {
            assert!(numbers.is_sorted_by(sorted), "{name} by column {column}: {numbers:?}");
        }
    }
}
