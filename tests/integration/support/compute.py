"""Computes the same values from a report's tables in every format, with DuckDB, pandas, polars and pyarrow.

Prints the values if all programs agree: the number of games, 1.5 times the sum of komi, the number of scores that
agree with the recorded result, and the years.
"""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq


def by_pandas(games, scores):
    agreeing = scores[scores.agrees]
    years = games[games.date.notna()].date.dt.year
    return len(games), (games.komi * 1.5).sum(), len(agreeing), sorted(set(years))


def by_polars(games, scores):
    years = games["date"].drop_nulls().dt.year().unique().to_list()
    return games.height, (games["komi"] * 1.5).sum(), scores.filter(pl.col("agrees")).height, sorted(years)


def by_pyarrow(games, scores):
    years = pc.unique(pc.year(games["date"].drop_null())).to_pylist()
    komi = pc.sum(pc.multiply(games["komi"], 1.5)).as_py()
    return games.num_rows, komi, scores.filter(scores["agrees"]).num_rows, sorted(years)


def by_duckdb(games, scores):
    row = f"select count(*), sum(komi * 1.5), (select count(*) from {scores} where agrees) from {games}"
    years = f"select distinct year(date) from {games} where date is not null order by 1"
    return *duckdb.sql(row).fetchall()[0], [year for (year,) in duckdb.sql(years).fetchall()]


def arrow(table):
    return pa.ipc.open_stream(f"arrow/{table}.arrows").read_all()


def csv_by_pyarrow(table):
    types = {"date": pa.date32(), "agrees": pa.bool_()}
    options = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True)
    lines = pa.csv.ParseOptions(newlines_in_values=True)
    return pa.csv.read_csv(f"csv/{table}.csv", parse_options=lines, convert_options=options)


def csv_by_pandas(table):
    days = ["date"] if table == "games" else []
    return pd.read_csv(f"csv/{table}.csv", dtype_backend="numpy_nullable", parse_dates=days)


def jsonl_by_pandas(table):
    rows = pd.read_json(f"jsonl/{table}.jsonl", lines=True, dtype_backend="numpy_nullable")
    return rows.assign(date=pd.to_datetime(rows.date)) if table == "games" else rows


def jsonl_by_polars(table):
    rows = pl.read_ndjson(f"jsonl/{table}.jsonl", infer_schema_length=None)
    return rows.with_columns(pl.col("date").str.to_date()) if table == "games" else rows


def both(read):
    return read("games"), read("scores")


answers = {
    "pandas parquet": by_pandas(*both(lambda table: pd.read_parquet(f"parquet/{table}.parquet"))),
    "pandas arrow": by_pandas(*both(lambda table: arrow(table).to_pandas())),
    "pandas csv": by_pandas(*both(csv_by_pandas)),
    "pandas jsonl": by_pandas(*both(jsonl_by_pandas)),
    "polars parquet": by_polars(*both(lambda table: pl.read_parquet(f"parquet/{table}.parquet"))),
    "polars arrow": by_polars(*both(lambda table: pl.from_arrow(arrow(table)))),
    "polars csv": by_polars(
        *both(lambda table: pl.read_csv(f"csv/{table}.csv", try_parse_dates=True, infer_schema_length=None))
    ),
    "polars jsonl": by_polars(*both(jsonl_by_polars)),
    "pyarrow parquet": by_pyarrow(*both(lambda table: pq.read_table(f"parquet/{table}.parquet"))),
    "pyarrow arrow": by_pyarrow(*both(arrow)),
    "pyarrow csv": by_pyarrow(*both(csv_by_pyarrow)),
    "duckdb parquet": by_duckdb("'parquet/games.parquet'", "'parquet/scores.parquet'"),
    "duckdb csv": by_duckdb("read_csv('csv/games.csv', sample_size=-1)", "read_csv('csv/scores.csv', sample_size=-1)"),
    "duckdb jsonl": by_duckdb("read_json('jsonl/games.jsonl')", "read_json('jsonl/scores.jsonl')"),
}
assert len({(n, float(komi), k, tuple(map(int, years))) for n, komi, k, years in answers.values()}) == 1, answers
number, komi, agreeing, years = answers["pandas parquet"]
assert len(years) > 1, years
print(number, f"{komi:.2f}", agreeing, *years)
