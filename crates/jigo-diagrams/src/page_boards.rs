//! Many boards on one page, as short SVG elements.
//!
//! The lines, star points and coordinates of each board size are drawn once per page, in
//! [`definitions`]. Each board refers to them and contains only its stones and marks: about 4 KB
//! for the end of a game, less than half of [`svg`](crate::svg::svg).

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::label::{LabelAnchor, label};
use crate::svg::{INK, RED, WOOD};
use crate::text::column_letters;
use jigo_rules::board::picture::{Mark, PointContent};
use jigo_rules::board::{BoardSize, Color, Picture};

/// The space around the outer lines, in distances between lines.
const MARGIN: f32 = 1.5;
/// The units of a frame in a distance between lines. Labels need units that are not too large.
const FRAME_STEP: f32 = 20.0;
const BLACK: &str = "#151515";
const WHITE: &str = "#fafafa";

/// Returns the invisible element with the lines and coordinates of the pictures' board sizes. A
/// page that contains [`page_board`] needs it once.
pub fn definitions<'a>(pictures: impl IntoIterator<Item = &'a Picture>) -> Markup {
    let sides = |picture: &Picture| (picture.size().width(), picture.size().height());
    // One picture of each size is enough, because frames contain no stones.
    let mut drawn = BTreeSet::new();
    let frames: Vec<&Picture> = pictures.into_iter().filter(|picture| drawn.insert(sides(picture))).collect();
    html! {
        @if !frames.is_empty() {
            svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true" {
                @for picture in frames {
                    g id=(frame_id(picture.size())) transform=(format!("scale({})", 1.0 / FRAME_STEP)) { (frame(picture)) }
                }
            }
        }
    }
}

/// Returns a whole board with its stones, dead stones, territory and rings on marked points and the
/// last turn, as an `svg` element. `title` describes it for people who can't see it. No other board of the page has
/// the same `id`, which consists of letters and digits.
pub fn page_board(picture: &Picture, title: &str, id: &str) -> Markup {
    let (width, height) = extent(picture.size());
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("{} {} {width} {height}", -MARGIN, -MARGIN)) role="img" aria-label=(title) {
            use href=(format!("#{}", frame_id(picture.size()))) {}
            g fill="none" stroke-linecap="round" { (layers(picture, id)) }
        }
    }
}

fn frame_id(size: BoardSize) -> String {
    format!("frame{}x{}", size.width(), size.height())
}

/// Returns the width and height of a board in distances between lines.
fn extent(size: BoardSize) -> (f32, f32) {
    let side = |lines: u8| f32::from(lines) - 1.0 + 2.0 * MARGIN;
    (side(size.width()), side(size.height()))
}

/// Returns an empty board.
fn frame(picture: &Picture) -> Markup {
    let size = picture.size();
    let at = |index: u8| f32::from(index) * FRAME_STEP;
    let (right, bottom) = (at(size.width() - 1), at(size.height() - 1));
    let ((width, height), margin) = (extent(size), MARGIN * FRAME_STEP);
    let columns = (0..size.width()).map(|x| format!("M{} 0V{bottom}", at(x)));
    let rows = (0..size.height()).map(|y| format!("M0 {}H{right}", at(y)));
    let lines: String = columns.chain(rows).collect();
    let stars = size.iter().filter(|point| picture.is_star(*point));
    let stars: String = stars.map(|point| format!("M{} {}h.01", at(point.x()), at(point.y()))).collect();
    html! {
        rect x=(-margin) y=(-margin) width=(width * FRAME_STEP) height=(height * FRAME_STEP) fill=(WOOD) {}
        path d=(lines) stroke=(INK) fill="none" stroke-linecap="square" {}
        path d=(stars) stroke=(INK) stroke-width="6" stroke-linecap="round" {}
        (coordinates(size, (right, bottom)))
    }
}

/// Returns the names of columns and rows on all four sides.
fn coordinates(size: BoardSize, (right, bottom): (f32, f32)) -> Markup {
    const AWAY: f32 = FRAME_STEP;
    let at = |index: u8| f32::from(index) * FRAME_STEP;
    html! {
        @for x in 0..size.width() {
            @let name = column_letters(x, size);
            @for y in [-AWAY, bottom + AWAY] {
                (label(&name, LabelAnchor::Centre(at(x), y), 1.3, INK))
            }
        }
        @for y in 0..size.height() {
            @for x in [-AWAY, right + AWAY] {
                (label(&(size.height() - y).to_string(), LabelAnchor::Centre(x, at(y)), 1.3, INK))
            }
        }
    }
}

/// Returns the stones and signs of a board from the lowest to the highest.
fn layers(picture: &Picture, id: &str) -> Markup {
    let path = |is_chosen: &dyn Fn(&PointContent) -> bool, shape: &str| {
        let points = picture.size().iter().filter(|point| is_chosen(picture.point(*point)));
        points.map(|point| format!("M{} {}{shape}", point.x(), point.y())).collect::<String>()
    };
    let stones =
        |color: Color, is_dead: bool| path(&|content| content.stone == Some(color) && content.is_dead == is_dead, DOT);
    let squares = |color: Color| path(&|content| content.territory == Some(color) && !content.is_dead, DOT);
    let diamonds = |color: Color| path(&|content| content.area_only == Some(color), DIAMOND);
    // A cross has the colour of the player who captures the stone.
    let crosses = |color: Color| path(&|content| content.is_dead && content.stone == Some(color.opponent()), CROSS);
    // The ring contrasts with the stone.
    let last = |stone: Color| path(&|content| content.mark == Some(Mark::Last) && content.stone == Some(stone), LAST);
    html! {
        (line(&stones(Color::Black, false), BLACK, ".95"))
        (outlined(&stones(Color::White, false), &format!("{id}w"), [".95", ".88"]))
        g opacity=".5" { (line(&stones(Color::Black, true), BLACK, ".95")) (line(&stones(Color::White, true), WHITE, ".95")) }
        g stroke-linecap="square" {
            (line(&squares(Color::Black), BLACK, ".34"))
            (outlined(&squares(Color::White), &format!("{id}t"), [".4", ".34"]))
        }
        @for (color, stroke) in [(Color::Black, BLACK), (Color::White, WHITE)] {
            (line(&diamonds(color), stroke, ".1"))
            (line(&crosses(color), stroke, ".1"))
            (line(&last(color.opponent()), stroke, ".09"))
        }
        (line(&path(&|content| content.mark == Some(Mark::Finding), RING), RED, ".13"))
    }
}

/// A line without a length. Its ends draw a disc or a square.
const DOT: &str = "h0";
const DIAMOND: &str = "m0-.23l.23.23-.23.23-.23-.23z";
const CROSS: &str = "m-.2-.2l.4.4m0-.4l-.4.4";
const LAST: &str = "m-.25 0a.25.25 0 1 0 .5 0a.25.25 0 1 0-.5 0";
const RING: &str = "m-.5 0a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0";

/// Returns a path of one colour and width, or nothing for an empty path.
fn line(path: &str, stroke: &str, width: &str) -> Markup {
    html! { @if !path.is_empty() { path d=(path) stroke=(stroke) stroke-width=(width) {} } }
}

/// Returns a white path with a dark outline. `id` is unique on the page. The widths are those of
/// the outline and of the path.
fn outlined(path: &str, id: &str, [outline, inner]: [&str; 2]) -> Markup {
    html! {
        @if !path.is_empty() {
            defs { path id=(id) d=(path) {} }
            @let href = format!("#{id}");
            use href=(href) stroke="#333" stroke-width=(outline) {}
            use href=(href) stroke=(WHITE) stroke-width=(inner) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::Point;
    use jigo_rules::board::diagram::read;

    fn picture(diagram: &str) -> Picture {
        Picture::from_position(&read(diagram).unwrap())
    }

    #[test]
    fn boards_of_one_size_share_a_frame() {
        let pictures = [picture("X O\n. ."), picture("O .\n. X"), picture("X . O")];
        let definitions = definitions(&pictures).into_string();
        assert_eq!(definitions.matches("<g id=\"frame").count(), 2, "{definitions}");
        let board = page_board(&pictures[2], "a <b>", "n1").into_string();
        assert!(board.contains("href=\"#frame3x1\"") && board.contains("aria-label=\"a &lt;b&gt;\""), "{board}");
        assert!(board.contains("d=\"M0 0h0\"") && board.contains("<path id=\"n1w\" d=\"M2 0h0\">"), "{board}");
        assert!(super::definitions(&[]).into_string().is_empty());
    }

    #[test]
    fn dead_stones_have_crosses_and_marks_rings() {
        let mut picture = picture("X O\n. .");
        picture.point_mut(Point::new(0, 0)).unwrap().is_dead = true;
        picture.mark(Point::new(1, 0), Mark::Finding);
        let board = page_board(&picture, "", "n1").into_string();
        // White captures the dead black stone.
        assert!(board.contains(&format!("d=\"M0 0{CROSS}\" stroke=\"{WHITE}\"")), "{board}");
        assert!(board.contains(&format!("d=\"M1 0{RING}\" stroke=\"{RED}\"")), "{board}");
    }
}
