//! Why a text cannot be read, as data: a stable code, values and an English sentence made from them.
//! Translations use code and values.

use std::fmt;

use crate::geometry::Cell;
use crate::quadrants::LayoutError;
use crate::robot::Robot;

/// A value of a [`Reason`] or an [`Item`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(u64),
    /// A text that is the same in all languages.
    Text(String),
    /// A robot.
    Robot(Robot),
    /// A phrase, with its own code and values.
    Item(Item),
}

impl From<&usize> for Value {
    fn from(number: &usize) -> Self {
        Self::Number(*number as u64)
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&&'static str> for Value {
    fn from(text: &&'static str) -> Self {
        Self::Text((*text).to_owned())
    }
}

impl From<&char> for Value {
    fn from(letter: &char) -> Self {
        Self::Text(letter.to_string())
    }
}

impl From<&Cell> for Value {
    fn from(cell: &Cell) -> Self {
        Self::Text(cell.to_string())
    }
}

impl From<&Robot> for Value {
    fn from(robot: &Robot) -> Self {
        Self::Robot(*robot)
    }
}

impl From<&Item> for Value {
    fn from(item: &Item) -> Self {
        Self::Item(item.clone())
    }
}

impl From<&Box<Item>> for Value {
    fn from(item: &Box<Item>) -> Self {
        Self::Item((**item).clone())
    }
}

/// An enum whose variants have a code, typed values and an English text.
macro_rules! coded {
    (
        $(#[$about:meta])*
        $name:ident {
            $($variant:ident $({ $($field:ident: $type:ty),+ })? = $code:literal $text:literal,)+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`", $text, "`")]
                $variant $({ $(
                    #[doc = concat!("`{", stringify!($field), "}`")]
                    $field: $type
                ),+ })?,
            )+
        }

        impl $name {
            #[cfg(test)]
            const CODES: &'static [&'static str] = &[$($code),+];

            /// Its code, which never changes.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant $({ $($field: _),+ })? => $code,)+
                }
            }

            /// The values in its text, by name.
            pub fn values(&self) -> Vec<(&'static str, Value)> {
                match self {
                    $(Self::$variant $({ $($field),+ })? => {
                        vec![$($((stringify!($field), Value::from($field))),+)?]
                    })+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $text),)+
                }
            }
        }
    };
}

coded! {
    /// Why a text cannot be read.
    Reason {
        Expected { expected: Item } = "expected" "expected {expected}",
        ExpectedFound { expected: Item, found: Item } = "expected-found" "expected {expected}, found {found}",
        // Any text.
        InputFails { error: String } = "input-fails" "the input cannot be read: {error}",
        InputTooLong { most: usize } = "input-too-long" "expected at most {most} bytes, the input is longer",
        LineTooLong { most: usize } = "line-too-long" "expected lines of at most {most} bytes, this one is longer",
        UnknownFormat { formats: String, found: String } = "unknown-format" "expected a puzzle in one of the formats {formats}, found {found}",
        NoPuzzle = "no-puzzle" "expected a puzzle, found nothing",
        SecondPuzzle = "second-puzzle" "expected one puzzle, found a second one",
        TileTwice { tile: usize } = "tile-twice" "quadrant {tile} is used twice: each of the quadrants 1 to 4 lies on the board once",
        SecondTarget = "second-target" "a second target: a puzzle has one goal",
        SecondRobot { robot: Robot } = "second-robot" "a second {robot} robot",
        RobotPlacedTwice { robot: Robot } = "robot-placed-twice" "a second place for the {robot} robot",
        MissingRobot { robot: Robot } = "missing-robot" "expected a {robot} robot: robots come without gaps in the order red, green, blue, yellow, silver",
        // The one-line form.
        OptionTwice { option: char } = "option-twice" "option '{option}' twice",
        // Drawings.
        KeyTwice { key: String } = "key-twice" "'{key}:' twice",
        TooManyTargets { most: usize } = "too-many-targets" "more than {most} targets above one drawing",
        GoalCellTwice = "goal-cell-twice" "the goal's cell is given by 'goal:' and by '*' as well",
        TooMuchIndent { most: usize } = "too-much-indent" "expected at most {most} spaces before a drawing",
        TooManyColumns { most: usize, found: usize } = "too-many-columns" "expected at most {most} columns, found {found}",
        TooManyRows { most: usize } = "too-many-rows" "expected at most {most} rows, found another one",
        DrawingLineTooLong = "drawing-line-too-long" "expected the drawing's line to end here",
        SecondGoal = "second-goal" "expected only one goal",
        RobotDrawnTwice { robot: Robot } = "robot-drawn-twice" "expected each robot once, found a second {robot} one",
        MissingDrawnRobot { letter: char, order: &'static str } = "missing-drawn-robot" "expected robot {letter}: robots are drawn without gaps in the order {order}",
        HiddenDiagonal { cell: Cell } = "hidden-diagonal" "expected the colour of the diagonal at {cell} in a line such as 'Covered: red diagonal {cell}.' below the drawing",
        HiddenGoal { cell: Cell } = "hidden-goal" "a robot hides whose goal {cell} is: expected a sentence such as 'The red robot has to reach {cell}.' below the drawing",
        // Words.
        WordsTooLong { most: usize } = "words-too-long" "expected at most {most} characters",
        NoRowZero = "no-row-zero" "'column … row …' counts from 1: there is no column or row 0",
        SecondPart { part: Item, text: String } = "second-part" "expected one target, found a second {part} in {text}",
        NotAColor { word: String, colors: String } = "not-a-color" "{word} is not a robot's colour: expected {colors}, or any",
        NotATarget { word: String } = "not-a-target" "{word} is neither a colour nor a shape nor a cell: expected a target such as 'green hexagon' (circle, triangle, square, hexagon), 'vortex' or 'blue 9,12'",
        NoTargetAt { x: usize, y: usize } = "no-target-at" "no target is printed at ({x},{y}): say who has to arrive there, such as 'blue {x},{y}' or 'any {x},{y}'",
        NoTargets { goal: String, expected: Item } = "no-targets" "no targets are printed on this board, so there is no {goal}: give a colour and {expected}",
        NoSuchTarget { goal: String, targets: String } = "no-such-target" "there is no {goal} on this board: its targets are {targets}",
        SeveralTargets { targets: String } = "several-targets" "several targets match; name one of {targets}",
        GoalRobotMissing { robot: Robot } = "goal-robot-missing" "the {robot} robot has to arrive, but it is not on the board: say where it stands",
        Other { text: String } = "other" "{text}",
        // JSON.
        JsonEnd { detail: String } = "json-end" "{detail}",
        JsonSyntax { detail: String } = "json-syntax" "{detail}",
        JsonData { detail: String } = "json-data" "{detail}",
        JsonField { field: String, detail: String } = "json-field" "`{field}`: {detail}",
        JsonMissing { fields: String } = "json-missing" "this object has no {fields}",
        // DriftingDroids and kevincox.
        DataEnds { expected: Item } = "data-ends" "the data ends where {expected} was expected",
        WrongCheckSum { stated: String, actual: String } = "wrong-check-sum" "the check sum is {stated}, that of the data is {actual}: the text was changed or cut",
        NotBase64 { error: String } = "not-base64" "expected base64: {error}",
        NotBase64Url { error: String } = "not-base64url" "expected base64url: {error}",
        NotZlib { error: String } = "not-zlib" "expected a zlib stream: {error}",
        UnusedRobot { robot: Robot } = "unused-robot" "the {robot} robot is not used, but a later one of red, green, blue, yellow, black is",
        // Facts.
        BarrierOffBoard { x: usize, y: usize, side: usize } = "barrier-off-board" "the barrier at {x},{y} is off the board of {side}×{side} cells",
        MissingPosition { robot: Robot } = "missing-position" "expected a fact pos({robot},x,y): robots come without gaps in the order red, green, blue, yellow, silver, …",
    }
}

coded! {
    /// What a reader expected or found.
    Item {
        // Any text.
        Quote { text: String } = "quote" "{text}",
        Number { number: usize } = "number" "{number}",
        EndOfText = "end-of-text" "the end of the text",
        EndOfLine = "end-of-line" "the end of the line",
        EndOfData = "end-of-data" "the end of the data",
        Nothing = "nothing" "nothing",
        Zero = "none" "none",
        OtherBytes = "other-bytes" "other bytes",
        SomethingElse = "something-else" "something else",
        Byte { byte: String } = "byte" "the byte {byte}",
        MoreBytes { number: usize } = "more-bytes" "{number} more bytes",
        CellNumber { number: String } = "cell-number" "cell {number}",
        Two { first: usize, second: usize } = "two" "{first} and {second}",
        FollowedBy { found: Box<Item> } = "after-it" "{found} after it",
        Within { what: Box<Item>, most: usize } = "within" "{what} within 0..={most}",
        AtMost { what: Box<Item>, most: usize } = "at-most" "{what} of at most {most}",
        AtLeast { what: Box<Item>, least: usize } = "at-least" "{what} of at least {least}",
        FromOne { what: Box<Item> } = "from-one" "{what} from 1 on",
        Exactly { what: Box<Item>, number: usize } = "exactly" "{what} {number}",
        HexDigit { what: Box<Item> } = "hex-digit" "{what} as a hexadecimal digit",
        OnePuzzlePerLine = "one-puzzle-per-line" "one puzzle per line",
        Utf8 = "utf8" "UTF-8 text",
        Column = "column" "a column",
        Row = "row" "a row",
        ANumber = "a-number" "a number",
        MoveCount = "move-count" "a number of moves",
        BoardWithCells = "board-with-cells" "a board with cells",
        // The one-line form.
        LayoutOrSize = "layout-or-size" "a layout such as 1A4B3B2B or a size such as 16x16",
        Tile = "tile" "a number 1 to 4",
        Side = "side" "a letter A to D",
        FourQuadrants = "four-quadrants" "four quadrants",
        Width = "width" "a width",
        Height = "height" "a height",
        ColumnDigit = "column-digit" "a column (0-9, a-v)",
        RowDigit = "row-digit" "a row (0-9, a-v)",
        RobotLetter = "robot-letter" "a robot (R G B Y W O P C) or V for any robot",
        ColorLetter = "color-letter" "a colour (R G B Y W O P C)",
        LeanLetter = "lean-letter" "a diagonal: s for / or b for \\",
        ShapeLetter = "shape-letter" "a shape (c t s h v)",
        LineOption = "line-option" "an option (m, d, t, o or n)",
        TwoHexDigits = "two-hex-digits" "two hexadecimal digits",
        NameCharacter = "name-character" "a letter, a digit, '-', '_' or '~' and two digits",
        Utf8Name = "utf8-name" "a name in UTF-8",
        WallCharacter = "wall-character" "walls (A-Z a-z 0-9 - _ ~) or '.'",
        NoMoreWalls { width: usize, height: usize } = "no-more-walls" "'.': a board of {width}x{height} has no more walls",
        ZeroBits = "zero-bits" "zero bits after the last wall",
        // Drawings.
        KeyOrDrawing = "key-or-drawing" "'goal:', 'id:', 'optimal:', 'rules:', 'target:' or a drawing (+---+---+)",
        DrawingAfterKeys = "drawing-after-keys" "a drawing (+---+---+) after these lines",
        DrawingBelowNumbers = "drawing-below-numbers" "a drawing below the numbers of its columns",
        OnlyId = "only-id" "only 'id:' above a drawing as 'show' prints it",
        GoalLine = "goal-line" "a 'goal:' line above the drawing",
        GoalLineOrShown = "goal-line-or-shown" "a 'goal:' line above the drawing, or a drawing as 'show' prints it",
        GoalLineOrMark = "goal-line-or-mark" "a 'goal:' line above the drawing, or a goal such as [r] in it",
        GoalMark = "goal-mark" "a '*' in the drawing, or a cell in the 'goal:' line",
        WallsBelow = "walls-below" "a line of walls (+---+) below this one",
        CellsBelow = "cells-below" "a row of cells (|   |   |) below this line",
        UpperEdge = "upper-edge" "the upper edge of a drawing (+---+---+)",
        UpperEdgeEnd = "upper-edge-end" "'+' at the end of the upper edge",
        NarrowCells { most: usize } = "narrow-cells" "cells of at most {most} characters",
        SpacesBefore = "spaces-before" "spaces before the drawing",
        PlainCharacters = "plain-characters" "plain characters and spaces",
        WholeWall { wall: String } = "whole-wall" "a whole wall ({wall}) or none",
        WallOrSpace = "wall-or-space" "a wall '|' or a space",
        DiagonalColor = "diagonal-color" "the colour (r g b y w o p c) right after a diagonal",
        CellMark = "cell-mark" "a robot (R G B Y W O P C), '*', '#', '/' or '\\'",
        ShownCell = "shown-cell" "a cell as 'show' draws it",
        SentenceEnd = "sentence-end" "'.' at the end of the sentence",
        PrintedItem = "printed-item" "a target or a diagonal such as 'red circle (4,1)'",
        GoalName = "goal-name" "a target such as 'its hexagon' or 'the vortex'",
        RuleName = "rule-name" "must-ricochet or nothing",
        ShapeName = "shape-name" "circle, triangle, square, hexagon or vortex",
        ColorOrAny = "color-or-any" "a colour (red, green, …) or any",
        CellPair = "cell-pair" "a cell such as 9,12",
        ClosingQuote = "closing-quote" "'\"' at the end of the name",
        NothingAfterQuote = "nothing-after-quote" "nothing after the name's closing '\"'",
        Escape = "escape" "n, r, t, \", \\ or u{{…}} after '\\'",
        EscapedNumber = "escaped-number" "\\u{{…}} with the number of a character",
        // Words.
        CellForms = "cell-forms" "a cell such as 1,8 (column and row from 0) or b9 (column b, row 9 from 1)",
        OneCell = "one-cell" "one cell",
        RowAfterColumn { column: usize } = "row-after-column" "a row after the column {column}",
        TargetExample = "target-example" "a target such as 'green hexagon', 'vortex' or 'blue 9,12'",
        Target = "target" "a target",
        CellPart = "cell-part" "cell",
        ShapePart = "shape-part" "shape",
        ColorPart = "color-part" "colour",
        // DriftingDroids.
        Quadrant = "quadrant" "a quadrant (0 to F)",
        RobotCount = "robot-count" "the number of robots",
        OneToRobots { most: usize } = "one-to-robots" "1 to {most} robots",
        AtMostRobots { most: usize } = "at-most-robots" "at most {most} robots",
        ActiveRobotDigit = "active-robot-digit" "the active robot (0 to 4, F for any)",
        RobotCell = "robot-cell" "a robot's cell",
        TheGoalCell = "the-goal-cell" "the goal's cell",
        EndOfId = "end-of-id" "the end of the ID",
        CheckSum = "check-sum" "a check sum of 8 hexadecimal digits",
        EndMark { most: usize } = "end-mark" "'!' after at most {most} characters",
        DataLength = "data-length" "the length of the data in the first 4 bytes",
        AtMostData { most: usize } = "at-most-data" "at most {most} bytes of data",
        DataBytes { number: usize } = "data-bytes" "{number} bytes of data",
        Version = "version" "the version",
        VersionZero = "version-zero" "version 0",
        QuadrantByte = "quadrant-byte" "a quadrant",
        Wall = "wall" "a wall",
        GoalCount = "goal-count" "the number of goals",
        GoalCell = "goal-cell" "a goal's cell",
        GoalRobot = "goal-robot" "a goal's robot",
        GoalRobotNumber = "goal-robot-number" "a goal's robot (0 to 4, 255 for any)",
        GoalShape = "goal-shape" "a goal's shape",
        ActiveGoalCell = "active-goal-cell" "the active goal's cell",
        ActiveGoal = "active-goal" "an active goal on the board",
        BoardKind = "board-kind" "the kind of board",
        // kevincox.
        TheWidth = "the-width" "the width",
        TheHeight = "the-height" "the height",
        UrlData = "url-data" "'#s=' and the puzzle's data",
        ColumnMask = "column-mask" "the mask of a column",
        RowMask = "row-mask" "the mask of a row",
        WallLetter = "wall-letter" "B, N, W or C",
        WallRow = "wall-row" "a row of 16 letters",
        Mirror = "mirror" "a mirror",
        MirrorCount = "mirror-count" "the number of mirrors",
        MirrorColumn = "mirror-column" "a mirror's column",
        MirrorRow = "mirror-row" "a mirror's row",
        MirrorLean = "mirror-lean" "'/' or '\\'",
        MirrorColor = "mirror-color" "black, red, green, yellow or blue",
        FiveRobots = "five-robots" "5 robots",
        Robot = "robot" "a robot",
        RobotColumn = "robot-column" "a robot's column",
        RobotRow = "robot-row" "a robot's row",
        RobotNumber = "robot-number" "a robot (0 to 4, -1 for any)",
        TheTarget = "the-target" "the target",
        TargetColumn = "target-column" "the target's column",
        TargetRow = "target-row" "the target's row",
        ActiveRobot = "active-robot" "the active robot",
        ActiveRobotByte = "active-robot-byte" "an active robot (0 to 4, 255 for any)",
        SolutionLength = "solution-length" "the number of moves",
        // Roboyard, facts, JSON.
        WallOnBoard = "wall-on-board" "a wall on the board",
        MapStatement = "map-statement" "a wall (h, v), a target (tr tg tb ty ts) or a robot (rr rg rb ry rs)",
        MapTarget = "map-target" "a target (tr tg tb ty ts) on this board",
        SkubCell = "skub-cell" "a cell: a space, @, #, X, _ or |",
        FactName = "fact-name" "barrier, pos, target, length or dim",
        DirectionName = "direction-name" "north, east, south or west",
        ColorName = "color-name" "a colour (red, green, blue, yellow, …)",
        Size = "size" "a size",
        PlanLength = "plan-length" "a plan's length",
        TargetFact = "target-fact" "a fact target(colour,x,y)",
        BoardOfFour = "board-of-four" "a board of at least 2×2 cells",
        PuzzleOrArrayEnd = "puzzle-or-array-end" "a puzzle or the end of the array",
        CommaOrArrayEnd = "comma-or-array-end" "',' or ']' after a puzzle",
        NothingAfterArray = "nothing-after-array" "nothing after the array",
        FieldCounts { most: usize } = "field-counts" "1 to {most} columns and rows of fields",
        FieldsInColumn { number: usize, column: usize } = "fields-in-column" "{number} fields in column {column}",
        FieldWithTarget = "field-with-target" "a field with a target",
    }
}

impl Reason {
    /// What was expected, and what was found instead.
    pub(crate) fn found(expected: Item, found: Item) -> Self {
        Self::ExpectedFound { expected, found }
    }

    /// What was expected, and the text that was found instead.
    pub(crate) fn found_text(expected: Item, found: &str) -> Self {
        Self::found(expected, Item::quote(found))
    }
}

impl From<Item> for Reason {
    fn from(expected: Item) -> Self {
        Self::Expected { expected }
    }
}

impl From<LayoutError> for Reason {
    fn from(error: LayoutError) -> Self {
        match error {
            LayoutError::TileTwice { tile } => Self::TileTwice { tile },
            other => Self::Other {
                text: other.to_string(),
            },
        }
    }
}

impl Item {
    /// A text in quotes, cut if it is long.
    pub(crate) fn quote(text: &str) -> Self {
        Self::Quote { text: short(text) }
    }

    /// A character that is required there.
    pub(crate) fn character(wanted: char) -> Self {
        Self::Quote {
            text: format!("'{wanted}'"),
        }
    }

    #[cfg(feature = "formats")]
    pub(crate) fn exactly(self, number: usize) -> Self {
        Self::Exactly {
            what: Box::new(self),
            number,
        }
    }

    #[cfg(feature = "formats")]
    pub(crate) fn within(self, most: usize) -> Self {
        Self::Within {
            what: Box::new(self),
            most,
        }
    }
}

impl From<usize> for Item {
    fn from(number: usize) -> Self {
        Self::Number { number }
    }
}

/// At most 40 characters of a text, in quotes, for messages.
pub(crate) fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(40).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("'{}'", cut.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique() {
        for codes in [Reason::CODES, Item::CODES] {
            let mut sorted = codes.to_vec();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), codes.len());
        }
    }

    #[test]
    fn values_have_the_names_of_the_gaps() {
        let reason = Reason::found_text(Item::Column.within(15), "x");
        assert_eq!(
            reason.to_string(),
            "expected a column within 0..=15, found 'x'"
        );
        assert_eq!(reason.code(), "expected-found");
        let values = reason.values();
        let [
            ("expected", Value::Item(column)),
            ("found", Value::Item(found)),
        ] = values.as_slice()
        else {
            panic!("{reason:?}");
        };
        assert_eq!((column.code(), found.code()), ("within", "quote"));
        assert_eq!(found.values(), [("text", Value::Text("'x'".into()))]);
    }
}
