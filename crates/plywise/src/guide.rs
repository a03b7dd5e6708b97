//! From nothing to a program that plays: read the chapters in their order.
//!
//! 1. [`first_game`]: rules and a search: a complete program.
//! 2. [`checking`]: the kit that finds mistakes in rules before a search trips over them.
//! 3. [`evaluating`]: what an evaluation must keep to, and weights that are declared once.
//! 4. [`searching`]: limits, clocks, signals, several lines, repetition, threads.
//! 5. [`hooks`]: what a game can tell the search beyond its rules, and what each hook switches on.
//! 6. [`techniques`]: profiles and parameters, counting what a technique does, tables.
//! 7. [`embedding`]: a search inside another program.
//!
//! A program that uses plywise names it in its `Cargo.toml`, with the games that it wants of `chess`, `loa`, `othello` and
//! `abalone`, if any, and without the program `plywise`, which is the default:
//!
//! ```toml
//! [dependencies]
//! plywise = { path = "plywise/crates/plywise", default-features = false, features = ["othello"] }
//! ```
//!
//! All code here is compiled and run as tests. The longer programs are in the folder `examples`:
//! `cargo run --release -p plywise --example connect_four -- play connect-four`.

/// A complete program: the rules of tic-tac-toe, and a perfect game.
///
/// A position is a small value, and playing a move makes a new one; nothing is ever undone. The game itself is an empty
/// type, so the rules may live in a crate that knows nothing of plywise. Tic-tac-toe is searched to its end and so needs
/// no evaluation; [`evaluating`] adds one.
///
/// ```
#[doc = include_str!("../examples/tic_tac_toe.rs")]
/// ```
///
/// What each function owes the search:
///
/// | function | must |
/// | --- | --- |
/// | [`start`](crate::Game::start) | give a position in which [`Side::First`](crate::Side) moves and the game is not over |
/// | [`side_to_move`](crate::Game::side_to_move) | change with every move; a player who has to pass gets one move, the pass |
/// | [`moves`](crate::Game::moves) | list every legal move once, always in the same order, and none where the game is over |
/// | [`play`](crate::Game::play) | depend on the position and the move alone |
/// | [`hash`](crate::Game::hash) | differ wherever positions differ in something that matters, the side to move included, and be spread over all 64 bits: the table finds its place by the high ones. [`zobrist::key`](crate::zobrist::key) mixes a small number; boards with many squares keep an incremental hash of keys |
/// | [`decided`](crate::Game::decided) | see the end of a game that shows without looking for moves; it has a default: never |
/// | [`stuck`](crate::Game::stuck) | say how a game ends in which no move is left and nothing is decided |
/// | [`move_code`](crate::Game::move_code) | differ among the moves of one position, and never be 0 |
///
/// Scores are from the view of the side to move. A win after n plies is n less than [`WIN`](crate::score::WIN), so that the
/// shorter one is preferred; [`plies_to_end`](crate::score::plies_to_end) reads it.
///
/// Next: [`checking`].
pub mod first_game {}

/// Finding mistakes in rules: the conformance kit, and counts of move paths.
///
/// A search believes everything that a game says. Where [`moves`](crate::Game::moves) lists a move twice, where a hash
/// forgets the side to move, it does not fail: it plays badly. [`conformance`](crate::conformance) plays random games and
/// runs some twenty checks on every position. For a game without notation:
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::Nim; // The game in src/guide/nim.rs.
///
/// plywise::conformance::check_rules::<Nim>(100, 1)?; // A hundred games, seed 1.
/// # Ok::<(), plywise::conformance::Violation>(())
/// ```
///
/// What is wrong is said in one sentence, which a test that returns the error shows when it fails:
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// # use nim::{Heap, Nim};
/// # use plywise::{Game, Outcome, Side};
/// # enum Forgetful {}
/// # impl Game for Forgetful {
/// #     type Position = Heap;
/// #     type Move = u8;
/// #     fn start() -> Heap { Nim::start() }
/// #     fn side_to_move(heap: &Heap) -> Side { heap.turn }
/// #     fn moves(heap: &Heap, each: impl FnMut(u8)) { Nim::moves(heap, each) }
/// #     fn play(heap: &Heap, taken: u8) -> Heap { Nim::play(heap, taken) }
/// #     fn stuck(heap: &Heap) -> Outcome { Nim::stuck(heap) }
/// #     fn hash(heap: &Heap) -> u64 { Nim::hash(heap) }
/// /// Like Nim's, but it begins with 0, which the table takes for no move.
/// fn move_code(taken: u8) -> u16 {
///     u16::from(taken) - 1
/// }
/// # }
/// let violation = plywise::conformance::check_rules::<Forgetful>(100, 1).unwrap_err();
/// assert_eq!(violation.to_string(), "move code: 1 has the code 0, in Heap { matches: 10, turn: First }");
/// ```
///
/// With [`Notation`](crate::Notation), which reads and writes positions and moves, the kit can do more: it compares
/// positions that are reached in two ways, and positions that differ by one letter.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::{Even, Heap, Nim};
/// use plywise::{Notation, NotationError, Side, conformance};
///
/// impl Notation for Nim {
///     const NAME: &'static str = "nim";
///     const TITLE: &'static str = "Nim";
///
///     fn parse_position(text: &str) -> Result<Heap, NotationError> {
///         let error = || NotationError::new(format!("'{text}' is not a number of matches and a side, such as '10 a'"));
///         let (matches, side) = text.split_once(' ').ok_or_else(error)?;
///         let turn = match side {
///             "a" => Side::First,
///             "b" => Side::Second,
///             _ => return Err(error()),
///         };
///         Ok(Heap { matches: matches.parse().map_err(|_| error())?, turn })
///     }
///     fn write_position(heap: &Heap) -> String {
///         format!("{} {}", heap.matches, if heap.turn == Side::First { 'a' } else { 'b' })
///     }
///     fn parse_move(heap: &Heap, text: &str) -> Result<u8, NotationError> {
///         let taken = text.strip_prefix('-').and_then(|number| number.parse().ok());
///         let legal = taken.filter(|taken| (1..=heap.matches.min(3)).contains(taken));
///         legal.ok_or_else(|| NotationError::new(format!("'{text}' takes no legal number of matches")))
///     }
///     fn write_move(_: &Heap, taken: u8) -> String {
///         format!("-{taken}")
///     }
///     fn draw(heap: &Heap) -> String {
///         "|".repeat(heap.matches.into()) + "\n"
///     }
/// }
///
/// conformance::check::<Nim>(100, 1)?;
/// conformance::check_perft::<Nim>(&[("10 a", &[3, 9, 27]), ("2 b", &[2, 1])])?;
/// conformance::check_evaluation::<Nim, _>(&Even, 100, 1)?;
/// # Ok::<(), conformance::Violation>(())
/// ```
///
/// What the kit cannot know is whether the rules are the right ones. [`perft`](crate::perft) counts move paths: compare
/// them with published counts, or with a second, slower way to generate moves. [`check_play_through`](crate::conformance::check_play_through)
/// compares a game with one that a person has checked.
///
/// Next: [`evaluating`].
pub mod checking {}

/// What an evaluation must keep to, and weights that are declared once.
///
/// [`evaluate`](crate::Evaluate::evaluate) says what a position is worth to the side to move. It
///
/// - is positive where the side to move stands better, whichever side that is: not the first player's view, which
///   [`check_evaluation`](crate::conformance::check_evaluation) finds;
/// - depends on the position alone: the same position has the same value on every call;
/// - stays within ±[`EVAL_LIMIT`](crate::score::EVAL_LIMIT), far away from wins and losses;
/// - need not see the end of the game, which the search asks for first.
///
/// The unit is yours. But margins, such as `aspiration.window`, `futility` and `reverse_futility`, are declared for a
/// unit of which about a hundred make a clear advantage, as centipawns do; with another unit, set them again.
///
/// An evaluation may carry a cache: each thread gets a clone. Numbers that a tuner or a user may want to change are best
/// declared by [`parameters!`](crate::parameters!), which gives each a name, a range and a meaning; profiles, files and
/// command lines then know them.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::{Heap, Nim};
/// use plywise::parameters::Parameters;
/// use plywise::{Evaluate, Game, Profile, ProfiledGame, Score};
///
/// plywise::parameters! {
///     /// What positions of Nim are worth.
///     pub struct Weights;
///
///     /// What is left of the matches.
///     heap: HeapWeights {
///         /// Matches that remain of fours: none, one, two or three.
///         remainder: [4] -1000..=1000 = [-50, 50, 50, 50];
///     }
/// }
///
/// #[derive(Clone)]
/// pub struct Fours(Weights);
///
/// impl Evaluate<Nim> for Fours {
///     fn evaluate(&mut self, heap: &Heap) -> Score {
///         self.0.heap.remainder[usize::from(heap.matches % 4)]
///     }
/// }
///
/// let mut weights = Weights::DEFAULT;
/// weights.set("heap.remainder.1", "70").unwrap();
/// assert_eq!(
///     weights.set("heap.remainders.1", "70").unwrap_err().to_string(),
///     "unknown parameter 'heap.remainders.1'; the nearest is 'heap.remainder.1'"
/// );
///
/// // A profile may set weights too.
/// let profile = Profile::parse("bold", "[game.nim.evaluation]\nheap.remainder = [-90, 90, 90, 90]").unwrap();
/// profile.apply_to_evaluation(ProfiledGame::plain("nim"), &mut weights).unwrap();
/// assert_eq!(Fours(weights).evaluate(&Nim::start()), 90);
/// ```
///
/// An evaluation that is a sum of weights times amounts can say what a value is made of, and be tuned: see
/// [`linear`](crate::linear).
///
/// Where a game has a faster way to exact values than searching on, an endgame solver or a table of endings, it goes into
/// [`Evaluate::solve`](crate::Evaluate::solve).
///
/// Next: [`searching`].
pub mod evaluating {}

/// Limits, clocks, signals, several lines, repetition, threads.
///
/// A [`Request`](crate::Request) is the question, [`Limits`](crate::Limits) what the answer may cost, a
/// [`Signal`](crate::Signal) stops the search from outside, an [`Observer`](crate::Observer) watches it (`&mut ()` does
/// not), and the [`Report`](crate::Report) is the answer.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::{Even, Nim};
/// use plywise::{Bound, Clock, Game, Limits, Params, Request, Searcher, Signal};
/// use std::time::Duration;
///
/// let mut searcher = Searcher::<Nim, _>::new(Params::DEFAULT, Even, 16)?;
///
/// // The three best moves, each with its line, to ten plies or a million nodes.
/// let request = Request { lines: 3, ..Request::new(Nim::start()) };
/// let limits = Limits { depth: Some(10), nodes: Some(1_000_000), ..Limits::default() };
/// let report = searcher.search(&request, &limits, &Signal::new(), &mut ());
/// let moves: Vec<u8> = report.lines.iter().map(|line| line.pv[0]).collect();
/// assert_eq!(moves[0], 2);
/// assert_eq!(moves.len(), 3);
/// assert!(report.lines.iter().all(|line| line.bound == Bound::Exact));
///
/// // A move on the clock: a minute left, half a second more for every move.
/// let clock = Clock::showing(Duration::from_secs(60), Duration::from_millis(500), None);
/// let limits = Limits { clock: Some(clock), overhead: Duration::from_millis(20), ..Limits::default() };
/// assert_eq!(searcher.search(&request, &limits, &Signal::new(), &mut ()).best_move(), Some(2));
///
/// // From now on with two threads, in the next game without what was learned in this one.
/// searcher.set_threads(2);
/// searcher.forget();
/// # Ok::<(), plywise::TableTooLarge>(())
/// ```
///
/// - A depth of n is n ordinary moves; without limits a search ends at [`Depth::MAX`](crate::Depth::MAX) or by the
///   signal. `win_within` stops it at a forced win, `soft_nodes` after the iteration that passes a number of nodes.
/// - Games in which positions come back: push [`hash`](crate::Game::hash) of every position that was left onto
///   `Request::history`, oldest first. A position that comes back inside the search counts as a draw; the parameter
///   `repetition` switches that off for games that allow it.
/// - Keep the searcher from move to move: its table and its history of good moves help the next search. Nodes differ
///   then from those of a fresh searcher, though they are the same on every run.
/// - Several threads share the table; with them the result may differ from run to run.
///
/// Next: [`hooks`].
pub mod searching {}

/// What a game can tell the search beyond its rules, and what each hook switches on.
///
/// Every hook has a default that is safe and switches off what depends on it: a game without
/// [`null_move`](crate::Game::null_move) is searched without null moves, whatever the parameters say.
///
/// | hook | switches on |
/// | --- | --- |
/// | [`move_index`](crate::Game::move_index), `MOVE_INDICES` | the history heuristic (`ordering.history`), also by the moves before (`ordering.replies`, `follow_ups`, `plans`), and what late-move reductions take from it; give moves that are alike in different positions one index, as piece and target square |
/// | [`tactical_value`](crate::Game::tactical_value) | captures and the like early in the order (`ordering.tactical`); futility, late-move pruning, late-move reductions and uncertainty cutoffs leave them alone |
/// | [`tactical_moves`](crate::Game::tactical_moves) | quiescence: what is played out at the horizon; by default all moves with a tactical value, fewer where these would not end |
/// | [`exchange_value`](crate::Game::exchange_value) | captures that lose something come last, and quiescence leaves them out (`quiescence.leave_out_losing`) |
/// | [`exchange_bounds`](crate::Game::exchange_bounds) | nothing new, but most exchanges need not be played out |
/// | [`capture_index`](crate::Game::capture_index), `CAPTURE_INDICES` | a record of tactical moves, which orders them (`ordering.captures`) |
/// | [`structure_hash`](crate::Game::structure_hash), `STRUCTURE_KEYS` | `correction`: the evaluation is corrected by what searches found where the same structure stood |
/// | [`in_check`](crate::Game::in_check) | no standing pat, no null move, no cut by the evaluation where a threat must be answered; `extensions.one_reply` |
/// | [`null_move`](crate::Game::null_move), [`null_move_doubtful`](crate::Game::null_move_doubtful) | `null_move`, and `extensions.threat` where passing would lose |
/// | [`move_traits`](crate::Game::move_traits) | `extensions`: checks, recaptures and advances cost less than a ply |
/// | [`phase`](crate::Game::phase) | extensions by phase, `multi_cut.in_endgame`, ProbCut's regressions by phase |
/// | [`move_class`](crate::Game::move_class), `MOVE_CLASSES` | `realization`, `realization_cap` and `realization_steps`, with a table of how often moves of each class are played |
/// | [`is_irreversible`](crate::Game::is_irreversible) | nothing new, but repetitions are not looked for further back |
/// | [`drawn_by_rule`](crate::Game::drawn_by_rule) | draws that the position shows although moves are left |
/// | [`hash_afresh`](crate::Game::hash_afresh) | the kit's check of an incremental hash |
/// | [`move_count`](crate::Game::move_count), [`is_stuck`](crate::Game::is_stuck), [`move_from_code`](crate::Game::move_from_code) | nothing, but they may be faster than listing moves |
/// | [`Evaluate::solve`](crate::Evaluate::solve) | `solver`: exact values where the evaluation knows a faster way to them |
///
/// Two of them need thought. Quiescence ends by itself, because a line of tactical moves that is one of too many is not
/// followed further (`quiescence.breadth`); but where such lines do not run out before, they cost nodes and say little.
/// In the game below long files of pieces can take each other in thousands of orders, so it offers quiescence only those
/// captures that win something. And a null move is sound only where moving is an advantage; in Connect Four, where
/// having to move often loses, it is not.
///
/// This is Breakthrough with all of them, from the folder `examples`. Its program counts what they save:
///
/// ```no_run
#[doc = include_str!("../examples/breakthrough.rs")]
/// ```
///
/// Next: [`techniques`].
pub mod hooks {}

/// Profiles and parameters, counting what a technique does, tables.
///
/// [`Params`](crate::Params) holds every number of the search, in groups; a technique is a group that can be switched on
/// and off. [`Params::DEFAULT`](crate::Params::DEFAULT) has a table, a good order of moves and quiescence, and nothing
/// selective: the start for a game without measurements. [`Profile`](crate::Profile)s are named sets:
///
/// | profile | what it is |
/// | --- | --- |
/// | `minimax`, `alphabeta` | the textbook's |
/// | `brute` | principal variation search, table, order, quiescence: the minimax value |
/// | `classic` | `brute`, null move, futility, fractional-ply extensions |
/// | `multicut`, `rankcut`, `probcut`, `rps`, `erps` | `classic` and that technique |
/// | `best` | what solved most in chess and Lines of Action |
///
/// A profile may hold settings for single games, so it is asked by the game's name; a name that it does not know gets the
/// general ones.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::{Even, Heap, Nim};
/// use plywise::parameters::Parameters;
/// use plywise::{Game, Limits, Params, Profile, ProfiledGame, Request, Searcher, Signal, Technique};
///
/// let mut params: Params = Profile::named("best")?.params(ProfiledGame::plain("nim"))?;
/// params.late_move_reductions.moves = 2; // A field,
/// params.set("late_move_reductions.least_depth", "2")?; // or its name, checked against its range.
/// assert!(params.set("late_move_reductions.least_depth", "1").is_err());
///
/// // What did it do? How often each technique was tried, and how often it had an effect.
/// let mut searcher = Searcher::<Nim, _>::new(params, Even, 1)?;
/// let start = Heap { matches: 30, ..Nim::start() };
/// let report = searcher.search(&Request::new(start), &Limits::depth(8), &Signal::new(), &mut ());
/// assert!(report.counters.cuts(Technique::Table) > 0);
/// for technique in Technique::ALL {
///     let (tries, cuts) = (report.counters.tries(*technique), report.counters.cuts(*technique));
///     assert!(tries == 0 || cuts <= tries, "{}", technique.name());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`Technique::is_selective`](crate::Technique::is_selective) says whether a technique may change the value, rather than
/// only its cost. Only games show whether it makes a player stronger: play many of them between two settings.
///
/// Three techniques need a table that was gathered for the game, and without it do nothing:
/// [`Knowledge::missing`](crate::Knowledge::missing) names it. [`knowledge`](crate::knowledge) shows how to keep one,
/// and the program in [`hooks`] how to count one.
///
/// Parameters that never change can be compiled in, which removes what is switched off from the program: see
/// [`Policy`](crate::Policy).
///
/// Next: [`embedding`].
pub mod techniques {}

/// A search inside another program: in slices on the program's own thread, or in a thread that can be stopped.
///
/// - **Threads**: none unless [`Searcher::set_threads`](crate::Searcher::set_threads) asks for them.
/// - **Memory**: the table, whose size is given in megabytes (0 is the smallest, one bucket), and about a megabyte for
///   each thread.
/// - **Output**: none. An [`Observer`](crate::Observer) sees what happens.
/// - **Time**: the clock and the [`Signal`](crate::Signal) are looked at every quarter of a millisecond, or at every node
///   where nodes take longer.
/// - **Errors**: a table that does not fit into memory is an error, not an abort.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::{Even, Nim};
/// use plywise::{Game, Limits, Observer, Params, Progress, Request, Searcher, Signal};
/// use std::{sync::mpsc, thread};
///
/// /// Hands what the search finds to another thread.
/// struct Reporter(mpsc::Sender<Progress<u8>>);
///
/// impl Observer<Nim> for Reporter {
///     fn progress(&mut self, progress: &Progress<u8>) {
///         let _ = self.0.send(progress.clone()); // The receiver may be gone.
///     }
/// }
///
/// let (sender, found) = mpsc::channel();
/// let signal = Signal::new();
/// let heard = signal.clone();
/// let thinking = thread::spawn(move || {
///     let mut searcher = Searcher::<Nim, _>::new(Params::DEFAULT, Even, 0)?; // The smallest table.
///     Ok::<_, plywise::TableTooLarge>(searcher.search(
///         &Request::new(Nim::start()),
///         &Limits::default(), // Until the signal stops it.
///         &heard,
///         &mut Reporter(sender),
///     ))
/// });
/// let first = found.recv()?; // This thread goes on meanwhile,
/// assert_eq!(first.depth, 1);
/// signal.stop(); // and stops the search when it likes.
/// let report = thinking.join().expect("a search does not panic")?;
/// assert!(report.best_move().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A host with one thread, such as the loop of a game, searches in slices of a fixed number of nodes, frame by frame:
/// the table remembers what earlier slices found. The program `embed` in the folder `examples` shows both ways.
pub mod embedding {}
