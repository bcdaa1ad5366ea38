//! Reader for nodes with more than a turn, clock and comment.

use std::borrow::Cow;
use std::ops::Range;

use crate::finding::{Code, excerpt};
use crate::record::nodes::{self, Damage, MainLine, Node, NodeState, RawProperty};
use crate::record::property::{self, Property};
use crate::record::reader::Reader;
use crate::sgf::tokens::lexer::capitals;
use crate::{Coordinates, Setup};
use jigo_rules::board::{Color, MarkedTerritory};

/// The content of a node.
#[derive(Default)]
struct NodeContent {
    setup: Setup,
    turns: Vec<(Color, Coordinates)>,
    territory: Option<MarkedTerritory>,
    /// True if jigo wrote the territory.
    is_counted: bool,
}

impl Reader<'_> {
    /// Reads a node that needs sgf-parse. Setup comes before turns, regardless of the order in the
    /// text.
    pub(crate) fn node(&mut self, offset: usize, body: Range<usize>, state: NodeState) {
        if !self.in_root && self.bytes[body.clone()].trim_ascii().is_empty() {
            let (count, first) = self.empty_nodes;
            self.empty_nodes = (count + 1, if count == 0 { offset } else { first });
            return;
        }
        self.note_value_without_property(&body);
        if !self.spend_points(offset, &body) {
            return;
        }
        let properties = self.parse(offset, body.clone(), state);
        if self.in_root {
            let remaining_properties = self.remaining_root_properties(offset, body.end);
            let values = properties.iter().chain(&remaining_properties).filter_map(|property| match property {
                Property::Header(name, value) => Some((*name, Cow::from(value))),
                _ => None,
            });
            self.header(&values.collect::<Vec<_>>(), offset);
            if state == NodeState::Sound && has_several_sizes(&self.bytes[body.clone()]) {
                self.note(Code::RepeatedProperty, offset, "SZ has several values: the first is used");
            }
        }
        if state == NodeState::Sound {
            self.report_repeated(body.clone());
        }
        if self.reads_headers && !self.in_root {
            self.later_header(offset, &body, &properties);
        }
        if self.reading.unreadable.is_none() {
            let is_setup = |property: &Property| matches!(property, Property::Stones(..));
            let sets_up_twice = properties.iter().any(is_setup) && self.sets_up_twice(body);
            let content = self.content(properties, offset);
            self.add(content, offset, sets_up_twice);
        }
    }

    /// Returns the properties of the node at `end` if it completes a root that lacks its semicolon,
    /// as in `(GM[1];FF[3]SZ[9]`.
    fn remaining_root_properties(&self, offset: usize, end: usize) -> Vec<Property> {
        if self.bytes.get(offset) != Some(&b'(') || !self.lexer().completes_root(end) {
            return Vec::new();
        }
        match MainLine::from(self.lexer(), end).next() {
            Some(Node::Other { body, state: NodeState::Sound, .. }) => {
                property::parse(&self.bytes[body]).unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Subtracts the points that a node may name from the game's quota. Ends the reading if the
    /// quota is exhausted.
    fn spend_points(&mut self, offset: usize, body: &Range<usize>) -> bool {
        let Some(remaining) = self.remaining_points.checked_sub(property::max_points(&self.bytes[body.clone()])) else {
            let limit = self.limits.points;
            self.note(
                Code::TooManyPoints,
                offset,
                format!("setup and markup up to this node name more than --max points={limit}"),
            );
            self.reading.is_truncated = true;
            return false;
        };
        self.remaining_points = remaining;
        true
    }

    /// Returns the properties of a node, parsed together if it is sound, and otherwise one by one.
    pub(super) fn parse(&mut self, offset: usize, body: Range<usize>, state: NodeState) -> Vec<Property> {
        self.long_name(body.clone());
        match state {
            NodeState::Sound if !nodes::has_usual_names(self.bytes, body.clone()) => self.parse_separately(body),
            NodeState::Sound if body.len() as u64 > self.limits.property => self.parse_separately(body),
            NodeState::Sound => match property::parse(&self.bytes[body.clone()]) {
                // With a GM of another game, sgf-parse returns only the GM. After the root GM has
                // no meaning.
                Ok(properties) if self.in_root || !matches!(properties[..], [Property::Header("GM", _)]) => properties,
                _ => self.parse_separately(body),
            },
            NodeState::Odd => self.parse_separately(body),
            NodeState::Open => {
                let properties = self.closed_properties(offset, body, state);
                self.reading.is_truncated = true;
                self.parse_properties(&properties)
            }
        }
    }

    /// Returns the properties of a node whose values are closed, and reports damaged values.
    fn closed_properties(&mut self, offset: usize, body: Range<usize>, state: NodeState) -> Vec<RawProperty> {
        let (mut properties, damage) = nodes::properties(&self.lexer(), body);
        if state == NodeState::Open {
            // All values of the property are lost.
            let first_value = properties.pop().and_then(|property| property.values.first().cloned());
            let bracket = first_value.map_or(offset, |value| value.start - 1);
            self.note(Code::UnclosedValue, bracket, "this value does not end: its property and the rest are not read");
        }
        for Damage { offset, code, detail } in damage {
            self.note(code, offset, detail);
        }
        properties
    }

    /// Reports the damage of a node that is not read.
    pub(super) fn note_damage(&mut self, offset: usize, body: Range<usize>, state: NodeState) {
        self.note_value_without_property(&body);
        for property in self.closed_properties(offset, body, state) {
            if property.values.is_empty() {
                self.stray_text(property.range.start, property.range.end);
            }
        }
    }

    fn note_value_without_property(&mut self, body: &Range<usize>) {
        let first = self.lexer().skip_space(body.start);
        if first < body.end && self.bytes[first] == b'[' {
            self.note(Code::MisplacedNode, first, "a value without a property");
        }
    }

    /// Reports the first identifier with small letters, or long name in capitals.
    fn long_name(&mut self, body: Range<usize>) {
        if self.long_name.is_none()
            && let Some(name) = nodes::find_name(self.bytes, body, nodes::is_long_name)
        {
            let written = excerpt(&self.bytes[name.clone()]);
            let capital_letters = String::from_utf8_lossy(&capitals(written.as_bytes())).into_owned();
            self.note(Code::LongName, name.start, format!("{written} is read as {capital_letters}"));
            self.long_name = Some(name.start);
        }
    }

    /// Parses every property of a node separately, so that damage affects only one.
    fn parse_separately(&mut self, body: Range<usize>) -> Vec<Property> {
        let properties = self.closed_properties(body.start, body, NodeState::Odd);
        self.parse_properties(&properties)
    }

    fn parse_properties(&mut self, properties: &[RawProperty]) -> Vec<Property> {
        let mut parsed = Vec::new();
        for property in properties {
            if property.range.len() as u64 > self.limits.property {
                let name = excerpt(&self.bytes[property.identifier.clone()]);
                let detail = format!("{name} is left out: longer than --max property={}", self.limits.property);
                self.note(Code::LongProperty, property.range.start, detail);
                continue;
            }
            if property.values.is_empty() {
                self.stray_text(property.range.start, property.range.end);
                continue;
            }
            let name = &self.bytes[property.identifier.clone()];
            if !name.is_empty() && !nodes::is_plain_name(name) {
                self.odd_name(property.identifier.clone());
            }
            // sgf-parse rejects words, and reads other games without their properties.
            if *capitals(name) == *b"GM" {
                let value = String::from_utf8_lossy(&self.bytes[property.values[0].clone()]);
                parsed.push(Property::Header("GM", value.into_owned()));
                continue;
            }
            match property::parse(&nodes::rebuild_property(self.bytes, property)) {
                Ok(mut additional) => parsed.append(&mut additional),
                Err(error) => {
                    let text = excerpt(&self.bytes[property.range.clone()]);
                    self.note(Code::UnreadableNode, property.range.start, format!("{text:?}: {error}"));
                }
            }
        }
        parsed
    }

    /// Reports a name that contains bytes other than letters, or no significant letters. A name
    /// that no program reads is reported only once in a game.
    fn odd_name(&mut self, name: Range<usize>) {
        let written = &self.bytes[name.clone()];
        let has_letters = written.iter().any(u8::is_ascii_alphabetic);
        if has_letters && !self.odd_names.insert(written.to_vec()) {
            return;
        }
        let excerpt = excerpt(written);
        let letters: Vec<u8> = written.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
        let detail = match &*capitals(&letters) {
            b"" => format!("{excerpt:?} is not the name of a property"),
            _ => format!("{excerpt:?} is read as one name and may be two"),
        };
        self.note(Code::UnreadableNode, name.start, detail);
    }

    /// Sorts the content of properties by kind and reports unusual points.
    fn content(&mut self, properties: Vec<Property>, offset: usize) -> NodeContent {
        let mut content = NodeContent::default();
        for property in properties {
            match property {
                Property::Turn(color, point) => {
                    let coordinates = point.map_or(Coordinates::Pass, |point| self.on_board_or_reported(point, offset));
                    content.turns.push((color, coordinates));
                }
                Property::InvalidTurn(color, values) => {
                    content.turns.push((color, self.first_coordinates(color, &values, offset)));
                }
                Property::Stones(stone, points) => {
                    content
                        .setup
                        .stones
                        .extend(self.report_listed_points(points, offset).into_iter().map(|point| (point, stone)));
                }
                Property::ToPlay(color) => content.setup.to_play = content.setup.to_play.or(Some(color)),
                Property::Territory(color, points) => {
                    let territory = content.territory.get_or_insert_default();
                    let marked = if color == Color::Black { &mut territory.black } else { &mut territory.white };
                    marked.extend(self.report_listed_points(points, offset));
                    marked.sort();
                    marked.dedup();
                }
                // jigo ignores marks, but other programs draw them.
                Property::Marks(points) => drop(self.report_listed_points(points, offset)),
                Property::Note(code, detail) => self.note(code, offset, detail),
                Property::CountedEnding => content.is_counted = true,
                Property::Header(..) => {}
            }
        }
        content
    }

    /// Returns the coordinates of the first value of a turn, and reports further values.
    fn first_coordinates(&mut self, color: Color, values: &[String], offset: usize) -> Coordinates {
        if values.len() > 1 {
            // A value other than the first may be a turn, and it is lost.
            let is_lost = values.iter().any(|value| value.trim() != values[0].trim());
            let code = if is_lost { Code::MisplacedNode } else { Code::SeveralTurns };
            let detail = format!("{} has {} values: the first is played", color.letter(), values.len());
            self.note(code, offset, detail);
        }
        let value = values.first().map_or("", |value| value);
        self.coordinates(value.as_bytes(), offset)
    }

    /// Adds setup, turns and marked territory of a node to the record, in this order.
    fn add(&mut self, content: NodeContent, offset: usize, sets_up_twice: bool) {
        let NodeContent { mut setup, turns, territory, is_counted } = content;
        setup.stones.sort_by_key(|(point, _)| *point);
        self.note_repeated_setup(&mut setup, offset, sets_up_twice);
        if self.in_root && !turns.is_empty() {
            self.note(Code::TurnInRoot, offset, "the first turn is in the root");
        }
        if turns.len() > 1 || (!turns.is_empty() && !setup.stones.is_empty()) {
            self.note(
                Code::SeveralTurns,
                offset,
                format!("{} turns and {} setup stones", turns.len(), setup.stones.len()),
            );
        }
        // Programs write the next player into the node of a turn.
        let is_next = |color: &Color| turns.first().is_some_and(|(first, _)| first != color);
        let next_player = setup.to_play.take_if(|color| is_next(color));
        self.set_up(offset, setup);
        for (color, coordinates) in turns {
            self.turn(offset, color, coordinates);
        }
        self.set_up(offset, Setup { to_play: next_player, ..Setup::default() });
        // Territory of the original record is evidence, and jigo's own count is not.
        if let Some(territory) = territory
            && !(is_counted && self.reading.record.territory.is_some())
        {
            self.reading.record.territory = Some(MarkedTerritory { is_counted, ..territory });
        }
    }

    fn set_up(&mut self, offset: usize, setup: Setup) {
        if !setup.stones.is_empty() || setup.to_play.is_some() {
            self.reading.record.push_setup(offset as u32, setup);
        }
    }

    /// Handles repeated points. If one property repeats a point, it is one stone. If several do,
    /// the last in the order AB, AW, AE counts.
    fn note_repeated_setup(&mut self, setup: &mut Setup, offset: usize, sets_up_twice: bool) {
        let listed_stones = setup.stones.len();
        setup.stones.dedup();
        let repeated_point = setup.stones.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0);
        if sets_up_twice || listed_stones > setup.stones.len() || repeated_point.is_some() {
            let detail = match repeated_point {
                Some(point) => format!("{point} is set up in two ways"),
                None => "a point is set up twice".into(),
            };
            self.note(Code::RepeatedSetup, offset, detail);
            // The last stone of a point remains. Counting it once keeps area and territory
            // consistent.
            setup.stones.dedup_by(|next, previous| {
                next.0 == previous.0 && {
                    previous.1 = next.1;
                    true
                }
            });
        }
    }
}

/// Returns true if the first SZ of a sound node has more than one value.
fn has_several_sizes(body: &[u8]) -> bool {
    let mut properties = nodes::sound_properties(body, 0..body.len());
    properties.find(|(name, _)| *capitals(&body[name.clone()]) == *b"SZ").is_some_and(|(_, values)| values.len() > 1)
}
