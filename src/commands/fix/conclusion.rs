//! The end of a run of `jigo fix`: what it did.

use std::time::Instant;

use jigo_archive::summary::{CodeCounts, Summary, code_line, with_noun};
use jigo_archive::visit::FixCount;
use jigo_run::RunConfig;
use jigo_run::execution::conclude::exit_code;
use jigo_run::process::exit::Exit;

/// Prints the summary and returns the exit code.
pub fn conclude(
    config: &RunConfig,
    summary: &Summary,
    started: Instant,
    count: FixCount,
    made: &CodeCounts,
    files: Option<u64>,
) -> Exit {
    config.print(&summary.text_without_findings(started.elapsed(), 0));
    let FixCount { safe, unsafe_fixes, rejected, games, suggested, errors_left, .. } = count;
    let result = match files {
        Some(files) => format!("{} changed", with_noun(files, "file")),
        None if count.applied() > 0 => "nothing written; --in-place or --out DIR writes them".into(),
        None => "nothing written".into(),
    };
    let fixes = |number: u64| format!("{number} {}", if number == 1 { "fix" } else { "fixes" });
    let all = fixes(safe + unsafe_fixes);
    let games = with_noun(games, "game");
    config.print(&format!("{all} in {games} ({safe} safe, {unsafe_fixes} unsafe), {result}\n"));
    let lines = made
        .by_severity()
        .into_iter()
        .map(|code| code_line(code, code.severity(), made[code], config.colors_summary()));
    config.print_styled(&lines.collect::<String>());
    if errors_left > 0 {
        config.print(&format!("{} left; jigo check lists them\n", with_noun(errors_left, "error")));
    }
    if rejected > 0 {
        config.print(&format!("{} not made, because the record might change its meaning\n", fixes(rejected)));
    }
    if suggested > 0 {
        let games = with_noun(suggested, "game");
        config.print(&format!("{games} with suggested corrections, none of them made; --apply N makes reading N\n"));
    }
    let is_preview = files.is_none() && count.applied() > 0;
    exit_code(config, summary, is_preview || errors_left > 0)
}
