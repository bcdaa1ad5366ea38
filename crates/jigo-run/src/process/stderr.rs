//! Messages on standard error. Failures are ignored, because without standard error no one can read
//! a message.

use std::io::{self, Write};

use jigo_archive::row::line::{visible, visible_lines, without_commands};

/// Prints a line about the work of jigo. Control characters are made visible, because the line may
/// contain text from inputs.
pub fn note(line: &str) {
    print(&format!("jigo: {}\n", visible(line)));
}

/// Prints lines of text. Control characters are made visible, because the text may contain text
/// from inputs.
pub fn print(text: &str) {
    let _ = io::stderr().write_all(without_commands(&visible_lines(text)).as_bytes());
}
