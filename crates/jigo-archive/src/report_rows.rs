//! The rows of the tables of several reports, in the order of their files and games.
//!
//! Each table of a report has the order of its run: folders and files by name, then games. Tables of
//! the same inputs therefore merge like sorted lists, in memory that does not grow with them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::row::Table;
use crate::source::rows::csv_table::parse_cells;

/// Returns a text that sorts files by their names in each folder, so that a folder precedes
/// `folder.sgf`.
pub fn file_sort_key(file: &str) -> String {
    file.replace('/', "\0")
}

/// The columns that rows keep as cells, separated by blanks.
const COLUMNS: &str =
    "file game offset findings ending severity result verdict game_hash code turn point variation name";

/// A row of a table of a report. Rows sort by file as in a folder, then by their place in the file.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct ReportRow {
    /// The [`file_sort_key`].
    sort_key: String,
    /// The byte of the game or finding in the file if the table has it, or else the game.
    place: u64,
    /// The index of the table.
    pub table: usize,
    /// The index of the report.
    pub report: usize,
    cells: Vec<String>,
    /// The row in its format.
    pub bytes: Vec<u8>,
}

impl ReportRow {
    /// Returns a cell of a column that rows keep; empty if the table lacks the column.
    pub fn cell(&self, name: &str) -> &str {
        let index = COLUMNS.split(' ').position(|column| column == name);
        index.map_or("", |index| self.cells[index].as_str())
    }
}

/// The rows of reports.
pub struct ReportRows {
    /// The tables of each report.
    readers: Vec<Vec<TableReader>>,
    /// The next row of each table.
    next: BinaryHeap<Reverse<ReportRow>>,
}

impl ReportRows {
    /// Opens tables of some reports, which are CSV.
    ///
    /// # Errors
    /// Fails if a table can't be read.
    pub fn open(reports: &[PathBuf], tables: &[&Table]) -> Result<ReportRows> {
        let open = |report: &PathBuf| -> Result<Vec<TableReader>> {
            tables.iter().map(|table| TableReader::open(report, table)).collect()
        };
        let readers = reports.iter().map(open).collect::<Result<Vec<_>>>()?;
        let mut rows = ReportRows { readers, next: BinaryHeap::new() };
        for (report, table) in (0..reports.len()).flat_map(|report| (0..tables.len()).map(move |table| (report, table)))
        {
            rows.read(report, table)?;
        }
        Ok(rows)
    }

    /// Returns the header line of a table, which is the same in all reports.
    ///
    /// # Errors
    /// Fails if two reports have different columns.
    pub fn header(&self, table: usize) -> Result<&[u8]> {
        let first = &self.readers[0][table];
        let other = self.readers.iter().map(|tables| &tables[table]).find(|other| other.header != first.header);
        other.map_or(Ok(&first.header), |other| bail!("{} and {} have different columns", first.name, other.name))
    }

    /// Returns the next row of all tables.
    ///
    /// # Errors
    /// Fails if a table can't be read or is damaged.
    pub fn next_row(&mut self) -> Result<Option<ReportRow>> {
        let Some(Reverse(row)) = self.next.pop() else { return Ok(None) };
        self.read(row.report, row.table)?;
        Ok(Some(row))
    }

    fn read(&mut self, report: usize, table: usize) -> Result<()> {
        let reader = &mut self.readers[report][table];
        let Some(bytes) = reader.read_row()? else { return Ok(()) };
        let cells = reader.cells(&bytes);
        let place = cells[1..3].iter().rev().find_map(|cell| cell.parse().ok()).unwrap_or(0);
        self.next.push(Reverse(ReportRow { sort_key: file_sort_key(&cells[0]), place, table, report, cells, bytes }));
        Ok(())
    }
}

/// A reader of the rows of a table.
struct TableReader {
    name: String,
    reader: BufReader<File>,
    header: Vec<u8>,
    /// The index of each of [`COLUMNS`].
    indices: Vec<Option<usize>>,
}

impl TableReader {
    fn open(report: &Path, table: &Table) -> Result<TableReader> {
        let path = report.join(format!("{}.csv", table.name));
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        let mut reader = TableReader { name, reader: BufReader::new(file), header: Vec::new(), indices: Vec::new() };
        reader.header = reader.read_row()?.unwrap_or_default();
        let names = parse_cells(&reader.header, b',').unwrap_or_default();
        let index = |column: &str| names.iter().position(|name| name == column.as_bytes());
        // Tables for rows of records have their identifiers in place of files.
        reader.indices = COLUMNS.split(' ').map(|column| index(column).or((column == "file").then_some(0))).collect();
        let has_column = |column: &str| table.columns.iter().any(|other| other.name == column);
        let missing = COLUMNS.split(' ').zip(&reader.indices).find(|(name, index)| index.is_none() && has_column(name));
        match missing {
            Some((column, _)) => bail!("{} has no column {column}; name the folder of a jigo report", reader.name),
            None => Ok(reader),
        }
    }

    /// Reads a row with its line end. A line end within quotes belongs to a cell.
    fn read_row(&mut self) -> Result<Option<Vec<u8>>> {
        let (mut row, mut quotes) = (Vec::new(), 0);
        loop {
            let start = row.len();
            let read = self.reader.read_until(b'\n', &mut row).with_context(|| format!("cannot read {}", self.name))?;
            quotes += row[start..].iter().filter(|byte| **byte == b'"').count();
            let is_open = quotes % 2 == 1;
            match row.last() {
                None => return Ok(None),
                Some(b'\n') if !is_open => return Ok(Some(row)),
                _ if read == 0 => bail!("{} ends within a row", self.name),
                _ => {}
            }
        }
    }

    /// Returns the cells of [`COLUMNS`].
    fn cells(&self, row: &[u8]) -> Vec<String> {
        let cells = parse_cells(row, b',').unwrap_or_default();
        let cell = |index: &Option<usize>| index.and_then(|index| cells.get(index)).unwrap_or_default();
        self.indices.iter().map(|index| String::from_utf8_lossy(cell(index)).into_owned()).collect()
    }
}
