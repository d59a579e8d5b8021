//! Whole searches of small trees, as text. `UPDATE_EXPECT=1` writes them anew.

use std::fmt::Write;

use expect_test::{Expect, expect};
use mcts::{RootSelection, SearchConfig};

use crate::toy::search;

/// Leaves in the order of evaluation, then a line a move.
fn check(text: &str, config: SearchConfig, expected: &Expect) {
    let (result, leaves) = search(text, config);
    let mut out = String::new();
    for path in leaves {
        let moves: Vec<String> = path.iter().map(usize::to_string).collect();
        write!(out, "[{}] ", moves.join(" ")).unwrap();
    }
    out.truncate(out.trim_end().len());
    writeln!(out, "\nbest {} of {} simulations", result.best, result.simulations).unwrap();
    for stat in &result.moves {
        writeln!(
            out,
            "{}: prior {:.2} visits {} value {:+.3} target {:.3}",
            stat.mv, stat.prior, stat.visits, stat.value, stat.target
        )
        .unwrap();
    }
    write!(out, "value {:+.3} proven {:?}", result.root_wdl.value(), result.proven).unwrap();
    expected.assert_eq(&out);
}

fn config(root: RootSelection, simulations: u32) -> SearchConfig {
    SearchConfig { simulations, root, gumbel_scale: 0.0, considered: 4, ..SearchConfig::default() }
}

const TREE: &str = "(0.1: 0.5*(0.2: 0.6*0.3 0.4*-0.5) 0.3*(-0.3: -0.4 0.1) 0.2*D)";

#[test]
fn gumbel_root() {
    check(
        TREE,
        config(RootSelection::Gumbel, 8),
        &expect![[r#"
        [] [0] [1] [1 0] [1 0 0]
        best 2 of 8 simulations
        0: prior 0.50 visits 1 value -0.200 target 0.011
        1: prior 0.30 visits 3 value -0.167 target 0.016
        2: prior 0.20 visits 4 value +0.000 target 0.973
        value -0.005 proven None"#]],
    );
}

#[test]
fn puct_root() {
    check(
        TREE,
        config(RootSelection::Puct, 8),
        &expect![[r#"
        [] [0] [1] [1 0] [0 0] [0 1] [0 1 0]
        best 0 of 8 simulations
        0: prior 0.50 visits 4 value -0.225 target 0.500
        1: prior 0.30 visits 2 value -0.050 target 0.250
        2: prior 0.20 visits 2 value +0.000 target 0.250
        value -0.125 proven None"#]],
    );
}

#[test]
fn puct_root_proves_a_win() {
    check(
        "(0.8*(0.5: 0 0) 0.2*((W 0) (0 W)))",
        config(RootSelection::Puct, 40),
        &expect![[r#"
        [] [0] [0 0] [0 1] [0 0 0] [0 1 0] [1] [0 0 0 0] [1 0] [0 1 0 0] [0 0 0 0 0] [0 1 0 0 0] [0 0 0 0 0 0] [1 1] [0 1 0 0 0 0] [0 0 0 0 0 0 0] [0 1 0 0 0 0 0] [1 1 0]
        best 1 of 19 simulations
        0: prior 0.80 visits 13 value -0.038 target 0.000
        1: prior 0.20 visits 6 value +1.000 target 1.000
        value +1.000 proven Some(Proven { value: 1, plies: 3 })"#]],
    );
}

/// Chance to the last bit: logarithms, powers and cosines come out the same on every machine.
#[test]
fn noise_to_the_last_bit() {
    let priors = |config| -> Vec<u32> {
        search(TREE, config).0.moves.iter().map(|stat| stat.prior.to_bits()).collect()
    };
    let puct = SearchConfig {
        noise_fraction: 0.5,
        root_temperature: 1.3,
        ..config(RootSelection::Puct, 0)
    };
    expect!["[3ea69fc2, 3ebed146, 3e9a8ef8]"].assert_eq(&format!("{:x?}", priors(puct)));
    let gumbel = SearchConfig { gumbel_scale: 1.0, ..config(RootSelection::Gumbel, 40) };
    let targets = |config| -> Vec<u32> {
        search(TREE, config).0.moves.iter().map(|stat| stat.target.to_bits()).collect()
    };
    expect!["[3b4813da, 3b9f1ea1, 3f7df9b0]"].assert_eq(&format!("{:x?}", targets(gumbel)));
}
