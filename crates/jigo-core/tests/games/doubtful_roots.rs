//! Nodes with properties of roots: variations in balanced trees, and other games otherwise.

use jigo_core::Code;
use jigo_core::analysis::{Analyzer, Settings};
use jigo_record::finding::Severity;
use jigo_record::splitter::{Close, GameText, Piece, Splitter};

const ROOT: &str = "GM[1]FF[4]SZ[9]PB[a]PW[b]RE[B+R]";

/// Returns the games of a text with their ends, and checks that they don't depend on a split of
/// the text into two parts.
fn games(text: &str) -> Vec<(&str, Close)> {
    let split_at = |end: usize| {
        let (mut splitter, mut found, mut start) = (Splitter::default(), Vec::new(), 0);
        for end in [end, text.len()] {
            start += splitter.split(&text.as_bytes()[start..end], end == text.len(), |piece| {
                if let Piece::Game(range, close, _) = piece {
                    found.push((&text[start + range.start..start + range.end], close));
                }
            });
        }
        found
    };
    let whole = split_at(text.len());
    for end in 0..text.len() {
        assert_eq!(split_at(end), whole, "{text} in two parts, the first of {end} bytes");
    }
    whole
}

/// Returns the errors in the structure of the only game of a text.
fn errors(text: &str) -> Vec<Code> {
    let found = games(text);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    let game = GameText::single(found[0].0.as_bytes(), found[0].1, Default::default());
    let mut analyzer = Analyzer::default();
    let report = analyzer.analyze(&game, &Settings::default());
    let errors = report.findings.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.code).filter(|code| code.class() == b'D').collect()
}

#[test]
fn root_property_in_a_balanced_tree_begins_a_variation() {
    let properties = ["ST[2]", "SZ[9]", "AP[x]", "FF[4]", "CA[UTF-8]", "FF[4]CA[UTF-8]AP[x]ST[2]SZ[9]", "GM[1]"];
    for first in properties {
        for second in ["", "ST[2]", "SZ[9]", "GM[1]"] {
            for between in ["", "\n"] {
                for text in [
                    format!("(;{ROOT};B[aa]{between}(;{first}W[bb];B[cc]){between}(;{second}W[dd]))"),
                    format!("(;{ROOT}{between}(;{first}B[bb];W[cc]){between}(;{second}B[dd]))"),
                    format!("(;{ROOT};B[aa](;W[bb]{between}(;{first}B[cc])(;B[dd])){between}(;{second}W[ee]))"),
                ] {
                    assert_eq!(games(&text), [(text.as_str(), Close::Parenthesis)]);
                    assert_eq!(errors(&text), [], "{text}");
                }
            }
        }
    }
}

#[test]
fn long_balanced_tree_is_one_game() {
    let long = ";B[aa];W[bb]".repeat(2_000);
    let text = format!("(;{ROOT};B[aa]\n(;ST[2]W[bb]{long})\n(;ST[2]W[dd]{long}))");
    for bytes in [1 << 10, 4 << 10, 20 << 10] {
        let (mut splitter, mut found, mut start, mut end) = (Splitter::default(), Vec::new(), 0, bytes);
        while start < text.len() {
            let end_of_part = end.min(text.len());
            start += splitter.split(&text.as_bytes()[start..end_of_part], end_of_part == text.len(), |piece| {
                if let Piece::Game(range, close, _) = piece {
                    found.push((range.len(), close));
                }
            });
            end += bytes;
        }
        assert_eq!(found, [(text.len(), Close::Parenthesis)], "{bytes}");
    }
}

#[test]
fn root_in_an_unbalanced_tree_begins_a_game() {
    let open = format!("(;{ROOT};B[aa]");
    for root in ["GM[1]SZ[9]", "SZ[9]", "FF[4]", "AP[x]FF[4]"] {
        let next = format!("(;{root};W[dd])");
        for between in ["\n", ""] {
            // Without GM it may be the first node of a variation that another damage leaves open.
            let is_certain = root.starts_with("GM") && !between.is_empty();
            let close = if is_certain { Close::Missing } else { Close::Fused };
            let text = format!("{open}{between}{next}");
            assert_eq!(games(&text), [(open.as_str(), close), (&next, Close::Parenthesis)]);
            let text = format!("{open}{between}{next}{between}{next}");
            assert_eq!(games(&text)[0], (open.as_str(), close));
            assert_eq!(games(&text).len(), 3);
        }
    }
}

/// A whole header at the start of a line begins a game in a damaged text, although the trees may
/// also be variations. By the grammar of FF\[4\] it begins a variation.
#[test]
fn complete_root_in_a_damaged_tree_is_fused() {
    let open = format!("(;{ROOT};B[aa]x");
    for root in ["GM[1]SZ[9]", "GM[1]FF[4]PB[c]"] {
        let next = format!("(;{root};W[dd])");
        let text = format!("{open}\n{next})");
        assert_eq!(games(&text), [(open.as_str(), Close::Fused), (&next, Close::Parenthesis)]);
        let sound = text.replacen('x', "", 1);
        assert_eq!(games(&sound), [(sound.as_str(), Close::Parenthesis)]);
    }
}

#[test]
fn header_after_the_root_is_an_error() {
    let headers = ["PB[x]PW[y]RE[W+R]", "EV[Cup]RO[2]PB[x]", "RE[W+3]", "SZ[13]PB[x]", "B[cc]SZ[13]", "B[cc]GM[2]"];
    for header in headers {
        for text in [
            format!("(;{ROOT};B[aa];W[bb]\n;{header};B[cc];W[dd])"),
            format!("(;{ROOT};B[aa];W[bb];{header};B[cc];W[dd])"),
            format!("(;{ROOT};B[aa](;W[bb])(;W[cc];{header};W[dd]))"),
            format!("(;{ROOT};B[aa](;W[bb])(;{header};W[dd]))"),
            format!("(;{ROOT};B[aa](;{header};W[bb])(;W[dd]))"),
        ] {
            assert_eq!(errors(&text), [Code::MisplacedNode], "{text}");
        }
    }
}

#[test]
fn header_of_a_variation_is_sound() {
    for text in [
        "(;GM[1]FF[4]SZ[9](;PB[a]PW[b]RE[B+R];B[aa])(;PB[c]PW[d];B[bb]))",
        "(;GM[1]FF[4]SZ[9]PB[a];B[aa](;PB[a]W[bb])(;W[cc];PB[a]))",
        "(;GM[1]FF[4]SZ[9];B[aa];W[bb];RE[B+R])",
        "(;GM[1]FF[4]SZ[9]PB[a];B[aa](;W[bb]RE[B+R])(;W[cc]EV[Cup]GM[1]FF[4]SZ[9]))",
        "(;GM[1]FF[4]SZ[9]PB[a]RE[B+R];B[aa];W[bb]GM[01]FF[4]SZ[9:9]RE[B+Resign]DT[2001])",
        "(GM[1];FF[3]SZ[9]PB[a];B[aa])",
    ] {
        assert_eq!(errors(text), [], "{text}");
    }
}

#[test]
fn header_after_the_end_of_a_game_begins_a_game() {
    let sound = format!("(;{ROOT};B[aa];W[bb])");
    for header in ["PB[x]PW[y]RE[W+R]", "EV[Cup]RO[2]PB[x]", "EV[Cup]DT[2001]", "RE[W+R]KM[5.5]", "SZ[9]"] {
        for between in ["", "\n", " \r\n"] {
            let next = format!(";{header};B[cc];W[dd])");
            let text = format!("{sound}{between}{next}");
            assert_eq!(games(&text), [(sound.as_str(), Close::Parenthesis), (&next, Close::Parenthesis)]);
        }
    }
    for node in ["AB[gg]AW[ii]C[Problem 2]", "C[Problem 2]AB[gg]"] {
        assert_eq!(errors(&format!("{sound}\n;{node};B[cc])")), [Code::MisplacedNode], "{node}");
    }
}
