//! A slow, obviously right judge of moves: mailbox, every move is tried, then it is looked whether
//! the king can be taken. It shares no code with the generator: movements are written out here.

use rules::{Color, Face, Move, Piece, Position, Promotion, Royalty, Square, Trigger, Variant};

type Board = Vec<Option<Piece>>;

/// Whether the move may be played, by trying it.
pub(crate) struct Oracle<'a> {
    variant: &'a Variant,
    board: Board,
    hands: [[u8; 16]; 2],
    side: Color,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(variant: &'a Variant, position: &Position) -> Oracle<'a> {
        let squares = (0..variant.squares()).map(Square::new);
        let hands = [Color::Black, Color::White]
            .map(|color| std::array::from_fn(|kind| position.hand(color, rules::Kind::new(kind))));
        let board = squares.map(|square| position.piece_at(square)).collect();
        Oracle { variant, board, hands, side: position.side_to_move() }
    }

    /// All legal moves, by trying every move there could be.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let squares = || (0..self.variant.squares()).map(Square::new);
        let mut all = Vec::new();
        for from in squares() {
            for to in squares() {
                for face in self.variant.faces() {
                    for turned in [false, true] {
                        all.push(Move::board(from, to, face, turned));
                    }
                }
            }
        }
        for face in self.variant.faces() {
            all.extend(squares().map(|to| Move::drop(face, to)));
        }
        all.retain(|&mv| self.is_legal(mv));
        all
    }

    fn is_legal(&self, mv: Move) -> bool {
        let shape = match mv.from() {
            None => self.may_drop(mv.face(), mv.to()),
            Some(from) => self.may_move(from, mv),
        };
        if !shape {
            return false;
        }
        let next = self.played(mv);
        if self.variant.rules().royalty == Royalty::Capturable {
            return true;
        }
        if self.board[mv.to().index()].is_some_and(|taken| self.is_king(taken)) {
            return false;
        }
        let faces = self.variant.rules().facing_kings == rules::FacingKings::Forbidden;
        !(next.king_attacked(self.side)
            || faces && next.kings_face()
            || mv.is_drop() && self.mates_wrongly(mv, &next))
    }

    fn mates_wrongly(&self, mv: Move, next: &Oracle<'_>) -> bool {
        let limited = match self.variant.id() {
            "torishogi" => "S",
            "shogi" | "minishogi" | "judkins" | "gorogoro" | "gorogoroplus" | "euroshogi" => "P",
            _ => return false,
        };
        self.variant.face_letter(mv.face()) == limited
            && next.king_attacked(next.side)
            && next.legal_moves().is_empty()
    }

    fn played(&self, mv: Move) -> Oracle<'a> {
        let mut next = Oracle {
            variant: self.variant,
            board: self.board.clone(),
            hands: self.hands,
            side: !self.side,
        };
        match mv.from() {
            Some(from) => next.board[from.index()] = None,
            None => next.hands[self.side.index()][mv.face().kind().index()] -= 1,
        }
        if let Some(taken) = next.board[mv.to().index()] {
            next.hands[self.side.index()][taken.face.kind().index()] += 1;
        }
        next.board[mv.to().index()] = Some(Piece { color: self.side, face: mv.face() });
        next
    }

    fn is_king(&self, piece: Piece) -> bool {
        piece.face.kind() == self.variant.royal()
    }

    fn king(&self, color: Color) -> Option<Square> {
        let own = |piece: &Option<Piece>| {
            piece.is_some_and(|piece| piece.color == color && self.is_king(piece))
        };
        self.board.iter().position(own).map(Square::new)
    }

    fn king_attacked(&self, color: Color) -> bool {
        let Some(king) = self.king(color) else { return false };
        (0..self.board.len()).map(Square::new).any(|from| {
            self.board[from.index()]
                .is_some_and(|piece| piece.color != color && self.reaches(piece, from, king, true))
        })
    }

    fn kings_face(&self) -> bool {
        let kings = self.king(Color::Black).zip(self.king(Color::White));
        kings.is_some_and(|(one, other)| {
            let (one, other) = (self.at(one), self.at(other));
            one.0 == other.0
                && (one.1.min(other.1) + 1..one.1.max(other.1))
                    .all(|rank| self.look(one.0, rank).is_none())
        })
    }

    fn at(&self, square: Square) -> (i32, i32) {
        let files = self.variant.files();
        ((square.index() % files) as i32, (square.index() / files) as i32)
    }

    fn look(&self, file: i32, rank: i32) -> Option<Piece> {
        self.board[rank as usize * self.variant.files() + file as usize]
    }

    fn may_drop(&self, face: Face, to: Square) -> bool {
        let letter = self.variant.face_letter(face);
        let id = self.variant.id();
        let either = matches!(id, "micro" | "kyotoshogi");
        if self.hands[self.side.index()][face.kind().index()] == 0
            || self.board[to.index()].is_some()
            || face.is_reverse() && !either
            || matches!(id, "xiangqi" | "minixiangqi")
        {
            return false;
        }
        let free = either || matches!(id, "dobutsu" | "encyclopedia");
        let (file, _) = self.at(to);
        let needed = if free { 0 } else { self.needed(face) };
        let most = match (id, letter) {
            _ if free => 99,
            ("torishogi", "S") => 2,
            ("torishogi", _) | ("cannonshogi", _) => 99,
            (_, "P") => 1,
            _ => 99,
        };
        let piece = Some(Piece { color: self.side, face });
        let on_file =
            (0..self.variant.ranks() as i32).filter(|&rank| self.look(file, rank) == piece);
        self.ahead(to) >= needed && on_file.count() < most
    }

    /// How many ranks lie ahead of a square.
    fn ahead(&self, square: Square) -> i32 {
        let (_, rank) = self.at(square);
        match self.side {
            Color::Black => self.variant.ranks() as i32 - 1 - rank,
            Color::White => rank,
        }
    }

    /// How many ranks the face needs ahead to be able to move.
    fn needed(&self, face: Face) -> i32 {
        match (self.variant.id(), self.variant.face_letter(face)) {
            ("euroshogi", "N") | ("cannonshogi", "P") => 0,
            ("yarishogi", "P" | "N" | "B") | ("torishogi", "S") => 1,
            ("torishogi", _) => 0,
            (_, "P" | "L") => 1,
            (_, "N") => 2,
            _ => 0,
        }
    }

    fn may_move(&self, from: Square, mv: Move) -> bool {
        let Some(piece) = self.board[from.index()].filter(|piece| piece.color == self.side) else {
            return false;
        };
        let target = self.board[mv.to().index()];
        if target.is_some_and(|target| target.color == self.side)
            || !self.reaches(piece, from, mv.to(), target.is_some())
        {
            return false;
        }
        let arrives = if mv.turned() { piece.face.turned() } else { piece.face };
        if mv.face() != arrives || mv.turned() && !self.variant.has_face(arrives) {
            return false;
        }
        self.turns_rightly(piece, from, mv, target.is_some())
    }

    fn turns_rightly(&self, piece: Piece, from: Square, mv: Move, capture: bool) -> bool {
        let promotion = self.variant.promotion();
        let can = self.variant.has_face(piece.face.turned());
        let zone = promotion.zone[self.side.index()];
        let at_zone = zone.contains(mv.to())
            || promotion.trigger == Trigger::EnterOrLeave && zone.contains(from);
        let fresh = can && !piece.face.is_reverse() && at_zone;
        match promotion.rule {
            Promotion::None => !mv.turned(),
            Promotion::TurnOnCapture => mv.turned() == (can && capture),
            Promotion::TurnAlways => mv.turned() == can,
            Promotion::Must => mv.turned() == fresh,
            Promotion::Choice if mv.turned() => fresh,
            Promotion::Choice => !fresh || self.ahead(mv.to()) >= self.needed(piece.face),
        }
    }

    /// Whether the piece's movement leads from one square to another, by a capture or not.
    fn reaches(&self, piece: Piece, from: Square, to: Square, capture: bool) -> bool {
        let (from, to) = (self.at(from), self.at(to));
        let sign = if piece.color == Color::Black { 1 } else { -1 };
        let (x, y) = (sign * (to.0 - from.0), sign * (to.1 - from.1));
        if (x, y) == (0, 0) {
            return false;
        }
        let between = self.between(from, to);
        let way = Way {
            oracle: self,
            piece,
            from,
            to,
            x,
            y,
            straight: x == 0 || y == 0,
            diagonal: x.abs() == y.abs(),
            free: between == Some(0),
            hop: between == Some(1),
            capture,
        };
        let letter = self.variant.face_letter(piece.face);
        match self.variant.id() {
            "micro" => way.micro(letter),
            "kyotoshogi" => way.kyotoshogi(letter),
            "dobutsu" => way.dobutsu(letter),
            "torishogi" => way.torishogi(letter),
            "yarishogi" => way.yarishogi(letter),
            "xiangqi" | "minixiangqi" => way.xiangqi(letter),
            id => way.shogi(id, letter),
        }
    }

    /// Pieces strictly between on a line; `None` off the lines.
    fn between(&self, from: (i32, i32), to: (i32, i32)) -> Option<usize> {
        let (x, y) = (to.0 - from.0, to.1 - from.1);
        if x != 0 && y != 0 && x.abs() != y.abs() {
            return None;
        }
        let steps = x.abs().max(y.abs());
        let occupied =
            |n: &i32| self.look(from.0 + n * x.signum(), from.1 + n * y.signum()).is_some();
        Some((1..steps).filter(occupied).count())
    }
}

/// A way across the board; the movements are written out by hand.
struct Way<'a> {
    oracle: &'a Oracle<'a>,
    piece: Piece,
    from: (i32, i32),
    to: (i32, i32),
    /// To the right, from the owner's side.
    x: i32,
    /// Forward, from the owner's side.
    y: i32,
    straight: bool,
    diagonal: bool,
    /// Nothing stands between.
    free: bool,
    /// One piece stands between.
    hop: bool,
    capture: bool,
}

impl Way<'_> {
    fn king(&self) -> bool {
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

    fn micro(&self, letter: &str) -> bool {
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

    fn kyotoshogi(&self, letter: &str) -> bool {
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

    fn dobutsu(&self, letter: &str) -> bool {
        match letter {
            "C" => self.pawn(),
            "+C" => self.gold(),
            "E" => self.king() && self.diagonal,
            "G" => self.king() && self.straight,
            _ => self.king(),
        }
    }

    fn torishogi(&self, letter: &str) -> bool {
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

    fn yarishogi(&self, letter: &str) -> bool {
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

    fn xiangqi(&self, letter: &str) -> bool {
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

    fn shogi(&self, id: &str, letter: &str) -> bool {
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
