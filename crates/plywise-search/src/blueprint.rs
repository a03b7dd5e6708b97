use crate::{Knowledge, Params, SearchFn, Searcher, TableTooLarge};
use plywise_game::{Evaluate, Game};

/// Everything that decides how a player thinks. Commands, matches and learners all make their searchers from one.
#[derive(Debug)]
pub struct Blueprint<G: Game, E: Evaluate<G>> {
    /// The search, compiled here or elsewhere.
    pub search: SearchFn<G, E>,
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

impl<G: Game, E: Evaluate<G>> Blueprint<G, E> {
    /// One thread, a small table, no tables of learners, and a search that is compiled where this is called.
    pub fn new(params: Params, evaluate: E) -> Blueprint<G, E> {
        let knowledge = Knowledge::default();
        Blueprint { search: SearchFn::generic(), params, evaluate, knowledge, threads: 1, megabytes: SMALL }
    }

    /// A searcher of this kind, with nothing remembered.
    pub fn searcher(&self) -> Result<Searcher<G, E>, TableTooLarge> {
        let mut searcher = Searcher::with(self.search, self.params.clone(), self.evaluate.clone(), self.megabytes)?;
        searcher.set_knowledge(self.knowledge.clone());
        searcher.set_threads(self.threads);
        Ok(searcher)
    }

    /// Makes a searcher one of this kind, with nothing remembered; its threads and its table stay.
    pub fn reconfigure(&self, searcher: &mut Searcher<G, E>) {
        searcher.set_knowledge(self.knowledge.clone());
        searcher.set_policy(self.params.clone());
        searcher.set_evaluation(self.evaluate.clone());
    }
}

// Derived, this would ask the game's own type to be `Clone`.
impl<G: Game, E: Evaluate<G>> Clone for Blueprint<G, E> {
    fn clone(&self) -> Blueprint<G, E> {
        let Blueprint { search, params, evaluate, knowledge, threads, megabytes } = self;
        Blueprint {
            search: *search,
            params: params.clone(),
            evaluate: evaluate.clone(),
            knowledge: knowledge.clone(),
            threads: *threads,
            megabytes: *megabytes,
        }
    }
}
