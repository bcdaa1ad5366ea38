//! KM text to komi, with what servers and countries write.

use crate::finding::Code;
use crate::rules::HalfPoints;
use crate::rules::half_points::{NotHalfPoints, parse_quarters};

/// Komi with the findings on how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KomiText {
    /// Points for White.
    pub komi: HalfPoints,
    /// How it differs from what FF[4] asks for.
    pub codes: Vec<Code>,
}

impl KomiText {
    /// Reads KM: a decimal comma is a point, 100 and more are hundredths (Fox writes `375`), quarters are Chinese zi, of which one is
    /// two points (3¾ zi are 7.5).
    ///
    /// # Errors
    /// When it is no number, or none of these makes it a multiple of ½.
    pub fn parse(text: &str) -> Result<KomiText, NotHalfPoints> {
        let mut codes = Vec::new();
        if text.contains(',') {
            codes.push(Code::KomiComma);
        }
        let mut quarters = parse_quarters(text)?;
        if quarters.abs() >= 100 * 4 {
            codes.push(Code::KomiHundredths);
            if quarters % 100 != 0 {
                return Err(NotHalfPoints::Finer);
            }
            quarters /= 100;
        }
        if quarters % 2 != 0 {
            codes.push(Code::KomiZi);
            quarters *= 2;
        }
        Ok(KomiText { komi: HalfPoints(quarters / 2), codes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Code::{KomiComma, KomiHundredths, KomiZi};

    #[test]
    fn komi_is_understood_as_servers_and_countries_write_it() {
        let cases: [(&str, i32, &[Code]); 9] = [
            ("6.5", 13, &[]),
            ("0", 0, &[]),
            ("-59.5", -119, &[]),
            ("6,5", 13, &[KomiComma]),
            ("375", 15, &[KomiHundredths, KomiZi]),
            ("650", 13, &[KomiHundredths]),
            ("750", 15, &[KomiHundredths]),
            ("2.75", 11, &[KomiZi]),
            ("3,25", 13, &[KomiComma, KomiZi]),
        ];
        for (text, halves, codes) in cases {
            assert_eq!(
                KomiText::parse(text),
                Ok(KomiText { komi: HalfPoints(halves), codes: codes.to_vec() }),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_komi_is_refused() {
        for text in ["seven", "6.4", "333.3", "101", "nan"] {
            assert!(KomiText::parse(text).is_err(), "{text}");
        }
    }
}
