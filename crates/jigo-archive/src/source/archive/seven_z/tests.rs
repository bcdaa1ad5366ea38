//! Compares the 7z reader with another crate, and tests lists with false sizes.

use std::io::{Cursor, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sevenz_rust2::encoder_options::{DeltaOptions, Lzma2Options};
use sevenz_rust2::{ArchiveEntry, ArchiveWriter, EncoderConfiguration, EncoderMethod, SourceReader};

use super::*;
use jigo_rules::board::split_mix;

/// Returns names and contents: empty ones, one of random bytes, one of several blocks.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut state = 3;
    let noise = (0..70_000).map(|_| split_mix(&mut state) as u8).collect();
    vec![
        ("a/碁.sgf".into(), b"(;B[aa])".to_vec()),
        ("none.sgf".into(), Vec::new()),
        ("noise.sgf".into(), noise),
        ("b.txt".into(), vec![b'x'; 300_000]),
        ("c.sgf".into(), b"(;B[cc];W[dd])".repeat(20_000)),
    ]
}

fn seven_z(methods: Vec<EncoderConfiguration>, is_solid: bool) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).unwrap();
    writer.set_content_methods(methods);
    let files = files();
    if is_solid {
        let entries = files.iter().map(|(name, _)| ArchiveEntry::new_file(name)).collect();
        let readers = files.iter().map(|(_, bytes)| SourceReader::new(bytes.as_slice())).collect();
        writer.push_archive_entries(entries, readers).unwrap();
    } else {
        for (name, bytes) in &files {
            let bytes = (!bytes.is_empty()).then_some(bytes.as_slice());
            writer.push_archive_entry(ArchiveEntry::new_file(name), bytes).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

/// A name with its content, or the error of its content.
type ReadFile = (String, Result<Vec<u8>, String>);

/// Returns the files of an archive in order.
fn read_all(bytes: &[u8], limit: u64) -> Result<Vec<ReadFile>, SevenZError> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let archive = SevenZ::open(file, &Arc::new(MemoryBudget::new(limit, None)))?;
    let mut files = Vec::new();
    let mut open = None;
    for entry in archive.entries() {
        let mut content = Vec::new();
        let read = match entry.content {
            None => Ok(0),
            Some((folder, number)) => {
                if open.as_ref().is_none_or(|(before, _)| *before != folder) {
                    drop(open.take());
                    open = Some((folder, archive.open_folder(folder, |input| input)?));
                }
                let contents = &mut open.as_mut().unwrap().1;
                // Third-party decoders may panic. In production code the caller catches this.
                let read = || contents.file(number).and_then(|file| file.take(1 << 22).read_to_end(&mut content));
                catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
            }
        };
        files.push((entry.name.to_owned(), read.map(|_| content).map_err(|error| error.to_string())));
    }
    Ok(files)
}

#[test]
fn all_methods_unpack_to_the_original_files() {
    let methods: [Vec<EncoderConfiguration>; 7] = [
        vec![EncoderMethod::COPY.into()],
        vec![EncoderMethod::LZMA.into()],
        vec![Lzma2Options::from_level(6).into()],
        vec![EncoderMethod::BZIP2.into()],
        vec![EncoderMethod::DEFLATE.into()],
        vec![DeltaOptions::from_distance(3).into(), Lzma2Options::from_level(1).into()],
        vec![EncoderMethod::BCJ_X86_FILTER.into(), Lzma2Options::from_level(1).into()],
    ];
    for (index, methods) in methods.into_iter().enumerate() {
        for is_solid in [false, true] {
            let bytes = seven_z(methods.clone(), is_solid);
            let mut read = read_all(&bytes, 64 << 20).unwrap_or_else(|failure| panic!("{index} {is_solid}: {failure}"));
            let mut expected: Vec<_> = files().into_iter().map(|(name, bytes)| (name, Ok(bytes))).collect();
            // The writer chooses the position of empty files in the list.
            read.sort();
            expected.sort();
            assert!(read == expected, "{index} {is_solid}");
            if index == 2 {
                assert!(matches!(read_all(&bytes, 100_000), Err(SevenZError::Io(_))));
            }
        }
    }
}

/// Builds an archive from packed bytes and a list, with correct checksums.
fn archive(packed: &[u8], list: &[u8]) -> Vec<u8> {
    let place = [packed.len() as u64, list.len() as u64].map(u64::to_le_bytes).concat();
    let place = [place, crc(list).to_le_bytes().to_vec()].concat();
    [&SIGNATURE[..], &[0, 4], &crc(&place).to_le_bytes(), &place, packed, list].concat()
}

/// Returns the unpacked list of an archive, and the packed bytes before it.
fn parts(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    let offset = 32 + u64::from_le_bytes(bytes[12..20].try_into().unwrap());
    let memory = Arc::new(MemoryBudget::new(1 << 30, None));
    match directory::parse(&bytes[offset as usize..], offset, &Cell::new(1 << 30)).unwrap() {
        ArchiveEnd::Directory(_) => (bytes[offset as usize..].to_vec(), bytes[32..offset as usize].to_vec()),
        ArchiveEnd::Packed(packed) => {
            let (list, _) = unpack_directory(&FileCursor::new(file).unwrap(), &packed, &memory).unwrap();
            (list, bytes[32..offset as usize].to_vec())
        }
    }
}

/// Covers BCJ2, which splits x86 code into four streams. A text without calls and jumps uses only
/// the first one.
#[test]
fn folder_of_four_streams_is_joined() {
    let game = b"(;GM[1]SZ[9];B[aa])";
    let length = game.len() as u8;
    let mut list = vec![1, 4, 6, 0, 4, 9, length, 0, 0, 5, 0, 7, 11, 1, 0];
    list.extend([1, 0x14, 3, 3, 1, 0x1B, 4, 1, 0, 1, 2, 3, 12, length, 10, 1]);
    list.extend(crc(game).to_le_bytes());
    list.extend([0, 0, 5, 1, 17, 13, 0]);
    list.extend("a.sgf\0".encode_utf16().flat_map(u16::to_le_bytes));
    list.extend([0, 0]);
    let read = read_all(&archive(&[&game[..], &[0; 5]].concat(), &list), 64 << 20).unwrap();
    assert_eq!(read, [("a.sgf".to_owned(), Ok(game.to_vec()))]);
}

/// A number with 64 bits: 0xFF and eight bytes.
const HUGE: [u8; 9] = [0xFF, 0, 0, 0, 0, 0, 0, 64, 0];
/// The number 2^26.
const MANY: [u8; 5] = [0xF0, 0, 0, 0, 4];

#[test]
fn overstated_sizes_are_reported_as_damage() {
    let mut start = archive(&[], &[]);
    // A list of 4 EiB, which only the first 32 bytes state.
    start[20..28].copy_from_slice(&(1u64 << 62).to_le_bytes());
    let checksum = crc(&start[12..32]).to_le_bytes();
    start[8..12].copy_from_slice(&checksum);
    let list = |parts: &[&[u8]]| archive(&[], &parts.concat());
    for (name, bytes) in [
        ("length", start),
        ("files", list(&[&[1, 5], &HUGE, &[0, 0]])),
        ("many files", list(&[&[1, 5], &MANY, &[0, 0]])),
        ("packed streams", list(&[&[1, 4, 6, 0], &HUGE, &[9, 0, 0, 0]])),
        ("checksums", list(&[&[1, 4, 6, 0], &MANY, &[10, 1, 0, 0]])),
        ("folders", list(&[&[1, 4, 7, 11], &HUGE, &[0, 0, 0]])),
        ("coders", list(&[&[1, 4, 7, 11, 1, 0], &HUGE, &[0, 0]])),
        ("properties", list(&[&[1, 4, 7, 11, 1, 0, 1, 0x21, 0], &HUGE, &[0, 0]])),
        ("streams of a coder", list(&[&[1, 4, 7, 11, 1, 0, 1, 0x11, 0], &HUGE, &[1, 0, 0]])),
        ("contents", list(&[&[1, 4, 7, 11, 1, 0, 1, 1, 0, 12, 9, 0, 8, 13], &MANY, &[0, 0, 0]])),
        ("properties of the archive", list(&[&[1, 2, 1], &HUGE, &[0]])),
    ] {
        let read = read_all(&bytes, 1 << 20);
        assert!(matches!(read, Err(SevenZError::Damaged(_) | SevenZError::Io(_))), "{name}: {read:?}");
    }
    let dictionary = |size: u8| {
        let length = [&[0xE0 | 15][..], &[255; 3]].concat();
        let coder: &[u8] = &[1, 0x21, 0x21, 1, size, 12];
        list(&[&[0x17, 6, 0, 1, 9, 0, 0, 7, 11, 1, 0], coder, &length, &[0, 0]])
    };
    // A compressed list with a dictionary of 4 GiB, limited to its length of 256 MiB, and with one
    // of 4 KiB.
    for size in [40, 0] {
        assert!(matches!(read_all(&dictionary(size), 256 << 20), Err(SevenZError::Io(_))));
    }
}

/// Changes the list at random and corrects its checksum.
#[test]
fn random_lists_stay_within_the_memory_budget() {
    let archives = [
        seven_z(vec![EncoderMethod::LZMA.into()], false),
        seven_z(vec![EncoderMethod::BCJ_X86_FILTER.into(), Lzma2Options::from_level(1).into()], true),
    ];
    let mut state = 11;
    let (mut read, mut refused) = (0, 0);
    for bytes in &archives {
        let (list, packed) = parts(bytes);
        for _ in 0..400 {
            let mut list = list.clone();
            for _ in 0..1 + split_mix(&mut state) % 4 {
                let random = split_mix(&mut state);
                let offset = (random >> 32) as usize % list.len();
                match random % 4 {
                    0 => list[offset] = [0, 1, 0x7F, 0x80, 0xFF][(random >> 8) as usize % 5],
                    1 => list[offset] = (random >> 8) as u8,
                    2 => drop(list.remove(offset)),
                    _ => list.insert(offset, (random >> 8) as u8),
                }
            }
            match read_all(&archive(&packed, &list), 32 << 20) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}
