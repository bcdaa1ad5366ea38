//! Serialization of maps as lists of entries, since JSON keys must be strings. For
//! `#[serde(with)]`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Serializes the entries in order.
///
/// # Errors
/// As the serializer.
pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
    map: &BTreeMap<K, V>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(map)
}

/// Deserializes a map written by [`serialize`].
///
/// # Errors
/// As the deserializer.
pub(super) fn deserialize<'a, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    K: Deserialize<'a> + Ord,
    V: Deserialize<'a>,
    D: Deserializer<'a>,
{
    Ok(Vec::deserialize(deserializer)?.into_iter().collect())
}
