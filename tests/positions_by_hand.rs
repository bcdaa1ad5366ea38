//! Positions made by hand, each with the reason why its stones live or die.
//!
//! In the diagrams `X` and `O` are alive, `x` and `o` dead. The side to move next is tried both ways, because in a
//! finished position it must not matter.

use jigo::board::{Color, Point, Position, diagram};
use jigo::score::playout::estimate;

struct Case {
    reason: &'static str,
    diagram: &'static str,
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { reason: "no stones, nothing dead", diagram: ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . ." },
    Case { reason: "the smallest board, empty", diagram: "." },
    Case { reason: "a lone stone has nobody who could take it", diagram: ". . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . ." },
    Case { reason: "a whole board of one colour with two points left is alive", diagram: ". X X X .\nX X X X X\nX X X X X" },
    Case { reason: "one row: two eyes live", diagram: ". X . X X" },
    Case { reason: "one column: two eyes live", diagram: ".\nX\n.\nX\nX\n" },
    Case { reason: "one row: both have two eyes", diagram: ". X . X O . O ." },
    Case { reason: "two halves with all dame filled", diagram: "
        . . X O . .
        . . X O . .
        . . X O . .
        . . X O . .
        . . X O . .
        . . X O . ." },
    Case { reason: "two halves with a row of dame between", diagram: "
        . . X . O . .
        . . X . O . .
        . . X . O . .
        . . X . O . .
        . . X . O . .
        . . X . O . ." },
    Case { reason: "a lone invader has no room for eyes", diagram: "
        . . . . X O . . .
        . . . . X O . . .
        . . o . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "an invader on either side, and both die", diagram: "
        . . . . X O . . .
        . . . . X O . . .
        . o o . X O . . .
        . . . . X O . x .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "a corner group in atari with one eye", diagram: "
        . o X . X O . . .
        o o X . X O . . .
        X X X . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "two eyes in the corner live among enemies", diagram: "
        . O . O X O . . .
        O O O O X O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "a square of four is one eye, whoever plays first", diagram: "
        . . o X X O . . .
        . . o X X O . . .
        o o o X X O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "four in a row makes two eyes, whoever plays first", diagram: "
        . . . . O X O . .
        O O O O O X O . .
        X X X X X X O . .
        . . . . . X O . .
        . . . . . X O . .
        . . . . . X O . .
        . . . . . X O . .
        . . . . . X O . .
        . . . . . X O . ." },
    Case { reason: "nakade of three in a row: the middle is taken", diagram: "
        . X . o X O . . .
        o o o o X O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "three in a row with the owner's stone in the middle is two eyes", diagram: "
        . O . O X O . . .
        O O O O X O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "nakade of a bent three: the corner itself is the vital point", diagram: "
        X . o X X O . . .
        . o o X X O . . .
        o o X X X O . . .
        X X X . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "nakade of a pyramid of four", diagram: "
        . X . o X O . . .
        o . o o X O . . .
        o o o X X O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "nakade of a bulky five", diagram: "
        . X . o X O . . .
        . . o o X O . . .
        o o o X X O . . .
        X X X X X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "a group on the side whose second eye is false", diagram: "
        X o . o X O . . .
        . o o X X O . . .
        X o X . X O . . .
        X X X . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "seki: one eye each and a dame that neither can fill", diagram: "
        . X . O .
        X X . O O" },
    Case { reason: "seki between edges: two dame, one eye each", diagram: "
        . X . O .
        X X . O O
        X X X O O" },
    Case { reason: "three stones in a walled garden, too few for eyes", diagram: "
        . . . . . . . . .
        . X X X X X X X .
        . X . . . . . X .
        . X . o o o . X .
        . X . . . . . X .
        . X X X X X X X .
        X X X X X X X X X
        O O O O O O O O O
        . . . . . . . . ." },
    Case { reason: "a stone thrown in at the edge is caught", diagram: "
        o . X . X O . . .
        . X X . X O . . .
        . . . . X O . . .
        X X X X X O . . .
        O O O O O O . . .
        . . . . . . . . .
        . . . . . . . . ." },
    Case { reason: "a stone that can be taken in a ko stands where the chains around the ko are alive", diagram: "
        . . X O . . .
        . X . X O . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . X O . . ." },
    Case { reason: "two stones have no room for eyes in a corner of three by four", diagram: "
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . x .
        . . . . X O . x .
        . . . . X O O O O
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "a race that is over: one liberty against four", diagram: "
        . o o o X . . . .
        X X X o X . . . .
        . . X X X . . . .
        . . . . X O O O O
        X X X X X O . . .
        O O O O O O . . .
        . . . . . . . . ." },
    Case { reason: "the living are connected through two points either of which will do", diagram: "
        . X X . X X O . .
        X X . X X O O . .
        X X X X O O . O .
        O O O O O . O O ." },
    Case { reason: "a rectangle: three in a row on each side of a wall", diagram: "
        . . . X O . . .
        . . . X O . . .
        . . . X O . . .
        . . . X O . . .
        . . . X O . . ." },
    Case { reason: "a long group with one eye and one liberty more", diagram: "
        . o X . X O . . .
        o o X . X O . . .
        o X X . X O . . .
        o X . . X O . . .
        . X . . X O . . .
        X X . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "two groups with one eye each, in two corners, both dead", diagram: "
        . o X . X O x x .
        o o X . X O O x x
        X X X . X O O O O
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . .
        . . . . X O . . ." },
    Case { reason: "two chains around one corner point have one eye between them", diagram: "
        . x x O . .
        x O O O . .
        x O . O . .
        O O O O . .
        . . . . . ." },
    Case { reason: "a lone stone on a large board that is not square", diagram: "
        . . . . . . . . . . X O . . . . .
        . . . . . . . . . . X O . . . . .
        . . . o . . . . . . X O . . . . .
        . . . . . . . . . . X O . . . . .
        . . . . . . . . . . X O . . . . .
        X X X X X X X X X X X O . . . . .
        O O O O O O O O O O O O . . . . .
        . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . ." },
];

/// The points of small letters: the stones that are dead.
fn expected(position: &Position, diagram: &str) -> Vec<Point> {
    let stones: Vec<char> = diagram.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    let points = position.size().iter().zip(stones);
    points.filter(|(_, symbol)| symbol.is_lowercase()).map(|(point, _)| point).collect()
}

#[test]
fn every_position_by_hand_comes_out_as_its_reason_says() {
    let mut wrong = Vec::new();
    for case in CASES {
        let position = diagram::read(case.diagram).unwrap();
        for next in Color::BOTH {
            let dead = estimate(&position, next).dead;
            if dead != expected(&position, case.diagram) {
                wrong.push(format!("{}: {} next, dead {dead:?}{position:?}", case.reason, next.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_estimate_repeats_itself() {
    let position = diagram::read(CASES[10].diagram).unwrap();
    assert_eq!(estimate(&position, Color::Black), estimate(&position, Color::Black));
}

#[test]
fn the_largest_board_is_estimated() {
    let position = Position::new(jigo::board::BoardSize::new(52, 52).unwrap());
    assert_eq!(estimate(&position, Color::Black).dead, []);
}
