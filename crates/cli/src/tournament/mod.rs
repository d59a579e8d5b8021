//! `narikin tournament` and what `narikin match` shares with it: many players, pairs of games, ratings.

mod clocked;
pub(crate) mod config;
mod dir;
mod entrants;
mod journal;
mod kept;
mod kifu;
mod live;
mod openings;
mod parquet;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use arena::stats::{Anchor, Decision, Sprt};
use arena::{GameResult, Schedule, Tournament};
use encode::Encoder;
use rules::{Seed, Variant};
use serde::Serialize;

use crate::cmd::{handicap, load_variant, variant_of_run};
use crate::nets::Net;
use crate::players::{NetSource, PlayerName};
use crate::run_dir::host;
use crate::standings::Standings;
use crate::text::shell;
use crate::{Verdict, output, report, runtime, signals};
use config::{RulesConfig, TournamentConfig};
use dir::{Manifest, TournamentDir};
use journal::{Journal, Row};
pub(crate) use kept::Kept;
use live::Live;

/// Arguments of `tournament`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  narikin tournament configs/tournaments/micro.toml
  narikin tournament configs/tournaments/micro.toml --set games=20 --dir runs/tournaments/quick
  narikin tournament runs/tournaments/micro         goes on with one that was stopped or killed

configs/README.md explains the keys. The directory holds the resolved configuration, a manifest, and
the games as games.csv (a line as soon as a game ends), games.parquet and in the notations of the
game. Only games in flight are lost when it is stopped; with seeded players of ours the same games
come again.")]
pub(crate) struct Args {
    /// The configuration file, or the directory of a tournament to go on with.
    config: PathBuf,
    /// Where everything is kept; `runs/tournaments/<name of the configuration>` if left out.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Override a key of the configuration.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Show no progress.
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let (file, default) = match args.config.is_dir() {
        true => (args.config.join("tournament.toml"), args.config.clone()),
        false => (args.config.clone(), default_dir(&args.config)?),
    };
    let config = TournamentConfig::load(&file, &args.sets)?;
    let dir = args.dir.clone().unwrap_or(default);
    play(config, Some(&dir), args.quiet, args.json)
}

/// Named after the configuration; a tournament's own configuration lies in its directory.
fn default_dir(config: &Path) -> Result<PathBuf> {
    if config.file_name().is_some_and(|name| name == "tournament.toml")
        && let Some(parent) = config.parent().filter(|parent| parent.join("manifest.json").exists())
    {
        return Ok(parent.to_owned());
    }
    let name = config.file_stem().context("the configuration has no file name")?;
    Ok(Path::new("runs/tournaments").join(name))
}

/// Plays a tournament, in a directory if there is one, and prints the result.
pub(crate) fn play(
    mut config: TournamentConfig,
    dir: Option<&Path>,
    quiet: bool,
    json: bool,
) -> Result<Verdict> {
    let stop = signals::stop_flag()?;
    entrants::resolve(&mut config)?;
    let variant = ruled(variant(&config)?, &config.rules)?;
    let source = net_source(&config, &variant)?;
    let openings_text = match config.openings.file.as_str() {
        "" => None,
        file => Some(fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?),
    };
    let tournament_dir = dir.map(TournamentDir::open).transpose()?;
    let manifest = manifest(&config, &variant, entrants::origins(&config, &source, &variant)?);
    if let Some(dir) = &tournament_dir {
        dir.agree(&config, openings_text.as_deref(), &manifest)?;
    }
    let names = config.names();
    let session = Session {
        config: &config,
        variant: variant.clone(),
        source: &source,
        names: &names,
        stop: &stop,
    };
    let (games, complete) =
        session.play(tournament_dir.as_ref(), openings_text.as_deref(), quiet)?;
    let name = tournament_dir.as_ref().map(TournamentDir::name).unwrap_or_default();
    let kept = Kept { name, config, variant, names, games };
    let standings = kept.standings()?;
    if let Some(dir) = &tournament_dir {
        dir.write("ratings.csv", &standings.ratings_csv())?;
        dir.write("crosstable.csv", &standings.crosstable_csv())?;
        dir.write(report::FILE, kept.page(None, report::GAMES)?.html.as_bytes())?;
    }
    let report = Report {
        standings,
        repeated: repeated(&kept.games),
        dir: dir.map(|dir| dir.display().to_string()),
        complete,
    };
    report.print(json);
    if !complete {
        let go_on = match dir {
            Some(dir) => {
                let words = ["narikin", "tournament", &dir.display().to_string()];
                format!("; to go on:\n  {}", shell(&words.map(str::to_owned)))
            }
            None => "; the games were not kept, for there was no --dir".to_owned(),
        };
        output::note(&format!("stopped{go_on}"));
        return Ok(Verdict::Interrupted);
    }
    let rejected = Some(Decision::Rejected.as_str());
    let failed = report.standings.pairs.iter().any(|pair| pair.decision == rejected);
    Ok(if failed { Verdict::Failed } else { Verdict::Good })
}

/// The result as `--json` has it.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    standings: Standings,
    /// Share of the games that are the same, move for move, as another one.
    repeated: f64,
    /// The directory with the games; none if they were not kept.
    dir: Option<String>,
    /// Whether all games have been played.
    complete: bool,
}

impl Report {
    fn print(&self, json: bool) {
        if json {
            output::json(self);
        } else {
            output::result(&self.standings.text());
            if let Some(dir) = &self.dir {
                output::result(&format!("the games are in {dir}"));
            }
        }
        if self.repeated > REPEATED {
            output::note(&format!(
                "{:.0} % of the games repeat another one move for move: use more openings",
                self.repeated * 100.0
            ));
        }
    }
}

/// The share of games that repeat another one.
fn repeated(games: &[GameResult]) -> f64 {
    let mut moves: Vec<_> = games.iter().map(|game| (&game.moves, game.start.key())).collect();
    moves.sort_unstable();
    moves.dedup();
    1.0 - moves.len() as f64 / games.len().max(1) as f64
}

/// Above this share of equal games something is wrong with the openings.
const REPEATED: f64 = 0.05;

/// The variant that the configuration names, or that of the run or the net it is about.
fn variant(config: &TournamentConfig) -> Result<Arc<Variant>> {
    if !config.variant.is_empty() {
        return load_variant(&config.variant);
    }
    let own = (!config.run.is_empty()).then(|| PathBuf::from(&config.run));
    let named = config.player.iter().filter_map(|entry| match entry.player.parse() {
        Ok(PlayerName::Run { dir, .. }) => Some(dir),
        _ => None,
    });
    if let Some(run) = own.into_iter().chain(named).next() {
        return variant_of_run(&run);
    }
    for entry in &config.player {
        if let Ok(PlayerName::Model(path)) = entry.player.parse()
            && let Some(variant) = Net::read(&path)?.variant()
        {
            return Ok(variant);
        }
    }
    load_variant("micro")
}

/// A variant with the rules that a tournament changes.
fn ruled(mut variant: Arc<Variant>, rules: &RulesConfig) -> Result<Arc<Variant>> {
    let (impasse, declaration) = (rules.impasse.rule(), rules.declaration.rule());
    if (impasse.is_some() || declaration.is_some()) && variant.rules().entering.is_none() {
        bail!("{} has no camp for kings to enter: no impasse, no declaration", variant.id());
    }
    if !rules.handicap.is_empty() {
        variant = Arc::new(variant.with_start(handicap(&variant, &rules.handicap)?));
    }
    if rules.max_plies > 0 {
        variant = Arc::new(variant.with_max_plies(rules.max_plies));
    }
    if rules.repetition_count > 0 {
        variant = Arc::new(variant.with_repetition_count(rules.repetition_count));
    }
    if let Some(rule) = impasse {
        variant = Arc::new(variant.with_impasse(rule));
    }
    if let Some(rule) = declaration {
        variant = Arc::new(variant.with_declaration(rule));
    }
    Ok(variant)
}

fn net_source(config: &TournamentConfig, variant: &Arc<Variant>) -> Result<NetSource> {
    let run = (!config.run.is_empty()).then(|| PathBuf::from(&config.run));
    let mut needs_net = false;
    for entry in &config.player {
        let name: PlayerName = entry.player.parse().map_err(anyhow::Error::msg)?;
        needs_net |= name.model(run.as_deref())?.is_some();
    }
    let runtime = needs_net.then(runtime::load).transpose()?;
    Ok(NetSource { run, encoder: Arc::new(Encoder::new(variant.clone())), runtime })
}

fn manifest(config: &TournamentConfig, variant: &Variant, players: Vec<dir::Origin>) -> Manifest {
    Manifest {
        producer: concat!("narikin ", env!("CARGO_PKG_VERSION")).to_owned(),
        host: host(),
        seed: config.seed,
        variant: variant.id().to_owned(),
        board_fingerprint: variant.board_fingerprint().to_string(),
        rules_fingerprint: variant.rules_fingerprint().to_string(),
        players,
    }
}

/// The test of every two players, if there is one.
fn sprt(config: &TournamentConfig) -> Option<Sprt> {
    let config::SprtConfig { elo0, elo1, ref model, alpha, beta } = config.sprt;
    let model = model.parse().expect("checked when loaded");
    config.sprt.is_on().then_some(Sprt { model, elo0, elo1, alpha, beta })
}

/// What the ratings are relative to.
fn anchor(config: &TournamentConfig, names: &[String]) -> Result<Anchor> {
    let anchor = &config.anchor;
    if anchor.is_empty() {
        return Ok(match names.len() {
            2 => Anchor::Player { player: 1, elo: 0.0 },
            _ => Anchor::Mean,
        });
    }
    let player = names.iter().position(|name| name == anchor);
    let player = player.with_context(|| format!("anchor = \"{anchor}\" is no player"))?;
    Ok(Anchor::Player { player, elo: 0.0 })
}

/// Who meets whom.
fn schedule(config: &TournamentConfig) -> Schedule {
    Schedule {
        format: config.format(),
        players: config.player.len(),
        pairs: config.pairs(),
        seed: Seed(config.seed),
    }
}

/// What playing needs.
struct Session<'a> {
    config: &'a TournamentConfig,
    variant: Arc<Variant>,
    source: &'a NetSource,
    names: &'a [String],
    stop: &'a AtomicBool,
}

impl Session<'_> {
    /// Plays what has not been played, and writes it all; also says whether that was everything.
    fn play(
        &self,
        dir: Option<&TournamentDir>,
        openings: Option<&str>,
        quiet: bool,
    ) -> Result<(Vec<GameResult>, bool)> {
        let opened = dir.map(|dir| dir.games(&self.variant, self.names)).transpose()?;
        let (journal, played) = opened.map_or((None, Vec::new()), |(j, games)| (Some(j), games));
        let (sprt, anchor, clock) =
            (sprt(self.config), anchor(self.config, self.names)?, Instant::now());
        let now = move || clock.elapsed();
        let tournament = self.tournament(openings, sprt, &now)?;
        let goal = tournament.schedule.games();
        let live = Live::new(self.names, (sprt, anchor), goal, &played);
        let keeper =
            Keeper { session: self, journal: journal.map(Mutex::new), failed: Mutex::new(None) };
        let done = AtomicBool::new(false);
        let games = thread::scope(|scope| {
            let drawing = (!quiet).then(|| scope.spawn(|| live.draw(&done)));
            let on_game = |game: &GameResult| {
                keeper.keep(game);
                live.add(game);
            };
            let games = tournament.play(played, self.threads(), &on_game, self.stop);
            done.store(true, Relaxed);
            drawing.inspect(|thread| thread.thread().unpark());
            games
        });
        keeper.close()?;
        let games = games?;
        if let Some(dir) = dir {
            dir.write_games(&self.variant, self.names, &games)?;
        }
        Ok((games, !self.stop.load(Relaxed)))
    }

    fn threads(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.config.execution.threads as usize)
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }

    fn tournament<'a>(
        &'a self,
        openings: Option<&str>,
        sprt: Option<Sprt>,
        now: &'a arena::Now<'a>,
    ) -> Result<Tournament<'a>> {
        let config = self.config;
        let (seed, schedule) = (Seed(config.seed), schedule(config));
        let entrant = |entry| entrants::entrant(entry, self.source, &self.variant);
        let in_flight = config.execution.games_in_flight as usize;
        Ok(Tournament {
            openings: openings::of(
                &config.openings,
                &self.variant,
                openings,
                schedule.openings(),
                seed,
            )?,
            variant: self.variant.clone(),
            entrants: config.player.iter().map(entrant).collect::<Result<_>>()?,
            schedule,
            adjudication: config.adjudication.rules(),
            seed,
            games_in_flight: NonZeroUsize::new(in_flight).expect("checked when loaded"),
            decided: sprt.map(|sprt| -> Box<arena::Decided<'a>> {
                Box::new(move |pairs| {
                    // A ratio that cannot be computed has decided nothing.
                    let result = sprt.of_pairs(pairs);
                    result.is_ok_and(|result| result.decision != Decision::Undecided)
                })
            }),
            now,
        })
    }
}

/// Writes games to the journal as they end. The first failure stops the tournament.
struct Keeper<'a> {
    session: &'a Session<'a>,
    journal: Option<Mutex<Journal>>,
    failed: Mutex<Option<std::io::Error>>,
}

impl Keeper<'_> {
    fn keep(&self, game: &GameResult) {
        let Some(journal) = &self.journal else { return };
        let row = Row::of(&self.session.variant, self.session.names, game);
        let written = journal.lock().unwrap_or_else(PoisonError::into_inner).add(&row);
        if let Err(error) = written {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            self.session.stop.store(true, Relaxed);
        }
    }

    fn close(self) -> Result<()> {
        if let Some(error) = self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error).context("cannot write games.csv");
        }
        if let Some(journal) = self.journal {
            let journal = journal.into_inner().unwrap_or_else(PoisonError::into_inner);
            journal.sync().context("cannot write games.csv")?;
        }
        Ok(())
    }
}
