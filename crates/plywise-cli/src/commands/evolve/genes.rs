//! Which parameters evolve: a preset, or a file of genes.

use crate::engine::{EVALUATION, read_file};
use crate::games::BoardGame;
use crate::{Failure, Result};
use clap::Args;
use plywise_game::parameters::{Parameter, Parameters};
use plywise_learn::evolution::{Drive, Gene, GeneFile, Genome, Others};
use std::path::PathBuf;

/// Which parameters evolve.
#[derive(Debug, Args)]
#[command(next_help_heading = "Genes")]
pub struct GeneArgs {
    /// A set of genes: paper, as the authors describe theirs, or full, everything that there is
    #[arg(long, value_name = "NAME", default_value = "paper", conflicts_with = "genes")]
    pub preset: String,
    /// A file of genes: [[gene]] with name, bits, offset, step, most and drives
    #[arg(long, value_name = "FILE")]
    pub genes: Option<PathBuf>,
}

/// The preset with all weights of an evaluation.
const FULL: &str = "full";

impl GeneArgs {
    /// What the genes are called.
    pub fn name(&self) -> String {
        self.genes.as_ref().map_or(self.preset.clone(), |file| file.display().to_string())
    }

    /// Genes for the weights of an evaluation.
    pub fn of_weights<G: BoardGame>(&self, base: &G::Weights) -> Result<Genome> {
        let file = match (&self.genes, self.preset.as_str()) {
            (None, FULL) => full::<G>(),
            (None, name) => preset(name, G::GENES, G::NAME)?,
            (Some(_), _) => self.file()?,
        };
        self.genome(file, G::NAME, base)
    }

    /// Genes for the parameters of a search.
    pub fn of_search<G: BoardGame>(&self, base: &plywise_search::Params) -> Result<Genome> {
        let file = match &self.genes {
            None => preset(&self.preset, SEARCH_PRESETS, G::NAME)?,
            Some(_) => self.file()?,
        };
        self.genome(file, G::NAME, base)
    }

    fn file(&self) -> Result<GeneFile> {
        let name = self.name();
        parse(&name, &read_file(&name)?)
    }

    fn genome<P: Parameters>(&self, file: GeneFile, game: &str, base: &P) -> Result<Genome> {
        if !file.game.is_empty() && file.game != game {
            return Err(Failure::input(format!(
                "the genes of '{}' are for {}, not for {game}",
                self.name(),
                file.game
            )));
        }
        let Genes { genes, others } = Genes::of(file);
        Genome::new(genes, others, base).map_err(|error| Failure::input(format!("'{}': {error}", self.name())))
    }
}

/// Genes of the papers for the search of any game.
const SEARCH_PRESETS: &[(&str, &str)] = &[("paper", include_str!("paper-search.toml"))];

fn preset(name: &str, presets: &[(&str, &str)], game: &str) -> Result<GeneFile> {
    match presets.iter().find(|(preset, _)| *preset == name) {
        Some((name, text)) => parse(name, text),
        None => {
            let known: Vec<&str> = presets.iter().map(|(name, _)| *name).chain([FULL]).collect();
            Err(Failure::input(format!("{game} has no preset '{name}'; it has {}", known.join(", "))))
        }
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

/// A gene for each group of weights: it makes them up to twice what they are, all together.
fn full<G: BoardGame>() -> GeneFile {
    /// The value at which the weights are what they are.
    const USUAL: i32 = 32;
    let mut gene: Vec<Gene> = Vec::new();
    for Parameter { group, name, index, default, .. } in G::Weights::declared() {
        if gene.last().is_none_or(|gene| gene.name != group) {
            gene.push(Gene { name: group.to_owned(), bits: 6, offset: 0, step: 1, most: None, drives: Vec::new() });
        }
        let path = index.map_or(format!("{group}.{name}"), |index| format!("{group}.{name}.{index}"));
        if let Some(gene) = gene.last_mut() {
            gene.drives.push(Drive { path, shape: vec![default], over: USUAL, plus: 0 });
        }
    }
    GeneFile { game: G::NAME.to_owned(), description: String::new(), others: Others::Keep, gene }
}
