//! Matches between players in this process.

use crate::players::{Local, Style};
use crate::toy::toy;
use crate::{contest, lines, openings};
use plywise_arena::matches::{DrawRule, Ending, Entry, Format, GameRecord, Match, ResignRule, Silent, Standings};
use plywise_arena::statistics::{Decision, EloModel, Sprt};
use plywise_arena::{Fault, FaultKind, Limits, report};
use plywise_search::Signal;
use std::time::Duration;

fn run(contest: &Match, finished: &[GameRecord]) -> (Standings, Vec<GameRecord>) {
    let mut records = Vec::new();
    let mut keep = |record: &GameRecord| {
        records.push(record.clone());
        Ok(())
    };
    let standings = contest.run(finished, &mut keep, &Silent, &Signal::new()).unwrap();
    (standings, records)
}

const RANDOM: Local = Local { name: "random", style: Style::Random };
const GREEDY: Local = Local { name: "greedy", style: Style::Greedy };

#[test]
fn the_number_of_threads_changes_nothing() {
    let openings = openings();
    let play = |threads| {
        let mut contest = contest([&GREEDY, &RANDOM], &openings, 60, threads);
        contest.shuffle = true;
        run(&contest, &[])
    };
    let (one, games) = play(1);
    let expected = lines(&games);
    assert_eq!(expected.len(), 60);
    for threads in [2, 7] {
        let (standings, games) = play(threads);
        assert_eq!(lines(&games), expected);
        assert_eq!(standings.summary(), one.summary());
    }
}

#[test]
fn equal_players_play_every_game_twice() {
    let openings = openings();
    let twin = Local { name: "twin", style: Style::Random };
    let (standings, games) = run(&contest([&RANDOM, &twin], &openings, 40, 3), &[]);
    let summary = standings.summary().unwrap();
    assert_eq!((summary.score, summary.elo, summary.los), (Some(0.5), Some(0.0), Some(0.5)));
    assert_eq!(summary.pentanomial.0, [0, 0, 20, 0, 0]);
    let moves = |line: &String| line.split_once(' ').unwrap().1.to_owned();
    assert!(lines(&games).chunks(2).all(|pair| moves(&pair[0]) == moves(&pair[1])));
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let openings = openings();
    let whole = run(&contest([&GREEDY, &RANDOM], &openings, 30, 2), &[]);
    let expected = lines(&whole.1);
    for kept in [0, 1, 13, 30] {
        // The games that were finished need not be the first ones.
        let finished: Vec<GameRecord> = whole.1.iter().rev().take(kept).cloned().collect();
        let (standings, rest) = run(&contest([&GREEDY, &RANDOM], &openings, 30, 2), &finished);
        assert_eq!(rest.len(), 30 - kept);
        let all: Vec<GameRecord> = finished.into_iter().chain(rest).collect();
        assert_eq!(lines(&all), expected);
        assert_eq!(standings.summary(), whole.0.summary());
    }
}

#[test]
fn a_game_of_another_match_is_refused() {
    let openings = openings();
    let (_, games) = run(&contest([&GREEDY, &RANDOM], &openings, 4, 1), &[]);
    let mut keep = |_: &GameRecord| Ok(());
    let mut refuse = |finished: &[GameRecord], games| {
        let contest = contest([&GREEDY, &RANDOM], &openings, games, 1);
        contest.run(finished, &mut keep, &Silent, &Signal::new()).unwrap_err().to_string()
    };
    assert_eq!(refuse(&games, 2), "game 3 of the journal is not a game of this match");
    assert_eq!(refuse(&[games[0].clone(), games[0].clone()], 4), "game 1 of the journal is not a game of this match");
}

#[test]
fn a_test_ends_the_match_and_counts_the_same_games() {
    let openings = openings();
    let play = |threads| {
        let mut contest = contest([&GREEDY, &RANDOM], &openings, 2000, threads);
        contest.sprt = Some(Sprt::new(0.0, 50.0, 0.05, 0.05, EloModel::Normalised).unwrap());
        let (standings, _) = run(&contest, &[]);
        (standings.counted(), standings.decision(), standings.summary())
    };
    let expected = play(1);
    assert_eq!(expected.1, Decision::H1);
    assert!(expected.0 < 2000);
    assert_eq!(play(4), expected);
}

#[test]
fn scores_adjudicate() {
    let openings = [toy().start()];
    let play = |scores: [i32; 2]| {
        let players = scores.map(|score| Local { name: "scoring", style: Style::Scoring(score) });
        let mut contest = contest([&players[0], &players[1]], &openings, 1, 1);
        contest.rules.draw = Some(DrawRule { from_move: 0, moves: 2, score: 10 });
        contest.rules.resign = Some(ResignRule { moves: 2, score: 500, two_sided: true });
        let (_, mut games) = run(&contest, &[]);
        let game = games.swap_remove(0);
        (game.moves.len(), game.half_points(), game.ending)
    };
    assert_eq!(play([5, -5]), (4, 1, Ending::AdjudicatedDraw));
    assert_eq!(play([600, -600]), (4, 2, Ending::AdjudicatedWin));
    assert_eq!(play([-600, 600]), (4, 0, Ending::AdjudicatedWin));
    assert!(matches!(play([100, -600]).2, Ending::Decided { .. }));
}

#[test]
fn long_games_are_drawn_and_resignations_lose() {
    let openings = [toy().start()];
    let mut short = contest([&GREEDY, &RANDOM], &openings, 1, 1);
    short.rules.longest = Some(3);
    let (_, games) = run(&short, &[]);
    assert_eq!((games[0].moves.len(), &games[0].ending, games[0].half_points()), (3, &Ending::TooLong, 1));
    let resigning = Local { name: "resigning", style: Style::Resigning };
    let (standings, games) = run(&contest([&resigning, &RANDOM], &openings, 2, 1), &[]);
    assert!(games.iter().all(|game| game.ending == Ending::Resignation));
    assert_eq!(standings.summary().unwrap().losses, 2);
}

#[test]
fn overstepping_the_time_loses_but_for_a_margin() {
    let openings = [toy().start()];
    let play = |elapsed: u64| {
        let slow = Local { name: "slow", style: Style::Slow(Duration::from_millis(elapsed)) };
        let mut contest = contest([&slow, &RANDOM], &openings, 1, 1);
        contest.entries[0].limits = Limits { movetime: Some(Duration::from_millis(100)), ..Limits::default() };
        contest.rules.margin = Duration::from_millis(20);
        run(&contest, &[]).1.swap_remove(0).ending
    };
    assert!(matches!(play(120), Ending::Decided { .. }));
    let fault = Fault::new(FaultKind::TimeForfeit, "0.121 s where 0.100 s were left");
    assert_eq!(play(121), Ending::Fault { first: true, fault });
}

#[test]
fn many_players_are_rated() {
    let openings = openings();
    let first = Local { name: "first", style: Style::First };
    let entry = |contender| Entry { contender, limits: Limits::default() };
    let mut tournament = contest([&GREEDY, &RANDOM], &openings, 20, 2);
    tournament.entries.push(entry(&first));
    let (standings, games) = run(&tournament, &[]);
    assert_eq!((games.len(), standings.counted()), (60, 60));
    assert!(standings.summary().is_none());
    let ratings = standings.ratings().unwrap();
    assert!(ratings.ratings[0].elo > ratings.ratings[1].elo, "{ratings:?}");
    assert!(report("A round robin", &standings).contains("| greedy – first |"));

    tournament.format = Format::Gauntlet;
    let (standings, games) = run(&tournament, &[]);
    assert_eq!(games.len(), 40);
    assert!(games.iter().all(|game| game.players.contains(&0)));
    assert_eq!(standings.crosstable().games(1, 2).games(), 0);
}

#[test]
fn impossible_matches_are_refused() {
    let start = openings();
    let mut keep = |_: &GameRecord| Ok(());
    let mut refuse = |contest: &Match| contest.run(&[], &mut keep, &Silent, &Signal::new()).unwrap_err().to_string();
    assert_eq!(refuse(&contest([&GREEDY, &RANDOM], &[], 2, 1)), "a match needs at least one opening");
    let mut alone = contest([&GREEDY, &RANDOM], &start, 2, 1);
    alone.entries.pop();
    assert_eq!(refuse(&alone), "a match needs at least two players");
    let mut over = [toy().start()];
    for text in ["a1", "a2", "b1", "b2", "c1"] {
        over[0].play_text(text).unwrap();
    }
    let expected = "opening 1 cannot be played: the game is over at its end";
    assert_eq!(refuse(&contest([&GREEDY, &RANDOM], &over, 2, 1)), expected);
}

#[test]
fn a_stopped_match_keeps_what_is_finished() {
    let openings = openings();
    let stop = Signal::new();
    stop.stop();
    let mut keep = |_: &GameRecord| Ok(());
    let standings = contest([&GREEDY, &RANDOM], &openings, 20, 2).run(&[], &mut keep, &Silent, &stop).unwrap();
    assert_eq!(standings.counted(), 0);
    assert!(!standings.is_over());
}

#[test]
fn a_journal_that_fails_ends_the_match() {
    let openings = openings();
    let mut keep = |_: &GameRecord| Err(std::io::Error::other("no space left"));
    let contest = contest([&GREEDY, &RANDOM], &openings, 20, 2);
    let error = contest.run(&[], &mut keep, &Silent, &Signal::new()).unwrap_err();
    assert_eq!(error.to_string(), "a finished game could not be written to the journal: no space left");
}

#[test]
fn games_are_written_as_pgn_that_reads_back() {
    let scoring = Local { name: "scoring", style: Style::Scoring(35) };
    let openings = openings();
    let mut contest = contest([&scoring, &RANDOM], &openings, 2, 1);
    contest.entries[0].limits.clock = Limits::clock("60+1".parse().unwrap()).clock;
    let (standings, games) = run(&contest, &[]);
    let record = games[0].to_pgn(toy(), "A match").unwrap();
    // The opening's move has no comment. The scoring player is White, so its scores are written as they are.
    assert_eq!(record.remarks.comment(1), "");
    let text = record.to_string();
    let read = toy().read_pgn(Box::new(text.as_bytes())).next().unwrap().unwrap();
    assert_eq!((&read.position, read.result, &read.remarks), (&record.position, record.result, &record.remarks));
    assert_eq!(read.tag("White"), Some("scoring"));
    let comments: Vec<String> = (0..=read.position.plies()).map(|moves| read.remarks.comment(moves)).collect();
    assert!(
        comments.iter().any(|comment| comment.contains("[%eval 0.35,3] [%clk 0:01:01.999] [%emt 0:00:00.001]")),
        "{comments:?}"
    );
    let report = report("A match", &standings);
    assert!(report.contains("| Elo |") && report.starts_with("# A match\n\n2 of 2 games.\n"), "{report}");
}

#[test]
fn players_of_one_name_are_told_apart() {
    let openings = openings();
    let (one, other) = (Local { name: "best", style: Style::First }, Local { name: "best", style: Style::Random });
    let (standings, games) = run(&contest([&one, &other], &openings, 2, 1), &[]);
    assert_eq!(standings.names(), ["best (1)", "best (2)"]);
    assert_eq!(games[0].names, ["best (1)", "best (2)"]);
    assert_eq!(games[1].names, ["best (2)", "best (1)"]);
}

#[test]
fn a_game_record_says_when_how_long_and_why() {
    let openings = openings();
    let mut contest = contest([&GREEDY, &RANDOM], &openings, 2, 1);
    contest.entries[0].limits = Limits::clock("40/60+1".parse().unwrap());
    let (_, games) = run(&contest, &[]);
    let game = games[0].to_pgn(toy(), "test").unwrap();
    let tag = |name: &str| game.tag(name).unwrap_or_default();
    assert_eq!(tag("Date").len(), "2026.11.15".len());
    assert!(tag("Date") >= "2025", "{}", tag("Date"));
    assert_eq!((tag("WhiteTimeControl"), tag("BlackTimeControl")), ("40/60+1", "-"));
    assert_eq!(tag("PlyCount"), game.position.plies().to_string());
    assert_eq!(tag("Termination"), "normal");
    let last = game.remarks.comment(game.position.plies());
    assert!(["First wins", "Second wins", "a draw"].iter().any(|end| last.ends_with(end)), "{last}");
}
