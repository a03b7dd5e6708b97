//! The kit accepts a sound game and finds each deliberate mistake with the check that is made for it.

use crate::broken::*;
use crate::tic_tac_toe::{OpenLines, TicTacToe};
use plywise_game::Game;
use plywise_game::conformance::{self, Check};

const GAMES: u32 = 60;
const SEED: u64 = 2;

#[test]
fn a_sound_game_passes() {
    assert_eq!(conformance::check::<TicTacToe>(GAMES, SEED), Ok(()));
    assert_eq!(conformance::check::<With<Nothing>>(GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_rules::<TicTacToe>(GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_from::<TicTacToe>(&["x../.o./... x", "xoo/.../... x"], GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_evaluation::<TicTacToe, _>(&OpenLines, GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_misprints::<TicTacToe>(GAMES, SEED), Ok(()));
}

/// Asserts that this check, perhaps among others, finds the mistake.
fn finds<M: Mistake>(check: Check) {
    let violations = conformance::violations::<With<M>>(GAMES, SEED);
    let found = violations.iter().find(|violation| violation.check == check);
    let name = std::any::type_name::<M>();
    let violation = found.unwrap_or_else(|| panic!("{check} does not find {name}, only {violations:#?}"));
    assert!(!violation.position.is_empty() && !violation.problem.is_empty(), "{violation}");
    assert!(conformance::check::<With<M>>(GAMES, SEED).is_err());
}

/// Makes a test of each mistake, named after it.
macro_rules! finds {
    ($($test:ident: $Mistake:ident by $check:ident;)*) => {
        $(#[test] fn $test() { finds::<$Mistake>(Check::$check); })*
    };
}

// The rules.
finds! {
    second_moves_first: SecondMovesFirst by Start;
    order_changes: OrderChanges by MoveOrder;
    lists_twice: ListsTwice by DuplicateMoves;
    takes_taken_squares: TakesTakenSquares by PositionText;
    forgets_centre: ForgetsCentre by MoveText;
    plays_on_after_the_end: PlaysOnAfterTheEnd by Outcome;
    sees_no_outcome: SeesNoOutcome by Outcome;
    keeps_the_turn: KeepsTheTurn by SideToMove;
    plays_at_random: PlaysAtRandom by Play;
}

// Hooks.
finds! {
    counts_too_many: CountsTooMany by MoveCount;
    never_stuck: NeverStuck by MoveCount;
    codes_from_zero: CodesFromZero by MoveCode;
    codes_collide: CodesCollide by MoveCode;
    codes_unchecked: CodesUnchecked by MoveFromCode;
    index_too_large: IndexTooLarge by MoveIndex;
    capture_index_too_large: CaptureIndexTooLarge by CaptureIndex;
    exchanges_win_more: ExchangesWinMore by ExchangeBounds;
    structure_changes_by_itself: StructureChangesByItself by StructureHash;
    class_too_large: ClassTooLarge by MoveClass;
    quiet_moves_are_tactical: QuietMovesAreTactical by TacticalMoves;
    tactical_moves_are_illegal: TacticalMovesAreIllegal by TacticalMoves;
    tactical_moves_are_reversed: TacticalMovesAreReversed by TacticalMoves;
    null_move_in_check: NullMoveInCheck by NullMove;
    null_move_keeps_the_turn: NullMoveKeepsTheTurn by NullMove;
    null_move_keeps_the_hash: NullMoveKeepsTheHash by NullMove;
    always_gives_check: AlwaysGivesCheck by GivesCheck;
    overlooks_checks: OverlooksChecks by GivesCheck;
}

// The hash.
finds! {
    hash_forgets_a_move: HashForgetsAMove by Hash;
    hash_depends_on_order: HashDependsOnOrder by EqualPositions;
    hash_forgets_the_side: HashForgetsTheSide by DifferentPositions;
    hash_forgets_a_square: HashForgetsASquare by DifferentPositions;
    hash_mixes_up_colours: HashMixesUpColours by DifferentPositions;
}

// Notation.
finds! {
    position_text_loses_the_side: PositionTextLosesTheSide by PositionText;
    position_text_may_go_on: PositionTextMayGoOn by PositionText;
    move_text_is_ambiguous: MoveTextIsAmbiguous by MoveText;
    move_text_has_spaces: MoveTextHasSpaces by MoveText;
    move_text_looks_like_a_number: MoveTextLooksLikeANumber by MoveText;
    reads_illegal_moves: ReadsIllegalMoves by MoveText;
    engine_move_text_is_not_read: EngineMoveTextIsNotRead by EngineMoveText;
}

#[test]
fn violations_show_whole_positions_and_moves_as_people_write_them() {
    let problem = |violations: Vec<conformance::Violation>, check| {
        violations.into_iter().find(|violation| violation.check == check).unwrap().problem
    };
    let shared = problem(conformance::violations::<With<HashForgetsTheSide>>(GAMES, SEED), Check::DifferentPositions);
    let (one, other) = shared.split_once(" with another position, ").unwrap();
    let side = |text: &str| text.split('\'').nth(1).unwrap().split(' ').nth(1).unwrap().to_string();
    assert_ne!(side(one), side(other), "they differ by their last word: {shared}");
    let kept = problem(conformance::violations::<With<KeepsTheTurn>>(GAMES, SEED), Check::SideToMove);
    assert!(kept.starts_with("after a1 "), "{kept}");
}

#[test]
fn texts_are_read_back_or_refused() {
    for text in ["x../.o./... x", "a1", "nonsense", ""] {
        assert_eq!(conformance::check_text::<TicTacToe>(text, &[TicTacToe::start()]), Ok(()), "{text}");
    }
    let violation = conformance::check_text::<With<MoveTextIsAmbiguous>>("x../.o./... x", &[]).unwrap_err();
    assert_eq!(violation.check, Check::MoveText);
    let violation = conformance::check_text::<With<PositionTextLosesTheSide>>("x../.../... o", &[]).unwrap_err();
    assert_eq!(violation.check, Check::PositionText);
}

// The evaluation.

fn finds_in<E: plywise_game::Evaluate<TicTacToe>>(evaluate: E, check: Check) {
    let violation = conformance::check_evaluation::<TicTacToe, E>(&evaluate, GAMES, SEED).unwrap_err();
    assert_eq!(violation.check, check, "{violation}");
}

#[test]
fn evaluation_too_large() {
    finds_in(TooLarge, Check::Evaluation);
}

#[test]
fn evaluation_counts_its_calls() {
    finds_in(Counting(0), Check::Evaluation);
}

#[test]
fn evaluation_is_stale() {
    finds_in(Stale(None), Check::Evaluation);
}

#[test]
fn evaluation_takes_the_first_players_view() {
    finds_in(FirstPlayersView, Check::Viewpoint);
}

const PERFT: [(&str, &[u64]); 2] =
    [(".../.../... x", &[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]), ("xx./oo./... x", &[5, 16])];

#[test]
fn perft_shows_moves_that_are_missing() {
    assert_eq!(conformance::check_perft::<TicTacToe>(&PERFT), Ok(()));
    let violation = conformance::check_perft::<With<ForgetsCentre>>(&PERFT).unwrap_err();
    assert_eq!(violation.to_string(), "perft: 8 move paths of 1 plies instead of 9, in .../.../... x");
    let violation = conformance::check_perft::<TicTacToe>(&[("x", &[1])]).unwrap_err();
    assert_eq!(violation.check, Check::PositionText);
}

const GOLDEN: &str = include_str!("tic_tac_toe.golden");

#[test]
fn the_play_through_is_the_golden_one() {
    assert_eq!(conformance::check_play_through::<TicTacToe>(GOLDEN, SEED, 20), Ok(()));
    // Windows may have checked the file out with its own line ends.
    assert_eq!(conformance::check_play_through::<TicTacToe>(&GOLDEN.replace('\n', "\r\n"), SEED, 20), Ok(()));
}

#[test]
fn the_play_through_shows_rules_that_are_consistent_but_wrong() {
    assert_eq!(conformance::check::<With<WinnerLoses>>(GAMES, SEED), Ok(()));
    let violation = conformance::check_play_through::<With<WinnerLoses>>(GOLDEN, SEED, 20).unwrap_err();
    assert!(violation.problem.contains("'outcome: Win' where the golden one is 'outcome: Loss'"), "{violation}");
    let violation = conformance::check_play_through::<TicTacToe>(GOLDEN, SEED, 3).unwrap_err();
    assert!(violation.problem.contains("is at its end where"), "{violation}");
}

/// A failed test shows the `Debug` form of its error.
#[test]
fn a_violation_prints_its_sentence() {
    let violation = conformance::check::<With<CountsTooMany>>(GAMES, SEED).unwrap_err();
    assert_eq!(format!("{violation:?}"), violation.to_string());
    assert!(violation.to_string().starts_with("move count: "), "{violation}");
}

#[test]
fn helpers_of_tests_say_what_went_wrong() {
    let after = conformance::after::<TicTacToe>(&TicTacToe::start(), "a1 b2");
    assert_eq!(after, conformance::position::<TicTacToe>(".../.o./x.. x"));
    let panic = std::panic::catch_unwind(|| conformance::after::<TicTacToe>(&TicTacToe::start(), "a1 a1")).unwrap_err();
    let sentence = panic.downcast::<String>().unwrap();
    assert!(sentence.starts_with("'a1' in '.../.../x.. o': "), "{sentence}");
}

/// Tic-tac-toe as a network sees it, with mistakes: a feature too large, one that comes twice, a symmetry that maps two
/// features to one, sets that are not the features, names that are missing, a view and a stage too large, and buckets that
/// are empty or too few. Sound ones have symmetries or several kinds of views.
mod seen {
    use crate::broken::{Nothing, With};
    use crate::tic_tac_toe::Position;
    use plywise_game::features::{FeatureSet, View};
    use plywise_game::{BoardGame, Game, Notation, NotationError, Outcome, Side};

    pub struct Seen<const MISTAKE: u8>;

    type Inner = With<Nothing>;

    impl<const MISTAKE: u8> Game for Seen<MISTAKE> {
        type Position = Position;
        type Move = <Inner as Game>::Move;

        fn start() -> Position {
            Inner::start()
        }
        fn side_to_move(position: &Position) -> Side {
            Inner::side_to_move(position)
        }
        fn moves(position: &Position, each: impl FnMut(Self::Move)) {
            Inner::moves(position, each);
        }
        fn play(position: &Position, mv: Self::Move) -> Position {
            Inner::play(position, mv)
        }
        fn hash(position: &Position) -> u64 {
            Inner::hash(position)
        }
        fn stuck(position: &Position) -> Outcome {
            Inner::stuck(position)
        }
        fn move_code(mv: Self::Move) -> u16 {
            Inner::move_code(mv)
        }
        fn decided(position: &Position) -> Option<Outcome> {
            Inner::decided(position)
        }
    }

    impl<const MISTAKE: u8> Notation for Seen<MISTAKE> {
        const NAME: &'static str = "seen";
        const TITLE: &'static str = "Tic-tac-toe";

        fn parse_position(text: &str) -> Result<Position, NotationError> {
            Inner::parse_position(text)
        }
        fn write_position(position: &Position) -> String {
            Inner::write_position(position)
        }
        fn write_move(position: &Position, mv: Self::Move) -> String {
            Inner::write_move(position, mv)
        }
    }

    impl<const MISTAKE: u8> BoardGame for Seen<MISTAKE> {
        type Weights = ();
        type Evaluation = ();

        fn evaluation((): ()) {}

        const FEATURES: usize = if MISTAKE == 1 { 17 } else { 18 };

        fn features(position: &Position, mut each: impl FnMut([usize; 2])) {
            let mover = Self::side_to_move(position) as usize;
            for (owner, squares) in [(mover, position.own()), (1 - mover, position.enemy())] {
                for square in (0..9).filter(|square| squares >> square & 1 != 0) {
                    let pair = [square + 9 * owner, square + 9 * (1 - owner)];
                    each(pair);
                    if MISTAKE == 2 {
                        each(pair);
                    }
                }
            }
        }

        fn feature_sets(position: &Position) -> [FeatureSet; 2] {
            let mut sets = [FeatureSet::EMPTY; 2];
            Self::features(position, |pair| sets.iter_mut().zip(pair).for_each(|(set, feature)| set.insert(feature)));
            if MISTAKE == 3 {
                sets.swap(0, 1);
            }
            sets
        }

        const VIEWS: usize = if MISTAKE < 7 { 1 } else { 3 };

        fn views(position: &Position) -> [View; 2] {
            let count = if MISTAKE == 8 { 4 } else { 3 };
            let kind = if MISTAKE < 7 { 0 } else { position.own().count_ones() as usize % count };
            [View { kind, mirrored: false }; 2]
        }

        const BUCKETS: &'static [&'static [u8]] = match MISTAKE {
            7 | 8 => &[&[0, 0, 1], &[0, 1, 2]],
            10 => &[&[0, 2, 0]],
            11 => &[&[0, 1]],
            _ => &[],
        };

        const STAGES: usize = if MISTAKE == 9 { 9 } else { 10 };

        fn stage(position: &Position) -> usize {
            (position.own() | position.enemy()).count_ones() as usize
        }

        const SYMMETRIES: usize = if MISTAKE < 7 || MISTAKE == 12 { 2 } else { 1 };

        fn twin_feature(feature: usize, symmetry: usize) -> usize {
            let mirrored = if MISTAKE == 4 { feature / 3 * 3 } else { feature / 3 * 3 + 2 - feature % 3 };
            if symmetry == usize::from(MISTAKE != 5) { mirrored } else { feature }
        }

        fn feature_names(position: &Position) -> Vec<String> {
            let mut names = Vec::new();
            Self::features(position, |_| names.push("stone".to_string()));
            names.truncate(if MISTAKE == 6 { 3 } else { 9 });
            names
        }
    }
}

#[test]
fn features_are_checked() {
    use seen::Seen;
    assert_eq!(conformance::check_features::<Seen<0>>(GAMES, SEED), Ok(()));
    let found = |result: Result<(), conformance::Violation>, check: Check, problem: &str| {
        let violation = result.unwrap_err();
        assert_eq!(violation.check, check, "{violation}");
        assert!(violation.problem.contains(problem), "{violation}");
    };
    // Without the last feature a mirrored one is out of range as well.
    found(conformance::check_features::<Seen<1>>(GAMES, SEED), Check::Twins, "maps feature 15 to 17");
    found(conformance::check_features::<Seen<2>>(GAMES, SEED), Check::Features, "comes twice");
    found(conformance::check_features::<Seen<3>>(GAMES, SEED), Check::Features, "not those named one by one");
    found(conformance::check_features::<Seen<4>>(GAMES, SEED), Check::Twins, "maps two features to 0");
    found(conformance::check_features::<Seen<5>>(GAMES, SEED), Check::Twins, "the identity maps feature 0 to 2");
    found(conformance::check_features::<Seen<6>>(GAMES, SEED), Check::Features, "4 features have 3 names");
    assert_eq!(conformance::check_features::<Seen<7>>(GAMES, SEED), Ok(()));
    found(conformance::check_features::<Seen<8>>(GAMES, SEED), Check::Buckets, "view 3 is not below 3");
    found(conformance::check_features::<Seen<9>>(GAMES, SEED), Check::Buckets, "stage 9 is not below 9");
    found(conformance::check_features::<Seen<10>>(GAMES, SEED), Check::Buckets, "bucket 1 of 3 is empty");
    found(conformance::check_features::<Seen<11>>(GAMES, SEED), Check::Buckets, "2 of 3 kinds of views have a bucket");
    found(
        conformance::check_features::<Seen<12>>(GAMES, SEED),
        Check::Buckets,
        "several kinds of views leave no symmetry",
    );
}

/// Two runners, each on a track of its own, who walk one or two squares: one can lose a move. There is no null move.
mod runners {
    use plywise_game::{Game, Outcome, Side};

    pub struct Runners<const HASHES_TURN: bool>;

    impl<const HASHES_TURN: bool> Game for Runners<HASHES_TURN> {
        type Position = ([u8; 2], Side);
        type Move = u8;

        fn start() -> ([u8; 2], Side) {
            ([0; 2], Side::First)
        }
        fn side_to_move(position: &([u8; 2], Side)) -> Side {
            position.1
        }
        fn moves(_position: &([u8; 2], Side), each: impl FnMut(u8)) {
            [1, 2, 98, 99].into_iter().for_each(each);
        }
        fn play(&(mut squares, side): &([u8; 2], Side), mv: u8) -> ([u8; 2], Side) {
            let square = &mut squares[side as usize];
            *square = (*square + mv) % 100;
            (squares, !side)
        }
        fn hash(&(squares, side): &([u8; 2], Side)) -> u64 {
            let turn = if HASHES_TURN { side as u64 } else { 0 };
            u64::from(squares[0]) << 16 | u64::from(squares[1]) << 8 | turn
        }
        fn stuck(_position: &([u8; 2], Side)) -> Outcome {
            Outcome::Draw
        }
        fn move_code(mv: u8) -> u16 {
            mv.into()
        }
    }
}

#[test]
fn a_hash_without_the_turn_is_found_without_notation() {
    assert_eq!(conformance::check_rules::<runners::Runners<true>>(1, SEED), Ok(()));
    let violation = conformance::check_rules::<runners::Runners<false>>(1, SEED).unwrap_err();
    assert_eq!(violation.check, Check::TurnInHash, "{violation}");
    // Where a null move is known, that shows it too.
    assert!(conformance::check_rules::<With<HashForgetsTheSide>>(GAMES, SEED).is_err());
}

/// A reversible game: a stone on a ring of eight squares, pushed on or back in turn. Its moves claim not to be.
mod ring {
    use plywise_game::{Game, Outcome, Side};

    pub struct Ring<const IRREVERSIBLE: bool>;

    impl<const IRREVERSIBLE: bool> Game for Ring<IRREVERSIBLE> {
        type Position = (u8, Side);
        type Move = u8;

        fn start() -> (u8, Side) {
            (0, Side::First)
        }
        fn side_to_move(position: &(u8, Side)) -> Side {
            position.1
        }
        fn moves(_position: &(u8, Side), mut each: impl FnMut(u8)) {
            each(1);
            each(7);
        }
        fn play(position: &(u8, Side), mv: u8) -> (u8, Side) {
            ((position.0 + mv) % 8, !position.1)
        }
        fn hash(position: &(u8, Side)) -> u64 {
            u64::from(position.0) << 1 | position.1 as u64
        }
        fn stuck(_position: &(u8, Side)) -> Outcome {
            Outcome::Draw
        }
        fn move_code(mv: u8) -> u16 {
            mv.into()
        }
        fn is_irreversible(_position: &(u8, Side), _mv: u8) -> bool {
            IRREVERSIBLE
        }
    }
}

#[test]
fn moves_that_can_be_undone_are_not_irreversible() {
    assert_eq!(conformance::check_rules::<ring::Ring<false>>(5, SEED), Ok(()));
    let violation = conformance::check_rules::<ring::Ring<true>>(5, SEED).unwrap_err();
    assert_eq!(violation.check, Check::Irreversible);
}
