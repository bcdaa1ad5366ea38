//! SGF output for records of other formats. It contains only the parsed content.

use super::marks::Marks;
use super::node_properties::NodeProperties;
use super::node_text::{root_text, turn_text, write_setup, write_territory};
use super::tree::NodeTree;
use super::write_options::WriteOptions;
use crate::header::root_property::{ROOT, Storage};
use crate::{GameRecord, StepKind};

/// Returns the normal form of a record's main line.
pub fn record_text(record: &GameRecord, options: WriteOptions, marks: Option<&Marks>) -> String {
    let mut tree = NodeTree::default();
    let mut text = root_text(&record.header, &root_properties(record), options);
    let mut last = None;
    for step in &record.steps {
        match step.kind {
            StepKind::Setup(index)
                if last.is_none() && record.steps.first().is_some_and(|first| first.offset == step.offset) =>
            {
                write_setup(record.setup(index), &mut text);
                continue;
            }
            _ => {}
        }
        last = Some(tree.push(last, &text));
        text = match step.kind {
            StepKind::Setup(index) => {
                let mut text = String::from(";");
                write_setup(record.setup(index), &mut text);
                text
            }
            StepKind::Turn(color, coordinates) => format!(";{}", turn_text(record, color, coordinates)),
        };
    }
    if let Some(territory) = &record.territory {
        write_territory(territory, &mut text);
    }
    last = Some(tree.push(last, &text));
    if let Some(marks) = marks {
        tree.push(last, &marks.node());
    }
    tree.text(options.is_pretty)
}

/// Returns the properties of the header.
fn root_properties(record: &GameRecord) -> NodeProperties {
    let header = &record.header;
    let komi = header.komi.map(|komi| komi.to_string()).unwrap_or_default();
    let handicap = header.handicap.map(|stones| stones.to_string()).unwrap_or_default();
    let mut properties = NodeProperties::default();
    for property in &ROOT {
        let text = match &property.storage {
            Storage::Text(text) => (text.get)(header),
            Storage::Komi => &komi,
            Storage::Handicap => &handicap,
            Storage::Result => &header.result_text,
            // `root_text` writes the size, together with the properties that every record has.
            Storage::Size | Storage::Nowhere => continue,
        };
        properties.set(property.name, text);
    }
    properties
}
