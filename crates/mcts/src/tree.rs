//! The arena: nodes, and the moves of each as a run of edges.
//!
//! Invariants: everything in a node is seen from its side to move, but [`Node::score`]; a child
//! stands behind its parent; below the root the moves with nodes are the first of their run, in the
//! order in which they were first chosen.

use crate::{Evaluation, Proven, Wdl, proof::Proof};

/// Number of the root node. As a child it means "none": the root is nobody's child.
pub(crate) const ROOT: u32 = 0;

/// A position of the tree and what is known of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    /// Sum over the visits of values in `[-1, 1]`.
    value_sum: f64,
    /// Sum over the visits of the probabilities of a draw.
    draw_sum: f64,
    /// The evaluator's word on the position.
    pub(crate) net: Wdl,
    /// What the move here is worth to the side that makes it: its mean value, exact if proven, minus
    /// infinity if it loses for certain; before the first visit, the first-play urgency.
    score: f32,
    /// Sum of the priors of the moves with nodes.
    mass: f32,
    /// Simulations that came by or ended here.
    pub(crate) visits: u32,
    /// Virtual visits: leaves in this subtree that wait for their evaluation.
    pub(crate) waiting: u32,
    first: u32,
    len: u16,
    /// How many moves have nodes; at the root only as long as selection is by PUCT.
    grown: u16,
    /// How many moves at the start of the run stand in the order in which they are chosen.
    ordered: u16,
    pub(crate) proof: Proof,
}

impl Node {
    /// Whether it has its moves.
    #[inline]
    pub(crate) fn is_expanded(&self) -> bool {
        self.len > 0
    }

    /// The mean outcome of the visits, of which there must be one; exact if proven.
    #[inline]
    pub(crate) fn mean(&self) -> Wdl {
        self.proof.wdl().unwrap_or_else(|| {
            let visits = f64::from(self.visits);
            let (value, draw) = (self.value_sum / visits, self.draw_sum / visits);
            let decided = 1.0 - draw;
            Wdl {
                win: (0.5 * (decided + value)) as f32,
                draw: draw as f32,
                loss: (0.5 * (decided - value)) as f32,
            }
        })
    }

    /// The mean value of the visits, 0 without any.
    #[inline]
    fn value(&self) -> f32 {
        (self.value_sum / f64::from(self.visits.max(1))) as f32
    }

    #[inline]
    fn run(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }
}

/// How a node's moves are weighed against each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Puct {
    /// Weight of the prior against the value.
    pub(crate) c_puct: f32,
    /// How much an unvisited move counts below its node's mean value.
    pub(crate) fpu_reduction: f32,
}

/// All nodes and edges of one search, the edges as three arrays side by side; the memory is kept
/// from one search to the next.
#[derive(Clone, Debug)]
pub(crate) struct Tree<M> {
    nodes: Vec<Node>,
    moves: Vec<M>,
    priors: Vec<f32>,
    children: Vec<u32>,
    /// Where nodes go when a part of the tree is kept.
    places: Vec<u32>,
    /// Most bytes that the arrays may take.
    limit: usize,
}

impl<M: Copy> Tree<M> {
    /// A tree with a root that is not expanded.
    pub(crate) fn new() -> Self {
        Self {
            nodes: vec![Node::default()],
            moves: Vec::new(),
            priors: Vec::new(),
            children: Vec::new(),
            places: Vec::new(),
            limit: usize::MAX,
        }
    }

    /// Back to a root that is not expanded; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.moves.clear();
        self.priors.clear();
        self.children.clear();
    }

    #[inline]
    pub(crate) fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The moves of a node.
    #[inline]
    pub(crate) fn moves(&self, id: u32) -> &[M] {
        &self.moves[self.node(id).run()]
    }

    /// The probabilities of its moves.
    #[inline]
    pub(crate) fn priors(&self, id: u32) -> &[f32] {
        &self.priors[self.node(id).run()]
    }

    /// The same, to change them. The moves of a node chosen by PUCT may come in another order then.
    pub(crate) fn priors_mut(&mut self, id: u32) -> &mut [f32] {
        let node = &mut self.nodes[id as usize];
        node.ordered = node.grown;
        &mut self.priors[node.run()]
    }

    /// Sums up the priors of the moves that have nodes anew, after [`Tree::priors_mut`].
    pub(crate) fn weigh(&mut self, id: u32) {
        let node = &self.nodes[id as usize];
        let mass = self.priors[node.run()][..usize::from(node.grown)].iter().sum();
        self.nodes[id as usize].mass = mass;
    }

    /// The nodes that its moves lead to, [`ROOT`] where there is none.
    #[inline]
    pub(crate) fn children(&self, id: u32) -> &[u32] {
        &self.children[self.node(id).run()]
    }

    /// Sets the most bytes that the tree may take. Memory that it already holds is not given back.
    pub(crate) fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes;
    }

    /// Bytes that the arrays take, whether in use or not.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.moves.capacity() * Self::EDGE_BYTES
            + self.places.capacity() * size_of::<u32>()
    }

    /// Bytes of the nodes and edges that there are.
    pub(crate) fn used(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.moves.len() * Self::EDGE_BYTES
    }

    /// Bytes of an edge over all arrays.
    pub(crate) const EDGE_BYTES: usize = size_of::<M>() + size_of::<f32>() + size_of::<u32>();

    /// Makes room for `nodes` more nodes and `edges` more edges; false if the limit forbids it.
    pub(crate) fn reserve(&mut self, nodes: usize, edges: usize) -> bool {
        let more = |len: usize, capacity: usize, wanted: usize| match len + wanted {
            need if need <= capacity => 0,
            // A little more than is needed, so that growing costs little in all.
            need => need.max(capacity + capacity / 4) - capacity,
        };
        let more_nodes = more(self.nodes.len(), self.nodes.capacity(), nodes);
        let more_edges = more(self.moves.len(), self.moves.capacity(), edges);
        if more_nodes + more_edges == 0 {
            return true;
        }
        let bytes = more_nodes * size_of::<Node>() + more_edges * Self::EDGE_BYTES;
        // Numbers of nodes and edges have 32 bits.
        let countable = self.nodes.capacity().max(self.moves.capacity()) + more_nodes + more_edges;
        if u32::try_from(countable).is_err() || self.bytes().saturating_add(bytes) > self.limit {
            return false;
        }
        if more_nodes > 0 {
            self.nodes.reserve_exact(self.nodes.capacity() + more_nodes - self.nodes.len());
        }
        if more_edges > 0 {
            let additional = self.moves.capacity() + more_edges - self.moves.len();
            self.moves.reserve_exact(additional);
            self.priors.reserve_exact(additional);
            self.children.reserve_exact(additional);
        }
        true
    }

    /// Gives a node its moves.
    ///
    /// # Panics
    /// If the policy and the moves differ in number, there are too many, or there is no room.
    pub(crate) fn expand(&mut self, id: u32, moves: &[M], evaluation: &Evaluation) {
        assert_eq!(moves.len(), evaluation.policy.len(), "a probability for each legal move");
        let first = u32::try_from(self.moves.len()).expect("reserve() counts edges in 32 bits");
        let len = u16::try_from(moves.len()).expect("fewer than 2^16 legal moves");
        self.moves.extend_from_slice(moves);
        self.priors.extend_from_slice(&evaluation.policy);
        self.children.resize(self.moves.len(), ROOT);
        let node = &mut self.nodes[id as usize];
        (node.first, node.len, node.net) = (first, len, evaluation.wdl);
    }

    /// The move of an expanded node that maximises Q + `c_puct` * P * sqrt(N) / (1 + n): Silver et
    /// al., "A general reinforcement learning algorithm...", Science 2018. N are the visits of the
    /// node, its own evaluation included, and n those of the move; both count virtual visits. Q of
    /// a move is its mean value, or its proven one; of an unvisited move, the node's mean value -
    /// `fpu_reduction` * sqrt(prior mass of the moves with nodes): KataGo and Leela Chess Zero. Ties
    /// go to the move chosen first. A move proven lost is never chosen.
    ///
    /// Unvisited moves have one Q, so only the one with the greatest prior is weighed: it is
    /// brought to the front of those without nodes. Hence the order of a run.
    pub(crate) fn select(&mut self, id: u32, puct: Puct) -> usize {
        let node = self.nodes[id as usize];
        let grown = usize::from(node.grown);
        if node.ordered == node.grown && node.grown < node.len {
            self.bring_best_forward(id);
        }
        let exploration = puct.c_puct * ((node.visits + node.waiting) as f32).sqrt();
        let run = node.run();
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        let visited = self.children[run.clone()][..grown].iter().zip(&self.priors[run.clone()]);
        for (slot, (&child, prior)) in visited.enumerate() {
            let child = &self.nodes[child as usize];
            let visits = (child.visits + child.waiting) as f32;
            let score = child.score + exploration * prior / (1.0 + visits);
            if score > best_score {
                (best, best_score) = (slot, score);
            }
        }
        if grown < usize::from(node.len) {
            let fresh = self.priors[run.start + grown];
            if node.urgency(puct) + exploration * fresh > best_score {
                return grown;
            }
        }
        best
    }

    /// Swaps the move with the greatest prior among those without nodes, of which there is one, to
    /// their front; the first of equals.
    fn bring_best_forward(&mut self, id: u32) {
        let node = &mut self.nodes[id as usize];
        node.ordered = node.grown + 1;
        let run = node.run();
        let start = run.start + usize::from(node.grown);
        let best = start + first_max(&self.priors[start..run.end]);
        self.moves.swap(start, best);
        self.priors.swap(start, best);
    }

    /// The node that a move leads to, made if need be. By PUCT, below the root, only the first move
    /// without a node gets one.
    ///
    /// # Panics
    /// If there is no room.
    pub(crate) fn step(&mut self, id: u32, slot: usize, puct: Puct) -> u32 {
        let node = &mut self.nodes[id as usize];
        let edge = node.first as usize + slot;
        if self.children[edge] != ROOT {
            return self.children[edge];
        }
        let score = node.urgency(puct);
        node.mass += self.priors[edge];
        node.grown += 1;
        let child = u32::try_from(self.nodes.len()).expect("reserve() counts nodes in 32 bits");
        self.nodes.push(Node { score, ..Node::default() });
        self.children[edge] = child;
        child
    }

    /// Hands a value up `path`: nodes from the root to the one that the simulation ended at. `wdl`
    /// and `proof` are of that last node; `wdl` counts only where `proof` is unknown. With `prove`, a
    /// node with a winning move is won, as fast as its fastest, and one whose moves are all proven
    /// has the best of their values; what is proven goes on upwards as exact.
    pub(crate) fn backup(&mut self, path: &[u32], wdl: Wdl, proof: Proof, prove: bool) {
        let (mut wdl, mut proof) = (wdl, proof);
        for (depth, &id) in path.iter().enumerate().rev() {
            let node = &mut self.nodes[id as usize];
            if proof.is_known() {
                node.proof = proof;
            }
            if let Some(exact) = node.proof.wdl() {
                wdl = exact;
            }
            node.visits += 1;
            node.value_sum += f64::from(wdl.win - wdl.loss);
            node.draw_sum += f64::from(wdl.draw);
            node.score = match node.proof {
                proof if proof.is_win() && prove => f32::NEG_INFINITY,
                proof if proof.is_known() => wdl.loss - wdl.win,
                _ => -node.value(),
            };
            wdl = wdl.flipped();
            if proof.is_known() && depth > 0 {
                proof = match prove {
                    true => self.proof_of(path[depth - 1], proof.handed_up()),
                    false => Proof::UNKNOWN,
                };
            }
        }
    }

    /// Marks a node as proven by other means than its moves.
    pub(crate) fn prove(&mut self, id: u32, proven: Proven) {
        self.nodes[id as usize].proof = Proof::pack(proven);
    }

    /// The proof of a node whose move with proof `news` has just been proven: that of the best move
    /// if it wins or if all moves are proven.
    fn proof_of(&self, id: u32, news: Proof) -> Proof {
        let children = self.children(id);
        if !news.is_win() && children.contains(&ROOT) {
            return self.node(id).proof;
        }
        let proofs = || {
            let made = children.iter().filter(|&&child| child != ROOT);
            made.map(|&child| self.node(child).proof.handed_up())
        };
        match proofs().max() {
            Some(best) if best.is_win() || proofs().all(Proof::is_known) => best,
            _ => self.node(id).proof,
        }
    }

    /// Counts a virtual visit to each node of a path.
    pub(crate) fn wait(&mut self, path: &[u32]) {
        path.iter().for_each(|&id| self.nodes[id as usize].waiting += 1);
    }

    /// Takes them back.
    pub(crate) fn wait_no_more(&mut self, path: &[u32]) {
        path.iter().for_each(|&id| self.nodes[id as usize].waiting -= 1);
    }

    /// Makes the child in `slot` of the root the root and drops all that is not below it. Nobody may
    /// wait.
    pub(crate) fn keep(&mut self, slot: usize) {
        let Some(&top) = self.children(ROOT).get(slot).filter(|&&child| child != ROOT) else {
            return self.clear();
        };
        self.places.clear();
        self.places.resize(self.nodes.len(), ROOT);
        // A child stands behind its parent, so one pass finds all that is kept, parents first.
        let mut kept = 0;
        self.places[top as usize] = 1;
        for id in top..self.nodes.len() as u32 {
            if self.places[id as usize] == ROOT {
                continue;
            }
            self.places[id as usize] = kept + 1; // One more than the place, for 0 means dropped.
            kept += 1;
            for at in self.nodes[id as usize].run() {
                self.places[self.children[at] as usize] |= u32::from(self.children[at] != ROOT);
            }
        }
        self.slide(kept as usize);
    }

    /// Moves what is kept to the front, runs in the order in which they lie.
    fn slide(&mut self, kept: usize) {
        let mut len = 0;
        let mut by_run: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|&id| self.places[id as usize] != 0).collect();
        by_run.sort_by_key(|&id| self.nodes[id as usize].first);
        for &id in &by_run {
            let run = self.nodes[id as usize].run();
            self.nodes[id as usize].first = len as u32;
            for at in run {
                self.moves[len] = self.moves[at];
                self.priors[len] = self.priors[at];
                self.children[len] = match self.children[at] {
                    ROOT => ROOT,
                    child => self.places[child as usize] - 1,
                };
                len += 1;
            }
        }
        for id in 0..self.nodes.len() {
            if self.places[id] != 0 {
                self.nodes[self.places[id] as usize - 1] = self.nodes[id];
            }
        }
        self.nodes.truncate(kept);
        self.moves.truncate(len);
        self.priors.truncate(len);
        self.children.truncate(len);
    }
}

impl Node {
    /// What a move that has not been tried counts as.
    #[inline]
    fn urgency(&self, puct: Puct) -> f32 {
        self.value() - puct.fpu_reduction * self.mass.sqrt()
    }
}

/// The index of the greatest of some numbers, the first of equals.
fn first_max(numbers: &[f32]) -> usize {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
    numbers.iter().position(|&x| x == most).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_edges_are_small() {
        assert!(size_of::<Node>() <= 64, "{}", size_of::<Node>());
        assert_eq!(Tree::<rules::Move>::EDGE_BYTES, 12);
    }
}
