//! Detection of texts that were decoded with the wrong charset.

use encoding_rs::Encoding;

/// The minimum length of a sample that can show a wrong single-byte charset.
const MIN_SAMPLE: usize = 8;

/// Returns true if a sample of a text looks damaged when it is decoded from `encoding`.
///
/// Multi-byte charsets show damage by invalid bytes. Single-byte charsets have a character for
/// nearly every byte, so for these the characters must look like words.
pub(crate) fn is_damaged(sample: &[u8], encoding: &'static Encoding) -> bool {
    if !encoding.is_single_byte() {
        return errors(sample, encoding) > 0;
    }
    sample.len() >= MIN_SAMPLE && !looks_like_words(&encoding.decode_without_bom_handling(sample).0)
}

/// Returns the number of errors in a sample: invalid bytes and private-use characters.
///
/// An incomplete character at the end of a line indicates a cut name instead of a wrong charset.
pub(crate) fn errors(sample: &[u8], encoding: &'static Encoding) -> usize {
    let (decoded, has_errors) = encoding.decode_without_bom_handling(sample);
    let private = decoded.matches(|c| ('\u{E000}'..='\u{F8FF}').contains(&c)).count();
    let invalid =
        if has_errors { decoded.matches('\u{FFFD}').count() - decoded.matches("\u{FFFD}\n").count() } else { 0 };
    private + invalid
}

/// Returns true if less than a quarter of the characters outside ASCII are misplaced.
fn looks_like_words(text: &str) -> bool {
    let (mut count, mut odd_count) = (0_usize, 0_usize);
    for run in text.split(|c: char| c.is_ascii()).filter(|run| !run.is_empty()) {
        let length = run.chars().count();
        count += length;
        // No language of Western or Central Europe has four accented letters in succession.
        odd_count += if length >= 4 && run.chars().all(is_latin) { length } else { odd_characters(run) };
    }
    odd_count * 4 < count.max(1)
}

/// Counts the characters of a run outside ASCII that are neither letters nor punctuation, or that
/// are a capital after a small letter.
fn odd_characters(run: &str) -> usize {
    let is_single_character = run.chars().nth(1).is_none();
    let mut previous = ' ';
    let is_odd = |c: char| {
        let is_capital_inside = previous.is_lowercase() && c.is_uppercase();
        previous = c;
        is_capital_inside || !(is_letter(c) || QUOTES.contains(&c) || (is_single_character && SYMBOLS.contains(&c)))
    };
    run.chars().map(is_odd).filter(|is_odd| *is_odd).count()
}

/// Punctuation next to letters.
const QUOTES: [char; 16] = ['«', '»', '‹', '›', '“', '”', '„', '‘', '’', '‚', '–', '—', '…', '¿', '¡', '\u{A0}'];
/// Symbols next to digits or blanks.
const SYMBOLS: [char; 17] = ['°', '·', '½', '¼', '¾', '²', '³', '§', '€', '£', '©', '®', '™', '•', '×', '±', '№'];

/// Returns true for a letter of an alphabet or a Thai mark. `ƒ` is a currency sign, and also the
/// first byte of katakana.
fn is_letter(c: char) -> bool {
    (c.is_alphabetic() && !matches!(c, 'ƒ' | 'ˆ' | 'ª' | 'º')) || matches!(c, '\u{E00}'..='\u{E7F}')
}

fn is_latin(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{24F}' | '\u{2000}'..='\u{22FF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GBK};

    fn is_sound(text: &str, label: &str) -> bool {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, _, has_errors) = encoding.encode(text);
        assert!(!has_errors, "{label} has no {text}");
        !is_damaged(&bytes, encoding)
    }

    #[test]
    fn european_texts_look_like_words() {
        for (text, label) in [
            ("Žižek, Œuvre", "iso-8859-15"),
            ("Jérôme Müßig «École» ½ 10°", "windows-1252"),
            ("Dvořák Jiří Šťastný", "iso-8859-2"),
            ("ПЕТРОВ ИВАН ПЕТРОВИЧ", "windows-1251"),
            ("Петров против Сидорова", "koi8-r"),
            ("Παπαδόπουλος", "iso-8859-7"),
            ("Gülşen Öğüt", "windows-1254"),
            ("การแข่งขันหมากล้อม", "windows-874"),
        ] {
            assert!(is_sound(text, label), "{text}");
        }
    }

    #[test]
    fn chinese_read_as_european_text_is_damaged() {
        for (text, encoding) in [("柯洁九段 中盘胜", GBK), ("許皓鋐九段 中盤勝", BIG5)] {
            let (bytes, _, _) = encoding.encode(text);
            for label in ["windows-1252", "iso-8859-2", "iso-8859-15", "windows-1251", "koi8-r"] {
                assert!(is_damaged(&bytes, Encoding::for_label(label.as_bytes()).unwrap()), "{text} as {label}");
            }
        }
    }
}
