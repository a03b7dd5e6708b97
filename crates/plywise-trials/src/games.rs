//! Self-play with two threads and a table so small that it overflows: every move is legal, every line can be played,
//! repetitions and results are what a careful spectator sees.

use crate::process::{Conversation, Programs};
use crate::random::word;
use crate::rules::{Ruled, compare};
use crate::trial::{Failure, Trial};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::random::Random;
use plywise_loa::Loa;
use plywise_othello::Othello;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// Games are cut off here; some would never end.
const LONGEST: usize = 200;
const REPETITIONS: usize = 3;
const PATIENCE: Duration = Duration::from_secs(60);
const PROFILES: [&str; 10] =
    ["best", "best", "best", "classic", "brute", "multicut", "rankcut", "probcut", "rps", "erps"];

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    vec![trial::<Chess>(programs), trial::<Loa>(programs), trial::<Othello>(programs), trial::<Abalone>(programs)]
}

fn trial<G: Ruled>(programs: &Programs) -> Trial {
    let programs = programs.clone();
    let case = move |_, random: &mut Random| {
        let profile = word(random, &PROFILES);
        let mut command = programs.plywise();
        command.args(["uci", "--game", G::NAME, "--hash", "1", "--threads", "2", "--profile", profile]);
        let talk = Conversation::begin(command).map_err(|problem| Failure::new(problem, profile))?;
        let mut game = Game::<G>::new(talk);
        let played = game.play(random);
        played.map_err(|problem| Failure::new(format!("{profile}: {problem}"), game.moves.join(" ")))
    };
    Trial { group: "games", name: G::NAME.into(), short: 2, long: 1000, case: Box::new(case) }
}

/// A game and what a spectator notes.
struct Game<G: Ruled> {
    /// Who plays both sides.
    talk: Conversation,
    position: G::Position,
    moves: Vec<String>,
    /// The hash of each position before, and what it looks like to somebody who knows no hashes.
    history: Vec<(u64, String)>,
    /// What a position with this hash looks like.
    looks: HashMap<u64, String>,
}

impl<G: Ruled> Game<G> {
    fn new(talk: Conversation) -> Game<G> {
        Game { talk, position: G::start(), moves: Vec::new(), history: Vec::new(), looks: HashMap::new() }
    }

    /// Plays to the end, after a few random moves that make games differ.
    fn play(&mut self, random: &mut Random) -> Result<(), String> {
        let opening = random.below(6);
        while !self.is_over()? {
            let moves = G::legal_moves(&self.position);
            let mv = match self.moves.len() < opening {
                true => random.pick(&moves).copied().ok_or("no move is left")?,
                false => self.think(random)?,
            };
            self.history.push((G::hash(&self.position), look::<G>(&self.position)));
            self.moves.push(G::write_engine_move(&self.position, mv));
            self.position = G::play(&self.position, mv);
        }
        self.talk.say("quit");
        let (heard, status) = self.talk.end(PATIENCE)?;
        if status.success() && heard.is_empty() { Ok(()) } else { Err(format!("it ends with {status}: {heard:?}")) }
    }

    /// The engine's move, after a look at every line that it reports.
    fn think(&mut self, random: &mut Random) -> Result<G::Move, String> {
        self.talk.say(format!("setoption name MultiPV value {}", 1 + random.below(3) * random.below(2)));
        self.talk.say(format!("position startpos moves {}", self.moves.join(" ")));
        self.talk.say(match random.below(8) {
            0 => format!("go depth {}", 1 + random.below(2)),
            1 => format!("go movetime {}", 1 + random.below(4)),
            _ => format!("go nodes {}", 20 + random.below(1500)),
        });
        let heard = self.talk.hear_until(PATIENCE, |line| line.starts_with("bestmove"))?;
        if let Some(line) = heard.iter().find(|line| line.starts_with("error output") || line.contains(" string ")) {
            return Err(line.clone());
        }
        for line in heard.iter().filter_map(|line| Some(line.split_once(" pv ")?.1)) {
            self.check_line(line)?;
        }
        let best = heard.last().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
        check_last_words(&heard, best)?;
        G::parse_move(&self.position, best).map_err(|error| format!("its move is '{best}': {error}"))
    }

    fn check_line(&self, line: &str) -> Result<(), String> {
        let mut position = self.position.clone();
        for text in line.split(' ') {
            let mv = G::parse_move(&position, text).map_err(|error| format!("its line is '{line}': {error}"))?;
            position = G::play(&position, mv);
        }
        Ok(())
    }

    /// Whether the game is over, by the rules or by repetition, after a look at the position.
    fn is_over(&mut self) -> Result<bool, String> {
        let position = &self.position;
        compare::<G>(position)?;
        let (look, hash) = (look::<G>(position), G::hash(position));
        let seen = self.looks.entry(hash).or_insert_with(|| look.clone());
        if *seen != look {
            return Err(format!("one hash for {seen:?} and {look:?}"));
        }
        let by_look = self.history.iter().filter(|(_, before)| *before == look).count();
        let by_hash = self.history.iter().filter(|(before, _)| *before == hash).count();
        if by_look != by_hash {
            return Err(format!("the position came {by_look} times before, by its hash {by_hash} times"));
        }
        let is_drawn = G::drawn_by_rule(position) || by_look + 1 >= REPETITIONS;
        Ok(G::outcome(position).is_some() || is_drawn || self.moves.len() >= LONGEST)
    }
}

/// Of what was told last, the first line begins with the move that is played, and every line with another one.
fn check_last_words(heard: &[String], best: &str) -> Result<(), String> {
    let mut firsts: BTreeMap<u32, &str> = BTreeMap::new();
    for line in heard {
        if let Some((head, pv)) = line.split_once(" pv ")
            && let Some((_, rest)) = head.split_once(" multipv ")
            && let Some(number) = rest.split(' ').next().and_then(|number| number.parse().ok())
        {
            firsts.insert(number, pv.split(' ').next().unwrap_or_default());
        }
    }
    if firsts.get(&1).is_some_and(|first| *first != best) {
        return Err(format!("it plays {best}, but its lines begin with {firsts:?}"));
    }
    let mut different: Vec<&str> = firsts.values().copied().collect();
    different.sort_unstable();
    different.dedup();
    if different.len() == firsts.len() { Ok(()) } else { Err(format!("two lines begin with one move: {firsts:?}")) }
}

/// What makes positions the same: pieces, side to move and everything that can be played; not what only counts.
fn look<G: Ruled>(position: &G::Position) -> String {
    let text = G::write_position(position);
    let words: Vec<&str> = text.split(' ').collect();
    // Chess has rights to castle, Abalone marbles lost; the rest counts moves or is seen in what can be played.
    let fields = match G::NAME {
        "chess" => 3,
        "abalone" => 4,
        _ => 2,
    };
    let mut moves: Vec<String> =
        G::legal_moves(position).into_iter().map(|mv| G::write_engine_move(position, mv)).collect();
    moves.sort();
    format!("{} {}", words[..fields.min(words.len())].join(" "), moves.join(" "))
}
