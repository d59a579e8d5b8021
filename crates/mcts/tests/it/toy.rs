//! Games written as text.
//!
//! `W`, `L`, `D`: the game is over, Black (who begins) has won, lost, drawn. `0.5`: a position
//! worth that much to its side to move, from where one move goes on for ever, the value turning
//! its sign. `(a b c)`: a position with these moves, worth 0; `(0.5: a b c)` worth 0.5. A move
//! may carry its prior: `0.7*a`; otherwise all moves are alike.

use std::sync::Arc;

use mcts::{
    EvalError, Evaluation, Evaluator, Leaf, Proven, Prover, Search, SearchConfig, SearchResult,
    State, Wdl, drive_to_end,
};
use rules::{Color, Outcome, Seed, Termination};

#[derive(Debug)]
enum Node {
    Over(Option<Color>),
    Endless(f32),
    Inner { value: f32, moves: Vec<(f32, usize)> },
}

/// A game on a hand-written tree; a move is the index of the child.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    nodes: Arc<Vec<Node>>,
    /// Nodes from the root to here.
    stack: Vec<usize>,
    /// Moves played.
    pub(crate) path: Vec<usize>,
}

impl Toy {
    pub(crate) fn new(text: &str) -> Self {
        let text = text.replace('(', " ( ").replace(')', " ) ").replace('*', "* ");
        let tokens: Vec<&str> = text.split_whitespace().collect();
        let (mut nodes, mut at) = (Vec::new(), 0);
        let root = parse(&tokens, &mut at, &mut nodes);
        assert_eq!(at, tokens.len(), "text after the tree");
        Self { nodes: Arc::new(nodes), stack: vec![root], path: Vec::new() }
    }

    fn node(&self) -> &Node {
        &self.nodes[*self.stack.last().unwrap()]
    }

    /// Whether the side to move loses in that many plies, whatever it plays.
    fn is_lost_within(&self, plies: u32) -> bool {
        let mut moves = Vec::new();
        if let Some(outcome) = self.status(&mut moves) {
            return outcome.winner == Some(!self.side_to_move());
        }
        plies >= 2
            && moves.iter().all(|&mv| {
                self.after(mv, |next| {
                    let mut moves = Vec::new();
                    let over = next.status(&mut moves).is_some();
                    let wins = |&mv: &usize| next.after(mv, |last| last.is_lost_within(plies - 2));
                    !over && moves.iter().any(wins)
                })
            })
    }

    fn after<T>(&self, mv: usize, ask: impl FnOnce(&Toy) -> T) -> T {
        let mut next = self.clone();
        next.play(mv);
        ask(&next)
    }

    fn value(&self) -> f32 {
        match self.node() {
            Node::Over(_) => unreachable!("nobody evaluates a game that is over"),
            Node::Inner { value, .. } => *value,
            Node::Endless(value) => {
                let here = self.stack.last();
                let plies = self.stack.iter().rev().take_while(|&node| Some(node) == here).count();
                if plies % 2 == 1 { *value } else { -value }
            }
        }
    }
}

fn parse(tokens: &[&str], at: &mut usize, nodes: &mut Vec<Node>) -> usize {
    let token = tokens[*at];
    *at += 1;
    let node = match token {
        "W" => Node::Over(Some(Color::Black)),
        "L" => Node::Over(Some(Color::White)),
        "D" => Node::Over(None),
        "(" => {
            let mut value = 0.0;
            if let Some(number) = tokens[*at].strip_suffix(':') {
                value = number.parse().unwrap();
                *at += 1;
            }
            let mut moves = Vec::new();
            while tokens[*at] != ")" {
                let prior = tokens[*at].strip_suffix('*').map(|number| number.parse().unwrap());
                *at += usize::from(prior.is_some());
                moves.push((prior.unwrap_or(1.0), parse(tokens, at, nodes)));
            }
            *at += 1;
            Node::Inner { value, moves }
        }
        number => Node::Endless(number.parse().unwrap()),
    };
    nodes.push(node);
    nodes.len() - 1
}

/// Looks at all moves.
#[derive(Clone, Debug)]
pub(crate) struct Foresight(u32);

impl Prover<Toy> for Foresight {
    fn with_plies(plies: u32) -> Self {
        Self(plies)
    }

    fn prove(&mut self, state: &mut Toy) -> Option<(usize, Proven)> {
        (1..=self.0).step_by(2).find_map(|plies| {
            let mut moves = Vec::new();
            state.status(&mut moves);
            let wins = |&mv: &usize| state.after(mv, |next| next.is_lost_within(plies - 1));
            let mv = moves.into_iter().find(wins)?;
            Some((mv, Proven { value: 1, plies: plies as u16 }))
        })
    }
}

impl State for Toy {
    type Move = usize;
    type Prover = Foresight;

    fn status(&self, moves: &mut Vec<usize>) -> Option<Outcome> {
        moves.clear();
        match self.node() {
            Node::Over(winner) => {
                return Some(Outcome { winner: *winner, termination: Termination::Agreement });
            }
            Node::Endless(_) => moves.push(0),
            Node::Inner { moves: children, .. } => moves.extend(0..children.len()),
        }
        None
    }

    fn play(&mut self, mv: usize) {
        let child = match self.node() {
            Node::Over(_) => panic!("the game is over"),
            Node::Endless(_) => *self.stack.last().unwrap(),
            Node::Inner { moves, .. } => moves[mv].1,
        };
        self.stack.push(child);
        self.path.push(mv);
    }

    fn undo(&mut self) {
        self.stack.pop();
        self.path.pop();
    }

    fn side_to_move(&self) -> Color {
        if self.path.len().is_multiple_of(2) { Color::Black } else { Color::White }
    }

    fn key(&self) -> u64 {
        self.path.iter().fold(1, |key, &mv| key * 31 + mv as u64 + 1)
    }
}

/// Says what the text says, and keeps the paths of the leaves it was asked about.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    pub(crate) leaves: Vec<Vec<usize>>,
}

impl Evaluator<Toy> for Scripted {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, Toy>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        out.clear();
        for leaf in leaves {
            self.leaves.push(leaf.state.path.clone());
            let priors: Vec<f32> = match leaf.state.node() {
                Node::Inner { moves, .. } => moves.iter().map(|(prior, _)| *prior).collect(),
                _ => vec![1.0],
            };
            let total: f32 = priors.iter().sum();
            let value = leaf.state.value();
            out.push(Evaluation {
                wdl: Wdl { win: 0.5 + 0.5 * value, draw: 0.0, loss: 0.5 - 0.5 * value },
                policy: priors.iter().map(|prior| prior / total).collect(),
            });
        }
        Ok(())
    }
}

/// Searches the tree to the end; also the leaves in the order of their evaluation.
pub(crate) fn search(text: &str, config: SearchConfig) -> (SearchResult<usize>, Vec<Vec<usize>>) {
    let mut searches = [Search::new(config)];
    searches[0].start(Toy::new(text), Seed(1));
    let mut evaluator = Scripted::default();
    drive_to_end(&mut searches, &mut evaluator).unwrap();
    assert!(searches[0].state().path.is_empty(), "the state is back at the root");
    (searches[0].result(), evaluator.leaves)
}
