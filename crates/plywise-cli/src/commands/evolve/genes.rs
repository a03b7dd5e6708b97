//! Which parameters evolve: a preset, or a file of genes.

use crate::engine::EVALUATION;
use crate::games::Playable;
use crate::{Failure, Result, files};
use clap::Args;
use plywise_game::parameters::{Parameter, Parameters};
use plywise_host::Weights;
use plywise_learn::evolution::{Drive, Gene, GeneFile, Genome, Others};
use std::path::PathBuf;

/// Which parameters evolve.
#[derive(Debug, Args)]
#[command(next_help_heading = "Genes")]
pub struct GeneArgs {
    /// A set of genes: paper, as the authors describe theirs, or full, a gene for each group of an evaluation's weights
    /// [default: paper, or full where a game has no other]
    #[arg(long, value_name = "NAME", conflicts_with = "genes")]
    pub preset: Option<String>,
    /// A file of genes: the game, others = "zero" or "keep", and [[gene]] with name, bits, offset, step, most and drives
    #[arg(long, value_name = "FILE")]
    pub genes: Option<PathBuf>,
}

/// The preset of the papers.
const PAPER: &str = "paper";

/// The preset with all weights of an evaluation.
const FULL: &str = "full";

impl GeneArgs {
    /// What the genes of an evaluation are called.
    pub fn name<G: Playable>(&self) -> String {
        let has_paper = G::GENES.iter().any(|(name, _)| *name == PAPER);
        self.name_or(if has_paper { PAPER } else { FULL })
    }

    /// What the genes of a search are called.
    pub fn search_name(&self) -> String {
        self.name_or(PAPER)
    }

    fn name_or(&self, default: &str) -> String {
        match &self.genes {
            Some(file) => file.display().to_string(),
            None => self.preset.clone().unwrap_or_else(|| default.to_owned()),
        }
    }

    /// Genes for the weights of an evaluation.
    pub fn of_weights<G: Playable>(&self, base: &Weights) -> Result<Genome> {
        let name = self.name::<G>();
        let known: Vec<&str> = G::GENES.iter().map(|(name, _)| *name).chain([FULL]).collect();
        let file = match (&self.genes, name.as_str()) {
            (Some(_), _) => parse(&name, &files::read_text(&name)?)?,
            (None, FULL) => full::<G>(base),
            (None, _) => preset(&name, G::GENES, &known, G::NAME)?,
        };
        genome(&name, file, G::NAME, base)
    }

    /// Genes for the parameters of a search.
    pub fn of_search<G: Playable>(&self, base: &plywise_search::Params) -> Result<Genome> {
        let name = self.search_name();
        let file = match &self.genes {
            Some(_) => parse(&name, &files::read_text(&name)?)?,
            None => preset(&name, SEARCH_PRESETS, &[PAPER], "a search")?,
        };
        genome(&name, file, G::NAME, base)
    }
}

fn genome<P: Parameters>(name: &str, file: GeneFile, game: &str, base: &P) -> Result<Genome> {
    if !file.game.is_empty() && file.game != game {
        return Err(Failure::input(format!("the genes of '{name}' are for {}, not for {game}", file.game)));
    }
    let Genes { genes, others } = Genes::of(file);
    Genome::new(genes, others, base).map_err(|error| Failure::input(format!("'{name}': {error}")))
}

/// Genes of the papers for the search of any game.
const SEARCH_PRESETS: &[(&str, &str)] = &[(PAPER, include_str!("paper-search.toml"))];

fn preset(name: &str, presets: &[(&str, &str)], known: &[&str], owner: &str) -> Result<GeneFile> {
    match presets.iter().find(|(preset, _)| *preset == name) {
        Some((name, text)) => parse(name, text),
        None => Err(Failure::input(format!("{owner} has no preset '{name}'; it has {}", known.join(", ")))),
    }
}

fn parse(name: &str, text: &str) -> Result<GeneFile> {
    toml::from_str(text).map_err(|error| Failure::input(format!("genes '{name}': {error}")))
}

struct Genes {
    genes: Vec<Gene>,
    others: Others,
}

impl Genes {
    /// The genes of a file; the weights of an evaluation may be named as `--set` names them.
    fn of(file: GeneFile) -> Genes {
        let mut genes = file.gene;
        for drive in genes.iter_mut().flat_map(|gene| &mut gene.drives) {
            if let Some(path) = drive.path.strip_prefix(EVALUATION) {
                drive.path = path.to_owned();
            }
        }
        Genes { genes, others: file.others }
    }
}

/// A gene for each group of weights: it makes them up to twice what they are, all together. A group of zeros has none.
fn full<G: Playable>(base: &Weights) -> GeneFile {
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
    GeneFile { game: G::NAME.to_owned(), description: String::new(), others: Others::Keep, gene }
}
