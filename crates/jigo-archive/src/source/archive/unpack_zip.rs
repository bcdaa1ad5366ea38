//! Unpacks the members of a zip, by its central directory or in sequence.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use zip::result::ZipResult;

use super::unpacker::{Member, UnpackMember, Unpacker, UnpackingEnded, may_contain_games, member_name};
use super::zip_members;
use crate::source::compression::zip_method::ZipMethod;
use jigo_record::finding::Code;

/// The compression methods that are also single-file formats.
const SINGLE_METHODS: [(zip::CompressionMethod, ZipMethod); 3] = [
    (zip::CompressionMethod::ZSTD, ZipMethod::Zstd),
    (zip::CompressionMethod::XZ, ZipMethod::Xz),
    (zip::CompressionMethod::LZMA, ZipMethod::Lzma),
];

impl Unpacker<'_> {
    pub(super) fn unpack_zip(
        &mut self,
        name: &str,
        mut file: File,
        unpack_member: UnpackMember<'_>,
    ) -> Result<(), UnpackingEnded> {
        let _reservation = match zip_members::reserve_directory(&mut file, &self.quota.memory) {
            Ok(reservation) => reservation,
            Err(error) => return self.report_failure(name, error),
        };
        let mut input = BufReader::new(&file);
        let members = match zip_members::ZipMembers::read(&mut input) {
            Ok(members) if !members.has_equal_names => {
                return self.unpack_members(name, &members, 0..members.len(), &mut input, unpack_member);
            }
            Ok(members) => Some(members),
            Err(error) => {
                let detail = format!("{error}; its files are looked for one by one");
                self.report_fault(name, Code::CorruptMember, detail)?;
                None
            }
        };
        let mut found = 0;
        let result = match input.seek(SeekFrom::Start(0)) {
            Ok(_) => self.unpack_zip_in_sequence(name, &mut input, &mut found, unpack_member)?,
            Err(error) => Err(error.into()),
        };
        match (members, result) {
            // A zip that was written to a pipe can't be read in sequence.
            (Some(members), _) if found == 0 => {
                let detail = "several files have the same name; only the last of them is read";
                self.report_fault(name, Code::CorruptMember, detail)?;
                self.unpack_members(name, &members, 0..members.len(), &mut input, unpack_member)
            }
            (Some(_), Err(error)) => {
                self.report_fault(name, Code::CorruptMember, format!("{error}; what follows is not read"))
            }
            _ => Ok(()),
        }
    }

    /// Unpacks some members of a zip, given by their indices in the central directory.
    pub(super) fn unpack_members(
        &mut self,
        name: &str,
        members: &zip_members::ZipMembers,
        numbers: Range<usize>,
        input: &mut (impl Read + Seek),
        unpack_member: UnpackMember<'_>,
    ) -> Result<(), UnpackingEnded> {
        for entry in numbers.filter_map(|number| members.get(number)) {
            let inner = member_name(name, entry.name_raw());
            if entry.is_dir() || !may_contain_games(&inner) {
                continue;
            }
            if entry.encrypted() {
                self.report_fault(&inner.name, Code::EncryptedMember, "it needs a password")?;
                continue;
            }
            let single_format = SINGLE_METHODS.iter().find(|(zip_method, _)| *zip_method == entry.compression());
            if let Some((_, method)) = single_format {
                self.unpack_zip_member(&inner, &entry, input, *method, unpack_member)?;
                continue;
            }
            match entry.with_reader(input, zip::ZipReadOptions::new()) {
                Ok(entry) => {
                    let mut entry = self.with_quota(entry);
                    unpack_member(self, &inner, &mut entry)?;
                }
                Err(error) => self.report_fault(&inner.name, Code::CorruptMember, error)?,
            }
        }
        Ok(())
    }

    /// Unpacks a member whose method is also a single-file format.
    fn unpack_zip_member(
        &mut self,
        inner: &Member,
        member: &zip::read::ZipFileEntry<'_>,
        input: &mut (impl Read + Seek),
        method: ZipMethod,
        unpack_member: UnpackMember<'_>,
    ) -> Result<(), UnpackingEnded> {
        let packed = match zip_members::packed_bytes(member, input) {
            Ok(packed) => packed,
            Err(error) => return self.report_fault(&inner.name, Code::CorruptMember, error),
        };
        match method.unpack(Box::new(packed), member.size(), member.crc32(), &Arc::clone(&self.quota.memory)) {
            Ok(unpacked) => {
                let mut unpacked = self.with_quota(unpacked);
                unpack_member(self, inner, &mut unpacked)
            }
            Err(error) => self.report_failure(&inner.name, error),
        }
    }

    /// Unpacks the members of a zip without its central directory, as far as they follow each
    /// other, and counts them in `found`. The inner error is the damage that ends them.
    fn unpack_zip_in_sequence(
        &mut self,
        name: &str,
        mut input: &mut dyn Read,
        found: &mut usize,
        unpack_member: UnpackMember<'_>,
    ) -> Result<ZipResult<()>, UnpackingEnded> {
        loop {
            let entry = match zip::read::read_zipfile_from_stream(&mut input) {
                Ok(Some(entry)) => entry,
                Ok(None) => return Ok(Ok(())),
                Err(error) => return Ok(Err(error)),
            };
            *found += 1;
            let inner = member_name(name, entry.name_raw());
            if !entry.is_dir() {
                let mut entry = self.with_quota(entry);
                unpack_member(self, &inner, &mut entry)?;
            }
        }
    }
}
