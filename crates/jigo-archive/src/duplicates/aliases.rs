//! Names of one player: one game is recorded under both.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;

use jigo_core::similarity::{HeaderField, HeaderSketch, RecordComparison, are_different_names};
use jigo_record::PlayerId;

use super::duplicate_set::DuplicateSet;
use super::union_find::UnionFind;
use crate::tables::AliasRow;

/// Common turns that prove one game without the headers.
const MIN_TURNS: u32 = 60;
/// The number of games that outweighs one contradiction.
const GAMES_PER_CONTRADICTION: u64 = 4;
/// The maximum number of names of a player. A name with more others, such as a word for a guest,
/// belongs to several players.
const MAX_NAMES: usize = 32;

/// Two names in alphabetical order.
type NamePair = [String; 2];

impl DuplicateSet {
    /// Returns a row for each name of a player that has a more frequent one, sorted by that name.
    ///
    /// Two names belong to one player if the clusters contain a game under both, for the same
    /// colour. Left out are names of teams, damaged names, pairs with more than one contradiction
    /// for four such games, and clearly different names in one script for which only one game
    /// speaks. No row joins names of two players by a third name.
    ///
    /// # Errors
    /// Fails if temporary files can't be read.
    pub fn aliases(&mut self) -> io::Result<Vec<AliasRow>> {
        let mut games_by_pair = BTreeMap::new();
        let members = std::mem::take(&mut self.members);
        for member in &members {
            let Some((other, comparison)) = member.compared_with.as_ref().filter(|(_, it)| proves_one_game(it)) else {
                continue;
            };
            if [member.game, *other].iter().any(|game| self.ambiguous.contains(game)) {
                continue;
            }
            let own = player_names(&self.games.sketch(member.game)?.header);
            let mut other = player_names(&self.games.sketch(*other)?.header);
            if comparison.view.colors_swapped {
                other.reverse();
            }
            add_pairs(own, other, member.cluster, &mut games_by_pair);
        }
        self.members = members;
        let mut evidence = Evidence::new(&games_by_pair);
        // Most archives have no such names.
        let games = if games_by_pair.is_empty() { 0 } else { self.games.len() as u32 };
        for number in 0..games {
            evidence.add_record(&self.games.sketch(number)?.header);
        }
        Ok(evidence.rows())
    }
}

/// Returns true if two records with different names are certainly one game: the same turns, and
/// nothing else in the headers contradicts it.
fn proves_one_game(comparison: &RecordComparison) -> bool {
    let RecordComparison { agreeing, conflicting, common_turns, edits, is_cut, .. } = *comparison;
    let has_conflict = |field| conflicting.contains(field);
    let is_whole = edits == 0 && !is_cut && common_turns >= MIN_TURNS;
    let is_contradicted =
        [HeaderField::Date, HeaderField::Result, HeaderField::Clocks, HeaderField::Colors].map(has_conflict);
    // Different names in one script need the date.
    let has_other_names = has_conflict(HeaderField::Black) || has_conflict(HeaderField::White);
    is_whole && !is_contradicted.contains(&true) && (!has_other_names || agreeing.contains(HeaderField::Date))
}

/// Returns the identifiers or normalised names of the players; empty for unnamed ones.
fn player_names(header: &HeaderSketch) -> [String; 2] {
    [0, 1].map(|index| match header.listed_ids[index].as_str() {
        "" => PlayerId::new(&header.players[index], None).id,
        id => id.to_owned(),
    })
}

/// Adds the names of two records of one game.
fn add_pairs(own: [String; 2], other: [String; 2], cluster: u64, pairs: &mut BTreeMap<NamePair, BTreeSet<u64>>) {
    // One of the headers names the players in the wrong order.
    if own[0] == other[1] || own[1] == other[0] {
        return;
    }
    for (name, other) in own.into_iter().zip(other) {
        if name != other && is_one_player(&name) && is_one_player(&other) && !is_part(&name, &other) {
            pairs.entry(sorted(name, other)).or_default().insert(cluster);
        }
    }
}

fn sorted(first: String, second: String) -> NamePair {
    if first < second { [first, second] } else { [second, first] }
}

/// Returns false for damaged names and for names of teams.
fn is_one_player(name: &str) -> bool {
    let is_team = name.contains(['+', '&', ',', ';', '/', '|', '、', '，', '；'])
        || name.split(' ').any(|word| matches!(word, "and" | "vs" | "team"));
    let is_damaged = name.contains([char::REPLACEMENT_CHARACTER, '?', '[', ']']) || name.chars().any(char::is_control);
    // East Asian text in a wrong charset consists of the characters of Windows-1252 above ASCII.
    let is_latin = |c: &char| {
        matches!(c, '\u{80}'..='\u{FF}' | 'Œ' | 'œ' | 'Š' | 'š' | 'Ÿ' | 'Ž' | 'ž' | 'ƒ' | 'ˆ' | '˜' | '€' | '™')
            || matches!(c, '\u{2013}'..='\u{203A}')
    };
    let latin_count = name.chars().filter(is_latin).count();
    let is_long_enough = name.chars().filter(|c| c.is_alphabetic()).count() > usize::from(name.is_ascii());
    !is_team && !is_damaged && is_long_enough && 2 * latin_count <= name.chars().count()
}

/// Returns true if one name is a single word of the other, such as a family name.
fn is_part(name: &str, other: &str) -> bool {
    let (short, long) = if name.len() < other.len() { (name, other) } else { (other, name) };
    long.contains(' ') && long.split(' ').any(|word| word == short)
}

/// What the records say about pairs of names.
struct Evidence<'a> {
    /// The number of games under both names.
    games: BTreeMap<&'a NamePair, u64>,
    /// For each name, whether it is an identifier of the user's list, and the number of its records.
    records: HashMap<&'a str, (bool, u64)>,
    /// The numbers of records in which two of the names meet.
    meetings: HashMap<NamePair, u64>,
}

impl<'a> Evidence<'a> {
    fn new(games_by_pair: &'a BTreeMap<NamePair, BTreeSet<u64>>) -> Evidence<'a> {
        Evidence {
            games: games_by_pair.iter().map(|(pair, clusters)| (pair, clusters.len() as u64)).collect(),
            records: games_by_pair.keys().flatten().map(|name| (name.as_str(), (false, 0))).collect(),
            meetings: HashMap::new(),
        }
    }

    fn add_record(&mut self, header: &HeaderSketch) {
        let names = player_names(header);
        let mut has_both = true;
        for (name, listed_id) in names.iter().zip(&header.listed_ids) {
            match self.records.get_mut(name.as_str()) {
                Some((is_listed, count)) => (*is_listed, *count) = (!listed_id.is_empty(), *count + 1),
                None => has_both = false,
            }
        }
        let [black, white] = names;
        if has_both && black != white {
            *self.meetings.entry(sorted(black, white)).or_default() += 1;
        }
    }

    /// Returns the number of contradictions of a pair: records in which the names meet, and games
    /// under one of them and a third name that meets the other or clearly differs from it.
    fn contradictions(&self, pair: &NamePair, partners: &HashMap<&str, Vec<(&'a str, u64)>>) -> u64 {
        let meetings = |first: &str, second: &str| self.meetings.get(&sorted(first.into(), second.into())).copied();
        let third_games = |name: &str, other: &str| -> u64 {
            let is_other_player = |third: &str| meetings(third, other).is_some() || are_different_names(third, other);
            let thirds = partners[name].iter().filter(|(third, _)| *third != other && is_other_player(third));
            thirds.map(|(_, games)| games).sum()
        };
        let [first, second] = pair;
        meetings(first, second).unwrap_or(0) + third_games(first, second) + third_games(second, first)
    }

    /// Returns true if two names can't belong to one player: both are listed, they meet, or they
    /// differ clearly and at most one game, whose header may be wrong, has both.
    fn are_two_players(&self, first: &str, second: &str) -> bool {
        let pair = sorted(first.into(), second.into());
        let games = self.games.get(&pair).copied().unwrap_or(0);
        let meetings = self.meetings.get(&pair).copied().unwrap_or(0);
        let are_listed = self.records[first].0 && self.records[second].0;
        are_listed || meetings * GAMES_PER_CONTRADICTION > games || games < 2 && are_different_names(first, second)
    }

    /// Returns the other names of the games of each name.
    fn partners(&self) -> HashMap<&'a str, Vec<(&'a str, u64)>> {
        let mut partners: HashMap<&str, Vec<(&str, u64)>> = HashMap::new();
        for (pair, games) in &self.games {
            for (name, other) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
                partners.entry(name).or_default().push((other, *games));
            }
        }
        partners
    }

    fn rows(&self) -> Vec<AliasRow> {
        let mut names: Vec<&str> = self.records.keys().copied().collect();
        names.sort_by_key(|name| (Reverse(self.records[name]), *name));
        let numbers: HashMap<&str, u32> = names.iter().copied().zip(0..).collect();
        let partners = self.partners();
        let has_many = |name: &String| partners[name.as_str()].len() > MAX_NAMES;
        // The surest pairs come first. Less sure ones must not join names of two players.
        let mut pairs: Vec<(&NamePair, u64)> = self.games.iter().map(|(pair, games)| (*pair, *games)).collect();
        pairs.sort_by_key(|(_, games)| Reverse(*games));
        let mut players = Players::new(names.len());
        for (pair, games) in pairs.into_iter().filter(|(pair, _)| !pair.iter().any(has_many)) {
            let contradictions = self.contradictions(pair, &partners);
            if contradictions * GAMES_PER_CONTRADICTION <= games {
                let numbers = pair.each_ref().map(|name| numbers[name.as_str()]);
                players.join(numbers, (games, contradictions), |name, other| {
                    self.are_two_players(names[name as usize], names[other as usize])
                });
            }
        }
        let Players { mut groups, best, .. } = players;
        let rows = best.into_iter().filter_map(|(number, (games, contradictions))| {
            let root = groups.root(number);
            let [id, name] = [root, number].map(|number| names[number as usize].to_owned());
            (root != number).then_some(AliasRow { id, name, games, contradictions })
        });
        let mut rows: Vec<AliasRow> = rows.collect();
        rows.sort_by(|first, second| (&first.id, &first.name).cmp(&(&second.id, &second.name)));
        rows
    }
}

/// Names as numbers, the most frequent first, grouped by player.
struct Players {
    /// When groups are joined, the more frequent name remains as the root.
    groups: UnionFind,
    /// The names of each group, by its root.
    members: Vec<Vec<u32>>,
    /// For each name, the games and contradictions of its surest pair.
    best: BTreeMap<u32, (u64, u64)>,
}

impl Players {
    fn new(names: usize) -> Players {
        let members = (0..names as u32).map(|number| vec![number]).collect();
        Players { groups: UnionFind::new(names), members, best: BTreeMap::new() }
    }

    /// Joins the players of two names, unless two of their names belong to two players.
    fn join(&mut self, pair: [u32; 2], evidence: (u64, u64), are_two_players: impl Fn(u32, u32) -> bool) {
        let [one, other] = pair.map(|number| self.groups.root(number) as usize);
        if one != other {
            let [names, others] = [one, other].map(|group| &self.members[group]);
            let is_surer = |name: &u32| self.best.get(name).is_some_and(|(games, _)| *games > 1);
            // The header of a single game may be wrong.
            let is_doubtful = evidence.0 == 1 && names.iter().chain(others).any(is_surer);
            let are_two = || names.iter().any(|name| others.iter().any(|other| are_two_players(*name, *other)));
            if is_doubtful || names.len() + others.len() > MAX_NAMES || are_two() {
                return;
            }
            let joined = std::mem::take(&mut self.members[one.max(other)]);
            self.members[one.min(other)].extend(joined);
            self.groups.join(pair[0], pair[1]);
        }
        for name in pair {
            self.best.entry(name).or_insert(evidence);
        }
    }
}
