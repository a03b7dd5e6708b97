//! Packed games are read back, or refused in one sentence.

use crate::random_game;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::{BoardGame, GameInfo, Score, score};
use plywise_learn::data::{
    DataError, Interior, PackedGame, PackedScore, Ply, Summary, decode_block, encode_block, header, read_games,
};
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::Bound;
use proptest::prelude::*;

fn games<G: BoardGame>() -> Vec<PackedGame> {
    let scores: [Option<Score>; 4] = [None, Some(17), Some(-250), Some(score::win_in(3))];
    let mut games: Vec<PackedGame> =
        (0..5).map(|seed| random_game::<G>(seed, |position| scores[G::hash(position) as usize % 4])).collect();
    games[1].interior = vec![Interior {
        position: games[1].start.clone(),
        score: PackedScore::new(Some(12)),
        bound: Bound::Lower,
        depth: 7,
    }];
    games
}

fn file<G: BoardGame>() -> Vec<u8> {
    let games = games::<G>();
    [header(G::NAME), encode_block(&games[..2]), encode_block(&games[2..])].concat()
}

fn read(bytes: &[u8], game: &str) -> Result<(Vec<PackedGame>, Summary), DataError> {
    let mut games = Vec::new();
    let summary = read_games(bytes, game, |game| games.push(game))?;
    Ok((games, summary))
}

#[track_caller]
fn refused(bytes: &[u8], sentence: &str) {
    assert_eq!(read(bytes, "loa").unwrap_err().to_string(), sentence);
}

#[test]
fn games_survive_their_files() {
    fn check<G: BoardGame>() {
        let bytes = file::<G>();
        let (games, summary) = read(&bytes, G::NAME).unwrap();
        assert_eq!(games, self::games::<G>());
        let plies = games.iter().map(|game| game.plies.len() as u64).sum();
        let whole_bytes = bytes.len() as u64;
        assert_eq!(summary, Summary { games: 5, plies, interior: 1, blocks: 2, whole_bytes, cut_off: false });
        for game in games {
            let replay = game.replay(&GameInfo::<G>::of_type()).unwrap();
            assert_eq!(replay.positions.len(), replay.moves.len() + 1);
        }
    }
    check::<Chess>();
    check::<Loa>();
    check::<Othello>();
    check::<Abalone>();
}

#[test]
fn scores_lose_nothing_but_the_distance_of_a_win() {
    for score in [None, Some(0), Some(-31_999), Some(31_999)] {
        assert_eq!(PackedScore::new(score).get(), score);
    }
    assert_eq!(PackedScore::new(Some(700_000)).get(), Some(31_999));
    assert_eq!(PackedScore::new(Some(score::win_in(9))).get(), Some(score::WIN));
    assert_eq!(PackedScore::new(Some(score::loss_in(9))).get(), Some(-score::WIN));
}

#[test]
fn a_file_that_was_cut_off_keeps_its_whole_blocks() {
    let bytes = file::<Loa>();
    let first = header("loa").len() + encode_block(&games::<Loa>()[..2]).len();
    for cut in [first + 1, first + 20, bytes.len() - 1] {
        let (games, summary) = read(&bytes[..cut], "loa").unwrap();
        assert_eq!((games.len(), summary.cut_off, summary.whole_bytes), (2, true, first as u64));
    }
    assert!(!read(&bytes[..first], "loa").unwrap().1.cut_off);
}

#[test]
fn every_file_that_does_not_fit_says_why() {
    refused(b"", "it is not a file of packed games");
    refused(b"plywise tree 01\n and more of it", "it is not a file of packed games");
    refused(&file::<Chess>(), "it holds games of 'chess', not of 'loa'");
    let mut bytes = file::<Loa>();
    bytes[14] = 9;
    refused(&bytes, "its version is 9, but 1 is expected");
    let first = header("loa").len();
    for (place, block) in [(first, 1), (first + 40, 1), (bytes.len() - 5, 2)] {
        let mut bytes = file::<Loa>();
        bytes[place] ^= 1;
        refused(&bytes, &format!("block {block} is damaged"));
    }
}

#[test]
fn games_against_the_rules_are_refused() {
    let start = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b".to_string();
    let game = PackedGame { start, plies: vec![Ply::new(u16::MAX, None)], ..PackedGame::default() };
    let error = game.replay(&GameInfo::<Loa>::of_type()).unwrap_err().to_string();
    assert_eq!(error, "move 1 of a game is not legal in '1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b'");
    let error = PackedGame { start: "?".into(), ..game }.replay(&GameInfo::<Loa>::of_type()).unwrap_err().to_string();
    assert!(error.starts_with("the position '?' cannot be read: "), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Blocks with right checksums and wrong content are refused, or hold games that can be replayed or not.
    #[test]
    fn mutated_blocks_are_survived(places in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
                                   mends in any::<bool>()) {
        const HEADER: usize = 16;
        let mut bytes = encode_block(&games::<Loa>()[..2]);
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if mends {
            let length = (bytes.len() - HEADER) as u32;
            bytes[..4].copy_from_slice(&length.to_le_bytes());
            let sum = crc32fast::hash(&bytes[HEADER..]).to_le_bytes();
            bytes[8..12].copy_from_slice(&sum);
            let sum = crc32fast::hash(&bytes[..12]).to_le_bytes();
            bytes[12..16].copy_from_slice(&sum);
        }
        for game in decode_block(&bytes).unwrap_or_default() {
            let _ = game.replay(&GameInfo::<Loa>::of_type());
        }
        let _ = read(&[header("loa"), bytes].concat(), "loa");
    }
}
