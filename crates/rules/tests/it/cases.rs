//! Situations with a known verdict, row by row: `data/cases/rules.csv`.
//!
//! A row gives a variant (with `rules` changed, as TOML), a position, moves played from it (`times`
//! over), a question and the expected answer.

use std::sync::Arc;

use rules::{Color, Game, Outcome, Position, Variant, move_to_uci, perft};

const ROWS: &str = include_str!("../../../../data/cases/rules.csv");

/// The answer, and whether it is the expected one.
type Answer = Result<String, String>;

struct Row<'a> {
    record: &'a csv::StringRecord,
}

impl<'a> Row<'a> {
    fn id(&self) -> &'a str {
        &self.record[0]
    }

    fn question(&self) -> &'a str {
        &self.record[6]
    }

    fn expected(&self) -> &'a str {
        &self.record[7]
    }

    fn variant(&self) -> Result<Arc<Variant>, String> {
        let (id, rules) = (&self.record[1], &self.record[2]);
        if rules.is_empty() {
            return Variant::builtin(id).ok_or_else(|| format!("no variant {id}"));
        }
        let text = format!("extends = \"{id}\"\nid = \"changed\"\n{rules}\n");
        let loader = |id: &str| Variant::builtin_text(id).map(str::to_owned);
        Variant::parse(&text, &loader).map(Arc::new).map_err(|error| error.to_string())
    }

    /// The game after the moves.
    fn game(&self, variant: &Arc<Variant>) -> Result<Game, String> {
        let (position, moves, times) = (&self.record[3], &self.record[4], &self.record[5]);
        let mut game = match position {
            "startpos" => Game::new(variant.clone()),
            text => {
                let position = Position::parse(variant, text).map_err(|error| error.to_string())?;
                Game::from_position(variant.clone(), position)
            }
        };
        let times = if times.is_empty() { 1 } else { times.parse().unwrap() };
        for text in std::iter::repeat_n(moves.split_whitespace(), times).flatten() {
            try_text(&mut game, text).map_err(|why| format!("ply {}: {why}", game.ply() + 1))?;
        }
        Ok(game)
    }

    /// `Err` with what was found if that is not as expected.
    fn check(&self) -> Answer {
        let variant = self.variant()?;
        let game = match (self.game(&variant), self.question()) {
            (Err(why), "refused") if why.contains(self.expected()) => return Ok(why),
            (Ok(_), "refused") => return Err("accepted".to_owned()),
            (game, _) => game?,
        };
        let found = self.answer(game)?;
        if found == sorted(self.question(), self.expected()) { Ok(found) } else { Err(found) }
    }

    fn answer(&self, mut game: Game) -> Answer {
        let mut moves = Vec::new();
        let outcome = game.status(&mut moves);
        let variant = game.variant().clone();
        let mut names: Vec<_> = moves.iter().map(|&mv| move_to_uci(&variant, mv)).collect();
        names.sort();
        let words = || self.expected().split_whitespace();
        Ok(match self.question() {
            "count" => moves.len().to_string(),
            "only" => names.join(" "),
            "from" => {
                names.retain(|name| name[..2] == self.expected()[..2]);
                names.join(" ")
            }
            "legal" => {
                for text in words() {
                    try_text(&mut game.clone(), text)?;
                }
                self.expected().to_owned()
            }
            "illegal" => {
                let text = words().next().unwrap();
                match try_text(&mut game, text) {
                    Err(why) => why,
                    Ok(()) => "legal".to_owned(),
                }
            }
            "outcome" => outcome_text(outcome),
            "declare" => outcome_text(game.declare()),
            "becomes" => game.position().to_fen(&variant),
            "perft" => {
                let counts = (1..).take(words().count()).map(|depth| perft(&game, depth));
                counts.map(|nodes| nodes.to_string()).collect::<Vec<_>>().join(" ")
            }
            other => return Err(format!("there is no question `{other}`")),
        })
    }
}

/// A list of moves has no order.
fn sorted(question: &str, expected: &str) -> String {
    let mut words: Vec<&str> = expected.split_whitespace().collect();
    if matches!(question, "only" | "from") {
        words.sort_unstable();
    }
    words.join(" ")
}

/// Plays a move; the error is the move and the reason.
fn try_text(game: &mut Game, text: &str) -> Result<(), String> {
    let mv = game.parse_move(text).map_err(|error| error.to_string())?;
    game.try_play(mv).map_err(|why| format!("{text} {why}"))
}

fn outcome_text(outcome: Option<Outcome>) -> String {
    let Some(outcome) = outcome else { return "none".to_owned() };
    let winner = match outcome.winner {
        None => "draw",
        Some(Color::Black) => "first",
        Some(Color::White) => "second",
    };
    format!("{winner} {}", outcome.termination)
}

#[test]
fn verdicts_are_as_listed() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for record in csv::Reader::from_reader(ROWS.as_bytes()).records() {
        let record = record.unwrap();
        let row = Row { record: &record };
        checked += 1;
        if let Err(found) = row.check() {
            let line = record.position().unwrap().line();
            let (id, question, expected) = (row.id(), row.question(), row.expected());
            wrong.push(format!("line {line}, {id}, {question}: `{found}`, not `{expected}`"));
        }
    }
    assert!(checked >= 90, "{checked} rows");
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
