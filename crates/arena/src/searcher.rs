//! Players by tree search with any evaluator.

use mcts::{Evaluator, Search, SearchConfig, drive_to_end};
use rules::{Game, Move, Seed};

use crate::player::{Player, PlayerError};

/// Tree search with an evaluator (a net, or [`Uniform`](mcts::fake::Uniform)); the leaves of all
/// its games form one batch.
#[derive(Debug)]
pub struct Searcher<E> {
    name: String,
    evaluator: E,
    config: SearchConfig,
    searches: Vec<Search<Game>>,
}

impl<E: Evaluator<Game>> Searcher<E> {
    /// A player with `simulations` a move, the default parameters and no noise at the root.
    pub fn new(name: String, evaluator: E, simulations: u32) -> Searcher<E> {
        Searcher::with_config(name, evaluator, SearchConfig { simulations, ..play_config() })
    }

    /// A player with all parameters chosen.
    pub fn with_config(name: String, evaluator: E, config: SearchConfig) -> Searcher<E> {
        Searcher { name, evaluator, config, searches: Vec::new() }
    }
}

/// The default search without chance at the root.
pub fn play_config() -> SearchConfig {
    SearchConfig { gumbel_scale: 0.0, noise_fraction: 0.0, ..SearchConfig::default() }
}

impl<E: Evaluator<Game> + Send> Player for Searcher<E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(
        &mut self,
        games: &[&Game],
        seeds: &[Seed],
        out: &mut Vec<Move>,
    ) -> Result<(), PlayerError> {
        out.clear();
        while self.searches.len() < games.len() {
            self.searches.push(Search::new(self.config));
        }
        let searches = &mut self.searches[..games.len()];
        for ((search, game), &seed) in searches.iter_mut().zip(games).zip(seeds) {
            search.start((*game).clone(), seed);
        }
        drive_to_end(searches, &mut self.evaluator)
            .map_err(|error| PlayerError { player: self.name.clone(), source: Box::new(error) })?;
        out.extend(searches.iter().map(|search| search.result().best));
        Ok(())
    }
}
