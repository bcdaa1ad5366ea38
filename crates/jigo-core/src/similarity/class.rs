//! Classification of the relation between two records.

use super::align::{Alignment, MAX_EDITS, align};
use super::first_position::compare_problems;
use super::header_sketch::{HeaderField, HeaderFields};
use super::sketch::{GameSketch, PackedTurn};
use super::symmetry::View;
use jigo_rules::board::{Color, Point};

/// Common turns required if the headers do not show that two records are one game.
///
/// Openings and joseki are shorter than this.
const MIN_TURNS: usize = 60;
/// Common turns for which [`MAX_EDITS`] are slips. Below, half as many edits are allowed.
const LONG_TURNS: usize = 100;
/// Largest number of different turns at the end of two records of one game, counted in the shorter
/// end.
pub(super) const OTHER_END: usize = 20;
/// The number of turns required of a short game that is truncated or has a slip, if the headers
/// agree.
const SHORT_TURNS: usize = 20;
/// Different clock values in common that prove, or contradict, that two records are one game.
const CLOCKS: usize = 10;
/// Turns at the beginning that decide the view.
const COMPARED_TURNS: u8 = 80;
/// Largest shift of a turn among them.
const SHIFT: u8 = 4;

jigo_rules::named! {
    /// The relation between two records, from certain to doubtful.
    pub enum Class {
        /// The same text.
        Identical = "identical",
        /// The same turns.
        Same = "same",
        /// The same turns after a mirroring, a rotation or an exchange of colours.
        Symmetric = "symmetric",
        /// One record is the other up to a turn.
        Prefix = "prefix",
        /// The same turns except for a few slips or the last turns.
        Variant = "variant",
        /// The same turns, but contradicting players, dates, clocks or winners: two games.
        Collision = "collision",
    }
}

/// The result of comparing two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordComparison {
    /// Relation between the records.
    pub class: Class,
    /// Symmetry and colour exchange that turn the first record's turns into those of the second.
    pub view: View,
    /// Number of equal turns.
    pub common_turns: u32,
    /// Number of slips: a different point, a turn too many or too few, two exchanged turns.
    /// Different last turns count as one.
    pub edits: u32,
    /// True if one record ends before the other.
    pub is_cut: bool,
    /// Fields in which both headers agree.
    pub agreeing: HeaderFields,
    /// Fields in which they contradict each other.
    pub conflicting: HeaderFields,
}

/// Compares two records. Returns `None` if they are two games.
///
/// `is_same_text` means that the texts are equal byte for byte.
///
/// At least 60 common turns prove one game without the headers. With fewer, the headers must agree
/// on both players, on one player and the date, or on the clocks. Different players, dates two or
/// more days apart and different clocks contradict; so do different winners if one game is
/// truncated. Agreeing clocks prove one game against all of these.
pub fn compare_records(first: &GameSketch, second: &GameSketch, is_same_text: bool) -> Option<RecordComparison> {
    if first.is_problem() && second.is_problem() {
        return compare_problems(first, second, is_same_text);
    }
    let aligned = align_games(first, second)?;
    let class = aligned.class(is_same_text);
    let AlignedGames { view, alignment, is_by_points, .. } = aligned;
    let is_cut = alignment.is_cut();
    // Most pairs only share an opening, so no header can make them one game.
    if class != Class::Identical && !has_enough_turns(&alignment, min_common_turns(class)) {
        return None;
    }
    let (mut agreeing, mut conflicting) = first.header.compare(&second.header, view.colors_swapped);
    match clocks(first, second) {
        Some(true) => agreeing.insert(HeaderField::Clocks),
        Some(false) => conflicting.insert(HeaderField::Clocks),
        None => {}
    }
    if is_by_points {
        conflicting.insert(HeaderField::Colors);
    }
    let has_proof = agreeing.contains(HeaderField::Clocks);
    let is_other_winner = is_cut && first.header.has_different_winner(&second.header, view.colors_swapped);
    let comparison = RecordComparison {
        class,
        view,
        common_turns: alignment.common as u32,
        edits: alignment.all_edits() as u32,
        is_cut,
        agreeing,
        conflicting,
    };
    if class == Class::Identical {
        return Some(comparison);
    }
    let agrees = |field| agreeing.contains(field);
    let [black, white] = [HeaderField::Black, HeaderField::White].map(agrees);
    let headers_agree = has_proof || (black && white) || ((black || white) && agrees(HeaderField::Date));
    let min_common = if headers_agree { min_common_turns(class) } else { MIN_TURNS };
    if !has_enough_turns(&alignment, min_common) {
        return None;
    }
    let contradicts = [HeaderField::Black, HeaderField::White, HeaderField::Date, HeaderField::Clocks]
        .map(|field| conflicting.contains(field));
    let is_collision = !has_proof && (contradicts.contains(&true) || is_other_winner);
    // A variant with a contradiction is not even a collision.
    match (is_collision, class) {
        (true, Class::Variant) => None,
        (true, _) => {
            (alignment.common >= MIN_TURNS).then_some(RecordComparison { class: Class::Collision, ..comparison })
        }
        (false, _) => Some(comparison),
    }
}

/// Two games aligned in one view.
struct AlignedGames {
    view: View,
    alignment: Alignment,
    /// True if only the points of the turns agree, while the colours do not.
    is_by_points: bool,
    /// True if one record lacks the stones of its handicap.
    lacks_handicap: bool,
}

impl AlignedGames {
    /// Returns the relation of the games by their turns alone.
    fn class(&self, is_same_text: bool) -> Class {
        let AlignedGames { view, alignment, is_by_points, lacks_handicap } = self;
        match (alignment.all_edits(), alignment.is_cut()) {
            _ if *is_by_points || *lacks_handicap => Class::Variant,
            (0, false) if is_same_text && view.is_identity() => Class::Identical,
            (0, false) if view.is_identity() => Class::Same,
            (0, false) => Class::Symmetric,
            (0, true) => Class::Prefix,
            _ => Class::Variant,
        }
    }
}

/// Aligns the turns of two games. Returns `None` if few of the first turns agree in any view.
///
/// If colours do not match, the points alone are compared. A program that alternates the colours
/// anew gives every turn after a missing one to the other player.
fn align_games(first: &GameSketch, second: &GameSketch) -> Option<AlignedGames> {
    let lacks_handicap = lacks_handicap(first, second);
    let (view, has_different_setup) = view(first, second, lacks_handicap)?;
    let in_view: Vec<PackedTurn> =
        first.turns_without_final_passes().iter().map(|turn| turn.in_view(view, first.size)).collect();
    let alignment = align(&in_view, second.turns_without_final_passes());
    let is_variant = has_enough_turns(&alignment, SHORT_TURNS);
    let by_colors = AlignedGames { view, alignment, is_by_points: false, lacks_handicap };
    // In a view that fits most turns, the first turn may have the other colour and so count as a
    // different turn.
    let first_common =
        in_view.iter().zip(second.turns_without_final_passes()).find(|(turn, other)| turn.place() == other.place());
    let is_turned = has_different_setup || first_common.is_some_and(|(turn, other)| turn.owner() != other.owner());
    if !has_different_setup && (alignment.all_edits() == 0 || is_variant && !is_turned) {
        return Some(by_colors);
    }
    let points = |turns: &[PackedTurn]| turns.iter().map(|turn| turn.without_owner()).collect::<Vec<PackedTurn>>();
    let by_points = AlignedGames {
        // The header fits the colours of the turns before the change.
        view: View { colors_swapped: view.colors_swapped != is_turned, ..view },
        alignment: align(&points(&in_view), &points(second.turns_without_final_passes())),
        is_by_points: true,
        lacks_handicap,
    };
    let is_better = has_different_setup || !is_variant || by_points.alignment.all_edits() < alignment.all_edits();
    if is_better && has_enough_turns(&by_points.alignment, SHORT_TURNS) {
        return Some(by_points);
    }
    (!has_different_setup).then_some(by_colors)
}

/// Returns true if one record has the handicap of the other only in its header.
fn lacks_handicap(first: &GameSketch, second: &GameSketch) -> bool {
    let lacks = |one: &GameSketch, other: &GameSketch| {
        let stones = other.setup.len() as u32;
        one.setup.is_empty()
            && stones > 1
            && one.header.handicap == Some(stones)
            && other.setup.iter().all(|stone| stone.is_of(Color::Black))
    };
    lacks(first, second) || lacks(second, first)
}

/// Returns the number of common turns that two records of one game have if their headers agree.
fn min_common_turns(class: Class) -> usize {
    match class {
        Class::Prefix | Class::Variant => SHORT_TURNS,
        _ => 1,
    }
}

/// Returns true if the turns suffice to treat two records as one game. Without many common turns,
/// at least `min_common` are required.
fn has_enough_turns(alignment: &Alignment, min_common: usize) -> bool {
    let (&Alignment { common, rest, .. }, edits) = (alignment, alignment.all_edits());
    let (is_long, edits_allowed) = match common {
        LONG_TURNS.. => (true, usize::from(MAX_EDITS)),
        _ => (false, usize::from(MAX_EDITS) / 2),
    };
    let shorter_rest = rest[0].min(rest[1]);
    (is_long || common >= min_common)
        && edits <= edits_allowed
        && shorter_rest <= OTHER_END
        && 4 * shorter_rest <= common
}

/// Finds the view that maps the first game's setup to the second's and most of its first turns to
/// the same places.
///
/// A turn may be shifted by a few places. Returns `None` if few turns match in any view.
///
/// If no such view exists, the colours of the turns may be exchanged and those of the setup not, or
/// vice versa. The second value is true in this case. It occurs if a program alternates the colours
/// of a handicap game anew from one of its first turns on.
fn view(first: &GameSketch, second: &GameSketch, lacks_handicap: bool) -> Option<(View, bool)> {
    let (turns, others) = (first.turns_without_final_passes(), second.turns_without_final_passes());
    // Index of each turn in the other game, or a number beyond the compared turns.
    let mut indexes = [u8::MAX; PackedTurn::COUNT];
    for (index, turn) in (0..COMPARED_TURNS + SHIFT).zip(others).rev() {
        indexes[turn.index()] = index;
    }
    let setup_matches = |view: &View| {
        let mut setup: Vec<PackedTurn> = first.setup.iter().map(|stone| stone.in_view(*view, first.size)).collect();
        setup.sort_unstable();
        view.symmetry.size(first.size) == (second.size.width(), second.size.height())
            && (lacks_handicap || setup == second.setup)
    };
    let compared = turns.len().min(others.len()).min(COMPARED_TURNS.into()) as u8;
    let turns: Vec<(PackedTurn, Option<Point>)> =
        turns[..usize::from(compared)].iter().map(|turn| (*turn, turn.point(first.size))).collect();
    // Counts the turns near their place, and stops as soon as fewer than `required` are possible.
    let matches = |view: &View, required: u8| {
        let (mut missing, max_missing) = (0, compared.checked_sub(required)?);
        for (index, (turn, point)) in (0..compared).zip(&turns) {
            let in_view = turn.in_view_at(*point, *view, first.size);
            let is_nearby = indexes[in_view.index()].abs_diff(index) <= SHIFT;
            missing += u8::from(!is_nearby);
            if missing > max_missing {
                return None;
            }
        }
        Some(compared - missing)
    };
    // Of the views with the most matches, the first.
    let best = |views: &mut dyn Iterator<Item = View>| {
        let mut best = (compared.div_ceil(2), None);
        for view in views {
            if let Some(count) = matches(&view, best.0) {
                best = (count + 1, Some(view));
            }
        }
        best.1
    };
    if let Some(view) = best(&mut View::all().filter(setup_matches)) {
        return Some((view, false));
    }
    let exchange = |view: &View| View { colors_swapped: !view.colors_swapped, ..*view };
    let mut exchanged_views = View::all().filter(|view| !first.setup.is_empty() && setup_matches(&exchange(view)));
    Some((best(&mut exchanged_views)?, true))
}

/// Returns whether the clocks of both games agree.
///
/// Returns `None` if there are too few clock values, or too few different ones.
fn clocks(first: &GameSketch, second: &GameSketch) -> Option<bool> {
    let shifts = -2..=2_isize;
    let compare_shifted = |shift: isize| {
        let skip = |shift: isize| usize::try_from(shift).unwrap_or(0);
        let pairs = first.clocks.iter().skip(skip(shift)).zip(second.clocks.iter().skip(skip(-shift)));
        let mut matching = (0, 0, Vec::new());
        for (clock, other_clock) in pairs.filter(|(clock, other_clock)| **clock != 0 && **other_clock != 0) {
            matching.0 += 1;
            matching.1 += usize::from(clock == other_clock);
            if clock == other_clock && matching.2.len() < CLOCKS && !matching.2.contains(clock) {
                matching.2.push(*clock);
            }
        }
        matching
    };
    let (compared, equal_clocks, distinct) =
        shifts.map(compare_shifted).max_by_key(|(_, equal_clocks, _)| *equal_clocks)?;
    match (2 * CLOCKS <= compared, 5 * equal_clocks >= 4 * compared, 2 * equal_clocks < compared) {
        (true, true, _) if distinct.len() == CLOCKS => Some(true),
        (true, _, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jigo_record::Coordinates;
    use jigo_rules::board::BoardSize;

    /// Creates a game with turns on these points, seen in a view.
    fn sketch(points: impl Iterator<Item = u8>, first: Color, view: View) -> GameSketch {
        let size = BoardSize::standard();
        let colors = [first, first.opponent()].into_iter().cycle();
        let turn = |(point, color)| PackedTurn::turn(color, Coordinates::Play(Point::new(point % 19, point / 19)));
        let turns = points.zip(colors).map(turn).map(|turn| turn.in_view(view, size)).collect();
        GameSketch { size, setup: Vec::new(), turns, clocks: Vec::new(), header: Default::default() }
    }

    fn without(omitted: &[u8]) -> impl Iterator<Item = u8> {
        (0..240).filter(|point| !omitted.contains(point))
    }

    /// Each stone after the missing turn has the other colour.
    #[test]
    fn missing_turn_is_found_if_colors_are_realternated() {
        let whole = sketch(without(&[]), Color::Black, View::default());
        for view in View::all().step_by(3) {
            for missing in (1..200).step_by(9) {
                let copy = sketch(without(&[missing]), Color::Black, view);
                for (comparison, turns) in
                    [(compare_records(&whole, &copy, false), 239), (compare_records(&copy, &whole, false), 239)]
                {
                    let comparison = comparison.unwrap();
                    assert_eq!(
                        (comparison.class, comparison.edits, comparison.common_turns),
                        (Class::Variant, 1, turns)
                    );
                    assert!(comparison.conflicting.contains(HeaderField::Colors), "{missing} {view}");
                    assert_eq!(comparison.view.colors_swapped, view.colors_swapped, "{missing} {view}");
                }
            }
        }
    }

    /// Setup stones keep their colours.
    #[test]
    fn missing_turn_is_found_in_handicap_games() {
        let stones = |places: &[u8], color: Color, view: View| {
            let stone = |place: &u8| PackedTurn::turn(color, Coordinates::Play(Point::new(place % 19, place / 19)));
            let mut stones: Vec<PackedTurn> =
                places.iter().map(|place| stone(place).in_view(view, BoardSize::standard())).collect();
            stones.sort_unstable();
            stones
        };
        let (corners, three) = ([60, 72, 212, 224], [60, 72, 212]);
        for (places, view, missing) in [&corners[..], &three].into_iter().flat_map(|places| {
            View::all().flat_map(move |view| (0..40).step_by(3).map(move |turn| (places, view, turn)))
        }) {
            let plays =
                |without: Option<u8>| (0..240).filter(move |place| !corners.contains(place) && without != Some(*place));
            let game = |turns: GameSketch, setup| GameSketch { setup, ..turns };
            let setup = |view| stones(places, Color::Black, view);
            let whole = game(sketch(plays(None), Color::White, View::default()), setup(View::default()));
            let copy = game(sketch(plays(Some(missing)), Color::White, view), setup(view));
            for comparison in [compare_records(&whole, &copy, false), compare_records(&copy, &whole, false)] {
                let comparison = comparison.unwrap_or_else(|| panic!("{missing} {view}"));
                assert_eq!((comparison.class, comparison.edits), (Class::Variant, 1), "{missing} {view}");
                assert_eq!(comparison.view.colors_swapped, view.colors_swapped, "{missing} {view}");
                assert!(comparison.conflicting.contains(HeaderField::Colors), "{missing} {view}");
            }
            // A different setup makes a different game.
            let other = GameSketch { setup: stones(&[60, 72, 213], Color::Black, view), ..copy };
            assert_eq!(compare_records(&whole, &other, false), None, "{missing} {view}");
        }
    }

    #[test]
    fn points_alone_do_not_count_if_colors_match() {
        let whole = sketch(without(&[]), Color::Black, View::default());
        let exchanged_view = View { colors_swapped: true, ..View::default() };
        // In these, either all turns exchange colours or none do.
        for (copy, class) in [
            (sketch(without(&[]), Color::White, View::default()), Class::Symmetric),
            (sketch(without(&[100, 101]), Color::White, View::default()), Class::Variant),
            (sketch(without(&[100, 101]), Color::Black, View::default()), Class::Variant),
            (sketch(without(&[0]), Color::Black, View::default()), Class::Variant),
            (sketch(without(&[]), Color::Black, exchanged_view), Class::Symmetric),
        ] {
            let comparison = compare_records(&whole, &copy, false).unwrap();
            assert_eq!(comparison.class, class);
            assert!(!comparison.conflicting.contains(HeaderField::Colors), "{comparison:?}");
        }
        let too_many = sketch(without(&[20, 50, 80, 110, 140]), Color::Black, View::default());
        assert_eq!(compare_records(&whole, &too_many, false), None);
    }
}
