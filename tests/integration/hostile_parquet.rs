//! Parquet files whose footers and headers state false sizes and counts.

use std::process::Command;

use crate::support::cli::{CLEAN, Folder};

/// A writer for the parts of Thrift's compact protocol that the tests use.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

impl Thrift {
    fn field(mut self, number: u8, kind: u8, value: &[u8]) -> Thrift {
        self.bytes.push(((number - self.last) << 4) | kind);
        self.bytes.extend(value);
        self.last = number;
        self
    }

    fn number(self, field: u8, number: i64) -> Thrift {
        self.field(field, 5, &varint(((number as u64) << 1) ^ (number >> 63) as u64))
    }

    fn text(self, field: u8, text: &str) -> Thrift {
        self.field(field, 8, &[&varint(text.len() as u64), text.as_bytes()].concat())
    }

    /// Adds a list that states `count` elements of a type.
    fn list(self, field: u8, kind: u8, count: u64, elements: &[Vec<u8>]) -> Thrift {
        self.field(field, 9, &[&[0xF0 | kind], &varint(count)[..], &elements.concat()].concat())
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// Returns the schema of a required text column.
fn column(name: &str) -> Vec<u8> {
    Thrift::default().number(1, 6).number(3, 0).text(4, name).end()
}

fn group(name: &str, children: i64) -> Vec<u8> {
    Thrift::default().number(3, 0).text(4, name).number(5, children).end()
}

fn file(body: &[u8], schema: &[Vec<u8>], rows: i64, groups: &[Vec<u8>]) -> Vec<u8> {
    let footer = Thrift::default()
        .number(1, 1)
        .list(2, 12, schema.len() as u64, schema)
        .number(3, rows)
        .list(4, 12, groups.len() as u64, groups)
        .end();
    [b"PAR1", body, &footer, &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

/// Returns a file with one text column in these pages.
fn file_of_pages(pages: &[u8], dictionary: Option<usize>, rows: i64) -> Vec<u8> {
    let data = 4 + dictionary.unwrap_or(0) as i64;
    let meta = Thrift::default()
        .number(1, 6)
        .list(2, 5, 1, &[varint(0)])
        .list(3, 8, 1, &[b"\x03sgf".to_vec()])
        .number(4, 0)
        .number(5, rows)
        .number(6, pages.len() as i64)
        .number(7, pages.len() as i64)
        .number(9, data);
    let meta = if dictionary.is_some() { meta.number(11, 4) } else { meta };
    let chunk = Thrift::default().number(2, 4).field(3, 12, &meta.end()).end();
    let group = Thrift::default().list(1, 12, 1, &[chunk]).number(2, pages.len() as i64).number(3, rows).end();
    file(pages, &[self::group("schema", 1), column("sgf")], rows, &[group])
}

/// Returns a data page or a dictionary page with a number of values in an encoding.
fn page(is_dictionary: bool, values: i64, encoding: i64, bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len() as i64;
    let header = Thrift::default().number(1, if is_dictionary { 2 } else { 0 }).number(2, length).number(3, length);
    let inner = Thrift::default().number(1, values).number(2, encoding);
    let inner = if is_dictionary { inner.end() } else { inner.number(3, 3).number(4, 3).end() };
    [header.field(if is_dictionary { 7 } else { 5 }, 12, &inner).end(), bytes.to_vec()].concat()
}

fn plain(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

/// Returns `count` equal numbers in DELTA encoding: the first alone and the others in one block.
fn equal_numbers(count: u64, number: u64) -> Vec<u8> {
    let block: &[u8] = if count > 1 { &[0, 0] } else { &[] };
    [&varint(count.next_multiple_of(128))[..], &varint(1), &varint(count), &varint(number << 1), block].concat()
}

/// Returns the exit code and the rows of `jigo check` in 1.5 GB of address space.
fn check(folder: &Folder, names: &[&str]) -> (i32, String) {
    let line = format!(
        "ulimit -v 1500000; exec {} check --quiet --select I,P {}",
        env!("CARGO_BIN_EXE_jigo"),
        names.join(" ")
    );
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    let code = output.status.code().unwrap_or_else(|| panic!("{output:?}"));
    (code, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn false_counts_affect_only_their_file() {
    let folder = Folder::new();
    let nested = |depth: usize| {
        let groups = (0..depth).map(|_| group("g", 1));
        let schema: Vec<_> =
            [group("schema", 2), column("sgf")].into_iter().chain(groups).chain([column("z")]).collect();
        file(b"", &schema, 0, &[])
    };
    let children = |count| file(b"", &[group("schema", count), column("sgf")], 0, &[]);
    let dictionary = page(true, i64::from(i32::MAX), 0, &plain(CLEAN));
    let of_dictionary = [&dictionary[..], &page(false, 1, 8, &[1, 2, 0])].concat();
    let lengths = |encoding, bytes: &[u8]| {
        let count = i64::from(i32::MAX);
        file_of_pages(&page(false, count, encoding, bytes), None, count)
    };
    let count = i32::MAX as u64;
    let suffixes = [equal_numbers(2, 0), equal_numbers(count, 0)].concat();
    let files = [
        ("nested70", nested(70)),
        ("nested15000", nested(15_000)),
        ("nested400000", nested(400_000)),
        ("children", children(i64::from(i32::MAX))),
        ("negative", children(-1)),
        ("dictionary", file_of_pages(&of_dictionary, Some(dictionary.len()), 1)),
        ("lengths", lengths(6, &equal_numbers(count, 0))),
        ("prefixes", lengths(7, &equal_numbers(count, 0))),
        ("suffixes", lengths(7, &suffixes)),
    ];
    folder.file("last.sgf", CLEAN.replace("cc", "ee"));
    for (name, bytes) in &files {
        folder.file(&format!("{name}.parquet"), bytes);
        let (code, rows) = check(&folder, &[&format!("{name}.parquet"), "last.sgf"]);
        assert!([1, 2].contains(&code), "{name}: {code}");
        assert!(rows.contains(&format!("\n{name}.parquet,,0,")), "{name}: {rows}");
        assert!(rows.contains("\nlast.sgf,1,0,"), "{name}: {rows}");
    }
}

#[test]
fn pages_with_sound_counts_are_read() {
    let folder = Folder::new();
    let dictionary = page(true, 1, 0, &plain(CLEAN));
    let of_dictionary = [&dictionary[..], &page(false, 3, 8, &[1, 6, 0])].concat();
    let length = CLEAN.len() as u64;
    let lengths = [equal_numbers(1, length), CLEAN.into()].concat();
    // The second text has the whole first text as its prefix.
    let prefixed = [varint(128), varint(1), varint(2), varint(0), varint(length << 1), vec![0]].concat();
    let suffixes =
        [varint(128), varint(1), varint(2), varint(length << 1), varint((length << 1) - 1), vec![0]].concat();
    let nested: Vec<_> = [group("schema", 2), column("sgf")]
        .into_iter()
        .chain((0..50).map(|_| group("g", 1)))
        .chain([column("z")])
        .collect();
    for (name, bytes, games) in [
        ("plain", file_of_pages(&page(false, 1, 0, &plain(CLEAN)), None, 1), 1),
        ("dictionary", file_of_pages(&of_dictionary, Some(dictionary.len()), 3), 3),
        ("lengths", file_of_pages(&page(false, 1, 6, &lengths), None, 1), 1),
        ("prefixes", file_of_pages(&page(false, 2, 7, &[prefixed, suffixes, CLEAN.into()].concat()), None, 2), 2),
        ("nested", file(b"", &nested, 0, &[]), 0),
    ] {
        folder.file(&format!("{name}.parquet"), bytes);
        let run = folder.run(&format!("check --select I,P,K {name}.parquet"));
        assert_eq!(run.rows().len(), 0, "{name}: {}", run.out);
        assert!(run.err.contains(&format!("{games} game")), "{name}: {}", run.err);
    }
}

/// Five bytes encode a run of 2^31 rows without text.
#[test]
fn rows_without_text_obey_max_unpacked() {
    let folder = Folder::new();
    let dictionary = page(true, 1, 0, &plain(""));
    let rows = i64::from(i32::MAX);
    let run = [&[1][..], &varint((rows as u64) << 1), &[0]].concat();
    let pages = [&dictionary[..], &page(false, rows, 8, &run)].concat();
    folder.file("rows.parquet", file_of_pages(&pages, Some(dictionary.len()), rows));
    let run = folder.run("check --quiet --select I014 --max unpacked=1M rows.parquet");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("more bytes unpacked than --max unpacked"), "{}", run.out);
}
