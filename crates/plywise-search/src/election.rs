//! Whose lines are played, where several threads searched: each votes for its best move.
//!
//! A vote counts the more, the deeper the thread came and the more it expects of its move (as in Stockfish since 2019).

use crate::Bound;
use crate::searcher::Line;
use plywise_game::{Score, score};
use std::cmp::Reverse;

/// The thread whose lines are played; the main thread is number 0. `last_depth` is the depth that was asked for, if one
/// was; `margin` is a difference of scores that means little.
pub(crate) fn elect<M: Copy + Eq>(threads: &[&[Line<M>]], last_depth: Option<i32>, margin: Score) -> usize {
    let is_finished = |lines: &[Line<M>]| {
        let depths = |depth| lines.iter().all(|line| line.depth == depth && line.bound == Bound::Exact);
        !lines.is_empty() && last_depth.is_some_and(depths)
    };
    if let Some(thread) = threads.iter().position(|lines| is_finished(lines)) {
        return thread;
    }
    let most_lines = threads.iter().map(|lines| lines.len()).max().unwrap_or(0);
    let firsts = || {
        let whole = threads.iter().enumerate().filter(|(_, lines)| lines.len() == most_lines);
        whole.filter_map(|(thread, lines)| Some((thread, lines.first()?)))
    };
    let best_by = |value: &dyn Fn(&Line<M>) -> (i64, i32)| {
        firsts().max_by_key(|&(thread, line)| (value(line), Reverse(thread))).map_or(0, |(thread, _)| thread)
    };
    let is_won = |line: &Line<M>| score::is_decided(line.score) && line.score > 0;
    if firsts().any(|(_, line)| is_won(line)) {
        return best_by(&|line| (line.score.into(), line.depth));
    }
    if most_lines != 1 {
        return best_by(&|line| (line.depth.into(), 0));
    }
    let score = |line: &Line<M>| line.score.clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT);
    let worst = firsts().map(|(_, line)| score(line)).min().unwrap_or(0);
    let vote = |line: &Line<M>| i64::from(score(line) - worst + margin) * i64::from(line.depth);
    let votes =
        |line: &Line<M>| firsts().filter(|(_, other)| other.pv[0] == line.pv[0]).map(|(_, line)| vote(line)).sum();
    best_by(&|line| (votes(line), line.depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Score = 25;

    fn line(mv: char, depth: i32, score: Score) -> Line<char> {
        Line { score, bound: Bound::Exact, depth, pv: vec![mv] }
    }

    fn check(lines: &[Line<char>], last_depth: Option<i32>, elected: usize) {
        let threads: Vec<&[Line<char>]> = lines.iter().map(std::slice::from_ref).collect();
        assert_eq!(elect(&threads, last_depth, MARGIN), elected, "{lines:?}");
    }

    #[test]
    fn the_main_thread_decides_where_all_are_as_good() {
        check(&[line('a', 9, 10)], None, 0);
        check(&[line('a', 9, 10), line('b', 9, 10)], None, 0);
        check(&[line('a', 9, 10), line('a', 9, 10), line('b', 9, 10)], None, 0);
    }

    #[test]
    fn depth_scores_and_numbers_count() {
        check(&[line('a', 9, 10), line('b', 10, 10)], None, 1);
        check(&[line('a', 9, 10), line('b', 9, 40)], None, 1);
        check(&[line('a', 9, 10), line('b', 9, 8), line('b', 9, 8)], None, 1);
        check(&[line('a', 9, 60), line('b', 9, 8), line('b', 9, 8)], None, 0);
        check(&[line('a', 9, 10), line('a', 10, 12), line('b', 10, 11)], None, 1);
    }

    #[test]
    fn a_proven_win_needs_no_votes_and_a_loss_gets_few() {
        let (win, faster, loss) = (score::win_in(9), score::win_in(5), score::loss_in(6));
        check(&[line('a', 12, 900), line('a', 12, 900), line('b', 8, win)], None, 2);
        check(&[line('a', 12, win), line('b', 8, faster)], None, 1);
        check(&[line('a', 12, loss), line('a', 12, loss), line('b', 8, -300)], None, 2);
    }

    #[test]
    fn the_depth_that_was_asked_for_is_what_comes_out() {
        check(&[line('a', 7, 500), line('b', 8, 10), line('c', 8, 11)], Some(8), 1);
        check(&[line('a', 8, 5), line('b', 8, 10)], Some(8), 0);
        let win = score::win_in(3);
        check(&[line('a', 7, win), line('b', 8, win)], Some(8), 1);
        let partial = Line { bound: Bound::Lower, ..line('b', 8, 10) };
        check(&[line('a', 7, 5), partial], Some(9), 1);
    }

    #[test]
    fn several_lines_come_from_the_deepest_thread_that_has_them() {
        let [shallow, deep, deepest] = [8, 9, 10].map(|depth| [line('a', depth, 5), line('b', depth, 4)]);
        assert_eq!(elect(&[&shallow, &deep, &deepest[..1]], None, MARGIN), 1);
    }

    #[test]
    fn nothing_to_choose_from() {
        assert_eq!(elect::<char>(&[&[], &[]], None, MARGIN), 0);
        assert_eq!(elect(&[&[], &[line('a', 3, 1)][..]], None, MARGIN), 1);
    }
}
