//! Players by tree search with any evaluator.

use std::sync::atomic::{AtomicBool, Ordering};

use mcts::{Driver, Evaluator, RootSelection, Search, SearchConfig, SearchResult};
use rules::{Game, Move};

use crate::player::{Action, Answer, GameId, Player, PlayerError, Turn};
use crate::score::Score;

/// Tree search with an evaluator (a net, or [`Uniform`](mcts::fake::Uniform)); the leaves of all
/// its games form one batch. Where the parameters say that trees are kept, a search goes on from
/// what the last one of the same game found below the moves played since.
#[derive(Debug)]
pub struct Searcher<E> {
    name: String,
    evaluator: E,
    config: SearchConfig,
    /// A search a game in play, and spare ones.
    searches: Vec<Search<Game>>,
    /// The games that the searches belong to.
    games: Vec<Option<GameId>>,
    driver: Driver<Game>,
}

impl<E: Evaluator<Game>> Searcher<E> {
    /// A player with `simulations` a move and the parameters of [`play_config`].
    pub fn new(name: String, evaluator: E, simulations: u32) -> Searcher<E> {
        Searcher::with_config(name, evaluator, SearchConfig { simulations, ..play_config() })
    }

    /// A player with all parameters chosen.
    pub fn with_config(name: String, evaluator: E, config: SearchConfig) -> Searcher<E> {
        let (searches, games) = (Vec::new(), Vec::new());
        Searcher { name, evaluator, config, searches, games, driver: Driver::default() }
    }

    /// What evaluates its positions.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The place of a game: the one it has, else a free one.
    fn place(&mut self, id: GameId) -> usize {
        let known = self.games.iter().position(|&game| game == Some(id));
        let place = known.or_else(|| self.games.iter().position(Option::is_none));
        let place = place.unwrap_or(self.games.len());
        if place == self.games.len() {
            self.searches.push(Search::new(self.config));
            self.games.push(None);
        }
        self.games[place] = Some(id);
        place
    }

    /// Begins the search of a turn: on from the last turn of the game, or anew.
    fn begin(&mut self, turn: &Turn<'_>) -> usize {
        let place = self.place(turn.id);
        let search = &mut self.searches[place];
        match search.at_rest().and_then(|known| moves_since(known, turn.game)) {
            Some(moves) => {
                moves.iter().for_each(|&mv| search.play(mv));
                search.restart(self.config, turn.seed);
            }
            None => search.start(turn.game.clone(), turn.seed),
        }
        place
    }
}

/// The moves that lead from one game to another, if it is a continuation of it.
fn moves_since<'a>(known: &Game, game: &'a Game) -> Option<&'a [Move]> {
    let moves = game.moves().strip_prefix(known.moves())?;
    (known.start() == game.start() && !moves.is_empty()).then_some(moves)
}

/// The default search in play: PUCT at the root without chance, trees kept, mates of up to three plies
/// seen at leaves. `configs/README.md` has what each of these was measured to give.
pub fn play_config() -> SearchConfig {
    let root = RootSelection::Puct;
    SearchConfig { root, leaf_mate: 3, keep_tree: true, ..yardstick_config() }
}

/// The search of yardsticks, which does not change: a rating in their terms means the same for ever.
pub fn yardstick_config() -> SearchConfig {
    SearchConfig {
        gumbel_scale: 0.0,
        noise_fraction: 0.0,
        proofs: true,
        leaf_mate: 0,
        keep_tree: false,
        ..SearchConfig::default()
    }
}

impl<E: Evaluator<Game> + Send> Player for Searcher<E> {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        stop: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        let places: Vec<usize> = turns.iter().map(|turn| self.begin(turn)).collect();
        let failed = |error| PlayerError { player: self.name.clone(), source: Box::new(error) };
        // Searches of games that have no turn are done, and take no part.
        let Searcher { searches, driver, evaluator, .. } = self;
        while driver.step(searches, evaluator).map_err(failed)? > 0 {
            if stop.load(Ordering::Relaxed) {
                searches.iter_mut().for_each(|search| _ = search.take());
                return Ok(());
            }
        }
        out.extend(places.into_iter().map(|place| answer(&self.searches[place].result())));
        Ok(())
    }

    fn game_over(&mut self, id: GameId, _: Option<usize>) {
        for (game, search) in self.games.iter_mut().zip(&mut self.searches) {
            // A game that was replayed had several names.
            if game.is_some_and(|game| (game.pair, game.game) == (id.pair, id.game)) {
                *game = None;
                search.take();
            }
        }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mcts::fake::Hashed;
    use rules::{Seed, Variant};

    use super::*;
    use crate::clock::{Clock, Limits};

    /// The moves of some games in which the player has both sides, asked together for those that
    /// are not over.
    fn play(player: &mut Searcher<Hashed>, numbers: &[u64]) -> Vec<Vec<Move>> {
        let variant = Variant::builtin("micro").unwrap();
        let begin = |&pair: &u64| {
            let mut game = Game::new(Arc::clone(&variant));
            let mut moves = Vec::new();
            game.verdict(&mut moves);
            game.play(moves[pair as usize]);
            (GameId { pair, game: 0, replay: 0 }, game)
        };
        let mut games: Vec<(GameId, Game)> = numbers.iter().map(begin).collect();
        let mut answers = Vec::new();
        for _ in 0..40 {
            let is_open = |(_, game): &(GameId, Game)| game.verdict(&mut Vec::new()).is_none();
            let open: Vec<(GameId, Game)> = games.iter().filter(|&g| is_open(g)).cloned().collect();
            let turns: Vec<Turn<'_>> = open.iter().map(turn).collect();
            player.answer(&turns, &AtomicBool::new(false), &mut answers).unwrap();
            let open = games.iter_mut().filter(|game| is_open(game));
            for ((_, game), answer) in open.zip(&answers) {
                let Action::Move(mv) = answer.action else { panic!("a searcher moves") };
                game.try_play(mv).unwrap();
            }
        }
        games.into_iter().map(|(_, game)| game.moves().to_vec()).collect()
    }

    fn turn((id, game): &(GameId, Game)) -> Turn<'_> {
        Turn {
            game,
            id: *id,
            seed: Seed(7).derive("turn", id.pair * 1000 + game.ply() as u64),
            clocks: [Clock::default(); 2],
            limits: Limits::default(),
        }
    }

    fn player(keep_tree: bool) -> Searcher<Hashed> {
        let config = SearchConfig { simulations: 40, keep_tree, ..play_config() };
        Searcher::with_config("hashed".to_owned(), Hashed { seed: Seed(2) }, config)
    }

    #[test]
    fn games_beside_each_other_do_not_change_each_other() {
        let numbers = [0, 1, 2, 3, 4, 5];
        let together = play(&mut player(true), &numbers);
        let alone = |number| play(&mut player(true), &[number]).remove(0);
        assert_eq!(together, numbers.map(alone));
        // Kept trees say more, so some moves are others.
        assert_ne!(together, play(&mut player(false), &numbers));
    }

    #[test]
    fn a_tree_is_kept_for_the_same_game_alone() {
        let mut player = player(true);
        let once = play(&mut player, &[0, 1]);
        // The same numbers again without a word: the games do not continue those known.
        assert_eq!(play(&mut player, &[0, 1]), once);
        player.game_over(GameId { pair: 0, game: 0, replay: 0 }, None);
        assert_eq!(play(&mut player, &[2, 1])[1], once[1]);
        assert_eq!(player.searches.len(), 2);
    }
}
