//! plywise against the crate `minimax` 0.6: the same rules, the same evaluations, the same depths, one thread, one run.
//!
//! `cargo bench -p plywise --bench against_minimax` prints a table. Both search the same fixed positions to the same
//! depth and must find the same value; what differs is how many nodes and how much time they need for it, and whether
//! they give the same answer on every run.
//!
//! `minimax` is run as its single-threaded search with a table, `IterativeSearch`, with null windows and the two-tier
//! table: as delivered, with countermoves, and with countermoves and history. (Its aspiration windows and MTD(f) were
//! tried on Connect Four only, where they took longer; they were not tried on Othello.) Its quiescence and null move are
//! off, since they would change the value.
//!
//! plywise is run as its profile `brute`, principal variation search that is exact, without quiescence: with the seven
//! rules alone, and with the hooks that the games offer beyond them. Each has a table of 64 MB, empty before every
//! search. Making the table is not counted.
//!
//! Times are of the processor where the system reports them. Linux does so in steps of a few milliseconds, so only the
//! longer rows and the sums mean anything.
#![allow(clippy::print_stdout)]

#[allow(dead_code)]
#[path = "../examples/connect_four.rs"]
mod connect_four;

use connect_four::{ConnectFour, Threats};
use minimax::{Evaluation, Evaluator, IterativeOptions, IterativeSearch, Strategy, Winner};
use plywise::{
    Evaluate, Game, Limits, Notation, Outcome, Profile, ProfiledGame, Request, Score, Searcher, Side, Signal, score,
};
use plywise_othello::{Othello, Position as Discs};
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

/// What the comparison needs of a game beyond its rules.
trait Contest: Game {
    const NAME: &'static str;
    /// The name that profiles know it by.
    const PROFILED: ProfiledGame<'static>;
    type Evaluation: Evaluate<Self>;
    /// All codes of moves are below this.
    const CODES: u16;
    fn evaluation() -> Self::Evaluation;
    /// Fixed positions, each with a name and a depth.
    fn positions() -> Vec<(&'static str, Self::Position, i32)>;
    /// Any move: `minimax` fills a table with it.
    fn some_move() -> Self::Move;
}

impl Contest for ConnectFour {
    const NAME: &'static str = "Connect Four";
    const PROFILED: ProfiledGame<'static> = ProfiledGame::plain("connect-four");
    type Evaluation = Threats;
    const CODES: u16 = 50;

    fn evaluation() -> Threats {
        Threats
    }

    fn positions() -> Vec<(&'static str, connect_four::Position, i32)> {
        let named =
            |moves: &'static str| (moves, connect_four::position_after(moves).expect("the moves are legal"), 16);
        ["", "dd", "ddddc", "cdefg", "edcfdb", "abgfcdede", "cabgcfgfcc", "ddgdabcbd"].map(named).to_vec()
    }

    fn some_move() -> connect_four::Move {
        1
    }
}

/// Othello won or lost instead of by a number of discs, since `minimax` knows no points.
enum WonOrLost {}

impl Game for WonOrLost {
    type Position = Discs;
    type Move = plywise_othello::Move;

    fn start() -> Discs {
        Othello::start()
    }
    fn side_to_move(position: &Discs) -> Side {
        Othello::side_to_move(position)
    }
    fn moves(position: &Discs, each: impl FnMut(Self::Move)) {
        Othello::moves(position, each);
    }
    fn play(position: &Discs, mv: Self::Move) -> Discs {
        Othello::play(position, mv)
    }
    fn hash(position: &Discs) -> u64 {
        Othello::hash(position)
    }
    fn decided(position: &Discs) -> Option<Outcome> {
        let is_over = position.mobility() == 0 && position.enemy_mobility() == 0;
        is_over.then(|| match position.final_score() {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        })
    }
    /// Never asked: where no move is left, the game is decided.
    fn stuck(_: &Discs) -> Outcome {
        Outcome::Draw
    }
    fn move_code(mv: Self::Move) -> u16 {
        Othello::move_code(mv)
    }
    fn move_from_code(position: &Discs, code: u16) -> Option<Self::Move> {
        Othello::move_from_code(position, code)
    }
    const MOVE_INDICES: usize = Othello::MOVE_INDICES;
    fn move_index(position: &Discs, mv: Self::Move) -> usize {
        Othello::move_index(position, mv)
    }
    fn tactical_value(position: &Discs, mv: Self::Move) -> Option<i32> {
        Othello::tactical_value(position, mv)
    }
    fn is_irreversible(position: &Discs, mv: Self::Move) -> bool {
        Othello::is_irreversible(position, mv)
    }
}

/// Counts moves, and corners ten times as much.
#[derive(Clone)]
struct Mobility;

impl Evaluate<WonOrLost> for Mobility {
    fn evaluate(&mut self, position: &Discs) -> Score {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        let worth = |discs: u64, moves: u64| (moves.count_ones() + 10 * (discs & CORNERS).count_ones()) as Score;
        worth(position.own(), position.mobility()) - worth(position.enemy(), position.enemy_mobility())
    }
}

impl Contest for WonOrLost {
    const NAME: &'static str = "Othello";
    const PROFILED: ProfiledGame<'static> = ProfiledGame::of::<Othello>();
    type Evaluation = Mobility;
    const CODES: u16 = 66;

    fn evaluation() -> Mobility {
        Mobility
    }

    fn positions() -> Vec<(&'static str, Discs, i32)> {
        let named = |moves| (moves, Othello::parse_position(moves).expect("the moves are legal"), 12);
        [
            "f5d6c3d3c4",
            "f5f6e6f4e3",
            "f5d6c5f4e3c6",
            "c4e3f2e2f3c5c6g4g2b4a3e6",
            "c4c3d3c5c6c7b7e6f6f3b6e3c8a8",
            "c4e3f2e2f3c5c6g4g2b4a3e6c3b2h5b5c2g3a1b3f4g1d2b7",
        ]
        .map(named)
        .to_vec()
    }

    fn some_move() -> plywise_othello::Move {
        plywise_othello::Move::PASS
    }
}

/// A game with its rules alone: no hook says anything about moves.
struct Bare<G>(PhantomData<fn() -> G>);

impl<G: Game> Game for Bare<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start() -> G::Position {
        G::start()
    }
    fn side_to_move(position: &G::Position) -> Side {
        G::side_to_move(position)
    }
    fn moves(position: &G::Position, each: impl FnMut(G::Move)) {
        G::moves(position, each);
    }
    fn play(position: &G::Position, mv: G::Move) -> G::Position {
        G::play(position, mv)
    }
    fn hash(position: &G::Position) -> u64 {
        G::hash(position)
    }
    fn decided(position: &G::Position) -> Option<Outcome> {
        G::decided(position)
    }
    fn stuck(position: &G::Position) -> Outcome {
        G::stuck(position)
    }
    fn move_code(mv: G::Move) -> u16 {
        G::move_code(mv)
    }
}

/// The evaluation of a game for the game with its rules alone.
#[derive(Clone)]
struct Same<E>(E);

impl<G: Game, E: Evaluate<G>> Evaluate<Bare<G>> for Same<E> {
    fn evaluate(&mut self, position: &G::Position) -> Score {
        self.0.evaluate(position)
    }
}

/// The rules for `minimax`.
struct Rules<G>(PhantomData<fn() -> G>);

impl<G: Contest> minimax::Game for Rules<G> {
    type S = G::Position;
    type M = G::Move;

    fn generate_moves(position: &G::Position, moves: &mut Vec<G::Move>) -> Option<Winner> {
        G::moves(position, |mv| moves.push(mv));
        if moves.is_empty() { Self::get_winner(position) } else { None }
    }
    fn apply(position: &mut G::Position, mv: G::Move) -> Option<G::Position> {
        Some(G::play(position, mv))
    }
    fn get_winner(position: &G::Position) -> Option<Winner> {
        G::decided(position).map(|outcome| match outcome {
            Outcome::Win => Winner::PlayerToMove,
            Outcome::Loss => Winner::PlayerJustMoved,
            Outcome::Draw | Outcome::Points(_) => Winner::Draw,
        })
    }
    fn zobrist_hash(position: &G::Position) -> u64 {
        G::hash(position)
    }
    /// Not used as a null move, which is off: it makes the table of countermoves.
    fn null_move(_: &G::Position) -> Option<G::Move> {
        Some(G::some_move())
    }
    fn table_index(mv: G::Move) -> u16 {
        G::move_code(mv)
    }
    fn max_table_index() -> u16 {
        G::CODES
    }
}

/// The evaluation for `minimax`.
struct Judge<G: Contest>(RefCell<G::Evaluation>);

impl<G: Contest> Evaluator for Judge<G> {
    type G = Rules<G>;
    fn evaluate(&self, position: &G::Position) -> Evaluation {
        self.0.borrow_mut().evaluate(position) as Evaluation
    }
}

/// What a search found, and what it took.
struct Answer {
    /// The value, where all wins and all losses are alike.
    value: Value,
    mv: String,
    nodes: u64,
    time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Win,
    Loss,
    Score(Score),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Win => f.write_str("win"),
            Value::Loss => f.write_str("loss"),
            Value::Score(score) => write!(f, "{score:+}"),
        }
    }
}

fn ask_plywise<G: Game>(
    game: ProfiledGame,
    evaluation: impl Evaluate<G>,
    position: &G::Position,
    depth: i32,
) -> Answer {
    let mut params = Profile::named("brute").and_then(|profile| profile.params(game)).expect("brute is built in");
    params.quiescence.enabled = false;
    let mut searcher = Searcher::<G, _>::new(params, evaluation, MEGABYTES).expect("the table fits");
    // `minimax` stops at the first depth that wins or loses.
    let limits = Limits { win_within: Some(depth), ..Limits::depth(depth) };
    let begun = Stopwatch::start();
    let report = searcher.search(&Request::new(position.clone()), &limits, &Signal::new(), &mut ());
    let time = begun.elapsed();
    let value = match score::plies_to_end(report.score()) {
        Some(0..) => Value::Win,
        Some(_) => Value::Loss,
        None => Value::Score(report.score()),
    };
    Answer { value, mv: format!("{:?}", report.best_move()), nodes: report.nodes, time }
}

fn ask_minimax<G: Contest>(options: IterativeOptions, position: &G::Position, depth: i32) -> Answer {
    let mut search = IterativeSearch::new(Judge::<G>(RefCell::new(G::evaluation())), options);
    search.set_max_depth(depth as u8);
    let begun = Stopwatch::start();
    let mv = search.choose_move(position);
    let time = begun.elapsed();
    let value = match search.root_value() {
        minimax::BEST_EVAL => Value::Win,
        minimax::WORST_EVAL => Value::Loss,
        score => Value::Score(score.into()),
    };
    Answer { value, mv: format!("{mv:?}"), nodes: explored(&search.stats(&mut position.clone())), time }
}

/// The nodes in the text of statistics, the only place where `minimax` reports them.
fn explored(statistics: &str) -> u64 {
    let number = statistics.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Measures processor time where the system reports it, so that other programs do not count; else the time that passes.
struct Stopwatch {
    processor: Option<u64>,
    clock: Instant,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { processor: Self::processor(), clock: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        match (self.processor, Self::processor()) {
            (Some(then), Some(now)) => Duration::from_nanos(now - then),
            _ => self.clock.elapsed(),
        }
    }

    /// Nanoseconds that this thread has run, on Linux.
    fn processor() -> Option<u64> {
        std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
    }
}

const MEGABYTES: usize = 64;
const RUNS: usize = 3;

/// One of the searches that are compared: a name, and how to ask it about a position at a depth.
struct Player<G: Game> {
    name: &'static str,
    ask: Ask<G::Position>,
}

type Ask<P> = Box<dyn Fn(&P, i32) -> Answer>;

fn players<G: Contest>() -> Vec<Player<G>> {
    let delivered = IterativeOptions::new().with_table_byte_size(MEGABYTES << 20);
    let minimax = |name, options| Player::<G> {
        name,
        ask: Box::new(move |position, depth| ask_minimax::<G>(options, position, depth)),
    };
    vec![
        minimax("minimax", delivered),
        minimax("minimax, counter", delivered.with_countermoves()),
        minimax("minimax, history", delivered.with_countermoves().with_countermove_history()),
        Player {
            name: "plywise, rules alone",
            ask: Box::new(|position, depth| {
                ask_plywise::<Bare<G>>(ProfiledGame::plain(""), Same(G::evaluation()), position, depth)
            }),
        },
        Player {
            name: "plywise",
            ask: Box::new(|position, depth| ask_plywise::<G>(G::PROFILED, G::evaluation(), position, depth)),
        },
    ]
}

/// Compares all players on all positions of a game.
fn compare<G: Contest>() {
    let players = players::<G>();
    let mut totals = vec![(0, Duration::ZERO); players.len()];
    println!("\n{}\n", G::NAME);
    println!(
        "{:<24} {:>5} {:<20} {:>5} {:>10} {:>8} {:>7}",
        "position", "depth", "player", "value", "nodes", "ms", "answers"
    );
    for (name, position, depth) in G::positions() {
        let mut expected = None;
        for (player, (nodes, time)) in players.iter().zip(&mut totals) {
            let mut answers: Vec<Answer> = (0..RUNS).map(|_| (player.ask)(&position, depth)).collect();
            answers.sort_by_key(|answer| answer.time);
            let expected = *expected.get_or_insert(answers[0].value);
            assert!(answers.iter().all(|answer| answer.value == expected), "{}: another value in {name}", player.name);
            let different: HashSet<&String> = answers.iter().map(|answer| &answer.mv).collect();
            let median = &answers[RUNS / 2];
            *nodes += median.nodes;
            *time += median.time;
            // The last moves tell positions apart.
            let name = if name.is_empty() { "start" } else { &name[name.len().saturating_sub(24)..] };
            let (value, ms) = (expected.to_string(), median.time.as_secs_f64() * 1e3);
            println!(
                "{name:<24} {depth:>5} {:<20} {value:>5} {:>10} {ms:>8.1} {:>7}",
                player.name,
                median.nodes,
                different.len()
            );
        }
    }
    println!();
    let (first_nodes, first_time) = totals[0];
    for (player, (nodes, time)) in players.iter().zip(&totals) {
        let (seconds, share) = (time.as_secs_f64(), *nodes as f64 / first_nodes as f64);
        println!(
            "{:<20} {nodes:>10} nodes ({:>3.0} %) {:>8.1} ms ({:>3.0} %) {:>6.2} million nodes a second",
            player.name,
            100.0 * share,
            1e3 * seconds,
            100.0 * seconds / first_time.as_secs_f64(),
            *nodes as f64 / seconds / 1e6,
        );
    }
}

fn main() {
    println!("Medians of {RUNS} runs; answers: how many different moves they gave.");
    compare::<ConnectFour>();
    compare::<WonOrLost>();
}
