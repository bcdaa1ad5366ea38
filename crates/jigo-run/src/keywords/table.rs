//! The table of keywords.

use std::ops::RangeInclusive;

use super::keyword::Action::{Flag, None as NoEffect, Refusal, Text, Value};
use super::keyword::Product::{Check, Duplicates, Find, Games, Score};
use super::keyword::{Action, Keyword, Product};
use crate::config::limits::LimitSetting;
use crate::config::table_options::{CheckTable, FindTable, ScoreTable};
use crate::config::values;
use jigo_archive::duplicates::KeepRule;
use jigo_archive::named_value::NamedValue;
use jigo_archive::row::ColumnChoice;
use jigo_archive::source::InputFormat;
use jigo_rules::board::BoardSize;

const ALL: &[Product] = &[Check, Score, Games, Duplicates, Find];
const COUNTED: &[Product] = &[Score, Games];

/// The refusal of files that a run writes.
const WRITES: &str = "--output, --summary and --force are for the command";
/// The refusal of other inputs than the argument of the function.
const READS: &str = "--files-from, --null and --stdin-name are for the command: pass the inputs themselves";
/// The refusal of other outputs of a search for duplicates.
const STORES: &str = "--store, --merge-headers and --checkpoint are for the command";
/// The refusal of dead stones for one game.
const BY_HAND: &str =
    "--dead-stones and --seki are for one game: use Game(…).score(dead_stones=…), or --games for several";
/// The refusal of a position of a game as the pattern.
const POSITIONS: &str = "--position and --turn are for the command: pass the position as a diagram";
/// The refusal of new baselines.
const BASELINES: &str = "baselines are written by the command";

const fn keyword(
    products: &'static [Product],
    name: &'static str,
    value_name: &'static str,
    action: Action,
) -> Keyword {
    Keyword { name, value_name, products, action }
}

/// All keywords.
static KEYWORDS: &[Keyword] = &[
    // Input
    keyword(ALL, "input-format", "FORMAT", Value(|to, text| set(&mut to.run.input, named(InputFormat::NAMES, text)))),
    keyword(ALL, "column", "NAME", Text(|to, text| set(&mut to.run.column, Ok(text.into())))),
    keyword(ALL, "id-column", "NAME", Text(|to, text| set(&mut to.run.id_column, Ok(text.into())))),
    keyword(ALL, "headers", "FILE", Text(|to, text| set(&mut to.run.index, values::header_index(Some(text.as_ref()))))),
    keyword(
        ALL,
        "max",
        "NAME=VALUE",
        Value(|to, text| {
            to.limits.extend(all_limits(text)?);
            Ok(())
        }),
    ),
    keyword(ALL, "files-from", "FILE", Refusal(READS)),
    keyword(ALL, "null", "", Refusal(READS)),
    keyword(ALL, "stdin-name", "NAME", Refusal(READS)),
    // Read before all other keywords, since it sets their defaults.
    keyword(ALL, "config", "FILE", NoEffect),
    keyword(ALL, "no-config", "", NoEffect),
    // Selection
    keyword(ALL, "where", "FILTER", Text(|to, text| set(&mut to.run.selection.filter, values::filter(text).map(Some)))),
    keyword(ALL, "players", "FILE", Text(|to, text| set(&mut to.run.players, values::player_list(text)))),
    keyword(
        ALL,
        "limit",
        "N",
        Value(|to, text| set(&mut to.run.selection.limit, number(1..=u64::MAX, text).map(Some))),
    ),
    keyword(
        ALL,
        "sample",
        "N",
        Value(|to, text| set(&mut to.run.selection.sample, number(1..=u64::MAX, text).map(Some))),
    ),
    keyword(ALL, "seed", "S", Value(|to, text| set(&mut to.run.selection.seed, number(0..=u64::MAX, text)))),
    keyword(ALL, "shard", "I/N", Text(|to, text| set(&mut to.run.shard, values::shard(text)))),
    keyword(ALL, "select", "CODES", Text(|to, text| set(&mut to.run.select, Ok(values::NamedCodes::list(text))))),
    keyword(ALL, "ignore", "CODES", Text(|to, text| set(&mut to.run.ignore, Ok(values::NamedCodes::list(text))))),
    keyword(ALL, "severity", "LEVEL", Value(|to, text| set(&mut to.run.severity, named(values::SEVERITIES, text)))),
    keyword(&[Check], "baseline", "FILE", Text(|to, text| set(&mut to.baseline, Ok(Some(text.into()))))),
    keyword(&[Check], "write-baseline", "FILE", Refusal(BASELINES)),
    keyword(&[Check], "prune-baseline", "", Refusal(BASELINES)),
    // Rules
    keyword(ALL, "rules", "R", Text(|to, text| set(&mut to.run.judging.rulesets, values::rulesets(text).map(Some)))),
    keyword(ALL, "assume-rules", "R", Text(|to, text| set(&mut to.run.judging.assumed, values::assumed_ruleset(text)))),
    keyword(ALL, "dialect", "NAME", Text(|to, text| set(&mut to.run.judging.dialect, values::dialect(text)))),
    keyword(ALL, "literal-setup", "", Flag(|to| to.run.judging.literal_setup = true)),
    keyword(ALL, "on-illegal", "WHAT", Value(|to, text| set(&mut to.run.on_illegal, named(values::ON_ILLEGAL, text)))),
    keyword(
        ALL,
        "variations",
        "WHICH",
        Value(|to, text| set(&mut to.run.all_variations, named(values::VARIATIONS, text))),
    ),
    keyword(COUNTED, "komi", "KOMI", Text(|to, text| set(&mut to.counting.komi, values::komi(text)))),
    keyword(COUNTED, "dead", "SOURCES", Text(|to, text| set(&mut to.counting.dead, values::dead_sources(text)))),
    keyword(COUNTED, "dead-stones", "POINTS", Refusal(BY_HAND)),
    keyword(COUNTED, "seki", "POINTS", Refusal(BY_HAND)),
    keyword(COUNTED, "games", "FILE", Text(|to, text| set(&mut to.run.selection.games, values::game_list(text)))),
    keyword(COUNTED, "engine", "COMMAND", Text(|to, text| set(&mut to.engine, Ok(Some(text.into()))))),
    keyword(
        COUNTED,
        "engine-timeout",
        "SECONDS",
        Value(|to, text| set(&mut to.engine_timeout, number(1..=u64::MAX, text))),
    ),
    keyword(COUNTED, "min-confidence", "P", Value(|to, text| set(&mut to.counting.min_confidence, fraction(text)))),
    keyword(COUNTED, "all-endings", "", Flag(|to| to.counting.all_endings = true)),
    // Tables
    keyword(&[Check], "table", "TABLE", Value(|to, text| set(&mut to.check.table, named(CheckTable::NAMES, text)))),
    keyword(&[Check], "columns", "LIST", Text(|to, text| set(&mut to.check.columns, Ok(ColumnChoice::parse(text))))),
    keyword(&[Check], "quick", "", Flag(|to| to.check.quick = true)),
    keyword(&[Check], "results", "", Flag(|to| to.check.results = true)),
    keyword(&[Check], "duplicates", "", Refusal("--duplicates is for the command; use the rows of duplicates instead")),
    keyword(&[Score], "table", "TABLE", Value(|to, text| set(&mut to.score, named(ScoreTable::NAMES, text)))),
    keyword(
        &[Duplicates],
        "table",
        "TABLE",
        Text(|_, text| {
            anyhow::ensure!(text == "duplicates", "only --table duplicates has rows here");
            Ok(())
        }),
    ),
    keyword(&[Find], "table", "TABLE", Value(|to, text| set(&mut to.find.table, named(FindTable::NAMES, text)))),
    keyword(&[Find], "pattern", "PATTERN", Text(|to, text| set(&mut to.find.diagram, Ok(Some(text.into()))))),
    keyword(&[Find], "points", "LIST", Text(|to, text| set(&mut to.find.points, Ok(Some(text.into()))))),
    keyword(&[Find], "size", "N", Value(|to, text| set(&mut to.find.size, square_board(text).map(Some)))),
    keyword(&[Find], "position", "FILE#GAME", Refusal(POSITIONS)),
    keyword(&[Find], "turn", "N", Refusal(POSITIONS)),
    keyword(&[Find], "no-symmetry", "", Flag(|to| to.find.search.has_symmetries = false)),
    keyword(&[Find], "swap-colors", "", Flag(|to| to.find.search.swaps_colors = true)),
    keyword(&[Find], "turns", "A..B", Value(|to, text| set(&mut to.find.search.turns, turn_range(text)))),
    keyword(&[Find], "next", "", Flag(|to| to.find.search.needs_next_inside = true)),
    keyword(&[Find], "all", "", Flag(|to| to.find.search.returns_all = true)),
    keyword(&[Find], "out", "DIR", Refusal("--out is for the command: pages are written there")),
    keyword(&[Duplicates], "keep", "WHICH", Value(|to, text| set(&mut to.keep, named(KeepRule::NAMES, text)))),
    keyword(&[Duplicates], "store", "FILE", Refusal(STORES)),
    keyword(&[Duplicates], "merge-headers", "", Refusal(STORES)),
    keyword(&[Duplicates], "checkpoint", "DIR", Refusal(STORES)),
    keyword(&[Duplicates], "log", "FILE", Refusal(STORES)),
    // Output
    keyword(ALL, "output", "FILE", Refusal(WRITES)),
    keyword(ALL, "summary", "FILE", Refusal(WRITES)),
    keyword(ALL, "force", "", Refusal(WRITES)),
    keyword(ALL, "safe-text", "", Flag(|to| to.run.safe_text = true)),
    keyword(ALL, "format", "FORMAT", NoEffect),
    keyword(ALL, "color", "WHEN", NoEffect),
    // Run
    keyword(
        ALL,
        "jobs",
        "N",
        Value(|to, text| set(&mut to.run.threads, number(1..=1024, text).map(|jobs| Some(jobs as usize)))),
    ),
    keyword(ALL, "fail-if", "GATE", Text(|to, text| set(&mut to.run.fail_if, values::gate(text).map(Some)))),
    keyword(ALL, "exit-zero", "", NoEffect),
    keyword(ALL, "progress", "WHEN", NoEffect),
    keyword(ALL, "quiet", "", NoEffect),
    keyword(ALL, "verbose", "", NoEffect),
];

impl Product {
    /// Returns the keyword with this name, written as in the command.
    pub fn keyword(self, name: &str) -> Option<&'static Keyword> {
        KEYWORDS.iter().find(|keyword| keyword.name == name && keyword.products.contains(&self))
    }
}

/// Sets a field to a parsed value.
fn set<T, E>(field: &mut T, value: Result<T, E>) -> Result<(), E> {
    value.map(|value| *field = value)
}

fn number(range: RangeInclusive<u64>, text: &str) -> Result<u64, String> {
    values::integer_parser(range)(text).map_err(|reason| format!(": {reason}"))
}

/// Parses the side of a square board.
fn square_board(text: &str) -> Result<BoardSize, String> {
    let side = number(1..=u64::from(BoardSize::MAX), text)?;
    Ok(u8::try_from(side).ok().and_then(BoardSize::square).unwrap_or(BoardSize::standard()))
}

fn turn_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    values::turn_range(text).map_err(|reason| format!(": {reason}"))
}

fn fraction(text: &str) -> Result<f32, String> {
    text.parse().map_err(|reason| format!(": {reason}"))
}

fn named<T: Copy + PartialEq>(all: &[NamedValue<T>], name: &str) -> Result<T, String> {
    NamedValue::find(all, name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|named| named.name).collect();
        format!("\n  [possible values: {}]", names.join(", "))
    })
}

fn all_limits(text: &str) -> Result<Vec<LimitSetting>, String> {
    text.split(',').map(|limit| LimitSetting::parse(limit, |_| true).map_err(|reason| format!(": {reason}"))).collect()
}
