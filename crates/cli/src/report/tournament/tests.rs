use rules::Variant;
use serde_json::Value;

use super::*;
use crate::standings::tests::cup;

fn data(html: &str) -> Value {
    let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

#[test]
fn the_page_of_a_cup() {
    let (players, games) = cup();
    let variant = Variant::builtin("micro").unwrap();
    let test = Sprt {
        model: arena::stats::EloModel::Logistic,
        elo0: 0.0,
        elo1: 100.0,
        alpha: 0.05,
        beta: 0.05,
    };
    let tournament = Tournament {
        name: "</script><b>cup",
        variant: &variant,
        players: &players,
        games: &games,
        test: Some(test),
        anchor: Anchor::Mean,
        format: "round-robin",
        seed: 7,
        planned: Some(120),
    };
    let page = build(&tournament, None, 4).unwrap();
    assert!(!page.html.contains("</script><b>"));
    let data = data(&page.html);
    assert_eq!((&data["name"], &data["counted"]), (&"</script><b>cup".into(), &120.into()));
    assert_eq!(data["standings"][1]["name"], "<b>beta");
    assert_eq!(data["meetings"].as_array().unwrap().len(), 3);
    let meeting = &data["meetings"][0];
    assert_eq!(
        (&meeting["a"], &meeting["b"], &meeting["wins"]),
        (&0.into(), &1.into(), &28.into())
    );
    let path = meeting["path"].as_array().unwrap();
    assert_eq!((path.len(), &path[20][0], &path[20][1]), (21, &20.into(), &meeting["llr"]));
    let ended: u64 =
        data["endings"].as_array().unwrap().iter().map(|e| e["games"].as_u64().unwrap()).sum();
    assert_eq!(ended, 120);
    let counts = |place: usize, colour: usize| {
        let counts = data["colours"]["players"][place][colour].as_array().unwrap();
        counts.iter().map(|count| count.as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((counts(0, 0), counts(0, 1), counts(2, 0)), (40, 40, 40));
    assert_eq!(data["openings"].as_array().unwrap().len(), 3);
    assert_eq!(page.games.len(), 12);
    for (game, summary) in data["games"].as_array().unwrap().iter().zip(&page.games) {
        assert_eq!(game["plies"].as_array().unwrap().len() + 1, summary.fens.len());
        assert!(game["plies"][0]["said"].is_null() && game["plies"][1]["said"].is_object());
    }
}

#[test]
fn a_tournament_that_has_just_begun_has_a_page() {
    let variant = Variant::builtin("micro").unwrap();
    let players = ["a".to_owned(), "b".to_owned()];
    let tournament = Tournament {
        name: "empty",
        variant: &variant,
        players: &players,
        games: &[],
        test: None,
        anchor: Anchor::Mean,
        format: "swiss",
        seed: 1,
        planned: None,
    };
    let page = build(&tournament, Some(Lang::Ja), 5).unwrap();
    let data = data(&page.html);
    assert!(page.games.is_empty() && data["colours"]["first"].is_null());
    assert_eq!(data["standings"].as_array().unwrap().len(), 2);
}
