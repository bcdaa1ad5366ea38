//! The list of a 7z archive: its packed streams, the coders that unpack them, and the files in
//! them.
//!
//! Each number in the list is checked against the remaining bytes: nothing has more items than the
//! list has bytes. `DOC/7zFormat.txt` of 7-Zip describes the format.

use std::cell::Cell;

use super::error::Failure;

/// The bytes before the packed streams: signature, version, and position of the list.
pub(super) const SIGNATURE_BYTES: u64 = 32;
/// The maximum number of coders in a folder, and of inputs of a coder. 7-Zip has the same limit.
const MOST_CODERS: u64 = 32;

/// The content of an archive.
#[derive(Debug, Default)]
pub(super) struct List {
    pub folders: Vec<Folder>,
    /// The position and length of each packed stream in the file.
    pub packed: Vec<(u64, u64)>,
    pub files: Vec<File>,
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
    pub streams: Vec<Stream>,
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
pub(super) struct Stream {
    pub length: u64,
    pub crc: Option<u32>,
}

/// A file of the list.
#[derive(Debug)]
pub(super) struct File {
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
    List(List),
    /// Packed streams. The first one contains the list.
    Packed(List),
}

/// Parses the bytes at the end of an archive of `length` bytes. Subtracts the memory of the result
/// from `memory`, and fails if there is not enough.
pub(super) fn read(bytes: &[u8], length: u64, memory: &Cell<u64>) -> Result<ArchiveEnd, Failure> {
    let mut cursor = Cursor { bytes, memory };
    match cursor.byte()? {
        0x17 => Ok(ArchiveEnd::Packed(streams(&mut cursor, length)?)),
        0x01 => list(&mut cursor, length).map(ArchiveEnd::List),
        _ => Err(Failure::Damaged("there is no list at its end")),
    }
}

fn list(cursor: &mut Cursor, length: u64) -> Result<List, Failure> {
    let mut list = List::default();
    loop {
        match cursor.byte()? {
            0x00 => return Ok(list),
            // Archive properties; the format defines none so far.
            0x02 => {
                while cursor.byte()? != 0 {
                    cursor.sized()?;
                }
            }
            0x04 => list = List { files: list.files, ..streams(cursor, length)? },
            0x05 => list.files = files(cursor)?,
            _ => return Err(Failure::Damaged("its list has an unknown part")),
        }
    }
}

/// Parses packed streams and folders.
fn streams(cursor: &mut Cursor, length: u64) -> Result<List, Failure> {
    let mut list = List::default();
    loop {
        match cursor.byte()? {
            0x00 => break,
            0x06 => list.packed = packed(cursor, length)?,
            0x07 => list.folders = folders(cursor)?,
            0x08 => {
                contents(cursor, &mut list.folders)?;
                return match cursor.byte()? {
                    0 => complete(list),
                    _ => Err(Failure::Damaged("its list has an unknown part")),
                };
            }
            _ => return Err(Failure::Damaged("its list has an unknown part")),
        }
    }
    for folder in &mut list.folders {
        folder.streams = vec![Stream { length: folder.length(), crc: folder.crc }];
    }
    complete(list)
}

/// Assigns the packed streams to the folders in order.
fn complete(mut list: List) -> Result<List, Failure> {
    let mut first = 0;
    for folder in &mut list.folders {
        folder.first_packed = first;
        first += folder.packed.len();
    }
    if first > list.packed.len() {
        return Err(Failure::Damaged("its list has fewer packed streams than folders take"));
    }
    Ok(list)
}

/// Parses the positions of the packed streams, which follow each other before the list.
fn packed(cursor: &mut Cursor, length: u64) -> Result<Vec<(u64, u64)>, Failure> {
    let mut at = cursor.number()?.checked_add(SIGNATURE_BYTES).ok_or(TOO_LARGE)?;
    let count = cursor.count()?;
    let mut packed = Vec::new();
    loop {
        match cursor.byte()? {
            0x00 => return Ok(packed),
            0x09 => {
                cursor.spend(count * size_of::<(u64, u64)>())?;
                for _ in 0..count {
                    let bytes = cursor.number()?;
                    let end = at.checked_add(bytes).filter(|end| *end <= length);
                    packed.push((at, bytes));
                    at = end.ok_or(Failure::Damaged("its packed streams go beyond its end"))?;
                }
            }
            // The unpacked streams have checksums as well, so these are skipped.
            0x0A => drop(cursor.checksums(count)?),
            _ => return Err(Failure::Damaged("its list has an unknown part")),
        }
    }
}

const TOO_LARGE: Failure = Failure::Damaged("its list has a number that no file reaches");

fn folders(cursor: &mut Cursor) -> Result<Vec<Folder>, Failure> {
    cursor.expect(0x0B)?;
    let count = cursor.count()?;
    cursor.expect(0)?;
    let mut folders = Vec::new();
    for _ in 0..count {
        cursor.spend(size_of::<Folder>() + OWN)?;
        folders.push(folder(cursor)?);
    }
    cursor.expect(0x0C)?;
    for coder in folders.iter_mut().flat_map(|folder| &mut folder.coders) {
        coder.length = cursor.number()?;
    }
    loop {
        match cursor.byte()? {
            0x00 => return Ok(folders),
            0x0A => {
                let checksums = cursor.checksums(count)?;
                folders.iter_mut().zip(checksums).for_each(|(folder, crc)| folder.crc = crc);
            }
            _ => return Err(Failure::Damaged("its list has an unknown part")),
        }
    }
}

fn folder(cursor: &mut Cursor) -> Result<Folder, Failure> {
    let count = cursor.number()?;
    if !(1..=MOST_CODERS).contains(&count) {
        return Err(Failure::Damaged("its list has a folder of no coder or of too many"));
    }
    let mut folder = Folder::default();
    for _ in 0..count {
        cursor.spend(2 * size_of::<Coder>() + OWN)?;
        folder.coders.push(coder(cursor)?);
    }
    // This covers inputs, bonds and packed streams.
    let (coders, inputs) = (folder.coders.len(), folder.coders.iter().map(|coder| coder.inputs).sum::<usize>());
    cursor.spend(inputs * 4 * size_of::<usize>())?;
    let mut index = |most: usize| -> Result<usize, Failure> {
        let index = cursor.number()?;
        usize::try_from(index)
            .ok()
            .filter(|index| *index < most)
            .ok_or(Failure::Damaged("its coders don't fit together"))
    };
    for _ in 1..coders {
        folder.bonds.push((index(inputs)?, index(coders)?));
    }
    // Each stream may be connected only once, so the coders form a tree.
    let is_bound = |input: usize| folder.bonds.iter().any(|bond| bond.0 == input);
    let main = (0..coders).find(|coder| folder.bonds.iter().all(|bond| bond.1 != *coder));
    let is_twice = |(at, bond): (usize, &(usize, usize))| {
        folder.bonds[..at].iter().any(|other| other.0 == bond.0 || other.1 == bond.1)
    };
    let packed = (inputs + 1).checked_sub(coders).filter(|count| *count > 0);
    let (Some(main), Some(packed), false) = (main, packed, folder.bonds.iter().enumerate().any(is_twice)) else {
        return Err(Failure::Damaged("its coders don't fit together"));
    };
    folder.main = main;
    folder.packed = match packed {
        1 => (0..inputs).filter(|input| !is_bound(*input)).collect(),
        count => (0..count).map(|_| index(inputs)).collect::<Result<_, _>>()?,
    };
    Ok(folder)
}

fn coder(cursor: &mut Cursor) -> Result<Coder, Failure> {
    let flags = cursor.byte()?;
    let id = cursor.take(u64::from(flags & 15))?;
    if id.len() > 8 || flags & 0xC0 != 0 {
        return Err(Failure::Damaged("its list has a coder of an unknown kind"));
    }
    let method = id.iter().fold(0, |method, byte| method << 8 | u64::from(*byte));
    let (inputs, outputs) = if flags & 0x10 == 0 { (1, 1) } else { (cursor.number()?, cursor.number()?) };
    if !(1..=MOST_CODERS).contains(&inputs) || outputs != 1 {
        return Err(Failure::Damaged("its list has a coder of too many streams"));
    }
    let properties = if flags & 0x20 == 0 { Vec::new() } else { cursor.sized()?.to_vec() };
    cursor.spend(properties.len())?;
    Ok(Coder { method, properties, inputs: inputs as usize, length: 0 })
}

/// Parses the lengths and checksums of the files in the folders.
fn contents(cursor: &mut Cursor, folders: &mut [Folder]) -> Result<(), Failure> {
    let mut part = cursor.byte()?;
    let mut counts = vec![1; folders.len()];
    if part == 0x0D {
        // The name of each file follows later in the list.
        let mut left = cursor.bytes.len();
        for count in &mut counts {
            *count = cursor.count()?;
            left = left.checked_sub(*count).ok_or(Failure::Damaged("its list has more files than bytes"))?;
        }
        part = cursor.byte()?;
    }
    for (folder, count) in folders.iter_mut().zip(&counts) {
        cursor.spend(count * 2 * size_of::<Stream>())?;
        let mut left = folder.length();
        for number in 0..*count {
            let length = match number + 1 == *count {
                true => left,
                false if part == 0x09 => cursor.number()?,
                false => return Err(Failure::Damaged("its list has files without a length")),
            };
            left = left.checked_sub(length).ok_or(Failure::Damaged("its files are longer than their folder"))?;
            let crc = folder.crc.filter(|_| *count == 1);
            folder.streams.push(Stream { length, crc });
        }
    }
    if part == 0x09 {
        part = cursor.byte()?;
    }
    while part != 0 {
        match part {
            0x0A => {
                let mut unknown: Vec<&mut Stream> = folders
                    .iter_mut()
                    .flat_map(|folder| &mut folder.streams)
                    .filter(|stream| stream.crc.is_none())
                    .collect();
                let checksums = cursor.checksums(unknown.len())?;
                unknown.iter_mut().zip(checksums).for_each(|(stream, crc)| stream.crc = crc);
            }
            _ => drop(cursor.sized()?),
        }
        part = cursor.byte()?;
    }
    Ok(())
}

fn files(cursor: &mut Cursor) -> Result<Vec<File>, Failure> {
    let count = cursor.count()?;
    let mut files = Vec::new();
    let (mut empty, mut empty_files) = (Vec::new(), Vec::new());
    let mut empty_count = 0;
    loop {
        let kind = cursor.byte()?;
        if kind == 0 {
            break;
        }
        let mut part = Cursor { bytes: cursor.sized()?, memory: cursor.memory };
        match kind {
            0x0E => {
                empty = part.bits(count)?;
                empty_count = empty.iter().filter(|is_empty| **is_empty).count();
            }
            0x0F => empty_files = part.bits(empty_count)?,
            0x11 => {
                part.expect(0)?;
                files = names(&mut part, count)?;
            }
            // Times, attributes and padding.
            _ => {}
        }
    }
    if files.len() != count {
        return Err(Failure::Damaged("its list has files without a name"));
    }
    let mut empty_files = empty_files.into_iter();
    for (file, _) in files.iter_mut().zip(empty).filter(|(_, is_empty)| *is_empty) {
        file.has_stream = false;
        file.is_folder = !empty_files.next().unwrap_or(false);
    }
    Ok(files)
}

/// Parses names in UTF-16, each terminated by a zero.
fn names(cursor: &mut Cursor, count: usize) -> Result<Vec<File>, Failure> {
    let mut names = Vec::new();
    let mut units = cursor.bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).peekable();
    while units.peek().is_some() {
        if names.len() == count {
            return Err(Failure::Damaged("its list has more names than files"));
        }
        let name = units.by_ref().take_while(|unit| *unit != 0);
        let name: String = char::decode_utf16(name).map(|read| read.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        cursor.spend(2 * size_of::<File>() + OWN + 2 * name.len())?;
        names.push(File { name, has_stream: true, is_folder: false });
    }
    Ok(names)
}

/// The overhead of an allocation in bytes.
const OWN: usize = 16;

/// The remaining bytes of the list, and the remaining memory for the parsed values.
struct Cursor<'a> {
    bytes: &'a [u8],
    memory: &'a Cell<u64>,
}

const CUT: Failure = Failure::Damaged("its list is cut");

impl<'a> Cursor<'a> {
    fn byte(&mut self) -> Result<u8, Failure> {
        self.bytes.split_off_first().copied().ok_or(CUT)
    }

    /// Subtracts `bytes` from the remaining memory.
    fn spend(&self, bytes: usize) -> Result<(), Failure> {
        let left = self.memory.get().checked_sub(bytes as u64);
        self.memory.set(left.ok_or(Failure::Memory)?);
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Result<(), Failure> {
        if self.byte()? == byte { Ok(()) } else { Err(Failure::Damaged("its list has an unknown part")) }
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], Failure> {
        let length = usize::try_from(length).map_err(|_| CUT)?;
        self.bytes.split_off(..length).ok_or(CUT)
    }

    /// Returns a run of bytes that starts with its length.
    fn sized(&mut self) -> Result<&'a [u8], Failure> {
        let length = self.number()?;
        self.take(length)
    }

    /// Parses a number. The leading ones of the first byte count the following bytes, lowest first;
    /// its remaining bits are the highest ones.
    fn number(&mut self) -> Result<u64, Failure> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let mut value = 0;
        for shift in 0..more {
            value |= u64::from(self.byte()?) << (8 * shift);
        }
        let high = u64::from(first) & (0x7F >> more.min(7));
        Ok(if more < 8 { value | high << (8 * more) } else { value })
    }

    /// Parses a number of items, each of which takes at least one of the following bytes.
    fn count(&mut self) -> Result<usize, Failure> {
        let count = self.number()?;
        usize::try_from(count)
            .ok()
            .filter(|count| *count <= self.bytes.len())
            .ok_or(Failure::Damaged("its list has more items than bytes"))
    }

    fn bits(&mut self, count: usize) -> Result<Vec<bool>, Failure> {
        let bytes = self.take(count.div_ceil(8) as u64)?;
        self.spend(count)?;
        Ok((0..count).map(|bit| bytes[bit / 8] >> (7 - bit % 8) & 1 == 1).collect())
    }

    /// Parses the checksums of `count` items; an item may have none.
    fn checksums(&mut self, count: usize) -> Result<Vec<Option<u32>>, Failure> {
        self.spend(count * size_of::<Option<u32>>())?;
        let are_there = if self.byte()? != 0 { vec![true; count] } else { self.bits(count)? };
        let mut checksum = |is_there: bool| -> Result<Option<u32>, Failure> {
            if !is_there {
                return Ok(None);
            }
            let bytes = self.take(4)?;
            Ok(Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])))
        };
        are_there.into_iter().map(&mut checksum).collect()
    }
}
