//! Turns of two games laid beside each other: the optimal string alignment (Damerau 1964; Ukkonen's band, 1985) with open ends.

use super::sketch::Stone;

/// How many turns two games may be shifted against each other.
const BAND: usize = 6;
/// Cells of a row.
const CELLS: usize = 2 * BAND + 1;
/// More edits than these are no slips.
pub(super) const MOST_EDITS: u8 = 4;
/// Turns in agreement that an edit has to be followed by; otherwise what follows is another end.
const WORTH: i32 = 6;

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

/// The best alignment of so many turns of one with some of the other.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Cell {
    edits: u8,
    common: u32,
}

impl Cell {
    const NONE: Cell = Cell { edits: u8::MAX, common: 0 };

    fn edited(self, by: u8) -> Cell {
        Cell { edits: self.edits.saturating_add(by), ..self }
    }

    fn better(self, other: Cell) -> Cell {
        let is_better = (other.edits, u32::MAX - other.common) < (self.edits, u32::MAX - self.common);
        if is_better { other } else { self }
    }

    /// What it is worth to have come so far.
    fn worth(self) -> i32 {
        self.common as i32 - WORTH * i32::from(self.edits)
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
    let mut best = (Cell::default(), 0, 0);
    for i in 0..=one.len() {
        rows.rotate_right(1);
        rows[0] = [Cell::NONE; CELLS];
        for c in 0..CELLS {
            let Some(j) = (i + c).checked_sub(BAND).filter(|j| *j <= other.len()) else { continue };
            let cell = cell((one, i), (other, j), c, &rows);
            rows[0][c] = cell;
            // Where two are worth the same, what goes further leaves less over.
            if cell.edits <= MOST_EDITS && (cell.worth(), i + j) > (best.0.worth(), best.1 + best.2) {
                best = (cell, i, j);
            }
        }
        if rows[0].iter().all(|cell| cell.edits > MOST_EDITS) && rows[1].iter().all(|cell| cell.edits >= MOST_EDITS) {
            break;
        }
    }
    let (cell, i, j) = best;
    Alignment { common: cell.common as usize, edits: cell.edits, rest: [one.len() - i, other.len() - j] }
}

/// Of two turns that are exchanged, each player may have made the other's: the colours take turns as before.
fn is_same_place(turn: Stone, other: Stone) -> bool {
    turn.place() == other.place()
}

fn cell((one, i): (&[Stone], usize), (other, j): (&[Stone], usize), c: usize, rows: &[[Cell; CELLS]; 3]) -> Cell {
    if i == 0 && j == 0 {
        return Cell::default();
    }
    let mut cell = Cell::NONE;
    if i > 0 && j > 0 {
        let before = rows[1][c];
        cell = match one[i - 1] == other[j - 1] {
            true => Cell { common: before.common + 1, ..before },
            false => before.edited(1),
        };
    }
    if i > 0 && c + 1 < CELLS {
        cell = cell.better(rows[1][c + 1].edited(1));
    }
    if j > 0 && c > 0 {
        cell = cell.better(rows[0][c - 1].edited(1));
    }
    if i > 1 && j > 1 && is_same_place(one[i - 1], other[j - 2]) && is_same_place(one[i - 2], other[j - 1]) {
        cell = cell.better(rows[2][c].edited(1));
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
}
