//! Varied openings: a few random moves from the start, distinct and not already decided; or from a list.

mod list;

use std::collections::BTreeSet;
use std::sync::Arc;

use mcts::fake::Uniform;
use mcts::{Search, SearchConfig, drive_to_end};
use rand::RngExt;
use rules::{Game, Move, Position, Seed, Variant};

use crate::searcher::yardstick_config;
pub use list::{ListFault, ListFaults, OpeningList, read_list, shuffle};

/// A start for both games of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where it starts; `None`: the variant's start position.
    pub start: Option<Position>,
    /// Moves from there.
    pub moves: Vec<Move>,
}

/// How openings are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningConfig {
    /// Fewest random plies.
    pub min_plies: u32,
    /// Most random plies, at least `min_plies`.
    pub max_plies: u32,
    /// Simulations of a search without a net; an opening in which it proves the result is left out.
    /// 0: no search.
    pub simulations: u32,
}

impl Default for OpeningConfig {
    fn default() -> OpeningConfig {
        OpeningConfig { min_plies: 2, max_plies: 4, simulations: 400 }
    }
}

/// Openings could not be made.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum OpeningError {
    /// The variant does not supply enough of them.
    #[error(
        "{variant}: only {found} of {wanted} openings of {min_plies} to {max_plies} plies that are \
         distinct and not decided; ask for fewer games or longer openings"
    )]
    TooFew {
        /// Variant id.
        variant: String,
        /// Openings asked for.
        wanted: usize,
        /// Openings found.
        found: usize,
        /// Fewest plies.
        min_plies: u32,
        /// Most plies.
        max_plies: u32,
    },
}

/// Random games tried for each opening wanted before giving up.
const ATTEMPTS_EACH: usize = 100;

/// `count` openings with distinct positions, the same for the same seed.
///
/// # Errors
/// If the variant does not supply enough.
pub fn openings(
    variant: &Arc<Variant>,
    count: usize,
    config: &OpeningConfig,
    seed: Seed,
) -> Result<Vec<Opening>, OpeningError> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::with_capacity(count);
    let mut filter = Filter::new(config.simulations);
    for attempt in 0..(count * ATTEMPTS_EACH) as u64 {
        if found.len() == count {
            break;
        }
        let seed = seed.derive("opening", attempt);
        let Some(game) = random_start(variant, config, seed) else { continue };
        if seen.insert(game.position().key()) && !filter.is_decided(&game) {
            found.push(Opening { start: None, moves: game.moves().to_vec() });
        }
    }
    if found.len() < count {
        return Err(OpeningError::TooFew {
            variant: variant.id().to_owned(),
            wanted: count,
            found: found.len(),
            min_plies: config.min_plies,
            max_plies: config.max_plies,
        });
    }
    Ok(found)
}

/// A game after some random moves; `None` if it is over.
fn random_start(variant: &Arc<Variant>, config: &OpeningConfig, seed: Seed) -> Option<Game> {
    let mut rng = seed.rng();
    let mut game = Game::new(variant.clone());
    let mut moves = Vec::new();
    let plies = rng.random_range(config.min_plies..=config.max_plies.max(config.min_plies));
    for _ in 0..plies {
        if game.verdict(&mut moves).is_some() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]);
    }
    game.verdict(&mut moves).is_none().then_some(game)
}

/// Tells whether a short search without a net proves the result.
struct Filter {
    search: Option<Search<Game>>,
}

impl Filter {
    fn new(simulations: u32) -> Filter {
        let config = SearchConfig { simulations, ..yardstick_config() };
        Filter { search: (simulations > 0).then(|| Search::new(config)) }
    }

    fn is_decided(&mut self, game: &Game) -> bool {
        let Some(search) = &mut self.search else { return false };
        search.start(game.clone(), Seed(0));
        drive_to_end(std::slice::from_mut(search), &mut Uniform).expect("Uniform never fails");
        search.result().proven.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micro() -> Arc<Variant> {
        Variant::builtin("micro").unwrap()
    }

    #[test]
    fn openings_are_distinct_undecided_and_repeatable() {
        let variant = micro();
        let config = OpeningConfig::default();
        let made = openings(&variant, 60, &config, Seed(3)).unwrap();
        assert_eq!(made, openings(&variant, 60, &config, Seed(3)).unwrap());
        assert_ne!(made, openings(&variant, 60, &config, Seed(4)).unwrap());
        let mut filter = Filter::new(config.simulations);
        let mut keys = BTreeSet::new();
        for opening in &made {
            assert!((2..=4).contains(&opening.moves.len()));
            let mut game = Game::new(variant.clone());
            for &mv in &opening.moves {
                game.try_play(mv).unwrap();
            }
            assert!(keys.insert(game.position().key()));
            assert!(!filter.is_decided(&game));
        }
    }

    #[test]
    fn too_many_are_refused() {
        let config = OpeningConfig { min_plies: 1, max_plies: 1, simulations: 0 };
        let error = openings(&micro(), 1000, &config, Seed(0)).unwrap_err();
        assert!(error.to_string().starts_with("micro: only "), "{error}");
    }
}
