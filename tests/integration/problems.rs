//! Problems: `jigo check --problems` and `jigo duplicates --problems`.

use crate::support::cli::Folder;

/// A problem without a fault.
const SOUND: &str = "(;GM[1]FF[4]SZ[9]AB[bc][cc][dc][cb]AW[bb][ab][ac][dd](;B[ba]C[RIGHT])(;B[ad];W[ba]))";

fn codes(folder: &Folder, args: &str) -> Vec<String> {
    let run = folder.run(args);
    assert!(run.code < 2, "{}", run.err);
    run.column("code")
}

#[test]
fn findings_about_games_are_left_out() {
    let folder = Folder::new();
    folder.file("a.sgf", SOUND);
    assert_eq!(codes(&folder, "check --problems a.sgf"), [""; 0]);
    assert_eq!(codes(&folder, "check a.sgf"), ["H008", "H009"]);
    // Setup within a solution and a position that occurs again are no faults.
    folder.file("b.sgf", SOUND.replace(";W[ba]", ";AE[bb];W[ba]"));
    assert_eq!(codes(&folder, "check --problems b.sgf"), [""; 0]);
}

#[test]
fn illegal_turns_of_every_variation_are_found() {
    let folder = Folder::new();
    folder.file("a.sgf", SOUND.replace(";W[ba]", ";W[bc]"));
    let run = folder.run("check --problems a.sgf");
    assert_eq!((codes(&folder, "check --problems a.sgf"), run.code), (vec!["P001".to_owned()], 1));
    folder.file("b.sgf", SOUND.replace("RIGHT", "CHOICE"));
    assert_eq!(codes(&folder, "check --problems --select T001 b.sgf"), ["T001"]);
    // Without the option nothing looks for T findings.
    assert!(folder.run("check --select T001 b.sgf").code != 1);
    for options in ["--quick", "--results", "--table games"] {
        assert_eq!(folder.run(&format!("check --problems {options} a.sgf")).code, 2, "{options}");
    }
}

#[test]
fn duplicate_problems_are_found() {
    let folder = Folder::new();
    folder.file("a.sgf", SOUND);
    // Mirrored left to right with exchanged colours on a larger board, other answers.
    folder.file("b.sgf", "(;SZ[19]AW[rc][qc][pc][qb]AB[rb][sb][sc][pd];W[ra])");
    folder.file("c.sgf", SOUND.replace("AW[bb]", "AW[be]"));
    let out = folder.run("duplicates --problems a.sgf b.sgf c.sgf").out;
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{out}");
    assert!(rows[1].starts_with("1,symmetric,b.sgf,1,0,false,a.sgf,1,mirror-left-right;colors-swapped,0,"), "{out}");
    assert_eq!(codes(&folder, "check --problems --duplicates --select C a.sgf b.sgf"), ["C003"]);
    assert_eq!(folder.run("duplicates a.sgf b.sgf c.sgf").out.lines().count(), 1);
    // A later setup replaces an earlier one.
    folder.file("d.sgf", SOUND.replacen("(;", "(;AB[ee]AW[bb];AE[ee];", 1).replacen("AW[bb]", "", 1));
    assert_eq!(folder.run("duplicates --problems a.sgf d.sgf").column("class"), ["", "same"]);
    assert_eq!(folder.run("duplicates --problems --table diversity a.sgf").code, 2);
}
