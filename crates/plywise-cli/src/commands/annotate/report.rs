use super::{Arguments, COMMAND};
use crate::plots::{Curve, Panel, Plot};
use crate::recorded::Recorded;
use crate::table::{Format, Sheet, write_csv};
use crate::text::show_counted;
use crate::{Result, document, files, progress};
use plywise_game::Side;
use plywise_game::pgn::Mark;
use plywise_host::AnyGame;
use plywise_host::{Judged, Verdict};
use serde_json::{Value, json};
use std::io::Write;

/// Writes the annotated games, their pictures, and what there is to say about the players.
pub(super) fn write(
    game: &dyn AnyGame,
    args: &Arguments,
    games: &[Verdict],
    read: &Recorded,
    out: &mut dyn Write,
) -> Result {
    let (broken, mut text, mut replaced) = (read.broken, String::new(), 0);
    for game in games {
        let (record, scores) = game.annotated();
        text += &record.to_string();
        replaced += scores;
    }
    args.plot.draw(&|| games.iter().map(|game| Box::new(picture(game)) as Box<dyn Panel>).collect(), out)?;
    if let Some(path) = &args.output {
        files::write(path, &text, out)?;
    }
    if let Some(complaint) = &read.complaint {
        let games = if broken == 1 { "1 broken game is" } else { &format!("{broken} broken games are") };
        progress::say(&format!("{games} left out: {complaint}"));
    }
    if replaced > 0 {
        let scores = if replaced == 1 { "1 score" } else { &format!("{replaced} scores") };
        progress::say(&format!("{scores} of an earlier search replaced by ours"));
    }
    if args.data.csv {
        return write_csv(out, games.iter().zip(1..).flat_map(|(game, number)| move_rows(game, number)));
    }
    if args.data.json {
        let documents: Vec<Value> = games.iter().zip(1..).map(|(game, number)| to_json(game, number)).collect();
        let results = json!({"game": game.name(), "games": documents, "broken": broken, "file": args.output});
        return document::write(out, COMMAND, None, results);
    }
    match &args.output {
        None => Ok(write!(out, "{text}")?),
        Some(path) => {
            let (sheet, skipped) =
                (players(games), if broken > 0 { format!(", {broken} broken") } else { String::new() });
            let nodes = show_counted(games.iter().map(Verdict::nodes).sum(), "node");
            let games = if games.len() == 1 { "1 game".to_string() } else { format!("{} games", games.len()) };
            writeln!(
                out,
                "{games}{skipped}, {nodes}: {}; its scores are for {}\n",
                path.display(),
                game.player(Side::First)
            )?;
            Ok(write!(out, "{}", sheet.show(&Format::default()))?)
        }
    }
}

/// What a player made of a game.
#[derive(Default)]
struct Play {
    moves: usize,
    lost: f64,
    marks: [usize; 4],
}

const MARKS: [Mark; 4] = [Mark::Blunder, Mark::Mistake, Mark::Dubious, Mark::Interesting];

fn play(game: &Verdict, side: Side) -> Play {
    let mut play = Play::default();
    for Judged { loss, mark, .. } in game.moves().iter().filter(|judged| judged.side == side) {
        play.moves += 1;
        play.lost += loss.max(0.0);
        MARKS.iter().zip(&mut play.marks).for_each(|(known, count)| *count += usize::from(*mark == Some(*known)));
    }
    play
}

/// A line for each player of each game.
fn players(games: &[Verdict]) -> Sheet {
    let columns = ["game", "side", "player", "result", "moves", "points lost", "??", "?", "?!", "!?"];
    let mut sheet = Sheet::new(&columns, &[1, 2, 3]);
    for (game, number) in games.iter().zip(1..) {
        for side in [Side::First, Side::Second] {
            let Play { moves, lost, marks } = play(game, side);
            let (player, result) = (name(game, side), game.record.result.to_string());
            let mut cells = vec![number.to_string(), game.game.player(side).to_string(), player, result];
            cells.extend([moves.to_string(), format!("{lost:.2}")]);
            cells.extend(marks.iter().map(ToString::to_string));
            sheet.add(cells);
        }
    }
    sheet
}

/// The player's name, or what the game calls the side.
fn name(game: &Verdict, side: Side) -> String {
    let tag = game.record.tag(if side == Side::First { "White" } else { "Black" });
    tag.filter(|name| *name != "?").unwrap_or(game.game.player(side)).to_string()
}

fn to_json(game: &Verdict, number: usize) -> Value {
    let player = |side| {
        let Play { moves, lost, marks } = play(game, side);
        let [blunders, mistakes, dubious, interesting] = marks;
        json!({"name": name(game, side), "moves": moves, "points_lost": lost, "blunders": blunders,
               "mistakes": mistakes, "dubious": dubious, "interesting": interesting})
    };
    json!({
        "number": number,
        "result": game.record.result.to_string(),
        "players": [player(Side::First), player(Side::Second)],
        "nodes": game.nodes(),
        "moves": move_rows(game, number).collect::<Vec<_>>(),
    })
}

/// The moves of a game, with scores as the player sees them who moves first.
fn move_rows(game: &Verdict, number: usize) -> impl Iterator<Item = Value> {
    game.moves().into_iter().enumerate().map(move |(i, judged)| {
        let (position, (score, depth)) = (game.position(i), game.score(i + 1));
        json!({
            "number": number,
            "ply": i + 1,
            "move": position.write_move(judged.played),
            "score": score,
            "depth": depth,
            "expected": game.points(i + 1),
            "points_lost": judged.loss,
            "mark": judged.mark.map(|mark| mark.to_string()),
            "best": position.write_line(&judged.best),
        })
    })
}

/// The points that the player who moves first can expect, over the game. Scores themselves grow beyond any picture.
fn picture(game: &Verdict) -> Plot {
    let points = (0..=game.record.position.plies()).map(|moves| 100.0 * game.points(moves));
    let [first, second] = [Side::First, Side::Second].map(|side| name(game, side));
    let mut plot =
        Plot::new("ply", "expected score in %", vec![Curve::new(format!("{first} against {second}"), points)]);
    plot.levels.extend([("won", 100.0), ("even", 50.0), ("lost", 0.0)]);
    plot
}
