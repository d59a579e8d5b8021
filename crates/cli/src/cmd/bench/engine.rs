//! The engine of `narikin bench arena`: plays some legal move at once, in any protocol.

use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use protocol::{Action, BestMove, Command, Context, OptionDecl, OptionKind, Protocol, Reply};
use rules::{Color, Game, Variant};

/// Serves until `quit` or the end of the input.
pub(super) fn serve() -> Result<()> {
    let (protocol, variant) = (Protocol::Usi, builtin("micro")?);
    let mut engine = Engine { protocol, variant, game: None, moves: vec![] };
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let context =
            Context { protocol: engine.protocol, to_move: Color::Black, milliseconds: true };
        match Command::parse(&line?, &context) {
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => {
                for reply in engine.obey(command)? {
                    writeln!(out, "{}", reply.write(engine.protocol))?;
                }
            }
            Ok(None) | Err(_) => {}
        }
    }
    Ok(())
}

fn builtin(id: &str) -> Result<Arc<Variant>> {
    Variant::builtin(id).with_context(|| format!("no such variant: {id}"))
}

struct Engine {
    protocol: Protocol,
    variant: Arc<Variant>,
    game: Option<Game>,
    moves: Vec<rules::Move>,
}

impl Engine {
    fn obey(&mut self, command: Command) -> Result<Vec<Reply>> {
        Ok(match command {
            Command::Greet(protocol) => {
                self.protocol = protocol;
                let values = Variant::builtin_ids().iter().map(|id| (*id).to_owned()).collect();
                let kind = OptionKind::Combo { default: self.variant.id().to_owned(), values };
                let option = OptionDecl { name: "UCI_Variant".to_owned(), kind };
                vec![Reply::Name("stub".to_owned()), Reply::Option(option), Reply::Ok(protocol)]
            }
            Command::IsReady => vec![Reply::ReadyOk],
            Command::SetOption { value, .. } => {
                self.variant = builtin(&value.unwrap_or_default())?;
                vec![]
            }
            Command::Position(setup) => {
                self.game = Some(setup.game(&self.variant, self.protocol.notation(&self.variant))?);
                vec![]
            }
            Command::Go(_) => vec![Reply::BestMove(BestMove::from(self.action()))],
            _ => vec![],
        })
    }

    fn action(&mut self) -> Action {
        let Some(game) = &self.game else { return Action::None };
        game.status(&mut self.moves);
        let index = game.position().key() as usize % self.moves.len().max(1);
        let text = |mv: &rules::Move| self.protocol.notation(game.variant()).write(game, *mv);
        self.moves.get(index).map_or(Action::None, |mv| Action::Move(text(mv)))
    }
}
