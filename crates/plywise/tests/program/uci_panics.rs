//! Whatever panics while the engine thinks, the interface gets a legal move and the session goes on.

use crate::uci::Engine;
use plywise_game::linear::{Linear, Terms};
use plywise_game::{BoardGame, Evaluate, Game, Notation, NotationError, Outcome, Score, Side};

/// Take one to nine of a thousand matches; the player who takes the last one wins. It breaks on demand.
enum Trap {}

plywise_game::parameters! {
    /// When the trap is sprung.
    pub struct Fuse;
    /// How long nothing happens.
    fuse: Length {
        /// The number of evaluations; 0 for no limit.
        evaluations: 0..=100000 = 0;
    }
}

impl Linear<Trap> for Fuse {
    const UNIT: i32 = 1;

    /// None: the fuse is no weight.
    fn add_terms(_: &(u16, Side), _: &mut impl Terms<Fuse>) {}
}

/// Counts down, and panics at the end.
#[derive(Clone)]
struct Countdown(i32);

impl Evaluate<Trap> for Countdown {
    fn evaluate(&mut self, &(matches, _): &(u16, Side)) -> Score {
        self.0 -= 1;
        assert_ne!(self.0, 0, "the trap is sprung");
        Score::from(matches.wrapping_mul(2027) % 101)
    }
}

impl Game for Trap {
    type Position = (u16, Side);
    type Move = u16;

    fn start() -> (u16, Side) {
        (1000, Side::First)
    }
    fn side_to_move(position: &(u16, Side)) -> Side {
        position.1
    }
    fn moves(&(matches, _): &(u16, Side), each: impl FnMut(u16)) {
        // Thirteen is where the rules themselves are broken.
        assert_ne!(matches, 13, "the rules do not know");
        (1..=matches.min(9)).for_each(each);
    }
    fn play(&(matches, side): &(u16, Side), mv: u16) -> (u16, Side) {
        (matches - mv, !side)
    }
    fn hash(&(matches, side): &(u16, Side)) -> u64 {
        plywise_game::zobrist::key(u64::from(matches) * 2 + side as u64)
    }
    fn stuck(_: &(u16, Side)) -> Outcome {
        Outcome::Loss
    }
    fn move_code(mv: u16) -> u16 {
        mv
    }
}

impl Notation for Trap {
    const NAME: &'static str = "trap";
    const TITLE: &'static str = "Trap";

    fn parse_position(text: &str) -> Result<(u16, Side), NotationError> {
        let matches = text.parse().map_err(|_| NotationError::new("not a number"))?;
        Ok((matches, Side::First))
    }
    fn write_position(position: &(u16, Side)) -> String {
        position.0.to_string()
    }
    fn parse_move(position: &(u16, Side), text: &str) -> Result<u16, NotationError> {
        let mv = text.parse().map_err(|_| NotationError::new("not a number"))?;
        if Trap::legal_moves(position).contains(&mv) { Ok(mv) } else { Err(NotationError::new("illegal")) }
    }
    fn write_move(_: &(u16, Side), mv: u16) -> String {
        mv.to_string()
    }
    fn draw(position: &(u16, Side)) -> String {
        format!("{}\n", position.0)
    }
}

impl BoardGame for Trap {
    type Weights = Fuse;
    type Evaluation = Countdown;

    fn evaluation(weights: Fuse) -> Countdown {
        Countdown(weights.fuse.evaluations)
    }
}

impl plywise_cli::Playable for Trap {}

fn is_legal(best: &str) -> bool {
    best.parse::<u16>().is_ok_and(|taken| (1..=9).contains(&taken))
}

#[test]
fn an_evaluation_that_panics_costs_no_move() {
    for threads in [1, 3] {
        for evaluations in [1, 50, 5000] {
            let mut engine = Engine::new::<Trap>();
            // No table built in for this game: only what needs none.
            engine.send(&format!(
                "setoption name Profile value brute\nsetoption name Threads value {threads}\n\
                 setoption name evaluation.fuse.evaluations value {evaluations}"
            ));
            for go in ["go", "go depth 60", "go movetime 60000"] {
                let text = engine.ask(&format!("position startpos\n{go}"), "bestmove");
                assert!(text.contains("info string the search failed"), "{text}");
                assert!(text.contains("the trap is sprung"), "{text}");
                let best = text.lines().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
                assert!(is_legal(best), "{text}");
            }
            // An endless search keeps its move until it is asked for it, though it has failed.
            let text = engine.ask("go infinite", "info string the search failed");
            assert!(!text.contains("bestmove"), "{text}");
            assert!(is_legal(&engine.best_move("stop")));
            // What broke is repaired before the next search.
            engine.send("setoption name evaluation.fuse.evaluations value 0");
            let text = engine.ask("go depth 4", "bestmove");
            assert!(!text.contains("failed"), "{text}");
        }
    }
}

#[test]
fn rules_that_panic_end_the_search_without_a_move() {
    let mut engine = Engine::new::<Trap>();
    engine.send("setoption name Profile value brute");
    assert_eq!(engine.best_move("position fen 13\ngo depth 3"), "(none)");
    engine.ask("go perft 3", "info string the search failed");
    assert!(engine.send("isready").contains("readyok"));
    assert!(is_legal(&engine.best_move("position fen 12\ngo depth 3")));
}
