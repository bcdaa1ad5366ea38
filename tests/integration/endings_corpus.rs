//! Estimates against recorded margins, over a sample of the corpus in the folder that `JIGO_CORPUS` names: `manifest.csv`
//! and, beside it, the collections with one game a line.

// A malformed corpus is a failure of the test, and here only one function is marked as a test's own.
#![allow(clippy::unwrap_used)]

use jigo_core::board::{BoardSize, Color, Point, Position};
use jigo_core::score::territory::flooded;
use jigo_core::score::{DeadSource, Decider};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// One game in so many is looked at.
const STEP: usize = 2;

struct Ending {
    position: Position,
    next: Color,
    /// Stones captured during play, Black's first.
    lost: [i64; 2],
}

/// Replays the moves of a game that is one line of SGF on a board of 19x19.
fn replay(line: &str) -> Ending {
    let mut ending = Ending { position: Position::new(BoardSize::standard()), next: Color::Black, lost: [0, 0] };
    let moves = line.match_indices(";").map(|(at, _)| &line.as_bytes()[at + 1..]);
    for node in moves {
        let color = match node {
            [b'B', b'[', ..] => Color::Black,
            [b'W', b'[', ..] => Color::White,
            _ => continue,
        };
        ending.next = color.opponent();
        let [_, _, column, row, b']', ..] = node else { continue };
        let Some(point) = Point::from_sgf(*column, *row) else { continue };
        if ending.position.stone(point).is_none() && BoardSize::standard().contains(point) {
            let played = ending.position.play(color, point, &mut Vec::new());
            ending.lost[color.opponent().index()] += i64::from(played.captured);
            ending.lost[color.index()] += i64::from(played.suicide);
        }
    }
    ending
}

/// Black's lead before komi, as the servers count it: every region that touches one colour only is that colour's.
fn black_lead(ending: &Ending, dead: &[Point], area: bool) -> i64 {
    let count = flooded(&ending.position, dead);
    let side = |color: Color| {
        let index = color.index();
        let territory = count.territory[index].len() as i64 - ending.lost[index] - count.dead[index].len() as i64;
        if area { count.area(color) as i64 } else { territory }
    };
    side(Color::Black) - side(Color::White)
}

/// Whether a row's margin is evidence: counted, between moves that belong to it, and no sentinel.
fn is_evidence(row: &HashMap<String, String>) -> bool {
    let sentinel = ["0", "0.0", "0.02", "0.03"].contains(&row["margin"].as_str());
    let elsewhere = row["oddities"].contains("roundmismatch") || row["setup_nodes"] != "0" || row["handicap"] != "0";
    row["result_kind"] == "score" && !row["truth_rule"].is_empty() && !sentinel && !elsewhere
}

#[derive(Debug, Default)]
struct Counts {
    games: u32,
    exact: u32,
    sure: u32,
    /// Of the games that static evaluation decides alone and in which an engine counts what the record says: all, and wrong ones.
    by_static: [u32; 2],
    /// Of the games in which an engine counts what the record says: all, exact, right winner, sure, sure and exact.
    agreed: [u32; 5],
    /// The misses among them by what would have to be otherwise.
    misses: BTreeMap<&'static str, u32>,
}

/// What would have to be otherwise for a miss to be the recorded margin.
fn class_of(ending: &Ending, dead: &[Point], area: bool, recorded: f64) -> &'static str {
    const LARGE: usize = 8;
    let position = &ending.position;
    let heads = position.size().iter().filter(|&point| position.chain_head(point) == Some(point));
    let chains: Vec<Vec<Point>> = heads.map(|head| position.chain(head).collect()).collect();
    let toggled = |dead: &[Point], chain: &[Point]| -> Vec<Point> {
        let (gone, kept): (Vec<Point>, Vec<Point>) = dead.iter().partition(|point| chain.contains(point));
        if gone.is_empty() { [&kept[..], chain].concat() } else { kept }
    };
    let explains = |dead: &[Point]| black_lead(ending, dead, area) as f64 == recorded;
    let one: Vec<&Vec<Point>> = chains.iter().filter(|chain| explains(&toggled(dead, chain))).collect();
    if let Some(largest) = one.iter().max_by_key(|chain| chain.len()) {
        return match (largest.len() >= LARGE, dead.contains(&largest[0])) {
            (true, true) => "a large chain lives that was taken for dead",
            (true, false) => "a large chain is dead that was taken for alive",
            (false, _) => "a small chain has the other status",
        };
    }
    let several: Vec<&Vec<Point>> = chains.iter().filter(|chain| chain.len() > 2).collect();
    let has_pair = several.iter().enumerate().any(|(at, one)| {
        let without = toggled(dead, one);
        several[..at].iter().any(|other| explains(&toggled(&without, other)))
    });
    if has_pair { "two chains have the other status" } else { "three chains and more, or points nobody has closed" }
}

fn look(folder: &Path, order: &[DeadSource]) -> Counts {
    let mut decider = Decider::default();
    let mut counts = Counts::default();
    let mut collections: HashMap<String, Vec<String>> = HashMap::new();
    let mut manifest = csv::Reader::from_path(folder.join("manifest.csv")).unwrap();
    let rows = manifest.deserialize().map(|row: Result<HashMap<String, String>, _>| row.unwrap());
    for row in rows.filter(is_evidence).step_by(STEP) {
        let games = collections.entry(row["file"].clone()).or_insert_with(|| {
            let bytes = std::fs::read(folder.join(&row["file"])).unwrap();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        let ending = replay(&games[number("game_index") as usize]);
        let estimate = decider.decide((&ending.position, None), ending.next, order, None, &mut Vec::new()).unwrap();
        let confidence = estimate.confidence.unwrap_or(1.0);
        let area = row["truth_rule"] == "area";
        let lead = black_lead(&ending, &estimate.dead, area) as f64;
        let recorded = number("recorded_black_lead");
        let engine = number(if area { "engine_area_lead" } else { "engine_territory_lead" });
        let (exact, sure) = (lead == recorded, confidence >= 0.9);
        let winner = (lead > number("komi")) == (recorded > number("komi"));
        counts.games += 1;
        counts.exact += u32::from(exact);
        counts.sure += u32::from(sure);
        if engine == recorded {
            if estimate.source == DeadSource::Static {
                counts.by_static[0] += 1;
                counts.by_static[1] += u32::from(!exact);
            }
            for (count, is_one) in counts.agreed.iter_mut().zip([true, exact, winner, sure, sure && exact]) {
                *count += u32::from(is_one);
            }
            if !exact {
                *counts.misses.entry(class_of(&ending, &estimate.dead, area, recorded)).or_default() += 1;
            }
        }
    }
    counts
}

fn come_out(order: &[DeadSource]) -> Option<Counts> {
    let counts = look(Path::new(&crate::support::corpus()?), order);
    println!("{counts:?}");
    counts.misses.iter().for_each(|(class, misses)| println!("{misses:4} {class}"));
    let [agreed, exact, winner, sure, sure_and_exact] = counts.agreed.map(f64::from);
    let games = f64::from(counts.games);
    assert!(f64::from(counts.exact) >= 0.93 * games);
    assert!(exact >= 0.998 * agreed);
    assert!(winner >= 0.998 * agreed);
    assert!(f64::from(counts.sure) >= 0.97 * games);
    assert!(sure_and_exact >= 0.998 * sure);
    Some(counts)
}

#[test]
fn recorded_margins_come_out_by_playouts_alone() {
    come_out(&[DeadSource::Settled, DeadSource::Playouts]);
}

#[test]
fn recorded_margins_come_out_with_static_evaluation_before_playouts() {
    let Some(counts) = come_out(&DeadSource::DEFAULT) else { return };
    let [all, wrong] = counts.by_static;
    assert!(2 * all > counts.agreed[0], "static evaluation decides most endings");
    assert!(wrong <= 1, "{wrong} of {all} that static evaluation decides alone");
}
