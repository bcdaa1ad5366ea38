//! The examples at the end of the help texts. A test runs each of them.

/// Formats command lines, each with its purpose, as the examples of a help text.
macro_rules! examples {
    ($($line:literal $what:literal)*) => {
        concat!("Examples:", $("\n  ", $line, "\n      ", $what),*)
    };
}
pub(crate) use examples;

/// The examples of `jigo` itself.
pub const JIGO: &str = "Examples:
  jigo game.sgf
      is the record sound, what is the score, and the board
  jigo check games/
      every illegal turn and repetition, one row each
  jigo check --rules nz --format text game.sgf
      one game under New Zealand rules, for reading
  jigo score --rules japanese,aga games/
      the count of the endings under two rulesets
  jigo report --out audit games/
      all tables, a summary and a page to look at, in one pass
  jigo compare --rules japanese,aga games/
      how many margins and winners depend on the ruleset
  jigo extract --clean --out clean.sgf --rejects broken.sgf games/
      the games without an error, byte for byte, and the others
  jigo show game.sgf --turn 2
      the board after turn 2

jigo help limits lists the limits that --max sets.
Rows go to standard output, everything else to standard error.
Exit codes: 0 clean, 1 findings of severity error, 2 the command failed, 129, 130 and 143 a signal ended it.";
