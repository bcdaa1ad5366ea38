//! Safe fixes of the structure leave texts alone that allow more than one reading.

use std::fs;

use crate::support::cli::Folder;

const ROOT: &str = "GM[1]FF[4]SZ[9]PB[a]PW[b]RE[B+R]";

/// Applies the safe fixes to files with one text each, and checks that no text changed.
fn assert_unchanged(texts: &[String]) {
    assert_fixed(texts, |before, fixed| before == fixed);
}

/// Checks that safe fixes add no bracket, parenthesis or board size to these texts.
fn assert_nothing_closed(texts: &[String]) {
    let closes = |text: &str| text.matches(')').count();
    assert_fixed(texts, |before, fixed| {
        closes(fixed) <= closes(before) && !fixed.contains("SZ[19]") && !fixed.contains("(]") && !fixed.contains(")]")
    });
}

/// Checks that safe fixes remove no parenthesis from these texts.
fn assert_nothing_removed(texts: &[String]) {
    let closes = |text: &str| text.matches(')').count();
    assert_fixed(texts, |before, after| closes(after) >= closes(before));
}

fn assert_fixed(texts: &[String], is_right: impl Fn(&str, &str) -> bool) {
    let folder = Folder::new();
    for (number, text) in texts.iter().enumerate() {
        folder.file(&format!("in/{number}.sgf"), text);
    }
    // A command that fixes nothing would satisfy most expectations.
    folder.file("in/control.sgf", "(;GM[1]FF[4]SZ[9]KM[6,5];B[aa])");
    let ran = folder.run("fix --exit-zero --out out in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(folder.read("out/in/control.sgf").contains("KM[6.5]"));
    let mut wrong = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let fixed = fs::read_to_string(folder.path().join(format!("out/in/{number}.sgf"))).unwrap();
        if !is_right(text, &fixed) {
            wrong.push(format!("{text}\n  -> {fixed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns all combinations of two lists, put into the places `{a}` and `{b}` of a text.
fn combine(text: &str, first: &[&str], second: &[&str]) -> Vec<String> {
    let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| text.replace("{root}", ROOT).replace("{a}", a).replace("{b}", b)).collect()
}

/// The nearest texts with one reading only.
#[test]
fn certain_damage_of_the_structure_is_fixed() {
    let folder = Folder::new();
    for (damaged, fixed) in [
        ("(;{root};B[aa];W[bb]", "(;{root};B[aa];W[bb])"),
        ("(;{root};B[aa];W[bb]))", "(;{root};B[aa];W[bb])"),
        ("(;{root};B[aa](;W[bb])(;W[cc])))", "(;{root};B[aa](;W[bb])(;W[cc]))"),
        ("({root};B[aa];W[bb])", "(;{root};B[aa];W[bb])"),
        ("(;{root};B[aa]C[a [b] c];W[bb])", "(;{root};B[aa]C[a [b\\] c];W[bb])"),
        ("(;{root};B[aa]N[nice]N[nice];W[bb])", "(;{root};B[aa]N[nice];W[bb])"),
        ("(;{root};AW[cc]AW[gg];B[aa])", "(;{root};AW[cc][gg];B[aa])"),
        ("(;{root};B[aa]W[bb];B[cc])", "(;{root};B[aa];W[bb];B[cc])"),
    ] {
        folder.file("in.sgf", damaged.replace("{root}", ROOT));
        assert_eq!(folder.run("fix --exit-zero --force --out out in.sgf").code, 0, "{damaged}");
        assert_eq!(folder.read("out/in.sgf"), fixed.replace("{root}", ROOT), "{damaged}");
    }
}

#[test]
fn value_that_swallows_a_node_is_kept() {
    let strays = ["'", "X ", "1", "2. ", "- ", "/* x */", "\u{3000}", "\u{A0}"];
    let mut texts = combine("(;{root}N[nice];{a}{b}[cc];W[dd])", &strays, &["B", "W", "AB"]);
    texts.extend(combine("(;{root};B[aa]C[nice];{a}{b}[cc];B[dd])", &strays, &["W", "AW"]));
    assert_unchanged(&texts);
}

/// By the grammar of FF[4], a record with such a text has one reading.
#[test]
fn text_of_a_sound_record_is_kept() {
    let values = [
        r"I typed \];B[dd\];W[ee\] here",
        r":\];W[ee\]",
        "komi is KM[6.5 (not 5.5)",
        "see (;FF[4 for details",
        r"a;W[dd\]PB[x\]",
        r"\];B[cc",
    ];
    let mut texts = combine("(;{root};B[aa]C[{a}];W[bb]{b})", &values, &["", "(;B[cc])(;B[dd])"]);
    texts.extend(combine("(;{root}GN[{a}];B[aa](;W[bb])(;W[cc]N[{a}]{b}))", &values, &["", "XY[b]"]));
    texts.extend(combine("(;{root};B[aa];{a};{b}[bb])", &["GM[1]FF[4]", "FF[4]"], &["W"]));
    assert_unchanged(&texts);
}

#[test]
fn parenthesis_before_a_second_game_is_kept() {
    let headers = ["PB[x]PW[y]RE[W+R]", "EV[Cup]RO[2]PB[x]", "EV[Cup]", "C[Problem 2]", "AB[gg]AW[ii]C[Problem 2]"];
    assert_unchanged(&combine("(;{root};B[aa];W[bb])\n;{a};B[{b}];W[dd])", &headers, &["cc", ""]));
}

#[test]
fn unclosed_game_with_a_second_game_is_kept() {
    let headers = ["PB[x]PW[y]RE[W+R]SZ[9]", "EV[Cup]", "AB[gg]AW[ii]"];
    assert_unchanged(&combine("(;{root};B[aa];W[bb](;{a};B[{b}];W[dd])", &headers, &["cc", ""]));
}

#[test]
fn end_of_a_truncated_game_is_kept() {
    assert_unchanged(&combine("(;{root};B[aa]{a}{b}", &["", ";W[bb]", "(;W[bb]"], &[";", "(;", ";\n"]));
    assert_unchanged(&combine("(;{root}{a}{b})", &[";B[dd]W[aa]C[", ";B[dd]W[aa]N["], &["cut", "cut "]));
    assert_unchanged(&combine("(;{root}B[dd]{a}[{b})", &["C", "N"], &["cut", "cut "]));
}

#[test]
fn value_without_bracket_before_a_variation_is_kept() {
    let ends = ["x\\](;W[bb])", "x\\](;W[bb];B[cc])"];
    assert_nothing_closed(&combine("(;{root};B[aa]C[{a}(;W[{b}]))", &ends, &["cc", "dd"]));
    let ends = ["x\\])", "x)", "x)\n"];
    assert_unchanged(&combine("(;{root};B[aa](;W[bb];B[cc]C[{a}(;W[dd];B[{b}]))", &ends, &["ee", "ff"]));
}

#[test]
fn variation_with_a_root_property_is_kept() {
    let properties = ["ST[2]", "SZ[9]", "AP[x]", "FF[4]", "CA[UTF-8]"];
    assert_nothing_closed(&combine("(;{root};B[aa](;{a}W[bb];B[cc])(;{b}W[dd]))", &properties, &["ST[2]", "SZ[9]"]));
}

#[test]
fn parenthesis_after_a_damaged_game_is_kept() {
    let ends = ["C[x\\](;W[bb])(;W[cc]))", "]B[dd])", "(;W[bb]);W[cc])(;W[dd]))"];
    assert_nothing_removed(&combine("(;{root};B[aa]{a}{b}", &ends, &["", ")", "\n))"]));
}

#[test]
fn variation_with_a_turn_is_not_closed_as_a_game() {
    let properties = ["AP[x]", "ST[2]", "SZ[9]"];
    let texts = combine("(;{root};B[aa](;W[bb]\n(;{a}B[cc])\n(;B[dd]))(;{b}W[ee;B[ff]))", &properties, &properties);
    assert_nothing_closed(&texts);
    assert_nothing_removed(&texts);
}

#[test]
fn board_size_is_missing_only_in_a_root_that_was_read() {
    let roots = ["BoardSize[9]", "SZ9]", "SZ 9 ", "\n;SZ[9]", "\n;PW[x]SZ[9]"];
    let folder = Folder::new();
    for (number, root) in roots.iter().enumerate() {
        folder.file(&format!("in/{number}.sgf"), format!("(;GM[1]FF[4]{root}KM[5];B[aa];W[bb])"));
    }
    folder.file("in/usual.sgf", "(;GM[1]FF[4]KM[5];B[aa];W[bb])");
    let ran = folder.run("fix --exit-zero --out out in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let read = |name: &str| folder.read(&format!("out/in/{name}.sgf"));
    let sized: Vec<&&str> = roots
        .iter()
        .enumerate()
        .filter(|(number, _)| read(&number.to_string()).contains("SZ[19]"))
        .map(|(_, root)| root)
        .collect();
    assert!(sized.is_empty(), "{sized:?}");
    assert!(read("usual").contains("SZ[19]"));
}

#[test]
fn text_between_repeated_properties_is_kept() {
    let strays = ["{", " see here ", "hello ", "1. ", "- "];
    for stray in strays {
        let mut texts = combine("(;{root};AW[cc]{a}AW[{b}];B[aa])", &[stray], &["gg", "cc"]);
        texts.extend(combine("(;{root}EV[x]{a}EV[{b}];B[aa])", &[stray], &["x", "y"]));
        assert_fixed(&texts, |_, after| after.contains(stray.trim()));
    }
}

#[test]
fn annotations_follow_the_turn_before_them() {
    let fixed = [
        (";B[aa]BM[1]W[bb]TE[1]MN[2];B[cc]", ";B[aa]BM[1];W[bb]TE[1]MN[2];B[cc]"),
        (";B[aa]W[bb]KO[];B[cc]", ";B[aa];W[bb]KO[];B[cc]"),
        (";B[aa]C[x]W[bb]DO[]", ";B[aa]C[x];W[bb]DO[]"),
        ("B[aa]TE[1]MN[10]KO[]C[good];W[cc]", "C[good];B[aa]TE[1]MN[10]KO[];W[cc]"),
        ("TE[1]B[aa]W[bb]BM[1];B[cc]", ";TE[1]B[aa];W[bb]BM[1];B[cc]"),
    ];
    let folder = Folder::new();
    for (number, (before, _)) in fixed.iter().enumerate() {
        folder.file(&format!("in/{number}.sgf"), format!("(;{ROOT}{before})"));
    }
    let ran = folder.run("fix --exit-zero --out out in");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (number, (before, after)) in fixed.iter().enumerate() {
        assert_eq!(folder.read(&format!("out/in/{number}.sgf")), format!("(;{ROOT}{after})"), "{before}");
    }
}

#[test]
fn safe_fixes_keep_stray_text() {
    let texts = ["AW[cc]{AW[gg];B[aa]", ";W[aa],AB[bb];B[cc]", "PC[x]hello PC[x];B[aa]", "AW[cc] here AW[cc];B[aa]"]
        .map(|text| format!("(;{ROOT}{text})"));
    let strays = ["{", ",", "hello", "here"];
    let stray = |text: &str| strays.iter().find(|stray| text.contains(**stray)).copied();
    assert_fixed(&texts, |before, after| stray(before) == stray(after));
    let texts = combine("(;{root};B[aa](x{a}{b};W[bb];B[cc]))", &["", " (y"], &["", "z"]);
    assert_fixed(&texts, |before, after| before.matches(')').count() == after.matches(')').count());
}

#[test]
fn comment_with_a_damaged_turn_is_not_joined() {
    assert_unchanged(&combine("(;{root};B[aa]C[nice];{a}{b}]C[why];B[cc])", &["W", "B.", "AB"], &["ed", ""]));
}

#[test]
fn names_of_programs_are_kept() {
    let names = ["Result[B+R]", "AppName[x]", "gobanVersion[3]", "BoardSize[9]", "Charset[GBK]", "Re[W+R]", "foo[x]"];
    assert_unchanged(&combine("(;{root}{a};B[aa];W[{b}])", &names, &["bb"]));
}

/// A node with a property of roots and a turn may be a variation of the unclosed game before it.
#[test]
fn unclosed_game_before_a_node_with_a_turn_is_kept() {
    let first = ["FF[4]GM[1]SZ[9]PB[a]PW[b]", "CA[UTF-8]FF[4]GM[1]SZ[9]PB[a]"];
    assert_unchanged(&combine(
        "(;{a};B[aa];W[bb]\n(;{b}B[cc];W[dd])\n",
        &first,
        &["FF[4]", "CA[UTF-8]", "FF[4]AP[x:1]"],
    ));
}

#[test]
fn root_inside_a_turn_gets_no_parenthesis() {
    let roots = ["GM[1]", "GM[1]FF[4]", "GM[1]SZ[9]", "FF[4]GM[1]SZ[9]\n", "SZ[9]"];
    assert_nothing_opened(&combine("(;{root};W[aa];B;{a}[{b}];W[dd];B[ee])\n", &roots, &["og", "bb", ""]));
    assert_nothing_opened(&combine("(;{root};W[aa];AB[cc];{a}[{b}][ff];W[dd];B[ee])\n", &roots, &["gg", "bb"]));
}

/// Checks that safe fixes add no parenthesis to these texts.
fn assert_nothing_opened(texts: &[String]) {
    let opens = |text: &str| text.matches('(').count();
    assert_fixed(texts, |before, fixed| opens(fixed) <= opens(before));
}

#[test]
fn turn_in_a_root_without_a_header_stays_in_a_later_game() {
    let roots = [";W[cc]", ";FF[4]W[cc]", ";ST[2]W[cc]", "W[cc]"];
    assert_unchanged(&combine("(;{root};B[aa];W[bb])\n({a};B[{b}])\n", &roots[..3], &["dd", "ee"]));
    assert_fixed(&combine("(;{root};B[aa];W[bb])\n({a};B[{b}])\n", &roots[3..], &["dd"]), |_, fixed| {
        !fixed.contains(";;")
    });
}

#[test]
fn marks_of_two_turns_are_not_joined() {
    let marks = ["TR[gc]B[fg]TR[fg]", "LB[gc:1]B[fg]LB[fg:2]", "SL[gc]B[fg]SL[fg]", "TR[gc]B[fg]TR[gc]"];
    assert_unchanged(&combine("(;{root};W[gc]{a};W[{b}])", &marks, &["aa"]));
    assert_fixed(&combine("(;{root};AB[aa]W[gc]AB[{b}]B[fg])", &[""], &["bb"]), |_, fixed| {
        fixed.contains("AB[aa][bb]")
    });
}

/// Text after the turns of a node may be later turns, which would come before a moved one.
#[test]
fn turn_is_not_moved_over_unread_text() {
    let texts = combine(
        "(;{root}{a}\n{b}\n(;{root};B[aa])",
        &[";B[cc]W[dd]", ";W[cc]AB[dd]", "B[cc]"],
        &["1. Q16 D4 2. Q3 D17", "Board 3", "[x"],
    );
    assert_unchanged(&texts);
}

/// A turn at the start of a node ends a value without its bracket. Another program would read on
/// over other properties in its place.
#[test]
fn turn_after_a_value_without_bracket_is_not_moved() {
    let end = "B[ff](;W[gg]GC[x])(;W[hh]))";
    assert_unchanged(&combine(
        &format!("(;{{root}};B[cc]C[N;{{a}}{{b}};{end}"),
        &["W[dd]"],
        &["AB[ee]N[x]", "N[x]B[ee]"],
    ));
}
