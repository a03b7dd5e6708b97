//! The positions that are taken out of games.

use crate::{random_game, random_line};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::bitboard::SYMMETRIES;
use plywise_game::features::FeatureSet;
use plywise_game::pgn::GameResult;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Game, GameInfo, Side, score};
use plywise_learn::data::{Interior, PackedGame, PackedScore};
use plywise_learn::{Filter, Packed, Samples, ScaleError, Split};
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::Bound;
use std::path::Path;

const ALL: Filter = Filter {
    skip_plies: 0,
    skip_checks: false,
    skip_tactical: false,
    skip_decided: false,
    skip_interior: false,
    largest_score: score::EVAL_LIMIT,
};

fn samples<G: BoardGame>(games: &[PackedGame], filter: &Filter) -> Packed {
    let mut samples = Packed::default();
    games.iter().for_each(|game| samples.add_game(&GameInfo::<G>::of_type(), game, filter, |_| 0).unwrap());
    samples
}

/// Positions for training, in memory or in a folder.
fn shelved<G: BoardGame>(games: &[PackedGame], share: f64, folder: Option<&Path>) -> Samples {
    let mut samples = Samples::new::<G>(Split { share, seed: 7 }, folder).unwrap();
    games.iter().for_each(|game| samples.add_game(&GameInfo::<G>::of_type(), game, &ALL, |_| 0).unwrap());
    samples.flush().unwrap();
    samples
}

#[test]
fn a_sample_is_a_position_seen_by_both_sides() {
    let game = random_game::<Chess>(1, |_| Some(33));
    let samples = samples::<Chess>(std::slice::from_ref(&game), &ALL);
    assert_eq!(samples.len(), game.plies.len());
    let replay = game.replay(&GameInfo::<Chess>::of_type()).unwrap();
    for (number, position) in replay.positions.iter().take(samples.len()).enumerate() {
        let sample = samples.get(number);
        let mover = Chess::side_to_move(position);
        let sets = Chess::feature_sets(position);
        for (features, side) in [(sample.mover, mover), (sample.other, !mover)] {
            let mut sorted: Vec<usize> = features.iter().map(|&feature| feature.into()).collect();
            sorted.sort_unstable();
            assert_eq!(sorted, sets[side as usize].iter().collect::<Vec<_>>());
        }
        assert_eq!((sample.score, Some(f64::from(sample.result))), (33.0, game.result.points(mover)));
    }
}

/// What a position keeps in two bytes or four comes back as it was.
#[test]
fn a_sample_keeps_what_is_known() {
    let mut game = random_game::<Chess>(1, |_| None);
    game.plies.truncate(1);
    let scores = [None, Some(-32_000), Some(0), Some(31_999), Some(score::win_in(3)), Some(-score::win_in(3))];
    let bounds = [Bound::Exact, Bound::Upper, Bound::Lower];
    let results = [GameResult::Win(Side::First), GameResult::Draw, GameResult::Win(Side::Second)];
    let win = score::WIN as f32;
    for (score, expected) in scores.into_iter().zip([f32::NAN, -31_999.0, 0.0, 31_999.0, win, -win]) {
        game.plies[0].score = PackedScore::new(score);
        for (result, points) in results.into_iter().zip([1.0, 0.5, 0.0]) {
            game.result = result;
            let mut packed = Packed::default();
            packed.add_game(&GameInfo::<Chess>::of_type(), &game, &ALL, |_| -70_000).unwrap();
            let sample = packed.get(0);
            assert_eq!((sample.score.to_bits(), sample.result, sample.linear), (expected.to_bits(), points, -70_000.0));
            assert_eq!((sample.kinds, sample.stage), ([3, 3], 30), "kings on d1 of a mirrored board, thirty pieces");
        }
    }
    for bound in bounds {
        let interior = Interior { position: game.start.clone(), score: PackedScore::new(Some(9)), bound, depth: 3 };
        let game = PackedGame { interior: vec![interior], plies: Vec::new(), ..game.clone() };
        let packed = samples::<Chess>(&[game], &ALL);
        assert_eq!((packed.get(0).bound, packed.get(0).result.is_nan()), (bound, true));
    }
}

#[test]
fn filters_leave_positions_out() {
    let scores = [None, Some(20), Some(-3000), Some(score::win_in(4))];
    let game = random_game::<Chess>(2, |position| scores[Chess::hash(position) as usize % 4]);
    let count = |filter: Filter| samples::<Chess>(std::slice::from_ref(&game), &filter).len();
    let all = count(ALL);
    assert_eq!(all, game.plies.len());
    assert_eq!(count(Filter { skip_plies: 10, ..ALL }), all - 10);
    let positions = game.replay(&GameInfo::<Chess>::of_type()).unwrap().positions;
    let checks = positions.iter().take(all).filter(|position| Chess::in_check(position)).count();
    assert_eq!(count(Filter { skip_checks: true, ..ALL }), all - checks);
    let decided = game.plies.iter().filter(|ply| ply.score.get().is_some_and(score::is_decided)).count();
    assert_eq!(count(Filter { skip_decided: true, ..ALL }), all - decided);
    let large = game.plies.iter().filter(|ply| ply.score.get() == Some(-3000)).count();
    assert_eq!(count(Filter { largest_score: 1000, ..ALL }), all - large);
    assert!(count(Filter { skip_tactical: true, ..ALL }) < all);
    assert!(count(Filter::default()) < all);
}

#[test]
fn positions_away_from_the_game_have_no_result() {
    let mut game = random_game::<Loa>(1, |_| Some(1));
    let (position, score) = (game.start.clone(), PackedScore::new(Some(-40)));
    game.interior.push(Interior { position, score, bound: Bound::Upper, depth: 3 });
    let without = samples::<Loa>(std::slice::from_ref(&game), &Filter { skip_interior: true, ..ALL });
    let samples = samples::<Loa>(&[game], &ALL);
    assert_eq!(without.len() + 1, samples.len());
    let last = samples.get(samples.len() - 1);
    assert_eq!((last.score, last.bound), (-40.0, Bound::Upper));
    assert!(last.result.is_nan());
}

#[test]
fn a_split_keeps_games_together() {
    let games: Vec<PackedGame> = (0..40).map(|seed| random_game::<Loa>(seed, move |_| Some(seed as i32))).collect();
    let whole = samples::<Loa>(&games, &ALL).len();
    let folder = tempfile::tempdir().unwrap();
    let [memory, disk] = [None, Some(folder.path())].map(|folder| shelved::<Loa>(&games, 0.25, folder));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
    assert_eq!(memory.len() + memory.held_back_len(), whole);
    assert_eq!((disk.len(), disk.held_back_len(), disk.game_count()), (memory.len(), memory.held_back_len(), 40));
    let (held_back, again) = (memory.held_back().unwrap(), disk.held_back().unwrap());
    assert_eq!(held_back.len(), memory.held_back_len());
    for number in 0..held_back.len() {
        let (one, other) = (held_back.get(number), again.get(number));
        assert_eq!((one.mover, one.other, one.score), (other.mover, other.other, other.score));
    }
    let mut scores: Vec<usize> = (0..held_back.len()).map(|number| held_back.get(number).score as usize).collect();
    scores.dedup();
    assert!((4..=16).contains(&scores.len()), "{scores:?}");
    assert_eq!(scores.iter().map(|&game| games[game].plies.len()).sum::<usize>(), held_back.len(), "whole games");
    assert_eq!(shelved::<Loa>(&games, 0.0, None).held_back_len(), 0);
    assert!(shelved::<Loa>(&games, 1.0, None).is_empty());
    let missing = Samples::new::<Loa>(Split { share: 0.0, seed: 1 }, Some(Path::new("/missing"))).unwrap_err();
    assert!(missing.to_string().starts_with("positions cannot be kept on the disk: "), "{missing}");
}

#[test]
fn the_scale_is_found() {
    let mut random = Random::new(1);
    let mut games = Vec::new();
    for _ in 0..4000 {
        let score = random.below(1000) as i32 - 500;
        let wins = random.fraction() < 1.0 / (1.0 + (-f64::from(score) / 150.0).exp());
        let mut game = random_game::<Loa>(1, |_| Some(score));
        game.plies.truncate(1);
        game.result = if wins { GameResult::Win(Side::First) } else { GameResult::Win(Side::Second) };
        games.push(game);
    }
    let scale = shelved::<Loa>(&games, 0.1, None).fit_scale().unwrap();
    assert!((scale - 150.0).abs() < 10.0, "{scale}");
}

#[test]
fn there_is_no_scale_without_winners() {
    let mut game = random_game::<Loa>(1, |_| Some(0));
    assert_eq!(shelved::<Loa>(&[game.clone()], 0.0, None).fit_scale().map_err(|_| ()), Err(()));
    game.result = GameResult::Draw;
    let error = shelved::<Loa>(&[game], 0.0, None).fit_scale().unwrap_err();
    assert_eq!(error, ScaleError::NoDecisiveGames);
    assert_eq!(error.to_string(), "no scale can be fitted: no game with scores was won or lost");
}

/// The twin of a set of features.
fn twin<G: BoardGame>(set: &FeatureSet, symmetry: usize) -> FeatureSet {
    let mut twin = FeatureSet::EMPTY;
    set.iter().for_each(|feature| twin.insert(G::twin_feature(feature, symmetry)));
    twin
}

#[track_caller]
fn has_twins<G: BoardGame>(position: &G::Position, twins: &[G::Position]) {
    assert_eq!(twins.len(), G::SYMMETRIES);
    for (symmetry, twin) in twins.iter().enumerate() {
        let expected = G::feature_sets(position).map(|set| self::twin::<G>(&set, symmetry));
        assert_eq!(G::feature_sets(twin), expected, "{symmetry}");
    }
}

#[test]
fn twins_have_twin_features() {
    for position in random_line::<Loa>(1) {
        has_twins::<Loa>(&position, &SYMMETRIES.map(|symmetry| plywise_loa::twin(symmetry, &position)));
    }
    for position in random_line::<Othello>(1) {
        has_twins::<Othello>(&position, &SYMMETRIES.map(|symmetry| plywise_othello::twin(symmetry, &position)));
    }
    for position in random_line::<Abalone>(1) {
        let twins = plywise_abalone::SYMMETRIES.map(|symmetry| plywise_abalone::twin(symmetry, &position));
        has_twins::<Abalone>(&position, &twins);
    }
    has_twins::<Chess>(&Chess::start(), &[Chess::start()]);
}
