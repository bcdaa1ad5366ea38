from collections.abc import Callable, Iterator, Sequence
from typing import Any, final

__version__: str

class Error(Exception): ...

def command(arguments: Sequence[str]) -> int: ...

@final
class Query:
    def __new__(
        cls,
        words: Sequence[str],
        items: Sequence[tuple[str, object]],
        pairs: Iterator[tuple[object, str | bytes]] | None,
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

    Arrow libraries take it as it is: `pyarrow.record_batch(batch)`, `polars.from_arrow(batch)`.
    """

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
    def __len__(self) -> int: ...
    def to_pylist(self) -> list[dict[str, Any]]:
        """Give the rows as dictionaries.

        Words and texts are str, numbers int or float, days datetime.date, what is empty None.
        """
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Game:
    """A game record.

    A game with illegal moves, with damage or with a senseless header is a game; findings() says what is wrong with it.
    """

    def __new__(cls, sgf: str | bytes) -> Game: ...
    @property
    def header(self) -> dict[str, Any]:
        """Players, board, komi, rules and result, as far as the record says; None for what it does not."""
    @property
    def ruleset(self) -> str | None:
        """Name of the ruleset that RU means; None where it names none that is known."""
    @property
    def turns(self) -> list[tuple[str, str | None]]:
        """The turns of the main line: color and SGF pair, None for a pass. Turn 1 is the first."""
    def __len__(self) -> int: ...
    def position(self, turn: int | None = None) -> Position:
        """Give the position after a turn; 0 is the one before the first turn, none named the last one."""
    def findings(self, rules: str | None = None) -> list[Finding]:
        """Tell what is wrong with the text and the play, judged by a ruleset: the recorded one where none is named."""
    def score(self, rules: str | None = None, *, komi: float | None = None, dead: Sequence[str] | None = None) -> Score:
        """Count the last position under a ruleset: under the recorded one where none is named."""
    def _repr_svg_(self) -> str: ...

@final
class Position:
    """The stones on a board."""

    @property
    def turn(self) -> int:
        """Turns that led to it."""
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
        """Stones that Black and White have lost so far."""
    def __getitem__(self, pair: str) -> str | None: ...
    def __eq__(self, other: object) -> bool: ...
    def _repr_svg_(self) -> str: ...

@final
class Finding:
    """Something that is wrong with a game, or worth knowing."""

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
