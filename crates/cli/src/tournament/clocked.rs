//! Players of ours with a clock: one large search at a time, which shares out its time itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arena::{Action, Player, PlayerError, Score, TimeControl, Turn};
use engine::{BoxedEvaluator, Decision, Engine, EngineConfig, Limits, PlayerClock, control};
use mcts::SearchConfig;

use crate::clock::Monotonic;

/// A player whose moves take what its clock allows. Its choices depend on the time it has, and so on the
/// machine.
pub(super) struct Clocked {
    name: String,
    engine: Engine,
}

impl Clocked {
    /// A player with a thread for each of `evaluators`.
    pub(super) fn new(
        name: String,
        search: SearchConfig,
        evaluators: Vec<BoxedEvaluator>,
    ) -> Clocked {
        let config = EngineConfig { search, multipv: 1, ..EngineConfig::default() };
        Clocked { name, engine: Engine::new(config, evaluators, Arc::new(Monotonic::start())) }
    }

    /// The answer to one turn; `None` if it was stopped.
    fn play(
        &mut self,
        turn: &Turn<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<arena::Answer>, mcts::EvalError> {
        self.engine.set_game(turn.game.clone());
        let (handle, commands) = control();
        let found = self.engine.search(limits(turn), commands, &mut |_| {
            if stop.load(Relaxed) {
                handle.stop();
            }
        })?;
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let action = match found.decision {
            Decision::Play(mv) => Action::Move(mv),
            Decision::Declare => Action::Declare,
            Decision::Resign => Action::Resign,
        };
        Ok(Some(arena::Answer {
            score: Some(Score::Value(found.result.root_wdl.value())),
            proven: found.result.proven,
            nodes: Some(found.info.nodes),
            ..arena::Answer::of(action)
        }))
    }
}

/// The limits of a turn as the search has them.
fn limits(turn: &Turn<'_>) -> Limits {
    let clock = turn.clocks[turn.game.side_to_move().index()];
    let (movetime, clock) = match clock.control() {
        None => (None, None),
        Some(TimeControl::Move(time)) => (Some(time), None),
        Some(TimeControl::Game { byoyomi, increment, .. }) => {
            let remaining = clock.left();
            (None, Some(PlayerClock { remaining, increment, byoyomi, moves_to_go: None }))
        }
    };
    let arena::Limits { nodes, depth, .. } = turn.limits;
    Limits { nodes, depth, movetime, clock, ..Limits::default() }
}

impl Player for Clocked {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        stop: &AtomicBool,
        out: &mut Vec<arena::Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for turn in turns {
            let answer = self
                .play(turn, stop)
                .map_err(|error| PlayerError { player: self.name.clone(), source: error.into() })?;
            let Some(answer) = answer else { return Ok(()) };
            out.push(answer);
        }
        Ok(())
    }

    fn game_over(&mut self, _: arena::GameId, _: Option<usize>) {
        self.engine.forget();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arena::Clock;
    use mcts::fake::Material;
    use rules::{Game, Seed, Variant};

    use super::*;

    fn turn<'a>(game: &'a Game, time: TimeControl, nodes: Option<u64>) -> Turn<'a> {
        let time = Some(time);
        Turn {
            game,
            id: arena::GameId { pair: 0, game: 0, replay: 0 },
            seed: Seed(1),
            clocks: [Clock::new(time), Clock::new(None)],
            limits: arena::Limits { time, nodes, ..arena::Limits::default() },
        }
    }

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn clocks_reach_the_search() {
        let game = Game::new(Variant::builtin("micro").unwrap());
        let (main, byoyomi, increment) = (HOUR, Duration::from_secs(2), Duration::from_secs(1));
        let found = limits(&turn(&game, TimeControl::Game { main, byoyomi, increment }, Some(7)));
        let clock = PlayerClock { remaining: HOUR, increment, byoyomi, moves_to_go: None };
        let expected = Limits { nodes: Some(7), clock: Some(clock), ..Limits::default() };
        assert_eq!(found, expected);
        let found = limits(&turn(&game, TimeControl::Move(byoyomi), None));
        assert_eq!(found, Limits::movetime(byoyomi));
    }

    /// With all the time in the world the other limits end the search, and the move is legal.
    #[test]
    fn it_plays_a_game() {
        let mut game = Game::new(Variant::builtin("micro").unwrap());
        let evaluators = vec![Box::new(Material::default()) as BoxedEvaluator];
        let mut player = Clocked::new("one".to_owned(), arena::play_config(), evaluators);
        let (mut answers, mut legal) = (Vec::new(), Vec::new());
        while game.verdict(&mut legal).is_none() && game.ply() < 20 {
            let turn = turn(&game, TimeControl::Move(HOUR), Some(50));
            let turn = Turn { clocks: [turn.clocks[0]; 2], ..turn };
            player.answer(&[turn], &AtomicBool::new(false), &mut answers).unwrap();
            let Action::Move(mv) = answers[0].action else { panic!("{answers:?}") };
            assert!(answers[0].nodes.is_some_and(|nodes| nodes <= 50));
            game.try_play(mv).unwrap();
        }
        assert!(game.ply() > 5);
    }
}
