//! The properties of one node of a text that follows the grammar of FF\[4\].

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use jigo_record::sgf::tokens::ff4::{PropertyRole, ValueForm, role};
use jigo_record::sgf::tokens::lexer::capitals;

/// The name of a property in capitals, and its values without blanks around them.
type Property<'a> = (Cow<'a, [u8]>, Vec<&'a [u8]>);

/// The properties of a node with the literal text of their values.
#[derive(Default)]
pub(super) struct PlainNode<'a> {
    properties: Vec<Property<'a>>,
}

impl<'a> PlainNode<'a> {
    pub(super) fn push(&mut self, name: &'a [u8], values: impl Iterator<Item = &'a [u8]>) {
        self.properties.push((capitals(name), values.map(<[u8]>::trim_ascii).collect()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.properties.is_empty()
    }

    /// Returns the properties that change the position, setup first, and the other ones. Properties
    /// with the same name are one property, and each of its values occurs once.
    ///
    /// Stones of another colour between two setups may be on the same points. Turns and their
    /// clocks stay apart, since each clock may belong to another turn.
    pub(super) fn into_properties(self) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
        let is_turn = |name: &[u8]| matches!(role(name), Some(PropertyRole::Turn(_)));
        let turns = self.properties.iter().filter(|(name, _)| is_turn(name)).count();
        let mut lists: [Vec<Property>; 3] = Default::default();
        let mut places: HashMap<Cow<'a, [u8]>, usize> = HashMap::new();
        for (name, values) in self.properties {
            let role = role(&name);
            let list = match role {
                Some(PropertyRole::Stones(_)) => &mut lists[0],
                Some(role) if is_on_board(role) => &mut lists[1],
                _ => &mut lists[2],
            };
            let place = match role {
                Some(PropertyRole::Stones(_)) => list.len().checked_sub(1).filter(|last| list[*last].0 == name),
                Some(PropertyRole::Turn(_)) | None => None,
                Some(PropertyRole::Clock) if turns > 1 => None,
                Some(_) => places.get(&name).copied(),
            };
            match place {
                Some(place) => list[place].1.extend(values),
                None => {
                    places.insert(name.clone(), list.len());
                    list.push((name, values));
                }
            }
        }
        let [setup, turns, others] = lists.map(|list| {
            let texts = list.into_iter().filter_map(|(name, values)| property_text(&name, values));
            texts.collect::<Vec<_>>()
        });
        ([setup, turns].concat(), others)
    }
}

/// Returns the text of a property. Repeated values of a known property and blank values of a list
/// say nothing.
fn property_text(name: &[u8], mut values: Vec<&[u8]>) -> Option<Vec<u8>> {
    let is_list = ValueForm::for_property(name).is_list();
    if is_list {
        values.retain(|value| !value.is_empty());
    }
    if role(name).is_some() {
        let mut found = HashSet::new();
        values.retain(|value| found.insert(*value));
    }
    let mut text = name.to_vec();
    for value in &values {
        text.push(b'[');
        text.extend_from_slice(value);
        text.push(b']');
    }
    (!values.is_empty()).then_some(text)
}

/// Returns true if properties with this role change the position.
pub(super) fn is_on_board(role: PropertyRole) -> bool {
    role.affects_board() && !matches!(role, PropertyRole::Territory(_))
}
