"""Finds duplicate games on Apache Spark: the rows are those of ``jigo duplicates`` on one machine.

    spark-submit jigo_spark_duplicates.py --input s3://bucket/games --output s3a://bucket/audit

``jigo check --table keys`` gives every game its keys. Spark joins games with a common key. Games
that are connected in this way form a group, and games of different groups are never duplicates. The
texts of groups with at least two games then go to ``jigo duplicates``, several groups per task, so
that it sees every pair that it would compare on one machine. Options after ``--`` go to jigo.
"""

from __future__ import annotations

import sys
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import ipc
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

import jigo_spark
from jigo_spark import PARTS, Job

PLACE = ["id", "game"]
"""The columns that identify a game."""


def order() -> Column:
    """Returns the order of games in the input: folder by folder, as one process finds files."""
    return f.struct(f.split("id", "/").alias("way"), f.col("game"))


OF_ONE_SEARCH = ("--store", "--checkpoint", "--merge-headers", "--log", "--table")
"""Options of jigo duplicates that a job can't support."""

OF_READING = ("--rules", "--where", "--sample", "--seed", "--max=", "--dialect", "--assume-rules")
"""Options for reading games; the others concern the rows."""


OTHER_KINDS = tuple(end for end in jigo_spark.GAMES if end not in (".sgf", ".sgfs", ".mgt"))
"""The suffixes of files whose games are not in SGF."""


def keyed(spark: SparkSession, uris: list[str], job: Job, binary: str, partitions: int | None) -> DataFrame:
    """Returns a row for each key of each game."""
    of_keys = job._replace(command="keys", options=[option for option in job.options if is_of_reading(option)])
    schemas, _ = jigo_spark.ask(of_keys, binary)
    rows = jigo_spark.rows_of(spark, uris, of_keys._replace(schemas=schemas), partitions)
    games = rows.where("keys is not null").select("keys.*")
    names = games.columns[games.columns.index("text") + 1 :]
    # The prefix distinguishes equal hashes of different keys.
    keys = [f.when(f.col(name).isNotNull(), f.concat(f.lit(f"{name} "), f.col(name))) for name in names]
    # Games without turns have no keys. They are equal if their texts are.
    text = f.concat(f.lit("text "), f.col("text"))
    return games.select(*PLACE, f.explode(f.array_compact(f.array(text, *keys))).alias("key"))


def is_of_reading(option: str) -> bool:
    """Returns true if an option of the form --name=value concerns reading games."""
    return option.startswith(OF_READING)


def groups(keys: DataFrame) -> DataFrame:
    """Returns the games with common keys, each with the first game of its group as a label."""
    shared = keys.groupBy("key").agg(f.count("*").alias("games")).where("games > 1").select("key")
    edges = keys.join(shared, "key").persist(StorageLevel.DISK_ONLY)
    label = edges.select(*PLACE).distinct().withColumn("label", order())
    changed = 1
    while changed:
        # Each round propagates labels over two keys. Duplicates are close to each other, so few
        # rounds suffice.
        by_key = edges.join(label, PLACE).groupBy("key").agg(f.min("label").alias("least"))
        nearer = edges.join(by_key, "key").groupBy(*PLACE).agg(f.min("least").alias("least"))
        both = label.join(nearer, PLACE).localCheckpoint()
        changed = both.where("label != least").count()
        label = both.select(*PLACE, f.col("least").alias("label"))
    return label


def games_of(batches: Iterable[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Yields all games of parts of files, one per row."""
    for parts in jigo_spark.runs(batches):
        with tempfile.TemporaryDirectory() as folder:
            out = f"{folder}/games.arrows"
            # Filters are not needed, since a game without keys is dropped later. The limits are,
            # because they determine the end of a game.
            reading = [option for option in job.options if option.startswith("--max=")]
            words = ["extract", "--input-format", "arrow", "--quiet", "--jobs", str(job.threads), "--out", out]
            jigo_spark.write_parts(parts, folder)
            jigo(job, [*words, *reading, f"{folder}/{jigo_spark.GIVEN}"], folder)
            with ipc.open_stream(out) as stream:
                games = stream.read_all().select(PARTS.names).cast(PARTS)
            yield from as_found(games, parts).to_batches()


def as_found(games: pa.Table, parts: pa.Table) -> pa.Table:
    """Replaces games that ``jigo extract`` has converted to SGF by their recorded text, as one
    process reads it.
    """
    columns = [games["id"].to_pylist(), games["offset"].to_pylist(), games["sgf"].to_pylist()]
    starts: dict[str, list[int]] = {}
    for name, offset, _ in zip(*columns, strict=True):
        if name and name.lower().endswith(OTHER_KINDS):
            starts.setdefault(name, []).append(offset)
    if not starts:
        return games
    found: dict[tuple[str, int], bytes] = {}
    for name, begin, sgf in zip(*(parts[column].to_pylist() for column in ("id", "offset", "sgf")), strict=True):
        # A whole file has only an id.
        first, text = begin or 0, sgf or b""
        inside = [start for start in sorted(starts.get(name, [])) if first <= start < first + len(text)]
        # A file may contain no game.
        for start, end in zip(inside, [*inside[1:], first + len(text)], strict=False):
            found[name, start] = text[start - first : end - first]
    texts = [found.get((name, offset), text) for name, offset, text in zip(*columns, strict=True)]
    return games.set_column(PARTS.get_field_index("sgf"), PARTS.field("sgf"), pa.array(texts, pa.binary()))


def duplicates_of(batches: Iterable[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Yields the rows for the games of a task, which arrive in input order."""
    schema = job.schemas["duplicates"]
    with tempfile.TemporaryDirectory() as folder:
        games, out = f"{folder}/games.arrows", f"{folder}/duplicates.arrows"
        with ipc.new_stream(games, PARTS) as stream:
            for batch in batches:
                stream.write_batch(batch.cast(PARTS))
        words = ["duplicates", "--input-format", "arrow", "--quiet", "--exit-zero", "--jobs", str(job.threads)]
        jigo(job, [*words, "--output", out, *job.options, games], folder)
        with ipc.open_stream(out) as stream:
            for batch in stream:
                table = pa.Table.from_batches([batch]).cast(schema)
                yield from table.combine_chunks().to_batches()


def jigo(job: Job, words: list[str], folder: str) -> None:
    """Runs jigo to its end."""
    ended = jigo_spark.run(job, words, folder)
    if ended.code not in (0, 1):
        raise RuntimeError(f"jigo {words[0]} ended with {ended.code}: {ended.stderr}")


def numbered(rows: DataFrame) -> DataFrame:
    """Numbers the clusters of all tasks as one process does: by first games, collisions last."""
    cluster = Window.partitionBy("task", "cluster")
    first = f.min(order()).over(cluster)
    is_collision = f.min(f.coalesce(f.col("class") == "collision", f.lit(False))).over(cluster)
    placed = rows.withColumn("first", first).withColumn("collides", is_collision)
    every = Window.orderBy("first", "collides")
    numbers = placed.select("first", "collides").distinct().withColumn("number", f.row_number().over(every))
    joined = placed.join(numbers, ["first", "collides"])
    columns = [name for name in rows.columns if name not in ("task", "cluster")]
    return joined.select(f.col("number").cast("long").alias("cluster"), *columns).orderBy("cluster", "nth").drop("nth")


def duplicates(spark: SparkSession, uris: list[str], job: Job, binary: str, partitions: int | None) -> DataFrame:
    """Returns the rows of all inputs."""
    tasks = partitions or 4 * spark.sparkContext.defaultParallelism
    # Small archives are joined faster than 200 tasks start.
    spark.conf.set("spark.sql.shuffle.partitions", str(tasks))
    label = groups(keyed(spark, uris, job, binary, partitions))
    of_games = job._replace(schemas={})

    def of_parts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return games_of(batches, of_games)

    def of_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return duplicates_of(batches, job)

    texts = jigo_spark.rows_of(spark, uris, of_games, partitions, of_parts, PARTS)
    wanted = texts.join(label, PLACE).repartition(tasks, "label").sortWithinPartitions(order(), "offset").drop("label")
    # Restores the order of the columns after the join.
    rows = wanted.select(*PARTS.names).mapInArrow(of_groups, from_arrow_schema(job.schemas["duplicates"]))
    return numbered(rows.withColumn("task", f.spark_partition_id()).withColumn("nth", f.monotonically_increasing_id()))


def main(arguments: list[str]) -> int:
    """Runs the job."""
    parser = jigo_spark.parser_of(__doc__)
    flags = jigo_spark.parse(parser, arguments, OF_ONE_SEARCH)
    # Options are recognized by their prefix, so the value must be in the same word.
    if alone := next((option for option in flags.options if not option.startswith("--")), None):
        parser.error(f"{alone}: write options and their values as --rules=aga")
    binary, version = jigo_spark.find_jigo(flags.jigo)
    job = Job("duplicates", flags.options, {}, flags.part_bytes, 1, Path(binary).name, version)
    job = job._replace(schemas=jigo_spark.ask(job, binary)[0])
    output = f"{flags.output.rstrip('/')}/duplicates"
    session = SparkSession.builder.appName("jigo duplicates")
    session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
    session.config("spark.sql.execution.arrow.maxBytesPerBatch", str(jigo_spark.RUN_BYTES))
    # The number of a task distinguishes clusters, so Spark must not change the planned tasks.
    session.config("spark.sql.adaptive.enabled", "false")
    with session.getOrCreate() as spark:
        place = jigo_spark.place_of(spark, output)
        if place.exists(output) and not flags.force:
            raise SystemExit(f"jigo_spark: {output} is there already; --force replaces it")
        job = job._replace(threads=int(spark.conf.get("spark.task.cpus", "1")))
        if binary:
            spark.sparkContext.addFile(str(Path(binary).resolve()))
        spark.sparkContext.addPyFile(jigo_spark.__file__)
        attempt = f"{flags.output.rstrip('/')}/_attempt-{uuid.uuid4().hex}"
        try:
            duplicates(spark, flags.input, job, binary, flags.partitions).write.parquet(attempt)
            place.move(attempt, output)
        finally:
            place.delete(attempt)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
