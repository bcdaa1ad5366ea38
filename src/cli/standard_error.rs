//! What the user is told beside the rows. Without standard error there is nobody left to tell, which is no failure.

use std::io::{self, Write};

use jigo_archive::tables::formats::text::visible;

/// A line about what jigo does; what comes from inputs in it is made visible.
pub fn note(line: &str) {
    print(&format!("jigo: {}\n", visible(line)));
}

/// Text as it is.
pub fn print(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
