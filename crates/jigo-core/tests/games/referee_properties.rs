//! Random games against the slow reference under every setting of repetition and suicide. The
//! boards are small, so that positions recur often.

use crate::random_games::{Plan, alternating_game, any_game, describe};
use crate::support::agreement::{assert_replay_agrees, point, same_stones, settings, turn};
use crate::support::reference::{At, Event, Outcome, RULES, Reference, SUICIDES};
use jigo_core::replay::{ReplayOptions, Replayer};
use jigo_rules::board::{Color, Point, Position, PositionHash, Turn};
use jigo_rules::cycle::Cycle;
use jigo_rules::{HistoryEntry, PlaySequence, Referee, Repetition, Ruleset, TurnFacts};
use proptest::prelude::*;

fn assert_agrees(plan: &Plan) {
    let record = plan.record();
    for literal_setup in [false, true] {
        let options = ReplayOptions { literal_setup, ..ReplayOptions::default() };
        let name = || format!("{} literal setup: {literal_setup}", describe(&record));
        assert_replay_agrees(&mut Replayer::default(), &record, options, &settings(), name);
    }
}

/// A game on both referees, entry by entry.
struct Pair {
    slow: Reference,
    fast: Referee,
}

impl Pair {
    fn new(plan: &Plan) -> Pair {
        let slow = Reference::new(plan.size.width().into(), plan.size.height().into(), 0);
        Pair { slow, fast: Referee::new(plan.size) }
    }

    /// Applies an event to both. For a play, returns the result of each.
    fn step(&mut self, event: &Event, following: &[Event]) -> Option<(Outcome, TurnFacts)> {
        let before = self.slow.history.len();
        let outcome = self.slow.step(event, following);
        if let Event::Setup(stones, _) = event {
            if !stones.is_empty() {
                let stones = stones.iter().map(|&(at, stone)| (point(at), stone));
                self.fast.set_up(stones, self.slow.history[0].color);
            }
            return None;
        }
        let mut facts = None;
        for past in &self.slow.history[before..] {
            let played_at = if let (Event::Play(_, at), true) = (event, past.is_play) { Some(*at) } else { None };
            let took = self.fast.make_turn(turn(past.color.unwrap(), played_at), past.number);
            facts = past.is_play.then_some(took);
        }
        outcome.zip(facts)
    }

    /// Returns the legal plays of `color` under every setting according to the fast referee, which
    /// takes each play back.
    fn legal_plays(&mut self, color: Color, settings: &[Ruleset]) -> Vec<Vec<At>> {
        let mut legal = vec![Vec::new(); settings.len()];
        for at in self.empty_points() {
            let facts = self.fast.make_turn(turn(color, Some(at)), 0);
            self.fast.take_back();
            for (plays, setting) in legal.iter_mut().zip(settings) {
                if facts.violation(&setting.axes).is_none() {
                    plays.push(at);
                }
            }
        }
        legal
    }

    fn empty_points(&self) -> Vec<At> {
        let board = self.slow.board();
        board.points().into_iter().filter(|&at| board.stone(at).is_none()).collect()
    }

    /// Returns the legal plays according to the slow referee, in the order of the settings: suicide
    /// rules outside, repetition rules inside.
    fn slow_legal_plays(&self, color: Color) -> Vec<Vec<At>> {
        let mut legal = vec![Vec::new(); RULES.len() * SUICIDES.len()];
        for at in self.empty_points() {
            let outcome = self.slow.clone().step(&Event::Play(color, at), &[]).unwrap();
            for (index, plays) in legal.iter_mut().enumerate() {
                if outcome.verdict(index % RULES.len(), index / RULES.len()).is_none() {
                    plays.push(at);
                }
            }
        }
        legal
    }
}

/// Calls `check` with the player to move before every turn of an alternating game.
fn at_every_node(plan: &Plan, mut check: impl FnMut(&mut Pair, Color)) {
    let mut pair = Pair::new(plan);
    for (index, event) in plan.events().iter().enumerate() {
        check(&mut pair, Color::BOTH[index % 2]);
        pair.step(event, &[]);
    }
}

/// Returns the index of the setting with these names among the 21.
fn setting_index(suicide: &str, rule: &str) -> usize {
    let name = format!("{suicide}/{}", rule.to_uppercase());
    settings().iter().position(|setting| setting.name == name).unwrap()
}

fn is_subset(part: &[At], whole: &[At]) -> bool {
    part.iter().all(|at| whole.contains(at))
}

/// Checks legal(Psk) in legal(Ssk) in legal(Own) in legal(Nssk), and legal(NssKo) = legal(Nssk) and
/// legal(Ko). If suicide of a single stone is forbidden, legal(Ssk) is also in legal(Ko).
fn assert_subsets(legal: &[Vec<At>]) {
    const WITHIN: [(&str, &str); 6] =
        [("psk", "ssk"), ("ssk", "own"), ("own", "nssk"), ("nssk", "none"), ("psk", "ko"), ("ssk", "ko")];
    for (suicide, ..) in SUICIDES {
        let under = |rule: &str| &legal[setting_index(suicide, rule)];
        for (narrow, wide) in WITHIN {
            if (suicide, narrow, wide) != ("any", "ssk", "ko") {
                assert!(is_subset(under(narrow), under(wide)), "{suicide}: {narrow} is not within {wide}");
            }
        }
        let both: Vec<At> = under("nssk").iter().copied().filter(|at| under("ko").contains(at)).collect();
        assert_eq!(&both, under("nssk+ko"), "{suicide}");
    }
}

/// Returns, for each rule, the latest position because of which the fast referee forbids a play.
fn latest(repetition: Option<Repetition>) -> [Option<usize>; 7] {
    let repeated = repetition.unwrap_or_default();
    [None, repeated.ko, repeated.psk, repeated.ssk, repeated.own, repeated.nssk, repeated.ko.or(repeated.nssk)]
}

fn assert_earlier_turn_is_right(pair: &Pair, outcome: &Outcome, facts: &TurnFacts) {
    let last = pair.slow.history.len() - 1;
    let repeated = latest(facts.repetition);
    for (index, (rule, _)) in RULES.iter().enumerate() {
        let forbidding = &outcome.forbidding[index];
        if *rule == "nssk+ko" {
            // The rule combines two rules, so the referee may name the position of either.
            assert_eq!(repeated[index].is_some(), !forbidding.is_empty());
            assert!(repeated[index].is_none_or(|entry| forbidding.contains(&entry)));
        } else {
            assert_eq!(repeated[index], forbidding.last().copied(), "{rule}");
        }
        let Some(entry) = repeated[index] else { continue };
        assert_eq!(pair.slow.history[entry].board, pair.slow.history[last].board, "{rule}");
        assert_eq!(pair.fast.history().entries()[entry].turn, pair.slow.history[entry].number, "{rule}");
        let cycle = Cycle::between(pair.fast.history(), entry, last);
        let lost = |side: usize| pair.slow.history[entry + 1..].iter().map(|past| past.lost[side] as u32).sum();
        assert_eq!((cycle.length, cycle.lost_black, cycle.lost_white), (last - entry, lost(0), lost(1)), "{rule}");
    }
}

fn from_scratch(pair: &Pair) -> (Position, PositionHash) {
    let mut position = Position::new(pair.fast.position().size());
    let board = pair.slow.board();
    let mut hash = PositionHash::default();
    for at in board.points() {
        if let Some(color) = board.stone(at) {
            hash.toggle(color, point(at));
        }
    }
    position.place(board.points().into_iter().map(|at| (point(at), board.stone(at))));
    (position, hash)
}

/// Returns the visible state of a referee: stones and history.
fn visible(referee: &Referee) -> (Position, Vec<HistoryEntry>) {
    (referee.position().clone(), referee.history().entries().to_vec())
}

/// Calls `check` after every event of any game.
fn after_every_event(plan: &Plan, mut check: impl FnMut(&mut Pair, Option<(Outcome, TurnFacts)>)) {
    let events = plan.events();
    let mut pair = Pair::new(plan);
    for (index, event) in events.iter().enumerate() {
        let results = pair.step(event, &events[index + 1..]);
        check(&mut pair, results);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn verdicts_equal_reference_on_smallest_boards(plan in any_game(1..=3)) {
        assert_agrees(&plan);
    }

    #[test]
    fn verdicts_equal_reference_on_boards_up_to_7x7(plan in any_game(1..=7)) {
        assert_agrees(&plan);
    }

    #[test]
    fn verdict_names_earlier_turn_and_cycle(plan in any_game(1..=4)) {
        after_every_event(&plan, |pair, verdict| {
            if let Some((outcome, facts)) = verdict {
                assert_eq!((outcome.captured, outcome.suicide), (facts.captured as usize, facts.suicide as usize));
                assert_earlier_turn_is_right(pair, &outcome, &facts);
            }
        });
    }

    #[test]
    fn position_and_hash_equal_a_fresh_setup(plan in any_game(1..=7)) {
        after_every_event(&plan, |pair, _| {
            let (position, hash) = from_scratch(pair);
            assert!(same_stones(pair.fast.position(), pair.slow.board()));
            assert_eq!((pair.fast.position(), pair.fast.position().hash()), (&position, hash));
            assert_eq!(position.hash(), hash);
        });
    }

    #[test]
    fn undone_turn_gets_same_verdict_again(plan in any_game(1..=4)) {
        let events = plan.events();
        let mut pair = Pair::new(&plan);
        for (index, event) in events.iter().enumerate() {
            if let Event::Play(color, at) = event {
                let before = visible(&pair.fast);
                let first = pair.fast.make_turn(turn(*color, Some(*at)), 0);
                let verdict = visible(&pair.fast);
                pair.fast.take_back();
                prop_assert_eq!(&visible(&pair.fast), &before);
                prop_assert_eq!(pair.fast.make_turn(turn(*color, Some(*at)), 0), first);
                prop_assert_eq!(&visible(&pair.fast), &verdict);
                pair.fast.take_back();
            }
            pair.step(event, &events[index + 1..]);
        }
    }

    #[test]
    fn undone_game_replays_with_same_verdicts(plan in alternating_game(1..=4, 60)) {
        let events = plan.events();
        let mut pair = Pair::new(&plan);
        let start = visible(&pair.fast);
        let first: Vec<_> = events.iter().map(|event| pair.step(event, &[]).map(|(_, facts)| facts)).collect();
        while pair.fast.history().entries().len() > 1 {
            pair.fast.take_back();
        }
        prop_assert_eq!(visible(&pair.fast), start);
        pair.slow = Pair::new(&plan).slow;
        let second: Vec<_> = events.iter().map(|event| pair.step(event, &[]).map(|(_, facts)| facts)).collect();
        prop_assert_eq!(second, first);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn batched_plays_equal_single_plays(plan in alternating_game(1..=7, 60)) {
        let play = |event: &Event| if let Event::Play(color, at) = event { Some((*color, point(*at))) } else { None };
        let plays: Vec<(Color, Point)> = plan.events().iter().filter_map(play).collect();
        let (mut batched, mut single) = (Referee::new(plan.size), Referee::new(plan.size));
        let mut next = 0;
        while next < plays.len() {
            let number = next as u32 + 1;
            let (mut lost, mut single_losses) = ([0; 2], [0; 2]);
            let (steps, play) = (&plays[next..], |play: &(Color, Point)| Some(*play));
            let sequence = PlaySequence { steps, play, first_player: plays[next].0, first_turn: number };
            let (quiet, mut last) = batched.make_quiet_plays(sequence, &mut lost);
            if quiet == 0 {
                last = Some(batched.make_turn(Turn::play(plays[next].0, plays[next].1), number));
            }
            let end = next + quiet.max(1) as usize;
            for (index, &(color, at)) in plays.iter().enumerate().take(end).skip(next) {
                let facts = single.make_turn(Turn::play(color, at), index as u32 + 1);
                let batched_facts = last.filter(|_| index + 1 == end);
                single_losses[color.opponent().index()] += if batched_facts.is_none() { facts.captured } else { 0 };
                prop_assert_eq!(
                    facts,
                    batched_facts.unwrap_or(TurnFacts { captured: facts.captured, ..TurnFacts::default() })
                );
            }
            prop_assert_eq!(lost, single_losses);
            prop_assert_eq!(visible(&batched), visible(&single));
            next = end;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn legal_plays_equal_reference_and_are_nested(
        plan in alternating_game(1..=4, 60),
    ) {
        let settings = settings();
        at_every_node(&plan, |pair, color| {
            let legal = pair.legal_plays(color, &settings);
            assert_eq!(legal, pair.slow_legal_plays(color));
            assert_subsets(&legal);
        });
    }

    #[test]
    fn ssk_and_own_agree_without_suicide(plan in alternating_game(1..=4, 60)) {
        let settings = settings();
        let (ssk, own) = (setting_index("forbid", "ssk"), setting_index("forbid", "own"));
        let mut pair = Pair::new(&plan);
        for event in plan.events() {
            let color = if pair.slow.history.len() % 2 == 1 { Color::Black } else { Color::White };
            let legal = pair.legal_plays(color, &settings);
            prop_assert_eq!(&legal[ssk], &legal[own]);
            // A suicide is replaced by a pass.
            let is_suicide = pair.slow.clone().step(&event, &[]).is_some_and(|outcome| outcome.suicide > 0);
            pair.step(&if is_suicide { Event::Pass(color) } else { event }, &[]);
        }
    }
}
