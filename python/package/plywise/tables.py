"""What is known at once: counts of move paths, parameters and profiles."""

from __future__ import annotations

import json
from collections.abc import Iterator

from . import _plywise
from ._plywise import PlywiseError
from .game import AnyGame
from .position import Position, position_of
from .work import Row


class Table(Iterator[Row]):
    """Rows of a table, and what they come to."""

    def __init__(self, rows: list[Row], summary: Row) -> None:
        self._rows = iter(rows)
        #: What the rows come to.
        self.summary = summary

    def __iter__(self) -> Table:
        return self

    def __next__(self) -> Row:
        return next(self._rows)


def perft(game: AnyGame, position: Position | str | None = None, *, depth: int) -> Table:
    """Counts the move paths of exactly ``depth`` plies; each row is a first move with its paths.

    >>> table = perft("chess", depth=3)
    >>> next(table), table.summary
    ({'move': 'a2a3', 'nodes': 380}, {'depth': 3, 'nodes': 8902})
    """
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= 64:
        raise PlywiseError(f"invalid value '{depth}' for '--depth <N>': {depth} is not in 1..=64")
    rows = position_of(game, position)._position.divide(depth)
    total = sum(nodes for _, nodes in rows)
    return Table([{"move": move, "nodes": nodes} for move, nodes in rows], {"depth": depth, "nodes": total})


def params(game: str | None = None) -> Table:
    """Every parameter of the search, and every weight of the evaluations of all games or of one.

    >>> row = next(row for row in params("loa") if row["name"] == "null_move.reduction")
    >>> row["min"], row["max"], row["meaning"]
    (0, 7, 'Plies taken off the search after the pass.')
    """
    found = _document(["params", *([] if game is None else [game])])
    rows: list[Row] = found["parameters"]
    return Table(rows, {"parameters": len(rows)})


def profiles(game: str = "chess", name: str | None = None) -> Table:
    """The built-in profiles; or, of one that is named, every parameter with its value for the game.

    >>> [row["name"] for row in profiles()][:3]
    ['minimax', 'alphabeta', 'brute']
    >>> {row["name"]: row["value"] for row in profiles("loa", "brute")}["null_move.enabled"]
    False
    """
    if name is None:
        rows: list[Row] = _document(["profiles"])["profiles"]
        return Table(rows, {"profiles": len(rows)})
    found = _document(["profiles", game, name])
    rows = [{"name": parameter, "value": value} for parameter, value in found["search"].items()]
    return Table(rows, {key: found[key] for key in ("name", "description", "game")})


def _document(words: list[str]) -> Row:
    """What a short command prints with ``--json``."""
    command = _plywise.Command([*words, "--json"])
    while not command.wait(0.05):
        pass
    found: Row = json.loads(command.output())
    return found
