//! Time and progress: work grows in proportion to the length of a text, and the splitter always
//! makes progress.

use std::time::Duration;

use cpu_time::ThreadTime;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_core::fix::{FixOptions, fix_game};
use jigo_record::sgf::Limits;
use jigo_record::splitter::{GameText, Piece, RecordKind, Splitter, Unit};
use jigo_rules::select::{Choice, select};
use jigo_score::DeadSource;

/// The tokens of periodic texts. They cover the syntax, the charsets, the limits and the replay.
const TOKENS: [&[u8]; 96] = [
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b"\\]",
    b":",
    b"\n",
    b" ",
    b"\0",
    b"\r\n",
    b"x",
    b"\"",
    b"\xE6",
    b"\x81",
    b"\x1B$B",
    b"\xFF\xFE",
    b"B",
    b"W",
    b"C",
    b"PL",
    b"AW",
    b"[aa]",
    b"[]",
    b"[aa:ZZ]",
    b"9:9",
    b"(;",
    b"(;GM[1]",
    b"(;PB[x]",
    b"(;B[aa])",
    b"(;W[bb]",
    b")\n(;",
    b")\n(;PB[x]",
    b";B[aa]",
    b";W[bb]",
    b";B[ab]",
    b";W[ba]",
    b";W[]",
    b"B[]",
    b"B[aa]W[aa]",
    b"C[",
    b"C[a]",
    b"N[",
    b"LB[",
    b"KM[",
    b"RU[",
    b"PB[",
    b"GaMe[",
    b"RE[B+",
    b"SZ[9]",
    b"SZ[52]",
    b"GM[1]",
    b"FF[4]",
    b"KM[5]",
    b"HA[2]",
    b"BL[1]",
    b"CA[GBK]",
    b"CA[Shift_JIS]",
    b"AB[aa]",
    b"AB[aa:ss]",
    b"AE[aa:ZZ]",
    b"TB[aa:cc]",
    b"LB[aa:x]",
    // GIB.
    b"\\HS\n",
    b"\\HE\n",
    b"\\GS\n",
    b"\\GE\n",
    b"INI 0 1 3 &4 \n",
    b"STO 0 2 1 3 3\n",
    b"SKI 0 3 2\n",
    b"\\[GAMETAG=S1,R3,D2,G65,W5,Z0,T30-3-1200\\]\n",
    // NGF.
    b"GI\n",
    b"19\n",
    b"name\n",
    b"20180704 [ 9:31]\n",
    b"PMABBEEEE\n",
    b"PMACWAAAA\n",
    b"IDB[1] ",
    b"[EndTxt]\n",
    // UGF.
    b"[Header]\n",
    b"Hdcp=3,0\n",
    b"[Data]\n",
    b"QP,B1,1,0\n",
    b"[Figure]\n",
    b".Text,1\n",
    b".EndText\n",
    b"[ReviewNode]\n",
    b"NODE,2,1,17,16\n",
    b"VARIATION\n",
    b"VARIATIONEND\n",
    b".Comment,2\n",
    // Lists of turns.
    b"17\t;B[aa]",
    b"pdddppdp",
    b"Q16,",
    b"\t",
];

/// Length in bytes of the shorter of the two texts. The longer one is [`FACTOR`] times as long.
const LENGTH: usize = if cfg!(test) { 2 << 10 } else { 32 << 10 };
const FACTOR: usize = 4;
/// The upper limit for the longer text on a slow machine. Only this thread's time counts, so other
/// processes have little effect.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Times up to this are too short to measure. Tests are not optimised and use short texts, so they
/// measure nothing; fuzzing does.
const MEASURABLE_TIME: Duration = if cfg!(test) { TIME_LIMIT } else { Duration::from_millis(150) };

/// Checks that a text of repeated tokens takes time in proportion to its length: [`FACTOR`] times
/// the text takes at most twice [`FACTOR`] times as long. The bytes choose the prefix, the unit,
/// the end, the format and the command.
pub fn complexity(bytes: &[u8]) {
    let Some((&[prefix, unit, end, command], tokens)) = bytes.split_first_chunk() else { return };
    let kind = RecordKind::all().nth(usize::from(prefix / 6 % 8)).unwrap_or_default();
    let mut tokens = tokens.iter().map(|byte| TOKENS[usize::from(*byte) % TOKENS.len()]);
    let mut take = |count: u8| tokens.by_ref().take(count.into()).collect::<Vec<_>>().concat();
    let (prefix, unit, end) = (take(prefix % 6), take(1 + unit % 6), take(end % 4));
    if unit.is_empty() {
        return;
    }
    let text = |length: usize| [prefix.as_slice(), &unit.repeat(length / unit.len()), &end].concat();
    let settings = settings(command);
    let (short, long) = (text(LENGTH), text(LENGTH * FACTOR));
    let longer = time(&long, kind, command, &settings);
    let name = || {
        format!(
            "{:?} {:?} {:?}, {} {command}",
            prefix.escape_ascii(),
            unit.escape_ascii(),
            end.escape_ascii(),
            kind.name()
        )
    };
    assert!(longer < TIME_LIMIT, "{} takes {longer:?} for {} bytes", name(), long.len());
    if longer < MEASURABLE_TIME {
        return;
    }
    // Other processes evict the caches, so the minimum is the real cost. The measurements alternate
    // so that both texts meet the same conditions.
    let (mut shorter, mut longer) = (time(&short, kind, command, &settings), longer);
    for _ in 0..4 {
        shorter = shorter.min(time(&short, kind, command, &settings));
        longer = longer.min(time(&long, kind, command, &settings));
    }
    let grows = longer > MEASURABLE_TIME && longer > shorter.max(Duration::from_millis(2)) * (2 * FACTOR as u32);
    assert!(!grows, "{} takes {shorter:?} and {longer:?} for {FACTOR} times as much", name());
}

/// Returns settings with limits far below the length of the texts. With higher limits the growth up
/// to the limit would look unbounded.
fn settings(command: u8) -> Settings {
    let limits = Limits { variation_turns: 5_000, points: 5_000, ..Limits::default() };
    let recorded = Settings { judges: vec![Choice::Recorded], limits, ..Settings::default() };
    match command % 7 {
        0 | 5 | 6 => recorded,
        1 => Settings { judges: select("all").unwrap_or_default(), ..recorded },
        2 => Settings { all_variations: true, ..recorded },
        3 => Settings { turns: true, game_hash: true, ..recorded },
        _ => {
            let dead = vec![DeadSource::Markup, DeadSource::Settled];
            Settings {
                scored_rulesets: select("japanese,chinese").unwrap_or_default(),
                dead,
                all_endings: true,
                ..recorded
            }
        }
    }
}

fn time(text: &[u8], kind: RecordKind, command: u8, settings: &Settings) -> Duration {
    let is_fixed = command % 7 > 4;
    let start = ThreadTime::now();
    let mut analyzer = Analyzer::default();
    let mut game = 0;
    Splitter::new(kind.unit(), Limits::default()).split(text, true, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            game += 1;
            let (offset, bytes) = (range.start as u64, &text[range]);
            let text = GameText { kind, game, offset, ..GameText::single(bytes, close, charset) };
            let report = analyzer.analyze(&text, settings);
            if is_fixed {
                let is_unsafe = command.is_multiple_of(2);
                fix_game(
                    &text,
                    &report.findings,
                    &FixOptions { is_unsafe, limits: settings.limits, ..FixOptions::safe() },
                );
            }
        }
    });
    start.elapsed()
}

/// Checks that each call of the splitter makes progress or asks for more input, however small the
/// reads and the largest game are. The splitter never asks for more than its stated maximum. A
/// longer source is split completely and in order.
pub fn progress(bytes: &[u8]) {
    let Some((&[largest, step, format], text)) = bytes.split_first_chunk() else { return };
    if text.is_empty() {
        return;
    }
    let unit = match format % 8 {
        0 => Unit::Line,
        1 => Unit::CsvRow { delimiter: b',', columns: 3 },
        2..5 => RecordKind::all().nth(usize::from(format / 8) % RecordKind::all().count()).unwrap_or_default().unit(),
        _ => Unit::Game,
    };
    let limits = Limits { game: 1 + u64::from(largest) * 8, line: 1 + u64::from(largest), ..Limits::default() };
    let mut splitter = Splitter::new(unit, limits);
    let source = text.repeat((3 * splitter.progress_length()).div_ceil(text.len()));
    let step = 1 + usize::from(step) * 16;
    let (mut start, mut end) = (0, 0);
    while start < source.len() {
        let pending = &source[start..end];
        let is_last = end == source.len();
        let mut last = 0;
        let consumed = splitter.split(pending, is_last, |piece| {
            let (Piece::Game(range, ..) | Piece::StrayText(range)) = piece;
            assert!(last <= range.start && range.start < range.end && range.end <= pending.len(), "{range:?}");
            last = range.end;
        });
        assert!(last <= consumed && consumed <= pending.len());
        assert!(consumed > 0 || pending.len() < splitter.progress_length(), "{} bytes and no progress", pending.len());
        assert!(consumed == pending.len() || !is_last, "the rest at the end is not consumed");
        start += consumed;
        end = if consumed == 0 { start + pending.len().max(step) * 2 } else { end.max(start) + step }.min(source.len());
    }
}
