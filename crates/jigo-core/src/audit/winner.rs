//! Search for the causes of a recorded winner without a margin.

use super::audited_game::AuditedGame;
use super::cause::{Cause, SwappedColors};
use super::counted_ending::CountedEnding;
use super::explain::{all_candidate_rulesets, reading_cause};
use jigo_rules::board::Color;
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{Counts, Score};

/// Returns the causes that give the recorded winner, the likeliest first;
/// [`Cause::Unknown`] alone if there are none.
///
/// `scored_rulesets` lists the possible rulesets with their scores; the first is the one that the
/// result is compared with.
///
/// A winner is weaker evidence than a margin. Causes without an error of the record therefore come
/// first. Of the others, only confused colours are reported, since they need no number.
pub(super) fn causes_of_winner(
    game: &AuditedGame,
    counted_ending: &CountedEnding,
    scored_rulesets: &[(Ruleset, Score)],
    winner: Color,
) -> Vec<Cause> {
    let Some((ruleset, score)) = scored_rulesets.first() else { return vec![Cause::Unknown] };
    let wins = |counts: &Counts, ruleset: &Ruleset| {
        game.score(counts, ruleset).is_some_and(|score| score.winner == Some(winner))
    };
    let reading = scored_rulesets[1..].iter().find(|(_, score)| score.winner == Some(winner));
    let reading = reading.map(|(other, _)| reading_cause(ruleset, other));
    let is_of_server = game.header.dialect.is_some_and(|dialect| !dialect.server_scoring.is_empty());
    let mut others = all_candidate_rulesets().into_iter().filter(|other| other.axes.scoring != ruleset.axes.scoring);
    let rules = others.find(|other| !is_of_server && wins(&counted_ending.counts, other));
    let group = counted_ending.other_readings.iter().find(|(_, counts)| wins(counts, ruleset));
    let is_close = score.black_minus_white().0.unsigned_abs() <= 2 && game.tally.closing_passes < 2;
    let missing_turn = is_close.then_some(Cause::TurnsMissing(HalfPoints::from_points(1)));
    let mut causes: Vec<Cause> = reading.into_iter().collect();
    causes.extend(rules.map(|rules| Cause::Rules(rules.name.into_owned())));
    causes.extend(group.map(|(stone, _)| Cause::Group(stone.to_a1(game.header.size))));
    causes.extend(missing_turn);
    causes.extend(swapped_colors(game, ruleset, score, winner).map(Cause::ColorsSwapped));
    if causes.is_empty() { vec![Cause::Unknown] } else { causes }
}

/// Returns the places where Black and White may have been confused.
///
/// It is RE if the other player leads on the board. It is the board if the recorded player wins
/// after the colours are exchanged.
fn swapped_colors(
    game: &AuditedGame,
    ruleset: &Ruleset,
    score: &Score,
    winner: Color,
) -> impl Iterator<Item = SwappedColors> {
    let (margin, komi) = (score.black_minus_white(), game.komi(ruleset));
    let exchanged = -(margin + komi) - komi;
    let is_recorded = match winner {
        Color::Black => exchanged > HalfPoints::ZERO,
        Color::White => exchanged < HalfPoints::ZERO,
    };
    let in_result = (score.winner == Some(winner.opponent())).then_some(SwappedColors::Result);
    let on_board = (game.tally.handicap.stones() == 0 && is_recorded).then_some(SwappedColors::Stones);
    in_result.into_iter().chain(on_board)
}
