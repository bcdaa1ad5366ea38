//! Verification that a fixed text has the same content as the recorded one.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::fix_options::FixOptions;
use jigo_record::conformance::standard_value::standard_value;
use jigo_record::finding::{Code, CodeSet, Finding, Severity};
use jigo_record::formats::decode::Decoded;
use jigo_record::sgf::Charset;
use jigo_record::sgf::charset::decide;
use jigo_record::splitter::{Close, GameText};
use jigo_record::{Coordinates, GameRecord, Header, Reading, RecordedResult, ResultKind, StepKind};

/// A fixed text after it was read again.
pub(super) struct Verified {
    pub close: Close,
    pub charset: Charset,
    /// The charset that the text suggests without any context.
    pub detected: &'static Encoding,
    pub reading: Reading,
}

/// Reads a text. Returns the reading, and the text in UTF-8, to which offsets of findings and steps
/// refer.
pub(super) fn read<'t>(text: &GameText<'t>, options: &FixOptions) -> (Reading, Decoded<'t>) {
    let decoded = Decoded::new(text.bytes, text.charset);
    let mut reading = Reading::default();
    reading.read(text, &decoded.text, options.dialect, options.limits);
    (reading, decoded)
}

/// Returns the charset that a text suggests without any context.
pub(super) fn detected_encoding(bytes: &[u8]) -> &'static Encoding {
    decide(bytes, (0, 0), bytes, &mut None).encoding
}

/// Returns the number of findings with this code.
pub(super) fn count(findings: &[Finding], code: Code) -> usize {
    findings.iter().filter(|finding| finding.code == code).count()
}

/// Returns true if a fixed text has no new flaws: not more warnings and errors in total, and not
/// more errors of any code. A fix that removes an error may reveal a warning.
pub(super) fn has_no_new_findings(before: &[Finding], after: &[Finding]) -> bool {
    let fault_count =
        |findings: &[Finding]| findings.iter().filter(|finding| finding.severity > Severity::Info).count();
    let errors: CodeSet =
        after.iter().filter(|finding| finding.severity == Severity::Error).map(|finding| finding.code).collect();
    fault_count(after) <= fault_count(before) && errors.iter().all(|code| count(after, code) <= count(before, code))
}

/// Returns true if two records have the same turns, setup, marked territory and meaning of the
/// header.
pub(super) fn is_same_record(first: &GameRecord, second: &GameRecord) -> bool {
    is_same_header(&first.header, &second.header)
        && first.territory == second.territory
        && first.steps.len() == second.steps.len()
        && {
            let mut pairs = first.steps.iter().zip(&second.steps);
            pairs.all(|(step, second_step)| match (step.kind, second_step.kind) {
                (StepKind::Setup(setup), StepKind::Setup(second_setup)) => {
                    first.setup(setup) == second.setup(second_setup)
                }
                (StepKind::Turn(color, place), StepKind::Turn(second_color, second_place)) => {
                    color == second_color && is_same_place((first, place), (second, second_place))
                }
                _ => false,
            })
        }
}

fn is_same_place(
    (first, place): (&GameRecord, Coordinates),
    (second, second_place): (&GameRecord, Coordinates),
) -> bool {
    match (place, second_place) {
        (Coordinates::Unreadable(text), Coordinates::Unreadable(second_text)) => {
            first.unreadable[text as usize] == second.unreadable[second_text as usize]
        }
        _ => place == second_place,
    }
}

/// Returns true if two headers have the same meaning. The forms of KM, RE, DT and AP and blanks
/// around texts don't matter.
fn is_same_header(first: &Header, second: &Header) -> bool {
    let meaning_of =
        |header: &Header| (header.dialect, header.size, header.komi, header.handicap, meaning(header.result));
    let texts = |header| {
        Header::texts(header).map(|(name, text)| {
            let standard = standard_value(name.as_bytes(), text.as_bytes());
            standard.map_or(Cow::Borrowed(text.trim()), Cow::Owned)
        })
    };
    meaning_of(first) == meaning_of(second) && texts(first).eq(texts(second))
}

/// Returns the meaning of a result without its form.
fn meaning(result: RecordedResult) -> (ResultKind, Option<jigo_rules::board::Color>, Option<jigo_rules::HalfPoints>) {
    (result.kind, result.winner, result.black_minus_white)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::session::FixSession;
    use crate::fix::{Edit, Fix};

    /// No fix removes a value only, since a name without a value violates the grammar. A safe fix
    /// removes no whole property either, since that changes the content.
    #[test]
    fn safe_fix_removes_no_property() {
        let bytes = b"(;GM[1]SZ[9]XX[a];B[aa])";
        let (text, options) = (GameText::single(bytes, Close::Parenthesis, Charset::UTF8), FixOptions::safe());
        let mut session = FixSession::new(&text, &options);
        let mut is_accepted_from = |start: usize| {
            let fix = Fix::with_edit(Code::RepeatedProperty, Edit::delete(start..17));
            let unsafe_fix = fix.clone().into_unsafe();
            [fix, unsafe_fix].map(|fix| session.text_after(std::slice::from_ref(&fix)).is_some())
        };
        assert_eq!((is_accepted_from(14), is_accepted_from(12)), ([false, false], [false, true]));
    }
}
