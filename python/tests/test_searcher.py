"""Searches: results, limits, threads, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from plywise import PlywiseError, Position, Searcher, SearchResult

MIDDLEGAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1BN2/PP2BPPP/R2Q1RK1 w - - 0 9"


@pytest.mark.parametrize("game", ["chess", "loa", "othello", "abalone"])
def test_every_game_is_searched(game: str) -> None:
    position = Position(game)
    result = Searcher(game).search(position, depth=3)
    assert result.move in position.moves() and result.engine_move in position.moves(engine=True)
    assert (result.depth, result.bound, result.interrupted) == (3, "exact", False)
    assert result.pv[0] == result.move and result.lines[0]["pv"] == result.pv
    assert result.nodes > 0 and result.seconds > 0 and result.nps > 0
    assert [step["depth"] for step in result.iterations if step["bound"] == "exact"] == [1, 2, 3]
    assert json.loads(json.dumps(result.to_dict()))["move"] == result.move
    assert all(set(of) == {"tries", "effects"} for of in result.counters.values())


def test_one_thread_gives_one_result() -> None:
    counts = {Searcher("chess").search(MIDDLEGAME, depth=5).nodes for _ in range(2)}
    assert len(counts) == 1


def test_a_searcher_remembers_until_it_forgets() -> None:
    searcher = Searcher("chess", hash=8)
    first = searcher.search(MIDDLEGAME, depth=6)
    assert searcher.search(MIDDLEGAME, depth=6).nodes < first.nodes
    searcher.forget()
    assert searcher.search(MIDDLEGAME, depth=6).nodes == first.nodes


def test_limits_hold() -> None:
    searcher = Searcher("loa")
    assert searcher.search(nodes=777).nodes <= 777
    begun = time.monotonic()
    assert searcher.search(movetime=100).nodes > 0
    assert time.monotonic() - begun < 5
    lines = searcher.search(depth=2, lines=3).lines
    assert len(lines) == 3 and lines[0]["score"] >= lines[1]["score"] >= lines[2]["score"]


def test_what_is_set_matters(new_file: str) -> None:
    nodes = lambda **options: Searcher("chess", **options).search(MIDDLEGAME, depth=5).nodes  # noqa: E731
    plain = nodes(profile="brute")
    assert nodes(profile="brute", params={"null_move": True}) != plain
    assert nodes(profile="brute", params={"evaluation.material.endgame.0": 50}) != plain
    with open(new_file + ".toml", "w") as profile:
        profile.write('base = "brute"\n[search.null_move]\nenabled = true\n')
    assert nodes(profile=new_file + ".toml") == nodes(profile="brute", params={"null_move": True})
    assert Searcher("chess", threads=2).search(MIDDLEGAME, depth=5).depth == 5


def test_a_game_that_is_over_has_no_move() -> None:
    mate = Position("chess").play("f3", "e5", "g4", "Qh4")
    result = Searcher("chess").search(mate, depth=3)
    assert (result.move, result.bound, result.lines) == (None, None, [])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"profile": "bset"}, "'bset'"),
        ({"profile": "/no/such.toml"}, "cannot read '/no/such.toml'"),
        ({"params": {"null_move.reduction": 99}}, "99"),
        ({"params": {"null_move.reduction": "many"}}, "many"),
        ({"params": {"evaluation.nothing": 1}}, "unknown parameter"),
        ({"network": "/no/such.net"}, "/no/such.net"),
        ({"table": "/no/such.toml"}, "cannot read"),
        ({"threads": 0}, "the number of threads"),
        ({"hash": 1 << 60}, "MB"),
        ({"hash": 1 << 24}, "beyond memory"),
    ],
)
def test_bad_options_are_one_sentence(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence) as raised:
        Searcher("chess", **options)  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({}, "a limit is needed"),
        ({"depth": 0}, "a depth is a whole number from 1"),
        ({"depth": -3}, "a depth is a whole number from 1"),
        ({"depth": 2.5}, "a depth is a whole number from 1"),
        ({"depth": "x"}, "a depth is a whole number from 1"),
        ({"nodes": 0}, "at least 1"),
        ({"movetime": -1}, "a time is a whole number of milliseconds"),
        ({"depth": 1, "lines": 0}, "0 is not in 1..=256"),
        ({"depth": [1, 2]}, "here --depth takes one"),
    ],
)
def test_bad_limits_are_one_sentence(limits: dict[str, object], sentence: str) -> None:
    with pytest.raises(PlywiseError, match=sentence.replace("..", r"\.\.")):
        Searcher("chess").search(**limits)  # type: ignore[arg-type]


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(PlywiseError, match="the position is one of loa, not of chess"):
        Searcher("chess").search(Position("loa"), depth=1)


def test_threads_search_at_once() -> None:
    alone = Searcher("chess").search(MIDDLEGAME, nodes=30_000)
    found: list[SearchResult] = []

    def search() -> None:
        found.append(Searcher("chess").search(MIDDLEGAME, nodes=30_000))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(result.move, result.score, result.nodes) for result in found] == [
        (alone.move, alone.score, alone.nodes)
    ] * 4


def test_threads_share_a_searcher_in_turn() -> None:
    searcher = Searcher("loa")
    found: list[SearchResult] = []
    threads = [threading.Thread(target=lambda: found.append(searcher.search(nodes=5_000))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3 and all(result.move for result in found)


def test_python_runs_while_a_search_does() -> None:
    done = threading.Event()

    def search() -> None:
        Searcher("chess").search(movetime=300)
        done.set()

    threading.Thread(target=search).start()
    counted = 0
    while not done.wait(0.001):
        counted += 1
    assert counted > 20, "the lock was not released"


def test_ctrl_c_stops_a_search_and_keeps_what_was_found() -> None:
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    result = Searcher("chess").search(MIDDLEGAME, movetime=60_000)
    assert time.monotonic() - begun < 20
    assert result.interrupted and result.depth >= 1 and result.move in Position("chess", MIDDLEGAME).moves()
    assert result.pv


def test_ctrl_c_while_another_thread_has_the_searcher() -> None:
    searcher = Searcher("chess")
    other = threading.Thread(target=lambda: searcher.search(movetime=3_000))
    other.start()
    time.sleep(0.2)
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        searcher.search(movetime=3_000)
    assert time.monotonic() - begun < 2.5
    other.join()


def test_an_exception_of_a_signal_handler_ends_a_search() -> None:
    def expire(*_: object) -> None:
        raise TimeoutError("time is up")

    before = signal.signal(signal.SIGALRM, expire)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError, match="time is up"):
            Searcher("chess").search(MIDDLEGAME, movetime=60_000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_python_ends_while_a_search_runs() -> None:
    script = """
import threading, time, plywise
threading.Thread(target=lambda: plywise.Searcher("chess").search(movetime=60_000), daemon=True).start()
time.sleep(0.5)
"""
    assert subprocess.run([sys.executable, "-c", script], timeout=30).returncode == 0
