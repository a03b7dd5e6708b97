"""What the tests share."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[1]
SUITE = PYTHON.parent / "crates" / "plywise-chess" / "data" / "tactics.epd"

sys.path.insert(0, str(PYTHON / "examples"))

# A shell starts what runs in the background with interrupts ignored; some tests interrupt themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def suite_file(tmp_path: Path) -> str:
    """A suite of six positions."""
    path = tmp_path / "six.epd"
    path.write_text("".join(SUITE.read_text().splitlines(keepends=True)[:6]))
    return str(path)


@pytest.fixture
def new_file(tmp_path: Path) -> str:
    """The path of a file that is not there yet."""
    return str(tmp_path / "new")
