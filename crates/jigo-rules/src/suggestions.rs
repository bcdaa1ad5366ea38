//! Suggestions for mistyped words.

/// Smallest similarity, from 0 to 1, of a mistyped word to a suggested one.
const MIN_SIMILARITY: f64 = 0.8;
/// Largest number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Returns the known words that resemble a mistyped one, the most similar first. Case is ignored.
pub fn similar_words<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    most_similar(name, candidates, |similarity, name, candidate| {
        similarity > MIN_SIMILARITY || (name.len() > 2 && candidate.contains(name))
    })
}

/// Returns the most similar known words, the nearest first, even if the similarity is small.
pub fn nearest_words<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    most_similar(name, candidates, |_, _, _| true)
}

/// Returns the most similar of the candidates that `is_suggested` accepts by their similarity and by
/// both words in lower case.
fn most_similar<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    is_suggested: impl Fn(f64, &str, &str) -> bool,
) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let scored = candidates.into_iter().filter_map(|candidate| {
        let lower = candidate.to_lowercase();
        let similarity = strsim::jaro_winkler(&name, &lower);
        is_suggested(similarity, &name, &lower).then_some((similarity, candidate))
    });
    let mut scored: Vec<(f64, &str)> = scored.collect();
    scored.sort_by(|first, second| second.0.total_cmp(&first.0));
    scored.into_iter().take(MAX_SUGGESTIONS).map(|(_, candidate)| candidate).collect()
}

/// Returns true for a word that equals a known one or differs from it by one letter, or by the order
/// of two.
pub fn is_nearly(word: &str, known: &str) -> bool {
    strsim::osa_distance(word, known) <= 1
}

/// Formats a question with these words for the end of a message. Returns an empty text for an empty
/// list.
pub fn suggestion(similar_words: &[&str]) -> String {
    match similar_words {
        [] => String::new(),
        names => format!(" (did you mean {}?)", names.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_suggest_their_word_and_others_nothing() {
        let words = ["size", "komi", "black_rank", "white_rank"];
        assert_eq!(similar_words("sise", words), ["size"]);
        assert_eq!(similar_words("BLACKRANK", words)[0], "black_rank");
        assert_eq!(similar_words("rank", words), ["black_rank", "white_rank"]);
        // Two letters are in too many words.
        for name in ["weather", "", "an"] {
            assert!(similar_words(name, words).is_empty(), "{name}");
        }
        assert_eq!(nearest_words("weather", words).len(), MAX_SUGGESTIONS);
        assert_eq!(nearest_words("Wite", words)[0], "white_rank");
        assert_eq!(similar_words("k02", ["K001", "K002", "H002"]), ["K002"]);
        assert_eq!(suggestion(&["a", "b"]), " (did you mean a or b?)");
    }

    #[test]
    fn one_letter_or_two_exchanged_ones_are_near() {
        assert!(["size", "sise", "siez", "siz"].iter().all(|word| is_nearly(word, "size")));
        assert!(["sixx", "komi", ""].iter().all(|word| !is_nearly(word, "size")));
    }
}
