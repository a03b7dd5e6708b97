//! What an iteration does at the root: the nodes that each move takes, and which moves it has come to.

/// The running iteration at the root.
#[derive(Debug)]
pub(crate) struct Effort<M> {
    moves: Vec<Spent<M>>,
    /// The thread's nodes when the move that is being searched was begun.
    begun_at: u64,
    /// The value fell below the window.
    pub(crate) failed_low: bool,
}

#[derive(Debug)]
struct Spent<M> {
    mv: M,
    nodes: u64,
    /// It has been searched with the present window.
    in_window: bool,
}

impl<M: Copy + Eq> Effort<M> {
    pub(crate) fn new() -> Effort<M> {
        Effort { moves: Vec::new(), begun_at: 0, failed_low: false }
    }

    /// Begins an iteration, or the search of another line.
    pub(crate) fn begin_iteration(&mut self) {
        self.moves.clear();
        self.failed_low = false;
    }

    /// Begins a search of the root with another window.
    pub(crate) fn begin_window(&mut self) {
        self.moves.iter_mut().for_each(|spent| spent.in_window = false);
    }

    /// A move is about to be searched, at this thread's node count.
    pub(crate) fn begin_move(&mut self, nodes: u64) {
        self.begun_at = nodes;
    }

    /// The move has been searched, up to this thread's node count.
    pub(crate) fn end_move(&mut self, mv: M, nodes: u64) {
        let more = nodes - self.begun_at;
        match self.moves.iter_mut().find(|spent| spent.mv == mv) {
            Some(spent) => (spent.nodes, spent.in_window) = (spent.nodes + more, true),
            None => self.moves.push(Spent { mv, nodes: more, in_window: true }),
        }
    }

    /// Whether a move has been searched with the present window.
    pub(crate) fn has_searched(&self, mv: M) -> bool {
        self.moves.iter().any(|spent| spent.mv == mv && spent.in_window)
    }

    /// The part of the iteration's nodes that a move took, from 0 to 1.
    pub(crate) fn share(&self, mv: M) -> f64 {
        let of = |mv: Option<M>| -> u64 {
            let counted = self.moves.iter().filter(|spent| mv.is_none_or(|mv| spent.mv == mv));
            counted.map(|spent| spent.nodes).sum()
        };
        of(Some(mv)) as f64 / of(None).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_counted_for_each_move_and_windows_apart() {
        let mut effort = Effort::new();
        effort.begin_iteration();
        for (mv, from, to) in [('a', 10, 40), ('b', 40, 50)] {
            effort.begin_move(from);
            effort.end_move(mv, to);
        }
        assert!(effort.has_searched('a') && effort.has_searched('b') && !effort.has_searched('c'));
        assert_eq!((effort.share('a'), effort.share('c')), (0.75, 0.0));
        effort.begin_window();
        assert!(!effort.has_searched('a'));
        effort.begin_move(60);
        effort.end_move('b', 80);
        assert!(effort.has_searched('b') && !effort.has_searched('a'));
        assert_eq!(effort.share('a'), 0.5, "the nodes of all windows count");
        effort.begin_iteration();
        assert_eq!(effort.share('a'), 0.0);
    }
}
