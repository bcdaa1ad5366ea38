//! Invariants for any bytes, checked on every fixture, on every seed of the fuzz targets, and on
//! random texts. `fuzz/run` searches further.

use std::path::Path;

use crate::support::files_below;
use crate::support::invariants::ALL;
use proptest::prelude::*;

/// Returns every file below a folder of the repository.
fn files(folder: &str) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    files_below(&root).iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn invariants_hold_for_every_fixture_and_seed() {
    let texts = [files("fixtures"), files("fuzz/seeds")].concat();
    assert!(texts.len() > 150, "{} texts", texts.len());
    for (_, is_ok) in ALL {
        texts.iter().for_each(|text| is_ok(text));
    }
}

#[test]
fn every_target_has_its_seeds_and_is_built() {
    let manifest = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/Cargo.toml")).unwrap();
    for (name, _) in ALL {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is no target");
    }
    assert_eq!(manifest.matches("[[bin]]").count(), ALL.len());
}

/// Returns pieces of records, sound and damaged.
fn token() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "(",
        ")",
        ";",
        "[",
        "]",
        "\\",
        "\n",
        " ",
        "(;",
        "(;GM[1]FF[4]",
        "SZ[3]",
        "SZ[5:4]",
        ";B[aa]",
        ";W[bb]",
        ";B[ba]",
        ";W[ab]",
        ";B[]",
        "B",
        "W[",
        "AB[aa][bb]",
        "AW[ca:cc]",
        "AE[aa]",
        "PL[W]",
        "TB[aa]",
        "TW[cc]",
        "C[x]",
        "KM[6.5]",
        "HA[2]",
        "RE[B+3.5]",
        "RU[Japanese]",
        "CA[GBK]",
        "CA[UTF-8]",
        "CA[Shift_JIS]",
        "\u{feff}",
        "黒",
        "6,5",
        "375",
        "W+1/4",
        "nz",
        "komi=7",
        ",",
        "= A1 B2\n\n",
        "? no\n\n",
        "=\n\n",
    ];
    prop_oneof![
        8 => prop::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn invariants_hold_for_random_texts(tokens in prop::collection::vec(token(), 0..40)) {
        let text = tokens.concat();
        for (_, is_ok) in ALL {
            is_ok(&text);
        }
    }
}

/// The `]` of the broken game after it does not make the `)` a part of a value.
#[test]
fn sound_game_ends_before_a_broken_one() {
    for text in ["(;)(;]", "[(;)(;](", "(;GM[1];B[aa])(;]"] {
        ALL.iter().for_each(|(_, is_ok)| is_ok(text.as_bytes()));
    }
}
