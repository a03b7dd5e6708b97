"""Positions of the built-in games."""

from __future__ import annotations

import copy
import pickle
import xml.etree.ElementTree as ElementTree

import pytest

import plywise
from plywise import PlywiseError, Position

GAMES = ["chess", "loa", "othello", "abalone"]


@pytest.mark.parametrize("game", GAMES)
def test_a_position_is_its_text(game: str) -> None:
    start = Position(game)
    assert Position(game, start.text) == start
    assert hash(Position(game, start.text)) == hash(start)
    after = start.play(start.moves()[0])
    assert after != start and after.game == game
    assert start.first_to_move and not after.first_to_move
    assert Position(game, after.text) == after
    assert after.played == [start.moves(engine=True)[0]]
    assert start.played == [], "playing a move changes nothing"
    assert after.side_to_move != start.side_to_move


@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_drawn(game: str) -> None:
    position = Position(game)
    assert ElementTree.fromstring(position._repr_svg_()).tag.endswith("svg")
    assert position.svg() == position._repr_svg_() != position.svg(turned=True)
    assert str(position).count("\n") > 4


@pytest.mark.parametrize("game", GAMES)
def test_both_notations_are_read(game: str) -> None:
    position = Position(game)
    for shown, engine in zip(position.moves(), position.moves(engine=True)):
        assert position.play(shown) == position.play(engine)


def test_games_end() -> None:
    mate = Position("chess").play("f3", "e5", "g4", "Qh4")
    assert (mate.outcome, mate.result, mate.ending, mate.points) == ("loss", "0-1", "Black mates", None)
    assert mate.moves() == []
    start = Position("chess")
    assert (start.outcome, start.result, start.ending) == (None, "*", None)
    full = Position("othello", "X" * 40 + "O" * 24 + " X")
    assert (full.outcome, full.result) == ("win", "1-0") and full.points is not None and full.points > 0


def test_repetition_is_seen_because_a_position_knows_its_past() -> None:
    position = Position("chess")
    for _ in range(2):
        position = position.play("Nf3", "Nf6", "Ng1", "Ng8")
    assert position.outcome == "draw" and position.ending == "third repetition"
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.played == position.played and again.outcome == "draw"
    # The text alone has no past.
    assert Position("chess", position.text).outcome is None
    assert copy.copy(position) == position


def test_positions_are_keys() -> None:
    a = Position("chess").play("Nf3", "Nf6", "Nc3")
    b = Position("chess").play("Nc3", "Nf6", "Nf3")
    assert len({a.play("a6").play("a3"), b.play("a6").play("a3")}) == 1
    assert Position("chess") != Position("loa") and Position("chess") != "chess"
    assert repr(Position("loa")) == "Position('loa', '1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b')"


def test_bad_input_is_one_sentence() -> None:
    for make, sentence in [
        (lambda: Position("ches"), "unknown game 'ches'; the nearest is 'chess'"),
        (lambda: Position("loa", "8/8 b"), "8 ranks"),
        (lambda: Position("chess").play("e5"), "e5"),
        (lambda: Position("chess").play("f3", "e5", "g4", "Qh4", "e4"), "the game is over in this position"),
        (lambda: Position("chess", "\x00"), "FEN"),
    ]:
        with pytest.raises(PlywiseError, match=sentence) as raised:
            make()
        assert "\n" not in str(raised.value)
    assert issubclass(PlywiseError, ValueError)
    for game in [3, None, 4.5, object()]:
        with pytest.raises(TypeError, match="is not a game: it has no 'start'"):
            Position(game)
    with pytest.raises(TypeError):
        Position("chess", 3)  # type: ignore[arg-type]


def test_versions_agree() -> None:
    assert plywise.__version__ == plywise._plywise.__version__
