//! `[Header]`: players, result, rules and other root properties.

use super::sections::UgfRecord;
use crate::finding::Code;
use crate::formats::rewrite::SgfWriter;
use crate::{Date, Rank};
use jigo_rules::HalfPoints;

impl UgfRecord<'_> {
    /// Writes the header.
    pub(super) fn header(&self, writer: &mut SgfWriter) {
        for (names, name, rank) in [
            (["PlayerB", "BMemb1", "PlayerB2", "BMemb2"], "PB", "BR"),
            (["PlayerW", "WMemb1", "PlayerW2", "WMemb2"], "PW", "WR"),
        ] {
            self.player(names, name, rank, writer);
        }
        self.handicap_and_komi(writer);
        if let Some((winner, offset)) = self.field("Winner") {
            match result(winner) {
                Some(result) => writer.property("RE", &result),
                None => {
                    writer.property("RE", winner);
                    writer.note(Code::UnreadableResult, offset, format!("Winner={winner}"));
                }
            }
        }
        let rule = self.text("Rule");
        let rule = match rule.to_ascii_uppercase().as_str() {
            "JPN" => "Japanese",
            "CH" | "CHN" => "Chinese",
            _ => rule,
        };
        writer.property("RU", rule);
        if let Some(date) = Date::find(self.text("Date")) {
            writer.property("DT", &date.iso());
        }
        let title: Vec<&str> = self.text("Title").split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        writer.property("EV", &title.join(", "));
        for (name, property) in
            [("Place", "PC"), ("Copyright", "CP"), ("Writer", "AP"), ("Commentator", "AN"), ("Comment", "GC")]
        {
            writer.property(property, self.text(name));
        }
        self.clock(writer);
        for (offset, section) in &self.others {
            writer.report_omission(*offset, format!("section {section}"));
        }
    }

    /// Writes one player with the rank, or a pair of players with their ranks in the name.
    fn player(&self, names: [&str; 4], name: &str, rank: &str, writer: &mut SgfWriter) {
        let players = names.iter().filter_map(|name| self.field(name)).map(|(value, offset)| {
            let mut parts = value.split(',').map(str::trim);
            let (name, rank) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            if parts.any(|part| !part.is_empty() && part != "0") {
                writer.report_omission(offset, "text after names and ranks");
            }
            (name, rank)
        });
        match players.collect::<Vec<_>>()[..] {
            [] => {}
            [(player, grade)] => {
                writer.property(name, player);
                if grade != "0" {
                    writer.property(rank, grade);
                }
            }
            ref pair => {
                let name_text = pair.iter().map(|(player, grade)| match Rank::parse(grade) {
                    Some(grade) => format!("{player} {grade}"),
                    None => (*player).to_owned(),
                });
                writer.property(name, &name_text.collect::<Vec<_>>().join(" & "));
            }
        }
    }

    fn handicap_and_komi(&self, writer: &mut SgfWriter) {
        let Some((text, offset)) = self.field("Hdcp") else { return };
        let (stones, komi) = text.split_once(',').unwrap_or((text, ""));
        match stones.trim() {
            "" | "0" => {}
            stones if stones.parse::<u32>().is_ok() => writer.property("HA", stones),
            stones => writer.note(Code::UnreadableHandicap, offset, format!("Hdcp={stones}")),
        }
        // 6.50, and in one record 0,50.
        let komi = komi.trim().replace(',', ".");
        match HalfPoints::parse(&komi) {
            Ok(komi) => writer.property("KM", &komi.to_string()),
            Err(_) if komi.is_empty() => {}
            Err(error) => writer.note(Code::UnreadableKomi, offset, format!("Hdcp={text} {error}")),
        }
    }

    /// Parses `J;240;0;0,J;240;0;0,0,0`.
    fn clock(&self, writer: &mut SgfWriter) {
        let Some((text, offset)) = self.field("Ptime") else { return };
        let players: Vec<Vec<&str>> = text.split(',').map(|player| player.split(';').collect()).collect();
        let minutes = |player: usize| {
            players.get(player)?.get(1)?.trim().parse::<u32>().ok().filter(|minutes| *minutes < 100_000)
        };
        match (minutes(0), minutes(1)) {
            (Some(black), Some(white)) if black == white && black > 0 => {
                writer.property("TM", &(black * 60).to_string())
            }
            (Some(black), Some(white)) if black != white => writer.report_omission(offset, "times that differ"),
            _ => {}
        }
        let others = players.iter().take(2).flat_map(|player| player.iter().skip(2));
        if others.into_iter().any(|part| !matches!(part.trim(), "" | "0")) {
            writer.report_omission(offset, format!("overtime of {text}"));
        }
    }
}

/// Converts `B,7.50` to the form of RE.
fn result(winner: &str) -> Option<String> {
    let (color_text, reason_text) = winner.split_once(',').unwrap_or((winner, ""));
    let (color_text, reason_text) = (color_text.trim().to_ascii_uppercase(), reason_text.trim().to_ascii_uppercase());
    let reason_text = match reason_text.as_str() {
        "" => String::new(),
        reason_text if reason_text.starts_with('C') => "R".into(),
        reason_text if reason_text.starts_with('T') => "T".into(),
        reason_text if reason_text.starts_with('F') => "F".into(),
        number => HalfPoints::parse(number).ok().filter(|margin| margin.0 >= 0).map(|margin| margin.to_string())?,
    };
    Some(match color_text.as_str() {
        "B" | "W" => format!("{color_text}+{reason_text}"),
        "D" => "0".into(),
        "N" | "N1" | "O" => "Void".into(),
        "A" | "P" | "E" => "?".into(),
        _ => return None,
    })
}
