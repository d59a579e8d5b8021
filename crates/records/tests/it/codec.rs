use records::{COLUMNS, GameRecord, decode, encode};

use crate::{game, games};

#[test]
fn records_survive_the_file_and_equal_records_give_equal_bytes() {
    let games = games(0..40);
    let bytes = encode(&games).unwrap();
    assert_eq!(bytes, encode(&games).unwrap());
    assert_eq!(decode(bytes).unwrap(), games);
}

#[test]
fn no_games_and_more_than_a_row_group_are_files_too() {
    assert_eq!(decode(encode(&[]).unwrap()).unwrap(), []);
    let many = games(0..1500);
    assert_eq!(decode(encode(&many).unwrap()).unwrap(), many);
}

/// The column and ply named for a record spoiled by `spoil`.
fn refused(spoil: impl Fn(&mut GameRecord)) -> (Option<&'static str>, Option<usize>) {
    let mut bad = (0..).map(game).find(|g| g.plies.len() > 3 && g.plies[2].policy_moves.len() > 1);
    let bad = bad.as_mut().unwrap();
    spoil(bad);
    let fault = encode(&[game(0), bad.clone()]).unwrap_err();
    assert_eq!(fault.row, Some(1));
    (fault.column, fault.ply)
}

#[test]
fn every_fault_is_named_by_row_column_and_ply() {
    assert_eq!(refused(|g| g.outcome = "white".into()), (Some("outcome"), None));
    assert_eq!(refused(|g| g.termination = "boredom".into()), (Some("termination"), None));
    assert_eq!(refused(|g| g.start_moves.push(u32::MAX)), (Some("start_moves"), None));
    assert_eq!(refused(|g| g.start = "x".repeat(5000)), (Some("start"), None));
    assert_eq!(refused(|g| g.plies[2].mv = 1 << 21), (Some("move"), Some(2)));
    assert_eq!(refused(|g| g.plies[1].root_wdl[0] = f32::NAN), (Some("root_wdl"), Some(1)));
    assert_eq!(refused(|g| g.plies[1].net_wdl = [0.5; 3]), (Some("net_wdl"), Some(1)));
    assert_eq!(refused(|g| g.plies[1].proven = Some((2, 0))), (Some("proven_value"), Some(1)));
    let policy = |g: &mut GameRecord| g.plies[2].policy_target[0] = -0.1;
    assert_eq!(refused(policy), (Some("policy_target"), Some(2)));
    let short = |g: &mut GameRecord| g.plies[2].policy_target.truncate(1);
    assert_eq!(refused(short), (Some("policy_target"), Some(2)));
    let twice = |g: &mut GameRecord| g.plies[2].policy_moves[1] = g.plies[2].policy_moves[0];
    assert_eq!(refused(twice), (Some("policy_moves"), Some(2)));
    assert_eq!(refused(|g| g.plies[2].visits = vec![1]), (Some("visits"), Some(2)));
    let p = |g: &mut GameRecord| g.plies[0].played_probability = f32::INFINITY;
    assert_eq!(refused(p), (Some("played_probability"), Some(0)));
}

#[test]
fn columns_are_named_once() {
    let mut names = COLUMNS.to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), COLUMNS.len());
}

#[test]
fn games_out_of_order_or_doubled_are_refused() {
    for ids in [[5, 4], [4, 4]] {
        let fault = decode(encode(&ids.map(game)).unwrap()).unwrap_err();
        assert_eq!((fault.row, fault.column), (Some(1), Some("game_id")));
    }
}
