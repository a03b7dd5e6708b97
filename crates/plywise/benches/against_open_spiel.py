"""How fast OpenSpiel's alpha-beta searches Lines of Action and Othello, for comparison with plywise.

    pip install open_spiel
    cargo build --release -p plywise --example speed --features loa,othello
    python crates/plywise/benches/against_open_spiel.py target/release/examples/speed

Both search from the start with plain alpha-beta and value a leaf by the number of its moves. A node is a state that is
reached. OpenSpiel's search is the one that its package offers, `open_spiel.python.algorithms.minimax`, over states that are
C++.
"""

import subprocess
import sys
import time

import pyspiel
from open_spiel.python.algorithms import minimax

# Name in OpenSpiel, name in plywise, depth of OpenSpiel's search, depth of ours: each takes a few seconds.
GAMES = [("lines_of_action", "loa", 4, 6), ("othello", "othello", 8, 12)]


class Counted:
    """A state that counts how many of its kind are made."""

    made = 0

    def __init__(self, state):
        self.state = state
        Counted.made += 1

    def clone(self):
        return Counted(self.state.clone())

    def __getattr__(self, name):
        return getattr(self.state, name)


def mobility(state):
    """The moves of the side to move, for the side that began."""
    count = len(state.legal_actions())
    return count if state.current_player() == 0 else -count


def search(game, state, depth):
    minimax.alpha_beta_search(game, state=state, value_function=mobility, maximum_depth=depth)


def open_spiel(name, depth):
    """Nodes and seconds of OpenSpiel's alpha-beta: counted in one search, timed in another that does not count."""
    game = pyspiel.load_game(name)
    Counted.made = 0
    search(game, Counted(game.new_initial_state()), depth)
    begun = time.perf_counter()
    search(game, game.new_initial_state(), depth)
    return Counted.made, time.perf_counter() - begun


def plywise(program, game, depth):
    """Nodes and seconds of our textbook alpha-beta."""
    output = subprocess.run([program, game, str(depth)], check=True, capture_output=True, text=True).stdout
    nodes, seconds = output.split()
    return int(nodes), float(seconds)


def main():
    program = sys.argv[1]
    for theirs, ours, their_depth, our_depth in GAMES:
        speeds = []
        for name, depth, (nodes, seconds) in [
            ("OpenSpiel", their_depth, open_spiel(theirs, their_depth)),
            ("plywise", our_depth, plywise(program, ours, our_depth)),
        ]:
            speeds.append(nodes / seconds)
            print(f"{ours:8} {name:10} depth {depth:2}  {nodes:>10} nodes  {seconds:6.2f} s  {nodes / seconds:>11.0f} nodes/s")
        print(f"{ours:8} ratio {speeds[1] / speeds[0]:.0f}")


if __name__ == "__main__":
    main()
