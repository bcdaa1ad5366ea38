//! The README's tables and commands are those of the program.
//!
//! After an intended change: `JIGO_UPDATE_GOLDEN=1 cargo test --test readme`.

use std::path::PathBuf;
use std::process::Command;

use clap::CommandFactory;
use jigo::cli::args::Cli;
use jigo::finding::Code;
use jigo::record::dialect::DIALECTS;
use jigo::report::rows::TABLES;
use jigo::rules::presets::{Confidence, PRESETS};
use jigo::rules::ruleset::{RepetitionRule, Scoring, Suicide, name_of};

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    std::fs::read_to_string(path()).unwrap()
}

/// Holds the text between two markers to `expected`.
fn assert_block(name: &str, expected: &str) {
    let text = readme();
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let start = text.find(&open).unwrap() + open.len();
    let end = text.find(&close).unwrap();
    if std::env::var_os("JIGO_UPDATE_GOLDEN").is_some() && &text[start..end] != expected {
        std::fs::write(path(), [&text[..start], expected, &text[end..]].concat()).unwrap();
        return;
    }
    assert!(&text[start..end] == expected, "the README's {name} should be:\n{expected}");
}

/// One test, since all blocks are written to the same file.
#[test]
fn tables_are_those_of_the_program() {
    let mut codes = String::from("| code | name | severity | what |\n|---|---|---|---|\n");
    for row in Code::TABLE {
        codes += &format!("| {} | {} | {} | {} |\n", row.id, row.name, row.severity.name(), row.what);
    }
    assert_block("codes", &codes);
    let mut rulesets =
        String::from("| ruleset | | repetition | suicide | counts | komi | source |\n|---|---|---|---|---|---|---|\n");
    for preset in PRESETS {
        let axes = &preset.axes;
        let sure = if preset.confidence == Confidence::Primary { "P" } else { "S" };
        rulesets += &format!(
            "| {} | {} | {} | {} | {} | {} | {} [{sure}] |\n",
            preset.name,
            preset.title,
            name_of(&RepetitionRule::NAMED, axes.repetition),
            name_of(&Suicide::NAMED, axes.suicide),
            name_of(&Scoring::NAMED, axes.scoring),
            axes.komi_even,
            preset.source,
        );
    }
    rulesets += "\n[P] the primary text or the implementation's source was read, [S] a secondary source.\n";
    assert_block("rulesets", &rulesets);
    let mut dialects = String::from("| dialect | | known by | read |\n|---|---|---|---|\n");
    for row in DIALECTS {
        let reading = row.reading();
        let reading = if reading.is_empty() { "as FF[4] says" } else { &reading };
        dialects += &format!("| {} | {} | {} | {reading} |\n", row.name, row.title, row.known_by());
    }
    assert_block("dialects", &dialects);
    let mut columns = String::new();
    for table in TABLES {
        columns += &format!("<details><summary><b>{}</b>: {}</summary>\n\n", table.name, table.what);
        columns += "| column | type | what |\n|---|---|---|\n";
        for column in table.columns {
            let empty = if column.nullable { ", or empty" } else { "" };
            columns += &format!("| {} | {}{empty} | {} |\n", column.name, column.kind.name(), column.description());
        }
        columns += "\n</details>\n";
    }
    assert_block("columns", &columns);
    assert_block("limits", &limits());
}

/// The options under the heading Limits, whose help ends with the finding's code.
fn limits() -> String {
    let command = Cli::command();
    let check = command.find_subcommand("score").unwrap();
    let mut table = String::from("| option | unless it is set | what |\n|---|---|---|\n");
    for option in check.get_arguments().filter(|option| option.get_help_heading() == Some("Limits")) {
        let (name, default) = (option.get_long().unwrap(), option.get_default_values()[0].to_string_lossy());
        table += &format!("| `--{name}` | {default} | {} |\n", option.get_help().unwrap());
    }
    table
}

#[test]
fn the_examples_print_what_they_say() {
    let text = readme();
    let examples: Vec<&str> =
        text.split("```text\n$ jigo ").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 3);
    examples.into_iter().for_each(assert_example);
}

fn assert_example(example: &str) {
    let (command, printed) = example.split_once('\n').unwrap();
    let shell = format!("exec {} {command}", env!("CARGO_BIN_EXE_jigo"));
    let output = Command::new("sh").args(["-c", &shell]).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), printed);
}
