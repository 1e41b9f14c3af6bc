//! [`pick`]: puzzles of all ratings and themes, without duplicates.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use anyhow::Result;
use ricochet_core::{Cell, Puzzle, Symmetry};
use ricochet_solve::difficulty::Theme;

use super::row::Row;

/// The width of a range of ratings.
pub(super) const RANGE: i32 = 100;

/// Ratings below and above are counted with the first and the last range.
const ENDS: (i32, i32) = (600, 3500);

/// The lower end of the range that a rating falls into.
pub(super) fn range_of(rating: i32) -> i32 {
    rating
        .div_euclid(RANGE)
        .saturating_mul(RANGE)
        .clamp(ENDS.0, ENDS.1)
}

/// Picks `count` of the rows that may be picked, or all if there are fewer: as far as possible the same
/// number from each range of ratings, and within a range by turns one of each theme. Of positions that
/// are the same but for a symmetry or colours, only the first is picked.
pub(super) fn pick(rows: Vec<Row>, count: usize, may: impl Fn(&Row) -> bool) -> Result<Vec<Row>> {
    let rows: Vec<Row> = rows.into_iter().filter(may).collect();
    let mut distances = Vec::with_capacity(rows.len());
    let mut counts: HashMap<Vec<u32>, u32> = HashMap::new();
    for row in &rows {
        let own = all_distances(&row.puzzle()?);
        *counts.entry(own.clone()).or_default() += 1;
        distances.push(own);
    }
    let mut seen = HashSet::new();
    let mut ranges: BTreeMap<i32, Vec<Row>> = BTreeMap::new();
    for (row, distances) in rows.into_iter().zip(distances) {
        if counts[&distances] == 1 || seen.insert(symmetry_key(&row.puzzle()?)) {
            ranges.entry(range_of(row.rating)).or_default().push(row);
        }
    }
    // The smallest ranges first: what they lack is divided among the others.
    let mut ranges: Vec<Vec<Row>> = ranges.into_values().collect();
    ranges.sort_by_key(Vec::len);
    let mut picked = Vec::new();
    let mut left = ranges.len();
    for range in ranges {
        let share = (count - picked.len()) / left;
        left -= 1;
        picked.extend(by_themes(range, share));
    }
    Ok(picked)
}

/// Picks rows by turns for each theme, in their order.
fn by_themes(rows: Vec<Row>, count: usize) -> Vec<Row> {
    if rows.len() <= count {
        return rows;
    }
    let mut queues: Vec<Vec<usize>> = vec![Vec::new(); Theme::ALL.len()];
    for (index, row) in rows.iter().enumerate().rev() {
        for theme in row.theme_list() {
            queues[theme as usize].push(index);
        }
    }
    // Those without themes get a turn of their own.
    let plain = (0..rows.len())
        .rev()
        .filter(|&it| rows[it].themes.is_empty());
    queues.push(plain.collect());
    let mut is_picked = vec![false; rows.len()];
    let mut missing = count;
    while missing > 0 {
        for queue in &mut queues {
            while let Some(index) = queue.pop() {
                if !is_picked[index] {
                    is_picked[index] = true;
                    missing -= 1;
                    break;
                }
            }
            if missing == 0 {
                break;
            }
        }
    }
    let rows = rows.into_iter().zip(is_picked);
    rows.filter(|it| it.1).map(|it| it.0).collect()
}

/// Distances of the target and the robots from each other and from the centre, which no symmetry or
/// change of colours changes: different ones save most of the work of [`symmetry_key`].
fn all_distances(puzzle: &Puzzle) -> Vec<u32> {
    let (board, goal) = (puzzle.board(), puzzle.goal());
    let square = |a: i32, b: i32| (a * a + b * b).cast_unsigned();
    let twice = |cell: Cell| (2 * i32::from(cell.x), 2 * i32::from(cell.y));
    let of = |cell: Cell| {
        let ((x, y), (to_x, to_y)) = (twice(cell), twice(goal.cell));
        let (width, height) = (board.width() as i32 - 1, board.height() as i32 - 1);
        let centre = square(x - width, y - height);
        [centre, square(x - to_x, y - to_y)]
    };
    let start = puzzle.start();
    let mut others: Vec<[u32; 2]> = start
        .iter()
        .filter(|&(robot, _)| Some(robot) != goal.robot)
        .map(|(_, cell)| of(cell))
        .collect();
    others.sort_unstable();
    let first = goal.robot.map(|robot| of(start[robot]));
    let all = [of(goal.cell)].into_iter().chain(first).chain(others);
    all.flatten().collect()
}

/// The same text for all positions that differ only by a symmetry of the board or by colours.
fn symmetry_key(puzzle: &Puzzle) -> String {
    let keys = Symmetry::ALL.map(|symmetry| {
        let image = puzzle.transformed(symmetry);
        let (board, goal) = (image.board(), image.goal());
        let start = image.start().canonical(&image.interchangeable());
        let mut key = format!("{:?} {:?}", board.walls(), image.rules());
        // Colours matter only where robots of that colour pass diagonals.
        let colored = !board.diagonals().is_empty();
        if colored {
            let _ = write!(key, "{:?} {:?} {start:?}", board.diagonals(), goal);
        } else {
            let first = goal.robot.map(|robot| start[robot]);
            let others = start.iter().filter(|&(robot, _)| Some(robot) != goal.robot);
            let mut others: Vec<_> = others.map(|(_, cell)| cell).collect();
            others.sort_unstable();
            let _ = write!(key, "{:?} {first:?} {others:?}", goal.cell);
        }
        key
    });
    keys.into_iter().min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Goal, Robot};

    use super::*;

    fn row(number: u64, rating: i32, themes: &str) -> Row {
        // Different cells of the robots make different positions.
        let cells = format!("{:x}{:x}", number % 5, number / 5 % 7);
        Row {
            id: format!("S1-{number}"),
            position: format!("8x8..{cells}77.R67"),
            moves: String::new(),
            rating,
            deviation: 0,
            length: 0,
            solutions: 1,
            themes: themes.to_owned(),
            layout: String::new(),
        }
    }

    #[test]
    fn ranges_and_themes_get_equal_shares() {
        let mut rows: Vec<Row> = (0..20).map(|it| row(it, 1500, "solo")).collect();
        rows.extend((20..23).map(|it| row(it, 1510, "chain")));
        rows.extend((23..25).map(|it| row(it, 3900, "")));
        let picked = pick(rows.clone(), 8, |_| true).unwrap();
        let of = |themes| picked.iter().filter(|it| it.themes == themes).count();
        assert_eq!((of(""), of("chain"), of("solo")), (2, 3, 3));
        assert_eq!(pick(rows.clone(), 99, |_| true).unwrap().len(), 25);
        let few = pick(rows, 99, |it| it.rating > 2000).unwrap();
        assert_eq!(few.len(), 2);
    }

    #[test]
    fn the_ends_take_all_other_ratings() {
        assert_eq!(
            [-20, 650, 3499, 3500, 9000].map(range_of),
            [600, 600, 3400, 3500, 3500]
        );
    }

    #[test]
    fn images_of_a_position_have_one_key() {
        let read = |line| {
            ricochet_core::notation::parse_line(line)
                .unwrap()
                .validate()
                .unwrap()
        };
        let puzzle: Puzzle = read("1A4B3B2B.1fc1f0c0.B9c");
        let key = symmetry_key(&puzzle);
        for symmetry in Symmetry::ALL {
            let image = puzzle.transformed(symmetry);
            assert_eq!(symmetry_key(&image), key);
            assert_eq!(all_distances(&image), all_distances(&puzzle));
        }
        let goal = Goal {
            robot: Some(Robot::RED),
            ..puzzle.goal()
        };
        let start = puzzle.start();
        let cells = start.cells();
        let recolored = [cells[2], cells[1], cells[3], cells[0]];
        let recolored = Puzzle::new(puzzle.board().clone(), &recolored, goal).unwrap();
        assert_eq!(symmetry_key(&recolored), key);
        assert_eq!(all_distances(&recolored), all_distances(&puzzle));
        assert_ne!(symmetry_key(&read("1A4B3B2B.1fc1f0c2.B9c")), key);
    }
}
