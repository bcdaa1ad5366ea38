//! The one table of finding codes.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// The record is odd or had to be interpreted.
    Warning,
    /// The record is damaged, or breaks the rules it is judged by. Sets exit code 1.
    Error,
}

impl Severity {
    /// The word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// The row of a code.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The code.
    pub code: Code,
    /// Stable identifier: a letter for the subject and three digits.
    pub id: &'static str,
    /// The flaw's name.
    pub name: &'static str,
    /// How bad it is unless the rules say otherwise.
    pub severity: Severity,
    /// What it means.
    pub what: &'static str,
    /// Why it matters.
    pub why: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

macro_rules! codes {
    ($($variant:ident $id:literal $name:literal $severity:ident what $what:literal why $why:literal remedy $remedy:literal)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $what] $variant),*
        }

        impl Code {
            /// All codes with their rows, in the order of their identifiers.
            pub const TABLE: &'static [Description] = &[$(Description {
                code: Code::$variant,
                id: $id,
                name: $name,
                severity: Severity::$severity,
                what: $what,
                why: $why,
                remedy: $remedy,
            }),*];
        }
    };
}

codes! {
    UnclosedGame "D001" "unclosed-game" Error
        what "A game ends without its closing parenthesis: the input was cut, or the next game begins."
        why "Turns at the end may be lost, so a count of the final position may be wrong."
        remedy "Fetch the record again, or close it by hand after checking its last turns."
    UnclosedValue "D002" "unclosed-value" Error
        what "A property value has no closing bracket."
        why "Everything after it could belong to the value, so the replay stops there."
        remedy "Close the bracket at the byte named, or fetch the record again."
    UnreadableNode "D003" "unreadable-node" Error
        what "A node has text that is no property."
        why "The node is left out of the replay, and what it said with it."
        remedy "Mend the node at the byte named; an unescaped ] in a comment is the usual cause."
    UnreadableProperty "D004" "unreadable-property" Warning
        what "A property that matters for the replay has a value that can't be read."
        why "The property is ignored; stones or the size of the board may be missing."
        remedy "Mend the value at the byte named."
    RepeatedProperty "D005" "repeated-property" Warning
        what "A header property stands in the root more than once."
        why "The values may contradict each other; the first is used."
        remedy "Delete all but one."
    OversizedGame "D006" "oversized-game" Error
        what "A game is larger than the limit for one game."
        why "It is not replayed, so that one endless game can't take all memory."
        remedy "Look at the byte named: usually a parenthesis or bracket is missing and many games run into one."
    TooManyVariations "D007" "too-many-variations" Warning
        what "The variations of a game have more turns, all together, than are replayed."
        why "Every variation is replayed from the start, so a large tree would take hours; the main line and the first ones are done."
        remedy "Check the main line alone, or cut the tree into games."
    UnreadablePosition "D008" "unreadable-position" Error
        what "A line of --input-format positions is no position."
        why "It has no score."
        remedy "Write one JSON object a line, with id and board at least; see the README."
    EngineFailed "E001" "engine-failed" Warning
        what "The engine that was to name the dead stones gave no usable answer."
        why "The next source of --dead was asked, or the ending has no score."
        remedy "See the detail; --engine-timeout gives it more time."
    BoardSize "H001" "board-size" Error
        what "The board size is not one from 1 to 52."
        why "Without a board nothing can be replayed."
        remedy "Correct SZ in the record."
    MissingBoardSize "H002" "missing-board-size" Info
        what "The record names no board size."
        why "SGF says 19x19 then, and so does jigo; a turn outside would be off the board."
        remedy "Nothing, if the board was 19x19."
    NotGo "H003" "not-go" Info
        what "GM names another game than Go."
        why "The record is counted as unreadable and not replayed."
        remedy "Nothing, if it is another game; else set GM[1]."
    UnreadableKomi "H004" "unreadable-komi" Warning
        what "KM is not a number."
        why "Scores use the ruleset's komi instead."
        remedy "Correct KM, or count with --komi preset or --komi N."
    UnreadableHandicap "H005" "unreadable-handicap" Warning
        what "HA is not a whole number."
        why "The handicap is taken from the stones on the board."
        remedy "Correct HA."
    HandicapStones "H006" "handicap-stones" Warning
        what "The number of handicap stones differs from HA."
        why "The stones decide what is replayed; the compensation in area counting follows them too."
        remedy "Correct HA, or check whether the first turns or setup stones are missing."
    UnreadableResult "H007" "unreadable-result" Warning
        what "RE is in no form that is known."
        why "The counted result can't be compared with it."
        remedy "Write RE as B+3.5, W+R, 0, Void or ?."
    UnknownRules "H008" "unknown-rules" Info
        what "RU is missing or names no ruleset that is known."
        why "Ko and suicide are judged all the same; superko is only reported, since nobody knows whether it was forbidden."
        remedy "Name the rules with --assume-rules, or judge all games alike with --rules."
    MissingKomi "H009" "missing-komi" Info
        what "The record names no komi."
        why "Scores use the ruleset's komi."
        remedy "Give --komi N if it is known."
    KomiHundredths "H010" "komi-hundredths" Info
        what "KM is written in hundredths."
        why "Fox and its kin write KM[650] for 6.5 and KM[375] for 3.75 zi."
        remedy "Nothing; the reading is in the detail. Write KM[6.5] to be understood by all."
    KomiZi "H011" "komi-zi" Info
        what "KM is written in zi, of which one is two points."
        why "Chinese records write 3.75 for a komi of 7.5 points."
        remedy "Nothing; the reading is in the detail. Write KM[7.5] to be understood by all."
    KomiComma "H012" "komi-comma" Info
        what "KM has a decimal comma."
        why "FF[4] wants a point; other programs read no komi or a wrong one."
        remedy "Write a point."
    SuspectKomi "H013" "suspect-komi" Info
        what "KM is 0 in an even game, though its rules have a komi."
        why "Servers write KM[0] where they did not record the komi, so margins and winners may be off by it."
        remedy "Check the source; count with --komi preset if the komi was not recorded."
    RulesAgainstKomi "H014" "rules-against-komi" Info
        what "RU and KM do not go together: territory rules with a komi of Chinese rules."
        why "RU is often the default of a program, not what was played."
        remedy "Judge and count by what was played: --rules chinese."
    HandicapIsKomi "H015" "handicap-is-komi" Warning
        what "HA is a number with a fraction, as komi is."
        why "HA and KM were probably swapped; HA is not used."
        remedy "Put the value into KM."
    HandicapFormation "H016" "handicap-formation" Info
        what "The handicap stones are not on the traditional points, in any orientation."
        why "The rules of the record fix the points; the stones may be wrong."
        remedy "Nothing, if placement was free."
    ImpossibleResult "H017" "impossible-result" Warning
        what "No count gives the stated margin with this komi."
        why "A margin and komi add up to a whole number of points under every counting; one of the two is wrong."
        remedy "Check RE and KM."
    LoserMovedLast "H018" "loser-moved-last" Info
        what "The player who resigned or ran out of time made the last turn."
        why "It happens; but turns at the end may be missing, or the result may be the wrong way round."
        remedy "Compare with another source if it matters."
    MissingMargin "H019" "missing-margin" Info
        what "RE names a winner and no margin."
        why "Only the winner can be compared with the count."
        remedy "Nothing."
    ResultZi "H020" "result-zi" Info
        what "The margin of RE is in zi, of which one is two points."
        why "Chinese records count so; compared as points, it would be wrong by half."
        remedy "Nothing; the reading is in the detail."
    ZeroMargin "H021" "zero-margin" Warning
        what "RE names a winner with a margin of 0."
        why "Servers write it when they have no margin."
        remedy "Check the source."
    ResultReason "H022" "result-reason" Info
        what "RE gives a reason that FF[4] does not know."
        why "The winner is clear, how the game ended is not."
        remedy "Nothing, or write R, T, F or the margin."
    UnreadableSource "I001" "unreadable-source" Error
        what "An input can't be opened or read."
        why "Its games are not in the report."
        remedy "Check the path and its permissions."
    NoGame "I002" "no-game" Error
        what "An input holds no game record."
        why "It is empty, in another format, or in an encoding that is not read."
        remedy "Leave it out, or convert it to SGF in UTF-8."
    NotUtf8 "I003" "not-utf8" Warning
        what "The text of a game is not UTF-8."
        why "Names and comments have replacement characters; turns are not affected."
        remedy "Convert the file to UTF-8."
    TextOutsideGames "I004" "text-outside-games" Info
        what "There is text before, between or after the games."
        why "It is skipped. A game whose beginning is damaged would look like this."
        remedy "Look at the byte named if a game is missing."
    Ko "K001" "ko" Error
        what "A ko was retaken at once."
        why "Every ruleset forbids it; the position after the turn is the one before the opponent's."
        remedy "Check the record: usually a ko threat is missing, or the server let the turn pass."
    Superko "K002" "superko" Error
        what "A play brought back an earlier position, which the ruleset forbids."
        why "The turn was illegal; the rest of the record rests on it."
        remedy "Check the rules the game was played by: under Japanese or Korean rules the same turn is legal."
    Repetition "K003" "repetition" Info
        what "A play brought back an earlier position, which the ruleset allows or which no known ruleset judges."
        why "Under some rules the game would have been drawn or without result, under others the turn is illegal."
        remedy "See forbidden_by for the rules that forbid it."
    Occupied "P001" "occupied" Error
        what "A stone was put on an occupied point."
        why "The new stone replaces the old one, as FF[4] demands, so all that follows may be another game."
        remedy "Compare with another source of the game: a turn is wrong, missing or doubled."
    OffBoard "P002" "off-board" Error
        what "A stone was put outside the board."
        why "The turn is skipped."
        remedy "Correct the coordinates or the board size."
    UnreadableTurn "P003" "unreadable-turn" Error
        what "The value of a B or W property is no point."
        why "The turn is counted but not played."
        remedy "Correct the coordinates."
    SuicidePlay "P004" "suicide" Error
        what "A play took its own chain off the board, which the ruleset forbids."
        why "The chain is removed, as FF[4] demands, and its stones are prisoners."
        remedy "Check the turn before it: usually a stone is missing."
    WrongColor "P005" "wrong-color" Error
        what "A turn was taken by the player whose turn it was not."
        why "A turn of the other player is missing, or the colour is wrong."
        remedy "Compare with another source of the game."
    ImpliedPass "P006" "implied-pass" Info
        what "A player took two turns in a row; the other is taken to have passed in between."
        why "Situational superko and pass stones depend on that pass."
        remedy "Write the pass into the record, as B[] or W[]."
    TurnsAfterEnd "P007" "turns-after-end" Info
        what "Turns follow two passes in a row."
        why "It is a resumption, not an error: the history goes on."
        remedy "Nothing."
    SeveralTurns "P008" "several-turns" Warning
        what "A node holds more than one turn, or a turn and setup."
        why "FF[4] forbids it; setup is done first, then the turns in the order written."
        remedy "Give every turn its own node."
    SetupWithoutLiberties "S001" "setup-without-liberties" Warning
        what "Setup leaves a chain without a liberty."
        why "Such a position can't come about by play; the chain stays until a play next to it captures it."
        remedy "Check the setup stones."
    SetupInPlay "S002" "setup-in-play" Info
        what "Stones were set up after the first turn."
        why "A position that was set up has no past: repetitions are looked for from here on."
        remedy "Nothing, in a problem or a lecture; in a game, look for the turns that are missing."
    SetupOffBoard "S003" "setup-off-board" Error
        what "A setup stone is outside the board."
        why "It is left out."
        remedy "Correct the coordinates or the board size."
    InternalError "X001" "internal-error" Error
        what "jigo failed on this game."
        why "The game is counted as unreadable; all others are not affected."
        remedy "Please report it with the record."
    BrokenIdentity "X002" "broken-identity" Error
        what "Area and territory margin differ by another number than the stones played: jigo miscounted."
        why "No score is given for the game."
        remedy "Please report it with the record."
}

impl Code {
    /// The row of this code.
    pub fn description(self) -> &'static Description {
        // The macro writes the enum and the table in the same order.
        &Code::TABLE[self as usize]
    }

    /// Stable identifier.
    pub fn id(self) -> &'static str {
        self.description().id
    }

    /// The flaw's name.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// How bad it is unless the rules say otherwise.
    pub fn severity(self) -> Severity {
        self.description().severity
    }

    /// The codes that `text` selects: an identifier, a name, or the beginning of identifiers such as `K`. Letter case does
    /// not matter. Nothing is selected by an empty text or an unknown one.
    pub fn select(text: &str) -> Vec<Code> {
        let upper = text.to_ascii_uppercase();
        let matches = |row: &&Description| {
            !text.is_empty() && (row.id.starts_with(&upper) || row.name.eq_ignore_ascii_case(text))
        };
        Code::TABLE.iter().filter(matches).map(|row| row.code).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_and_names_are_unique_and_sorted_and_lead_back_to_their_code() {
        for (index, row) in Code::TABLE.iter().enumerate() {
            assert_eq!(row.code as usize, index);
            assert_eq!(Code::select(row.id), [row.code]);
            assert_eq!(Code::select(row.name), [row.code]);
            assert_eq!(row.id.len(), 4, "{}", row.id);
            if index > 0 {
                assert!(Code::TABLE[index - 1].id < row.id, "{} is out of order", row.id);
            }
            for sentence in [row.what, row.why, row.remedy] {
                assert!(sentence.ends_with('.') && sentence.len() > 7, "{}: {sentence}", row.id);
            }
        }
    }

    #[test]
    fn a_prefix_selects_its_codes_and_nonsense_none() {
        assert_eq!(Code::select("k"), [Code::Ko, Code::Superko, Code::Repetition]);
        assert!(Code::select("").is_empty());
        assert!(Code::select("Q9").is_empty());
    }
}
