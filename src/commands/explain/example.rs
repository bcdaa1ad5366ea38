//! One example record for each code, from the fixtures.

use jigo_record::finding::Code;

/// The records with the codes of their findings. `build.rs` lists the fixtures.
const EXAMPLES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// Returns a record that has the finding. Returns `None` for codes that a single record can't show,
/// such as a damaged archive.
pub fn example_record(code: Code) -> Option<&'static [u8]> {
    EXAMPLES.iter().find(|(example_code, _)| *example_code == code.id()).map(|(_, record)| *record)
}
