//! The properties of the root that are read, in one table: what each holds, where it is kept, and what servers make of it.

use super::Header;

/// A property of the root.
#[derive(Debug)]
pub struct RootProperty {
    /// Its identifier. No two begin with the same two letters.
    pub name: &'static str,
    /// What FF[4] says that it holds.
    pub holds: Holds,
    /// Where it is kept.
    pub kept: Kept,
    /// What servers and programs make of it.
    pub servers: Servers,
}

/// What a property holds by FF[4].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The number of a game; 1 is Go.
    Game,
    /// The size of a board.
    Size,
    /// A whole number.
    Number,
    /// A number with a fraction.
    Real,
    /// A text.
    Text,
}

/// Where a property is kept.
#[derive(Clone, Copy, Debug)]
pub enum Kept {
    /// As it is, in this text of the header.
    Text(fn(&mut Header) -> &mut String),
    /// As [`Header::size`].
    Size,
    /// As [`Header::komi`].
    Komi,
    /// As [`Header::handicap`].
    Handicap,
    /// As [`Header::result`] and its text.
    Result,
    /// Nowhere.
    Nowhere,
}

/// What servers and programs write into a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Servers {
    /// What FF[4] says.
    AsStated,
    /// Who they are: a dialect is known by it.
    Name,
    /// Something that only those can read who know the dialect.
    Abuse,
}

const fn text(name: &'static str, kept: fn(&mut Header) -> &mut String, servers: Servers) -> RootProperty {
    RootProperty { name, holds: Holds::Text, kept: Kept::Text(kept), servers }
}

const fn property(name: &'static str, holds: Holds, kept: Kept, servers: Servers) -> RootProperty {
    RootProperty { name, holds, kept, servers }
}

/// All of them.
pub const ROOT: [RootProperty; 18] = [
    property("GM", Holds::Game, Kept::Nowhere, Servers::AsStated),
    property("SZ", Holds::Size, Kept::Size, Servers::AsStated),
    property("KM", Holds::Real, Kept::Komi, Servers::Abuse),
    property("HA", Holds::Number, Kept::Handicap, Servers::AsStated),
    property("RE", Holds::Text, Kept::Result, Servers::Abuse),
    text("RU", |header| &mut header.rules, Servers::Abuse),
    text("PB", |header| &mut header.black, Servers::AsStated),
    text("PW", |header| &mut header.white, Servers::AsStated),
    text("BR", |header| &mut header.black_rank, Servers::AsStated),
    text("WR", |header| &mut header.white_rank, Servers::AsStated),
    text("EV", |header| &mut header.event, Servers::AsStated),
    text("DT", |header| &mut header.date, Servers::AsStated),
    text("PC", |header| &mut header.place, Servers::Name),
    text("AP", |header| &mut header.application, Servers::Name),
    text("SO", |header| &mut header.source, Servers::Name),
    property("GN", Holds::Text, Kept::Nowhere, Servers::Name),
    property("US", Holds::Text, Kept::Nowhere, Servers::Name),
    property("MULTIGOGM", Holds::Text, Kept::Nowhere, Servers::Name),
];

static TABLE: [RootProperty; ROOT.len()] = ROOT;

/// How many properties dialects are known by.
const NAMING: usize = {
    let (mut count, mut index) = (0, 0);
    while index < ROOT.len() {
        count += matches!(ROOT[index].servers, Servers::Name) as usize;
        index += 1;
    }
    count
};

/// The names of the properties that dialects are known by.
pub const TELLING: [&str; NAMING] = {
    let (mut names, mut count, mut index) = ([""; NAMING], 0, 0);
    while index < ROOT.len() {
        if matches!(ROOT[index].servers, Servers::Name) {
            names[count] = ROOT[index].name;
            count += 1;
        }
        index += 1;
    }
    names
};

/// The first two letters of a header's property, which no two of them share.
#[inline]
pub fn initials(name: &str) -> [u8; 2] {
    name.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// Where in the table the property with these two first letters stands; behind its end for letters that none begins with.
const PLACES: [u8; 26 * 26] = {
    let (mut places, mut index) = ([ROOT.len() as u8; 26 * 26], 0);
    while index < ROOT.len() {
        let name = ROOT[index].name.as_bytes();
        places[place(name[0], name[1])] = index as u8;
        index += 1;
    }
    places
};

/// The place of two letters; for other characters, one that is too large.
const fn place(first: u8, second: u8) -> usize {
    let (first, second) = (first.wrapping_sub(b'A') as usize, second.wrapping_sub(b'A') as usize);
    if second < 26 { first * 26 + second } else { usize::MAX }
}

impl RootProperty {
    /// The property of this name.
    #[inline]
    pub fn named(name: &[u8]) -> Option<&'static RootProperty> {
        let [first, second, ..] = *name else { return None };
        let found = TABLE.get(usize::from(*PLACES.get(place(first, second))?))?;
        (found.name.len() == name.len() && (name.len() == 2 || found.name.as_bytes() == name)).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_found_by_its_whole_name() {
        for property in &TABLE {
            let found = RootProperty::named(property.name.as_bytes()).unwrap();
            assert_eq!(found.name, property.name, "two begin with the same letters");
        }
        for other in ["", "K", "KMX", "km", "MULTIGO", "MULTIGOGN", "C", "TB"] {
            assert!(RootProperty::named(other.as_bytes()).is_none(), "{other}");
        }
    }

    #[test]
    fn every_text_of_the_header_is_kept_by_one_property() {
        let mut header = Header::default();
        for property in &TABLE {
            if let Kept::Text(field) = property.kept {
                field(&mut header).push_str(property.name);
            }
        }
        header.result_text.push_str("RE");
        let kept = header.texts().map(|text| text.clone());
        assert!(kept.iter().all(|text| text.len() == 2), "{kept:?}");
    }
}
