"""What Python costs: a search through it against the command line, and a game that is written in it."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import plywise
from tic_tac_toe import TicTacToe

POSITION = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1BN2/PP2BPPP/R2Q1RK1 w - - 0 9"


SEARCH = f"""
import plywise
print(plywise.Searcher("chess").search("{POSITION}", depth=DEPTH).nodes)
"""


def by_python(depth: int) -> tuple[float, int]:
    """The processor time of a search in seconds, less what it takes to start, and its nodes."""
    python = [sys.executable, "-c"]
    idle, _ = run([*python, "import plywise"])
    busy, told = run([*python, SEARCH.replace("DEPTH", str(depth))])
    return busy - idle, int(told)


def by_command(program: list[str], depth: int) -> tuple[float, int]:
    """The same by the command line."""
    idle, _ = run([*program, "--version"])
    busy, told = run([*program, "analyse", "chess", POSITION, "--depth", str(depth), "--json"])
    return busy - idle, int(json.loads(told)["nodes"])


def run(command: list[str]) -> tuple[float, str]:
    """The processor time of a command, and what it prints."""
    begun = of_children()
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return of_children() - begun, told


def of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main(program: list[str], depth: int = 15, times: int = 9) -> None:
    pairs = [(by_python(depth), by_command(program, depth)) for _ in range(times)]
    assert len({nodes for pair in pairs for _, nodes in pair}) == 1, "both search the same tree"
    # Whatever else the machine does only adds to the time: the least is the truest.
    python, command = (min(pair[side][0] for pair in pairs) for side in (0, 1))
    print(f"depth {depth}, {pairs[0][0][1]} nodes: {python:.3f} s by Python, {command:.3f} s by the command line")
    print(f"ratio, the best of {times} each: {python / command:.3f}")
    begun = time.process_time()
    nodes = plywise.Searcher(TicTacToe, profile="brute").search(depth=9).nodes
    print(f"tic-tac-toe in Python: {nodes / (time.process_time() - begun):.0f} nodes a second")


if __name__ == "__main__":
    main(sys.argv[1:] or [sys.executable, "-m", "plywise"])
