"""plywise: selective game-tree search for two-player board games.

Positions of chess, Lines of Action, Othello and Abalone, or of a game of your own, are searched, compared and matched:

>>> import plywise
>>> position = plywise.Position("chess")
>>> result = plywise.Searcher("chess", profile="best").search(position, depth=4)
>>> result.move in position.moves()
True

What takes long (:func:`match`, :func:`suite`, :func:`compare`, :func:`learn`, :func:`evolve`) is an iterator of dicts,
which ``pandas.DataFrame`` takes, with a ``summary``. What cannot be done raises :class:`PlywiseError` with the sentence of
the command line.
"""

import atexit as _atexit
import sys as _sys

from . import _plywise

# The first that is registered is the last that is called: after the work of this package has ended.
_atexit.register(_plywise.abandon)

from ._plywise import PlywiseError, __version__
from .game import AnyGame, Game, Outcome, check
from .position import Position
from .searcher import Searcher, SearchResult
from .tables import Table, params, perft, profiles
from .tree import Tree
from .work import Work, compare, evolve, learn, match, suite

_plywise.introduce(_sys.executable, ["-m", "plywise"], _plywise.__file__)

__all__ = [
    "AnyGame",
    "Game",
    "Outcome",
    "PlywiseError",
    "Position",
    "SearchResult",
    "Searcher",
    "Table",
    "Tree",
    "Work",
    "__version__",
    "check",
    "compare",
    "evolve",
    "learn",
    "match",
    "params",
    "perft",
    "profiles",
    "suite",
]
