//! `jigo fix --normalize`: header values with one reading get one form, and all others stay.

use crate::support::cli::Folder;

/// Returns the header that `jigo fix --normalize all` makes of this one.
fn normalized(folder: &Folder, header: &str) -> String {
    let file = |header: &str| format!("(;GM[1]FF[4]SZ[19]{header};B[aa];W[bb])");
    folder.file("a.sgf", file(header));
    let ran = folder.run("fix --exit-zero --in-place --normalize all a.sgf");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = folder.read("a.sgf");
    let again = folder.run("fix --normalize all a.sgf");
    assert!(again.code == 0 && !again.column("made").contains(&"true".into()), "{header}: {}", again.out);
    let header = text.strip_prefix("(;GM[1]FF[4]SZ[19]").and_then(|rest| rest.strip_suffix(";B[aa];W[bb])"));
    header.unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[test]
fn values_with_one_reading_get_one_form() {
    let folder = Folder::new();
    folder
        .file("jigo.toml", "[players]\naliases = 'p.csv'\n[events]\naliases = 'e.csv'\n[places]\naliases = 'o.csv'\n");
    folder.file("p.csv", "id,name\nCho Chikun,趙治勲\n").file("e.csv", "id,name\n45th Meijin,第45期名人戦\n");
    folder.file("o.csv", "id,name\nNihon Ki-in,日本棋院\n");
    for (recorded, expected) in [
        ("EV[日本棋院]PC[日本棋院]", "EV[日本棋院]PC[Nihon Ki-in]"),
        ("DT[2017-8-28, 2017-8-29]", "DT[2017-08-28,29]"),
        ("DT[2017.08.28 12:50]", "DT[2017-08-28]DTTIME[12:50]"),
        ("DT[2017.08.28 12:50]DTTIME[x]", "DT[2017.08.28 12:50]DTTIME[x]"),
        ("DT[3 May 1999]", "DT[1999-05-03]"),
        ("DT[03.05.1999]", "DT[03.05.1999]"),
        ("AP[foxwq]RD[2015-10-05]", "AP[foxwq]RD[2015-10-05]DT[2015-10-05]"),
        ("AP[foxwq]DT[]RD[2015-10-05]", "AP[foxwq]DT[2015-10-05]RD[2015-10-05]"),
        ("AP[foxwq]RD[3]", "AP[foxwq]RD[3]"),
        ("BR[9 dan]WR[P9d]", "BR[9d]WR[9p]"),
        ("BR[九段]WR[5 kyu ?]", "BR[九段]WR[5k?]"),
        ("PB[趙　治勲]PW[ Lee   Sedol ]", "PB[Cho Chikun]PW[Lee Sedol]"),
        ("PB[趙治勲 九段]", "PB[趙治勲 九段]"),
        ("EV[第45期 名人戦]PC[Tokyo,\n Japan]", "EV[第45期 名人戦]PC[Tokyo, Japan]"),
        ("EV[第４５期名人戦]", "EV[45th Meijin]"),
        ("RE[W+Resign]", "RE[W+R]"),
        ("RE[Draw]", "RE[0]"),
        ("RE[B+7.50]", "RE[B+7.5]"),
        ("RE[B+R (illegal move)]", "RE[B+R (illegal move)]"),
        ("RE[B+Adjudication]", "RE[B+Adjudication]"),
        ("RU[jp]KM[6.50]", "RU[Japanese]KM[6.5]"),
        ("RU[Chinese, Pair Go]KM[some]", "RU[Chinese, Pair Go]KM[some]"),
        ("PB[a \\] b  c]", "PB[a \\] b  c]"),
        ("PB[a  b]PB[c  d]", "PB[a  b]PB[c  d]"),
    ] {
        assert_eq!(normalized(&folder, recorded), expected, "{recorded}");
    }
}

#[test]
fn value_repeated_in_a_later_node_is_removed_at_once() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[1]FF[4]SZ[19]DT[28 Aug 2017]RE[];B[aa];W[bb]DT[2017-08-28];B[cc]RE[B+3.5])");
    folder.run("fix --exit-zero --in-place --normalize all a.sgf");
    assert_eq!(folder.read("a.sgf"), "(;GM[1]FF[4]SZ[19]DT[2017-08-28]RE[];B[aa];W[bb];B[cc]RE[B+3.5])");
    assert_eq!(folder.run("fix --normalize all a.sgf").rows().len(), 0);
    folder.file("b.sgf", "(;GM[1]FF[4]SZ[19]DT[2017.08.28 12:50]DTTIME[x];B[aa])");
    assert_eq!(folder.run("fix --normalize all b.sgf").rows().len(), 0);
}

#[test]
fn only_selected_values_change_and_each_is_a_row() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[1]FF[4]SZ[19]PC[x  y]BR[9 dan]DT[2017.08.28 12:50]CA[Shift_JIS];B[aa])");
    let rows = folder.run("fix --select H034 --normalize ranks,dates a.sgf");
    assert_eq!(rows.column("before"), ["DT[2017.08.28 12:50]", "BR[9 dan]"]);
    assert_eq!(rows.column("after"), ["DT[2017-08-28]DTTIME[12:50]", "BR[9d]"]);
    assert_eq!((rows.column("code"), rows.column("safe")), (vec!["H034".into(); 2], vec!["true".into(); 2]));
    assert_eq!(folder.run("fix --select D --normalize all a.sgf").rows().len(), 0);
    let wrong = folder.run("fix --normalize rank a.sgf");
    assert!(wrong.code == 2 && wrong.err.contains("'rank' is none of all, dates, players, ranks"), "{}", wrong.err);
    folder.file("e.csv", "name\n");
    let list = folder.run("fix --normalize events --events e.csv a.sgf");
    assert!(list.code == 2 && list.err.contains("--events e.csv: line 1 needs one column id"), "{}", list.err);
}

#[test]
fn names_in_old_charsets_stay_in_them() {
    let folder = Folder::new();
    let text = |name: &str| {
        encoding_rs::SHIFT_JIS
            .encode(&format!("(;GM[1]FF[4]CA[Shift_JIS]SZ[19]PB[{name}]PW[本田];B[aa])"))
            .0
            .into_owned()
    };
    folder.file("a.sgf", text("趙　　治勲"));
    let ran = folder.run("fix --exit-zero --in-place --select H034 --normalize players a.sgf");
    assert_eq!(std::fs::read(folder.path().join("a.sgf")).unwrap(), text("趙 治勲"), "{}", ran.err);
}
