//! Players and events by the names that a user lists for them.

use std::collections::HashMap;
use std::sync::Arc;

use super::game_header::Header;
use super::player_name::{fold, is_placeholder_name, normalize_player_name};

/// A list of players. Each has an identifier and any number of names.
///
/// Names are compared in their [normal form](normalize_player_name). An identifier is also a name
/// of its player, unless the list gives this name to another one.
///
/// The same kind of list gives events their names, of which only case, width and blanks do not
/// matter.
#[derive(Debug, Default)]
pub struct PlayerList {
    is_of_events: bool,
    by_name: HashMap<String, ListedName>,
    ids: Vec<Arc<str>>,
    text_hash: u64,
}

/// A name of the list.
#[derive(Debug)]
struct ListedName {
    id: Arc<str>,
    line: u64,
}

/// A name that belongs to two players.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{name}' is a name of '{id}', and of '{earlier_id}' in line {earlier_line}; case, width, ranks and titles make no difference between names"
)]
pub struct NameConflict {
    /// The name as listed.
    pub name: String,
    /// The identifier that the list gives it.
    pub id: String,
    /// The identifier in an earlier line.
    pub earlier_id: String,
    /// The number of that line, from 1.
    pub earlier_line: u64,
}

impl PlayerList {
    /// Returns an empty list. The hash is that of the text with the rows that follow.
    pub fn with_text_hash(text_hash: u64) -> PlayerList {
        PlayerList { text_hash, ..PlayerList::default() }
    }

    /// Returns the list, which is empty, as one of events.
    #[must_use]
    pub fn of_events(self) -> PlayerList {
        PlayerList { is_of_events: true, ..self }
    }

    /// Returns the form in which names are compared.
    fn normalized(&self, name: &str) -> String {
        if self.is_of_events { fold(name) } else { normalize_player_name(name) }
    }

    /// Returns the identifier of a listed name. `None` for other names, if the name has a rank or a
    /// title that the identifier would lose, and if the identifier is a name of another one.
    pub fn standard_name(&self, name: &str) -> Option<&str> {
        let normalized = self.normalized(name);
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let is_whole = letters(&normalized) == letters(&fold(name));
        let listed = self.by_name.get(&normalized).filter(|_| is_whole)?;
        let by_id = self.by_name.get(&self.normalized(&listed.id));
        by_id.is_none_or(|own| own.id == listed.id).then_some(&*listed.id)
    }

    /// Returns the hash of the list's text.
    pub fn text_hash(&self) -> u64 {
        self.text_hash
    }

    /// Adds a name of a player, from a line of the list.
    ///
    /// # Errors
    /// Fails if an earlier line gives the name to another player.
    pub fn add(&mut self, id: &str, name: &str, line: u64) -> Result<(), NameConflict> {
        let normalized = self.normalized(name);
        match self.by_name.get(&normalized) {
            Some(earlier) if *earlier.id == *id => Ok(()),
            Some(earlier) => Err(NameConflict {
                name: name.to_owned(),
                id: id.to_owned(),
                earlier_id: earlier.id.to_string(),
                earlier_line: earlier.line,
            }),
            None => {
                // Rows of a player usually follow each other.
                let id = match self.ids.last() {
                    Some(last) if **last == *id => Arc::clone(last),
                    _ => {
                        self.ids.push(id.into());
                        Arc::clone(&self.ids[self.ids.len() - 1])
                    }
                };
                self.by_name.insert(normalized, ListedName { id, line });
                Ok(())
            }
        }
    }

    /// Adds the identifiers as names of their players, after the last line. A name that would
    /// belong to two players is left out.
    pub fn add_ids(&mut self) {
        let mut players: HashMap<String, Option<Arc<str>>> = HashMap::new();
        for id in &self.ids {
            let player = players.entry(self.normalized(id)).or_insert_with(|| Some(Arc::clone(id)));
            if player.as_ref().is_some_and(|other| other != id) {
                *player = None;
            }
        }
        for (name, id) in players {
            if let Some(id) = id {
                self.by_name.entry(name).or_insert(ListedName { id, line: 0 });
            }
        }
    }
}

/// The identity of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerId {
    /// The identifier in the list, or the normalised name of a player who is not listed. Empty if
    /// the record names no player.
    pub id: String,
    /// True if the list contains the player.
    pub is_listed: bool,
}

impl PlayerId {
    /// Returns the identity of the player with this name.
    pub fn new(name: &str, players: Option<&PlayerList>) -> PlayerId {
        let normalized = normalize_player_name(name);
        match players.and_then(|players| players.by_name.get(&normalized)) {
            Some(listed) => PlayerId { id: listed.id.to_string(), is_listed: true },
            None if is_placeholder_name(&normalized) => PlayerId::default(),
            None => PlayerId { id: normalized, is_listed: false },
        }
    }

    /// Returns the identifier in the list, or an empty text for a player who is not listed.
    pub fn listed_id(self) -> String {
        if self.is_listed { self.id } else { String::new() }
    }

    /// Returns the identities of both players of a game, Black first.
    pub fn of_game(header: &Header, players: Option<&PlayerList>) -> [PlayerId; 2] {
        [&header.black, &header.white].map(|name| PlayerId::new(name, players))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(rows: &[(&str, &str)]) -> Result<PlayerList, NameConflict> {
        let mut players = PlayerList::default();
        for (line, (id, name)) in (2..).zip(rows) {
            players.add(id, name, line)?;
        }
        players.add_ids();
        Ok(players)
    }

    #[test]
    fn names_in_any_script_give_the_listed_id() {
        let players = list(&[
            ("Cho Chikun", "趙治勲"),
            ("Cho Chikun", "조치훈"),
            ("p2", "Lee Sedol"),
            ("Cho Chikun", "Jo Chihun"),
        ])
        .unwrap();
        let id = |name: &str| {
            let PlayerId { id, is_listed } = PlayerId::new(name, Some(&players));
            (id, is_listed)
        };
        for name in ["趙治勲 九段", "조치훈9단", "jo chihun [9p]", "CHO CHIKUN", "Honinbo Cho Chikun"] {
            assert_eq!(id(name), ("Cho Chikun".into(), true), "{name}");
        }
        assert_eq!(id("lee sedol 9p"), ("p2".into(), true));
        assert_eq!(id("P2"), ("p2".into(), true));
        assert_eq!(id("Ke Jie 9p"), ("ke jie".into(), false));
        assert_eq!(id("Black"), (String::new(), false));
        assert_eq!(PlayerId::new("Cho Chikun", None).id, "cho chikun");
    }

    #[test]
    fn listed_name_without_rank_has_a_standard_form() {
        let players = list(&[("Cho Chikun", "趙治勲"), ("Meijin", "x")]).unwrap();
        for (name, standard) in [
            ("趙　治勲", Some("Cho Chikun")),
            ("CHO  CHIKUN", Some("Cho Chikun")),
            ("趙治勲 九段", None),
            ("Honinbo Cho Chikun", None),
            ("Lee", None),
        ] {
            assert_eq!(players.standard_name(name), standard, "{name}");
        }
        let loop_and_chain = list(&[("A1", "B1"), ("B1", "A1"), ("C1", "D1")]).unwrap();
        let standard = ["A1", "B1", "D1"].map(|name| loop_and_chain.standard_name(name));
        assert_eq!(standard, [None, None, Some("C1")]);
        let mut events = PlayerList::default().of_events();
        events.add("Meijin 45", "45th Meijin", 2).unwrap();
        events.add("Meijin 46", "46th Meijin", 3).unwrap();
        assert_eq!(events.standard_name("45TH  meijin"), Some("Meijin 45"));
        assert_eq!(events.standard_name("45th"), None);
    }

    #[test]
    fn name_of_two_players_is_rejected() {
        let conflict = list(&[("a", "Lee 9p"), ("a", "LEE"), ("b", "Ｌｅｅ")]).unwrap_err();
        assert_eq!((conflict.id.as_str(), conflict.earlier_id.as_str(), conflict.earlier_line), ("b", "a", 2));
    }

    #[test]
    fn id_is_no_name_of_its_player_if_another_has_it() {
        let players = list(&[("lee", "Lee Sedol"), ("b", "Lee"), ("Kim 1p", "x"), ("Kim 2p", "y")]).unwrap();
        assert_eq!(PlayerId::new("lee", Some(&players)).id, "b");
        assert_eq!(PlayerId::new("kim", Some(&players)), PlayerId { id: "kim".into(), is_listed: false });
    }
}
