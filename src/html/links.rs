//! The links of the page: to records on the disk, and commands that show them.

use std::fs;
use std::path::{Component, Path, PathBuf};

use maud::{Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use jigo_archive::source::files::display_name::is_same_or_inside;
use jigo_archive::visit::figures::Example;
use jigo_record::finding::Code;
use jigo_run::process::{quoted, shell_word};

/// The characters that are not escaped in a part of a path.
const UNESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Links from the page's folder, and commands that read the run's inputs again.
pub struct Links {
    folder: Option<PathBuf>,
    /// The file name extension of the tables.
    extension: &'static str,
    inputs: Inputs,
}

/// The inputs and options of a run as words of a command line.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// The paths and input options, quoted for a shell. `None` if the inputs can't be read again or
    /// the words are too long to paste.
    pub words: Option<String>,
    /// The options that decide how a game is read and judged, for commands on one game. `None` if
    /// they can't be pasted.
    pub reading_options: Option<String>,
    /// The options that decide how an ending is counted, for commands on one game.
    pub ending_options: String,
    /// The options that decide which endings are counted and how, for commands on all games.
    pub counting_options: String,
    /// The input if it is a single file. Rows of a table name their records by id, so commands add
    /// the table's name.
    pub single_file: Option<String>,
    /// The folder of all inputs, with a `/` at its end. Names of files are shown without it.
    pub folder: Option<String>,
    /// True if `jigo fix` takes the inputs and options of the run.
    pub is_fixable: bool,
    /// The names of the inputs that came from pipes.
    pub piped_names: Vec<String>,
}

impl Inputs {
    /// Adds the inputs of a report that is merged with this one. Commands to paste remain if they
    /// are the same for both.
    pub fn add(&mut self, other: Inputs) {
        let pairs = [
            (&mut self.words, other.words),
            (&mut self.reading_options, other.reading_options),
            (&mut self.single_file, other.single_file),
            (&mut self.folder, other.folder),
        ];
        pairs.into_iter().filter(|(one, other)| **one != *other).for_each(|(one, _)| *one = None);
        self.piped_names.extend(other.piped_names);
    }
}

impl Links {
    /// Creates links from an existing folder whose tables have this file name extension.
    pub fn new(folder: &Path, extension: &'static str, inputs: Inputs) -> Links {
        Links { folder: fs::canonicalize(folder).ok(), extension, inputs }
    }

    /// Returns a command that reads all inputs of the run. Returns `None` if the inputs can't be
    /// read again.
    pub(super) fn command_for_all(&self, command: &str) -> Option<Markup> {
        let words = self.inputs.words.as_deref()?;
        Some(html! { code.command { "jigo " (command) " " (words) } })
    }

    /// Returns the command of the report without the format and place of its files. Returns `None`
    /// if the inputs can't be read again.
    pub fn report_command(&self, finds_duplicates: bool) -> Option<String> {
        let words = self.inputs.words.as_deref()?;
        let duplicates = if finds_duplicates { "--duplicates" } else { "" };
        let words = ["jigo report", duplicates, &self.inputs.counting_options, words];
        Some(words.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" "))
    }

    /// Returns the command that lists the safe fixes. Returns `None` if `jigo fix` does not accept
    /// the inputs or options of the run.
    pub(super) fn fix_command(&self) -> Option<Markup> {
        if self.inputs.is_fixable { self.command_for_all("fix --exit-zero") } else { None }
    }

    /// Returns such a command with the run's options of counting.
    pub(super) fn counting_command_for_all(&self, command: &str) -> Option<Markup> {
        match self.inputs.counting_options.as_str() {
            "" => self.command_for_all(command),
            options => self.command_for_all(&format!("{command} {options}")),
        }
    }

    /// Returns the command that shows a game. Returns `None` for a finding outside games, and if
    /// the file can't be read again or named.
    pub(super) fn show(&self, example: &Example, flags: &str) -> Option<Markup> {
        let reading = self.inputs.reading_options.as_deref()?;
        let is_piped = self.inputs.piped_names.iter().any(|piped| is_same_or_inside(&example.file, piped));
        // A name that is not Unicode is displayed with this character, so the command could not
        // find the file.
        let is_named = !is_piped && !example.file.contains('\u{FFFD}');
        let command = command(&self.path_for_command(&example.file).filter(|_| is_named)?, example, flags)?;
        let counting = if flags.contains("--ending") { self.inputs.ending_options.as_str() } else { "" };
        let words = [command.as_str(), reading, counting].into_iter().filter(|words| !words.is_empty());
        Some(html! { code.command { (words.collect::<Vec<_>>().join(" ")) } })
    }

    /// Returns the path for a command that shows a game of `file`. Returns `None` if there is no
    /// such file, such as for a row of one of several tables.
    fn path_for_command(&self, file: &str) -> Option<String> {
        if existing_file(file).is_some() {
            return Some(file.to_owned());
        }
        self.inputs.single_file.as_ref().map(|table| format!("{table}!{file}"))
    }

    /// Returns a link to a table.
    pub(super) fn table(&self, name: &str) -> Markup {
        let file = format!("{name}.{}", self.extension);
        html! { a href=(file) { (file) } }
    }

    /// Returns the relative path from the page to a file, or to the archive that contains it.
    /// Returns `None` if it does not exist.
    fn href(&self, file: &str) -> Option<String> {
        let target = fs::canonicalize(existing_file(file)?).ok()?;
        let folder = self.folder.as_ref()?;
        let common = folder.components().zip(target.components()).take_while(|(one, other)| one == other).count();
        let up = folder.components().skip(common).map(|_| "..".to_owned());
        let down = target.components().skip(common).map(|part| match part {
            Component::Normal(name) => name.to_str().map(|name| utf8_percent_encode(name, UNESCAPED).to_string()),
            _ => None,
        });
        let parts: Option<Vec<String>> = up.map(Some).chain(down).collect();
        parts.map(|parts| parts.join("/"))
    }

    /// Returns the folder of all inputs.
    pub(super) fn folder(&self) -> Option<&str> {
        self.inputs.folder.as_deref()
    }

    /// Returns the name of a file relative to the folder of all inputs.
    pub(super) fn shown<'a>(&self, file: &'a str) -> &'a str {
        self.inputs.folder.as_deref().and_then(|folder| file.strip_prefix(folder)).unwrap_or(file)
    }

    /// Returns the name of a file, as a link if the file exists.
    pub(super) fn file(&self, file: &str) -> Markup {
        html! {
            @match self.href(file) {
                Some(href) => a.file href=(href) { (self.shown(file)) },
                None => span.file { (self.shown(file)) },
            }
        }
    }

    /// Returns a game as file, number, variation, turn and byte offset.
    pub(super) fn game(&self, example: &Example) -> Markup {
        html! {
            (self.file(&example.file))
            @if let Some(game) = example.game { ", game " (game) }
            @if !example.variation.is_empty() { ", variation " (example.variation) }
            @if let Some(turn) = example.turn { ", turn " (turn) }
            span.dim { " (byte " (example.offset) ")" }
        }
    }

    /// Returns a game with its players, its note and the command that shows it.
    pub(super) fn example(&self, example: &Example, flags: &str) -> Markup {
        html! {
            @if !example.players.is_empty() { b { (example.players) } br; }
            (self.game(example))
            @if !example.note.is_empty() { span.note { (shorten_note(&example.note)) } }
            @if let Some(command) = self.show(example, flags) { (command) }
        }
    }
}

/// Returns the path of a file, or of the archive that contains it. Returns `None` if neither
/// exists.
fn existing_file(file: &str) -> Option<&str> {
    let archives = file.match_indices('!').map(|(at, _)| &file[..at]);
    [file].into_iter().chain(archives).find(|path| Path::new(path).is_file())
}

/// Returns the command that shows a game of `file`, or `None` for a finding outside games.
fn command(file: &str, example: &Example, flags: &str) -> Option<String> {
    let name = quoted(&format!("{file}#{}", example.game?))?;
    let variation = match example.variation.as_str() {
        "" => String::new(),
        path => format!(" --variation {}", shell_word(path)?),
    };
    let turn = example.turn.map_or(String::new(), |turn| format!(" --turn {turn}"));
    Some(format!("jigo show {name}{variation}{turn}{flags}"))
}

/// Returns the options of `jigo show` that draw a finding of this code.
pub(super) fn flags(code: Code) -> &'static str {
    match code {
        Code::Ko | Code::Superko | Code::Repetition => " --cycle",
        _ => "",
    }
}

/// Returns the first 240 characters of a text, which fill about three lines.
pub(super) fn shorten_note(text: &str) -> String {
    const LONGEST: usize = 240;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(file: &str) -> Example {
        Example { file: file.into(), game: Some(3), turn: Some(7), ..Example::default() }
    }

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let command = |file: &str, flags: &str| command(file, &example(file), flags).unwrap();
        assert_eq!(command("a.sgf", " --cycle"), "jigo show 'a.sgf#3' --turn 7 --cycle");
        let words = shlex::split(&command("it's $(x) \"y.sgf", "")).unwrap();
        assert_eq!(words, ["jigo", "show", "it's $(x) \"y.sgf#3", "--turn", "7"]);
        assert_eq!(command("-x.sgf", ""), "jigo show './-x.sgf#3' --turn 7");
        let in_variation = Example { variation: "1.2".into(), ..example("a.sgf") };
        assert_eq!(super::command("a.sgf", &in_variation, "").unwrap(), "jigo show 'a.sgf#3' --variation 1.2 --turn 7");
    }

    #[test]
    fn unrepeatable_inputs_have_no_command() {
        let shown = |single_file: Option<&str>, file: &str| {
            let reading_options = Some(String::new());
            let inputs = Inputs {
                piped_names: vec!["in".into()],
                reading_options,
                single_file: single_file.map(str::to_owned),
                ..Inputs::default()
            };
            let links = Links { folder: None, extension: "csv", inputs };
            assert!(links.command_for_all("compare --list").is_none());
            links.show(&example(file), "").map(Markup::into_string)
        };
        for file in ["in", "in!a.sgf", "x\u{FFFD}.sgf", "id of a row"] {
            assert_eq!(shown(None, file), None, "{file}");
        }
        // Tests run in the folder of their crate.
        assert!(shown(None, "Cargo.toml").unwrap().contains("jigo show 'Cargo.toml#3'"));
        assert!(shown(None, "Cargo.toml!a.sgf").is_some());
        assert!(shown(Some("t.csv"), "a b").unwrap().contains("jigo show 't.csv!a b#3'"));
    }
}
