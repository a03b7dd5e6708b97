"""Options of functions as words of the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping


def words(options: Mapping[str, object]) -> list[str]:
    """Each option as the command line writes it.

    >>> words({"depth": [4, 6], "sprt": (0, 10), "set": {"multi_cut": True}, "gauntlet": True, "seed": None})
    ['--depth=4', '--depth=6', '--sprt=0,10', '--set=multi_cut=on', '--gauntlet']
    """
    found: list[str] = []
    for name, value in options.items():
        # A name that Python keeps for itself is written with an underscore behind it.
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            found.append(option)
        elif isinstance(value, Mapping):
            found += [f"{option}={key}={_text(each)}" for key, each in value.items()]
        elif isinstance(value, list):
            found += [f"{option}={_text(each)}" for each in value]
        elif value is not None and value is not False:
            found.append(f"{option}={_text(value)}")
    return found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(_text(each) for each in value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return str(value)
