//! Jobs that the page of the studio begins. A form is made from the arguments of the command, which say what each field means,
//! what it is by default and within which bounds; the words that it was filled in with are read as the command reads them.
//!
//! The page starts no other program and names no file: players are built-in profiles, suites those that come with a game.

use crate::arguments;
use crate::cli::{completed, refusal};
use crate::commands::learn::spsa;
use crate::commands::{matches, suite};
use crate::games::Games;
use crate::memory::check_tables;
use crate::players::check_memory;
use crate::runs::RunArgs;
use crate::{Failure, Result};
use clap::Args;
use plywise_arena::matches::PlayMatch;
use plywise_arena::suites::{RunSuite, own_suites};
use plywise_host::{AnyGame, NoFiles, Setting, Setup};
use plywise_learn::LearnableGame;
use plywise_learn::tuning::LearnSpsa;
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{Profile, Signal};
use plywise_studio::{JobStarter, Pairs, ReadyJob};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Begins jobs of these games.
pub(super) struct Starter {
    games: Vec<Arc<dyn LearnableGame>>,
}

/// How a field is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Switch,
    /// A built-in profile.
    Profile,
    /// Several of them.
    Profiles,
    /// Changes to the profile of another field: `GROUP.NAME=VALUE`, with spaces between.
    ChangesTo(&'static str),
    /// A suite that comes with the game.
    Suite,
    /// Parameters of a profile.
    Parameters,
}

/// A field: the argument of the command that it stands for, what people call it, and whether it is shown at once.
struct Field {
    id: &'static str,
    label: &'static str,
    kind: Kind,
    is_usual: bool,
}

const fn usual(id: &'static str, label: &'static str, kind: Kind) -> Field {
    Field { id, label, kind, is_usual: true }
}

const fn rare(id: &'static str, label: &'static str, kind: Kind) -> Field {
    Field { is_usual: false, ..usual(id, label, kind) }
}

const MATCH: &[Field] = &[
    usual("a", "Player A", Kind::Profile),
    rare("a_set", "Changes to A", Kind::ChangesTo("a")),
    usual("b", "Player B", Kind::Profile),
    rare("b_set", "Changes to B", Kind::ChangesTo("b")),
    usual("games", "Games", Kind::Number),
    usual("nodes", "Nodes for a move", Kind::Number),
    rare("depth", "Depth", Kind::Number),
    rare("movetime", "Milliseconds for a move", Kind::Number),
    rare("tc", "Clock", Kind::Text),
    rare("sprt", "Sequential test", Kind::Text),
    rare("max_moves", "Most moves", Kind::Number),
    rare("jobs", "Games at once", Kind::Number),
    rare("seed", "Seed", Kind::Number),
];

const SUITE: &[Field] = &[
    usual("file", "Suite", Kind::Suite),
    usual("profiles", "Profiles", Kind::Profiles),
    usual("depth", "Depths", Kind::Text),
    usual("nodes", "Nodes", Kind::Number),
    rare("movetime", "Milliseconds", Kind::Number),
    rare("sample", "Only this many", Kind::Number),
    rare("until_proven", "Until proven", Kind::Switch),
    rare("jobs", "Positions at once", Kind::Number),
    rare("seed", "Seed", Kind::Number),
];

const SPSA: &[Field] = &[
    usual("player", "Profile", Kind::Profile),
    usual("tune", "Parameters", Kind::Parameters),
    usual("iterations", "Iterations", Kind::Number),
    usual("pairs", "Pairs of games", Kind::Number),
    usual("nodes", "Nodes for a move", Kind::Number),
    rare("once", "Without the mirrored run", Kind::Switch),
    rare("check_games", "Games against the beginning", Kind::Number),
    rare("rate", "Rate", Kind::Text),
    rare("jobs", "Games at once", Kind::Number),
    rare("seed", "Seed", Kind::Number),
];

/// A job that the page may begin.
struct Form {
    job: &'static str,
    title: &'static str,
    fields: &'static [Field],
    /// The arguments of its command.
    declare: fn(clap::Command) -> clap::Command,
    /// What the fields hold before anybody fills them in, where the command has no default.
    begins_with: &'static [(&'static str, &'static str)],
    read: fn(&clap::ArgMatches, Arc<dyn LearnableGame>) -> Result<ReadyJob>,
}

const FORMS: [Form; 3] = [
    Form {
        job: PlayMatch::NAME,
        title: "Match",
        fields: MATCH,
        declare: matches::Arguments::augment_args,
        begins_with: &[("a", "best"), ("b", "classic"), ("nodes", "1000"), ("jobs", "1")],
        read: read_match,
    },
    Form {
        job: RunSuite::NAME,
        title: "Suite",
        fields: SUITE,
        declare: suite::Arguments::augment_args,
        begins_with: &[("profiles", "best,classic"), ("nodes", "10000"), ("jobs", "1")],
        read: read_suite,
    },
    Form {
        job: LearnSpsa::NAME,
        title: "Tune parameters by games",
        fields: SPSA,
        declare: spsa::Arguments::augment_args,
        begins_with: &[("nodes", "1000"), ("iterations", "200"), ("tune", "null_move.reduction"), ("jobs", "1")],
        read: read_spsa,
    },
];

impl Starter {
    pub(super) fn new(games: Games) -> Starter {
        Starter { games: games.0.to_vec() }
    }

    fn game(&self, name: &str) -> Result<Arc<dyn LearnableGame>> {
        Games(&self.games).learnable(name)
    }

    fn read_form(&self, job: &str, filled: &Pairs) -> Result<ReadyJob> {
        let form = FORMS.iter().find(|form| form.job == job);
        let form = form.ok_or_else(|| Failure::input(format!("the page begins no '{job}'")))?;
        let game = self.game(value_of(filled, GAME))?;
        let unknown =
            |field: &&(String, String)| field.0 != GAME && !form.fields.iter().any(|known| known.id == field.0);
        if let Some((field, _)) = filled.iter().find(unknown) {
            return Err(Failure::input(format!("the form has no field '{field}'")));
        }
        let mut words = vec![game.name().to_string()];
        for field in form.fields {
            let value = value_of(filled, field.id);
            if !value.is_empty() {
                words.extend(field.word(&*game, value, filled)?);
            }
        }
        if form.job == LearnSpsa::NAME {
            // The profile is written into the run directory, which is not known yet.
            words.push("--output=tuned.toml".into());
        }
        let command = form.command(Games(&self.games));
        let read = command.try_get_matches_from(words).map_err(|error| refusal(&error))?;
        (form.read)(&read, game)
    }
}

/// What a field was filled in with; nothing where it was left out.
fn value_of<'a>(filled: &'a Pairs, id: &str) -> &'a str {
    filled.iter().find(|(field, _)| field == id).map_or("", |(_, value)| value.trim())
}

/// The field that names the game.
const GAME: &str = "game";

impl JobStarter for Starter {
    fn forms(&self) -> Value {
        let games: Vec<Value> =
            self.games.iter().map(|game| json!({"name": game.name(), "title": game.title()})).collect();
        let profiles: Vec<String> = Profile::built_in().into_iter().map(|profile| profile.name).collect();
        let forms = FORMS.iter().map(|form| form.describe(Games(&self.games)));
        let suites = self.games.iter().map(|game| {
            let names: Vec<&str> = own_suites(&**game).into_iter().map(|(name, _)| name).collect();
            (game.name().to_string(), json!(names))
        });
        let suites: serde_json::Map<String, Value> = suites.collect();
        json!({"forms": forms.collect::<Vec<_>>(), "games": games, "profiles": profiles, "suites": suites})
    }

    fn read(&self, job: &str, filled: &Pairs) -> Result<ReadyJob, String> {
        self.read_form(job, filled).map_err(|failure| failure.to_string())
    }
}

impl Form {
    fn command(&self, games: Games) -> clap::Command {
        completed((self.declare)(clap::Command::new(self.job).no_binary_name(true)), games)
    }

    /// The form as data: each field as its argument is declared.
    fn describe(&self, games: Games) -> Value {
        let command = self.command(games);
        let about = command.get_about().map(ToString::to_string);
        let fields = self.fields.iter().map(|field| {
            let id = if let Kind::ChangesTo(_) = field.kind { "set" } else { field.id };
            let argument = command.get_arguments().find(|argument| argument.get_id() == id);
            let help = argument.and_then(clap::Arg::get_help).map(ToString::to_string);
            let usual = argument.and_then(|argument| argument.get_default_values().first()?.to_str());
            let given = self.begins_with.iter().find(|(known, _)| *known == field.id).map(|(_, value)| *value);
            let form = argument.and_then(|argument| argument.get_value_names()?.first()).map(ToString::to_string);
            json!({
                "id": field.id,
                "label": field.label,
                "kind": field.kind.name(),
                "help": help.map_or_else(|| CHANGES.to_string(), |help| without_options(&help)),
                "value": given.or(usual).unwrap_or_default(),
                "form": form,
                "usual": field.is_usual,
            })
        });
        json!({"job": self.job, "title": self.title, "about": about, "fields": fields.collect::<Vec<_>>()})
    }
}

/// The help of an argument without what is said of other options and of defaults, which the form shows.
fn without_options(help: &str) -> String {
    let told = help.split(" [default:").next().unwrap_or_default();
    told.split("; ").filter(|part| !part.contains("--")).collect::<Vec<_>>().join("; ")
}

const CHANGES: &str = "Parameters to change: GROUP.NAME=VALUE, with spaces between several";

impl Kind {
    /// What the page calls it.
    fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Text => "text",
            Kind::Switch => "switch",
            Kind::Profile => "profile",
            Kind::Profiles => "profiles",
            Kind::ChangesTo(_) => "changes",
            Kind::Suite => "suite",
            Kind::Parameters => "parameters",
        }
    }
}

impl Field {
    /// The word of the command line that the field is, if it is one by itself.
    fn word(&self, game: &dyn AnyGame, value: &str, filled: &Pairs) -> Result<Option<String>> {
        let option = self.id.replace('_', "-");
        Ok(match self.kind {
            Kind::Number | Kind::Text => Some(format!("--{option}={value}")),
            Kind::Switch => Some(format!("--{option}")),
            Kind::Profile => {
                check_profile(value)?;
                let changes = value_of(filled, &format!("{}_set", self.id));
                Some(format!("--{option}={}", player(game, value, changes)?))
            }
            Kind::Profiles => {
                value.split(',').try_for_each(|profile| check_profile(profile.trim()))?;
                Some(format!("--{option}={value}"))
            }
            // They belong to the word of the profile.
            Kind::ChangesTo(_) => None,
            Kind::Suite => {
                let known = own_suites(game);
                if !known.iter().any(|(name, _)| *name == value) {
                    return Err(Failure::input(format!("{} has no suite '{value}' of its own", game.title())));
                }
                Some(value.into())
            }
            Kind::Parameters => Some(format!(
                "--{option}={}",
                value.split_whitespace().collect::<Vec<_>>().join(",").replace(",,", ",")
            )),
        })
    }
}

/// Refuses what is no built-in profile: the page names no files and starts no engines.
fn check_profile(name: &str) -> Result {
    match Profile::built_in().iter().any(|profile| profile.name == name) {
        true => Ok(()),
        false => Err(Failure::input(format!(
            "'{name}' is no built-in profile: others play only where the command line names them"
        ))),
    }
}

/// A player as `--a` has it: a profile, and before it what is changed in it.
fn player(game: &dyn AnyGame, profile: &str, changes: &str) -> Result<String> {
    let mut setup = Setup::of_profile(game, profile)?;
    let mut words = Vec::new();
    for text in changes.split_whitespace() {
        let setting: Setting = text.parse().map_err(|_| Failure::input(format!("'{text}' is no change: {CHANGES}")))?;
        // A network that is no built-in one would be a file.
        setup.apply(game, &setting, &NoFiles)?;
        words.push(format!("set.{}={}", setting.path, setting.value.replace(',', "\\,")));
    }
    if !words.is_empty() {
        words.insert(
            0,
            format!(
                "name={} {}",
                profile,
                changes.split_whitespace().collect::<Vec<_>>().join(" ").replace(',', "\\,")
            ),
        );
    }
    words.push(profile.into());
    Ok(words.join(","))
}

/// Reads arguments from what clap found.
fn arguments<A: Args>(matches: &clap::ArgMatches) -> Result<A> {
    A::from_arg_matches(matches).map_err(|error| refusal(&error))
}

/// Refuses more work at the same time than the machine has cores for: the page is to stay quick.
fn check_jobs(jobs: usize) -> Result<usize> {
    let cores = arguments::jobs(None, 1);
    match jobs <= cores {
        true => Ok(jobs),
        false => Err(Failure::input(format!("this machine has cores for {cores} at once, not for {jobs}"))),
    }
}

/// Where a job of the page runs.
fn workplace(folder: &Path, jobs: usize, stop: &Signal) -> Workplace {
    RunArgs { run: Some(folder.into()), ..RunArgs::default() }.workplace(jobs, &[], stop)
}

fn told<T>(outcome: Result<T, JobError>) -> Result<T, String> {
    outcome.map_err(|error| Failure::from(error).to_string())
}

fn read_match(matches: &clap::ArgMatches, game: Arc<dyn LearnableGame>) -> Result<ReadyJob> {
    let args: matches::Arguments = arguments(matches)?;
    let game = game as Arc<dyn AnyGame>;
    let (job, jobs) = (args.job(&*game)?, check_jobs(args.jobs())?);
    check_memory(&job.players, jobs)?;
    Ok(Box::new(move |folder, stop| {
        let outcome = told(job.run(&game, &workplace(folder, jobs, stop), &|_| {}))?;
        told(outcome.failure.map_or(Ok(()), Err))
    }))
}

fn read_suite(matches: &clap::ArgMatches, game: Arc<dyn LearnableGame>) -> Result<ReadyJob> {
    let args: suite::Arguments = arguments(matches)?;
    let game = game as Arc<dyn AnyGame>;
    let job = args.job(&*game)?;
    let jobs = check_jobs(args.jobs(job.positions.len()))?;
    check_tables(args.variants.resources.hash, jobs)?;
    Ok(Box::new(move |folder, stop| told(job.run(&game, &workplace(folder, jobs, stop), &|()| {})).map(drop)))
}

fn read_spsa(matches: &clap::ArgMatches, game: Arc<dyn LearnableGame>) -> Result<ReadyJob> {
    let mut args: spsa::Arguments = arguments(matches)?;
    let (job, jobs) = (spsa::job(&*game, &args, None, &Signal::new())?, check_jobs(args.jobs.into())?);
    check_tables(2 * job.player.hash().max(1), jobs)?;
    Ok(Box::new(move |folder, stop| {
        let learned = told(job.run(&game, &workplace(folder, jobs, stop), &|_| {}))?;
        args.output = folder.join("tuned.toml");
        args.run.run = Some(folder.into());
        spsa::finish(&*game, &args, None, &job, &learned, &mut std::io::sink())
            .map_err(|failure| failure.to_string())?;
        learned.fault.map_or(Ok(()), Err)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starter() -> Starter {
        Starter { games: plywise_learn::games::built_in() }
    }

    fn read(job: &str, filled: &[(&str, &str)]) -> Result<ReadyJob, String> {
        let filled: Vec<(String, String)> =
            filled.iter().map(|(id, value)| (id.to_string(), value.to_string())).collect();
        starter().read(job, &filled)
    }

    #[test]
    fn forms_say_what_the_commands_declare() {
        let forms = starter().forms();
        let fields = |job: usize| forms["forms"][job]["fields"].as_array().unwrap().clone();
        for (job, form) in FORMS.iter().enumerate() {
            for (field, described) in form.fields.iter().zip(fields(job)) {
                let is_ours = matches!(field.kind, Kind::ChangesTo(_));
                assert_eq!(described["help"] == CHANGES, is_ours, "{} of {}", field.id, form.job);
            }
        }
        let games = fields(0).into_iter().find(|field| field["id"] == "games").unwrap();
        assert_eq!((&games["value"], &games["kind"]), (&json!("100"), &json!("number")));
        assert_eq!(fields(0).into_iter().find(|field| field["id"] == "depth").unwrap()["help"], "Plies to search");
        assert!(forms["suites"]["chess"].as_array().unwrap().contains(&json!("tactics")));
    }

    #[test]
    fn filled_in_forms_become_runs() {
        let folder = tempfile::tempdir().unwrap();
        let work = |name: &str, job: &str, filled: &[(&str, &str)]| {
            let path = folder.path().join(name);
            read(job, filled).unwrap()(&path, &Signal::new()).unwrap();
            let glance = plywise_run::Run::glance(&path).unwrap();
            assert_eq!(glance.manifest.work["command"], job);
            plywise_run::Run::count_units(&path).unwrap()
        };
        let players = [("a", "best"), ("a_set", "null_move.reduction=3"), ("b", "classic"), ("game", "connect4")];
        let limits = [("games", "2"), ("nodes", "50"), ("jobs", "1")];
        assert_eq!(work("match", "match", &[&players[..], &limits].concat()), 2);
        let run = plywise_run::Run::glance(&folder.path().join("match")).unwrap().manifest.work;
        assert!(run["players"][0].to_string().contains("null_move.reduction=3"), "{}", run["players"][0]);
        let suite =
            [("game", "chess"), ("file", "tactics"), ("profiles", "best,brute"), ("depth", "1"), ("sample", "2")];
        assert_eq!(work("suite", "suite", &suite), 4);
        let spsa = [
            ("game", "connect4"),
            ("player", "best"),
            ("tune", "futility.frontier"),
            ("iterations", "1"),
            ("pairs", "1"),
        ];
        work("spsa", "learn spsa", &[&spsa[..], &[("nodes", "50"), ("once", "on")]].concat());
        assert!(folder.path().join("spsa/tuned.toml").is_file());
    }

    #[test]
    fn the_page_starts_no_program_and_reads_no_file() {
        let secret = "/etc/hostname";
        let cases: [(&str, &[(&str, &str)]); 9] = [
            ("match", &[("game", "chess"), ("a", "uci:sh"), ("b", "best"), ("nodes", "9")]),
            ("match", &[("game", "chess"), ("a", "best"), ("b", secret), ("nodes", "9")]),
            ("match", &[("game", "chess"), ("a", "name=x,uci:sh"), ("b", "best"), ("nodes", "9")]),
            (
                "match",
                &[
                    ("game", "chess"),
                    ("a", "best"),
                    ("a_set", "evaluation.network=/etc/hostname"),
                    ("b", "best"),
                    ("nodes", "9"),
                ],
            ),
            ("match", &[("game", "chess"), ("a", "best"), ("b", "best"), ("nodes", "9"), ("openings", secret)]),
            ("match", &[("game", "chess"), ("a", "best"), ("b", "best"), ("nodes", "9"), ("pgn", secret)]),
            ("suite", &[("game", "chess"), ("file", secret), ("depth", "1")]),
            ("suite", &[("game", "chess"), ("file", "tactics"), ("profiles", "best,/etc/hostname"), ("depth", "1")]),
            ("learn spsa", &[("game", "chess"), ("tune", "null_move.reduction"), ("output", secret)]),
        ];
        for (job, filled) in cases {
            assert!(read(job, filled).is_err(), "{filled:?}");
        }
        assert!(read("learn net", &[("game", "chess")]).err().unwrap().contains("begins no"));
        let sentence = read("match", &[("game", "chess"), ("a", "best"), ("b", "best"), ("games", "0")]).err().unwrap();
        assert!(sentence.contains("games"), "{sentence}");
    }
}
