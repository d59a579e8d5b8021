//! An engine that misbehaves on demand, for tests: `hostile-engine PROTOCOL BEHAVIOUR [TAG]`.
//!
//! It plays whatever variant it is told, some legal move each time, in USI, UCI or UCCI. The tag means
//! nothing: tests find the processes they started by it.
#![expect(clippy::print_stdout, reason = "an engine speaks on its output")]
#![expect(clippy::print_stderr, reason = "an engine complains on its error output")]

mod behaviour;

use std::io::{BufRead, Write, stdin, stdout};
use std::process::{Command as Program, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use behaviour::Behaviour;
use protocol::{Action, BestMove, Command, Context, Go, OptionDecl, OptionKind, Protocol, Reply};
use rules::{Game, Variant};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [protocol, behaviour, ..] = args.as_slice() else {
        eprintln!("usage: hostile-engine PROTOCOL BEHAVIOUR [TAG]");
        return ExitCode::from(2);
    };
    let (Ok(protocol), Ok(behaviour)) = (protocol.parse(), behaviour.parse()) else {
        eprintln!("protocols: usi, uci, ucci; behaviours: {}", Behaviour::names());
        return ExitCode::from(2);
    };
    Engine { protocol, behaviour, variant: "micro".to_owned(), game: None, asked: 0 }.serve()
}

struct Engine {
    protocol: Protocol,
    behaviour: Behaviour,
    variant: String,
    game: Option<Game>,
    /// How many moves it was asked for.
    asked: u32,
}

/// The move, of those it is asked for, at which it misbehaves.
const AT: u32 = 3;

fn say(text: &str) {
    println!("{text}");
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

impl Engine {
    fn serve(mut self) -> ExitCode {
        match self.behaviour {
            Behaviour::Sleep => sleep_for_ever(),
            Behaviour::SleepApart => {
                let _ = rustix::process::setsid();
                sleep_for_ever()
            }
            Behaviour::CrashAtStart => {
                eprintln!("out of order");
                return ExitCode::from(3);
            }
            Behaviour::SilentAtStart => sleep_for_ever(),
            Behaviour::OtherProtocol => {
                say("Welcome to a program for boards!");
                sleep_for_ever()
            }
            Behaviour::Fork | Behaviour::ForkAndDie => fork("sleep"),
            Behaviour::ForkApart => fork("sleep-apart"),
            _ => {}
        }
        for line in stdin().lock().lines() {
            let Ok(line) = line else { break };
            if let Some(code) = self.obey(&line) {
                return code;
            }
        }
        if self.behaviour == Behaviour::IgnoreQuit {
            sleep_for_ever();
        }
        ExitCode::SUCCESS
    }

    /// Carries out a command; a code ends the program.
    fn obey(&mut self, line: &str) -> Option<ExitCode> {
        let context = Context {
            milliseconds: true,
            protocol: self.protocol,
            to_move: self.game.as_ref().map_or(rules::Color::Black, Game::side_to_move),
        };
        match Command::parse(line, &context).ok()?? {
            Command::Greet(_) => self.greet(),
            Command::IsReady => {
                if self.behaviour == Behaviour::SlowReady {
                    thread::sleep(Duration::from_secs(2));
                }
                say("readyok");
            }
            Command::SetOption { name, value } if name == "UCI_Variant" => {
                self.variant = value.unwrap_or_default();
            }
            Command::Position(setup) => {
                let variant = Variant::builtin(&self.variant)?;
                self.game = setup.game(&variant, self.protocol.notation(&variant)).ok();
            }
            Command::Go(go) => {
                self.asked += 1;
                return self.think(&go);
            }
            Command::Stop if self.behaviour == Behaviour::OnlyAfterStop => {
                self.answer(self.some_move());
            }
            Command::Quit if self.behaviour != Behaviour::IgnoreQuit => {
                return Some(ExitCode::SUCCESS);
            }
            _ => {}
        }
        None
    }

    fn greet(&self) {
        if self.behaviour == Behaviour::BlankLines {
            // With a byte order mark, carriage returns, a banner and blank lines.
            print!("\u{feff}\r\n\r\n  \r\nA banner: 3 > 2\r\n");
        }
        let values = Variant::builtin_ids().iter().map(|id| (*id).to_owned()).collect();
        let kind = OptionKind::Combo { default: "micro".to_owned(), values };
        for reply in [
            Reply::Name("Hostile".to_owned()),
            Reply::Option(OptionDecl { name: "UCI_Variant".to_owned(), kind }),
            Reply::Ok(self.protocol),
        ] {
            say(&reply.write(self.protocol));
        }
    }

    fn think(&mut self, go: &Go) -> Option<ExitCode> {
        if self.behaviour == Behaviour::Clock {
            self.tell_clock(go);
            return None;
        }
        // Under a tight limit a busy machine might do to a good move what is to be done to a bad one.
        let never_good =
            [Behaviour::Hang, Behaviour::Late, Behaviour::OnlyAfterStop].contains(&self.behaviour);
        if self.asked < AT && !never_good {
            self.answer(self.some_move());
            return None;
        }
        match self.behaviour {
            Behaviour::CrashInGame => {
                eprintln!("assertion failed: strong");
                return Some(ExitCode::from(3));
            }
            Behaviour::Abort => std::process::abort(),
            Behaviour::ForkAndDie => return Some(ExitCode::from(4)),
            Behaviour::Hang => sleep_for_ever(),
            Behaviour::OnlyAfterStop => {}
            Behaviour::Late => {
                thread::sleep(Duration::from_millis(500));
                self.answer(self.some_move());
            }
            Behaviour::NoMove => self.answer(Action::None),
            Behaviour::Resign => self.answer(Action::Resign),
            Behaviour::Win => say("bestmove win"),
            Behaviour::Illegal => self.answer(Action::Move(self.illegal_move())),
            Behaviour::Unreadable => say("bestmove ????"),
            Behaviour::Mate => say("checkmate nomate"),
            Behaviour::InvalidUtf8 => {
                let _ = stdout().write_all(b"info string \xff\xfe\xff\nbestmove \xc3\x28\n");
                let _ = stdout().flush();
            }
            Behaviour::Flood => flood(b"info depth 1 score cp 1 pv a1a2\n"),
            Behaviour::FloodWithoutLines => flood(&[b'x'; 4096]),
            Behaviour::FloodAndMove => {
                let line = [b"info string ".as_slice(), &[b'y'; 200_000], b"\n"].concat();
                (0..50).for_each(|_| drop(stdout().write_all(&line)));
                self.answer(self.some_move());
            }
            Behaviour::Close => {
                if let Ok(null) = std::fs::File::create("/dev/null") {
                    let _ = rustix::stdio::dup2_stdout(null);
                }
                sleep_for_ever();
            }
            Behaviour::Twice => {
                // At once, so that both are there when the first is read.
                let both = [self.some_move(), Action::Move(self.illegal_move())]
                    .map(|action| Reply::BestMove(BestMove::from(action)).write(self.protocol));
                print!("{}", both.join("\n") + "\n");
            }
            _ => self.answer(self.some_move()),
        }
        None
    }

    /// Resigns if it is told that the other has more time.
    fn tell_clock(&self, go: &Go) {
        let own = self.game.as_ref().map_or(0, |game| game.side_to_move().index());
        let ahead =
            go.clocks.is_some_and(|clocks| clocks[own].remaining > clocks[1 - own].remaining);
        if ahead {
            self.answer(self.some_move());
        } else {
            say("bestmove resign"); // In UCI too.
        }
    }

    fn answer(&self, action: Action) {
        say(&Reply::BestMove(BestMove::from(action)).write(self.protocol));
    }

    /// A legal move, not always the first.
    fn some_move(&self) -> Action {
        let Some(game) = &self.game else { return Action::None };
        let mut moves = Vec::new();
        game.status(&mut moves);
        let index = game.position().key() as usize % moves.len().max(1);
        let text = |mv: &rules::Move| self.protocol.notation(game.variant()).write(game, *mv);
        moves.get(index).map_or(Action::None, |mv| Action::Move(text(mv)))
    }

    /// The king stays where it is.
    fn illegal_move(&self) -> String {
        let Some(game) = &self.game else { return String::new() };
        let king = game.position().king(game.side_to_move());
        let king = king.unwrap_or(rules::Square::new(0));
        let face = game.position().piece_at(king).map_or(rules::Face::new(0), |piece| piece.face);
        let standing = rules::Move::board(king, king, face, false);
        self.protocol.notation(game.variant()).write(game, standing)
    }
}

/// A child of the same program, which holds our output open.
fn fork(behaviour: &str) {
    let program = std::env::current_exe();
    let args: Vec<String> = std::env::args().skip(3).collect();
    let child = program.and_then(|program| {
        Program::new(program).args(["usi", behaviour]).args(args).stdin(Stdio::null()).spawn()
    });
    if let Err(error) = child {
        eprintln!("cannot start a child: {error}");
    }
}

/// 100 MB without a move.
fn flood(bytes: &[u8]) -> ! {
    for _ in 0..100_000_000 / bytes.len() {
        if stdout().write_all(bytes).is_err() {
            break;
        }
    }
    sleep_for_ever()
}
