//! Each way to misbehave, and how it ends.

use std::time::Duration;

use arena::{EngineSpec, Limits};
use protocol::Protocol;
use rules::{Termination, Variant};

use crate::processes::{tag, wait_until, with, zombies};
use crate::tournament::{fixed, games_of_engine, lost, nodes, play, play_game, spec};

const PAIRS: u64 = 1;

/// Plays a tournament in which the engine must lose at least one game in the given way, with a reason
/// that contains `reason`, and every other game by the rules; leaves no process behind.
fn fails(protocol: Protocol, behaviour: &str, limits: Limits, end: Termination, reason: &str) {
    let tag = tag();
    let mut spec = spec(protocol, behaviour, &tag);
    if ["silent-at-start", "other-protocol"].contains(&behaviour) {
        spec.start_limit = Duration::from_millis(200);
    }
    if ["hang", "only-after-stop"].contains(&behaviour) {
        spec.stall_limit = Duration::from_millis(200);
    }
    let games = games_of_engine(play(spec, limits, PAIRS).expect("it is played"), PAIRS);
    let (failed, others): (Vec<_>, Vec<_>) =
        games.iter().partition(|game| game.outcome.termination == end);
    assert!(!failed.is_empty(), "{behaviour}: {games:#?}");
    for game in failed {
        assert!(lost(game), "{behaviour}");
        assert!(game.reason.contains(reason), "{behaviour}: {}", game.reason);
    }
    for game in others {
        assert_eq!(game.reason, "", "{behaviour}: {}", game.outcome.termination);
    }
    gone(&tag);
}

/// Plays a tournament in which the engine does nothing wrong.
fn plays(protocol: Protocol, behaviour: &str, limits: Limits) {
    let tag = tag();
    let games = play(spec(protocol, behaviour, &tag), limits, PAIRS).expect("it is played");
    for game in games_of_engine(games, PAIRS) {
        assert_eq!(game.reason, "", "{protocol} {behaviour}: {}", game.outcome.termination);
        let timed = game.remarks.iter().any(|remark| remark.elapsed.is_some());
        assert!(timed || game.remarks.len() < 2, "its moves are timed");
    }
    gone(&tag);
}

/// No process with the tag lives, and none is left to be waited for.
fn gone(tag: &str) {
    wait_until("the engines are gone", || with(tag).is_empty());
    let ended = zombies();
    wait_until("nobody waits", || !zombies().iter().any(|number| ended.contains(number)));
}

#[test]
fn a_good_engine_plays_in_every_protocol() {
    for protocol in Protocol::ALL {
        plays(protocol, "good", nodes());
        plays(protocol, "good", fixed(60_000));
    }
}

#[test]
fn blank_lines_and_long_lines_do_no_harm() {
    for protocol in Protocol::ALL {
        plays(protocol, "blank-lines", nodes());
    }
    plays(Protocol::Usi, "flood-and-move", nodes());
}

#[test]
fn only_one_answer_to_each_question_counts() {
    plays(Protocol::Usi, "twice", nodes());
    plays(Protocol::Uci, "twice", nodes());
}

#[test]
fn an_engine_that_ends_loses_by_crash() {
    use Termination::Crash;
    fails(Protocol::Usi, "crash-at-start", nodes(), Crash, "exit status 3");
    fails(Protocol::Usi, "crash-in-game", nodes(), Crash, "assertion failed: strong");
    fails(Protocol::Uci, "crash-in-game", fixed(60_000), Crash, "exit status 3");
    fails(Protocol::Ucci, "abort", nodes(), Crash, "signal 6");
}

#[test]
fn an_engine_that_is_silent_stalls() {
    use Termination::Stall;
    fails(Protocol::Usi, "silent-at-start", nodes(), Stall, "no `usiok` within 0.2 s");
    fails(Protocol::Uci, "other-protocol", nodes(), Stall, "it said `Welcome to");
    fails(Protocol::Usi, "hang", nodes(), Stall, "nor within 2000 ms after `stop`; killed");
    fails(Protocol::Usi, "only-after-stop", nodes(), Stall, "it came after `stop`");
    fails(Protocol::Usi, "hang", fixed(200), Stall, "no move within 200 ms");
}

#[test]
fn a_late_move_loses_on_time() {
    for protocol in Protocol::ALL {
        let reason = "no move within 200 ms, its time and the margin; it came after `stop`";
        fails(protocol, "only-after-stop", fixed(200), Termination::Time, reason);
    }
    fails(Protocol::Usi, "late", fixed(200), Termination::Time, "it came after `stop`");
}

#[test]
fn an_engine_without_a_legal_move_loses_by_that() {
    use Termination::IllegalMove;
    fails(Protocol::Uci, "no-move", nodes(), IllegalMove, "it gave no move");
    fails(Protocol::Ucci, "no-move", nodes(), IllegalMove, "it gave no move");
    fails(Protocol::Usi, "illegal", nodes(), IllegalMove, "(ply ");
    fails(Protocol::Uci, "unreadable", nodes(), IllegalMove, "`????` is no move");
    fails(Protocol::Usi, "invalid-utf8", nodes(), IllegalMove, "is no move");
    fails(Protocol::Usi, "win", nodes(), IllegalMove, "declaration");
}

/// Where there are declarations, one without the conditions for it loses as such.
#[test]
fn a_false_declaration_is_called_that() {
    let games = play_game("shogi", spec(Protocol::Usi, "win", &tag()), nodes(), PAIRS).unwrap();
    for game in games_of_engine(games, PAIRS) {
        assert_eq!(game.outcome.termination, Termination::FalseDeclaration);
        assert!(lost(&game));
    }
}

#[test]
fn an_engine_may_resign() {
    fails(Protocol::Usi, "resign", nodes(), Termination::Resignation, "");
    fails(Protocol::Usi, "no-move", nodes(), Termination::Resignation, "");
}

#[test]
fn a_flood_is_junk() {
    use Termination::Junk;
    fails(Protocol::Usi, "flood", nodes(), Junk, "it wrote 64 MiB");
    fails(Protocol::Uci, "flood-without-lines", fixed(60_000), Junk, "it wrote 64 MiB");
    fails(Protocol::Usi, "mate", nodes(), Junk, "`checkmate nomate`");
}

#[test]
fn a_closed_output_is_a_disconnection() {
    fails(Protocol::Usi, "close", nodes(), Termination::Disconnect, "it closed the connection");
}

#[test]
fn no_child_of_an_engine_outlives_it() {
    plays(Protocol::Usi, "fork", nodes());
    plays(Protocol::Usi, "fork-apart", nodes());
    fails(Protocol::Usi, "fork-and-die", nodes(), Termination::Crash, "exit status 4");
}

#[test]
fn an_engine_that_does_not_quit_is_killed() {
    plays(Protocol::Usi, "ignore-quit", nodes());
}

#[test]
fn what_cannot_be_played_at_all_ends_the_tournament_by_name() {
    let error = |change: fn(&mut EngineSpec)| {
        let mut spec = spec(Protocol::Usi, "good", &tag());
        change(&mut spec);
        play(spec, nodes(), PAIRS).unwrap_err().to_string()
    };
    let missing = error(|spec| spec.command = "/no/such/engine".into());
    let expected = "player hostile: cannot start /no/such/engine: No such file";
    assert!(missing.starts_with(expected), "{missing}");
    let option = error(|spec| drop(spec.options.insert("Hash".into(), "1".into())));
    assert_eq!(option, "player hostile: it has no option `Hash`; it has: UCI_Variant");
    let game = error(|spec| spec.variant = Some("go".into()));
    assert!(game.contains("`UCI_Variant` is not `go` but one of "), "{game}");
    let unlimited = play(spec(Protocol::Usi, "good", &tag()), Limits::default(), 1).unwrap_err();
    let expected = "player hostile: a program needs a limit: time, nodes or depth";
    assert_eq!(unlimited.to_string(), expected);
}

/// What was said stands in a file, when that is wanted.
#[test]
fn a_log_has_both_sides() {
    let folder = std::env::temp_dir().join(format!("narikin-{}", tag()));
    let mut spec = spec(Protocol::Usi, "good", &tag());
    spec.log = Some(folder.clone());
    spec.probe(&Variant::builtin("micro").unwrap()).unwrap();
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(file).unwrap();
    let said: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    assert_eq!(said[..2], ["< usi", "> id name Hostile"]);
    assert!(said.contains(&"> usiok") && said.contains(&"< isready"), "{said:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_probe_says_who_it_is_or_what_is_wrong() {
    let variant = Variant::builtin("micro").unwrap();
    let probe = |behaviour: &str| {
        let tag = tag();
        let mut spec = spec(Protocol::Usi, behaviour, &tag);
        if behaviour == "silent-at-start" {
            spec.start_limit = Duration::from_millis(100);
        }
        let result = spec.probe(&variant);
        gone(&tag);
        result.map_err(|error| error.reason)
    };
    assert_eq!(probe("good").as_deref(), Ok("Hostile"));
    let expected = "it ended (exit status 3); its last words: `out of order`";
    assert_eq!(probe("crash-at-start").unwrap_err(), expected);
    assert_eq!(probe("silent-at-start").unwrap_err(), "no `usiok` within 0.1 s");
}
