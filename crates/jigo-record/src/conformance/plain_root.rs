//! Check of a root that the reader decoded in place. Nearly all games have such a root, so nothing
//! of it is scanned again.

use super::declared::Declared;
use super::node_place::NodePlace;
use super::value_form;
use crate::record::checked_nodes::PlainProperty;
use crate::sgf::tokens::ff4::{LATEST, PropertyRole, ValueForm};

/// Returns true for a root with game info if nothing in its properties violates the standard; `None`
/// if the node must be checked as any other.
pub(super) fn has_game_info(bytes: &[u8], properties: &[PlainProperty], declared: Declared) -> Option<bool> {
    if properties.is_empty() {
        return None;
    }
    let mut has_game_info = false;
    for property in properties {
        match property.definition.role {
            PropertyRole::Root => {}
            PropertyRole::GameInfo => has_game_info = true,
            _ if matches!(property.definition.form, ValueForm::Text | ValueForm::SimpleText) => {}
            _ => return None,
        }
        if !is_right(property, &bytes[property.value.clone()], declared) {
            return None;
        }
    }
    Some(has_game_info)
}

/// Returns true if the declared version defines a property with this value.
fn is_right(property: &PlainProperty, value: &[u8], declared: Declared) -> bool {
    let definition = property.definition;
    let is_defined = match declared.version {
        Some(version) => (definition.since..=definition.until).contains(&version),
        None => definition.until == LATEST,
    };
    is_defined
        && match definition.form {
            // Texts have no form, and other findings are about the board size and the result.
            ValueForm::SimpleText | ValueForm::Text | ValueForm::Size | ValueForm::Result => true,
            // Only handicaps have a fault that is not one of their form.
            form if definition.name != "HA" && value_form::fault(form, value, declared.size).is_none() => true,
            _ => declared.value_fault(definition, value, NodePlace::ROOT).is_none(),
        }
}
