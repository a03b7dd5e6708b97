//! The engine's options: those that every interface knows, and every parameter of the search by its own name.
//!
//! A dialog with more than a hundred parameters is of no use: they are declared where `Show Parameters` is on, and can
//! always be set.

use crate::arguments::{MOST_THREADS, Setting};
use crate::engine::{Disk, Setup, load_profile};
use crate::memory::{LARGEST_TABLE_MB, check_tables};
use crate::{Failure, Result};
use plywise_game::parameters::{Parameter, Parameters};
use plywise_game::random::{Random, fresh_seed};
use plywise_host::{AnyGame, Engine, NamedNetwork, Rated, Style};
use plywise_search::Profile;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

/// What the interface has set.
pub(super) struct Options {
    game: Arc<dyn AnyGame>,
    pub(super) setup: Setup,
    pub(super) lines: usize,
    pub(super) move_overhead: Duration,
    chess960: bool,
    /// Whether every score comes with the chances to win, draw and lose.
    pub(super) shows_chances: bool,
    /// Whether somebody wants the truth about positions, rather than an opponent.
    analyses: bool,
    /// The rating to play at, and whether to.
    elo: u32,
    limits_strength: bool,
    /// Whether the parameters of the search are declared.
    pub(super) shows_parameters: bool,
    /// What variety follows from: the games of a session have the seeds from here on; 0 draws one for each.
    seed: u64,
    /// What a weakened player's slips follow from.
    whims: Random,
    /// Parameters have changed since the engine was told.
    changed: bool,
}

const MOST_LINES: usize = 256;
const LONGEST_OVERHEAD_MS: usize = 5000;
const DEFAULT_OVERHEAD_MS: u64 = 10;
const LARGEST_SEED: usize = 1 << 30;

impl Options {
    pub(super) fn new(game: Arc<dyn AnyGame>, setup: Setup) -> Options {
        let move_overhead = Duration::from_millis(DEFAULT_OVERHEAD_MS);
        Options {
            elo: Rated::range(&*game).map_or(0, |range| *range.end()),
            game,
            setup,
            lines: 1,
            move_overhead,
            chess960: false,
            shows_chances: false,
            analyses: false,
            limits_strength: false,
            shows_parameters: false,
            seed: 0,
            whims: Random::new(0),
            changed: false,
        }
    }

    /// The seed of the next game.
    pub(super) fn next_seed(&mut self) -> u64 {
        let seed = if self.seed == 0 { fresh_seed() } else { self.seed };
        self.seed += u64::from(self.seed != 0);
        self.whims = Random::new(seed);
        seed
    }

    /// How moves are written.
    pub(super) fn style(&self) -> Style {
        if self.chess960 { Style::Chess960 } else { Style::Engine }
    }

    /// Whether to play weaker than possible.
    fn is_limited(&self) -> bool {
        self.limits_strength && !self.analyses
    }

    /// How the next move is to be weaker than it could be, if it is.
    pub(super) fn next_strength(&mut self) -> Option<Rated> {
        self.is_limited().then(|| Rated::at(self.game.grades(), self.elo, self.whims.bits())).flatten()
    }

    /// The lines that declare the options.
    pub(super) fn declare(&self) -> Vec<String> {
        let Setup { name, params, hash, threads, .. } = &self.setup;
        let mut lines = vec![
            format!("option name Hash type spin default {hash} min 1 max {LARGEST_TABLE_MB}"),
            format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            "option name Ponder type check default false".to_string(),
            format!(
                "option name Move Overhead type spin default {DEFAULT_OVERHEAD_MS} min 0 max {LONGEST_OVERHEAD_MS}"
            ),
            "option name Clear Hash type button".to_string(),
            format!("option name EvalFile type string default {}", self.setup.network_name()),
            format!("option name Seed type spin default 0 min 0 max {LARGEST_SEED}"),
        ];
        if self.game.has_chess960() {
            lines.push("option name UCI_Chess960 type check default false".to_string());
        }
        if let Some(range) = Rated::range(&*self.game) {
            let (min, max) = (range.start(), range.end());
            lines.push("option name UCI_LimitStrength type check default false".to_string());
            lines.push(format!("option name UCI_Elo type spin default {max} min {min} max {max}"));
        }
        lines.push("option name UCI_ShowWDL type check default false".to_string());
        lines.push("option name UCI_AnalyseMode type check default false".to_string());
        let built_in = Profile::built_in();
        let known = built_in.iter().map(|profile| profile.name.as_str());
        // A profile from a file stands first among those to choose from.
        let own = Some(name.as_str()).filter(|name| built_in.iter().all(|profile| profile.name != *name));
        let choices: String = own.into_iter().chain(known).map(|name| format!(" var {name}")).collect();
        lines.push(format!("option name Profile type combo default {name}{choices}"));
        lines.push(format!("option name Show Parameters type check default {}", self.shows_parameters));
        if self.shows_parameters {
            params.visit(&mut |parameter, value| lines.push(declare(parameter, value)));
        }
        lines
    }

    /// Carries out `setoption name … [value …]`.
    pub(super) fn set(&mut self, line: &str, engine: &mut dyn Engine) -> Result {
        let (name, value) = split(line).ok_or_else(|| Failure::input("an option needs a name"))?;
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let megabytes = number(&name, &value, 1, LARGEST_TABLE_MB)?;
                check_tables(megabytes, 1)?;
                engine.set_table_size(megabytes)?;
                self.setup.hash = megabytes;
            }
            "threads" => {
                self.setup.threads = number(&name, &value, 1, MOST_THREADS)?;
                engine.set_threads(self.setup.threads);
            }
            "multipv" => self.lines = number(&name, &value, 1, MOST_LINES)?,
            "move overhead" => {
                self.move_overhead = Duration::from_millis(number(&name, &value, 0, LONGEST_OVERHEAD_MS)? as u64);
            }
            "clear hash" => engine.forget(),
            "seed" => {
                self.seed = number(&name, &value, 0, LARGEST_SEED)? as u64;
                engine.set_seed(self.next_seed());
            }
            "uci_chess960" => self.chess960 = check(&name, &value)?,
            "uci_showwdl" => self.shows_chances = check(&name, &value)?,
            "uci_analysemode" => self.set_analyses(check(&name, &value)?),
            "show parameters" => self.shows_parameters = check(&name, &value)?,
            "uci_limitstrength" => {
                required(&*self.game)?;
                self.limits_strength = check(&name, &value)?;
                self.changed = true;
            }
            "uci_elo" => {
                let range = required(&*self.game)?;
                self.elo = number(&name, &value, *range.start() as usize, *range.end() as usize)? as u32;
            }
            // Whether to ponder is decided by the interface; it tells us for the sake of our clock, which has no use
            // for it.
            "ponder" => {
                check(&name, &value)?;
            }
            "evalfile" => {
                self.setup.network = NamedNetwork::load(&*self.game, &value, &Disk)?;
                self.changed = true;
            }
            "profile" => self.set_profile(&value)?,
            _ => {
                let path = name.to_ascii_lowercase();
                self.setup.apply(&*self.game, &Setting { path, value }, &Disk)?;
                self.changed = true;
            }
        }
        Ok(())
    }

    /// Changes the setup as a whole or not at all.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Setup) -> Result) -> Result {
        let mut setup = self.setup.clone();
        change(&mut setup)?;
        self.setup = setup;
        self.changed = true;
        Ok(())
    }

    /// Who analyses wants the same answer twice, and the best: variety and limited strength end there.
    fn set_analyses(&mut self, analyses: bool) {
        self.changed |= analyses != self.analyses && (self.setup.params.variety.on() || self.limits_strength);
        self.analyses = analyses;
    }

    /// Takes every parameter from another profile.
    fn set_profile(&mut self, name: &str) -> Result {
        let game = &*self.game;
        let setup = Setup::new(game, load_profile(game, name)?, None, &Disk)?;
        let Setup { tables, threads, hash, .. } = self.setup.clone();
        self.setup = Setup { tables, threads, hash, ..setup };
        self.changed = true;
        Ok(())
    }

    /// The engine is in an unknown state: it is configured again before it searches again.
    pub(super) fn distrust(&mut self) {
        self.changed = true;
    }

    /// Hands changed parameters to the engine, which forgets what it knows: once for many options.
    pub(super) fn apply_to(&mut self, engine: &mut dyn Engine) -> Result {
        if !std::mem::take(&mut self.changed) {
            return Ok(());
        }
        let mut setup = self.setup.clone();
        setup.params.variety.enabled &= !self.analyses;
        if self.is_limited() {
            // Ratings were measured with the linear evaluation.
            setup.network = None;
        }
        Ok(engine.reconfigure(&setup)?)
    }

    /// Makes the engine one that finds every win within its depth, and the shortest first, until it searches for
    /// something else: a selective search may overlook a quiet move that mates.
    pub(super) fn prepare_proof(&mut self, engine: &mut dyn Engine) -> Result {
        let params = load_profile(&*self.game, EXACT)?.params(self.game.profiled())?;
        self.changed = true;
        Ok(engine.reconfigure(&Setup { params, ..self.setup.clone() })?)
    }
}

/// The profile that leaves nothing out.
const EXACT: &str = "brute";

/// The line that declares a parameter of the search.
fn declare(parameter: &Parameter, value: i32) -> String {
    let path = parameter.path();
    match *parameter {
        Parameter { is_bool: true, .. } => format!("option name {path} type check default {}", value != 0),
        Parameter { names: [], min, max, .. } => {
            format!("option name {path} type spin default {value} min {min} max {max}")
        }
        Parameter { names, .. } => {
            let choices: String = names.iter().map(|name| format!(" var {name}")).collect();
            format!("option name {path} type combo default {}{choices}", parameter.name_of(value).unwrap_or("?"))
        }
    }
}

/// The name and the value of an option, both of which may be several words.
fn split(line: &str) -> Option<(String, String)> {
    let mut words = line.split_whitespace().skip_while(|word| *word != "name").skip(1);
    let name = words.by_ref().take_while(|word| *word != "value").collect::<Vec<_>>().join(" ");
    let value = words.collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some((name, value))
}

fn number(name: &str, value: &str, min: usize, max: usize) -> Result<usize> {
    value
        .parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| Failure::input(format!("{name} must be a whole number between {min} and {max}")))
}

fn check(name: &str, value: &str) -> Result<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Failure::input(format!("{name} must be true or false"))),
    }
}

/// The ratings to choose from, for an option that makes no sense without.
fn required(game: &dyn AnyGame) -> Result<RangeInclusive<u32>> {
    Rated::range(game).ok_or_else(|| Failure::input(format!("there are no measured ratings for {}", game.title())))
}
