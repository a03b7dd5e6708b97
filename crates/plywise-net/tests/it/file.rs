//! Files of networks are read back, or refused in one sentence.

use crate::{network, random_line};
use plywise_chess::Chess;
use plywise_game::BoardGame;
use plywise_game::score::EVAL_LIMIT;
use plywise_loa::Loa;
use plywise_net::{Network, NetworkError, Role};
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
    Network::read(bytes, "loa", Loa::FEATURES)
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
            (read.role(), read.width(), read.record(), read.scale(), read.game()),
            (role, width, "random weights", 400.0, "loa")
        );
    }
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
    newer[16] = 2;
    refused(&newer, "its version is 2, but 1 is expected");
    refused(&network::<Chess>(16, Role::Add, 1).to_bytes(), "it was trained for 'chess', not for 'loa'");
    let error = Network::read(&bytes, "loa", 64).unwrap_err().to_string();
    assert_eq!(error, "it knows 128 features, but the game has 64");
    let error = Network::read(&bytes, "loa", 0).unwrap_err().to_string();
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
