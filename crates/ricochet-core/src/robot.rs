//! The robots and their letters.

use std::fmt;

/// The most robots a puzzle may have.
pub const MAX_ROBOTS: usize = 8;

/// A robot, and its colour as that of a target or a diagonal.
///
/// The first five are the game's; the other three are ours, for larger boards.
///
/// ```
/// use ricochet_core::Robot;
/// assert_eq!(Robot::RED.letter(), 'R');
/// assert_eq!(Robot::from_letter('w'), Some(Robot::SILVER));
/// assert_eq!(Robot::new(8), None);
/// assert_eq!(Robot::BLUE.to_string(), "blue");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Robot(u8);

impl Robot {
    /// Robot 0, letter R.
    pub const RED: Self = Self(0);
    /// Robot 1, letter G.
    pub const GREEN: Self = Self(1);
    /// Robot 2, letter B.
    pub const BLUE: Self = Self(2);
    /// Robot 3, letter Y.
    pub const YELLOW: Self = Self(3);
    /// Robot 4, letter W (for white; some tools say black).
    pub const SILVER: Self = Self(4);
    /// Robot 5, letter O.
    pub const ORANGE: Self = Self(5);
    /// Robot 6, letter P.
    pub const PURPLE: Self = Self(6);
    /// Robot 7, letter C.
    pub const CYAN: Self = Self(7);

    /// All eight, in order.
    pub const ALL: [Self; MAX_ROBOTS] = [
        Self::RED,
        Self::GREEN,
        Self::BLUE,
        Self::YELLOW,
        Self::SILVER,
        Self::ORANGE,
        Self::PURPLE,
        Self::CYAN,
    ];

    /// The letters of [`Robot::ALL`].
    pub const LETTERS: &'static str = "RGBYWOPC";

    /// The robot with this index, if it is under [`MAX_ROBOTS`].
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_ROBOTS {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// Its index in [`Robot::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter in our notation.
    pub const fn letter(self) -> char {
        Self::LETTERS.as_bytes()[self.0 as usize] as char
    }

    /// The robot with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = letter.to_ascii_uppercase();
        Self::LETTERS.find(letter).and_then(Self::new)
    }

    /// Its colour in English, lower case.
    pub const fn name(self) -> &'static str {
        [
            "red", "green", "blue", "yellow", "silver", "orange", "purple", "cyan",
        ][self.0 as usize]
    }

    /// The robot with this colour; other tools call silver `black`, `white` or `grey`.
    ///
    /// ```
    /// use ricochet_core::Robot;
    /// assert_eq!(Robot::from_name("Yellow"), Some(Robot::YELLOW));
    /// assert_eq!(Robot::from_name("black"), Some(Robot::SILVER));
    /// assert_eq!(Robot::from_name("beige"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "black" | "white" | "grey" | "gray" => Some(Self::SILVER),
            _ => Self::ALL.into_iter().find(|robot| robot.name() == name),
        }
    }
}

impl fmt::Display for Robot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
