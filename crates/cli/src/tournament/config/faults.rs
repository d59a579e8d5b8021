//! What is wrong with the values of a configuration.

use std::time::Duration;

use super::{FormatName, PlayerEntry, TournamentConfig};
use crate::config::{DURATION, Layered, duration};
use crate::players::PlayerName;

impl Layered for TournamentConfig {
    const LIST: Option<&'static str> = Some("player");
    const FILES: &'static [&'static str] = &["variant", "openings.file"];

    fn faults(&self) -> Vec<(String, String)> {
        let (sprt, openings, rules) = (&self.sprt, &self.openings, &self.rules);
        let share = |p: f64| p > 0.0 && p < 0.5;
        let finite = |x: f64| (0.0..=1e6).contains(&x);
        let swiss = self.format == FormatName::Swiss;
        let games = self.games.is_multiple_of(2) && (self.games > 0 || sprt.is_on());
        let plies = openings.min_plies <= openings.max_plies && openings.max_plies <= 1000;
        let count = [0].into_iter().chain(2..=100).collect::<Vec<_>>();
        let checks = [
            ("games", games, "must be an even number, 2 or more; 0 only with [sprt]"),
            ("seeds", self.seeds >= 1, "must be 1 or more"),
            ("reach", self.reach >= 1, "must be 1 or more"),
            ("rounds", (1..=10_000).contains(&self.rounds), "must be from 1 to 10000"),
            ("openings.max_plies", plies, "must be from openings.min_plies to 1000"),
            ("openings.count", openings.count <= 1_000_000, "must be at most 1000000"),
            (
                "rules.repetition_count",
                count.contains(&rules.repetition_count),
                "must be from 2 to 100, or 0",
            ),
            (
                "adjudication.resign_centipawns",
                finite(self.adjudication.resign_centipawns),
                "must be from 0 to 1000000",
            ),
            ("adjudication.resign_moves", self.adjudication.resign_moves >= 1, "must be 1 or more"),
            (
                "adjudication.draw_centipawns",
                finite(self.adjudication.draw_centipawns),
                "must be from 0 to 1000000",
            ),
            ("adjudication.draw_moves", self.adjudication.draw_moves >= 1, "must be 1 or more"),
            ("sprt", !(sprt.is_on() && swiss), "ends no Swiss tournament"),
            ("sprt.elo1", sprt.elo0 <= sprt.elo1, "must be above sprt.elo0"),
            (
                "sprt.model",
                ["normalized", "logistic"].contains(&sprt.model.as_str()),
                "must be normalized or logistic",
            ),
            ("sprt.alpha", share(sprt.alpha), "must be above 0 and below 0.5"),
            ("sprt.beta", share(sprt.beta), "must be above 0 and below 0.5"),
            (
                "execution.games_in_flight",
                (1..=4096).contains(&self.execution.games_in_flight),
                "must be from 1 to 4096",
            ),
        ];
        let wrong = checks.into_iter().filter(|(_, holds, _)| !holds);
        let mut faults: Vec<_> =
            wrong.map(|(key, _, problem)| (key.to_owned(), problem.to_owned())).collect();
        let of_defaults = self.defaults.value_faults();
        faults.extend(of_defaults.into_iter().map(|(key, p)| (format!("defaults.{key}"), p)));
        faults
    }
}

impl Layered for PlayerEntry {
    const FREE: Option<&'static str> = Some("options");

    fn faults(&self) -> Vec<(String, String)> {
        let mut faults = self.value_faults();
        let problem = match self.player.parse::<PlayerName>() {
            _ if self.player.is_empty() => Some("is missing: what plays".to_owned()),
            Ok(_) => None,
            Err(problem) => Some(format!("names nobody: {problem}")),
        };
        faults.extend(problem.map(|problem| ("player".to_owned(), problem)));
        faults
    }
}

impl PlayerEntry {
    fn value_faults(&self) -> Vec<(String, String)> {
        let mut faults = Vec::new();
        let mut check = |key: &str, holds: bool, problem: &str| {
            if !holds {
                faults.push((key.to_owned(), problem.to_owned()));
            }
        };
        for (key, text) in [
            ("main", &self.main),
            ("byoyomi", &self.byoyomi),
            ("increment", &self.increment),
            ("move_time", &self.move_time),
            ("margin", &self.margin),
            ("start_limit", &self.start_limit),
            ("stall_limit", &self.stall_limit),
        ] {
            check(key, duration(text).is_some(), &format!("must be {DURATION}"));
        }
        let zero = |text: &String| duration(text).is_none_or(|time| time == Duration::ZERO);
        let clock = [&self.main, &self.byoyomi, &self.increment];
        let clock = clock.into_iter().any(|text| !zero(text));
        let both = clock && !zero(&self.move_time);
        check("move_time", !both, "takes the place of main, byoyomi and increment");
        let first = !clock || !zero(&self.main) || !zero(&self.byoyomi);
        check("increment", first, "needs a main time or byoyomi for the first move");
        check("leaf_mate", [0, 1, 3].contains(&self.leaf_mate), "must be 0, 1 or 3");
        check("considered", self.considered >= 1, "must be 1 or more");
        check("c_puct", (0.0..=1e3).contains(&self.c_puct), "must be from 0 to 1000");
        let notations = ["", "usi", "uci", "ucci"];
        check("notation", notations.contains(&self.notation.as_str()), "must be usi, uci or ucci");
        faults
    }
}
