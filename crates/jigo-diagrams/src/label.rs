//! Text in pictures, drawn as strokes.

use maud::{Markup, PreEscaped, html};

use crate::glyphs::{ADVANCE, HEIGHT, WIDTH, strokes};

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
