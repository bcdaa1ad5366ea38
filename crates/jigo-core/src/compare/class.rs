//! What two records are to each other.

use super::align::{Alignment, MOST_EDITS, align};
use super::header::{Field, Fields};
use super::sketch::{Sketch, Stone};
use super::symmetry::View;
use crate::board::Point;

/// Turns that two games have to have in common where their headers do not say that they are one: openings and joseki are shorter.
const SURE_TURNS: usize = 60;
/// Turns in common from which [`MOST_EDITS`] are slips; below, half as many.
const LONG_TURNS: usize = 100;
/// Turns at the end in which two records of a game may differ, the shorter end counted.
pub(super) const OTHER_END: usize = 20;
/// Turns of a short game that is cut, or has a slip, with agreeing headers.
const SHORT_TURNS: usize = 20;
/// Clocks in common that prove or contradict that two games are one.
const CLOCKS: usize = 10;
/// Turns at the beginning by which the view is found.
const LOOKED_AT: u8 = 80;
/// How far the same turn may be shifted there.
const SHIFT: u8 = 4;

/// What one record is to another, from sure to doubtful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The same text.
    Identical,
    /// The same turns.
    Same,
    /// The same turns, mirrored, turned, or with the colours exchanged.
    Symmetric,
    /// One is the other up to a turn.
    Prefix,
    /// The same but for some slips or the last turns.
    Variant,
    /// The same turns, and players, dates, clocks or winners that contradict: two games.
    Collision,
}

impl Class {
    /// All, with their names.
    pub const NAMED: [(&'static str, Class); 6] = [
        ("identical", Class::Identical),
        ("same", Class::Same),
        ("symmetric", Class::Symmetric),
        ("prefix", Class::Prefix),
        ("variant", Class::Variant),
        ("collision", Class::Collision),
    ];

    /// The name in the tables.
    pub fn name(self) -> &'static str {
        Class::NAMED[self as usize].0
    }
}

/// What a record is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// In one word.
    pub class: Class,
    /// What has to be done to the first for the turns to be those of the second.
    pub view: View,
    /// Turns that are the same.
    pub common_turns: u32,
    /// Slips: another point, a turn too many or too few, two turns exchanged; other last turns are one.
    pub edits: u32,
    /// Whether one ends before the other.
    pub is_cut: bool,
    /// What both headers say alike.
    pub agreeing: Fields,
    /// What they say otherwise.
    pub conflicting: Fields,
}

/// What `other` is to `one`; `None` where they are two games. `is_same_text` says that their texts are equal byte for byte.
///
/// Turns alone make one game of two records from 60 turns in common on. With fewer, the headers have to agree on it: both players, or one of them and the
/// date, or the clocks. Players, dates two days apart, clocks, and winners of games of which one is cut, contradict; clocks that agree prove it against
/// all of these.
pub fn compare(one: &Sketch, other: &Sketch, is_same_text: bool) -> Option<Comparison> {
    let view = view(one, other)?;
    let seen: Vec<Stone> = one.played().iter().map(|turn| turn.seen(view, one.size)).collect();
    let alignment = align(&seen, other.played());
    let [rest, others_rest] = alignment.rest;
    let is_cut = (rest == 0) != (others_rest == 0);
    let edits = usize::from(alignment.edits) + usize::from(rest > 0 && others_rest > 0);
    let class = match (edits, is_cut) {
        _ if is_same_text && view.is_identity() && edits == 0 && !is_cut => Class::Identical,
        (0, false) if view.is_identity() => Class::Same,
        (0, false) => Class::Symmetric,
        (0, true) => Class::Prefix,
        _ => Class::Variant,
    };
    // Most pairs have an opening in common, and no header makes one game of them.
    if class != Class::Identical && !is_enough(class, &alignment, edits, true) {
        return None;
    }
    let (mut agreeing, mut conflicting) = one.header.against(&other.header, view.colors_swapped);
    match clocks(one, other) {
        Some(true) => agreeing.insert(Field::Clocks),
        Some(false) => conflicting.insert(Field::Clocks),
        None => {}
    }
    let has_proof = agreeing.contains(Field::Clocks);
    let is_other_winner = is_cut && one.header.other_winner(&other.header, view.colors_swapped);
    let found = Comparison {
        class,
        view,
        common_turns: alignment.common as u32,
        edits: edits as u32,
        is_cut,
        agreeing,
        conflicting,
    };
    if class == Class::Identical {
        return Some(found);
    }
    let agrees = |field| agreeing.contains(field);
    let [black, white] = [Field::Black, Field::White].map(agrees);
    let headers_agree = has_proof || (black && white) || ((black || white) && agrees(Field::Date));
    if !is_enough(class, &alignment, edits, headers_agree) {
        return None;
    }
    let contradicts = [Field::Black, Field::White, Field::Date, Field::Clocks].map(|field| conflicting.contains(field));
    let is_collision = !has_proof && (contradicts.contains(&true) || is_other_winner);
    // Two of a variant are not even the same.
    match (is_collision, class) {
        (true, Class::Variant) => None,
        (true, _) => (alignment.common >= SURE_TURNS).then_some(Comparison { class: Class::Collision, ..found }),
        (false, _) => Some(found),
    }
}

/// Whether turns, and headers that agree or not, are enough to take two records for one game.
fn is_enough(class: Class, &Alignment { common, rest, .. }: &Alignment, edits: usize, headers_agree: bool) -> bool {
    let least = match class {
        Class::Prefix | Class::Variant => SHORT_TURNS,
        _ => 1,
    };
    let (common_needed, edits_allowed) = match common {
        LONG_TURNS.. => (0, usize::from(MOST_EDITS)),
        _ if headers_agree => (least, usize::from(MOST_EDITS) / 2),
        _ => (SURE_TURNS, usize::from(MOST_EDITS) / 2),
    };
    let other_end = rest[0].min(rest[1]);
    common >= common_needed && edits <= edits_allowed && other_end <= OTHER_END && 4 * other_end <= common
}

/// The view in which the first game's setup is the second's, and most of its first turns are where the second has them, give or take
/// some turns; `None` where hardly any are.
fn view(one: &Sketch, other: &Sketch) -> Option<View> {
    let (turns, others) = (one.played(), other.played());
    // Where the other has each turn; beyond what is looked at where it has not.
    let mut places = [u8::MAX; Stone::COUNT];
    for (place, turn) in (0..LOOKED_AT + SHIFT).zip(others).rev() {
        places[turn.index()] = place;
    }
    let fits = |view: &View| {
        let mut setup: Vec<Stone> = one.setup.iter().map(|stone| stone.seen(*view, one.size)).collect();
        setup.sort_unstable();
        view.symmetry.size(one.size) == (other.size.width(), other.size.height()) && setup == other.setup
    };
    let looked_at = turns.len().min(others.len()).min(LOOKED_AT.into()) as u8;
    let turns: Vec<(Stone, Option<Point>)> =
        turns[..usize::from(looked_at)].iter().map(|turn| (*turn, turn.point(one.size))).collect();
    // How many turns are near, where that is as many as are needed; of the others it is known as soon as too many are not.
    let near = |view: &View, needed: u8| {
        let (mut missing, most) = (0, looked_at.checked_sub(needed)?);
        for (place, (turn, point)) in (0..looked_at).zip(&turns) {
            let seen = turn.moved(*point, *view, one.size);
            let is_near = places[seen.index()].abs_diff(place) <= SHIFT;
            missing += u8::from(!is_near);
            if missing > most {
                return None;
            }
        }
        Some(looked_at - missing)
    };
    let mut best = (looked_at.div_ceil(2), None);
    // Of those with the most, the first.
    for view in View::all().filter(fits) {
        if let Some(count) = near(&view, best.0) {
            best = (count + 1, Some(view));
        }
    }
    best.1
}

/// Whether the clocks of both games are the same or others; `None` where there are too few to say, or always the same.
fn clocks(one: &Sketch, other: &Sketch) -> Option<bool> {
    let shifts = -2..=2_isize;
    let shifted = |shift: isize| {
        let skip = |shift: isize| usize::try_from(shift).unwrap_or(0);
        let pairs = one.clocks.iter().skip(skip(shift)).zip(other.clocks.iter().skip(skip(-shift)));
        let mut seen = (0, 0, Vec::new());
        for (clock, other) in pairs.filter(|(clock, other)| **clock != 0 && **other != 0) {
            seen.0 += 1;
            seen.1 += usize::from(clock == other);
            if clock == other && seen.2.len() < CLOCKS && !seen.2.contains(clock) {
                seen.2.push(*clock);
            }
        }
        seen
    };
    let (both, equal, distinct) = shifts.map(shifted).max_by_key(|(_, equal, _)| *equal)?;
    match (2 * CLOCKS <= both, 5 * equal >= 4 * both, 2 * equal < both) {
        (true, true, _) if distinct.len() == CLOCKS => Some(true),
        (true, _, true) => Some(false),
        _ => None,
    }
}
