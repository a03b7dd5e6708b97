use super::live::Live;
use super::{Arguments, output, settings};
use crate::document::{self, describe, joined};
use crate::players::programs;
use crate::runs::RunArgs;
use crate::table::write_csv;
use crate::{Failure, Result};
use plywise_arena::matches::{Bracket, Meeting, PlayMatch, play_knockout};
use plywise_host::AnyGame;
use plywise_run::Job;
use plywise_search::Signal;
use serde_json::json;
use std::io::Write;
use std::sync::Arc;

/// Plays a knockout. With --run, each round has a run directory of its own inside.
pub(super) fn run(
    game: &Arc<dyn AnyGame>,
    args: &Arguments,
    job: &PlayMatch,
    out: &mut dyn Write,
    stop: &Signal,
) -> Result {
    let mut bracket = play_knockout(job, |round, job| {
        let run = args.run.run.as_ref().map(|path| path.join(format!("round-{round}")));
        let run = RunArgs { run, resume_anyway: args.run.resume_anyway, ..RunArgs::default() };
        let live = Live::new(&**game, args.pgn.as_deref());
        let outcome = args.place(&run, &programs(&job.players), stop).run(job, game, &|event| live.take(event))?;
        let (_, pgn) = live.finish(args.jobs());
        pgn.map_or(Ok(()), |pgn| pgn?.finish(&mut std::io::sink()))?;
        Ok::<_, Failure>(outcome)
    })?;
    let failure = bracket.rounds.iter_mut().find_map(|round| round.failure.take());
    if args.data.csv {
        write_csv(out, bracket.meetings.iter().map(describe))?;
    } else if args.data.json {
        let settings = settings(&**game, job, args.jobs())?;
        let results = json!({
            "game": game.name(),
            "winner": bracket.winner,
            "meetings": bracket.meetings,
            "games": bracket.rounds.iter().map(|round| round.standings.counted()).sum::<u64>(),
            "time_forfeits": bracket.rounds.iter().map(|round| round.standings.time_forfeits()).collect::<Vec<_>>(),
        });
        document::write(out, PlayMatch::NAME, Some(args.seed), joined(results, json!({ "settings": settings })))?;
    } else {
        write!(out, "{}", in_words(&bracket))?;
    }
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// A line for each meeting, and the winner.
fn in_words(bracket: &Bracket) -> String {
    let line = |meeting: &Meeting| {
        let [first, second] = &meeting.players;
        let [a, b] = meeting.points;
        let why = if meeting.tied { ", named first" } else { "" };
        format!("round {}: {first} – {second} {a} : {b}, {} goes on{why}\n", meeting.round, meeting.winner)
    };
    let mut text: String = bracket.meetings.iter().map(line).collect();
    match &bracket.winner {
        Some(winner) => text += &format!("{winner} wins the knockout\n"),
        None => text += "the round was not finished\n",
    }
    for round in &bracket.rounds {
        text.extend(output::forfeits_of(&round.standings).map(|sentence| sentence + "\n"));
    }
    text
}
