//! Collections of generated games, the same in every run: long and short, complete and damaged,
//! with every ending.

use std::fmt::Write;

/// SplitMix64 of Steele, Lea and Flood. The same seed gives the same games on every platform.
pub struct Random(pub u64);

/// Returns the number in `JIGO_SEED`, or else `default`. A failed test prints it, so that a run can
/// be repeated.
pub fn seed(default: u64) -> u64 {
    let seed = std::env::var("JIGO_SEED").ok().map_or(default, |seed| seed.parse().unwrap());
    eprintln!("JIGO_SEED={seed}");
    seed
}

impl Random {
    /// Returns any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to less than `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Returns an index of a list with this many elements.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }
}

/// Returns a game on any board with any turns, sometimes a pass, a comment full of brackets, or a
/// turn out of order.
pub fn game(random: &mut Random) -> String {
    let side = random.one_of(&[3, 5, 9, 13, 19, 19]);
    let rules = random.one_of(&["RU[Japanese]", "RU[Chinese]", "RU[AGA]", "RU[NZ]", "RU[of my own]", ""]);
    let komi = random.one_of(&["KM[6.5]", "KM[7.5]", "KM[0]", "KM[375]", "KM[many]", ""]);
    let result = random.one_of(&["RE[B+3.5]", "RE[W+12]", "RE[B+R]", "RE[W+T]", "RE[0]", "RE[?]", ""]);
    let mut text = format!("(;GM[1]FF[4]SZ[{side}]{rules}{komi}{result}");
    let mut color = 0;
    for _ in 0..random.below(300) {
        color ^= usize::from(random.below(50) != 0);
        let letter = ["B", "W"][color];
        let [column, row] = [(); 2].map(|()| char::from(b'a' + random.below(side) as u8));
        // A write to a String never fails.
        let _ = match random.below(40) {
            0 => write!(text, "\n;{letter}[]"),
            1 => write!(text, ";{letter}[{column}{row}]C[(;B\\[aa\\]) at {row}\\]]"),
            2 => write!(text, ";{letter}[{column}{row}]BL[1.5]N[name]"),
            _ => write!(text, ";{letter}[{column}{row}]"),
        };
    }
    text.push_str(random.one_of(&[";B[];W[]", ";W[];B[]", ""]));
    text.push_str(random.one_of(&[")", "(;B[aa];W[bb])(;B[bb];W[aa]))"]));
    text
}

/// Returns a sequence of games, with occasional damage and stray text.
pub fn collection(random: &mut Random, bytes: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes + 4096);
    while text.len() < bytes {
        let game = game(random);
        match random.below(100) {
            0 => text.extend(&game.as_bytes()[..game.len() / 2]),
            1 => text.extend(b"(;GM[6];Q[not go])"),
            2 => text.extend(b"a line of a letter"),
            3 => text.extend([b"(;GM[1]SZ[9]PB[\xFF\xFE];B[aa])".as_slice(), game.as_bytes()].concat()),
            _ => text.extend(game.as_bytes()),
        }
        text.push(b'\n');
    }
    text
}
