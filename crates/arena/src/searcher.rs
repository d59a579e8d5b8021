//! Players by tree search with any evaluator.

use std::sync::atomic::{AtomicBool, Ordering};

use mcts::{Evaluator, Search, SearchConfig, SearchResult, drive};
use rules::{Game, Move};

use crate::player::{Action, Answer, Player, PlayerError, Turn};
use crate::score::Score;

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
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        stop: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        while self.searches.len() < turns.len() {
            self.searches.push(Search::new(self.config));
        }
        let searches = &mut self.searches[..turns.len()];
        for (search, turn) in searches.iter_mut().zip(turns) {
            search.start(turn.game.clone(), turn.seed);
        }
        let failed = |error| PlayerError { player: self.name.clone(), source: Box::new(error) };
        while drive(searches, &mut self.evaluator).map_err(failed)? > 0 {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        out.extend(searches.iter().map(|search| answer(&search.result())));
        Ok(())
    }
}

fn answer(result: &SearchResult<Move>) -> Answer {
    Answer {
        action: Action::Move(result.best),
        score: Some(Score::Value(result.root_wdl.value())),
        proven: result.proven,
        nodes: Some(result.simulations.into()),
        elapsed: None,
    }
}
