//! UTF-8 that was read as Windows-1252 or Latin-1 and saved as UTF-8 once more: `é` became `Ã©`.

use std::ops::Range;

use encoding_rs::WINDOWS_1252;

/// Returns the runs of doubly encoded characters in a text, and the characters that they stand for.
///
/// A run consists of characters that are bytes in Windows-1252 or Latin-1, and these bytes are UTF-8.
/// Text that people write hardly ever is: a letter such as `Ã` would be followed by a sign such as `©`.
/// Only a letter before a quotation mark or dash is common, as in `ODTÜ’de`, and is no such run.
pub fn doubly_encoded(text: &str) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    let mut position = 0;
    std::iter::from_fn(move || {
        let start = position + text[position..].find(|c: char| !c.is_ascii())?;
        let length = text[start..].find(|c: char| c.is_ascii()).unwrap_or(text.len() - start);
        position = start + length;
        Some(start..position)
    })
    .filter_map(|range| Some((range.clone(), decoded_again(&text[range])?)))
}

/// Returns the text whose UTF-8 a run consists of. `None` if it does not.
fn decoded_again(run: &str) -> Option<String> {
    let mut chars = run.chars();
    if let [Some(first), Some('\u{2013}'..='\u{2026}'), None] = [(); 3].map(|()| chars.next())
        && !matches!(first, 'Â' | 'Ã')
    {
        return None;
    }
    let byte = |c: char| match u8::try_from(c) {
        Ok(byte) => Some(byte),
        // Windows-1252 has characters of other blocks in place of some controls of Latin-1.
        Err(_) => match *WINDOWS_1252.encode(c.encode_utf8(&mut [0; 4])).0 {
            [byte] => Some(byte),
            _ => None,
        },
    };
    String::from_utf8(run.chars().map(byte).collect::<Option<Vec<u8>>>()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Vec<String> {
        doubly_encoded(text).map(|(range, decoded)| format!("{} {decoded}", &text[range])).collect()
    }

    #[test]
    fn each_run_is_decoded_on_its_own() {
        assert_eq!(decoded("MÃ¼ller, RenÃ© and René"), ["Ã¼ ü", "Ã© é"]);
        assert_eq!(decoded("Ã–zcan"), ["Ã– Ö"]);
        // In Latin-1 and in Windows-1252.
        for encoding in [|byte: u8| char::from(byte), |byte: u8| WINDOWS_1252.decode(&[byte]).0.chars().next().unwrap()]
        {
            for name in ["趙治勲", "甄", "조훈현", "Шикшин", "🀄"] {
                let twice: String = name.bytes().map(encoding).collect();
                assert_eq!(decoded(&twice), [format!("{twice} {name}")]);
            }
        }
        for name in
            ["René", "Müller", "São João", "Žižek", "ÀÉÎÕÜ àéîõü ß", "趙治勲", "«À»", "50 € – 60 £", "ODTÜ’de", "Ö–"]
        {
            assert_eq!(decoded(name), [""; 0], "{name}");
        }
    }
}
