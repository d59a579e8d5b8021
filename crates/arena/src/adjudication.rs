//! When the referee ends a game that the rules have not ended.

use rules::{Color, Outcome, Termination};

use crate::referee::Remark;

/// What is adjudicated. The default is nothing: games are played to the end that the rules give them.
///
/// The greatest length of a game, impasse and declaration belong to the rules, see
/// [`Variant::with_max_plies`](rules::Variant::with_max_plies) and its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Adjudication {
    /// Ends games that are lost by the scores.
    pub resign: Option<ResignRule>,
    /// Ends games that are drawn by the scores.
    pub draw: Option<DrawRule>,
    /// Ends a game when the search of a player of ours has proven the result.
    pub proven: bool,
    /// How many times in a row a draw by plain repetition is played again, with colours exchanged and
    /// clocks kept; 0: it counts. The game that counts takes the place of the first one, so a pair
    /// remains two results from one opening, each for the player and not for the colour.
    pub max_replays: u32,
}

/// Ends a game when a player's score has been low for some moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResignRule {
    /// At most minus so many centipawns ([`Score::centipawns`](crate::Score::centipawns)).
    pub centipawns: f64,
    /// In so many moves of the player in a row; at least 1.
    pub moves: usize,
    /// The opponent must have said at least so many centipawns in as many moves.
    pub two_sided: bool,
}

/// Ends a game when both players' scores have been near zero for some moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawRule {
    /// At most so many centipawns from zero.
    pub centipawns: f64,
    /// In so many moves of each player in a row; at least 1.
    pub moves: usize,
    /// Not before so many plies of the game, the opening among them.
    pub after_plies: usize,
}

impl Adjudication {
    /// The end by the scores of the moves so far (one remark a ply, the last one by the opponent of
    /// `side_to_move`), with the figures that it goes by.
    pub(crate) fn of_scores(
        &self,
        remarks: &[Remark],
        plies: usize,
        side_to_move: Color,
    ) -> Option<(Outcome, String)> {
        let termination = Termination::Adjudication;
        if let Some(rule) = self.resign
            && let Some(loser) = rule.loser(remarks, side_to_move)
        {
            let ResignRule { centipawns, moves, .. } = rule;
            let reason =
                format!("{loser} player at -{centipawns} centipawns or less in {moves} moves");
            return Some((Outcome { winner: Some(!loser), termination }, reason));
        }
        let rule = self.draw.filter(|rule| rule.holds(remarks, plies))?;
        let DrawRule { centipawns, moves, .. } = rule;
        let reason = format!("within {centipawns} centipawns of 0 in {moves} moves of both");
        Some((Outcome { winner: None, termination }, reason))
    }
}

/// The scores of the last moves of the player who moved last (`back` 0) or the other (`back` 1), latest
/// first.
fn scores(remarks: &[Remark], back: usize) -> impl Iterator<Item = Option<f64>> {
    let every_other = remarks.iter().rev().skip(back).step_by(2);
    every_other.map(|remark| remark.score.map(crate::score::Score::centipawns))
}

/// Whether there are `moves` last scores, and all fulfil the condition.
fn all(remarks: &[Remark], back: usize, moves: usize, holds: impl Fn(f64) -> bool) -> bool {
    let mut count = 0;
    scores(remarks, back).take(moves).inspect(|_| count += 1).all(|score| score.is_some_and(&holds))
        && count == moves
}

impl ResignRule {
    fn loser(&self, remarks: &[Remark], side_to_move: Color) -> Option<Color> {
        // The one who moved last, then the one to move.
        [(!side_to_move, 0, 1), (side_to_move, 1, 0)].into_iter().find_map(|(side, own, other)| {
            let low = all(remarks, own, self.moves, |score| score <= -self.centipawns);
            let agreed = || all(remarks, other, self.moves, |score| score >= self.centipawns);
            (low && (!self.two_sided || agreed())).then_some(side)
        })
    }
}

impl DrawRule {
    fn holds(&self, remarks: &[Remark], plies: usize) -> bool {
        let near = |score: f64| score.abs() <= self.centipawns;
        plies >= self.after_plies && (0..2).all(|back| all(remarks, back, self.moves, near))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    /// Remarks with these centipawns, each from its mover's side; `None`: nothing said.
    fn remarks(scores: &[Option<i32>]) -> Vec<Remark> {
        let remark = |score: &Option<i32>| Remark {
            score: score.map(Score::Centipawns),
            ..Remark::default()
        };
        scores.iter().map(remark).collect()
    }

    fn resign(moves: usize, two_sided: bool) -> Adjudication {
        let resign = Some(ResignRule { centipawns: 500.0, moves, two_sided });
        Adjudication { resign, ..Adjudication::default() }
    }

    fn winner(rules: Adjudication, scores: &[Option<i32>]) -> Option<Option<Color>> {
        // Black moved first, so White is to move after an odd number of moves.
        let side = if scores.len() % 2 == 1 { Color::White } else { Color::Black };
        rules.of_scores(&remarks(scores), scores.len(), side).map(|(outcome, _)| outcome.winner)
    }

    #[test]
    fn one_sided_resignation_needs_its_moves_in_a_row() {
        let low = [Some(-600), Some(0), Some(-500)];
        assert_eq!(winner(resign(2, false), &low), Some(Some(Color::White)));
        assert_eq!(winner(resign(3, false), &low), None);
        assert_eq!(winner(resign(2, false), &[Some(-600), Some(0), Some(-499)]), None);
        assert_eq!(winner(resign(1, false), &[Some(-600), None]), Some(Some(Color::White)));
        assert_eq!(winner(resign(2, false), &[Some(-600), Some(0), None]), None);
    }

    #[test]
    fn two_sided_resignation_needs_the_opponent() {
        let rules = resign(1, true);
        assert_eq!(winner(rules, &[Some(-600)]), None);
        assert_eq!(winner(rules, &[Some(-600), Some(100)]), None);
        assert_eq!(winner(rules, &[Some(-600), Some(500)]), Some(Some(Color::White)));
        assert_eq!(winner(rules, &[Some(600), Some(-500)]), Some(Some(Color::Black)));
    }

    #[test]
    fn draws_need_both_players_and_their_ply() {
        let rule = DrawRule { centipawns: 10.0, moves: 2, after_plies: 6 };
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        let near = [Some(0), Some(10), Some(-10), Some(3)];
        assert_eq!(winner(rules, &near), None, "before its ply");
        let later = [&[Some(900), Some(-900)][..], &near[..]].concat();
        assert_eq!(winner(rules, &later), Some(None));
        let off = [&later[..5], &[Some(11)]].concat();
        assert_eq!(winner(rules, &off), None);
    }
}
