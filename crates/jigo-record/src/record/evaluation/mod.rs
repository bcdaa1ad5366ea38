//! Evaluations of positions that programs wrote into records.

mod forms;

use std::collections::BTreeMap;

use super::nodes::{MainLine, properties};
use crate::GameRecord;
use crate::sgf::tokens::lexer::Lexer;
use crate::sgf::tokens::scan_budget::ScanBudget;
pub(crate) use forms::{fault, is_evaluation};
use forms::{katago, read};
use jigo_rules::board::Color;

jigo_rules::named! {
    /// The form of an evaluation.
    pub enum EvaluationForm {
        /// SBKV with SBKS or OGSC.
        Sabaki = "sabaki",
        /// LZ, or LZOP.
        Lizzie = "lizzie",
        /// LZ2, or LZOP2.
        SecondLizzie = "lizzie2",
        /// KT.
        KaTrain = "katrain",
        /// A comment of KataGo.
        KataGo = "katago",
    }
}

/// The evaluation of a position of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The turn before the position, from 1, or 0 for the first position.
    pub turn: u32,
    /// The player of this turn.
    pub color: Option<Color>,
    /// The form.
    pub form: EvaluationForm,
    /// Black's chance to win, from 0 to 10,000.
    pub black_winrate: Option<i64>,
    /// Black's points minus White's, in ten-thousandths of points.
    pub black_lead: Option<i64>,
    /// The visits or playouts of the search.
    pub visits: Option<u64>,
    /// The lead that the player of the turn lost by it, in ten-thousandths of points; `None` if the
    /// same form has no lead after the turn before.
    pub points_lost: Option<i64>,
    /// The name of the engine, or an empty text.
    pub engine: String,
}

/// The evaluations of a game by turn and form.
type Evaluations = BTreeMap<(u32, EvaluationForm), Evaluation>;

impl Evaluation {
    /// Returns the evaluations on the main line of a decoded game, sorted by turn and form.
    /// Unreadable values are left out; the check of conformance reports them.
    ///
    /// If several nodes after one turn have the same form, later numbers replace earlier ones.
    pub fn of_main_line(bytes: &[u8], record: &GameRecord) -> Vec<Evaluation> {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
        let mut turns = record.steps.iter().filter_map(|step| Some((step.offset as usize, step.turn()?.0))).peekable();
        let mut found = Evaluations::new();
        let (first_player, mut turn, mut color) = (record.first_player(), 0, None);
        let mut nodes = MainLine::from(lexer, 0);
        while let Some(node) = nodes.next() {
            let turn_before = (turn, color);
            while let Some((_, player)) = turns.next_if(|(offset, _)| *offset <= node.offset()) {
                (turn, color) = (turn + 1, Some(player));
            }
            // Before the first turn, the next player's opponent is treated as the last player.
            let mover = color.unwrap_or(first_player.opponent());
            for property in properties(&lexer, node.start()..nodes.position()).0 {
                let values: Vec<&[u8]> = property.values.iter().map(|range| &bytes[range.clone()]).collect();
                let name = &bytes[property.identifier];
                let Some(Ok(Some(new))) = read(name, &values, mover).or_else(|| katago(name, &values)) else {
                    continue;
                };
                let (turn, color) = if new.form == EvaluationForm::KataGo { turn_before } else { (turn, color) };
                let old = found.entry((turn, new.form)).or_insert_with(|| Evaluation::new(new.form));
                let (black_winrate, black_lead) =
                    (new.black_winrate.or(old.black_winrate), new.black_lead.or(old.black_lead));
                *old = Evaluation { turn, color, black_winrate, black_lead, ..new };
            }
        }
        found.values().map(|evaluation| evaluation.with_points_lost(&found)).collect()
    }

    /// Returns an evaluation without numbers.
    fn new(form: EvaluationForm) -> Evaluation {
        let (black_winrate, black_lead, points_lost, engine) = (None, None, None, String::new());
        Evaluation { turn: 0, color: None, form, black_winrate, black_lead, visits: None, points_lost, engine }
    }

    /// Returns the evaluation with the points that its turn lost.
    fn with_points_lost(&self, evaluations: &Evaluations) -> Evaluation {
        let before = self.turn.checked_sub(1).and_then(|turn| evaluations.get(&(turn, self.form))?.black_lead);
        let black_loss = before.zip(self.black_lead).map(|(before, after)| before - after);
        let sign = |color| if color == Color::Black { 1 } else { -1 };
        let points_lost = black_loss.zip(self.color).map(|(loss, color)| sign(color) * loss);
        Evaluation { points_lost, ..self.clone() }
    }
}

#[cfg(test)]
mod tests;
