//! Limits on input: one for every quantity that an input could make endless.
//!
//! Archives come from untrusted sources, so memory and time must stay bounded. Exceeding a limit
//! affects only the game or archive member that does so. A finding names the option that raises the
//! limit.

use std::time::Duration;

/// The maximum effective [`Limits::game`]. Offsets in a game's text have 32 bits, and decoding can
/// triple the length.
const MAX_GAME_BYTES: u64 = 1 << 30;

/// The limits. Each has a command line option; sizes are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one game, at most 1 GiB. A larger game usually has a missing bracket.
    pub game: u64,
    /// Nodes of one game: of its main line, or of its whole tree if all variations are replayed.
    pub nodes: u64,
    /// The nesting depth of variations.
    pub depth: u64,
    /// Turns of all variations of a game together. Each variation is replayed from the start of the
    /// game.
    ///
    /// Setup stones count as turns, and so do the numbers in the path that each finding has.
    pub variation_turns: u64,
    /// Points in setup and markup of one game, including those within rectangles such as `aa:ss`.
    pub points: u64,
    /// Findings of one game. Each takes some hundred bytes of memory and a row, and a turn of seven
    /// bytes can cause several.
    pub findings: u64,
    /// Bytes of one property that needs parsing. Comments of turns are skipped and may be
    /// longer.
    pub property: u64,
    /// Stored bytes of a text in the root, such as RU, RE or a name.
    pub text: u64,
    /// Bytes of a line of bare positions.
    pub line: u64,
    /// Time for the work on one game; `None` means no limit.
    pub game_time: Option<Duration>,
    /// Unpacked bytes of all members of an archive together.
    pub unpacked: u64,
    /// Members of an archive.
    pub members: u64,
    /// Unpacked bytes for each byte of an archive.
    pub ratio: u64,
    /// The nesting depth of archives.
    pub nesting: u32,
    /// Bytes of decoder memory that an archive's headers can request: dictionaries, windows and
    /// file lists.
    pub memory: u64,
}

impl Limits {
    /// Returns [`Limits::game`], bounded by the maximum.
    pub fn game(&self) -> u64 {
        self.game.min(MAX_GAME_BYTES)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            game: 16 << 20,
            nodes: 1_000_000,
            depth: 1_000,
            variation_turns: 5_000_000,
            points: 1_000_000,
            findings: 100_000,
            property: 1 << 20,
            text: 4 << 10,
            line: 1 << 20,
            game_time: None,
            unpacked: 64 << 30,
            members: 10_000_000,
            ratio: 200,
            nesting: 1,
            memory: 256 << 20,
        }
    }
}
