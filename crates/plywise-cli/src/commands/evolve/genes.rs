//! Which parameters evolve: a preset, or a file of genes.

use crate::{Result, files};
use clap::Args;
use plywise_host::{AnyGame, Weights};
use plywise_learn::evolution::{Genome, PAPER, genome_of_search, genome_of_weights, usual_preset};
use plywise_search::Params;
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

impl GeneArgs {
    /// What the genes of an evaluation are called.
    pub fn name(&self, game: &dyn AnyGame) -> String {
        self.name_or(usual_preset(game))
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

    /// The text of the file of genes, if one is named.
    fn text(&self) -> Result<Option<String>> {
        self.genes.as_ref().map(files::read_text).transpose()
    }

    /// Genes for the weights of an evaluation.
    pub fn of_weights(&self, game: &dyn AnyGame, base: &Weights) -> Result<Genome> {
        Ok(genome_of_weights(game, &self.name(game), self.text()?.as_deref(), base)?)
    }

    /// Genes for the parameters of a search.
    pub fn of_search(&self, game: &dyn AnyGame, base: &Params) -> Result<Genome> {
        Ok(genome_of_search(game, &self.search_name(), self.text()?.as_deref(), base)?)
    }
}
