//! Each fix changes only the subject of its finding.

use std::fs;

use jigo_core::analysis::{Analyzer, Settings};
use jigo_core::fix::{Edit, FixOptions, FixedGame, fix_game};
use jigo_record::finding::{Code, FixSafety};
use jigo_record::splitter::{GameText, Piece, split};
use jigo_record::{Date, GameRecord, Reading};
use jigo_rules::select::Choice;

use crate::damage::{self, game, kinds, other_kinds, turns};
use crate::support::cli::Folder;
use crate::support::files_ending;

/// Returns the content of a record as text: turns, setup, marks, and the header with its parsed
/// result.
fn record_content(record: &GameRecord) -> (Vec<String>, String) {
    let header = &record.header;
    let texts = [
        &header.rules,
        &header.black,
        &header.white,
        &header.black_rank,
        &header.white_rank,
        &header.event,
        &header.place,
        &header.source,
    ]
    .map(|text| text.trim());
    // A fix may change the form of the date, and add the colon before a missing version.
    let date = Date::find_with_precision(&header.date).ok_or(&header.date);
    let application = header.application.trim().trim_end_matches(':');
    let result = (header.result.kind, header.result.winner, header.result.black_minus_white);
    let header_content = format!(
        "{texts:?} {date:?} {application} {:?} {:?} {:?} {result:?} {:?}",
        header.size, header.komi, header.handicap, record.territory
    );
    (turns(record), header_content)
}

fn apply_edits(bytes: &[u8], changes: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes.iter().rev() {
        bytes.splice(change.range.clone(), change.text.iter().copied());
    }
    bytes
}

/// Returns the codes found in a text of one game.
fn codes(text: &GameText) -> Vec<Code> {
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    Analyzer::default().analyze(text, &settings).findings.iter().map(|finding| finding.code).collect()
}

/// Fixes a game and checks all properties that a fix must have.
fn fix_and_check(text: &GameText) -> Option<FixedGame> {
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    let findings = Analyzer::default().analyze(text, &settings).findings.clone();
    let fixed = fix_game(text, &findings, &FixOptions::safe())?;
    let excerpt = String::from_utf8_lossy(text.bytes);
    assert_eq!(apply_edits(text.bytes, &fixed.changes), fixed.bytes, "{excerpt}");
    assert!(fixed.fixes.iter().all(|fix| fix.is_safe), "{excerpt}");
    assert_eq!(fixed.changes.is_empty(), fixed.fixes.is_empty(), "{excerpt}");
    let mut games = 0;
    split(&fixed.bytes, true, |piece| {
        let Piece::Game(range, close, charset) = piece else { panic!("text outside of {excerpt}") };
        games += 1;
        let second = GameText { bytes: &fixed.bytes[range], close, charset, ..*text };
        let (before, after) = (Reading::from_text(text), Reading::from_text(&second));
        assert_eq!(
            record_content(&before.record),
            record_content(&after.record),
            "{excerpt}\n{}",
            String::from_utf8_lossy(second.bytes)
        );
        let remaining = codes(&second);
        let made_codes = fixed.fixes.iter().map(|fix| fix.code).filter(|code| is_always_safe(*code));
        let unmade: Vec<Code> = made_codes.filter(|code| remaining.contains(code)).collect();
        assert!(unmade.is_empty(), "{unmade:?} in {}", String::from_utf8_lossy(second.bytes));
        let findings_after = Analyzer::default().analyze(&second, &settings).findings.clone();
        let twice = fix_game(&second, &findings_after, &FixOptions::safe());
        assert!(twice.is_none_or(|twice| twice.fixes.is_empty()), "{}", String::from_utf8_lossy(second.bytes));
    });
    assert_eq!(games, 1, "{excerpt}");
    Some(fixed)
}

/// Returns a game after its safe fixes.
fn safely_fixed(text: &str) -> String {
    let fixed = fix_and_check(&GameText::from_sgf(text));
    fixed.map_or(text.to_owned(), |fixed| String::from_utf8(fixed.bytes).unwrap())
}

fn is_always_safe(code: Code) -> bool {
    code.description().fix.is_some_and(|fix| fix.safety == FixSafety::Safe)
}

/// Fixes all games of a text. Returns the number of games with a fix and the number of fixes that
/// could not be made.
fn fix_all_games(bytes: &[u8]) -> (usize, usize) {
    let (mut fixes, mut rejected) = (0, 0);
    split(bytes, true, |piece| {
        if let Piece::Game(range, close, charset) = piece
            && let Some(fixed) = fix_and_check(&GameText::single(&bytes[range], close, charset))
        {
            fixes += usize::from(!fixed.fixes.is_empty());
            rejected += fixed.rejected.len();
        }
    });
    (fixes, rejected)
}

#[test]
fn safe_fixes_keep_corpus_records_and_leave_no_fix() {
    // `JIGO_ALL_FILES=1` takes all files.
    let every = if std::env::var_os("JIGO_ALL_FILES").is_some() { 1 } else { 7 };
    let (mut fixes, mut rejected) = (0, 0);
    for file in files_ending(&crate::support::corpus(), "sgf").iter().step_by(every) {
        let of_file = fix_all_games(&fs::read(file).unwrap());
        (fixes, rejected) = (fixes + of_file.0, rejected + of_file.1);
    }
    eprintln!("{fixes} games fixed, {rejected} fixes rejected");
    let fewest = if crate::support::has_real_games() { 10 } else { 0 };
    assert!(fixes >= fewest && rejected == 0, "{fixes} games fixed, {rejected} fixes rejected");
}

/// Returns names and texts of collections of five games with a damaged third one, and the
/// separator.
fn damaged_collections() -> Vec<(String, Vec<String>, Vec<u8>)> {
    let sound: Vec<String> = (0..5).map(|number| game(number, 40 + number)).collect();
    let mut collections = Vec::new();
    for (index, separator) in ["\n", "\r\n", ""].into_iter().enumerate() {
        let mut add = |name: &str, damaged: Vec<u8>| {
            let parts: Vec<&[u8]> = sound
                .iter()
                .enumerate()
                .map(|(number, text)| if number == 2 { &damaged[..] } else { text.as_bytes() })
                .collect();
            // The number tells names apart that differ in their signs only.
            let number = collections.len();
            let name = format!("{index}-{number}-{}", name.replace(|c: char| !c.is_alphanumeric(), "_"));
            collections.push((name, sound.clone(), parts.join(separator.as_bytes())));
        };
        kinds().into_iter().for_each(|(name, damage, _)| add(name, damage(&sound[2])));
        other_kinds().into_iter().for_each(|(name, damage)| add(&format!("other_{name}"), damage(&sound[2])));
    }
    collections
}

/// Damage that only --unsafe fixes. Text that is not a property can't be fixed.
const DAMAGE: [Code; 8] = [
    Code::UnclosedGame,
    Code::UnclosedValue,
    Code::FusedGames,
    Code::RepeatedProperty,
    Code::UnescapedBracket,
    Code::RepeatedSetup,
    Code::ExtraParenthesis,
    Code::SeveralTurns,
];

/// Nothing of these games can be read, or they follow the grammar of FF[4], so nothing is fixed.
const UNFIXED_DAMAGE: [&str; 5] =
    ["UTF_16_cut_in_a_unit", "every___escaped", "missing___in_a_name", "only___C_", "only___GM_1_C__and_a_backslash"];

/// Runs the command as a user would. Undamaged games keep their bytes, and findings with a safe fix
/// disappear.
#[test]
fn damaged_collections_are_fixed_once_and_sound_games_stay() {
    let folder = Folder::new();
    let collections = damaged_collections();
    for (name, _, bytes) in &collections {
        folder.file(&format!("in/{name}.sgf"), bytes);
    }
    let ran = folder.run("fix --exit-zero --out once --log fixes.csv in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let second = folder.run("fix --exit-zero --log again.csv once/in");
    assert_eq!(second.code, 0, "{}", second.err);
    assert_eq!(folder.run("fix --quiet --exit-zero --unsafe --out all_fixed in").code, 0);
    let log = folder.read("fixes.csv");
    let mut wrong = Vec::new();
    for (name, sound, bytes) in &collections {
        let fixed = fs::read(folder.path().join(format!("once/in/{name}.sgf"))).unwrap();
        if fixed != *bytes && !log.contains(&format!("in/{name}.sgf")) {
            wrong.push(format!("{name}: changed without a row"));
        }
        let (before, _) = damage::read(bytes);
        let (games, outside) = damage::read(&fixed);
        for number in [0, 1, 3, 4] {
            let expected = &damage::read(sound[number].as_bytes()).0[0].record;
            if !games.iter().any(|game| turns(&game.record) == turns(expected) && game.record.header == expected.header)
            {
                wrong.push(format!("{name}: game {number} is lost"));
            }
        }
        if games.len() != before.len() {
            wrong.push(format!("{name}: {} games became {}", before.len(), games.len()));
        }
        let all_fixed = fs::read(folder.path().join(format!("all_fixed/in/{name}.sgf"))).unwrap();
        if name.contains("junk") && (outside.is_empty() || !damage::read(&all_fixed).1.is_empty()) {
            wrong.push(format!("{name}: only --unsafe removes junk"));
        }
        for (game, is_unsafe) in
            games.iter().map(|game| (game, false)).chain(damage::read(&all_fixed).0.iter().map(|game| (game, true)))
        {
            let is_fixed = |code: &&Code| is_always_safe(**code) || (is_unsafe && DAMAGE.contains(code));
            let remaining: Vec<&str> = game.codes.iter().filter(is_fixed).map(|code| code.id()).collect();
            if !remaining.is_empty() && !UNFIXED_DAMAGE.iter().any(|ending| name.ends_with(ending)) {
                wrong.push(format!("{name}: {remaining:?} are left{}", if is_unsafe { " with --unsafe" } else { "" }));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), wrong.len());
    // A fix that is made has no reason after it.
    let count = folder.read("again.csv").lines().filter(|line| line.ends_with(",true,")).count();
    assert_eq!(count, 0, "{}", folder.read("again.csv"));
}

#[test]
fn repeated_values_are_joined_or_moved() {
    for (node, expected) in [
        (";B[ef]BL[3]B[gg]BL[3]", ";B[ef]BL[3];B[gg]BL[3]"),
        (";B[ef]W[gg]WL[3]W[hh]WL[3]", ";B[ef];W[gg]WL[3];W[hh]WL[3]"),
        (";BL[3]B[ef]BL[3]B[gg]", ";BL[3]B[ef];BL[3]B[gg]"),
        (";BL[3]OB[1]B[ef]BL[2]B[gg]", ";BL[3]OB[1]B[ef];BL[2]B[gg]"),
        (";W[bb]W[cc]WL[1]WL[1]", ";W[bb]WL[1];W[cc]WL[1]"),
        (";BL[2]BL[1]B[bb]OB[4]B[cc]OB[3]", ";BL[2]B[bb]OB[4];BL[1]B[cc]OB[3]"),
        (";TR[aa]TR[bb]TR[aa][bb]", ";TR[aa][bb]"),
        (";TR[aa]C[x]TR[bb]CR[cc]TR[aa][dd]", ";TR[aa][bb][dd]C[x]CR[cc]"),
        (";LB[aa:1]LB[aa:2]LB[aa:1]", ";LB[aa:1][aa:2]"),
    ] {
        let [text, expected] = [node, expected].map(|node| format!("(;GM[1]FF[4]SZ[9]{node})"));
        let fixed = fix_and_check(&GameText::from_sgf(&text)).unwrap();
        assert_eq!(String::from_utf8_lossy(&fixed.bytes), expected);
        assert!(fixed.rejected.is_empty(), "{:?}", fixed.rejected);
    }
}

/// Repeated properties may belong to another turn or have more values, and programs differ in the
/// order of a turn and a next player.
#[test]
fn ambiguous_properties_are_kept() {
    for game in [
        ";B[aa]MN[1]MN[1]W[bb]",
        ";B[aa]W[bb]MN[1]MN[1]",
        ";MN[1]B[aa]MN[1]W[bb]",
        ";B[aa]XX[1]W[bb]XX[1]",
        ";B[aa]C[x]W[bb]C[x]",
        ";AB[cc]B[aa]TE[1]W[bb]TE[1]",
        "PB[a]PB[a][b];B[aa]",
        "PB[a][b]PB[a];B[aa]",
        "KM[6.5]KM[6.5][7];B[aa]",
        "KM[6.5]PB[a]PW[b];B[aa]PL[W]C[x];W[bb]",
    ] {
        let text = format!("(;GM[1]FF[4]SZ[9]{game})");
        assert_eq!(safely_fixed(&text), text);
    }
}

/// Hundredths below 400 may be of zi, which are two points each.
#[test]
fn small_komi_in_hundredths_has_no_safe_fix() {
    for (komi, fixed_komi) in [("350", "350"), ("275", "5.5"), ("650", "6.5"), ("250", "250")] {
        let text = format!("(;GM[1]FF[4]SZ[9]KM[{komi}]RU[Chinese];B[aa];W[bb])");
        assert_eq!(safely_fixed(&text), text.replace(komi, fixed_komi));
    }
}
