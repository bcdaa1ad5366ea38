//! Conversion of SVG pictures to PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};

/// Pixels per unit of the picture.
const SCALE: f32 = 2.0;
/// The longest side in pixels.
const LONGEST: f32 = 10_000.0;

/// The reason why a picture can't be converted.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG is invalid.
    #[error(transparent)]
    Svg(#[from] usvg::Error),
    /// The picture has no size that can be expressed in pixels.
    #[error("it has no size")]
    Size,
    /// The PNG can't be encoded.
    #[error("{0}")]
    Encoding(String),
}

/// Converts a picture of [`sheet`](crate::svg::sheet), with two pixels per unit or fewer if it is
/// large. A picture `with_width` in pixels keeps it.
///
/// # Errors
/// See [`PngError`]. The pictures of [`sheet`](crate::svg::sheet) cause none.
pub fn png(svg: &str, with_width: bool) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let longest = tree.size().width().max(tree.size().height());
    let scale = if with_width { 1.0 } else { SCALE.min(LONGEST / longest) };
    let size = tree.size().to_int_size().scale_by(scale).ok_or(PngError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PngError::Size)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}
