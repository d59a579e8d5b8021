//! A clock that stands still until an evaluation moves it, and engines that live by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::Duration;

use engine::{Answer, Clock, Control, Engine, EngineConfig, Limits, control};
use mcts::fake::Material;
use mcts::{EvalError, Evaluation, Evaluator, Leaf};
use rules::{Game, Move, Position, Variant};

/// Microseconds.
#[derive(Debug, Default)]
pub(crate) struct FakeClock(AtomicU64);

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        Duration::from_micros(self.0.load(SeqCst))
    }
}

/// Counts material; an evaluation takes its time on the clock, and a chosen one gives a command.
pub(crate) struct Slow {
    pub(crate) clock: Arc<FakeClock>,
    /// Of a batch and of each position in it, in microseconds.
    pub(crate) batch: u64,
    pub(crate) position: u64,
    /// Positions asked for by all evaluators that share it.
    pub(crate) asked: Arc<AtomicU64>,
    /// What is done when the evaluation with this number is asked for.
    pub(crate) at: Option<(u64, Arc<Act>)>,
}

pub(crate) type Act = Box<dyn Fn() -> Result<(), EvalError> + Send + Sync>;

impl Evaluator<Game> for Slow {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, Game>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        let count = leaves.len() as u64;
        let before = self.asked.fetch_add(count, SeqCst);
        self.clock.0.fetch_add(self.batch + self.position * count, SeqCst);
        if let Some((at, act)) = &self.at
            && (before..before + count).contains(at)
        {
            act()?;
        }
        Material::default().evaluate(leaves, out)
    }
}

/// An engine on a fake clock.
pub(crate) struct Bench {
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) asked: Arc<AtomicU64>,
    pub(crate) engine: Engine,
}

pub(crate) struct Setup {
    pub(crate) config: EngineConfig,
    pub(crate) threads: usize,
    pub(crate) batch: u64,
    pub(crate) position: u64,
    pub(crate) at: Option<(u64, Act)>,
}

impl Default for Setup {
    /// One thread; a position takes 1 ms, a batch as much again; no mate search, whose time is real.
    fn default() -> Self {
        let config = EngineConfig { memory: 64, mate_nodes: 0, ..EngineConfig::default() };
        Self { config, threads: 1, batch: 1000, position: 1000, at: None }
    }
}

impl Setup {
    pub(crate) fn build(self) -> Bench {
        let clock = Arc::new(FakeClock::default());
        let asked = Arc::new(AtomicU64::new(0));
        let Self { config, threads, batch, position, at } = self;
        let at = at.map(|(number, act)| (number, Arc::new(act)));
        let evaluators = (0..threads).map(|_| {
            let (clock, asked) = (Arc::clone(&clock), Arc::clone(&asked));
            Box::new(Slow { clock, batch, position, asked, at: at.clone() }) as _
        });
        let evaluators = evaluators.collect();
        Bench { engine: Engine::new(config, evaluators, Arc::clone(&clock) as _), clock, asked }
    }
}

impl Bench {
    /// Searches a game to the end, nobody giving commands.
    pub(crate) fn search(&mut self, game: &Game, limits: Limits) -> Answer {
        self.engine.set_game(game.clone());
        let (_control, commands) = control();
        self.engine.search(limits, commands, &mut |_| {}).unwrap()
    }

    /// What the clock shows.
    pub(crate) fn now(&self) -> Duration {
        self.clock.now()
    }

    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(SeqCst)
    }
}

pub(crate) fn stop(control: Control) -> Act {
    Box::new(move || {
        control.stop();
        Ok(())
    })
}

pub(crate) fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

pub(crate) fn start(variant: &str) -> Game {
    Game::new(Variant::builtin(variant).unwrap())
}

pub(crate) fn position(variant: &str, fen: &str) -> Game {
    let variant = Variant::builtin(variant).unwrap();
    let position = Position::parse(&variant, fen).unwrap();
    Game::from_position(variant, position)
}

/// Whether the moves can be played one after another.
pub(crate) fn is_legal(game: &Game, line: &[Move]) -> bool {
    let mut game = game.clone();
    line.iter().all(|&mv| game.try_play(mv).is_ok())
}
