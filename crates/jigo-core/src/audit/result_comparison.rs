//! Comparison of the recorded result with the count of the final position: verdict and causes.

use super::audited_game::{AuditedGame, LARGEST_KOMI, MIN_CONTRADICTION_CONFIDENCE};
use super::cause::Cause;
use super::counted_ending::CountedEnding;
use super::explain::{candidate_rulesets, causes, last_turns};
use super::mark_faults::MarkedResult;
use super::verdict::{Audit, Verdict};
use super::winner::causes_of_winner;
use jigo_record::{RecordedResult, ResultKind, ResultOddity, has_remark};
use jigo_rules::ruleset::Scoring;
use jigo_rules::{HalfPoints, RulesBasis, Ruleset};
use jigo_score::fights::other_outcomes;
use jigo_score::{Counts, Score, UncountedReason};

/// Compares the recorded result of a game with its count. Returns `None` if no result is recorded.
///
/// `confidence` returns the confidence of the number under a ruleset.
pub fn audit(game: &AuditedGame, decided: Result<&CountedEnding, UncountedReason>) -> Option<Audit> {
    let unexplained = |verdict, causes: &[Cause]| without_count(game, verdict, causes);
    let is_counted = matches!(game.header.result.kind, ResultKind::Score | ResultKind::Draw | ResultKind::Win);
    Some(match decided {
        _ if game.header.result.kind == ResultKind::Missing => return None,
        Ok(decided) if is_counted => judge(game, decided).unwrap_or_else(|| unexplained(Verdict::Unsettled, &[])),
        Err(UncountedReason::Open) if is_counted => unexplained(Verdict::Unsettled, &[Cause::Unfinished]),
        Err(UncountedReason::Unsettled | UncountedReason::Doubtful) if is_counted => {
            unexplained(Verdict::Unsettled, &[])
        }
        _ => unexplained(Verdict::NotCounted, &[]),
    })
}

/// Returns the audit of a game without a count.
fn without_count(game: &AuditedGame, verdict: Verdict, causes: &[Cause]) -> Audit {
    Audit {
        verdict,
        causes: causes.to_vec(),
        last_turn: None,
        ruleset: game.ruleset.map_or(String::new(), |ruleset| ruleset.name.to_string()),
        recorded: game.header.result.text().unwrap_or_else(|| game.header.result_text.clone()),
        counted: None,
        difference: None,
        contradicts_winner: false,
        confidence: None,
        marked: None,
    }
}

/// Returns the causes of a difference between the recorded and the counted result.
fn causes_of_difference(
    game: &AuditedGame,
    counted_ending: &CountedEnding,
    scored_rulesets: &[(Ruleset, Score)],
) -> Vec<Cause> {
    let recorded = &game.header.result;
    let explaining = explaining_rulesets(game, scored_rulesets);
    let mut causes = match (recorded.black_minus_white, recorded.winner) {
        (Some(margin), _) => causes(game, counted_ending, &nearest_first(explaining, margin), margin),
        (None, _) if explaining.iter().any(|scored| game.can_win(scored, LARGEST_KOMI)) => Vec::new(),
        (None, Some(winner)) => causes_of_winner(game, counted_ending, scored_rulesets, winner),
        (None, None) => vec![Cause::Unknown],
    };
    if game.is_damaged {
        causes.insert(0, Cause::DamagedTurns);
    }
    causes
}

/// Returns the audit of a counted game, or `None` if no way of counting gives a number.
fn judge(game: &AuditedGame, counted_ending: &CountedEnding) -> Option<Audit> {
    let recorded = &game.header.result;
    let scored = |ruleset: Ruleset| game.score(&counted_ending.counts, &ruleset).map(|score| (ruleset, score));
    let scored_rulesets: Vec<(Ruleset, Score)> =
        candidate_rulesets(game.ruleset).into_iter().filter_map(scored).collect();
    let (ruleset, score) = match game.ruleset {
        Some(_) => scored_rulesets.first()?,
        None => scored_rulesets.iter().min_by_key(|(_, score)| distance(score, recorded))?,
    };
    let counted_margin = score.black_minus_white();
    let is_same = agrees(score, recorded) == Some(true);
    if counted_ending.ending.is_open && !is_same {
        // A differing count of an open board proves nothing.
        return Some(without_count(game, Verdict::Unsettled, &[Cause::Unfinished]));
    }
    let marked = MarkedResult::new(game, counted_ending, explaining_rulesets(game, &scored_rulesets));
    let by_marks = marked.as_ref().and_then(MarkedResult::cause).filter(|_| !game.is_damaged);
    let mut causes = match by_marks {
        _ if is_same => matching_rulesets(game, &scored_rulesets),
        Some(cause) => vec![cause],
        None => causes_of_difference(game, counted_ending, &scored_rulesets),
    };
    let mut verdict = if is_same { Verdict::Same } else { verdict_on_difference(game, counted_ending, &causes) };
    // Without KM only a result with the other winner is wrong.
    if verdict == Verdict::Contradicted && scored_rulesets.iter().any(|scored| game.can_win(scored, HalfPoints::ZERO)) {
        verdict = Verdict::Unsettled;
    }
    if verdict == Verdict::Contradicted
        && let Some(cause) = lost_fight(game, counted_ending, explaining_rulesets(game, &scored_rulesets))
    {
        causes.insert(0, cause);
        verdict = Verdict::Explained;
    }
    let last_turn = match (causes.first(), recorded.black_minus_white) {
        (Some(Cause::TurnsMissing(_)), Some(margin)) if ruleset.axes.scoring == Scoring::Area => {
            <[_; 1]>::try_from(last_turns(game, counted_ending, ruleset, margin)).ok().map(|[turn]| turn)
        }
        _ => None,
    };
    Some(Audit {
        verdict,
        causes,
        last_turn,
        ruleset: if game.ruleset.is_some() { ruleset.name.to_string() } else { String::new() },
        recorded: game.header.result.text().unwrap_or_else(|| game.header.result_text.clone()),
        counted: Some(counted_margin),
        difference: recorded.black_minus_white.map(|recorded| recorded - counted_margin),
        contradicts_winner: scored_rulesets
            .iter()
            .all(|scored| scored.1.winner != recorded.winner && !game.can_win(scored, LARGEST_KOMI)),
        confidence: counted_ending.confidence(ruleset),
        marked,
    })
}

/// Returns the group whose fight explains exactly the recorded result if the fight ended the other
/// way.
///
/// Playouts judge fights badly, so such a result is not a contradiction.
fn lost_fight(
    game: &AuditedGame,
    counted_ending: &CountedEnding,
    scored_rulesets: &[(Ruleset, Score)],
) -> Option<Cause> {
    if !counted_ending.ending.source.is_estimate() {
        return None;
    }
    let matches_recorded = |counts: &Counts| {
        let mut scores = scored_rulesets.iter().filter_map(|(ruleset, _)| game.score(counts, ruleset));
        scores.any(|score| agrees(&score, &game.header.result) == Some(true))
    };
    let outcomes = other_outcomes(game.position, &counted_ending.ending.dead);
    let matching_outcome =
        outcomes.into_iter().find(|outcome| matches_recorded(&Counts::from_position(game.position, &outcome.dead)))?;
    Some(Cause::Group(matching_outcome.stone.to_a1(game.header.size)))
}

/// Returns the verdict on a result that differs from the count.
fn verdict_on_difference(game: &AuditedGame, counted_ending: &CountedEnding, causes: &[Cause]) -> Verdict {
    // The server writes the passes of counted games, so a record without them lacks its end.
    let lacks_end = game.header.dialect.is_some_and(|dialect| dialect.records_passes) && game.tally.closing_passes < 2;
    let is_certain = counted_ending.ending.is_confident(MIN_CONTRADICTION_CONFIDENCE)
        && counted_ending.ending.shows_end(&counted_ending.counts, game.tally)
        && !lacks_end;
    // A remark after a result may refer to facts outside the board, and a referee's decision is not
    // a count.
    let is_counted = game.header.result.oddity != Some(ResultOddity::UnknownReason);
    let is_unqualified = is_counted && !has_remark(&game.header.result_text);
    match causes.first() {
        _ if !counted_ending.is_certain || game.is_damaged => Verdict::Unsettled,
        Some(cause) if cause.is_innocent(game.header) => Verdict::Explained,
        Some(_) if is_certain && is_unqualified => Verdict::Contradicted,
        _ => Verdict::Unsettled,
    }
}

/// Returns the ways of counting for the search of causes: the known one, or else all.
fn explaining_rulesets<'w>(game: &AuditedGame, scored_rulesets: &'w [(Ruleset, Score)]) -> &'w [(Ruleset, Score)] {
    if game.ruleset.is_some() { &scored_rulesets[..1] } else { scored_rulesets }
}

/// Returns ways of counting with their margins, the nearest to the recorded margin first.
fn nearest_first(scores: &[(Ruleset, Score)], recorded: HalfPoints) -> Vec<(&Ruleset, HalfPoints)> {
    let mut scores: Vec<_> = scores.iter().map(|(ruleset, score)| (ruleset, score.black_minus_white())).collect();
    scores.sort_by_key(|(_, margin)| (*margin - recorded).0.unsigned_abs());
    scores
}

/// Returns the distance between a count and the recorded result.
fn distance(score: &Score, recorded: &RecordedResult) -> u32 {
    match recorded.black_minus_white {
        Some(margin) => (score.black_minus_white() - margin).0.unsigned_abs(),
        None => u32::from(score.winner != recorded.winner),
    }
}

/// Returns the ways of counting that give the recorded result if the record leaves its rules open.
///
/// Returns none if all ways agree, since the result then shows nothing about the rules.
fn matching_rulesets(game: &AuditedGame, scored_rulesets: &[(Ruleset, Score)]) -> Vec<Cause> {
    if game.ruleset.is_some_and(|ruleset| ruleset.basis != RulesBasis::Text || ruleset.axes.counts_as_is()) {
        return Vec::new();
    }
    let matching = scored_rulesets.iter().filter(|(_, score)| agrees(score, &game.header.result) == Some(true));
    let matching = matching.map(|(ruleset, _)| match game.ruleset {
        Some(_) => Cause::Reading(ruleset.axes.territory),
        None => Cause::Rules(ruleset.name.to_string()),
    });
    let matching: Vec<Cause> = matching.collect();
    if matching.len() == scored_rulesets.len() { Vec::new() } else { matching }
}

/// Returns true if the count agrees with the recorded margin, or with the recorded winner if no
/// margin is recorded.
///
/// Returns `None` if RE is unreadable or has neither.
pub fn agrees(score: &Score, recorded: &RecordedResult) -> Option<bool> {
    match (recorded.black_minus_white, recorded.winner) {
        _ if recorded.kind == ResultKind::Unreadable => None,
        (Some(margin), _) => Some(score.has_margin(margin)),
        (None, Some(winner)) => Some(Some(winner) == score.winner),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::finding::Code;
    use jigo_record::{DialectChoice, Header};
    use jigo_rules::board::diagram::read;
    use jigo_rules::board::{Color, Point, Position};
    use jigo_rules::{Handicap, Preset, Tally, format_margin};
    use jigo_score::Ending;

    /// Five points for Black, ten for White, and five stones each.
    const BOARD: &str = ". X O . .\n. X O . .\n. X O . .\n. X O . .\n. X O . .";

    /// Counts a position without dead stones.
    fn counted(position: &Position) -> CountedEnding {
        let ending = Ending::without_estimate(Vec::new(), jigo_score::DeadSource::Markup);
        CountedEnding {
            ending: Ending { confidence: Some(0.95), ..ending },
            counts: Counts::from_position(position, &[]),
            extremes: Vec::new(),
            other_readings: Vec::new(),
            is_certain: true,
        }
    }

    /// Returns the audit of the board above under a ruleset. Komi and recorded margin are in half
    /// points.
    fn judged(ruleset: &str, komi: i32, recorded: i32, tally: Tally) -> Audit {
        judged_as(ruleset, Some(HalfPoints(komi)), &format_margin(HalfPoints(recorded)), tally)
    }

    fn judged_as(ruleset: &str, komi: Option<HalfPoints>, result_text: &str, tally: Tally) -> Audit {
        // KGS has a known way of counting.
        judged_by((Some(ruleset), "kgs"), komi, result_text, tally)
    }

    /// Does the same for a record whose rules or server may be unknown.
    fn judged_by(
        (ruleset, server): (Option<&str>, &str),
        komi: Option<HalfPoints>,
        result_text: &str,
        tally: Tally,
    ) -> Audit {
        let result = RecordedResult::parse(result_text);
        let dialect = match DialectChoice::parse(server) {
            Some(DialectChoice::Fixed(dialect)) => Some(dialect),
            _ => None,
        };
        let header = Header { komi, result, result_text: result_text.into(), dialect, ..Header::default() };
        let ruleset = ruleset.map(|name| Preset::find(name).unwrap().ruleset());
        judged_header(&header, ruleset.as_ref(), &tally)
    }

    fn judged_header(header: &Header, ruleset: Option<&Ruleset>, tally: &Tally) -> Audit {
        let position = &read(BOARD).unwrap();
        let game = AuditedGame { header, tally, ruleset, position, marked: None, is_damaged: false };
        audit(&game, Ok(&counted(position))).unwrap()
    }

    fn first(audit: &Audit) -> (Verdict, String) {
        (audit.verdict, audit.causes.first().map_or(String::new(), Cause::to_string))
    }

    #[test]
    fn each_way_of_being_wrong_has_its_cause() {
        // 5 points against 10 and komi 6.5: W+11.5.
        let tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let cause_of = |margin: i32| first(&judged("japanese", 13, margin, tally.clone()));
        let contradicted = |cause: &str| (Verdict::Contradicted, cause.to_owned());
        assert_eq!(cause_of(-23), (Verdict::Same, String::new()));
        assert_eq!(cause_of(23), contradicted("colors swapped in RE"));
        assert_eq!(cause_of(-3), contradicted("colors swapped on the board"));
        assert_eq!(cause_of(-10), contradicted("komi 0"));
        assert_eq!(cause_of(-21), contradicted("komi 5.5"));
        assert_eq!(cause_of(-25), contradicted("komi 7.5"));
        assert_eq!(cause_of(3), contradicted("komi -6.5"));
        assert_eq!(cause_of(-11), contradicted("komi 0.5"));
        assert_eq!(cause_of(-61), contradicted("none found"));
        let without_passes = Tally { closing_passes: 0, ..tally.clone() };
        let without_passes_cause = first(&judged("japanese", 13, -29, without_passes));
        assert_eq!(without_passes_cause, (Verdict::Explained, "turns missing at the end 3".to_owned()));
        let prisoners = Tally { lost: [4, 11], setup: [9, 16], ..tally.clone() };
        assert_eq!(first(&judged("japanese", 13, -23, prisoners)), contradicted("prisoners not counted"));
        let handicap = Tally { handicap: Handicap { set_up: 3, ..Handicap::default() }, ..tally };
        assert_eq!(first(&judged("nz", 1, -17, handicap)), (Verdict::Explained, "handicap compensation 3".to_owned()));
    }

    /// By area Black has 10 points and White 15. Ing's 8 points, with ties for Black, are 7.5.
    #[test]
    fn whole_komi_with_ties_for_black_has_two_margins() {
        let tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let verdict = |ruleset: &str, komi: i32, margin: i32| judged(ruleset, komi, margin, tally.clone()).verdict;
        for (margin, expected) in [(-26, Verdict::Same), (-25, Verdict::Same), (-27, Verdict::Contradicted)] {
            assert_eq!(verdict("ing", 16, margin), expected, "{margin}");
        }
        assert_eq!(verdict("chinese", 16, -25), Verdict::Contradicted);
        assert_eq!(verdict("ing", 15, -24), Verdict::Contradicted);
    }

    #[test]
    fn one_missing_turn_is_likelier_than_an_error() {
        // Without passes: 5 points against 10 and the komi.
        let tally = Tally { setup: [5, 5], last: Some(Color::White), ..Tally::default() };
        let cause_of = |komi, margin| first(&judged("japanese", komi, margin, tally.clone()));
        let missing = |points: &str| (Verdict::Explained, format!("turns missing at the end {points}"));
        assert_eq!(cause_of(11, -23), missing("1"));
        assert_eq!(cause_of(-9, 1), missing("1"));
        assert_eq!(cause_of(-9, -1), (Verdict::Same, String::new()));
        let audit = judged_as("japanese", Some(HalfPoints(-9)), "B+", tally.clone());
        assert_eq!(first(&audit), missing("1"));
        assert_eq!(cause_of(11, -31), missing("5"));
        // Nothing shows the end, so this proves nothing.
        assert_eq!(cause_of(13, 23), (Verdict::Unsettled, "colors swapped in RE".to_owned()));
        // The confidence is that of the count.
        let with_passes = judged("japanese", 13, 23, Tally { closing_passes: 2, ..tally });
        assert_eq!((with_passes.verdict, with_passes.confidence), (Verdict::Contradicted, Some(0.95)));
    }

    /// Black's D3 is dead. Left on the board, it changes W+5.5 to B+5.5.
    #[test]
    fn dead_stones_left_are_likelier_on_a_server_than_exchanged_colors() {
        let position = &read(". X O . .\n. X O . .\n. X O X .\n. X O . .\n. X O . .").unwrap();
        let tally = &Tally { setup: [6, 5], closing_passes: 2, ..Tally::default() };
        let dead = vec![Point::new(3, 2)];
        let counts = Counts::from_position(position, &dead);
        let base = counted(position);
        let counted_ending = CountedEnding { ending: Ending { dead, ..base.ending }, counts, ..base };
        let ruleset = Preset::find("japanese").map(Preset::ruleset);
        let cause_of = |server: &str| {
            let dialect = match DialectChoice::parse(server) {
                Some(DialectChoice::Fixed(dialect)) => Some(dialect),
                _ => None,
            };
            let result = RecordedResult::parse("B+5.5");
            let header = &Header { komi: Some(HalfPoints(-1)), result, dialect, ..Header::default() };
            let game =
                AuditedGame { header, tally, ruleset: ruleset.as_ref(), position, marked: None, is_damaged: false };
            first(&audit(&game, Ok(&counted_ending)).unwrap()).1
        };
        assert_eq!(cause_of("kgs"), "dead stones left: D3");
        assert_eq!(cause_of("none"), "colors swapped in RE");
    }

    #[test]
    fn komi_later_than_the_game_is_no_cause() {
        let tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let cause_in = |date: &str, komi, result_text: &str| {
            let (result, date) = (RecordedResult::parse(result_text), date.to_owned());
            let header = Header { komi, result, result_text: result_text.into(), date, ..Header::default() };
            let ruleset = Preset::find("japanese").map(Preset::ruleset);
            first(&judged_header(&header, ruleset.as_ref(), &tally))
        };
        let (contradicted, five) = (|cause: &str| (Verdict::Contradicted, cause.to_owned()), Some(HalfPoints(11)));
        assert_eq!(cause_in("2005", five, "W+11.5"), contradicted("komi 6.5"));
        assert_eq!(cause_in("1985", five, "W+11.5"), contradicted("none found"));
        assert_eq!(cause_in("", five, "W+11.5"), contradicted("komi 6.5"));
        assert_eq!(cause_in("1960", None, "W+8"), (Verdict::Explained, "komi 3".to_owned()));
        assert_eq!(cause_in("1853", None, "W+5"), (Verdict::Same, String::new()));
        assert_eq!(cause_in("1853", None, "W+8"), (Verdict::Unsettled, "none found".to_owned()));
        assert_eq!(cause_in("1853", None, "B+4"), contradicted("none found"));
    }

    #[test]
    fn assumed_komi_causes_no_contradiction() {
        // 5 points against 10: W+5 and komi.
        let base_tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let judged_result = |result: &str, tally: &Tally| first(&judged_as("japanese", None, result, tally.clone()));
        let explained = |komi: &str| (Verdict::Explained, format!("komi {komi}"));
        assert_eq!(judged_result("W+11.5", &base_tally), (Verdict::Same, String::new()));
        for (margin, komi) in [("5", "0"), ("5.5", "0.5"), ("8", "3"), ("13.5", "8.5"), ("14.5", "9.5")] {
            assert_eq!(judged_result(&format!("W+{margin}"), &base_tally), explained(komi));
        }
        let prisoners = Tally { lost: [4, 6], setup: [9, 11], ..base_tally.clone() };
        assert_eq!(judged_result("W+11.5", &prisoners), explained("8.5"));
        // White also leads without komi.
        assert_eq!(judged_result("W+15", &base_tally), (Verdict::Unsettled, "none found".to_owned()));
        assert_eq!(judged_result("B+11.5", &base_tally), (Verdict::Contradicted, "colors swapped in RE".to_owned()));
        assert_eq!(judged_result("B+", &base_tally), (Verdict::Contradicted, "colors swapped in RE".to_owned()));
        // A count can't refute a referee's decision.
        assert_eq!(judged_result("B+J", &base_tally).0, Verdict::Unsettled);
        assert_eq!(judged_result("W+", &base_tally).0, Verdict::Same);
        let behind_in_prisoners = Tally { lost: [0, 9], setup: [5, 14], ..base_tally };
        assert_eq!(judged_result("B+", &behind_in_prisoners), (Verdict::Unsettled, String::new()));
    }

    /// White leads by 5.5 points by area and by 2.5 by territory.
    #[test]
    fn without_rules_causes_are_sought_by_each_counting() {
        let tally = Tally { lost: [0, 3], setup: [5, 8], closing_passes: 2, ..Tally::default() };
        let judged_result = |result: &str| judged_by((None, "none"), Some(HalfPoints(1)), result, tally.clone());
        let counted_by = |rules: &str| (Verdict::Same, format!("counted by {rules}"));
        assert_eq!(first(&judged_result("W+5.5")), counted_by("area"));
        assert_eq!(first(&judged_result("W+2.5")), counted_by("territory=every-region"));
        let contradicted = |cause: &str| (Verdict::Contradicted, cause.to_owned());
        assert_eq!(first(&judged_result("B+2.5")), contradicted("colors swapped in RE"));
        assert_eq!(first(&judged_result("B+5.5")), contradicted("colors swapped in RE, counted by area"));
        // The nearest count, by area, explains the first of these results, but not the second.
        assert_eq!(first(&judged_result("W+12.5")), contradicted("komi 7.5"));
        assert_eq!(first(&judged_result("W+8.5")), contradicted("komi 6.5, counted by territory"));
        assert_eq!(first(&judged_result("W+40.5")), contradicted("none found"));
        // With known rules, other ways of counting are not causes.
        let audited = judged_as("japanese", Some(HalfPoints(1)), "B+5.5", tally.clone());
        assert_eq!(first(&audited), contradicted("none found"));
    }

    #[test]
    fn winner_without_margin_has_causes() {
        // Without komi White leads by 5 points by area. By territory White leads by 2 if three
        // stones are lost, and Black by 2 if seven are lost.
        let with_prisoners = |stones: u32| Tally {
            lost: [0, stones],
            setup: [5, 5 + stones as i32],
            closing_passes: 2,
            ..Tally::default()
        };
        let judged_result = |rules: (Option<&str>, &str), komi: i32, result: &str, stones: u32| {
            let audit = judged_by(rules, Some(HalfPoints(komi)), result, with_prisoners(stones));
            let causes: Vec<String> = audit.causes.iter().map(Cause::to_string).collect();
            (audit.verdict, causes.join(";"))
        };
        let (server, no_server, unknown) = ((Some("japanese"), "kgs"), (Some("japanese"), "none"), (None, "none"));
        let contradicted = |causes: &str| (Verdict::Contradicted, causes.to_owned());
        let both_swaps = "colors swapped in RE;colors swapped on the board";
        for rules in [server, no_server, unknown] {
            assert_eq!(judged_result(rules, 1, "B+", 3), contradicted(both_swaps));
            // With komi White also wins with the colours of the stones exchanged.
            assert_eq!(judged_result(rules, 13, "B+", 3), contradicted("colors swapped in RE"));
        }
        // White wins by area only, and a server with a known way of counting does not count by
        // area.
        assert_eq!(judged_result(server, 1, "W+", 7), contradicted(both_swaps));
        assert_eq!(judged_result(no_server, 1, "W+", 7), (Verdict::Explained, format!("counted by area;{both_swaps}")));
        assert_eq!(judged_result(unknown, 1, "W+", 7).0, Verdict::Same);
        // The board is a draw.
        assert_eq!(judged_result(server, 0, "B+", 5), contradicted("none found"));
    }

    #[test]
    fn words_after_a_result_prevent_a_contradiction() {
        let tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let judged_result = |result: &str| judged_as("japanese", Some(HalfPoints(13)), result, tally.clone()).verdict;
        assert_eq!(judged_result("W+31.5"), Verdict::Contradicted);
        assert_eq!(judged_result("W+31.5 (moves beyond 250 not known)"), Verdict::Unsettled);
    }

    /// The fix of a margin in zi writes it in points.
    #[test]
    fn margin_in_zi_equals_its_margin_in_points() {
        let tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let judged_result = |result: &str| first(&judged_as("japanese", Some(HalfPoints::ZERO), result, tally.clone()));
        assert_eq!(judged_result("W+1.25"), (Verdict::Explained, "margin halved or in zi".to_owned()));
        assert_eq!(judged_result("W+2.5"), judged_result("W+1.25"));
        assert_eq!(judged_result("W+13.5"), judged_result("W+6.75"));
    }

    #[test]
    fn winner_is_contradicted_only_by_every_counting() {
        let tally = Tally { setup: [5, 5], closing_passes: 2, ..Tally::default() };
        let code = |margin: i32| {
            let audit = judged("japanese", 13, margin, tally.clone());
            audit.finding(&Header::default()).map(|finding| finding.code)
        };
        assert_eq!(code(-23), None);
        assert_eq!(code(61), Some(Code::WinnerContradicted));
        assert_eq!(code(-61), Some(Code::MarginContradicted));
    }
}
