"""Searching a position."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from . import _plywise
from ._words import words
from .game import AnyGame
from .position import Position, position_of

#: What a parameter may be set to.
Setting = int | bool | str


@dataclass(frozen=True)
class SearchResult:
    """What a search found."""

    #: The best move as players write it; ``None`` where the game is over.
    move: str | None
    #: Its value for the side to move, in the evaluation's unit.
    score: int
    #: Whether the value is ``'exact'``, or a ``'lower'`` or ``'upper'`` bound; ``None`` where nothing was found.
    bound: str | None
    #: The depth of the last iteration in plies.
    depth: int
    #: The nodes that were searched.
    nodes: int
    #: The time that it took.
    seconds: float
    #: The line of play that is expected, the best move first.
    pv: list[str]
    #: The best lines, best first: dicts with ``score``, ``bound``, ``depth`` and ``pv``.
    lines: list[dict[str, Any]] = field(repr=False)
    #: What each technique did: by its name, how often it was tried and had an effect.
    counters: dict[str, dict[str, int]] = field(repr=False)
    #: Every step of the way: dicts with ``depth``, ``score``, ``nodes``, ``time_ms``, ``pv`` and more.
    iterations: list[dict[str, Any]] = field(repr=False)
    #: Whether Ctrl-C ended the search before its limit.
    interrupted: bool
    #: The best move as engine protocols write it.
    engine_move: str | None = field(repr=False)
    #: The value as people write it: ``+0.35``, ``#3``.
    shown: str = field(repr=False)

    @property
    def nps(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds

    def to_dict(self) -> dict[str, Any]:
        """All of it as a plain dict, for a row of a table or for JSON."""
        return dict(self.__dict__)


class Searcher:
    """A player of a game: a profile, changes to it, and a table that remembers what was searched.

    ``params`` sets parameters of the search and, as ``evaluation.GROUP.NAME``, weights of the evaluation;
    :func:`plywise.params` lists them. ``network`` is a file that ``learn('net', …)`` wrote, a built-in name, or ``'off'``;
    ``table`` a file, or files, that ``plywise gather`` wrote; ``hash`` is the size of the transposition table in MB.

    >>> searcher = Searcher("loa", profile="classic", params={"multi_cut": True, "null_move.reduction": 3})
    >>> result = searcher.search(Position("loa"), depth=4)
    >>> result.depth, result.nodes > 100, result.move in Position("loa").moves()
    (4, True, True)
    >>> Searcher("loa", params={"null_move.reductions": 3})
    Traceback (most recent call last):
        ...
    plywise.PlywiseError: unknown parameter 'null_move.reductions'; the nearest is 'null_move.reduction'

    Threads may search at once, each with its own searcher: Python's lock is released meanwhile. Threads that share a
    searcher wait for each other.
    """

    def __init__(
        self,
        game: AnyGame,
        profile: str | os.PathLike[str] = "best",
        params: Mapping[str, Setting] | None = None,
        network: str | os.PathLike[str] | None = None,
        table: str | list[str] | None = None,
        threads: int = 1,
        hash: int = 64,
    ) -> None:
        self.game = game
        self.profile = os.fspath(profile)
        options = {"profile": profile, "set": params or {}, "network": network, "table": table}
        self._searcher = _plywise.Searcher(game, words({**options, "threads": threads, "hash": hash}))

    def search(
        self,
        position: Position | str | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        movetime: int | None = None,
        lines: int = 1,
    ) -> SearchResult:
        """Searches a position until a limit is reached: plies, nodes, or milliseconds.

        ``lines`` asks for that many of the best moves. Ctrl-C ends the search, and what it has found by then is returned,
        with ``interrupted`` set.

        >>> mate = Searcher("chess").search("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth=3)
        >>> mate.move, mate.shown, mate.pv
        ('Ra8#', '#1', ['Ra8#'])
        >>> Searcher("chess").search()
        Traceback (most recent call last):
            ...
        plywise.PlywiseError: a limit is needed: --depth, --nodes, --movetime or --tc
        """
        asked = words({"depth": depth, "nodes": nodes, "movetime": movetime, "lines": lines})
        found, interrupted = self._searcher.search(position_of(self.game, position)._position, asked)
        first = found["lines"][0] if found["lines"] else None
        return SearchResult(
            move=found["best"],
            score=found["score"],
            bound=first and first["bound"],
            depth=found["depth"],
            nodes=found["nodes"],
            seconds=found["seconds"],
            pv=found["pv"],
            lines=found["lines"],
            counters=found["techniques"],
            iterations=found["iterations"],
            interrupted=interrupted,
            engine_move=found["best_engine"],
            shown=found["shown"],
        )

    def forget(self) -> None:
        """Forgets everything that earlier searches learned, as for a new game."""
        self._searcher.forget()

    def __repr__(self) -> str:
        return f"Searcher({self.game!r}, profile={self.profile!r})"
