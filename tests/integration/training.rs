//! Rows for a network: the files of `jigo extract --as npz`.

use std::fs::{self, File};
use std::io::Read as _;

use crate::support::cli::Folder;
use crate::support::root;

/// The rows of a file. KataGo's trainer uses files of whole batches completely.
const FILE_ROWS: u64 = 8192;

/// Returns the shape and the length of the data of each array of a file.
fn arrays(bytes: &[u8]) -> Vec<(String, String, usize)> {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut arrays = Vec::new();
    for index in 0..zip.len() {
        let mut member = zip.by_index(index).unwrap();
        let mut npy = Vec::new();
        member.read_to_end(&mut npy).unwrap();
        assert_eq!(&npy[..8], b"\x93NUMPY\x01\x00");
        let data = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
        assert_eq!((data % 64, npy[data - 1]), (0, b'\n'));
        let head = String::from_utf8(npy[10..data].to_vec()).unwrap();
        arrays.push((member.name().unwrap().into_owned(), head.trim_end().to_owned(), npy.len() - data));
    }
    arrays
}

#[test]
fn arrays_have_the_names_types_and_shapes_of_katago() {
    let folder = Folder::new();
    folder.file("games/a.sgf", "(;GM[1]SZ[9]RU[Japanese]KM[6.5];B[ee];W[cc];B[gg])");
    assert_eq!(folder.run("extract -q --as npz --out rows/ games").code, 0);
    let expected = [
        ("binaryInputNCHWPacked.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 22, 46), }", 3 * 22 * 46),
        ("globalInputNC.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 19), }", 3 * 19 * 4),
        ("policyTargetsNCMove.npy", "{'descr': '<i2', 'fortran_order': False, 'shape': (3, 2, 362), }", 3 * 724 * 2),
        ("globalTargetsNC.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 80), }", 3 * 80 * 4),
        ("scoreDistrN.npy", "{'descr': '|i1', 'fortran_order': False, 'shape': (3, 842), }", 3 * 842),
        ("valueTargetsNCHW.npy", "{'descr': '|i1', 'fortran_order': False, 'shape': (3, 5, 19, 19), }", 3 * 5 * 361),
    ];
    let expected = expected.map(|(name, head, length)| (name.to_owned(), head.to_owned(), length));
    assert_eq!(arrays(&fs::read(folder.path().join("rows/000001.npz")).unwrap()), expected);
    let index = fs::read_to_string(folder.path().join("rows/000001.csv")).unwrap();
    assert_eq!(index, "file,game,npz,row,rows,turn\ngames/a.sgf,1,000001.npz,0,3,1\n");
}

/// The rows of the fifth game are in two files. No game with rows is longer than the first.
#[test]
fn files_have_equal_bytes_for_any_number_of_threads_and_a_table_that_finds_each_row() {
    let folder = Folder::new();
    let turns = |count: usize| ";B[];W[]".repeat(count / 2);
    let games: String = [2000, 2000, 2000, 2000, 2000, 1200]
        .map(|count| format!("(;GM[1]SZ[5]RU[Japanese]KM[0]{})", turns(count)))
        .concat();
    folder.file("games.sgf", games);
    for jobs in [1, 3] {
        assert_eq!(folder.run(&format!("extract -q --jobs {jobs} --as npz --out rows{jobs}/ games.sgf")).code, 0);
    }
    let mut rows = Vec::new();
    for name in ["000001", "000002"] {
        let read = |file: &str| fs::read(folder.path().join(file)).unwrap();
        for suffix in ["npz", "csv"] {
            assert!(
                read(&format!("rows1/{name}.{suffix}")) == read(&format!("rows3/{name}.{suffix}")),
                "{name}.{suffix}"
            );
        }
        let table = File::open(folder.path().join(format!("rows1/{name}.csv"))).unwrap();
        rows.extend(csv::Reader::from_reader(table).deserialize().map(Result::unwrap));
    }
    type Row = (String, u64, String, u64, u64, u64);
    let rows: Vec<Row> = rows;
    let found: Vec<(u64, &str, u64, u64, u64)> =
        rows.iter().map(|(_, game, npz, row, count, turn)| (*game, &**npz, *row, *count, *turn)).collect();
    let first = FILE_ROWS - 8000;
    assert_eq!(
        found,
        [
            (1, "000001.npz", 0, 2000, 1),
            (2, "000001.npz", 2000, 2000, 1),
            (3, "000001.npz", 4000, 2000, 1),
            (4, "000001.npz", 6000, 2000, 1),
            (5, "000001.npz", 8000, first, 1),
            (5, "000002.npz", 0, 2000 - first, first + 1),
            (6, "000002.npz", 2000 - first, 1200, 1),
        ]
    );
}

#[test]
fn games_without_rows_are_rejected_and_illegal_turns_reported() {
    let folder = Folder::new();
    let games = "(;GM[1]SZ[20];B[aa])(;GM[1]SZ[9];B[aa];W[aa];B[bb])(;GM[1]SZ[9];B[aa])";
    folder.file("games.sgf", games);
    let run = folder.run("extract --as npz --rejects-table why.csv --out rows/ games.sgf");
    assert!(run.err.contains("1 rejected: 1 without rows"), "{}", run.err);
    assert!(run.err.contains("3 games found = 2 extracted + 1 rejected"), "{}", run.err);
    assert!(run.err.contains("1 of the extracted games have rows only up to an illegal turn"), "{}", run.err);
    let reasons = fs::read_to_string(folder.path().join("why.csv")).unwrap();
    assert!(reasons.contains("the board has more than 19 lines"), "{reasons}");
    assert!(reasons.contains("turns from 2, which is illegal"), "{reasons}");
}

/// Returns the weight of the owners in the first row.
fn count_weight(npz: &[u8]) -> f32 {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(npz)).unwrap();
    let mut npy = Vec::new();
    zip.by_name("globalTargetsNC.npy").unwrap().read_to_end(&mut npy).unwrap();
    let data = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    f32::from_le_bytes(npy[data + 27 * 4..][..4].try_into().unwrap())
}

#[test]
fn ending_counts_only_under_rules_that_someone_named() {
    let folder = Folder::new();
    let record = fs::read_to_string(root().join("fixtures/games/marked.sgf")).unwrap();
    folder.file("a.sgf", record.replace("RU[Japanese]", ""));
    for (rows, flags, is_counted) in
        [("a", "", false), ("b", "--assume-rules japanese", true), ("c", "--rules chinese", true)]
    {
        assert_eq!(folder.run(&format!("extract -q --as npz {flags} --out {rows}/ a.sgf")).code, 0);
        let npz = fs::read(folder.path().join(rows).join("000001.npz")).unwrap();
        assert_eq!(count_weight(&npz) > 0.0, is_counted, "{flags}");
    }
}

#[test]
fn rows_need_a_folder() {
    let folder = Folder::new();
    folder.file("a.sgf", "(;GM[1];B[aa])");
    for flags in ["--out rows.npz", "--out -", "--out rows/ --format sgf", "--out rows/ --pattern {black}"] {
        let run = folder.run(&format!("extract --as npz {flags} a.sgf"));
        assert_eq!(run.code, 2, "{flags}");
        assert!(run.err.contains("--as"), "{flags}: {}", run.err);
    }
}

/// NumPy reads the files, and the decoded board is the one of the record.
#[test]
#[cfg(feature = "columnar")]
fn numpy_reads_the_rows() {
    use crate::support::python;
    let Some(python) = python::path() else { return eprintln!("skipped: JIGO_PYTHON is not set") };
    let folder = Folder::new();
    folder.file("marked.sgf", fs::read(root().join("fixtures/games/marked.sgf")).unwrap());
    assert_eq!(folder.run("extract -q --as npz --out rows/ marked.sgf").code, 0);
    let script = "import numpy as np
a = np.load('rows/000001.npz')
planes = np.unpackbits(a['binaryInputNCHWPacked'], axis=2)[:, :, :361].reshape(-1, 22, 19, 19)
print(a['globalInputNC'].dtype, planes[4, 0].sum(), [(int(x), int(y)) for p in (1, 2) for y, x in zip(*np.nonzero(planes[4, p]))])";
    let printed = python::run(&python, &["-c", script], folder.path());
    assert_eq!(printed, "float32 49 [(2, 0), (2, 1), (4, 0), (4, 1)]");
}
