//! Searches whose trees are recorded.

use crate::arguments::describe_limits;
use crate::engine::{self, EVALUATION, Event, Setup, Watch, hosted};
use crate::games::Playable;
use crate::network;
use crate::text::{milliseconds, show_moves};
use crate::{Failure, Result};
use clap::Args;
use plywise_game::Window;
use plywise_game::parameters::Parameters;
use plywise_host::Weights;
use plywise_net::NetworkEvaluation;
use plywise_search::{
    Entered, Leaving, Limits, Observer, Profile, Progress, Report, Request, RootMove, Searcher, Signal, Technique,
    write_groups, write_profile,
};
use plywise_tree::{Filter, Head, Recorded, Recorder, Recording, Summary, numbered};
use serde_json::json;
use std::path::{Path, PathBuf};

/// For commands that can record what they search.
#[derive(Debug, Default, Args)]
pub struct RecordArgs {
    /// Record the tree of the search to a file, for 'plywise tree'; those after the first get a number: a-2.tree after a.tree
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,
}

impl RecordArgs {
    /// Searches, and records where a file is asked for: this is search number `number`, from 1.
    #[expect(clippy::too_many_arguments, reason = "a search has five, and a recording two")]
    pub fn search<G: Playable>(
        &self,
        number: usize,
        setup: &Setup,
        searcher: &mut Searcher<G, NetworkEvaluation<G>>,
        request: &Request<G>,
        limits: &Limits,
        signal: &Signal,
        each: impl FnMut(Event<'_, G::Move>),
    ) -> Result<Report<G::Move>> {
        let Some(path) = &self.record else { return Ok(engine::search(searcher, request, limits, signal, each)) };
        let tape = Tape { path: &numbered(path, number), filter: Filter::default(), setup };
        let (report, recorded) = tape.search(searcher, request, limits, signal, each)?;
        recorded?;
        Ok(report)
    }
}

/// A search that is to be recorded.
pub struct Tape<'a> {
    pub path: &'a Path,
    pub filter: Filter,
    pub setup: &'a Setup,
}

impl Tape<'_> {
    /// Searches, tells `each` what happens, and records every node. An error within is one of the recording: the search is
    /// done all the same.
    pub fn search<G: Playable>(
        &self,
        searcher: &mut Searcher<G, NetworkEvaluation<G>>,
        request: &Request<G>,
        limits: &Limits,
        signal: &Signal,
        mut each: impl FnMut(Event<'_, G::Move>),
    ) -> Result<(Report<G::Move>, Result<Recorded>)> {
        let failed = |error| Failure::input(format!("cannot write '{}': {error}", self.path.display()));
        let head = self.head(request, limits, !searcher.is_fresh());
        let recording = Recording::create(self.path, &head, self.filter).map_err(failed)?;
        let mut taping = Taping::<G> { watch: Watch(&mut each), recorder: recording.recorder() };
        let report = searcher.search(request, limits, signal, &mut taping);
        drop(taping);
        let summary = Summary {
            nodes: report.nodes,
            time_ms: milliseconds(report.time),
            pv: report.lines.first().map_or(Vec::new(), |line| show_moves::<G>(&request.position, &line.pv)),
            score: report.score(),
            techniques: Summary::effects(&report.counters),
        };
        Ok((report, recording.finish(&summary).map_err(failed)))
    }

    fn head<G: Playable>(&self, request: &Request<G>, limits: &Limits, remembers: bool) -> Head {
        let Setup { name, params, weights, threads, hash, .. } = self.setup;
        let weights = write_groups(&format!("game.{}.evaluation", G::NAME), weights);
        let network = network::profile_lines(&*hosted::<G>(), self.setup.network.as_ref());
        let groups = write_groups("search", params) + &network + &weights;
        Head {
            game: G::NAME.into(),
            position: G::write_position(&request.position),
            history: request.history.clone(),
            profile: name.clone(),
            parameters: write_profile(name, None, &groups),
            build: concat!("plywise ", env!("CARGO_PKG_VERSION")).into(),
            settings: json!({
                "limits": describe_limits(limits),
                "threads": threads,
                "hash": hash,
                "lines": request.lines,
                "changed": changes::<G>(self.setup),
            }),
            remembers,
            ..Head::default()
        }
    }
}

/// In what a setup differs from the built-in profile of its name, as `--set` would have it.
pub fn changes<G: Playable>(setup: &Setup) -> Vec<String> {
    let mut weights = Weights::of(&G::Weights::default());
    let plain = Profile::named(&setup.name).and_then(|profile| {
        profile.apply_to_evaluation(G::NAME, &mut weights)?;
        Ok((profile.params(G::NAME)?, profile.network(G::NAME)?))
    });
    // A profile of a file is what it is.
    let Ok((params, network)) = plain else { return Vec::new() };
    let mut changed = differences("", &params, &setup.params);
    changed.extend(differences(EVALUATION, &weights, &setup.weights));
    let own = setup.network.as_ref().map(|network| network.name.as_str());
    if own != network.as_deref().filter(|name| *name != network::OFF) {
        changed.push(format!("{EVALUATION}network={}", own.unwrap_or(network::OFF)));
    }
    changed
}

/// The parameters that have other values than in `plain`.
fn differences<P: Parameters>(prefix: &str, plain: &P, changed: &P) -> Vec<String> {
    let mut before = Vec::new();
    plain.visit(&mut |_, value| before.push(value));
    let (mut before, mut found) = (before.into_iter(), Vec::new());
    changed.visit(&mut |parameter, value| {
        if before.next() != Some(value) {
            let value = if parameter.is_bool { (value != 0).to_string() } else { value.to_string() };
            found.push(format!("{prefix}{}={value}", parameter.path()));
        }
    });
    found
}

/// Tells a command of the progress, and a recorder of everything.
struct Taping<'a, G: Playable> {
    watch: Watch<'a, G::Move>,
    recorder: Recorder<G>,
}

impl<G: Playable> Observer<G> for Taping<'_, G> {
    fn progress(&mut self, progress: &Progress<G::Move>) {
        Observer::<G>::progress(&mut self.watch, progress);
    }

    fn root_move(&mut self, root_move: &RootMove<G::Move>) {
        Observer::<G>::root_move(&mut self.watch, root_move);
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        self.recorder.enter(node);
    }

    fn leave(&mut self, node: &Leaving) {
        self.recorder.leave(node);
    }

    fn enter_quiescence(&mut self, node: &Entered<'_, G>) {
        self.recorder.enter_quiescence(node);
    }

    fn leave_quiescence(&mut self, node: &Leaving) {
        self.recorder.leave_quiescence(node);
    }

    fn narrowed(&mut self, window: Window) {
        self.recorder.narrowed(window);
    }

    fn left_out(&mut self, technique: Technique, moves: usize) {
        self.recorder.left_out(technique, moves);
    }

    fn beside(&mut self, thread: usize) -> Option<Box<dyn Observer<G> + Send>> {
        self.recorder.beside(thread)
    }
}
