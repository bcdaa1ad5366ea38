//! A slow referee, written from the definitions alone and compared with the fast one.
//!
//! It stores every position of a game and applies the definition of each repetition rule to each
//! position. It has no hashes and no incremental state: each query finds chains by flood fill. Only
//! [`Color`] is shared with the library.

use jigo_rules::board::Color;

/// Column from the left and row from the top, both from 0.
pub type At = (usize, usize);

/// The stones of a board, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Black and white stones on it. Compared first, which decides most comparisons.
    count: [usize; 2],
    rows: Vec<Vec<Option<Color>>>,
}

impl Board {
    /// Returns an empty board.
    pub fn new(width: usize, height: usize) -> Board {
        Board { count: [0; 2], rows: vec![vec![None; width]; height] }
    }

    /// Returns the stone on a point.
    pub fn stone(&self, (x, y): At) -> Option<Color> {
        self.rows[y][x]
    }

    /// Returns all points, row by row.
    pub fn points(&self) -> Vec<At> {
        (0..self.rows.len()).flat_map(|y| (0..self.rows[y].len()).map(move |x| (x, y))).collect()
    }

    fn is_empty(&self) -> bool {
        self.count == [0; 2]
    }

    fn set(&mut self, (x, y): At, stone: Option<Color>) {
        if let Some(previous) = self.rows[y][x] {
            self.count[previous.index()] -= 1;
        }
        if let Some(new) = stone {
            self.count[new.index()] += 1;
        }
        self.rows[y][x] = stone;
    }

    fn neighbours(&self, (x, y): At) -> Vec<At> {
        let adjacent = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        adjacent.into_iter().filter(|&(x, y)| y < self.rows.len() && x < self.rows[y].len()).collect()
    }

    /// Returns the chain of the stone at `start`, and whether it has a liberty.
    fn chain(&self, start: At) -> (Vec<At>, bool) {
        let color = self.stone(start);
        let mut chain = vec![start];
        let mut has_liberty = false;
        let mut next = 0;
        while next < chain.len() {
            for neighbour in self.neighbours(chain[next]) {
                has_liberty |= self.stone(neighbour).is_none();
                if self.stone(neighbour) == color && !chain.contains(&neighbour) {
                    chain.push(neighbour);
                }
            }
            next += 1;
        }
        (chain, has_liberty)
    }

    fn remove_without_liberty(&mut self, start: At) -> usize {
        let (chain, has_liberty) = self.chain(start);
        if has_liberty {
            return 0;
        }
        chain.iter().for_each(|&stone| self.set(stone, None));
        chain.len()
    }

    /// Adds a stone, removes opposing chains without liberties, then its own chain if it has none.
    /// Returns the number of stones that each removal took.
    fn play(&mut self, color: Color, point: At) -> (usize, usize) {
        self.set(point, Some(color));
        let mut captured = 0;
        for neighbour in self.neighbours(point) {
            if self.stone(neighbour) == Some(color.opponent()) {
                captured += self.remove_without_liberty(neighbour);
            }
        }
        (captured, self.remove_without_liberty(point))
    }
}

/// An event of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Points set to a stone or to empty, and the player to move, if recorded.
    Setup(Vec<(At, Option<Color>)>, Option<Color>),
    /// A stone played, possibly onto an occupied point.
    Play(Color, At),
    /// A pass.
    Pass(Color),
    /// A turn whose point is unreadable or off the board. It uses up the player's turn and leaves
    /// the board unchanged.
    Lost(Color),
}

/// Returns the first player to move in `following`. That is the recorded player to move, since a
/// turn of the other player implies a pass. Otherwise it is the player of the first turn.
fn first_to_move(mut to_play: Option<Color>, following: &[Event]) -> Option<Color> {
    for event in following {
        match *event {
            Event::Setup(_, recorded) => to_play = recorded.or(to_play),
            Event::Play(color, _) | Event::Pass(color) | Event::Lost(color) => return to_play.or(Some(color)),
        }
    }
    to_play
}

/// A position of the game with the turn that led to it: `pos[i]`, `col[i]` and the kind of turn i.
#[derive(Clone, Debug)]
pub struct Past {
    /// The position.
    pub board: Board,
    /// The player of that turn. For an initial position from setup, the opponent of the first
    /// player to move.
    pub color: Option<Color>,
    /// True if that turn was a play.
    pub is_play: bool,
    /// The record's number of the turn. An implied pass has the number of the previous turn.
    pub number: u32,
    /// Stones of Black and of White that the turn took off the board.
    pub lost: [usize; 2],
}

/// The repetition rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Unrestricted,
    Ko,
    Psk,
    Ssk,
    Own,
    Nssk,
    NsskKo,
}

/// All repetition rules under the names of the command line.
pub const RULES: [(&str, Rule); 7] = [
    ("none", Rule::Unrestricted),
    ("ko", Rule::Ko),
    ("psk", Rule::Psk),
    ("ssk", Rule::Ssk),
    ("own", Rule::Own),
    ("nssk", Rule::Nssk),
    ("nssk+ko", Rule::NsskKo),
];

/// The names of the suicide rules, with whether each forbids a suicide of one stone and of several.
pub const SUICIDES: [(&str, bool, bool); 3] = [("forbid", true, true), ("multi", true, false), ("any", false, false)];

/// The reason why a turn is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Occupied,
    Suicide,
    /// A repetition that the basic ko rule also forbids.
    Ko,
    /// Any other repetition.
    Superko,
}

/// The effect of a turn, and for each rule the earlier positions that make it forbid the turn.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record's number of the turn.
    pub number: u32,
    /// True if the turn implies an earlier pass of the other colour.
    pub implied_pass: bool,
    pub captured: usize,
    pub suicide: usize,
    pub occupied: bool,
    /// In the order of [`RULES`]; indices into [`Reference::history`].
    pub forbidding: [Vec<usize>; 7],
}

impl Outcome {
    fn without_capture(number: u32, implied_pass: bool) -> Outcome {
        let forbidding = Default::default();
        Outcome { number, implied_pass, captured: 0, suicide: 0, occupied: false, forbidding }
    }

    /// Returns the verdict under the rules at these indices of [`RULES`] and [`SUICIDES`].
    pub fn verdict(&self, rule: usize, suicide: usize) -> Option<Verdict> {
        let (_, forbids_one, forbids_more) = SUICIDES[suicide];
        if self.occupied {
            Some(Verdict::Occupied)
        } else if (self.suicide == 1 && forbids_one) || (self.suicide > 1 && forbids_more) {
            Some(Verdict::Suicide)
        } else if self.forbidding[rule].is_empty() {
            None
        } else if self.forbidding[1].is_empty() {
            Some(Verdict::Superko)
        } else {
            Some(Verdict::Ko)
        }
    }
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The positions since the last setup, the initial one first.
    pub history: Vec<Past>,
    /// Turns so far.
    pub turns: u32,
    /// If true, no player is credited with a position that was set up.
    pub literal_setup: bool,
    handicap_turns: u32,
    due: Option<Color>,
}

impl Reference {
    /// Returns an empty board. The first `handicap_turns` turns may have any order.
    pub fn new(width: usize, height: usize, handicap_turns: u32) -> Reference {
        let board = Board::new(width, height);
        let initial = Past { board, color: None, is_play: false, number: 0, lost: [0; 2] };
        Reference { history: vec![initial], turns: 0, literal_setup: false, handicap_turns, due: None }
    }

    /// Returns the current position.
    pub fn board(&self) -> &Board {
        &self.history[self.history.len() - 1].board
    }

    /// Applies the event. `following` contains the later events, whose first player did not create
    /// a position set up here.
    pub fn step(&mut self, event: &Event, following: &[Event]) -> Option<Outcome> {
        match event {
            Event::Setup(stones, to_play) => {
                self.set_up(stones, *to_play, following);
                None
            }
            Event::Play(color, point) => Some(self.turn(*color, Some(*point), true)),
            Event::Pass(color) => Some(self.turn(*color, None, true)),
            Event::Lost(color) => Some(self.turn(*color, None, false)),
        }
    }

    fn set_up(&mut self, stones: &[(At, Option<Color>)], to_play: Option<Color>, following: &[Event]) {
        if stones.is_empty() {
            self.due = to_play.or(self.due);
            return;
        }
        self.due = to_play;
        let mut board = self.board().clone();
        stones.iter().for_each(|&(point, stone)| board.set(point, stone));
        let is_attributed = !self.literal_setup && !board.is_empty();
        let color = first_to_move(to_play, following).filter(|_| is_attributed).map(Color::opponent);
        self.history = vec![Past { board, color, is_play: color.is_some(), number: 0, lost: [0; 2] }];
    }

    fn turn(&mut self, color: Color, point: Option<At>, is_made: bool) -> Outcome {
        self.turns += 1;
        let implied_pass = self.due == Some(color.opponent()) && self.turns > self.handicap_turns;
        if implied_pass {
            self.pass(color.opponent(), self.turns - 1);
        }
        self.due = Some(color.opponent());
        match point {
            Some(point) => self.play(color, point, implied_pass),
            None => {
                if is_made {
                    self.pass(color, self.turns);
                }
                Outcome::without_capture(self.turns, implied_pass)
            }
        }
    }

    fn pass(&mut self, color: Color, number: u32) {
        let board = self.board().clone();
        self.history.push(Past { board, color: Some(color), is_play: false, number, lost: [0; 2] });
    }

    fn play(&mut self, color: Color, point: At, implied_pass: bool) -> Outcome {
        let mut board = self.board().clone();
        let mut outcome = Outcome::without_capture(self.turns, implied_pass);
        outcome.occupied = board.stone(point).is_some();
        (outcome.captured, outcome.suicide) = board.play(color, point);
        outcome.forbidding = self.forbidding(color, &board);
        let mut lost = [0; 2];
        lost[color.index()] = outcome.suicide;
        lost[color.opponent().index()] = outcome.captured;
        self.history.push(Past { board, color: Some(color), is_play: true, number: self.turns, lost });
        outcome
    }

    /// Returns, for each rule, every `i` because of which it forbids a play by `c` that gives the
    /// position `q`.
    fn forbidding(&self, c: Color, q: &Board) -> [Vec<usize>; 7] {
        let equal: Vec<usize> = (0..self.history.len()).filter(|&i| self.history[i].board == *q).collect();
        RULES.map(|(_, rule)| equal.iter().copied().filter(|&i| self.forbids(rule, c, i)).collect())
    }

    /// Returns true if `rule` forbids a play by `c` that repeats the position `pos[i]`.
    fn forbids(&self, rule: Rule, c: Color, i: usize) -> bool {
        let k = self.history.len() - 1;
        let pos = &self.history;
        match rule {
            Rule::Unrestricted => false,
            Rule::Ko => i == k || (i + 1 == k && pos[k].color == Some(c.opponent())),
            Rule::Psk => true,
            // The player about to play takes the turn from the current position, pos[k].
            Rule::Ssk => i < k && pos[i + 1].color == Some(c.opponent()),
            Rule::Own => pos[i].color == Some(c),
            Rule::Nssk => pos[i].color == Some(c) && pos[i].is_play,
            Rule::NsskKo => self.forbids(Rule::Nssk, c, i) || self.forbids(Rule::Ko, c, i),
        }
    }
}
