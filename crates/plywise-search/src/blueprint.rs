use crate::{Knowledge, Params, Searcher, TableTooLarge};
use plywise_game::{Evaluate, Game};

/// Everything that decides how a player thinks. Commands, matches and learners all make their searchers from one.
#[derive(Clone, Debug)]
pub struct Blueprint<E> {
    /// How it searches.
    pub params: Params,
    /// How it judges positions.
    pub evaluate: E,
    /// The tables of its techniques.
    pub knowledge: Knowledge,
    /// The threads of one search.
    pub threads: usize,
    /// The size of its transposition table in MB.
    pub megabytes: usize,
}

/// A table that is emptied for every game should not be larger than fast games can fill.
const SMALL: usize = 16;

impl<E> Blueprint<E> {
    /// One thread, a small table, and no tables of learners.
    pub fn new(params: Params, evaluate: E) -> Blueprint<E> {
        Blueprint { params, evaluate, knowledge: Knowledge::default(), threads: 1, megabytes: SMALL }
    }

    /// A searcher of this kind, with nothing remembered.
    pub fn searcher<G: Game>(&self) -> Result<Searcher<G, E>, TableTooLarge>
    where
        E: Evaluate<G>,
    {
        let mut searcher = Searcher::new(self.params.clone(), self.evaluate.clone(), self.megabytes)?;
        searcher.set_knowledge(self.knowledge.clone());
        searcher.set_threads(self.threads);
        Ok(searcher)
    }

    /// Makes a searcher one of this kind, with nothing remembered; its threads and its table stay.
    pub fn teach<G: Game>(&self, searcher: &mut Searcher<G, E>)
    where
        E: Evaluate<G>,
    {
        searcher.set_knowledge(self.knowledge.clone());
        searcher.set_policy(self.params.clone());
        searcher.set_evaluation(self.evaluate.clone());
    }
}
