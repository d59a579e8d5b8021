//! A slow, obviously right judge of moves: mailbox, every move is tried, then it is looked whether
//! the king can be taken. It shares no code with the generator: movements are written out here.

mod ways;

use rules::{Color, Face, Move, Piece, Position, Promotion, Royalty, Square, Trigger, Variant};

pub(crate) use ways::Way;

type Board = Vec<Option<Piece>>;

/// What makes a move illegal; the first of these that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// No such move on this board, whatever becomes of the king.
    Shape,
    /// The own king could be taken.
    Check,
    /// The kings would face each other.
    Facing,
    /// A mate that this drop may not give.
    DropMate,
}

/// Whether the move may be played, by trying it.
pub(crate) struct Oracle<'a> {
    variant: &'a Variant,
    board: Board,
    hands: [[u8; 16]; 2],
    side: Color,
}

/// The piece whose drop may not give mate.
pub(crate) fn no_mate_by(id: &str) -> Option<&'static str> {
    match id {
        "torishogi" => Some("S"),
        "shogi" | "minishogi" | "judkins" | "gorogoro" | "gorogoroplus" | "euroshogi" => Some("P"),
        _ => None,
    }
}

/// Every move that can be written down: between two squares with every face after it, turned or not,
/// and every drop.
pub(crate) fn encodable(variant: &Variant) -> impl Iterator<Item = Move> {
    let squares = || (0..variant.squares()).map(Square::new);
    let drops = move |face| squares().map(move |to| Move::drop(face, to));
    let between = move |face, from| {
        let turns = move |to| [false, true].map(|turned| Move::board(from, to, face, turned));
        squares().flat_map(turns)
    };
    let moves = move |face| squares().flat_map(move |from| between(face, from));
    variant.faces().flat_map(move |face| moves(face).chain(drops(face)))
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
        encodable(self.variant).filter(|&mv| self.is_legal(mv)).collect()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.fault(mv).is_none()
    }

    /// What is wrong with a move, if anything.
    pub(crate) fn fault(&self, mv: Move) -> Option<Fault> {
        let shape = match mv.from() {
            None => self.may_drop(mv.face(), mv.to()),
            Some(from) => self.may_move(from, mv),
        };
        if !shape {
            return Some(Fault::Shape);
        }
        let next = self.played(mv);
        if self.variant.rules().royalty == Royalty::Capturable {
            return None;
        }
        if self.board[mv.to().index()].is_some_and(|taken| self.is_king(taken)) {
            return Some(Fault::Shape);
        }
        let faces = self.variant.rules().facing_kings == rules::FacingKings::Forbidden;
        if next.king_attacked(self.side) {
            Some(Fault::Check)
        } else if faces && next.kings_face() {
            Some(Fault::Facing)
        } else {
            (mv.is_drop() && self.mates_wrongly(mv, &next)).then_some(Fault::DropMate)
        }
    }

    fn mates_wrongly(&self, mv: Move, next: &Oracle<'_>) -> bool {
        no_mate_by(self.variant.id()) == Some(self.variant.face_letter(mv.face()))
            && next.king_attacked(next.side)
            && !encodable(self.variant).any(|reply| next.is_legal(reply))
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

    pub(crate) fn look(&self, file: i32, rank: i32) -> Option<Piece> {
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
        let free = either || id.starts_with("test") || matches!(id, "dobutsu" | "encyclopedia");
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
            ("test-riders", _) => 0,
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
            "test-riders" => way.rider(letter),
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
