//! The games of earlier runs, read from the store that such a run wrote.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use jigo_core::similarity::{GameSketch, KEYS, SimilarityKeys};

use super::KeyedGames;
use crate::formats::columnar;
use crate::row::Row;
use crate::source::rows::parquet;
use crate::tables::{GameFacts, StoreRow};
use crate::visit::KeyedGame;

impl KeyedGames {
    /// Adds the games of a store. Call this before adding the games of a run.
    ///
    /// # Errors
    /// Fails if the store can't be read, has another format than this version of jigo writes, or
    /// does not fit on the disk.
    pub fn read_store(&mut self, path: &Path) -> io::Result<()> {
        let expected = columnar::schema(StoreRow::TABLE);
        let names = |schema: &Schema| {
            schema.fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect::<Vec<_>>()
        };
        let batches = parquet::read_table(File::open(path)?, |schema| match names(schema) == names(&expected) {
            true => Ok(|_: &str| true),
            false => Err("it has other columns".to_owned()),
        });
        for batch in batches.map_err(store_error)? {
            let batch = batch.map_err(store_error)?;
            (0..batch.num_rows()).try_for_each(|row| {
                let game = self
                    .keyed_row(&batch, row)
                    .ok_or_else(|| store_error("a row has values that jigo does not write"))?;
                self.push(&game)
            })?;
        }
        self.end_store();
        Ok(())
    }

    fn keyed_row(&self, batch: &RecordBatch, row: usize) -> Option<KeyedGame> {
        let number = |column: usize| {
            let numbers = batch.column(column).as_primitive_opt::<Int64Type>()?;
            (!numbers.is_null(row)).then(|| u64::from_ne_bytes(numbers.value(row).to_ne_bytes()))
        };
        let file = batch.column(0).as_string_opt::<i32>()?.value(row);
        let last = self.files().last().filter(|last| ***last == *file);
        let mut keys = SimilarityKeys::default();
        (0..KEYS.len()).for_each(|key| keys.0[key] = number(8 + key));
        let sketch = batch.column(8 + KEYS.len()).as_binary_opt::<i32>()?.value(row).to_vec();
        GameSketch::unpack(&sketch)?;
        Some(KeyedGame {
            file: last.map_or_else(|| file.into(), Arc::clone),
            facts: GameFacts {
                game: number(1)?,
                offset: number(2)?,
                line: 1,
                text_hash: number(3)?,
                turns: number(4)?.try_into().ok()?,
                played_turns: number(5)?.try_into().ok()?,
                errors: number(6)?.try_into().ok()?,
                warnings: number(9 + KEYS.len())?.try_into().ok()?,
                header_values: number(7)?.try_into().ok()?,
            },
            keys,
            sketch,
            mergeable_values: Vec::new(),
        })
    }
}

fn store_error(reason: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("this is not a store of jigo duplicates: {}", reason.into()))
}
