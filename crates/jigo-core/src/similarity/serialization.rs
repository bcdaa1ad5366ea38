//! Serialisation of a sketch: two bytes for each turn, two more if it has clocks, and the texts of
//! the header.

use super::header_sketch::HeaderSketch;
use super::sketch::{GameSketch, PackedTurn};
use jigo_rules::HalfPoints;
use jigo_rules::board::{BoardSize, Color};

/// Placeholder for an unknown number.
const NO_NUMBER: i32 = i32::MIN;
/// Bytes besides texts and words: four numbers of one byte, three of four bytes, and eight lengths.
/// Identifiers of listed players follow, with a length each.
const HEAD: usize = 4 + 3 * 4 + 8 * 4;

impl GameSketch {
    /// Serialises the sketch. [`GameSketch::unpack`] is the inverse.
    pub fn pack(&self) -> Vec<u8> {
        let words = [&self.setup, &self.turns].map(|stones| stones.len()).iter().sum::<usize>() + self.clocks.len();
        let text_bytes = texts(&self.header).map(str::len).iter().sum::<usize>();
        let mut bytes = Vec::with_capacity(HEAD + text_bytes + 2 * words);
        bytes.extend([
            self.size.width(),
            self.size.height(),
            self.header.filled_fields,
            winner_byte(self.header.winner),
        ]);
        let numbers = [
            self.header.komi.map_or(NO_NUMBER, |komi| komi.0),
            self.header.margin.map_or(NO_NUMBER, |margin| margin.0),
            self.header.handicap.and_then(|stones| i32::try_from(stones).ok()).unwrap_or(NO_NUMBER),
        ];
        numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        texts(&self.header).iter().for_each(|text| put_text(&mut bytes, text));
        for stones in [&self.setup, &self.turns] {
            put_words(&mut bytes, stones.iter().map(|stone| stone.0));
        }
        put_words(&mut bytes, self.clocks.iter().copied());
        // Stores without identifiers stay readable by earlier versions, and theirs by this one.
        if self.header.listed_ids.iter().any(|id| !id.is_empty()) {
            self.header.listed_ids.iter().for_each(|id| put_text(&mut bytes, id));
        }
        bytes
    }

    /// Returns the board size and the turns of a packed sketch without reading the rest. Returns
    /// `None` for invalid bytes.
    pub(super) fn packed_turns(
        bytes: &[u8],
    ) -> Option<(BoardSize, impl ExactSizeIterator<Item = PackedTurn> + DoubleEndedIterator + Clone)> {
        let mut rest = bytes;
        let [width, height, ..] = *take(&mut rest, 4 + 3 * 4)? else { return None };
        let mut skip = |bytes_each: usize| {
            let length = length(&mut rest)?;
            take(&mut rest, length.checked_mul(bytes_each)?)
        };
        // Five texts of the header, and the setup.
        for bytes_each in [1, 1, 1, 1, 1, 2] {
            skip(bytes_each)?;
        }
        let turns = skip(2)?.chunks_exact(2).map(|word| PackedTurn(u16::from_le_bytes([word[0], word[1]])));
        Some((BoardSize::new(width, height)?, turns))
    }

    /// Deserialises the bytes of [`GameSketch::pack`]. Returns `None` for invalid bytes.
    pub fn unpack(bytes: &[u8]) -> Option<GameSketch> {
        let mut rest = bytes;
        let [width, height, filled_count, winner] = *take(&mut rest, 4)? else { return None };
        let mut number = || Some(i32::from_le_bytes(take(&mut rest, 4)?.try_into().ok()?));
        let numbers = [number()?, number()?, number()?].map(|number| (number != NO_NUMBER).then_some(number));
        let players = [text(&mut rest)?, text(&mut rest)?];
        let (date, event, place) = (text(&mut rest)?, text(&mut rest)?, text(&mut rest)?);
        let mut words = || {
            let length = length(&mut rest)?;
            let words = take(&mut rest, length.checked_mul(2)?)?;
            Some(words.chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]])).collect::<Vec<u16>>())
        };
        let [setup, turns, clocks] = [words()?, words()?, words()?];
        let stones = |words: Vec<u16>| {
            let stones =
                words.into_iter().map(|word| (usize::from(word) < PackedTurn::COUNT).then_some(PackedTurn(word)));
            stones.collect::<Option<Vec<PackedTurn>>>()
        };
        let (setup, turns) = (stones(setup)?, stones(turns)?);
        let listed_ids =
            if rest.is_empty() { [String::new(), String::new()] } else { [text(&mut rest)?, text(&mut rest)?] };
        let header = HeaderSketch {
            players,
            listed_ids,
            date,
            event,
            place,
            komi: numbers[0].map(HalfPoints),
            margin: numbers[1].map(HalfPoints),
            handicap: numbers[2].and_then(|stones| u32::try_from(stones).ok()),
            winner: byte_winner(winner)?,
            filled_fields: filled_count,
        };
        let is_complete = rest.is_empty() && (clocks.is_empty() || clocks.len() == turns.len());
        is_complete.then_some(GameSketch { size: BoardSize::new(width, height)?, setup, turns, clocks, header })
    }
}

fn texts(header: &HeaderSketch) -> [&str; 5] {
    [&header.players[0], &header.players[1], &header.date, &header.event, &header.place]
}

fn winner_byte(winner: Option<Option<Color>>) -> u8 {
    match winner {
        None => 0,
        Some(Some(color)) => color as u8,
        Some(None) => 3,
    }
}

fn byte_winner(byte: u8) -> Option<Option<Option<Color>>> {
    Some(match byte {
        0 => None,
        1 => Some(Some(Color::Black)),
        2 => Some(Some(Color::White)),
        3 => Some(None),
        _ => return None,
    })
}

/// Appends the length of a text, and the text.
fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

/// Takes a text with its length.
fn text(rest: &mut &[u8]) -> Option<String> {
    let length = length(rest)?;
    Some(std::str::from_utf8(take(rest, length)?).ok()?.to_owned())
}

/// Appends the number of words, and the words.
fn put_words(bytes: &mut Vec<u8>, words: impl ExactSizeIterator<Item = u16>) {
    bytes.extend((words.len() as u32).to_le_bytes());
    words.for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
}

/// Takes a number of four bytes.
fn length(rest: &mut &[u8]) -> Option<usize> {
    Some(u32::from_le_bytes(take(rest, 4)?.try_into().ok()?) as usize)
}

/// Takes `count` bytes from the start of `rest`.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, remaining) = rest.split_at_checked(count)?;
    *rest = remaining;
    Some(head)
}
