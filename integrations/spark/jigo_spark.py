"""Runs jigo over an archive of game records on Apache Spark: the rows are those of one machine.

    spark-submit jigo_spark.py report --input s3://bucket/games --output s3a://bucket/audit

Tasks read files and cut what is large at the ends of games with ``jigo split``; the parts go to all tasks, which give
them to ``jigo`` with ``mapInArrow``: to the module of that name, in one process for all batches of a worker, or, where
it is not installed or a binary is named with ``--jigo``, to a process for each batch. Rows land in a folder of the
attempt first, as Parquet, and come to their place when all of them are there, so a rerun replaces a table whole or not
at all. Options behind ``--`` go to jigo.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import metadata
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import urlsplit

import pyarrow as pa
from py4j.protocol import Py4JJavaError
from pyarrow import fs, ipc
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import LongType, StringType, StructField, StructType

TABLES = {
    "check": ["findings"],
    "turns": ["turns"],
    "score": ["scores"],
    "report": ["findings", "scores", "results", "games"],
    "keys": ["keys"],
    "duplicates": ["duplicates"],
}
"""What each command writes."""

# Held to those of the program by its test readme::suffixes_are_those_of_the_program, which writes them anew.
GAMES = (".sgf", ".sgfs", ".mgt", ".gib", ".ngf", ".ugf", ".ugi")
ARCHIVES = (".zip", ".7z", ".tar", ".tgz", ".txz", ".tzst", ".tbz2")
PACKED = (".gz", ".xz", ".lzma", ".zst", ".bz2")

PARTS = pa.schema(
    {
        "id": pa.string(),
        "game": pa.int64(),
        "offset": pa.int64(),
        "line": pa.int64(),
        "state": pa.string(),
        "last": pa.bool_(),
        "fault": pa.string(),
        "sgf": pa.binary(),
    }
)
"""A file of records, or a part of one: the columns that jigo reads with ``--input-format arrow``."""

JOBS = ("check", "turns", "score", "report", "keys")
"""The commands whose rows need no other game than their own."""

OF_ONE_RUN = ("--shard", "--limit", "--output", "--out", "--summary", "--format", "--jobs", "--write-baseline")
"""Options of jigo that make no sense in a job."""

RUN_BYTES = 8 << 20
"""Text for one run of jigo, about."""

GIVEN = "parts.arrows"
"""What the parts of a run are called."""

BATCH_BYTES = 256 << 10
"""Text of a batch, about: one of a single game takes its reader longer than the game."""


class GameFile(NamedTuple):
    """A file to read: its file system (none: this machine), its path, its name on one machine, its length in bytes."""

    system: str
    path: str
    name: str
    size: int


class Job(NamedTuple):
    """What a task has to know."""

    command: str
    options: list[str]
    schemas: dict[str, pa.Schema]
    part_bytes: int
    threads: int
    binary: str
    """The name of the binary that goes with the job; none where the module jigo is used."""
    version: str
    """That of the module."""

    def output(self) -> pa.Schema:
        """A row of any table stands in the column of that table; a summary stands alone."""
        tables = [pa.field(name, pa.struct(list(schema))) for name, schema in self.schemas.items()]
        return pa.schema([*tables, pa.field("summary", pa.string())])


# What to read


def is_wanted(name: str) -> bool:
    """Whether jigo reads a file of this name that it finds in a folder."""
    lower = name.lower()
    inner = next((lower.removesuffix(end) for end in PACKED if lower.endswith(end)), lower)
    return inner.endswith((*GAMES, *ARCHIVES, *PACKED) if inner != lower else (*GAMES, *ARCHIVES))


def list_files(uri: str) -> list[GameFile]:
    """The files below a URI or a local path, by name; one that is named outright is taken whatever its name."""
    if "://" not in uri:
        uri = Path(uri).absolute().as_uri()
    try:
        system, path = fs.FileSystem.from_uri(uri)
    except pa.ArrowInvalid as error:
        raise SystemExit(f"jigo_spark: {error}; in a URI a space is %20 and % is %25") from error
    found = system.get_file_info(path)
    if found.type == fs.FileType.NotFound:
        raise SystemExit(f"jigo_spark: there is nothing at {uri}")
    if found.type == fs.FileType.Directory:
        below = system.get_file_info(fs.FileSelector(path, recursive=True))
        files = [info for info in below if info.type == fs.FileType.File and is_wanted(info.path)]
    else:
        files = [found]
    parts = urlsplit(uri)
    # A path of object storage begins with the bucket. Nothing of a user and a password goes into names.
    root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2] if path.startswith('/') else ''}"
    is_local = parts.scheme == "file"
    located = [
        GameFile("" if is_local else uri, info.path, info.path if is_local else root + info.path, info.size)
        for info in files
    ]
    return sorted(located, key=lambda file: file.name)


def in_groups(files: Iterable[GameFile], size: int) -> list[list[GameFile]]:
    """Files in groups of about so many bytes."""
    groups: list[list[GameFile]] = [[]]
    taken = 0
    for file in files:
        if taken >= size:
            groups.append([])
            taken = 0
        groups[-1].append(file)
        taken += cost(file)
    return groups


def cost(file: GameFile) -> int:
    """Bytes to read; finding a file takes as long as a few thousand of them."""
    return file.size + 4096


# In the tasks


def open_file(file: GameFile) -> pa.NativeFile:
    """The bytes of a file, packed as they are."""
    system = fs.FileSystem.from_uri(file.system)[0] if file.system else fs.LocalFileSystem()
    return system.open_input_stream(file.path, compression=None)


def unreadable(file: GameFile, fault: str) -> dict:
    """The row of a file that can't be read, which jigo makes a finding of."""
    return {"id": file.name, "sgf": b"", "fault": fault}


def read_whole(files: Iterable[GameFile]) -> Iterator[pa.RecordBatch]:
    """Small files of games, a row each, some of them to a batch. One that can't be read is a row that says so."""
    rows: list[dict] = []
    size = 0
    for file in files:
        try:
            with open_file(file) as stream:
                rows.append({"id": file.name, "sgf": stream.read()})
        except OSError as error:
            rows.append(unreadable(file, f"I001 {error}"))
        size += cost(file)
        if size >= BATCH_BYTES:
            yield pa.RecordBatch.from_pylist(rows, schema=PARTS)
            rows, size = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=PARTS)


def cut(files: Iterable[GameFile], job: Job) -> Iterator[pa.RecordBatch]:
    """Large files and archives, cut into parts at the ends of games. A file is never in memory as a whole."""
    for file in files:
        try:
            stream = open_file(file) if file.system else None
        except OSError as error:
            yield pa.RecordBatch.from_pylist([unreadable(file, f"I001 {error}")], schema=PARTS)
            continue
        source = ["--stdin-name", file.name, "-"] if stream else [file.path]
        arguments = [*program(job), "split", "--quiet", "--max-bytes", str(job.part_bytes), *source]
        with starting():
            process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with process:
            feeder = threading.Thread(target=feed, args=(stream, process), daemon=True)
            feeder.start()
            cut_off = yield from parts_from(process.stdout)
            feeder.join()
        if process.returncode < 0:
            # The parts until then are whole games; what comes behind them is not known.
            fault = f"X001 jigo split was ended by signal {-process.returncode}; the rest of the file is not read"
            yield pa.RecordBatch.from_pylist([unreadable(file, fault)], schema=PARTS)
        elif cut_off or process.returncode > 1:
            said = "the log of the executor tells why"
            raise RuntimeError(f"jigo split {file.path} ended with {process.returncode}; {said}")


def parts_from(stream: pa.NativeFile) -> Generator[pa.RecordBatch, None, bool]:
    """The parts that ``jigo split`` writes; returns whether its stream breaks off."""
    try:
        with ipc.open_stream(stream) as parts:
            for batch in parts:
                yield batch.select(PARTS.names).cast(PARTS)
    except (pa.ArrowInvalid, OSError):
        return True
    return False


@contextmanager
def starting() -> Iterator[None]:
    """Says what to do where a binary can't be started."""
    try:
        yield
    except OSError as error:
        remedy = "build jigo for the machines of the cluster and name that binary with --jigo PATH"
        raise RuntimeError(f"jigo can't be started on {machine()}: {error}; {remedy}") from error


def machine() -> str:
    """What this machine is called, and what it is."""
    return f"{platform.node()} ({platform.system()} {platform.machine()})"


def feed(stream: pa.NativeFile | None, process: subprocess.Popen[bytes]) -> None:
    """Copies a stream to standard input of a process. One that has seen enough may close it."""
    try:
        with process.stdin as stdin:
            if stream is not None:
                with stream:
                    shutil.copyfileobj(stream, stdin, 1 << 20)
    except BrokenPipeError:
        pass


def runs(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches put together until there is enough work for a process."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= RUN_BYTES:
            yield pa.Table.from_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


class Shard(NamedTuple):
    """Every so manieth game of a part, from a number on that counts from 1: what ``--shard`` takes."""

    number: int
    of: int

    def halves(self) -> list[Shard]:
        """The same games in two shards."""
        return [Shard(self.number, 2 * self.of), Shard(self.number + self.of, 2 * self.of)]


WHOLE = Shard(1, 1)
NO_GAME = Shard(1 << 62, 1 << 62)
"""A shard that no game is in, since no part has as many."""

OF_PARTS = ("bytes", "failed_sources", "sources")
"""What a summary says of parts and not of games."""


def analyze(batches: Iterable[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """The rows of jigo for parts of files, and a summary of each run."""
    for parts in runs(batches):
        yield from survive(parts, job)


def survive(parts: pa.Table, job: Job) -> Iterator[pa.RecordBatch]:
    """The rows for parts. When jigo does not survive them, they are halved until the one is found that it dies of."""
    died = yield from run_jigo(parts, job, WHOLE)
    if died and parts.num_rows > 1:
        half = parts.num_rows // 2
        yield from survive(parts.slice(0, half), job)
        yield from survive(parts.slice(half), job)
    elif died and (yield from run_jigo(parts, job, NO_GAME)):
        # It does not even find the games.
        yield from poisonous(parts, None, died, job)
    elif died:
        for half in WHOLE.halves():
            yield from survive_games(parts, half, job)


def survive_games(part: pa.Table, shard: Shard, job: Job) -> Iterator[pa.RecordBatch]:
    """The rows for games of a part, which are halved until the one is found that jigo dies of."""
    died = yield from run_jigo(part, job, shard)
    text = part["sgf"][0].as_py()
    if died and shard.of > text.count(b"(") + text.count(b";"):
        # Not more than one game is in this shard.
        first = part["game"][0].as_py() or 1
        yield from poisonous(part, first + (shard.number - first) % shard.of, died, job)
    elif died:
        for half in shard.halves():
            yield from survive_games(part, half, job)


def run_jigo(parts: pa.Table, job: Job, shard: Shard) -> Generator[pa.RecordBatch, None, str]:
    """The rows and the summary of a run of jigo; returns what ended it when it did not survive, and no rows then."""
    with tempfile.TemporaryDirectory() as folder:
        write_parts(parts, folder)
        ended = run(job, [*command_line(job, folder), "--shard", f"{shard.number}/{shard.of}"], folder)
        if ended.code < 0:
            return f"jigo was ended by signal {-ended.code}"
        if failed(ended, folder):
            raise RuntimeError(f"jigo on {platform.node()}: {ended.said}")
        for name, schema in job.schemas.items():
            with ipc.open_stream(f"{folder}/{name}.arrows") as stream:
                for batch in stream:
                    yield in_column(name, pa.Table.from_batches([batch]).cast(schema), job)
        summary = summary_in(folder)
        if shard not in (WHOLE, NO_GAME):
            summary = {name: count for name, count in summary.items() if name not in OF_PARTS}
        yield in_column("summary", [json.dumps(summary)], job)
        return ""


class Ended(NamedTuple):
    """How a command ended: its exit code, or the signal that ended it with a minus, and what it said."""

    code: int
    said: str


class Module:
    """The module jigo in a process of its own, which carries out one command after another.

    It is there for all batches of a worker of Spark, which has one thread. A game that jigo does not survive ends that
    process and not the worker; the next command starts another.
    """

    def __init__(self, version: str) -> None:
        self.version = version
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, words: list[str], folder: str) -> Ended:
        """Carries a command out; what it says goes through a file of the folder."""
        said = Path(folder, "said.txt")
        said.touch()
        code = self.answer(json.dumps({"words": words, "said": str(said)}))
        if code is None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
            self.process.stdout.close()
            code, self.process = self.process.wait(), None
        return Ended(code, said.read_text(encoding="utf-8", errors="replace"))

    def answer(self, request: str) -> int | None:
        """The exit code of a command, or None where the process ended instead."""
        process = self.started()
        try:
            process.stdin.write(request.encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return None
        line = process.stdout.readline()
        return int(line) if line else None

    def started(self) -> subprocess.Popen[bytes]:
        """The process, which says its version first."""
        if self.process is None:
            words = [sys.executable, "-m", "jigo._serve"]
            self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            version = self.process.stdout.readline().decode().strip()
            if version != self.version:
                found = f"has jigo {version}" if version else "does not have jigo"
                remedy = f"pip install jigo=={self.version} there, or name a binary with --jigo PATH"
                raise RuntimeError(f"Python on {machine()} {found}, that of the driver {self.version}: {remedy}")
        return self.process


MODULES: dict[str, Module] = {}
"""The module of this process, by its version."""


def run(job: Job, words: list[str], folder: str, binary: str = "") -> Ended:
    """Runs a command of jigo to its end."""
    if not job.binary:
        return MODULES.setdefault(job.version, Module(job.version)).run(words, folder)
    with starting():
        arguments = [binary or SparkFiles.get(job.binary), *words]
        nothing = subprocess.DEVNULL
        ended = subprocess.run(arguments, stdin=nothing, stdout=nothing, stderr=subprocess.PIPE, check=False)
    return Ended(ended.returncode, ended.stderr.decode(errors="replace"))


def failed(ended: Ended, folder: str) -> bool:
    """Whether jigo did not do its work. A loader that misses a library may end with 1, as jigo does with findings."""
    return ended.code not in (0, 1) or not Path(folder, "summary.json").exists()


def summary_in(folder: str) -> dict:
    """The summary that jigo has written, without the files of that run."""
    summary = json.loads(Path(folder, "summary.json").read_text(encoding="utf-8"))
    summary.pop("files", None)
    return summary


def poisonous(part: pa.Table, game: int | None, detail: str, job: Job) -> Iterator[pa.RecordBatch]:
    """The finding for a game that jigo does not survive, or for a part whose games it does not find."""
    finding = {"id": part["id"][0].as_py(), "game": game, "offset": part["offset"][0].as_py() or 0, "code": "X001"}
    finding |= {"name": "internal-error", "severity": "error", "detail": detail}
    if "findings" in job.schemas:
        yield in_column("findings", pa.Table.from_pylist([finding], job.schemas["findings"]), job)
    summary = {"findings": {"error": 1, "by_code": {"X001": 1}}}
    summary["games_with"] = {"error": 1, "by_class": {"X": 1}, "by_code": {"X001": 1}}
    summary |= {"games": {"found": 1, "unreadable": 1}} if game else {"sources": 1}
    yield in_column("summary", [json.dumps(summary)], job)


def in_column(name: str, rows: pa.Table | list[str], job: Job) -> pa.RecordBatch:
    """Rows of a table, or a summary, in the column of that name; the other columns are empty."""
    output = job.output()
    cells = rows.to_struct_array().combine_chunks() if isinstance(rows, pa.Table) else pa.array(rows)
    columns = [cells.cast(field.type) if field.name == name else pa.nulls(len(cells), field.type) for field in output]
    return pa.RecordBatch.from_arrays(columns, schema=output)


def command_line(job: Job, folder: str) -> list[str]:
    """A command of jigo, from the parts in a folder to tables beside them, named as they are."""
    if job.command == "report":
        output = ["--out", folder]
    else:
        table = TABLES[job.command][0]
        output = ["--output", f"{folder}/{table}.arrows", "--summary", f"{folder}/summary.json"]
    command = ["check", "--table", job.command] if job.command in ("turns", "keys") else [job.command]
    arguments = [*command, "--input-format", "arrow", "--format", "arrow", *output]
    return [*arguments, "--quiet", "--jobs", str(job.threads), *job.options, f"{folder}/{GIVEN}"]


def program(job: Job) -> list[str]:
    """The command jigo on this machine: the binary as Spark has brought it here, or that of the module."""
    return [SparkFiles.get(job.binary)] if job.binary else [sys.executable, "-m", "jigo"]


def write_parts(parts: pa.Table, folder: str) -> None:
    """Writes parts into a folder as an Arrow IPC stream, in batches that are neither small nor large."""
    rows = parts.num_rows * BATCH_BYTES // max(parts.nbytes, 1)
    with ipc.new_stream(f"{folder}/{GIVEN}", parts.schema) as writer:
        writer.write_table(parts.combine_chunks(), max_chunksize=max(rows, 1))


# In the driver


def ask(job: Job, binary: str) -> tuple[dict[str, pa.Schema], dict]:
    """The schemas of the tables, with words as strings and no cell required, and the summary of no games."""
    with tempfile.TemporaryDirectory() as folder:
        write_parts(PARTS.empty_table(), folder)
        try:
            ended = run(job, command_line(job, folder), folder, binary)
        except RuntimeError as error:
            raise SystemExit(f"jigo_spark: {error}") from error
        if ended.code or failed(ended, folder):
            raise SystemExit(f"jigo_spark: {ended.said}")
        schemas = {}
        for name in TABLES[job.command]:
            with ipc.open_stream(f"{folder}/{name}.arrows") as stream:
                schemas[name] = pa.schema([pa.field(field.name, plain(field.type)) for field in stream.schema])
        return schemas, summary_in(folder)


def plain(kind: pa.DataType) -> pa.DataType:
    """The type of the words of a dictionary; any other type as it is."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


Work: TypeAlias = "Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]"


def rows_of(
    spark: SparkSession,
    uris: list[str],
    job: Job,
    partitions: int | None,
    work: Work | None = None,
    schema: pa.Schema | None = None,
) -> DataFrame:
    """The rows of all inputs: small files are read where they are analysed, the parts of large ones go to all tasks.

    ``work`` makes rows of ``schema`` of parts; else they are analysed.
    """
    tables = [uri for uri in uris if uri.rstrip("/").endswith(".parquet")]
    files = [file for uri in uris if uri not in tables for file in list_files(uri)]
    small = [file for file in files if file.size <= job.part_bytes and file.name.lower().endswith(GAMES)]
    large = sorted(set(files).difference(small))
    slots = 4 * spark.sparkContext.defaultParallelism
    output = from_arrow_schema(schema or job.output())
    # At most as much for a task as it can do in a few minutes, so that one that is lost is not much lost.
    share = min(16 << 20, sum(map(cost, small)) // (partitions or slots) + 1)

    def plan(group: list[GameFile], size: int) -> DataFrame:
        groups = in_groups(group, size)
        kinds = {name: LongType() if name == "size" else StringType() for name in GameFile._fields}
        schema = StructType([StructField(name, kind) for name, kind in kinds.items()])
        return spark.createDataFrame(spark.sparkContext.parallelize(groups, len(groups)).flatMap(list), schema)

    def of_parts(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return work(parts) if work else analyze(parts, job)

    def read_and_analyze(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return of_parts(read_whole(files_in(batches)))

    def cut_files(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return cut(files_in(batches), job)

    def analyze_parts(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return of_parts(batch.cast(PARTS) for batch in batches)

    results = []
    if small:
        results.append(plan(small, share).mapInArrow(read_and_analyze, output))
    parts = []
    if large:
        parts.append(plan(large, 1).mapInArrow(cut_files, from_arrow_schema(PARTS)))
    for uri in tables:
        # A wildcard is one unless there is a file of that name.
        path = literally(uri) if place_of(spark, uri).exists(uri) else uri
        parts.append(parts_in(spark.read.parquet(path), uri))
    for frame in parts:
        results.append(frame.repartition(partitions or slots).mapInArrow(analyze_parts, output))
    if not results:
        raise SystemExit("jigo_spark: no file of games and no archive in the input")
    rows = results[0]
    for more in results[1:]:
        rows = rows.unionByName(more)
    return rows


def files_in(batches: Iterable[pa.RecordBatch]) -> Iterator[GameFile]:
    """The files that rows of a plan name."""
    for batch in batches:
        for row in batch.to_pylist():
            yield GameFile(**row)


def parts_in(frame: DataFrame, uri: str) -> DataFrame:
    """A table with id and sgf, such as ``jigo split --format parquet`` writes, with all columns of a part."""
    missing = {"id", "sgf"}.difference(frame.columns)
    if missing:
        columns = ", ".join(frame.columns)
        raise SystemExit(f"jigo_spark: {uri} has no column {' and no '.join(sorted(missing))}, only {columns}")
    columns = []
    for field in from_arrow_schema(PARTS):
        cell = field.name if field.name in frame.columns else "null"
        columns.append(f"cast({cell} as {field.dataType.simpleString()}) as {field.name}")
    parts = frame.selectExpr(*columns)
    # jigo would name such a row by its number, and here that is one in a partition.
    return parts.withColumns(
        {
            "fault": expr(
                "case when id is null then 'I014 id is missing'"
                " when sgf is null then coalesce(fault, 'I014 sgf is missing') else fault end"
            ),
            "sgf": expr("case when id is null or sgf is null then X'' else sgf end"),
            "id": expr("coalesce(id, '-')"),
        }
    )


class Place:
    """A folder of any file system that Spark writes to."""

    def __init__(self, spark: SparkSession, uri: str) -> None:
        jvm = spark.sparkContext._jvm
        self._path = jvm.org.apache.hadoop.fs.Path
        self._system = self._path(uri).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())

    def exists(self, uri: str) -> bool:
        """Whether there is anything."""
        return bool(self._system.exists(self._path(uri)))

    def file_above(self, uri: str) -> str:
        """The file that stands where a folder above a path has to be, if there is one."""
        path = self._path(uri).getParent()
        while path is not None and not self._system.exists(path):
            path = path.getParent()
        is_file = path is not None and self._system.getFileStatus(path).isFile()
        return str(path.toString()) if is_file else ""

    def delete(self, uri: str) -> None:
        """Takes away a folder with all that is in it, if it is there."""
        self._system.delete(self._path(uri), True)

    def move(self, source: str, target: str) -> None:
        """Puts a folder in the place of another."""
        self.delete(target)
        self._system.mkdirs(self._path(target).getParent())
        if not self._system.rename(self._path(source), self._path(target)):
            raise SystemExit(f"jigo_spark: cannot move {source} to {target}")

    def write(self, uri: str, text: str) -> None:
        """Writes a file."""
        with closing(self._system.create(self._path(uri), True)) as file:
            file.write(bytearray(text, "utf-8"))


def place_of(spark: SparkSession, uri: str) -> Place:
    """The place that Spark knows by a URI."""
    try:
        return Place(spark, uri)
    except Py4JJavaError as error:
        reason = error.java_exception.getMessage()
        remedy = "object storage needs s3a: and its jars"
        raise SystemExit(f"jigo_spark: Spark can't reach {uri}: {reason}; {remedy}") from error


def added(summaries: Iterable[dict]) -> dict:
    """Summaries added up, number by number; anything else is that of the last one."""
    total: dict = {}
    for summary in summaries:
        for key, value in summary.items():
            if isinstance(value, dict):
                total[key] = added([total.get(key, {}), value])
            elif isinstance(value, int):
                total[key] = total.get(key, 0) + value
            else:
                total[key] = value
    return total


def literally(uri: str) -> str:
    """A path for Spark to read that stands for itself, whatever wildcards are in it."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", uri)


def write(place: Place, rows: DataFrame, nothing: dict, folders: dict[str, str], output: str) -> dict:
    """Writes the tables and the summary, each into its folder; gives the summary, which is counted on from nothing."""
    spark, tables = rows.sparkSession, [name for name in folders if name != "summary"]
    # Spark passes over names that begin with an underscore, so nobody reads what is not finished.
    attempt = f"{output}/_attempt-{uuid.uuid4().hex}"
    try:
        rows.write.parquet(f"{attempt}/rows")
        everything = spark.read.parquet(literally(f"{attempt}/rows"))
        for name in tables:
            everything.where(f"{name} is not null").select(f"{name}.*").write.parquet(f"{attempt}/{name}")
        texts = everything.where("summary is not null").select("summary").collect()
        summary = added([nothing, *(json.loads(row.summary) for row in texts)])
        place.write(f"{attempt}/summary/summary.json", json.dumps(summary, indent=2, sort_keys=True) + "\n")
        # Where the summary stands, the tables belong together: it goes first and comes last.
        place.delete(folders["summary"])
        for name, folder in folders.items():
            place.move(f"{attempt}/{name}", folder)
    finally:
        place.delete(attempt)
    return summary


def find_jigo(named: str | None) -> tuple[str, str]:
    """The binary that is named, or else the version of the module jigo, or else the binary of that name."""
    if named is None:
        try:
            return "", metadata.version("jigo")
        except metadata.PackageNotFoundError:
            pass
    binary = shutil.which(named or "jigo")
    if binary is None:
        what = f"no program {named}" if named else "neither a module nor a program jigo: pip install jigo"
        raise SystemExit(f"jigo_spark: there is {what}; a binary is named with --jigo PATH")
    return binary, ""


def parser_of(described: str) -> argparse.ArgumentParser:
    """The flags that every job has."""
    parser = argparse.ArgumentParser(description=described.splitlines()[0], epilog="Options behind -- go to jigo.")
    parser.add_argument(
        "--input", required=True, nargs="+", metavar="URI", help="files, folders, archives; *.parquet: id and sgf"
    )
    parser.add_argument("--output", required=True, metavar="URI", help="folder for the tables, as Spark names it")
    parser.add_argument("--force", action="store_true", help="replace tables that are there")
    binary = "the binary for the executors [default: the module jigo, where it is installed, or else the program jigo]"
    parser.add_argument("--jigo", metavar="PATH", help=binary)
    parser.add_argument("--partitions", type=int, metavar="N", help="tasks to work in [default: 4 for each core]")
    parser.add_argument("--part-bytes", type=int, default=256 << 10, metavar="N", help="cut files larger than this")
    return parser


def parse(parser: argparse.ArgumentParser, arguments: list[str], refused: Iterable[str] = ()) -> argparse.Namespace:
    """The flags; what stands behind ``--`` is for jigo, but for what makes no sense in a job."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = parser.parse_args(arguments[:end])
    flags.options = arguments[end + 1 :]
    for option in flags.options:
        if option.partition("=")[0] in (*OF_ONE_RUN, *refused):
            parser.error(f"{option} is for one run of jigo; a job has many")
    return flags


def main(arguments: list[str]) -> int:
    """Runs the job; ends with 1 where there are findings of severity error, as jigo does."""
    parser = parser_of(__doc__)
    parser.add_argument("command", choices=JOBS, help="what jigo does")
    parser.add_argument("--partition", default="", metavar="KEY=VALUE", help="write this partition of the tables only")
    flags = parse(parser, arguments)
    binary, version = find_jigo(flags.jigo)
    job = Job(flags.command, flags.options, {}, flags.part_bytes, 1, Path(binary).name, version)
    schemas, nothing = ask(job, binary)
    output = flags.output.rstrip("/")
    folders = {name: "/".join(filter(None, [output, name, flags.partition])) for name in [*schemas, "summary"]}
    session = SparkSession.builder.appName(f"jigo {flags.command}")
    # A batch of parts has to fit into memory, on its way to the task and in it.
    session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
    session.config("spark.sql.execution.arrow.maxBytesPerBatch", str(RUN_BYTES))
    with session.getOrCreate() as spark:
        place = place_of(spark, output)
        in_the_way = next(filter(None, map(place.file_above, folders.values())), "")
        if in_the_way:
            raise SystemExit(f"jigo_spark: {in_the_way} is a file, not a folder; name another with --output")
        standing = [folder for folder in folders.values() if place.exists(folder)]
        if standing and not flags.force:
            raise SystemExit(f"jigo_spark: {standing[0]} is there already; --force replaces it")
        job = job._replace(schemas=schemas, threads=int(spark.conf.get("spark.task.cpus", "1")))
        spark.sparkContext.addPyFile(__file__)
        if binary:
            spark.sparkContext.addFile(str(Path(binary).resolve()))
        rows = rows_of(spark, flags.input, job, flags.partitions)
        summary = write(place, rows, nothing, folders, output)
    print(json.dumps(summary, indent=2, sort_keys=True))
    return 1 if summary.get("findings", {}).get("error") else 0


if __name__ == "__main__":
    # Tasks take what is here from a module, so that a worker keeps its process of jigo from one to the next.
    import jigo_spark

    sys.exit(jigo_spark.main(sys.argv[1:]))
