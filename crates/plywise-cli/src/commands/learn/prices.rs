//! `plywise learn prices`: what moves should cost in the search, by all that it knows of them.

use crate::arguments::{LimitArgs, SearchArgs, describe_limits, jobs, no_limit};
use crate::commands::matches::openings;
use crate::document::{self, describe};
use crate::engine::setup_for;
use crate::games;
use crate::jobs::Place;
use crate::plots::{Curve, Plot, PlotArgs};
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::table::{Format, Sheet};
use crate::text::show_counted;
use crate::{Failure, Result, files};
use clap::Args;
use plywise_host::{AnyGame, AnyPosition, Setup, WrittenSetup};
use plywise_learn::{
    Gather, GatherEvent, LearnPrices, LearnableGame, LearnedPrices, Reliability, SelfPlay, SourceLoss,
};
use plywise_run::Job;
use plywise_search::{Limits, Signal, params};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Learn what moves should cost in the search, from games of self-play
///
/// At some nodes the search explores: it leaves nothing out and gives every move its full price. Which of these moves raise
/// alpha, and what was known of them before, teaches a logistic regression; the technique 'learned_price' turns its
/// probabilities into prices. One game in five is held out: the log loss there, in bits a move, compares the table with
/// what others price moves by, each learned from the same moves.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise learn prices connect4 --games 60 --nodes 4000 -o connect4.toml
  plywise match connect4 --a table=connect4.toml,prices --b best --nodes 4000 --games 200
  plywise learn prices loa --games 100 --nodes 8000 --iterate 3 --run loa-prices -o loa.toml --plot loa.svg")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Games to play in each round
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(5..=1_000_000))]
    pub games: u64,
    /// A file of openings, EPD or PGN, from which the games begin in turn [default: the start of the game]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// Random plies before the players begin to think [default: 8, with --openings none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=100))]
    pub random_plies: Option<u64>,
    /// Stop a game after this many plies
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub longest: u64,
    /// Explore this many nodes in a thousand
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i32).range(1..=1000))]
    pub explore: i32,
    /// Take at most this many moves of each depth from a game
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub per_depth: u64,
    /// The width of the score intervals, in the evaluation's unit [default: chosen by the moves]
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(i32).range(1..=100_000))]
    pub unit: Option<i32>,
    /// Fit again without each topic, to see what it is worth
    #[arg(long)]
    pub ablate: bool,
    /// Gather again with what was learned, at most this many times, until the probabilities stand still
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "5",
          value_parser = clap::value_parser!(u64).range(1..=20))]
    pub iterate: Option<u64>,
    /// With --iterate: they stand still when they move by less than this percentage on average, or no more than by chance
    #[arg(long, value_name = "PERCENT", default_value_t = 0.5)]
    pub stable: f64,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file of the table
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub format: Format,
}

/// Plays the games, learns the prices, and tells how well they predict.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    args.plot.check()?;
    if args.format.data.csv {
        return Err(Failure::input("'learn prices' has several tables: use --json for other programs"));
    }
    let limits = args.limits.once(Limits::default())?;
    if limits == Limits::default() {
        return Err(no_limit());
    }
    let setup = setup_for(&**game, &args.search.profile, &args.search.resources)?;
    let job = args.job(&**game, &setup, limits)?;
    let meter = JobMeter::default();
    let watch = |event| match event {
        GatherEvent::Round(games) => meter.begin(games, "games"),
        GatherEvent::Game => meter.advance(),
    };
    let learned = Place::new(&args.run, jobs(None, 1), stop).run(&job, game, &watch);
    meter.finish();
    let learned = learned?;
    let settings = format!(
        "{} games of self-play, {}, profile {}, {} nodes in 1000 explored, seed {}",
        learned.games,
        describe_limits(&limits),
        setup.name,
        args.explore,
        args.seed
    );
    files::write(&args.output, &learned.file(game.name(), &settings), out)?;
    args.plot.draw(&|| vec![Box::new(picture(&learned.reliability))], out)?;
    if args.format.data.json {
        let file = args.output.display().to_string();
        let found = json!({"game": game.name(), "file": file, "unit": learned.table.unit});
        return document::write(out, LearnPrices::NAME, Some(args.seed), document::joined(found, describe(&learned)));
    }
    show(&**game, args, &learned, out)
}

impl Arguments {
    fn job(&self, game: &dyn LearnableGame, setup: &Setup, limits: Limits) -> Result<LearnPrices> {
        let openings = openings::positions(game, self.openings.as_deref())?;
        let random_plies = self.random_plies.unwrap_or(if self.openings.is_some() { 0 } else { 8 });
        let mut player = Setup { threads: 1, hash: Gather::TABLE_MB, ..setup.clone() };
        player.params.exploration = params::Exploration { enabled: true, share: self.explore };
        Ok(LearnPrices {
            game: game.name().to_owned(),
            games: self.games,
            play: SelfPlay {
                player: WrittenSetup::of(game, &player),
                limits,
                openings: openings.iter().map(AnyPosition::text).collect(),
                random_plies: random_plies as usize,
                balance: None,
                to_the_end: false,
                longest: self.longest as usize,
                seed: self.seed,
            },
            per_depth: self.per_depth as usize,
            unit: self.unit,
            ablate: self.ablate,
            rounds: self.iterate.map_or(1, |more| 1 + more as usize),
            stable: self.stable / 100.0,
        })
    }
}

fn show(game: &dyn AnyGame, args: &Arguments, learned: &LearnedPrices, out: &mut dyn Write) -> Result {
    let LearnedPrices { games, held_out, losses, ablation, reliability, moves, table, .. } = learned;
    let sightings = |count: usize| show_counted(count as u64, "move");
    writeln!(
        out,
        "{}: {}, {} to learn from, {} held out, unit {}\n",
        game.title(),
        show_counted(*games, "game"),
        sightings(learned.learned),
        sightings(*held_out),
        table.unit
    )?;
    let mut sheet = Sheet::new(&["source", "log loss", "of base rate", "numbers"], &[0]);
    let base = losses.iter().find(|loss| loss.source == "base rate").map_or(1.0, |loss| loss.bits);
    for SourceLoss { source, bits, numbers } in losses {
        let share = format!("{:.1} %", 100.0 * bits / base);
        sheet.add(vec![source.clone(), format!("{bits:.4}"), share, numbers.to_string()]);
    }
    writeln!(out, "{}", sheet.show(&args.format))?;
    if let Some(all) = losses.first().filter(|_| !ablation.is_empty()) {
        let mut sheet = Sheet::new(&["without", "log loss", "more"], &[0]);
        for SourceLoss { source, bits, .. } in ablation {
            let more = format!("{:+.2} %", 100.0 * (bits / all.bits - 1.0));
            sheet.add(vec![source.clone(), format!("{bits:.4}"), more]);
        }
        writeln!(out, "{}", sheet.show(&args.format))?;
    }
    let mut sheet = Sheet::new(&["predicted", "observed", "moves"], &[]);
    for Reliability { predicted, observed, sightings } in reliability {
        let percent = |share: &f64| format!("{:.2} %", 100.0 * share);
        sheet.add(vec![percent(predicted), percent(observed), sightings.to_string()]);
    }
    write!(out, "{}", sheet.show(&args.format))?;
    for (round, (moved, chance)) in moves.iter().zip(&learned.noise).enumerate() {
        let [moved, chance] = [moved, chance].map(|share| 100.0 * share);
        let round = round + 2;
        writeln!(out, "round {round}: the probabilities moved by {moved:.2} % on average, {chance:.2} % by chance")?;
    }
    if learned.is_unstable {
        writeln!(out, "They still move; the last ones are kept.")?;
    }
    Ok(())
}

/// What the table says against what happened.
fn picture(reliability: &[Reliability]) -> Plot {
    let percent = |share: f64| 100.0 * share.max(1e-4);
    let points = reliability.iter().map(|row| (percent(row.predicted), percent(row.observed)));
    let exact = reliability.iter().map(|row| (percent(row.predicted), percent(row.predicted)));
    let curves = vec![
        Curve { points: points.collect(), ..Curve::new("learned prices", []) },
        Curve { points: exact.collect(), ..Curve::new("exact", []) },
    ];
    Plot { by_factors: [true, true], ..Plot::new("predicted to raise alpha, in %", "raised alpha, in %", curves) }
}
