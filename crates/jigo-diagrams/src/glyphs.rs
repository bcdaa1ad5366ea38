//! Labels of digits, letters from A to Z and some signs as strokes, so that pictures look the same
//! everywhere and need no font.

use maud::{Markup, PreEscaped, html};

/// The width of a glyph. Its height is [`HEIGHT`], and the next glyph begins [`ADVANCE`] to the
/// right.
pub const WIDTH: f32 = 4.0;
/// The height of a glyph.
pub const HEIGHT: f32 = 6.0;
/// The distance between the left edges of neighbouring glyphs.
pub const ADVANCE: f32 = 5.4;

/// Returns the strokes of a digit, letter or sign as SVG path commands, relative to its upper left
/// corner. Returns an empty path for any other character.
pub fn strokes(symbol: char) -> &'static str {
    match symbol {
        '0' => "M2 0Q4 0 4 3T2 6Q0 6 0 3T2 0",
        '1' => "M.8 1.2L2.3 0V6",
        '2' => "M.2 1.4Q.4 0 2 0Q3.8 0 3.8 1.6Q3.8 2.6 2.6 3.7L.2 6H4",
        '3' => "M.2.8Q.8 0 2 0Q3.7 0 3.7 1.5Q3.7 2.8 1.6 2.8Q4 2.8 4 4.4Q4 6 2 6Q.6 6 0 5",
        '4' => "M3 6V0L0 4.2H4",
        '5' => "M3.7 0H.7L.3 2.8Q1 2.2 2 2.2Q4 2.2 4 4.1Q4 6 2 6Q.6 6 0 5.1",
        '6' => "M3.6.7Q3 0 2.1 0Q0 0 0 3.6Q0 6 2 6Q4 6 4 4.2Q4 2.5 2.1 2.5Q.3 2.5 0 4.2",
        '7' => "M0 0H4L1.4 6",
        '8' => "M2 2.8Q.3 2.8.3 1.4T2 0T3.7 1.4T2 2.8Q0 2.8 0 4.4T2 6T4 4.4T2 2.8",
        '9' => "M.4 5.3Q1 6 1.9 6Q4 6 4 2.4Q4 0 2 0Q0 0 0 1.8Q0 3.5 1.9 3.5Q3.7 3.5 4 1.8",
        'A' => "M0 6L2 0L4 6M.7 4H3.3",
        'B' => "M.2 0V6H2.2Q4 6 4 4.4T2.2 2.8H.2M.2 0H2Q3.6 0 3.6 1.4T2 2.8",
        'C' => "M4 1.2Q3.4 0 2.1 0Q0 0 0 3T2.1 6Q3.4 6 4 4.8",
        'D' => "M.2 0V6H1.8Q4 6 4 3T1.8 0Z",
        'E' => "M4 0H.3V6H4M.3 2.9H3.3",
        'F' => "M4 0H.3V6M.3 2.9H3.3",
        'G' => "M3.9 1.2Q3.4 0 2.1 0Q0 0 0 3T2.1 6Q4 6 4 3.8V3.3H2.3",
        'H' => "M.1 0V6M3.9 0V6M.1 2.9H3.9",
        'I' => "M2 0V6",
        'J' => "M3.4 0V4.2Q3.4 6 1.8 6Q.3 6.1.2 4.6",
        'K' => "M.2 0V6M3.9 0L.2 3.7M1.5 2.5L4 6",
        'L' => "M.4 0V6H4",
        'M' => "M0 6V0L2 3.6L4 0V6",
        'N' => "M.1 6V0L3.9 6V0",
        'O' => "M2 0Q4 0 4 3T2 6Q0 6 0 3T2 0",
        'P' => "M.3 6V0H2.2Q4 0 4 1.6T2.2 3.2H.3",
        'Q' => "M2 0Q4 0 4 3T2 6Q0 6 0 3T2 0M2.6 4.4L4 6.2",
        'R' => "M.3 6V0H2.2Q4 0 4 1.6T2.2 3.2H.3M2.3 3.2L4 6",
        'S' => "M3.8 1Q3.3 0 2 0Q.3 0 .3 1.4Q.3 2.5 2 2.9Q4 3.3 4 4.5Q4 6 2 6Q.5 6 0 4.9",
        'T' => "M0 0H4M2 0V6",
        'U' => "M.1 0V4Q.1 6 2 6T3.9 4V0",
        'V' => "M0 0L2 6L4 0",
        'W' => "M0 0L.9 6L2 2.4L3.1 6L4 0",
        'X' => "M0 0L4 6M4 0L0 6",
        'Y' => "M0 0L2 2.8L4 0M2 2.8V6",
        'Z' => "M0 0H4L0 6H4",
        'a' => "M.4 2.6Q1 2 2 2Q3.6 2 3.6 3.5V6M3.6 3.8Q.3 3.6.3 4.9Q.3 6 1.6 6Q3 6 3.6 5",
        'b' => "M.4 0V6M.4 3.2Q1 2 2.2 2Q3.9 2 3.9 4T2.2 6Q1 6 .4 4.8",
        'c' => "M3.7 2.8Q3.2 2 2.1 2Q.3 2 .3 4T2.1 6Q3.2 6 3.7 5.2",
        'd' => "M3.6 0V6M3.6 3.2Q3 2 1.8 2Q.1 2 .1 4T1.8 6Q3 6 3.6 4.8",
        'e' => "M.3 4H3.8Q3.8 2 2.1 2Q.3 2 .3 4T2.1 6Q3.2 6 3.7 5.3",
        'f' => "M3.4.2Q1.6-.4 1.6 1.6V6M.4 2.2H3.2",
        'g' => "M3.6 2V6Q3.6 7.6 1.9 7.6Q.9 7.6.4 7M3.6 3.2Q3 2 1.8 2Q.1 2 .1 4T1.8 6Q3 6 3.6 4.8",
        'h' => "M.4 0V6M.4 3.4Q1 2 2.2 2Q3.6 2 3.6 3.6V6",
        'i' => "M2 2.2V6M2 .4V.5",
        'j' => "M2.4 2.2V6Q2.4 7.6.8 7.4M2.4.4V.5",
        'k' => "M.5 0V6M3.5 2.1L.5 4.5M1.7 3.6L3.7 6",
        'l' => "M1.6 0V4.8Q1.6 6 2.8 5.9",
        'm' => "M0 6V2.1M0 3Q.5 2 1.2 2Q2 2 2 3V6M2 3Q2.5 2 3.2 2Q4 2 4 3V6",
        'n' => "M.4 6V2.1M.4 3.4Q1 2 2.2 2Q3.6 2 3.6 3.6V6",
        'o' => "M2 2Q3.8 2 3.8 4T2 6Q.2 6 .2 4T2 2",
        'p' => "M.4 2.1V7.6M.4 3.2Q1 2 2.2 2Q3.9 2 3.9 4T2.2 6Q1 6 .4 4.8",
        'q' => "M3.6 2.1V7.6M3.6 3.2Q3 2 1.8 2Q.1 2 .1 4T1.8 6Q3 6 3.6 4.8",
        'r' => "M.8 6V2.1M.8 3.6Q1.4 2 3.4 2.1",
        's' => "M3.5 2.7Q3 2 1.9 2Q.5 2 .5 3T2 4Q3.6 4.1 3.6 5T2 6Q.8 6 .3 5.2",
        't' => "M1.5.6V4.8Q1.5 6.2 3.3 5.8M.4 2.2H3",
        'u' => "M.4 2.1V4.5Q.4 6 1.8 6Q3 6 3.6 4.6M3.6 2.1V6",
        'v' => "M.3 2.1L2 6L3.7 2.1",
        'w' => "M0 2.1L1 6L2 3L3 6L4 2.1",
        'x' => "M.4 2.1L3.6 6M3.6 2.1L.4 6",
        'y' => "M.3 2.1L2.1 5.9M3.7 2.1L2 6Q1.4 7.6.3 7.5",
        'z' => "M.4 2.1H3.6L.4 6H3.7",
        '-' | '–' => "M.6 3.2H3.4",
        '+' => "M.4 3.2H3.6M2 1.6V4.8",
        '.' => "M2 5.9V6",
        ',' => "M2 5.6L1.5 6.8",
        ':' => "M2 2.2V2.3M2 5.5V5.6",
        ';' => "M2 2.2V2.3M2 5.4L1.5 6.6",
        '\'' => "M2 0V1.4",
        '(' => "M2.8-.4Q1.2 1.4 1.2 3T2.8 6.4",
        ')' => "M1.2-.4Q2.8 1.4 2.8 3T1.2 6.4",
        '[' => "M3-.3H1.4V6.3H3",
        ']' => "M1-.3H2.6V6.3H1",
        '/' => "M.4 6.4L3.6-.4",
        '=' => "M.5 2.3H3.5M.5 4.1H3.5",
        '?' => "M.3 1.2Q.6 0 2 0Q3.7 0 3.7 1.5Q3.7 2.6 2 3.3V4.2M2 5.9V6",
        '#' => "M1.3 .4L.7 5.6M3.3 .4L2.7 5.6M.2 2.1H3.9M.1 4.1H3.8",
        _ => "",
    }
}

/// The point at which a label is drawn.
pub(crate) enum LabelAnchor {
    /// The centre of the label.
    Centre(f32, f32),
    /// The start of its base line.
    BaseLine(f32, f32),
}

/// Returns text at a position.
pub(crate) fn label(text: &str, anchor: LabelAnchor, scale: f32, color: &str) -> Markup {
    let width = (text.chars().count() as f32 - 1.0) * ADVANCE + WIDTH;
    let (left, top) = match anchor {
        LabelAnchor::Centre(x, y) => (x - width * scale / 2.0, y - HEIGHT * scale / 2.0),
        LabelAnchor::BaseLine(x, y) => (x, y - HEIGHT * scale),
    };
    let drawn = text.chars().enumerate().map(|(index, symbol)| (index as f32 * ADVANCE, strokes(symbol)));
    html! {
        g fill="none" stroke=(color) stroke-width=".85" stroke-linecap="round" stroke-linejoin="round"
            transform=(format!("translate({left:.1} {top:.1}) scale({scale})")) {
            @for (at, path) in drawn {
                @if !path.is_empty() && at == 0.0 { path d=(PreEscaped(path)) {} }
                @else if !path.is_empty() { path d=(PreEscaped(path)) transform=(format!("translate({at:.1})")) {} }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_have_distinct_strokes() {
        let all: Vec<&str> =
            ('0'..='9').chain('A'..='Z').chain('a'..='z').chain("-+.,:;'()[]/=?#".chars()).map(strokes).collect();
        for (index, one) in all.iter().enumerate() {
            assert!(one.starts_with('M'), "{index}");
            // The letter O and the digit 0 share their strokes.
            let same = all.iter().filter(|other| *other == one).count();
            assert!(same == 1 || *one == strokes('O'), "{one}");
        }
    }
}
