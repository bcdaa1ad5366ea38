//! Random games as proptest strategies.

use std::ops::RangeInclusive;

use jigo_record::{Coordinates, GameRecord, Header, Setup, Step, StepKind};
use jigo_rules::board::{BoardSize, Color};
use proptest::prelude::*;

use crate::support::agreement::point;
use crate::support::reference::{At, Event, Reference};

/// One turn or setup, chosen before the board determines the empty points. Numbers are taken modulo
/// the number of choices.
#[derive(Clone, Debug)]
pub enum Choice {
    EmptyPoint { again: bool, number: usize },
    AnyPoint { again: bool, number: usize },
    Pass { again: bool },
    Lost { again: bool },
    Setup { numbers: Vec<(usize, Option<Color>)>, to_play: Option<Color> },
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::Black), Just(Color::White)]
}

fn setup(length: RangeInclusive<usize>) -> impl Strategy<Value = Choice> {
    let stones = prop::collection::vec((any::<usize>(), prop::option::weighted(0.8, color())), length);
    (stones, prop::option::of(color())).prop_map(|(numbers, to_play)| Choice::Setup { numbers, to_play })
}

fn choice() -> impl Strategy<Value = Choice> {
    let again = || prop::bool::weighted(0.06);
    let number = any::<usize>();
    prop_oneof![
        80 => (again(), number).prop_map(|(again, number)| Choice::EmptyPoint { again, number }),
        4 => (again(), number).prop_map(|(again, number)| Choice::AnyPoint { again, number }),
        14 => again().prop_map(|again| Choice::Pass { again }),
        1 => again().prop_map(|again| Choice::Lost { again }),
        1 => setup(0..=4),
    ]
}

/// Board size, handicap and events.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Width and height.
    pub size: BoardSize,
    /// HA.
    pub handicap: u32,
    /// The events, as choices.
    pub choices: Vec<Choice>,
}

/// Returns any game: passes, turns out of order, setup at the root and later.
pub fn any_game(sides: RangeInclusive<u8>) -> impl Strategy<Value = Plan> {
    let size = (sides.clone(), sides).prop_map(|(width, height)| BoardSize::new(width, height).unwrap());
    let root = prop::collection::vec(setup(1..=9), 0..=1);
    (size, 0..=4_u32, root, prop::collection::vec(choice(), 0..120)).prop_map(|(size, handicap, root, choices)| {
        let choices = root.into_iter().chain(choices).collect();
        Plan { size, handicap, choices }
    })
}

impl Plan {
    /// Returns the events of the game, the same each time. The choices are made on the reference's
    /// board.
    pub fn events(&self) -> Vec<Event> {
        let mut game = Reference::new(self.size.width().into(), self.size.height().into(), 0);
        let mut events = Vec::new();
        let mut next = Color::Black;
        for choice in &self.choices {
            let event = self.event(choice, next, &game);
            match event {
                Event::Setup(_, to_play) => next = to_play.unwrap_or(next),
                Event::Play(color, _) | Event::Pass(color) | Event::Lost(color) => next = color.opponent(),
            }
            game.step(&event, &[]);
            events.push(event);
        }
        events
    }

    fn event(&self, choice: &Choice, next: Color, game: &Reference) -> Event {
        let mover = |again: bool| if again { next.opponent() } else { next };
        let points = game.board().points();
        match choice {
            Choice::EmptyPoint { again, number } => {
                let empty: Vec<At> = points.into_iter().filter(|&point| game.board().stone(point).is_none()).collect();
                match number.checked_rem(empty.len()) {
                    Some(index) => Event::Play(mover(*again), empty[index]),
                    None => Event::Pass(mover(*again)),
                }
            }
            Choice::AnyPoint { again, number } => Event::Play(mover(*again), points[number % points.len()]),
            Choice::Pass { again } => Event::Pass(mover(*again)),
            Choice::Lost { again } => Event::Lost(mover(*again)),
            Choice::Setup { numbers, to_play } => {
                let mut stones: Vec<(At, Option<Color>)> =
                    numbers.iter().map(|(number, stone)| (points[number % points.len()], *stone)).collect();
                // A record has one stone for each point.
                stones.sort_by_key(|((x, y), _)| (*y, *x));
                stones.dedup_by_key(|(point, _)| *point);
                Event::Setup(stones, *to_play)
            }
        }
    }

    /// Returns the game as a record.
    pub fn record(&self) -> GameRecord {
        let header = Header { size: self.size, handicap: Some(self.handicap), ..Header::default() };
        let mut record = GameRecord { header, unreadable: vec!["?".into()], ..GameRecord::default() };
        for (offset, event) in (0..).zip(self.events()) {
            let (color, coordinates) = match event {
                Event::Setup(stones, to_play) => {
                    let stones = stones.into_iter().map(|(place, stone)| (point(place), stone)).collect();
                    record.push_setup(offset, Setup { stones, to_play });
                    continue;
                }
                Event::Play(color, place) => (color, Coordinates::Play(point(place))),
                Event::Pass(color) => (color, Coordinates::Pass),
                Event::Lost(color) => (color, Coordinates::Unreadable(0)),
            };
            record.steps.push(Step { offset, kind: StepKind::Turn(color, coordinates) });
        }
        record
    }
}

/// Returns games with alternating players from the empty board.
pub fn alternating_game(sides: RangeInclusive<u8>, length: usize) -> impl Strategy<Value = Plan> {
    let choice = prop_oneof![
        5 => any::<usize>().prop_map(|number| Choice::EmptyPoint { again: false, number }),
        1 => Just(Choice::Pass { again: false }),
    ];
    let size = (sides.clone(), sides).prop_map(|(width, height)| BoardSize::new(width, height).unwrap());
    (size, prop::collection::vec(choice, 0..length)).prop_map(|(size, choices)| Plan { size, handicap: 0, choices })
}

/// Returns a record as one line for a failure message.
pub fn describe(record: &GameRecord) -> String {
    let mut text = format!("{} HA {:?}:", record.header.size, record.header.handicap);
    for step in &record.steps {
        match step.kind {
            StepKind::Turn(color, Coordinates::Play(point)) => text.push_str(&format!(" {}[{point}]", color.letter())),
            StepKind::Turn(color, Coordinates::Pass) => text.push_str(&format!(" {}[]", color.letter())),
            StepKind::Turn(color, _) => text.push_str(&format!(" {}[?]", color.letter())),
            StepKind::Setup(setup) => {
                let Setup { stones, to_play } = record.setup(setup);
                text.push_str(&format!(" {stones:?} PL {to_play:?}"));
            }
        }
    }
    text
}
