//! Header values, comments and territory that the representative of a cluster lacks and its duplicates have.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use jigo_core::fix::{RecordedValue, exchange_colors, is_same_value};
use jigo_record::PlayerList;

use super::duplicate_set::{ClusterMember, DuplicateSet, code_of};
use crate::visit::{MergeableHeader, MergeableProperty, unpack_values};

impl DuplicateSet {
    /// Returns the values that representatives can take over from their duplicates, by cluster, and
    /// the header values that contradict theirs. Names of one player in `players` are equal.
    ///
    /// Collisions are different games and contribute nothing. Games of a store contribute nothing
    /// either, because a store does not contain these values.
    ///
    /// # Errors
    /// Fails if temporary files can't be read.
    pub fn mergeable_headers(&mut self, players: Option<&Arc<PlayerList>>) -> io::Result<Vec<MergeableHeader>> {
        let members = std::mem::take(&mut self.members);
        let clusters = members.chunk_by(|first, second| first.cluster == second.cluster);
        let headers: io::Result<Vec<_>> = clusters.map(|cluster| self.mergeable_header(cluster, players)).collect();
        self.members = members;
        Ok(headers?.into_iter().flatten().filter(|header| !header.properties.is_empty()).collect())
    }

    fn mergeable_header(
        &mut self,
        cluster: &[ClusterMember],
        players: Option<&Arc<PlayerList>>,
    ) -> io::Result<Option<MergeableHeader>> {
        let Some((representative, duplicates)) =
            cluster.split_first().filter(|(representative, _)| representative.compared_with.is_none())
        else {
            return Ok(None);
        };
        let packed = self.games.mergeable_values(representative.game)?;
        let Some((byte, own_values)) = unpack_values(&packed) else { return Ok(None) };
        let own_value = |place| own_values.iter().find(|own| (own.property, own.position) == place);
        // For each place the values of the duplicates, each with its count and the first game that
        // has it.
        let mut values_by_place: BTreeMap<_, Vec<(RecordedValue, usize, &ClusterMember)>> = BTreeMap::new();
        for duplicate in duplicates {
            // A copy that fits two games may have the values of the other one.
            if self.ambiguous.contains(&duplicate.game) {
                continue;
            }
            let Some(relation) = relation(cluster, duplicate) else { continue };
            let packed = self.games.mergeable_values(duplicate.game)?;
            for recorded in unpack_values(&packed).map_or_else(Vec::new, |(_, values)| values) {
                let Some(recorded) = relation.of_representative(recorded) else { continue };
                let place = (recorded.property, recorded.position);
                let is_new = own_value(place).is_none_or(|own| {
                    let values = [&*own.value, &*recorded.value];
                    own.position.is_none() && !is_same_value(own.identifier(), values, players)
                });
                let values = values_by_place.entry(place).or_default();
                match values.iter_mut().find(|(existing, ..)| existing.value == recorded.value) {
                    Some((_, count, _)) => *count += 1,
                    None if is_new => values.push((recorded, 1, duplicate)),
                    None => {}
                }
            }
        }
        let mut properties = Vec::new();
        for (place, mut values) in values_by_place {
            // The sort is stable, so values with equal counts keep the order of the cluster.
            values.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
            let (count, own) = (values.len(), own_value(place));
            for (rank, (recorded, _, duplicate)) in (1..).zip(values) {
                let Some((_, comparison)) = &duplicate.compared_with else { continue };
                let source_game = (self.games.file(duplicate.game).to_owned(), self.games.facts(duplicate.game).game);
                let (code, own) = (code_of(comparison.class), own.map(|own| own.value.clone()));
                properties.push(MergeableProperty { code, recorded, own, source_game, rank: (rank, count) });
            }
        }
        properties.sort_by_key(|property| (property.recorded.property, property.recorded.turn));
        let entry = self.games.facts(representative.game);
        let location = (self.games.file(representative.game).to_owned(), entry.game, entry.offset, byte);
        Ok(Some(MergeableHeader { location, properties }))
    }
}

/// The relation of a duplicate's colours and board to those of the representative.
#[derive(Clone, Copy, Default)]
struct Relation {
    has_exchanged_colors: bool,
    /// True if the board may be another view of the same game.
    is_viewed: bool,
}

impl Relation {
    /// Returns a value of the duplicate as the representative would have it.
    ///
    /// Comments and territory name points, so a record in another view gives none.
    fn of_representative(self, recorded: RecordedValue) -> Option<RecordedValue> {
        if recorded.position.is_some() {
            return Some(recorded).filter(|_| !self.is_viewed);
        }
        if !self.has_exchanged_colors {
            return Some(recorded);
        }
        let (property, value) = exchange_colors(recorded.property, &recorded.value)?;
        Some(RecordedValue { property, value, ..recorded })
    }
}

/// Returns the relation of a duplicate to the representative; `None` if it is unknown.
fn relation(cluster: &[ClusterMember], duplicate: &ClusterMember) -> Option<Relation> {
    let (mut game, mut relation) = (duplicate.game, Relation::default());
    for _ in cluster {
        // After the representative, the rows of a cluster are sorted by game number.
        let (representative, others) = cluster.split_first()?;
        let index = others.binary_search_by_key(&game, |member| member.game);
        let member = index
            .map_or(Some(representative).filter(|representative| representative.game == game), |index| {
                others.get(index)
            })?;
        let Some((other, comparison)) = &member.compared_with else { return Some(relation) };
        game = *other;
        relation.has_exchanged_colors ^= comparison.view.colors_swapped;
        relation.is_viewed |= !comparison.view.is_identity();
    }
    None
}
