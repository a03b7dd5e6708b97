//! The commands by which a learner examines an engine (Björnsson, "Selective depth-first game-tree search", 2002, section
//! 7.3.1): `setboard POSITION`, `setparam NUMBER…` and `gountil MOVE NODES`, which is answered by `nodes FLAG COUNT`.
//!
//! `setparam` takes the prices of a check, an only reply, a recapture and an advance in plies, unless `nameparam NAME…`
//! named other parameters of the search before: then it takes their values. `gountil` takes several right moves with
//! commas between them.

use super::Session;
use super::thinking::{Goal, Order};
use crate::arguments::Setting;
use crate::engine::Disk;
use crate::{Failure, Result};
use plywise_game::parameters::Parameters;
use plywise_learn::control::Slots;
use plywise_search::{Limits, Params, Signal};
use std::io::{self, Write};

impl<W: Write + Send + 'static> Session<W> {
    /// Carries out a command of the examination; only `gountil` is answered, and what goes wrong is explained.
    pub(super) fn examine(&mut self, command: &str, line: &str) -> io::Result<()> {
        let Some(engine) = self.idle_engine(command)? else { return Ok(()) };
        let rest = line.trim_start().strip_prefix(command).unwrap_or_default().trim();
        let result = match command {
            "setboard" => {
                engine.forget();
                self.game.parse_position(rest).map(|position| self.position = position).map_err(Failure::from)
            }
            "nameparam" => self.name_parameters(rest),
            "setparam" => self.set_parameters(rest),
            _ => match self.question(rest) {
                Ok(order) => {
                    self.apply_options()?;
                    self.begin(order);
                    return Ok(());
                }
                Err(failure) => Err(failure),
            },
        };
        result.or_else(|failure| self.out.explain(failure))
    }

    fn name_parameters(&mut self, names: &str) -> Result {
        let named: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        named.iter().try_for_each(|name| Params::DEFAULT.get(name).map(drop))?;
        self.named = named;
        Ok(())
    }

    fn set_parameters(&mut self, numbers: &str) -> Result {
        let numbers =
            numbers.split_whitespace().map(|word| word.parse::<f64>().ok().filter(|number| number.is_finite()));
        let numbers: Option<Vec<f64>> = numbers.collect();
        let numbers = numbers.ok_or_else(|| Failure::input("setparam takes numbers"))?;
        let wanted = if self.named.is_empty() { Slots::BY_CLASS.len() } else { self.named.len() };
        if numbers.len() != wanted {
            return Err(Failure::input(format!("setparam takes {wanted} numbers, not {}", numbers.len())));
        }
        if self.named.is_empty() {
            return self
                .options
                .change(|setup| Slots::BY_CLASS.write(&numbers, &mut setup.params).map_err(Failure::from));
        }
        let (named, game) = (&self.named, &*self.game);
        self.options.change(|setup| {
            named.iter().zip(&numbers).try_for_each(|(path, number)| {
                let setting = Setting { path: path.clone(), value: format!("{}", number.round()) };
                setup.apply(game, &setting, &Disk).map_err(Failure::from)
            })
        })
    }

    /// Reads `MOVE[,MOVE…] NODES`.
    fn question(&self, words: &str) -> Result<Order> {
        let usage = || Failure::input("gountil takes a move and a number of nodes");
        let (moves, nodes) = words.rsplit_once(char::is_whitespace).ok_or_else(usage)?;
        let nodes = nodes.parse().ok().filter(|&nodes| nodes > 0).ok_or_else(usage)?;
        let read = |text: &str| self.position.parse_move(text.trim());
        let answers = moves.split(',').map(read).collect::<Result<Vec<_>, _>>()?;
        Ok(Order {
            position: self.position.alone(),
            only: Vec::new(),
            lines: 1,
            limits: Limits { nodes: Some(nodes), ..Limits::default() },
            signal: Signal::new(),
            goal: Goal::Until(answers),
            waits_for_stop: false,
            style: self.options.style(),
            tree: None,
            strength: None,
            chances: None,
        })
    }
}
