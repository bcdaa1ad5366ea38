//! Prefetch: archives that are unpacked in parallel before their turn.
//!
//! Small archives are unpacked whole, several at once, and so are members of a zip. Any other
//! archive is one stream. While it is read, other threads unpack the following archives, up to a
//! total number of bytes. A run with one thread does not prefetch.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use rayon::prelude::*;

use super::members::Members;
use crate::source::archive::{
    ArchiveInput, BLOCK_BYTES, Event, TurnGuard, ZipDirectory, ZipSlice, unpack, unpack_ahead, unpack_whole,
};
use crate::source::compression::format::ArchiveFormat;
use crate::source::{Source, SourceKind, open_file};
use jigo_record::finding::Code;
use jigo_record::sgf::Limits;

/// The maximum size of an archive that is unpacked whole.
const SMALL_BYTES: u64 = 128 << 10;
/// The maximum unpacked size of a small archive; a larger one becomes a stream.
const SMALL_MAX_UNPACKED: u64 = 1 << 20;
/// The maximum number of small archives that are unpacked at once, and their total size.
const MAX_SMALL_JOBS: usize = 32;
const MAX_SMALL_JOB_BYTES: u64 = 512 << 10;
/// The number of slices of a zip that are unpacked at once per thread.
const MAX_SLICE_JOBS: usize = 2;
/// The maximum number of unpacked bytes in the queues of all prefetched streams.
const MAX_PREFETCH_BYTES: usize = 32 << 20;

/// A prefetched archive. A stream reserves large amounts of memory only when its turn comes.
type PrefetchedArchive = io::Result<(Members, Option<TurnGuard>)>;

/// The prefetched archives, starting with the next source.
pub(super) struct Prefetch {
    /// The number of threads of the run.
    jobs: usize,
    limits: Limits,
    /// `None` for a small archive that turned out to be large.
    archives: VecDeque<Option<PrefetchedArchive>>,
}

impl Prefetch {
    pub(super) fn new(jobs: usize, limits: Limits) -> Prefetch {
        Prefetch { jobs, limits, archives: VecDeque::new() }
    }

    /// Opens the archive at `index` and starts the prefetch of the following ones.
    ///
    /// `index` must be greater than the index of the last opened archive.
    pub(super) fn open(&mut self, sources: &[Source], index: usize) -> io::Result<Members> {
        if self.archives.is_empty() {
            self.unpack_small(sources, index);
        }
        let archive = self.archives.pop_front().flatten().map(|archive| archive.map(|(members, _)| members));
        let members = archive.unwrap_or_else(|| self.start_now(index, &sources[index]));
        while self.archives.len() + 1 < self.jobs {
            let next = index + 1 + self.archives.len();
            match sources.get(next).and_then(|source| self.start_stream(next, source)) {
                Some(members) => self.archives.push_back(Some(members)),
                None => break,
            }
        }
        members
    }

    /// Unpacks the run of small archives that starts at `index`.
    fn unpack_small(&mut self, sources: &[Source], index: usize) {
        let (mut small_archives, mut bytes) = (Vec::new(), 0);
        let max = if self.jobs == 1 { 1 } else { MAX_SMALL_JOBS };
        for (source, index) in sources[index..].iter().zip(index..).take(max) {
            // A source without a length may be readable only once.
            let SourceKind::Archive(path, length @ 1..=SMALL_BYTES, format) = &source.kind else { break };
            bytes += length;
            small_archives.push((index, source, path, *format));
            if bytes >= MAX_SMALL_JOB_BYTES {
                break;
            }
        }
        let limits = self.limits;
        let archives = in_parallel(small_archives, |(index, source, path, format)| {
            let events =
                open_file(path).map(|file| unpack_whole(&source.name, file, format, limits, SMALL_MAX_UNPACKED));
            let members = events.map(|events| Some((Members::new(index, source, events?.into_iter()), None)));
            members.transpose()
        });
        self.archives = archives.into();
    }

    /// Starts the archive whose turn it is.
    fn start_now(&self, index: usize, source: &Source) -> io::Result<Members> {
        let SourceKind::Archive(path, _, format) = &source.kind else { return Err(io::ErrorKind::InvalidInput.into()) };
        let file = open_file(path)?;
        if *format == ArchiveFormat::Zip
            && let Some(directory) = ZipDirectory::open(source.name.clone(), &file, self.limits)
        {
            let max = if self.jobs == 1 { 1 } else { self.jobs * MAX_SLICE_JOBS };
            let events = ZipPrefetch { directory, max, slices: VecDeque::new() }.flatten();
            return Ok(Members::new(index, source, events));
        }
        let events = unpack(source.name.clone(), ArchiveInput::File(file), *format, self.limits)?;
        Ok(Members::new(index, source, events.into_iter()))
    }

    /// Starts the prefetch of an archive, if it is a stream.
    fn start_stream(&self, index: usize, source: &Source) -> Option<PrefetchedArchive> {
        let SourceKind::Archive(path, length, format) = &source.kind else { return None };
        if *length <= SMALL_BYTES || *format == ArchiveFormat::Zip {
            return None;
        }
        let queue = MAX_PREFETCH_BYTES / BLOCK_BYTES / (self.jobs - 1);
        let events = open_file(path)
            .and_then(|file| unpack_ahead(source.name.clone(), ArchiveInput::File(file), *format, self.limits, queue));
        Some(events.map(|(events, waiting)| (Members::new(index, source, events.into_iter()), Some(waiting))))
    }
}

/// The events of a zip: of slices that are unpacked in parallel, and of streams if a slice is too
/// large.
struct ZipPrefetch {
    directory: ZipDirectory,
    /// The number of slices that are unpacked at once.
    max: usize,
    slices: VecDeque<(Range<usize>, ZipSlice)>,
}

impl Iterator for ZipPrefetch {
    type Item = Box<dyn Iterator<Item = Event> + Send>;

    /// Returns the events of the next members.
    fn next(&mut self) -> Option<Self::Item> {
        if self.directory.is_exceeded() {
            return None;
        }
        if self.slices.is_empty() {
            let next: Vec<_> = std::iter::from_fn(|| self.directory.next_members()).take(self.max).collect();
            let list = &self.directory;
            self.slices = in_parallel(next, |members| (members.clone(), list.unpack(members))).into();
        }
        let (members, slice) = self.slices.pop_front()?;
        Some(match self.directory.take(slice) {
            Some(events) => Box::new(events.into_iter()),
            None => match self.directory.stream(members) {
                Ok(events) => Box::new(events.into_iter()),
                Err(error) => {
                    let name = self.directory.name.clone();
                    Box::new(std::iter::once(Event::Fault(name, Code::UnreadableSource, error.to_string())))
                }
            },
        })
    }
}

/// Applies `work` to each item, on all threads of the run.
fn in_parallel<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> U + Sync + Send) -> Vec<U> {
    if items.len() > 1 { items.into_par_iter().map(work).collect() } else { items.into_iter().map(work).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use std::path::Path;

    /// Returns bytes that hardly compress.
    fn noise(length: usize) -> Vec<u8> {
        let mut state = 7;
        let byte = |_| jigo_rules::board::hash::split_mix(&mut state) as u8;
        (0..length).map(byte).collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            writer.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// Returns a zip with every case: many small members, two large ones in a row, an archive, a
    /// member without a record, damage and a password.
    fn mixed() -> Vec<u8> {
        let inner = zip(&[("in.sgf".to_owned(), b"(;B[ab])".to_vec()), ("b.sgf".to_owned(), b"(;B[cd])".to_vec())]);
        let mut members: Vec<_> = (0..600).map(|n| (format!("{n}.sgf"), format!("(;C[{n}])").into_bytes())).collect();
        members.insert(550, ("large.sgf".into(), noise(1_100_000)));
        members.insert(551, ("larger.sgf".into(), noise(1_300_000)));
        members.insert(400, ("middle.sgf".into(), noise(300_000)));
        members.insert(300, ("inner.zip".into(), inner));
        members.insert(200, ("notes.txt".into(), noise(10_000)));
        members.insert(100, ("zeros.sgf.gz".into(), gzip(&vec![0; 3 << 20])));
        let mut bytes = zip(&members);
        let find = |mark: &[u8], bytes: &[u8]| memchr::memmem::find(bytes, mark).unwrap();
        // Damages the data of one member, and sets the encryption flag of another in its local
        // header and in the central directory.
        let broken = find(b"45.sgf", &bytes) + 8;
        bytes[broken] ^= 0xFF;
        let (own, listed) = (find(b"460.sgf", &bytes), memchr::memmem::rfind(&bytes, b"460.sgf").unwrap());
        bytes[own - 30 + 6] |= 1;
        bytes[listed - 46 + 8] |= 1;
        bytes
    }

    fn zip_members(path: &Path, limits: Limits, max: usize) -> Vec<Event> {
        let directory = ZipDirectory::open("a.zip".into(), &open_file(path).unwrap(), limits).unwrap();
        ZipPrefetch { directory, max, slices: VecDeque::new() }.flatten().collect()
    }

    /// Covers different numbers of parallel slices and different limits.
    #[test]
    fn parallel_slices_equal_the_stream() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        std::fs::write(&path, mixed()).unwrap();
        let defaults = Limits::default();
        let members = [0, 1, 44, 100, 257, 258, 551, 600, 604, 605].map(|members| Limits { members, ..defaults });
        let unpacked = [0, 1, 9, 4_000, 9_000, 400_000, 3_000_000, 3_500_000, 4_500_000, 6_000_000];
        let unpacked = unpacked.map(|unpacked| Limits { unpacked, ..defaults });
        let nesting = [Limits { nesting: 0, ..defaults }, Limits { nesting: 2, ..defaults }];
        let mut limited = 0;
        for limits in [&members[..], &unpacked, &nesting, &[defaults]].concat() {
            let file = ArchiveInput::File(open_file(&path).unwrap());
            let expected: Vec<Event> =
                unpack("a.zip".into(), file, ArchiveFormat::Zip, limits).unwrap().into_iter().collect();
            limited += u64::from(expected.iter().any(|event| matches!(event, Event::Fault(_, Code::ArchiveLimit, _))));
            for max in [1, 2, 7] {
                assert!(zip_members(&path, limits, max) == expected, "{max} at once, {limits:?}");
            }
        }
        assert_eq!(limited, 9 + 9 + 1);
        let all = zip_members(&path, defaults, 4);
        let faults: Vec<_> = all.iter().filter(|event| matches!(event, Event::Fault(..))).collect();
        assert!(
            matches!(faults[..], [Event::Fault(one, Code::CorruptMember, _), Event::Fault(two, Code::EncryptedMember, _)]
                if one == "a.zip!45.sgf" && two == "a.zip!460.sgf"),
            "{faults:?}"
        );
    }

    /// Unpacking an archive whole succeeds if and only if the stream stays within all limits and is
    /// small. Both return the same events.
    #[test]
    fn archive_unpacked_whole_equals_its_stream() {
        let folder = tempfile::tempdir().unwrap();
        let games = zip(&[("a.sgf".to_owned(), noise(40_000)), ("b.sgf".to_owned(), noise(20_000))]);
        let truncated = gzip(&noise(70_000));
        let archives = [
            ("a.zip", ArchiveFormat::Zip, games.clone(), 60_000),
            ("a.zip.gz", ArchiveFormat::Gzip, gzip(&games), 60_000 + games.len() as u64),
            ("a.sgf.gz", ArchiveFormat::Gzip, gzip(&noise(50_000)), 50_000),
            ("cut.sgf.gz", ArchiveFormat::Gzip, truncated[..60_000].to_vec(), 0),
            ("no.sgf.gz", ArchiveFormat::Gzip, b"(;B[aa])".to_vec(), 0),
        ];
        for (name, format, bytes, unpacked) in archives {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            let file = || open_file(&path).unwrap();
            let stream = unpack(name.into(), ArchiveInput::File(file()), format, Limits::default()).unwrap();
            let stream: Vec<Event> = stream.into_iter().collect();
            let whole = |limits, max| unpack_whole(name, file(), format, limits, max);
            assert!(whole(Limits::default(), SMALL_MAX_UNPACKED).as_ref() == Some(&stream), "{name}");
            if unpacked > 0 {
                assert!(whole(Limits::default(), unpacked).as_ref() == Some(&stream), "{name}");
                assert!(whole(Limits::default(), unpacked - 1).is_none(), "{name}");
                assert!(
                    whole(Limits { unpacked: unpacked - 1, ..Limits::default() }, SMALL_MAX_UNPACKED).is_none(),
                    "{name}"
                );
                assert!(whole(Limits { members: 0, ..Limits::default() }, SMALL_MAX_UNPACKED).is_none(), "{name}");
            }
        }
    }
}
