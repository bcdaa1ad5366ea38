//! The list of a 7z archive: its packed streams, the coders that unpack them, and the files in
//! them.
//!
//! Each number in the list is checked against the remaining bytes: nothing has more items than the
//! list has bytes, and the memory for the items is reserved before it is allocated. `DOC/7zFormat.txt`
//! of 7-Zip describes the format.

use std::cell::Cell;

use super::error::SevenZError;

/// The bytes before the packed streams: signature, version, and position of the list.
pub(super) const SIGNATURE_BYTES: u64 = 32;
/// The maximum number of coders in a folder, and of inputs of a coder. 7-Zip has the same limit.
const MAX_CODERS: u64 = 32;

/// The content of an archive.
#[derive(Debug, Default)]
pub(super) struct SevenZDirectory {
    pub folders: Vec<Folder>,
    /// The position and length of each packed stream in the file.
    pub packed: Vec<(u64, u64)>,
    pub files: Vec<FileEntry>,
}

/// Files that are compressed together: one output stream, made by coders from one or more packed
/// streams.
#[derive(Debug, Default)]
pub(super) struct Folder {
    pub coders: Vec<Coder>,
    /// The connections: index of an input and index of the coder that produces it. Inputs are
    /// numbered over all coders.
    pub bonds: Vec<(usize, usize)>,
    /// The inputs that are packed streams, in the order of these streams.
    pub packed: Vec<usize>,
    /// The index of the folder's first packed stream.
    pub first_packed: usize,
    /// The coder whose output is the output of the folder.
    pub main: usize,
    pub crc: Option<u32>,
    /// The folder's files with content, in order.
    pub streams: Vec<FileContent>,
}

/// A compression method with its settings.
#[derive(Debug)]
pub(super) struct Coder {
    pub method: u64,
    pub properties: Vec<u8>,
    /// The number of inputs.
    pub inputs: usize,
    /// The length of the output in bytes.
    pub length: u64,
}

/// The content of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileContent {
    pub length: u64,
    pub crc: Option<u32>,
}

/// A file of the list.
#[derive(Debug)]
pub(super) struct FileEntry {
    /// The name, converted from UTF-16.
    pub name: String,
    pub has_stream: bool,
    pub is_folder: bool,
}

impl Folder {
    /// Returns the total length of the folder's files in bytes.
    pub(super) fn length(&self) -> u64 {
        self.coders.get(self.main).map_or(0, |coder| coder.length)
    }
}

/// The structure at the end of an archive.
pub(super) enum ArchiveEnd {
    /// The list.
    Directory(SevenZDirectory),
    /// Packed streams. The first one contains the list.
    Packed(SevenZDirectory),
}

/// Parses the bytes at the end of an archive of `length` bytes. Subtracts the memory of the result
/// from `memory`, and fails if there is not enough.
pub(super) fn parse(bytes: &[u8], length: u64, memory: &Cell<u64>) -> Result<ArchiveEnd, SevenZError> {
    let mut cursor = DirectoryCursor { bytes, memory };
    match cursor.read_byte()? {
        0x17 => Ok(ArchiveEnd::Packed(parse_streams(&mut cursor, length)?)),
        0x01 => parse_directory(&mut cursor, length).map(ArchiveEnd::Directory),
        _ => Err(SevenZError::Damaged("there is no list at its end")),
    }
}

fn parse_directory(cursor: &mut DirectoryCursor, length: u64) -> Result<SevenZDirectory, SevenZError> {
    let mut directory = SevenZDirectory::default();
    loop {
        match cursor.read_byte()? {
            0x00 => return Ok(directory),
            // Archive properties; the format defines none so far.
            0x02 => {
                while cursor.read_byte()? != 0 {
                    cursor.read_sized()?;
                }
            }
            0x04 => directory = SevenZDirectory { files: directory.files, ..parse_streams(cursor, length)? },
            0x05 => directory.files = parse_files(cursor)?,
            _ => return Err(SevenZError::Damaged("its list has an unknown part")),
        }
    }
}

/// Parses packed streams and folders.
fn parse_streams(cursor: &mut DirectoryCursor, length: u64) -> Result<SevenZDirectory, SevenZError> {
    let mut directory = SevenZDirectory::default();
    loop {
        match cursor.read_byte()? {
            0x00 => break,
            0x06 => directory.packed = parse_packed_streams(cursor, length)?,
            0x07 => directory.folders = parse_folders(cursor)?,
            0x08 => {
                parse_contents(cursor, &mut directory.folders)?;
                return match cursor.read_byte()? {
                    0 => assign_streams(directory),
                    _ => Err(SevenZError::Damaged("its list has an unknown part")),
                };
            }
            _ => return Err(SevenZError::Damaged("its list has an unknown part")),
        }
    }
    for folder in &mut directory.folders {
        folder.streams = vec![FileContent { length: folder.length(), crc: folder.crc }];
    }
    assign_streams(directory)
}

/// Assigns the packed streams to the folders in order.
fn assign_streams(mut directory: SevenZDirectory) -> Result<SevenZDirectory, SevenZError> {
    let mut first = 0;
    for folder in &mut directory.folders {
        folder.first_packed = first;
        first += folder.packed.len();
    }
    if first > directory.packed.len() {
        return Err(SevenZError::Damaged("its list has fewer packed streams than folders take"));
    }
    Ok(directory)
}

/// Parses the positions of the packed streams, which follow each other before the list.
fn parse_packed_streams(cursor: &mut DirectoryCursor, length: u64) -> Result<Vec<(u64, u64)>, SevenZError> {
    let mut offset = cursor.read_number()?.checked_add(SIGNATURE_BYTES).ok_or(TOO_LARGE)?;
    let count = cursor.read_count()?;
    let mut packed = Vec::new();
    loop {
        match cursor.read_byte()? {
            0x00 => return Ok(packed),
            0x09 => {
                cursor.reserve_memory(count * size_of::<(u64, u64)>())?;
                for _ in 0..count {
                    let bytes = cursor.read_number()?;
                    let end = offset.checked_add(bytes).filter(|end| *end <= length);
                    packed.push((offset, bytes));
                    offset = end.ok_or(SevenZError::Damaged("its packed streams go beyond its end"))?;
                }
            }
            // The unpacked streams have checksums as well, so these are skipped.
            0x0A => drop(cursor.read_checksums(count)?),
            _ => return Err(SevenZError::Damaged("its list has an unknown part")),
        }
    }
}

const TOO_LARGE: SevenZError = SevenZError::Damaged("its list has a number that no file reaches");

fn parse_folders(cursor: &mut DirectoryCursor) -> Result<Vec<Folder>, SevenZError> {
    cursor.expect(0x0B)?;
    let count = cursor.read_count()?;
    cursor.expect(0)?;
    let mut folders = Vec::new();
    for _ in 0..count {
        cursor.reserve_memory(size_of::<Folder>() + ALLOCATION_OVERHEAD)?;
        folders.push(parse_folder(cursor)?);
    }
    cursor.expect(0x0C)?;
    for coder in folders.iter_mut().flat_map(|folder| &mut folder.coders) {
        coder.length = cursor.read_number()?;
    }
    loop {
        match cursor.read_byte()? {
            0x00 => return Ok(folders),
            0x0A => {
                let checksums = cursor.read_checksums(count)?;
                folders.iter_mut().zip(checksums).for_each(|(folder, crc)| folder.crc = crc);
            }
            _ => return Err(SevenZError::Damaged("its list has an unknown part")),
        }
    }
}

fn parse_folder(cursor: &mut DirectoryCursor) -> Result<Folder, SevenZError> {
    let count = cursor.read_number()?;
    if !(1..=MAX_CODERS).contains(&count) {
        return Err(SevenZError::Damaged("its list has a folder of no coder or of too many"));
    }
    let mut folder = Folder::default();
    for _ in 0..count {
        cursor.reserve_memory(2 * size_of::<Coder>() + ALLOCATION_OVERHEAD)?;
        folder.coders.push(parse_coder(cursor)?);
    }
    // This covers inputs, bonds and packed streams.
    let (coders, inputs) = (folder.coders.len(), folder.coders.iter().map(|coder| coder.inputs).sum::<usize>());
    cursor.reserve_memory(inputs * 4 * size_of::<usize>())?;
    let mut index = |limit: usize| -> Result<usize, SevenZError> {
        let index = cursor.read_number()?;
        usize::try_from(index)
            .ok()
            .filter(|index| *index < limit)
            .ok_or(SevenZError::Damaged("its coders don't fit together"))
    };
    for _ in 1..coders {
        folder.bonds.push((index(inputs)?, index(coders)?));
    }
    // Each stream may be connected only once, so the coders form a tree.
    let is_connected = |input: usize| folder.bonds.iter().any(|bond| bond.0 == input);
    let main = (0..coders).find(|coder| folder.bonds.iter().all(|bond| bond.1 != *coder));
    let is_repeated = |(position, bond): (usize, &(usize, usize))| {
        folder.bonds[..position].iter().any(|other| other.0 == bond.0 || other.1 == bond.1)
    };
    let packed = (inputs + 1).checked_sub(coders).filter(|count| *count > 0);
    let (Some(main), Some(packed), false) = (main, packed, folder.bonds.iter().enumerate().any(is_repeated)) else {
        return Err(SevenZError::Damaged("its coders don't fit together"));
    };
    folder.main = main;
    folder.packed = match packed {
        1 => (0..inputs).filter(|input| !is_connected(*input)).collect(),
        count => (0..count).map(|_| index(inputs)).collect::<Result<_, _>>()?,
    };
    Ok(folder)
}

fn parse_coder(cursor: &mut DirectoryCursor) -> Result<Coder, SevenZError> {
    let flags = cursor.read_byte()?;
    let id = cursor.read_bytes(u64::from(flags & 15))?;
    if id.len() > 8 || flags & 0xC0 != 0 {
        return Err(SevenZError::Damaged("its list has a coder of an unknown kind"));
    }
    let method = id.iter().fold(0, |method, byte| method << 8 | u64::from(*byte));
    let (inputs, outputs) = if flags & 0x10 == 0 { (1, 1) } else { (cursor.read_number()?, cursor.read_number()?) };
    if !(1..=MAX_CODERS).contains(&inputs) || outputs != 1 {
        return Err(SevenZError::Damaged("its list has a coder of too many streams"));
    }
    let properties = if flags & 0x20 == 0 { Vec::new() } else { cursor.read_sized()?.to_vec() };
    cursor.reserve_memory(properties.len())?;
    Ok(Coder { method, properties, inputs: inputs as usize, length: 0 })
}

/// Parses the lengths and checksums of the files in the folders.
fn parse_contents(cursor: &mut DirectoryCursor, folders: &mut [Folder]) -> Result<(), SevenZError> {
    let mut part = cursor.read_byte()?;
    let mut counts = vec![1; folders.len()];
    if part == 0x0D {
        parse_counts(cursor, &mut counts)?;
        part = cursor.read_byte()?;
    }
    parse_lengths(cursor, folders, &counts, part == 0x09)?;
    if part == 0x09 {
        part = cursor.read_byte()?;
    }
    while part != 0 {
        match part {
            0x0A => parse_checksums(cursor, folders)?,
            _ => drop(cursor.read_sized()?),
        }
        part = cursor.read_byte()?;
    }
    Ok(())
}

/// Parses the number of files of each folder.
fn parse_counts(cursor: &mut DirectoryCursor, counts: &mut [usize]) -> Result<(), SevenZError> {
    // The name of each file follows later in the list.
    let mut remaining = cursor.bytes.len();
    for count in counts {
        *count = cursor.read_count()?;
        remaining = remaining.checked_sub(*count).ok_or(SevenZError::Damaged("its list has more files than bytes"))?;
    }
    Ok(())
}

/// Parses the lengths of the files. The last file of a folder has the rest of it, so a list
/// without lengths has one file in each folder.
fn parse_lengths(
    cursor: &mut DirectoryCursor,
    folders: &mut [Folder],
    counts: &[usize],
    has_lengths: bool,
) -> Result<(), SevenZError> {
    for (folder, count) in folders.iter_mut().zip(counts) {
        cursor.reserve_memory(count * 2 * size_of::<FileContent>())?;
        let mut remaining = folder.length();
        for number in 0..*count {
            let length = match number + 1 == *count {
                true => remaining,
                false if has_lengths => cursor.read_number()?,
                false => return Err(SevenZError::Damaged("its list has files without a length")),
            };
            remaining =
                remaining.checked_sub(length).ok_or(SevenZError::Damaged("its files are longer than their folder"))?;
            let crc = folder.crc.filter(|_| *count == 1);
            folder.streams.push(FileContent { length, crc });
        }
    }
    Ok(())
}

/// Parses the checksums of the files whose folder has none.
fn parse_checksums(cursor: &mut DirectoryCursor, folders: &mut [Folder]) -> Result<(), SevenZError> {
    let streams = folders.iter_mut().flat_map(|folder| &mut folder.streams);
    let mut unchecked: Vec<&mut FileContent> = streams.filter(|stream| stream.crc.is_none()).collect();
    let checksums = cursor.read_checksums(unchecked.len())?;
    unchecked.iter_mut().zip(checksums).for_each(|(stream, crc)| stream.crc = crc);
    Ok(())
}

fn parse_files(cursor: &mut DirectoryCursor) -> Result<Vec<FileEntry>, SevenZError> {
    let count = cursor.read_count()?;
    let mut files = Vec::new();
    let (mut empty, mut empty_files) = (Vec::new(), Vec::new());
    let mut empty_count = 0;
    loop {
        let kind = cursor.read_byte()?;
        if kind == 0 {
            break;
        }
        let mut part = DirectoryCursor { bytes: cursor.read_sized()?, memory: cursor.memory };
        match kind {
            0x0E => {
                empty = part.read_bits(count)?;
                empty_count = empty.iter().filter(|is_empty| **is_empty).count();
            }
            0x0F => empty_files = part.read_bits(empty_count)?,
            0x11 => {
                part.expect(0)?;
                files = parse_names(&mut part, count)?;
            }
            // Times, attributes and padding.
            _ => {}
        }
    }
    if files.len() != count {
        return Err(SevenZError::Damaged("its list has files without a name"));
    }
    let mut empty_files = empty_files.into_iter();
    for (file, _) in files.iter_mut().zip(empty).filter(|(_, is_empty)| *is_empty) {
        file.has_stream = false;
        file.is_folder = !empty_files.next().unwrap_or(false);
    }
    Ok(files)
}

/// Parses names in UTF-16, each terminated by a zero.
fn parse_names(cursor: &mut DirectoryCursor, count: usize) -> Result<Vec<FileEntry>, SevenZError> {
    let mut names = Vec::new();
    let mut units = cursor.bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).peekable();
    while units.peek().is_some() {
        if names.len() == count {
            return Err(SevenZError::Damaged("its list has more names than files"));
        }
        let name = units.by_ref().take_while(|unit| *unit != 0);
        let name: String = char::decode_utf16(name).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        cursor.reserve_memory(2 * size_of::<FileEntry>() + ALLOCATION_OVERHEAD + 2 * name.len())?;
        names.push(FileEntry { name, has_stream: true, is_folder: false });
    }
    Ok(names)
}

/// The overhead of an allocation in bytes.
const ALLOCATION_OVERHEAD: usize = 16;

/// The remaining bytes of the list, and the remaining memory for the parsed values.
struct DirectoryCursor<'a> {
    bytes: &'a [u8],
    memory: &'a Cell<u64>,
}

const TRUNCATED: SevenZError = SevenZError::Damaged("its list is cut");

impl<'a> DirectoryCursor<'a> {
    fn read_byte(&mut self) -> Result<u8, SevenZError> {
        self.bytes.split_off_first().copied().ok_or(TRUNCATED)
    }

    /// Subtracts `bytes` from the remaining memory.
    fn reserve_memory(&self, bytes: usize) -> Result<(), SevenZError> {
        let remaining = self.memory.get().checked_sub(bytes as u64);
        self.memory.set(remaining.ok_or(SevenZError::Memory)?);
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<(), SevenZError> {
        if self.read_byte()? == byte { Ok(()) } else { Err(SevenZError::Damaged("its list has an unknown part")) }
    }

    fn read_bytes(&mut self, length: u64) -> Result<&'a [u8], SevenZError> {
        let length = usize::try_from(length).map_err(|_| TRUNCATED)?;
        self.bytes.split_off(..length).ok_or(TRUNCATED)
    }

    /// Returns a run of bytes that starts with its length.
    fn read_sized(&mut self) -> Result<&'a [u8], SevenZError> {
        let length = self.read_number()?;
        self.read_bytes(length)
    }

    /// Parses a number. The leading ones of the first byte count the following bytes, lowest first;
    /// its remaining bits are the highest ones.
    fn read_number(&mut self) -> Result<u64, SevenZError> {
        let first = self.read_byte()?;
        let following_bytes = first.leading_ones();
        let mut value = 0;
        for shift in 0..following_bytes {
            value |= u64::from(self.read_byte()?) << (8 * shift);
        }
        let high = u64::from(first) & (0x7F >> following_bytes.min(7));
        Ok(if following_bytes < 8 { value | high << (8 * following_bytes) } else { value })
    }

    /// Parses a number of items, each of which takes at least one of the following bytes.
    fn read_count(&mut self) -> Result<usize, SevenZError> {
        let count = self.read_number()?;
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= self.bytes.len())
            .ok_or(SevenZError::Damaged("its list has more items than bytes"))
    }

    fn read_bits(&mut self, count: usize) -> Result<Vec<bool>, SevenZError> {
        let bytes = self.read_bytes(count.div_ceil(8) as u64)?;
        self.reserve_memory(count)?;
        Ok((0..count).map(|bit| bytes[bit / 8] >> (7 - bit % 8) & 1 == 1).collect())
    }

    /// Parses the checksums of `count` items; an item may have none.
    fn read_checksums(&mut self, count: usize) -> Result<Vec<Option<u32>>, SevenZError> {
        self.reserve_memory(count * size_of::<Option<u32>>())?;
        let presence = if self.read_byte()? != 0 { vec![true; count] } else { self.read_bits(count)? };
        let mut checksum = |is_present: bool| -> Result<Option<u32>, SevenZError> {
            if !is_present {
                return Ok(None);
            }
            let bytes = self.read_bytes(4)?;
            Ok(Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])))
        };
        presence.into_iter().map(&mut checksum).collect()
    }
}
