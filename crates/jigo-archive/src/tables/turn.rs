//! The turns table.

use std::fmt::{self, Write as _};

use super::{COLOR, FILE, GAME, column};
use crate::tables::formats::text::{ASIDE, Line, PLACE};
use crate::tables::table::{Cells, Kind, Row, SECONDS, Table, Value};
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
    const TABLE: &'static Table = &Table {
        name: "turns",
        what: "one row for each turn of the main line that was replayed, written by jigo check --table turns",
        columns: &[
            FILE,
            GAME.always(),
            column("turn", Kind::Integer, "B and W properties of the main line, from 1").always(),
            column("color", COLOR, "whose turn").always(),
            column("point", Kind::Text, "SGF pair, column first; empty for a pass and for what is no point"),
            column("pass", Kind::Flag, "whether it is a pass").always(),
            column("captures", Kind::Integer, "stones of the opponent that it took off").always(),
            column("suicide", Kind::Integer, "stones of its own colour that it took off").always(),
            column(
                "hash",
                Kind::Text,
                "of the stones on the board after it, 64 bits; the same stones have the same in every run and version",
            )
            .always(),
            column("legal", Kind::Flag, "whether the rulesets judged by allow it and it could be made").always(),
            column("seconds_left", SECONDS, "BL or WL: what its player had left on the clock after it"),
            column("overtime_turns", Kind::Integer, "OB or OW: turns its player had left to take in that time"),
        ],
    };

    fn cells(&self, cells: &mut impl Cells) {
        let turn = self.turn;
        cells.put(self.text.file);
        cells.put(self.text.game);
        cells.put(turn.number);
        cells.put(turn.color);
        cells.put(turn.point);
        cells.put(turn.is_pass);
        cells.put(turn.captures);
        cells.put(turn.suicide);
        cells.put(Value::Hash(turn.hash));
        cells.put(turn.is_legal);
        cells.put(turn.clock.milliseconds.map_or(Value::Empty, Value::Milliseconds));
        cells.put(turn.clock.turns);
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
