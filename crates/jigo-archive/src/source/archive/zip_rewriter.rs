//! A zip that is written anew with other text in some of its files.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use flate2::write::DeflateEncoder;
use zip::result::ZipResult;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::file_cursor::FileCursor;
use super::unpacker::member_name;
use super::zip_members::{ENTRY_BYTES, ZipMembers, reserve_directory};
use crate::source::budget::memory_budget::{MemoryBudget, Reservation};
use jigo_record::sgf::Limits;

/// The length of the end record of a zip without its comment.
const END_BYTES: i64 = 22;

/// A zip that can be written anew without loss.
pub struct RewritableZip {
    archive: ZipArchive<BufReader<FileCursor>>,
    file: FileCursor,
    /// The full names of its files, as the unpacker reports them.
    names: Vec<String>,
    /// The memory reservation for the directory.
    _reservation: Reservation,
}

impl RewritableZip {
    /// Opens a zip, which has this name in the tables.
    ///
    /// # Errors
    /// Fails if it can't be read, or if a copy of its files would not be the whole zip.
    pub fn open(name: &str, file: File) -> io::Result<RewritableZip> {
        let mut file = FileCursor::new(file)?;
        let memory = Arc::new(MemoryBudget::new(Limits::default().memory, None));
        let reservation = reserve_directory(&mut file, &memory)?;
        let members = ZipMembers::read(&mut BufReader::new(file.clone()))?;
        if members.has_equal_names {
            return Err(io::Error::other("two of its files have the same name"));
        }
        let names = (0..members.len()).filter_map(|index| members.get(index));
        let names: Vec<String> = names.map(|member| member_name(name, member.name_raw()).name).collect();
        let archive = ZipArchive::new(BufReader::new(file.clone()))?;
        let mut end = [0; 4];
        let found = file.seek(SeekFrom::End(-(END_BYTES + archive.comment().len() as i64)));
        found.and_then(|_| file.read_exact(&mut end))?;
        if archive.offset() > 0 || end != *b"PK\x05\x06" {
            return Err(io::Error::other("it has bytes before or after the zip"));
        }
        Ok(RewritableZip { archive, file, names, _reservation: reservation })
    }
}

/// Writes a zip with the files of another one.
pub struct ZipRewriter<W: Write + Seek> {
    zip: RewritableZip,
    /// The index of the next file.
    next: usize,
    out: ZipWriter<W>,
}

impl<W: Write + Seek> ZipRewriter<W> {
    /// Starts a copy of a zip.
    ///
    /// # Errors
    /// Fails if its comment can't be written.
    pub fn new(zip: RewritableZip, out: W) -> ZipResult<ZipRewriter<W>> {
        let mut out = ZipWriter::new(out);
        out.set_raw_comment(zip.archive.comment().into())?;
        Ok(ZipRewriter { zip, next: 0, out })
    }

    /// Copies the files before the one with this name, and writes that one with another text.
    /// Returns false if the zip itself has no further file of this name.
    ///
    /// # Errors
    /// Fails if the zip can't be read or the output fails.
    pub fn replace(&mut self, name: &str, text: &[u8]) -> ZipResult<bool> {
        let Some(index) = self.zip.names.iter().skip(self.next).position(|found| found == name) else {
            return Ok(false);
        };
        let index = self.next + index;
        self.copy_until(index)?;
        let member = self.single_member(index, text)?;
        self.out.raw_copy_file(ZipArchive::new(Cursor::new(member))?.by_index_raw(0)?)?;
        self.next = index + 1;
        Ok(true)
    }

    /// Copies the packed bytes of the files before an index.
    fn copy_until(&mut self, end: usize) -> ZipResult<()> {
        for index in self.next..end {
            self.out.raw_copy_file(self.zip.archive.by_index_raw(index)?)?;
        }
        self.next = end;
        Ok(())
    }

    /// Returns a zip of one file, which has another text, and otherwise the directory entry of a file
    /// here: its name in any charset, time, permissions and comment.
    fn single_member(&mut self, index: usize, text: &[u8]) -> ZipResult<Vec<u8>> {
        let member = self.zip.archive.by_index_raw(index)?;
        let is_stored = member.compression() == CompressionMethod::Stored;
        let start = member.central_header_start();
        drop(member);
        let mut entry = [0; ENTRY_BYTES];
        self.zip.file.seek(SeekFrom::Start(start))?;
        self.zip.file.read_exact(&mut entry)?;
        let lengths = [28, 30, 32].map(|at| usize::from(u16::from_le_bytes([entry[at], entry[at + 1]])));
        let mut variable = vec![0; lengths.iter().sum()];
        self.zip.file.read_exact(&mut variable)?;
        let packed = if is_stored {
            text.to_vec()
        } else {
            let mut encoder = DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(text)?;
            encoder.finish()?
        };
        let mut sum = flate2::Crc::new();
        sum.update(text);
        let bytes = |length: usize| u32::try_from(length).map(u32::to_le_bytes).map_err(io::Error::other);
        // Neither encrypted nor with its sizes after its text.
        entry[8] &= !0b1001;
        entry[10..12].copy_from_slice(&[if is_stored { 0 } else { 8 }, 0]);
        entry[16..28].copy_from_slice(&[sum.sum().to_le_bytes(), bytes(packed.len())?, bytes(text.len())?].concat());
        // The first disk, and the first byte.
        entry[34..36].fill(0);
        entry[42..46].fill(0);
        let local = [b"PK\x03\x04", &entry[6..30], &[0, 0], &variable[..lengths[0]], &packed].concat();
        let directory = [&entry[..], &variable].concat();
        let place = [bytes(directory.len())?, bytes(local.len())?].concat();
        Ok([&local[..], &directory, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &place, &[0, 0]].concat())
    }

    /// Copies the other files, and writes the end.
    ///
    /// # Errors
    /// Fails if the zip can't be read or the output fails.
    pub fn finish(mut self) -> ZipResult<W> {
        self.copy_until(self.zip.names.len())?;
        self.out.finish()
    }
}
