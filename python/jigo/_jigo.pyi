import os
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any, final

__version__: str

class Error(Exception): ...

def command(arguments: Sequence[str]) -> int: ...

@final
class Query:
    def __new__(
        cls,
        product: str,
        arguments: Sequence[tuple[str, str | None]],
        items: Sequence[tuple[str, object]],
        pairs: Iterable[Any] | None,
        planes: bool,
    ) -> Query: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def last(self) -> Run | None: ...
    def run(self, progress: Callable[[tuple[int, int | None, int] | None], object] | None) -> Run: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(
        self,
        requested_schema: object | None = None,
        *,
        progress: Callable[[tuple[int, int | None, int] | None], object] | None = None,
    ) -> object: ...

@final
class Run:
    def next(self) -> Batch | None: ...
    def close(self) -> None: ...
    @property
    def summary(self) -> str | None: ...
    @property
    def messages(self) -> list[str]: ...

@final
class Batch:
    """Some rows of a table.

    Arrow libraries accept a batch directly: `pyarrow.record_batch(batch)`,
    `polars.DataFrame(batch)`.
    """

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
    def __len__(self) -> int: ...
    def to_pylist(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries.

        Words and texts are str, numbers int or float, days datetime.date, planes NumPy arrays, and
        empty cells None.
        """
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Game:
    """A game record.

    Illegal moves, damage or an implausible header don't make a record invalid; findings() reports
    them.
    """

    def __new__(cls, record: str | bytes | os.PathLike[str] | IO[Any]) -> Game: ...
    @property
    def header(self) -> dict[str, Any]:
        """Players, board, komi, rules and result of the record. Unrecorded values are None."""
    @property
    def ruleset(self) -> str | None:
        """Name of the ruleset in RU; None if RU names no known ruleset."""
    @property
    def turns(self) -> list[tuple[str, str | None]]:
        """The turns of the main line, from 1: a color and an SGF pair, or None for a pass."""
    def __len__(self) -> int: ...
    def position(self, turn: int | None = None) -> Position:
        """Return the position after a turn (0: before the first), by default the last one."""
    def findings(self, rules: str | None = None) -> list[Finding]:
        """Return the findings on text and play under a ruleset, by default the recorded one."""
    def score(
        self,
        rules: str | None = None,
        *,
        komi: float | None = None,
        dead_stones: str | Sequence[str] | None = None,
        seki: str | Sequence[str] | None = None,
        min_confidence: float = 0.5,
    ) -> Score:
        """Count the last position under a ruleset, by default the recorded one as its server counts it.

        dead_stones names the dead stones by hand, as points of the board or SGF pairs: "D4,Q16" or a
        list. A stone names its whole chain, and all other stones are alive. seki names stones whose
        groups live in seki. An estimate with less than min_confidence is an error.
        """
    def _repr_svg_(self) -> str: ...

@final
class Position:
    """The stones on a board."""

    @property
    def turn(self) -> int:
        """The number of turns before the position."""
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def black(self) -> list[str]:
        """Points of Black's stones, row by row."""
    @property
    def white(self) -> list[str]:
        """Points of White's stones, row by row."""
    @property
    def lost(self) -> tuple[int, int]:
        """The number of stones that Black and White have lost so far."""
    def planes(self, player: str) -> Any:
        """Return the board as planes for a network: a NumPy array with the shape (6, 19, 19)."""
    def __getitem__(self, pair: str) -> str | None: ...
    def __eq__(self, other: object) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class Finding:
    """An error or a noteworthy fact about a game."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def turn(self) -> int | None: ...
    @property
    def color(self) -> str | None: ...
    @property
    def point(self) -> str | None: ...
    @property
    def rules(self) -> str: ...
    @property
    def detail(self) -> str: ...

@final
class Score:
    """A count under a ruleset, in points."""

    @property
    def ruleset(self) -> str: ...
    @property
    def komi(self) -> float: ...
    @property
    def bonus(self) -> float: ...
    @property
    def black(self) -> float: ...
    @property
    def white(self) -> float: ...
    @property
    def black_minus_white(self) -> float: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def result(self) -> str: ...
    @property
    def dead(self) -> list[str]: ...
    @property
    def dead_source(self) -> str: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def remark(self) -> str | None: ...
