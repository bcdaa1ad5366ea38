//! Long names of properties, as FF\[1\] to FF\[3\] write them.
//!
//! FF\[3\] ignores their small letters, as in `PlayerBlack` and `SiZe`. Programs also write them
//! entirely in capitals or small letters, or with one capital, as in `Komi`.

use super::ff4::{Definition, PROPERTIES};

/// Returns the FF\[4\] name of a long name that means the same in every case.
pub fn short_form(name: &[u8]) -> Option<&'static [u8]> {
    find(name).filter(|property| property.has_long_name_in_any_case()).map(|property| property.name.as_bytes())
}

/// Returns the FF\[4\] name of a long name with capitals and small letters.
pub fn mixed_form(name: &[u8]) -> Option<&'static [u8]> {
    let has = |is_wanted: fn(&u8) -> bool| name.iter().any(is_wanted);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let name = if name.eq_ignore_ascii_case(b"selected") { b"select" } else { name };
    find(name).filter(|_| is_mixed).map(|property| property.name.as_bytes())
}

/// Returns the property with this long name in any case.
fn find(name: &[u8]) -> Option<&'static Definition> {
    let is_same = |long: &str| long.len() == name.len() && long.as_bytes().eq_ignore_ascii_case(name);
    PROPERTIES.iter().find(|property| !name.is_empty() && is_same(property.long_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_unique() {
        for property in PROPERTIES.iter().filter(|property| !property.long_name.is_empty()) {
            assert_eq!(find(property.long_name.as_bytes()), Some(property));
            assert!(property.long_name.len() > 2, "{}", property.name);
        }
    }

    #[test]
    fn other_long_names_need_capitals_and_small_letters() {
        for (name, short) in [("Player", "PL"), ("SeLect", "SL"), ("Selected", "SL"), ("Komi", "KM")] {
            assert_eq!(mixed_form(name.as_bytes()), Some(short.as_bytes()), "{name}");
        }
        for name in ["PLAYER", "player", "selected", "Selection", ""] {
            assert_eq!(mixed_form(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn long_name_is_found_in_any_case() {
        for (name, short) in [("Black", "B"), ("KOMI", "KM"), ("komi", "KM"), ("SiZe", "SZ"), ("PlayerBlack", "PB")] {
            assert_eq!(short_form(name.as_bytes()), Some(short.as_bytes()), "{name}");
        }
        for name in ["B", "AppName", "gobanVersion", "KGSDE", "Player", ""] {
            assert_eq!(short_form(name.as_bytes()), None, "{name}");
        }
    }
}
