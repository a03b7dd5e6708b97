use super::excerpt;
use crate::games::BoardGame;
use plywise_game::{Depth, Side};
use plywise_search::{Clock, Limits, TimeLimit};
use std::time::Duration;

/// What a `go` command asks for.
#[derive(Debug, Default)]
pub(super) struct Go {
    depth: Option<i64>,
    nodes: Option<i64>,
    move_time: Option<i64>,
    /// White's and Black's, in milliseconds, as the protocol names them.
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

    /// The limits for the side to move.
    pub(super) fn limits<G: BoardGame>(&self, side: Side, overhead: Duration) -> Limits {
        if self.infinite {
            return Limits::default();
        }
        let (remaining, increment) = match G::player(side) {
            "White" => (self.white_time, self.white_increment),
            _ => (self.black_time, self.black_increment),
        };
        let clock = remaining.map(|remaining| {
            TimeLimit::Clock(Clock {
                remaining: duration(remaining),
                increment: duration(increment.unwrap_or(0)),
                moves_to_go: self.moves_to_go.and_then(|moves| u32::try_from(moves).ok()).filter(|&moves| moves > 0),
                overhead,
            })
        });
        Limits {
            depth: self.depth.map(|depth| depth.clamp(1, DEEPEST) as i32),
            nodes: self.nodes.map(|nodes| nodes.max(1).unsigned_abs()),
            time: self.move_time.map(|time| TimeLimit::Fixed(duration(time))).or(clock),
            // The winner's last move is the last ply.
            win_within: self.mate.map(|moves| (2 * moves.clamp(1, DEEPEST) - 1) as i32),
        }
    }
}

const DEEPEST: i64 = Depth::MAX.whole_plies() as i64;

/// Milliseconds as the protocol gives them: some interfaces send less than nothing, and a week is as good as forever.
fn duration(milliseconds: i64) -> Duration {
    const LONGEST: i64 = 7 * 24 * 3600 * 1000;
    Duration::from_millis(milliseconds.clamp(1, LONGEST).unsigned_abs())
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
    use plywise_chess::Chess;
    use plywise_loa::Loa;

    #[test]
    fn a_clock_is_the_side_to_moves_own() {
        let go = Go::parse("go wtime 60000 btime 30000 winc 1000 movestogo 20");
        let time = |limits: Limits| match limits.time {
            Some(TimeLimit::Clock(clock)) => (clock.remaining.as_secs(), clock.increment.as_secs(), clock.moves_to_go),
            other => panic!("{other:?}"),
        };
        let overhead = Duration::from_millis(10);
        assert_eq!(time(go.limits::<Chess>(Side::First, overhead)), (60, 1, Some(20)));
        assert_eq!(time(go.limits::<Chess>(Side::Second, overhead)), (30, 0, Some(20)));
        assert_eq!(time(go.limits::<Loa>(Side::First, overhead)), (30, 0, Some(20)), "Black begins");
    }

    #[test]
    fn nonsense_is_named_and_the_rest_understood() {
        let go = Go::parse("go depth nodes 100 quickly searchmoves e2e4 d2d4 mate 2 depth x");
        assert_eq!(go.nodes, Some(100));
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(go.limits::<Chess>(Side::First, Duration::ZERO).win_within, Some(3));
        assert_eq!(go.complaints.len(), 3, "{:?}", go.complaints);
    }

    #[test]
    fn extreme_numbers_are_brought_into_range() {
        let line = format!("go depth {} nodes -5 movetime {} mate {}", i64::MAX, i64::MAX, i64::MIN);
        let limits = Go::parse(&line).limits::<Chess>(Side::First, Duration::ZERO);
        assert_eq!((limits.depth, limits.nodes, limits.win_within), (Some(128), Some(1), Some(1)));
    }
}
