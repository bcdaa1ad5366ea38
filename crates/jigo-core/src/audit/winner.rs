//! Search for the causes of a recorded winner without a margin.

use super::cause::{Cause, SwappedColors};
use super::explain::all_ways;
use super::result_comparison::{CountedPosition, StatedGame};
use jigo_rules::board::Color;
use jigo_rules::{HalfPoints, Ruleset};
use jigo_score::{Counts, Score};

/// Returns the causes that give the recorded winner, the likeliest first;
/// [`Cause::Unknown`] alone if there are none.
///
/// `ways` lists the possible rulesets with their scores; the first is the one that the result is
/// compared with.
///
/// A winner is weaker evidence than a margin. Causes without an error of the record therefore come
/// first. Of the others, only confused colours are reported, since they need no number.
pub(super) fn causes_of_winner(
    game: &StatedGame,
    decided: &CountedPosition,
    ways: &[(Ruleset, Score)],
    stated: Color,
) -> Vec<Cause> {
    let Some((ruleset, score)) = ways.first() else { return vec![Cause::Unknown] };
    let wins = |counts: &Counts, ruleset: &Ruleset| {
        game.score(counts, ruleset).is_some_and(|score| score.winner == Some(stated))
    };
    let reading = ways[1..].iter().find(|(_, score)| score.winner == Some(stated));
    let reading = reading.map(|(other, _)| Cause::Reading(other.axes.territory));
    let is_of_server = game.header.dialect.is_some_and(|dialect| !dialect.server_scoring.is_empty());
    let mut others = all_ways().into_iter().filter(|other| other.axes.scoring != ruleset.axes.scoring);
    let rules = others.find(|other| !is_of_server && wins(decided.counts, other));
    let group = decided.other_readings.iter().find(|(_, counts)| wins(counts, ruleset));
    let mut causes: Vec<Cause> = reading.into_iter().collect();
    causes.extend(rules.map(|rules| Cause::Rules(rules.name.into_owned())));
    causes.extend(group.map(|(stone, _)| Cause::Group(stone.to_a1(game.header.size))));
    causes.extend(swapped(game, (ruleset, score), stated).map(Cause::ColorsSwapped));
    if causes.is_empty() { vec![Cause::Unknown] } else { causes }
}

/// Returns the places where Black and White may have been confused.
///
/// It is RE if the other player leads on the board. It is the board if the recorded player wins
/// after the colours are exchanged.
fn swapped(
    game: &StatedGame,
    (ruleset, score): (&Ruleset, &Score),
    stated: Color,
) -> impl Iterator<Item = SwappedColors> {
    let (counted, komi) = (score.black_minus_white(), game.komi(ruleset));
    let swapped = -(counted + komi) - komi;
    let is_stated = match stated {
        Color::Black => swapped > HalfPoints::ZERO,
        Color::White => swapped < HalfPoints::ZERO,
    };
    let in_result = (score.winner == Some(stated.opponent())).then_some(SwappedColors::Result);
    let on_board = (game.tally.handicap == 0 && is_stated).then_some(SwappedColors::Stones);
    in_result.into_iter().chain(on_board)
}
