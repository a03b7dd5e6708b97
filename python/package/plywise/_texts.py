"""Texts of positions and moves for games that write none of their own."""

from __future__ import annotations

import ast


def write_position(position: object) -> str:
    """A Python literal on one line, without spaces where it can do without.

    >>> write_position((0, 1, 'x'))
    "(0,1,'x')"
    """
    text = repr(position)
    short = text.replace(", ", ",")
    try:
        return short if ast.literal_eval(short) == position else text
    except (ValueError, SyntaxError):
        return text


def parse_position(text: str) -> object:
    """The position that such a literal stands for.

    >>> parse_position("(0,1,'x')")
    (0, 1, 'x')
    """
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ValueError("it is no literal of Python; give the game a parse_position of its own") from None


def write_move(_position: object, move: object) -> str:
    """A move as one word that game records can hold: they have a meaning of their own for brackets and double quotes.

    >>> write_move(None, 4), write_move(None, (1, 2)), write_move(None, ((0, 1), 'x'))
    ('4', '1,2', "<0,1>,'x'")
    """
    word = "".join(str(move).split()) or repr(move)
    if isinstance(move, (tuple, list)):
        word = word[1:-1]
    return word.translate(str.maketrans("()[]{}\"", "<><><>'")) or "-"
