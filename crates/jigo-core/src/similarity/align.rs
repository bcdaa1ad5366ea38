//! Alignment of the turns of two games.
//!
//! The method is optimal string alignment (Damerau 1964) in a band (Ukkonen 1985), with open ends.

use super::sketch::PackedTurn;

/// Largest shift between the two games, in turns.
const BAND: usize = 6;
/// Cells of a row.
const CELLS: usize = 2 * BAND + 1;
/// Largest number of edits that can be slips.
pub(super) const MAX_EDITS: u8 = 4;
/// Agreeing turns that must follow an edit.
///
/// With fewer, the remaining turns count as a different end.
const LENGTH_WEIGHT: i64 = 6;

/// The alignment of two turn sequences, from their beginnings to the point where they diverge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Alignment {
    /// Turns that are equal in both. Two exchanged turns do not count.
    pub common: usize,
    /// Changed turns, missing turns and exchanged pairs.
    pub edits: u8,
    /// Remaining turns of each sequence.
    pub rest: [usize; 2],
}

impl Alignment {
    /// Returns true if one sequence ends before the other.
    pub(super) fn is_cut(&self) -> bool {
        (self.rest[0] == 0) != (self.rest[1] == 0)
    }

    /// Returns the number of edits. Different last turns count as one edit.
    pub(super) fn all_edits(&self) -> usize {
        usize::from(self.edits) + usize::from(self.rest[0] > 0 && self.rest[1] > 0)
    }
}

/// The cost of the best alignment of a part of one sequence with a part of the other. Lower is
/// better.
///
/// The upper half counts the edits. The lower half is `u32::MAX` minus the number of equal turns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell(u64);

impl Cell {
    const BITS: u32 = u32::BITS;
    const FIRST: Cell = Cell(u32::MAX as u64);
    const NONE: Cell = Cell(u64::MAX);

    fn edits(self) -> u64 {
        self.0 >> Cell::BITS
    }

    fn common(self) -> u32 {
        u32::MAX - self.0 as u32
    }

    fn with_edit(self) -> Cell {
        Cell(self.0.saturating_add(1 << Cell::BITS))
    }

    /// Returns the cost with one more equal turn.
    fn with_equal_turn(self) -> Cell {
        Cell(self.0 - 1)
    }

    /// Returns the value of the alignment up to this cell.
    fn score(self) -> i64 {
        i64::from(self.common()) - LENGTH_WEIGHT * self.edits() as i64
    }
}

/// Aligns two sequences, up to the point where more edits would cost more than the turns after them
/// are worth.
pub(super) fn align(turns: &[PackedTurn], others: &[PackedTurn]) -> Alignment {
    let prefix = turns.iter().zip(others).take_while(|(turn, other)| turn == other).count();
    if prefix == turns.len().min(others.len()) {
        return Alignment { common: prefix, edits: 0, rest: [turns.len() - prefix, others.len() - prefix] };
    }
    // Starts one turn earlier, because that turn may be the first of an exchanged pair.
    let start = prefix.saturating_sub(1);
    let rest = align_banded(&turns[start..], &others[start..]);
    Alignment { common: start + rest.common, ..rest }
}

fn align_banded(turns: &[PackedTurn], others: &[PackedTurn]) -> Alignment {
    // Rows of this turn and the two before it. Cell c of row i aligns i turns of `turns` with i + c
    // - BAND turns of `others`.
    let mut rows = [[Cell::NONE; CELLS]; 3];
    let mut end = (Cell::FIRST, 0, 0);
    let equal_end = turns.iter().rev().zip(others.iter().rev()).take_while(|(turn, other)| turn == other).count();
    for i in 0..=turns.len() {
        rows.rotate_right(1);
        rows[0] = [Cell::NONE; CELLS];
        for c in 0..CELLS {
            let Some(j) = (i + c).checked_sub(BAND).filter(|j| *j <= others.len()) else { continue };
            let cell = cell([turns, others], [i, j], c, &rows);
            rows[0][c] = cell;
            // If two cells are worth the same, the longer alignment wins.
            if cell.edits() <= MAX_EDITS.into() && (cell.score(), i + j) > (end.0.score(), end.1 + end.2) {
                end = (cell, i, j);
            }
        }
        let exceeds = |row: &[Cell; CELLS], edits: u8| row.iter().all(|cell| cell.edits() > edits.into());
        if exceeds(&rows[0], MAX_EDITS) && exceeds(&rows[1], MAX_EDITS - 1) {
            break;
        }
        let remaining = turns.len() - i;
        if let Some(cell) = (others.len() + BAND)
            .checked_sub(turns.len())
            .filter(|_| remaining <= equal_end)
            .and_then(|c| leading(&rows, c))
        {
            let cell = Cell(cell.0 - remaining as u64);
            if (cell.score(), turns.len() + others.len()) > (end.0.score(), end.1 + end.2) {
                end = (cell, turns.len(), others.len());
            }
            break;
        }
    }
    let (cell, i, j) = end;
    Alignment { common: cell.common() as usize, edits: cell.edits() as u8, rest: [turns.len() - i, others.len() - j] }
}

/// Returns the cell in column c of the last row if no other cell can lead to a better alignment,
/// even if all remaining turns agree.
///
/// The path from a cell of the row before needs one more edit to reach beyond the last row.
fn leading(rows: &[[Cell; CELLS]; 3], c: usize) -> Option<Cell> {
    let cell = *rows[0].get(c)?;
    let is_minimal = |row: &[Cell; CELLS], lead: i64| {
        row.iter().all(|other| other.edits() >= cell.edits() && other.score() <= cell.score() + lead)
    };
    (cell.edits() <= MAX_EDITS.into() && is_minimal(&rows[0], 0) && is_minimal(&rows[1], LENGTH_WEIGHT)).then_some(cell)
}

/// Returns true if two turns have the same point or are both passes.
///
/// In an exchanged pair each player may have made the other's turn, because the colours alternate
/// in both records.
fn has_same_place(turn: PackedTurn, other: PackedTurn) -> bool {
    turn.place() == other.place()
}

fn cell([turns, others]: [&[PackedTurn]; 2], [i, j]: [usize; 2], c: usize, rows: &[[Cell; CELLS]; 3]) -> Cell {
    if i == 0 && j == 0 {
        return Cell::FIRST;
    }
    let mut cell = Cell::NONE;
    if i > 0 && j > 0 {
        let above = rows[1][c];
        cell = if turns[i - 1] == others[j - 1] { above.with_equal_turn() } else { above.with_edit() };
    }
    if i > 0 && c + 1 < CELLS {
        cell = cell.min(rows[1][c + 1].with_edit());
    }
    if j > 0 && c > 0 {
        cell = cell.min(rows[0][c - 1].with_edit());
    }
    if i > 1 && j > 1 && has_same_place(turns[i - 1], others[j - 2]) && has_same_place(turns[i - 2], others[j - 1]) {
        cell = cell.min(rows[2][c].with_edit());
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::hash::split_mix;

    fn turns(numbers: impl IntoIterator<Item = u16>) -> Vec<PackedTurn> {
        numbers.into_iter().map(PackedTurn).collect()
    }

    #[test]
    fn each_kind_of_slip_is_one_edit() {
        let original = turns(0..100);
        let changed = |change: &dyn Fn(&mut Vec<PackedTurn>)| {
            let mut other = original.clone();
            change(&mut other);
            [align(&original, &other), align(&other, &original)]
        };
        for (change, common, edits) in [
            (&(|turns: &mut Vec<PackedTurn>| turns[30] = PackedTurn(999)) as &dyn Fn(&mut Vec<PackedTurn>), 99, 1),
            (&|turns: &mut Vec<PackedTurn>| _ = turns.remove(30), 99, 1),
            (&|turns: &mut Vec<PackedTurn>| turns.insert(30, PackedTurn(999)), 100, 1),
            (&|turns: &mut Vec<PackedTurn>| turns.swap(30, 31), 98, 1),
            (&|turns: &mut Vec<PackedTurn>| turns.swap(0, 1), 98, 1),
            (&|turns: &mut Vec<PackedTurn>| turns.swap(30, 32), 98, 2),
        ] {
            for alignment in changed(change) {
                assert_eq!(alignment, Alignment { common, edits, rest: [0, 0] });
            }
        }
        let [shorter, longer] = changed(&|turns| turns.truncate(70));
        assert_eq!((shorter.common, shorter.edits, shorter.rest), (70, 0, [30, 0]));
        assert_eq!(longer.rest, [0, 30]);
        let [distant, _] = changed(&|turns| turns[95..].iter_mut().for_each(|turn| turn.0 += 500));
        assert_eq!(distant, Alignment { common: 95, edits: 0, rest: [5, 5] });
    }

    /// Computes the distance with the full table, as in its definition.
    fn distance(turns: &[PackedTurn], others: &[PackedTurn]) -> usize {
        let mut table = vec![vec![0; others.len() + 1]; turns.len() + 1];
        for i in 0..=turns.len() {
            for j in 0..=others.len() {
                let mut least = if i == 0 && j == 0 { 0 } else { usize::MAX };
                if i > 0 {
                    least = least.min(table[i - 1][j] + 1);
                }
                if j > 0 {
                    least = least.min(table[i][j - 1] + 1);
                }
                if i > 0 && j > 0 {
                    least = least.min(table[i - 1][j - 1] + usize::from(turns[i - 1] != others[j - 1]));
                }
                if i > 1 && j > 1 && turns[i - 1] == others[j - 2] && turns[i - 2] == others[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                table[i][j] = least;
            }
        }
        table[turns.len()][others.len()]
    }

    /// Compares the band with the full table for random slips far from the end.
    #[test]
    fn band_and_full_table_find_the_same_edits() {
        let mut seed = 3;
        let mut random = |below: u64| (split_mix(&mut seed) % below) as usize;
        for _ in 0..300 {
            let original: Vec<PackedTurn> = turns((0..120).map(|_| random(30) as u16));
            let mut other = original.clone();
            for _ in 0..random(5) {
                let index = random(90);
                match random(4) {
                    0 => other[index] = PackedTurn(random(30) as u16),
                    1 => _ = other.remove(index),
                    2 => other.insert(index, PackedTurn(random(30) as u16)),
                    _ => other.swap(index, index + 1),
                }
            }
            let alignment = align(&original, &other);
            assert_eq!((usize::from(alignment.edits), alignment.rest), (distance(&original, &other), [0, 0]));
        }
    }

    /// Checks that the shortcut for equal ends does not change the alignment.
    ///
    /// A different last turn in each sequence disables the shortcut.
    #[test]
    fn shortcut_for_equal_ends_keeps_the_alignment() {
        let mut seed = 9;
        let mut random = |below: u64| (split_mix(&mut seed) % below) as usize;
        for round in 0..3_000 {
            let kinds = [3, 8, 300][round % 3];
            let original: Vec<PackedTurn> = turns((0..90).map(|_| random(kinds) as u16));
            let mut other = original.clone();
            for _ in 0..random(8) {
                let index = random(other.len() as u64 - 1);
                match random(4) {
                    0 => other[index] = PackedTurn(random(kinds) as u16),
                    1 => _ = other.remove(index),
                    2 => other.insert(index, PackedTurn(random(kinds) as u16)),
                    _ => other.swap(index, index + 1),
                }
            }
            let quick = align_banded(&original, &other);
            // The extra turns differ, which costs one edit and gains nothing.
            let [longer, others] = [(&original, 1001), (&other, 1002)]
                .map(|(turns, last)| turns.iter().copied().chain([PackedTurn(last)]).collect::<Vec<_>>());
            let banded = align_banded(&longer, &others);
            assert_eq!((quick.common, quick.edits), (banded.common, banded.edits), "round {round}");
            assert_eq!(quick.rest.map(|rest| rest + 1), banded.rest, "round {round}");
        }
    }
}
