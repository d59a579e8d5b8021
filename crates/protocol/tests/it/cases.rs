//! Lines that other programs got wrong or that real engines write.

use std::time::Duration;

use protocol::{
    Action, Checkmate, Clock, Command, Context, Go, Info, MateLimit, OptionKind, Protocol, Reply,
    Score, Setup, read_move, variant_option,
};
use rules::{Color, Game, Notation, Variant};

const MATES: &str = include_str!("../../../../data/protocol/usi_mate_tokens.log");
const NO_MOVES: &str = include_str!("../../../../data/protocol/uci_no_move_tokens.log");
const OPTIONS: &str = include_str!("../../../../data/protocol/uci_options_with_spaces.log");
const CRLF: &str = include_str!("../../../../data/protocol/usi_crlf_bom.log");
const RACE: &str = include_str!("../../../../data/protocol/usi_ponder_race.log");
const UCCI: &str = include_str!("../../../../data/protocol/ucci_session.log");

/// The lines of one direction of a transcript.
fn lines<'a>(log: &'a str, sign: &str) -> impl Iterator<Item = &'a str> {
    let sign = format!("{sign} ");
    log.lines().filter_map(move |line| Some(&line[line.find(&sign)? + sign.len()..]))
}

fn info(line: &str, protocol: Protocol) -> Info {
    match Reply::parse(line, protocol) {
        Ok(Some(Reply::Info(info))) => info,
        other => panic!("{line}: {other:?}"),
    }
}

fn action(line: &str) -> Action {
    match Reply::parse(line, Protocol::Usi) {
        Ok(Some(Reply::BestMove(best))) => best.action,
        other => panic!("{line}: {other:?}"),
    }
}

fn context(protocol: Protocol, to_move: Color) -> Context {
    Context { protocol, to_move, milliseconds: true }
}

fn go(line: &str, context: &Context) -> Go {
    match Command::parse(line, context) {
        Ok(Some(Command::Go(go))) => go,
        other => panic!("{line}: {other:?}"),
    }
}

fn mate(wins: bool, plies: Option<u32>) -> Option<Score> {
    Some(Score::Mate { wins, plies })
}

#[test]
fn mates_keep_their_sign_and_lines_end_at_the_first_word() {
    let infos: Vec<Info> = lines(MATES, ">")
        .filter(|line| line.starts_with("info"))
        .map(|line| info(line, Protocol::Usi))
        .collect();
    let scores: Vec<_> = infos.iter().map(|info| info.score).collect();
    let expected = [
        mate(true, None),
        mate(false, None),
        mate(false, Some(0)),
        mate(true, Some(5)),
        Some(Score::Cp(120)),
        mate(true, Some(3)),
        None,
    ];
    assert_eq!(scores, expected);
    assert_eq!(infos[0].text.as_deref(), Some("declared"));
    assert!(infos[2].pv.is_empty(), "`resign` is no move");
    assert_eq!(infos[3].pv, ["G*5b"]);
    assert_eq!(infos[4].hashfull, Some(1000));
    assert_eq!(infos[6].text.as_deref(), Some("pv 7g7f is not a pv"));
    assert!(infos[6].pv.is_empty());
    assert_eq!(info("info score mate 0", Protocol::Usi).score, mate(false, Some(0)));
}

#[test]
fn mates_count_plies_in_usi_and_moves_elsewhere() {
    for (text, plies) in [("1", 1), ("2", 3), ("-1", 2), ("-3", 6)] {
        let line = format!("info depth 1 score mate {text}");
        let wins = !text.starts_with('-');
        assert_eq!(info(&line, Protocol::Uci).score, mate(wins, Some(plies)), "{text}");
        let count = text.trim_start_matches('-').parse().ok();
        assert_eq!(info(&line, Protocol::Usi).score, mate(wins, count), "{text}");
    }
    assert_eq!(info("info depth 3 score 12 pv h9g7", Protocol::Ucci).score, Some(Score::Cp(12)));
}

#[test]
fn every_spelling_of_no_move_is_none() {
    let actions: Vec<Action> = lines(NO_MOVES, ">").map(action).collect();
    assert_eq!(actions[..5], vec![Action::None; 5]);
    assert_eq!(actions[5..], ["e2e4", "e2e2"].map(|text| Action::Move(text.to_owned())));
    for line in lines(NO_MOVES, ">") {
        let Ok(Some(Reply::BestMove(best))) = Reply::parse(line, Protocol::Uci) else {
            panic!("{line}")
        };
        assert_eq!(best.ponder, None, "{line}");
    }
    assert_eq!(action("bestmove resign"), Action::Resign);
    assert_eq!(action("bestmove win"), Action::Win);
    assert_eq!(action("nobestmove"), Action::None);
}

#[test]
fn options_may_have_blanks() {
    let declared: Vec<_> = lines(OPTIONS, ">")
        .filter_map(|line| match Reply::parse(line, Protocol::Uci).unwrap() {
            Some(Reply::Option(option)) => Some(option),
            _ => None,
        })
        .collect();
    let names: Vec<&str> = declared.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["Move Overhead", "Debug Log File", "Style", "Clear Hash", "EvalDir"]);
    let spin = OptionKind::Spin { default: 10, min: Some(0), max: Some(5000) };
    assert_eq!(declared[0].kind, spin);
    assert_eq!(declared[1].kind, OptionKind::Text(String::new()));
    let values = ["Very Solid", "Risky"].map(str::to_owned).to_vec();
    assert_eq!(declared[2].kind, OptionKind::Combo { default: "Very Solid".to_owned(), values });
    assert_eq!(declared[3].kind, OptionKind::Button);
    assert_eq!(declared[4].kind, OptionKind::Text(String::new()), "`<empty>`");
    let set: Vec<_> = lines(OPTIONS, "<")
        .filter_map(|line| {
            match Command::parse(line, &context(Protocol::Uci, Color::Black)).unwrap() {
                Some(Command::SetOption { name, value }) => Some((name, value)),
                _ => None,
            }
        })
        .collect();
    assert_eq!(set[0], ("Move Overhead".to_owned(), Some("100".to_owned())));
    assert_eq!(set[1], ("Debug Log File".to_owned(), Some(r"C:\my logs\a b.txt".to_owned())));
    assert_eq!(set[2], ("Clear Hash".to_owned(), None));
}

#[test]
fn the_variant_has_a_name_in_each_protocol() {
    for (protocol, line) in [
        (Protocol::Usi, "option name USI_Variant type combo default shogi var shogi var minishogi"),
        (Protocol::Usi, "option name UCI_Variant type combo default shogi var shogi"),
        (Protocol::Uci, "option name UCI_Variant type combo default chess var xiangqi"),
        (Protocol::Ucci, "option UCI_Variant type combo default xiangqi var xiangqi"),
    ] {
        let Ok(Some(Reply::Option(option))) = Reply::parse(line, protocol) else {
            panic!("{line}")
        };
        let name = option.name.clone();
        let options = [option];
        assert_eq!(variant_option(&options).unwrap().name, name);
    }
}

#[test]
fn carriage_returns_and_byte_order_marks_do_not_count() {
    let replies: Vec<Reply> = CRLF
        .split_inclusive('\n')
        .filter_map(|line| Reply::parse(line, Protocol::Usi).unwrap())
        .collect();
    assert_eq!(replies[0], Reply::Name("T".to_owned()));
    assert_eq!(replies[3], Reply::Ok(Protocol::Usi));
    let Reply::BestMove(best) = &replies[5] else { panic!("{:?}", replies[5]) };
    assert_eq!(best.ponder.as_deref(), Some("3c3d"));
}

#[test]
fn a_session_in_ucci_is_read() {
    let mut context = Context { milliseconds: false, ..context(Protocol::Ucci, Color::Black) };
    let mut times = Vec::new();
    for line in lines(UCCI, "<") {
        match Command::parse(line, &context).unwrap().unwrap() {
            Command::SetOption { name, value } => {
                assert_eq!((name.as_str(), value.as_deref()), ("usemillisec", Some("true")));
                context.milliseconds = true;
            }
            Command::Position(setup) => {
                let variant = Variant::builtin("xiangqi").unwrap();
                let game = setup.game(&variant, Notation::Ucci).unwrap();
                context.to_move = game.side_to_move();
            }
            Command::Go(go) => times.push(go.clocks.unwrap()[1]),
            _ => {}
        }
    }
    let ms = Duration::from_millis;
    assert_eq!((times[0].remaining, times[0].increment), (ms(60_000), ms(1000)));
    let replies: Vec<Reply> =
        lines(UCCI, ">").map(|line| Reply::parse(line, Protocol::Ucci).unwrap().unwrap()).collect();
    assert!(matches!(&replies[1], Reply::Option(option) if option.name == "usemillisec"));
    assert!(matches!(&replies[4], Reply::BestMove(best) if best.offers_draw));
    assert!(matches!(&replies[5], Reply::BestMove(best) if best.action == Action::None));
    assert_eq!(replies[6], Reply::Bye);
}

#[test]
fn the_first_player_has_btime_in_usi_and_wtime_in_uci() {
    let seconds = |n| Clock { remaining: Duration::from_secs(n), ..Clock::default() };
    let clocks = Some([seconds(600), seconds(1)]);
    for color in Color::ALL {
        let told = Go { clocks, ..Go::default() };
        for (protocol, line) in [
            (Protocol::Usi, "go btime 600000 wtime 1000 byoyomi 0"),
            (Protocol::Uci, "go btime 1000 wtime 600000 binc 0 winc 0"),
        ] {
            let context = context(protocol, color);
            assert_eq!(Command::Go(told.clone()).write(&context), line);
            assert_eq!(go(line, &context), told);
        }
        let context = context(Protocol::Ucci, color);
        let own = ["time 600000", "time 1000"][color.index()];
        let line = Command::Go(told.clone()).write(&context);
        assert!(line.contains(&format!("go {own} increment 0")), "{line}");
        assert_eq!(go(&line, &context), told);
    }
}

#[test]
fn byoyomi_is_the_movers_own() {
    let byoyomi = |ms| Clock { byoyomi: Duration::from_millis(ms), ..Clock::default() };
    let told = Command::Go(Go { clocks: Some([byoyomi(500), byoyomi(900)]), ..Go::default() });
    let line = |protocol, color| told.write(&context(protocol, color));
    assert_eq!(line(Protocol::Usi, Color::Black), "go btime 0 wtime 0 byoyomi 500");
    assert_eq!(line(Protocol::Usi, Color::White), "go btime 0 wtime 0 byoyomi 900");
    assert_eq!(line(Protocol::Uci, Color::Black), "go btime 900 wtime 500 binc 900 winc 500");
    let ucci = line(Protocol::Ucci, Color::White);
    assert_eq!(ucci, "go time 900 increment 900 opptime 500 oppincrement 500");
}

#[test]
fn odd_limits_are_read() {
    let usi = context(Protocol::Usi, Color::Black);
    let late = go("go btime -12 wtime 0 byoyomi 0", &usi).clocks.unwrap()[0];
    assert_eq!(late, Clock::default());
    assert_eq!(go("go", &usi), Go::default());
    assert_eq!(go("go mate infinite", &usi).mate, Some(MateLimit::Infinite));
    let uci = context(Protocol::Uci, Color::Black);
    assert_eq!(go("go mate 3", &uci).mate, Some(MateLimit::Moves(3)));
    assert_eq!(go("go rtime 5 nodes 7", &usi).nodes, Some(7));
    assert_eq!(go("go searchmoves P*5e 7g7f", &usi).search_moves, ["P*5e", "7g7f"]);
    let ucci = Context { milliseconds: false, ..context(Protocol::Ucci, Color::Black) };
    let limits = go("go draw time 5 movestogo 1", &ucci);
    assert!(limits.draw_offer);
    assert_eq!(limits.clocks.unwrap()[0].remaining, Duration::from_secs(5));
    assert!(go("go depth infinite", &ucci).infinite);
    let fixed = Go { move_time: Some(Duration::from_secs(2)), ..Go::default() };
    assert_eq!(Command::Go(fixed).write(&ucci), "go time 2 movestogo 1");
    for line in ["go btime", "go btime x", "go nodes 1e9", "go depth 99999999999"] {
        let error = Command::parse(line, &usi).unwrap_err();
        assert!(error.to_string().contains(line) && error.reason.contains("number"), "{error}");
    }
    let hit = Command::parse("ponderhit btime 1000 wtime 2000 byoyomi 50", &usi).unwrap();
    let Some(Command::PonderHit(go)) = hit else { panic!("{hit:?}") };
    assert_eq!(go.clocks.unwrap()[0].byoyomi, Duration::from_millis(50));
}

#[test]
fn every_line_of_a_race_between_stop_and_bestmove_is_read() {
    let usi = context(Protocol::Usi, Color::White);
    let commands = lines(RACE, "<").map(|line| Command::parse(line, &usi).unwrap().unwrap());
    let pondering: Vec<bool> = commands
        .filter_map(|c| if let Command::Go(go) = c { Some(go.ponder) } else { None })
        .collect();
    assert_eq!(pondering, [true, false]);
    assert_eq!(lines(RACE, ">").map(action).count(), 2);
}

#[test]
fn positions_are_read_with_and_without_their_keywords() {
    let shogi = Variant::builtin("shogi").unwrap();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for line in [
        "position startpos moves 7g7f 3c3d".to_owned(),
        format!("position sfen {sfen} moves 7g7f 3c3d"),
        format!("position {sfen} moves 7g7f 3c3d"),
        format!("sfen {sfen} moves 7g7f 3c3d"),
        "startpos moves 7g7f 3c3d".to_owned(),
    ] {
        let command = Command::parse(&line, &context(Protocol::Usi, Color::Black)).unwrap();
        let Some(Command::Position(setup)) = command else { panic!("{line}") };
        let game = setup.game(&shogi, Notation::Usi).unwrap();
        assert_eq!(game.ply(), 2, "{line}");
        let written = Setup::of(&game, Notation::Usi);
        assert_eq!(written.position.as_deref(), Some(sfen));
        assert_eq!(written.moves, ["7g7f", "3c3d"]);
    }
    for (line, reason) in [
        ("position", "must follow"),
        ("position moves 7g7f", "must follow"),
        ("xboard", "unknown command"),
        ("gameover won", "win, lose or draw"),
        ("setoption name", "name of an option"),
    ] {
        let error = Command::parse(line, &context(Protocol::Usi, Color::Black)).unwrap_err();
        assert!(error.reason.contains(reason), "{error}");
    }
    let setup = |moves: &str| {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Setup { position: None, moves }.game(&shogi, Notation::Usi).unwrap_err().to_string()
    };
    assert!(setup("7g7f 7g7f").starts_with("move 2: `7g7f`: "), "{}", setup("7g7f 7g7f"));
    assert!(setup("7g7f xyz").starts_with("move 2: `xyz` is no move"));
}

#[test]
fn ucci_counts_ten_ranks_from_0_and_others_from_1() {
    for (id, notation) in [("xiangqi", Notation::Ucci), ("minixiangqi", Notation::Uci)] {
        let variant = Variant::builtin(id).unwrap();
        assert_eq!(Protocol::Ucci.notation(&variant), notation);
        assert_eq!(Protocol::Uci.notation(&variant), Notation::Uci);
        assert_eq!(Protocol::Usi.notation(&variant), Notation::Usi);
    }
}

#[test]
fn drops_may_be_written_small_by_the_second_player() {
    let shogi = Variant::builtin("shogi").unwrap();
    let position = rules::Position::parse(&shogi, "4k4/9/9/9/9/9/9/9/4K4 w Pp 1").unwrap();
    let game = Game::from_position(shogi, position);
    let drop = read_move(Notation::Usi, &game, "P*5e").unwrap();
    assert_eq!(read_move(Notation::Usi, &game, "p*5e"), Ok(drop));
    assert!(read_move(Notation::Usi, &game, "q*5e").is_err());
}

#[test]
fn searches_for_mates_answer_in_four_ways() {
    for (line, expected) in [
        ("checkmate nomate", Checkmate::NoMate),
        ("checkmate timeout", Checkmate::Timeout),
        ("checkmate notimplemented", Checkmate::NotImplemented),
        ("checkmate G*5b 5a4a", Checkmate::Moves(vec!["G*5b".to_owned(), "5a4a".to_owned()])),
    ] {
        let reply = Reply::parse(line, Protocol::Usi).unwrap().unwrap();
        assert_eq!(reply, Reply::Checkmate(expected));
        assert_eq!(reply.write(Protocol::Usi), line);
    }
}
