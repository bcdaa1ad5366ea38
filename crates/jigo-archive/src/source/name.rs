//! Names that strangers give: every row repeats them, so they have a limit.

/// Bytes of a name in rows, at most: as many as a path has on most systems.
pub const NAME_BYTES: usize = 4096;
/// Bytes that are kept at both ends of a longer one.
const END_BYTES: usize = 2000;

/// A name as rows have it: one that is too long loses its middle, for which a hash stands, so that different names stay different. The end is kept,
/// as it says what a file is.
pub fn shortened(name: String) -> String {
    if name.len() <= NAME_BYTES {
        return name;
    }
    // A character of UTF-8 has four bytes at most, so a boundary is near.
    let boundary = |mut at: usize| {
        while !name.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (boundary(END_BYTES), boundary(name.len() - END_BYTES));
    format!("{}…{:016x}…{}", &name[..start], hash(name.as_bytes()), &name[end..])
}

/// Whether a file is the source of this name, or in it: what is in an archive is called behind its name and a `!`.
pub fn is_of(file: &str, source: &str) -> bool {
    file.strip_prefix(source).is_some_and(|rest| rest.is_empty() || rest.starts_with('!'))
}

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_ends_and_stays_itself() {
        let longest = "n".repeat(NAME_BYTES);
        assert_eq!(shortened(longest.clone()), longest);
        let names = [("碁", 0), ("碁", 1), ("碁", 2), ("a", 7)].map(|(unit, at)| {
            let mut name = unit.repeat(9_000 / unit.len());
            // A multiple of the lengths of both units.
            name.insert_str(3_999, &"x".repeat(at));
            shortened(format!("archive.zip!{name}.sgf"))
        });
        for (at, name) in names.iter().enumerate() {
            assert!(name.len() <= NAME_BYTES && name.starts_with("archive.zip!") && name.ends_with(".sgf"), "{name}");
            assert!(!names[..at].contains(name));
        }
        // The published test vectors of FNV-1a.
        assert_eq!(
            (hash(b""), hash(b"a"), hash(b"foobar")),
            (0xcbf2_9ce4_8422_2325, 0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8)
        );
    }
}
