//! Turns of two games laid beside each other: the optimal string alignment (Damerau 1964; Ukkonen's band, 1985) with open ends.

use super::sketch::Stone;

/// How many turns two games may be shifted against each other.
const BAND: usize = 6;
/// Cells of a row.
const CELLS: usize = 2 * BAND + 1;
/// More edits than these are no slips.
pub(super) const MOST_EDITS: u8 = 4;
/// Turns in agreement that an edit has to be followed by; otherwise what follows is another end.
const WORTH: i64 = 6;

/// How two sequences of turns lie beside each other, from their beginnings to where they part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Alignment {
    /// Turns that are the same in both; of two that are exchanged, none is.
    pub common: usize,
    /// Turns that are another in one of them, that one of them lacks, and pairs that are exchanged.
    pub edits: u8,
    /// What follows in each.
    pub rest: [usize; 2],
}

impl Alignment {
    /// Whether one ends before the other.
    pub(super) fn is_cut(&self) -> bool {
        (self.rest[0] == 0) != (self.rest[1] == 0)
    }

    /// The edits, other last turns being one.
    pub(super) fn all_edits(&self) -> usize {
        usize::from(self.edits) + usize::from(self.rest[0] > 0 && self.rest[1] > 0)
    }
}

/// The best alignment of so many turns of one with some of the other, as a number that is less where it is better: the edits, and behind them how many turns are not
/// the same of as many as there could be.
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

    fn edited(self) -> Cell {
        Cell(self.0.saturating_add(1 << Cell::BITS))
    }

    /// With a turn more that is the same.
    fn agreed(self) -> Cell {
        Cell(self.0 - 1)
    }

    /// What it is worth to have come so far.
    fn worth(self) -> i64 {
        i64::from(self.common()) - WORTH * self.edits() as i64
    }
}

/// Lays two sequences beside each other, up to where more edits would have to follow than what comes behind them is worth.
pub(super) fn align(one: &[Stone], other: &[Stone]) -> Alignment {
    let prefix = one.iter().zip(other).take_while(|(turn, other)| turn == other).count();
    if prefix == one.len().min(other.len()) {
        return Alignment { common: prefix, edits: 0, rest: [one.len() - prefix, other.len() - prefix] };
    }
    // One turn back: two that are exchanged may have the first of them there.
    let from = prefix.saturating_sub(1);
    let rest = align_banded(&one[from..], &other[from..]);
    Alignment { common: from + rest.common, ..rest }
}

fn align_banded(one: &[Stone], other: &[Stone]) -> Alignment {
    // The rows of the last two turns and of this one: cell c of row i is for i turns of one and i + c - BAND of the other.
    let mut rows = [[Cell::NONE; CELLS]; 3];
    let mut best = (Cell::FIRST, 0, 0);
    let alike = one.iter().rev().zip(other.iter().rev()).take_while(|(turn, other)| turn == other).count();
    for i in 0..=one.len() {
        rows.rotate_right(1);
        rows[0] = [Cell::NONE; CELLS];
        for c in 0..CELLS {
            let Some(j) = (i + c).checked_sub(BAND).filter(|j| *j <= other.len()) else { continue };
            let cell = cell((one, i), (other, j), c, &rows);
            rows[0][c] = cell;
            // Where two are worth the same, what goes further leaves less over.
            if cell.edits() <= MOST_EDITS.into() && (cell.worth(), i + j) > (best.0.worth(), best.1 + best.2) {
                best = (cell, i, j);
            }
        }
        let all_beyond = |row: &[Cell; CELLS], edits: u8| row.iter().all(|cell| cell.edits() > edits.into());
        if all_beyond(&rows[0], MOST_EDITS) && all_beyond(&rows[1], MOST_EDITS - 1) {
            break;
        }
        let left = one.len() - i;
        if let Some(cell) =
            (other.len() + BAND).checked_sub(one.len()).filter(|_| left <= alike).and_then(|c| leading(&rows, c))
        {
            let cell = Cell(cell.0 - left as u64);
            if (cell.worth(), one.len() + other.len()) > (best.0.worth(), best.1 + best.2) {
                best = (cell, one.len(), other.len());
            }
            break;
        }
    }
    let (cell, i, j) = best;
    Alignment { common: cell.common() as usize, edits: cell.edits() as u8, rest: [one.len() - i, other.len() - j] }
}

/// The cell in column c of the last row, where none of the last two rows comes to anything better, even if all turns from there on are the same: a cell of the row before
/// reaches beyond the last one by an edit only.
fn leading(rows: &[[Cell; CELLS]; 3], c: usize) -> Option<Cell> {
    let cell = *rows[0].get(c)?;
    let none_is_better = |row: &[Cell; CELLS], ahead: i64| {
        row.iter().all(|other| other.edits() >= cell.edits() && other.worth() <= cell.worth() + ahead)
    };
    (cell.edits() <= MOST_EDITS.into() && none_is_better(&rows[0], 0) && none_is_better(&rows[1], WORTH))
        .then_some(cell)
}

/// Of two turns that are exchanged, each player may have made the other's: the colours take turns as before.
fn is_same_place(turn: Stone, other: Stone) -> bool {
    turn.place() == other.place()
}

fn cell((one, i): (&[Stone], usize), (other, j): (&[Stone], usize), c: usize, rows: &[[Cell; CELLS]; 3]) -> Cell {
    if i == 0 && j == 0 {
        return Cell::FIRST;
    }
    let mut cell = Cell::NONE;
    if i > 0 && j > 0 {
        let before = rows[1][c];
        cell = if one[i - 1] == other[j - 1] { before.agreed() } else { before.edited() };
    }
    if i > 0 && c + 1 < CELLS {
        cell = cell.min(rows[1][c + 1].edited());
    }
    if j > 0 && c > 0 {
        cell = cell.min(rows[0][c - 1].edited());
    }
    if i > 1 && j > 1 && is_same_place(one[i - 1], other[j - 2]) && is_same_place(one[i - 2], other[j - 1]) {
        cell = cell.min(rows[2][c].edited());
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hash::split_mix;

    fn turns(numbers: impl IntoIterator<Item = u16>) -> Vec<Stone> {
        numbers.into_iter().map(Stone).collect()
    }

    #[test]
    fn each_kind_of_slip_is_one_edit() {
        let one = turns(0..100);
        let changed = |change: &dyn Fn(&mut Vec<Stone>)| {
            let mut other = one.clone();
            change(&mut other);
            [align(&one, &other), align(&other, &one)]
        };
        for (change, common, edits) in [
            (&(|turns: &mut Vec<Stone>| turns[30] = Stone(999)) as &dyn Fn(&mut Vec<Stone>), 99, 1),
            (&|turns: &mut Vec<Stone>| _ = turns.remove(30), 99, 1),
            (&|turns: &mut Vec<Stone>| turns.insert(30, Stone(999)), 100, 1),
            (&|turns: &mut Vec<Stone>| turns.swap(30, 31), 98, 1),
            (&|turns: &mut Vec<Stone>| turns.swap(0, 1), 98, 1),
            (&|turns: &mut Vec<Stone>| turns.swap(30, 32), 98, 2),
        ] {
            for alignment in changed(change) {
                assert_eq!(alignment, Alignment { common, edits, rest: [0, 0] });
            }
        }
        let [shorter, longer] = changed(&|turns| turns.truncate(70));
        assert_eq!((shorter.common, shorter.edits, shorter.rest), (70, 0, [30, 0]));
        assert_eq!(longer.rest, [0, 30]);
        let [parted, _] = changed(&|turns| turns[95..].iter_mut().for_each(|turn| turn.0 += 500));
        assert_eq!(parted, Alignment { common: 95, edits: 0, rest: [5, 5] });
    }

    /// The table of all cells, written down as the definition says.
    fn distance(one: &[Stone], other: &[Stone]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for i in 0..=one.len() {
            for j in 0..=other.len() {
                let mut least = if i == 0 && j == 0 { 0 } else { usize::MAX };
                if i > 0 {
                    least = least.min(table[i - 1][j] + 1);
                }
                if j > 0 {
                    least = least.min(table[i][j - 1] + 1);
                }
                if i > 0 && j > 0 {
                    least = least.min(table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]));
                }
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                table[i][j] = least;
            }
        }
        table[one.len()][other.len()]
    }

    /// Random slips far from the end: as many edits as the whole table has.
    #[test]
    fn the_band_finds_what_the_whole_table_finds() {
        let mut seed = 3;
        let mut random = |below: u64| (split_mix(&mut seed) % below) as usize;
        for _ in 0..300 {
            let one: Vec<Stone> = turns((0..120).map(|_| random(30) as u16));
            let mut other = one.clone();
            for _ in 0..random(5) {
                let at = random(90);
                match random(4) {
                    0 => other[at] = Stone(random(30) as u16),
                    1 => _ = other.remove(at),
                    2 => other.insert(at, Stone(random(30) as u16)),
                    _ => other.swap(at, at + 1),
                }
            }
            let alignment = align(&one, &other);
            assert_eq!((usize::from(alignment.edits), alignment.rest), (distance(&one, &other), [0, 0]));
        }
    }

    /// Where the ends are alike, the band need not be gone through to the end: it comes to what it comes to where a last turn in both, of which one is a pass, keeps it from
    /// seeing that.
    #[test]
    fn ends_that_are_alike_change_nothing() {
        let mut seed = 9;
        let mut random = |below: u64| (split_mix(&mut seed) % below) as usize;
        for round in 0..3_000 {
            let kinds = [3, 8, 300][round % 3];
            let one: Vec<Stone> = turns((0..90).map(|_| random(kinds) as u16));
            let mut other = one.clone();
            for _ in 0..random(8) {
                let at = random(other.len() as u64 - 1);
                match random(4) {
                    0 => other[at] = Stone(random(kinds) as u16),
                    1 => _ = other.remove(at),
                    2 => other.insert(at, Stone(random(kinds) as u16)),
                    _ => other.swap(at, at + 1),
                }
            }
            let quick = align_banded(&one, &other);
            // A turn more in each that is in neither of them is one edit more, and worth less than nothing.
            let [longer, others] = [(&one, 1001), (&other, 1002)]
                .map(|(turns, last)| turns.iter().copied().chain([Stone(last)]).collect::<Vec<_>>());
            let slow = align_banded(&longer, &others);
            assert_eq!((quick.common, quick.edits), (slow.common, slow.edits), "round {round}");
            assert_eq!(quick.rest.map(|rest| rest + 1), slow.rest, "round {round}");
        }
    }
}
