"""Games that are written in Python."""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pandas
import pytest
from tic_tac_toe import Board, TicTacToe, main

import plywise
from plywise import PlywiseError, Position, Searcher

Heap = tuple[int, int]


class Nim:
    """Take one to three matches; who takes the last one wins. An object knows how many there are."""

    def __init__(self, matches: int = 21) -> None:
        self.matches = matches

    def start(self) -> Heap:
        return (self.matches, 0)

    def side_to_move(self, heap: Heap) -> int:
        return heap[1]

    def moves(self, heap: Heap) -> Iterable[int]:
        return range(1, min(3, heap[0]) + 1)

    def play(self, heap: Heap, taken: int) -> Heap:
        return (heap[0] - taken, 1 - heap[1])

    def hash(self, heap: Heap) -> int:
        return heap[0] * 2 + heap[1]

    def stuck(self, heap: Heap) -> plywise.Outcome:
        return "loss"

    def move_code(self, taken: int) -> int:
        return taken


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    told = capsys.readouterr().out
    assert "with perfect play: 0" in told and "10 games" in told


def test_the_example_is_short() -> None:
    source = Path(__file__).parents[1] / "examples" / "tic_tac_toe.py"
    assert len(source.read_text().splitlines()) <= 60


def test_a_position_is_one_of_the_game() -> None:
    position = Position(TicTacToe).play("4")
    assert position.state == (0, 0, 0, 0, 1, 0, 0, 0, 0)
    assert position.text == "(0,0,0,0,1,0,0,0,0)" and Position(TicTacToe, position.text) == position
    assert str(position) == ". . .\n. x .\n. . .\n" and "<svg" in position._repr_svg_()
    assert position.side_to_move == "Second" and len(position.moves()) == 8
    assert hash(Position(TicTacToe, position.text)) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position
    won = position.play("0", "3", "1", "5")
    assert (won.outcome, won.result, won.ending, won.moves()) == ("loss", "1-0", "First wins", [])
    assert repr(position).startswith("Position(TicTacToe, ")


def test_searches_see_wins() -> None:
    result = Searcher(TicTacToe).search(Position(TicTacToe).play("4", "1", "3", "0"), depth=3)
    assert (result.move, result.shown) == ("5", "win in 1")
    assert Searcher(Nim()).search(depth=21).move == "1"
    exact = [Searcher(TicTacToe, profile=name).search("(1,0,0,0,2,0,0,0,0)", depth=7).score for name in ("minimax", "best")]
    assert exact == [0, 0]


def test_an_object_may_be_a_game() -> None:
    three, four = Nim(3), Nim(4)
    assert Searcher(three).search(depth=4).score > 0 > Searcher(four).search(depth=5).score
    assert plywise.perft(Nim(5), depth=2).summary["nodes"] == 8
    with pytest.raises(PlywiseError, match="the position is one of"):
        Searcher(three).search(Position(four), depth=2)


def test_several_games_at_once() -> None:
    games = [Nim(matches) for matches in range(5, 13)]
    found: dict[int, str | None] = {}

    def search(game: Nim) -> None:
        found[game.matches] = Searcher(game).search(depth=13).move
        rows = list(plywise.match(game, "best", "minimax", games=2, depth=2, jobs=1))
        assert {row["start"] for row in rows} == {f"({game.matches},0)"}

    threads = [threading.Thread(target=search, args=[game]) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {matches: move for matches, move in found.items() if matches % 4} == {
        matches: str(matches % 4) for matches in range(5, 13) if matches % 4
    }


def test_commands_of_two_games_run_at_the_same_time(tmp_path: Path) -> None:
    # An evaluation of one game returns once one of the other has begun: commands that took turns would wait in vain.
    of_heaps, of_rows = threading.Event(), threading.Event()

    def meet(own: threading.Event, other: threading.Event) -> int:
        own.set()
        assert other.wait(timeout=60), "the other command does not run"
        return 0

    class Heaps(Nim):
        def evaluate(self, heap: Heap) -> int:
            return meet(of_heaps, of_rows)

    class Rows(TicTacToe):
        def evaluate(self, board: Board) -> int:
            return meet(of_rows, of_heaps)

    suite = tmp_path / "wins.epd"
    suite.write_text('(1,1,0,2,2,0,0,0,0) bm 2; id "row";\n')
    found: dict[str, list[dict[str, object]]] = {}

    def play() -> None:
        found["match"] = list(plywise.match(Heaps(7), "best", "minimax", games=4, depth=2, jobs=1))

    def solve() -> None:
        found["suite"] = list(plywise.suite(Rows, suite, ["minimax", "best"], depth=3, jobs=1))

    threads = [threading.Thread(target=work) for work in (play, solve)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row["start"] for row in found["match"]] == ["(7,0)"] * 4
    assert [row["best"] for row in found["suite"]] == ["2", "2"]


def test_games_and_suites_of_a_game_are_read_back(tmp_path: Path) -> None:
    run = tmp_path / "run"
    played = list(plywise.match(Nim(9), "best", "minimax", games=2, depth=2, jobs=1, run=run))
    openings = tmp_path / "openings.epd"
    openings.write_text("(8,1) id \"one is taken\";\n")
    rows = list(plywise.match(Nim(9), "best", "minimax", games=2, depth=2, jobs=1, openings=openings))
    assert [row["start"] for row in rows] == ["(8,1)"] * 2
    replayed = list(plywise.match(Nim(9), "best", "minimax", games=2, depth=2, jobs=1, openings=run / "games.pgn", plies=1))
    assert [(row["start"], row["moves"][0]) for row in replayed] == [("(9,0)", played[0]["moves"][0])] * 2


def test_commands_know_the_game(tmp_path: Path) -> None:
    games = plywise.match(TicTacToe, "best", "minimax", games=6, depth=2, jobs=2)
    table = pandas.DataFrame(games)
    assert len(table) == 6 and games.summary["games"] == 6
    assert all(Position(TicTacToe).play(*row["moves"]).result == row["result"] for _, row in table.iterrows())
    suite = tmp_path / "wins.epd"
    suite.write_text('(1,1,0,2,2,0,0,0,0) bm 2; id "row";\n(1,2,0,0,1,2,0,0,0) bm 8; id "diagonal";\n')
    attempts = plywise.suite(TicTacToe, suite, ["minimax", "best"], depth=2)
    assert all(row["solved"] for row in attempts)
    rows = list(plywise.compare(TicTacToe, "(1,1,0,2,2,0,0,0,0)", ["minimax", "best"], depth=3))
    assert [row["best"] for row in rows] == ["2", "2"]


def test_hooks_are_used() -> None:
    class Hooked(Nim):
        asked: set[str] = set()

        def evaluate(self, heap: Heap) -> int:
            self.asked.add("evaluate")
            return 10 if heap[0] % 4 else -10

        def null_move(self, heap: Heap) -> Heap | None:
            self.asked.add("null_move")
            return (heap[0], 1 - heap[1]) if heap[0] else None

        def tactical_value(self, heap: Heap, taken: int) -> int | None:
            self.asked.add("tactical_value")
            return 1 if taken == heap[0] else None

        def is_irreversible(self, heap: Heap, taken: int) -> bool:
            self.asked.add("is_irreversible")
            return True

        def drawn_by_rule(self, heap: Heap) -> bool:
            self.asked.add("drawn_by_rule")
            return False

        def in_check(self, heap: Heap) -> bool:
            self.asked.add("in_check")
            return False

        def write_position(self, heap: Heap) -> str:
            return f"{heap[0]} {'ab'[heap[1]]}"

        def parse_position(self, text: str) -> Heap:
            matches, side = text.split()
            return (int(matches), "ab".index(side))

        def write_move(self, heap: Heap, taken: int) -> str:
            return f"take{taken}"

    game = Hooked(15)
    plywise.check(game)
    result = Searcher(game).search(Position(game, "14 b"), depth=6)
    assert result.move == "take2" and Position(game, "14 b").text == "14 b"
    hooks = {"evaluate", "null_move", "tactical_value", "is_irreversible", "drawn_by_rule", "in_check"}
    assert Hooked.asked == hooks


def test_points_count() -> None:
    class Points(Nim):
        def stuck(self, heap: Heap) -> plywise.Outcome:
            return -7

    over = Position(Points(2), "(0,1)")
    assert (over.outcome, over.points) == ("loss", -7)
    assert Searcher(Points(2)).search(depth=3).score == 7


@pytest.mark.parametrize(
    ("rule", "broken", "sentence"),
    [
        ("hash", lambda self, heap: 0, "hash"),
        ("move_code", lambda self, taken: 1, "duplicate moves"),
        ("side_to_move", lambda self, heap: 0, "side to move"),
        ("moves", lambda self, heap: {1, 2} if heap[0] % 3 else [2, 2], "duplicate moves"),
        ("evaluate", lambda self, heap, values=itertools.count(): next(values), "evaluation"),
    ],
)
def test_the_kit_finds_what_is_wrong(rule: str, broken: object, sentence: str) -> None:
    plywise.check(Nim)
    with pytest.raises(PlywiseError, match=sentence):
        plywise.check(type("Broken", (Nim,), {rule: broken}))


def raising(*_: object) -> int:
    raise RuntimeError("the rules are broken")


@pytest.mark.parametrize("rule", ["start", "side_to_move", "moves", "play", "hash", "stuck", "move_code", "evaluate"])
def test_an_exception_of_a_rule_is_raised(rule: str) -> None:
    broken = type("Broken", (Nim,), {rule: raising})
    for use in [
        lambda: Searcher(broken).search(depth=30),
        lambda: plywise.check(broken),
        lambda: list(plywise.match(broken, "best", "minimax", games=2, depth=3)),
    ]:
        with pytest.raises(RuntimeError, match="the rules are broken"):
            use()


@pytest.mark.parametrize(
    ("rule", "answer", "sentence"),
    [
        ("side_to_move", 2, "side_to_move gave 2; the sides are 0 and 1"),
        ("move_code", 0, "move_code gave 0; a code is a whole number from 1 to 65535"),
        ("move_code", "x", "move_code gave x"),
        ("moves", 3, "not iterable"),
        ("stuck", "lost", "stuck gave lost; an outcome is"),
        ("decided", "won", "decided gave won"),
        ("hash", "x", "unsupported operand"),
        ("evaluate", 1 << 40, "evaluate gave"),
        ("evaluate", "x", "int"),
        ("write_move", "a\nb", "one line"),
    ],
)
def test_nonsense_of_a_rule_is_told(rule: str, answer: object, sentence: str) -> None:
    broken = type("Broken", (Nim,), {rule: lambda *_: answer})
    with pytest.raises((TypeError, ValueError), match=sentence):
        Searcher(broken).search(depth=30)


def test_what_is_no_position_is_told() -> None:
    for text in ["nonsense", "(1,2,3", "[1]", "None"]:
        with pytest.raises(PlywiseError, match="is not a position of this game"):
            Position(TicTacToe, text)
    with pytest.raises(PlywiseError, match="'9' is not a legal move"):
        Position(TicTacToe).play("9")


def test_ctrl_c_stops_a_search_of_a_game_in_python() -> None:
    class Slow(Nim):
        def moves(self, heap: Heap) -> Iterable[int]:
            time.sleep(0.0001)
            return super().moves(heap)

    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    result = Searcher(Slow(2000), profile="minimax").search(depth=60)
    assert result.interrupted and result.move and time.monotonic() - begun < 20


def test_threads_search_one_game() -> None:
    board: Board = (1, 0, 0, 0, 2, 0, 0, 0, 0)
    scores: list[int] = []
    game = TicTacToe()
    search = lambda: scores.append(Searcher(game).search(str(board), depth=7).score)  # noqa: E731
    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == [0, 0, 0]
    assert Searcher(game, threads=2).search(str(board), depth=7).score == 0


def test_python_ends_while_a_game_in_it_is_searched() -> None:
    script = """
import threading, time, plywise
from tic_tac_toe import TicTacToe
search = lambda: plywise.Searcher(TicTacToe, profile="minimax").search(depth=9)
threading.Thread(target=search, daemon=True).start()
games = plywise.match(TicTacToe, "minimax", "minimax", games=1000, depth=8)
time.sleep(0.5)
"""
    examples = str(Path(__file__).parents[1] / "examples")
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {examples!r})\n{script}"]
    done = subprocess.run(command, timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_position_may_be_asked_while_it_is_searched() -> None:
    position = Position(TicTacToe)
    search = threading.Thread(target=lambda: Searcher(TicTacToe).search(position, depth=9))
    search.start()
    while search.is_alive():
        assert len(position.moves()) == 9 and position.outcome is None
    assert position == Position(TicTacToe)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_rule_cannot_wait_for_the_search_that_asked_it(threads: int) -> None:
    class Impatient(Nim):
        searcher: Searcher

        def evaluate(self, heap: Heap) -> int:
            return self.searcher.search(depth=1).score

    game = Impatient()
    game.searcher = Searcher(game, threads=threads)
    with pytest.raises(PlywiseError, match="a rule of a game cannot wait for a searcher that is searching"):
        game.searcher.search(depth=3)
    # A searcher of its own is another matter.
    game.searcher = Searcher(Nim())
    assert Searcher(game).search(depth=2).move is not None


def test_a_rule_may_run_a_command_of_its_own() -> None:
    class Nested(Nim):
        played: list[str] = []

        def evaluate(self, heap: Heap) -> int:
            if not self.played:
                rows = plywise.match(Nim(5), "best", "minimax", games=2, depth=1, jobs=1)
                self.played += [row["start"] for row in rows]
            return 0

    rows = list(plywise.match(Nested(6), "best", "minimax", games=2, depth=2, jobs=1))
    assert [row["start"] for row in rows] == ["(6,0)", "(6,0)"]
    assert Nested.played == ["(5,0)", "(5,0)"]


class Pairs(Nim):
    """Nim whose moves are tuples."""

    def moves(self, heap: Heap) -> Iterable[tuple[str, int]]:  # type: ignore[override]
        return [("take", taken) for taken in super().moves(heap)]

    def play(self, heap: Heap, move: tuple[str, int]) -> Heap:  # type: ignore[override]
        return super().play(heap, move[1])

    def move_code(self, move: tuple[str, int]) -> int:  # type: ignore[override]
        return move[1]


def test_moves_may_be_tuples() -> None:
    plywise.check(Pairs)
    assert Position(Pairs).moves() == ["'take',1", "'take',2", "'take',3"]
    assert Searcher(Pairs).search(depth=21).move == "'take',1"


def test_the_kit_shows_both_positions_and_moves() -> None:
    class Forgetful(Pairs):
        def hash(self, heap: Heap) -> int:
            return heap[1]

        def write_position(self, heap: Heap) -> str:
            return f"nim {heap[0]} {heap[1]}"

        def parse_position(self, text: str) -> Heap:
            _, matches, side = text.split()
            return (int(matches), int(side))

    with pytest.raises(PlywiseError, match=r"'nim \d+ \d' shares its hash \w+ with another position, 'nim \d+ \d'"):
        plywise.check(Forgetful)

    class Stubborn(Pairs):
        def side_to_move(self, heap: Heap) -> int:
            return 0

    with pytest.raises(PlywiseError, match="after 'take',1 it is still the turn of First"):
        plywise.check(Stubborn)
