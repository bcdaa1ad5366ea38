//! The messages at the end of `jigo extract`.

use std::time::Instant;

use super::extract_args::{ExtractArgs, FormArg};
use jigo_archive::summary::{Summary, with_noun};
use jigo_archive::visit::extract::{ExtractCount, MAX_SHORTENED_GAMES, RejectCounts};
use jigo_core::training::{MAX_TURNS, SIDE};
use jigo_record::finding::Code;
use jigo_run::RunConfig;
use jigo_run::execution::print_configuration;
use jigo_run::process::{note, print};

/// The counts of a run.
#[derive(Clone, Copy)]
pub(super) struct GameTotals<'a> {
    pub(super) summary: &'a Summary,
    pub(super) count: ExtractCount,
    pub(super) rejected: &'a RejectCounts,
}

/// Prints the last lines of a run.
pub(super) fn print_summary(
    args: &ExtractArgs,
    config: &RunConfig,
    totals: GameTotals<'_>,
    is_resumed: bool,
    started: Instant,
) {
    let GameTotals { summary, count, rejected: reject_counts } = totals;
    let limit = config.job.selection.limit;
    let ends_early = !config.job.continues_after_limit && limit.is_some_and(|limit| summary.found >= limit);
    if let Some(games) = &config.job.selection.games {
        // A resumed run has not seen the games of its predecessor.
        games.messages(!ends_early && !is_resumed).iter().for_each(|line| note(line));
    }
    notes(args, count, summary).iter().for_each(|line| note(line));
    print_configuration(config);
    let ExtractCount { extracted, rejected, .. } = count;
    if rejected > 0 {
        let form = if args.form == FormArg::Npz { "rows" } else { "a normal form" };
        note(&format!("{rejected} rejected: {}", reject_counts.words(form)));
    }
    let rest = match () {
        () if ends_early => "; --limit ended the run, the rest is not read",
        () if rejected > 0 && args.rejects.is_none() => "; --rejects FILE takes the rejected",
        () => "",
    };
    let line = format!(
        "jigo {}: {} found = {extracted} extracted + {rejected} rejected, {:.1} MB, {:.2} s{rest}\n",
        env!("CARGO_PKG_VERSION"),
        with_noun(extracted + rejected, "game"),
        summary.bytes as f64 / 1e6,
        started.elapsed().as_secs_f64(),
    );
    print(&line);
}

/// Returns the messages about exceptional games.
fn notes(args: &ExtractArgs, count: ExtractCount, summary: &Summary) -> Vec<String> {
    let ExtractCount { without_form, cut, marked, converted, merged, oversized, unread, .. } = count;
    let first = if cut > MAX_SHORTENED_GAMES as u64 {
        format!("; the first {MAX_SHORTENED_GAMES} are named above")
    } else {
        String::new()
    };
    let is_npz = args.form == FormArg::Npz;
    let obstacle = if is_npz {
        format!("have no rows: no legal turn, more than {MAX_TURNS} turns, or a board of more than {SIDE} lines")
    } else {
        "have no normal form: they are not readable games of Go".into()
    };
    let [text, turns] = [Code::TextOutsideGames, Code::TurnsOutsideGames].map(|code| summary.count(code));
    let lines = [
        (summary.skipped_files.files() > 0, format!("skipped: {}; name a file to read it", summary.skipped_files)),
        (
            text + turns > 0,
            format!(
                "text outside games is in no output: {}, {turns} of them with turns",
                with_noun(text + turns, "piece")
            ),
        ),
        (without_form > 0, format!("{without_form} of the rejected games {obstacle}")),
        (cut > 0 && is_npz, format!("{cut} of the extracted games have rows only up to an illegal turn{first}")),
        (oversized > 0, format!("{oversized} of the rejected games are larger than --max game and are not written")),
        (unread > 0, format!("{} of inputs; unreadable text is in no output", with_noun(unread, "fault"))),
        (converted > 0, format!("records are in other forms than SGF and are written as SGF: {converted}")),
        (
            cut > 0 && !is_npz,
            format!("{cut} of the extracted games lack properties that can't be read or written in FF[4]{first}"),
        ),
        (args.merge_headers, format!("{merged} of the extracted games have properties from their duplicates")),
        (
            args.mark_endings,
            format!("{marked} of the extracted games have their endings marked; the others are not surely counted"),
        ),
    ];
    lines.into_iter().filter(|(is_reported, _)| *is_reported).map(|(_, line)| line).collect()
}
