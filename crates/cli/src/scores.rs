//! Results of two players in the lines that fastchess prints, which people and scripts know.

use std::fmt::Write;

use arena::Estimate;
use arena::stats::{Decision, HeadToHead, Sprt, SprtResult};

/// `+40.7 [+10.6, +71.4]`: Elo with its 95 % interval; a bound where results are one-sided.
pub(crate) fn elo(estimate: &Estimate) -> String {
    match (estimate.elo, estimate.elo_low, estimate.elo_high) {
        (Some(elo), Some(low), Some(high)) => format!("{elo:+.1} [{low:+.1}, {high:+.1}]"),
        (None, Some(low), None) => format!("above {low:+.1}"),
        (None, None, Some(high)) => format!("below {high:+.1}"),
        _ => NOT_ENOUGH.to_owned(),
    }
}

/// Results without any spread.
const NOT_ENOUGH: &str = "not enough data";

/// Everything about two players, with a test if there is one.
pub(crate) fn block(results: &HeadToHead, test: Option<(&Sprt, &SprtResult)>) -> String {
    let mut lines = String::new();
    if let Some(estimate) = Estimate::of(results) {
        strength(&mut lines, results, &estimate);
    }
    if let Some((test, result)) = test {
        let _ = writeln!(lines, "{}", llr(test, result));
        let _ = writeln!(lines, "{}", verdict(result));
    }
    lines.truncate(lines.trim_end().len());
    lines
}

fn strength(lines: &mut String, results: &HeadToHead, estimate: &Estimate) {
    let half_width = match (estimate.elo, estimate.elo_low, estimate.elo_high) {
        (Some(elo), Some(low), Some(high)) => format!("{elo:.2} +/- {:.2}", (high - low) / 2.0),
        _ => elo(estimate),
    };
    let normalized = match (estimate.nelo, estimate.nelo_error) {
        (Some(nelo), Some(error)) => format!("{nelo:.2} +/- {error:.2}"),
        _ => NOT_ENOUGH.to_owned(),
    };
    let interval = match (estimate.elo_low, estimate.elo_high) {
        (Some(low), Some(high)) => format!(", Elo 95 %: [{low:.2}, {high:.2}]"),
        _ => String::new(),
    };
    let _ = writeln!(lines, "Elo: {half_width}, nElo: {normalized}{interval}");
    let ratio = results.draw_ratio().unwrap_or_default() * 100.0;
    let _ = write!(lines, "LOS: {:.2} %, DrawRatio: {ratio:.2} %", estimate.los * 100.0);
    let pairs = results.pairs.pairs();
    if pairs > 0 {
        let ratio = results.pairs_ratio().map_or("none lost".to_owned(), |r| format!("{r:.2}"));
        let _ = write!(lines, ", PairsRatio: {ratio}");
    }
    let games = results.games;
    let (count, points) = match games.games() {
        0 => (2 * pairs, 2.0 * pairs as f64 * estimate.score),
        count => (count, games.wins as f64 + games.draws as f64 / 2.0),
    };
    let _ = write!(lines, "\nGames: {count}, ");
    if games.games() > 0 {
        let (wins, losses, draws) = (games.wins, games.losses, games.draws);
        let _ = write!(lines, "Wins: {wins}, Losses: {losses}, Draws: {draws}, ");
    }
    let _ = writeln!(lines, "Points: {points:.1} ({:.2} %)", 100.0 * points / count as f64);
    if pairs > 0 {
        let _ = write!(lines, "Ptnml(0-2): {:?}", results.pairs.0);
        if let Some(split) = results.split_pairs.filter(|&split| split < results.pairs.0[2]) {
            let ratio = split as f64 / (results.pairs.0[2] - split) as f64;
            let _ = write!(lines, ", WL/DD Ratio: {ratio:.2}");
        }
        let _ = writeln!(lines);
    }
}

/// `LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00] normalized`.
pub(crate) fn llr(test: &Sprt, result: &SprtResult) -> String {
    let SprtResult { llr, lower, upper, .. } = *result;
    let share = 100.0 * llr / if llr < 0.0 { lower } else { upper };
    let (elo0, elo1, model) = (test.elo0, test.elo1, test.model);
    format!("LLR: {llr:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}] {model}")
}

fn verdict(result: &SprtResult) -> String {
    let told = match result.decision {
        Decision::Accepted => "H1 accepted",
        Decision::Rejected => "H0 accepted",
        Decision::Undecided => "undecided: more games are needed",
    };
    match result.adjusted {
        None => told.to_owned(),
        Some(a) => format!(
            "{told}; adjusted for the stopping: Elo {:.2} [{:.2}, {:.2}], LOS {:.2} %",
            a.elo,
            a.elo_low,
            a.elo_high,
            a.los * 100.0
        ),
    }
}

#[cfg(test)]
mod tests {
    use arena::stats::EloModel;
    use arena::{Pentanomial, Trinomial};

    use super::*;

    #[test]
    fn a_test_in_the_lines_of_fastchess() {
        let games = Trinomial { wins: 10_983 + 11_000, losses: 11_000, draws: 53_743 };
        let pairs = Pentanomial([379, 10170, 21828, 10640, 343]);
        let results = HeadToHead { games, pairs, split_pairs: Some(1828) };
        let test =
            Sprt { model: EloModel::Normalized, elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05 };
        let result = test.of(&results).unwrap();
        let text = block(&results, Some((&test, &result)));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("Elo: 1.59 +/- 1.59, nElo: ") || lines[0].starts_with("Elo: ")
        );
        assert!(lines[1].starts_with("LOS: 99."), "{text}");
        assert!(lines[1].ends_with("DrawRatio: 50.34 %, PairsRatio: 1.04"), "{text}");
        assert_eq!(lines[3], "Ptnml(0-2): [379, 10170, 21828, 10640, 343], WL/DD Ratio: 0.09");
        assert_eq!(lines[4], "LLR: 2.95 (100.0%) (-2.94, 2.94) [0.00, 2.00] normalized");
        assert!(
            lines[5].starts_with("H1 accepted; adjusted for the stopping: Elo 1.42 [0.15, 2.66]")
        );
    }

    #[test]
    fn one_sided_and_too_few_results() {
        let of = |counts| {
            let pairs = Pentanomial(counts);
            block(&HeadToHead { pairs, ..HeadToHead::default() }, None)
        };
        let won = of([0, 0, 0, 0, 10]);
        assert!(won.starts_with("Elo: above +166.2, nElo: not enough data\n"), "{won}");
        assert!(won.contains("PairsRatio: none lost"));
        assert!(of([10, 0, 0, 0, 0]).starts_with("Elo: below -166.2, nElo: not enough data\n"));
        for counts in [[0, 0, 0, 1, 0], [0, 0, 10, 0, 0]] {
            let text = of(counts);
            assert!(text.starts_with("Elo: not enough data, nElo: not enough data\n"), "{text}");
        }
        assert_eq!(of([0; 5]), "");
        let all = [won, of([10, 0, 0, 0, 0]), of([0, 0, 0, 1, 0])].concat().to_lowercase();
        assert!(!all.contains("inf") && !all.contains("nan") && !all.contains("+/- 0.00"));
    }
}
