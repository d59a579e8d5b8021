//! A program that has answered the greeting: new games, moves, the end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use protocol::{
    BestMove, Command, Context, LineError, OptionDecl, Protocol, Reply, Setup, read_move,
};
use rules::{Color, Game, Variant};

use super::options::{settings, takes_milliseconds};
use super::process::{Ended, Event, Process, Unstarted};
use super::thought::{Heard, go};
use super::{EngineError, EngineSpec};
use crate::player::{Action, Answer, Failure, FailureKind, Turn};

/// How long after `stop` a program may still give its move.
const STOP_LIMIT: Duration = Duration::from_secs(2);

/// A program ready to play.
#[derive(Debug)]
pub(super) struct Session {
    process: Process,
    spec: Arc<EngineSpec>,
    name: String,
    options: Vec<OptionDecl>,
    /// The last line that was none of the protocol.
    strange: Option<String>,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Broken {
    /// It is not waited for any longer.
    Stopped,
    /// It failed so badly that it has to be started again.
    Failed(Failure),
    /// There is no such program, or it cannot do what it was configured for: no game is possible.
    Unfit(String),
}

type Result<T> = std::result::Result<T, Broken>;

fn failed<T>(kind: FailureKind, reason: impl Into<String>) -> Result<T> {
    Err(Broken::Failed(Failure { kind, reason: reason.into() }))
}

impl Session {
    /// Starts the program, greets it and sets its options.
    pub(super) fn start(
        spec: Arc<EngineSpec>,
        variant: &Variant,
        stop: &AtomicBool,
    ) -> Result<Session> {
        let process = match Process::start(&spec) {
            Ok(process) => process,
            Err(Unstarted { reason, hopeless: true }) => return Err(Broken::Unfit(reason)),
            Err(Unstarted { reason, .. }) => return failed(FailureKind::Crash, reason),
        };
        let name = spec.command.display().to_string();
        let mut session = Session { process, spec, name, options: Vec::new(), strange: None };
        session.greet(stop)?;
        match settings(&session.spec, variant, &session.options) {
            Ok(commands) => commands.iter().try_for_each(|command| session.say(command))?,
            Err(reason) => return Err(Broken::Unfit(reason)),
        }
        Ok(session)
    }

    fn greet(&mut self, stop: &AtomicBool) -> Result<()> {
        let protocol = self.spec.protocol;
        self.say(&Command::Greet(protocol))?;
        let deadline = Instant::now() + self.spec.start_limit;
        loop {
            match self.listen(deadline, stop, &format!("{protocol}ok"))? {
                Reply::Ok(_) => return Ok(()),
                Reply::Name(name) => self.name = name,
                Reply::Option(option) => self.options.push(option),
                _ => {}
            }
        }
    }

    /// What the program calls itself.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Waits until the program is ready for a new game. Whatever it still had to say of the last one
    /// is gone then.
    pub(super) fn new_game(&mut self, stop: &AtomicBool) -> Result<()> {
        let protocol = self.spec.protocol;
        let announces = |name: &str| self.options.iter().any(|option| option.name == name);
        if protocol == Protocol::Uci || protocol == Protocol::Ucci && announces("newgame") {
            self.say(&Command::NewGame)?;
        }
        self.ready(stop)?;
        if protocol == Protocol::Usi {
            self.say(&Command::NewGame)?;
        }
        Ok(())
    }

    fn ready(&mut self, stop: &AtomicBool) -> Result<()> {
        self.say(&Command::IsReady)?;
        let deadline = Instant::now() + self.spec.start_limit;
        while self.listen(deadline, stop, "readyok")? != Reply::ReadyOk {}
        Ok(())
    }

    /// Asks for a move. A failure after which the program is as good as before is an answer.
    pub(super) fn think(&mut self, turn: &Turn<'_>, stop: &AtomicBool) -> Result<Answer> {
        let notation = self.spec.notation(turn.game.variant());
        let context = self.context(turn.game);
        self.process.drain();
        self.say_in(&Command::Position(Setup::of(turn.game, notation)), &context)?;
        // Programs that set up the position only now do not pay for it. In USI `isready` clears what
        // they know, so it is for new games only.
        if self.spec.protocol == Protocol::Uci {
            self.ready(stop)?;
        }
        self.say_in(&Command::Go(go(turn, self.spec.protocol)), &context)?;
        let begun = Instant::now();
        let limit = turn.available().map(|time| time + turn.limits.margin);
        let deadline = begun + limit.unwrap_or(self.spec.stall_limit);
        let mut heard = Heard::default();
        let best = loop {
            match self.process.receive(deadline, stop) {
                Event::Line(line, at) => {
                    // One that is late by a moment is for the referee, who counts the time.
                    if let Some(best) = self.heard(&line, &mut heard)? {
                        break (best, at.duration_since(begun));
                    }
                    if at > deadline {
                        return self.late(limit, stop);
                    }
                }
                Event::Late => return self.late(limit, stop),
                event => return self.broken(event),
            }
        };
        Ok(heard.answer(self.action(best.0, turn), best.1))
    }

    /// The move of a line; other lines are noted.
    fn heard(&mut self, line: &str, heard: &mut Heard) -> Result<Option<BestMove>> {
        match self.parsed(line) {
            Some(Reply::BestMove(best)) => return Ok(Some(best)),
            Some(Reply::Info(info)) => heard.note(info),
            Some(Reply::Checkmate(_)) => {
                return failed(FailureKind::Junk, format!("it answered `go` with `{line}`"));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Its time is over: what it says to `stop` comes too late, and nothing is worse.
    fn late(&mut self, limit: Option<Duration>, stop: &AtomicBool) -> Result<Answer> {
        self.say(&Command::Stop)?;
        let deadline = Instant::now() + STOP_LIMIT;
        let (kind, which) = match limit {
            Some(_) => (FailureKind::Time, "its time and the margin"),
            None => (FailureKind::Stall, "the stall limit"),
        };
        let waited = limit.unwrap_or(self.spec.stall_limit).as_millis();
        loop {
            match self.process.receive(deadline, stop) {
                Event::Line(line, at) => {
                    if matches!(self.parsed(&line), Some(Reply::BestMove(_))) {
                        let reason =
                            format!("no move within {waited} ms, {which}; it came after `stop`");
                        return Ok(Answer::of(Action::Fail(Failure { kind, reason })));
                    }
                    if at <= deadline {
                        continue;
                    }
                }
                Event::Late => {}
                event => return self.broken(event),
            }
            let after = STOP_LIMIT.as_millis();
            let reason =
                format!("no move within {waited} ms, nor within {after} ms after `stop`; killed");
            return failed(FailureKind::Stall, reason);
        }
    }

    /// What the program does by its `bestmove`.
    fn action(&self, best: BestMove, turn: &Turn<'_>) -> Action {
        let illegal = |reason| Action::Fail(Failure { kind: FailureKind::Illegal, reason });
        match best.action {
            protocol::Action::Resign => Action::Resign,
            protocol::Action::Win => Action::Declare,
            protocol::Action::None => illegal("it gave no move, but has some".to_owned()),
            protocol::Action::Move(text) => {
                let notation = self.spec.notation(turn.game.variant());
                match read_move(notation, turn.game, &text) {
                    Ok(mv) => Action::Move(mv),
                    Err(error) => illegal(error.to_string()),
                }
            }
        }
    }

    /// Tells the program how its game ended, in half points for it.
    pub(super) fn game_over(&mut self, half_points: Option<usize>) {
        if self.spec.protocol != Protocol::Usi {
            return;
        }
        let end = match half_points {
            Some(0) => protocol::GameEnd::Lose,
            Some(1) | None => protocol::GameEnd::Draw,
            Some(_) => protocol::GameEnd::Win,
        };
        // If that fails, the next game will tell.
        let _ = self.say(&Command::GameOver(end));
    }

    /// Ends the program, by force if need be.
    pub(super) fn quit(self) {
        let limit = self.spec.quit_limit;
        self.process.quit(limit);
    }

    fn context(&self, game: &Game) -> Context {
        let Context { protocol, to_move, .. } = Context::of(self.spec.protocol, game);
        let seconds = protocol == Protocol::Ucci && !takes_milliseconds(protocol, &self.options);
        Context { protocol, to_move, milliseconds: !seconds }
    }

    /// Says what needs no game.
    fn say(&mut self, command: &Command) -> Result<()> {
        let (protocol, to_move) = (self.spec.protocol, Color::Black);
        self.say_in(command, &Context { protocol, to_move, milliseconds: true })
    }

    fn say_in(&mut self, command: &Command, context: &Context) -> Result<()> {
        match self.process.send(&command.write(context)) {
            Ok(()) => Ok(()),
            Err(Event::Late) => failed(FailureKind::Stall, "it does not read its input; killed"),
            Err(event) => self.broken(event),
        }
    }

    /// The next reply.
    fn listen(&mut self, deadline: Instant, stop: &AtomicBool, wanted: &str) -> Result<Reply> {
        loop {
            match self.process.receive(deadline, stop) {
                Event::Line(line, at) => match self.parsed(&line) {
                    Some(reply) => return Ok(reply),
                    None if at <= deadline => continue,
                    None => {}
                },
                Event::Late => {}
                event => return self.broken(event),
            }
            let limit = self.spec.start_limit.as_secs_f64();
            let words = self.strange.clone().or_else(|| self.process.last_words());
            let words = quoted("; it said", words);
            return failed(FailureKind::Stall, format!("no `{wanted}` within {limit} s{words}"));
        }
    }

    fn parsed(&mut self, line: &str) -> Option<Reply> {
        match Reply::parse(line, self.spec.protocol) {
            Ok(reply) => reply,
            Err(LineError { line, .. }) => {
                self.strange = Some(line);
                None
            }
        }
    }

    fn broken<T>(&self, event: Event) -> Result<T> {
        match event {
            Event::Stopped => Err(Broken::Stopped),
            Event::Flood => failed(FailureKind::Junk, "it wrote 64 MiB without an answer; killed"),
            Event::Ended(Ended { status: Some(status), last_words }) => {
                let words = last_words.or_else(|| self.strange.clone());
                let words = quoted("; its last words:", words);
                failed(FailureKind::Crash, format!("it ended ({status}){words}"))
            }
            Event::Ended(Ended { status: None, last_words }) => {
                let words = quoted("; its last words:", last_words);
                failed(FailureKind::Disconnect, format!("it closed the connection{words}; killed"))
            }
            Event::Line(..) | Event::Late => unreachable!("every caller has dealt with these"),
        }
    }
}

/// The longest quotation in a reason, in characters.
const QUOTED: usize = 120;

fn quoted(before: &str, words: Option<String>) -> String {
    let words = words.map(|words| words.chars().take(QUOTED).collect::<String>());
    words.map_or(String::new(), |words| format!("{before} `{words}`"))
}

impl Broken {
    /// The error of a program that is only tried out.
    fn reason(self) -> String {
        match self {
            Broken::Stopped => "it was interrupted".to_owned(),
            Broken::Failed(failure) => failure.reason,
            Broken::Unfit(reason) => reason,
        }
    }

    pub(super) fn into_error(self, spec: &EngineSpec) -> EngineError {
        EngineError { command: spec.command.display().to_string(), reason: self.reason() }
    }
}
