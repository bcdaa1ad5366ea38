//! Bytes in the JSON of a part: a text if they are UTF-8, otherwise a list with a text that has a
//! character for each byte.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => serializer.serialize_str(text),
        Err(_) => [bytes.iter().map(|byte| char::from(*byte)).collect::<String>()].serialize(serializer),
    }
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StoredBytes {
        Text(String),
        Bytes([String; 1]),
    }
    match StoredBytes::deserialize(deserializer)? {
        StoredBytes::Text(text) => Ok(text.into_bytes()),
        StoredBytes::Bytes([text]) => text.chars().map(|c| u8::try_from(c).map_err(D::Error::custom)).collect(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn any_bytes_are_restored() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&b""[..], b"(;B[aa]\\]\n\"\0", "碁".as_bytes(), &all, b"\xE7\xA2"] {
            let mut json = Vec::new();
            super::serialize(bytes, &mut serde_json::Serializer::new(&mut json)).unwrap();
            let mut stored = serde_json::Deserializer::from_slice(&json);
            assert_eq!(super::deserialize(&mut stored).unwrap(), bytes);
        }
    }
}
