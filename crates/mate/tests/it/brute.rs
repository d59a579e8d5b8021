//! A mate search that tries everything and knows nothing but `Game::status`, as an oracle.

use rules::{Color, DropFaces, Game, Royalty, Termination};

/// The length of the shortest mate by the attacker of at most `plies` plies, if there is one.
pub(crate) fn shortest(game: &mut Game, attacker: Color, plies: u32) -> Option<u32> {
    (0..=plies).find(|&plies| mates(game, attacker, plies))
}

/// Whether the attacker mates within `plies` plies.
pub(crate) fn mates(game: &mut Game, attacker: Color, plies: u32) -> bool {
    let mut moves = Vec::new();
    if let Some(outcome) = game.status(&mut moves) {
        let of_history = [
            Termination::Repetition,
            Termination::PerpetualCheck,
            Termination::NoCaptureLimit,
            Termination::MoveLimit,
            Termination::Impasse,
        ];
        return outcome.winner == Some(attacker) && !of_history.contains(&outcome.termination);
    }
    if plies == 0 {
        return false;
    }
    let attacks = game.side_to_move() == attacker;
    let mut tries = moves.into_iter();
    let mated = |mv| {
        game.play(mv);
        let mated = (!attacks || is_attack(game)) && mates(game, attacker, plies - 1);
        game.undo();
        mated
    };
    if attacks { tries.any(mated) } else { tries.all(mated) }
}

/// Whether the move just played is one that an attacker may play.
fn is_attack(game: &Game) -> bool {
    let rules = game.variant().rules();
    let ends = || rules.drop_faces == DropFaces::None && game.status(&mut Vec::new()).is_some();
    rules.royalty == Royalty::Capturable || game.in_check() || ends()
}
