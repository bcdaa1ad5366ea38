"""Trees of LightGBM as a table in Rust, with what LightGBM makes of made-up rows, so that a test can tell whether the code reads the table as it is meant."""

import numpy as np

MADE_UP = 16


def below(bound):
    """The largest 32-bit float that is at most the bound: what is at most the one is at most the other."""
    # LightGBM writes 1e-35 for zero.
    single = np.float32(0.0 if abs(bound) < 1e-30 else bound)
    return single if float(single) <= bound else np.nextafter(single, np.float32(-np.inf))


def number(value):
    return np.format_float_positional(np.float32(value), unique=True, trim="0")


def tree(structure):
    """A line of the table."""
    nodes, leaves = [], []

    def walk(node):
        if "leaf_value" in node:
            leaves.append(number(node["leaf_value"]))
            return -len(leaves)
        at = len(nodes)
        nodes.append(None)
        low, high = walk(node["left_child"]), walk(node["right_child"])
        nodes[at] = f"({node['split_feature']}, {number(below(node['threshold']))}, {low}, {high})"
        return at

    walk(structure)
    return f"    Tree {{ nodes: &[{', '.join(nodes)}], leaves: &[{', '.join(leaves)}] }},\n"


def made_up_rows(features):
    """Rows of numbers from SplitMix64; the test makes the same ones."""
    state, mask = 23, (1 << 64) - 1
    values = []
    for _ in range(MADE_UP * features):
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        values.append(((mixed ^ (mixed >> 31)) >> 32) % 320 / 8 - 10)
    return np.array(values, dtype=np.float64).reshape(MADE_UP, features)


def write(model, path, what):
    trees = "".join(tree(one["tree_structure"]) for one in model.dump_model()["tree_info"])
    odds = model.predict(made_up_rows(model.num_feature()), raw_score=True)
    with open(path, "w") as out:
        out.write(f"//! The trees of the {what} pass. Made by `fit/fit`, and not to be changed by hand.\n\n")
        out.write("use super::trees::Tree;\n\n")
        out.write(f"#[rustfmt::skip]\npub(super) const TREES: &[Tree] = &[\n{trees}];\n\n")
        out.write("/// What LightGBM makes of made-up rows.\n")
        out.write("#[cfg(test)]\n#[rustfmt::skip]\n")
        out.write(f"pub(super) const MADE_UP: [f32; {MADE_UP}] = [{', '.join(map(number, odds))}];\n")
