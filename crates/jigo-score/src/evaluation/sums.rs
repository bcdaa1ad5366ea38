//! Sums over the surroundings of a stone.

use super::scan::Scan;
use jigo_rules::board::BoardSize;

/// A summed-area table of the points' values, Black minus White.
///
/// Each entry belongs to the corner of a point and contains the sum of all values above and to the
/// left. Four entries give the sum of any rectangle. The board has a margin of points with the
/// value 0, as wide as the largest radius.
pub(super) struct Sums(Vec<i32>);

/// Radii of the squares around a stone: 5 and 9 points wide.
const RADII: [usize; 2] = [2, 4];
const MARGIN: usize = RADII[1];
/// Entries in one row of the table.
const ROW: usize = BoardSize::standard().width() as usize + 2 * MARGIN + 1;

impl Sums {
    /// Sums the values of the points, given by cell.
    pub(super) fn new(scan: &Scan, value: impl Fn(usize) -> i32) -> Sums {
        let (width, height) = scan.board_size();
        let mut sums = vec![0; ROW * ROW];
        let rows = (0..height).map(Some).chain(std::iter::repeat_n(None, MARGIN));
        for (row_above, y) in (MARGIN..).zip(rows) {
            let mut row = 0;
            let (upper, lower) = sums[row_above * ROW..(row_above + 2) * ROW].split_at_mut(ROW);
            for (x, (sum, upper)) in lower[MARGIN + 1..].iter_mut().zip(&upper[MARGIN + 1..]).enumerate() {
                row += y.filter(|_| x < width).map_or(0, |y| value((y + 1) * (width + 1) + x + 1));
                *sum = upper + row;
            }
        }
        Sums(sums)
    }

    /// Returns the average sums of the squares of 5 and 9 points around the stones of a group.
    pub(super) fn around(&self, scan: &Scan, group: usize) -> [f32; 2] {
        let stride = scan.board_size().0 + 1;
        let mut sum = [0, 0];
        scan.parts[group].cells.for_each(|cell| {
            // The upper left corner of the point.
            let index = (cell / stride - 1 + MARGIN) * ROW + cell % stride - 1 + MARGIN;
            for (sum, radius) in sum.iter_mut().zip(RADII) {
                let (top, bottom) = (index - radius * ROW, index + (radius + 1) * ROW);
                let (left, right) = (radius, radius + 1);
                *sum += self.0[bottom + right] - self.0[bottom - left] - self.0[top + right] + self.0[top - left];
            }
        });
        sum.map(|sum| sum as f32 / f32::from(scan.parts[group].size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::scan::color_sign;
    use crate::evaluation::tests::random_position;
    use jigo_rules::board::Point;

    #[test]
    fn squares_around_stones_are_those_of_the_board() {
        for seed in 0..20 {
            let position = random_position(seed, 50 + 15 * seed as usize);
            let scan = crate::evaluation::links::scan_groups(&position);
            let sums = Sums::new(&scan, |cell| color_sign(scan.color(cell)));
            for group in scan.groups() {
                let stones: Vec<Point> = scan.parts[group].cells.iter().map(|cell| scan.grid.point(cell)).collect();
                let expected = [2, 4].map(|radius: u8| {
                    let is_near = |one: Point, other: Point| {
                        one.x().abs_diff(other.x()) <= radius && one.y().abs_diff(other.y()) <= radius
                    };
                    let stones_near =
                        |&stone: &Point| position.size().iter().filter(move |&point| is_near(stone, point));
                    let values = stones.iter().flat_map(stones_near);
                    values.map(|point| position.stone(point).map_or(0, |color| color_sign(color as u8))).sum::<i32>()
                });
                assert_eq!(sums.around(&scan, group), expected.map(|sum| sum as f32 / stones.len() as f32));
            }
        }
    }
}
