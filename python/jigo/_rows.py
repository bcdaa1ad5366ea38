"""The commands of the module, their inputs and their rows."""

from __future__ import annotations

import csv
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from jigo._jigo import Batch, Error, Query, Run

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    import pyarrow as pa

Path: TypeAlias = "str | os.PathLike[str]"
One: TypeAlias = "Path | bytes | bytearray | memoryview | IO[Any]"
Input: TypeAlias = "One | Iterable[One] | Iterable[tuple[object, str | bytes]] | Mapping[Any, str | bytes]"
"""A path, bytes or file, or several; or pairs of an identifier and a text."""

Progress: TypeAlias = "Callable[[tuple[int, int | None, int] | None], object]"


class Rows:
    """Rows of a table, computed while they are read.

    Each of these starts a run: ``for batch in rows``, ``rows.rows()``, ``rows.to_pandas()``,
    ``rows.to_arrow()``, and every library with the Arrow PyCapsule interface, such as
    ``polars.DataFrame(rows)``, ``pyarrow.table(rows)``, or DuckDB with the name of the variable.

    Rows can be read as often as their inputs: file objects and iterators only once. Memory does not
    grow with the inputs, unless all rows are requested at once. The run releases the GIL, and
    Ctrl-C ends it.
    """

    def __init__(
        self,
        product: str,
        options: Mapping[str, Any],
        given: Input,
        *,
        progress: bool | None,
        planes: bool = False,
    ) -> None:
        """Validate options and inputs."""
        items, pairs = _inputs(given)
        arguments = _arguments(options)
        if pairs is not None:
            arguments.append(("input-format", "arrow"))
        self._query = Query(product, arguments, items, pairs, planes)
        self._what = product
        self._progress = progress

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return self._query.columns

    @property
    def summary(self) -> dict[str, Any] | None:
        """The counts of the last run; None until its last row has been read."""
        last = self._query.last
        text = last.summary if last is not None else None
        return None if text is None else json.loads(text)

    def __iter__(self) -> Iterator[Batch]:
        """Read the rows batch by batch."""
        run = self._query.run(_bar(self._what) if self._shows_progress() else None)
        try:
            while (batch := run.next()) is not None:
                yield batch
            _warn(run)
        finally:
            run.close()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Read the rows one by one, as dictionaries. Days are datetime.date, empty cells None.

        >>> from jigo import games
        >>> [row["turns"] for row in games({"a": "(;B[aa];W[bb])", "b": "(;B[cc])"}).rows()]
        [2, 1]
        """
        for batch in self:
            yield from batch.to_pylist()

    def to_arrow(self) -> pa.Table:
        """Read all rows into a pyarrow table. pyarrow must be installed."""
        import pyarrow as pa

        batches = [pa.record_batch(batch) for batch in self]
        return pa.Table.from_batches(batches, pa.schema(self._query))

    def to_pandas(self, **options: Any) -> pd.DataFrame:
        """Read all rows into a pandas data frame. Options go to ``pyarrow.Table.to_pandas``."""
        return self.to_arrow().to_pandas(**options)

    def __arrow_c_schema__(self) -> object:
        return self._query.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        bar = _bar(self._what) if self._shows_progress() else None
        return self._query.__arrow_c_stream__(requested_schema, progress=bar)

    def __repr__(self) -> str:
        return f"<jigo.Rows of {self._what}: {', '.join(self.columns)}>"

    def _shows_progress(self) -> bool:
        # In a notebook, a user watches the run.
        return "ipykernel" in sys.modules if self._progress is None else self._progress


def _warn(run: Run) -> None:
    for message in run.messages:
        warnings.warn(message, RuntimeWarning, stacklevel=3)


def _bar(what: str) -> Progress | None:
    """Return a function that shows the progress of a run as a tqdm bar; None without tqdm."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar: Any = None

    def show(progress: tuple[int, int | None, int] | None) -> None:
        nonlocal bar
        if progress is None:
            if bar is not None:
                bar.close()
            return
        reached, total, games = progress
        if bar is None:
            bar = tqdm(total=total, unit="B", unit_scale=True, desc=what)
        bar.update(reached - bar.n)
        bar.set_postfix_str(f"{games} games", refresh=False)

    return show


def _inputs(given: Input) -> tuple[list[tuple[str, object]], Iterable[Any] | None]:
    """Distinguish single inputs from pairs, and give each input a name for the rows."""
    if isinstance(given, Mapping):
        return [], given.items()
    if isinstance(given, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(given, "read"):
        return [(_name(given, 1), _plain(given))], None
    if not isinstance(given, Iterable):
        message = f"jigo reads paths, bytes, files, and pairs of an identifier and a text, not {type(given).__name__}"
        raise TypeError(message)
    several = iter(given)
    first = next(several, None)
    if isinstance(first, tuple):
        # An iterator returns itself and has lost its first pair.
        return [], chain([first], several) if several is given else given
    items = [] if first is None else [first, *several]
    return [(_name(item, number), _plain(item)) for number, item in enumerate(items, 1)], None


def _name(item: object, number: int) -> str:
    name = getattr(item, "name", None)
    return name if isinstance(name, str) else f"input-{number}"


def _plain(item: object) -> object:
    return bytes(item) if isinstance(item, (bytearray, memoryview)) else item


def _arguments(options: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """Convert options to their names in the command and texts; None is the text of a flag."""
    arguments: list[tuple[str, str | None]] = []
    for name, value in options.items():
        flag = name.replace("_", "-")
        if value is True:
            arguments.append((flag, None))
        elif value is not None and value is not False:
            if name == "players" and isinstance(value, Mapping):
                value = _name_list(value)
            if isinstance(value, Mapping):
                value = [f"{key.replace('_', '-')}={part}" for key, part in value.items()]
            listed = isinstance(value, (list, tuple, set, frozenset))
            arguments.append((flag, ",".join(map(str, value)) if listed else str(value)))
    return arguments


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that exists until the end of the program."""
    return tempfile.TemporaryDirectory(prefix="jigo-")


def _name_list(names: Mapping[str, str | Iterable[str]]) -> str:
    """Write a file for --players with the names of each identifier."""
    number, path = tempfile.mkstemp(".csv", dir=_folder().name)
    with os.fdopen(number, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "name"])
        for player, known in names.items():
            rows.writerows([player, name] for name in ([known] if isinstance(known, str) else known))
    return path


def check(
    paths: Input,
    *,
    rules: str | Iterable[str] | None = None,
    where: str | None = None,
    select: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] | None = None,
    results: bool = False,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Replay games and return one row per finding, as ``jigo check`` does.

    ``paths`` is a path, a folder, an archive, bytes, or a file object, or several of these, or
    pairs of an identifier and a text (a mapping, or an iterable of tuples). ``progress`` shows a
    tqdm bar; by default only in a notebook. Further options are those of the command, with _ in
    place of -: ``limit=100``, ``jobs=2``, ``on_illegal="stop"``, ``max={"game_time": 10}``.

    >>> import jigo
    >>> next(jigo.check([("first", "(;SZ[9];B[ee];W[ee])")], rules="aga", select="P").rows())["detail"]
    'the stone there is replaced'
    >>> jigo.check("nowhere.sgf")
    Traceback (most recent call last):
    jigo.Error: nowhere.sgf: No such file or directory (os error 2)
    """
    given = {"rules": rules, "where": where, "select": select, "ignore": ignore, "results": results, **options}
    return Rows("check", given, paths, progress=progress)


def turns(
    paths: Input,
    *,
    rules: str | Iterable[str] | None = None,
    where: str | None = None,
    columns: str | Iterable[str] | None = None,
    planes: bool = False,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Replay games and return one row per turn, as ``jigo check --table turns`` does.

    ``columns`` lists the columns; ``+name`` adds one to the default columns, such as ``+winner``.
    ``planes`` adds the board before each turn, from the view of its player, as ``Position.planes``
    returns it: in Arrow a list of 6 * 19 * 19 numbers, in ``rows()`` a NumPy array. Other
    parameters are those of ``check``.

    >>> import jigo
    >>> [(row["color"], row["point"]) for row in jigo.turns(b"(;B[pd];W[])").rows()]
    [('B', 'pd'), ('W', None)]
    >>> list(jigo.turns(b"(;RE[B+R];B[pd];W[])", columns=["turn", "winner"]).rows())
    [{'turn': 1, 'winner': 'B'}, {'turn': 2, 'winner': 'B'}]
    """
    given = {"table": "turns", "rules": rules, "where": where, "columns": columns, **options}
    return Rows("check", given, paths, progress=progress, planes=planes)


def score(
    paths: Input,
    *,
    rules: str | Iterable[str] | None = None,
    where: str | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Count endings and return one row per game and ruleset, as ``jigo score`` does.

    Parameters are those of ``check``.

    >>> import jigo
    >>> sgf = "(;SZ[5:3]KM[0.5]AB[ba][bb][bc]AW[da][db][dc];B[];W[]TB[aa][ab][ac]TW[ea][eb][ec])"
    >>> [(row["ruleset"], row["black_minus_white"]) for row in jigo.score({1: sgf}, rules=["japanese", "aga"]).rows()]
    [('japanese', -0.5), ('aga', -0.5)]
    """
    return Rows("score", {"rules": rules, "where": where, **options}, paths, progress=progress)


def results(
    paths: Input,
    *,
    where: str | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Compare recorded results with the count, one row per game with a recorded result.

    The rows are those of ``jigo score --table results``. Parameters are those of ``check``.
    """
    return Rows("score", {"table": "results", "where": where, **options}, paths, progress=progress)


def endings(
    paths: Input,
    *,
    rules: str | Iterable[str] | None = None,
    where: str | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Return the last position of each game, with its board, dead stones and ownership.

    The rows are those of ``jigo score --table endings``. Parameters are those of ``check``.

    >>> import jigo
    >>> jigo.endings([]).columns[:4]
    ['file', 'game', 'turns', 'width']
    """
    given = {"table": "endings", "rules": rules, "where": where, **options}
    return Rows("score", given, paths, progress=progress)


def duplicates(
    paths: Input,
    *,
    keep: str = "best",
    where: str | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Find duplicate games and return one row for each, as ``jigo duplicates`` does.

    Parameters are those of ``check``.

    >>> import jigo
    >>> jigo.duplicates([], keep="first").columns[:3]
    ['cluster', 'class', 'file']
    """
    return Rows("duplicates", {"keep": keep, "where": where, **options}, paths, progress=progress)


def find(
    paths: Input,
    pattern: str | None = None,
    *,
    points: str | None = None,
    turns: str | None = None,
    where: str | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Find a pattern in games and return one row for each match, as ``jigo find`` does.

    ``pattern`` is a diagram, whose rows end with their line or with a comma; ``points`` lists
    points instead, as in ``"B Q16, W D4"``. Further options are those of the command:
    ``swap_colors=True``, ``all=True``, ``table="continuations"``. Other parameters are those of
    ``check``.

    >>> import jigo
    >>> rows = jigo.find(b"(;GM[1]SZ[9];B[cc];W[gg])", "+---,|...,|...,|..X")
    >>> [(row["turn"], row["next_color"], row["next"]) for row in rows.rows()]
    [(1, 'W', 'elsewhere')]
    """
    given = {"pattern": pattern, "points": points, "turns": turns, "where": where, **options}
    return Rows("find", given, paths, progress=progress)


def games(
    paths: Input,
    *,
    rules: str | Iterable[str] | None = None,
    where: str | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Rows:
    """Summarize games, one row per game, as in the games table of ``jigo report``.

    Parameters are those of ``check``.

    >>> import jigo
    >>> jigo.games([], where="size = 19").columns[:5]
    ['file', 'game', 'offset', 'black', 'white']
    """
    return Rows("games", {"rules": rules, "where": where, **options}, paths, progress=progress)


def report(
    paths: Path | Iterable[Path],
    out: Path,
    *,
    rules: str | Iterable[str] | None = None,
    where: str | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Write the tables games, findings, scores and results into the folder ``out``, in one pass.

    The tables are Parquet. The folder also has the page and the other files of ``jigo report``.
    Return its summary. Other parameters are those of the command: ``duplicates=True``,
    ``force=True``, ``format="csv"``.

    >>> import jigo, tempfile
    >>> jigo.report("nowhere.sgf", tempfile.mkdtemp())
    Traceback (most recent call last):
    jigo.Error: nowhere.sgf: No such file or directory (os error 2)
    """
    given = {"out": out, "rules": rules, "where": where, "format": "parquet", "exit_zero": True, **options}
    words = [f"--{name}" if text is None else f"--{name}={text}" for name, text in _arguments(given)]
    names = [str(path) for _, path in _inputs(paths)[0]]
    if not names:
        raise ValueError("jigo.report reads files and folders: name at least one")
    # The command installs signal handlers, so it runs in another process.
    command = [sys.executable, "-m", "jigo", "report", "--progress=never", *words, "--", *names]
    run = subprocess.run(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    if run.returncode:
        raise Error(run.stderr.decode(errors="replace").strip().removeprefix("jigo: "))
    summary: dict[str, Any] = json.loads(pathlib.Path(out, "summary.json").read_bytes())
    return summary


__all__ = [
    "Batch",
    "Error",
    "Input",
    "Rows",
    "check",
    "duplicates",
    "endings",
    "find",
    "games",
    "report",
    "results",
    "score",
    "turns",
]
