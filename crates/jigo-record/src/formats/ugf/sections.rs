//! The sections of a UGF record, and the coordinates of its board.

use crate::formats::rewrite::{LineUse, SgfWriter, lines};
use jigo_rules::board::BoardSize;

/// The lines of each section without the section's name.
#[derive(Default)]
pub(super) struct UgfRecord<'a> {
    pub(super) header: Vec<(usize, &'a str)>,
    pub(super) data: Vec<(usize, &'a str)>,
    pub(super) figure: Vec<(usize, &'a str)>,
    pub(super) review: Vec<(usize, &'a str)>,
    pub(super) comments: Vec<(usize, &'a str)>,
    pub(super) has_data: bool,
    /// Unknown sections, which are skipped.
    pub(super) others: Vec<(usize, &'a str)>,
    /// The offsets of lines in other sections than these.
    pub(super) no_section: Vec<usize>,
}

impl<'a> UgfRecord<'a> {
    pub(super) fn from_text(text: &'a str) -> UgfRecord<'a> {
        let mut record = UgfRecord::default();
        let mut section = "";
        for (offset, line) in lines(text) {
            if let Some(name) = line.trim_start().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                record.has_data |= is_same_word("Data", section);
                if !SECTIONS.iter().any(|section_name| is_same_word(section_name, section)) {
                    record.others.push((offset, section));
                }
                continue;
            }
            let lines = match section {
                _ if is_same_word("Header", section) => &mut record.header,
                _ if is_same_word("Data", section) => &mut record.data,
                _ if is_same_word("Figure", section) => &mut record.figure,
                _ if is_same_word("ReviewNode", section) => &mut record.review,
                _ if is_same_word("ReviewComment", section) => &mut record.comments,
                _ => {
                    record.no_section.push(offset);
                    continue;
                }
            };
            lines.push((offset, line));
        }
        record
    }

    /// Records the lines that are neither turns nor fields.
    pub(super) fn skip_lines(&self, writer: &mut SgfWriter) {
        let is_name = |name: &str| name.trim().bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_field = |line: &str| line.split_once('=').is_some_and(|(name, _)| is_name(name));
        let is_node = |line: &str| ["NODE,", "VARIATION"].iter().any(|word| line.trim_start().starts_with(word));
        let header = self.header.iter().filter(|(_, line)| !is_field(line));
        let review = self.review.iter().filter(|(_, line)| !is_node(line));
        let unused = header.chain(review).map(|(offset, _)| offset).chain(&self.no_section);
        unused.for_each(|offset| writer.skip_line(*offset, LineUse::None));
        let texts = self.figure.iter().chain(&self.comments).filter(|(_, line)| !line.trim_start().starts_with('.'));
        texts.for_each(|(offset, _)| writer.skip_line(*offset, LineUse::Comment));
    }

    /// Returns a field of the header that is not blank, with its offset.
    pub(super) fn field(&self, name: &str) -> Option<(&'a str, usize)> {
        self.header.iter().find_map(|(offset, line)| {
            let (field_name, value) = line.split_once('=')?;
            (is_same_word(name, field_name.trim()) && !value.trim().is_empty()).then_some((value.trim(), *offset))
        })
    }

    /// Returns a field of the header, or an empty text.
    pub(super) fn text(&self, name: &str) -> &'a str {
        self.field(name).map_or("", |(text, _)| text)
    }

    /// Returns true if rows count from the lower edge.
    pub(super) fn is_from_below(&self) -> bool {
        is_same_word("IGS", self.text("CoordinateType"))
    }

    /// Returns the value of Crypt unless it declares a plain record.
    pub(super) fn encryption(&self) -> Option<(&'a str, usize)> {
        let (crypt, offset) = self.field("Crypt")?;
        let mut parts = crypt.split(',').map(str::trim);
        let (number, word) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let is_unencrypted = is_same_word("PLAIN_UGF_FILE", word) || (number == "0" && word.is_empty());
        (!is_unencrypted).then_some((crypt, offset))
    }

    /// Returns the number of handicap stones that Hdcp declares.
    pub(super) fn stones(&self) -> u32 {
        self.text("Hdcp").split(',').next().and_then(|stones| stones.trim().parse().ok()).unwrap_or(0)
    }
}

/// Sections that are read, or that have no content about the game.
pub(super) const SECTIONS: [&str; 7] = ["Header", "Data", "Figure", "ReviewNode", "ReviewComment", "Remote", "End"];

fn is_same_word(name: &str, text: &str) -> bool {
    name.eq_ignore_ascii_case(text)
}

/// The board size and the direction of rows.
#[derive(Clone, Copy)]
pub(super) struct UgfBoard {
    pub(super) size: BoardSize,
    pub(super) from_below: bool,
}

impl UgfBoard {
    /// Converts a point by column and row from 1 to column and row from 0 at the upper left. `None`
    /// for a point off the board, which means a pass.
    pub(super) fn point(self, column: u32, row: u32) -> Option<(u32, u32)> {
        let (width, height) = (u32::from(self.size.width()), u32::from(self.size.height()));
        if column == 0 || column > width || row == 0 || row > height {
            return None;
        }
        Some((column - 1, if self.from_below { height - row } else { row - 1 }))
    }
}
