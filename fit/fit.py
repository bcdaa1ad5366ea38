"""Fits the trees of both passes: `fit.py FOLDER`, where FOLDER has fit.txt, the endings that `jigo-fit endings` wrote.

Games with an even number teach the first pass and the others the second, so that the second one sees the first as it is on games that it does not
know. A chain's label is its status by playouts, in games whose count is then the recorded one.
"""

import subprocess
import sys

import lightgbm
import numpy
import table

HEAD = 3
WEIGHTS = "crates/jigo-core/src/score/evaluation/weights"
TREES = {"first": 60, "second": 120}
SETTINGS = dict(
    objective="binary",
    num_leaves=16,
    max_depth=5,
    learning_rate=0.15,
    min_data_in_leaf=60,
    lambda_l2=2.0,
    max_bin=63,
    seed=1,
    deterministic=True,
    force_row_wise=True,
    num_threads=2,
    verbose=-1,
)


def rows(folder, *words):
    """The rows of a pass, by the code that uses the trees."""
    with open(f"{folder}/fit.txt") as endings:
        made = subprocess.run(["target/release/jigo-fit", "rows", *words], stdin=endings, capture_output=True, check=True)
    # The first four bytes say how many features there are.
    features = numpy.frombuffer(made.stdout, dtype="<u4", count=1)[0]
    return numpy.frombuffer(made.stdout, dtype="<f4", offset=4).reshape(-1, HEAD + features)


def fit(name, rows, half):
    game, lives, right = rows[:, 0], rows[:, 1], rows[:, 2]
    chosen = (right == 1) & (game % 2 == half)
    features = numpy.ascontiguousarray(rows[chosen, HEAD:])
    model = lightgbm.train(SETTINGS, lightgbm.Dataset(features, lives[chosen]), num_boost_round=TREES[name])
    table.write(model, f"{WEIGHTS}_{name}.rs", name)
    print(f"{name} pass: {len(features)} chains, {TREES[name]} trees")
    return model


def main(folder):
    first = rows(folder, "first")
    model = fit("first", first, 0)
    odds = model.predict(numpy.ascontiguousarray(first[:, HEAD:]), raw_score=True)
    odds.astype("<f4").tofile(f"{folder}/odds")
    fit("second", rows(folder, "second", f"{folder}/odds"), 1)


main(sys.argv[1])
