//! The values of options, as texts and typed. Command lines and keyword arguments share them.
//!
//! The defaults are texts here, because help texts and reproduction commands contain them.
//! [`RunOptions`](crate::RunOptions) has the same defaults, typed.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use jigo_archive::engine::EngineCommand;
use jigo_archive::named_value::NamedValue;
use jigo_archive::pipeline::GameList;
use jigo_archive::pipeline::filter::Filter;
use jigo_archive::source::header_index::read_header_index;
use jigo_archive::source::players_file::read_player_list;
use jigo_archive::summary::Gate;
use jigo_core::analysis::KomiChoice;
use jigo_core::replay::OnIllegal;
use jigo_record::finding::{Code, CodeSet, Severity};
use jigo_record::header::dialect::DIALECTS;
use jigo_record::splitter::Index;
use jigo_record::{DialectChoice, PlayerList};
use jigo_rules::select::{Choice, select};
use jigo_rules::suggestions::{similar_words, suggestion};
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::DeadSource;

/// The default of `--input-format`.
pub const DEFAULT_INPUT_FORMAT: &str = "auto";

/// The default of `--shard`.
pub const DEFAULT_SHARD: &str = "1/1";

/// The default of `--severity`.
pub const DEFAULT_SEVERITY: &str = "info";

/// The default of `--assume-rules`.
pub const DEFAULT_ASSUMED_RULESET: &str = "none";

/// The default of `--dialect`.
pub const DEFAULT_DIALECT: &str = "auto";

/// The default of `--on-illegal`.
pub const DEFAULT_ON_ILLEGAL: &str = "play";

/// The default of `--variations`.
pub const DEFAULT_VARIATIONS: &str = "main";

/// The default of `--komi`.
pub const DEFAULT_KOMI: &str = "recorded";

/// The rulesets under which endings are counted by default.
pub const DEFAULT_RULESETS: &str = "japanese,chinese,aga,nz,tromp-taylor,recorded";

/// The time limit of an engine for one position by default, in seconds.
pub const ENGINE_TIMEOUT: u64 = 60;

/// The values of `--on-illegal`.
pub const ON_ILLEGAL: &[NamedValue<OnIllegal>] = &[
    NamedValue { name: "play", about: "Make the turn and continue", value: OnIllegal::Play },
    NamedValue { name: "stop", about: "Stop before the turn", value: OnIllegal::Stop },
];

/// The values of `--variations`: true if every variation is replayed.
pub const VARIATIONS: &[NamedValue<bool>] = &[
    NamedValue { name: "main", about: "The first variation of every branch", value: false },
    NamedValue { name: "all", about: "Every variation", value: true },
];

/// The values of `--severity`.
pub const SEVERITIES: &[NamedValue<Severity>] = &[
    NamedValue { name: "error", about: "Errors only", value: Severity::Error },
    NamedValue { name: "warning", about: "Errors and warnings", value: Severity::Warning },
    NamedValue { name: "info", about: "All findings", value: Severity::Info },
];

/// Returns a parser for whole numbers in a range. Its error names the range.
pub fn integer_parser<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let is_large = text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_digit());
        number.ok_or_else(|| match (range.start(), range.end()) {
            (_, &u64::MAX) if is_large => format!("it takes a whole number, {} at most", u64::MAX),
            (min, &u64::MAX) => format!("it takes a whole number, {min} or more"),
            (min, max) => format!("it takes a whole number from {min} to {max}"),
        })
    }
}

/// Parses a range of turns: `1..60`, `..60` or `30..`.
///
/// # Errors
/// Returns a sentence with the possible forms.
pub fn turn_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    const FORM: &str = "write A..B, A.. or ..B, such as 1..60";
    let number = |text: &str, default: u32| match text.trim() {
        "" => Ok(default),
        digits => digits.parse().map_err(|_| format!("'{digits}' is not a turn; {FORM}")),
    };
    let Some((first, last)) = text.split_once("..") else { return Err(FORM.into()) };
    let (first, last) = (number(first, 0)?, number(last, u32::MAX)?);
    if first > last { Err(format!("turn {first} comes after turn {last}; exchange them")) } else { Ok(first..=last) }
}

/// Parses the rulesets of `--rules`.
///
/// # Errors
/// Fails if a ruleset does not exist.
pub fn rulesets(text: &str) -> Result<Vec<Choice>> {
    select(text).context("--rules")
}

/// Parses the ruleset of `--assume-rules`. `none` is `None`.
///
/// # Errors
/// Fails if the text is not one ruleset.
pub fn assumed_ruleset(text: &str) -> Result<Option<Ruleset>> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(None);
    }
    match select(text).context("--assume-rules")?.as_slice() {
        [Choice::Fixed(ruleset)] => Ok(Some(ruleset.clone())),
        _ => bail!("--assume-rules takes one ruleset, or none"),
    }
}

/// Parses the name of `--dialect`.
///
/// # Errors
/// Fails if there is no such dialect. The message suggests a similar name.
pub fn dialect(name: &str) -> Result<DialectChoice> {
    let names = || DIALECTS.iter().map(|dialect| dialect.name).collect::<Vec<_>>().join(", ");
    DialectChoice::parse(name).ok_or_else(|| {
        let suggestion =
            suggestion(&similar_words(name, DIALECTS.iter().map(|dialect| dialect.name).chain(["auto", "none"])));
        anyhow!("--dialect takes auto, none, {}; not '{name}'{suggestion}", names())
    })
}

/// Parses `--komi`.
///
/// # Errors
/// Fails if the text is neither a word for a source of komi nor a number.
pub fn komi(text: &str) -> Result<KomiChoice> {
    match text {
        "recorded" => Ok(KomiChoice::Recorded),
        "preset" => Ok(KomiChoice::Preset),
        number => match HalfPoints::parse(number) {
            Ok(komi) => Ok(KomiChoice::Fixed(komi)),
            Err(error) => bail!("--komi takes recorded, preset or a number; '{number}' {error}"),
        },
    }
}

/// Parses the sources of `--dead`.
///
/// # Errors
/// Fails if a source does not exist.
pub fn dead_sources(text: &str) -> Result<Vec<DeadSource>> {
    let mut order = Vec::new();
    for name in text.split(',').map(str::trim).filter(|name| *name != "none") {
        match DeadSource::NAMES.iter().find(|(source_name, _)| *source_name == name) {
            Some((_, source)) => order.push(*source),
            None => bail!("--dead takes markup, settled, static, playouts, engine and none; not '{name}'"),
        }
    }
    Ok(order)
}

/// Splits the command of `--engine` into words as a shell does, without expansions.
///
/// # Errors
/// Fails if a quote is not closed.
pub fn engine_command(line: &str, timeout: Duration) -> Result<EngineCommand> {
    let words = shlex::split(line).with_context(|| format!("--engine: a quote is not closed in {line}"))?;
    Ok(EngineCommand { words, timeout })
}

/// Parses `--where`.
///
/// # Errors
/// Fails if the text is not a filter.
pub fn filter(text: &str) -> Result<Filter> {
    Filter::parse(text).context("--where")
}

/// Parses `--fail-if`.
///
/// # Errors
/// Fails if the text is not a gate.
pub fn gate(text: &str) -> Result<Gate> {
    Gate::parse(text).context("--fail-if")
}

/// Parses `--shard`.
///
/// # Errors
/// Fails if the text is not `I/N` with I from 1 to N.
pub fn shard(text: &str) -> Result<(u64, u64)> {
    let parts = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if 1 <= part && part <= parts => Ok((part, parts)),
        _ => bail!("--shard takes I/N with I from 1 to N, such as 2/8; not '{text}'"),
    }
}

/// Reads the headers of lists of moves from the file of `--headers`.
///
/// # Errors
/// Fails if the file can't be read or used.
pub fn header_index(path: Option<&Path>) -> Result<Option<Arc<Index>>> {
    let read = |path: &Path| read_header_index(path).with_context(|| format!("--headers {}", path.display()));
    Ok(path.map(read).transpose()?.map(Arc::new))
}

/// Reads the list of `--players`.
///
/// # Errors
/// Fails if the file can't be read or is no list of players.
pub fn player_list(path: impl AsRef<Path>) -> Result<Option<Arc<PlayerList>>> {
    let path = path.as_ref();
    let players = read_player_list(path).with_context(|| format!("--players {}", path.display()))?;
    Ok(Some(Arc::new(players)))
}

/// Reads the list of `--games`.
///
/// # Errors
/// Fails if the file can't be read or is no list of games.
pub fn game_list(path: impl AsRef<Path>) -> Result<Option<Arc<GameList>>> {
    let path = path.as_ref();
    let games = GameList::read(path).with_context(|| format!("--games {}", path.display()))?;
    Ok(Some(Arc::new(games)))
}

/// A name of findings with its codes. The list is empty if no code or name begins with it.
#[derive(Clone, Debug)]
pub struct NamedCodes {
    /// The name as given.
    pub name: String,
    /// The codes in the order of the table.
    pub codes: Vec<Code>,
}

impl NamedCodes {
    /// Parses a list of names with commas between. Unknown names have no codes.
    pub fn list(text: &str) -> Vec<NamedCodes> {
        text.split(',').map(|name| NamedCodes::from(name.to_owned())).collect()
    }
}

impl From<String> for NamedCodes {
    fn from(name: String) -> NamedCodes {
        NamedCodes { codes: Code::select(name.trim()), name }
    }
}

/// Returns the codes whose findings `--select` and `--ignore` report.
///
/// # Errors
/// Fails if a name is empty or has no codes.
pub fn reported_codes(select: &[NamedCodes], ignore: &[NamedCodes]) -> Result<CodeSet> {
    let mut reported = if select.is_empty() { CodeSet::all() } else { CodeSet::default() };
    for (flag, all, is_selection) in [("--select", select, true), ("--ignore", ignore, false)] {
        for NamedCodes { name, codes } in all {
            ensure!(
                !name.trim().is_empty(),
                "{flag}: a name is empty; it takes codes, names or beginnings of codes with commas between, such as K,P004"
            );
            ensure!(
                !codes.is_empty(),
                "{flag} {name}: no finding is called or begins like that{}; see jigo explain",
                Code::suggestion(name.trim())
            );
            let change = if is_selection { CodeSet::insert } else { CodeSet::remove };
            codes.iter().for_each(|code| {
                change(&mut reported, *code);
            });
        }
    }
    Ok(reported)
}
