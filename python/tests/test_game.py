"""One game."""

from __future__ import annotations

import gzip
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import pytest

import jigo

FIXTURES = Path(__file__).parents[2] / "fixtures"


def test_game_has_header_and_turns() -> None:
    game = jigo.Game("(;GM[1]SZ[9]PB[Ito]PW[Sato]RU[Japanese]KM[6.5]RE[B+3.5];B[ee];W[gc];B[];W[zz])")
    header = game.header
    assert (header["black"], header["white"], header["width"], header["komi"]) == ("Ito", "Sato", 9, 6.5)
    assert (header["result"], header["stated_black_minus_white"], header["event"]) == ("B+3.5", 3.5, None)
    assert game.ruleset == "japanese"
    assert game.turns == [("B", "ee"), ("W", "gc"), ("B", None), ("W", "zz")]
    assert len(game) == 4
    assert repr(game) == "<jigo.Game: Ito – Sato, 9x9, 4 turns, B+3.5>"


def test_positions_follow_each_other_and_are_drawn() -> None:
    game = jigo.Game("(;SZ[3];B[ba];W[aa];B[ab];W[cc])")
    assert str(game.position(2)) == "O X .\n. . .\n. . ."
    last = game.position()
    assert last == game.position(4)
    assert (last.black, last.white, last.lost, last.turn) == (["ba", "ab"], ["cc"], (0, 1), 4)
    assert (last["ba"], last["cc"], last["aa"]) == ("B", "W", None)
    picture = ET.fromstring(game._repr_svg_())
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert "2 black and 1 white stones" in picture.attrib["aria-label"]
    with pytest.raises(IndexError, match="there is no turn 5"):
        game.position(5)
    with pytest.raises(IndexError):
        last["dd"]


def test_findings_depend_on_the_ruleset() -> None:
    game = jigo.Game((FIXTURES / "findings/K002-superko.sgf").read_bytes())
    found = {
        rules: [(f.code, f.turn, f.severity) for f in game.findings(rules)] for rules in ["tromp-taylor", "japanese"]
    }
    assert ("K002", 10, "error") in found["tromp-taylor"]
    assert ("K002", 10, "error") not in found["japanese"]
    with pytest.raises(jigo.Error, match="klingon"):
        game.findings("klingon")


def test_scores_are_those_of_the_score_table() -> None:
    path = FIXTURES / "games/marked.sgf"
    due = {row["ruleset"]: row for row in jigo.score(path, rules=["japanese", "aga", "chinese"]).rows()}
    game = jigo.Game(path.read_bytes())
    for name, row in due.items():
        score = game.score(name)
        assert (score.black, score.white, score.dead_source) == (row["black"], row["white"], row["dead_source"])
        assert score.black_minus_white == row["black_minus_white"]
    with pytest.raises(ValueError, match="half points"):
        game.score("aga", komi=0.3)
    with pytest.raises(jigo.Error, match="names no ruleset"):
        jigo.Game("(;B[dd])").score()


def test_score_counts_like_the_command_with_recorded_rules() -> None:
    kgs = "PC[The KGS Go Server at http://www.gokgs.com/]RU[Japanese]"
    for header in ["DT[1850-03-01]RU[Japanese]", kgs, "RU[Tromp-Taylor]"]:
        sgf = f"(;GM[1]SZ[5:3]{header}AB[ba][bb][bc]AW[da][db][dc];B[];W[]TB[aa][ab][ac]TW[ea][eb][ec])"
        (row,) = jigo.score(sgf.encode(), rules="recorded").rows()
        score = jigo.Game(sgf).score()
        actual = (score.ruleset, score.komi, score.black_minus_white)
        assert actual == (row["ruleset"], row["komi"], row["black_minus_white"])


def test_dead_stones_may_be_named() -> None:
    game = jigo.Game("(;SZ[5:3]KM[0]AB[ba][bb][bc]AW[da][db][dc][aa])")
    assert game.score("japanese", dead_stones=[]).dead == []
    dead = game.score("japanese", dead_stones=["aa"])
    assert (dead.dead, dead.dead_source, dead.black_minus_white) == (["aa"], "given", 1.0)
    with pytest.raises(ValueError, match="no stone on ab"):
        game.score("japanese", dead_stones=["ab"])
    for names in ["A3", "aa", ["A3"], ["aa"]]:
        by_hand = game.score("japanese", dead_stones=names)
        assert (by_hand.dead, by_hand.confidence, by_hand.black_minus_white) == (["aa"], 1.0, 1.0)
    assert game.score("japanese", dead_stones="none", seki="D1").dead == []
    with pytest.raises(ValueError, match="not on the board of 5x3"):
        game.score("japanese", dead_stones="T19")
    with pytest.raises(ValueError, match="dead and as in seki"):
        game.score("japanese", dead_stones="A3", seki="A3")
    with pytest.raises(ValueError, match="seki needs dead_stones"):
        game.score("japanese", seki="A3")


def test_unsettled_estimates_have_no_score() -> None:
    game = jigo.Game("(;SZ[19]RU[Japanese]KM[6.5];B[pd];W[dp];B[];W[])")
    with pytest.raises(jigo.Error, match="name the dead stones"):
        game.score()
    assert game.score(dead_stones=[]).confidence == 1.0
    assert game.score(min_confidence=0).confidence < 0.5


def test_game_reads_paths_and_all_formats(tmp_path: Path) -> None:
    path = FIXTURES / "games/marked.sgf"
    expected = repr(jigo.Game(path.read_bytes()))
    collection = FIXTURES / "games/collection.sgf"
    with path.open("rb") as file:
        records = [path, str(path), file, gzip.compress(path.read_bytes()), path.read_text("utf-8")]
        assert [repr(jigo.Game(record)) for record in records] == [expected] * len(records)
    assert jigo.Game(f"{collection}#2").turns != jigo.Game(f"{collection}#1").turns
    for name in ["even.gib", "gi.ngf", "igs.ugf"]:
        record = FIXTURES / "records" / name
        turns = [(row["color"], row["point"]) for row in jigo.turns(record).rows()]
        for game in [jigo.Game(record), jigo.Game(record.read_bytes())]:
            assert len(game) > 0
            assert [turn for turn in game.turns if turn[1]] == [turn for turn in turns if turn[1]]
            assert game.findings() == [] or game.findings()[0].code
    assert jigo.Game("17\tpd dd pp dp\n").turns[0] == ("B", "pd")
    with zipfile.ZipFile(tmp_path / "one.zip", "w") as archive:
        archive.write(path, "marked.sgf")
    assert repr(jigo.Game(tmp_path / "one.zip")) == expected
    for wrong, reason in [
        (collection, "games: say which"),
        (FIXTURES, "is a folder"),
        (tmp_path / "none.sgf", "No such file"),
    ]:
        with pytest.raises(jigo.Error, match=reason):
            jigo.Game(wrong)


def test_text_without_a_game_is_an_error() -> None:
    for text, reason in [("a letter", "no game"), ("(;B[dd])(;B[pp])", "2 games"), ("(;GM[2])", "not-go")]:
        with pytest.raises(jigo.Error, match=reason):
            jigo.Game(text)
    with pytest.raises(TypeError):
        jigo.Game(7)  # type: ignore[arg-type]
