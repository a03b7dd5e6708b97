"""Matches, suites, learners: rows that come while the work goes on, and a summary."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas
import pytest

import plywise
from plywise import PlywiseError


def test_a_match_is_a_table() -> None:
    games = plywise.match("loa", "best", "brute", games=4, nodes=200, seed=7)
    table = pandas.DataFrame(games)
    assert sorted(table["number"]) == [1, 2, 3, 4]
    assert set(table["result"]) <= {"1-0", "0-1", "1/2-1/2"}
    assert all(len(moves) == plies for moves, plies in zip(table["moves"], table["plies"]))
    summary = games.summary
    assert (summary["games"], summary["seed"], summary["players"]) == (4, 7, ["best", "brute"])
    assert summary["wins"] + summary["draws"] + summary["losses"] == 4


def test_rows_come_while_the_work_goes_on_and_it_can_be_closed() -> None:
    games = plywise.match("loa", "best", "brute", games=100_000, nodes=100, jobs=1)
    first = next(games)
    assert first["plies"] > 0
    begun = time.monotonic()
    games.close()
    assert time.monotonic() - begun < 20
    assert 0 < games.summary["games"] < 100_000
    rest = list(games)
    assert len(rest) + 1 == games.summary["games"], "no game is lost"
    with pytest.raises(StopIteration):
        next(games)
    games.close()


def test_with_closes() -> None:
    with plywise.match("loa", "best", "brute", games=100_000, nodes=100) as games:
        next(games)
    assert games.summary["games"] < 100_000


def test_a_run_directory_resumes(tmp_path: Path) -> None:
    run = tmp_path / "run"
    numbers = lambda games: sorted(row["number"] for row in games)  # noqa: E731
    play = lambda games: plywise.match("loa", "best", "brute", games=games, nodes=100, run=run)  # noqa: E731
    assert numbers(play(2)) == [1, 2]
    assert numbers(play(4)) == [1, 2, 3, 4]
    assert (run / "games.pgn").exists()
    with pytest.raises(PlywiseError, match="belongs to a different command"):
        list(plywise.match("loa", "best", "brute", games=2, nodes=300, run=run))


def test_ctrl_c_stops_the_work_and_keeps_what_is_finished() -> None:
    games = plywise.match("loa", "best", "brute", games=100_000, nodes=100)
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    seen = []
    with pytest.raises(KeyboardInterrupt):
        for game in games:
            seen.append(game)
    numbers = [game["number"] for game in seen + list(games)]
    # A match counts its games in their order, up to the first that was given up; later ones may have ended before.
    counted = games.summary["games"]
    assert counted > 0 and sorted(numbers)[:counted] == list(range(1, counted + 1))
    assert len(set(numbers)) == len(numbers) and counted + 1 not in numbers


def test_python_ends_while_work_goes_on() -> None:
    script = "import plywise; next(plywise.match('loa', 'best', 'brute', games=100000, nodes=100)); print('end')"
    done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")
    script = "import plywise; games = plywise.match('loa', 'best', 'brute', games=100000, nodes=100); print('end')"
    done = subprocess.run([sys.executable, "-c", script], timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_a_suite_has_a_row_for_each_search(suite_file: str) -> None:
    attempts = plywise.suite("chess", suite_file, ["brute", "best"], depth=[2, 3])
    table = pandas.DataFrame(attempts)
    assert len(table) == 6 * 2 * 2
    assert set(table["id"]) == {f"chess.{number:04}" for number in range(1, 7)}
    for row in attempts.summary["rows"]:
        of = table[(table["profile"] == row["profile"]) & (table["limit"] == row["limit"])]
        assert (of["nodes"].sum(), of["solved"].sum()) == (row["nodes"], row["solved"])


def test_profiles_are_compared() -> None:
    position = plywise.Position("othello").play("d3", "c5")
    work = plywise.compare("othello", position, ["alphabeta", "brute"], depth=3)
    rows = list(work)
    assert [row["profile"] for row in rows] == ["alphabeta", "brute"]
    assert all(row["best"] in position.moves() for row in rows)
    assert [row["nodes"] for row in work.summary["rows"]] == [row["nodes"] for row in rows]
    assert work.summary["position"] == position.text


@pytest.fixture
def games_file(tmp_path: Path) -> str:
    """Forty games, as the learners read them."""
    run = tmp_path / "games"
    list(plywise.match("loa", "brute", "brute", games=40, nodes=60, run=run))
    return str(run / "games.pgn")


def test_learners_tell_their_steps(games_file: str, suite_file: str, new_file: str) -> None:
    epochs = plywise.learn("eval", "loa", pgn=games_file, epochs=2, output=new_file)
    assert [row["epoch"] for row in epochs] == [0, 1, 2]
    assert epochs.summary["best_epoch"] in (0, 1, 2)
    options = {"offline": True, "suite": suite_file, "nodes": 200, "iterations": 1, "output": new_file}
    positions = plywise.learn("extensions", "chess", **options)
    assert len(pandas.DataFrame(positions)) == 6
    assert positions.summary["positions"] == 6


def test_evolution_tells_its_trials(games_file: str, new_file: str) -> None:
    options = {"pgn": games_file, "positions": 20, "generations": 2, "population": 4, "preset": "full"}
    trials = plywise.evolve("eval", "loa", **options, output=new_file)
    assert [row["number"] for row in trials] == [0, 1, 2]
    assert [row["generation"] for row in trials.summary["curve"]] == [0, 1, 2]


@pytest.mark.parametrize(
    ("begin", "sentence"),
    [
        (lambda: plywise.match("chess", "best", "bset", games=2, nodes=10), "bset"),
        (lambda: plywise.match("chess", "best", games=2, nodes=10), "--b"),
        (lambda: plywise.match("chess", "best", "brute", games=2), "limit"),
        (lambda: plywise.match("ches", "best", "brute", games=2, nodes=10), "unknown game 'ches'"),
        (lambda: plywise.match("chess", "best", "brute", gmes=2, nodes=10), "unexpected argument '--gmes'"),
        (lambda: plywise.match("chess", "best", "brute", games=-2, nodes=10), "whole number within its range"),
        (lambda: plywise.suite("chess", "/no/such.epd", depth=2), "cannot read '/no/such.epd'"),
        (lambda: plywise.suite("chess", __file__, depth=2), "line 1"),
        (lambda: plywise.compare("chess", "nonsense", depth=2), "FEN"),
        (lambda: plywise.compare("chess"), "a limit is needed"),
        (lambda: plywise.learn("nothing", "chess"), "nothing"),
        (lambda: plywise.learn("eval", "chess", pgn="/no/such.pgn", output="/dev/null"), "/no/such.pgn"),
        (lambda: plywise.evolve("search", "chess", generations=0), "0 is not in"),
        (lambda: plywise.perft("chess", depth=0), "0 is not in 1..=64"),
        (lambda: plywise.params("ches"), "unknown game 'ches'"),
        (lambda: plywise.profiles("chess", "bset"), "bset"),
    ],
)
def test_bad_requests_are_one_sentence_at_once(begin: object, sentence: str) -> None:
    assert callable(begin)
    with pytest.raises(PlywiseError, match=sentence.replace("..", r"\.\.")) as raised:
        begin()
    assert "\n" not in str(raised.value)


def test_the_sentence_is_that_of_the_command_line() -> None:
    for words, ask in [
        (["analyse", "chess", "--depth", "0"], lambda: plywise.Searcher("chess").search(depth=0)),
        (["analyse", "chess", "--profile", "bset"], lambda: plywise.Searcher("chess", profile="bset")),
        (["analyse", "chess", "nonsense"], lambda: plywise.Position("chess", "nonsense")),
        (["perft", "chess", "--depth", "0"], lambda: plywise.perft("chess", depth=0)),
    ]:
        told = subprocess.run([sys.executable, "-m", "plywise", *words], capture_output=True, text=True)
        with pytest.raises(PlywiseError) as raised:
            ask()
        assert (told.returncode, told.stderr) == (2, f"plywise: {raised.value}\n")


def test_tables() -> None:
    counts = plywise.perft("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", depth=3)
    assert sum(row["nodes"] for row in counts) == counts.summary["nodes"] == 97862
    assert plywise.perft("othello", depth=5).summary["nodes"] == 1396
    assert len(pandas.DataFrame(plywise.params())) > len(pandas.DataFrame(plywise.params("loa"))) > 100
    names = {row["name"] for row in plywise.profiles()}
    assert {"minimax", "brute", "classic", "best"} <= names
    assert plywise.profiles("loa", "classic").summary["name"] == "classic"


def test_ctrl_c_stops_perft() -> None:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        plywise.perft("chess", depth=9)
    assert time.monotonic() - begun < 20


def test_trees_are_questioned(new_file: str) -> None:
    tree = plywise.Tree.record("chess", new_file, depth=3)
    stats = tree.stats()
    assert len(tree) == stats["nodes"] > 100 and tree.profile == "best"
    table = pandas.DataFrame(tree.nodes())
    assert len(table) == len(tree) and {"id", "path", "kind", "depth", "value"} <= set(table.columns)
    assert tree.query("-value > 5", first=1).summary["count"] > 0, "an expression may begin with a minus"
    found = tree.query("kind = pv", first=3)
    assert found.summary["count"] == (table["kind"] == "pv").sum()
    assert [row["kind"] for row in found] == ["pv"] * min(3, found.summary["count"])
    root = tree.roots()[-1]
    child = tree.children(root)[0]
    assert tree.node(root)["path"] == [] and len(tree.node(child)["path"]) <= 1


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda path: plywise.Tree("/no/such.tree"), "/no/such.tree"),
        (lambda path: plywise.Tree(__file__), "tree"),
        (lambda path: plywise.Tree(path).query("kind = "), "."),
        (lambda path: plywise.Tree(path).node("x"), "a node is a number"),
        (lambda path: plywise.Tree(path).node("99999999"), "."),
        (lambda path: plywise.Tree(path).children("7:0"), "."),
    ],
)
def test_bad_questions_are_one_sentence(ask: object, sentence: str, new_file: str) -> None:
    plywise.Tree.record("loa", new_file, depth=1)
    assert callable(ask)
    with pytest.raises(PlywiseError, match=sentence):
        ask(new_file)
