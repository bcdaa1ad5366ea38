"""Asks DuckDB, pandas, polars and pyarrow the same questions about columns in every format.

Prints one answer a line if all programs agree.

Usage: ask.py TABLE.COLUMN=QUESTION...; the files are FORMAT/TABLE.END. Questions: sum, known (the number of
non-empty cells), true, or a word (the number of cells with that word).
"""

import sys

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq


def arrow(table):
    return pa.ipc.open_stream(f"arrow/{table}.arrows").read_all()


def csv_by_pyarrow(table):
    lines = pa.csv.ParseOptions(newlines_in_values=True)
    options = pa.csv.ConvertOptions(strings_can_be_null=True)
    return pa.csv.read_csv(f"csv/{table}.csv", parse_options=lines, convert_options=options)


READERS = {
    ("pandas", "parquet"): lambda table: pd.read_parquet(f"parquet/{table}.parquet"),
    ("pandas", "arrow"): lambda table: arrow(table).to_pandas(),
    ("pandas", "csv"): lambda table: pd.read_csv(f"csv/{table}.csv", dtype_backend="numpy_nullable"),
    ("pandas", "jsonl"): lambda table: pd.read_json(f"jsonl/{table}.jsonl", lines=True, dtype_backend="numpy_nullable"),
    ("polars", "parquet"): lambda table: pl.read_parquet(f"parquet/{table}.parquet"),
    ("polars", "arrow"): lambda table: pl.from_arrow(arrow(table)),
    ("polars", "csv"): lambda table: pl.read_csv(f"csv/{table}.csv", infer_schema_length=None),
    ("polars", "jsonl"): lambda table: pl.read_ndjson(f"jsonl/{table}.jsonl", infer_schema_length=None),
    ("pyarrow", "parquet"): lambda table: pq.read_table(f"parquet/{table}.parquet"),
    ("pyarrow", "arrow"): arrow,
    ("pyarrow", "csv"): csv_by_pyarrow,
    ("duckdb", "parquet"): lambda table: f"'parquet/{table}.parquet'",
    ("duckdb", "csv"): lambda table: f"read_csv('csv/{table}.csv', sample_size=-1)",
    ("duckdb", "jsonl"): lambda table: f"read_json('jsonl/{table}.jsonl', sample_size=-1)",
}


def by_pandas(rows, column, question):
    cells = rows[column]
    words = {"sum": cells.sum, "known": cells.notna().sum, "true": cells.sum}
    return words[question]() if question in words else (cells == question).sum()


def by_polars(rows, column, question):
    cells = rows[column]
    words = {"sum": cells.sum, "known": cells.is_not_null().sum, "true": cells.sum}
    return words[question]() if question in words else (cells == question).sum()


def by_pyarrow(rows, column, question):
    cells = rows[column]
    match question:
        case "sum" | "true":
            return pc.sum(cells).as_py()
        case "known":
            return len(cells) - cells.null_count
    return pc.sum(pc.equal(cells.cast(pa.string()), question)).as_py()


def by_duckdb(rows, column, question):
    words = {"sum": "sum({0})", "known": "count({0})", "true": "count(*) filter ({0})"}
    asked = words.get(question, "count(*) filter ({0} = '{1}')").format(column, question)
    return duckdb.sql(f"select {asked} from {rows}").fetchall()[0][0]


ANSWERS = {"pandas": by_pandas, "polars": by_polars, "pyarrow": by_pyarrow, "duckdb": by_duckdb}

for asked in sys.argv[1:]:
    place, _, question = asked.partition("=")
    table, _, column = place.partition(".")
    answers = {
        reader: int(ANSWERS[reader[0]](read(table), column, question)) for reader, read in READERS.items()
    }
    assert len(set(answers.values())) == 1, (asked, answers)
    print(answers["pandas", "parquet"])
