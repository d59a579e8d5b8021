use super::*;

fn sprt(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
    Sprt { model, elo0, elo1, alpha: 0.05, beta: 0.05 }
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

#[test]
fn pairs_from_unbalanced_openings_tell_more_than_their_games() {
    let test = sprt(EloModel::Logistic, 0.0, 5.0);
    let pairs = test.of_pairs(&Pentanomial([30, 150, 620, 170, 30])).unwrap();
    let games = test.of_games(&Trinomial { losses: 730, draws: 520, wins: 750 }).unwrap();
    close(pairs.llr, 0.288, 5e-4);
    close(games.llr, 0.109, 5e-4);
    assert_eq!(pairs.decision, Decision::Undecided);
}

#[test]
fn odd_counts_give_finite_ratios() {
    let test = sprt(EloModel::Normalized, 0.0, 2.0);
    let llr = |counts| test.of_pairs(&Pentanomial(counts)).unwrap();
    close(llr([0, 0, 0, 1, 0]).llr, 0.0057, 1e-4);
    close(llr([0, 0, 0, 0, 10]).llr, 0.081, 1e-3);
    close(llr([0, 0, 10, 0, 0]).llr, -0.00035, 1e-5);
    assert_eq!(llr([0; 5]).llr, 0.0);
    let accepted = llr([379, 10170, 21828, 10640, 343]);
    assert!((2.9455..2.9460).contains(&(accepted.llr + 1e-5)), "{}", accepted.llr);
    assert_eq!(accepted.decision, Decision::Accepted);
    let far = sprt(EloModel::Normalized, -1500.0, -500.0);
    let result = far.of_pairs(&Pentanomial([20, 0, 0, 0, 0]));
    assert!(result.is_ok_and(|result| result.llr.is_finite()));
}

#[test]
fn settings_out_of_range_are_refused() {
    let games = Trinomial { wins: 1, draws: 1, losses: 1 };
    let refused = |test: Sprt| test.of_games(&games).unwrap_err();
    let test = sprt(EloModel::Logistic, 5.0, 0.0);
    assert_eq!(refused(test), SprtError::Hypotheses { elo0: 5.0, elo1: 0.0 });
    assert!(matches!(refused(Sprt { elo0: f64::NAN, ..test }), SprtError::Hypotheses { .. }));
    let test = sprt(EloModel::Logistic, 0.0, 5.0);
    for (alpha, beta) in [(0.0, 0.05), (0.05, 0.0), (0.5, 0.5), (f64::NAN, 0.1)] {
        assert!(matches!(refused(Sprt { alpha, beta, ..test }), SprtError::Errors { .. }));
    }
    let bayes = sprt(EloModel::BayesElo, 0.0, 5.0);
    assert_eq!(bayes.of_pairs(&Pentanomial([1; 5])), Err(SprtError::BayesEloOfPairs));
    assert!(bayes.of_games(&games).is_ok());
}

#[test]
fn exchanging_the_players_mirrors_the_ratio() {
    let (there, back) = ([3, 18, 55, 30, 6], [6, 30, 55, 18, 3]);
    for model in [EloModel::Logistic, EloModel::Normalized] {
        let a = sprt(model, 1.0, 9.0).of_pairs(&Pentanomial(there)).unwrap();
        let b = sprt(model, -9.0, -1.0).of_pairs(&Pentanomial(back)).unwrap();
        close(a.llr, -b.llr, 1e-9);
    }
}

/// One-sided results decide for every usual hypothesis, for the winner as against the loser.
#[test]
fn one_sided_results_decide() {
    for model in [EloModel::Logistic, EloModel::Normalized] {
        for elo1 in [5.0, 100.0] {
            let lost = sprt(model, 0.0, elo1).of_pairs(&Pentanomial([2000, 0, 0, 0, 0])).unwrap();
            assert_eq!(lost.decision, Decision::Rejected, "{model} {elo1}: {lost:?}");
            let won = sprt(model, -elo1, 0.0).of_pairs(&Pentanomial([0, 0, 0, 0, 2000])).unwrap();
            close(won.llr, -lost.llr, 1e-3);
        }
    }
}

#[test]
fn any_counts_and_hypotheses_end_in_a_finite_ratio_or_a_refusal() {
    let numbers = [0, 1, 3, 1000, u64::MAX / 8];
    for code in 0..numbers.len().pow(5) {
        let counts = std::array::from_fn(|k| numbers[code / numbers.len().pow(k as u32) % 5]);
        for (elo0, elo1) in [(0.0, 5.0), (-700.0, 700.0), (300.0, 301.0)] {
            for model in [EloModel::Logistic, EloModel::Normalized] {
                match sprt(model, elo0, elo1).of_pairs(&Pentanomial(counts)) {
                    Ok(result) => assert!(result.llr.is_finite(), "{counts:?}"),
                    Err(error) => {
                        assert!(matches!(error, SprtError::Unreachable { .. }), "{error}")
                    }
                }
            }
        }
    }
}
