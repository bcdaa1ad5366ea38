//! Changes as a unified diff, produced line by line.
//!
//! The changes of a file are buffered until its end. If `patch` would reject them, a message on
//! standard error names the file instead.

use std::collections::VecDeque;
use std::io::{self, Seek, Write};
use std::path::{Component, Path};

use anyhow::{Context, Result};
use tempfile::SpooledTempFile;

use jigo_archive::visit::{Segment, SourceEnd};
use jigo_run::process::note;

/// The number of lines around a change.
const CONTEXT: usize = 3;
/// The size of a file's changes in memory, in bytes. The rest goes to a temporary file.
const MAX_MEMORY_BYTES: usize = 4 << 20;

/// Returns the reason why `patch -p0` rejects the changes of a file, or `None` if it accepts them.
fn obstacle(file: &str, end: SourceEnd) -> Option<&'static str> {
    let path = Path::new(file);
    let leaves_folder =
        |part: Component| matches!(part, Component::RootDir | Component::ParentDir | Component::Prefix(_));
    let is_link = || path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let has_replaced_bytes = || file.contains('%') && !path.exists();
    if end.is_utf16 {
        Some("it is UTF-16, whose lines a patch can't have")
    } else if !end.is_file {
        Some("it is in an archive, which patch can't change")
    } else if file.contains(char::is_control) || file.starts_with('"') || file.trim() != file {
        Some("patch can't read its name")
    } else if path.components().any(leaves_folder) {
        Some("patch takes names below the current folder only: go to a folder above it")
    } else if is_link() {
        Some("it is a link, which patch doesn't follow")
    } else if has_replaced_bytes() {
        Some("its name is not UTF-8")
    } else {
        None
    }
}

/// A writer for the changes of sources, one after the other.
pub struct Diff<W: Write> {
    out: W,
    /// The changes of the current file.
    changes: SpooledTempFile,
    file: String,
    /// True if the header of the file is written.
    has_header: bool,
    /// The bytes since the last equal line, in the recorded text and in the fixed text.
    old: Vec<u8>,
    new: Vec<u8>,
    /// True if these bytes differ.
    differs: bool,
    /// The last equal lines, which may be the context of a change.
    context: VecDeque<Vec<u8>>,
    /// The number of lines before them in each text.
    lines: [usize; 2],
    hunk: Option<Hunk>,
}

/// A group of changes that are close together.
struct Hunk {
    /// Its first line in each text, from 0.
    first_lines: [usize; 2],
    text: Vec<u8>,
}

impl<W: Write> Diff<W> {
    /// Creates a writer.
    pub fn new(out: W) -> Diff<W> {
        Diff {
            out,
            changes: SpooledTempFile::new(MAX_MEMORY_BYTES),
            file: String::new(),
            has_header: false,
            old: Vec::new(),
            new: Vec::new(),
            differs: false,
            context: VecDeque::new(),
            lines: [0; 2],
            hunk: None,
        }
    }

    /// Adds the next part of a source.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn add(&mut self, segment: &Segment) -> Result<()> {
        self.file.clone_from(&segment.file);
        let mut offset = 0;
        for change in &segment.changes {
            self.add_equal_bytes(&segment.recorded[offset..change.range.start])?;
            self.old.extend_from_slice(&segment.recorded[change.range.clone()]);
            self.new.extend_from_slice(&change.text);
            self.differs = true;
            offset = change.range.end;
        }
        self.add_equal_bytes(&segment.recorded[offset..])?;
        segment.end.map_or(Ok(()), |end| self.end_source(end))
    }

    /// Returns the underlying writer.
    ///
    /// # Errors
    /// Fails if the output fails.
    pub fn finish(mut self) -> Result<W> {
        self.print()?;
        Ok(self.out)
    }

    /// Adds bytes that both texts contain.
    fn add_equal_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.old.extend_from_slice(piece);
            self.new.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line()?;
            }
        }
        Ok(())
    }

    /// Completes a line in both texts.
    fn end_line(&mut self) -> Result<()> {
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        if !std::mem::take(&mut self.differs) || old == new {
            self.context.push_back(old);
            // With more equal lines in between, the next change begins a new hunk.
            let most = if self.hunk.is_some() { 2 * CONTEXT } else { CONTEXT };
            return if self.context.len() > most { self.end_hunk() } else { Ok(()) };
        }
        let mut hunk = self.hunk.take().unwrap_or_else(|| Hunk { first_lines: self.lines, text: Vec::new() });
        self.move_context(&mut hunk, usize::MAX);
        for (which, (sign, bytes)) in [(b'-', &old), (b'+', &new)].into_iter().enumerate() {
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                hunk.push(sign, line);
                self.lines[which] += 1;
            }
        }
        self.hunk = Some(hunk);
        Ok(())
    }

    /// Moves up to `most` equal lines into a hunk.
    fn move_context(&mut self, hunk: &mut Hunk, most: usize) {
        let count = self.context.len().min(most);
        self.context.drain(..count).for_each(|line| hunk.push(b' ', &line));
        self.lines = self.lines.map(|line| line + count);
    }

    /// Writes the open hunk, if there is one, and forgets the equal lines before the next.
    fn end_hunk(&mut self) -> Result<()> {
        if let Some(mut hunk) = self.hunk.take() {
            self.move_context(&mut hunk, CONTEXT);
            self.write_hunk(&hunk)?;
        }
        let skipped = self.context.len().saturating_sub(CONTEXT);
        self.context.drain(..skipped);
        self.lines = self.lines.map(|line| line + skipped);
        Ok(())
    }

    /// Writes a hunk, whose last line is the one before the equal lines.
    fn write_hunk(&mut self, hunk: &Hunk) -> Result<()> {
        // The line number of an empty range is that of the previous line.
        let range = |which: usize| match (hunk.first_lines[which], self.lines[which]) {
            (first, end) if first == end => format!("{first},0"),
            (first, end) => format!("{},{}", first + 1, end - first),
        };
        let mut head = String::new();
        if !std::mem::replace(&mut self.has_header, true) {
            // A tab marks the end of a name that contains blanks.
            let tab = if self.file.contains(' ') { "\t" } else { "" };
            head = format!("--- {0}{tab}\n+++ {0}{tab}\n", self.file);
        }
        head += &format!("@@ -{} +{} @@\n", range(0), range(1));
        let written = self.changes.write_all(head.as_bytes()).and_then(|()| self.changes.write_all(&hunk.text));
        written.context("cannot keep the changes of a file")
    }

    /// Ends a source. Prints its changes, or the reason for leaving them out.
    fn end_source(&mut self, end: SourceEnd) -> Result<()> {
        self.end_text()?;
        match obstacle(&self.file, end).filter(|_| self.has_header) {
            Some(obstacle) => {
                note(&format!("{}: its changes are not in the diff: {obstacle}; --out DIR writes them", self.file));
                self.changes = SpooledTempFile::new(MAX_MEMORY_BYTES);
            }
            None => self.print()?,
        }
        self.has_header = false;
        Ok(())
    }

    /// Prints the changes of the current file.
    fn print(&mut self) -> Result<()> {
        self.end_text()?;
        let mut changes = std::mem::replace(&mut self.changes, SpooledTempFile::new(MAX_MEMORY_BYTES));
        changes.rewind().and_then(|()| io::copy(&mut changes, &mut self.out)).context("standard output")?;
        Ok(())
    }

    /// Adds the last line, which may have no line end.
    fn end_text(&mut self) -> Result<()> {
        if !self.old.is_empty() || !self.new.is_empty() {
            self.end_line()?;
        }
        self.end_hunk()?;
        self.context.clear();
        self.lines = [0; 2];
        Ok(())
    }
}

impl Hunk {
    fn push(&mut self, sign: u8, line: &[u8]) {
        self.text.push(sign);
        self.text.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            self.text.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}
