//! Messages on standard error. Failures are ignored, because without standard error no one can read
//! a message.

use std::env::var_os;
use std::io::{self, IsTerminal, Write};

use jigo_archive::row::line::{visible, visible_lines, without_commands};

/// Prints a line about the work of jigo. Control characters are made visible, because the line may
/// contain text from inputs.
pub fn note(line: &str) {
    print(&format!("jigo: {}\n", visible(line)));
}

/// Prints lines of text. Control characters are made visible, because the text may contain text
/// from inputs.
pub fn print(text: &str) {
    print_styled(&without_commands(&visible_lines(text)));
}

/// Prints lines of text that have styles, and no other control characters.
pub fn print_styled(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Returns true if a stream is a terminal that supports colours, and the user has not disabled
/// them.
///
/// By <https://no-color.org>, any value of NO_COLOR except the empty one disables colours.
pub fn shows_color(stream: &impl IsTerminal) -> bool {
    let refused = var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stream.is_terminal() && !refused
}
