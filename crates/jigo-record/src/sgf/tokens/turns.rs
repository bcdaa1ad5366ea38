//! Runs of bare turns such as `;B[dd];W[pp]`. They make up most of an archive, so the code checks
//! many bytes at once.

/// The number of turns in a run. The first is Black's.
pub const RUN: usize = 8;
/// The length of a bare turn in bytes.
pub const TURN: usize = 6;
/// The length of a run in bytes.
pub const RUN_BYTES: usize = RUN * TURN;

/// The smallest value of each byte in a run.
const MIN_BYTES: [u8; RUN_BYTES] = *b";B[aa];W[aa];B[aa];W[aa];B[aa];W[aa];B[aa];W[aa]";

/// Runs of turns on a board of one size.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// For every byte of a run, the number of valid values, starting at the least.
    value_counts: [u8; RUN_BYTES],
}

impl Runs {
    /// Returns a matcher for runs on a board of this size. Points must have small letters.
    pub const fn on_board(columns: u8, rows: u8) -> Runs {
        let mut value_counts = [1; RUN_BYTES];
        let mut turn = 0;
        while turn < RUN {
            value_counts[turn * TURN + 3] = if columns < 26 { columns } else { 26 };
            value_counts[turn * TURN + 4] = if rows < 26 { rows } else { 26 };
            turn += 1;
        }
        Runs { value_counts }
    }

    /// Returns the points of the run at the start of `bytes`, as column and row from 0.
    #[inline]
    pub fn first(&self, bytes: &[u8]) -> Option<[[u8; 2]; RUN]> {
        // This byte alone rules out turns with clocks and comments.
        let bytes: &[u8; RUN_BYTES] = bytes.first_chunk().filter(|bytes| bytes[TURN] == b';')?;
        // A loop without early exit checks many bytes at once.
        let mut values = [0; RUN_BYTES];
        let mut is_run = true;
        for index in 0..RUN_BYTES {
            values[index] = bytes[index].wrapping_sub(MIN_BYTES[index]);
            is_run &= values[index] < self.value_counts[index];
        }
        is_run.then(|| std::array::from_fn(|turn| [values[turn * TURN + 3], values[turn * TURN + 4]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_of_turns_has_every_byte_in_order() {
        let text = *b";B[aa];W[sa];B[as];W[ss];B[bc];W[de];B[fg];W[hi]";
        let runs = Runs::on_board(19, 19);
        let points = [[0, 0], [18, 0], [0, 18], [18, 18], [1, 2], [3, 4], [5, 6], [7, 8]];
        assert_eq!(runs.first(&text), Some(points));
        assert_eq!(runs.first(&text[..RUN_BYTES - 1]), None);
        for index in 0..RUN_BYTES {
            let (mut less, mut more) = (text, text);
            less[index] = MIN_BYTES[index] - 1;
            more[index] = MIN_BYTES[index] + runs.value_counts[index];
            assert_eq!((runs.first(&less), runs.first(&more)), (None, None), "byte {index}");
        }
        assert_eq!(Runs::on_board(18, 19).first(&text), None);
        assert_eq!(Runs::on_board(19, 52).first(&text), Some(points));
    }
}
