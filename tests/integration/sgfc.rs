//! A record for each message of SGFC about a record, with the finding of `docs/sgfc.md`.

use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::finding::Code;
use jigo_record::formats::stray_finding;
use jigo_record::splitter::{GameText, Piece, split};
use jigo_rules::select::Choice;

use crate::support::cli::Folder;

/// Returns the codes of all findings of a text, without variations.
fn codes(bytes: &[u8]) -> Vec<&'static str> {
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    let (mut codes, mut games) = (Vec::new(), 0);
    split(bytes, true, |piece| match piece {
        Piece::Game(range, close, charset) => {
            games += 1;
            let text = GameText::single(&bytes[range], close, charset);
            codes.extend(Analyzer::default().analyze(&text, &settings).findings.iter().map(|found| found.code.id()));
        }
        Piece::StrayText(range) => codes.push(stray_finding::code(&bytes[range]).id()),
    });
    if games == 0 {
        codes.push(Code::NoGame.id());
    }
    codes
}

/// A game without findings.
const CLEAN: &str = "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]PB[a]PW[b]DT[2020-01-01]RE[?];B[aa];W[bb];B[cc])";

/// Each row: the number of a message, a part of the clean game, its replacement, and the finding.
const MESSAGES: &[(u32, &str, &str, &str)] = &[
    (6, "(;GM", "B[aa]W[bb] (;GM", "I018"),
    (8, ";W[bb]", ";1 W[bb]", "D003"),
    (9, "B[cc])", "B[cc]", "D001"),
    (10, "B[cc])", "B[cc", "D002"),
    (12, ";B[cc])", "(;B[cc])())", "F017"),
    (13, "PB[a]", "PB[a][x]", "F003"),
    (14, ";W[bb]", ";W[bb]WL[soon]", "F001"),
    (14, ";W[bb]", ";W[zz]", "P002"),
    (15, ";W[bb]", ";W[bb]KO[x]", "F001"),
    (15, "DT[2020-01-01]", "DT[12th of march 94]", "F019"),
    (15, "RE[?]", "RE[b+3.5]", "H032"),
    (16, ";W[bb]", ";White[bb]", "D021"),
    (17, ";W[bb]", ";W[bb]TR[]", "F005"),
    (17, ";W[bb]", ";W[bb]WL[]", "F001"),
    (18, "SZ[9]", "SZ[nine]", "H001"),
    (18, "FF[4]", "FF[four]", "F015"),
    (19, "GM[1]", "GM[2]", "H003"),
    (20, ";W[bb]", ";W[bb]C", "D003"),
    (21, ";B[cc])", "((;B[cc])(;B[dd])))", "F017"),
    (22, ";W[bb]", ";W[bb]C[a\0b]", "D013"),
    (23, ";W[bb]", ";W[bb]LB[aa]", "F004"),
    (24, "RE[?]", "RE[?]W[dd]", "D015"),
    (25, ";W[bb]", ";W[bb]FG[1:y:z]", "F004"),
    (28, ";W[bb]", ";W[bb]C[x]C[y]", "D005"),
    (30, ";W[bb]", ";W[bb]AB[dd]", "P008"),
    (30, ";W[bb]", ";W[bb];AB[dd]BL[30]", "F010"),
    (32, ";W[bb]", ";W[bb]ST[2]", "F011"),
    (33, "RE[?]", "RE[?]TM[9 hours]", "F001"),
    (36, "(;GM", "(GM", "D009"),
    (37, ";W[bb]", ";W[bb]B[dd]", "P008"),
    (38, ";W[bb]", ";W[bb]TR[dd]MA[dd]", "F007"),
    (38, "RE[?]", "RE[?]AB[dd][dd]", "D016"),
    (40, ";W[bb]", ";W[bb]CH[1]", "F013"),
    (41, ";W[bb]", ";W[bb]GB[1]GW[1]", "F008"),
    (42, ";W[bb]", ";W[bb]BM[1]TE[1]", "F008"),
    (43, ";W[bb]", ";W[bb];BM[1]", "F009"),
    (44, ";W[bb]", ";W[bb]PC[x]", "F012"),
    (46, "FF[4]", "FF[9]", "F015"),
    (47, "SZ[9]", "SZ[9:9]", "H031"),
    (50, "SZ[9]", "SZ[60]", "H001"),
    (51, "FF[4]", "FF[3]AP[x:1]", "F014"),
    (52, ";W[bb]", ";W[bb]VW[zz]", "F006"),
    (54, ";W[bb]", ";[bb]", "D024"),
    (55, ";W[bb]", ";;W[bb]", "D010"),
    (58, ";W[bb]", ";W[aa]", "P001"),
    (59, "KM[6.5]", "KI[13]", "F013"),
    (61, "RE[?]", "RE[?]HA[4]AB[dd][ee]", "H006"),
    (62, ";W[bb]", ";W[bb];AB[dd]", "S002"),
    (63, ";B[cc]", ";W[cc]", "P005"),
    (65, "FF[4]", "FF[3]", "F014"),
    (66, ";B[cc])", "(;B[cc]);B[dd])", "D024"),
    (67, ";B[cc])", "(;B[cc])(B[dd]))", "D009"),
    (72, "CA[UTF-8]", "CA[Klingon]", "F016"),
];

#[test]
fn each_message_about_a_record_has_its_finding() {
    assert_eq!(codes(CLEAN.as_bytes()), [] as [&str; 0]);
    assert_eq!(codes(b"no game here, only text"), ["I004", "I002"]);
    let mut wrong = Vec::new();
    for (message, old, new, code) in MESSAGES {
        assert!(CLEAN.contains(old), "{old}");
        let sgf = CLEAN.replacen(old, new, 1);
        let found = codes(sgf.as_bytes());
        if !found.contains(code) {
            wrong.push((message, sgf, *code, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let invalid = CLEAN.as_bytes().iter().map(|byte| if *byte == b'b' { 0xFF } else { *byte });
    let invalid: Vec<u8> = invalid.collect();
    assert!(codes(&invalid).iter().any(|code| code.starts_with('I')), "{:?}", codes(&invalid));
}

#[test]
fn ignoring_f_leaves_out_only_this_family() {
    let folder = Folder::new();
    let sgf = CLEAN.replace(";W[bb];B[cc])", ";W[aa]KO[x]TR[zz](;B[dd]V[high])(;B[ee]V[low]))");
    folder.file("game.sgf", sgf);
    let codes =
        |arguments: &str| folder.run(&format!("check -q --exit-zero --format csv {arguments} game.sgf")).column("code");
    let (all, without) = (codes(""), codes("--ignore F"));
    assert_eq!(without, ["P001"], "{all:?}");
    assert_eq!(codes("--select F"), ["F001", "F006", "F001"], "{all:?}");
    assert_eq!(all.len(), 4, "{all:?}");
    let report = folder.run("report -q --exit-zero --ignore F --out audit game.sgf");
    assert_eq!(report.code, 0, "{}", report.err);
    assert!(!folder.read("audit/findings.csv").contains(",F0"));
}

#[test]
fn violations_of_a_game_are_one_line_of_text() {
    let folder = Folder::new();
    folder.file("game.sgf", CLEAN.replace(";W[bb]", ";W[bb]KO[x]TR[zz]WL[soon]GB[7]"));
    let lines = folder.run("check -q --exit-zero --format text game.sgf").out;
    assert_eq!(lines.lines().filter(|line| line.contains("F001")).count(), 1, "{lines}");
    assert!(lines.contains("violations of SGF in this game:"), "{lines}");
}
