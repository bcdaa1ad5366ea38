//! The drawing of a pattern on its page.

use maud::{Markup, html};

use jigo_archive::tables::ContinuationRow;
use jigo_core::pattern::{BoardPattern, Borders, NextPlace, PatternPoint};
use jigo_diagrams::boards::{STEP, board_with_signs};
use jigo_rules::board::{BoardSize, Picture, Point, Position};

/// Returns a pattern with letters on the next turns. A side that is not an edge continues.
pub(super) fn pattern_board(pattern: &BoardPattern, continuations: &[ContinuationRow<'_>]) -> Markup {
    let (size, borders) = (pattern.size(), pattern.borders());
    let is_too_large = size.width().max(size.height()) + 6 > BoardSize::MAX;
    // A part of a board is drawn as such if it omits three lines or more.
    let beyond = |is_edge: bool| if is_edge || is_too_large { 0 } else { 3 };
    let place = |point: Point| Point::new(point.x() + beyond(borders.left), point.y() + beyond(borders.top));
    let last = place(Point::new(size.width() - 1, size.height() - 1));
    let (right, bottom) = (last.x() + 1 + beyond(borders.right), last.y() + 1 + beyond(borders.bottom));
    let mut picture = Picture::from_position(&Position::new(BoardSize::new(right, bottom).unwrap_or(size)));
    for (point, condition) in pattern.iter() {
        if let (PatternPoint::Stone(color), Some(content)) = (condition, picture.point_mut(place(point))) {
            content.stone = Some(color);
        }
    }
    picture.crop(&[place(Point::new(0, 0)), last], 0);
    let letter = |point: Point| {
        let is_on = |row: &&ContinuationRow<'_>| row.next.is_some_and(|next| next.place == NextPlace::Inside(point));
        continuations.iter().find(is_on).and_then(|row| row.letter).map(String::from)
    };
    let signs = html! { @for (point, condition) in pattern.iter() { (sign(place(point), condition, letter(point))) } };
    // Only points of a pattern that is as large as the board have names.
    let board = board_with_signs(&picture, "the pattern with its next turns", borders == Borders::ALL, &signs);
    html! { div.pattern style=(format!("max-width:{}px", 1.8 * STEP * f32::from(size.width() + 1))) { (board) } }
}

/// Returns the sign of a point without a stone. Points with any content are shaded.
fn sign(point: Point, condition: PatternPoint, letter: Option<String>) -> Markup {
    let (x, y) = (STEP * f32::from(point.x()), STEP * f32::from(point.y()));
    let sign = letter.or((condition == PatternPoint::NextTurn).then(|| "*".to_owned()));
    html! {
        @if condition == PatternPoint::Any {
            rect x=(x - STEP / 2.0) y=(y - STEP / 2.0) width=(STEP) height=(STEP) fill="#8c6d3a" opacity=".4" {}
        }
        @if let Some(sign) = sign.filter(|_| !matches!(condition, PatternPoint::Stone(_))) {
            circle cx=(x) cy=(y) r="8.5" fill="#f3dcb2" {}
            text x=(x) y=(y + 4.0) text-anchor="middle" font-size="12" fill="#151515" { (sign) }
        }
    }
}
