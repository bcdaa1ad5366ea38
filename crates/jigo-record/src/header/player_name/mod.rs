//! Normalised names of players.
//!
//! Two spellings of a name that differ only in case, width, blanks, ranks and titles have the same
//! normalised name. Spellings in other scripts or with other transcriptions do not; a
//! [`PlayerList`](super::PlayerList) joins those.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::rank::Rank;

/// Titles and forms of address, as the first or last word of a name. Accents are ignored.
const TITLES: &str = "honinbo honinbou meijin kisei judan tengen oza gosei guoshou kuksu guksu sensei pro mr mrs \
    ms miss dr prof professor 本因坊 名人 棋聖 棋圣 十段 天元 王座 碁聖 国手 國手 女流 先生 老師 老师 职业 職業 \
    プロ 명인 국수 기성 천원 십단 왕위 사범 선생 프로";
/// Titles that also follow or precede a name without a blank. Forms of address are not among them,
/// because account names on servers contain them.
const ATTACHED_TITLES: [&str; 9] = ["本因坊", "名人", "棋聖", "棋圣", "十段", "天元", "王座", "碁聖", "女流"];
/// The shortest name, in characters, from which an attached title is removed. Shorter names may end
/// with the same characters, such as 王天元.
const MIN_NAME_CHARS: usize = 2;
/// Normalised names that name no player, separated by semicolons.
const PLACEHOLDERS: &str = "black;white;unknown;anonymous;player;none;na;n/a;black player;player black;white player;\
    player white;noname;no name;b;w;黑;黒;白;黑方;黒番;白方;白番;흑;백;匿名";
/// Pairs of brackets that enclose a rank or a title.
const BRACKETS: [(char, char); 6] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('【', '】'), ('〔', '〕')];
/// The contents of brackets that name no rank, or none but that of a professional (Tygem).
const BARE_RANKS: [&str; 6] = ["", "?", "-", "nr", "unranked", "p"];
/// The largest number of ranks and titles that are removed from a name, which bounds the time for a
/// hostile one.
const MAX_ADDITIONS: usize = 16;
/// The longest rank or title, in bytes.
const MAX_ADDITION_BYTES: usize = 40;
/// The largest number of words in a rank: `9 dan pro`.
const RANK_WORDS: usize = 3;
/// The largest number of characters in a rank that follows a name without a blank: `职业二十五级`.
const ATTACHED_RANK_CHARS: usize = 6;

/// Returns the name in lower case and half width, without ranks, titles and repeated blanks.
///
/// Blanks between East Asian characters are removed as well, since they only fill a column. A part
/// is never removed if nothing would be left.
///
/// ```
/// use jigo_record::normalize_player_name;
///
/// assert_eq!(normalize_player_name("Cho  Chikun, 9p"), "cho chikun");
/// assert_eq!(normalize_player_name("李昌镐 九段"), "李昌镐");
/// assert_eq!(normalize_player_name("Honinbo Shusaku"), "shusaku");
/// ```
pub fn normalize_player_name(name: &str) -> String {
    let folded = fold(name);
    let without_brackets = without_brackets(&folded);
    let mut name = without_brackets.unwrap_or(folded);
    let mut removals = 0;
    loop {
        let mut rest = name.as_str();
        while removals < MAX_ADDITIONS
            && let Some(shorter) = without_addition(rest)
        {
            (rest, removals) = (shorter, removals + 1);
        }
        // Without its blanks, a name may begin or end with an attached title.
        let joined = join_east_asian(rest);
        if joined.len() == name.len() {
            return name;
        }
        name = joined;
    }
}

/// Returns true if a normalised name names no player, such as `black`.
pub fn is_placeholder_name(normalized: &str) -> bool {
    !normalized.contains(char::is_alphanumeric) || PLACEHOLDERS.split(';').any(|name| name == normalized)
}

/// Returns the name in lower case and half width (compatibility composition), with single blanks.
pub(super) fn fold(name: &str) -> String {
    let folded: String = match name.is_ascii() {
        true => name.to_ascii_lowercase(),
        // Some letters are decomposed in lower case.
        false => name.nfkc().flat_map(char::to_lowercase).nfkc().filter(|c| !is_invisible(*c)).collect(),
    };
    single_blanks(&folded)
}

/// Replaces white space and control characters by single blanks.
fn single_blanks(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// Returns true for characters without width that copying from web pages leaves in names.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

/// Returns the name without one rank or title; `None` if it has none, or no other part.
fn without_addition(name: &str) -> Option<&str> {
    let is_separator = |c: char| matches!(c, ' ' | ',' | ';' | '-' | '/' | ':' | '、' | '·');
    let shorter = without_rank_words(name)
        .or_else(|| without_title_word(name))
        .or_else(|| without_attached_rank(name))
        .or_else(|| without_attached_title(name))?
        .trim_matches(is_separator);
    shorter.contains(char::is_alphanumeric).then_some(shorter)
}

/// Removes brackets with a rank or title, as in `name(9d) other-name(9d)`. `None` if there are
/// none, or no other part.
fn without_brackets(name: &str) -> Option<String> {
    let is_addition = |text: &str| BARE_RANKS.contains(&text) || is_rank(text) || is_title(text);
    let (mut kept, mut rest) = (String::new(), name);
    while let Some(start) = rest.find(|c| BRACKETS.iter().any(|(open, _)| *open == c)) {
        let (before, opened) = rest.split_at(start);
        let mut inside = opened.chars();
        let bracket = inside.next();
        let close = BRACKETS.iter().find(|(open, _)| bracket == Some(*open)).map(|(_, close)| *close);
        kept.push_str(before);
        let end = close.and_then(|close| inside.clone().take(MAX_ADDITION_BYTES).position(|c| c == close));
        match end.and_then(|_| inside.as_str().split_once(close?)) {
            Some((text, after)) if is_addition(text.trim()) => {
                kept.push(' ');
                rest = after;
            }
            _ => {
                kept.push_str(&opened[..opened.len() - inside.as_str().len()]);
                rest = inside.as_str();
            }
        }
    }
    kept.push_str(rest);
    let kept = single_blanks(&kept);
    (kept.len() < name.len() && kept.contains(char::is_alphanumeric)).then_some(kept)
}

/// Removes a rank of one or more words from the start or end.
fn without_rank_words(name: &str) -> Option<&str> {
    let from_end = name.rmatch_indices(' ').take(RANK_WORDS).map(|(blank, _)| blank);
    // The longest rank, so that `9 dan pro` goes as a whole.
    let end = from_end.filter(|blank| is_rank(&name[blank + 1..])).last();
    let from_start = name.match_indices(' ').take(RANK_WORDS).map(|(blank, _)| blank);
    let start = || from_start.filter(|blank| is_rank(&name[..*blank])).last();
    end.map(|blank| &name[..blank]).or_else(|| start().map(|blank| &name[blank + 1..]))
}

/// Removes a title from the start or end.
///
/// An East Asian title stays before or after a name in another script alone: the whole is the name
/// of an account.
fn without_title_word(name: &str) -> Option<&str> {
    let is_addition =
        |word: &str, rest: &str| is_title(word) && (!word.starts_with(is_east_asian) || rest.contains(is_east_asian));
    let at_end = name.rsplit_once(' ').filter(|(rest, word)| is_addition(word, rest)).map(|(rest, _)| rest);
    at_end.or_else(|| name.split_once(' ').filter(|(word, rest)| is_addition(word, rest)).map(|(_, rest)| rest))
}

fn is_rank(text: &str) -> bool {
    text.len() <= MAX_ADDITION_BYTES && Rank::parse(text).is_some()
}

fn is_title(word: &str) -> bool {
    if word.len() > MAX_ADDITION_BYTES {
        return false;
    }
    let word = word.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':'));
    let plain: Cow<str> = match word.is_ascii() {
        true => word.into(),
        false => word.nfd().filter(|c| !is_combining_mark(*c)).nfc().collect(),
    };
    TITLES.split(' ').any(|title| title == word || title == plain)
}

/// Removes a rank that follows an East Asian name, or has an East Asian unit, without a blank.
fn without_attached_rank(name: &str) -> Option<&str> {
    if name.is_ascii() {
        return None;
    }
    let starts = name.char_indices().rev().take(ATTACHED_RANK_CHARS).map(|(start, _)| start);
    let is_attached = |start: &usize| {
        let (before, rank) = name.split_at(*start);
        let last = before.chars().next_back().unwrap_or(' ');
        let is_east_asian_unit = !rank.trim_end_matches(['?', '*', '+', '-', '.']).ends_with(|c: char| c.is_ascii());
        let is_separate = is_east_asian(last) || (is_east_asian_unit && !last.is_ascii_digit());
        is_separate && is_rank(rank)
    };
    // The longest rank.
    starts.filter(is_attached).last().map(|start| &name[..start])
}

/// Removes a title before or after an East Asian name, without a blank.
fn without_attached_title(name: &str) -> Option<&str> {
    if name.is_ascii() {
        return None;
    }
    let is_name = |rest: &&str| rest.chars().take_while(|c| is_east_asian(*c)).count() >= MIN_NAME_CHARS;
    let is_reverse_name = |rest: &&str| rest.chars().rev().take_while(|c| is_east_asian(*c)).count() >= MIN_NAME_CHARS;
    let title_removed = |title: &&str| {
        let before = name.strip_suffix(*title).filter(is_reverse_name);
        before.or_else(|| name.strip_prefix(*title).filter(is_name))
    };
    ATTACHED_TITLES.iter().find_map(title_removed)
}

/// Removes blanks between East Asian characters.
fn join_east_asian(name: &str) -> String {
    let mut joined = String::with_capacity(name.len());
    let mut words = name.split(' ').peekable();
    while let Some(word) = words.next() {
        joined.push_str(word);
        let Some(next) = words.peek() else { break };
        let is_inside = word.ends_with(is_east_asian) && next.starts_with(is_east_asian);
        if !is_inside {
            joined.push(' ');
        }
    }
    joined
}

/// Returns true for Han characters, Kana and Hangul.
fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests;
