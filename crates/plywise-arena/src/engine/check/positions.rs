//! Positions that engines stumble over.

use plywise_game::random::Random;
use plywise_host::{AnyGame, AnyPosition};

/// A position with a name.
pub(super) struct Odd {
    pub what: String,
    pub position: AnyPosition,
}

/// What is odd in chess.
const CHESS: &[(&str, &str)] = &[
    ("one legal move", "7k/8/8/8/8/8/6q1/7K w - - 0 1"),
    ("a move that stalemates", "8/8/8/8/8/4k3/5p2/5K2 b - - 0 1"),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    ("promotions in check", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
    ("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
    ("castling on both sides", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("a pawn that may not capture en passant", "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"),
    ("a double check", "k3r3/8/8/8/1b6/8/8/4K3 w - - 0 1"),
    ("bare kings", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"),
    ("the last move before the fifty-move rule", "8/8/8/4k3/8/8/4K3/R7 w - - 99 80"),
];

/// Chess positions with a forced mate, and in how many moves of the side to move; negative where it is mated.
const MATES: &[(&str, i64)] = &[
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", -1),
];

/// Chess positions without a legal move.
const OVER: &[(&str, &str)] =
    &[("stalemate", "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1"), ("checkmate", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")];

/// A chess position in which White may castle to both sides, and of Chess960 the same with other places.
pub(super) const CASTLING: &str = "r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 1";
pub(super) const CASTLING_960: &str = "1rk3r1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/1RK3R1 w GBgb - 0 1";

/// Whether this is the game that the lists above are of.
fn is_chess(game: &dyn AnyGame) -> bool {
    game.name() == "chess"
}

/// Positions of a game that are read; none of another.
fn read<'a, T: Copy>(game: &dyn AnyGame, list: &'a [(&'a str, T)]) -> Vec<(AnyPosition, T)> {
    let list = if is_chess(game) { list } else { &[] };
    list.iter().filter_map(|&(text, what)| Some((game.parse_position(text).ok()?, what))).collect()
}

/// Chess positions with the mates that there are.
pub(super) fn mates(game: &dyn AnyGame) -> Vec<(AnyPosition, i64)> {
    read(game, MATES)
}

/// Positions that games get into and that have something odd: those above, and what random games meet.
pub(super) fn odd(game: &dyn AnyGame) -> Vec<Odd> {
    let swapped: Vec<(&str, &str)> = CHESS.iter().map(|&(what, text)| (text, what)).collect();
    let mut odd: Vec<Odd> =
        read(game, &swapped).into_iter().map(|(position, what)| Odd { what: what.to_owned(), position }).collect();
    let met = Met::in_random_games(game);
    if !is_chess(game) {
        odd.extend(met.fewest.map(|position| of_moves("the fewest moves of random games", position)));
        odd.extend(met.most.map(|position| of_moves("the most moves of random games", position)));
    }
    odd.extend(met.before_end.map(|position| Odd { what: "the last move of a random game".to_owned(), position }));
    odd
}

fn of_moves(what: &str, position: AnyPosition) -> Odd {
    let moves = position.legal_moves().len();
    Odd { what: format!("{what} ({moves})"), position }
}

/// Positions in which the game is over.
pub(super) fn over(game: &dyn AnyGame) -> Vec<Odd> {
    let swapped: Vec<(&str, &str)> = OVER.iter().map(|&(what, text)| (text, what)).collect();
    let listed = read(game, &swapped).into_iter().map(|(position, what)| Odd { what: what.to_owned(), position });
    let end = if is_chess(game) { None } else { Met::in_random_games(game).end };
    listed.chain(end.map(|position| Odd { what: "the end of a random game".to_owned(), position })).collect()
}

/// A position of the middle of a game, with the moves that led to it.
pub(super) fn middle(game: &dyn AnyGame) -> AnyPosition {
    let start = game.start();
    let plies = [8, 4, 2, 1];
    let openings = plies.map(|plies| start.random_opening(&mut Random::stream(7, plies as u64), plies));
    // Several checks need a choice.
    let has_choice = |opening: &AnyPosition| opening.legal_moves().len() > 3;
    openings.into_iter().flatten().find(has_choice).unwrap_or(start)
}

/// The longest of some random games, without its last moves, and no longer than `most` plies.
pub(super) fn long_game(game: &dyn AnyGame, most: usize) -> AnyPosition {
    const LONGEST: usize = 600;
    let games = (0..20).map(|number| random_game(game, number, LONGEST, &mut |_, _| {}));
    let longest = games.max_by_key(AnyPosition::plies).unwrap_or_else(|| game.start());
    longest.at(longest.plies().saturating_sub(2).min(most))
}

/// What random games meet.
#[derive(Default)]
struct Met {
    fewest: Option<AnyPosition>,
    most: Option<AnyPosition>,
    before_end: Option<AnyPosition>,
    end: Option<AnyPosition>,
}

impl Met {
    fn in_random_games(game: &dyn AnyGame) -> Met {
        const GAMES: u64 = 10;
        const LONGEST: usize = 300;
        let mut met = Met::default();
        for number in 0..GAMES {
            let (mut fewest, mut most) = (met.fewest.take(), met.most.take());
            let count = |position: &Option<AnyPosition>| position.as_ref().map(|met| met.legal_moves().len());
            let (mut least, mut greatest) = (count(&fewest), count(&most));
            let whole = random_game(game, number, LONGEST, &mut |position, moves| {
                if least.is_none_or(|least| moves < least) {
                    (fewest, least) = (Some(position.clone()), Some(moves));
                }
                if greatest.is_none_or(|greatest| moves > greatest) {
                    (most, greatest) = (Some(position.clone()), Some(moves));
                }
            });
            (met.fewest, met.most) = (fewest, most);
            if whole.outcome().is_some() && met.end.is_none() {
                met.before_end = Some(whole.at(whole.plies() - 1));
                met.end = Some(whole);
            }
        }
        met
    }
}

/// A game of random moves, which ends when the rules or `longest` end it. `each` gets every position but the last, and
/// how many moves it has.
fn random_game(
    game: &dyn AnyGame,
    number: u64,
    longest: usize,
    each: &mut dyn FnMut(&AnyPosition, usize),
) -> AnyPosition {
    let mut position = game.start();
    let mut random = Random::stream(960, number);
    while position.plies() < longest && position.ended().is_none() {
        let moves = position.legal_moves();
        each(&position, moves.len());
        let Some(&mv) = random.pick(&moves) else { break };
        if position.play(mv).is_err() {
            break;
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_host::Hosted;
    use plywise_host::games::{Chess, Othello};

    #[test]
    fn the_lists_are_what_they_say() {
        let chess = &Hosted::<Chess>::new();
        assert_eq!(mates(chess).len(), MATES.len());
        let odd = odd(chess);
        assert_eq!(odd.len(), CHESS.len() + 1);
        assert!(odd.iter().all(|odd| !odd.position.legal_moves().is_empty()));
        let moves = |what: &str| odd.iter().find(|odd| odd.what == what).map(|odd| odd.position.legal_moves().len());
        assert_eq!((moves("one legal move"), moves("218 moves")), (Some(1), Some(218)));
        assert!(
            over(chess).len() == OVER.len() && over(chess).iter().all(|over| over.position.legal_moves().is_empty())
        );
        assert!(long_game(chess, 1000).plies() > 200 && long_game(chess, 100).plies() == 100);
        for (text, style) in [(CASTLING, plywise_host::Style::Engine), (CASTLING_960, plywise_host::Style::Chess960)] {
            let position = chess.parse_position(text).unwrap();
            for castling in ["O-O", "O-O-O"] {
                let mv = position.parse_move(castling).unwrap();
                assert_eq!(position.parse_move(&position.write_move_as(mv, style)), Ok(mv), "{castling} in {text}");
            }
        }
    }

    #[test]
    fn other_games_get_what_random_games_meet() {
        let othello = &Hosted::<Othello>::new();
        assert!(odd(othello).len() == 3 && over(othello).len() == 1 && mates(othello).is_empty());
        assert!(over(othello)[0].position.outcome().is_some());
        assert!(middle(othello).plies() > 0);
    }
}
