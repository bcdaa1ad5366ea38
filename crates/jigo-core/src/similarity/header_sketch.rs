//! Comparison of two headers.

use super::names::{Likeness, compare_names, compare_texts, sorted_words};
use jigo_record::{Date, Header, PlayerId, PlayerList, ResultKind};
use jigo_rules::HalfPoints;
use jigo_rules::board::{Color, fnv1a};

/// The header values used in comparisons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderSketch {
    /// PB and PW.
    pub players: [String; 2],
    /// The identifiers of the players in the user's list, Black first. Empty for others.
    pub listed_ids: [String; 2],
    /// DT.
    pub date: String,
    /// EV.
    pub event: String,
    /// PC.
    pub place: String,
    /// Parsed KM.
    pub komi: Option<HalfPoints>,
    /// HA.
    pub handicap: Option<u32>,
    /// Winner. The outer `None` means unknown, the inner `None` a draw.
    pub winner: Option<Option<Color>>,
    /// Margin in RE, Black minus White, if it has one.
    pub margin: Option<HalfPoints>,
    /// Number of non-empty header fields, including those that are not compared.
    pub filled_fields: u8,
}

jigo_rules::named! {
    /// A field in which two headers can agree, or the clocks or colours of the turns.
    pub enum HeaderField {
        /// PB.
        Black = "black",
        /// PW.
        White = "white",
        /// DT.
        Date = "date",
        /// RE.
        Result = "result",
        /// KM.
        Komi = "komi",
        /// HA.
        Handicap = "handicap",
        /// EV.
        Event = "event",
        /// PC.
        Place = "place",
        /// BL and WL of the turns.
        Clocks = "clocks",
        /// The colours of turns whose points agree.
        Colors = "colors",
    }
}

/// A set of fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeaderFields(u16);

impl HeaderFields {
    /// Adds a field.
    pub fn insert(&mut self, field: HeaderField) {
        self.0 |= 1 << field as u16;
    }

    /// Returns true if the set contains `field`.
    pub fn contains(self, field: HeaderField) -> bool {
        self.0 & 1 << field as u16 != 0
    }

    /// Returns the number of fields.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the names, separated by `;`.
    pub fn names(self) -> String {
        let fields = HeaderField::NAMES.iter().filter(|(_, field)| self.contains(*field));
        fields.map(|(name, _)| *name).collect::<Vec<_>>().join(";")
    }
}

impl HeaderSketch {
    /// Extracts the compared values of a header. `players` lists players by name.
    pub(super) fn from_header(header: &Header, players: Option<&PlayerList>) -> HeaderSketch {
        let Header { komi, handicap, result, result_text, .. } = header;
        let texts = header.texts().map(|(_, text)| text).chain([result_text.as_str()]);
        let filled_count = texts.filter(|text| !text.trim().is_empty()).count();
        let winner = match result.kind {
            ResultKind::Draw => Some(None),
            _ => result.winner.map(Some),
        };
        HeaderSketch {
            players: [short(&header.black), short(&header.white)],
            listed_ids: players.map_or_else(Default::default, |players| {
                PlayerId::of_game(header, Some(players)).map(|player| player.listed_id())
            }),
            date: short(&header.date),
            event: short(&header.event),
            place: short(&header.place),
            komi: *komi,
            handicap: *handicap,
            winner,
            margin: result.black_minus_white,
            filled_fields: (filled_count + usize::from(komi.is_some()) + usize::from(handicap.is_some())) as u8,
        }
    }

    /// Returns a hash of both players, in any order of colours, and of the date.
    ///
    /// Returns `None` if one of them is unknown.
    pub(super) fn key(&self) -> Option<u64> {
        let player = |index: usize| match self.listed_ids[index].as_str() {
            "" => sorted_words(&self.players[index]),
            id => Some(id.to_owned()),
        };
        let mut players = [player(0)?, player(1)?];
        players.sort_unstable();
        let date = Date::find(&self.date)?.iso();
        let text = format!("{}\n{}\n{date}", players[0], players[1]);
        Some(fnv1a(text.as_bytes()))
    }

    /// Returns the fields in which the headers agree and those in which they disagree.
    ///
    /// A field that is missing in one header is in neither set.
    pub(super) fn compare(&self, other: &HeaderSketch, colors_swapped: bool) -> (HeaderFields, HeaderFields) {
        let mut result = (HeaderFields::default(), HeaderFields::default());
        let mut note = |field, likeness: Likeness| match likeness {
            Likeness::Same => result.0.insert(field),
            Likeness::Different => result.1.insert(field),
            Likeness::Unknown => {}
        };
        note(HeaderField::Black, self.compare_players(Color::Black, other, colors_swapped));
        note(HeaderField::White, self.compare_players(Color::White, other, colors_swapped));
        note(HeaderField::Date, compare_dates(&self.date, &other.date));
        note(HeaderField::Result, self.compare_results(other, colors_swapped));
        note(HeaderField::Komi, compare_values(self.komi, other.komi));
        note(HeaderField::Handicap, compare_values(self.handicap, other.handicap));
        note(HeaderField::Event, compare_texts(&self.event, &other.event));
        note(HeaderField::Place, compare_texts(&self.place, &other.place));
        result
    }

    /// Compares the player of `color` with the corresponding player of another game.
    ///
    /// If the user lists both players, their identifiers decide; otherwise their names do.
    fn compare_players(&self, color: Color, other: &HeaderSketch, colors_swapped: bool) -> Likeness {
        let (index, other_color) = (color.index(), if colors_swapped { color.opponent() } else { color });
        let other_index = other_color.index();
        match (self.listed_ids[index].as_str(), other.listed_ids[other_index].as_str()) {
            ("", _) | (_, "") => compare_names(&self.players[index], &other.players[other_index]),
            (id, other_id) if id == other_id => Likeness::Same,
            _ => Likeness::Different,
        }
    }

    fn compare_results(&self, other: &HeaderSketch, colors_swapped: bool) -> Likeness {
        let winner = |winner: Option<Color>| if colors_swapped { winner.map(Color::opponent) } else { winner };
        let margin = other.margin.map(|margin| if colors_swapped { HalfPoints(-margin.0) } else { margin });
        match (compare_values(self.winner, other.winner.map(winner)), compare_values(self.margin, margin)) {
            (Likeness::Same, Likeness::Different) => Likeness::Different,
            (winner, _) => winner,
        }
    }

    /// Returns true if both headers name a winner and the winners differ.
    pub(super) fn has_different_winner(&self, other: &HeaderSketch, colors_swapped: bool) -> bool {
        let winner = |winner: Option<Color>| if colors_swapped { winner.map(Color::opponent) } else { winner };
        compare_values(self.winner, other.winner.map(winner)) == Likeness::Different
    }
}

/// Largest stored length of a text, in characters.
const MAX_CHARS: usize = 80;

/// Returns a text without surrounding space, cut to [`MAX_CHARS`] characters.
fn short(text: &str) -> String {
    let text = text.trim();
    // A text has at most as many characters as bytes.
    if text.len() <= MAX_CHARS { text.to_owned() } else { text.chars().take(MAX_CHARS).collect() }
}

fn compare_values<T: PartialEq>(first: Option<T>, second: Option<T>) -> Likeness {
    match (first, second) {
        (Some(first), Some(second)) if first == second => Likeness::Same,
        (Some(_), Some(_)) => Likeness::Different,
        _ => Likeness::Unknown,
    }
}

/// Compares two dates.
///
/// Dates of one game in two time zones can differ by one day. Dates without a day or month agree if
/// they can be the same.
fn compare_dates(first: &str, second: &str) -> Likeness {
    let (Some(first), Some(second)) = (Date::find(first), Date::find(second)) else { return Likeness::Unknown };
    let [(start, end), (other_start, other_end)] = [first, second].map(|date| {
        let day = |month: Option<u8>, day: Option<u8>, last| {
            let (month, day) = (month.unwrap_or(if last { 12 } else { 1 }), day.unwrap_or(if last { 31 } else { 1 }));
            Date { month: Some(month), day: Some(day), ..date }.first_day()
        };
        (day(date.month, date.day, false), day(date.month, date.day, true))
    });
    match start - 1 <= other_end && other_start - 1 <= end {
        true if first.year == second.year || (first.day.is_some() && second.day.is_some()) => Likeness::Same,
        true => Likeness::Unknown,
        false => Likeness::Different,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_a_day_apart_agree_and_two_days_apart_do_not() {
        for (first, second, expected) in [
            ("2016-03-09", "2016-03-10", Likeness::Same),
            ("2016-02-29", "2016-03-01", Likeness::Same),
            ("2015-12-31", "2016-01-01", Likeness::Same),
            ("2016-02-28", "2016-03-01", Likeness::Different),
            ("2016-03", "2016-03-10", Likeness::Same),
            ("2016", "2016-03-10", Likeness::Same),
            ("2015", "2016-03-10", Likeness::Different),
            ("2015", "2016", Likeness::Unknown),
            ("", "2016-03-10", Likeness::Unknown),
        ] {
            assert_eq!(compare_dates(first, second), expected, "{first} {second}");
            assert_eq!(compare_dates(second, first), expected, "{second} {first}");
        }
    }
}
