//! What the search found, for people and as JSON.

use comfy_table::{CellAlignment, ColumnConstraint};
use engine::{Answer, Decision, End, EngineConfig, Line, Score, ranked};
use mcts::{MoveStat, Proven, Wdl};
use rules::{Game, Move};
use serde::Serialize;

use crate::cmd::{NotationArgs, side};
use crate::output;
use crate::text::{table, thousands};

/// Values are from the side to move.
#[derive(Serialize)]
pub(super) struct Report {
    variant: String,
    fen: String,
    turn: &'static str,
    evaluator: String,
    /// The move to play, most visited or proven best.
    best: String,
    /// Whether it is better still to declare the win that the rules give.
    declare: bool,
    /// Expected score of the best move in `[-1, 1]`.
    value: f32,
    wdl: Chances,
    centipawns: Option<i32>,
    proven: Option<Proof>,
    /// Simulations, those in all moves together.
    visits: u64,
    pv: Vec<String>,
    end: &'static str,
    seconds: f64,
    nps: u64,
    depth: u32,
    seldepth: u32,
    /// Thousandths of the memory allowed.
    hashfull: u32,
    #[serde(skip)]
    memory: usize,
    /// All legal moves, best first.
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    visits: u32,
    prior: f32,
    value: f32,
    wdl: Chances,
    proven: Option<Proof>,
    /// The line that begins with the move; only of the moves that were to be shown.
    pv: Option<Vec<String>>,
    #[serde(skip)]
    score: String,
}

#[derive(Clone, Copy, Serialize)]
struct Chances {
    win: f32,
    draw: f32,
    loss: f32,
}

/// A proven value and the plies to the end of the game.
#[derive(Clone, Copy, Serialize)]
struct Proof {
    value: &'static str,
    plies: u16,
}

impl From<Wdl> for Chances {
    fn from(Wdl { win, draw, loss }: Wdl) -> Self {
        Self { win, draw, loss }
    }
}

impl From<Proven> for Proof {
    fn from(proven: Proven) -> Self {
        let value = match proven.value {
            1 => "win",
            0 => "draw",
            _ => "loss",
        };
        Self { value, plies: proven.plies }
    }
}

impl Report {
    pub(super) fn new(
        game: &Game,
        answer: &Answer,
        evaluator: &str,
        notation: NotationArgs,
        config: &EngineConfig,
    ) -> Self {
        let info = &answer.info;
        let line = &info.lines[0];
        let row = |(at, stat): (usize, &&MoveStat<Move>)| {
            Row::new(game, stat, info.lines.get(at), notation)
        };
        let moves: Vec<Row> = ranked(&answer.result).iter().enumerate().map(row).collect();
        Self {
            variant: game.variant().id().to_owned(),
            fen: game.position().to_fen(game.variant()),
            turn: side(game.side_to_move()),
            evaluator: evaluator.to_owned(),
            best: notation.write(game, answer.result.best),
            declare: answer.decision == Decision::Declare,
            value: line.wdl.value(),
            wdl: line.wdl.into(),
            centipawns: match line.score() {
                Score::Centipawns(centipawns) => Some(centipawns),
                Score::Mate(_) => None,
            },
            proven: answer.result.proven.map(Proof::from),
            visits: moves.iter().map(|row| u64::from(row.visits)).sum(),
            pv: written(game, &line.pv, notation),
            end: reason(answer.end),
            seconds: info.elapsed.as_secs_f64(),
            nps: info.nps,
            depth: info.depth,
            seldepth: info.seldepth,
            hashfull: info.hashfull,
            memory: config.memory,
            moves,
        }
    }

    pub(super) fn print(&self) {
        output::result(&format!(
            "{}\n{}, {} to move, evaluated by {}",
            self.fen, self.variant, self.turn, self.evaluator
        ));
        let mut table = table(&["move", "visits", "prior", "score", "win", "draw", "loss", "line"]);
        // Only lines are broken where the terminal is narrow.
        for column in table.column_iter_mut() {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        if let Some(column) = table.column_mut(7) {
            column.remove_constraint();
            column.set_cell_alignment(CellAlignment::Left);
        }
        let percent = |share: f32| format!("{:.1} %", share * 100.0);
        let shown = self.moves.iter().filter_map(|row| Some((row, row.pv.as_ref()?)));
        for (row, pv) in shown {
            table.add_row([
                row.mv.clone(),
                thousands(row.visits.into()),
                percent(row.prior),
                row.score.clone(),
                percent(row.wdl.win),
                percent(row.wdl.draw),
                percent(row.wdl.loss),
                pv.join(" "),
            ]);
        }
        output::result(&table.to_string());
        let rest = self.moves.iter().filter(|row| row.pv.is_none());
        let (count, visits) =
            rest.fold((0, 0), |(count, visits), row| (count + 1, visits + u64::from(row.visits)));
        if count > 0 {
            output::result(&format!("{count} other moves, {} visits", thousands(visits)));
        }
        output::result(&format!(
            "{} simulations in {:.1} s ({}/s), depth {}/{}, {:.1} % of {} MiB; {}",
            thousands(self.visits),
            self.seconds,
            thousands(self.nps),
            self.depth,
            self.seldepth,
            f64::from(self.hashfull) / 10.0,
            thousands(self.memory as u64),
            self.end
        ));
        output::result(&self.verdict());
    }

    /// The last line.
    fn verdict(&self) -> String {
        let best = &self.best;
        match self.proven {
            _ if self.declare => "declare: the game is won by the rules as it stands".to_owned(),
            Some(Proof { value, plies: 1 }) => format!("best {best}: proven {value} in 1 ply"),
            Some(Proof { value, plies }) => format!("best {best}: proven {value} in {plies} plies"),
            None => format!("best {best}, expected score {:.1} %", (self.value + 1.0) * 50.0),
        }
    }
}

impl Row {
    fn new(
        game: &Game,
        stat: &MoveStat<Move>,
        line: Option<&Line>,
        notation: NotationArgs,
    ) -> Self {
        Self {
            mv: notation.write(game, stat.mv),
            visits: stat.visits,
            prior: stat.prior,
            value: stat.value,
            wdl: stat.wdl.into(),
            proven: stat.proven.map(Proof::from),
            pv: line.map(|line| written(game, &line.pv, notation)),
            score: line.map(score).unwrap_or_default(),
        }
    }
}

/// The moves of a line as they are written.
pub(super) fn written(game: &Game, line: &[Move], notation: NotationArgs) -> Vec<String> {
    let mut game = game.clone();
    let write = |&mv| {
        let text = notation.write(&game, mv);
        game.play(mv);
        text
    };
    line.iter().map(write).collect()
}

/// The worth of a line in pawns, or what is proven of it.
pub(super) fn score(line: &Line) -> String {
    match (line.score(), line.proven) {
        (Score::Mate(plies), _) if plies < 0 => format!("lost {}", -plies),
        (Score::Mate(plies), _) => format!("won {plies}"),
        (_, Some(Proven { plies, .. })) => format!("drawn {plies}"),
        (Score::Centipawns(centipawns), None) => format!("{:+.2}", f64::from(centipawns) / 100.0),
    }
}

fn reason(end: End) -> &'static str {
    match end {
        End::Stopped => "stopped",
        End::Proven => "proven",
        End::Mate => "mate found",
        End::NoMate => "no mate so short",
        End::Reached => "limit reached",
        End::TimeUp => "time is up",
        End::Settled => "nothing can change any more",
        End::MemoryFull => "the memory is full: --memory allows more",
    }
}
