//! A list of games, read from any table with a file and a game column.

use jigo_record::sgf::encoding::byte_order_mark::without_mark;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::source::rows::csv_table;
use jigo_rules::suggestions::is_nearly;
use jigo_score::GivenStones;
use serde_json::{Map, Value};

/// The optional columns that name stones.
const DEAD_STONES: &str = "dead_stones";
const SEKI: &str = "seki";

/// A list of games by file and number, which also records the games that a run meets.
#[derive(Debug, Default)]
pub struct GameList {
    by_file: HashMap<Box<str>, HashMap<u64, ListedGame>>,
    /// The number of rows without a game: findings on whole files.
    pub without_game: u64,
}

/// A game of the list.
#[derive(Debug, Default)]
struct ListedGame {
    /// True if the run has met it.
    is_seen: AtomicBool,
    /// Its dead stones, if the table gives them.
    given_stones: Option<Arc<GivenStones>>,
}

/// The columns of a row.
struct ListRow<'a> {
    file: &'a str,
    game: Option<u64>,
    dead_stones: &'a str,
    seki: &'a str,
}

/// The reason why a table is not a list of games.
#[derive(Debug, thiserror::Error)]
pub enum GameListError {
    /// The table can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The table is not valid CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// The table is not valid JSON lines.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// The table is not valid Parquet, or its columns have unexpected types.
    #[error("{0}")]
    Parquet(String),
    /// The table lacks a column that identifies games.
    #[error("it has no column {0}; games are named by file (or id) and game, as in jigo's tables")]
    MissingColumn(&'static str),
    /// A game number is not a positive integer.
    #[error("row {0}: game is '{1}', not a number from 1")]
    InvalidNumber(u64, String),
    /// The name of a column is mistyped.
    #[error("column '{0}': did you mean {1}? rename or remove it")]
    MistypedColumn(String, &'static str),
    /// Two rows give a game different stones.
    #[error("row {0}: game {1} of {2} has other dead_stones or seki in an earlier row; keep one of the rows")]
    OtherStones(u64, u64, String),
    /// A row names seki without dead stones.
    #[error("row {0}: seki needs dead_stones; write none if no stone is dead")]
    SekiWithoutDeadStones(u64),
}

impl From<String> for GameListError {
    /// Wraps the reason why Parquet can't be read.
    fn from(reason: String) -> GameListError {
        GameListError::Parquet(reason)
    }
}

impl GameList {
    /// Reads a table in CSV, JSON lines or Parquet. The first bytes determine the format.
    ///
    /// # Errors
    /// See [`GameListError`].
    pub fn read(path: &Path) -> Result<GameList, GameListError> {
        let mut input = BufReader::new(File::open(path)?);
        let start = input.fill_buf()?;
        let text = without_mark(start);
        match text.trim_ascii_start().first() {
            Some(b'{') => GameList::read_json_lines(input),
            _ if start.starts_with(b"PAR1") => GameList::read_parquet(path),
            _ => GameList::read_csv(input),
        }
    }

    /// Returns a list of the given games.
    pub fn from_games<'a>(games_by_name: impl IntoIterator<Item = (&'a str, u64)>) -> GameList {
        let mut games = GameList::default();
        for (file, game) in games_by_name {
            games.add_game(file, game);
        }
        games
    }

    fn read_csv(mut input: impl BufRead) -> Result<GameList, GameListError> {
        // Spreadsheets write semicolons where the comma is the decimal sign.
        let delimiter = csv_table::delimiter(input.fill_buf()?);
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(input);
        let header = reader.headers()?.clone();
        check_columns(header.iter().map(|name| name.trim_start_matches('\u{FEFF}')))?;
        let column_index = |name: &str| header.iter().position(|column| column.trim_start_matches('\u{FEFF}') == name);
        let file = column_index("file").or_else(|| column_index("id")).ok_or(GameListError::MissingColumn("file"))?;
        let game = column_index("game").ok_or(GameListError::MissingColumn("game"))?;
        let [dead_stones, seki] = [DEAD_STONES, SEKI].map(column_index);
        let mut games = GameList::default();
        let mut row = csv::StringRecord::new();
        let mut rows = 0;
        while reader.read_record(&mut row)? {
            rows += 1;
            let number = match row.get(game).unwrap_or_default().trim() {
                "" => None,
                text => Some(parse_game_number(text, rows)?),
            };
            let cell = |column: Option<usize>| column.and_then(|column| row.get(column)).unwrap_or_default();
            let file = row.get(file).unwrap_or_default();
            let list_row = ListRow { file, game: number, dead_stones: cell(dead_stones), seki: cell(seki) };
            games.add(list_row, rows)?;
        }
        Ok(games)
    }

    fn read_json_lines(input: impl BufRead) -> Result<GameList, GameListError> {
        let mut games = GameList::default();
        for (row, fields) in serde_json::Deserializer::from_reader(input).into_iter::<Map<String, Value>>().enumerate()
        {
            let (fields, row) = (fields?, row as u64 + 1);
            check_columns(fields.keys().map(String::as_str))?;
            let cell = |name: &str| match fields.get(name) {
                None | Some(Value::Null) => None,
                Some(Value::String(text)) => Some(text.clone()),
                Some(value) => Some(value.to_string()),
            };
            let file = cell("file").or_else(|| cell("id")).ok_or(GameListError::MissingColumn("file"))?;
            let game = fields.get("game").filter(|game| !game.is_null());
            let game = game.map(|game| parse_game_number(&game.to_string(), row)).transpose()?;
            let [dead_stones, seki] = [DEAD_STONES, SEKI].map(|name| cell(name).unwrap_or_default());
            games.add(ListRow { file: &file, game, dead_stones: &dead_stones, seki: &seki }, row)?;
        }
        Ok(games)
    }

    #[cfg(feature = "columnar")]
    fn read_parquet(path: &Path) -> Result<GameList, GameListError> {
        use crate::source::rows::arrow::{check_names, identifier};
        use crate::source::rows::parquet;

        let batches = parquet::read_table(File::open(path)?, |schema| {
            let has = |name: &str| schema.column_with_name(name).is_some();
            let file = ["file", "id"].into_iter().find(|name| has(name)).ok_or(GameListError::MissingColumn("file"))?;
            if !has("game") {
                return Err(GameListError::MissingColumn("game"));
            }
            check_names(schema, file)?;
            check_columns(schema.fields().iter().map(|field| field.name().as_str()))?;
            Ok(move |name: &str| [file, "game", DEAD_STONES, SEKI].contains(&name))
        });
        let (mut games, mut rows) = (GameList::default(), 0);
        for batch in batches? {
            let batch = batch?;
            let file = batch.column_by_name("file").or_else(|| batch.column_by_name("id"));
            let file = file.ok_or(GameListError::MissingColumn("file"))?;
            let game = batch.column_by_name("game").ok_or(GameListError::MissingColumn("game"))?;
            let stones = [DEAD_STONES, SEKI].map(|name| batch.column_by_name(name));
            for index in 0..batch.num_rows() {
                rows += 1;
                let number = identifier(game, index).map(|text| parse_game_number(&text, rows)).transpose()?;
                let file = identifier(file, index).unwrap_or_default();
                let cells =
                    stones.map(|column| column.and_then(|column| identifier(column, index)).unwrap_or_default());
                let [dead_stones, seki] = &cells;
                games.add(ListRow { file: &file, game: number, dead_stones, seki }, rows)?;
            }
        }
        Ok(games)
    }

    #[cfg(not(feature = "columnar"))]
    fn read_parquet(_: &Path) -> Result<GameList, GameListError> {
        Err(GameListError::Parquet("this jigo was built without Parquet".into()))
    }

    /// Adds a row with this number.
    fn add(&mut self, row: ListRow<'_>, number: u64) -> Result<(), GameListError> {
        let ListRow { file, game, .. } = row;
        // The table games has numbers of stones and points in these columns.
        let [dead_stones, seki] = [row.dead_stones, row.seki].map(|cell| {
            let cell = cell.trim();
            if cell.parse::<f64>().is_ok() { "" } else { cell }
        });
        let Some(game) = game else {
            self.without_game += 1;
            return Ok(());
        };
        if dead_stones.is_empty() && !seki.is_empty() {
            return Err(GameListError::SekiWithoutDeadStones(number));
        }
        let listed = self.add_game(file, game);
        if !dead_stones.is_empty() {
            let stones = Arc::new(GivenStones::new(dead_stones, seki));
            // A game has several rows in tables of findings and scores.
            if *listed.given_stones.get_or_insert_with(|| Arc::clone(&stones)) != stones {
                return Err(GameListError::OtherStones(number, game, file.to_owned()));
            }
        }
        Ok(())
    }

    fn add_game(&mut self, file: &str, game: u64) -> &mut ListedGame {
        self.by_file.entry(without_dot_slash(file).into()).or_default().entry(game).or_default()
    }

    fn game(&self, file: &str, game: u64) -> Option<&ListedGame> {
        self.by_file.get(without_dot_slash(file))?.get(&game)
    }

    /// Returns the dead stones that the list gives for a game.
    pub(super) fn given_stones(&self, file: &str, game: u64) -> Option<Arc<GivenStones>> {
        self.game(file, game)?.given_stones.clone()
    }

    /// Returns true if a game is listed, and records that the run met it.
    pub(super) fn mark_if_listed(&self, file: &str, game: u64) -> bool {
        self.game(file, game).inspect(|listed| listed.is_seen.store(true, Ordering::Relaxed)).is_some()
    }

    /// Returns the number of listed games.
    pub fn len(&self) -> usize {
        self.by_file.values().map(HashMap::len).sum()
    }

    /// Returns true if the list contains no game.
    pub fn is_empty(&self) -> bool {
        self.by_file.is_empty()
    }

    /// Returns the number of listed games that no run has met, and the first of them by name.
    pub fn missing(&self) -> (usize, Option<(&str, u64)>) {
        let unseen = self.by_file.iter().flat_map(|(file, games)| {
            let unseen = games.iter().filter(|(_, listed)| !listed.is_seen.load(Ordering::Relaxed));
            unseen.map(move |(game, _)| (&**file, *game))
        });
        (unseen.clone().count(), unseen.min())
    }

    /// Returns the messages for people about listed games without an input. `is_complete` is true
    /// if the run has seen all games.
    pub fn messages(&self, is_complete: bool) -> Vec<String> {
        let (missing, first) = self.missing();
        let listed = self.len();
        let missing = first.filter(|_| is_complete).map(|(file, game)| {
            format!("{missing} of {listed} games in --games are in no input: the first is game {game} of {file}")
        });
        let without_game = (self.without_game > 0)
            .then(|| format!("rows of --games with a file but no game are skipped: {}", self.without_game));
        missing.into_iter().chain(without_game).collect()
    }
}

/// Fails if a column is nearly one of those that name stones, which would otherwise have no effect.
fn check_columns<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), GameListError> {
    for name in names {
        let word = name.to_lowercase();
        let is_mistyped = |known: &&str| name != *known && is_nearly(&word, known);
        if let Some(known) = [DEAD_STONES, SEKI].into_iter().find(is_mistyped) {
            return Err(GameListError::MistypedColumn(name.to_owned(), known));
        }
    }
    Ok(())
}

/// Parses the game number in the given row.
///
/// Numbers count from 1. `3.0` is 3, because pandas converts integers to floats in a column with
/// empty cells.
fn parse_game_number(text: &str, row: u64) -> Result<u64, GameListError> {
    let whole_part = text.split_once('.').filter(|(_, rest)| rest.bytes().all(|digit| digit == b'0'));
    let number = whole_part.map_or(text, |(digits, _)| digits).parse();
    number.ok().filter(|number| *number > 0).ok_or_else(|| GameListError::InvalidNumber(row, text.to_owned()))
}

/// Returns a file name without a leading `./`.
pub fn without_dot_slash(file: &str) -> &str {
    file.trim_start_matches("./")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(games: &GameList) -> (usize, u64) {
        (games.len(), games.without_game)
    }

    #[test]
    fn csv_and_json_lines_list_games() {
        let csv = "offset,file,game,code\n0,./a.sgf,2,K001\n9,\"b,c.sgf\",1,K001\n0,a.sgf,2,P001\n0,d.sgf,,S001\n";
        let json =
            "{\"id\":7,\"game\":2,\"sgf\":\"x\"}\n{\"file\":\"b,c.sgf\",\"game\":1}\n{\"file\":\"d\",\"game\":null}\n";
        let csv = GameList::read_csv(csv.as_bytes()).unwrap();
        assert_eq!(listed(&csv), (2, 1));
        assert!(csv.mark_if_listed("a.sgf", 2) && !csv.mark_if_listed("a.sgf", 1) && !csv.mark_if_listed("d.sgf", 1));
        assert_eq!(csv.missing(), (1, Some(("b,c.sgf", 1))));
        let json = GameList::read_json_lines(json.as_bytes()).unwrap();
        assert_eq!(listed(&json), (2, 1));
        assert!(json.mark_if_listed("7", 2) && json.mark_if_listed("./b,c.sgf", 1));
        assert_eq!(json.missing(), (0, None));
    }

    #[test]
    fn table_without_games_reports_the_missing_part() {
        let error = |csv: &str| GameList::read_csv(csv.as_bytes()).unwrap_err().to_string();
        assert!(error("file,turn\na,1\n").contains("no column game"));
        assert!(error("name,game\na,1\n").contains("no column file"));
        assert!(error("file,game\na,first\n").contains("row 1: game is 'first'"));
        assert!(error("file,game\na,1\na,0\n").contains("row 2: game is '0', not a number from 1"));
        let error = |json: &str| GameList::read_json_lines(json.as_bytes()).unwrap_err().to_string();
        assert!(error("{\"file\":\"a\",\"game\":0}").contains("row 1: game is '0', not a number from 1"));
        assert!(error("{\"file\":\"a\",\"game\":\"1\"}").contains("row 1: game is '\"1\"', not"));
    }

    #[test]
    fn semicolons_and_tabs_separate_columns() {
        for table in ["file;game;dead_stones\na,b;2;A1,B2\n", "file\tgame\tdead_stones\na,b\t2\tA1;B2\n"] {
            let games = GameList::read_csv(table.as_bytes()).unwrap();
            assert_eq!(*games.given_stones("a,b", 2).unwrap(), GivenStones::new("A1 B2", ""), "{table}");
        }
    }

    #[test]
    fn rows_with_other_stones_and_mistyped_columns_are_errors() {
        let error = |csv: &str| GameList::read_csv(csv.as_bytes()).unwrap_err().to_string();
        let other = error("file,game,dead_stones\na,1,A1\n./a,1,B2\n");
        assert!(other.starts_with("row 2: game 1 of ./a has other dead_stones"), "{other}");
        assert!(error("file,game,dead_stone\na,1,A1\n").contains("'dead_stone': did you mean dead_stones?"));
        assert!(error("file,game,dead_stones,Seki\na,1,A1,B2\n").contains("did you mean seki?"));
        let json = GameList::read_json_lines("{\"id\":1,\"game\":1,\"deadstones\":\"A1\"}".as_bytes());
        assert!(json.unwrap_err().to_string().contains("'deadstones': did you mean dead_stones?"));
        let equal = GameList::read_csv("file,game,dead_stones\na,1,A1\na,1,\na,1,A1\n".as_bytes()).unwrap();
        assert_eq!(*equal.given_stones("a", 1).unwrap(), GivenStones::new("A1", ""));
    }

    #[test]
    fn numbers_of_the_games_table_name_no_stones() {
        let csv = GameList::read_csv("file,game,seki,dead_stones\na,1,0.5,3\n".as_bytes()).unwrap();
        let json = "{\"file\":\"a\",\"game\":1,\"seki\":0,\"dead_stones\":3}";
        for games in [csv, GameList::read_json_lines(json.as_bytes()).unwrap()] {
            assert!(games.mark_if_listed("a", 1) && games.given_stones("a", 1).is_none());
        }
    }

    #[test]
    fn game_numbers_are_positive_integers() {
        for (text, read) in
            [("1", Some(1)), ("3.0", Some(3)), ("3.00", Some(3)), ("18446744073709551615", Some(u64::MAX))]
        {
            assert_eq!(parse_game_number(text, 1).ok(), read, "{text}");
        }
        for text in ["0", "0.0", "-1", "1.5", "NaN", "", "1e3", "1.0.0", "18446744073709551616"] {
            assert!(parse_game_number(text, 1).is_err(), "{text}");
        }
    }
}
