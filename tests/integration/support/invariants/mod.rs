//! Invariants that hold for any bytes. `tests/integration/invariants.rs` checks them on fixtures
//! and random texts, and the fuzz targets of the same names on generated inputs. Each function
//! takes the bytes of one input and panics if an invariant in its documentation is violated.

mod archives;
mod complexity;
mod game;
mod header;
mod mutated_archives;
mod records;
mod tables;
mod text;

pub use archives::archives;
pub use complexity::{complexity, progress};
pub use game::{count, replay};
pub use header::{engine, header, rules};
pub use mutated_archives::mutated_archives;
#[cfg(test)]
pub use mutated_archives::{crc, update_checksums};
pub use records::records;
pub use tables::tables;
pub use text::{charset, read, split};

use jigo_record::splitter::{GameText, Piece, split as cut};

/// The name of a target and its assertion function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 14] = [
    ("split", split),
    ("charset", charset),
    ("read", read),
    ("header", header),
    ("replay", replay),
    ("count", count),
    ("archives", archives),
    ("mutated_archives", mutated_archives),
    ("engine", engine),
    ("rules", rules),
    ("progress", progress),
    ("complexity", complexity),
    ("records", records),
    ("tables", tables),
];

/// Calls `visit` with every game of a text, in order.
fn games(bytes: &[u8], mut visit: impl FnMut(&GameText)) {
    let mut game = 0;
    cut(bytes, true, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            game += 1;
            let offset = range.start as u64;
            visit(&GameText { game, offset, ..GameText::single(&bytes[range], close, charset) });
        }
    });
}
