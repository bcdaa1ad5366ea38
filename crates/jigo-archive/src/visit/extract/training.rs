//! Files with the rows of games for a network.

use std::io::{self, Write as _};

use jigo_core::analysis::GameReport;
use jigo_core::training::{ARRAYS, ArrayType, Arrays, NoRows, add_rows};
use jigo_record::splitter::GameText;

use super::ExtractedFile;
use crate::compressed_output::ZipOutput;
use crate::formats::writer::TableWriter;
use crate::formats::{Format, Rows};
use crate::row::Row as _;
use crate::tables::TrainingRow;

/// The rows of a file. KataGo's trainer drops rows that do not fill a batch, whose size is usually
/// a power of two.
const FILE_ROWS: usize = 8192;

/// Rows of games.
#[derive(Default)]
pub struct TrainingGames {
    arrays: Arrays,
    /// The games of the rows. The file and row are unknown until the rows are written.
    games: Vec<TrainingRow>,
}

impl TrainingGames {
    /// Adds the rows of a game. Returns the number of the illegal turn that ends them, if any, and
    /// the size of the rows in bytes.
    pub(super) fn add(&mut self, text: &GameText, report: &GameReport) -> Result<(Option<u32>, usize), NoRows> {
        let bytes = |arrays: &Arrays| arrays.bytes.iter().map(Vec::len).sum::<usize>();
        let (rows, bytes_before) = (self.arrays.rows, bytes(&self.arrays));
        let illegal = add_rows(report, &mut self.arrays)?;
        self.games.push(TrainingRow {
            file: text.file.to_owned(),
            game: text.game,
            npz: String::new(),
            row: 0,
            rows: self.arrays.rows - rows,
            turn: 1,
        });
        Ok((illegal, bytes(&self.arrays) - bytes_before))
    }
}

/// Divides the rows of a run into files.
#[derive(Default)]
pub struct TrainingFiles {
    rest: TrainingGames,
    count: usize,
}

impl TrainingFiles {
    /// Adds rows. Calls `write` with the files that are then complete.
    ///
    /// # Errors
    /// Fails if `write` does.
    pub fn add<E: From<io::Error>>(
        &mut self,
        games: TrainingGames,
        mut write: impl FnMut(ExtractedFile) -> Result<(), E>,
    ) -> Result<(), E> {
        self.rest.arrays.append(&games.arrays);
        self.rest.games.extend(games.games);
        while self.rest.arrays.rows >= FILE_ROWS {
            self.next_files()?.into_iter().try_for_each(&mut write)?;
        }
        Ok(())
    }

    /// Returns the files of the remaining rows.
    ///
    /// # Errors
    /// Fails if the rows can't be encoded.
    pub fn finish(mut self) -> io::Result<Vec<ExtractedFile>> {
        if self.rest.arrays.rows == 0 { Ok(Vec::new()) } else { self.next_files().map(Vec::from) }
    }

    /// Returns the next file of rows, and the table of its games.
    fn next_files(&mut self) -> io::Result<[ExtractedFile; 2]> {
        self.count += 1;
        let name = |suffix| format!("{:06}.{suffix}", self.count);
        let arrays = self.rest.arrays.take(FILE_ROWS);
        let mut rows = Rows::new(Format::Csv, TrainingRow::TABLE);
        let (mut row, mut done) = (0, 0);
        for game in &mut self.rest.games {
            let count = game.rows.min(arrays.rows - row);
            rows.push(&TrainingRow { npz: name("npz"), row, rows: count, ..game.clone() });
            row += count;
            (game.rows, game.turn) = (game.rows - count, game.turn + count);
            done += usize::from(game.rows == 0);
            if row == arrays.rows {
                break;
            }
        }
        self.rest.games.drain(..done);
        let mut table = TableWriter::new(Format::Csv, TrainingRow::TABLE, || None, Vec::new())?;
        table.write(rows)?;
        Ok([
            ExtractedFile { name: name("npz"), text: npz(&arrays)? },
            ExtractedFile { name: name("csv"), text: table.finish()? },
        ])
    }
}

/// Returns arrays as a file of NumPy: a zip with a member for each.
fn npz(arrays: &Arrays) -> io::Result<Vec<u8>> {
    let mut zip = ZipOutput::new(Vec::new());
    for (array, bytes) in ARRAYS.iter().zip(&arrays.bytes) {
        let mut npy = npy_head(array, arrays.rows);
        npy.write_all(bytes)?;
        zip.add(&format!("{}.npy", array.name), &npy)?;
    }
    zip.finish()
}

/// Returns the head of an array in the format NPY 1.0 (numpy.lib.format): its description, padded
/// to a multiple of 64 bytes.
fn npy_head(array: &ArrayType, rows: usize) -> Vec<u8> {
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let shape: String = array.shape.iter().map(|length| format!(", {length}")).collect();
    let mut text = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({rows}{shape}), }}", array.element);
    let length = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(64) - MAGIC.len() - 2;
    text = format!("{text:<width$}\n", width = length - 1);
    // The longest description has about 100 bytes.
    [MAGIC, &(length as u16).to_le_bytes(), text.as_bytes()].concat()
}
