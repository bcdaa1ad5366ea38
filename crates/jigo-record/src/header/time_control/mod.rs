//! Parser for time controls: TM, OT, and the properties of servers that have no OT.
//!
//! FF\[4\] defines TM as a number of seconds and OT as any text. Servers and programs write:
//!
//! | source | overtime |
//! |---|---|
//! | KGS | `OT[5x30 byo-yomi]`, `OT[25/600 Canadian]` |
//! | OGS | the same, `OT[25/600 canadian]`, `OT[30 fischer]`, `OT[86400 simple]` |
//! | Fox, YuanYu | `TC[3]TT[30]`: periods and seconds of a period |
//! | older records of Fox | `LC[3]LT[30]`: the same |
//! | GIB and NGF, as jigo converts them | `OT[3x30 byo-yomi]` |
//! | examples in FF\[4\] | `OT[5 mins Japanese style, 1 move / min]`, `OT[25 moves / 10 min]` |
//! | people | `OT[3 periods of 30 seconds]`, `OT[30秒3回]`, `OT[1 min byo-yomi]` |
//!
//! Sources: the specification of FF\[4\]; the SGF files of the servers; KataGo's
//! `writetrainingdata`, which reads the forms of KGS, OGS and Fox.

mod time_words;

pub(crate) use time_words::thousandths;
use time_words::{MAX_SECONDS, OvertimeWord, Quantity, QuantityUnit, milliseconds, tokens};

jigo_rules::named! {
    /// The kind of overtime.
    pub enum OvertimeKind {
        /// None: the main time is all.
        None = "none",
        /// Periods of a fixed time, each of which is lost if one turn takes longer.
        ByoYomi = "byo-yomi",
        /// A fixed time for a number of stones.
        Canadian = "canadian",
        /// Each turn adds time to the clock.
        Fischer = "fischer",
        /// Another kind, such as a fixed time for each turn.
        Other = "other",
    }
}

/// The overtime of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtime {
    /// The kind.
    pub kind: OvertimeKind,
    /// The number of periods of byo-yomi.
    pub periods: Option<u32>,
    /// The time of a period in thousandths of a second. For Fischer time it is the added time.
    pub period_time: Option<i64>,
    /// The number of stones to play in a period of Canadian overtime.
    pub stones: Option<u32>,
}

/// The largest number of periods or stones that is read.
const MAX_COUNT: u32 = 1000;

impl Overtime {
    const fn of_kind(kind: OvertimeKind) -> Overtime {
        Overtime { kind, periods: None, period_time: None, stones: None }
    }

    /// Parses OT. Returns `None` if the text is empty or its meaning is not certain.
    pub fn parse(text: &str) -> Option<Overtime> {
        let (quantities, words) = tokens(text)?;
        let has = |word: OvertimeWord| words.contains(&word);
        let kinds = [OvertimeWord::Canadian, OvertimeWord::Fischer, OvertimeWord::Simple, OvertimeWord::ByoYomi];
        if kinds.iter().filter(|kind| has(**kind)).count() > 1 {
            return None;
        }
        match quantities[..] {
            [] if words == [OvertimeWord::None] => Some(Overtime::of_kind(OvertimeKind::None)),
            _ if has(OvertimeWord::None) => None,
            [increment] if has(OvertimeWord::Fischer) => {
                Some(Overtime { period_time: increment.time(), ..Overtime::of_kind(OvertimeKind::Fischer) })
            }
            [turn] if has(OvertimeWord::Simple) => {
                Some(Overtime { period_time: turn.time(), ..Overtime::of_kind(OvertimeKind::Other) })
            }
            _ if has(OvertimeWord::Fischer) || has(OvertimeWord::Simple) => None,
            [period] if has(OvertimeWord::ByoYomi) || has(OvertimeWord::PerTurn) => byo_yomi(None, period),
            [period] if period.unit == QuantityUnit::PerMinute => None,
            // The total time is the product of the other two.
            [total, stones, period] if has(OvertimeWord::ByoYomi) && has(OvertimeWord::Slash) => {
                let total = total.time().filter(|_| stones.count() == Some(1))?;
                let period_time = period.time()?;
                let periods = u32::try_from(total / period_time).ok().filter(|_| total % period_time == 0)?;
                byo_yomi(Some(periods), period)
            }
            [first, second] => pair(first, second, &words),
            _ => None,
        }
        .filter(|overtime| overtime.kind == OvertimeKind::None || overtime.period_time.is_some())
    }

    /// Returns the overtime of the periods and the seconds that Fox writes.
    fn from_periods(periods: &str, seconds: &str) -> Option<Overtime> {
        let periods = periods.trim().parse().ok().filter(|periods| (1..=MAX_COUNT).contains(periods))?;
        let period_time = milliseconds(seconds.trim()).filter(|time| *time > 0)?;
        byo_yomi(Some(periods), Quantity { thousandths: period_time, unit: QuantityUnit::Unknown })
    }
}

/// Returns byo-yomi, if the number and the time of its periods are possible.
fn byo_yomi(periods: Option<u32>, period: Quantity) -> Option<Overtime> {
    let is_possible = periods.is_none_or(|periods| (1..=MAX_COUNT).contains(&periods));
    let overtime = Overtime { periods, period_time: period.time(), ..Overtime::of_kind(OvertimeKind::ByoYomi) };
    is_possible.then_some(overtime)
}

/// Returns the overtime of two numbers, such as `3x30`, `25/600` or `10 min / 25 stones`.
fn pair(first: Quantity, second: Quantity, words: &[OvertimeWord]) -> Option<Overtime> {
    let has = |word: OvertimeWord| words.contains(&word);
    let is_time = |quantity: Quantity| quantity.unit.is_time();
    // The number of periods or stones comes first, unless the units show the opposite.
    let is_reversed = is_time(first) && !is_time(second) || second.unit.is_count() && !first.unit.is_count();
    let (count, period) = if is_reversed { (second, first) } else { (first, second) };
    if is_time(count) || period.unit.is_count() {
        return None;
    }
    let is_for_stones =
        count.unit == QuantityUnit::Stones || has(OvertimeWord::Slash) && count.unit != QuantityUnit::Periods;
    let number = count.count().filter(|number| (1..=MAX_COUNT).contains(number))?;
    if has(OvertimeWord::Canadian) || is_for_stones && !has(OvertimeWord::ByoYomi) && number > 1 {
        let stones = Some(number);
        return Some(Overtime { period_time: period.time(), stones, ..Overtime::of_kind(OvertimeKind::Canadian) });
    }
    match is_for_stones {
        true if number == 1 => byo_yomi(None, period),
        true => None,
        false => byo_yomi(Some(number), period),
    }
}

/// The texts of a root that are about time; empty if missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeTexts {
    /// TM.
    pub main: String,
    /// OT.
    pub overtime: String,
    /// TC or LC: the number of periods.
    pub periods: String,
    /// TT or LT: the seconds of a period.
    pub period_seconds: String,
}

/// The time control of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The main time in thousandths of a second; `None` if TM is missing or can't be read.
    pub main: Option<i64>,
    /// The overtime; `None` if the record does not tell it or OT can't be read.
    pub overtime: Option<Overtime>,
}

impl TimeControl {
    /// Parses the texts of a root. `writes_overtime` is true for servers that write the overtime
    /// of every game which has one, so that a main time alone means none.
    pub fn parse(texts: &TimeTexts, writes_overtime: bool) -> TimeControl {
        let main = main_time(&texts.main);
        let overtime = match texts.overtime.trim() {
            "" if !texts.periods.is_empty() && !texts.period_seconds.is_empty() => {
                Overtime::from_periods(&texts.periods, &texts.period_seconds)
            }
            "" if writes_overtime && main.is_some_and(|main| main > 0) => Some(Overtime::of_kind(OvertimeKind::None)),
            text => Overtime::parse(text),
        };
        TimeControl { main, overtime }
    }
}

/// Parses TM: a number of seconds, or numbers with units such as `1h 30m`. Returns thousandths of
/// a second.
fn main_time(text: &str) -> Option<i64> {
    if let Some(time) = milliseconds(text.trim()) {
        return Some(time);
    }
    let (quantities, words) = tokens(text)?;
    let each_has_a_unit = quantities.iter().all(|quantity| quantity.unit.is_time());
    let times: Option<Vec<i64>> = quantities.iter().map(|quantity| quantity.time()).collect();
    let sum = times?.iter().sum();
    (words.is_empty() && !quantities.is_empty() && each_has_a_unit && sum <= MAX_SECONDS * 1000).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byo_yomi(periods: u32, seconds: i64) -> Overtime {
        let periods = if periods == 0 { None } else { Some(periods) };
        Overtime { kind: OvertimeKind::ByoYomi, periods, period_time: Some(seconds * 1000), stones: None }
    }

    fn canadian(stones: u32, seconds: i64) -> Overtime {
        let period_time = Some(seconds * 1000);
        Overtime { kind: OvertimeKind::Canadian, periods: None, period_time, stones: Some(stones) }
    }

    fn timed(kind: OvertimeKind, milliseconds: i64) -> Overtime {
        Overtime { period_time: Some(milliseconds), ..Overtime::of_kind(kind) }
    }

    #[test]
    fn overtime_of_servers_and_programs_is_read() {
        for (text, expected) in [
            ("5x30 byo-yomi", byo_yomi(5, 30)),
            ("1x5 byo-yomi", byo_yomi(1, 5)),
            ("3X30 byo-yomi", byo_yomi(3, 30)),
            ("25/600 Canadian", canadian(25, 600)),
            ("25/600 canadian", canadian(25, 600)),
            ("1/30 Canadian", canadian(1, 30)),
            ("14400 fischer", timed(OvertimeKind::Fischer, 14_400_000)),
            ("10 fischer", timed(OvertimeKind::Fischer, 10_000)),
            ("Fischer: 5 seconds increment", timed(OvertimeKind::Fischer, 5000)),
            ("86400 simple", timed(OvertimeKind::Other, 86_400_000)),
            ("None", Overtime::of_kind(OvertimeKind::None)),
            ("absolute", Overtime::of_kind(OvertimeKind::None)),
            ("3x30.5 byo-yomi", timed(OvertimeKind::ByoYomi, 30_500)),
        ] {
            let periods = Overtime::parse(text).and_then(|overtime| overtime.periods);
            let expected = if text.contains('.') { Overtime { periods, ..expected } } else { expected };
            assert_eq!(Overtime::parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn overtime_in_words_is_read() {
        for (text, expected) in [
            ("5 mins Japanese style, 1 move / min", byo_yomi(5, 60)),
            ("25 moves / 10 min", canadian(25, 600)),
            ("10 min / 25 stones", canadian(25, 600)),
            ("25 stones in 15 minutes", canadian(25, 900)),
            ("3 periods of 30 seconds", byo_yomi(3, 30)),
            ("3 x 30 sec", byo_yomi(3, 30)),
            ("5 * 1 min byoyomi", byo_yomi(5, 60)),
            ("3x30s", byo_yomi(3, 30)),
            ("30秒3回", byo_yomi(3, 30)),
            ("3次60秒", byo_yomi(3, 60)),
            ("1分钟5次读秒", byo_yomi(5, 60)),
            ("초읽기 30초 3회", byo_yomi(3, 30)),
            ("1 min. byo-yomi", byo_yomi(0, 60)),
            ("30 seconds per move", byo_yomi(0, 30)),
        ] {
            assert_eq!(Overtime::parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn doubtful_overtime_is_not_read() {
        for text in [
            "",
            "A very long overtime information text (OT property)",
            "8 xyz 16",
            "30",
            "3x",
            "0x30 byo-yomi",
            "3x0 byo-yomi",
            "2000x30 byo-yomi",
            "5x30 Canadian Fischer",
            "None 30",
            "5 mins Japanese style, 1 move / 7 sec",
            "byo-yomi",
            "Canadian",
            "fischer",
            "30 fischer 20",
            "30 sec 40 sec",
            "99999999999999999999x30 byo-yomi",
            "3x99999999999999999999 byo-yomi",
            "-3x30 byo-yomi",
        ] {
            assert_eq!(Overtime::parse(text), None, "{text}");
        }
    }

    #[test]
    fn main_time_is_a_number_or_has_units() {
        for (text, expected) in [
            ("1800", Some(1_800_000)),
            ("0", Some(0)),
            ("142.7", Some(142_700)),
            (" 60.0 ", Some(60_000)),
            ("1h 30m", Some(5_400_000)),
            ("90 min", Some(5_400_000)),
            ("2 hours", Some(7_200_000)),
            ("3時間", Some(10_800_000)),
            ("1小时30分钟", Some(5_400_000)),
            ("", None),
            ("-5", None),
            ("1:30", None),
            ("30", Some(30_000)),
            ("30 60", None),
            ("1e9", None),
            ("99999999999", None),
            ("each 2 hours or so", None),
        ] {
            assert_eq!(main_time(text), expected, "{text}");
        }
    }

    #[test]
    fn periods_of_fox_and_missing_overtime_are_read() {
        let texts = |main: &str, periods: &str, seconds: &str| TimeTexts {
            main: main.into(),
            periods: periods.into(),
            period_seconds: seconds.into(),
            ..TimeTexts::default()
        };
        let overtime = |texts: &TimeTexts, writes_overtime| TimeControl::parse(texts, writes_overtime).overtime;
        assert_eq!(overtime(&texts("60", "3", "30"), true), Some(byo_yomi(3, 30)));
        for (periods, seconds) in [("0", "30"), ("3", "0"), ("3", "x"), ("3", "-30"), ("", "30")] {
            assert_eq!(overtime(&texts("60", periods, seconds), false), None, "{periods} {seconds}");
        }
        assert_eq!(overtime(&texts("60", "", ""), true), Some(Overtime::of_kind(OvertimeKind::None)));
        assert_eq!(overtime(&texts("60", "", ""), false), None);
        assert_eq!(overtime(&texts("0", "", ""), true), None);
        assert_eq!(overtime(&texts("", "", ""), true), None);
    }
}
