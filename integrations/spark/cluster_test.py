"""Compares the rows of a Spark cluster with those of one machine, and measures both.

Starts a standalone master and two workers on the loopback interface, and runs jobs on the fixtures
and, if available, on real games. Kills one worker in the middle of a run.

    python cluster_test.py --jigo target/release/jigo --work DIR [--games DIR] [--every N] [--whole] [--table]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import jigo_spark
from cluster import HERE, PATIENCE, SPARK, Cluster, cluster, kill_session, wait_until
from measure import overhead, summary_of, table
from sample_games import every_kind, game_files, sample_games


def rows(table: pa.Table) -> pa.Table:
    """Returns the rows, sorted, with the types of a cluster, where a file is an identifier."""
    names = ["id" if name == "file" else name for name in table.column_names]
    plain = pa.table([column.cast(jigo_spark.plain(column.type)) for column in table.columns], names)
    return plain.sort_by([(name, "ascending") for name in plain.column_names])


def one_machine(
    jigo: Path, command: str, options: list[str], games: list[str | Path], out: Path
) -> dict[str, pa.Table]:
    """Returns the rows of each table from one process, and writes its summary."""
    out.mkdir()
    tables = {"check": "findings", "turns": "turns", "score": "scores", "keys": "keys", "duplicates": "duplicates"}
    table = tables.get(command)
    command_words = ["check", "--table", command] if command in ("turns", "keys") else [command]
    summary = ["--summary", out / "summary.json"]
    output = ["--output", out / f"{table}.parquet", *summary] if table else ["--out", out]
    arguments = [jigo, *command_words, "--quiet", "--format", "parquet", *output, *options, *games]
    ended = subprocess.run(list(map(str, arguments)), check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode in (0, 1, 2), ended.stderr
    return {path.stem: rows(pq.read_table(path)) for path in sorted(out.glob("*.parquet"))}


def assert_equal(expected: dict[str, pa.Table], output: Path) -> int:
    """Compares the tables of a job with those of one machine and returns the number of rows."""
    for name, of_one_machine in expected.items():
        of_spark = rows(pq.ParquetDataset(output / name).read())
        if not of_spark.equals(of_one_machine):
            missing, more = only_in(of_one_machine, of_spark), only_in(of_spark, of_one_machine)
            counts = f"{len(of_spark)} rows instead of {len(of_one_machine)}"
            raise AssertionError(f"{name}: {counts}; missing {missing}, too many {more}; {of_spark.schema}")
    assert not list(output.glob("_attempt-*")), "an attempt was left over"
    return sum(map(len, expected.values()))


def only_in(some: pa.Table, others: pa.Table) -> list[str]:
    """Returns up to three rows that the other table lacks."""
    return sorted(set(map(repr, some.to_pylist())).difference(map(repr, others.to_pylist())))[:3]


def equality(running: Cluster, jigo: Path, collection: Path, parts: Path, is_whole: bool) -> None:
    """Tests every command. The report loses a worker; with all games, so do the other commands
    except turns.
    """
    work = running.work
    games, download = work / "games", work / "download"
    everything, given = [games, download, collection], [games, download, parts]
    # Turns have many rows, so each file is read once, or only one archive.
    once = [games / "files" if is_whole else games / "archives" / "7z.7z"]
    # Splits the collection into about forty parts.
    cut = ["--part-bytes", str(max(collection.stat().st_size // 40, 4096))]
    all_rules = ["--rules", "recorded,all"]
    steps = [
        ("check", [*all_rules, "--variations", "all"], everything, given),
        ("turns", ["--rules", "nz"], once, once),
        ("score", all_rules, everything, given),
        ("report", [*all_rules, "--variations", "all"], everything, given),
    ]
    if is_whole:
        # Archives and collections of every kind, with all games in each.
        every_kind(game_files(games / "files"), work / "kinds", shares=False)
        steps.append(("check", ["--rules", "recorded"], [work / "kinds"], [work / "kinds"]))
    for number, (command, options, taken, from_) in enumerate(steps, 1):
        output = work / f"{command}-{number}"
        expected = one_machine(jigo, command, options, taken, work / f"one-{number}")
        lost = command == "report" or (is_whole and command != "turns")
        program, least = (slow(jigo, work), ["--partitions", "24"]) if lost else (jigo, [])
        started = time.monotonic()
        arguments = ["--jigo", program, "--input", *from_, "--output", output, *least, *cut, "--", *options]
        job = running.submit(command, *arguments)
        how = f", {lose_worker(running, job, output)}" if lost else ""
        code = job.wait(PATIENCE)
        assert code in (0, 1), f"spark-submit ended with {code}"
        seconds = time.monotonic() - started
        count = assert_equal(expected, output)
        summary = summary_of(output / "summary/summary.json")
        assert summary == summary_of(work / f"one-{number}" / "summary.json"), summary
        found = summary["games"]["found"]
        words = " ".join([command, *options, *(path.name for path in from_)])
        print(f"{words}: {count} rows of {found} games are the same, {seconds:.0f} s{how}", flush=True)
        shutil.rmtree(output)
        shutil.rmtree(work / f"one-{number}")


def duplicates(running: Cluster, named: Path | None, jigo: Path, games: Path) -> None:
    """Compares the duplicates, and the keys that find them, with those of one process.

    The job uses the named binary, or else the module.
    """
    given = running.work / "duplicates"
    kinds = ("*.sgf", "*.gib", "*.ngf", "*.ugf", "*.ugi")
    for path in (path for kind in kinds for path in games.rglob(kind)):
        copy = given / "once" / path.relative_to(games)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    # Some files again in one collection, so that most games have a duplicate in another task, and
    # some in a folder with equal file names.
    texts = [path.read_bytes() for path in sorted(games.rglob("*.sgf"))]
    (given / "again").mkdir()
    (given / "again.sgf").write_bytes(b"\n".join(text.replace(b"RE[", b"EV[again]RE[") for text in texts[::3]))
    for number, text in enumerate(texts[1::9]):
        (given / "again" / f"{number}.sgf").write_bytes(text)
    for command, program, options in [
        ("keys", "jigo_spark.py", []),
        ("duplicates", "jigo_spark_duplicates.py", []),
        ("duplicates", "jigo_spark_duplicates.py", ["--keep=longest", "--rules=aga", "--where=size < 10"]),
    ]:
        output = running.work / f"of-{command}"
        expected = one_machine(jigo, command, options, [given], running.work / "one-of-duplicates")
        arguments = ["--input", given, "--output", output, "--part-bytes", "9999", "--", *options]
        arguments = [*(["--jigo", named] if named else []), *arguments]
        code = running.submit(*([command] if command == "keys" else []), *arguments, program=program).wait(PATIENCE)
        assert code in (0, 1), f"spark-submit ended with {code}"
        count = assert_equal(expected, output)
        assert count > len(texts) // 3, f"{count} rows"
        print(f"{' '.join([command, *options])}: {count} rows are the same", flush=True)
        shutil.rmtree(output)
        shutil.rmtree(running.work / "one-of-duplicates")


def by_module(running: Cluster, jigo: Path) -> None:
    """Tests that the module does the work if no binary is named. Rows and summaries equal those of
    the binary.
    """
    work = running.work
    given, once = [work / "games", work / "parts.parquet"], [work / "games" / "archives" / "7z.7z"]
    of_binary = [work / "games", work / "table" / "cut.sgf"]
    all_rules = ["--rules", "recorded,all"]
    for command, options, taken, from_ in [
        ("turns", [], once, once),
        ("report", [*all_rules, "--variations", "all"], of_binary, given),
    ]:
        output = work / f"{command}-by-module"
        expected = one_machine(jigo, command, options, taken, work / "one-for-module")
        before = time.monotonic()
        running.run(command, "--input", *from_, "--output", output, "--part-bytes", "65536", "--", *options)
        count = assert_equal(expected, output)
        summary = summary_of(output / "summary/summary.json")
        assert summary == summary_of(work / "one-for-module" / "summary.json"), summary
        print(f"{command} by the module: {count} rows are the same, {time.monotonic() - before:.0f} s", flush=True)
        shutil.rmtree(output)
        shutil.rmtree(work / "one-for-module")


def by_one_process() -> None:
    """Tests that one process of the module runs all batches, and that a fatal game affects only
    itself.
    """
    good = b"(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[?];B[ee];W[ee])\n"
    poison = good.replace(b"Chinese", b"poison")
    version = metadata.version("jigo")
    job = jigo_spark.Job("check", [], {}, 1 << 20, 1, "", version)
    schemas, _ = jigo_spark.ask(job, "")
    job = job._replace(schemas=schemas)

    def rows_for(texts: list[bytes]) -> list[tuple]:
        games = [{"id": f"{at}", "sgf": text} for at, text in enumerate(texts)]
        parts = pa.RecordBatch.from_pylist(games, jigo_spark.PARTS)
        found = [row["findings"] for batch in jigo_spark.analyze([parts], job) for row in batch.to_pylist()]
        return sorted((row["id"], row["game"], row["code"]) for row in found if row is not None)

    module = jigo_spark.MODULES[version]
    before = module.process.pid
    assert [rows_for([good]) for _ in range(3)] == [[("0", 1, "P001")]] * 3
    assert module.process.pid == before, "there was another process"

    class Mortal(jigo_spark.Module):
        """A module that dies of a certain game, as of a fatal signal."""

        def run(self, words: list[str], folder: str) -> jigo_spark.Ended:
            ended = super().run(words, folder)
            if b"poison" not in Path(folder, "findings.arrows").read_bytes():
                return ended
            self.process.kill()
            return super().run(words, folder)

    jigo_spark.MODULES[version] = Mortal(version)
    found = rows_for([good, poison, good, 2 * good + poison + good])
    codes = [("0", 1, "P001"), ("1", 1, "X001"), ("2", 1, "P001")]
    codes += [("3", game, "X001" if game == 3 else "P001") for game in range(1, 5)]
    assert found == codes, found
    jigo_spark.MODULES[version].process.kill()
    jigo_spark.MODULES[version] = jigo_spark.Module("0.0.0")
    try:
        rows_for([good])
    except RuntimeError as error:
        assert f"has jigo {version}" in str(error), error
    else:
        raise AssertionError("another version was taken")
    print("the module is one process, which a poisonous game ends alone", flush=True)


def slow(jigo: Path, work: Path) -> Path:
    """Writes a slow jigo, so that the worker always dies during a game, even if there are few
    games.
    """
    program = work / "slow"
    program.write_text(f'#!/bin/sh\nsleep 0.2\nexec "{jigo}" "$@"\n')
    program.chmod(0o755)
    return program


def lose_worker(running: Cluster, job: subprocess.Popen[bytes], output: Path) -> str:
    """Kills one of two workers while jigo runs on it and some tasks are done. Returns the lost task
    in words.
    """
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
    """Tests that existing tables are kept, that --force replaces a partition, and that a fatal game
    affects only itself.
    """
    folder = running.work / "few"
    folder.mkdir()
    good = "(;GM[1]SZ[9]RU[Chinese]KM[7.5]RE[?];B[ee];W[ee])\n"
    poison = good.replace("Chinese", "poison")
    for name, text in [("a", good), ("b", poison), ("c", good), ("d", 2 * good + poison + 3 * good + poison + good)]:
        (folder / f"{name}.sgf").write_text(text)
    poisoned = running.work / "poisoned"
    # The first three tasks fail. After that, jigo crashes at certain games.
    poisoned.write_text(
        '#!/bin/sh\ncase "$*" in *--shard*)\n'
        f'for n in 1 2 3; do mkdir "{folder}/$n" 2>/dev/null && exit 7; done\nesac\n'
        f'"{jigo}" "$@"\ncode=$?\nout="$(printf \'%s\\n\' "$@" | sed -n \'/^--output$/{{n;p}}\')"\n'
        'if grep -q poison "$out"; then kill -SEGV $$; fi\nexit $code\n'
    )
    poisoned.chmod(0o755)
    # The name contains wildcards of Spark.
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
    # The remaining tests concern the driver, so one process is enough.
    here = {"master": "local[2]"}
    # A row without a record is identified by its id, in any partition.
    table = pa.table({"id": ["a", None, "c", "d"], "sgf": [good, good, None, ""]})
    pq.write_table(table, running.work / "nulls.parquet")
    nulls = ["--input", running.work / "nulls.parquet", "--output", running.work / "of-nulls", "--partitions", "3"]
    running.run("check", "--jigo", jigo, *nulls, **here)
    found = pq.ParquetDataset(running.work / "of-nulls" / "findings").read()
    assert sorted(zip(*(found[name].to_pylist() for name in ("id", "code", "detail")), strict=True)) == [
        ("-", "I014", "id is missing"),
        ("a", "P001", "the stone there is replaced"),
        ("c", "I014", "sgf is missing"),
        # The empty record of "d" contains no game and causes no error.
    ], found.to_pylist()
    refused = running.submit("check", "--jigo", jigo, *where, "--partition", "day=1", **here).wait(PATIENCE)
    assert refused == 1, "existing tables were replaced without --force"
    running.run("check", "--jigo", jigo, *where, "--partition", "day=1", "--force", **here)
    (folder / "a.sgf").write_bytes(b"")
    running.run("check", "--jigo", jigo, "--input", folder / "a.sgf", *where[2:], "--partition", "day=2", **here)
    codes = pq.ParquetDataset(output / "findings").read()["code"].to_pylist()
    # An empty file contains no game and causes no error.
    assert [codes.count(code) for code in ("P001", "I002", "X001")] == [11, 0, 0], codes
    of_nothing = json.loads((output / "summary/day=2/summary.json").read_text())
    assert not any(of_nothing["games"].values()), of_nothing
    print(
        "three failures and a poisonous game cost themselves; a rerun replaces its partition and no other", flush=True
    )


def refusals(jigo: Path, work: Path) -> None:
    """Tests that impossible jobs fail before they start, with a remedy."""
    other = work / "other"
    # The header names another processor.
    other.write_bytes(jigo.read_bytes()[:18] + b"\xf3\0" + bytes(4096))
    other.chmod(0o755)
    (work / "a-file").touch()
    here, nothing = ["--input", work], ["--output", work / "nothing"]
    for arguments, words in [
        (["--jigo", other, *here, *nothing], "name that binary with --jigo"),
        (["--jigo", work / "none", *here, *nothing], "there is no program"),
        (["--jigo", jigo, *here, *nothing, "--", "--shard", "1/2"], "a job has many"),
        (["--jigo", jigo, *here, *nothing, "--", "--rules", "nonsense"], "nonsense"),
        (
            ["--jigo", jigo, *here, "--output", work / "a-file" / "below"],
            "a-file is a file, not a folder; name another",
        ),
        (["--jigo", jigo, *here, "--output", "s3://games/audit"], "object storage needs s3a: and its jars"),
    ]:
        command = [sys.executable, HERE / "jigo_spark.py", "check", *arguments]
        environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(SPARK)}
        ended = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, check=False, timeout=PATIENCE, env=environment
        )
        assert ended.returncode, arguments
        assert words in ended.stderr, ended.stderr
        assert "Traceback" not in ended.stderr, ended.stderr
    print("binaries, options and outputs that make no sense are refused with what to do", flush=True)


def formats(jigo: Path, games: Path, work: Path) -> None:
    """Compares rows of records with files, in every input and output format."""
    utf8 = [path for path in sorted(games.rglob("*.sgf")) if is_utf8(path.read_bytes())]
    (work / "utf8.txt").write_text("".join(f"{path}\n" for path in utf8))
    with (work / "rows.jsonl").open("w") as lines:
        for path in utf8:
            # Text mode would change line ends.
            lines.write(json.dumps({"id": str(path), "sgf": path.read_bytes().decode()}) + "\n")
    subprocess.run(
        [jigo, "split", "-q", "--max-bytes", "9999", "--output", work / "rows.arrows", games],
        check=False,
        stderr=subprocess.DEVNULL,
    )
    count = 0
    for command in (["check", "--rules", "all"], ["score", "--rules", "all", "--dead", "markup,settled,none"]):
        for source, form in ([games], "arrow"), (["--files-from", work / "utf8.txt"], "jsonl"):
            as_rows = ["--input-format", form, work / ("rows.jsonl" if form == "jsonl" else "rows.arrows")]
            for out in ("csv", "jsonl", "arrow", "parquet"):
                of_files, of_rows = (rows_as(out, jigo, [*command, *words], work) for words in (source, as_rows))
                assert of_files == of_rows, f"{command}, {form} to {out}"
                count += len(of_rows)
    report = ["--rules", "recorded,all", "--variations", "all"]
    for form, source in ("arrow", [games]), ("jsonl", ["--files-from", work / "utf8.txt"]):
        as_rows = ["--input-format", form, work / ("rows.jsonl" if form == "jsonl" else "rows.arrows")]
        of_files = one_machine(jigo, "report", report, source, work / f"files-{form}")
        assert one_machine(jigo, "report", report, as_rows, work / f"rows-{form}") == of_files, f"report, {form}"
        count += sum(map(len, of_files.values()))
    print(f"Arrow and JSON lines to csv, jsonl, arrow, parquet: {count} rows are the same", flush=True)


def is_utf8(text: bytes) -> bool:
    """Returns true if bytes are UTF-8."""
    with suppress(UnicodeDecodeError):
        text.decode()
        return True
    return False


def rows_as(form: str, jigo: Path, arguments: list[str | Path], work: Path) -> pa.Table | list[bytes]:
    """Returns the rows of a run in a format, sorted; lines of text without their header."""
    out = work / f"rows-out.{form}"
    command = [jigo, *arguments, "--quiet", "--exit-zero", "--force", "--format", form, "--output", out]
    subprocess.run(list(map(str, command)), check=True, stderr=subprocess.DEVNULL, timeout=PATIENCE)
    if form == "parquet":
        return rows(pq.read_table(out))
    if form == "arrow":
        return rows(pa.ipc.open_stream(out).read_all())
    if form == "csv":
        # A cell may contain line ends.
        with out.open(newline="") as text:
            return sorted(list(csv.reader(text))[1:])
    return sorted(line.replace(b'"file":', b'"id":', 1) for line in out.read_bytes().splitlines())


def main() -> int:
    """Runs all parts. Shows the log of Spark if one fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jigo", type=Path, required=True, help="the binary")
    parser.add_argument("--games", type=Path, help="folder of real games [default: the fixtures alone]")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth file of it")
    parser.add_argument("--whole", action="store_true", help="lose a worker in every command")
    parser.add_argument("--module", action="store_true", help="the module jigo is installed, and is tried, too")
    parser.add_argument("--work", type=Path, required=True, help="folder to work in; it is emptied")
    parser.add_argument("--table", action="store_true", help="measure only, on the games four times over")
    flags = parser.parse_args()
    work, jigo, fixtures = flags.work.resolve(), flags.jigo.resolve(), HERE.parents[1] / "fixtures"
    # If the caller stops this test, the cluster must stop as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        if flags.table:
            # Repeats the games, so that the work exceeds the time to start a job.
            for time_over in range(4):
                shutil.copytree(flags.games or fixtures, work / "games" / str(time_over))
            table(jigo, work / "games", work)
            overhead(jigo, work / "games", work)
            return 0
        folders = {fixtures: 1} | ({flags.games.resolve(): flags.every} if flags.games else {})
        collection = sample_games(folders, work / "games")
        # Spark itself reads the rows of a table. They must equal those of the file that they were
        # split from.
        parts = work / "parts.parquet"
        split = [jigo, "split", "-q", "--format", "parquet", "--max-bytes", "9999", "--output", parts, collection]
        subprocess.run(list(map(str, split)), check=False)
        refusals(jigo, work)
        formats(jigo, work / "games" / "files", work)
        if flags.module:
            by_one_process()
        with cluster(work, 2) as running:
            if flags.module:
                by_module(running, jigo)
            duplicates(running, None if flags.module else jigo, jigo, work / "games" / "files")
            equality(running, jigo, collection, parts, flags.whole)
            rerun(running, jigo)
        overhead(jigo, work / "games" / "files", work)
    except BaseException:
        log = work / "cluster.log"
        print("".join(log.read_text(errors="replace").splitlines(keepends=True)[-60:]) if log.exists() else "no log")
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
