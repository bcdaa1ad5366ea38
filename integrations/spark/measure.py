"""Measures jobs and the overhead of Arrow, and prints the results as tables for a README."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from pathlib import Path

import pyarrow.parquet as pq

from cluster import cluster


def summary_of(path: Path) -> dict:
    """Returns a summary without the counts that differ in a job, which lists and splits its inputs
    itself.
    """
    apart = ("files", "passed_over", "sources")
    return {name: count for name, count in json.loads(path.read_text()).items() if name not in apart}


def cpu_seconds(arguments: list[str | Path], stdin: Path | None = None) -> float:
    """Returns the user and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (stdin or Path(os.devnull)).open("rb") as source:
        subprocess.run(list(map(str, arguments)), stdin=source, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def overhead(jigo: Path, games: Path, work: Path) -> None:
    """Compares the CPU time of rows through Arrow with that of files, alternately. Prints the
    minimum of each.
    """
    collection = work / "collection.sgf"
    collection.write_bytes(b"\n".join(path.read_bytes() for path in sorted(games.rglob("*.sgf"))))
    print("| games | files, CPU seconds | Arrow to Arrow | |\n|---|---|---|---|")
    for what, source, cut in [
        ("a row for each file", games, ["--max-bytes", "16777216"]),
        ("one file, a row for each game", collection, ["--max-games", "1"]),
    ]:
        parts = work / "rows.arrows"
        subprocess.run(
            [jigo, "split", "--quiet", "--force", *cut, "--output", parts, source],
            check=False,
            stderr=subprocess.DEVNULL,
        )
        common = [jigo, "check", "--quiet", "--jobs", "1"]
        from_files, from_rows = [], []
        for _ in range(7):
            from_files.append(cpu_seconds([*common, source]))
            from_rows.append(cpu_seconds([*common, "--input-format", "arrow", "--format", "arrow"], parts))
        files, arrow = min(from_files), min(from_rows)
        print(f"| {what} | {files:.3f} | {arrow:.3f} | {100 * (arrow / files - 1):+.0f}% |", flush=True)


def table(jigo: Path, games: Path, work: Path) -> None:
    """Measures jobs with one and two workers, and one process."""
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
