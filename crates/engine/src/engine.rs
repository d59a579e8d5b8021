//! The engine: one tree, kept from move to move, and the threads that evaluate for it.

use std::sync::Arc;
use std::time::Duration;

use mcts::{EvalError, RootSelection, Search, SearchConfig, SearchResult};
use rules::{Game, Move, Seed};

use crate::control::Commands;
use crate::info::Info;
use crate::limits::Limits;
use crate::pace::Pace;
use crate::pool::{BoxedEvaluator, Pool};
use crate::run::Run;
use crate::time::{Clock, TimeConfig};

/// The numbers that shape an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineConfig {
    /// Parameters of the tree. The root is always searched by PUCT without noise, and the number of
    /// simulations is a matter of [`Limits`].
    pub search: SearchConfig,
    /// How a clock is shared out.
    pub time: TimeConfig,
    /// Memory that the tree may fill, in MiB.
    pub memory: usize,
    /// Most leaves in one batch; at least 1. With 1 and a single evaluator the search is the plain one.
    pub batch: usize,
    /// Longest time a batch should take; it is adapted to what is measured.
    pub batch_time: Duration,
    /// Nodes of the search for a forced mate that runs beside at the start, on a thread of its own; 0 for
    /// none.
    pub mate_nodes: u64,
    /// Time between two looks at the search.
    pub info_every: Duration,
    /// Lines in [`Info::lines`]; at least 1.
    pub multipv: usize,
    /// The engine resigns when the expected score of its best move, in `[0, 1]`, falls below this.
    pub resign: Option<f32>,
}

impl Default for EngineConfig {
    /// 1024 MiB, batches of up to 64 leaves and 50 ms, 100,000 nodes for a mate, info five times a
    /// second, one line, no resigning.
    fn default() -> Self {
        Self {
            search: SearchConfig::default(),
            time: TimeConfig::default(),
            memory: 1024,
            batch: 64,
            batch_time: Duration::from_millis(50),
            mate_nodes: 100_000,
            info_every: Duration::from_millis(200),
            multipv: 1,
            resign: None,
        }
    }
}

impl EngineConfig {
    pub(crate) fn memory_bytes(&self) -> usize {
        self.memory.saturating_mul(1 << 20)
    }
}

/// What the engine does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Plays a move.
    Play(Move),
    /// Ends the game by an act in place of a move, and wins, as the rules have it.
    Declare,
    /// Gives up.
    Resign,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was told to.
    Stopped,
    /// The value of the root is proven.
    Proven,
    /// A forced mate was found beside the tree.
    Mate,
    /// There is no mate as short as the limit asks for.
    NoMate,
    /// So many simulations, or plies of depth, were asked for.
    Reached,
    /// The time is used up.
    TimeUp,
    /// The best move cannot change any more in the time that is left.
    Settled,
    /// The tree fills the memory allowed.
    MemoryFull,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What to do.
    pub decision: Decision,
    /// The reply that is expected, to ponder on.
    pub ponder: Option<Move>,
    /// All moves and what is known of them; its `simulations` count those of a reused tree too.
    pub result: SearchResult<Move>,
    /// The last look.
    pub info: Info,
    /// Why now.
    pub end: End,
}

/// A search that is large: one tree on the calling thread, evaluations on others.
pub struct Engine {
    pub(crate) config: EngineConfig,
    pub(crate) search: Search<Game>,
    /// Whether there is a game to go on from, and whether moves were played in it since the last search.
    held: bool,
    moved: bool,
    pub(crate) pool: Pool,
    pub(crate) pace: Pace,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Engine {
    /// An engine with a thread for each of `evaluators`.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(
        config: EngineConfig,
        evaluators: Vec<BoxedEvaluator>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        assert!(!evaluators.is_empty(), "an engine needs an evaluator");
        let mut search = Search::new(SearchConfig {
            root: RootSelection::Puct,
            noise_fraction: 0.0,
            forced_playouts: 0.0,
            simulations: u32::MAX,
            keep_tree: true,
            ..config.search
        });
        search.set_memory_limit(config.memory_bytes());
        let pool = Pool::new(evaluators, &clock);
        let pace = Pace::new(config.batch, config.batch_time);
        Self { config, search, held: false, moved: false, pool, pace, clock }
    }

    /// The parameters.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Lines to tell of from now on; at least 1.
    pub fn set_multipv(&mut self, lines: usize) {
        self.config.multipv = lines;
    }

    /// Takes up a game. Where it is the game held, or that and some moves more, what the tree knows of
    /// it is kept.
    ///
    /// # Panics
    /// If the game is over.
    pub fn set_game(&mut self, game: Game) {
        let held = self.held.then(|| self.search.state()).filter(|held| {
            Arc::ptr_eq(held.variant(), game.variant())
                && held.start() == game.start()
                && game.moves().starts_with(held.moves())
        });
        let Some(known) = held.map(Game::ply) else {
            return self.start(game);
        };
        for &mv in &game.moves()[known..] {
            self.search.play(mv);
            self.moved = true;
        }
    }

    /// The game held.
    ///
    /// # Panics
    /// If none was taken up.
    pub fn game(&self) -> &Game {
        self.search.state()
    }

    /// Forgets the tree, as for a new game.
    pub fn forget(&mut self) {
        self.held = false;
    }

    /// Takes up a game with an empty tree.
    pub(crate) fn start(&mut self, game: Game) {
        self.search.start(game, Seed(0));
        (self.held, self.moved) = (true, false);
    }

    /// Searches until a limit is reached or a command comes. `on_info` gets a look a few times a second.
    ///
    /// # Errors
    /// If an evaluator fails. The tree is then forgotten; the game stays.
    ///
    /// # Panics
    /// If no game was taken up, or it is over.
    pub fn search(
        &mut self,
        limits: Limits,
        commands: Commands,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<Answer, EvalError> {
        if std::mem::take(&mut self.moved) {
            self.search.restart(*self.search.config(), Seed(0));
        }
        let mut run = Run::new(self, limits);
        let ended = run.work(commands, on_info);
        match ended {
            Ok(end) => Ok(run.answer(end)),
            Err(error) => {
                run.give_up();
                Err(error)
            }
        }
    }
}
