//! `narikin rate`: ratings of many players from the results of their games.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use arena::Z95;
use arena::results::{COLUMNS, Collected, Collector, PgnError, PgnReader, read_table};
use arena::stats::{Anchor, DrawModel, Rating, RatingModel, Ratings, fit};
use serde::Serialize;

use super::nearest;
use crate::text::{table, thousands};
use crate::{Verdict, output};

/// Arguments of `rate`.
#[derive(Debug, clap::Args)]
#[command(after_help = help())]
pub(crate) struct Args {
    /// PGN and CSV files, folders of tournaments and runs.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The player that ratings and errors are relative to, and its rating; their mean, which is 0,
    /// if left out.
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Option<AnchorName>,
    /// How draws are understood.
    #[arg(long, value_enum, default_value = "bradley-terry")]
    model: Model,
    /// Virtual draws of each player; 2 if left out and results have no finite ratings, else none.
    #[arg(long, default_value_t = 0.0)]
    prior: f64,
    /// Print how likely each player is the stronger of two.
    #[arg(long)]
    los: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    format!(
        "PGN: the tags White (moves first), Black and Result are read, and Event, Round and FEN to find \
         the two games of an opening.\n\nCSV, with a row of column names: {COLUMNS}. A result is 1-0 \
         (the first won), 0-1, 1/2-1/2 or * (not finished); two games with the same `pair` are one \
         observation.\n\nExamples:
  narikin rate runs/cup --anchor alphabeta-1
  narikin rate games.pgn more.csv --anchor \"Stockfish=3000\" --los
  narikin rate runs/micro --anchor generation-0 --json"
    )
}

/// What the ratings are relative to.
#[derive(Clone, Debug)]
struct AnchorName {
    name: String,
    elo: f64,
}

impl FromStr for AnchorName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, elo) = match text.rsplit_once('=') {
            Some((name, elo)) => (name, elo.parse().ok().filter(|elo: &f64| elo.is_finite())),
            None => (text, Some(0.0)),
        };
        let elo = elo.ok_or("expected a name, or a name, `=` and a rating")?;
        Ok(Self { name: name.to_owned(), elo })
    }
}

/// Names of [`DrawModel`] on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Model {
    /// A draw is half a win: the scale of head-to-head Elo.
    BradleyTerry,
    /// Rao and Kupper, as BayesElo.
    RaoKupper,
    /// Davidson; a wider scale where draws are common.
    Davidson,
}

impl From<Model> for DrawModel {
    fn from(model: Model) -> Self {
        match model {
            Model::BradleyTerry => DrawModel::HalfWin,
            Model::RaoKupper => DrawModel::RaoKupper,
            Model::Davidson => DrawModel::Davidson,
        }
    }
}

#[derive(Serialize)]
struct Report {
    /// Group by group, the strongest first.
    players: Vec<Player>,
    /// Elo that moving first is worth.
    advantage: f64,
    advantage_sd: f64,
    model: Model,
    /// The model's parameter of draws: drawelo, or Davidson's nu.
    draw: Option<f64>,
    anchor: Option<String>,
    /// Groups of players that never met.
    groups: usize,
    /// Virtual draws of each player.
    prior: f64,
    #[serde(skip)]
    prior_asked: bool,
    games: u64,
    /// Complete pairs of games, each one observation.
    pairs: u64,
    unfinished: u64,
    /// Games that were left out.
    bad: Vec<Bad>,
    /// Row for row in the order of `players`: how likely it is stronger than the column's; null of
    /// itself and across groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<Vec<Vec<Option<f64>>>>,
}

#[derive(Serialize)]
struct Player {
    name: String,
    elo: f64,
    /// Standard error relative to the anchor.
    sd: f64,
    elo_low: f64,
    elo_high: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    group: usize,
    /// Whether `sd` comes from the spread of the player's results, not from the model alone.
    robust: bool,
}

#[derive(Serialize)]
struct Bad {
    file: String,
    line: u64,
    reason: String,
}

/// So many games that were left out are named on the terminal.
const NAMED: usize = 10;
/// The likelihoods of more players than this do not fit on a line.
const WIDEST: usize = 20;

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let mut collector = Collector::default();
    let mut bad = Vec::new();
    for path in &args.files {
        read(path, &mut collector, &mut bad)?;
    }
    for Bad { file, line, reason } in bad.iter().take(NAMED) {
        output::note(&format!("{file}:{line}: left out: {reason}"));
    }
    if bad.len() > NAMED {
        output::note(&format!(
            "{} more games were left out",
            thousands((bad.len() - NAMED) as u64)
        ));
    }
    let games = collector.finish();
    ensure!(games.observations.games() > 0, "there is no finished game in these files");
    let model =
        RatingModel { draws: args.model.into(), prior: args.prior, ..RatingModel::default() };
    let anchor = args.anchor.as_ref().map_or(Ok(Anchor::Mean), |anchor| of_name(anchor, &games))?;
    let ratings = fit(games.names.len(), &games.observations, &model, anchor)?;
    let report = Report::new(&args, games, &ratings, bad);
    if args.json {
        output::json(&report);
    } else {
        report.print();
    }
    Ok(Verdict::Good)
}

/// The results of a file, of a tournament or of a run.
fn read(path: &Path, collector: &mut Collector, bad: &mut Vec<Bad>) -> Result<()> {
    let path = match path.is_dir() {
        true => ["games.csv", "metrics/arena.csv"]
            .iter()
            .map(|name| path.join(name))
            .find(|file| file.exists())
            .with_context(|| {
                format!("{} has no games.csv and no metrics/arena.csv", path.display())
            })?,
        false => path.to_owned(),
    };
    let name = path.display().to_string();
    let file = File::open(&path).with_context(|| format!("cannot read {name}"))?;
    let is = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
    match () {
        () if is("csv") => read_table(BufReader::new(file), collector).context(name),
        () if is("pgn") => read_pgn(&name, file, collector, bad),
        () => {
            bail!("{name}: expected the ending .pgn or .csv, or a folder of a tournament or a run")
        }
    }
}

fn read_pgn(
    name: &str,
    file: impl Read,
    collector: &mut Collector,
    bad: &mut Vec<Bad>,
) -> Result<()> {
    for game in PgnReader::new(BufReader::new(file)) {
        let (line, reason) = match game {
            Err(PgnError::Read(error)) => {
                return Err(error).with_context(|| format!("cannot read {name}"));
            }
            Err(PgnError::Game { line, reason }) => (line, reason),
            Ok(game) => {
                let line = game.line;
                match collector.add(game) {
                    Ok(()) => continue,
                    Err(error) => (line, error.to_string()),
                }
            }
        };
        bad.push(Bad { file: name.to_owned(), line, reason });
    }
    collector.end_file();
    Ok(())
}

fn of_name(anchor: &AnchorName, games: &Collected) -> Result<Anchor> {
    if let Some(player) = games.names.iter().position(|name| *name == anchor.name) {
        return Ok(Anchor::Player { player, elo: anchor.elo });
    }
    let known: Vec<&str> = games.names.iter().map(String::as_str).collect();
    let near = nearest(&anchor.name, &known).expect("there are players");
    bail!("there is no player `{}`; did you mean `{near}`?", anchor.name)
}

impl Report {
    fn new(args: &Args, games: Collected, ratings: &Ratings, bad: Vec<Bad>) -> Self {
        let rating = |&player: &usize| ratings.players[player];
        let mut order: Vec<usize> = (0..games.names.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (rating(a), rating(b));
            a.group.cmp(&b.group).then(b.elo.total_cmp(&a.elo))
        });
        let los = |&a: &usize| order.iter().map(|&b| ratings.los(a, b)).collect();
        Self {
            los: args.los.then(|| order.iter().map(los).collect()),
            players: order.iter().map(|&p| Player::new(&games, p, &ratings.players[p])).collect(),
            advantage: ratings.advantage,
            advantage_sd: ratings.advantage_sd,
            model: args.model,
            draw: ratings.draw,
            anchor: args.anchor.as_ref().map(|anchor| anchor.name.clone()),
            groups: ratings.groups,
            prior: ratings.prior,
            prior_asked: args.prior > 0.0,
            games: games.observations.games(),
            pairs: games.pairs,
            unfinished: games.unfinished,
            bad,
        }
    }

    fn print(&self) {
        let mut rows = table(&["player", "Elo", "±", "games", "score", "drawn", "group"]);
        for player in &self.players {
            rows.add_row([
                player.name.clone(),
                format!("{:+.1}", player.elo),
                format!("{:.1}{}", Z95 * player.sd, if player.robust { "" } else { "*" }),
                thousands(player.games),
                format!("{:.1} %", 100.0 * player.score),
                format!("{:.1} %", 100.0 * player.draws as f64 / player.games as f64),
                (player.group + 1).to_string(),
            ]);
        }
        if self.groups == 1 {
            rows.column_mut(6)
                .expect("it has seven")
                .set_constraint(comfy_table::ColumnConstraint::Hidden);
        }
        output::result(&rows.to_string());
        self.print_notes();
        if let Some(los) = &self.los {
            self.print_los(los);
        }
    }

    fn print_notes(&self) {
        let relative = match &self.anchor {
            Some(name) => format!("95 % errors are relative to {name}"),
            None => "95 % errors are relative to the mean".to_owned(),
        };
        output::result(&format!(
            "{} games, {} complete pairs; {relative}\nmoving first is worth {:+.1} ± {:.1} Elo",
            thousands(self.games),
            thousands(self.pairs),
            self.advantage,
            Z95 * self.advantage_sd,
        ));
        if let Some(draw) = self.draw {
            let name = if self.model == Model::Davidson { "nu" } else { "drawelo" };
            output::result(&format!("{name} {draw:.3}"));
        }
        if self.players.iter().any(|player| !player.robust) {
            output::result(
                "* by the model alone: too few or too equal results to see their spread",
            );
        }
        if self.prior > 0.0 {
            let why =
                if self.prior_asked { "" } else { ": without them some ratings have no bound" };
            output::result(&format!("{} virtual draws of each player{why}", self.prior));
        }
        if self.groups > 1 {
            output::result(&format!(
                "{} groups of players never met: ratings compare within a group only",
                self.groups
            ));
        }
        if self.unfinished > 0 {
            let count = thousands(self.unfinished);
            output::result(&format!("{count} games were not finished and do not count"));
        }
    }

    fn print_los(&self, los: &[Vec<Option<f64>>]) {
        if los.len() > WIDEST {
            output::note(&format!("likelihoods of {} players: ask for --json", los.len()));
            return;
        }
        let numbers: Vec<String> = (1..=los.len()).map(|number| number.to_string()).collect();
        let header = std::iter::once("stronger than").chain(numbers.iter().map(String::as_str));
        let mut rows = table(&header.collect::<Vec<_>>());
        for (number, (player, row)) in self.players.iter().zip(los).enumerate() {
            let cells =
                row.iter().map(|los| los.map_or(String::new(), |p| format!("{:.1}", 100.0 * p)));
            let name = format!("{} {}", number + 1, player.name);
            rows.add_row(std::iter::once(name).chain(cells));
        }
        output::result(&format!("Likelihood, in per cent, of being the stronger one:\n{rows}"));
    }
}

impl Player {
    fn new(games: &Collected, player: usize, rating: &Rating) -> Self {
        let results = games.of_player[player];
        let points = results.wins as f64 + results.draws as f64 / 2.0;
        Self {
            name: games.names[player].clone(),
            elo: rating.elo,
            sd: rating.sd,
            elo_low: rating.elo - Z95 * rating.sd,
            elo_high: rating.elo + Z95 * rating.sd,
            games: rating.games,
            wins: results.wins,
            draws: results.draws,
            losses: results.losses,
            score: if rating.games > 0 { points / rating.games as f64 } else { 0.5 },
            group: rating.group,
            robust: rating.robust,
        }
    }
}
