//! The types of the values of options: their texts, words and defaults.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use crate::config::limits::{LIMITS, Limit, LimitSetting};
use crate::config::option_value::{NamedValue, NamedValues, OptionValue, Typed, integer_parser, named_values};
use jigo_archive::duplicates::KeepRule;
use jigo_archive::pipeline::GameList;
use jigo_archive::pipeline::filter::{Filter, FilterColumn};
use jigo_archive::row::{ColumnChoice, Row as _};
use jigo_archive::source::{ID_COLUMN, InputFormat, RECORD_COLUMN};
use jigo_archive::summary::Gate;
use jigo_archive::tables::{GameRow, PairSelection};
use jigo_archive::visit::PairGrouping;
use jigo_core::BoardSize;
use jigo_core::analysis::KomiChoice;
use jigo_core::replay::OnIllegal;
use jigo_record::DialectChoice;
use jigo_record::finding::{Code, CodeSet, Severity};
use jigo_record::header::dialect::DIALECTS;
use jigo_rules::presets::PRESETS;
use jigo_rules::select::{Choice, select};
use jigo_rules::suggestions::{similar_words, suggestion};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{DeadSource, MIN_CONFIDENCE};

/// The rulesets under which endings are counted by default.
pub const DEFAULT_RULESETS: &str = "japanese,chinese,aga,nz,tromp-taylor,recorded";

named_values! {
    InputFormat {
        Auto "auto" "Detect the format of each input by its name and first bytes: game records, archives, or rows of records",
        Sgf "sgf" "Game records in SGF, and archives of them, without detection",
        Jsonl "jsonl" "Rows of records, one JSON object per line: id and sgf, the text of one or more records",
        Csv "csv" "Rows of records in CSV, or with tabs or semicolons; the first line names the columns, such as id and sgf",
        #[cfg(feature = "columnar")]
        Arrow "arrow" "Rows of records, an Arrow IPC stream or file with the columns id and sgf",
        #[cfg(feature = "columnar")]
        Parquet "parquet" "Rows of records, Parquet with the columns id and sgf",
        Positions "positions" "Bare positions to score, one JSON object per line: id, board (rows of x o .) and, if known, dead (rows of 0 1), captured_by {black, white}, komi and next",
    }
}

named_values! {
    KeepRule {
        Best "best" "The game with the fewest errors, then the most turns, then the fewest warnings, then the most header properties, then the first",
        First "first" "The first game of the input",
        Longest "longest" "The game with the most turns, then the first",
    }
}

named_values! {
    OnIllegal {
        Play "play" "Make the turn and continue",
        Stop "stop" "Stop before the turn",
    }
}

named_values! {
    Severity = "info" {
        Error "error" "Errors only",
        Warning "warning" "Errors and warnings",
        Info "info" "All findings",
    }
}

named_values! {
    /// The variations to replay.
    pub enum Variations {
        Main "main" "The first variation of every branch",
        All "all" "Every variation",
    }
}

named_values! {
    PairSelection {
        Winner "winner" "Games whose winner changes",
        Margin "margin" "Games whose margin changes",
        Unsettled "unsettled" "Games without a confident count",
        All "all" "All games that ended by counting",
    }
}

/// Returns words without a meaning, for [`OptionValue::words`].
fn words<const N: usize>(words: [&'static str; N]) -> Vec<(&'static str, &'static str)> {
    words.map(|word| (word, "")).into()
}

/// Returns the names of the rulesets with their titles.
pub fn presets() -> Vec<(&'static str, &'static str)> {
    PRESETS.iter().map(|preset| (preset.name, preset.title)).collect()
}

/// Rulesets.
impl OptionValue for Vec<Choice> {
    fn parse(text: &str) -> Result<Vec<Choice>, String> {
        select(text).map_err(|error| error.to_string())
    }

    fn default_text() -> String {
        DEFAULT_RULESETS.into()
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        words(["recorded", "all"]).into_iter().chain(presets()).collect()
    }
}

/// One ruleset, or none.
impl OptionValue for Option<Ruleset> {
    fn parse(text: &str) -> Result<Option<Ruleset>, String> {
        if text.eq_ignore_ascii_case("none") {
            return Ok(None);
        }
        match Vec::<Choice>::parse(text)?.as_slice() {
            [Choice::Fixed(ruleset)] => Ok(Some(ruleset.clone())),
            _ => Err("it takes one ruleset, or none".into()),
        }
    }

    fn default_text() -> String {
        "none".into()
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        words(["none"]).into_iter().chain(presets()).collect()
    }
}

impl OptionValue for DialectChoice {
    fn parse(name: &str) -> Result<DialectChoice, String> {
        DialectChoice::parse(name).ok_or_else(|| {
            let names: Vec<&str> =
                ["auto", "none"].into_iter().chain(DIALECTS.iter().map(|dialect| dialect.name)).collect();
            let similar = suggestion(&similar_words(name, names.iter().copied()));
            format!("it takes {}; not '{name}'{similar}", names.join(", "))
        })
    }

    fn default_text() -> String {
        "auto".into()
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        let dialects = DIALECTS.iter().map(|dialect| (dialect.name, dialect.title));
        words(["auto", "none"]).into_iter().chain(dialects).collect()
    }
}

impl OptionValue for KomiChoice {
    fn parse(text: &str) -> Result<KomiChoice, String> {
        match text {
            "recorded" => Ok(KomiChoice::Recorded),
            "preset" => Ok(KomiChoice::Preset),
            number => HalfPoints::parse(number)
                .map(KomiChoice::Fixed)
                .map_err(|error| format!("it takes recorded, preset or a number; '{number}' {error}")),
        }
    }

    fn default_text() -> String {
        "recorded".into()
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        words(["recorded", "preset"])
    }
}

/// The sources of dead stones, in the order of their use.
impl OptionValue for Vec<DeadSource> {
    fn parse(text: &str) -> Result<Vec<DeadSource>, String> {
        let names = text.split(',').map(str::trim).filter(|name| *name != "none");
        let source = |name: &str| match DeadSource::SELECTABLE.iter().find(|(source_name, _)| *source_name == name) {
            Some((_, source)) => Ok(*source),
            None => Err(format!(
                "it takes markup, settled, static, playouts, engine and none; not '{name}' (--dead-stones names stones)"
            )),
        };
        names.map(source).collect()
    }

    fn default_text() -> String {
        DeadSource::DEFAULT.map(DeadSource::name).join(",")
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        DeadSource::SELECTABLE.iter().map(|(name, _)| (*name, "")).chain(words(["none"])).collect()
    }
}

/// The words of a command line, which a shell would split, without expansions.
#[derive(Clone, Debug)]
pub struct CommandWords(pub Vec<String>);

impl OptionValue for CommandWords {
    fn parse(line: &str) -> Result<CommandWords, String> {
        shlex::split(line).map(CommandWords).ok_or_else(|| format!("a quote is not closed in {line}"))
    }
}

/// A confidence from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Confidence(pub f32);

impl OptionValue for Confidence {
    fn parse(text: &str) -> Result<Confidence, String> {
        let confidence = text.parse().ok().filter(|confidence| (0.0..=1.0).contains(confidence));
        confidence.map(Confidence).ok_or_else(|| format!("it takes a number from 0 to 1, not '{text}'"))
    }

    fn default_text() -> String {
        MIN_CONFIDENCE.to_string()
    }
}

impl OptionValue for Filter {
    fn parse(text: &str) -> Result<Filter, String> {
        Filter::parse(text).map_err(|error| error.to_string())
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        FilterColumn::ALL.iter().map(|column| (column.name(), "")).collect()
    }
}

impl OptionValue for Gate {
    fn parse(text: &str) -> Result<Gate, String> {
        Gate::parse(text).map_err(|error| error.to_string())
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        Vec::<Code>::words()
    }
}

/// The folders of `--prefer`. An existing path, of several the longest, may contain a comma.
impl OptionValue for Vec<String> {
    fn parse(text: &str) -> Result<Vec<String>, String> {
        let (parts, mut folders): (Vec<&str>, _) = (text.split(',').collect(), Vec::new());
        let mut rest = &*parts;
        while let Some(first) = rest.first() {
            let exists = |count: &usize| Path::new(&rest[..*count].join(",")).exists();
            let count = (2..=rest.len()).rev().find(exists).unwrap_or(1);
            if count == 1 && first.is_empty() {
                return Err("a path is empty; it takes paths with commas between, such as mine,games/kgs".to_owned());
            }
            folders.push(rest[..count].join(",").trim_end_matches('/').to_owned());
            rest = &rest[count..];
        }
        Ok(folders)
    }
}

/// The codes that a name, a code or the beginning of codes selects.
impl OptionValue for Vec<Code> {
    fn parse(name: &str) -> Result<Vec<Code>, String> {
        let name = name.trim();
        if name.is_empty() {
            let form = "codes, names or beginnings of codes with commas between, such as K,P004";
            return Err(format!("a name is empty; it takes {form}"));
        }
        Some(Code::select(name)).filter(|codes| !codes.is_empty()).ok_or_else(|| {
            let similar = Code::suggestion(name);
            format!("no finding is called or begins like '{name}'{similar}; see jigo explain")
        })
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        Code::TABLE.iter().map(|row| (row.id, row.name)).collect()
    }
}

/// Returns the codes whose findings `--select` and `--ignore` report.
pub fn reported_codes(select: &[Typed<Vec<Code>>], ignore: &[Typed<Vec<Code>>]) -> CodeSet {
    let codes = |names: &[Typed<Vec<Code>>]| names.iter().flat_map(|codes| &**codes).copied().collect::<CodeSet>();
    let (selected, ignored) = (if select.is_empty() { CodeSet::all() } else { codes(select) }, codes(ignore));
    selected.iter().filter(|code| !ignored.contains(*code)).collect()
}

/// A part of an archive.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    /// The number of the part, from 1.
    pub number: u64,
    /// The number of parts.
    pub count: u64,
}

impl OptionValue for Shard {
    fn parse(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((number, count)) if 1 <= number && number <= count => Ok(Shard { number, count }),
            _ => Err(format!("it takes I/N with I from 1 to N, such as 2/8; not '{text}'")),
        }
    }

    fn default_text() -> String {
        "1/1".into()
    }
}

/// The column of a table that contains the identifiers (`IS_ID`) or the records.
#[derive(Clone, Debug)]
pub struct ColumnName<const IS_ID: bool>(pub String);

impl<const IS_ID: bool> OptionValue for ColumnName<IS_ID> {
    fn parse(text: &str) -> Result<Self, String> {
        Ok(ColumnName(text.to_owned()))
    }

    fn default_text() -> String {
        if IS_ID { ID_COLUMN } else { RECORD_COLUMN }.to_owned()
    }
}

impl OptionValue for ColumnChoice {
    fn parse(list: &str) -> Result<ColumnChoice, String> {
        Ok(ColumnChoice::parse(list))
    }
}

impl OptionValue for PairGrouping {
    fn parse(names: &str) -> Result<PairGrouping, String> {
        PairGrouping::parse(names).map_err(|error| error.to_string())
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        let aliases = PairGrouping::ALIASES.into_iter();
        aliases.chain(GameRow::TABLE.columns.iter().map(|column| (column.name, column.meaning))).collect()
    }
}

impl OptionValue for LimitSetting {
    fn parse(text: &str) -> Result<LimitSetting, String> {
        LimitSetting::parse(text, |_| true)
    }

    fn words() -> Vec<(&'static str, &'static str)> {
        LIMITS.iter().map(|Limit { prefix, what, .. }| (*prefix, *what)).collect()
    }
}

/// The size of a square board.
impl OptionValue for BoardSize {
    fn parse(text: &str) -> Result<BoardSize, String> {
        let side = integer_parser(1..=u64::from(BoardSize::MAX))(text)?;
        BoardSize::square(side).ok_or_else(|| "there is no such board".into())
    }

    fn default_text() -> String {
        BoardSize::standard().width().to_string()
    }
}

/// A range of turns: `1..60`, `..60` or `30..`.
impl OptionValue for RangeInclusive<u32> {
    fn parse(text: &str) -> Result<RangeInclusive<u32>, String> {
        const FORM: &str = "write A..B, A.. or ..B, such as 1..60";
        let number = |text: &str, default: u32| match text.trim() {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| format!("'{digits}' is not a turn; {FORM}")),
        };
        let Some((first, last)) = text.split_once("..") else { return Err(FORM.into()) };
        let (first, last) = (number(first, 0)?, number(last, u32::MAX)?);
        if first > last {
            Err(format!("turn {first} comes after turn {last}; exchange them"))
        } else {
            Ok(first..=last)
        }
    }

    fn default_text() -> String {
        "0..".into()
    }
}

/// Reads the list of `--games`.
///
/// # Errors
/// Fails if the file can't be read or is no list of games.
pub fn game_list(path: Option<&Path>) -> Result<Option<Arc<GameList>>> {
    read_file("--games", path, GameList::read)
}

/// Reads the file that an option names, if it is present.
///
/// # Errors
/// Fails if the file can't be read. The error names the option and the file.
pub fn read_file<'a, T, E>(
    option: &str,
    path: Option<&'a Path>,
    read: impl FnOnce(&'a Path) -> Result<T, E>,
) -> Result<Option<Arc<T>>>
where
    Result<T, E>: Context<T, E>,
{
    let Some(path) = path else { return Ok(None) };
    Ok(Some(Arc::new(read(path).with_context(|| format!("{option} {}", path.display()))?)))
}
