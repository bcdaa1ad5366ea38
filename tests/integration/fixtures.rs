//! Every finding code has a fixture that shows it and a near miss that does not.

use std::path::PathBuf;

use jigo::cli::explain::example;
use jigo_core::analyze::{Analyzer, Settings};
use jigo_core::finding::{Code, Finding, Place};
use jigo_core::record::stray_text;
use jigo_core::rules::select::Choice;
use jigo_core::score::DeadSource;
use jigo_core::sgf::{GameText, Piece, split};

/// Codes that no committed file can show, and where they are tested instead.
const WITHOUT_FIXTURE: [Code; 30] = [
    Code::IdenticalCopy, // tests/integration/duplicates.rs, as are all that follow up to SameTurns: they take two games
    Code::SameGame,
    Code::SymmetricCopy,
    Code::CutCopy,
    Code::VariantCopy,
    Code::SameTurns,
    Code::UnreadableSource, // tests/integration/cli.rs: a path that is not there
    Code::OversizedGame, // tests/integration/limits.rs, as are all that follow up to TooManyFindings: with low limits, or made there
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
    Code::EncryptedMember,    // tests/integration/archives.rs: archives are made there
    Code::CorruptMember,      // tests/integration/archives.rs
    Code::ArchiveLimit,       // tests/integration/archives.rs
    Code::UnreadableRow,      // tests/integration/rows_of_records.rs: not a record
    Code::UnreadableLine,     // tests/integration/records.rs, as are all that follow up to NotInIndex: of no SGF
    Code::TurnNumbers,
    Code::EncryptedRecord,
    Code::LeftOut,
    Code::NotInIndex,
    Code::InternalError,  // src/analyze.rs: a panic on purpose
    Code::BrokenIdentity, // a miscount of ours: src/score/count.rs tests what it checks
];

fn settings() -> Settings {
    Settings {
        judges: vec![Choice::Recorded],
        counted: vec![Choice::Recorded],
        dead: DeadSource::DEFAULT.to_vec(),
        all_variations: true,
        ..Settings::default()
    }
}

/// All findings of a text, as `jigo check --results` gives them.
fn findings(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut games = 0;
    split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            games += 1;
            let offset = range.start as u64;
            let text = GameText { game: games, offset, ..GameText::alone(&bytes[range], close, charset) };
            found.extend(Analyzer::default().analyze(&text, &settings()).findings.iter().cloned());
        }
        Piece::Outside(range) => {
            found.push(Finding::new(stray_text::code(&bytes[range.clone()]), Place::byte(range.start), ""));
        }
    });
    if games == 0 {
        found.push(Finding::new(Code::NoGame, Place::default(), ""));
    }
    found
}

fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/findings").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_code_has_a_fixture_that_shows_it_and_a_near_miss_that_does_not() {
    for row in Code::TABLE.iter().filter(|row| !WITHOUT_FIXTURE.contains(&row.code)) {
        let codes = |name: &str| -> Vec<Code> { findings(&fixture(name)).iter().map(|found| found.code).collect() };
        let fault = codes(&format!("{}-{}.sgf", row.id, row.name));
        assert!(fault.contains(&row.code), "{} is not found: {fault:?}", row.id);
        let near_miss = codes(&format!("{}-near-miss.sgf", row.id));
        assert!(!near_miss.contains(&row.code), "{}: the near miss has it", row.id);
        let example = fixture(&format!("{}-{}.sgf", row.id, row.name));
        assert_eq!(example::of(row.code), Some(example.as_slice()), "{}: jigo explain has no example", row.id);
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
