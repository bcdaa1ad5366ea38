//! Hand-made positions from `fixtures/score`, each with the reason why its stones live or die.
//!
//! A file has one kind. A position is a paragraph. Its first line is the reason. An optional line
//! has Black's territory and area less White's: eyes in seki and false eyes are not territory, no
//! stone was lost earlier, and dame are neutral. Then comes the diagram, in which `X` and `O` are
//! alive, `x` and `o` dead. Each position is tried with both players to move, because in a finished
//! position that must not matter.

// A malformed fixture fails the test. The lint allows `unwrap` only in test functions, and most
// functions here are helpers.
#![allow(clippy::unwrap_used)]

use jigo_rules::board::{BoardSize, Color, Point, Position, diagram};
use jigo_score::Counts;
use jigo_score::pass_alive::settled_dead_stones;
use jigo_score::playout::estimate;
use std::collections::BTreeSet;

struct Case {
    kind: String,
    reason: String,
    /// Black's margin in territory and in area.
    margins: Option<[i32; 2]>,
    position: Position,
    /// The stones drawn with small letters.
    dead: Vec<Point>,
}

fn margins(line: &str) -> Option<[i32; 2]> {
    let (territory, area) = line.strip_prefix("territory ")?.split_once(", area ")?;
    Some([territory, area].map(|number| number.parse().unwrap()))
}

fn case(kind: &str, paragraph: &str) -> Case {
    let (reason, rest) = paragraph.trim().split_once('\n').unwrap();
    let (first, others) = rest.split_once('\n').unwrap_or((rest, ""));
    let margins = margins(first);
    let diagram = if margins.is_some() { others } else { rest };
    let position = diagram::read(diagram).unwrap();
    let symbols = diagram.chars().filter(|symbol| !symbol.is_whitespace());
    let points = position.size().iter().zip(symbols);
    let dead = points.filter(|(_, symbol)| symbol.is_lowercase()).map(|(point, _)| point).collect();
    Case { kind: kind.to_owned(), reason: reason.to_owned(), margins, position, dead }
}

fn cases() -> Vec<Case> {
    let folder = crate::support::root().join("fixtures/score");
    let files: BTreeSet<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let of_file = |path: &std::path::PathBuf| {
        let kind = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        text.split("\n\n").map(|paragraph| case(&kind, paragraph)).collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// Returns the case from the other player's view: rotated by 180 degrees, with exchanged colours.
/// Its playouts differ.
fn turned_and_exchanged(case: &Case) -> Case {
    let size = case.position.size();
    let turned = |point: Point| Point::new(size.width() - 1 - point.x(), size.height() - 1 - point.y());
    let mut position = Position::new(size);
    let stones = size.iter().filter_map(|point| Some((turned(point), case.position.stone(point)?.opponent())));
    position.place(stones.map(|(point, color)| (point, Some(color))));
    let dead = case.dead.iter().rev().map(|&point| turned(point)).collect();
    let (kind, reason) = (case.kind.clone(), format!("{}, from the other side", case.reason));
    Case { kind, reason, margins: None, position, dead }
}

/// Returns a readable description of a failure.
fn report(case: &Case, found: &str) -> String {
    format!("{}: {}: {found}\n{}", case.kind, case.reason, diagram::draw(&case.position))
}

#[test]
fn estimates_of_hand_made_positions_match_their_reasons() {
    let mut wrong = Vec::new();
    for case in cases() {
        let other = turned_and_exchanged(&case);
        for (case, next) in [&case, &other].into_iter().flat_map(|case| Color::BOTH.map(|next| (case, next))) {
            let dead = estimate(&case.position, next).dead;
            if dead != case.dead {
                wrong.push(report(case, &format!("{} next, dead {dead:?}", next.name())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn settled_stones_match_the_reasons() {
    let mut found = 0;
    for case in cases() {
        let settled = settled_dead_stones(&case.position);
        found += usize::from(settled.is_some());
        assert!(settled.is_none_or(|dead| dead == case.dead), "{}", report(&case, "settled otherwise"));
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn seki_and_false_eye_points_match_hand_counts() {
    let mut wrong = Vec::new();
    for case in cases() {
        let counts = Counts::from_position(&case.position, &case.dead);
        let side = |index: usize| counts.territory_outside_seki[index] as i32 - counts.dead[index] as i32;
        let found = [side(0) - side(1), counts.area_margin()];
        if case.margins.is_some_and(|margins| margins != found) {
            wrong.push(report(&case, &format!("territory and area {found:?}, not {:?}", case.margins)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn hand_made_positions_are_legal() {
    for case in cases() {
        let is_empty = |point: Point| case.position.stone(point).is_none();
        let has_liberty = |stone| {
            let mut chain = case.position.chain(stone);
            chain.any(|stone| case.position.neighbours(stone).any(is_empty))
        };
        let mut stones = case.position.size().iter().filter(|&point| !is_empty(point));
        assert!(stones.all(has_liberty), "{}", report(&case, "a chain without liberties"));
    }
    assert!(cases().len() >= 66, "{}", cases().len());
}

#[test]
fn estimate_is_repeatable() {
    for case in cases().iter().filter(|case| case.kind == "seki") {
        assert_eq!(estimate(&case.position, Color::Black), estimate(&case.position, Color::Black));
    }
}

#[test]
fn largest_board_is_estimated() {
    let position = Position::new(BoardSize::new(52, 52).unwrap());
    assert_eq!(estimate(&position, Color::Black).dead, []);
}
