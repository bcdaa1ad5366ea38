//! Archives, and the accounting of a run.

use std::io::{Cursor, Write};
use std::sync::Arc;

use jigo_archive::pipeline::{self, Done, Job};
use jigo_archive::source::archive::{Event, Packed, unpack};
use jigo_archive::source::discover::discover;
use jigo_archive::source::pack::Format;
use jigo_archive::summary::Summary;
use jigo_core::analyze::Settings;
use jigo_core::sgf::split::split;
use jigo_core::sgf::{Limits, Piece};

/// Low limits, so that they are met.
fn limits() -> Limits {
    Limits { unpacked: 1 << 20, members: 40, nesting: 2, ..Limits::default() }
}

/// An archive unpacks within its limits into members that begin and end in turn, and a run over the same bytes finds the games that are in
/// them: found = replayed + stopped + unreadable.
pub fn archives(bytes: &[u8]) {
    let games = match Format::of_start(bytes) {
        Some(format) => unpacked(bytes, format),
        None => games_in(bytes),
    };
    let summary = run(bytes);
    assert!(summary.closes(), "{summary:?}");
    assert_eq!(summary.found, games, "{summary:?}");
}

/// How many games an archive's members hold.
fn unpacked(bytes: &[u8], format: Format) -> u64 {
    let input = Packed::Stream(Box::new(Cursor::new(bytes.to_vec())));
    let (mut games, mut members, mut total) = (0, 0, 0);
    let mut open: Option<Vec<u8>> = None;
    for event in unpack("x".into(), input, format, limits()).expect("a thread") {
        match event {
            Event::Member(name) => {
                assert!(open.is_none() && name.starts_with("x!"), "{name}");
                members += 1;
                open = Some(Vec::new());
            }
            Event::Bytes(block) => {
                total += block.len() as u64;
                open.as_mut().expect("bytes belong to a member").extend(block);
            }
            Event::MemberEnd => games += games_in(&open.take().expect("a member ends that began")),
            Event::Fault(name, ..) => {
                assert!(name.starts_with('x'), "{name}");
                games += open.take().map_or(0, |member| games_in(&member));
            }
        }
    }
    assert!(open.is_none(), "a member does not end");
    assert!(members <= limits().members && total <= limits().unpacked, "{members} members, {total} bytes");
    games
}

fn games_in(bytes: &[u8]) -> u64 {
    let mut games = 0;
    let whole = match jigo_core::sgf::utf16::utf16(bytes) {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned().into_bytes(),
        None => bytes.to_vec(),
    };
    split(&whole, true, |piece| games += u64::from(matches!(piece, Piece::Game(..))));
    games
}

/// A run over a file of these bytes.
fn run(bytes: &[u8]) -> Summary {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for it");
    let usual = Job::default();
    let job = Job { settings: Settings { limits: limits(), ..usual.settings }, ..usual };
    let ignored = |_: &Summary| {};
    let no_signal = Arc::default();
    pipeline::run(&discover(&[file.path()]), 1, (&job, &()), &no_signal, Done::default(), |_| Ok(()), ignored)
        .expect("nothing that can fail")
}
