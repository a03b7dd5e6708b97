//! Positions, moves, PGN and EPD of every game.

use super::{Parser, ensure, one_sentence};
use crate::random::of_case;
use plywise_cli::Playable;
use plywise_game::pgn::{self, Record};
use plywise_game::random::Random;
use plywise_game::{Evaluate, Game, Linear, Notation, conformance, epd};

const MOVE_WORDS: &[&str] = &[
    "x", "-", "=", "=Q", "=K", "(Q)", "+", "#", "!?", "e.p.", "O-O", "0-0-0", "o-o", "Nf3", "Ng1-f3", "exd6", "e8N",
    "a1b2", "c3c5d3", "pass", "0000", "--", "K", "Q", "R", "B", "N", "P", "a", "h", "1", "8", "9", "i5",
];
const POSITION_WORDS: &[&str] = &[
    "/",
    "8",
    "9",
    "1",
    "w",
    "b",
    "-",
    "KQkq",
    "HAha",
    "K",
    "e3",
    "e6",
    "a6",
    "k",
    "K",
    "q",
    "p",
    "P",
    "0 1",
    "99 1",
    "X",
    "O",
    "*",
    ".",
    "standard",
    "belgian-daisy",
    "f5d6c3",
    "pass",
    "6 0",
    "0 6",
    "//",
    "bbbbbbbb",
];
const PGN_WORDS: &[&str] = &[
    "[Event \"",
    "\"]",
    "[FEN \"",
    "[SetUp \"1\"]\n",
    "[Variant \"",
    "[Result \"1-0\"]\n",
    "[",
    "]",
    "1.",
    "1...",
    "$1",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "1-0",
    "0-1",
    "1/2-1/2",
    "*",
    "\n\n",
    "[%eval 0.5,3]",
    "[%clk 0:00:01]",
    "--",
    "e4",
    "\\\"",
    "<>",
    "!!",
    "e.p.",
    "N",
    "\r",
];
const EPD_WORDS: &[&str] =
    &[" bm ", " am ", " id \"", "\";", ";", " ;D1 20", " c0 \"x\";", "# ", " hmvc 1;", "bm", "\\\"", " acd 5;"];

/// The parsers of one game.
pub(super) fn parsers<G: Playable>() -> Vec<Parser> {
    let positions = sample_positions::<G>();
    let texts: Vec<String> = positions.iter().map(G::write_position).chain(odd_positions().map(String::from)).collect();
    let moves = sample_moves::<G>(&positions);
    let name = |what: &str| format!("{} {what}", G::NAME);
    vec![
        Parser::new(name("position"), texts.clone(), POSITION_WORDS, reads_position::<G>),
        Parser::new(name("move"), moves.clone(), MOVE_WORDS, move |input| reads_move::<G>(input, &positions)),
        Parser::new(name("PGN"), sample_games::<G>(), PGN_WORDS, reads_pgn::<G>),
        Parser::new(name("EPD"), sample_entries::<G>(&texts), EPD_WORDS, reads_epd::<G>),
    ]
}

/// Positions of every part of the game, each time the same.
pub(crate) fn sample_positions<G: Playable>() -> Vec<G::Position> {
    let mut positions: Vec<_> = G::BENCH_POSITIONS.iter().filter_map(|text| G::parse_position(text).ok()).collect();
    positions.extend(odd_positions().filter_map(|text| G::parse_position(text).ok()));
    for seed in 0..4 {
        let line = random_game::<G>(G::start(), 120, &mut of_case("samples", seed, 0));
        positions.extend(line.into_iter().step_by(9).map(|(position, _)| position));
    }
    positions
}

/// Positions with castling in all its forms, en passant, promotions, stalemate, blocked and finished games.
fn odd_positions() -> impl Iterator<Item = &'static str> {
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w FBfb - 2 8",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 99 80",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/8/8/8/4k3/8/4K2R w K - 0 1",
        "bw4wb/ww4ww/8/8/8/8/8/8 b",
        "8/8/4b3/4w3/8/8/4b3/ww6 b",
        "8/8/2b5/3b4/4b3/8/ww6/8 w",
        "OX-------------------------------------------------------------- X",
        "XXXXXXXX------------------------OOOOOOOO------------------------ X",
        "f5d6c3d3c4f4f6",
        "d3c3b3d2e1d6d7e3f4",
        "F5 d6 C3 pass",
        "standard",
        "belgian-daisy",
        "german-daisy",
        "5/6/7/8/4bbbww/8/7/6/5 b 0 5",
        "5/6/7/8/w5bbw/8/7/6/5 b 0 0 30",
        "5/6/7/8/bww6/8/7/6/5 w 5 5 99",
    ]
    .into_iter()
}

/// The positions and moves of a random game of at most `plies` plies.
pub(crate) fn random_game<G: Game>(
    start: G::Position,
    plies: usize,
    random: &mut Random,
) -> Vec<(G::Position, G::Move)> {
    let mut line = Vec::new();
    let mut position = start;
    while let Some(&mv) = random.pick(&G::legal_moves(&position)).filter(|_| line.len() < plies) {
        let next = G::play(&position, mv);
        line.push((position, mv));
        position = next;
    }
    line
}

fn sample_moves<G: Notation>(positions: &[G::Position]) -> Vec<String> {
    let written = |position| {
        let both = |mv| [G::write_move(position, mv), G::write_engine_move(position, mv)];
        G::legal_moves(position).into_iter().flat_map(both).collect::<Vec<_>>()
    };
    positions.iter().flat_map(written).collect()
}

/// Random games as PGN, with tags, comments, variations and marks.
fn sample_games<G: Notation>() -> Vec<String> {
    let mut games: Vec<String> = (0..12)
        .map(|seed| {
            let mut random = of_case("PGN", seed, 0);
            let line = random_game::<G>(G::start(), 4 + random.below(30), &mut random);
            let start = random.below(line.len());
            let mut record = Record::<G>::new(line.get(start).map_or_else(G::start, |(position, _)| position.clone()));
            record.moves = line.into_iter().skip(start).map(|(_, mv)| mv).collect();
            record.tags.push(("Event".into(), "A \"quoted\" \\ event".into()));
            record.tags.push(("White".into(), "é😀".into()));
            record.remarks.add_comment(record.moves.len() / 2, "[%eval 0.35,12] [%clk 0:00:04.1] a remark");
            record.to_string()
        })
        .collect();
    games.push(games.concat());
    games.push(
        "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 {c} (1. d4 $1 (1. c4) d5) 1... e5! ; rest\n% escaped\n2. Nf3 *\n"
            .into(),
    );
    games
}

fn sample_entries<G: Notation>(positions: &[String]) -> Vec<String> {
    let entry = |text: &String| {
        let position = G::parse_position(text).ok()?;
        let moves = G::legal_moves(&position);
        let mut entry = epd::Entry::<G>::new(position);
        entry.best = moves.iter().copied().take(2).collect();
        entry.avoid = moves.iter().copied().skip(3).take(1).collect();
        entry.id = Some("a \"name\"".replace('"', "'"));
        Some(format!("{entry} c0 \"from a game\"; D1 20;"))
    };
    let mut entries: Vec<String> = positions.iter().filter_map(entry).collect();
    entries.extend(positions.iter().take(3).map(|text| format!("{text} ;D1 20 ;D2 400")));
    entries
}

fn reads_position<G: Playable>(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    conformance::check_text::<G>(&text, &[]).map_err(|violation| violation.to_string())?;
    match G::parse_position(&text) {
        Err(error) => one_sentence(error),
        Ok(position) => {
            let limit = plywise_game::score::EVAL_LIMIT;
            let value = G::evaluation(G::Weights::default()).evaluate(&position);
            ensure(value.abs() <= limit, || format!("its evaluation is {value}"))?;
            G::Weights::default().explain(&position);
            G::canonical(&position);
            Ok(())
        }
    }
}

fn reads_move<G: Notation>(input: &[u8], positions: &[G::Position]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    for position in positions {
        match G::parse_move(position, &text) {
            Err(error) => one_sentence(error)?,
            Ok(mv) => {
                let legal = G::legal_moves(position).contains(&mv);
                ensure(legal, || format!("{mv:?} is illegal in {}", G::write_position(position)))?;
                let again = G::parse_move(position, &G::write_move(position, mv));
                ensure(again == Ok(mv), || format!("{mv:?} is written so that it reads {again:?}"))?;
            }
        }
    }
    Ok(())
}

fn reads_pgn<G: Notation>(input: &[u8]) -> Result<(), String> {
    for (number, read) in pgn::read::<G, _>(input).enumerate() {
        ensure(number <= input.len(), || "more games than letters".into())?;
        let record = match read {
            Ok(record) => record,
            Err(error) => {
                one_sentence(error)?;
                continue;
            }
        };
        let text = record.to_string();
        let again: Vec<_> = pgn::read::<G, _>(text.as_bytes()).collect();
        let [Ok(again)] = &again[..] else {
            return Err(format!("written as {text:?}, it reads as {again:?}"));
        };
        let same = again.start == record.start && again.moves == record.moves && again.result == record.result;
        let same = same && again.remarks == record.remarks && again.first_number == record.first_number;
        ensure(same, || format!("written as {text:?}, it reads as {again:?}"))?;
        let once_more = again.to_string();
        ensure(once_more == text, || format!("{text:?} is written {once_more:?} when it has been read"))?;
    }
    Ok(())
}

fn reads_epd<G: Notation>(input: &[u8]) -> Result<(), String> {
    for read in epd::read::<G, _>(input) {
        match read {
            Err(error) => one_sentence(error)?,
            Ok(entry) => {
                let text = entry.to_string();
                let again = text.parse::<epd::Entry<G>>().map_err(|error| format!("written as {text:?}: {error}"))?;
                let same = again.position == entry.position && again.best == entry.best && again.avoid == entry.avoid;
                // What EPD cannot express is bent, once.
                let same = same && again.to_string() == text;
                ensure(same, || format!("written as {text:?}, it reads as {again:?}"))?;
                entry.perft_counts();
            }
        }
    }
    Ok(())
}
