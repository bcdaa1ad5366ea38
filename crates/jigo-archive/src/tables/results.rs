//! The results table: one row per game with a recorded result.

use std::fmt::{self, Write as _};

use super::table_visitor::GameTable;
use crate::formats::Rows;
use crate::pipeline::VisitedGame;
use crate::row::line::{DOUBTFUL, LOCATION, Line, POSITIVE, SECONDARY};
use crate::row::shared_columns::{FILE, GAME, column, table};
use crate::row::{Cells, ColumnType, POINTS, PROBABILITY, Row, Table, Value};
use jigo_core::audit::{Audit, Cause, MarkFault, Verdict};
use jigo_record::splitter::GameText;
use jigo_rules::format_margin;

/// One game with a recorded result.
pub struct ResultRow<'a> {
    /// The game's text and position.
    pub text: GameText<'a>,
    /// The comparison of the recorded result with the count.
    pub audit: &'a Audit,
}

impl ResultRow<'_> {
    fn counted_text(&self) -> String {
        self.audit.counted.map_or(String::new(), format_margin)
    }

    fn cause(&self) -> String {
        self.audit.causes.first().map_or(String::new(), Cause::to_string)
    }

    fn mark_faults(&self) -> String {
        let faults = self.audit.marked.iter().flat_map(|marked| &marked.faults);
        faults.map(MarkFault::to_string).collect::<Vec<_>>().join(";")
    }
}

impl Row for ResultRow<'_> {
    table! {
        "results", "one row for each game with a recorded result, written by jigo score --table results and report", key ["file", "game"], |row|
        let audit = row.audit;
        let counted = row.counted_text();
        let cause = row.cause();
        let others = audit.causes.iter().skip(1).map(Cause::to_string).collect::<Vec<_>>().join(";");
        let faults = row.mark_faults();
        FILE => row.text.file,
        GAME.not_null() => row.text.game,
        column("stated", ColumnType::Text, "recorded result in normal form, such as B+3.5, W+R or 0; RE as written if it is not understood").not_null() => audit.recorded.as_str(),
        column("counted", ColumnType::Text, "counted result, by the server's scoring or, if the server is unknown, the ruleset's") => counted.as_str(),
        column("difference", POINTS, "recorded minus counted margin, Black minus White; empty if either is missing") => audit.difference,
        column("verdict", ColumnType::Word(&Verdict::WORDS), "verdict on the recorded result").not_null() => audit.verdict.name(),
        column("cause", ColumnType::Text, "likeliest cause of a contradiction; if the results agree, the rules that this reveals")
            => cause.as_str(),
        column("confidence", PROBABILITY, "probability that the counted result is right or, if contradicted, that no count gives the recorded one; empty if certain")
            => audit.confidence.map_or(Value::Empty, Value::Probability),
        column("ruleset", ColumnType::Text, "ruleset of the count, as --rules accepts it; empty if unknown") => audit.ruleset.as_str(),
        column("other_causes", ColumnType::Text, "less likely causes, the likeliest first, separated by semicolons") => others.as_str(),
        column("marked", POINTS, "margin by the territory marks of the record (TB, TW) alone, Black minus White; empty without marks, or if they cover a part of the board")
            => audit.marked.as_ref().map(|marked| marked.margin),
        column("mark_faults", ColumnType::Text, "stones and points on which the marks and a confident count differ, separated by semicolons") => faults.as_str(),
    }

    fn line(&self, line: &mut Line) -> fmt::Result {
        let audit = self.audit;
        line.styled(LOCATION, format_args!("{}#{}", self.text.file, self.text.game))?;
        let style = if audit.verdict == Verdict::Same { POSITIVE } else { DOUBTFUL };
        write!(line, " {:<8} ", audit.recorded)?;
        line.styled(style, format_args!("{}", audit.verdict.name()))?;
        if audit.counted.is_some() {
            write!(line, ", counted {}", self.counted_text())?;
        }
        if let Some(confidence) = audit.confidence {
            write!(line, " {confidence:.3}")?;
        }
        let cause = Some(self.cause()).filter(|cause| !cause.is_empty()).unwrap_or_else(|| self.mark_faults());
        match cause.as_str() {
            "" => Ok(()),
            cause => line.styled(SECONDARY, format_args!(" ({cause})")),
        }
    }
}

/// Writes recorded results next to the counts.
pub struct ResultRows;

impl GameTable for ResultRows {
    const TABLE: &'static Table = ResultRow::TABLE;

    fn add_game(&self, &VisitedGame { text, report, .. }: &VisitedGame<'_>, rows: &mut Rows) {
        if let Some(audit) = &report.audit {
            rows.push(&ResultRow { text: *text, audit });
        }
    }
}
