"""Runs jigo over an archive of game records on Apache Spark: the rows are those of one machine.

    spark-submit jigo_spark.py report --input s3://bucket/games --output s3a://bucket/audit

Tasks read small files and split large ones between games with ``jigo split``. The parts go to all
tasks, which pass them to jigo with ``mapInArrow``. By default this is the module jigo, in one
process for all batches of a worker. If the module is not installed, or ``--jigo`` names a binary,
each batch starts a process.

Rows are first written as Parquet to a temporary folder of the attempt. They move to their
destination when all of them are complete, so a rerun replaces a table either completely or not at
all. Options after ``--`` go to jigo.
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
"""The tables of each command."""

# The test readme::spark_suffixes_match_the_program compares these with the program and can renew
# them.
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
"""A file of records or a part of one: the columns for ``--input-format arrow``."""

JOBS = ("check", "turns", "score", "report", "keys")
"""The commands whose rows depend on one game only."""

OF_ONE_RUN = ("--shard", "--limit", "--output", "--out", "--summary", "--format", "--jobs", "--write-baseline")
"""Options of jigo that a job can't support."""

RUN_BYTES = 8 << 20
"""The approximate number of bytes of text for one run of jigo."""

GIVEN = "parts.arrows"
"""The name of the file with the parts of a run."""

BATCH_BYTES = 256 << 10
"""The approximate number of bytes of text in a batch. A batch with a single game has too much
overhead.
"""


class GameFile(NamedTuple):
    """A file to read: file system (empty for the local one), path, name on one machine, length in
    bytes.
    """

    system: str
    path: str
    name: str
    size: int


class Job(NamedTuple):
    """The data that a task needs."""

    command: str
    options: list[str]
    schemas: dict[str, pa.Schema]
    part_bytes: int
    threads: int
    binary: str
    """The name of the binary for the job; empty if the module jigo is used."""
    version: str
    """The version of the module."""

    def output(self) -> pa.Schema:
        """Returns a schema with one column per table, and one for summaries. Each row fills one of
        them.
        """
        tables = [pa.field(name, pa.struct(list(schema))) for name, schema in self.schemas.items()]
        return pa.schema([*tables, pa.field("summary", pa.string())])


# Inputs


def is_wanted(name: str) -> bool:
    """Returns true if jigo reads a file with this name when it finds it in a folder."""
    lower = name.lower()
    inner = next((lower.removesuffix(end) for end in PACKED if lower.endswith(end)), lower)
    return inner.endswith((*GAMES, *ARCHIVES, *PACKED) if inner != lower else (*GAMES, *ARCHIVES))


def list_files(uri: str) -> list[GameFile]:
    """Returns the files below a URI or a local path, by name. A named file is read whatever its
    name.
    """
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
    # A path of object storage starts with the bucket. User names and passwords must not appear in
    # names.
    root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2] if path.startswith('/') else ''}"
    is_local = parts.scheme == "file"
    located = [
        GameFile("" if is_local else uri, info.path, info.path if is_local else root + info.path, info.size)
        for info in files
    ]
    return sorted(located, key=lambda file: file.name)


def in_groups(files: Iterable[GameFile], size: int) -> list[list[GameFile]]:
    """Divides files into groups of about ``size`` bytes."""
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
    """Returns the bytes to read. Opening a file takes as long as a few thousand of them."""
    return file.size + 4096


# Tasks


def open_file(file: GameFile) -> pa.NativeFile:
    """Opens a file without decompression."""
    system = fs.FileSystem.from_uri(file.system)[0] if file.system else fs.LocalFileSystem()
    return system.open_input_stream(file.path, compression=None)


def unreadable(file: GameFile, fault: str) -> dict:
    """Returns the row of an unreadable file, which jigo reports as a finding."""
    return {"id": file.name, "sgf": b"", "fault": fault}


def read_whole(files: Iterable[GameFile]) -> Iterator[pa.RecordBatch]:
    """Reads small game files, one per row. An unreadable file becomes a row with a fault."""
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
    """Splits large files and archives between games. A file is never in memory as a whole."""
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
            # The parts so far are whole games. The rest of the file is unknown.
            fault = f"X001 jigo split was ended by signal {-process.returncode}; the rest of the file is not read"
            yield pa.RecordBatch.from_pylist([unreadable(file, fault)], schema=PARTS)
        elif cut_off or process.returncode > 1:
            cause = "the log of the executor tells why"
            raise RuntimeError(f"jigo split {file.path} ended with {process.returncode}; {cause}")


def parts_from(stream: pa.NativeFile) -> Generator[pa.RecordBatch, None, bool]:
    """Yields the parts that ``jigo split`` writes. Returns true if its stream is incomplete."""
    try:
        with ipc.open_stream(stream) as parts:
            for batch in parts:
                yield batch.select(PARTS.names).cast(PARTS)
    except (pa.ArrowInvalid, OSError):
        return True
    return False


@contextmanager
def starting() -> Iterator[None]:
    """Adds a remedy to the error of a binary that can't be started."""
    try:
        yield
    except OSError as error:
        remedy = "build jigo for the machines of the cluster and name that binary with --jigo PATH"
        raise RuntimeError(f"jigo can't be started on {machine()}: {error}; {remedy}") from error


def machine() -> str:
    """Returns the name and the platform of this machine."""
    return f"{platform.node()} ({platform.system()} {platform.machine()})"


def feed(stream: pa.NativeFile | None, process: subprocess.Popen[bytes]) -> None:
    """Copies a stream to the standard input of a process, which may close it early."""
    try:
        with process.stdin as stdin:
            if stream is not None:
                with stream:
                    shutil.copyfileobj(stream, stdin, 1 << 20)
    except BrokenPipeError:
        pass


def runs(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Joins batches until there is enough work for a process."""
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
    """Every ``of``-th game of a part, starting with ``number`` (from 1), as in ``--shard``."""

    number: int
    of: int

    def halves(self) -> list[Shard]:
        """Divides the games into two shards."""
        return [Shard(self.number, 2 * self.of), Shard(self.number + self.of, 2 * self.of)]


WHOLE = Shard(1, 1)
NO_GAME = Shard(1 << 62, 1 << 62)
"""An empty shard, since no part has as many games."""

OF_PARTS = ("bytes", "failed_sources", "sources")
"""The counts of a summary that count parts, not games."""


def analyze(batches: Iterable[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """Yields the rows of jigo for parts of files, and a summary of each run."""
    for parts in runs(batches):
        yield from survive(parts, job)


def survive(parts: pa.Table, job: Job) -> Iterator[pa.RecordBatch]:
    """Yields the rows for parts. If jigo crashes, halves the parts until the fatal one is found."""
    died = yield from run_jigo(parts, job, WHOLE)
    if died and parts.num_rows > 1:
        half = parts.num_rows // 2
        yield from survive(parts.slice(0, half), job)
        yield from survive(parts.slice(half), job)
    elif died and (yield from run_jigo(parts, job, NO_GAME)):
        # jigo crashes even without analysing a game.
        yield from crash_rows(parts, None, died, job)
    elif died:
        for half in WHOLE.halves():
            yield from survive_games(parts, half, job)


def survive_games(part: pa.Table, shard: Shard, job: Job) -> Iterator[pa.RecordBatch]:
    """Yields the rows for games of a part. If jigo crashes, halves the games until the fatal one is
    found.
    """
    died = yield from run_jigo(part, job, shard)
    text = part["sgf"][0].as_py()
    if died and shard.of > text.count(b"(") + text.count(b";"):
        # This shard contains at most one game.
        first = part["game"][0].as_py() or 1
        yield from crash_rows(part, first + (shard.number - first) % shard.of, died, job)
    elif died:
        for half in shard.halves():
            yield from survive_games(part, half, job)


def run_jigo(parts: pa.Table, job: Job, shard: Shard) -> Generator[pa.RecordBatch, None, str]:
    """Yields the rows and the summary of a run. If jigo crashes, yields nothing and returns the
    reason.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_parts(parts, folder)
        ended = run(job, [*command_line(job, folder), "--shard", f"{shard.number}/{shard.of}"], folder)
        if ended.code < 0:
            return f"jigo was ended by signal {-ended.code}"
        if failed(ended, folder):
            raise RuntimeError(f"jigo on {platform.node()}: {ended.stderr}")
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
    """The end of a command: exit code, or negative signal number, and standard error."""

    code: int
    stderr: str


class Module:
    """The module jigo in a separate process, which runs one command after the other.

    The process serves all batches of a Spark worker, which has one thread. A game that crashes jigo
    ends this process, but not the worker. The next command starts a new process.
    """

    def __init__(self, version: str) -> None:
        self.version = version
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, words: list[str], folder: str) -> Ended:
        """Runs a command. Its standard error goes to a file in the folder."""
        stderr = Path(folder, "stderr.txt")
        stderr.touch()
        code = self.answer(json.dumps({"words": words, "stderr": str(stderr)}))
        if code is None:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
            self.process.stdout.close()
            code, self.process = self.process.wait(), None
        return Ended(code, stderr.read_text(encoding="utf-8", errors="replace"))

    def answer(self, request: str) -> int | None:
        """Returns the exit code of a command, or None if the process ended instead."""
        process = self.started()
        try:
            process.stdin.write(request.encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return None
        line = process.stdout.readline()
        return int(line) if line else None

    def started(self) -> subprocess.Popen[bytes]:
        """Returns the process. A new process first reports its version."""
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
    """Returns true if jigo did not complete its work.

    The exit code is not enough: 1 means findings, but a dynamic loader also ends with 1 if a
    library is missing.
    """
    return ended.code not in (0, 1) or not Path(folder, "summary.json").exists()


def summary_in(folder: str) -> dict:
    """Returns the summary that jigo wrote, without its list of files."""
    summary = json.loads(Path(folder, "summary.json").read_text(encoding="utf-8"))
    summary.pop("files", None)
    return summary


def crash_rows(part: pa.Table, game: int | None, detail: str, job: Job) -> Iterator[pa.RecordBatch]:
    """Yields the finding for a game that crashes jigo, or for a part whose games can't be
    determined.
    """
    finding = {"id": part["id"][0].as_py(), "game": game, "offset": part["offset"][0].as_py() or 0, "code": "X001"}
    finding |= {"name": "internal-error", "severity": "error", "detail": detail}
    if "findings" in job.schemas:
        yield in_column("findings", pa.Table.from_pylist([finding], job.schemas["findings"]), job)
    summary = {"findings": {"error": 1, "by_code": {"X001": 1}}}
    summary["games_with"] = {"error": 1, "by_class": {"X": 1}, "by_code": {"X001": 1}}
    summary |= {"games": {"found": 1, "unreadable": 1, "with_errors": 1}} if game else {"sources": 1}
    yield in_column("summary", [json.dumps(summary)], job)


def in_column(name: str, rows: pa.Table | list[str], job: Job) -> pa.RecordBatch:
    """Puts rows of a table, or summaries, into the column with this name. The other columns are
    empty.
    """
    output = job.output()
    cells = rows.to_struct_array().combine_chunks() if isinstance(rows, pa.Table) else pa.array(rows)
    columns = [cells.cast(field.type) if field.name == name else pa.nulls(len(cells), field.type) for field in output]
    return pa.RecordBatch.from_arrays(columns, schema=output)


def command_line(job: Job, folder: str) -> list[str]:
    """Returns a command line from the parts in a folder to tables in the same folder, named after
    them.
    """
    if job.command == "report":
        output = ["--out", folder]
    else:
        table = TABLES[job.command][0]
        output = ["--output", f"{folder}/{table}.arrows", "--summary", f"{folder}/summary.json"]
    command = ["check", "--table", job.command] if job.command in ("turns", "keys") else [job.command]
    arguments = [*command, "--input-format", "arrow", "--format", "arrow", *output]
    return [*arguments, "--quiet", "--jobs", str(job.threads), *job.options, f"{folder}/{GIVEN}"]


def program(job: Job) -> list[str]:
    """Returns the command jigo on this machine: the binary that Spark has distributed, or the
    module.
    """
    return [SparkFiles.get(job.binary)] if job.binary else [sys.executable, "-m", "jigo"]


def write_parts(parts: pa.Table, folder: str) -> None:
    """Writes parts into a folder as an Arrow IPC stream, in batches of a suitable size."""
    rows = parts.num_rows * BATCH_BYTES // max(parts.nbytes, 1)
    with ipc.new_stream(f"{folder}/{GIVEN}", parts.schema) as writer:
        writer.write_table(parts.combine_chunks(), max_chunksize=max(rows, 1))


# Driver


def ask(job: Job, binary: str) -> tuple[dict[str, pa.Schema], dict]:
    """Returns the schemas of the tables, and the summary of a run without games.

    All cells may be empty.
    """
    with tempfile.TemporaryDirectory() as folder:
        write_parts(PARTS.empty_table(), folder)
        try:
            ended = run(job, command_line(job, folder), folder, binary)
        except RuntimeError as error:
            raise SystemExit(f"jigo_spark: {error}") from error
        if ended.code or failed(ended, folder):
            raise SystemExit(f"jigo_spark: {ended.stderr}")
        schemas = {}
        for name in TABLES[job.command]:
            with ipc.open_stream(f"{folder}/{name}.arrows") as stream:
                schemas[name] = pa.schema([pa.field(field.name, plain(field.type)) for field in stream.schema])
        return schemas, summary_in(folder)


def plain(kind: pa.DataType) -> pa.DataType:
    """Returns the type of a column in Spark, which has neither dictionaries nor unsigned numbers.

    A hash has the type with which Spark reads the unsigned numbers of Parquet files.
    """
    if pa.types.is_dictionary(kind):
        return kind.value_type
    return pa.decimal128(20, 0) if pa.types.is_uint64(kind) else kind


Work: TypeAlias = "Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]"


def rows_of(
    spark: SparkSession,
    uris: list[str],
    job: Job,
    partitions: int | None,
    work: Work | None = None,
    schema: pa.Schema | None = None,
) -> DataFrame:
    """Returns the rows of all inputs.

    Small files are read by the tasks that analyse them. The parts of large ones go to all tasks.
    ``work`` converts parts to rows of ``schema``; by default the parts are analysed.
    """
    tables = [uri for uri in uris if uri.rstrip("/").endswith(".parquet")]
    files = [file for uri in uris if uri not in tables for file in list_files(uri)]
    small = [file for file in files if file.size <= job.part_bytes and file.name.lower().endswith(GAMES)]
    large = sorted(set(files).difference(small))
    slots = 4 * spark.sparkContext.defaultParallelism
    output = from_arrow_schema(schema or job.output())
    # Limits a task to a few minutes of work, so that losing one costs little.
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
        # A path with wildcards is a pattern unless a file with this name exists.
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
    """Yields the files in the rows of a plan."""
    for batch in batches:
        for row in batch.to_pylist():
            yield GameFile(**row)


def parts_in(frame: DataFrame, uri: str) -> DataFrame:
    """Adds the columns of a part to a table with id and sgf, such as ``jigo split --format
    parquet`` writes.
    """
    missing = {"id", "sgf"}.difference(frame.columns)
    if missing:
        columns = ", ".join(frame.columns)
        raise SystemExit(f"jigo_spark: {uri} has no column {' and no '.join(sorted(missing))}, only {columns}")
    columns = []
    for field in from_arrow_schema(PARTS):
        cell = field.name if field.name in frame.columns else "null"
        columns.append(f"cast({cell} as {field.dataType.simpleString()}) as {field.name}")
    parts = frame.selectExpr(*columns)
    # jigo would name such a row by its number, which here is only unique in a partition.
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
    """A file system that Spark can write to."""

    def __init__(self, spark: SparkSession, uri: str) -> None:
        jvm = spark.sparkContext._jvm
        self._path = jvm.org.apache.hadoop.fs.Path
        self._system = self._path(uri).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())

    def exists(self, uri: str) -> bool:
        """Returns true if a file or folder exists."""
        return bool(self._system.exists(self._path(uri)))

    def file_above(self, uri: str) -> str:
        """Returns the file that takes the place of a folder above a path, or an empty text."""
        path = self._path(uri).getParent()
        while path is not None and not self._system.exists(path):
            path = path.getParent()
        is_file = path is not None and self._system.getFileStatus(path).isFile()
        return str(path.toString()) if is_file else ""

    def delete(self, uri: str) -> None:
        """Deletes a folder with its content, if it exists."""
        self._system.delete(self._path(uri), True)

    def move(self, source: str, target: str) -> None:
        """Moves a folder to the place of another, which it replaces."""
        self.delete(target)
        self._system.mkdirs(self._path(target).getParent())
        if not self._system.rename(self._path(source), self._path(target)):
            raise SystemExit(f"jigo_spark: cannot move {source} to {target}")

    def write(self, uri: str, text: str) -> None:
        """Writes a file."""
        with closing(self._system.create(self._path(uri), True)) as file:
            file.write(bytearray(text, "utf-8"))


def place_of(spark: SparkSession, uri: str) -> Place:
    """Returns the file system of a URI."""
    try:
        return Place(spark, uri)
    except Py4JJavaError as error:
        reason = error.java_exception.getMessage()
        remedy = "object storage needs s3a: and its jars"
        raise SystemExit(f"jigo_spark: Spark can't reach {uri}: {reason}; {remedy}") from error


def added(summaries: Iterable[dict]) -> dict:
    """Adds summaries, number by number. Other values are those of the last one."""
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
    """Escapes the wildcards in a path for Spark."""
    return re.sub(r"([\\\[\]{}*?])", r"\\\1", uri)


def write(place: Place, rows: DataFrame, nothing: dict, folders: dict[str, str], output: str) -> dict:
    """Writes each table and the summary into its folder, and returns the summary.

    ``nothing`` is the summary of no games, to which the others are added.
    """
    spark, tables = rows.sparkSession, [name for name in folders if name != "summary"]
    # Spark ignores names that start with an underscore, so no reader sees incomplete tables.
    attempt = f"{output}/_attempt-{uuid.uuid4().hex}"
    try:
        rows.write.parquet(f"{attempt}/rows")
        everything = spark.read.parquet(literally(f"{attempt}/rows"))
        for name in tables:
            everything.where(f"{name} is not null").select(f"{name}.*").write.parquet(f"{attempt}/{name}")
        texts = everything.where("summary is not null").select("summary").collect()
        summary = added([nothing, *(json.loads(row.summary) for row in texts)])
        place.write(f"{attempt}/summary/summary.json", json.dumps(summary, indent=2, sort_keys=True) + "\n")
        # The presence of the summary marks consistent tables, so it is deleted first and moved
        # last.
        place.delete(folders["summary"])
        for name, folder in folders.items():
            place.move(f"{attempt}/{name}", folder)
    finally:
        place.delete(attempt)
    return summary


def find_jigo(named: str | None) -> tuple[str, str]:
    """Returns the named binary, or else the version of the module jigo, or else the binary jigo."""
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
    """Returns a parser with the flags of all jobs."""
    parser = argparse.ArgumentParser(description=described.splitlines()[0], epilog="Options after -- go to jigo.")
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
    """Parses the flags. Options after ``--`` go to jigo, except those that a job can't support."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = parser.parse_args(arguments[:end])
    flags.options = arguments[end + 1 :]
    for option in flags.options:
        if option.partition("=")[0] in (*OF_ONE_RUN, *refused):
            parser.error(f"{option} is for one run of jigo; a job has many")
    return flags


def main(arguments: list[str]) -> int:
    """Runs the job. Returns 1 if there are findings of severity error, as jigo does."""
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
    # A batch of parts must fit into memory during its transfer and in the task.
    session.config("spark.sql.execution.arrow.maxRecordsPerBatch", "200")
    session.config("spark.sql.execution.arrow.maxBytesPerBatch", str(RUN_BYTES))
    with session.getOrCreate() as spark:
        place = place_of(spark, output)
        file_above = next(filter(None, map(place.file_above, folders.values())), "")
        if file_above:
            raise SystemExit(f"jigo_spark: {file_above} is a file, not a folder; name another with --output")
        existing = [folder for folder in folders.values() if place.exists(folder)]
        if existing and not flags.force:
            raise SystemExit(f"jigo_spark: {existing[0]} is there already; --force replaces it")
        job = job._replace(schemas=schemas, threads=int(spark.conf.get("spark.task.cpus", "1")))
        spark.sparkContext.addPyFile(__file__)
        if binary:
            spark.sparkContext.addFile(str(Path(binary).resolve()))
        rows = rows_of(spark, flags.input, job, flags.partitions)
        summary = write(place, rows, nothing, folders, output)
    print(json.dumps(summary, indent=2, sort_keys=True))
    return 1 if summary.get("findings", {}).get("error") else 0


if __name__ == "__main__":
    # Import this file as a module: tasks then find the worker's process of jigo in it.
    import jigo_spark

    sys.exit(jigo_spark.main(sys.argv[1:]))
