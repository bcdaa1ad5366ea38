#!/usr/bin/env python3
"""Measures how often the rules decide games of Go: the tables and plots of docs/study.md.

    study/study.py target/release/jigo OUT [OPTION...] PATH...

runs jigo with the options on the paths, and writes OUT/tables.md and one SVG for each plot. All
numbers come from jigo's tables. Shares have 95 % intervals (Wilson 1927).
"""

import csv
import math
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

QUANTILE = 1.959963985
# Groups with fewer games are left out.
SMALLEST_GROUP = 30
CAUSES = ["parity", "passes", "handicap_stones", "setup", "seki", "dame", "komi", "bonus", "rest"]


def interval(part: int, whole: int) -> tuple[float, float]:
    """Return the limits of the 95 % interval of a share."""
    if whole == 0:
        return (0.0, 1.0)
    share, square = part / whole, QUANTILE**2
    center = (share + square / (2 * whole)) / (1 + square / whole)
    spread = QUANTILE / (1 + square / whole) * math.sqrt(share * (1 - share) / whole + square / (4 * whole**2))
    return (max(0.0, center - spread), min(1.0, center + spread))


def share(part: int, whole: int) -> str:
    """Return a number of games with its share and interval."""
    if whole == 0:
        return "–"
    low, high = interval(part, whole)
    return f"{part:,} ({100 * part / whole:.2f}%, {100 * low:.2f} to {100 * high:.2f})"


def table(header: list[str], rows: list[list[object]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *[[str(cell) for cell in row] for row in rows]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def plot(title: str, bars: list[tuple[str, int, int]]) -> str:
    """Return shares with their intervals as a bar chart."""
    top = max([interval(part, whole)[1] for _, part, whole in bars], default=0.0) or 1.0
    width, left, step = 640, 150, 26
    parts = []
    for index, (label, part, whole) in enumerate(bars):
        y = 34 + index * step
        low, high = interval(part, whole)
        x = [left + (width - left - 20) * value / top for value in (part / max(whole, 1), low, high)]
        parts.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{label}</text>')
        parts.append(f'<rect x="{left}" y="{y}" width="{x[0] - left:.1f}" height="15" fill="#7d8fa9"/>')
        parts.append(f'<path d="M{x[1]:.1f} {y + 7.5}H{x[2]:.1f}" stroke="#333" stroke-width="2"/>')
    height = 44 + len(bars) * step
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="13"><rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="8" y="20" font-weight="bold">{title} (full width: {100 * top:.1f}%)</text>'
        f"{''.join(parts)}</svg>\n"
    )


def cause_kind(cause: str) -> str:
    """Return a cause without its points, stones and groups."""
    return re.sub(r" ?-?[\d.]+$|: .*", "", re.sub(r"group \S+", "a group", cause))


class Study:
    """One run over an archive."""

    def __init__(self, jigo: str, out: Path, paths: list[str]) -> None:
        self.jigo, self.out, self.paths = jigo, out, paths
        self.text: list[str] = []

    def rows(self, *arguments: str) -> Iterator[dict[str, str]]:
        """Yield the rows of a table that jigo writes, without keeping them."""
        command = [self.jigo, *arguments, "-q", "--format", "csv", *self.paths]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as run:
            yield from csv.DictReader(run.stdout)
        if run.returncode > 1:
            sys.exit(f"{' '.join(command)} failed")

    def add(self, title: str, body: str) -> None:
        self.text.append(f"### {title}\n\n{body}")

    def pairs(self, *arguments: str) -> list[dict[str, str]]:
        return list(self.rows("compare", "--rules", "japanese,chinese", *arguments))

    def margins(self) -> None:
        """Compare area and territory in all games."""
        rows = self.pairs()
        body = []
        for row in rows:
            games = int(row["games"])
            for label, column in [("0", "same"), ("1", "margin_1"), ("2", "margin_2"), ("3 or more", "margin_3")]:
                body.append([f"the same winner, margins differ by {label}", share(int(row[column]), games)])
            body.append(["another winner at equal komi", share(int(row["winner"]), games)])
            body.append(["another winner at own komi (6.5 and 7.5)", share(int(row["own_komi_winner"]), games)])
            body.append(["no certain count", row["unsettled"]])
        self.add("Area and territory", table(["games", "number (share, 95 % interval)"], body))
        causes = [
            [cause.replace("_", " "), share(int(row[cause]), int(row["games"])), row[f"winner_{cause}"]]
            for row in rows
            for cause in CAUSES
            if int(row[cause])
        ]
        causes += [["several causes", "–", row["winner_several"]] for row in rows]
        header = ["cause", "games with a difference", "games in which it alone changes the winner"]
        self.add("Causes of differences", table(header, causes))

    def groups(self, by: str) -> None:
        """Compare area and territory in groups of games."""
        rows = [row for row in self.pairs("--by", by) if int(row["games"]) >= SMALLEST_GROUP]
        body = [
            [
                row["group"],
                f"{int(row['games']):,}",
                share(int(row["winner"]), int(row["games"])),
                share(int(row["own_komi_winner"]), int(row["games"])),
            ]
            for row in rows
        ]
        self.add(f"By {by}", table([by, "games", "another winner at equal komi", "at own komi"], body))
        bars = [(row["group"], int(row["winner"]), int(row["games"])) for row in rows]
        (self.out / f"winners-by-{by}.svg").write_text(plot(f"Another winner at equal komi, by {by}", bars), "utf-8")

    def seki(self) -> None:
        """Count the games with eyes in seki."""
        counted = in_seki = with_eyes = to_fill = 0
        for row in self.rows("score", "--table", "endings", "--exit-zero"):
            if row["ownership"]:
                counted += 1
                in_seki += any(sign in row["ownership"] for sign in "bw")
                with_eyes += int(row["black_seki"]) + int(row["white_seki"]) > 0
                to_fill += int(row["black_to_fill"]) + int(row["white_to_fill"]) > 0
        body = [
            ["a group in seki", share(in_seki, counted)],
            ["eyes in seki", share(with_eyes, counted)],
            ["points to fill", share(to_fill, counted)],
        ]
        self.add("Seki", table(["counted games with", "number (share, 95 % interval)"], body))

    def results(self) -> None:
        """Count the recorded results that the board confirms, the causes of differences, and close games."""
        verdicts: Counter[str] = Counter()
        causes: Counter[str] = Counter()
        stated: Counter[str] = Counter()
        for row in self.rows("score", "--table", "results", "--exit-zero"):
            stated[row["stated"]] += 1
            if row["verdict"] in ("same", "explained", "contradicted"):
                verdicts[row["verdict"]] += 1
                if row["verdict"] != "same":
                    causes[cause_kind(row["cause"])] += 1
        counted = verdicts.total()
        body = [[verdict, share(number, counted)] for verdict, number in verdicts.most_common()]
        self.add("Recorded results", table(["verdict", "games (share, 95 % interval)"], body))
        body = [[cause or "–", share(number, counted)] for cause, number in causes.most_common(12)]
        self.add("Causes of other results", table(["cause", "games (share, 95 % interval)"], body))
        body = [[result, share(stated[result], stated.total())] for result in ["B+0.5", "W+0.5", "B+1.5", "W+1.5"]]
        self.add("Close games", table(["recorded result", "games (share of all with a result)"], body))
        self.games = sum(1 for _ in self.rows("check", "--table", "keys", "--exit-zero"))

    def play(self) -> None:
        """Count illegal turns and repetitions."""
        findings = list(self.rows("check", "--exit-zero", "--select", "K,P"))
        place = ("file", "game")
        games = {code: {tuple(row[key] for key in place) for row in findings if row["code"] == code} for code in
                 {row["code"] for row in findings}}
        names = {row["code"]: row["name"] for row in findings}
        body = [[f"{code} {names[code]}", share(len(found), self.games)] for code, found in sorted(games.items())]
        self.add("Illegal turns and repetitions", table(["finding", "games (share, 95 % interval)"], body))
        kinds: dict[str, set[tuple[str, ...]]] = {}
        for row in findings:
            if row["code"] in ("K002", "K003"):
                kinds.setdefault(row["cycle_kind"], set()).add(tuple(row[key] for key in place))
        body = sorted(([kind, share(len(found), self.games)] for kind, found in kinds.items()), key=lambda row: row[0])
        self.add("Repeated positions by cycle", table(["cycle", "games (share, 95 % interval)"], body))

    def write(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        self.margins()
        for by in ["server", "year", "handicap"]:
            self.groups(by)
        self.seki()
        self.results()
        self.play()
        (self.out / "tables.md").write_text("\n".join(self.text), "utf-8")


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    Study(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]).write()


if __name__ == "__main__":
    main()
