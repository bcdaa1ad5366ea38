//! Generated duplicates like those in real archives: mirrored, rotated, truncated, mistyped, with
//! other headers, charsets and archive formats.

use std::fmt::Write;

use jigo_core::{BoardSize, Color, Point};
use jigo_record::{Coordinates, GameRecord, StepKind};

use super::generated::Random;

/// A game as root properties and turns. A point is a column and a row; `None` is a pass.
#[derive(Clone, Debug)]
pub struct Game {
    pub size: BoardSize,
    pub header: Vec<(&'static str, String)>,
    pub setup: Vec<(Color, Point)>,
    pub turns: Vec<(Color, Option<Point>)>,
}

/// The change to a duplicate's turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    None,
    Cut,
    Slips(u64),
    OtherEnd,
}

/// A duplicate: its bytes and its expected class.
#[derive(Debug)]
pub struct Copy {
    pub text: Vec<u8>,
    pub class: &'static str,
    pub change: Change,
}

impl Game {
    /// Converts a record. Returns `None` if it has setup between turns or turns that are not
    /// points.
    pub fn from_record(record: &GameRecord) -> Option<Game> {
        let header = &record.header;
        let komi = header.komi.map(|komi| komi.to_string()).unwrap_or_default();
        let handicap = header.handicap.map(|stones| stones.to_string()).unwrap_or_default();
        let fields = [
            ("PB", &header.black),
            ("PW", &header.white),
            ("DT", &header.date),
            ("EV", &header.event),
            ("PC", &header.place),
            ("RE", &header.result_text),
            ("KM", &komi),
            ("HA", &handicap),
        ];
        let header = fields.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| (name, text.clone()));
        let mut game =
            Game { size: record.header.size, header: header.collect(), setup: Vec::new(), turns: Vec::new() };
        for step in &record.steps {
            match step.kind {
                StepKind::Turn(color, Coordinates::Play(point)) => game.turns.push((color, Some(point))),
                StepKind::Turn(color, Coordinates::Pass) => game.turns.push((color, None)),
                StepKind::Setup(setup) if game.turns.is_empty() => {
                    let stones = &record.setup(setup).stones;
                    game.setup.extend(stones.iter().filter_map(|(point, color)| Some(((*color)?, *point))));
                }
                _ => return None,
            }
        }
        Some(game)
    }

    /// Returns a generated game with `turns` turns, each on a different point.
    pub fn generate(random: &mut Random, turns: usize) -> Game {
        let size = BoardSize::standard();
        let mut points: Vec<Point> = size.iter().collect();
        for place in (1..points.len()).rev() {
            points.swap(place, random.below(place as u64 + 1) as usize);
        }
        let header = [("PB", "Honinbo Shusaku"), ("PW", "Ota Yuzo"), ("DT", "1853-05-06"), ("RE", "B+3"), ("KM", "0")];
        let turns = points.into_iter().take(turns).enumerate();
        Game {
            size,
            header: header.map(|(name, text)| (name, text.to_owned())).to_vec(),
            setup: Vec::new(),
            turns: turns.map(|(turn, point)| (Color::BOTH[turn % 2], Some(point))).collect(),
        }
    }

    pub fn text(&self) -> String {
        let mut text = format!("(;GM[1]FF[4]SZ[{}:{}]", self.size.width(), self.size.height());
        for (name, value) in &self.header {
            let escaped = value.replace('\\', "\\\\").replace(']', "\\]");
            write!(text, "{name}[{escaped}]").unwrap();
        }
        for (color, point) in &self.setup {
            write!(text, "A{}[{point}]", color.letter()).unwrap();
        }
        for (color, point) in &self.turns {
            let point = point.map_or(String::new(), |point| point.to_string());
            write!(text, ";{}[{point}]", color.letter()).unwrap();
        }
        text + ")"
    }

    /// Returns the number of turns up to the last play.
    fn played(&self) -> usize {
        self.turns.iter().rposition(|(_, point)| point.is_some()).map_or(0, |last| last + 1)
    }

    /// Mirrors and rotates the turns and the setup according to three bits.
    fn transform(&mut self, bits: u64) {
        let size = self.size;
        let image = |point: Point| {
            let x = if bits & 1 != 0 { size.width() - 1 - point.x() } else { point.x() };
            let y = if bits & 2 != 0 { size.height() - 1 - point.y() } else { point.y() };
            if bits & 4 != 0 { Point::new(y, x) } else { Point::new(x, y) }
        };
        self.turns.iter_mut().for_each(|(_, point)| *point = point.map(image));
        self.setup.iter_mut().for_each(|(_, point)| *point = image(*point));
        if bits & 4 != 0 {
            self.size = BoardSize::new(size.height(), size.width()).unwrap();
        }
    }

    /// Swaps Black and White in the turns, the setup and the header.
    fn swap_colors(&mut self) {
        self.turns.iter_mut().for_each(|(color, _)| *color = color.opponent());
        self.setup.iter_mut().for_each(|(color, _)| *color = color.opponent());
        for (name, value) in &mut self.header {
            *name = match *name {
                "PB" => "PW",
                "PW" => "PB",
                name => name,
            };
            if *name == "RE" && value.starts_with(['B', 'W']) {
                let other = if value.starts_with('B') { "W" } else { "B" };
                value.replace_range(0..1, other);
            }
        }
    }

    /// Makes one typing error: a neighbouring point, two exchanged turns, or a missing turn.
    fn add_typing_error(&mut self, random: &mut Random) {
        let index = random.below(self.played() as u64 - 2) as usize;
        match random.below(3) {
            0 => {
                let Some(point) = self.turns[index].1 else { return };
                let x = if point.x() == 0 { 1 } else { point.x() - 1 };
                self.turns[index].1 = Some(Point::new(x, point.y()));
            }
            1 => {
                let [first, second] = [self.turns[index].1, self.turns[index + 1].1];
                (self.turns[index].1, self.turns[index + 1].1) = (second, first);
            }
            _ => {
                self.turns.remove(index);
            }
        }
    }

    fn change_end(&mut self, random: &mut Random) {
        let last = 2 + random.below(9) as usize;
        self.turns.truncate(self.played() - last);
        let mut color = self.turns.last().unwrap().0;
        for _ in 0..2 + random.below(9) {
            color = color.opponent();
            let place = |side: u8, random: &mut Random| random.below(u64::from(side)) as u8;
            let point = Point::new(place(self.size.width(), random), place(self.size.height(), random));
            self.turns.push((color, Some(point)));
        }
    }

    /// Changes the header: empty, partial, or players in another script.
    fn change_header(&mut self, random: &mut Random) {
        match random.below(4) {
            0 => self.header.clear(),
            1 => self.header.retain(|_| random.below(2) == 0),
            2 => {
                for (name, value) in &mut self.header {
                    if ["PB", "PW"].contains(name) {
                        *value = if value.is_ascii() { "趙治勲".into() } else { "Cho Chikun".into() };
                    }
                }
            }
            _ => self.header.push(("SO", "somewhere else".into())),
        }
    }
}

/// Returns a duplicate of a game with random changes.
pub fn copy(random: &mut Random, original: &Game, text: &[u8]) -> Copy {
    if random.below(10) == 0 {
        return Copy { text: text.to_vec(), class: "identical", change: Change::None };
    }
    let mut game = original.clone();
    let played = game.played() as u64;
    let change = match random.below(8) {
        0 | 1 if played > 62 => Change::Cut,
        // In a shorter game this number of errors would be too many for a match.
        2 | 3 if played > 110 => Change::Slips(1 + random.below(4)),
        4 if played > 110 => Change::OtherEnd,
        _ => Change::None,
    };
    match change {
        Change::None => {}
        Change::Cut => game.turns.truncate((61 + random.below(played - 61)) as usize),
        Change::Slips(slips) => (0..slips).for_each(|_| game.add_typing_error(random)),
        Change::OtherEnd => game.change_end(random),
    }
    let before = game.text();
    if random.below(2) == 0 {
        game.transform(random.below(8));
    }
    if random.below(4) == 0 {
        game.swap_colors();
    }
    let class = match change {
        Change::Cut => "prefix",
        Change::Slips(_) | Change::OtherEnd => "variant",
        Change::None if game.text() == before => "same",
        Change::None => "symmetric",
    };
    if random.below(2) == 0 {
        game.change_header(random);
    }
    Copy { text: in_charset(random, &mut game), class, change }
}

/// Returns the game's text in a charset that has all its letters.
fn in_charset(random: &mut Random, game: &mut Game) -> Vec<u8> {
    let charsets = [encoding_rs::UTF_8, encoding_rs::GB18030, encoding_rs::SHIFT_JIS, encoding_rs::BIG5];
    let charset = charsets[random.below(4) as usize];
    let ascii = game.text();
    game.header.push(("CA", charset.name().to_owned()));
    let text = game.text();
    match charset.encode(&text) {
        (bytes, _, false) => bytes.into_owned(),
        _ => ascii.into_bytes(),
    }
}
