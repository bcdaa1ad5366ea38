//! Words of a command line that are safe to paste into a shell.

use jigo_archive::row::line::is_confusing;

/// Quotes a path for a shell so that it can't be mistaken for an option. Returns `None` if it
/// contains a NUL, which no path does.
pub fn quoted(path: &str) -> Option<String> {
    let path = if path.starts_with('-') && path != "-" { format!("./{path}") } else { path.to_owned() };
    shell_word(&path)
}

/// Returns a text as a word of a command that is safe to paste, or `None` if it contains a NUL,
/// which no word does.
///
/// A terminal acts on control characters while they are pasted, before a shell sees their quotes.
/// Such characters, and those that hide parts of a word, are written as `$'\033'`, which bash, zsh,
/// ksh and POSIX (2024) read. Inside these quotes, characters that trigger history expansion are
/// written in the same way.
pub fn shell_word(text: &str) -> Option<String> {
    if text.contains('\0') {
        return None;
    }
    if !text.contains(is_confusing) {
        return Some(shlex::try_quote(text).ok()?.into_owned());
    }
    let mut word = String::from("$'");
    let mut bytes = [0; 4];
    for c in text.chars() {
        if is_confusing(c) || matches!(c, '\'' | '\\' | '!') {
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| word.push_str(&format!("\\{byte:03o}")));
        } else {
            word.push(c);
        }
    }
    Some(word + "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_with_control_characters_is_written_with_their_numbers() {
        assert_eq!(shell_word("a\0b"), None);
        assert_eq!(shell_word("x\x1b[201~\x15touch y\n#").unwrap(), "$'x\\033[201~\\025touch y\\012#'");
        assert_eq!(shell_word("it's\u{202E}!\\").unwrap(), "$'it\\047s\\342\\200\\256\\041\\134'");
        assert_eq!(shell_word("it's").unwrap(), "\"it's\"");
        for hidden in "\x7f\u{85}\u{9b}\u{2028}\u{2029}\u{200e}\u{200f}\u{2066}\u{2069}\u{ad}\u{feff}\t\r".chars() {
            let word = shell_word(&format!("a{hidden}b")).unwrap();
            assert!(word.bytes().all(|byte| byte.is_ascii_graphic()), "{word}");
        }
    }
}
