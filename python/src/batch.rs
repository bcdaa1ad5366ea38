//! Batches of rows, for Arrow and for plain Python.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, to_ffi};
use arrow_array::types::{Date32Type, Float64Type, Int64Type, UInt8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::DataType;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString};

use crate::{Error, planes};

/// Some rows of a table.
///
/// Arrow libraries accept a batch directly: `pyarrow.record_batch(batch)`,
/// `polars.DataFrame(batch)`.
#[pyclass(frozen, module = "jigo")]
pub struct Batch(RecordBatch);

impl Batch {
    /// Wraps an Arrow batch.
    pub fn new(rows: RecordBatch) -> Batch {
        Batch(rows)
    }
}

#[pymethods]
impl Batch {
    /// Names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<jigo.Batch: {} rows of {} columns>", self.0.num_rows(), self.0.num_columns())
    }

    /// Return the rows as dictionaries.
    ///
    /// Words and texts are str, numbers int or float, days datetime.date, planes NumPy arrays, and
    /// empty cells None.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows: Vec<Bound<'py, PyDict>> = (0..self.0.num_rows()).map(|_| PyDict::new(py)).collect();
        for (field, cells) in self.0.schema_ref().fields().iter().zip(self.0.columns()) {
            let name = PyString::intern(py, field.name());
            let cell = cells_of(py, cells)?;
            for (index, row) in rows.iter().enumerate() {
                row.set_item(&name, if cells.is_null(index) { None } else { Some(cell(index)?) })?;
            }
        }
        PyList::new(py, rows)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The protocol allows ignoring the request. The caller then casts the types.
        drop(requested_schema);
        let rows = StructArray::from(self.0.clone()).into_data();
        let (array, schema): (FFI_ArrowArray, FFI_ArrowSchema) =
            to_ffi(&rows).map_err(|error| Error::new_err(error.to_string()))?;
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}

/// The Unix epoch, 1970-01-01, as a Python ordinal.
const FIRST_DAY: i32 = 719_163;

type Cell<'a, 'py> = Box<dyn Fn(usize) -> PyResult<Bound<'py, PyAny>> + 'a>;

/// Returns a function that converts a non-empty cell of a column to a Python object.
fn cells_of<'a, 'py: 'a>(py: Python<'py>, cells: &'a ArrayRef) -> PyResult<Cell<'a, 'py>> {
    Ok(match cells.data_type() {
        DataType::Utf8 => Box::new(move |row| cells.as_string::<i32>().value(row).into_bound_py_any(py)),
        DataType::Dictionary(..) => {
            let dictionary = cells.as_any_dictionary();
            // Without words all cells are empty, and no key is used.
            let keys = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            let words: Vec<Bound<'py, PyString>> = dictionary
                .values()
                .as_string::<i32>()
                .iter()
                .map(|word| PyString::new(py, word.unwrap_or("")))
                .collect();
            Box::new(move |row| words[keys[row]].clone().into_bound_py_any(py))
        }
        DataType::Int64 => Box::new(move |row| cells.as_primitive::<Int64Type>().value(row).into_bound_py_any(py)),
        DataType::UInt64 => Box::new(move |row| cells.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py)),
        DataType::Float64 => Box::new(move |row| cells.as_primitive::<Float64Type>().value(row).into_bound_py_any(py)),
        DataType::Date32 => {
            let of_ordinal = py.import("datetime")?.getattr("date")?.getattr("fromordinal")?;
            Box::new(move |row| of_ordinal.call1((FIRST_DAY + cells.as_primitive::<Date32Type>().value(row),)))
        }
        DataType::Boolean => Box::new(move |row| cells.as_boolean().value(row).into_bound_py_any(py)),
        DataType::Binary => Box::new(move |row| Ok(PyBytes::new(py, cells.as_binary::<i32>().value(row)).into_any())),
        DataType::FixedSizeList(..) => Box::new(move |row| {
            planes::array(py, cells.as_fixed_size_list().value(row).as_primitive::<UInt8Type>().values())
        }),
        value => return Err(PyTypeError::new_err(format!("columns of {value} are not known"))),
    })
}
