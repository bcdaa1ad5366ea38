//! The results table.

use std::fmt::{self, Write as _};

use super::{FILE, GAME, column};
use crate::tables::formats::text::{ASIDE, DOUBTFUL, GOOD, Line, PLACE};
use crate::tables::table::{Cells, Kind, POINTS, PROBABILITY, Row, Table, table, words_of};
use crate::tables::value::Value;
use jigo_core::audit::{Audit, Cause, Verdict};
use jigo_core::record::margin_text;
use jigo_core::sgf::GameText;

/// The names of all verdicts.
const VERDICTS: [&str; Verdict::NAMED.len()] = words_of(&Verdict::NAMED);

/// One game with a recorded result.
pub struct ResultRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The comparison of the recorded result with the count.
    pub audit: &'a Audit,
}

impl ResultRow<'_> {
    fn counted(&self) -> String {
        self.audit.counted.map_or(String::new(), margin_text)
    }

    fn cause(&self) -> String {
        self.audit.causes.first().map_or(String::new(), Cause::to_string)
    }
}

impl Row for ResultRow<'_> {
    table! {
        "results", "one row for each game that states a result, written by jigo score --table results and report", key ["file", "game"], |row|
        let audit = row.audit;
        let counted = row.counted();
        let cause = row.cause();
        let others = audit.causes.iter().skip(1).map(Cause::to_string).collect::<Vec<_>>().join(";");
        FILE => row.text.file,
        GAME.always() => row.text.game,
        column("stated", Kind::Text, "RE as understood: B+3.5, W+R, 0; as written where it is not").always() => audit.stated.as_str(),
        column("counted", Kind::Text, "the result as the server counts it, or the ruleset where no server is known") => counted.as_str(),
        column("difference", POINTS, "stated less counted, Black minus White; empty where no margin is stated or counted") => audit.difference,
        column("verdict", Kind::Word(&VERDICTS), "what the count says of the stated result").always() => audit.verdict.name(),
        column("cause", Kind::Text, "what explains a difference best; of a result that is the count, what it shows of rules that nobody stated")
            => cause.as_str(),
        column("confidence", PROBABILITY, "how probable it is that the players counted this number, or of a contradicted one, that no count gives what is stated; empty without doubt")
            => audit.confidence.map_or(Value::Empty, Value::Probability),
        column("ruleset", Kind::Text, "what was counted under, as --rules takes it; empty where nobody knows") => audit.ruleset.as_str(),
        column("other_causes", Kind::Text, "what explains a difference less well, the best first, with ; between") => others.as_str(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let audit = self.audit;
        line.styled(PLACE, format_args!("{}#{}", self.text.file, self.text.game))?;
        let style = if audit.verdict == Verdict::Same { GOOD } else { DOUBTFUL };
        write!(line, " {:<8} ", audit.stated)?;
        line.styled(style, format_args!("{}", audit.verdict.name()))?;
        if audit.counted.is_some() {
            write!(line, ", counted {}", self.counted())?;
        }
        if let Some(confidence) = audit.confidence {
            write!(line, " {confidence:.3}")?;
        }
        match self.cause().as_str() {
            "" => Ok(()),
            cause => line.styled(ASIDE, format_args!(" ({cause})")),
        }
    }
}
