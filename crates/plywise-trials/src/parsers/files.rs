//! Profiles, tables, patterns, run directories, and the small formats beside them.

use super::{Parser, ensure, one_sentence};
use plywise_arena::TimeControl;
use plywise_arena::commit_test::{Change, EngineFile, read_bench, with_starts};
use plywise_arena::engine::Engine;
use plywise_arena::matches::GameRecord;
use plywise_chess::{Chess, Weights};
use plywise_game::BoardGame;
use plywise_game::parameters::Parameters;
use plywise_game::{Game, pgn};
use plywise_host::Hosted;
use plywise_learn::evolution::{Chromosome, GeneFile, Genome};
use plywise_loa::Loa;
use plywise_othello::evaluation::patterns::Patterns;
use plywise_run::{Manifest, Run, RunError};
use plywise_search::{ClassTable, LearnedTable, ProbCutTable, Profile, ProfiledGame, RankTable, write_groups};
use std::path::Path;

const TOML_WORDS: &[&str] = &[
    "[search]\n",
    "[game.loa.search]\n",
    "[game.loa.evaluation]\n",
    "[game.",
    "base = \"brute\"\n",
    "base = \"best\"\n",
    "description = ",
    "quiescence.plies = ",
    "null_move.enabled = true\n",
    " = ",
    "true",
    "[[1, 2], [3]]",
    "rows = [",
    "[1, 9],\n",
    "version = 1\n",
    "kind = \"rank_cut\"\n",
    "kind = \"realization\"\n",
    "game = \"loa\"\n",
    "unit = ",
    "samples = ",
    "[bound]\n",
    "'''",
    "\"\"\"",
    "1979-05-27",
    "{",
    "}",
    "\n",
    "-1",
    "0",
    "1e30",
];
const JSON_WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\"move\":\"b8b6\"",
    "\"index\":0",
    "\"us\":",
    "\\u0000",
    "\\ud800",
    "null",
    "\"how\":\"decided\"",
    "\"result\":\"1-0\"",
    "\n",
    "{}",
    "1e999",
    "-1",
];

pub(super) fn parsers() -> Vec<Parser> {
    vec![
        Parser::new("profile", sample_profiles(), TOML_WORDS, reads_profile),
        Parser::new("rank table", sample_table(RANK_TABLE), TOML_WORDS, reads_table::<RankTable>),
        Parser::new("realization table", sample_table(CLASS_TABLE), TOML_WORDS, reads_table::<ClassTable>),
        Parser::new("ProbCut table", sample_table(PROBCUT_TABLE), TOML_WORDS, reads_table::<ProbCutTable>),
        Parser::new("genes", [Chess::GENES[0].1, SMALL_GENES], TOML_WORDS, reads_genes),
        Parser::new("Othello patterns", sample_patterns(), &[], reads_patterns).slow(),
        Parser::new("run.json", sample_manifests(), JSON_WORDS, reads_manifest).slow(),
        Parser::new("journal", sample_journals(), JSON_WORDS, reads_journal).slow(),
        Parser::new("time control", ["8+0.08", "40/60", "40/60+0.6", "0+0.1", "300"], &[], reads_time_control),
        Parser::new("engine", ["uci:stockfish --threads '1 2'", "cecp:'/opt/my engine/x' -t 1"], &[], reads_engine),
        Parser::new("plywise-engine.toml", [ENGINE_FILE], TOML_WORDS, reads_engine_file),
        Parser::new(
            "bench",
            ["4321 nodes 99 nps", "Nodes searched : 4,321\nNodes/second : 9"],
            BENCH_WORDS,
            reads_bench,
        ),
        Parser::new("score in a comment", ["[%eval 0.35,12]", "a [%eval #-3] b", "+0.30/8 1.2s"], &[], reads_score),
    ]
}

// The built-in tables are long; so small ones of the same shape stand in for them, and part of the real ones.
const RANK_TABLE: &str = include_str!("../../../plywise-loa/data/tables/rank_cut.toml");
const CLASS_TABLE: &str = include_str!("../../../plywise-loa/data/tables/realization.toml");
const PROBCUT_TABLE: &str = include_str!("../../../plywise-loa/data/tables/probcut.toml");

fn sample_profiles() -> Vec<String> {
    let mut samples: Vec<String> = ["best", "brute", "erps"]
        .iter()
        .filter_map(|name| Profile::named(name).ok()?.params(ProfiledGame::of::<Loa>()).ok())
        .map(|params| write_groups("search", &params))
        .collect();
    samples.push(
        "description = \"mine\"\nbase = \"brute\"\n\n[search]\nquiescence.plies = 64\ntransposition_cutoffs.enabled = \
         false\n\n[game.loa.search]\naspiration.window = 40\n\n[game.chess.evaluation]\nmaterial.values = [100, 320]\n"
            .into(),
    );
    samples
}

const ENGINE_FILE: &str = "# mine\n[engine]\nbuild = \"make\"\nrun = \"./toy\" # here\n\n[test]\ntc = \"8+0.08\"\n\
                           sprt = [0, 5]\ngames = 100\n\n[[option]]\nname = \"Hash\"\nvalue = 16\n\n[[option]]\n\
                           name = 'Margin'\nmin = 0\nmax = 100\nstart = 40 # usual\n";

/// What is read has sound settings or says what is wrong, and its starts can be changed without changing anything else.
fn reads_engine_file(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let file = match EngineFile::read(&text) {
        Ok(file) => file,
        Err(error) => return one_sentence(error),
    };
    file.test.limits().map_or_else(one_sentence, |_| Ok(()))?;
    file.test.sprt().map_or_else(one_sentence, |_| Ok(()))?;
    let _ = (file.test.rules(), file.fixed_options());
    let change = Change { option: "Margin".into(), old: "40".into(), new: "41".into() };
    let Some(changed) = with_starts(&text, &[change]) else { return Ok(()) };
    let mut again =
        EngineFile::read(&changed).map_err(|error| format!("it was changed to what is refused: {error}"))?;
    for (option, before) in again.option.iter_mut().zip(&file.option).filter(|(_, before)| before.name == "Margin") {
        option.start = before.start;
    }
    // A number that is none equals nothing.
    let is_number = |number: Option<f64>| number.is_none_or(|number| !number.is_nan());
    let comparable = file
        .option
        .iter()
        .all(|option| [option.min, option.max, option.start, option.step].map(is_number) == [true; 4]);
    ensure(!comparable || again.option == file.option, || format!("more than the start was changed: {changed}"))
}

const BENCH_WORDS: &[&str] = &["nodes", "nps", "Bench: ", "\n", ",", "info ", "99999999999999999999", "("];

fn reads_bench(input: &[u8]) -> Result<(), String> {
    let _ = read_bench(&String::from_utf8_lossy(input));
    Ok(())
}

const SMALL_GENES: &str = r#"game = "chess"
others = "keep"
[[gene]]
name = "rook"
bits = 11
offset = 3
step = 2
most = 900
drives = [{ path = "material.middlegame.3", plus = 1 }, { path = "outpost.endgame", shape = [1, -2], over = 3 }]
"#;

/// Genes that are read make an organism whose weights all lie within their ranges.
fn reads_genes(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let Ok(file) = toml::from_str::<GeneFile>(&text) else { return Ok(()) };
    let genome = match Genome::new(file.gene, file.others, &Weights::DEFAULT) {
        Ok(genome) => genome,
        Err(error) => return one_sentence(error),
    };
    for number in [i32::MIN, 0, i32::MAX] {
        let organism = Chromosome::encode(&vec![number; genome.genes().len()], genome.genes());
        let settings = genome.settings(&organism.decode(genome.genes()));
        let fits =
            Weights::declared().iter().zip(&settings).all(|(weight, value)| (weight.min..=weight.max).contains(value));
        ensure(fits, || format!("a weight of {settings:?} lies outside its range"))?;
    }
    Ok(())
}

/// A table of a learner, whole and with few rows.
fn sample_table(text: &str) -> Vec<String> {
    let mut samples = vec![text.to_string()];
    let rows: Vec<&str> = text.lines().collect();
    let is_row = |line: &&str| line.trim_start().starts_with('[') && line.ends_with(',');
    let short: Vec<&str> = rows
        .iter()
        .copied()
        .enumerate()
        .filter(|(i, line)| !is_row(line) || i % 40 == 9)
        .map(|(_, line)| line)
        .collect();
    samples.push(short.join("\n") + "\n");
    samples.retain(|text| text.len() < 20_000);
    samples
}

fn reads_profile(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let profile = match Profile::parse("trial", &text) {
        Ok(profile) => profile,
        Err(error) => return one_sentence(error),
    };
    for game in ["chess", "loa", "othello", "abalone"] {
        match profile.params(ProfiledGame::plain(game)) {
            Err(error) => one_sentence(error)?,
            Ok(params) => {
                let written = write_groups("search", &params);
                let again =
                    Profile::parse("again", &written).and_then(|profile| profile.params(ProfiledGame::plain(game)));
                ensure(again == Ok(params), || format!("its parameters, written as {written}, read as {again:?}"))?;
            }
        }
    }
    let mut weights = <Loa as BoardGame>::Weights::default();
    profile.apply_to_evaluation(ProfiledGame::of::<Loa>(), &mut weights).or_else(one_sentence)
}

/// A table that is read is written and read back, and a search uses it.
fn reads_table<T: LearnedTable>(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let (table, origin) = match T::read("trial", &text, "loa", Loa::MOVE_CLASSES) {
        Ok(read) => read,
        Err(error) => return one_sentence(error),
    };
    let written = table.write(&origin);
    let again = T::read("again", &written, "loa", Loa::MOVE_CLASSES)
        .map_err(|error| format!("written and read back: {error}"))?;
    // Written numbers are rounded, once.
    let rewritten = again.0.write(&again.1);
    ensure(rewritten == written, || format!("{written:?} is written {rewritten:?} when it has been read"))?;
    let folder = folder().map_err(|error| error.to_string())?;
    let file = folder.path().join("table.toml");
    std::fs::write(&file, text.as_bytes()).map_err(|error| error.to_string())?;
    let line = format!("analyse loa --nodes 300 --hash 1 --profile brute --set={}.enabled=on --table={{}}", T::KIND);
    super::commands::runs(&line, file.display().to_string().as_bytes())
}

fn sample_patterns() -> Vec<Vec<u8>> {
    vec![Patterns::write("a command", &[vec![0.5, -0.25, 1.0], vec![1.5]]), b"plywise".to_vec()]
}

fn reads_patterns(input: &[u8]) -> Result<(), String> {
    match Patterns::parse(input) {
        Ok(_) => Ok(()),
        Err(error) => one_sentence(error),
    }
}

fn manifest() -> Manifest {
    let work = serde_json::json!({"command": "match", "game": "loa", "seed": 1, "players": [{"profile": "best"}]});
    Manifest { work: work.as_object().cloned().unwrap_or_default(), ..Manifest::default() }
}

/// Opens the run in a folder, whatever its games are.
fn open_run(folder: &Path) -> Result<(Run, Vec<GameRecord>), RunError> {
    let mut records = Vec::new();
    let mut take = |record| {
        records.push(record);
        Ok(())
    };
    let run = Run::open(folder, &manifest(), false, &mut take)?;
    Ok((run, records))
}

fn sample_manifests() -> Vec<String> {
    vec![serde_json::to_string_pretty(&manifest()).unwrap_or_default() + "\n"]
}

/// A journal as a run writes it.
fn sample_journals() -> Vec<Vec<u8>> {
    let write = || -> Option<Vec<u8>> {
        let folder = folder().ok()?;
        let (mut run, _) = open_run(folder.path()).ok()?;
        crate::engines::sound_records().iter().try_for_each(|record| run.append(record)).ok()?;
        std::fs::read(folder.path().join("journal.jsonl")).ok()
    };
    write().into_iter().collect()
}

/// A folder in memory where there is one: a million fsyncs wear a disk out.
fn folder() -> std::io::Result<tempfile::TempDir> {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }
}

fn reads_manifest(input: &[u8]) -> Result<(), String> {
    let folder = folder().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("run.json"), input).map_err(|error| error.to_string())?;
    match open_run(folder.path()) {
        Err(error) => one_sentence(error),
        Ok((_, finished)) => ensure(finished.is_empty(), || format!("{} games out of nothing", finished.len())),
    }
}

fn reads_journal(input: &[u8]) -> Result<(), String> {
    let folder = folder().map_err(|error| error.to_string())?;
    let journal = folder.path().join("journal.jsonl");
    drop(open_run(folder.path()).map_err(|error| error.to_string())?);
    std::fs::write(&journal, input).map_err(|error| error.to_string())?;
    let finished = match open_run(folder.path()) {
        Err(error) => return one_sentence(error),
        Ok((_, finished)) => finished,
    };
    for record in &finished {
        record.to_pgn(&Hosted::<Loa>::new(), "trial").map(|_| ()).or_else(one_sentence)?;
    }
    let again = open_run(folder.path()).map_err(|error| format!("opened again: {error}"))?;
    ensure(again.1 == finished, || format!("{} games are {} when opened again", finished.len(), again.1.len()))
}

fn reads_time_control(input: &[u8]) -> Result<(), String> {
    match String::from_utf8_lossy(input).parse::<TimeControl>() {
        Err(error) => ensure(!error.to_string().is_empty(), || "refused without a word".into()),
        Ok(control) => {
            let again = control.to_string().parse();
            ensure(again == Ok(control), || format!("{control:?} is written {control} and reads {again:?}"))
        }
    }
}

fn reads_engine(input: &[u8]) -> Result<(), String> {
    match String::from_utf8_lossy(input).parse::<Engine>() {
        Err(error) => ensure(!error.to_string().is_empty(), || "refused without a word".into()),
        Ok(engine) => ensure(!engine.program.is_empty(), || "an engine without a program".into()),
    }
}

fn reads_score(input: &[u8]) -> Result<(), String> {
    let score = pgn::read_eval(&String::from_utf8_lossy(input));
    ensure(score.is_none_or(f64::is_finite), || format!("the score is {score:?}"))
}
