//! Counting: area, territory, pass stones, group tax and button, all computed from one set of
//! counts.

use super::group_tax::LivingGroups;
use super::markup::MarkedEnding;
use super::score_parts::{ScorePart, ScoreParts};
use super::seki::Territory;
use crate::shape::cell_set::CellSet;
use crate::shape::grid::{Grid, with_words};
use crate::shape::territory::FloodedTerritory;
use jigo_rules::board::{Color, Point, Position};
use jigo_rules::ruleset::{Axes, Button, Scoring, TerritoryReading, Tie};
use jigo_rules::{HalfPoints, Tally, format_margin};

/// The counts of a position without its dead stones, independent of the ruleset. Arrays are ordered
/// Black first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Number of points of the board.
    pub points: u32,
    /// Living stones.
    pub stones: [u32; 2],
    /// Empty points in regions that touch one colour only, including the points of dead stones.
    pub territory: [u32; 2],
    /// `territory` without eyes of groups in seki and without points still to fill.
    pub territory_outside_seki: [u32; 2],
    /// `territory_outside_seki` with the points that also count if no gap in a wall stops the opponent,
    /// as on KGS.
    pub territory_with_open_gaps: [u32; 2],
    /// Points of `territory` enclosed by groups in seki.
    pub seki: [u32; 2],
    /// Living stones of groups in seki.
    pub seki_stones: [u32; 2],
    /// Removed dead stones.
    pub dead: [u32; 2],
    /// Points in regions that touch both colours.
    pub dame: u32,
    /// Groups that live independently, for the group tax.
    pub groups: [u32; 2],
    /// Empty points inside those groups.
    pub group_territory: [u32; 2],
    /// True if the number of groups does not depend on the colour that fills the dame.
    pub are_groups_certain: bool,
    /// All stones on the board, dead ones included.
    pub as_is_stones: [u32; 2],
    /// Empty points that reach stones of one colour only while the dead stones are on the board.
    pub as_is_territory: [u32; 2],
}

impl Counts {
    /// Counts a position. `dead` must contain all dead stones.
    ///
    /// ```
    /// use jigo_rules::{Point, diagram};
    /// use jigo_score::Counts;
    ///
    /// // The white stone at the left is dead. Each player has two living stones and two points.
    /// let position = diagram::read("O X . O .\n. X . O .").unwrap();
    /// let counts = Counts::from_position(&position, &[Point::new(0, 0)]);
    /// assert_eq!((counts.stones, counts.territory, counts.dame), ([2, 2], [2, 2], 2));
    /// assert_eq!(counts.area_margin(), 0);
    /// ```
    pub fn from_position(position: &Position, dead: &[Point]) -> Counts {
        Counts::with_seki(position, dead, &[])
    }

    /// Counts a position exactly as it is marked, without any point that is not marked. The marks
    /// include the players' reading of territory, so all readings are equal.
    pub fn as_marked(position: &Position, marked: &MarkedEnding) -> Counts {
        let territory = marked.territory.each_ref().map(|points| points.len() as u32);
        Counts {
            territory,
            territory_outside_seki: territory,
            territory_with_open_gaps: territory,
            seki: [0, 0],
            ..Counts::from_position(position, &marked.dead)
        }
    }

    /// Counts a position in which the groups of the stones in `seki` live in seki. Other groups in
    /// seki are found by shape.
    pub(crate) fn with_seki(position: &Position, dead: &[Point], seki: &[Point]) -> Counts {
        with_words!(position.size(), counts, position, dead, seki)
    }

    /// Returns the points of `territory` that count under a reading.
    pub fn territory_under(&self, reading: TerritoryReading) -> [u32; 2] {
        match reading {
            TerritoryReading::EveryRegion => self.territory,
            TerritoryReading::NoSeki => [0, 1].map(|side| self.territory[side] - self.seki[side]),
            TerritoryReading::Goscorer => self.territory_outside_seki,
            TerritoryReading::Kgs => self.territory_with_open_gaps,
        }
    }

    /// Returns the points of `territory` outside seki that the players still have to fill.
    pub fn points_to_fill(&self) -> [u32; 2] {
        let under_reading = |reading| self.territory_under(reading);
        [0, 1]
            .map(|side| under_reading(TerritoryReading::NoSeki)[side] - under_reading(TerritoryReading::Goscorer)[side])
    }

    /// Returns Black's area minus White's, in points: living stones and regions that touch one
    /// colour only.
    pub fn area_margin(&self) -> i32 {
        black_minus_white(self.stones) + black_minus_white(self.territory)
    }

    /// Returns Black's territory minus White's, in points.
    ///
    /// Each player's lost stones are subtracted, and eyes in seki count.
    pub fn territory_margin(&self, tally: &Tally) -> i32 {
        black_minus_white(self.territory) - black_minus_white(self.lost(tally))
    }

    /// Returns the stones lost during play plus the dead ones.
    fn lost(&self, tally: &Tally) -> [u32; 2] {
        [0, 1].map(|side| tally.lost[side] + self.dead[side])
    }

    /// Returns true if the margins of area and territory differ by the stones played and set up, as
    /// they must in every position.
    ///
    /// If they do not, the count is wrong.
    pub fn identity_holds(&self, tally: &Tally) -> bool {
        self.area_margin() - self.territory_margin(tally)
            == black_minus_white(tally.plays) + tally.setup[0] - tally.setup[1]
    }
}

fn counts<const W: usize>(position: &Position, dead: &[Point], seki: &[Point]) -> Counts {
    let grid = Grid::<W>::new(position.size());
    let decided_territory = Territory::on(&grid, position, dead, seki);
    let Territory { flooded, territory: outside_seki, .. } = &decided_territory;
    let pair = |sets: &[CellSet<W>; 2]| sets.each_ref().map(CellSet::len);
    let living = Color::BOTH.map(|color| LivingGroups::new(&grid, &decided_territory, color));
    let as_is = if dead.is_empty() { None } else { Some(FloodedTerritory::on(&grid, position, &[])) };
    let as_is = as_is.as_ref().unwrap_or(flooded);
    Counts {
        points: position.size().points() as u32,
        stones: pair(&flooded.stones),
        territory: pair(&flooded.territory),
        territory_outside_seki: pair(outside_seki),
        territory_with_open_gaps: pair(&decided_territory.with_open_gaps(&grid, seki)),
        seki: [0, 1].map(|side| flooded.territory[side].intersection(&decided_territory.seki[side]).len()),
        seki_stones: [0, 1].map(|side| flooded.stones[side].intersection(&decided_territory.seki[side]).len()),
        dead: pair(&flooded.dead),
        dame: flooded.dame.len(),
        groups: living.each_ref().map(|groups| groups.count),
        group_territory: living.each_ref().map(|groups| groups.territory),
        are_groups_certain: living.iter().all(|groups| groups.is_certain),
        as_is_stones: pair(&as_is.stones),
        as_is_territory: pair(&as_is.territory),
    }
}

/// Returns Black's number minus White's.
pub fn black_minus_white(pair: [u32; 2]) -> i32 {
    pair[0] as i32 - pair[1] as i32
}

/// Returns true if the score under a ruleset depends on its reading of territory.
pub fn reading_matters(counts: &Counts, axes: &Axes) -> bool {
    let margin = |reading| black_minus_white(counts.territory_under(reading));
    let reading_margin = margin(axes.territory);
    axes.scoring == Scoring::Territory
        && !axes.counts_as_is()
        && TerritoryReading::common().any(|(_, other)| margin(other) != reading_margin)
}

/// A score under one ruleset, in half points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The komi used.
    pub komi: HalfPoints,
    /// White's compensation for handicap stones.
    pub bonus: HalfPoints,
    /// Black's points: area, or territory minus own lost stones.
    pub black: HalfPoints,
    /// White's points, including komi and bonus.
    pub white: HalfPoints,
    /// The parts of the points of both players.
    pub parts: ScoreParts,
    /// Winner, or `None` for jigo.
    pub winner: Option<Color>,
    /// Winner of an equal count.
    pub tie: Tie,
    /// A remark that limits the meaning of the score.
    pub remark: Option<Remark>,
}

impl Score {
    /// Returns Black minus White, including komi and bonus.
    pub fn black_minus_white(&self) -> HalfPoints {
        self.black - self.white
    }

    /// Returns true if this is the margin of the result, Black minus White.
    ///
    /// A whole komi under which Black wins ties equals one that is half a point lower, and records
    /// contain either margin.
    pub fn has_margin(&self, margin: HalfPoints) -> bool {
        let difference = margin - self.black_minus_white();
        let is_whole = self.komi.0 % 2 == 0;
        difference == HalfPoints::ZERO || (self.tie == Tie::Black && is_whole && difference == HalfPoints(1))
    }

    /// Formats the result as in RE. A tie that the ruleset gives to one player is written as a win
    /// by 0.
    pub fn result_text(&self) -> String {
        match (self.black_minus_white(), self.winner) {
            (HalfPoints::ZERO, Some(winner)) => format!("{}+0", winner.letter()),
            (margin, _) => format_margin(margin),
        }
    }
}

/// A remark that limits the meaning of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Remark {
    /// Pass stones with unequal setup, where area and territory do not agree.
    PassStonesOnSetup,
    /// White would need a number of extra passes other than 0 or 1.
    IrregularTurns,
    /// Dame are open, and the group tax counts them as filled.
    TaxWithOpenDame,
    /// The position does not come with the captured stones of both players, which territory scoring
    /// counts.
    UnknownCaptures,
    /// A line before or after the position can't be read. It may give komi or captured stones.
    UnreadableLine,
}

impl Remark {
    /// Returns the sentence in the reason column.
    pub const fn text(self) -> &'static str {
        match self {
            Remark::PassStonesOnSetup => "pass stones on a position with unequal setup",
            Remark::IrregularTurns => "the players' numbers of turns differ by more than one",
            Remark::TaxWithOpenDame => "the group tax counts open dame as filled",
            Remark::UnknownCaptures => "the text does not give the captured stones of both players, so 0 is counted",
            Remark::UnreadableLine => "a line beside the board can't be read (D019)",
        }
    }
}

/// The reason why a ruleset gives no score for a counted position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoScore {
    /// The record has no pass, so the owner of the button is unknown.
    ButtonUnknown,
    /// The record has no pass, so the komi is unknown.
    FirstPasserUnknown,
    /// Two living groups touch the same open dame. The colour that fills it decides whether the
    /// group tax counts one group or two.
    GroupsUncertain,
}

impl NoScore {
    /// Returns the sentence in the reason column.
    pub const fn text(self) -> &'static str {
        match self {
            NoScore::ButtonUnknown => "no pass is recorded, so the owner of the button is unknown",
            NoScore::FirstPasserUnknown => {
                "no pass is recorded, so the first player to pass, which komi depends on, is unknown"
            }
            NoScore::GroupsUncertain => "an open dame may join two groups, and the group tax depends on it",
        }
    }
}

/// Scores a position under one ruleset.
///
/// `komi` is the recorded or requested komi. Without it the ruleset's own komi applies.
///
/// # Errors
/// [`NoScore`] if the score depends on facts that the record does not contain.
pub fn score(counts: &Counts, tally: &Tally, axes: &Axes, komi: Option<HalfPoints>) -> Result<Score, NoScore> {
    let komi = komi.unwrap_or_else(|| axes.komi(tally.handicap.stones()));
    let is_taxed = matches!(axes.scoring, Scoring::GroupTax | Scoring::TerritoryTax);
    if is_taxed && !counts.are_groups_certain {
        return Err(NoScore::GroupsUncertain);
    }
    let bonus = match axes.scoring {
        Scoring::Area | Scoring::GroupTax => axes.handicap_bonus.points(tally.handicap.stones()),
        Scoring::Territory | Scoring::TerritoryTax | Scoring::PassStones => HalfPoints::ZERO,
    };
    let mut remark = (is_taxed && counts.dame > 0).then_some(Remark::TaxWithOpenDame);
    let mut parts = board_parts(counts, tally, axes);
    if axes.scoring == Scoring::PassStones {
        let white_passes = extra_white_passes(tally);
        // Every pass costs a stone, which becomes the opponent's prisoner.
        let passes = tally.free_passes();
        let last_pass = if axes.white_last { white_passes.clamp(0, 1) } else { 0 };
        parts = parts.with_points(ScorePart::Passes, [-passes[0], -passes[1] - last_pass]);
        if tally.setup[0] - tally.setup[1] != tally.handicap.set_up as i32 {
            remark = Some(Remark::PassStonesOnSetup);
        } else if !(0..=1).contains(&white_passes) {
            remark = Some(Remark::IrregularTurns);
        }
    }
    let parts = parts
        .with(ScorePart::Button, [button(axes.button, tally, komi)?, HalfPoints::ZERO])
        .with(ScorePart::Komi, [HalfPoints::ZERO, komi])
        .with(ScorePart::Bonus, [HalfPoints::ZERO, bonus]);
    let [black, white] = parts.sum();
    let winner = match (black - white).0 {
        1.. => Some(Color::Black),
        0 if axes.tie == Tie::Black => Some(Color::Black),
        0 => None,
        _ => Some(Color::White),
    };
    Ok(Score { komi, bonus, black, white, parts, winner, tie: axes.tie, remark })
}

/// Returns the parts of both players' points that the board decides: all except pass stones,
/// button, komi and bonus.
fn board_parts(counts: &Counts, tally: &Tally, axes: &Axes) -> ScoreParts {
    let territory_of_living = counts.territory_under(match (axes.scoring, axes.territory) {
        (Scoring::Area, reading) if reading.leaves_out_fill() => TerritoryReading::NoSeki,
        // A group in seki pays no tax, and its eyes do not count.
        (Scoring::TerritoryTax, TerritoryReading::EveryRegion) => TerritoryReading::NoSeki,
        (_, reading) => reading,
    });
    let (stones, territory, dead) = match axes.counts_as_is() {
        true => (counts.as_is_stones, counts.as_is_territory, [0, 0]),
        false => (counts.stones, territory_of_living, counts.dead),
    };
    let points = |pair: [u32; 2]| pair.map(|points| points as i32);
    let subtracted = |pair: [u32; 2]| pair.map(|points| -(points as i32));
    let parts = ScoreParts::default();
    let with_lost_stones = |parts: ScoreParts| {
        parts.with_points(ScorePart::Captured, subtracted(tally.lost)).with_points(ScorePart::Dead, subtracted(dead))
    };
    let tax = subtracted(counts.groups.map(|groups| 2 * groups));
    match axes.scoring {
        Scoring::Area if axes.empty_board_counts && stones == [0, 0] => {
            parts.with_points(ScorePart::Territory, points([counts.points; 2]))
        }
        Scoring::Area => {
            parts.with_points(ScorePart::Stones, points(stones)).with_points(ScorePart::Territory, points(territory))
        }
        Scoring::Territory | Scoring::PassStones => {
            with_lost_stones(parts.with_points(ScorePart::Territory, points(territory)))
        }
        Scoring::TerritoryTax => with_lost_stones(parts.with_points(ScorePart::Territory, points(territory)))
            .with_points(ScorePart::Tax, tax),
        Scoring::GroupTax => parts
            .with_points(ScorePart::Stones, points(counts.stones))
            .with_points(ScorePart::Territory, points(counts.group_territory))
            .with_points(ScorePart::Tax, tax),
    }
}

/// Returns the passes that White needs to take the same number of turns as Black: 0 or 1 in a
/// regular record.
fn extra_white_passes(tally: &Tally) -> i32 {
    let turns = [0, 1].map(|side| (tally.plays[side] + tally.passes[side] + tally.implied_passes[side]) as i32);
    turns[0] - tally.extra_opening_turns() + i32::from(tally.first == Some(Color::White)) - turns[1]
}

/// Returns the value of the first pass for Black.
fn button(button: Button, tally: &Tally, komi: HalfPoints) -> Result<HalfPoints, NoScore> {
    let half = |passer| if passer == Color::Black { HalfPoints(1) } else { HalfPoints(-1) };
    match button {
        Button::None => Ok(HalfPoints::ZERO),
        Button::HalfPoint => tally.first_passer.map(half).ok_or(NoScore::ButtonUnknown),
        // A recorded komi with half a point includes the button.
        Button::Komi if komi.0 % 2 != 0 => Ok(HalfPoints::ZERO),
        // The player to move does not determine the first passer, because the record may omit the
        // final passes.
        Button::Komi => tally.first_passer.map(half).ok_or(NoScore::FirstPasserUnknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_rules::board::diagram;
    use jigo_rules::{Handicap, Preset};

    /// Black has 5 living stones and 10 points, White 5 and 5. White's stone at the left and
    /// Black's two at the right are dead. Black has lost three stones in the game, White one.
    fn counted() -> (Counts, Tally) {
        let position = diagram::read("O . X O .\n. . X O .\n. . X O .\n. . X O X\n. . X O X").unwrap();
        let dead = [Point::new(0, 0), Point::new(4, 3), Point::new(4, 4)];
        let tally = Tally { lost: [3, 1], plays: [20, 17], passes: [1, 3], ..Tally::default() };
        (Counts::from_position(&position, &dead), tally)
    }

    #[test]
    fn margins_count_stones_territory_and_losses() {
        let (counts, tally) = counted();
        assert_eq!((counts.stones, counts.territory, counts.dead, counts.dame), ([5, 5], [10, 5], [2, 1], 0));
        assert_eq!(counts.area_margin(), 5);
        // 10 points minus 5 lost stones, against 5 minus 2.
        assert_eq!(counts.territory_margin(&tally), 2);
        assert!(counts.identity_holds(&tally));
        assert!(!counts.identity_holds(&Tally { plays: [20, 18], ..tally.clone() }));
        assert!(counts.identity_holds(&Tally { plays: [20, 18], setup: [3, 2], ..tally }));
    }

    #[test]
    fn readings_of_territory_leave_out_their_points() {
        let (counts, _) = counted();
        let counts = Counts {
            territory: [7, 4],
            seki: [2, 1],
            territory_outside_seki: [3, 3],
            territory_with_open_gaps: [4, 3],
            ..counts
        };
        assert_eq!(counts.territory_under(TerritoryReading::EveryRegion), [7, 4]);
        assert_eq!(counts.territory_under(TerritoryReading::NoSeki), [5, 3]);
        assert_eq!(counts.territory_under(TerritoryReading::Goscorer), [3, 3]);
        assert_eq!(counts.territory_under(TerritoryReading::Kgs), [4, 3]);
        assert_eq!(counts.points_to_fill(), [2, 0]);
    }

    #[test]
    fn each_ruleset_adds_its_own_points() {
        let (counts, tally) = counted();
        let tally = Tally { first_passer: Some(Color::White), first: Some(Color::Black), ..tally };
        for (ruleset, black, white, result) in [
            // 10 - 5, and 5 - 2 with komi 6.5.
            ("japanese", 10, 19, "W+4.5"),
            // 5 + 10, and 5 + 5 with komi 7.5.
            ("chinese", 30, 35, "W+2.5"),
            // The dead stones count, 7 and 6 in all, and each empty region touches both colours.
            ("tromp-taylor-as-is", 14, 27, "W+6.5"),
            // As Chinese, but each player pays 2 points for his group.
            ("stone", 26, 31, "W+2.5"),
            // White's first pass takes half a point from Black; komi is 7.
            ("button", 29, 34, "W+2.5"),
            // As territory, and a pass costs a point: 5 - 1, and 3 - 4 with komi 7. White passes last,
            // so his fourth pass equals the number of turns.
            ("quick-reference", 8, 12, "W+2"),
        ] {
            let axes = Preset::find(ruleset).unwrap().ruleset().axes;
            let score = score(&counts, &tally, &axes, None).unwrap();
            assert_eq!(
                (score.black.0, score.white.0, score.result_text().as_str()),
                (black, white, result),
                "{ruleset}"
            );
        }
    }

    fn axes(ruleset: &str) -> Axes {
        Preset::find(ruleset).unwrap().ruleset().axes
    }

    #[test]
    fn remarks_name_what_makes_a_score_doubtful() {
        let (counts, regular) = counted();
        let regular = Tally { first: Some(Color::Black), ..regular };
        let remark =
            |counts: &Counts, tally: &Tally, ruleset| score(counts, tally, &axes(ruleset), None).unwrap().remark;
        let pass_stones = |tally: Tally| remark(&counts, &tally, "quick-reference");
        // Black took 21 turns, White 20: White owes the last pass.
        assert_eq!(pass_stones(regular.clone()), None);
        assert_eq!(pass_stones(Tally { implied_passes: [0, 1], ..regular.clone() }), None);
        assert_eq!(pass_stones(Tally { implied_passes: [1, 0], ..regular.clone() }), Some(Remark::IrregularTurns));
        assert_eq!(pass_stones(Tally { plays: [19, 18], ..regular.clone() }), Some(Remark::IrregularTurns));
        // If White began, he owes one more.
        let white_first = Tally { first: Some(Color::White), ..regular.clone() };
        assert_eq!(pass_stones(white_first.clone()), Some(Remark::IrregularTurns));
        assert_eq!(pass_stones(Tally { plays: [19, 17], ..white_first }), None);
        // Two of the three handicap plays are not counted as turns of the game.
        let handicap = Handicap { plays: 3, ..Handicap::default() };
        assert_eq!(pass_stones(Tally { plays: [22, 17], handicap, ..regular.clone() }), None);
        assert_eq!(pass_stones(Tally { setup: [3, 3], ..regular.clone() }), None);
        assert_eq!(pass_stones(Tally { setup: [3, 2], ..regular.clone() }), Some(Remark::PassStonesOnSetup));

        let open = Counts { dame: 1, ..counts.clone() };
        assert_eq!(remark(&counts, &regular, "stone"), None);
        assert_eq!(remark(&open, &regular, "stone"), Some(Remark::TaxWithOpenDame));
        assert_eq!(remark(&open, &regular, "chinese"), None);
    }

    #[test]
    fn ties_and_empty_boards_follow_the_ruleset() {
        let (counts, tally) = counted();
        // Chinese area is 15 to 10.
        let five = Some(HalfPoints(10));
        let winner = |ruleset| score(&counts, &tally, &axes(ruleset), five).unwrap().winner;
        assert_eq!((winner("chinese"), winner("ing")), (None, Some(Color::Black)));
        let empty = Counts::from_position(&diagram::read(". . .\n. . .\n. . .").unwrap(), &[]);
        let black = |ruleset| score(&empty, &Tally::default(), &axes(ruleset), None).unwrap().black;
        assert_eq!((black("concise"), black("chinese")), (HalfPoints(18), HalfPoints::ZERO));
    }

    #[test]
    fn readings_matter_only_for_territory_with_seki() {
        let (counts, _) = counted();
        let seki = Counts { seki: [2, 1], ..counts.clone() };
        assert!(reading_matters(&seki, &axes("japanese")));
        assert!(!reading_matters(&counts, &axes("japanese")) && !reading_matters(&seki, &axes("chinese")));
    }
}
