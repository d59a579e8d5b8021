use protocol::Protocol;

use super::*;

/// A program that reads nothing does not hold us up for ever.
#[test]
fn a_deaf_program_is_not_waited_for() {
    let mut spec = EngineSpec::new("sleep", Protocol::Usi);
    spec.args = vec!["1000".to_owned()];
    spec.start_limit = Duration::from_millis(100);
    let mut process = Process::start(&spec).unwrap();
    let line = "x".repeat(10_000);
    let refused = (0..1000).find_map(|_| process.send(&line).err());
    assert!(matches!(refused, Some(Event::Late)), "{refused:?}");
}

/// The first line of a program in another directory.
fn first_line(command: &str) -> String {
    let mut spec = EngineSpec::new(command, Protocol::Usi);
    spec.directory = Some("/usr".into());
    let mut process = Process::start(&spec).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    match process.receive(deadline, &AtomicBool::new(false)) {
        Event::Line(line, _) => line,
        event => panic!("{event:?}"),
    }
}

#[test]
fn a_program_is_found_from_where_we_are_and_runs_where_it_is_told() {
    let depth = std::env::current_dir().unwrap().components().count();
    assert_eq!(first_line(&format!("{}bin/pwd", "../".repeat(depth))), "/usr");
    assert_eq!(first_line("pwd"), "/usr");
}

#[test]
fn a_program_that_does_not_exist_is_hopeless() {
    let refused = Process::start(&EngineSpec::new("no-such-program-here", Protocol::Usi));
    let Err(Unstarted { reason, hopeless: true }) = refused else { panic!("{refused:?}") };
    assert!(reason.starts_with("cannot start no-such-program-here: "), "{reason}");
}
