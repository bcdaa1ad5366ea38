//! Sound tables of records with changed bytes: Arrow, Parquet, comma-separated values and JSON
//! lines.

use super::archives::run;
use super::mutated_archives::change;

/// A table of each kind, with three rows each: streams and files, views and dictionaries, and both
/// page versions with every compression.
const SOUND: [&[u8]; 10] = [
    include_bytes!("../../../../fuzz/seeds/tables/plain.arrows"),
    include_bytes!("../../../../fuzz/seeds/tables/views.arrows"),
    include_bytes!("../../../../fuzz/seeds/tables/file.arrow"),
    include_bytes!("../../../../fuzz/seeds/tables/plain.parquet"),
    include_bytes!("../../../../fuzz/seeds/tables/snappy.parquet"),
    include_bytes!("../../../../fuzz/seeds/tables/gzip2.parquet"),
    include_bytes!("../../../../fuzz/seeds/tables/zstd.parquet"),
    include_bytes!("../../../../fuzz/seeds/tables/zstd2.parquet"),
    include_bytes!("../../../../fuzz/seeds/tables/rows.csv"),
    include_bytes!("../../../../fuzz/seeds/tables/rows.jsonl"),
];

/// Checks that a run over a changed table ends with all games accounted for. The bytes choose the
/// table, the removed bytes with their offset, and the further changes.
pub fn tables(bytes: &[u8]) {
    let Some((&[kind, removed, offset], changes)) = bytes.split_first_chunk() else { return };
    let mut table = SOUND[usize::from(kind) % SOUND.len()].to_vec();
    if removed < 16 {
        let begins = 8 + table.len() * usize::from(offset) / 300;
        table.drain(begins..(begins + usize::from(removed)).min(table.len()));
    }
    change(&mut table, changes);
    let summary = run(&table);
    assert!(summary.is_balanced(), "{summary:?}");
}
