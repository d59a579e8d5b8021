//! Piece movement in Betza notation.
//!
//! A movement is a chain of parts, each `modifiers atom [range]`:
//! - atoms: leapers W(1,0) F(1,1) D(2,0) N(2,1) A(2,2) H(3,0), K = WF; sliders R, B, Q = RB; a number
//!   after W, F, K, R, B or Q is the longest range;
//! - modes: `m` only without capture, `c` only with capture, `n` lame, `p` hops over one piece;
//! - directions: `f b l r` from the owner's side, `s` = l and r, `v` = f and b.

/// How a step treats the squares on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Manner {
    /// Straight to the target.
    Leap,
    /// To the target if the square on the way is empty.
    Lame,
    /// Over empty squares, `range` steps at most (0: any number).
    Slide(u8),
    /// Over exactly one piece and empty squares, `range` steps at most in all (0: any number).
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

/// Reads a movement; the error says what is wrong and at which character (from 1).
pub(crate) fn parse(text: &str) -> Result<Vec<Step>, String> {
    if text.len() > 64 {
        return Err("a movement has at most 64 characters".to_owned());
    }
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let column = text.len() - rest.len() + 1;
        rest = part(rest, &mut steps).map_err(|why| format!("at character {column}: {why}"))?;
    }
    if steps.is_empty() {
        return Err("a movement needs at least one atom".to_owned());
    }
    steps.sort_unstable();
    steps.dedup();
    Ok(steps)
}

/// Reads one part and returns the text behind it.
fn part<'a>(text: &'a str, steps: &mut Vec<Step>) -> Result<&'a str, String> {
    let end = text.find(|c: char| !c.is_ascii_lowercase()).ok_or("modifiers without an atom")?;
    let (modifiers, rest) = text.split_at(end);
    let atom = rest.chars().next().ok_or("modifiers without an atom")?;
    let rest = &rest[atom.len_utf8()..];
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (range, rest) = rest.split_at(digits);
    let range = match range {
        "" => None,
        digits => match digits.parse::<u8>() {
            Ok(range) if range > 0 => Some(range),
            _ => return Err(format!("a range is a number from 1 to 255, not `{digits}`")),
        },
    };
    let modes = Modes::read(modifiers)?;
    match atom {
        'K' => {
            modes.expand('W', range, steps)?;
            modes.expand('F', range, steps)?;
        }
        'Q' => {
            modes.expand('R', range, steps)?;
            modes.expand('B', range, steps)?;
        }
        atom => modes.expand(atom, range, steps)?,
    }
    Ok(rest)
}

/// The modifiers in front of an atom.
struct Modes {
    quiet_only: bool,
    capture_only: bool,
    lame: bool,
    hops: bool,
    directions: Vec<char>,
}

impl Modes {
    fn read(modifiers: &str) -> Result<Modes, String> {
        let has = |letter| modifiers.contains(letter);
        let modes = Modes {
            quiet_only: has('m'),
            capture_only: has('c'),
            lame: has('n'),
            hops: has('p'),
            directions: modifiers.chars().filter(|letter| !"mcnp".contains(*letter)).collect(),
        };
        if let Some(unknown) = modes.directions.iter().find(|letter| !"fblrsvh".contains(**letter))
        {
            return Err(format!("unknown modifier `{unknown}`"));
        }
        match (modes.quiet_only && modes.capture_only, modes.lame && modes.hops) {
            (true, _) => Err("`m` and `c` exclude each other".to_owned()),
            (_, true) => Err("`n` and `p` exclude each other".to_owned()),
            _ => Ok(modes),
        }
    }

    /// Adds the steps of one simple atom.
    fn expand(&self, atom: char, range: Option<u8>, steps: &mut Vec<Step>) -> Result<(), String> {
        let (long, short) = match atom {
            'W' | 'R' => (1, 0),
            'F' | 'B' => (1, 1),
            'D' => (2, 0),
            'N' => (2, 1),
            'A' => (2, 2),
            'H' => (3, 0),
            atom => return Err(format!("unknown atom `{atom}`; known are W F D N A H K R B Q")),
        };
        let manner = self.manner(atom, range)?;
        let directions = match (long, short) {
            (_, 0) => orthogonal(&self.directions)?,
            (2, 1) => knight(&self.directions)?,
            _ => diagonal(&self.directions)?,
        };
        for (x, y) in directions {
            let (x, y) = if atom == 'N' { (x, y) } else { (x * long, y * long) };
            steps.push(Step { x, y, manner, quiet: !self.capture_only, capture: !self.quiet_only });
        }
        Ok(())
    }

    fn manner(&self, atom: char, range: Option<u8>) -> Result<Manner, String> {
        let slider = matches!(atom, 'R' | 'B');
        if range.is_some() && !matches!(atom, 'W' | 'F' | 'R' | 'B') {
            return Err(format!("{atom} takes no range"));
        }
        let range = range.unwrap_or(u8::from(!slider));
        match (self.hops, self.lame) {
            (true, _) if !matches!(atom, 'W' | 'F' | 'R' | 'B') => {
                Err(format!("{atom} cannot hop; `p` goes with W F K R B Q"))
            }
            (true, _) if range == 1 => Err("a hop needs a range of at least 2".to_owned()),
            (true, _) => Ok(Manner::Hop(range)),
            (_, true) if !matches!(atom, 'N' | 'A' | 'D') => {
                Err(format!("{atom} cannot be lame; `n` goes with N A D"))
            }
            (_, true) => Ok(Manner::Lame),
            _ if range == 1 || matches!(atom, 'N' | 'A' | 'D' | 'H') => Ok(Manner::Leap),
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

/// The single directions a letter stands for.
fn units(letter: char) -> Result<Vec<(i8, i8)>, String> {
    match letter {
        's' => Ok(vec![(-1, 0), (1, 0)]),
        'v' => Ok(vec![(0, 1), (0, -1)]),
        letter => {
            unit(letter).map(|one| vec![one]).ok_or_else(|| format!("`{letter}` goes only with N"))
        }
    }
}

/// Each letter stands alone.
fn orthogonal(letters: &[char]) -> Result<Vec<(i8, i8)>, String> {
    let all = ['v', 's'];
    let letters = if letters.is_empty() { &all[..] } else { letters };
    Ok(letters.iter().map(|&letter| units(letter)).collect::<Result<Vec<_>, _>>()?.concat())
}

/// Two letters of different axes name one diagonal, a single one names two.
fn diagonal(letters: &[char]) -> Result<Vec<(i8, i8)>, String> {
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
fn knight(letters: &[char]) -> Result<Vec<(i8, i8)>, String> {
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
mod tests {
    use super::*;

    fn leaps(text: &str) -> Vec<(i8, i8)> {
        parse(text).unwrap().iter().map(|step| (step.x, step.y)).collect()
    }

    #[test]
    fn one_letter_names_two_diagonals_and_two_name_one() {
        assert_eq!(leaps("fF"), [(-1, 1), (1, 1)]);
        assert_eq!(leaps("lbF"), [(-1, -1)]);
        assert_eq!(leaps("bA"), [(-2, -2), (2, -2)]);
        assert_eq!(leaps("F").len(), 4);
    }

    #[test]
    fn orthogonal_letters_stand_alone() {
        assert_eq!(leaps("fsW"), [(-1, 0), (0, 1), (1, 0)]);
        assert_eq!(leaps("frlR").len(), 3);
        assert_eq!(leaps("vR"), [(0, -1), (0, 1)]);
        assert_eq!(leaps("fD"), [(0, 2)]);
    }

    #[test]
    fn a_forward_knight_goes_two_forward() {
        assert_eq!(leaps("fN"), [(-1, 2), (1, 2)]);
        assert_eq!(leaps("ffN"), [(-1, 2), (1, 2)]);
        assert_eq!(leaps("fsN"), [(-2, 1), (2, 1)]);
        assert_eq!(leaps("fhN").len(), 4);
        assert_eq!(leaps("nN").len(), 8);
    }

    #[test]
    fn parts_add_up() {
        assert_eq!(leaps("WfF").len(), 6);
        assert_eq!(leaps("KbRfBbF2").len(), 8 + 1 + 2 + 2);
        let cannon = parse("mRcpR").unwrap();
        assert_eq!(cannon.iter().filter(|step| step.manner == Manner::Hop(0)).count(), 4);
        assert!(cannon.iter().all(|step| step.quiet != step.capture));
        assert!(parse("bF2").unwrap().iter().all(|step| step.manner == Manner::Slide(2)));
    }

    #[test]
    fn nonsense_is_named() {
        for (text, word) in
            [("", "atom"), ("fs", "atom"), ("Z", "`Z`"), ("xW", "`x`"), ("mcW", "exclude")]
        {
            assert!(parse(text).unwrap_err().contains(word), "{text}");
        }
        for text in ["N2", "nR", "pN", "pW", "R0", "R999", "hF", "é", "Wé", "fhW"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
