//! One thread's games: search, record, play, start anew.

use mcts::{Driver, Evaluator, MoveStat, Search, SearchConfig, SearchResult, Wdl};
use rand::RngExt;
use records::{GameRecord, PlyRecord};
use rules::{Game, Move, Outcome, Seed};

use crate::config::SelfPlayConfig;
use crate::numbers::GameNumbers;
use crate::phase::{Counters, SelfPlayError};

/// What every record of a run says of its origin.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Program and version.
    pub producer: String,
    /// The run's seed; each game derives its own from it.
    pub seed: Seed,
    /// The start of every game, before random moves.
    pub start: Game,
}

/// A set of games that one thread plays together.
///
/// It stays alive between phases, with its games in the middle of a search if need be.
pub struct Worker {
    identity: Identity,
    config: SelfPlayConfig,
    /// Searches and the games they belong to, side by side.
    searches: Vec<Search<Game>>,
    games: Vec<GameInPlay>,
    driver: Driver<Game>,
    /// Scratch for legal moves.
    legal: Vec<Move>,
    /// No numbers were left at the last attempt to start a game.
    exhausted: bool,
}

/// A game that is being played.
struct GameInPlay {
    number: u64,
    seed: Seed,
    start_moves: Vec<Move>,
    plies: Vec<PlyRecord>,
}

impl Worker {
    /// A worker without games; the first step starts them.
    pub fn new(identity: Identity, config: SelfPlayConfig) -> Self {
        Self {
            identity,
            config,
            searches: Vec::new(),
            games: Vec::new(),
            driver: Driver::default(),
            legal: Vec::new(),
            exhausted: false,
        }
    }

    /// One batch: starts games where places are free, evaluates one leaf of each game, finishes
    /// the plies and games that are ripe. False when there is nothing left to play.
    ///
    /// # Errors
    /// What the evaluator reports; the games are then in no usable state.
    pub fn step<E: Evaluator<Game>>(
        &mut self,
        evaluator: &mut E,
        generation: u32,
        numbers: &GameNumbers,
        counters: &Counters,
        sink: &mut dyn FnMut(GameRecord),
    ) -> Result<bool, SelfPlayError> {
        while !self.exhausted && self.games.len() < self.config.games_per_worker {
            self.start_game(numbers);
        }
        if self.games.is_empty() {
            return Ok(false);
        }
        let evaluated = self.driver.step(&mut self.searches, evaluator)?;
        counters.add_batch(evaluated, self.config.games_per_worker as u64);
        let mut place = 0;
        while place < self.games.len() {
            if self.searches[place].is_done()
                && let Some(outcome) = self.finish_ply(place, generation, counters)
            {
                counters.add_game();
                sink(self.end_game(place, outcome));
                continue; // Another game stands in this place now.
            }
            place += 1;
        }
        Ok(true)
    }

    fn start_game(&mut self, numbers: &GameNumbers) {
        let Some(number) = numbers.take() else {
            self.exhausted = true;
            return;
        };
        let seed = self.identity.seed.derive("selfplay.game", number);
        let (game, start_moves) = self.opening(seed);
        let mut search = Search::new(self.search_at(seed, 0));
        search.start(game, seed.derive("search", 0));
        self.searches.push(search);
        self.games.push(GameInPlay { number, seed, start_moves, plies: Vec::new() });
    }

    /// Whether a ply of a game is searched in full.
    fn is_full(&self, game: Seed, ply: usize) -> bool {
        let share = self.config.full_share;
        share >= 1.0 || game.derive("full", ply as u64).rng().random_bool(share)
    }

    fn search_at(&self, game: Seed, ply: usize) -> SearchConfig {
        match self.is_full(game, ply) {
            true => self.config.full_search(),
            false => self.config.cheap_search(),
        }
    }

    /// The position a game starts from: in a share of the games, after random moves that leave it
    /// undecided.
    fn opening(&self, seed: Seed) -> (Game, Vec<Move>) {
        let mut rng = seed.derive("start", 0).rng();
        let mut game = self.identity.start.clone();
        let mut played = Vec::new();
        if !rng.random_bool(self.config.random_start_share) {
            return (game, played);
        }
        let mut moves = Vec::new();
        for _ in 0..rng.random_range(1..=self.config.random_start_plies) {
            if game.verdict(&mut moves).is_some() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            game.play(mv);
            played.push(mv);
        }
        if game.verdict(&mut moves).is_some() {
            game.undo();
            played.pop();
        }
        (game, played)
    }

    /// Records the ply that the finished search chose and plays it. Starts the next search, or
    /// returns how the game ended.
    fn finish_ply(
        &mut self,
        place: usize,
        generation: u32,
        counters: &Counters,
    ) -> Option<Outcome> {
        let (seed, ply) = (self.games[place].seed, self.games[place].plies.len());
        let result = self.searches[place].result();
        counters.add_position(u64::from(result.simulations));
        let played = self.chosen(&result, seed, ply);
        let record = ply_record(&result, played, generation, self.is_full(seed, ply));
        self.games[place].plies.push(record);
        let next = self.search_at(seed, ply + 1);
        let search = &mut self.searches[place];
        search.play(played.mv);
        let outcome = search.state().verdict(&mut self.legal);
        if outcome.is_none() {
            search.restart(next, seed.derive("search", ply as u64 + 1));
        }
        outcome
    }

    /// The move that is played: the best, or early in the game one drawn from the target.
    fn chosen<'a>(
        &self,
        result: &'a SearchResult<Move>,
        game: Seed,
        ply: usize,
    ) -> &'a MoveStat<Move> {
        let sampled = ply < self.config.sampled_plies as usize;
        let mut left = match sampled {
            true => game.derive("sample", ply as u64).rng().random_range(0.0..1.0),
            false => f32::INFINITY,
        };
        let drawn = result.moves.iter().find(|stat| {
            left -= stat.target;
            stat.target > 0.0 && left < 0.0
        });
        let best = || result.moves.iter().find(|stat| stat.mv == result.best);
        drawn.or_else(best).expect("the best move is one of the legal moves")
    }

    fn end_game(&mut self, place: usize, outcome: Outcome) -> GameRecord {
        let game = self.games.swap_remove(place);
        self.searches.swap_remove(place);
        let variant = self.identity.start.variant();
        GameRecord {
            game_id: game.number,
            producer: self.identity.producer.clone(),
            variant: variant.id().to_owned(),
            board_fingerprint: variant.board_fingerprint().to_string(),
            rules_fingerprint: variant.rules_fingerprint().to_string(),
            seed: game.seed.0,
            start: self.identity.start.position().to_fen(variant),
            start_moves: game.start_moves.iter().map(|mv| mv.bits()).collect(),
            outcome: match outcome.winner {
                Some(rules::Color::Black) => "first",
                Some(rules::Color::White) => "second",
                None => "draw",
            }
            .to_owned(),
            termination: outcome.termination.as_str().to_owned(),
            plies: game.plies,
        }
    }
}

/// A ply as it is recorded; only a full search leaves a policy target.
fn ply_record(
    result: &SearchResult<Move>,
    played: &MoveStat<Move>,
    generation: u32,
    full: bool,
) -> PlyRecord {
    let targets = result.moves.iter().filter(|stat| full && stat.target > 0.0);
    PlyRecord {
        mv: played.mv.bits(),
        generation,
        simulations: result.simulations,
        full_search: full,
        policy_moves: targets.clone().map(|stat| stat.mv.bits()).collect(),
        policy_target: targets.clone().map(|stat| stat.target).collect(),
        visits: targets.map(|stat| stat.visits).collect(),
        root_wdl: array(result.root_wdl),
        net_wdl: array(result.net_wdl),
        proven: result.proven.map(|proven| (proven.value, proven.plies)),
        played_probability: played.target,
    }
}

fn array(wdl: Wdl) -> [f32; 3] {
    [wdl.win, wdl.draw, wdl.loss]
}
