use crate::Bound;
use crate::searcher::Line;

/// The best lines known at any moment of a search: best first, no first move twice.
///
/// An iteration finds its lines one after the other. Those of the iteration before that it has not found again yet stay
/// behind them: their moves have just turned out to be worth no more.
#[derive(Debug)]
pub(crate) struct Lines<M> {
    lines: Vec<Line<M>>,
    wanted: usize,
    /// How many of them the running iteration has found. They stand first.
    found: usize,
    /// They differ from what the observer was told last.
    untold: bool,
}

impl<M: Copy + Eq> Lines<M> {
    /// None yet, of the number that is asked for.
    pub(crate) fn new(wanted: usize) -> Lines<M> {
        Lines { lines: Vec::new(), wanted, found: 0, untold: false }
    }

    pub(crate) fn wanted(&self) -> usize {
        self.wanted
    }

    pub(crate) fn as_slice(&self) -> &[Line<M>] {
        &self.lines
    }

    pub(crate) fn into_vec(self) -> Vec<Line<M>> {
        self.lines
    }

    /// The best line.
    pub(crate) fn first(&self) -> Option<&Line<M>> {
        self.lines.first()
    }

    /// The best move.
    pub(crate) fn best_move(&self) -> Option<M> {
        self.first()?.pv.first().copied()
    }

    /// A line of the last iteration, to guess what the next line of this one will be worth.
    pub(crate) fn next(&self) -> Option<&Line<M>> {
        self.lines.get(self.found)
    }

    /// From now on, lines of a new iteration come in.
    pub(crate) fn begin_iteration(&mut self) {
        self.found = 0;
    }

    /// The running iteration has found a line.
    pub(crate) fn add(&mut self, line: Line<M>) {
        self.lines.retain(|known| known.pv.first() != line.pv.first());
        let place = self.lines[..self.found].partition_point(|known| known.score >= line.score);
        self.lines.insert(place, line);
        self.found += 1;
        self.lines.truncate(self.wanted);
        let (found, rest) = self.lines.split_at_mut(self.found);
        let Some(worst) = found.last() else { return };
        for line in rest.iter_mut().filter(|line| line.score > worst.score) {
            (line.score, line.bound, line.depth) = (worst.score, Bound::Upper, worst.depth);
        }
        self.untold = true;
    }

    /// Plays `instead` after all: `lost` turned out to lose. Before, `instead` was worth no more than the best line.
    pub(crate) fn give_up(&mut self, lost: Line<M>, instead: M) {
        let Some(&Line { score, depth, .. }) = self.first() else { return };
        let known = self.lines.iter().position(|line| line.pv.first() == Some(&instead));
        if known != Some(0) {
            let pv = known.map_or(vec![instead], |at| self.lines.remove(at).pv);
            self.lines.insert(0, Line { score, bound: Bound::Upper, depth, pv });
        }
        self.lines.retain(|line| line.pv.first() != lost.pv.first());
        self.lines.push(Line { depth, ..lost });
        self.lines.truncate(self.wanted);
        self.untold = true;
    }

    /// Takes the lines of another thread in place of its own.
    pub(crate) fn adopt(&mut self, other: Lines<M>) {
        self.lines = other.lines;
        self.untold = true;
    }

    /// The observer was told something other than these lines.
    pub(crate) fn overshadow(&mut self) {
        self.untold = true;
    }

    /// Whether the observer should be told of them now.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::take(&mut self.untold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mv: char, score: i32, depth: i32) -> Line<char> {
        Line { score, bound: Bound::Exact, depth, pv: vec![mv] }
    }

    fn show(lines: &Lines<char>) -> String {
        let show = |line: &Line<char>| {
            let bound = if line.bound == Bound::Upper { "≤" } else { "" };
            format!("{}{bound}{}@{}", line.pv[0], line.score, line.depth)
        };
        lines.as_slice().iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_are_sorted_and_no_first_move_stands_twice() {
        let mut lines = Lines::new(3);
        [line('a', 30, 1), line('b', 20, 1), line('c', 25, 1)].into_iter().for_each(|line| lines.add(line));
        assert_eq!(show(&lines), "a30@1 c25@1 b20@1");
        lines.begin_iteration();
        lines.add(line('b', 22, 2));
        assert_eq!(show(&lines), "b22@2 a≤22@2 c≤22@2", "the others did not beat it");
        lines.add(line('d', 23, 2));
        assert_eq!(show(&lines), "d23@2 b22@2 a≤22@2");
        lines.add(line('a', 5, 2));
        assert_eq!(show(&lines), "d23@2 b22@2 a5@2");
    }

    #[test]
    fn a_move_that_loses_makes_way_for_one_that_may_not() {
        let first = || [line('a', 30, 1), line('b', 20, 1), line('c', 10, 1)];
        let give_up = |wanted, instead| {
            let mut lines = Lines::new(wanted);
            first().into_iter().take(wanted).for_each(|line| lines.add(line));
            lines.begin_iteration();
            lines.give_up(line('a', -999, 2), instead);
            show(&lines)
        };
        assert_eq!(give_up(1, 'b'), "b≤30@1");
        assert_eq!(give_up(3, 'c'), "c≤30@1 b20@1 a-999@1");
        assert_eq!(give_up(3, 'd'), "d≤30@1 b20@1 c10@1", "as many as were asked for");
    }

    #[test]
    fn what_the_iteration_has_not_reached_again_keeps_its_value_where_that_is_lower() {
        let mut lines = Lines::new(2);
        [line('a', 30, 1), line('b', 20, 1)].into_iter().for_each(|line| lines.add(line));
        lines.begin_iteration();
        lines.add(line('a', 28, 2));
        assert_eq!(show(&lines), "a28@2 b20@1");
        assert_eq!(lines.next().map(|line| line.score), Some(20));
    }
}
