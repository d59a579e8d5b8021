//! Mates of one or three plies, found by looking at everything.

use rules::{Game, Move};

use crate::attack::{add_stalemating_moves, attacks, stalemate_wins};

/// The first move of a forced mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mate {
    /// The move.
    pub mv: Move,
    /// Plies to the mate against the longest defence, this move and the last one included: 1, 3, or 2
    /// where a goal reached counts only at its owner's next turn.
    pub plies: u32,
}

/// Finds every mate of at most three plies, one of a single ply first. Made once and asked often: after the first
/// few calls it allocates nothing.
///
/// ```
/// use mate::LeafMate;
/// use rules::{Game, Position, Variant};
///
/// let shogi = Variant::builtin("shogi").expect("shogi is built in");
/// let position = Position::parse(&shogi, "7k1/9/7P1/9/9/9/9/9/8K b G 1")?;
/// let mut game = Game::from_position(shogi, position);
/// let mate = LeafMate::new(3).find(&mut game).expect("a gold mates on 2b");
/// assert_eq!(mate.plies, 1);
/// assert!(mate.mv.is_drop());
/// # Ok::<(), rules::PositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeafMate {
    plies: u32,
    /// Lists of moves for the plies 0 to 2, and one for whoever needs it briefly.
    lists: [Vec<Move>; 4],
}

impl LeafMate {
    /// A search of at most `plies` plies: 1 finds mates of one ply, 3 or more those of three, and 0
    /// none.
    pub fn new(plies: u32) -> LeafMate {
        LeafMate { plies, lists: Default::default() }
    }

    /// A mate by the side to move; of several the first in the order of the generator.
    /// `game` is the same after the call.
    pub fn find(&mut self, game: &mut Game) -> Option<Mate> {
        if self.plies == 0 {
            return None;
        }
        let mut moves = std::mem::take(&mut self.lists[0]);
        let found = self.find_among(game, &mut moves);
        self.lists[0] = moves;
        found
    }

    fn find_among(&mut self, game: &mut Game, moves: &mut Vec<Move>) -> Option<Mate> {
        match self.one_ply(game, moves) {
            OnePly::Mate(mv) => return Some(Mate { mv, plies: 1 }),
            OnePly::Nothing if self.plies >= 3 => {}
            _ => return None,
        }
        let mut replies = std::mem::take(&mut self.lists[1]);
        let found = moves.iter().find_map(|&mv| {
            game.play(mv);
            let plies = self.after_all_replies(game, &mut replies);
            game.undo();
            Some(Mate { mv, plies: plies? })
        });
        self.lists[1] = replies;
        found
    }

    /// Looks for a mate of one ply; `moves` is left with the attacker's moves.
    fn one_ply(&mut self, game: &mut Game, moves: &mut Vec<Move>) -> OnePly {
        if attacks(game, moves) {
            return OnePly::Won;
        }
        let found = moves.iter().copied().find(|&mv| loses_after(game, mv));
        let found = found.or_else(|| {
            let checks = moves.len();
            if stalemate_wins(game) {
                add_stalemating_moves(game, moves, &mut self.lists[3]);
            }
            let stalemating = moves.get(checks).copied();
            moves.truncate(checks);
            stalemating
        });
        found.map_or(OnePly::Nothing, OnePly::Mate)
    }

    /// The plies to the mate, the last move played included, if the attacker mates with his next move
    /// whatever the side to move plays.
    fn after_all_replies(&mut self, game: &mut Game, replies: &mut Vec<Move>) -> Option<u32> {
        if game.status(replies).is_some() {
            return None;
        }
        let mut moves = std::mem::take(&mut self.lists[2]);
        let longest = replies.iter().try_fold(0, |longest, &reply| {
            game.play(reply);
            let mate = self.one_ply(game, &mut moves);
            game.undo();
            match mate {
                OnePly::Won => Some(longest.max(2)),
                OnePly::Mate(_) => Some(3),
                OnePly::Nothing => None,
            }
        });
        self.lists[2] = moves;
        longest
    }
}

/// What one ply brings the attacker.
enum OnePly {
    /// The game has ended before it, won by him.
    Won,
    /// This move mates.
    Mate(Move),
    /// No mate.
    Nothing,
}

fn loses_after(game: &mut Game, mv: Move) -> bool {
    game.play(mv);
    let lost = game.is_lost();
    game.undo();
    lost
}
