"""Search trees that were recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator

from . import _plywise
from ._words import words
from .position import Position, position_of
from .tables import Table, _document
from .work import Row


class Tree:
    """A tree that ``plywise tree record`` or :meth:`record` wrote, node by node.

    >>> tree = Tree.record("chess", "start.tree", depth=3)
    >>> tree.game, len(tree) == tree.stats()["nodes"]
    ('chess', True)
    >>> found = tree.query("kind = cut and depth >= 2", first=5)
    >>> found.summary["count"] >= len(list(found)) > 0
    True
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._tree = _plywise.Tree(self.path)
        #: The game, the position that was searched, and the profile.
        self.game, self.position, self.profile = self._tree.head()

    @classmethod
    def record(
        cls, game: str, path: str | os.PathLike[str], position: Position | str | None = None, **options: object
    ) -> Tree:
        """Searches a position and records every node; every option of ``plywise tree record`` is a keyword."""
        inner = position_of(game, position)._position
        moves = ["--moves", *inner.played()] if inner.played() else []
        options = {"output": os.fspath(path), **options}
        _document(["tree", "record", game, " " + inner.texts()[1], *moves, *words(options)])
        return cls(path)

    def __len__(self) -> int:
        return sum(self._tree.lengths())

    def stats(self) -> Row:
        """What the tree is made of: nodes by kind, ply, depth and technique, iterations, large subtrees."""
        return _document(["tree", "stats", self.path])

    def query(self, expression: str, first: int = 1000) -> Table:
        """The nodes that an expression is true of, the first ``limit`` as records; the summary has the whole count."""
        # With a blank in front, what begins with a minus is no option.
        found = _document(["tree", "query", self.path, " " + expression, f"--first={first}"])
        return Table(found["nodes"], {"count": found["count"], "notice": found["notice"]})

    def nodes(self) -> Iterator[Row]:
        """Every node as a record, in the order in which the search left them."""
        at_once = 1000
        for stream, length in enumerate(self._tree.lengths()):
            for start in range(0, length, at_once):
                yield from self._tree.nodes(stream, start, min(at_once, length - start))

    def node(self, id: str) -> Row:
        """A node by its number."""
        return self._tree.node(id)

    def roots(self) -> list[str]:
        """The numbers of the nodes with which iterations begin."""
        return self._tree.roots()

    def children(self, id: str) -> list[str]:
        """The numbers of the nodes below one."""
        return self._tree.children(id)

    def __repr__(self) -> str:
        return f"Tree({self.path!r})"
