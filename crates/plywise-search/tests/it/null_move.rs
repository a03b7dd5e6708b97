//! The null move where a pass proves little.

use plywise_chess::Chess;
use plywise_game::BoardGame;
use plywise_loa::Loa;
use plywise_search::{Limits, Profile, ProfiledGame, Request, Searcher, Signal, Technique};

/// How often the null move was tried in a search of eight plies, and the score, for each way to treat doubtful passes.
fn outcomes<G: BoardGame>(position: &str) -> [(u64, i32); 3] {
    [0, 1, 2].map(|doubtful| {
        let mut params = Profile::named("classic").and_then(|profile| profile.params(ProfiledGame::of::<G>())).unwrap();
        params.null_move.doubtful = doubtful;
        let mut searcher = Searcher::<G, _>::new(params, G::evaluation(G::Weights::default()), 4).unwrap();
        let request = Request::new(G::parse_position(position).unwrap());
        let report = searcher.search(&request, &Limits::depth(8), &Signal::new(), &mut ());
        (report.counters.tries(Technique::NullMove), report.score())
    })
}

#[test]
fn a_doubtful_pass_is_tried_left_out_or_verified() {
    // Kings and pawns: every pass is doubtful.
    let [tried, left_out, verified] = outcomes::<Chess>("8/8/2k5/1p1p4/1P1P4/2K5/8/8 w - - 0 1");
    assert!(tried.0 > 0 && verified.0 > 0);
    assert_eq!(left_out.0, 0);
    assert_eq!(left_out.1, verified.1);
}

#[test]
fn an_opponent_in_two_groups_makes_a_pass_doubtful() {
    // Five plies connect: d1-c2, a5-a7, c2-b3, d2xb4, a1-a3. Passes after the first one hide it.
    let [tried, left_out, _] = outcomes::<Loa>("8/8/1b6/wb1wbw2/1bbbww2/4w3/3w4/b2b4 b");
    assert!(left_out.0 < tried.0);
}
