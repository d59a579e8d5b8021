//! Other move generators for shogi, to measure against.

use anyhow::{Result, anyhow};
use haitaka::Board;
use rsshogi::board::Position;
use rsshogi::board::perft::compute_perft;

/// haitaka: its moves come as sets, which are counted by their size at the last ply.
pub(super) struct Haitaka(Board);

impl Haitaka {
    pub(super) fn new(sfen: &str) -> Result<Self> {
        sfen.parse().map(Self).map_err(|error| anyhow!("haitaka cannot read {sfen}: {error:?}"))
    }

    /// Nodes at `depth`, 1 or more.
    pub(super) fn popcount(&self, depth: u32) -> u64 {
        count(&self.0, depth)
    }
}

fn count(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    let mut take = |moves: haitaka::PieceMoves| {
        if depth == 1 {
            nodes += moves.into_iter().len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += count(&next, depth - 1);
            }
        }
        false
    };
    board.generate_board_moves(&mut take);
    board.generate_drops(&mut take);
    nodes
}

/// rsshogi: makes the list of legal moves at the last ply and takes its length.
pub(super) struct Rsshogi(Position);

impl Rsshogi {
    pub(super) fn new(sfen: &str) -> Result<Self> {
        let mut position = Position::from_sfen(sfen)
            .map_err(|error| anyhow!("rsshogi cannot read {sfen}: {error:?}"))?;
        position.init_stack();
        Ok(Self(position))
    }

    /// Nodes at `depth`.
    pub(super) fn list(&mut self, depth: u32) -> u64 {
        compute_perft(&mut self.0, depth as u8)
    }
}
