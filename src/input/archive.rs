//! Archives as if they were folders: their members one after the other, in the order of the archive.
//!
//! A thread unpacks and hands on what it finds through a short queue, so memory is bounded and unpacking runs beside the analysis.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::discover::is_game_name;
use super::pack::{Format, ZipMethod, unpacked_name};
use crate::finding::Code;

/// Bytes handed on at a time.
const BLOCK: usize = 256 << 10;
/// Blocks that wait to be taken, at most.
const QUEUE: usize = 8;
/// Below so many unpacked bytes the ratio of packing says nothing.
const RATIO_COUNTS_FROM: u64 = 64 << 20;

/// The methods of zips that single files are packed by, too.
const SINGLE_METHODS: [(zip::CompressionMethod, ZipMethod); 3] = [
    (zip::CompressionMethod::ZSTD, ZipMethod::Zstd),
    (zip::CompressionMethod::XZ, ZipMethod::Xz),
    (zip::CompressionMethod::LZMA, ZipMethod::Lzma),
];

/// How far an archive is unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Unpacked bytes, of all members together.
    pub unpacked: u64,
    /// Members.
    pub members: u64,
    /// Unpacked bytes for each byte of the archive.
    pub ratio: u64,
    /// Archives in archives.
    pub nesting: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { unpacked: 64 << 30, members: 10_000_000, ratio: 200, nesting: 1 }
    }
}

/// What an archive turns out to hold.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// A member begins; its name with that of the archive, `archive.zip!inner/name.sgf`.
    Member(String),
    /// Bytes of the member.
    Bytes(Vec<u8>),
    /// The member ends.
    MemberEnd,
    /// Something is wrong with the file of this name, member or archive. It ends the member that was open.
    Fault(String, Code, String),
}

/// Where an archive's bytes are.
pub enum Packed<'a> {
    /// In a file, which can be read in any order.
    File(File),
    /// In a stream.
    Stream(Box<dyn Read + Send + 'a>),
}

/// Unpacks an archive on a thread of its own. The events end with the archive; dropping them ends the thread.
///
/// # Errors
/// When there is no thread to be had.
pub fn unpack(name: String, input: Packed<'static>, format: Format, limits: Limits) -> io::Result<Receiver<Event>> {
    let (sender, receiver) = sync_channel(QUEUE);
    std::thread::Builder::new().name("unpack".into()).spawn(move || {
        let packed = Arc::new(AtomicU64::new(0));
        let mut unpacker = Unpacker { sender, limits, packed: Arc::clone(&packed), unpacked: 0, members: 0 };
        // What is wrong is an event already; a receiver that is gone needs none.
        let _ = match input {
            Packed::File(file) if format == Format::Zip || format == Format::SevenZ => {
                packed.store(file.metadata().map_or(0, |found| found.len()), Ordering::Relaxed);
                unpacker.listed(&name, file, format, 0)
            }
            Packed::File(file) => unpacker.archive(&name, Box::new(Counted { input: file, count: packed }), format, 0),
            Packed::Stream(input) => unpacker.archive(&name, Box::new(Counted { input, count: packed }), format, 0),
        };
    })?;
    Ok(receiver)
}

/// Unpacking is over: nobody listens, or a limit is reached.
struct Over;

struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Fails once, if it has something to fail with, and ends.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

struct Unpacker {
    sender: SyncSender<Event>,
    limits: Limits,
    /// Bytes of the archive read.
    packed: Arc<AtomicU64>,
    unpacked: u64,
    members: u64,
}

impl Unpacker {
    fn send(&self, event: Event) -> Result<(), Over> {
        self.sender.send(event).map_err(|_| Over)
    }

    fn fault(&self, name: &str, code: Code, detail: impl ToString) -> Result<(), Over> {
        self.send(Event::Fault(name.into(), code, detail.to_string()))
    }

    fn archive(&mut self, name: &str, input: Box<dyn Read + '_>, format: Format, depth: u32) -> Result<(), Over> {
        match format {
            Format::Zip | Format::SevenZ => match self.spool(name, input)? {
                Some(file) => self.listed(name, file, format, depth),
                None => Ok(()),
            },
            Format::Tar => self.tar(name, input, depth),
            single => match single.unpack(input) {
                Ok(Some(unpacked)) => self.single(name, unpacked, depth),
                Ok(None) => Ok(()),
                Err(error) => self.fault(name, Code::CorruptMember, error),
            },
        }
    }

    /// An archive with its list at the end.
    fn listed(&mut self, name: &str, file: File, format: Format, depth: u32) -> Result<(), Over> {
        match format {
            Format::SevenZ => self.seven_z(name, file, depth),
            _ => self.zip(name, file, depth),
        }
    }

    /// A file packed by itself: a tar, or one member.
    fn single(&mut self, name: &str, mut input: Box<dyn Read + '_>, depth: u32) -> Result<(), Over> {
        let mut start = Vec::new();
        // What was unpacked before a fault is read; the fault comes behind it.
        let failure = input.by_ref().take(512).read_to_end(&mut start).err();
        if let (Some(error), []) = (&failure, start.as_slice()) {
            return self.fault(name, Code::CorruptMember, error);
        }
        let is_tar = Format::of_start(&start) == Some(Format::Tar);
        let inner = unpacked_name(name);
        let mut input = io::Cursor::new(start).chain(Failing(failure)).chain(input);
        if is_tar || inner.to_ascii_lowercase().ends_with(".tar") {
            return self.tar(name, Box::new(input), depth);
        }
        let inner = format!("{name}!{inner}");
        match Format::of_name(&inner) {
            Some(_) => self.member(&inner, &mut input, depth),
            None => self.game_file(&inner, &mut input),
        }
    }

    /// One member: a file of games is handed on, an archive is unpacked, anything else is passed over.
    fn member(&mut self, name: &str, input: &mut dyn Read, depth: u32) -> Result<(), Over> {
        if is_game_name(name) {
            return self.game_file(name, input);
        }
        let Some(format) = Format::of_name(name) else { return Ok(()) };
        if depth >= self.limits.nesting {
            let detail = format!("archives are nested deeper than --max-nesting {}", self.limits.nesting);
            return self.fault(name, Code::ArchiveLimit, detail);
        }
        self.archive(name, Box::new(input), format, depth + 1)
    }

    fn game_file(&mut self, name: &str, mut input: &mut dyn Read) -> Result<(), Over> {
        self.members += 1;
        if self.members > self.limits.members {
            self.fault(name, Code::ArchiveLimit, format!("more files than --max-members {}", self.limits.members))?;
            return Err(Over);
        }
        self.send(Event::Member(name.into()))?;
        loop {
            let mut block = Vec::new();
            let read = Read::by_ref(&mut input).take(BLOCK as u64).read_to_end(&mut block);
            let length = block.len();
            if length > 0 {
                self.count(name, length)?;
                self.send(Event::Bytes(block))?;
            }
            match read {
                Ok(_) if length < BLOCK => return self.send(Event::MemberEnd),
                Ok(_) => {}
                Err(error) => return self.fault(name, Code::CorruptMember, error),
            }
        }
    }

    /// Counts unpacked bytes against the limits.
    fn count(&mut self, name: &str, length: usize) -> Result<(), Over> {
        self.unpacked += length as u64;
        let Limits { unpacked, ratio, .. } = self.limits;
        let packed = self.packed.load(Ordering::Relaxed).max(1);
        let detail = if self.unpacked > unpacked {
            format!("more bytes unpacked than --max-unpacked {unpacked}")
        } else if self.unpacked > RATIO_COUNTS_FROM && self.unpacked / packed > ratio {
            format!("each byte of the archive unpacks to more than --max-ratio {ratio}")
        } else {
            return Ok(());
        };
        self.fault(name, Code::ArchiveLimit, detail)?;
        Err(Over)
    }

    fn tar(&mut self, name: &str, input: Box<dyn Read + '_>, depth: u32) -> Result<(), Over> {
        let mut archive = tar::Archive::new(input);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.fault(name, Code::CorruptMember, error),
        };
        for entry in entries {
            let mut entry = match entry {
                Ok(entry) => entry,
                // Where one header is damaged, nothing shows where the next one is.
                Err(error) => return self.fault(name, Code::CorruptMember, error),
            };
            if entry.header().entry_type().is_file() {
                let inner = member_name(name, &entry.path_bytes());
                self.member(&inner, &mut entry, depth)?;
            }
        }
        Ok(())
    }

    fn zip(&mut self, name: &str, file: File, depth: u32) -> Result<(), Over> {
        let mut archive = match zip::ZipArchive::new(BufReader::new(&file)) {
            Ok(archive) => archive,
            Err(error) => {
                self.fault(name, Code::CorruptMember, format!("{error}; its files are looked for one by one"))?;
                return match (&file).seek(SeekFrom::Start(0)) {
                    Ok(_) => self.zip_without_list(name, &mut BufReader::new(&file), depth),
                    Err(_) => Ok(()),
                };
            }
        };
        for index in 0..archive.len() {
            let (inner, is_encrypted, method) = match archive.by_index_raw(index) {
                Ok(entry) if entry.is_dir() => continue,
                Ok(entry) => (member_name(name, entry.name_raw()), entry.encrypted(), entry.compression()),
                Err(error) => {
                    self.fault(name, Code::CorruptMember, error)?;
                    continue;
                }
            };
            if !is_wanted(&inner) {
                continue;
            }
            if is_encrypted {
                self.fault(&inner, Code::EncryptedMember, "it needs a password")?;
                continue;
            }
            let single = SINGLE_METHODS.iter().find(|(known, _)| *known == method);
            if let Some((_, method)) = single {
                self.zip_member(&inner, archive.by_index_raw(index), *method, depth)?;
                continue;
            }
            match archive.by_index(index) {
                Ok(mut entry) => self.member(&inner, &mut entry, depth)?,
                Err(error) => self.fault(&inner, Code::CorruptMember, error)?,
            }
        }
        Ok(())
    }

    /// A member of a zip that is packed as single files are.
    fn zip_member<R: Read>(
        &mut self,
        name: &str,
        raw: zip::result::ZipResult<zip::read::ZipFile<'_, R>>,
        method: ZipMethod,
        depth: u32,
    ) -> Result<(), Over> {
        let raw = match raw {
            Ok(raw) => raw,
            Err(error) => return self.fault(name, Code::CorruptMember, error),
        };
        let (length, crc) = (raw.size(), raw.crc32());
        match method.unpack(Box::new(raw), length, crc) {
            Ok(mut unpacked) => self.member(name, &mut unpacked, depth),
            Err(error) => self.fault(name, Code::CorruptMember, error),
        }
    }

    /// The files of a zip whose list at the end is lost, as far as they follow each other.
    fn zip_without_list(&mut self, name: &str, input: &mut dyn Read, depth: u32) -> Result<(), Over> {
        let mut input = input;
        // What ends the search is said already: the archive is damaged.
        while let Ok(Some(mut entry)) = zip::read::read_zipfile_from_stream(&mut input) {
            let inner = member_name(name, entry.name_raw());
            if !entry.is_dir() {
                self.member(&inner, &mut entry, depth)?;
            }
        }
        Ok(())
    }

    fn seven_z(&mut self, name: &str, mut file: File, depth: u32) -> Result<(), Over> {
        let password = sevenz_rust2::Password::empty();
        let archive = match sevenz_rust2::Archive::read(&mut file, &password) {
            Ok(archive) => archive,
            Err(error) => return self.seven_z_fault(name, &error),
        };
        for index in 0..archive.blocks.len() {
            let block = sevenz_rust2::BlockDecoder::new(1, index, &archive, &password, &mut file);
            let mut current = name.to_owned();
            let mut over = Ok(());
            let outcome = block.for_each_entries(&mut |entry, input| {
                current = member_name(name, entry.name.as_bytes());
                if !entry.is_directory {
                    over = self.member(&current, input, depth);
                }
                // The next file begins where this one ends.
                let rest = io::copy(input, &mut io::sink());
                rest.map(|_| over.is_ok()).map_err(|error| sevenz_rust2::Error::Io(error, "".into()))
            });
            over?;
            if let Err(error) = outcome {
                self.seven_z_fault(&current, &error)?;
            }
        }
        Ok(())
    }

    fn seven_z_fault(&self, name: &str, error: &sevenz_rust2::Error) -> Result<(), Over> {
        match error {
            sevenz_rust2::Error::PasswordRequired | sevenz_rust2::Error::MaybeBadPassword(_) => {
                self.fault(name, Code::EncryptedMember, "it needs a password")
            }
            // Without the feature for AES, encryption is a method that is not known.
            error if error.to_string().contains("AES") => {
                self.fault(name, Code::EncryptedMember, "it needs a password")
            }
            error => self.fault(name, Code::CorruptMember, error),
        }
    }

    /// The bytes as a file that can be read in any order: archives with their list at the end need one.
    fn spool(&mut self, name: &str, input: Box<dyn Read + '_>) -> Result<Option<File>, Over> {
        let limit = self.limits.unpacked;
        let copied = tempfile::tempfile().and_then(|mut file| {
            let length = io::copy(&mut input.take(limit.saturating_add(1)), &mut file)?;
            file.seek(SeekFrom::Start(0))?;
            Ok((file, length))
        });
        match copied {
            Ok((_, length)) if length > limit => {
                self.fault(name, Code::ArchiveLimit, format!("larger than --max-unpacked {limit}"))?;
                Ok(None)
            }
            Ok((file, _)) => Ok(Some(file)),
            Err(error) => self.fault(name, Code::CorruptMember, error).map(|()| None),
        }
    }
}

fn is_wanted(name: &str) -> bool {
    is_game_name(name) || Format::of_name(name).is_some()
}

/// `archive!member` with forward slashes; names that are not UTF-8 are decoded as texts are.
fn member_name(archive: &str, member: &[u8]) -> String {
    let charset = super::charset::decide(member, member, &mut None);
    let decoded = super::decode::Decoded::new(member, charset);
    format!("{archive}!{}", String::from_utf8_lossy(&decoded.text).replace('\\', "/"))
}
