//! The cells of one column, appended one by one and converted to an Arrow array.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int16Builder, Int64Builder, StringBuilder,
    StringDictionaryBuilder, UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, StringArray};
use arrow_schema::{ArrowError, DataType};

use crate::row::{ColumnType, Value};
use jigo_rules::board::{BoardSize, Point};

/// Returns the Arrow type of a column.
pub(super) fn data_type(kind: ColumnType) -> DataType {
    let dictionary = |keys: DataType| DataType::Dictionary(Box::new(keys), Box::new(DataType::Utf8));
    match kind {
        ColumnType::Text => DataType::Utf8,
        ColumnType::RepeatedText => dictionary(DataType::Int32),
        ColumnType::Word(_) | ColumnType::Point => dictionary(DataType::Int16),
        ColumnType::Integer => DataType::Int64,
        ColumnType::Hash => DataType::UInt64,
        ColumnType::Decimal(_) => DataType::Float64,
        ColumnType::Date => DataType::Date32,
        ColumnType::Flag => DataType::Boolean,
        ColumnType::Bytes => DataType::Binary,
    }
}

/// The cells of a column.
pub(super) enum ColumnBuilder {
    Text(StringBuilder),
    RepeatedText(StringDictionaryBuilder<Int32Type>),
    Word(Int16Builder, &'static [&'static str]),
    Point(Int16Builder),
    Integer(Int64Builder),
    Hash(UInt64Builder),
    Decimal(Float64Builder, u8),
    Date(Date32Builder),
    Flag(BooleanBuilder),
    Bytes(BinaryBuilder),
}

impl ColumnBuilder {
    /// Returns an empty column.
    pub(super) fn new(kind: ColumnType) -> ColumnBuilder {
        match kind {
            ColumnType::Text => ColumnBuilder::Text(StringBuilder::new()),
            ColumnType::RepeatedText => ColumnBuilder::RepeatedText(StringDictionaryBuilder::new()),
            ColumnType::Word(words) => ColumnBuilder::Word(Int16Builder::new(), words),
            ColumnType::Point => ColumnBuilder::Point(Int16Builder::new()),
            ColumnType::Integer => ColumnBuilder::Integer(Int64Builder::new()),
            ColumnType::Hash => ColumnBuilder::Hash(UInt64Builder::new()),
            ColumnType::Decimal(scale) => ColumnBuilder::Decimal(Float64Builder::new(), scale),
            ColumnType::Date => ColumnBuilder::Date(Date32Builder::new()),
            ColumnType::Flag => ColumnBuilder::Flag(BooleanBuilder::new()),
            ColumnType::Bytes => ColumnBuilder::Bytes(BinaryBuilder::new()),
        }
    }

    /// Appends a cell. A cell of another type than its column becomes null; the tests of the tables
    /// would detect this.
    pub(super) fn push(&mut self, value: Value<'_>, nullable: bool) {
        match (self, value) {
            (ColumnBuilder::Text(texts), value) => push_text(texts, value, nullable),
            // The number of different texts can't overflow, since a batch has fewer than 2³¹ rows.
            (ColumnBuilder::RepeatedText(texts), Value::Text(text)) => texts.append_value(text),
            (ColumnBuilder::RepeatedText(texts), _) if nullable => texts.append_null(),
            (ColumnBuilder::RepeatedText(texts), _) => texts.append_value(""),
            (ColumnBuilder::Word(indices, words), Value::Text(text)) => {
                let index = words.iter().position(|word| *word == text);
                debug_assert!(index.is_some(), "{text} is none of {words:?}");
                indices.append_option(index.map(|index| index as i16));
            }
            (ColumnBuilder::Word(indices, _), _) => indices.append_null(),
            (ColumnBuilder::Point(indices), Value::Point(point)) => indices.append_value(point_index(point)),
            (ColumnBuilder::Point(indices), _) => indices.append_null(),
            (ColumnBuilder::Integer(numbers), Value::Integer(number)) => numbers.append_value(number),
            (ColumnBuilder::Integer(numbers), _) => numbers.append_null(),
            (ColumnBuilder::Hash(numbers), Value::Hash(number)) => numbers.append_value(number),
            (ColumnBuilder::Hash(numbers), _) => numbers.append_null(),
            (ColumnBuilder::Decimal(numbers, digits), value) => {
                // The quotient of integers is the nearest float, as if the digits were parsed.
                let quotient = |unscaled: i64| unscaled as f64 / 10_f64.powi(i32::from(*digits));
                numbers.append_option(value.unscaled().map(quotient));
            }
            (ColumnBuilder::Date(days), Value::Date(date)) => days.append_value(date.first_day()),
            (ColumnBuilder::Date(days), _) => days.append_null(),
            (ColumnBuilder::Flag(flags), Value::Flag(flag)) => flags.append_value(flag),
            (ColumnBuilder::Flag(flags), _) => flags.append_null(),
            (ColumnBuilder::Bytes(cells), Value::Bytes(bytes)) => cells.append_value(bytes),
            (ColumnBuilder::Bytes(cells), _) => cells.append_null(),
        }
    }

    /// Converts the cells to an array.
    ///
    /// # Errors
    /// Fails if an index of a dictionary is out of range, which no cell is.
    pub(super) fn into_array(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            ColumnBuilder::Text(mut texts) => Arc::new(texts.finish()),
            ColumnBuilder::RepeatedText(mut texts) => Arc::new(texts.finish()),
            ColumnBuilder::Word(mut indices, words) => {
                let words: ArrayRef = Arc::new(StringArray::from(words.to_vec()));
                Arc::new(DictionaryArray::try_new(indices.finish(), words)?)
            }
            ColumnBuilder::Point(mut indices) => {
                Arc::new(DictionaryArray::try_new(indices.finish(), Arc::clone(&*POINT_TEXTS))?)
            }
            ColumnBuilder::Integer(mut numbers) => Arc::new(numbers.finish()),
            ColumnBuilder::Hash(mut numbers) => Arc::new(numbers.finish()),
            ColumnBuilder::Decimal(mut numbers, _) => Arc::new(numbers.finish()),
            ColumnBuilder::Date(mut days) => Arc::new(days.finish()),
            ColumnBuilder::Flag(mut flags) => Arc::new(flags.finish()),
            ColumnBuilder::Bytes(mut cells) => Arc::new(cells.finish()),
        })
    }
}

/// Appends a cell to a column of texts. An empty cell is null or, if the column has no empty cells,
/// an empty text.
fn push_text(texts: &mut StringBuilder, value: Value<'_>, nullable: bool) {
    match value {
        Value::Empty if nullable => texts.append_null(),
        Value::Text(text) => texts.append_value(text),
        value => {
            let mut text = String::new();
            value.append_to(&mut text);
            texts.append_value(text);
        }
    }
}

/// The dictionary of all points. Batches share it, so an Arrow stream contains it once.
static POINT_TEXTS: LazyLock<ArrayRef> = LazyLock::new(|| {
    let lines = 0..BoardSize::MAX;
    let points = lines.clone().flat_map(|x| lines.clone().map(move |y| Point::new(x, y).to_string()));
    Arc::new(points.map(Some).collect::<StringArray>())
});

/// Returns the index of a point in [`POINT_TEXTS`], which is below 52 · 52.
fn point_index(point: Point) -> i16 {
    i16::from(point.x()) * i16::from(BoardSize::MAX) + i16::from(point.y())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;

    /// Returns the texts of a dictionary column with these cells.
    fn texts_of(kind: ColumnType, nullable: bool, cells: &[Value<'_>]) -> Vec<Option<String>> {
        let mut column = ColumnBuilder::new(kind);
        cells.iter().for_each(|cell| column.push(*cell, nullable));
        let array = column.into_array().unwrap();
        assert_eq!(array.data_type(), &data_type(kind));
        let dictionary = array.as_any_dictionary();
        let values = dictionary.values().as_string::<i32>();
        let text = |(row, key)| array.is_valid(row).then(|| values.value(key).to_owned());
        dictionary.normalized_keys().into_iter().enumerate().map(text).collect()
    }

    #[test]
    fn every_point_has_its_text() {
        let points: Vec<Point> = BoardSize::square(BoardSize::MAX).unwrap().iter().collect();
        let cells: Vec<Value<'_>> = points.iter().copied().map(Value::Point).collect();
        let expected: Vec<Option<String>> = points.iter().map(|point| Some(point.to_string())).collect();
        assert_eq!(texts_of(ColumnType::Point, true, &cells), expected);
        assert_eq!(texts_of(ColumnType::Point, true, &[Value::Empty]), [None::<String>]);
    }

    #[test]
    fn repeated_texts_keep_their_order() {
        let cells = ["a", "a", "b", "a", "", "b"].map(Value::Text);
        let expected = ["a", "a", "b", "a", "", "b"].map(|text| Some(text.to_owned()));
        assert_eq!(texts_of(ColumnType::RepeatedText, false, &cells), expected);
        assert_eq!(texts_of(ColumnType::RepeatedText, false, &[Value::Empty]), [Some(String::new())]);
        assert_eq!(texts_of(ColumnType::RepeatedText, true, &[Value::Text("a"), Value::Empty])[1], None);
    }
}
