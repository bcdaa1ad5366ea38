//! A reading as edits of the recorded text.

use std::ops::Range;

use super::Slip;
use crate::fix::Edit;
use jigo_record::record::nodes::{MainLine, Node, properties};
use jigo_record::sgf::lexer::{Lexis, capitals};
use jigo_record::sgf::recovery::Patience;
use jigo_rules::board::{Color, Point};

/// A turn in a text.
struct TurnPlace {
    /// Byte of its node's `;`.
    node: usize,
    /// From the identifier to the last bracket.
    whole: Range<usize>,
    value: Range<usize>,
    /// Where its node ends.
    end: usize,
    /// From the `;` to the end of the node, where it has nothing but this turn.
    alone: Option<Range<usize>>,
    color: Color,
}

impl TurnPlace {
    /// The edit that puts a turn of the other player before it.
    fn preceded(&self, value: &str) -> Edit {
        Edit::insert(self.node, format!(";{}[{value}]", self.color.opponent().letter()))
    }
}

/// The edits of a text in UTF-8 that undo a slip; `None` where a turn is not found in it, or has several values.
pub fn edits(bytes: &[u8], slip: Slip) -> Option<Vec<Edit>> {
    let places = places(bytes, slip.turn() as usize + 1).all()?;
    let at = slip.turn() as usize - 1;
    let place = places.get(at)?;
    Some(match slip {
        Slip::Point { to, .. } => vec![Edit::replace(place.value.clone(), to.to_string())],
        Slip::Swapped { .. } => {
            let next = places.get(at + 1)?;
            // Nodes change places with what is written beside their turns; where colours are in order, only points do.
            let is_in_order = at == 0 || places[at - 1].color != place.color;
            let part = |place: &TurnPlace| if is_in_order { place.value.clone() } else { place.whole.clone() };
            let (one, other) = (part(place), part(next));
            vec![Edit::replace(one.clone(), &bytes[other.clone()]), Edit::replace(other, &bytes[one])]
        }
        Slip::Missing { point, .. } => {
            let value = point.map_or(String::new(), |point| point.to_string());
            vec![place.preceded(&value)]
        }
        Slip::Extra { .. } => vec![Edit::delete(place.alone.clone().unwrap_or_else(|| place.whole.clone()))],
        Slip::Color { .. } => {
            let letter = place.whole.start..place.whole.start + 1;
            (bytes[letter.clone()] == *place.color.letter().as_bytes())
                .then(|| vec![Edit::replace(letter, place.color.opponent().letter().to_string())])?
        }
    })
}

/// The edits that put in passes before turns, which count from 1 in ascending order, as far as a turn is found and a pass before it is what is missing: where several turns stand
/// in one node, or setup in that of the turn says who is to play, it would change nothing. `setup` says where in the text there is such setup.
pub fn passes(bytes: &[u8], before: &[u32], setup: impl Fn(Range<usize>) -> bool) -> Vec<Edit> {
    let Some(last) = before.last() else { return Vec::new() };
    let TurnPlaces { found, is_cut } = places(bytes, *last as usize + 1);
    let edit = |turn: &u32| {
        let at = (*turn as usize).checked_sub(1)?;
        let place = found.get(at).filter(|_| !is_cut || at + 1 < found.len())?;
        let is_first = at == 0 || found[at - 1].node != place.node;
        (is_first && !setup(place.node..place.end)).then(|| place.preceded(""))
    };
    before.iter().filter_map(edit).collect()
}

/// The edit that puts a turn behind the last one of the main line.
pub fn at_the_end(bytes: &[u8], color: Color, point: Point) -> Option<Edit> {
    let last = places(bytes, usize::MAX).all()?.pop()?;
    Some(Edit::insert(last.end, format!(";{}[{point}]", color.letter())))
}

/// The first turns of a main line.
struct TurnPlaces {
    found: Vec<TurnPlace>,
    /// Whether the next one has several values, of which nobody knows what they are.
    is_cut: bool,
}

impl TurnPlaces {
    /// Those that were asked for; `None` where there are others between them.
    fn all(self) -> Option<Vec<TurnPlace>> {
        (!self.is_cut).then_some(self.found)
    }
}

/// The first turns of the main line, up to `most`.
fn places(bytes: &[u8], most: usize) -> TurnPlaces {
    let patience = Patience::with(bytes.len());
    let lexis = Lexis { patience: Some(&patience), ..Lexis::utf8(bytes) };
    let mut line = MainLine::from(lexis, 0);
    let mut places = Vec::new();
    while places.len() < most
        && let Some(node) = line.next()
    {
        let end = line.position();
        let body = match node {
            Node::Turn { at, .. } => at + 1..end,
            Node::Other { body, .. } => body,
        };
        let (all, _) = properties(&lexis, body.clone());
        let is_alone = all.len() == 1;
        for property in &all {
            let letters = capitals(&bytes[property.identifier.clone()]);
            let color = match &*letters {
                b"B" => Color::Black,
                b"W" => Color::White,
                _ => continue,
            };
            let [value] = property.values.as_slice() else { return TurnPlaces { found: places, is_cut: true } };
            let alone = is_alone.then(|| body.start - 1..body.end);
            places.push(TurnPlace {
                node: body.start - 1,
                whole: property.whole.clone(),
                value: value.clone(),
                end: body.start + bytes[body.clone()].trim_ascii_end().len(),
                alone,
                color,
            });
        }
    }
    TurnPlaces { found: places, is_cut: false }
}
