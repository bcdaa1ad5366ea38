//! Findings as SARIF 2.1.0, for code hosts and editors.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::named_format::{NamedFormat, Shape};
use crate::row::LocatedFinding;
use jigo_record::finding::{Code, Severity};

/// SARIF.
pub const FORMAT: NamedFormat = NamedFormat {
    name: "sarif",
    summary: "SARIF 2.1.0, for code hosts and editors",
    details: "SARIF 2.1.0 with `partialFingerprints` that identify a finding as a baseline does; findings of `check` only",
    suffixes: &["sarif", "json"],
    shape: Shape::Text { head, separator: SEPARATOR, tail: "\n]}]}\n" },
    findings_only: true,
};

/// The separator of results.
const SEPARATOR: &str = ",";

/// Returns the SARIF level of a severity.
const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// Returns the text before the first result: the tool, with all codes as its rules.
fn head() -> String {
    let rule = |code: &jigo_record::finding::code::Description| {
        json!({
            "id": code.id,
            "name": code.name,
            "shortDescription": { "text": code.what },
            "fullDescription": { "text": code.why },
            "help": { "text": code.remedy },
            "defaultConfiguration": { "level": level(code.severity) },
        })
    };
    let rules: Vec<Value> = Code::TABLE.iter().map(rule).collect();
    let (version, home) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_REPOSITORY"));
    let driver = json!({ "name": "jigo", "version": version, "informationUri": home, "rules": rules });
    format!(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[\
         {{\"tool\":{{\"driver\":{driver}}},\"columnKind\":\"unicodeCodePoints\",\"results\":[\n"
    )
}

/// Appends a finding with a comma before it.
pub fn push(row: &LocatedFinding<'_>, out: &mut Vec<u8>) {
    let finding = row.finding;
    let mut location = json!({ "artifactLocation": { "uri": uri(row.file) } });
    if let Some(line) = row.line {
        location["region"] = json!({ "startLine": line });
    }
    let mut location = json!({ "physicalLocation": location });
    if let Some((game, _)) = row.game {
        let turn = finding.place.turn.map_or(String::new(), |turn| format!(" turn {turn}"));
        location["logicalLocations"] = json!([{ "name": format!("game {game}{turn}") }]);
    }
    let mut result = json!({
        "ruleId": finding.code.id(),
        "ruleIndex": finding.code as usize,
        "level": level(finding.severity),
        "message": { "text": row.message() },
        "locations": [location],
    });
    if let Some(number) = row.fingerprint {
        // GitHub reads the second fingerprint. It ends with the number of equal fingerprints so
        // far; see `FingerprintCounts`.
        let (own_fingerprint, github_fingerprint) = (format!("{number:016x}"), format!("{number:016x}:1"));
        result["partialFingerprints"] =
            json!({ "jigoFinding/v1": own_fingerprint, "primaryLocationLineHash": github_fingerprint });
    }
    out.extend_from_slice(SEPARATOR.as_bytes());
    // Writing to a Vec can't fail.
    let _ = serde_json::to_writer(&mut *out, &result);
    out.push(b'\n');
}

/// Counts equal fingerprints. Duplicate games have equal findings, which must still be separate
/// results.
#[derive(Debug, Default)]
pub struct FingerprintCounts(HashMap<[u8; DIGITS], u64>);

/// The text before a fingerprint. It can't occur inside other texts, because their quotes are
/// escaped.
const FINGERPRINT_KEY: &[u8] = b"\"primaryLocationLineHash\":\"";
/// The number of digits in a fingerprint.
const DIGITS: usize = 16;

impl FingerprintCounts {
    /// Returns the results of a batch with the count of each fingerprint so far, from 1.
    pub fn number_repeats(&mut self, results: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(results.len());
        let mut copied_to = 0;
        for start_of_key in memchr::memmem::find_iter(results, FINGERPRINT_KEY) {
            let start = start_of_key + FINGERPRINT_KEY.len();
            if let Some((number, b":1")) = results.get(start..start + DIGITS + 2).and_then(<[u8]>::split_first_chunk) {
                let count = self.0.entry(*number).or_default();
                *count += 1;
                out.extend_from_slice(&results[copied_to..=start + DIGITS]);
                out.extend_from_slice(count.to_string().as_bytes());
                copied_to = start + DIGITS + 2;
            }
        }
        out.extend_from_slice(&results[copied_to..]);
        out
    }
}

/// Converts a path to a URI reference (RFC 3986) and percent-encodes all characters that it must
/// not contain. A colon is encoded as well, since it could end a scheme.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'!' | b'+' | b',' | b'=' => {
                uri.push(char::from(byte));
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_becomes_a_uri_reference() {
        assert_eq!(uri("a b/c.zip!d#1.sgf"), "a%20b/c.zip!d%231.sgf");
        assert_eq!(uri("C:/棋"), "C%3A/%E6%A3%8B");
    }
}
