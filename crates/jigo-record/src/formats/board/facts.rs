//! The lines above and below a board: komi, rules, the next player, captured and dead stones.

use jigo_rules::board::Color;
use jigo_rules::ru_property::parse_ru;
use jigo_rules::suggestions::is_nearly;

/// The facts that lines above and below a board give.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub komi: Option<String>,
    pub rules: Option<String>,
    pub next: Option<Color>,
    /// The stones that Black and White have lost.
    pub lost: [Option<u32>; 2],
    pub handicap: Option<u32>,
    /// The names of dead stones.
    pub dead: Vec<String>,
}

/// The relation of a line to the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FactLine {
    /// The line gives a fact.
    Read,
    /// The line begins like a fact, but it can't be read.
    Unreadable,
    /// The line is other text.
    None,
}

/// The largest number of captured stones, which no game reaches.
const MAX_CAPTURED: u32 = 1_000_000;

/// The largest handicap: stones on a whole board.
const MAX_HANDICAP: u32 = 1_000;

/// Stores a fact. Returns false if another line gives another value.
fn set<T: PartialEq>(fact: &mut Option<T>, value: T) -> bool {
    match fact {
        Some(known) => *known == value,
        None => {
            *fact = Some(value);
            true
        }
    }
}

/// Returns true if a character separates words.
pub(super) fn is_separator(symbol: char) -> bool {
    symbol.is_whitespace() || ":=,;()".contains(symbol)
}

impl Facts {
    /// Reads a line that may contain several facts with commas between.
    pub(super) fn add_line(&mut self, line: &str) -> FactLine {
        if self.add_fact(line) {
            return FactLine::Read;
        }
        // A card also has the result, which a board without turns does not explain.
        let is_result = |part: &&str| part.trim_start().starts_with("result ");
        let parts = || line.split([',', ';']).filter(|part| !part.trim().is_empty());
        let facts = || parts().filter(|part| !is_result(part));
        if facts().count() > 1 && facts().all(|part| Facts::default().add_fact(part)) {
            return match facts().filter(|part| !self.add_fact(part)).count() {
                0 if parts().any(|part| is_result(&part)) => FactLine::None,
                0 => FactLine::Read,
                _ => FactLine::Unreadable,
            };
        }
        let small = line.to_lowercase();
        let mut words = small.split(is_separator).filter(|word| !word.is_empty());
        let first = words.clone().next().unwrap_or_default();
        let has_number = small.contains(|symbol: char| symbol.is_ascii_digit());
        // jigo's cards repeat the board in words, and have a table of scores.
        if [("dead", "dame"), ("ruleset", "result"), ("area", "territory")]
            .iter()
            .any(|(word, other)| first == *word && small.contains(other))
        {
            return FactLine::None;
        }
        let is_fact = matches!(first, "komi" | "rules" | "ruleset" | "dead" | "next" | "captured" | "ha")
            || Facts::default().add_fact(line)
            || words.any(|word| word == "captured" || word == "komi" || (has_number && is_like_fact(word)));
        if is_fact { FactLine::Unreadable } else { FactLine::None }
    }

    /// Reads one fact. Returns false for other text.
    fn add_fact(&mut self, line: &str) -> bool {
        // Small letters outside ASCII may have another length.
        let small = line.trim().to_ascii_lowercase();
        let words: Vec<&str> = small.split(is_separator).filter(|word| !word.is_empty()).collect();
        let named = line.trim().split_once(is_separator).map_or("", |(_, rest)| rest.trim_matches(is_separator));
        match words[..] {
            ["komi" | "rules", "unknown"] => true,
            [size] if size.split('x').count() == 2 => size.split('x').all(|side| side.parse::<u8>().is_ok()),
            [turns, "turn" | "turns"] => turns.parse::<u32>().is_ok(),
            [name, "rules"] => parse_ru(name, &[]).is_some() && set(&mut self.rules, name.to_owned()),
            ["komi", ..] => self.add_komi(named),
            [.., "komi"] => self.add_komi(&line.trim()[..line.trim().len() - "komi".len()]),
            ["rules" | "ruleset", _, ..] => parse_ru(named, &[]).is_some() && set(&mut self.rules, named.to_owned()),
            ["handicap" | "ha", number] | [number, "handicap", "stones"] => {
                number.parse().is_ok_and(|stones| stones <= MAX_HANDICAP && set(&mut self.handicap, stones))
            }
            ["dead", ref names @ ..] if !names.is_empty() && names.iter().all(|name| is_point(name)) => {
                self.dead.extend(names.iter().map(|name| name.to_uppercase()));
                true
            }
            ["next", .., name] => self.add_next(name),
            [name, "to", "play" | "move"] | ["to", "play" | "move", name] => self.add_next(name),
            [_, name, "to", "play" | "move"] if color(name).is_some() => self.add_next(name),
            _ => words.contains(&"captured") && self.add_captures(&words),
        }
    }

    fn add_komi(&mut self, text: &str) -> bool {
        let number = text.trim().trim_end_matches("points").trim_end_matches("point").trim();
        let is_number = number.chars().any(|symbol| symbol.is_ascii_digit())
            && number.chars().all(|symbol| symbol.is_ascii_digit() || "-+.,".contains(symbol));
        is_number && set(&mut self.komi, number.to_owned())
    }

    fn add_next(&mut self, name: &str) -> bool {
        color(name).is_some_and(|color| set(&mut self.next, color))
    }

    /// Reads numbers of captured stones, each with a colour before or after it. It is the colour of
    /// the stones, or that of the player who took them if the line has `by` or `has`, or a player
    /// directly before `captured`.
    fn add_captures(&mut self, words: &[&str]) -> bool {
        let captured = words.iter().position(|word| *word == "captured").unwrap_or_default();
        let has_captor = captured > 0 && color(words[captured - 1]).is_some();
        let is_by_captor = has_captor || words.contains(&"by") || words.contains(&"has");
        let (mut player, mut number): (Option<Color>, Option<u32>) = (None, None);
        let mut lost = self.lost;
        let mut is_number_given = false;
        for word in words {
            let (letter, digits) = word.split_at(word.bytes().take_while(|byte| !byte.is_ascii_digit()).count());
            match (color(letter), digits.parse::<u32>()) {
                (None, Err(_)) if ["captured", "by", "has", "have", "stones", "stone"].contains(word) => continue,
                (None, Ok(digits)) if letter.is_empty() && number.is_none() => number = Some(digits),
                (Some(color), Ok(digits)) if number.is_none() => (player, number) = (Some(color), Some(digits)),
                (Some(color), Err(_)) if digits.is_empty() => player = Some(color),
                _ => return false,
            }
            if let (Some(color), Some(stones)) = (player, number) {
                let loser = if is_by_captor { color.opponent() } else { color };
                if !set(&mut lost[loser.index()], stones.min(MAX_CAPTURED)) {
                    return false;
                }
                (player, number, is_number_given) = (None, None, true);
            }
        }
        let is_read = is_number_given && number.is_none();
        if is_read {
            self.lost = lost;
        }
        is_read
    }
}

fn color(word: &str) -> Option<Color> {
    match word {
        "b" | "black" | "x" | "●" => Some(Color::Black),
        "w" | "white" | "o" | "○" => Some(Color::White),
        _ => None,
    }
}

/// Returns true for a word that begins a fact, also for a mistyped one, and for similar words.
fn is_like_fact(word: &str) -> bool {
    ["komi", "rules", "dead", "captured", "captures", "prisoners", "handicap", "seki"]
        .iter()
        .any(|fact| is_nearly(word, fact))
}

/// Returns true for the name of a point, and for `none`.
fn is_point(name: &str) -> bool {
    let letters = name.trim_end_matches(|symbol: char| symbol.is_ascii_digit());
    name == "none"
        || (letters.len() < name.len() && letters.len() <= 3 && letters.bytes().all(|b| b.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Facts {
        let mut facts = Facts::default();
        for line in lines {
            assert_eq!(facts.add_line(line), FactLine::Read, "{line}");
        }
        facts
    }

    #[test]
    fn captured_stones_belong_to_their_colour_or_captor() {
        for (line, lost) in [
            ("captured B 3 W 5", [Some(3), Some(5)]),
            ("captured B3 W5", [Some(3), Some(5)]),
            ("Captured: 11 black, 8 white", [Some(11), Some(8)]),
            ("B stones captured: 2", [Some(2), None]),
            ("captured by B 3 W 5", [Some(5), Some(3)]),
            ("WHITE (O) has captured 3 stones", [Some(3), None]),
            ("Black captured 3", [None, Some(3)]),
        ] {
            assert_eq!(read(&[line]).lost, lost, "{line}");
        }
    }

    #[test]
    fn facts_have_several_forms() {
        for line in ["komi 6.5", "Komi: 6.5 points", "6.5 komi", "komi 6.5, rules AGA"] {
            assert_eq!(read(&[line]).komi.as_deref(), Some("6.5"), "{line}");
        }
        for line in ["handicap 3", "HA 3", "Handicap: 3", "komi 0.5, handicap 3", "9x9, 3 handicap stones, komi 0.5"] {
            assert_eq!(read(&[line]).handicap, Some(3), "{line}");
        }
        assert_eq!(read(&["komi 6.5; rules AGA"]).rules.as_deref(), Some("AGA"));
        assert_eq!(read(&["dead A4", "dead: B2, C3"]).dead, ["A4", "B2", "C3"]);
        for line in ["to play W", "white to play", "Next player: White"] {
            assert_eq!(read(&[line]).next, Some(Color::White), "{line}");
        }
    }

    #[test]
    fn second_value_of_a_fact_is_unreadable() {
        for [first, second] in [
            ["komi 6.5", "komi 0.5"],
            ["rules AGA", "rules Japanese"],
            ["to play W", "to play B"],
            ["handicap 2", "handicap 3"],
            ["captured B 3 W 5", "captured W 4"],
            ["komi 6.5", "9x9, komi 0.5, japanese rules"],
        ] {
            let mut facts = read(&[first, first]);
            assert_eq!(facts.add_line(second), FactLine::Unreadable, "{second}");
        }
        assert_eq!(read(&["captured B 3", "captured W 4"]).lost, [Some(3), Some(4)]);
    }

    #[test]
    fn facts_of_a_card_are_read() {
        let facts = read(&["9x9, komi 0.5, japanese rules, 10 turns"]);
        assert_eq!([facts.komi, facts.rules].map(Option::unwrap), ["0.5", "japanese"]);
        let facts = read(&["19x19, komi unknown, rules unknown, 1 turn"]);
        assert_eq!([facts.komi, facts.rules], [None, None]);
        let mut facts = Facts::default();
        // The result is left out.
        assert_eq!(facts.add_line("9x9, komi 7, aga rules, result B+3.5, 10 turns"), FactLine::None);
        assert_eq!([facts.komi, facts.rules].map(Option::unwrap), ["7", "aga"]);
        for line in [
            "Dead, estimated: 1 black, 0 white; 2 dame",
            "Ruleset       Result    Confidence",
            "Area 5, territory 5, Black minus White without komi: they are the same",
        ] {
            assert_eq!(Facts::default().add_line(line), FactLine::None, "{line}");
        }
        for line in ["9x9, handicap stones, komi 0.5", "9x9, komi 6.5, japanes rules"] {
            assert_eq!(Facts::default().add_line(line), FactLine::Unreadable, "{line}");
        }
    }

    #[test]
    fn unreadable_facts_are_known_as_such() {
        for line in [
            "captured 3 5",
            "3 white stones were captured by black",
            "dead",
            "dead stones",
            "deda B2",
            "B2 dead",
            "Captures: B 5, W 2",
            "prisoners: Black 9, White 2",
            "kmoi 6.5",
            "komi high",
            "next",
            "rules japanes",
        ] {
            assert_eq!(Facts::default().add_line(line), FactLine::Unreadable, "{line}");
        }
        for line in ["Ann plays Bob", "Move 57", "Round 2, table 3", "read at night"] {
            assert_eq!(Facts::default().add_line(line), FactLine::None, "{line}");
        }
    }
}
