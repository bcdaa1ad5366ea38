//! Sound archives with changed bytes, most of them in headers.

use jigo_archive::source::compression::format::ArchiveFormat;

use super::archives::archives;

/// An archive of each format.
const SOUND: [&[u8]; 12] = [
    include_bytes!("../../../../fuzz/seeds/archives/bzip2.zip"),
    include_bytes!("../../../../fuzz/seeds/archives/deflated.zip"),
    include_bytes!("../../../../fuzz/seeds/archives/stored.zip"),
    include_bytes!("../../../../fuzz/seeds/archives/games.7z"),
    include_bytes!("../../../../fuzz/seeds/archives/games.tar"),
    include_bytes!("../../../../fuzz/seeds/archives/strange.tar"),
    include_bytes!("../../../../fuzz/seeds/archives/games.tar.bz2"),
    include_bytes!("../../../../fuzz/seeds/archives/games.tar.gz"),
    include_bytes!("../../../../fuzz/seeds/archives/games.tar.xz"),
    include_bytes!("../../../../fuzz/seeds/archives/games.tar.zst"),
    include_bytes!("../../../../fuzz/seeds/archives/one.sgf.xz"),
    include_bytes!("../../../../fuzz/seeds/archives/one.sgf.zst"),
];

/// Checks the assertions of [`archives`] for a sound archive with any bytes changed, with or
/// without matching checksums. The bytes choose the archive and the changes, see [`change`].
pub fn mutated_archives(bytes: &[u8]) {
    let Some((&[kind, flags], changes)) = bytes.split_first_chunk() else { return };
    let mut archive = SOUND[usize::from(kind) % SOUND.len()].to_vec();
    change(&mut archive, changes);
    if flags & 1 == 0 {
        update_checksums(&mut archive);
    }
    if flags & 2 != 0 {
        archive.truncate(archive.len() * usize::from(flags) / 256);
    }
    archives(&archive);
}

/// Changes bytes. Each three bytes of `changes` are an offset, counted from the start or the end,
/// and the new value.
pub fn change(bytes: &mut [u8], changes: &[u8]) {
    for &[high, low, value] in changes.as_chunks().0 {
        let place = usize::from(u16::from_be_bytes([high & 0x7F, low])) % bytes.len();
        let offset = if high & 0x80 == 0 { place } else { bytes.len() - 1 - place };
        bytes[offset] = value;
    }
}

/// Updates the checksums of headers to the changed bytes, so that decoders continue.
pub fn update_checksums(bytes: &mut [u8]) {
    let format = ArchiveFormat::from_start(bytes);
    if format == Some(ArchiveFormat::Tar) {
        for header in bytes.chunks_exact_mut(512).filter(|block| block[257..262] == *b"ustar") {
            header[148..156].fill(b' ');
            let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
            header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    } else if format == Some(ArchiveFormat::Xz) && bytes.len() > 16 {
        let end = 12 + (usize::from(bytes[12]) + 1) * 4;
        if end < bytes.len() {
            let checksum = crc(&bytes[12..end - 4]);
            bytes[end - 4..end].copy_from_slice(&checksum);
        }
    } else if format == Some(ArchiveFormat::SevenZ) && bytes.len() > 32 {
        let number = |offset: usize| u64::from_le_bytes(bytes[offset..offset + 8].try_into().unwrap()) as usize;
        let (offset, length) = (number(12).saturating_add(32), number(20));
        if let Some(list) = bytes.get(offset..offset.saturating_add(length)) {
            let checksum = crc(list);
            bytes[28..32].copy_from_slice(&checksum);
        }
        let checksum = crc(&bytes[12..32]);
        bytes[8..12].copy_from_slice(&checksum);
    }
}

/// Returns the checksum of gzip, xz and 7z.
pub fn crc(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}
