//! What a run read and chose as words of another command line, for commands that people paste.

use std::path::Path;

use clap::ValueEnum;

use super::args::{CountArgs, InputArgs, RunArgs, default_dead};
use crate::page::{Inputs, quoted};
use jigo_archive::source::{RECORD_COLUMN, Source, SourceKind};

/// Words longer than this in all are not pasted.
const LONGEST: usize = 2000;

/// Options and paths as they are gathered.
#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    /// An option, unless it has its default.
    fn option(&mut self, name: &str, value: &str, default: &str) {
        // Only a NUL, which no argument has, can't be quoted.
        if let Some(value) = shlex::try_quote(value).ok().filter(|_| value != default) {
            self.0.push(format!("{name} {value}"));
        }
    }

    fn number(&mut self, name: &str, value: Option<u64>) {
        self.0.extend(value.map(|value| format!("{name} {value}")));
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        self.0.extend(is_set.then(|| name.to_owned()));
    }

    /// A path, which has to be Unicode to stand on a page.
    fn path(&mut self, option: &str, path: &Path) -> Option<()> {
        let path = quoted(path.to_str()?)?;
        self.0.push(format!("{option}{path}"));
        Some(())
    }
}

/// The inputs of a run with what selects and reads games, and with how they are counted.
pub fn inputs(input: &InputArgs, run: &RunArgs, count: &CountArgs, sources: &[Source]) -> Inputs {
    let is_piped = |source: &&Source| matches!(source.kind, SourceKind::Stream(_));
    let piped: Vec<String> = sources.iter().filter(is_piped).map(|source| source.name.clone()).collect();
    let words = words(input, run).filter(|words| piped.is_empty() && words.len() <= LONGEST);
    Inputs { words, counting: counting(count).0.join(" "), piped }
}

fn words(input: &InputArgs, run: &RunArgs) -> Option<String> {
    let mut words = Words::default();
    let format = input.input_format.to_possible_value()?;
    words.option("--input-format", format.get_name(), "auto");
    words.option("--column", &input.column, RECORD_COLUMN);
    words.option("--rules", run.rules.as_deref().unwrap_or_default(), "");
    words.option("--assume-rules", &run.assume_rules, "none");
    words.option("--dialect", &run.dialect, "auto");
    words.option("--where", run.filter.as_deref().unwrap_or_default(), "");
    words.option("--shard", &run.shard, "1/1");
    words.number("--limit", run.limit);
    words.number("--sample", run.sample);
    words.number("--seed", Some(run.seed).filter(|seed| *seed != 0));
    words.flag("--null", input.null);
    if let Some(list) = &input.files_from {
        // A list from standard input is gone.
        words.path("--files-from ", Some(list.as_path()).filter(|list| *list != Path::new("-"))?)?;
    }
    if let Some(index) = &input.list_index {
        words.path("--index ", index)?;
    }
    input.paths.iter().try_for_each(|path| words.path("", path))?;
    Some(words.0.join(" "))
}

fn counting(count: &CountArgs) -> Words {
    let mut words = Words::default();
    words.option("--komi", &count.komi, "recorded");
    words.option("--dead", &count.dead, &default_dead());
    words.option("--engine", count.engine.as_deref().unwrap_or_default(), "");
    words.flag("--all-endings", count.all_endings);
    words
}
