//! Fixes of nodes on the main line: empty nodes, unusual turns, several turns in one node, and
//! points that are set up twice.

use std::collections::HashMap;
use std::ops::Range;

use super::root_edits::{is_plain_node, name};
use super::turn_properties::{TurnProperties, leaves_notes};
use super::{header, repeated};
use crate::fix::fix_list::FixList;
use crate::fix::{Edit, Fix};
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::header::root_property::RootProperty;
use jigo_record::record::nodes::{MainLine, Node, RawProperty, is_long_name, properties};
use jigo_record::record::property::rectangle_form;
use jigo_record::sgf::tokens::ff4::{PropertyRole, is_setup, role};
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget, is_form_of};
use jigo_record::splitter::GameText;
use jigo_record::write::value::normalize_points;
use jigo_record::{Coordinates, GameRecord, Reading};
use jigo_rules::board::Point;

/// Returns fixes of the nodes on the main line.
pub(in crate::fix) fn fixes(text: &GameText, decoded: &Decoded, reading: &Reading, fixes: &mut FixList) {
    if reading.unreadable.is_some() {
        return;
    }
    let bytes = &*decoded.text;
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut nodes = Nodes {
        lexer,
        record: &reading.record,
        is_first_game: text.game == 1,
        has_open_value: reading.findings.iter().any(|finding| finding.code == Code::UnclosedValue),
        has_one_size: memchr::memmem::find_iter(bytes, b"SZ").take(2).count() == 1,
        step: 0,
        fixes,
    };
    let mut line = MainLine::from(lexer, 0);
    let mut in_root = true;
    while let Some(node) = line.next() {
        match node {
            Node::Turn { offset, value, .. } if !in_root => nodes.turn(offset, value),
            Node::Turn { offset, .. } => nodes.root(reading, offset, offset + 1..line.position()),
            Node::Other { offset, body, .. } if in_root => nodes.root(reading, offset, body),
            Node::Other { offset, body, .. } => nodes.node(offset, body),
        }
        in_root = false;
    }
}

/// The state of the pass over the nodes of a main line.
struct Nodes<'a, 'l, 'o> {
    lexer: Lexer<'a>,
    record: &'a GameRecord,
    /// True if the game is the first one of its source.
    is_first_game: bool,
    /// True if a value has no closing bracket.
    has_open_value: bool,
    /// True if the text states the size of the board exactly once. Points in other forms than that
    /// of FF\[4\] depend on it.
    has_one_size: bool,
    /// The index of the first step of the next node.
    step: usize,
    fixes: &'l mut FixList<'o>,
}

impl Nodes<'_, '_, '_> {
    /// Returns the steps of the node at `offset`.
    fn steps(&mut self, offset: usize) -> Range<usize> {
        let begins = self.step;
        while self.record.steps.get(self.step).is_some_and(|step| step.offset as usize == offset) {
            self.step += 1;
        }
        begins..self.step
    }

    /// Handles a node with only a turn.
    fn turn(&mut self, offset: usize, value: Range<usize>) {
        let steps = self.steps(offset);
        if let [step] = self.record.steps[steps].as_ref()
            && let Some((_, coordinates)) = step.turn()
        {
            self.coordinates(value, coordinates);
        }
    }

    /// Writes the value of a turn in the form of FF\[4\].
    fn coordinates(&mut self, value: Range<usize>, coordinates: Coordinates) {
        let value_text = &self.lexer.bytes[value.clone()];
        let standard = match coordinates {
            Coordinates::Play(point) => point.to_string(),
            Coordinates::Pass if value_text != b"tt" => String::new(),
            _ => return,
        };
        if value_text != standard.as_bytes() {
            let fix = Fix::with_edit(Code::OddCoordinates, Edit::replace(value, standard));
            self.fixes.push(fix.unsafe_if(!self.has_one_size));
        }
    }

    /// Handles any node except the root.
    fn node(&mut self, offset: usize, body: Range<usize>) {
        let bytes = self.lexer.bytes;
        if bytes[body.clone()].trim_ascii().is_empty() {
            let opens = bytes[..offset].trim_ascii_end().ends_with(b"(");
            // A tree needs at least one node.
            if !opens || bytes.get(body.end) == Some(&b';') {
                let fix = Fix::with_edit(Code::EmptyNodes, Edit::delete(offset..offset + 1));
                // At the end of the text, the node shows that the record is truncated.
                let is_last = bytes[body.end..].trim_ascii_start().is_empty();
                self.fixes.push(fix.unsafe_if(is_last));
            }
            return;
        }
        let (properties, _) = properties(&self.lexer, body.clone());
        self.properties(offset, &body, &properties, false);
    }

    /// Handles the root: its header, and properties as in other nodes.
    fn root(&mut self, reading: &Reading, offset: usize, body: Range<usize>) {
        let (properties, _) = properties(&self.lexer, body.clone());
        self.fixes.extend(header::fixes(self.lexer.bytes, (offset, &body, &properties), reading));
        self.properties(offset, &body, &properties, true);
    }

    /// Fixes repeated properties, except those of the header and those that the record's program
    /// usually repeats.
    fn repeated(&mut self, properties: &[RawProperty], names: &[Vec<u8>], in_root: bool) {
        let repeated_by_server = self.record.header.dialect.map_or(&[][..], |dialect| dialect.repeated);
        let is_of_header = |name: &[u8]| {
            RootProperty::find(name).is_some()
                || repeated_by_server.iter().any(|repeated_by_server| repeated_by_server.as_bytes() == name)
        };
        // Values of several turns may belong to different turns, even if they are the same. Stones
        // and territory do not belong to a turn.
        let turns = names.iter().filter(|name| matches!(name.as_slice(), b"B" | b"W")).count();
        let is_fixable = |name: &[u8]| !(in_root && is_of_header(name) || turns > 1 && !is_board_list(name));
        // An open value may contain the first of two properties.
        let fixes = repeated::fixes(self.lexer.bytes, properties, names, is_fixable);
        self.fixes.extend(fixes.into_iter().map(|fix| fix.unsafe_if(self.has_open_value)));
    }

    fn properties(&mut self, offset: usize, body: &Range<usize>, properties: &[RawProperty], in_root: bool) {
        let bytes = self.lexer.bytes;
        let names: Vec<Vec<u8>> = properties.iter().map(|property| name(bytes, property)).collect();
        let steps = self.steps(offset);
        let coordinates: Vec<Coordinates> =
            self.record.steps[steps].iter().filter_map(|step| Some(step.turn()?.1)).collect();
        let turns: Vec<usize> =
            (0..properties.len()).filter(|index| matches!(names[*index].as_slice(), b"B" | b"W")).collect();
        if turns.len() == coordinates.len() {
            for (index, coordinates) in turns.iter().zip(&coordinates) {
                self.values(&properties[*index], *coordinates);
            }
        }
        let first_fix = self.fixes.fixes.len();
        if turns.len() == coordinates.len() {
            let is_setup_name = |name: &Vec<u8>| is_setup(name);
            let first_moved = usize::from(!in_root && !names.iter().any(is_setup_name));
            if turns.len() > first_moved {
                self.move_turns(body, properties, &names, &turns[first_moved..], in_root);
            }
        }
        self.repeated(properties, &names, in_root);
        self.repeated_setup(properties, &names);
        // In a node with damage, other text may belong to the properties.
        if self.fixes.fixes.len() > first_fix && !is_plain_node(bytes, body.clone()) {
            self.fixes.doubt_since(first_fix);
        }
        self.rectangles(properties, &names);
        self.long_names(properties, &names);
    }

    /// Fixes the values of a turn. The first is played, and others have no known meaning.
    fn values(&mut self, property: &RawProperty, coordinates: Coordinates) {
        match property.values.as_slice() {
            [value] => self.coordinates(value.clone(), coordinates),
            [first, ..] => {
                let rest = (first.end + 1).min(property.range.end)..property.range.end;
                let value = |range: &Range<usize>| self.lexer.bytes[range.clone()].trim_ascii();
                let is_lost = property.values.iter().any(|other| value(other) != value(first));
                let code = if is_lost { Code::MisplacedNode } else { Code::SeveralTurns };
                self.fixes.push(Fix::with_edit(code, Edit::delete(rest)).into_unsafe());
            }
            [] => {}
        }
    }

    /// Moves turns to new nodes after this one, each with its clock and annotations.
    fn move_turns(
        &mut self,
        body: &Range<usize>,
        properties: &[RawProperty],
        names: &[Vec<u8>],
        moved: &[usize],
        in_root: bool,
    ) {
        let bytes = self.lexer.bytes;
        let turn_properties = TurnProperties::new(names);
        let (mut edits, mut nodes) = (Vec::new(), Vec::new());
        for &turn in moved {
            nodes.push(b';');
            for index in turn_properties.of_turn(turn) {
                let range = properties[index].range.clone();
                nodes.extend_from_slice(&bytes[range.clone()]);
                edits.push(Edit::delete(range));
            }
        }
        // The other parts of the text are ASCII or unchanged UTF-8. In other charsets only ASCII
        // can be copied.
        if !nodes.is_ascii() || has_shared_values(names, moved, in_root) || properties.iter().any(is_unclosed) {
            return;
        }
        let end = body.start + bytes[body.clone()].trim_ascii_end().len();
        edits.sort_by_key(|edit| edit.range.start);
        let mut own_properties = Vec::new();
        let own_end = edits.iter().fold(body.start, |start, edit| {
            own_properties.extend_from_slice(&bytes[start..edit.range.start]);
            edit.range.end
        });
        own_properties.extend_from_slice(&bytes[own_end..body.end]);
        edits.push(Edit::insert(end, nodes.clone()));
        let code = if in_root { Code::TurnInRoot } else { Code::SeveralTurns };
        let before = String::from_utf8_lossy(&bytes[body.clone()]).into_owned();
        let new_text =
            String::from_utf8_lossy(&own_properties).trim_end().to_owned() + &String::from_utf8_lossy(&nodes);
        // A root without a header may be a node of the game before it. A turn at the start of a node
        // shows where a value without its bracket ends.
        let is_complete = !in_root || self.is_first_game || header::is_header(names);
        let is_in_doubt = !is_complete || self.has_open_value || leaves_notes(&names[moved[0]..], in_root);
        self.fixes.push(Fix::safe(code, edits).with_texts(before, new_text).unsafe_if(is_in_doubt));
    }

    /// Writes long names and names in small letters as in FF\[4\]. Other names belong to programs.
    fn long_names(&mut self, all: &[RawProperty], names: &[Vec<u8>]) {
        for (property, name) in all.iter().zip(names) {
            let identifier = property.identifier.clone();
            let text = &self.lexer.bytes[identifier.clone()];
            if is_long_name(text) && !property.values.is_empty() && role(name).is_some() {
                let fix = Fix::with_edit(Code::LongName, Edit::replace(identifier, name.clone()));
                self.fixes.push(fix.unsafe_if(!is_form_of(text, name)));
            }
        }
    }

    /// Writes points and rectangles in the form of FF\[4\].
    fn rectangles(&mut self, all: &[RawProperty], names: &[Vec<u8>]) {
        for (property, name) in all.iter().zip(names) {
            let Some(role) = role(name).filter(|role| role.is_read_list() || *role == PropertyRole::Mark) else {
                continue;
            };
            for value in &property.values {
                let Ok(text) = std::str::from_utf8(&self.lexer.bytes[value.clone()]) else { continue };
                // In a label, the text follows the point.
                let length = text.find(':').filter(|_| name == b"LB").unwrap_or(text.len());
                let text = &text[..length];
                let small =
                    normalize_points(text, self.record.header.size).filter(|_| text.contains(char::is_uppercase));
                let rectangle = rectangle_form(text).filter(|_| role.is_read_list());
                let is_in_doubt = small.is_some() && !self.has_one_size;
                let (code, standard) = match (rectangle, small) {
                    (Some(standard), None) | (Some(_), Some(standard)) => (Code::RectangleForm, standard),
                    (None, Some(standard)) if standard != text => (Code::OddCoordinates, standard),
                    _ => continue,
                };
                let fix = Fix::with_edit(code, Edit::replace(value.start..value.start + length, standard));
                self.fixes.push(fix.unsafe_if(is_in_doubt));
            }
        }
    }

    /// Removes repeated setup points of a node.
    ///
    /// If the stones are equal and no others come between them, one suffices. Otherwise the last
    /// counts, which is an unsafe fix and waits until the equal ones are removed. All removals of a node form one fix, since they
    /// share properties.
    fn repeated_setup(&mut self, all: &[RawProperty], names: &[Vec<u8>]) {
        let bytes = self.lexer.bytes;
        let mut points: HashMap<Point, (usize, Range<usize>)> = HashMap::new();
        let mut removals: Vec<(Range<usize>, bool)> = Vec::new();
        // The number of properties with another name, up to a property.
        let (mut run, mut last) = (0, &[][..]);
        for (property, name) in all.iter().zip(names).filter(|(_, name)| is_setup(name)) {
            run += usize::from(name != last);
            last = name;
            for value in &property.values {
                let &[column, row] = bytes[value.clone()].trim_ascii() else { continue };
                let Some(point) = Point::from_sgf(column, row) else { continue };
                let range = value.start - 1..(value.end + 1).min(property.range.end);
                match points.get(&point) {
                    Some((before, _)) if *before == run => removals.push((range, true)),
                    earlier => {
                        removals.extend(earlier.map(|(_, range)| (range.clone(), false)));
                        points.insert(point, (run, range));
                    }
                }
            }
        }
        let is_safe = removals.iter().any(|(_, is_repeated)| *is_repeated);
        removals.retain(|(_, is_repeated)| *is_repeated == is_safe);
        let fix = Fix::safe(Code::RepeatedSetup, without(all, removals.into_iter().map(|(range, _)| range).collect()));
        self.fixes.push(fix.unsafe_if(!is_safe));
    }
}

/// Returns true if a property is a list of stones or territory.
fn is_board_list(name: &[u8]) -> bool {
    role(name).is_some_and(PropertyRole::is_read_list)
}

/// Returns true if the last value has no bracket. Text after it would become a part of the value,
/// and a bracket would hide that the record is truncated.
fn is_unclosed(property: &RawProperty) -> bool {
    property.values.last().is_some_and(|value| value.end == property.range.end)
}

/// Returns true if a node has several turns and repeats a property, other than clocks, stones and
/// territory, that may belong to any of them. After the division, all values would be in the first
/// node, and only one of them would be kept.
fn has_shared_values(names: &[Vec<u8>], moved: &[usize], in_root: bool) -> bool {
    let is_turn = |name: &[u8]| matches!(name, b"B" | b"W");
    let is_shared = |name: &[u8]| {
        let is_of_header = in_root && RootProperty::find(name).is_some();
        !is_turn(name) && !is_of_header && !is_board_list(name) && role(name) != Some(PropertyRole::Clock)
    };
    let turns = names.iter().filter(|name| is_turn(name)).count();
    let mut shared: Vec<&[u8]> = names.iter().map(Vec::as_slice).filter(|name| is_shared(name)).collect();
    shared.sort_unstable();
    turns > 1 && !moved.is_empty() && shared.windows(2).any(|pair| pair[0] == pair[1])
}

/// Removes values with their brackets. A property without remaining values is removed as a whole,
/// because its name would become part of the following text.
fn without(all: &[RawProperty], mut ranges: Vec<Range<usize>>) -> Vec<Edit> {
    ranges.sort_by_key(|value| value.start);
    let (mut edits, mut rest) = (Vec::new(), ranges.as_slice());
    // Properties are in the order of the text.
    for property in all {
        let count = rest.partition_point(|value| value.start < property.range.end);
        let (of_property, others) = rest.split_at(count);
        rest = others;
        if count == property.values.len() && count > 0 {
            edits.push(Edit::delete(property.range.clone()));
        } else {
            edits.extend(of_property.iter().cloned().map(Edit::delete));
        }
    }
    edits
}
