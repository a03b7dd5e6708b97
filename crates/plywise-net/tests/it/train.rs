//! Training learns, repeats, and goes on where it was written down.

use crate::random_game;
use plywise_chess::Chess;
use plywise_game::{BoardGame, Evaluate, Score, score};
use plywise_loa::{Evaluator, Loa, Position};
use plywise_net::data::{Interior, PackedGame, PackedScore};
use plywise_net::{Filter, NetworkEvaluation, Role, Samples, Settings, TrainError, Trainer};
use plywise_search::{Bound, Signal};
use std::sync::Arc;

const ALL: Filter = Filter {
    skip_plies: 0,
    skip_checks: false,
    skip_tactical: false,
    skip_decided: false,
    skip_interior: false,
    largest_score: score::EVAL_LIMIT,
};

/// What the pieces of the side to move are worth more than those of the other.
fn material(position: &Position) -> Score {
    100 * (position.own().count_ones() as Score - position.enemy().count_ones() as Score)
}

fn samples(games: std::ops::Range<u64>, linear: fn(&Position) -> Score) -> Samples {
    let mut samples = Samples::new::<Loa>();
    for seed in games {
        let game = random_game::<Loa>(seed, |position| Some(material(position)));
        samples.add_game::<Loa>(&game, &ALL, linear).unwrap();
    }
    samples
}

fn settings() -> Settings {
    Settings { width: 16, epochs: 8, batch: 256, rate: 0.01, result_share: 0.0, scale: 200.0, ..Settings::default() }
}

fn trainer(settings: Settings) -> Trainer {
    Trainer::new(settings, Loa::FEATURES).unwrap()
}

fn trained(settings: Settings, samples: &Samples) -> Trainer {
    let mut trainer = trainer(settings);
    while !trainer.is_done() {
        trainer.epoch(samples, &Signal::new()).unwrap();
    }
    trainer
}

/// The loss falls below a twentieth of that of an untrained network, and the network of the search has learnt it too.
#[test]
fn material_is_learnt() {
    let (training, validation) = (samples(0..120, |_| 0), samples(1000..1020, |_| 0));
    let before = trainer(settings()).loss(&validation);
    let trainer = trained(settings(), &training);
    let after = trainer.loss(&validation);
    assert!(after < 0.05 * before, "{before} {after}");
    let network = trainer.network().quantise("loa", "material");
    let mut evaluation = NetworkEvaluation::<Loa>::new(Evaluator::default(), Some(Arc::new(network)));
    let replay = random_game::<Loa>(2000, |_| None).replay::<Loa>().unwrap();
    for position in replay.positions.iter().take(60) {
        let error = evaluation.evaluate(position) - material(position);
        assert!(error.abs() < 120, "{error} {position:?}");
    }
}

#[test]
fn what_a_linear_evaluation_says_need_not_be_learnt() {
    let training = samples(0..20, material);
    let mut add = trainer(Settings { role: Role::Add, ..settings() });
    let replace = trainer(settings());
    assert!(add.loss(&training) < 0.6 * replace.loss(&training));
    add.epoch(&training, &Signal::new());
    assert_eq!(add.network().quantise("loa", "").role(), Role::Add);
}

#[test]
fn results_are_learnt_where_there_are_no_scores() {
    let mut training = Samples::new::<Loa>();
    for seed in 0..20 {
        training.add_game::<Loa>(&random_game::<Loa>(seed, |_| None), &ALL, |_| 0).unwrap();
    }
    let settings = Settings { epochs: 30, ..settings() };
    let before = trainer(settings.clone()).loss(&training);
    let after = trained(settings, &training).loss(&training);
    assert!(after < 0.5 * before, "{before} {after}");
}

#[test]
fn threads_change_nothing() {
    let training = samples(0..10, |_| 0);
    let settings = |threads| Settings { threads, epochs: 2, ..settings() };
    let one = trained(settings(1), &training);
    for threads in [2, 3] {
        let several = trained(settings(threads), &training);
        assert_eq!(one.checkpoint(), several.checkpoint());
        assert_eq!(one.loss(&training).to_bits(), several.loss(&training).to_bits());
    }
    let other = trained(Settings { seed: 2, ..settings(1) }, &training);
    assert_ne!(one.network(), other.network());
}

#[test]
fn training_goes_on_where_it_was_written_down() {
    let training = samples(0..10, |_| 0);
    let mut whole = trainer(settings());
    for _ in 0..2 {
        whole.epoch(&training, &Signal::new());
    }
    let bytes = whole.checkpoint();
    let mut resumed = Trainer::resume(&bytes, settings(), Loa::FEATURES).unwrap();
    assert_eq!((resumed.epochs(), resumed.checkpoint()), (2, bytes.clone()));
    let losses = [&mut whole, &mut resumed].map(|trainer| trainer.epoch(&training, &Signal::new()).unwrap().to_bits());
    assert_eq!(losses[0], losses[1]);
    assert_eq!(whole.checkpoint(), resumed.checkpoint());

    let refusal = |bytes: &[u8], settings| Trainer::resume(bytes, settings, Loa::FEATURES).unwrap_err();
    assert_eq!(refusal(&bytes, Settings { rate: 0.02, ..settings() }), TrainError::OtherSettings);
    assert_eq!(refusal(&bytes[1..], settings()), TrainError::Checkpoint);
    assert_eq!(refusal(&[], settings()), TrainError::Checkpoint);
    let more = Trainer::resume(&bytes, Settings { threads: 2, ..settings() }, Loa::FEATURES);
    assert_eq!(more.unwrap().epochs(), 2);
}

#[test]
fn an_epoch_that_is_stopped_leaves_no_trace() {
    let training = samples(0..3, |_| 0);
    let mut trainer = trainer(settings());
    let before = trainer.checkpoint();
    let stop = Signal::new();
    stop.stop();
    assert_eq!(trainer.epoch(&training, &stop), None);
    assert_eq!(trainer.checkpoint(), before);
}

/// Bounds that every value keeps, and bounds that none does.
#[test]
fn a_bound_that_is_kept_costs_nothing() {
    let loss = |bound, score| {
        let start = random_game::<Loa>(1, |_| None).start;
        let interior =
            vec![Interior { position: start.clone(), score: PackedScore::new(Some(score)), bound, depth: 1 }];
        let mut samples = Samples::new::<Loa>();
        samples.add_game::<Loa>(&PackedGame { start, interior, ..PackedGame::default() }, &ALL, |_| 0).unwrap();
        trainer(settings()).loss(&samples)
    };
    assert_eq!(loss(Bound::Lower, -5000), 0.0);
    assert_eq!(loss(Bound::Upper, 5000), 0.0);
    for loss in [loss(Bound::Lower, 5000), loss(Bound::Upper, -5000), loss(Bound::Exact, -5000)] {
        assert!(loss > 0.1, "{loss}");
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let refusal = |settings, features| Trainer::new(settings, features).unwrap_err().to_string();
    let width = Settings { width: 40, ..settings() };
    assert_eq!(refusal(width, 128), "the width is 40, but must be a multiple of 16 up to 1024");
    let scale = Settings { scale: f64::NAN, ..settings() };
    assert_eq!(refusal(scale, 128), "scale is NaN, but must lie between 1 and 100000");
    assert_eq!(refusal(settings(), 0), "a network can look at 1 to 1024 features, but the game names 0");
    let samples = Samples::new::<Chess>();
    let error = trainer(settings()).check(&samples).unwrap_err().to_string();
    assert_eq!(error, "the samples have 768 features, but the network knows 128");
    assert_eq!(trainer(settings()).check(&Samples::new::<Loa>()), Err(TrainError::NoSamples));
    assert!(settings().memory(128) > 100_000);
}
