//! Conversations with the engine, without a process.

use plywise_chess::Chess;
use plywise_cli::Playable;
use plywise_cli::uci::{Flow, Session};
use plywise_game::{BoardGame, Game, Notation, Outcome};
use plywise_host::Hosted;
use plywise_loa::Loa;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A writer whose text can be read at any time.
#[derive(Clone, Default)]
pub(crate) struct Transcript(Arc<Mutex<Vec<u8>>>);

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Transcript {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// A session under test.
pub(crate) struct Engine {
    session: Session<Transcript>,
    transcript: Transcript,
    /// How much of the transcript has been looked at.
    seen: usize,
}

impl Engine {
    pub(crate) fn new<G: Playable>() -> Engine {
        let transcript = Transcript::default();
        let session = Session::with_table(Arc::new(Hosted::<G>::new()), 1, transcript.clone()).unwrap();
        Engine { session, transcript, seen: 0 }
    }

    /// Sends lines and gives what was answered so far.
    pub(crate) fn send(&mut self, lines: &str) -> String {
        for line in lines.lines() {
            assert_eq!(self.session.answer(line).unwrap(), Flow::Continue);
        }
        self.fresh()
    }

    fn fresh(&mut self) -> String {
        let text = self.transcript.text()[self.seen..].to_string();
        self.seen += text.len();
        text
    }

    /// Sends lines and waits for a line that begins with `prefix`; gives all that was said.
    #[track_caller]
    pub(crate) fn ask(&mut self, lines: &str, prefix: &str) -> String {
        let mut text = self.send(lines);
        let begun = Instant::now();
        while !text.lines().any(|line| line.starts_with(prefix)) {
            assert!(begun.elapsed() < Duration::from_secs(60), "no '{prefix}' in {text}");
            std::thread::sleep(Duration::from_millis(1));
            text += &self.fresh();
        }
        text
    }

    /// The move that is given for a `go` command.
    #[track_caller]
    pub(crate) fn best_move(&mut self, lines: &str) -> String {
        let text = self.ask(lines, "bestmove");
        let line = text.lines().find(|line| line.starts_with("bestmove")).unwrap();
        line.split(' ').nth(1).unwrap().to_string()
    }
}

#[test]
fn the_engine_introduces_itself() {
    let text = Engine::new::<Chess>().send("uci\nisready");
    for line in [
        "option name Hash type spin default 1 min 1 max 33554432",
        "option name Threads type spin default 1 min 1 max 256",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name Clear Hash type button",
        "option name UCI_Chess960 type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name Show Parameters type check default false",
        "uciok",
        "readyok",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in {text}");
    }
    assert!(text.contains("option name Profile type combo default best var "), "{text}");
    assert!(text.contains("option name UCI_Elo type spin default "), "{text}");
    assert!(!text.contains("option name table.enabled"), "a dialog has no room for every parameter: {text}");
    let loa = Engine::new::<Loa>().send("uci");
    assert!(loa.contains("(Lines of Action)") && !loa.contains("Chess960") && !loa.contains("UCI_Elo"), "{loa}");
}

#[test]
fn parameters_are_declared_where_they_are_asked_for() {
    let mut engine = Engine::new::<Chess>();
    let text =
        engine.send("setoption name Show Parameters value true\nsetoption name framework.algorithm value mtdf\nuci");
    for line in [
        "option name Show Parameters type check default true",
        "option name table.enabled type check default true",
        "option name aspiration.window type spin default 15 min 1 max 1000",
        "option name framework.algorithm type combo default mtdf var minimax var alphabeta var pvs var mtdf",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in {text}");
    }
    let shown = crate::plywise("uci --show-parameters").write_stdin("uci\nquit\n").assert().success();
    assert!(String::from_utf8_lossy(&shown.get_output().stdout).contains("option name table.enabled"));
}

/// The greatest number of nodes that a search has told of.
fn most_nodes(text: &str) -> u64 {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).filter(|pair| pair[0] == "nodes").filter_map(|pair| pair[1].parse().ok()).max().unwrap()
}

#[test]
fn a_weak_player_looks_at_little_and_an_analyst_does_not() {
    let mut engine = Engine::new::<Chess>();
    let declared = engine.send("uci");
    let elo = declared.lines().find(|line| line.contains("name UCI_Elo")).unwrap();
    let least: u32 =
        elo.split(' ').nth(elo.split(' ').position(|word| word == "min").unwrap() + 1).unwrap().parse().unwrap();
    let refused = engine.send(&format!("setoption name UCI_Elo value {}", least - 1));
    assert!(refused.contains(&format!("UCI_Elo must be a whole number between {least} and ")), "{refused}");
    engine.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1450");
    let moves: std::collections::HashSet<String> = (0..12)
        .map(|_| {
            let text = engine.ask("ucinewgame\nposition startpos moves e2e4\ngo depth 6", "bestmove");
            assert!(most_nodes(&text) < 500, "{text}");
            text.lines().last().unwrap().split(' ').nth(1).unwrap().to_string()
        })
        .collect();
    assert!(moves.len() > 1, "a weak player varies: {moves:?}");
    let text = engine.ask("setoption name UCI_AnalyseMode value true\ngo depth 6", "bestmove");
    assert!(most_nodes(&text) > 500, "{text}");
    let refused = Engine::new::<Loa>().send("setoption name UCI_LimitStrength value true");
    assert_eq!(refused, "info string there are no measured ratings for Lines of Action\n");
}

#[test]
fn ratings_mean_the_evaluation_that_they_were_measured_with() {
    // At 2,000 there are no slips, and too many nodes for the depth to end by them.
    let scores = |options: &str| -> Vec<String> {
        let text = Engine::new::<Chess>()
            .ask(&format!("{options}\nposition startpos moves e2e4 c7c5\ngo depth 5"), "bestmove");
        let lines = text.lines().filter_map(|line| line.split_once(" score "));
        lines.map(|(_, rest)| rest.split(" nps ").next().unwrap_or_default().to_string()).collect()
    };
    let limited = scores("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 2000");
    assert_eq!(limited, scores("setoption name EvalFile value off"));
    assert_ne!(limited, scores(""));
}

#[test]
fn scores_come_with_chances() {
    let mut engine = Engine::new::<Chess>();
    assert!(!engine.ask("go depth 2", "bestmove").contains(" wdl "));
    let text = engine.ask("setoption name UCI_ShowWDL value true\nposition startpos\ngo depth 4", "bestmove");
    let chances = |line: &str| -> Vec<u32> {
        let words = line.split(' ').skip_while(|word| *word != "wdl").skip(1).take(3);
        words.map(|word| word.parse().unwrap()).collect()
    };
    let infos: Vec<&str> = text.lines().filter(|line| line.contains(" score ")).collect();
    assert!(!infos.is_empty() && infos.iter().all(|line| chances(line).iter().sum::<u32>() == 1000), "{text}");
    let mate = engine.ask("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo depth 3", "bestmove");
    assert!(mate.contains("score mate 1 wdl 1000 0 0 "), "{mate}");
    let up = engine.ask("position fen 4k3/8/8/8/8/8/4P3/QR2K3 w - - 0 1\ngo nodes 200", "bestmove");
    assert!(up.lines().filter(|line| line.contains(" score ")).all(|line| chances(line)[0] > 800), "{up}");
}

#[test]
fn a_mate_is_proved_by_the_exact_search() {
    let mut engine = Engine::new::<Chess>();
    let text = engine
        .ask("position fen r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1\ngo mate 2", "bestmove");
    assert!(text.contains("score mate 2 ") && text.contains("bestmove d2h6"), "{text}");
    assert!(most_nodes(&text) < 5000, "{text}");
    // Where there is none, the search ends all the same.
    let text = engine.ask("position startpos\ngo mate 2", "bestmove");
    assert!(text.contains("info depth 3 ") && !text.contains("info depth 4 ") && !text.contains(" mate "), "{text}");
    // The next search is the player's own again.
    let again = engine.ask("ucinewgame\nposition startpos\ngo depth 5", "bestmove");
    let fresh = Engine::new::<Chess>().ask("position startpos\ngo depth 5", "bestmove");
    assert_eq!(most_nodes(&again), most_nodes(&fresh));
}

#[test]
fn the_board_can_be_flipped() {
    let mut engine = Engine::new::<Chess>();
    assert!(engine.send("position startpos moves e2e4\nflip\nd").contains(" w KQkq"));
    let text = engine.send("position startpos moves e2e4 f7f6 d1h5\nflip\nd");
    assert!(text.contains("info string the side to move cannot pass here") && text.contains(" b KQkq"), "{text}");
}

#[test]
fn nothing_is_measured_during_a_search() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.send("go infinite\nbench");
    assert!(text.contains("'bench' is ignored while a search is running"), "{text}");
    engine.ask("stop", "bestmove");
}

#[test]
fn a_search_tells_how_it_goes() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.ask("position startpos moves e2e4 e7e5\ngo depth 4", "bestmove");
    let info = text.lines().rfind(|line| line.starts_with("info depth")).unwrap();
    for word in ["seldepth", "multipv 1", "score cp", "nodes", "nps", "hashfull", "time", " pv "] {
        assert!(info.contains(word), "{word} in {info}");
    }
    assert!(text.contains(" ponder "), "{text}");
}

#[test]
fn the_line_of_a_mate_goes_to_the_end() {
    let mut engine = Engine::new::<Chess>();
    // "... dm 3; ..." is a mate in three.
    let mates = Chess::SUITES[0].1.lines().filter_map(|line| {
        let (fen, rest) = line.split_once(" bm ")?;
        Some((fen, rest.split_once(" dm ")?.1.split(';').next()?.parse::<usize>().ok().filter(|&moves| moves <= 3)?))
    });
    for (fen, moves) in mates.chain([("8/8/8/8/8/2k5/3q4/K7 b - - 0 1", 1)]) {
        let text = engine.ask(&format!("position fen {fen}\ngo mate {moves}"), "bestmove");
        let last = text.lines().rfind(|line| line.contains(" pv ")).unwrap();
        assert!(last.contains(&format!(" score mate {moves} ")), "{fen}: {text}");
        let line: Vec<&str> = last.split_once(" pv ").unwrap().1.split(' ').collect();
        assert_eq!(line.len(), 2 * moves - 1, "{fen}: {text}");
        let mut position = Chess::parse_position(fen).unwrap();
        for word in &line {
            position = Chess::play(&position, Chess::parse_move(&position, word).unwrap());
        }
        assert_eq!(Chess::outcome(&position), Some(Outcome::Loss), "{fen}: {text}");
        let answer = match line[..] {
            [only] => format!("bestmove {only}\n"),
            [best, reply, ..] => format!("bestmove {best} ponder {reply}\n"),
            [] => unreachable!(),
        };
        assert!(text.ends_with(&answer), "{fen}: {text}");
    }
}

#[test]
fn a_search_that_breaks_off_claims_no_mate_against_itself() {
    let mut engine = Engine::new::<Chess>();
    for (fen, nodes) in [
        ("1Qn3k1/1p3ppp/4p3/BP6/2q1nN2/p3P2P/P1r2PP1/3K3R w - - 3 28", 200),
        ("4k3/p2b1p2/8/2QN1Pp1/4P3/P2B4/2PK1P2/q7 b - - 2 30", 500),
    ] {
        let text = engine.ask(&format!("ucinewgame\nposition fen {fen}\ngo nodes {nodes}"), "bestmove");
        assert!(!text.contains("mate -"), "{text}");
        assert!(text.lines().any(|line| line.contains(" upperbound ")), "{text}");
    }
}

#[test]
fn mates_are_counted_in_moves() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.ask("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo depth 3", "bestmove");
    assert!(text.contains("score mate 1 "), "{text}");
    assert!(text.contains("bestmove d1d8\n"), "{text}");
    let text = engine.ask("position fen 7k/8/5KQ1/8/8/8/8/8 b - - 0 1\ngo depth 4", "bestmove");
    assert!(text.contains("bestmove (none)") || text.contains("score mate -"), "{text}");
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.ask("position startpos moves f2f3 e7e5 g2g4 d8h4\ngo depth 3", "bestmove");
    assert!(text.contains("score mate 0") && text.contains("bestmove (none)"), "{text}");
    let loa = Engine::new::<Loa>().best_move("position fen 8/8/8/3b4/8/8/w6w/8 w\ngo depth 2");
    assert_eq!(loa, "(none)");
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let mut engine = Engine::new::<Chess>();
    // A mate in one is searched to the greatest depth at once, and still no move may come.
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\ngo infinite searchmoves d1d8");
    std::thread::sleep(Duration::from_millis(100));
    let text = engine.send("isready");
    assert!(text.ends_with("readyok\n") && !text.contains("bestmove"), "{text}");
    assert_eq!(engine.best_move("stop"), "d1d8");
    assert_eq!(engine.send("stop"), "", "there is nothing to stop");
}

#[test]
fn pondering_ends_with_ponderhit_or_stop() {
    let mut engine = Engine::new::<Chess>();
    engine.send("position startpos moves e2e4\ngo ponder depth 2");
    std::thread::sleep(Duration::from_millis(100));
    assert!(!engine.send("isready").contains("bestmove"));
    engine.best_move("ponderhit");
    engine.send("go ponder wtime 1000 btime 1000");
    assert!(!engine.send("isready").contains("bestmove"));
    engine.best_move("stop");
    engine.send("go ponder movetime 30");
    engine.best_move("ponderhit");
}

#[test]
fn what_needs_the_searcher_waits_for_stop() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.send("go infinite\ngo depth 1\nsetoption name Hash value 2\nposition startpos moves d2d4");
    assert_eq!(text.matches("is ignored while a search is running").count(), 2, "{text}");
    engine.best_move("stop");
    assert!(!engine.ask("go depth 1", "bestmove").contains("ignored"));
}

#[test]
fn limits_hold() {
    let mut engine = Engine::new::<Chess>();
    for limits in ["depth 3", "nodes 2000", "movetime 20", "wtime 500 btime 500 winc 10 binc 10", "mate 1 depth 2"] {
        engine.best_move(&format!("position startpos\ngo {limits}"));
    }
    let text = engine.ask("go depth 3", "bestmove");
    assert!(text.contains("info depth 3 ") && !text.contains("info depth 4 "), "{text}");
    assert_eq!(engine.best_move("go depth 2 searchmoves a2a3"), "a2a3");
    let text = engine.ask("go depth 1 searchmoves a2a5", "bestmove");
    assert!(text.contains("info string the move 'a2a5' is illegal"), "{text}");
    let text = engine.ask("go perft 3", "Nodes searched");
    assert!(text.contains("e2e4: 600\n") && text.contains("Nodes searched: 8902"), "{text}");
    engine.send("go perft 40");
    engine.ask("stop", "Nodes searched");
}

#[test]
fn several_lines_are_numbered() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.ask("setoption name MultiPV value 3\ngo depth 2", "bestmove");
    for number in 1..=3 {
        assert!(text.contains(&format!("multipv {number} ")), "{text}");
    }
}

/// The moves of the last `pv` of each rank, best first, and the move that was given.
fn board_and_move(text: &str) -> (Vec<String>, String) {
    let mut board: Vec<String> = Vec::new();
    let mut best = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let after = |name: &str| words.iter().position(|word| *word == name).map(|at| words[at + 1]);
        if let (Some(rank), Some(mv)) = (after("multipv"), after("pv")) {
            board.truncate(rank.parse::<usize>().unwrap() - 1);
            board.push(mv.to_string());
        }
        best = after("bestmove").unwrap_or(&best).to_string();
    }
    (board, best)
}

#[test]
fn the_move_is_the_first_of_the_first_line() {
    let mut engine = Engine::new::<Chess>();
    for lines in [1, 2, 4] {
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for nodes in (100..6000).step_by(431) {
            let text = engine.ask(&format!("position startpos moves e2e4\nucinewgame\ngo nodes {nodes}"), "bestmove");
            let (board, best) = board_and_move(&text);
            assert_eq!(board.first(), Some(&best), "{text}");
            let mut distinct = board.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), board.len(), "{text}");
        }
    }
}

#[test]
fn a_position_that_cannot_be_played_is_refused() {
    let mut engine = Engine::new::<Chess>();
    let text = engine.send("position fen 8/8/8/8/5k2/5K2/8/7R w - - 0 1");
    assert!(text.contains("the kings stand next to each other"), "{text}");
    engine.best_move("go depth 3");
}

#[test]
fn a_wrong_position_changes_nothing() {
    let mut engine = Engine::new::<Chess>();
    engine.send("position startpos moves e2e4");
    let board = engine.send("d");
    for wrong in ["position startpos moves e2e5", "position fen 8/8 w", "position", "position fen", "position x moves"]
    {
        let text = engine.send(wrong);
        assert!(text.starts_with("info string the position stays as it was: "), "{wrong}: {text}");
        assert_eq!(engine.send("d"), board, "{wrong}");
    }
}

#[test]
fn castling_is_written_as_asked() {
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1\ngo depth 1 searchmoves e1g1";
    let mut engine = Engine::new::<Chess>();
    assert_eq!(engine.best_move(position), "e1g1");
    engine.send("setoption name UCI_Chess960 value true");
    assert_eq!(engine.best_move(position), "e1h1");
}

#[test]
fn options_are_set_and_refused() {
    let mut engine = Engine::new::<Chess>();
    for (option, complaint) in [
        ("setoption name Hash value 2", ""),
        ("setoption name hash value 33554432", "hash size is beyond memory"),
        ("setoption name Hash value 33554433", "Hash must be a whole number between 1 and 33554432"),
        ("setoption name Hash value many", "Hash must be a whole number between 1 and 33554432"),
        ("setoption name Threads value 0", "Threads must be a whole number between 1 and 256"),
        ("setoption name Threads value 2", ""),
        ("setoption name Clear Hash", ""),
        ("setoption name Ponder value true", ""),
        ("setoption name Ponder value maybe", "Ponder must be true or false"),
        ("setoption name Profile value brute", ""),
        ("setoption name Profile value brut", "unknown profile 'brut'; the nearest is 'brute'"),
        ("setoption name aspiration.window value 30", ""),
        ("setoption name aspiration.windw value 30", "unknown parameter 'aspiration.windw'"),
        ("setoption name aspiration.window value 0", "must lie between 1 and 1000"),
        ("setoption name framework.algorithm value alphabeta", ""),
        ("setoption name framework.algorithm value 2", ""),
        ("setoption name framework.algorithm value alpha", "must be minimax, alphabeta, pvs, mtdf, not 'alpha'"),
        ("setoption name UCI_ShowWDL value perhaps", "UCI_ShowWDL must be true or false"),
        ("setoption name table.enabled value false", ""),
        ("setoption name evaluation.tempo.middlegame value 20", ""),
        ("setoption", "an option needs a name"),
    ] {
        let text = engine.send(option);
        if complaint.is_empty() {
            assert_eq!(text, "", "{option}");
        } else {
            assert!(text.starts_with("info string ") && text.contains(complaint), "{option}: {text}");
        }
    }
    engine.best_move("go depth 2");
}

#[test]
fn the_seed_decides_what_variety_plays() {
    let mut engine = Engine::new::<Chess>();
    engine.send("setoption name variety.enabled value true\nsetoption name variety.spread value 40\n");
    let mut first_moves = |seed: u64| {
        let line = format!("setoption name Seed value {seed}\nposition startpos\ngo depth 5\n");
        let here = engine.best_move(&line);
        here + &engine.best_move("ucinewgame\nposition startpos\ngo depth 5\n")
    };
    let games: Vec<String> = (1..=8).map(&mut first_moves).collect();
    assert_eq!(games, (1..=8).map(&mut first_moves).collect::<Vec<_>>());
    assert!(games.iter().any(|game| *game != games[0]), "{games:?}");
}

#[test]
fn unknown_words_are_answered() {
    let mut engine = Engine::new::<Chess>();
    assert_eq!(engine.send("xyzzy\n\n  \n"), "info string unknown command 'xyzzy'\n");
    assert!(engine.send("eval").contains("evaluation for the side to move"));
    assert!(engine.send("d").contains("rnbqkbnr/pppppppp"));
    assert_eq!(engine.session.answer("quit").unwrap(), Flow::Quit);
}

#[test]
fn other_games_speak_the_same() {
    let mut engine = Engine::new::<Loa>();
    let best = engine.best_move("ucinewgame\nposition startpos moves b8b6 a3c3\ngo depth 2");
    assert_eq!(best.len(), 4, "{best}");
    assert!(engine.send("d").contains('/'));
}

#[test]
fn the_end_of_the_input_ends_the_session() {
    let transcript = Transcript::default();
    let mut session = Session::with_table(Arc::new(Hosted::<Chess>::new()), 1, transcript.clone()).unwrap();
    session.serve("position startpos\ngo infinite\n".as_bytes()).unwrap();
    assert!(transcript.text().contains("bestmove "), "the search was stopped: {}", transcript.text());
    let assert = crate::plywise("uci").write_stdin("uci\nisready\ngo infinite\nquit\n").assert().success();
    assert!(String::from_utf8_lossy(&assert.get_output().stdout).contains("readyok"));
}

#[test]
fn a_line_that_does_not_end_is_passed_over() {
    let transcript = Transcript::default();
    let mut session = Session::with_table(Arc::new(Hosted::<Chess>::new()), 1, transcript.clone()).unwrap();
    let endless = io::repeat(b'x').take(20_000_000).chain("\nisready\n".as_bytes());
    session.serve(io::BufReader::new(endless)).unwrap();
    assert_eq!(transcript.text(), "info string a line of more than 1048576 bytes is ignored\nreadyok\n");
}
