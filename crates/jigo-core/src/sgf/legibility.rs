//! Signs that a text was decoded with the wrong charset.

use encoding_rs::Encoding;

/// Bytes below which a sample is too short to show that a charset of single bytes is wrong.
const ENOUGH: usize = 8;

/// Returns true if a sample of a text looks damaged when it is read in `encoding`.
///
/// A charset of several bytes shows damage by bytes that are no characters. Charsets of single bytes have a character for
/// nearly every byte, so for these the characters must look like words.
pub(super) fn is_damaged(sample: &[u8], encoding: &'static Encoding) -> bool {
    if !encoding.is_single_byte() {
        return errors(sample, encoding) > 0;
    }
    sample.len() >= ENOUGH && !looks_like_words(&encoding.decode_without_bom_handling(sample).0)
}

/// Returns the number of errors in a sample. Half a character at the end of a line is the sign of a cut name, not of a wrong
/// charset.
pub(super) fn errors(sample: &[u8], encoding: &'static Encoding) -> usize {
    let (decoded, faulty) = encoding.decode_without_bom_handling(sample);
    if faulty { decoded.matches('\u{FFFD}').count() - decoded.matches("\u{FFFD}\n").count() } else { 0 }
}

/// Returns true if less than a quarter of the characters outside ASCII are out of place.
fn looks_like_words(text: &str) -> bool {
    let (mut count, mut odd) = (0_usize, 0_usize);
    for run in text.split(|c: char| c.is_ascii()).filter(|run| !run.is_empty()) {
        let length = run.chars().count();
        count += length;
        // In no language of Western or Central Europe do four letters with marks follow each other.
        odd += if length >= 4 && run.chars().all(is_latin) { length } else { odd_characters(run) };
    }
    odd * 4 < count.max(1)
}

/// Returns how many characters of a run outside ASCII are no letters or punctuation, or are a capital after a small letter.
fn odd_characters(run: &str) -> usize {
    let is_alone = run.chars().nth(1).is_none();
    let mut before = ' ';
    let is_odd = |c: char| {
        let is_capital_inside = before.is_lowercase() && c.is_uppercase();
        before = c;
        is_capital_inside || !(is_letter(c) || QUOTES.contains(&c) || (is_alone && SYMBOLS.contains(&c)))
    };
    run.chars().map(is_odd).filter(|is_odd| *is_odd).count()
}

/// Punctuation that touches letters.
const QUOTES: [char; 16] = ['«', '»', '‹', '›', '“', '”', '„', '‘', '’', '‚', '–', '—', '…', '¿', '¡', '\u{A0}'];
/// Symbols that have digits or blanks around them.
const SYMBOLS: [char; 17] = ['°', '·', '½', '¼', '¾', '²', '³', '§', '€', '£', '©', '®', '™', '•', '×', '±', '№'];

/// Returns true for a letter of an alphabet, or a mark of Thai. `ƒ` is a currency sign, and the first byte of katakana.
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
        let (bytes, _, faulty) = encoding.encode(text);
        assert!(!faulty, "{label} has no {text}");
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
        for (text, written) in [("柯洁九段 中盘胜", GBK), ("許皓鋐九段 中盤勝", BIG5)] {
            let (bytes, _, _) = written.encode(text);
            for label in ["windows-1252", "iso-8859-2", "iso-8859-15", "windows-1251", "koi8-r"] {
                assert!(is_damaged(&bytes, Encoding::for_label(label.as_bytes()).unwrap()), "{text} as {label}");
            }
        }
    }
}
