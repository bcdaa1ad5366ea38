//! Fights of made endings on three board sizes, with the full estimate.
//!
//! A generator drew the boards of `made_fights.txt`: two walls with territory, and between them a
//! corner or an edge with a race, a seki or a group to kill. Two thirds of the fights were then
//! played until neither player gains. An exhaustive search of the corner by another program gave
//! both margins of each board in area: the one if Black plays first, and the one if White does.

#![allow(clippy::unwrap_used)]

use jigo_rules::board::{BoardSize, Color, diagram};
use jigo_score::{Counts, DeadSource, Decider, FinalPosition};

/// Each estimate with a confidence of at least 0.9 has the margin that neither player improves by
/// more than a dame, or on 19x19 by the status of a group. An unsettled fight has no larger gains than the
/// exhaustive search finds.
#[test]
fn confident_estimates_of_made_fights_are_right() {
    let (mut confident, mut gains, mut complete) = (0, 0, 0);
    let fights: Vec<&str> = include_str!("made_fights.txt").trim_end().split("\n\n").collect();
    for fight in &fights {
        let (facts, board) = fight.split_once('\n').unwrap();
        let facts: Vec<&str> = facts.split(' ').collect();
        let [black_first, white_first]: [i32; 2] = [facts[0], facts[1]].map(|margin| margin.parse().unwrap());
        let position = diagram::read(board).unwrap();
        let next = if facts[2] == "B" { Color::Black } else { Color::White };
        let position_to_judge = FinalPosition { position: &position, markup: None, next };
        let ending = Decider::default().decide(position_to_judge, &DeadSource::DEFAULT, None, &mut Vec::new()).unwrap();
        let mut counts = Counts::from_position(&position, &ending.dead);
        let ending = ending.checked_for_fights(&position, &mut counts);
        let margin = counts.area_margin();
        let expected = [black_first - margin, margin - white_first];
        if ending.is_confident(0.9) {
            let most = if position.size() == BoardSize::standard() { 3 } else { 1 };
            assert!(expected.iter().all(|gain| *gain <= most), "{expected:?}\n{fight}");
            assert_eq!(ending.gains_of_first, None);
            confident += 1;
        }
        if let Some(found) = ending.gains_of_first {
            // A limit or a second fight can hide a part of a gain. A player may also gain a dame.
            assert!((0..2).all(|side| found[side] <= expected[side].max(0) + 1), "{found:?} {expected:?}\n{fight}");
            gains += 1;
            complete += usize::from(found == expected.map(|gain| gain.max(0)));
        }
    }
    assert!(fights.len() >= 40 && confident >= 20, "{} {confident}", fights.len());
    assert!(gains >= 10 && complete >= 5, "{gains} {complete}");
}
