"""Finds games that are there twice on Apache Spark: the rows are those of ``jigo duplicates`` on one machine.

    spark-submit jigo_spark_duplicates.py --input s3://bucket/games --output s3a://bucket/audit

``jigo check --table keys`` gives every game its keys. Spark joins the games on any key they have in common: whatever
hangs together so is a group, and no game can be like one of another group. The texts of groups of two and more then go
to ``jigo duplicates``, some groups to a task, so that it sees all that it would hold against each other on one machine.
Options behind ``--`` go to jigo.
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
"""What tells a game from all others."""


def order() -> Column:
    """By which games of the input come first: folder by folder, as one process finds files."""
    return f.struct(f.split("id", "/").alias("way"), f.col("game"))


OF_ONE_SEARCH = ("--index", "--checkpoint", "--merge-headers", "--log", "--table")
"""Options of jigo duplicates that make no sense in a job."""

OF_READING = ("--rules", "--where", "--sample", "--seed", "--max-", "--dialect", "--assume-rules")
"""Options that the games are read with; others are about the rows."""


OTHER_KINDS = tuple(end for end in jigo_spark.GAMES if end not in (".sgf", ".sgfs", ".mgt"))
"""How names of files end that hold a game in another form."""


def keyed(spark: SparkSession, uris: list[str], job: Job, binary: str, partitions: int | None) -> DataFrame:
    """A row for each key of each game."""
    of_keys = job._replace(command="keys", options=[option for option in job.options if is_of_reading(option)])
    schemas, _ = jigo_spark.ask(of_keys, binary)
    rows = jigo_spark.rows_of(spark, uris, of_keys._replace(schemas=schemas), partitions)
    games = rows.where("keys is not null").select("keys.*")
    names = games.columns[games.columns.index("text") + 1 :]
    # The same number as another key says nothing.
    keys = [f.when(f.col(name).isNotNull(), f.concat(f.lit(f"{name} "), f.col(name))) for name in names]
    # Games without turns have no key, and are the same where their texts are.
    text = f.concat(f.lit("text "), f.col("text"))
    return games.select(*PLACE, f.explode(f.array_compact(f.array(text, *keys))).alias("key"))


def is_of_reading(option: str) -> bool:
    """Whether an option, which has its value behind a =, decides on what is read of a game."""
    return option.startswith(OF_READING)


def groups(keys: DataFrame) -> DataFrame:
    """The games that hang together with others by keys, each with the least of its group: what is reached from it."""
    shared = keys.groupBy("key").agg(f.count("*").alias("games")).where("games > 1").select("key")
    edges = keys.join(shared, "key").persist(StorageLevel.DISK_ONLY)
    label = edges.select(*PLACE).distinct().withColumn("label", order())
    changed = 1
    while changed:
        # As far as two keys in each round; what is copied is near, so rounds are few.
        by_key = edges.join(label, PLACE).groupBy("key").agg(f.min("label").alias("least"))
        nearer = edges.join(by_key, "key").groupBy(*PLACE).agg(f.min("least").alias("least"))
        both = label.join(nearer, PLACE).localCheckpoint()
        changed = both.where("label != least").count()
        label = both.select(*PLACE, f.col("least").alias("label"))
    return label


def games_of(batches: Iterable[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """All games of parts of files, a row each."""
    for parts in jigo_spark.runs(batches):
        with tempfile.TemporaryDirectory() as folder:
            out = f"{folder}/games.arrows"
            # What is filtered out has no key, and a game ends where the next one begins, whether that is wanted or not.
            reading = [option for option in job.options if option.startswith("--max-")]
            words = ["extract", "--input-format", "arrow", "--quiet", "--jobs", str(job.threads), "--out", out]
            jigo_spark.write_parts(parts, folder)
            jigo(job, [*words, *reading, f"{folder}/{jigo_spark.GIVEN}"], folder)
            with ipc.open_stream(out) as stream:
                games = stream.read_all().select(PARTS.names).cast(PARTS)
            yield from as_found(games, parts).to_batches()


def as_found(games: pa.Table, parts: pa.Table) -> pa.Table:
    """Games as ``jigo extract`` gives them; what it wrote as SGF is as it was found, which one process reads."""
    columns = [games["id"].to_pylist(), games["offset"].to_pylist(), games["sgf"].to_pylist()]
    starts: dict[str, list[int]] = {}
    for name, offset, _ in zip(*columns, strict=True):
        if name and name.lower().endswith(OTHER_KINDS):
            starts.setdefault(name, []).append(offset)
    if not starts:
        return games
    found: dict[tuple[str, int], bytes] = {}
    for name, begin, sgf in zip(*(parts[column].to_pylist() for column in ("id", "offset", "sgf")), strict=True):
        # A file that is whole says of itself only what it is called.
        first, text = begin or 0, sgf or b""
        inside = [start for start in sorted(starts.get(name, [])) if first <= start < first + len(text)]
        # A file may hold no game at all.
        for start, end in zip(inside, [*inside[1:], first + len(text)], strict=False):
            found[name, start] = text[start - first : end - first]
    texts = [found.get((name, offset), text) for name, offset, text in zip(*columns, strict=True)]
    return games.set_column(PARTS.get_field_index("sgf"), PARTS.field("sgf"), pa.array(texts, pa.binary()))


def twins_of(batches: Iterable[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """The rows for the games of a task, which come in the order of the input."""
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
        raise RuntimeError(f"jigo {words[0]} ended with {ended.code}: {ended.said}")


def numbered(rows: DataFrame) -> DataFrame:
    """Rows of all tasks, the clusters numbered as one process does: by their first games, collisions last."""
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
    """The rows of all inputs."""
    tasks = partitions or 4 * spark.sparkContext.defaultParallelism
    # The joins of small archives are over before 200 tasks are begun.
    spark.conf.set("spark.sql.shuffle.partitions", str(tasks))
    label = groups(keyed(spark, uris, job, binary, partitions))
    of_games = job._replace(schemas={})

    def of_parts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return games_of(batches, of_games)

    def of_groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return twins_of(batches, job)

    texts = jigo_spark.rows_of(spark, uris, of_games, partitions, of_parts, PARTS)
    wanted = texts.join(label, PLACE).repartition(tasks, "label").sortWithinPartitions(order(), "offset").drop("label")
    # The columns of a part, in their order: the join has moved some of them.
    rows = wanted.select(*PARTS.names).mapInArrow(of_groups, from_arrow_schema(job.schemas["duplicates"]))
    return numbered(rows.withColumn("task", f.spark_partition_id()).withColumn("nth", f.monotonically_increasing_id()))


def main(arguments: list[str]) -> int:
    """Runs the job."""
    parser = jigo_spark.parser_of(__doc__)
    flags = jigo_spark.parse(parser, arguments, OF_ONE_SEARCH)
    # Which of them decide on what is read is told by how they begin, so a value may not stand alone.
    if alone := next((option for option in flags.options if not option.startswith("--")), None):
        parser.error(f"{alone}: write options and their values as --rules=aga")
    binary, version = jigo_spark.find_jigo(flags.jigo)
    job = Job("duplicates", flags.options, {}, flags.part_bytes, 1, Path(binary).name, version)
    job = job._replace(schemas=jigo_spark.ask(job, binary)[0])
    output = f"{flags.output.rstrip('/')}/duplicates"
    session = SparkSession.builder.appName("jigo duplicates")
    session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
    session.config("spark.sql.execution.arrow.maxBytesPerBatch", str(jigo_spark.RUN_BYTES))
    # Which task a row is of tells clusters apart, so tasks stay as they are planned.
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
