"""Long work: rows that come while it goes on, and a summary at its end."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from . import _plywise
from ._words import words
from .game import AnyGame
from .position import Position, position_of

#: A row of a table.
Row = dict[str, Any]

#: What a command calls a game that is written in Python.
IN_PYTHON = "python"


class Work(Iterator[Row]):
    """Work that goes on in the background: an iterator of dicts, each a finished unit, as they come.

    ``pandas.DataFrame`` takes it as it is. :attr:`summary` is the result of the whole. Ctrl-C, :meth:`close` and the end
    of a ``with`` block stop the work; what is finished by then is in the summary. A match counts its games in their order
    there, up to the first that was given up.
    """

    def __init__(
        self, command: list[str], game: AnyGame, options: dict[str, object], row: Callable[[Row, Row], Row]
    ) -> None:
        self._row = row
        # The rows that were read and may not have been given out yet, the number of the first of them, and how far the
        # journal was read: one value, so that an interrupt never finds half of it changed.
        self._read: tuple[list[Row], int, int] = ([], 0, 0)
        self._given = 0
        # One thread may close what another one reads.
        self._lock = threading.RLock()
        self._work: Row = {}
        self._summary: Row | None = None
        self._is_interrupted = False
        # Nothing has begun yet that would have to end.
        self._is_done = True
        self._folder: str | None = None
        if options.get("run") is None:
            self._folder = tempfile.mkdtemp(prefix="plywise-")
            options = {**options, "run": os.path.join(self._folder, "run")}
        self._run = Path(str(options["run"]))
        name = game if isinstance(game, str) else IN_PYTHON
        in_python = None if isinstance(game, str) else game
        try:
            self._command = _plywise.Command([*command, "--game", name, *words(options), "--json"], in_python)
        except Exception:
            self._finish()
            raise
        self._is_done = False
        _at_work.add(self)
        # A mistake in the request raises now, not when the first row is asked for.
        while not self._is_done and not (self._run / "run.json").exists():
            self._wait(0.01)

    def __iter__(self) -> Work:
        return self

    def __next__(self) -> Row:
        while not (found := self._next_row()) and not self._is_done:
            self._wait(0.05)
        if not (found := found or self._next_row()):
            raise StopIteration
        self._given += 1
        return found[0]

    def _next_row(self) -> list[Row]:
        """The next row to give out, if it was read."""
        rows, first, _ = self._read
        place = self._given - first
        return rows[place : place + 1]

    @property
    def summary(self) -> Row:
        """The result of the whole, for which this waits: what the command line prints with ``--json``."""
        while not self._is_done:
            self._wait(0.05)
        return self._summary or {}

    def close(self) -> None:
        """Stops the work. What is finished stays: in the rows, in the summary, and in the run directory."""
        self._command.stop()
        while not self._is_done:
            try:
                self._wait(0.05)
            except KeyboardInterrupt:
                if not self._is_done:
                    raise

    def __enter__(self) -> Work:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        if not self._is_done:
            _end(self)

    def _wait(self, seconds: float) -> None:
        try:
            with self._lock:
                if not self._is_done:
                    self._wait_alone(seconds)
        except KeyboardInterrupt:
            # The first Ctrl-C lets the work finish its books, the second does not wait for that.
            if not self._is_interrupted:
                self._is_interrupted = True
                self.close()
            raise

    def _wait_alone(self, seconds: float) -> None:
        try:
            is_done = self._command.wait(seconds)
        except Exception:
            self._finish()
            raise
        self._read_journal()
        if is_done:
            self._finish()
            self._summary = json.loads(self._command.output())

    def _finish(self) -> None:
        self._is_done = True
        _at_work.discard(self)
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _read_journal(self) -> None:
        """Takes in the units that were finished since the last time."""
        try:
            with open(self._run / "journal.jsonl", "rb") as journal:
                read_until = self._read[2]
                journal.seek(read_until)
                whole, _, _torn = journal.read().rpartition(b"\n")
        except FileNotFoundError:
            return
        if not whole:
            return
        if not self._work:
            self._work = json.loads((self._run / "run.json").read_bytes())["work"]
        rows = [self._row(json.loads(line)["unit"], self._work) for line in whole.split(b"\n")]
        unread, first, _ = self._read
        given = self._given
        self._read = (unread[given - first :] + rows, given, read_until + len(whole) + 1)


#: Work that goes on; it ends before Python does.
_at_work: weakref.WeakSet[Work] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for work in list(_at_work):
        _end(work)


def _end(work: Work) -> None:
    """Stops work that is no longer needed: neither its summary nor what went wrong."""
    try:
        work.close()
    except Exception:
        pass


def match(game: AnyGame, a: object = None, b: object = None, **options: object) -> Work:
    """Plays a match; each row is a game as it ends.

    Players are profiles, ``'uci:COMMAND'`` or ``'cecp:COMMAND'``, with changes before them as on the command line
    (``'name=reduced,set.null_move.reduction=3,best'``). Every option of ``plywise match`` is a keyword: ``games``,
    ``nodes``, ``depth``, ``movetime``, ``tc``, ``openings``, ``sprt=(0, 10)``, ``jobs``, ``seed``, ``run`` and more;
    ``player=[…]`` takes the place of ``a`` and ``b`` in a round robin.

    >>> games = match("othello", "best", "alphabeta", games=2, nodes=200)
    >>> sorted((game["number"], game["first"], game["second"]) for game in games)
    [(1, 'best', 'alphabeta'), (2, 'alphabeta', 'best')]
    >>> games.summary["games"], games.summary["wins"] + games.summary["draws"] + games.summary["losses"]
    (2, 2)
    """
    return Work(["match"], game, {"a": a, "b": b, **options}, _game_row)


def _game_row(unit: Row, _: Row) -> Row:
    moves = unit["moves"]
    thought = [move for move in moves if "us" in move]
    return {
        "number": unit["index"] + 1,
        "first": unit["names"][0],
        "second": unit["names"][1],
        "opening": unit["opening"] + 1,
        "result": unit["result"],
        "ending": unit["ending"].get("words") or unit["ending"]["how"],
        "plies": len(moves),
        "nodes": sum(move.get("nodes", 0) for move in thought),
        "time_ms": sum(move["us"] for move in thought) / 1000,
        "start": unit["start"],
        "moves": [move["move"] for move in moves],
        "scores": [move.get("score") for move in moves],
    }


def suite(game: AnyGame, file: str | os.PathLike[str], profiles: object = "best", **options: object) -> Work:
    """Runs a test suite under several profiles; each row is a position that one of them has searched.

    ``profiles`` is a name or a list; every option of ``plywise suite`` is a keyword: ``depth``, ``nodes``, ``movetime``,
    ``sweep``, ``set={…}``, ``until_proven``, ``stop_when_solved``, ``jobs``, ``run`` and more. The summary has a row for
    each profile and limit.

    >>> attempts = suite("chess", "suite.epd", ["brute", "best"], nodes=500)
    >>> {(row["profile"], row["limit"]) for row in attempts} == {("brute", "500 nodes"), ("best", "500 nodes")}
    True
    >>> [row["profile"] for row in attempts.summary["rows"]]
    ['brute', 'best']
    """
    return Work(["suite", os.fspath(file)], game, {"profiles": profiles, **options}, _attempt_row)


def _attempt_row(unit: Row, work: Row) -> Row:
    # Under the first limit all players search a position, then under the second.
    players, limits = work["players"], work["limits"]
    place, heat = divmod(unit["number"], len(limits) * len(players))
    limit, player = divmod(heat, len(players))
    name = re.search(r'\bid "([^"]*)"', work["positions"][place])
    found: Row = unit["result"]
    return {
        "position": place + 1,
        "id": name.group(1) if name else f"#{place + 1}",
        "profile": players[player]["name"],
        "limit": _plywise.show_limits(json.dumps(limits[limit])),
        "best": found["best"],
        "solved": found["solved"],
        "score": found["score"],
        "depth": found["depth"],
        "nodes": found["nodes"],
        "time_ms": _milliseconds(found["time"]),
    }


def compare(
    game: AnyGame, position: Position | str | None = None, profiles: object = "best", **options: object
) -> Work:
    """Searches one position under several profiles; each row is what one of them found.

    Every option of ``plywise compare`` is a keyword: ``depth=[4, 6]``, ``nodes``, ``movetime``, ``sweep``, ``set={…}``.

    >>> rows = list(compare("loa", profiles=["alphabeta", "brute"], depth=3))
    >>> [row["profile"] for row in rows], rows[0]["score"] == rows[1]["score"], rows[0]["nodes"] > rows[1]["nodes"]
    (['alphabeta', 'brute'], True, True)
    """
    inner = position_of(game, position)._position
    # A leading space keeps a position from being read as an option.
    words = ["compare", " " + inner.texts()[1], *(["--moves", *inner.played()] if inner.played() else [])]
    return Work(words, game, {"profiles": profiles, **options}, _found_row)


def _found_row(unit: Row, work: Row) -> Row:
    search, found = work["searches"][unit["number"]], unit["result"]
    return {
        "profile": search["player"]["name"],
        "limit": search["limits"],
        "best": found["pv"][0] if found["pv"] else None,
        "score": found["score"],
        "depth": found["depth"],
        "nodes": found["nodes"],
        "time_ms": _milliseconds(found["time"]),
        "pv": found["pv"],
    }


def learn(what: str, game: AnyGame, **options: object) -> Work:
    """Learns ``'eval'``, ``'extensions'``, ``'spsa'``, ``'net'`` or ``'loop'``; each row is a unit of the work.

    That is an epoch of ``eval`` and ``net``, an iteration of ``spsa``, a position of ``extensions``, a generation of
    ``loop``. Every option of ``plywise learn WHAT`` is a keyword; ``output`` names the file for what is learned.

    >>> few = {"iterations": 1, "pairs": 1, "once": True, "nodes": 100}
    >>> steps = learn("spsa", "loa", tune="aspiration.window:5", output="tuned.toml", **few)
    >>> [step["games"] for step in steps], steps.summary["names"]
    ([[1, 0, 1]], ['aspiration.window'])
    """
    return Work(["learn", what], game, options, _unit_row)


def evolve(what: str, game: AnyGame, **options: object) -> Work:
    """Lets an evaluation (``'eval'``, ``'coeval'``) or a ``'search'`` evolve; each row is a finished trial.

    Every option of ``plywise evolve WHAT`` is a keyword. ``summary["curve"]`` has a row for each generation.

    >>> trials = evolve("search", "chess", suite="suite.epd", nodes=200, generations=1, population=3)
    >>> len(list(trials)), [row["generation"] for row in trials.summary["curve"]]
    (6, [0, 1])
    """
    return Work(["evolve", what], game, options, _unit_row)


def _unit_row(unit: Row, _: Row) -> Row:
    row = {"number": unit["number"], **unit["result"]} if unit.keys() == {"number", "result"} else unit
    return _flat({name: value for name, value in row.items() if name not in STATE})


#: What learners keep to go on where they stopped, of no use to anybody else.
STATE = ("fitter", "trainer", "state", "organisms")


def _flat(row: Row, prefix: str = "") -> Row:
    """A row without dicts in it.

    >>> _flat({"trial": {"solved": {"nodes": 3}}, "time": {"secs": 1, "nanos": 5000000}})
    {'trial.solved.nodes': 3, 'time_ms': 1005.0}
    """
    flat: Row = {}
    for name, value in row.items():
        if not isinstance(value, dict):
            flat[prefix + name] = value
        elif value.keys() == {"secs", "nanos"}:
            flat[f"{prefix}{name}_ms"] = _milliseconds(value)
        else:
            flat.update(_flat(value, f"{prefix}{name}."))
    return flat


def _milliseconds(time: Row) -> float:
    return float(time["secs"]) * 1000 + float(time["nanos"]) / 1e6
