//! Parser for KM, including the forms of servers and countries.

use super::amount;
use super::dialect::KomiUnit;
use crate::finding::Code;
use jigo_rules::HalfPoints;
use jigo_rules::half_points::{HalfPointsError, MAX_POINTS, parse_quarters};

/// A komi with the findings about its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KomiText {
    /// Komi. Positive values are points for White.
    pub komi: HalfPoints,
    /// Findings about differences from FF\[4\].
    pub codes: Vec<Code>,
}

/// The largest komi in zi.
const MAX_ZI: HalfPoints = HalfPoints::from_points(4);

impl KomiText {
    /// Returns the komi if its hundredths are of zi instead of points.
    ///
    /// `KM[350]` is 3.5 points in some records and 3.5 zi, which are 7 points, in others.
    pub fn other_komi(&self) -> Option<HalfPoints> {
        let is_of_points = self.codes.contains(&Code::KomiHundredths) && !self.codes.contains(&Code::KomiZi);
        let is_doubtful = is_of_points && self.komi >= HalfPoints::from_points(1) && self.komi <= MAX_ZI;
        is_doubtful.then(|| HalfPoints(self.komi.0 * 2))
    }

    /// Parses KM.
    ///
    /// - A decimal comma is read as a point.
    /// - Large numbers are hundredths: for an unknown unit from 100 on, for hundredths the whole
    ///   numbers from 25 on.
    /// - If the unit is not points, quarters are Chinese zi. One zi equals two points, so 3¾ zi are
    ///   7.5.
    /// - A unit after the number, or a fraction, is accepted.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a number, if the number is beyond ±[`MAX_POINTS`], or if
    /// no reading gives a multiple of ½.
    pub fn parse(text: &str, unit: KomiUnit) -> Result<KomiText, HalfPointsError> {
        let mut codes = Vec::new();
        if text.contains(',') {
            codes.push(Code::KomiComma);
        }
        let parsed = parse_quarters(text);
        let is_number = parsed != Err(HalfPointsError::NotANumber);
        let mut quarters = match if is_number { None } else { amount::parse(text) } {
            Some(amount) => {
                codes.push(if amount.is_zi { Code::KomiZi } else { Code::KomiForm });
                amount.quarters
            }
            None => parsed?,
        };
        let is_hundredths = match unit {
            _ if !is_number => false,
            KomiUnit::Points => false,
            KomiUnit::ByForm => quarters.abs() >= 100 * 4,
            KomiUnit::Hundredths => quarters.abs() >= 25 * 4 && quarters % 4 == 0,
        };
        if is_hundredths {
            codes.push(Code::KomiHundredths);
            if quarters % 100 != 0 {
                return Err(HalfPointsError::NotAMultiple);
            }
            quarters /= 100;
        }
        if quarters % 2 != 0 && unit == KomiUnit::Points {
            return Err(HalfPointsError::NotAMultiple);
        }
        if quarters % 2 != 0 {
            codes.push(Code::KomiZi);
            quarters *= 2;
            if quarters.abs() / 4 > MAX_POINTS {
                return Err(HalfPointsError::OutOfRange);
            }
        }
        Ok(KomiText { komi: HalfPoints(quarters / 2), codes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Code::{KomiComma, KomiForm, KomiHundredths, KomiZi};

    #[test]
    fn komi_is_understood_as_servers_and_countries_write_it() {
        let cases: [(&str, i32, &[Code]); 18] = [
            ("6.5", 13, &[]),
            ("0", 0, &[]),
            ("-59.5", -119, &[]),
            ("6,5", 13, &[KomiComma]),
            ("375", 15, &[KomiHundredths, KomiZi]),
            ("650", 13, &[KomiHundredths]),
            ("750", 15, &[KomiHundredths]),
            ("2.75", 11, &[KomiZi]),
            ("3,25", 13, &[KomiComma, KomiZi]),
            ("6.5 points", 13, &[KomiForm]),
            ("6.5 moku", 13, &[KomiForm]),
            ("6目半", 13, &[KomiForm]),
            ("5 1/2", 11, &[KomiForm]),
            ("7½", 15, &[KomiForm]),
            ("3¾", 15, &[KomiForm, KomiZi]),
            ("3.75子", 15, &[KomiZi]),
            ("-5目半", -11, &[KomiForm]),
            ("-3子半", -14, &[KomiZi]),
        ];
        for (text, halves, codes) in cases {
            assert_eq!(
                KomiText::parse(text, KomiUnit::ByForm),
                Ok(KomiText { komi: HalfPoints(halves), codes: codes.to_vec() }),
                "{text}"
            );
        }
    }

    #[test]
    fn hundredths_of_a_small_komi_may_be_of_zi() {
        let other = |text: &str| KomiText::parse(text, KomiUnit::Hundredths).unwrap().other_komi();
        for (text, points) in [("350", Some(7)), ("250", Some(5)), ("400", Some(8)), ("3.5", None), ("375", None)] {
            assert_eq!(other(text), points.map(HalfPoints::from_points), "{text}");
        }
        assert!(["650", "750", "50", "0", "550"].into_iter().all(|text| other(text).is_none()));
    }

    #[test]
    fn malformed_komi_is_rejected() {
        for text in ["seven", "6.4", "6.25 points", "6.5 or so", "333.3", "101", "nan"] {
            assert!(KomiText::parse(text, KomiUnit::ByForm).is_err(), "{text}");
        }
        assert_eq!(KomiText::parse("20000", KomiUnit::ByForm), Err(HalfPointsError::OutOfRange));
        // Conversion from zi doubles it beyond the largest komi.
        for (text, is_komi) in [("5000.25", true), ("-5000.25", true), ("7503,25", false), ("-5000.75", false)] {
            assert_eq!(KomiText::parse(text, KomiUnit::Hundredths).is_ok(), is_komi, "{text}");
        }
    }

    #[test]
    fn known_unit_decides_the_komi() {
        let points = |text: &str, unit| KomiText::parse(text, unit).ok().map(|read| read.komi.0);
        for (text, by_form, in_points, in_hundredths) in [
            ("6.5", Some(13), Some(13), Some(13)),
            ("7", Some(14), Some(14), Some(14)),
            ("50", Some(100), Some(100), Some(1)),
            ("375", Some(15), Some(750), Some(15)),
            ("150.5", None, Some(301), Some(301)),
            ("3.75", Some(15), None, Some(15)),
        ] {
            let read = [KomiUnit::ByForm, KomiUnit::Points, KomiUnit::Hundredths].map(|unit| points(text, unit));
            assert_eq!(read, [by_form, in_points, in_hundredths], "{text}");
        }
    }
}
