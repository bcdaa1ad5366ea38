//! Compares territory, seki and false eyes with a table of positions with known answers, from the
//! folder `JIGO_VECTORS`, or else `tests/vectors`.

// A malformed table fails the test. The lint allows `unwrap` only in test functions, and most
// functions here are helpers.
#![allow(clippy::unwrap_used)]

use jigo_rules::board::{BoardSize, Color, Point, PointSet, Position};
use jigo_score::seki::{Territory, territory};
use serde_json::Value;

fn rows(case: &Value, field: &str) -> Vec<Vec<char>> {
    let rows = case[field].as_array().unwrap().iter();
    rows.map(|row| row.as_str().unwrap().chars().collect()).collect()
}

fn points(size: BoardSize, rows: &[Vec<char>], symbol: char) -> PointSet {
    size.iter().filter(|point| rows[usize::from(point.y())][usize::from(point.x())] == symbol).collect()
}

fn judge(case: &Value) -> (BoardSize, Territory) {
    let side = |index: usize| u8::try_from(case["size"][index].as_u64().unwrap()).unwrap();
    let size = BoardSize::new(side(0), side(1)).unwrap();
    let mut position = Position::new(size);
    for (symbol, color) in [('x', Color::Black), ('o', Color::White)] {
        let stones = points(size, &rows(case, "board"), symbol);
        position.place(stones.iter().map(|point| (point, Some(color))));
    }
    let dead: Vec<Point> = points(size, &rows(case, "marked_dead"), '1').iter().collect();
    let dead: Vec<Point> = dead.into_iter().filter(|&point| position.stone(point).is_some()).collect();
    (size, territory(&position, &dead))
}

/// Returns the fields of a case in which the judgement differs from the table.
fn differences(case: &Value) -> Vec<String> {
    let (size, judged) = judge(case);
    let mut wrong = Vec::new();
    let mut check = |field: &str, found: PointSet, symbol: char| {
        let expected = points(size, &rows(case, field), symbol);
        if found != expected {
            let (extra, missing) = (found.without(&expected), expected.without(&found));
            wrong.push(format!("{field} {symbol}: too many {extra:?}, missing {missing:?}"));
        }
    };
    for (color, symbol) in Color::BOTH.into_iter().zip(['B', 'W']) {
        check("territory", judged.territory[color.index()], symbol);
        check("seki", judged.seki[color.index()], symbol);
    }
    check("false_eye", judged.false_eye, '1');
    for (color, name) in [(Color::Black, "black"), (Color::White, "white")] {
        let prisoners = judged.flooded.dead[color.opponent().index()].len();
        let found = [judged.territory[color.index()].len() + prisoners, judged.flooded.area(color)];
        for (field, found) in ["final_territory", "final_area"].into_iter().zip(found) {
            if case[field][name].as_u64() != Some(found as u64) {
                wrong.push(format!("{field} {name}: {found}, not {}", case[field][name]));
            }
        }
    }
    wrong
}

#[test]
fn judged_points_equal_the_table() {
    let text = std::fs::read_to_string(crate::support::vectors().join("territory_cases.json")).unwrap();
    let table: Value = serde_json::from_str(&text).unwrap();
    let mut failed = 0;
    let cases = table["cases"].as_array().unwrap();
    for case in cases {
        let wrong = differences(case);
        failed += usize::from(!wrong.is_empty());
        wrong.iter().for_each(|line| println!("{}: {line}", case["name"]));
    }
    assert_eq!(failed, 0, "of {} cases", cases.len());
}
