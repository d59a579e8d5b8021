//! Lines of junk: never a panic, and no error longer than it needs to be.

use proptest::prelude::*;
use protocol::{Command, Context, Protocol, Reply};
use rules::{Color, Variant};

const WORDS: &[&str] = &[
    "usi",
    "position",
    "startpos",
    "sfen",
    "fen",
    "moves",
    "go",
    "btime",
    "byoyomi",
    "nodes",
    "depth",
    "mate",
    "infinite",
    "setoption",
    "name",
    "value",
    "option",
    "type",
    "combo",
    "var",
    "default",
    "spin",
    "min",
    "bestmove",
    "ponder",
    "info",
    "score",
    "cp",
    "pv",
    "string",
    "checkmate",
    "id",
    "+",
    "-",
    "-0",
    "99999999999999999999",
    "7g7f",
    "P*5e",
    "\u{feff}",
    "成",
    "\0",
    "<empty>",
    "(none)",
    "e\u{301}2e4",
    "draw",
    "time",
    "lnsgkgsnl/1r5b1",
    "[",
    "]",
    "999999999p",
];

fn read_everything(line: &str) {
    for protocol in Protocol::ALL {
        let context = Context { protocol, to_move: Color::White, milliseconds: false };
        let (command, reply) = (Command::parse(line, &context), Reply::parse(line, protocol));
        for error in [command.as_ref().err(), reply.as_ref().err()].into_iter().flatten() {
            assert!(error.to_string().chars().count() < 400, "{error}");
        }
        if let Ok(Some(command)) = command {
            if let Command::Position(setup) = &command {
                let variant = Variant::builtin("micro").expect("micro is built in");
                let _ = setup.game(&variant, protocol.notation(&variant));
            }
            command.write(&context);
        }
        if let Ok(Some(reply)) = reply {
            reply.write(protocol);
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read(line in "\\PC{0,200}") {
        read_everything(&line);
    }

    #[test]
    fn any_order_of_the_protocols_words_is_read(
        words in proptest::collection::vec(proptest::sample::select(WORDS), 0..20),
    ) {
        read_everything(&words.join(" "));
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_everything(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn a_line_of_a_million_words_is_read() {
    for word in ["a ", "var ", "position ", "bestmove ", "P*5e ", "\u{301}"] {
        read_everything(&format!("info pv {}", word.repeat(1_000_000)));
        read_everything(&word.repeat(1_000_000));
    }
}
