//! The table of finding codes. The macro generates the enumeration from it.

// The texts mention FF[4]. Users read them in messages and in this documentation.
#![allow(rustdoc::broken_intra_doc_links)]

use serde::{Deserialize, Serialize};

use super::severity::{FixDescription, FixSafety, Severity};

/// The description of a code.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Description {
    /// The code.
    pub code: Code,
    /// The stable identifier: a letter for the subject and three digits.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The severity, unless the rules determine another.
    pub severity: Severity,
    /// The meaning.
    pub what: &'static str,
    /// The reason why it matters.
    pub why: &'static str,
    /// The recommended action.
    pub remedy: &'static str,
    /// The fix that `jigo fix` applies.
    pub fix: Option<FixDescription>,
}

macro_rules! codes {
    ($($variant:ident $id:literal $name:literal $severity:ident what $what:literal why $why:literal remedy $remedy:literal
        $(=> $safety:ident $fix:literal)?)*) => {
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
                fix: codes!(@ $($safety $fix)?),
            }),*];
        }
    };
    (@) => { None };
    (@ $safety:ident $fix:literal) => { Some(FixDescription { safety: FixSafety::$safety, what: $fix }) };
}

codes! {
    UnmetExpectation "A001" "unmet-expectation" Error
        what "The game is not as an expectation of jigo.toml demands. The name of the row is that of the expectation, and its severity replaces this one."
        why "The archive's configuration says what its games must be, so the record is wrong or the game does not belong there."
        remedy "Compare the values in the detail with the expectation, which jigo config prints; correct the record, leave the game out with jigo extract --clean, or change the expectation."
    IdenticalCopy "C001" "identical-copy" Warning
        what "The same game occurs again, byte for byte. C findings need --duplicates."
        why "Statistics and trained networks count it twice."
        remedy "Keep one; jigo duplicates says which."
    SameGame "C002" "same-game" Warning
        what "Another record has the same turns under a different header."
        why "Statistics and trained networks count the game twice, and neither header may be complete."
        remedy "Keep the representative that jigo duplicates names; --merge-headers lists header values to take from the other records."
    SymmetricCopy "C003" "symmetric-copy" Warning
        what "Another record has the same turns mirrored, rotated or with the colours exchanged."
        why "It is the same game for any use that ignores symmetry, such as training."
        remedy "Keep one, unless the duplicates were made on purpose."
    CutCopy "C004" "cut-copy" Warning
        what "One of two records contains only the first turns of the other."
        why "The shorter record is not a separate game, and its result may be missing."
        remedy "Keep the longer record."
    VariantCopy "C005" "variant-copy" Warning
        what "Another record differs by a few typing errors or in its last turns."
        why "Both describe one game, and at least one of them is wrong."
        remedy "Compare both with a third source and keep the correct record."
    SameTurns "C006" "same-turns" Info
        what "Another game has the same turns but different players, dates, clocks or winners."
        why "Programs that repeat themselves produce such games; so does a game that is entered again under other names."
        remedy "Nothing, if programs played both games; compare the two records if people did."
    UnclosedGame "D001" "unclosed-game" Error
        what "A game ends without its closing parenthesis: the input was cut, or the next game begins."
        why "Turns at the end may be lost, so a count of the final position may be wrong."
        remedy "Fetch the record again, or check its last turns and close it by hand."
        => Either "Adds the missing parentheses. Only with --unsafe if the text may contain a second game or ends with a begun node, or if the game ends inside a value that may be complete; its bracket is then added as well."
    UnclosedValue "D002" "unclosed-value" Error
        what "A property value has no closing bracket. As an info: the game follows the grammar of FF[4], but a text contains a property, so the bracket of the text may be missing."
        why "Everything after it could belong to the value. jigo ends the value where a property or node begins, and reads on; without such a place the replay stops."
        remedy "Close the bracket at the byte named, or fetch the record again."
        => Either "Adds the bracket; only with --unsafe if a parenthesis precedes its place, if the text may contain a second game, or if the value is not ASCII and the charset is a guess. If the game ends inside the value, only with --unsafe: the value is closed, or the rest of a turn that lacks a letter is removed. The record is cut there."
    UnreadableNode "D003" "unreadable-node" Error
        what "A node contains text that is not a property, or there is text between nodes."
        why "The text may be the rest of a lost turn, stone or header value. The properties around it are read."
        remedy "Correct the node at the byte named; usual causes are a lost bracket and an unescaped ] in a comment."
    UnreadableProperty "D004" "unreadable-property" Warning
        what "A property that the replay needs has an unreadable value."
        why "The property is ignored; stones or the board size may be missing."
        remedy "Correct the value at the byte named."
    RepeatedProperty "D005" "repeated-property" Warning
        what "A property occurs more than once in a node."
        why "FF[4] allows it once. Points, labels and comments are merged; other values may contradict each other, and the first is used."
        remedy "Merge points, labels and comments; delete all but one of any other property."
        => Either "Merges points, labels and comments. Of other properties it keeps the first. Only with --unsafe if the values differ, FF[4] does not have the property, stones of another colour come between the properties, or the node does not follow the grammar of FF[4]. In a node with several turns only stones and territory are merged."
    OversizedGame "D006" "oversized-game" Error
        what "A game is larger than the limit (--max game=SIZE)."
        why "It is not replayed, so that one endless game can't use all memory."
        remedy "Look at the byte named: usually a missing parenthesis or bracket joins many games into one."
    TooManyVariations "D007" "too-many-variations" Warning
        what "The variations of a game have more turns in total than the limit (--max variation-turns=N)."
        why "Every variation is replayed from the start, so a large tree would take hours. The main line and the first variations are replayed. Setup stones count as turns, and so do the numbers in a finding's variation path."
        remedy "Check the main line alone, split the tree into games, or raise the limit."
    UnreadablePosition "D008" "unreadable-position" Error
        what "A row of a board as text, or a line of --input-format positions, is unreadable."
        why "The board has no score."
        remedy "Correct the row at the line and column named; in JSON, write one object per line with at least id and board. The guide describes both."
    MissingSemicolon "D009" "missing-semicolon" Warning
        what "The root or a variation has no semicolon before its first property."
        why "jigo reads the game; many programs reject it."
        remedy "Write the ; at the byte named."
        => Either "Adds the semicolon; only with --unsafe if it replaces a stray character."
    EmptyNodes "D010" "empty-nodes" Info
        what "Nodes of the main line have no property, a variation has no node, or diagrams that begin again at turn 1 are between the turns."
        why "They are ignored; a turn may have been deleted there. Some programs take a variation without nodes, or a diagram, for the main line."
        remedy "Nothing, unless turns are missing."
        => Either "Removes the semicolons of empty nodes; only with --unsafe if the node ends the text."
    UnescapedBracket "D011" "unescaped-bracket" Warning
        what "A text contains a closing bracket without a backslash before it, in a game that violates the grammar of FF[4]."
        why "jigo reads the text up to the bracket after which the record continues; programs that stop at the first bracket lose the rest."
        remedy "Write a backslash before the bracket."
        => Either "Adds a backslash before the brackets. Only with --unsafe if an opening bracket follows one, which may belong to a property, or if the charset is a guess and the text is not ASCII."
    BackslashAtEnd "D012" "backslash-at-end" Warning
        what "A text ends with a backslash, which escapes the bracket that should close it, in a game that violates the grammar of FF[4]."
        why "jigo ends the text there; other programs read the next property as part of it."
        remedy "Double the backslash."
        => Either "Doubles the backslash. Only with --unsafe if the charset is a guess and the text is not ASCII."
    NulBytes "D013" "nul-bytes" Warning
        what "A game contains NUL bytes or ^Z."
        why "They are left out. Often a whole disk block is missing at this place."
        remedy "Compare the file with another copy."
        => Either "Removes them. Only with --unsafe if any are inside a value, except NUL at its end."
    FusedGames "D014" "fused-games" Error
        what "Another game begins inside a game."
        why "The first game ends there, so turns at its end may be lost; the next game is read separately."
        remedy "Check the last turns of the first game and close it before the byte named."
        => Unsafe "Adds the missing parentheses before the next game, which may be a variation of the first. If the first game ends inside a value that may be complete, its bracket is added as well."
    TurnInRoot "D015" "turn-in-root" Info
        what "The root contains a turn."
        why "FF[4] advises against it; the turn is played."
        remedy "Nothing, or move the turn to a node of its own."
        => Either "Moves turns into nodes of their own after the root. In a later game of a source only with --unsafe if the root does not begin with a header, since it may be a node of the game before it."
    RepeatedSetup "D016" "repeated-setup" Warning
        what "A node sets up the same point more than once."
        why "FF[4] allows each point once. If the stones differ, the intended one is a guess."
        remedy "Delete all but one."
        => Either "Keeps one; if others come between them or the stones differ, it keeps the last, only with --unsafe."
    ExtraParenthesis "D017" "extra-parenthesis" Warning
        what "A closing parenthesis closes nothing: the same line of play continues after it, or no game is open."
        why "It is ignored. Programs that honour it lose the rest of the game."
        remedy "Delete the parenthesis at the byte named, or add its missing opening parenthesis."
        => Either "Removes the parenthesis; only with --unsafe if no turn follows it, variations or a damaged game precede it, or the text may contain a second game."
    MissingOpening "D018" "missing-opening" Warning
        what "A game begins without its opening parenthesis."
        why "jigo reads the game; many programs don't find it."
        remedy "Write the ( before the byte named, and check whether something before it is lost."
        => Either "Adds the parenthesis; only with --unsafe after another game if the root has no property that FF[4] allows only in roots, or if such a property has several values."
    UnreadableLine "D019" "unreadable-line" Error
        what "A line of a record that is not SGF is unreadable."
        why "Its content is left out; the lines around it are read."
        remedy "Look at the line: it may be damaged, or use an undocumented version of the format."
    TurnNumbers "D020" "turn-numbers" Warning
        what "Turn numbers have gaps, or the record announces another number of turns than it contains."
        why "Lines may be missing; the game then differs from the original from there on."
        remedy "Compare the record with another copy."
    LongName "D021" "long-property-name" Info
        what "A property name on the main line is not in the form of FF[4]: it has small letters or a number, or is a long name in capitals."
        why "FF[4] allows only short names in capitals: other programs don't read AddBlack, BLACK, Komi or b[dd]."
        remedy "Write the name of FF[4], such as AB for AddBlack, KM for Komi and B for b. Only the first such name of a game is reported."
        => Either "Writes the name of FF[4]. Only with --unsafe if the capitals of the name may mean another property, as in Komi or AppName."
    RectangleForm "D022" "rectangle-form" Info
        what "A rectangle of points has its corners in another order than FF[4] demands, or is a single point."
        why "Other programs ignore such a list or reject the record."
        remedy "Write the upper left corner first, as in AB[aa:cc], and a single point without a colon."
        => Either "Puts the corners in order, and writes a single point without a colon; only with --unsafe if a corner has capitals and the text has not exactly one SZ."
    BytesBeforeRoot "D023" "bytes-before-root" Warning
        what "Control characters, a UTF-8 byte order mark or other stray bytes precede the first ; of a game."
        why "They are ignored; many programs don't find the game. NUL and ^Z are D013."
        remedy "Delete the bytes at the place named, and compare with another copy if there are more such places."
        => Either "Removes the bytes; only with --unsafe if they are more than control characters and byte order marks."
    MisplacedNode "D024" "misplaced-node" Error
        what "A node follows a variation or has a header that contradicts the root, a setup follows the end of a game, a value has no property, or a turn has several different values."
        why "SGF allows none of these, and programs read them in different ways or lose them. A header or a setup may belong to another game. jigo reads a node after a variation as another variation, ignores the header and the value, and plays the first value of the turn."
        remedy "Give each game its parentheses, put the node before the variations or into a variation of its own, give the value its property, and give every turn its own node."
        => Unsafe "Keeps only the first value of a turn."
    UnreadableEvaluation "D025" "unreadable-evaluation" Info
        what "An evaluation that Sabaki, Ogatak, Lizzie or KaTrain wrote can't be read."
        why "Its row in check --table evaluations is missing or lacks a number. The replay and the counts don't need it."
        remedy "Analyse the position again in the program, or delete the property at the byte named."
    EngineFailed "E001" "engine-failed" Warning
        what "The engine gave no usable answer about dead stones."
        why "The next source of --dead is used, or the ending has no score."
        remedy "See the detail; --engine-timeout gives the engine more time."
    GivenStones "E002" "given-stones" Warning
        what "The dead stones given for the game are not stones of its last position."
        why "The game has no score. A stone with a wrong name would give a wrong count."
        remedy "Correct the points in --dead-stones, --seki or the list of --games: D4, or an SGF pair such as dp."
    ValueType "F001" "value-type" Info
        what "A value does not have the type that FF[4] gives its property: a number, 1 or 2, a colour, or nothing."
        why "Other programs ignore the value or stop reading the record. Source: property value types of FF[4]."
        remedy "Correct the value, or write its words into a comment."
        => Either "Writes numbers, colours and degrees in the form of FF[4], TM in seconds, and deletes numbers without a digit. Only with --unsafe it deletes other values of nodes. Words in the header stay."
    ValueRange "F002" "value-range" Info
        what "A number is outside the range that FF[4] gives its property."
        why "The value has no meaning: ST has four styles, PM three, and a handicap has at least two stones. Source: the properties of FF[4]."
        remedy "Correct the number, or delete the property."
        => Unsafe "Deletes the property, except HA."
    SeveralValues "F003" "several-values" Warning
        what "A property that has a single value has several."
        why "Programs use the first or the last value, join them, or reject the record. Source: property values of FF[4], where only lists have several."
        remedy "Keep one value, or join the texts."
        => Either "Joins the values of comments as lines, and keeps one of equal values. Only with --unsafe it keeps the first of other values."
    ComposedValue "F004" "composed-value" Info
        what "A value with two parts lacks its colon, or a colon in its text lacks a backslash."
        why "Programs ignore such labels, arrows and figures, or cut their text. Source: compose types of FF[4]."
        remedy "Write both parts with a colon between them, as in LB[aa:1], and \\: for a colon in the text."
        => Either "Adds the colon to AP, and backslashes to colons in texts. Only with --unsafe it deletes labels, arrows and lines without a second part."
    PointForm "F005" "point-form" Warning
        what "A value of markup, territory, a view, or of a variation that is not replayed, is not a point."
        why "Programs ignore the value or the whole list. Source: point lists of FF[4]."
        remedy "Write two letters, column first, as in TR[cc]."
        => Either "Deletes blanks and empty values. Only with --unsafe it deletes other values."
    OutsideBoard "F006" "outside-board" Info
        what "Markup, territory, a view, or a turn of a variation that is not replayed is outside the board."
        why "Programs ignore it, draw it in the wrong place, or fail. Source: points of Go in FF[4]."
        remedy "Correct the point or the board size."
        => Unsafe "Deletes the values."
    RepeatedPoint "F007" "repeated-point" Info
        what "A point occurs twice in a list, has two marks, or belongs to both territories; or a line occurs twice or has no length."
        why "FF[4] demands unique points; programs draw only one of the marks. Source: markup and territory properties of FF[4]."
        remedy "Keep one of them."
        => Either "Deletes values that occur earlier in the list; only with --unsafe lines without a length."
    AnnotationConflict "F008" "annotation-conflict" Info
        what "A node has annotations that exclude each other: two of BM, DO, IT and TE, or two of DM, GB, GW and UC."
        why "A turn can't be bad and good at once; programs show one of them. Source: annotation properties of FF[4]."
        remedy "Keep the one that is meant."
        => Unsafe "Writes DO for BM with TE and IT for TE with BM, as FF[3] meant them. Of others it keeps the first annotation."
    AnnotationWithoutTurn "F009" "annotation-without-turn" Info
        what "A node has KO, BM, DO, IT or TE, which are about a turn, but no turn."
        why "Programs ignore it or show it with another turn. Source: move annotation properties of FF[4]."
        remedy "Move it to the node of its turn, or delete it."
        => Unsafe "Deletes the annotation."
    SetupWithMove "F010" "setup-with-move" Info
        what "A node has both setup and properties of a move, such as PL and B, or AB and BL."
        why "FF[4] forbids the mixture; programs order the two differently or ignore one. Source: move and setup properties of FF[4]."
        remedy "Put the setup into a node of its own before the move. P008 reports a turn with stones."
        => Either "Moves turn, clocks and annotations into a node of their own after the setup, or a PL of the next player into a node after the turn; only with --unsafe for PL, in a record with errors, or if texts or marks follow the turn."
    RootProperty "F011" "root-property" Info
        what "A property of the root is in a later node."
        why "Programs ignore it, and others change the board or the charset in the middle of the game. Source: root properties of FF[4]."
        remedy "Delete it there, or move it to the root."
        => Either "Deletes the property if the root has the same value; otherwise only with --unsafe."
    RepeatedGameInfo "F012" "repeated-game-info" Info
        what "A node has game info although an earlier node of its path has some."
        why "FF[4] allows it in one node of each path; programs ignore the later values, and jigo reads those that the main line lacks before. Source: game-info properties of FF[4]."
        remedy "Merge it into the earlier node, usually the root."
        => Either "Deletes a value that the root also has. Only with --unsafe it moves a property that the root lacks there."
    ObsoleteProperty "F013" "obsolete-property" Info
        what "A record declares FF[4] and has a property that only earlier versions define."
        why "Programs of today ignore it, so marks and letters disappear. Source: the list of deprecated properties of FF[4]."
        remedy "Write LB for L and MA for M; move other values to a comment or a private name."
        => Either "Writes LB for L, with the letters in order, and MA for M; only with --unsafe in a record with errors. Only with --unsafe it writes KM for KI, whose unit is half a point. Other properties stay."
    NewerProperty "F014" "newer-property" Info
        what "A record declares an earlier version than the one that defines a property, a rectangle, an empty pass or a board with two sides."
        why "Programs that follow FF ignore it or reject the record. Source: the changes from FF[3] to FF[4]."
        remedy "Write FF[4]."
        => Either "Writes FF[4]; only with --unsafe if the record has properties that FF[4] does not define."
    UnknownFormat "F015" "unknown-format" Info
        what "FF is not one of FF[1] to FF[4]."
        why "Programs may refuse a version that does not exist. Source: the FF property of FF[4]."
        remedy "Write FF[4]."
        => Either "Writes FF[4]; only with --unsafe if the version is another one than 1 to 4 with blanks."
    UnknownCharset "F016" "unknown-charset" Info
        what "CA names no known charset."
        why "Programs guess the charset, and names may be wrong. Source: the CA property of FF[4] and RFC 1345."
        remedy "Name the charset, such as UTF-8."
        => Unsafe "Writes the charset in which jigo reads the record."
    EmptyVariation "F017" "empty-variation" Info
        what "A variation has no node of its own."
        why "FF[4] demands at least one node; programs reject the record or lose the variations after it. Source: the grammar of FF[4]."
        remedy "Delete the parentheses. D010 reports an empty variation on the main line."
        => Either "Deletes the parentheses if nothing or only other variations are between them; only with --unsafe in a record with errors."
    PropertyName "F018" "property-name" Info
        what "The name of a property contains other characters than capitals, or text belongs to no property."
        why "FF[4] allows capitals only; programs skip the property or reject the node. Source: the grammar of FF[4]."
        remedy "Write the name in capitals, or delete the property."
        => Unsafe "Deletes the property."
    DateForm "F019" "date-form" Info
        what "DT is not in the form of FF[4]."
        why "Programs can't sort or compare the dates. Source: the DT property of FF[4], which follows ISO 8601."
        remedy "Write DT[1996-05-06], or DT[1996-05-06,07] for two days."
        => Either "Writes the dates in the form of FF[4] if only one reading is possible. Only with --unsafe it reads 03.05.1999 with the day first."
    ImpossibleDate "F020" "impossible-date" Info
        what "DT names a day or a month that does not exist."
        why "The date is wrong, and programs that compute with it fail. Source: the DT property of FF[4]."
        remedy "Compare with another source."
    UnreadableOvertime "F021" "unreadable-overtime" Info
        what "OT describes the overtime in words that jigo does not read with certainty."
        why "The columns about overtime are empty, so filters on the time control don't select the game. FF[4] allows any text."
        remedy "Write a form such as OT[5x30 byo-yomi], OT[25/600 Canadian] or OT[30 fischer], with times in seconds."
    BoardSize "H001" "board-size" Error
        what "The board size is not between 1 and 52."
        why "Nothing can be replayed without a board."
        remedy "Correct SZ in the record."
    MissingBoardSize "H002" "missing-board-size" Info
        what "The record names no board size."
        why "SGF then means 19x19, and jigo follows it; a turn outside is off the board."
        remedy "Nothing, if the board was 19x19."
        => Either "Writes SZ[19]; only with --unsafe if part of the root was not read, no other property of a header is present, or another node states a size."
    NotGo "H003" "not-go" Info
        what "GM names another game than Go."
        why "The record counts as unreadable and is not replayed."
        remedy "Nothing, if it is another game; otherwise set GM[1]."
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
        why "The stones decide the replay and the handicap compensation in area counting."
        remedy "Correct HA, or check whether the first turns or setup stones are missing."
        => Unsafe "Sets HA to the number of Black's stones before the first turn, provided that White has none; adds HA to the root if it is missing."
    UnreadableResult "H007" "unreadable-result" Warning
        what "RE has no known form."
        why "The counted result can't be compared with it."
        remedy "Write RE as B+3.5, W+R, 0, Void or ?."
    UnknownRules "H008" "unknown-rules" Info
        what "RU is missing or names no known ruleset."
        why "Ko and suicide are judged as errors; superko is only reported, since the rules may allow it."
        remedy "Name the rules with --assume-rules, or judge all games alike with --rules."
    MissingKomi "H009" "missing-komi" Info
        what "The record names no komi."
        why "Scores use the ruleset's komi, or 0 if the date is before komi was used."
        remedy "Give --komi N if you know it."
    KomiHundredths "H010" "komi-hundredths" Info
        what "KM is written in hundredths."
        why "Fox and related sources write KM[650] for 6.5 points and KM[375] for 3.75 zi."
        remedy "Nothing; the detail shows the value in points. Write KM[6.5] for other programs."
        => Either "Writes KM in points. Only with --unsafe from 100 to 400, which may be hundredths of zi."
    KomiZi "H011" "komi-zi" Info
        what "KM is written in zi; one zi is two points."
        why "Chinese records write 3.75 for a komi of 7.5 points."
        remedy "Nothing; the detail shows the value in points. Write KM[7.5] for other programs."
        => Safe "Writes KM in points."
    KomiComma "H012" "komi-comma" Info
        what "KM has a decimal comma."
        why "FF[4] demands a point; other programs read no komi or a wrong one."
        remedy "Write a point."
        => Safe "Writes KM with a decimal point."
    SuspectKomi "H013" "suspect-komi" Info
        what "KM is 0 in an even game, although its rules have a komi."
        why "Some servers write KM[0] if they did not record the komi, so margins and winners may be off by it."
        remedy "Check the source; count with --komi preset if the komi was not recorded."
    RulesAgainstKomi "H014" "rules-against-komi" Info
        what "RU and KM contradict each other: territory rules with a komi of Chinese rules."
        why "RU is often a program's default rather than the rules of the game."
        remedy "If the game followed Chinese rules, use --rules chinese."
    HandicapIsKomi "H015" "handicap-is-komi" Warning
        what "HA is a number with a fraction, like a komi."
        why "HA and KM were probably swapped; HA is not used."
        remedy "Move the value to KM."
    HandicapFormation "H016" "handicap-formation" Info
        what "The handicap stones are not on the traditional points in any orientation."
        why "The record's rules fix these points; the stones may be wrong."
        remedy "Nothing, if the placement was free."
    ImpossibleResult "H017" "impossible-result" Warning
        what "No count gives the recorded margin with this komi."
        why "Margin and komi add up to a whole number of points under every way of counting; one of the two is wrong."
        remedy "Check RE and KM."
    LoserMovedLast "H018" "loser-moved-last" Info
        what "The player who resigned or ran out of time took the last turn."
        why "This happens, but the last turns may be missing, or the result may name the wrong player."
        remedy "Compare the record with another source if this matters."
    MissingMargin "H019" "missing-margin" Info
        what "RE names a winner without a margin."
        why "Only the winner can be compared with the count."
        remedy "Nothing."
    ResultZi "H020" "result-zi" Info
        what "RE gives the margin in zi; one zi is two points."
        why "Chinese records use zi; read as points, the margin would be half its size."
        remedy "Nothing; the detail shows the margin in points."
        => Either "Writes RE in points. Only with --unsafe if the charset is a guess and the text is not ASCII."
    ZeroMargin "H021" "zero-margin" Warning
        what "RE names a winner with a margin of 0."
        why "Servers write it if they have no margin."
        remedy "Check the source."
        => Either "Removes the margin and keeps the winner. Only with --unsafe if the charset is a guess and the text is not ASCII."
    ResultReason "H022" "result-reason" Info
        what "RE gives a reason that FF[4] does not define."
        why "The winner is clear, the reason for the win is not."
        remedy "Nothing, or write R, T, F or the margin."
    MissingGame "H030" "missing-game" Info
        what "The record does not state that it is Go. If GM is not a number, this is a warning."
        why "SGF then means Go, and jigo follows it; a record of another game would be replayed as nonsense."
        remedy "Nothing, or set GM[1]."
        => Either "Writes GM[1]. Only with --unsafe, and only if there are turns of Go, if GM has another number or a word."
    BoardSizeForm "H031" "board-size-form" Warning
        what "SZ has another form than FF[4] demands."
        why "Other programs may read the board as 19x19."
        remedy "Write SZ[19], or SZ[19:17] for a board that is not square, without blanks or leading zeros."
        => Safe "Writes SZ as one number, or as two with a colon."
    ResultForm "H032" "result-form" Info
        what "RE is in words or another form that FF[4] does not define; jigo can read it."
        why "Other programs may not read it."
        remedy "Write B+ or W+ followed by a number, R, T or F; or 0, Void or ?."
        => Either "Writes RE in FF[4]'s form, unless words in parentheses follow it. Only with --unsafe if the charset is a guess and the text is not ASCII."
    KomiForm "H033" "komi-form" Info
        what "KM has a unit or a fraction; jigo can read it."
        why "Other programs read no komi or a wrong one."
        remedy "Nothing; the detail shows the value. Write KM[6.5] for other programs."
        => Either "Writes KM as a decimal number. Only with --unsafe if the charset is a guess and the text is not ASCII."
    HeaderForm "H034" "header-form" Info
        what "A header value has another form than jigo fix --normalize writes. jigo check does not report it."
        why "Searches, tables and counts treat the forms of one value as different values."
        remedy "Nothing, or jigo fix --normalize."
        => Safe "Writes the value in the form that --normalize selects, if it has one possible reading."
    UnreadableSource "I001" "unreadable-source" Error
        what "An input can't be opened or read."
        why "Its games are not in the report."
        remedy "Check the path and its permissions."
    NoGame "I002" "no-game" Error
        what "An input contains no game record."
        why "It is empty, in another format, or in an unsupported encoding."
        remedy "Leave it out, or convert it to a supported format: SGF, GIB, NGF, UGF, lists of moves, boards as text, or tables with a column of records."
    NotUtf8 "I003" "not-utf8" Info
        what "A game's text is not UTF-8; the detail names its charset."
        why "jigo converts it; turns are not affected."
        remedy "Nothing, or convert the file to UTF-8."
        => Either "Writes the game in UTF-8, with CA[UTF-8]. Only with --unsafe if the text has incomplete, invalid or private-use characters, or backslashes that may be halves of characters."
    TextOutsideGames "I004" "text-outside-games" Info
        what "There is text before, between or after the games."
        why "It is skipped. Text that contains part of a game is I018."
        remedy "Nothing, or look at the byte named if a game is missing."
        => Either "Removes the text; only with --unsafe unless it is white space, padding or a UTF-8 byte order mark."
    DamagedText "I005" "damaged-text" Warning
        what "A game contains bytes that are not characters of its charset."
        why "Each becomes a replacement character; turns are not affected."
        remedy "Compare with another copy of the file, or correct the name at the byte named."
        => Unsafe "Replaces these bytes with replacement characters."
    WrongCharsetLabel "I006" "wrong-charset-label" Warning
        what "CA names another charset than the bytes are in."
        why "Programs that trust CA show wrong names."
        remedy "Correct CA, or convert the file to UTF-8."
        => Either "Sets CA to UTF-8, only with --unsafe if the text may be CA's charset after a wrong conversion. If the charset was guessed, writes the game in UTF-8, only with --unsafe."
    GuessedCharset "I007" "guessed-charset" Info
        what "A game's text is not UTF-8 and CA does not name its charset; the detail names the guess."
        why "A guess from little text can be wrong, and names with it; turns are not affected."
        remedy "Check the names, then set CA or convert the file to UTF-8."
        => Unsafe "Writes the game in UTF-8 as the guess reads it, with CA[UTF-8]."
    CutCharacter "I008" "cut-character" Info
        what "A text ends in the middle of a character."
        why "The character is left out; the property is kept."
        remedy "Nothing, or complete the name."
        => Unsafe "Removes the incomplete character."
    ControlCharacters "I009" "control-characters" Info
        what "A text of the header contains control characters."
        why "They are left out, so that tables and terminals show the text safely."
        remedy "Delete them."
        => Unsafe "Removes them. They may be shift codes, or halves of characters of another charset."
    PrivateCharacters "I010" "private-characters" Info
        what "A text of the header contains private-use characters."
        why "They are kept; their shape depends on the author's font."
        remedy "Replace them with standard Unicode characters."
    EncryptedMember "I011" "encrypted-member" Error
        what "A file in an archive is encrypted."
        why "Its games are not in the report."
        remedy "Unpack the archive with its password and name the folder instead."
    CorruptMember "I012" "corrupt-member" Error
        what "An archive or a file in it is damaged: it is cut, or its checksum is wrong."
        why "The report contains the files before the damage and none after it."
        remedy "Fetch the archive again."
    ArchiveLimit "I013" "archive-limit" Error
        what "An archive exceeds a limit on unpacked size, files, compression ratio, nesting or memory for its headers."
        why "The rest of it is not read, so that no archive can use all memory and time."
        remedy "If you trust the archive, raise the limit that the detail names."
    UnreadableRow "I014" "unreadable-row" Error
        what "A row of a table is unreadable or has no record, or a batch of rows is unreadable."
        why "Its games are not in the report; all other rows are."
        remedy "Give every row a record; the detail names what is missing, and --column names the record's column."
    EncryptedRecord "I015" "encrypted-record" Error
        what "The record is encrypted."
        why "Nothing of the game can be read."
        remedy "Open it with the program that wrote it, and save it unencrypted or as SGF."
    LeftOut "I016" "left-out" Info
        what "A record that is not SGF contains values that jigo does not read."
        why "The values named are in no table, and not in the SGF after conversion."
        remedy "Keep the original record if you need them."
    NotInIndex "I017" "not-in-headers" Warning
        what "The table of --headers has no row for a game of the list."
        why "jigo knows only the turns of the game."
        remedy "Check whether the table belongs to the list, and whether its first column contains the identifiers."
    TurnsOutsideGames "I018" "turns-outside-games" Error
        what "Text before, between or after the games contains turns or other properties, or part of a record in another format."
        why "They belong to a game that could not be read, and are in no row. Whole records in other formats are read as games. No fix removes them."
        remedy "Look at the byte named: give the game its (; and its header, join its parts, or complete the other record."
    RepeatedId "I019" "repeated-id" Warning
        what "A row of a table has the identifier of an earlier row."
        why "Rows about the two records have the same name, so no reader can tell which record each is about."
        remedy "Give every row its own identifier, or name another column with --id-column."
    DoubleEncoding "I020" "double-encoding" Warning
        what "A text of the header was read in the wrong charset and saved as UTF-8."
        why "Names are unreadable, as in Ã© for é, and no program can tell that they are wrong."
        remedy "Take another copy of the record, or decode the text again."
        => Unsafe "Decodes all such text of the game once more, also in comments."
    Ko "K001" "ko" Error
        what "A ko was retaken at once."
        why "Nearly every ruleset forbids it: the turn restores the position before the opponent's turn."
        remedy "Check the record: usually a ko threat is missing, or the server allowed the turn."
        => Suggested "Lists the corrections of one typing error that make the whole record legal, each with the evidence for it."
    Superko "K002" "superko" Error
        what "A play brought back an earlier position, which the ruleset forbids."
        why "The turn was illegal, and all later turns depend on it."
        remedy "Check the rules of the game: Japanese and Korean rules allow the same turn."
    Repetition "K003" "repetition" Info
        what "A play brought back an earlier position, which the ruleset allows, or the ruleset is unknown."
        why "Some rules make the game a draw or void, others forbid the turn."
        remedy "See forbidden_by for the rules that forbid it."
    TooManyNodes "L001" "too-many-nodes" Error
        what "A game has more nodes than the limit (--max nodes=N)."
        why "The rest of it is not replayed, so that no game can use all memory and time."
        remedy "If the game is really that long, raise the limit."
    DeepVariations "L002" "deep-variations" Warning
        what "The variations of a game are nested deeper than the limit (--max depth=N)."
        why "Deeper variations are not replayed; the main line and the variations above are."
        remedy "If the tree is really that deep, raise the limit."
    TooManyPoints "L003" "too-many-points" Error
        what "The setup and markup of a game name more points than the limit (--max points=N)."
        why "Short rectangles such as [aa:ss] name hundreds of points. The replay stops there, so that no game can use all memory and time."
        remedy "Look at the byte named; if the game is really like that, raise the limit."
    LongProperty "L004" "long-property" Warning
        what "A property is longer than the limit (--max property=SIZE)."
        why "It is left out, since parsing uses many times its size in memory. Comments next to turns are not parsed and may be longer."
        remedy "Look at the byte named: usually a bracket is missing. If the property is really that long, raise the limit."
    LongText "L005" "long-text" Warning
        what "A text in the root, such as a name, RU or RE, is longer than the limit (--max text=SIZE)."
        why "Every table repeats it, so the rest is cut off; a result, ruleset or komi is not recognised in such a text."
        remedy "Look at the byte named; texts about the game belong in GC. To keep more, raise the limit."
    LongLine "L006" "long-line" Error
        what "A line of --input-format positions is longer than the limit (--max line=SIZE)."
        why "It has no score."
        remedy "Write one JSON object per line; if one is really that long, raise the limit."
    SlowGame "L007" "slow-game" Error
        what "The work on a game takes longer than the limit (--max game-time=SECONDS)."
        why "It stops there: the remaining turns are not judged, the remaining variations are left out, and an unfinished estimate gives no score. How far it gets depends on the machine."
        remedy "Look at the game alone; if it is really like that, raise the limit."
    TooManyFindings "L008" "too-many-findings" Error
        what "A game has more findings than the limit (--max findings=N)."
        why "The replay stops there, so that no game can use all memory or fill a report by itself."
        remedy "Look at its first findings: usually the record is artificial or of another game. To keep more, raise the limit."
    Occupied "P001" "occupied" Error
        what "A stone was put on an occupied point."
        why "The new stone replaces the old one, as FF[4] demands, so the rest of the replay may be a different game."
        remedy "Compare with another source of the game: a turn is wrong, missing or doubled."
        => Suggested "Lists the corrections of one typing error that make the whole record legal, each with the evidence for it."
    OffBoard "P002" "off-board" Error
        what "A stone was put outside the board."
        why "The turn is skipped."
        remedy "Correct the coordinates or the board size."
        => Suggested "Lists the corrections of one typing error that make the whole record legal, each with the evidence for it."
    UnreadableTurn "P003" "unreadable-turn" Error
        what "The value of a B or W property is not a point."
        why "The turn counts but is not played."
        remedy "Correct the coordinates."
        => Suggested "Lists the corrections of one typing error that make the whole record legal, each with the evidence for it."
    SuicidePlay "P004" "suicide" Error
        what "A play captured its own chain, which the ruleset forbids."
        why "The chain is removed, as FF[4] demands, and its stones are prisoners."
        remedy "Check the turn before it: usually a stone is missing."
        => Suggested "Lists the corrections of one typing error that make the whole record legal, each with the evidence for it."
    WrongColor "P005" "wrong-color" Error
        what "The wrong player took the turn."
        why "A turn of the other player is missing, or the colour is wrong."
        remedy "Compare with another source of the game."
        => Suggested "Lists the corrections of one typing error that make the whole record legal, each with the evidence for it."
    ImpliedPass "P006" "implied-pass" Info
        what "A player took two turns in a row; jigo assumes that the other player passed in between."
        why "Situational superko and pass stones depend on that pass."
        remedy "Write the pass into the record, as B[] or W[]."
        => Unsafe "Writes the pass before the turn."
    TurnsAfterEnd "P007" "turns-after-end" Info
        what "Turns follow two passes in a row."
        why "Players may resume a game, so this is not an error; the history of positions continues."
        remedy "Nothing."
    SeveralTurns "P008" "several-turns" Warning
        what "A node contains more than one turn, or a turn and setup."
        why "FF[4] forbids it; jigo applies setup first, then the turns in the order written."
        remedy "Give every turn its own node."
        => Either "Moves turns after the first, or after setup, into nodes of their own; only with --unsafe if texts or marks follow them. If one turn repeats its value, it keeps the first, only with --unsafe."
    NoTurns "P020" "no-turns" Info
        what "The main line has no turn."
        why "There is nothing to replay; problems and diagrams look like this."
        remedy "Nothing, or look for the missing turns."
    OddCoordinates "P021" "odd-coordinates" Info
        what "Coordinates of a turn have another form than FF[4] demands: capitals, blanks, the word pass, or a form such as Q16; or setup, territory or marks have capitals."
        why "jigo reads them as the detail says; other programs may skip the turn."
        remedy "Write two small letters, or nothing for a pass."
        => Either "Writes points as two small letters, and a pass as an empty value; only with --unsafe unless the text has exactly one SZ."
    WinnerContradicted "R001" "winner-contradicted" Error
        what "RE names another winner than every count of the final position."
        why "Training on results and rating of players take the wrong player for the winner. In games of strong players, 115 counts with a confidence of at least 0.9 contradict the record; a strong network sides with the count in 109 of them and with the record in 4."
        remedy "Look at the cause in the detail, and at the board with jigo show --ending; compare with another source of the game. If the cause names marks, add --dead settled,static,playouts to see the count without them."
        => Unsafe "Follows the cause: writes the komi that explains the result, swaps the winner in RE, or swaps the colour of all turns and stones. Without such a cause it writes the counted result, provided that komi is recorded."
    MarginContradicted "R002" "margin-contradicted" Warning
        what "RE states another margin than the final position gives, without an innocent cause."
        why "The result, komi or turns of the record belong to another game, or one of them is wrong. In games of strong players, 115 counts with a confidence of at least 0.9 contradict the record; a strong network sides with the count in 109 of them and with the record in 4."
        remedy "Look at the cause in the detail, and at the board with jigo show --ending; compare with another source of the game. If the cause names marks, add --dead settled,static,playouts to see the count without them."
        => Unsafe "Follows the cause: writes the komi that explains the result, or swaps the colour of all turns and stones. Without such a cause it writes the counted result, provided that komi is recorded."
    ResultExplained "R003" "result-explained" Info
        what "RE states another result than the final position gives, for an innocent cause."
        why "Servers count territory differently, records lack the last turns, and players agree on dead stones."
        remedy "Nothing. If a rule explains it, --rules counts by that rule."
        => Unsafe "If the record has no komi, writes the komi that explains the result. If a turn on the last open point explains it, adds that turn at the end."
    ResultInDoubt "R004" "result-in-doubt" Info
        what "RE states another result than the final position gives, but the count is in doubt: dead stones are uncertain, much of the board is open, an unrecorded komi decides the winner, turns are damaged, or words follow the result."
        why "The record may be right and the count wrong."
        remedy "Look at the board with jigo show --ending, or ask an engine with --dead engine."
    SetupWithoutLiberties "S001" "setup-without-liberties" Warning
        what "Setup leaves a chain without a liberty."
        why "Such a position can't arise by play; the chain stays until a play next to it captures it."
        remedy "Check the setup stones."
    SetupInPlay "S002" "setup-in-play" Info
        what "Stones were set up after the first turn."
        why "A setup position has no history: jigo looks for repetitions only from here on."
        remedy "Nothing, in a problem or a lecture; in a game, look for the missing turns."
    SetupOffBoard "S003" "setup-off-board" Error
        what "A setup stone is outside the board."
        why "It is left out."
        remedy "Correct the coordinates or the board size."
    NoRightPath "T001" "no-right-path" Error
        what "No path of a problem leads to a right answer: all are marked as wrong, or the comments have CHOICE, FORCE or NOTTHIS of goproblems but no RIGHT. T findings need --problems."
        why "No answer solves the problem."
        remedy "Mark the right answer: C[RIGHT], C[Correct] or TE[1] at the end of its path."
    UnmarkedAnswer "T002" "unmarked-answer" Info
        what "A problem marks no right answer. The first variation counts as right; if wrong answers are marked, all others count as right."
        why "Programs follow different conventions, so they may take other answers for right. In a collection that marks right answers, the mark is missing."
        remedy "Nothing, if no problem of the collection has a mark; otherwise mark the right answer."
    OpponentMovedLast "T003" "opponent-moved-last" Warning
        what "A right path of a problem ends with a turn of the opponent; a pass is no such turn. Without marks, this is the first variation."
        why "The solver's last turn is missing, or the mark is at the wrong node: programs show the mark before the answer, or never."
        remedy "Add the solver's answer, or move the mark."
    ContradictoryMarks "T004" "contradictory-marks" Warning
        what "A position of a problem is right in one variation and wrong in another, or both in one node. If the record marks right answers, the end of a path without a mark is wrong."
        why "The order of turns decides whether the same answer solves the problem."
        remedy "Correct one of the two; the detail names the other variation."
    DoubledBranch "T005" "doubled-branch" Warning
        what "Two branches of a problem begin with the same turn."
        why "Programs enter the first one, so the turns and marks of the other are lost."
        remedy "Join the two branches."
    UnreachableBranch "T006" "unreachable-branch" Warning
        what "A branch of a problem can't be reached: its siblings begin with a turn of the other player, or they are answers of the opponent with CHOICE of goproblems and it has none."
        why "Solvers never see the branch."
        remedy "Move it to another problem, correct the colour, or add CHOICE."
    InternalError "X001" "internal-error" Error
        what "jigo failed on this game."
        why "The game counts as unreadable; all others are not affected."
        remedy "Please report it with the record."
    BrokenIdentity "X002" "broken-identity" Error
        what "The difference of area and territory is not the number that the played stones give: jigo miscounted."
        why "The game gets no score."
        remedy "Please report it with the record."
}
