"""The examples of the module and of its guide."""

from __future__ import annotations

import doctest
import importlib
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/python.md"


@pytest.mark.parametrize("name", ["jigo", "jigo._rows"])
def test_examples_of_the_module(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    assert outcome.attempted > 2
    assert outcome.failed == 0


def test_the_guide_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = ["" if line.startswith("```") else line for line in GUIDE.read_text().splitlines()]
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    example = doctest.DocTestParser().get_doctest("\n".join(lines), {}, GUIDE.name, str(GUIDE), 0)
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(example)
    assert runner.tries > 10
    assert runner.failures == 0


def test_the_readme_is_true(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    games = ROOT / "fixtures/games"
    shutil.copytree(games, tmp_path / "games")
    shutil.make_archive(str(tmp_path / "games"), "zip", games)
    shutil.copy(games / "marked.sgf", tmp_path / "game.sgf")
    monkeypatch.chdir(tmp_path)
    code = (ROOT / "python/README.md").read_text().split("```python\n")[1].split("```")[0]
    names: dict[str, object] = {}
    exec(code, names)
    assert isinstance(names["scores"], polars.DataFrame)
