"""Fits the trees of all passes: `fit.py FOLDER [HELD]`, where FOLDER has fit.txt, the endings that `jigo-fit endings` wrote. With HELD every fourth game
from that one on is left out, so that the fit can be judged on it (`fit/held`); then the trees go into FOLDER, and those of the source stay.

A group's label is its status by playouts, in games whose count is then the recorded one. A pass has to see the one before as it is on games that it does
not know: so each but the last is fitted to even and to odd games, too, and what the next one learns from are the odds of the half that a game is not in.
"""

import subprocess
import sys

import lightgbm
import numpy
import table

HEAD = 3
# What a pass leaves alone of the one before: `SURE` of the evaluation.
SURE = numpy.float32(7.0)
SOURCE = "crates/jigo-core/src/score/evaluation"
COMMON = dict(
    objective="binary",
    min_data_in_leaf=60,
    lambda_l2=2.0,
    seed=1,
    deterministic=True,
    force_row_wise=True,
    num_threads=2,
    verbose=-1,
)
TREES = {"first": 48, "second": 120, "third": 300}
SETTINGS = {
    "first": dict(COMMON, num_leaves=32, max_depth=5, learning_rate=0.3),
    "second": dict(COMMON, num_leaves=63, max_depth=6, learning_rate=0.15),
    "third": dict(COMMON, num_leaves=31, max_depth=6, learning_rate=0.06, min_data_in_leaf=30),
}


def rows(folder, *words):
    """The rows of a pass, by the code that uses the trees."""
    with open(f"{folder}/fit.txt") as endings:
        made = subprocess.run(["target/release/jigo-fit", "rows", *words], stdin=endings, capture_output=True, check=True)
    # The first four bytes say how many features there are.
    features = numpy.frombuffer(made.stdout, dtype="<u4", count=1)[0]
    return numpy.frombuffer(made.stdout, dtype="<f4", offset=4).reshape(-1, HEAD + features)


class Pass:
    """A pass fitted to all games, and what the fits to halves of them say of the other halves."""

    def __init__(self, name, rows, held, written):
        game, lives, right = rows[:, 0].astype(int), rows[:, 1], rows[:, 2]
        features = numpy.ascontiguousarray(rows[:, HEAD:])
        chosen = (right == 1) & (game % 4 != held)

        def fit(which):
            part = lightgbm.Dataset(features[which], lives[which])
            return lightgbm.train(SETTINGS[name], part, num_boost_round=TREES[name])

        model = fit(chosen)
        table.write(model, f"{written}/weights_{name}.rs", name)
        print(f"{name} pass: {chosen.sum()} groups, {TREES[name]} trees", flush=True)
        if name == "third":
            return
        self.odds = numpy.zeros(len(rows), dtype="<f4")
        for half in (0, 1):
            others = game % 2 != half
            self.odds[others] = fit(chosen & ~others).predict(features[others], raw_score=True)


def main(folder, held=None):
    written = SOURCE if held is None else folder
    held = None if held is None else int(held)
    odds = Pass("first", rows(folder, "first"), held, written).odds
    for name in ("second", "third"):
        odds.tofile(f"{folder}/odds")
        fitted = Pass(name, rows(folder, "later", f"{folder}/odds"), held, written)
        if name == "second":
            odds[numpy.abs(odds) < SURE] = fitted.odds


main(*sys.argv[1:])
