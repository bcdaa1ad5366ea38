//! Values of the root that few runs need. They are read on request.

use std::borrow::Cow;

use super::nodes::{MainLine, Node, RawProperty, properties};
use crate::header::time_control::{TimeControl, TimeTexts};
use crate::header::{Dialect, Header, PlayerId, PlayerList};
use crate::sgf::Limits;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget, capitals};

/// The round, the time control, and the kinds and identities of the players.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameDetails {
    /// RO as written.
    pub round: String,
    /// The time control.
    pub time_control: TimeControl,
    /// True if the game counts for the players' ratings, if the record tells it.
    pub is_rated: Option<bool>,
    /// True for players that are programs, if the server tells it; Black first.
    pub are_bots: [Option<bool>; 2],
    /// The identities of the players, Black first.
    pub player_ids: [PlayerId; 2],
}

impl GameDetails {
    /// Reads the details of a decoded game whose header is known. `players` lists players by name.
    pub fn of_game(bytes: &[u8], header: &Header, players: Option<&PlayerList>, limits: Limits) -> GameDetails {
        let player_ids = PlayerId::of_game(header, players);
        GameDetails { player_ids, ..GameDetails::from_root(bytes, header.dialect, limits) }
    }

    /// Reads the details from the root, without the players.
    fn from_root(bytes: &[u8], dialect: Option<&Dialect>, limits: Limits) -> GameDetails {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
        let limit = usize::try_from(limits.text).unwrap_or(usize::MAX);
        let mut texts = TimeTexts::default();
        let mut details = GameDetails {
            are_bots: [dialect.filter(|dialect| dialect.only_programs).map(|_| true); 2],
            ..GameDetails::default()
        };
        for property in properties_before_turns(lexer) {
            let Some(value) = property.values.first().map(|range| &bytes[range.clone()]) else { continue };
            let text = match &*capitals(&bytes[property.identifier]) {
                b"RO" => &mut details.round,
                b"TM" => &mut texts.main,
                b"OT" => &mut texts.overtime,
                b"TC" | b"LC" => &mut texts.periods,
                b"TT" | b"LT" => &mut texts.period_seconds,
                b"GC" if dialect.is_some_and(|dialect| dialect.comment_tells_rating) => {
                    details.is_rated = details.is_rated.or_else(|| rating(&simple_text(value, limit)));
                    continue;
                }
                _ => continue,
            };
            // The first value counts, as in the header.
            if text.is_empty() {
                *text = simple_text(value, limit).into_owned();
            }
        }
        details.time_control = TimeControl::parse(&texts, dialect.is_some_and(|dialect| dialect.writes_overtime));
        details
    }
}

/// Returns the properties of the nodes before the first turn, which is usually the root.
fn properties_before_turns(lexer: Lexer) -> Vec<RawProperty> {
    let mut found = Vec::new();
    for node in MainLine::from(lexer, 0) {
        let Node::Other { body, .. } = node else { break };
        let first = found.len();
        found.append(&mut properties(&lexer, body).0);
        let mut names = found[first..].iter().map(|property| capitals(&lexer.bytes[property.identifier.clone()]));
        if names.any(|name| matches!(&*name, b"B" | b"W")) {
            break;
        }
    }
    found
}

/// Returns the rating status in a comment such as `correspondence,ranked`.
fn rating(comment: &str) -> Option<bool> {
    let is_listed = |word: &str| comment.split(',').any(|part| part.trim() == word);
    match (is_listed("ranked"), is_listed("unranked")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Returns a value without escapes, control characters and blanks at its ends, up to the limit.
pub(crate) fn simple_text(value: &[u8], limit: usize) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value[..limit.min(value.len())].trim_ascii());
    if !text.contains(|c: char| c == '\\' || c.is_control()) {
        return text;
    }
    let mut chars = text.chars();
    let mut plain = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        match c {
            // FF[4] removes a line break after a backslash.
            '\\' => plain.extend(chars.next().filter(|next| !next.is_control())),
            c if c.is_whitespace() => plain.push(' '),
            c if c.is_control() => {}
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DialectChoice;
    use crate::header::time_control::OvertimeKind;

    fn details(root: &str, dialect: &str) -> GameDetails {
        let dialect = match DialectChoice::parse(dialect) {
            Some(DialectChoice::Fixed(dialect)) => Some(dialect),
            _ => None,
        };
        GameDetails::from_root(format!("(;{root};B[aa])").as_bytes(), dialect, Limits::default())
    }

    #[test]
    fn round_and_times_come_from_the_root() {
        let found = details("GM[1]RO[ 3 (final\\]) ]TM[1800]OT[5x30 byo-yomi]RO[4]", "");
        assert_eq!(found.round, "3 (final])");
        assert_eq!(found.time_control.main, Some(1_800_000));
        let overtime = found.time_control.overtime.unwrap();
        assert_eq!((overtime.kind, overtime.periods), (OvertimeKind::ByoYomi, Some(5)));
        let details = |text: &[u8]| GameDetails::from_root(text, None, Limits::default());
        assert_eq!(details(b"(;GM[1];RO[2]TM[60])"), details(b"(;GM[1]RO[2]TM[60])"));
        assert_eq!(details(b"(;GM[1];B[aa];RO[2]TM[60])"), GameDetails::default());
    }

    #[test]
    fn periods_are_read_from_both_pairs_of_names() {
        for root in ["TM[60]TC[3]TT[30]", "TM[60]LT[30]LC[3]KO[7.5]TC[]"] {
            let overtime = details(root, "").time_control.overtime.unwrap();
            assert_eq!((overtime.periods, overtime.period_time), (Some(3), Some(30_000)), "{root}");
        }
    }

    #[test]
    fn rating_and_programs_depend_on_the_dialect() {
        assert_eq!(details("GC[correspondence,ranked]", "ogs").is_rated, Some(true));
        assert_eq!(details("GC[live, unranked]", "ogs").is_rated, Some(false));
        for root in ["GC[a ranked game]", "GC[ranked,unranked]", "GC[]", "PB[x]"] {
            assert_eq!(details(root, "ogs").is_rated, None, "{root}");
        }
        assert_eq!(details("GC[ranked]", "").is_rated, None);
        assert_eq!(details("PB[x]", "cgos").are_bots, [Some(true); 2]);
        assert_eq!(details("PB[x]", "ogs").are_bots, [None; 2]);
    }

    #[test]
    fn damaged_and_long_roots_end() {
        for text in ["", "(", "(;", "(;TM", "(;TM[", "(;RO[x", "(;B[aa])", ";;;", "(;RO[\\", "(;\u{0}[])"] {
            let _ = GameDetails::from_root(text.as_bytes(), None, Limits::default());
        }
        let long = format!("(;RO[{}])", "é".repeat(100_000));
        let limits = Limits { text: 99, ..Limits::default() };
        assert!(GameDetails::from_root(long.as_bytes(), None, limits).round.len() <= 102);
    }
}
