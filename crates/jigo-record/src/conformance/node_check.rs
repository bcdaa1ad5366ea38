//! Checks of one node: its properties, and the properties that exclude each other.

use std::ops::Range;

use super::declared::{Declared, is_reported_list};
use super::node_place::{Kinds, NodePlace};
use super::point_list_check::{PointList, Reported};
use super::value_form;
use super::violation::quoted;
use crate::finding::{Code, Finding, Place, excerpt};
use crate::record::Reading;
use crate::record::evaluation;
use crate::record::nodes::{is_long_name, sound_properties};
use crate::sgf::Limits;
use crate::sgf::tokens::ff4::{Definition, LATEST, PropertyRole, ValueForm, definition_in_any_version};
use crate::sgf::tokens::lexer::capitals;
use jigo_rules::board::PointSet;

/// The points of a node that other properties must not name.
#[derive(Default)]
struct NodePoints {
    marks: Option<PointSet>,
    territory: Option<PointSet>,
    setup: Option<PointSet>,
}

impl NodePoints {
    /// Returns the points of the lists that must not share points with this one.
    fn shared_by(&mut self, definition: &Definition) -> Option<&mut Option<PointSet>> {
        match definition.role {
            PropertyRole::Stones(_) => Some(&mut self.setup),
            PropertyRole::Territory(_) => Some(&mut self.territory),
            PropertyRole::Mark if definition.form == ValueForm::Points => Some(&mut self.marks),
            _ => None,
        }
    }
}

/// A property to check.
#[derive(Clone, Copy)]
struct CheckedProperty<'p> {
    definition: &'static Definition,
    /// Its name in the text.
    name: &'p Range<usize>,
    values: &'p [Range<usize>],
    place: NodePlace<'p>,
}

/// Checks nodes one after the other.
#[derive(Default)]
pub(super) struct NodeChecker<'a> {
    /// The text of the record.
    pub(super) bytes: &'a [u8],
    declared: Declared,
    max_findings: usize,
    findings: Vec<Finding>,
    is_full: bool,
    /// The number of values in lists that are still checked. A rectangle costs as much as
    /// the 52 rows of the largest board.
    items_left: u64,
    /// The offset of the first list that is not checked because too few values are left.
    unchecked_list: Option<usize>,
    /// The properties so far of a node that the reader does not read, each once.
    names: Vec<&'static Definition>,
    /// The offsets of nodes whose header another finding reports, in ascending order.
    second_headers: Vec<usize>,
    /// True if a finding already reports a name with small letters.
    has_long_name: bool,
}

impl<'a> NodeChecker<'a> {
    /// Returns a checker for the game of `reading`.
    pub(super) fn new(bytes: &'a [u8], declared: Declared, reading: &Reading, limits: Limits) -> NodeChecker<'a> {
        let max_findings = usize::try_from(limits.findings).unwrap_or(usize::MAX);
        let mut second_headers = reading.nodes.second_headers.clone();
        second_headers.sort_unstable();
        NodeChecker {
            bytes,
            declared,
            max_findings: max_findings.saturating_sub(reading.findings.len()),
            items_left: limits.points,
            has_long_name: reading.findings.iter().any(|finding| finding.code == Code::LongName),
            second_headers,
            ..NodeChecker::default()
        }
    }

    /// Returns true if a value is a turn on the board or a pass.
    pub(super) fn is_turn(&self, value: &[u8]) -> bool {
        value_form::fault(ValueForm::Turn, value, self.declared.size).is_none()
    }

    /// Returns the number of violations so far.
    pub(super) fn violations(&self) -> usize {
        self.findings.len()
    }

    /// Sets the turn of the violations from an index on. The root has no turn.
    pub(super) fn set_turn(&mut self, first: usize, turns: u32) {
        if turns > 0 {
            self.findings[first..].iter_mut().for_each(|finding| finding.place.turn = Some(turns));
        }
    }

    /// Returns the violations from an index on, so that their places can be changed.
    pub(super) fn findings_from(&mut self, first: usize) -> &mut [Finding] {
        &mut self.findings[first..]
    }

    /// Returns all violations. If some of them are missing, the last findings say so.
    pub(super) fn into_findings(mut self) -> Vec<Finding> {
        if self.is_full {
            let offset = self.findings.last().map_or(0, |finding| finding.place.offset);
            self.note_limit(offset, "the game has more violations of FF[4] than --max findings allows");
        }
        if let Some(offset) = self.unchecked_list {
            self.note_limit(
                offset,
                "the lists have more points than jigo checks by FF[4] in one game; lists from here on may be unchecked",
            );
        }
        self.findings
    }

    /// Reports that violations may be missing.
    fn note_limit(&mut self, offset: usize, detail: &str) {
        let finding = Finding::new(Code::TooManyFindings, Place::byte(offset), detail.to_owned());
        self.findings.push(Finding { severity: crate::Severity::Info, ..finding });
    }

    /// Adds a violation.
    pub(super) fn violate(&mut self, code: Code, offset: usize, detail: String) {
        if self.findings.len() < self.max_findings {
            self.findings.push(Finding::new(code, Place::byte(offset), detail));
        } else {
            self.is_full = true;
        }
    }

    fn name(&self, name: &Range<usize>) -> String {
        String::from_utf8_lossy(&self.bytes[name.clone()]).into_owned()
    }

    /// Checks a sound node with this text after its `;`, and returns the kinds of its properties.
    pub(super) fn node(&mut self, body: Range<usize>, place: NodePlace) -> Kinds {
        let (mut kinds, mut points) = (Kinds::default(), NodePoints::default());
        self.names.clear();
        for (name, values) in sound_properties(self.bytes, body) {
            if name.is_empty() || place.has_note_at(Code::UnreadableNode, name.start) {
                continue;
            }
            let short = capitals(&self.bytes[name.clone()]);
            match definition_in_any_version(&short) {
                Some(_) if place.is_root && self.is_alias(&short) => {}
                Some(definition) => {
                    self.property(CheckedProperty { definition, name: &name, values: &values, place }, &mut points);
                    kinds.add(definition, &name);
                    if !place.is_read && !self.names.contains(&definition) {
                        self.names.push(definition);
                    }
                }
                None => {
                    self.private_name(&name, place);
                    self.evaluation(&name, &values);
                }
            }
            if !place.is_read {
                self.long_name(&name);
            }
        }
        self.exclusions(&kinds, place);
        kinds
    }

    /// Returns true if the dialect uses the name of a property for another one.
    fn is_alias(&self, name: &[u8]) -> bool {
        self.declared.dialect.is_some_and(|dialect| dialect.aliases.iter().any(|(alias, _)| alias.as_bytes() == name))
    }

    /// Reports the first name of the game with small letters.
    fn long_name(&mut self, name: &Range<usize>) {
        let letters = &self.bytes[name.clone()];
        if !self.has_long_name && is_long_name(letters) {
            self.has_long_name = true;
            let detail = format!("{} is read as {}", self.name(name), String::from_utf8_lossy(&capitals(letters)));
            self.violate(Code::LongName, name.start, detail);
        }
    }

    /// Checks the name of a property that no version defines. FF\[4\] allows any capitals.
    fn private_name(&mut self, name: &Range<usize>, place: NodePlace) {
        let letters = &self.bytes[name.clone()];
        let is_reported = is_long_name(letters) || place.has_note(&[Code::UnreadableNode]);
        if letters.iter().any(|byte| !byte.is_ascii_uppercase()) && !is_reported {
            let text = excerpt(letters);
            self.violate(Code::PropertyName, name.start, format!("{text:?} is not a name of capital letters"));
        }
    }

    /// Reports an evaluation that can't be read.
    fn evaluation(&mut self, name: &Range<usize>, values: &[Range<usize>]) {
        let letters = &self.bytes[name.clone()];
        let values: Vec<&[u8]> = values.iter().map(|range| &self.bytes[range.clone()]).collect();
        if let Some(fault) = evaluation::fault(letters, &values) {
            let detail = format!("{} {fault}", quoted(letters, values.first().copied().unwrap_or_default()));
            self.violate(Code::UnreadableEvaluation, name.start, detail);
        }
    }

    fn property(&mut self, property: CheckedProperty, points: &mut NodePoints) {
        let CheckedProperty { definition, name, place, .. } = property;
        if !place.is_read && self.names.contains(&definition) {
            self.violate(
                Code::RepeatedProperty,
                name.start,
                format!("{0} occurs again: an earlier {0} exists", definition.name),
            );
        }
        if self.is_private(property) {
            return;
        }
        if self.violates_version(definition, name) && definition.until < LATEST {
            return;
        }
        if definition.role == PropertyRole::Root && !place.is_root {
            if !self.is_second_header(place) {
                self.violate(Code::RootProperty, name.start, format!("{} belongs to the root", definition.name));
            }
            return;
        }
        let is_info = definition.role == PropertyRole::GameInfo;
        if is_info && place.has_earlier_info && !self.is_second_header(place) {
            let detail = format!("{}: an earlier node of the path has game info", definition.name);
            self.violate(Code::RepeatedGameInfo, name.start, detail);
        }
        match definition.form.is_list() {
            true => self.list(property, points),
            false => self.single_value(property),
        }
    }

    /// Checks a property with one value.
    fn single_value(&mut self, CheckedProperty { definition, name, values, place }: CheckedProperty) {
        let bytes = self.bytes;
        if values.len() > 1 && !self.is_usual_list(definition.name) && !is_reported_list(definition, place) {
            let detail = format!("{} has {} values: FF[4] allows one", definition.name, values.len());
            self.violate(Code::SeveralValues, name.start, detail);
        }
        let is_turn = matches!(definition.role, PropertyRole::Turn(_));
        for range in values {
            let value = &bytes[range.clone()];
            if is_turn && place.is_read {
                break;
            }
            if let Some((code, text)) = self.declared.value_fault(definition, value, place) {
                self.violate(code, name.start, format!("{} {text}", quoted(&bytes[name.clone()], value)));
            }
        }
    }

    /// Returns true if D024 reports the header of this node, so that its properties need no finding
    /// about their place.
    fn is_second_header(&self, place: NodePlace) -> bool {
        self.second_headers.binary_search(&place.offset).is_ok()
    }

    /// Returns true if a server uses the name of an obsolete property with another meaning.
    ///
    /// These are TC in the root, for the periods of overtime, and LT with a value.
    fn is_private(&self, CheckedProperty { definition, values, place, .. }: CheckedProperty) -> bool {
        match definition.name {
            // Only earlier versions define these names.
            _ if definition.until == LATEST => false,
            "TC" => place.is_root && !self.declared.is_before_ff4(),
            "LT" => values.iter().any(|value| !value.is_empty()),
            _ => false,
        }
    }

    /// Returns true if the server that wrote the record repeats this property.
    fn is_usual_list(&self, name: &str) -> bool {
        self.declared.dialect.is_some_and(|dialect| dialect.repeated.contains(&name))
    }

    /// Reports a property that the declared version does not define.
    fn violates_version(&mut self, definition: &Definition, name: &Range<usize>) -> bool {
        let Some(version) = self.declared.version else { return false };
        if version > definition.until {
            let instead = match definition.name {
                "L" => "; FF[4] has LB",
                "M" => "; FF[4] has MA",
                _ => "",
            };
            let detail = format!("{} is not a property of FF[{version}]{instead}", definition.name);
            self.violate(Code::ObsoleteProperty, name.start, detail);
            true
        } else if version < definition.since {
            let detail = format!("{} is a property of FF[{}], not of FF[{version}]", definition.name, definition.since);
            self.violate(Code::NewerProperty, name.start, detail);
            true
        } else {
            false
        }
    }

    /// Checks the values of a list.
    fn list(&mut self, property: CheckedProperty, points: &mut NodePoints) {
        let CheckedProperty { definition, name, values, place } = property;
        let cost = |value: &Range<usize>| if value.len() > 2 { 52 } else { 1 };
        let Some(items_left) = self.items_left.checked_sub(values.iter().map(cost).sum()) else {
            self.unchecked_list.get_or_insert(name.start);
            return;
        };
        self.items_left = items_left;
        if definition.until < LATEST && !self.declared.is_before_ff4() {
            return;
        }
        let mut own_points = None;
        let points = points.shared_by(definition).unwrap_or(&mut own_points);
        let list = PointList {
            form: definition.form,
            declared: self.declared,
            reported: Reported::by_reader(definition, place),
        };
        list.check(self.bytes, values, points.get_or_insert(PointSet::EMPTY), |value, (code, text)| {
            self.violate(code, name.start, format!("{} {text}", quoted(definition.name.as_bytes(), value)));
        });
    }

    /// Reports properties of a node that exclude each other.
    fn exclusions(&mut self, kinds: &Kinds, place: NodePlace) {
        if kinds.move_opinions > 1 {
            let detail = "BM, DO, IT and TE exclude each other".to_owned();
            self.violate(Code::AnnotationConflict, place.offset, detail);
        }
        if kinds.position_opinions > 1 {
            let detail = "DM, GB, GW and UC exclude each other".to_owned();
            self.violate(Code::AnnotationConflict, place.offset, detail);
        }
        if let Some(name) = kinds.needs_turn.as_ref().filter(|_| kinds.turns == 0) {
            let detail = format!("{} is about a turn, and the node has none", self.name(name));
            self.violate(Code::AnnotationWithoutTurn, name.start, detail);
        }
        // P008 is about a turn with stones.
        let is_reported = place.is_read && kinds.turns > 0 && kinds.has_stones;
        if kinds.has_move && (kinds.has_stones || kinds.has_to_play) && !is_reported {
            let detail = "the node has both moves and setup; FF[4] allows only one of them".to_owned();
            self.violate(Code::SetupWithMove, place.offset, detail);
        }
        if kinds.turns > 1 && !place.is_read {
            self.violate(Code::SeveralTurns, place.offset, format!("{} turns", kinds.turns));
        }
    }
}
