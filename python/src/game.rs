//! One game: header, positions, findings and score.

use jigo_core::diagrams::{GameDiagrams, LaterSetup};
use jigo_core::replay::ReplayOptions;
use jigo_core::training::SIDE;
use jigo_core::{Color, Coordinates, Ending, HalfPoints, MIN_CONFIDENCE, Point, Ruleset, diagram};
use jigo_diagrams::boards::board;
use jigo_rules::board::Picture;
use jigo_rules::board::picture::Mark;
use jigo_score::{GivenStones, UncountedReason};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::input::GameInput;
use crate::{Error, planes};

/// Returns a color as in SGF.
fn letter(color: Color) -> String {
    color.letter().to_string()
}

fn number(points: HalfPoints) -> f64 {
    f64::from(points.0) / 2.0
}

fn ruleset(name: &str) -> PyResult<Ruleset> {
    name.parse().map_err(|error: jigo_core::RulesError| Error::new_err(error.to_string()))
}

/// Parses an SGF pair.
fn point(pair: &str) -> PyResult<Point> {
    let point = match pair.as_bytes() {
        [column, row] => Point::from_sgf(*column, *row),
        _ => None,
    };
    point.ok_or_else(|| PyValueError::new_err(format!("{pair:?} is no SGF pair, such as 'dd'")))
}

/// A game record.
///
/// Illegal moves, damage or an implausible header don't make a record invalid; findings() reports
/// them.
#[pyclass(frozen, module = "jigo")]
pub struct Game(jigo_core::Game);

#[pymethods]
impl Game {
    /// Read the only game of a record in any format.
    ///
    /// The record is text, bytes, a path, or a file object. Text may also be a path, with the names
    /// of `jigo show`: "archive.zip!a.sgf#2". Bytes may be in any charset.
    #[new]
    fn new(record: &Bound<'_, PyAny>) -> PyResult<Game> {
        let input = GameInput::from_python(record)?;
        record.py().detach(|| input.read()).map(Game).map_err(Error::new_err)
    }

    /// Players, board, komi, rules and result of the record. Unrecorded values are None.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let header = self.0.header();
        let dict = PyDict::new(py);
        for (name, text) in [
            ("black", &header.black),
            ("white", &header.white),
            ("black_rank", &header.black_rank),
            ("white_rank", &header.white_rank),
            ("event", &header.event),
            ("place", &header.place),
            ("date", &header.date),
            ("rules", &header.rules),
            ("result", &header.result_text),
            ("application", &header.application),
            ("source", &header.source),
        ] {
            dict.set_item(name, Some(text).filter(|text| !text.is_empty()))?;
        }
        dict.set_item("width", header.size.width())?;
        dict.set_item("height", header.size.height())?;
        dict.set_item("komi", header.komi.map(number))?;
        dict.set_item("handicap", header.handicap)?;
        dict.set_item("result_kind", header.result.kind.name())?;
        dict.set_item("stated_black_minus_white", header.result.black_minus_white.map(number))?;
        dict.set_item("dialect", header.dialect.map(|dialect| dialect.name))?;
        Ok(dict)
    }

    /// Name of the ruleset in RU; None if RU names no known ruleset.
    #[getter]
    fn ruleset(&self) -> Option<String> {
        self.0.ruleset().map(|ruleset| ruleset.name.to_string())
    }

    /// The turns of the main line, each a color and an SGF pair (None for a pass). Turns count from
    /// 1.
    #[getter]
    fn turns(&self) -> Vec<(String, Option<String>)> {
        let record = self.0.record();
        let pair = |coordinates| match coordinates {
            Coordinates::Play(point) | Coordinates::OffBoard(point) => Some(point.to_string()),
            Coordinates::Unreadable(index) => record.unreadable.get(index as usize).map(|text| text.to_string()),
            Coordinates::Pass => None,
        };
        record.turns().map(|(color, coordinates)| (letter(color), pair(coordinates))).collect()
    }

    /// The number of turns on the main line.
    fn __len__(&self) -> usize {
        self.diagrams().turns() as usize
    }

    /// Return the position after a turn and the setup that follows it.
    ///
    /// 0 is the position before the first turn. The default is the last position.
    #[pyo3(signature = (turn=None))]
    fn position(&self, py: Python<'_>, turn: Option<u32>) -> PyResult<Position> {
        let diagrams = self.diagrams();
        let last = diagrams.turns();
        let turn = turn.unwrap_or(last);
        if turn > last {
            return Err(PyIndexError::new_err(format!("the main line has {last} turns, there is no turn {turn}")));
        }
        Ok(py.detach(|| {
            let moment = diagrams.moment_after(turn, LaterSetup::Included);
            Position { position: moment.position, last: diagrams.point(turn), turn, lost: moment.tally.lost }
        }))
    }

    /// Return the findings on the text and the play under a ruleset, by default the recorded one.
    #[pyo3(signature = (rules=None))]
    fn findings(&self, py: Python<'_>, rules: Option<&str>) -> PyResult<Vec<Finding>> {
        let rules = match rules {
            Some(name) => ruleset(name)?,
            None => self.0.ruleset().unwrap_or_else(Ruleset::unknown),
        };
        Ok(py.detach(|| self.0.replay(&rules).findings().iter().map(Finding::from_core).collect()))
    }

    /// Counts the last position under a ruleset, by default the recorded one as the record's server
    /// counts it.
    ///
    /// Komi is that of the record. If the record has none, it is that of the ruleset, or 0 in a game
    /// that is older than komi.
    ///
    /// `dead_stones` names the dead stones by hand, as points of the board or SGF pairs: "D4,Q16",
    /// or a list. A stone names its whole chain, and all other stones are alive; [] names none.
    /// `seki` names stones whose groups live in seki. Without names the dead stones are those of
    /// the markup, the position or an estimate, in this order. An estimate with less than
    /// `min_confidence`, which `jigo score` calls unsettled, is an error.
    #[pyo3(signature = (rules=None, *, komi=None, dead_stones=None, seki=None, min_confidence=MIN_CONFIDENCE))]
    #[allow(clippy::too_many_arguments)] // They are keywords.
    fn score(
        &self,
        py: Python<'_>,
        rules: Option<&str>,
        komi: Option<f64>,
        dead_stones: Option<StoneNames>,
        seki: Option<StoneNames>,
        min_confidence: f32,
    ) -> PyResult<Score> {
        let ruleset = match rules {
            Some(name) => ruleset(name)?,
            None => self.0.ruleset().map(|ruleset| self.0.header().counted_ruleset(ruleset)).ok_or_else(|| {
                Error::new_err(format!(
                    "the record names no ruleset that is known (RU[{}]): name one",
                    self.0.header().rules
                ))
            })?,
        };
        let komi = match komi {
            Some(komi) if (komi * 2.0).fract() == 0.0 && komi.abs() < 1e6 => Some(HalfPoints((komi * 2.0) as i32)),
            Some(komi) => return Err(PyValueError::new_err(format!("komi is in half points, not {komi}"))),
            None => self.0.header().known_komi(),
        };
        let given_stones = given_stones(dead_stones, seki)?;
        py.detach(|| {
            let replay = self.0.replay(&ruleset);
            let ending = match given_stones {
                Some(stones) => {
                    stones.ending(replay.position()).map_err(|error| PyValueError::new_err(error.to_string()))?
                }
                None => replay.ending(),
            };
            if !ending.is_confident(min_confidence) {
                return Err(unsettled(&ending));
            }
            let score = replay.score_with(&ruleset, &ending, komi);
            let score = score.map_err(|reason| Error::new_err(reason.text()))?;
            Ok(Score {
                ruleset: ruleset.name.to_string(),
                komi: number(score.komi),
                bonus: number(score.bonus),
                black: number(score.black),
                white: number(score.white),
                black_minus_white: number(score.black_minus_white()),
                winner: score.winner.map(letter),
                result: score.result_text(),
                dead: ending.dead.iter().map(Point::to_string).collect(),
                dead_source: ending.source.name(),
                confidence: replay.confidence(&ruleset, &ending),
                remark: score.remark.map(|remark| remark.text()),
            })
        })
    }

    fn __repr__(&self) -> String {
        let header = self.0.header();
        let or = |name: &str, color: &str| if name.is_empty() { color.to_owned() } else { name.to_owned() };
        let (black, white) = (or(&header.black, "Black"), or(&header.white, "White"));
        let result = or(&header.result_text, "no result");
        format!("<jigo.Game: {black} – {white}, {}, {} turns, {result}>", header.size, self.__len__())
    }

    /// The last position as SVG, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.position(py, None).map(|position| position._repr_svg_())
    }
}

impl Game {
    fn diagrams(&self) -> GameDiagrams<'_> {
        GameDiagrams::new(self.0.record(), ReplayOptions::default())
    }
}

/// Returns the error for an estimate without a score. Its text is the reason column of the scores
/// table.
fn unsettled(ending: &Ending) -> PyErr {
    let reason = if ending.is_open { UncountedReason::Open } else { UncountedReason::Doubtful };
    let confidence = ending.confidence.map_or(String::new(), |confidence| format!(" (confidence {confidence:.2})"));
    Error::new_err(format!("{}{confidence}: name the dead stones with dead_stones=[...]", reason.name()))
}

/// The names of stones: one text, or a list.
#[derive(FromPyObject)]
enum StoneNames {
    Text(String),
    List(Vec<String>),
}

impl StoneNames {
    fn text(self) -> String {
        match self {
            StoneNames::Text(names) => names,
            StoneNames::List(names) => names.join(","),
        }
    }
}

/// Returns the stones that the arguments of `score` name, if they name any.
fn given_stones(dead_stones: Option<StoneNames>, seki: Option<StoneNames>) -> PyResult<Option<GivenStones>> {
    match (dead_stones, seki) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(PyValueError::new_err("seki needs dead_stones; use [] if no stone is dead")),
        (Some(dead), seki) => {
            let seki = seki.map(StoneNames::text).unwrap_or_default();
            Ok(Some(GivenStones::new(&dead.text(), &seki)))
        }
    }
}

/// The stones on a board.
#[pyclass(frozen, module = "jigo")]
pub struct Position {
    position: jigo_core::Position,
    last: Option<Point>,
    /// The number of turns before the position.
    #[pyo3(get)]
    turn: u32,
    lost: [u32; 2],
}

impl Position {
    fn stones(&self, color: Color) -> Vec<String> {
        let size = self.position.size();
        size.iter().filter(|point| self.position.stone(*point) == Some(color)).map(|point| point.to_string()).collect()
    }
}

#[pymethods]
impl Position {
    /// The number of columns of the board.
    #[getter]
    fn width(&self) -> u8 {
        self.position.size().width()
    }

    /// The number of rows of the board.
    #[getter]
    fn height(&self) -> u8 {
        self.position.size().height()
    }

    /// Points of Black's stones, row by row.
    #[getter]
    fn black(&self) -> Vec<String> {
        self.stones(Color::Black)
    }

    /// Points of White's stones, row by row.
    #[getter]
    fn white(&self) -> Vec<String> {
        self.stones(Color::White)
    }

    /// The number of stones that Black and White have lost so far.
    #[getter]
    fn lost(&self) -> (u32, u32) {
        (self.lost[0], self.lost[1])
    }

    /// Return the board as planes for a network, from the view of a player: "B" or "W".
    ///
    /// The planes are the points of the board, the player's stones, the opponent's, and the stones
    /// of chains with 1, 2 and 3 liberties: the first inputs of `jigo extract --as npz`. The result
    /// is a NumPy array of 0 and 1 with the shape (6, 19, 19). NumPy must be installed.
    fn planes<'py>(&self, py: Python<'py>, player: &str) -> PyResult<Bound<'py, PyAny>> {
        let player = Color::BOTH.into_iter().find(|color| color.letter() == player);
        let player = player.ok_or_else(|| PyValueError::new_err("a player is 'B' or 'W'"))?;
        let size = self.position.size();
        if usize::from(size.width().max(size.height())) > SIDE {
            return Err(PyValueError::new_err(format!("the board of {size} has more than {SIDE} lines")));
        }
        planes::array(py, &planes::values(&self.position, player))
    }

    /// The stone on a point: "B", "W" or None.
    fn __getitem__(&self, pair: &str) -> PyResult<Option<String>> {
        let point = point(pair)?;
        if !self.position.size().contains(point) {
            return Err(PyIndexError::new_err(format!("{pair} is not on a board of {}", self.position.size())));
        }
        Ok(self.position.stone(point).map(letter))
    }

    /// The board as text, one line per row: X is Black, O is White.
    fn __str__(&self) -> String {
        diagram::draw(&self.position).trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let count = |color| self.position.stone_count(color);
        let (black, white) = (count(Color::Black), count(Color::White));
        format!(
            "<jigo.Position: {} after turn {}, {black} black and {white} white stones>",
            self.position.size(),
            self.turn
        )
    }

    fn __eq__(&self, other: &Position) -> bool {
        self.position == other.position
    }

    /// The position as SVG, for notebooks.
    fn _repr_svg_(&self) -> String {
        let mut picture = Picture::from_position(&self.position);
        if let Some(point) = self.last {
            picture.mark(point, Mark::Last);
        }
        // Without a maximum, notebooks scale the picture to the full width.
        let svg = board(&picture, &self.__repr__()).into_string();
        svg.replacen("<svg ", "<svg style=\"max-width: 26em\" ", 1)
    }
}

/// An error or a noteworthy fact about a game.
#[pyclass(frozen, get_all, module = "jigo")]
pub struct Finding {
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    turn: Option<u32>,
    color: Option<String>,
    point: Option<String>,
    rules: String,
    detail: String,
}

impl Finding {
    fn from_core(finding: &jigo_core::Finding) -> Finding {
        Finding {
            code: finding.code.id(),
            name: finding.code.name(),
            severity: finding.severity.name(),
            turn: finding.place.turn,
            color: finding.place.color.map(letter),
            point: finding.place.point.map(|point| point.to_string()),
            rules: finding.rules.clone(),
            detail: finding.detail.clone(),
        }
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let turn = self.turn.map_or(String::new(), |turn| format!(" turn {turn}"));
        let color = self.color.as_deref().unwrap_or("");
        let place = self.point.as_ref().map_or(String::new(), |point| format!(" {color}[{point}]"));
        let detail = if self.detail.is_empty() { String::new() } else { format!(": {}", self.detail) };
        format!("<{} {} {}{turn}{place}{detail}>", self.severity, self.code, self.name)
    }
}

/// A count under a ruleset, in points.
#[pyclass(frozen, get_all, module = "jigo")]
pub struct Score {
    ruleset: String,
    komi: f64,
    bonus: f64,
    black: f64,
    white: f64,
    black_minus_white: f64,
    winner: Option<String>,
    result: String,
    dead: Vec<String>,
    dead_source: &'static str,
    confidence: Option<f32>,
    remark: Option<&'static str>,
}

#[pymethods]
impl Score {
    fn __repr__(&self) -> String {
        let confidence = self.confidence.map_or(String::new(), |confidence| format!(", confidence {confidence:.2}"));
        format!("<jigo.Score: {} under {}, dead stones by {}{confidence}>", self.result, self.ruleset, self.dead_source)
    }
}
