//! The positions that are taken out of games.

use crate::{random_game, random_line};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::bitboard::SYMMETRIES;
use plywise_game::features::FeatureSet;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Game, score};
use plywise_loa::Loa;
use plywise_net::data::{GameResult, Interior, PackedGame, PackedScore};
use plywise_net::{Filter, Samples, ScaleError};
use plywise_othello::Othello;
use plywise_search::Bound;

const ALL: Filter = Filter {
    skip_plies: 0,
    skip_checks: false,
    skip_tactical: false,
    skip_decided: false,
    skip_interior: false,
    largest_score: score::EVAL_LIMIT,
};

fn samples<G: BoardGame>(games: &[PackedGame], filter: &Filter) -> Samples {
    let mut samples = Samples::new::<G>();
    games.iter().for_each(|game| samples.add_game::<G>(game, filter, |_| 0).unwrap());
    samples
}

#[test]
fn a_sample_is_a_position_seen_by_both_sides() {
    let game = random_game::<Chess>(1, |_| Some(33));
    let samples = samples::<Chess>(std::slice::from_ref(&game), &ALL);
    assert_eq!(samples.len(), game.plies.len());
    let replay = game.replay::<Chess>().unwrap();
    for (number, position) in replay.positions.iter().take(samples.len()).enumerate() {
        let sample = samples.get(number);
        let mover = Chess::side_to_move(position);
        let sets = Chess::feature_sets(position);
        for (features, side) in [(sample.mover, mover), (sample.other, !mover)] {
            let mut sorted: Vec<usize> = features.iter().map(|&feature| feature.into()).collect();
            sorted.sort_unstable();
            assert_eq!(sorted, sets[side as usize].iter().collect::<Vec<_>>());
        }
        assert_eq!((sample.score, Some(sample.result)), (33.0, game.result.points(mover)));
    }
    assert!(samples.distinct() <= samples.len() && samples.distinct() > 1);
    assert!(samples.memory() > 100 * samples.len() as u64);
}

#[test]
fn filters_leave_positions_out() {
    let scores = [None, Some(20), Some(-3000), Some(score::win_in(4))];
    let game = random_game::<Chess>(2, |position| scores[Chess::hash(position) as usize % 4]);
    let count = |filter: Filter| samples::<Chess>(std::slice::from_ref(&game), &filter).len();
    let all = count(ALL);
    assert_eq!(all, game.plies.len());
    assert_eq!(count(Filter { skip_plies: 10, ..ALL }), all - 10);
    let positions = game.replay::<Chess>().unwrap().positions;
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
    let whole = samples::<Loa>(&games, &ALL);
    let (training, validation) = whole.clone().split(0.25, 7);
    assert_eq!(training.len() + validation.len(), whole.len());
    assert_eq!(training.game_count() + validation.game_count(), 40);
    assert!((4..=16).contains(&validation.game_count()), "{}", validation.game_count());
    let scores = |samples: &Samples| {
        let mut scores: Vec<i32> = (0..samples.len()).map(|number| samples.get(number).score as i32).collect();
        scores.dedup();
        scores
    };
    let (kept, taken) = (scores(&training), scores(&validation));
    assert_eq!((kept.len(), taken.len()), (training.game_count(), validation.game_count()));
    assert!(kept.iter().all(|game| !taken.contains(game)));
    let mut from_whole = (0..whole.len()).map(|number| whole.get(number)).filter(|s| kept.contains(&(s.score as i32)));
    for number in 0..training.len() {
        let (sample, expected) = (training.get(number), from_whole.next().unwrap());
        assert_eq!((sample.mover, sample.other), (expected.mover, expected.other));
    }
    assert_eq!(whole.clone().split(0.0, 1).1.len(), 0);
    assert_eq!(whole.split(1.0, 1).0.len(), 0);
}

#[test]
fn the_scale_is_found() {
    let mut random = Random::new(1);
    let mut samples = Samples::new::<Loa>();
    for _ in 0..4000 {
        let score = random.below(1000) as i32 - 500;
        let wins = random.fraction() < 1.0 / (1.0 + (-f64::from(score) / 150.0).exp());
        let mut game = random_game::<Loa>(1, |_| Some(score));
        game.plies.truncate(1);
        game.result = if wins { GameResult::First } else { GameResult::Second };
        samples.add_game::<Loa>(&game, &ALL, |_| 0).unwrap();
    }
    let scale = samples.fit_scale().unwrap();
    assert!((scale - 150.0).abs() < 10.0, "{scale}");
}

#[test]
fn there_is_no_scale_without_winners() {
    let mut game = random_game::<Loa>(1, |_| Some(0));
    assert_eq!(samples::<Loa>(&[game.clone()], &ALL).fit_scale().map_err(|_| ()), Err(()));
    game.result = GameResult::Draw;
    let error = samples::<Loa>(&[game], &ALL).fit_scale().unwrap_err();
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
