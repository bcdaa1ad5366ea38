//! Positions made by hand, each with the reason why its stones live or die, from `fixtures/score`.
//!
//! A file has one kind. A position is a paragraph: the reason on the first line, then perhaps Black's territory and area
//! less White's (eyes in seki and false eyes don't count as territory, no stone was lost before, dame are nobody's), then
//! the diagram, in which `X` and `O` are alive, `x` and `o` dead. The side to move next is tried both ways, because in a
//! finished position it must not matter.

// A malformed fixture is a failure of the test, and here no function is marked as a test's own.
#![allow(clippy::unwrap_used)]

use jigo_rules::board::{BoardSize, Color, Point, Position, diagram};
use jigo_score::Counts;
use jigo_score::playout::estimate;
use jigo_score::settled::settled;
use std::collections::BTreeSet;
use std::path::Path;

struct Case {
    kind: String,
    reason: String,
    /// Black's margin in territory and in area.
    margins: Option<[i32; 2]>,
    position: Position,
    /// The stones of small letters.
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/score");
    let files: BTreeSet<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let of_file = |path: &std::path::PathBuf| {
        let kind = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        text.split("\n\n").map(|paragraph| case(&kind, paragraph)).collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// The case as the other player sees it: turned by half, with the colours exchanged. Its playouts are others.
fn from_the_other_side(case: &Case) -> Case {
    let size = case.position.size();
    let turned = |point: Point| Point::new(size.width() - 1 - point.x(), size.height() - 1 - point.y());
    let mut position = Position::new(size);
    let stones = size.iter().filter_map(|point| Some((turned(point), case.position.stone(point)?.opponent())));
    position.place(stones.map(|(point, color)| (point, Some(color))));
    let dead = case.dead.iter().rev().map(|&point| turned(point)).collect();
    let (kind, reason) = (case.kind.clone(), format!("{}, from the other side", case.reason));
    Case { kind, reason, margins: None, position, dead }
}

/// A failure, readable.
fn report(case: &Case, found: &str) -> String {
    format!("{}: {}: {found}\n{}", case.kind, case.reason, diagram::draw(&case.position))
}

#[test]
fn every_position_by_hand_comes_out_as_its_reason_says() {
    let mut wrong = Vec::new();
    for case in cases() {
        let other = from_the_other_side(&case);
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
fn what_is_settled_is_settled_as_the_reason_says() {
    let mut found = 0;
    for case in cases() {
        let settled = settled(&case.position);
        found += usize::from(settled.is_some());
        assert!(settled.is_none_or(|dead| dead == case.dead), "{}", report(&case, "settled otherwise"));
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn the_points_of_seki_and_false_eyes_come_out_as_counted_by_hand() {
    let mut wrong = Vec::new();
    for case in cases() {
        let counts = Counts::of(&case.position, &case.dead);
        let side = |index: usize| counts.territory_outside_seki[index] as i32 - counts.dead[index] as i32;
        let found = [side(0) - side(1), counts.area_margin()];
        if case.margins.is_some_and(|margins| margins != found) {
            wrong.push(report(&case, &format!("territory and area {found:?}, not {:?}", case.margins)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_position_by_hand_is_one_that_can_be_on_a_board() {
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
fn an_estimate_repeats_itself() {
    for case in cases().iter().filter(|case| case.kind == "seki") {
        assert_eq!(estimate(&case.position, Color::Black), estimate(&case.position, Color::Black));
    }
}

#[test]
fn the_largest_board_is_estimated() {
    let position = Position::new(BoardSize::new(52, 52).unwrap());
    assert_eq!(estimate(&position, Color::Black).dead, []);
}
