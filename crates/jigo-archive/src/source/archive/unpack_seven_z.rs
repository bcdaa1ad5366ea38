//! Unpacks the files of a 7z archive, folder by folder.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::seven_z::{Contents, Failure, SevenZ};
use super::unpacker::{Over, Unpacker, is_wanted, member_name};
use jigo_record::finding::Code;

/// The content of a folder, or its fault.
type OpenFolder<'a> = Result<Contents<'a>, (Code, String)>;

impl Unpacker<'_> {
    pub(super) fn seven_z(&mut self, name: &str, file: File, depth: u32) -> Result<(), Over> {
        let memory = Arc::clone(&self.meter.memory);
        let archive = match SevenZ::open(file, &memory) {
            Ok(archive) => archive,
            Err(failure) => return self.seven_z_failed(name, &failure),
        };
        // The open folder. Reading a file skips the files before it.
        let mut open: Option<(usize, OpenFolder<'_>)> = None;
        for entry in archive.entries() {
            let inner = member_name(name, entry.name.as_bytes());
            if !is_wanted(&inner.name) {
                continue;
            }
            let Some((folder, number)) = entry.content else {
                self.member(&inner, &mut io::empty(), depth)?;
                continue;
            };
            if open.as_ref().is_none_or(|(before, _)| *before != folder) {
                // Release the memory of this folder before opening the next.
                drop(open.take());
                let contents = archive.folder(folder, |input| Box::new(self.metered(input)));
                let contents = contents.map_err(|failure| self.seven_z_fault(&failure));
                if let Err((Code::EncryptedMember, detail)) = &contents {
                    self.fault(name, Code::EncryptedMember, detail)?;
                }
                open = Some((folder, contents));
            }
            match open.as_mut().map(|(_, contents)| contents) {
                Some(Ok(contents)) => match contents.file(number) {
                    Ok(mut file) => {
                        self.member(&inner, &mut file, depth)?;
                        // Skip the rest of the file. The next file reports an error in it.
                        let _ = io::copy(&mut file, &mut io::sink());
                    }
                    Err(error) => self.failed(&inner.name, error)?,
                },
                Some(Err((code, detail))) if *code != Code::EncryptedMember => {
                    let (code, detail) = (*code, detail.clone());
                    self.fault(&inner.name, code, detail)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn seven_z_failed(&mut self, name: &str, failure: &Failure) -> Result<(), Over> {
        let (code, detail) = self.seven_z_fault(failure);
        self.fault(name, code, detail)
    }

    fn seven_z_fault(&self, failure: &Failure) -> (Code, String) {
        match (failure, self.meter.memory.denied()) {
            (Failure::Encrypted, _) => (Code::EncryptedMember, failure.to_string()),
            (_, Some(detail)) => (Code::ArchiveLimit, detail),
            (_, None) => (Code::CorruptMember, failure.to_string()),
        }
    }
}
