"""The tour, the examples in docstrings, and the types."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import plywise

PYTHON = Path(__file__).parents[1]
TOUR = PYTHON / "examples" / "tour.py"


def test_the_tour_runs(suite_file: str, tmp_path: Path) -> None:
    assert len(TOUR.read_text().splitlines()) <= 40
    picture = tmp_path / "tour.svg"
    command = [sys.executable, str(TOUR), suite_file, str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "Qxf7#" in done.stdout and "<svg" in picture.read_text()


MODULES = ["plywise", *(f"plywise.{module.name}" for module in pkgutil.iter_modules(plywise.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_tell_the_truth(name: str, suite_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(suite_file).parent
    Path(suite_file).rename(folder / "suite.epd")
    monkeypatch.chdir(folder)
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0
    assert tried > 0 or name in ("plywise._plywise", "plywise.__main__")


def test_every_public_name_is_documented() -> None:
    for name in plywise.__all__:
        if name not in ("__version__", "AnyGame", "Outcome"):
            assert getattr(plywise, name).__doc__, name
    assert all(importlib.import_module(name).__doc__ for name in MODULES if name != "plywise._plywise")


def test_types_hold() -> None:
    mypy = pytest.importorskip("mypy.api")
    sources = [str(PYTHON / folder) for folder in ("package", "examples")]
    told, errors, status = mypy.run(["--strict", "--config-file", str(PYTHON / "pyproject.toml"), *sources])
    assert status == 0, told + errors


def test_the_command_line_comes_with_it() -> None:
    run = lambda *words: subprocess.run([sys.executable, "-m", "plywise", *words], capture_output=True, text=True)  # noqa: E731
    assert run("perft", "chess", "--depth", "3", "--json").stdout.count('"nodes":8902') == 1
    bad = run("perft", "ches", "--depth", "3")
    assert (bad.returncode, bad.stderr) == (2, "plywise: unknown game 'ches'; the nearest is 'chess'\n")
    session = subprocess.run([sys.executable, "-m", "plywise", "uci"], input="uci\nquit\n", capture_output=True, text=True)
    assert session.stdout.endswith("uciok\n")
