//! Pictures as SVG without fonts, style sheets or scripts, so that they need no other file.

use maud::{Markup, html};

use crate::glyphs::{ADVANCE, strokes};
use crate::label::{LabelAnchor, label};
use crate::text::column_letters;
use jigo_rules::board::picture::Mark;
use jigo_rules::board::{Color, Picture, Point};

/// The distance between lines of the board.
const STEP: f32 = 20.0;
/// The space for coordinates around the lines.
const MARGIN: f32 = 34.0;
/// The colour of the board.
pub(crate) const WOOD: &str = "#e3b56a";
/// The colour of lines and coordinates.
pub(crate) const INK: &str = "#4a3312";
/// The colour of marks.
pub(crate) const RED: &str = "#d3122b";

/// Returns the width and height of a picture in its own units.
pub fn extent(picture: &Picture) -> (f32, f32) {
    let side = |lines: usize| (lines as f32 - 1.0) * STEP + 2.0 * MARGIN;
    (side(picture.columns().len()), side(picture.rows().len()))
}

/// Returns a picture as an `svg` element. `title` describes it for people who can't see it.
pub fn svg(picture: &Picture, title: &str) -> Markup {
    let (width, height) = extent(picture);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(title) {
            title { (title) }
            (Canvas { picture }.layers())
        }
    }
}

/// The lines of text on a sheet.
#[derive(Clone, Copy, Debug, Default)]
pub struct SheetText<'a> {
    /// The lines above the pictures.
    pub above: &'a [String],
    /// The lines below the pictures.
    pub below: &'a [String],
    /// The form of lines with characters that have no glyph.
    pub lettering: Lettering,
    /// The width of the sheet in pixels. `None` for one pixel per unit.
    pub width: Option<u32>,
}

/// The form of lines with characters that have no glyph, such as Chinese names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lettering {
    /// Words in other scripts, and signs without a glyph, are left out.
    #[default]
    Strokes,
    /// Text in a font of the viewer.
    Font,
}

/// The size of glyphs in lines of text.
const TEXT_SCALE: f32 = 1.3;
/// The distance between lines of text.
const LINE_HEIGHT: f32 = 15.0;
/// The space left of and below lines of text.
const TEXT_MARGIN: f32 = 8.0;

/// Returns the width and height of lines of text.
fn text_extent(lines: &[String]) -> (f32, f32) {
    let wide = |line: &str| line.chars().filter(|symbol| !is_drawable(*symbol)).count();
    // A character of another script is up to twice as wide as a glyph.
    let columns = lines.iter().map(|line| line.chars().count() + wide(line)).max().unwrap_or(0);
    if columns == 0 {
        return (0.0, 0.0);
    }
    let width = columns as f32 * ADVANCE * TEXT_SCALE + 2.0 * TEXT_MARGIN;
    (width, lines.len() as f32 * LINE_HEIGHT + TEXT_MARGIN)
}

/// Draws lines of text that begin at this height.
fn text_lines(lines: &[String], top: f32, lettering: Lettering) -> Markup {
    const FONT: &str =
        "system-ui, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'Hiragino Sans', 'Malgun Gothic', sans-serif";
    html! {
        @for (index, line) in lines.iter().enumerate() {
            @let base = top + (index + 1) as f32 * LINE_HEIGHT;
            @if lettering == Lettering::Font && !line.chars().all(is_drawable) {
                text x=(TEXT_MARGIN) y=(base) font-family=(FONT) font-size="11" fill="#222" { (line) }
            } @else {
                (label(&drawable(line), LabelAnchor::BaseLine(TEXT_MARGIN, base), TEXT_SCALE, "#222"))
            }
        }
    }
}

/// Returns true for a space and for a character with a glyph.
fn is_drawable(symbol: char) -> bool {
    symbol == ' ' || !strokes(symbol).is_empty()
}

/// Returns a line without the words that have a letter without a glyph, and without other
/// characters that have none. A part of a name would be another name.
fn drawable(line: &str) -> String {
    let is_word_drawable = |word: &&str| word.chars().all(|symbol| is_drawable(symbol) || !symbol.is_alphabetic());
    let words: Vec<&str> = line.split(' ').filter(is_word_drawable).collect();
    words.join(" ").chars().filter(|symbol| is_drawable(*symbol)).collect()
}

/// Returns a file with one picture, or several in a grid with a caption above each, and lines of
/// text. Characters of captions without a glyph are left out.
pub fn sheet(blocks: &[(String, Picture)], title: &str, text: SheetText<'_>) -> String {
    const GAP: f32 = 16.0;
    const CAPTION: f32 = 30.0;
    let (mut width, mut height) = (0.0f32, 0.0f32);
    for (_, picture) in blocks {
        let size = extent(picture);
        (width, height) = (width.max(size.0), height.max(size.1));
    }
    let caption = if blocks.len() > 1 { CAPTION } else { 0.0 };
    let columns = (blocks.len() as f32).sqrt().ceil().max(1.0) as usize;
    let rows = blocks.len().div_ceil(columns);
    let whole = |count: usize, side: f32| count as f32 * (side + GAP) - GAP;
    let (pictures_width, pictures_height) = (whole(columns, width), whole(rows, height + caption));
    let [above, below] = [text.above, text.below].map(text_extent);
    let total_width = pictures_width.max(above.0).max(below.0);
    let total_height = above.1 + pictures_height + below.1;
    let shown_width = text.width.map_or(total_width, |width| width as f32);
    let shown_height = total_height * (shown_width / total_width);
    let markup = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {total_width} {total_height}")) width=(shown_width) height=(shown_height) {
            title { (title) }
            @if blocks.len() > 1 || total_height > pictures_height { rect width=(total_width) height=(total_height) fill="#fff" {} }
            @for (index, (text, picture)) in blocks.iter().enumerate() {
                @let x = (index % columns) as f32 * (width + GAP);
                @let y = above.1 + (index / columns) as f32 * (height + caption + GAP);
                g transform=(format!("translate({x} {y})")) {
                    @if caption > 0.0 { (label(text, LabelAnchor::BaseLine(6.0, 20.0), 1.6, "#222")) }
                    g transform=(format!("translate(0 {caption})")) { (Canvas { picture }.layers()) }
                }
            }
            (text_lines(text.above, 0.0, text.lettering))
            (text_lines(text.below, above.1 + pictures_height, text.lettering))
        }
    };
    markup.into_string() + "\n"
}

/// The drawing of one picture.
struct Canvas<'a> {
    picture: &'a Picture,
}

impl Canvas<'_> {
    fn layers(&self) -> Markup {
        let (width, height) = extent(self.picture);
        html! {
            rect width=(width) height=(height) fill=(WOOD) {}
            path d=(self.lines()) stroke=(INK) stroke-width="1" fill="none" stroke-linecap="square" {}
            (self.dots(|point| self.picture.is_star(point), 6.0, INK))
            (self.coordinates())
            (self.stones(StoneGroup::Living))
            g opacity=".5" { (self.stones(StoneGroup::Faint)) }
            (self.points())
            (self.marks())
            (self.numbers())
        }
    }

    fn place(&self, point: Point) -> (f32, f32) {
        let (left, top) = (f32::from(self.picture.columns().start), f32::from(self.picture.rows().start));
        ((f32::from(point.x()) - left) * STEP + MARGIN, (f32::from(point.y()) - top) * STEP + MARGIN)
    }

    fn shown(&self) -> impl Iterator<Item = Point> + '_ {
        self.picture.rows().flat_map(|y| self.picture.columns().map(move |x| Point::new(x, y)))
    }

    /// Returns the lines of the board. They extend beyond the edge of a picture that shows only a
    /// part of the board.
    fn lines(&self) -> String {
        let (columns, rows) = (self.picture.columns(), self.picture.rows());
        let size = self.picture.size();
        let margin = |is_partial: bool| if is_partial { STEP / 2.0 } else { 0.0 };
        let (first, last) = (Point::new(columns.start, rows.start), Point::new(columns.end - 1, rows.end - 1));
        let ((left, top), (right, bottom)) = (self.place(first), self.place(last));
        let (left, top) = (left - margin(columns.start > 0), top - margin(rows.start > 0));
        let (right, bottom) = (right + margin(columns.end < size.width()), bottom + margin(rows.end < size.height()));
        let columns = columns.map(|x| format!("M{} {top}V{bottom}", self.place(Point::new(x, first.y())).0));
        let rows = rows.map(|y| format!("M{left} {}H{right}", self.place(Point::new(first.x(), y)).1));
        columns.chain(rows).collect()
    }

    /// Returns a dot of a colour on each chosen point, as one path with round ends, which is
    /// shorter than circles.
    fn dots(&self, is_chosen: impl Fn(Point) -> bool, diameter: f32, color: &str) -> Markup {
        let path = self.path(is_chosen, "h.01");
        html! {
            @if !path.is_empty() { path d=(path) stroke=(color) stroke-width=(diameter) stroke-linecap="round" {} }
        }
    }

    /// Returns a path that draws a shape on each chosen point.
    fn path(&self, is_chosen: impl Fn(Point) -> bool, shape: &str) -> String {
        let places = self.shown().filter(|point| is_chosen(*point)).map(|point| self.place(point));
        places.map(|(x, y)| format!("M{x} {y}{shape}")).collect()
    }

    fn stones(&self, group: StoneGroup) -> Markup {
        let is_of = |color: Color| {
            move |point: Point| {
                let content = self.picture.point(point);
                let ghost = content.number.filter(|_| content.stone.is_none()).map(|(_, color)| color);
                let is_faint = content.is_dead || ghost.is_some();
                is_faint == (group == StoneGroup::Faint) && content.stone.or(ghost) == Some(color)
            }
        };
        html! {
            (self.dots(is_of(Color::Black), 19.0, "#151515"))
            (self.dots(is_of(Color::White), 19.0, "#333"))
            (self.dots(is_of(Color::White), 17.8, "#fafafa"))
        }
    }

    /// Returns squares on territory, diamonds on points that only area scoring counts, and crosses
    /// on dead stones.
    fn points(&self) -> Markup {
        const SQUARE: &str = "m-3.5-3.5h7v7h-7z";
        const DIAMOND: &str = "m0-4.5l4.5 4.5l-4.5 4.5l-4.5-4.5z";
        const CROSS: &str = "m-4-4l8 8m0-8l-8 8";
        html! {
            @for (color, fill) in [(Color::Black, "#151515"), (Color::White, "#fafafa")] {
                @let squares = self.path(|point| {
                    let shown = self.picture.point(point);
                    shown.territory == Some(color) && !shown.is_dead
                }, SQUARE);
                @let diamonds = self.path(|point| self.picture.point(point).area_only == Some(color), DIAMOND);
                @let crosses = self.path(|point| {
                    let shown = self.picture.point(point);
                    shown.is_dead && shown.stone == Some(color.opponent())
                }, CROSS);
                @if !squares.is_empty() { path d=(squares) fill=(fill) stroke="#151515" stroke-width=".6" {} }
                @if !diamonds.is_empty() { path d=(diamonds) fill="none" stroke=(fill) stroke-width="2" {} }
                @if !crosses.is_empty() { path d=(crosses) fill="none" stroke=(fill) stroke-width="2" {} }
            }
        }
    }

    fn marks(&self) -> Markup {
        html! {
            @for point in self.shown() {
                @let (x, y) = self.place(point);
                @match self.picture.point(point).mark {
                    Some(Mark::Last) => circle cx=(x) cy=(y) r="5" fill="none" stroke-width="1.8" stroke=(self.mark_color(point)) {},
                    Some(Mark::Finding) => circle cx=(x) cy=(y) r="10" fill="none" stroke-width="2.4" stroke=(RED) {},
                    None => {},
                }
            }
        }
    }

    /// Returns the colour of a mark or number that is visible on the stone of a point.
    fn mark_color(&self, point: Point) -> &'static str {
        let content = self.picture.point(point);
        match content.number.map(|(_, color)| color).or(content.stone) {
            Some(Color::Black) => "#fff",
            Some(Color::White) => "#000",
            None => RED,
        }
    }

    fn numbers(&self) -> Markup {
        html! {
            @for point in self.shown() {
                @if let Some((number, _)) = self.picture.point(point).number {
                    @let text = number.to_string();
                    @let scale = match text.len() { 1 => 1.75, 2 => 1.35, _ => 1.0 };
                    @let (x, y) = self.place(point);
                    (label(&text, LabelAnchor::Centre(x, y), scale, self.mark_color(point)))
                }
            }
        }
    }

    fn coordinates(&self) -> Markup {
        const AWAY: f32 = MARGIN - 11.0;
        let size = self.picture.size();
        let (width, height) = extent(self.picture);
        html! {
            @for x in self.picture.columns() {
                @let letters = column_letters(x, size);
                @let place = self.place(Point::new(x, self.picture.rows().start)).0;
                (label(&letters, LabelAnchor::Centre(place, MARGIN - AWAY), 1.3, INK))
                (label(&letters, LabelAnchor::Centre(place, height - MARGIN + AWAY), 1.3, INK))
            }
            @for y in self.picture.rows() {
                @let number = (size.height() - y).to_string();
                @let place = self.place(Point::new(self.picture.columns().start, y)).1;
                (label(&number, LabelAnchor::Centre(MARGIN - AWAY, place), 1.3, INK))
                (label(&number, LabelAnchor::Centre(width - MARGIN + AWAY, place), 1.3, INK))
            }
        }
    }
}

/// Stones that are drawn alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoneGroup {
    /// The living stones on the board.
    Living,
    /// The dead stones, and the stones of numbered plays that are no longer on the board.
    Faint,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

    #[test]
    fn titles_are_escaped_and_elements_closed() {
        let picture = Picture::from_position(&read("X O .\n. X .").unwrap());
        let svg = svg(&picture, "<script>\"&").into_string();
        assert!(!svg.contains("<script>"));
        assert!(svg.contains("aria-label=\"&lt;script&gt;&quot;&amp;\""));
        let count = |text: &str| svg.matches(text).count();
        assert_eq!(count("<path"), count("</path>"));
        assert_eq!(count("<g"), count("</g>"));
        assert_eq!(count("<rect"), count("</rect>"));
    }

    #[test]
    fn names_in_other_scripts_are_text_or_left_out() {
        let blocks = [("".to_owned(), Picture::from_position(&read("X O").unwrap()))];
        let above = ["\u{5F20} <9p>".to_owned(), "Ann".to_owned()];
        let sheet_in = |lettering| sheet(&blocks, "", SheetText { above: &above, below: &[], lettering, width: None });
        let font = sheet_in(Lettering::Font);
        assert!(font.contains(">\u{5F20} &lt;9p&gt;</text>") && !font.contains(">Ann"), "{font}");
        let strokes = sheet_in(Lettering::Strokes);
        assert!(!strokes.contains("<text") && !strokes.contains(crate::glyphs::strokes('?')), "{strokes}");
        assert!(strokes.contains(crate::glyphs::strokes('n')), "{strokes}");
        assert_eq!(drawable("\u{5F20}\u{4E09} 9p - J\u{FC}rg <Ann>"), "9p - Ann");
    }

    #[test]
    fn lines_of_a_partial_board_extend_beyond_it() {
        let mut picture = Picture::from_position(&read("X O . . . .\n. X . . . .\n. . . . . .").unwrap());
        let whole = Canvas { picture: &picture }.lines();
        assert!(whole.starts_with("M34 34V74"), "{whole}");
        picture.crop(&[Point::new(0, 0)], 1);
        assert_eq!((picture.columns(), picture.rows()), (0..2, 0..3));
        assert!(Canvas { picture: &picture }.lines().contains("H64"));
    }
}
