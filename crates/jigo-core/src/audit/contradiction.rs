//! Contradictions between parts of a record: rules and komi, stones and handicap, result and turns.

use crate::similarity::Symmetry;
use jigo_record::finding::{Code, Finding, Place};
use jigo_record::{GameRecord, HandicapPrefix, Header, ResultKind};
use jigo_rules::board::{BoardSize, Point, PointSet};
use jigo_rules::ruleset::{Button, HandicapPlacement, Scoring, Tie};
use jigo_rules::{HalfPoints, Handicap, Ruleset, Tally};

/// Compares the parts of a replayed record with each other.
///
/// `ruleset` is the recorded or the assumed one. `is_whole` is true if the replay reached the end
/// of the game.
pub fn contradictions(
    record: &GameRecord,
    tally: &Tally,
    is_whole: bool,
    ruleset: Option<&Ruleset>,
    findings: &mut Vec<Finding>,
) {
    let header = &record.header;
    let prefix = record.handicap();
    let found = [
        suspect_komi(header, tally, ruleset),
        rules_against_komi(header, ruleset),
        if tally.turns > 0 { handicap_stones(header, &prefix) } else { None },
        handicap_formation(header, &prefix, ruleset),
        impossible_result(header, ruleset),
        if is_whole { loser_moved_last(header, tally) } else { None },
    ];
    findings.extend(found.into_iter().flatten());
}

fn finding(code: Code, detail: String) -> Option<Finding> {
    Some(Finding::new(code, Place::byte(0), detail))
}

/// Reports a komi of 0 in an even game whose rules have a komi.
///
/// HA\[1\] declares a game without komi, and old games were played without komi.
fn suspect_komi(header: &Header, tally: &Tally, ruleset: Option<&Ruleset>) -> Option<Finding> {
    let standard = ruleset?.axes.komi_even;
    let is_old = || !header.is_komi_of_its_time(HalfPoints(1));
    if header.komi != Some(HalfPoints::ZERO)
        || standard == HalfPoints::ZERO
        || tally.handicap.stones() > 0
        || header.handicap == Some(1)
        || is_old()
    {
        return None;
    }
    let komi_dialect = header.dialect.filter(|dialect| dialect.unrecorded_komi);
    let unrecorded =
        komi_dialect.map_or(String::new(), |dialect| format!("; {} writes 0 where komi is not recorded", dialect.name));
    finding(Code::SuspectKomi, format!("KM[0] under {} rules, where komi is {standard}{unrecorded}", ruleset?.name))
}

/// Reports territory rules with a komi that only Chinese rules use.
fn rules_against_komi(header: &Header, ruleset: Option<&Ruleset>) -> Option<Finding> {
    const CHINESE_KOMI: HalfPoints = HalfPoints(15);
    let (komi, ruleset) = (header.komi?, ruleset?);
    let is_territory = ruleset.axes.scoring == Scoring::Territory;
    if !is_territory || header.rules.is_empty() || komi != CHINESE_KOMI {
        return None;
    }
    finding(Code::RulesAgainstKomi, format!("{} rules with a komi of {komi}", ruleset.name))
}

/// Compares HA with Black's stones before White's first play.
///
/// Without HA the stones of a setup contradict nothing, and Black's turns in a row do. A position
/// with stones of both players has a handicap only if HA says so.
fn handicap_stones(header: &Header, prefix: &HandicapPrefix) -> Option<Finding> {
    let number = |stones: u32| if stones >= 2 { stones } else { 0 };
    let found = number(prefix.stones.len() as u32);
    let Some(recorded) = header.handicap else {
        let Handicap { plays, passes, .. } = prefix.handicap;
        let detail = format!("Black has {found} stones before White's first play, and HA is missing");
        return if plays > passes + 1 { finding(Code::HandicapStones, detail) } else { None };
    };
    let is_position = !prefix.white_stones.is_empty() && recorded < 2;
    if is_position || number(recorded) == found {
        return None;
    }
    finding(Code::HandicapStones, format!("HA says {recorded}, the record has {found}"))
}

/// Reports handicap stones off the traditional points if the rules fix these points, and HA says
/// that they are a handicap.
fn handicap_formation(header: &Header, prefix: &HandicapPrefix, ruleset: Option<&Ruleset>) -> Option<Finding> {
    if header.handicap.is_none_or(|stones| stones < 2) || ruleset?.axes.handicap_placement != HandicapPlacement::Fixed {
        return None;
    }
    if is_traditional_formation(&prefix.stones, header.size)? {
        return None;
    }
    let names: Vec<String> = prefix.stones.iter().map(|point| point.to_a1(header.size)).collect();
    finding(Code::HandicapFormation, format!("{} stones at {}", names.len(), names.join(" ")))
}

/// Returns true if the stones form a traditional handicap formation, up to rotation and reflection.
///
/// Returns `None` if no formation is known for the board. AGA rules define them for 19x19; on 13x13
/// and 9x9 the function accepts the corner star points for up to four stones.
fn is_traditional_formation(stones: &PointSet, size: BoardSize) -> Option<bool> {
    let side = (size.width() == size.height()).then_some(size.width())?;
    let (low, high, middle) = match side {
        19 => (3, 15, 9),
        13 => (3, 9, 6),
        9 => (2, 6, 4),
        _ => return None,
    };
    let corners = [(low, high), (high, low), (high, high), (low, low)];
    let side_points = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let centre = (middle, middle);
    let formation: Vec<(u8, u8)> = match stones.len() {
        count @ 2..=4 => corners[..count].to_vec(),
        5 if side == 19 => [&corners[..], &[centre]].concat(),
        6 if side == 19 => [&corners[..], &side_points[..2]].concat(),
        7 if side == 19 => [&corners[..], &side_points[..2], &[centre]].concat(),
        8 if side == 19 => [&corners[..], &side_points[..]].concat(),
        9 if side == 19 => [&corners[..], &side_points[..], &[centre]].concat(),
        _ => return None,
    };
    let contains = |symmetry: Symmetry, &(x, y): &(u8, u8)| {
        let (x, y) = symmetry.place(Point::new(x, y), size);
        stones.contains(Point::new(x, y))
    };
    Some(Symmetry::all().any(|symmetry| formation.iter().all(|star_point| contains(symmetry, star_point))))
}

/// Reports a margin that is impossible with this komi, because the board has whole points only.
fn impossible_result(header: &Header, ruleset: Option<&Ruleset>) -> Option<Finding> {
    let (margin, komi) = (header.result.black_minus_white?, header.komi?);
    // Where Black wins ties, records also give margins as with a komi half a point lower.
    let has_halves =
        ruleset.is_some_and(|ruleset| ruleset.axes.button != Button::None || ruleset.axes.tie == Tie::Black);
    if has_halves || (margin + komi).0 % 2 == 0 {
        return None;
    }
    finding(Code::ImpossibleResult, format!("RE[{}] with a komi of {komi}", header.result_text))
}

/// Reports a loser who resigned or ran out of time, but made the last turn.
fn loser_moved_last(header: &Header, tally: &Tally) -> Option<Finding> {
    let ended_early = matches!(header.result.kind, ResultKind::Resignation | ResultKind::Time);
    let loser = header.result.winner?.opponent();
    if !ended_early || tally.last != Some(loser) {
        return None;
    }
    finding(Code::LoserMovedLast, format!("RE[{}], and {} made turn {}", header.result_text, loser.name(), tally.turns))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str, size: BoardSize) -> PointSet {
        text.split(' ').map(|a1| Point::from_a1(a1, size).unwrap()).collect()
    }

    #[test]
    fn formations_are_found_in_every_orientation() {
        let size = BoardSize::standard();
        for stones in
            ["D4 Q16", "Q4 D16", "D4 Q16 D16", "D4 Q16 Q4 D16 K10", "D4 Q16 Q4 D16 K4 K16", "D4 Q16 Q4 D16 D10 Q10 K10"]
        {
            assert_eq!(is_traditional_formation(&points(stones, size), size), Some(true), "{stones}");
        }
        for stones in ["D4 D16", "D4 Q17", "C3 R17", "D4 Q16 K10"] {
            assert_eq!(is_traditional_formation(&points(stones, size), size), Some(false), "{stones}");
        }
        let nine = BoardSize::square(9).unwrap();
        assert_eq!(is_traditional_formation(&points("G3 C7", nine), nine), Some(true));
        assert_eq!(is_traditional_formation(&points("G3 C7 C3 G7 E5", nine), nine), None);
    }
}
