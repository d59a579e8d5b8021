//! One large search whose evaluations take their time, with one thread and with two.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use engine::{Engine, EngineConfig, Limits, control};
use mcts::fake::Uniform;
use mcts::{EvalError, Evaluation, Evaluator, Leaf};
use rules::{Game, Variant};

use super::jobs::Job;
use crate::clock::Monotonic;

/// What the evaluation of one position takes.
const EVALUATION: Duration = Duration::from_micros(200);
/// Simulations of a search.
const SIMULATIONS: u64 = 2000;

/// Sleeps for each position, as a thread does that waits for a device, and then knows nothing of it.
struct Sleeping;

impl Evaluator<Game> for Sleeping {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, Game>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        thread::sleep(EVALUATION * leaves.len() as u32);
        Uniform.evaluate(leaves, out)
    }
}

/// Adds searches from the start of a variant; that of two threads is compared with that of one.
pub(super) fn add(jobs: &mut Vec<Job>, variant: &Arc<Variant>) {
    let single = jobs.len();
    for (threads, reference) in [(1, None), (2, Some(single))] {
        let evaluators = (0..threads).map(|_| Box::new(Sleeping) as _).collect();
        let clock = Arc::new(Monotonic::start());
        let mut engine = Engine::new(EngineConfig::default(), evaluators, clock);
        let game = Game::new(Arc::clone(variant));
        let work = move || {
            engine.forget();
            engine.set_game(game.clone());
            let (_control, commands) = control();
            let answer = engine.search(Limits::nodes(SIMULATIONS), commands, &mut |_| {});
            answer.expect("the evaluator never fails").info.nodes
        };
        jobs.push(Job {
            name: format!("{}/large/{threads}", variant.id()),
            unit: "simulations/s",
            work: Box::new(work),
            reference,
            left_out: false,
        });
    }
}
