//! The turns table.

use std::fmt::{self, Write as _};

use super::{COLOR, FILE, GAME, column};
use crate::tables::formats::text::{ASIDE, Line, PLACE};
use crate::tables::table::{Cells, Kind, Row, SECONDS, Table, Value, table};
use jigo_core::analyze::TurnTaken;
use jigo_core::sgf::GameText;

/// One turn of a game.
pub struct TurnRow<'a> {
    /// Where the game is.
    pub text: GameText<'a>,
    /// The turn.
    pub turn: &'a TurnTaken,
}

impl Row for TurnRow<'_> {
    table! {
        "turns", "one row for each turn of the main line that was replayed, written by jigo check --table turns", |row|
        let turn = row.turn;
        FILE => row.text.file,
        GAME.always() => row.text.game,
        column("turn", Kind::Integer, "B and W properties of the main line, from 1").always() => turn.number,
        column("color", COLOR, "whose turn").always() => turn.color,
        column("point", Kind::Text, "SGF pair, column first; empty for a pass and for what is no point") => turn.point,
        column("pass", Kind::Flag, "whether it is a pass").always() => turn.is_pass,
        column("captures", Kind::Integer, "stones of the opponent that it took off").always() => turn.captures,
        column("suicide", Kind::Integer, "stones of its own colour that it took off").always() => turn.suicide,
        column("hash", Kind::Text, "of the stones on the board after it, 64 bits; the same stones have the same in every run and version").always()
            => Value::Hash(turn.hash),
        column("legal", Kind::Flag, "whether the rulesets judged by allow it and it could be made").always() => turn.is_legal,
        column("seconds_left", SECONDS, "BL or WL: what its player had left on the clock after it")
            => turn.clock.milliseconds.map_or(Value::Empty, Value::Milliseconds),
        column("overtime_turns", Kind::Integer, "OB or OW: turns its player had left to take in that time") => turn.clock.turns,
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let turn = self.turn;
        line.styled(PLACE, format_args!("{}#{}", self.text.file, self.text.game))?;
        let point = turn.point.map_or(String::new(), |point| point.to_string());
        write!(line, " turn {} {}[{point}]", turn.number, turn.color.letter())?;
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
