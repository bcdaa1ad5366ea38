//! How much of an input is taken in before jigo gives up on a part of it: one limit for everything that somebody could make endless.
//!
//! Archives come from strangers. Whatever they hold, memory and time stay bounded; what goes beyond a limit is said, with the option
//! that raises it, and costs the game or member that does.

use std::time::Duration;

/// The largest [`Limits::game`] that is kept to: places in a game's text are numbers of 32 bits, and decoding can triple it.
const LARGEST_GAME: u64 = 1 << 30;

/// The limits. Each is an option of the command line; sizes are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one game, at most 1 GiB: more is a missing bracket, not a game.
    pub game: u64,
    /// Nodes of one game: of its main line, and of its tree where all variations are replayed.
    pub nodes: u64,
    /// Variations in variations.
    pub depth: u64,
    /// Turns of all variations of a game together, each replayed from its beginning. Setup stones count as turns do, and so do the numbers
    /// of the way to its variation that each finding has.
    pub variation_turns: u64,
    /// Points that the setup and markup of one game name, with rectangles such as `aa:ss` written out.
    pub points: u64,
    /// Findings of one game. Each takes a few hundred bytes of memory and a row, and a turn of seven bytes can have several.
    pub findings: u64,
    /// Bytes of one property that has to be parsed; comments beside turns are passed over and may be longer.
    pub property: u64,
    /// Bytes that are kept of a text in the root, such as RU, RE or a name.
    pub text: u64,
    /// Bytes of a line of bare positions.
    pub line: u64,
    /// Time for the work on one game; without end where there is none.
    pub game_time: Option<Duration>,
    /// Unpacked bytes of an archive, of all members together.
    pub unpacked: u64,
    /// Members of an archive.
    pub members: u64,
    /// Unpacked bytes for each byte of an archive.
    pub ratio: u64,
    /// Archives in archives.
    pub nesting: u32,
    /// Bytes of memory for what an archive's headers make its decoders hold: dictionaries, windows, lists of files.
    pub memory: u64,
}

impl Limits {
    /// [`Limits::game`] as far as it can be kept to.
    pub fn game(&self) -> u64 {
        self.game.min(LARGEST_GAME)
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
