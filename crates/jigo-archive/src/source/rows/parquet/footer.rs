//! The footer of a Parquet file: its schema and row groups, measured before the decoder sees them.
//!
//! The decoder builds the schema by recursion and allocates memory for as many columns as an
//! element declares. So this module checks the tree without recursion, and estimates the memory for
//! the whole description.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::thrift::{Compact, Kind, Struct, Value};

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
        let what = format!("its description of {length} bytes takes {needed} bytes of memory");
        Err(format!("{what}, more than --max memory={memory}: write it with fewer columns and row groups"))
    } else {
        Ok(())
    })
}

/// Returns the bytes of memory that the structures of a footer take.
fn cost(footer: impl Read, length: u64) -> io::Result<u64> {
    let (mut elements, mut cost) = (Vec::new(), 0_u64);
    Compact::new(footer, length).walk(&FILE, &mut |value| match value {
        Value::Begin(name) => {
            let of_struct = STRUCT_COSTS.iter().find(|(known, _)| *known == name);
            cost = cost.saturating_add(of_struct.map_or(0, |(_, bytes)| *bytes));
            if name == SCHEMA_ELEMENT.name {
                elements.push(Element { name: 0, children: None });
            }
        }
        Value::Number("SchemaElement", 5, count) => {
            elements.last_mut().into_iter().for_each(|element| element.children = Some(count));
        }
        Value::Bytes("SchemaElement", 4, bytes) => {
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
        let parent = groups.last_mut().map_or(0, |(left, path)| {
            *left -= 1;
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
        while groups.last().is_some_and(|(left, _)| *left == 0) {
            groups.pop();
        }
        if groups.len() > MAX_DEPTH {
            return Err(io::Error::other(format!("its schema is nested more than {MAX_DEPTH} levels deep")));
        }
    }
    Ok(cost)
}

const FILE: Struct = Struct {
    name: "FileMetaData",
    fields: &[
        (1, Kind::Number),
        (2, Kind::List(&Kind::Struct(&SCHEMA_ELEMENT))),
        (3, Kind::Number),
        (4, Kind::List(&Kind::Struct(&ROW_GROUP))),
        (5, Kind::List(&Kind::Struct(&KEY_VALUE))),
        (6, Kind::Bytes),
        (7, Kind::List(&Kind::Struct(&COLUMN_ORDER))),
    ],
};
const SCHEMA_ELEMENT: Struct = Struct {
    name: "SchemaElement",
    fields: &[
        (1, Kind::Number),
        (2, Kind::Number),
        (3, Kind::Number),
        (4, Kind::Bytes),
        (5, Kind::Number),
        (6, Kind::Number),
        (7, Kind::Number),
        (8, Kind::Number),
        (9, Kind::Number),
        (10, Kind::Struct(&LOGICAL_TYPE)),
    ],
};
const EMPTY: Struct = Struct { name: "", fields: &[] };
const LOGICAL_TYPE: Struct = Struct {
    name: "LogicalType",
    fields: &[
        (1, Kind::Struct(&EMPTY)),
        (2, Kind::Struct(&EMPTY)),
        (3, Kind::Struct(&EMPTY)),
        (4, Kind::Struct(&EMPTY)),
        (5, Kind::Struct(&Struct { name: "DecimalType", fields: &[(1, Kind::Number), (2, Kind::Number)] })),
        (6, Kind::Struct(&EMPTY)),
        (7, Kind::Struct(&TIME_TYPE)),
        (8, Kind::Struct(&TIME_TYPE)),
        (10, Kind::Struct(&Struct { name: "IntType", fields: &[(1, Kind::Byte), (2, Kind::Flag)] })),
        (11, Kind::Struct(&EMPTY)),
        (12, Kind::Struct(&EMPTY)),
        (13, Kind::Struct(&EMPTY)),
        (14, Kind::Struct(&EMPTY)),
        (15, Kind::Struct(&EMPTY)),
        (16, Kind::Struct(&Struct { name: "VariantType", fields: &[(1, Kind::Byte)] })),
        (17, Kind::Struct(&Struct { name: "GeometryType", fields: &[(1, Kind::Bytes)] })),
        (18, Kind::Struct(&Struct { name: "GeographyType", fields: &[(1, Kind::Bytes), (2, Kind::Number)] })),
        (19, Kind::Struct(&EMPTY)),
    ],
};
const TIME_TYPE: Struct = Struct { name: "TimeType", fields: &[(1, Kind::Flag), (2, Kind::Struct(&TIME_UNIT))] };
const TIME_UNIT: Struct = Struct {
    name: "TimeUnit",
    fields: &[(1, Kind::Struct(&EMPTY)), (2, Kind::Struct(&EMPTY)), (3, Kind::Struct(&EMPTY))],
};
const COLUMN_ORDER: Struct = Struct {
    name: "ColumnOrder",
    fields: &[(1, Kind::Struct(&EMPTY)), (2, Kind::Struct(&EMPTY)), (3, Kind::Struct(&EMPTY))],
};
const KEY_VALUE: Struct = Struct { name: "KeyValue", fields: &[(1, Kind::Bytes), (2, Kind::Bytes)] };
const ROW_GROUP: Struct = Struct {
    name: "RowGroup",
    fields: &[
        (1, Kind::List(&Kind::Struct(&COLUMN_CHUNK))),
        (2, Kind::Number),
        (3, Kind::Number),
        (
            4,
            Kind::List(&Kind::Struct(&Struct {
                name: "SortingColumn",
                fields: &[(1, Kind::Number), (2, Kind::Flag), (3, Kind::Flag)],
            })),
        ),
        (5, Kind::Number),
        (7, Kind::Number),
    ],
};
const COLUMN_CHUNK: Struct = Struct {
    name: "ColumnChunk",
    fields: &[
        (1, Kind::Bytes),
        (2, Kind::Number),
        (3, Kind::Struct(&COLUMN)),
        (4, Kind::Number),
        (5, Kind::Number),
        (6, Kind::Number),
        (7, Kind::Number),
    ],
};
const COLUMN: Struct = Struct {
    name: "ColumnMetaData",
    fields: &[
        (1, Kind::Number),
        (2, Kind::List(&Kind::Number)),
        (3, Kind::List(&Kind::Bytes)),
        (4, Kind::Number),
        (5, Kind::Number),
        (6, Kind::Number),
        (7, Kind::Number),
        (9, Kind::Number),
        (10, Kind::Number),
        (11, Kind::Number),
        (12, Kind::Struct(&STATISTICS)),
        (
            13,
            Kind::List(&Kind::Struct(&Struct {
                name: "PageEncodingStats",
                fields: &[(1, Kind::Number), (2, Kind::Number), (3, Kind::Number)],
            })),
        ),
        (14, Kind::Number),
        (15, Kind::Number),
        (
            16,
            Kind::Struct(&Struct {
                name: "SizeStatistics",
                fields: &[(1, Kind::Number), (2, Kind::List(&Kind::Number)), (3, Kind::List(&Kind::Number))],
            }),
        ),
        (
            17,
            Kind::Struct(&Struct {
                name: "GeospatialStatistics",
                fields: &[(1, Kind::Struct(&BOX)), (2, Kind::List(&Kind::Number))],
            }),
        ),
    ],
};
const STATISTICS: Struct = Struct {
    name: "Statistics",
    fields: &[
        (1, Kind::Bytes),
        (2, Kind::Bytes),
        (3, Kind::Number),
        (4, Kind::Number),
        (5, Kind::Bytes),
        (6, Kind::Bytes),
        (7, Kind::Flag),
        (8, Kind::Flag),
        (9, Kind::Number),
    ],
};
const BOX: Struct = Struct {
    name: "BoundingBox",
    fields: &[
        (1, Kind::Double),
        (2, Kind::Double),
        (3, Kind::Double),
        (4, Kind::Double),
        (5, Kind::Double),
        (6, Kind::Double),
        (7, Kind::Double),
        (8, Kind::Double),
    ],
};

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
