//! Tests of the findings on problems.

use super::*;

fn findings(sgf: &str, limits: Limits) -> Vec<(String, String)> {
    let budget = Budget::default();
    let tree = SolutionTree::read(sgf.as_bytes(), limits, &budget).unwrap();
    let found = problem_findings(&tree, limits, &budget);
    found.into_iter().map(|finding| (finding.code.id().to_owned(), finding.variation)).collect()
}

/// Returns the codes and variations of the findings on a 9x9 board, separated by blanks.
fn found(tree: &str) -> String {
    let found = findings(&format!("(;SZ[9]AB[ba][bb]AW[ca][cb]C[Find the RIGHT move]{tree})"), Limits::default());
    found.iter().map(|(code, variation)| format!("{code}{variation}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn sound_problems_have_no_finding() {
    for tree in [
        "",
        ";B[aa]C[RIGHT]",
        "(;B[aa];W[ab];B[ac]TE[1])(;B[ac];W[aa])",
        "(;B[aa]C[Correct];W[ab];B[ee])(;B[ac];W[aa];B[ab]C[Wrong])",
        "(;B[aa](;W[ab]C[CHOICE];B[ac]C[RIGHT])(;W[ac];B[ad]C[RIGHT];W[ae]C[CHOICE];B[af]))(;B[ac];W[aa])",
        "(;B[aa]TE[1](;W[ab];B[ac])(;W[ac]))(;B[ac];W[aa])",
        ";B[aa];W[]C[Correct, White can't move.]",
    ] {
        assert_eq!(found(tree), "", "{tree}");
    }
}

#[test]
fn right_answer_is_missing() {
    assert_eq!(found("(;B[aa];W[ab]C[CHOICE])(;B[ac])"), "T001");
    assert_eq!(found("(;B[aa]WV[aa])(;B[ab]BM[1];W[ac])"), "T001");
    assert_eq!(found("(;B[aa]WV[aa])(;B[ab];W[ac])"), "T001");
    assert_eq!(found("(;B[aa]WV[aa])(;B[ab];W[ac];B[ad])"), "T002");
    assert_eq!(found("(;B[aa])(;B[ab];W[ac])"), "T002");
    assert_eq!(found(";B[aa]C[Wrong]"), "T001");
}

#[test]
fn right_path_ends_with_the_solver() {
    assert_eq!(found(";B[aa];W[ab]C[Correct]"), "T003");
    assert_eq!(found(";B[aa]C[Correct];W[ab]"), "T003");
    assert_eq!(found("(;B[ac];W[aa])(;B[aa]TE[1](;W[ab];B[ac])(;W[ac];B[ab];W[ad]C[RIGHT]))"), "T0032.2");
    assert_eq!(found("(;B[aa];W[ab])(;B[ab])"), "T002 T003");
}

#[test]
fn same_position_has_one_verdict() {
    let transposed = |mark: &str| found(&format!("(;B[aa];W[ab];B[ac]C[RIGHT])(;B[ac];W[ab];B[aa]{mark})"));
    assert_eq!(transposed(""), "T0042");
    assert_eq!(transposed("C[wrong]"), "T0042");
    assert_eq!(transposed("C[RIGHT]"), "");
    assert_eq!(transposed("C[NOTTHIS]"), "");
    // The other player is next.
    assert_eq!(found("(;B[aa];W[ab];B[ac]C[RIGHT])(;B[ac];W[ab];B[];W[];B[aa];W[])"), "");
    assert_eq!(found(";B[aa]TE[1]C[Wrong]"), "T004");
    assert_eq!(found("(;B[da];W[dd];B[db];W[cc];B[ee]C[RIGHT])(;B[ee];W[cc];B[db];W[dd];B[da])"), "T0042");
}

#[test]
fn branches_are_different_and_reachable() {
    assert_eq!(found("(;B[aa]C[RIGHT])(;B[ab])(;B[aa]C[RIGHT])"), "T0053");
    assert_eq!(found("(;B[aa]C[RIGHT])(;W[aa];B[ab])"), "T0062");
    assert_eq!(found(";B[aa](;W[ab];B[ac]C[RIGHT CHOICE])(;W[ac];B[ab]C[RIGHT])"), "T0062");
    assert_eq!(found("(;B[aa]C[RIGHT CHOICE])(;B[ab])"), "");
}

/// Every end is compared with a replay from the first position.
#[test]
fn comparison_ends_at_the_limit_of_turns() {
    let sgf = format!("(;SZ[9]{})", "(;B[aa];W[bb];B[cc]C[RIGHT])".repeat(100));
    let limits = Limits { variation_turns: 50, ..Limits::default() };
    let found = findings(&sgf, limits);
    assert!(found.iter().any(|(code, _)| code == "D007") && found.len() < 50, "{found:?}");
}
