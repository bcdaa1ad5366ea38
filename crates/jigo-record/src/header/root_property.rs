//! The table of root properties, and where each is stored.
//!
//! The types of their values are in the table of [`ff4`](crate::sgf::tokens::ff4). All code that
//! handles header properties one by one uses this table.

use super::game_header::Header;
use crate::sgf::tokens::ff4::{Definition, definition};

/// A root property.
#[derive(Debug)]
pub struct RootProperty {
    /// The identifier. The first two letters are unique.
    pub name: &'static str,
    /// The place where it is stored.
    pub storage: Storage,
    /// Its row in the table of FF\[4\]; `None` for names outside the standard.
    pub(crate) definition: Option<&'static Definition>,
}

/// The place where a property is stored.
#[derive(Clone, Copy, Debug)]
pub enum Storage {
    /// Unchanged, in a text of the header.
    Text(HeaderText),
    /// In [`Header::size`].
    Size,
    /// In [`Header::komi`].
    Komi,
    /// In [`Header::handicap`].
    Handicap,
    /// In [`Header::result`] and its text.
    Result,
    /// Not stored.
    Nowhere,
}

/// Access to a text of the header.
#[derive(Clone, Copy, Debug)]
pub struct HeaderText {
    /// Returns the text.
    pub get: fn(&Header) -> &str,
    /// Returns the text for writing.
    pub get_mut: fn(&mut Header) -> &mut String,
}

/// Expands to the row of a text.
macro_rules! text {
    ($name:literal, $field:ident) => {{
        let text = HeaderText { get: |header| &header.$field, get_mut: |header| &mut header.$field };
        property($name, Storage::Text(text))
    }};
}

const fn property(name: &'static str, storage: Storage) -> RootProperty {
    RootProperty { name, storage, definition: definition(name.as_bytes()) }
}

/// All root properties.
pub(crate) static ROOT: [RootProperty; 22] = [
    property("GM", Storage::Nowhere),
    property("SZ", Storage::Size),
    text!("AP", application),
    text!("SO", source),
    text!("EV", event),
    text!("DT", date),
    text!("PC", place),
    text!("PB", black),
    text!("BR", black_rank),
    text!("PW", white),
    text!("WR", white_rank),
    text!("RU", rules),
    property("KM", Storage::Komi),
    property("HA", Storage::Handicap),
    property("RE", Storage::Result),
    property("GN", Storage::Nowhere),
    property("US", Storage::Nowhere),
    property("MULTIGOGM", Storage::Nowhere),
    property("TE", Storage::Nowhere),
    property("RD", Storage::Nowhere),
    property("KO", Storage::Nowhere),
    property("HD", Storage::Nowhere),
];

/// Returns the first two letters of a property, which are unique.
#[inline]
pub(crate) fn initials(name: &str) -> [u8; 2] {
    name.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// The index of the property for every pair of first letters; the table's length if there is none.
const INDEX_OF_INITIALS: [u8; 26 * 26] = {
    let (mut indices, mut index) = ([ROOT.len() as u8; 26 * 26], 0);
    while index < ROOT.len() {
        let name = ROOT[index].name.as_bytes();
        indices[initials_index(name[0], name[1])] = index as u8;
        index += 1;
    }
    indices
};

/// Returns the index of two letters, or one that is too large for other characters.
const fn initials_index(first: u8, second: u8) -> usize {
    let (first, second) = (first.wrapping_sub(b'A') as usize, second.wrapping_sub(b'A') as usize);
    if second < 26 { first * 26 + second } else { usize::MAX }
}

impl Header {
    /// Returns the texts that are stored unchanged, with their properties.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        ROOT.iter().filter_map(|property| match property.storage {
            Storage::Text(text) => Some((property.name, (text.get)(self))),
            _ => None,
        })
    }

    /// Empties the header and keeps its memory.
    pub(crate) fn clear(&mut self) {
        let Header { dialect, size, komi, komi_is_chinese, handicap, result, .. } = Header::default();
        (self.dialect, self.size, self.komi, self.komi_is_chinese, self.handicap, self.result) =
            (dialect, size, komi, komi_is_chinese, handicap, result);
        self.result_text.clear();
        for property in &ROOT {
            if let Storage::Text(text) = property.storage {
                (text.get_mut)(self).clear();
            }
        }
    }
}

impl RootProperty {
    /// Returns the property with this name.
    #[inline]
    pub fn find(name: &[u8]) -> Option<&'static RootProperty> {
        RootProperty::index(name).map(|index| &ROOT[index])
    }

    /// Returns the index of the property with this name.
    #[inline]
    pub(crate) fn index(name: &[u8]) -> Option<usize> {
        let [first, second, ..] = *name else { return None };
        let index = usize::from(*INDEX_OF_INITIALS.get(initials_index(first, second))?);
        let property = ROOT.get(index)?;
        (property.name.len() == name.len() && (name.len() == 2 || property.name.as_bytes() == name)).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dialect::DIALECTS;
    use super::*;

    #[test]
    fn root_property_is_found_by_its_whole_name() {
        for property in &ROOT {
            let found = RootProperty::find(property.name.as_bytes()).unwrap();
            assert_eq!(found.name, property.name, "two begin with the same letters");
        }
        for other in ["", "K", "KMX", "km", "MULTIGO", "MULTIGOGN", "C", "TB"] {
            assert!(RootProperty::find(other.as_bytes()).is_none(), "{other}");
        }
    }

    #[test]
    fn each_header_text_belongs_to_one_property() {
        let mut header = Header::default();
        for property in &ROOT {
            if let Storage::Text(text) = property.storage {
                (text.get_mut)(&mut header).push_str(property.name);
                assert_eq!((text.get)(&header), property.name);
            }
        }
        header.result_text.push_str("RE");
        // The pattern names all fields, so a new field causes a compile error here.
        #[rustfmt::skip]
        let Header {
            dialect: _, size: _, komi: _, komi_is_chinese: _, handicap: _, result: _,
            rules, result_text, black, white, black_rank, white_rank, event, date, place, application, source,
        } = &header;
        let texts = [rules, result_text, black, white, black_rank, white_rank, event, date, place, application, source];
        assert!(texts.iter().all(|text| text.len() == 2), "{texts:?}");
        assert_eq!(header.texts().count(), texts.len() - 1);
        header.dialect = DIALECTS.first();
        header.clear();
        assert_eq!(header, Header::default());
    }
}
