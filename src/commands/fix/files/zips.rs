//! Zips that `jigo fix --in-place --rewrite-archives` writes anew.

use std::fs;

use anyhow::{Context, Result};

use super::{FinalPlace, FixDestination, FixedFiles, FixedSource, Original};
use jigo_archive::formats::Rows;
use jigo_archive::source::archive::{RewritableZip, ZipRewriter};
use jigo_archive::source::open_file;
use jigo_run::output::PendingFile;
use jigo_run::process::note;

/// A zip that is being written anew.
pub(super) struct ZipUpdate {
    /// Its name in the tables.
    name: String,
    original: Original,
    /// The new zip. `None` if another name of the file led to it before.
    rewriter: Option<ZipRewriter<PendingFile>>,
    /// The rows of its changed files.
    rows: Vec<Rows>,
}

impl FixedFiles {
    /// Returns the zip that contains a file of this name, if there is one that is fixed in place.
    pub(super) fn zip_of<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.match_indices('!').map(|(offset, _)| &name[..offset]).find(|name| self.originals.contains_key(*name))
    }

    /// Writes a changed file of a zip.
    ///
    /// # Errors
    /// Fails if the zip can't be read or written. It is then unchanged.
    pub(super) fn update_zip(&mut self, mut member: FixedSource) -> Result<()> {
        let zip_name = self.zip_of(&member.name);
        let zip_name = zip_name.with_context(|| format!("{}: its archive is unknown", member.name))?.to_owned();
        let mut zip = match self.zip.take() {
            Some(zip) if zip.name == zip_name => zip,
            other => {
                self.zip = other;
                self.end_zip()?;
                self.begin_zip(zip_name)?
            }
        };
        if let Some(rewriter) = &mut zip.rewriter {
            let is_written = rewriter.replace(&member.name, &member.buffer);
            if is_written.with_context(|| format!("cannot write {} anew", zip.name))? {
                zip.rows.append(&mut member.rows);
            } else {
                note(&format!("{} is not written: it is in an archive inside of {}", member.name, zip.name));
            }
        }
        self.zip = Some(zip);
        Ok(())
    }

    fn begin_zip(&mut self, name: String) -> Result<ZipUpdate> {
        let original = self.originals.get(&name).and_then(|of_name| of_name.front());
        let original = original.cloned().with_context(|| format!("{name}: its input file is unknown"))?;
        let failure = || format!("cannot write {name}");
        let target = fs::canonicalize(&original.path).with_context(failure)?;
        let backup = match &self.destination {
            FixDestination::InPlace(backup) => backup.as_ref(),
            _ => None,
        };
        let rewriter = if !self.replaced.insert(target.clone()) {
            note(&format!("{name} leads to a file that is fixed already"));
            None
        } else if original.has_single_name(backup)? {
            backup.map_or(Ok(()), |backup| backup.check_free(&original.path))?;
            let opened = open_file(&original.path).and_then(|file| RewritableZip::open(&name, file));
            Some(
                ZipRewriter::new(opened.with_context(failure)?, PendingFile::create_in_place(&target)?)
                    .with_context(failure)?,
            )
        } else {
            None
        };
        Ok(ZipUpdate { name, original, rewriter, rows: Vec::new() })
    }

    /// Completes the zip whose files are fixed. It gets its place with the other files.
    ///
    /// # Errors
    /// Fails if the zip can't be read or written.
    pub(super) fn end_zip(&mut self) -> Result<()> {
        let Some(ZipUpdate { name, original, rewriter: Some(rewriter), rows }) = self.zip.take() else { return Ok(()) };
        let file = Some(rewriter.finish().with_context(|| format!("cannot write {name} anew"))?);
        let place = Some(FinalPlace::Original(original));
        self.written.push(FixedSource { name, file, rows, is_changed: true, place, ..FixedSource::default() });
        Ok(())
    }
}
