//! Byte order marks, including those that contradict the text after them.

/// The byte order marks: of UTF-8, of both forms of UTF-16, and a mark of the other form of UTF-16
/// after its conversion to UTF-8.
const MARKS: [&[u8]; 4] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", "\u{FFFE}".as_bytes()];

/// Returns a text without the byte order mark at its start.
///
/// The mark may be a wrong one, because scripts copy marks to texts in other encodings.
///
/// ```
/// use jigo_record::sgf::encoding::byte_order_mark::without_mark;
///
/// assert_eq!(without_mark(b"\xFF\xFE(;B[aa])"), b"(;B[aa])");
/// assert_eq!(without_mark(b"(;B[aa])"), b"(;B[aa])");
/// ```
pub fn without_mark(text: &[u8]) -> &[u8] {
    MARKS.iter().find_map(|mark| text.strip_prefix(*mark)).unwrap_or(text)
}
