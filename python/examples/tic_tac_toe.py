"""Tic-tac-toe in Python: the seven rules and two hooks, checked, searched, compared and matched."""

from __future__ import annotations

import plywise

Board = tuple[int, ...]  # Nine squares: 0 is empty, 1 the side that begins, 2 the other.

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
LINES = [*ROWS, *zip(*ROWS), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    def start(self) -> Board:
        return (0,) * 9

    def side_to_move(self, board: Board) -> int:
        return sum(square > 0 for square in board) % 2

    def moves(self, board: Board) -> list[int]:
        return [square for square in range(9) if not board[square]]

    def play(self, board: Board, square: int) -> Board:
        return (*board[:square], self.side_to_move(board) + 1, *board[square + 1 :])

    def hash(self, board: Board) -> int:
        return hash(board)

    def stuck(self, board: Board) -> plywise.Outcome:
        return "draw"

    def move_code(self, square: int) -> int:
        return square + 1

    def decided(self, board: Board) -> plywise.Outcome | None:
        lost = any(board[a] == board[b] == board[c] > 0 for a, b, c in LINES)
        return "loss" if lost else None

    def draw(self, board: Board) -> str:
        return "\n".join(" ".join(".xo"[board[square]] for square in row) for row in ROWS)


def main() -> None:
    plywise.check(TicTacToe)
    result = plywise.Searcher(TicTacToe).search(depth=9)
    print(f"with perfect play: {result.score}, {result.nodes} nodes, {result.nps:.0f} a second")
    after = plywise.Position(TicTacToe).play("0", "1")
    print(after, end="")
    print("the best answer:", plywise.Searcher(TicTacToe).search(after, depth=9).move)
    for row in plywise.compare(TicTacToe, after, ["minimax", "alphabeta", "best"], depth=7):
        print(f"{row['profile']:10} {row['best']} {row['score']:9} {row['nodes']:6} nodes")
    games = plywise.match(TicTacToe, "best", "minimax", games=10, depth=3)
    print(sum(1 for _ in games), "games:", games.summary["wins"], "won,", games.summary["draws"], "drawn")


if __name__ == "__main__":
    main()
