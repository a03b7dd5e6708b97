use crate::player::{Fault, FaultKind, Thought};
use plywise_game::pgn::{self, GameResult};
use plywise_game::{NotationError, Side};
use plywise_host::{AnyGame, Record};
use plywise_search::Limits;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::time::Duration;

/// A finished game: one line of the journal, from which everything else is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's number in its match, from 0.
    pub index: u64,
    /// Who moved first and who second, as numbers of the match's entries.
    pub players: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// The number of the opening.
    pub opening: usize,
    /// The day on which it ended, as PGN writes it.
    pub date: String,
    /// The time controls of both, as PGN writes them: `40/60`, `-` for none.
    pub time_controls: [String; 2],
    /// The position before the first move, in the game's notation.
    pub start: String,
    /// The moves, those of the opening included.
    pub moves: Vec<MoveRecord>,
    /// The result: `1-0` is a win for the first of `players`.
    #[serde(with = "result_text")]
    pub result: GameResult,
    /// How it came about.
    pub ending: Ending,
}

/// A move of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move as engines write it.
    #[serde(rename = "move")]
    pub text: String,
    /// The time it took; `None` for a move of the opening.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "us", with = "microseconds")]
    pub elapsed: Option<Duration>,
    /// What the player's clock showed afterwards, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "clock_us", with = "microseconds")]
    pub clock: Option<Duration>,
    /// What the player thought.
    #[serde(flatten)]
    pub thought: Thought,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "how")]
pub enum Ending {
    /// The game was over.
    Decided {
        /// How, in the game's own words.
        words: String,
    },
    /// A position occurred too often.
    Repetition {
        /// How often it occurred.
        times: u32,
    },
    /// A rule drew the game although moves were left.
    DrawnByRule {
        /// Which, in the game's own words.
        words: String,
    },
    /// Both offered a draw.
    Agreement,
    /// A player gave up.
    Resignation,
    /// The players' scores made it a draw.
    AdjudicatedDraw,
    /// The players' scores made it a win.
    AdjudicatedWin,
    /// It was too long.
    TooLong,
    /// A player failed and lost by it.
    Fault {
        /// Whether it was the one who moved first.
        first: bool,
        /// How it failed.
        fault: Fault,
    },
}

/// Without the name of a player who failed, which [`GameRecord::ending_words`] has.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Ending::Decided { words } | Ending::DrawnByRule { words } => f.write_str(words),
            Ending::Repetition { times: 2 } => f.write_str("second repetition"),
            Ending::Repetition { times: 3 } => f.write_str("third repetition"),
            Ending::Repetition { times } => write!(f, "{times}-fold repetition"),
            Ending::Agreement => f.write_str("agreement"),
            Ending::Resignation => f.write_str("resignation"),
            Ending::AdjudicatedDraw => f.write_str("adjudicated as a draw"),
            Ending::AdjudicatedWin => f.write_str("adjudicated as a win"),
            Ending::TooLong => f.write_str("too long"),
            Ending::Fault { fault, .. } => fault.fmt(f),
        }
    }
}

impl Ending {
    /// How a game of these two ended, with the name of a player who failed.
    pub fn words(&self, names: &[String; 2]) -> String {
        match self {
            Ending::Fault { first, fault } => format!("{}: {fault}", names[usize::from(!first)]),
            ending => ending.to_string(),
        }
    }

    /// The word for the `Termination` tag of a game record.
    fn termination(&self) -> &'static str {
        match self {
            Ending::AdjudicatedDraw | Ending::AdjudicatedWin | Ending::TooLong => "adjudication",
            Ending::Fault { fault, .. } => match fault.kind {
                FaultKind::TimeForfeit => "time forfeit",
                FaultKind::IllegalMove | FaultKind::FalseClaim => "rules infraction",
                FaultKind::StartFailure | FaultKind::Crash | FaultKind::NoResources => "emergency",
                FaultKind::Hang => "abandoned",
            },
            _ => "normal",
        }
    }
}

/// Why a record is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game} of the journal cannot be replayed: {problem}")]
pub struct RecordError {
    /// The game's number, from 1 as people count.
    pub game: u64,
    /// What is wrong.
    pub problem: String,
}

impl GameRecord {
    /// The half points of the player who moved first: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> usize {
        match self.result {
            GameResult::Win(Side::First) => 2,
            GameResult::Win(Side::Second) => 0,
            GameResult::Draw | GameResult::Unknown => 1,
        }
    }

    /// How the game ended, with the name of a player who failed.
    pub fn ending_words(&self) -> String {
        self.ending.words(&self.names)
    }

    /// What this machine lacked, where that and no player ended the game.
    pub(super) fn lack_of_resources(&self) -> Option<&str> {
        match &self.ending {
            Ending::Fault { fault, .. } if fault.kind == FaultKind::NoResources => Some(&fault.detail),
            _ => None,
        }
    }

    /// The game as PGN, with scores, depths, clocks and times as comments that other programs read: `[%eval 0.35,12]`
    /// for White, `[%clk 0:00:04.1]` and `[%emt 0:00:00.45]`; and with nodes, nodes per second, and the milliseconds that a
    /// move took beyond its player's own account: `[%nodes 48000] [%nps 106666] [%overhead 1.3]`.
    pub fn to_pgn(&self, game: &dyn AnyGame, event: &str) -> Result<Record, RecordError> {
        let error = |problem: NotationError| RecordError { game: self.index + 1, problem: problem.to_string() };
        let mut record = Record::new(game.parse_position(&self.start).map_err(error)?);
        let tags = [
            ("Event", event.to_owned()),
            ("Date", self.date.clone()),
            ("Round", (self.index + 1).to_string()),
            ("White", self.names[0].clone()),
            ("Black", self.names[1].clone()),
        ];
        let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        record.tags.extend(tags.map(|(name, value)| own(name, &value)));
        match &self.time_controls {
            [white, black] if white == black => record.tags.push(own("TimeControl", white)),
            [white, black] => {
                record.tags.extend([own("WhiteTimeControl", white), own("BlackTimeControl", black)]);
            }
        }
        record.tags.push(own("PlyCount", &self.moves.len().to_string()));
        record.tags.push(own("Termination", self.ending.termination()));
        record.result = self.result;
        let mut last = String::new();
        for (ply, played) in self.moves.iter().enumerate() {
            let side = record.position.side_to_move();
            record.position.play_text(&played.text).map_err(error)?;
            record.remarks.add_comment(ply, last);
            last = comment(played, side);
        }
        record.remarks.add_comment(self.moves.len(), format!("{last} {}", self.ending_words()).trim());
        Ok(record)
    }
}

/// What a player's limits are to the `TimeControl` tag, which knows nothing but time.
pub(super) fn time_control(limits: &Limits) -> String {
    match (limits.clock, limits.movetime) {
        (Some(clock), _) => clock.control().to_string(),
        (None, Some(time)) => format!("1/{}", time.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
}

fn comment(played: &MoveRecord, side: Side) -> String {
    let mut parts = Vec::new();
    if let Some(score) = played.thought.score {
        let white = if side == Side::First { score } else { -score };
        parts.push(pgn::write_eval(white, played.thought.depth));
    }
    for (name, time) in [("clk", played.clock), ("emt", played.elapsed)] {
        if let Some(time) = time {
            parts.push(format!("[%{name} {}]", clock(time)));
        }
    }
    if let Some(nodes) = played.thought.nodes {
        parts.push(format!("[%nodes {nodes}]"));
        // In the microseconds of the journal, from which the same text must come.
        if let Some(micros) = played.elapsed.map(|elapsed| elapsed.as_micros()).filter(|&micros| micros > 0) {
            parts.push(format!("[%nps {}]", u128::from(nodes) * 1_000_000 / micros));
        }
    }
    // Engines tell whole milliseconds, perhaps before they have finished: the rest is the way between the processes.
    if let (Some(elapsed), Some(own)) = (played.elapsed, played.thought.time) {
        let beyond = elapsed.as_micros().saturating_sub(1000 * u128::from(own));
        parts.push(format!("[%overhead {}.{}]", beyond / 1000, beyond % 1000 / 100));
    }
    parts.join(" ")
}

/// Hours, minutes, seconds and milliseconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let mut text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if time.subsec_millis() > 0 {
        let _ = write!(text, ".{:03}", time.subsec_millis());
    }
    text
}

mod result_text {
    use plywise_game::Side;
    use plywise_game::pgn::GameResult;
    use serde::{Deserialize, Deserializer, Serializer, de};
    use std::borrow::Cow;

    pub(super) fn serialize<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(result)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
        match Cow::<str>::deserialize(deserializer)?.as_ref() {
            "1-0" => Ok(GameResult::Win(Side::First)),
            "0-1" => Ok(GameResult::Win(Side::Second)),
            "1/2-1/2" => Ok(GameResult::Draw),
            other => Err(de::Error::custom(format!("'{other}' is not the result of a finished game"))),
        }
    }
}

mod microseconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        time.map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_written_as_others_read_them() {
        assert_eq!(clock(Duration::from_millis(3_723_045)), "1:02:03.045");
        assert_eq!(clock(Duration::from_secs(59)), "0:00:59");
    }

    #[test]
    fn moves_tell_nodes_speed_and_overhead() {
        let thought = Thought { score: None, depth: None, nodes: Some(1000), time: Some(10) };
        let elapsed = Some(Duration::from_nanos(12_345_678));
        let played = MoveRecord { text: "e2e4".into(), elapsed, clock: None, thought };
        let expected = "[%emt 0:00:00.012] [%nodes 1000] [%nps 81004] [%overhead 2.3]";
        assert_eq!(comment(&played, Side::First), expected);
        // The journal gives the same text again.
        let read: MoveRecord = serde_json::from_str(&serde_json::to_string(&played).unwrap()).unwrap();
        assert_eq!(comment(&read, Side::First), expected);
    }

    #[test]
    fn records_survive_json() {
        let thought = Thought { score: Some(-20), depth: Some(9), ..Thought::default() };
        let elapsed = Some(Duration::from_micros(1234));
        let fault = Fault::new(crate::player::FaultKind::Crash, "gone");
        let record = GameRecord {
            index: 7,
            players: [1, 0],
            names: ["b".into(), "a".into()],
            opening: 3,
            date: "2026.11.15".into(),
            time_controls: ["40/60".into(), "-".into()],
            start: "somewhere".into(),
            moves: vec![MoveRecord { text: "e2e4".into(), elapsed, clock: None, thought }],
            result: GameResult::Win(Side::Second),
            ending: Ending::Fault { first: true, fault },
        };
        let endings = [
            Ending::Decided { words: "White mates".into() },
            Ending::Repetition { times: 3 },
            Ending::DrawnByRule { words: "fifty-move rule".into() },
        ];
        for (ending, words) in endings.into_iter().zip(["White mates", "third repetition", "fifty-move rule"]) {
            assert_eq!(ending.to_string(), words);
            let json = serde_json::to_string(&ending).unwrap();
            assert_eq!(serde_json::from_str::<Ending>(&json).unwrap(), ending);
        }
        assert_eq!(record.ending_words(), "b: crash: gone");
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""moves":[{"move":"e2e4","us":1234,"score":-20,"depth":9}]"#), "{json}");
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), record);
    }
}
