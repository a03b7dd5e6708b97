//! Work in units: the same whatever the threads and however often it is interrupted.

use plywise_run::{Manifest, Units};
use plywise_search::Signal;
use std::ops::ControlFlow;
use std::path::Path;

/// Squares of the numbers below `end`, until they add up to more than `enough`; gives those that were told of.
fn squares(units: &mut Units<u64>, end: u64, threads: usize, enough: u64, stop_at: Option<u64>) -> Vec<u64> {
    let stop = Signal::new();
    let work = |_: &mut (), number: u64, signal: &Signal| {
        if stop_at == Some(number) {
            stop.stop();
        }
        (!signal.is_stopped()).then_some(number * number)
    };
    let (mut told, mut sum) = (Vec::new(), 0);
    let mut each = |number: u64, square: &u64| {
        assert_eq!((number, *square), (told.len() as u64, number * number), "in order");
        told.push(*square);
        sum += square;
        if sum > enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    units.work(end, vec![(); threads], &stop, work, &mut each).unwrap();
    told
}

fn open(path: &Path) -> Units<u64> {
    let check = |number: u64, square: &u64| if *square == number * number { Ok(()) } else { Err("no square".into()) };
    Units::open(path, &Manifest::default(), false, check).unwrap()
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let expected: Vec<u64> = (0..100).map(|number| number * number).collect();
    for threads in [1, 3] {
        assert_eq!(squares(&mut Units::default(), 100, threads, u64::MAX, None), expected);
        let directory = tempfile::tempdir().unwrap();
        for stop_at in [3, 20, 21, 70] {
            let told = squares(&mut open(directory.path()), 100, threads, u64::MAX, Some(stop_at));
            assert!(told.len() < 100 && told == expected[..told.len()]);
        }
        let mut units = open(directory.path());
        assert!(!units.finished().is_empty(), "what was finished is kept");
        assert_eq!(squares(&mut units, 100, threads, u64::MAX, None), expected);
        drop(units);
        assert_eq!(open(directory.path()).into_finished().len(), 100);
    }
}

#[test]
fn enough_is_decided_in_the_order_of_the_numbers() {
    for threads in [1, 4] {
        let told = squares(&mut Units::default(), u64::MAX, threads, 30, None);
        assert_eq!(told, [0, 1, 4, 9, 16, 25]);
    }
}

#[test]
fn a_unit_that_is_none_of_this_work_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    squares(&mut open(directory.path()), 5, 1, u64::MAX, None);
    let check = |number: u64, _: &u64| if number < 4 { Ok(()) } else { Err("there are four".to_string()) };
    let error = Units::<u64>::open(directory.path(), &Manifest::default(), false, check).err().unwrap().to_string();
    assert!(error.starts_with("line 5 of '") && error.ends_with("is damaged: there are four"), "{error}");
}
