"""Reads the same rows from JSON lines, Arrow and Parquet, with pyarrow and DuckDB.

Compares the rows with each other and with the schema.

Usage: read_back.py SCHEMA.json ROWS.jsonl ROWS.arrows ROWS.parquet [all]

With the last argument, the rows have the columns on request.
"""
import datetime
import json
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

DUCKDB = {
    "string": "VARCHAR",
    "enumeration": "VARCHAR",
    "integer": "BIGINT",
    "hash": "UBIGINT",
    "boolean": "BOOLEAN",
    "float": "DOUBLE",
    "date": "DATE",
}


def arrow_type(column):
    if column.get("dictionary"):
        # The index of a text that repeats is larger, since its dictionary has no fixed size.
        keys = pa.int32() if column["name"] in ("file", "id") else pa.int16()
        return pa.dictionary(keys, pa.string())
    types = {"string": pa.string(), "integer": pa.int64(), "hash": pa.uint64(), "boolean": pa.bool_()}
    return (types | {"float": pa.float64(), "date": pa.date32()})[column["type"]]


def typed(row, columns):
    """Returns a row of JSON lines with its days as dates and its hashes as numbers."""
    parsers = {"date": datetime.date.fromisoformat, "hash": lambda cell: int(cell, 16)}
    types = {column["name"]: column["type"] for column in columns}
    return {name: parsers.get(types[name], lambda cell: cell)(cell) if cell else cell for name, cell in row.items()}


def check_frames(path, columns, expected):
    """Checks that the data frames of pandas and polars have the hashes of the rows, without rounding."""
    hashes = [column["name"] for column in columns if column["type"] == "hash"]
    if not hashes:
        return
    import pandas
    import polars

    pandas_frame, polars_frame = pandas.read_parquet(path), polars.read_parquet(path)
    for name in hashes:
        values = [row[name] for row in expected]
        assert polars_frame[name].to_list() == values, "polars reads other hashes"
        cells = pandas_frame[name]
        assert [None if pandas.isna(cell) else int(cell) for cell in cells] == values, "pandas reads other hashes"


def main(schema_path, jsonl_path, arrow_path, parquet_path, with_all=False):
    schema = json.load(open(schema_path, encoding="utf-8"))[0]
    columns = [column for column in schema["columns"] if with_all or not column.get("on_request")]
    version, key = schema["version"], schema["key"]
    lines = open(jsonl_path, encoding="utf-8")
    expected = [typed(json.loads(line), columns) for line in lines]
    assert expected, "no rows to compare"
    arrow = pa.ipc.open_stream(arrow_path).read_all()
    parquet = pq.read_table(parquet_path)
    fields = [pa.field(column["name"], arrow_type(column), column["nullable"]) for column in columns]
    for table in (arrow, parquet):
        assert table.schema == pa.schema(fields), table.schema
        assert table.schema.metadata[b"jigo.schema"].decode() == str(version)
        assert table.to_pylist() == expected, "pyarrow reads other rows"
    for column in columns:
        words = column.get("values")
        seen = {row[column["name"]] for row in expected}
        assert words is None or seen <= {*words, None}, (column["name"], seen)
        if words:
            dictionary = arrow.column(column["name"]).chunk(0).dictionary.to_pylist()
            assert dictionary == words, dictionary
    relation = duckdb.sql(f"select * from '{parquet_path}'")
    types = [DUCKDB[column["type"]] for column in columns]
    assert [str(kind) for kind in relation.types] == types, relation.types
    rows = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
    assert rows == expected, "DuckDB reads other rows"
    assert not key or len({tuple(row[name] for name in key) for row in expected}) == len(expected), key
    by_stream = duckdb.sql("select * from arrow").fetchall()
    assert [list(row) for row in by_stream] == [list(row.values()) for row in expected]
    check_frames(parquet_path, columns, expected)
    print(len(rows))


main(*sys.argv[1:])
