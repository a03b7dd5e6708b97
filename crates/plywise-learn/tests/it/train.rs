//! Training learns, repeats, and goes on where it was written down.

use crate::{random_game, random_line};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::features::Sight;
use plywise_game::processor::{self, Level};
use plywise_game::{BoardGame, Evaluate, GameInfo, Score, score};
use plywise_learn::data::{Interior, PackedGame, PackedScore};
use plywise_learn::{Filter, FloatNetwork, Packed, Samples, Settings, Split, TrainError, Trainer};
use plywise_loa::{Evaluator, Loa, Position};
use plywise_net::{NetworkEvaluation, Role, Shape};
use plywise_othello::Othello;
use plywise_search::{Bound, Signal};
use std::ops::Range;
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

/// No positions yet; whatever comes is held back or learned from.
fn empty<G: BoardGame>(share: f64) -> Samples {
    Samples::new::<G>(Split { share, seed: 1 }, None).unwrap()
}

fn samples_in(games: Range<u64>, linear: fn(&Position) -> Score, mut samples: Samples) -> Samples {
    for seed in games {
        let game = random_game::<Loa>(seed, |position| Some(material(position)));
        samples.add_game(&GameInfo::<Loa>::of_type(), &game, &ALL, linear).unwrap();
    }
    samples.flush().unwrap();
    samples
}

fn samples(games: Range<u64>, linear: fn(&Position) -> Score) -> Samples {
    samples_in(games, linear, empty::<Loa>(0.0))
}

/// Positions to judge by.
fn packed(games: Range<u64>, linear: fn(&Position) -> Score) -> Packed {
    samples_in(games, linear, empty::<Loa>(1.0)).held_back().unwrap()
}

/// An epoch that nothing interrupts.
fn epoch(trainer: &mut Trainer, samples: &Samples) -> f64 {
    trainer.epoch(samples, &Signal::new()).unwrap().unwrap()
}

fn settings() -> Settings {
    Settings { width: 16, epochs: 8, batch: 256, rate: 0.01, result_share: 0.0, scale: 200.0, ..Settings::default() }
}

fn trainer(settings: Settings) -> Trainer {
    Trainer::new(settings, &Sight::of::<Loa>()).unwrap()
}

fn trained(settings: Settings, samples: &Samples) -> Trainer {
    let mut trainer = trainer(settings);
    while !trainer.is_done() {
        epoch(&mut trainer, samples);
    }
    trainer
}

/// The loss falls below a twentieth of that of an untrained network, and the network of the search has learnt it too.
#[test]
fn material_is_learnt() {
    let (training, validation) = (samples(0..120, |_| 0), packed(1000..1020, |_| 0));
    let before = trainer(settings()).loss(&validation);
    let trainer = trained(settings(), &training);
    let after = trainer.loss(&validation);
    assert!(after < 0.05 * before, "{before} {after}");
    let network = trainer.network().quantise("loa", "material");
    let mut evaluation = NetworkEvaluation::<Loa>::new(Evaluator::default(), Some(Arc::new(network)));
    let replay = random_game::<Loa>(2000, |_| None).replay(&GameInfo::<Loa>::of_type()).unwrap();
    for position in replay.positions.iter().take(60) {
        let error = evaluation.evaluate(position) - material(position);
        assert!(error.abs() < 120, "{error} {position:?}");
    }
}

#[test]
fn what_a_linear_evaluation_says_need_not_be_learnt() {
    let (training, judged) = (samples(0..20, material), packed(0..20, material));
    let mut add = trainer(Settings { role: Role::Add, ..settings() });
    let replace = trainer(settings());
    assert!(add.loss(&judged) < 0.6 * replace.loss(&judged));
    epoch(&mut add, &training);
    assert_eq!(add.network().quantise("loa", "").role(), Role::Add);
}

#[test]
fn results_are_learnt_where_there_are_no_scores() {
    let (mut training, mut judged) = (empty::<Loa>(0.0), Packed::default());
    for seed in 0..20 {
        let game = random_game::<Loa>(seed, |_| None);
        training.add_game(&GameInfo::<Loa>::of_type(), &game, &ALL, |_| 0).unwrap();
        judged.add_game(&GameInfo::<Loa>::of_type(), &game, &ALL, |_| 0).unwrap();
    }
    let settings = Settings { epochs: 30, ..settings() };
    let before = trainer(settings.clone()).loss(&judged);
    let after = trained(settings, &training).loss(&judged);
    assert!(after < 0.5 * before, "{before} {after}");
}

#[test]
fn threads_change_nothing() {
    let (training, judged) = (samples(0..10, |_| 0), packed(0..10, |_| 0));
    let settings = |threads| Settings { threads, epochs: 2, ..settings() };
    let one = trained(settings(1), &training);
    for threads in [2, 3] {
        let several = trained(settings(threads), &training);
        assert_eq!(one.checkpoint(), several.checkpoint());
        assert_eq!(one.loss(&judged).to_bits(), several.loss(&judged).to_bits());
    }
    let other = trained(Settings { seed: 2, ..settings(1) }, &training);
    assert_ne!(one.network(), other.network());
}

/// Nor do the instructions of the processor, nor where the positions lie.
#[test]
fn processors_and_places_change_nothing() {
    let training = samples(0..10, |_| 0);
    let folder = tempfile::tempdir().unwrap();
    let files = Samples::new::<Loa>(Split { share: 0.0, seed: 1 }, Some(folder.path())).unwrap();
    let files = samples_in(0..10, |_| 0, files);
    let settings = || Settings { width: 144, epochs: 1, ..settings() };
    let one = trained(settings(), &training).checkpoint();
    assert_eq!(trained(settings(), &files).checkpoint(), one);
    for most in [Level::Built, Level::V3, Level::V4] {
        processor::use_at_most(most);
        assert_eq!(trained(settings(), &training).checkpoint(), one, "{}", most.name());
    }
}

/// Every position is seen once in an epoch, whatever the size of the batches. In chess, where no symmetry changes it.
#[test]
fn an_epoch_sees_every_position_once() {
    let (mut training, mut judged) = (empty::<Chess>(0.0), Packed::default());
    for seed in 0..3 {
        let game = random_game::<Chess>(seed, |_| Some(100 * seed as Score));
        training.add_game(&GameInfo::<Chess>::of_type(), &game, &ALL, |_| 0).unwrap();
        judged.add_game(&GameInfo::<Chess>::of_type(), &game, &ALL, |_| 0).unwrap();
    }
    for batch in [1, 7, 100, 1_000_000] {
        // At such a rate nothing is learnt on the way.
        let mut trainer = Trainer::new(Settings { batch, rate: 1e-9, ..settings() }, &Sight::of::<Chess>()).unwrap();
        let (mean, before) = (epoch(&mut trainer, &training), trainer.loss(&judged));
        assert!((mean - before).abs() < 1e-6, "{batch}: {mean} {before}");
    }
}

#[test]
fn training_goes_on_where_it_was_written_down() {
    let training = samples(0..10, |_| 0);
    let mut whole = trainer(settings());
    for _ in 0..2 {
        epoch(&mut whole, &training);
    }
    let bytes = whole.checkpoint();
    let mut resumed = Trainer::resume(&bytes, settings(), &Sight::of::<Loa>()).unwrap();
    assert_eq!((resumed.epochs(), resumed.checkpoint()), (2, bytes.clone()));
    let losses = [&mut whole, &mut resumed].map(|trainer| epoch(trainer, &training).to_bits());
    assert_eq!(losses[0], losses[1]);
    assert_eq!(whole.checkpoint(), resumed.checkpoint());

    let refusal = |bytes: &[u8], settings| Trainer::resume(bytes, settings, &Sight::of::<Loa>()).unwrap_err();
    assert_eq!(refusal(&bytes, Settings { rate: 0.02, ..settings() }), TrainError::OtherSettings);
    assert_eq!(refusal(&bytes[1..], settings()), TrainError::Checkpoint);
    assert_eq!(refusal(&[], settings()), TrainError::Checkpoint);
    let more = Trainer::resume(&bytes, Settings { threads: 2, ..settings() }, &Sight::of::<Loa>());
    assert_eq!(more.unwrap().epochs(), 2);
}

#[test]
fn an_epoch_that_is_stopped_leaves_no_trace() {
    let training = samples(0..3, |_| 0);
    let mut trainer = trainer(settings());
    let before = trainer.checkpoint();
    let stop = Signal::new();
    stop.stop();
    assert_eq!(trainer.epoch(&training, &stop).unwrap(), None);
    assert_eq!(trainer.checkpoint(), before);
}

/// Bounds that every value keeps, and bounds that none does.
#[test]
fn a_bound_that_is_kept_costs_nothing() {
    let loss = |bound, score| {
        let start = random_game::<Loa>(1, |_| None).start;
        let interior =
            vec![Interior { position: start.clone(), score: PackedScore::new(Some(score)), bound, depth: 1 }];
        let mut samples = Packed::default();
        samples
            .add_game(
                &GameInfo::<Loa>::of_type(),
                &PackedGame { start, interior, ..PackedGame::default() },
                &ALL,
                |_| 0,
            )
            .unwrap();
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
    let refusal =
        |settings, features| Trainer::new(settings, &Sight { features, ..Sight::of::<Loa>() }).unwrap_err().to_string();
    let width = Settings { width: 40, ..settings() };
    assert_eq!(refusal(width, 128), "the width is 40, but must be a multiple of 16 up to 1024");
    let scale = Settings { scale: f64::NAN, ..settings() };
    assert_eq!(refusal(scale, 128), "scale is NaN, but must lie between 1 and 100000");
    assert_eq!(refusal(settings(), 0), "a network can look at 1 to 1024 features, but the game names 0");
    let samples = empty::<Chess>(0.0);
    let error = trainer(settings()).check(&samples).unwrap_err().to_string();
    assert_eq!(error, "the samples have 768 features, but the network knows 128");
    assert_eq!(trainer(settings()).check(&empty::<Loa>(0.0)), Err(TrainError::NoSamples));
    let buckets = Settings { buckets: 4, ..settings() };
    assert_eq!(refusal(buckets, 128), "the game sorts views into one bucket, not into 4");
    assert!(Settings::memory(&settings().shape(&Sight::of::<Loa>()).unwrap()) > 100_000);
}

/// Chess, with the pieces that a side has more as its score: learned with buckets and outputs, on any number of threads, in
/// one sitting or two.
#[test]
fn networks_of_every_shape_are_trained() {
    let sight = Sight::of::<Chess>();
    let (mut training, mut judged) = (empty::<Chess>(0.0), Packed::default());
    for seed in 0..60 {
        let game = random_game::<Chess>(seed, |board| {
            let mover = board.side_to_move();
            Some(100 * (board.colors(mover).len() as Score - board.colors(!mover).len() as Score))
        });
        training.add_game(&GameInfo::<Chess>::of_type(), &game, &ALL, |_| 0).unwrap();
        judged.add_game(&GameInfo::<Chess>::of_type(), &game, &ALL, |_| 0).unwrap();
    }
    let shaped = |threads| Settings { buckets: 4, outputs: 8, threads, ..settings() };
    let mut one = Trainer::new(shaped(1), &sight).unwrap();
    let before = one.loss(&judged);
    while !one.is_done() {
        epoch(&mut one, &training);
    }
    let after = one.loss(&judged);
    assert!(after < 0.2 * before, "{before} {after}");
    let mut other = Trainer::new(shaped(2), &sight).unwrap();
    epoch(&mut other, &training);
    let bytes = other.checkpoint();
    assert_eq!(Trainer::resume(&bytes, settings(), &sight).unwrap_err(), TrainError::OtherSettings);
    let mut other = Trainer::resume(&bytes, shaped(3), &sight).unwrap();
    while !other.is_done() {
        epoch(&mut other, &training);
    }
    assert_eq!(one.checkpoint(), other.checkpoint());
    let network = one.network().quantise("chess", "");
    assert_eq!((network.shape().buckets(), network.shape().outputs()), (4, 8));
    for board in random_line::<Chess>(77) {
        let (exact, rounded) = (one.network().evaluate::<Chess>(&board), network.evaluate::<Chess>(&board));
        assert!((exact - f64::from(rounded)).abs() < 20.0, "{exact} {rounded}");
    }
}

/// How far the network of the search may be from that of the trainer: a twentieth of its scale.
#[test]
fn whole_numbers_are_close_to_fractions() {
    fn check<G: BoardGame>() {
        let float = FloatNetwork::new(Shape::new(&Sight::of::<G>(), 32, 1, 1).unwrap(), Role::Replace, 400.0, 9);
        let network = float.quantise(G::NAME, "");
        for position in random_line::<G>(2) {
            let (exact, rounded) = (float.evaluate::<G>(&position), network.evaluate::<G>(&position));
            assert!((exact - f64::from(rounded)).abs() < 20.0, "{exact} {rounded}");
        }
    }
    check::<Chess>();
    check::<Loa>();
    check::<Othello>();
    check::<Abalone>();
}
