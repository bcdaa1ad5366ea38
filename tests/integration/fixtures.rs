//! Every finding code has a fixture that triggers it and a near miss that does not.

use std::path::PathBuf;

use jigo::commands::explain::example_record;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::finding::{Code, Finding, FoundBy, Place};
use jigo_record::formats::stray_finding;
use jigo_record::splitter::{GameText, Piece, split};
use jigo_rules::select::Choice;
use jigo_score::DeadSource;

/// Codes that no committed file can trigger, with the test of each.
const WITHOUT_FIXTURE: [Code; 34] = [
    Code::UnmetExpectation, // tests/integration/expectations.rs: needs a jigo.toml
    Code::HeaderForm,       // tests/integration/fix_normalize.rs: needs jigo fix --normalize
    Code::IdenticalCopy,    // tests/integration/duplicates.rs, as for all codes up to SameTurns: need two games
    Code::SameGame,
    Code::SymmetricCopy,
    Code::CutCopy,
    Code::VariantCopy,
    Code::SameTurns,
    Code::UnreadableSource, // tests/integration/cli.rs: a path that does not exist
    Code::OversizedGame, // tests/integration/limits.rs, as for all codes up to TooManyFindings: need low limits or generated texts
    Code::TooManyVariations,
    Code::TooManyNodes,
    Code::DeepVariations,
    Code::TooManyPoints,
    Code::LongProperty,
    Code::LongText,
    Code::LongLine,
    Code::SlowGame,
    Code::TooManyFindings,
    Code::UnreadablePosition, // tests/integration/positions.rs: not a record
    Code::EngineFailed,       // tests/integration/engine.rs: needs an engine
    Code::GivenStones,        // tests/integration/given_stones.rs: needs --games
    Code::EncryptedMember,    // tests/integration/archives.rs: archives are made there
    Code::CorruptMember,      // tests/integration/archives.rs
    Code::ArchiveLimit,       // tests/integration/archives.rs
    Code::UnreadableRow,      // tests/integration/rows_of_records.rs: not a record
    Code::RepeatedId,         // tests/integration/repeated_ids.rs: needs two rows
    Code::UnreadableLine,     // tests/integration/records.rs, as for all codes up to NotInIndex: not in SGF
    Code::TurnNumbers,
    Code::EncryptedRecord,
    Code::LeftOut,
    Code::NotInIndex,
    Code::InternalError,  // crates/jigo-core/src/analysis/mod.rs: a deliberate panic
    Code::BrokenIdentity, // an error in jigo's count: crates/jigo-score/src/count.rs tests the check
];

fn settings(problems: bool) -> Settings {
    Settings {
        problems,
        judges: vec![Choice::Recorded],
        scored_rulesets: vec![Choice::Recorded],
        dead: DeadSource::DEFAULT.to_vec(),
        all_variations: true,
        ..Settings::default()
    }
}

/// Returns all findings of a text, as in `jigo check --results`, or with `--problems` instead if the
/// fixture is one for this code.
fn findings(bytes: &[u8], code: Code) -> Vec<Finding> {
    let settings = settings(code.found_by() == FoundBy::Problems);
    let mut findings = Vec::new();
    let mut games = 0;
    split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            games += 1;
            let offset = range.start as u64;
            let text = GameText { game: games, offset, ..GameText::single(&bytes[range], close, charset) };
            findings.extend(Analyzer::default().analyze(&text, &settings).findings.iter().cloned());
        }
        Piece::StrayText(range) => {
            findings.push(Finding::new(stray_finding::code(&bytes[range.clone()]), Place::byte(range.start), ""));
        }
    });
    if games == 0 {
        findings.push(Finding::new(Code::NoGame, Place::default(), ""));
    }
    findings
}

fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/findings").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_code_has_a_fixture_and_a_near_miss() {
    for row in Code::TABLE.iter().filter(|row| !WITHOUT_FIXTURE.contains(&row.code)) {
        let codes =
            |name: &str| -> Vec<Code> { findings(&fixture(name), row.code).iter().map(|found| found.code).collect() };
        let fault = codes(&format!("{}-{}.sgf", row.id, row.name));
        assert!(fault.contains(&row.code), "{} is not found: {fault:?}", row.id);
        let near_miss = codes(&format!("{}-near-miss.sgf", row.id));
        assert!(!near_miss.contains(&row.code), "{}: the near miss triggers it", row.id);
        let example = fixture(&format!("{}-{}.sgf", row.id, row.name));
        assert_eq!(example_record(row.code), Some(example.as_slice()), "{}: jigo explain has no example", row.id);
    }
}

#[test]
fn every_fixture_belongs_to_a_code() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/findings");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (id, rest) = name.strip_suffix(".sgf").unwrap().split_once('-').unwrap();
        let [code] = Code::select(id)[..] else { panic!("{name} has no code") };
        assert!(rest == code.name() || rest == "near-miss", "{name}");
    }
}
