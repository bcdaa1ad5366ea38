//! The GIB header: players, rules, result, date and clock. The fields depend on the age of the
//! server.

use std::ops::Range;

use crate::finding::Code;
use crate::formats::rewrite::{SgfWriter, lines, parse_sentence};
use crate::header::result::result_words;
use crate::{Date, RecordedResult, ResultKind};
use jigo_rules::HalfPoints;

/// The fields of the header in their original form.
#[derive(Default)]
pub(super) struct GibFields<'a> {
    /// Name, value and line offset. A value may contain line ends.
    fields: Vec<(&'a str, &'a str, usize)>,
}

impl<'a> GibFields<'a> {
    /// Collects the fields of a game's text.
    pub(super) fn from_text(text: &'a str) -> GibFields<'a> {
        let mut fields = Vec::new();
        let mut open: Option<Range<usize>> = None;
        let mut push = |range: Range<usize>| {
            if let Some((name, value)) = text[range.clone()].split_once('=') {
                fields.push((name.trim(), value, range.start - 2));
            }
        };
        for (offset, line) in lines(text) {
            if line.starts_with("\\[") || line.starts_with("\\H") || line.starts_with("\\G") {
                open.take().into_iter().for_each(&mut push);
            }
            if line == "\\GS" {
                break;
            }
            let start =
                if line.starts_with("\\[") { offset + 2 } else { open.as_ref().map_or(usize::MAX, |open| open.start) };
            if start == usize::MAX {
                continue;
            }
            match line.strip_suffix("\\]") {
                Some(trimmed) => {
                    open = None;
                    push(start..(offset + trimmed.len()).max(start));
                }
                None => open = Some(start..offset + line.len()),
            }
        }
        open.into_iter().for_each(push);
        GibFields { fields }
    }

    /// Returns a field that is alone on its line.
    fn field(&self, name: &str) -> Option<(&'a str, usize)> {
        let field = self.fields.iter().find(|(field_name, value, _)| *field_name == name && !value.trim().is_empty());
        field.map(|(_, value, offset)| (value.trim(), *offset))
    }

    /// Returns a part of a line of parts, such as `GRLT` of `GRLT:3,ZIPSU:0`, or `W` of `W3,Z0`.
    fn part(&self, line: &str, name: &str) -> Option<(&'a str, usize)> {
        let (parts, offset) = self.field(line)?;
        let is_tag = line == "GAMETAG";
        let value = parts.split(',').find_map(|part| {
            let value = part.trim().strip_prefix(name)?;
            if is_tag && name.len() == 1 && !value.starts_with(':') { Some(value) } else { value.strip_prefix(':') }
        })?;
        let value = value.trim();
        (!value.is_empty()).then_some((value, offset))
    }

    /// Returns the first of several alternative fields.
    fn first(&self, places: &[(&str, &str)]) -> Option<(&'a str, usize)> {
        places.iter().find_map(|(line, part)| if part.is_empty() { self.field(line) } else { self.part(line, part) })
    }

    /// Writes the known fields.
    pub(super) fn write(&self, writer: &mut SgfWriter) {
        self.player(writer, ["GAMEBLACKNAME", "GAMEBLACKNICK", "BUSERINFO", "BID", "BLV"], ["PB", "BR"], "N");
        self.player(writer, ["GAMEWHITENAME", "GAMEWHITENICK", "WUSERINFO", "WID", "WLV"], ["PW", "WR"], "L");
        self.komi(writer);
        let result = self.result(writer);
        writer.property("RE", &result);
        self.date(writer);
        let place = self.first(&[("GAMEPLACE", ""), ("GAMEINFOSUB", "GPLC")]).map_or("", |(place, _)| place);
        // The rules of TOM changed when its komi changed.
        if !place.to_lowercase().starts_with("tom") {
            writer.property("RU", "Korean");
        }
        for (property, places) in [
            ("EV", [("GAMENAME", ""), ("GAMEINFOSUB", "GNAME")]),
            ("GC", [("GAMECOMMENT", ""), ("GAMEINFOSUB", "GCMT")]),
        ] {
            writer.property(property, self.first(&places).map_or("", |(text, _)| text));
        }
        writer.property("PC", place);
        self.clock(writer);
    }

    fn player(&self, writer: &mut SgfWriter, field_names: [&str; 5], [name_of, rank_of]: [&str; 2], tag: &str) {
        let [full, nick, user, id, level] = field_names;
        let name = self.first(&[(full, ""), (nick, ""), (user, id)]).map_or("", |(name, _)| name);
        let (name, rank) = match name.strip_suffix([')', '）']).and_then(|bare| bare.rsplit_once(['(', '（'])) {
            Some((name, rank)) if !name.trim().is_empty() => (name.trim(), rank.trim().to_owned()),
            _ => (name, String::new()),
        };
        writer.property(name_of, name);
        let level = || self.first(&[(user, level), ("GAMETAG", tag)]).and_then(|(level, _)| rank_of_level(level));
        let rank = if rank.is_empty() { level().unwrap_or_default() } else { rank };
        writer.property(rank_of, &rank);
    }

    fn komi(&self, writer: &mut SgfWriter) {
        let komi = self.first(&[("GAMEINFOMAIN", "GONGJE"), ("GAMETAG", "G"), ("GAMEGONGJE", "")]);
        match komi.map(|(text, offset)| (text.parse::<i32>(), text, offset)) {
            Some((Ok(tenths), ..)) if tenths.abs() < 10_000 => writer.property("KM", &tenths_text(tenths)),
            Some((_, text, offset)) => writer.note(Code::UnreadableKomi, offset, format!("GONGJE {text}")),
            None => {}
        }
        let dum = self.first(&[("GAMEINFOMAIN", "DUM"), ("GAMETAG", "D"), ("GAMEDUM", "")]);
        if let Some((dum, offset)) = dum.filter(|(dum, _)| *dum != "0") {
            writer.report_omission(
                offset,
                format!("DUM {dum}, which may be points for White or for Black: komi is without it"),
            );
        }
    }

    fn result(&self, writer: &mut SgfWriter) -> String {
        let (kind, offset) = self.first(&[("GAMEINFOMAIN", "GRLT"), ("GAMETAG", "W")]).unwrap_or(("", 0));
        let words = self.field("GAMERESULT");
        let in_words = words.and_then(|(text, _)| parse_words(text));
        match (self.numbered_result(kind), words, in_words) {
            (Some(numbers), Some((text, offset)), Some(words)) => {
                let first = RecordedResult::parse(&numbers);
                let is_same_winner = words.winner.is_none_or(|winner| first.winner == Some(winner));
                let margins = first.black_minus_white.zip(words.black_minus_white);
                // 子 may also mean points, and the number zi.
                let differs = |(first, second): (HalfPoints, HalfPoints)| ![first.0, 2 * first.0].contains(&second.0);
                if !is_same_winner || margins.is_some_and(differs) {
                    writer.note(
                        Code::UnreadableResult,
                        offset,
                        format!("GRLT says {numbers}, GAMERESULT {text:?}: the first is read"),
                    );
                }
                numbers
            }
            (Some(numbers), ..) => numbers,
            (None, _, Some(words)) => words.text().unwrap_or_default(),
            (None, Some((text, _)), None) => text.to_owned(),
            (None, None, None) => {
                // 255 is a game without an end. 0 and 1 without a margin are values from before the
                // result was known.
                if !matches!(kind, "" | "0" | "1" | "255") {
                    writer.report_omission(offset, format!("GRLT {kind}, of no known meaning"));
                }
                String::new()
            }
        }
    }

    /// Returns the result of this kind by its number and the margin.
    fn numbered_result(&self, kind: &str) -> Option<String> {
        let tenths = self.first(&[("GAMEINFOMAIN", "ZIPSU"), ("GAMETAG", "Z"), ("GAMEZIPSU", "")]);
        let tenths =
            tenths.and_then(|(text, _)| text.parse::<i32>().ok()).filter(|tenths| (1..10_000).contains(tenths));
        match (kind, tenths) {
            ("0", Some(tenths)) => Some(format!("B+{}", tenths_text(tenths))),
            ("1", Some(tenths)) => Some(format!("W+{}", tenths_text(tenths))),
            ("3", _) => Some("B+R".into()),
            ("4", _) => Some("W+R".into()),
            ("7", _) => Some("B+T".into()),
            ("8", _) => Some("W+T".into()),
            _ => None,
        }
    }

    fn date(&self, writer: &mut SgfWriter) {
        for place in [("GAMETAG", "C"), ("GAMEINFOSUB", "GDATE"), ("GAMEDATE", "")] {
            let Some((text, _)) = self.first(&[place]) else { continue };
            // Colons, and blanks in place of missing digits: 2016:03:26:17:29, 2016- 3-26-17-29-25.
            if let Some(date) = Date::find(&text.replace(':', "-").replace("- ", "-")) {
                writer.property("DT", &date.iso());
                return;
            }
        }
    }

    /// Parses `1200-30-3`: seconds, seconds of a period, periods.
    fn clock(&self, writer: &mut SgfWriter) {
        let Some((text, offset)) = self.first(&[("GAMEINFOMAIN", "GTIME")]) else { return };
        let numbers: Option<Vec<u32>> = text.split('-').map(|number| number.parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[main, period, periods]) => {
                writer.property("TM", &main.to_string());
                if period > 0 && periods > 0 {
                    writer.property("OT", &format!("{periods}x{period} byo-yomi"));
                }
            }
            _ => writer.report_omission(offset, format!("GTIME {text}")),
        }
    }
}

/// Parses a result in the language of the player's country, where 子 means zi, or else in English.
fn parse_words(text: &str) -> Option<RecordedResult> {
    let words = result_words::parse(text).map(|words| words.result);
    words.or_else(|| parse_sentence(text)).filter(|result| result.kind != ResultKind::Unreadable)
}

/// Formats tenths of points: `65` becomes 6.5.
fn tenths_text(tenths: i32) -> String {
    match tenths % 5 {
        0 => HalfPoints(tenths / 5).to_string(),
        _ => format!("{}{}.{}", if tenths < 0 { "-" } else { "" }, tenths.abs() / 10, tenths.abs() % 10),
    }
}

/// Converts the server's numeric level to a rank.
fn rank_of_level(level: &str) -> Option<String> {
    Some(match level.parse::<i32>().ok()? {
        level @ 0..=17 => format!("{}k", 18 - level),
        level @ 18..=26 => format!("{}d", level - 17),
        level @ 27..=35 => format!("{}p", level - 26),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::rewrite;
    use crate::finding::Code;

    #[test]
    fn words_that_contradict_the_numbers_are_reported() {
        for (numbers, words, is_reported) in [
            ("GRLT:0,ZIPSU:65", "black 6.5 points win", false),
            ("GRLT:0,ZIPSU:65", "黑3又1/4子胜", false),
            ("GRLT:0,ZIPSU:120", "黑12子胜", false),
            ("GRLT:0,ZIPSU:65", "black wins", false),
            ("GRLT:3,ZIPSU:0", "black 6.5 points win", false),
            ("GRLT:0,ZIPSU:65", "black 3.5 points win", true),
            ("GRLT:0,ZIPSU:65", "white 6.5 points win", true),
            ("GRLT:0,ZIPSU:65", "무승부", true),
        ] {
            let text = format!("\\HS\n\\[GAMERESULT={words}\\]\n\\[GAMEINFOMAIN={numbers}\\]\n\\HE\n\\GS\n\\GE\n");
            let findings = rewrite(&text).findings;
            let found = findings.iter().any(|finding| finding.code == Code::UnreadableResult);
            assert_eq!(found, is_reported, "{numbers} {words}: {findings:?}");
        }
    }
}
