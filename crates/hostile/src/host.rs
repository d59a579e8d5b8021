//! Asks a program for five moves and then lives on with it, for tests of sudden death and of memory:
//! `hostile-host TAG BEHAVIOUR`.
#![expect(clippy::print_stdout, reason = "it says when it has asked")]

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use arena::{Action, Clock, EnginePlayer, EngineSpec, GameId, Limits, Player, PlayerError, Turn};
use protocol::Protocol;
use rules::{Game, Seed, Variant};

fn main() -> Result<(), PlayerError> {
    let mut args = std::env::args().skip(1);
    let (tag, behaviour) = (args.next().unwrap_or_default(), args.next().unwrap_or_default());
    let folder = std::env::current_exe().ok().and_then(|file| Some(file.parent()?.to_owned()));
    let engine = folder.unwrap_or_default().join("hostile-engine");
    let mut spec = EngineSpec::new(engine, Protocol::Usi);
    spec.args = vec!["usi".to_owned(), behaviour, tag];
    let variant = Variant::builtin("micro").expect("micro is built in");
    let game = Game::new(variant.clone());
    let mut player = EnginePlayer::new("hostile".to_owned(), spec, variant);
    let turn = Turn {
        game: &game,
        id: GameId { pair: 0, game: 0, replay: 0 },
        seed: Seed(0),
        clocks: [Clock::default(); 2],
        limits: Limits { nodes: Some(1), ..Limits::default() },
    };
    let mut answers = Vec::new();
    let mut failed = 0;
    for _ in 0..5 {
        player.answer(&[turn], &AtomicBool::new(false), &mut answers)?;
        failed += u32::from(matches!(answers[0].action, Action::Fail(_)));
    }
    println!("{failed} failed");
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}
