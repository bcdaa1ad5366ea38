//! The keys of games, which find candidates for duplicates, and the data that confirms them.

use std::sync::Arc;

use jigo_core::analysis::Settings;
use jigo_core::fix::mergeable_values;
use jigo_core::similarity::{KEYS, SimilarityKeys};
use jigo_record::finding::Severity;
use serde::{Deserialize, Serialize};

use super::header_merge::pack_values;
use crate::pipeline::{VisitedGame, Visitor, hash};
use crate::stored_bytes;
use crate::tables::{GameFacts, request_keys};

/// A game with its keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyedGame {
    /// The source's name.
    #[serde(with = "file_name")]
    pub file: Arc<str>,
    /// Its position and rank.
    pub facts: GameFacts,
    /// The keys.
    #[serde(with = "StoredKeys")]
    pub keys: SimilarityKeys,
    /// The packed data for comparisons.
    #[serde(with = "stored_bytes")]
    pub sketch: Vec<u8>,
    /// The packed values that duplicates can take over, with the byte after the root in the source.
    /// Empty unless requested.
    #[serde(with = "stored_bytes")]
    pub mergeable_values: Vec<u8>,
}

/// The form of keys in parts.
#[derive(Serialize, Deserialize)]
#[serde(remote = "SimilarityKeys")]
struct StoredKeys([Option<u64>; KEYS.len()]);

/// The form of a shared name in parts.
mod file_name {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<str>, D::Error> {
        String::deserialize(deserializer).map(Arc::from)
    }
}

/// The visitor that collects every readable game with its keys.
pub struct KeyVisitor {
    /// True if values that duplicates can take over are collected as well.
    pub keeps_headers: bool,
}

impl Visitor for KeyVisitor {
    type Accumulator = Vec<KeyedGame>;

    fn configure(&self, settings: &mut Settings) {
        request_keys(settings);
    }

    fn start_batch(&self) -> Vec<KeyedGame> {
        Vec::new()
    }

    fn visit_game(&self, &VisitedGame { text, report, reported }: &VisitedGame<'_>, batch: &mut Vec<KeyedGame>) {
        let Some(sketch) = &report.sketch else { return };
        let file = match batch.last() {
            Some(last) if *last.file == *text.file => Arc::clone(&last.file),
            _ => text.file.into(),
        };
        let count = |severity| reported.iter().filter(|finding| finding.severity == severity).count() as u32;
        batch.push(KeyedGame {
            file,
            facts: GameFacts {
                game: text.game,
                offset: text.offset,
                line: text.line,
                text_hash: hash(text.bytes, 0),
                turns: report.tally.turns,
                played_turns: sketch.turns_without_final_passes().len() as u32,
                errors: count(Severity::Error),
                warnings: count(Severity::Warning),
                header_values: sketch.header.filled_fields,
            },
            keys: SimilarityKeys::from_sketch(sketch, &report.positions),
            sketch: sketch.pack(),
            mergeable_values: if self.keeps_headers {
                pack_values(text, &mergeable_values(text, &report.header))
            } else {
                Vec::new()
            },
        });
    }
}

/// Collects nothing without a visitor.
impl Visitor for Option<KeyVisitor> {
    type Accumulator = Vec<KeyedGame>;

    fn configure(&self, settings: &mut Settings) {
        self.iter().for_each(|keys| keys.configure(settings));
    }

    fn start_batch(&self) -> Vec<KeyedGame> {
        Vec::new()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut Vec<KeyedGame>) {
        self.iter().for_each(|keys| keys.visit_game(game, batch));
    }
}
