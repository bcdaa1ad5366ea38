//! The order of the input and the number of threads don't change the result of `jigo duplicates`.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::support::cli::Folder;
use crate::support::generated::Random;
use crate::support::generated_duplicates::{Game, copy};

/// Returns files of games and their duplicates by name, with every class and with small and large
/// groups.
///
/// No two texts of a game are equally good for `--keep best` or `longest`: each ends with a
/// different number of passes, which count as turns.
fn files() -> BTreeMap<String, String> {
    let mut random = Random(77);
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for number in 0..36 {
        let original = Game::generate(&mut random, 70 + 4 * number);
        let mut texts = vec![original.text()];
        let mut lengths = HashSet::from([texts[0].matches(';').count()]);
        // Some games occur too often for a comparison of all pairs with a common key.
        for copy_number in 0..if number % 9 == 0 { 24 } else { 4 } {
            let mut text =
                String::from_utf8(copy(&mut random, &original, texts[0].as_bytes()).text).unwrap_or_default();
            if copy_number % 5 == 3 {
                text = text.replacen("(;", "(;PB[Gennan Inseki]DT[1850-01-01]", 1).replacen(
                    "PB[Honinbo Shusaku]DT[1853-05-06]",
                    "",
                    1,
                );
            }
            let Some(open) = text.strip_suffix(')') else { continue };
            let mut turns = open.matches(';').count();
            let mut text = open.to_owned();
            while !lengths.insert(turns) {
                text += ";B[]";
                turns += 1;
            }
            texts.push(text + ")");
        }
        // The same text occurs twice. The rows are equal for either representative.
        texts.push(texts[1].clone());
        for text in texts {
            files.entry(format!("{:02}.sgf", random.below(30))).or_default().push_str(&(text + "\n"));
        }
    }
    files
}

/// Returns the sorted rows of a run. Names of texts replace the positions of games, and the names
/// of a cluster replace its number.
fn rows(folder: &Folder, names: &HashMap<String, String>, options: &str) -> Vec<Vec<String>> {
    let run = folder.run(&format!("duplicates {options}"));
    assert!(run.code < 2, "{}", run.err);
    let column = |name| run.column(name);
    let text = |file: &[String], game: &[String], row: usize| {
        let place = format!("{}#{}", file[row], game[row]);
        names.get(&place).cloned().unwrap_or(place)
    };
    let (file, game, of_file, of_game) = (column("file"), column("game"), column("of_file"), column("of_game"));
    let clusters = column("cluster");
    let mut members: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    clusters
        .iter()
        .enumerate()
        .for_each(|(row, cluster)| members.entry(cluster).or_default().push(text(&file, &game, row)));
    members.values_mut().for_each(|members| members.sort());
    let columns = ["class", "keep", "symmetry", "common_turns", "turns", "edits", "agreeing", "conflicting", "reason"];
    let cells = columns.map(column);
    let row = |row: usize| {
        let places =
            [members[clusters[row].as_str()].join(" "), text(&file, &game, row), text(&of_file, &of_game, row)];
        let cells = cells.iter().map(|column| column[row].clone());
        // Of two games with the same text one comes first.
        places.into_iter().chain(cells).map(|cell| cell.replace("comes later", "comes first")).collect()
    };
    let mut rows: Vec<Vec<String>> = (0..clusters.len()).map(row).collect();
    rows.sort();
    rows
}

#[test]
fn rows_are_equal_for_any_input_order_and_threads() {
    let (folder, files) = (Folder::new(), files());
    let (mut firsts, mut names_of_texts) = (HashMap::new(), HashMap::new());
    for (name, text) in &files {
        folder.file(name, text);
        for (game, text) in (1..).zip(text.lines()) {
            let place = format!("{name}#{game}");
            // Equal texts have one name.
            let first = firsts.entry(text).or_insert_with(|| place.clone());
            names_of_texts.insert(place, first.clone());
        }
    }
    let mut names: Vec<&str> = files.keys().map(String::as_str).collect();
    let mut random = Random(3);
    for keep in ["best", "longest"] {
        let expected = rows(&folder, &names_of_texts, &format!("--keep {keep} {}", names.join(" ")));
        assert!(expected.len() > 200);
        for class in ["identical", "same", "symmetric", "prefix", "variant", "collision"] {
            assert!(expected.iter().any(|row| row[3] == class), "no {class}");
        }
        for round in 0..20 {
            (1..names.len()).for_each(|place| names.swap(place, random.below(place as u64 + 1) as usize));
            let rows =
                rows(&folder, &names_of_texts, &format!("--keep {keep} --jobs {} {}", 1 + round % 3, names.join(" ")));
            let separate: Vec<_> = rows.iter().filter(|row| !expected.contains(row)).take(3).collect();
            assert!(
                rows == expected,
                "--keep {keep}, {names:?}: {} rows and {}, such as {separate:#?}",
                rows.len(),
                expected.len()
            );
        }
    }
}
