//! Edits of a recorded text.

use std::ops::Range;

/// A replacement of bytes in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced bytes; empty for an insertion before the start of the range.
    pub range: Range<usize>,
    /// The new bytes.
    pub text: Vec<u8>,
}

impl Edit {
    /// Inserts `text` before the byte `offset`.
    pub fn insert(offset: usize, text: impl Into<Vec<u8>>) -> Edit {
        Edit { range: offset..offset, text: text.into() }
    }

    /// Deletes bytes.
    pub fn delete(range: Range<usize>) -> Edit {
        Edit { range, text: Vec::new() }
    }

    /// Appends `text` with these edits, which are sorted, to `edited`.
    pub fn append_edited(text: &[u8], edits: &[Edit], edited: &mut Vec<u8>) {
        let mut copied = 0;
        for Edit { range, text: new } in edits {
            edited.extend_from_slice(&text[copied..range.start.max(copied)]);
            edited.extend_from_slice(new);
            copied = range.end.max(copied);
        }
        edited.extend_from_slice(&text[copied..]);
    }

    /// Replaces bytes by `text`.
    pub fn replace(range: Range<usize>, text: impl Into<Vec<u8>>) -> Edit {
        Edit { range, text: text.into() }
    }
}

/// A segment of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// Bytes of the recorded text.
    Recorded(Range<usize>),
    /// New bytes.
    New(Vec<u8>),
}

impl Segment {
    fn length(&self) -> usize {
        match self {
            Segment::Recorded(range) => range.len(),
            Segment::New(text) => text.len(),
        }
    }

    /// Returns its bytes `start..end`, relative to its own start.
    fn part(&self, start: usize, end: usize) -> Segment {
        match self {
            Segment::Recorded(range) => Segment::Recorded(range.start + start..range.start + end),
            Segment::New(text) => Segment::New(text[start..end].to_vec()),
        }
    }
}

/// A recorded text after one or more rounds of edits. Every byte knows its origin.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    segments: Vec<Segment>,
    /// The end of each segment in the edited text.
    ends: Vec<usize>,
    recorded: usize,
}

impl Draft {
    /// Returns a draft of an unchanged text with this number of bytes.
    pub fn new(recorded: usize) -> Draft {
        Draft { segments: vec![Segment::Recorded(0..recorded)], ends: vec![recorded], recorded }
    }

    /// Applies edits to the current text.
    ///
    /// They must be sorted by their starts. An edit that begins before the end of the previous one
    /// is ignored.
    pub fn apply(&mut self, edits: &[Edit]) {
        let previous_segments = std::mem::take(&mut self.segments);
        let length = self.ends.last().copied().unwrap_or(0);
        let mut copied =
            SegmentCopy { segments: &previous_segments, index: 0, segment_start: 0, new: &mut self.segments };
        let mut offset = 0;
        for edit in edits.iter().filter(|edit| edit.range.end <= length) {
            if edit.range.start < offset {
                continue;
            }
            copied.copy(offset, edit.range.start);
            if !edit.text.is_empty() {
                copied.new.push(Segment::New(edit.text.clone()));
            }
            offset = edit.range.end;
        }
        copied.copy(offset, length);
        let mut end = 0;
        self.ends.clear();
        self.ends.extend(self.segments.iter().map(|segment| {
            end += segment.length();
            end
        }));
    }

    /// Returns the edited text.
    pub fn text(&self, recorded: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(recorded.len() + 64);
        for segment in &self.segments {
            match segment {
                Segment::Recorded(range) => text.extend_from_slice(&recorded[range.clone()]),
                Segment::New(new) => text.extend_from_slice(new),
            }
        }
        text
    }

    /// Returns the offset of byte `offset` in the recorded text. For a new byte, this is the next
    /// recorded byte.
    pub fn recorded_byte(&self, offset: usize) -> usize {
        let index = self.ends.partition_point(|end| *end <= offset);
        let following_segments = self.segments.get(index..).unwrap_or(&[]);
        match following_segments.first() {
            Some(Segment::Recorded(range)) => range.end - (self.ends[index] - offset),
            _ => {
                let mut recorded = following_segments.iter().filter_map(|segment| match segment {
                    Segment::Recorded(range) => Some(range.start),
                    Segment::New(_) => None,
                });
                recorded.next().unwrap_or(self.recorded)
            }
        }
    }

    /// Returns the difference from the recorded text as sorted edits of the latter.
    pub fn changes(&self) -> Vec<Edit> {
        let mut changes: Vec<Edit> = Vec::new();
        let (mut offset, mut new) = (0, Vec::new());
        for segment in self.segments.iter().chain([&Segment::Recorded(self.recorded..self.recorded)]) {
            match segment {
                Segment::New(text) => new.extend_from_slice(text),
                Segment::Recorded(range) => {
                    if range.start > offset || !new.is_empty() {
                        changes.push(Edit { range: offset..range.start, text: std::mem::take(&mut new) });
                    }
                    offset = range.end;
                }
            }
        }
        changes
    }
}

/// The state of copying segments from one list to another.
struct SegmentCopy<'a> {
    segments: &'a [Segment],
    /// The index of the current segment and its start in the text.
    index: usize,
    segment_start: usize,
    new: &'a mut Vec<Segment>,
}

impl SegmentCopy<'_> {
    /// Copies the bytes `start..end` of the text; `start` is at least the previous `end`.
    fn copy(&mut self, mut start: usize, end: usize) {
        while start < end {
            let segment = &self.segments[self.index];
            let segment_end = self.segment_start + segment.length();
            if start >= segment_end {
                (self.segment_start, self.index) = (segment_end, self.index + 1);
                continue;
            }
            let part_end = end.min(segment_end);
            self.new.push(segment.part(start - self.segment_start, part_end - self.segment_start));
            start = part_end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spliced(text: &[u8], edits: &[Edit]) -> Vec<u8> {
        let mut text = text.to_vec();
        for edit in edits.iter().rev() {
            text.splice(edit.range.clone(), edit.text.iter().copied());
        }
        text
    }

    /// Returns sorted edits without overlap for a text of `length` bytes.
    fn edits(length: usize, random: &mut impl FnMut(usize) -> usize) -> Vec<Edit> {
        let (mut offset, mut edits) = (0, Vec::new());
        for _ in 0..random(6) {
            let start = offset + random(length + 1 - offset);
            offset = (start + random(4)).min(length);
            edits.push(Edit::replace(start..offset, &b"abc"[..random(4)]));
        }
        edits
    }

    /// Two rounds of edits must equal two rounds of splices, and `changes` must give the same text
    /// in one round.
    #[test]
    fn composed_edits_equal_splices_and_one_round() {
        let recorded = b"0123456789ABCDEFGHIJ";
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..2000 {
            let mut draft = Draft::new(recorded.len());
            let first = edits(recorded.len(), &mut random);
            draft.apply(&first);
            let once_edited = spliced(recorded, &first);
            assert_eq!(draft.text(recorded), once_edited);
            let second = edits(once_edited.len(), &mut random);
            draft.apply(&second);
            let expected = spliced(&once_edited, &second);
            assert_eq!(draft.text(recorded), expected);
            assert_eq!(spliced(recorded, &draft.changes()), expected);
            for (offset, byte) in expected.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_lowercase()) {
                assert_eq!(recorded[draft.recorded_byte(offset)], *byte);
            }
        }
    }

    #[test]
    fn first_of_overlapping_edits_wins() {
        let mut draft = Draft::new(5);
        draft.apply(&[Edit::replace(1..3, "x"), Edit::delete(2..4), Edit::insert(3, "y"), Edit::insert(9, "z")]);
        assert_eq!(draft.text(b"abcde"), b"axyde");
    }
}
