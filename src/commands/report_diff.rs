//! `jigo diff`: the differences of two reports of an archive.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use crate::args::format::format_in;
use crate::args::{TableFormatArg, WhenArg, examples};
use jigo_archive::formats::writer::TableWriter;
use jigo_archive::formats::{Format, Rows};
use jigo_archive::report_rows::{ReportRow, ReportRows};
use jigo_archive::row::Row as _;
use jigo_archive::summary::with_noun;
use jigo_archive::tables::{DifferenceRow, FindingRow, GameRow, ReportChange};
use jigo_run::output::Output;
use jigo_run::process::{Exit, print};

/// List what differs between two reports of an archive: games, results, verdicts and findings
#[derive(Args, Debug)]
#[command(after_help = examples!(
    "jigo report --out before games/; jigo fix --in-place games/; jigo report --out after games/" "reports before and after fixes"
    "jigo diff before after" "what the fixes have changed"
    "jigo diff --format csv before after" "the same, one row for each difference"
))]
pub struct DiffArgs {
    /// Name the folder of the old report, whose tables are CSV
    pub old: PathBuf,
    /// Name the folder of the new report, whose tables are CSV
    pub new: PathBuf,
    /// Set the format of the rows [default: text on a terminal, else csv]
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub format: Option<TableFormatArg>,
    /// Print no summary
    #[arg(long, short, help_heading = "Run")]
    pub quiet: bool,
}

/// The code, turn, point, variation and name of a finding. Findings with equal cells are the same.
type FindingCells = [String; 5];

/// The cells of a difference that is not about a finding.
const NO_FINDING: FindingCells = [const { String::new() }; 5];

/// A game of a report with its findings, or the findings of a file outside games.
#[derive(Default)]
struct AuditedGame {
    file: String,
    /// The number; empty outside games.
    game: String,
    hash: String,
    /// The number of findings that the table of games tells.
    count: String,
    result: String,
    verdict: String,
    /// The findings.
    findings: Vec<FindingCells>,
}

/// The games of a file in one report, by their numbers.
type FileGames = BTreeMap<u64, AuditedGame>;

/// Lists the differences of two reports. Games are matched by file, number and hash, then by hash,
/// then by file and number.
///
/// # Errors
/// Fails if a folder has no tables of a report, or if the output fails.
pub fn diff(args: &DiffArgs) -> Result<Exit> {
    let reports = [args.old.clone(), args.new.clone()];
    let mut rows = ReportRows::open(&reports, &[GameRow::TABLE, FindingRow::TABLE])?;
    let mut differences = Differences::open(args)?;
    let (mut file, mut games) = (String::new(), [FileGames::new(), FileGames::new()]);
    while let Some(row) = rows.next_row()? {
        if file != row.cell("file") {
            differences.compare_files(std::mem::take(&mut games))?;
            file = row.cell("file").to_owned();
        }
        add_row(&mut games[row.report], &row);
    }
    differences.compare_files(games)?;
    differences.compare_unmatched()?;
    let counts = differences.counts;
    differences.out.finish()?.finish()?;
    let count = counts.iter().sum();
    if !args.quiet {
        let kinds = ReportChange::WORDS.iter().zip(counts).filter(|(_, count)| *count > 0);
        let kinds: Vec<String> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
        let list = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
        print(&format!("{}{list}\n", with_noun(count, "difference")));
    }
    Ok(if count == 0 { Exit::Clean } else { Exit::Findings })
}

/// Adds a row to the games of its file.
fn add_row(games: &mut FileGames, row: &ReportRow) {
    let cell = |name: &str| row.cell(name).to_owned();
    let game = games.entry(row.cell("game").parse().unwrap_or(0)).or_default();
    (game.file, game.game) = (cell("file"), cell("game"));
    match row.cell("code") {
        "" => {
            (game.hash, game.count) = (cell("game_hash"), cell("findings"));
            (game.result, game.verdict) = (cell("result"), cell("verdict"));
        }
        _ => game.findings.push(["code", "turn", "point", "variation", "name"].map(cell)),
    }
}

/// The differences so far.
struct Differences {
    format: Format,
    out: TableWriter<Output>,
    rows: Rows,
    /// The number of differences of each kind.
    counts: [u64; ReportChange::WORDS.len()],
    /// The games of the old and of the new report whose place has no equal game in the other one,
    /// and parts of games whose rows do not follow each other.
    unmatched: [Vec<AuditedGame>; 2],
}

impl Differences {
    /// Opens the output of the rows.
    fn open(args: &DiffArgs) -> Result<Differences> {
        let format = format_in(None, args.format.map(|format| format.0), false, WhenArg::Auto)?;
        format.check_table(DifferenceRow::TABLE)?;
        let out = Output::open(None, false)?;
        Ok(Differences {
            format,
            out: TableWriter::new(format, DifferenceRow::TABLE, || None, out)?,
            rows: Rows::new(format, DifferenceRow::TABLE),
            counts: [0; ReportChange::WORDS.len()],
            unmatched: [Vec::new(), Vec::new()],
        })
    }

    /// Compares the games of a file that have equal numbers and hashes, and keeps the others.
    fn compare_files(&mut self, [old, mut new]: [FileGames; 2]) -> Result<()> {
        for (number, old) in old {
            match new.remove(&number) {
                Some(new) if new.hash == old.hash && old.is_complete() && new.is_complete() => self.compare(&old, &new),
                other => {
                    self.unmatched[0].push(old);
                    self.unmatched[1].extend(other);
                }
            }
        }
        self.unmatched[1].extend(new.into_values());
        self.write()
    }

    /// Compares the other games: those with equal places and hashes, then those with equal hashes,
    /// then those at the same place.
    fn compare_unmatched(&mut self) -> Result<()> {
        let [old, new] = std::mem::take(&mut self.unmatched).map(join_parts);
        if let Some(game) = old.iter().chain(&new).find(|game| !game.game.is_empty() && game.count.is_empty()) {
            bail!("a report has findings of {}, but no row in its games.csv; make it again", game.place());
        }
        let by_both = |game: &AuditedGame| Some(game.place() + &game.hash);
        let by_hash = |game: &AuditedGame| (!game.hash.is_empty()).then(|| game.hash.clone());
        let (old, new) = self.compare_by(old, new, by_both)?;
        let (old, new) = self.compare_by(old, new, by_hash)?;
        let (old, new) = self.compare_by(old, new, |game| Some(game.place()))?;
        for game in &old {
            if game.game.is_empty() {
                let outside = AuditedGame { file: game.file.clone(), ..AuditedGame::default() };
                self.compare(game, &outside);
            } else {
                self.push(game, ReportChange::Gone, &NO_FINDING, [""; 2]);
            }
        }
        for game in &new {
            if !game.game.is_empty() {
                self.push(game, ReportChange::New, &NO_FINDING, [""; 2]);
            }
            self.compare_findings(&AuditedGame::default(), game);
        }
        self.write()
    }

    /// Compares the games that have equal keys, and returns the others.
    fn compare_by(
        &mut self,
        old: Vec<AuditedGame>,
        new: Vec<AuditedGame>,
        key: impl Fn(&AuditedGame) -> Option<String>,
    ) -> Result<(Vec<AuditedGame>, Vec<AuditedGame>)> {
        let mut by_key: HashMap<Option<String>, Vec<AuditedGame>> = HashMap::new();
        // The last game of a list is removed first.
        old.into_iter().rev().for_each(|game| by_key.entry(key(&game)).or_default().push(game));
        let mut others = Vec::new();
        for game in new {
            let key = key(&game);
            match by_key.get_mut(&key).filter(|_| key.is_some()).and_then(Vec::pop) {
                Some(old) => self.compare(&old, &game),
                None => others.push(game),
            }
            self.write()?;
        }
        let mut old: Vec<AuditedGame> = by_key.into_values().flatten().collect();
        old.sort_by(|one, other| (&one.file, one.number()).cmp(&(&other.file, other.number())));
        Ok((old, others))
    }

    /// Compares a game in both reports.
    fn compare(&mut self, old: &AuditedGame, new: &AuditedGame) {
        let [old_place, new_place] = [old, new].map(AuditedGame::place);
        for (change, old_value, new_value) in [
            (ReportChange::Moved, &old_place, &new_place),
            (ReportChange::Changed, &old.hash, &new.hash),
            (ReportChange::Result, &old.result, &new.result),
            (ReportChange::Verdict, &old.verdict, &new.verdict),
        ] {
            if old_value != new_value {
                self.push(new, change, &NO_FINDING, [old_value, new_value]);
            }
        }
        self.compare_findings(old, new);
    }

    /// Compares the findings of a game in both reports.
    fn compare_findings(&mut self, old: &AuditedGame, new: &AuditedGame) {
        let mut fixed: BTreeMap<&FindingCells, u64> = BTreeMap::new();
        old.findings.iter().for_each(|finding| *fixed.entry(finding).or_default() += 1);
        for finding in &new.findings {
            match fixed.get_mut(finding) {
                Some(count) if *count > 0 => *count -= 1,
                _ => self.push(new, ReportChange::Found, finding, [""; 2]),
            }
        }
        for (finding, count) in fixed {
            (0..count).for_each(|_| self.push(new, ReportChange::Fixed, finding, [""; 2]));
        }
    }

    fn push(&mut self, game: &AuditedGame, change: ReportChange, finding: &FindingCells, [old, new]: [&str; 2]) {
        let [code, turn, point, ..] = finding;
        self.counts[change as usize] += 1;
        self.rows.push(&DifferenceRow { file: &game.file, game: &game.game, change, code, turn, point, old, new });
    }

    /// Writes the rows so far.
    fn write(&mut self) -> Result<()> {
        let rows = std::mem::replace(&mut self.rows, Rows::new(self.format, DifferenceRow::TABLE));
        if rows.count() > 0 { Ok(self.out.write(rows)?) } else { Ok(()) }
    }
}

/// Joins the parts of each game.
fn join_parts(parts: Vec<AuditedGame>) -> Vec<AuditedGame> {
    let mut games: BTreeMap<(String, u64), AuditedGame> = BTreeMap::new();
    for mut part in parts {
        let game = games.entry((part.file.clone(), part.number())).or_default();
        let findings = [std::mem::take(&mut game.findings), std::mem::take(&mut part.findings)].concat();
        // The row of the game is in one part, and its number of findings is never empty.
        let whole = if game.count.is_empty() { part } else { std::mem::take(game) };
        *game = AuditedGame { findings, ..whole };
    }
    games.into_values().collect()
}

impl AuditedGame {
    /// Returns true if the game has its row and all its findings. Those outside games never have.
    fn is_complete(&self) -> bool {
        self.count.parse() == Ok(self.findings.len())
    }

    fn place(&self) -> String {
        format!("{}#{}", self.file, self.game)
    }

    /// Returns the number of the game in its file.
    fn number(&self) -> u64 {
        self.game.parse().unwrap_or(0)
    }
}
