//! The footer of a Parquet file: its schema and row groups, measured before the decoder sees them.
//!
//! The decoder builds the schema by recursion and allocates memory for as many columns as an
//! element declares. So this module checks the tree without recursion, and estimates the memory for
//! the whole description.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::thrift::{ThriftReader, ThriftStruct, ThriftType, ThriftValue};

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

const FILE_METADATA: ThriftStruct = ThriftStruct {
    name: "FileMetaData",
    fields: &[
        (1, ThriftType::Number),
        (2, ThriftType::List(&ThriftType::Struct(&SCHEMA_ELEMENT))),
        (3, ThriftType::Number),
        (4, ThriftType::List(&ThriftType::Struct(&ROW_GROUP))),
        (5, ThriftType::List(&ThriftType::Struct(&KEY_VALUE))),
        (6, ThriftType::Bytes),
        (7, ThriftType::List(&ThriftType::Struct(&COLUMN_ORDER))),
    ],
};
const SCHEMA_ELEMENT: ThriftStruct = ThriftStruct {
    name: "SchemaElement",
    fields: &[
        (1, ThriftType::Number),
        (2, ThriftType::Number),
        (3, ThriftType::Number),
        (4, ThriftType::Bytes),
        (5, ThriftType::Number),
        (6, ThriftType::Number),
        (7, ThriftType::Number),
        (8, ThriftType::Number),
        (9, ThriftType::Number),
        (10, ThriftType::Struct(&LOGICAL_TYPE)),
    ],
};
const EMPTY: ThriftStruct = ThriftStruct { name: "", fields: &[] };
const LOGICAL_TYPE: ThriftStruct = ThriftStruct {
    name: "LogicalType",
    fields: &[
        (1, ThriftType::Struct(&EMPTY)),
        (2, ThriftType::Struct(&EMPTY)),
        (3, ThriftType::Struct(&EMPTY)),
        (4, ThriftType::Struct(&EMPTY)),
        (
            5,
            ThriftType::Struct(&ThriftStruct {
                name: "DecimalType",
                fields: &[(1, ThriftType::Number), (2, ThriftType::Number)],
            }),
        ),
        (6, ThriftType::Struct(&EMPTY)),
        (7, ThriftType::Struct(&TIME_TYPE)),
        (8, ThriftType::Struct(&TIME_TYPE)),
        (
            10,
            ThriftType::Struct(&ThriftStruct {
                name: "IntType",
                fields: &[(1, ThriftType::Byte), (2, ThriftType::Flag)],
            }),
        ),
        (11, ThriftType::Struct(&EMPTY)),
        (12, ThriftType::Struct(&EMPTY)),
        (13, ThriftType::Struct(&EMPTY)),
        (14, ThriftType::Struct(&EMPTY)),
        (15, ThriftType::Struct(&EMPTY)),
        (16, ThriftType::Struct(&ThriftStruct { name: "VariantType", fields: &[(1, ThriftType::Byte)] })),
        (17, ThriftType::Struct(&ThriftStruct { name: "GeometryType", fields: &[(1, ThriftType::Bytes)] })),
        (
            18,
            ThriftType::Struct(&ThriftStruct {
                name: "GeographyType",
                fields: &[(1, ThriftType::Bytes), (2, ThriftType::Number)],
            }),
        ),
        (19, ThriftType::Struct(&EMPTY)),
    ],
};
const TIME_TYPE: ThriftStruct =
    ThriftStruct { name: "TimeType", fields: &[(1, ThriftType::Flag), (2, ThriftType::Struct(&TIME_UNIT))] };
const TIME_UNIT: ThriftStruct = ThriftStruct {
    name: "TimeUnit",
    fields: &[(1, ThriftType::Struct(&EMPTY)), (2, ThriftType::Struct(&EMPTY)), (3, ThriftType::Struct(&EMPTY))],
};
const COLUMN_ORDER: ThriftStruct = ThriftStruct {
    name: "ColumnOrder",
    fields: &[(1, ThriftType::Struct(&EMPTY)), (2, ThriftType::Struct(&EMPTY)), (3, ThriftType::Struct(&EMPTY))],
};
const KEY_VALUE: ThriftStruct =
    ThriftStruct { name: "KeyValue", fields: &[(1, ThriftType::Bytes), (2, ThriftType::Bytes)] };
const ROW_GROUP: ThriftStruct = ThriftStruct {
    name: "RowGroup",
    fields: &[
        (1, ThriftType::List(&ThriftType::Struct(&COLUMN_CHUNK))),
        (2, ThriftType::Number),
        (3, ThriftType::Number),
        (
            4,
            ThriftType::List(&ThriftType::Struct(&ThriftStruct {
                name: "SortingColumn",
                fields: &[(1, ThriftType::Number), (2, ThriftType::Flag), (3, ThriftType::Flag)],
            })),
        ),
        (5, ThriftType::Number),
        (7, ThriftType::Number),
    ],
};
const COLUMN_CHUNK: ThriftStruct = ThriftStruct {
    name: "ColumnChunk",
    fields: &[
        (1, ThriftType::Bytes),
        (2, ThriftType::Number),
        (3, ThriftType::Struct(&COLUMN)),
        (4, ThriftType::Number),
        (5, ThriftType::Number),
        (6, ThriftType::Number),
        (7, ThriftType::Number),
    ],
};
const COLUMN: ThriftStruct = ThriftStruct {
    name: "ColumnMetaData",
    fields: &[
        (1, ThriftType::Number),
        (2, ThriftType::List(&ThriftType::Number)),
        (3, ThriftType::List(&ThriftType::Bytes)),
        (4, ThriftType::Number),
        (5, ThriftType::Number),
        (6, ThriftType::Number),
        (7, ThriftType::Number),
        (9, ThriftType::Number),
        (10, ThriftType::Number),
        (11, ThriftType::Number),
        (12, ThriftType::Struct(&STATISTICS)),
        (
            13,
            ThriftType::List(&ThriftType::Struct(&ThriftStruct {
                name: "PageEncodingStats",
                fields: &[(1, ThriftType::Number), (2, ThriftType::Number), (3, ThriftType::Number)],
            })),
        ),
        (14, ThriftType::Number),
        (15, ThriftType::Number),
        (
            16,
            ThriftType::Struct(&ThriftStruct {
                name: "SizeStatistics",
                fields: &[
                    (1, ThriftType::Number),
                    (2, ThriftType::List(&ThriftType::Number)),
                    (3, ThriftType::List(&ThriftType::Number)),
                ],
            }),
        ),
        (
            17,
            ThriftType::Struct(&ThriftStruct {
                name: "GeospatialStatistics",
                fields: &[(1, ThriftType::Struct(&BOUNDING_BOX)), (2, ThriftType::List(&ThriftType::Number))],
            }),
        ),
    ],
};
const STATISTICS: ThriftStruct = ThriftStruct {
    name: "Statistics",
    fields: &[
        (1, ThriftType::Bytes),
        (2, ThriftType::Bytes),
        (3, ThriftType::Number),
        (4, ThriftType::Number),
        (5, ThriftType::Bytes),
        (6, ThriftType::Bytes),
        (7, ThriftType::Flag),
        (8, ThriftType::Flag),
        (9, ThriftType::Number),
    ],
};
const BOUNDING_BOX: ThriftStruct = ThriftStruct {
    name: "BoundingBox",
    fields: &[
        (1, ThriftType::Double),
        (2, ThriftType::Double),
        (3, ThriftType::Double),
        (4, ThriftType::Double),
        (5, ThriftType::Double),
        (6, ThriftType::Double),
        (7, ThriftType::Double),
        (8, ThriftType::Double),
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
