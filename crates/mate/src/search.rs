//! Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002), with bounds of the mate's length in every value.
//!
//! - A node asks for a mate within `limit` plies. What comes back holds for more than this question:
//!   `at_least` and `at_most` bound the length of the shortest mate.
//! - Thresholds of the best child go a quarter beyond the second best, and one (the 1 + ε trick of
//!   Pawlewicz and Lew, "Improving depth-first PN-search", 2006), so that the search changes its mind
//!   less often.
//! - Numbers are added up as the largest plus one for each further open child (Ueda, Hashimoto,
//!   Hashimoto and Iida, "Weak proof-number search", 2008): sums count what several children share more
//!   than once.
//! - Alternatives to a move that most likely change nothing wait until it has failed: drops of other
//!   pieces on the same square, moves without a promotion that only adds to the piece.
//!
//! # Repetition
//!
//! A position that stands on the path already is no way to a mate: a shortest mate never comes back to
//! a position. But a refutation that leans on it holds on this path alone (the graph-history
//! interaction problem; Kishimoto and Müller, "A general solution to the graph history interaction
//! problem", 2004). Values say which position of the path they lean on; only those that lean on none
//! above their own node enter the table as refutations, others are kept under the key of the path.
//! Mates never lean on a path.

use rules::{Color, Game, Move};

use crate::attack::{add_stalemating_moves, attacks, is_mate, stalemate_wins};
use crate::hand::{Id, Split};
use crate::interposition;
use crate::table::{Known, NEVER, PathBound, Paths, Table};
use crate::value::{Bounds, INFINITE, MATED, NOTHING, REFUTED, TOO_LATE, Value};

/// Waits for no other child.
const NOBODY: u16 = u16::MAX;

/// A move of a node on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) mv: Move,
    id: Id,
    pub(crate) value: Value,
    /// The place among the node's children of the one this one waits for.
    waits_for: u16,
}

/// Which child to search, and how far.
struct Choice {
    child: usize,
    /// The second smallest number that decides.
    second: u32,
    /// What the other open children add to the number that is summed up.
    others: u32,
}

/// A search that can be interrupted; it walks on `game` and leaves it as it was.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) game: Game,
    pub(crate) split: Split,
    pub(crate) table: Table,
    paths: Paths,
    attacker: Color,
    /// By face: whether turning over only adds to its moves.
    improves: Vec<bool>,
    /// Whether useless interpositions count as moves.
    interpositions_count: bool,
    stalemate_wins: bool,
    /// Nodes expanded so far, and when to stop.
    pub(crate) nodes: u64,
    pub(crate) stop_at: u64,
    /// The keys of the positions from the root to the current one.
    path: Vec<u64>,
    /// The keys of the paths to them.
    path_keys: Vec<u64>,
    /// The children of all nodes of the path, each node's behind those of the one above.
    children: Vec<Child>,
    /// Lists not in use.
    lists: Vec<Vec<Move>>,
}

impl Search {
    /// A search for mates by `attacker` from the current position of `game`, with tables of so many
    /// bytes.
    pub(crate) fn new(
        game: Game,
        attacker: Color,
        memory: usize,
        interpositions_count: bool,
    ) -> Search {
        let improves = improving_faces(&game);
        let key = game.position().key();
        Search {
            split: Split::new(&game, attacker, !repeats(&game)),
            table: Table::new(memory / 16 * 15),
            paths: Paths::new(memory / 16),
            attacker,
            improves,
            interpositions_count,
            stalemate_wins: stalemate_wins(&game),
            nodes: 0,
            stop_at: 0,
            path: vec![key],
            path_keys: vec![key],
            children: Vec::new(),
            lists: Vec::new(),
            game,
        }
    }

    /// Bytes of memory of the tables.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes() + self.paths.bytes()
    }

    /// Goes on from another position that can follow the first one, by the same attacker; what is known
    /// of positions stays.
    pub(crate) fn restart(&mut self, game: Game) {
        let key = game.position().key();
        self.game = game;
        self.path = vec![key];
        self.path_keys = vec![key];
    }

    /// Plays a move for good, so that searches start from the position after it.
    pub(crate) fn play(&mut self, mv: Move) {
        let key = self.game.position().key_after(self.game.variant(), mv);
        let above = self.path_keys[self.path_keys.len() - 1];
        self.game.play(mv);
        self.path.push(key);
        self.path_keys.push(path_key(above, key));
    }

    /// Takes back a move of [`Search::play`].
    pub(crate) fn undo(&mut self) {
        self.path.pop();
        self.path_keys.pop();
        self.game.undo();
    }

    /// Searches the current position for a mate within `limit` plies, until it is found, refuted, or
    /// `stop_at` nodes are expanded.
    pub(crate) fn solve(&mut self, limit: u16) -> Value {
        let id = self.split.id(&self.game);
        self.search(id, limit, INFINITE, INFINITE)
    }

    /// [`Search::solve`], and the moves with what it found out about each; none if it needs none.
    pub(crate) fn solve_moves(&mut self, limit: u16) -> (Value, Vec<Child>) {
        let (base, begun) = (self.children.len(), self.nodes);
        let value = self.search_children(limit, INFINITE, INFINITE);
        let children = self.children[base..].to_vec();
        self.children.truncate(base);
        let id = self.split.id(&self.game);
        (self.keep(id, limit, value, self.nodes - begun), children)
    }

    fn attacks_now(&self) -> bool {
        self.game.side_to_move() == self.attacker
    }

    /// Searches the current position until its proof number or disproof number reaches its limit.
    fn search(&mut self, id: Id, limit: u16, pn_limit: u32, dn_limit: u32) -> Value {
        let (base, begun) = (self.children.len(), self.nodes);
        let value = self.search_children(limit, pn_limit, dn_limit);
        self.children.truncate(base);
        self.keep(id, limit, value, self.nodes - begun)
    }

    /// The same, without a look at the tables; the children are left on the stack.
    fn search_children(&mut self, limit: u16, pn_limit: u32, dn_limit: u32) -> Value {
        let base = self.children.len();
        self.nodes += 1;
        if let Some(known) = self.expand(limit) {
            return Value::new(known, limit);
        }
        loop {
            let (value, choice) = self.sum_up(base, limit);
            let enough = value.pn >= pn_limit || value.dn >= dn_limit;
            if enough || !value.is_open() || self.nodes >= self.stop_at {
                return value;
            }
            self.descend(base, limit, pn_limit, dn_limit, &choice);
        }
    }

    /// Searches the chosen child and takes in its value.
    fn descend(&mut self, base: usize, limit: u16, pn_limit: u32, dn_limit: u32, choice: &Choice) {
        let child = self.children[base + choice.child];
        let ahead = choice.second.saturating_add(choice.second / 4 + 1);
        let (pn, dn) = if self.attacks_now() {
            (pn_limit.min(ahead), dn_limit - choice.others)
        } else {
            (pn_limit - choice.others, dn_limit.min(ahead))
        };
        self.play(child.mv);
        let value = self.search(child.id, limit - 1, pn, dn);
        self.undo();
        self.children[base + choice.child].value = value;
    }

    /// Enters a value into the tables; returns it as it looks from above.
    fn keep(&mut self, id: Id, limit: u16, mut value: Value, work: u64) -> Value {
        let place = self.path.len() as u16 - 1;
        if value.leans_on != NOTHING && value.leans_on >= place {
            value.leans_on = NOTHING;
        }
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let Value { pn, dn, at_least, at_most, .. } = value;
        let mut known = Known { pn, dn, at_least, at_most, on_paths: false };
        if value.leans_on != NOTHING {
            if value.at_least > limit {
                let Value { at_least, leans_on, .. } = value;
                let path = self.path_keys[self.path_keys.len() - 1];
                self.paths.put(path, PathBound { at_least, leans_on });
                known.on_paths = true;
            }
            known.at_least = 0;
        }
        let open = value.is_open();
        if !open {
            (known.pn, known.dn) = (1, 1);
        }
        self.table.put(id, known, open, work);
        value
    }

    /// Appends the children of the current node; or says what the node is worth without them.
    fn expand(&mut self, limit: u16) -> Option<Known> {
        let mut moves = self.lists.pop().unwrap_or_default();
        let known = if self.attacks_now() {
            self.attacking_moves(limit, &mut moves)
        } else {
            self.defending_moves(limit, &mut moves)
        };
        if known.is_none() {
            self.add_children(limit - 1, &moves);
        }
        self.lists.push(moves);
        known
    }

    fn attacking_moves(&mut self, limit: u16, moves: &mut Vec<Move>) -> Option<Known> {
        if attacks(&self.game, moves) {
            return Some(MATED);
        }
        if limit == 0 {
            return Some(TOO_LATE);
        }
        if self.stalemate_wins {
            let mut all = self.lists.pop().unwrap_or_default();
            add_stalemating_moves(&mut self.game, moves, &mut all);
            self.lists.push(all);
        }
        moves.is_empty().then_some(REFUTED)
    }

    fn defending_moves(&mut self, limit: u16, moves: &mut Vec<Move>) -> Option<Known> {
        if let Some(outcome) = self.game.status(moves) {
            return Some(if is_mate(outcome, self.attacker) { MATED } else { REFUTED });
        }
        let mated = !self.interpositions_count
            && interposition::are_useless(&mut self.game, moves, &mut self.lists);
        match mated {
            true => Some(MATED),
            false if limit == 0 => Some(TOO_LATE),
            false => None,
        }
    }

    fn add_children(&mut self, limit: u16, moves: &[Move]) {
        let base = self.children.len();
        let variant = self.game.variant().clone();
        let hands = self.split.hands(&variant, self.game.position());
        for &mv in moves {
            let id = self.split.after(&variant, self.game.position(), mv, hands);
            let value = match (self.repeats(id.key), self.table.get(&self.split, id)) {
                (Some(at), _) => Value::leaning(PathBound { at_least: NEVER, leans_on: at }),
                (None, Some(known)) => self.recall(id.key, known, limit),
                (None, None) => self.guess(mv, limit),
            };
            self.children.push(Child { mv, id, value, waits_for: NOBODY });
        }
        if self.attacks_now() {
            self.let_plain_moves_wait(base);
        } else {
            self.let_drops_wait(base);
        }
    }

    /// Where on the path a position that would come next stands already.
    fn repeats(&self, key: u64) -> Option<u16> {
        // The same side moves in every second position.
        let before = self.path.iter().rev().skip(1).step_by(2);
        let back = before.enumerate().find(|&(_, &before)| before == key)?.0;
        Some((self.path.len() - 2 - 2 * back) as u16)
    }

    /// The value of a position that would come next, from what is known of it.
    fn recall(&self, key: u64, known: Known, limit: u16) -> Value {
        let value = Value::new(known, limit);
        if !known.on_paths || !value.is_open() {
            return value;
        }
        let path = path_key(self.path_keys[self.path_keys.len() - 1], key);
        let bound = self.paths.get(path).filter(|bound| bound.at_least > limit);
        bound.map_or(value, Value::leaning)
    }

    /// The value of a position nothing is known of. After an attack, the replies are counted.
    fn guess(&mut self, mv: Move, limit: u16) -> Value {
        let mut known = Known { pn: 1, dn: 1, at_least: 0, at_most: NEVER, on_paths: false };
        if self.attacks_now() {
            self.game.play(mv);
            match self.game.mobility() {
                0 if self.game.is_lost() => known = MATED,
                replies => known.pn = replies.max(1) as u32,
            }
            self.game.undo();
        }
        Value::new(known, limit)
    }

    /// A move that could turn the piece for the better waits for the one that does.
    fn let_plain_moves_wait(&mut self, base: usize) {
        let children = &mut self.children[base..];
        for at in 1..children.len() {
            let (plain, turned) = (children[at - 1].mv, children[at].mv);
            let same = (plain.from(), plain.to()) == (turned.from(), turned.to());
            if same && turned.turned() && !plain.turned() && self.improves[plain.face().index()] {
                children[at - 1].waits_for = at as u16;
            }
        }
    }

    /// Drops on a square wait for each other.
    fn let_drops_wait(&mut self, base: usize) {
        let children = &mut self.children[base..];
        for at in (1..children.len()).rev() {
            let mv = children[at].mv;
            if !mv.is_drop() {
                break;
            }
            let same = |child: &Child| child.mv.is_drop() && child.mv.to() == mv.to();
            if let Some(before) = children[..at].iter().rposition(same) {
                children[at].waits_for = before as u16;
            }
        }
    }

    /// The value of a node from its children's, and which of them to search.
    fn sum_up(&self, base: usize, limit: u16) -> (Value, Choice) {
        let (children, attacks) = (&self.children[base..], self.attacks_now());
        let mut bounds = Bounds::new(attacks);
        // The smallest number decides, the others are summed up.
        let mut choice = Choice { child: 0, second: INFINITE, others: 0 };
        let (mut first, mut tie, mut largest, mut open) = (INFINITE, 0, 0, 0);
        for (at, child) in children.iter().enumerate() {
            let value = child.value;
            bounds.add(value, limit);
            let (decides, summed) =
                if attacks { (value.pn, value.dn) } else { (value.dn, value.pn) };
            if summed == 0 || decides > 0 && self.waits(children, child, attacks) {
                continue;
            }
            largest = largest.max(summed);
            open += 1;
            if decides < first || decides == first && summed > tie {
                choice.second = first;
                (first, tie, choice.child) = (decides, summed, at);
            } else {
                choice.second = choice.second.min(decides);
            }
        }
        choice.others = if open > 0 { open - 1 } else { 0 };
        let summed = if first == 0 { INFINITE } else { (largest + choice.others).min(INFINITE) };
        let (pn, dn) = if attacks { (first, summed) } else { (summed, first) };
        let (at_least, at_most, leans_on) = bounds.of_node(limit);
        (Value { pn, dn, at_least, at_most, leans_on }, choice)
    }

    fn waits(&self, children: &[Child], child: &Child, attacks: bool) -> bool {
        let open = |value: Value| if attacks { value.dn > 0 } else { value.pn > 0 };
        child.waits_for != NOBODY && open(children[usize::from(child.waits_for)].value)
    }
}

/// The key of the path that goes on to a position.
fn path_key(path: u64, position: u64) -> u64 {
    (path.rotate_left(23) ^ position).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// By face: whether turning it over only adds to its moves.
fn improving_faces(game: &Game) -> Vec<bool> {
    use rules::{Face, MAX_FACES, Square};
    let variant = game.variant();
    let improves = |face: Face| {
        variant.has_face(face)
            && variant.has_face(face.turned())
            && (0..variant.squares()).map(Square::new).all(|from| {
                let targets = |face| variant.empty_board_targets(face, Color::Black, from);
                targets(face).without(targets(face.turned())).is_empty()
            })
    };
    (0..MAX_FACES).map(|face| improves(Face::new(face))).collect()
}

/// Whether a position of the game has stood so often that coming back to it could end the game, or any
/// has stood twice, to be safe.
fn repeats(game: &Game) -> bool {
    let mut replayed = Game::from_position(game.variant().clone(), game.start().clone());
    game.moves().iter().any(|&mv| {
        replayed.play(mv);
        replayed.repetitions() > 1
    })
}
