"""Games that are written in Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Literal, Protocol, TypeVar, Union

from . import _plywise

P = TypeVar("P")
M = TypeVar("M")

#: How a game ended for the side to move; a number counts the points that it has more than the other side.
Outcome = Union[Literal["win", "draw", "loss"], int]

#: A game: a name such as ``'chess'``, or a class (or an object) with the seven rules of :class:`Game`.
AnyGame = Hashable


class Game(Protocol[P, M]):
    """The rules of a game of your own.

    A class with these seven methods is a game; it need not inherit anything. Positions and moves may be any objects;
    playing a move makes a new position. The texts of positions are Python literals unless the game writes its own.

    It may also have these methods, each of which switches on what depends on it::

        decided(position)              the outcome where it can be seen before any move is generated, or None
        evaluate(position)             its value for the side to move, a whole number
        drawn_by_rule(position)        whether a rule makes it a draw although moves are left
        tactical_value(position, move) how promising a capture or the like is; None for a quiet move
        in_check(position)             whether a threat must be answered at once
        null_move(position)            the position after passing, or None where that is not allowed
        is_irreversible(position, move)  whether no earlier position can come back
        write_position(position), parse_position(text), write_move(position, move), draw(position)

    >>> class Nim:
    ...     "Take one to three of ten matches; who takes the last one wins."
    ...     def start(self): return (10, 0)
    ...     def side_to_move(self, position): return position[1]
    ...     def moves(self, position): return range(1, min(3, position[0]) + 1)
    ...     def play(self, position, move): return (position[0] - move, 1 - position[1])
    ...     def hash(self, position): return hash(position)
    ...     def stuck(self, position): return "loss"
    ...     def move_code(self, move): return move
    >>> import plywise
    >>> plywise.Searcher(Nim).search(plywise.Position(Nim), depth=12).move
    '2'
    """

    def start(self) -> P:
        """The position in which games begin."""
        ...

    def side_to_move(self, position: P, /) -> int:
        """Whose turn it is: 0 for the side that begins, 1 for the other."""
        ...

    def moves(self, position: P, /) -> Iterable[M]:
        """Every legal move, always in the same order; none exactly where the game is over."""
        ...

    def play(self, position: P, move: M, /) -> P:
        """The position after a legal move. The one before it stays as it was."""
        ...

    def hash(self, position: P, /) -> int:
        """A number that tells positions apart, the side to move included."""
        ...

    def stuck(self, position: P, /) -> Outcome:
        """The outcome for the side to move, where it has no move."""
        ...

    def move_code(self, move: M, /) -> int:
        """A number from 1 to 65535 that differs from that of every other legal move in the same position."""
        ...


def check(game: AnyGame, games: int = 20, seed: int = 1) -> None:
    """Puts a game through the conformance kit: random games, each position of which goes through a list of checks.

    Raises :class:`PlywiseError` with the first violation.

    >>> class Endless:
    ...     def start(self): return 0
    ...     def side_to_move(self, position): return 0
    ...     def moves(self, position): return [1]
    ...     def play(self, position, move): return position + 1
    ...     def hash(self, position): return position
    ...     def stuck(self, position): return "draw"
    ...     def move_code(self, move): return move
    >>> check(Endless)
    Traceback (most recent call last):
        ...
    plywise.PlywiseError: side to move: after 1 it is still the turn of First, in 0
    """
    _plywise.check(game, games, seed)
