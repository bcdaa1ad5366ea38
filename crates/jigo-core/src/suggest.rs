//! The words that somebody may have meant.

/// How alike two words are, from 0 to 1, of which one is taken for a slip of the other.
const ALIKE: f64 = 0.8;
/// Words that are suggested, at most.
const MOST: usize = 3;

/// The known words that are most like a mistyped one, the nearest first, whatever the letter case.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let scored = known.into_iter().filter_map(|candidate| {
        let other = candidate.to_lowercase();
        let likeness = strsim::jaro_winkler(&lower, &other);
        (likeness > ALIKE || (lower.len() > 2 && other.contains(&lower))).then_some((likeness, candidate))
    });
    let mut scored: Vec<(f64, &str)> = scored.collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    scored.into_iter().take(MOST).map(|(_, candidate)| candidate).collect()
}

/// The known words that are most like another, the nearest first, however little they are.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> =
        known.into_iter().map(|word| (strsim::jaro_winkler(&lower, &word.to_lowercase()), word)).collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    scored.into_iter().take(MOST).map(|(_, word)| word).collect()
}

/// A question with these words, for the end of a message; nothing where there are none.
pub fn suggestion(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        names => format!(" (did you mean {}?)", names.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_its_word_and_another_word_near_none() {
        let known = ["size", "komi", "black_rank", "white_rank"];
        assert_eq!(near("sise", known), ["size"]);
        assert_eq!(near("BLACKRANK", known)[0], "black_rank");
        assert_eq!(near("rank", known), ["black_rank", "white_rank"]);
        assert!(near("weather", known).is_empty() && near("", known).is_empty());
        assert_eq!(near("k02", ["K001", "K002", "H002"]), ["K002"]);
        assert_eq!(suggestion(&["a", "b"]), " (did you mean a or b?)");
    }
}
