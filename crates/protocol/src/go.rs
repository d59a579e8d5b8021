//! `go`: how long the engine may think.

use std::fmt::Write;
use std::time::Duration;

use rules::Color;

use crate::words::{LineError, Words};
use crate::{Context, Protocol};

/// A player's clock as an engine is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left of the main time.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// What each move may take beyond the main time; what is left of it is lost.
    pub byoyomi: Duration,
}

/// How far to look for a mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateLimit {
    /// USI: for this long.
    Time(Duration),
    /// USI: until `stop`.
    Infinite,
    /// UCI: mates of at most so many moves.
    Moves(u32),
}

/// What `go` asks for; without anything, a move by the engine's own judgement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Think on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Think until `stop`.
    pub infinite: bool,
    /// The clocks, the first player's first.
    pub clocks: Option<[Clock; 2]>,
    /// Moves until main time is added, where there is such a control.
    pub moves_to_go: Option<u32>,
    /// Exactly this long. UCCI has no word for it and says that the clock is for one move.
    pub move_time: Option<Duration>,
    /// At most so many nodes; of tree searches, simulations.
    pub nodes: Option<u64>,
    /// At most so many plies.
    pub depth: Option<u32>,
    /// Look for a mate instead of a move. Not in UCCI.
    pub mate: Option<MateLimit>,
    /// Consider only these moves; none: all. Not in UCCI, which bans moves instead.
    pub search_moves: Vec<String>,
    /// UCCI: the opponent offers a draw.
    pub draw_offer: bool,
}

impl Go {
    /// Reads what follows `go` or `ponderhit`. Unknown words are passed over.
    pub(crate) fn read(words: &mut Words<'_>, context: &Context) -> Result<Go, LineError> {
        let mut go = Go::default();
        let Context { protocol, to_move: own, .. } = *context;
        // In UCI the first player is White, in USI Black.
        let black = if protocol == Protocol::Usi { Color::Black } else { Color::White };
        while let Some(word) = words.next() {
            let color = match word {
                "btime" | "binc" => black,
                "wtime" | "winc" => !black,
                "opptime" | "oppincrement" => !own,
                _ => own,
            };
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "draw" => go.draw_offer = true,
                "btime" | "wtime" | "time" | "opptime" => {
                    go.clock(color).remaining = unit(words.number(word)?, word, context);
                }
                "binc" | "winc" | "increment" | "oppincrement" => {
                    go.clock(color).increment = unit(words.number(word)?, word, context);
                }
                "byoyomi" => {
                    go.clock(color).byoyomi = unit(words.number(word)?, word, context);
                }
                "movestogo" => go.moves_to_go = Some(words.number(word)?),
                "movetime" => go.move_time = Some(unit(words.number(word)?, word, context)),
                "nodes" => go.nodes = Some(words.number(word)?),
                "depth" if words.peek() == Some("infinite") => {}
                "depth" => go.depth = Some(words.number(word)?),
                "mate" => go.mate = Some(mate_limit(words, context)?),
                "searchmoves" => go.search_moves = words.collect(),
                _ => {}
            }
        }
        Ok(go)
    }

    fn clock(&mut self, color: Color) -> &mut Clock {
        &mut self.clocks.get_or_insert_default()[color.index()]
    }

    /// Appends the words behind `go` or `ponderhit`.
    pub(crate) fn write(&self, out: &mut String, context: &Context) {
        if self.ponder {
            out.push_str(" ponder");
        }
        if context.protocol == Protocol::Ucci {
            self.write_ucci(out, context);
            return;
        }
        if let Some(clocks) = self.clocks {
            write_clocks(out, context, clocks);
        }
        put(out, "movestogo", self.moves_to_go);
        put(out, "movetime", self.move_time.map(millis));
        put(out, "nodes", self.nodes);
        put(out, "depth", self.depth);
        match self.mate {
            None => {}
            Some(MateLimit::Time(time)) => put(out, "mate", Some(millis(time))),
            Some(MateLimit::Infinite) => out.push_str(" mate infinite"),
            Some(MateLimit::Moves(moves)) => put(out, "mate", Some(moves)),
        }
        if self.infinite {
            out.push_str(" infinite");
        }
        if !self.search_moves.is_empty() {
            out.push_str(" searchmoves ");
            out.push_str(&self.search_moves.join(" "));
        }
    }

    fn write_ucci(&self, out: &mut String, context: &Context) {
        let own = context.to_move.index();
        let time = |time: Duration| {
            if context.milliseconds { millis(time) } else { millis(time) / 1000 }
        };
        if self.draw_offer {
            out.push_str(" draw");
        }
        if let Some(clocks) = self.clocks {
            let (mine, other) = (clocks[own].as_increment(), clocks[1 - own].as_increment());
            put(out, "time", Some(time(mine.remaining)));
            match self.moves_to_go {
                Some(moves) => put(out, "movestogo", Some(moves)),
                None => put(out, "increment", Some(time(mine.increment))),
            }
            put(out, "opptime", Some(time(other.remaining)));
            put(out, "oppincrement", Some(time(other.increment)));
        } else if let Some(limit) = self.move_time {
            put(out, "time", Some(time(limit)));
            put(out, "movestogo", Some(1));
        }
        put(out, "nodes", self.nodes);
        put(out, "depth", self.depth);
        if self.infinite {
            out.push_str(" depth infinite");
        }
    }
}

impl Clock {
    /// The same for protocols without byoyomi: what the engine may use for this move, and as much to
    /// be expected for the next ones.
    fn as_increment(self) -> Clock {
        let Clock { remaining, increment, byoyomi } = self;
        let (remaining, increment) = (remaining + byoyomi, increment + byoyomi);
        Clock { remaining, increment, byoyomi: Duration::ZERO }
    }
}

/// The clocks of USI and UCI. USI has increments or one byoyomi, that of the side to move.
fn write_clocks(out: &mut String, context: &Context, clocks: [Clock; 2]) {
    let usi = context.protocol == Protocol::Usi;
    let byoyomi = usi && clocks.iter().all(|clock| clock.increment.is_zero());
    let [first, second] = if byoyomi { clocks } else { clocks.map(Clock::as_increment) };
    let (black, white) = if usi { (first, second) } else { (second, first) };
    put(out, "btime", Some(millis(black.remaining)));
    put(out, "wtime", Some(millis(white.remaining)));
    if byoyomi {
        put(out, "byoyomi", Some(millis(clocks[context.to_move.index()].byoyomi)));
    } else {
        put(out, "binc", Some(millis(black.increment)));
        put(out, "winc", Some(millis(white.increment)));
    }
}

fn put(out: &mut String, word: &str, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        write!(out, " {word} {value}").expect("writing to a string cannot fail");
    }
}

fn millis(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

/// A time of the line; some programs send negative ones for a clock that has run out.
fn unit(number: i64, word: &str, context: &Context) -> Duration {
    let number = number.max(0).unsigned_abs();
    let own_word = matches!(word, "time" | "opptime" | "increment" | "oppincrement");
    if context.protocol == Protocol::Ucci && own_word && !context.milliseconds {
        Duration::from_secs(number)
    } else {
        Duration::from_millis(number)
    }
}

fn mate_limit(words: &mut Words<'_>, context: &Context) -> Result<MateLimit, LineError> {
    if context.protocol != Protocol::Usi {
        return Ok(MateLimit::Moves(words.number("mate")?));
    }
    match words.peek() {
        Some("infinite") => {
            words.next();
            Ok(MateLimit::Infinite)
        }
        _ => Ok(MateLimit::Time(Duration::from_millis(words.number("mate")?))),
    }
}
