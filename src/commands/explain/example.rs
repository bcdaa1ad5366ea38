//! One example record for each code, from the fixtures.

use jigo_record::finding::Code;

macro_rules! examples {
    ($($code:ident $file:literal,)*) => {
        const EXAMPLES: &[(Code, &[u8])] =
            &[$((Code::$code, include_bytes!(concat!("../../../fixtures/findings/", $file, ".sgf")))),*];
    };
}

examples! {
    UnclosedGame "D001-unclosed-game",
    UnclosedValue "D002-unclosed-value",
    UnreadableNode "D003-unreadable-node",
    UnreadableProperty "D004-unreadable-property",
    RepeatedProperty "D005-repeated-property",
    MissingSemicolon "D009-missing-semicolon",
    EmptyNodes "D010-empty-nodes",
    UnescapedBracket "D011-unescaped-bracket",
    BackslashAtEnd "D012-backslash-at-end",
    NulBytes "D013-nul-bytes",
    FusedGames "D014-fused-games",
    TurnInRoot "D015-turn-in-root",
    RepeatedSetup "D016-repeated-setup",
    ExtraParenthesis "D017-extra-parenthesis",
    MissingOpening "D018-missing-opening",
    LongName "D021-long-property-name",
    RectangleForm "D022-rectangle-form",
    BytesBeforeRoot "D023-bytes-before-root",
    MisplacedNode "D024-misplaced-node",
    BoardSize "H001-board-size",
    MissingBoardSize "H002-missing-board-size",
    NotGo "H003-not-go",
    UnreadableKomi "H004-unreadable-komi",
    UnreadableHandicap "H005-unreadable-handicap",
    HandicapStones "H006-handicap-stones",
    UnreadableResult "H007-unreadable-result",
    UnknownRules "H008-unknown-rules",
    MissingKomi "H009-missing-komi",
    KomiHundredths "H010-komi-hundredths",
    KomiZi "H011-komi-zi",
    KomiComma "H012-komi-comma",
    SuspectKomi "H013-suspect-komi",
    RulesAgainstKomi "H014-rules-against-komi",
    HandicapIsKomi "H015-handicap-is-komi",
    HandicapFormation "H016-handicap-formation",
    ImpossibleResult "H017-impossible-result",
    LoserMovedLast "H018-loser-moved-last",
    MissingMargin "H019-missing-margin",
    ResultZi "H020-result-zi",
    ZeroMargin "H021-zero-margin",
    ResultReason "H022-result-reason",
    MissingGame "H030-missing-game",
    BoardSizeForm "H031-board-size-form",
    ResultForm "H032-result-form",
    KomiForm "H033-komi-form",
    NoGame "I002-no-game",
    NotUtf8 "I003-not-utf8",
    TextOutsideGames "I004-text-outside-games",
    DamagedText "I005-damaged-text",
    WrongCharsetLabel "I006-wrong-charset-label",
    GuessedCharset "I007-guessed-charset",
    CutCharacter "I008-cut-character",
    ControlCharacters "I009-control-characters",
    PrivateCharacters "I010-private-characters",
    TurnsOutsideGames "I018-turns-outside-games",
    Ko "K001-ko",
    Superko "K002-superko",
    Repetition "K003-repetition",
    Occupied "P001-occupied",
    OffBoard "P002-off-board",
    UnreadableTurn "P003-unreadable-turn",
    SuicidePlay "P004-suicide",
    WrongColor "P005-wrong-color",
    ImpliedPass "P006-implied-pass",
    TurnsAfterEnd "P007-turns-after-end",
    SeveralTurns "P008-several-turns",
    NoTurns "P020-no-turns",
    OddCoordinates "P021-odd-coordinates",
    WinnerContradicted "R001-winner-contradicted",
    MarginContradicted "R002-margin-contradicted",
    ResultExplained "R003-result-explained",
    ResultInDoubt "R004-result-in-doubt",
    SetupWithoutLiberties "S001-setup-without-liberties",
    SetupInPlay "S002-setup-in-play",
    SetupOffBoard "S003-setup-off-board",
}

/// Returns a record that has the finding. Returns `None` for codes that a single record can't show,
/// such as a damaged archive.
pub fn example_record(code: Code) -> Option<&'static [u8]> {
    EXAMPLES.iter().find(|(example_code, _)| *example_code == code).map(|(_, record)| *record)
}
