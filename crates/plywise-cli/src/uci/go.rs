use plywise_game::notation::excerpt;
use plywise_game::{Depth, Side};
use plywise_search::{Clock, Limits};
use std::time::Duration;

/// What a `go` command asks for.
#[derive(Debug, Default)]
pub(super) struct Go {
    depth: Option<i64>,
    nodes: Option<i64>,
    move_time: Option<i64>,
    /// White's and Black's, in milliseconds, as the protocol calls the first player and the second.
    white_time: Option<i64>,
    black_time: Option<i64>,
    white_increment: Option<i64>,
    black_increment: Option<i64>,
    moves_to_go: Option<i64>,
    mate: Option<i64>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) search_moves: Vec<String>,
    pub(super) perft: Option<u32>,
    /// What was not understood.
    pub(super) complaints: Vec<String>,
}

impl Go {
    /// Reads a `go` command. What makes no sense is complained about and passed over.
    pub(super) fn parse(line: &str) -> Go {
        let mut go = Go::default();
        let mut words = line.split_whitespace().skip(1).peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !is_keyword(word)) {
                        go.search_moves.push(text.to_string());
                    }
                }
                _ if is_keyword(word) => match words.next_if(|word| !is_keyword(word)).map(str::parse) {
                    Some(Ok(number)) => go.set(word, number),
                    _ => go.complaints.push(format!("'{word}' needs a whole number")),
                },
                _ => go.complaints.push(format!("'{}' means nothing to go", excerpt(word))),
            }
        }
        go
    }

    fn set(&mut self, keyword: &str, number: i64) {
        match keyword {
            "depth" => self.depth = Some(number),
            "nodes" => self.nodes = Some(number),
            "movetime" => self.move_time = Some(number),
            "wtime" => self.white_time = Some(number),
            "btime" => self.black_time = Some(number),
            "winc" => self.white_increment = Some(number),
            "binc" => self.black_increment = Some(number),
            "movestogo" => self.moves_to_go = Some(number),
            "mate" => self.mate = Some(number),
            // A depth beyond this would never end, and the count would not fit.
            _ => self.perft = Some(number.clamp(0, 64) as u32),
        }
    }

    /// The limits for the side to move. The protocol's White is the player who moves first, in every game.
    pub(super) fn limits(&self, side: Side, overhead: Duration) -> Limits {
        if self.infinite {
            return Limits::default();
        }
        let (remaining, increment) = match side {
            Side::First => (self.white_time, self.white_increment),
            Side::Second => (self.black_time, self.black_increment),
        };
        let moves_to_go = self.moves_to_go.and_then(|moves| u32::try_from(moves).ok()).filter(|&moves| moves > 0);
        let increment = duration(increment.unwrap_or(0));
        // The winner's last move is the last ply, and a search for a win within a number of plies needs to look no further.
        let win_within = self.mate.map(|moves| (2 * moves.clamp(1, DEEPEST) - 1) as i32);
        let depth = self.depth.map(|depth| depth.clamp(1, DEEPEST) as i32);
        Limits {
            depth: depth.into_iter().chain(win_within).min().map(|depth| depth.min(DEEPEST as i32)),
            nodes: self.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
            soft_nodes: None,
            movetime: self.move_time.map(|time| duration(time).max(LEAST)),
            clock: remaining.map(|remaining| Clock::showing(duration(remaining).max(LEAST), increment, moves_to_go)),
            overhead,
            win_within,
        }
    }

    /// Whether a forced win is wanted, and nothing else will do.
    pub(super) fn is_for_mate(&self) -> bool {
        self.mate.is_some()
    }
}

const DEEPEST: i64 = Depth::MAX.whole_plies() as i64;

/// A search without any time at all would have no move.
const LEAST: Duration = Duration::from_millis(1);

/// Milliseconds as the protocol gives them: some interfaces send less than nothing, and a week is as good as forever.
fn duration(milliseconds: i64) -> Duration {
    const LONGEST: i64 = 7 * 24 * 3600 * 1000;
    Duration::from_millis(milliseconds.clamp(0, LONGEST).unsigned_abs())
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 13] = [
        "searchmoves",
        "ponder",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "movetime",
        "infinite",
        "perft",
    ];
    KEYWORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_is_who_moves_first() {
        let go = Go::parse("go wtime 60000 btime 30000 winc 1000 movestogo 20");
        let overhead = Duration::from_millis(10);
        let clock = |side| go.limits(side, overhead).clock;
        let seconds = Duration::from_secs;
        assert_eq!(clock(Side::First), Some(Clock::showing(seconds(60), seconds(1), Some(20))));
        assert_eq!(clock(Side::Second), Some(Clock::showing(seconds(30), seconds(0), Some(20))));
    }

    #[test]
    fn nonsense_is_named_and_the_rest_understood() {
        let go = Go::parse("go depth nodes 100 quickly searchmoves e2e4 d2d4 mate 2 depth x");
        assert_eq!(go.nodes, Some(100));
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(go.limits(Side::First, Duration::ZERO).win_within, Some(3));
        assert_eq!(go.complaints.len(), 3, "{:?}", go.complaints);
    }

    #[test]
    fn extreme_numbers_are_brought_into_range() {
        let line = format!("go depth {} nodes -5 movetime {}", i64::MAX, i64::MAX);
        let limits = Go::parse(&line).limits(Side::First, Duration::ZERO);
        assert_eq!((limits.depth, limits.nodes, limits.win_within), (Some(128), Some(1), None));
        let mate = |moves: i64| Go::parse(&format!("go mate {moves}")).limits(Side::First, Duration::ZERO);
        // A search for a mate looks no further.
        assert_eq!((mate(i64::MIN).depth, mate(i64::MIN).win_within), (Some(1), Some(1)));
        assert_eq!((mate(i64::MAX).depth, mate(3).depth), (Some(128), Some(5)));
    }
}
