"""The examples of the module and of its guide."""

from __future__ import annotations

import doctest
import importlib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/python.md"


@pytest.mark.parametrize("name", ["jigo", "jigo._rows"])
def test_examples_of_the_module(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert outcome.attempted > 2
    assert outcome.failed == 0


def test_examples_of_the_guide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = ["" if line.startswith("```") else line for line in GUIDE.read_text().splitlines()]
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    example = doctest.DocTestParser().get_doctest("\n".join(lines), {}, GUIDE.name, str(GUIDE), 0)
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(example)
    assert runner.tries > 10
    assert runner.failures == 0


def test_the_readme_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    record = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];B[gg])"
    (tmp_path / "games").mkdir()
    (tmp_path / "games/game.sgf").write_text(record)
    (tmp_path / "game.sgf").write_text(record)
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as archive:
        archive.writestr("game.sgf", record)
    monkeypatch.chdir(tmp_path)
    examples = (ROOT / "python/README.md").read_text().split("```python\n")[1:]
    assert examples
    for example in examples:
        exec(example.split("```")[0], {})
