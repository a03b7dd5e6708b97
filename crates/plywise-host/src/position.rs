use crate::Playable;
use crate::records::{self, Record, SuiteEntry};
use plywise_game::pgn::GameResult;
use plywise_game::random::Random;
use plywise_game::{Ended, GameSoFar, NotationError, Outcome, Phase, Side, View};
use plywise_search::{Report, Signal};
use plywise_tree::TreeNotation;
use serde::{Deserialize, Serialize};
use std::any::Any;
use std::fmt;

/// A move of any game: its [code](plywise_game::Game::move_code), which means something in one position only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Move(pub u16);

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// As players write them: `Nf3`.
    #[default]
    People,
    /// As engine protocols do: `g1f3`.
    Engine,
    /// As engine protocols do with `UCI_Chess960` on: castling is the king taking its rook.
    Chess960,
}

/// A position of any game, with the moves that led to it.
///
/// It knows its game, so nothing else is needed to play on, to write a move, or to draw the board. The moves before it
/// decide about repetitions; [`alone`](AnyPosition::alone) leaves them behind.
pub struct AnyPosition(Box<dyn Erased>);

impl AnyPosition {
    /// The position of a game that is known by its type.
    pub fn new<G: Playable>(game: GameSoFar<G>) -> AnyPosition {
        AnyPosition(Box::new(game))
    }

    /// The position as its game's type has it; `None` where it belongs to another game.
    pub fn typed<G: Playable>(&self) -> Option<&GameSoFar<G>> {
        self.0.as_any().downcast_ref()
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    /// Every legal move, always in the same order.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.0.legal_moves()
    }

    /// Plays a move; one that is not legal is refused.
    pub fn play(&mut self, mv: Move) -> Result<(), NotationError> {
        match self.0.play(mv) {
            true => Ok(()),
            false => Err(NotationError::new(format!("move {} is not legal in {}", mv.0, self.text()))),
        }
    }

    /// Reads a move in any notation of the game and plays it.
    pub fn play_text(&mut self, text: &str) -> Result<Move, NotationError> {
        let mv = self.parse_move(text)?;
        self.play(mv)?;
        Ok(mv)
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        self.0.undo()
    }

    /// The moves that led here, the first one first.
    pub fn moves(&self) -> Vec<Move> {
        self.0.moves()
    }

    /// How many moves led here.
    pub fn plies(&self) -> usize {
        self.0.plies()
    }

    /// The position after the first `plies` of its moves, with those moves.
    pub fn at(&self, plies: usize) -> AnyPosition {
        let mut earlier = self.clone();
        while earlier.plies() > plies {
            earlier.undo();
        }
        earlier
    }

    /// The same position without the moves that led to it.
    pub fn alone(&self) -> AnyPosition {
        AnyPosition(self.0.alone())
    }

    /// Whether it is the position in which games usually begin.
    pub fn is_start(&self) -> bool {
        self.0.is_start()
    }

    /// A number that tells positions apart, the side to move included.
    pub fn hash(&self) -> u64 {
        self.0.hash()
    }

    /// Its number in Polyglot's opening books; `None` for a game that has no such books.
    pub fn polyglot_key(&self) -> Option<u64> {
        self.0.polyglot_key()
    }

    /// The hashes of the positions before this one, oldest first.
    pub fn history(&self) -> &[u64] {
        self.0.history()
    }

    /// The outcome by the position alone, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// Why the game is over, if it is: also by the third repetition.
    pub fn ended(&self) -> Option<Ended> {
        self.0.ended()
    }

    /// Why the game is over, if it is, where a position may stand on the board less than `repetitions` times.
    pub fn ended_with(&self, repetitions: Option<usize>) -> Option<Ended> {
        self.0.ended_with(repetitions)
    }

    /// The result; unknown while the game goes on.
    pub fn result(&self) -> GameResult {
        self.0.result()
    }

    /// How the game ended, in words that follow "the game is over: ".
    pub fn describe_end(&self) -> String {
        match self.ended() {
            Some(Ended::Decided(_) | Ended::DrawnByRule) => self.0.describe_end(),
            Some(Ended::Repetition(_)) => "third repetition".to_string(),
            None => "the game goes on".to_string(),
        }
    }

    /// The one-line form.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// A legal move as players write it; `?` for one that is not legal here.
    pub fn write_move(&self, mv: Move) -> String {
        self.write_move_as(mv, Style::People)
    }

    /// A legal move in a style; `?` for one that is not legal here.
    pub fn write_move_as(&self, mv: Move, style: Style) -> String {
        self.0.write_line(&[mv], style).pop().unwrap_or_else(|| "?".to_string())
    }

    /// Moves played one after the other from here, as players write them; as far as they are legal.
    pub fn write_line(&self, moves: &[Move]) -> Vec<String> {
        self.0.write_line(moves, Style::People)
    }

    /// Moves played one after the other from here in a style; as far as they are legal.
    pub fn write_line_as(&self, moves: &[Move], style: Style) -> Vec<String> {
        self.0.write_line(moves, style)
    }

    /// The best line of a search from here, as players write it; empty if none was found.
    pub fn write_best_line(&self, report: &Report<Move>) -> Vec<String> {
        report.lines.first().map_or(Vec::new(), |line| self.write_line(&line.pv))
    }

    /// Reads a legal move in any notation of the game.
    pub fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        self.0.parse_move(text)
    }

    /// The board in plain text, several lines.
    pub fn draw(&self) -> String {
        self.0.draw()
    }

    /// The board as a person at a terminal wants to see it.
    pub fn draw_view(&self, turned: bool, on_terminal: bool) -> String {
        self.0.draw_view(turned, on_terminal)
    }

    /// The board as an SVG document, with the last move marked.
    pub fn draw_svg(&self, turned: bool) -> String {
        self.0.draw_svg(turned)
    }

    /// The position after passing, where the rules allow that; the moves before it are left behind.
    pub fn null_move(&self) -> Option<AnyPosition> {
        self.0.null_move().map(AnyPosition)
    }

    /// One position for all that the symmetries of the board map onto each other.
    pub fn canonical(&self) -> AnyPosition {
        AnyPosition(self.0.canonical())
    }

    /// The part of the game that it belongs to.
    pub fn phase(&self) -> Phase {
        self.0.phase()
    }

    /// The class of a legal move for realization probabilities.
    pub fn move_class(&self, mv: Move) -> Option<usize> {
        self.0.move_class(mv)
    }

    /// The position after `plies` random moves from here; `None` where random moves always end the game early.
    pub fn random_opening(&self, random: &mut Random, plies: usize) -> Option<AnyPosition> {
        self.0.random_opening(random, plies).map(AnyPosition)
    }

    /// How a tree with this root is written.
    pub(crate) fn notation(&self) -> &dyn TreeNotation {
        self.0.notation()
    }

    pub(crate) fn write_pgn(&self, record: &Record) -> String {
        self.0.write_pgn(record)
    }

    pub(crate) fn write_epd(&self, entry: &SuiteEntry) -> String {
        self.0.write_epd(entry)
    }

    /// The number of move paths of a length; `None` if the signal says stop before all are counted.
    pub fn perft(&self, depth: u32, stop: &Signal) -> Option<u64> {
        self.0.perft(depth, stop)
    }

    /// The number of move paths of a length by their first move, as far as they are counted when the signal says stop.
    pub fn divide<'a>(&'a self, depth: u32, stop: &'a Signal) -> impl Iterator<Item = (Move, u64)> + 'a {
        self.legal_moves().into_iter().map_while(move |mv| {
            let mut after = self.alone();
            after.play(mv).ok()?;
            Some((mv, after.perft(depth.saturating_sub(1), stop)?))
        })
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> AnyPosition {
        AnyPosition(self.0.boxed())
    }
}

/// Equal are positions on the board, however they came about.
impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// What [`AnyPosition`] asks of a game so far, behind a pointer.
trait Erased: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn boxed(&self) -> Box<dyn Erased>;
    fn notation(&self) -> &dyn TreeNotation;
    fn is_same(&self, other: &dyn Erased) -> bool;
    fn side_to_move(&self) -> Side;
    fn legal_moves(&self) -> Vec<Move>;
    fn play(&mut self, mv: Move) -> bool;
    fn undo(&mut self) -> Option<Move>;
    fn moves(&self) -> Vec<Move>;
    fn plies(&self) -> usize;
    fn alone(&self) -> Box<dyn Erased>;
    fn is_start(&self) -> bool;
    fn hash(&self) -> u64;
    fn polyglot_key(&self) -> Option<u64>;
    fn history(&self) -> &[u64];
    fn outcome(&self) -> Option<Outcome>;
    fn ended(&self) -> Option<Ended>;
    fn ended_with(&self, repetitions: Option<usize>) -> Option<Ended>;
    fn result(&self) -> GameResult;
    fn describe_end(&self) -> String;
    fn text(&self) -> String;
    fn write_line(&self, moves: &[Move], style: Style) -> Vec<String>;
    fn parse_move(&self, text: &str) -> Result<Move, NotationError>;
    fn draw(&self) -> String;
    fn draw_view(&self, turned: bool, on_terminal: bool) -> String;
    fn draw_svg(&self, turned: bool) -> String;
    fn null_move(&self) -> Option<Box<dyn Erased>>;
    fn canonical(&self) -> Box<dyn Erased>;
    fn phase(&self) -> Phase;
    fn move_class(&self, mv: Move) -> Option<usize>;
    fn random_opening(&self, random: &mut Random, plies: usize) -> Option<Box<dyn Erased>>;
    fn perft(&self, depth: u32, stop: &Signal) -> Option<u64>;
    fn write_pgn(&self, record: &Record) -> String;
    fn write_epd(&self, entry: &SuiteEntry) -> String;
}

impl<G: Playable> Erased for GameSoFar<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed(&self) -> Box<dyn Erased> {
        Box::new(self.clone())
    }

    fn notation(&self) -> &dyn TreeNotation {
        self
    }

    fn is_same(&self, other: &dyn Erased) -> bool {
        let other = other.as_any().downcast_ref::<GameSoFar<G>>();
        other.is_some_and(|other| other.position() == self.position())
    }

    fn side_to_move(&self) -> Side {
        GameSoFar::side_to_move(self)
    }

    fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        G::moves(self.position(), |mv| moves.push(Move(G::move_code(mv))));
        moves
    }

    fn play(&mut self, mv: Move) -> bool {
        let found = G::move_from_code(self.position(), mv.0);
        found.map(|mv| GameSoFar::play(self, mv)).is_some()
    }

    fn undo(&mut self) -> Option<Move> {
        GameSoFar::undo(self).map(|mv| Move(G::move_code(mv)))
    }

    fn moves(&self) -> Vec<Move> {
        GameSoFar::moves(self).iter().map(|&mv| Move(G::move_code(mv))).collect()
    }

    fn plies(&self) -> usize {
        GameSoFar::moves(self).len()
    }

    fn alone(&self) -> Box<dyn Erased> {
        Box::new(GameSoFar::<G>::new(self.position().clone()))
    }

    fn is_start(&self) -> bool {
        G::is_start(self.position())
    }

    fn hash(&self) -> u64 {
        G::hash(self.position())
    }

    fn polyglot_key(&self) -> Option<u64> {
        G::polyglot_key(self.position())
    }

    fn history(&self) -> &[u64] {
        GameSoFar::history(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        G::outcome(self.position())
    }

    fn ended(&self) -> Option<Ended> {
        GameSoFar::ended(self)
    }

    fn ended_with(&self, repetitions: Option<usize>) -> Option<Ended> {
        GameSoFar::ended_with(self, repetitions)
    }

    fn result(&self) -> GameResult {
        GameSoFar::result(self)
    }

    fn describe_end(&self) -> String {
        G::describe_end(self.position())
    }

    fn text(&self) -> String {
        G::write_position(self.position())
    }

    fn write_line(&self, moves: &[Move], style: Style) -> Vec<String> {
        let mut words = Vec::with_capacity(moves.len());
        let mut position = self.position().clone();
        for (i, mv) in moves.iter().enumerate() {
            let Some(mv) = G::move_from_code(&position, mv.0) else { break };
            words.push(match style {
                Style::People => G::write_move(&position, mv),
                Style::Engine => G::engine_move(&position, mv, false),
                Style::Chess960 => G::engine_move(&position, mv, true),
            });
            if i + 1 < moves.len() {
                position = G::play(&position, mv);
            }
        }
        words
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        G::parse_move(self.position(), text).map(|mv| Move(G::move_code(mv)))
    }

    fn draw(&self) -> String {
        G::draw(self.position())
    }

    fn draw_view(&self, turned: bool, on_terminal: bool) -> String {
        G::draw_view(self.position(), &View { turned, on_terminal, last_move: GameSoFar::moves(self).last().copied() })
    }

    fn draw_svg(&self, turned: bool) -> String {
        let last_move = GameSoFar::moves(self).last().copied();
        G::draw_svg(self.position(), &View { turned, last_move, ..View::default() })
    }

    fn null_move(&self) -> Option<Box<dyn Erased>> {
        G::null_move(self.position()).map(|after| Box::new(GameSoFar::<G>::new(after)) as Box<dyn Erased>)
    }

    fn canonical(&self) -> Box<dyn Erased> {
        Box::new(GameSoFar::<G>::new(G::canonical(self.position())))
    }

    fn phase(&self) -> Phase {
        G::phase(self.position())
    }

    fn move_class(&self, mv: Move) -> Option<usize> {
        let mv = G::move_from_code(self.position(), mv.0)?;
        Some(G::move_class(self.position(), mv))
    }

    fn random_opening(&self, random: &mut Random, plies: usize) -> Option<Box<dyn Erased>> {
        let moves = random.opening::<G>(self.position(), plies)?;
        let mut game = self.clone();
        moves.into_iter().for_each(|mv| GameSoFar::play(&mut game, mv));
        Some(Box::new(game))
    }

    fn perft(&self, depth: u32, stop: &Signal) -> Option<u64> {
        count_paths::<G>(self.position(), depth, stop)
    }

    fn write_pgn(&self, record: &Record) -> String {
        records::write_pgn(self, record)
    }

    fn write_epd(&self, entry: &SuiteEntry) -> String {
        records::write_epd(self, entry)
    }
}

fn count_paths<G: Playable>(position: &G::Position, depth: u32, stop: &Signal) -> Option<u64> {
    /// The last plies are counted in one go: looking at the signal would take longer than counting them.
    const AT_ONCE: u32 = 3;
    if stop.is_stopped() {
        return None;
    }
    if depth <= AT_ONCE {
        return Some((G::PERFT)(position, depth));
    }
    let below = |mv| count_paths::<G>(&G::play(position, mv), depth - 1, stop);
    G::legal_moves(position).into_iter().try_fold(0u64, |sum, mv| Some(sum.saturating_add(below(mv)?)))
}
