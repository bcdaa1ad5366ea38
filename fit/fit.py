"""Fits the trees of all passes.

Usage: fit.py FOLDER [HELD]
FOLDER contains fit.txt, the endings written by `jigo-fit endings`. With HELD the fit leaves out every
fourth game, starting with that one, so that these games can judge it (`fit/held`). In that case the
trees are written to FOLDER, and those in the source do not change.

A group's label is its status by playouts. Only games whose score by these labels is the recorded one
are used. Each pass must learn from odds that the previous pass gives to games it has not seen.
Therefore every pass but the last is also fitted to the even games alone and to the odd games alone.
The next pass uses the odds from the half that does not contain the game.
"""

import subprocess
import sys

import lightgbm
import numpy
import table

HEAD = 3
# Odds beyond which a pass does not judge a group again: `SURE_ODDS` in evaluation/mod.rs.
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
    """Returns the rows of a pass, computed by the code that uses the trees."""
    with open(f"{folder}/fit.txt") as endings:
        made = subprocess.run(["target/release/jigo-fit", "rows", *words], stdin=endings, capture_output=True, check=True)
    # The first four bytes contain the number of features.
    features = numpy.frombuffer(made.stdout, dtype="<u4", count=1)[0]
    return numpy.frombuffer(made.stdout, dtype="<f4", offset=4).reshape(-1, HEAD + features)


class Pass:
    """A pass fitted to all games, with the odds that fits to one half give to the other half."""

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
