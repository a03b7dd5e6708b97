//! Quiescence ends, however many tactical moves there are, and knows where the game is over.

use crate::random_tree::{Hashed, mix};
use plywise_chess::{Chess, Evaluator};
use plywise_game::parameters::Parameters;
use plywise_game::{BoardGame, Evaluate, Game, Notation, Outcome, Side, score};
use plywise_othello::Othello;
use plywise_search::{Limits, Profile, ProfiledGame, Request, Searcher, Signal};

/// A brawl without end: at every turn thirty moves, all of them tactical. Every eighth position is a check.
enum Brawl {}

impl Game for Brawl {
    type Position = u64;
    type Move = u16;

    fn start() -> u64 {
        0
    }
    fn side_to_move(position: &u64) -> Side {
        if position.is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn moves(_: &u64, each: impl FnMut(u16)) {
        (1..=30).for_each(each);
    }
    /// The last bit is the side to move.
    fn play(position: &u64, mv: u16) -> u64 {
        mix(position ^ u64::from(mv)) & !1 | (position & 1 ^ 1)
    }
    fn hash(position: &u64) -> u64 {
        *position
    }
    fn stuck(_: &u64) -> Outcome {
        Outcome::Draw
    }
    fn move_code(mv: u16) -> u16 {
        mv
    }
    fn tactical_value(_: &u64, mv: u16) -> Option<i32> {
        Some(mv.into())
    }
    fn in_check(position: &u64) -> bool {
        (position >> 8).is_multiple_of(8)
    }
}

/// The nodes of one ply, or the most that are allowed.
fn nodes_of_a_ply<G: Game>(
    profile: &str,
    game: ProfiledGame,
    eval: impl Evaluate<G>,
    position: G::Position,
    most: u64,
) -> u64 {
    let params = Profile::named(profile).unwrap().params(game).unwrap();
    let mut searcher = Searcher::<G, _>::new(params, eval, 4).unwrap();
    let limits = Limits { depth: Some(1), nodes: Some(most), ..Limits::default() };
    searcher.search(&Request::new(position), &limits, &Signal::new(), &mut ()).nodes
}

#[test]
fn a_board_full_of_captures_is_searched_in_no_time() {
    const MOST: u64 = 2_000_000;
    for fen in [
        "qqqq1kqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQ1KQQ w - - 0 1",
        "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1",
    ] {
        for profile in ["alphabeta", "brute", "classic", "best"] {
            let position = Chess::parse_position(fen).unwrap();
            let nodes =
                nodes_of_a_ply::<Chess>(profile, ProfiledGame::of::<Chess>(), Evaluator::default(), position, MOST);
            assert!(nodes < MOST, "{profile}, {fen}: {nodes}");
        }
    }
}

#[test]
fn captures_without_end_end() {
    const MOST: u64 = 20_000_000;
    for profile in ["alphabeta", "brute", "best"] {
        let nodes = nodes_of_a_ply::<Brawl>(
            profile,
            ProfiledGame::plain("brawl"),
            Hashed { salt: 3, range: 200 },
            Brawl::start(),
            MOST,
        );
        assert!(nodes < MOST, "{profile}: {nodes}");
    }
}

/// What the only allowed move is worth at depth 1.
fn value_of_move<G: BoardGame>(profile: &str, eval: impl Evaluate<G>, position: &str, mv: &str) -> i32 {
    let params = Profile::named(profile).unwrap().params(ProfiledGame::of::<G>()).unwrap();
    let position = G::parse_position(position).unwrap();
    let request = Request { only: vec![G::parse_move(&position, mv).unwrap()], ..Request::new(position) };
    let mut searcher = Searcher::<G, _>::new(params, eval, 1).unwrap();
    searcher.search(&request, &Limits::depth(1), &Signal::new(), &mut ()).score()
}

#[test]
fn a_game_that_ends_at_the_horizon_is_not_evaluated() {
    for profile in ["minimax", "alphabeta", "brute", "best"] {
        let chess = |fen, mv| value_of_move::<Chess>(profile, Evaluator::default(), fen, mv);
        assert_eq!(chess("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf7"), 0, "{profile}: stalemate");
        assert_eq!(chess("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf8#"), score::win_in(1), "{profile}: mate");
        let taken = chess("7k/5p2/6K1/8/8/8/5Q2/8 w - - 0 1", "Qxf7");
        assert_eq!(taken, 0, "{profile}: stalemate by a capture");
        let full = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
        let wiped_out = value_of_move::<Othello>(profile, Hashed { salt: 1, range: 5 }, full, "h8");
        assert_eq!(wiped_out, 64, "{profile}: the last square");
    }
}

/// The score and the nodes of one ply in chess.
fn one_ply(settings: &[(&str, &str)], fen: &str) -> (i32, u64) {
    let mut params = Profile::named("brute").unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
    settings.iter().for_each(|&(path, value)| params.set(path, value).unwrap());
    let position = Chess::parse_position(fen).unwrap();
    let mut searcher = Searcher::<Chess, _>::new(params, Evaluator::default(), 1).unwrap();
    let report = searcher.search(&Request::new(position), &Limits::depth(1), &Signal::new(), &mut ());
    (report.score(), report.nodes)
}

#[test]
fn checks_at_the_horizon_see_a_mate() {
    // After any move of White's king, a quiet move of the rook mates.
    let fen = "6k1/8/8/8/8/1r6/r7/5K2 w - - 0 1";
    assert_eq!(one_ply(&[("quiescence.checks", "on")], fen).0, -score::win_in(2));
    assert!(!score::is_decided(one_ply(&[], fen).0));
}

#[test]
fn few_evasions_leave_quiet_moves_out_once_one_does_not_lose() {
    // White gives check with any move of the queen along the file; Black's king has several squares.
    let fen = "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1";
    let [all, few] = ["off", "on"].map(|few| one_ply(&[("quiescence.few_evasions", few)], fen));
    assert!(few.1 < all.1, "{few:?} {all:?}");
    // Where every move loses, all of them are looked at.
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(one_ply(&[("quiescence.few_evasions", "on")], mate).0, score::win_in(1));
}
