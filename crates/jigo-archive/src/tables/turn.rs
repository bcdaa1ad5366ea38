//! The turns table.

use std::fmt::{self, Write as _};

use super::{COLOR, FILE, GAME, column};
use crate::tables::formats::text::{ASIDE, Line, PLACE};
use crate::tables::table::{Cells, Kind, Row, SECONDS, Table, table, words_of};
use crate::tables::value::Value;
use jigo_core::analyze::{TurnKind, TurnTaken};
use jigo_core::board::{BoardSize, Color};
use jigo_core::sgf::GameText;

/// The names of all kinds.
const KINDS: [&str; TurnKind::NAMED.len()] = words_of(&TurnKind::NAMED);

/// One turn of a game, or one stone of its setup.
pub struct TurnRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The size of the board.
    pub size: BoardSize,
    /// The number of the row among the rows of its game, from 1.
    pub step: usize,
    /// The turn.
    pub turn: &'a TurnTaken,
}

impl TurnRow<'_> {
    fn removed(&self) -> String {
        let mut removed = String::new();
        for point in &self.turn.removed {
            removed.push_str(if removed.is_empty() { "" } else { ";" });
            removed.extend(point.letters());
        }
        removed
    }
}

impl Row for TurnRow<'_> {
    table! {
        "turns", "one row for each turn of the main line that was replayed and for each stone that its setup changes, in their order, written by jigo check --table turns", key ["file", "game", "step"], |row|
        let turn = row.turn;
        let removed = row.removed();
        FILE => row.text.file,
        GAME.always() => row.text.game,
        column("turn", Kind::Integer, "B and W properties of the main line, from 1; of setup, the turn that it follows, 0 before the first").always() => turn.number,
        column("color", COLOR, "whose turn or stone; empty where setup takes a stone off") => turn.color,
        column("point", Kind::Text, "SGF pair, column first; empty for a pass and for what is no point") => turn.point,
        column("pass", Kind::Flag, "whether it is a pass").always() => turn.kind == TurnKind::Pass,
        column("captures", Kind::Integer, "stones of the opponent that it took off").always() => turn.captures,
        column("suicide", Kind::Integer, "stones of its own colour that it took off").always() => turn.suicide,
        column("hash", Kind::Text, "of the stones on the board after it, of setup after its whole node, 64 bits; the same stones have the same in every run and version").always()
            => Value::Hash(turn.hash),
        column("legal", Kind::Flag, "whether the rulesets judged by allow it and it could be made; true for setup").always() => turn.is_legal,
        column("seconds_left", SECONDS, "BL or WL: what its player had left on the clock after it")
            => turn.clock.milliseconds.map_or(Value::Empty, Value::Milliseconds),
        column("overtime_turns", Kind::Integer, "OB or OW: turns its player had left to take in that time") => turn.clock.turns,
        column("step", Kind::Integer, "place of the row in its game, from 1").always() => row.step,
        column("kind", Kind::Word(&KINDS), "what it is; skipped turns are off the board or can't be read").always() => turn.kind.name(),
        column("removed", Kind::Text, "the stones that a play took off, own ones too, as SGF pairs with ; between") => removed.as_str(),
        column("width", Kind::Integer, "columns of the board").always() => row.size.width(),
        column("height", Kind::Integer, "rows of the board").always() => row.size.height(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let turn = self.turn;
        line.styled(PLACE, format_args!("{}#{}", self.text.file, self.text.game))?;
        let point = turn.point.map_or(String::new(), |point| point.to_string());
        let color = turn.color.map_or("empty", Color::letter);
        match turn.kind {
            TurnKind::Setup => write!(line, " setup after turn {} {color}[{point}]", turn.number)?,
            _ => write!(line, " turn {} {color}[{point}]", turn.number)?,
        }
        for (stones, what) in [(turn.captures, "captures"), (turn.suicide, "loses")] {
            if stones > 0 {
                write!(line, " {what} {stones}")?;
            }
        }
        if !turn.is_legal {
            write!(line, " illegal")?;
        }
        line.styled(ASIDE, format_args!(" {:016x}", turn.hash))
    }
}
