//! Long names of properties, as FF\[1\] to FF\[3\] write them.
//!
//! FF\[3\] ignores their small letters, as in `PlayerBlack` and `SiZe`. Programs also write them
//! entirely in capitals or small letters, or with one capital, as in `Komi`.

/// The long names that mean the same in every case, in small letters, each with its FF\[4\] name.
const NAMES_IN_ANY_CASE: [(&str, &str); 26] = [
    ("addblack", "AB"),
    ("addempty", "AE"),
    ("addwhite", "AW"),
    ("black", "B"),
    ("blackleft", "BL"),
    ("blackrank", "BR"),
    ("blackteam", "BT"),
    ("comment", "C"),
    ("date", "DT"),
    ("event", "EV"),
    ("gamecomment", "GC"),
    ("gamename", "GN"),
    ("handicap", "HA"),
    ("komi", "KM"),
    ("playerblack", "PB"),
    ("playerwhite", "PW"),
    ("result", "RE"),
    ("round", "RO"),
    ("rules", "RU"),
    ("size", "SZ"),
    ("territoryblack", "TB"),
    ("territorywhite", "TW"),
    ("white", "W"),
    ("whiteleft", "WL"),
    ("whiterank", "WR"),
    ("whiteteam", "WT"),
];

/// The other long names. In capitals they may be properties of a program.
const MIXED_NAMES: [(&str, &str); 29] = [
    ("annotation", "AN"),
    ("badmove", "BM"),
    ("circle", "CR"),
    ("copyright", "CP"),
    ("doubtful", "DO"),
    ("figure", "FG"),
    ("fileformat", "FF"),
    ("game", "GM"),
    ("goodblack", "GB"),
    ("goodwhite", "GW"),
    ("hotspot", "HO"),
    ("interesting", "IT"),
    ("label", "LB"),
    ("mark", "MA"),
    ("movenumber", "MN"),
    ("name", "N"),
    ("opening", "ON"),
    ("overtime", "OT"),
    ("place", "PC"),
    ("player", "PL"),
    ("select", "SL"),
    ("selected", "SL"),
    ("source", "SO"),
    ("square", "SQ"),
    ("tesuji", "TE"),
    ("time", "TM"),
    ("triangle", "TR"),
    ("unclear", "UC"),
    ("user", "US"),
];

/// Returns the FF\[4\] name of a long name that means the same in every case.
pub fn short_form(name: &[u8]) -> Option<&'static [u8]> {
    find(&NAMES_IN_ANY_CASE, name)
}

/// Returns the FF\[4\] name of a long name with capitals and small letters.
pub fn mixed_form(name: &[u8]) -> Option<&'static [u8]> {
    let has = |is_wanted: fn(&u8) -> bool| name.iter().any(is_wanted);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    find(&NAMES_IN_ANY_CASE, name).or_else(|| find(&MIXED_NAMES, name)).filter(|_| is_mixed)
}

fn find(names: &[(&str, &'static str)], name: &[u8]) -> Option<&'static [u8]> {
    let is_same = |long: &str| long.len() == name.len() && long.as_bytes().eq_ignore_ascii_case(name);
    names.iter().find(|(long, _)| is_same(long)).map(|(_, short)| short.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::tokens::ff4::definition;

    #[test]
    fn long_names_are_unique_and_mean_ff4_properties() {
        for names in [&NAMES_IN_ANY_CASE[..], &MIXED_NAMES] {
            assert!(names.windows(2).all(|pair| pair[0].0 < pair[1].0));
            assert!(names.iter().all(|(long, short)| long.len() > 2 && definition(short.as_bytes()).is_some()));
        }
        assert!(MIXED_NAMES.iter().all(|(long, _)| short_form(long.as_bytes()).is_none()));
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
