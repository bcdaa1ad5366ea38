"""Reads the same rows from JSON lines, Arrow and Parquet, with pyarrow and DuckDB.

Compares the rows with each other and with the schema.

Usage: read_back.py SCHEMA.json ROWS.jsonl ROWS.arrows ROWS.parquet
"""
import datetime
import json
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

DUCKDB = {"string": "VARCHAR", "enumeration": "VARCHAR", "integer": "BIGINT", "boolean": "BOOLEAN", "float": "DOUBLE", "date": "DATE"}


def arrow_type(column):
    words = pa.dictionary(pa.int16(), pa.string())
    types = {"string": pa.string(), "enumeration": words, "integer": pa.int64(), "boolean": pa.bool_()}
    return (types | {"float": pa.float64(), "date": pa.date32()})[column["type"]]


def typed(row, columns):
    """Returns a row of JSON lines with its days as dates."""
    days = {column["name"] for column in columns if column["type"] == "date"}
    day = datetime.date.fromisoformat
    return {name: day(cell) if name in days and cell else cell for name, cell in row.items()}


def main(schema_path, jsonl_path, arrow_path, parquet_path):
    schema = json.load(open(schema_path, encoding="utf-8"))[0]
    columns, version, key = schema["columns"], schema["version"], schema["key"]
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
    print(len(rows))


main(*sys.argv[1:])
