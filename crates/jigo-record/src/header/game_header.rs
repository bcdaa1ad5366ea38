//! The header of a game: the values of its root.

use super::dialect::Dialect;
use super::{Date, Precision, RecordedResult};
use jigo_rules::board::BoardSize;
use jigo_rules::{DeadStones, HalfPoints, Ruleset};

/// The root properties of a game. Values without a use in calculations remain texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The dialect of the record, if known.
    pub dialect: Option<&'static Dialect>,
    /// SZ; 19x19 if missing.
    pub size: BoardSize,
    /// KM, if present and readable.
    pub komi: Option<HalfPoints>,
    /// True if KM is in zi or hundredths, as in Chinese records and on Chinese servers.
    pub komi_is_chinese: bool,
    /// HA, if present and readable.
    pub handicap: Option<u32>,
    /// RU as written; empty if missing, like all texts here.
    pub rules: String,
    /// RE as written.
    pub result_text: String,
    /// RE as parsed.
    pub result: RecordedResult,
    /// PB.
    pub black: String,
    /// PW.
    pub white: String,
    /// BR.
    pub black_rank: String,
    /// WR.
    pub white_rank: String,
    /// EV.
    pub event: String,
    /// DT.
    pub date: String,
    /// PC.
    pub place: String,
    /// AP.
    pub application: String,
    /// SO.
    pub source: String,
}

impl Header {
    /// Returns the first date in DT and its precision.
    pub fn first_date(&self) -> Option<(Date, Precision)> {
        Date::find_with_precision(&self.date)
    }

    /// Returns the recorded ruleset as the players' server or program counts it.
    ///
    /// Almost only programs name Tromp-Taylor rules. They follow the text, which removes no stone.
    pub fn counted_ruleset(&self, ruleset: Ruleset) -> Ruleset {
        match self.dialect {
            Some(dialect) => dialect.with_server_scoring(ruleset, &self.date),
            None if ruleset.name == "tromp-taylor" && !self.rules.is_empty() => {
                ruleset.with_dead_stones(DeadStones::AsIs)
            }
            None => ruleset,
        }
    }

    /// Returns the year of the first date in DT.
    pub fn year(&self) -> Option<u16> {
        self.first_date().map(|(date, _)| date.year)
    }

    /// Returns KM, or 0 for a game that is older than komi.
    pub fn known_komi(&self) -> Option<HalfPoints> {
        self.komi.or_else(|| (!self.is_komi_of_its_time(HalfPoints(1))).then_some(HalfPoints::ZERO))
    }

    /// Returns true if players may have used a komi in the year of the game. The years are those of
    /// the first games and tournaments in the GoGoD collection (Sensei's Library, "History of
    /// Komi").
    pub fn is_komi_of_its_time(&self, komi: HalfPoints) -> bool {
        let first_year = match komi.0 {
            ..=0 => 0,
            9 => 1934,
            11 => 1955,
            12 => 1978,
            // A game of amateurs in 1984 is doubtful.
            13 => 1997,
            // Ing's 8 points, with which Black wins ties, are 7.5.
            15 => 1975,
            _ => 1931,
        };
        self.year().is_none_or(|year| year >= first_year)
    }

    /// Returns true if the record has no komi, or a 0 from a server that writes 0 for an unrecorded
    /// komi.
    pub fn is_komi_unrecorded(&self) -> bool {
        let writes_zero = self.dialect.is_some_and(|dialect| dialect.unrecorded_komi);
        self.komi.is_none_or(|komi| writes_zero && komi == HalfPoints::ZERO)
    }
}
