//! Values that a record repeats and that no reader uses.

use std::collections::HashMap;

use super::value::{escape_value, normalize_points};
use crate::record::nodes::RawProperty;
use crate::sgf::tokens::ff4::{PropertyRole, ValueForm, role};
use crate::sgf::tokens::lexer::capitals;
use jigo_rules::board::BoardSize;

/// Returns the unused values of a node's properties, with their names: values of a turn, of PL and
/// of the header after the first one, points that several setup properties name, and unreadable
/// points. Values equal to the used ones are omitted.
pub(super) fn unused_values(bytes: &[u8], properties: &[RawProperty], is_root: bool, size: BoardSize) -> Vec<String> {
    let (mut firsts, mut points) = (HashMap::<String, String>::new(), HashMap::<String, String>::new());
    let mut unused = Vec::new();
    for property in properties {
        let name = String::from_utf8_lossy(&capitals(&bytes[property.identifier.clone()])).into_owned();
        let Some(repetition) = Repetition::for_property(&name, is_root) else { continue };
        let form = ValueForm::for_property(name.as_bytes());
        let mut values =
            property.values.iter().map(|value| escape_value(&bytes[value.clone()], form).trim().to_owned());
        match repetition {
            Repetition::Turn => {
                let first = values.next();
                unused.extend(values.filter(|value| first.as_ref() != Some(value)).map(|value| (name.clone(), value)));
            }
            Repetition::OnlyFirst => {
                let first = firsts.get(&name).cloned().or_else(|| values.next()).unwrap_or_default();
                unused.extend(values.filter(|value| *value != first).map(|value| (name.clone(), value)));
                firsts.insert(name, first);
            }
            Repetition::Point => {
                for value in values.filter(|value| !value.is_empty()) {
                    let is_readable = normalize_points(&value, size).is_some();
                    let first_name = points.entry(value.clone()).or_insert_with(|| name.clone());
                    unused.extend((!is_readable || *first_name != name).then(|| (name.clone(), value)));
                }
            }
        }
    }
    unused.into_iter().map(|(name, value)| format!("{name}[{value}]")).collect()
}

/// The use of repeated values.
enum Repetition {
    /// Each property is a turn, and its first value counts.
    Turn,
    /// The first value of the node counts.
    OnlyFirst,
    /// Each value is a point, and one property counts for a point.
    Point,
}

impl Repetition {
    /// Returns the use of a property's repeated values. `None` if the normal form writes them all.
    fn for_property(name: &str, is_root: bool) -> Option<Repetition> {
        match role(name.as_bytes()) {
            Some(PropertyRole::Turn(_)) => Some(Repetition::Turn),
            Some(PropertyRole::Stones(_)) => Some(Repetition::Point),
            Some(PropertyRole::ToPlay) => Some(Repetition::OnlyFirst),
            Some(PropertyRole::Root) => is_root.then_some(Repetition::OnlyFirst),
            _ => (is_root && matches!(name, "KM" | "HA")).then_some(Repetition::OnlyFirst),
        }
    }
}
