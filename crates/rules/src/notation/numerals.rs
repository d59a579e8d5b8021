//! Numbers as Japanese notation writes them: `７` for a file, `六` for a rank, up to 26.

const DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const TEN: char = '十';
const FULL_WIDTH_ZERO: u32 = '０' as u32;

/// A number in full-width digits.
pub(super) fn wide(number: usize) -> String {
    let wide = |digit: u32| char::from_u32(FULL_WIDTH_ZERO + digit).expect("such digits exist");
    number.to_string().chars().filter_map(|digit| digit.to_digit(10)).map(wide).collect()
}

/// A number from 1 to 99 in kanji.
pub(super) fn kanji(number: usize) -> String {
    let (tens, ones) = (number / 10, number % 10);
    let digit = |digit: usize| digit.checked_sub(1).map(|index| DIGITS[index]);
    let many = if tens > 1 { digit(tens) } else { None };
    let ten = (tens > 0).then_some(TEN);
    [many, ten, digit(ones)].into_iter().flatten().collect()
}

/// A leading number of one or two digits, full-width or not, with the text behind it.
pub(super) fn read_wide(text: &str) -> Option<(usize, &str)> {
    let digit = |c: char| {
        let wide = (c as u32).checked_sub(FULL_WIDTH_ZERO).filter(|&digit| digit < 10);
        c.to_digit(10).or(wide).map(|digit| digit as usize)
    };
    read(text, |c, number| Some(number.unwrap_or(0) * 10 + digit(c)?))
}

/// A leading number from 1 to 99 in kanji, with the text behind it.
pub(super) fn read_kanji(text: &str) -> Option<(usize, &str)> {
    let digit = |c: char| DIGITS.iter().position(|&digit| digit == c).map(|index| index + 1);
    read(text, |c, number| match (number, digit(c)) {
        (None, None) if c == TEN => Some(10),
        (Some(tens @ 1..=9), None) if c == TEN => Some(tens * 10),
        (None, Some(ones)) => Some(ones),
        (Some(tens), Some(ones)) if tens % 10 == 0 => Some(tens + ones),
        _ => None,
    })
}

/// Reads at most three characters while `step` takes them.
fn read(text: &str, step: impl Fn(char, Option<usize>) -> Option<usize>) -> Option<(usize, &str)> {
    let mut number = None;
    let mut rest = text;
    for c in text.chars().take(3) {
        let Some(next) = step(c, number).filter(|&next| next < 100) else { break };
        number = Some(next);
        rest = &rest[c.len_utf8()..];
    }
    number.map(|number| (number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_up_to_26_are_written_and_read() {
        assert_eq!([7, 10, 12, 20, 26].map(kanji), ["七", "十", "十二", "二十", "二十六"]);
        assert_eq!([7, 26].map(wide), ["７", "２６"]);
        for number in 1..=26 {
            assert_eq!(read_kanji(&kanji(number)), Some((number, "")));
            assert_eq!(read_wide(&wide(number)), Some((number, "")));
        }
        assert_eq!(read_wide("7六歩"), Some((7, "六歩")));
        assert_eq!(read_kanji("六歩"), Some((6, "歩")));
        assert_eq!((read_kanji("歩"), read_wide("")), (None, None));
    }
}
