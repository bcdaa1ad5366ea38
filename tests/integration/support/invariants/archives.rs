//! Archives, and the accounting of a run.

use std::io::{Cursor, Write};
use std::sync::Arc;

use jigo_archive::pipeline::{self, Job, ResumePoint};
use jigo_archive::source::archive::{ArchiveInput, Event, unpack};
use jigo_archive::source::compression::format::ArchiveFormat;
use jigo_archive::source::files::discover::discover;
use jigo_archive::source::signatures::TableFormat;
use jigo_archive::source::{ContentKind, InputFormat, RECORD_COLUMN};
use jigo_archive::summary::Summary;
use jigo_core::analysis::Settings;
use jigo_record::sgf::Limits;
use jigo_record::splitter::{Piece, Splitter};

/// Returns limits low enough for small inputs to reach.
fn limits() -> Limits {
    Limits { unpacked: 1 << 20, members: 40, nesting: 2, ..Limits::default() }
}

/// Checks that an archive unpacks within its limits into members that start and end in turn. A run
/// over the same bytes finds the same games: found = replayed + stopped + unreadable.
pub fn archives(bytes: &[u8]) {
    let games = match ArchiveFormat::from_start(bytes) {
        Some(format) => unpacked(bytes, format),
        None => games_in("x", bytes),
    };
    let summary = run(bytes);
    assert!(summary.is_balanced(), "{summary:?}");
    assert!(games.is_none_or(|games| games == summary.found), "{games:?} {summary:?}");
}

/// Returns the number of games in an archive's members, or `None` if [`games_in`] can't count them.
fn unpacked(bytes: &[u8], format: ArchiveFormat) -> Option<u64> {
    let input = ArchiveInput::Stream(Box::new(Cursor::new(bytes.to_vec())));
    let (mut games, mut members, mut total) = (Some(0), 0, 0);
    let mut open: Option<(String, Vec<u8>)> = None;
    let mut add =
        |(name, member): (String, Vec<u8>)| games = games.zip(games_in(&name, &member)).map(|(sum, more)| sum + more);
    for event in unpack("x".into(), input, format, limits()).expect("a thread") {
        match event {
            Event::Member(name) => {
                assert!(open.is_none() && name.starts_with("x!"), "{name}");
                members += 1;
                open = Some((name, Vec::new()));
            }
            Event::Bytes(block) => {
                total += block.len() as u64;
                open.as_mut().expect("bytes belong to a member").1.extend(block);
            }
            Event::MemberEnd => add(open.take().expect("a member ends that began")),
            Event::Fault(name, ..) => {
                assert!(name.starts_with('x'), "{name}");
                open.take().into_iter().for_each(&mut add);
            }
        }
    }
    assert!(open.is_none(), "a member does not end");
    assert!(members <= limits().members && total <= limits().unpacked, "{members} members, {total} bytes");
    games
}

/// Returns the number of games in a text of this name, which may change its format within. Returns
/// 0 for a text without records. Returns `None` for tables of records, whose rows are separate
/// texts, and for texts in several encodings, each part of which is split separately.
fn games_in(name: &str, bytes: &[u8]) -> Option<u64> {
    if TableFormat::detect_from_start(bytes, RECORD_COLUMN.into()).is_some() {
        return None;
    }
    let kind = match InputFormat::Auto.content_kind(name, bytes, RECORD_COLUMN.into()) {
        ContentKind::Records(kind) => kind,
        ContentKind::Foreign(_) => return Some(0),
        _ => return None,
    };
    let encoding = jigo_record::sgf::encoding::utf16::utf16(bytes);
    if jigo_record::sgf::encoding::utf16::encoding_change(bytes, encoding).is_some() {
        return None;
    }
    let text = match encoding {
        Some(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned().into_bytes(),
        None => bytes.to_vec(),
    };
    let (mut games, mut offset) = (0, 0);
    let mut splitter = Splitter::new(kind.unit(), limits());
    loop {
        let count = |piece| games += u64::from(matches!(piece, Piece::Game(..)));
        let split = splitter.split_until_change(&text[offset..], true, count);
        offset += split.consumed;
        match split.change {
            Some(format) => splitter.change_to(format),
            None => return Some(games),
        }
    }
}

/// Runs the pipeline over a file of these bytes and returns its summary.
pub(super) fn run(bytes: &[u8]) -> Summary {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("space for the file");
    let defaults = Job::default();
    let job = Job { settings: Settings { limits: limits(), ..defaults.settings }, ..defaults };
    let no_signal = Arc::default();
    pipeline::run(&discover(&[file.path()]), 1, &job, &(), &no_signal, ResumePoint::default(), |_, _| Ok(()))
        .expect("the sink never fails")
}
