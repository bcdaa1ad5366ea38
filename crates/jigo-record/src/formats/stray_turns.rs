//! Turns within stray text in forms of other programs: `B(qd)`, commands, JSON, XML, and pairs of
//! numbers.

/// Words that may come between the colour of a turn and its point.
const BETWEEN: [&[u8]; 17] = [
    b"at",
    b"to",
    b"on",
    b"p",
    b"x",
    b"y",
    b"col",
    b"row",
    b"move",
    b"point",
    b"pos",
    b"position",
    b"vertex",
    b"coord",
    b"coordinate",
    b"stone",
    b"pt",
];

/// The maximum number of words between a colour and its point.
const MAX_WORDS_BETWEEN: u8 = 4;
/// The number of turns that show a record. Prose may also name a colour before a point.
const TURNS: usize = 2;
/// The number of pairs on a line that show a list.
const PAIRS: usize = 3;
/// The largest number of a column or row.
const MAX_ROW: u8 = 19;

/// Returns true if the text has several turns, each a colour before a point.
pub(super) fn has_turns(text: &[u8]) -> bool {
    let mut turns = 0;
    // The number of words after the last colour, and true if one of them is a column's number.
    let mut pending: Option<(u8, bool)> = None;
    let mut gap_start = 0;
    for (start, end) in words(text) {
        let (gap, word) = (&text[gap_start..start], &text[start..end]);
        gap_start = end;
        if is_color(word) {
            pending = Some((0, false));
            continue;
        }
        let Some((distance, has_column)) = pending.take() else { continue };
        let is_number = is_row(word) && is_tight(gap);
        if is_a1_turn(word) || is_letter_pair(word) && is_tight(gap) || has_column && is_number {
            turns += 1;
            if turns == TURNS {
                return true;
            }
        } else if distance < MAX_WORDS_BETWEEN && (is_number || is_between(word)) {
            pending = Some((distance + 1, has_column || is_number));
        }
    }
    false
}

/// Returns true if a line consists of pairs of numbers, as in `16-4 4-16 16-16`.
pub(super) fn is_number_list(line: &[u8]) -> bool {
    let is_gap = |byte: &u8| byte.is_ascii_whitespace() || b";()[]{}".contains(byte);
    let tokens = line.split(is_gap).filter(|token| token.iter().any(u8::is_ascii_alphanumeric));
    let mut pairs = 0;
    for token in tokens {
        let token = token.strip_suffix(b",").unwrap_or(token);
        let mut numbers = token.split(|byte| b"-,:/x".contains(byte));
        let (Some(column), Some(row), None) = (numbers.next(), numbers.next(), numbers.next()) else { return false };
        if !is_row(column) || !is_row(row) {
            return false;
        }
        pairs += 1;
    }
    pairs >= PAIRS
}

/// Returns the words of a text: the longest runs of letters and digits. Characters outside ASCII
/// are letters.
fn words(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + text[end..].iter().position(is_letter)?;
        end = start + text[start..].iter().take_while(|byte| is_letter(byte)).count();
        Some((start, end))
    })
}

/// Returns true for a player's name or letter.
pub(super) fn is_color(word: &[u8]) -> bool {
    [&b"b"[..], b"w", b"black", b"white"].iter().any(|color| word.eq_ignore_ascii_case(color))
}

fn is_between(word: &[u8]) -> bool {
    BETWEEN.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Returns true for a point in two letters, as in SGF.
fn is_letter_pair(word: &[u8]) -> bool {
    matches!(word, [column, row] if [column, row].iter().all(|letter| (b'a'..=b's').contains(letter)))
}

/// Returns true if a text connects a name and its value. Two letters after a blank are a word, and
/// numbers after other signs may be a margin.
fn is_tight(gap: &[u8]) -> bool {
    let has = |signs: &[u8]| gap.iter().any(|byte| signs.contains(byte));
    !has(b"+-.") && (!gap.iter().any(u8::is_ascii_whitespace) || has(b"\"'="))
}

/// Returns true for the number of a column or row.
fn is_row(word: &[u8]) -> bool {
    let number = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u8>().ok());
    number.is_some_and(|number| (1..=MAX_ROW).contains(&number))
}

/// Returns true for `Q16`, `q16` and `pass`.
pub(super) fn is_a1_turn(word: &[u8]) -> bool {
    match word {
        [column, row @ ..] if (1..=2).contains(&row.len()) && row.iter().all(u8::is_ascii_digit) => {
            matches!(column.to_ascii_uppercase(), b'A'..=b'H' | b'J'..=b'T') && row[0] != b'0'
        }
        _ => word.eq_ignore_ascii_case(b"pass"),
    }
}
