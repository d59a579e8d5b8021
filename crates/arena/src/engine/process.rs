//! A program of somebody else's: started, written to, read from, and gone for certain.
//!
//! No thread reads for us: whoever waits for a line polls the program's outputs, so that a line has the
//! time at which it was read, and a program that writes when nobody listens waits in its own `write`
//! once the pipe is full, which bounds the memory it costs us.
//!
//! Next to each program runs a guard, a shell that waits for the end of its input and then kills its
//! process group, to which the program and what it forks belong. The guard's input ends when we do, so
//! even our sudden death (`kill -9`) leaves nothing behind. Children that have left the group are found
//! and killed as long as we and the program live; a process that has cut itself off from both (a daemon)
//! escapes.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

use super::EngineSpec;
use super::descendants::{descendants, kill_all};
use super::lines::{Lines, Tail};
use super::log::Log;

/// What the guard does; the signals of a terminal are for us.
const GUARD: &str = "trap '' HUP INT TERM; read -r _; kill -KILL 0";
/// How often a stop and the end of the program are looked for.
const GLANCE: Duration = Duration::from_millis(50);
/// How long after its output the program itself may take to end.
const EXIT_LIMIT: Duration = Duration::from_secs(2);
/// What the program may write between two commands, in bytes.
const MAX_OUTPUT: u64 = 64 << 20;

/// What may happen while one waits for a line.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, and when it was read.
    Line(String, Instant),
    /// The time is up.
    Late,
    /// The caller does not want to wait any longer.
    Stopped,
    /// The program wrote [`MAX_OUTPUT`] bytes since the last command.
    Flood,
    /// The program has ended, by itself, or has closed its output.
    Ended(Ended),
}

/// How a program went.
#[derive(Debug)]
pub(super) struct Ended {
    /// `None`: it lives on, silent for ever.
    pub(super) status: Option<String>,
    /// The last line of its error output.
    pub(super) last_words: Option<String>,
}

/// A program was not started.
#[derive(Debug)]
pub(super) struct Unstarted {
    pub(super) reason: String,
    /// Whether trying again is of no use.
    pub(super) hopeless: bool,
}

impl Unstarted {
    fn new(what: &str, error: &std::io::Error) -> Unstarted {
        let kinds = [ErrorKind::NotFound, ErrorKind::PermissionDenied, ErrorKind::NotADirectory];
        Unstarted { reason: format!("{what}: {error}"), hopeless: kinds.contains(&error.kind()) }
    }
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    guard: Child,
    program: Child,
    input: ChildStdin,
    output: ChildStdout,
    /// `None` once the program has closed it.
    errors: Option<ChildStderr>,
    lines: Lines,
    last_words: Tail,
    read_at: Instant,
    /// Bytes read since the last command.
    received: u64,
    /// How long the program may take to read a line.
    write_limit: Duration,
    log: Option<Log>,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    /// If there is no such program, it may not be run, or the system has no room for it.
    pub(super) fn start(spec: &EngineSpec) -> Result<Process, Unstarted> {
        let mut guard = Command::new("/bin/sh")
            .args(["-c", GUARD])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|error| Unstarted::new("cannot start /bin/sh, which guards it", &error))?;
        // A path is ours and not relative to where the program runs.
        let is_path = spec.command.components().count() > 1;
        let path = std::path::absolute(&spec.command).ok().filter(|_| is_path);
        let mut command = Command::new(path.as_ref().unwrap_or(&spec.command));
        command.args(&spec.args).process_group(guard.id().cast_signed());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let mut program = match command.spawn() {
            Ok(program) => program,
            Err(error) => {
                end(&mut guard);
                let place = spec.directory.as_ref();
                let place = place.map_or(String::new(), |d| format!(" in {}", d.display()));
                let what = format!("cannot start {}{place}", spec.command.display());
                return Err(Unstarted::new(&what, &error));
            }
        };
        let pipes = (program.stdin.take(), program.stdout.take(), program.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three were asked for")
        };
        let mut process = Process {
            guard,
            program,
            input,
            output,
            errors: Some(errors),
            lines: Lines::default(),
            last_words: Tail::default(),
            read_at: Instant::now(),
            received: 0,
            write_limit: spec.start_limit,
            log: None,
        };
        process
            .unblock()
            .map_err(|error| Unstarted::new("cannot talk to the program", &error.into()))?;
        if let Some(folder) = &spec.log {
            let log = Log::create(folder, process.program.id()).map_err(|error| {
                let what = format!("cannot write a log in {}", folder.display());
                Unstarted { hopeless: true, ..Unstarted::new(&what, &error) }
            })?;
            process.log = Some(log);
        }
        Ok(process)
    }

    fn unblock(&self) -> rustix::io::Result<()> {
        unblock(&self.input)?;
        unblock(&self.output)?;
        self.errors.as_ref().map_or(Ok(()), unblock)
    }

    /// Writes a command. What the program says meanwhile waits.
    ///
    /// # Errors
    /// If the program has ended, floods, or does not read.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Event> {
        if let Some(log) = &mut self.log {
            log.add('<', line);
        }
        let bytes = [line.as_bytes(), b"\n"].concat();
        let (mut rest, deadline) = (bytes.as_slice(), Instant::now() + self.write_limit);
        self.received = 0;
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(Event::Late);
                    }
                    if let Some(event) = self.pump(GLANCE, true) {
                        return Err(event);
                    }
                    if self.lines.len() as u64 > MAX_OUTPUT {
                        return Err(Event::Flood);
                    }
                }
                Err(_) => return Err(Event::Ended(self.ended())),
            }
        }
        Ok(())
    }

    /// Waits for a line until `deadline` (and looks once if that has passed), or until `stop`.
    pub(super) fn receive(&mut self, deadline: Instant, stop: &AtomicBool) -> Event {
        loop {
            if let Some(line) = self.lines.next() {
                if let Some(log) = &mut self.log {
                    log.add('>', &line);
                }
                return Event::Line(line, self.read_at);
            }
            if self.received > MAX_OUTPUT {
                return Event::Flood;
            }
            if stop.load(Ordering::Relaxed) {
                return Event::Stopped;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let before = self.received;
            if let Some(event) = self.pump(left.min(GLANCE), false) {
                return event;
            }
            if self.received == before && left.is_zero() {
                return Event::Late;
            }
        }
    }

    /// The lines that wait already are thrown away.
    pub(super) fn drain(&mut self) {
        let now = Instant::now();
        while let Event::Line(..) = self.receive(now, &AtomicBool::new(false)) {}
    }

    /// Waits until there is something to read, or, if `writing`, room to write, and reads it.
    fn pump(&mut self, timeout: Duration, writing: bool) -> Option<Event> {
        // Only what is waited for: a pipe that the other side has closed is always ready.
        let mut fds = vec![PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN)];
        if writing {
            fds.push(PollFd::from_borrowed_fd(self.input.as_fd(), PollFlags::OUT));
        }
        if let Some(errors) = &self.errors {
            fds.push(PollFd::from_borrowed_fd(errors.as_fd(), PollFlags::IN));
        }
        let timeout = Timespec::try_from(timeout).ok();
        // An interrupted wait is a short one.
        let ready = poll(&mut fds, timeout.as_ref()).unwrap_or(0);
        let output = ready > 0 && !fds[0].revents().is_empty();
        if ready > 0 {
            self.read_errors();
        }
        if output && !self.read_output() {
            return Some(Event::Ended(self.ended()));
        }
        // A child of the program may hold its output open after its end.
        let gone = !output && matches!(self.program.try_wait(), Ok(Some(_)));
        (gone && !self.read_pending()).then(|| Event::Ended(self.ended()))
    }

    /// Reads what is there; `false` at the end of the output.
    fn read_output(&mut self) -> bool {
        let mut chunk = [0; 64 * 1024];
        match self.output.read(&mut chunk) {
            Ok(0) => false,
            Ok(read) => {
                self.read_at = Instant::now();
                self.received += read as u64;
                self.lines.add(&chunk[..read]);
                true
            }
            Err(error) => matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted),
        }
    }

    /// Whether there was something more to read, of a program that has ended.
    fn read_pending(&mut self) -> bool {
        let before = self.received;
        self.read_output() && self.received > before
    }

    fn read_errors(&mut self) {
        let mut chunk = [0; 4096];
        match self.errors.as_mut().map(|errors| errors.read(&mut chunk)) {
            Some(Ok(0)) => self.errors = None,
            Some(Ok(read)) => self.last_words.add(&chunk[..read]),
            Some(Err(_)) | None => {}
        }
    }

    /// How the program ended, whose output has.
    fn ended(&mut self) -> Ended {
        let status = exit_within(&mut self.program, EXIT_LIMIT).map(|status| {
            match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit status {code}"),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => "no status".to_owned(),
            }
        });
        self.read_errors();
        Ended { status, last_words: self.last_words.last_line() }
    }

    /// The last line of the error output so far.
    pub(super) fn last_words(&self) -> Option<String> {
        self.last_words.last_line()
    }

    /// Lets the program end by itself within `limit` before it is killed.
    pub(super) fn quit(mut self, limit: Duration) {
        // Once it has ended, nobody knows which children were its own.
        let children = descendants(self.program.id());
        if self.send("quit").is_ok() {
            exit_within(&mut self.program, limit);
        }
        kill_all(&children);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A number of a process is its own only until it has been waited for.
        if matches!(self.program.try_wait(), Ok(None)) {
            kill_all(&descendants(self.program.id()));
        }
        let _ = kill_process_group(Pid::from_child(&self.guard), Signal::KILL);
        end(&mut self.program);
        end(&mut self.guard);
    }
}

/// Kills a child that has not been waited for, and waits for it.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits for the end of a child.
fn exit_within(child: &mut Child, limit: Duration) -> Option<std::process::ExitStatus> {
    let (deadline, mut pause) = (Instant::now() + limit, Duration::from_micros(200));
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(pause),
            _ => return None,
        }
        pause = (2 * pause).min(Duration::from_millis(20));
    }
}

fn unblock(pipe: &impl AsFd) -> rustix::io::Result<()> {
    fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)
}

#[cfg(test)]
mod tests;
