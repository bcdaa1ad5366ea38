//! Unpacks the files of a 7z archive, folder by folder.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::seven_z::{FolderReader, SevenZ, SevenZError};
use super::unpacker::{UnpackMember, Unpacker, UnpackingEnded, may_contain_games, member_name};
use jigo_record::finding::Code;

/// The content of a folder, or its fault.
type FolderResult<'a> = Result<FolderReader<'a>, (Code, String)>;

impl Unpacker<'_> {
    pub(super) fn unpack_seven_z(
        &mut self,
        name: &str,
        file: File,
        unpack_member: UnpackMember<'_>,
    ) -> Result<(), UnpackingEnded> {
        let memory = Arc::clone(&self.quota.memory);
        let archive = match SevenZ::open(file, &memory) {
            Ok(archive) => archive,
            Err(failure) => return self.report_seven_z_error(name, &failure),
        };
        // The open folder. Reading a file skips the files before it.
        let mut open: Option<(usize, FolderResult<'_>)> = None;
        for entry in archive.entries() {
            let inner = member_name(name, entry.name.as_bytes());
            if !may_contain_games(&inner) {
                continue;
            }
            let Some((folder, number)) = entry.content else {
                unpack_member(self, &inner, &mut io::empty())?;
                continue;
            };
            if open.as_ref().is_none_or(|(before, _)| *before != folder) {
                // Release the memory of this folder before opening the next.
                drop(open.take());
                let contents = archive.open_folder(folder, |input| Box::new(self.with_quota(input)));
                let contents = contents.map_err(|failure| self.seven_z_fault(&failure));
                if let Err((Code::EncryptedMember, detail)) = &contents {
                    self.report_fault(name, Code::EncryptedMember, detail)?;
                }
                open = Some((folder, contents));
            }
            match open.as_mut().map(|(_, contents)| contents) {
                Some(Ok(contents)) => match contents.file(number) {
                    Ok(mut file) => {
                        unpack_member(self, &inner, &mut file)?;
                        // Skip the rest of the file. The next file reports an error in it.
                        let _ = io::copy(&mut file, &mut io::sink());
                    }
                    Err(error) => self.report_failure(&inner.name, error)?,
                },
                Some(Err((code, detail))) if *code != Code::EncryptedMember => {
                    let (code, detail) = (*code, detail.clone());
                    self.report_fault(&inner.name, code, detail)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn report_seven_z_error(&mut self, name: &str, failure: &SevenZError) -> Result<(), UnpackingEnded> {
        let (code, detail) = self.seven_z_fault(failure);
        self.report_fault(name, code, detail)
    }

    fn seven_z_fault(&self, failure: &SevenZError) -> (Code, String) {
        match (failure, self.quota.memory.take_denial()) {
            (SevenZError::Encrypted, _) => (Code::EncryptedMember, failure.to_string()),
            (_, Some(detail)) => (Code::ArchiveLimit, detail),
            (_, None) => (Code::CorruptMember, failure.to_string()),
        }
    }
}
