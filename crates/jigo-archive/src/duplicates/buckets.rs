//! The keys of all games, distributed to buckets of temporary files.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use rayon::prelude::*;
use tempfile::{SpooledTempFile, spooled_tempfile};

/// The number of buckets. The first bits of a key select its bucket; each bucket is sorted in
/// memory.
const BUCKETS: usize = 64;
/// The size of a key with its game number, in bytes.
const RECORD_BYTES: usize = 12;

/// The keys and their games, distributed by the key's first bits, in temporary files above a memory
/// limit.
#[derive(Default)]
pub(super) struct Buckets(Vec<BufWriter<SpooledTempFile>>);

impl Buckets {
    pub(super) fn new(memory: usize) -> Buckets {
        Buckets((0..BUCKETS).map(|_| BufWriter::new(spooled_tempfile(memory / BUCKETS))).collect())
    }

    pub(super) fn insert(&mut self, key: u64, game: u32) -> io::Result<()> {
        let bucket = &mut self.0[(key >> 58) as usize % BUCKETS];
        let mut record = [0; RECORD_BYTES];
        record[..8].copy_from_slice(&key.to_le_bytes());
        record[8..].copy_from_slice(&game.to_le_bytes());
        bucket.write_all(&record)
    }

    /// Returns the keys and games of each bucket, sorted by key and game. One bucket at a time is
    /// in memory.
    pub(super) fn into_sorted(self) -> impl Iterator<Item = io::Result<Vec<(u64, u32)>>> {
        self.0.into_iter().map(Buckets::sorted)
    }

    /// Reads and sorts one bucket by key and game.
    fn sorted(bucket: BufWriter<SpooledTempFile>) -> io::Result<Vec<(u64, u32)>> {
        let mut file = bucket.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let number = |record: &[u8]| record.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let records = bytes.chunks_exact(RECORD_BYTES);
        let mut records: Vec<_> = records.map(|record| (number(&record[..8]), number(&record[8..]) as u32)).collect();
        records.par_sort_unstable();
        Ok(records)
    }
}
