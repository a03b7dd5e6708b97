use plywise_chess::Chess;
use plywise_game::pgn::{self, GameResult};
use plywise_host::{AnyGame, Hosted, Record};

const GAME: &str = "\
[Event \"A game\"]
[White \"One\"]
[Black \"Two\"]
[Result \"*\"]

{ahead} (1. d4 $1 d5 (1... Nf6 {Indian} 2. c4)) 1. e4! e5?? {a comment} (1... c5 {Sicilian} 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3
$14 *
";

#[test]
fn a_game_goes_through_with_everything_in_it() {
    let game = Hosted::<Chess>::new();
    let record = game.read_pgn(Box::new(GAME.as_bytes())).next().unwrap().unwrap();
    assert_eq!((record.tag("White"), record.position.plies()), (Some("One"), 3));
    let typed = pgn::read::<Chess, _>(GAME.as_bytes()).next().unwrap().unwrap();
    assert_eq!(record.to_string(), typed.to_string());
    assert_eq!(record.positions().count(), 4);
}

#[test]
fn a_game_that_was_played_here_has_its_result() {
    let game = Hosted::<Chess>::new();
    let mut position = game.start();
    for text in ["f3", "e5", "g4", "Qh4#"] {
        position.play_text(text).unwrap();
    }
    let record = Record::new(position);
    assert_eq!(record.result.to_string(), "0-1");
    assert_ne!(record.result, GameResult::Unknown);
    assert!(record.to_string().contains("1. f3 e5 2. g4 Qh4#"));
}

#[test]
fn suites_go_through() {
    let game = Hosted::<Chess>::new();
    let line = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"mate\"; c0 \"easy\";";
    let entry = game.read_epd(Box::new(line.as_bytes())).next().unwrap().unwrap();
    let mate = entry.position.parse_move("Qxf7#").unwrap();
    assert!(entry.is_solved_by(mate) && !entry.is_solved_by(entry.position.parse_move("a3").unwrap()));
    assert_eq!((entry.id.as_deref(), entry.operations.len()), (Some("mate"), 1));
    assert_eq!(entry.to_string(), line);
}
