//! `jigo score --table endings` and `jigo show --format json`: boards, owners and counts as rows,
//! which add up.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::cli::Folder;

/// Black's chain and eye, White's chain and eye, dame between them, and a dead stone in the corner.
const MARKED: &str = "(;SZ[5]KM[0.5]RU[Japanese]RE[W+1.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[ee];W[];B[]\
     TB[aa][ab][ac][ad][ae][ba][bb][bc][bd][be]TW[ea][eb][ec][ed][ee])";

/// Returns a board as rows of its points.
fn grid(row: &Value, column: &str) -> Vec<Vec<char>> {
    row[column].as_str().map_or(Vec::new(), |text| text.split('/').map(|line| line.chars().collect()).collect())
}

/// Removes the dead stones and fills every region of empty points with the colours around it.
/// Returns the owners, the area of both players and the neutral points. This code is independent of
/// the library.
fn flood_fill(row: &Value) -> (Vec<Vec<char>>, [usize; 2], usize) {
    let mut board = grid(row, "board");
    for pair in row["dead"].as_str().unwrap_or("").split(';').filter(|pair| !pair.is_empty()) {
        let place = |letter: u8| usize::from(if letter >= b'a' { letter - b'a' } else { letter - b'A' + 26 });
        let stone = &mut board[place(pair.as_bytes()[1])][place(pair.as_bytes()[0])];
        assert!(['X', 'O'].contains(stone), "{row}");
        *stone = '.';
    }
    let mut owners = board.clone();
    let mut visited = vec![vec![false; board[0].len()]; board.len()];
    for (y, x) in (0..board.len()).flat_map(|y| (0..board[0].len()).map(move |x| (y, x))) {
        if board[y][x] != '.' || visited[y][x] {
            continue;
        }
        let (mut region, mut next, mut edge) = (Vec::new(), vec![(y, x)], Vec::new());
        visited[y][x] = true;
        while let Some((y, x)) = next.pop() {
            region.push((y, x));
            for (y, x) in [(y.wrapping_sub(1), x), (y + 1, x), (y, x.wrapping_sub(1)), (y, x + 1)] {
                match board.get(y).and_then(|line| line.get(x)) {
                    Some('.') if !visited[y][x] => {
                        visited[y][x] = true;
                        next.push((y, x));
                    }
                    Some(stone) if *stone != '.' => edge.push(*stone),
                    _ => {}
                }
            }
        }
        let is_of = |color| !edge.is_empty() && edge.iter().all(|stone| *stone == color);
        let owner = if is_of('X') {
            'X'
        } else if is_of('O') {
            'O'
        } else {
            '.'
        };
        region.into_iter().for_each(|(y, x)| owners[y][x] = owner);
    }
    let count = |owner| owners.iter().flatten().filter(|sign| **sign == owner).count();
    let counts = ([count('X'), count('O')], count('.'));
    (owners, counts.0, counts.1)
}

/// Checks that every number of a counted row follows from its board, dead stones and owners.
fn assert_adds_up(row: &Value) {
    let number = |column: &str| row[column].as_u64().unwrap_or_else(|| panic!("{column}: {row}")) as usize;
    let (board, ownership) = (grid(row, "board"), grid(row, "ownership"));
    assert_eq!(
        (board.len(), board[0].len(), ownership.len()),
        (number("height"), number("width"), number("height")),
        "{row}"
    );
    let (owners, area, unowned) = flood_fill(row);
    assert_eq!([number("black_area"), number("white_area")], area, "{row}");
    let empty = area == [0, 0];
    assert!(empty || number("dame") == unowned, "{row}");
    let mut counts: BTreeMap<(char, bool), usize> = BTreeMap::new();
    let dead: Vec<&str> = row["dead"].as_str().unwrap_or("").split(';').collect();
    for (y, line) in ownership.iter().enumerate() {
        for (x, sign) in line.iter().enumerate() {
            assert_eq!(
                sign.to_ascii_uppercase(),
                if owners[y][x] == '.' { '.' } else { ['B', 'W'][usize::from(owners[y][x] == 'O')] }
            );
            let pair: String = [x, y]
                .map(|index| char::from(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[index]))
                .iter()
                .collect();
            let is_stone = board[y][x] != '.' && !dead.contains(&pair.as_str());
            *counts.entry((*sign, is_stone)).or_default() += 1;
        }
    }
    let sum = |signs: &str, stones: &[bool]| -> usize {
        counts.iter().filter(|((sign, stone), _)| signs.contains(*sign) && stones.contains(stone)).map(|(_, n)| n).sum()
    };
    for (signs, seki, name) in [("Bb", "b", "black"), ("Ww", "w", "white")] {
        assert_eq!(number(&format!("{name}_area")), sum(signs, &[true, false]), "{row}");
        assert_eq!(number(&format!("{name}_territory")), sum(signs, &[false]), "{row}");
        assert_eq!(number(&format!("{name}_seki")), sum(seki, &[false]), "{row}");
        assert!(number(&format!("{name}_to_fill")) <= number(&format!("{name}_territory")), "{row}");
    }
}

fn rows(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn show_json_begins_with_row_of_endings_table() {
    let folder = Folder::new();
    folder.file("marked.sgf", MARKED);
    let json = folder.run("show --format json marked.sgf").out;
    let row = folder.run("score -q --table endings --format jsonl marked.sgf").out;
    assert!(json.starts_with(row.trim_end().strip_suffix('}').unwrap()), "{json}");
    let row = &rows(&json)[0];
    assert_eq!(row["board"], "..XO./..XO./..XO./..XO./..XOX");
    assert_eq!(
        (&row["dead"], &row["dead_source"], &row["status"]),
        (&"ee".into(), &"markup".into(), &"counted".into())
    );
    assert_eq!(row["ownership"], "BBBWW/BBBWW/BBBWW/BBBWW/BBBWW");
    assert_adds_up(row);
    let early = &rows(&folder.run("show --format json --turn 3 marked.sgf").out)[0];
    assert_eq!((&early["board"], &early["turns"]), (&"..XO./..X../...../...../.....".into(), &3.into()));
    assert_eq!(
        (&early["status"], &early["reason"], &early["ownership"]),
        (&"not_counted".into(), &"turn 3 of 13".into(), &Value::Null)
    );
    assert_eq!(folder.run("show --format json --turn 14 marked.sgf").code, 2);
}

#[test]
fn uncounted_game_has_its_board_and_a_reason() {
    let folder = Folder::new();
    folder.file("games.sgf", "(;SZ[3]RE[B+R];B[bb])\n(;SZ[0]AW[aa])\n(;GM[2];B[aa])");
    let rows = rows(&folder.run("score -q --table endings --format jsonl games.sgf").out);
    let cells = |column: &str| rows.iter().map(|row| row[column].clone()).collect::<Vec<_>>();
    assert_eq!(cells("reason")[0], "resignation");
    assert_eq!(
        (&rows[0]["board"], &rows[0]["ownership"], &rows[0]["black_area"]),
        (&".../.X./...".into(), &Value::Null, &Value::Null)
    );
    let last = &rows[rows.len() - 1];
    assert_eq!(
        (&last["board"], &last["reason"], &last["status"]),
        (&Value::Null, &"unreadable".into(), &"not_replayed".into())
    );
}

#[test]
fn bare_positions_have_endings() {
    let folder = Folder::new();
    folder.file(
        "boards.jsonl",
        r#"{"id": "a", "board": ["..xo.", "..xo.", "o.xo."], "dead": ["00000", "00000", "10000"]}"#,
    );
    let run = folder.run("score -q --table endings --format jsonl --input-format positions boards.jsonl");
    let row = &rows(&run.out)[0];
    assert_eq!(
        (&row["board"], &row["dead"], &row["dead_source"]),
        (&"..XO./..XO./O.XO.".into(), &"ac".into(), &"given".into())
    );
    assert_adds_up(row);
}

#[test]
fn owners_add_up_to_counts_over_the_corpus() {
    let (folder, corpus) = (Folder::new(), crate::support::corpus());
    let sample = if crate::support::has_real_games() { 11 } else { 1 };
    let out = |line: &str| {
        let line = format!("score -q --exit-zero --sample {sample} {line}");
        let words = line.split(' ').map(Into::into).chain([corpus.clone().into_os_string()]);
        crate::support::cli::run_command(&mut folder.command(words)).out
    };
    let endings = rows(&out("--table endings --format jsonl"));
    let counted: Vec<&Value> = endings.iter().filter(|row| !row["ownership"].is_null()).collect();
    assert!(counted.len() > if sample == 1 { 15 } else { 300 }, "{} of {}", counted.len(), endings.len());
    counted.iter().for_each(|row| assert_adds_up(row));
    // The scores table has the same counts: the area equals the Tromp-Taylor score.
    let place = |row: &Value| (row["file"].to_string(), row["game"].as_u64());
    let scores: BTreeMap<_, _> =
        rows(&out("--rules tromp-taylor --komi 0 --format jsonl")).into_iter().map(|row| (place(&row), row)).collect();
    for row in counted {
        let area = row["black_area"].as_f64().unwrap() - row["white_area"].as_f64().unwrap();
        assert_eq!(scores[&place(row)]["black_minus_white"].as_f64(), Some(area), "{row}");
    }
}
