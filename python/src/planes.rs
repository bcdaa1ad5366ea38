//! The boards of turns as planes for a network: a column for the rows of turns.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, FixedSizeListArray, RecordBatch, UInt8Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use jigo_core::training::{ARRAYS, Planes, SIDE};
use jigo_core::{BoardSize, Color, Point, Position};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The first planes of a network's input, which need no history.
pub const PLANES: usize = 6;
/// The number of values of all planes.
const VALUES: usize = PLANES * SIDE * SIDE;
/// The maximum number of rows in a batch with planes, which take 2 kB each.
const MAX_ROWS: usize = 8192;
/// The columns that replaying a game needs.
const NEEDED: [&str; 7] = ["step", "width", "height", "kind", "color", "point", "removed"];

/// Returns the planes of a position from the view of a player: a byte for each point, 0 or 1.
pub fn values(position: &Position, player: Color) -> Vec<u8> {
    let planes = Planes::new(position, player);
    let plane_bytes = planes.as_bytes().len() / ARRAYS[0].shape[0];
    let bits =
        |plane: &[u8]| (0..SIDE * SIDE).map(|point| plane[point / 8] >> (7 - point % 8) & 1).collect::<Vec<u8>>();
    planes.as_bytes().chunks(plane_bytes).take(PLANES).flat_map(bits).collect()
}

/// Returns planes as a NumPy array with the shape (6, 19, 19).
pub fn array<'py>(py: Python<'py>, values: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let numbers = py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, values), "uint8"))?;
    numbers.call_method1("reshape", ((PLANES, SIDE, SIDE),))
}

/// Returns the schema of turns with the column of planes.
///
/// # Errors
/// Fails if the turns lack a column that replaying a game needs.
pub fn with_planes(schema: &SchemaRef) -> Result<SchemaRef, String> {
    if let Some(missing) = NEEDED.iter().find(|name| schema.column_with_name(name).is_none()) {
        return Err(format!("planes=True needs the column {missing}; name it in columns as well"));
    }
    let column = Field::new("planes", DataType::FixedSizeList(item(), VALUES as i32), false);
    let fields = schema.fields().iter().cloned().chain([Arc::new(column)]);
    Ok(Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), schema.metadata().clone())))
}

/// Returns the values of a list of planes.
fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::UInt8, false))
}

/// The board of a game, for rows of turns that come in order.
#[derive(Default)]
pub struct Board {
    position: Option<Position>,
    /// The rows that have no planes yet.
    rows: Option<RecordBatch>,
}

impl Board {
    /// Appends rows, after all earlier ones have got their planes.
    pub fn add_rows(&mut self, rows: RecordBatch) {
        self.rows = Some(rows);
    }

    /// Returns the next rows with the planes of the position before each, from the view of its
    /// player. Planes are 0 on boards with more than 19 lines. Returns `None` without rows.
    ///
    /// # Errors
    /// Fails if the rows lack a column that replaying a game needs.
    pub fn next_rows(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(all) = self.rows.take() else { return Ok(None) };
        let rows = all.slice(0, all.num_rows().min(MAX_ROWS));
        let rest = all.num_rows() - rows.num_rows();
        self.rows = (rest > 0).then(|| all.slice(rows.num_rows(), rest));
        let schema = with_planes(rows.schema_ref()).map_err(ArrowError::SchemaError)?;
        let planes = FixedSizeListArray::try_new(item(), VALUES as i32, Arc::new(self.planes(&rows)), None)?;
        let columns = rows.columns().iter().cloned().chain([Arc::new(planes) as ArrayRef]);
        RecordBatch::try_new(schema, columns.collect()).map(Some)
    }

    /// Returns the planes of rows that have all needed columns.
    fn planes(&mut self, rows: &RecordBatch) -> UInt8Array {
        let [steps, widths, heights, kinds, colors, points, removed] = NEEDED.map(|name| &rows[name]);
        let [steps, widths, heights] =
            [steps, widths, heights].map(|column| column.as_primitive::<Int64Type>().values());
        let [kinds, colors, points] = [kinds, colors, points].map(|column| column.as_dictionary::<Int16Type>());
        let removed = removed.as_string::<i32>();
        let mut bytes: Vec<u8> = Vec::with_capacity(rows.num_rows() * VALUES);
        for row in 0..rows.num_rows() {
            if steps[row] == 1 {
                let fits = |lines: i64| u8::try_from(lines).ok().filter(|lines| usize::from(*lines) <= SIDE);
                let size = fits(widths[row]).zip(fits(heights[row]));
                self.position = size.and_then(|(width, height)| BoardSize::new(width, height)).map(Position::new);
            }
            let Some(position) = &mut self.position else {
                bytes.resize(bytes.len() + VALUES, 0);
                continue;
            };
            let color = Color::BOTH.into_iter().find(|color| word(colors, row) == Some(color.letter()));
            bytes.extend(values(position, color.unwrap_or(Color::Black)));
            if let (Some("play" | "setup"), Some(point)) = (word(kinds, row), word(points, row)) {
                let removed = if removed.is_valid(row) { removed.value(row) } else { "" };
                let removed = removed.split(';').filter_map(pair).map(|point| (point, None));
                let size = position.size();
                let changes = pair(point).map(|point| (point, color)).into_iter().chain(removed);
                position.place(changes.filter(|(point, _)| size.contains(*point)));
            }
        }
        bytes.into()
    }
}

/// Returns the word of a row, if it is not empty.
fn word(words: &DictionaryArray<Int16Type>, row: usize) -> Option<&str> {
    Some(words.values().as_string::<i32>().value(words.key(row)?))
}

/// Parses an SGF pair.
fn pair(text: &str) -> Option<Point> {
    match text.as_bytes() {
        [column, row] => Point::from_sgf(*column, *row),
        _ => None,
    }
}
