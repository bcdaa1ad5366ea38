//! The marks that write a counted ending into a record.

use super::GameReport;
use jigo_record::write::Marks;
use jigo_record::write::marks::COMMENT_PREFIX;
use jigo_rules::TerritoryReading;
use jigo_rules::board::{Color, MarkedTerritory, Point};
use jigo_score::Owner;

impl GameReport {
    /// Returns the ending under the first ruleset that scores it, as marks for a record.
    ///
    /// Returns `None` if there is no count, if the confidence does not suffice, or if the report
    /// lacks the [position](super::Settings::position).
    pub fn marks(&self) -> Option<Marks> {
        let ending = self.ending.as_ref()?.as_ref().ok().filter(|ending| ending.is_certain)?;
        let position = self.position.as_ref()?;
        let score = self.scores.iter().find_map(|(ruleset, score)| Some((ruleset, score.as_ref().ok()?)));
        let reading = score.map_or(TerritoryReading::EveryRegion, |(ruleset, _)| ruleset.axes.territory);
        let dead = &ending.ending.dead;
        let mut territory = MarkedTerritory::default();
        for (point, owner) in position.size().iter().zip(ending.ending.owners(position)) {
            let is_alive = position.stone(point).is_some() && dead.binary_search(&point).is_err();
            let color = match owner {
                _ if is_alive => continue,
                Owner::Owned(color) => color,
                Owner::InSeki(color) if reading == TerritoryReading::EveryRegion => color,
                _ => continue,
            };
            if color == Color::Black { &mut territory.black } else { &mut territory.white }.push(point);
        }
        let result = score.map_or(String::new(), |(_, score)| score.result_text());
        let ruleset_text = score.map_or("under no ruleset".into(), |(ruleset, score)| {
            let is_recorded = self.header.komi == Some(score.komi) && !self.header.is_komi_unrecorded();
            let komi = if is_recorded { String::new() } else { format!(", komi {} assumed", score.komi) };
            format!("{result} under {}{komi}", ruleset.name)
        });
        let stones: Vec<String> = dead.iter().map(Point::to_string).collect();
        let stones = if stones.is_empty() { "none".into() } else { stones.join(" ") };
        let source = ending.ending.source.name();
        let confidence = self.confidence();
        let confidence = confidence
            .map_or(String::new(), |confidence| format!(", confidence {:.3}", f64::from(confidence) / 1000.0));
        let version = env!("CARGO_PKG_VERSION");
        let comment =
            format!("{COMMENT_PREFIX}{version}: {ruleset_text}; dead stones: {stones} ({source}{confidence})");
        Some(Marks { territory, dead: dead.clone(), result, comment })
    }
}
