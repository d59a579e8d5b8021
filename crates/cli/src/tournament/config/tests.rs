use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use arena::TimeControl;

use super::*;

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, text).unwrap();
    path
}

const TWO: &str = "[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"alphabeta-1\"\n";

#[test]
fn players_take_what_they_leave_out_from_the_defaults() {
    let dir = tempfile::tempdir().unwrap();
    let text = "games = 10\n[defaults]\nsimulations = 32\nmain = \"5s\"\n\
                [[player]]\nplayer = \"uniform-8\"\n\
                [[player]]\nplayer = \"runs/x@3\"\nname = \"three\"\nsimulations = 64\nroot = \"puct\"\n\
                [[player]]\nplayer = \"usi:/bin/engine\"\nmain = \"0s\"\nmove_time = \"100ms\"\n\
                [player.options]\nUSI_Hash = 64\n\"Skill Level\" = \"3\"\nPonder = false\n";
    let path = write(dir.path(), "t.toml", text);
    let config = TournamentConfig::load(&path, &["seed=7".to_owned()]).unwrap();
    assert_eq!((config.games, config.seed, config.player.len()), (10, 7, 3));
    let [a, b, c] = &config.player[..] else { panic!() };
    assert_eq!((a.simulations, b.simulations, c.simulations), (32, 64, 32));
    assert_eq!((a.shown(), b.shown()), ("uniform-8", "three"));
    assert_eq!(b.search().root, mcts::RootSelection::Puct);
    let ms = Duration::from_millis;
    assert!(matches!(a.limits().time, Some(TimeControl::Game { main, .. }) if main == ms(5000)));
    assert_eq!(c.limits().time, Some(TimeControl::Move(ms(100))));
    let options = [("Ponder", "false"), ("Skill Level", "3"), ("USI_Hash", "64")];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(c.options, options.into());
    // What a directory keeps is read back as the same.
    let kept = write(dir.path(), "kept.toml", &toml::to_string(&config).unwrap());
    assert_eq!(TournamentConfig::load(&kept, &[]).unwrap(), config);
}

#[test]
fn all_faults_at_once_with_lines() {
    let dir = tempfile::tempdir().unwrap();
    let text = "games = 7\nformat = \"knockout\"\nround = 3\n[defaults]\nmargin = \"soon\"\n\
                [[player]]\nplayer = \"randm\"\nsimulation = 8\n\
                [[player]]\nsimulations = \"x\"\n\
                [[player]]\nplayer = \"random\"\nmain = \"1s\"\nmove_time = \"1s\"\n";
    let path = write(dir.path(), "bad.toml", text);
    let errors = TournamentConfig::load(&path, &["seeds=0".to_owned()]).unwrap_err();
    let text = errors.to_string();
    for part in [
        "bad.toml:1: `games` must be an even number",
        "bad.toml:2: `format`",
        "bad.toml:3: unknown key `round`; did you mean `rounds`?",
        "bad.toml:5: `defaults.margin` must be a time",
        "bad.toml:7: `player` names nobody: unknown player `randm`",
        "bad.toml:8: unknown key `simulation`; did you mean `simulations`?",
        "bad.toml:10: `simulations` must be a value of type integer",
        "bad.toml:9: `player` is missing",
        "bad.toml:14: `move_time` takes the place of main",
        "--set seeds=0: `seeds` must be 1 or more",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert_eq!(errors.0.len(), 10, "{text}");
    let path = write(dir.path(), "list.toml", "player = \"random\"\n");
    let text = TournamentConfig::load(&path, &[]).unwrap_err().to_string();
    assert!(
        text.contains("list.toml:1: `player` must be tables, each headed [[player]]"),
        "{text}"
    );
}

#[test]
fn a_file_extends_another_and_replaces_its_players() {
    let dir = tempfile::tempdir().unwrap();
    let base = format!("games = 10\n[openings]\nfile = \"book.txt\"\n{TWO}");
    write(dir.path(), "base.toml", &base);
    let child = write(dir.path(), "child.toml", "extends = \"base\"\ngames = 4\n");
    let config = TournamentConfig::load(&child, &[]).unwrap();
    assert_eq!((config.games, config.player.len()), (4, 2));
    assert_eq!(PathBuf::from(config.openings.file), dir.path().join("book.txt"));
    let more = format!("extends = \"base\"\n{TWO}[[player]]\nplayer = \"blunder-9\"\n");
    let child = write(dir.path(), "more.toml", &more);
    assert_eq!(TournamentConfig::load(&child, &[]).unwrap().player.len(), 3);
}

#[test]
fn the_examples_are_configurations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/tournaments");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        TournamentConfig::load(&path, &[]).unwrap_or_else(|errors| panic!("{errors}"));
        count += 1;
    }
    assert!(count >= 4);
}
