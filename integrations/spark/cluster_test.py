"""Holds the rows of a Spark cluster to those of one machine, and measures both.

Starts a standalone master and two workers on the loopback interface, gives them the fixtures and real games where there
are some, and kills one worker in the middle of a run.

    python cluster_test.py --jigo target/release/jigo --work DIR [--games DIR] [--every N] [--whole] [--table]
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

HERE = Path(__file__).resolve().parent
SPARK = Path(pyspark.__file__).parent
PATIENCE = 600
"""Seconds after which a part of the test has failed."""

SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto"
"""Java compiles for as long as one of these jobs runs, unless it is told not to take so much care."""

QUIET = subprocess.DEVNULL


class Cluster:
    """A master and workers, one core each, on the loopback interface. All of them end with it."""

    def __init__(self, work: Path, workers: int) -> None:
        self.work = work
        self.log = work / "cluster.log"
        self.jobs: list[subprocess.Popen[bytes]] = []
        self.url = f"spark://127.0.0.1:{free_port()}"
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(work / "local"),
            "SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED,
            "PYSPARK_PYTHON": sys.executable,
        }
        port = self.url.rpartition(":")[2]
        self.master = self.start("master.Master", "--port", port, "--webui-port", str(free_port()))
        wait_until(lambda: is_open(int(port)), "the master listens")
        self.workers = [self.start_worker(number) for number in range(workers)]

    def start_worker(self, number: int) -> subprocess.Popen[bytes]:
        """A worker with one core."""
        memory = ["--cores", "1", "--memory", "1g", "--webui-port", str(free_port())]
        return self.start("worker.Worker", *memory, "--work-dir", str(self.work / f"worker-{number}"), self.url)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """A daemon of Spark in a session of its own, with the executors that it starts."""
        command = [SPARK / "bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *arguments]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, start_new_session=True)

    def submit(self, *arguments: str | Path, master: str = "") -> subprocess.Popen[bytes]:
        """Starts a job, on this cluster unless another master is named."""
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.executor.memory": "512m",
            "spark.driver.memory": "1g",
            "spark.network.timeout": "60s",
            "spark.driver.defaultJavaOptions": SHORT_LIVED,
            "spark.executor.defaultJavaOptions": SHORT_LIVED,
        }
        conf = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
        command = [
            SPARK / "bin/spark-submit",
            "--master",
            master or self.url,
            *conf,
            HERE / "jigo_spark.py",
            *arguments,
        ]
        with self.log.open("ab") as log:
            job = subprocess.Popen(
                list(map(str, command)), env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.jobs.append(job)
        return job

    def run(self, *arguments: str | Path, master: str = "") -> None:
        """Runs a job to its end."""
        code = self.submit(*arguments, master=master).wait(PATIENCE)
        assert code in (0, 1), f"spark-submit ended with {code}"

    def is_analyzing(self, number: int) -> bool:
        """Whether the program of the job is at work on a worker, which has its own copy."""
        mine = f"{self.work}/worker-{number}/"
        return any(mine in command and "--input-format" in command for command in commands())

    def lost_tasks(self) -> list[str]:
        """The tasks that were at work when their worker was lost."""
        log = self.log.read_text(errors="replace")
        return re.findall(
            r"task (\S+) in stage .* failed because while it was being computed, its executor exited", log
        )

    def cpu_seconds(self) -> float:
        """User and system time of the workers and of all that they have started, as far as it can be seen now."""
        ticks = 0
        for entry in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields = entry.read_text().rpartition(")")[2].split()
                if int(fields[3]) in {worker.pid for worker in self.workers}:
                    ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Ends all processes that this cluster has started."""
        for process in [*self.jobs, *self.workers, self.master]:
            kill_session(process)


def commands() -> Iterator[str]:
    """The command lines of all processes."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        # It may be gone by now.
        with suppress(OSError):
            yield entry.read_text(errors="replace")


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """Ends a daemon and everything it has started, at once, as if the plug were pulled."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getsid(int(entry.name)) == process.pid:
                os.kill(int(entry.name), signal.SIGKILL)
    process.wait()


@contextmanager
def cluster(work: Path, workers: int) -> Iterator[Cluster]:
    """A cluster that is gone at the end, whatever happens."""
    running = Cluster(work, workers)
    try:
        yield running
    finally:
        running.stop()


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_open(port: int) -> bool:
    """Whether somebody listens on a port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: object, what: str) -> None:
    """Waits until a condition holds."""
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, f"waited {PATIENCE} s until {what}"
        time.sleep(0.05)


def prepare(folders: dict[Path, int], folder: Path) -> Path:
    """Every so manieth file of some folders as games come: single files, a collection, archives, what can't be read.

    A table of them, cut into parts, lies beside.
    """
    for games, every in folders.items():
        for path in sorted(path for path in games.rglob("*") if path.is_file())[::every]:
            target = folder / "files" / games.name / path.relative_to(games)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".sgf")
    collection = b"\n".join(path.read_bytes() for path in files)
    (folder / "collection.sgf").write_bytes(collection)
    (folder / "packed.sgf.gz").write_bytes(gzip.compress(collection, 1))
    (folder / "cut.sgf.gz").write_bytes(gzip.compress(collection, 1)[: len(collection) // 20])
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files[::7]:
            archive.write(path, path.relative_to(folder))
    with tarfile.open(folder / "archive.tar.bz2", "w:bz2") as archive:
        for path in files[3::7]:
            archive.add(path, path.relative_to(folder))
    # A name as people give them.
    shutil.copyfile(files[0], folder / "100% 囲碁 #1 [a b]?{c}&d=é+.sgf")
    (folder / "broken.zip").write_bytes(b"PK\3\4 this is no archive")
    (folder / "empty.sgf").write_bytes(b"")
    (folder / "notes.txt").write_text("not read")
    table = folder.parent / "table"
    table.mkdir()
    shutil.copyfile(folder / "collection.sgf", table / "cut.sgf")
    return table / "cut.sgf"


def rows(table: pa.Table) -> pa.Table:
    """The rows, sorted; the first column is a file on one machine and an identifier on a cluster."""
    plain = pa.table(
        [column.cast(value_type(column.type)) for column in table.columns], ["id", *table.column_names[1:]]
    )
    return plain.sort_by([(name, "ascending") for name in plain.column_names])


def value_type(kind: pa.DataType) -> pa.DataType:
    """Words are a dictionary on one machine and strings on a cluster."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def one_machine(jigo: Path, command: str, options: list[str], games: list[Path], out: Path) -> dict[str, pa.Table]:
    """The rows of each table, from one process, and its summary beside them."""
    out.mkdir()
    table = {"check": "findings", "turns": "turns", "score": "scores"}.get(command)
    command_words = ["check", "--table", "turns"] if command == "turns" else [command]
    summary = ["--summary", out / "summary.json"]
    output = ["--output", out / f"{table}.parquet", *summary] if table else ["--out", out]
    arguments = [jigo, *command_words, "--quiet", "--format", "parquet", *output, *options, *games]
    code = subprocess.run(list(map(str, arguments)), check=False, timeout=PATIENCE).returncode
    assert code in (0, 1, 2), code
    return {path.stem: rows(pq.read_table(path)) for path in sorted(out.glob("*.parquet"))}


def assert_equal(expected: dict[str, pa.Table], output: Path) -> int:
    """Holds the tables of a job to those of one machine; gives how many rows there are."""
    for name, of_one_machine in expected.items():
        of_spark = rows(pq.ParquetDataset(output / name).read())
        if not of_spark.equals(of_one_machine):
            missing, more = only_in(of_one_machine, of_spark), only_in(of_spark, of_one_machine)
            counts = f"{len(of_spark)} rows instead of {len(of_one_machine)}"
            raise AssertionError(f"{name}: {counts}; missing {missing}, too many {more}; {of_spark.schema}")
    assert not list(output.glob("_attempt-*")), "an attempt was left over"
    return sum(map(len, expected.values()))


def only_in(some: pa.Table, others: pa.Table) -> list[str]:
    """A few rows that are not among others."""
    return sorted(set(map(repr, some.to_pylist())).difference(map(repr, others.to_pylist())))[:3]


def summary_of(path: Path) -> dict:
    """A summary without the number of sources: members of an archive count for themselves where it was cut."""
    return {name: count for name, count in json.loads(path.read_text()).items() if name != "sources"}


def equality(running: Cluster, jigo: Path, games: list[Path], given: list[Path], is_whole: bool) -> None:
    """Every command. A worker is lost in the middle of the last one, or of each when all games there are take part."""
    work = running.work
    # A row for each turn: a seventh of the games is enough.
    archive = [games[0] / "archive.zip"]
    for command, options, taken, from_ in [
        ("check", ["--rules", "all"], games, given),
        ("turns", ["--rules", "nz"], archive, archive),
        ("score", ["--rules", "all"], games, given),
        ("report", ["--rules", "recorded,nz,ing", "--variations", "all"], games, given),
    ]:
        expected = one_machine(jigo, command, options, taken, work / f"one-{command}")
        lost = command == "report" or (is_whole and command != "turns")
        program, least = (slow(jigo, work), ["--partitions", "24"]) if lost else (jigo, [])
        started = time.monotonic()
        arguments = ["--jigo", program, "--input", *from_, "--output", work / command, *least, "--", *options]
        job = running.submit(command, *arguments)
        how = f", {lose_worker(running, job, work / command)}" if lost else ""
        code = job.wait(PATIENCE)
        assert code in (0, 1), f"spark-submit ended with {code}"
        seconds = time.monotonic() - started
        count = assert_equal(expected, work / command)
        summary = summary_of(work / command / "summary/summary.json")
        assert summary == summary_of(work / f"one-{command}" / "summary.json"), summary
        found = summary["games"]["found"]
        words = " ".join([command, *options])
        print(f"{words}: {count} rows of {found} games are the same, {seconds:.0f} s{how}", flush=True)


def slow(jigo: Path, work: Path) -> Path:
    """A jigo that takes its time: however few games there are, a worker does not die between two of them."""
    program = work / "slow"
    program.write_text(f'#!/bin/sh\nsleep 0.2\nexec "{jigo}" "$@"\n')
    program.chmod(0o755)
    return program


def lose_worker(running: Cluster, job: subprocess.Popen[bytes], output: Path) -> str:
    """Kills one of two workers while jigo is at work on it and some tasks are done; tells which task was lost."""
    done = "_attempt-*/rows/_temporary/0/task_*"
    before = running.lost_tasks()

    def is_in_the_middle() -> bool:
        return job.poll() is not None or (len(list(output.glob(done))) >= 4 and running.is_analyzing(0))

    wait_until(is_in_the_middle, "four tasks are done and another is at work")
    assert job.poll() is None, "the job ended before a worker was lost"
    kill_session(running.workers[0])
    tasks = len(list(output.glob(done)))
    wait_until(lambda: job.poll() is not None or running.lost_tasks() > before, "the loss is noticed")
    lost = running.lost_tasks()[len(before) :]
    assert lost, "no task was lost with the worker"
    running.workers[0] = running.start_worker(0)
    return f"a worker killed after {tasks} tasks and in the middle of task {lost[0]}"


def rerun(running: Cluster, jigo: Path) -> None:
    """Tables that stand are kept; --force replaces those of a partition. A poisonous game costs itself."""
    folder = running.work / "few"
    folder.mkdir()
    good = "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[?];B[ee];W[ee])\n"
    poison = good.replace("Chinese", "poison")
    for name, text in [("a", good), ("b", poison), ("c", good), ("d", 2 * good + poison + 3 * good + poison + good)]:
        (folder / f"{name}.sgf").write_text(text)
    poisoned = running.work / "poisoned"
    # A task fails as a whole, three times; then jigo dies of a game, as of a fault that no program survives.
    poisoned.write_text(
        '#!/bin/sh\ncase "$*" in *--shard*)\n'
        f'for n in 1 2 3; do mkdir "{folder}/$n" 2>/dev/null && exit 7; done\nesac\n'
        f'"{jigo}" "$@"\ncode=$?\nout="$(printf \'%s\\n\' "$@" | sed -n \'/^--output$/{{n;p}}\')"\n'
        'if grep -q poison "$out"; then kill -SEGV $$; fi\nexit $code\n'
    )
    poisoned.chmod(0o755)
    # A folder as people name them; Spark would take it for a pattern.
    output = running.work / "partitioned [1] {é}"
    where = ["--input", folder, "--output", output]
    running.run("check", "--jigo", poisoned, *where, "--partition", "day=1", "--partitions", "1")
    assert [(folder / n).exists() for n in "123"] == [True] * 3, "no task failed"
    found = pq.ParquetDataset(output / "findings").read()
    codes = sorted(zip(*(found[name].to_pylist() for name in ("id", "game", "code")), strict=True))
    assert [(Path(file).stem, game, code) for file, game, code in codes] == [
        ("a", 1, "P001"),
        ("b", 1, "X001"),
        ("c", 1, "P001"),
        *(("d", game, "X001" if game in (3, 7) else "P001") for game in range(1, 9)),
    ], codes
    summary = json.loads((output / "summary/day=1/summary.json").read_text())
    assert (summary["findings"]["error"], summary["findings"]["by_code"]) == (11, {"P001": 8, "X001": 3}), summary
    assert (summary["sources"], summary["games"]["found"], summary["games"]["unreadable"]) == (4, 11, 3), summary
    # The rest is of the driver, so one process is cluster enough.
    here = {"master": "local[2]"}
    refused = running.submit("check", "--jigo", jigo, *where, "--partition", "day=1", **here).wait(PATIENCE)
    assert refused == 1, "tables that stand were replaced without --force"
    running.run("check", "--jigo", jigo, *where, "--partition", "day=1", "--force", **here)
    (folder / "a.sgf").write_bytes(b"")
    running.run("check", "--jigo", jigo, "--input", folder / "a.sgf", *where[2:], "--partition", "day=2", **here)
    codes = pq.ParquetDataset(output / "findings").read()["code"].to_pylist()
    assert [codes.count(code) for code in ("P001", "I002", "X001")] == [11, 1, 0], codes
    of_nothing = json.loads((output / "summary/day=2/summary.json").read_text())
    assert of_nothing["games"] == {"found": 0, "replayed": 0, "stopped": 0, "unreadable": 0}, of_nothing
    print(
        "three failures and a poisonous game cost themselves; a rerun replaces its partition and no other", flush=True
    )


def refusals(jigo: Path, work: Path) -> None:
    """What can't be done is told before anything is started, with what to do."""
    other = work / "other"
    # The number of the processor is that of another one.
    other.write_bytes(jigo.read_bytes()[:18] + b"\xf3\0" + bytes(4096))
    other.chmod(0o755)
    nothing = ["--input", work, "--output", work / "nothing"]
    for arguments, words in [
        (["--jigo", other, *nothing], "name that binary with --jigo"),
        (["--jigo", work / "none", *nothing], "there is no program"),
        (["--jigo", jigo, *nothing, "--", "--shard", "1/2"], "a job has many"),
        (["--jigo", jigo, *nothing, "--", "--rules", "nonsense"], "nonsense"),
    ]:
        command = [sys.executable, HERE / "jigo_spark.py", "check", *arguments]
        ended = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert ended.returncode, arguments
        assert words in ended.stderr, ended.stderr
        assert "Traceback" not in ended.stderr, ended.stderr
    print("a binary of another processor and options that make no sense are refused", flush=True)


def formats(jigo: Path, games: Path, work: Path) -> None:
    """Rows of records give the rows of files in every format that goes in and out."""
    utf8 = [path for path in sorted(games.rglob("*.sgf")) if is_utf8(path.read_bytes())]
    (work / "utf8.txt").write_text("".join(f"{path}\n" for path in utf8))
    with (work / "rows.jsonl").open("w") as lines:
        for path in utf8:
            # Not as text: that would take every line end for one of Unix.
            lines.write(json.dumps({"id": str(path), "sgf": path.read_bytes().decode()}) + "\n")
    subprocess.run(
        [jigo, "split", "-q", "--max-bytes", "9999", "--output", work / "rows.arrows", games], check=False, stderr=QUIET
    )
    count = 0
    for command in (["check", "--rules", "all"], ["score", "--rules", "all", "--dead", "markup,settled,none"]):
        for source, form in ([games], "arrow"), (["--files-from", work / "utf8.txt"], "jsonl"):
            as_rows = ["--input-format", form, work / ("rows.jsonl" if form == "jsonl" else "rows.arrows")]
            for out in ("csv", "jsonl", "arrow", "parquet"):
                of_files, of_rows = (rows_as(out, jigo, [*command, *words], work) for words in (source, as_rows))
                assert of_files == of_rows, f"{command}, {form} to {out}"
                count += len(of_rows)
    print(f"Arrow and JSON lines to csv, jsonl, arrow, parquet: {count} rows are the same", flush=True)


def is_utf8(text: bytes) -> bool:
    """Whether bytes are UTF-8."""
    with suppress(UnicodeDecodeError):
        text.decode()
        return True
    return False


def rows_as(form: str, jigo: Path, arguments: list[str | Path], work: Path) -> pa.Table | list[bytes]:
    """The rows of a run of jigo in a format, sorted; lines of text without their header."""
    out = work / f"rows-out.{form}"
    command = [jigo, *arguments, "--quiet", "--exit-zero", "--force", "--format", form, "--output", out]
    subprocess.run(list(map(str, command)), check=True, stderr=QUIET, timeout=PATIENCE)
    if form == "parquet":
        return rows(pq.read_table(out))
    if form == "arrow":
        return rows(pa.ipc.open_stream(out).read_all())
    if form == "csv":
        # A cell may hold line ends.
        with out.open(newline="") as text:
            return sorted(list(csv.reader(text))[1:])
    return sorted(line.replace(b'"file":', b'"id":', 1) for line in out.read_bytes().splitlines())


def cpu_seconds(arguments: list[str | Path], stdin: Path | None = None) -> float:
    """User and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (stdin or Path(os.devnull)).open("rb") as source:
        subprocess.run(list(map(str, arguments)), stdin=source, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def overhead(jigo: Path, games: Path, work: Path) -> None:
    """CPU time of rows through Arrow against files, in turns; the least of each."""
    collection = work / "collection.sgf"
    collection.write_bytes(b"\n".join(path.read_bytes() for path in sorted(games.rglob("*.sgf"))))
    print("| games | files, CPU seconds | Arrow to Arrow | |\n|---|---|---|---|")
    for what, source, cut in [
        ("a row for each file", games, ["--max-bytes", "16777216"]),
        ("one file, a row for each game", collection, ["--max-games", "1"]),
    ]:
        parts = work / "rows.arrows"
        subprocess.run(
            [jigo, "split", "--quiet", "--force", *cut, "--output", parts, source], check=False, stderr=QUIET
        )
        common = [jigo, "check", "--quiet", "--jobs", "1"]
        from_files, from_rows = [], []
        for _ in range(7):
            from_files.append(cpu_seconds([*common, source]))
            from_rows.append(cpu_seconds([*common, "--input-format", "arrow", "--format", "arrow"], parts))
        files, arrow = min(from_files), min(from_rows)
        print(f"| {what} | {files:.3f} | {arrow:.3f} | {100 * (arrow / files - 1):+.0f}% |", flush=True)


def table(jigo: Path, games: Path, work: Path) -> None:
    """What jobs with one and two workers take, and one process."""
    print("| command | games | endings estimated | partitions | executors | seconds | CPU seconds |")
    print("|---|---|---|---|---|---|---|")
    figures = {}
    for workers in (1, 2):
        with cluster(work, workers) as running:
            for command in ("check", "report"):
                output = work / f"{command}-{workers}"
                before, started = running.cpu_seconds(), time.monotonic()
                job = running.submit(
                    command, "--jigo", jigo, "--input", games, "--output", output, "--partitions", "16"
                )
                cpu = before
                while job.poll() is None:
                    cpu = max(cpu, running.cpu_seconds())
                    time.sleep(0.1)
                seconds = time.monotonic() - started
                assert job.returncode in (0, 1), f"spark-submit ended with {job.returncode}"
                found = summary_of(output / "summary/summary.json")["games"]["found"]
                status = pq.ParquetDataset(output / "games").read(["status"])["status"] if command == "report" else []
                figures[command] = [found, sum(word.as_py() in ("estimated", "unsettled") for word in status)]
                row = [command, *figures[command], 16, workers, f"{seconds:.0f}", f"{cpu - before:.0f}"]
                print("|", " | ".join(map(str, row)), "|", flush=True)
    for command, counts in figures.items():
        output = ["--out", work / "one-report"] if command == "report" else ["--output", work / "one-check.parquet"]
        started = time.monotonic()
        cpu = cpu_seconds([jigo, command, "--quiet", "--format", "parquet", "--jobs", "1", *output, games])
        row = [command, *counts, "", "one process, one thread", f"{time.monotonic() - started:.0f}", f"{cpu:.0f}"]
        print("|", " | ".join(map(str, row)), "|", flush=True)


def main() -> int:
    """Runs all parts; the log of Spark is shown when one fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jigo", type=Path, required=True, help="the binary")
    parser.add_argument("--games", type=Path, help="folder of real games [default: the fixtures alone]")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth file of it")
    parser.add_argument("--whole", action="store_true", help="lose a worker in every command")
    parser.add_argument("--work", type=Path, required=True, help="folder to work in; it is emptied")
    parser.add_argument("--table", action="store_true", help="measure only, on the games four times over")
    flags = parser.parse_args()
    work, jigo, fixtures = flags.work.resolve(), flags.jigo.resolve(), HERE.parents[1] / "fixtures"
    # Whoever runs out of patience with this test leaves no cluster behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        if flags.table:
            # The same games again and again, so that the work is more than what it takes to begin it.
            for time_over in range(4):
                shutil.copytree(flags.games or fixtures, work / "games" / str(time_over))
            table(jigo, work / "games", work)
            overhead(jigo, work / "games", work)
            return 0
        folders = {fixtures: 1} | ({flags.games.resolve(): flags.every} if flags.games else {})
        collection = prepare(folders, work / "games")
        # Rows of a table are read by Spark itself, and are those of the file that they were cut from.
        parts = work / "parts.parquet"
        split = [jigo, "split", "-q", "--format", "parquet", "--max-bytes", "9999", "--output", parts, collection]
        subprocess.run(list(map(str, split)), check=False)
        refusals(jigo, work)
        formats(jigo, work / "games" / "files", work)
        with cluster(work, 2) as running:
            equality(running, jigo, [work / "games", collection], [work / "games", parts], flags.whole)
            rerun(running, jigo)
        overhead(jigo, work / "games" / "files", work)
    except BaseException:
        log = work / "cluster.log"
        print("".join(log.read_text(errors="replace").splitlines(keepends=True)[-60:]) if log.exists() else "no log")
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
