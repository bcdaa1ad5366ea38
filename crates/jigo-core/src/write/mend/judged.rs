//! Mends that rest on what the replay found: a pass that the record leaves out, a handicap that its stones contradict.

use super::{Fix, nodes};
use crate::board::Color;
use crate::finding::{Code, Finding};
use crate::record::{Reading, StepKind};
use crate::sgf::decode::Decoded;
use crate::write::Edit;
use crate::write::proposal::{Slip, edits};

/// Mends of what was found on the main line; turns have the numbers that they had.
pub(super) fn fixes(decoded: &Decoded, reading: &Reading, findings: &[Finding]) -> Vec<Fix> {
    let on_main_line =
        |code: Code| findings.iter().filter(move |finding| finding.code == code && finding.variation.is_empty());
    let passes = on_main_line(Code::ImpliedPass).filter_map(|finding| {
        let slip = Slip::Missing { before: finding.place.turn?, point: None };
        edits(&decoded.text, slip).map(|edits| Fix::safe(Code::ImpliedPass, edits).judged())
    });
    let handicap = on_main_line(Code::HandicapStones).next().and_then(|_| handicap(decoded, reading));
    passes.chain(handicap).collect()
}

/// HA as the stones have it, where Black alone has some before the first turn.
fn handicap(decoded: &Decoded, reading: &Reading) -> Option<Fix> {
    let record = &reading.record;
    let setups = record.steps.iter().map_while(|step| match step.what {
        StepKind::Setup(setup) => Some(record.setup(setup)),
        StepKind::Turn(..) => None,
    });
    let colors: Vec<Option<Color>> = setups.flat_map(|setup| setup.stones.iter().map(|(_, color)| *color)).collect();
    let is_handicap = colors.len() >= 2 && colors.iter().all(|color| *color == Some(Color::Black));
    let value = nodes::root_value(&decoded.text, b"HA")?;
    is_handicap.then(|| Fix::one(Code::HandicapStones, Edit::replace(value, colors.len().to_string())).judged())
}
