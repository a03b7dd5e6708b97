"""Positions of every game."""

from __future__ import annotations

from . import _plywise
from ._plywise import PlywiseError
from .game import AnyGame


class Position:
    """A position of a game, and how it came about. It never changes: playing a move makes a new one.

    ``text`` is in the game's one-line notation, FEN for chess; without it games begin.

    >>> position = Position("chess").play("e4").play("e5")
    >>> position.text
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2'
    >>> position.moves()[:3], position.side_to_move
    (['a3', 'a4', 'b3'], 'White')
    >>> Position("chess", "nonsense")
    Traceback (most recent call last):
        ...
    plywise.PlywiseError: a FEN has 4 or 6 fields, but 'nonsense' has 1
    """

    __slots__ = ("_position", "game")

    def __init__(self, game: AnyGame, text: str | None = None) -> None:
        #: The game: its name, or the class of one in Python.
        self.game = game
        self._position = _plywise.Position(game, text or "")

    def _with(self, inner: _plywise.Position) -> Position:
        position = Position.__new__(Position)
        position.game, position._position = self.game, inner
        return position

    @property
    def text(self) -> str:
        """The position in the game's one-line notation."""
        return self._position.texts()[0]

    def moves(self, engine: bool = False) -> list[str]:
        """The legal moves as players write them, or as engine protocols do; none when the game is over.

        >>> Position("loa").moves(engine=True)[:3]
        ['b1h1', 'b8h8', 'g1a1']
        """
        return [pair[engine] for pair in self._position.moves()]

    def play(self, *moves: str) -> Position:
        """The position after these moves, in any notation of the game.

        >>> Position("othello").play("d3", "c5").text
        '-------------------X-------XX-----OOO--------------------------- X'
        """
        inner = self._position
        for move in moves:
            inner = inner.play(move)
        return self._with(inner)

    @property
    def played(self) -> list[str]:
        """The moves that were played, as engine protocols write them."""
        return self._position.played()

    @property
    def side_to_move(self) -> str:
        """Whose turn it is, as the game calls the side.

        >>> Position("loa").side_to_move
        'Black'
        """
        return self._position.player()

    @property
    def first_to_move(self) -> bool:
        """Whether it is the turn of the side that begins."""
        return self._position.first_to_move()

    @property
    def outcome(self) -> str | None:
        """``'win'``, ``'draw'`` or ``'loss'`` for the side to move once the game is over, ``None`` before.

        >>> Position("chess").play("f3", "e5", "g4", "Qh4").outcome
        'loss'
        """
        ending = self._position.ending()
        return ending and ending[0]

    @property
    def points(self) -> int | None:
        """How many points more the side to move has, where the game is over and counts points."""
        ending = self._position.ending()
        return ending and ending[1]

    @property
    def result(self) -> str:
        """``'1-0'`` where the side that begins has won, ``'0-1'``, ``'1/2-1/2'``, or ``'*'`` while the game goes on."""
        ending = self._position.ending()
        return ending[2] if ending else "*"

    @property
    def ending(self) -> str | None:
        """How the game ended, in its own words.

        >>> Position("chess").play("f3", "e5", "g4", "Qh4").ending
        'Black mates'
        """
        ending = self._position.ending()
        return ending and ending[3]

    @property
    def state(self) -> object:
        """The position object of a game in Python; ``None`` for the others."""
        return self._position.state()

    def svg(self, turned: bool = False) -> str:
        """A drawing of the board, from the second player's side if it is turned."""
        return self._position.draw_svg(turned)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._position.draw()

    def __repr__(self) -> str:
        name = repr(self.game) if isinstance(self.game, str) else getattr(self.game, "__name__", repr(self.game))
        return f"Position({name}, {self.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self._position.same_position(other._position)

    def __hash__(self) -> int:
        return hash((self.game, self._position.hash()))

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.game, self._position.texts()[1], self.played)


def _restored(game: AnyGame, start: str, played: list[str]) -> Position:
    return Position(game, start).play(*played)


def position_of(game: AnyGame, position: Position | str | None) -> Position:
    """A position of this game, which may be written as a text."""
    if position is None or isinstance(position, str):
        return Position(game, position)
    if position.game != game:
        raise PlywiseError(f"the position is one of {position.game}, not of {game}")
    return position
