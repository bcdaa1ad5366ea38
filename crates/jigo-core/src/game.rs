//! One game: reading, replay under a ruleset, and count. This is the interface for other programs.

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;

use crate::analysis::{Analyzer, GameReport, Outcome, Settings};
use crate::audit::confidence;
use jigo_record::finding::{Code, Finding, Severity};
use jigo_record::sgf::charset::{Charset, CharsetBasis};
use jigo_record::sgf::encoding::utf16::{Transcoder, encoding_change, utf16};
use jigo_record::splitter::{Close, GameText, Piece, RecordKind, split_all};
use jigo_record::{Coordinates, GameRecord, Header, Reading, Unreadable};
use jigo_rules::board::{BoardSize, Position, Turn};
use jigo_rules::ru_property::parse_ru;
use jigo_rules::select::Choice;
use jigo_rules::{HalfPoints, Ruleset, Tally};
use jigo_score::count::{NoScore, Score, score};
use jigo_score::{DeadSource, Decider, Ending, FinalPosition};

/// A game record with its text.
///
/// Reading a record does not judge it. A game with illegal moves, damage, or a senseless header is
/// still a game. [`Game::findings`] lists the flaws of its text. Flaws of its play depend on the
/// rules; see [`Game::replay`].
///
/// ```
/// let sgf = "(;GM[1]SZ[9]PB[Ito]PW[Sato]RU[Japanese]KM[6.5]RE[B+3.5];B[ee];W[gc];B[])";
/// let game = jigo_core::Game::parse(sgf)?;
/// assert_eq!(game.header().black, "Ito");
/// assert_eq!(game.size().to_string(), "9x9");
/// assert_eq!(game.turns().count(), 3);
/// # Ok::<(), jigo_core::NotAGame>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    kind: RecordKind,
    bytes: Vec<u8>,
    close: Close,
    charset: Charset,
    record: GameRecord,
    findings: Vec<Finding>,
}

/// The reason why a text is not a game that can be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAGame {
    /// The text contains no `(;`, which begins a game.
    #[error("there is no game in the text")]
    NoGame,
    /// The text contains several games; [`games`] reads them all.
    #[error("there are {0} games in the text")]
    SeveralGames(usize),
    /// The record belongs to another game, has an invalid board size, or is too large. The finding
    /// gives the reason.
    #[error("{}: {}", .0.code.name(), .0.detail)]
    Unreadable(Box<Finding>),
}

/// Returns the games of a collection in order. The text may use any charset.
///
/// Text between games is skipped. Damage affects only the game that contains it: all other games
/// are read, and the findings of the damaged game name the unreadable parts.
///
/// ```
/// let collection = "(;SZ[9];B[ee])\nsome text\n(;GM[2])(;SZ[9];B[cc];W[gg])";
/// let games = jigo_core::games(collection.as_bytes());
/// let turns: Vec<_> = games.map(|game| game.map(|game| game.turns().count())).collect();
/// assert_eq!(turns[0], Ok(1));
/// assert_eq!(turns[1].as_ref().unwrap_err().to_string(), "not-go: GM[2]");
/// assert_eq!(turns[2], Ok(2));
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    let (mut segments, mut placed_games) = (Vec::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        let segment;
        (segment, rest) = TextSegment::split_first(rest);
        split_all(&segment.text, |piece| {
            if let Piece::Game(range, close, charset) = piece {
                let charset = segment.transcoded.unwrap_or(charset);
                placed_games.push(PlacedGame { segment: segments.len(), range, close, charset });
            }
        });
        segments.push(segment);
    }
    Games { segments, placed_games: placed_games.into_iter() }
}

/// A part of a text up to a change between UTF-16 and single bytes.
#[derive(Clone, Debug)]
struct TextSegment<'a> {
    /// The bytes; UTF-8 if they were UTF-16.
    text: Cow<'a, [u8]>,
    /// The form of UTF-16 from which the segment was converted.
    transcoded: Option<Charset>,
}

impl<'a> TextSegment<'a> {
    /// Splits a text after its first segment.
    fn split_first(text: &'a [u8]) -> (TextSegment<'a>, &'a [u8]) {
        let single_bytes = |end: usize| {
            let (segment, rest) = text.split_at(end);
            (TextSegment { text: Cow::Borrowed(segment), transcoded: None }, rest)
        };
        let Some(encoding) = utf16(text) else {
            // Bytes before the first game have the encoding of the start.
            return single_bytes(encoding_change(text, None).filter(|end| *end > 0).unwrap_or(text.len()));
        };
        let mut utf8 = Vec::new();
        let mut transcoder = Transcoder::new(text, encoding);
        // Reading from memory can't fail.
        let _ = transcoder.read_to_end(&mut utf8);
        let rest_length = transcoder.into_remainder().map_or(0, |(read, unread)| read.len() + unread.len());
        let transcoded = Some(Charset { encoding, basis: CharsetBasis::Transcoded });
        (TextSegment { text: Cow::Owned(utf8), transcoded }, &text[text.len() - rest_length..])
    }
}

/// The place of a game in the segments of a text.
#[derive(Clone, Debug)]
struct PlacedGame {
    /// The index of the segment.
    segment: usize,
    /// The bytes of the game in its segment.
    range: Range<usize>,
    close: Close,
    charset: Charset,
}

/// An iterator over the games of a text, created by [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    segments: Vec<TextSegment<'a>>,
    placed_games: std::vec::IntoIter<PlacedGame>,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, NotAGame>;

    fn next(&mut self) -> Option<Result<Game, NotAGame>> {
        let PlacedGame { segment, range, close, charset } = self.placed_games.next()?;
        Some(Game::from_text(&GameText::single(&self.segments[segment].text[range], close, charset)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.placed_games.size_hint()
    }
}

impl ExactSizeIterator for Games<'_> {}

impl Game {
    /// Reads the only game of a text in any charset.
    ///
    /// # Errors
    ///
    /// Returns [`NotAGame`] if there is no game, if there are several, or if the record belongs to
    /// another game.
    ///
    /// ```
    /// use jigo_core::{Game, NotAGame};
    ///
    /// assert!(Game::parse("(;B[dd])").is_ok());
    /// assert_eq!(Game::parse("a letter").unwrap_err(), NotAGame::NoGame);
    /// assert_eq!(Game::parse("(;B[dd])(;B[pp])").unwrap_err(), NotAGame::SeveralGames(2));
    /// ```
    pub fn parse(text: impl AsRef<[u8]>) -> Result<Game, NotAGame> {
        let mut games = games(text.as_ref());
        match games.len() {
            1 => games.next().unwrap_or(Err(NotAGame::NoGame)),
            0 => Err(NotAGame::NoGame),
            several => Err(NotAGame::SeveralGames(several)),
        }
    }

    /// Reads one game that is already separated from its file. Its format may be any that jigo
    /// reads.
    ///
    /// # Errors
    /// Returns [`NotAGame::Unreadable`] if the text is a record of another game, has an invalid
    /// board, or is too large.
    #[doc(hidden)]
    pub fn from_text(text: &GameText<'_>) -> Result<Game, NotAGame> {
        let GameText { kind, bytes, close, charset, .. } = *text;
        let Reading { record, mut findings, unreadable, .. } = Reading::from_text(text);
        let Some(reason) = unreadable else {
            return Ok(Game { kind, bytes: bytes.to_vec(), close, charset, record, findings });
        };
        let code = match reason {
            Unreadable::NotGo => Code::NotGo,
            Unreadable::BoardSize => Code::BoardSize,
            Unreadable::Oversized => Code::OversizedGame,
            Unreadable::Encrypted => Code::EncryptedRecord,
            Unreadable::Position => Code::UnreadablePosition,
        };
        let cause = findings.iter().position(|finding| finding.code == code);
        Err(cause.map_or(NotAGame::NoGame, |index| NotAGame::Unreadable(Box::new(findings.swap_remove(index)))))
    }

    /// Returns the root properties: players, board, komi, rules and result.
    pub fn header(&self) -> &Header {
        &self.record.header
    }

    /// Returns the board size.
    pub fn size(&self) -> BoardSize {
        self.record.header.size
    }

    /// Returns the ruleset that RU names, as the server or program that wrote the record uses the
    /// name. `None` if the name is unknown.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;RU[New Zealand];B[dd])").unwrap();
    /// assert_eq!(game.ruleset().unwrap().name, "nz");
    /// assert_eq!(jigo_core::Game::parse("(;RU[as we like it];B[dd])").unwrap().ruleset(), None);
    /// ```
    pub fn ruleset(&self) -> Option<Ruleset> {
        parse_ru(&self.header().rules, self.header().dialect.map_or(&[], |dialect| dialect.rules))
    }

    /// Returns the turns of the main line in order, except for turns with an unreadable point.
    ///
    /// [`Game::record`] also contains these turns and the setup.
    ///
    /// ```
    /// use jigo_core::{Color, Game, Point, Turn};
    ///
    /// let game = Game::parse("(;SZ[9];B[ee];W[])").unwrap();
    /// let [first, second] = game.turns().collect::<Vec<_>>()[..] else { panic!("two turns") };
    /// assert_eq!(first, Turn::play(Color::Black, Point::new(4, 4)));
    /// assert_eq!(second, Turn::pass(Color::White));
    /// ```
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        self.record.turns().filter_map(|(color, coordinates)| match coordinates {
            Coordinates::Play(point) | Coordinates::OffBoard(point) => Some(Turn::play(color, point)),
            Coordinates::Pass => Some(Turn::pass(color)),
            Coordinates::Unreadable(_) => None,
        })
    }

    /// Returns the main line as written: setup, turns, and the territory marked at its end.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// Returns the flaws of the text that do not depend on the rules.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;GM[1]SZ[9]KM[many];B[ee]").unwrap();
    /// let names: Vec<_> = game.findings().iter().map(|finding| finding.code.name()).collect();
    /// assert_eq!(names, ["unclosed-game", "unreadable-komi"]);
    /// ```
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Replays the main line, judged by `ruleset`.
    ///
    /// The replay also makes illegal moves, as the SGF standard FF\[4\] demands, and reports them.
    ///
    /// ```
    /// use jigo_core::{Game, Ruleset};
    ///
    /// // White retakes a ko at once.
    /// let game = Game::parse("(;SZ[9]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])").unwrap();
    /// let japanese: Ruleset = "japanese".parse().unwrap();
    /// let replay = game.replay(&japanese);
    /// let ko = replay.illegal().next().unwrap();
    /// assert_eq!((ko.code.name(), ko.place.turn), ("ko", Some(2)));
    /// ```
    pub fn replay(&self, ruleset: &Ruleset) -> Replay<'_> {
        let settings = Settings { judges: vec![Choice::Fixed(ruleset.clone())], ..Settings::default() };
        let mut analyzer = Analyzer::default();
        let text = GameText { kind: self.kind, ..GameText::single(&self.bytes, self.close, self.charset) };
        let report = analyzer.analyze(&text, &settings).clone();
        Replay { game: self, position: analyzer.position().clone(), report }
    }
}

/// A game after its replay under a ruleset, created by [`Game::replay`].
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    game: &'a Game,
    position: Position,
    report: GameReport,
}

impl Replay<'_> {
    /// Returns the final position of the main line.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;SZ[3];B[ba];W[aa];B[ab];W[cc])").unwrap();
    /// let replay = game.replay(&"aga".parse().unwrap());
    /// assert_eq!(jigo_core::diagram::draw(replay.position()), ". X .\nX . .\n. . O\n");
    /// ```
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns all findings: flaws of the text, of the play under this ruleset, and contradictions
    /// between parts of the record.
    pub fn findings(&self) -> &[Finding] {
        &self.report.findings
    }

    /// Returns the illegal turns: forbidden by the ruleset, of the wrong player, or impossible to
    /// make.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;SZ[9];B[ee];W[ee];B[zz])").unwrap();
    /// let replay = game.replay(&"tromp-taylor".parse().unwrap());
    /// let names: Vec<_> = replay.illegal().map(|finding| finding.code.name()).collect();
    /// assert_eq!(names, ["occupied", "off-board"]);
    /// ```
    pub fn illegal(&self) -> impl Iterator<Item = &Finding> {
        let is_of_turn = |finding: &&Finding| finding.place.turn.is_some_and(|turn| turn > 0);
        self.findings().iter().filter(is_of_turn).filter(|finding| finding.severity == Severity::Error)
    }

    /// Returns the counts of the replay: turns, passes, stones lost, handicap.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;SZ[3];B[ba];W[aa];B[ab];W[])").unwrap();
    /// let replay = game.replay(&"aga".parse().unwrap());
    /// let tally = replay.tally();
    /// assert_eq!((tally.turns, tally.passes, tally.lost), (4, [0, 1], [0, 1]));
    /// ```
    pub fn tally(&self) -> &Tally {
        &self.report.tally
    }

    /// Returns true if the whole main line was replayed. If damage hides the rest of it, the
    /// position is not the final one.
    pub fn is_whole(&self) -> bool {
        self.report.outcome == Outcome::Replayed
    }

    /// Returns the dead stones of the final position.
    ///
    /// The first of three sources that knows them decides: TB and TW of the record, then proof from
    /// a position without open questions, then an estimate with its confidence. [`Ending::source`]
    /// names the source.
    ///
    /// This does not check whether the game was played to its end. The estimate of a game that
    /// ended by resignation is a guess.
    ///
    /// ```
    /// use jigo_core::{DeadSource, Game};
    ///
    /// let sgf = "(;SZ[5:3]AB[ba][bb][bc]AW[da][db][dc][aa]TB[aa][ab][ac]TW[ea][eb][ec])";
    /// let game = Game::parse(sgf).unwrap();
    /// let ending = game.replay(&"japanese".parse().unwrap()).ending();
    /// assert_eq!(ending.source, DeadSource::Markup);
    /// assert_eq!(ending.dead, [jigo_core::Point::new(0, 0)]);
    /// ```
    pub fn ending(&self) -> Ending {
        let tally = self.tally();
        let (position, markup) = (&self.position, self.game.record.territory.as_ref());
        let final_position = FinalPosition { position, markup, next: tally.next_player() };
        let decided = Decider::default().decide(final_position, &DeadSource::DEFAULT, None, &mut Vec::new());
        // Playouts always give an estimate.
        let ending = decided.unwrap_or_else(|| Ending::without_estimate(Vec::new(), DeadSource::Provided));
        let mut counts = ending.counts(&self.position);
        ending.checked_for_end(&counts, tally).checked_for_fights(&self.position, &mut counts)
    }

    /// Returns the probability, from 0 to 1, that the players counted the number of
    /// [`Replay::score`].
    ///
    /// It covers the dead stones and, if the number depends on it, the reading of the territory
    /// rules. `None` if neither is in doubt.
    ///
    /// ```
    /// use jigo_core::{Game, MIN_CONFIDENCE};
    ///
    /// let game = Game::parse("(;SZ[19]KM[6.5];B[pd];W[dp];B[pq])").unwrap();
    /// let japanese = "japanese".parse().unwrap();
    /// let replay = game.replay(&japanese);
    /// assert!(replay.confidence(&japanese, &replay.ending()) < Some(MIN_CONFIDENCE));
    /// ```
    pub fn confidence(&self, ruleset: &Ruleset, ending: &Ending) -> Option<f32> {
        confidence(ending, &ending.counts(&self.position), ruleset)
    }

    /// Returns the score under a ruleset, which may differ from the ruleset that judged the play.
    ///
    /// Komi comes from the record, or from the ruleset if the record has none.
    ///
    /// # Errors
    ///
    /// Returns [`NoScore`] if the count depends on a fact that the record lacks.
    ///
    /// ```
    /// use jigo_core::{DeadSource, Ending, Game, HalfPoints};
    ///
    /// let game = Game::parse("(;SZ[5:3]KM[0.5]AB[ba][bb][bc]AW[da][db][dc])").unwrap();
    /// let replay = game.replay(&"chinese".parse().unwrap());
    /// let all_alive = Ending::without_estimate(vec![], DeadSource::Provided);
    /// let score = replay.score(&"chinese".parse().unwrap(), &all_alive).unwrap();
    /// assert_eq!(score.black_minus_white(), HalfPoints(-1));
    /// ```
    pub fn score(&self, ruleset: &Ruleset, ending: &Ending) -> Result<Score, NoScore> {
        self.score_with(ruleset, ending, self.game.header().known_komi())
    }

    /// Returns the score with the given komi, or with the ruleset's komi for `None`.
    ///
    /// # Errors
    ///
    /// See [`Replay::score`].
    pub fn score_with(&self, ruleset: &Ruleset, ending: &Ending, komi: Option<HalfPoints>) -> Result<Score, NoScore> {
        score(&ending.counts(&self.position), self.tally(), &ruleset.axes, komi)
    }
}
