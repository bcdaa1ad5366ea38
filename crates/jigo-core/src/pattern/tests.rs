//! Compares the search with a slow one that looks at every turn, placement and symmetry.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jigo_record::record::Reading;
use jigo_record::splitter::GameText;
use jigo_record::{Coordinates, GameRecord, StepKind};
use jigo_rules::board::{BoardSize, Color, Point, Position, split_mix};

use super::*;
use crate::replay::{ReplayOptions, Replayer};
use crate::similarity::View;

const GAMES: u64 = 500;
const PATTERNS: u64 = 200;
/// The number of patterns that are searched in each game.
const PATTERNS_PER_GAME: u64 = 20;

/// Returns a random number below `end`.
fn below(seed: &mut u64, end: u64) -> u64 {
    split_mix(seed) % end
}

/// Writes a random game with captures, passes, unreadable turns and, in some games, setup.
fn random_game(seed: &mut u64) -> String {
    let side = [5, 6, 7, 9][below(seed, 4) as usize];
    let height = if below(seed, 5) == 0 { side - 1 } else { side };
    let has_setup = below(seed, 3) == 0;
    let mut text = format!("(;SZ[{side}:{height}]");
    let point = |seed: &mut u64| Point::new(below(seed, side) as u8, below(seed, height) as u8);
    if below(seed, 4) == 0 {
        let [one, other] = [(); 2].map(|()| point(seed));
        write!(text, "AB[{one}];AW[{other}]").unwrap();
    }
    for turn in 0..20 + below(seed, 100) {
        let color = ["B", "W"][turn as usize % 2];
        match below(seed, 40) {
            0 => write!(text, ";{color}[]").unwrap(),
            1 => write!(text, ";{color}[zz9]").unwrap(),
            2 => write!(text, ";{color}[{}];{color}[{}]", point(seed), point(seed)).unwrap(),
            3..=5 if has_setup => {
                let kind = ["AB", "AW", "AE"][below(seed, 3) as usize];
                write!(text, ";{kind}[{}]", point(seed)).unwrap();
            }
            _ => write!(text, ";{color}[{}]", point(seed)).unwrap(),
        }
    }
    text + ")"
}

/// A position of the slow search.
struct Snapshot {
    turn: u32,
    is_setup: bool,
    position: Position,
}

/// A game with all its positions.
struct SlowGame {
    record: GameRecord,
    snapshots: Vec<Snapshot>,
    last_turn: u32,
}

/// Returns the record and all positions of a game.
fn slow_game(sgf: &str) -> SlowGame {
    let record = Reading::from_text(&GameText::from_sgf(sgf)).record;
    let mut all: Vec<Snapshot> = Vec::new();
    if !matches!(record.steps.first().map(|step| step.kind), Some(StepKind::Setup(_))) {
        all.push(Snapshot { turn: 0, is_setup: true, position: Position::new(record.header.size) });
    }
    let mut add = |step: &jigo_record::Step, tally: &jigo_rules::Tally, position: &Position| {
        let is_setup = matches!(step.kind, StepKind::Setup(_));
        if is_setup && all.last().is_some_and(|last| last.is_setup) {
            all.pop();
        }
        all.push(Snapshot { turn: tally.turns, is_setup, position: position.clone() });
        0
    };
    let mut replayer = Replayer::default();
    let tally = replayer.replay_with_observer(&record, &[], ReplayOptions::default(), &mut Vec::new(), &mut add);
    SlowGame { record, snapshots: all, last_turn: tally.turns }
}

/// Cuts a random pattern from a position.
fn random_pattern(seed: &mut u64, position: &Position) -> BoardPattern {
    let board = position.size();
    if below(seed, 8) == 0 {
        return BoardPattern::from_position(position);
    }
    let [width, height] = [board.width(), board.height()].map(|side| 1 + below(seed, u64::from(side).min(5)) as u8);
    let [x, y] =
        [(board.width() - width), (board.height() - height)].map(|last| below(seed, u64::from(last) + 1) as u8);
    let freedom = 1 + below(seed, 5);
    let mut points: Vec<PatternPoint> = Vec::new();
    for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
        let stone = position.stone(Point::new(x + column, y + row));
        points.push(match below(seed, 10) {
            number if number < freedom => PatternPoint::Any,
            9 if stone.is_none() => PatternPoint::NextTurn,
            _ => stone.map_or(PatternPoint::Empty, PatternPoint::Stone),
        });
    }
    let mut is_fixed = |is_at_edge: bool| is_at_edge && below(seed, 2) == 0;
    let borders = Borders {
        left: is_fixed(x == 0),
        right: is_fixed(x + width == board.width()),
        top: is_fixed(y == 0),
        bottom: is_fixed(y + height == board.height()),
    };
    BoardPattern::new(BoardSize::new(width, height).unwrap(), points, borders)
}

fn random_options(seed: &mut u64) -> SearchOptions {
    let first = below(seed, 3) as u32 * 7;
    SearchOptions {
        has_symmetries: below(seed, 4) > 0,
        swaps_colors: below(seed, 2) == 0,
        turns: first..=if below(seed, 2) == 0 { u32::MAX } else { first + below(seed, 60) as u32 },
        needs_next_inside: below(seed, 3) == 0,
        returns_all: below(seed, 2) == 0,
    }
}

/// A place relative to the corner of a pattern.
type Place = (i32, i32);

/// A pattern in a view: its conditions, and the places that must lie outside the board.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SlowView {
    conditions: BTreeSet<(Place, char)>,
    outside: BTreeSet<Place>,
}

fn slow_place(pattern: &BoardPattern, view: View, (x, y): Place) -> Place {
    let (width, height) = (i32::from(pattern.size().width()), i32::from(pattern.size().height()));
    let number = view.symmetry.number();
    let x = if number & 1 != 0 { width - 1 - x } else { x };
    let y = if number & 2 != 0 { height - 1 - y } else { y };
    if number & 4 != 0 { (y, x) } else { (x, y) }
}

fn slow_view(pattern: &BoardPattern, view: View) -> SlowView {
    let place = |place| slow_place(pattern, view, place);
    let symbol = |condition: PatternPoint| match condition.symbol() {
        'X' if view.colors_swapped => 'O',
        'O' if view.colors_swapped => 'X',
        symbol => symbol,
    };
    let (width, height) = (i32::from(pattern.size().width()), i32::from(pattern.size().height()));
    let borders = pattern.borders();
    let mut outside = BTreeSet::new();
    for (has_border, at) in
        [(borders.left, (-1, 0)), (borders.right, (width, 0)), (borders.top, (0, -1)), (borders.bottom, (0, height))]
    {
        outside.extend(has_border.then(|| place(at)));
    }
    let conditions = pattern
        .iter()
        .map(|(point, condition)| (place((i32::from(point.x()), i32::from(point.y()))), symbol(condition)))
        .collect();
    // Any place outside a side stands for the whole side.
    let columns = if view.symmetry.number() & 4 != 0 { height } else { width };
    let side = |(x, y): Place| if (0..columns).contains(&x) { (0, y) } else { (x, 0) };
    SlowView { conditions, outside: outside.into_iter().map(side).collect() }
}

impl SlowView {
    fn matches(&self, (left, top): Place, position: &Position) -> bool {
        let size = position.size();
        let (width, height) = (i32::from(size.width()), i32::from(size.height()));
        let is_on_board = |(x, y): Place| (0..width).contains(&x) && (0..height).contains(&y);
        let is_satisfied = |((x, y), symbol): &(Place, char)| {
            let (x, y) = (x + left, y + top);
            let is_equal = || match position.stone(Point::new(x as u8, y as u8)) {
                Some(Color::Black) => matches!(symbol, 'X' | '?'),
                Some(Color::White) => matches!(symbol, 'O' | '?'),
                None => matches!(symbol, '.' | '*' | '?'),
            };
            is_on_board((x, y)) && is_equal()
        };
        self.outside.iter().all(|(x, y)| !is_on_board((x + left, y + top))) && self.conditions.iter().all(is_satisfied)
    }
}

/// A match of the slow search, in the order of the search.
type SlowMatch = (u32, usize, u8, u8, Option<NextTurn>);

/// Looks at every view, corner and position.
fn slow_matches(search: &PatternSearch, game: &SlowGame) -> Vec<(SlowMatch, View)> {
    let SlowGame { record, snapshots, last_turn } = game;
    let turns: Vec<(Color, Coordinates)> = record
        .steps
        .iter()
        .filter_map(|step| match step.kind {
            StepKind::Turn(color, coordinates) => Some((color, coordinates)),
            StepKind::Setup(_) => None,
        })
        .collect();
    let (pattern, options) = (search.pattern(), search.options());
    let mut seen: Vec<SlowView> = Vec::new();
    let mut matches = Vec::new();
    for view in View::all() {
        let is_excluded =
            (!options.has_symmetries && view.symmetry.number() != 0) || (!options.swaps_colors && view.colors_swapped);
        let slow = slow_view(pattern, view);
        if is_excluded || seen.contains(&slow) {
            continue;
        }
        let board = record.header.size;
        for corner in board.iter() {
            let place = (i32::from(corner.x()), i32::from(corner.y()));
            let mut is_open = false;
            let mut is_done = false;
            for (index, snapshot) in snapshots.iter().enumerate() {
                if !slow.matches(place, &snapshot.position) {
                    is_open = false;
                    continue;
                }
                is_done &= is_open;
                is_open = true;
                let next_snapshot = snapshots.get(index + 1);
                let (end, is_before_setup) = match next_snapshot {
                    None => (*last_turn, false),
                    Some(next) if next.is_setup => (next.turn, !slow.matches(place, &next.position)),
                    Some(next) => (next.turn.saturating_sub(1), false),
                };
                for turn in snapshot.turn..=end {
                    if is_done || !options.turns.contains(&turn) {
                        continue;
                    }
                    let recorded = turns.get(turn as usize).filter(|_| !(is_before_setup && turn == end));
                    let next = recorded.and_then(|(color, coordinates)| {
                        let place = match coordinates {
                            Coordinates::Pass => NextPlace::Pass,
                            Coordinates::Play(point) => {
                                let is_at = |original: &Point| {
                                    let (x, y) = (i32::from(original.x()), i32::from(original.y()));
                                    let (x, y) = slow_place(pattern, view, (x, y));
                                    (x + place.0, y + place.1) == (i32::from(point.x()), i32::from(point.y()))
                                };
                                pattern.size().iter().find(is_at).map_or(NextPlace::Elsewhere, NextPlace::Inside)
                            }
                            _ => return None,
                        };
                        let color = if view.colors_swapped { color.opponent() } else { *color };
                        Some(NextTurn { color, place })
                    });
                    let inside = match next {
                        Some(NextTurn { place: NextPlace::Inside(point), .. }) => pattern.point(point),
                        _ => None,
                    };
                    let needs_star = pattern.iter().any(|(_, condition)| condition == PatternPoint::NextTurn);
                    let is_accepted = match (options.needs_next_inside, needs_star) {
                        (_, true) => inside == Some(PatternPoint::NextTurn),
                        (true, _) => inside.is_some(),
                        _ => true,
                    };
                    if is_accepted {
                        let next = next.map(|next| search.representative(next));
                        matches.push(((turn, seen.len(), corner.y(), corner.x(), next), view));
                        is_done = true;
                    }
                }
            }
        }
        seen.push(slow);
    }
    matches.sort_by_key(|(found, _)| (found.0, found.1, found.2, found.3));
    matches.truncate(if options.returns_all { usize::MAX } else { 1 });
    matches
}

fn fast_matches(search: &PatternSearch, sgf: &str) -> Vec<PatternMatch> {
    let record = Reading::from_text(&GameText::from_sgf(sgf)).record;
    let mut replayer = Replayer::default();
    let tally = replayer.replay(&record, &[], ReplayOptions::default(), &mut Vec::new());
    let game = ReplayedGame {
        record: &record,
        history: replayer.history(),
        tally: &tally,
        judges: &[],
        options: ReplayOptions::default(),
        budget: &replayer.budget,
        new_part: NewPart::MAIN_LINE,
    };
    PatternMatcher::default().find(search, &game, u64::MAX)
}

#[test]
fn search_equals_slow_search_on_random_games() {
    let mut seed = 43;
    let games: Vec<String> = (0..GAMES).map(|_| random_game(&mut seed)).collect();
    let searches: Vec<PatternSearch> = (0..PATTERNS)
        .map(|_| {
            let positions = slow_game(&games[below(&mut seed, GAMES) as usize]).snapshots;
            let position = &positions[below(&mut seed, positions.len() as u64) as usize].position;
            let pattern = random_pattern(&mut seed, position);
            PatternSearch::new(pattern, random_options(&mut seed))
        })
        .collect();
    let (mut count, mut with_next) = (0, 0);
    for (number, sgf) in games.iter().enumerate() {
        let game = slow_game(sgf);
        for offset in 0..PATTERNS_PER_GAME {
            let search = &searches[(number * 7 + offset as usize * 17) % searches.len()];
            let expected = slow_matches(search, &game);
            let found = fast_matches(search, sgf);
            let found_parts: Vec<_> = found.iter().map(|one| (one.turn, one.view, one.corner, one.next)).collect();
            let expected_parts: Vec<_> =
                expected.iter().map(|(one, view)| (one.0, *view, Point::new(one.3, one.2), one.4)).collect();
            assert_eq!(found_parts, expected_parts, "{sgf}\n{search:?}");
            count += found.len();
            with_next += found.iter().filter(|one| one.next.is_some()).count();
        }
    }
    assert!(count > 10_000 && with_next > 5_000, "{count} matches, {with_next} with a next turn");
}

fn search(diagram: &str, options: SearchOptions) -> PatternSearch {
    PatternSearch::new(BoardPattern::from_diagram(diagram).unwrap(), options)
}

#[test]
fn symmetric_pattern_has_fewer_views() {
    let views = |diagram: &str, swaps_colors| {
        search(diagram, SearchOptions { swaps_colors, ..SearchOptions::default() }).views.len()
    };
    assert_eq!(views("X O\n. .", false), 8);
    assert_eq!(views("X X\nO .", false), 8);
    assert_eq!(views("X O", false), 4);
    assert_eq!(views("X O", true), 4);
    assert_eq!(views("? X ?\nX . X\n? X ?", false), 1);
    assert_eq!(views("? X ?\nX . X\n? X ?", true), 2);
    assert_eq!(views("+--\n|. .\n|. X", false), 4);
}

#[test]
fn next_turn_is_mapped_into_the_frame() {
    let corner = search("+-----\n|. . .\n|. . .\n|. . X", SearchOptions::default());
    // The stone is in the bottom right corner of the board, the answer to its left.
    let found = fast_matches(&corner, "(;SZ[9];B[gg];W[hg])");
    assert_eq!((found[0].turn, found[0].corner), (1, Point::new(6, 6)));
    // Both points next to the stone are equivalent; the upper one represents them.
    let place = NextPlace::Inside(Point::new(2, 1));
    assert_eq!(found[0].next, Some(NextTurn { color: Color::White, place }));
}

#[test]
fn star_needs_the_next_turn_on_its_point() {
    let ponnuki = search("? X ?\nX * X\n? X ?", SearchOptions::default());
    let stones = "(;SZ[9]AB[da][cb][eb][dc]";
    assert!(fast_matches(&ponnuki, &format!("{stones};W[hh];B[gg])")).is_empty());
    let found = fast_matches(&ponnuki, &format!("{stones};W[hh];B[db])"));
    assert_eq!(found.iter().map(|one| one.turn).collect::<Vec<_>>(), [1]);
}

#[test]
fn capture_and_setup_complete_and_end_matches() {
    let options = || SearchOptions { returns_all: true, ..SearchOptions::default() };
    let turns = |search: &PatternSearch, sgf: &str| -> Vec<u32> {
        fast_matches(search, sgf).iter().map(|one| one.turn).collect()
    };
    let ponnuki = search("? X ?\nX . X\n? X ?", options());
    assert_eq!(turns(&ponnuki, "(;SZ[9]AB[da][cb][eb]AW[db];B[dc])"), [1]);
    assert_eq!(turns(&ponnuki, "(;SZ[9]AB[da][cb][eb];B[dc];AE[dc];W[hh];AB[dc])"), [1, 2]);
}

#[test]
fn turns_without_effect_end_no_match() {
    let options = SearchOptions { returns_all: true, ..SearchOptions::default() };
    // Turn 2 is suicide of one stone, and turn 3 is on an own stone. Setup adds a stone and removes
    // it.
    let pattern = search("+--+,|.X|,|X.|,+--+", options);
    let found = fast_matches(&pattern, "(;SZ[2]AB[ba];B[ab];W[aa];B[ab];AB[aa];AE[aa];W[])");
    let turns: Vec<u32> = found.iter().map(|one| one.turn).collect();
    assert_eq!(turns, [1]);
}
