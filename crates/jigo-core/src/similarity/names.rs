//! Comparison of names of players and of texts such as events.
//!
//! Two texts differ only if they are clearly different in the same script.

use jigo_record::{is_placeholder_name, normalize_player_name};

/// The result of comparing two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same.
    Same,
    /// Clearly different.
    Different,
    /// One of them is empty, or they cannot be compared.
    Unknown,
}

/// Smallest similarity (from 0 to 1) of two words that may be spellings of each other.
const MIN_SIMILARITY: f64 = 0.8;

/// A writing system.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Han,
    Kana,
    Hangul,
    Thai,
    Other,
}

fn script(c: char) -> Option<Script> {
    Some(match c {
        'a'..='z' | '0'..='9' | '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Script::Latin,
        '\u{400}'..='\u{52F}' => Script::Cyrillic,
        '\u{E00}'..='\u{E7F}' => Script::Thai,
        '\u{3040}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9F}' => Script::Kana,
        '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => Script::Han,
        '\u{1100}'..='\u{11FF}' | '\u{AC00}'..='\u{D7AF}' => Script::Hangul,
        c if c.is_alphabetic() => Script::Other,
        _ => return None,
    })
}

/// Returns the words of a text in lower case, without ranks and punctuation.
fn words(text: &str) -> Vec<String> {
    words_of(&text.to_lowercase()).map(str::to_owned).collect()
}

fn words_of(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !is_rank(word))
}

/// Returns true for ranks such as `9p`, `3dan`, `12k`.
fn is_rank(word: &str) -> bool {
    let letters = word.trim_start_matches(|c: char| c.is_ascii_digit());
    letters.len() < word.len() && ["d", "k", "p", "dan", "kyu", "段", "级", "級", "단"].contains(&letters)
}

/// Returns the words of a normalised name, sorted and joined with spaces, or `None` if it names no
/// player.
pub(super) fn sorted_words(name: &str) -> Option<String> {
    let normalized = normalize_player_name(name);
    let mut words: Vec<&str> = words_of(&normalized).collect();
    words.sort_unstable();
    let name = words.join(" ");
    (!is_placeholder_name(&name)).then_some(name)
}

/// Returns the scripts of a text.
fn scripts(text: &str) -> Vec<Script> {
    let mut scripts = Vec::new();
    for name_script in text.chars().filter_map(script) {
        if !scripts.contains(&name_script) {
            scripts.push(name_script);
        }
    }
    scripts
}

/// Compares two players' names.
///
/// They are the same if they have the same words in any order, or if one contains all words of the
/// other. They are clearly different if both use one script and no word of one resembles a word of
/// the other. Words with digits, such as account names, must be equal to resemble each other. For
/// East Asian scripts one common character is enough.
pub(super) fn compare_names(first_name: &str, second_name: &str) -> Likeness {
    let (Some(first), Some(second)) = (sorted_words(first_name), sorted_words(second_name)) else {
        return Likeness::Unknown;
    };
    if first == second {
        return Likeness::Same;
    }
    let [words, others] = [&first, &second].map(|name| name.split(' ').collect::<Vec<_>>());
    let (fewer, more) = if words.len() <= others.len() { (&words, &others) } else { (&others, &words) };
    let is_contained = fewer.iter().all(|word| more.contains(word));
    if is_contained && fewer.iter().any(|word| word.chars().count() > 2 || !word.is_ascii()) {
        return Likeness::Same;
    }
    let scripts_of = (scripts(&first), scripts(&second));
    if scripts_of.0 != scripts_of.1 || scripts_of.0.len() != 1 {
        return Likeness::Unknown;
    }
    let has_similar = match scripts_of.0[0] {
        Script::Han | Script::Kana | Script::Hangul => first.chars().any(|c| second.contains(c)),
        _ => words.iter().any(|word| others.iter().any(|other| is_similar(word, other))),
    };
    if has_similar { Likeness::Unknown } else { Likeness::Different }
}

/// Returns true if two names of players are in one script, and no word of one resembles a word of
/// the other.
pub fn are_different_names(first_name: &str, second_name: &str) -> bool {
    compare_names(first_name, second_name) == Likeness::Different
}

fn is_similar(word: &str, other: &str) -> bool {
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    match has_digit(word) || has_digit(other) {
        true => word == other,
        false => word == other || strsim::jaro_winkler(word, other) >= MIN_SIMILARITY,
    }
}

/// Compares two texts, such as events.
///
/// They are the same only if their words are the same. They differ if both use one script and have
/// no word in common.
pub(super) fn compare_texts(first: &str, other: &str) -> Likeness {
    let [words, others] = [first, other].map(words);
    if words.is_empty() || others.is_empty() {
        return Likeness::Unknown;
    }
    if words == others {
        return Likeness::Same;
    }
    let [scripts, others_scripts] = [&words, &others].map(|words| scripts(&words.concat()));
    let is_different =
        scripts == others_scripts && scripts.len() == 1 && !words.iter().any(|word| others.contains(word));
    if is_different { Likeness::Different } else { Likeness::Unknown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_only_in_one_script_without_similar_words() {
        use Likeness::{Different, Same, Unknown};
        for (first, second, expected) in [
            ("Cho Chikun", "cho chikun 9p", Same),
            ("Cho Chikun", "Chikun Cho", Same),
            ("Honinbo Shusaku", "Shusaku", Same),
            ("조훈현9단", "조훈현", Same),
            ("趙 治勲", "趙治勲本因坊", Same),
            ("Black 9d", "Lee Sedol", Unknown),
            ("Cho Chikun", "Jo Chihun", Unknown),
            ("Cho Chikun", "趙治勲", Unknown),
            ("趙治勲", "赵治勋", Unknown),
            ("趙治勲", "林海峰", Different),
            ("Lee Sedol", "AlphaGo", Different),
            ("gnugo3", "gnugo4", Different),
            ("gnugo3", "gnugo3", Same),
            ("Black", "Lee Sedol", Unknown),
            ("", "Lee Sedol", Unknown),
        ] {
            assert_eq!(compare_names(first, second), expected, "{first} {second}");
            assert_eq!(compare_names(second, first), expected, "{second} {first}");
        }
    }
}
