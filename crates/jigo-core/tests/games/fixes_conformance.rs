//! Fixes of violations of the standard (class F).

use jigo_core::analysis::{Analyzer, Settings};
use jigo_core::fix::{FixOptions, fix_game};
use jigo_record::finding::Code;
use jigo_record::splitter::GameText;
use jigo_rules::select::Choice;

/// The root of all records here, without FF and DT.
const ROOT: &str = "GM[1]CA[UTF-8]SZ[9]KM[6.5]RU[Japanese]PB[a]PW[b]RE[?]";

/// Returns a record with more properties in the root and in the second node.
fn record(root: &str, node: &str) -> String {
    format!("(;FF[4]{ROOT}{root};B[aa]{node};W[bb];B[cc])")
}

/// Returns the text of a game with the fixes of class F.
fn fixed(sgf: &str, is_unsafe: bool) -> String {
    fixed_codes(sgf, &["F"], is_unsafe)
}

/// Returns the text of a game with the fixes of codes that begin with these.
fn fixed_codes(sgf: &str, codes: &[&str], is_unsafe: bool) -> String {
    let text = GameText::from_sgf(sgf);
    let settings = Settings { judges: vec![Choice::Recorded], ..Settings::default() };
    let findings = Analyzer::default().analyze(&text, &settings).findings.clone();
    let is_selected = |id: &str| codes.iter().any(|code| id.starts_with(code));
    let codes = Code::TABLE.iter().filter(|row| is_selected(row.id)).map(|row| row.code).collect();
    let options = FixOptions { codes, is_unsafe, ..FixOptions::safe() };
    let game = fix_game(&text, &findings, &options);
    game.map_or(sgf.to_owned(), |game| String::from_utf8(game.bytes).unwrap())
}

/// Each row: a property of a node with a turn, its safe fix, and its unsafe fix.
const IN_NODE: &[(&str, &str, &str)] = &[
    ("KO[1]", "KO[]", "KO[]"),
    ("KO[x]", "KO[x]", "KO[]"),
    ("GB[]", "GB[1]", "GB[1]"),
    ("GB[ 2 ]", "GB[2]", "GB[2]"),
    ("BM[3]", "BM[3]", ""),
    ("MN[]", "", ""),
    ("MN[5.0]", "MN[5]", "MN[5]"),
    ("BL[]C[x]", "C[x]", "C[x]"),
    ("BL[1,5]", "BL[1.5]", "BL[1.5]"),
    ("BL[soon]", "BL[soon]", ""),
    ("C[a][b]", "C[a\nb]", "C[a\nb]"),
    ("C[a \\] ][b]", "C[a \\] \nb]", "C[a \\] \nb]"),
    ("N[a][a ]", "N[a]", "N[a]"),
    ("N[a][b]", "N[a][b]", "N[a]"),
    ("LB[dd:1:2]", "LB[dd:1\\:2]", "LB[dd:1\\:2]"),
    ("LB[dd][ee:1]", "LB[dd][ee:1]", "LB[ee:1]"),
    ("FG[1:y:z]", "FG[1:y\\:z]", "FG[1:y\\:z]"),
    ("TR[]", "", ""),
    ("TR[][dd]", "TR[dd]", "TR[dd]"),
    ("TR[ dd]", "TR[dd]", "TR[dd]"),
    ("AR[a a: c c]", "AR[a a: c c]", "AR[aa:cc]"),
    ("TR[C3][dd]", "TR[C3][dd]", "TR[dd]"),
    ("TR[zz]", "TR[zz]", ""),
    ("TR[dd][ee][dd]", "TR[dd][ee]", "TR[dd][ee]"),
    ("LB[dd:a][dd:a]", "LB[dd:a]", "LB[dd:a]"),
    ("AR[dd:dd][dd:ee]", "AR[dd:dd][dd:ee]", "AR[dd:ee]"),
    ("BM[1]TE[1]", "BM[1]TE[1]", "DO[]"),
    ("PM[7]", "PM[7]", ""),
    ("FF[4]", "FF[4]", ""),
    ("ST[2]", "ST[2]", ""),
    ("PB[a]", "", ""),
    ("RU[ Japanese]", "", ""),
    ("RU[Chinese]", "RU[Chinese]", "RU[Chinese]"),
    ("L[dd][ee]", "LB[dd:a][ee:b]", "LB[dd:a][ee:b]"),
    ("L[dd]LB[ee:1]", "L[dd]LB[ee:1]", "L[dd]LB[ee:1]"),
    ("M[dd]", "MA[dd]", "MA[dd]"),
    ("CH[1]", "CH[1]", "CH[1]"),
    ("A1[x]", "A1[x]", ""),
    ("XY[x]", "XY[x]", "XY[x]"),
    (";BM[1]C[x]", ";BM[1]C[x]", ";C[x]"),
    (";AB[dd]BL[30]C[x]", ";AB[dd]C[x];BL[30]", ";AB[dd]C[x];BL[30]"),
];

/// Each row: a property of the root, its safe fix, and its unsafe fix.
const IN_ROOT: &[(&str, &str, &str)] = &[
    ("DT[2018.04.27]", "DT[2018-04-27]", "DT[2018-04-27]"),
    ("DT[May 3 1999]", "DT[1999-05-03]", "DT[1999-05-03]"),
    ("DT[12th of march 94]", "DT[1994-03-12]", "DT[1994-03-12]"),
    ("DT[昭和45年3月5日]", "DT[1970-03-05]", "DT[1970-03-05]"),
    ("DT[1996-05-06, 07]", "DT[1996-05-06,07]", "DT[1996-05-06,07]"),
    ("DT[03.05.1999]", "DT[03.05.1999]", "DT[1999-05-03]"),
    ("DT[03/05/1999]", "DT[03/05/1999]", "DT[03/05/1999]"),
    ("DT[2018-04-27 at noon]", "DT[2018-04-27 at noon]", "DT[2018-04-27 at noon]"),
    ("DT[2020-02-30]", "DT[2020-02-30]", "DT[2020-02-30]"),
    ("TM[9 hours]", "TM[32400]", "TM[32400]"),
    ("TM[]", "", ""),
    ("TM[2 x 3]", "TM[2 x 3]", "TM[2 x 3]"),
    ("HA[]", "", ""),
    ("ST[9]", "ST[9]", ""),
    ("EV[x][x]", "EV[x]", "EV[x]"),
    ("EV[x][y]", "EV[x][y]", "EV[x]"),
    ("GC[a][b]", "GC[a\nb]", "GC[a\nb]"),
    ("AP[x]", "AP[x:]", "AP[x:]"),
    ("AP[a:b:c]", "AP[a:b\\:c]", "AP[a:b\\:c]"),
    ("PL[white]", "PL[W]", "PL[W]"),
];

#[test]
fn each_violation_has_its_fix() {
    let in_node = IN_NODE.iter().map(|(node, safe, not_safe)| [*node, safe, not_safe].map(|node| record("", node)));
    let in_root = IN_ROOT.iter().map(|(root, safe, not_safe)| [*root, safe, not_safe].map(|root| record(root, "")));
    let wrong: Vec<_> = in_node
        .chain(in_root)
        .filter_map(|[sgf, safe, not_safe]| {
            let results = [fixed(&sgf, false), fixed(&sgf, true)];
            (results != [safe, not_safe]).then_some((sgf, results))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn root_values_of_ff_and_ca_are_fixed() {
    for (old, new, safe, not_safe) in [
        ("FF[4]", "FF[ 4]", "FF[4]", "FF[4]"),
        ("FF[4]", "FF[7]", "FF[7]", "FF[4]"),
        ("CA[UTF-8]", "CA[Klingon]", "CA[Klingon]", "CA[UTF-8]"),
        ("KM[6.5]", "KM[.5]", "KM[0.5]", "KM[0.5]"),
    ] {
        let sgf = record("", "").replace(old, new);
        let expected = [safe, not_safe].map(|fix| record("", "").replace(old, fix));
        assert_eq!([fixed(&sgf, false), fixed(&sgf, true)], expected, "{sgf}");
    }
    let newer = "(;GM[1]FF[3]SZ[9]KM[6.5]PB[a]PW[b];B[aa]AR[bb:cc];W[bb])";
    assert_eq!(fixed(newer, false), newer.replace("FF[3]", "FF[4]"));
    let older = newer.replace("W[bb]", "W[bb]CH[1]");
    assert_eq!(fixed(&older, false), older);
    assert_eq!(fixed(&older, true), older.replace("FF[3]", "FF[4]"));
}

#[test]
fn komi_in_half_points_becomes_a_komi_only_if_asked() {
    for (half_points, komi) in [("11", "5.5"), ("-1", "-0.5"), ("12 ", "6")] {
        let sgf = record("", "").replace("KM[6.5]", &format!("KI[{half_points}]"));
        let expected = record("", "").replace("KM[6.5]", &format!("KM[{komi}]"));
        assert_eq!([fixed(&sgf, false), fixed(&sgf, true)], [sgf.clone(), expected]);
    }
    for (root, node) in [("KI[11]", ""), ("", "KI[11]")] {
        assert_eq!(fixed(&record(root, node), true), record(root, node));
    }
    let sgf = record("", "").replace("KM[6.5]", "KI[99999999999]");
    assert_eq!(fixed(&sgf, true), sgf);
}

#[test]
fn game_info_that_the_root_lacks_is_moved_there_only_if_asked() {
    let sgf = record("", "PC[Berlin]");
    assert_eq!(fixed(&sgf, false), sgf);
    assert!(fixed(&sgf, true).contains("PC[Berlin]") && fixed(&sgf, true).contains(";B[aa];W[bb]"));
}

#[test]
fn violations_in_variations_are_fixed() {
    for (empty, fixed_text) in
        [("(;W[dd])())", "(;W[dd]))"), ("(;W[dd](;B[ee])( ))(;W[ee]))", "(;W[dd](;B[ee]))(;W[ee]))")]
    {
        let [sgf, expected] = [empty, fixed_text].map(|text| record("", "").replace(')', text));
        assert_eq!(fixed(&sgf, false), expected);
    }
    for (nested, fixed_text) in [
        ("(;W[dd])((;W[ee])(;W[ff])))", "(;W[dd])(;W[ee])(;W[ff]))"),
        ("( (;W[dd]C[(]) (;W[ee]) )(;W[ff]))", " (;W[dd]C[(]) (;W[ee]) (;W[ff]))"),
        ("(;W[dd])(((;W[ee](;B[ff])((;B[gg]))))))", "(;W[dd])(;W[ee](;B[ff])(;B[gg])))"),
        // The second node is also reported, as one after a variation.
        ("(;W[dd])((;W[ee]);W[ff]))", "(;W[dd])((;W[ee]);W[ff]))"),
    ] {
        let [sgf, expected] = [nested, fixed_text].map(|text| record("", "").replace(')', text));
        assert_eq!(fixed(&sgf, false), expected);
    }
    let sgf = record("", "").replace(')', "(;W[dd]BL[1,5])(;W[ee];B[ff]TR[aa][aa]C[x][y]))");
    let expected = record("", "").replace(')', "(;W[dd]BL[1.5])(;W[ee];B[ff]TR[aa]C[x\ny]))");
    assert_eq!(fixed(&sgf, false), expected);
}

#[test]
fn repeated_properties_in_variations_are_merged() {
    for (node, safe, not_safe) in [
        ("W[ee]C[a]C[b]", "W[ee]C[a\nb]", "W[ee]C[a\nb]"),
        ("W[ee]TR[dd]C[x]TR[ff]", "W[ee]TR[dd][ff]C[x]", "W[ee]TR[dd][ff]C[x]"),
        ("W[ee]N[a]N[a]N[a]", "W[ee]N[a]", "W[ee]N[a]"),
        ("W[ee]N[a]N[b]", "W[ee]N[a]N[b]", "W[ee]N[a]"),
        ("AB[dd]AB[ff]AW[gg]", "AB[dd][ff]AW[gg]", "AB[dd][ff]AW[gg]"),
        ("W[ee]B[ff]BL[30]BL[20]", "W[ee]B[ff]BL[30]BL[20]", "W[ee]B[ff]BL[30]BL[20]"),
    ] {
        let [sgf, safe, not_safe] =
            [node, safe, not_safe].map(|node| record("", "").replace(')', &format!("(;W[dd])(;{node};B[hh]))")));
        assert_eq!([fixed_codes(&sgf, &["D005"], false), fixed_codes(&sgf, &["D005"], true)], [safe, not_safe]);
    }
}

#[test]
fn violations_in_records_with_errors_are_not_fixed_safely() {
    for damage in ["B[aa", "B[aa]C[x", "PB[Other]"] {
        let sgf = record("", &format!("KO[1];{damage}"));
        assert!(fixed(&sgf, false).contains("KO[1]"), "{sgf}");
    }
}
