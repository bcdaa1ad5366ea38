//! Changes as a unified diff, line by line as they come.
//!
//! The changes of a file wait for its end: what `patch` would reject is named on standard error and not printed.

use std::collections::VecDeque;
use std::io::{self, Seek, Write};
use std::path::{Component, Path};

use anyhow::{Context, Result};
use tempfile::SpooledTempFile;

use crate::cli::standard_error::note;
use jigo_archive::visit::{SourceEnd, Stretch};

/// Lines around a change.
const CONTEXT: usize = 3;
/// Bytes of a file's changes that wait in memory; more wait on the disk.
const HELD: usize = 4 << 20;

/// Returns why `patch -p0` rejects the changes of a file; `None` if it takes them.
fn obstacle(file: &str, end: SourceEnd) -> Option<&'static str> {
    let path = Path::new(file);
    let leads_out = |part: Component| matches!(part, Component::RootDir | Component::ParentDir | Component::Prefix(_));
    let is_link = || path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    let has_lost_bytes = || file.contains('%') && !path.exists();
    if end.is_converted {
        Some("it is UTF-16, whose lines a patch can't have")
    } else if !end.is_file {
        Some("it is in an archive, which patch can't change")
    } else if file.contains(char::is_control) || file.starts_with('"') || file.trim() != file {
        Some("patch can't read its name")
    } else if path.components().any(leads_out) {
        Some("patch takes names below the current folder only: go to a folder above it")
    } else if is_link() {
        Some("it is a link, which patch doesn't follow")
    } else if has_lost_bytes() {
        Some("its name is not UTF-8")
    } else {
        None
    }
}

/// Writes the changes of sources, one after the other.
pub struct Diff<W: Write> {
    out: W,
    /// The changes of the file so far.
    held: SpooledTempFile,
    file: String,
    /// The header of the file is written.
    is_named: bool,
    /// The bytes since the last line that is the same in both, in the recorded text and in the mended one.
    old: Vec<u8>,
    new: Vec<u8>,
    /// They differ.
    differs: bool,
    /// Lines, from 0, that are behind in each text.
    lines: [usize; 2],
    /// The last lines that are the same, before a change.
    before: VecDeque<Vec<u8>>,
    hunk: Option<Hunk>,
}

/// Changes that lie close together.
struct Hunk {
    /// The line that it begins with in each text, from 0.
    begins: [usize; 2],
    /// How many it has of each.
    counts: [usize; 2],
    text: Vec<u8>,
    /// Lines behind the last change.
    behind: VecDeque<Vec<u8>>,
}

impl<W: Write> Diff<W> {
    /// Nothing yet.
    pub fn new(out: W) -> Diff<W> {
        Diff {
            out,
            held: SpooledTempFile::new(HELD),
            file: String::new(),
            is_named: false,
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
    /// When the output fails.
    pub fn add(&mut self, stretch: &Stretch) -> Result<()> {
        self.file.clone_from(&stretch.file);
        let mut at = 0;
        for change in &stretch.changes {
            self.same(&stretch.recorded[at..change.range.start])?;
            self.old.extend_from_slice(&stretch.recorded[change.range.clone()]);
            self.new.extend_from_slice(&change.text);
            self.differs = true;
            at = change.range.end;
        }
        self.same(&stretch.recorded[at..])?;
        stretch.end.map_or(Ok(()), |end| self.end(end))
    }

    /// What it was written to.
    ///
    /// # Errors
    /// When the output fails.
    pub fn finish(mut self) -> Result<W> {
        self.print()?;
        Ok(self.out)
    }

    /// Bytes that both texts have.
    fn same(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.old.extend_from_slice(piece);
            self.new.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.line()?;
            }
        }
        Ok(())
    }

    /// A line ends in both texts.
    fn line(&mut self) -> Result<()> {
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        if !std::mem::take(&mut self.differs) || old == new {
            self.lines = self.lines.map(|line| line + 1);
            return self.context(old);
        }
        let hunk = self.hunk.get_or_insert_with(|| {
            let before = std::mem::take(&mut self.before);
            let mut text = Vec::new();
            before.iter().for_each(|line| push(&mut text, b' ', line));
            Hunk {
                begins: self.lines.map(|line| line - before.len()),
                counts: [before.len(); 2],
                text,
                behind: VecDeque::new(),
            }
        });
        hunk.take_behind(usize::MAX);
        for (which, (sign, bytes)) in [(b'-', &old), (b'+', &new)].into_iter().enumerate() {
            for line in bytes.split_inclusive(|byte| *byte == b'\n') {
                push(&mut hunk.text, sign, line);
                hunk.counts[which] += 1;
                self.lines[which] += 1;
            }
        }
        Ok(())
    }

    /// A line that is the same in both texts.
    fn context(&mut self, line: Vec<u8>) -> Result<()> {
        match &mut self.hunk {
            Some(hunk) => {
                hunk.behind.push_back(line);
                // Beyond that the next change would begin a hunk of its own.
                if hunk.behind.len() > 2 * CONTEXT { self.close() } else { Ok(()) }
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

    /// Writes the hunk that is open.
    fn close(&mut self) -> Result<()> {
        let Some(mut hunk) = self.hunk.take() else { return Ok(()) };
        hunk.take_behind(CONTEXT);
        let skipped = hunk.behind.len().saturating_sub(CONTEXT);
        self.before = hunk.behind.drain(skipped..).collect();
        // A range without lines is named by the line before it.
        let range = |which: usize| match hunk.counts[which] {
            0 => format!("{},0", hunk.begins[which]),
            count => format!("{},{count}", hunk.begins[which] + 1),
        };
        let mut head = String::new();
        if !std::mem::replace(&mut self.is_named, true) {
            // A tab ends a name with blanks in it.
            let tab = if self.file.contains(' ') { "\t" } else { "" };
            head = format!("--- {0}{tab}\n+++ {0}{tab}\n", self.file);
        }
        head += &format!("@@ -{} +{} @@\n", range(0), range(1));
        let written = self.held.write_all(head.as_bytes()).and_then(|()| self.held.write_all(&hunk.text));
        written.context("cannot keep the changes of a file")
    }

    /// Ends a source: prints its changes, or says why not.
    fn end(&mut self, end: SourceEnd) -> Result<()> {
        self.complete()?;
        match obstacle(&self.file, end).filter(|_| self.is_named) {
            Some(obstacle) => {
                note(&format!("{}: its changes are not in the diff: {obstacle}; --out DIR writes them", self.file));
                self.held = SpooledTempFile::new(HELD);
            }
            None => self.print()?,
        }
        self.is_named = false;
        Ok(())
    }

    /// Prints the changes that are held.
    fn print(&mut self) -> Result<()> {
        self.complete()?;
        let mut held = std::mem::replace(&mut self.held, SpooledTempFile::new(HELD));
        held.rewind().and_then(|()| io::copy(&mut held, &mut self.out)).context("standard output")?;
        Ok(())
    }

    /// Takes the last line, which may have no end.
    fn complete(&mut self) -> Result<()> {
        if !self.old.is_empty() || !self.new.is_empty() {
            self.line()?;
        }
        self.close()?;
        self.lines = [0; 2];
        self.before.clear();
        Ok(())
    }
}

impl Hunk {
    /// Takes so many of the lines behind the last change into the hunk.
    fn take_behind(&mut self, most: usize) {
        let count = self.behind.len().min(most);
        for line in self.behind.drain(..count) {
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
