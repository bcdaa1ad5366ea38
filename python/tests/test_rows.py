"""Compares the wheel with the command: rows, inputs, errors, Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import ipc

import jigo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
CORPUS = os.environ.get("JIGO_CORPUS", "")
# A black stone and its surroundings.
STONE = "?????,?????,??X??,?????,?????"
INPUTS = [str(FIXTURES), *([f"{CORPUS}/edge"] if CORPUS else [])]

TABLES: dict[str, tuple[list[str], Callable[..., jigo.Rows]]] = {
    "findings": (["check"], jigo.check),
    "turns": (["check", "--table", "turns"], jigo.turns),
    "training": (
        ["check", "--table", "turns", "--columns", "all", "--where", "not has(R001)"],
        lambda paths: jigo.turns(paths, columns="all", where="not has(R001)"),
    ),
    "scores": (["score"], jigo.score),
    "results": (["score", "--table", "results"], jigo.results),
    "duplicates": (["duplicates"], jigo.duplicates),
    "endings": (["score", "--table", "endings"], jigo.endings),
    "matches": (
        ["find", "--all", "--swap-colors", "--turns", "..50", STONE],
        lambda paths: jigo.find(paths, STONE, all=True, swap_colors=True, turns="..50"),
    ),
    "continuations": (
        ["find", "--table", "continuations", "--all", "--no-symmetry", STONE],
        lambda paths: jigo.find(paths, STONE, table="continuations", all=True, no_symmetry=True),
    ),
}

WRONG = "(;GM[1]SZ[9];B[ee];W[ee])"


def command(*words: str) -> subprocess.CompletedProcess[bytes]:
    """The command of the wheel."""
    jigo_command = Path(sys.executable).with_name("jigo")
    return subprocess.run([jigo_command, *words], capture_output=True, cwd=ROOT, check=False)


@pytest.mark.parametrize("name", TABLES)
def test_rows_equal_those_of_the_command(name: str) -> None:
    words, function = TABLES[name]
    ran = command(*words, "-q", "--format", "arrow", *INPUTS)
    # The fixtures contain errors, but tables that only export rows end with 0.
    expected = 0 if name in {"turns", "training", "duplicates", "matches", "continuations"} else 1
    assert ran.returncode == expected or words[0] == "score", ran.stderr
    with ipc.open_stream(ran.stdout) as stream:
        due = stream.read_all()
    rows = function(INPUTS)
    assert due.num_rows > 20
    table = pa.table(rows)
    assert table.schema == due.schema
    assert table.to_pylist() == due.to_pylist()
    assert list(rows.rows()) == due.to_pylist()
    assert pl.from_arrow(rows).to_arrow().to_pylist() == due.to_pylist()
    assert duckdb.sql("select * from rows").fetchall() == [tuple(row.values()) for row in due.to_pylist()]
    frame = rows.to_pandas()
    assert list(frame.columns) == rows.columns == due.column_names
    assert len(frame) == due.num_rows


def test_games_equal_those_of_a_report(tmp_path: Path) -> None:
    ran = command("report", "-q", "--format", "arrow", "--out", str(tmp_path / "audit"), *INPUTS)
    assert ran.returncode == 1, ran.stderr
    with ipc.open_stream(tmp_path / "audit/games.arrows") as stream:
        due = stream.read_all()
    rows = jigo.games(INPUTS)
    assert pa.table(rows).to_pylist() == due.to_pylist()
    assert rows.summary is not None
    assert rows.summary["games"]["found"] == due.num_rows


def codes(rows: jigo.Rows) -> list[tuple[str, str]]:
    return [(row.get("file", row.get("id")), row["code"]) for row in rows.rows()]


def test_inputs_are_paths_bytes_files_archives_and_pairs(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner.sgf", WRONG)
    path = tmp_path / "game.sgf"
    path.write_text(WRONG)
    (tmp_path / "games.zip").write_bytes(packed.getvalue())
    name = path.as_posix()
    select = {"select": "P001"}
    assert codes(jigo.check(path, **select)) == [(name, "P001")]
    assert codes(jigo.check(str(path), **select)) == [(name, "P001")]
    assert codes(jigo.check([path, WRONG.encode()], **select)) == [(name, "P001"), ("input-2", "P001")]
    assert codes(jigo.check(tmp_path, **select)) == [
        (name, "P001"),
        (f"{tmp_path.as_posix()}/games.zip!inner.sgf", "P001"),
    ]
    assert codes(jigo.check(bytearray(packed.getvalue()), **select)) == [("input-1!inner.sgf", "P001")]
    with path.open() as text, path.open("rb") as binary:
        assert codes(jigo.check([text, binary], **select)) == [(name, "P001")] * 2
    assert codes(jigo.check({"one": WRONG, 2: WRONG.encode()}, **select)) == [("one", "P001"), ("2", "P001")]
    assert codes(jigo.check(((number, WRONG) for number in range(3)), **select)) == [(str(n), "P001") for n in range(3)]
    # Big5: the second byte of the name is a backslash.
    big5 = "(;GM[1]CA[Big5]PB[許];B[aa])".encode("big5")
    assert [row["black"] for row in jigo.games({"a": big5}).rows()] == ["許"]


def test_rows_are_read_as_often_as_their_inputs() -> None:
    rows = jigo.check(WRONG.encode(), select="P001")
    assert [len(list(rows.rows())) for _ in range(2)] == [1, 1]
    once = jigo.check(io.BytesIO(WRONG.encode()))
    assert len(list(once.rows())) > 0
    assert codes(once) == []
    for pairs in [{"a": WRONG}, [("a", WRONG), ("b", WRONG)], {"a": WRONG}.items()]:
        rows = jigo.check(pairs, select="P001")
        assert [len(list(rows.rows())) for _ in range(3)] == [len(pairs)] * 3
    iterator = jigo.check(iter([("a", WRONG)]), select="P001")
    assert codes(iterator) == [("a", "P001")]
    with pytest.raises(jigo.Error, match="can be read only once"):
        list(iterator.rows())


def test_report_needs_a_path(tmp_path: Path) -> None:
    for inputs in [[], {"a": WRONG}, [("a", WRONG)]]:
        with pytest.raises(ValueError, match="name at least one"):
            jigo.report(inputs, tmp_path / "audit")


def test_errors_are_those_of_the_command() -> None:
    for options, words in [
        ({"rules": "klingon"}, "--rules: "),
        ({"where": "sise = 19"}, "--where: "),
        ({"where": "agrees = true"}, "--where"),
        ({"select": ["Z9"]}, "--select: no finding is called or begins like 'Z9'"),
        ({"colour": True}, "there is no option 'colour' for rows (did you mean column or columns?)"),
        ({"jobs": 0}, "--jobs"),
        ({"jobs": True}, "--jobs: invalid type: boolean"),
        ({"quick": "yes"}, "--quick: invalid type"),
        ({"quick": True, "rules": "aga"}, "--quick cannot be used with --rules"),
        ({"quick": True, "table": "turns"}, "--quick reads no turns"),
        ({"severity": "bad"}, "--severity: it is one of error, warning, info"),
        ({"seed": 7}, "--seed needs --sample"),
        ({"max": {"node": 2}}, "there is no limit 'node' (did you mean nodes?)"),
        ({"input_format": "positions"}, "--input-format positions is for the scores of jigo score"),
        ({"output": "x.csv"}, "options for files and terminals are for the command"),
    ]:
        with pytest.raises(jigo.Error) as raised:
            list(jigo.check(WRONG.encode(), **options))
        assert words in str(raised.value)
    with pytest.raises(TypeError, match="not int"):
        jigo.check(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        jigo.check([7])  # type: ignore[list-item]


def test_pattern_is_a_diagram_or_points() -> None:
    game = {"a": "(;GM[1]SZ[9];B[cc];W[gg];B[gc])"}
    assert [row["turn"] for row in jigo.find(game, "---,...,...,X..").rows()] == [1]
    assert [row["turn"] for row in jigo.find(game, points="B C7, W G3", size=9, next=True).rows()] == [2]
    position = jigo.Game("(;GM[1]SZ[9];B[gc];W[cg])").position()
    assert [(row["turn"], row["symmetry"]) for row in jigo.find(game, str(position)).rows()] == [
        (2, "mirror-left-right")
    ]
    for pattern, options, words in [
        (None, {}, "there is no pattern"),
        ("X", {"points": "B D4"}, "there are two patterns"),
        ("X Q", {}, "PATTERN: line 1, column 3: 'Q' is not a point"),
        (None, {"points": "B Z9"}, "--points: line 1, column 3: there is no point Z9"),
        ("X", {"size": 9}, "--size needs --points"),
        (None, {"points": "B A1", "size": 53}, "it takes a whole number from 1 to 52"),
        ("X", {"turns": "9..2"}, "turn 9 comes after turn 2"),
        ("X", {"position": "game.sgf"}, "there is no option 'position' for rows"),
        ("X", {"table": "games"}, "--table: it is one of matches, continuations"),
        ("X", {"out": "audit"}, "there is no option 'out' for rows"),
    ]:
        with pytest.raises(jigo.Error) as raised:
            jigo.find(game, pattern, **options)
        assert words in str(raised.value)


def test_exceptions_of_inputs_are_raised() -> None:
    def pairs() -> Iterator[tuple[str, str]]:
        yield "a", WRONG
        message = "the database is gone"
        raise OSError(message)

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            message = f"no {size} bytes"
            raise RuntimeError(message)

    with pytest.raises(OSError, match="the database is gone"):
        list(jigo.check(pairs()))
    with pytest.raises(RuntimeError, match="no 1048576 bytes"):
        list(jigo.check(Broken()))
    with pytest.raises(TypeError, match="a text is str or bytes, not int"):
        list(jigo.check({"a": 1}))  # type: ignore[dict-item]


def test_damaged_archive_is_a_finding_and_others_are_read() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.sgf", WRONG * 200)
    damaged = bytearray(packed.getvalue())
    damaged[60:70] = bytes(10)
    rows = jigo.check([bytes(damaged), WRONG.encode()])
    found = codes(rows)
    assert ("input-1!0.sgf", "I012") in found
    assert ("input-1!2.sgf", "P001") in found
    assert ("input-2", "P001") in found
    assert rows.summary is not None
    assert rows.summary["games"]["found"] >= 401


def test_input_without_games_is_a_warning() -> None:
    with pytest.warns(RuntimeWarning, match="input-1"):
        found = codes(jigo.check(b"a letter"))
    assert [code for _, code in found] == ["I002"]


ENDLESS = """
    import itertools, sys
    import jigo

    game = "(;GM[1]SZ[9]" + ";B[ee];W[ee]" * 50 + ")"
    rows = jigo.check((str(number), game) for number in itertools.count())
    taken = 0
    try:
        {read}
    except KeyboardInterrupt:
        print("interrupted")
    """


@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to a single process")
@pytest.mark.parametrize(
    "read",
    [
        "for batch in rows: taken += len(batch); print('begun', flush=True) if taken == len(batch) else None",
        "print('begun', flush=True); rows.to_arrow()",
        "print('begun', flush=True); rows.to_pandas()",
    ],
)
def test_ctrl_c_ends_a_run(read: str) -> None:
    program = textwrap.dedent(ENDLESS).format(read=read)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        ran, _ = process.communicate(timeout=20)
    assert (ran, process.returncode) == ("interrupted\n", 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the most memory that a process had")
def test_memory_does_not_grow_with_the_input() -> None:
    program = """
        from pathlib import Path
        import jigo

        game = "(;GM[1]SZ[19]" + ";B[dd];W[pp]C[" + "so " * 2000 + "])"
        count = sum(len(batch) for batch in jigo.check((str(n), game) for n in range(50_000)))
        most = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        print(count, int(most.split()[1]) // 1024)
        """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True)
    _, megabytes = map(int, ran.stdout.split())
    assert megabytes < 150, "of 300 MB of text"


def test_command_of_the_wheel_is_the_program() -> None:
    version = command("--version").stdout.decode()
    assert version.split(" (")[0].strip() == f"jigo {jigo.__version__}"
    ran = command("check", "-q", "--format", "text", "fixtures/findings/K002-superko.sgf")
    assert (ran.returncode, ran.stdout[:38]) == (1, b"fixtures/findings/K002-superko.sgf:1:1")
    assert command("check", "--quick-and-dirty").returncode == 2


def test_limits_are_a_mapping_or_a_list() -> None:
    record = "(;GM[1]SZ[9];B[ee];W[cc];B[dd])"
    for limits in ({"nodes": 2, "game_time": 60}, ["nodes=2", "game-time=60"], "nodes=2"):
        rows = jigo.check({"a": record}, select="L", max=limits).rows()
        assert [row["code"] for row in rows] == ["L001"]
    with pytest.raises(jigo.Error, match="did you mean nodes"):
        jigo.check({"a": record}, max={"node": 2})


def test_configuration_file_is_read_only_if_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "jigo.toml"
    config.write_text("ignore = 'P'\n[[expect]]\nname = 'length'\nthat = 'turns > 5'\n")
    monkeypatch.chdir(tmp_path)
    assert "A001" not in [row["code"] for row in jigo.check(WRONG.encode()).rows()]
    selected = jigo.check(WRONG.encode(), config=str(config), select="A")
    assert [row["code"] for row in selected.rows()] == ["A001"]
    names = [row["name"] for row in jigo.check(WRONG.encode(), config=str(config)).rows()]
    assert "length" in names
    assert "occupied" not in names
    config.write_text("rulez = 'aga'\n")
    with pytest.raises(jigo.Error) as raised:
        list(jigo.check(WRONG.encode(), config=str(config)))
    assert "jigo.toml:1: there is no key 'rulez' (did you mean rules?)" in str(raised.value)


def test_planes_are_those_of_the_positions() -> None:
    boards = 0
    for path in sorted((FIXTURES / "games").glob("*.sgf")):
        for row in jigo.turns(path, planes=True).rows():
            if row["kind"] == "setup" or max(row["width"], row["height"]) > 19:
                continue
            game = jigo.Game(f"{path}#{row['game']}")
            before = game.position(row["turn"] - 1).planes(row["color"])
            assert (row["planes"] == before).all(), row
            boards += 1
    assert boards > 100


def test_players_are_a_mapping_from_ids_to_names() -> None:
    games = {"a": "(;PB[Cho Chikun]PW[趙治勲];B[dd])", "b": "(;PB[Kato, M.]PW[x];B[dd])"}
    players = {"cho": ["Cho Chikun", "趙治勲"], "kato": "Kato, M."}
    for _ in range(2):
        rows = list(jigo.games(games, players=players).rows())
        assert [row["black_id"] for row in rows] == ["cho", "kato"]
        assert rows[0]["white_id"] == "cho"
    assert not list(jigo.games(games, players={}, where="black_id = 'cho'").rows())


def test_planes_continue_across_batches() -> None:
    game = "(;SZ[9]AB[aa]" + ";B[ee];W[ef]" * 5000 + ")"
    rows = jigo.turns({1: game}, planes=True, columns=["+winner"])
    stones = [
        pa.record_batch(batch)["planes"].flatten().to_numpy().reshape(-1, 6, 361)[:, 1:3].sum(axis=(1, 2))
        for batch in rows
    ]
    assert [len(counts) for counts in stones] == [8192, 10_001 - 8192]
    assert stones[0][:4].tolist() == [0, 1, 2, 3]
    assert set(stones[1].tolist()) == {3}


def test_planes_of_a_large_board_are_zero_and_need_their_columns() -> None:
    row = next(jigo.turns(b"(;SZ[20];B[aa])", planes=True).rows())
    assert row["planes"].shape == (6, 19, 19)
    assert row["planes"].sum() == 0
    with pytest.raises(jigo.Error, match="needs the column step"):
        jigo.turns(b"(;B[aa])", planes=True, columns="turn,winner")


def test_report_writes_tables_in_one_pass(tmp_path: Path) -> None:
    games = FIXTURES / "games"
    summary = jigo.report([games], tmp_path / "a b", rules=["aga", "nz"], format="jsonl", where="turns > 1")
    lines = (tmp_path / "a b/games.jsonl").read_text().splitlines()
    names = [row["file"] for row in jigo.games(games, where="turns > 1").rows()]
    assert [json.loads(line)["file"] for line in lines] == names
    assert summary["games"]["found"] == len(list(jigo.games(games).rows()))
    with pytest.raises(jigo.Error, match="there already; --force"):
        jigo.report(games, tmp_path / "a b", format="jsonl")
