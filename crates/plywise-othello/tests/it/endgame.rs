//! The solver against the rules.

use crate::{position, random_game};
use plywise_game::processor::{self, Level};
use plywise_game::{Game, Notation, Outcome, Side, Window};
use plywise_othello::endgame::{Solver, Unguided};
use plywise_othello::flips::{flips, last_flip_count};
use plywise_othello::{Othello, Position};
use proptest::prelude::*;

/// The value of a position as the textbook has it: the best move's value, to the end of the game.
fn minimax(position: &Position) -> i32 {
    match Othello::outcome(position) {
        Some(Outcome::Points(points)) => points,
        Some(outcome) => panic!("{outcome:?}"),
        None => {
            let moves = Othello::legal_moves(position).into_iter();
            moves.map(|mv| -minimax(&Othello::play(position, mv))).max().expect("the game is not over")
        }
    }
}

/// The same with alpha-beta, and nothing else.
fn alpha_beta(position: &Position, alpha: i32, beta: i32) -> i32 {
    let moves = Othello::legal_moves(position);
    if moves.is_empty() {
        return position.final_score();
    }
    let mut best = i32::MIN;
    for mv in moves {
        best = best.max(-alpha_beta(&Othello::play(position, mv), -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// A position of a random game with `empty` empty squares, or the game's last one.
fn late_position(seed: u64, empty: u32) -> Position {
    let game = random_game(seed);
    *game.iter().find(|position| position.empty().count_ones() == empty).unwrap_or(&game[game.len() - 1])
}

/// Positions that no game need reach: at most eight squares empty, all others at random.
fn any_boards() -> impl Strategy<Value = Position> {
    let holes = prop::collection::vec(0_u32..64, 0..=8);
    (any::<u64>(), holes, any::<bool>()).prop_map(|(own, holes, white)| {
        let occupied = !holes.into_iter().fold(0, |empty, square| empty | 1_u64 << square);
        Position::new(own & occupied, !own & occupied, if white { Side::Second } else { Side::First })
    })
}

/// Checks that solving a position in a window gives its value, or a bound on the right side.
fn check_window(solver: &mut Solver, position: &Position, window: Window, value: i32) -> Result<(), TestCaseError> {
    let solved = solver.solve(position, window, &mut Unguided, &mut |_| u64::MAX).expect("it is not told to stop");
    if solved <= window.alpha {
        prop_assert!(value <= solved, "{value} is above {solved} in {window:?}: {position:?}");
    } else if solved >= window.beta {
        prop_assert!(value >= solved, "{value} is below {solved} in {window:?}: {position:?}");
    } else {
        prop_assert_eq!(value, solved, "{:?}: {:?}", window, position);
    }
    Ok(())
}

fn windows() -> impl Strategy<Value = Window> {
    (-70..70, 1..20).prop_map(|(alpha, width)| Window::new(alpha, alpha + width))
}

proptest! {
    #[test]
    fn positions_of_games_have_their_minimax_value(
        seed: u64, empty in 0_u32..=8, windows in prop::collection::vec(windows(), 4),
    ) {
        let position = late_position(seed, empty);
        let value = minimax(&position);
        // One solver for all windows: what it remembers must not lead it astray.
        let mut solver = Solver::new(1);
        for window in windows.into_iter().chain([Window::FULL]) {
            check_window(&mut solver, &position, window, value)?;
        }
    }

    #[test]
    fn any_boards_have_their_minimax_value(
        position in any_boards(), windows in prop::collection::vec(windows(), 4),
    ) {
        let value = minimax(&position);
        for most in [Level::Built, Level::V3, Level::V4] {
            processor::use_at_most(most);
            let mut solver = Solver::new(1);
            for &window in windows.iter().chain([&Window::FULL]) {
                check_window(&mut solver, &position, window, value)?;
            }
        }
    }

    #[test]
    fn the_last_flips_are_counted(own: u64, square in 0_usize..64) {
        let own = own & !(1 << square);
        prop_assert_eq!(last_flip_count(square, own), flips(square, own, !own & !(1 << square)).count_ones());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn taller_positions_have_their_value(
        seed: u64, empty in 9_u32..=11, windows in prop::collection::vec(windows(), 6),
    ) {
        let position = late_position(seed, empty);
        let value = alpha_beta(&position, -65, 65);
        let mut solver = Solver::new(1);
        for window in windows.into_iter().chain([Window::FULL]) {
            check_window(&mut solver, &position, window, value)?;
        }
    }

    /// A guide that talks nonsense costs time, but not the truth.
    #[test]
    fn a_guide_does_not_change_values(seed: u64, empty in 14_u32..=15) {
        let position = late_position(seed, empty);
        let mut nonsense = |position: &Position| (Othello::hash(position) % 20_000) as i32 - 10_000;
        let guided = Solver::new(1).solve(&position, Window::FULL, &mut nonsense, &mut |_| u64::MAX);
        prop_assert_eq!(guided, Solver::new(1).solve(&position, Window::FULL, &mut Unguided, &mut |_| u64::MAX));
    }

    /// Every position on the line has the value that was promised, up to the last one, where the discs are counted.
    #[test]
    fn lines_keep_their_promise(seed: u64, empty in 0_u32..=12) {
        let mut position = late_position(seed, empty);
        let solution = Solver::new(1).solution(&position, &mut Unguided, &mut |_| u64::MAX).unwrap();
        let mut value = solution.score;
        for mv in solution.line {
            prop_assert!(Othello::legal_moves(&position).contains(&mv), "{:?} in {:?}", mv, position);
            position = Othello::play(&position, mv);
            value = -value;
            if position.empty().count_ones() <= 8 {
                prop_assert_eq!(minimax(&position), value);
            }
        }
        prop_assert_eq!(Othello::outcome(&position), Some(Outcome::Points(value)));
    }
}

/// Checks the value of a position of the FFO test set, and that its line begins with a best move.
#[track_caller]
fn check_ffo(text: &str, score: i32, best: &[&str]) {
    let position = position(text);
    let solution = Solver::new(16).solution(&position, &mut Unguided, &mut |_| u64::MAX).unwrap();
    assert_eq!(solution.score, score);
    let first = Othello::write_move(&position, solution.line[0]);
    assert!(best.contains(&first.as_str()), "{first}");
    let end = solution.line.iter().fold(position, |position, &mv| Othello::play(&position, mv));
    let score_of_first_player = if end.side_to_move() == position.side_to_move() { score } else { -score };
    assert_eq!(Othello::outcome(&end), Some(Outcome::Points(score_of_first_player)));
}

/// Positions 20 to 24, 29 and 40 of the test set of the Fédération Française d'Othello; larger ones are in the
/// benchmark.
#[test]
fn ffo_positions() {
    check_ffo("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X", 6, &["h5"]);
    check_ffo("OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O", 0, &["g5"]);
    check_ffo("--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O", 2, &["g8"]);
    check_ffo("--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X", 4, &["a2"]);
    check_ffo("--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O", 0, &["c3"]);
    check_ffo("-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X", 10, &["g2"]);
    check_ffo("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, &["a2"]);
}

/// What the solver finds within a budget of nodes, and how many of them it used.
fn solve_within(budget: u64, solver: &mut Solver, position: &Position) -> (Option<i32>, u64) {
    let mut spent = 0;
    // A guide that knows nothing costs nodes all the same.
    let mut guide = |position: &Position| position.own().count_ones() as i32;
    let value = solver.solve(position, Window::FULL, &mut guide, &mut |nodes| {
        spent += nodes;
        budget.saturating_sub(spent)
    });
    (value, spent)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_solver_never_exceeds_its_budget(seed: u64, empty in 0_u32..=16, budget in 0_u64..20_000) {
        let position = late_position(seed, empty);
        let (value, spent) = solve_within(budget, &mut Solver::new(1), &position);
        prop_assert!(spent <= budget, "{} of {}", spent, budget);
        match value {
            // A solver that gives up has used its whole budget.
            None => prop_assert_eq!(spent, budget),
            Some(value) => {
                let exact = Solver::new(1).solve(&position, Window::FULL, &mut Unguided, &mut |_| u64::MAX);
                prop_assert_eq!(Some(value), exact);
            }
        }
    }
}

#[test]
fn a_solver_stops_when_told_to_and_goes_on_later() {
    let position = position("--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O");
    let mut solver = Solver::new(1);
    assert_eq!(solve_within(100_000, &mut solver, &position), (None, 100_000));
    assert_eq!(solver.solve(&position, Window::FULL, &mut Unguided, &mut |_| u64::MAX), Some(0));
}

#[test]
fn nodes_are_reported_often_and_repeat_after_clearing() {
    let position = position("--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X");
    let mut solver = Solver::new(1);
    let count = |solver: &mut Solver| {
        let (mut total, mut most) = (0, 0);
        let mut spend = |nodes| {
            total += nodes;
            most = most.max(nodes);
            u64::MAX
        };
        solver.solve(&position, Window::FULL, &mut Unguided, &mut spend);
        assert!(most <= 16_384, "{most} nodes passed between two reports");
        total
    };
    let first = count(&mut solver);
    assert!(count(&mut solver) < first / 10, "the table helps");
    solver.clear();
    assert_eq!(count(&mut solver), first);
}

#[test]
fn a_finished_game_is_its_own_solution() {
    let position = position(crate::rules::SHORT_GAME);
    let solution = Solver::new(1).solution(&position, &mut Unguided, &mut |_| u64::MAX).unwrap();
    assert_eq!((solution.score, solution.line.len()), (-64, 0));
}
