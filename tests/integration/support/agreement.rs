//! Compares the replay with the slow reference, game by game.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_record::finding::{Code, Finding};
use jigo_record::{Coordinates, GameRecord, Header, StepKind};
use jigo_rules::board::{Action, Color, Point, Position, Turn};
use jigo_rules::{Axes, HalfPoints, Preset, RepetitionRule, RulesBasis, Ruleset, Suicide};

use super::reference::{At, Board, Event, Outcome, RULES, Reference, SUICIDES, Verdict};

/// Returns the 21 settings of repetition and suicide under the vectors' names, such as
/// `forbid/PSK`.
pub fn settings() -> Vec<Ruleset> {
    let base = Preset::find("tromp-taylor").unwrap().axes;
    let mut settings = Vec::new();
    for (suicide_name, suicide) in Suicide::NAMES {
        for (name, repetition) in RepetitionRule::NAMES {
            let name = format!("{suicide_name}/{}", name.to_uppercase());
            settings.push(Ruleset {
                name: Cow::Owned(name),
                axes: Axes { repetition, suicide, ..base },
                basis: RulesBasis::Explicit,
            });
        }
    }
    assert_eq!(settings.len(), 21);
    settings
}

/// The faults of every turn: turn number to setting to fault, for turns and settings with a fault.
pub type Faults = BTreeMap<u32, BTreeMap<String, Verdict>>;

pub fn point((x, y): At) -> Point {
    Point::new(x as u8, y as u8)
}

pub fn coordinates(point: Point) -> At {
    (usize::from(point.x()), usize::from(point.y()))
}

/// Returns the turn for an event of the reference.
pub fn turn(color: Color, place: Option<At>) -> Turn {
    Turn { color, action: place.map_or(Action::Pass, |place| Action::Play(point(place))) }
}

/// Converts the steps of a record to events of the reference.
pub fn events(record: &GameRecord) -> Vec<Event> {
    let size = record.header.size;
    let event = |kind: StepKind| match kind {
        StepKind::Setup(setup) => {
            let setup = record.setup(setup);
            let on_board = setup.stones.iter().filter(|(point, _)| size.contains(*point));
            Event::Setup(on_board.map(|&(point, stone)| (coordinates(point), stone)).collect(), setup.to_play)
        }
        StepKind::Turn(color, Coordinates::Play(point)) => Event::Play(color, coordinates(point)),
        StepKind::Turn(color, Coordinates::Pass) => Event::Pass(color),
        StepKind::Turn(color, Coordinates::OffBoard(_) | Coordinates::Unreadable(_)) => Event::Lost(color),
    };
    record.steps.iter().map(|step| event(step.kind)).collect()
}

/// Returns the number of turns that give the handicap: Black's turns before White's first play,
/// with White's single passes, if they and the setup give two stones and White has none. Up to three
/// turns of Black alone with the komi of an even game are a slip, unless HA says otherwise.
fn handicap_turns(events: &[Event], header: &Header) -> u32 {
    let has_stones = |event: &Event| matches!(event, Event::Setup(stones, _) if !stones.is_empty());
    let is_setup = |event: &&Event| matches!(event, Event::Setup(..));
    let (mut stones, mut to_play) = (HashMap::new(), None);
    for event in events.iter().take_while(is_setup) {
        let Event::Setup(placed, next) = event else { continue };
        to_play = next.or(to_play);
        stones.extend(placed.iter().copied());
    }
    stones.retain(|_, stone| stone.is_some());
    if stones.values().any(|stone| *stone == Some(Color::White))
        || (!stones.is_empty() && to_play == Some(Color::White))
    {
        return 0;
    }
    let later = events.iter().skip_while(is_setup).take_while(|event| !has_stones(event));
    let turns: Vec<&Event> = later.filter(|event| !is_setup(event)).collect();
    let all_turns: Vec<&Event> = events.iter().filter(|event| !is_setup(event)).collect();
    let is_of = |turn: Option<&&Event>, wanted: Color| {
        turn.is_some_and(
            |turn| matches!(turn, Event::Play(color, _) | Event::Pass(color) | Event::Lost(color) if *color == wanted),
        )
    };
    let is_part = |index: usize| match turns[index] {
        Event::Pass(Color::White) => is_of(all_turns.get(index + 1), Color::Black),
        Event::Play(Color::Black, _) | Event::Lost(Color::Black) => true,
        _ => false,
    };
    let run = (0..turns.len()).take_while(|index| is_part(*index)).count();
    let count = turns[..run].iter().rposition(|turn| is_of(Some(turn), Color::Black)).map_or(0, |last| last + 1);
    let plays = turns[..count].iter().filter_map(|turn| match turn {
        Event::Play(_, at) => Some(*at),
        _ => None,
    });
    let has_passes = turns[..count].iter().any(|turn| is_of(Some(turn), Color::White));
    let is_even = header.handicap.unwrap_or(0) < 2 && header.komi.is_some_and(|komi| komi >= HalfPoints(9));
    let is_slip = is_even && stones.is_empty() && !has_passes && count <= 3;
    stones.extend(plays.map(|at| (at, Some(Color::Black))));
    let is_placed_in_turns = (0..2).all(|index| is_of(all_turns.get(run + index), Color::White));
    let is_announced = header.handicap == Some(stones.len() as u32);
    let is_handicap = stones.len() >= 2 && (is_announced || !is_placed_in_turns && !is_slip);
    if is_handicap { count as u32 } else { 0 }
}

/// A game replayed by the reference.
pub struct ReferenceReplay {
    pub outcomes: Vec<Outcome>,
    pub end: Reference,
    /// Stones that setups without any stone remove after the last turn.
    pub removed_dead: usize,
}

impl ReferenceReplay {
    pub fn replay(record: &GameRecord, options: ReplayOptions) -> ReferenceReplay {
        let header = &record.header;
        let size = header.size;
        let events = events(record);
        let handicap_turns = handicap_turns(&events, header);
        let mut end = Reference::new(size.width().into(), size.height().into(), handicap_turns);
        end.literal_setup = options.literal_setup;
        let (mut outcomes, mut removed_dead) = (Vec::new(), 0);
        let last_turn = events.iter().rposition(|event| !matches!(event, Event::Setup(..)));
        for (index, event) in events.iter().enumerate() {
            if let Event::Setup(points, _) = event
                && last_turn.is_some_and(|turn| turn < index)
                && points.iter().all(|(_, stone)| stone.is_none())
            {
                removed_dead += points.iter().filter(|(at, _)| end.board().stone(*at).is_some()).count();
            }
            outcomes.extend(end.step(event, &events[index + 1..]));
        }
        ReferenceReplay { outcomes, end, removed_dead }
    }

    /// Returns every fault of every turn under the 21 settings.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::new();
        for outcome in &self.outcomes {
            for (suicide, (suicide_name, ..)) in SUICIDES.iter().enumerate() {
                for (rule, (rule_name, _)) in RULES.iter().enumerate() {
                    if let Some(verdict) = outcome.verdict(rule, suicide) {
                        let setting = format!("{suicide_name}/{}", rule_name.to_uppercase());
                        faults.entry(outcome.number).or_default().insert(setting, verdict);
                    }
                }
            }
        }
        faults
    }
}

/// Returns the faults from the findings of a replay under `settings`. An occupied point is a fault
/// under all rules.
pub fn found_faults(findings: &[Finding], settings: &[Ruleset]) -> Faults {
    let mut faults = Faults::new();
    for finding in findings {
        let verdict = match finding.code {
            Code::Occupied => Verdict::Occupied,
            Code::SuicidePlay => Verdict::Suicide,
            Code::Ko => Verdict::Ko,
            Code::Superko => Verdict::Superko,
            _ => continue,
        };
        let of_turn = faults.entry(finding.place.turn.expect("a turn is at fault")).or_default();
        let named: Vec<&str> = match verdict {
            Verdict::Occupied => settings.iter().map(|setting| setting.name.as_ref()).collect(),
            _ => finding.rules.split(';').collect(),
        };
        for setting in named {
            assert_eq!(of_turn.insert(setting.into(), verdict), None, "two verdicts on one turn: {finding:?}");
        }
    }
    faults
}

pub fn same_stones(position: &Position, board: &Board) -> bool {
    board.points().into_iter().all(|at| position.stone(point(at)) == board.stone(at))
}

/// Replays a record both ways and checks that both give the same faults turn by turn under every
/// setting, the same implied passes, stones lost and final position.
pub fn assert_replay_agrees(
    replayer: &mut Replayer,
    record: &GameRecord,
    options: ReplayOptions,
    settings: &[Ruleset],
    name: impl Fn() -> String,
) {
    let mut findings = Vec::new();
    let tally = replayer.replay(record, settings, options, &mut findings);
    let slow = ReferenceReplay::replay(record, options);
    let (ours, expected) = (found_faults(&findings, settings), slow.faults());
    for number in 1..=tally.turns {
        assert_eq!(ours.get(&number), expected.get(&number), "turn {number} of {}", name());
    }
    let implied = slow.outcomes.iter().filter(|outcome| outcome.implied_pass);
    let implied: Vec<u32> = implied.map(|outcome| outcome.number).collect();
    let out_of_order = findings.iter().filter(|finding| finding.code == Code::WrongColor);
    let out_of_order: Vec<u32> = out_of_order.filter_map(|finding| finding.place.turn).collect();
    assert_eq!(out_of_order, implied, "turns out of order in {}", name());
    assert_eq!(tally.turns as usize, slow.outcomes.len(), "turns of {}", name());
    let prisoners: usize = slow.outcomes.iter().map(|outcome| outcome.captured + outcome.suicide).sum();
    let prisoners = prisoners + slow.removed_dead;
    assert_eq!(tally.lost.iter().sum::<u32>() as usize, prisoners, "stones lost in {}", name());
    assert!(same_stones(replayer.position(), slow.end.board()), "the final position of {}", name());
}
