//! The table of finding codes. The macro generates the enumeration from it.

// The texts mention FF[4]. Users read them in messages and in this documentation.
#![allow(rustdoc::broken_intra_doc_links)]

use serde::{Deserialize, Serialize};

use super::{Description, MendKind, Mending, Severity};

macro_rules! codes {
    ($($variant:ident $id:literal $name:literal $severity:ident what $what:literal why $why:literal remedy $remedy:literal
        $(=> $kind:ident $mend:literal)?)*) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $what] $variant),*
        }

        impl Code {
            /// All codes with their descriptions, sorted by identifier.
            pub const TABLE: &'static [Description] = &[$(Description {
                code: Code::$variant,
                id: $id,
                name: $name,
                severity: Severity::$severity,
                what: $what,
                why: $why,
                remedy: $remedy,
                mending: codes!(@ $($kind $mend)?),
            }),*];
        }
    };
    (@) => { None };
    (@ $kind:ident $mend:literal) => { Some(Mending { kind: MendKind::$kind, what: $mend }) };
}

codes! {
    IdenticalCopy "C001" "identical-copy" Warning
        what "The game is there again, byte for byte; only with check --duplicates, like all C findings."
        why "Counts and trained networks take it for two games."
        remedy "Keep one: jigo duplicates says which."
    SameGame "C002" "same-game" Warning
        what "Another record has the same turns under another header."
        why "Counts and trained networks take it for two games, and neither header may be complete."
        remedy "Keep the one that jigo duplicates keeps, after taking over what only the other's header says."
    SymmetricCopy "C003" "symmetric-copy" Warning
        what "Another record has the same turns mirrored, turned, or with the colours exchanged."
        why "It is the same game for everybody who counts or trains up to symmetry."
        remedy "Keep one, unless the copies were made on purpose."
    CutCopy "C004" "cut-copy" Warning
        what "Another record goes on where this one ends, or ends before it."
        why "The shorter one is no game of its own, and its result may be missing."
        remedy "Keep the longer one."
    VariantCopy "C005" "variant-copy" Warning
        what "Another record differs by a few slips or in its last turns."
        why "It is one game, and at least one of the records is wrong."
        remedy "Compare both with a third source, and keep the one that is right."
    SameTurns "C006" "same-turns" Info
        what "Another game has the same turns, and other players, dates, clocks or winners."
        why "Programs that repeat themselves play such games, and so does who types a game in again under other names."
        remedy "None is needed; look at both where people are said to have played them."
    UnclosedGame "D001" "unclosed-game" Error
        what "A game ends without its closing parenthesis: the input was cut, or the next game begins."
        why "Turns at the end may be lost, so a count of the final position may be wrong."
        remedy "Fetch the record again, or close it by hand after checking its last turns."
        => Either "The missing parentheses are put in; where the game ends in a value that may be whole, with its bracket and --unsafe only."
    UnclosedValue "D002" "unclosed-value" Error
        what "A property value has no closing bracket."
        why "Everything after it could belong to the value, so the replay stops there."
        remedy "Close the bracket at the byte named, or fetch the record again."
        => Either "The bracket is put in, with --unsafe only if the value is not ASCII and the charset is a guess. A value in which the game ends is closed with --unsafe only, or the rest of a turn that lacks a letter taken out: the record is cut there, and nothing else says so."
    UnreadableNode "D003" "unreadable-node" Error
        what "A node has text that is no property."
        why "The node is left out of the replay, and what it said with it."
        remedy "Mend the node at the byte named; an unescaped ] in a comment is the usual cause."
    UnreadableProperty "D004" "unreadable-property" Warning
        what "A property that matters for the replay has a value that can't be read."
        why "The property is ignored; stones or the size of the board may be missing."
        remedy "Mend the value at the byte named."
    RepeatedProperty "D005" "repeated-property" Warning
        what "A property stands in a node more than once."
        why "FF[4] allows it once. Points, labels and comments are taken together; values of others may contradict each other, and the first is used."
        remedy "Put points, labels and comments into one, and delete all but one of others."
        => Either "Points, labels and comments are put into one. Of others all but the first are taken out, where they say something else with --unsafe only."
    OversizedGame "D006" "oversized-game" Error
        what "A game is larger than the limit for one game."
        why "It is not replayed, so that one endless game can't take all memory."
        remedy "Look at the byte named: usually a parenthesis or bracket is missing and many games run into one."
    TooManyVariations "D007" "too-many-variations" Warning
        what "The variations of a game have more turns, all together, than are replayed."
        why "Every variation is replayed from the start, so a large tree would take hours; the main line and the first ones are done. Setup stones count as turns do, and so do the numbers of the variation in each finding."
        remedy "Check the main line alone, cut the tree into games, or raise --max-variation-turns."
    UnreadablePosition "D008" "unreadable-position" Error
        what "A line of --input-format positions is no position."
        why "It has no score."
        remedy "Write one JSON object a line, with id and board at least; see the README."
    MissingSemicolon "D009" "missing-semicolon" Warning
        what "The root has no semicolon before its first property."
        why "It is read all the same; many programs refuse the game."
        remedy "Write the ; at the byte named."
        => Either "The semicolon is put in, or in place of a strange character; with --unsafe only where a guessed charset says what that is."
    EmptyNodes "D010" "empty-nodes" Info
        what "Nodes of the main line have no property."
        why "They are passed over; a turn may have been deleted there."
        remedy "Nothing, unless turns are missing."
        => Safe "The semicolons of empty nodes are taken out."
    UnescapedBracket "D011" "unescaped-bracket" Warning
        what "A text has a closing bracket that no backslash escapes."
        why "The text is read up to the bracket behind which the record goes on; programs that stop at the first one lose what follows."
        remedy "Write a backslash before the bracket in the text."
        => Either "Backslashes are put in before the brackets. Where what stands behind one looks like a node, or the charset is a guess and the text is not ASCII, with --unsafe only."
    BackslashAtEnd "D012" "backslash-at-end" Warning
        what "A text ends with a backslash, which escapes the bracket that should close it."
        why "The text is read up to there; other programs take the next property for a part of it."
        remedy "Double the backslash."
        => Either "The backslash is doubled. Where the charset is a guess and the text is not ASCII, with --unsafe only."
    NulBytes "D013" "nul-bytes" Warning
        what "A game has NUL bytes or ^Z in it."
        why "They are left out. Often a whole block of a disk is missing where they stand."
        remedy "Compare with another copy of the file."
        => Safe "They are taken out."
    FusedGames "D014" "fused-games" Error
        what "Another game begins within a game."
        why "The game ends there, so turns at its end may be lost; the next one is read by itself."
        remedy "Close the game before the byte named after checking its last turns."
        => Either "The missing parentheses are put in before the next game; where the game ends in a value that may be whole, with its bracket and --unsafe only."
    TurnInRoot "D015" "turn-in-root" Info
        what "The root holds a turn."
        why "FF[4] advises against it; the turn is played."
        remedy "Nothing, or move it to a node of its own."
        => Safe "Turns get nodes of their own behind the root."
    RepeatedSetup "D016" "repeated-setup" Warning
        what "A node sets up the same point more than once."
        why "FF[4] wants each point once; where the stones differ, which one is meant is a guess."
        remedy "Delete all but one."
        => Either "One is kept; where the stones differ it is the last, with --unsafe only."
    ExtraParenthesis "D017" "extra-parenthesis" Warning
        what "A closing parenthesis closes nothing: the same line of play goes on behind it, or no game is open."
        why "It is passed over. Programs that believe it lose the rest of the game."
        remedy "Delete the parenthesis at the byte named, or add the opening one that belongs to it."
        => Safe "The parenthesis is taken out."
    MissingOpening "D018" "missing-opening" Warning
        what "A game begins without its opening parenthesis."
        why "It is read all the same; many programs do not see it."
        remedy "Write the ( before the byte named, and look whether something before it is lost."
        => Safe "The parenthesis is put in."
    UnreadableLine "D019" "unreadable-line" Error
        what "A line of a record that is not SGF can't be read."
        why "What it says is left out; the lines around it are read."
        remedy "Look at the line; it may be damaged, or of a version of the format that nobody has described."
    TurnNumbers "D020" "turn-numbers" Warning
        what "The numbers of turns have gaps, or others are announced than are there."
        why "Lines may be missing: the game is then another one from there on."
        remedy "Compare with another copy of the record."
    LongName "D021" "long-property-name" Info
        what "A property of the main line has small letters in its name, beside capitals as before FF[4], or no others."
        why "FF[4] knows capitals alone: other programs do not read AddBlack, Komi or b[dd]."
        remedy "Write the capitals alone, such as AB for AddBlack, and B for b; only the first one of a game is told."
        => Safe "The small letters are left out; where there are no others, they become capitals."
    RectangleForm "D022" "rectangle-form" Info
        what "A rectangle of points has its corners in another order than FF[4] wants, or is a single point."
        why "Other programs leave such a list out, or refuse the record."
        remedy "Write the upper left corner first, as in AB[aa:cc], and a single point as itself."
        => Safe "The corners are put in their order, and a single point is written as itself."
    BytesBeforeRoot "D023" "bytes-before-root" Warning
        what "Control characters, a mark of UTF-8 or other strange bytes stand between the ( of a game and its first ;."
        why "They are passed over; many programs do not see the game. NUL and ^Z are D013."
        remedy "Delete the bytes at the place named, and compare with another copy if there are more such places."
        => Either "The bytes are taken out; with --unsafe only where a guessed charset says what they are."
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
        => Safe "SZ[19] is written."
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
        => Unsafe "HA is set to the number of stones that Black has before the first turn, where White has none, and is added to the root where it is missing."
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
        => Safe "KM is written in points."
    KomiZi "H011" "komi-zi" Info
        what "KM is written in zi, of which one is two points."
        why "Chinese records write 3.75 for a komi of 7.5 points."
        remedy "Nothing; the reading is in the detail. Write KM[7.5] to be understood by all."
        => Safe "KM is written in points."
    KomiComma "H012" "komi-comma" Info
        what "KM has a decimal comma."
        why "FF[4] wants a point; other programs read no komi or a wrong one."
        remedy "Write a point."
        => Safe "KM is written with a point."
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
        => Either "RE is written in points. Where the charset is a guess and the text is not ASCII, with --unsafe only."
    ZeroMargin "H021" "zero-margin" Warning
        what "RE names a winner with a margin of 0."
        why "Servers write it when they have no margin."
        remedy "Check the source."
        => Either "The margin is taken out, which leaves the winner. Where the charset is a guess and the text is not ASCII, with --unsafe only."
    ResultReason "H022" "result-reason" Info
        what "RE gives a reason that FF[4] does not know."
        why "The winner is clear, how the game ended is not."
        remedy "Nothing, or write R, T, F or the margin."
    MissingGame "H030" "missing-game" Info
        what "The record does not say that it is Go."
        why "SGF says Go then, and so does jigo; a record of another game would be replayed as nonsense."
        remedy "Nothing, or set GM[1]."
        => Either "GM[1] is written. Over another number or word it is with --unsafe only, and only where there are turns of Go."
    BoardSizeForm "H031" "board-size-form" Warning
        what "SZ is in another form than FF[4] wants."
        why "Other programs may take the board for 19x19."
        remedy "Write SZ[19], or SZ[19:17] for a board that is not square, without blanks and zeros before."
        => Safe "SZ is written as a number, or two with a colon between."
    ResultForm "H032" "result-form" Info
        what "RE is in words or in another form than FF[4] wants, and is read."
        why "Other programs may not read it."
        remedy "Write B+, W+ and a number, R, T or F behind it; 0, Void or ?."
        => Either "RE is written in FF[4]'s form, unless words in parentheses stand behind it. Where the charset is a guess and the text is not ASCII, with --unsafe only."
    KomiForm "H033" "komi-form" Info
        what "KM has a unit or a fraction, and is read."
        why "Other programs read no komi or a wrong one."
        remedy "Nothing; the reading is in the detail. Write KM[6.5] to be understood by all."
        => Either "KM is written as a decimal number. Where the charset is a guess and the text is not ASCII, with --unsafe only."
    UnreadableSource "I001" "unreadable-source" Error
        what "An input can't be opened or read."
        why "Its games are not in the report."
        remedy "Check the path and its permissions."
    NoGame "I002" "no-game" Error
        what "An input holds no game record."
        why "It is empty, in another format, or in an encoding that is not read."
        remedy "Leave it out, or convert it to what is read: SGF, GIB, NGF, UGF, lists of moves, and tables with a column of records."
    NotUtf8 "I003" "not-utf8" Info
        what "The text of a game is in another charset than UTF-8; the detail names it."
        why "It is converted; turns are not affected."
        remedy "Nothing, or convert the file to UTF-8."
        => Safe "The game is written in UTF-8, with CA[UTF-8]."
    TextOutsideGames "I004" "text-outside-games" Info
        what "There is text before, between or after the games."
        why "It is skipped. What has turns of a game is I018."
        remedy "Nothing, or look at the byte named if a game is missing."
        => Either "The text is taken out; what looks like a part of a game with --unsafe only."
    DamagedText "I005" "damaged-text" Warning
        what "A game has bytes that are no characters of its charset."
        why "Each becomes a replacement character; turns are not affected."
        remedy "Compare with another copy of the file, or mend the name at the byte named."
        => Unsafe "Bytes that are no characters become replacement characters."
    WrongCharsetLabel "I006" "wrong-charset-label" Warning
        what "CA names a charset that the bytes are not in."
        why "Programs that believe CA show wrong names."
        remedy "Correct CA, or convert the file to UTF-8."
        => Either "CA is set to UTF-8; where the charset was guessed, the game is written in UTF-8 with --unsafe only."
    GuessedCharset "I007" "guessed-charset" Info
        what "The text of a game is not UTF-8 and CA does not say what it is; the detail names what it looks like."
        why "With little text the guess can be wrong, and names with it; turns are not affected."
        remedy "Check the names, then set CA or convert the file to UTF-8."
        => Unsafe "The game is written in UTF-8 as the guess reads it, with CA[UTF-8]."
    CutCharacter "I008" "cut-character" Info
        what "A text ends in the middle of a character."
        why "The character is left out; the property is not."
        remedy "Nothing, or complete the name."
        => Safe "The half character is taken out."
    ControlCharacters "I009" "control-characters" Info
        what "A text of the header has control characters."
        why "They are left out, so that tables and terminals show the text as it is."
        remedy "Delete them."
        => Either "They are taken out. Where the charset is a guess and the text is not ASCII, with --unsafe only."
    PrivateCharacters "I010" "private-characters" Info
        what "A text of the header has characters of private use."
        why "They are kept; what they show depends on the font of whoever wrote them."
        remedy "Replace them by characters of Unicode."
    EncryptedMember "I011" "encrypted-member" Error
        what "A file in an archive is encrypted."
        why "Its games are not in the report."
        remedy "Unpack the archive with its password and name the folder instead."
    CorruptMember "I012" "corrupt-member" Error
        what "An archive or a file in it is damaged: cut, or its checksum is wrong."
        why "What could be unpacked is in the report, what follows is not."
        remedy "Fetch the archive again."
    ArchiveLimit "I013" "archive-limit" Error
        what "An archive goes beyond a limit: of unpacked size, files, ratio of packing, nesting, or memory that its headers want."
        why "The rest of it is not read, so that no archive can take all memory and time."
        remedy "If you trust the archive, raise the limit that the detail names."
    UnreadableRow "I014" "unreadable-row" Error
        what "A row of a table can't be read or has no record, or a batch of rows can't be read."
        why "Its games are not in the report; all other rows are."
        remedy "Give every row a record; the detail says what is missing, and --column names the column that has it."
    EncryptedRecord "I015" "encrypted-record" Error
        what "The record is encrypted."
        why "Nothing of the game can be read."
        remedy "Open it with the program that wrote it, and save it plainly or as SGF."
    LeftOut "I016" "left-out" Info
        what "A record that is not SGF says more than is read."
        why "What is named is in no table, and not in the SGF that it is converted to."
        remedy "Keep the record if you need it."
    NotInIndex "I017" "not-in-index" Warning
        what "The index has no row for a game of the list."
        why "Nothing is known of the game but its turns."
        remedy "Look whether the index belongs to the list, and whether its first column has the identifiers."
    TurnsOutsideGames "I018" "turns-outside-games" Error
        what "There are turns in a text before, between or after the games."
        why "They belong to a game that could not be read as one, and are in no row."
        remedy "Look at the byte named: give the game its (; and its header, or put its parts together."
        => Unsafe "The text is taken out."
    Ko "K001" "ko" Error
        what "A ko was retaken at once."
        why "Every ruleset forbids it; the position after the turn is the one before the opponent's."
        remedy "Check the record: usually a ko threat is missing, or the server let the turn pass."
        => Proposed "Readings of a typing error that make the whole record legal, each with what speaks for it."
    Superko "K002" "superko" Error
        what "A play brought back an earlier position, which the ruleset forbids."
        why "The turn was illegal; the rest of the record rests on it."
        remedy "Check the rules the game was played by: under Japanese or Korean rules the same turn is legal."
    Repetition "K003" "repetition" Info
        what "A play brought back an earlier position, which the ruleset allows or which no known ruleset judges."
        why "Under some rules the game would have been drawn or without result, under others the turn is illegal."
        remedy "See forbidden_by for the rules that forbid it."
    TooManyNodes "L001" "too-many-nodes" Error
        what "A game has more nodes than are read."
        why "The rest of it is not replayed, so that no game can take all memory and time."
        remedy "If the game is meant to be that long, raise --max-nodes."
    DeepVariations "L002" "deep-variations" Warning
        what "The variations of a game are nested deeper than they are followed."
        why "Variations from there on are not replayed; the main line and those before are done."
        remedy "If the tree is meant to be that deep, raise --max-depth."
    TooManyPoints "L003" "too-many-points" Error
        what "The setup and markup of a game name more points than are read."
        why "Rectangles such as [aa:ss] are short and stand for hundreds of points. The replay stops there, so that no game can take all memory and time."
        remedy "Look at the byte named; if the game is meant to be like that, raise --max-points."
    LongProperty "L004" "long-property" Warning
        what "A property is longer than one that is parsed."
        why "It is left out, since parsing takes many times its size in memory. Comments beside turns are not parsed and may be longer."
        remedy "Look at the byte named: usually a bracket is missing. If it is meant to be that long, raise --max-property."
    LongText "L005" "long-text" Warning
        what "A text in the root, such as a name, RU or RE, is longer than is kept."
        why "Every table repeats it, so the rest is cut off; a result or a ruleset is not recognised in such a text."
        remedy "Look at the byte named; texts about the game belong into GC. --max-text keeps more."
    LongLine "L006" "long-line" Error
        what "A line of --input-format positions is longer than is read."
        why "It has no score."
        remedy "Write one JSON object a line; if one is meant to be that long, raise --max-line."
    SlowGame "L007" "slow-game" Error
        what "The work on a game takes longer than it may."
        why "It ends there: turns that are not replayed are not judged, variations that are not reached are left out, and an ending that is not estimated in time has no score. How far it comes depends on the machine."
        remedy "Look at the game alone; if it is meant to be like that, raise --max-game-time."
    TooManyFindings "L008" "too-many-findings" Error
        what "A game has more findings than are kept."
        why "The replay stops there, so that no game can take all memory or fill a report by itself."
        remedy "Look at the first of them: usually the record is made up, or of another game. --max-findings keeps more."
    Occupied "P001" "occupied" Error
        what "A stone was put on an occupied point."
        why "The new stone replaces the old one, as FF[4] demands, so all that follows may be another game."
        remedy "Compare with another source of the game: a turn is wrong, missing or doubled."
        => Proposed "Readings of a typing error that make the whole record legal, each with what speaks for it."
    OffBoard "P002" "off-board" Error
        what "A stone was put outside the board."
        why "The turn is skipped."
        remedy "Correct the coordinates or the board size."
        => Proposed "Readings of a typing error that make the whole record legal, each with what speaks for it."
    UnreadableTurn "P003" "unreadable-turn" Error
        what "The value of a B or W property is no point."
        why "The turn is counted but not played."
        remedy "Correct the coordinates."
        => Proposed "Readings of a typing error that make the whole record legal, each with what speaks for it."
    SuicidePlay "P004" "suicide" Error
        what "A play took its own chain off the board, which the ruleset forbids."
        why "The chain is removed, as FF[4] demands, and its stones are prisoners."
        remedy "Check the turn before it: usually a stone is missing."
        => Proposed "Readings of a typing error that make the whole record legal, each with what speaks for it."
    WrongColor "P005" "wrong-color" Error
        what "A turn was taken by the player whose turn it was not."
        why "A turn of the other player is missing, or the colour is wrong."
        remedy "Compare with another source of the game."
        => Proposed "Readings of a typing error that make the whole record legal, each with what speaks for it."
    ImpliedPass "P006" "implied-pass" Info
        what "A player took two turns in a row; the other is taken to have passed in between."
        why "Situational superko and pass stones depend on that pass."
        remedy "Write the pass into the record, as B[] or W[]."
        => Unsafe "The pass is written before the turn."
    TurnsAfterEnd "P007" "turns-after-end" Info
        what "Turns follow two passes in a row."
        why "It is a resumption, not an error: the history goes on."
        remedy "Nothing."
    SeveralTurns "P008" "several-turns" Warning
        what "A node holds more than one turn, or a turn and setup."
        why "FF[4] forbids it; setup is done first, then the turns in the order written."
        remedy "Give every turn its own node."
        => Either "Turns behind the first, or behind setup, get nodes of their own. Of a turn with several values all but the first are taken out with --unsafe only."
    NoTurns "P020" "no-turns" Info
        what "The main line has no turn."
        why "There is nothing to replay; problems and diagrams look like this."
        remedy "Nothing, or look for the turns that are missing."
    OddCoordinates "P021" "odd-coordinates" Info
        what "Coordinates of a turn are in another form than FF[4] wants: capitals, blanks, the word pass, or as players write them; or those of setup, territory and marks in capitals."
        why "They are read as the detail says; other programs may skip the turn."
        remedy "Write two small letters, or nothing for a pass."
        => Safe "Points are written with two small letters, a pass with none."
    WinnerContradicted "R001" "winner-contradicted" Error
        what "RE names another winner than every count of the final position."
        why "Who trains on results, or rates players by them, takes the wrong player for the winner."
        remedy "Look at the cause in the detail, and at the board with jigo show --ending; compare with another source of the game."
        => Unsafe "Whichever the cause says: KM is written as it explains the result, RE with the other player, all turns and stones in the other colour; else RE as counted, where komi is recorded."
    MarginContradicted "R002" "margin-contradicted" Warning
        what "RE states another margin than the final position counts, and nothing speaks for it."
        why "The result, komi or turns of the record belong to another game, or one of them is wrong."
        remedy "Look at the cause in the detail, and at the board with jigo show --ending; compare with another source of the game."
        => Unsafe "Whichever the cause says: KM is written as it explains the result, all turns and stones in the other colour; else RE as counted, where komi is recorded."
    ResultExplained "R003" "result-explained" Info
        what "RE states another result than the final position counts, for a reason that leaves the record in order."
        why "Servers read territory in different ways, records lack the last turns, and groups are settled by agreement."
        remedy "Nothing; where a rule explains it, --rules counts by that rule."
        => Unsafe "Where the record has no komi, KM is written as it explains the result; where a turn on the last open point does, it is written behind the others."
    ResultInDoubt "R004" "result-in-doubt" Info
        what "RE states another result than the final position counts, and which stones are dead is in doubt, much of the board is open, a komi that is not recorded decides who won, or words stand behind the result."
        why "The count may be wrong, and the record right."
        remedy "Look at the board with jigo show --ending, or ask an engine with --dead engine."
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
