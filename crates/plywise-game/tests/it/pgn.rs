//! Reading and writing game records.

use crate::tic_tac_toe::TicTacToe;
use plywise_game::pgn::{self, Error, GameResult, Record, Remark, Remarks, Variation};
use plywise_game::{Game, Notation, Side, score};
use proptest::prelude::*;
use std::io::{self, BufRead, BufReader, Read};

/// What reading gives: a game's moves and result, or a warning.
fn read(text: impl AsRef<[u8]>) -> Vec<String> {
    pgn::read::<TicTacToe, _>(text.as_ref())
        .map(|item| item.map_or_else(|error| error.to_string(), |record| summary(&record)))
        .collect()
}

fn summary(record: &Record<TicTacToe>) -> String {
    let moves = record.moves.iter().zip(record.positions());
    moves.map(|(&mv, position)| TicTacToe::write_move(&position, mv) + " ").collect::<String>()
        + &record.result.to_string()
}

fn read_one(text: &str) -> Record<TicTacToe> {
    let mut games = pgn::read::<TicTacToe, _>(text.as_bytes());
    let record = games.next().expect("a game").expect("a sound game");
    assert!(games.next().is_none());
    record
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(read(text), expected, "{text}");
}

#[test]
fn movetext_is_read_in_every_usual_form() {
    check("1. a1 b2 2. c3 *", &["a1 b2 c3 *"]);
    check("1.a1 b2 2.c3 1-0", &["a1 b2 c3 1-0"]);
    check("1 a1 b2 2 c3 0-1", &["a1 b2 c3 0-1"]);
    check("1. a1 1... b2 2. c3 1/2-1/2", &["a1 b2 c3 1/2-1/2"]);
    check("a1 ... b2", &["a1 b2 *"]);
    check("1. a1! b2?? 2. c3 !? $14 *", &["a1 b2 c3 *"]);
    check("1. a1 $1$2 b2$3 *", &["a1 b2 *"]);
    check("1. a1{x}b2(1... b3)*", &["a1 b2 *"]);
    check("1. a1 ; b2 is better\nc3 *", &["a1 c3 *"]);
    check("1. a1\n% b2 c2 {\nc3 *", &["a1 c3 *"]);
    check("1. a1 (1. b2 (1. b3 {)} ;)\n) 1-0 a2) 1... c3 *", &["a1 c3 *"]);
    check("\u{feff}1. a1 *\r\n\r\n1. b1 *\r\n", &["a1 *", "b1 *"]);
}

#[test]
fn games_are_told_apart() {
    check("", &[]);
    check("\n\n% nothing\n{no game}\n*\n", &[]);
    check("1. a1 1-0 1. b1 0-1", &["a1 1-0", "b1 0-1"]);
    check("[Event \"a\"]\n\n1. a1\n\n[Event \"b\"]\n\n1. b1 *", &["a1 *", "b1 *"]);
    check("[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n\n1. b1 *", &["1-0", "b1 *"]);
    check("[Event \"a\"]\n\n[Site \"b\"]\n1. b1 *", &["b1 *"]);
    check("[Event \"a\"] [Result \"1-0\"] 1. a1", &["a1 1-0"]);
}

#[test]
fn broken_games_are_passed_over_with_their_number_and_line() {
    check(
        "1. a1 *\n\n1. a1\na1 b2 {no end of\nthe game} 0-1\n1. c3 *",
        &["a1 *", "game 2, line 4: cannot play 'a1': a1 is taken", "c3 *"],
    );
    check("1. a1 -- *", &["game 1, line 1: cannot play '--': a move is a square from a1 to c3"]);
    check("1. a1 ) b2 *", &["game 1, line 1: a variation ends that never began"]);
    check(
        "1. a1\n(b2 *\n[Event \"b\"]\n1. c3 *",
        &["game 1, line 2: a variation that begins here does not end", "c3 *"],
    );
    check(
        "1. a1 {oh\n\n1-0\n\n[Event \"b\"]\n1. c3 *",
        &["game 1, line 1: a comment that begins here does not end", "c3 *"],
    );
    check("{", &["game 1, line 1: a comment that begins here does not end"]);
    check("[Event \"a\"]\n[Site b]\n1. a1 *\n1. c3 *", &["game 1, line 2: '[Site b]' is not a tag", "c3 *"]);
    check("[FEN \"x\"]\n\n1. a1 *", &["game 1, line 1: the FEN tag is wrong: a position has two fields, not 1"]);
    check("[SetUp \"1\"]\n\n*", &["game 1, line 1: the SetUp tag promises a position, but there is no FEN tag"]);
    check("[Variant \"Chess\"]\n\n*", &["game 1, line 1: this is a game of Chess, not of Tic-tac-toe"]);
}

#[test]
fn the_fen_tag_gives_the_start() {
    let record = read_one("[Variant \"tic-tac-toe\"]\n[FEN \"x../.../... o\"]\n\n1... b2 2. c3 *");
    assert_eq!(TicTacToe::write_position(&record.start), "x../.../... o");
    assert_eq!(record.positions().map(|p| TicTacToe::write_position(&p)).last().unwrap(), "x.x/.o./... o");
    assert_eq!(read_one("[SetUp \"0\"]\n[FEN \"?\"]\n\n1. b2 *").start, TicTacToe::start());
}

#[test]
fn tags_survive_bad_quotes_and_other_encodings() {
    let value = |text: &str| read_one(&format!("[Event \"{text}\"]\n\n*")).tag("Event").unwrap().to_string();
    assert_eq!(value("a \\\"b\\\" \\\\ \\n"), "a \"b\" \\ \\n");
    assert_eq!(value("the \"great\" match"), "the \"great\" match");
    assert_eq!(value("C:\\"), "C:\\");
    let latin1 = b"[White \"M\xfcller\"]\n[Black \"\xc4 \x96 \xdf\"]\n[Site \"\xc3\xa9\"]\n\n1. a1 {\xe4} *";
    let record = pgn::read::<TicTacToe, _>(&latin1[..]).next().unwrap().unwrap();
    assert_eq!(["White", "Black", "Site"].map(|name| record.tag(name).unwrap()), ["Müller", "Ä – ß", "é"]);
    assert_eq!(record.remarks.comment(1), "ä");
}

#[test]
fn what_others_wrote_between_the_moves_is_kept() {
    let text = "{before} 1. a1! {one} {two} (1. b2!? {here} 1... b3 (1... c3 $14 {deep}) 2. c3 {}) (1. c1) {after} \
                1... b2?? $18 ; } to the end\n2. c3 !!! 0-1 {resigns}\n\n";
    let record = read_one(text);
    let movetext = record.to_string().split_once("\n\n").unwrap().1.replace('\n', " ");
    let expected = "{before} 1. a1 $1 {one} {two} (1. b2 $5 {here} 1... b3 (1... c3 $14 {deep}) 2. c3) (1. c1) {after} \
                    1... b2 $4 $18 ;} to the end 2. c3 $3 $1 {resigns} 0-1  ";
    assert_eq!(movetext, expected);
    assert_eq!(read_one(&record.to_string()).remarks, record.remarks);
}

#[test]
fn variations_that_cannot_be_played_are_kept_as_they_stand() {
    let text = "1. a1 (1. -- b2! {why} (1... zz) 2. a2 (x)) b2 (1... a1 $3) (1... c3 1-0) 2. c3 $99999999999 $ *";
    let record = read_one(text);
    assert_eq!(summary(&record), "a1 b2 c3 *");
    let expected = "1. a1 (-- b2! {why} (1... zz) 2. a2 (x)) 1... b2 (a1 $3) (1... c3 1-0) 2. c3 $99999999999 $ *\n\n";
    assert!(record.to_string().replace("c3\n", "c3 ").ends_with(expected), "{record}");
    assert_eq!(read_one(&record.to_string()).remarks, record.remarks);
}

#[test]
fn tags_that_stand_twice_are_kept_twice() {
    let record = read_one("[White \"Ada\"]\n[Annotator \"A\"]\n[White \"Eva\"]\n[Annotator \"B\"]\n\n1. a1 *");
    assert_eq!(record.tag("White"), Some("Ada"));
    let again = read_one(&record.to_string());
    let values = |name: &str| again.tags.iter().filter(|tag| tag.0 == name).map(|tag| &*tag.1).collect::<Vec<_>>();
    assert_eq!([values("White"), values("Annotator")], [["Ada", "Eva"], ["A", "B"]]);
}

#[test]
fn the_first_number_and_the_result_of_the_tags_are_kept() {
    let text = "[FEN \"x../.../... o\"]\n[Result \"0-1\"]\n\n23... b2 24. c3 (24. c2 a1) *";
    assert!(read_one(text).to_string().ends_with("23... b2 24. c3 (24. c2 a1) 0-1\n\n"), "{}", read_one(text));
    assert_eq!(read_one("7 a1 b2 *").first_number, 7);
    assert_eq!(read_one("99999999999. a1 b2 *").first_number, 1);
}

#[test]
fn nothing_is_read_without_end() {
    let zeros = BufReader::new(io::repeat(0));
    let error = pgn::read::<TicTacToe, _>(zeros).next().unwrap().unwrap_err().to_string();
    assert_eq!(error, "cannot read on after line 0: the next line is longer than 16 MB");
    let long = format!("{{{}", format!("{}\n", "x".repeat(1 << 20)).repeat(17));
    let error = pgn::read::<TicTacToe, _>(long.as_bytes()).next().unwrap().unwrap_err().to_string();
    assert!(error.ends_with("the next comment is longer than 16 MB"), "{error}");
    let deep = format!("1. a1 {}*", "(1. b2 ".repeat(200_000));
    check(&deep, &["game 1, line 1: variations lie more than 100 deep in each other"]);
}

#[test]
fn comments_belong_to_the_move_before_them() {
    let text =
        "{ahead} [Event \"a\"]\n{before\n the game} 1. a1 {one} {two} (1. b2 {no}) b2 ;three\n* {after}\n\n{no more}";
    let record = read_one(text);
    assert_eq!([0, 1, 2].map(|at| record.remarks.comment(at)), ["ahead before the game", "one two", "three after"]);
}

#[test]
fn records_are_written_in_the_export_format() {
    let mut record = read_one("1. a1 b2 2. c3 1-0");
    record.set_tag("Annotator", "a \\ \"b\"\nc").unwrap();
    record.set_tag("White", "Ada").unwrap();
    record.set_tag("Result", "0-1").unwrap();
    record.remarks.add_comment(1, "why not\n\nhere");
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Ada"]
[Black "?"]
[Result "1-0"]
[Variant "Tic-tac-toe"]
[Annotator "a \\ \"b\" c"]

1. a1 {why not here} 1... b2 2. c3 1-0

"#;
    assert_eq!(record.to_string(), expected);
}

#[test]
fn the_second_side_starts_with_dots() {
    let start = TicTacToe::parse_position("x../.../... o").unwrap();
    let mut record = Record::<TicTacToe>::new(start);
    record.moves = vec![4, 8, 1];
    let text = record.to_string();
    assert!(text.contains("[SetUp \"1\"]\n[FEN \"x../.../... o\"]\n"), "{text}");
    assert!(text.ends_with("\n\n1... b2 2. c3 b1 *\n\n"), "{text}");
}

#[test]
fn lines_are_wrapped_where_reading_is_safe() {
    let mut record = read_one("1. a1 b2 *");
    let comment = "word [Event \"no\"] %hidden ".repeat(20);
    record.remarks.add_comment(1, comment.clone());
    let text = record.to_string();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.lines().skip_while(|line| !line.is_empty()).all(|line| !line.starts_with(['[', '%'])), "{text}");
    let read = read_one(&text);
    assert_eq!(read.remarks.comment(1), comment.trim_end());
    assert_eq!(read.moves, record.moves);
}

/// Forty thousand games on one endless line: nothing is kept that has been read.
#[test]
fn many_games_are_read_as_a_stream() {
    const GAMES: usize = 40_000;
    let game = "1. b2 {a comment of some length} a1 (1... a2) 2. c1 a3 3. a2 c2 4. b1 b3 5. c3 1/2-1/2 ";
    assert_eq!(pgn::read::<TicTacToe, _>(game.repeat(GAMES).as_bytes()).filter(Result::is_ok).count(), GAMES);
    let lines = format!("[Event \"a\"]\n\n{game}\n\n").repeat(GAMES);
    assert_eq!(pgn::read::<TicTacToe, _>(lines.as_bytes()).filter(Result::is_ok).count(), GAMES);
}

/// An input that fails once it has given its text.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("the disk is gone")) } else { self.0.read(buffer) }
    }
}

fn failing(text: &str) -> impl BufRead {
    BufReader::new(Failing(text.as_bytes()))
}

#[test]
fn an_input_that_fails_ends_the_games() {
    let mut games = pgn::read::<TicTacToe, _>(failing("1. a1 *\n1. b2\n"));
    assert!(games.next().unwrap().is_ok());
    let error = games.next().unwrap().unwrap_err();
    assert!(matches!(error, Error::Unreadable { line: 2, .. }));
    assert_eq!(error.to_string(), "cannot read on after line 2: the disk is gone");
    assert!(games.next().is_none());
}

/// What people may write between moves, without variations.
fn remark() -> impl Strategy<Value = Remark<u8>> {
    let comment = "\\PC*|[a-z\\[\\]%{}();$\" \n]{0,120}".prop_map(Remark::Comment);
    prop_oneof![comment, any::<u32>().prop_map(Remark::Nag), (0..7u32).prop_map(Remark::Nag)]
}

/// How a line is to be filled: choices of moves, and remarks with the place where they stand; some begin a variation.
#[derive(Clone, Debug)]
struct Plan {
    choices: Vec<prop::sample::Index>,
    remarks: Vec<(usize, Result<Remark<u8>, Plan>)>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let choices = || prop::collection::vec(any::<prop::sample::Index>(), 0..9);
    let flat = (choices(), prop::collection::vec((0..9usize, remark().prop_map(Ok)), 0..4));
    let flat = flat.prop_map(|(choices, remarks)| Plan { choices, remarks });
    flat.prop_recursive(4, 24, 4, move |inner| {
        let remark = prop_oneof![remark().prop_map(Ok), inner.prop_map(Err)];
        (choices(), prop::collection::vec((0..9usize, remark), 0..4))
            .prop_map(|(choices, remarks)| Plan { choices, remarks })
    })
}

/// The line that a plan gives from a position.
fn planned(plan: Plan, start: <TicTacToe as Game>::Position) -> Variation<u8> {
    let mut line = Variation::default();
    let mut positions = vec![start];
    for choice in plan.choices {
        let position = positions[positions.len() - 1].clone();
        let moves = TicTacToe::legal_moves(&position);
        if moves.is_empty() {
            break;
        }
        let mv = *choice.get(&moves);
        positions.push(TicTacToe::play(&position, mv));
        line.moves.push(mv);
    }
    for (at, remark) in plan.remarks {
        let at = at.min(line.moves.len());
        match remark {
            Ok(Remark::Comment(text)) if text.trim().is_empty() => {}
            Ok(remark) => line.remarks.add(at, remark),
            Err(plan) => {
                let variation = planned(plan, positions[at.saturating_sub(1)].clone());
                if !variation.is_empty() {
                    line.remarks.add(at, Remark::Variation(variation));
                }
            }
        }
    }
    line
}

/// Random games with whatever tags and remarks people may write.
fn records() -> impl Strategy<Value = Record<TicTacToe>> {
    let start = prop::sample::select(vec![".../.../... x", "x../.../... o", "x../.o./... x"]);
    let tags = prop::collection::vec(("[A-Z][A-Za-z0-9_]{0,8}", any::<String>()), 0..5);
    let result = prop::sample::select(vec![
        GameResult::Win(Side::First),
        GameResult::Win(Side::Second),
        GameResult::Draw,
        GameResult::Unknown,
    ]);
    (start, tags, 1..200u32, plan(), result).prop_map(|(start, tags, first_number, plan, result)| {
        let mut record = Record::<TicTacToe>::new(TicTacToe::parse_position(start).unwrap());
        tags.into_iter().for_each(|(name, value)| record.set_tag(name, value).unwrap());
        let Variation { moves, remarks } = planned(plan, record.start.clone());
        Record { first_number: if moves.is_empty() { 1 } else { first_number }, moves, remarks, result, ..record }
    })
}

/// Remarks with comments as they are kept: one line, single spaces.
fn plain(remarks: &Remarks<u8>) -> Remarks<u8> {
    let mut kept = Remarks::default();
    for (at, remark) in remarks.iter() {
        match remark {
            Remark::Comment(text) => {
                let words: Vec<&str> =
                    text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
                kept.add_comment(at, words.join(" "));
            }
            Remark::Variation(line) => {
                let line = Variation { moves: line.moves.clone(), remarks: plain(&line.remarks) };
                if !line.is_empty() {
                    kept.add(at, Remark::Variation(line));
                }
            }
            other => kept.add(at, other.clone()),
        }
    }
    kept
}

/// A few bytes replaced, cut out or doubled.
pub fn mutated(text: &str, mutations: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, kind, byte) in mutations.iter().filter(|_| !text.is_empty()) {
        let at = place.index(bytes.len().max(1)).min(bytes.len());
        match kind % 3 {
            0 if at < bytes.len() => bytes[at] = *byte,
            1 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, b"{}()[]\";%\\\n$*."[usize::from(*byte) % 14]),
        }
    }
    bytes
}

pub fn mutations() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    prop::collection::vec(any::<(prop::sample::Index, u8, u8)>(), 1..8)
}

/// Pieces of movetext in any order.
const MOVETEXT: &str = "([abc][123]|[0-9]|[-{}()\\[\\];%.$*!\"\\\\\n ]|1-0|\\[Event \"|\n){0,80}";

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(record in records()) {
        let text = record.to_string();
        let read = read_one(&text);
        prop_assert_eq!(&read.start, &record.start);
        prop_assert_eq!(&read.moves, &record.moves);
        prop_assert_eq!(&read.remarks, &plain(&record.remarks));
        prop_assert_eq!(read.first_number, record.first_number);
        prop_assert_eq!(read.result, record.result);
        let derived = ["Result", "SetUp", "FEN", "Variant"];
        for (name, value) in record.tags.iter().filter(|(name, _)| !derived.contains(&name.as_str())) {
            prop_assert_eq!(read.tag(name).map(str::to_string), Some(value.replace(char::is_control, " ")));
        }
        // What was read has nothing left to bend, so from here on all stays as it is.
        prop_assert_eq!(read.to_string(), text.clone());
        prop_assert_eq!(read_one(&read.to_string()), read);
    }

    #[test]
    fn records_one_after_another_stay_apart(records in prop::collection::vec(records(), 0..4)) {
        let text: String = records.iter().map(Record::to_string).collect();
        let summaries: Vec<String> = records.iter().map(summary).collect();
        prop_assert_eq!(read(&text), summaries);
    }

    #[test]
    fn random_bytes_neither_panic_nor_hang(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).len() <= bytes.len());
    }

    #[test]
    fn random_movetext_neither_panics_nor_hangs(text in MOVETEXT) {
        prop_assert!(read(&text).len() <= text.len());
    }

    #[test]
    fn a_damaged_game_does_not_take_the_next_but_one_with_it(record in records(), mutations in mutations()) {
        let mut bytes = mutated(&record.to_string(), &mutations);
        // The damage may open a comment or a tag that reaches into the next game, but that one's first tag ends it.
        bytes.extend_from_slice(b"\n\n[Event \"x\"]\n\n1. a1 *\n\n[Event \"y\"]\n\n1. b2 c3 *\n");
        prop_assert_eq!(read(&bytes).pop(), Some("b2 c3 *".to_string()));
    }
}

#[test]
fn scores_are_written_to_comments_and_read_back() {
    let written = [35, -7, 0, score::win_in(5), score::loss_in(4)].map(|score| pgn::write_eval(score, None));
    assert_eq!(written, ["[%eval 0.35]", "[%eval -0.07]", "[%eval 0.00]", "[%eval #3]", "[%eval #-2]"]);
    assert_eq!(pgn::write_eval(-6, Some(5)), "[%eval -0.06,5]");
    assert_eq!(pgn::read_eval("[%eval -0.06,5] [%emt 0:00:00.002]"), Some(-6.0));
    assert_eq!(pgn::read_eval("a good move [%eval 1.5]"), Some(150.0));
    assert_eq!(pgn::read_eval("[%eval #3,5]"), None);
    assert_eq!(pgn::read_eval("a good move"), None);
    for endless in ["inf", "-inf", "NaN", "1e307", "1e999"] {
        assert_eq!(pgn::read_eval(&format!("[%eval {endless}]")), None, "{endless}");
    }
}

#[test]
fn a_name_that_pgn_cannot_hold_is_refused() {
    let mut record = pgn::Record::<TicTacToe>::new(TicTacToe::start());
    for name in ["", "two words", "a\"b", "Ev]ent", "Größe", "x\n", "a-b"] {
        let error = record.set_tag(name, "value").unwrap_err().to_string();
        assert!(error.contains("cannot be the name of a PGN tag"), "{error}");
    }
    assert!(record.tags.is_empty());
    // What other programs write beyond the format is kept as it is.
    let foreign = read_one("[Source-Title \"x\"]\n\n*");
    assert!(foreign.to_string().contains("[Source-Title \"x\"]"));
}

#[test]
fn dates_are_those_of_the_calendar() {
    let days =
        |days: u64| pgn::write_date(std::time::UNIX_EPOCH + std::time::Duration::from_secs(days * 86_400 + 86_399));
    for (day, date) in [(0, "1970.01.01"), (58, "1970.02.28"), (59, "1970.03.01"), (11_016, "2000.02.29")] {
        assert_eq!(days(day), date);
    }
    for (day, date) in [(11_017, "2000.03.01"), (20_453, "2025.12.31"), (47_540, "2100.02.28"), (47_541, "2100.03.01")]
    {
        assert_eq!(days(day), date);
    }
}
