//! What the papers evolve, and how they breed.

use super::{Breeder, Drive, Gene, GeneFile, Genome, Others, Selection};
use plywise_game::parameters::{Parameter, Parameters};
use plywise_host::{AnyGame, EVALUATION, Weights};
use plywise_run::JobError;
use plywise_search::Params;

/// The genes as the authors describe theirs.
pub const PAPER: &str = "paper";

/// A gene for each group of an evaluation's weights.
pub const FULL: &str = "full";

/// Genes of the papers for the search of any game.
const SEARCH_PRESETS: &[(&str, &str)] = &[(PAPER, include_str!("paper-search.toml"))];

/// How generations follow each other, unless the user says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breeding {
    /// How many generations follow the first.
    pub generations: u64,
    /// How many organisms a generation has.
    pub population: u16,
    /// The probability that a bit is turned.
    pub mutation: f64,
    /// How parents are chosen.
    pub selection: Selection,
}

impl Breeding {
    /// The probability that two parents are crossed, rather than copied.
    pub const CROSSOVER: f64 = 0.75;

    /// How many of the best live on unchanged.
    pub const ELITE: u16 = 1;

    /// Evaluations that imitate winners: David-Tabibi et al., "Simulating human grandmasters", 2009.
    pub const EVAL: Breeding =
        Breeding { generations: 200, population: 100, mutation: 0.005, selection: Selection::Proportional };

    /// Evaluations that play each other, in the same paper.
    pub const COEVAL: Breeding =
        Breeding { generations: 50, population: 10, mutation: 0.005, selection: Selection::Rank };

    /// Searches: David-Tabibi et al., "Optimizing selective search in chess", 2010. The paper as we have it does not say how
    /// it breeds: this is ours.
    pub const SEARCH: Breeding =
        Breeding { generations: 50, population: 10, mutation: 0.05, selection: Selection::Proportional };

    /// The breeder.
    pub fn breeder(&self, seed: u64) -> Breeder {
        Breeder {
            population: self.population.into(),
            selection: self.selection,
            crossover: Breeding::CROSSOVER,
            mutation: self.mutation,
            elite: Breeding::ELITE.into(),
            seed,
        }
    }
}

/// The preset for the evaluation of a game: that of the papers, or the full one where there is no other.
pub fn usual_preset(game: &dyn AnyGame) -> &'static str {
    if game.genes().iter().any(|(name, _)| *name == PAPER) { PAPER } else { FULL }
}

/// Genes for the weights of an evaluation: a preset, or a file of this name and text.
pub fn genome_of_weights(
    game: &dyn AnyGame,
    name: &str,
    file: Option<&str>,
    base: &Weights,
) -> Result<Genome, JobError> {
    let known: Vec<&str> = game.genes().iter().map(|(name, _)| *name).chain([FULL]).collect();
    let genes = match (file, name) {
        (Some(text), _) => parse(name, text)?,
        (None, FULL) => full(game, base),
        (None, _) => preset(name, game.genes(), &known, game.name())?,
    };
    genome(name, genes, game.name(), base)
}

/// Genes for the parameters of a search: a preset, or a file of this name and text.
pub fn genome_of_search(game: &dyn AnyGame, name: &str, file: Option<&str>, base: &Params) -> Result<Genome, JobError> {
    let genes = match file {
        Some(text) => parse(name, text)?,
        None => preset(name, SEARCH_PRESETS, &[PAPER], "a search")?,
    };
    genome(name, genes, game.name(), base)
}

fn genome<P: Parameters>(name: &str, file: GeneFile, game: &str, base: &P) -> Result<Genome, JobError> {
    if !file.game.is_empty() && file.game != game {
        return Err(JobError::input(format!("the genes of '{name}' are for {}, not for {game}", file.game)));
    }
    let mut genes = file.gene;
    // The weights of an evaluation may be named as `--set` names them.
    for drive in genes.iter_mut().flat_map(|gene| &mut gene.drives) {
        if let Some(path) = drive.path.strip_prefix(EVALUATION) {
            drive.path = path.to_owned();
        }
    }
    Genome::new(genes, file.others, base).map_err(|error| JobError::input(format!("'{name}': {error}")))
}

fn preset(name: &str, presets: &[(&str, &str)], known: &[&str], owner: &str) -> Result<GeneFile, JobError> {
    match presets.iter().find(|(preset, _)| *preset == name) {
        Some((name, text)) => parse(name, text),
        None => Err(JobError::input(format!("{owner} has no preset '{name}'; it has {}", known.join(", ")))),
    }
}

fn parse(name: &str, text: &str) -> Result<GeneFile, JobError> {
    toml::from_str(text).map_err(|error| JobError::input(format!("genes '{name}': {error}")))
}

/// A gene for each group of weights: it makes them up to twice what they are, all together. A group of zeros has none.
fn full(game: &dyn AnyGame, base: &Weights) -> GeneFile {
    /// The value at which the weights are what they are.
    const USUAL: i32 = 32;
    let mut gene: Vec<Gene> = Vec::new();
    base.visit(&mut |parameter, weight| {
        let Parameter { group, .. } = *parameter;
        if gene.last().is_none_or(|gene| gene.name != group) {
            gene.push(Gene { name: group.to_owned(), bits: 6, offset: 0, step: 1, most: None, drives: Vec::new() });
        }
        if let Some(gene) = gene.last_mut()
            && weight != 0
        {
            gene.drives.push(Drive { path: parameter.path(), shape: vec![weight], over: USUAL, plus: 0 });
        }
    });
    gene.retain(|gene| !gene.drives.is_empty());
    GeneFile { game: game.name().to_owned(), description: String::new(), others: Others::Keep, gene }
}
