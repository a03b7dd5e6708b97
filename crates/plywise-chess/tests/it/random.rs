//! Random and mutated text never makes a parser panic, and what is read can be written.

use crate::board;
use plywise_chess::{Chess, Evaluator};
use plywise_game::{Evaluate, Game, Notation};
use proptest::prelude::*;

/// A FEN with some of its characters replaced.
fn mutated_fen() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((0usize..80, "[ -~é]"), 1..5);
    (prop::sample::select(crate::STARTS.to_vec()), edits).prop_map(|(fen, edits)| {
        let mut letters: Vec<String> = fen.chars().map(String::from).collect();
        for (place, text) in edits {
            let place = place % letters.len();
            letters[place] = text;
        }
        letters.concat()
    })
}

/// Letters that moves are made of, in any order, and any text at all.
fn move_like() -> impl Strategy<Value = String> {
    prop_oneof!["[a-hA-H1-8KQRBNPxO0o=+#!?.: -]{0,9}", "[a-h][1-8][a-h][1-8][nbrqkp]?", any::<String>()]
}

proptest! {
    #[test]
    fn positions_are_read_or_refused(text in prop_oneof![mutated_fen(), any::<String>()]) {
        match Chess::parse_position(&text) {
            Ok(board) => {
                prop_assert_eq!(Chess::parse_position(&Chess::write_position(&board)), Ok(board.clone()));
                // Whatever was accepted must be playable.
                Chess::moves(&board, |mv| { Chess::play(&board, mv); });
                Evaluator::default().evaluate(&board);
            }
            Err(error) => {
                let sentence = error.to_string();
                prop_assert!(!sentence.is_empty() && !sentence.contains('\n'));
            }
        }
    }

    #[test]
    fn moves_are_read_or_refused(text in move_like(), start in 0..crate::STARTS.len()) {
        let board = board(crate::STARTS[start]);
        match Chess::parse_move(&board, &text) {
            Ok(mv) => prop_assert!(board.is_legal(mv)),
            Err(error) => {
                let sentence = error.to_string();
                let known = ["illegal", "ambiguous", "unreadable"].iter().any(|word| sentence.contains(word));
                prop_assert!(known && !sentence.contains('\n'), "{}", sentence);
            }
        }
    }

    #[test]
    fn random_games_read_back(choices in prop::collection::vec(any::<u16>(), 0..80), start in 0..crate::STARTS.len()) {
        let mut board = board(crate::STARTS[start]);
        for choice in choices {
            let moves = Chess::legal_moves(&board);
            let Some(mv) = moves.get(usize::from(choice) % moves.len().max(1)).copied() else { break };
            let san = Chess::write_move(&board, mv);
            prop_assert_eq!(Chess::parse_move(&board, &san), Ok(mv));
            board = Chess::play(&board, mv);
            prop_assert_eq!(Chess::parse_position(&Chess::write_position(&board)), Ok(board.clone()));
        }
    }
}
