//! Analysis of one game: text in, report out. It has no side effects, and it catches panics.

pub mod comparison;
mod final_position;
mod game_hash;
mod marks;
mod matches;
mod report;
mod settings;
mod side_variations;
mod turns;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

pub use crate::audit::{CountedEnding, Unscored};
use game_hash::game_hash;
use matches::find_matches;
pub use report::{GameReport, Outcome};
use report::{out_of_time, resolve};
pub use settings::{KomiChoice, Settings};
use turns::Tracer;
pub use turns::{TurnEffects, TurnKind};

use crate::audit::{contradictions, problem_findings};
use crate::pattern::{NewPart, PatternMatcher, ReplayedGame};
use crate::replay::Replayer;
use crate::similarity::{GameSketch, Snapshots};
use jigo_record::conformance::{self, Scope};
use jigo_record::finding::{Code, Finding, Place};
use jigo_record::formats::decode::{self, Decoded};
use jigo_record::formats::{BareBoard, decoded, is_later_game_without_header};
use jigo_record::record::solution_tree::SolutionTree;
use jigo_record::sgf::Limits;
use jigo_record::splitter::GameText;
use jigo_record::{Coordinates, Dialect, Evaluation, GameDetails, GameRecord, Header, Reading};
use jigo_rules::board::Position;
use jigo_rules::budget::Budget;
use jigo_rules::ru_property::parse_ru;
use jigo_rules::select::Choice;
use jigo_rules::{ExhaustedLimit, Handicap, Ruleset, Tally};
use jigo_score::Decider;

/// Analyses games one after the other and reuses its memory.
#[derive(Default)]
pub struct Analyzer {
    budget: Budget,
    reading: Reading,
    recorded_ruleset: RecordedRuleset,
    replayer: Replayer,
    decider: Decider,
    matcher: PatternMatcher,
    report: GameReport,
}

/// The ruleset of the last header, cached because the next header usually names the same.
#[derive(Default)]
struct RecordedRuleset {
    rules: String,
    dialect: Option<&'static Dialect>,
    ruleset: Option<Ruleset>,
}

impl RecordedRuleset {
    fn for_header(&mut self, Header { rules, dialect, .. }: &Header) -> Option<Ruleset> {
        if self.rules != *rules || self.dialect != *dialect {
            let ruleset = parse_ru(rules, dialect.map_or(&[], |dialect| dialect.rules));
            *self = RecordedRuleset { rules: rules.clone(), dialect: *dialect, ruleset };
        }
        self.ruleset.clone()
    }
}

impl Analyzer {
    /// Ends the work on any game once `stop` is not 0. The report of that game is then meaningless.
    pub fn stop_on(&mut self, stop: &Arc<AtomicUsize>) {
        self.budget = Budget::with_stop_flag(Arc::clone(stop));
    }

    /// Starts the time budget of a game.
    fn begin(&mut self, settings: &Settings) {
        self.budget.set_remaining_time(settings.limits.game_time);
        self.replayer.budget.clone_from(&self.budget);
        self.replayer.max_findings = settings.limits.findings;
        self.decider.budget.clone_from(&self.budget);
    }

    /// Reads, replays and counts one game. A panic becomes a finding, and the game is unreadable.
    pub fn analyze(&mut self, text: &GameText, settings: &Settings) -> &GameReport {
        self.begin(settings);
        if let Err(message) = catch_panic(|| self.analyze_or_panic(text, settings)) {
            let budget = std::mem::take(&mut self.budget);
            *self = Analyzer { budget, report: GameReport::failed(message), ..Analyzer::default() };
        }
        &self.report
    }

    fn analyze_or_panic(&mut self, text: &GameText, settings: &Settings) {
        let decoded = decoded(text);
        let decoded_text = GameText { bytes: &decoded.text, ..*text };
        self.analyze_decoded(&decoded_text, &decoded, settings);
        let is_of_header = |finding: &Finding| matches!(finding.code, Code::UnknownRules | Code::MissingKomi);
        if self.report.findings.iter().any(is_of_header) && is_later_game_without_header(text) {
            self.report.findings.retain(|finding| !is_of_header(finding));
        }
        if decoded.bare_board.is_some() {
            let has_rules = !self.report.header.rules.is_empty();
            let is_of_game = |finding: &Finding| match finding.code {
                Code::UnknownRules => !has_rules,
                code => code == Code::NoTurns,
            };
            self.report.findings.retain(|finding| !is_of_game(finding));
        }
        if settings.problems {
            self.report.findings.retain(|finding| !finding.code.is_of_games());
        }
        for finding in &mut self.report.findings {
            finding.place.offset = decoded.source(finding.place.offset);
        }
        let of_text = decode::findings(text, &decoded);
        if !of_text.is_empty() {
            self.report.findings.splice(0..0, of_text);
        }
    }

    /// Analyses a decoded text. Findings refer to bytes of the decoded text.
    fn analyze_decoded(&mut self, text: &GameText, decoded: &Decoded, settings: &Settings) {
        match settings.header_only {
            true => self.reading.read_header(text, text.bytes, settings.dialect, settings.limits),
            false => self.reading.read(text, text.bytes, settings.dialect, settings.limits),
        }
        self.reading.note_unreadable(decoded);
        self.report.clear();
        if self.reading.unreadable.is_some() {
            return self.take_report();
        }
        if settings.details {
            let (header, players) = (&self.reading.record.header, settings.players.as_deref());
            self.report.details = Some(Box::new(GameDetails::of_game(text.bytes, header, players, settings.limits)));
        }
        self.report.ruleset = self.ruleset(settings);
        if settings.header_only {
            self.report.outcome = Outcome::HeaderOnly;
            self.check_conformance(text, Scope::Root, settings);
            return self.take_report();
        }
        let judges = resolve(&settings.judges, self.report.ruleset.as_ref().unwrap_or(&Ruleset::unknown()));
        self.replay(text, &judges, settings);
        if let Some(board) = &decoded.bare_board {
            add_board_facts(&mut self.report.tally, board);
        }
        #[cfg(test)]
        tests::panic_on_request(text);
        self.main_line_matches(&judges, settings);
        let Reading { record, findings, is_truncated, .. } = &mut self.reading;
        let report = &mut self.report;
        findings.extend(shortage(&report.tally, settings.limits));
        let is_incomplete = *is_truncated || report.tally.stopped_at.is_some();
        contradictions(record, &report.tally, !is_incomplete, report.ruleset.as_ref(), findings);
        report.outcome = if is_incomplete { Outcome::Stopped } else { Outcome::Replayed };
        let scope = if settings.all_variations { Scope::ReplayedTree } else { Scope::Tree };
        if settings.evaluations {
            report.evaluations = Evaluation::of_main_line(text.bytes, record);
        }
        report.hash = if settings.game_hash { game_hash(record) } else { 0 };
        let players = settings.players.as_deref();
        report.sketch = settings.sketch.then(|| {
            let sketch = GameSketch::from_record(record, text.bytes, players);
            Box::new(if settings.problems { sketch.into_problem() } else { sketch })
        });
        report.first_pass = if settings.details { first_pass(record, &report.tally) } else { None };
        report.position = settings.position.then(|| Box::new(self.replayer.position().clone()));
        self.check_conformance(text, scope, settings);
        self.take_report();
        if !settings.scored_rulesets.is_empty() {
            let decided = self.decide(settings, decoded.bare_board.as_ref());
            let second_opinion = self.second_opinion(decided.as_ref().ok(), settings);
            self.report.count(self.replayer.position(), decided, second_opinion, settings);
            if let Some(board) = &decoded.bare_board {
                let has_unreadable_line = decoded.findings.iter().any(|finding| finding.code == Code::UnreadableLine);
                self.report.remark_on_board(board, has_unreadable_line);
            }
        }
        if settings.problems {
            let tree = SolutionTree::read(text.bytes, settings.limits, &self.budget);
            let of_answers = tree.map(|tree| problem_findings(&tree, settings.limits, &self.budget));
            self.report.findings.extend(of_answers.unwrap_or_default());
        }
        if settings.all_variations {
            self.side_variations(text, &judges, settings);
        }
    }

    /// Adds the violations of the standard to the findings.
    fn check_conformance(&mut self, text: &GameText, scope: Scope, settings: &Settings) {
        let violations = conformance::check(text, text.bytes, &self.reading, scope, settings.limits);
        self.reading.findings.extend(violations);
    }

    /// Moves the header and the findings so far into the report.
    ///
    /// The old contents of the report become memory for the next game.
    fn take_report(&mut self) {
        std::mem::swap(&mut self.report.header, &mut self.reading.record.header);
        std::mem::swap(&mut self.report.findings, &mut self.reading.findings);
    }

    /// Returns the ruleset that the record names, or else the assumed one. Reports missing rules
    /// and komi.
    fn ruleset(&mut self, settings: &Settings) -> Option<Ruleset> {
        let Reading { record: GameRecord { header, .. }, findings, .. } = &mut self.reading;
        let recorded = self.recorded_ruleset.for_header(header);
        let includes_recorded =
            settings.judges.contains(&Choice::Recorded) || settings.scored_rulesets.contains(&Choice::Recorded);
        if recorded.is_none() && settings.assumed_ruleset.is_none() && includes_recorded {
            let rules = &*header.rules;
            let detail = if rules.is_empty() { "no RU".to_owned() } else { format!("RU[{rules}]") };
            findings.push(Finding::new(Code::UnknownRules, Place::byte(0), detail));
        }
        if header.komi.is_none() && !findings.iter().any(|finding| finding.code == Code::UnreadableKomi) {
            findings.push(Finding::new(Code::MissingKomi, Place::byte(0), "no KM"));
        }
        recorded.or_else(|| settings.assumed_ruleset.clone())
    }

    /// Replays the main line and stores the requested turns and positions.
    fn replay(&mut self, text: &GameText, judges: &[Ruleset], settings: &Settings) {
        let Reading { record, findings, .. } = &mut self.reading;
        let report = &mut self.report;
        if !settings.turns && settings.positions.is_empty() {
            report.tally = self.replayer.replay(record, judges, settings.replay, findings);
            return;
        }
        let mut tracer = settings.turns.then(|| Tracer::new(text.bytes, record, &mut report.turns));
        let mut snapshots = Snapshots::new(settings.positions, record);
        let observer = |step: &_, tally: &Tally, position: &_| {
            let turns_until_snapshot = snapshots.observe(tally.turns, tally.has_all_played_stones(), position);
            tracer.iter_mut().for_each(|tracer| tracer.observe(step, tally, position));
            if tracer.is_some() { 0 } else { turns_until_snapshot }
        };
        report.tally = self.replayer.replay_with_observer(record, judges, settings.replay, findings, observer);
        report.positions = snapshots.positions;
    }

    /// Finds the pattern of the settings in the main line.
    fn main_line_matches(&mut self, judges: &[Ruleset], settings: &Settings) {
        let Some(search) = &settings.pattern else { return };
        let Reading { record, findings, .. } = &mut self.reading;
        let game = ReplayedGame {
            record,
            history: self.replayer.history(),
            tally: &self.report.tally,
            judges,
            options: settings.replay,
            budget: &self.budget,
            new_part: NewPart::MAIN_LINE,
        };
        findings.extend(find_matches(&mut self.matcher, search, &game, settings.limits, &mut self.report.matches));
    }

    /// Returns the final position of the last game.
    pub(crate) fn position(&self) -> &Position {
        self.replayer.position()
    }
}

/// Adds the facts of a board without a game: the stones that the players lost, the handicap, and the
/// next player.
///
/// The origin of the stones is unknown, so all of them count as set up, including captured ones.
fn add_board_facts(tally: &mut Tally, board: &BareBoard) {
    let lost = board.lost.map(Option::unwrap_or_default);
    tally.lost = lost;
    for (setup, lost) in tally.setup.iter_mut().zip(lost) {
        *setup += lost as i32;
    }
    tally.handicap = Handicap { set_up: board.handicap, ..Handicap::default() };
    tally.last = Some(board.next.opponent());
}

/// Returns the turn of the first recorded pass of the replay.
fn first_pass(record: &GameRecord, tally: &Tally) -> Option<u32> {
    if tally.passes == [0, 0] {
        return None;
    }
    let mut numbered = (1..=tally.turns).zip(record.turns());
    numbered.find(|(_, (_, coordinates))| *coordinates == Coordinates::Pass).map(|(turn, _)| turn)
}

/// Returns the finding for a replay that stopped because its budget or quota ended.
fn shortage(tally: &Tally, limits: Limits) -> Option<Finding> {
    const STOPS: &str = "the replay stops before this turn";
    let (code, detail) = match tally.exhausted? {
        ExhaustedLimit::Time => (Code::SlowGame, out_of_time(STOPS)),
        ExhaustedLimit::Findings => (Code::TooManyFindings, format!("{}: {STOPS}", too_many_findings(limits))),
    };
    Some(Finding::new(code, Place { turn: tally.stopped_at, ..Place::byte(0) }, detail))
}

/// Returns the detail of a finding about a game with too many findings.
fn too_many_findings(limits: Limits) -> String {
    format!("more than --max findings={}", limits.findings)
}

/// Runs `work` and returns the message of a panic as an error. The data that `work` was changing
/// may then be inconsistent.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::sgf::Charset;
    use jigo_record::splitter::Close;

    fn report(sgf: &str) -> GameReport {
        Analyzer::default()
            .analyze(&GameText::from_sgf(sgf), &Settings { game_hash: true, ..Settings::default() })
            .clone()
    }

    /// Panics in the middle of a game if a test's record asks for it. Only tests contain this
    /// function.
    pub(super) fn panic_on_request(text: &GameText) {
        assert!(!text.bytes.ends_with(b"C[let the judge panic])"), "the judge was asked to panic");
    }

    /// The next game is analysed in the memory of the failed one, without any effect of the
    /// failure.
    #[test]
    fn panic_in_one_game_does_not_affect_the_next() {
        let mut analyzer = Analyzer::default();
        let settings = Settings { game_hash: true, judges: vec![Choice::Recorded], ..Settings::default() };
        let game = "(;SZ[9]KM[7]RU[NZ]RE[?];B[ee];W[ee];B[cc])";
        let expected = format!("{:?}", Analyzer::default().analyze(&GameText::from_sgf(game), &settings));
        for faulty_text in
            ["(;SZ[5]KM[1]RU[AGA]AB[aa];B[bb];W[bb]C[let the judge panic])", "(;B[ee]C[let the judge panic])"]
        {
            let report = analyzer.analyze(&GameText::from_sgf(faulty_text), &settings);
            assert_eq!(report.outcome, Outcome::Unreadable);
            assert_eq!(report.findings.len(), 1);
            assert_eq!(
                (report.findings[0].code, report.findings[0].detail.as_str()),
                (Code::InternalError, "the judge was asked to panic")
            );
            assert_eq!(format!("{:?}", analyzer.analyze(&GameText::from_sgf(game), &settings)), expected);
        }
    }

    /// The reader does not read the header of an oversized game, and reuses that of another game.
    #[test]
    fn oversized_game_has_no_header_of_an_earlier_game() {
        let mut analyzer = Analyzer::default();
        for _ in 0..2 {
            let header =
                &analyzer.analyze(&GameText::from_sgf("(;PC[KGS]PB[a]KM[7];B[aa])"), &Settings::default()).header;
            assert_eq!(header.dialect.map(|dialect| dialect.name), Some("kgs"));
        }
        let oversized = GameText::single(b"(;B[aa]", Close::Oversized, Charset::UTF8);
        assert_eq!(analyzer.analyze(&oversized, &Settings::default()).header, Header::default());
    }

    #[test]
    fn panic_is_reported_with_its_message() {
        assert_eq!(catch_panic(|| panic!("point {} is lost", 3)), Err::<(), _>("point 3 is lost".to_owned()));
        assert_eq!(catch_panic(|| 7), Ok(7));
    }

    #[test]
    fn hash_ignores_symmetry_but_not_colors() {
        let game = report("(;SZ[9:7];B[ab];W[cd];B[])").hash;
        for symmetric in ["(;SZ[9:7];B[ib];W[gd];B[])", "(;SZ[9:7];B[af];W[cd];B[])", "(;SZ[7:9];B[ba];W[dc];B[])"] {
            assert_eq!(report(symmetric).hash, game, "{symmetric}");
        }
        for other in ["(;SZ[9:7];W[ab];B[cd];W[])", "(;SZ[9:7];B[ab];W[cd])", "(;SZ[9:8];B[ab];W[cd];B[])"] {
            assert_ne!(report(other).hash, game, "{other}");
        }
    }
}
