//! `[Header]`: players, result, rules and other root properties.

use super::sections::UgfRecord;
use crate::finding::Code;
use crate::formats::rewrite::SgfWriter;
use crate::{Date, Rank};
use jigo_rules::HalfPoints;

impl UgfRecord<'_> {
    /// Writes the header.
    pub(super) fn header(&self, writing: &mut SgfWriter) {
        for (names, name, rank) in [
            (["PlayerB", "BMemb1", "PlayerB2", "BMemb2"], "PB", "BR"),
            (["PlayerW", "WMemb1", "PlayerW2", "WMemb2"], "PW", "WR"),
        ] {
            self.player(names, name, rank, writing);
        }
        self.handicap_and_komi(writing);
        if let Some((winner, at)) = self.field("Winner") {
            match result(winner) {
                Some(result) => writing.property("RE", &result),
                None => {
                    writing.property("RE", winner);
                    writing.note(Code::UnreadableResult, at, format!("Winner={winner}"));
                }
            }
        }
        let rule = self.text("Rule");
        let rule = match rule.to_ascii_uppercase().as_str() {
            "JPN" => "Japanese",
            "CH" | "CHN" => "Chinese",
            _ => rule,
        };
        writing.property("RU", rule);
        if let Some(date) = Date::find(self.text("Date")) {
            writing.property("DT", &date.iso());
        }
        let title: Vec<&str> = self.text("Title").split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        writing.property("EV", &title.join(", "));
        for (name, property) in
            [("Place", "PC"), ("Copyright", "CP"), ("Writer", "AP"), ("Commentator", "AN"), ("Comment", "GC")]
        {
            writing.property(property, self.text(name));
        }
        self.clock(writing);
        for (at, section) in &self.others {
            writing.report_omission(*at, format!("section {section}"));
        }
    }

    /// Writes one player with the rank, or a pair of players with their ranks in the name.
    fn player(&self, names: [&str; 4], name: &str, rank: &str, writing: &mut SgfWriter) {
        let players = names.iter().filter_map(|name| self.field(name)).map(|(value, at)| {
            let mut parts = value.split(',').map(str::trim);
            let (name, rank) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            if parts.any(|part| !part.is_empty() && part != "0") {
                writing.report_omission(at, "text after names and ranks");
            }
            (name, rank)
        });
        match players.collect::<Vec<_>>()[..] {
            [] => {}
            [(player, grade)] => {
                writing.property(name, player);
                if grade != "0" {
                    writing.property(rank, grade);
                }
            }
            ref pair => {
                let shown = pair.iter().map(|(player, grade)| match Rank::parse(grade) {
                    Some(grade) => format!("{player} {grade}"),
                    None => (*player).to_owned(),
                });
                writing.property(name, &shown.collect::<Vec<_>>().join(" & "));
            }
        }
    }

    fn handicap_and_komi(&self, writing: &mut SgfWriter) {
        let Some((text, at)) = self.field("Hdcp") else { return };
        let (stones, komi) = text.split_once(',').unwrap_or((text, ""));
        match stones.trim() {
            "" | "0" => {}
            stones if stones.parse::<u32>().is_ok() => writing.property("HA", stones),
            stones => writing.note(Code::UnreadableHandicap, at, format!("Hdcp={stones}")),
        }
        // 6.50, and in one record 0,50.
        let komi = komi.trim().replace(',', ".");
        match HalfPoints::parse(&komi) {
            Ok(komi) => writing.property("KM", &komi.to_string()),
            Err(_) if komi.is_empty() => {}
            Err(error) => writing.note(Code::UnreadableKomi, at, format!("Hdcp={text} {error}")),
        }
    }

    /// Parses `J;240;0;0,J;240;0;0,0,0`.
    fn clock(&self, writing: &mut SgfWriter) {
        let Some((text, at)) = self.field("Ptime") else { return };
        let players: Vec<Vec<&str>> = text.split(',').map(|player| player.split(';').collect()).collect();
        let minutes = |player: usize| {
            players.get(player)?.get(1)?.trim().parse::<u32>().ok().filter(|minutes| *minutes < 100_000)
        };
        match (minutes(0), minutes(1)) {
            (Some(black), Some(white)) if black == white && black > 0 => {
                writing.property("TM", &(black * 60).to_string())
            }
            (Some(black), Some(white)) if black != white => writing.report_omission(at, "times that differ"),
            _ => {}
        }
        let others = players.iter().take(2).flat_map(|player| player.iter().skip(2));
        if others.into_iter().any(|part| !matches!(part.trim(), "" | "0")) {
            writing.report_omission(at, format!("overtime of {text}"));
        }
    }
}

/// Converts `B,7.50` to the form of RE.
fn result(winner: &str) -> Option<String> {
    let (who, how) = winner.split_once(',').unwrap_or((winner, ""));
    let (who, how) = (who.trim().to_ascii_uppercase(), how.trim().to_ascii_uppercase());
    let how = match how.as_str() {
        "" => String::new(),
        how if how.starts_with('C') => "R".into(),
        how if how.starts_with('T') => "T".into(),
        how if how.starts_with('F') => "F".into(),
        number => HalfPoints::parse(number).ok().filter(|margin| margin.0 >= 0).map(|margin| margin.to_string())?,
    };
    Some(match who.as_str() {
        "B" | "W" => format!("{who}+{how}"),
        "D" => "0".into(),
        "N" | "N1" | "O" => "Void".into(),
        "A" | "P" | "E" => "?".into(),
        _ => return None,
    })
}
