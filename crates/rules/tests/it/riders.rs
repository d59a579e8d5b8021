//! Riders with longer steps, lame and hopping ones, and boards of every shape, against the oracle.

use std::sync::Arc;

use rand_chacha::rand_core::Rng;
use rules::{Game, Position, Seed, Variant, perft};

use crate::legal;
use crate::oracle::{Oracle, Way};

const RIDERS: &str = r#"
id = "test-riders"
name = "Riders"
files = 9
ranks = 9
start = "nldahcefg/4k4/9/9/9/9/9/4K4/GFECHADLN[QQqq] w 0 1"
[zones]
far = "a7-i9"
[pieces]
N = { moves = "NN", reverse = { moves = "pNNnH" } }
L = { moves = "nNN" }
D = { moves = "DD", reverse = { moves = "nHHcNN2" } }
A = { moves = "AA" }
H = { moves = "mHHcpHH" }
C = { moves = "pNNfW" }
E = { moves = "nDDnA" }
F = { moves = "nHfNN2" }
G = { moves = "mN3cpDD" }
Q = { moves = "cNNnNNmWW3" }
K = { moves = "K" }
[promotion]
rule = "choice"
zone = "far"
[drops]
faces = "front"
[royal]
piece = "K"
[endings]
max_plies = 120
"#;

pub(crate) fn riders() -> Arc<Variant> {
    Arc::new(Variant::parse(RIDERS, &|_| None).unwrap_or_else(|why| panic!("{why}")))
}

/// A way as repeated steps of one leap: how many, and what stands on the squares in between.
struct Ride {
    steps: i32,
    /// Pieces where the steps before the last land.
    landings: usize,
    /// Pieces that the single steps pass.
    legs: usize,
}

impl Ride {
    fn free(&self) -> bool {
        self.landings == 0
    }

    fn hop(&self) -> bool {
        self.landings == 1
    }

    fn lame(&self) -> bool {
        self.landings + self.legs == 0
    }
}

impl Way<'_> {
    /// The way in steps of `long` by `short`, if it is one.
    fn ride(&self, long: i32, short: i32) -> Option<Ride> {
        let (x, y) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let steps = x.abs().max(y.abs()) / long;
        if steps == 0
            || (x.abs().max(y.abs()), x.abs().min(y.abs())) != (steps * long, steps * short)
        {
            return None;
        }
        let (x, y) = (x / steps, y / steps);
        let stands = |x: i32, y: i32| {
            usize::from(self.oracle.look(self.from.0 + x, self.from.1 + y).is_some())
        };
        let landings = (1..steps).map(|n| stands(n * x, n * y)).sum();
        let legs = (0..steps).map(|n| match (long, short) {
            (2, 1) => stands(n * x + x / 2, n * y + y / 2),
            _ => (1..long).map(|leg| stands(n * x + leg * x / long, n * y + leg * y / long)).sum(),
        });
        Some(Ride { steps, landings, legs: legs.sum() })
    }

    fn rides(&self, long: i32, short: i32, test: impl Fn(&Ride) -> bool) -> bool {
        self.ride(long, short).is_some_and(|ride| test(&ride))
    }

    pub(crate) fn rider(&self, letter: &str) -> bool {
        let capture = self.capture;
        match letter {
            "N" => self.rides(2, 1, Ride::free),
            "+N" => self.rides(2, 1, Ride::hop) || self.rides(3, 0, |r| r.lame() && r.steps == 1),
            "L" => self.rides(2, 1, Ride::lame),
            "D" => self.rides(2, 0, Ride::free),
            "+D" => {
                self.rides(3, 0, Ride::lame)
                    || capture && self.rides(2, 1, |r| r.free() && r.steps <= 2)
            }
            "A" => self.rides(2, 2, Ride::free),
            "H" => self.rides(3, 0, |r| if capture { r.hop() } else { r.free() }),
            "C" => self.rides(2, 1, Ride::hop) || (self.x, self.y) == (0, 1),
            "E" => self.rides(2, 0, Ride::lame) || self.rides(2, 2, |r| r.lame() && r.steps == 1),
            "F" => {
                let steep = self.y > 0 && self.y == 2 * self.x.abs();
                self.rides(3, 0, |r| r.lame() && r.steps == 1)
                    || steep && self.rides(2, 1, |r| r.free() && r.steps <= 2)
            }
            "G" if capture => self.rides(2, 0, Ride::hop),
            "G" => self.rides(2, 1, |r| r.free() && r.steps <= 3),
            "Q" => {
                self.rides(2, 1, |r| r.lame() || capture && r.free())
                    || !capture && self.rides(1, 0, |r| r.free() && r.steps <= 3)
            }
            _ => self.king(),
        }
    }
}

/// Plays random games, comparing the moves of every position with the oracle's, and the key with the
/// recomputed one.
fn agrees(variant: &Arc<Variant>, games: u64, plies: usize) {
    for number in 0..games {
        let mut rng = Seed(3).derive(variant.id(), number).rng();
        let mut game = Game::new(variant.clone());
        let mut moves = Vec::new();
        while game.ply() < plies && game.status(&mut moves).is_none() {
            let position = game.position();
            let mut expected = Oracle::new(variant, position).legal_moves();
            expected.sort_unstable();
            let mut found = moves.clone();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", position.to_fen(variant));
            assert_eq!(position.key(), position.recomputed_key(variant));
            game.play(moves[(rng.next_u64() % moves.len() as u64) as usize]);
        }
    }
}

#[test]
fn riders_lame_riders_and_hopping_riders_move_as_the_oracle_says() {
    agrees(&riders(), 12, 90);
}

/// Sparse positions, in which riders see far: checks, double checks, pins and interpositions abound.
#[test]
fn checks_and_pins_along_longer_steps_are_seen() {
    let variant = riders();
    let (mut compared, mut checks) = (0, 0);
    for number in 0..600 {
        let mut rng = Seed(4).derive("sparse", number).rng();
        let mut draw = |below: usize| (rng.next_u64() % below as u64) as usize;
        let mut board = ["1"; 81];
        for piece in ["K", "k"].into_iter().chain(
            (0..8)
                .map(|_| {
                    let pieces =
                        ["N", "n", "+N", "L", "l", "D", "d", "+d", "a", "H", "h", "C", "c", "g"];
                    pieces[draw(14)]
                })
                .collect::<Vec<_>>(),
        ) {
            board[draw(81)] = piece;
        }
        let rows: Vec<String> = board.chunks(9).map(|row| row.concat()).collect();
        let shorter = |text: String, n: usize| text.replace(&"1".repeat(n), &n.to_string());
        let rows: Vec<String> =
            rows.into_iter().map(|row| (2..10).rev().fold(row, shorter)).collect();
        let fen = format!("{}[Qq] w 0 1", rows.join("/"));
        let Ok(position) = Position::parse(&variant, &fen) else { continue };
        let game = Game::from_position(variant.clone(), position);
        let mut found = legal(&game);
        found.sort_unstable();
        let mut expected = Oracle::new(&variant, game.position()).legal_moves();
        expected.sort_unstable();
        assert_eq!(found, expected, "{fen}");
        compared += 1;
        checks += usize::from(game.in_check());
    }
    assert!(compared > 100 && checks > 20, "{compared} positions, {checks} checks");
}

/// A board of any shape with kings, rooks, knights and silvers that promote on the far rank.
fn board(files: usize, ranks: usize) -> Arc<Variant> {
    let near = "KRNS".chars().take(files).collect::<String>();
    let rest = files - near.len();
    let empty = |count: usize| if count == 0 { String::new() } else { count.to_string() };
    let far: String = near.to_lowercase().chars().rev().collect();
    let middle = format!("{files}/").repeat(ranks - 2);
    let start = format!("{}{far}/{middle}{near}{}[SNsn] w 0 1", empty(rest), empty(rest));
    // On the smallest boards the pieces of the start cannot but attack the kings.
    let royal = if files == 2 || ranks == 2 { "capturable" } else { "protected" };
    let corner = char::from(b'a' + files as u8 - 1);
    let text = format!(
        "id = \"test-{files}x{ranks}\"\nname = \"Test\"\nfiles = {files}\nranks = {ranks}\n\
         start = \"{start}\"\n[zones]\nfar = \"a{ranks}-{corner}{ranks}\"\n[pieces]\n\
         K = {{ moves = \"K\" }}\nR = {{ moves = \"R\" }}\n\
         N = {{ moves = \"fN\", reverse = {{ moves = \"WfF\" }} }}\n\
         S = {{ moves = \"FfW\", reverse = {{ moves = \"WfF\" }} }}\n\
         [promotion]\nrule = \"must\"\nzone = \"far\"\n[drops]\nfaces = \"front\"\n\
         [royal]\npiece = \"K\"\nrule = \"{royal}\"\n[endings]\nmax_plies = 60\n"
    );
    Arc::new(Variant::parse(&text, &|_| None).unwrap_or_else(|why| panic!("{text}\n{why}")))
}

#[test]
fn boards_of_every_shape_play_as_the_oracle_says() {
    for (files, ranks, plies) in [
        (1, 4, 60),
        (1, 26, 30),
        (2, 3, 60),
        (2, 2, 60),
        (26, 2, 20),
        (8, 16, 8),
        (16, 8, 8),
        (4, 26, 8),
        (26, 4, 8),
        (11, 11, 8),
    ] {
        let variant = board(files, ranks);
        agrees(&variant, 3, plies);
        assert!(perft(&Game::new(variant), 2) > 0);
    }
}
