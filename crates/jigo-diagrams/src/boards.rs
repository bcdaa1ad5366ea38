//! Boards as SVG without fonts, style sheets or scripts.
//!
//! Many boards on one page share the lines, star points and coordinates of their size, which
//! [`definitions`] draws once. Each [`page_board`] contains only its stones and marks: about 4 KB
//! for the end of a game, less than half of a [`board`].

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::glyphs::{LabelAnchor, label};
use crate::text::column_letters;
use jigo_rules::board::{BoardSize, Color, Mark, Picture, Point, PointContent};

/// The distance between lines of the board. Point 0, 0 of the board is the origin.
pub const STEP: f32 = 20.0;
/// The space around the outer lines, for coordinates.
const MARGIN: f32 = 30.0;
/// The distance of coordinates from the outer lines.
const AWAY: f32 = 20.0;
/// The colour of the board.
const WOOD: &str = "#e3b56a";
/// The colour of lines and coordinates.
const INK: &str = "#4a3312";
/// The colour of marks.
const RED: &str = "#d3122b";
const BLACK: &str = "#151515";
const WHITE: &str = "#fafafa";

/// Returns the invisible element with the lines and coordinates of the pictures' board sizes. A
/// page that contains [`page_board`] needs it once.
pub fn definitions<'a>(pictures: impl IntoIterator<Item = &'a Picture>) -> Markup {
    // One picture of each size is enough, because frames contain no stones.
    let mut drawn = BTreeSet::new();
    let frames: Vec<&Picture> = pictures.into_iter().filter(|picture| drawn.insert(frame_id(picture.size()))).collect();
    html! {
        @if !frames.is_empty() {
            svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true" {
                @for picture in frames { g id=(frame_id(picture.size())) { (frame(picture, true)) } }
            }
        }
    }
}

fn frame_id(size: BoardSize) -> String {
    format!("frame{}x{}", size.width(), size.height())
}

/// Returns a whole board as an `svg` element, which refers to the [`definitions`] of its page.
/// `title` describes it for people who can't see it. No other board of the page has the same `id`,
/// which consists of letters and digits.
pub fn page_board(picture: &Picture, title: &str, id: &str) -> Markup {
    let frame = html! { use href=(format!("#{}", frame_id(picture.size()))) {} };
    element(picture, title, 0.0, &html! { (frame) (layers(picture, Some(id))) })
}

/// Returns the drawn part of a board as an `svg` element that needs no definitions. `title` describes
/// it for people who can't see it.
pub fn board(picture: &Picture, title: &str) -> Markup {
    board_with_signs(picture, title, true, &html! {})
}

/// Returns a [`board`] with more signs on it, whose points are [`STEP`] apart. Without names, the
/// picture is a part of any board, which has no coordinates or star points.
pub fn board_with_signs(picture: &Picture, title: &str, has_names: bool, signs: &Markup) -> Markup {
    let content = html! { (frame(picture, has_names)) (layers(picture, None)) (signs) };
    element(picture, title, if has_names { 0.0 } else { MARGIN / 2.0 }, &content)
}

/// Returns an element without the outer `border` of a drawing.
fn element(picture: &Picture, title: &str, border: f32, content: &Markup) -> Markup {
    let ((left, top), (width, height)) = (corner(picture), extent(picture));
    let ((left, top), (width, height)) = ((left + border, top + border), (width - 2.0 * border, height - 2.0 * border));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("{left} {top} {width} {height}")) role="img" aria-label=(title) { (content) }
    }
}

/// Returns the drawn part of a board with its lines and coordinates.
pub(crate) fn drawing(picture: &Picture) -> Markup {
    html! { (frame(picture, true)) (layers(picture, None)) }
}

/// Returns the upper left corner of a drawing.
pub(crate) fn corner(picture: &Picture) -> (f32, f32) {
    (at(picture.columns().start) - MARGIN, at(picture.rows().start) - MARGIN)
}

/// Returns the width and height of a drawing.
pub(crate) fn extent(picture: &Picture) -> (f32, f32) {
    let side = |lines: usize| (lines as f32 - 1.0) * STEP + 2.0 * MARGIN;
    (side(picture.columns().len()), side(picture.rows().len()))
}

/// Returns the place of a line.
fn at(line: u8) -> f32 {
    f32::from(line) * STEP
}

fn points(picture: &Picture) -> impl Iterator<Item = Point> + '_ {
    picture.rows().flat_map(|y| picture.columns().map(move |x| Point::new(x, y)))
}

/// Returns an empty board, with coordinates and star points if it `has_names`.
fn frame(picture: &Picture, has_names: bool) -> Markup {
    let ((left, top), (width, height)) = (corner(picture), extent(picture));
    let stars = points(picture).filter(|point| picture.is_star(*point));
    let stars: String = stars.map(|point| format!("M{} {}h.01", at(point.x()), at(point.y()))).collect();
    html! {
        rect x=(left) y=(top) width=(width) height=(height) fill=(WOOD) {}
        path d=(lines(picture)) stroke=(INK) fill="none" stroke-linecap="square" {}
        @if has_names {
            path d=(stars) stroke=(INK) stroke-width="6" stroke-linecap="round" {}
            (coordinates(picture))
        }
    }
}

/// Returns the lines of the board. They extend beyond the edge of a picture that shows only a part
/// of the board.
fn lines(picture: &Picture) -> String {
    let (columns, rows, size) = (picture.columns(), picture.rows(), picture.size());
    let extension = |is_partial: bool| if is_partial { STEP / 2.0 } else { 0.0 };
    let (left, top) = (at(columns.start) - extension(columns.start > 0), at(rows.start) - extension(rows.start > 0));
    let right = at(columns.end - 1) + extension(columns.end < size.width());
    let bottom = at(rows.end - 1) + extension(rows.end < size.height());
    let columns = columns.map(|x| format!("M{} {top}V{bottom}", at(x)));
    columns.chain(rows.map(|y| format!("M{left} {}H{right}", at(y)))).collect()
}

/// Returns the names of columns and rows on all four sides.
fn coordinates(picture: &Picture) -> Markup {
    let (columns, rows, size) = (picture.columns(), picture.rows(), picture.size());
    html! {
        @for x in columns.clone() {
            @for y in [at(rows.start) - AWAY, at(rows.end - 1) + AWAY] {
                (label(&column_letters(x, size), LabelAnchor::Centre(at(x), y), 1.3, INK))
            }
        }
        @for y in rows {
            @for x in [at(columns.start) - AWAY, at(columns.end - 1) + AWAY] {
                (label(&(size.height() - y).to_string(), LabelAnchor::Centre(x, at(y)), 1.3, INK))
            }
        }
    }
}

/// Returns the stone of a point, or that of its number, which may be no longer on the board.
fn stone(content: &PointContent) -> Option<Color> {
    content.stone.or(content.number.map(|(_, color)| color))
}

/// Returns the stones and signs of a board from the lowest to the highest. Without an `id`, white
/// paths are repeated instead of shared.
fn layers(picture: &Picture, id: Option<&str>) -> Markup {
    let name = |layer: char| id.map(|id| format!("{id}{layer}"));
    let path = |is_chosen: &dyn Fn(&PointContent) -> bool, shape: &str| {
        let chosen = points(picture).filter(|point| is_chosen(picture.point(*point)));
        chosen.map(|point| format!("M{} {}{shape}", point.x(), point.y())).collect::<String>()
    };
    let stones = |color: Color, is_faint: bool| {
        let is_chosen = |content: &PointContent| {
            stone(content) == Some(color) && (content.is_dead || content.stone.is_none()) == is_faint
        };
        path(&is_chosen, DOT)
    };
    let squares = |color: Color| path(&|content| content.territory == Some(color) && !content.is_dead, DOT);
    let diamonds = |color: Color| path(&|content| content.area_only == Some(color), DIAMOND);
    // A cross has the colour of the player who captures the stone.
    let crosses = |color: Color| path(&|content| content.is_dead && content.stone == Some(color.opponent()), CROSS);
    // The ring contrasts with the stone.
    let last = |on: Option<Color>| path(&|content| content.mark == Some(Mark::Last) && stone(content) == on, LAST);
    html! {
        g fill="none" stroke-linecap="round" transform=(format!("scale({STEP})")) {
            (line(&stones(Color::Black, false), BLACK, ".95"))
            (outlined(&stones(Color::White, false), name('w'), [".95", ".88"]))
            g opacity=".5" { (line(&stones(Color::Black, true), BLACK, ".95")) (outlined(&stones(Color::White, true), name('f'), [".95", ".88"])) }
            g stroke-linecap="square" {
                (line(&squares(Color::Black), BLACK, ".34"))
                (outlined(&squares(Color::White), name('t'), [".4", ".34"]))
            }
            @for (color, stroke) in [(Color::Black, BLACK), (Color::White, WHITE)] {
                (line(&diamonds(color), stroke, ".1"))
                (line(&crosses(color), stroke, ".1"))
                (line(&last(Some(color.opponent())), stroke, ".09"))
            }
            (line(&last(None), RED, ".09"))
            (line(&path(&|content| content.mark == Some(Mark::Finding), RING), RED, ".13"))
        }
        (numbers(picture))
    }
}

fn numbers(picture: &Picture) -> Markup {
    html! {
        @for point in points(picture) {
            @if let Some((number, color)) = picture.point(point).number {
                @let text = number.to_string();
                @let scale = match text.len() { 1 => 1.75, 2 => 1.35, _ => 1.0 };
                @let ink = if color == Color::Black { WHITE } else { BLACK };
                (label(&text, LabelAnchor::Centre(at(point.x()), at(point.y())), scale, ink))
            }
        }
    }
}

/// A line almost without a length. Its ends draw a disc or a square.
const DOT: &str = "h.01";
const DIAMOND: &str = "m0-.23l.23.23-.23.23-.23-.23z";
const CROSS: &str = "m-.2-.2l.4.4m0-.4l-.4.4";
const LAST: &str = "m-.25 0a.25.25 0 1 0 .5 0a.25.25 0 1 0-.5 0";
const RING: &str = "m-.5 0a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0";

/// Returns a path of one colour and width, or nothing for an empty path.
fn line(path: &str, stroke: &str, width: &str) -> Markup {
    html! { @if !path.is_empty() { path d=(path) stroke=(stroke) stroke-width=(width) {} } }
}

/// Returns a white path with a dark outline. A path with an `id` is written once. The widths are
/// those of the outline and of the path.
fn outlined(path: &str, id: Option<String>, widths: [&str; 2]) -> Markup {
    html! {
        @if let Some(id) = id.filter(|_| !path.is_empty()) {
            defs { path id=(id) d=(path) {} }
            @for (stroke, width) in ["#333", WHITE].into_iter().zip(widths) {
                use href=(format!("#{id}")) stroke=(stroke) stroke-width=(width) {}
            }
        } @else {
            @for (stroke, width) in ["#333", WHITE].into_iter().zip(widths) { (line(path, stroke, width)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert!(board.contains("d=\"M0 0h.01\"") && board.contains("<path id=\"n1w\" d=\"M2 0h.01\">"), "{board}");
        assert!(super::definitions(&[]).into_string().is_empty());
    }

    #[test]
    fn dead_stones_have_crosses_and_marks_rings() {
        let mut picture = picture("X O\n. .");
        picture.point_mut(Point::new(0, 0)).unwrap().is_dead = true;
        picture.mark(Point::new(1, 0), Mark::Finding);
        picture.mark(Point::new(1, 1), Mark::Last);
        let board = page_board(&picture, "", "n1").into_string();
        // White captures the dead black stone.
        assert!(board.contains(&format!("d=\"M0 0{CROSS}\" stroke=\"{WHITE}\"")), "{board}");
        assert!(board.contains(&format!("d=\"M1 0{RING}\" stroke=\"{RED}\"")), "{board}");
        assert!(board.contains(&format!("d=\"M1 1{LAST}\" stroke=\"{RED}\"")), "{board}");
    }

    #[test]
    fn titles_are_escaped_and_elements_closed() {
        let svg = board(&picture("X O .\n. X ."), "<script>\"&").into_string();
        assert!(!svg.contains("<script>"));
        assert!(svg.contains("aria-label=\"&lt;script&gt;&quot;&amp;\""));
        let count = |text: &str| svg.matches(text).count();
        for name in ["path", "g", "rect"] {
            assert_eq!(count(&format!("<{name} ")), count(&format!("</{name}>")), "{name}");
        }
    }

    #[test]
    fn lines_of_a_partial_board_extend_beyond_it() {
        let mut picture = picture("X O . . . .\n. X . . . .\n. . . . . .");
        assert!(lines(&picture).starts_with("M0 0V40"), "{}", lines(&picture));
        picture.crop(&[Point::new(0, 0)], 1);
        assert_eq!((picture.columns(), picture.rows()), (0..2, 0..3));
        assert!(lines(&picture).contains("H30"));
    }
}
