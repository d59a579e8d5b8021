//! What is written is read back as the same.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use protocol::{
    Action, BestMove, Bound, Checkmate, Clock, Command, Context, GameEnd, Go, Info, MateLimit,
    OptionDecl, OptionKind, Protocol, Reply, Score, Setup,
};
use rules::{Color, Game, Variant};

fn protocols() -> impl Strategy<Value = Protocol> {
    proptest::sample::select(Protocol::ALL.to_vec())
}

fn contexts() -> impl Strategy<Value = Context> {
    let color = proptest::sample::select(Color::ALL.to_vec());
    (protocols(), color).prop_map(|(protocol, to_move)| Context {
        protocol,
        to_move,
        milliseconds: true,
    })
}

fn move_text() -> impl Strategy<Value = String> {
    prop_oneof!["[1-9][a-i][1-9][a-i]\\+?", "[PLNSGBR]\\*[1-9][a-i]", "[a-i][0-9][a-i][0-9]"]
}

/// Words that are none of the protocols'.
fn name() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9_]{0,10}"
}

fn time() -> impl Strategy<Value = Duration> {
    (0u64..10_000_000).prop_map(Duration::from_millis)
}

fn clock() -> impl Strategy<Value = Clock> {
    (time(), time()).prop_map(|(remaining, increment)| Clock {
        remaining,
        increment,
        byoyomi: Duration::ZERO,
    })
}

/// What every protocol can say.
fn common_go() -> impl Strategy<Value = Go> {
    let limits = (option::of(any::<u64>()), option::of(any::<u32>()));
    (any::<bool>(), option::of([clock(), clock()]), limits, any::<bool>()).prop_map(
        |(ponder, clocks, (nodes, depth), infinite)| Go {
            ponder,
            infinite,
            clocks,
            nodes,
            depth: depth.filter(|_| !infinite),
            ..Go::default()
        },
    )
}

/// What USI and UCI can say.
fn full_go() -> impl Strategy<Value = Go> {
    let more = (option::of(1u32..100), option::of(time()), vec(move_text(), 0..4));
    (common_go(), more).prop_map(|(go, (moves_to_go, move_time, search_moves))| Go {
        moves_to_go,
        move_time,
        search_moves,
        ..go
    })
}

fn command() -> impl Strategy<Value = Command> {
    let value = prop_oneof![Just(String::new()), "[a-z0-9/][a-z0-9/ ]{0,8}[a-z0-9/]"];
    let setup = (option::of("[a-z1-9/]{1,20} [bw] - 1"), vec(move_text(), 0..5));
    prop_oneof![
        Just(Command::IsReady),
        Just(Command::NewGame),
        Just(Command::Stop),
        Just(Command::Quit),
        protocols().prop_map(Command::Greet),
        any::<bool>().prop_map(Command::Debug),
        vec(move_text(), 1..4).prop_map(Command::BanMoves),
        setup.prop_map(|(position, moves)| Command::Position(Setup { position, moves })),
        common_go().prop_map(Command::Go),
        common_go().prop_map(|go| Command::PonderHit(Go { ponder: false, ..go })),
        (name(), option::of(value)).prop_map(|(name, value)| Command::SetOption { name, value }),
        proptest::sample::select(vec![GameEnd::Win, GameEnd::Lose, GameEnd::Draw])
            .prop_map(Command::GameOver),
    ]
}

fn option_decl() -> impl Strategy<Value = OptionDecl> {
    let text = || prop_oneof![Just(String::new()), "[a-z][a-z0-9]{0,6}"];
    let bounds = (any::<i32>(), option::of(any::<i32>()), option::of(any::<i32>()));
    let kind = prop_oneof![
        any::<bool>().prop_map(OptionKind::Check),
        Just(OptionKind::Button),
        text().prop_map(OptionKind::Text),
        bounds.prop_map(|(default, min, max)| OptionKind::Spin {
            default: default.into(),
            min: min.map(i64::from),
            max: max.map(i64::from),
        }),
        (text(), vec("[a-z]{1,5}( [A-Z][a-z]{1,5})?", 0..4))
            .prop_map(|(default, values)| OptionKind::Combo { default, values }),
    ];
    (name(), kind).prop_map(|(name, kind)| OptionDecl { name, kind })
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Cp),
        // The winner's mate takes an odd number of plies, the loser's an even one.
        (0u32..500).prop_map(|n| Score::Mate { wins: true, plies: Some(2 * n + 1) }),
        (0u32..500).prop_map(|n| Score::Mate { wins: false, plies: Some(2 * n) }),
    ]
}

fn info() -> impl Strategy<Value = Info> {
    let counts = (option::of(any::<u32>()), option::of(any::<u64>()), option::of(time()));
    let bound = option::of(proptest::sample::select(vec![Bound::Lower, Bound::Upper]));
    let words = (vec(move_text(), 0..5), option::of("[a-z]{1,5}( [a-z]{1,5})?"));
    let more = (option::of(any::<u32>()), option::of(move_text()));
    (counts, option::of((score(), bound)), words, more).prop_map(
        |((depth, nodes, time), score, (pv, text), (multipv, currmove))| Info {
            depth,
            seldepth: depth,
            multipv,
            score: score.map(|(score, _)| score),
            bound: score.and_then(|(_, bound)| bound),
            nodes,
            nps: nodes,
            hashfull: multipv,
            time,
            currmove,
            pv,
            text,
        },
    )
}

fn reply() -> impl Strategy<Value = Reply> {
    let best = (move_text(), option::of(move_text())).prop_map(|(text, ponder)| BestMove {
        action: Action::Move(text),
        ponder,
        offers_draw: false,
    });
    prop_oneof![
        Just(Reply::ReadyOk),
        Just(Reply::Bye),
        Just(Reply::Checkmate(Checkmate::NoMate)),
        vec(move_text(), 1..9).prop_map(|moves| Reply::Checkmate(Checkmate::Moves(moves))),
        protocols().prop_map(Reply::Ok),
        name().prop_map(Reply::Name),
        name().prop_map(Reply::Author),
        option_decl().prop_map(Reply::Option),
        best.prop_map(Reply::BestMove),
        info().prop_map(Reply::Info),
    ]
}

proptest! {
    #[test]
    fn commands_survive_every_protocol(command in command(), context in contexts()) {
        let line = command.write(&context);
        prop_assert_eq!(Command::parse(&line, &context), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn limits_survive_usi_and_uci(go in full_go(), usi in any::<bool>()) {
        let protocol = if usi { Protocol::Usi } else { Protocol::Uci };
        let context = Context { protocol, to_move: Color::White, milliseconds: true };
        let command = Command::Go(go);
        let line = command.write(&context);
        prop_assert_eq!(Command::parse(&line, &context), Ok(Some(command)), "{}", line);
    }

    #[test]
    fn replies_survive_every_protocol(reply in reply(), protocol in protocols()) {
        let line = reply.write(protocol);
        prop_assert_eq!(Reply::parse(&line, protocol), Ok(Some(reply)), "{}", line);
    }
}

#[test]
fn what_only_some_protocols_say_survives_them() {
    let usi = Context { protocol: Protocol::Usi, to_move: Color::Black, milliseconds: true };
    for mate in [MateLimit::Infinite, MateLimit::Time(Duration::from_secs(3))] {
        let command = Command::Go(Go { mate: Some(mate), ..Go::default() });
        assert_eq!(Command::parse(&command.write(&usi), &usi), Ok(Some(command)));
    }
    let byoyomi = Clock { byoyomi: Duration::from_secs(1), ..Clock::default() };
    let command = Command::Go(Go { clocks: Some([byoyomi, Clock::default()]), ..Go::default() });
    assert_eq!(Command::parse(&command.write(&usi), &usi), Ok(Some(command)));
    for (action, protocol) in [
        (Action::Resign, Protocol::Usi),
        (Action::Win, Protocol::Usi),
        (Action::None, Protocol::Uci),
        (Action::None, Protocol::Ucci),
    ] {
        let reply = Reply::BestMove(BestMove::from(action));
        assert_eq!(Reply::parse(&reply.write(protocol), protocol), Ok(Some(reply)));
    }
    let file = OptionDecl { name: "Book".to_owned(), kind: OptionKind::File("a b".to_owned()) };
    let reply = Reply::Option(file);
    assert_eq!(Reply::parse(&reply.write(Protocol::Usi), Protocol::Usi), Ok(Some(reply)));
    for wins in [true, false] {
        let score = Some(Score::Mate { wins, plies: None });
        let reply = Reply::Info(Info { score, ..Info::default() });
        assert_eq!(Reply::parse(&reply.write(Protocol::Usi), Protocol::Usi), Ok(Some(reply)));
    }
}

/// Random games of every variant, set up from the text that an engine would get.
#[test]
fn games_of_every_variant_survive_every_protocol() {
    for id in Variant::builtin_ids() {
        let variant = Variant::builtin(id).unwrap();
        let mut game = Game::new(variant.clone());
        let mut moves = Vec::new();
        for ply in 0..60 {
            if game.verdict(&mut moves).is_some() {
                break;
            }
            game.play(moves[(ply * 7919 + 13) % moves.len()]);
        }
        for protocol in Protocol::ALL {
            let context = Context::of(protocol, &game);
            let line =
                Command::Position(Setup::of(&game, protocol.notation(&variant))).write(&context);
            let Ok(Some(Command::Position(setup))) = Command::parse(&line, &context) else {
                panic!("{line}")
            };
            let again = setup.game(&variant, protocol.notation(&variant)).unwrap();
            assert_eq!((again.start(), again.moves()), (game.start(), game.moves()), "{line}");
        }
    }
}
