//! Rows of records give the same rows as files, and a bad row affects only itself.

use std::fs;

use crate::support::cli::{CLEAN, Folder, ILLEGAL, Ran, WARNED};
use serde_json::json;

/// Returns some files: several games, damage between them, stray text, no game, and a single game.
fn files() -> Vec<(&'static str, String)> {
    vec![
        ("a/one.sgf", ILLEGAL.into()),
        ("a/several.sgf", format!("{CLEAN}\n{ILLEGAL} noise {WARNED}")),
        ("b/cut.sgf", format!("(;GM[1]SZ[9];B[aa];W[b\n{ILLEGAL}")),
        ("b/none.sgf", "no game here".into()),
        ("b/void.sgf", String::new()),
        ("c.sgf", WARNED.into()),
    ]
}

/// Returns a folder `in` with the files, and the same records as lines.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut lines = String::new();
    for (name, text) in files() {
        folder.file(&format!("in/{name}"), &text);
        lines += &format!("{}\n", json!({"id": format!("in/{name}"), "sgf": text}));
    }
    folder.file("rows.jsonl", lines);
    folder
}

/// Returns the rows below the header line, whose first column has another name.
fn rows(run: &Ran) -> Vec<&str> {
    assert!(run.code < 2, "{}", run.err);
    run.rows()
}

fn lines_of_summary(run: &Ran) -> Vec<&str> {
    run.err.lines().filter(|line| line.contains(" found = ") || line.contains("findings:")).collect()
}

#[test]
fn rows_of_records_give_the_rows_of_files() {
    let folder = folder();
    for command in
        ["check", "score", "check --shard 2/3", "score --format jsonl --rules aga,japanese", "check --select I,D"]
    {
        let files = folder.run(&format!("{command} in"));
        let lines = folder.run(&format!("{command} --input-format jsonl rows.jsonl"));
        assert_eq!(rows(&lines).len(), rows(&files).len());
        let named = |text: &str| text.replace("\"file\":", "\"id\":");
        assert_eq!(rows(&lines), rows(&files).iter().map(|row| named(row)).collect::<Vec<_>>(), "{command}");
        assert_eq!(lines_of_summary(&lines), lines_of_summary(&files), "{command}");
        assert_eq!(lines.code, files.code);
    }
    let piped = folder.run_with_input("check --input-format jsonl", &folder.read("rows.jsonl"));
    assert_eq!(rows(&piped), rows(&folder.run("check in")));
}

#[test]
fn unreadable_row_is_a_finding_and_others_are_read() {
    let folder = Folder::new();
    let valid = json!({"id": "good", "sgf": ILLEGAL});
    let input = format!(
        "{valid}\n{{\"id\":\"no sgf\"}}\nnonsense\n\n[1]\n{{\"id\":null,\"sgf\":\"\"}}\n{valid}\n{{\"id\":\"cut"
    );
    let run = folder.run_with_input("check --input-format jsonl", &input);
    assert_eq!(run.code, 1);
    assert_eq!(run.column("name").iter().filter(|name| *name == "unreadable-row").count(), 5);
    assert_eq!(run.column("name").iter().filter(|name| *name == "occupied").count(), 2);
    let details = run.column("detail").join("\n");
    for part in ["sgf is missing; id is no sgf", "not a JSON object: ", "id is missing"] {
        assert!(details.contains(part), "{details}");
    }
    let line =
        run.column("line").into_iter().zip(run.column("name")).find(|(_, name)| name == "unreadable-row").unwrap().0;
    assert_eq!(line, "2");
    assert!(run.err.contains("2 games found = 2 replayed"), "{}", run.err);
    assert!(run.err.starts_with("7 sources"), "{}", run.err);
}

/// Sums with the numbers of a row once overflowed.
#[test]
fn invalid_position_numbers_in_row_are_findings() {
    let row = |field: &str, number: u64| json!({"id": "a", "sgf": ILLEGAL.repeat(2), field: number}).to_string();
    let input = [("game", 0), ("game", u64::MAX), ("offset", u64::MAX), ("line", 0), ("line", (1 << 53) + 1)];
    let input: String = input.map(|(field, number)| row(field, number) + "\n").concat() + &row("game", 1 << 53);
    for shard in ["", "--shard 1/2"] {
        let run = Folder::new().run_with_input(&format!("check --select I,P001 {shard} --input-format jsonl"), &input);
        let details = run.column("detail").join("\n");
        for part in
            ["game is 0; it is a number from 1", "game is 18446744073709551615", "offset is 1844", "line is 9007"]
        {
            assert!(details.contains(part), "{shard}: {details}");
        }
        assert_eq!(run.column("name").iter().filter(|name| *name == "unreadable-row").count(), 5, "{shard}");
        assert!(run.column("game").contains(&"9007199254740992".to_owned()), "{shard}: {}", run.out);
    }
}

#[test]
fn empty_table_is_accepted() {
    let run = Folder::new().run_with_input("check --input-format jsonl", "\n");
    assert_eq!((run.code, run.rows().len()), (0, 0));
    assert!(run.err.contains("0 games found = 0 replayed"), "{}", run.err);
}

#[test]
fn check_refuses_bare_positions() {
    let run = folder().run("check --input-format positions rows.jsonl");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--input-format positions is for the scores of jigo score"), "{}", run.err);
}

/// Returns a row of CSV with every cell in quotes.
fn csv_row(cells: &[&str], delimiter: char) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
    format!("{}\r\n", cells.join(&delimiter.to_string()))
}

/// Returns the files of [`files`] as a table with extra columns. In jigo's own tables their names
/// have other meanings.
fn csv(columns: [&str; 4], delimiter: char) -> String {
    let rows = files()
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| csv_row(&["Ito, \"K.\"\nSato", &format!("in/{name}"), &text, "over"], delimiter));
    csv_row(&columns, delimiter) + &rows.collect::<String>()
}

#[test]
fn comma_separated_values_give_the_rows_of_files() {
    let folder = folder();
    fs::remove_file(folder.path().join("in/b/void.sgf")).unwrap();
    for (column, delimiter) in [("sgf", ','), ("sgf", '\t'), ("record", ';')] {
        let table = csv(["game", "id", column, "state"], delimiter);
        folder.file("rows.csv", &table);
        for command in ["check", "score --rules aga", "check --shard 2/3"] {
            let files = folder.run(&format!("{command} in"));
            let run = folder.run(&format!("{command} --column {column} rows.csv"));
            assert_eq!(rows(&run), rows(&files), "{command} {delimiter:?}");
            assert_eq!(lines_of_summary(&run), lines_of_summary(&files), "{command} {delimiter:?}");
            let piped = folder.run_with_input(&format!("{command} --input-format csv --column {column}"), &table);
            assert_eq!(rows(&piped), rows(&files), "{command} {delimiter:?}");
        }
    }
    let board = folder.run("show --column record rows.csv!in/c.sgf --turn 1");
    assert_eq!(board.out.lines().nth(1), folder.run("show in/c.sgf --turn 1").out.lines().nth(1), "{}", board.err);
}

#[test]
fn json_lines_may_have_record_in_any_field() {
    let folder = folder();
    let lines: String = files()
        .iter()
        .map(|(name, text)| json!({"game": "no number", "id": format!("in/{name}"), "moves": text}).to_string() + "\n")
        .collect();
    folder.file("other.jsonl", &lines);
    let run = folder.run("check --column moves other.jsonl");
    assert_eq!(rows(&run), rows(&folder.run("check in")));
    let without = folder.run("check other.jsonl");
    assert!(without.err.contains("--column names the field that has the records"), "{}", without.err);
}

#[test]
fn table_without_named_column_is_not_read_as_sgf() {
    let folder = Folder::new();
    folder.file("t.csv", "id,sgf,black\r\n1,\"(;GM[1]SZ[9];B[aa]C[say \"\"hi\"\", ok])\",x\r\n");
    let run = folder.run("extract --column record --as sgf --out - t.csv");
    assert!(run.out.is_empty() && run.err.contains("there is no column record, only id, sgf, black: "), "{}", run.err);
    assert!(folder.run("extract --as sgf --out - t.csv").out.contains("C[say \"hi\", ok]"));
    let names: Vec<String> = (1..=12).map(|number| format!("column {number}")).collect();
    folder.file("wide.tsv", names.join("\t") + "\n");
    let run = folder.run("check wide.tsv");
    assert!(
        run.err.contains("only column 1, column 2, ") && run.err.contains(", column 10 and 2 more: "),
        "{}",
        run.err
    );
}

#[test]
fn id_column_sets_the_column_of_identifiers() {
    let folder = Folder::new();
    let row = json!({"id": "other", "game_id": 7, "sgf": ILLEGAL});
    folder.file("t.jsonl", format!("{row}\n{{\"sgf\":\"(;B[aa])\"}}\n{{\"game_id\":8}}\n"));
    folder.file("t.csv", format!("id,game_id,sgf\nother,7,{ILLEGAL}\nmore,,{ILLEGAL}\n"));
    for (file, last) in [("t.jsonl", "game_id is missing"), ("t.csv", "game_id is missing")] {
        let run = folder.run(&format!("check --select P001,I014 --id-column game_id {file}"));
        assert_eq!(run.column("file")[..2], ["7".to_owned(), format!("{file}!2")], "{}", run.err);
        assert!(run.column("detail")[1].ends_with(last), "{}", run.out);
        assert!(folder.run(&format!("show --id-column game_id {file}!7")).out.contains("\n7#1\n"), "{file}");
    }
    let lines = folder.run("check --select I014 --id-column game_id t.jsonl");
    assert_eq!(lines.column("detail")[1], "sgf is missing; game_id is 8");
    let missing = folder.run("check --id-column nobody t.csv");
    assert!(
        missing.err.contains("there is no column nobody") && missing.err.contains("--id-column"),
        "{}",
        missing.err
    );
    #[cfg(feature = "columnar")]
    for format in ["parquet", "arrow"] {
        let split = folder.run(&format!("split --format {format} --output t.{format} t.csv"));
        assert_eq!(split.code, 0, "{}", split.err);
        let run = folder.run(&format!("check --id-column nobody t.{format}"));
        assert!(run.code == 2 && run.err.contains("there is no column nobody, only id"), "{}", run.err);
    }
}

/// A row without an identifier is named by its number.
#[test]
fn rows_without_identifier_are_named_by_number() {
    let folder = Folder::new();
    let table = format!("sgf,n\n\"{ILLEGAL}\",1\n,2\n\n\"{}\n{}\",3\nalone\n", CLEAN, ILLEGAL);
    folder.file("t.csv", &table);
    let run = folder.run("check --select I,P t.csv");
    assert_eq!(run.column("file"), ["t.csv!1", "t.csv!2", "t.csv!3", "t.csv!4"]);
    assert_eq!(run.column("game"), ["1", "", "2", ""]);
    assert_eq!(run.column("name"), ["occupied", "unreadable-row", "occupied", "no-game"]);
    let row = table.find("\n,2").unwrap() + 1;
    assert_eq!((run.column("offset")[1].as_str(), run.column("line")[1].as_str()), (row.to_string().as_str(), "3"));
    assert!(folder.run("show t.csv!3#2").out.contains("\nt.csv!3#2\n"));
    let lines: String = table.split('\n').map(|_| json!({"sgf": ILLEGAL}).to_string() + "\n").collect();
    let run = folder.run_with_input("check --select P --stdin-name x", &lines);
    assert_eq!(run.column("file")[..2], ["x!1", "x!2"]);
    assert!(run.err.contains("8 games found"), "{}", run.err);
}

#[test]
fn unclosed_cell_costs_its_row() {
    let folder = Folder::new();
    let sound = |id: u32| csv_row(&[&id.to_string(), ILLEGAL], ',');
    let header = "id,sgf\n";
    // Three cases: the next row's quote closes the cell, no later quote closes it, and the table
    // ends inside the cell.
    for (table, ids) in [
        (format!("{header}1,\"{ILLEGAL}\n{}{}", sound(2), sound(3)), vec!["1", "2", "3"]),
        (format!("{header}{}2,\"{ILLEGAL}\n3,{ILLEGAL}\n", sound(1)), vec!["1", "2", "3"]),
        (format!("{header}{}2,\"{}", sound(1), &ILLEGAL[..ILLEGAL.len() - 1].replace(";W", "\n;W")), vec!["1", "2"]),
    ] {
        folder.file("t.csv", &table);
        let run = folder.run("check --select P t.csv");
        assert_eq!(run.column("file"), ids, "{table}");
        let piped = folder.run_with_input("check --select P", &table);
        assert_eq!(rows(&piped), rows(&run));
    }
}

#[test]
fn cells_obey_the_limits_of_lines() {
    let folder = Folder::new();
    let huge = format!("(;GM[1]SZ[9]C[{}];B[aa])", "x\n".repeat(9_000));
    let table = format!(
        "id,sgf\n{}{}{}",
        csv_row(&["1", ILLEGAL], ','),
        csv_row(&["2", &huge], ','),
        csv_row(&["3", ILLEGAL], ',')
    );
    folder.file("t.csv", &table);
    let run = folder.run("check --select I,P,D006 --max game=4k t.csv");
    let rows: Vec<(String, String)> = run.column("file").into_iter().zip(run.column("name")).collect();
    let has = |file: &str, name: &str| rows.iter().any(|(row_file, row_name)| row_file == file && row_name == name);
    assert!(has("1", "occupied") && has("3", "occupied"), "{}", run.out);
    assert!(rows.iter().any(|(file, _)| file == "2" || file.starts_with("t.csv!")), "{}", run.out);
    assert!(folder.run("check --select I,D006 t.csv").rows().is_empty());
}

/// Move lists in a column need no identifier inside the cell.
#[test]
fn cell_may_contain_turns_alone() {
    let folder = Folder::new();
    let table = "id,moves\n7,;B[pd];W[dd];B[pp];W[dp];B[pp]\n8,pd dd pp dp pp\n9,\"(;SZ[9];B[aa];W[aa])\"\n";
    folder.file("t.csv", table);
    let run = folder.run("check --select P,I --column moves t.csv");
    assert_eq!(run.column("file"), ["7", "8", "9"]);
    assert_eq!(run.column("turn"), ["5", "5", "2"]);
}

#[test]
fn json_lines_are_read_from_an_archive() {
    let folder = folder();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, folder.read("rows.jsonl").as_bytes()).unwrap();
    fs::write(folder.path().join("rows.jsonl.gz"), packed.finish().unwrap()).unwrap();
    let run = folder.run("check --input-format jsonl rows.jsonl.gz");
    assert_eq!(rows(&run), rows(&folder.run("check in")));
}

#[cfg(feature = "columnar")]
mod arrow {
    use std::sync::Arc;

    use arrow_array::builder::StringViewBuilder;
    use arrow_array::{
        ArrayRef, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    };
    use arrow_ipc::reader::StreamReader;
    use arrow_ipc::writer::StreamWriter;

    use super::*;
    use crate::support::cli::run_command;
    use crate::support::generated::{Random, collection};

    /// Runs a command with bytes as its standard input.
    fn run_with(folder: &Folder, line: &str, input: Vec<u8>) -> Ran {
        run_command(folder.command(line.split_whitespace()).write_stdin(input))
    }

    /// Returns a stream of batches, and the offset of each batch.
    fn stream(batches: &[RecordBatch]) -> (Vec<u8>, Vec<usize>) {
        let mut writer = StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
        let mut starts = Vec::new();
        for batch in batches {
            starts.push(writer.get_ref().len());
            writer.write(batch).unwrap();
        }
        (writer.into_inner().unwrap(), starts)
    }

    fn batch(id: ArrayRef, sgf: ArrayRef) -> RecordBatch {
        RecordBatch::try_from_iter_with_nullable([("id", id, true), ("sgf", sgf, true)]).unwrap()
    }

    fn strings(cells: &[Option<&str>]) -> ArrayRef {
        Arc::new(StringArray::from(cells.to_vec()))
    }

    #[test]
    fn strings_and_bytes_of_every_layout_are_read() {
        let folder = folder();
        let files = files();
        let names: Vec<String> = files.iter().map(|(name, _)| format!("in/{name}")).collect();
        let texts: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
        let bytes: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let pairs: [(ArrayRef, ArrayRef); 3] = [
            (Arc::new(StringArray::from(names.clone())), Arc::new(LargeBinaryArray::from(bytes.clone()))),
            (Arc::new(LargeStringArray::from(names.clone())), Arc::new(StringViewArray::from(texts))),
            (Arc::new(StringViewArray::from(names)), Arc::new(BinaryViewArray::from(bytes))),
        ];
        let expected = folder.run("check in");
        for (id, sgf) in pairs {
            let (input, _) = stream(&[batch(id, sgf)]);
            let run = run_with(&folder, "check --input-format arrow", input.clone());
            assert_eq!(rows(&run), rows(&expected));
            assert!(run.out.starts_with("id,game,"), "{}", run.out);
            assert_eq!(lines_of_summary(&run), lines_of_summary(&expected));
            folder.file("rows.arrows", input);
            assert_eq!(folder.run("check --input-format arrow --jobs 1 rows.arrows").out, run.out);
        }
    }

    #[test]
    fn undecodable_batch_costs_only_itself() {
        let folder = Folder::new();
        let valid = |name| batch(strings(&[Some(name)]), strings(&[Some(ILLEGAL)]));
        let (mut input, starts) = stream(&[valid("first"), valid("second"), valid("third")]);
        let text = input[starts[1]..].windows(4).position(|bytes| bytes == b"(;GM").unwrap() + starts[1];
        input[text] = 0xFF;
        let run = run_with(&folder, "check --input-format arrow", input.clone());
        assert_eq!(run.column("name"), ["occupied", "unreadable-row", "occupied"]);
        assert_eq!(run.column("id"), ["first", "-", "third"]);
        assert!(run.column("detail")[1].starts_with("batch 2: "), "{}", run.out);
        // A truncated stream, or one that changes to other data, ends at that point.
        for broken in
            [input[..starts[2] + 40].to_vec(), [&input[..starts[1]], b"\x07\0\0\0 nonsense, and more"].concat()]
        {
            let run = run_with(&folder, "check --input-format arrow", broken);
            let names = run.column("name");
            assert_eq!(
                (names.first().unwrap().as_str(), names.last().unwrap().as_str()),
                ("occupied", "unreadable-row")
            );
            assert!(run.out.contains("what follows can't be read"), "{}", run.out);
            assert_eq!(run.code, 1);
        }
    }

    /// Only the row reports that a decoder panicked.
    #[test]
    fn decoder_panic_is_a_finding_and_prints_nothing() {
        use jigo_archive::source::rows::arrow::ArrowRows;
        use jigo_record::sgf::Limits;

        let folder = Folder::new();
        let numbers: ArrayRef = Arc::new(arrow_array::Int64Array::from(vec![1, 2]));
        let texts = strings(&[Some(ILLEGAL), Some(ILLEGAL)]);
        let rows = RecordBatch::try_from_iter_with_nullable([("id", numbers, true), ("sgf", texts, true)]).unwrap();
        let (sound, starts) = stream(&[rows]);
        let is_unforeseen = |bytes: &Vec<u8>| {
            let input = Box::new(std::io::Cursor::new(bytes.clone()));
            let rows = ArrowRows::new(input, Limits::default(), "sgf".into());
            rows.is_ok_and(
                |mut rows| matches!(rows.slice(1 << 20), Some(Err(reason)) if reason.contains("the decoder failed")),
            )
        };
        let mut changed = (0..8 * (starts[0] + 400)).map(|bit| {
            let mut bytes = sound.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            bytes
        });
        let input = changed.find(is_unforeseen).unwrap();
        let run = run_with(&folder, "check -q --input-format arrow", input);
        assert_eq!(run.column("code"), ["I014"]);
        assert!(run.code == 1 && !run.err.contains("panicked"), "{}", run.err);
    }

    #[test]
    fn oversized_and_invalid_batches_cost_only_themselves() {
        let folder = Folder::new();
        let valid = |name| batch(strings(&[Some(name)]), strings(&[Some(ILLEGAL)]));
        let long = batch(strings(&[Some("long")]), strings(&[Some(&format!("{ILLEGAL}{}", " ".repeat(1 << 20)))]));
        let (input, starts) = stream(&[valid("first"), long, valid("third")]);
        let run = run_with(&folder, "check --input-format arrow --max memory=1M", input.clone());
        assert_eq!(run.column("id"), ["first", "-", "third"]);
        let detail = &run.column("detail")[1];
        assert!(detail.contains("batch 2: ") && detail.contains("more than --max memory=1048576"), "{detail}");
        assert_eq!(run_with(&folder, "check --input-format arrow", input.clone()).column("id").len(), 3);
        // The first batch's metadata lists its buffers as 64-bit offsets and lengths. One of them
        // is the length of the text.
        let mut outside = input;
        let length = (ILLEGAL.len() as u64).to_le_bytes();
        let described = &mut outside[starts[0]..starts[1]];
        let index = described.windows(8).position(|bytes| bytes == length).unwrap();
        described[index + 6] = 1;
        let run = run_with(&folder, "check --input-format arrow", outside);
        assert_eq!(run.column("id"), ["-", "long", "third"]);
        assert!(run.column("detail")[0].contains("batch 1: ") && !run.err.contains("panicked"), "{}", run.out);
    }

    #[test]
    fn shared_text_bytes_count_against_unpack_limits() {
        let text = format!("{CLEAN}{}", " ".repeat(1 << 20));
        let mut shared = StringViewBuilder::new();
        let block = shared.append_block(text.as_bytes().to_vec().into());
        (0..100).for_each(|_| shared.try_append_view(block, 0, text.len() as u32).unwrap());
        let names: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let (input, _) = stream(&[batch(Arc::new(StringArray::from(names)), Arc::new(shared.finish()))]);
        assert!(input.len() < 2 << 20);
        let run = run_with(&Folder::new(), "check --input-format arrow --max unpacked=4M", input.clone());
        assert_eq!(run.column("name"), ["unreadable-row"]);
        assert!(run.out.contains("more bytes unpacked than --max unpacked=4194304"), "{}", run.out);
        assert!(run.err.lines().any(|line| line.starts_with("3 games found = ")), "{}", run.err);
        let run = run_with(&Folder::new(), "check --input-format arrow --max ratio=20", input);
        assert!(run.out.contains("more than --max ratio=20; what follows can't be read"), "{}", run.out);
        assert!(run.err.lines().any(|line| line.starts_with("63 games found = ")), "{}", run.err);
    }

    #[test]
    fn rows_without_identifier_or_text_are_findings() {
        let (input, _) =
            stream(&[batch(strings(&[None, Some("a"), Some("b")]), strings(&[Some(CLEAN), None, Some(ILLEGAL)]))]);
        let run = run_with(&Folder::new(), "check --input-format arrow", input);
        assert_eq!(run.column("detail")[..2], ["row 1: id is missing", "row 2: sgf is missing; id is a"]);
        assert_eq!(run.column("name"), ["unreadable-row", "unreadable-row", "occupied"]);
    }

    #[test]
    fn other_arrow_tables_cannot_be_read() {
        let folder = Folder::new();
        let numbers: ArrayRef = Arc::new(arrow_array::Int32Array::from(vec![1]));
        let wrong = stream(&[batch(strings(&[Some("a")]), numbers)]).0;
        let other = stream(&[RecordBatch::try_from_iter([("key", strings(&[Some("a")]))]).unwrap()]).0;
        for (input, reason) in [
            (wrong, "column sgf is Int32, wanted is string or binary"),
            (other, "there is no column sgf, only key: --column NAME says which"),
            (CLEAN.into(), "this is no Arrow IPC stream"),
        ] {
            let run = run_with(&folder, "check --input-format arrow", input);
            assert_eq!(run.code, 2);
            assert!(run.err.contains(reason), "{}", run.err);
        }
    }

    /// The parts of any file give the rows of the file.
    #[test]
    fn parts_of_files_give_the_rows_of_files() {
        let folder = folder();
        let collection = collection(&mut Random(7), 600_000);
        let utf16: Vec<u8> = [CLEAN, ILLEGAL].repeat(40).join("\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let gbk = b"(;SZ[9]PB[\xB9\xC5\xC1\xA6]PW[\xB3\xA3\xEA\xBB];B[aa];W[aa])\n".repeat(30);
        let never_closed = format!("{}\n", &ILLEGAL[..ILLEGAL.len() - 1]).repeat(30);
        folder
            .file("in/collection.sgf", &collection)
            .file("in/utf16.sgf", [b"\xFF\xFE".as_slice(), &utf16].concat())
            .file("in/gbk.sgf", gbk)
            .file("in/never-closed.sgf", never_closed)
            .file("in/prose.sgf", "no game (yes)\n".repeat(30_000));
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, &collection[..400_000]).unwrap();
        let packed = packed.finish().unwrap();
        folder
            .file("in/whole.sgf.gz", &packed)
            .file("in/cut.sgf.gz", &packed[..packed.len() / 2])
            .file("in/bad.zip", "PK\x03\x04");
        let expected = folder.run("check in");
        assert!(rows(&expected).len() > 1000);
        for size in ["", "--max-games 1", "--max-bytes 1", "--max-bytes 10000", "--max-games 70 --max-bytes 300000"] {
            let parts = folder.command(format!("split {size} in").split_whitespace()).output().unwrap();
            let run = run_with(&folder, "check --input-format arrow", parts.stdout);
            assert_eq!(rows(&run).len(), rows(&expected).len(), "{size}");
            for (row, of_file) in rows(&run).iter().zip(rows(&expected)) {
                assert_eq!(*row, of_file, "{size}");
            }
            assert_eq!(lines_of_summary(&run), lines_of_summary(&expected), "{size}");
        }
    }

    #[test]
    fn small_parts_share_a_batch() {
        let folder = Folder::new();
        folder.file("many.sgf", format!("{CLEAN}\n").repeat(10_000));
        let parts = folder.command("split --max-games 1 many.sgf".split_whitespace()).output().unwrap().stdout;
        let batches = StreamReader::try_new(parts.as_slice(), None).unwrap();
        let rows: Vec<usize> = batches.map(|batch| batch.unwrap().num_rows()).collect();
        assert_eq!(rows.iter().sum::<usize>(), 10_000);
        // Neither one batch per part nor one batch for all parts.
        assert!((4..100).contains(&rows.len()), "{rows:?}");
    }

    #[test]
    fn parts_have_the_requested_size() {
        let folder = Folder::new();
        folder.file("many.sgf", format!("{CLEAN}\n").repeat(25));
        let run = folder.run("split --max-games 10 --format parquet --output parts.parquet many.sgf");
        assert_eq!((run.code, run.err.as_str()), (0, "1 source, 25 games in 3 parts, 0 faults\n"));
        assert_eq!(folder.run("split --output parts.parquet many.sgf").code, 2);
        // Spark also reads the rows of such an input; the fault is one of them.
        assert_eq!(folder.run("split --output missing.parquet missing.sgf").code, 1);
        assert_eq!(folder.run("split --output parts.parquet --force --quiet many.sgf").err, "");
    }
}

#[test]
fn collections_split_into_files_without_loss() {
    let folder = Folder::new();
    let text = format!("before\n{}after", format!("{ILLEGAL}\n\n").repeat(25));
    folder.file("a/many.sgf", &text).file("a/one.sgf", CLEAN);
    let run = folder.run("split --max-games 10 --out parts a missing.sgf");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("jigo: missing.sgf: unreadable-source: "), "{}", run.err);
    assert!(run.err.ends_with("3 sources, 26 games in 5 parts, 1 fault\n"), "{}", run.err);
    let names = ["many-000001.sgf", "many-000011.sgf", "many-000021.sgf"];
    let joined: String = names.iter().map(|name| folder.read(&format!("parts/a/{name}"))).collect();
    assert_eq!(joined, text);
    assert_eq!(folder.read("parts/a/one-000001.sgf"), CLEAN);
    let second = folder.run("split --max-bytes 1 --out parts a");
    assert!(second.code == 2 && second.err.contains("is there already; --force replaces it"), "{}", second.err);
    assert_eq!(folder.run("split --out parts --force a").code, 0);
    assert_eq!(folder.run("split --input-format jsonl --out other a").code, 2);
}

#[test]
fn stdin_name_sets_name_of_standard_input() {
    let folder = folder();
    folder.file("g.sgf", ILLEGAL).file("bad.zip", "no archive");
    let run = folder.run_with_input("check --stdin-name g.sgf", ILLEGAL);
    assert_eq!(run.out, folder.run("check g.sgf").out);
    let run = folder.run_with_input("check --stdin-name bad.zip", "no archive");
    assert_eq!((run.code, run.out), (2, folder.run("check bad.zip").out));
}

#[test]
fn summary_counts_are_written_to_a_file() {
    let folder = folder();
    folder.run("check --summary counts.json in");
    let counts: serde_json::Value = serde_json::from_str(&folder.read("counts.json")).unwrap();
    assert_eq!((&counts["sources"], &counts["games"]["found"]), (&json!(6), &json!(7)));
    folder.run("report --out all in");
    let all: serde_json::Value = serde_json::from_str(&folder.read("all/summary.json")).unwrap();
    assert_eq!(counts["findings"], all["findings"]);
    folder.run("compare --summary compared.json in");
    let compared: serde_json::Value = serde_json::from_str(&folder.read("compared.json")).unwrap();
    assert_eq!(counts["games"], compared["games"]);
}

#[test]
fn compare_reads_rows_of_records_like_files() {
    let folder = folder();
    let game = "(;GM[1]FF[4]SZ[5]KM[0]RU[Japanese]RE[B+5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[])";
    folder.file("g.sgf", game);
    let row = json!({"id": "g.sgf", "sgf": game}).to_string();
    let files = folder.run("compare --list=all g.sgf").out;
    let rows = folder.run_with_input("compare --list=all --input-format jsonl", &row).out;
    assert!(files.lines().count() > 1 && rows.starts_with("id,"), "{files}{rows}");
    assert!(rows.lines().skip(1).eq(files.lines().skip(1)), "{files}{rows}");
}
