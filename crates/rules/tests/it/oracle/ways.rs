//! The movements of every game, written out by hand.

use rules::{Color, Piece};

use super::Oracle;

/// A way across the board; the movements are written out by hand.
pub(crate) struct Way<'a> {
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) piece: Piece,
    pub(crate) from: (i32, i32),
    pub(crate) to: (i32, i32),
    /// To the right, from the owner's side.
    pub(crate) x: i32,
    /// Forward, from the owner's side.
    pub(crate) y: i32,
    pub(crate) straight: bool,
    pub(crate) diagonal: bool,
    /// Nothing stands between.
    pub(crate) free: bool,
    /// One piece stands between.
    pub(crate) hop: bool,
    pub(crate) capture: bool,
}

impl Way<'_> {
    pub(crate) fn king(&self) -> bool {
        self.x.abs() <= 1 && self.y.abs() <= 1
    }

    fn gold(&self) -> bool {
        self.king() && (self.y == 1 || self.straight)
    }

    fn silver(&self) -> bool {
        self.king() && (self.diagonal || self.pawn())
    }

    fn pawn(&self) -> bool {
        (self.x, self.y) == (0, 1)
    }

    fn knight(&self) -> bool {
        self.x.abs() == 1 && self.y == 2
    }

    fn lance(&self) -> bool {
        self.x == 0 && self.y > 0 && self.free
    }

    fn backward(&self) -> bool {
        self.x == 0 && self.y < 0 && self.free
    }

    fn rook(&self) -> bool {
        self.straight && self.free
    }

    fn bishop(&self) -> bool {
        self.diagonal && self.free
    }

    fn cannon(&self, line: bool) -> bool {
        line && if self.capture { self.hop } else { self.free }
    }

    pub(crate) fn micro(&self, letter: &str) -> bool {
        match letter {
            "L" => self.lance(),
            "+L" => self.silver(),
            "R" => self.rook(),
            "B" => self.bishop(),
            "+R" | "+B" => self.gold(),
            "P" => self.pawn(),
            "+P" => self.knight(),
            _ => self.king(),
        }
    }

    pub(crate) fn kyotoshogi(&self, letter: &str) -> bool {
        match letter {
            "P" => self.pawn(),
            "+P" => self.rook(),
            "S" => self.silver(),
            "+S" => self.bishop(),
            "L" => self.lance(),
            "N" => self.knight(),
            "K" => self.king(),
            _ => self.gold(),
        }
    }

    pub(crate) fn dobutsu(&self, letter: &str) -> bool {
        match letter {
            "C" => self.pawn(),
            "+C" => self.gold(),
            "E" => self.king() && self.diagonal,
            "G" => self.king() && self.straight,
            _ => self.king(),
        }
    }

    pub(crate) fn torishogi(&self, letter: &str) -> bool {
        let (x, y) = (self.x, self.y);
        match letter {
            "S" => self.pawn(),
            "+S" => (x.abs(), y) == (2, 2) || (x, y) == (0, -2),
            "F" => self.king() && (x, y) != (0, -1),
            "+F" => self.king() || self.bishop() && (y > 0 || y == -2) || self.backward(),
            "C" => self.king() && y != 0,
            "L" => self.lance() || x > 0 && y < 0 && self.bishop() || (x, y) == (-1, -1),
            "R" => self.lance() || x < 0 && y < 0 && self.bishop() || (x, y) == (1, -1),
            "P" => (x.abs(), y) == (1, -1) || (x, y) == (0, 2),
            _ => self.king(),
        }
    }

    pub(crate) fn yarishogi(&self, letter: &str) -> bool {
        match letter {
            "P" => self.pawn(),
            "N" => self.lance() || self.knight(),
            "B" => self.lance() || (self.x.abs(), self.y) == (1, 1),
            "R" => self.rook() && self.y >= 0,
            "+P" => self.king() && self.y > 0 || self.backward(),
            "+R" => self.rook(),
            "K" => self.king(),
            _ => self.gold() || self.backward(),
        }
    }

    pub(crate) fn xiangqi(&self, letter: &str) -> bool {
        let variant = self.oracle.variant;
        let near = |rank: i32| match self.piece.color {
            Color::Black => rank,
            Color::White => variant.ranks() as i32 - 1 - rank,
        };
        let palace = (self.to.0 - variant.files() as i32 / 2).abs() <= 1 && near(self.to.1) <= 2;
        let crossed = variant.id() == "minixiangqi" || near(self.from.1) >= 5;
        let (x, y) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let leg_free =
            |x: i32, y: i32| self.oracle.look(self.from.0 + x, self.from.1 + y).is_none();
        match letter {
            "K" => self.king() && self.straight && palace,
            "A" => self.king() && self.diagonal && palace,
            "B" => (x.abs(), y.abs()) == (2, 2) && near(self.to.1) <= 4 && leg_free(x / 2, y / 2),
            "N" => {
                (x.abs(), y.abs()) == (1, 2) && leg_free(0, y / 2)
                    || (x.abs(), y.abs()) == (2, 1) && leg_free(x / 2, 0)
            }
            "R" => self.rook(),
            "C" => self.cannon(self.straight),
            _ => self.pawn() || crossed && (self.x.abs(), self.y) == (1, 0),
        }
    }

    pub(crate) fn shogi(&self, id: &str, letter: &str) -> bool {
        let aside = (self.x.abs(), self.y) == (1, 0);
        match letter {
            "P" => self.pawn() || id == "cannonshogi" && aside,
            "L" => self.lance() || id == "encyclopedia" && self.backward(),
            "N" => self.knight() || id == "euroshogi" && aside,
            "S" if id == "encyclopedia" => self.king() && self.y == 1,
            "S" => self.silver(),
            "R" => self.rook(),
            "+R" => self.rook() || self.king(),
            "B" => self.bishop(),
            "+B" => self.bishop() || self.king(),
            "K" => self.king(),
            "U" => self.cannon(self.straight),
            "C" => self.cannon(self.diagonal),
            "A" => self.straight && self.hop,
            "I" => self.diagonal && self.hop,
            "+U" | "+A" => self.flying_cannon(self.straight, self.diagonal),
            "+C" | "+I" => self.flying_cannon(self.diagonal, self.straight),
            _ => self.gold(),
        }
    }

    /// Hops or moves along its own lines; steps, or hops over a neighbour, along the others.
    fn flying_cannon(&self, own: bool, other: bool) -> bool {
        let far = self.x.abs().max(self.y.abs());
        own && (self.hop || self.free && !self.capture)
            || other && (far == 1 && !self.capture || far == 2 && self.hop)
    }
}
