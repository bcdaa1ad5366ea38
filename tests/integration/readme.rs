//! The tables, commands and links of README.md and docs/ match the program.
//!
//! After an intended change: `SNAPSHOTS=overwrite cargo test --test integration readme::`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;
use clap::error::ErrorKind;
use jigo::commands::Cli;
use jigo_archive::formats::{FORMATS, NamedFormat};
use jigo_archive::row::Table;
use jigo_archive::tables::TABLES;
use jigo_record::finding::Code;
use jigo_record::header::dialect::DIALECTS;
use jigo_record::splitter::RecordKind;
use jigo_rules::presets::{PresetGroup, SourceQuality};
use jigo_run::config::limits::LIMITS;
use jigo_run::config::option_texts;
use jigo_run::config::options::TOML_KEYS;
use jigo_run::config::toml_entries::FileOptions;
use snapbox::assert::DEFAULT_ACTION_ENV;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};

use crate::resume::write_killed_report;
use crate::support::cli::Folder;

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the documents for readers: paths from the root, and texts.
pub fn documents() -> Vec<(PathBuf, String)> {
    let docs =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| Path::new("docs").join(entry.unwrap().file_name()));
    let mut paths: Vec<PathBuf> =
        docs.chain(["README.md", "CHANGELOG.md", "fit/README.md", "study/README.md"].map(PathBuf::from)).collect();
    paths.extend(root().join("CONTRIBUTING.md").exists().then(|| "CONTRIBUTING.md".into()));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(root().join(&path)).unwrap())).collect()
}

/// Compares a text with a file, or replaces the file if `SNAPSHOTS=overwrite` is set. Only one test
/// may compare a file, because tests run at the same time.
fn assert_file(path: &Path, actual: &str) {
    let stored = Data::read_from(&root().join(path), Some(DataFormat::Text)).raw();
    Assert::new().action_env(DEFAULT_ACTION_ENV).eq(actual, stored);
}

/// Returns the generated blocks of a document: the name in their markers, and the text between.
fn blocks(document: &Path) -> Vec<(&'static str, String)> {
    match document.to_str() {
        Some("docs/configuration.md") => vec![("keys", keys())],
        Some("docs/findings.md") => vec![("codes", codes())],
        Some("docs/guide.md") => vec![("tasks", tasks_for_the_guide())],
        Some("docs/limits.md") => vec![("limits", limits())],
        Some("docs/rulesets.md") => vec![("rulesets", rulesets()), ("dialects", dialects())],
        Some("docs/tables.md") => vec![("formats", formats()), ("columns", columns())],
        _ => Vec::new(),
    }
}

/// Returns a document with `text` between two markers.
fn with_block(document: &str, name: &str, text: &str) -> String {
    let (head, rest) = document.split_once(&format!("<!-- {name} -->\n")).unwrap();
    let (_, tail) = rest.split_once(&format!("<!-- /{name} -->")).unwrap();
    format!("{head}<!-- {name} -->\n{text}<!-- /{name} -->{tail}")
}

/// Returns a paragraph with lines of at most 100 columns; lines after the first begin with
/// `indent`.
fn wrap(text: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        // A line that begins with one of these would become a list or a heading.
        let is_plain = !["-", "+", "*", "#"].contains(&word);
        if !line.is_empty() && is_plain && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(format!("{indent}{word}"));
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines.join("\n") + "\n"
}

/// Returns an item of a list.
fn item(text: &str) -> String {
    wrap(&format!("- {text}"), "  ")
}

fn codes() -> String {
    let mut codes = String::new();
    for row in Code::TABLE {
        codes += &format!("### {} {}\n\n", row.id, row.name);
        codes += &wrap(&format!("{}. {} {}", capital(row.severity.name()), row.what, row.why), "");
        codes += &format!("\n{}", item(&format!("Remedy: {}", row.remedy)));
        if let Some(fix) = row.fix {
            codes += &item(&format!("Fix ({}): {}", fix.safety.name(), fix.what));
        }
        codes += "\n";
    }
    codes
}

fn keys() -> String {
    let defaults = option_texts::defaults::<FileOptions>();
    let keys = TOML_KEYS.iter().map(|key| {
        let (_, default) = defaults.iter().find(|(name, _)| name == key).unwrap();
        item(&default.as_ref().map_or(format!("`{key}`"), |default| format!("`{key}`: `{default}` by default")))
    });
    keys.collect()
}

fn rulesets() -> String {
    let (mut rulesets, mut sources) = (String::new(), String::new());
    for (group, title) in PresetGroup::ALL {
        rulesets += &format!("{title}:\n\n| ruleset | repetition | suicide | counts | komi |\n|---|---|---|---|---|\n");
        for preset in group.presets() {
            let axes = &preset.axes;
            let source = if preset.source_quality == SourceQuality::Primary { "Source" } else { "Secondary source" };
            rulesets += &format!(
                "| {} | {} | {} | {} | {} |\n",
                preset.name,
                axes.repetition.name(),
                axes.suicide.name(),
                axes.scoring.name(),
                axes.komi_even,
            );
            sources += &item(&format!("`{}`: {}. {source}: {}.", preset.name, preset.title, preset.source));
        }
        rulesets += "\n";
    }
    rulesets += "Sources are primary texts, or the code of an implementation, unless the list says secondary.\n\n";
    rulesets + &sources
}

fn dialects() -> String {
    let mut dialects = String::new();
    for row in DIALECTS {
        let reading = row.describe_differences();
        let reading = if reading.is_empty() { String::new() } else { format!(" Reading: {reading}.") };
        dialects += &item(&format!("`{}`: {}. Marks: {}.{reading}", row.name, row.title, row.describe_marks()));
    }
    dialects
}

fn formats() -> String {
    let mut formats = String::new();
    for NamedFormat { name, details, suffixes, .. } in FORMATS.iter().map(|format| format.properties()) {
        let suffixes: Vec<String> = suffixes.iter().map(|ending| format!("`.{ending}`")).collect();
        formats += &item(&format!("`{name}` ({}): {details}.", suffixes.join(", ")));
    }
    formats
}

fn columns() -> String {
    let mut columns = String::new();
    for table in TABLES {
        columns += &format!("\n### {}\n\n", table.name);
        columns += &wrap(&format!("{}.{}", capital(table.description), key(table)), "");
        columns += "\n";
        for column in table.columns.iter().filter(|column| !column.of_games) {
            let empty = if column.nullable { ", or empty" } else { "" };
            let request = if column.on_request { "; only on request" } else { "" };
            let kind = column.kind.name();
            columns += &item(&format!("`{}` ({kind}{empty}{request}): {}.", column.name, column.description()));
        }
        if table.columns.iter().any(|column| column.of_games) {
            columns += "- Only on request: every other column of `games`.\n";
        }
    }
    columns + "\n"
}

/// The Spark jobs read files with the same suffixes.
#[test]
fn spark_suffixes_match_the_program() {
    let path = Path::new("integrations/spark/jigo_spark.py");
    let text = fs::read_to_string(root().join(path)).unwrap();
    let suffixes: Vec<String> =
        RecordKind::all().flat_map(RecordKind::suffixes).map(|suffix| format!("\".{suffix}\"")).collect();
    let lines = text.lines().map(|line| match line.starts_with("GAMES = ") {
        true => format!("GAMES = ({})\n", suffixes.join(", ")),
        false => format!("{line}\n"),
    });
    let actual: String = lines.collect();
    assert!(actual.contains("GAMES = (\".sgf\""), "GAMES has moved");
    assert_file(path, &actual);
}

fn key(table: &Table) -> String {
    let columns: Vec<String> = table.key.iter().map(|column| format!("`{column}`")).collect();
    if columns.is_empty() { String::new() } else { format!(" Key: {}.", columns.join(", ")) }
}

fn capital(sentence: &str) -> String {
    let (first, rest) = sentence.split_at(1);
    first.to_uppercase() + rest
}

fn limits() -> String {
    let items = LIMITS.iter().map(|limit| {
        let (name, unit, default) = (limit.name(), limit.unit(), limit.default_text());
        item(&format!("`{name}={unit}` ({default}): {}. Finding: {}.", limit.what, limit.code.id()))
    });
    items.collect()
}

/// Returns the tasks of README.md with links that work in docs/guide.md.
fn tasks_for_the_guide() -> String {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let tasks = readme.split("<!-- tasks -->\n").nth(1).and_then(|rest| rest.split("<!-- /tasks -->").next());
    tasks
        .unwrap()
        .replace("docs/guide.md#", "#")
        .replace("](docs/", "](")
        .replace("](integrations/", "](../integrations/")
}

/// Checks the output of examples, and the lists that the program can print. One test writes all
/// documents.
#[test]
fn documents_show_what_the_program_prints() {
    let (mut examples, mut lists) = (0, 0);
    for (path, text) in documents() {
        let mut pieces = text.split("```text\n$ ");
        let mut actual = pieces.next().unwrap().to_owned();
        let folder = folder_with_fixtures();
        for piece in pieces {
            let (example, rest) = piece.split_once("```").unwrap();
            let command = example.lines().next().unwrap();
            if command.contains("--resume") {
                write_killed_report(&folder, "archive-audit");
            }
            actual += &format!("```text\n$ {command}\n{}```{rest}", output_of(command, folder.path()));
            examples += 1;
        }
        for (name, list) in blocks(&path) {
            actual = with_block(&actual, name, &list);
            lists += 1;
        }
        assert_file(&path, &actual);
    }
    assert!(examples >= 15 && lists == 8, "{examples} and {lists}");
}

/// Returns a folder with a copy of `fixtures`. Examples run in it, so they may write files, which
/// later examples of the same document read.
fn folder_with_fixtures() -> Folder {
    let folder = Folder::new();
    let copied = Command::new("cp").arg("-R").arg(root().join("fixtures")).arg(folder.path()).status();
    assert!(copied.unwrap().success());
    folder
}

/// Returns the standard output of a command, as run in a folder.
fn output_of(command: &str, folder: &Path) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_jigo")).parent().unwrap().display().to_string();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-c", command]).env("PATH", path).current_dir(folder).output().unwrap();
    let has_succeeded = output.status.code().is_some_and(|code| code < 2);
    assert!(has_succeeded, "{command}: {}", String::from_utf8_lossy(&output.stderr));
    // An editor would remove trailing blanks.
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn readme_picture_matches_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("superko.svg");
    let status = Command::new(env!("CARGO_BIN_EXE_jigo"))
        .args(["show", "fixtures/findings/K002-superko.sgf", "--cycle", "--out"])
        .arg(&picture)
        .current_dir(root())
        .status();
    assert!(status.unwrap().success());
    assert_file(Path::new("docs/superko.svg"), &fs::read_to_string(picture).unwrap());
}

/// Returns the commands in code spans and in shell blocks, up to a pipe or a comment.
pub fn commands(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    for (index, block) in text.split("```").enumerate() {
        match (index % 2, block.strip_prefix("sh\n")) {
            (0, _) => pieces.extend(block.split('`').skip(1).step_by(2)),
            (_, Some(lines)) => pieces.extend(lines.lines()),
            _ => {}
        }
    }
    let parts = pieces.into_iter().flat_map(|piece| piece.split(" #").next().unwrap_or("").split(['|', '\\', '>']));
    parts.map(str::trim).filter(|part| part.starts_with("jigo ")).collect()
}

#[test]
fn every_documented_command_parses() {
    let mut understood = BTreeSet::new();
    for (path, text) in documents() {
        for command in commands(&text) {
            // `jigo COMMAND --help` and similar patterns are not commands.
            let is_pattern =
                command.split(' ').any(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase()));
            // The parser does not know help topics; tests/integration/golden.rs prints them.
            let is_topic = command == "jigo help limits";
            if let (false, Some(mut words)) = (is_pattern || is_topic, shlex::split(command)) {
                // A path in place of a command.
                if words.get(1).is_some_and(|word| word.ends_with(".sgf")) {
                    words.insert(1, "show".into());
                }
                // A command name alone needs no argument here.
                let is_fault = |error: &clap::Error| error.use_stderr() && !(words.len() == 2 && is_name_alone(error));
                let error = Cli::try_parse_from(&words).err().filter(is_fault);
                assert!(error.is_none(), "{}: {command}: {}", path.display(), error.unwrap());
                understood.insert(command.to_owned());
            }
        }
    }
    assert!(understood.len() > 50, "{understood:?}");
}

fn is_name_alone(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::MissingRequiredArgument
}

/// Returns a heading's link anchor, as code hosts build it.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    letters.chars().filter(|c| c.is_alphanumeric() || ['-', '_'].contains(c)).collect()
}

#[test]
fn every_link_has_a_target() {
    let mut links = 0;
    for (path, text) in documents() {
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            if root().join(&target).is_dir() {
                continue;
            }
            let found = fs::read_to_string(root().join(&target));
            let found = found.unwrap_or_else(|error| panic!("{}: {link}: {error}", path.display()));
            let is_anchored =
                fragment.is_empty() || found.lines().any(|line| line.starts_with('#') && anchor(line) == fragment);
            assert!(is_anchored, "{}: {link}", path.display());
            links += 1;
        }
    }
    assert!(links > 20);
}

#[test]
fn readme_stays_short() {
    let lines = fs::read_to_string(root().join("README.md")).unwrap().lines().count();
    assert!(lines <= 200, "the README has {lines} lines; what is longer goes to docs/");
}

#[test]
fn lines_of_the_documents_fit_100_columns() {
    let others = ["integrations/spark/README.md", "python/README.md", "fixtures/README.md"].map(PathBuf::from);
    let others = others.map(|path| (path.clone(), fs::read_to_string(root().join(path)).unwrap()));
    for (path, text) in documents().into_iter().chain(others) {
        let mut is_code = false;
        for (number, line) in text.lines().enumerate() {
            is_code ^= line.starts_with("```");
            // Output keeps its width, and a link can't be split.
            let is_fixed = is_code || line.contains("](http");
            assert!(is_fixed || line.chars().count() <= 100, "{}:{}: {line}", path.display(), number + 1);
        }
    }
}
