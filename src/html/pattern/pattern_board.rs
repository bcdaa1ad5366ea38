//! The drawing of a pattern on its page.

use maud::{Markup, html};

use jigo_archive::tables::ContinuationRow;
use jigo_core::pattern::{BoardPattern, Borders, NextPlace, PatternPoint};
use jigo_rules::board::{Color, Picture, Point, Position};

/// The distance between lines of the board.
const STEP: f32 = 20.0;
/// The space around the outer lines.
const MARGIN: f32 = 14.0;
/// The same space with the names of columns and rows.
const MARGIN_WITH_NAMES: f32 = 26.0;
const WOOD: &str = "#e3b56a";
const INK: &str = "#4a3312";

/// The drawing of a pattern, with letters on the next turns.
pub(super) struct PatternBoard<'a> {
    pub pattern: &'a BoardPattern,
    pub continuations: &'a [ContinuationRow<'a>],
}

impl PatternBoard<'_> {
    /// Returns the drawing.
    pub(super) fn svg(&self) -> Markup {
        let (width, height) = self.extent();
        html! {
            svg.pattern xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}"))
                style=(format!("max-width:{}px", 1.8 * width)) role="img" aria-label="the pattern with its next turns" {
                rect width=(width) height=(height) fill=(WOOD) {}
                path d=(self.lines()) stroke=(INK) stroke-width="1" fill="none" stroke-linecap="square" {}
                @if self.has_names() { (self.stars()) (self.names()) }
                @for (point, condition) in self.pattern.iter() { (self.point(point, condition)) }
            }
        }
    }

    /// Returns true if the pattern is as large as the board, so that its points have names.
    fn has_names(&self) -> bool {
        self.pattern.borders() == Borders::ALL
    }

    fn margin(&self) -> f32 {
        if self.has_names() { MARGIN_WITH_NAMES } else { MARGIN }
    }

    fn extent(&self) -> (f32, f32) {
        let side = |length: u8| f32::from(length - 1) * STEP + 2.0 * self.margin();
        let size = self.pattern.size();
        (side(size.width()), side(size.height()))
    }

    fn place(&self, point: Point) -> (f32, f32) {
        let at = |index: u8| self.margin() + f32::from(index) * STEP;
        (at(point.x()), at(point.y()))
    }

    /// Returns the lines of the board. They extend beyond a side that is not an edge.
    fn lines(&self) -> String {
        let (size, borders) = (self.pattern.size(), self.pattern.borders());
        let ((width, height), margin) = (self.extent(), self.margin());
        let start = |is_edge: bool| if is_edge { margin } else { 0.0 };
        let end = |is_edge: bool, length: f32| if is_edge { length - margin } else { length };
        let (left, right) = (start(borders.left), end(borders.right, width));
        let (top, bottom) = (start(borders.top), end(borders.bottom, height));
        let columns = (0..size.width()).map(|x| format!("M{} {top}V{bottom}", self.place(Point::new(x, 0)).0));
        let rows = (0..size.height()).map(|y| format!("M{left} {}H{right}", self.place(Point::new(0, y)).1));
        columns.chain(rows).collect()
    }

    fn stars(&self) -> Markup {
        let picture = Picture::from_position(&Position::new(self.pattern.size()));
        html! {
            @for point in picture.size().iter().filter(|point| picture.is_star(*point)) {
                @let (x, y) = self.place(point);
                circle cx=(x) cy=(y) r="3" fill=(INK) {}
            }
        }
    }

    /// Returns the names of columns and rows.
    fn names(&self) -> Markup {
        let size = self.pattern.size();
        html! {
            @for x in 0..size.width() {
                @let name = Point::new(x, 0).to_a1(size);
                (text(name.trim_end_matches(|symbol: char| symbol.is_ascii_digit()), (self.place(Point::new(x, 0)).0, 8.0), INK))
            }
            @for y in 0..size.height() {
                (text(&(size.height() - y).to_string(), (8.0, self.place(Point::new(0, y)).1), INK))
            }
        }
    }

    /// Returns a stone, or the sign of a point without one. Points with any content are shaded.
    fn point(&self, point: Point, condition: PatternPoint) -> Markup {
        let (x, y) = self.place(point);
        let stone =
            |fill: &str| html! { circle cx=(x) cy=(y) r="9.2" fill=(fill) stroke="#151515" stroke-width=".7" {} };
        let letter = self.letter(point).map(String::from);
        match condition {
            PatternPoint::Stone(Color::Black) => stone("#151515"),
            PatternPoint::Stone(Color::White) => stone("#fafafa"),
            _ => html! {
                @if condition == PatternPoint::Any {
                    rect x=(x - STEP / 2.0) y=(y - STEP / 2.0) width=(STEP) height=(STEP) fill="#8c6d3a" opacity=".4" {}
                }
                @let sign = letter.or((condition == PatternPoint::NextTurn).then(|| "*".to_owned()));
                @if let Some(sign) = sign {
                    circle cx=(x) cy=(y) r="8.5" fill="#f3dcb2" {}
                    (text(&sign, (x, y), "#151515"))
                }
            },
        }
    }

    /// Returns the letter of a next turn on a point.
    fn letter(&self, point: Point) -> Option<char> {
        let is_on = |row: &&ContinuationRow<'_>| row.next.is_some_and(|next| next.place == NextPlace::Inside(point));
        self.continuations.iter().find(is_on).and_then(|row| row.letter)
    }
}

/// Returns a text whose centre is at a place.
fn text(text: &str, (x, y): (f32, f32), color: &str) -> Markup {
    html! { text x=(x) y=(y + 4.0) text-anchor="middle" font-size="12" fill=(color) { (text) } }
}
