//! The footer of a Parquet file: its schema and row groups, measured before the decoder sees them.
//!
//! The decoder builds the schema by recursion and allocates memory for as many columns as an
//! element declares. So this module checks the tree without recursion, and estimates the memory for
//! the whole description.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::thrift::{ThriftReader, ThriftStruct, ThriftType, ThriftValue, thrift_structs};

/// The maximum nesting depth of columns. Tables that people write stay below ten.
const MAX_DEPTH: usize = 64;
/// Bytes of memory for a byte of the footer, in addition to its structures.
const BYTE_COST: u64 = 16;
/// Bytes of memory for a part of a column's path, in addition to its text.
const PATH_PART_COST: u64 = 32;

/// Bytes of memory that the decoder takes for structures that a file can have many of.
const STRUCT_COSTS: [(&str, u64); 5] =
    [("SchemaElement", 1024), ("ColumnChunk", 1024), ("RowGroup", 256), ("KeyValue", 64), ("SortingColumn", 16)];

/// An element of the schema: a column, or a group of the elements that follow it.
struct Element {
    name: u64,
    children: Option<i64>,
}

/// Checks the footer of a file: its memory, and the shape of its schema.
///
/// # Errors
/// Fails if the footer is damaged. The inner error describes a footer that needs more than `memory`
/// bytes.
pub(crate) fn check(file: &mut File, memory: u64) -> io::Result<Result<(), String>> {
    let mut tail = [0; 8];
    let end = file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut tail)?;
    let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    let Some(start) = end.checked_sub(length) else { return Err(io::Error::other("its end is not there")) };
    let mut needed = length.saturating_mul(BYTE_COST);
    if needed <= memory {
        file.seek(SeekFrom::Start(start))?;
        needed = needed.saturating_add(cost(BufReader::new(&mut *file).take(length), length)?);
    }
    file.rewind()?;
    Ok(if needed > memory {
        let subject = format!("its description of {length} bytes takes {needed} bytes of memory");
        Err(format!("{subject}, more than --max memory={memory}: write it with fewer columns and row groups"))
    } else {
        Ok(())
    })
}

/// Returns the bytes of memory that the structures of a footer take.
fn cost(footer: impl Read, length: u64) -> io::Result<u64> {
    let (mut elements, mut cost) = (Vec::new(), 0_u64);
    ThriftReader::new(footer, length).walk(&FILE_METADATA, &mut |value| match value {
        ThriftValue::StructStart(name) => {
            let struct_cost = STRUCT_COSTS.iter().find(|(name_with_cost, _)| *name_with_cost == name);
            cost = cost.saturating_add(struct_cost.map_or(0, |(_, bytes)| *bytes));
            if name == SCHEMA_ELEMENT.name {
                elements.push(Element { name: 0, children: None });
            }
        }
        ThriftValue::Number("SchemaElement", 5, count) => {
            elements.last_mut().into_iter().for_each(|element| element.children = Some(count));
        }
        ThriftValue::Bytes("SchemaElement", 4, bytes) => {
            elements.last_mut().into_iter().for_each(|element| element.name = bytes);
        }
        _ => {}
    })?;
    Ok(cost.saturating_add(path_cost(&elements)?))
}

/// Checks the tree of a schema and returns the size of its column paths in bytes. Each path
/// contains the names of all groups around its column.
fn path_cost(elements: &[Element]) -> io::Result<u64> {
    // The groups around an element: the number of their remaining elements, and the bytes of their
    // paths.
    let mut groups: Vec<(usize, u64)> = Vec::new();
    let mut cost = 0_u64;
    for (index, element) in elements.iter().enumerate() {
        let parent = groups.last_mut().map_or(0, |(remaining, path)| {
            *remaining -= 1;
            *path
        });
        let path = parent.saturating_add(element.name).saturating_add(PATH_PART_COST);
        let rest = elements.len() - index - 1;
        let children = usize::try_from(element.children.unwrap_or(0)).ok().filter(|children| *children <= rest);
        let Some(children) = children else {
            return Err(io::Error::other("a group of its schema has more columns than there are"));
        };
        // The description of a column has its path twice.
        cost = cost.saturating_add(path.saturating_mul(2));
        groups.push((children, path));
        while groups.last().is_some_and(|(remaining, _)| *remaining == 0) {
            groups.pop();
        }
        if groups.len() > MAX_DEPTH {
            return Err(io::Error::other(format!("its schema is nested more than {MAX_DEPTH} levels deep")));
        }
    }
    Ok(cost)
}

thrift_structs! {
    FILE_METADATA "FileMetaData" {
        1: Number, 2: [{SCHEMA_ELEMENT}], 3: Number, 4: [{ROW_GROUP}], 5: [{KEY_VALUE}], 6: Bytes,
        7: [{COLUMN_ORDER}],
    }
    SCHEMA_ELEMENT "SchemaElement" {
        1: Number, 2: Number, 3: Number, 4: Bytes, 5: Number, 6: Number, 7: Number, 8: Number,
        9: Number, 10: {LOGICAL_TYPE},
    }
    EMPTY "" {}
    LOGICAL_TYPE "LogicalType" {
        1: {EMPTY}, 2: {EMPTY}, 3: {EMPTY}, 4: {EMPTY}, 5: {DECIMAL_TYPE}, 6: {EMPTY},
        7: {TIME_TYPE}, 8: {TIME_TYPE}, 10: {INT_TYPE}, 11: {EMPTY}, 12: {EMPTY}, 13: {EMPTY},
        14: {EMPTY}, 15: {EMPTY}, 16: {VARIANT_TYPE}, 17: {GEOMETRY_TYPE}, 18: {GEOGRAPHY_TYPE},
        19: {EMPTY},
    }
    DECIMAL_TYPE "DecimalType" { 1: Number, 2: Number }
    INT_TYPE "IntType" { 1: Byte, 2: Flag }
    VARIANT_TYPE "VariantType" { 1: Byte }
    GEOMETRY_TYPE "GeometryType" { 1: Bytes }
    GEOGRAPHY_TYPE "GeographyType" { 1: Bytes, 2: Number }
    TIME_TYPE "TimeType" { 1: Flag, 2: {TIME_UNIT} }
    TIME_UNIT "TimeUnit" { 1: {EMPTY}, 2: {EMPTY}, 3: {EMPTY} }
    COLUMN_ORDER "ColumnOrder" { 1: {EMPTY}, 2: {EMPTY}, 3: {EMPTY} }
    KEY_VALUE "KeyValue" { 1: Bytes, 2: Bytes }
    ROW_GROUP "RowGroup" {
        1: [{COLUMN_CHUNK}], 2: Number, 3: Number, 4: [{SORTING_COLUMN}], 5: Number, 7: Number,
    }
    SORTING_COLUMN "SortingColumn" { 1: Number, 2: Flag, 3: Flag }
    COLUMN_CHUNK "ColumnChunk" {
        1: Bytes, 2: Number, 3: {COLUMN}, 4: Number, 5: Number, 6: Number, 7: Number,
    }
    COLUMN "ColumnMetaData" {
        1: Number, 2: [Number], 3: [Bytes], 4: Number, 5: Number, 6: Number, 7: Number, 9: Number,
        10: Number, 11: Number, 12: {STATISTICS}, 13: [{PAGE_ENCODING}], 14: Number, 15: Number,
        16: {SIZE_STATISTICS}, 17: {GEOSPATIAL_STATISTICS},
    }
    PAGE_ENCODING "PageEncodingStats" { 1: Number, 2: Number, 3: Number }
    SIZE_STATISTICS "SizeStatistics" { 1: Number, 2: [Number], 3: [Number] }
    GEOSPATIAL_STATISTICS "GeospatialStatistics" { 1: {BOUNDING_BOX}, 2: [Number] }
    STATISTICS "Statistics" {
        1: Bytes, 2: Bytes, 3: Number, 4: Number, 5: Bytes, 6: Bytes, 7: Flag, 8: Flag, 9: Number,
    }
    BOUNDING_BOX "BoundingBox" {
        1: Double, 2: Double, 3: Double, 4: Double, 5: Double, 6: Double, 7: Double, 8: Double,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(name: u64, children: Option<i64>) -> Element {
        Element { name, children }
    }

    #[test]
    fn schema_is_measured_without_recursion() {
        let flat = [element(6, Some(2)), element(2, None), element(3, Some(0))];
        assert_eq!(path_cost(&flat).unwrap(), 2 * (38 + (38 + 34) + (38 + 35)));
        let nested = |depth: usize| {
            let mut elements: Vec<Element> = (0..depth).map(|_| element(1, Some(1))).collect();
            elements.push(element(1, None));
            path_cost(&elements)
        };
        assert!(nested(MAX_DEPTH).is_ok());
        for depth in [MAX_DEPTH + 1, 15_000, 1_000_000] {
            assert!(nested(depth).unwrap_err().to_string().contains("nested more than 64"), "{depth}");
        }
        // A long name around many columns is in the path of each.
        let mut wide = vec![element(1, Some(1)), element(1_000_000, Some(1_000))];
        wide.extend((0..1_000).map(|_| element(1, None)));
        assert!(path_cost(&wide).unwrap() > 2_000_000_000);
    }

    #[test]
    fn group_with_more_columns_than_the_schema_is_refused() {
        for children in [2, 1 << 31, i64::MAX, -1, i64::MIN] {
            assert!(path_cost(&[element(1, Some(children)), element(1, None)]).is_err(), "{children}");
        }
    }
}
