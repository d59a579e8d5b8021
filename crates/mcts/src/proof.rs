//! Proven values: who wins by force, and in how many plies.
//!
//! Invariant: the packed numbers are ordered by preference, so that the best proven move of a
//! node is the maximum.

use rules::{Color, Outcome};

use crate::Wdl;

/// A game-theoretic value, from the side to move at the node that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Proven {
    /// 1 a win, 0 a draw, -1 a loss.
    pub value: i8,
    /// Plies to the end of the game along the proven line: the shortest winning move that the
    /// search knows, the longest resistance of a loss, the longest of the drawing moves.
    pub plies: u16,
}

/// `Option<Proven>` in two bytes. Bits 14-15 are 0 unknown, 1 loss, 2 draw, 3 win; the rest are
/// the plies, counted down from the top for a win. Greater is better for the side in view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Proof(u16);

const LOSS: u16 = 0x4000;
const DRAW: u16 = 0x8000;
const WIN: u16 = 0xC000;
const MAX_PLIES: u16 = 0x3FFF;

impl Proof {
    pub(crate) const UNKNOWN: Self = Self(0);

    /// The end of the game, seen by `color`; `plies` away.
    #[inline]
    pub(crate) fn of_outcome(outcome: Outcome, color: Color, plies: u16) -> Self {
        let value = outcome.winner.map_or(0, |winner| if winner == color { 1 } else { -1 });
        Self::pack(Proven { value, plies })
    }

    #[inline]
    pub(crate) fn pack(proven: Proven) -> Self {
        let plies = proven.plies.min(MAX_PLIES);
        Self(match proven.value {
            1 => WIN + (MAX_PLIES - plies),
            0 => DRAW + plies,
            _ => LOSS + plies,
        })
    }

    #[inline]
    pub(crate) fn get(self) -> Option<Proven> {
        let low = self.0 & MAX_PLIES;
        match self.0 & WIN {
            WIN => Some(Proven { value: 1, plies: MAX_PLIES - low }),
            DRAW => Some(Proven { value: 0, plies: low }),
            LOSS => Some(Proven { value: -1, plies: low }),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn is_known(self) -> bool {
        self.0 != 0
    }

    #[inline]
    pub(crate) fn is_win(self) -> bool {
        self.0 >= WIN
    }

    #[inline]
    pub(crate) fn is_loss(self) -> bool {
        self.0 & WIN == LOSS
    }

    /// The proof of the move that leads to a node with this proof: the other side's view, one
    /// ply further away.
    #[inline]
    pub(crate) fn handed_up(self) -> Self {
        self.get().map_or(Self::UNKNOWN, |proven| {
            Self::pack(Proven { value: -proven.value, plies: proven.plies + 1 })
        })
    }

    /// The exact outcome, from the side in view; `None` if unknown.
    #[inline]
    pub(crate) fn wdl(self) -> Option<Wdl> {
        self.get().map(|proven| match proven.value {
            1 => Wdl::WIN,
            0 => Wdl::DRAW,
            _ => Wdl::LOSS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(value: i8, plies: u16) -> Proof {
        Proof::pack(Proven { value, plies })
    }

    #[test]
    fn greater_is_better() {
        let best_first = [
            proof(1, 1),
            proof(1, 3),
            proof(0, 9),
            proof(0, 2),
            proof(-1, 40),
            proof(-1, 2),
            Proof::UNKNOWN,
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
    }

    #[test]
    fn handing_up_flips_and_counts() {
        assert_eq!(proof(-1, 0).handed_up(), proof(1, 1));
        assert_eq!(proof(1, 3).handed_up(), proof(-1, 4));
        assert_eq!(proof(0, 3).handed_up(), proof(0, 4));
        assert_eq!(Proof::UNKNOWN.handed_up(), Proof::UNKNOWN);
    }

    #[test]
    fn far_ends_saturate() {
        assert_eq!(proof(1, u16::MAX - 1).get(), Some(Proven { value: 1, plies: MAX_PLIES }));
        assert_eq!(proof(-1, MAX_PLIES).handed_up(), proof(1, MAX_PLIES));
    }
}
