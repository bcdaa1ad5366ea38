//! The examples below the help texts. A test runs each of them.

macro_rules! examples {
    ($($name:ident: $($line:literal $what:literal)*;)*) => {
        $(
            #[doc = concat!("Those of `", stringify!($name), "`.")]
            pub const $name: &str = concat!("Examples:", $("\n  ", $line, "\n      ", $what),*);
        )*
    };
}

examples! {
    CHECK:
        "jigo check games/" "every illegal turn, repetition, damage and contradiction in a folder, one row each, as CSV"
        "jigo check --rules nz --format text game.sgf" "one game under New Zealand rules, for reading"
        "jigo check --select K,P004 --format sarif --output findings.sarif games/" "repetitions and suicides for a code host"
        "jigo check --table turns --format jsonl --where 'size = 9' games/" "every turn of the games on 9x9";
    SCORE:
        "jigo score games/" "what every ending counts under the usual rulesets"
        "jigo score --rules japanese,aga --format text game.sgf" "one game under two rulesets, for reading"
        "jigo score --sample 10 --format jsonl games/" "about every tenth game"
        "jigo score --all-endings --komi preset game.sgf" "a game that somebody resigned, with the komi of each ruleset";
    REPORT:
        "jigo report --out audit games/" "all tables and a summary in one pass; then open audit/index.html"
        "jigo report --out half --limit 100 --exit-zero games/" "the first hundred games, to see what it looks like";
    COMPARE:
        "jigo compare games/" "how many margins and winners depend on the ruleset, and why"
        "jigo compare --rules japanese,chinese --list games/" "the games with another winner under the two, one row each"
        "jigo compare --rules all --list=margin --format jsonl games/" "every game and pair of rulesets with another margin";
    SHOW:
        "jigo show game.sgf" "the last position, and what is found in the game"
        "jigo show game.sgf --move 2" "the board after turn 2, with what is found there"
        "jigo show games/collection.sgf#2 --ending --rules japanese,aga" "an ending with its dead stones and territory, counted"
        "jigo show games/hostile.sgf --cycle" "a repetition, position by position"
        "jigo show games/marked.sgf --ending --out ending.svg" "a picture of it";
    RULES:
        "jigo rules" "the rulesets as a table"
        "jigo rules nz" "one of them in words, with its source"
        "jigo rules aga,scoring=territory" "a ruleset of your own";
    EXPLAIN:
        "jigo explain" "all codes"
        "jigo explain K002" "what superko means here, why it matters, and what to do"
        "jigo explain D" "everything on damaged text";
    SCHEMA:
        "jigo schema" "the columns of all tables"
        "jigo schema games --format json" "those of one, for a program";
    DIALECTS:
        "jigo dialects" "what servers and programs write, and what of the reading depends on it";
    COMPLETIONS:
        "jigo completions bash" "put it where your shell looks: bash, elvish, fish, powershell or zsh";
    MAN:
        "jigo man" "the page of jigo itself"
        "jigo man --out man1" "the pages of all commands";
    SPLIT:
        "jigo split --max-games 1 --out parts games/" "a file for each game"
        "jigo split --output parts.arrows games/" "rows, which jigo check --input-format arrow reads";
    PERFT:
        "jigo perft 2x2 --depth 8 --rules aga" "turn sequences of 1 to 8 turns"
        "jigo perft 1x3 --games" "complete games";
}

/// Those of `jigo` itself.
pub const JIGO: &str = "Examples:
  jigo check games/
      every illegal turn and repetition, one row each
  jigo check --rules nz --format text game.sgf
      one game under New Zealand rules, for reading
  jigo score --rules japanese,aga games/
      what the endings count under two rulesets
  jigo report --out audit games/
      all tables, a summary and a page to look at, in one pass
  jigo compare --rules japanese,aga games/
      how many margins and winners depend on the ruleset
  jigo show game.sgf --move 2
      the board after turn 2

Rows go to standard output, everything else to standard error.
Exit codes: 0 clean, 1 findings of severity error, 2 the command could not be carried out, 130 and 143 a signal ended it.";
