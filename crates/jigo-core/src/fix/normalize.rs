//! Normalisation: header values in one form, if they have one possible reading.

use super::detect::charset_doubt::CharsetDoubt;
use super::detect::root_edits::{LineNode, name};
use super::edit::Edit;
use super::fix_options::{HeaderField, Normalization};
use super::fixed_game::Fix;
use super::merge::Addition;
use super::session::FixSession;
use jigo_record::finding::Code;
use jigo_record::formats::decode::Decoded;
use jigo_record::header::dialect::KomiUnit;
use jigo_record::header::komi::KomiText;
use jigo_record::header::written_date::{day_and_time, standard_dates};
use jigo_record::record::nodes::RawProperty;
use jigo_record::sgf::tokens::ff4::ValueForm;
use jigo_record::write::value::escape_value;
use jigo_record::{Header, PlayerList, Rank, has_remark};
use jigo_rules::ru_property::standard_ru;

/// The properties that can get another form.
const IDENTIFIERS: [(&str, HeaderField); 10] = [
    ("DT", HeaderField::Dates),
    ("PB", HeaderField::Players),
    ("PW", HeaderField::Players),
    ("BR", HeaderField::Ranks),
    ("WR", HeaderField::Ranks),
    ("EV", HeaderField::Events),
    ("PC", HeaderField::Places),
    ("RE", HeaderField::Results),
    ("RU", HeaderField::Rules),
    ("KM", HeaderField::Komi),
];

/// The private property for a time in DT, for which FF\[4\] has no place.
const TIME_OF_DAY: &str = "DTTIME";

/// A root property in another form.
struct Change {
    identifier: &'static str,
    /// The value as written between brackets.
    value: String,
    /// The time that DT loses.
    time: Option<String>,
    /// The row of the change.
    fix: Fix,
}

impl FixSession<'_> {
    /// Writes the selected header values in one form. Returns true if a value has changed.
    pub(super) fn normalize(&mut self) -> bool {
        let fix_count = self.fixes.len();
        for Change { identifier, value, time, fix } in self.changes() {
            let time = time.as_deref().map(|time| Addition::to_root(TIME_OF_DAY, time));
            let values: Vec<_> = std::iter::once(Addition::to_root(identifier, &value)).chain(time).collect();
            if self.set(&values, true).is_some() {
                self.fixes.push(Fix { is_made: true, ..fix });
            } else {
                self.reject(fix);
            }
        }
        self.fixes.len() > fix_count
    }

    /// Returns the changes of the current text.
    fn changes(&self) -> Vec<Change> {
        let (text, header) = (self.text(&self.bytes), &self.reading.record.header);
        let decoded = Decoded::new(text.bytes, text.charset);
        let bytes = &*decoded.text;
        let is_readable = self.reading.unreadable.is_none() && !bytes.contains(&0);
        let Some(root) = LineNode::root(bytes).filter(|_| is_readable) else { return Vec::new() };
        let is_in_doubt = CharsetDoubt::assess(&text, &decoded).exists();
        let selected = IDENTIFIERS.iter().filter(|(_, field)| self.options.normalization.fields.contains(field));
        let change = |identifier: &'static str| {
            // Servers with names of their own for properties write the date to RD.
            let source = if identifier == "DT" && header.date.trim().is_empty() { "RD" } else { identifier };
            let mut found = root.properties.iter().filter(|property| name(bytes, property) == source.as_bytes());
            let (Some([range]), None) = (found.next().map(|property| &*property.values), found.next()) else {
                return None;
            };
            let recorded = std::str::from_utf8(&bytes[range.clone()]).ok().filter(|text| !text.trim().is_empty())?;
            let (value, time) = self.options.normalization.standard_value(identifier, recorded, header)?;
            // Without a place for the time, the recorded value stays.
            let is_time_of_day = |property: &RawProperty| name(bytes, property) == TIME_OF_DAY.as_bytes();
            if time.is_some() && root.properties.iter().any(is_time_of_day) {
                return None;
            }
            let is_doubtful = is_in_doubt && !(recorded.is_ascii() && value.is_ascii());
            let is_odd = |text: &str| text.contains(['\\', char::REPLACEMENT_CHARACTER]);
            if value == recorded && source == identifier || is_doubtful || is_odd(recorded) || is_odd(&value) {
                return None;
            }
            let value = escape_value(value.as_bytes(), ValueForm::for_property(identifier.as_bytes())).into_owned();
            let time_after = time.as_ref().map_or(String::new(), |time| format!("{TIME_OF_DAY}[{time}]"));
            let fix = Fix::with_edit(Code::HeaderForm, Edit::insert(decoded.source(range.start), ""))
                .with_texts(format!("{source}[{recorded}]"), format!("{identifier}[{value}]{time_after}"));
            Some(Change { identifier, value, time, fix: self.describe(fix) })
        };
        selected.filter_map(|(identifier, _)| change(identifier)).collect()
    }
}

impl Normalization {
    /// Returns the standard form of a property with this value, and the time in a DT. Returns
    /// `None` if the value has several readings or none.
    pub(super) fn standard_value(
        &self,
        identifier: &str,
        text: &str,
        header: &Header,
    ) -> Option<(String, Option<String>)> {
        let listed = |list: &Option<_>| listed_name(list.as_deref(), text);
        if let Some((day, time)) = day_and_time(text).filter(|_| identifier == "DT") {
            return Some((day, Some(time.to_owned())));
        }
        let value = match identifier {
            "DT" => standard_dates(text),
            "PB" | "PW" => listed(&self.players),
            "EV" => listed(&self.events),
            "PC" => listed(&self.places),
            "BR" | "WR" => Rank::standard_form(text),
            "RU" => standard_ru(text).map(str::to_owned),
            "RE" if header.result.oddity.is_none() && !has_remark(text) => header.result.text(),
            "KM" => standard_komi(text, header.dialect.map_or(KomiUnit::default(), |dialect| dialect.komi)),
            _ => None,
        }?;
        Some((value, None))
    }
}

/// Returns the listed name for a text, or the text, with single blanks.
pub(super) fn listed_name(list: Option<&PlayerList>, text: &str) -> Option<String> {
    let name = list.and_then(|list| list.standard_name(text)).unwrap_or(text);
    let words: Vec<&str> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns KM as a decimal number. Other units have fixes of their own.
fn standard_komi(text: &str, unit: KomiUnit) -> Option<String> {
    let read = KomiText::parse(text.trim(), unit).ok()?;
    let is_of_points = read.codes.iter().all(|code| matches!(code, Code::KomiComma | Code::KomiForm));
    is_of_points.then(|| read.komi.to_string())
}
