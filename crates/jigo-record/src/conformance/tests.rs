//! A record for each property of the table, with its violations.

use super::*;
use crate::DialectChoice;

/// The root of all records here, without FF and DT.
const ROOT: &str = "GM[1]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]PB[a]PW[b]RE[?]";

/// Returns the identifiers of all findings of the reader and of the check, with their details.
fn found(sgf: &str) -> Vec<(&'static str, String)> {
    let text = GameText::from_sgf(sgf);
    let mut reading = Reading::default();
    reading.read(&text, text.bytes, DialectChoice::Auto, Limits::default());
    let violations = check(&text, text.bytes, &reading, Scope::Tree, Limits::default());
    let all = reading.findings.iter().chain(&violations);
    all.map(|finding| (finding.code.id(), finding.detail.clone())).collect()
}

/// Returns the codes of a record.
fn codes(sgf: &str) -> Vec<&'static str> {
    found(sgf).into_iter().map(|(code, _)| code).collect()
}

/// Returns a record with more properties in the root and in the second node.
fn record(root: &str, node: &str) -> String {
    format!("(;FF[4]{ROOT}{root};B[aa]{node};W[bb];B[cc])")
}

/// Each row: a property with a violation, and the code that reports it. The node has a turn.
const IN_NODE: &[(&str, &str)] = &[
    ("KO[1]", "F001"),
    ("KO[][]", "F003"),
    ("MN[x]", "F001"),
    ("MN[]", "F001"),
    ("MN[1.5]", "F001"),
    ("MN[1][2]", "F003"),
    ("BM[3]", "F001"),
    ("BM[]", "F001"),
    ("BM[1][1]", "F003"),
    ("BM[1]DO[]", "F008"),
    ("DO[1]", "F001"),
    ("DO[]IT[]", "F008"),
    ("IT[x]", "F001"),
    ("TE[0]", "F001"),
    ("TE[1]BM[1]", "F008"),
    ("BL[]", "F001"),
    ("BL[1,5]", "F001"),
    ("BL[5.]", "F001"),
    ("BL[1 ]", "F001"),
    ("BL[1][2]", "F003"),
    ("WL[1:30]", "F001"),
    ("OB[1.5]", "F001"),
    ("OB[]", "F001"),
    ("OW[a]", "F001"),
    ("OW[1][2]", "F003"),
    ("C[a][b]", "F003"),
    ("N[a][b]", "F003"),
    ("DM[x]", "F001"),
    ("DM[1]UC[1]", "F008"),
    ("GB[0]", "F001"),
    ("GB[1]GW[1]", "F008"),
    ("GW[x]", "F001"),
    ("HO[]", "F001"),
    ("UC[3]", "F001"),
    ("V[high]", "F001"),
    ("V[1e3]", "F001"),
    ("V[1][2]", "F003"),
    ("AR[]", "F004"),
    ("AR[aa]", "F004"),
    ("AR[aa:aa]", "F007"),
    ("AR[aa:bb][aa:bb]", "F007"),
    ("AR[aa:zz]", "F006"),
    ("AR[a a:bb]", "F005"),
    ("LN[aa]", "F004"),
    ("LN[bb:bb]", "F007"),
    ("LN[zz:bb]", "F006"),
    ("LN[aa:b]", "F005"),
    ("LB[aa]", "F004"),
    ("LB[aa:1:2]", "F004"),
    ("LB[zz:1]", "F006"),
    ("LB[1:aa]", "F005"),
    ("LB[aa:1][aa:2]", "F007"),
    ("CR[]", "F005"),
    ("CR[zz]", "F006"),
    ("CR[dd][dd]", "F007"),
    ("CR[dd]MA[dd]", "F007"),
    ("DD[x]", "F005"),
    ("DD[zz]", "F006"),
    ("DD[dd][dd]", "F007"),
    ("MA[1]", "F005"),
    ("MA[zz]", "F006"),
    ("MA[dd:ee][ee]", "F007"),
    ("MA[ee:dd]", "D022"),
    ("SL[]", "F005"),
    ("SL[zz]", "F006"),
    ("SQ[dd]TR[dd]", "F007"),
    ("SQ[ddd]", "F005"),
    ("TR[zz]", "F006"),
    ("TR[dd:zz]", "F006"),
    ("TR[dd:dd]", "D022"),
    ("VW[zz]", "F006"),
    ("VW[x]", "F005"),
    ("VW[dd][dd]", "F007"),
    ("FG[x]", "F004"),
    ("FG[x:y]", "F001"),
    ("FG[-1:y]", "F002"),
    ("FG[1:y:z]", "F004"),
    ("FG[1:y][2:z]", "F003"),
    ("PM[3]", "F002"),
    ("PM[x]", "F001"),
    ("TB[zz]", "F006"),
    ("TB[dd]TW[dd]", "F007"),
    ("TW[dd][dd]", "F007"),
    ("TW[]TW[dd]", "D005"),
    ("PL[B]", "F010"),
    ("AB[dd]", "P008"),
    ("AE[aa]", "P008"),
    ("FF[4]", "F011"),
    ("GM[1]", "F011"),
    ("SZ[9]", "F011"),
    ("CA[UTF-8]", "F011"),
    ("AP[x:1]", "F011"),
    ("ST[2]", "F011"),
    (";AB[dd]TE[1];W[ee]", "F009"),
    ("PB[c]", "D024"),
    ("PB[c]ST[2]KM[5.5]", "D024"),
    ("PB[a]", "F012"),
    ("PC[c]", "F012"),
    ("KM[5.5]", "F012"),
    ("RE[0]", "D024"),
    ("GC[x]", "F012"),
    ("CH[1]", "F013"),
    ("EL[x]", "F013"),
    ("ID[x]", "F013"),
    ("L[dd]", "F013"),
    ("LT[]", "F013"),
    ("KI[13]", "F013"),
    ("M[dd]", "F013"),
    ("OM[5]", "F013"),
    ("TC[3]", "F013"),
    ("A1[x]", "F018"),
    ("xy[1]", "D003"),
    ("MA[dd]MA[ee]", "D005"),
];

/// Each row: a property with a violation in the root, and the code that reports it.
const IN_ROOT: &[(&str, &str)] = &[
    ("AP[a:b:c]", "F004"),
    ("AP[x]", "F004"),
    ("AP[a:1][b:2]", "F003"),
    ("ST[4]", "F002"),
    ("ST[-1]", "F002"),
    ("ST[x]", "F001"),
    ("ST[]", "F001"),
    ("AN[a][b]", "F003"),
    ("BR[1d][2d]", "F003"),
    ("BT[a][b]", "F003"),
    ("CP[a][b]", "F003"),
    ("DT[12th of march 94]", "F019"),
    ("DT[2018.04.27]", "F019"),
    ("DT[2020-02-30]", "F020"),
    ("DT[2020-13]", "F020"),
    ("DT[2020-01-01][2020-01-02]", "F003"),
    ("EV[a][b]", "F003"),
    ("GC[a][b]", "F003"),
    ("GN[a][b]", "F003"),
    ("HA[]", "F001"),
    ("HA[1]", "F002"),
    ("HA[x]", "H005"),
    ("HA[-2]", "H015"),
    ("ON[a][b]", "F003"),
    ("OT[5x30 byo-yomi][5x30 byo-yomi]", "F003"),
    ("PC[a][b]", "F003"),
    ("RO[a][b]", "F003"),
    ("SO[a][b]", "F003"),
    ("TM[9 hours]", "F001"),
    ("TM[]", "F001"),
    ("TM[60][70]", "F003"),
    ("US[a][b]", "F003"),
    ("WR[a][b]", "F003"),
    ("WT[a][b]", "F003"),
    ("PL[black]", "F001"),
    ("PL[1]", "F001"),
    ("PL[x]", "D004"),
    ("AB[]", "F005"),
    ("AB[dd][dd]", "D016"),
    ("AW[ee:dd]", "D022"),
    ("AE[x]", "D004"),
    ("AB[dd]BL[30]", "F010"),
    ("PL[B]MN[3]", "F010"),
    ("BM[1]", "F009"),
    ("KO[]", "F009"),
    ("TE[1]", "F009"),
    ("DO[]", "F009"),
    ("IT[]", "F009"),
    ("LB[zz:1]", "F006"),
    ("CR[dd]SL[dd]", "F007"),
    ("FG[x]", "F004"),
    ("PM[7]", "F002"),
    ("V[x]", "F001"),
    ("L[dd]", "F013"),
    ("BS[1]", "F013"),
    ("SI[1]", "F013"),
    ("KM[7.5]", "D005"),
    ("B[dd]", "D015"),
];

#[test]
fn each_violation_is_found_once() {
    let in_node = IN_NODE.iter().map(|(property, code)| (record("", property), *code));
    let in_root = IN_ROOT.iter().map(|(property, code)| (record(property, ""), *code));
    let wrong: Vec<_> = in_node.chain(in_root).filter(|(sgf, code)| codes(sgf) != [*code]).collect();
    assert!(wrong.is_empty(), "{:#?}", wrong.iter().map(|(sgf, code)| (sgf, code, found(sgf))).collect::<Vec<_>>());
}

#[test]
fn violations_in_header_values_are_found_once() {
    for (old, new, expected) in [
        ("KM[6.5]", "KM[.5]", "F001"),
        ("KM[6.5]", "KM[ 6.5]", "F001"),
        ("KM[6.5]", "KM[x]", "H004"),
        ("KM[6.5]", "KM[6,5]", "H012"),
        ("KM[6.5]", "KM[6.5][7.5]", "H004"),
        ("SZ[9]", "SZ[9:9]", "H031"),
        ("SZ[9]", "SZ[9][9]", "D005"),
        ("CA[UTF-8]", "CA[Klingon]", "F016"),
        ("CA[UTF-8]", "CA[UTF-8][latin1]", "F003"),
        ("RE[?]", "RE[b+3.5]", "H032"),
        ("RE[?]", "RE[B+R][W+R]", "H007"),
        ("RU[Japanese]", "RU[a][b]", "F003"),
        ("PB[a]", "PB[a][b]", "F003"),
        ("FF[4]", "FF[0]", "F015"),
        ("FF[4]", "FF[7]", "F015"),
        ("FF[4]", "FF[four]", "F015"),
        ("FF[4]", "FF[4][4]", "F003"),
        ("FF[4]", "FF[3]", "F014"),
    ] {
        let sgf = record("", "").replace(old, new);
        assert_eq!(codes(&sgf), [expected], "{sgf}: {:?}", found(&sgf));
    }
}

#[test]
fn legal_properties_have_no_finding() {
    for property in [
        "KO[]",
        "MN[5]",
        "MN[99999999999999999999]",
        "BM[1]",
        "DO[]",
        "IT[]",
        "TE[2]",
        "BL[60]",
        "BL[-1.5]",
        "OB[+3]",
        "DM[1]",
        "GB[2]",
        "GW[1]",
        "HO[2]",
        "UC[1]",
        "V[-3.5]",
        "AR[aa:bb][bb:aa]",
        "LN[aa:bb]",
        "LB[aa:a\\:b]",
        "LB[aa:]",
        "CR[cc]",
        "DD[]",
        "DD[aa:cc]",
        "VW[]",
        "VW[aa:cc]",
        "FG[]",
        "FG[257:x]",
        "FG[1:]",
        "PM[2]",
        "TB[]TW[]",
        "TB[aa][bb:cc]TW[dd]",
        "C[a:b]",
        "C[]",
        "N[x]",
        "KGSDE[aa]",
        "TR[cc]LB[cc:x]VW[cc]DD[dd]",
        "XX[][]",
        "SQ[dd][ee]CR[ff]",
        "BM[1]GW[2]",
        "C[\n x ;y (z) ]",
    ] {
        assert_eq!(found(&record("", property)), [], "{property}");
    }
    for property in [
        "ST[0]",
        "AP[x:1]",
        "AP[]",
        "AP[foxwq]",
        "DT[1996-05,06]",
        "DT[1996-05-06,07,08]",
        "DT[2020]",
        "DT[]",
        "HA[0]",
        "TM[0]",
        "TM[1800.5]",
        "OT[]",
        "AE[ee]",
        "AB[dd][ee:fg]PL[W]",
        "C[a\nb]",
        "GC[a\nb]",
        "TC[3]TT[30]",
        "LT[30]",
        "MN[1]",
    ] {
        assert_eq!(found(&record(property, "")), [], "{property}");
    }
}

#[test]
fn variations_are_checked_with_path_and_turn() {
    let root = record("", "").replace(')', "");
    for (tail, expected) in [
        ("(;W[dd])(;W[ee]TR[zz]))", vec![("F006", "2", Some(4))]),
        ("(;W[dd]TR[zz])(;W[ee]))", vec![("F006", "", Some(4))]),
        ("(;W[dd](;B[ee])(;B[ff];W[gg]TR[zz]))(;W[gg]))", vec![("F006", "1.2", Some(6))]),
        ("(;W[dd](;B[ee];W[gg]))(;W[gg](;B[ee]V[x])(;B[ff])))", vec![("F001", "2.1", Some(5))]),
        ("(;W[dd])(;W[zz]))", vec![("F006", "2", Some(4))]),
        ("(;W[dd])(;W[e]))", vec![("F005", "2", Some(4))]),
        ("(;W[dd])(;W[ee][ff]))", vec![("F003", "2", Some(4))]),
        ("(;W[dd])(;W[ee]B[ff]))", vec![("P008", "2", Some(5))]),
        ("(;W[dd])(;W[ee]WL[x]))", vec![("F001", "2", Some(4))]),
        ("(;W[dd])(;AB[ff]AW[ff]))", vec![("F007", "2", Some(3))]),
        ("(;W[dd])(;W[ee]C[a]C[b]))", vec![("D005", "2", Some(4))]),
        ("(;W[dd])(;w[ee]))", vec![("D021", "2", Some(4))]),
        ("(;W[dd])())", vec![("F017", "", None)]),
        ("(;W[dd])((;W[ee])(;W[ff])))", vec![("F017", "2", None)]),
        ("((;W[ee])(;W[ff])))", vec![("F017", "", None)]),
        ("(;W[dd])(;W[ee]PC[x];B[ff]))", vec![("F012", "2", Some(4))]),
        // D024 reports this header.
        ("(;W[dd])(;W[ee]PB[x];B[ff]))", vec![]),
        ("(;W[dd]TR[aa])(;W[ee]TR[aa]))", vec![]),
    ] {
        let sgf = format!("{root}{tail}");
        let text = GameText::from_sgf(&sgf);
        let reading = Reading::from_text(&text);
        let violations = check(&text, text.bytes, &reading, Scope::Tree, Limits::default());
        let seen: Vec<_> = violations
            .iter()
            .map(|finding| (finding.code.id(), finding.variation.as_str(), finding.place.turn))
            .collect();
        assert_eq!(seen, expected, "{sgf}");
    }
}

#[test]
fn game_info_of_separate_games_in_one_tree_is_legal() {
    let games = "(;FF[4]GM[1]SZ[9](;PB[a]KM[6.5];B[aa];W[bb])(;PB[c]KM[6.5];B[bb];W[aa]))";
    assert!(!codes(games).iter().any(|code| code.starts_with('F')), "{:?}", found(games));
    let twice = "(;FF[4]GM[1]SZ[9](;PB[a]KM[6.5];B[aa];W[bb])(;PB[c]KM[6.5];B[bb];W[aa]RE[0]))";
    assert!(codes(twice).contains(&"F012"), "{:?}", found(twice));
}

#[test]
fn earlier_versions_have_their_own_properties() {
    let record = |version: u8, node: &str| {
        format!("(;FF[{version}]{};B[aa]{node};W[bb])", ROOT.replace("CA[UTF-8]", "").replace("RU[Japanese]", ""))
    };
    for (version, property) in [(2, "L[cc]"), (1, "M[cc]"), (3, "CH[1]"), (3, "SC[cc]"), (3, "TR[cc]"), (3, "MA[cc]")] {
        assert_eq!(codes(&record(version, property)), [] as [&str; 0], "{property}");
    }
    assert_eq!(codes(&record(3, "L[cc]")), ["F013"]);
    for property in ["AR[cc:dd]", "SQ[cc]", "LN[cc:dd]", "DD[cc]", "PM[1]", "TR[cc:dd]", ";W[]"] {
        assert_eq!(codes(&record(3, property)), ["F014"], "{property}");
    }
    assert_eq!(codes(&record(1, "TR[cc]")), ["F014"]);
    assert_eq!(codes(&record(4, ";W[]")), [] as [&str; 0]);
    assert_eq!(codes("(;GM[1]SZ[9]KM[6.5];B[aa]L[cc]AR[aa:bb])"), [] as [&str; 0]);
}

#[test]
fn converted_records_and_other_games_are_not_checked() {
    assert_eq!(codes("(;GM[2]FF[4]ST[9];B[aa]BM[5])"), ["H003"]);
}

#[test]
fn many_violations_end_with_one_row() {
    let sgf = record("", "V[x]");
    let text = GameText::from_sgf(&sgf);
    let reading = Reading::from_text(&text);
    let limits = Limits { findings: 0, ..Limits::default() };
    let violations = check(&text, text.bytes, &reading, Scope::Tree, limits);
    assert_eq!(violations.iter().map(|finding| finding.code.id()).collect::<Vec<_>>(), ["L008"]);
}

#[test]
fn list_beyond_the_limit_of_points_is_reported() {
    let sgf = record("", "TR[aa][aa]CR[bb][bb]");
    let text = GameText::from_sgf(&sgf);
    let reading = Reading::from_text(&text);
    for (points, expected) in [(4, vec!["F007", "F007"]), (3, vec!["F007", "L008"]), (1, vec!["L008"])] {
        let limits = Limits { points, ..Limits::default() };
        let violations = check(&text, text.bytes, &reading, Scope::Tree, limits);
        assert_eq!(violations.iter().map(|finding| finding.code.id()).collect::<Vec<_>>(), expected, "{points}");
    }
}
