//! Files with boards and text as SVG without fonts, style sheets or scripts, so that they need no
//! other file.

use maud::{Markup, html};

use crate::boards::{corner, drawing, extent};
use crate::glyphs::{ADVANCE, LabelAnchor, label, strokes};
use jigo_rules::board::Picture;

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
                @let (left, top) = corner(picture);
                @if caption > 0.0 { (label(text, LabelAnchor::BaseLine(x + 6.0, y + 20.0), 1.6, "#222")) }
                g transform=(format!("translate({} {})", x - left, y + caption - top)) { (drawing(picture)) }
            }
            (text_lines(text.above, 0.0, text.lettering))
            (text_lines(text.below, above.1 + pictures_height, text.lettering))
        }
    };
    markup.into_string() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram::read;

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
}
