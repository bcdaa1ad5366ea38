//! SVG to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};

/// Pixels for each unit of the picture.
const SCALE: f32 = 2.0;
/// Longest side in pixels.
const LONGEST: f32 = 10_000.0;

/// Why a picture can't be drawn.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG is not understood.
    #[error(transparent)]
    Svg(#[from] usvg::Error),
    /// It has no size that pixels can be had for.
    #[error("it has no size")]
    Size,
    /// The bytes can't be made.
    #[error("{0}")]
    Encoding(String),
}

/// Draws one of our pictures, two pixels for each of its units.
///
/// # Errors
/// See [`PngError`]; pictures of [`svg`](super::svg::svg) give none.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let longest = tree.size().width().max(tree.size().height());
    let scale = SCALE.min(LONGEST / longest);
    let size = tree.size().to_int_size().scale_by(scale).ok_or(PngError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PngError::Size)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}
