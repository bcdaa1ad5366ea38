//! Findings that differ only in their place, combined into one for each game.

use std::borrow::Cow;

use jigo_record::finding::{Code, Finding};

/// Returns the findings of a game. Findings about the form of one property are one, at its first
/// place, with their number in the detail.
///
/// Editors and programs repeat such a fault in every node, so a file would have thousands of equal
/// rows.
pub(super) fn combine<'a>(findings: &[&'a Finding]) -> Vec<Cow<'a, Finding>> {
    let mut combined: Vec<Cow<Finding>> = Vec::with_capacity(findings.len());
    let mut indexes: std::collections::HashMap<_, usize> = Default::default();
    for &finding in findings {
        let Some(property) = repeated_property(finding) else {
            combined.push(Cow::Borrowed(finding));
            continue;
        };
        let index = *indexes.entry((finding.code, finding.severity, property)).or_insert(combined.len());
        match combined.get_mut(index) {
            Some(first) => first.to_mut().more += 1,
            None => combined.push(Cow::Borrowed(finding)),
        }
    }
    for finding in combined.iter_mut().filter(|finding| finding.more > 0) {
        let more = finding.more;
        finding.to_mut().detail.push_str(&format!("; {more} more like it in this game"));
    }
    combined
}

/// Returns the property that a finding about forms names first, or an empty text without one;
/// `None` for findings of other kinds: each of them has a different reason.
fn repeated_property(finding: &Finding) -> Option<&str> {
    let is_about_form = finding.code.class() == b'F' || finding.code == Code::RepeatedProperty;
    let length = finding.detail.bytes().take_while(u8::is_ascii_uppercase).count();
    is_about_form.then(|| &finding.detail[..length])
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::finding::Place;

    #[test]
    fn faults_of_one_property_are_one_row() {
        let finding = |code, offset, detail: &str| Finding::new(code, Place::byte(offset), detail);
        let all = [
            finding(Code::ComposedValue, 3, "LB[aa] lacks its colon"),
            finding(Code::UnreadableNode, 4, "x"),
            finding(Code::ComposedValue, 5, "LB[bb] lacks its colon"),
            finding(Code::ComposedValue, 6, "AR[bb] lacks its colon"),
            finding(Code::UnreadableNode, 7, "x"),
            finding(Code::ComposedValue, 8, "LB[cc] lacks its colon"),
        ];
        let combined = combine(&all.iter().collect::<Vec<_>>());
        let rows: Vec<_> = combined.iter().map(|row| (row.place.offset, &*row.detail)).collect();
        assert_eq!(
            rows,
            [
                (3, "LB[aa] lacks its colon; 2 more like it in this game"),
                (4, "x"),
                (6, "AR[bb] lacks its colon"),
                (7, "x")
            ]
        );
    }
}
