//! What the user is told beside the rows. Without standard error there is nobody left to tell, which is no failure.

use std::io::{self, Write};

use jigo_archive::tables::formats::text::{visible, visible_lines};

/// A line about what jigo does; what comes from inputs in it is made visible.
pub fn note(line: &str) {
    print(&format!("jigo: {}\n", visible(line)));
}

/// Lines of text; what comes from inputs in them is made visible.
pub fn print(text: &str) {
    let _ = io::stderr().write_all(visible_lines(text).as_bytes());
}
