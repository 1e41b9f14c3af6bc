//! Moves in words: `red north, green east`.

use super::DescriptionError;
use super::position::robot_named;
use crate::geometry::Direction;
use crate::notation::short;
use crate::robot::Robot;
use crate::solution::{Move, Solution};

/// Words between moves that are skipped.
const FILLERS: [&str; 8] = [
    "the", "robot", "goes", "moves", "slides", "to", "and", "then",
];

/// One word of a text about moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveWord {
    /// A whole move, such as `YW` or `Y←`.
    Move(Move),
    /// A robot, such as `yellow` or `Y`.
    Robot(Robot),
    /// A direction, such as `west`, `left` or `←`.
    Direction(Direction),
}

impl MoveWord {
    /// Reads a word, in either case. Right after a robot, W is west; elsewhere it is the silver robot.
    pub fn read(word: &str, after_robot: bool) -> Option<Self> {
        let mut letters = word.chars();
        let (first, second, third) = (letters.next()?, letters.next(), letters.next());
        let alone = second.is_none();
        if let Some(direction) = Direction::from_name(word) {
            return Some(Self::Direction(direction));
        }
        if alone
            && after_robot
            && let Some(direction) = Direction::from_letter(first)
        {
            return Some(Self::Direction(direction));
        }
        if let Ok(play) = word.parse() {
            return Some(Self::Move(play));
        }
        if let (Some(robot), Some(arrow), None) = (Robot::from_letter(first), second, third)
            && let Some(direction) = Direction::from_name(arrow.encode_utf8(&mut [0; 4]))
        {
            return Some(Self::Move(Move { robot, direction }));
        }
        robot_named(word).map(Self::Robot)
    }
}

/// The words of a text about moves, without punctuation and filler words.
///
/// ```
/// use ricochet_core::describe::move_words;
/// let words: Vec<&str> = move_words("The red robot goes north, then RE").collect();
/// assert_eq!(words, ["red", "north", "RE"]);
/// ```
pub fn move_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || ",;:.-".contains(c))
        .filter(|word| !word.is_empty())
        .filter(|word| !FILLERS.contains(&word.to_lowercase().as_str()))
}

/// Reads moves as people write them: `RN GE`, `red north, green east`, `red up right`, `R ↑`. A
/// direction without a robot moves the last one again.
///
/// The parser of [`Solution`] accepts only the short form.
///
/// ```
/// use ricochet_core::describe::parse_moves;
/// for text in ["YW YN GE", "yellow west, yellow north, green east", "yellow left up G→", "y w y n g e"] {
///     assert_eq!(parse_moves(text)?.to_string(), "YW YN GE", "{text}");
/// }
/// let error = parse_moves("yellow, green north").unwrap_err();
/// assert!(error.to_string().starts_with("expected a direction after 'yellow'"));
/// # Ok::<(), ricochet_core::describe::DescriptionError>(())
/// ```
///
/// # Errors
/// The first word that is not part of a move, or that leaves a robot or a direction missing.
pub fn parse_moves(text: &str) -> Result<Solution, DescriptionError> {
    let mut moves: Vec<Move> = Vec::new();
    // The robot that still lacks a direction, with its word.
    let mut waiting: Option<(Robot, &str)> = None;
    for word in move_words(text) {
        let read = MoveWord::read(word, waiting.is_some());
        if let (Some((_, robot)), false) = (waiting, matches!(read, Some(MoveWord::Direction(_)))) {
            return Err(no_direction(robot, &short(word)));
        }
        match read {
            Some(MoveWord::Move(play)) => moves.push(play),
            Some(MoveWord::Robot(robot)) => waiting = Some((robot, word)),
            Some(MoveWord::Direction(direction)) => {
                let last = moves.last().map(|last| last.robot);
                let Some(robot) = waiting.take().map(|(robot, _)| robot).or(last) else {
                    return Err(DescriptionError::new(format!(
                        "which robot goes {direction}? Expected a robot before {}, such as red \
                         {direction}",
                        short(word)
                    )));
                };
                moves.push(Move { robot, direction });
            }
            None => {
                return Err(DescriptionError::new(format!(
                    "{} is not a move: expected a robot ({}) and a direction (N, E, S, W), such as \
                     RN or red north",
                    short(word),
                    Robot::LETTERS
                )));
            }
        }
    }
    match waiting {
        Some((_, robot)) => Err(no_direction(robot, "nothing")),
        None => Ok(Solution::new(moves)),
    }
}

fn no_direction(robot: &str, found: &str) -> DescriptionError {
    DescriptionError::new(format!(
        "expected a direction after {}, such as north, up or N; found {found}",
        short(robot)
    ))
}

/// Moves in words, as [`parse_moves`] reads them.
pub fn moves_in_words(moves: &[Move]) -> String {
    let words: Vec<String> = moves
        .iter()
        .map(|Move { robot, direction }| format!("{robot} {direction}"))
        .collect();
    words.join(", ")
}
