//! Files of networks are read back, or refused in one sentence.

use crate::{network, random_line, shaped_network};
use plywise_chess::Chess;
use plywise_game::BoardGame;
use plywise_game::features::Sight;
use plywise_game::score::EVAL_LIMIT;
use plywise_loa::Loa;
use plywise_net::{FloatWeights, Network, NetworkError, Role, Shape};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
    Network::read(bytes, "loa", &Sight::of::<Loa>())
}

#[track_caller]
fn refused(bytes: &[u8], sentence: &str) {
    assert_eq!(read(bytes).unwrap_err().to_string(), sentence);
}

/// Makes the checksum right, whatever the file holds.
fn mend(bytes: &mut [u8]) {
    if let Some((content, sum)) = bytes.split_last_chunk_mut::<4>() {
        *sum = crc32fast::hash(content).to_le_bytes();
    }
}

#[test]
fn networks_survive_their_files() {
    for (width, role) in [(16, Role::Replace), (48, Role::Add)] {
        let network = network::<Loa>(width, role, 1);
        let read = read(&network.to_bytes()).unwrap();
        assert_eq!(read, network);
        assert_eq!(
            (read.role(), read.shape().width(), read.record(), read.scale(), read.game()),
            (role, width, "random weights", 400.0, "loa")
        );
    }
    for (shape, version) in [([32, 1, 1], 1), ([32, 4, 1], 2), ([16, 1, 8], 2), ([16, 8, 4], 2)] {
        let network = shaped_network::<Chess>(shape, Role::Replace, 1);
        let bytes = network.to_bytes();
        assert_eq!(bytes[16], version, "a network that older programs know is one that they can read");
        let read = Network::read(&bytes, "chess", &Sight::of::<Chess>()).unwrap();
        assert_eq!((read.shape().buckets(), read.shape().outputs()), (shape[1], shape[2]));
        assert_eq!(read, network);
    }
}

#[test]
fn a_shape_that_does_not_fit_says_why() {
    let sight = Sight::of::<Chess>();
    let bytes = shaped_network::<Chess>([16, 4, 2], Role::Replace, 1).to_bytes();
    let refusal = |bytes: &[u8], sight| Network::read(bytes, "chess", &sight).unwrap_err().to_string();
    assert_eq!(refusal(&bytes, Sight { views: 64, ..sight }), "it knows 32 kinds of views, but the game has 64");
    assert_eq!(refusal(&bytes, Sight { stages: 8, ..sight }), "it knows 32 stages, but the game has 8");
    let outputs = 16 + 4 + 6 + 4 + 4 + 2 + 32 + 2;
    assert_eq!(bytes[outputs], 2);
    let mut none = bytes.clone();
    none[outputs] = 0;
    assert_eq!(refusal(&none, sight), "its number of outputs makes no sense");
    let mut more = bytes.clone();
    more[outputs] = 33;
    assert_eq!(refusal(&more, sight), "its number of outputs makes no sense");
    for cut in (16..200).chain([bytes.len() - 1]) {
        assert_eq!(refusal(&bytes[..cut], sight), "it is cut off");
    }
    // A bucket that only the last kind of view falls into asks for rows that are not there.
    let mut buckets = bytes.clone();
    buckets[outputs - 3] = 9;
    assert_eq!(refusal(&buckets, sight), "it is cut off");
}

#[test]
fn digests_tell_networks_apart() {
    let [one, other] = [1, 2].map(|seed| network::<Loa>(16, Role::Replace, seed));
    assert_eq!(one.digest(), read(&one.to_bytes()).unwrap().digest());
    assert_ne!(one.digest(), other.digest());
}

#[test]
fn every_file_that_does_not_fit_says_why() {
    let bytes = network::<Loa>(16, Role::Replace, 1).to_bytes();
    refused(b"plywise", "it is not a network of plywise");
    refused(&[], "it is not a network of plywise");
    let mut newer = bytes.clone();
    newer[16] = 3;
    refused(&newer, "its version is 3, but at most 2 is expected");
    refused(&network::<Chess>(16, Role::Add, 1).to_bytes(), "it was trained for 'chess', not for 'loa'");
    let sight = |features| Sight { features, ..Sight::of::<Loa>() };
    let error = Network::read(&bytes, "loa", &sight(64)).unwrap_err().to_string();
    assert_eq!(error, "it knows 128 features, but the game has 64");
    let error = Network::read(&bytes, "loa", &sight(0)).unwrap_err().to_string();
    assert_eq!(error, "the game 'loa' names no features for a network to look at");
    let mut wide = bytes.clone();
    wide[28] = 17;
    refused(&wide, "its width is 17, but must be a multiple of 16 up to 1024");
    let mut role = bytes.clone();
    role[32] = 2;
    refused(&role, "its role makes no sense");
    let mut weights = bytes.clone();
    let place = weights.len() - 10;
    weights[place..place + 2].copy_from_slice(&200i16.to_le_bytes());
    refused(&weights, "it is damaged: its checksum is wrong");
    mend(&mut weights);
    refused(&weights, "its output makes no sense");
    refused(&[&bytes[..], b"x"].concat(), "something follows its end");
    for cut in 16..bytes.len() {
        refused(&bytes[..cut], "it is cut off");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Any bytes are refused or make a network whose values stay in their range.
    #[test]
    fn mutated_files_are_survived(places in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
                                  cut in proptest::option::of(any::<prop::sample::Index>()), mends in any::<bool>()) {
        let mut bytes = network::<Loa>(16, Role::Add, 1).to_bytes();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if mends {
            mend(&mut bytes);
        }
        if let Ok(network) = read(&bytes) {
            for position in random_line::<Loa>(1) {
                prop_assert!(network.evaluate::<Loa>(&position).abs() <= EVAL_LIMIT);
            }
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let bytes = [b"plywise network\n\x01\0\0\0\x03loa\x80\0\0\0\x10\0\0\0".as_slice(), &bytes].concat();
        let _ = read(&bytes);
    }
}

/// The largest numbers that a file can hold.
#[test]
fn the_largest_weights_do_not_overflow() {
    let mut bytes = network::<Loa>(1024, Role::Replace, 1).to_bytes();
    let end = bytes.len() - 8;
    let outputs = end - 2 * 2 * 1024;
    let bias = outputs - 2 * 1024;
    let rows = bias - 2 * 1024 * Loa::FEATURES;
    bytes[rows..bias].fill(0);
    let (numbers, _) = bytes[bias..end].as_chunks_mut::<2>();
    let (sums, weights) = numbers.split_at_mut(1024);
    sums.fill(i16::MAX.to_le_bytes());
    weights.fill((-128i16).to_le_bytes());
    bytes[end..end + 4].copy_from_slice(&i32::MIN.to_le_bytes());
    mend(&mut bytes);
    let network = read(&bytes).unwrap();
    assert_eq!(network.evaluate::<Loa>(&random_line::<Loa>(1)[3]), -EVAL_LIMIT);
}

#[test]
fn networks_go_to_bullet_and_come_back() {
    let sight = Sight::of::<Chess>();
    for [width, buckets, outputs] in [[16, 1, 1], [32, 4, 1], [16, 8, 8]] {
        let network = shaped_network::<Chess>([width, buckets, outputs], Role::Add, 1);
        let bytes = network.to_bullet().unwrap();
        assert!(bytes.len().is_multiple_of(64));
        let shape = Shape::new(&sight, width, buckets, outputs).unwrap();
        let read =
            |bytes: &[u8], scale| Network::from_bullet(bytes, "chess", &shape, (Role::Add, scale), "random weights");
        assert_eq!(read(&bytes, 400.0).unwrap(), network);
        let numbers = 2 * shape.weights();
        assert_eq!(read(&bytes[..numbers], 400.0).unwrap(), network, "without what fills it up");
        let refusal = |bytes: &[u8], scale| read(bytes, scale).unwrap_err().to_string();
        assert_eq!(refusal(&bytes[..numbers - 1], 400.0), "it is cut off");
        assert_eq!(refusal(&[&bytes[..], &[0; 64]].concat(), 400.0), "something follows its end");
        assert_eq!(refusal(&bytes, 0.0), "its scale makes no sense");
        assert_eq!(refusal(&bytes, f64::NAN), "its scale makes no sense");
        let mut large = bytes.clone();
        let place = 2 * shape.output_place(outputs - 1);
        large[place..place + 2].copy_from_slice(&129i16.to_le_bytes());
        assert_eq!(refusal(&large, 400.0), "its output makes no sense");
    }
}

#[test]
fn an_output_that_begins_too_far_from_even_does_not_fit_bullet() {
    let shape = Shape::new(&Sight::of::<Loa>(), 16, 1, 1).unwrap();
    let mut weights = vec![0.0; shape.weights()];
    weights[shape.output_bias_place()] = 3.0;
    let network =
        FloatWeights { shape: &shape, role: Role::Replace, scale: 1.0, weights: &weights }.quantise("loa", "");
    assert_eq!(network.to_bullet(), None);
}
