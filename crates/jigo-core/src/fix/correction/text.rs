//! Corrections as edits of the recorded text.

use std::ops::Range;

use super::typo::Typo;
use crate::fix::Edit;
use jigo_record::record::nodes::{MainLine, Node, properties};
use jigo_record::sgf::tokens::lexer::{Lexer, ScanBudget, capitals};
use jigo_rules::board::{Color, Point};

/// A turn in a text.
struct TurnPlace {
    /// The offset of its node's `;`.
    node: usize,
    /// The bytes from the identifier to the last bracket.
    property: Range<usize>,
    value: Range<usize>,
    /// The end of its node.
    end: usize,
    /// The bytes from the `;` to the end of the node, if the node has only this turn.
    sole_node: Option<Range<usize>>,
    color: Color,
}

impl TurnPlace {
    /// Returns the edit that inserts a turn of the other player before it.
    fn preceded(&self, value: &str) -> Edit {
        Edit::insert(self.node, format!(";{}[{value}]", self.color.opponent().letter()))
    }
}

/// Returns the edits of a UTF-8 text that correct a typing error.
///
/// Returns `None` if the text lacks the turn, or the turn has several values.
pub fn edits(bytes: &[u8], typo: Typo) -> Option<Vec<Edit>> {
    let places = places(bytes, typo.turn() as usize + 1).all()?;
    let index = typo.turn() as usize - 1;
    let place = places.get(index)?;
    Some(match typo {
        Typo::Point { to, .. } => vec![Edit::replace(place.value.clone(), to.to_string())],
        Typo::Swapped { .. } => {
            let next = places.get(index + 1)?;
            // If the colours alternate, only the points change places. Otherwise the turns do,
            // including their other properties.
            let is_in_order = index == 0 || places[index - 1].color != place.color;
            let part = |place: &TurnPlace| if is_in_order { place.value.clone() } else { place.property.clone() };
            let (first, second) = (part(place), part(next));
            vec![Edit::replace(first.clone(), &bytes[second.clone()]), Edit::replace(second, &bytes[first])]
        }
        Typo::Missing { point, .. } => {
            let value = point.map_or(String::new(), |point| point.to_string());
            vec![place.preceded(&value)]
        }
        Typo::Extra { .. } => vec![Edit::delete(place.sole_node.clone().unwrap_or_else(|| place.property.clone()))],
        Typo::Color { .. } => {
            let letter = place.property.start..place.property.start + 1;
            (bytes[letter.clone()] == *place.color.letter().as_bytes())
                .then(|| vec![Edit::replace(letter, place.color.opponent().letter().to_string())])?
        }
    })
}

/// Returns the edits that insert passes before the given turns, which count from 1 in ascending
/// order.
///
/// A turn is skipped if the text lacks it, or if a pass would have no effect: several turns share
/// its node, or setup in its node declares the next player. `setup` returns true for the range of a
/// node with such setup.
pub fn passes(bytes: &[u8], before: &[u32], setup: impl Fn(Range<usize>) -> bool) -> Vec<Edit> {
    let Some(last) = before.last() else { return Vec::new() };
    let TurnPlaces { places: found, is_cut } = places(bytes, *last as usize + 1);
    let edit = |turn: &u32| {
        let index = (*turn as usize).checked_sub(1)?;
        let place = found.get(index).filter(|_| !is_cut || index + 1 < found.len())?;
        let is_first = index == 0 || found[index - 1].node != place.node;
        (is_first && !setup(place.node..place.end)).then(|| place.preceded(""))
    };
    before.iter().filter_map(edit).collect()
}

/// Returns the edit that adds a turn after the last one of the main line.
pub fn at_the_end(bytes: &[u8], color: Color, point: Point) -> Option<Edit> {
    let last = places(bytes, usize::MAX).all()?.pop()?;
    Some(Edit::insert(last.end, format!(";{}[{point}]", color.letter())))
}

/// The first turns of a main line.
struct TurnPlaces {
    places: Vec<TurnPlace>,
    /// True if the next turn has several values, whose meaning is unknown.
    is_cut: bool,
}

impl TurnPlaces {
    /// Returns the turns, or `None` if the list is incomplete.
    fn all(self) -> Option<Vec<TurnPlace>> {
        (!self.is_cut).then_some(self.places)
    }
}

/// Returns the first turns of the main line, at most `max_turns` of them.
fn places(bytes: &[u8], max_turns: usize) -> TurnPlaces {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut line = MainLine::from(lexer, 0);
    let mut places = Vec::new();
    while places.len() < max_turns
        && let Some(node) = line.next()
    {
        let end = line.position();
        let body = match node {
            Node::Turn { offset, .. } => offset + 1..end,
            Node::Other { body, .. } => body,
        };
        let (all, _) = properties(&lexer, body.clone());
        let is_sole = all.len() == 1;
        for property in &all {
            let letters = capitals(&bytes[property.identifier.clone()]);
            let color = match &*letters {
                b"B" => Color::Black,
                b"W" => Color::White,
                _ => continue,
            };
            let [value] = property.values.as_slice() else { return TurnPlaces { places, is_cut: true } };
            let sole_node = is_sole.then(|| body.start - 1..body.end);
            places.push(TurnPlace {
                node: body.start - 1,
                property: property.range.clone(),
                value: value.clone(),
                end: body.start + bytes[body.clone()].trim_ascii_end().len(),
                sole_node,
                color,
            });
        }
    }
    TurnPlaces { places, is_cut: false }
}
