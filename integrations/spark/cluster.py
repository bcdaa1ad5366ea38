"""A standalone Spark cluster on the loopback interface for one test run."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark

HERE = Path(__file__).resolve().parent
SPARK = Path(pyspark.__file__).parent
PATIENCE = 1500
"""The time limit of each part of the test, in seconds."""

SHORT_LIVED = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto"
"""JVM options that reduce the compile time. By default Java compiles for as long as one of these
jobs runs.
"""


class Cluster:
    """A master and one-core workers on the loopback interface. stop() ends all of them."""

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
        """Starts a worker with one core."""
        memory = ["--cores", "1", "--memory", "1g", "--webui-port", str(free_port())]
        return self.start("worker.Worker", *memory, "--work-dir", str(self.work / f"worker-{number}"), self.url)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Starts a Spark daemon in a new session, which also contains its executors."""
        command = [SPARK / "bin/spark-class", f"org.apache.spark.deploy.{name}", "--host", "127.0.0.1", *arguments]
        with self.log.open("ab") as log:
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, start_new_session=True)

    def submit(
        self, *arguments: str | Path, master: str = "", program: str = "jigo_spark.py"
    ) -> subprocess.Popen[bytes]:
        """Starts a job, by default on this cluster."""
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
            HERE / program,
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
        """Returns true if a worker's copy of the job's program is running."""
        mine = f"{self.work}/worker-{number}/"
        return any(mine in command and "--input-format" in command for command in commands())

    def lost_tasks(self) -> list[str]:
        """Returns the tasks that were running when their worker was lost."""
        log = self.log.read_text(errors="replace")
        return re.findall(
            r"task (\S+) in stage .* failed because while it was being computed, its executor exited", log
        )

    def cpu_seconds(self) -> float:
        """Returns the user and system time of the running workers and their child processes."""
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
    """Returns the command lines of all processes."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        # The process may have ended in the meantime.
        with suppress(OSError):
            yield entry.read_text(errors="replace")


def kill_session(process: subprocess.Popen[bytes]) -> None:
    """Kills a daemon and all processes that it has started at once, like a power failure."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.getsid(int(entry.name)) == process.pid:
                os.kill(int(entry.name), signal.SIGKILL)
    process.wait()


@contextmanager
def cluster(work: Path, workers: int) -> Iterator[Cluster]:
    """Provides a cluster and always stops it at the end."""
    running = Cluster(work, workers)
    try:
        yield running
    finally:
        running.stop()


def free_port() -> int:
    """Returns an unused port of the loopback interface."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_open(port: int) -> bool:
    """Returns true if a process listens on a port."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Waits until a condition is true."""
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, f"waited {PATIENCE} s until {what}"
        time.sleep(0.05)
