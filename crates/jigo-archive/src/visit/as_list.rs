//! Maps as lists of their entries: JSON knows no other keys than texts. For `#[serde(with)]`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the entries in order.
///
/// # Errors
/// As the serializer.
pub(super) fn serialize<K: Serialize, V: Serialize, S: Serializer>(
    map: &BTreeMap<K, V>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_seq(map)
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// As the deserializer.
pub(super) fn deserialize<'a, K, V, D>(from: D) -> Result<BTreeMap<K, V>, D::Error>
where
    K: Deserialize<'a> + Ord,
    V: Deserialize<'a>,
    D: Deserializer<'a>,
{
    Ok(Vec::deserialize(from)?.into_iter().collect())
}
