//! Evaluations of positions that programs wrote into records.

mod forms;

use std::collections::BTreeMap;

use super::game_record::StepKind;
use super::nodes::{MainLine, properties};
use crate::GameRecord;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget};
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
    /// same form has no lead after the turn before, or if stones were set up after it.
    pub points_lost: Option<i64>,
    /// The name of the engine, or an empty text.
    pub engine: String,
}

/// The evaluations of a game by turn and form, with the number of setups of stones before the lead.
type Evaluations = BTreeMap<(u32, EvaluationForm), (Evaluation, usize)>;

impl Evaluation {
    /// Returns the evaluations on the main line of a decoded game, sorted by turn and form.
    /// Unreadable values are left out; the check of conformance reports them.
    ///
    /// If several nodes after one turn have the same form, later numbers replace earlier ones.
    pub fn of_main_line(bytes: &[u8], record: &GameRecord) -> Vec<Evaluation> {
        let scan_budget = ScanBudget::for_text(bytes.len());
        let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
        let mut steps = record.steps.iter().peekable();
        let mut found = Evaluations::new();
        let (first_player, mut turn, mut color, mut setups) = (record.first_player(), 0, None, 0);
        let mut nodes = MainLine::from(lexer, 0);
        while let Some(node) = nodes.next() {
            let before = (turn, color, setups);
            while let Some(step) = steps.next_if(|step| step.offset as usize <= node.offset()) {
                match step.kind {
                    StepKind::Turn(player, _) => (turn, color) = (turn + 1, Some(player)),
                    StepKind::Setup(setup) => setups += usize::from(!record.setup(setup).stones.is_empty()),
                }
            }
            // Before the first turn, the next player's opponent is treated as the last player.
            let mover = color.unwrap_or(first_player.opponent());
            for property in properties(&lexer, node.start()..nodes.position()).0 {
                let values: Vec<&[u8]> = property.values.iter().map(|range| &bytes[range.clone()]).collect();
                let name = &bytes[property.identifier];
                let Some(Ok(Some(new))) = read(name, &values, mover).or_else(|| katago(name, &values)) else {
                    continue;
                };
                let is_before = new.form == EvaluationForm::KataGo;
                let (turn, color, setups) = if is_before { before } else { (turn, color, setups) };
                let (old, old_setups) =
                    found.entry((turn, new.form)).or_insert_with(|| (Evaluation::new(new.form), setups));
                if new.black_lead.is_some() {
                    *old_setups = setups;
                }
                let (black_winrate, black_lead) =
                    (new.black_winrate.or(old.black_winrate), new.black_lead.or(old.black_lead));
                *old = Evaluation { turn, color, black_winrate, black_lead, ..new };
            }
        }
        found.values().map(|(evaluation, setups)| evaluation.with_points_lost(*setups, &found)).collect()
    }

    /// Returns an evaluation without numbers.
    fn new(form: EvaluationForm) -> Evaluation {
        let (black_winrate, black_lead, points_lost, engine) = (None, None, None, String::new());
        Evaluation { turn: 0, color: None, form, black_winrate, black_lead, visits: None, points_lost, engine }
    }

    /// Returns the evaluation with the points that its turn lost. `setups` are before its lead.
    fn with_points_lost(&self, setups: usize, evaluations: &Evaluations) -> Evaluation {
        let before = self.turn.checked_sub(1).and_then(|turn| evaluations.get(&(turn, self.form)));
        let before = before.filter(|(_, setups_before)| *setups_before == setups);
        let black_loss = before
            .and_then(|(evaluation, _)| evaluation.black_lead)
            .zip(self.black_lead)
            .map(|(before, after)| before - after);
        let sign = |color| if color == Color::Black { 1 } else { -1 };
        let points_lost = black_loss.zip(self.color).map(|(loss, color)| sign(color) * loss);
        Evaluation { points_lost, ..self.clone() }
    }
}

#[cfg(test)]
mod tests;
