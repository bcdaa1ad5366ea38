//! A game from its text, replayed under a ruleset and counted: what other programs use.

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;

use crate::analyze::{Analyzer, GameReport, Outcome, Settings, confidence};
use crate::board::{BoardSize, Color, Position, Turn};
use crate::finding::{Code, Finding, Severity};
use crate::record::{Coordinates, GameRecord, Header, Reading, StepKind, Unreadable};
use crate::replay::Tally;
use crate::rules::select::Choice;
use crate::rules::stated::stated;
use crate::rules::{HalfPoints, Ruleset};
use crate::score::count::{NoScore, Score, score};
use crate::score::{Counts, DeadSource, Decider, Ending};
use crate::sgf::charset::{Basis, Charset};
use crate::sgf::split::{Close, Piece, split};
use crate::sgf::utf16::{Transcoder, utf16};
use crate::sgf::{GameText, RecordKind};

/// A game record that was read, with its text.
///
/// Reading judges nothing: a game with illegal moves, with damage, or with a header that makes no sense is a game, and
/// [`Game::findings`] says what is wrong with its text. What is wrong with its play depends on the rules: see [`Game::replay`].
///
/// ```
/// let game = jigo_core::Game::parse("(;GM[1]SZ[9]PB[Ito]PW[Sato]RU[Japanese]KM[6.5]RE[B+3.5];B[ee];W[gc];B[])")?;
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

/// Why a text is no game that could be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAGame {
    /// No `(;` begins a game.
    #[error("there is no game in the text")]
    NoGame,
    /// More than one does; [`games`] reads them all.
    #[error("there are {0} games in the text")]
    SeveralGames(usize),
    /// It is a record of another game, of a board that is none, or too large. The finding says so.
    #[error("{}: {}", .0.code.name(), .0.detail)]
    Unreadable(Box<Finding>),
}

/// The games of a collection, in order: a text in any charset that holds any number of them.
///
/// Text between games is passed over. Damage costs the game that has it: the games around it are read, and its own findings say what
/// could not be.
///
/// ```
/// let collection = "(;SZ[9];B[ee])\nsome text\n(;GM[2])(;SZ[9];B[cc];W[gg])";
/// let turns: Vec<_> = jigo_core::games(collection.as_bytes()).map(|game| game.map(|game| game.turns().count())).collect();
/// assert_eq!(turns[0], Ok(1));
/// assert_eq!(turns[1].as_ref().unwrap_err().to_string(), "not-go: GM[2]");
/// assert_eq!(turns[2], Ok(2));
/// ```
pub fn games(text: &[u8]) -> Games<'_> {
    let (text, transcoded) = match utf16(text) {
        Some(encoding) => {
            let mut utf8 = Vec::new();
            // Reading from memory does not fail.
            let _ = Transcoder::new(text, encoding).read_to_end(&mut utf8);
            (Cow::Owned(utf8), Some(Charset { encoding, basis: Basis::Transcoded }))
        }
        None => (Cow::Borrowed(text), None),
    };
    let mut pieces = Vec::new();
    split(&text, true, |piece| {
        if let Piece::Game(range, close, charset) = piece {
            pieces.push((range, close, transcoded.unwrap_or(charset)));
        }
    });
    Games { text, pieces: pieces.into_iter() }
}

/// An iterator over the games of a text, made by [`games`].
#[derive(Clone, Debug)]
pub struct Games<'a> {
    text: Cow<'a, [u8]>,
    pieces: std::vec::IntoIter<(Range<usize>, Close, Charset)>,
}

impl Iterator for Games<'_> {
    type Item = Result<Game, NotAGame>;

    fn next(&mut self) -> Option<Result<Game, NotAGame>> {
        let (range, close, charset) = self.pieces.next()?;
        Some(Game::from_text(&GameText::alone(&self.text[range], close, charset)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pieces.size_hint()
    }
}

impl ExactSizeIterator for Games<'_> {}

impl Game {
    /// Reads the only game of a text, in any charset.
    ///
    /// # Errors
    /// [`NotAGame`] where there is none, where there are several, and where it is a record of something else.
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

    /// Reads one game that is already separated from its file. Its format may be any that jigo reads.
    ///
    /// # Errors
    /// Returns [`NotAGame::Unreadable`] if the text is a record of another game, of an invalid board, or too large.
    pub fn from_text(text: &GameText<'_>) -> Result<Game, NotAGame> {
        let GameText { kind, bytes, close, charset, .. } = *text;
        let Reading { record, mut findings, unreadable, .. } = Reading::of(text);
        let Some(reason) = unreadable else {
            return Ok(Game { kind, bytes: bytes.to_vec(), close, charset, record, findings });
        };
        let code = match reason {
            Unreadable::NotGo => Code::NotGo,
            Unreadable::BoardSize => Code::BoardSize,
            Unreadable::Oversized => Code::OversizedGame,
            Unreadable::Encrypted => Code::EncryptedRecord,
        };
        let cause = findings.iter().position(|finding| finding.code == code);
        Err(cause.map_or(NotAGame::NoGame, |index| NotAGame::Unreadable(Box::new(findings.swap_remove(index)))))
    }

    /// What the root says: players, board, komi, rules, result.
    pub fn header(&self) -> &Header {
        &self.record.header
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.record.header.size
    }

    /// The ruleset that RU names, as the server or program that wrote the record means it; `None` where it names none that is known.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;RU[New Zealand];B[dd])").unwrap();
    /// assert_eq!(game.ruleset().unwrap().name, "nz");
    /// assert_eq!(jigo_core::Game::parse("(;RU[as we like it];B[dd])").unwrap().ruleset(), None);
    /// ```
    pub fn ruleset(&self) -> Option<Ruleset> {
        stated(&self.header().rules, self.header().dialect.map_or(&[], |dialect| dialect.rules))
    }

    /// The turns of the main line in order, without those that name no point of any board; [`Game::record`] has these, and setup, too.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;SZ[9];B[ee];W[])").unwrap();
    /// let [first, second] = game.turns().collect::<Vec<_>>()[..] else { panic!("two turns") };
    /// assert_eq!(first, jigo_core::Turn::play(jigo_core::Color::Black, jigo_core::Point::new(4, 4)));
    /// assert_eq!(second, jigo_core::Turn::pass(jigo_core::Color::White));
    /// ```
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        self.record.steps.iter().filter_map(|step| match step.what {
            StepKind::Turn(color, Coordinates::Play(point) | Coordinates::OffBoard(point)) => {
                Some(Turn::play(color, point))
            }
            StepKind::Turn(color, Coordinates::Pass) => Some(Turn::pass(color)),
            StepKind::Turn(_, Coordinates::Unreadable(_)) | StepKind::Setup(_) => None,
        })
    }

    /// The main line as the text tells it: setup and turns, and territory marked at its end.
    pub fn record(&self) -> &GameRecord {
        &self.record
    }

    /// What is wrong with the text, whatever the rules are.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;GM[1]SZ[9]KM[many];B[ee]").unwrap();
    /// let names: Vec<_> = game.findings().iter().map(|finding| finding.code.name()).collect();
    /// assert_eq!(names, ["unclosed-game", "unreadable-komi"]);
    /// ```
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Replays the main line, judged by `ruleset`. Illegal moves are made, as the SGF standard FF\[4\] demands, and found.
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
        let text = GameText { kind: self.kind, ..GameText::alone(&self.bytes, self.close, self.charset) };
        let report = analyzer.analyze(&text, &settings).clone();
        Replay { game: self, position: analyzer.position().clone(), report }
    }
}

/// A game that was replayed under a ruleset, made by [`Game::replay`].
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    game: &'a Game,
    position: Position,
    report: GameReport,
}

impl Replay<'_> {
    /// The position that the main line ends with.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;SZ[3];B[ba];W[aa];B[ab];W[cc])").unwrap();
    /// let replay = game.replay(&"aga".parse().unwrap());
    /// assert_eq!(jigo_core::diagram::draw(replay.position()), ". X .\nX . .\n. . O\n");
    /// ```
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// All that is wrong: with the text, with the play under this ruleset, and between what the record says in one place and in another.
    pub fn findings(&self) -> &[Finding] {
        &self.report.findings
    }

    /// The turns that the ruleset forbids, that were not the player's, or that could not be made.
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

    /// What the replay counted: turns, passes, stones lost, handicap.
    ///
    /// ```
    /// let game = jigo_core::Game::parse("(;SZ[3];B[ba];W[aa];B[ab];W[])").unwrap();
    /// let replay = game.replay(&"aga".parse().unwrap());
    /// assert_eq!((replay.tally().turns, replay.tally().passes, replay.tally().lost), (4, [0, 1], [0, 1]));
    /// ```
    pub fn tally(&self) -> &Tally {
        &self.report.tally
    }

    /// Whether the whole main line was replayed. Where damage hides the rest of it, the position is not the last one.
    pub fn is_whole(&self) -> bool {
        self.report.outcome == Outcome::Replayed
    }

    /// Which stones are dead at the end: as TB and TW of the record say, else as the position shows where nothing is left to decide,
    /// else an estimate with its confidence. [`Ending::source`] tells which.
    ///
    /// It does not ask whether the game was played to its end: an estimate of a game that somebody resigned is a guess.
    ///
    /// ```
    /// use jigo_core::{DeadSource, Game};
    ///
    /// let game = Game::parse("(;SZ[5:3]AB[ba][bb][bc]AW[da][db][dc][aa]TB[aa][ab][ac]TW[ea][eb][ec])").unwrap();
    /// let ending = game.replay(&"japanese".parse().unwrap()).ending();
    /// assert_eq!(ending.source, DeadSource::Markup);
    /// assert_eq!(ending.dead, [jigo_core::Point::new(0, 0)]);
    /// ```
    pub fn ending(&self) -> Ending {
        let tally = self.tally();
        let starts = if tally.handicap > 0 { Color::White } else { Color::Black };
        let next = tally.last.map_or(starts, Color::opponent);
        let position = (&self.position, self.game.record.territory.as_ref());
        let decided = Decider::default().decide(position, next, &DeadSource::DEFAULT, None, &mut Vec::new());
        // Playouts always say something.
        let ending = decided.unwrap_or_else(|| Ending::known(Vec::new(), DeadSource::Given));
        let counts = Counts::of(&self.position, &ending.dead);
        ending.checked_for_end(&counts, tally).checked_for_fights(&self.position, &counts)
    }

    /// Returns the probability, from 0 to 1, that the players counted the number of [`Replay::score`]: that the dead stones are these
    /// and, if the number depends on it, that they read territory so. `None` if neither is in doubt.
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
        confidence(ending, &Counts::of(&self.position, &ending.dead), ruleset)
    }

    /// The score under a ruleset, which may be another than the one that judged the play. Komi is the record's, or the ruleset's where
    /// it has none.
    ///
    /// # Errors
    /// [`NoScore`] where the count rests on something that the record does not say.
    ///
    /// ```
    /// use jigo_core::{DeadSource, Ending, Game, HalfPoints};
    ///
    /// let game = Game::parse("(;SZ[5:3]KM[0.5]AB[ba][bb][bc]AW[da][db][dc])").unwrap();
    /// let replay = game.replay(&"chinese".parse().unwrap());
    /// let all_alive = Ending::known(vec![], DeadSource::Given);
    /// let score = replay.score(&"chinese".parse().unwrap(), &all_alive).unwrap();
    /// assert_eq!(score.black_minus_white(), HalfPoints(-1));
    /// ```
    pub fn score(&self, ruleset: &Ruleset, ending: &Ending) -> Result<Score, NoScore> {
        self.score_with(ruleset, ending, self.game.header().komi)
    }

    /// The same with a komi of your own, or with `None` for the ruleset's.
    ///
    /// # Errors
    /// As [`Replay::score`].
    pub fn score_with(&self, ruleset: &Ruleset, ending: &Ending, komi: Option<HalfPoints>) -> Result<Score, NoScore> {
        score(&Counts::of(&self.position, &ending.dead), self.tally(), &ruleset.axes, komi)
    }
}
