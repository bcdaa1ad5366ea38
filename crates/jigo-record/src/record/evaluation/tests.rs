use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Evaluation, fault};
use crate::Reading;
use crate::splitter::GameText;

/// Returns turn, colour, form, win rate, lead, visits, lost points and engine of each evaluation.
fn rows(sgf: &str) -> Vec<String> {
    let record = Reading::from_text(&GameText::from_sgf(sgf)).record;
    let number = |number: Option<i64>| number.map_or("-".into(), |number| number.to_string());
    let row = |row: &Evaluation| {
        let [winrate, lead, lost] = [row.black_winrate, row.black_lead, row.points_lost].map(number);
        let (color, visits) =
            (row.color.map_or("-", |color| color.letter()), number(row.visits.map(|visits| visits as i64)));
        format!("{} {color} {} {winrate} {lead} {visits} {lost} {}", row.turn, row.form.name(), row.engine)
    };
    Evaluation::of_main_line(sgf.as_bytes(), &record).iter().map(row).collect()
}

/// Returns JSON as KaTrain writes it into the third value of KT.
fn katrain(json: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(json).unwrap();
    format!("KT[][][{}]", STANDARD.encode(encoder.finish().unwrap()))
}

/// In each record, Black is ahead after both turns, by 60 % and 3 points, then by 70 % and 5 points.
#[test]
fn forms_have_the_view_of_their_program() {
    let kt = |winrate: f64, lead: f64| {
        katrain(format!(r#"{{"moves":{{"Q16":{{"order":0}}}},"root":{{"winrate":{winrate},"scoreLead":{lead},"visits":9,"pv":[]}},"completed":true}}"#).as_bytes())
    };
    let (first, second) = (kt(0.6, 3.0), kt(0.7, 5.0));
    let cases = [
        ("sabaki - -", "(;SZ[9];B[aa]SBKV[60]SBKS[3];W[bb]SBKV[70.00]SBKS[5])".to_owned()),
        ("sabaki - -", "(;SZ[9];B[aa]OGSC[3.0]SBKV[60.0];W[bb]SBKV[70.0]OGSC[5.0](;B[cc])(;B[dd]SBKV[1]))".to_owned()),
        ("lizzie 1300 -", "(;SZ[9];B[aa]LZ[0.7.4 60,0 1.3k\nmove C3 visits 1 winrate 4000 scoreMean -6 pv C3 info move D4 visits 2 winrate 4000 scoreMean -1.5 pv D4 info ];W[bb]LZ[0.7.4 30.0 1.3k\nmove C3 visits 5 winrate 7000 scoreMean 5.0 pv C3 info ])".to_owned()),
        ("lizzie 2000000 KataGo b18", "(;SZ[9];B[aa]LZ[KataGo b18 60.0 2.0m -3.0 18.5\nmove C3 visits 1];W[bb]LZ[KataGo b18 30.0 2.0m 5.0 18.5 0.1\n])".to_owned()),
        ("katrain 9 -", format!("(;SZ[9];B[aa]{first};W[bb]{second})")),
        ("katago 800 -", "(;SZ[9];B[aa];W[bb]C[0.40 0.60 0.00 -3.0 v=800 weight=1.00];B[cc]C[Pass for ko 0.30 0.70 0.00 -5.0 v=50 rv=800 weight=1.00 result=B+R])".to_owned()),
    ];
    for (columns, sgf) in cases {
        let mut words = columns.splitn(3, ' ');
        let [form, visits, engine] = std::array::from_fn(|_| words.next().unwrap());
        let engine = engine.trim_start_matches('-');
        let expected = [
            format!("1 B {form} 6000 30000 {visits} - {engine}"),
            format!("2 W {form} 7000 50000 {visits} 20000 {engine}"),
        ];
        assert_eq!(rows(&sgf), expected, "{sgf}");
    }
}

#[test]
fn name_of_lizzie_may_be_empty_or_have_numbers() {
    for (value, row) in [
        (" 45.3 1.2k 0.5 12.0\nmove C3 visits 1", "4530 -5000 1200 - "),
        (" 45.3 80 12.0 20.0\n", "4530 -120000 80 - "),
        ("KataGo 1.15 60.0 80 -3.0 18.5\n", "6000 30000 80 - KataGo 1.15"),
    ] {
        assert_eq!(rows(&format!("(;SZ[9];B[aa]LZ[{value}])")), [format!("1 B lizzie {row}")], "{value}");
    }
}

#[test]
fn points_lost_need_the_turn_before() {
    let sgf = "(;SZ[9]SBKS[0];B[aa]SBKS[-2.5]OGSC[9];W[bb];B[cc]SBKS[1];W[dd]SBKV[50];;B[ee]C[0.3 0.7 0 1 v=2])";
    let expected = [
        "0 - sabaki - 0 - - ",
        "1 B sabaki - 90000 - -90000 ",
        "3 B sabaki - 10000 - - ",
        "4 W sabaki 5000 - - - ",
        "4 W katago 7000 -10000 2 - ",
    ];
    assert_eq!(rows(sgf), expected);
}

#[test]
fn percentages_on_a_tie_are_rounded_to_even() {
    for (percentage, winrate) in [("0.015", 2), ("0.225", 22), ("99.995", 10_000)] {
        let expected = [format!("1 B sabaki {winrate} - - - ")];
        assert_eq!(rows(&format!("(;SZ[9];B[aa]SBKV[{percentage}])")), expected, "{percentage}");
    }
}

#[test]
fn setup_is_no_loss_of_a_turn() {
    let last = |sgf: &str| rows(sgf).pop().unwrap();
    for (sgf, lost) in [
        ("(;SZ[9];B[aa]SBKS[0];AW[cc][dd][ee];W[bb]SBKS[-30])", "-"),
        ("(;SZ[9];B[aa]SBKS[0];W[bb];AE[aa]SBKS[-30])", "-"),
        ("(;SZ[9];B[aa]C[a];AW[cc]C[0.5 0.5 0 0 v=2];W[bb]C[0.5 0.5 0 0 v=2];AW[dd];B[cd]C[0.5 0.5 0 30 v=2])", "-"),
        ("(;SZ[9];B[aa];AW[cc]SBKS[0];W[bb]SBKS[-30])", "-300000"),
        ("(;SZ[9];B[aa]SBKS[0];PL[W];W[bb]SBKS[-30];AW[cc]SBKV[1])", "-300000"),
    ] {
        assert!(last(sgf).ends_with(&format!(" {lost} ")), "{sgf}: {}", last(sgf));
    }
}

#[test]
fn first_position_is_seen_by_the_player_who_follows() {
    assert_eq!(rows("(;SZ[9]LZOP[a 45.0 10 2.0 3.0\n];B[aa])"), ["0 - lizzie 5500 20000 10 - a"]);
    assert_eq!(
        rows("(;SZ[9]HA[2]AB[cc][gg]LZOP[a 45.0 10 2.0 3.0\n]LZOP2[b 50 9];W[aa])"),
        ["0 - lizzie 4500 -20000 10 - a", "0 - lizzie2 5000 - 9 - b"]
    );
    for (setup, row) in [
        ("", "5500 20000"),
        ("HA[2]", "4500 -20000"),
        ("HA[2]AB[gc][cg]", "4500 -20000"),
        ("AB[gc][cg]", "4500 -20000"),
        ("AB[gc][cg]PL[B]", "5500 20000"),
        ("AB[gc]AW[cg]", "5500 20000"),
        ("AB[gc]AW[cg]PL[W]", "4500 -20000"),
        ("PL[W];", "4500 -20000"),
    ] {
        let sgf = format!("(;GM[1]SZ[9]{setup}LZOP[a 45.0 10 2.0 3.0\n])");
        assert_eq!(rows(&sgf), [format!("0 - lizzie {row} 10 - a")], "{sgf}");
    }
}

#[test]
fn other_comments_and_positions_without_analysis_have_no_row() {
    for sgf in [
        "(;SZ[9];B[aa]LZ[0.7.4 50.0 0\n])",
        "(;SZ[9];B[aa]C[0.50 0.50 0.00 1.0 weight=1.00])",
        "(;SZ[9];B[aa]C[1 1 1 1 v=5])",
        "(;SZ[9];B[aa]C[0.5 0.5 0 1 and 5 visits])",
        "(;SZ[9];B[aa]C[])",
    ] {
        assert_eq!(rows(sgf), [""; 0], "{sgf}");
        assert_eq!(fault(b"C", &[b"0.5"]), None);
    }
}

#[test]
fn unreadable_values_have_a_fault() {
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let packed = [
        vec![b' '; 8 << 20],
        nested.into_bytes(),
        br#"{"root":{"winrate":2}}"#.to_vec(),
        b"{}".to_vec(),
        br#"{"root":{"winrate":0.5,"scoreLead":1e9}}"#.to_vec(),
    ];
    let katrain = packed.map(|json| katrain(&json).trim_start_matches("KT[][][").trim_end_matches(']').to_owned());
    for text in katrain.iter().map(String::as_str).chain(["", "x", "H4sIAAAAAAAA", "AAAA"]) {
        assert!(fault(b"KT", &[b"", b"", text.as_bytes()]).is_some(), "{text:.40}");
    }
    assert_eq!(
        fault(b"KT", &[b"", b"", katrain[0].as_bytes()]),
        Some("unpacks to more than 64 times its length or 16 MiB")
    );
    for value in ["", "x", "-1", "100.1", "NaN", "inf", "1e9"] {
        assert!(fault(b"SBKV", &[value.as_bytes()]).is_some(), "{value}");
    }
    for value in ["", "x", "NaN", "-inf", "1e300"] {
        assert!(fault(b"OGSC", &[value.as_bytes()]).is_some(), "{value}");
    }
    for value in [
        "",
        "0.7.4",
        "0.7.4 50.0",
        "50.0 10",
        "a 101 10",
        "a 50 x",
        "a 50 -1",
        "a 50 1 NaN",
        "a 50 1 word",
        "a 50 1\nmove C3 visits 1 scoreMean bad",
        "a 50 1\nmove C3 visits 1 scoreMean 1e9",
    ] {
        assert!(fault(b"LZ", &[value.as_bytes()]).is_some(), "{value}");
    }
    assert_eq!(
        (fault(b"SBKV", &[b" 1e1 "]), fault(b"LZ", &[b"a 50 1\nmove C3 visits 1 pv C3"]), fault(b"XX", &[])),
        (None, None, None)
    );
}
