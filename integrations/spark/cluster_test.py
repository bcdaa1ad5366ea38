"""Holds the rows of a Spark cluster to those of one machine, and measures both.

Starts a standalone master and two workers on the loopback interface, gives them games, and kills one worker in the
middle of a run. Without a folder of real games it takes the fixtures.

    python cluster_test.py --jigo target/release/jigo [--games DIR] [--work DIR] [--table]
"""

from __future__ import annotations

import argparse
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

    def submit(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        """Starts a job."""
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.executor.memory": "512m",
            "spark.driver.memory": "1g",
            "spark.network.timeout": "60s",
        }
        conf = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
        command = [SPARK / "bin/spark-submit", "--master", self.url, *conf, HERE / "jigo_spark.py", *arguments]
        with self.log.open("ab") as log:
            job = subprocess.Popen(
                list(map(str, command)), env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        self.jobs.append(job)
        return job

    def run(self, *arguments: str | Path) -> float:
        """Runs a job to its end; gives the seconds it took."""
        started = time.monotonic()
        code = self.submit(*arguments).wait(PATIENCE)
        assert code in (0, 1), f"spark-submit ended with {code}"
        return time.monotonic() - started

    def is_analyzing(self, number: int) -> bool:
        """Whether the program of the job is at work on a worker, which has its own copy."""
        mine = f"{self.work}/worker-{number}/"
        return any(mine in command and "--input-format" in command for command in commands())

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


def prepare(games: Path, folder: Path) -> None:
    """The games as they come: single files, a collection, archives, and what can't be read."""
    shutil.copytree(games, folder / "files")
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)
    files = sorted(path for path in games.rglob("*") if path.suffix.lower() == ".sgf")
    collection = b"\n".join(path.read_bytes() for path in files)
    (folder / "collection.sgf").write_bytes(collection)
    (folder / "packed.sgf.gz").write_bytes(gzip.compress(collection, 1))
    (folder / "cut.sgf.gz").write_bytes(gzip.compress(collection, 1)[: len(collection) // 20])
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files[::7]:
            archive.write(path, path.relative_to(games))
    (folder / "broken.zip").write_bytes(b"PK\3\4 this is no archive")
    (folder / "empty.sgf").write_bytes(b"")
    (folder / "notes.txt").write_text("not read")


def rows(table: pa.Table) -> pa.Table:
    """The rows, sorted; the first column is a file on one machine and an identifier on a cluster."""
    plain = pa.table(
        [column.cast(value_type(column.type)) for column in table.columns], ["id", *table.column_names[1:]]
    )
    return plain.sort_by([(name, "ascending") for name in plain.column_names])


def value_type(kind: pa.DataType) -> pa.DataType:
    """Words are a dictionary on one machine and strings on a cluster."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def one_machine(jigo: Path, command: str, options: list[str], games: Path, out: Path) -> dict[str, pa.Table]:
    """The rows of each table, from one process, and its summary."""
    out.mkdir()
    table = {"check": "findings", "turns": "turns", "score": "scores"}.get(command)
    command_words = ["check", "--table", "turns"] if command == "turns" else [command]
    output = ["--output", out / f"{table}.parquet"] if table else ["--out", out]
    arguments = [jigo, *command_words, "--quiet", "--format", "parquet", *output, *options, games]
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


def count_of_summary(output: Path) -> dict:
    """The summary of a job."""
    return json.loads((output / "summary/summary.json").read_text())


def equality(running: Cluster, jigo: Path, games: Path, work: Path) -> None:
    """Every command under several rulesets."""
    # An ending is estimated alike wherever its game comes from, so a seventh of them is enough.
    everything, some = games, games / "archive.zip"
    cheap = ["--dead", "markup,settled,none"]
    # Rows of a table are read by Spark itself, and are those of the file that they were cut from.
    parts = work / "parts.parquet"
    subprocess.run(
        [jigo, "split", "-q", "--format", "parquet", "--max-bytes", "9999", "--output", parts, some], check=True
    )
    for number, (command, options, games) in enumerate(
        [
            ("check", ["--rules", "all"], everything),
            ("turns", ["--rules", "nz"], some),
            ("score", ["--rules", "all", *cheap], everything),
            ("score", ["--rules", "all"], some),
            ("report", ["--rules", "recorded,nz,ing", "--all-endings", "--variations", "all", *cheap], everything),
        ]
    ):
        name = f"{command}-{number}"
        expected = one_machine(jigo, command, options, games, work / f"one-{name}")
        given = parts if command == "score" and games == some else games
        seconds = running.run(command, "--jigo", jigo, "--input", given, "--output", work / name, "--", *options)
        count = assert_equal(expected, work / name)
        print(f"{command} {' '.join(options)}: {count} rows are the same, {seconds:.0f} s", flush=True)
        summary = count_of_summary(work / name)
        assert summary["games"]["found"] == sum(
            summary["games"][kind] for kind in ("replayed", "stopped", "unreadable")
        )
        if "findings" in expected:
            assert sum(summary["findings"]["by_code"].values()) == len(expected["findings"])


def lost_worker(running: Cluster, jigo: Path, games: Path, work: Path) -> None:
    """One of two workers is killed while jigo is at work on it and some tasks are done; the rows are the same."""
    expected = one_machine(jigo, "report", [], games, work / "one-lost")
    output = work / "lost"
    # However few games there are, the worker does not die between two of them.
    slow = work / "slow"
    slow.write_text(f'#!/bin/sh\nsleep 0.5\nexec "{jigo}" "$@"\n')
    slow.chmod(0o755)
    job = running.submit("report", "--jigo", slow, "--input", games, "--output", output, "--partitions", "24")
    done = f"{output.name}/_attempt-*/rows/_temporary/0/task_*"

    def is_in_the_middle() -> bool:
        return job.poll() is not None or (len(list(work.glob(done))) >= 4 and running.is_analyzing(0))

    wait_until(is_in_the_middle, "four tasks are done and another is at work")
    assert job.poll() is None, "the job ended before a worker was lost"
    kill_session(running.workers[0])
    tasks = len(list(work.glob(done)))
    assert job.wait(PATIENCE) in (0, 1)
    log = running.log.read_text(errors="replace")
    lost = re.findall(r"task (\S+) in stage .* failed because while it was being computed, its executor exited", log)
    assert lost, "no task was lost with the worker"
    print(
        f"report, a worker killed after {tasks} tasks and in the middle of task {lost[0]}: "
        f"{assert_equal(expected, output)} rows are the same",
        flush=True,
    )
    running.workers[0] = running.start_worker(2)


def rerun(running: Cluster, jigo: Path, work: Path) -> None:
    """Tables that stand are kept; --force replaces those of a partition. A poisonous game costs itself."""
    folder = work / "few"
    folder.mkdir()
    good = "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[?];B[ee];W[ee])\n"
    poison = good.replace("Chinese", "poison")
    for name, text in [("a", good), ("b", poison), ("c", good), ("d", 2 * good + poison + 3 * good + poison + good)]:
        (folder / f"{name}.sgf").write_text(text)
    poisoned = work / "poisoned"
    # It dies of a game that gives a finding, as of a fault that no program survives.
    poisoned.write_text(
        f'#!/bin/sh\n"{jigo}" "$@"\ncode=$?\nout="$(printf \'%s\\n\' "$@" | sed -n \'/^--output$/{{n;p}}\')"\n'
        'if grep -q poison "$out"; then kill -SEGV $$; fi\nexit $code\n'
    )
    poisoned.chmod(0o755)
    output = work / "partitioned"
    where = ["--input", folder, "--output", output]
    running.run("check", "--jigo", poisoned, *where, "--partition", "day=1")
    found = pq.ParquetDataset(output / "findings").read()
    codes = sorted(zip(*(found[name].to_pylist() for name in ("id", "game", "code")), strict=True))
    assert [(Path(file).stem, game, code) for file, game, code in codes] == [
        ("a", 1, "P001"),
        ("b", 1, "X001"),
        ("c", 1, "P001"),
        *(("d", game, "X001" if game in (3, 7) else "P001") for game in range(1, 9)),
    ], codes
    summary = count_of_summary_of(output / "summary/day=1")
    assert (summary["findings"]["error"], summary["findings"]["by_code"]) == (11, {"P001": 8, "X001": 3}), summary
    assert (summary["sources"], summary["games"]["found"], summary["games"]["unreadable"]) == (4, 11, 3), summary
    refused = running.submit("check", "--jigo", jigo, *where, "--partition", "day=1").wait(PATIENCE)
    assert refused == 1, "tables that stand were replaced without --force"
    running.run("check", "--jigo", jigo, *where, "--partition", "day=1", "--force")
    running.run("check", "--jigo", jigo, *where, "--partition", "day=2")
    found = pq.ParquetDataset(output / "findings").read().to_pydict()
    assert found["code"].count("P001") == 22, found
    assert "X001" not in found["code"], found
    print("a poisonous game costs itself; a rerun replaces its partition and no other", flush=True)


def count_of_summary_of(folder: Path) -> dict:
    """The summary of a partition."""
    return json.loads((folder / "summary.json").read_text())


def cpu_seconds(arguments: list[str | Path], stdin: Path | None = None) -> float:
    """User and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (stdin or Path(os.devnull)).open("rb") as source:
        subprocess.run(list(map(str, arguments)), stdin=source, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def overhead(jigo: Path, games: Path, work: Path) -> None:
    """CPU time of rows through Arrow against files, in turns; the least of each."""
    parts = work / "files.arrows"
    # A row for each file, as the job makes them.
    subprocess.run([jigo, "split", "--quiet", "--output", parts, games], check=False)
    common = [jigo, "check", "--quiet", "--jobs", "1"]
    from_files, from_rows = [], []
    for _ in range(7):
        from_files.append(cpu_seconds([*common, games]))
        from_rows.append(cpu_seconds([*common, "--input-format", "arrow", "--format", "arrow"], parts))
    files, arrow = min(from_files), min(from_rows)
    print(f"check, CPU: files {files:.2f} s, Arrow {arrow:.2f} s, {100 * (arrow / files - 1):+.0f}%", flush=True)


def table(jigo: Path, games: Path, work: Path) -> None:
    """Seconds of jobs with one and two workers."""
    print("| command | games | endings estimated | partitions | executors | seconds | CPU seconds |")
    print("|---|---|---|---|---|---|---|")
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
                found = count_of_summary(output)["games"]["found"]
                status = pq.ParquetDataset(output / "games").read(["status"])["status"] if command == "report" else []
                estimated = sum(word.as_py() in ("estimated", "unsettled") for word in status)
                figures = [command, found, estimated, 16, workers, f"{seconds:.0f}", f"{cpu - before:.0f}"]
                print("|", " | ".join(map(str, figures)), "|", flush=True)


def main() -> int:
    """Runs all parts; the log of Spark is shown when one fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jigo", type=Path, required=True, help="the binary")
    parser.add_argument("--games", type=Path, default=HERE.parents[1] / "fixtures", help="folder of games")
    parser.add_argument("--work", type=Path, required=True, help="folder to work in; it is emptied")
    parser.add_argument("--table", action="store_true", help="measure only")
    flags = parser.parse_args()
    work, jigo = flags.work.resolve(), flags.jigo.resolve()
    # Whoever runs out of patience with this test leaves no cluster behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        if flags.table:
            table(jigo, flags.games.resolve(), work)
            overhead(jigo, flags.games.resolve(), work)
            return 0
        prepare(flags.games.resolve(), work / "games")
        with cluster(work, 2) as running:
            equality(running, jigo, work / "games", work)
            lost_worker(running, jigo, work / "games" / "files", work)
            rerun(running, jigo, work)
        overhead(jigo, work / "games" / "files", work)
    except BaseException:
        log = work / "cluster.log"
        print("".join(log.read_text(errors="replace").splitlines(keepends=True)[-60:]) if log.exists() else "no log")
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
