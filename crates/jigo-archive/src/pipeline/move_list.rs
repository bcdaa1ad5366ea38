//! Inputs without games, and lists of moves among them.

/// What an input without games looks like.
pub(super) fn no_game(bytes: &[u8]) -> &'static str {
    match move_list(bytes) {
        _ if bytes.is_empty() => "the file is empty",
        Some(MoveList::Nodes) => {
            "these look like lines of an identifier and moves, which are not read; make them records: \
             cut -f2 FILE | sed 's/.*/(;&)/' | jigo check -"
        }
        Some(MoveList::Points) => {
            "these look like lines of an identifier and moves, which are not read; make them records: \
             awk '{printf \"(\"; for (i=2; i<=NF; i++) printf \";%s[%s]\", i%2 ? \"W\" : \"B\", $i; print \")\"}' FILE | jigo check -"
        }
        Some(MoveList::Other) => {
            "these look like lines of an identifier and moves, which are not read: make each line (;B[dd];W[pp]...)"
        }
        None => "there is no (; that begins a game",
    }
}

/// How lines of moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveList {
    /// A tab and `B[pd];W[dd]`.
    Nodes,
    /// Blanks and `pd dd`.
    Points,
    /// Some other way.
    Other,
}

/// Whether lines hold moves, with or without an identifier before them, as some large archives do.
fn move_list(bytes: &[u8]) -> Option<MoveList> {
    // The first line of a piece may be half a line.
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let first = lines.next()?;
    let line = lines.next().unwrap_or(first);
    let text = std::str::from_utf8(&line[..line.len().min(4096)]).ok()?;
    let moves: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).filter(|word| !word.is_empty()).collect();
    let is_point = |word: &str| matches!(word.as_bytes(), [b'a'..=b's', b'a'..=b's']);
    let is_node = |word: &str| matches!(word.as_bytes(), [b'B' | b'W', b'[', .., b']']);
    let is_named =
        |word: &str| matches!(word.as_bytes(), [b'A'..=b'T', b'1'..=b'9'] | [b'A'..=b'T', b'1', b'0'..=b'9']);
    let count = |is: &dyn Fn(&str) -> bool| moves.iter().filter(|word| is(word)).count();
    // Beside the moves there is an identifier; English has too many words of two letters for more.
    let is_most = |count: usize| count >= 4 && count + 1 >= moves.len();
    let has_identifier = moves.first().is_some_and(|word| !is_point(word) && !is_node(word));
    let joined = |word: &&str| {
        word.len() >= 16 && word.as_bytes().chunks(2).all(|pair| matches!(pair, [b'a'..=b's', b'a'..=b's']))
    };
    match () {
        () if is_most(count(&is_node)) && has_identifier && text.contains('\t') => Some(MoveList::Nodes),
        () if is_most(count(&is_point)) && has_identifier && !text.contains([',', ';']) => Some(MoveList::Points),
        () if is_most(count(&is_node)) || is_most(count(&is_point)) || is_most(count(&is_named)) => {
            Some(MoveList::Other)
        }
        () => (moves.len() <= 4 && moves.iter().any(joined)).then_some(MoveList::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_moves_are_known_by_their_lines() {
        let cases = [
            ("17\tB[pd];W[dd];B[pp];W[dp]\n18\tB[aa];W[bb];B[cc];W[dd];B[]\n", Some(MoveList::Nodes)),
            ("17 pd dd pp dp\n18 pd dd pp dp qf\n", Some(MoveList::Points)),
            ("id,pd,dd,pp,dp", Some(MoveList::Other)),
            ("B[pd];W[dd];B[pp];W[dp]", Some(MoveList::Other)),
            ("9 Q16 D4 Q4 D16 C3", Some(MoveList::Other)),
            ("00017\tpdddppdpqfnccncdch\n", Some(MoveList::Other)),
            ("the cat sat on the mat and went to sleep", None),
            ("dear all\n\nas we go on, do be so kind\n", None),
            ("<html><body>no games here at all</body></html>", None),
            ("", None),
            ("\u{FF}\u{FE}", None),
        ];
        for (text, expected) in cases {
            assert_eq!(move_list(text.as_bytes()), expected, "{text}");
        }
    }
}
