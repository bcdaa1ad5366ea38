//! SGF output for records of other formats. It contains only the parsed content.

use super::form::Form;
use super::marks::Marks;
use super::node_text::{mark, root, set_up, turn};
use super::properties::Properties;
use super::tree::NodeTree;
use crate::header::root_property::{ROOT, Storage};
use crate::{GameRecord, StepKind};

/// Returns the normal form of a record's main line.
pub fn of_record(record: &GameRecord, form: Form, marks: Option<&Marks>) -> String {
    let mut tree = NodeTree::default();
    let mut text = root(&record.header, &header(record), form);
    let mut last = None;
    for step in &record.steps {
        match step.kind {
            StepKind::Setup(index)
                if last.is_none() && record.steps.first().is_some_and(|first| first.offset == step.offset) =>
            {
                set_up(record.setup(index), &mut text);
                continue;
            }
            _ => {}
        }
        last = Some(tree.push(last, &text));
        text = match step.kind {
            StepKind::Setup(index) => {
                let mut text = String::from(";");
                set_up(record.setup(index), &mut text);
                text
            }
            StepKind::Turn(color, coordinates) => format!(";{}", turn(record, color, coordinates)),
        };
    }
    if let Some(territory) = &record.territory {
        mark(territory, &mut text);
    }
    last = Some(tree.push(last, &text));
    if let Some(marks) = marks {
        tree.push(last, &marks.node());
    }
    tree.text(form.is_pretty)
}

/// Returns the properties of the header.
fn header(record: &GameRecord) -> Properties {
    let header = &record.header;
    let komi = header.komi.map(|komi| komi.to_string()).unwrap_or_default();
    let handicap = header.handicap.map(|stones| stones.to_string()).unwrap_or_default();
    let mut properties = Properties::default();
    for property in &ROOT {
        let text = match &property.storage {
            Storage::Text(text) => (text.get)(header),
            Storage::Komi => &komi,
            Storage::Handicap => &handicap,
            Storage::Result => &header.result_text,
            // `root` writes the size, together with the properties that every record has.
            Storage::Size | Storage::Nowhere => continue,
        };
        properties.set(property.name, text);
    }
    properties
}
