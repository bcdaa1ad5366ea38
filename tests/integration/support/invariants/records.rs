//! Records in formats other than SGF: every byte is accounted for.

use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::finding::Code;
use jigo_record::formats::decoded;
use jigo_record::sgf::Limits;
use jigo_record::splitter::{GameText, Piece, RecordKind, Splitter, split};
use jigo_rules::select::Choice;

/// Checks that the text splits into games of its detected format, or of any other. Each game
/// becomes one SGF game, and positions map back to the text.
pub fn records(bytes: &[u8]) {
    let names = RecordKind::from_start(bytes).filter(|kind| *kind != RecordKind::default());
    let others = RecordKind::all().count() - 1;
    let Some(kind) = names.or_else(|| RecordKind::all().nth(1 + bytes.len() % others)) else { return };
    let mut splitter = Splitter::new(kind.unit(), Limits::default());
    let mut pieces = Vec::new();
    assert_eq!(splitter.split(bytes, true, |piece| pieces.push(piece)), bytes.len());
    let settings =
        Settings { judges: vec![Choice::Recorded], all_variations: true, turns: true, ..Settings::default() };
    let (mut analyzer, mut end, mut game) = (Analyzer::default(), 0, 0);
    for piece in pieces {
        let (Piece::Game(range, ..) | Piece::StrayText(range)) = &piece;
        assert!(range.start >= end && range.end <= bytes.len() && !range.is_empty());
        end = range.end;
        let Piece::Game(range, close, charset) = piece else { continue };
        game += 1;
        let (offset, bytes) = (range.start as u64, &bytes[range]);
        let text = GameText { kind, game, offset, ..GameText::single(bytes, close, charset) };
        let sgf = decoded(&text);
        let mut games = 0;
        split(&sgf.text, true, |piece| games += u32::from(matches!(piece, Piece::Game(..))));
        // A list may contain SGF, which stays unchanged with its damage.
        assert!(games == 1 || kind.name() == "moves", "{games} games of SGF");
        let report = analyzer.analyze(&text, &settings);
        assert!(report.findings.iter().all(|finding| finding.code != Code::InternalError), "{:?}", report.findings);
        assert!(report.findings.iter().all(|finding| finding.place.offset <= bytes.len()), "{:?}", report.findings);
    }
}
