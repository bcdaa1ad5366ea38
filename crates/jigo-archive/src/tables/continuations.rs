//! The continuations table: the next turns after the matches of a pattern, with their results.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use super::Aggregate;
use super::matches::next_word;
use crate::formats::Rows;
use crate::partial_result::PartialResult;
use crate::pipeline::{VisitedGame, Visitor};
use crate::row::line::{LOCATION, Line, SECONDARY};
use crate::row::shared_columns::{COLOR, column, table};
use crate::row::{Cells, ColumnType, PROBABILITY, Row, Table, Value};
use crate::summary::ShareEstimate;
use jigo_core::analysis::Settings;
use jigo_core::pattern::{BoardPattern, Borders, NextPlace, NextTurn, PatternPoint, PatternSearch};
use jigo_rules::board::{Color, Point};

/// The results after one next turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContinuationCounts {
    /// The number of matches.
    pub matches: u64,
    /// Wins of the player who is Black in the pattern, and of the other player.
    pub wins: [u64; 2],
    /// The first and the last year of the games.
    pub years: Option<(u16, u16)>,
}

impl PartialResult for ContinuationCounts {
    fn add_part(&mut self, next: ContinuationCounts) {
        self.matches.add_part(next.matches);
        self.wins.add_part(next.wins);
        self.years = match (self.years, next.years) {
            (Some((first, last)), Some((next_first, next_last))) => Some((first.min(next_first), last.max(next_last))),
            (one, other) => one.or(other),
        };
    }
}

impl ContinuationCounts {
    /// Returns the share of games that Black won among those with a winner, with the limits of its
    /// 95 % interval (Wilson 1927). `None` if no game has a winner.
    pub fn black_share(&self) -> Option<ShareEstimate> {
        ShareEstimate::new(self.wins[0], self.wins[0] + self.wins[1])
    }
}

/// One next turn after the matches.
#[derive(Clone, Copy, Debug)]
pub struct ContinuationRow<'a> {
    /// The pattern.
    pub pattern: &'a BoardPattern,
    /// The next turn. `None` if the game ends or the turn has no readable point.
    pub next: Option<NextTurn>,
    /// The letter of its point in the drawing.
    pub letter: Option<char>,
    /// The counts.
    pub counts: ContinuationCounts,
    /// The number of matches with any next turn.
    pub total: u64,
}

impl ContinuationRow<'_> {
    /// Returns the share of the matches that have this next turn, from 0 to 1.
    pub fn share(&self) -> f32 {
        (self.counts.matches as f64 / self.total.max(1) as f64) as f32
    }

    /// Returns the next turn in words: `B Q16` on a whole board, `W cc` in the frame of another
    /// pattern, or `B elsewhere`.
    pub fn words(&self) -> String {
        let Some(NextTurn { color, place }) = self.next else { return "no next turn".into() };
        let place = match place {
            NextPlace::Inside(point) if self.pattern.borders() == Borders::ALL => point.to_a1(self.pattern.size()),
            _ => next_word(self.next),
        };
        format!("{} {place}", color.letter())
    }
}

impl Row for ContinuationRow<'_> {
    table! {
        "continuations", "one row for each next turn after the matches of a pattern, the most frequent first, written by jigo find --table continuations", |row|
        let (next, letter) = (next_word(row.next), row.letter.map_or(String::new(), String::from));
        let estimate = row.counts.black_share();
        let probability = |value: Option<f32>| value.map_or(Value::Empty, Value::Probability);
        column("letter", ColumnType::Text, "letter of the point in the drawing of the pattern; only the most frequent points have one") => letter.as_str(),
        column("next_color", COLOR, "player of the next turn, as the pattern shows it; empty if there is no readable turn") => row.next.map(|next| next.color),
        column("next", ColumnType::Text, "next turn in the pattern: an SGF pair whose aa is the top left point of the pattern as written, or pass or elsewhere") => next.as_str(),
        column("matches", ColumnType::Integer, "games with this next turn, or with --all matches").not_null() => row.counts.matches,
        column("share", PROBABILITY, "share of this next turn among all matches, from 0 to 1").not_null() => Value::Probability(row.share()),
        column("black_wins", ColumnType::Integer, "wins of the player who is Black in the pattern").not_null() => row.counts.wins[0],
        column("white_wins", ColumnType::Integer, "wins of the player who is White in the pattern").not_null() => row.counts.wins[1],
        column("black_share", PROBABILITY, "black_wins as a share of games with a winner, from 0 to 1") => probability(estimate.map(|estimate| estimate.share)),
        column("black_share_low", PROBABILITY, "lower limit of the 95 % interval of black_share") => probability(estimate.map(|estimate| estimate.low)),
        column("black_share_high", PROBABILITY, "upper limit of the 95 % interval of black_share") => probability(estimate.map(|estimate| estimate.high)),
        column("first_year", ColumnType::Integer, "first year of these games") => row.counts.years.map(|(first, _)| u32::from(first)),
        column("last_year", ColumnType::Integer, "last year of these games") => row.counts.years.map(|(_, last)| u32::from(last)),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        line.styled(LOCATION, format_args!("{} {:<12}", self.letter.unwrap_or(' '), self.words()))?;
        write!(line, "{:>8} {:>5.1} %", self.counts.matches, 100.0 * self.share())?;
        if let Some(ShareEstimate { share, low, high }) = self.counts.black_share() {
            let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
            write!(line, "  Black won {share:.0} % ({low:.0} to {high:.0} %)")?;
        }
        match self.counts.years {
            None => Ok(()),
            Some((first, last)) if first == last => line.styled(SECONDARY, format_args!("  {first}")),
            Some((first, last)) => line.styled(SECONDARY, format_args!("  {first} to {last}")),
        }
    }
}

/// The counts of all next turns.
pub type ContinuationTotals = BTreeMap<Option<NextTurn>, ContinuationCounts>;

/// Counts the next turns after the matches of a search.
#[derive(Clone)]
pub struct Continuations {
    /// The search.
    pub search: Arc<PatternSearch>,
    /// True if the next turns appear as further lines below the rows of matches. Only the format for
    /// people has such lines.
    pub follows_matches: bool,
}

impl Continuations {
    /// Returns the rows, the most frequent next turn first.
    pub fn rows(&self, totals: &ContinuationTotals) -> Vec<ContinuationRow<'_>> {
        let total = totals.values().map(|counts| counts.matches).sum();
        let mut sorted: Vec<(&Option<NextTurn>, &ContinuationCounts)> = totals.iter().collect();
        sorted.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.matches));
        let mut letters: Vec<(Point, char)> = Vec::new();
        let mut unused = letters_of_points();
        let mut letter = |next: Option<NextTurn>| {
            let Some(NextTurn { place: NextPlace::Inside(point), .. }) = next else { return None };
            // Black and White may play on the same point.
            let known = letters.iter().find(|(lettered, _)| *lettered == point).map(|(_, letter)| *letter);
            known.or_else(|| unused.next().inspect(|letter| letters.push((point, *letter))))
        };
        let row = |(&next, &counts): (&Option<NextTurn>, &ContinuationCounts)| ContinuationRow {
            pattern: self.search.pattern(),
            next,
            letter: letter(next),
            counts,
            total,
        };
        sorted.into_iter().map(row).collect()
    }
}

impl Visitor for Continuations {
    type Accumulator = ContinuationTotals;

    fn configure(&self, settings: &mut Settings) {
        settings.pattern = Some(Arc::clone(&self.search));
    }

    fn start_batch(&self) -> ContinuationTotals {
        ContinuationTotals::new()
    }

    fn visit_game(&self, game: &VisitedGame<'_>, batch: &mut ContinuationTotals) {
        let header = &game.report.header;
        for found in &game.report.matches {
            let is_black = |winner: Color| (winner == Color::Black) != found.view.colors_swapped;
            let wins = header.result.winner.map_or([0, 0], |winner| if is_black(winner) { [1, 0] } else { [0, 1] });
            let years = header.year().map(|year| (year, year));
            batch.entry(found.next).or_default().add_part(ContinuationCounts { matches: 1, wins, years });
        }
    }
}

impl Aggregate for Continuations {
    const TABLE: &'static Table = ContinuationRow::TABLE;

    fn finish(&self, totals: ContinuationTotals, rows: &mut Rows) {
        let continuations = self.rows(&totals);
        let draw = |rows: &mut Rows| {
            drawing(self.search.pattern(), &continuations).iter().for_each(|line| rows.push_line(line));
        };
        if !self.follows_matches {
            draw(rows);
            continuations.iter().for_each(|row| rows.push(row));
            return;
        }
        if let Some(ContinuationRow { total, .. }) = continuations.first() {
            rows.push_line("");
            draw(rows);
            rows.push_line(format!("{total} {}", if *total == 1 { "match" } else { "matches" }));
        }
        continuations.iter().for_each(|row| rows.push_row_as_line(row));
    }
}

/// Returns the letters of points in drawings, the first ones for the most frequent turns. X and O
/// are stones in drawings as text.
fn letters_of_points() -> impl Iterator<Item = char> {
    ('a'..='z').chain(('A'..='Z').filter(|letter| !matches!(letter, 'O' | 'X')))
}

/// Returns the lines of a drawing of the pattern, with the letters of the next turns on their
/// points.
fn drawing(pattern: &BoardPattern, continuations: &[ContinuationRow<'_>]) -> Vec<String> {
    let letter_on = |point: Point| {
        let is_on = |row: &&ContinuationRow<'_>| row.next.is_some_and(|next| next.place == NextPlace::Inside(point));
        continuations.iter().find(is_on).and_then(|row| row.letter)
    };
    let Borders { left, right, top, bottom } = pattern.borders();
    let size = pattern.size();
    let corner = |has_side: bool| if has_side { "+" } else { " " };
    let edge = format!("  {}{}{}", corner(left), "-".repeat(2 * usize::from(size.width()) + 1), corner(right));
    let side = |has_side: bool| if has_side { "|" } else { " " };
    let mut lines = vec![edge.clone(); usize::from(top)];
    for y in 0..size.height() {
        let mut row = format!("  {}", side(left));
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let symbol = match pattern.point(point) {
                Some(PatternPoint::Stone(_)) => None,
                _ => letter_on(point),
            };
            row.push(' ');
            row.push(symbol.unwrap_or_else(|| pattern.point(point).map_or('?', PatternPoint::symbol)));
        }
        row.push(' ');
        row.push_str(side(right));
        lines.push(row.trim_end().to_owned());
    }
    lines.extend(bottom.then(|| edge.trim_end().to_owned()));
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    lines.push(String::new());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_follow_z_without_signs_of_stones() {
        let letters: String = letters_of_points().collect();
        assert!(letters.starts_with("abc") && letters.contains("xyzABC") && letters.contains("MNPQ"), "{letters}");
        assert_eq!((letters.len(), letters.contains(['X', 'O'])), (50, false));
    }

    #[test]
    fn interval_agrees_with_published_values() {
        // Wilson limits for 8 of 10 and for 0 of 5.
        let counts = |black, white| ContinuationCounts { matches: 1, wins: [black, white], years: None };
        let limits = |counts: ContinuationCounts| counts.black_share().map(|share| (share.low, share.high));
        let (low, high) = limits(counts(8, 2)).unwrap();
        assert!((low - 0.4902).abs() < 1e-4 && (high - 0.9433).abs() < 1e-4, "{low} {high}");
        let (low, high) = limits(counts(0, 5)).unwrap();
        assert!(low == 0.0 && (high - 0.4345).abs() < 1e-4, "{low} {high}");
        assert_eq!(limits(counts(0, 0)), None);
    }
}
