//! The arguments of fastchess, as its manual has them.

use crate::commands::matches::openings::OpeningArgs;
use crate::players::NamedEntrant;
use crate::{Failure, Result};
use plywise_arena::engine::{Engine, Protocol};
use plywise_arena::matches::{DrawRule, Format, ResignRule, Rules};
use plywise_arena::statistics::{EloModel, Sprt};
use plywise_arena::{Entrant, Limits, TimeControl, Who};
use plywise_game::parameters::{nearest_name, suggestion};
use plywise_run::Cores;
use plywise_search::Clock;
use std::path::PathBuf;
use std::time::Duration;

/// What the arguments ask for.
#[derive(Debug)]
pub(super) struct Order {
    pub players: Vec<NamedEntrant>,
    pub format: Format,
    pub openings: Option<OpeningArgs>,
    /// What the book is called in results.
    pub book: Option<String>,
    pub shuffle: bool,
    pub rounds: u64,
    pub games: u64,
    pub rules: Rules,
    pub sprt: Option<Sprt>,
    pub seed: u64,
    pub concurrency: usize,
    pub cores: Option<Cores>,
    pub pgn: Option<PathBuf>,
    pub event: Option<String>,
    pub site: Option<String>,
    /// How many games are played between two reports of the results.
    pub rating_interval: u64,
    /// Whether results have the counts of pairs.
    pub shows_pairs: bool,
}

/// What is taken. `-log` and the like are refused by name.
const TAKEN: [&str; 23] = [
    "engine",
    "each",
    "openings",
    "rounds",
    "games",
    "repeat",
    "concurrency",
    "force-concurrency",
    "sprt",
    "pgnout",
    "resign",
    "draw",
    "maxmoves",
    "recover",
    "event",
    "site",
    "srand",
    "ratinginterval",
    "scoreinterval",
    "report",
    "variant",
    "tournament",
    "use-affinity",
];

/// One option with the words that belong to it.
struct Group<'a> {
    name: &'a str,
    words: Vec<&'a str>,
}

impl Group<'_> {
    fn wrong(&self, problem: &str) -> Failure {
        Failure::input(format!("-{}: {problem}", self.name))
    }

    /// Its words as keys and values.
    fn pairs(&self) -> Result<Vec<(&str, &str)>> {
        let mut pairs = Vec::new();
        for word in &self.words {
            let pair = word.split_once('=');
            pairs.push(pair.ok_or_else(|| self.wrong(&format!("'{word}' is not written key=value")))?);
        }
        Ok(pairs)
    }

    /// Its one word.
    fn one(&self) -> Result<&str> {
        match self.words[..] {
            [word] => Ok(word),
            _ => Err(self.wrong("it takes one value")),
        }
    }

    fn unknown(&self, key: &str) -> Failure {
        self.wrong(&format!("'{key}' is not taken by plywise fastchess"))
    }

    fn number<T: std::str::FromStr>(&self, text: &str) -> Result<T> {
        text.parse().map_err(|_| self.wrong(&format!("'{text}' is not a number that fits")))
    }

    fn at_least_one(&self) -> Result<u64> {
        match self.number(self.one()?)? {
            0 => Err(self.wrong("it must be at least 1")),
            number => Ok(number),
        }
    }
}

impl Order {
    pub(super) fn read(words: &[String]) -> Result<Order> {
        let groups = groups(words)?;
        let mut order = Order {
            players: Vec::new(),
            format: Format::RoundRobin,
            openings: None,
            book: None,
            shuffle: false,
            rounds: 2,
            games: 2,
            rules: Rules::default(),
            sprt: None,
            seed: 1,
            concurrency: 1,
            cores: None,
            pgn: None,
            event: None,
            site: None,
            rating_interval: 10,
            shows_pairs: true,
        };
        let each: Vec<&Group> = groups.iter().filter(|group| group.name == "each").collect();
        for group in &groups {
            match group.name {
                "engine" => {
                    let number = order.players.len() + 1;
                    let player = player(number, group, &each, &mut order.rules)?;
                    order.players.push(player);
                }
                "each" | "recover" | "force-concurrency" | "scoreinterval" => {}
                _ => order.set(group)?,
            }
        }
        match order.players.len() {
            0 | 1 => Err(Failure::input("at least two engines are needed: -engine cmd=PROGRAM")),
            _ => Ok(order),
        }
    }

    fn set(&mut self, group: &Group) -> Result {
        match group.name {
            "rounds" => self.rounds = group.at_least_one()?,
            "games" => self.games = group.at_least_one()?,
            "repeat" => self.games = if group.words.is_empty() { 2 } else { group.at_least_one()? },
            "concurrency" => self.concurrency = group.at_least_one()?.min(1024) as usize,
            "maxmoves" => {
                self.rules.longest = Some(group.at_least_one()?.saturating_mul(2).min(u32::MAX.into()) as u32)
            }
            "event" => self.event = Some(group.words.join(" ")),
            "site" => self.site = Some(group.words.join(" ")),
            "srand" => self.seed = group.number(group.one()?)?,
            "ratinginterval" => self.rating_interval = group.number(group.one()?)?,
            "report" => self.shows_pairs = group.words != ["penta=false"],
            "use-affinity" => self.cores = Some(read_cores(group)?),
            "variant" if matches!(group.one()?, "standard") => {}
            "variant" => return Err(group.wrong("only standard chess is played here; plywise match plays other games")),
            "tournament" => {
                self.format = match group.one()? {
                    "roundrobin" | "round-robin" => Format::RoundRobin,
                    "gauntlet" => Format::Gauntlet,
                    other => return Err(group.wrong(&format!("'{other}' is neither roundrobin nor gauntlet"))),
                }
            }
            "openings" => self.set_openings(group)?,
            "sprt" => self.sprt = Some(read_sprt(group)?),
            "pgnout" => self.set_pgn(group)?,
            "resign" => self.rules.resign = Some(read_resign(group)?),
            "draw" => self.rules.draw = Some(read_draw(group)?),
            _ => {}
        }
        Ok(())
    }

    fn set_openings(&mut self, group: &Group) -> Result {
        let (mut file, mut plies, mut start, mut format) = (None, None, 1_usize, None);
        for (key, value) in group.pairs()? {
            match key {
                "file" => file = Some(value.to_owned()),
                "format" if matches!(value, "epd" | "pgn") => format = Some(value),
                "format" => return Err(group.wrong(&format!("the format '{value}' is neither epd nor pgn"))),
                "order" if value == "sequential" => self.shuffle = false,
                "order" if value == "random" => self.shuffle = true,
                "order" => return Err(group.wrong(&format!("the order '{value}' is neither sequential nor random"))),
                "plies" => plies = Some(group.number(value)?),
                "start" => start = group.number::<usize>(value)?.max(1),
                "policy" if value == "default" => {}
                _ => return Err(group.unknown(key)),
            }
        }
        let file = file.ok_or_else(|| group.wrong("file=FILE is missing"))?;
        let is_pgn = file.to_ascii_lowercase().ends_with(".pgn");
        if format.is_some_and(|format| (format == "pgn") != is_pgn) {
            return Err(group.wrong("format=pgn is for a file that ends in .pgn, and format=epd for another"));
        }
        if start > 1 {
            return Err(group.unknown("start"));
        }
        let name = PathBuf::from(&file).file_name().map(|name| name.to_string_lossy().into_owned());
        self.book = Some(name.unwrap_or_else(|| file.clone()));
        // Without a number, whole games are no openings.
        let plies = plies.filter(|_| is_pgn);
        self.openings = Some(OpeningArgs { openings: Some(file), plies, shuffle: false });
        Ok(())
    }

    fn set_pgn(&mut self, group: &Group) -> Result {
        for word in &group.words {
            match word.split_once('=') {
                None => self.pgn = Some(word.into()),
                Some(("file", file)) => self.pgn = Some(file.into()),
                // Depth, score, nodes, speed and times are always there.
                Some(("nodes" | "nps" | "timeleft" | "latency", _))
                | Some(("notation", "san") | ("append", "true")) => {}
                Some((key, _)) => return Err(group.unknown(key)),
            }
        }
        match self.pgn {
            Some(_) => Ok(()),
            None => Err(group.wrong("file=FILE is missing")),
        }
    }
}

/// The options, each with its words.
fn groups(words: &[String]) -> Result<Vec<Group<'_>>> {
    let mut groups: Vec<Group> = Vec::new();
    for word in words {
        // A value such as -5 or elo0=-5 is no option.
        let option = word.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        match (option, groups.last_mut()) {
            (Some(name), _) if TAKEN.contains(&name) => groups.push(Group { name, words: Vec::new() }),
            (Some(name), _) => {
                let nearest = nearest_name(name, TAKEN.iter().map(|name| name.to_string()));
                let hint = suggestion(nearest.map(|name| format!("-{name}")).as_deref());
                return Err(Failure::input(format!("plywise fastchess does not take -{name}{hint}")));
            }
            (None, Some(group)) => group.words.push(word),
            (None, None) => return Err(Failure::input(format!("'{word}' stands before the first option"))),
        }
    }
    Ok(groups)
}

/// The engine of a group, with what `-each` says in front.
fn player(number: usize, group: &Group, each: &[&Group], rules: &mut Rules) -> Result<NamedEntrant> {
    let mut pairs = Vec::new();
    for group in each {
        pairs.extend(group.pairs()?);
    }
    pairs.extend(group.pairs()?);
    let mut engine = Engine::new(Protocol::Uci, "");
    let (mut limits, mut name) = (Limits::default(), None);
    for (key, value) in pairs {
        match key {
            "cmd" => engine.program = value.to_owned(),
            "name" => name = Some(value.to_owned()),
            "args" => {
                let words = shlex::split(value).ok_or_else(|| group.wrong("args= has an open quotation mark"))?;
                engine.arguments.extend(words);
            }
            "arg" => engine.arguments.push(value.to_owned()),
            "dir" if value != "." => engine.directory = Some(value.into()),
            "dir" => {}
            "proto" => {
                engine.protocol = match value {
                    "uci" => Protocol::Uci,
                    "xboard" | "cecp" => Protocol::Cecp,
                    _ => return Err(group.wrong(&format!("the protocol '{value}' is neither uci nor xboard"))),
                }
            }
            "restart" => engine.restart = matches!(value, "on" | "true"),
            "tc" if matches!(value, "inf" | "infinite") => limits.clock = None,
            "tc" => limits.clock = Some(Clock::new(time_control(group, value)?)),
            "st" => limits.movetime = Some(seconds(group, value)?),
            "nodes" => limits.nodes = Some(group.number(value)?),
            "depth" | "plies" => limits.depth = Some(group.number(value)?),
            // One margin holds for all.
            "timemargin" => rules.margin = rules.margin.max(Duration::from_millis(group.number(value)?)),
            _ => match key.strip_prefix("option.") {
                Some(option) => engine.options.push((option.to_owned(), value.to_owned())),
                None => return Err(group.unknown(key)),
            },
        }
    }
    if engine.program.is_empty() {
        return Err(group.wrong(&format!("engine {number} has no cmd=PROGRAM")));
    }
    if limits == Limits::default() {
        return Err(group.wrong(&format!("engine {number} has no limit: tc=, st=, nodes= or depth=")));
    }
    // A program beside the engine's folder is meant to be found there.
    if let Some(directory) = &engine.directory {
        let inside = directory.join(&engine.program);
        if inside.is_file() {
            engine.program = inside.to_string_lossy().into_owned();
        }
    }
    engine.name = Engine::new(Protocol::Uci, engine.program.as_str()).name;
    let is_named = name.is_some();
    engine.name = name.unwrap_or(engine.name);
    Ok(NamedEntrant { entrant: Entrant { who: Who::Engine(engine), limits }, is_named })
}

/// `40/60+0.5`; the base may be minutes and seconds, `1:30`.
fn time_control(group: &Group, text: &str) -> Result<TimeControl> {
    let (moves, rest) = text.split_once('/').map_or((None, text), |(moves, rest)| (Some(moves), rest));
    let (base, increment) = rest.split_once('+').map_or((rest, None), |(base, increment)| (base, Some(increment)));
    let base = match base.split_once(':') {
        Some((minutes, rest)) => (60.0 * group.number::<f64>(minutes)? + group.number::<f64>(rest)?).to_string(),
        None => base.to_owned(),
    };
    let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
    let increment = increment.map_or(String::new(), |increment| format!("+{increment}"));
    format!("{moves}{base}{increment}").parse().map_err(|error| group.wrong(&format!("tc={text}: {error}")))
}

fn seconds(group: &Group, text: &str) -> Result<Duration> {
    let time = Duration::try_from_secs_f64(group.number(text)?).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| group.wrong(&format!("'{text}' is not a time in seconds")))
}

fn read_sprt(group: &Group) -> Result<Sprt> {
    let (mut elo, mut alpha, mut beta, mut model) = ([None, None], 0.05, 0.05, EloModel::Normalised);
    for (key, value) in group.pairs()? {
        match key {
            "elo0" => elo[0] = Some(group.number(value)?),
            "elo1" => elo[1] = Some(group.number(value)?),
            "alpha" => alpha = group.number(value)?,
            "beta" => beta = group.number(value)?,
            "model" => {
                model = match value {
                    "normalized" | "normalised" => EloModel::Normalised,
                    "logistic" => EloModel::Logistic,
                    _ => return Err(group.wrong(&format!("the model '{value}' is neither normalized nor logistic"))),
                }
            }
            _ => return Err(group.unknown(key)),
        }
    }
    match elo {
        [Some(elo0), Some(elo1)] => {
            Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| group.wrong(&error.to_string()))
        }
        _ => Err(group.wrong("elo0= and elo1= are both needed")),
    }
}

fn read_resign(group: &Group) -> Result<ResignRule> {
    let mut rule = ResignRule { moves: 1, score: 0, two_sided: false };
    for (key, value) in group.pairs()? {
        match key {
            "movecount" => rule.moves = group.number(value)?,
            "score" => rule.score = group.number(value)?,
            "twosided" => rule.two_sided = value == "true",
            _ => return Err(group.unknown(key)),
        }
    }
    match rule.score {
        0 => Err(group.wrong("score=SCORE is missing")),
        _ => Ok(rule),
    }
}

fn read_draw(group: &Group) -> Result<DrawRule> {
    let mut rule = DrawRule { from_move: 0, moves: 1, score: 0 };
    for (key, value) in group.pairs()? {
        match key {
            "movenumber" => rule.from_move = group.number(value)?,
            "movecount" => rule.moves = group.number(value)?,
            "score" => rule.score = group.number(value)?,
            _ => return Err(group.unknown(key)),
        }
    }
    Ok(rule)
}

/// All cores, or those of a list: `0-3,6`.
fn read_cores(group: &Group) -> Result<Cores> {
    match group.words[..] {
        [] => Ok(Cores::all()),
        [list] => list.parse().map_err(|error| group.wrong(&format!("{error}"))),
        _ => Err(group.wrong("it takes one list of cores")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Order> {
        Order::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_script_of_an_author_is_read() {
        let order = read(
            "-engine cmd=./new name=new option.Threads=1 -engine cmd=./old proto=uci nodes=5 -each tc=0:08+0.08 option.Hash=16 \
             -openings file=books/UHO.epd format=epd order=random -rounds 500 -games 2 -repeat -concurrency 4 -recover \
             -sprt elo0=-3 elo1=1 alpha=0.05 beta=0.1 -pgnout file=out.pgn nodes=true -resign movecount=3 score=600 \
             -draw movenumber=34 movecount=8 score=10 -maxmoves 200 -event Night test -site here -srand 7 -ratinginterval 20",
        )
        .unwrap();
        let names: Vec<(&str, bool)> =
            order.players.iter().map(|player| (player.entrant.name(), player.is_named)).collect();
        assert_eq!(names, [("new", true), ("old", false)]);
        let engine = order.players[0].entrant.engine().unwrap();
        let options = [("Hash", "16"), ("Threads", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(engine.options, options);
        let limits = order.players[1].entrant.limits;
        assert_eq!((limits.nodes, limits.clock), (Some(5), Limits::clock("8+0.08".parse().unwrap()).clock));
        assert_eq!((order.rounds, order.games, order.concurrency, order.seed), (500, 2, 4, 7));
        assert_eq!(order.rules.longest, Some(400));
        assert_eq!(order.rules.draw, Some(DrawRule { from_move: 34, moves: 8, score: 10 }));
        assert_eq!(order.rules.resign, Some(ResignRule { moves: 3, score: 600, two_sided: false }));
        assert_eq!((order.book.as_deref(), order.shuffle), (Some("UHO.epd"), true));
        assert_eq!((order.event.as_deref(), order.site.as_deref()), (Some("Night test"), Some("here")));
        assert_eq!(order.sprt, Some(Sprt::new(-3.0, 1.0, 0.05, 0.1, EloModel::Normalised).unwrap()));
    }

    #[test]
    fn what_is_not_taken_is_refused_by_name() {
        let two = "-engine cmd=a -engine cmd=b -each tc=1+0.01";
        for (more, sentence) in [
            ("-tb /syzygy", "plywise fastchess does not take -tb"),
            ("-log file=x", "plywise fastchess does not take -log"),
            ("-round 5", "plywise fastchess does not take -round; the nearest is '-rounds'"),
            ("-openings file=x.bin format=bin", "-openings: the format 'bin' is neither epd nor pgn"),
            ("-openings file=x.epd start=5", "-openings: 'start' is not taken by plywise fastchess"),
            ("-sprt elo0=0 elo1=5 model=bayesian", "-sprt: the model 'bayesian' is neither normalized nor logistic"),
            ("-sprt elo0=0", "-sprt: elo0= and elo1= are both needed"),
            ("-rounds", "-rounds: it takes one value"),
            ("-rounds 0", "-rounds: it must be at least 1"),
            ("-draw movenumber", "-draw: 'movenumber' is not written key=value"),
            ("-each tscale=2", "-engine: 'tscale' is not taken by plywise fastchess"),
            ("-variant atomic", "-variant: only standard chess is played here; plywise match plays other games"),
        ] {
            assert_eq!(read(&format!("{two} {more}")).unwrap_err().to_string(), sentence);
        }
        assert_eq!(
            read("-engine cmd=a tc=1").unwrap_err().to_string(),
            "at least two engines are needed: -engine cmd=PROGRAM"
        );
        let no_limit = read("-engine cmd=a -engine cmd=b").unwrap_err().to_string();
        assert_eq!(no_limit, "-engine: engine 1 has no limit: tc=, st=, nodes= or depth=");
    }
}
