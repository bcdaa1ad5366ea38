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
    if end.is_converted {
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
    /// The number of completed lines in each text.
    lines: [usize; 2],
    /// The last equal lines before a change.
    before: VecDeque<Vec<u8>>,
    hunk: Option<Hunk>,
}

/// A group of changes that are close together.
struct Hunk {
    /// Its first line in each text, from 0.
    first_lines: [usize; 2],
    /// The number of its lines in each text.
    counts: [usize; 2],
    text: Vec<u8>,
    /// The equal lines after the last change.
    after: VecDeque<Vec<u8>>,
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
            lines: [0; 2],
            before: VecDeque::new(),
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
            self.lines = self.lines.map(|line| line + 1);
            return self.add_equal_line(old);
        }
        let hunk = self.hunk.get_or_insert_with(|| {
            let before = std::mem::take(&mut self.before);
            let mut text = Vec::new();
            before.iter().for_each(|line| push(&mut text, b' ', line));
            Hunk {
                first_lines: self.lines.map(|line| line - before.len()),
                counts: [before.len(); 2],
                text,
                after: VecDeque::new(),
            }
        });
        hunk.take_following_lines(usize::MAX);
        for (which, (sign, bytes)) in [(b'-', &old), (b'+', &new)].into_iter().enumerate() {
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                push(&mut hunk.text, sign, line);
                hunk.counts[which] += 1;
                self.lines[which] += 1;
            }
        }
        Ok(())
    }

    /// Adds a line that is equal in both texts.
    fn add_equal_line(&mut self, line: Vec<u8>) -> Result<()> {
        match &mut self.hunk {
            Some(hunk) => {
                hunk.after.push_back(line);
                // With more equal lines in between, the next change begins a new hunk.
                if hunk.after.len() > 2 * CONTEXT { self.end_hunk() } else { Ok(()) }
            }
            None => {
                self.before.push_back(line);
                if self.before.len() > CONTEXT {
                    self.before.pop_front();
                }
                Ok(())
            }
        }
    }

    /// Writes the open hunk.
    fn end_hunk(&mut self) -> Result<()> {
        let Some(mut hunk) = self.hunk.take() else { return Ok(()) };
        hunk.take_following_lines(CONTEXT);
        let skipped = hunk.after.len().saturating_sub(CONTEXT);
        self.before = hunk.after.drain(skipped..).collect();
        // The line number of an empty range is that of the previous line.
        let range = |which: usize| match hunk.counts[which] {
            0 => format!("{},0", hunk.first_lines[which]),
            count => format!("{},{count}", hunk.first_lines[which] + 1),
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
        self.lines = [0; 2];
        self.before.clear();
        Ok(())
    }
}

impl Hunk {
    /// Moves up to `most` of the lines after the last change into the hunk.
    fn take_following_lines(&mut self, most: usize) {
        let count = self.after.len().min(most);
        for line in self.after.drain(..count) {
            push(&mut self.text, b' ', &line);
            self.counts = self.counts.map(|lines| lines + 1);
        }
    }
}

fn push(text: &mut Vec<u8>, sign: u8, line: &[u8]) {
    text.push(sign);
    text.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        text.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}
