"""Checks and rescores archives of Go (baduk, weiqi) game records.

``check``, ``turns``, ``score``, ``results``, ``find`` and ``games`` return the rows of the command
with the same name, while it runs:

>>> import jigo
>>> rows = jigo.check(b"(;GM[1]SZ[9]RE[B+3]KM[6.5];B[ee];W[ee])", select="P")
>>> [(row["turn"], row["code"], row["name"]) for row in rows.rows()]
[(2, 'P001', 'occupied')]

``Game`` is a single game:

>>> game = jigo.Game("(;SZ[5:3]KM[0.5]AB[ba][bb][bc]AW[da][db][dc];B[];W[])")
>>> game.score("chinese", dead_stones=[]).result
'W+0.5'
>>> print(game.position())
. X . O .
. X . O .
. X . O .
"""

from jigo._jigo import Batch, Error, Finding, Game, Position, Score, __version__
from jigo._rows import Input, Rows, check, duplicates, endings, find, games, report, results, score, turns

__all__ = [
    "Batch",
    "Error",
    "Finding",
    "Game",
    "Input",
    "Position",
    "Rows",
    "Score",
    "__version__",
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
