//! Piece movement in Betza notation.
//!
//! A movement is a chain of parts, each `modifiers atom [atom] [range]`:
//! - atoms: leapers W(1,0) F(1,1) D(2,0) N(2,1) A(2,2) H(3,0), K = WF; a doubled one is a rider, which
//!   repeats its step over empty squares (NN the nightrider, WW = R, FF = B, KK = Q = RB); a number is
//!   the most steps it takes (`N3`, `W2`, `DD2`);
//! - modes: `m` only without capture, `c` only with capture, `n` lame (N D A H: the squares that a step
//!   passes must be empty), `p` hops over exactly one piece;
//! - directions: `f b l r` from the owner's side, `s` = l and r, `v` = f and b.

/// How a step treats the squares on its way. A range counts repetitions of the step; 0 is any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// Straight to the target.
    Leap,
    /// Like [`Manner::Slide`], and the squares that each step passes must be empty too.
    Lame(u8),
    /// Over empty squares, where the step lands before the last time.
    Slide(u8),
    /// Over exactly one piece on those squares; the range counts the whole way.
    Hop(u8),
}

/// One direction of one part, from Black's side: `x` to the right, `y` forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) x: i8,
    pub(crate) y: i8,
    pub(crate) manner: Manner,
    pub(crate) quiet: bool,
    pub(crate) capture: bool,
}

/// A movement is at most this long, in bytes.
const MAX_TEXT: usize = 64;
/// What a message says when something is unknown.
const KNOWN: &str = "known are the atoms W F D N A H K R B Q, doubled for riders, the modifiers \
                     f b l r s v h m c n p, and ranges";
/// Letters of other dialects, with what they mean there.
const UNSUPPORTED: &[(char, &str)] = &[
    ('(', "a group of moves"),
    (')', "a group of moves"),
    ('-', "a chain of moves"),
    ('a', "a move of several legs"),
    ('d', "capture of own pieces"),
    ('e', "en passant"),
    ('g', "a hop that ends right behind the piece"),
    ('i', "a piece's first move"),
    ('j', "a jump over the first square"),
    ('o', "moves round the edge of the board"),
    ('q', "circular riders"),
    ('t', "hops that do not capture"),
    ('u', "hops over any number of pieces"),
    ('x', "pieces that lend their moves"),
    ('y', "riders that change their range"),
    ('z', "crooked riders"),
    ('C', "(3,1) leaps"),
    ('L', "(3,1) leaps"),
    ('Z', "(3,2) leaps"),
    ('J', "(3,2) leaps"),
    ('G', "(3,3) leaps"),
    ('O', "castling"),
];

/// What is wrong, and at which byte of the text.
struct Fault {
    at: usize,
    why: String,
}

fn fault<T>(at: usize, why: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { at, why: why.into() })
}

fn unknown<T>(at: usize, what: &str, letter: char) -> Result<T, Fault> {
    let meaning = UNSUPPORTED.iter().find(|(known, _)| *known == letter);
    let letter = letter.escape_debug();
    fault(
        at,
        match meaning {
            Some((_, meaning)) => format!("`{letter}` ({meaning}) is not supported; {KNOWN}"),
            None => format!("unknown {what} `{letter}`; {KNOWN}"),
        },
    )
}

/// Reads a movement; the error says what is wrong and at which character (from 1).
pub(crate) fn parse(text: &str) -> Result<Vec<Step>, String> {
    if text.len() > MAX_TEXT {
        return Err(format!("a movement has at most {MAX_TEXT} characters"));
    }
    let (mut steps, mut at) = (Vec::new(), 0);
    while at < text.len() {
        at = part(text, at, &mut steps).map_err(|Fault { at, why }| {
            format!("at character {}: {why}", text[..at].chars().count() + 1)
        })?;
    }
    if steps.is_empty() {
        return Err("a movement needs at least one atom".to_owned());
    }
    steps.sort_unstable();
    steps.dedup();
    Ok(steps)
}

/// Reads the part that begins at a byte of the text and returns where the next one begins.
fn part(text: &str, at: usize, steps: &mut Vec<Step>) -> Result<usize, Fault> {
    let behind = |from: usize, inside: &dyn Fn(char) -> bool| {
        text[from..].find(|c| !inside(c)).map_or(text.len(), |length| from + length)
    };
    let atom = behind(at, &|c| c.is_ascii_lowercase());
    let modes = Modes::read(at, &text[at..atom])?;
    let Some(letter) = text[atom..].chars().next() else {
        return fault(at, "modifiers without an atom");
    };
    let (leaps, slides) = match letter {
        'W' => (&[(1, 0)][..], false),
        'F' => (&[(1, 1)][..], false),
        'K' => (&[(1, 0), (1, 1)][..], false),
        'D' => (&[(2, 0)][..], false),
        'N' => (&[(2, 1)][..], false),
        'A' => (&[(2, 2)][..], false),
        'H' => (&[(3, 0)][..], false),
        'R' => (&[(1, 0)][..], true),
        'B' => (&[(1, 1)][..], true),
        'Q' => (&[(1, 0), (1, 1)][..], true),
        letter => return unknown(atom, "atom", letter),
    };
    let number = behind(atom, &|c| c == letter);
    let most = if slides { 1 } else { 2 };
    if number > atom + most {
        let why = if slides { "repeats its step already" } else { "makes a rider written twice" };
        return fault(atom + most, format!("`{letter}` {why}"));
    }
    let next = behind(number, &|c| c.is_ascii_digit());
    let range = match &text[number..next] {
        "" => u8::from(!slides && number == atom + 1),
        digits => match digits.parse::<u8>() {
            Ok(range) if range > 0 => range,
            _ => return fault(number, "a range is a number from 1 to 255"),
        },
    };
    for &leap in leaps {
        modes.expand(leap, range, steps)?;
    }
    Ok(next)
}

/// The modifiers in front of an atom.
struct Modes<'a> {
    /// Where they begin.
    at: usize,
    text: &'a str,
    directions: Vec<char>,
}

impl Modes<'_> {
    fn read(at: usize, text: &str) -> Result<Modes<'_>, Fault> {
        for (index, letter) in text.char_indices() {
            if !"fblrsvhmcnp".contains(letter) {
                return unknown(at + index, "modifier", letter);
            }
            if "mcnp".contains(letter) && text[..index].contains(letter) {
                return fault(at + index, format!("`{letter}` stands twice"));
            }
        }
        let directions = text.chars().filter(|letter| !"mcnp".contains(*letter)).collect();
        let modes = Modes { at, text, directions };
        for (one, other) in [('m', 'c'), ('n', 'p')] {
            if modes.has(one) && modes.has(other) {
                let why = format!("`{one}` and `{other}` exclude each other");
                return fault(modes.place_of(&[one]).max(modes.place_of(&[other])), why);
            }
        }
        Ok(modes)
    }

    fn has(&self, letter: char) -> bool {
        self.text.contains(letter)
    }

    /// Where one of these letters stands.
    fn place_of(&self, letters: &[char]) -> usize {
        self.at + self.text.find(letters).unwrap_or(0)
    }

    /// Adds the steps of one leap, `long` by `short`, or of its rider.
    fn expand(&self, leap: (i8, i8), range: u8, steps: &mut Vec<Step>) -> Result<(), Fault> {
        let manner = self.manner(leap, range)?;
        let (long, short) = leap;
        let knight_like = short != 0 && short != long;
        let directions = match short {
            0 => orthogonal(&self.directions),
            _ if knight_like => knight(&self.directions),
            _ => diagonal(&self.directions),
        };
        let mut directions = match directions {
            Ok(directions) => directions,
            Err(letter) => {
                return fault(self.place_of(&[letter]), format!("`{letter}` goes only with N"));
            }
        };
        directions.sort_unstable();
        if directions.windows(2).any(|pair| pair[0] == pair[1]) {
            return fault(self.at, "a direction is named twice");
        }
        let (quiet, capture) = (!self.has('c'), !self.has('m'));
        let stretch = if knight_like { 1 } else { long };
        steps.extend(directions.into_iter().map(|(x, y)| Step {
            x: x * stretch,
            y: y * stretch,
            manner,
            quiet,
            capture,
        }));
        Ok(())
    }

    fn manner(&self, (long, _): (i8, i8), range: u8) -> Result<Manner, Fault> {
        match (self.has('p'), self.has('n')) {
            (true, _) if range == 1 => {
                fault(self.place_of(&['p']), "a hop needs a rider or a range of 2 or more")
            }
            (true, _) => Ok(Manner::Hop(range)),
            (_, true) if long == 1 => {
                fault(self.place_of(&['n']), "`n` goes with N D A H, whose steps pass squares")
            }
            (_, true) => Ok(Manner::Lame(range)),
            _ if range == 1 => Ok(Manner::Leap),
            _ => Ok(Manner::Slide(range)),
        }
    }
}

fn unit(letter: char) -> Option<(i8, i8)> {
    match letter {
        'f' => Some((0, 1)),
        'b' => Some((0, -1)),
        'l' => Some((-1, 0)),
        'r' => Some((1, 0)),
        _ => None,
    }
}

/// The single directions a letter stands for; the letter itself if it stands for none.
fn units(letter: char) -> Result<Vec<(i8, i8)>, char> {
    match letter {
        's' => Ok(vec![(-1, 0), (1, 0)]),
        'v' => Ok(vec![(0, 1), (0, -1)]),
        letter => unit(letter).map(|one| vec![one]).ok_or(letter),
    }
}

/// Each letter stands alone.
fn orthogonal(letters: &[char]) -> Result<Vec<(i8, i8)>, char> {
    let all = ['v', 's'];
    let letters = if letters.is_empty() { &all[..] } else { letters };
    Ok(letters.iter().map(|&letter| units(letter)).collect::<Result<Vec<_>, _>>()?.concat())
}

/// Two letters of different axes name one diagonal, a single one names two.
fn diagonal(letters: &[char]) -> Result<Vec<(i8, i8)>, char> {
    let all = ['f', 'b'];
    let mut rest = if letters.is_empty() { &all[..] } else { letters };
    let mut found = Vec::new();
    while let Some((&letter, tail)) = rest.split_first() {
        let first = units(letter)?;
        let pair = tail.first().and_then(|&next| unit(next)).zip(unit(letter));
        match pair {
            Some((next, own)) if next.0 * own.0 + next.1 * own.1 == 0 => {
                found.push((own.0 + next.0, own.1 + next.1));
                rest = &tail[1..];
            }
            _ => {
                for (x, y) in first {
                    found.extend(if x == 0 { [(-1, y), (1, y)] } else { [(x, -1), (x, 1)] });
                }
                rest = tail;
            }
        }
    }
    Ok(found)
}

/// `f` = `ff` = two forward and one aside, `fs` = one forward and two aside, `fh` = all four.
fn knight(letters: &[char]) -> Result<Vec<(i8, i8)>, char> {
    let all = ['v', 's'];
    let mut rest = if letters.is_empty() { &all[..] } else { letters };
    let mut found = Vec::new();
    while let Some((&letter, tail)) = rest.split_first() {
        let next = tail.first().copied().filter(|&next| next == letter || "sh".contains(next));
        let next = if unit(letter).is_some() { next } else { None };
        rest = if next.is_some() { &tail[1..] } else { tail };
        for (x, y) in units(letter)? {
            let long = if x == 0 { [(-1, 2 * y), (1, 2 * y)] } else { [(2 * x, -1), (2 * x, 1)] };
            let wide = if x == 0 { [(-2, y), (2, y)] } else { [(x, -2), (x, 2)] };
            match next {
                Some('s') => found.extend(wide),
                Some('h') => found.extend(long.into_iter().chain(wide)),
                _ => found.extend(long),
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
