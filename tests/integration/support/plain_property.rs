//! Properties in the form of FF\[4\], as the second reader of records compares them. The rules are
//! those of the standard and of docs/findings.md, and share no code with jigo.

use std::collections::HashMap;

use super::plain_value::{Form, form, plain_value, point_form, points, with_part};

/// A property of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The name in capitals, or `text` and the text between properties.
    pub name: String,
    pub values: Vec<String>,
}

/// Long names of FF\[3\] in capitals, with their short ones.
const LONG_NAMES: [(&str, &str); 6] =
    [("BLACK", "B"), ("WHITE", "W"), ("COMMENT", "C"), ("ADDBLACK", "AB"), ("ADDWHITE", "AW"), ("SIZE", "SZ")];

/// Returns a name in the form of FF\[4\]: without small letters if it has capitals.
pub fn named(name: &str) -> String {
    let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
    if let Some((_, short)) = LONG_NAMES.iter().find(|(long, _)| *long == name) {
        (*short).into()
    } else if capitals.is_empty() {
        name.to_ascii_uppercase()
    } else {
        capitals
    }
}

impl Property {
    pub fn is_turn(&self) -> bool {
        form(&self.name) == Form::Turn
    }

    pub fn is_setup(&self) -> bool {
        matches!(self.name.as_str(), "AB" | "AW" | "AE" | "PL")
    }

    /// Returns true if it belongs to the turn before it.
    pub fn is_annotation(&self) -> bool {
        matches!(self.name.as_str(), "KO" | "MN" | "BM" | "DO" | "IT" | "TE")
    }

    /// Returns 0 for a turn or a clock of Black, and 1 for one of White.
    pub fn color(&self) -> Option<usize> {
        match self.name.as_str() {
            "B" | "BL" | "OB" => Some(0),
            "W" | "WL" | "OW" => Some(1),
            _ => None,
        }
    }

    /// Returns true if it is about the game or the record, so that a root suffices.
    pub fn is_about_game(&self) -> bool {
        const NAMES: [&str; 24] = [
            "AN", "AP", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PW", "RE", "RO",
            "RU", "SO", "ST", "SZ", "TM", "US",
        ];
        NAMES.contains(&self.name.as_str()) || matches!(self.name.as_str(), "WR" | "WT")
    }

    /// Returns true for a root property that says no more than its absence, or whose meaning is
    /// visible in everything else: charset and version.
    pub fn is_default(&self) -> bool {
        let value = self.values.first().map_or("", String::as_str);
        match self.name.as_str() {
            "CA" | "FF" => true,
            "GM" => self.values.len() == 1 && matches!(value, "" | "1" | "go"),
            "SZ" => self.values.len() == 1 && value == "19",
            _ => false,
        }
    }
}

/// Returns the properties of a node in the form of FF\[4\], with one property for each list and
/// each text. If `may_repeat` is true, equal texts remain, since they may belong to different
/// turns.
pub fn merge(node: Vec<Property>, root: &HashMap<String, Vec<String>>, may_repeat: bool) -> Vec<Property> {
    let size = root.get("SZ").and_then(|size| size[0].split(':').next()?.parse().ok()).unwrap_or(19);
    let mut merged: Vec<Property> = Vec::new();
    for property in node {
        let Some(mut property) = plain(property, size) else { continue };
        let form = form(&property.name);
        let is_list = matches!(form, Form::Points | Form::PointsOrEmpty | Form::Arrows | Form::Labels);
        let may_repeat = may_repeat && !is_list && property.color().is_none() && !property.is_annotation();
        let first = merged.iter_mut().find(|other| other.name == property.name);
        match first.filter(|_| !may_repeat && !matches!(form, Form::Turn | Form::Unknown)) {
            None => merged.push(property),
            Some(first) if first.values == property.values => {}
            Some(first) => match form {
                Form::Text => first.values = vec![format!("{}\n{}", first.values[0], property.values[0])],
                Form::Points | Form::PointsOrEmpty | Form::Arrows | Form::Labels => {
                    first.values.append(&mut property.values);
                    first.values.sort();
                    first.values.dedup();
                }
                // The first value counts, and the same value says nothing new.
                _ => property.values.into_iter().for_each(|value| {
                    if !first.values.iter().any(|other| other.trim() == value.trim()) {
                        first.values.push(value);
                    }
                }),
            },
        }
    }
    merged
}

/// Returns a property in the form of FF\[4\]; `None` for one without a number or a point.
fn plain(property: Property, size: usize) -> Option<Property> {
    let Property { mut name, mut values } = property;
    let is_blank = values.iter().all(|value| value.trim().is_empty());
    match name.as_str() {
        "L" if values.len() <= 26 => {
            values = values.iter().zip('a'..='z').map(|(point, letter)| format!("{point}:{letter}")).collect();
            name = "LB".into();
        }
        "M" => name = "MA".into(),
        _ => {}
    }
    let form = form(&name);
    match form {
        Form::Number | Form::Time | Form::Komi if is_blank && values.len() == 1 && name != "GM" => return None,
        Form::Points | Form::Arrows | Form::Labels if is_blank => return None,
        Form::Points | Form::PointsOrEmpty => {
            values = values.iter().flat_map(|value| points(&point_form(value, size))).collect();
            if !is_blank {
                values.retain(|value| !value.is_empty());
            }
            values.sort();
            values.dedup();
        }
        Form::Arrows | Form::Labels => {
            values = values.iter().map(|value| with_part(value, &|point| point_form(point, size))).collect();
            values.sort();
            values.dedup();
        }
        Form::Unknown | Form::Turn if values.len() > 1 => {}
        _ => {
            let is_same = values.windows(2).all(|pair| pair[0].trim() == pair[1].trim());
            values.truncate(if is_same { 1 } else { values.len() });
            if form == Form::Text {
                values = vec![values.join("\n")];
            }
            values = values.into_iter().map(|value| plain_value(form, value, size)).collect();
        }
    }
    Some(Property { name, values })
}
